"""Background work: makes the vectors of what was written. Jobs live in the store, so nothing is lost when a process ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pagefile.errors import EmbedderError, InvalidVector
from pagefile.parts import Parts
from pagefile.ports import Job, NewVector, Unembedded
from pagefile.queries import Item
from pagefile.records import Scope
from pagefile.retrieval.indexing import embedding_hash, embedding_text

logger = logging.getLogger(__name__)

EMBED = "embed"
#: Jobs claimed at once.
CLAIM = 64
#: How long a search waits for vectors.
PATIENCE_SECONDS = 1.0
#: Texts embedded in one call, and texts of several jobs that are done together.
BATCH = 64
GROUP = 4 * BATCH
#: Work a search waits for, so that it sees by meaning what the same program has just written; more is left to the background.
CATCH_UP = 64
LEASE_SECONDS = 120.0
#: Items looked up at once by ``reindex``: each look counts what is left.
_PAGE = 16 * BATCH
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
        self._tasks: set[asyncio.Task[None]] = set()
        #: Told of each vector that was written.
        self._listeners: list[Callable[[int], None]] = []
        #: Why the last attempt failed; None: the last one succeeded.
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin to work in the background of the running event loop."""
        if self._parts.embedder is not None and self._task is None:
            self._task = asyncio.create_task(self._run(), name="pagefile-worker")

    async def stop(self) -> None:
        """Stop after the batch in hand. What is left stays in the store."""
        tasks = {*self._tasks, *({self._task} if self._task else ())}
        self._task = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def wrote(self, scope: Scope, items: int) -> None:
        """Say that items were written that want a vector."""
        if self._parts.embedder is not None and items:
            self._written[scope] += items
            self._wake.set()

    async def catch_up(self, scope: Scope) -> None:
        """Make the vectors of what this program has just written, if they are few. Called before a search, which waits a second at most:
        what is not done by then is found by its words, and goes on in the background."""
        if 0 < self._written[scope] <= CATCH_UP:
            task = asyncio.create_task(self._finish(scope), name="pagefile-catch-up")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            await asyncio.wait({task}, timeout=PATIENCE_SECONDS)

    async def _finish(self, scope: Scope) -> None:
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
        with self._telling(progress, self._written.total()):
            while await self._work() or self._in_hand.total():
                async with self._put_down:
                    await self._put_down.wait_for(lambda: not self._in_hand.total())
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
        page = await self._parts.store.unembedded(embedder.id, limit=_PAGE)
        done = 0
        with self._telling(progress, page.total):
            while page.items:
                await self._embed_all(page.items)
                done += len(page.items)
                if page.cursor is None:
                    break
                page = await self._parts.store.unembedded(embedder.id, after=page.cursor, limit=_PAGE)
        left = (await self._parts.store.unembedded(embedder.id, limit=1)).total
        if not left:
            await self._parts.store.drop_vectors(embedder.id)
        await self._revive()
        return Reindexed(embedded=done, left=left)

    @contextlib.contextmanager
    def _telling(self, progress: Callable[[int, int], None] | None, wanted: int) -> Iterator[None]:
        """Tell of each vector written meanwhile."""
        made = 0

        def tell(vectors: int) -> None:
            nonlocal made
            made += vectors
            if progress is not None:
                progress(made, max(made, wanted))

        self._listeners.append(tell)
        try:
            yield
        finally:
            self._listeners.remove(tell)

    async def _revive(self) -> None:
        """Queue again what was given up: now that the embedder works, it is done at once."""
        dead = [job.id for job in (await self._parts.store.jobs(state="dead", limit=10_000)).items if job.kind == EMBED]
        await self._parts.store.revive(dead, now=self._parts.now())
        await self.flush()

    async def _run(self) -> None:
        while True:
            # Before the claim: what is written while it goes on wakes the loop again.
            self._wake.clear()
            try:
                worked = await self._work()
            except Exception as error:
                # A background loop must outlive a passing fault (a full disk, a locked file); it is told, not swallowed.
                self.trouble = str(error)
                logger.exception("background indexing failed; it is tried again")
                worked = False
            if not worked:
                # Not wait_for: in Python 3.11 it can swallow the cancellation that ends this loop.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()

    async def _work(self, scope: Scope | None = None) -> bool:
        """Claim and do some jobs; False if there were none or they failed."""
        now = self._parts.now()
        jobs = await self._parts.store.claim([EMBED], now=now, lease_seconds=LEASE_SECONDS, limit=CLAIM, scope=scope)
        self._in_hand.update(job.scope for job in jobs)
        started, waiting = time.monotonic(), deque(jobs)
        error: EmbedderError | None = None
        try:
            while waiting and time.monotonic() - started < LEASE_SECONDS / 2:
                await self._do(waiting)
        except EmbedderError as failure:
            error = failure
        finally:
            # When this is cancelled too: a job that is kept until its lease runs out is nobody's for minutes.
            await self._put_back(waiting, error, now)
        if jobs:
            self.trouble = None if error is None else str(error)
        return bool(jobs) and error is None

    async def _put_back(self, waiting: Iterable[Job], error: EmbedderError | None, now: datetime) -> None:
        for job in waiting:
            retry_at = now + backoff(job.attempts) if error else now
            given_up = error is not None and job.attempts >= MAX_ATTEMPTS
            await self._parts.store.fail(
                job.id, error=str(error or "put back in the middle of work"), now=now, retry_at=None if given_up else retry_at
            )
        await self._let_go(job.scope for job in waiting)

    async def _do(self, waiting: deque[Job]) -> None:
        """Do the first jobs that wait, about a batch of texts or one job, and take them out."""
        chosen: list[Job] = []
        wanted: list[Unembedded] = []
        for job in waiting:
            if chosen and len(wanted) + len(job.payload["ids"]) > GROUP:
                break
            chosen.append(job)
            items = await self._parts.store.get(job.scope, job.payload["ids"])
            wanted += [Unembedded(scope=job.scope, item=item, hash=_hash(item)) for item in items if item is not None]
        await self._embed_all(wanted)
        await self._parts.store.complete([job.id for job in chosen])
        for _ in chosen:
            waiting.popleft()
        await self._let_go(job.scope for job in chosen)

    async def _let_go(self, scopes: Iterable[Scope]) -> None:
        self._in_hand.subtract(scopes)
        self._in_hand += Counter()  # drops what is at 0
        async with self._put_down:
            self._put_down.notify_all()

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
            for tell in self._listeners:
                tell(len(vectors))


def _hash(item: Item) -> str:
    return embedding_hash(embedding_text(item))
