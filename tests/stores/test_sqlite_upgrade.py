"""A file of the first schema: what stands in it is found by all that came later."""

from __future__ import annotations

import json
import sqlite3
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlite_help import ALICE, CAUSE, START, draft

from pagefile.costs import Spent
from pagefile.errors import Erased
from pagefile.language.keys import fact_key, text_key
from pagefile.queries import Probe, Where
from pagefile.records import Add, Record, Source, Status
from pagefile.stores.sqlite import SqliteStore
from pagefile.stores.sqlite.documents import MIGRATIONS
from pagefile.stores.sqlite.opening import open_file

EVERY: tuple[Status, ...] = ("current", "pending", "superseded", "retired")
OLD, NEW, ENDED = START, START + timedelta(days=10), START + timedelta(days=20)


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    names = ", ".join(values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(values))})", list(values.values()))


def item(connection: sqlite3.Connection, number: int, id: str, **fields: Any) -> None:
    """A row of ``items`` as the first schema had it."""
    defaults = {"kind": 1, "status": 0, "trust": 4, "tokens": 3, "confidence": 1.0, "importance": 0.5, "use_count": 0, "pinned": 0}
    rest = {"length": 0, "hash": "", "version": 1, "time_us": int(OLD.timestamp() * 1e6)}
    insert(connection, "items", scope=1, item=number, id=id, **(defaults | rest | fields))


