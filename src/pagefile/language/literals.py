"""What a text must have for a regular expression to match in it, told from the expression itself, so that it cannot drift from it. Pure.

Most sentences have nothing of what most patterns look for. To see that a text lacks some words takes a fraction of the time in which a
pattern tries every place of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# The parser behind ``re.compile``: it alone knows for certain how a pattern is read.
from re import _constants as ops  # type: ignore[attr-defined]  # not in the type stubs
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

#: Some of these strings.
Strings: TypeAlias = frozenset[str]

#: Longer lists of strings are cut short: at some point looking for all of them takes longer than the pattern.
_MOST = 64
#: Of more than so many, it is enough to look for how they begin: for so many letters, or a fourth of it where letters are words.
_MANY, _BEGINNING = 20, 8
#: Of a class of characters, only so many are told one by one.
_MOST_OF_CLASS = 24
_EMPTY: Strings = frozenset({""})
_REPEATS = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT})
_ZERO_WIDTH = frozenset({ops.AT, ops.ASSERT, ops.ASSERT_NOT})
#: Letters that re.IGNORECASE takes for an ASCII one, and str.lower() does not make one.
ODD_LETTERS = "\u0130\u0131\u017f\u212a"
_TURNS_ON_FOLDING = re.compile(r"\(\?[a-z]*i[a-z]*[-:)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a text must have for a pattern to match anywhere in it."""

    #: At least one of these; None: nothing is known.
    any_of: tuple[str, ...] | None
    #: The strings are in small letters: so must the text be made before they are looked for.
    folded: bool


def needs(look: str, flags: int = 0) -> Needs:
    """What the pattern ``look`` needs. Raises re.error if it is none."""
    tree = parser.parse(look, int(flags))
    folded = bool(tree.state.flags & re.IGNORECASE) or _TURNS_ON_FOLDING.search(look) is not None
    whole = _Reading(folded).sequence(tree)
    return Needs(
        any_of=None if whole.held is None else tuple(sorted(_shortest(whole.held), key=lambda one: (-_chance(one), one))),
        folded=folded,
    )


def beginnings(look: str, flags: int = 0) -> Strings | None:
    """The characters of which one is the first of each match of a pattern, small where case may not count; None: it may be any, or a match
    may be empty. Raises re.error if it is no pattern."""
    tree = parser.parse(look, int(flags))
    folded = bool(tree.state.flags & re.IGNORECASE) or _TURNS_ON_FOLDING.search(look) is not None
    first, may_be_empty = _first_of(_Reading(folded), tree)
    return None if may_be_empty else first


def _first_of(reading: _Reading, tree: Any) -> tuple[Strings | None, bool]:
    """What a match of these parts may begin with, None for any; and whether it may be empty."""
    found: Strings = frozenset()
    for op, argument in tree:
        first, may_be_empty = _first_of_part(reading, op, argument)
        if first is None:
            return None, False
        found |= first
        if not may_be_empty:
            return found, False
    return found, True


def _first_of_part(reading: _Reading, op: Any, argument: Any) -> tuple[Strings | None, bool]:
    if op in _ZERO_WIDTH:
        return frozenset(), True
    if op is ops.LITERAL:
        return reading.word(chr(argument)).exact, False
    if op is ops.IN:
        return reading.class_of(argument).exact, False
    if op is ops.SUBPATTERN:
        return _first_of(reading, argument[3])
    if op in _REPEATS:
        first, may_be_empty = _first_of(reading, argument[2])
        return first, may_be_empty or not argument[0]
    if op is ops.BRANCH:
        each = [_first_of(reading, branch) for branch in argument[1]]
        return _union([first for first, _ in each]), any(may_be_empty for _, may_be_empty in each)
    return None, False


def _chance(one: str) -> float:
    """How likely a text has this string, roughly."""
    if not one.isascii():
        return (0.3 if one in "的了是我不在有一他个人这上来到时大" else 0.06) if len(one) == 1 else 0.006
    return (0.95, 0.8 if one.isalpha() or one in " ,.'" else 0.15, 0.4, 0.12, 0.04)[len(one)] if len(one) < 5 else 0.015


