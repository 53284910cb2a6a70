"""The store on one SQLite file: what ``ports.Store`` asks, each as one trip to a thread."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from pagefile.access import ApiKey, KeptReply
from pagefile.costs import DaySpent, Purpose, Spent
from pagefile.entities import Alias, Named, Within
from pagefile.errors import InputError, StoreUnavailable
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo
from pagefile.ports import Job, NewJob, NewVector, Operation, Progress, Unembedded
from pagefile.queries import Candidates, Item, Page, Probe, Where
from pagefile.receipts import EraseReceipt, Keyed, Resident, StoreStats, Unread
from pagefile.records import Block, Change, HistoryEntry, Record, Scope, TaskState
from pagefile.stores.rules import (
    check_draft,
    check_key,
    check_probe,
    check_pruning,
    check_reply,
    check_summary,
    check_task,
    check_text,
    check_time,
    check_where,
    check_window,
    cursor_position,
    page_limit,
)
from pagefile.stores.sqlite import access, embeddings, erasing, filing, journal, names, occurrences, records, tombstones
from pagefile.stores.sqlite import history as past
from pagefile.stores.sqlite import jobs as queue
from pagefile.stores.sqlite import progress as reading
from pagefile.stores.sqlite.columns import Columns
from pagefile.stores.sqlite.connection import Readers, Writer, snapshot
from pagefile.stores.sqlite.opening import open_file
from pagefile.stores.sqlite.postings import FOLD_FROM
from pagefile.stores.sqlite.scrubbing import scrub
from pagefile.stores.sqlite.search import search
from pagefile.stores.vectors import COMPACT_FROM, SizedCache

T = TypeVar("T")

_NOTHING = Spent()
DEFAULT_CACHE_BYTES = 256 * 2**20


class SqliteStore:
    """Keeps one memory in one file. Several processes may use the file at once.

    Made by ``SqliteStore.open``. A call that is cancelled was either not begun or is finished whole. Vectors and what else a search needs
    of a scope are cached for the scopes used last, up to ``cache_bytes``.
    """

    def __init__(self, path: Path, writer: Writer, *, backup: Path | None, cache_bytes: int, compact_from: int, fold_from: int) -> None:
        self.location = str(path)
        #: The copy that was made before the file's schema was upgraded; None: no upgrade was needed.
        self.backup = backup
        self._path = path
        self._writer = writer
        self._readers = Readers(path)
        self._cache: SizedCache[Scope, Columns] = SizedCache(cache_bytes, lambda: Columns(compact_from))
        self._fold_from = fold_from
        self._closed = False
        #: Whether nothing is left to scrub. A process before this one may have died between its erase and its scrub.
        self._scrubbed = False

    @classmethod
    async def open(
        cls,
        path: str | os.PathLike[str],
        *,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        compact_from: int = COMPACT_FROM,
        fold_from: int = FOLD_FROM,
    ) -> SqliteStore:
        """Open the file, or make it and its folders (readable by its owner alone).

        ``compact_from``: number of vectors in a scope from which the compact index is used.
        ``fold_from``: number of a scope's newest items from which their terms go into the postings.
        Raises StoreUnavailable, StoreCorrupt or StoreTooNew; the file is left as it was then.
        """
        opened = await asyncio.to_thread(open_file, path)
        writer = Writer(opened.path, opened.connection)
        return cls(opened.path, writer, backup=opened.backup, cache_bytes=cache_bytes, compact_from=compact_from, fold_from=fold_from)

    async def _write(self, work: Callable[[sqlite3.Connection], T], after: Callable[[sqlite3.Connection], None] | None = None) -> T:
        self._check_open()
        return await _outcome(self._writer.submit(work, after))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._check_open()

        def one_state(connection: sqlite3.Connection) -> T:
            with snapshot(connection):
                return work(connection)

        return await _outcome(self._readers.submit(one_state))

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(f"the store {self.location!r} is closed; open it again")

    # --- the journal ---

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
        check_text(session, "session")
        for draft in drafts:
            check_draft(draft)
        asked = journal.Append(
            session=session,
            drafts=drafts,
            jobs=jobs,
            key=key,
            fingerprint=fingerprint,
            lease=lease,
            answers=answers,
            fold_from=self._fold_from,
        )
        return await self._write(lambda connection: journal.append(connection, scope, asked))

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
        check_where(where)
        scan = journal.Scan(session=session, where=where, after=cursor_position(after), limit=page_limit(limit), newest_first=newest_first)
        return await self._read(lambda connection: journal.messages(connection, scope, scan))

    async def window(self, scope: Scope, session: str) -> tuple[Message, ...]:
        return await self._read(lambda connection: journal.window(connection, scope, session))

    async def session(self, scope: Scope, session: str) -> SessionInfo | None:
        return await self._read(lambda connection: journal.session(connection, scope, session))

    async def resident(self, scope: Scope, session: str, agent: str | None = None) -> Resident:
        return await self._read(lambda connection: journal.resident(connection, scope, session, agent))

    async def unread(self, scope: Scope, session: str, reader: str, *, limit: int, context: int) -> Unread:
        return await self._read(lambda connection: journal.unread(connection, scope, session, reader, page_limit(limit), context))

    async def sessions(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: journal.sessions(connection, scope, start, size))

    async def set_window(
        self,
        scope: Scope,
        session: str,
        *,
        window_start: int,
        summary: str | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> None:
        check_window(window_start, summary)
        moved = journal.Moved(window_start, summary, jobs)
        await self._write(lambda connection: journal.set_window(connection, scope, session, moved))

    async def set_summary(
        self, scope: Scope, session: str, *, summary: str | None, to: int, instead_of: str | None, of: Sequence[str] = ()
    ) -> bool:
        check_summary(summary)
        told = journal.Told(summary, to, instead_of, of)
        return await self._write(lambda connection: journal.set_summary(connection, scope, session, told))

    # --- records and blocks ---

    async def apply(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        jobs: Sequence[NewJob] = (),
        revision: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[HistoryEntry, ...]:
        asked = records.Apply(changes=changes, jobs=jobs, revision=revision, progress=progress, fold_from=self._fold_from)
        return await self._write(lambda connection: records.apply(connection, scope, asked))

    async def keyed(self, scope: Scope, keys: Sequence[str]) -> Keyed:
        return await self._read(lambda connection: filing.keyed(connection, scope, keys))

    async def citing(self, scope: Scope, messages: Sequence[str]) -> tuple[Record, ...]:
        return await self._read(lambda connection: filing.citing(connection, scope, messages))

    async def named(self, scope: Scope, keys: Sequence[str] | None = None) -> tuple[Named, ...]:
        return await self._read(lambda connection: names.named(connection, scope, keys))

    async def naming(self, scope: Scope, keys: Sequence[str], *, within: Within = Within(), limit: int | None = None) -> tuple[Record, ...]:
        return await self._read(lambda connection: names.naming(connection, scope, keys, within, limit))

    async def name_anew(self, scope: Scope) -> int:
        done, after = 0, 0
        while True:
            # In pages, so that others may write between them.
            count, last = await self._write(partial(names.anew, scope=scope, after=after))
            done += count
            if last is None:
                return done
            after = last

    async def aliases(self, scope: Scope) -> tuple[Alias, ...]:
        return await self._read(lambda connection: names.aliases(connection, scope))

    async def progress(self, scope: Scope, session: str) -> Mapping[str, int]:
        return await self._read(lambda connection: reading.progress(connection, scope, session))

    async def entry(self, scope: Scope, id: str) -> HistoryEntry | None:
        return await self._read(lambda connection: past.entry(connection, scope, id))

    async def changes(self, scope: Scope, *, after: str | None = None, limit: int = 100, newest_first: bool = True) -> Page[HistoryEntry]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: past.changes(connection, scope, start, size, newest_first=newest_first))

    async def get(self, scope: Scope, ids: Sequence[str]) -> tuple[Item | None, ...]:
        self._check_open()
        return await self._read(lambda connection: records.get(connection, scope, ids)) if ids else ()

    async def records(self, scope: Scope, *, where: Where = Where(), after: str | None = None, limit: int = 100) -> Page[Record]:
        check_where(where)
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: records.records(connection, scope, where, start, size))

    async def history(self, scope: Scope, target: str) -> tuple[HistoryEntry, ...]:
        return await self._read(lambda connection: past.history(connection, scope, target))

    async def blocks(self, scope: Scope, agent: str | None = None, *, every: bool = False) -> tuple[Block, ...]:
        return await self._read(lambda connection: records.blocks(connection, scope, agent, every=every))

    async def mark_used(self, scope: Scope, ids: Sequence[str], *, at: datetime) -> None:
        check_time(at, "'at'")
        await self._write(lambda connection: records.mark_used(connection, scope, ids, at))

    # --- recall ---

    async def search(self, scope: Scope, probe: Probe) -> Candidates:
        check_probe(probe)
        self._check_open()
        return await _outcome(self._readers.submit(lambda connection: search(connection, self._cache, scope, probe)))

    async def unembedded(
        self, embedder: str, *, scope: Scope | None = None, after: str | None = None, limit: int = 256
    ) -> Page[Unembedded]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: embeddings.unembedded(connection, embedder, scope, start, size))

    async def put_vectors(self, scope: Scope, embedder: str, vectors: Sequence[NewVector]) -> int:
        return await self._write(lambda connection: embeddings.put(connection, scope, embedder, vectors))

    async def drop_vectors(self, keep: str) -> int:
        return await self._write(lambda connection: embeddings.drop_others(connection, keep))

    # --- jobs ---

    async def enqueue(self, scope: Scope, jobs: Sequence[NewJob]) -> tuple[str, ...]:
        return await self._write(lambda connection: queue.enqueue(connection, scope, jobs))

    async def claim(
        self,
        kinds: Sequence[str],
        *,
        now: datetime,
        lease_seconds: float,
        limit: int = 1,
        scope: Scope | None = None,
        ready_by: datetime | None = None,
    ) -> tuple[Job, ...]:
        check_time(now, "'now'")
        ready_by = now if ready_by is None else ready_by
        check_time(ready_by, "'ready_by'")
        lease = now + timedelta(seconds=lease_seconds)
        asked = queue.Claim(kinds=kinds, now=now, ready_by=ready_by, lease=lease, limit=page_limit(limit), scope=scope)
        return await self._write(lambda connection: queue.claim(connection, asked))

    async def renew(self, ids: Sequence[str], *, now: datetime, lease_seconds: float) -> None:
        check_time(now, "'now'")
        await self._write(lambda connection: queue.renew(connection, ids, now + timedelta(seconds=lease_seconds)))

    async def complete(self, ids: Sequence[str]) -> None:
        await self._write(lambda connection: queue.complete(connection, ids))

    async def fail(self, id: str, *, error: str, now: datetime, retry_at: datetime | None) -> None:
        check_time(now, "'now'")
        if retry_at is not None:
            check_time(retry_at, "'retry_at'")
        await self._write(lambda connection: queue.fail(connection, id, error, now, retry_at))

    async def jobs(self, *, scope: Scope | None = None, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: queue.jobs(connection, scope, state, start, size))

    async def release(self, ids: Sequence[str], *, ready_at: datetime) -> None:
        check_time(ready_at, "'ready_at'")
        await self._write(lambda connection: queue.release(connection, ids, ready_at))

    async def revive(self, ids: Sequence[str], *, now: datetime) -> int:
        check_time(now, "'now'")
        return await self._write(lambda connection: queue.revive(connection, ids, now))

    # --- task state, operations log ---

    async def put_task(self, scope: Scope, state: TaskState) -> None:
        check_task(state)
        await self._write(lambda connection: queue.put_task(connection, scope, state))

    async def task(self, scope: Scope, key: str, *, now: datetime) -> TaskState | None:
        check_time(now, "'now'")
        return await self._read(lambda connection: queue.task(connection, scope, key, now))

    async def drop_task(self, scope: Scope, key: str) -> bool:
        def work(connection: sqlite3.Connection) -> bool:
            dropped = queue.drop_task(connection, scope, key)
            self._scrubbed = self._scrubbed and not dropped
            return dropped

        return await self._write(work, self._scrub)

    async def tasks(self, scope: Scope, *, now: datetime, prefix: str = "") -> tuple[TaskState, ...]:
        return await self._read(lambda connection: queue.tasks(connection, scope, now, prefix))

    async def hold(self, scope: Scope, session: str, lease: Lease) -> bool:
        return await self._write(lambda connection: journal.hold(connection, scope, session, lease))

    async def let_go(self, scope: Scope, session: str, holder: str) -> None:
        await self._write(lambda connection: journal.let_go(connection, scope, session, holder))

    async def log(self, scope: Scope, *operations: Operation) -> None:
        for operation in operations:
            check_time(operation.at, "'at'")
        await self._write(lambda connection: queue.log(connection, scope, operations))

    async def prune_operations(self, scope: Scope, *, before: datetime, keep: int) -> int:
        check_pruning(before, keep)
        return await self._write(lambda connection: queue.prune(connection, scope, before, keep))

    async def operations(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: queue.operations(connection, scope, start, size))

    # --- what models cost ---

    async def spend(self, scope: Scope, day: date, spent: Spent = _NOTHING, *, purpose: Purpose = "learn") -> Spent:
        if spent == _NOTHING:
            return await self._read(lambda connection: reading.spent(connection, scope, day, purpose))
        return await self._write(lambda connection: reading.spend(connection, scope, day, spent, purpose))

    async def costs(self, scope: Scope | None = None, *, since: date | None = None, until: date | None = None) -> tuple[DaySpent, ...]:
        return await self._read(lambda connection: reading.costs(connection, scope, since, until))

    # --- the whole ---

    async def scopes(self, *, after: str | None = None, limit: int = 100, tenant: str | None = None) -> Page[Scope]:
        start, size = cursor_position(after), page_limit(limit)
        return await self._read(lambda connection: erasing.scopes(connection, start, size, tenant))

    async def stats(self, scope: Scope | None = None) -> StoreStats:
        return await self._read(lambda connection: erasing.stats(connection, scope, self._bytes()))

    def _bytes(self) -> int:
        """The file and its log."""
        files = (self._path, self._path.with_name(self._path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    async def erase(self, scope: Scope, *, session: str | None = None, ids: Sequence[str] | None = None) -> EraseReceipt:
        """As in ``ports.Store``. A session's records go with its messages. When it returns, the file and the log beside it no longer have
        the text; a backup that was made before, and copies of the file, are not touched.
        """
        if session is not None and ids is not None:
            raise InputError("erase either a session or some ids, not both; nothing was erased")

        def work(connection: sqlite3.Connection) -> EraseReceipt:
            before = connection.total_changes
            if session is not None:
                receipt = erasing.erase_session(connection, scope, session)
            else:
                receipt = erasing.erase_items(connection, scope, ids) if ids is not None else erasing.erase_scope(connection, scope)
            if connection.total_changes != before:
                self._scrubbed = False
            return receipt

        return await self._write(work, self._scrub)

    def _scrub(self, connection: sqlite3.Connection) -> None:
        """Only if something was erased since the last time: it reads the whole file."""
        if not self._scrubbed:
            scrub(connection, self._path)
            self._scrubbed = True

    async def erased(self, scope: Scope, marks: Sequence[str]) -> tuple[datetime | None, ...]:
        return await self._read(lambda connection: tombstones.erased(connection, scope, marks))

    async def occurrences(self, texts: Sequence[str]) -> tuple[int, ...]:
        """As in ``ports.Store``, as UTF-8 or as JSON writes it; not in backups. A text of some kilobytes may be cut in two by the
        file's own bytes and is not seen then: give a piece of it. Nothing can be written meanwhile."""
        return await self._write(lambda _: occurrences.count(self._path, texts))

    # --- keys and replies of a server ---

    async def put_key(self, key: ApiKey) -> None:
        check_key(key)
        await self._write(lambda connection: access.put_key(connection, key))

    async def key(self, hash: str) -> ApiKey | None:
        return await self._read(lambda connection: access.key(connection, hash))

    async def keys(self) -> tuple[ApiKey, ...]:
        return await self._read(access.keys)

    async def drop_key(self, id: str) -> bool:
        return await self._write(lambda connection: access.drop_key(connection, id))

    async def reply(self, scope: Scope, key: str, *, now: datetime) -> KeptReply | None:
        check_time(now, "'now'")
        return await self._read(lambda connection: access.reply(connection, scope, key, now))

    async def keep_reply(self, scope: Scope, reply: KeptReply, *, now: datetime) -> KeptReply:
        check_reply(reply, now)
        return await self._write(lambda connection: access.keep_reply(connection, scope, reply, now))

    async def waiting_since(self, kinds: Sequence[str], *, now: datetime) -> datetime | None:
        check_time(now, "'now'")
        return await self._read(lambda connection: queue.waiting_since(connection, kinds, now))

    async def close(self) -> None:
        """Finish the writes that wait, and let go of the file."""
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._readers.close)
            await asyncio.to_thread(self._writer.close)


async def _outcome(future: Future[T]) -> T:
    return await asyncio.wrap_future(future)
