"""Durable jobs are done once and with patience, whoever fails or is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pagefile.errors import EmbedderError, InputError, ModelUnavailable, StoreUnavailable
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.ports import Job, NewJob
from pagefile.records import Scope
from pagefile.runner import LEASE_SECONDS, OUTAGE_ATTEMPTS, Runner, TooEarly, backoff
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeIds

from .minds import Clock

ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


class Handler:
    """Does what it is told with each job, by its number, and remembers which it did."""

    kinds: tuple[str, ...] = ("work",)
    max_attempts = 3
    at_once = 64

    def __init__(self, do: Callable[[int], BaseException | None], *, ahead: float = 0.0, together: int = 1) -> None:
        self._do, self._together = do, together
        self.ahead = timedelta(seconds=ahead)
        self.done: list[int] = []
        self.hurried: list[bool] = []

    def portion(self, waiting: Sequence[Job]) -> int:
        return min(self._together, len(waiting))

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        await asyncio.sleep(0)
        for job in jobs:
            number = job.payload["number"]
            if (fault := self._do(number)) is not None:
                raise fault
            self.done.append(number)
            self.hurried.append(hurry)


class Workshop:
    """A store with jobs, and a runner of one handler."""

    def __init__(
        self, do: Callable[[int], BaseException | None] = lambda number: None, *, store: MemoryStore | None = None, **options: float
    ) -> None:
        self.store, self.clock = store or MemoryStore(), Clock()
        self.handler = Handler(do, ahead=options.get("ahead", 0.0), together=int(options.get("together", 1)))
        self.runner = Runner(
            Parts(store=self.store, embedder=None, model=ScriptedModel(), now=self.clock, new_id=FakeIds(), zone=UTC),
            self.handler,
        )

    async def put(self, *numbers: int, scope: Scope = ALICE, ready_at: datetime | None = None) -> None:
        await self.store.enqueue(scope, [NewJob(kind="work", payload={"number": number}, ready_at=ready_at) for number in numbers])

    async def left(self) -> list[tuple[int, str, int]]:
        """Number, state and attempts of each job that is there."""
        return [(job.payload["number"], job.state, job.attempts) for job in (await self.store.jobs()).items]


async def test_every_job_is_done_once_and_in_order() -> None:
    shop = Workshop(together=3)
    await shop.put(*range(100))
    await asyncio.gather(shop.runner.drain(), shop.runner.drain(), shop.runner.finish(ALICE))
    assert sorted(shop.handler.done) == list(range(100))
    assert await shop.left() == []


async def test_a_job_that_fails_keeps_no_other_waiting_and_waits_its_own_time() -> None:
    shop = Workshop(lambda number: InputError("this one is bad") if number == 1 else None)
    await shop.put(0, 1, 2)
    await shop.runner.drain()
    assert (shop.handler.done, await shop.left()) == ([0, 2], [(1, "queued", 1)])
    assert (await shop.store.jobs()).items[0].error == "this one is bad"
    for _ in range(5):
        await shop.runner.drain()
    assert await shop.left() == [(1, "queued", 1)]
    shop.clock.advance(seconds=3)
    await shop.runner.drain()
    shop.clock.advance(seconds=5)
    await shop.runner.drain()
    assert await shop.left() == [(1, "dead", 3)]


async def test_jobs_that_must_wait_hide_none_behind_them() -> None:
    shop = Workshop(lambda number: InputError("bad") if number < 70 else None, ahead=20)
    await shop.put(*range(70))
    await shop.runner.drain()
    await shop.put(100)
    await shop.runner.drain()
    assert shop.handler.done == [100]
    assert {(state, attempts) for _, state, attempts in await shop.left()} == {("queued", 1)}


async def test_a_fault_that_is_no_error_of_ours_is_told_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    faults = [ZeroDivisionError("a bug")]
    shop = Workshop(lambda number: faults.pop() if faults else None)
    await shop.put(0)
    await shop.runner.drain()
    assert (shop.runner.trouble, "a bug" in caplog.text) == ("a bug", True)
    shop.clock.advance(seconds=3)
    await shop.runner.drain()
    assert (shop.handler.done, shop.runner.trouble) == ([0], None)


@pytest.mark.parametrize(
    "fault", [ModelUnavailable("down"), EmbedderError("down"), StoreUnavailable("down")], ids=lambda fault: type(fault).__name__
)
async def test_what_all_jobs_need_is_tried_by_one_of_them_and_for_long(fault: Exception) -> None:
    tried: list[int] = []
    shop = Workshop(lambda number: tried.append(number) or fault)  # type: ignore[func-returns-value]
    await shop.put(0, 1, 2)
    await shop.runner.drain()
    assert tried == [0]
    for _ in range(3 * OUTAGE_ATTEMPTS):
        shop.clock.advance(minutes=6)
        await shop.runner.drain()
    assert {state for _, state, _ in await shop.left()} == {"dead"}
    assert {attempts for _, _, attempts in await shop.left()} == {OUTAGE_ATTEMPTS}


@pytest.mark.parametrize("hurry", [True, False])
async def test_a_job_before_its_time_is_done_only_for_who_waits(hurry: bool) -> None:
    shop = Workshop(ahead=10)
    await shop.put(0, ready_at=shop.clock.now + timedelta(seconds=5))
    await shop.put(1, ready_at=shop.clock.now + timedelta(seconds=60))
    if hurry:
        await shop.runner.drain()
    else:
        shop.runner.start()
        await asyncio.sleep(0.1)
        await shop.runner.stop()
    assert shop.handler.done == ([0] if hurry else [])
    assert shop.handler.hurried == ([True] if hurry else [])


async def test_a_job_that_is_too_early_waits_without_an_attempt_and_without_being_asked_all_the_time() -> None:
    asked: list[int] = []
    shop = Workshop(ahead=20)

    def not_yet(number: int) -> BaseException:
        asked.append(number)
        return TooEarly(shop.clock.now + timedelta(seconds=5), "the budget is used up")

    shop.handler._do = not_yet
    await shop.put(0, 1)
    await asyncio.wait_for(shop.runner.drain(), 20)
    assert (asked, await shop.left()) == ([0, 1], [(0, "queued", 0), (1, "queued", 0)])
    assert shop.runner.trouble == "the budget is used up"


async def test_finishing_for_one_user_does_not_work_for_others() -> None:
    shop = Workshop()
    await shop.put(0, scope=ALICE)
    await shop.put(1, scope=BOB)
    await shop.runner.finish(ALICE)
    assert shop.handler.done == [0]


async def test_finishing_waits_for_what_is_in_hand_elsewhere() -> None:
    shop = Workshop()
    await shop.put(*range(50))
    draining = asyncio.create_task(shop.runner.drain())
    await asyncio.sleep(0)
    await shop.runner.finish(ALICE)
    assert sorted(shop.handler.done) == list(range(50))
    await draining


async def test_what_is_in_hand_when_it_is_stopped_is_put_back_at_once() -> None:
    shop = Workshop()

    async def forever(jobs: Sequence[Job], *, hurry: bool) -> None:
        await asyncio.sleep(3_600)

    shop.handler.do = forever  # type: ignore[method-assign]
    await shop.put(0, 1)
    shop.runner.start()
    await asyncio.sleep(0.1)
    assert {state for _, state, _ in await shop.left()} == {"running"}
    await shop.runner.stop()
    assert await shop.left() == [(0, "queued", 0), (1, "queued", 0)]


async def test_the_jobs_of_a_process_that_died_are_done_when_its_lease_is_over() -> None:
    shop = Workshop()
    await shop.put(0)
    await shop.store.claim(["work"], now=shop.clock(), lease_seconds=LEASE_SECONDS)
    await shop.runner.drain()
    assert shop.handler.done == []
    shop.clock.advance(seconds=LEASE_SECONDS + 1)
    await shop.runner.drain()
    assert shop.handler.done == [0]


class Flaky(MemoryStore):
    """Cannot be reached for a while."""

    is_down = False

    async def claim(self, *arguments: object, **options: object) -> tuple[Job, ...]:
        if self.is_down:
            raise StoreUnavailable("the disk is away")
        return await super().claim(*arguments, **options)  # type: ignore[arg-type]


async def test_the_loop_outlives_a_store_that_cannot_be_reached(caplog: pytest.LogCaptureFixture) -> None:
    store = Flaky()
    store.is_down = True
    shop = Workshop(store=store)
    await shop.put(0)
    shop.runner.start()
    await asyncio.sleep(0.1)
    assert (shop.runner.trouble, "background work failed" in caplog.text) == ("the disk is away", True)
    store.is_down = False
    shop.runner.wake()
    async with asyncio.timeout(20):
        while not shop.handler.done:
            await asyncio.sleep(0.01)
    await shop.runner.stop()


def test_patience_grows_and_has_an_end() -> None:
    waits = [backoff(attempts) for attempts in range(1, 100)]
    assert (waits[0], waits[1], waits[-1]) == (timedelta(seconds=2), timedelta(seconds=4), timedelta(minutes=5))
    assert waits == sorted(waits)


async def test_it_stops_at_once_also_where_the_store_takes_nothing_back() -> None:
    begun = asyncio.Event()

    class Endless(Handler):
        async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
            begun.set()
            await asyncio.Event().wait()

    shop = Workshop()
    shop.runner._handler = Endless(lambda number: None)
    await shop.put(1, 2)
    shop.runner.start()
    await begun.wait()
    await shop.store.close()
    async with asyncio.timeout(5):
        await shop.runner.stop()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "pagefile-work"]


class Counting(MemoryStore):
    """Counts how often jobs are looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = 0

    async def claim(self, *arguments: Any, **options: Any) -> tuple[Job, ...]:
        self.looked += 1
        return await super().claim(*arguments, **options)


