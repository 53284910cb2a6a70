"""Every change that was made, read: of one target, by its id, or all of a scope."""

from __future__ import annotations

import sqlite3

from pagefile.queries import Page
from pagefile.records import HistoryEntry, Scope
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import LAST, fetch, history_of_row, numbers_of
from pagefile.stores.sqlite.spaces import find


def history(connection: sqlite3.Connection, scope: Scope, target: str) -> tuple[HistoryEntry, ...]:
    space = find(connection, scope)
    if space is None:
        return ()
    return tuple(history_of_row(row) for row in fetch(connection, SQL["history"], {"scope": space.scope, "target": target}))


def entry(connection: sqlite3.Connection, scope: Scope, id: str) -> HistoryEntry | None:
    space = find(connection, scope)
    # An id that is none of ours stands for no change.
    rows = [fetch(connection, SQL["entry"], {"scope": space.scope, "entry": number}) for number in numbers_of([id])] if space else []
    return history_of_row(rows[0][0]) if rows and rows[0] else None


def changes(connection: sqlite3.Connection, scope: Scope, after: int | None, limit: int, *, newest_first: bool) -> Page[HistoryEntry]:
    space = find(connection, scope)
    if space is None:
        return Page(items=(), cursor=None, total=0)
    before = LAST if after is None else after
    asked = {"scope": space.scope, "before": before, "after": after or 0, "limit": limit + 1}
    rows = fetch(connection, SQL["changes" if newest_first else "changes_since"], asked)
    (total,) = connection.execute(SQL["count_changes"], {"scope": space.scope}).fetchone()
    return Page(
        items=tuple(history_of_row(row) for row in rows[:limit]),
        cursor=str(rows[limit - 1][0]) if len(rows) > limit else None,
        total=total,
    )
