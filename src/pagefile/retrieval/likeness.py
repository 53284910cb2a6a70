"""How alike two questions are: whether what was found for one can be used for the other. Cheap: no vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import sqrt

from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold
from pagefile.language.words import query_terms

#: From here on two questions are the same question.
ALIKE = 0.9

_MARKS = late_pattern(r"[\W_]+")
#: Small words that make another question of the same words: who asks, of whom, for what, and no.
_TELLING = late_pattern(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|my|your|his|her|their|our|i|you|he|she|they|we|not|no|never|before|after"
    r"|until)\b|n't\b|[我你您他她它咱谁哪几不没别]|什么|多少|多久|怎么|为什么|之前|之后|以前|以后"
)


def likeness(one: str, other: str) -> float:
    """0 to 1: the mean of two cosines, of the weighted terms of both (as a search takes them) and of their groups of three characters.

    Case, width and marks do not count. It is 0 where a word that turns the question is not in both: "when" and "where", "my" and "his", a
    "not", a number.
    """
    if one == other:
        return 1.0
    first, second = _shape(one), _shape(other)
    if first[0] != second[0] or _numbers(first[1]) != _numbers(second[1]):
        return 0.0
    return (_cosine(first[1], second[1]) + _cosine(first[2], second[2])) / 2


@lru_cache(maxsize=256)
def _shape(text: str) -> tuple[frozenset[str], Mapping[str, float], Mapping[str, float]]:
    """Telling words, weighted terms and groups of characters."""
    low = fold(text)
    letters = f" {_MARKS.sub(' ', low).strip()} "
    groups = Counter(letters[place : place + 3] for place in range(len(letters) - 2))
    return frozenset(_TELLING.findall(low)), query_terms(low), groups


def _numbers(terms: Mapping[str, float]) -> set[str]:
    return {term for term in terms if any(character.isdigit() for character in term)}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    if not one or not other:
        return 0.0
    shared = sum(weight * other[term] for term, weight in one.items() if term in other)
    return min(1.0, shared / sqrt(sum(weight * weight for weight in one.values()) * sum(weight * weight for weight in other.values())))
