"""The one way by which records come to be and change: claims are reconciled with what is known, and written until the decision holds."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from pagefile.errors import ConflictError, NotFound, StaleRevision
from pagefile.language.keys import text_key
from pagefile.lifecycle.decision import Outcome
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.ledger import merged
from pagefile.lifecycle.reconcile import covered, keys_of, marks_of, outdated, reconcile
from pagefile.messages import Message
from pagefile.operations import written
from pagefile.parts import Parts
from pagefile.ports import NewJob, Operation, Progress
from pagefile.receipts import Keyed
from pagefile.records import (
    Add,
    Cause,
    Change,
    Edit,
    HistoryEntry,
    Merge,
    Record,
    Reinforce,
    Restore,
    Retire,
    Scope,
    Source,
    Split,
    Supersede,
    Trust,
)
from pagefile.retrieval.indexing import record_indexing

#: Times a decision is made anew because somebody else, in another process, wrote meanwhile.
_TRIES = 100
#: Seconds to wait before that, at most.
_PAUSE = 0.02

#: Messages that a record cites at most: what is said again and again is believed more, and cited no more.
MOST_SOURCES = 50

#: Changes, and what became of the claims they come from.
Decided: TypeAlias = tuple[Sequence[Change], Sequence[Outcome]]
#: Makes changes of what is known at one revision.
Decide: TypeAlias = Callable[[Keyed], Decided]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What became of some claims or changes."""

    #: One for each claim that was not passed over because it was erased.
    outcomes: tuple[Outcome, ...] = ()
    changes: tuple[Change, ...] = ()
    entries: tuple[HistoryEntry, ...] = ()


