"""One turn at a time in a session: a queue within this program, and a lease in the store that other programs see.

A program that dies keeps a session until its lease runs out; one that is at work renews it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

import anyio

from pagefile.errors import SessionBusy, StoreError
from pagefile.parts import Parts
from pagefile.records import Scope

logger = logging.getLogger(__name__)

#: A session is nobody else's for so long, and longer as long as a turn goes on in it. After a crash it stays taken for so long.
LEASE_SECONDS = 15.0
#: How long a turn waits for others to end.
WAIT_SECONDS = 600.0
#: Seconds between two looks whether another program has given a session free: at first, and at most.
_SOON, _LATER = 0.02, 0.5

#: Sessions in which turns go on or wait, also where two objects stand for one. Kept only as long as one of these is.
_in_line: WeakValueDictionary[tuple[int, Scope, str], anyio.Semaphore] = WeakValueDictionary()


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
    async def alone(self) -> AsyncIterator[None]:
        """Hold the session. Raises SessionBusy if it is not free in time; StoreError."""
        until = time.monotonic() + self._wait_seconds
        with anyio.move_on_after(self._wait_seconds) as waiting:
            await self._line.acquire()
        if waiting.cancelled_caught:
            raise self._busy()
        holder = uuid.uuid4().hex
        try:
            # From here on it may be held, also if this is cancelled before the store has answered.
            await self._take(holder, until)
            keeping = asyncio.create_task(self._keep(holder), name="pagefile-turn")
            try:
                yield
            finally:
                keeping.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await self._give_free(holder)
            self._line.release()

    async def _take(self, holder: str, until: float) -> None:
        pause = _SOON
        while not await self._hold(holder):
            if time.monotonic() >= until:
                raise self._busy()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LATER)

    async def _hold(self, holder: str) -> bool:
        return await self._parts.store.hold(self._scope, self._session, holder, now=self._parts.now(), lease_seconds=LEASE_SECONDS)

    async def _keep(self, holder: str) -> None:
        """Renew the lease until this is cancelled."""
        held = True
        while held:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                held = await self._hold(holder)
            except StoreError as error:
                logger.warning("a session could not be kept for this program: %s", error)
        # This program was stopped for so long that it was taken for dead. What it still says is kept all the same.
        logger.warning("another program has begun a turn in the session %r, in which one goes on here", self._session)

    async def _give_free(self, holder: str) -> None:
        try:
            await self._parts.store.let_go(self._scope, self._session, holder)
        except StoreError as error:
            # What was said is kept; the lease runs out by itself.
            logger.warning("a session could not be given free, others wait for it %g seconds: %s", LEASE_SECONDS, error)

    def _busy(self) -> SessionBusy:
        return SessionBusy(
            f"another turn of the session {self._session!r} goes on, and did not end within {self._wait_seconds:g} seconds; nothing was "
            "said. Try again later, or use another session"
        )
