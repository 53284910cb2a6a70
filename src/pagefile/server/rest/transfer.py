"""All of a user: given as lines, taken in again, and erased."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field

from pagefile.errors import InputError
from pagefile.receipts import EraseReceipt
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.caller import Reader, Writer
from pagefile.server.rest.common import Body, Name, Wait, settled
from pagefile.server.routing import api_router
from pagefile.transfer import Imported

router = api_router("transfer")

LINES = "application/x-ndjson"
#: Bytes that are gathered before they are sent.
_SENT_TOGETHER = 64_000
_MOST_LINE = 10_000_000
_EXAMPLE = '{"type":"scope","format":"pagefile scope","version":1}\n{"type":"record","text":"She is allergic to peanuts"}\n{"type":"end"}\n'
_BODY = {"required": True, "content": {LINES: {"schema": {"type": "string"}, "example": _EXAMPLE}}}


@router.get(
    "/export",
    response_class=StreamingResponse,
    summary="Export everything",
    responses={200: {"content": {LINES: {"schema": {"type": "string"}, "example": _EXAMPLE}}}},
)
async def export_scope(mine: Reader) -> StreamingResponse:
    """All that is kept of this user as lines of JSON: what was said, what was learnt (also what was forgotten or superseded, with its
    status), core memory, tasks and checkpoints. The last line is of the type `end`; without it the export was cut short."""
    return StreamingResponse(_lines(mine), media_type=LINES)


async def _lines(mine: AsyncScopedMemory) -> AsyncIterator[bytes]:
    gathered = bytearray()
    async for line in mine.export():
        gathered += json.dumps(line, ensure_ascii=False).encode() + b"\n"
        if len(gathered) >= _SENT_TOGETHER:
            yield bytes(gathered)
            gathered.clear()
    yield bytes(gathered)


@router.post("/import", summary="Import an export", openapi_extra={"requestBody": _BODY})
async def import_scope(
    mine: Writer,
    request: Request,
    response: Response,
    blocks: Annotated[bool, Query(description="Take core memory too, where there is none here")] = False,
    consent: Annotated[Literal["explicit"] | None, Query(description="Records with personal identifiers may be kept")] = None,
    wait: Wait = 0,
) -> Imported:
    """Take in the lines of an export; it all becomes this user's, whoever's it was. Messages are learnt from as if they had been said here.
    Records wait until they are confirmed (status `pending`, trust `imported`); what was superseded, forgotten or erased is left out. What
    stands here already is not taken twice. A line that cannot be used is refused in the reply, and the others are taken."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (LINES, "application/jsonl", "application/json-lines"):
        raise HTTPException(415, f"an import is lines of JSON; send it as {LINES}")
    done = await mine.load(_received(request), blocks=blocks, consent=consent)
    await settled(mine, response, wait)
    return done


async def _received(request: Request) -> AsyncIterator[str]:
    """The lines of a body as they come in."""
    decode, left = codecs.getincrementaldecoder("utf-8-sig")(), ""
    try:
        async for piece in request.stream():
            *whole, left = (left + decode.decode(piece)).split("\n")
            for line in whole:
                yield line
            if len(left) > _MOST_LINE:
                raise InputError(f"a line has more than {_MOST_LINE:,} characters; lines of an export end before that")
        yield left + decode.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise InputError(f"the body is not UTF-8 text: {error.reason}; send the lines as they were exported") from error


class Doomed(Body):
    """Ids of records and messages, or a session."""

    ids: Annotated[list[Name] | None, Field(min_length=1, max_length=1_000)] = None
    session: Name | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"session": "monday"}]})


@router.post("/erase", summary="Erase several things")
async def erase_items(mine: Writer, given: Doomed) -> EraseReceipt:
    """Remove records and messages, or a session, for good, with all that was made of them alone. The receipt counts what went."""
    if (given.ids is None) == (given.session is None):
        raise InputError("give ids or a session to erase; everything of a user is erased with DELETE /scope")
    return await mine.erase(given.ids, session=given.session)


@router.delete("/scope", summary="Erase everything")
async def erase_scope(
    mine: Writer,
    confirm: Annotated[str, Query(max_length=1_024, description="The user's id: it is meant", examples=["alice"])],
) -> EraseReceipt:
    """Remove all of this user for good: messages, records, core memory, history, tasks, indexes. The receipt counts what went."""
    if confirm != mine.scope.user:
        raise InputError("to erase everything of a user, give the user's id as confirm; nothing was erased")
    return await mine.erase()
