"""What was learnt, seen and managed from a terminal: the program runs in this process, on a file of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pagefile import Memory
from pagefile.cli import app
from pagefile.errors import InputError
from pagefile.ports import NewJob
from pagefile.records import Add, Scope
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.fakes import make_cause, make_record
from pagefile.testing.openai_server import OpenAIServer, say

Run = Callable[..., Result]
ME = Scope("default", "me")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.fixture
def run(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``pagefile`` and expect an exit code."""
    settings = {
        "PAGEFILE_DATA": str(file), "PAGEFILE_EMBEDDER": "none", "PAGEFILE_TIMEZONE": "Asia/Shanghai",
        "PAGEFILE_MODEL": "offline", "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }  # fmt: skip
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, stdin: str | None = None, code: int = 0) -> Result:
        done = CliRunner().invoke(app, arguments, input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == code, done.output
        return done

    return run


def parsed(done: Result) -> Any:
    return json.loads(done.stdout)


def rows(done: Result) -> list[list[str]]:
    return [line.split("\t") for line in done.stdout.splitlines()]


def seeded(run: Run) -> None:
    """A move and a change of taste, in two sessions."""
    run("add", "I live in Beijing.", "I love spicy food.", "--said-at", "2026-05-01T09:00:00+08:00", "--session", "may")
    run("add", "I moved to Shenzhen.", "--said-at", "2026-06-10T09:00:00+08:00", "--session", "june")


def test_the_list_tells_of_whom_what_and_since_when(run: Run) -> None:
    assert "2 facts learnt" in run("add", "我住在北京。", "我不吃香菜", "--said-at", "2026-05-01T09:00:00+08:00").stderr
    listed = {tuple(row[:4]) for row in rows(run("list"))}
    assert ("2026-05-01 –", "current", "user · residence: 北京", "我住在北京") in listed
    assert ("2026-05-01 –", "current", "user · diet: not 香菜", "我不吃香菜") in listed


def test_what_was_superseded_is_listed_with_its_days_and_by_as_of(run: Run) -> None:
    seeded(run)
    assert [row[2] for row in rows(run("list"))] == ["user · likes: spicy food", "user · residence: Shenzhen"]
    old = next(row for row in rows(run("list", "--all")) if "Beijing" in row[2])
    assert old[:2] == ["2026-05-01 – 2026-06-10", "superseded"]
    assert "Beijing" in run("list", "--as-of", "2026-05-20").stdout
    assert "Shenzhen" not in run("list", "--as-of", "2026-05-20").stdout
    assert run("list", "--known-at", "2020-01-01").stdout == ""


def test_a_search_looks_into_the_past(run: Run) -> None:
    seeded(run)
    assert "Beijing" not in run("search", "live in Beijing").stdout
    assert "Beijing" in run("search", "live in Beijing", "--history").stdout
    assert "Beijing" in run("search", "live in Beijing", "--as-of", "2026-05-20").stdout


@pytest.mark.parametrize(
    ("said", "later", "attribute", "line"),
    [
        ("My favourite style is minimalist.", "My favourite style is vintage now.", "favourite style",
         "minimalist (May 2026) → vintage (June 2026)"),
        ("我住在上海。", "我搬到杭州了。", "residence", "上海（2026年5月） → 杭州（2026年6月）"),
    ],
    ids=["English", "Chinese"],
)  # fmt: skip
def test_a_timeline_is_told_on_one_line(run: Run, said: str, later: str, attribute: str, line: str) -> None:
    run("add", said, "--said-at", "2026-05-03T09:00:00+08:00")
    run("add", later, "--said-at", "2026-06-05T09:00:00+08:00")
    assert run("timeline", attribute).stdout.splitlines()[0] == line
    assert len(parsed(run("timeline", attribute, "--json"))) == 2
    assert "nothing is known" in run("timeline", attribute, "--subject", "Nobody").stderr


def test_why_quotes_the_words_and_lists_the_changes(run: Run) -> None:
    seeded(run)
    (id,) = [row[-1] for row in rows(run("list")) if "Shenzhen" in row[2]]
    told = run("why", id).stdout
    assert "“I moved to Shenzhen”" in told
    assert "session june" in told
    assert "read by rules" in told
    why = parsed(run("why", id, "--json"))
    assert why["quotes"][0]["message"]["text"] == "I moved to Shenzhen."
    assert [entry["change"] for entry in why["history"]] == ["add"]


def test_remembering_tells_what_it_replaces(run: Run) -> None:
    run("remember", "I work at Acme.")
    done = run("remember", "I work at Beta Corp.")
    assert "user · employer: Beta Corp, current; in place of: I work at Acme" in done.stderr
    assert parsed(run("show", done.stdout.strip(), "--json"))["value"] == "Beta Corp"


@pytest.mark.parametrize("how", ["id", "query", "neither"])
def test_a_record_is_corrected_by_id_by_query_or_by_what_it_contradicts(run: Run, how: str) -> None:
    old = run("remember", "I live in Rome.").stdout.strip()
    chosen = {"id": ["--id", old], "query": ["--query", "live in Rome"], "neither": []}[how]
    done = run("correct", "I live in Oslo.", *chosen)
    assert old in done.stderr
    assert [row[2] for row in rows(run("list"))] == ["user · residence: Oslo"]
    assert [entry["change"] for entry in parsed(run("history", old, "--json"))] == ["add", "supersede"]


def test_what_is_pending_is_confirmed(run: Run) -> None:
    run("add", "I live in Rome.", "--origin", "imported")
    assert run("list").stdout == ""
    ids = [row[-1] for row in rows(run("list", "--pending"))]
    assert ids
    assert "(current)" in run("confirm", *ids).stdout
    assert run("list", "--pending").stdout == ""
    assert "Rome" in run("list").stdout


def test_a_personal_identifier_is_learnt_only_with_consent(run: Run) -> None:
    run("add", "My phone number is 13800138000.")
    assert run("list").stdout == ""
    run("add", "My phone number is 13800138000.", "--consent", "--session", "again")
    assert "user · phone: 13800138000" in run("list").stdout
    with pytest.raises(InputError, match="consent"):
        run("remember", "我的手机号是13900139000")
    run("remember", "我的手机号是13900139000", "--consent")


def test_forgetting_by_query_shows_what_would_go_and_asks(run: Run) -> None:
    seeded(run)
    would_go = parsed(run("forget", "--query", "spicy food", "--dry-run", "--json"))["items"]
    assert {item["text"] for item in would_go} == {"I love spicy food", "I love spicy food."}
    asked = run("forget", "--query", "spicy food", stdin="n\n", code=1)
    assert "user · likes: spicy food  I love spicy food" in asked.stderr
    assert "spicy" in run("list").stdout
    assert run("forget", "--query", "spicy food", stdin="y\n").stdout.endswith("2 forgotten\n")
    assert "spicy" not in run("list").stdout + run("search", "spicy food").stdout
    assert "nothing is meant" in run("forget", "--query", "spicy food", "--yes").stderr
    run("restore", *(item["id"] for item in would_go))
    assert run("forget", "--query", "spicy food", "--yes").stdout == "2 forgotten\n"


@pytest.mark.parametrize(
    ("said", "query", "left"),
    [("I live in Rome and I love spicy food.", "spicy food", "user · residence: Rome"),
     ("我住在上海，我喜欢吃辣。", "吃辣", "user · residence: 上海")],
    ids=["English", "Chinese"],
)  # fmt: skip
def test_forgetting_by_query_leaves_what_else_was_said_in_the_same_breath(run: Run, said: str, query: str, left: str) -> None:
    run("add", said)
    assert run("forget", "--query", query, "--yes").stdout == "1 forgotten\n"
    assert [row[2] for row in rows(run("list"))] == [left]
    assert query not in run("search", query).stdout


def test_forgetting_a_message_says_first_what_goes_with_it(run: Run) -> None:
    id = run("add", "我对花生过敏。").stdout.strip()
    shown = run("forget", id, "--dry-run")
    assert "user · allergy: 花生" in shown.stderr
    assert shown.stdout == "2 would be forgotten\n"
    assert run("forget", id).stdout == "2 forgotten\n"
    assert run("list").stdout == ""


def test_a_change_is_taken_back_by_its_id(run: Run) -> None:
    seeded(run)
    change = next(row[-1] for row in rows(run("changes")) if row[1] == "supersede")
    run("undo", change)
    assert [row[2] for row in rows(run("list")) if "residence" in row[2]] == ["user · residence: Beijing"]
    first = parsed(run("changes", "--limit", "1", "--json"))
    assert len(first["items"]) == 1
    assert parsed(run("changes", "--limit", "1", "--after", first["cursor"], "--json"))["items"] != first["items"]


def test_what_a_session_taught_is_taken_back(run: Run) -> None:
    seeded(run)
    run("revert", "--session", "june")
    assert [row[2] for row in rows(run("list")) if "residence" in row[2]] == ["user · residence: Beijing"]
    (message,) = parsed(run("list", "--session", "may", "--limit", "1", "--json"))["items"]
    run("revert", "--source", message["id"])
    assert "Beijing" not in run("list").stdout
    with pytest.raises(InputError, match="say what to revert"):
        run("revert")


def test_the_log_tells_what_was_asked(run: Run) -> None:
    run("add", "I love tea.")
    run("search", "tea")
    recalled, written, added = rows(run("log"))
    assert (added[1], added[4]) == ("add", "stored=1")
    assert (recalled[1], recalled[3]) == ("recall", "tea")
    assert "retrieved=" in recalled[4]
    assert (written[1], written[4]) == ("write", "changes=add:1 entries=1")


def test_an_erased_text_is_nowhere_in_the_file_and_verify_says_so(run: Run, file: Path) -> None:
    said = ["add", "I love xylophones.", "--said-at", "2026-01-01"]
    id = run(*said).stdout.strip()
    assert rows(run("verify", "xylophone", "钢琴", code=1))[1] == ["0", "钢琴"]
    receipt = parsed(run("erase", id, "--yes", "--json"))
    assert (receipt["messages"], receipt["records"]) == (1, 1)
    assert run("verify", "-", stdin="xylophone\n\n").stdout == "0\txylophone\n"
    assert b"xylophone" not in file.read_bytes()
    assert "erased before" in run(*said, code=2).stderr
    run("add", "I love xylophones.", "--said-at", "2025-01-01")
    assert run("list").stdout == ""
    run("add", "I love xylophones.")
    assert "xylophones" in run("list").stdout


def test_what_expired_is_tidied_away_after_a_look(run: Run, file: Path) -> None:
    with Memory.open(file, embedder="none") as memory:
        memory.scope("me").remember("The voucher is in the drawer.", expires_at="2020-01-01T00:00:00Z")
    assert "it expired on 2020-01-01\tThe voucher" in run("tidy", "--dry-run").stdout
    assert len(parsed(run("tidy", "--json"))["entries"]) == 1
    assert "0 put away" in run("tidy").stderr


def test_a_merge_is_shown_before_it_is_made(run: Run, file: Path) -> None:
    async def prepare() -> None:
        store = await SqliteStore.open(str(file))
        for text in ("I work at Acme", "I am with Acme"):
            record = make_record(text, subject="user", attribute="employer", value="Acme")
            await store.apply(ME, [Add(item=record, cause=make_cause())])
        await store.close()

    asyncio.run(prepare())
    shown = run("consolidate", "--dry-run").stdout
    assert "- I work at Acme" in shown
    assert "+ I" in shown
    assert len(rows(run("list"))) == 2
    run("consolidate")
    (merged,) = parsed(run("list", "--json"))["items"]
    assert merged["evidence_count"] == 2


def test_work_that_was_given_up_is_seen_and_tried_again(run: Run, file: Path) -> None:
    async def prepare() -> None:
        store = await SqliteStore.open(str(file))
        now = datetime.now(UTC)
        await store.enqueue(ME, [NewJob(kind="learn", payload={"session": "s"})])
        (job,) = await store.claim(["learn"], now=now, lease_seconds=60)
        await store.fail(job.id, error="the disk was full", now=now, retry_at=None)
        await store.close()

    asyncio.run(prepare())
    assert "the disk was full" in run("jobs", "--dead").stdout
    assert "1 given up" in run("doctor", code=1).stdout
    assert "1 tried again" in run("jobs", "--retry").stderr
    assert run("jobs", "--dead").stdout == ""


def test_incognito_leaves_nothing(run: Run) -> None:
    run("add", "I love tea.")
    told = run("chat", "--incognito", stdin="I am called Zebulon.\nWhat do I love?\n")
    assert "tea" in told.stdout
    assert "nothing of this is kept" in told.stdout
    assert "learnt" not in told.stderr
    run("verify", "Zebulon")
    assert "Zebulon" not in run("list", "--messages").stdout + run("list", "--sessions").stdout + run("log").stdout


def test_a_chat_ends_with_what_was_learnt(run: Run) -> None:
    assert "(1 fact learnt, see `pagefile list`)" in run("chat", stdin="I have a cat called Miso.\n").stderr
    assert "learnt" not in run("chat", stdin="hello\n").stderr


def test_the_model_reads_only_where_it_was_asked_for_and_its_cost_is_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"facts": [{"line": 1, "quote": "the Volvo is mine", "subject": "user", "attribute": "owns", "value": "Volvo"}]}
    with OpenAIServer([say(json.dumps(facts))], models=("test-model",)) as server:
        monkeypatch.setenv("PAGEFILE_MODEL", f"test-model@{server.url}")
        monkeypatch.setenv("PAGEFILE_LEARN", "model")
        done = run("add", "You see, the Volvo is mine.")
        assert "what is said is read by test-model" in done.stderr
        assert server.url in done.stderr
        assert "user · owns: Volvo" in run("list").stdout
        assert parsed(run("stats", "--json"))["learning"]["calls_today"] == 1
        assert len(server.chats) == 1


