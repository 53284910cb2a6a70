"""Background work of one memory: learning, indexing and upkeep. Jobs live in the store, so nothing is lost when a process ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from pagefile.behind import WriteBehind
from pagefile.compactor import Compactor
from pagefile.costs import Spent
from pagefile.events import Usage
from pagefile.foreground import Foreground
from pagefile.indexer import EMBED, Indexer, Reindexed
from pagefile.learner import LEARN, SETTLED, Learner, ModelLearner
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.ports import NewJob, Operation
from pagefile.recorder import Recorder
from pagefile.records import Scope
from pagefile.runner import LEASE_SECONDS, Runner
from pagefile.summariser import Summariser
from pagefile.upkeep import Upkeep

logger = logging.getLogger(__name__)

#: How long a search waits for what was just written to be learnt from and indexed.
PATIENCE_SECONDS = 1.0
#: Seconds between two looks at what other processes have in hand.
POLL_OTHERS = 0.1
#: Work a search waits for, so that it sees what the same program has just written; more is left to the background.
CATCH_UP = 64
#: Scopes that are known to have been looked into, and jobs that are looked through in one, for what other programs have left to be learnt.
_MOST_LOOKED_AT = 1_000


class Worker:
    """Runs the jobs of one store. Several processes may each run one on the same store."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.recorder = Recorder(parts, self.wrote, self.note)
        self.behind = WriteBehind(parts)
        #: Items this program has written that may still want a vector, by scope; and how often it said something to learn from.
        self._written: Counter[Scope] = Counter()
        self._said: Counter[Scope] = Counter()
        #: Scopes in which it was looked for what other programs have left to be learnt from.
        self._looked: set[Scope] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        #: Told of each vector that was written.
        self._listeners: list[Callable[[int], None]] = []
        self._indexer = Indexer(parts, self._embedded)
        self._indexing = Runner(parts, self._indexer)
        self._foreground = Foreground()
        self._learning = Runner(parts, Learner(parts, self.recorder, lambda: self._learning.wake()), self._foreground)
        self._reading = Runner(parts, ModelLearner(parts, self.recorder), self._foreground)
        self._shortening = [Runner(parts, handler, self._foreground) for handler in (Summariser(parts), Compactor(parts))]
        self.upkeep = Upkeep(parts, self.recorder)
        self._keeping_up = Runner(parts, self.upkeep, self._foreground)

    @property
    def trouble(self) -> str | None:
        """Why the last attempt of some work failed; None: all is well."""
        return next((runner.trouble for runner in self._runners() if runner.trouble), None)

    def _runners(self) -> list[Runner]:
        """In the order in which one makes work for the next."""
        learning, parts = [], self._parts
        if parts.learning.by != "off":
            learning = [self._learning, self._reading] if parts.learning.by == "model" else [self._learning]
        return [*learning, *self._shortening, self._keeping_up, *([self._indexing] if parts.embedder is not None else [])]

    def start(self) -> None:
        """Begin to work in the background of the running event loop."""
        for runner in self._runners():
            runner.start()

    async def stop(self) -> None:
        """Stop after the batch in hand. What is left stays in the store."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *(runner.stop() for runner in self._runners()), return_exceptions=True)
        await self.behind.close()

    def wrote(self, scope: Scope, items: int, *, answer_follows: bool = False) -> None:
        """Say that items were written that want a vector. ``answer_follows``: somebody waits for the reply to them, which is not to share
        the processor with this."""
        if self._parts.embedder is not None and items:
            self._written[scope] += items
            if answer_follows:
                self._indexing.wake_later(SETTLED)
            else:
                self._indexing.wake()

    def said(self, scope: Scope) -> None:
        """Say that there is a job to learn from what was said."""
        if self._parts.learning.by != "off":
            self._foreground.busy()
            self._said[scope] += 1
            self._learning.wake_later(SETTLED)

    def note(self, scope: Scope, operation: Operation) -> None:
        """Put a line into the operations log."""
        self.behind.note(scope, operation)

    def pay(self, scope: Scope, usage: Usage) -> None:
        """Add what a chat turn took to the costs of the day."""
        self.behind.pay(scope, self._parts.now().astimezone(self._parts.zone).date(), Spent.of(usage))

    def used(self, scope: Scope, records: Sequence[str]) -> None:
        """Count a use of records that were shown."""
        if records:
            self.behind.use(scope, records, self._parts.now())

    async def catch_up(self, scope: Scope) -> None:
        """Learn from what this program has just written and make its vectors, if it is little. Called before a search, which waits a
        second at most: what is not done by then is found by its words, and goes on in the background."""
        await self._look_once(scope)
        if self._said[scope] or 0 < self._written[scope] <= CATCH_UP:
            task = asyncio.create_task(self._finish(scope), name="pagefile-catch-up")
            self._tasks.add(task)
            task.add_done_callback(self._finished)
            await asyncio.wait({task}, timeout=PATIENCE_SECONDS)

    async def _look_once(self, scope: Scope) -> None:
        """See whether another program left something to be learnt from here."""
        if scope in self._looked or self._parts.learning.by == "off":
            return
        if len(self._looked) >= _MOST_LOOKED_AT:
            self._looked.clear()
        self._looked.add(scope)
        waiting = await self._parts.store.jobs(scope=scope, state="queued", limit=_MOST_LOOKED_AT)
        self._said[scope] += sum(job.kind == LEARN for job in waiting.items)

    async def read_again(self, scope: Scope, ids: Sequence[str]) -> None:
        """Learn from those of these items that are messages: they may have been out of sight when it was their turn."""
        found = await self._parts.store.get(scope, ids)
        messages = [item.id for item in found if isinstance(item, Message)]
        if messages and self._parts.learning.by != "off":
            await self._parts.store.enqueue(scope, [NewJob(kind=LEARN, payload={"ids": messages})])
            self.said(scope)

    async def _finish(self, scope: Scope) -> None:
        if said := self._said[scope]:
            await self._learning.finish(scope)
            # Not what was said meanwhile: the next search waits for that.
            self._said -= Counter({scope: said})
        if self._parts.embedder is not None and 0 < self._written[scope] <= CATCH_UP:
            await self._indexing.finish(scope)
            del self._written[scope]  # what is left failed, and waits for another try

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("what was just written could not be learnt from or indexed before a search: %s", error)

    async def settle(self, scope: Scope, seconds: float) -> int:
        """Work until nothing of this scope is ready or in hand, for so many seconds at most; returns how many of its jobs are left. What is
        not done by then goes on in the background."""
        task = asyncio.create_task(self._settle(scope, time.monotonic() + seconds), name="pagefile-settle")
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        await asyncio.wait({task}, timeout=seconds)
        return await self._left(scope)

    async def _settle(self, scope: Scope, deadline: float) -> None:
        while True:
            for runner in self._runners():
                if runner is not self._keeping_up:
                    await runner.finish(scope)
            # What another process has in hand is waited for.
            if time.monotonic() >= deadline or not await self._in_other_hands(scope):
                return
            await asyncio.sleep(POLL_OTHERS)

    async def flush(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Work until nothing is ready; returns how many jobs are left (waiting for another try, or in another process's hands).

        ``progress`` is told how many vectors were made, of how many that this program still wants.
        """
        with self._telling(progress, self._written.total()):
            await self._drain()
            deadline = time.monotonic() + 2 * LEASE_SECONDS
            # What another process has in hand, or had when it died, is waited for and taken over.
            while time.monotonic() < deadline and await self._in_other_hands():
                await asyncio.sleep(POLL_OTHERS)
                await self._drain()
        self._written.clear()
        await self.behind.flush()
        return await self._left()

    async def _drain(self) -> None:
        for runner in self._runners():
            await runner.drain()

    async def _in_other_hands(self, scope: Scope | None = None) -> bool:
        """Whether another process works at something that is awaited. Upkeep has its own time."""
        awaited = {kind for runner in self._runners() if runner is not self._keeping_up for kind in runner.kinds}
        running = await self._parts.store.jobs(scope=scope, state="running", limit=1_000)
        return any(job.kind in awaited for job in running.items)

    async def _left(self, scope: Scope | None = None) -> int:
        """Jobs that wait or run, of all or of one scope, but for those of upkeep, which have their own time, and those that nobody does at
        present."""
        awaited = {kind for runner in self._runners() if runner is not self._keeping_up for kind in runner.kinds}
        after, left = None, 0
        while True:
            page = await self._parts.store.jobs(scope=scope, after=after, limit=1_000)
            left += sum(job.state != "dead" and job.kind in awaited for job in page.items)
            if page.cursor is None:
                return left
            after = page.cursor

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of jobs that are done here."""
        return tuple(kind for runner in self._runners() for kind in runner.kinds)

    async def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Note anew what all records name, make every missing vector of the current embedder, then drop those of others. It can be stopped
        and run again.

        ``progress`` is told how many vectors are done, of how many. Raises EmbedderError, keeping what was done.
        """
        after: str | None = None
        while True:
            page = await self._parts.store.scopes(after=after)
            for scope in page.items:
                await self._parts.store.name_anew(scope)
            if (after := page.cursor) is None:
                break
        done = await self._indexer.fill(progress)
        dead = [job.id for job in (await self._parts.store.jobs(state="dead", limit=10_000)).items if job.kind == EMBED]
        # Now that the embedder works, what was given up is done at once.
        await self._parts.store.revive(dead, now=self._parts.now())
        await self.flush()
        return done

    def _embedded(self, scope: Scope, vectors: int) -> None:
        self._written -= Counter({scope: vectors})
        for tell in self._listeners:
            tell(vectors)

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
