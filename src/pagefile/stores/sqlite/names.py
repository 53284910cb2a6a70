"""Which records name what, and which names stand for the same: plain functions over a connection."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from pagefile.entities import ENTITY, Alias, Named, Within
from pagefile.language.entities import entity_key, mentions
from pagefile.queries import Item
from pagefile.records import Merge, Record, Scope, Split
from pagefile.stores import aliases as names
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import LAST, STATUSES, fetch, from_microseconds, history_of_row, maybe_microseconds, record_of_row
from pagefile.stores.sqlite.spaces import find

#: Records whose names are noted anew in one transaction.
_PAGE = 300

# --- writes -------------------------------------------------------------------------------------------------------------


def file(connection: sqlite3.Connection, scope: int, item: int, before: Record | None, after: Record) -> None:
    """Note what a record names that is new or was changed."""
    old, new = mentions(before) if before else (), mentions(after)
    if before is not None and old != new:
        unfile(connection, scope, item)
    if new and old != new:
        pairs = json.dumps([[each.key, each.name] for each in new], ensure_ascii=False)
        connection.execute(SQL["add_mentions"], {"scope": scope, "item": item, "names": pairs})


def unfile(connection: sqlite3.Connection, scope: int, item: int) -> None:
    """Take a record out that is to be erased."""
    connection.execute(SQL["drop_mentions"], {"scope": scope, "item": item})


def anew(connection: sqlite3.Connection, scope: Scope, after: int) -> tuple[int, int | None]:
    """Note anew what a page of the records of a scope name, those behind number ``after``; returns of how many, and behind which number
    the next page begins (None: there is none)."""
    space = find(connection, scope)
    if space is None:
        return 0, None
    rows = fetch(connection, SQL["records_behind"], {"scope": space.scope, "after": after, "limit": _PAGE})
    for row in rows:
        unfile(connection, space.scope, row[0])
        file(connection, space.scope, row[0], None, record_of_row(row))
    return len(rows), rows[-1][0] if len(rows) == _PAGE else None


def change(connection: sqlite3.Connection, scope: int, change: Merge | Split) -> Alias:
    """Merge a name into another one, or split it off; returns the alias that came or went."""
    asked = [change.target] if change.into is None else [change.target, change.into]
    standing = _leading_on(connection, scope, [entity_key(name) for name in asked])
    if isinstance(change, Merge):
        alias = names.merged(change, standing)
        row = {"key": alias.key, "name": alias.name, "into": alias.into, "into_name": alias.into_name}
        connection.execute(SQL["add_alias"], {"scope": scope, **row})
    else:
        alias = names.split(change, standing)
        connection.execute(SQL["drop_alias"], {"scope": scope, "key": alias.key})
    return alias


def _leading_on(connection: sqlite3.Connection, scope: int, keys: Sequence[str]) -> dict[str, Alias]:
    """The merges on the way from some keys to what they stand for in the end, by key."""
    found: dict[str, Alias] = {}
    for key in keys:
        while key not in found and (rows := fetch(connection, SQL["alias"], {"scope": scope, "key": key})):
            found[key] = _alias(rows[0])
            key = found[key].into
    return found


def versions(connection: sqlite3.Connection, scope: int, item: Item) -> Sequence[Item]:
    """An item that is to be erased, and as it was before each of its changes."""
    if not isinstance(item, Record):
        return (item,)
    return names.versions(item, [history_of_row(row) for row in fetch(connection, SQL["history"], {"scope": scope, "target": item.id})])


def forget(connection: sqlite3.Connection, scope: int, erased: Sequence[Item]) -> tuple[int, set[str]]:
    """Take away the aliases of names that nothing names any more since these items were erased, with what the history tells of them;
    returns how many changes of the history went, and the keys of these names."""
    standing = read(connection, scope)
    history = [
        (entry, {target.removeprefix(ENTITY)}.union(*(names.keys_told(json.loads(each)) for each in told)))
        for entry, target, *told in fetch(connection, SQL["entity_history"], {"scope": scope})
    ]
    if not standing and not history:
        return 0, set()
    told_of = {key for alias in standing for key in (alias.key, alias.into)}.union(*(keys for _, keys in history))

    def is_named(key: str) -> bool:
        return bool(connection.execute(SQL["is_named"], {"scope": scope, "entity": key}).fetchone()[0])

    lost = names.lost_names(erased, told_of, is_named, standing)
    for alias in standing:
        if lost & {alias.key, alias.into}:
            connection.execute(SQL["drop_alias"], {"scope": scope, "key": alias.key})
    gone = [entry for entry, keys in history if lost & keys]
    connection.executemany(SQL["erase_entry"], [{"scope": scope, "entry": entry} for entry in gone])
    return len(gone), lost & told_of


# --- reads --------------------------------------------------------------------------------------------------------------


def named(connection: sqlite3.Connection, scope: Scope, keys: Sequence[str] | None) -> tuple[Named, ...]:
    space = find(connection, scope)
    if space is None:
        return ()
    asked = {"scope": space.scope, "keys": json.dumps(list(keys or ()), ensure_ascii=False)}
    rows = fetch(connection, SQL["named" if keys is None else "named_among"], asked)
    return tuple(
        Named(key=key, name=name, records=count, first=from_microseconds(first), last=from_microseconds(last))
        for key, name, count, first, last in rows
    )


def naming(connection: sqlite3.Connection, scope: Scope, keys: Sequence[str], within: Within, limit: int | None) -> tuple[Record, ...]:
    space = find(connection, scope)
    if space is None or not keys:
        return ()
    asked = {
        "scope": space.scope,
        "keys": json.dumps(list(keys), ensure_ascii=False),
        "statuses": json.dumps([STATUSES.index(status) for status in within.statuses]),
        "as_of": maybe_microseconds(within.as_of),
        "alive_at": maybe_microseconds(within.alive_at),
        "since": maybe_microseconds(within.since),
        "until": maybe_microseconds(within.until),
        "limit": LAST if limit is None else limit,
    }
    items = [row[0] for row in connection.execute(SQL["naming"], asked)]
    found = fetch(connection, SQL["some_records"], {"scope": space.scope, "items": json.dumps(items)}) if items else ()
    records = {row[0]: record_of_row(row) for row in found}
    return tuple(records[item] for item in reversed(items))


def aliases(connection: sqlite3.Connection, scope: Scope) -> tuple[Alias, ...]:
    return tuple(map(_alias, fetch(connection, SQL["aliases_of_user"], {"tenant": scope.tenant, "user": scope.user})))


def read(connection: sqlite3.Connection, scope: int) -> tuple[Alias, ...]:
    """The merges that stand in a scope, by its number."""
    return tuple(map(_alias, fetch(connection, SQL["aliases"], {"scope": scope})))


def _alias(row: tuple[Any, ...]) -> Alias:
    key, name, into, into_name = row
    return Alias(key=key, name=name, into=into, into_name=into_name)
