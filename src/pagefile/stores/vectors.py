"""Nearest vectors of one scope: an exact scan, and a compact form for scopes of many vectors. Both are caches: the store has the vectors.

Vectors have length 1, so that a product of two is their cosine. Scans use one thread: a multithreaded product is slower for matrices of
this size as soon as anything else runs on the machine (2,000 × 384, two busy cores: 0.13 ms at worst 0.3, against 0.03 at worst 16).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagefile.errors import InvalidVector
from pagefile.ports import Vectors

#: From this many vectors on, the compact form is used.
COMPACT_FROM = 50_000
#: The compact form estimates all, looks closer at this share of them (and at least so many), and computes this many exactly.
_CLOSER_SHARE, _CLOSER_LEAST = 0.08, 2_000
_EXACT_MARGIN = 100
#: Bits of each number of a query in the first estimate.
_QUERY_BITS = 4
_SAMPLE = 4_096
#: Vectors of up to so many numbers are scanned at 8 bits at once: signs of few numbers tell too little.
_SHORT = 128
_BLOCK = 2_048
_SCAN_BLOCK = 16_384

Positions = NDArray[np.int64]


def unit(vector: Vectors, what: str, dimension: int | None = None) -> Vectors:
    """The vector at length 1, float32. Raises InvalidVector if it is all zero, not finite, or not of ``dimension`` numbers."""
    values = np.asarray(vector, dtype=np.float64)
    if values.ndim != 1 or not values.size or (dimension is not None and len(values) != dimension):
        raise InvalidVector(f"{what} has the shape {values.shape}, not ({dimension or 'n'},); embed the text again with the right embedder")
    if not np.isfinite(values).all() or not values.any():
        raise InvalidVector(f"{what} is all zero or has numbers that are not finite; embed the text again")
    # Scaled first: the square of a very large or small number is no number.
    values = values / np.abs(values).max()
    return np.asarray(values / np.linalg.norm(values), dtype=np.float32)


def cosines(matrix: NDArray[Any], query: Vectors) -> Vectors:
    """Cosine of each row with the query, by one thread whatever BLAS is set to."""
    products: Vectors = np.einsum("ij,j->i", matrix, query)
    return products


def best(scores: NDArray[Any], limit: int, allowed: NDArray[np.bool_] | None = None) -> Positions:
    """Positions of the highest scores among the allowed, best first; equal scores by position."""
    positions = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
    if len(positions) > limit:
        kept = scores[positions]
        threshold = np.partition(kept, len(kept) - limit)[len(kept) - limit]
        positions = positions[kept >= threshold]
    return positions[np.argsort(-scores[positions], kind="stable")][:limit]


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan found, and what it learnt on the way."""

    positions: Positions
    cosines: Vectors
    #: Cosines of all rows, or of an evenly spaced sample that gives their mean and deviation.
    sample: Vectors
    #: Cosines of other rows: exact, or right to about 0.001 from the compact form.
    others: Callable[[Positions], Vectors]


class ExactIndex:
    """Compares the query with every vector. Matrix: (rows, dimension), rows of length 1."""

    def __init__(self, matrix: Vectors) -> None:
        self._matrix = matrix

    @property
    def bytes(self) -> int:
        return self._matrix.nbytes

    def search(self, query: Vectors, limit: int, allowed: NDArray[np.bool_] | None = None) -> tuple[Positions, Vectors]:
        found = self.scan(query, limit, allowed)
        return found.positions, found.cosines

    def scan(self, query: Vectors, limit: int, allowed: NDArray[np.bool_] | None = None) -> Scanned:
        scores = cosines(self._matrix, query)
        positions = best(scores, limit, allowed)
        return Scanned(positions, scores[positions], scores, lambda wanted: scores[wanted])


