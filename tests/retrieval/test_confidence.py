from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.queries import Population
from pagefile.retrieval.confidence import COHORT, DEFAULT_FLOOR, Background, Cohort, cohort, confidence, confidence_in_words, coverage

NEAR = Cohort(nearest=0.82, background=Population(0.78, 0.02, 24), unit=0.03)


def sure(cosine: float, covered: float = 0.0, *, weight: float = 4.0, documents: int = 500) -> float:
    return confidence(cosine, covered, near=NEAR, weight=weight, documents=documents)


def test_a_query_no_nearer_to_memory_than_to_small_talk_has_no_answer() -> None:
    assert sure(0.82) < DEFAULT_FLOOR


def test_a_query_well_nearer_to_memory_than_to_small_talk_has_one() -> None:
    assert sure(1.0) > 0.7 > sure(0.92) > DEFAULT_FLOOR


def test_words_help_where_the_cosine_does_not_tell() -> None:
    assert sure(0.92, 0.8) > 0.5 > sure(0.92, 0.0)


def test_the_best_of_many_counts_less_than_the_best_of_few() -> None:
    assert sure(0.88, documents=3) > sure(0.88, documents=3000)


def test_a_few_items_count_as_one_and_a_million_as_a_thousand() -> None:
    assert sure(0.88, documents=1) == sure(0.88, documents=10)
    assert sure(0.88, documents=10**6) == sure(0.88, documents=1100)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 500), st.integers(0, 10**7))
def test_confidence_is_between_0_and_1(cosine: float, covered: float, weight: float, documents: int) -> None:
    assert 0 <= sure(cosine, covered, weight=weight, documents=documents) <= 1


def test_an_item_with_none_of_the_words_does_not_answer_by_words() -> None:
    assert confidence_in_words(np.array([0.0, 0.5]), weight=4.0)[0] == 0
    assert confidence_in_words(np.array([0.0, 0.5]), weight=4.0)[1] > DEFAULT_FLOOR


def test_coverage_is_0_for_nothing_and_never_over_1() -> None:
    assert coverage(np.array([0.0, 3.0, 900.0]), weight=2.0, documents=100).tolist() == pytest.approx(
        [0, 3 / (2 * np.log(1 + 119.5 / 1.5)), 1]
    )
    assert coverage(np.array([3.0]), weight=0.0, documents=100).tolist() == [0]
    assert coverage(np.array([3.0]), weight=2.0, documents=0).tolist() == [0]


def test_the_only_item_of_a_scope_is_covered_if_it_has_every_word() -> None:
    rarity = np.log(1 + 20.5 / 1.5)
    assert coverage(np.array([2 * rarity]), weight=2.0, documents=1)[0] == pytest.approx(1.0)


def test_the_cohort_is_measured_in_the_space_of_the_embedder() -> None:
    vectors = np.eye(len(COHORT), 64, dtype=np.float32)
    near = cohort(vectors[0], Background.of(vectors))
    assert near.nearest == pytest.approx(0.5)
    assert near.background.mean == pytest.approx(1 / len(COHORT))
    assert near.unit > 0


def test_the_cohort_has_as_much_chinese_as_english() -> None:
    half = len(COHORT) // 2
    assert all(text.isascii() for text in COHORT[:half])
    assert not any(text.isascii() for text in COHORT[half:])
