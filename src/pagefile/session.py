"""Foreground: one chat turn, from the user's message to the reply in the journal, as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from itertools import takewhile
from typing import Any

import anyio

from pagefile.context.render import wording_of
from pagefile.conversation import Background, Conversation
from pagefile.errors import ConflictError, Erased, InputError
from pagefile.events import Event, TextDelta, TurnFinished, TurnStarted, Usage
from pagefile.holding import OneTurn
from pagefile.intake import draft, name_to_keep, without_answers
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.messages import Draft, Message
from pagefile.parts import Parts
from pagefile.prompts import WORDINGS, words
from pagefile.queries import Where
from pagefile.records import Indexing, Scope
from pagefile.turn import Turn
from pagefile.window import ChatSettings, build_window

__all__ = ["ChatSettings", "Session", "build_window"]

#: What was said, also where it no longer holds.
_EVERY_TURN = Where(statuses=("current", "superseded"))
#: Characters of the name of an event.
_LONGEST_NAME = 64


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
        self.session = name_to_keep(session, "session")
        self.agent = name_to_keep(agent, "agent") if agent is not None else None
        self.settings = settings or ChatSettings()
        self._conversation = Conversation(
            parts=parts, scope=scope, session=self.session, agent=self.agent, settings=self.settings, worker=worker
        )
        self._one_turn = OneTurn(parts, scope, self.session, wait_seconds=self.settings.wait_seconds)

    async def stream(self, message: str | Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """Say something, and get what happens: from TurnStarted (it is in the journal) to TurnFinished (so is the reply).

        A message whose ``id`` was answered before gives that answer again. If the stream is closed early or fails, what the model had
        said is kept, marked as interrupted. Raises InputError before anything is written,
        SessionBusy if another turn does not end; ModelError when the model fails.
        """
        # In a thread: counting and indexing a message of megabytes takes a second, in which other sessions go on. Not one of anyio's, which
        # would keep a program that forgot to close its memory from ending.
        question = await asyncio.to_thread(self._question, message)
        async with aclosing(self._turn(question)) as events:
            async for event in events:
                yield event

    async def wake(self, event: str, text: str = "") -> AsyncGenerator[Event, None]:
        """Wake the model without a message of the user: for a "login", a "reminder", a "timer". The events are those of ``stream``.

        ``text``: what it is about; memory is searched for it. The event stands in the journal as no words of the user: it is not learnt
        from and not found. The model may have nothing to say: then the turn has no text. Raises as ``stream`` does.
        """
        opening, about = await asyncio.to_thread(self._event, event, text)
        async with aclosing(self._turn(opening, about=about)) as events:
            async for one in events:
                yield one

    async def _turn(self, opening: Draft, *, about: str | None = None) -> AsyncGenerator[Event, None]:
        conversation = await self._with_rules()
        async with self._one_turn.alone() as hold:
            # What was said before is learnt from now. The message itself stands in the window: nobody has to wait for that.
            await conversation.catch_up()
            (opening,) = await without_answers(self.parts, self.scope, self.session, [opening])
            (appended,) = await hold.begin(lambda lease: conversation.append([opening], lease=lease))
            if appended.outcome == "conflict":
                raise ConflictError(
                    f"a message with the id {opening.external_id!r} and other content stands in this session; give it another id"
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
            turn = Turn(conversation, said, hold=hold, about=about)
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

    async def _with_rules(self) -> Conversation:
        """This conversation, with the rules as they stand in their file now."""
        if self.settings.rules_file is None:
            return self._conversation
        settings = await asyncio.to_thread(self.settings.with_rules, self.parts.model.context_window)
        return replace(self._conversation, settings=settings)

    def _question(self, message: str | Mapping[str, Any]) -> Draft:
        question = draft(message, parts=self.parts, agent=self.agent)
        if question.role != "user":
            raise InputError(f"a turn begins with a user's message, not with one of role {question.role!r}; use add() to write others")
        if not question.text.strip():
            raise InputError("the message is empty; give some text")
        return question

    def _event(self, event: str, text: str) -> tuple[Draft, str]:
        """The event as a message, and what it is about."""
        if not isinstance(event, str) or not isinstance(text, str):
            raise InputError("an event has a name and a text; give both as text")
        name, about = " ".join(clean(event).split()), clean(text).strip()
        if not name or len(name) > _LONGEST_NAME:
            raise InputError(
                f"the name of an event is one word or a few, of at most {_LONGEST_NAME} characters; put the rest into its text"
            )
        wording = self.settings.wording or wording_of([about, name])
        told = words("turn", "event", wording, event=name, text=f" {about}" if about else "")
        made = draft({"role": "system", "content": told}, parts=self.parts, agent=self.agent, origin="event")
        return replace(made, indexing=Indexing()), redact(about).text

    async def _answer_to(self, message: Message) -> Message | None:
        """The reply that followed a message, if it was answered. What was interrupted is none: it is answered anew."""
        later: list[Message] = []
        after: str | None = None
        while True:
            page = await self.parts.store.messages(self.scope, self.session, where=_EVERY_TURN, after=after, limit=200, newest_first=True)
            later += [one for one in page.items if one.seq > message.seq]
            if page.cursor is None or (page.items and page.items[-1].seq <= message.seq):
                break
            after = page.cursor
        in_order = list(takewhile(lambda one: one.role in ("assistant", "tool"), reversed(later)))
        replies = [one for one in in_order if one.role == "assistant" and one.text.strip() and not _is_interrupted(one)]
        plain = [one for one in replies if not one.tool_calls]
        # A model that speaks by calls may have gone on after its message, and said no more.
        sent = replies if self.settings.toolset == "memgpt" else []
        return next(iter((*plain, *sent)), None)


def _is_interrupted(message: Message) -> bool:
    return message.text.endswith(tuple(words("turn", "interrupted", wording) for wording in WORDINGS))
