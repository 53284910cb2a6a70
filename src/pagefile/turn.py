"""One chat turn: recall, ask the model, run its calls, bring what it said into the journal, and tell each step as an event."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import anyio

from pagefile.calling import Calling, outgoing
from pagefile.compactor import compact_if_full
from pagefile.context.assemble import Material, Window, assemble, budget_for, shown_in_part
from pagefile.context.budget import Budget
from pagefile.context.pressure import relieve
from pagefile.conversation import Conversation
from pagefile.errors import ContextExceeded, InputError
from pagefile.events import (
    Event,
    Evicted,
    FinishReason,
    Limit,
    LimitReached,
    Pressure,
    Recalled,
    TextDelta,
    TurnFinished,
    Usage,
    Warned,
)
from pagefile.holding import Hold
from pagefile.language.tokens import count
from pagefile.messages import Message, ToolCall
from pagefile.operations import answered
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest, NewJob
from pagefile.prompts import Wording, words
from pagefile.recalling import Needed, recalled_for, what_is_needed
from pagefile.rules import rules_hash
from pagefile.summariser import lacks_summary, summarise_job
from pagefile.tools import AnyTool
from pagefile.tools.limits import Allowance, Limits
from pagefile.window import blocks_for, offered_tools, with_tools

#: A request that is refused as too long is made anew for a window of this share of it, in which less is kept free for the reply.
SMALLER = 0.75
SMALLER_REPLY = 0.1
#: An endpoint that reports fewer tokens read than this share of our count has cut what it was sent; counts differ by less.
LEAST_READ = 0.4


class Turn:
    """One turn of a session: what was said and called so far, and what of it is not yet in the journal."""

    def __init__(self, session: Conversation, message: Message, *, hold: Hold, about: str | None = None) -> None:
        """``message``: what is to be answered, or the event that wakes the model; ``about``: what such an event tells. ``hold`` ends with
        the reply."""
        self._session = session
        self._hold = hold
        self._parts = session.parts
        self._settings = settings = session.settings
        self._message = message
        self._about = about
        self._wording: Wording = "en"
        self._usage = Usage()
        self._allowance = Allowance(
            Limits(
                rounds=settings.max_rounds,
                searches=settings.max_searches,
                repeats=settings.max_repeats,
                seconds=settings.turn_seconds,
                tokens=settings.turn_tokens,
            ),
            began=time.monotonic(),
        )
        # What the model is shown, as it stands now, and the window that was last made of it.
        self._material: Material
        self._budget: Budget
        self._window: Window | None = None
        self._finished: ModelFinished | None = None
        self._shrunk = False
        self._paid = False
        self._recalled: Recalled | None = None
        self._tools: tuple[AnyTool, ...] = ()
        # Not yet in the journal: words to the person, and what the model thought by itself.
        self._said = ""
        self._thought = ""
        self._calls: list[ToolCall] = []
        self._calling = Calling(session, self._allowance, answers=message.id)
        # Words to the person that went beside calls, and their message.
        self._sent: list[str] = []
        self._sent_in: str | None = None
        # Asked of background work with the reply, in one transaction.
        self._to_do: tuple[NewJob, ...] = ()
        #: Whether the model is to be asked again.
        self._goes_on = False
        #: This is the last answer, without tools.
        self._is_last = False

    async def events(self) -> AsyncGenerator[Event, None]:
        """The turn, after the user's message is in the journal."""
        material, needed = await self._gather()
        self._material = material
        self._wording, self._calling.wording = material.trailing_wording, material.prefix_wording
        try:
            budget = self._budget = budget_for(material)
        except InputError as error:
            yield Warned(text=str(error))
            yield TurnFinished(text=str(error), message=None, reason="error", usage=self._usage, window={})
            return
        if shown_in_part(material, budget):
            yield Warned(text=words("turn", "message in part", self._wording, tokens=self._message.tokens))
        recalled, warnings = await recalled_for(self._session, material, budget, needed)
        for warning in warnings:
            yield Warned(text=warning)
        yield recalled
        self._material, self._recalled = replace(material, hits=recalled.hits), recalled
        async with aclosing(self._rounds()) as rounds:
            async for event in rounds:
                yield event
        async for event in self._finish():
            yield event

    async def _rounds(self) -> AsyncGenerator[Event, None]:
        """Ask the model and run its calls until it is done, or has used up what a turn may use: then it answers once more without tools,
        if there is time for that."""
        self._goes_on = True
        while self._goes_on:
            async with aclosing(self._round()) as happened:
                async for event in happened:
                    yield event
            if limit := self._allowance.hit:
                yield LimitReached(limit=limit, text=self._words_for(limit))
                wants_more, self._is_last, self._goes_on = self._goes_on, True, False
                if wants_more and limit not in ("seconds", "tokens"):
                    self._tell_it_is_the_last()
                    async with aclosing(self._round()) as happened:
                        async for event in happened:
                            yield event
        if self._has_said_nothing():
            self._tell_it_is_the_last()
            self._is_last = True
            async with aclosing(self._round()) as happened:
                async for event in happened:
                    yield event

    def _has_said_nothing(self) -> bool:
        """Whether a model that has called tools has no word for the person who waits for one."""
        is_asked = self._message.role == "user" and not self._is_last and not self._allowance.hit
        return is_asked and not (self._said.strip() or self._sent) and self._material.messages[-1].role == "tool"

    async def _round(self) -> AsyncGenerator[Event, None]:
        """Ask the model once, and run the calls it makes."""
        async with aclosing(self._ask_in_room()) as answer:
            async for event in answer:
                yield event
        for warning in self._warnings_after_answer():
            yield Warned(text=warning)
        if not self._calls and self._thought.strip():
            # It was to speak by a call. What else it wrote is its answer.
            self._said, self._thought = self._thought, ""
            yield TextDelta(text=self._said)
        self._goes_on = False
        if not self._calls:
            return
        sent = outgoing(self._calls, self._tools, self._allowance)
        for text in sent.texts:
            delta = f"\n\n{text}" if self._said or self._sent else text
            self._said += delta if self._said else text
            yield TextDelta(text=delta)
        if sent.calls:
            async with aclosing(self._run(sent.calls)) as happened:
                async for event in happened:
                    yield event
            self._goes_on = self._is_to_go_on(sent.heartbeat)
            if self._goes_on:
                self._allowance.ends_round()

    async def _run(self, calls: tuple[ToolCall, ...]) -> AsyncGenerator[Event, None]:
        """Run the calls of an answer, and show the model what they came to."""
        used = self._usage.input_tokens + self._usage.output_tokens
        self._allowance.asked(tokens=used, now=time.monotonic())
        said, thought, self._said, self._thought = self._said, self._thought, "", ""
        kept_in = await self._calling.begin(calls, said, thought)
        if said.strip():
            self._sent.append(said)
            self._sent_in = kept_in
        async with aclosing(self._calling.run(self._material, self._tools)) as happened:
            async for event in happened:
                yield event
        self._material = replace(self._material, messages=(*self._material.messages, *self._calling.appended))
        self._budget = budget_for(self._material)

    @property
    def _speaks_by_call(self) -> bool:
        """Whether only what it gives to a call reaches the person."""
        return not self._is_last and self._has_voice

    @property
    def _has_voice(self) -> bool:
        return any(tool.says for tool in self._tools)

    def _is_to_go_on(self, heartbeat: bool) -> bool:
        """Whether the model is to be asked again after its calls: in the one style when it asks for it or a call failed, in the other
        unless it says that it is done and has answered, or nobody waits for an answer."""
        if self._speaks_by_call:
            return heartbeat or self._calling.heartbeat
        has_answered = bool(self._sent) or self._message.role != "user"
        return not (self._calling.ended and has_answered)

    def _words_for(self, limit: Limit) -> str:
        settings = self._settings
        most = {
            "rounds": settings.max_rounds,
            "searches": settings.max_searches,
            "repeats": settings.max_repeats,
            "seconds": f"{settings.turn_seconds or 0:g}",
            "tokens": settings.turn_tokens,
        }
        return words("turn", limit, self._wording, most=most[limit])

    def _tell_it_is_the_last(self) -> None:
        """Say under the last result that no more calls can be made. The journal has the result alone."""
        *before, last = self._material.messages
        note = words("tools", "last answer", self._calling.wording)
        told = replace(last, text=f"{last.text}\n\n{note}", tokens=last.tokens + count(note) + 2)
        self._material = replace(self._material, messages=(*before, told))
        self._budget = budget_for(self._material)

    async def settle(self) -> None:
        """Bring into the journal what is not there yet, so that nothing that was said is lost and no call stays without a result."""
        self._pay()
        await self._calling.settle()
        said = self._said if self._said.strip() else self._thought
        if said.strip():
            await self._append_reply(f"{said}\n\n{words('turn', 'interrupted', self._wording)}")

    # --- before the model is asked -------------------------------------------------------------------------------------

    async def _gather(self) -> tuple[Material, Needed]:
        session = self._session
        resident = await self._parts.store.resident(session.scope, session.session, session.agent)
        messages = resident.messages
        if all(message.id != self._message.id for message in messages):
            messages = (self._message,)  # taken out of the window meanwhile; it is to be answered all the same
        material = Material(
            messages=messages,
            answering=self._message.id,
            window=self._parts.model.context_window,
            reply=self._settings.reply_tokens,
            instructions=self._settings.instructions,
            rules=self._settings.rules,
            summary=resident.summary,
            now=self._parts.now().astimezone(self._parts.zone),
            wording=self._settings.wording,
            prefix=self._settings.wording or await session.first_wording(resident),
            images=self._settings.images,
        )
        blocks = await blocks_for(self._parts, session.scope, session.agent, material.prefix_wording, resident.blocks)
        if session.worker is not None:
            if lacks_summary(resident):
                self._to_do = (summarise_job(session.session),)
            await compact_if_full(self._parts, session.scope, session.agent, blocks)
        material = replace(material, blocks=blocks)
        needed = what_is_needed(session, material, about=self._about)
        self._tools = offered_tools(self._parts, material, self._settings, mount=needed.tools)
        return with_tools(material, self._tools, self._settings), needed

    async def _make_room(self) -> list[Event]:
        """Evict what the window has no room for, or warn that it soon will; then make the window."""
        happened = list[Event]()
        if relief := relieve(self._material, self._budget):
            self._material = relief.material
            happened = [Pressure(level=relief.level, used=relief.used, limit=relief.limit)]
            if relief.level == "evict":
                session, start = self._session, relief.window_start
                jobs = [summarise_job(session.session)] if session.worker is not None else []
                await self._parts.store.set_window(session.scope, session.session, window_start=start, jobs=jobs)
                happened.append(Evicted(messages=relief.messages, tokens=relief.tokens, window_start=start))
        self._window = assemble(self._material, self._budget)
        if self._window.report.blocks_cut and self._session.first_time("blocks in part"):
            happened.append(Warned(text=words("turn", "blocks in part", self._wording)))
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
        self._calls, self._finished, self._thought = [], None, ""
        request = ModelRequest(
            messages=window.messages,
            # What stands before the messages stays as it is, byte for byte: it is cached.
            tools=() if self._is_last else window.tools,
            withheld=[tool.name for tool in window.tools] if self._is_last else (),
            max_tokens=self._settings.reply_tokens,
            temperature=self._settings.temperature,
            notes=window.hits,
        )
        answer = self._parts.model.stream(request)
        try:
            async with aclosing(self._in_time(answer)) as events:
                async for event in events:
                    if isinstance(event, TextDelta) and self._speaks_by_call:
                        self._thought += event.text
                    elif isinstance(event, TextDelta):
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
        if self._is_last or self._allowance.hit == "seconds":
            # Nothing that was called for without tools, or in half an answer, is done.
            self._calls = []

    async def _in_time(self, answer: AsyncIterator[ModelEvent]) -> AsyncGenerator[ModelEvent, None]:
        """The model's answer, until the time of the turn is over."""
        if self._settings.turn_seconds is None:
            async for event in answer:
                yield event
            return
        while True:
            # No wider: whoever reads the events may take as long as he likes.
            with anyio.move_on_after(self._allowance.seconds_left(time.monotonic())) as scope:
                try:
                    event = await anext(answer)
                except StopAsyncIteration:
                    return
            if scope.cancelled_caught:
                self._allowance.hits("seconds")
                return
            yield event

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

    # --- the end -------------------------------------------------------------------------------------------------------

    async def _finish(self) -> AsyncIterator[Event]:
        limit, kept = self._allowance.hit, self._sent_in
        text = self._said if self._said.strip() else ""
        # What went beside calls is an answer if the model speaks by calls, or said that it is done.
        sent = "\n\n".join(self._sent) if self._has_voice or self._calling.ended else ""
        said = text
        if limit and (not (text or sent) or limit in ("seconds", "tokens")):
            excuse = self._words_for(limit)
            yield TextDelta(text=f"\n\n{excuse}" if text or self._sent else excuse)
            text = f"{text}\n\n{excuse}" if text else excuse
        if said:
            # Without our excuse: a model that reads it as its own words says it again.
            kept = await self._append_reply(said)
        text = text if not sent else f"{sent}\n\n{text}" if text else sent
        if not text and self._message.role == "user":
            yield Warned(text=words("turn", "no answer", self._wording))
        self._account(text, kept)
        self._pay()
        yield TurnFinished(
            text=text,
            message=kept if text else None,
            reason="limit" if limit else _reason(self._finished),
            usage=self._usage,
            window=self._window.parts if self._window else {},
            recall_seconds=self._recalled.seconds if self._recalled else 0.0,
        )

    def _account(self, reply: str, kept: str | None) -> None:
        """Count the use of the records that were shown, and note what the turn was given."""
        if self._recalled is None:
            return
        session, hits = self._session, self._recalled.hits
        shown = [hit.id for hit in hits if hit.kind != "message"]
        if session.worker is not None:
            session.worker.used(session.scope, shown)
            line = answered(
                self._recalled.query,
                hits,
                reply,
                model=self._parts.model.name,
                at=self._parts.now(),
                session=session.session,
                messages=[id for id in (self._message.id, kept) if id],
                rules=rules_hash(self._settings.rules),
            )
            session.worker.note(session.scope, line)

    def _pay(self) -> None:
        """Add what the model took to the costs of the day, once; nothing where nobody is to know of the conversation."""
        if self._session.worker is not None and not self._paid:
            self._paid = True
            # A model that answers from memory alone costs nothing.
            if self._usage.calls and not self._parts.model.echoes_memory:
                self._session.worker.pay(self._session.scope, self._usage)

    async def _append_reply(self, text: str) -> str | None:
        """Returns the message's id; None: what it answers was erased meanwhile, and it with that."""
        # Forgotten before it is written: a turn cut short right here must not write it a second time.
        self._said = self._thought = ""
        made = self._session.draft("assistant", text, findable=True)
        with anyio.CancelScope(shield=True):
            (appended,) = await self._session.append([made], lease=self._hold.ending(), answers=self._message.id, jobs=self._to_do)
            if appended.outcome != "erased":
                self._hold.ended()
        return appended.message.id if appended.outcome != "erased" else None


def _reason(finished: ModelFinished | None) -> FinishReason:
    return "stop" if finished is None or finished.reason == "tool_calls" else finished.reason
