"""The store that keeps everything in memory: for tests, and for sessions that are thrown away.

It is the reference of what ``ports.Store`` means: plain dictionaries, exact scans, no index. Belongs to one event loop; no method awaits
anything in its middle, so each one is a transaction by itself.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import uuid_utils

from pagefile.costs import DaySpent, Purpose, Spent
from pagefile.errors import ConflictError, InputError, InvalidVector, NotFound, SessionBusy, StaleRevision
from pagefile.language.keys import append_mark, marks
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo
from pagefile.ports import NewJob, NewVector, Operation, Progress, Unembedded, Vectors
from pagefile.queries import Candidates, Item, Page, Probe, Where
from pagefile.receipts import EraseReceipt, Keyed, Resident, StoreStats, Unread
from pagefile.records import Block, Change, HistoryEntry, Record, Scope, TaskState
from pagefile.stores.memory_changes import Changes
from pagefile.stores.memory_erasing import Tombstones, doomed
from pagefile.stores.memory_jobs import Queue
from pagefile.stores.memory_names import HeldNames
from pagefile.stores.memory_search import search
from pagefile.stores.memory_space import Receipt, Session, Space, every_text, in_memory, indexing_copy, json_copy, page_of, replay, unit
from pagefile.stores.rules import (
    check_draft,
    check_jobs,
    check_probe,
    check_pruning,
    check_read,
    check_summary,
    check_task,
    check_text,
    check_time,
    check_where,
    check_window,
    erased_under,
    page_limit,
    passes,
    same_content,
)

_NOTHING = Spent()


class MemoryStore(HeldNames):
    """Keeps one memory in dictionaries. Nothing outlives the process."""

    location = "memory"

    def __init__(self) -> None:
        self._spaces: dict[Scope, Space] = {}
        self._dimensions: dict[str, int] = {}
        self._counter = itertools.count(1)
        super().__init__(Queue(_new_id, self._next))
        self._tombstones = Tombstones()
        self._keys = {}
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
        lease: Lease | None = None,
        answers: str | None = None,
    ) -> tuple[Appended, ...]:
        check_text(session, "session")
        for draft in drafts:
            check_draft(draft)
        check_jobs(jobs)
        space = self._space(scope)
        if key is not None and key in space.receipts:
            return replay(space, key, fingerprint, drafts)
        if key is not None and any(self._tombstones.times(scope, [append_mark(key, fingerprint)])):
            raise erased_under(key)
        if answers is not None and space.item(answers) is None:
            return tuple(Appended(message=draft.at(session, 0), outcome="erased") for draft in drafts)
        if lease is not None and not lease.ends and not space.sessions.get(session, Session(0)).take(lease):
            raise SessionBusy(f"another turn of the session {session!r:.80} goes on; nothing was stored")
        outcomes = _answers(space, session, drafts, lambda draft: any(self._tombstones.times(scope, marks(draft))))
        if key is None and outcomes and all(each.outcome == "erased" for each in outcomes):
            # There is nothing that the jobs could be about.
            return outcomes
        stored = [(draft, each.message) for draft, each in zip(drafts, outcomes, strict=True) if each.outcome == "stored"]
        if stored:
            self._keep(space, session, stored)
        if lease is not None and session in space.sessions:
            space.sessions[session].take(lease)
        if stored or key is not None:
            self._spaces[scope] = space
        if key is not None:
            space.receipts[key] = Receipt(fingerprint, session, tuple((each.message.id, each.outcome) for each in outcomes))
        self._queue.add(scope, jobs, [draft.id for draft, _ in stored if draft.indexing.embedding_hash])
        return outcomes

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
        # Within a session a cursor is a sequence number, so that a reader can go on where it stopped.
        placed = [(space.positions[each.id] if session is None else each.seq, each) for each in messages]
        return page_of(placed, after, limit, newest_first=newest_first)

    async def window(self, scope: Scope, session: str) -> tuple[Message, ...]:
        space = self._space(scope)
        start = space.sessions[session].window_start if session in space.sessions else 1
        return tuple(message for message in space.of_session(session) if message.seq >= start and not message.retired)

    async def resident(self, scope: Scope, session: str, agent: str | None = None) -> Resident:
        kept = self._space(scope).sessions.get(session, Session(0))
        return Resident(
            session=session,
            messages=await self.window(scope, session),
            last_seq=kept.last_seq,
            window_start=kept.window_start,
            summary=kept.summary,
            summarised_to=kept.summarised_to,
            blocks=await self.blocks(scope, agent),
        )

    async def unread(self, scope: Scope, session: str, reader: str, *, limit: int, context: int) -> Unread:
        space = self._space(scope)
        read = space.progress.get(session, {}).get(reader, 0)
        near = [each for each in space.of_session(session) if each.seq > read - context and not each.retired]
        return Unread(
            messages=tuple(each for each in near if each.seq > read)[: page_limit(limit)],
            context=tuple(each for each in near if each.seq <= read),
        )

    async def session(self, scope: Scope, session: str) -> SessionInfo | None:
        return self._space(scope).session_info(session)

    async def sessions(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        space = self._space(scope)
        infos = [(kept.position, space.session_info(name)) for name, kept in space.sessions.items()]
        return page_of([(position, info) for position, info in infos if info is not None], after, limit)

    async def set_window(
        self,
        scope: Scope,
        session: str,
        *,
        window_start: int,
        summary: str | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> None:
        check_window(window_start, summary)
        check_jobs(jobs)
        kept = self._space(scope).sessions.get(session)
        if kept is None:
            raise NotFound(f"there is no session {session!r:.80} in this scope; nothing was changed")
        kept.move_window(window_start, summary)
        self._queue.add(scope, jobs)

    async def set_summary(
        self, scope: Scope, session: str, *, summary: str | None, to: int, instead_of: str | None, of: Sequence[str] = ()
    ) -> bool:
        check_summary(summary)
        space = self._space(scope)
        kept = space.sessions.get(session)
        return kept is not None and space.has_all(of) and kept.replace_summary(summary, to, instead_of)

    # --- records and blocks ---

    async def apply(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        jobs: Sequence[NewJob] = (),
        revision: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[HistoryEntry, ...]:
        check_jobs(jobs)
        space, now = self._space(scope), self._revision(scope)
        if revision is not None and revision != now:
            raise StaleRevision(
                f"these changes were decided at revision {revision} of the scope, and it is at {now} now; "
                "nothing was changed. Read the records again and decide anew"
            )
        if progress is not None and progress.message is not None:
            check_read(progress, space.messages.get(progress.message))
        made = Changes(space, self._next, lambda marks: self._tombstones.times(scope, marks))
        made.make(changes)
        entries, to_embed = made.commit()
        if progress is not None:
            space.move(progress)
        if entries or progress is not None:
            self._spaces[scope] = space
        self._queue.add(scope, jobs, to_embed)
        return entries

    async def keyed(self, scope: Scope, keys: Sequence[str]) -> Keyed:
        return Keyed(revision=self._revision(scope), records=tuple(self._space(scope).keyed(keys)))

    async def citing(self, scope: Scope, messages: Sequence[str]) -> tuple[Record, ...]:
        return tuple(self._space(scope).citing(messages))

    async def progress(self, scope: Scope, session: str) -> Mapping[str, int]:
        return dict(self._space(scope).progress.get(session, {}))

    async def entry(self, scope: Scope, id: str) -> HistoryEntry | None:
        return next((entry for entry in self._space(scope).changes() if entry.id == id), None)

    async def changes(self, scope: Scope, *, after: str | None = None, limit: int = 100, newest_first: bool = True) -> Page[HistoryEntry]:
        changes = self._space(scope).changes()
        return page_of([(int(entry.id), entry) for entry in changes], after, limit, newest_first=newest_first)

    async def get(self, scope: Scope, ids: Sequence[str]) -> tuple[Item | None, ...]:
        space = self._space(scope)
        return tuple(space.item(id) for id in ids)

    async def records(self, scope: Scope, *, where: Where = Where(), after: str | None = None, limit: int = 100) -> Page[Record]:
        check_where(where)
        space = self._space(scope)
        records = [record for record in space.records.values() if passes(record, where)]
        return page_of([(space.positions[record.id], record) for record in records], after, limit)

    async def history(self, scope: Scope, target: str) -> tuple[HistoryEntry, ...]:
        return self._space(scope).history.get(target, ())

    async def blocks(self, scope: Scope, agent: str | None = None, *, every: bool = False) -> tuple[Block, ...]:
        blocks = self._space(scope).blocks.values()
        if every:
            return tuple(sorted(blocks, key=lambda block: (block.label.encode(), (block.agent or "").encode())))
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
        return page_of(found, after, limit)

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

    async def tasks(self, scope: Scope, *, now: datetime, prefix: str = "") -> tuple[TaskState, ...]:
        found = [state for key, state in self._space(scope).tasks.items() if key.startswith(prefix)]
        alive = [state for state in found if state.expires_at is None or state.expires_at > now]
        return tuple(sorted((replace(state, value=json_copy(state.value)) for state in alive), key=lambda state: state.key.encode()))

    async def hold(self, scope: Scope, session: str, lease: Lease) -> bool:
        held = self._space(scope).sessions.get(session)
        return held is not None and held.take(lease)

    async def let_go(self, scope: Scope, session: str, holder: str) -> None:
        held = self._space(scope).sessions.get(session)
        if held is not None and held.holder == holder:
            held.holder = None

    async def log(self, scope: Scope, *operations: Operation) -> None:
        for operation in operations:
            result, parameters = json_copy(operation.result), json_copy(operation.parameters)
            kept = replace(operation, parameters=parameters, result=result, items=tuple(operation.items))
            # A line about what was erased meanwhile goes with it.
            if scope in self._spaces and all(id.startswith("block:") or self._spaces[scope].item(id) for id in kept.items):
                self._spaces[scope].operations[self._next()] = kept

    async def prune_operations(self, scope: Scope, *, before: datetime, keep: int) -> int:
        check_pruning(before, keep)
        lines = self._space(scope).operations
        newest = set(list(lines)[-keep:])
        gone = [position for position, line in lines.items() if position not in newest or line.at < before]
        for position in gone:
            del lines[position]
        return len(gone)

    async def operations(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        return page_of(list(self._space(scope).operations.items()), after, limit, newest_first=True)

    async def spend(self, scope: Scope, day: date, spent: Spent = _NOTHING, *, purpose: Purpose = "learn") -> Spent:
        space = self._space(scope)
        so_far = space.spent.get((day, purpose), _NOTHING)
        if spent == _NOTHING:
            return so_far
        space.spent[day, purpose] = so_far + spent
        self._spaces[scope] = space
        return space.spent[day, purpose]

    async def costs(self, scope: Scope | None = None, *, since: date | None = None, until: date | None = None) -> tuple[DaySpent, ...]:
        spaces = sorted(self._chosen(scope).items(), key=lambda each: each[1].position)
        found = [
            DaySpent(scope=whose, day=day, purpose=purpose, spent=spent)
            for whose, space in spaces
            for (day, purpose), spent in space.spent.items()
            if (since is None or since <= day) and (until is None or day <= until)
        ]
        order = {whose: place for place, (whose, _) in enumerate(spaces)}
        return tuple(sorted(found, key=lambda one: (one.day, order[one.scope], one.purpose)))

    # --- the whole ---

    async def scopes(self, *, after: str | None = None, limit: int = 100, tenant: str | None = None) -> Page[Scope]:
        spaces = self._chosen(None).items()
        return page_of([(space.position, scope) for scope, space in spaces if tenant in (None, scope.tenant)], after, limit)

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
            jobs=self._queue.states(scope),
            bytes=0,
        )

    async def erase(self, scope: Scope, *, session: str | None = None, ids: Sequence[str] | None = None) -> EraseReceipt:
        if session is not None and ids is not None:
            raise InputError("erase either a session or some ids, not both; nothing was erased")
        space, at = self._space(scope), datetime.now(UTC)
        if session is None and ids is None:
            tombstones = self._tombstones.put(scope, space.all_marks(), at)
            self._spaces.pop(scope, None)
            return replace(space.erase_all(), jobs=self._queue.drop_scope(scope), tombstones=tombstones)
        gone = doomed(space, session=session, ids=ids or ())
        erased = [item for id in gone.ids for item in space.versions(id)]
        answered = space.answered_under(gone.ids, session)
        receipt = space.erase_items(gone.ids)
        space.cut(gone.cut, gone.ids)
        about_names, lost = space.forget_names(erased)
        if session is not None:
            space.forget_session(session)
        if gone.ids or session is not None:
            space.revision = self._next()
        receipt = replace(
            receipt,
            history=receipt.history + about_names,
            operations=space.forget_operations(gone.ids, session),
            jobs=self._queue.forget(scope, set(gone.ids), session),
            tombstones=self._tombstones.put(scope, [*gone.marks, *lost, *answered], at),
        )
        if gone.learn_again:
            self._queue.add(scope, [NewJob(kind="learn", payload={"ids": list(gone.learn_again)})])
        return receipt

    async def erased(self, scope: Scope, marks: Sequence[str]) -> tuple[datetime | None, ...]:
        self._check_open()
        return self._tombstones.times(scope, marks)

    async def occurrences(self, texts: Sequence[str]) -> tuple[int, ...]:
        self._check_open()
        kept = list(every_text((self._spaces, self._queue.kept())))
        return tuple(sum(each.count(text) for each in kept) if text else 0 for text in texts)

    async def close(self) -> None:
        self._closed = True
        self._spaces, self._keys, self._queue, self._tombstones = {}, {}, Queue(_new_id, self._next), Tombstones()

    # --- inside ---

    def _next(self) -> int:
        return next(self._counter)

    def _revision(self, scope: Scope) -> int:
        return self._spaces[scope].revision if scope in self._spaces else 0

    def _space(self, scope: Scope) -> Space:
        """The scope's data; a new scope's is no part of the store until something was written into it."""
        self._check_open()
        return self._spaces.get(scope) or Space(self._next())

    def _chosen(self, scope: Scope | None) -> dict[Scope, Space]:
        self._check_open()
        return {owner: space for owner, space in self._spaces.items() if scope in (None, owner)}


def _new_id() -> str:
    return str(uuid_utils.uuid7())


def _answers(space: Space, session: str, drafts: Sequence[Draft], is_erased: Callable[[Draft], bool]) -> tuple[Appended, ...]:
    """What becomes of each draft, those before it in the same call included. Nothing is written yet."""
    known = space.sessions.get(session) or Session(0)
    by_external_id = {external: space.messages[id] for external, id in known.external_ids.items()}
    seq, new_ids, answers = known.last_seq, set[str](), list[Appended]()
    for draft in drafts:
        old = by_external_id.get(draft.external_id) if draft.external_id is not None else None
        if old is not None:
            answers.append(Appended(message=old, outcome="duplicate" if same_content(draft, old) else "conflict"))
            continue
        if is_erased(draft):
            answers.append(Appended(message=draft.at(session, 0), outcome="erased"))
            continue
        if draft.id in space.indexing or draft.id in new_ids:
            raise ConflictError(f"there is an item {draft.id!r:.80} already; a new message needs a new id. Nothing was stored")
        seq += 1
        message = in_memory(draft.at(session, seq))
        new_ids.add(draft.id)
        if draft.external_id is not None:
            by_external_id[draft.external_id] = message
        answers.append(Appended(message=message, outcome="stored"))
    return tuple(answers)
