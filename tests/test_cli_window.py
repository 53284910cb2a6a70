"""`pagefile window`: what the model sees, in figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagefile.cli import app


@pytest.fixture
def window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    for name, value in {"DATA": str(tmp_path / "m.db"), "EMBEDDER": "none", "MODEL": "offline", "TIMEZONE": "UTC"}.items():
        monkeypatch.setenv(f"PAGEFILE_{name}", value)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return CliRunner()


def test_it_shows_each_part_of_the_session_in_which_something_was_said_last(window: CliRunner) -> None:
    for session, text in (("old", "Good morning."), ("new", "I can't eat spicy food.")):
        assert window.invoke(app, ["add", text, "--session", session]).exit_code == 0
    shown = window.invoke(app, ["window"])
    assert shown.exit_code == 0
    assert [line.split()[0] for line in shown.stdout.splitlines() if line[:1].isalpha()][:8] == [
        *("instructions", "tools", "blocks", "summary", "recent", "recalled", "user", "reply")
    ]
    assert "session new" in shown.output


def test_it_shows_programs_what_a_message_would_bring(window: CliRunner) -> None:
    window.invoke(app, ["add", "I can't eat spicy food.", "--session", "old"])
    window.invoke(app, ["add", "Good morning.", "--session", "new"])
    shown = json.loads(window.invoke(app, ["window", "Is spicy food fine?", "--session", "new", "--json"]).stdout)
    assert shown["hits"][0]["text"] == "I can't eat spicy food."
    assert sum(part["used"] for part in shown["parts"] if part["name"] != "reply") == shown["used"] < shown["limit"]


def test_with_nothing_said_there_are_only_the_fixed_parts(window: CliRunner) -> None:
    shown = json.loads(window.invoke(app, ["window", "--json"]).stdout)
    assert {part["name"] for part in shown["parts"] if part["used"] == 0} >= {"summary", "recent", "recalled"}
