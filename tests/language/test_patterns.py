"""Patterns that are compiled when they are first used are as good as others."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType

import pytest

import pagefile.language
import pagefile.lifecycle
from pagefile.language.patterns import LatePattern, late_pattern, rare_pattern


def modules() -> Iterator[ModuleType]:
    for package in (pagefile.language, pagefile.lifecycle):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def patterns(value: object) -> Iterator[LatePattern]:
    if isinstance(value, LatePattern):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from patterns(each)
    elif isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from patterns(each)


def test_every_one_of_them_can_be_compiled() -> None:
    found = [(module.__name__, pattern) for module in modules() for value in vars(module).values() for pattern in patterns(value)]
    assert len(found) > 500
    for name, pattern in found:
        assert re.compile(pattern.pattern, pattern.flags), name


@pytest.mark.parametrize("make", [late_pattern, rare_pattern])
@pytest.mark.parametrize("method", ["search", "match", "fullmatch"])
def test_it_does_what_a_compiled_one_does(method: str, make: Callable[[str, int], re.Pattern[str]]) -> None:
    late, compiled = make("(a+)B", re.IGNORECASE), re.compile("(a+)B", re.IGNORECASE)
    for text in ("aab", "xab", "abx", "b"):
        for _ in range(2):
            mine, theirs = getattr(late, method)(text), getattr(compiled, method)(text)
            assert (mine and mine.groups()) == (theirs and theirs.groups())
    assert late.sub("-", "xAbx") == compiled.sub("-", "xAbx")
    assert [match.span() for match in late.finditer("ab aab")] == [(0, 2), (3, 6)]
    assert (late.groups, late.groupindex) == (compiled.groups, compiled.groupindex)


@pytest.mark.parametrize("make", [late_pattern, rare_pattern])
def test_a_mistake_in_it_is_told_when_it_is_used(make: Callable[[str], re.Pattern[str]]) -> None:
    broken = make("(")
    with pytest.raises(re.error):
        broken.search("x")
