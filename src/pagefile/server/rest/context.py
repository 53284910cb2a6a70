"""Windows for applications that ask their own model."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from pydantic import ConfigDict, Field

from pagefile.context.assemble import Window
from pagefile.context.report import ContextReport
from pagefile.server.caller import Reader
from pagefile.server.rest.common import Body, JsonObject, Name, Wait, settled
from pagefile.server.routing import api_router

router = api_router("context")

Said = Annotated[str, Field(min_length=1, max_length=1_000_000)]


class WindowAsked(Body):
    """The messages to send, in the form of Chat Completions, or what the user says now."""

    messages: Annotated[list[JsonObject], Field(min_length=1, max_length=1_000)] | Said
    session: Name = "default"
    agent: Name | None = None
    budget: Annotated[int, Field(ge=1, le=10_000_000, description="Tokens of the whole window")] = 8_000

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"messages": "Book us a table", "session": "monday", "budget": 4000}]}
    )


class ReportAsked(Body):
    """What would be said next; nothing: the last turn is reported."""

    session: Name = "default"
    message: Said | None = None
    agent: Name | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"session": "monday", "message": "Book us a table"}]})


@router.post("/context", summary="Build a window")
async def build_window(mine: Reader, given: WindowAsked, response: Response, wait: Wait = 0) -> Window:
    """A window within a budget: instructions, blocks, recent messages, recalled notes and what is said now, ready to send to a model.
    Nothing of it is written to the journal."""
    await settled(mine, response, wait)
    messages: Any = given.messages
    return await mine.context(messages, session=given.session, budget=given.budget, agent=given.agent)


@router.post("/context-report", summary="What fills the window")
async def report_context(mine: Reader, given: ReportAsked) -> ContextReport:
    """Tokens used, and how many there may be, of each part of the window of a session's next turn."""
    return await mine.context_report(given.session, given.message, agent=given.agent)
