"""Learns from what was said: jobs of kind "learn" (by rules, at once) and "extract" (by a model, now and then, within a budget)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pagefile.costs import Spent
from pagefile.errors import ConflictError, ModelError, ModelRefused, ModelUnavailable, StoreError
from pagefile.language.keys import fact_key
from pagefile.language.text import fold
from pagefile.lifecycle.extract import Extraction, extract
from pagefile.lifecycle.facts import USER, Claim, Utterance
from pagefile.lifecycle.recalled import may_repeat
from pagefile.lifecycle.rules import find_claims
from pagefile.lifecycle.screen import screen
from pagefile.messages import Draft, Message
from pagefile.parts import LearnSettings, Parts
from pagefile.ports import Job, NewJob, Operation, Progress
from pagefile.queries import Where
from pagefile.receipts import Unread
from pagefile.recorder import Recorder
from pagefile.records import Record, Scope
from pagefile.runner import CLAIM, TooEarly
from pagefile.upkeep import nightly

logger = logging.getLogger(__name__)

LEARN = "learn"
EXTRACT = "extract"
#: Names of the two readers in ``Progress``.
BY_RULES = "rules"
BY_MODEL = "model"

#: Reading waits until nothing was said for this long, so that it is in nobody's way, …
SETTLED = timedelta(seconds=1)
#: … but for no longer than this. A search does not wait for it: what was just said is read before it.
LATEST = timedelta(seconds=10)
#: What a model's reply could not be understood for is read again after this.
ASIDE = timedelta(minutes=1)
#: Messages read at once, and by whom how many before them, which help to understand them.
BATCH = 100
CONTEXT = {BY_RULES: 4, BY_MODEL: 6}
#: Claims of one message that are believed at most: whoever states more at once has pasted something.
MOST_CLAIMS = 12
#: Turns whose recalled notes are known again when somebody repeats them.
_TURNS = 60
_LINES_A_TURN = 6
#: What was superseded or forgotten meanwhile is still what the next message answers.
_READABLE = Where(statuses=("current", "superseded"))


class Learner:
    """Reads new messages by rules. It needs no model, and is done milliseconds after they were said."""

    kinds: tuple[str, ...] = (LEARN,)
    max_attempts = 10
    ahead = SETTLED
    at_once = CLAIM

    def __init__(self, parts: Parts, recorder: Recorder, put_aside: Callable[[], None] = lambda: None) -> None:
        """``put_aside`` is told when there is another job, of what could not be read."""
        self._parts = parts
        self._recorder = recorder
        self._put_aside = put_aside

    def portion(self, waiting: Sequence[Job]) -> int:
        return 1

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            if "ids" in job.payload:
                await self._again(job.scope, job.payload["ids"])
            else:
                await self._session(job, hurry=hurry)

    async def _session(self, job: Job, *, hurry: bool) -> None:
        """Read what was said in a session since it was last read."""
        scope, session, read = job.scope, job.payload["session"], ""
        while batch := (unread := await next_batch(self._parts, scope, session, BY_RULES)).messages:
            read = _not_again(batch, read)
            now, settled_at = self._parts.now(), batch[-1].recorded_at + SETTLED
            if not hurry and now < min(settled_at, batch[0].recorded_at + LATEST):
                raise TooEarly(settled_at)
            await self._read(scope, session, batch, unread.context)
            if len(batch) < BATCH:
                # What is said from now on has a job of its own.
                return

    async def _read(self, scope: Scope, session: str, batch: Sequence[Message], before: Sequence[Message]) -> None:
        """Learn from a batch. A message that makes this fail is put aside as a job of its own, so that it keeps no other one waiting."""
        progress = Progress(session=session, name=BY_RULES, seq=batch[-1].seq, message=batch[-1].id)
        try:
            claims = await self._claims(scope, session, batch, before)
            await self._recorder.learn(scope, claims, actor="worker", progress=progress, jobs=await self._follow_up(scope, session))
        except (StoreError, ConflictError):
            raise
        except Exception:
            if len(batch) > 1:
                for place, message in enumerate(batch):
                    await self._read(scope, session, [message], [*before, *batch[:place]][-CONTEXT[BY_RULES] :])
                return
            logger.exception("a message could not be read; it is put aside and tried again")
            aside = NewJob(kind=LEARN, payload={"ids": [batch[0].id]})
            await self._recorder.learn(scope, (), actor="worker", progress=progress, jobs=[aside, *await self._follow_up(scope, session)])
            self._put_aside()

    async def _follow_up(self, scope: Scope, session: str) -> list[NewJob]:
        learning, now = self._parts.learning, self._parts.now()
        jobs = [nightly(now.astimezone(self._parts.zone))]
        if learning.by == "model":
            idle_at = now + timedelta(seconds=learning.idle_seconds)
            jobs.append(NewJob(kind=EXTRACT, payload={"session": session}, once=session, ready_at=idle_at))
            if is_full((await next_batch(self._parts, scope, session, BY_MODEL)).messages, learning):
                # The other one waits until nobody speaks.
                jobs.append(NewJob(kind=EXTRACT, payload={"session": session}, once=f"full {session}"))
        return jobs

    async def _again(self, scope: Scope, ids: Sequence[str]) -> None:
        """Read some messages once more, each by itself: what was learnt from them was erased together with another one, or they could not
        be read."""
        for message in await self._parts.store.get(scope, ids):
            if isinstance(message, Message) and not message.retired:
                before = await _said_before(self._parts, scope, message.session, message.seq, BY_RULES)
                claims = await self._claims(scope, message.session, [message], before)
                await self._recorder.learn(scope, claims, actor="worker")
                if self._parts.learning.by == "model":
                    payload = {"ids": [message.id], "session": message.session}
                    await self._parts.store.enqueue(scope, [NewJob(kind=EXTRACT, payload=payload)])

    async def _claims(self, scope: Scope, session: str, messages: Sequence[Message], before: Sequence[Message]) -> list[Claim]:
        screened = await _screening(self._parts, scope, session, messages, before, BY_RULES)
        return await asyncio.to_thread(lambda: _at_most(find_claims(screened())))


class ModelLearner:
    """Lets a model read new messages: one call for a batch, when nobody speaks or much was said, within a budget a day."""

    kinds: tuple[str, ...] = (EXTRACT,)
    max_attempts = 5
    #: A job is one batch, of two calls at most: a slow model may take minutes for them.
    at_once = 1

    def __init__(self, parts: Parts, recorder: Recorder) -> None:
        self._parts = parts
        self._recorder = recorder
        self.ahead = timedelta(seconds=parts.learning.idle_seconds)

    def portion(self, waiting: Sequence[Job]) -> int:
        return 1

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            if "ids" in job.payload:
                await self._again(job)
            else:
                await self._session(job.scope, job.payload["session"], hurry=hurry)

    async def _session(self, scope: Scope, session: str, *, hurry: bool) -> None:
        """Read the next batch of a session; what comes after it is another job, behind those of others."""
        unread = await next_batch(self._parts, scope, session, BY_MODEL)
        if not (batch := unread.messages):
            return
        if not hurry:
            self._wait_for_more(batch)
        try:
            extraction, shown, left = await self._extracted(scope, session, batch, unread.context)
        except ModelRefused as error:
            # Asked the same again the endpoint refuses again: it must not keep what is said later from being read.
            logger.warning("the model refused to read a part of a session; it is put aside and tried again: %s", error)
            extraction, shown, left = Extraction(complete=False), [message.id for message in batch], []
        end = min((message.seq for message in batch if message.id in left), default=batch[-1].seq + 1)
        read = [message for message in batch if message.seq < end]
        # What could not be read waits by itself, so that it keeps nothing else waiting.
        jobs = [] if extraction.complete else [self._aside(session, shown)]
        if left or len(batch) == BATCH:
            jobs.append(NewJob(kind=EXTRACT, payload={"session": session}, once=f"more {session}"))
        progress = _read_to(session, read[-1]) if read else None
        await self._recorder.learn(scope, _at_most(extraction.claims), actor=self._actor(), progress=progress, jobs=jobs)

    async def _again(self, job: Job) -> None:
        """Read messages once more whose first reading could not be understood. Raises ModelError if that is so again."""
        scope, session = job.scope, job.payload["session"]
        found = await self._parts.store.get(scope, job.payload["ids"])
        messages = [message for message in found if isinstance(message, Message) and not message.retired]
        first = min((message.seq for message in messages), default=1)
        before = await _said_before(self._parts, scope, session, first, BY_MODEL)
        try:
            extraction, _, unread = await self._extracted(scope, session, messages, before)
        except ModelRefused:
            if len(messages) <= 1:
                raise
            # One of them is what it refuses; the others can be read by themselves.
            await self._parts.store.enqueue(scope, [self._aside(session, [message.id]) for message in messages])
            return
        rest = [self._aside(session, unread)] if unread and extraction.complete else []
        await self._recorder.learn(scope, _at_most(extraction.claims), actor=self._actor(), jobs=rest)
        if not extraction.complete:
            raise ModelError(f"the reply of {self._parts.model.name} could not be read: {'; '.join(extraction.problems)[:300]}")

    async def _extracted(
        self, scope: Scope, session: str, messages: Sequence[Message], before: Sequence[Message]
    ) -> tuple[Extraction, list[str], list[str]]:
        """What the model makes of these messages; ids of those it was shown, and of those that did not fit."""
        utterances = await utterances_of(self._parts, scope, session, messages, before, BY_MODEL)
        extraction = await self._extract(scope, utterances)
        unread = dict.fromkeys(each.message for each in extraction.rest)
        read = dict.fromkeys(each.message for each in utterances if each.fresh and each.message not in unread)
        return extraction, list(read), list(unread)

    def _aside(self, session: str, ids: Sequence[str]) -> NewJob:
        return NewJob(kind=EXTRACT, payload={"ids": list(ids), "session": session}, ready_at=self._parts.now() + ASIDE)

    def _wait_for_more(self, batch: Sequence[Message]) -> None:
        """Raises TooEarly while the conversation goes on and little was said yet."""
        learning = self._parts.learning
        idle_at = batch[-1].recorded_at + timedelta(seconds=learning.idle_seconds)
        if self._parts.now() < idle_at and not is_full(batch, learning):
            raise TooEarly(idle_at)

    async def _extract(self, scope: Scope, utterances: Sequence[Utterance]) -> Extraction:
        now, learning, store = self._parts.now(), self._parts.learning, self._parts.store
        today = now.astimezone(self._parts.zone)
        spent = await store.spend(scope, today.date())
        if spent.calls >= learning.calls_a_day or spent.tokens >= learning.tokens_a_day:
            why = f"the budget of today for {scope.user!r} ({learning.calls_a_day} calls, {learning.tokens_a_day} tokens) is used up"
            raise TooEarly(_midnight_after(today), f"{why}; the model reads on after midnight")
        # Before it is made: a call that fails, or that this program does not live to see the end of, is paid for too.
        await store.spend(scope, today.date(), Spent(calls=1))
        try:
            extraction = await extract(self._parts.model, utterances, now=now)
        except ModelUnavailable:
            # Or a model that is away for an hour would use up the day.
            await store.spend(scope, today.date(), Spent(calls=-1))
            raise
        await store.spend(scope, today.date(), replace(Spent.of(extraction.usage), calls=extraction.calls - 1))
        if extraction.problems:
            self._recorder.tell(scope, read_with_problems(extraction, utterances, model=self._parts.model.name, at=now))
        return extraction

    def _actor(self) -> str:
        return f"model:{self._parts.model.name}"


def read_with_problems(extraction: Extraction, utterances: Sequence[Utterance], *, model: str, at: datetime) -> Operation:
    """The line of the operations log that tells what a model's answer lacked."""
    return Operation(
        kind="extract",
        parameters={"model": model},
        result={"claims": len(extraction.claims), "calls": extraction.calls, "problems": list(extraction.problems)},
        at=at,
        session=utterances[0].session if utterances else None,
        items=tuple(dict.fromkeys(utterance.message for utterance in utterances)),
    )