class Codes:
    """Vectors in 1 + 1/8 bytes a number: what CompactIndex scans. Grows by whole blocks; a changed vector is encoded again.

    First step: signs of the centred and rotated vector, compared with a query of few bits by counting bits. Gao and Long, "RaBitQ:
    Quantizing High-Dimensional Vectors with a Theoretical Error Bound" (2024); the rotation makes it hold for sparse vectors too.
    Second step: 8 bits a number with a scale for each vector.
    """

    def __init__(self, sample: Vectors) -> None:
        """``sample``: some of the vectors, to centre them all."""
        dimension = sample.shape[1]
        self.centre: Vectors = sample.mean(axis=0, dtype=np.float64).astype(np.float32)
        random = np.random.default_rng(dimension)
        self.rotation: Vectors = np.linalg.qr(random.standard_normal((dimension, dimension)))[0].astype(np.float32)
        self._words = -(-dimension // 64)
        self.rows = 0
        self.signs = np.zeros((self._words, 0), dtype=np.uint64)
        self.bytes8 = np.zeros((0, dimension), dtype=np.int8)
        self.scales: Vectors = np.zeros(0, dtype=np.float32)
        #: What a sign estimate is multiplied by, and how many signs are positive.
        self.factors: Vectors = np.zeros(0, dtype=np.float32)
        self.positives: Vectors = np.zeros(0, dtype=np.float32)

    @property
    def bytes(self) -> int:
        return sum(each.nbytes for each in (self.signs, self.bytes8, self.scales, self.factors, self.positives, self.rotation))

    def write(self, positions: Positions, vectors: Vectors) -> None:
        """Encode vectors at these rows; rows past the end are made."""
        if not len(positions):
            return
        self._reserve(int(positions.max()) + 1)
        for start in range(0, len(positions), _BLOCK):
            self._encode(positions[start : start + _BLOCK], vectors[start : start + _BLOCK])

    def _encode(self, positions: Positions, vectors: Vectors) -> None:
        scales = np.abs(vectors).max(axis=1) / 127.0
        self.bytes8[positions] = np.rint(vectors / scales[:, None]).astype(np.int8)
        self.scales[positions] = scales
        rotated = (vectors - self.centre) @ self.rotation
        bits = np.zeros((len(vectors), self._words * 64), dtype=bool)
        bits[:, : rotated.shape[1]] = rotated > 0
        self.signs[:, positions] = np.packbits(bits, axis=1, bitorder="little").view("<u8").T
        self.positives[positions] = bits.sum(axis=1)
        # The centre itself has no direction: its estimate is the centre's cosine, whatever the signs say.
        self.factors[positions] = (rotated**2).sum(axis=1) / np.maximum(np.abs(rotated).sum(axis=1), 1e-12)

    def _reserve(self, rows: int) -> None:
        self.rows = max(self.rows, rows)
        if rows <= len(self.scales):
            return
        room = max(rows, len(self.scales) + len(self.scales) // 2, 1_024)
        self.signs = np.pad(self.signs, ((0, 0), (0, room - self.signs.shape[1])))
        self.bytes8 = np.pad(self.bytes8, ((0, room - len(self.bytes8)), (0, 0)))
        self.scales, self.factors, self.positives = (
            np.pad(each, (0, room - len(each))) for each in (self.scales, self.factors, self.positives)
        )

    def estimates(self, query: Vectors) -> Vectors:
        """Estimated cosine of every row."""
        if len(query) <= _SHORT:
            return cosines(self.bytes8[: self.rows], query) * self.scales[: self.rows]
        turned = query @ self.rotation
        low, high = float(turned.min()), float(turned.max())
        step = (high - low) / (2**_QUERY_BITS - 1) or 1.0
        levels = np.rint((turned - low) / step).astype(np.uint8)
        planes = np.zeros((_QUERY_BITS, self._words * 64), dtype=bool)
        planes[:, : len(levels)] = (levels >> np.arange(_QUERY_BITS)[:, None]) & 1
        counts = self._common(np.packbits(planes, axis=1, bitorder="little").view("<u8"))
        total = step * float(levels.sum()) + low * len(levels)
        # 2 × (sum over the positive signs) − (sum over all), for each row.
        sums = counts.astype(np.float32) * np.float32(2.0 * step)
        sums += self.positives[: self.rows] * np.float32(2.0 * low)
        sums -= np.float32(total)
        sums *= self.factors[: self.rows]
        sums += np.float32(query @ self.centre)
        return sums

    def _common(self, planes: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """For each row, the bits it has in common with the planes of the query, each plane worth twice the one before.

        In blocks that stay in the processor's cache.
        """
        counts = np.zeros(self.rows, dtype=np.uint32)
        both, ones = np.empty(_SCAN_BLOCK, dtype=np.uint64), np.empty(_SCAN_BLOCK, dtype=np.uint8)
        for start in range(0, self.rows, _SCAN_BLOCK):
            end = min(start + _SCAN_BLOCK, self.rows)
            block, some = both[: end - start], ones[: end - start]
            for bit, plane in enumerate(planes):
                common = np.zeros(end - start, dtype=np.uint16)
                for word in range(self._words):
                    np.bitwise_and(self.signs[word, start:end], plane[word], out=block)
                    common += np.bitwise_count(block, out=some)
                counts[start:end] += common.astype(np.uint32) << bit
        return counts

    def closer(self, query: Vectors, positions: Positions) -> Vectors:
        """Cosines of some rows, right to about 0.001."""
        return cosines(self.bytes8[positions], query) * self.scales[positions]


class CompactIndex:
    """Estimates all, looks closer at the best few hundredths, and computes the best of these exactly.

    ``exact`` gives the vectors at some positions, shape (positions, dimension): from the store, as the cache does not hold them.
    """

    def __init__(self, codes: Codes, exact: Callable[[Positions], Vectors]) -> None:
        self._codes, self._exact = codes, exact

    @property
    def bytes(self) -> int:
        return self._codes.bytes

    def search(self, query: Vectors, limit: int, allowed: NDArray[np.bool_] | None = None) -> tuple[Positions, Vectors]:
        found = self.scan(query, limit, allowed)
        return found.positions, found.cosines

    def scan(self, query: Vectors, limit: int, allowed: NDArray[np.bool_] | None = None) -> Scanned:
        codes = self._codes
        estimates = codes.estimates(query)
        likely = _highest(estimates, max(_CLOSER_LEAST, int(codes.rows * _CLOSER_SHARE), 4 * limit), allowed)
        likely = likely[best(codes.closer(query, likely), limit + _EXACT_MARGIN)]
        scores = cosines(self._exact(likely), query)
        order = best(scores, limit)
        spaced = np.arange(0, codes.rows, max(1, codes.rows // _SAMPLE))
        return Scanned(likely[order], scores[order], codes.closer(query, spaced), lambda wanted: codes.closer(query, wanted))


def _highest(scores: Vectors, count: int, allowed: NDArray[np.bool_] | None) -> Positions:
    """Positions of the ``count`` highest among the allowed, in order of position."""
    positions = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
    if len(positions) <= count:
        return positions
    kept = scores[positions]
    return positions[np.sort(np.argpartition(kept, len(kept) - count)[len(kept) - count :])]


class Matrix:
    """The vectors of one scope as a cache holds them: as they are, or encoded when they are many. Rows are only added or replaced."""

    def __init__(self, dimension: int, compact_from: int = COMPACT_FROM) -> None:
        self.rows = 0
        self._compact_from = compact_from
        self._vectors: Vectors = np.zeros((0, dimension), dtype=np.float32)
        self._codes: Codes | None = None

    @property
    def bytes(self) -> int:
        return self._vectors.nbytes if self._codes is None else self._codes.bytes

    def write(self, positions: Positions, vectors: Vectors) -> None:
        """Put vectors at these rows; rows past the end are made."""
        if not len(positions):
            return
        self.rows = max(self.rows, int(positions.max()) + 1)
        if self._codes is not None:
            self._codes.write(positions, vectors)
            return
        if self.rows > len(self._vectors):
            room = max(self.rows, len(self._vectors) + len(self._vectors) // 4)
            self._vectors = np.concatenate([self._vectors, np.zeros((room - len(self._vectors), vectors.shape[1]), dtype=np.float32)])
        self._vectors[positions] = vectors
        if self.rows > self._compact_from:
            self._codes = Codes(self._vectors[: self.rows : max(1, self.rows // _SAMPLE)])
            self._codes.write(np.arange(self.rows), self._vectors[: self.rows])
            self._vectors = self._vectors[:0]

    def index(self, exact: Callable[[Positions], Vectors]) -> ExactIndex | CompactIndex:
        """An index over the rows as they are now. ``exact`` reads vectors from the store, where they are no longer held here."""
        return ExactIndex(self._vectors[: self.rows]) if self._codes is None else CompactIndex(self._codes, exact)


# --- the cache ----------------------------------------------------------------------------------------------------------


class Sized(Protocol):
    """Something that knows how much memory it takes."""

    @property
    def bytes(self) -> int: ...


K = TypeVar("K")
V = TypeVar("V", bound=Sized)


class _Slot(Generic[V]):
    """A place in the cache with the lock of whoever works on it."""

    def __init__(self, value: V) -> None:
        self.value = value
        self.lock = threading.Lock()


class SizedCache(Generic[K, V]):
    """One value for each key, the least recently used thrown away when all together pass ``limit`` bytes.

    The value in use is kept even if it alone passes the limit: to load it anew for every search would be slower and no smaller.
    """

    def __init__(self, limit: int, make: Callable[[], V]) -> None:
        self.limit = limit
        self._make = make
        self._slots: OrderedDict[K, _Slot[V]] = OrderedDict()
        self._sizes: dict[K, int] = {}
        self._total = 0
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        with self._lock:
            return self._total

    @contextmanager
    def using(self, key: K) -> Iterator[V]:
        """The value of this key, for one user at a time."""
        with self._lock:
            slot = self._slots.get(key) or _Slot(self._make())
            self._slots[key] = slot
            self._slots.move_to_end(key)
        with slot.lock:
            try:
                yield slot.value
            except BaseException:
                # Half-changed, perhaps: the next user starts from the store.
                slot.value = self._make()
                raise
            finally:
                self._settle(key, slot)

    def _settle(self, key: K, slot: _Slot[V]) -> None:
        with self._lock:
            if self._slots.get(key) is not slot:
                return
            size = slot.value.bytes
            self._total += size - self._sizes.get(key, 0)
            self._sizes[key] = size
            while self._total > self.limit and (oldest := next(iter(self._slots))) != key:
                del self._slots[oldest]
                self._total -= self._sizes.pop(oldest, 0)
