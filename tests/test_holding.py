"""One turn at a time in a session, in this program and in others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import pagefile.holding
from pagefile.errors import SessionBusy
from pagefile.holding import LEASE_SECONDS, Hold, OneTurn
from pagefile.messages import Lease
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.records import Scope
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.fakes import FakeClock, FakeIds, make_draft

ALICE = Scope("default", "alice")


def parts_of(store: SqliteStore | MemoryStore) -> Parts:
    return Parts(store=store, embedder=None, model=ScriptedModel(), now=FakeClock(), new_id=FakeIds(), zone=ZoneInfo("Asia/Shanghai"))


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[tuple[Parts, Parts]]:
    """Two programs on one file."""
    stores = [await SqliteStore.open(tmp_path / "a.db") for _ in range(2)]
    first, second = map(parts_of, stores)
    yield first, replace(second, now=first.now)
    for store in stores:
        await store.close()


@asynccontextmanager
async def turn_in(parts: Parts, session: str = "s", *, wait_seconds: float = 600.0) -> AsyncIterator[Hold]:
    """A turn that has begun with a message, and ends without a reply."""
    async with OneTurn(parts, ALICE, session, wait_seconds=wait_seconds).alone() as hold:
        await hold.begin(lambda lease: parts.store.append(ALICE, session, [make_draft("a question")], lease=lease))
        yield hold


async def test_turns_of_one_program_run_in_the_order_they_came() -> None:
    parts, order = parts_of(MemoryStore()), list[str]()

    async def turn(number: int) -> None:
        async with turn_in(parts):
            order.append(f"{number} begins")
            await asyncio.sleep(0.001)
            order.append(f"{number} ends")

    await asyncio.gather(*(turn(number) for number in range(5)))
    assert order == [f"{number} {what}" for number in range(5) for what in ("begins", "ends")]


async def test_a_turn_of_another_program_is_waited_for(programs: tuple[Parts, Parts]) -> None:
    first, second = programs
    order: list[str] = []

    async def other() -> None:
        async with turn_in(second):
            order.append("second")

    async with turn_in(first):
        waiting = asyncio.create_task(other())
        await asyncio.sleep(0.1)
        async with turn_in(second, "another"):
            order.append("another session")
        order.append("first")
    await waiting
    assert order == ["another session", "first", "second"]


async def test_a_session_whose_program_died_is_free_after_its_lease(programs: tuple[Parts, Parts]) -> None:
    dead, living = programs
    lease = Lease(holder="dead", now=dead.now(), seconds=LEASE_SECONDS)
    await dead.store.append(ALICE, "s", [make_draft("its last words")], lease=lease)
    with pytest.raises(SessionBusy, match="'s' goes on"):
        async with turn_in(living, wait_seconds=0.05):
            pass
    assert isinstance(living.now, FakeClock)
    living.now.advance(LEASE_SECONDS)
    async with turn_in(living, wait_seconds=0.05):
        pass


async def test_a_turn_that_takes_long_keeps_its_session(programs: tuple[Parts, Parts], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagefile.holding, "LEASE_SECONDS", 0.15)
    first, second = programs
    assert isinstance(first.now, FakeClock)
    async with turn_in(first):
        for _ in range(10):
            first.now.advance(0.05)
            await asyncio.sleep(0.06)
        assert not await second.store.hold(ALICE, "s", Lease(holder="other", now=second.now(), seconds=1))


async def test_who_waits_too_long_is_told_and_the_line_goes_on() -> None:
    parts = parts_of(MemoryStore())
    async with turn_in(parts):
        with pytest.raises(SessionBusy):
            async with turn_in(parts, wait_seconds=0.02):
                pass
    async with turn_in(parts, wait_seconds=0.02):
        pass


async def test_a_turn_that_is_cancelled_while_it_waits_or_works_leaves_the_session_free(programs: tuple[Parts, Parts]) -> None:
    first, second = programs

    async def turn(parts: Parts) -> None:
        async with turn_in(parts):
            await asyncio.sleep(60)

    working, waiting = asyncio.create_task(turn(first)), asyncio.create_task(turn(second))
    await asyncio.sleep(0.1)
    for task in (waiting, working):
        task.cancel()
    await asyncio.gather(working, waiting, return_exceptions=True)
    for parts in programs:
        async with turn_in(parts, wait_seconds=0.05):
            pass


async def test_a_turn_gives_its_session_free_with_its_reply(programs: tuple[Parts, Parts]) -> None:
    first, second = programs
    async with turn_in(first) as hold:
        await first.store.append(ALICE, "s", [make_draft("an answer")], lease=hold.ending())
        hold.ended()
        async with turn_in(second, wait_seconds=0.05):
            pass
        # The first one still winds up, and must not take the session from a third.
        await second.store.append(ALICE, "s", [make_draft("more")], lease=Lease(holder="third", now=second.now(), seconds=9))
    assert not await first.store.hold(ALICE, "s", Lease(holder="fourth", now=first.now(), seconds=9))
