"""Foreground: one chat turn, from the user's message to the reply in the journal, as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from itertools import takewhile
from typing import Any
from weakref import WeakValueDictionary

import anyio

from pagefile.errors import ConflictError, Erased, InputError
from pagefile.events import Event, TextDelta, TurnFinished, TurnStarted, Usage
from pagefile.intake import draft
from pagefile.messages import Draft, Message
from pagefile.parts import Parts
from pagefile.queries import Where
from pagefile.records import Scope, identifier
from pagefile.turn import Background, Conversation, Turn
from pagefile.window import ChatSettings, build_window

__all__ = ["ChatSettings", "Session", "build_window"]

#: What was said, also where it no longer holds.
_EVERY_TURN = Where(statuses=("current", "superseded"))
#: One turn at a time in one session, also when two objects stand for it. Kept only as long as one of them is.
_turns: WeakValueDictionary[tuple[int, Scope, str], anyio.Semaphore] = WeakValueDictionary()


class Session:
    """One conversation. Turns in it run one after the other; other sessions are free."""

    def __init__(
        self,
        parts: Parts,
        scope: Scope,
        session: str,
        *,
        agent: str | None = None,
        settings: ChatSettings | None = None,
        worker: Background | None = None,
    ) -> None:
        self.parts = parts
        self.scope = scope
        self.session = identifier(session, "session")
        self.agent = identifier(agent, "agent") if agent is not None else None
        self.settings = settings or ChatSettings()
        self._conversation = Conversation(
            parts=parts, scope=scope, session=self.session, agent=self.agent, settings=self.settings, worker=worker
        )
        # No lock that knows its task: a stream may be closed by another task than the one that reads it.
        self._one_turn = _turns.setdefault((id(parts.store), scope, self.session), anyio.Semaphore(1))

    async def stream(self, message: str | Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """Say something, and get what happens: from TurnStarted (it is in the journal) to TurnFinished (so is the reply).

        A message whose ``id`` was answered before gives that answer again. If the stream is closed early or fails, what the model had
        said is kept, marked as interrupted. Raises InputError before anything is written; ModelError when the model fails.
        """
        # In a thread: counting and indexing a message of megabytes takes a second, in which other sessions go on. Not one of anyio's, which
        # would keep a program that forgot to close its memory from ending.
        question = await asyncio.to_thread(self._question, message)
        async with self._one_turn:
            (appended,) = await self._conversation.append([question])
            if appended.outcome == "conflict":
                raise ConflictError(
                    f"a message with the id {question.external_id!r} and other content stands in this session; give it another id"
                )
            if appended.outcome == "erased":
                raise Erased("the same message was erased before; to say it again, give it another id and its time now")
            said = appended.message
            yield TurnStarted(message=said.id, session=self.session, seq=said.seq)
            answer = await self._answer_to(said) if appended.outcome == "duplicate" else None
            if answer is not None:
                yield TextDelta(text=answer.text)
                yield TurnFinished(text=answer.text, message=answer.id, reason="stop", usage=Usage(), window={})
                return
            turn = Turn(self._conversation, said)
            events = turn.events()
            try:
                async for event in events:
                    yield event
            finally:
                with anyio.CancelScope(shield=True):
                    await events.aclose()
                    await turn.settle()

    async def turn(self, message: str | Mapping[str, Any]) -> str:
        """Say something and get the whole reply; if there is none, the sentence that says why. See ``stream``."""
        said, ended = "", ""
        async with aclosing(self.stream(message)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    said += event.text
                elif isinstance(event, TurnFinished):
                    ended = event.text
        return said or ended

    def _question(self, message: str | Mapping[str, Any]) -> Draft:
        question = draft(message, parts=self.parts, agent=self.agent)
        if question.role != "user":
            raise InputError(f"a turn begins with a user's message, not with one of role {question.role!r}; use add() to write others")
        if not question.text.strip():
            raise InputError("the message is empty; give some text")
        return question

    async def _answer_to(self, message: Message) -> Message | None:
        """The reply that followed a message, if it was answered."""
        later: list[Message] = []
        after: str | None = None
        while True:
            page = await self.parts.store.messages(self.scope, self.session, where=_EVERY_TURN, after=after, limit=200, newest_first=True)
            later += [one for one in page.items if one.seq > message.seq]
            if page.cursor is None or (page.items and page.items[-1].seq <= message.seq):
                break
            after = page.cursor
        in_order = list(takewhile(lambda one: one.role != "user", reversed(later)))
        return next((one for one in in_order if one.role == "assistant" and not one.tool_calls and one.text.strip()), None)
