"""Folds in the background what was evicted from a session's window into its running summary: jobs of kind "summarise"."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pagefile.context.render import summary_room
from pagefile.errors import ModelError, ModelUnavailable
from pagefile.lifecycle.running_summary import LEAST_PORTION, excerpt, first_portion, portion_tokens, told, wording_for, written
from pagefile.lifecycle.screen import screen
from pagefile.messages import Message, SessionInfo
from pagefile.parts import Parts
from pagefile.ports import Job, Model, NewJob
from pagefile.prompts import Wording
from pagefile.receipts import Resident
from pagefile.records import Scope
from pagefile.runner import OUTAGE_ATTEMPTS
from pagefile.spending import Spending

logger = logging.getLogger(__name__)

SUMMARISE = "summarise"
#: So many times a model may fail to write a summary that can be used, with a smaller portion each time; then sentences are taken.
MODEL_ATTEMPTS = 4
#: Messages that are looked at for one portion.
_PAGE = 200


@dataclass(frozen=True, slots=True)
class _Portion:
    """The next messages that are to be folded in."""

    #: What may be told of them.
    messages: Sequence[Message]
    #: Ids of those.
    ids: Sequence[str]
    #: The summary covers everything up to this sequence number then.
    to: int
    wording: Wording


class Summariser:
    """Does the jobs. One is one call of a model; what is left after it is a job of its own.

    What fails leaves the summary as it was, and the job waits for another try.
    """

    kinds: tuple[str, ...] = (SUMMARISE,)
    max_attempts = MODEL_ATTEMPTS + 2
    ahead = timedelta()
    #: A slow model may take minutes for its call.
    at_once = 1

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._spending = Spending(parts)

    def portion(self, waiting: Sequence[Job]) -> int:
        return 1

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            await self._fold(job.scope, job.payload["session"], job.attempts)

    async def _fold(self, scope: Scope, session: str, attempts: int) -> None:
        info = await self._parts.store.session(scope, session)
        if info is None or info.summarised_to >= info.window_start - 1:
            return
        model = await self._spending.model(scope)
        portion = await self._portion(scope, info, model, attempts)
        try:
            summary = await self._summary(scope, info.summary, portion, model)
        except ModelError as error:
            if attempts < (OUTAGE_ATTEMPTS - 1 if isinstance(error, ModelUnavailable) else MODEL_ATTEMPTS):
                raise
            logger.warning("the model could not summarise what left a window, so sentences of it are taken: %s", error)
            summary = await self._summary(scope, info.summary, portion, None)
        kept = await self._parts.store.set_summary(scope, session, summary=summary, to=portion.to, instead_of=info.summary, of=portion.ids)
        if not kept:
            # What it tells of was erased, or another program was faster: what is there now decides what is left to do.
            logger.info("a running summary came too late; it is made anew")
        if not kept or portion.to < info.window_start - 1:
            await self._parts.store.enqueue(scope, [summarise_job(session)])

    async def _summary(self, scope: Scope, old: str | None, portion: _Portion, model: Model | None) -> str | None:
        limit = summary_room(self._parts.model.context_window, portion.wording)
        if not portion.messages or limit <= 0:
            return old
        if model is None:
            return await asyncio.to_thread(excerpt, old, portion.messages, limit=limit, wording=portion.wording)
        async with self._spending.one_call(scope) as spent:
            text = await written(model, old, portion.messages, limit=limit, wording=portion.wording, spent=spent)
        if text is None:
            raise ModelError(f"what {model.name} wrote cannot be the summary of a conversation; the one there is stays")
        return text

    async def _portion(self, scope: Scope, info: SessionInfo, model: Model | None, attempts: int) -> _Portion:
        end = info.window_start - 1
        page = await self._parts.store.messages(scope, info.session, after=str(info.summarised_to), limit=_PAGE)
        found = [message for message in page.items if message.seq <= end]
        # In a thread: long messages take longer than others on this event loop should wait.
        spoken = await asyncio.to_thread(self._told, found)
        wording = wording_for(info.summary, spoken)
        to = end if page.cursor is None or len(found) < len(page.items) else found[-1].seq
        taken = spoken
        if model is not None:
            limit = summary_room(model.context_window, wording)
            # Half as much each time: the endpoint's window may be smaller than we know.
            room = portion_tokens(model.context_window, limit, wording) >> (attempts - 1)
            taken = await asyncio.to_thread(first_portion, spoken, max(LEAST_PORTION, room), wording)
        if len(taken) < len(spoken):
            to = taken[-1].seq
        return _Portion(messages=taken, ids=[message.id for message in taken], to=to, wording=wording)

    def _told(self, messages: Sequence[Message]) -> list[Message]:
        """What may be told of messages: no notes of a memory, no secrets, nothing that no longer holds."""
        holding = [message.holding for message in messages]
        texts = {each.message: each.text for each in screen(holding, owner=(), zone=self._parts.zone)}
        return told(holding, texts, assistant=not self._parts.model.echoes_memory)


def summarise_job(session: str) -> NewJob:
    """The job that folds into the running summary what was evicted from a session; asked for as often as one likes, it is done once."""
    return NewJob(kind=SUMMARISE, payload={"session": session}, once=session)


def lacks_summary(info: Resident) -> bool:
    """Whether a session has no summary though messages left its window: none was made yet, or it went with one that was erased."""
    return info.window_start > 1 and not info.summarised_to
