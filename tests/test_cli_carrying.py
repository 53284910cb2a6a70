"""The command line carries conversations, tells what models cost, and answers offline from what was just said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pagefile import Memory
from pagefile.cli import app
from pagefile.errors import ConflictError, InputError
from pagefile.models.scripted import ScriptedModel

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, value in {"DATA": str(tmp_path / "m.db"), "EMBEDDER": "none", "MODEL": "offline", "TIMEZONE": "UTC"}.items():
        monkeypatch.setenv(f"PAGEFILE_{name}", value)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str | None = None) -> Result:
        done = CliRunner().invoke(app, arguments, input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return run


# --- sessions ----------------------------------------------------------------------------------------------------------


def test_a_conversation_is_carried_from_one_file_to_another(run: Run) -> None:
    run("add", "I live in Beijing.", "我女儿叫小雨。", "--session", "trip")
    assert "2 messages of session 'trip' saved to trip.json" in run("save-session", "trip", "trip.json").stderr
    loaded = run("load-session", "trip.json", "--data", "other.db")
    assert "2 messages stored in session 'trip', 0 stood there already" in loaded.stdout
    assert "2 facts learnt" in loaded.stderr
    assert "0 messages stored in session 'trip', 2 stood there already" in run("load-session", "trip.json", "--data", "other.db").stdout
    assert "小雨" in run("search", "我女儿叫什么", "--data", "other.db").stdout


def test_it_goes_through_a_pipe_under_another_name_and_for_programs(run: Run) -> None:
    run("add", "I live in Beijing.", "--session", "trip")
    run("chat", "--session", "trip", stdin="Hello.\n")
    saved = run("save-session", "trip", "--blocks").stdout
    assert len(json.loads(saved)["blocks"]) == 2
    loaded = run("load-session", "-", "--user", "bob", "--session", "copy", "--json", stdin=saved)
    assert json.loads(loaded.stdout)["stored"] == 3
    with pytest.raises(ConflictError):
        run("load-session", "-", "--session", "copy", stdin=saved)
    with pytest.raises(InputError, match="standard input is no JSON"):
        run("load-session", "-", stdin="{")


# --- what is told ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I have a cat called Miso.", "1 fact learnt, see `pagefile list`"),
        ("I have a cat called Miso. 我女儿叫小雨。", "2 facts learnt"),
    ],
)
def test_what_was_learnt_is_counted(run: Run, said: str, told: str) -> None:
    assert told in run("add", said).stderr


def test_what_waits_to_be_confirmed_is_not_called_learnt(run: Run) -> None:
    told = run("add", "I have a cat called Miso.", "--origin", "file").stderr
    assert "1 to be confirmed, see `pagefile list --pending`" in told
    assert "learnt" not in told
    told = run("add", "I think I'm allergic to nuts. My name is Anna.").stderr
    assert "1 fact learnt, see `pagefile list`; 1 to be confirmed" in told


def test_one_message_and_several_are_told_in_their_form(run: Run) -> None:
    Path("talk.txt").write_text("me: Hello there.\n", encoding="utf-8")
    assert run("import", "talk.txt").stdout.startswith("1 message stored in 1 session, 0 stood there already")


def test_consent_is_told_alike_for_python_and_the_command_line(run: Run) -> None:
    for command in ("add", "import", "remember", "correct"):
        assert 'consent="explicit"' in " ".join(run(command, "--help").stdout.replace("│", " ").split())


# --- offline -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("I live in Beijing.\nwhere do I live?\n", "I live in Beijing"),
        ("I live in Beijing.\nI moved to Shenzhen last week.\nwhere do I live?\n", "Shenzhen"),
        ("我住在北京。\n我住在哪里？\n", "我住在北京"),
    ],
)
def test_what_was_just_said_answers_a_question_offline(run: Run, lines: str, expected: str) -> None:
    said = run("chat", stdin=lines).stdout
    assert expected in said.strip().splitlines()[-1]
    assert "where do I live" not in said


def test_a_question_is_never_quoted_as_its_own_answer(run: Run) -> None:
    said = run("chat", stdin="Where do I keep my green umbrella?\nWhere do I keep my green umbrella?\n").stdout
    assert "umbrella" not in said


def test_rules_can_be_named_for_a_chat(run: Run) -> None:
    Path("RULES.md").write_text("- Be brief.", encoding="utf-8")
    run("chat", "--rules", "RULES.md", stdin="I live in Beijing.\n")
    assert any("rules" in line["parameters"] for line in json.loads(run("log", "--json").stdout)["items"])
    assert "cannot be read" in run("chat", "--rules", "missing.md", stdin="Hello?\n").stderr


# --- costs -------------------------------------------------------------------------------------------------------------


def test_stats_sum_costs_by_day_and_user_with_prices(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory.open("m.db", embedder="none", model=ScriptedModel(["Hm."] * 2)) as memory:
        for user in ("me", "bob"):
            memory.scope(user).chat().turn("Where is my dog Rex?")
    costs = json.loads(run("stats", "--json").stdout)
    assert [(one["user"], one["for"], one["calls"]) for one in costs["costs"]] == [("me", "chat", 1), ("bob", "chat", 1)]
    assert costs["total"]["calls"] == 2
    assert "cost" not in costs["total"]
    for name, value in {"PRICE_INPUT": "1000", "PRICE_OUTPUT": "2000", "CURRENCY": "€"}.items():
        monkeypatch.setenv(f"PAGEFILE_{name}", value)
    total = json.loads(run("stats", "--json", "--user", "me").stdout)["total"]
    assert total["calls"] == 1
    assert total["cost"] == pytest.approx((total["input_tokens"] * 1_000 + total["output_tokens"] * 2_000) / 1_000_000)
    assert run("stats").stdout.splitlines()[-1].split("\t")[-1].startswith("€")
    assert json.loads(run("stats", "--json", "--since", "2200-01-01").stdout)["costs"] == []
