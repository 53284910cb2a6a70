"""Records and blocks in SQL: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pagefile.errors import ConflictError, NotFound, StaleRevision
from pagefile.messages import Message
from pagefile.ports import NewJob, Progress
from pagefile.queries import Item, Page, Where
from pagefile.records import (
    Add,
    Block,
    Cause,
    Change,
    Edit,
    HistoryEntry,
    Indexing,
    Merge,
    Record,
    Reinforce,
    Restore,
    Retire,
    Scope,
    Split,
    Supersede,
)
from pagefile.stores import aliases
from pagefile.stores import changes as make
from pagefile.stores.rules import check_block, check_cause, check_indexing, check_record
from pagefile.stores.sqlite import filing, names, postings, progress
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import (
    block_of_row,
    block_row,
    blocks_of_rows,
    fetch,
    history_of_row,
    message_of_row,
    message_status,
    record_item_row,
    record_of_row,
    record_row,
)
from pagefile.stores.sqlite.spaces import Space, add_jobs, filters, find, find_or_add, load
from pagefile.stores.sqlite.tombstones import Tombstones, key_if_any


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """What ``Store.apply`` was asked."""

    changes: Sequence[Change]
    jobs: Sequence[NewJob]
    revision: int | None
    progress: Progress | None
    fold_from: int


def apply(connection: sqlite3.Connection, scope: Scope, asked: Apply) -> tuple[HistoryEntry, ...]:
    if asked.revision is not None:
        _check_revision(asked.revision, find(connection, scope))
    if not asked.changes and not asked.jobs and asked.progress is None:
        # Nothing is to be written: it must not make a scope either.
        return ()
    space = find_or_add(connection, scope)
    if asked.progress is not None:
        progress.check(connection, space, asked.progress)
    space.version += 1
    sessions = space.last_session
    applier = _Applier(connection, space, asked.fold_from, Tombstones(connection, scope, key_if_any(connection)))
    for change in asked.changes:
        check_cause(change.cause)
        applier.make(change)
    if applier.records_changed:
        space.revision += 1
    if asked.progress is not None:
        progress.keep(connection, space, asked.progress)
    add_jobs(connection, space.scope, asked.jobs, list(applier.to_embed))
    if asked.changes or space.last_session != sessions:
        space.save(connection)
    return tuple(applier.entries)


def _check_revision(decided_on: int, space: Space | None) -> None:
    """Nobody else writes meanwhile: this is the transaction of the write."""
    now = space.shown_revision if space else 0
    if decided_on != now:
        raise StaleRevision(
            f"the changes were decided on revision {decided_on}, and the records are at {now}: look them up again and decide anew; "
            "nothing was changed"
        )


class _Applier:
    """Changes on their way into a scope. What a change makes of a record is decided in ``changes.py``; this writes it down."""

    def __init__(self, connection: sqlite3.Connection, space: Space, fold_from: int, tombstones: Tombstones) -> None:
        self._connection, self._space, self._fold_from, self._tombstones = connection, space, fold_from, tombstones
        self.records_changed = False
        self.entries: list[HistoryEntry] = []
        #: Ids, in order.
        self.to_embed: dict[str, None] = {}

    def make(self, change: Change) -> None:
        match change:
            case Add(item=Record() as record):
                self._add_record(record, change.indexing, change.cause)
            case Add(item=Block() as block):
                self._add_block(block, change.cause)
            case Reinforce():
                item, record = self._record(change.target)
                self._save(item, record, make.reinforced(record, change), "reinforce", change.cause)
            case Supersede():
                item, record = self._record(change.target)
                self._save(item, record, make.superseded(record, change), "supersede", change.cause)
                self._add_record(make.successor(change), change.indexing, change.cause)
            case Edit():
                self._edit(change)
            case Retire():
                self._retire(change)
            case Restore():
                self._restore(change)
            case Merge() | Split():
                alias = names.change(self._connection, self._space.scope, change)
                told = ({}, aliases.told(alias)) if isinstance(change, Merge) else (aliases.told(alias), {})
                self._note(aliases.target(alias), "merge" if isinstance(change, Merge) else "split", told, change.cause)

    def _find(self, id: str) -> tuple[int, Item] | None:
        row = self._connection.execute(SQL["item"], {"scope": self._space.scope, "id": id}).fetchone()
        return None if row is None else (row[0], load(self._connection, self._space.scope, row[0], row[1]))

    def _record(self, id: str) -> tuple[int, Record]:
        found = self._find(id)
        if found is None or not isinstance(found[1], Record):
            raise NotFound(f"there is no record {id!r:.80} in this scope; nothing was changed")
        return found[0], found[1]

    def _note(self, target: str, name: str, fields: tuple[Mapping[str, Any], Mapping[str, Any]], cause: Cause) -> None:
        before, after = fields
        number = self._space.new_entry()
        row = {
            "scope": self._space.scope,
            "target": target,
            "entry": number,
            "change": name,
            "before": json.dumps(before, ensure_ascii=False),
            "after": json.dumps(after, ensure_ascii=False),
            "actor": cause.actor,
            "reason": cause.reason,
            "at": cause.at.isoformat(),
        }
        self._connection.execute(SQL["add_history"], row)
        self.entries.append(HistoryEntry(id=str(number), target=target, change=name, before=before, after=after, cause=cause))

    # --- records ---

    def _add_record(self, record: Record, indexing: Indexing, cause: Cause) -> None:
        check_record(record)
        check_indexing(indexing)
        self._tombstones.check(record)
        if self._find(record.id) is not None:
            raise ConflictError(f"there is an item {record.id!r:.80} already; a new record needs a new id")
        item = self._space.new_item()
        empty = {"length": 0, "hash": ""}
        self._connection.execute(SQL["add_item"], record_item_row(record) | self._numbers(item, record) | empty)
        self._connection.execute(SQL["save_record"], record_row(record) | self._numbers(item, record))
        self._file(item, None, record)
        self._note(record.id, "add", make.differences(None, record), cause)
        self._index(item, record.id, indexing)

    def _numbers(self, item: int, record: Record) -> dict[str, Any]:
        session = None if record.session is None else self._space.session_number(self._connection, record.session)
        return {"scope": self._space.scope, "item": item, "session": session, "version": self._space.version}

    def _save(self, item: int, before: Record, after: Record, name: str, cause: Cause) -> None:
        if after is before:
            return
        numbers = self._numbers(item, after)
        self._connection.execute(SQL["save_item"], record_item_row(after) | numbers)
        self._connection.execute(SQL["save_record"], record_row(after) | numbers)
        self._file(item, before, after)
        self._note(after.id, name, make.differences(before, after), cause)

    def _file(self, item: int, before: Record | None, after: Record) -> None:
        filing.file(self._connection, self._space.scope, item, before, after)
        self.records_changed = True

    def _index(self, item: int, id: str, indexing: Indexing) -> None:
        """Old postings out, new ones in; a vector of another text goes."""
        key = {"scope": self._space.scope, "item": item}
        (known,) = self._connection.execute(SQL["item_hash"], key).fetchone()
        terms = {term: count for term, count in indexing.terms.items() if count > 0}
        postings.save(self._connection, self._space, item, terms, self._fold_from)
        index = {"length": sum(terms.values()), "hash": indexing.embedding_hash}
        self._connection.execute(SQL["save_item_index"], key | index)
        if indexing.embedding_hash != known:
            self._connection.execute(SQL["drop_item_vectors"], key)
            if indexing.embedding_hash:
                self.to_embed[id] = None

    def _edit(self, change: Edit) -> None:
        found = self._find(change.target) if change.agent is None else None
        if found is not None and isinstance(found[1], Record):
            item, record = found[0], found[1]
            after = make.edited_record(record, change)
            if make.says_otherwise(record, after):
                self._tombstones.check(after)
            self._save(item, record, after, "edit", change.cause)
            if change.indexing is not None:
                self._index(item, record.id, change.indexing)
            return
        if found is not None and isinstance(found[1], Message):
            self._save_message(found[0], found[1], make.edited_message(found[1], change), "edit", change.cause)
            return
        block = self._block(change.target, change.agent)
        if block is None:
            raise NotFound(f"there is no record, message or block {change.target!r:.80} in this scope; nothing was changed")
        self._save_block(block, make.edited_block(block, change), "edit", change.cause)

    def _retire(self, change: Retire) -> None:
        found = self._find(change.target)
        if found is not None and isinstance(found[1], Message):
            self._save_message(found[0], found[1], replace(found[1], retired=True), "retire", change.cause)
            place = {"scope": self._space.scope, "name": found[1].session, "seq": found[1].seq}
            self._connection.execute(SQL["drop_summary"], place)
        else:
            item, record = self._record(change.target)
            self._save(item, record, make.retired_record(record, change.cause), "retire", change.cause)

    def _restore(self, change: Restore) -> None:
        found = self._find(change.target)
        if found is not None and isinstance(found[1], Message):
            self._save_message(found[0], found[1], replace(found[1], retired=False), "restore", change.cause)
        else:
            item, record = self._record(change.target)
            after = make.restored_record(record, self._history(change.target))
            if after is not record:
                self._tombstones.check(after)
            self._save(item, record, after, "restore", change.cause)

    def _history(self, target: str) -> tuple[HistoryEntry, ...]:
        rows = fetch(self._connection, SQL["history"], {"scope": self._space.scope, "target": target})
        return tuple(history_of_row(row) for row in rows)

    def _save_message(self, item: int, before: Message, after: Message, name: str, cause: Cause) -> None:
        if after == before:
            return
        row = {"scope": self._space.scope, "item": item, "status": message_status(after), "version": self._space.version}
        self._connection.execute(SQL["save_message_status"], row)
        if after.outdated != before.outdated:
            outdated = json.dumps(after.outdated) if after.outdated else None
            self._connection.execute(SQL["save_message_outdated"], {"scope": self._space.scope, "item": item, "outdated": outdated})
        self._note(after.id, name, make.differences(before, after), cause)

    # --- blocks ---

    def _block(self, label: str, agent: str | None) -> Block | None:
        row = self._connection.execute(SQL["block"], {"scope": self._space.scope, "label": label, "agent": agent or ""}).fetchone()
        return None if row is None else block_of_row(row)

    def _add_block(self, block: Block, cause: Cause) -> None:
        check_block(block)
        if self._block(block.label, block.agent) is not None:
            raise ConflictError(f"there is a block {block.label!r:.80} already; edit it, or choose another label")
        self._save_block(None, block, "add", cause)

    def _save_block(self, before: Block | None, after: Block, name: str, cause: Cause) -> None:
        self._connection.execute(SQL["save_block"], block_row(after) | {"scope": self._space.scope})
        self._note(make.block_target(after.label, after.agent), name, make.differences(before, after), cause)


# --- reads --------------------------------------------------------------------------------------------------------------


def get(connection: sqlite3.Connection, scope: Scope, ids: Sequence[str]) -> tuple[Item | None, ...]:
    asked = {"tenant": scope.tenant, "user": scope.user, "ids": json.dumps(list(ids))}
    found: dict[str, Item] = {}
    for kind, body, use_count, last_used_at, *message in connection.execute(SQL["some_items"], asked):
        number, id = message[:2]
        found[id] = record_of_row((number, body, use_count, last_used_at)) if kind else message_of_row(tuple(message))
    return tuple(found.get(id) for id in ids)


def records(connection: sqlite3.Connection, scope: Scope, where: Where, after: int | None, limit: int) -> Page[Record]:
    space = find(connection, scope)
    if space is None:
        return Page(items=(), cursor=None, total=0)
    parameters = filters(connection, space.scope, where) | {"scope": space.scope, "after": after or 0, "limit": limit + 1}
    rows = fetch(connection, SQL["records"], parameters)
    (total,) = connection.execute(SQL["count_records"], parameters).fetchone()
    cursor = str(rows[limit - 1][0]) if len(rows) > limit else None
    return Page(items=tuple(record_of_row(row) for row in rows[:limit]), cursor=cursor, total=total)


def blocks(connection: sqlite3.Connection, scope: Scope, agent: str | None, *, every: bool) -> tuple[Block, ...]:
    space = find(connection, scope)
    if space is None:
        return ()
    if every:
        return tuple(block_of_row(row) for row in fetch(connection, SQL["every_block"], {"scope": space.scope}))
    return blocks_of_rows(fetch(connection, SQL["blocks"], {"scope": space.scope, "agent": agent or ""}))


def mark_used(connection: sqlite3.Connection, scope: Scope, ids: Sequence[str], at: datetime) -> None:
    space = find(connection, scope)
    if space is None:
        return
    space.version += 1
    for id in dict.fromkeys(ids):
        row = connection.execute(SQL["item"], {"scope": space.scope, "id": id}).fetchone()
        if row is None or row[1] == 0:
            continue
        key = {"scope": space.scope, "item": row[0]}
        connection.execute(SQL["use_record"], key | {"at": at.isoformat()})
        connection.execute(SQL["use_item"], key | {"version": space.version})
    space.save(connection)
