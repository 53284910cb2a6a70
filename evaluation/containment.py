"""How much of a known answer stands in what was found: no model has to be asked for it."""

from __future__ import annotations

from collections.abc import Set

from pagefile.language.words import terms

#: An answer is contained when at least this share of its words is there.
CONTAINED = 0.99


def words_of(text: str) -> frozenset[str]:
    """The different words of a text, stemmed. Of Chinese its characters and pairs too."""
    return frozenset(terms(text))


def share(answer: Set[str], found: Set[str]) -> float:
    """Share of the words of an answer, which has at least one, that were found, 0..1."""
    return len(answer & found) / len(answer)
