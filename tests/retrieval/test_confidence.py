from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.queries import Population
from pagefile.retrieval.confidence import (
    COHORT,
    DEFAULT_FLOOR,
    Background,
    Cohort,
    among_many,
    cohort,
    confidence,
    confidence_in_words,
    coverage,
)

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


def crowded(own: float = 0.6, *, rank: float = 17.0, covered: float = 0.6, weight: float = 4.0, documents: int = 500) -> float:
    return among_many(own, rank=rank, covered=covered, weight=weight, documents=documents, vectors=True)


def test_among_a_few_items_the_best_is_as_sure_as_its_own_evidence() -> None:
    assert crowded(0.8, rank=0.0, documents=1) == crowded(0.8, rank=40.0, documents=20) == 0.8


def test_among_many_the_best_is_surer_the_further_it_stands_out() -> None:
    assert crowded(rank=25.0) > 0.8 > crowded(rank=17.0) > crowded(rank=8.0)
    assert crowded(covered=1.0) > crowded(covered=0.2)


def test_standing_out_comes_in_by_and_by_as_a_scope_grows() -> None:
    sure = [crowded(rank=40.0, documents=documents) for documents in (20, 40, 70, 100)]
    assert sure == sorted(sure)
    assert sure[0] < sure[-1] == crowded(rank=40.0, documents=10**6)


def test_small_talk_that_stands_out_still_has_no_answer() -> None:
    assert crowded(0.01, rank=20.0, covered=0.9) < DEFAULT_FLOOR


def test_a_long_question_may_stand_out_less() -> None:
    assert crowded(rank=12.0, covered=0.2, weight=40.0) > crowded(rank=12.0, covered=0.2)


def test_without_vectors_less_rank_is_as_much() -> None:
    by_words = among_many(0.6, rank=17.0, covered=0.6, weight=4.0, documents=500, vectors=False)
    assert by_words > crowded(0.6, rank=17.0)


def test_where_nothing_speaks_for_an_answer_standing_out_does_not() -> None:
    assert crowded(0.0, rank=60.0, covered=1.0) == 0.0


@given(st.floats(0, 1), st.floats(-100, 200), st.floats(0, 1), st.floats(0, 500), st.integers(0, 10**7), st.booleans())
def test_confidence_among_many_is_between_0_and_1(
    own: float, rank: float, covered: float, weight: float, documents: int, vectors: bool
) -> None:
    assert 0 <= among_many(own, rank=rank, covered=covered, weight=weight, documents=documents, vectors=vectors) <= 1


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