def _score(any_of: Iterable[str]) -> float:
    return sum(_chance(one) + 0.003 for one in any_of)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of a part of a pattern."""

    #: All strings that it can match; None: too many.
    exact: Strings | None
    #: Strings of which each match holds one; None: nothing is known.
    held: Strings | None


_ANYTHING = _Part(None, None)


class _Reading:
    """Reads the tree of a pattern. ``folded``: the case of letters may not count in it."""

    def __init__(self, folded: bool) -> None:
        self._folded = folded

    def sequence(self, tree: Any) -> _Part:
        """Parts that follow each other."""
        whole: Strings | None = _EMPTY
        run, held = _EMPTY, list[Strings]()
        for part in self._parts(tree):
            whole = None if whole is None or part.exact is None else _joined(whole, part.exact)
            longer = None if part.exact is None else _joined(run, part.exact)
            if longer is None:
                held += (run, part.held or _EMPTY)
                longer = part.exact or _EMPTY
            run = longer
        usable = [each for each in (*held, run) if "" not in each]
        return _Part(whole, min(usable, key=_score) if usable else None)

    def _parts(self, tree: Any) -> Iterator[_Part]:
        word: list[str] = []
        for op, argument in tree:
            if op is ops.LITERAL:
                word.append(chr(argument))
                continue
            if word:
                yield self.word("".join(word))
                word.clear()
            if op not in _ZERO_WIDTH:
                yield self._part(op, argument)
        if word:
            yield self.word("".join(word))

    def _part(self, op: Any, argument: Any) -> _Part:
        if op is ops.IN:
            return self.class_of(argument)
        if op is ops.SUBPATTERN:
            return self.sequence(argument[3])
        if op is ops.ATOMIC_GROUP:
            return self.sequence(argument)
        if op is ops.BRANCH:
            return _one_of([self.sequence(branch) for branch in argument[1]])
        if op in _REPEATS:
            least, most, repeated = argument
            part = self.sequence(repeated)
            if least == most == 1:
                return part
            exact = part.exact | _EMPTY if most == 1 and part.exact is not None else None
            return _Part(exact, part.held if least else None)
        return _ANYTHING

    def word(self, word: str) -> _Part:
        """Letters that follow each other."""
        if self._folded and not (word := word.lower()).isascii() and not all(map(_has_no_case, word)):
            return _ANYTHING
        found = frozenset({word})
        return _Part(found, found)

    def class_of(self, members: Any) -> _Part:
        """One character of a class."""
        letters: set[str] = set()
        for op, argument in members:
            if op is ops.LITERAL:
                letters.add(chr(argument))
            elif op is ops.RANGE and argument[1] - argument[0] < _MOST_OF_CLASS:
                letters.update(map(chr, range(argument[0], argument[1] + 1)))
            else:
                return _ANYTHING
        if len(letters) > _MOST_OF_CLASS or (self._folded and not all(map(_has_no_case, letters))):
            return _ANYTHING
        found = frozenset(letter.lower() for letter in letters) if self._folded else frozenset(letters)
        return _Part(found, found)


def _has_no_case(letter: str) -> bool:
    """Whether the letter is the same whatever the flags; that is known of those of ASCII, too, when they are small."""
    return letter.isascii() or letter.lower() == letter.upper() == letter.casefold()


def _one_of(parts: Sequence[_Part]) -> _Part:
    exact = _union([part.exact for part in parts])
    return _Part(exact if exact is None or len(exact) <= _MOST else None, _union([part.held for part in parts]))


def _union(sets: Sequence[Strings | None]) -> Strings | None:
    known = [each for each in sets if each is not None]
    return frozenset().union(*known) if len(known) == len(sets) else None


def _joined(first: Strings, second: Strings) -> Strings | None:
    """Each of the first with each of the second behind it; None: they are too many."""
    if first is _EMPTY:
        return second
    if len(first) * len(second) > _MOST:
        return None
    return frozenset(one + other for one in first for other in second)


def _shortest(strings: Strings) -> list[str]:
    """Those that hold none of the others: whoever looks for "report" need not look for "the report". Of many, only how they begin."""
    if len(strings) > _MANY:
        strings = frozenset(one[: _BEGINNING if one.isascii() else _BEGINNING // 4] for one in strings)
    kept: list[str] = []
    for one in sorted(strings, key=len):
        if not any(other in one for other in kept):
            kept.append(one)
    return kept
