"""Jobs: enqueued with what they are about, claimed by one at a time, retried, buried and revived."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from pagefile.errors import ConflictError
from pagefile.ports import Job, NewJob, Store
from pagefile.records import Add, Block, Change, Edit, Indexing, Retire
from pagefile.testing.fakes import START, FakeClock, indexing_of, make_cause, make_draft, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, all_pages, ids, learn, rewrite, say


async def enqueue(store: Store, *kinds: str) -> list[str]:
    """One job of each of these kinds for Alice, in this order."""
    return [id for kind in kinds for id in await store.enqueue(ALICE, [NewJob(kind=kind)])]


async def embed_jobs(store: Store) -> list[list[str]]:
    return [job.payload["ids"] for job in (await store.jobs(scope=ALICE)).items if job.kind == "embed"]


async def the_job(store: Store) -> Job:
    (job,) = (await store.jobs()).items
    return job


class JobsContract(Contract):
    # --- enqueued with what they are about ---

    async def test_an_append_enqueues_its_jobs_and_one_to_embed_what_was_stored(self, store: Store) -> None:
        await say(store, "old", external_id="m1")
        before = len(await embed_jobs(store))
        drafts = [make_draft("a"), make_draft("b", indexing=Indexing(terms={"b": 1})), make_draft("old", external_id="m1"), make_draft("c")]
        await store.append(ALICE, "s", drafts, jobs=[NewJob(kind="learn", payload={"session": "s", "从": [1, 2.5, None, True]})])
        assert (await embed_jobs(store))[before:] == [[drafts[0].id, drafts[3].id]]
        (learning,) = [job for job in (await store.jobs()).items if job.kind == "learn"]
        assert (learning.scope, learning.state, learning.attempts, learning.error) == (ALICE, "queued", 0, None)
        assert learning.payload == {"session": "s", "从": [1, 2.5, None, True]}

    async def test_an_append_with_nothing_to_embed_enqueues_nothing(self, store: Store) -> None:
        await say(store, "a", indexing=Indexing(terms={"a": 1}))
        assert (await store.jobs()).total == 0

    async def test_a_refused_append_enqueues_nothing(self, store: Store) -> None:
        (message,) = await say(store, "a", indexing=Indexing())
        with pytest.raises(ConflictError):
            await store.append(ALICE, "s", [make_draft("b", id=message.id)], jobs=[NewJob(kind="learn")])
        assert (await store.jobs()).total == 0

    async def test_one_call_to_apply_enqueues_one_job_to_embed_all_new_texts(self, store: Store) -> None:
        (old,) = await learn(store, "old")
        one, two = make_record("one"), make_record("two")
        changes: list[Change] = [
            Add(item=one, cause=make_cause(), indexing=indexing_of("one")),
            Add(item=Block(label="persona"), cause=make_cause()),
            Edit(target=old.id, fields={"text": "new"}, cause=make_cause(), indexing=indexing_of("new")),
            Add(item=two, cause=make_cause(), indexing=indexing_of("two")),
        ]
        await store.apply(ALICE, changes, jobs=[NewJob(kind="tidy")])
        jobs = await embed_jobs(store)
        assert jobs[0] == [old.id]
        assert [sorted(job) for job in jobs[1:]] == [sorted([one.id, old.id, two.id])]
        assert [job.kind for job in (await store.jobs()).items].count("tidy") == 1

    async def test_a_change_that_keeps_the_text_enqueues_nothing_to_embed(self, store: Store) -> None:
        (record,) = await learn(store, "old")
        before = await embed_jobs(store)
        await store.apply(ALICE, [Edit(target=record.id, fields={"pinned": True}, cause=make_cause())])
        await rewrite(store, record.id, "old")
        await store.apply(ALICE, [Retire(target=record.id, cause=make_cause())])
        assert await embed_jobs(store) == before

    # --- claiming ---

    async def test_a_new_job_is_ready_at_once_whatever_the_claimers_clock_says(self, store: Store) -> None:
        (id,) = await enqueue(store, "learn")
        assert ids(await store.claim(["learn"], now=START.replace(year=2001), lease_seconds=60)) == [id]

    async def test_jobs_are_claimed_oldest_first_and_only_of_the_kinds_and_scope_asked(self, store: Store) -> None:
        one, other, two, three = await enqueue(store, "learn", "tidy", "learn", "learn")
        (bobs,) = await store.enqueue(BOB, [NewJob(kind="learn")])
        claim = partial(store.claim, now=START, lease_seconds=60)
        assert await claim([]) == ()
        assert await claim(["unknown", "lear%", "learn' OR '1'='1"]) == ()
        assert ids(await claim(["learn"], scope=BOB)) == [bobs]
        assert ids(await claim(["learn"], limit=2)) == [one, two]
        assert ids(await claim(["learn", "tidy"], limit=10)) == [other, three]
        assert await claim(["learn", "tidy"], limit=10) == ()

    async def test_a_claimed_job_is_running_and_counts_the_attempt(self, store: Store) -> None:
        await enqueue(store, "learn")
        (job,) = await store.claim(["learn"], now=START, lease_seconds=60)
        assert (job.state, job.attempts) == ("running", 1)
        assert await the_job(store) == job

    async def test_a_job_is_claimed_again_only_when_its_lease_has_run_out(self, store: Store) -> None:
        clock = FakeClock()
        await enqueue(store, "learn")
        await store.claim(["learn"], now=clock(), lease_seconds=60)
        assert await store.claim(["learn"], now=clock.advance(59), lease_seconds=60) == ()
        (job,) = await store.claim(["learn"], now=clock.advance(1), lease_seconds=60)
        assert job.attempts == 2
        assert await store.claim(["learn"], now=clock.advance(59), lease_seconds=60) == ()

    async def test_a_lease_that_is_renewed_runs_from_then_on(self, store: Store) -> None:
        clock = FakeClock()
        (id, waiting) = await enqueue(store, "learn", "tidy")
        await store.claim(["learn"], now=clock(), lease_seconds=60)
        await store.renew([id, waiting, "nobody"], now=clock.advance(50), lease_seconds=60)
        assert await store.claim(["learn"], now=clock.advance(59), lease_seconds=60) == ()
        assert ids(await store.claim(["tidy"], now=clock(), lease_seconds=60)) == [waiting]
        assert ids(await store.claim(["learn"], now=clock.advance(1), lease_seconds=60)) == [id]

    async def test_jobs_can_be_claimed_before_they_are_due_but_not_out_of_other_hands(self, store: Store) -> None:
        later = START + timedelta(seconds=30)
        (held,) = await enqueue(store, "learn")
        await store.claim(["learn"], now=START, lease_seconds=10)
        (due,) = await store.enqueue(ALICE, [NewJob(kind="learn", ready_at=later)])
        assert await store.claim(["learn"], now=START, lease_seconds=60) == ()
        assert ids(await store.claim(["learn"], now=START, ready_by=later, lease_seconds=60, limit=10)) == [due]
        assert (await store.jobs(state="running")).total == 2
        assert held != due

    async def test_no_two_claimers_get_the_same_job(self, store: Store) -> None:
        await store.enqueue(ALICE, [NewJob(kind="learn") for _ in range(60)])
        claimed: list[str] = []

        async def worker() -> None:
            while jobs := await store.claim(["learn"], now=START, lease_seconds=60, limit=4):
                claimed.extend(ids(jobs))
                await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(worker)
        assert (len(claimed), len(set(claimed))) == (60, 60)

    # --- done, failed, dead ---

    async def test_a_completed_job_is_gone(self, store: Store) -> None:
        one, two = await enqueue(store, "learn", "learn")
        await store.claim(["learn"], now=START, lease_seconds=60)
        await store.complete([one, "nobody"])
        assert ids((await store.jobs()).items) == [two]

    async def test_a_failed_job_comes_back_when_it_is_due_and_says_why_it_failed(self, store: Store) -> None:
        clock = FakeClock()
        (id,) = await enqueue(store, "learn")
        await store.claim(["learn"], now=clock(), lease_seconds=600)
        await store.fail(id, error="HTTP 401: 密钥无效", now=clock(), retry_at=clock() + timedelta(seconds=30))
        job = await the_job(store)
        assert (job.state, job.attempts, job.error, job.ready_at) == ("queued", 1, "HTTP 401: 密钥无效", clock() + timedelta(seconds=30))
        assert await store.claim(["learn"], now=clock.advance(29), lease_seconds=60) == ()
        (again,) = await store.claim(["learn"], now=clock.advance(1), lease_seconds=60)
        assert again.attempts == 2

    async def test_a_job_that_waits_for_its_retry_holds_up_no_other(self, store: Store) -> None:
        one, two = await enqueue(store, "learn", "learn")
        await store.claim(["learn"], now=START, lease_seconds=60)
        await store.fail(one, error="later", now=START, retry_at=START + timedelta(hours=1))
        assert ids(await store.claim(["learn"], now=START, lease_seconds=60)) == [two]

    async def test_a_dead_job_stays_visible_and_is_never_claimed(self, store: Store) -> None:
        (id,) = await enqueue(store, "learn")
        await store.claim(["learn"], now=START, lease_seconds=60)
        await store.fail(id, error="no such model", now=START, retry_at=None)
        assert await store.claim(["learn"], now=START + timedelta(days=365), lease_seconds=60) == ()
        (job,) = (await store.jobs(state="dead")).items
        assert (job.id, job.state, job.error) == (id, "dead", "no such model")
        assert (await store.jobs(state="queued")).total == 0
        assert (await store.stats()).jobs == {"dead": 1}

    async def test_a_revived_job_is_as_new(self, store: Store) -> None:
        (id, other) = await enqueue(store, "learn", "tidy")
        await store.claim(["learn"], now=START, lease_seconds=60)
        await store.fail(id, error="no such model", now=START, retry_at=None)
        assert await store.revive([id, other, "nobody"], now=START) == 1
        job = (await store.jobs()).items[0]
        assert (job.id, job.state, job.attempts, job.error) == (id, "queued", 0, None)
        assert ids(await store.claim(["learn"], now=START, lease_seconds=60)) == [id]

    async def test_finishing_a_job_that_is_gone_is_no_error(self, store: Store) -> None:
        await store.complete(["nobody"])
        await store.fail("nobody", error="x", now=START, retry_at=None)
        await store.complete([])

    # --- listing ---

    async def test_jobs_are_listed_page_by_page_by_scope_and_state(self, store: Store) -> None:
        mine = await enqueue(store, *["learn"] * 5)
        await store.enqueue(BOB, [NewJob(kind="learn")])
        await store.claim(["learn"], now=START, lease_seconds=60, limit=2)
        assert ids(await all_pages(partial(store.jobs, scope=ALICE), limit=2)) == mine
        page = await store.jobs(scope=ALICE, state="queued", limit=2)
        assert (ids(page.items), page.total) == (mine[2:4], 3)
        assert (await store.jobs(state="running")).total == 2
        assert (await store.jobs()).total == 6

    async def test_enqueued_jobs_get_ids_in_the_order_given(self, store: Store) -> None:
        made = await store.enqueue(ALICE, [NewJob(kind="a"), NewJob(kind="b")])
        assert [(job.id, job.kind) for job in (await store.jobs()).items] == [(made[0], "a"), (made[1], "b")]
        assert await store.enqueue(ALICE, []) == ()
