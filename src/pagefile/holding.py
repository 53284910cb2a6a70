"""One turn at a time in a session: a queue within this program, and a lease in the store that other programs see.

The lease is taken with the message that begins the turn and given free with the reply, each in one transaction with it.
A program that dies keeps a session until its lease runs out; one that is at work renews it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio

from pagefile.errors import SessionBusy, StoreError
from pagefile.messages import Lease
from pagefile.parts import Parts
from pagefile.records import Scope

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: A session is nobody else's for so long, and longer as long as a turn goes on in it. After a crash it stays taken for so long.
LEASE_SECONDS = 15.0
#: How long a turn waits for others to end.
WAIT_SECONDS = 600.0
#: Seconds between two looks whether another program has given a session free: at first, and at most.
_SOON, _LATER = 0.02, 0.5

#: Sessions in which turns go on or wait, also where two objects stand for one. Kept only as long as one of these is.
_in_line: WeakValueDictionary[tuple[int, Scope, str], anyio.Semaphore] = WeakValueDictionary()


class Hold:
    """A session that this program has, from the message on that begins a turn until the reply that ends it."""

    def __init__(self, parts: Parts, scope: Scope, session: str, *, until: float, busy: Callable[[], SessionBusy]) -> None:
        self._parts, self._scope, self._session = parts, scope, session
        self._until, self._busy = until, busy
        self._holder = uuid.uuid4().hex
        self._taken = False
        self._keeping: asyncio.Task[None] | None = None

    async def begin(self, append: Callable[[Lease], Awaitable[T]]) -> T:
        """Append what begins the turn, once the session is free. Raises SessionBusy if it is not free in time."""
        pause = _SOON
        # From here on it may be held, also if this is cancelled before the store has answered.
        self._taken = True
        while True:
            try:
                appended = await append(self._lease(LEASE_SECONDS))
                break
            except SessionBusy:
                if time.monotonic() >= self._until:
                    raise self._busy() from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LATER)
        self._keeping = asyncio.create_task(self._keep(), name="pagefile-turn")
        return appended

    def ending(self) -> Lease:
        """What the last append of the turn goes with. If that fails, ``end`` must still be called."""
        return self._lease(0.0)

    def ended(self) -> None:
        """Say that the last append was made: the session is free."""
        self._taken = False
        if self._keeping is not None:
            self._keeping.cancel()

    async def end(self) -> None:
        """Give the session free, unless that was done."""
        if self._taken:
            self.ended()
            try:
                await self._parts.store.let_go(self._scope, self._session, self._holder)
            except StoreError as error:
                # What was said is kept; the lease runs out by itself.
                logger.warning("a session could not be given free, others wait for it %g seconds: %s", LEASE_SECONDS, error)

    def _lease(self, seconds: float) -> Lease:
        return Lease(holder=self._holder, now=self._parts.now(), seconds=seconds)

    async def _keep(self) -> None:
        """Renew the lease until this is cancelled."""
        held = True
        while held:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                held = await self._parts.store.hold(self._scope, self._session, self._lease(LEASE_SECONDS))
            except StoreError as error:
                logger.warning("a session could not be kept for this program: %s", error)
        # This program was stopped for so long that it was taken for dead. What it still says is kept all the same.
        logger.warning("another program has begun a turn in the session %r, in which one goes on here, or it was erased", self._session)


class OneTurn:
    """The turns of one session, one after the other, in the order they came in this program."""

    def __init__(self, parts: Parts, scope: Scope, session: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._parts = parts
        self._scope = scope
        self._session = session
        self._wait_seconds = wait_seconds
        # No lock that knows its task: a stream may be closed by another task than the one that reads it.
        self._line = _in_line.setdefault((id(parts.store), scope, session), anyio.Semaphore(1))

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[Hold]:
        """Wait for the turns before this one in this program. Raises SessionBusy if they do not end in time; StoreError."""
        until = time.monotonic() + self._wait_seconds
        with anyio.move_on_after(self._wait_seconds) as waiting:
            await self._line.acquire()
        if waiting.cancelled_caught:
            raise self._busy()
        hold = Hold(self._parts, self._scope, self._session, until=until, busy=self._busy)
        try:
            yield hold
        finally:
            with anyio.CancelScope(shield=True):
                await hold.end()
            self._line.release()

    def _busy(self) -> SessionBusy:
        return SessionBusy(
            f"another turn of the session {self._session!r} goes on, and did not end within {self._wait_seconds:g} seconds; nothing was "
            "said. Try again later, or use another session"
        )
