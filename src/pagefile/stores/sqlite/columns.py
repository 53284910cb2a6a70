"""One scope as search sees it: a column of numbers for each property of its items, and their vectors. A cache of the file.

Columns are indexed by item number, so that postings need no translation. A cache is brought up to date by reading what was written since
the version it has; it starts anew when something was taken away.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import fields
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagefile.ports import Vectors
from pagefile.queries import Where
from pagefile.records import Scope
from pagefile.stores.bm25 import K1, B
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.postings import Tail
from pagefile.stores.sqlite.rows import KINDS, LAST, ROLES, STATUSES, Row, fetch, message_statuses, microseconds
from pagefile.stores.sqlite.spaces import Space
from pagefile.stores.vectors import COMPACT_FROM, CompactIndex, ExactIndex, Matrix, Positions

#: The numbers that the query ``columns`` gives for an item, in its order, after the item's own.
NUMBERS = {
    "kind": np.int8,
    "session": np.int32,
    "seq": np.int32,
    "role": np.int8,
    "time": np.int64,
    "tokens": np.int32,
    "trust": np.int8,
    "status": np.int8,
    "confidence": np.float64,
    "importance": np.float64,
    "use_count": np.int32,
    "pinned": np.bool_,
    "expires": np.int64,
    "length": np.int32,
    "embeddable": np.bool_,
}
#: Made here: whether there is such an item, who said it, and the messages around it in its session (0: none).
_MADE = {"exists": np.bool_, "speaker": np.int32, "agent": np.int32, "previous": np.int32, "next": np.int32, "row": np.int32}
#: Half-open spans of time: until when an item held; since when it has been known, and until when it was believed.
_SPANS = ("until", "learned", "retired")
_BATCH = 8_192
#: Columns of a scope's row.
_SPACE = len(fields(Space))


class Columns:
    """All items of one scope. Belongs to one search at a time."""

    def __init__(self, compact_from: int = COMPACT_FROM) -> None:
        self._compact_from = compact_from
        self._clear(0, 0)

    def _clear(self, scope: int, epoch: int) -> None:
        self.scope, self.epoch, self.version = scope, epoch, 0
        #: Highest item number and number of items.
        self.last, self.count = 0, 0
        self._columns: dict[str, NDArray[Any]] = {name: np.zeros(1, dtype) for name, dtype in (NUMBERS | _MADE).items()}
        self.ids: list[str] = [""]
        #: Item → its tags, of those that have any.
        self.tags: dict[int, frozenset[str]] = {}
        #: Name → its number in the columns ``speaker`` and ``agent``; 0 is nobody.
        self.names: dict[str | None, int] = {None: 0}
        #: Session number → name.
        self.session_names: dict[int, str] = {}
        self._last_of_session: dict[int, int] = {}
        #: The items whose terms are not in the postings yet.
        self.tail = Tail(0)
        self._span_version = 0
        self._forget_vectors(0)

    def _forget_vectors(self, embedder: int) -> None:
        self.embedder, self._vector_version = embedder, 0
        self._matrix: Matrix | None = None
        self._items_of_rows = np.zeros(0, dtype=np.int64)
        self._columns["row"] = np.full(len(self._columns["row"]), -1, dtype=np.int32)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name][: self.last + 1]

    @property
    def bytes(self) -> int:
        # A text of 36 characters takes 85 bytes, its place in the list 8.
        numbers = sum(each.nbytes for each in self._columns.values()) + 93 * len(self.ids)
        return numbers + self.tail.size + (self._matrix.bytes if self._matrix else 0)

    # --- items ---

    def refresh(self, connection: sqlite3.Connection, scope: Scope, embedder: str | None) -> tuple[int, int] | None:
        """Bring the items, and the vectors of an embedder, up to the state of the transaction; returns the embedder's number and dimension,
        None: nothing has a vector of it. A scope that is not there has no items."""
        asked = {"tenant": scope.tenant, "user": scope.user, "embedder": embedder, "version": self.version or LAST, "limit": _BATCH + 1}
        news = fetch(connection, SQL["news"], asked)
        if not news:
            self._clear(0, 0)
            return None
        space, (number, dimension) = Space(*news[0][:_SPACE]), news[0][_SPACE : _SPACE + 2]
        known = (number, dimension) if number is not None else None
        vectors = [(row[_SPACE + 3], row[_SPACE + 2]) for row in news if row[_SPACE + 3] is not None]
        vectors_were = self._vector_version
        new = len(news) <= _BATCH and self.version > 0 and (self.scope, self.epoch) == (space.scope, space.epoch)
        up_to_date = new and vectors_were == self.version and known is not None and number == self.embedder and self._matrix is not None
        self._refresh_items(connection, space, [row[_SPACE + 3 :] for row in news if row[_SPACE + 3] is not None] if new else None)
        if up_to_date:
            self._change_vectors([item for item, _ in vectors], [row for row in vectors if row[1] is not None], dimension)
            self._vector_version = self.version
        elif known is not None:
            self.refresh_vectors(connection, *known)
        return known

    def _refresh_items(self, connection: sqlite3.Connection, space: Space, rows: Sequence[Row] | None) -> None:
        """``rows``: what was written since; None: it is not known yet."""
        if (self.scope, self.epoch) != (space.scope, space.epoch):
            self._clear(space.scope, space.epoch)
        if self.version == space.version:
            return
        if self.tail.folded != space.folded:
            # What is in the new tail was written since, and is among the rows.
            self.tail = Tail(space.folded)
        key = {"scope": self.scope, "version": self.version, "folded": space.folded}
        if self.version:
            rows = fetch(connection, SQL["columns"], key) if rows is None else rows
            self.tail.put({row[0]: row[-1] for row in rows if row[0] > space.folded})
        else:
            rows = fetch(connection, SQL["all_columns"], key)
            self.tail.put(dict(fetch(connection, SQL["tail"], key)))
        if rows:
            self._write(rows)
        self.version = space.version
        if len(self.session_names) < space.last_session:
            self.session_names = dict(fetch(connection, SQL["session_names"], {"scope": self.scope}))
        self._summarise(space)

    def _write(self, rows: Sequence[Row]) -> None:
        numbers = list(zip(*rows, strict=True))
        items = np.array(numbers[0], dtype=np.int64)
        self._reserve(int(items[-1]))
        for name, values in zip(NUMBERS, numbers[1:], strict=False):
            self._columns[name][items] = np.array(values, dtype=NUMBERS[name])
        ids, speakers, agents, tags = numbers[len(NUMBERS) + 1 : len(NUMBERS) + 5]
        for name, values in (("speaker", speakers), ("agent", agents)):
            self._columns[name][items] = [self.names.setdefault(value, len(self.names)) for value in values]
        for item, id, tag in zip(numbers[0], ids, tags, strict=True):
            self.ids[item] = id
            if tag is not None:
                self.tags[item] = frozenset(json.loads(tag))
            else:
                self.tags.pop(item, None)
        new = items[~self["exists"][items]]
        self._columns["exists"][new] = True
        self.count += len(new)
        self._link(new)

    def _reserve(self, last: int) -> None:
        self.last = max(self.last, last)
        self.ids.extend([""] * (self.last + 1 - len(self.ids)))
        have = len(self._columns["exists"])
        if self.last >= have:
            room = max(self.last + 1, have + have // 4) - have
            for name, column in self._columns.items():
                fill = np.full(room, -1 if name == "row" else 0, dtype=column.dtype)
                self._columns[name] = np.concatenate([column, fill])

    def _link(self, new: Positions) -> None:
        """Chain the new messages of each session. Item numbers and sequence numbers grow together within a session."""
        messages = new[self["kind"][new] == 0]
        ordered = messages[np.argsort(self["session"][messages], kind="stable")]
        sessions = self["session"][ordered]
        same = sessions[1:] == sessions[:-1]
        self._columns["previous"][ordered[1:][same]] = ordered[:-1][same]
        self._columns["next"][ordered[:-1][same]] = ordered[1:][same]
        starts = np.concatenate([np.ones(min(1, len(ordered)), dtype=np.bool_), ~same])
        for place in np.flatnonzero(starts):
            first = int(ordered[place])
            last = self._last_of_session.get(int(sessions[place]), 0)
            if last:
                self._columns["previous"][first], self._columns["next"][last] = last, first
        self._last_of_session.update(zip(sessions.tolist(), ordered.tolist(), strict=True))

    def _summarise(self, space: Space) -> None:
        """What BM25 needs to know of all items and sessions."""
        lengths = self["length"].astype(np.float64)
        mean = lengths.sum() / self.count if self.count else 0.0
        self.norm = K1 * (1.0 - B + B * (lengths / mean if mean else np.ones_like(lengths)))
        #: Session of each message; 0 for records.
        self.message_session = np.where(self["kind"] == 0, self["session"], 0)
        present = np.bincount(self.message_session, weights=self["exists"], minlength=space.last_session + 1) > 0
        present[0] = False
        totals = np.bincount(self.message_session, weights=lengths, minlength=space.last_session + 1)
        self.session_count = int(present.sum())
        mean = totals[present].sum() / self.session_count if self.session_count else 0.0
        self.session_norm = K1 * (1.0 - B + B * (totals / mean if mean else np.ones_like(totals)))

    def refresh_spans(self, connection: sqlite3.Connection) -> None:
        """Bring the columns ``until``, ``learned`` and ``retired`` up to the rest: few searches ask for another time, so they are read when
        one does. After ``refresh``."""
        if self._span_version == self.version:
            return
        rows = fetch(connection, SQL["spans"], {"scope": self.scope, "version": self._span_version})
        items, *spans = np.array(rows, dtype=np.int64).reshape(-1, 1 + len(_SPANS)).T
        for name, values in zip(_SPANS, spans, strict=True):
            column = self._columns.setdefault(name, np.zeros(len(self._columns["exists"]), dtype=np.int64))
            column[items] = values
        self._span_version = self.version

    # --- vectors ---

    def refresh_vectors(self, connection: sqlite3.Connection, embedder: int, dimension: int) -> None:
        """Bring the vectors of an embedder up to the state of the transaction. After ``refresh``."""
        if embedder != self.embedder or self._matrix is None:
            self._forget_vectors(embedder)
            self._matrix = Matrix(dimension, self._compact_from)
        if self._vector_version == self.version:
            return
        if self._vector_version == 0:
            self._load_vectors(connection, dimension)
        else:
            key = {"scope": self.scope, "version": self._vector_version}
            changed = [row[0] for row in fetch(connection, SQL["changed_items"], key)]
            for start in range(0, len(changed), _BATCH):
                batch = changed[start : start + _BATCH]
                some = {"scope": self.scope, "embedder": embedder, "items": json.dumps(batch)}
                self._change_vectors(batch, fetch(connection, SQL["some_vectors"], some), dimension)
        self._vector_version = self.version

    def _change_vectors(self, changed: Sequence[int], rows: Sequence[Row], dimension: int) -> None:
        """``rows``: the vectors that the file has of changed items; the others have none any more."""
        places = self._columns["row"][changed]
        # Given up, unless the file still has a vector for it: -2 - row, so that the item finds its row again.
        self._columns["row"][changed] = np.where(places >= 0, -2 - places, places)
        self._write_vectors(rows, dimension)

    def _load_vectors(self, connection: sqlite3.Connection, dimension: int) -> None:
        after = 0
        while True:
            page = {"scope": self.scope, "embedder": self.embedder, "after": after, "limit": _BATCH}
            rows = fetch(connection, SQL["scope_vectors"], page)
            self._write_vectors(rows, dimension)
            if len(rows) < _BATCH:
                return
            after = rows[-1][0]

    def _write_vectors(self, rows: Sequence[Row], dimension: int) -> None:
        if not rows or self._matrix is None:
            return
        items = np.array([row[0] for row in rows], dtype=np.int64)
        places = -2 - self._columns["row"][items].astype(np.int64)
        fresh = places < 0
        places[fresh] = self._matrix.rows + np.arange(fresh.sum())
        self._matrix.write(places, _vectors(rows, dimension))
        if self._matrix.rows > len(self._items_of_rows):
            grown = np.zeros(self._matrix.rows + self._matrix.rows // 4, dtype=np.int64)
            grown[: len(self._items_of_rows)] = self._items_of_rows
            self._items_of_rows = grown
        self._items_of_rows[places] = items
        self._columns["row"][items] = places

    @property
    def items_of_rows(self) -> Positions:
        """The item of each row of the matrix."""
        return self._items_of_rows[: self._matrix.rows if self._matrix else 0]

    def index(self, connection: sqlite3.Connection, dimension: int) -> ExactIndex | CompactIndex:
        """An index over the vectors, good as long as the transaction."""
        if self._matrix is None:
            raise RuntimeError("the vectors are read before they are searched")

        def read(rows: Positions) -> Vectors:
            items = self.items_of_rows[rows]
            key = {"scope": self.scope, "embedder": self.embedder, "items": json.dumps(items.tolist())}
            found = fetch(connection, SQL["some_vectors"], key)
            # They come in the order of the items.
            vectors: Vectors = np.empty((len(rows), dimension), dtype=np.float32)
            vectors[np.argsort(items, kind="stable")] = _vectors(found, dimension)
            return vectors

        return self._matrix.index(read)


def _vectors(rows: Sequence[Row], dimension: int) -> Vectors:
    return np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(-1, dimension)


def one_of(column: NDArray[Any], codes: Sequence[int]) -> NDArray[np.bool_]:
    """Where the column has one of these few codes; ``np.isin`` takes longer to begin than this takes in all."""
    return reduce(np.logical_or, [column == code for code in codes], np.zeros(len(column), dtype=np.bool_))


def allowed_items(columns: Columns, where: Where) -> NDArray[np.bool_]:
    """Which items the filters let through, by item number. The same as the ``filters`` fragment of SQL.

    ``as_of`` and ``known_at`` need ``refresh_spans`` first.
    """
    is_message, status = columns["kind"] == 0, columns["status"]
    listed = [STATUSES.index(each) for each in where.statuses if each in STATUSES]
    masks = [columns["exists"], np.where(is_message, one_of(status, message_statuses(where.statuses)), one_of(status, listed))]
    if where.kinds is not None:
        masks.append(np.isin(columns["kind"], [KINDS.index(kind) for kind in where.kinds if kind in KINDS]))
    if where.roles is not None:
        masks.append(np.isin(columns["role"], [ROLES.index(role) for role in where.roles if role in ROLES]))
    for name, value in (("agent", where.agent), ("speaker", where.speaker)):
        if value is not None:
            masks.append(columns[name] == columns.names.get(value, -1))
    if where.tags is not None:
        having = np.zeros(len(status), dtype=np.bool_)
        having[[item for item, tags in columns.tags.items() if where.tags and tags.issuperset(where.tags)]] = True
        masks.append(having)
    if where.min_trust is not None:
        masks.append(columns["trust"] >= int(where.min_trust))
    masks.extend(_sessions(columns, where))
    masks.extend(_times(columns, where))
    return reduce(np.logical_and, masks)


def _sessions(columns: Columns, where: Where) -> list[NDArray[np.bool_]]:
    if where.sessions is None and where.not_in_window is None:
        return []
    numbers = {name: number for number, name in columns.session_names.items()}
    masks = []
    if where.sessions is not None:
        masks.append(np.isin(columns["session"], [numbers[name] for name in where.sessions if name in numbers]))
    if where.not_in_window is not None:
        session, seq = where.not_in_window
        elsewhere = (columns["kind"] != 0) | (columns["session"] != numbers.get(session, -1))
        masks.append(elsewhere | (columns["seq"] < seq))
    return masks


def _times(columns: Columns, where: Where) -> list[NDArray[np.bool_]]:
    masks = []
    if where.since is not None:
        masks.append(columns["time"] >= microseconds(where.since))
    if where.until is not None:
        masks.append(columns["time"] < microseconds(where.until))
    if where.alive_at is not None:
        masks.append(columns["expires"] > microseconds(where.alive_at))
    if where.as_of is not None:
        as_of = microseconds(where.as_of)
        masks.append((columns["time"] <= as_of) & (as_of < columns["until"]))
    if where.known_at is not None:
        known_at = microseconds(where.known_at)
        masks.append((columns["learned"] <= known_at) & (known_at < columns["retired"]))
    return masks
