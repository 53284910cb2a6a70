"""How age, importance, use and doubt bear on a score: mildly, and never by themselves."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagefile.queries import CandidateTable

Scores: TypeAlias = NDArray[np.float64]

#: An item of this moment gains at most this share of its odds; half of the gain is left after the half-life.
RECENCY = 0.15
RECENCY_HALF_LIFE_DAYS = 30.0
#: The most important item gains, and the least important loses, this share.
IMPORTANCE = 0.3
#: An item used this often has all of the gain for use.
USE = 0.15
USES_FOR_ALL = 20


def multipliers(table: CandidateTable, now: datetime) -> Scores:
    """What the odds of each candidate are multiplied by, about 0.35 to 1.7; of a message of long ago, 1.0.

    ``(1 + 0.15 · 2^(-days/30)) · (1 + 0.6 · (importance - 0.5)) · (1 + 0.15 · log(1 + uses)/log(21)) · (0.5 + 0.5 · confidence)``.
    A time to come counts as now.
    """
    days = (now.timestamp() - table.times) / 86_400
    importance, uses, confidence = table.importances, table.use_counts, table.confidences
    recent = 1 + RECENCY * np.exp2(-np.clip(days, 0, None) / RECENCY_HALF_LIFE_DAYS)
    important = 1 + 2 * IMPORTANCE * (importance - 0.5)
    used = 1 + USE * np.minimum(1, np.log1p(np.clip(uses, 0, None)) / np.log1p(USES_FOR_ALL))
    return np.asarray(recent * important * used * (0.5 + 0.5 * confidence), dtype=np.float64)


def with_odds(scores: Scores, factors: Scores) -> Scores:
    """Scores 0..1 whose odds are multiplied: they stay in 0..1, and equal factors keep their order."""
    return np.asarray(scores * factors / (1 - scores + scores * factors), dtype=np.float64)
