"""Which items are meant: by their ids, or by what a query says of them."""

from __future__ import annotations

from collections.abc import Sequence

import pagefile.arguments as arguments
from pagefile.errors import InputError
from pagefile.lifecycle.forget import matching
from pagefile.parts import Parts
from pagefile.queries import ItemKind, Where
from pagefile.records import Scope, identifier
from pagefile.retraction import Retraction
from pagefile.retrieval.recall import recall


def ids_of(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """One id or several, checked."""
    return (identifier(given, "id"),) if isinstance(given, str) else arguments.names(given, "id")


async def items(
    parts: Parts, scope: Scope, retraction: Retraction, id: str | Sequence[str] | None, query: str | None, *, records_only: bool = False
) -> tuple[str, ...]:
    """The ids that are given, or those of what a query means; none if neither is. Raises InputError if both are."""
    if id is not None and query is not None:
        raise InputError("give an id or a query, not both")
    if query is None:
        return () if id is None else ids_of(id)
    found = [await _matching(parts, scope, query, arguments.KINDS)]
    if not records_only:
        # Apart: of a record and the message it was learnt from a search gives one.
        found.append(await _matching(parts, scope, query, ("message",)))
    return await retraction.without_others([id for ids in found for id in ids])


async def _matching(parts: Parts, scope: Scope, query: str, kinds: Sequence[ItemKind]) -> tuple[str, ...]:
    where = Where(kinds=tuple(kinds), alive_at=parts.now())
    return matching(query, (await recall(parts, scope, query, where=where, limit=20, only=False)).hits)
