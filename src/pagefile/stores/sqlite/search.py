"""One look into a scope: words by postings, vectors by a scan, their neighbours, and what a ranking needs to know of all of them."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagefile.errors import InvalidVector
from pagefile.ports import Vectors
from pagefile.queries import ASKS, Candidates, CandidateTable, Coded, ItemKind, Population, Probe
from pagefile.records import Scope
from pagefile.stores.bm25 import K1, rarity
from pagefile.stores.sqlite import names, postings
from pagefile.stores.sqlite.columns import Columns, allowed_items, one_of
from pagefile.stores.sqlite.connection import snapshot
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.embeddings import embedder_row
from pagefile.stores.sqlite.rows import KINDS, ROLES, message_statuses
from pagefile.stores.vectors import Positions, SizedCache, best, unit

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def search(connection: sqlite3.Connection, cache: SizedCache[Scope, Columns], scope: Scope, probe: Probe) -> Candidates:
    wanted = probe.embedder if probe.vector is not None else None
    # The cache first and the snapshot inside, so that a snapshot is never older than what the cache has.
    with cache.using(scope) as columns, snapshot(connection):
        embedder = columns.refresh(connection, scope, wanted)
        query = _query(probe, embedder)
        if not isinstance(query, InvalidVector):
            if not columns.scope:
                return Candidates()
            if probe.where.as_of is not None or probe.where.known_at is not None:
                columns.refresh_spans(connection)
            # Nothing has a vector of an embedder that is not known.
            return _Look(connection, columns, probe).run(query if embedder else None)
    # Not raised in there: the cache is given up when its use fails.
    raise query


def _query(probe: Probe, embedder: tuple[int, int] | None) -> Vectors | InvalidVector | None:
    """The probe's vector at length 1, or why it is none of its embedder."""
    if probe.vector is None or probe.embedder is None:
        return None
    try:
        return unit(np.asarray(probe.vector), f"the query vector of {probe.embedder!r}", embedder[1] if embedder else None)
    except InvalidVector as error:
        return error


class _Look:
    """One look. Arrays are indexed by item number, as in the columns."""

    def __init__(self, connection: sqlite3.Connection, columns: Columns, probe: Probe) -> None:
        self._connection, self._columns, self._probe = connection, columns, probe
        self._size = columns.last + 1
        #: Weight of the query's terms that each item has, and of all of them.
        self._covered: Floats = np.zeros(self._size)
        self._weighed = 0.0
        self._asks: Mask = np.zeros(self._size, dtype=np.bool_)

    def run(self, query: Vectors | None) -> Candidates:
        columns, probe = self._columns, self._probe
        words, sessions = self._read_words()
        allowed = allowed_items(columns, probe.where)
        by_words = best(words, probe.limit, allowed & (words > 0))
        scan = _VectorScan(self._connection, columns, query, probe, allowed)
        found = self._distinct(by_words, scan.nearest)
        found = self._distinct(found, self._neighbours(found, allowed))
        matched = words > 0 if probe.terms else scan.covered
        return Candidates(
            table=self._table(found, words, sessions, scan),
            words=_population(words, columns.count) if probe.terms else Population(),
            cosines=scan.population,
            sessions=_population(sessions, columns.session_count) if probe.terms else Population(),
            filtered_out=int((matched & ~allowed).sum()),
            without_vector=self._without_vector(scan),
            merged=frozenset(key for alias in names.read(self._connection, columns.scope) for key in (alias.key, alias.into)),
        )

    def _distinct(self, *items: Positions) -> Positions:
        """The union, in order of item number."""
        marks = np.zeros(self._size, dtype=np.bool_)
        for each in items:
            marks[each] = True
        return np.flatnonzero(marks)

    def _read_words(self) -> tuple[Floats, Floats]:
        """BM25 of every item, and of every session as one document (by session number); on the way, what items cover and which ask."""
        columns = self._columns
        words, sessions = np.zeros(self._size), np.zeros(len(columns.session_norm))
        terms = self._probe.terms
        # Of a term that no item has.
        self._weighed = sum(terms.values()) * rarity(columns.count, 0)
        for term, (items, counts) in postings.read(self._connection, columns.scope, {**terms, ASKS: 0.0}, columns.tail):
            if term == ASKS:
                self._asks[items] = True
                continue
            weight = terms[term]
            self._covered[items] += weight * rarity(columns.count, len(items))
            self._weighed += weight * (rarity(columns.count, len(items)) - rarity(columns.count, 0))
            part = counts * (K1 + 1.0) / (counts + columns.norm[items])
            words[items] += weight * rarity(columns.count, len(items)) * part
            together = np.bincount(columns.message_session[items], weights=counts, minlength=len(sessions))
            together[0] = 0.0
            containing = int(np.count_nonzero(together))
            sessions += weight * rarity(columns.session_count, containing) * together * (K1 + 1.0) / (together + columns.session_norm)
        return words, sessions

    def _neighbours(self, found: Positions, allowed: Mask) -> Positions:
        """The allowed messages up to ``neighbours`` turns away; an erased turn in between counts as one."""
        columns, distance = self._columns, self._probe.neighbours
        messages = found[columns["kind"][found] == 0]
        reached = []
        for direction in ("previous", "next"):
            beside = messages
            for _ in range(min(distance, self._size)):
                beside = columns[direction][beside]
                if not beside.any():
                    break
                near = np.abs(columns["seq"][beside] - columns["seq"][messages]) <= distance
                reached.append(beside[near & (beside > 0)])
        together: Positions = np.concatenate(reached) if reached else np.zeros(0, dtype=np.int64)
        # What was written without indexing is not to be found, beside what is found neither.
        findable: Mask = (columns["length"] > 0) | columns["embeddable"]
        return together[(allowed & findable)[together]]

    def _without_vector(self, scan: _VectorScan) -> int:
        embeddable = self._columns["embeddable"]
        if self._probe.embedder is None:
            return 0
        if self._probe.vector is not None:
            return int((embeddable & ~scan.covered).sum())
        embedder = embedder_row(self._connection, self._probe.embedder)
        key = {"scope": self._columns.scope, "embedder": embedder[0] if embedder else 0}
        row = self._connection.execute(SQL["count_unembedded"], key).fetchone()
        return int(row[1]) if row else 0

    def _table(self, found: Positions, words: Floats, sessions: Floats, scan: _VectorScan) -> CandidateTable:
        columns = self._columns
        # A turn that something hides is out of recall unless that is asked for: what it says must not lift the turns beside it.
        shown = message_statuses(self._probe.where.statuses)
        rows = np.stack([found, *(_beside(columns, found, direction, shown) for direction in ("previous", "next"))])
        # Most neighbours are candidates themselves: each cosine is made once. Item 0 is nobody.
        items = self._distinct(rows.ravel())
        cosines = scan.cosines(items)[np.searchsorted(items, rows)]
        picked = {name: columns[name][found] for name in _PICKED}
        return CandidateTable(
            ids=[columns.ids[item] for item in found.tolist()],
            kinds=Coded(picked["kind"], _KIND_NAMES),
            words=np.where(rows > 0, words[rows], np.nan),
            cosines=np.where(rows > 0, cosines, np.nan),
            session_words=sessions[columns.message_session[found]],
            covered=self._covered[found] / self._weighed if self._weighed else np.zeros(len(found)),
            asks=self._asks[found],
            sessions=Coded(picked["session"], _Named(columns.session_names)),
            seqs=np.where(picked["kind"] == 0, picked["seq"], 0).astype(np.int64),
            roles=Coded(np.where(picked["kind"] == 0, picked["role"], -1), _ROLE_NAMES),
            speakers=Coded(picked["speaker"], dict(enumerate(columns.names))),
            times=picked["time"] / 1e6,
            tokens=picked["tokens"],
            confidences=picked["confidence"],
            importances=picked["importance"],
            use_counts=picked["use_count"],
        )


