"""Nearest vectors: the exact scan, the compact form, and the cache they live in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.errors import InvalidVector
from pagefile.ports import Vectors
from pagefile.stores.vectors import Codes, CompactIndex, ExactIndex, Matrix, SizedCache, best, cosines, unit

DIMENSION = 64


def units(rows: int, seed: int = 1, dimension: int = DIMENSION) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def compact(matrix: Vectors) -> CompactIndex:
    codes = Codes(matrix[:1_000])
    codes.write(np.arange(len(matrix)), matrix)
    return CompactIndex(codes, lambda positions: matrix[positions])


def recall(matrix: Vectors, queries: Vectors, limit: int = 10) -> float:
    exact, short = ExactIndex(matrix), compact(matrix)
    shares = []
    for query in queries:
        threshold = exact.search(query, limit)[1][-1] - 1e-6
        shares.append(float((short.search(query, limit)[1] >= threshold).mean()))
    return float(np.mean(shares))


@pytest.mark.parametrize("index", [ExactIndex, compact], ids=["exact", "compact"])
def test_the_nearest_come_first_with_their_cosines(index) -> None:
    matrix = units(500)
    positions, scores = index(matrix).search(matrix[42], 5)
    assert positions[0] == 42
    assert scores[0] == pytest.approx(1.0, abs=1e-5)
    assert list(scores) == sorted(scores, reverse=True)
    assert scores == pytest.approx(cosines(matrix[positions], matrix[42]))


@pytest.mark.parametrize("index", [ExactIndex, compact], ids=["exact", "compact"])
def test_a_filter_never_starves_a_search(index) -> None:
    """Filters come before the limit: the only allowed row is found however far away it is."""
    matrix = units(3_000)
    allowed = np.zeros(len(matrix), dtype=np.bool_)
    allowed[int(np.argmin(matrix @ matrix[0]))] = True
    positions, _ = index(matrix).search(matrix[0], 10, allowed)
    assert positions.tolist() == np.flatnonzero(allowed).tolist()


@pytest.mark.parametrize("index", [ExactIndex, compact], ids=["exact", "compact"])
def test_nothing_allowed_gives_nothing(index) -> None:
    matrix = units(20)
    positions, scores = index(matrix).search(matrix[0], 10, np.zeros(20, dtype=np.bool_))
    assert len(positions) == len(scores) == 0


@pytest.mark.parametrize("dimension", [64, 192])
def test_the_compact_form_finds_what_the_exact_scan_finds(dimension: int) -> None:
    """Random directions are the hardest case: no structure helps. Recall@10 is at least 0.99."""
    matrix = units(15_000, dimension=dimension)
    assert recall(matrix, units(40, seed=2, dimension=dimension)) >= 0.99


def test_the_compact_form_finds_close_vectors_of_an_uneven_space() -> None:
    """Real embeddings share a direction and lie in clusters; hashed ones are sparse."""
    random, size = np.random.default_rng(3), 192
    clusters = units(50, 1, size)[random.integers(0, 50, 10_000)] + 0.5 * units(10_000, 4, size) + 3.0 * units(1, 5, size)
    clusters = (clusters / np.linalg.norm(clusters, axis=1, keepdims=True)).astype(np.float32)
    assert recall(clusters, clusters[::500]) >= 0.99
    sparse = np.zeros((10_000, size), dtype=np.float32)
    sparse[np.arange(10_000)[:, None], random.integers(0, size, (10_000, 8))] = random.choice([-0.5, 0.5], (10_000, 8))
    sparse /= np.maximum(np.linalg.norm(sparse, axis=1, keepdims=True), 1e-9)
    assert recall(sparse, sparse[::500]) >= 0.99


def test_the_compact_form_takes_a_third_of_the_memory() -> None:
    matrix = units(8_000, dimension=256)
    assert compact(matrix).bytes < ExactIndex(matrix).bytes / 3


def test_a_matrix_becomes_compact_as_it_grows_and_finds_the_same() -> None:
    vectors = units(600)
    matrix = Matrix(DIMENSION, compact_from=500)
    for start in range(0, 600, 100):
        matrix.write(np.arange(start, start + 100), vectors[start : start + 100])
        assert isinstance(matrix.index(lambda positions: vectors[positions]), CompactIndex) == (start + 100 > 500)
        positions, _ = matrix.index(lambda positions: vectors[positions]).search(vectors[start + 7], 1)
        assert positions.tolist() == [start + 7]


@pytest.mark.parametrize("compact_from", [10, 1_000], ids=["compact", "exact"])
def test_a_row_can_be_replaced(compact_from: int) -> None:
    vectors = units(100)
    matrix = Matrix(DIMENSION, compact_from=compact_from)
    matrix.write(np.arange(100), vectors)
    vectors[3] = -vectors[3]
    matrix.write(np.array([3]), vectors[3:4])
    positions, scores = matrix.index(lambda positions: vectors[positions]).search(vectors[3], 1)
    assert positions.tolist() == [3]
    assert scores[0] == pytest.approx(1.0, abs=1e-5)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 40))
@settings(deadline=None)
def test_best_is_the_head_of_the_sorted_list(values: list[int], limit: int) -> None:
    scores = np.array(values, dtype=np.float32)
    expected = sorted(range(len(values)), key=lambda position: (-values[position], position))[:limit]
    assert best(scores, limit).tolist() == expected


@pytest.mark.parametrize("vector", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [], [1.0, 2.0, 3.0]])
def test_a_vector_without_direction_or_of_another_size_is_refused(vector: list[float]) -> None:
    with pytest.raises(InvalidVector):
        unit(np.array(vector), "the vector", 2)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_a_vector_of_any_length_is_brought_to_length_one(scale: float) -> None:
    assert unit(np.array([3.0, 4.0]) * scale, "the vector") == pytest.approx([0.6, 0.8])


class Weight:
    def __init__(self, bytes: int = 0) -> None:
        self.bytes = bytes


def fill(cache: SizedCache[str, Weight], key: str, bytes: int) -> Weight:
    with cache.using(key) as value:
        value.bytes = bytes
        return value


def test_the_cache_throws_away_what_was_not_used_for_longest() -> None:
    cache: SizedCache[str, Weight] = SizedCache(100, Weight)
    first, second = fill(cache, "first", 40), fill(cache, "second", 40)
    fill(cache, "first", 40)
    fill(cache, "third", 40)
    assert cache.bytes == 80
    with cache.using("first") as value:
        assert value is first
    with cache.using("second") as value:
        assert value is not second


def test_the_value_in_use_is_kept_even_if_it_is_larger_than_the_cache() -> None:
    cache: SizedCache[str, Weight] = SizedCache(100, Weight)
    large = fill(cache, "large", 1_000)
    with cache.using("large") as value:
        assert value is large


def test_a_value_that_failed_halfway_is_made_anew() -> None:
    cache: SizedCache[str, Weight] = SizedCache(100, Weight)
    with pytest.raises(RuntimeError), cache.using("key") as broken:
        raise RuntimeError("in the middle of a change")
    with cache.using("key") as value:
        assert value is not broken
