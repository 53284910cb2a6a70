"""The operations log: what was asked of a memory and what came of it, written behind the caller's back so that a search stays fast."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from pagefile.errors import StoreError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.words import terms
from pagefile.messages import Receipt
from pagefile.parts import Parts
from pagefile.ports import Operation
from pagefile.queries import Hit, Hits
from pagefile.records import HistoryEntry, Scope

logger = logging.getLogger(__name__)

#: Lines that wait at most. The log is for people: when the store cannot keep up, the newest lines are what they want.
MOST_WAITING = 10_000
#: Characters of a query that are kept.
MOST_KEPT = 1_000
#: Ids of one line: of a long import the first ones.
MOST_NAMED = 100
#: Lines written together, in one transaction, and for how long they are gathered: a line by itself costs eight times as much.
_TOGETHER = 512
_GATHERED_SECONDS = 1.0
#: Scopes that are known to have been pruned today.
_MOST_KNOWN = 1_000


class OperationsLog:
    """Takes lines at once and writes them soon after. Lines that wait are lost if the process is killed: nothing else depends on them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        #: On which day a scope was pruned last: those of which nothing is learnt have no nightly upkeep.
        self._pruned: dict[Scope, date] = {}
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
            together: dict[Scope, list[Operation]] = {}
            for scope, line in lines:
                together.setdefault(scope, []).append(line)
            outcomes = await asyncio.gather(
                *(self._parts.store.log(scope, *of_it) for scope, of_it in together.items()), return_exceptions=True
            )
            for outcome in outcomes:
                if isinstance(outcome, StoreError):
                    logger.warning("lines of the operations log could not be written: %s", outcome)
                elif isinstance(outcome, BaseException):
                    raise outcome
            await self._prune(together)

    async def _prune(self, scopes: Iterable[Scope]) -> None:
        today = self._parts.now().date()
        for scope in scopes:
            if self._pruned.get(scope) != today:
                if len(self._pruned) >= _MOST_KNOWN:
                    self._pruned.clear()
                self._pruned[scope] = today
                try:
                    await prune(self._parts, scope)
                except StoreError as error:
                    logger.warning("old lines of the operations log could not be dropped: %s", error)


async def prune(parts: Parts, scope: Scope) -> int:
    """Drop what is too old or too much of the log of a scope; returns how many lines went."""
    log = parts.log
    return await parts.store.prune_operations(scope, before=parts.now() - timedelta(days=log.days), keep=max(1, log.lines))


def added(receipt: Receipt, *, at: datetime) -> Operation:
    """The line of messages that were added. What was said stands in the journal, under these ids."""
    counts = {"stored": receipt.stored, "duplicates": receipt.duplicates, "refused": len(receipt.refused), "redacted": receipt.redacted}
    return Operation(
        kind="add",
        parameters={},
        result={name: number for name, number in counts.items() if number},
        at=at,
        session=receipt.session,
        items=tuple(message.id for message in receipt.messages[:MOST_NAMED]),
    )


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
        session=None if session is None else redact(session).text,
        items=tuple(hit.id for hit in hits),
    )


def answered(
    query: str,
    hits: Sequence[Hit],
    reply: str,
    *,
    model: str,
    at: datetime,
    session: str,
    messages: Sequence[str],
    rules: str = "",
) -> Operation:
    """The line of a chat turn: what it was given, and what of that its reply shows. ``messages``: ids of what was said in it. ``rules``:
    the hash of the resident rules that held."""
    return Operation(
        kind="turn",
        parameters={"query": query[:MOST_KEPT], "model": model, **({"rules": rules} if rules else {})},
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
