"""Which items are meant: by their ids, or by what a query says of them."""

from __future__ import annotations

from collections.abc import Sequence

import pagefile.arguments as arguments
from pagefile.errors import InputError
from pagefile.language.keys import fact_key
from pagefile.lifecycle.facts import USER
from pagefile.lifecycle.forget import Request, matching, request_of
from pagefile.messages import Message
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
    # First: it raises for what is no query at all.
    found = [await _matching(parts, scope, query, arguments.KINDS)]
    request = request_of(query)
    if request is None:
        return ()
    found.append(await _filed(parts, scope, request, records_only=records_only))
    if not records_only:
        # Apart: of a record and the message it was learnt from a search gives one.
        found.append(await _matching(parts, scope, query, ("message",)))
    return await retraction.meant_alone(tuple(dict.fromkeys(id for ids in found for id in ids)), request)


async def _matching(parts: Parts, scope: Scope, query: str, kinds: Sequence[ItemKind]) -> tuple[str, ...]:
    where = Where(kinds=tuple(kinds), alive_at=parts.now())
    return matching(query, (await recall(parts, scope, query, where=where, limit=20, only=False)).hits)


async def _filed(parts: Parts, scope: Scope, request: Request, *, records_only: bool) -> tuple[str, ...]:
    """The records of the properties that a request names, and the messages that they rest on: "where I live" has no word of the answer."""
    keys = [fact_key(USER, name) for name in sorted(request.attributes)]
    known = (await parts.store.keyed(scope, keys)).records if keys else ()
    records = [record for record in known if record.status in ("current", "pending")]
    cited = () if records_only else dict.fromkeys(source.message for record in records for source in record.sources)
    there = [item.id for item in await parts.store.get(scope, [*cited]) if isinstance(item, Message) and not item.retired] if cited else []
    return (*(record.id for record in records), *there)
