"""A memory with a scripted model, and what tests ask of the events of a turn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from pagefile.events import Event, TurnFinished
from pagefile.messages import Message, ToolCall
from pagefile.models.scripted import Script, ScriptedModel
from pagefile.parts import Parts
from pagefile.records import Scope
from pagefile.session import ChatSettings, Session
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, FakeIds
from pagefile.testing.openai_server import check_chat_request

SHANGHAI = ZoneInfo("Asia/Shanghai")
ALICE = Scope("default", "alice")


class Chat:
    """A memory with a scripted model; sessions of Alice are made from it."""

    def __init__(self, *replies: Script, store: MemoryStore | None = None, **model: object) -> None:
        self.model = ScriptedModel(replies, **model)  # type: ignore[arg-type]  # options of the test's own
        self.store = store or MemoryStore()
        self.clock = FakeClock()
        self.parts = Parts(store=self.store, embedder=None, model=self.model, now=self.clock, new_id=FakeIds(), zone=SHANGHAI)

    @classmethod
    def with_model(cls, model: ScriptedModel) -> Chat:
        """With a model of the test's own."""
        chat = cls()
        chat.model = model
        chat.parts = replace(chat.parts, model=model)
        return chat

    def session(self, name: str = "monday", **settings: object) -> Session:
        return Session(self.parts, ALICE, name, settings=ChatSettings(**settings))  # type: ignore[arg-type]  # as above

    async def say(self, *texts: str, session: str = "monday", **settings: object) -> list[Event]:
        events: list[Event] = []
        for text in texts:
            self.clock.advance(1)
            events = [event async for event in self.session(session, **settings).stream(text)]
        return events

    async def journal(self, session: str = "monday") -> list[Message]:
        return list((await self.store.messages(ALICE, session, limit=500)).items)

    async def said(self, session: str = "monday") -> list[tuple[str, str]]:
        return [(message.role, message.text) for message in await self.journal(session)]

    def check(self) -> None:
        """Every request that was made is one that an endpoint takes."""
        for request in self.model.requests:
            tools = [{"type": "function", "function": {"name": one.name, "parameters": one.parameters}} for one in request.tools]
            check_chat_request({"model": "m", "messages": list(request.messages)} | ({"tools": tools} if tools else {}))


def call(name: str, id: str = "call_0", **arguments: object) -> ToolCall:
    return ToolCall(id=id, name=name, arguments=json.dumps(arguments))


def kinds(events: Sequence[Event]) -> list[str]:
    """The names of the events, neighbours of one name once."""
    names = [type(event).__name__ for event in events]
    return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]


def finished(events: Sequence[Event]) -> TurnFinished:
    assert isinstance(events[-1], TurnFinished)
    return events[-1]
