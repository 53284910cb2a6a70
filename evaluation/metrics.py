"""Measures of a ranking against an answer key. Pure: a ranking is a sequence of ids, best first; a key a non-empty set of ids."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence


def recall(ranking: Sequence[str], key: Collection[str], k: int) -> float:
    """Share of the key among the first k."""
    return len(set(ranking[:k]) & set(key)) / len(set(key))


def hit(ranking: Sequence[str], key: Collection[str], k: int) -> float:
    """1 if any of the key is among the first k, else 0."""
    return float(bool(set(ranking[:k]) & set(key)))


def found_all(ranking: Sequence[str], key: Collection[str], k: int) -> float:
    """1 if the whole key is among the first k, else 0."""
    return float(set(key) <= set(ranking[:k]))


def ndcg(ranking: Sequence[str], key: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain with gains 0 and 1 (Järvelin and Kekäläinen, 2002). 1: the key stands first."""
    gained = sum(_discount(place) for place, id in enumerate(_distinct(ranking)[:k]) if id in key)
    possible = sum(_discount(place) for place in range(min(k, len(set(key)))))
    return gained / possible


def reciprocal_rank(ranking: Sequence[str], key: Collection[str]) -> float:
    """1 / place of the first of the key; 0 if none was found."""
    return next((1 / place for place, id in enumerate(ranking, 1) if id in key), 0.0)


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean; NaN of nothing, so that an empty category never looks like a bad one."""
    given = list(values)
    return math.fsum(given) / len(given) if given else math.nan


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` (0..1) of the values do not pass: nearest rank, so it is one of them. NaN of nothing."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def _distinct(ranking: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ranking))