class _VectorScan:
    """The vector side of a look; empty if the probe has no vector, or nothing has one."""

    def __init__(self, connection: sqlite3.Connection, columns: Columns, query: Vectors | None, probe: Probe, allowed: Mask) -> None:
        self.nearest: Positions = np.zeros(0, dtype=np.int64)
        self.population = Population()
        #: Which items have a vector.
        self.covered: Mask = np.zeros(columns.last + 1, dtype=np.bool_)
        self._columns, self._scanned = columns, None
        if query is None or not columns.items_of_rows.size:
            return
        self.covered = columns["row"] >= 0
        live = columns["row"][columns.items_of_rows] == np.arange(len(columns.items_of_rows))
        index = columns.index(connection, len(query))
        self._scanned = index.scan(query, probe.limit, live & allowed[columns.items_of_rows])
        self.nearest = columns.items_of_rows[self._scanned.positions]
        sample = self._scanned.sample if len(self._scanned.sample) < len(live) else self._scanned.sample[live]
        self.population = _population(sample.astype(np.float64), len(sample), int(self.covered.sum()))

    def cosines(self, items: Positions) -> Floats:
        """Cosines of these items, in order of item number; NaN where there is no vector."""
        values = np.full(len(items), np.nan)
        if self._scanned is None:
            return values
        rows = self._columns["row"][items].astype(np.int64)
        has = (rows >= 0) & (items > 0)
        values[has] = self._scanned.others(rows[has])
        # The compact form knows the nearest exactly and the others closely.
        values[np.searchsorted(items, self.nearest)] = self._scanned.cosines
        return values


def _population(scores: Floats, count: int, of: int | None = None) -> Population:
    """Mean and deviation of ``count`` scores, those that are not given being 0. ``of``: how many they stand for."""
    if not count:
        return Population()
    mean = float(scores.sum()) / count
    # Not ``dot``: it would use several threads for what one does faster on a busy machine.
    squares = float(np.einsum("i,i->", scores, scores)) / count - mean**2
    return Population(mean, math.sqrt(max(squares, 0.0)), count if of is None else of)


def _beside(columns: Columns, found: Positions, direction: str, shown: Sequence[int]) -> Positions:
    """The turn just before or after each item; 0 where there is none of these statuses."""
    beside = columns[direction][found].astype(np.int64)
    adjacent = np.abs(columns["seq"][beside] - columns["seq"][found]) == 1
    return np.where((beside > 0) & adjacent & one_of(columns["status"][beside], shown), beside, 0)


class _Named(dict[int, str | None]):
    """Names by number; None for a number without one."""

    def __missing__(self, number: int) -> None:
        return None


#: The columns that a table is made of.
_PICKED = ("kind", "session", "seq", "role", "speaker", "time", "tokens", "confidence", "importance", "use_count")
_KIND_NAMES: dict[int, ItemKind] = dict(enumerate(KINDS))
_ROLE_NAMES: dict[int, str | None] = {-1: None, **dict(enumerate(ROLES))}
