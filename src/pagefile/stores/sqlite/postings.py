"""Postings: which items of a scope a term stands in, and how often.

A term has one row for each 1,024 item numbers; in it, four bytes for each item: how often the term occurs, and the item's place among the
1,024. So a common term of a large scope is read at a few rows a thousand items, and numpy reads it without a loop.

To write an item's terms there costs a page for each. So the newest items of a scope, its tail, are not in these rows yet: their terms
stand beside their texts alone, and go into the postings together once there are enough. Searches keep the tail in memory. A scope's row
says up to which item the postings reach, so that whoever reads both in one transaction sees each item once.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, repeat
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import Row, fetch
from pagefile.stores.sqlite.spaces import Space

#: Items in the tail from which they go into the postings. With half as many, one append in 16 of eight callers waits for somebody's fold.
FOLD_FROM = 256

_CHUNK_BITS = 10
_PLACE_MASK = (1 << _CHUNK_BITS) - 1
_MOST = 0xFFFF
#: Terms that are looked for in a tail without an index.
_UNINDEXED = 40
#: No term has it in it.
_SEPARATOR = "\0"
#: No UTF-8 has it in it, so that no term is found across two rows.
_BETWEEN = b"\xff"


# --- an item's terms ----------------------------------------------------------------------------------------------------


def terms_row(terms: Mapping[str, int]) -> bytes | None:
    """The counts above 1, then all terms, those with such a count first, each between separators. None: there are none."""
    if not terms:
        return None
    often = {term: min(count, _MOST) for term, count in terms.items() if count > 1}
    once = [term for term in terms if term not in often]
    return _SEPARATOR.join([",".join(map(str, often.values())), *often, *once, ""]).encode()


def _terms_of_row(row: bytes) -> dict[str, int]:
    often, *terms, _ = row.decode().split(_SEPARATOR)
    counts = dict.fromkeys(terms, 1)
    if often:
        counts.update(zip(terms, map(int, often.split(",")), strict=False))
    return counts


def _entries_of_row(row: bytes, place: int) -> Iterator[tuple[str, bytes]]:
    """An item's terms, each with the four bytes that the item has in its postings."""
    often, *terms, _ = row.decode().split(_SEPARATOR)
    counted = [_entry(place, int(count)) for count in often.split(",")] if often else []
    return zip(terms, chain(counted, repeat(_entry(place, 1))), strict=False)


def _count_in_row(row: bytes, place: int) -> int:
    """How often the term occurs that begins after the separator at this place."""
    often = row[: row.index(0)]
    rank = row.count(0, 0, place)
    return int(often.split(b",")[rank]) if often and rank <= often.count(b",") else 1


def _entry(place: int, count: int) -> bytes:
    return (place << 16 | count).to_bytes(4, "little")


# --- writes -------------------------------------------------------------------------------------------------------------


def save(connection: sqlite3.Connection, space: Space, record: int, terms: Mapping[str, int], fold_from: int) -> None:
    """Note the terms of a record, a new or a changed one, in place of those it had. The caller saves the space."""
    remove(connection, space, [record])
    row = terms_row(terms)
    connection.execute(SQL["save_record_terms"], {"scope": space.scope, "item": record, "terms": row})
    if row is not None and record <= space.folded:
        _write(connection, space.scope, {record: row})
    fold(connection, space, fold_from)


def fold(connection: sqlite3.Connection, space: Space, fold_from: int) -> None:
    """Bring the tail into the postings if it has so many items. All items that the space has numbered must have their terms then.

    The caller saves the space.
    """
    if space.last_item - space.folded >= fold_from:
        _write(connection, space.scope, dict(fetch(connection, SQL["tail"], {"scope": space.scope, "folded": space.folded})))
        space.folded = space.last_item


def _write(connection: sqlite3.Connection, scope: int, rows: Mapping[int, bytes]) -> None:
    packed: dict[tuple[str, int], bytearray] = defaultdict(bytearray)
    for item, row in rows.items():
        chunk = item >> _CHUNK_BITS
        for term, entry in _entries_of_row(row, item & _PLACE_MASK):
            packed[term, chunk] += entry
    # In the order of the key, so that neighbouring pages are written together.
    ordered = ({"scope": scope, "term": term, "chunk": chunk, "packed": packed[term, chunk]} for term, chunk in sorted(packed))
    connection.executemany(SQL["add_postings"], ordered)


def remove(connection: sqlite3.Connection, space: Space, items: Iterable[int]) -> int:
    """Take items out of the postings; returns how many pairs of term and item there were. Their own terms go with them."""
    pairs = 0
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for item in items:
        key = {"scope": space.scope, "item": item}
        row = connection.execute(SQL["item_terms"], key).fetchone()
        if row is None:
            continue
        terms = _terms_of_row(row[0])
        pairs += len(terms)
        if item <= space.folded:
            for term in terms:
                places[term, item >> _CHUNK_BITS].append(item & _PLACE_MASK)
    for (term, chunk), gone in sorted(places.items()):
        _remove_places(connection, {"scope": space.scope, "term": term, "chunk": chunk}, gone)
    return pairs


