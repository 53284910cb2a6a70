"""Jobs that wait once, jobs for later, and jobs that were claimed too early."""

from __future__ import annotations

from datetime import timedelta

import anyio
import pytest

from pagefile.errors import ConflictError, InputError
from pagefile.ports import Job, NewJob, Store
from pagefile.records import Add, Indexing
from pagefile.testing.fakes import START, make_cause, make_draft, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, ids, say

LATER = START + timedelta(minutes=5)
LEARN = NewJob(kind="learn", once="session s")


async def states(store: Store) -> list[tuple[str, int]]:
    """State and attempts of all jobs of Alice, oldest first."""
    return [(job.state, job.attempts) for job in (await store.jobs(scope=ALICE)).items]


async def claim(store: Store, *, lease_seconds: float = 60) -> Job:
    (job,) = await store.claim(["learn"], now=LATER, lease_seconds=lease_seconds)
    return job


class OnceContract(Contract):
    # --- once ---

    async def test_while_a_job_of_a_kind_and_name_waits_no_other_is_added(self, store: Store) -> None:
        first = NewJob(kind="learn", once="session s", payload={"from": 1}, ready_at=LATER)
        await store.enqueue(ALICE, [first])
        again = NewJob(kind="learn", once="session s", payload={"from": 2})
        await store.enqueue(ALICE, [again, again])
        await say(store, "tea", indexing=Indexing())
        await store.append(ALICE, "s", [make_draft("milk", indexing=Indexing())], jobs=[again])
        await store.apply(ALICE, [Add(item=make_record("x"), cause=make_cause())], jobs=[again])
        (job,) = (await store.jobs()).items
        assert (job.payload, job.ready_at) == ({"from": 1}, LATER)

    async def test_other_kinds_names_and_scopes_and_nameless_jobs_are_added_beside_it(self, store: Store) -> None:
        await store.enqueue(ALICE, [LEARN])
        others = [NewJob(kind="tidy", once="session s"), NewJob(kind="learn", once="session S"), NewJob(kind="learn", once="")]
        await store.enqueue(ALICE, [*others, NewJob(kind="learn"), NewJob(kind="learn")])
        await store.enqueue(BOB, [LEARN])
        assert ((await store.jobs(scope=ALICE)).total, (await store.jobs(scope=BOB)).total) == (6, 1)

    async def test_a_job_that_runs_keeps_no_other_from_being_added(self, store: Store) -> None:
        await store.enqueue(ALICE, [LEARN])
        await claim(store)
        await store.enqueue(ALICE, [LEARN])
        await store.enqueue(ALICE, [LEARN])
        assert await states(store) == [("running", 1), ("queued", 0)]

    async def test_one_that_is_done_or_dead_keeps_no_other_from_being_added(self, store: Store) -> None:
        await store.enqueue(ALICE, [LEARN])
        await store.complete([(await claim(store)).id])
        await store.enqueue(ALICE, [LEARN])
        await store.fail((await claim(store)).id, error="x", now=LATER, retry_at=None)
        await store.enqueue(ALICE, [LEARN])
        assert await states(store) == [("dead", 1), ("queued", 0)]

    @pytest.mark.parametrize("way", ["fail", "release"])
    async def test_a_job_put_back_waits_once_again(self, store: Store, way: str) -> None:
        await store.enqueue(ALICE, [LEARN])
        await put_back(store, await claim(store), way)
        await store.enqueue(ALICE, [LEARN])
        assert await states(store) == [("queued", {"fail": 1, "release": 0}[way])]

    @pytest.mark.parametrize("way", ["fail", "release"])
    async def test_a_job_put_back_while_its_twin_waits_is_done(self, store: Store, way: str) -> None:
        await store.enqueue(ALICE, [LEARN])
        old = await claim(store)
        (twin,) = await store.enqueue(ALICE, [LEARN])
        await store.enqueue(ALICE, [NewJob(kind="tidy", once="session s")])
        await put_back(store, old, way)
        assert [(job.kind, job.state) for job in (await store.jobs()).items] == [("learn", "queued"), ("tidy", "queued")]
        assert (await claim(store)).id == twin

    async def test_of_twins_that_run_one_is_put_back_and_the_other_is_done(self, store: Store) -> None:
        await store.enqueue(ALICE, [LEARN])
        one = await claim(store)
        await store.enqueue(ALICE, [LEARN])
        two = await claim(store)
        await store.release([one.id, two.id], ready_at=LATER)
        assert await states(store) == [("queued", 0)]

    async def test_of_dead_twins_one_is_revived_and_none_beside_one_that_waits(self, store: Store) -> None:
        dead = []
        for _ in range(2):
            await store.enqueue(ALICE, [LEARN])
            dead.append((await claim(store)).id)
            await store.fail(dead[-1], error="x", now=LATER, retry_at=None)
        await store.revive(dead, now=LATER)
        assert await states(store) == [("queued", 0)]
        await store.fail((await claim(store)).id, error="x", now=LATER, retry_at=None)
        (twin,) = await store.enqueue(ALICE, [LEARN])
        await store.revive(ids((await store.jobs(state="dead")).items), now=LATER)
        assert ids((await store.jobs()).items) == [twin]

    async def test_a_refused_call_adds_no_job(self, store: Store) -> None:
        (message,) = await say(store, "a", indexing=Indexing())
        with pytest.raises(ConflictError):
            await store.append(ALICE, "s", [make_draft("b", id=message.id)], jobs=[LEARN])
        assert (await store.jobs()).total == 0
        await store.enqueue(ALICE, [LEARN])
        assert (await store.jobs()).total == 1

    async def test_of_many_added_at_once_one_waits(self, store: Store) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(store.enqueue, ALICE, [LEARN])
        assert await states(store) == [("queued", 0)]

    async def test_a_job_that_went_with_its_scope_or_session_keeps_none_from_being_added(self, store: Store) -> None:
        named = NewJob(kind="learn", once="session s", payload={"session": "s"})
        for erase in ({"session": "s"}, {}):
            await say(store, "tea", indexing=Indexing())
            await store.enqueue(ALICE, [named])
            await store.erase(ALICE, **erase)
            assert (await store.jobs()).total == 0
        await store.enqueue(ALICE, [named])
        assert (await store.jobs()).total == 1

    # --- for later ---

    async def test_a_job_for_later_is_not_claimed_before_its_time(self, store: Store) -> None:
        await store.enqueue(ALICE, [NewJob(kind="learn", ready_at=LATER)])
        (now,) = await store.enqueue(ALICE, [NewJob(kind="learn")])
        assert ids(await store.claim(["learn"], now=LATER - timedelta(microseconds=1), lease_seconds=60, limit=9)) == [now]
        (job,) = await store.claim(["learn"], now=LATER, lease_seconds=60, limit=9)
        assert job.ready_at == LATER

    # --- too early ---

    async def test_a_released_job_comes_back_when_it_is_due_as_if_not_tried(self, store: Store) -> None:
        await store.enqueue(ALICE, [NewJob(kind="learn", payload={"session": "s"})])
        first = await claim(store)
        await store.fail(first.id, error="HTTP 500", now=LATER, retry_at=LATER)
        second = await claim(store)
        await store.release([second.id], ready_at=LATER + timedelta(minutes=1))
        (job,) = (await store.jobs()).items
        assert (job.state, job.attempts, job.error, job.payload) == ("queued", 1, "HTTP 500", {"session": "s"})
        assert job.ready_at == LATER + timedelta(minutes=1)
        assert await store.claim(["learn"], now=LATER + timedelta(seconds=59), lease_seconds=60) == ()
        (again,) = await store.claim(["learn"], now=LATER + timedelta(minutes=1), lease_seconds=60)
        assert again.attempts == 2

    async def test_only_claimed_jobs_are_released(self, store: Store) -> None:
        dead, waiting = await store.enqueue(ALICE, [NewJob(kind="learn"), NewJob(kind="tidy", ready_at=LATER)])
        await claim(store)
        await store.fail(dead, error="x", now=LATER, retry_at=None)
        before = (await store.jobs()).items
        await store.release([dead, waiting, "nobody"], ready_at=START)
        await store.release([], ready_at=START)
        assert (await store.jobs()).items == before

    @pytest.mark.parametrize("once", ["nul \0", "\ud83d"], ids=ascii)
    async def test_a_name_that_cannot_be_kept_is_refused(self, store: Store, once: str) -> None:
        with pytest.raises(InputError):
            await store.enqueue(ALICE, [NewJob(kind="learn", once=once)])
        assert (await store.jobs()).total == 0


async def put_back(store: Store, job: Job, way: str) -> None:
    if way == "fail":
        await store.fail(job.id, error="x", now=LATER, retry_at=LATER)
    else:
        await store.release([job.id], ready_at=LATER)
