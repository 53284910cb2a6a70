"""Core memory: the blocks that every window shows, and the status of the work among them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from pagefile.errors import ConflictError, NotFound
from pagefile.records import Block, HistoryEntry
from pagefile.server.caller import BOTH, Reader, Writer, caller_of
from pagefile.server.rest.common import (
    Body,
    IfMatch,
    IfNoneMatch,
    Name,
    NameQuery,
    etag,
    expected_version,
    is_known,
    precondition_of,
)
from pagefile.server.routing import api_router
from pagefile.status import WorkStatus
from pagefile.stores.changes import block_target

router = api_router("blocks")


class BlockText(Body):
    """A block; what is left out stays as it is."""

    text: Annotated[str, Field(max_length=200_000)]
    description: Annotated[str | None, Field(max_length=2_000, description="What belongs in it; shown to the model")] = None
    token_limit: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    read_only: Annotated[bool | None, Field(description="The model cannot change it")] = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "Xiao Yu lives in Shanghai."}]})


class StatusLines(Body):
    """Lines to put in place of those there are; null leaves them, an empty list removes them."""

    known: Annotated[list[Name] | None, Field(max_length=200)] = None
    progress: Annotated[list[Name] | None, Field(max_length=200)] = None
    agent: Name | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"progress": ["read the brief", "asked for the budget"]}]})


@router.get("/blocks", summary="List blocks")
async def list_blocks(mine: Reader, agent: NameQuery = None) -> tuple[Block, ...]:
    """The shared blocks and those of `agent`, by label; an agent's own hides the shared one of that label."""
    return await mine.blocks(agent)


@router.get("/blocks/{label:path}", summary="Get a block", responses={304: {"description": "It is as the client knows it"}})
async def get_block(mine: Reader, label: str, response: Response, agent: NameQuery = None, if_none_match: IfNoneMatch = None) -> Block:
    """The shared block of a label, or an agent's own."""
    block = await mine.block(label, agent=agent)
    response.headers["ETag"] = etag(block)
    if is_known(if_none_match, block):
        return Response(status_code=304, headers=dict(response.headers))  # type: ignore[return-value]  # no body
    return block


@router.put("/blocks/{label:path}", summary="Write a block", responses={412: {"description": "It was changed in between"}})
async def write_block(
    mine: Writer,
    label: str,
    given: BlockText,
    response: Response,
    agent: NameQuery = None,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Block:
    """Write a block, making it if it is not there. 409 if the text is over the block's limit. With `If-None-Match: *` only a new one."""
    expected = None
    if if_match is not None or if_none_match is not None:
        try:
            now: Block | None = await mine.block(label, agent=agent)
        except NotFound:
            now = None
        expected = expected_version(if_match, if_none_match, now)
    try:
        block = await mine.write_block(
            label,
            given.text,
            description=given.description,
            token_limit=given.token_limit,
            read_only=given.read_only,
            agent=agent,
            expected_version=expected,
        )
    except ConflictError as error:
        raise precondition_of(error, expected) from error
    response.headers["ETag"] = etag(block)
    return block


@router.get("/block-history/{label:path}", summary="History of a block")
async def block_history(mine: Reader, label: str, agent: NameQuery = None) -> tuple[HistoryEntry, ...]:
    """Every change to the shared block of a label, or to an agent's own, oldest first."""
    return await mine.history(block_target(label, agent))


@router.get("/status", summary="Where the work stands")
async def get_status(mine: Reader, agent: NameQuery = None) -> WorkStatus:
    """What is known and how far the work has come, in a block that every window shows."""
    return await mine.status(agent=agent)


@router.put("/status", summary="Say where the work stands")
async def update_status(mine: Writer, request: Request, given: StatusLines) -> WorkStatus:
    """Put lines in the place of those there are."""
    if given.known is None and given.progress is None:
        caller_of(request).check(BOTH)  # it only shows them
    return await mine.update_status(known=given.known, progress=given.progress, agent=given.agent)
