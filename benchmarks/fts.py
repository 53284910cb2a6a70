"""The same messages in SQLite's FTS5, in the two ways that keep users apart: what the store's own postings are compared with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.filling import Prepared

LIMIT = 10


class Fts:
    """Contentless FTS5 tables over the terms that the store indexes, so that only the index differs."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA cache_size = -16000")
        # A term becomes a number, as FTS5 would cut some terms in two.
        self._numbers: dict[str, int] = {}
        for table, columns in (("tokens", "body"), ("columns", "owner, body")):
            self._connection.execute(f"CREATE VIRTUAL TABLE by_{table} USING fts5({columns}, content='', tokenize='ascii')")

    def fill(self, messages: Mapping[int, Sequence[Prepared]]) -> None:
        """User → messages."""
        owned = [(owner, self._body(one.indexing.terms)) for owner, each in messages.items() for one in each]
        with self._connection:
            tokens = ((row, " ".join(f"u{owner}w{term}" for term in body)) for row, (owner, body) in enumerate(owned, 1))
            self._connection.executemany("INSERT INTO by_tokens (rowid, body) VALUES (?, ?)", tokens)
            columns = ((row, f"u{owner}", " ".join(f"w{term}" for term in body)) for row, (owner, body) in enumerate(owned, 1))
            self._connection.executemany("INSERT INTO by_columns (rowid, owner, body) VALUES (?, ?, ?)", columns)
        for table in ("by_tokens", "by_columns"):
            with self._connection:
                self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - a name of ours

    def _body(self, terms: Mapping[str, int]) -> list[int]:
        return [self._numbers.setdefault(term, len(self._numbers)) for term, times in terms.items() for _ in range(times)]

    def search_tokens(self, owner: int, terms: Iterable[str]) -> list[int]:
        query = " OR ".join(f"u{owner}{word}" for word in self._words(terms))
        return self._search("SELECT rowid FROM by_tokens WHERE by_tokens MATCH ? ORDER BY rank LIMIT ?", query)

    def search_columns(self, owner: int, terms: Iterable[str]) -> list[int]:
        query = f"owner : u{owner} AND body : ({' OR '.join(self._words(terms))})"
        return self._search("SELECT rowid FROM by_columns WHERE by_columns MATCH ? ORDER BY rank LIMIT ?", query)

    def _words(self, terms: Iterable[str]) -> list[str]:
        return [f"w{self._numbers.get(term, 'unknown')}" for term in terms]

    def _search(self, statement: str, query: str) -> list[int]:
        return [row[0] for row in self._connection.execute(statement, (query, LIMIT))]

    def close(self) -> None:
        self._connection.close()
