"""The operations log: what was asked of a memory and what came of it, written behind the caller's back so that a search stays fast."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import Sequence
from datetime import datetime

from pagefile.errors import StoreError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.words import terms
from pagefile.ports import Operation, Store
from pagefile.queries import Hit, Hits
from pagefile.records import HistoryEntry, Scope

logger = logging.getLogger(__name__)

#: Lines that wait at most. The log is for people: when the store cannot keep up, the newest lines are what they want.
MOST_WAITING = 10_000
#: Characters of a query that are kept.
MOST_KEPT = 1_000
#: Lines written together: the store makes one transaction of them.
_TOGETHER = 64
_GATHERED_SECONDS = 0.25


class OperationsLog:
    """Takes lines at once and writes them soon after. Lines that wait are lost if the process is killed: nothing else depends on them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[tuple[Scope, Operation]] = deque(maxlen=MOST_WAITING)
        self._task: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def note(self, scope: Scope, operation: Operation) -> None:
        """Put a line on the end of the log."""
        self._waiting.append((scope, operation))
        self._started()

    async def flush(self) -> None:
        """Wait until all lines are written."""
        while self._waiting or (self._task is not None and not self._task.done()):
            self._hurry.set()
            await asyncio.wait({self._started()})

    def _started(self) -> asyncio.Task[None]:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write(), name="pagefile-operations")
        return self._task

    async def close(self) -> None:
        """Write what waits, and stop."""
        await self.flush()

    async def _write(self) -> None:
        # Lines that come soon after each other share a transaction.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GATHERED_SECONDS):
                await self._hurry.wait()
        self._hurry.clear()
        while self._waiting:
            lines = [self._waiting.popleft() for _ in range(min(_TOGETHER, len(self._waiting)))]
            outcomes = await asyncio.gather(*(self._store.log(scope, line) for scope, line in lines), return_exceptions=True)
            for outcome in outcomes:
                if isinstance(outcome, StoreError):
                    logger.warning("a line of the operations log could not be written: %s", outcome)
                elif isinstance(outcome, BaseException):
                    raise outcome


def written(entries: Sequence[HistoryEntry]) -> Operation:
    """The line of a write to records. What was written stands in the history, under these ids."""
    return Operation(
        kind="write",
        parameters={"actor": entries[0].cause.actor},
        result={"changes": dict(Counter(entry.change for entry in entries)), "entries": [entry.id for entry in entries]},
        at=entries[0].cause.at,
        items=tuple(dict.fromkeys(entry.target for entry in entries)),
    )


def recalled(query: str, hits: Hits, *, at: datetime, session: str | None = None) -> Operation:
    """The line of a search."""
    return Operation(
        kind="recall",
        # The caller's words, with what nobody may keep taken out of them.
        parameters={"query": redact(clean(query)[:MOST_KEPT]).text},
        result={"retrieved": len(hits), "tokens": sum(hit.tokens for hit in hits), "mode": hits.mode},
        at=at,
        session=session,
        items=tuple(hit.id for hit in hits),
    )


def answered(query: str, hits: Sequence[Hit], reply: str, *, model: str, at: datetime, session: str, messages: Sequence[str]) -> Operation:
    """The line of a chat turn: what it was given, and what of that its reply shows. ``messages``: ids of what was said in it."""
    return Operation(
        kind="turn",
        parameters={"query": query[:MOST_KEPT], "model": model},
        result={
            "retrieved": len(hits),
            "used": [hit.id for hit in hits if is_used(hit.text, query, reply)],
            "tokens": sum(hit.tokens for hit in hits),
            "messages": list(messages),
        },
        at=at,
        session=session,
        # With what was said goes the line that repeats it.
        items=(*(hit.id for hit in hits), *messages),
    )


def is_used(note: str, query: str, reply: str) -> bool:
    """Whether a reply says something of a note that the question did not say: at least half of the words the note adds, or three."""
    added = set(terms(note)) - set(terms(query))
    shared = added & set(terms(reply))
    return bool(shared) and (len(shared) >= 3 or 2 * len(shared) >= len(added))
