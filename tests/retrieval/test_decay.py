from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.queries import Candidate, CandidateTable, Signals
from pagefile.retrieval.decay import multipliers, with_odds

NOW = datetime(2026, 5, 24, tzinfo=UTC)


def candidate(**fields: Any) -> Candidate:
    return Candidate(**({"id": "a", "kind": "fact", "signals": Signals(0, None), "time": NOW, "tokens": 5} | fields))


def multiplier(**fields: Any) -> float:
    return float(multipliers(CandidateTable.of([candidate(**fields)]), NOW)[0])


def test_a_message_of_long_ago_is_left_as_it_is() -> None:
    assert multiplier(time=NOW - timedelta(days=3000)) == pytest.approx(1.0)


def test_recency_halves_every_thirty_days_and_never_counts_much() -> None:
    gains = [multiplier(time=NOW - timedelta(days=days)) - 1 for days in (0, 30, 60)]
    assert gains == pytest.approx([0.15, 0.075, 0.0375])


def test_a_time_to_come_counts_as_now() -> None:
    assert multiplier(time=NOW + timedelta(days=9)) == multiplier(time=NOW)


def test_important_used_and_sure_items_gain() -> None:
    assert multiplier(importance=0.9) > multiplier(importance=0.5) > multiplier(importance=0.1)
    assert multiplier(use_count=1000) == multiplier(use_count=20) > multiplier(use_count=1) > multiplier(use_count=0)
    assert multiplier(confidence=1.0) > multiplier(confidence=0.2)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.3, 2))
def test_odds_keep_scores_between_0_and_1_and_in_order(one: float, other: float, factor: float) -> None:
    low, high = with_odds(np.array(sorted([one, other])), np.array([factor, factor]))
    assert 0 <= low <= high <= 1
