"""Every change that was made, and taking it back."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import ConfigDict, Field

from pagefile.queries import Page
from pagefile.records import HistoryEntry
from pagefile.server.caller import Reader, ReaderWriter
from pagefile.server.rest.common import After, Body, Limit, Name, Reason
from pagefile.server.routing import api_router

router = api_router("changes")


class Reverted(Body):
    """A session, or ids of messages."""

    session: Name | None = None
    messages: Annotated[list[Name] | None, Field(min_length=1, max_length=1_000)] = None
    reason: Reason | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"session": "monday"}]})


@router.get("/changes", summary="List changes")
async def list_changes(
    mine: Reader,
    newest_first: Annotated[bool, Query(description="`false`: those since `after`, a cursor or the id of a change, oldest first")] = True,
    after: After = None,
    limit: Limit = 100,
) -> Page[HistoryEntry]:
    """Every change to anything of this user: what it was before and after, by whom and why."""
    return await mine.changes(after=after, limit=limit, newest_first=newest_first)


@router.get("/history", summary="History of anything")
async def history(
    mine: Reader, target: Annotated[str, Query(min_length=1, max_length=2_048, examples=["block:human"])]
) -> tuple[HistoryEntry, ...]:
    """Every change to a record or message (its id) or block (`block:label`, an agent's own `block:agent/label`), oldest first: what
    `target` is in a change."""
    return await mine.history(target)


@router.post("/changes/{id}/undo", summary="Undo a change")
async def undo_change(
    mine: ReaderWriter, id: str, reason: Annotated[str | None, Query(min_length=1, max_length=1_000)] = None
) -> tuple[HistoryEntry, ...]:
    """Take back one change, with what ceased to hold by it. 409 if it was changed again since. The reply has what was changed for it."""
    return await mine.undo(id, **({} if reason is None else {"reason": reason}))


@router.post("/revert", summary="Revert what was learnt")
async def revert(mine: ReaderWriter, given: Reverted) -> tuple[HistoryEntry, ...]:
    """Forget everything that was learnt from a session, or from some messages: what it had superseded holds again. The messages stay in
    the journal; they are not recalled any more, and nothing more is learnt from them."""
    reason = {} if given.reason is None else {"reason": given.reason}
    return await mine.revert(session=given.session, source=given.messages, **reason)
