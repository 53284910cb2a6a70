"""Vectors in SQL: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np

from pagefile.ports import NewVector, Unembedded, Vectors
from pagefile.queries import Page
from pagefile.records import Scope
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import fetch
from pagefile.stores.sqlite.spaces import find, load
from pagefile.stores.vectors import unit

#: Scope and item in one cursor: an item number has up to 40 bits, a scope number what is left of 59.
_ITEM_BITS = 40


def embedder_row(connection: sqlite3.Connection, embedder: str) -> tuple[int, int] | None:
    """An embedder's number and dimension; None: it has no vectors here yet."""
    row: tuple[int, int] | None = connection.execute(SQL["embedder"], {"id": embedder}).fetchone()
    return row


def put(connection: sqlite3.Connection, scope: Scope, embedder: str, vectors: Sequence[NewVector]) -> int:
    known = embedder_row(connection, embedder)
    units = _units(embedder, vectors, known[1] if known else None)
    space = find(connection, scope)
    if space is None:
        return 0
    space.version += 1
    kept = 0
    for new, vector in zip(vectors, units, strict=True):
        row = connection.execute(SQL["vector_target"], {"scope": space.scope, "id": new.id, "hash": new.hash}).fetchone()
        if row is None:
            continue
        if known is None:
            (number,) = connection.execute(SQL["add_embedder"], {"id": embedder, "dimension": len(vector)}).fetchone()
            known = (number, len(vector))
        key = {"scope": space.scope, "item": row[0]}
        connection.execute(SQL["save_vector"], key | {"embedder": known[0], "vector": vector.astype("<f4").tobytes()})
        connection.execute(SQL["touch_item"], key | {"version": space.version})
        kept += 1
    space.save(connection)
    return kept


def _units(embedder: str, vectors: Sequence[NewVector], dimension: int | None) -> list[Vectors]:
    units = []
    for new in vectors:
        units.append(unit(np.asarray(new.vector), f"the vector of {embedder!r} for {new.id!r:.80}", dimension))
        dimension = len(units[-1])
    return units


def drop_others(connection: sqlite3.Connection, keep: str) -> int:
    connection.execute(SQL["scopes_with_other_vectors"], {"keep": keep})
    dropped = connection.execute(SQL["drop_other_vectors"], {"keep": keep}).rowcount
    connection.execute(SQL["drop_other_embedders"], {"keep": keep})
    return dropped


def unembedded(connection: sqlite3.Connection, embedder: str, scope: Scope | None, after: int | None, limit: int) -> Page[Unembedded]:
    known = embedder_row(connection, embedder)
    number = known[0] if known else 0
    space = find(connection, scope) if scope else None
    if scope is not None and space is None:
        return Page(items=(), cursor=None, total=0)
    counts = fetch(connection, SQL["count_unembedded"], {"scope": space.scope if space else None, "embedder": number})
    first_scope, first_item = (after or 0) >> _ITEM_BITS, (after or 0) & ((1 << _ITEM_BITS) - 1)
    found: list[tuple[int, Unembedded]] = []
    for scope_number, _ in counts:
        if scope_number < first_scope or len(found) > limit:
            continue
        owner = Scope(*connection.execute(SQL["scope_of_number"], {"scope": scope_number}).fetchone())
        start = first_item if scope_number == first_scope else 0
        parameters = {"scope": scope_number, "embedder": number, "after": start, "limit": limit + 1 - len(found)}
        for item, kind, hash in fetch(connection, SQL["unembedded"], parameters):
            value = Unembedded(scope=owner, item=load(connection, scope_number, item, kind), hash=hash)
            found.append((scope_number << _ITEM_BITS | item, value))
    return Page(
        items=tuple(value for _, value in found[:limit]),
        cursor=str(found[limit - 1][0]) if len(found) > limit else None,
        total=sum(count for _, count in counts),
    )
