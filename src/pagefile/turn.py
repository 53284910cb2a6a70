"""One chat turn: recall, ask the model, run its calls, bring what it said into the journal, and tell each step as an event."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Protocol

import anyio

from pagefile.context.assemble import Material, Window, assemble, budget_for, shown_in_part, tools_size, without_evicted
from pagefile.context.budget import NOTES_SHARE, NOTES_TOKENS, TOOLS_SHARE, TRAILING_TOKENS, Budget
from pagefile.context.evict import filling_up, plan_eviction
from pagefile.context.render import notes_for_model
from pagefile.errors import ContextExceeded, InputError
from pagefile.events import (
    Event,
    Evicted,
    FinishReason,
    Recalled,
    TextDelta,
    ToolCalled,
    ToolReturned,
    TurnFinished,
    Usage,
    Warned,
)
from pagefile.intake import draft
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.learner import learning_jobs
from pagefile.messages import Appended, Draft, Message, ToolCall
from pagefile.operations import answered
from pagefile.parts import Parts
from pagefile.ports import ModelFinished, ModelRequest, Operation
from pagefile.prompts import Wording, words
from pagefile.records import Indexing, Scope
from pagefile.tools import Caller, ToolResult, execute, tool_specs
from pagefile.window import ChatSettings, blocks_for, recall_for, recall_query

#: More calls in one reply than this are not made.
MOST_CALLS = 16
#: A request that is refused as too long is made anew for a window of this share of it, in which less is kept free for the reply.
SMALLER = 0.75
SMALLER_REPLY = 0.1
#: An endpoint that reports fewer tokens read than this share of our count has cut what it was sent; counts differ by less.
LEAST_READ = 0.4

_CALL_ID = re.compile(r"[!-~]{1,128}")


class Background(Protocol):
    """What a turn asks of background work."""

    def wrote(self, scope: Scope, items: int) -> None: ...

    def said(self, scope: Scope) -> None: ...

    def note(self, scope: Scope, operation: Operation) -> None: ...

    async def catch_up(self, scope: Scope) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """In which session of whose memory a turn is held, and how."""

    parts: Parts
    scope: Scope
    session: str
    agent: str | None
    settings: ChatSettings
    worker: Background | None

    async def append(self, drafts: Sequence[Draft]) -> tuple[Appended, ...]:
        """Write to the end of the session's journal."""
        jobs = learning_jobs(self.parts, self.session, drafts) if self.worker is not None else ()
        appended = await self.parts.store.append(self.scope, self.session, drafts, jobs=jobs)
        if self.worker is not None:
            to_embed = [one for one, made in zip(appended, drafts, strict=True) if one.outcome == "stored" and made.indexing.embedding_hash]
            self.worker.wrote(self.scope, len(to_embed))
            if jobs:
                self.worker.said(self.scope)
        return appended

    async def catch_up(self) -> None:
        """Let what was just written be learnt from, and found by meaning too."""
        if self.worker is not None:
            await self.worker.catch_up(self.scope)


