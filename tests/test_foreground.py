"""Background work gives way to people who wait, and gets done all the same."""

from __future__ import annotations

import asyncio

from pagefile.foreground import Foreground

#: More than any of this takes; a hang fails the test.
PATIENCE = 10.0


async def test_work_goes_on_at_once_when_nobody_is_served() -> None:
    async with asyncio.timeout(PATIENCE):
        await Foreground().give_way(1_000.0)


async def test_work_goes_on_when_the_last_one_was_served() -> None:
    foreground = Foreground()
    foreground.busy()
    async with asyncio.timeout(PATIENCE):
        await foreground.give_way(1_000.0)


async def test_work_goes_on_under_a_load_that_never_ends() -> None:
    foreground = Foreground()

    async def load() -> None:
        while True:
            foreground.busy()
            await asyncio.sleep(0)

    loading = asyncio.create_task(load())
    async with asyncio.timeout(PATIENCE):
        await foreground.give_way(0.01)
    assert not loading.done()
    loading.cancel()


async def test_work_waits_while_somebody_is_served() -> None:
    foreground = Foreground()
    foreground.busy()
    waiting = asyncio.create_task(foreground.give_way(1_000.0))
    for _ in range(50):
        foreground.busy()
        await asyncio.sleep(0)
    assert not waiting.done()
    async with asyncio.timeout(PATIENCE):
        await waiting
