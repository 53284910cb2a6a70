"""Whoever learns at once, and whoever is killed on the way, each fact is one record, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pagefile import runner
from pagefile.memory import AsyncMemory
from pagefile.ports import Job, NewJob
from pagefile.records import Scope
from pagefile.stores.sqlite import SqliteStore
from pagefile.sync import Memory

from .learner_process import FACT, statement
from .minds import EVERY_STATUS, STORES, facts, messages, opened, records

PROGRAM = Path(__file__).with_name("learner_process.py")


def started(verb: str, path: Path, *numbers: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, str(PROGRAM), verb, str(path), *map(str, numbers)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors


async def seen_after(path: Path) -> tuple[list[str], Counter[str]]:
    """The texts of all messages, and how many records cite each of them."""
    async with await AsyncMemory.open(path, embedder="none") as memory:
        alice = memory.scope("alice")
        assert await memory.flush() == 0
        said = await messages(alice)
        cited = Counter(source.message for record in await records(alice, *EVERY_STATUS) for source in record.sources)
        return [message.text for message in said], Counter({message.text: cited[message.id] for message in said})


@pytest.mark.parametrize("after", [1, 8, 23], ids=lambda after: f"after {after} messages")
async def test_a_program_that_is_killed_while_it_learns_loses_nothing_and_reads_nothing_twice(after: int, tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "m.db", 0
    process = started("add", path, 0, 90)
    assert process.stdout is not None
    for line in process.stdout:
        acknowledged = int(line) + 1
        if acknowledged >= after:
            os.kill(process.pid, signal.SIGKILL)
            break
    acknowledged = max([acknowledged, *(int(line) + 1 for line in process.stdout if line.strip())])
    process.communicate()
    # The next program goes on where it was cut, adding again what it cannot be sure of.
    ended(started("add", path, max(0, acknowledged - 3), 30))
    texts, cited = await seen_after(path)
    assert sorted(texts) == sorted({statement(number) for number in range(max(30, len(texts)))})
    assert len(texts) >= acknowledged
    counts = {text: cited[text] for text in texts}
    async with await AsyncMemory.open(path, embedder="none") as memory:
        known = Counter(str(fact) for fact in await facts(memory.scope("alice"), *EVERY_STATUS))
        evidence = {record.evidence_count for record in await records(memory.scope("alice"), *EVERY_STATUS)}
    assert set(known.values()) == {1}, "no fact twice"
    assert set(counts.values()) == {counts[statement(0)]} != {0}, "and every message was read, each in the same way"
    assert evidence == {1}


async def test_a_program_that_is_killed_in_the_middle_of_a_batch_is_followed_by_one_that_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with await opened("file", tmp_path) as memory:  # its clock stands still: it is always too early to learn
        await memory.scope("alice").add([statement(number) for number in range(100)], session="s")
        assert (await memory.stats()).records == 0
    for pause in (0.0, 0.02, 0.08):
        process = started("learn", path)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        await asyncio.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    # What it had in hand is anybody's when its lease is over.
    later = datetime.now(UTC) + timedelta(minutes=10)
    async with await AsyncMemory.open(path, embedder="none", now=lambda: later) as memory:
        alice = memory.scope("alice")
        assert await memory.flush() == 0
        known = Counter(str(fact) for fact in await facts(alice, *EVERY_STATUS))
        assert set(known.values()) == {1}
        assert {record.evidence_count for record in await records(alice)} == {1}
        cited = {source.message for record in await records(alice) for source in record.sources}
        assert cited == {message.id for message in await messages(alice)}


async def test_two_programs_that_learn_one_session_at_once_end_in_one_record_each(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    processes = [started("add", path, first, last) for first, last in ((0, 40), (20, 60), (0, 60))]
    await asyncio.gather(*(asyncio.to_thread(ended, process) for process in processes))
    texts, _ = await seen_after(path)
    assert sorted(texts) == sorted(statement(number) for number in range(60)), "the caller's ids keep each message once"
    async with await AsyncMemory.open(path, embedder="none") as memory:
        known = Counter(str(fact) for fact in await facts(memory.scope("alice"), *EVERY_STATUS))
        assert set(known.values()) == {1}
        assert {record.evidence_count for record in await records(memory.scope("alice"))} == {1}


async def test_programs_that_remember_the_same_at_once_keep_one_record(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    processes = [started("remember", path, 25) for _ in range(3)]
    await asyncio.gather(*(asyncio.to_thread(ended, process) for process in processes))
    async with await AsyncMemory.open(path, embedder="none") as memory:
        (record,) = await records(memory.scope("alice"), *EVERY_STATUS)
        assert (record.value, record.evidence_count) == ("peanuts", 75)


@pytest.mark.parametrize("store", STORES)
def test_twenty_threads_that_remember_the_same_keep_one_record(store: str, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db" if store == "file" else ":memory:", embedder="none") as memory:
        begin = threading.Barrier(20)
        faults: list[BaseException] = []

        def remember(number: int) -> None:
            try:
                begin.wait()
                memory.scope("alice").remember(FACT, session=f"s{number}")
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=remember, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        (record,) = memory.scope("alice").list(statuses=EVERY_STATUS).items
        assert (record.value, record.evidence_count) == ("peanuts", 20)


@pytest.mark.parametrize("store", STORES)
async def test_sessions_that_contradict_each_other_at_once_leave_one_current_value(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice, twin = memory.scope("alice"), memory.scope("alice")
        places = ("Rome", "Oslo", "Pisa", "Bonn", "Kiel")

        async def say(number: int) -> None:
            user = (alice, twin)[number % 2]
            await user.add(f"I live in {places[number % 5]}.", session=f"s{number}")
            await user.search("where do I live?")

        await asyncio.gather(*(say(number) for number in range(25)))
        assert await memory.flush() == 0
        assert len([record for record in await records(alice) if record.attribute == "residence"]) == 1


@pytest.mark.parametrize("store", STORES)
async def test_what_is_erased_while_it_is_learnt_is_not_learnt(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        for _ in range(5):
            await alice.add([statement(number) for number in range(100)], session="s")
            learning = asyncio.create_task(memory.flush())
            await asyncio.sleep(0.01)
            await alice.erase()
            await learning
            assert await facts(alice, *EVERY_STATUS) == []
            assert await memory.occurrences(["jazz", "Adler"]) == (0, 0)
            # Said anew it is kept: the erased ones do not forbid new words.
            assert (await alice.add("My cat is called Tom.", session="s")).stored == 1
            await alice.erase()


async def test_what_another_program_erases_while_it_is_learnt_is_not_learnt(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as one, await opened("file", tmp_path) as other:
        for _ in range(5):
            await one.scope("alice").add([statement(number) for number in range(100)], session="s")
            learning = asyncio.create_task(one.flush())
            await asyncio.sleep(0.01)
            await other.scope("alice").erase()
            await learning
            assert await one.flush() == 0
            assert await facts(one.scope("alice"), *EVERY_STATUS) == []
            assert await one.occurrences(["jazz", "Adler"]) == (0, 0)


async def test_what_a_program_had_in_hand_when_it_died_is_waited_for_and_done(tmp_path: Path) -> None:
    path, began, started_at = tmp_path / "m.db", datetime.now(UTC), time.monotonic()

    def clock() -> datetime:
        # A hundred times as fast as the wall's, so that a lease runs out while the test looks on.
        return began + timedelta(seconds=100 * (time.monotonic() - started_at))

    async with await opened("file", tmp_path) as memory:  # its clock stands still: it is always too early to learn
        await memory.scope("alice").add("I live in Oslo.", session="s")
    process = started("hold", path)
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n", "it has the job in hand"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    async with await AsyncMemory.open(path, embedder="none", now=clock) as memory:
        assert await memory.flush() == 0
        assert [record.value for record in await records(memory.scope("alice"))] == ["Oslo"]


async def test_a_job_is_kept_as_long_as_somebody_works_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "LEASE_SECONDS", 0.9)
    store = await SqliteStore.open(tmp_path / "m.db")
    done: list[str] = []

    class Slow:
        kinds: tuple[str, ...] = ("work",)
        max_attempts, ahead, at_once = 3, timedelta(), 1

        def portion(self, waiting: Sequence[Job]) -> int:
            return 1

        async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
            await asyncio.sleep(2.0)
            done.extend(job.id for job in jobs)

    async with await AsyncMemory.open(store=store, embedder="none", learn="off") as memory:
        workers = [runner.Runner(memory._parts, Slow()) for _ in range(3)]
        await store.enqueue(Scope("default", "alice"), [NewJob(kind="work")])
        await asyncio.gather(*(worker.drain() for worker in workers))
    assert len(done) == 1