class Turn:
    """One turn of a session: what was said and called so far, and what of it is not yet in the journal."""

    def __init__(self, session: Conversation, message: Message) -> None:
        self._session = session
        self._parts = session.parts
        self._settings = session.settings
        self._message = message
        self._wording: Wording = "en"
        self._usage = Usage()
        # What the model is shown, as it stands now, and the window that was last made of it.
        self._material: Material
        self._budget: Budget
        self._window: Window | None = None
        self._finished: ModelFinished | None = None
        self._shrunk = False
        self._recalled: Recalled | None = None
        # Not yet in the journal: words of the model, its calls, and results of calls that are there.
        self._said = ""
        self._calls: list[ToolCall] = []
        self._open: list[ToolCall] = []
        self._results: list[str] = []
        # The last calls and their results, as the journal has them.
        self._appended: list[Message] = []

    async def events(self) -> AsyncGenerator[Event, None]:
        """The turn, after the user's message is in the journal."""
        material = self._material = await self._gather()
        self._wording = material.trailing_wording
        try:
            budget = self._budget = budget_for(material)
        except InputError as error:
            yield Warned(text=str(error))
            yield TurnFinished(text=str(error), message=None, reason="error", usage=self._usage, window={})
            return
        if shown_in_part(material, budget):
            yield Warned(text=words("turn", "message in part", self._wording, tokens=self._message.tokens))
        recalled, warnings = await self._recall(material, budget)
        for warning in warnings:
            yield Warned(text=warning)
        yield recalled
        self._material, self._recalled = replace(material, hits=recalled.hits), recalled
        for _ in range(self._settings.max_rounds):
            async with aclosing(self._round()) as happened:
                async for event in happened:
                    yield event
            if not self._calls:
                break
        async for event in self._finish():
            yield event

    async def _round(self) -> AsyncGenerator[Event, None]:
        """Ask the model once, and run the calls it makes."""
        async with aclosing(self._ask_in_room()) as answer:
            async for event in answer:
                yield event
        for warning in self._warnings_after_answer():
            yield Warned(text=warning)
        if self._calls:
            async with aclosing(self._run_calls(self._material)) as calls:
                async for event in calls:
                    yield event
            self._material = replace(self._material, messages=(*self._material.messages, *self._appended))
            self._budget = budget_for(self._material)

    async def settle(self) -> None:
        """Bring into the journal what is not there yet, so that nothing that was said is lost and no call stays without a result."""
        if self._open:
            await self._append_results()
        elif self._said.strip():
            await self._append_reply(f"{self._said}\n\n{words('turn', 'interrupted', self._wording)}")

    # --- before the model is asked -------------------------------------------------------------------------------------

    async def _gather(self) -> Material:
        session, store = self._session, self._parts.store
        messages = await store.window(session.scope, session.session)
        if all(message.id != self._message.id for message in messages):
            messages = (self._message,)  # taken out of the window meanwhile; it is to be answered all the same
        info = await store.session(session.scope, session.session)
        material = Material(
            messages=messages,
            answering=self._message.id,
            window=self._parts.model.context_window,
            reply=self._settings.reply_tokens,
            instructions=self._settings.instructions,
            summary=info.summary if info else None,
            now=self._parts.now().astimezone(self._parts.zone),
            wording=self._settings.wording,
            images=self._settings.images,
        )
        blocks = await blocks_for(self._parts, session.scope, session.agent, material.prefix_wording)
        tools = tool_specs(material.prefix_wording)
        offered = self._parts.model.supports_tools and tools_size(tools) <= TOOLS_SHARE * material.window
        return replace(material, blocks=blocks, tools=tools if offered else ())

    async def _recall(self, material: Material, budget: Budget) -> tuple[Recalled, tuple[str, ...]]:
        """What the window does not show already and may bear on the message; what leaves the window now can be recalled at once."""
        began = time.perf_counter()
        await self._session.catch_up()
        query = recall_query(material)
        hits = await recall_for(material, budget, query, parts=self._parts, scope=self._session.scope, limit=self._settings.recall_limit)
        shown = notes_for_model(hits.hits, zone=self._parts.zone, wording=material.trailing_wording, limit=budget.notes - TRAILING_TOKENS)
        recalled = Recalled(
            query=query,
            hits=shown.hits,
            below_floor=hits.below_floor,
            filtered_out=hits.filtered_out,
            seconds=time.perf_counter() - began,
        )
        return recalled, hits.warnings

    async def _make_room(self) -> list[Event]:
        """Evict what the window has no room for, or warn that it soon will; then make the window."""
        material, happened = self._material, list[Event]()
        sizes, current, share = material.sizes, material.current, self._budget.recent
        if eviction := plan_eviction(material.repaired, sizes, current=current, share=share):
            session, store, start = self._session, self._parts.store, eviction.window_start
            # Read again: the summary may have been written anew while this turn went on.
            info = await store.session(session.scope, session.session)
            await store.set_window(session.scope, session.session, window_start=start, summary=info.summary if info else None)
            self._material = without_evicted(material, eviction)
            happened = [Evicted(messages=len(eviction.evicted), tokens=eviction.tokens, window_start=start)]
        elif not material.filling_up and filling_up(material.repaired, sizes, current=current, share=share):
            self._material = replace(material, filling_up=True)
            happened = [Warned(text=words("turn", "filling up", self._wording))]
        self._window = assemble(self._material, self._budget)
        return happened

    # --- the model -----------------------------------------------------------------------------------------------------

    async def _ask_in_room(self) -> AsyncGenerator[Event, None]:
        """Ask with a window that has room for all it shows; if the endpoint finds it too long, once more in the turn with a smaller one."""
        for event in await self._make_room():
            yield event
        assert self._window is not None
        try:
            async with aclosing(self._ask(self._window)) as answer:
                async for delta in answer:
                    yield delta
            return
        except ContextExceeded:
            if self._said or not self._shrink(self._window):
                raise
        yield Warned(text=words("turn", "too long", self._wording, sent=self._window.tokens, window=self._material.window))
        for event in await self._make_room():
            yield event
        async with aclosing(self._ask(self._window)) as answer:
            async for delta in answer:
                yield delta

    def _shrink(self, refused: Window) -> bool:
        """Take the model's window for smaller than what was refused, for the rest of this turn; False if that cannot be."""
        material = self._material
        window = int((refused.tokens + (material.reply or 0)) * SMALLER)
        if self._shrunk or window >= material.window:
            return False
        reply = material.reply if material.reply is not None else int(window * SMALLER_REPLY)
        smaller = replace(material, window=window, reply=reply)
        try:
            self._budget = budget_for(smaller)
        except InputError:
            return False  # the fixed parts alone would not fit: the refusal says more than this
        self._material, self._shrunk = smaller, True
        return True

    async def _ask(self, window: Window) -> AsyncGenerator[TextDelta, None]:
        self._calls, self._finished = [], None
        request = ModelRequest(
            messages=window.messages,
            tools=window.tools,
            max_tokens=self._settings.reply_tokens,
            temperature=self._settings.temperature,
            notes=window.hits,
        )
        answer = self._parts.model.stream(request)
        try:
            async for event in answer:
                if isinstance(event, TextDelta):
                    self._said += event.text
                    yield event
                elif isinstance(event, ToolCall):
                    self._calls.append(event)
                else:
                    self._finished = event
        finally:
            close = getattr(answer, "aclose", None)
            if close is not None:
                with anyio.CancelScope(shield=True):
                    await close()

    def _warnings_after_answer(self) -> list[str]:
        """Count what the answer took; returns what is to be told of it."""
        assert self._window is not None
        warnings = self._count_usage(self._window)
        if self._material.tools and not self._parts.model.supports_tools:
            self._material = replace(self._material, tools=())
            warnings.append(words("turn", "no tools", self._wording, model=self._parts.model.name))
        return warnings

    def _count_usage(self, window: Window) -> list[str]:
        """Add up what the endpoint reported, or our own counts; returns what is odd about it."""
        usage = self._finished.usage if self._finished else Usage()
        total = self._usage
        reported = usage.input_tokens > 0
        written = count(self._said) + sum(count(call.arguments) for call in self._calls)
        self._usage = Usage(
            calls=total.calls + 1,
            input_tokens=total.input_tokens + (usage.input_tokens if reported else window.tokens),
            output_tokens=total.output_tokens + (usage.output_tokens if reported else written),
            cached_tokens=total.cached_tokens + usage.cached_tokens,
            estimated=total.estimated or usage.estimated or not reported,
        )
        # Some endpoints count what they had cached apart.
        read = usage.input_tokens + usage.cached_tokens
        if reported and not usage.estimated and read < LEAST_READ * window.tokens and total.calls == 0:
            return [words("turn", "read less", self._wording, read=read, sent=window.tokens)]
        return []

    # --- its calls -----------------------------------------------------------------------------------------------------

    async def _run_calls(self, material: Material) -> AsyncGenerator[Event, None]:
        session, window = self._session, self._parts.model.context_window
        calls = _distinct(self._calls, self._parts)
        await self._append_calls(calls)
        caller = Caller(
            parts=self._parts,
            scope=session.scope,
            session=session.session,
            agent=session.agent,
            window_start=material.repaired[0].seq,
            max_tokens=min(NOTES_TOKENS, int(window * NOTES_SHARE)),
            wording=material.prefix_wording,
        )
        for place, call in enumerate(calls):
            yield ToolCalled(call=call)
            if place < MOST_CALLS:
                result = await execute(call, caller)
            else:
                result = ToolResult(text=words("tools", "too many calls", caller.wording, most=MOST_CALLS), ok=False)
            self._results.append(result.text)
            if result.warning:
                yield Warned(text=result.warning)
            yield ToolReturned(call=call, result=result.text, ok=result.ok)
        await self._append_results()

    async def _append_calls(self, calls: Sequence[ToolCall]) -> None:
        written = [{"id": call.id, "function": {"name": call.name, "arguments": call.arguments}} for call in calls]
        said, self._said = self._said, ""
        made = self._draft("assistant", said, findable=bool(said.strip()), tool_calls=written)
        with anyio.CancelScope(shield=True):
            appended = await self._session.append([made])
        self._open, self._results, self._appended = list(calls), [], [one.message for one in appended]

    async def _append_results(self) -> None:
        calls, self._open = self._open, []
        missing = [words("window", "interrupted call", self._wording)] * (len(calls) - len(self._results))
        drafts = [
            self._draft("tool", text, findable=False, tool_call_id=call.id)
            for call, text in zip(calls, [*self._results, *missing], strict=True)
        ]
        with anyio.CancelScope(shield=True):
            self._appended += [one.message for one in await self._session.append(drafts)]

    # --- the end -------------------------------------------------------------------------------------------------------

    async def _finish(self) -> AsyncIterator[Event]:
        reason = _reason(self._finished)
        text, kept = self._said, None
        if self._calls:
            reason, text = "tool_rounds", words("turn", "tool rounds", self._wording, rounds=self._settings.max_rounds)
            yield TextDelta(text=text)
        if text.strip():
            kept = await self._append_reply(text, findable=not self._calls)
        else:
            yield Warned(text=words("turn", "no answer", self._wording))
        await self._account(text, kept)
        parts = self._window.parts if self._window else {}
        yield TurnFinished(text=text, message=kept, reason=reason, usage=self._usage, window=parts)

    async def _account(self, reply: str, kept: str | None) -> None:
        """Count the use of the records that were shown, and note what the turn was given."""
        if self._recalled is None:
            return
        session, hits = self._session, self._recalled.hits
        shown = [hit.id for hit in hits if hit.kind != "message"]
        if shown:
            await self._parts.store.mark_used(session.scope, shown, at=self._parts.now())
        if session.worker is not None:
            line = answered(
                self._recalled.query,
                hits,
                reply,
                model=self._parts.model.name,
                at=self._parts.now(),
                session=session.session,
                messages=[id for id in (self._message.id, kept) if id],
            )
            session.worker.note(session.scope, line)

    async def _append_reply(self, text: str, *, findable: bool = True) -> str:
        # Forgotten before it is written: a turn cut short right here must not write it a second time.
        self._said = ""
        made = self._draft("assistant", text, findable=findable)
        with anyio.CancelScope(shield=True):
            (appended,) = await self._session.append([made])
        return appended.message.id

    def _draft(self, role: str, text: str, *, findable: bool, **fields: Any) -> Draft:
        made = draft({"role": role, "content": text, **fields}, parts=self._parts, agent=self._session.agent)
        # What a search found, or a model quoted from memory, must not be found again as if somebody had said it anew.
        return made if findable and not self._parts.model.echoes_memory else replace(made, indexing=Indexing())


def _reason(finished: ModelFinished | None) -> FinishReason:
    return "stop" if finished is None or finished.reason == "tool_calls" else finished.reason


def _distinct(calls: Sequence[ToolCall], parts: Parts) -> tuple[ToolCall, ...]:
    """The calls of one reply with ids that can be kept and told apart, and with names."""
    distinct: dict[str, ToolCall] = {}
    for call in calls:
        usable = _CALL_ID.fullmatch(call.id) and call.id not in distinct
        id = call.id if usable else parts.new_id()
        distinct[id] = replace(call, id=id, name=clean(call.name).strip() or "unknown")
    return tuple(distinct.values())