def record(connection: sqlite3.Connection, number: int, id: str, since: datetime, **fields: Any) -> None:
    body = {"id": id, "kind": "fact", "trust": "user_said", "learned_at": OLD.isoformat()} | fields
    item(connection, number, id, status=2 if "status" in fields else 0, time_us=int(since.timestamp() * 1e6))
    insert(connection, "records", scope=1, item=number, body=json.dumps(body, ensure_ascii=False), use_count=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of version 1 with a message, a fact that was replaced, and the one that replaced it."""
    path = tmp_path / "memory.db"
    connection = open_file(path, MIGRATIONS[:1]).connection
    insert(connection, "scopes", scope=1, tenant=ALICE.tenant, user=ALICE.user, last_item=3, last_session=1, last_entry=7, version=1)
    insert(connection, "sessions", scope=1, session=1, name="s", last_seq=1, messages=1, window_start=2, summary="She lives in 巴黎.")
    item(connection, 1, "m", kind=0, session=1, seq=1, role=1)
    times = {"said_at": OLD.isoformat(), "recorded_at": "2026-05-01T18:00:00+08:00", "origin": "said"}
    insert(connection, "messages", scope=1, item=1, text="I live in 巴黎", **times)
    home = {"subject": "user", "attribute": "residence"}
    sources = [{"message": "m", "span": [0, 3]}, {"message": "m"}, {"message": "elsewhere"}]
    ended = {"valid_to": NEW.isoformat(), "retired_at": ENDED.isoformat(), "status": "superseded"}
    record(connection, 2, "old", OLD, text="lives in 巴黎", value="巴黎", sources=sources, **home, **ended)
    record(connection, 3, "new", NEW, text="lives in York", value="York", valid_from=NEW.isoformat(), **home)
    entry = {"entry": 7, "change": "add", "before": "{}", "after": "{}", "actor": "a", "reason": "r", "at": OLD.isoformat()}
    insert(connection, "history", scope=1, target="new", **entry)
    connection.commit()
    connection.close()
    return path


async def test_old_records_are_filed_and_cited(path: Path) -> None:
    store = await SqliteStore.open(path)
    assert store.backup is not None
    found = await store.keyed(ALICE, [fact_key("USER", "residence")])
    assert [each.id for each in found.records] == ["old", "new"]
    assert [each.id for each in (await store.keyed(ALICE, [text_key("Lives in York!")])).records] == ["new"]
    for message in ("m", "elsewhere"):
        assert [each.id for each in await store.citing(ALICE, [message])] == ["old"]
    entry = await store.entry(ALICE, "7")
    assert entry is not None and entry.target == "new"
    await store.close()


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"as_of": OLD}, {"m", "old"}),
        ({"as_of": NEW}, {"m", "new"}),
        ({"as_of": OLD - timedelta(seconds=1)}, set()),
        ({"known_at": OLD}, {"m", "old", "new"}),
        ({"known_at": ENDED}, {"m", "new"}),
        ({"known_at": OLD - timedelta(seconds=1)}, set()),
    ],
    ids=["as of the beginning", "as of the change", "as of before", "known at first", "known since", "known before"],
)
async def test_old_items_tell_when_they_held_and_were_known(path: Path, where: dict[str, Any], expected: set[str]) -> None:
    store = await SqliteStore.open(path)
    filters = Where(statuses=EVERY, **where)
    messages, records = await store.messages(ALICE, None, where=filters), await store.records(ALICE, where=filters)
    assert {each.id for each in (*messages.items, *records.items)} == expected
    await store.close()


async def test_old_records_are_found_by_whom_they_name(path: Path) -> None:
    store = await SqliteStore.open(path)
    assert [(each.key, each.records) for each in await store.named(ALICE)] == [("user", 2), ("york", 1), ("巴黎", 1)]
    assert [each.id for each in await store.naming(ALICE, ["巴黎"])] == ["old"]
    await store.close()


async def test_what_is_erased_from_an_old_file_stays_erased(path: Path) -> None:
    store = await SqliteStore.open(path)
    receipt = await store.erase(ALICE, ids=["m"])
    # The record cites another message, but that is not here.
    assert (receipt.messages, receipt.records, receipt.tombstones, receipt.jobs) == (1, 1, 4, 0)
    assert (await store.jobs()).total == 0
    (answer,) = await store.append(ALICE, "s", [draft("I live in 巴黎", said_at=OLD)])
    assert answer.outcome == "erased"
    again = Record(id="again", kind="fact", text="lives in 巴黎", learned_at=OLD, sources=(Source(message="m"),))
    with pytest.raises(Erased):
        await store.apply(ALICE, [Add(item=again, cause=CAUSE)])
    assert await store.occurrences(["巴黎"]) == (0,)
    await store.close()


async def test_a_search_of_an_old_file_finds_what_was_there(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO item_terms (scope, item, terms) VALUES (1, 3, ?)", (b"\0york\0",))
    connection.commit()
    connection.close()
    store = await SqliteStore.open(path)
    found = await store.search(ALICE, Probe(terms={"york": 1.0}, where=Where(as_of=NEW, statuses=EVERY)))
    assert [each.id for each in found.items] == ["new"]
    await store.close()


async def test_an_old_summary_covers_all_that_had_left_its_window(path: Path) -> None:
    store = await SqliteStore.open(path)
    info = await store.session(ALICE, "s")
    assert info is not None
    assert (info.window_start, info.summary, info.summarised_to) == (2, "She lives in 巴黎.", 1)
    await store.close()


async def test_what_learning_cost_before_is_still_counted_as_learning(path: Path) -> None:
    connection = open_file(path, MIGRATIONS[:3]).connection
    insert(connection, "spent", scope=1, day="2026-05-24", calls=3, tokens=900)
    connection.commit()
    connection.close()
    store = await SqliteStore.open(path)
    try:
        (cost,) = await store.costs(ALICE)
        assert (cost.day, cost.purpose, cost.spent) == (date(2026, 5, 24), "learn", Spent(calls=3, input_tokens=900))
        more = await store.spend(ALICE, date(2026, 5, 24), Spent(calls=1, output_tokens=5), purpose="learn")
        assert more == Spent(calls=4, input_tokens=900, output_tokens=5)
    finally:
        await store.close()


async def test_the_terms_of_an_old_file_move_beside_their_texts(path: Path) -> None:
    connection = open_file(path, MIGRATIONS[:7]).connection
    for number, row in ((1, b"\0live\0" + "巴黎".encode() + b"\0"), (3, b"2\0york\0")):
        insert(connection, "item_terms", scope=1, item=number, terms=row)
    connection.commit()
    connection.close()
    store = await SqliteStore.open(path)
    try:
        for term, expected in (("巴黎", ["m"]), ("york", ["new"])):
            found = await store.search(ALICE, Probe(terms={term: 1.0}, where=Where(statuses=EVERY)))
            assert [each.id for each in found.items] == expected
        # What is written next goes on from the numbers of the old file.
        (appended,) = await store.append(ALICE, "s", [draft("I live in York")])
        assert (appended.outcome, appended.message.seq) == ("stored", 2)
        receipt = await store.erase(ALICE)
        assert (receipt.messages, receipt.records, receipt.postings) == (2, 2, 2 + 1 + len(draft("I live in York").indexing.terms))
    finally:
        await store.close()
