"""Runs durable jobs in the background: claims them, hands them on, puts back what failed with patience, and outlives every fault."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from pagefile.errors import EmbedderError, ModelUnavailable, PagefileError, StoreError
from pagefile.foreground import Foreground
from pagefile.parts import Parts
from pagefile.ports import Job
from pagefile.records import Scope

logger = logging.getLogger(__name__)

#: Jobs claimed at once; see ``Handler``.
CLAIM = 64
#: They are nobody else's for so long, and longer as long as they are worked on. A process that dies keeps them so long.
LEASE_SECONDS = 15.0
#: Also the time in which work left by another process is noticed.
POLL_SECONDS = 2.0
_MOMENT = timedelta(microseconds=1)
#: Attempts before a job is given up because what all jobs need is out of order: more than an hour of them.
OUTAGE_ATTEMPTS = 25
_OUTAGES = (ModelUnavailable, EmbedderError, StoreError)


def backoff(attempts: int) -> timedelta:
    """Time to wait after a failed attempt: 2, 4, 8 … seconds, at most five minutes."""
    return timedelta(seconds=min(2.0 ** min(attempts, 20), 300.0))


class TooEarly(Exception):
    """Raised by a handler: the job is to wait. No attempt is counted. ``why``: what a person should know of it, if anything."""

    def __init__(self, ready_at: datetime, why: str | None = None) -> None:
        super().__init__(why or f"not before {ready_at.isoformat()}")
        self.ready_at = ready_at
        self.why = why


class Handler(Protocol):
    """Does the jobs of some kinds."""

    kinds: tuple[str, ...]
    #: After so many attempts a job is given up, and stays visible. See ``OUTAGE_ATTEMPTS``, too.
    max_attempts: int
    #: When somebody waits, jobs are done this much before their time.
    ahead: timedelta
    #: Jobs that are claimed at once.
    at_once: int

    def portion(self, waiting: Sequence[Job]) -> int:
        """How many of the first of these jobs to do together; at least 1."""
        ...

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        """Do these jobs. May be called again for a job that was done already: a process can end before it says so.

        ``hurry``: somebody waits for it. Raises TooEarly, or what went wrong.
        """
        ...


@dataclass(slots=True)
class _Hurry:
    """Somebody waits."""

    #: Jobs are looked for that are ready by then.
    until: datetime
    #: Claimed, but they have failed and must wait.
    kept: list[Job] = field(default_factory=list)


class Runner:
    """Runs the jobs of one handler, one portion after another. Several processes may each have one on the same store."""

    def __init__(self, parts: Parts, handler: Handler, foreground: Foreground | None = None) -> None:
        """``foreground``: what it gives way to while nobody waits for it."""
        self.kinds = handler.kinds
        self._foreground = foreground or Foreground()
        self._parts = parts
        self._handler = handler
        self._wake = asyncio.Event()
        #: Jobs in hand, by scope.
        self._in_hand: Counter[Scope] = Counter()
        self._put_down = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        #: It is woken then, and once more, if it was asked to after that was settled.
        self._alarm: asyncio.TimerHandle | None = None
        self._once_more = False
        #: Why the last attempt failed; None: the last one succeeded.
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin to work in the background of the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"pagefile-{self._handler.kinds[0]}")

    async def stop(self) -> None:
        """Stop at once. What is left stays in the store."""
        task, self._task = self._task, None
        if self._alarm is not None:
            self._alarm.cancel()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def wake(self) -> None:
        """Say that there is a new job."""
        self._wake.set()

    def wake_later(self, after: timedelta) -> None:
        """Say that there will be a new job after so long. To look for it at once would cost each who says so a transaction."""
        if self._alarm is not None:
            self._once_more = True
            return
        self._alarm = asyncio.get_running_loop().call_later(after.total_seconds(), self._ring, after)

    def _ring(self, after: timedelta) -> None:
        self._alarm = None
        self._wake.set()
        if self._once_more:
            self._once_more = False
            self.wake_later(after)

    async def finish(self, scope: Scope) -> None:
        """Work until nothing of this scope is ready or in hand."""
        async with self._hurrying() as hurry:
            while (done := await self._work(hurry, scope=scope)) and (done >= self._handler.at_once or self._wake.is_set()):
                # Fewer than it may take were all there were, unless it was told of more meanwhile.
                self._wake.clear()
        async with self._put_down:
            await self._put_down.wait_for(lambda: not self._in_hand[scope])

    async def drain(self) -> None:
        """Work until nothing is ready or in hand."""
        async with self._hurrying() as hurry:
            while await self._work(hurry) or self._in_hand.total():
                async with self._put_down:
                    await self._put_down.wait_for(lambda: not self._in_hand.total())

    @contextlib.asynccontextmanager
    async def _hurrying(self) -> AsyncIterator[_Hurry]:
        """Look for jobs up to a time that stands, and keep those that must wait until all others are done."""
        hurry = _Hurry(until=self._parts.now() + self._handler.ahead)
        try:
            yield hurry
        finally:
            await self._put_back(hurry.kept)

    async def _run(self) -> None:
        while True:
            # Before the claim: what is written while it goes on wakes the loop again.
            self._wake.clear()
            try:
                done = await self._work()
            except Exception as error:
                # A background loop must outlive a passing fault (a full disk, a locked file); it is told, not swallowed.
                self.trouble = str(error)
                logger.exception("background work failed; it is tried again")
                done = 0
            if done < self._handler.at_once:
                # Not wait_for: in Python 3.11 it can swallow the cancellation that ends this loop.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()

    async def _work(self, hurry: _Hurry | None = None, *, scope: Scope | None = None) -> int:
        """Claim and do some jobs; returns how many, 0 if there were none, or what they need is out of order."""
        now, most = self._parts.now(), self._handler.at_once
        until = now if hurry is None else hurry.until
        claimed = await self._parts.store.claim(
            self._handler.kinds, now=now, ready_by=until, lease_seconds=LEASE_SECONDS, limit=most, scope=scope
        )
        # What has failed waits its time, whoever is in a hurry.
        waiting = deque(job for job in claimed if job.attempts <= 1 or job.ready_at <= now)
        if hurry is not None:
            hurry.kept += [job for job in claimed if job.attempts > 1 and job.ready_at > now]
        if not waiting:
            return len(claimed)
        self._in_hand.update(job.scope for job in waiting)
        sound = True
        keeping = asyncio.create_task(self._keep(waiting), name="pagefile-lease")
        try:
            while sound and waiting:
                portion = [waiting[place] for place in range(self._handler.portion(waiting))]
                began = time.monotonic()
                sound = await self._do(portion, until=until, hurry=hurry is not None)
                if hurry is None:
                    await self._foreground.give_way(time.monotonic() - began)
                for _ in portion:
                    waiting.popleft()
                await self._let_go(portion)
        finally:
            # When this is cancelled too: a job that is kept until its lease runs out is nobody's until then.
            keeping.cancel()
            await self._put_back(waiting)
            await self._let_go(waiting)
        return len(claimed) if sound else 0

    async def _put_back(self, jobs: Iterable[Job]) -> None:
        """Release jobs that were claimed and not begun, as far as the store can: a failure here would take the place of a cancellation."""
        for job in jobs:
            try:
                await self._parts.store.release([job.id], ready_at=job.ready_at)
            except StoreError as error:
                logger.warning("a job could not be put back, and waits until its lease runs out: %s", error)

    async def _keep(self, jobs: Collection[Job]) -> None:
        """Renew the lease of jobs while they are worked on, until this is cancelled."""
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                await self._parts.store.renew([job.id for job in jobs], now=self._parts.now(), lease_seconds=LEASE_SECONDS)
            except StoreError as error:
                # Somebody else may do them a second time; whatever is done twice is written once.
                logger.warning("background work could not be kept for this program: %s", error)

    async def _do(self, jobs: Sequence[Job], *, until: datetime, hurry: bool) -> bool:
        """Do a portion and settle its jobs; False if others would fail as well."""
        store = self._parts.store
        try:
            await self._handler.do(jobs, hurry=hurry)
        except TooEarly as early:
            # After the time by which jobs are looked for now, lest they are found again at once.
            ready_at = max(early.ready_at, until + _MOMENT)
            await store.release([job.id for job in jobs], ready_at=ready_at)
            self.trouble = early.why
            return True
        except Exception as error:
            if not isinstance(error, PagefileError):
                # One job that cannot be done must not keep the others waiting.
                logger.exception("a job of kind %r failed; it is tried again", jobs[0].kind)
            self.trouble = str(error) or type(error).__name__
            outage, now = isinstance(error, _OUTAGES), self._parts.now()
            most = max(self._handler.max_attempts, OUTAGE_ATTEMPTS if outage else 0)
            for job in jobs:
                retry_at = None if job.attempts >= most else now + backoff(job.attempts)
                await store.fail(job.id, error=self.trouble, now=now, retry_at=retry_at)
            return not outage
        await store.complete([job.id for job in jobs])
        self.trouble = None
        return True

    async def _let_go(self, jobs: Iterable[Job]) -> None:
        self._in_hand.subtract(job.scope for job in jobs)
        self._in_hand += Counter()  # drops what is at 0
        async with self._put_down:
            self._put_down.notify_all()
