"""How long it takes to erase a user, a session and one record for good, and what is left of them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.filling import Pool, Prepared, fill, fill_users, remember, settle, user
from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.receipts import EraseReceipt
from pagefile.records import Scope
from pagefile.stores.sqlite import SqliteStore

#: Users who are erased whole, and all the others.
ERASED = 3
OTHERS = 200
OTHERS_MESSAGES = 20
SESSION = 50
#: Sessions, messages and records of one more user that are erased one by one.
ONE_BY_ONE = 5
_EMBEDDER = "made"


async def run(setting: Setting) -> list[Table]:
    each, others = setting.size(2_000, least=20), setting.size(OTHERS, least=2)
    pools = [Pool(Writer(language, SEED), setting.size(10_000, least=40)) for language in LANGUAGES]
    space = VectorSpace(384, clusters=100)
    path = setting.folder / "erase.db"
    store = await SqliteStore.open(path)
    try:
        await fill_users(store, pools, range(ERASED + 1, ERASED + 1 + others), OTHERS_MESSAGES, embedder=_EMBEDDER, space=space)
        *whole, in_parts = [await _fill(store, user(number), number, each, space) for number in range(ERASED + 1)]
        await settle(store)
        rows = await _parts(store, in_parts)
        what = f"a user: {each:,} messages, {each:,} records"
        rows.append(await _timed(store, what, [_everything(store, one[0]) for one in whole], whole))
    finally:
        await store.close()
    note = (
        f"Among {others:,} users of {OTHERS_MESSAGES} messages, in a file of {_bytes(path) / 1e6:.0f} MB; every item has a vector, every "
        "record cites a message. When it returns, what is erased is gone from the file and its log. Found: how often texts that only these "
        "users said stand in them, before and after."
    )
    columns = ("erase of", "times", "median s", "slowest s", "messages", "records", "tombstones", "found", "target")
    return [Table("erase", columns, tuple(rows), note), await _tombstones(setting, pools)]


#: A user, ids of his messages and records, and words that only he said.
_Filled = tuple[Scope, Sequence[str], Sequence[str], Sequence[str]]
_Erase = Callable[[], Awaitable[EraseReceipt]]


async def _fill(store: SqliteStore, scope: Scope, number: int, items: int, space: VectorSpace) -> _Filled:
    """Messages in sessions, and as many records, each learnt from one of them; all in words that nobody else says."""
    pools = [Pool(Writer(language, SEED + 1 + number), items // 2) for language in LANGUAGES]
    prepared = [message for pool in pools for message in pool.take(items // 2, first=0)]
    vectors = space.draw(len(prepared))
    messages = await fill(store, scope, prepared, session=SESSION, embedder=_EMBEDDER, vectors=vectors)
    records = await remember(store, scope, prepared, cited=messages, embedder=_EMBEDDER, vectors=vectors)
    longest = sorted((one.text for one in prepared), key=len)[-20:]
    return scope, messages, records, longest


async def _parts(store: SqliteStore, filled: _Filled) -> list[tuple[Cell, ...]]:
    """Of one user, some sessions, messages and records, one by one."""
    scope, messages, records, _ = filled

    def session(number: int) -> _Erase:
        return lambda: store.erase(scope, session=f"session {number * SESSION}")

    def item(id: str) -> _Erase:
        return lambda: store.erase(scope, ids=[id])

    count = max(1, min(ONE_BY_ONE, len(messages) // SESSION - 1))
    # Those at the end stand in other sessions than those that are erased.
    return [
        await _timed(store, "one record", [item(id) for id in records[-count:]], []),
        await _timed(store, "one message and its record", [item(id) for id in messages[-2 * count : -count]], []),
        await _timed(store, f"a session of {SESSION} messages", [session(number) for number in range(count)], []),
    ]


def _everything(store: SqliteStore, scope: Scope) -> _Erase:
    return lambda: store.erase(scope)


async def _timed(store: SqliteStore, what: str, erases: Sequence[_Erase], whole: Sequence[_Filled]) -> tuple[Cell, ...]:
    seconds: list[float] = []
    receipts: list[EraseReceipt] = []
    telling = [text for one in whole for text in one[3]]
    before = sum(await store.occurrences(telling))
    for erase in erases:
        started = time.perf_counter()
        receipts.append(await erase())
        seconds.append(time.perf_counter() - started)
    counts = [
        sum(counted) / len(receipts) for counted in zip(*((one.messages, one.records, one.tombstones) for one in receipts), strict=True)
    ]
    row: tuple[Cell, ...] = (what, len(erases), median(seconds), max(seconds), *counts)
    if not whole:
        return (*row, None, "")
    found = sum(await store.occurrences(telling))
    return (*row, f"{before:,} → {found}", f"{at_most(1, median(seconds), ' s')}, found 0: {'missed' if found else 'met'}")


async def _tombstones(setting: Setting, pools: Sequence[Pool]) -> Table:
    """What tombstones alone take."""
    rows: list[tuple[Cell, ...]] = []
    empty, _ = await _left_of(setting.folder / "empty.db", [])
    for number in (500, 5_000, 20_000):
        items = setting.size(number, least=20)
        prepared = [message for pool in pools for message in pool.take(items // 2, first=0)]
        size, receipt = await _left_of(setting.folder / f"tombstones-{number}.db", prepared)
        rows.append((receipt.messages, receipt.tombstones, size, (size - empty) / receipt.tombstones))
    columns = ("messages erased", "tombstones", "file, bytes", "bytes a tombstone")
    note = f"A file of nothing but what was erased, without its free pages; an empty one has {empty:,} bytes."
    return Table("erase: what is left", columns, tuple(rows), note)


async def _left_of(path: Path, prepared: Sequence[Prepared]) -> tuple[int, EraseReceipt]:
    """Bytes of a file in which all of this was said and erased."""
    store = await SqliteStore.open(path)
    await fill(store, user(0), prepared)
    receipt = await store.erase(user(0))
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")
    return _bytes(path), receipt


def _bytes(path: Path) -> int:
    return path.stat().st_size