async def test_who_waits_for_a_few_jobs_has_them_looked_for_once() -> None:
    store = Counting()
    shop = Workshop(store=store)
    await shop.put(1, 2, 3)
    await shop.runner.finish(ALICE)
    assert (shop.handler.done, store.looked) == ([1, 2, 3], 1)


async def test_jobs_are_looked_for_again_when_there_may_be_more_than_were_taken() -> None:
    store = Counting()
    shop = Workshop(store=store)
    await shop.put(*range(shop.handler.at_once + 1))
    await shop.runner.finish(ALICE)
    assert (sorted(shop.handler.done), store.looked) == (list(range(shop.handler.at_once + 1)), 2)


async def test_a_job_that_comes_of_another_is_done_before_anybody_goes_on() -> None:
    shop = Workshop()

    async def do(jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            shop.handler.done.append(job.payload["number"])
            if job.payload["number"] == 1:
                await shop.put(2)
                shop.runner.wake()

    shop.handler.do = do  # type: ignore[method-assign]
    await shop.put(1)
    await shop.runner.finish(ALICE)
    assert shop.handler.done == [1, 2]


async def test_many_who_announce_jobs_for_later_cost_one_look() -> None:
    store = Counting()
    shop = Workshop(store=store)
    shop.runner.start()
    while not store.looked:
        await asyncio.sleep(0)
    for number in range(50):
        await shop.put(number)
        shop.runner.wake_later(timedelta(milliseconds=20))
    assert store.looked == 1
    while len(shop.handler.done) < 50:
        await asyncio.sleep(0.005)
    await shop.runner.stop()
    assert store.looked <= 3