def _remove_places(connection: sqlite3.Connection, key: Mapping[str, object], gone: list[int]) -> None:
    (packed,) = connection.execute(SQL["postings_chunk"], key).fetchone()
    entries = np.frombuffer(packed, dtype="<u4")
    left = entries[~np.isin(entries >> 16, gone)]
    if len(left):
        connection.execute(SQL["save_postings_chunk"], {**key, "packed": left.tobytes()})
    else:
        connection.execute(SQL["drop_postings_chunk"], key)


# --- reads --------------------------------------------------------------------------------------------------------------


def count(connection: sqlite3.Connection, space: Space) -> int:
    """How many pairs of term and item a scope has."""
    (folded,) = connection.execute(SQL["count_postings"], {"scope": space.scope}).fetchone()
    tail = fetch(connection, SQL["tail"], {"scope": space.scope, "folded": space.folded})
    return int(folded) + sum(len(_terms_of_row(row)) for _, row in tail)


class Tail:
    """The newest items of a scope in memory. The first terms asked for are looked for in the rows; who asks for more makes an index."""

    def __init__(self, folded: int) -> None:
        #: The tail is the items after this one.
        self.folded = folded
        # One chunk for all: four bytes have room for higher places than the file's rows use.
        self._chunk = (folded + 1) >> _CHUNK_BITS
        self._rows: dict[int, bytes] = {}
        #: All rows in one, and where each begins.
        self._together, self._starts = b"", [0]
        self._asked = 0
        #: All terms of all items in the form of postings, once it is worth it.
        self._index: dict[str, bytes] | None = None

    @property
    def size(self) -> int:
        """Bytes it takes, about."""
        return 2 * sum(map(len, self._rows.values())) + 150 * len(self._index or ())

    def put(self, rows: Mapping[int, bytes | None]) -> None:
        """Items that are new or were written again, with their rows of terms; None: an item has no terms."""
        for item, row in rows.items():
            old = self._rows.get(item)
            if row == old:
                continue
            self._together = b""
            if old is not None:
                # The terms of an item changed, which is rare.
                self._index = None
                del self._rows[item]
            if row is not None:
                self._rows[item] = row
                self._note(item, row)

    def rows(self, term: str) -> list[Row]:
        """As the query ``postings`` gives them."""
        self._asked += 1
        if self._index is None and self._asked > _UNINDEXED:
            self._index = {}
            for item, row in self._rows.items():
                self._note(item, row)
        packed = self._look(term) if self._index is None else self._index.get(term)
        return [(self._chunk, packed)] if packed else []

    def _note(self, item: int, row: bytes) -> None:
        if (index := self._index) is not None:
            for term, entry in _entries_of_row(row, self._place(item)):
                index[term] = index.get(term, b"") + entry

    def _look(self, term: str) -> bytes:
        if not self._together:
            self._together = _BETWEEN.join(self._rows.values())
            self._starts = list(accumulate((len(row) + 1 for row in self._rows.values()), initial=0))
        items, entries = list(self._rows), []
        wanted = f"{_SEPARATOR}{term}{_SEPARATOR}".encode()
        found = self._together.find(wanted)
        while found >= 0:
            rank = bisect_right(self._starts, found) - 1
            item = items[rank]
            entries.append(_entry(self._place(item), _count_in_row(self._rows[item], found - self._starts[rank])))
            found = self._together.find(wanted, self._starts[rank + 1])
        return b"".join(entries)

    def _place(self, item: int) -> int:
        return item - (self._chunk << _CHUNK_BITS)


Read: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]


def read(connection: sqlite3.Connection, scope: int, terms: Collection[str], tail: Tail) -> Iterator[tuple[str, Read]]:
    """Of each term that stands in any item: these items, and how often it does."""
    rows: dict[str, list[Row]] = {term: tail.rows(term) for term in terms}
    # Many scopes never grow out of their tail.
    if tail.folded:
        for term, chunk, packed in fetch(connection, SQL["postings"], {"scope": scope, "terms": json.dumps(list(terms))}):
            rows[term].append((chunk, packed))
    return ((term, _unpacked(found)) for term, found in rows.items() if found)


def _unpacked(rows: Sequence[Row]) -> Read:
    entries = np.frombuffer(b"".join(row[1] for row in rows), dtype="<u4").astype(np.int64)
    bases = np.repeat([row[0] << _CHUNK_BITS for row in rows], [len(row[1]) // 4 for row in rows]).astype(np.int64)
    return bases + (entries >> 16), entries & _MOST
