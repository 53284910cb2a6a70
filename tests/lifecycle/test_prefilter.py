"""What passes sentences over because they lack something never passes one over for which a rule claims something."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import pagefile.lifecycle
from pagefile.language.patterns import LatePattern, RarePattern, may_begin, may_find
from pagefile.lifecycle.rules import chinese
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import Rule

#: Tables of Chinese rules that are looked for by the first letter.
TABLES = {name: value for name, value in vars(chinese).items() if isinstance(value, tuple) and value and isinstance(value[0], tuple)}


@cache
def examples() -> tuple[str, ...]:
    """Every sentence that the tests of the rules and of the screen read."""
    texts: dict[str, None] = {}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts |= dict.fromkeys(line for line in node.value.splitlines() if 3 < len(line) < 400)
    return tuple(texts)


def rare_patterns() -> Iterator[tuple[str, RarePattern]]:
    for found in pkgutil.walk_packages(pagefile.lifecycle.__path__, f"{pagefile.lifecycle.__name__}."):
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, RarePattern):
                yield f"{found.name.removeprefix('pagefile.lifecycle.')}.{name}", value


def test_there_are_examples_in_both_languages_and_patterns_to_pass_over() -> None:
    assert sum(text.isascii() for text in examples()) > 1_000
    assert sum(not text.isascii() for text in examples()) > 1_000
    assert sum(pattern.needs.any_of is not None for _, pattern in rare_patterns()) > 15
    assert len(TABLES) > 5


@pytest.mark.parametrize(("name", "pattern"), [pytest.param(*each, id=each[0]) for each in rare_patterns()])
def test_a_text_in_which_a_pattern_finds_something_is_not_passed_over(name: str, pattern: RarePattern) -> None:
    compiled = re.compile(pattern.pattern, pattern.flags)
    missed = [text for text in examples() if not pattern.possible(text) and compiled.search(text)]
    assert missed == []


@pytest.mark.parametrize("table", TABLES)
def test_a_rule_that_matches_somewhere_may_begin_there(table: str) -> None:
    rules: tuple[Rule, ...] = TABLES[table]
    texts = [fold(text) for text in examples() if not text.isascii() and len(text) < 30][:: 1 + len(rules) // 40]
    for pattern, _ in rules:
        late: object = pattern
        assert isinstance(late, LatePattern)
        passed = {letter for letter in set("".join(texts)) if not may_begin(pattern, letter)}
        compiled = re.compile(pattern.pattern, pattern.flags)
        for text in texts:
            wrong = [text[at:] for at, letter in enumerate(text) if letter in passed and compiled.match(text, at)]
            assert wrong == [], pattern.pattern


def test_nothing_is_known_of_patterns_that_are_not_rare() -> None:
    assert may_find(re.compile("a"), "b")
