"""`pagefile serve` as people run it: what it says, whom it lets in, how it ends, and what is left when it is killed."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import anyio
import httpx
import pytest

import pagefile.server.start as start
from pagefile.errors import InputError, SettingsError
from pagefile.memory import AsyncMemory
from pagefile.server.serving import listen
from pagefile.settings import Settings
from pagefile.sync import Memory
from pagefile.terminal import Terminal
from pagefile.testing.openai_server import OpenAIServer, say

from .conftest import Running
from .serve_help import environment, pagefile, serving, wait_until_it_is_ready


def told(url: str, text: str, session: str = "s", *, client: httpx.Client | None = None) -> httpx.Response:
    """Have a message kept."""
    body = {"messages": [{"role": "user", "content": text, "id": text}], "session": session}
    return (client or httpx).post(f"{url}/api/v1/messages", json=body, timeout=30)


# --- what it says -------------------------------------------------------------------------------------------------------


def test_it_says_where_it_serves_and_what_with(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        about = served.about
        assert about["url"].startswith("http://127.0.0.1:")
        assert (about["keys"], about["data"], about["sent"]) == (0, str(tmp_path / "m.db"), "nothing")
        assert "offline" in about["model"]
        assert "by words alone" in about["embedder"]
        *before, ready = wait_until_it_is_ready(served.url)
        assert ready["status"] == "ok"
        # It lives, and answers, while it warms up.
        assert {one["status"] for one in before} <= {"warming up"}


def test_standard_output_has_nothing_else(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        assert told(served.url, "tea").status_code < 300
        httpx.get(f"{served.url}/nothing")
        served.process.send_signal(signal.SIGTERM)
        assert served.ended() == 0
    assert served.said == []
    # All that came is in the log, line by line.
    assert [line for line in served.errors if not line.startswith(("{", "note: "))] == []
    assert {line["status"] for line in served.log()} >= {404}


@pytest.mark.parametrize(
    ("arguments", "settings", "part"),
    [
        (("--host", "no.such.host.invalid"), {}, "needs a key"),
        (("--port", "99999"), {}, "0 to 65535"),
        (("--workers", "0"), {}, "workers"),
        ((), {"request_log": "loud"}, "json, text or off"),
        ((), {"allowed_origins": "*"}, "PAGEFILE_ALLOWED_ORIGINS"),
        (("--workers", "2"), {"data": ":memory:"}, "share one file"),
    ],
)
def test_what_cannot_be_served_is_refused_before_it_begins(
    tmp_path: Path, arguments: tuple[str, ...], settings: dict[str, str], part: str
) -> None:
    done = pagefile("serve", *arguments, **{"data": str(tmp_path / "m.db"), **settings})  # type: ignore[arg-type]
    assert isinstance(done.error, InputError | SettingsError)
    assert part in str(done.error)
    assert done.stdout == ""


def test_an_address_that_is_taken_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = pagefile("serve", "--port", str(port), data=tmp_path / "m.db")
    assert f"127.0.0.1:{port}" in str(done.error)
    assert "--port" in str(done.error)


def test_no_piece_of_a_reply_waits_for_the_one_before_to_be_acknowledged(tmp_path: Path) -> None:
    with listen(Settings(data=str(tmp_path / "m.db"), port=0)) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_for_people_it_says_so_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def look() -> None:
        settings = Settings(data=str(tmp_path / "m.db"), embedder="none", model="offline")
        terminal = Terminal(as_json=False, zone=settings.zone())
        about = await start.look(settings, terminal)
        start.announce(terminal, {"url": "http://127.0.0.1:8642", **about})

    anyio.run(look)
    said = capsys.readouterr().out
    for part in (
        "http://127.0.0.1:8642/v1",
        "/docs",
        "/mcp",
        str(tmp_path / "m.db"),
        "offline was asked for",
        "pagefile key create",
        "nothing",
    ):
        assert part in said


# --- whom it lets in ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"host": "0.0.0.0"}, {"host": "::"}, {"allowed_hosts": "memory.example.com"}])
def test_beyond_this_machine_it_starts_only_with_a_key_that_counts(tmp_path: Path, settings: dict[str, str]) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        memory.create_key("old", user="alice", expires=timedelta(microseconds=1))
    refused = pagefile("serve", data=tmp_path / "m.db", **settings)
    assert isinstance(refused.error, InputError)
    assert "pagefile key create" in str(refused.error)
    assert refused.stdout == ""


def test_with_a_key_it_serves_beyond_this_machine(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        secret = memory.create_key("test", user="alice").secret
    with serving(tmp_path / "m.db", "--host", "0.0.0.0") as served:
        assert served.about["keys"] == 1
        assert httpx.get(f"{served.url}/api/v1/records").status_code == 401
        assert httpx.get(f"{served.url}/api/v1/records", headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_a_key_that_is_made_while_it_runs_is_needed_from_then_on_and_is_gone_when_it_is_revoked(tmp_path: Path) -> None:
    data = tmp_path / "m.db"
    with serving(data) as served:
        assert httpx.get(f"{served.url}/api/v1/records").status_code == 200
        made = json.loads(pagefile("key", "create", "laptop", "--user", "alice", "--json", data=data).stdout)
        key = {"Authorization": f"Bearer {made['secret']}"}
        eventually(lambda: httpx.get(f"{served.url}/api/v1/records").status_code == 401)
        assert httpx.get(f"{served.url}/api/v1/records", headers=key).status_code == 200
        assert pagefile("key", "revoke", made["id"], data=data).error is None
        eventually(lambda: httpx.get(f"{served.url}/api/v1/records", headers=key).status_code == 401)
        assert httpx.get(f"{served.url}/api/v1/records").status_code == 401


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


# --- keys on the command line -------------------------------------------------------------------------------------------


def test_a_key_is_shown_once_and_listed_without_its_secret(tmp_path: Path) -> None:
    data = tmp_path / "m.db"
    made = pagefile(
        "key", "create", "笔记本", "--acts-as", "team-*", "--rights", "read", "--expires", "30d", "--per-minute", "60", data=data
    )
    secret = made.stdout.strip()
    assert secret.startswith("pf_")
    assert "once" in made.stderr
    listed = pagefile("key", "list", data=data)
    assert "笔记本" in listed.stdout
    assert "users team-*" in listed.stdout
    for output in (listed, pagefile("key", "list", "--json", data=data)):
        assert secret.rpartition("_")[2] not in output.stdout + output.stderr
    assert not [path for path in tmp_path.iterdir() if secret.rpartition("_")[2].encode() in path.read_bytes()]
    (row,) = json.loads(pagefile("key", "list", "--json", data=data).stdout)
    assert (row["acts_as"], row["rights"], row["per_minute"]) == ("team-*", ["read"], 60)
    assert "hash" not in row


def test_a_key_is_for_the_user_of_the_settings_unless_another_is_named(tmp_path: Path) -> None:
    data = tmp_path / "m.db"
    for arguments, user in (((), "me"), (("--user", "小王"), "小王")):
        assert json.loads(pagefile("key", "create", "x", *arguments, "--json", data=data).stdout)["user"] == user


@pytest.mark.parametrize(
    "arguments",
    [
        ("create", "x", "--user", "a", "--acts-as", "*"),
        ("create", "x", "--rights", "root"),
        ("create", "x", "--rights", "admin"),
        ("create", "x", "--expires", "soon"),
        ("create", "x", "--expires", "2001-01-01"),
        ("create", "x", "--per-minute", "0"),
        ("create", " "),
        ("revoke", "nothing"),
    ],
)
def test_a_key_that_cannot_be_made_or_revoked_is_told_in_a_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = pagefile("key", *arguments, data=tmp_path / "m.db")
    assert isinstance(done.error, InputError)
    assert done.stdout == ""


# --- how it ends --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_in_order_when_it_is_told_to(tmp_path: Path, number: signal.Signals, workers: str) -> None:
    with serving(tmp_path / "m.db", "--workers", workers) as served:
        assert told(served.url, "I live in Berlin.").status_code < 300
        served.process.send_signal(number)
        assert served.ended() == 0
        assert "Traceback" not in "".join(served.errors)
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        mine = memory.scope("me")
        assert [message.text for message in mine.messages("s").items] == ["I live in Berlin."]
        # It was learnt from before the end.
        assert [record.text for record in mine.list().items] != []


def test_a_reply_under_way_is_given_to_its_end_and_a_stream_of_events_is_ended(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        told(served.url, "tea")
        began = threading.Event()

        def events() -> str:
            with httpx.stream("GET", f"{served.url}/api/v1/events", timeout=60) as answer:
                began.set()
                return "".join(answer.iter_text())

        with ThreadPoolExecutor() as pool:
            heard = pool.submit(events)
            assert began.wait(30)
            started = time.monotonic()
            served.process.send_signal(signal.SIGTERM)
            assert served.ended() == 0
            heard.result(30)
        # Not held up for all the seconds that replies get to end.
        assert time.monotonic() - started < 9
        assert not [line for line in served.errors if "Cancel" in line]


@pytest.mark.parametrize("said", ["Tell me of the harbour, please.", "请给我讲讲那个港口。"])
def test_who_still_waits_for_the_endpoint_at_the_end_is_told_so(tmp_path: Path, said: str) -> None:
    with OpenAIServer([say("Too late.", delay=30)]) as endpoint:
        given = {"model": "test-model", "base_url": endpoint.url, "api_key": "none", "shutdown_seconds": "1"}
        with serving(tmp_path / "m.db", **given) as served, ThreadPoolExecutor() as pool:
            body = {"model": "test-model", "messages": [{"role": "user", "content": said}]}
            asked = pool.submit(httpx.post, f"{served.url}/v1/chat/completions", json=body, timeout=60)
            until = time.monotonic() + 30
            while not endpoint.chats and time.monotonic() < until:
                time.sleep(0.02)
            served.process.send_signal(signal.SIGTERM)
            answer = asked.result(30)
            assert served.ended() == 0
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    error = answer.json()["error"]
    assert (error["type"], error["code"]) == ("server_error", "shutting_down")
    assert "try again" in error["message"]
    log = "".join(served.errors)
    assert "Traceback" not in log
    assert "CancelledError" not in log
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        assert said in [message.text for message in memory.scope("me").messages().items]


# --- several workers ----------------------------------------------------------------------------------------------------


def test_several_workers_share_one_memory_and_their_figures(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", "--workers", "2") as served:
        with ThreadPoolExecutor(8) as pool:
            # A connection each, so that both are asked.
            answers = list(pool.map(lambda number: told(served.url, f"message {number}", f"s{number % 3}"), range(30)))
        assert {answer.status_code for answer in answers} <= {200, 201}
        seen = {len(httpx.get(f"{served.url}/api/v1/messages?limit=100").json()["items"]) for _ in range(5)}
        assert seen == {30}
        figures = httpx.get(f"{served.url}/metrics").text
        counted = [
            line for line in figures.splitlines() if line.startswith("pagefile_requests_total") and "/messages" in line and "POST" in line
        ]
        assert sum(float(line.rpartition(" ")[2]) for line in counted) == 30


def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", "--workers", "2") as served:
        assert told(served.url, "tea").status_code < 300
        served.process.kill()
        deadline = time.monotonic() + 60
        with pytest.raises(httpx.TransportError):
            while time.monotonic() < deadline:
                httpx.get(f"{served.url}/healthz", timeout=30)
                time.sleep(0.05)
    # Its pipes are closed, so nobody is left who could write to them.
    with serving(tmp_path / "m.db", port=served.url.rpartition(":")[2]) as again:
        assert len(httpx.get(f"{again.url}/api/v1/messages").json()["items"]) == 1


# --- killed -------------------------------------------------------------------------------------------------------------


def test_what_was_acknowledged_is_there_after_the_server_was_killed(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for round in range(3):
        with serving(tmp_path / "m.db") as served:
            with httpx.Client() as client, ThreadPoolExecutor() as pool:
                stop = threading.Event()

                def write(round: int = round, url: str = served.url, client: httpx.Client = client, stop: threading.Event = stop) -> None:
                    for number in range(10_000):
                        text = f"message {round} {number}"
                        try:
                            answer = told(url, text, client=client)
                        except httpx.TransportError:
                            return
                        if answer.status_code < 300:
                            acknowledged.append(text)
                        if number == 20:
                            stop.set()

                writing = pool.submit(write)
                assert stop.wait(60)
                served.process.kill()
                writing.result(60)
            served.ended()
    assert len(acknowledged) > 60
    with serving(tmp_path / "m.db") as served:
        kept: set[str] = set()
        after: str | None = None
        while True:
            page = httpx.get(f"{served.url}/api/v1/messages", params={"limit": 200, **({"after": after} if after else {})}).json()
            kept |= {item["text"] for item in page["items"]}
            after = page["cursor"]
            if after is None:
                break
        assert set(acknowledged) <= kept
    assert sqlite3.connect(tmp_path / "m.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = tmp_path / "fastapi.py"
    hidden.write_text("raise ModuleNotFoundError('No module named fastapi', name='fastapi')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pagefile", "serve"],
        env={**environment(tmp_path / "m.db"), "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert (
        done.stderr
        == "pagefile: this needs the package fastapi, which is not installed; install the server with: pip install 'pagefile[server]'\n"
    )


def test_a_server_in_the_same_program_shares_its_memory(running_server: Callable[..., Running]) -> None:
    running = running_server()
    assert told(running.url, "tea").status_code < 300

    async def texts(memory: AsyncMemory) -> list[str]:
        return [message.text for message in (await memory.scope("me").messages("s")).items]

    assert running.call(texts) == ["tea"]
