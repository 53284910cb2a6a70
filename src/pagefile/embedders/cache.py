"""Remembers vectors of texts that were embedded lately: a question asked twice, a fact learnt from several turns."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np

from pagefile.errors import EmbedderError, InvalidVector
from pagefile.ports import Embedder, Vectors

#: What an entry costs beside its vector: key, array header, links.
_ENTRY_BYTES = 250


class CachedEmbedder:
    """Another embedder behind a cache of the vectors used last, at most ``max_bytes`` of them.

    Only hashes of the texts are kept. ``forget`` when texts are erased.
    """

    def __init__(self, embedder: Embedder, *, max_bytes: int = 32_000_000) -> None:
        self.id = embedder.id
        self.sends_to = embedder.sends_to
        self._embedder = embedder
        self._max_bytes = max_bytes
        self._bytes = 0
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        #: How often something was forgotten: vectors that were being made meanwhile may be of that, and are not kept.
        self._forgotten = 0
        # Held for dictionary work alone, never across an await.
        self._lock = threading.Lock()

    @property
    def wrapped(self) -> Embedder:
        """The embedder behind the cache."""
        return self._embedder

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._bytes

    async def dimension(self) -> int:
        return await self._embedder.dimension()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        keys = [self._key(text, query) for text in texts]
        found, before = self._look_up(keys), self._forgotten
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing or not texts:
            made = await self._made(list(missing.values()), query)
            if not texts:
                return made
            found.update(zip(missing, made, strict=True))
            self._keep({key: found[key] for key in missing}, before)
        return np.stack([found[key] for key in keys])

    async def _made(self, texts: Sequence[str], query: bool) -> Vectors:
        try:
            made = np.asarray(await self._embedder.embed(texts, query=query), dtype=np.float32)
        except EmbedderError:
            raise
        except Exception as error:
            # An embedder of somebody else's may raise anything; above this line it is an embedder that failed.
            raise EmbedderError(f"the embedder {self.id} failed: {type(error).__name__}: {error}") from error
        if made.ndim != 2 or len(made) != len(texts):
            raise EmbedderError(f"the embedder {self.id} gave vectors of the shape {made.shape} for {len(texts)} texts; it cannot be used")
        if not np.isfinite(made).all() or not made.any(axis=1).all():
            raise InvalidVector(f"the embedder {self.id} gave a vector that is all zero or not finite; the text stays findable by words")
        return made

    def forget(self, texts: Iterable[str]) -> None:
        """Drop the vectors of these texts."""
        with self._lock:
            self._forgotten += 1
            for key in [self._key(text, query) for text in texts for query in (False, True)]:
                self._drop(key)

    def clear(self) -> None:
        with self._lock:
            self._forgotten += 1
            self._vectors.clear()
            self._bytes = 0

    async def close(self) -> None:
        """Close the embedder behind the cache, if it holds anything open."""
        self.clear()
        close = getattr(self._embedder, "close", None)
        if close is not None:
            await close()

    def _key(self, text: str, query: bool) -> bytes:
        kind = b"q" if query else b"p"
        return hashlib.blake2b(kind + self.id.encode() + b"\0" + text.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
            return found

    def _keep(self, made: dict[bytes, Vectors], before: int) -> None:
        with self._lock:
            if self._forgotten != before:
                return
            for key, vector in made.items():
                self._drop(key)
                self._vectors[key] = vector.copy()  # a row of a batch would keep the whole batch alive
                self._bytes += vector.nbytes + _ENTRY_BYTES
            while self._bytes > self._max_bytes:
                self._drop(next(iter(self._vectors)))

    def _drop(self, key: bytes) -> None:
        vector = self._vectors.pop(key, None)
        if vector is not None:
            self._bytes -= vector.nbytes + _ENTRY_BYTES
