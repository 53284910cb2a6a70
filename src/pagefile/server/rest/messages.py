"""The journal: what was said."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Header, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field

from pagefile.errors import InputError
from pagefile.messages import Message, Receipt
from pagefile.queries import Page
from pagefile.receipts import EraseReceipt
from pagefile.server.caller import Reader, Writer
from pagefile.server.rest.common import After, Body, JsonObject, Limit, Name, NameQuery, StatusesQuery, Wait, settled
from pagefile.server.routing import api_router

router = api_router("messages")


class NewMessages(Body):
    """Messages in the form of Chat Completions; a plain text is a user's."""

    messages: Annotated[list[JsonObject | str], Field(min_length=1, max_length=1_000)]
    session: Name = "default"
    agent: Name | None = None
    origin: Annotated[
        Literal["said", "imported", "file", "web"], Field(description="What was not said here waits until it is confirmed")
    ] = "said"
    consent: Annotated[Literal["explicit"] | None, Field(description="Personal identifiers in them may be learnt")] = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "session": "monday",
                    "messages": [
                        {"role": "user", "content": "I can't eat spicy food.", "id": "m1", "said_at": "2026-05-24T10:00:00+08:00"},
                        {"role": "assistant", "content": "Noted."},
                    ],
                }
            ]
        },
    )


@router.post("/messages", status_code=201, summary="Add messages")
async def add_messages(
    mine: Writer, given: NewMessages, response: Response, wait: Wait = 0, idempotency_key: Annotated[str | None, Header()] = None
) -> Receipt:
    """Write messages to the end of a session. They are durable, and found by words, when this answers. A message's own `id` is kept, and
    stored once a session. What cannot be kept is refused in the receipt, and the others are stored; if nothing can, it is an error."""
    messages: list[Any] = list(given.messages)
    receipt = await mine.add(
        messages,
        session=given.session,
        agent=given.agent,
        origin=given.origin,
        consent=given.consent,
        key=idempotency_key,
    )
    if len(receipt.refused) == len(messages):
        raise RequestValidationError([{"loc": ("body", "messages", one.index), "msg": one.reason} for one in receipt.refused])
    await settled(mine, response, wait)
    return receipt


@router.get("/messages", summary="List messages")
async def list_messages(
    mine: Reader,
    session: NameQuery = None,
    status: StatusesQuery = None,
    newest_first: bool = False,
    after: After = None,
    limit: Limit = 100,
) -> Page[Message]:
    """The journal of one session, or of all in the order it was recorded. With the status `retired` also what was forgotten."""
    return await mine.messages(
        session, statuses=tuple(status or ("current", "superseded")), after=after, limit=limit, newest_first=newest_first
    )


@router.get("/messages/{id:path}", summary="Get a message")
async def get_message(mine: Reader, id: str) -> Message:
    """A message by its id."""
    item = await mine.get(id)
    if not isinstance(item, Message):
        raise InputError(f"{id!r:.80} is a record, not a message; get it under /records")
    return item


@router.delete("/messages/{id:path}", summary="Erase a message")
async def erase_message(mine: Writer, id: str, response: Response, wait: Wait = 0) -> EraseReceipt:
    """Remove a message for good, with all that was made of it alone. The receipt counts what went. `POST /forget` only takes it out of
    recall."""
    receipt = await mine.erase(id)
    await settled(mine, response, wait)
    return receipt
