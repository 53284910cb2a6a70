"""Keeps a memory in order, every night or on demand: puts away what is of no more use, merges what says the same, summarises, and
drops old lines of the operations log."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from pagefile.costs import Spent
from pagefile.errors import ModelError
from pagefile.events import Usage
from pagefile.language.keys import record_keys
from pagefile.lifecycle.consolidate import Diff, Merges, plan_merges, summarise
from pagefile.lifecycle.forget import Retirement, plan_tidy
from pagefile.lifecycle.screen import screen
from pagefile.messages import Message, SessionInfo
from pagefile.operations import prune
from pagefile.parts import Parts
from pagefile.ports import Job, NewJob, Progress
from pagefile.queries import Where
from pagefile.receipts import Keyed
from pagefile.recorder import Recorder
from pagefile.records import Cause, Change, HistoryEntry, Record, Retire, Scope, Status
from pagefile.retrieval.indexing import record_indexing

logger = logging.getLogger(__name__)

UPKEEP = "upkeep"
#: Nights until the next upkeep of a scope in which there was nothing to do.
QUIET_NIGHTS = 7
#: The name in ``Progress`` of what summarises old sessions.
BY_SUMMARIES = "summaries"
_ACTOR = "worker"
#: A session in which nothing was said for so long is an old episode …
OLD = timedelta(days=30)
#: … of which so many are summarised in one night.
EPISODES = 20
#: Messages of a session that a summary covers at most: the first and the last ones of a longer one.
_MESSAGES = 400
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What ``tidy`` put away, or would put away."""

    retired: tuple[Retirement, ...]
    #: Records above the capacity that must not be put away.
    over: int
    #: Empty after a dry run.
    entries: tuple[HistoryEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What ``consolidate`` made, or would make. Its "supersede" and "add" entries can be taken back with ``undo``."""

    diffs: tuple[Diff, ...]
    summaries: tuple[Record, ...]
    #: Empty after a dry run.
    entries: tuple[HistoryEntry, ...]


class Upkeep:
    """Does the upkeep of scopes: jobs of kind "upkeep", and the same on demand."""

    kinds: tuple[str, ...] = (UPKEEP,)
    max_attempts = 5
    ahead = timedelta()
    #: A night's work for one user may take a model minutes.
    at_once = 1

    def __init__(self, parts: Parts, recorder: Recorder) -> None:
        self._parts = parts
        self._recorder = recorder

    def portion(self, waiting: Sequence[Job]) -> int:
        return 1

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            await self.tidy(job.scope, dry_run=False)
            done = await self.consolidate(job.scope, dry_run=False)
            await prune(self._parts, job.scope)
            # Who says nothing any more still has what expires or is never confirmed; of a scope that is quiet it is enough now and then.
            nights = 1 if done.entries else QUIET_NIGHTS
            await self._parts.store.enqueue(job.scope, [nightly(self._today(), nights=nights)])

    async def tidy(self, scope: Scope, *, dry_run: bool) -> Tidied:
        """Put away what expired, was never confirmed, or is among the weakest above the capacity."""
        records = await self._records(scope, ("current", "pending"))
        plan = plan_tidy(records, now=self._parts.now())
        changes = [Retire(target=each.id, cause=self._cause(each.reason)) for each in plan.retire]
        going = {each.id for each in plan.retire}
        entries = () if dry_run else await self._write(scope, changes, [record for record in records if record.id in going])
        return Tidied(retired=plan.retire, over=plan.over, entries=entries)

    async def consolidate(self, scope: Scope, *, dry_run: bool) -> Consolidated:
        """Merge records that say the same, and summarise old sessions that were not summarised. What is done is written as it is done."""
        merges, merged = await self._merge(scope, dry_run=dry_run)
        summaries: list[Record] = []
        entries = [*merged]
        for info in await self._old_sessions(scope):
            messages, seq = await self._episode(scope, info)
            made = await self._summary(scope, messages) if messages else None
            summaries += [made] if made is not None else []
            if not dry_run:
                progress = Progress(session=info.session, name=BY_SUMMARIES, seq=seq)
                entries += (await self._recorder.note(scope, made, progress, self._cause("summarises an old session"))).entries
            if len(summaries) == EPISODES:
                break
        return Consolidated(diffs=merges.diffs, summaries=tuple(summaries), entries=tuple(entries))

    async def _merge(self, scope: Scope, *, dry_run: bool) -> tuple[Merges, tuple[HistoryEntry, ...]]:
        now, records = self._parts.now(), await self._records(scope, ("current",))
        merges = plan_merges(records, now=now, new_id=self._parts.new_id, actor=_ACTOR, index=record_indexing)
        merged = [record for diff in merges.diffs for record in diff.before]
        return merges, () if dry_run else await self._write(scope, merges.changes, merged)

    async def _write(self, scope: Scope, changes: Sequence[Change], decided_on: Sequence[Record]) -> tuple[HistoryEntry, ...]:
        """All of it, unless one of the records was changed since it was decided: then the next night will do."""

        def decide(known: Keyed) -> tuple[Sequence[Change], tuple[()]]:
            versions = {record.id: record.version for record in known.records}
            same = all(versions.get(record.id) == record.version for record in decided_on)
            return (changes if same else ()), ()

        keys = dict.fromkeys(key for record in decided_on for key in record_keys(record))
        return (await self._recorder.change(scope, decide, keys=tuple(keys))).entries if changes else ()

    async def _records(self, scope: Scope, statuses: tuple[Status, ...]) -> list[Record]:
        records: list[Record] = []
        after: str | None = None
        while True:
            page = await self._parts.store.records(scope, where=Where(statuses=statuses), after=after, limit=_PAGE)
            records += page.items
            if page.cursor is None:
                return records
            after = page.cursor

    async def _old_sessions(self, scope: Scope) -> list[SessionInfo]:
        """Sessions that ended long ago and have messages that no summary was made of, oldest first."""
        now, found = self._parts.now(), list[SessionInfo]()
        after: str | None = None
        while True:
            page = await self._parts.store.sessions(scope, after=after, limit=_PAGE)
            for info in page.items:
                if info.last_said_at <= now - OLD and await self._summarised(scope, info.session) < info.last_seq:
                    found.append(info)
            if page.cursor is None:
                return sorted(found, key=lambda info: info.last_said_at)
            after = page.cursor

    async def _summarised(self, scope: Scope, session: str) -> int:
        return (await self._parts.store.progress(scope, session)).get(BY_SUMMARIES, 0)

    async def _episode(self, scope: Scope, info: SessionInfo) -> tuple[list[Message], int]:
        """What was said in a session since it was last summarised, of much the beginning and the end; and how far that goes."""
        store, seq = self._parts.store, await self._summarised(scope, info.session)
        page = await store.messages(scope, info.session, after=str(seq), limit=_MESSAGES)
        messages = list(page.items)
        if page.cursor is not None:
            newest = await store.messages(scope, info.session, limit=_MESSAGES // 2, newest_first=True)
            first = newest.items[-1].seq
            messages = [message for message in messages[: _MESSAGES // 2] if message.seq < first] + list(reversed(newest.items))
        return messages, info.last_seq

    async def _summary(self, scope: Scope, messages: Sequence[Message]) -> Record | None:
        store, now, spent = self._parts.store, self._parts.now(), Spent()

        def told(usage: Usage) -> None:
            nonlocal spent
            spent = replace(Spent.of(usage), calls=1)

        model = self._parts.model if await self._may_spend(scope) else None
        messages = _screened(messages, self._parts.zone)
        try:
            return await summarise(model, messages, now=now, new_id=self._parts.new_id, told=told)
        except ModelError as error:
            logger.warning("the model could not summarise a session, so sentences of it are taken: %s", error)
            return await summarise(None, messages, now=now, new_id=self._parts.new_id)
        finally:
            if spent.calls:
                await store.spend(scope, self._today().date(), spent)

    async def _may_spend(self, scope: Scope) -> bool:
        learning = self._parts.learning
        if learning.by != "model":
            return False
        spent = await self._parts.store.spend(scope, self._today().date())
        return spent.calls < learning.calls_a_day and spent.tokens < learning.tokens_a_day

    def _cause(self, reason: str) -> Cause:
        return Cause(actor=_ACTOR, reason=reason, at=self._parts.now())

    def _today(self) -> datetime:
        return self._parts.now().astimezone(self._parts.zone)


def nightly(now: datetime, *, nights: int = 1) -> NewJob:
    """The upkeep of a scope in the coming night, or so many nights from now, in the zone of ``now``; asked for as often as one likes, it
    is done once."""
    night = now.replace(hour=3, minute=0, second=0, microsecond=0)
    first = night if now < night else night + timedelta(days=1)
    return NewJob(kind=UPKEEP, once="nightly", ready_at=first + timedelta(days=nights - 1))


def _screened(messages: Sequence[Message], zone: tzinfo) -> list[Message]:
    """What may be learnt from of these messages: a summary is shown to a model like any other record."""
    read = [message for message in messages if message.learnable]
    kept = {each.message: " ".join(each.text.split()) for each in screen(read, owner=(), zone=zone)}
    return [replace(message, text=kept[message.id]) for message in messages if kept.get(message.id)]
