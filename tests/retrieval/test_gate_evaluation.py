"""The set the gate is measured on, and what it must reach there: a missed memory costs the user, a search some milliseconds."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from evaluation.__main__ import app
from evaluation.gate import HALVES, LANGUAGES, Decided, Half, decide_all, errors, precision_and_recall, read_lines


@pytest.fixture(scope="module")
def decided() -> list[Decided]:
    return decide_all(read_lines())


def test_both_languages_have_as_many_lines_and_no_line_comes_twice() -> None:
    lines = read_lines()
    count = {language: sum(line.language == language for line in lines) for language in LANGUAGES}
    assert min(count["en"], count["zh"]) >= 400 and abs(count["en"] - count["zh"]) < 20 and count["mixed"] >= 20
    assert len(set(lines)) == len(lines)


def test_the_half_of_a_line_follows_from_its_text_alone() -> None:
    halves: dict[str, set[Half]] = {}
    for line in read_lines():
        halves.setdefault(line.text, set()).add(line.half)
    assert all(len(half) == 1 for half in halves.values())
    assert set.union(*halves.values()) == set(HALVES)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nearly_every_needed_search_is_made_and_few_are_made_in_vain(decided: list[Decided], language: str, half: Half) -> None:
    ours = [one for one in decided if (one.line.language, one.line.half) == (language, half)]
    precision, recall = precision_and_recall(ours, search=True)
    assert recall >= 0.98
    assert precision >= 0.85


def test_errors_of_the_held_out_half_are_not_shown(decided: list[Decided]) -> None:
    wrong = [Decided(line=one.line, gate=one.gate, microseconds=0) for one in decided if one.line.half == "held-out" and not one.right]
    assert wrong and errors(wrong) == []


def test_the_command_prints_both_tables() -> None:
    result = CliRunner().invoke(app, ["gate", "--verbose"])
    assert result.exit_code == 0
    assert "is recall needed?" in result.output and "by kind, development" in result.output
