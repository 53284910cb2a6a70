"""What changes in a scope, as server-sent events: resumable, and whichever process made the change."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Annotated

import anyio
from fastapi import Header, Query, Request
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.types import Receive, Scope, Send

import pagefile.records as records
from pagefile.errors import InputError, TooMany
from pagefile.records import HistoryEntry
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.caller import Caller, Reader, State, caller_of
from pagefile.server.routing import api_router
from pagefile.server.state import ServerState

#: Seconds between two looks for changes, and between two signs of life to whoever listens.
POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
#: A stream ends after so long, and the client goes on with a new one: so a key that was revoked or has expired hears nothing more.
LONGEST_SECONDS = 300.0
#: Streams that one key may listen to at once in one process, of one user and of all: each looks into the store twice a second.
MOST_STREAMS, MOST_STREAMS_OF_KEY = 20, 500
#: After so many milliseconds a client connects anew.
RETRY_MS = 2_000
#: One event, for the OpenAPI document.
EVENT_SCHEMA = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string", "description": "JSON"}, "id": {"type": "string"}},
    "required": ["data"],
}
_PAGE = 200
_POSITION = re.compile(r"(\d{1,18})(?:-(\d{1,18})(?:-([0-9a-f]{12}))?)?", re.ASCII)
_ENTRY = TypeAdapter(HistoryEntry)

router = api_router("changes", route_class=APIRoute)


class EventStream(StreamingResponse):
    """Server-sent events that no proxy on the way holds back. When the client goes, what makes them is closed at once."""

    media_type = "text/event-stream"

    def __init__(
        self, events: AsyncGenerator[str, None], status_code: int = 200, *, meanwhile: contextlib.AbstractContextManager[None] | None = None
    ) -> None:
        """``meanwhile`` holds as long as the stream goes on; it may refuse it."""
        super().__init__(events, status_code, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._events = events
        self._meanwhile = meanwhile or contextlib.nullcontext()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._meanwhile:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        try:
            await super().stream_response(send)
        finally:
            with anyio.CancelScope(shield=True):
                await self._events.aclose()


def event(name: str, data: str, id: str | None = None) -> str:
    """One event. ``data`` is JSON, which has no line breaks in it."""
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {data}\n\n"


@dataclass(slots=True)
class Position:
    """How far a listener has come."""

    #: The last change that was told.
    last: int
    #: How many changes up to it there were; falls when something is erased. None: not known.
    older: int | None = None
    #: What tells that change from another of the same number: a user who was erased has changes that are counted anew. None: not known.
    mark: str | None = None

    @classmethod
    def of(cls, given: str) -> Position:
        """The position that an event's id stands for. Raises InputError."""
        found = _POSITION.fullmatch(given.strip())
        if found is None:
            raise InputError(f"{given!r:.60} is no id of an event; send the last one that came, or none to hear what changes from now on")
        return cls(int(found[1]), None if found[2] is None else int(found[2]), found[3])

    def __str__(self) -> str:
        known = (self.last, self.older, self.mark) if self.older is not None else (self.last,)
        return "-".join(str(part) for part in known if part is not None)

    def take(self, other: Position) -> None:
        """Go to another position."""
        self.last, self.older, self.mark = other.last, other.older, other.mark


