"""Erasing in SQL, and the counts of what there is: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from pagefile.language.entities import name_mark
from pagefile.language.keys import append_mark, marks, reply_mark
from pagefile.messages import Message
from pagefile.ports import NewJob
from pagefile.queries import Item, Page
from pagefile.receipts import EraseReceipt, StoreStats
from pagefile.records import Record, Scope
from pagefile.stores.cascade import told_without, without
from pagefile.stores.sqlite import filing, names, postings
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import fetch, message_of_row, record_of_row, record_row
from pagefile.stores.sqlite.spaces import Space, add_jobs, find, load
from pagefile.stores.sqlite.tombstones import bury

_SCOPE_TABLES = tuple(name for name in SQL if name.startswith("erase_scope"))


def erase_scope(connection: sqlite3.Connection, scope: Scope) -> EraseReceipt:
    space = find(connection, scope)
    if space is None:
        return EraseReceipt()
    key = {"scope": space.scope}
    messages, records = connection.execute(SQL["count_items"], key).fetchone()
    pairs = postings.count(connection, space)
    vectors, blocks, history, jobs, tasks, operations, summaries = connection.execute(SQL["count_scope_rows"], key).fetchone()
    aliased = {name_mark(key) for alias in names.read(connection, space.scope) for key in (alias.key, alias.into)}
    marked = (mark for item in _all_items(connection, space) for mark in marks(item))
    answered = [append_mark(*each) for each in fetch(connection, SQL["scope_receipts"], key)]
    tombstones = bury(connection, scope, chain(marked, aliased, answered, _answered_under(connection, space.scope)))
    for name in _SCOPE_TABLES:
        connection.execute(SQL[name], key)
    return EraseReceipt(
        messages=messages,
        records=records,
        blocks=blocks,
        vectors=vectors,
        postings=pairs,
        history=history,
        jobs=jobs,
        tasks=tasks,
        operations=operations,
        summaries=summaries,
        tombstones=tombstones,
    )


def _answered_under(connection: sqlite3.Connection, scope: int) -> list[str]:
    """Marks of the requests that a server answered under a key."""
    return [reply_mark(*each) for each in fetch(connection, SQL["scope_replies"], {"scope": scope})]


def _all_items(connection: sqlite3.Connection, space: Space) -> Iterator[Item]:
    for row in connection.execute(SQL["all_messages"], {"scope": space.scope}):
        yield message_of_row(row)
    for row in connection.execute(SQL["all_records"], {"scope": space.scope}):
        yield record_of_row(row)


def erase_session(connection: sqlite3.Connection, scope: Scope, session: str) -> EraseReceipt:
    """Its messages, the records that name it, and all that tells that it was."""
    space = find(connection, scope)
    row = space and connection.execute(SQL["session_number"], {"scope": space.scope, "name": session}).fetchone()
    if space is None or not row:
        return EraseReceipt()
    key = {"scope": space.scope, "session": row[0]}
    summaries = connection.execute(SQL["erase_summary"], key).rowcount
    ids = [each for (each,) in fetch(connection, SQL["session_items"], key)]
    receipt = _Eraser(connection, scope, space).run(ids, session)
    left = [(each, known_by) for each, known_by, _ in fetch(connection, SQL["session_receipts"], key)]
    for receipt_key, _ in left:
        connection.execute(SQL["erase_receipt"], {"scope": space.scope, "key": receipt_key})
    tombstones = receipt.tombstones + bury(connection, scope, (append_mark(*each) for each in left))
    connection.execute(SQL["erase_progress"], key)
    connection.execute(SQL["erase_session"], key)
    return replace(receipt, summaries=receipt.summaries + summaries, tombstones=tombstones)


def erase_items(connection: sqlite3.Connection, scope: Scope, ids: Iterable[str]) -> EraseReceipt:
    space = find(connection, scope)
    return EraseReceipt() if space is None else _Eraser(connection, scope, space).run(ids, None)


@dataclass(frozen=True, slots=True)
class _Doomed:
    """An item that is to be erased, and its numbers."""

    number: int
    session: int | None
    value: Item


class _Eraser:
    """Takes items out of everything."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope, space: Space) -> None:
        self._connection, self._scope, self._space = connection, scope, space
        self._key = {"scope": space.scope}
        #: Id → item.
        self._doomed: dict[str, _Doomed] = {}
        #: Number → a record that stays, before and after it lost sources.
        self._cut: dict[int, tuple[Record, Record]] = {}

    def run(self, ids: Iterable[str], session: str | None) -> EraseReceipt:
        """``session``: the one that is erased whole; None: only these items are."""
        self._doom(ids)
        if not self._doomed and session is None:
            return EraseReceipt()
        named = set(self._doomed) if session is None else set()
        self._doom_what_cites()
        doomed = self._doomed.values()
        relearn = {id: left for id in self._doomed.keys() - named if (left := self._to_learn_again(id))}
        buried = [mark for id, each in self._doomed.items() if id not in relearn for mark in marks(each.value)]
        tombstones = bury(self._connection, self._scope, buried)
        erased = [version for each in doomed for version in names.versions(self._connection, self._space.scope, each.value)]
        numbers = [each.number for each in doomed]
        receipt = EraseReceipt(
            messages=sum(isinstance(each.value, Message) for each in doomed),
            records=sum(isinstance(each.value, Record) for each in doomed),
            postings=postings.remove(self._connection, self._space, numbers),
            vectors=self._delete("drop_item_vectors", "item", numbers),
            history=self._delete("erase_history", "target", self._doomed),
            summaries=sum(self._erase_traces(each) for each in doomed),
            jobs=self._erase_jobs(session),
            operations=self._erase_operations(session),
            tombstones=tombstones,
        )
        for name in ("erase_item", "erase_message", "erase_record"):
            self._delete(name, "item", numbers)
        self._save_cut()
        about_names, lost = names.forget(self._connection, self._space.scope, erased)
        tombstones += bury(self._connection, self._scope, map(name_mark, lost))
        answered = [*self._erase_receipts(set(numbers)), *_answered_under(self._connection, self._space.scope)]
        tombstones += bury(self._connection, self._scope, answered)
        # Any of them may have words of what goes.
        self._connection.execute(SQL["erase_scope_replies"], self._key)
        self._erase_empty_sessions()
        if relearn:
            # Found by number, so that they are read in the order they were written.
            ids_left = [id for _, id in sorted({pair for found in relearn.values() for pair in found.items()})]
            add_jobs(self._connection, self._space.scope, [NewJob(kind="learn", payload={"ids": ids_left})])
        self._space.version += 1
        self._space.epoch += 1
        self._space.revision += 1
        self._space.save(self._connection)
        return replace(receipt, history=receipt.history + about_names, tombstones=tombstones)

    def _doom(self, ids: Iterable[str]) -> None:
        for id in ids:
            row = self._connection.execute(SQL["doomed_item"], self._key | {"id": id}).fetchone()
            if row is not None and id not in self._doomed:
                number, kind, session = row
                self._doomed[id] = _Doomed(number, session, load(self._connection, self._space.scope, number, kind))

    def _doom_what_cites(self) -> None:
        """Of the records that cite an erased message some go with it, and others lose it."""
        messages = {id for id, each in self._doomed.items() if isinstance(each.value, Message)}
        for number in sorted(filing.items_citing(self._connection, self._space.scope, messages)):
            record = record_of_row(self._connection.execute(SQL["record"], self._key | {"item": number}).fetchone())
            shorter = without(record, messages, self._left_of(record).values())
            if shorter is None:
                self._doom([record.id])
            elif record.id not in self._doomed:
                self._cut[number] = (record, shorter)

    def _save_cut(self) -> None:
        """Records that stay lose the sources that went, and so does their history."""
        for number, (before, after) in self._cut.items():
            key = self._key | {"item": number}
            self._connection.execute(SQL["save_record"], record_row(after) | key)
            filing.file(self._connection, self._space.scope, number, before, after)
            for entry, _, _, *told, _, _, _ in fetch(self._connection, SQL["history"], self._key | {"target": after.id}):
                old = [json.loads(each) for each in told]
                new = [told_without(each, self._doomed) for each in old]
                if new != old:
                    row = dict(zip(("before", "after"), (json.dumps(each, ensure_ascii=False) for each in new), strict=True))
                    self._connection.execute(SQL["save_told"], self._key | row | {"entry": entry})

    def _to_learn_again(self, id: str) -> dict[int, str]:
        """The messages, by number, from which what a doomed item says can be learnt again."""
        value = self._doomed[id].value
        # What somebody forgot must not be learnt once more.
        return {} if isinstance(value, Message) or value.status == "retired" else self._left_of(value)

    def _left_of(self, record: Record) -> dict[int, str]:
        """The messages that a record cites and that stay, by number."""
        rows = {
            each: self._connection.execute(SQL["item"], self._key | {"id": each}).fetchone()
            for each in filing.cited(record.sources)
            if each not in self._doomed
        }
        return {row[0]: each for each, row in rows.items() if row is not None and row[1] == 0}

    def _delete(self, name: str, column: str, values: Iterable[int | str]) -> int:
        return sum(self._connection.execute(SQL[name], self._key | {column: value}).rowcount for value in values)

    def _erase_traces(self, doomed: _Doomed) -> int:
        """What is kept of an item beside it; returns how many summaries went."""
        value, session = doomed.value, self._key | {"session": doomed.session}
        if isinstance(value, Record):
            filing.unfile(self._connection, self._space.scope, doomed.number, value)
            return 0
        self._connection.execute(SQL["shrink_session"], session)
        if value.external_id is not None:
            self._connection.execute(SQL["erase_external_id"], session | {"external_id": value.external_id})
        return self._connection.execute(SQL["erase_summary"], session).rowcount

    def _erase_receipts(self, items: set[int]) -> list[str]:
        """Returns the marks of these appends."""
        erased = []
        for session in self._sessions():
            for key, known_by, answer in fetch(self._connection, SQL["session_receipts"], self._key | {"session": session}):
                # Its fingerprint was made of all the texts, the erased ones too.
                if not items.isdisjoint(item for item, _ in json.loads(answer)):
                    self._connection.execute(SQL["erase_receipt"], self._key | {"key": key})
                    erased.append(append_mark(key, known_by))
        return erased

    def _sessions(self) -> set[int]:
        """Those that lose messages."""
        return {each.session for each in self._doomed.values() if isinstance(each.value, Message) and each.session is not None}

    def _erase_empty_sessions(self) -> None:
        for session in self._sessions():
            self._connection.execute(SQL["erase_progress"], self._key | {"session": session})
        for (session,) in fetch(self._connection, SQL["empty_sessions"], self._key):
            self._connection.execute(SQL["erase_session"], self._key | {"session": session})

    def _erase_jobs(self, session: str | None) -> int:
        """Jobs that have nothing left to do go; others lose the erased ids."""
        erased = 0
        for job, text in fetch(self._connection, SQL["scope_jobs"], self._key):
            payload = json.loads(text)
            listed = payload.get("ids")
            left = [id for id in listed if id not in self._doomed] if isinstance(listed, list) else None
            if (session is not None and payload.get("session") == session) or (listed and not left):
                erased += self._connection.execute(SQL["complete"], {"job": job}).rowcount
            elif left != listed:
                shorter = json.dumps(payload | {"ids": left}, ensure_ascii=False)
                self._connection.execute(SQL["save_payload"], {"job": job, "payload": shorter})
        return erased

    def _erase_operations(self, session: str | None) -> int:
        """Lines of the log that are about what was erased, or name it."""
        names = {*self._doomed, *([session] if session is not None else [])}
        about = [
            entry
            for entry, parameters, result, its_session, items in fetch(self._connection, SQL["all_operations"], self._key)
            if (session is not None and its_session == session)
            or not names.isdisjoint(_texts([json.loads(each) for each in (parameters, result, items or "[]")]))
        ]
        return self._delete("erase_operation", "entry", about)