def test_learning_by_a_model_without_one_says_so_and_goes_by_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFILE_LEARN", "model")
    assert "by rules only" in run("add", "I have a cat called Miso.").stderr
    assert "Miso" in run("list").stdout
    assert run("list").stderr == "1 of 1\n"


def test_a_budget_that_is_used_up_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([], models=("test-model",)) as server:
        for name, value in {"MODEL": f"test-model@{server.url}", "LEARN": "model", "LEARN_CALLS": "0"}.items():
            monkeypatch.setenv(f"PAGEFILE_{name}", value)
        done = run("add", "I have a cat called Miso.")
        assert "note: 1 batch for the model to read still waits" in done.stderr
        assert not server.chats
    monkeypatch.setenv("PAGEFILE_MODEL", "offline")
    assert "the rest waits until midnight" in run("doctor").stdout


@pytest.mark.parametrize(
    "arguments",
    [("forget",), ("forget", "x", "--query", "y"), ("list", "--pending", "--all"), ("list", "--messages", "--as-of", "2026-01-01"),
     ("why", "nothing"), ("undo", "nothing"), ("confirm", "nothing"), ("correct", "x", "--id", "nothing"), ("verify", " "),
     ("add", "x", "--origin", "nowhere"), ("search", "x", "--as-of", "when the moon was blue"), ("timeline", " ")],
    ids=" ".join,
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_a_sentence(run: Run, arguments: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        run(*arguments)
