"""Makes the vectors of what was written: jobs of kind "embed", and the missing vectors of a whole store."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pagefile.errors import EmbedderError, InvalidVector
from pagefile.parts import Parts
from pagefile.ports import Embedder, Job, NewVector, Unembedded
from pagefile.queries import Item
from pagefile.records import Scope
from pagefile.retrieval.indexing import embedding_hash, embedding_text
from pagefile.runner import CLAIM

logger = logging.getLogger(__name__)

EMBED = "embed"
#: Texts embedded in one call: every call ends with a thread that waits for another.
BATCH = 256
#: Items looked up at once by ``fill``: each look counts what is left.
_PAGE = 4 * BATCH


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """What ``reindex`` did."""

    embedded: int
    #: Items that still have no vector.
    left: int


class Indexer:
    """Embeds items and keeps their vectors."""

    kinds: tuple[str, ...] = (EMBED,)
    max_attempts = 25
    ahead = timedelta()
    at_once = CLAIM

    def __init__(self, parts: Parts, wrote: Callable[[Scope, int], None]) -> None:
        """``wrote`` is told of each batch of vectors that was kept."""
        self._parts = parts
        self._wrote = wrote

    def portion(self, waiting: Sequence[Job]) -> int:
        """Jobs of about one batch of texts."""
        sums = itertools.accumulate(len(job.payload["ids"]) for job in waiting)
        return max(1, sum(texts <= BATCH for texts in sums))

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        """Make the vectors that these jobs ask for. Raises EmbedderError."""
        wanted: list[Unembedded] = []
        for job in jobs:
            items = await self._parts.store.get(job.scope, job.payload["ids"])
            wanted += [Unembedded(scope=job.scope, item=item, hash=_hash(item)) for item in items if item is not None]
        await self._embed_all(wanted)

    async def fill(self, progress: Callable[[int, int], None] | None) -> Reindexed:
        """Make every missing vector. Raises EmbedderError, keeping what was done."""
        embedder = self._embedder()
        page = await self._parts.store.unembedded(embedder.id, limit=_PAGE)
        done, total = 0, page.total

        def kept(vectors: int) -> None:
            nonlocal done
            done += vectors
            if progress is not None:
                progress(done, max(done, total))

        while page.items:
            await self._embed_all(page.items, kept)
            if page.cursor is None:
                break
            page = await self._parts.store.unembedded(embedder.id, after=page.cursor, limit=_PAGE)
        left = (await self._parts.store.unembedded(embedder.id, limit=1)).total
        if not left:
            await self._parts.store.drop_vectors(embedder.id)
        return Reindexed(embedded=done, left=left)

    def _embedder(self) -> Embedder:
        if self._parts.embedder is None:
            raise EmbedderError('there is no embedder to make vectors with; install "pagefile[local]" or set PAGEFILE_EMBEDDER')
        return self._parts.embedder

    async def _embed_all(self, wanted: Sequence[Unembedded], kept: Callable[[int], None] = lambda vectors: None) -> None:
        """Batch by batch, writing one while the next is embedded. ``kept`` is told how many vectors were written."""
        writing = asyncio.create_task(self._write((), kept))
        try:
            for start in range(0, len(wanted), BATCH):
                made = await self._embed(wanted[start : start + BATCH])
                await writing
                writing = asyncio.create_task(self._write(made, kept))
        finally:
            await writing

    async def _embed(self, items: Sequence[Unembedded]) -> list[tuple[Scope, NewVector]]:
        try:
            vectors = await self._embedder().embed([embedding_text(one.item) for one in items])
        except InvalidVector as error:
            if len(items) == 1:
                # Tried again it would come out the same; the text stays findable by words.
                logger.warning("no usable vector for %s: %s", items[0].item.id, error)
                return []
            return [made for one in items for made in await self._embed([one])]
        return [(one.scope, NewVector(id=one.item.id, hash=one.hash, vector=vector)) for one, vector in zip(items, vectors, strict=True)]

    async def _write(self, made: Sequence[tuple[Scope, NewVector]], kept: Callable[[int], None]) -> None:
        by_scope: dict[Scope, list[NewVector]] = {}
        for scope, vector in made:
            by_scope.setdefault(scope, []).append(vector)
        for scope, vectors in by_scope.items():
            await self._parts.store.put_vectors(scope, self._embedder().id, vectors)
            self._wrote(scope, len(vectors))
            kept(len(vectors))


def _hash(item: Item) -> str:
    return embedding_hash(embedding_text(item))
