"""The SQLite store loses nothing that it acknowledged: not when it is killed, not under many writers, not beside a long reader."""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from pagefile.messages import Message
from pagefile.ports import NewJob, NewVector, Operation
from pagefile.queries import Candidates, Probe, Where
from pagefile.records import Add, Block, Edit, Record, Scope, TaskState
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.fakes import START, hash_of, indexing_of, make_cause, make_draft, make_record, make_vector

WRITER = Path(__file__).with_name("durability_writer.py")
SCOPE = Scope("acme", "alice")
EMBEDDER = "model-a"
ROUNDS = 24
EVERYTHING = Where(statuses=("pending", "current", "superseded", "retired"))

Acknowledged = dict[str, Any]


class Killer:
    """Starts writers on a file, lets each live for a moment, and kills it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, str(WRITER), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    async def round(self, path: Path, session: str, seconds: float, *, after_first: bool) -> list[Acknowledged]:
        return await anyio.to_thread.run_sync(lambda: self._round(path, session, seconds, after_first))

    def _round(self, path: Path, session: str, seconds: float, after_first: bool) -> list[Acknowledged]:
        """What a writer was told was kept before it was killed: so long after its start, or after its first acknowledgement."""
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps({"path": str(path), "session": session}) + "\n").encode())
        lines = self._lines()
        pid = next(lines)["pid"]
        acknowledged = [next(lines)] if after_first else []
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and self._says_something(left):
            acknowledged.append(next(lines))
        os.kill(pid, signal.SIGKILL)
        while (line := next(lines))["what"] != "ended":
            acknowledged.append(line)
        return acknowledged

    def _says_something(self, seconds: float) -> bool:
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], seconds)[0])

    def _lines(self) -> Iterator[Acknowledged]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            yield json.loads(line)

    def close(self) -> None:
        self._process.communicate(timeout=20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    yield killer
    killer.close()


async def everything(scan: Any, **arguments: Any) -> list[Any]:
    """All pages of a scan."""
    page = await scan(limit=10_000, **arguments)
    items = [*page.items]
    while page.cursor is not None:
        page = await scan(limit=10_000, after=page.cursor, **arguments)
        items += page.items
    return items


async def search(store: SqliteStore, texts: list[str], **fields: Any) -> Candidates:
    probe = Probe(terms=dict.fromkeys(texts, 1.0), where=EVERYTHING, limit=10_000, neighbours=0, **fields)
    return await store.search(SCOPE, probe)


async def assert_kept(store: SqliteStore, acknowledged: list[Acknowledged]) -> None:
    """Each thing that was acknowledged is there, with its words and its vector."""
    for what in ("message", "record"):
        lines = [line for line in acknowledged if line["what"] == what]
        # A record that was acknowledged twice must have the later state.
        latest = {line["id"]: line for line in lines}
        items = dict(zip(latest, await store.get(SCOPE, list(latest)), strict=True))
        for id, line in latest.items():
            item = items[id]
            if what == "message":
                assert isinstance(item, Message)
                assert (item.text, item.session, item.seq) == (line["word"], line["session"], line["seq"])
            else:
                assert isinstance(item, Record)
                # The call after this one may have been kept, too, without its answer having come through.
                assert item.version >= line["version"]
                assert item.version > line["version"] or (item.text, item.status) == (line["word"], line["status"])
    embedded = {line["id"] for line in acknowledged if line["what"] == "vector"}
    candidates = await search(store, [], vector=make_vector(1.0).tolist(), embedder=EMBEDDER)
    assert embedded <= {each.id for each in candidates.items if each.signals.cosine is not None}


async def assert_whole(store: SqliteStore) -> None:
    """Nothing is there by half: each item has its words, its jobs and its place."""
    messages: list[Message] = await everything(lambda **page: store.messages(SCOPE, None, where=EVERYTHING, **page))
    records: list[Record] = await everything(lambda **page: store.records(SCOPE, where=EVERYTHING, **page))
    texts = {item.id: item.text for item in messages} | {item.id: item.text for item in records}
    found = [
        each.id for start in range(0, len(texts), 5000) for each in await found_by_words(store, [*texts.values()][start : start + 5000])
    ]
    assert sorted(found) == sorted(texts)
    jobs = await everything(lambda **page: store.jobs(scope=SCOPE, **page))
    to_embed = [id for job in jobs if job.kind == "embed" for id in job.payload["ids"]]
    assert set(to_embed) == set(texts)
    to_learn = [word for job in jobs if job.kind == "learn" for word in job.payload["words"]]
    assert sorted(to_learn) == sorted(message.text for message in messages)
    for record in records:
        assert len(await store.history(SCOPE, record.id)) == record.version
    replaced = [record.supersedes for record in records if record.supersedes]
    assert sorted(replaced) == sorted(record.id for record in records if record.status == "superseded")
    assert_gapless(messages)


async def found_by_words(store: SqliteStore, texts: list[str]) -> Any:
    return [each for each in (await search(store, texts)).items if each.signals.words > 0]


def assert_gapless(messages: list[Message]) -> None:
    numbers: dict[str, list[int]] = {}
    for message in messages:
        numbers.setdefault(message.session, []).append(message.seq)
    for session, seqs in numbers.items():
        assert seqs == list(range(1, len(seqs) + 1)), session


def assert_sound(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


async def test_a_writer_killed_at_any_moment_loses_nothing_and_leaves_nothing_half_done(path: Path, killer: Killer) -> None:
    chance = random.Random()
    total: list[Acknowledged] = []
    for number in range(ROUNDS):
        # Some are killed while they open the file and recover what the one before left.
        at_start = number % 4 == 0
        seconds = chance.uniform(0.0, 0.03 if at_start else 0.15)
        acknowledged = await killer.round(path, f"session {number % 3}", seconds, after_first=not at_start)
        total += acknowledged
        store = await SqliteStore.open(path)
        await assert_kept(store, acknowledged)
        await store.close()
    assert_sound(path)
    store = await SqliteStore.open(path)
    await assert_kept(store, total)
    await assert_whole(store)
    await store.close()
    assert len(total) > ROUNDS
    print(f"{ROUNDS} rounds, {len(total)} acknowledgements")


async def test_a_file_whose_maker_was_killed_can_be_used(tmp_path: Path, killer: Killer) -> None:
    for number in range(12):
        path = tmp_path / f"{number}.db"
        acknowledged = await killer.round(path, "s", 0.004 * number, after_first=False)
        store = await SqliteStore.open(path)
        await assert_kept(store, acknowledged)
        await assert_whole(store)
        await store.close()


async def test_a_half_made_file_is_rolled_back_and_made_anew(tmp_path: Path) -> None:
    # What a kill in the middle of the first commit leaves: some pages in the file, and the journal that takes them back.
    made, path = tmp_path / "made.db", tmp_path / "left.db"
    maker = sqlite3.connect(made, isolation_level=None)
    maker.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (made); INSERT INTO half VALUES (randomblob(500000));")
    for suffix in ("", "-journal"):
        shutil.copy(f"{made}{suffix}", f"{path}{suffix}")
    maker.close()
    assert path.stat().st_size > 0
    store = await SqliteStore.open(path)
    await store.append(SCOPE, "s", [make_draft("hello")])
    await store.close()
    assert_sound(path)


async def test_many_can_make_and_open_one_file_at_once(tmp_path: Path) -> None:
    async def use(path: Path, number: int) -> None:
        store = await SqliteStore.open(path)
        await store.append(SCOPE, "s", [make_draft(f"text {number}")])
        await store.close()

    for number in range(6):
        path = tmp_path / f"{number}.db"
        async with anyio.create_task_group() as group:
            for writer in range(12):
                group.start_soon(use, path, writer)
        store = await SqliteStore.open(path)
        messages = (await store.messages(SCOPE, "s")).items
        assert [message.seq for message in messages] == list(range(1, 13))
        await store.close()


async def test_opening_a_file_a_second_time_in_one_process_leaves_the_first_its_locks(path: Path) -> None:
    # POSIX locks belong to the process: closing any handle of the file, even one of a plain ``open``, drops them all. Another process
    # would then take itself for the last one and remove the write-ahead log when it closes, and later writes would go nowhere.
    async def read_elsewhere() -> list[str]:
        finished = await anyio.run_process([sys.executable, str(WRITER), "read", str(path)])
        texts: list[str] = json.loads(finished.stdout)
        return texts

    first = await SqliteStore.open(path)
    await first.append(SCOPE, "s", [make_draft("one")])
    second = await SqliteStore.open(path)
    assert await read_elsewhere() == ["one"]
    await first.append(SCOPE, "s", [make_draft("two")])
    assert await read_elsewhere() == ["one", "two"]
    await second.close()
    await first.append(SCOPE, "s", [make_draft("three")])
    assert await read_elsewhere() == ["one", "two", "three"]
    await first.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["threads", "tasks"])
async def test_two_processes_of_eight_writers_each_lose_nothing(path: Path, kind: str, long: bool) -> None:
    seconds = 60.0 if long else 3.0
    processes = [
        subprocess.Popen([sys.executable, str(WRITER), "load", str(path), kind, str(seconds), name], stdout=subprocess.PIPE)
        for name in ("first", "second")
    ]
    answers = [await anyio.to_thread.run_sync(process.communicate) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    kept = [json.loads(output) for output, _ in answers]
    assert [each["errors"] for each in kept] == [[], []]
    store = await SqliteStore.open(path)
    messages = await everything(lambda **page: store.messages(SCOPE, None, **page))
    assert sorted(message.id for message in messages) == sorted(kept[0]["messages"] + kept[1]["messages"])
    assert_gapless(messages)
    records = await everything(lambda **page: store.records(SCOPE, **page))
    assert sorted(record.id for record in records) == sorted(kept[0]["records"] + kept[1]["records"])
    stats = await store.stats(SCOPE)
    assert stats.vectors == {EMBEDDER: len(kept[0]["vectors"]) + len(kept[1]["vectors"])}
    claimed = kept[0]["claimed"] + kept[1]["claimed"]
    assert len(claimed) == len(set(claimed))
    await store.close()
    assert_sound(path)
    print(f"{kind}: {len(messages)} messages, {len(records)} records, {len(claimed)} jobs in {seconds:.0f} s")


async def test_a_reader_that_stays_long_keeps_no_writer_waiting(path: Path) -> None:
    writer, other = await SqliteStore.open(path), await SqliteStore.open(path)
    await writer.append(SCOPE, "s", [make_draft("before")])
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    (before,) = reader.execute("SELECT count(*) FROM messages").fetchone()
    with anyio.fail_after(30):
        for number in range(50):
            await (writer if number % 2 else other).append(SCOPE, "s", [make_draft(f"during {number}")])
        assert (await other.messages(SCOPE, "s")).total == 51
    assert reader.execute("SELECT count(*) FROM messages").fetchone() == (before,) == (1,)
    reader.close()
    await writer.close()
    await other.close()


async def test_what_one_process_wrote_another_sees_at_once(path: Path) -> None:
    one, other = await SqliteStore.open(path), await SqliteStore.open(path)
    for number in range(10):
        text = f"word{number}"
        (appended,) = await one.append(SCOPE, "s", [make_draft(text)])
        assert [each.id for each in await found_by_words(other, [text])] == [appended.message.id]
        vector = make_vector(1.0, number)
        await one.put_vectors(SCOPE, EMBEDDER, [NewVector(id=appended.message.id, hash=hash_of(text), vector=vector)])
        candidates = await search(other, [], vector=vector.tolist(), embedder=EMBEDDER)
        assert candidates.cosines.count == number + 1
    await one.erase(SCOPE, session="s")
    assert (await search(other, ["word0"], vector=make_vector(1.0).tolist(), embedder=EMBEDDER)).items == ()
    await one.close()
    await other.close()


@pytest.mark.parametrize("how", ["ids", "session", "scope"])
async def test_after_erasing_nothing_of_the_text_is_in_any_file(path: Path, how: str) -> None:
    store = await SqliteStore.open(path)
    # Enough to fill pages and to leave some of them free.
    texts = [f"secret {number} " + "xyzzy" * 50 for number in range(40)]
    said = [each.message for each in await store.append(SCOPE, "s", [make_draft(text, external_id=text) for text in texts], key="k")]
    records = [make_record(text, session="s", value=text) for text in texts]
    await store.apply(SCOPE, [Add(item=record, cause=make_cause(), indexing=indexing_of(record.text)) for record in records])
    edits = [("secret again xyzzy", record) for record in records]
    await store.apply(SCOPE, [Edit(target=r.id, fields={"text": t}, cause=make_cause(), indexing=indexing_of(t)) for t, r in edits])
    await store.set_window(SCOPE, "s", window_start=len(texts), summary="a secret was told: xyzzy")
    await store.append(SCOPE, "other", [make_draft("this stays")])
    if how == "scope":
        await store.apply(SCOPE, [Add(item=Block(label="human", text="secret xyzzy"), cause=make_cause())])
        await store.put_task(SCOPE, TaskState(key="k", value="secret xyzzy", updated_at=START))
        await store.log(SCOPE, Operation(kind="search", parameters={"query": "secret xyzzy"}, result={}, at=START))
        await store.enqueue(SCOPE, [NewJob(kind="learn", payload={"text": "secret xyzzy"})])
    assert b"xyzzy" in everything_on_disk(path)
    if how == "ids":
        await store.erase(SCOPE, ids=[*(message.id for message in said), *(record.id for record in records)])
    else:
        await store.erase(SCOPE, session="s" if how == "session" else None)
    assert b"xyzzy" not in everything_on_disk(path)
    assert b"secret" not in everything_on_disk(path)
    assert (b"this stays" in everything_on_disk(path)) == (how != "scope")
    await store.close()
    assert b"xyzzy" not in everything_on_disk(path)


def everything_on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))