def learning_jobs(parts: Parts, session: str, drafts: Sequence[Draft]) -> tuple[NewJob, ...]:
    """The job that learns from these messages, to be enqueued with them."""
    if parts.learning.by == "off" or not any(draft.role in ("user", "tool") and draft.text.strip() for draft in drafts):
        return ()
    ready_at = drafts[-1].recorded_at + SETTLED
    return (NewJob(kind=LEARN, payload={"session": session}, once=session, ready_at=ready_at),)


def is_full(batch: Sequence[Message], learning: LearnSettings) -> bool:
    """Whether so much was said that a model is to read it at once."""
    return sum(message.tokens for message in batch) >= learning.batch_tokens


async def next_batch(parts: Parts, scope: Scope, session: str, reader: str) -> Unread:
    """The next messages of a session that this reader has not read, and a few that were said before them."""
    return await parts.store.unread(scope, session, reader, limit=BATCH, context=CONTEXT[reader])


async def _said_before(parts: Parts, scope: Scope, session: str, first: int, reader: str) -> list[Message]:
    """A few messages before the one with this number."""
    context = CONTEXT[reader]
    page = await parts.store.messages(scope, session, where=_READABLE, after=str(max(0, first - 1 - context)), limit=context)
    return [message for message in page.items if message.seq < first]


