"""The command line as a person or a script uses it: real processes, real pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagefile.cli import app
from pagefile.errors import InputError
from pagefile.testing.openai_server import OpenAIServer, say

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``pagefile`` with a memory of its own and no settings of this machine."""

    def run(*arguments: str, stdin: str | None = None, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_", "LC_", "LANG"))}
        env = kept | {
            "PAGEFILE_DATA": str(tmp_path / "m.db"), "PAGEFILE_EMBEDDER": "hashing", "PAGEFILE_TIMEZONE": "Asia/Shanghai",
            "PAGEFILE_MODEL": "offline", "XDG_CONFIG_HOME": str(tmp_path / "config"), "LANG": "C",
        } | environment  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "pagefile", *arguments], input=stdin, env=env, cwd=tmp_path,
            capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done

    return run


def parsed(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


def test_what_is_added_is_found_by_the_next_process(run: Run) -> None:
    id = run("add", "我不能吃辣").stdout.strip()
    found = run("search", "吃辣")
    assert "我不能吃辣" in found.stdout
    assert "1 found" in found.stderr
    (hit,) = parsed(run("search", "吃辣", "--json"))["hits"]
    assert [source["message"] for source in hit["sources"]] == [id]


def test_chat_remembers_across_processes_in_a_pipe(run: Run) -> None:
    run("chat", stdin="I can't eat spicy food.\n")
    answer = run("chat", stdin="What food should I avoid, is spicy food fine?\n").stdout
    assert "spicy food" in answer
    assert "model: " in answer
    assert "m.db" in answer


def test_chat_answers_in_chinese_under_the_c_locale(run: Run) -> None:
    run("chat", stdin="我女儿叫小雨\n")
    assert "小雨" in run("chat", stdin="我女儿叫什么名字？\n").stdout


def test_chat_talks_to_a_configured_model_and_shows_it_the_memory(run: Run) -> None:
    run("add", "My daughter is called Xiaoyu", "--said-at", "2026-05-01")
    with OpenAIServer([say("Xiaoyu, as you told me.")]) as server:
        done = run("chat", stdin="What is my daughter called?\n", PAGEFILE_MODEL=f"test-model@{server.url}")
        assert "Xiaoyu, as you told me." in done.stdout
        assert server.url in done.stdout
        assert any("Xiaoyu" in json.dumps(message, ensure_ascii=False) for message in server.requests[-1].body["messages"])


def test_a_model_that_cannot_be_reached_is_named_with_the_remedy(run: Run) -> None:
    done = run("chat", stdin="hi\n", code=1, PAGEFILE_MODEL="test-model@http://127.0.0.1:9/v1")
    assert "127.0.0.1:9" in done.stderr


def test_the_life_of_a_record(run: Run) -> None:
    id = run("remember", "works at Acme", "--tag", "job").stdout.strip()
    assert "works at Acme" in run("list").stdout
    assert "Beta Corp" in run("edit", id, "works at Beta Corp").stdout
    assert parsed(run("show", id, "--json"))["tags"] == ["job"]
    assert [entry["change"] for entry in parsed(run("history", id, "--json"))] == ["add", "edit"]
    run("forget", id)
    assert "Beta" not in run("list").stdout
    assert "Beta" in run("list", "--all").stdout
    assert parsed(run("erase", id, "--yes", "--json"))["records"] == 1
    run("show", id, code=2)


def test_users_are_apart(run: Run) -> None:
    run("add", "the word is xylophone", "--user", "alice")
    assert "xylophone" not in run("search", "xylophone", "--user", "bob").stdout
    assert "xylophone" in run("search", "xylophone", PAGEFILE_USER="alice").stdout


def test_importing_twice_adds_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("2024-05-01 Ann: I moved to Berlin\n小明：你好\n", encoding="utf-8")
    assert "2 messages stored" in run("import", str(file)).stdout
    again = run("import", str(file)).stdout
    assert "0 messages stored" in again
    assert "2 stood there already" in again
    (hit, *_) = parsed(run("search", "Berlin", "--json"))["hits"]
    assert (hit["speaker"], hit["time"]) == ("Ann", "2024-05-01T00:00:00+08:00")


def test_every_reading_command_speaks_json(run: Run) -> None:
    run("add", "你好", "--session", "s")
    assert parsed(run("search", "你好", "--json", "--explain"))["hits"][0]["why"]
    assert parsed(run("list", "--messages", "--json"))["total"] == 1
    assert parsed(run("list", "--sessions", "--json"))["items"][0]["session"] == "s"
    assert parsed(run("stats", "--json"))["messages"] == 1
    assert parsed(run("reindex", "--json"))["left"] == 0
    assert {finding["what"] for finding in parsed(run("doctor", "--json"))} >= {"data", "embedder", "model", "privacy"}


def test_chat_speaks_json_one_event_a_line(run: Run) -> None:
    lines = run("chat", "--json", stdin="hello\n").stdout.splitlines()
    assert [json.loads(line)["event"] for line in lines][-1] == "TurnFinished"


def test_doctor_says_what_leaves_the_machine(run: Run) -> None:
    assert "nothing leaves this machine" in run("doctor").stdout
    with OpenAIServer([say("ok"), say("ok")]) as server:
        assert server.url in run("doctor", PAGEFILE_MODEL=f"test-model@{server.url}").stdout


def test_erasing_needs_a_yes(run: Run) -> None:
    run("add", "keep me")
    run("erase", "--all", stdin="n\n", code=1)
    assert "keep me" in run("search", "keep").stdout
    run("erase", "--all", "--yes")
    assert "keep me" not in run("search", "keep").stdout


@pytest.mark.parametrize(
    "arguments",
    [("show", "nothing"), ("search", ""), ("search", "x", "--limit", "0"), ("search", "x", "--since", "when the moon was blue"),
     ("search", "x", "--kind", "dream"), ("erase",), ("import", "nowhere.txt"), ("add", ""), ("add", "x", "--role", "wizard")],
)  # fmt: skip
def test_unusable_input_is_told_in_a_line_and_by_the_exit_code(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, code=2)
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_a_store_that_cannot_be_opened_is_told_in_a_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no database, " * 1000)
    done = run("stats", code=1, PAGEFILE_DATA=str(tmp_path / "broken.db"))
    assert "broken.db" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_misspelt_setting_is_warned_about(run: Run) -> None:
    assert "did you mean PAGEFILE_USER" in run("stats", PAGEFILE_USR="x").stderr


def test_completion_for_the_shell_is_there(run: Run) -> None:
    assert "--install-completion" in run("--help").stdout


def test_an_import_with_refused_messages_stores_the_others_and_tells_by_its_exit_code(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "wizard", "content": "x"}\n{"role": "user", "content": "我喜欢茶"}\n', encoding="utf-8")
    done = run("import", str(file), code=2)
    assert "1 message stored in 1 session" in done.stdout
    assert "1 refused" in done.stdout
    assert "role" in done.stderr


@pytest.mark.parametrize("option", ["--data", "--user", "--session", "--model"])
def test_an_empty_option_never_means_the_default(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFILE_DATA", str(tmp_path / "m.db"))
    commands = {"--model": [["chat"]], "--session": [["list"], ["add", "x"]]}.get(option, [["add", "x"], ["stats"]])
    for command in [*commands, *([] if option == "--model" else [["erase", "--all", "--yes"]])]:
        for value in ("", " "):
            failure = CliRunner().invoke(app, [*command, option, value]).exception
            assert isinstance(failure, InputError)
            assert option in str(failure)
    assert not (tmp_path / "m.db").exists()


def shell(folder: Path, *lines: str) -> list[tuple[int, str]]:
    """The exit code of each line of shell and what it says on standard error; ``pagefile`` is the program. They run at once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_", "LC_", "LANG"))}
    env = kept | {
        "PAGEFILE_DATA": str(folder / "m.db"), "PAGEFILE_EMBEDDER": "hashing", "PAGEFILE_MODEL": "offline", "HOME": str(folder),
    }  # fmt: skip
    define = f'pagefile() {{ "{sys.executable}" -m pagefile "$@"; }}\n'
    programs = [
        subprocess.Popen(
            ["bash", "-c", define + line], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for line in lines
    ]  # fmt: skip
    said = [program.communicate(timeout=60)[1].decode() for program in programs]
    return [(program.returncode, text) for program, text in zip(programs, said, strict=True)]


needs_bash = pytest.mark.skipif(not (shutil.which("bash") and Path("/dev/full").exists()), reason="needs bash and /dev/full")


@needs_bash
def test_a_closed_or_full_pipe_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    run("add", "tea")
    full = shell(tmp_path, "pagefile stats >/dev/full", "pagefile search tea >/dev/full", "pagefile list --messages --json >/dev/full")
    assert [code for code, _ in full] == [1, 1, 1]
    assert all(text.splitlines()[-1].startswith("pagefile: writing the output: ") for _, text in full)
    closed = shell(tmp_path, "pagefile stats >&-", "pagefile add - <&-", "pagefile chat <&-", "pagefile erase --all <&-")
    assert [(code, len(text.splitlines()), "is closed" in text) for code, text in closed] == [(2, 1, True)] * 4
    assert "Traceback" not in str(full)
    assert parsed(run("stats", "--json"))["messages"] == 1


@needs_bash
def test_input_that_is_not_utf8_is_refused_with_the_remedy(tmp_path: Path) -> None:
    gbk = "".join(f"\\x{byte:02x}" for byte in "我喜欢茶".encode("gbk"))
    refused = shell(tmp_path, f"printf '{gbk}' | pagefile add -", f"printf '{gbk}' | pagefile chat", f"pagefile add $'{gbk}'")
    for code, text in refused:
        assert code == 2
        assert "iconv" in text.splitlines()[-1]
        assert "Traceback" not in text
    ((_, text),) = shell(tmp_path, "pagefile list --messages")
    assert "0 of 0" in text
