"""BM25 and the spread of scores, against numbers worked out by hand and by the standard library."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.queries import Population
from pagefile.stores.bm25 import population, rarity, term_score


def test_a_term_in_one_of_three_documents_is_worth_the_logarithm_of_one_plus_five_thirds() -> None:
    assert rarity(3, 1) == pytest.approx(math.log(1 + 22.5 / 1.5))


def test_a_term_in_every_document_still_counts_a_little() -> None:
    assert 0 < rarity(1000, 1000) < rarity(1000, 999)


def test_one_occurrence_in_a_document_of_mean_length_counts_one() -> None:
    assert term_score(1, 10, 10.0) == pytest.approx(1.0)
    assert term_score(2, 10, 10.0) == pytest.approx(2 * 2.2 / (2 + 1.2))


def test_a_document_of_twice_the_mean_length_is_held_back() -> None:
    assert term_score(1, 20, 10.0) == pytest.approx(2.2 / (1 + 1.2 * (0.25 + 0.75 * 2)))


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(1, 10**6))
def test_more_occurrences_never_count_less_and_never_more_than_the_ceiling(frequency: int, length: int, mean: float) -> None:
    assert 0 < term_score(frequency, length, mean) <= term_score(frequency + 1, length, mean) < 2.2


@given(st.lists(st.floats(0, 100), max_size=30), st.integers(0, 30))
def test_items_that_scored_nothing_count_in_mean_and_deviation(scores: list[float], others: int) -> None:
    everything = [*scores, *[0.0] * others]
    found = population(scores, len(everything))
    if not everything:
        assert found == Population()
    else:
        assert found.count == len(everything)
        assert found.mean == pytest.approx(statistics.mean(everything), abs=1e-9)
        assert found.deviation == pytest.approx(statistics.pstdev(everything), abs=1e-6)
