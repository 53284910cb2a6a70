"""Who and what is known, from a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pagefile.cli import app
from pagefile.errors import ConflictError, NotFound
from pagefile.sync import Memory

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``pagefile`` on a file that has some facts."""
    file = tmp_path / "m.db"
    settings = {"PAGEFILE_DATA": str(file), "PAGEFILE_EMBEDDER": "none", "PAGEFILE_USER": "me", "XDG_CONFIG_HOME": str(tmp_path)}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with Memory.open(file, embedder="none") as memory:
        mine = memory.scope("me")
        for fact in ("Tom's sister is Anna", "Anna works at Siemens", "小李的老板是王强", "王强住在深圳"):
            mine.remember(fact)
        mine.correct("Anna works at Bosch")

    def run(*arguments: str) -> Result:
        done = CliRunner().invoke(app, arguments)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return run


def parsed(done: Result) -> Any:
    return json.loads(done.stdout)


def test_a_name_shows_facts_time_line_and_neighbours(run: Run) -> None:
    lines = run("show", "anna", "--hops", "2").stdout.splitlines()
    assert lines[0] == "Anna"
    assert {"facts", "no longer so", "time line", "neighbours"} <= set(lines)
    assert any(line.startswith("Tom\t1\t") for line in lines)
    told = parsed(run("show", "王强", "--json"))
    assert told["entity"]["name"] == "王强"
    assert [fact["text"] for fact in told["current"]] == ["王强住在深圳", "小李的老板是王强"]
    assert {one["name"] for one in told["neighbours"]} == {"小李", "深圳"}
    assert len(told["timeline"]) == 2


def test_an_id_shows_the_item_and_what_is_neither_is_told_as_before(run: Run) -> None:
    (fact, *_) = parsed(run("list", "--json"))["items"]
    assert parsed(run("show", fact["id"], "--json"))["text"] == fact["text"]
    with pytest.raises(NotFound, match="no record or message 'nobody'"):
        run("show", "nobody")


def test_entities_are_listed(run: Run) -> None:
    assert [line.split("\t")[:2] for line in run("entities", "--limit", "2").stdout.splitlines()] == [["Anna", "3"], ["王强", "2"]]
    assert [one["name"] for one in parsed(run("entities", "小", "--json"))["items"]] == ["小李"]


def test_names_are_merged_split_and_the_change_is_taken_back(run: Run) -> None:
    assert run("merge", "Annie", "Anna").stdout.strip() == "Annie is Anna"
    assert run("show", "Annie").stdout.splitlines()[:2] == ["Anna", "  also: Annie"]
    with pytest.raises(ConflictError):
        run("merge", "Anna", "anna")
    made = parsed(run("split", "annie", "--json"))
    assert made["change"] == "split"
    assert "Annie = Anna" in run("changes", "--limit", "1").stdout
    run("undo", made["id"])
    assert run("split", "Annie").stdout.strip() == "Annie is no longer Anna"
