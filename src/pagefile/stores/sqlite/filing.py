"""Under which keys records are filed, whom they name, and which messages they cite: indexes beside the records, kept in step with them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence

from pagefile.language.keys import record_keys
from pagefile.receipts import Keyed
from pagefile.records import Record, Scope, Source
from pagefile.stores.changes import says_otherwise
from pagefile.stores.sqlite import names
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import record_of_row
from pagefile.stores.sqlite.spaces import find

_BYTES = 16


def hashed(key: str) -> bytes:
    """How a key stands in the file: short, and no text of a record."""
    return hashlib.blake2b(key.encode(), digest_size=_BYTES).digest()


def cited(sources: Iterable[Source]) -> tuple[str, ...]:
    """The messages, each once."""
    return tuple(dict.fromkeys(source.message for source in sources))


# --- writes -------------------------------------------------------------------------------------------------------------


def file(connection: sqlite3.Connection, scope: int, item: int, before: Record | None, after: Record) -> None:
    """File a record that is new or was changed."""
    where = {"scope": scope, "item": item}
    if before is None or says_otherwise(before, after):
        connection.execute(SQL["drop_keys"], where)
        connection.executemany(SQL["add_key"], [where | {"key": hashed(key)} for key in record_keys(after)])
        names.file(connection, scope, item, before, after)
    elif before.entities != after.entities:
        names.file(connection, scope, item, before, after)
    old, new = cited(before.sources) if before else (), cited(after.sources)
    if old != new:
        connection.executemany(SQL["drop_citation"], [where | {"message": id} for id in old if id not in new])
        connection.executemany(SQL["add_citation"], [where | {"message": id} for id in new if id not in old])


def unfile(connection: sqlite3.Connection, scope: int, item: int, record: Record) -> None:
    """Take a record out that is to be erased."""
    where = {"scope": scope, "item": item}
    connection.execute(SQL["drop_keys"], where)
    names.unfile(connection, scope, item)
    connection.executemany(SQL["drop_citation"], [where | {"message": id} for id in cited(record.sources)])


# --- reads --------------------------------------------------------------------------------------------------------------


def keyed(connection: sqlite3.Connection, scope: Scope, keys: Sequence[str]) -> Keyed:
    space = find(connection, scope)
    if space is None:
        return Keyed(revision=0, records=())
    wanted = [{"scope": space.scope, "key": hashed(key)} for key in dict.fromkeys(keys)]
    items = {item for one in wanted for (item,) in connection.execute(SQL["keyed"], one)}
    return Keyed(revision=space.shown_revision, records=_records(connection, space.scope, items))


def citing(connection: sqlite3.Connection, scope: Scope, messages: Sequence[str]) -> tuple[Record, ...]:
    space = find(connection, scope)
    return () if space is None else _records(connection, space.scope, items_citing(connection, space.scope, messages))


def items_citing(connection: sqlite3.Connection, scope: int, messages: Iterable[str]) -> set[int]:
    """Numbers of the records that cite one of these messages."""
    wanted = json.dumps(list(messages))
    return {item for (item,) in connection.execute(SQL["citing"], {"scope": scope, "messages": wanted})}


def _records(connection: sqlite3.Connection, scope: int, items: Collection[int]) -> tuple[Record, ...]:
    """In the order they were added."""
    if not items:
        return ()
    rows = connection.execute(SQL["some_records"], {"scope": scope, "items": json.dumps(list(items))})
    return tuple(map(record_of_row, rows))
