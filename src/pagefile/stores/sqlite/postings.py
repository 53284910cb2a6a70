"""Postings: which items of a scope a term stands in, and how often.

A term has one row for each 1,024 item numbers; in it, four bytes for each item: its place among the 1,024 above how often the term occurs.
So an append writes each of its terms once, a common term of a large scope is read at a few rows a thousand items, and numpy reads it
without a loop.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from pagefile.stores.sqlite.documents import SQL

_CHUNK_BITS = 10
_PLACE_MASK = (1 << _CHUNK_BITS) - 1
_MOST = 0xFFFF


def add(connection: sqlite3.Connection, scope: int, terms_of: Mapping[int, Mapping[str, int]]) -> None:
    """Note the terms of new items: item → term → frequency."""
    packed: dict[tuple[str, int], bytearray] = defaultdict(bytearray)
    for item, terms in terms_of.items():
        chunk, place = item >> _CHUNK_BITS, (item & _PLACE_MASK) << 16
        for term, frequency in terms.items():
            packed[term, chunk] += (place | min(frequency, _MOST)).to_bytes(4, "little")
    # In the order of the key, so that neighbouring pages are written together.
    rows = [(scope, term, chunk, bytes(packed[term, chunk])) for term, chunk in sorted(packed)]
    connection.executemany(SQL["add_postings"], ({"scope": s, "term": t, "chunk": c, "packed": p} for s, t, c, p in rows))
    connection.executemany(
        SQL["add_item_terms"],
        [
            {"scope": scope, "item": item, "terms": json.dumps(list(terms), ensure_ascii=False, separators=(",", ":"))}
            for item, terms in terms_of.items()
            if terms
        ],
    )


def remove(connection: sqlite3.Connection, scope: int, items: Iterable[int]) -> int:
    """Take items out of the postings; returns how many pairs of term and item there were."""
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for item in items:
        key = {"scope": scope, "item": item}
        row = connection.execute(SQL["item_terms"], key).fetchone()
        if row is None:
            continue
        for term in json.loads(row[0]):
            places[term, item >> _CHUNK_BITS].append(item & _PLACE_MASK)
        connection.execute(SQL["drop_item_terms"], key)
    for (term, chunk), gone in sorted(places.items()):
        _remove_places(connection, {"scope": scope, "term": term, "chunk": chunk}, gone)
    return sum(len(gone) for gone in places.values())


def _remove_places(connection: sqlite3.Connection, key: Mapping[str, object], gone: list[int]) -> None:
    (packed,) = connection.execute(SQL["postings_chunk"], key).fetchone()
    entries = np.frombuffer(packed, dtype="<u4")
    left = entries[~np.isin(entries >> 16, gone)]
    if len(left):
        connection.execute(SQL["save_postings_chunk"], {**key, "packed": left.tobytes()})
    else:
        connection.execute(SQL["drop_postings_chunk"], key)


def read(connection: sqlite3.Connection, scope: int, term: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The items that a term stands in, and how often."""
    rows = connection.execute(SQL["postings"], {"scope": scope, "term": term}).fetchall()
    entries = np.frombuffer(b"".join(row[1] for row in rows), dtype="<u4").astype(np.int64)
    bases = np.repeat([row[0] << _CHUNK_BITS for row in rows], [len(row[1]) // 4 for row in rows]).astype(np.int64)
    return bases + (entries >> 16), entries & _MOST
