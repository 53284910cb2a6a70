"""Conversations: listed, saved, loaded and erased."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from pydantic import ConfigDict, Field

from pagefile.messages import SessionInfo
from pagefile.queries import Page
from pagefile.receipts import EraseReceipt
from pagefile.server.caller import Reader, Writer
from pagefile.server.rest.common import After, Body, JsonObject, Limit, Name, NameQuery, Wait, settled
from pagefile.server.routing import api_router
from pagefile.sessions import Loaded

router = api_router("sessions")


class SavedSession(Body):
    """A document as it was saved, and the name to load it under."""

    document: Annotated[JsonObject, Field(description="What `GET /saved-sessions/…` gave")]
    session: Annotated[Name | None, Field(description="Default: its own name")] = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "document": {
                        "format": "pagefile session",
                        "version": 1,
                        "session": "monday",
                        "messages": [{"id": "m-1", "seq": 1, "role": "user", "content": "Hello", "said_at": "2026-05-24T10:00:00+08:00"}],
                    }
                }
            ]
        },
    )


@router.get("/sessions", summary="List sessions")
async def list_sessions(mine: Reader, after: After = None, limit: Limit = 100) -> Page[SessionInfo]:
    """The sessions of this user."""
    return await mine.sessions(after=after, limit=limit)


@router.get("/sessions/{session:path}", summary="Get a session")
async def get_session(mine: Reader, session: str) -> SessionInfo:
    """How many messages it has, where its window begins, and its running summary."""
    return await mine.session(session)


@router.delete("/sessions/{session:path}", summary="Erase a session")
async def erase_session(mine: Writer, session: str, response: Response, wait: Wait = 0) -> EraseReceipt:
    """Remove a conversation for good, with all that was made of it alone. The receipt counts what went."""
    await mine.session(session)
    receipt = await mine.erase(session=session)
    await settled(mine, response, wait)
    return receipt


@router.get("/saved-sessions/{session:path}", summary="Save a session")
async def save_session(mine: Reader, session: str, blocks: bool = False, agent: NameQuery = None) -> dict[str, Any]:
    """A conversation as one JSON document: what was said with its times, the start of the window, the running summary, the checkpoints,
    and with `blocks` core memory (of `agent`)."""
    return await mine.save_session(session, blocks=blocks, agent=agent)


@router.post("/saved-sessions", summary="Load a session")
async def load_session(mine: Writer, given: SavedSession, response: Response, wait: Wait = 0) -> Loaded:
    """Load a saved conversation, and learn from it as if it had been said here. Loading twice is the same as once. 409, changing nothing,
    if the session here differs."""
    loaded = await mine.load_session(given.document, session=given.session)
    await settled(mine, response, wait)
    return loaded
