"""An erase in the SQLite store: not a byte of the text stays."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_help import ALICE, BOB, CAUSE, START, draft, indexing, near, new_vector, occurrences, random_units, words

from pagefile.errors import StoreUnavailable
from pagefile.ports import NewJob, Operation
from pagefile.records import Add, Block, Edit, Record, TaskState
from pagefile.stores.sqlite import SqliteStore, scrubbing

MARK = "zorka"


async def live(store: SqliteStore, rounds: int = 250) -> None:
    """A scope whose every text has the mark, between others' writes, so that rows move between pages many times."""
    dice = random.Random(4)
    for number in range(rounds):
        marked = draft(f"{MARK}{number} " * dice.choice([1, 5, 60, 500]), id=f"{MARK}-id-{number}", external_id=f"{MARK}-ext-{number}")
        unmarked = draft(f"kept{number} " * dice.choice([1, 5, 60]), id=f"kept-{number}")
        await asyncio.gather(
            store.append(
                ALICE, f"{MARK} session", [marked], key=f"{MARK} key {number}", jobs=[NewJob(kind="learn", payload={"ids": [marked.id]})]
            ),
            store.append(ALICE, "kept", [unmarked]),
            store.append(BOB, "s", [replace(unmarked, id=f"bob-{number}")]),
        )
        if number % 5 == 0:
            record = Record(
                id=f"{MARK}-record-{number}", kind="fact", text=f"{MARK} likes tea", learned_at=START, session=f"{MARK} session"
            )
            await store.apply(ALICE, [Add(item=record, cause=replace(CAUSE, reason=MARK), indexing=indexing(f"{MARK} tea"))])
            edit = Edit(target=record.id, fields={"text": f"{MARK} edited " * 9}, cause=CAUSE, indexing=indexing(f"{MARK}edited"))
            await store.apply(ALICE, [edit])


async def test_an_erased_session_leaves_no_byte_behind(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await live(store)
    assert occurrences(path, MARK) > 1_000
    receipt = await store.erase(ALICE, session=f"{MARK} session")
    assert (receipt.messages, receipt.records, receipt.history) == (250, 50, 100)
    assert receipt.jobs > 0
    assert occurrences(path, MARK) == 0
    assert [message.seq for message in (await store.messages(ALICE, "kept", limit=300)).items] == list(range(1, 251))
    await store.append(BOB, "s", [draft("a page may not come back from a cache")])
    await store.close()
    assert occurrences(path, MARK) == 0
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


async def test_erased_items_leave_no_byte_behind(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await live(store, 100)
    await store.log(ALICE, Operation(kind="forget", parameters={"ids": [f"{MARK}-id-3"]}, result={}, at=START))
    doomed = [f"{MARK}-id-{number}" for number in range(100)] + [f"{MARK}-record-{number}" for number in range(0, 100, 5)]
    receipt = await store.erase(ALICE, ids=doomed)
    assert (receipt.messages, receipt.records, receipt.operations) == (100, 20, 1)
    assert occurrences(path, MARK) == 0
    assert (await store.stats(BOB)).messages == 100
    await store.close()


async def test_an_erased_scope_leaves_no_byte_behind_and_others_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await live(store, 100)
    scope = replace(ALICE, user=f"{MARK} user")
    said = draft(MARK)
    await store.append(scope, "s", [said])
    await store.put_vectors(scope, "e", [new_vector(said, random_units(1, 8)[0])])
    await store.apply(scope, [Add(item=Block(label="human", text=MARK), cause=CAUSE)])
    await store.put_task(scope, TaskState(key=MARK, value=MARK, updated_at=START))
    await store.log(scope, Operation(kind="add", parameters={"text": MARK}, result={}, at=START))
    receipt = await store.erase(scope)
    assert (receipt.messages, receipt.vectors, receipt.blocks, receipt.tasks, receipt.operations, receipt.jobs) == (1, 1, 1, 1, 1, 1)
    await store.erase(ALICE)
    assert occurrences(path, MARK) == 0
    assert (await store.stats()).messages == (await store.stats(BOB)).messages == 100
    await store.close()


async def test_a_reader_elsewhere_that_never_ends_is_told_and_erasing_again_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrubbing, "_PATIENCE", 0.1)
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [draft(MARK)])
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM items").fetchone()
    with pytest.raises(StoreUnavailable, match="another process"):
        await store.erase(ALICE)
    assert not (await store.search(ALICE, words(MARK))).items
    reader.close()
    await store.erase(ALICE)
    assert occurrences(path, MARK) == 0
    await store.close()


async def test_the_file_is_cleaned_only_if_something_was_erased(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.append(ALICE, "s", [draft("a", id="a"), draft("b", id="b")])

    async def scrubs() -> int:
        return await store._write(lambda connection: int(connection.execute("SELECT ifnull(sum(count), 0) FROM scrubs").fetchone()[0]))

    # The first time always: a process that died between an erase and its scrub may have left something.
    await store.erase(ALICE, ids=["nobody"])
    assert await scrubs() == 1
    await store.erase(ALICE, ids=["nobody"])
    await store.erase(ALICE, session="nothing")
    await store.erase(BOB)
    assert await scrubs() == 1
    await store.erase(ALICE, ids=["a"])
    assert await scrubs() == 2
    await store.erase(ALICE)
    assert await scrubs() == 3
    await store.close()


async def test_vectors_of_the_others_are_found_after_an_erase(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    drafts, vectors = [draft(f"text {number}") for number in range(20)], random_units(20, 8)
    await store.append(ALICE, "s", drafts)
    await store.put_vectors(ALICE, "e", [new_vector(each, vector) for each, vector in zip(drafts, vectors, strict=True)])
    await store.search(ALICE, near(vectors[0]))
    receipt = await store.erase(ALICE, ids=[each.id for each in drafts[:10]])
    assert receipt.vectors == 10
    found = await store.search(ALICE, near(vectors[15], limit=30))
    assert {candidate.id for candidate in found.items} == {each.id for each in drafts[10:]}
    assert max(found.items, key=lambda candidate: candidate.signals.cosine or 0).id == drafts[15].id
    await store.close()
