from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation import precision
from evaluation.__main__ import app
from evaluation.conversations import DataError
from evaluation.precision import Case, Outcome, World, read_worlds

WORLDS = read_worlds()


def outcome(*found: set[str], must: set[str], may: set[str] | None = None, first: str | None = None, half: str = "development") -> Outcome:
    case = Case(ask="Who?", kind="person", must=frozenset(must), may=frozenset(may or ()), first=first)
    world = World(name="w", language="english", half=half, lines=(), cases=(case,))
    return Outcome(world=world, case=case, found=tuple(map(frozenset, found)), scores=(0.5,) * len(found))


def test_both_languages_and_both_halves_are_asked_alike() -> None:
    asked = Counter((world.language, world.half) for world in WORLDS for _ in world.cases)
    assert sum(asked.values()) >= 120
    for language in ("english", "chinese"):
        assert asked[language, "development"] >= 30 and asked[language, "held out"] >= 30
    assert sum(one.kind in ("history", "as of", "when", "since", "how often", "order", "current") for w in WORLDS for one in w.cases) >= 30


def test_the_halves_share_no_question() -> None:
    asked = {half: {case.ask for world in WORLDS if world.half == half for case in world.cases} for half in ("development", "held out")}
    shared = asked["development"] & asked["held out"]
    # Of other people in other places.
    assert shared <= {"Where do I live?", "Where did I live in 2024?"}


@pytest.mark.parametrize(
    ("one", "exact"),
    [
        (outcome({"a"}, must={"a"}), True),
        (outcome({"a"}, {"b"}, must={"a"}), False),
        (outcome({"a"}, {"b"}, must={"a"}, may={"b"}), True),
        (outcome({"b"}, {"a"}, must={"a"}, may={"b"}, first="a"), False),
        (outcome({"a"}, must={"a", "b"}), False),
        (outcome(must={"a"}), False),
        (outcome({"a", "x"}, must={"a"}), True),
    ],
)
def test_an_answer_is_exact_if_all_came_that_must_and_nothing_else_but_what_may(one: Outcome, exact: bool) -> None:
    assert one.exact is exact


def test_failures_of_the_held_out_half_are_not_shown() -> None:
    missed = [outcome(must={"a"}, half=half) for half in ("development", "held out")]
    assert len(precision.failures(missed)) == 1
    assert all("found" not in line for line in precision.as_json(missed))


def test_a_case_that_names_no_line_of_its_world_is_refused(tmp_path: Path) -> None:
    rows = [{"world": "w"}, {"key": "a", "say": "Hello.", "at": "2026-01-01"}, {"ask": "Who?", "kind": "near", "must": ["b"]}]
    (tmp_path / "english_development.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(DataError, match="names b"):
        read_worlds(tmp_path)


@pytest.mark.parametrize("name", ["family", "家人", "changes", "变化"])
def test_only_what_belongs_comes_back_by_words_alone(name: str) -> None:
    worlds = [world for world in WORLDS if world.name == name and world.half == "development"]
    outcomes = asyncio.run(precision.run(worlds, embedder="none"))
    assert sum(one.exact for one in outcomes) >= 0.9 * len(outcomes), precision.failures(outcomes)


def test_the_command_prints_a_table_for_each_embedder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = [world for world in WORLDS if world.name == "两种语言"]
    monkeypatch.setattr(precision, "read_worlds", lambda: few)
    result = CliRunner().invoke(app, ["precision", "--embedder", "none", "--json", str(tmp_path / "out.json")])
    assert result.exit_code == 0 and "embedder none" in result.output
    assert len(json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["none"]) == len(few[0].cases)
    assert CliRunner().invoke(app, ["precision", "--half", "third"]).exit_code != 0
