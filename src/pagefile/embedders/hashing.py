"""Vectors from hashed words and letter groups: no model, no understanding. For tests, and where nothing else can be had."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

import numpy as np

from pagefile.embedders.texts import clean, unit_rows
from pagefile.ports import Vectors

_LONGEST = 20_000


class HashingEmbedder:
    """Texts that share words or letter groups are near each other; the same text has the same vector in every process.

    ``salt`` makes another space of the same kind. Method: signed feature hashing (Weinberger et al. 2009).
    """

    sends_to: str | None = None

    def __init__(self, dimension: int = 256, *, salt: str = "") -> None:
        self.id = f"hashing@{dimension}" + (f"/{salt}" if salt else "")
        self._dimension = dimension
        self._salt = salt.encode()[: hashlib.blake2b.SALT_SIZE]
        if len(salt.encode()) > len(self._salt):  # a longer one would be cut, and two of them would be the same space under two names
            self._salt = hashlib.blake2b(salt.encode(), digest_size=hashlib.blake2b.SALT_SIZE).digest()

    async def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in _features(clean(text, _LONGEST).lower()):
                number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8, salt=self._salt).digest())
                row[(number >> 1) % self._dimension] += 1.0 if number & 1 else -1.0
            if not row.any():  # an empty text, or (seldom) features that cancel each other
                row[0] = 1.0
        return unit_rows(rows, dimension=self._dimension, source=self.id)


def _features(text: str) -> Iterator[str]:
    """Words, their groups of three letters, and pairs of neighbouring signs (which is what carries meaning in Chinese)."""
    for word in re.findall(r"\w+", text):
        if word.isascii():
            yield word
            marked = f"^{word}$"
            yield from (marked[at : at + 3] for at in range(len(marked) - 2))
        else:
            yield from word
            yield from (word[at : at + 2] for at in range(len(word) - 1))
    if not text.strip():
        return
    yield from re.findall(r"[^\w\s]", text)
