"""A program that adds and learns, and can be killed: run by ``test_concurrent_learning.py`` with the path of a store, a verb and numbers.

``add PATH FIRST LAST``: add the statements of these numbers, one by one, and say which were acknowledged. ``learn PATH``: learn until
nothing is left. ``remember PATH TIMES``: remember one fact so many times. ``hold PATH``: claim what is to be learnt and never do it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime

from pagefile.memory import AsyncMemory
from pagefile.runner import LEASE_SECONDS
from pagefile.stores.sqlite import SqliteStore

FIRST_NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Ida", "Jonas")
LAST_NAMES = ("Adler", "Bauer", "Conrad", "Dorn", "Engel", "Fuchs", "Graf", "Huber", "Ivers", "Jung")
FACT = "I'm allergic to peanuts."


def statement(number: int) -> str:
    """A sentence that states one fact, another one for each number under a hundred."""
    return f"My friend {FIRST_NAMES[number % 10]} {LAST_NAMES[number // 10]} likes jazz."


async def add(path: str, first: int, last: int) -> None:
    async with await AsyncMemory.open(path, embedder="none") as memory:
        alice = memory.scope("alice")
        for number in range(first, last):
            await alice.add({"role": "user", "content": statement(number), "id": str(number)}, session=f"s{number % 3}")
            # One short write to a pipe is never torn, not even by a kill.
            os.write(1, f"{number}\n".encode())
            if number % 5 == 0:
                await alice.list(limit=1)


async def learn(path: str) -> None:
    async with await AsyncMemory.open(path, embedder="none") as memory:
        os.write(1, b"ready\n")
        await memory.flush()
        await memory.scope("alice").list(limit=1)


async def remember(path: str, times: int) -> None:
    async with await AsyncMemory.open(path, embedder="none") as memory:
        for _ in range(times):
            await memory.scope("alice").remember(FACT)


async def hold(path: str) -> None:
    store = await SqliteStore.open(path)
    claimed = await store.claim(["learn"], now=datetime.now(UTC), lease_seconds=LEASE_SECONDS)
    os.write(1, f"{len(claimed)}\n".encode())
    await asyncio.sleep(100)


if __name__ == "__main__":
    verb, path, *numbers = sys.argv[1:]
    asyncio.run({"add": add, "learn": learn, "remember": remember, "hold": hold}[verb](path, *map(int, numbers)))