@router.get(
    "/events",
    response_class=EventStream,
    summary="What changes, as it changes",
    responses={
        429: {"description": "Too many streams of this key are listened to already"},
        200: {
            "description": "Events `change` (data: a HistoryEntry) and `erased` (something was erased for good: read anew what you show).",
            "content": {
                "text/event-stream": {"schema": EVENT_SCHEMA, "example": 'id: 7-7-0a1b2c3d4e5f\nevent: change\ndata: {"id":"7", …}\n\n'}
            },
        },
    },
)
async def listen_to_changes(
    mine: Reader,
    state: State,
    request: Request,
    last_event_id: Annotated[
        str | None, Header(max_length=64, description="Go on behind this event", examples=["7-7-0a1b2c3d4e5f"])
    ] = None,
    after: Annotated[
        str | None, Query(max_length=64, description="The same, for clients that cannot send the header; `0`: from the beginning")
    ] = None,
) -> StreamingResponse:
    """Every change of records, messages and core memory of this user as a server-sent event. Without a position: from now on. Comments are
    sent as signs of life. A stream ends after five minutes; go on behind the last event, as browsers do by themselves."""
    given = last_event_id if last_event_id is not None else after
    position = await newest(mine) if given is None else Position.of(given)
    return EventStream(changes(mine, position, state.closing), meanwhile=_counted(state, caller_of(request), request.state.scope))


@contextlib.contextmanager
def _counted(state: ServerState, caller: Caller, user: records.Scope) -> Iterator[None]:
    """Count a stream for as long as it lasts. Raises TooMany."""
    key = caller.key.id if caller.key is not None else ""
    if state.listeners[key, user] >= MOST_STREAMS or state.listeners[key] >= MOST_STREAMS_OF_KEY:
        most = f"{MOST_STREAMS} streams of one user at once, and {MOST_STREAMS_OF_KEY} together"
        raise TooMany(f"a key may listen to {most}; end one, and listen again", retry_after=RETRY_MS / 1_000)
    state.listeners.update([key, (key, user)])
    try:
        yield
    finally:
        state.listeners.subtract([key, (key, user)])
        for name in (key, (key, user)):
            if not state.listeners[name]:
                del state.listeners[name]


async def newest(mine: AsyncScopedMemory) -> Position:
    """Behind all that has changed until now."""
    page = await mine.changes(limit=1)
    return Position(int(page.items[0].id), page.total, _mark(page.items[0])) if page.items else Position(0, page.total)


async def changes(mine: AsyncScopedMemory, position: Position, closing: asyncio.Event) -> AsyncGenerator[str, None]:
    """The events behind a position, until the stream has lasted long enough or the server closes."""
    yield f"retry: {RETRY_MS}\n: this user's changes\n\n"
    end = await newest(mine)
    if end.last < position.last:
        # The user was erased since, and what came then is counted anew.
        position.take(end)
        yield event("erased", "{}", str(position))
    began = told = time.monotonic()
    while not closing.is_set() and time.monotonic() - began < LONGEST_SECONDS:
        # With the one that was told last, if it is still there.
        page = await mine.changes(after=str(max(0, position.last - 1)), limit=_PAGE, newest_first=False)
        new, complete = page.items, page.cursor is None
        if new and int(new[0].id) == position.last:
            if position.mark not in (None, _mark(new[0])):
                # The user was erased since, and more was changed than before.
                position.take(await newest(mine))
                yield event("erased", "{}", str(position))
                continue
            new = new[1:]
        older = page.total - len(new) if complete else None
        if older is not None and position.older is not None and older < position.older:
            position.older = older
            end = await newest(mine)
            if not new and end.last < position.last:
                position.take(end)
            yield event("erased", "{}", str(position))
        for text in _told(new, position, older):
            yield text
        if new:
            told = time.monotonic()
        elif time.monotonic() - told >= HEARTBEAT_SECONDS:
            told = time.monotonic()
            yield ": alive\n\n"
        if complete:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await closing.wait()


def _mark(entry: HistoryEntry) -> str:
    """What tells a change from others of the same number."""
    told = (entry.target, entry.change, entry.cause.at.isoformat())
    return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _told(entries: tuple[HistoryEntry, ...], position: Position, older: int | None) -> Iterator[str]:
    """The events of some changes; the position moves behind each."""
    for place, entry in enumerate(entries, 1):
        position.take(Position(int(entry.id), None if older is None else older + place, _mark(entry)))
        yield event("change", _ENTRY.dump_json(entry).decode(), str(position))
    if not entries and older is not None:
        position.older = older
