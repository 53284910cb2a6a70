"""What SQL alone cannot fill when a file is upgraded: steps that run after the migration of the same number, in its transaction.

A step reads the file as it was at that migration, so it uses the words of the file and none of the package's values.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pagefile.language.entities import mentions
from pagefile.language.keys import fact_key, text_key
from pagefile.records import Record
from pagefile.stores.sqlite.filing import hashed
from pagefile.stores.sqlite.rows import maybe_microseconds, microseconds


def _to_2(connection: sqlite3.Connection) -> None:
    """File the records that are there, tell when items were learnt, and draw the key of the tombstones."""
    connection.execute("INSERT INTO keys (name, value) VALUES ('tombstones', ?)", (secrets.token_bytes(32),))
    said = connection.execute("SELECT recorded_at, scope, item FROM messages")
    learnt = ((microseconds(datetime.fromisoformat(at)), scope, item) for at, scope, item in said)
    connection.executemany("UPDATE items SET learned_us = ? WHERE scope = ? AND item = ?", learnt)
    connection.executemany(
        "UPDATE items SET until_us = ?, learned_us = ?, retired_us = ? WHERE scope = ? AND item = ?",
        ((_time(body, "valid_to"), _time(body, "learned_at"), _time(body, "retired_at"), *place) for place, body in _records(connection)),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO record_keys (scope, item, key) VALUES (?, ?, ?)",
        ((*place, hashed(key)) for place, body in _records(connection) for key in _keys(body)),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO citations (scope, item, message) VALUES (?, ?, ?)",
        ((*place, source["message"]) for place, body in _records(connection) for source in body.get("sources", ())),
    )


def _records(connection: sqlite3.Connection) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    for scope, item, body in connection.execute("SELECT scope, item, body FROM records"):
        yield (scope, item), json.loads(body)


def _time(body: Mapping[str, Any], name: str) -> int | None:
    return maybe_microseconds(datetime.fromisoformat(body[name]) if name in body else None)


def _keys(body: Mapping[str, Any]) -> Iterator[str]:
    yield text_key(body["text"])
    if body.get("subject") and body.get("attribute"):
        yield fact_key(body["subject"], body["attribute"])


def _to_9(connection: sqlite3.Connection) -> None:
    """Note what the records that are there name."""
    connection.executemany(
        "INSERT OR IGNORE INTO entity_mentions (scope, item, entity, name) VALUES (?, ?, ?, ?)",
        ((*place, each.key, each.name) for place, body in _records(connection) for each in mentions(_named_by(body))),
    )


def _named_by(body: Mapping[str, Any]) -> Record:
    """What of a record tells whom it names."""
    return Record(
        id=body["id"],
        kind=body["kind"],
        text=body["text"],
        subject=body.get("subject"),
        attribute=body.get("attribute"),
        value=body.get("value"),
        entities=tuple(body.get("entities", ())),
        extractor=body.get("extractor"),
        learned_at=datetime.fromisoformat(body["learned_at"]),
    )


#: Number of a migration → what comes after it.
UPGRADES: Mapping[int, Callable[[sqlite3.Connection], None]] = {2: _to_2, 9: _to_9}
