"""A conversation with the model of a server."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import fields
from typing import Any, get_args

from pagefile.errors import InputError
from pagefile.events import Event, TextDelta, TurnFinished
from pagefile.remote.wire import ScopedWire, adapter, error_of
from pagefile.session import Session
from pagefile.window import ChatSettings

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_KINDS = {_CAPITAL.sub("_", kind.__name__).lower(): kind for kind in get_args(Event)}
#: Settings that are sent along; the others are the server's.
_SENT = ("instructions", "toolset")


class RemoteSession(Session):
    """One conversation on a server."""

    def __init__(self, wire: ScopedWire, session: str, *, agent: str | None, settings: ChatSettings, incognito: bool) -> None:
        default = ChatSettings()
        other = [each.name for each in fields(ChatSettings) if getattr(settings, each.name) != getattr(default, each.name)]
        if unknown := [each for each in other if each not in _SENT]:
            raise InputError(f"over a server a conversation has no settings {', '.join(unknown)}; known are {', '.join(_SENT)}")
        self.session = session
        self.agent = agent
        self.settings = settings
        self._wire = wire
        self._held = {
            "session": session,
            "agent": agent,
            "incognito": incognito,
            **{each: getattr(settings, each) for each in _SENT},
        }

    async def stream(self, message: str | Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        async with aclosing(self._events("/chat", {"message": message})) as events:
            async for one in events:
                yield one

    async def wake(self, event: str, text: str = "") -> AsyncGenerator[Event, None]:
        async with aclosing(self._events("/wake", {"event": event, "text": text})) as events:
            async for one in events:
                yield one

    async def turn(self, message: str | Mapping[str, Any]) -> str:
        said, ended = "", ""
        async with aclosing(self.stream(message)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    said += event.text
                elif isinstance(event, TurnFinished):
                    ended = event.text
        return said or ended

    async def _events(self, path: str, said: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        kind = ""
        async with aclosing(self._wire.lines("POST", path, {**self._held, **said})) as lines:
            async for line in lines:
                field, _, value = line.partition(": ")
                if field == "event":
                    kind = value
                elif field == "data" and kind == "error":
                    problem = json.loads(value)
                    raise error_of(problem["type"].rpartition(":")[2], problem["detail"], problem)
                elif field == "data" and kind in _KINDS:
                    one: Event = adapter(_KINDS[kind]).validate_json(value)
                    yield one