class Recorder:
    """Writes records. Two recorders of one store, also in two processes, never make two records of one fact."""

    def __init__(
        self, parts: Parts, wrote: Callable[[Scope, int], None], noted: Callable[[Scope, Operation], None] = lambda scope, line: None
    ) -> None:
        """``wrote`` is told how many items were written that want a vector; ``noted`` gets a line of the operations log for each write."""
        self._parts = parts
        self._wrote = wrote
        self._noted = noted
        # Within one process nobody has to decide twice.
        self._locks: WeakValueDictionary[Scope, asyncio.Lock] = WeakValueDictionary()

    async def believe(
        self, scope: Scope, claims: Sequence[Claim], *, actor: str, made: Callable[[Record], Record] = lambda record: record
    ) -> Recorded:
        """Bring claims in line with what is known, and write what follows.

        ``made`` finishes each new record. What was erased, and not said since, is passed over. Raises ConflictError if others write
        without end.
        """
        async with self.alone(scope):
            return await self._believe(scope, claims, actor, self._not_erased, made=made)

    async def learn(
        self, scope: Scope, claims: Sequence[Claim], *, actor: str, progress: Progress | None = None, jobs: Sequence[NewJob] = ()
    ) -> Recorded:
        """Believe claims that were read out of messages; those of messages that were erased, forgotten or hidden are passed over.

        ``progress`` and ``jobs`` are written in the same transaction. Raises ConflictError as ``believe`` does.
        """
        async with self.alone(scope):
            if not claims:
                # Most messages state nothing.
                return await self._go_on(scope, progress, jobs)
            return await self._believe(scope, claims, actor, self._still_said, progress=progress, jobs=jobs)

    async def note(self, scope: Scope, record: Record | None, progress: Progress, cause: Cause) -> Recorded:
        """Write a record that was made of the messages of a session up to ``progress``, or that none was; nothing, if another was made of
        them meanwhile, or some were erased."""
        changes = [] if record is None else [Add(item=record, cause=cause, indexing=record_indexing(record))]
        async with self.alone(scope):
            cited = [] if record is None else [source.message for source in record.sources]
            there = await self._is_there(scope, progress) and None not in await self._parts.store.get(scope, cited)
            made = (await self._parts.store.progress(scope, progress.session)).get(progress.name, 0)
            if not there or made >= progress.seq:
                return Recorded()
            return await self._write(scope, (), _always(changes), progress=progress)

    async def change(self, scope: Scope, decide: Decide | Sequence[Change], *, keys: Sequence[str] = ()) -> Recorded:
        """Write changes that were decided elsewhere, or that ``decide`` makes of the records filed under ``keys``."""
        decided = _later(decide) if callable(decide) else _always(decide)
        async with self.alone(scope):
            return await self._write(scope, keys, decided)

    def tell(self, scope: Scope, line: Operation) -> None:
        """Put a line into the operations log."""
        self._noted(scope, line)

    def alone(self, scope: Scope) -> asyncio.Lock:
        """To be held while nothing may be learnt in this scope by this program: nobody decides twice, and nothing that is being erased
        is written anew."""
        return self._locks.setdefault(scope, asyncio.Lock())

    # --- what may be believed ------------------------------------------------------------------------------------------

    async def _is_there(self, scope: Scope, progress: Progress) -> bool:
        """False if the session was erased since it was read."""
        info = await self._parts.store.session(scope, progress.session)
        return info is not None and progress.seq <= info.last_seq

    async def _still_said(self, scope: Scope, claims: Sequence[Claim]) -> list[Claim]:
        cited = list(dict.fromkeys(source.message for claim in claims for source in claim.sources))
        found = await self._parts.store.get(scope, cited) if cited else ()
        there = {item.id for item in found if isinstance(item, Message) and not (item.retired or item.superseded)}
        said = [claim for claim in claims if all(source.message in there for source in claim.sources)]
        return await self._not_erased(scope, said)

    async def _not_erased(self, scope: Scope, claims: Sequence[Claim]) -> list[Claim]:
        marks = [marks_of(claim) for claim in claims]
        erased = iter(await self._parts.store.erased(scope, [mark for each in marks for mark in each]))
        living: list[Claim] = []
        for claim, each in zip(claims, marks, strict=True):
            times = [time for time in (next(erased) for _ in each) if time is not None]
            # Nobody can tell when finished memories of elsewhere were said.
            if not times or (claim.trust is not Trust.IMPORTED and max(times) < claim.said_at):
                living.append(claim)
        return living

    # --- writing -------------------------------------------------------------------------------------------------------

    async def _believe(
        self,
        scope: Scope,
        claims: Sequence[Claim],
        actor: str,
        living: Callable[[Scope, Sequence[Claim]], Awaitable[list[Claim]]],
        *,
        made: Callable[[Record], Record] = lambda record: record,
        progress: Progress | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> Recorded:
        async def decide(known: Keyed) -> Decided:
            # After the revision was read: what is erased from here on makes it a stale one.
            believable = await living(scope, claims)
            plan = reconcile(
                believable, known.records, now=self._parts.now(), new_id=self._parts.new_id, actor=actor, index=record_indexing
            )
            return [_finished(change, made) for change in plan.changes], plan.outcomes

        return await self._write(scope, keys_of(claims), decide, progress=progress, jobs=jobs)

    async def _write(
        self,
        scope: Scope,
        keys: Sequence[str],
        decide: Callable[[Keyed], Awaitable[Decided]],
        *,
        progress: Progress | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> Recorded:
        for _ in range(_TRIES):
            known = await self._parts.store.keyed(scope, keys)
            changes, outcomes = await decide(known)
            if not changes and progress is None and not jobs:
                return Recorded(outcomes=tuple(outcomes))
            changes = await self._as_evidence(scope, changes, known)
            flags = await self._flags(scope, changes)
            try:
                entries = await self._parts.store.apply(scope, [*changes, *flags], jobs=jobs, revision=known.revision, progress=progress)
            except StaleRevision:
                await asyncio.sleep(random.uniform(0, _PAUSE))
                continue
            except NotFound:
                if progress is None:
                    raise
                # What was read was erased meanwhile: there is nothing to learn from, and no progress in it.
                return Recorded()
            self._wrote(scope, sum(_wants_vector(change) for change in changes))
            if entries:
                self._noted(scope, written(entries))
            return Recorded(outcomes=tuple(outcomes), changes=tuple(changes), entries=entries)
        raise ConflictError("the records of this user are changed by others all the time; nothing was written, try again")

    async def _go_on(self, scope: Scope, progress: Progress | None, jobs: Sequence[NewJob]) -> Recorded:
        """Note how far a reader has come that found nothing."""
        if progress is not None or jobs:
            # Not there: it was erased meanwhile.
            with contextlib.suppress(NotFound):
                await self._parts.store.apply(scope, (), jobs=jobs, progress=progress)
        return Recorded()

    async def _as_evidence(self, scope: Scope, changes: Sequence[Change], known: Keyed) -> Sequence[Change]:
        """The changes, where the very words that were said in a session before are no new evidence in it, and no record cites messages
        without end."""
        again = {change.target for change in changes if isinstance(change, Reinforce) and change.sources}
        if not again:
            return changes
        new_ones = [change.item for change in changes if isinstance(change, Add | Supersede)]
        cited = {each.id: list(each.sources) for each in (*known.records, *new_ones) if isinstance(each, Record) and each.id in again}
        messages = await self._messages(scope, changes, cited)
        said = {id: _said(sources, messages) for id, sources in cited.items()}
        kept: list[Change] = []
        for change in changes:
            if isinstance(change, Reinforce) and change.target in cited:
                words, sources = _said(change.sources, messages), cited[change.target]
                counts = change.counts and not (words and words <= said[change.target])
                said[change.target] |= words
                more = change.sources if len(sources) < MOST_SOURCES else ()
                sources += more
                change = replace(change, counts=counts, sources=more)
                if not (more or counts or change.said_at):
                    continue
            kept.append(change)
        return kept

    async def _messages(self, scope: Scope, changes: Sequence[Change], cited: Mapping[str, Sequence[Source]]) -> dict[str, Message]:
        """The messages of the records that get new evidence, as it seems, and those it stands in."""
        counting = [change for change in changes if isinstance(change, Reinforce) and change.counts and change.target in cited]
        wanted = [source.message for change in counting for source in (*change.sources, *cited[change.target])]
        found = await self._parts.store.get(scope, list(dict.fromkeys(wanted))) if wanted else ()
        return {item.id: item for item in found if isinstance(item, Message)}

    # --- what messages still say ---------------------------------------------------------------------------------------

    async def _flags(self, scope: Scope, changes: Sequence[Change]) -> list[Change]:
        """Changes of messages that are to be hidden from recall because nothing of what they say holds any more, or to be shown again."""
        store, targets = self._parts.store, {change.target for change in changes if not isinstance(change, Add)}
        before = {item.id: item for item in await store.get(scope, sorted(targets)) if isinstance(item, Record)} if targets else {}
        after = _after(changes, before)
        cited = dict.fromkeys(source.message for record in after.values() for source in record.sources)
        # What is new and holds changes nothing about the message it was learnt from: most of what is written.
        lost = {source.message for id, record in after.items() if _may_hide(record, before.get(id)) for source in record.sources}
        found = await store.get(scope, list(cited)) if cited else ()
        messages = [each for each in found if isinstance(each, Message) and (each.id in lost or each.superseded or each.outdated)]
        if not messages:
            return []
        citing = {record.id: record for record in await store.citing(scope, [message.id for message in messages])} | after
        flags: list[Change] = []
        for message in messages:
            own = [record for record in citing.values() if message.id in {source.message for source in record.sources}]
            flag = {"superseded": covered(message, own), "outdated": outdated(message, own)}
            if flag != {"superseded": message.superseded, "outdated": message.outdated}:
                cause = replace(changes[0].cause, reason="what was learnt from it holds no more, or again")
                flags.append(Edit(target=message.id, fields=flag, cause=cause))
        return flags


def _always(changes: Sequence[Change]) -> Callable[[Keyed], Awaitable[Decided]]:
    return _later(lambda known: (changes, ()))


def _later(decide: Decide) -> Callable[[Keyed], Awaitable[Decided]]:
    async def decided(known: Keyed) -> Decided:
        return decide(known)

    return decided


def _said(sources: Iterable[Source], messages: Mapping[str, Message]) -> set[tuple[str, str | None, str]]:
    """Which words stand there, who said them, and in which session."""
    said = set()
    for source in sources:
        if (message := messages.get(source.message)) is not None:
            start, end = source.span or (0, len(message.text))
            said.add((message.session, message.speaker, text_key(message.text[start:end])))
    return said


def _finished(change: Change, made: Callable[[Record], Record]) -> Change:
    if isinstance(change, Add | Supersede) and isinstance(change.item, Record):
        record = made(change.item)
        return change if record == change.item else replace(change, item=record, indexing=record_indexing(record))
    return change


def _after(changes: Iterable[Change], before: Mapping[str, Record]) -> dict[str, Record]:
    """The changed records as far as it matters for the messages they cite: their status, end and sources."""
    after: dict[str, Record] = {}
    for change in changes:
        if isinstance(change, Add | Supersede) and isinstance(change.item, Record):
            after[change.item.id] = change.item
        if isinstance(change, Add | Merge | Split) or (old := after.get(change.target) or before.get(change.target)) is None:
            continue
        after[old.id] = replace(old, **_changed(change, old))
    return after


def _changed(change: Supersede | Reinforce | Edit | Retire | Restore, old: Record) -> dict[str, Any]:
    match change:
        case Supersede():
            return {"status": "superseded", "valid_to": change.valid_to or change.item.valid_from or change.cause.at}
        case Reinforce():
            return {"sources": merged(old.sources, change.sources)}
        case Edit():
            return {name: change.fields[name] for name in ("status", "valid_to", "sources") if name in change.fields}
        case Retire():
            return {"status": "retired"}
        case Restore():
            return {"status": "current"}


def _may_hide(record: Record, before: Record | None) -> bool:
    """Whether a change may hide a message, or show it again: one to or from what does not hold."""
    return record.status in ("superseded", "retired") or (before is not None and before.status != record.status)


def _wants_vector(change: Change) -> bool:
    return isinstance(change, Add | Supersede | Edit) and change.indexing is not None and bool(change.indexing.embedding_hash)