def _texts(value: Any) -> Iterable[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


# --- counts -------------------------------------------------------------------------------------------------------------


def scopes(connection: sqlite3.Connection, after: int | None, limit: int, tenant: str | None) -> Page[Scope]:
    rows = fetch(connection, SQL["scopes"], {"after": after or 0, "limit": limit + 1, "tenant": tenant})
    (total,) = connection.execute(SQL["count_scopes"], {"tenant": tenant}).fetchone()
    return Page(
        items=tuple(Scope(tenant, user) for _, tenant, user in rows[:limit]),
        cursor=str(rows[limit - 1][0]) if len(rows) > limit else None,
        total=total,
    )


def stats(connection: sqlite3.Connection, scope: Scope | None, size: int) -> StoreStats:
    space = find(connection, scope) if scope else None
    # 0 is the number of no scope.
    key = {"scope": None if scope is None else space.scope if space else 0}
    messages, records = connection.execute(SQL["count_items"], key).fetchone()
    (all_scopes,) = connection.execute(SQL["count_scopes"], {"tenant": None}).fetchone()
    return StoreStats(
        scopes=all_scopes if scope is None else int(space is not None),
        sessions=connection.execute(SQL["count_sessions"], key).fetchone()[0],
        messages=messages,
        records=records,
        blocks=connection.execute(SQL["count_blocks"], key).fetchone()[0],
        vectors=dict(fetch(connection, SQL["count_vectors"], key)),
        jobs=dict(fetch(connection, SQL["count_jobs"], key)),
        bytes=size,
    )
