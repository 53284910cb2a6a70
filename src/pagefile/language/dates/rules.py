"""The form of a rule: a pattern, and a small function from what matched to a meaning. Each language is a table of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from pagefile.language.dates.spans import Now, Recurring, Span
from pagefile.language.patterns import rare_pattern


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the span it stands beside: "early", "end of", 上旬, 底."""

    of: Callable[[Span, Now], Span]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """It speaks of a time, but nobody can tell which from these words: the whole expression is an UnknownTime."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """It names no single time ("every", 每): the whole expression is left out."""


Meaning: TypeAlias = Span | Recurring | Part | Unreadable | Repeated
#: From what matched to what it means. None: no time after all.
Reader: TypeAlias = "Callable[[re.Match[str], Now], Meaning | None]"
#: How far back a support may reach.
SUPPORT_REACH = 24
UNREADABLE, REPEATED = Unreadable(), Repeated()


@dataclass(frozen=True)
class Rule:
    """How one kind of expression looks and what it means.

    ``read`` may return None: no time after all. ``support``: words that could mean something else ("May", "Sat", "2019")
    count only beside another part of a date, or after this pattern; an empty pattern is never met.
    """

    look: str
    read: Reader
    support: str | None = None

    # Made when first used: a hundred patterns would make up half of the time that importing the package takes.
    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return rare_pattern(self.look, re.IGNORECASE)

    @cached_property
    def support_pattern(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self.support})$", re.IGNORECASE)

    def is_firm(self, match: re.Match[str]) -> bool:
        """Whether the match counts by itself."""
        if self.support is None:
            return True
        before = match.string[max(0, match.start() - SUPPORT_REACH) : match.start()]
        return bool(self.support and self.support_pattern.search(before))


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing found in a text."""

    start: int
    end: int
    meaning: Meaning
    #: It counts by itself, without other parts of a date beside it.
    firm: bool


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) + ")"


def scan(text: str, rules: Iterable[Rule], now: Now) -> list[Atom]:
    """Everything the rules find, overlaps included."""
    return [atom for each in rules for match in each.pattern.finditer(text) if (atom := _atom(each, match, now)) is not None]


def _atom(each: Rule, match: re.Match[str], now: Now) -> Atom | None:
    try:
        meaning = each.read(match, now)
    except (ValueError, OverflowError):
        # It has the form of a time, but there is none such: 30 February, ten thousand years ago.
        meaning = UNREADABLE
    if meaning is None:
        return None
    return Atom(match.start(), match.end(), meaning, each.is_firm(match))


def longest(atoms: list[Atom]) -> list[Atom]:
    """Of overlapping atoms, keep the longest; of equally long ones, the first rule's."""
    kept: list[Atom] = []
    cluster: list[Atom] = []
    end = 0
    for atom in sorted(atoms, key=lambda atom: atom.start):
        if cluster and atom.start >= end:
            kept += _longest_of_cluster(cluster)
            cluster = []
        cluster.append(atom)
        end = max(end, atom.end)
    return kept + _longest_of_cluster(cluster)


def _longest_of_cluster(cluster: list[Atom]) -> list[Atom]:
    kept: list[Atom] = []
    for atom in sorted(cluster, key=lambda atom: atom.start - atom.end):
        if all(atom.end <= other.start or other.end <= atom.start for other in kept):
            kept.append(atom)
    return sorted(kept, key=lambda atom: atom.start)
