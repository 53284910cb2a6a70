"""What every embedder does to the texts before it and to the vectors after."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagefile.errors import InvalidVector
from pagefile.ports import Vectors


def clean(text: str, limit: int) -> str:
    """The first ``limit`` characters, without NUL and with lone surrogates replaced: tokenisers and JSON refuse both."""
    return text[:limit].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: NDArray[np.floating], *, dimension: int | None, source: str) -> Vectors:
    """The rows at length one, as float32. Raises InvalidVector for one that is all zero, not finite or of another dimension."""
    vectors = np.asarray(rows, dtype=np.float32)
    if vectors.ndim != 2 or (dimension is not None and vectors.shape[1] != dimension):
        raise InvalidVector(
            f"{source} gave vectors of {vectors.shape[-1]} dimensions where {dimension} were expected; is it another model now?"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)))
    if bad.size:
        raise InvalidVector(
            f"{source} gave a vector that is all zero or not finite (text {bad[0] + 1} of {len(vectors)}); try another model"
        )
    return np.asarray(vectors / lengths, dtype=np.float32)
