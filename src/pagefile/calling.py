"""Runs the calls of a model's answer within the limits of the turn; the journal has each of them with its result, whatever happens."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

import anyio

from pagefile.context.assemble import Material
from pagefile.context.budget import NOTES_SHARE, NOTES_TOKENS
from pagefile.conversation import Conversation
from pagefile.errors import ToolError
from pagefile.events import Event, ToolCalled, ToolReturned, Warned
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.messages import Message, ToolCall
from pagefile.parts import Parts
from pagefile.prompts import Wording, words
from pagefile.tools import AnyTool, Caller, ToolResult, execute, find
from pagefile.tools.calls import parse
from pagefile.tools.limits import Allowance

#: More calls in one reply than this are not made.
MOST_CALLS = 16
#: Messages of the person that bear out what a model notes.
_HEARD = 8

_CALL_ID = re.compile(r"[!-~]{1,128}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """What an answer says by calls, and what else it calls for."""

    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...]
    #: One of the messages asks for another round.
    heartbeat: bool


def outgoing(calls: Sequence[ToolCall], tools: Sequence[AnyTool], allowance: Allowance) -> Outgoing:
    """Tell messages to the person from other calls. A message that cannot be read is a call that fails; one on which alone the turn goes
    on is a call too, so that it has a result to go on from."""
    texts: list[str] = []
    sent: list[ToolCall] = []
    others: list[ToolCall] = []
    heartbeat = False
    for call in calls:
        tool = find(call.name, tools)
        message = _message(call, tool) if tool is not None and tool.says else None
        if message is None or not allowance.may(call):
            others.append(call)
            continue
        sent.append(call)
        texts.append(message[0])
        heartbeat = heartbeat or message[1]
    kept = others or (sent if heartbeat else [])
    return Outgoing(texts=tuple(texts), calls=tuple(kept), heartbeat=heartbeat)


def _message(call: ToolCall, tool: AnyTool) -> tuple[str, bool] | None:
    try:
        arguments = parse(tool.name, tool.arguments, call.arguments, "en")
    except ToolError:
        return None
    text = clean(arguments.message)
    return (text, arguments.request_heartbeat) if text.strip() else None


class Calling:
    """The calls of a turn: which of them are open, and what they came to."""

    def __init__(self, session: Conversation, allowance: Allowance, *, answers: str) -> None:
        """``answers``: id of the message of the turn; what comes after it was erased is not written."""
        self._session, self._answers = session, answers
        #: Language of our words in results; the turn knows it once it has looked at the conversation.
        self.wording: Wording = session.settings.wording or "en"
        self._parts = session.parts
        self._allowance = allowance
        self._open: list[ToolCall] = []
        self._results: list[str] = []
        #: The last calls and their results, as the journal has them.
        self.appended: list[Message] = []
        #: One of the last calls asks for another round, or failed; one of them says that nothing is left to do.
        self.heartbeat = False
        self.ended = False

    async def begin(self, calls: Sequence[ToolCall], said: str, thought: str) -> str:
        """Bring the calls into the journal, with what was said beside them; returns the id of that message. What was only thought is
        shown to the model for the rest of the turn, and kept nowhere."""
        calls = distinct(calls, self._parts)
        written = [{"id": call.id, "function": {"name": call.name, "arguments": call.arguments}} for call in calls]
        made = self._session.draft("assistant", said, findable=bool(said.strip()), tool_calls=written)
        with anyio.CancelScope(shield=True):
            (appended,) = await self._session.append([made], answers=self._answers)
        kept = appended.message
        shown = kept if said.strip() or not thought.strip() else replace(kept, text=thought, tokens=kept.tokens + count(thought))
        self._open, self._results, self.appended = list(calls), [], [shown]
        return kept.id

    async def run(self, material: Material, tools: Sequence[AnyTool]) -> AsyncGenerator[Event, None]:
        """Make the open calls one after the other."""
        caller, calls = self._caller(material), list(self._open)
        self.heartbeat = self.ended = False
        found = [find(call.name, tools) for call in calls]
        in_time = self._allowance.begins(only_searches=all(tool is not None and tool.searches for tool in found))
        for place, (call, tool) in enumerate(zip(calls, found, strict=True)):
            yield ToolCalled(call=call)
            refusal = self._refusal(place, call, tool, searches_too_often=not in_time)
            result = ToolResult(text=refusal, ok=False, heartbeat=True) if refusal else await self._made(call, caller, tools)
            self._results.append(result.text)
            self.heartbeat = self.heartbeat or result.heartbeat
            self.ended = self.ended or (result.ok and tool is not None and tool.ends)
            if result.warning:
                yield Warned(text=result.warning)
            yield ToolReturned(call=call, result=result.text, ok=result.ok)
        await self.settle()

    async def settle(self) -> None:
        """Bring the results into the journal; a call that was not made gets one that says so."""
        calls, self._open = self._open, []
        if not calls:
            return
        missing = [words("window", "interrupted call", self.wording)] * (len(calls) - len(self._results))
        drafts = [
            self._session.draft("tool", text, findable=False, tool_call_id=call.id)
            for call, text in zip(calls, [*self._results, *missing], strict=True)
        ]
        with anyio.CancelScope(shield=True):
            self.appended += [one.message for one in await self._session.append(drafts, answers=self._answers)]

    def _caller(self, material: Material) -> Caller:
        session, worker = self._session, self._session.worker
        asked = material.repaired[material.current]
        said = [one for one in material.repaired[: material.current + 1] if one.role == "user" and one.origin == "said"]
        return Caller(
            parts=self._parts,
            scope=session.scope,
            session=session.session,
            agent=session.agent,
            window_start=material.repaired[0].seq,
            max_tokens=min(NOTES_TOKENS, int(self._parts.model.context_window * NOTES_SHARE)),
            wording=self.wording,
            recorder=None if worker is None else worker.recorder,
            # An event is nobody's word, and what was said before it is not what the model answers.
            heard=tuple(said[-_HEARD:]) if asked.role == "user" else (),
        )

    def _refusal(self, place: int, call: ToolCall, tool: AnyTool | None, *, searches_too_often: bool) -> str | None:
        """Why a call is not made."""
        limits, wording = self._session.settings, self.wording
        if place >= MOST_CALLS:
            return words("tools", "too many calls", wording, most=MOST_CALLS)
        if self._allowance.hit == "seconds":
            return words("tools", "no time", wording)
        if searches_too_often:
            return words("tools", "too many searches", wording, most=limits.max_searches)
        # Messages were counted when they were told from other calls.
        is_message = tool is not None and tool.says
        if self._allowance.hit == "repeats" if is_message else not self._allowance.may(call):
            return words("tools", "same call", wording, most=limits.max_repeats)
        return None

    async def _made(self, call: ToolCall, caller: Caller, tools: Sequence[AnyTool]) -> ToolResult:
        with anyio.move_on_after(self._allowance.seconds_left(time.monotonic())) as scope:
            return await execute(call, caller, tools)
        assert scope.cancelled_caught
        self._allowance.hits("seconds")
        return ToolResult(text=words("window", "interrupted call", caller.wording), ok=False, heartbeat=True)


def distinct(calls: Sequence[ToolCall], parts: Parts) -> tuple[ToolCall, ...]:
    """The calls of one reply with ids that can be kept and told apart, and with names."""
    told_apart: dict[str, ToolCall] = {}
    for call in calls:
        usable = _CALL_ID.fullmatch(call.id) and call.id not in told_apart
        id = call.id if usable else parts.new_id()
        told_apart[id] = replace(call, id=id, name=clean(call.name).strip() or "unknown")
    return tuple(told_apart.values())
