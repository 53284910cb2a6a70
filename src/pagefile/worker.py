"""Background work: makes the vectors of what was written. Jobs live in the store, so nothing is lost when a process ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pagefile.errors import EmbedderError, InvalidVector
from pagefile.parts import Parts
from pagefile.ports import Job, NewVector, Unembedded
from pagefile.queries import Item
from pagefile.records import Scope
from pagefile.retrieval.indexing import embedding_hash, embedding_text

logger = logging.getLogger(__name__)

EMBED = "embed"
#: Jobs claimed at once.
CLAIM = 256
#: Texts embedded in one call.
BATCH = 64
#: Work a search waits for, so that it sees by meaning what the same program has just written; more is left to the background.
CATCH_UP = 64
LEASE_SECONDS = 120.0
#: Also the time in which work left by another process is noticed.
POLL_SECONDS = 2.0
MAX_ATTEMPTS = 25


def backoff(attempts: int) -> timedelta:
    """Time to wait after a failed attempt: 2, 4, 8 … seconds, at most five minutes."""
    return timedelta(seconds=min(2.0 ** min(attempts, 20), 300.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """What ``reindex`` did."""

    embedded: int
    #: Items that still have no vector.
    left: int


class Worker:
    """Runs the jobs of one store. Several processes may each run one on the same store."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._wake = asyncio.Event()
        #: Items this program has written that may still want a vector, and jobs it has in hand, by scope.
        self._written: Counter[Scope] = Counter()
        self._in_hand: Counter[Scope] = Counter()
        self._put_down = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        #: Told of each vector that was written.
        self._on_written: Callable[[int], None] | None = None
        #: Why the last attempt failed; None: the last one succeeded.
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin to work in the background of the running event loop."""
        if self._parts.embedder is not None and self._task is None:
            self._task = asyncio.create_task(self._run(), name="pagefile-worker")

    async def stop(self) -> None:
        """Stop after the batch in hand. What is left stays in the store."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def wrote(self, scope: Scope, items: int) -> None:
        """Say that items were written that want a vector."""
        if self._parts.embedder is not None and items:
            self._written[scope] += items
            self._wake.set()

    async def catch_up(self, scope: Scope) -> None:
        """Make the vectors of what this program has just written, if they are few. Called before a search."""
        if 0 < self._written[scope] <= CATCH_UP:
            while await self._work(scope=scope):
                pass
            async with self._put_down:
                await self._put_down.wait_for(lambda: not self._in_hand[scope])
            del self._written[scope]  # what is left failed, and waits for another try

    async def flush(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Work until nothing is ready; returns how many jobs are left (waiting for another try, or in another process's hands).

        ``progress`` is told how many vectors were made, of how many that this program still wants.
        """
        if self._parts.embedder is None:
            return 0
        made, wanted = 0, self._written.total()

        def tell(vectors: int) -> None:
            nonlocal made
            made += vectors
            if progress is not None:
                progress(made, max(made, wanted))

        self._on_written = tell
        try:
            while await self._work() or self._in_hand.total():
                async with self._put_down:
                    await self._put_down.wait_for(lambda: not self._in_hand.total())
        finally:
            self._on_written = None
        self._written.clear()
        queued = await self._parts.store.jobs(state="queued", limit=1)
        running = await self._parts.store.jobs(state="running", limit=1)
        return queued.total + running.total

    async def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Make every missing vector of the current embedder, then drop those of others. It can be stopped and run again.

        ``progress`` is told how many are done, of how many. Raises EmbedderError, keeping what was done.
        """
        embedder = self._parts.embedder
        if embedder is None:
            raise EmbedderError('there is no embedder to make vectors with; install "pagefile[local]" or set PAGEFILE_EMBEDDER')
        page = await self._parts.store.unembedded(embedder.id, limit=BATCH)
        done, total = 0, page.total
        while page.items:
            await self._embed_all(page.items)
            done += len(page.items)
            if progress is not None:
                progress(done, max(done, total))
            if page.cursor is None:
                break
            page = await self._parts.store.unembedded(embedder.id, after=page.cursor, limit=BATCH)
        left = (await self._parts.store.unembedded(embedder.id, limit=1)).total
        if not left:
            await self._parts.store.drop_vectors(embedder.id)
        await self._revive()
        return Reindexed(embedded=done, left=left)

    async def _revive(self) -> None:
        """Queue again what was given up: now that the embedder works, it is done at once."""
        dead = [job.id for job in (await self._parts.store.jobs(state="dead", limit=10_000)).items if job.kind == EMBED]
        await self._parts.store.revive(dead, now=self._parts.now())
        await self.flush()

    async def _run(self) -> None:
        while True:
            try:
                worked = await self._work()
            except Exception as error:
                # A background loop must outlive a passing fault (a full disk, a locked file); it is told, not swallowed.
                self.trouble = str(error)
                logger.exception("background indexing failed; it is tried again")
                worked = False
            if not worked:
                self._wake.clear()
                # Not wait_for: in Python 3.11 it can swallow the cancellation that ends this loop.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()

    async def _work(self, scope: Scope | None = None) -> bool:
        """Claim and do some jobs; False if there were none or they failed."""
        store, now = self._parts.store, self._parts.now()
        jobs = await store.claim([EMBED], now=now, lease_seconds=LEASE_SECONDS, limit=CLAIM, scope=scope)
        if not jobs:
            return False
        scopes = Counter(job.scope for job in jobs)
        self._in_hand += scopes
        try:
            await self._embed_all([one for job in jobs for one in await self._wanted(job)])
            await store.complete([job.id for job in jobs])
        except EmbedderError as error:
            self.trouble = str(error)
            for job in jobs:
                retry_at = None if job.attempts >= MAX_ATTEMPTS else now + backoff(job.attempts)
                await store.fail(job.id, error=str(error), now=now, retry_at=retry_at)
            return False
        finally:
            self._in_hand -= scopes
            async with self._put_down:
                self._put_down.notify_all()
        self.trouble = None
        return True

    async def _wanted(self, job: Job) -> list[Unembedded]:
        items = await self._parts.store.get(job.scope, job.payload["ids"])
        return [Unembedded(scope=job.scope, item=item, hash=_hash(item)) for item in items if item is not None]

    async def _embed_all(self, wanted: Sequence[Unembedded]) -> None:
        """Batch by batch, writing one while the next is embedded."""
        writing = asyncio.create_task(self._write(()))
        try:
            for start in range(0, len(wanted), BATCH):
                made = await self._embed(wanted[start : start + BATCH])
                await writing
                writing = asyncio.create_task(self._write(made))
        finally:
            await writing

    async def _embed(self, items: Sequence[Unembedded]) -> list[tuple[Scope, NewVector]]:
        embedder = self._parts.embedder
        assert embedder is not None
        try:
            vectors = await embedder.embed([embedding_text(one.item) for one in items])
        except InvalidVector as error:
            if len(items) == 1:
                # Tried again it would come out the same; the text stays findable by words.
                logger.warning("no usable vector for %s: %s", items[0].item.id, error)
                return []
            return [made for one in items for made in await self._embed([one])]
        return [(one.scope, NewVector(id=one.item.id, hash=one.hash, vector=vector)) for one, vector in zip(items, vectors, strict=True)]

    async def _write(self, made: Sequence[tuple[Scope, NewVector]]) -> None:
        embedder = self._parts.embedder
        assert embedder is not None
        by_scope: dict[Scope, list[NewVector]] = {}
        for scope, vector in made:
            by_scope.setdefault(scope, []).append(vector)
        for scope, vectors in by_scope.items():
            await self._parts.store.put_vectors(scope, embedder.id, vectors)
            self._written[scope] = max(0, self._written[scope] - len(vectors))
            if self._on_written is not None:
                self._on_written(len(vectors))


def _hash(item: Item) -> str:
    return embedding_hash(embedding_text(item))
