"""The queue of jobs that is held in memory, of all scopes in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from pagefile.errors import StoreUnavailable
from pagefile.ports import Job, NewJob
from pagefile.queries import Page
from pagefile.records import Scope
from pagefile.stores.memory_space import json_copy, page_of
from pagefile.stores.rules import check_jobs, check_time, page_limit

#: A job that has not failed is ready whatever the claimer's clock says: clocks of two machines differ, and a test sets its own.
_READY_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Held:
    """A job, its place in the queue, its name among those that wait once, and until when somebody works on it."""

    position: int
    job: Job
    once: str | None
    leased_until: datetime | None = None


class Queue:
    """Jobs in the order they came."""

    def __init__(self, new_id: Callable[[], str], next_position: Callable[[], int]) -> None:
        self._new_id, self._next_position = new_id, next_position
        self._held: dict[str, _Held] = {}
        #: Scope, kind and name → the job that was queued under them last: the only one that can be waiting.
        self._named: dict[tuple[Scope, str, str], str] = {}

    def add(self, scope: Scope, jobs: Sequence[NewJob], to_embed: Sequence[str] = ()) -> tuple[str, ...]:
        """Enqueue jobs, and one that embeds these items; returns the ids of those that were added."""
        embed = [NewJob(kind="embed", payload={"ids": list(to_embed)})] if to_embed else []
        ids = []
        for new in (*jobs, *embed):
            if self._waiting(scope, new.kind, new.once):
                continue
            job = Job(
                id=self._new_id(),
                scope=scope,
                kind=new.kind,
                payload=json_copy(new.payload),
                state="queued",
                attempts=0,
                ready_at=new.ready_at or _READY_AT_ONCE,
                created_at=datetime.now(UTC),
            )
            self._queue(_Held(self._next_position(), job, new.once))
            ids.append(job.id)
        return tuple(ids)

    def _queue(self, held: _Held) -> None:
        self._held[held.job.id] = held
        if held.once is not None:
            self._named[held.job.scope, held.job.kind, held.once] = held.job.id

    def _waiting(self, scope: Scope, kind: str, once: str | None) -> bool:
        """Whether a job of this kind and name waits in the scope. One that runs may have begun before what is to be done now."""
        held = self._held.get(self._named.get((scope, kind, once), "")) if once is not None else None
        return held is not None and held.job.state == "queued"

    def claim(
        self, kinds: Collection[str], *, now: datetime, ready_by: datetime, until: datetime, limit: int, scope: Scope | None
    ) -> tuple[Job, ...]:
        asked = [held for held in self._held.values() if held.job.kind in kinds and scope in (None, held.job.scope)]
        ready = [held for held in asked if _is_ready(held, now, ready_by)]
        for held in ready[:limit]:
            held.job = replace(held.job, state="running", attempts=held.job.attempts + 1)
            held.leased_until = until
        return tuple(held.job for held in ready[:limit])

    def renew(self, ids: Iterable[str], *, until: datetime) -> None:
        for held in self._in_state(ids, "running"):
            held.leased_until = until

    def complete(self, ids: Iterable[str]) -> int:
        done = [self._held.pop(id) for id in dict.fromkeys(ids) if id in self._held]
        gone = {held.job.id for held in done}
        self._named = {name: id for name, id in self._named.items() if id not in gone}
        return len(done)

    def fail(self, id: str, *, error: str, now: datetime, retry_at: datetime | None) -> None:
        held = self._held.get(id)
        # Gone: erased together with its scope while somebody worked on it.
        if held is None:
            return
        failed = replace(held.job, error=error, ready_at=retry_at or now)
        if retry_at is None:
            held.job, held.leased_until = replace(failed, state="dead"), None
        else:
            self._put_back(held, failed)

    def release(self, ids: Iterable[str], *, ready_at: datetime) -> None:
        for held in self._in_state(ids, "running"):
            self._put_back(held, replace(held.job, attempts=held.job.attempts - 1, ready_at=ready_at))

    def revive(self, ids: Iterable[str], *, now: datetime) -> int:
        dead = self._in_state(ids, "dead")
        for held in dead:
            self._put_back(held, replace(held.job, attempts=0, error=None, ready_at=now))
        return len(dead)

    def _put_back(self, held: _Held, job: Job) -> None:
        """Queue it again, unless its twin waits there already and will do the same."""
        if self._waiting(job.scope, job.kind, held.once):
            self.complete([job.id])
        else:
            held.job, held.leased_until = replace(job, state="queued"), None
            self._queue(held)

    def _in_state(self, ids: Iterable[str], state: str) -> list[_Held]:
        return [self._held[id] for id in dict.fromkeys(ids) if id in self._held and self._held[id].job.state == state]

    def listed(self, scope: Scope | None, state: str | None) -> list[tuple[int, Job]]:
        """Jobs with their positions."""
        held = [each for each in self._held.values() if scope in (None, each.job.scope) and state in (None, each.job.state)]
        return [(each.position, each.job) for each in held]

    def states(self, scope: Scope | None) -> dict[str, int]:
        return dict(Counter(job.state for _, job in self.listed(scope, None)))

    def kept(self) -> object:
        """All that is held, for who looks for a text in it."""
        return self._held, self._named

    # erasing

    def drop_scope(self, scope: Scope) -> int:
        return self.complete([job.id for _, job in self.listed(scope, None)])

    def forget(self, scope: Scope, ids: Collection[str], session: str | None) -> int:
        """Jobs that have nothing left to do go; others lose these ids. Returns how many went."""
        idle = []
        for _, job in self.listed(scope, None):
            listed = job.payload.get("ids")
            left = [each for each in listed if each not in ids] if isinstance(listed, list) else listed
            if (session is not None and job.payload.get("session") == session) or (listed and not left):
                idle.append(job.id)
            elif left != listed:
                self._held[job.id].job = replace(job, payload={**job.payload, "ids": left})
        return self.complete(idle)


def _is_ready(held: _Held, now: datetime, ready_by: datetime) -> bool:
    if held.job.state == "running":
        return held.leased_until is not None and held.leased_until <= now
    return held.job.state == "queued" and held.job.ready_at <= ready_by


class HeldJobs:
    """The part of a store that is about jobs."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._closed = False

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("this store was closed, and what it held is gone; make a new one")

    async def enqueue(self, scope: Scope, jobs: Sequence[NewJob]) -> tuple[str, ...]:
        self._check_open()
        check_jobs(jobs)
        return self._queue.add(scope, jobs)

    async def claim(
        self,
        kinds: Sequence[str],
        *,
        now: datetime,
        lease_seconds: float,
        limit: int = 1,
        scope: Scope | None = None,
        ready_by: datetime | None = None,
    ) -> tuple[Job, ...]:
        self._check_open()
        ready_by = now if ready_by is None else ready_by
        check_time(now, "'now'")
        check_time(ready_by, "'ready_by'")
        until = now + timedelta(seconds=lease_seconds)
        return self._queue.claim(kinds, now=now, ready_by=ready_by, until=until, limit=page_limit(limit), scope=scope)

    async def renew(self, ids: Sequence[str], *, now: datetime, lease_seconds: float) -> None:
        self._check_open()
        check_time(now, "'now'")
        self._queue.renew(ids, until=now + timedelta(seconds=lease_seconds))

    async def complete(self, ids: Sequence[str]) -> None:
        self._check_open()
        self._queue.complete(ids)

    async def fail(self, id: str, *, error: str, now: datetime, retry_at: datetime | None) -> None:
        self._check_open()
        self._queue.fail(id, error=error, now=now, retry_at=retry_at)

    async def release(self, ids: Sequence[str], *, ready_at: datetime) -> None:
        self._check_open()
        check_time(ready_at, "ready_at")
        self._queue.release(ids, ready_at=ready_at)

    async def jobs(self, *, scope: Scope | None = None, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        self._check_open()
        return page_of(self._queue.listed(scope, state), after, limit)

    async def revive(self, ids: Sequence[str], *, now: datetime) -> int:
        self._check_open()
        return self._queue.revive(ids, now=now)

    async def waiting_since(self, kinds: Sequence[str], *, now: datetime) -> datetime | None:
        self._check_open()
        check_time(now, "'now'")
        queued = [job for _, job in self._queue.listed(None, "queued") if job.kind in kinds and job.ready_at <= now]
        return min((max(job.ready_at, job.created_at) for job in queued), default=None)