async def utterances_of(
    parts: Parts, scope: Scope, session: str, messages: Sequence[Message], before: Sequence[Message], reader: str
) -> tuple[Utterance, ...]:
    """Messages as an extractor reads them, after a few that were said before them."""
    return await asyncio.to_thread(await _screening(parts, scope, session, messages, before, reader))


async def _screening(
    parts: Parts, scope: Scope, session: str, messages: Sequence[Message], before: Sequence[Message], reader: str
) -> Callable[[], tuple[Utterance, ...]]:
    """What makes utterances of the messages. To be called in a thread: a batch of long ones takes longer than others on this event loop
    should wait."""
    first = min((message.seq for message in messages), default=1)
    read = [each for each in (*before, *messages) if each.learnable]
    # Whose words they are is asked only of those that carry a name.
    owner = await _names_of_user(parts, scope) if any(each.speaker is not None for each in read) else frozenset()
    echoes = any(may_repeat(each.text) or (reader == BY_MODEL and each.role == "assistant") for each in messages)
    shown = await _notes_shown(parts, scope, session) if echoes else ()

    def screened() -> tuple[Utterance, ...]:
        utterances = screen(read, owner=owner, zone=parts.zone, shown=shown, fresh_from=first)
        # What an assistant says of itself is no fact for rules to find, and what is hidden is nothing to learn from: they help to
        # understand what is said next.
        hidden = {message.id for message in messages if message.superseded}
        return tuple(
            replace(each, fresh=False) if each.message in hidden or (reader == BY_RULES and each.role == "assistant") else each
            for each in utterances
        )

    return screened


