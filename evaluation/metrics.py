"""Measures of a ranking against an answer key, and how sure they are. Pure: a ranking is a sequence of ids, best first; a key a non-empty
set of ids."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

#: Lower and upper bound.
Interval: TypeAlias = tuple[float, float]

#: Times that questions are drawn again.
SAMPLES = 2_000
#: Of the means of these, the share that lies within an interval.
_WITHIN = 0.95
#: A smaller change is one of rounding.
_SAME = 1e-12


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


def interval(values: Sequence[float], *, seed: int = 0, samples: int = SAMPLES) -> Interval:
    """In which 95 % of the means lie when the values are drawn anew with replacement (Efron's percentile bootstrap). NaN of nothing.

    It says how much of a mean is the luck of these questions. It says nothing of other conversations than those they are from.
    """
    if not values:
        return (math.nan, math.nan)
    given = np.asarray(values, dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(given), (samples, len(given)))
    low, high = np.quantile(given[drawn].mean(axis=1), [(1 - _WITHIN) / 2, (1 + _WITHIN) / 2])
    return (float(low), float(high))


@dataclass(frozen=True, slots=True)
class Difference:
    """How one ranking of the same questions differs from another."""

    #: Mean of the differences, and its 95 % interval.
    mean: float
    interval: Interval
    #: Questions that it measures higher and lower on.
    better: int
    worse: int


def difference(before: Sequence[float], after: Sequence[float], *, seed: int = 0) -> Difference:
    """``after`` against ``before``, question by question: a paired bootstrap. Raises ValueError if they are not of the same length."""
    changes = [new - old for old, new in zip(before, after, strict=True)]
    return Difference(
        mean=mean(changes),
        interval=interval(changes, seed=seed),
        better=sum(change > _SAME for change in changes),
        worse=sum(change < -_SAME for change in changes),
    )


def auroc(high: Sequence[float], low: Sequence[float]) -> float:
    """Probability that one of ``high`` is above one of ``low``, equals counting half (Mann and Whitney, 1947). NaN if either is empty."""
    if not high or not low:
        return math.nan
    below = np.sort(np.asarray(low, dtype=np.float64))
    given = np.asarray(high, dtype=np.float64)
    above = np.searchsorted(below, given, "left") + np.searchsorted(below, given, "right")
    return float(above.sum() / (2 * len(given) * len(below)))


def paired_auroc_interval(high: Sequence[float], low: Sequence[float], *, seed: int = 0, samples: int = 500) -> Interval:
    """95 % interval of ``auroc`` when the questions, each with its two values, are drawn anew. NaN of nothing."""
    if not high:
        return (math.nan, math.nan)
    given, other = np.asarray(high, dtype=np.float64), np.asarray(low, dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(given), (samples, len(given)))
    drawn = [auroc(given[draw].tolist(), other[draw].tolist()) for draw in draws]
    bounds = np.quantile(drawn, [(1 - _WITHIN) / 2, (1 + _WITHIN) / 2])
    return (float(bounds[0]), float(bounds[1]))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def _distinct(ranking: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ranking))
