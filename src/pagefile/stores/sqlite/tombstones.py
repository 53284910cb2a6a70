"""What was erased, by a hash that nobody can turn back into what it was: so that it is known when it comes again.

A mark (see ``language.keys.marks``) is hashed together with its scope under a random key of the file. The table is of the whole file: a
scope that was erased leaves nothing else. Beside the hashes of what went, each scope that lost something has one that says so, so that
writing into all the others costs one look-up, however long their texts are.
"""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from pagefile.errors import Erased
from pagefile.language.keys import known_by
from pagefile.messages import Draft
from pagefile.records import Record, Scope
from pagefile.stores.rules import stays_erased
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import from_microseconds, now_us

_BYTES = 16
#: Stands for anything at all of a scope. No text has a NUL in it, so that it is nobody's mark.
_ANYTHING = "\0"


class Tombstones:
    """Those of one scope, as one transaction sees them."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope, key: bytes | None) -> None:
        """``key``: that of the hashes, as ``key_if_any`` gives it."""
        self._connection, self._scope, self._key = connection, scope, key
        if self._key is not None and self.erased_at(_ANYTHING) is None:
            self._key = None

    def erased_at(self, mark: str) -> datetime | None:
        """When what this mark stands for was erased; None: it was not."""
        if self._key is None:
            return None
        row = self._connection.execute(SQL["tombstone"], {"mark": _hash(self._key, self._scope, mark)}).fetchone()
        return None if row is None else from_microseconds(row[0])

    def hold(self, draft: Draft) -> bool:
        """Whether this message was erased."""
        return self._key is not None and any(self.erased_at(mark) is not None for mark in known_by(draft))

    def check(self, record: Record) -> None:
        """Raises Erased if what the record says was erased, and was not said since."""
        if self._key is None:
            return
        for mark in known_by(record):
            erased_at = self.erased_at(mark)
            if stays_erased(record, erased_at):
                raise Erased(
                    f"what record {record.id!r:.80} says was erased at {erased_at:%Y-%m-%d %H:%M:%S} UTC, and it was not said again since; "
                    "nothing was changed. It can be learnt again once somebody says it again"
                )


def key_if_any(connection: sqlite3.Connection) -> bytes | None:
    """The key of the hashes; None: nothing was ever erased."""
    row = connection.execute(SQL["tombstone_key_if_any"]).fetchone()
    return row[0] if row else None


def _hash(key: bytes, scope: Scope, mark: str) -> bytes:
    # No identifier has a NUL in it, so no two scopes and marks are written alike.
    return hmac.digest(key, f"{scope.tenant}\0{scope.user}\0{mark}".encode(), "sha256")[:_BYTES]


def bury(connection: sqlite3.Connection, scope: Scope, marks_of_items: Iterable[str]) -> int:
    """Leave tombstones with the time of now; returns how many different ones."""
    (key,) = connection.execute(SQL["tombstone_key"]).fetchone()
    now = now_us()

    def rows(wanted: Iterable[str]) -> Iterator[dict[str, Any]]:
        return ({"mark": _hash(key, scope, mark), "erased_us": now} for mark in wanted)

    count = connection.executemany(SQL["bury"], rows(marks_of_items)).rowcount
    if count:
        connection.executemany(SQL["bury"], rows([_ANYTHING]))
    return count


def erased(connection: sqlite3.Connection, scope: Scope, wanted: Sequence[str]) -> tuple[datetime | None, ...]:
    tombstones = Tombstones(connection, scope, key_if_any(connection))
    return tuple(tombstones.erased_at(mark) for mark in wanted)
