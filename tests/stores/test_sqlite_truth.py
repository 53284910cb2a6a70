"""Deciding on records and erasing them in the SQLite store: across connections and processes, and byte by byte in the file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from durability_writer import KEY, SCOPE, decide
from sqlite_help import ALICE, BOB, CAUSE, START, draft, indexing, words

from pagefile.costs import Spent
from pagefile.errors import Erased, StaleRevision
from pagefile.language.keys import marks, text_key
from pagefile.ports import NewJob, Progress
from pagefile.queries import Probe, Where
from pagefile.records import Add, Edit, Merge, Record, Retire, Scope, Source
from pagefile.stores.sqlite import SqliteStore, occurrences
from pagefile.stores.sqlite.tombstones import bury

WRITER = Path(__file__).with_name("durability_writer.py")


def fact(id: str, text: str = "likes tea", **fields: object) -> Record:
    return Record(id=id, kind="fact", text=text, learned_at=START, **fields)  # type: ignore[arg-type]  # given by name


def json_of(text: str, *, ascii: bool = False) -> str:
    """As JSON writes it, without the quotes around."""
    return json.dumps(text, ensure_ascii=ascii)[1:-1]


def add(record: Record) -> Add:
    return Add(item=record, cause=CAUSE, indexing=indexing(record.text))


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"SELECT * FROM {table}").fetchall()
    finally:
        connection.close()


# --- deciding -----------------------------------------------------------------------------------------------------------


async def test_twenty_who_decide_through_four_stores_make_one_record(tmp_path: Path) -> None:
    stores = [await SqliteStore.open(tmp_path / "memory.db") for _ in range(4)]
    await asyncio.gather(*(decide(stores[number % 4], f"r{number}") for number in range(20)))
    found = await stores[0].keyed(SCOPE, [KEY])
    assert [each.evidence_count for each in found.records] == [20]
    for store in stores:
        await store.close()


async def test_processes_that_decide_at_once_make_one_record(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    command = [sys.executable, str(WRITER), "decide", str(path), "10"]
    writers = [subprocess.Popen([*command, f"p{number}"]) for number in range(3)]
    assert [await asyncio.to_thread(writer.wait, 60) for writer in writers] == [0, 0, 0]
    found = await store.keyed(SCOPE, [KEY])
    assert [each.evidence_count for each in found.records] == [30]
    await store.close()


async def test_a_stale_decision_does_not_harm_what_shares_its_commit(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.apply(ALICE, [add(fact("one"))])
    now = (await store.keyed(ALICE, [])).revision
    calls = [store.apply(ALICE, [add(fact(f"r{number}"))], revision=now) for number in range(10)]
    outcomes = await asyncio.gather(*calls, store.append(ALICE, "s", [draft("x")]), return_exceptions=True)
    assert sum(isinstance(each, StaleRevision) for each in outcomes) == 9
    assert ((await store.records(ALICE)).total, (await store.messages(ALICE, "s")).total) == (2, 1)
    await store.close()


async def test_a_key_is_looked_up_in_an_index_and_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.apply(ALICE, [add(fact("r", "lives in Zanzibar", subject="user", attribute="residence", value="Zanzibar"))])
    await store.apply(ALICE, [Edit(target="r", fields={"text": "lived there"}, cause=CAUSE, indexing=indexing("lived"))])
    filed = rows(path, "record_keys")
    assert len(filed) == 2
    assert all(isinstance(key, bytes) and len(key) == 16 for _, key, _ in filed)
    connection = sqlite3.connect(path)
    plan = connection.execute("EXPLAIN QUERY PLAN SELECT item FROM record_keys WHERE scope = 1 AND key = x'00'").fetchall()
    assert "SEARCH record_keys USING PRIMARY KEY (scope=? AND key=?)" in plan[0][3]
    connection.close()
    await store.erase(ALICE, ids=["r"])
    assert rows(path, "record_keys") == []
    await store.close()


async def test_a_search_as_of_another_time_sees_what_another_store_changed(tmp_path: Path) -> None:
    store, other = [await SqliteStore.open(tmp_path / "memory.db") for _ in range(2)]
    later = START + timedelta(days=30)
    look = Probe(terms={"likes": 1.0}, where=Where(as_of=later, known_at=later, statuses=("current", "retired")))

    async def found() -> set[str]:
        return {each.id for each in (await store.search(ALICE, look)).items}

    await store.apply(ALICE, [add(fact("one")), add(fact("two"))])
    assert await found() == {"one", "two"}
    await other.apply(ALICE, [Edit(target="one", fields={"valid_to": later}, cause=CAUSE), add(fact("three"))])
    assert await found() == {"two", "three"}
    await other.apply(ALICE, [Retire(target="two", cause=CAUSE)])
    assert await found() == {"three"}
    await other.erase(ALICE, ids=["three"])
    assert await found() == set()
    assert {each.id for each in (await store.search(ALICE, words("likes"))).items} == {"one"}
    await store.close()
    await other.close()


async def test_reviving_takes_no_running_job_whatever_waits(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    job = NewJob(kind="learn", once="s")
    (running,) = await store.enqueue(ALICE, [job])
    await store.claim(["learn"], now=START, lease_seconds=60)
    (waiting,) = await store.enqueue(ALICE, [job])
    assert await store.enqueue(ALICE, [job, job]) == (waiting, waiting)
    assert await store.revive([running, waiting], now=START) == 0
    assert [(each.id, each.state) for each in (await store.jobs()).items] == [(running, "running"), (waiting, "queued")]
    await store.close()


# --- what an erase leaves -------------------------------------------------------------------------------------------------


async def test_what_an_earlier_version_erased_stays_erased(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [said := draft("goes")])
    await store.erase(ALICE, ids=[said.id])
    # It distinguished figures and blanks.
    connection = sqlite3.connect(path)
    with connection:
        bury(connection, ALICE, [text_key("我有 3 只猫")])
    connection.close()
    with pytest.raises(Erased):
        await store.apply(ALICE, [add(fact("r", "我有 3 只猫"))])
    await store.close()


async def test_an_erased_scope_leaves_tombstones_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    said = draft("Zanzibar", external_id="x")
    job = NewJob(kind="learn", once="s")
    await store.append(ALICE, "s", [said], key="k", jobs=[job])
    record = fact("r", "goes to Zanzibar", sources=(Source(message=said.id),))
    await store.apply(ALICE, [add(record)], progress=Progress(session="s", name="rules", seq=1))
    await store.spend(ALICE, START.date(), Spent(calls=1, input_tokens=9))
    await store.erase(ALICE)
    tables = [str(name) for (name,) in rows(path, "(SELECT name FROM sqlite_schema WHERE type = 'table')")]
    left = {table: len(rows(path, table)) for table in tables if rows(path, table)}
    # Of the message two, of the append, of the record, and one that says that this scope has some.
    assert left == {"tombstones": 5, "keys": 1, "scrubs": 1, "sqlite_sequence": 2}
    assert all(isinstance(mark, bytes) and len(mark) == 16 for mark, _ in rows(path, "tombstones"))
    # An old chat that comes again does not even make the scope.
    (answer,) = await store.append(ALICE, "s", [replace(said, id="again")])
    assert answer.outcome == "erased"
    assert (await store.scopes()).total == 0
    await store.close()


async def test_what_one_store_erased_another_knows_at_once(tmp_path: Path) -> None:
    store, other = [await SqliteStore.open(tmp_path / "memory.db") for _ in range(2)]
    said, record = draft("Zanzibar"), fact("r", "goes to Zanzibar")
    await other.append(BOB, "s", [draft("so that it has seen the file")])
    await store.append(ALICE, "s", [said])
    await store.apply(ALICE, [add(record)])
    await store.erase(ALICE, ids=[said.id, "r"])
    (answer,) = await other.append(ALICE, "s", [replace(said, id="again")])
    assert answer.outcome == "erased"
    with pytest.raises(Erased, match="said again"):
        await other.apply(ALICE, [add(replace(record, id="again"))])
    for scope in (BOB, Scope(ALICE.user, ALICE.tenant)):
        (answer,) = await other.append(scope, "s", [replace(said, id="another's")])
        assert answer.outcome == "stored"
    await store.close()
    await other.close()


async def test_no_two_files_hash_alike(tmp_path: Path) -> None:
    said, left = draft("Zanzibar"), []
    for name in ("one.db", "two.db"):
        store = await SqliteStore.open(tmp_path / name)
        await store.append(ALICE, "s", [said])
        await store.erase(ALICE)
        assert await store.erased(ALICE, marks(said)) != (None,)
        left.append({mark for mark, _ in rows(tmp_path / name, "tombstones")})
        await store.close()
    assert left[0].isdisjoint(left[1])


# --- looking for bytes ----------------------------------------------------------------------------------------------------


async def test_bytes_are_found_in_the_file_and_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [draft("Zanzibar 桑给巴尔")])
    # As text and as terms.
    in_log = await store.occurrences(["Zanzibar", "桑给巴尔", "巴黎", ""])
    assert in_log[0] >= 2 and in_log[1] >= 2 and in_log[2:] == (0, 0)
    await store.erase(BOB)  # writes the log back
    assert path.with_name("memory.db-wal").stat().st_size < path.stat().st_size
    assert (await store.occurrences(["Zanzibar"]))[0] >= 2
    await store.append(ALICE, "s", [draft("locks are still held")])
    await store.close()


@pytest.mark.parametrize("kept", ['say "hi"\n', "桑给巴尔", "a\\b"], ids=["quotes", "Chinese", "backslash"])
@pytest.mark.parametrize("form", ["plain", "json", "ascii json", "json in json"])
def test_a_text_is_found_however_it_was_written(tmp_path: Path, kept: str, form: str) -> None:
    quoted = {"plain": kept, "json": json_of(kept), "ascii json": json_of(kept, ascii=True), "json in json": json_of(json_of(kept))}
    path = tmp_path / "file"
    path.write_bytes(b"before" + quoted[form].encode() + b"after")
    assert occurrences.count(path, [kept, "nothing of it"])[0] >= 1


@pytest.mark.parametrize("chunk", [4, 5, 7, 64])
def test_a_text_across_two_reads_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(occurrences, "_CHUNK", chunk)
    path = tmp_path / "file"
    path.write_bytes(b"xaaaxx needle xx aa needleneedle xx a")
    path.with_name("file-wal").write_bytes(b"..needle")
    assert occurrences.count(path, ["needle", "aa", "a", "x needle x", "eedlen"]) == (4, 2, 6, 1, 1)


async def test_names_that_an_older_version_noted_otherwise_are_noted_anew(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.apply(ALICE, [add(fact("r", "Anna lives in Zanzibar")), Merge(target="Ann", into="Anna", cause=CAUSE)])
    connection = sqlite3.connect(tmp_path / "memory.db")
    connection.execute("UPDATE entity_mentions SET entity = entity || '?'")
    connection.commit()
    plan = connection.execute("EXPLAIN QUERY PLAN DELETE FROM entity_mentions WHERE scope = 1 AND item = 1").fetchall()
    assert "entity_mentions_by_item" in plan[0][3]
    connection.close()
    assert await store.named(ALICE, ["anna"]) == ()
    assert await store.name_anew(ALICE) == 1
    assert [each.key for each in await store.named(ALICE)] == ["anna", "zanzibar"]
    await store.erase(ALICE, ids=["r"])
    assert (rows(tmp_path / "memory.db", "entity_mentions"), rows(tmp_path / "memory.db", "entity_aliases")) == ([], [])
    assert await store.occurrences(["Zanzibar", "zanzibar", "anna", "Anna"]) == (0, 0, 0, 0)
    await store.close()
