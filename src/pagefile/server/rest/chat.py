"""A chat turn with the server's own model, as server-sent events."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Literal, get_args

from fastapi import Header, Request
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field, TypeAdapter

from pagefile.errors import InputError, PagefileError
from pagefile.events import Event, TurnFinished
from pagefile.records import MAX_IDENTIFIER
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.caller import ReaderWriter
from pagefile.server.events import EVENT_SCHEMA, EventStream, event
from pagefile.server.problems import of_error, request_id_of
from pagefile.server.rest.common import Body, JsonObject, Name
from pagefile.server.routing import api_router
from pagefile.session import Session
from pagefile.window import ChatSettings

router = api_router("chat")

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class Held(Body):
    """How a conversation is held."""

    session: Name = "default"
    agent: Name | None = None
    instructions: Annotated[str, Field(max_length=200_000, description="The application's own, before those about memory")] = ""
    toolset: Annotated[Literal["plain", "memgpt", "compact", "blocks"], Field(description="Memory's own tools for the model")] = "plain"
    incognito: Annotated[bool, Field(description="See what is remembered and leave nothing")] = False
    stream: Annotated[bool, Field(description="`false`: answer with the turn_finished event alone")] = True


class Said(Held):
    """What a user says, and how the conversation is held."""

    message: Annotated[str, Field(min_length=1, max_length=1_000_000)] | JsonObject

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"message": "Book us a table", "session": "monday"}]})


class Woken(Held):
    """What happened, and what it is about."""

    event: Annotated[str, Field(min_length=1, max_length=64)]
    text: Annotated[str, Field(max_length=20_000)] = ""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"event": "reminder", "text": "the dentist at three"}]})


_REPLY = {
    "description": "With `stream` the events of the turn: turn_started (what was said is in the journal), recalled, text_delta …, "
    "turn_finished; or error, whose data is a Problem. Without, turn_finished alone.",
    "content": {"text/event-stream": {"schema": EVENT_SCHEMA, "example": 'event: text_delta\ndata: {"text":"Hello"}\n\n'}},
}


@router.post("/chat", summary="Say something", response_model=TurnFinished, responses={200: _REPLY})
async def chat(
    mine: ReaderWriter,
    given: Said,
    request: Request,
    idempotency_key: Annotated[str | None, Header(max_length=MAX_IDENTIFIER)] = None,
) -> StreamingResponse | TurnFinished:
    """One turn: what is said is written down before the model is asked, and so is the reply. A message whose `id` was answered before gets
    that answer again; an Idempotency-Key stands for the id. Leaving early stops the model and keeps what it had said."""
    message = {"role": "user", "content": given.message} if isinstance(given.message, str) else dict(given.message)
    if idempotency_key is not None and not message.get("id"):
        message["id"] = idempotency_key
    request.state.unkept = given.incognito
    return await _answered(request, given, _session(mine, given).stream(message))


@router.post("/wake", summary="Wake the model", response_model=TurnFinished, responses={200: _REPLY})
async def wake(mine: ReaderWriter, given: Woken, request: Request) -> StreamingResponse | TurnFinished:
    """A turn that no message of the user begins: after a login, a reminder, a timer. The model may have nothing to say."""
    request.state.unkept = given.incognito
    return await _answered(request, given, _session(mine, given).wake(given.event, given.text))


def _session(mine: AsyncScopedMemory, given: Held) -> Session:
    settings = ChatSettings(instructions=given.instructions, toolset=given.toolset)
    return mine.chat(session=given.session, agent=given.agent, settings=settings, incognito=given.incognito)


async def _answered(request: Request, given: Held, events: AsyncGenerator[Event, None]) -> StreamingResponse | TurnFinished:
    # What is refused before anything happens is answered with its own status.
    first = await anext(events)
    if given.stream:
        return EventStream(_told(request, first, events))
    async with aclosing(events):
        async for one in events:
            if isinstance(one, TurnFinished):
                return one
    raise InputError("the turn ended without an answer; send the message again")


async def _told(request: Request, first: Event, events: AsyncGenerator[Event, None]) -> AsyncGenerator[str, None]:
    async with aclosing(events):
        yield _event(first)
        try:
            async for one in events:
                yield _event(one)
        except PagefileError as error:
            problem = of_error(error, path=request.url.path, request_id=request_id_of(request))
            yield event("error", json.dumps(json.loads(bytes(problem.body)), ensure_ascii=False))


def _event(one: Event) -> str:
    return event(_CAPITAL.sub("_", type(one).__name__).lower(), _ADAPTERS[type(one)].dump_json(one).decode())


_ADAPTERS = {kind: TypeAdapter(kind) for kind in get_args(Event)}
