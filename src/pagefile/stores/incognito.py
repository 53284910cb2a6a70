"""The store of a conversation that leaves nothing: it reads a real store, and writes to memory that ends with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pagefile.errors import InputError
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo
from pagefile.ports import NewJob, Operation, Progress, Store
from pagefile.queries import Page, Where
from pagefile.receipts import Resident
from pagefile.records import Add, Block, Change, HistoryEntry, Scope
from pagefile.stores.memory import MemoryStore

#: What reads, and is passed on.
_READS = frozenset(
    {
        *("keyed", "citing", "progress", "entry", "changes", "get", "records", "history", "search", "unembedded", "jobs", "task", "tasks"),
        *("operations", "scopes", "stats", "sessions", "erased", "occurrences", "costs"),
        *("named", "naming", "aliases"),
    }
)


class IncognitoStore:
    """Whatever is not written here is that of the real store: searches, records, blocks.

    Its journal is its own, and forgotten with it. Changes of records and blocks are refused with InputError.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = MemoryStore()
        self.location = store.location

    def __getattr__(self, name: str) -> Any:
        if name not in _READS:
            raise AttributeError(f"a conversation that leaves nothing has no {name!r}: it would write")
        return getattr(self._store, name)

    async def append(
        self,
        scope: Scope,
        session: str,
        drafts: Sequence[Draft],
        *,
        jobs: Sequence[NewJob] = (),
        key: str | None = None,
        fingerprint: str = "",
        lease: Lease | None = None,
        answers: str | None = None,
    ) -> tuple[Appended, ...]:
        return await self._own.append(scope, session, drafts, key=key, fingerprint=fingerprint, lease=lease, answers=answers)

    async def messages(
        self,
        scope: Scope,
        session: str | None,
        *,
        where: Where = Where(),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        store = self._store if session is None else self._own
        return await store.messages(scope, session, where=where, after=after, limit=limit, newest_first=newest_first)

    async def window(self, scope: Scope, session: str) -> tuple[Message, ...]:
        return await self._own.window(scope, session)

    async def resident(self, scope: Scope, session: str, agent: str | None = None) -> Resident:
        return replace(await self._own.resident(scope, session, agent), blocks=await self.blocks(scope, agent))

    async def session(self, scope: Scope, session: str) -> SessionInfo | None:
        return await self._own.session(scope, session)

    async def set_window(
        self,
        scope: Scope,
        session: str,
        *,
        window_start: int,
        summary: str | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> None:
        # Nobody would do the jobs.
        await self._own.set_window(scope, session, window_start=window_start, summary=summary)

    async def apply(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        jobs: Sequence[NewJob] = (),
        revision: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[HistoryEntry, ...]:
        if all(isinstance(change, Add) and isinstance(change.item, Block) for change in changes):
            # Blocks that every conversation has, where this user has none yet: they stand in this conversation alone.
            return await self._own.apply(scope, changes)
        raise InputError("this conversation is incognito: nothing of it is kept, so the memory cannot be changed")

    async def blocks(self, scope: Scope, agent: str | None = None, *, every: bool = False) -> tuple[Block, ...]:
        kept = await self._store.blocks(scope, agent, every=every)
        labels = {block.label for block in kept}
        return (*kept, *(block for block in await self._own.blocks(scope, agent, every=every) if block.label not in labels))

    async def mark_used(self, scope: Scope, ids: Sequence[str], *, at: datetime) -> None:
        """Nothing is counted: a count would tell that there was a conversation."""

    async def hold(self, scope: Scope, session: str, lease: Lease) -> bool:
        return await self._own.hold(scope, session, lease)

    async def let_go(self, scope: Scope, session: str, holder: str) -> None:
        await self._own.let_go(scope, session, holder)

    async def log(self, scope: Scope, *operations: Operation) -> None:
        """Nothing is logged."""
