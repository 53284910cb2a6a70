"""One turn at a time in a session, in this program and in others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import pagefile.holding
from pagefile.errors import SessionBusy
from pagefile.holding import LEASE_SECONDS, OneTurn
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.records import Scope
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.fakes import FakeClock, FakeIds

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


async def test_turns_of_one_program_run_in_the_order_they_came() -> None:
    parts, order = parts_of(MemoryStore()), list[str]()

    async def turn(number: int) -> None:
        async with OneTurn(parts, ALICE, "s").alone():
            order.append(f"{number} begins")
            await asyncio.sleep(0.001)
            order.append(f"{number} ends")

    await asyncio.gather(*(turn(number) for number in range(5)))
    assert order == [f"{number} {what}" for number in range(5) for what in ("begins", "ends")]


async def test_a_turn_of_another_program_is_waited_for(programs: tuple[Parts, Parts]) -> None:
    first, second = programs
    order: list[str] = []

    async def other() -> None:
        async with OneTurn(second, ALICE, "s").alone():
            order.append("second")

    async with OneTurn(first, ALICE, "s").alone():
        waiting = asyncio.create_task(other())
        await asyncio.sleep(0.1)
        async with OneTurn(second, ALICE, "another").alone():
            order.append("another session")
        order.append("first")
    await waiting
    assert order == ["another session", "first", "second"]


async def test_a_session_whose_program_died_is_free_after_its_lease(programs: tuple[Parts, Parts]) -> None:
    dead, living = programs
    await dead.store.hold(ALICE, "s", "dead", now=dead.now(), lease_seconds=LEASE_SECONDS)
    with pytest.raises(SessionBusy, match="'s' goes on"):
        async with OneTurn(living, ALICE, "s", wait_seconds=0.05).alone():
            pass
    assert isinstance(living.now, FakeClock)
    living.now.advance(LEASE_SECONDS)
    async with OneTurn(living, ALICE, "s", wait_seconds=0.05).alone():
        pass


async def test_a_turn_that_takes_long_keeps_its_session(programs: tuple[Parts, Parts], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagefile.holding, "LEASE_SECONDS", 0.15)
    first, second = programs
    assert isinstance(first.now, FakeClock)
    async with OneTurn(first, ALICE, "s").alone():
        for _ in range(10):
            first.now.advance(0.05)
            await asyncio.sleep(0.06)
        assert not await second.store.hold(ALICE, "s", "other", now=second.now(), lease_seconds=1)


async def test_who_waits_too_long_is_told_and_the_line_goes_on() -> None:
    parts = parts_of(MemoryStore())
    async with OneTurn(parts, ALICE, "s").alone():
        with pytest.raises(SessionBusy):
            async with OneTurn(parts, ALICE, "s", wait_seconds=0.02).alone():
                pass
    async with OneTurn(parts, ALICE, "s", wait_seconds=0.02).alone():
        pass


async def test_a_turn_that_is_cancelled_while_it_waits_or_works_leaves_the_session_free(programs: tuple[Parts, Parts]) -> None:
    first, second = programs

    async def turn(parts: Parts) -> None:
        async with OneTurn(parts, ALICE, "s").alone():
            await asyncio.sleep(60)

    working, waiting = asyncio.create_task(turn(first)), asyncio.create_task(turn(second))
    await asyncio.sleep(0.1)
    for task in (waiting, working):
        task.cancel()
    await asyncio.gather(working, waiting, return_exceptions=True)
    for parts in programs:
        async with OneTurn(parts, ALICE, "s", wait_seconds=0.05).alone():
            pass
