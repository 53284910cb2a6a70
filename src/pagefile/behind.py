"""What is written behind the caller's back, so that a search or a turn stays fast: lines of the operations log, what chat turns cost, and
which records were used. What waits is lost if the process is killed: nothing else depends on it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from pagefile.costs import Spent
from pagefile.errors import StoreError
from pagefile.operations import prune
from pagefile.parts import Parts
from pagefile.ports import Operation
from pagefile.records import Scope

logger = logging.getLogger(__name__)

#: Lines that wait at most. The log is for people: when the store cannot keep up, the newest lines are what they want.
MOST_WAITING = 10_000
#: Lines written together, in one transaction, and for how long they are gathered: a line by itself costs eight times as much.
_TOGETHER = 512
_GATHERED_SECONDS = 1.0
#: Scopes that are known to have been pruned today.
_MOST_KNOWN = 1_000


@dataclass(slots=True)
class _Counts:
    """What is to be counted in one scope."""

    #: Day → what chat turns cost.
    spent: dict[date, Spent] = field(default_factory=dict)
    #: Uses of records, one after the other.
    used: list[tuple[Sequence[str], datetime]] = field(default_factory=list)


class WriteBehind:
    """Takes what is to be written at once, and writes it soon after."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        #: On which day a scope was pruned last: those of which nothing is learnt have no nightly upkeep.
        self._pruned: dict[Scope, date] = {}
        self._lines: deque[tuple[Scope, Operation]] = deque(maxlen=MOST_WAITING)
        self._counts: dict[Scope, _Counts] = defaultdict(_Counts)
        self._task: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def note(self, scope: Scope, operation: Operation) -> None:
        """Put a line on the end of the operations log."""
        self._lines.append((scope, operation))
        self._started()

    def pay(self, scope: Scope, day: date, spent: Spent) -> None:
        """Add what a chat turn took to the costs of a day."""
        days = self._counts[scope].spent
        days[day] = days.get(day, Spent()) + spent
        self._started()

    def use(self, scope: Scope, records: Sequence[str], at: datetime) -> None:
        """Count a use of records."""
        self._counts[scope].used.append((records, at))
        self._started()

    async def flush(self) -> None:
        """Wait until all is written."""
        while self._lines or self._counts or (self._task is not None and not self._task.done()):
            self._hurry.set()
            await asyncio.wait({self._started()})

    def _started(self) -> asyncio.Task[None]:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write(), name="pagefile-behind")
        return self._task

    async def close(self) -> None:
        """Write what waits, and stop."""
        await self.flush()

    async def _write(self) -> None:
        # What comes soon after each other shares a transaction.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GATHERED_SECONDS):
                await self._hurry.wait()
        self._hurry.clear()
        while self._lines or self._counts:
            counts, self._counts = self._counts, defaultdict(_Counts)
            together: dict[Scope, list[Operation]] = defaultdict(list)
            for scope, line in [self._lines.popleft() for _ in range(min(_TOGETHER, len(self._lines)))]:
                together[scope].append(line)
            # All at once: the store makes one transaction of what waits together.
            await self._told([*self._logged(together), *self._counted(counts)])
            await self._prune(together)

    def _logged(self, lines: dict[Scope, list[Operation]]) -> list[Awaitable[object]]:
        return [self._parts.store.log(scope, *of_it) for scope, of_it in lines.items()]

    def _counted(self, counts: dict[Scope, _Counts]) -> list[Awaitable[object]]:
        store = self._parts.store
        paid = [store.spend(scope, day, spent, purpose="chat") for scope, each in counts.items() for day, spent in each.spent.items()]
        used = [store.mark_used(scope, ids, at=at) for scope, each in counts.items() for ids, at in each.used]
        return [*paid, *used]

    async def _told(self, writes: list[Awaitable[object]]) -> None:
        for outcome in await asyncio.gather(*writes, return_exceptions=True):
            if isinstance(outcome, StoreError):
                logger.warning("lines of the operations log, costs or uses could not be written: %s", outcome)
            elif isinstance(outcome, BaseException):
                raise outcome

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
