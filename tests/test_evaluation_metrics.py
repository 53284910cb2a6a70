from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import metrics


def test_recall_counts_the_share_of_the_key_among_the_first() -> None:
    assert metrics.recall(["a", "x", "b"], {"a", "b"}, 2) == 0.5
    assert metrics.recall([], {"a"}, 10) == 0


def test_all_and_hit_ask_for_the_whole_key_and_for_any_of_it() -> None:
    assert (metrics.found_all(["a", "x"], {"a", "b"}, 2), metrics.hit(["a", "x"], {"a", "b"}, 2)) == (0, 1)
    assert metrics.found_all(["b", "a"], {"a", "b"}, 2) == 1


def test_ndcg_is_1_for_the_key_first_and_falls_with_its_place() -> None:
    assert metrics.ndcg(["a", "b", "x"], {"a", "b"}, 10) == pytest.approx(1)
    assert metrics.ndcg(["x", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))
    assert metrics.ndcg(["x"], {"a"}, 10) == 0
    assert metrics.ndcg(["a", "a"], {"a"}, 10) == pytest.approx(1)
    # 1 of 1 + 0.6309: the second of the key was not found.
    assert metrics.ndcg(["a", "x"], {"a", "b"}, 10) == pytest.approx(0.6131, abs=1e-4)


def test_reciprocal_rank_is_one_over_the_first_place() -> None:
    assert metrics.reciprocal_rank(["x", "a", "b"], {"a", "b"}) == 0.5
    assert metrics.reciprocal_rank(["x"], {"a"}) == 0


def test_percentile_is_one_of_the_values() -> None:
    assert metrics.percentile([4, 1, 3, 2], 0.5) == 2
    assert metrics.percentile([4, 1, 3, 2], 0.95) == 4
    assert math.isnan(metrics.percentile([], 0.5))
    assert math.isnan(metrics.mean([]))


ids = st.text("abcdefgh", min_size=1, max_size=1)


@given(st.lists(ids, unique=True), st.sets(ids, min_size=1), st.integers(1, 12))
def test_every_measure_lies_between_0_and_1(ranking: list[str], key: set[str], k: int) -> None:
    for measure in (metrics.recall, metrics.hit, metrics.found_all, metrics.ndcg):
        assert 0 <= measure(ranking, key, k) <= 1 + 1e-9
    assert metrics.found_all(ranking, key, k) <= metrics.recall(ranking, key, k) <= metrics.hit(ranking, key, k)


def test_an_interval_holds_the_means_of_values_drawn_anew() -> None:
    # Two values: both means 0 and 1 come up a quarter of the time.
    assert metrics.interval([0, 1]) == (0, 1)
    assert metrics.interval([0.4] * 5) == pytest.approx((0.4, 0.4))
    assert all(map(math.isnan, metrics.interval([])))
    # 100 coin tosses: 0.5 ± 1.96 · 0.05.
    low, high = metrics.interval([0, 1] * 50)
    assert (low, high) == (pytest.approx(0.40, abs=0.02), pytest.approx(0.60, abs=0.02))


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [place / 30 for place in range(30)]
    assert metrics.interval(values, seed=3) == metrics.interval(values, seed=3)
    assert metrics.interval(values, seed=3) != metrics.interval(values, seed=4)


def test_a_difference_is_taken_question_by_question() -> None:
    difference = metrics.difference([0, 1, 0.5], [1, 1, 0])
    assert difference.mean == pytest.approx(1 / 6)
    assert (difference.better, difference.worse) == (1, 1)
    assert difference.interval[0] <= difference.mean <= difference.interval[1]
    with pytest.raises(ValueError, match="argument"):
        metrics.difference([0], [0, 1])


def test_a_small_gain_everywhere_is_surer_than_the_means_by_themselves() -> None:
    before = [0.1 * place for place in range(10)]
    difference = metrics.difference(before, [value + 0.05 for value in before])
    assert difference.interval == pytest.approx((0.05, 0.05))


def test_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    # 3 > 1, 3 > 2, 2 > 1, and 2 = 2 counts half.
    assert metrics.auroc([3, 2], [1, 2]) == 0.875
    assert metrics.auroc([1, 1], [1]) == 0.5
    assert metrics.auroc([0], [1]) == 0
    assert math.isnan(metrics.auroc([], [1]))


def test_the_interval_of_auroc_draws_questions_with_both_of_their_values() -> None:
    assert metrics.paired_auroc_interval([3, 3, 3], [1, 1, 1]) == (1, 1)
    low, high = metrics.paired_auroc_interval([3, 2, 1, 0], [1, 2, 0, 0])
    assert 0 <= low < metrics.auroc([3, 2, 1, 0], [1, 2, 0, 0]) < high <= 1
    assert all(map(math.isnan, metrics.paired_auroc_interval([], [])))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_auroc_of_the_two_exchanged_is_the_rest(high: list[float], low: list[float]) -> None:
    assert metrics.auroc(high, low) + metrics.auroc(low, high) == pytest.approx(1)
