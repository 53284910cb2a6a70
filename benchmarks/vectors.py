"""Made-up vectors shaped like those of texts: in clusters, and all leaning one way."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from benchmarks.measure import SEED
from pagefile.ports import Embedder, Vectors


class VectorSpace:
    """Draws unit vectors around ``clusters`` centres. Two of one cluster have a cosine of about 0.9, any two of about 0.75, as the local
    embedder's do."""

    def __init__(self, dimension: int, clusters: int) -> None:
        self.dimension = dimension
        self._random = np.random.default_rng(SEED)
        lean = self._random.standard_normal(dimension, dtype=np.float32)
        self._centres = 1.75 * lean + 0.7 * self._random.standard_normal((clusters, dimension), dtype=np.float32)

    def draw(self, count: int) -> Vectors:
        """Shape (count, dimension)."""
        noise = self._random.standard_normal((count, self.dimension), dtype=np.float32)
        made = self._centres[self._random.integers(len(self._centres), size=count)] + 0.65 * noise
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


class MadeVectors:
    """An embedder that answers with vectors of a space, one for each text: at once, or after the work of a real embedder.

    So a search may be timed with or without embedding over the same made-up vectors.
    """

    sends_to: str | None = None

    def __init__(self, id: str, space: VectorSpace, real: Embedder | None = None) -> None:
        self.id = id
        self._real = real
        self._dimension = space.dimension
        self._vectors = space.draw(1_000)

    async def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self._real is not None:
            await self._real.embed(texts, query=query)
        return self._vectors[[zlib.crc32(text.encode()) % len(self._vectors) for text in texts]]
