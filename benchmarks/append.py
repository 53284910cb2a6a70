"""Durable appends of one message each: how many a second, and how soon they are acknowledged."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeAlias

from benchmarks.filling import Pool, drafts, user
from benchmarks.measure import SEED, Cell, Samples, Setting, Table, at_least, at_most
from benchmarks.statements import both_talk
from benchmarks.texts import Writer
from pagefile.memory import AsyncMemory
from pagefile.parts import LearnBy
from pagefile.stores.sqlite import SqliteStore

CALLERS = (1, 8, 32)
#: Messages of one session.
SESSION = 20
#: For other processes to start and open the file.
_HEAD_START = 4.0
#: Appends one message for this caller.
_AppendOne: TypeAlias = Callable[[int], Awaitable[object]]


async def run(setting: Setting) -> list[Table]:
    seconds = setting.seconds(3)
    rows: list[tuple[Cell, ...]] = []
    measures: dict[str, Callable[[Path, int, float], Awaitable[Samples]]] = {
        "add": through_add,
        "add, learning off": partial(through_add, learn="off"),
        "the store alone": _through_store,
    }
    for title, measure in measures.items():
        for callers in CALLERS:
            samples = await measure(setting.folder / "append.db", callers, seconds)
            rows.append(_row(title, 1, callers, samples, seconds))
    if setting.scale >= 0.01:
        samples = await asyncio.to_thread(_two_processes, setting.folder / "append.db", 8, seconds)
        rows.append(_row("add", 2, 8, samples, seconds))
    note = (
        f"Each caller is a user who waits for one append before the next, in sessions of {SESSION}. Durable when acknowledged "
        "(synchronous=FULL). Through add, what is said is learnt from in the background by rules, unless learning is off. No embedding."
    )
    columns = ("through", "processes", "callers each", "a second", "p50 ms", "p95 ms", "target of the rate", "target of p95")
    return [Table("append", columns, tuple(rows), note)]


def _row(title: str, processes: int, callers: int, samples: Samples, seconds: float) -> tuple[Cell, ...]:
    rate = len(samples.values) / seconds
    return (title, processes, callers, rate, samples.p50, samples.p95, at_least(1_000, rate), at_most(5, samples.p95, " ms"))


async def through_add(path: Path, callers: int, seconds: float, start_at: float = 0.0, learn: LearnBy = "rules") -> Samples:
    """Milliseconds of each ``add`` that so many callers make in this time."""
    said = both_talk(2_000)
    numbers = [itertools.count() for _ in range(callers)]
    async with await AsyncMemory.open(path, embedder="none", learn=learn) as memory:
        if learn != "off":
            # Compiles the rules: half a second, once in a process.
            await memory.scope("warm-up").add(both_talk(200))
            await memory.flush()
        scopes = [memory.scope(user(number).user, tenant=user(number).tenant) for number in range(callers)]

        def append(caller: int) -> Awaitable[object]:
            number = next(numbers[caller])
            return scopes[caller].add({"role": "user", "content": said[number % len(said)]}, session=f"append {number // SESSION}")

        return await _appends(append, callers, seconds, start_at)


async def _through_store(path: Path, callers: int, seconds: float) -> Samples:
    pool = Pool(Writer("en", SEED), 200)
    places = itertools.count()
    store = await SqliteStore.open(path)

    def append(caller: int) -> Awaitable[object]:
        return store.append(user(caller), "append", drafts(pool.take(1, first=next(places))))

    try:
        return await _appends(append, callers, seconds)
    finally:
        await store.close()


async def _appends(append: _AppendOne, callers: int, seconds: float, start_at: float = 0.0) -> Samples:
    """Milliseconds of each append made in this time."""
    values: list[float] = []

    async def one_caller(caller: int) -> None:
        while (started := time.perf_counter()) < deadline:
            await append(caller)
            values.append((time.perf_counter() - started) * 1_000)

    for caller in range(callers):
        await append(caller)
    await asyncio.sleep(max(0.0, start_at - time.time()))
    deadline = time.perf_counter() + seconds
    await asyncio.gather(*(one_caller(caller) for caller in range(callers)))
    return Samples(tuple(values))


def _two_processes(path: Path, callers: int, seconds: float) -> Samples:
    start_at = time.time() + _HEAD_START
    # Spawned, as a process with threads is not safe to fork.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        both = [pool.submit(_in_a_process, path, callers, seconds, start_at) for _ in range(2)]
        return Samples(tuple(value for one in both for value in one.result().values))


def _in_a_process(path: Path, callers: int, seconds: float, start_at: float) -> Samples:
    return asyncio.run(through_add(path, callers, seconds, start_at))
