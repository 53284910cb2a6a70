"""Entities: who and what records name, how they hang together, and which names stand for the same.

Names are parameters of the query: they may have any character in them, a slash too.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import Query, Response
from pydantic import ConfigDict

from pagefile.entities import Edge, Entity, EntityCard, Happening, Neighbour
from pagefile.queries import Page
from pagefile.records import HistoryEntry
from pagefile.server.caller import Reader, Writer
from pagefile.server.rest.common import After, Body, Limit, MomentQuery, Name, NameQuery, Reason, Wait, settled
from pagefile.server.routing import api_router

router = api_router("entities")

Called: TypeAlias = Annotated[str, Query(min_length=1, max_length=1_024, description="Any of its names", examples=["Anna"])]
Hops: TypeAlias = Annotated[int, Query(ge=1, le=6, description="Steps from one record to the next", examples=[2])]


class SameName(Body):
    """A name, and the one that it stands for from now on."""

    name: Name
    into: Name
    reason: Reason | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Bob", "into": "Robert"}]})


class OwnName(Body):
    """A name that is to stand for itself again."""

    alias: Name
    reason: Reason | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"alias": "Rob"}]})


@router.get("/entities", summary="List entities")
async def list_entities(
    mine: Reader, response: Response, query: NameQuery = None, after: After = None, limit: Limit = 100, wait: Wait = 0
) -> Page[Entity]:
    """Who and what is named in records that hold or held, those most often named first. `query`: those with it in a name."""
    await settled(mine, response, wait)
    return await mine.entities(query, after=after, limit=limit)


@router.get("/entities/card", summary="What is known of an entity")
async def entity_card(mine: Reader, name: Called, limit: Limit = 200) -> EntityCard:
    """Its names, what holds and what held (the newest `limit` of each), and the merges and splits of its names. `user` is whose memory it
    is."""
    return await mine.entity(name, limit=limit)


@router.get("/entities/neighbours", summary="Neighbours of an entity")
async def entity_neighbours(
    mine: Reader, name: Called, hops: Hops = 1, as_of: MomentQuery = None, limit: Limit = 50
) -> tuple[Neighbour, ...]:
    """Who and what stands in one record with it, or is reached in several such steps; the nearest first, each with the facts that lead
    to it. `as_of`: what was true then."""
    return await mine.neighbours(name, hops=hops, as_of=as_of, limit=limit)


@router.get("/entities/path", summary="How two entities hang together")
async def entity_path(mine: Reader, start: Called, end: Called, max_hops: Hops = 4, as_of: MomentQuery = None) -> tuple[Edge, ...]:
    """The fewest facts that lead from one to the other, in order; an empty list if none do. `as_of`: by what was true then."""
    return await mine.path(start, end, max_hops=max_hops, as_of=as_of)


@router.get("/entities/timeline", summary="Time line of an entity")
async def entity_timeline(
    mine: Reader, name: Called, since: MomentQuery = None, until: MomentQuery = None, limit: Limit = 200
) -> tuple[Happening, ...]:
    """What records and messages tell of it, oldest first; of more than `limit` the newest."""
    return await mine.entity_timeline(name, since=since, until=until, limit=limit)


@router.post("/entities/merge", summary="Merge two names")
async def merge_entities(mine: Writer, given: SameName) -> HistoryEntry:
    """Let a name stand for the same as another one. No record is changed, and `POST /entities/split` takes it back exactly. If they
    stand for the same already, the merge that made it so is answered."""
    why = {} if given.reason is None else {"reason": given.reason}
    return await mine.merge_entities(given.name, given.into, **why)


@router.post("/entities/split", summary="Split a name off")
async def split_entity(mine: Writer, given: OwnName) -> HistoryEntry:
    """Take back the merge of a name into another: it stands for itself again."""
    why = {} if given.reason is None else {"reason": given.reason}
    return await mine.split_entity(given.alias, **why)