async def _names_of_user(parts: Parts, scope: Scope) -> frozenset[str]:
    """The folded names under which the user may speak."""
    known = await parts.store.keyed(scope, [fact_key(USER, "name")])
    names = {record.value for record in known.records if record.status == "current" and record.value}
    return frozenset(fold(name) for name in (scope.user, *names))


async def _notes_shown(parts: Parts, scope: Scope, session: str) -> frozenset[str]:
    """Texts that were found for this session in its last turns, or in the last searches of the application."""
    # Between them stand the lines of what was added and written meanwhile.
    page = await parts.store.operations(scope, limit=_LINES_A_TURN * _TURNS)
    lines = [line for line in page.items if line.kind in ("turn", "recall") and line.session in (session, None)][:_TURNS]
    # A line may name thousands of messages.
    ids = {item for line in lines for item in set(line.items).difference(line.result.get("messages", ()))}
    items = await parts.store.get(scope, sorted(ids))
    return frozenset(item.text for item in items if isinstance(item, Record | Message))


def _not_again(batch: Sequence[Message], read: str) -> str:
    """The id of the first message of a batch. Raises ConflictError if it was read a moment ago: others keep it from being noted."""
    if batch[0].id == read:
        raise ConflictError("what was just read could not be noted, as the session is changed by others all the time")
    return batch[0].id


def _read_to(session: str, message: Message) -> Progress:
    return Progress(session=session, name=BY_MODEL, seq=message.seq, message=message.id)


def _midnight_after(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _at_most(claims: Sequence[Claim]) -> list[Claim]:
    """The claims in their order, of each message only the most important."""
    chosen: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda one: -one.importance):
        chosen.setdefault(claim.sources[0].message, []).append(claim)
    kept = {id(claim) for each in chosen.values() for claim in each[:MOST_CLAIMS]}
    return [claim for claim in claims if id(claim) in kept]
