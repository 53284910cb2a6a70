"""The store that keeps everything in memory: for tests, and for sessions that are thrown away.

It is the reference of what ``ports.Store`` means: plain dictionaries, exact scans, no index. Belongs to one event loop; no method awaits
anything in its middle, so each one is a transaction by itself.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import numpy as np
import uuid_utils

from pagefile.errors import ConflictError, InputError, InvalidVector, NotFound, StoreUnavailable
from pagefile.messages import Appended, Draft, Message, SessionInfo
from pagefile.ports import EraseReceipt, Job, NewJob, NewVector, Operation, StoreStats, Unembedded, Vectors
from pagefile.queries import Candidates, Item, Page, Probe, Where
from pagefile.records import Block, Change, HistoryEntry, Record, Scope, TaskState
from pagefile.stores.memory_changes import Changes
from pagefile.stores.memory_search import search
from pagefile.stores.memory_space import Receipt, Session, Space, indexing_copy, json_copy, message_of, unit
from pagefile.stores.rules import (
    check_draft,
    check_probe,
    check_task,
    check_text,
    check_time,
    check_where,
    cursor_position,
    json_text,
    page_limit,
    passes,
    same_content,
)

T = TypeVar("T")

#: A job that has not failed is ready whatever the claimer's clock says: clocks of two machines differ, and a test sets its own.
_READY_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Held:
    """A job, its place in the queue, and until when somebody works on it."""

    position: int
    job: Job
    leased_until: datetime | None = None


class MemoryStore:
    """Keeps one memory in dictionaries. Nothing outlives the process."""

    location = "memory"

    def __init__(self) -> None:
        self._spaces: dict[Scope, Space] = {}
        self._jobs: dict[str, _Held] = {}
        self._dimensions: dict[str, int] = {}
        self._counter = itertools.count(1)
        self._closed = False

    # --- the journal ---

    async def append(
        self,
        scope: Scope,
        session: str,
        drafts: Sequence[Draft],
        *,
        jobs: Sequence[NewJob] = (),
        key: str | None = None,
        fingerprint: str = "",
    ) -> tuple[Appended, ...]:
        check_text(session, "session")
        for draft in drafts:
            check_draft(draft)
        _check_jobs(jobs)
        space = self._space(scope)
        if key is not None and key in space.receipts:
            return _replay(space, key, fingerprint)
        answers = _answers(space, session, drafts)
        stored = [(draft, each.message) for draft, each in zip(drafts, answers, strict=True) if each.outcome == "stored"]
        if stored:
            self._keep(space, session, stored)
        if stored or key is not None:
            self._spaces[scope] = space
        if key is not None:
            space.receipts[key] = Receipt(fingerprint, session, tuple((each.message.id, each.outcome) for each in answers))
        self._enqueue(scope, jobs, [draft.id for draft, _ in stored if draft.indexing.embedding_hash])
        return answers

    def _keep(self, space: Space, session: str, stored: Sequence[tuple[Draft, Message]]) -> None:
        kept = space.sessions.setdefault(session, Session(self._next()))
        for draft, message in stored:
            space.messages[message.id] = message
            space.indexing[message.id] = indexing_copy(draft.indexing)
            space.positions[message.id] = self._next()
            kept.last_seq = message.seq
            if message.external_id is not None:
                kept.external_ids[message.external_id] = message.id

    async def messages(
        self,
        scope: Scope,
        session: str | None,
        *,
        where: Where = Where(),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        check_where(where)
        space = self._space(scope)
        messages = [each for each in space.messages.values() if session in (None, each.session) and passes(each, where)]
        return _page([(space.positions[each.id], each) for each in messages], after, limit, newest_first=newest_first)

    async def window(self, scope: Scope, session: str) -> tuple[Message, ...]:
        space = self._space(scope)
        start = space.sessions[session].window_start if session in space.sessions else 1
        return tuple(message for message in space.of_session(session) if message.seq >= start and not message.retired)

    async def session(self, scope: Scope, session: str) -> SessionInfo | None:
        return self._space(scope).session_info(session)

    async def sessions(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        space = self._space(scope)
        infos = [(kept.position, space.session_info(name)) for name, kept in space.sessions.items()]
        return _page([(position, info) for position, info in infos if info is not None], after, limit)

    async def set_window(self, scope: Scope, session: str, *, window_start: int, summary: str | None) -> None:
        if window_start < 1:
            raise InputError(f"a window starts at sequence number 1 or later, not {window_start}")
        if summary is not None:
            check_text(summary, "summary")
        kept = self._space(scope).sessions.get(session)
        if kept is None:
            raise NotFound(f"there is no session {session!r:.80} in this scope; nothing was changed")
        # A summary for an earlier start covers less than the one that is there: whoever made it came too late.
        if window_start >= kept.window_start:
            kept.window_start, kept.summary = window_start, summary

    # --- records and blocks ---

    async def apply(self, scope: Scope, changes: Sequence[Change], *, jobs: Sequence[NewJob] = ()) -> tuple[HistoryEntry, ...]:
        _check_jobs(jobs)
        space = self._space(scope)
        made = Changes(space, _new_id, self._next)
        made.make(changes)
        entries, to_embed = made.commit()
        if entries:
            self._spaces[scope] = space
        self._enqueue(scope, jobs, to_embed)
        return entries

    async def get(self, scope: Scope, ids: Sequence[str]) -> tuple[Item | None, ...]:
        space = self._space(scope)
        return tuple(space.item(id) for id in ids)

    async def records(self, scope: Scope, *, where: Where = Where(), after: str | None = None, limit: int = 100) -> Page[Record]:
        check_where(where)
        space = self._space(scope)
        records = [record for record in space.records.values() if passes(record, where)]
        return _page([(space.positions[record.id], record) for record in records], after, limit)

    async def history(self, scope: Scope, target: str) -> tuple[HistoryEntry, ...]:
        return self._space(scope).history.get(target, ())

    async def blocks(self, scope: Scope, agent: str | None = None) -> tuple[Block, ...]:
        blocks = self._space(scope).blocks.values()
        shared = {block.label: block for block in blocks if block.agent is None}
        own = {block.label: block for block in blocks if block.agent == agent}
        return tuple(block for _, block in sorted((shared | own).items()))

    async def mark_used(self, scope: Scope, ids: Sequence[str], *, at: datetime) -> None:
        check_time(at, "'at'")
        records = self._space(scope).records
        for id in dict.fromkeys(ids):
            if id in records:
                records[id] = replace(records[id], use_count=records[id].use_count + 1, last_used_at=at)

    # --- recall ---

    async def search(self, scope: Scope, probe: Probe) -> Candidates:
        check_probe(probe)
        query = None
        if probe.vector is not None and probe.embedder is not None:
            vector, dimension = np.asarray(probe.vector, dtype=np.float32), self._dimensions.get(probe.embedder)
            query = self._checked(vector, f"the probe's vector of {probe.embedder!r}", dimension)
        return search(self._space(scope), probe, query)

    async def unembedded(
        self, embedder: str, *, scope: Scope | None = None, after: str | None = None, limit: int = 256
    ) -> Page[Unembedded]:
        found = []
        for owner, space in self._chosen(scope).items():
            for id in space.awaiting(embedder):
                item = space.item(id)
                assert item is not None, "an index entry stands beside its item"
                found.append((space.positions[id], Unembedded(scope=owner, item=item, hash=space.indexing[id].embedding_hash)))
        return _page(found, after, limit)

    async def put_vectors(self, scope: Scope, embedder: str, vectors: Sequence[NewVector]) -> int:
        dimension = self._dimensions.get(embedder)
        units = []
        for new in vectors:
            units.append(self._checked(new.vector, f"the vector of {embedder!r} for {new.id!r:.80}", dimension))
            dimension = len(units[-1])
        space = self._space(scope)
        kept = 0
        for new, vector in zip(vectors, units, strict=True):
            indexing = space.indexing.get(new.id)
            if indexing is not None and new.hash and indexing.embedding_hash == new.hash:
                space.vectors.setdefault(embedder, {})[new.id] = vector
                self._dimensions[embedder] = len(vector)
                kept += 1
        return kept

    def _checked(self, vector: Vectors, what: str, dimension: int | None) -> Vectors:
        """The vector at length 1. Raises InvalidVector."""
        self._check_open()
        if vector.ndim != 1 or (dimension is not None and len(vector) != dimension):
            raise InvalidVector(f"{what} has the shape {vector.shape}, not ({dimension or 'n'},); nothing was kept")
        if not np.isfinite(vector).all() or not vector.any():
            raise InvalidVector(f"{what} is all zero or has numbers that are not finite; nothing was kept")
        return unit(vector)

    async def drop_vectors(self, keep: str) -> int:
        dropped = 0
        for space in self._chosen(None).values():
            for embedder in [each for each in space.vectors if each != keep]:
                dropped += len(space.vectors.pop(embedder))
        self._dimensions = {embedder: size for embedder, size in self._dimensions.items() if embedder == keep}
        return dropped

    # --- jobs ---

    async def enqueue(self, scope: Scope, jobs: Sequence[NewJob]) -> tuple[str, ...]:
        self._check_open()
        _check_jobs(jobs)
        return self._enqueue(scope, jobs, ())

    def _enqueue(self, scope: Scope, jobs: Sequence[NewJob], to_embed: Sequence[str]) -> tuple[str, ...]:
        embed = [NewJob(kind="embed", payload={"ids": list(to_embed)})] if to_embed else []
        ids = []
        for new in (*jobs, *embed):
            job = Job(
                id=_new_id(),
                scope=scope,
                kind=new.kind,
                payload=json_copy(new.payload),
                state="queued",
                attempts=0,
                ready_at=_READY_AT_ONCE,
                created_at=datetime.now(UTC),
            )
            self._jobs[job.id] = _Held(self._next(), job)
            ids.append(job.id)
        return tuple(ids)

    async def claim(
        self, kinds: Sequence[str], *, now: datetime, lease_seconds: float, limit: int = 1, scope: Scope | None = None
    ) -> tuple[Job, ...]:
        self._check_open()
        check_time(now, "'now'")
        ready = [
            held for held in self._jobs.values() if held.job.kind in kinds and _is_ready(held, now) and scope in (None, held.job.scope)
        ]
        taken = ready[: page_limit(limit)]
        for held in taken:
            held.job = replace(held.job, state="running", attempts=held.job.attempts + 1)
            held.leased_until = now + timedelta(seconds=lease_seconds)
        return tuple(held.job for held in taken)

    async def complete(self, ids: Sequence[str]) -> None:
        self._check_open()
        for id in ids:
            self._jobs.pop(id, None)

    async def fail(self, id: str, *, error: str, now: datetime, retry_at: datetime | None) -> None:
        self._check_open()
        held = self._jobs.get(id)
        # Gone: erased together with its scope while somebody worked on it.
        if held is not None:
            held.job = replace(held.job, state="dead" if retry_at is None else "queued", error=error, ready_at=retry_at or now)
            held.leased_until = None

    async def jobs(self, *, scope: Scope | None = None, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        self._check_open()
        held = [each for each in self._jobs.values() if scope in (None, each.job.scope) and state in (None, each.job.state)]
        return _page([(each.position, each.job) for each in held], after, limit)

    async def revive(self, ids: Sequence[str], *, now: datetime) -> int:
        self._check_open()
        dead = [self._jobs[id] for id in dict.fromkeys(ids) if id in self._jobs and self._jobs[id].job.state == "dead"]
        for held in dead:
            held.job = replace(held.job, state="queued", attempts=0, error=None, ready_at=now)
        return len(dead)

    # --- task state, operations log ---

    async def put_task(self, scope: Scope, state: TaskState) -> None:
        check_task(state)
        space = self._space(scope)
        space.tasks[state.key] = replace(state, value=json_copy(state.value))
        self._spaces[scope] = space

    async def task(self, scope: Scope, key: str, *, now: datetime) -> TaskState | None:
        state = self._space(scope).tasks.get(key)
        return None if state is None or (state.expires_at is not None and state.expires_at <= now) else state

    async def drop_task(self, scope: Scope, key: str) -> bool:
        return self._space(scope).tasks.pop(key, None) is not None

    async def log(self, scope: Scope, operation: Operation) -> None:
        kept = replace(operation, parameters=json_copy(operation.parameters), result=json_copy(operation.result))
        space = self._space(scope)
        space.operations[self._next()] = kept
        self._spaces[scope] = space

    async def operations(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        return _page(list(self._space(scope).operations.items()), after, limit, newest_first=True)

    # --- the whole ---

    async def scopes(self, *, after: str | None = None, limit: int = 100) -> Page[Scope]:
        return _page([(space.position, scope) for scope, space in self._chosen(None).items()], after, limit)

    async def stats(self, scope: Scope | None = None) -> StoreStats:
        spaces = self._chosen(scope)
        vectors: Counter[str] = Counter()
        for space in spaces.values():
            vectors.update({embedder: len(held) for embedder, held in space.vectors.items() if held})
        return StoreStats(
            scopes=len(spaces),
            sessions=sum(len(space.sessions) for space in spaces.values()),
            messages=sum(len(space.messages) for space in spaces.values()),
            records=sum(len(space.records) for space in spaces.values()),
            blocks=sum(len(space.blocks) for space in spaces.values()),
            vectors=dict(vectors),
            jobs=dict(Counter(held.job.state for held in self._jobs.values() if scope in (None, held.job.scope))),
            bytes=0,
        )

    async def erase(self, scope: Scope, *, session: str | None = None, ids: Sequence[str] | None = None) -> EraseReceipt:
        if session is not None and ids is not None:
            raise InputError("erase either a session or some ids, not both; nothing was erased")
        space = self._space(scope)
        if session is None and ids is None:
            jobs = self._drop_jobs([id for id, held in self._jobs.items() if held.job.scope == scope])
            self._spaces.pop(scope, None)
            return replace(space.erase_all(), jobs=jobs)
        doomed = space.items_of(session) if session is not None else [id for id in dict.fromkeys(ids or ()) if id in space.indexing]
        receipt = space.erase_items(doomed)
        if session is not None:
            space.forget_session(session)
        named = space.forget_operations({*doomed} if session is None else {*doomed, session})
        return replace(receipt, jobs=self._erase_jobs(scope, set(doomed), session), operations=named)

    def _erase_jobs(self, scope: Scope, doomed: set[str], session: str | None) -> int:
        """Jobs that have nothing left to do go; others lose these ids."""
        idle = []
        for id, held in self._jobs.items():
            payload = held.job.payload
            if held.job.scope != scope:
                continue
            listed = payload.get("ids")
            left = [each for each in listed if each not in doomed] if isinstance(listed, list) else listed
            if (session is not None and payload.get("session") == session) or (listed and not left):
                idle.append(id)
            elif left != listed:
                held.job = replace(held.job, payload={**payload, "ids": left})
        return self._drop_jobs(idle)

    def _drop_jobs(self, ids: Iterable[str]) -> int:
        return len([self._jobs.pop(id) for id in ids])

    async def close(self) -> None:
        self._closed = True
        self._spaces, self._jobs = {}, {}

    # --- inside ---

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("this store was closed, and what it held is gone; make a new one")

    def _next(self) -> int:
        return next(self._counter)

    def _space(self, scope: Scope) -> Space:
        """The scope's data; a new scope's is no part of the store until something was written into it."""
        self._check_open()
        return self._spaces.get(scope) or Space(self._next())

    def _chosen(self, scope: Scope | None) -> dict[Scope, Space]:
        self._check_open()
        return {owner: space for owner, space in self._spaces.items() if scope in (None, owner)}


def _new_id() -> str:
    return str(uuid_utils.uuid7())


def _check_jobs(jobs: Sequence[NewJob]) -> None:
    for job in jobs:
        json_text(job.payload, "payload of the job")


def _is_ready(held: _Held, now: datetime) -> bool:
    if held.job.state == "running":
        return held.leased_until is not None and held.leased_until <= now
    return held.job.state == "queued" and held.job.ready_at <= now


def _replay(space: Space, key: str, fingerprint: str) -> tuple[Appended, ...]:
    receipt = space.receipts[key]
    if receipt.fingerprint != fingerprint:
        raise ConflictError(f"the key {key!r:.80} was used before for other content; use a new key, or send the same content again")
    return tuple(Appended(message=space.messages[id], outcome=outcome) for id, outcome in receipt.outcomes)


def _answers(space: Space, session: str, drafts: Sequence[Draft]) -> tuple[Appended, ...]:
    """What becomes of each draft, those before it in the same call included. Nothing is written yet."""
    known = space.sessions.get(session) or Session(0)
    by_external_id = {external: space.messages[id] for external, id in known.external_ids.items()}
    seq, new_ids, answers = known.last_seq, set[str](), list[Appended]()
    for draft in drafts:
        old = by_external_id.get(draft.external_id) if draft.external_id is not None else None
        if old is not None:
            answers.append(Appended(message=old, outcome="duplicate" if same_content(draft, old) else "conflict"))
            continue
        if draft.id in space.indexing or draft.id in new_ids:
            raise ConflictError(f"there is an item {draft.id!r:.80} already; a new message needs a new id. Nothing was stored")
        seq += 1
        message = message_of(draft, session, seq)
        new_ids.add(draft.id)
        if draft.external_id is not None:
            by_external_id[draft.external_id] = message
        answers.append(Appended(message=message, outcome="stored"))
    return tuple(answers)


def _page(positioned: Sequence[tuple[int, T]], after: str | None, limit: int, *, newest_first: bool = False) -> Page[T]:
    """One page of things with their positions in the order they came."""
    size, start = page_limit(limit), cursor_position(after)
    ordered = sorted(positioned, key=lambda pair: pair[0], reverse=newest_first)
    left = [pair for pair in ordered if start is None or (pair[0] < start if newest_first else pair[0] > start)]
    chosen = left[:size]
    return Page(
        items=tuple(value for _, value in chosen),
        cursor=str(chosen[-1][0]) if len(left) > size else None,
        total=len(ordered),
    )
