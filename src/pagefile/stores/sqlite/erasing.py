"""Erasing in SQL, and the counts of what there is: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pagefile.ports import EraseReceipt, StoreStats
from pagefile.queries import Page
from pagefile.records import Scope
from pagefile.stores.sqlite import postings
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import Row, fetch
from pagefile.stores.sqlite.spaces import Space, find

_SCOPE_TABLES = tuple(name for name in SQL if name.startswith("erase_scope"))


def erase_scope(connection: sqlite3.Connection, scope: Scope) -> EraseReceipt:
    space = find(connection, scope)
    if space is None:
        return EraseReceipt()
    key = {"scope": space.scope}
    messages, records = connection.execute(SQL["count_items"], key).fetchone()
    pairs = postings.count(connection, space)
    vectors, blocks, history, jobs, tasks, operations = connection.execute(SQL["count_scope_rows"], key).fetchone()
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
    )


def erase_session(connection: sqlite3.Connection, scope: Scope, session: str) -> EraseReceipt:
    """Its messages, the records that name it, and all that tells that it was."""
    space = find(connection, scope)
    row = space and connection.execute(SQL["session_number"], {"scope": space.scope, "name": session}).fetchone()
    if space is None or not row:
        return EraseReceipt()
    key = {"scope": space.scope, "session": row[0]}
    ids = [each for (each,) in fetch(connection, SQL["session_items"], key)]
    receipt = _Eraser(connection, space).run(ids, session)
    for receipt_key, _ in fetch(connection, SQL["session_receipts"], key):
        connection.execute(SQL["erase_receipt"], {"scope": space.scope, "key": receipt_key})
    connection.execute(SQL["erase_session"], key)
    return receipt


def erase_items(connection: sqlite3.Connection, scope: Scope, ids: Iterable[str]) -> EraseReceipt:
    space = find(connection, scope)
    return EraseReceipt() if space is None else _Eraser(connection, space).run(ids, None)


class _Eraser:
    """Takes items out of everything."""

    def __init__(self, connection: sqlite3.Connection, space: Space) -> None:
        self._connection, self._space = connection, space
        self._key = {"scope": space.scope}

    def run(self, ids: Iterable[str], session: str | None) -> EraseReceipt:
        facts = {id: self._connection.execute(SQL["item_facts"], self._key | {"id": id}).fetchone() for id in dict.fromkeys(ids)}
        doomed = {id: row for id, row in facts.items() if row is not None}
        if not doomed and session is None:
            return EraseReceipt()
        items = [row[0] for row in doomed.values()]
        receipt = EraseReceipt(
            messages=sum(row[1] == 0 for row in doomed.values()),
            records=sum(row[1] != 0 for row in doomed.values()),
            postings=postings.remove(self._connection, self._space, items),
            vectors=self._delete("drop_item_vectors", "item", items),
            history=self._delete("erase_history", "target", doomed),
        )
        for row in doomed.values():
            self._erase_message_traces(row)
        for name in ("erase_item", "erase_message", "erase_record"):
            self._delete(name, "item", items)
        self._erase_receipts({row[2] for row in doomed.values() if row[1] == 0}, set(items))
        self._erase_empty_sessions()
        receipt = replace(receipt, jobs=self._erase_jobs(set(doomed), session), operations=self._erase_operations(set(doomed), session))
        self._space.version += 1
        self._space.epoch += 1
        self._space.save(self._connection)
        return receipt

    def _delete(self, name: str, column: str, values: Iterable[int | str]) -> int:
        return sum(self._connection.execute(SQL[name], self._key | {column: value}).rowcount for value in values)

    def _erase_message_traces(self, row: Row) -> None:
        _, kind, session, seq, external_id = row
        if kind != 0:
            return
        self._connection.execute(SQL["shrink_session"], self._key | {"session": session, "seq": seq})
        if external_id is not None:
            self._connection.execute(SQL["erase_external_id"], self._key | {"session": session, "external_id": external_id})

    def _erase_receipts(self, sessions: Iterable[int], items: set[int]) -> None:
        for session in sessions:
            for key, answer in fetch(self._connection, SQL["session_receipts"], self._key | {"session": session}):
                # Its fingerprint was made of all the texts, the erased ones too.
                if not items.isdisjoint(item for item, _ in json.loads(answer)):
                    self._connection.execute(SQL["erase_receipt"], self._key | {"key": key})

    def _erase_empty_sessions(self) -> None:
        for (session,) in fetch(self._connection, SQL["empty_sessions"], self._key):
            self._connection.execute(SQL["erase_session"], self._key | {"session": session})

    def _erase_jobs(self, ids: set[str], session: str | None) -> int:
        """Jobs that have nothing left to do go; others lose these ids."""
        erased = 0
        for job, text in fetch(self._connection, SQL["scope_jobs"], self._key):
            payload = json.loads(text)
            listed = payload.get("ids")
            left = [id for id in listed if id not in ids] if isinstance(listed, list) else None
            if (session is not None and payload.get("session") == session) or (listed and not left):
                erased += self._connection.execute(SQL["complete"], {"job": job}).rowcount
            elif left != listed:
                shorter = json.dumps(payload | {"ids": left}, ensure_ascii=False)
                self._connection.execute(SQL["save_payload"], {"job": job, "payload": shorter})
        return erased

    def _erase_operations(self, ids: set[str], session: str | None) -> int:
        """Lines of the log that name what was erased."""
        names = ids | ({session} if session is not None else set())
        named = [
            entry
            for entry, parameters, result in fetch(self._connection, SQL["all_operations"], self._key)
            if not names.isdisjoint(_texts([json.loads(parameters), json.loads(result)]))
        ]
        return self._delete("erase_operation", "entry", named)


def _texts(value: Any) -> Iterable[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


# --- counts -------------------------------------------------------------------------------------------------------------


def scopes(connection: sqlite3.Connection, after: int | None, limit: int) -> Page[Scope]:
    rows = fetch(connection, SQL["scopes"], {"after": after or 0, "limit": limit + 1})
    (total,) = connection.execute(SQL["count_scopes"]).fetchone()
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
    (all_scopes,) = connection.execute(SQL["count_scopes"]).fetchone()
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
