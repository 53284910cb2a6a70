"""Regular expressions that are made when they are first needed, and passed over where a text has nothing of what they look for.

There are hundreds of them: to compile all would make up most of the time that an import takes, and to try all most of the time in which a
message is read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, cast

from pagefile.language.literals import ODD_LETTERS, Needs, beginnings, needs

#: What patterns are asked for, each with what it gives where nothing is found, made of the text.
_USED: dict[str, Callable[[str], Any]] = {
    "search": lambda text: None,
    "match": lambda text: None,
    "fullmatch": lambda text: None,
    "finditer": lambda text: iter(()),
    "findall": lambda text: [],
    "split": lambda text: [text],
    "sub": lambda text: text,
    "subn": lambda text: (text, 0),
}


class LatePattern:
    """Stands in for a compiled pattern."""

    def __init__(self, look: str, flags: int) -> None:
        self.pattern, self.flags = look, flags

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there yet: from the first use on these are attributes.
        compiled = re.compile(self.pattern, self.flags)
        self.__dict__.update({each: getattr(compiled, each) for each in _USED})
        return getattr(compiled, name)


class RarePattern(LatePattern):
    """Stands in for a compiled pattern of which most texts have nothing."""

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there yet.
        if name == "needs":
            self.needs = needs(self.pattern, self.flags)
            return self.needs
        if name not in _USED or self.needs.any_of is None:
            return getattr(late_pattern(self.pattern, self.flags), name)
        return self.__dict__.setdefault(name, self._behind(name, self.needs))

    def possible(self, text: str) -> bool:
        """False if the pattern cannot match anywhere in the text."""
        needed: Needs = self.needs
        return needed.any_of is None or (_may_have_small if needed.folded else _may_have)(text, needed.any_of)

    def _behind(self, name: str, needed: Needs) -> Callable[..., Any]:
        """The method of the pattern, behind a look for what a text must have."""
        pattern, nothing = late_pattern(self.pattern, self.flags), _USED[name]
        any_of, may_have = needed.any_of or (), _may_have_small if needed.folded else _may_have
        if name in ("sub", "subn"):

            def replace(new: Any, string: str, count: int = 0) -> Any:
                return getattr(pattern, name)(new, string, count) if may_have(string, any_of) else nothing(string)

            return replace

        def look(string: str, *place: int) -> Any:
            return getattr(pattern, name)(string, *place) if may_have(string, any_of) else nothing(string)

        return look


def _may_have(text: str, any_of: tuple[str, ...]) -> bool:
    for one in any_of:  # noqa: SIM110  # a generator would take as long as the search that this is to save
        if one in text:
            return True
    return False


def _may_have_small(text: str, any_of: tuple[str, ...]) -> bool:
    small = text.lower()
    for one in any_of:
        if one in small:
            return True
    return not text.isascii() and any(one in text for one in ODD_LETTERS)


@functools.cache
def late_pattern(look: str, flags: int = 0) -> re.Pattern[str]:
    """The same as ``re.compile``, but a mistake in it shows when it is first used. The same look gives the same pattern."""
    return cast("re.Pattern[str]", LatePattern(look, flags))


@functools.cache
def rare_pattern(look: str, flags: int = 0) -> re.Pattern[str]:
    """The same as ``late_pattern``, for one that is slow and seldom finds anything: a text is first seen to have any of the strings without
    which the pattern cannot match. They are told from the pattern itself. It gains nothing where most texts have one of them."""
    return cast("re.Pattern[str]", RarePattern(look, flags))


def may_find(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text has any of what a pattern needs: False only if it cannot match anywhere in it."""
    late: object = pattern
    return not isinstance(late, RarePattern) or late.possible(text)


def may_begin(pattern: re.Pattern[str], letter: str) -> bool:
    """Whether the pattern can match at a place where this letter stands; "" at the end of a text. Told from the pattern, without compiling
    it."""
    first = _beginnings(pattern.pattern, pattern.flags)
    return first is None or letter in first or letter.lower() in first or letter in ODD_LETTERS


@functools.cache
def _beginnings(look: str, flags: int) -> frozenset[str] | None:
    return beginnings(look, flags)
