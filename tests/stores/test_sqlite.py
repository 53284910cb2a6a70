"""The SQLite file: how it is made, opened, upgraded and refused, and what happens when the disk does not play along."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlite_help import ALICE, BOB, CAUSE, draft, words

from pagefile.errors import InputError, NotFound, StoreCorrupt, StoreTooNew, StoreUnavailable
from pagefile.records import Add, Block, Scope
from pagefile.stores.sqlite import SqliteStore, opening
from pagefile.stores.sqlite import connection as connection_module
from pagefile.stores.sqlite.documents import MIGRATIONS, SCHEMA, SQL, statements
from pagefile.stores.sqlite.opening import open_file


def schema_of(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Every table and index, without comments and spaces."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()
    plain = {name: " ".join(line.split("--")[0].strip() for line in sql.splitlines()) for name, sql in rows}
    # ALTER TABLE puts its commas and brackets where it likes.
    return [(name, re.sub(r"\s*([(),])\s*", r"\1", sql)) for name, sql in plain.items()]


def test_the_schema_for_people_is_all_migrations_applied() -> None:
    written, migrated = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    for script, connection in ((SCHEMA, written), ("\n".join(MIGRATIONS), migrated)):
        for statement in statements(script):
            connection.execute(statement)
    assert schema_of(written) == schema_of(migrated)
    written.close()
    migrated.close()


def test_every_query_is_understood_by_sqlite_and_used() -> None:
    connection = sqlite3.connect(":memory:")
    for statement in statements(SCHEMA):
        connection.execute(statement)
    source = "".join(path.read_text() for path in Path(opening.__file__).parent.glob("*.py"))
    for name, query in SQL.items():
        with pytest.raises(sqlite3.ProgrammingError, match="binding") if ":" in query else contextlib.nullcontext():
            connection.execute(f"EXPLAIN {query}")
        used = f'"{name}"' in source or name.startswith("erase_scope") or name.removesuffix("_newest_first") in source
        assert used, name
    connection.close()


async def test_the_file_and_its_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "memory.db"
    store = await SqliteStore.open(path)
    assert store.location == str(path)
    await store.append(ALICE, "s", [draft("hello")])
    for each in path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600
    await store.close()


async def test_the_file_is_durable_private_and_ours(tmp_path: Path) -> None:
    opened = open_file(tmp_path / "memory.db")
    pragmas = {name: opened.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "page_size")}
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "page_size": 8192}
    assert opened.connection.execute("PRAGMA secure_delete").fetchone()[0] == 1
    assert opened.connection.execute("PRAGMA application_id").fetchone()[0] == opening.APPLICATION_ID
    opened.connection.close()


async def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "记忆 50%?#.db"
    store = await SqliteStore.open(path)
    (stored,) = await store.append(ALICE, "会话", [draft("我不吃 辣")])
    await store.close()
    again = await SqliteStore.open(path)
    assert await again.window(ALICE, "会话") == (stored.message,)
    assert again.backup is None
    await again.close()


async def test_an_upgrade_makes_a_backup_first(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [draft("kept")])
    await store.close()
    opened = open_file(path, (*MIGRATIONS, "CREATE TABLE novelty (thing TEXT);"))
    assert opened.connection.execute("SELECT count(*) FROM novelty").fetchone() == (0,)
    assert opened.connection.execute("SELECT text FROM messages").fetchall() == [("kept",)]
    opened.connection.close()
    assert opened.backup is not None
    assert stat.S_IMODE(opened.backup.stat().st_mode) == 0o600
    backup = await SqliteStore.open(opened.backup)
    assert [message.text for message in await backup.window(ALICE, "s")] == ["kept"]
    await backup.close()
    with pytest.raises(StoreTooNew):
        await SqliteStore.open(path)


async def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    with pytest.raises(Exception, match="nowhere"):
        open_file(path, (*MIGRATIONS, "CREATE TABLE novelty (thing TEXT); INSERT INTO nowhere VALUES (1);"))
    store = await SqliteStore.open(path)
    await store.close()


def refused(path: Path, error: type[Exception]) -> None:
    """Opening is refused, and neither the file nor the folder is changed."""
    before = {each: each.read_bytes() for each in path.parent.iterdir()}
    with pytest.raises(error, match="untouched") as caught:
        asyncio.run(SqliteStore.open(path))
    assert str(path) in str(caught.value)
    assert {each: each.read_bytes() for each in path.parent.iterdir()} == before


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    opened = open_file(path, (*MIGRATIONS, "CREATE TABLE novelty (thing TEXT);"))
    opened.connection.close()
    refused(path, StoreTooNew)


@pytest.mark.parametrize("content", [b"hello", b"x" * 5_000, b"SQLite format 3\0" + b"\xff" * 200], ids=["short", "text", "header"])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    refused(path, StoreCorrupt)


def test_a_database_of_another_application_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scopes (scope INTEGER)")
    connection.close()
    refused(path, StoreCorrupt)


@pytest.mark.parametrize("damage", ["cut", "overwritten"])
def test_a_damaged_file_is_left_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "memory.db"
    open_file(path).connection.close()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] if damage == "cut" else data[:8192] + b"\x5a" * (len(data) - 8192))
    refused(path, StoreCorrupt)


async def test_damage_that_shows_later_is_told_plainly(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [draft(f"text {number}") for number in range(200)])
    await store.erase(BOB)  # writes the log back
    file = path.open("r+b")  # closed at the end: closing it drops locks
    file.seek(8192)
    file.write(b"\x5a" * (path.stat().st_size - 8192))
    file.flush()
    with pytest.raises(StoreCorrupt, match="backup"):
        await store.messages(ALICE, "s")
    await store.close()
    file.close()


def test_a_folder_that_cannot_be_made_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "memory.db", tmp_path):
        with pytest.raises(StoreUnavailable, match=str(path)):
            asyncio.run(SqliteStore.open(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_is_told_plainly(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    open_file(path).connection.close()
    path.chmod(0o400)
    with pytest.raises(StoreUnavailable, match="permissions"):
        asyncio.run(SqliteStore.open(path))


async def test_a_full_disk_stores_nothing_by_halves_and_is_forgotten_when_there_is_room(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.append(ALICE, "s", [draft("before")])
    pages = await store._write(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await store._write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages + 2}"))
    with pytest.raises(StoreUnavailable, match="full"):
        await store.append(ALICE, "s", [draft("long " * 50_000), draft("after it")])
    # Waiting together with a small one, which must not suffer from it.
    large, small = await asyncio.gather(
        store.append(ALICE, "s", [draft("long " * 50_000)]), store.append(ALICE, "s", [draft("small")]), return_exceptions=True
    )
    assert isinstance(large, StoreUnavailable)
    assert not isinstance(small, BaseException)
    assert [message.text for message in await store.window(ALICE, "s")] == ["before", "small"]
    await store._write(lambda connection: connection.execute("PRAGMA max_page_count = 1000000"))
    (answer,) = await store.append(ALICE, "s", [draft("long " * 50_000)])
    assert answer.message.seq == 3
    await store.close()


async def test_one_refused_write_does_not_harm_those_that_share_its_commit(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    block = Add(item=Block(label="human"), cause=CAUSE)
    calls = [store.apply(ALICE, [block]) if number % 3 == 0 else store.append(ALICE, "s", [draft(f"{number}")]) for number in range(30)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(each, InputError) for each in outcomes) == 9
    assert [message.seq for message in await store.window(ALICE, "s")] == list(range(1, 21))
    await store.close()


async def test_a_cancelled_write_is_whole_or_was_never_begun(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    tasks = [asyncio.create_task(store.append(ALICE, "s", [draft(f"{n} a"), draft(f"{n} b")])) for n in range(40)]
    await asyncio.sleep(0.002)
    for task in tasks[::2]:
        task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    texts = [message.text for message in await store.window(ALICE, "s")]
    assert len(texts) % 2 == 0
    assert [text[-1] for text in texts] == ["a", "b"] * (len(texts) // 2)
    kept = [each for each in outcomes if not isinstance(each, BaseException)]
    assert {answer.message.text for answers in kept for answer in answers} <= set(texts)
    await store.close()


async def test_two_stores_on_one_file_number_a_session_without_gaps(tmp_path: Path) -> None:
    stores = [await SqliteStore.open(tmp_path / "memory.db") for _ in range(2)]
    await asyncio.gather(*(stores[number % 2].append(ALICE, "s", [draft(f"{number}")]) for number in range(60)))
    for store in stores:
        assert [message.seq for message in await store.window(ALICE, "s")] == list(range(1, 61))
        await store.close()


async def test_many_stores_can_make_the_same_file_at_once(tmp_path: Path) -> None:
    stores = await asyncio.gather(*(SqliteStore.open(tmp_path / "memory.db") for _ in range(6)))
    await asyncio.gather(*(store.append(ALICE, "s", [draft("one")]) for store in stores))
    assert (await stores[0].stats()).messages == 6
    for store in stores:
        await store.close()


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.close()
    await store.close()
    for call in (store.get(ALICE, ["x"]), store.append(ALICE, "s", [draft("x")]), store.search(ALICE, words("x"))):
        with pytest.raises(StoreUnavailable, match="closed"):
            await call


async def test_values_that_sqlite_cannot_keep_are_refused(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    for label in ("a\0b", "\ud800"):
        with pytest.raises(InputError):
            await store.apply(ALICE, [Add(item=Block(label=label), cause=CAUSE)])
    with pytest.raises(InputError, match="63 bits"):
        await store.apply(ALICE, [Add(item=Block(label="x", token_limit=2**70), cause=CAUSE)])
    with pytest.raises(NotFound):
        await store.set_window(ALICE, "nowhere", window_start=1, summary=None)
    assert (await store.stats()).scopes == 0
    await store.close()


async def test_the_scope_of_a_longer_or_shorter_name_is_another(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db")
    await store.append(Scope("acme", "john_doe"), "s", [draft("secret")])
    for scope in (Scope("acme", "john-doe"), Scope("acme", "JOHN_DOE"), Scope("acm", "ejohn_doe"), Scope("acme", "%"), Scope("%", "%")):
        assert not (await store.search(scope, words("secret"))).items
        assert (await store.messages(scope, None)).total == 0
    await store.close()


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be moved there")
@pytest.mark.parametrize("how", ["moved", "moved with its folder", "deleted", "replaced"])
async def test_nothing_is_acknowledged_once_the_file_is_no_longer_at_its_path(tmp_path: Path, how: str) -> None:
    path, elsewhere = tmp_path / "here" / "memory.db", tmp_path / "there" / "memory.db"
    store = await SqliteStore.open(path)
    await store.append(ALICE, "s", [draft("before")])
    await store.window(ALICE, "s")  # so that there is a reader
    if how == "moved with its folder":
        path.parent.rename(elsewhere.parent)
    elif how == "deleted":
        path.unlink()
    else:
        elsewhere.parent.mkdir()
        path.rename(elsewhere)
    if how == "replaced":
        path.write_bytes(b"")
    calls = [store.append(ALICE, "s", [draft(f"lost {number}")]) for number in range(5)]
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(outcome, StoreUnavailable)
        assert "moved or deleted" in str(outcome)
        assert "memory.db-wal" not in str(outcome)
    await store.close()
    if how == "replaced":
        # An older log beside it would be taken for its own.
        assert (path.read_bytes(), path.with_name("memory.db-wal").read_bytes()) == (b"", b"")
    if how != "deleted":
        again = await SqliteStore.open(elsewhere)
        assert [message.text for message in await again.window(ALICE, "s")] == ["before"]
        await again.close()


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be moved there")
async def test_closing_a_store_whose_file_was_moved_leaves_everything_in_the_moved_file(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "memory.db", tmp_path / "moved.db"
    store = await SqliteStore.open(path)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM items").fetchone()
    await store.append(ALICE, "s", [draft("before")])
    path.rename(elsewhere)
    with pytest.raises(StoreUnavailable, match=r"memory\.db-wal"):
        await store.append(ALICE, "s", [draft("lost")])
    reader.close()
    await store.close()
    again = await SqliteStore.open(elsewhere)
    assert [message.text for message in await again.window(ALICE, "s")] == ["before"]
    await again.close()


async def test_writes_that_waited_together_in_vain_fail_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    monkeypatch.setattr(connection_module, "PATIENCE", 0.3)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    calls = [store.append(ALICE, "s", [draft(f"{number}")]) for number in range(30)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(each, StoreUnavailable) for each in outcomes)
    # One error for each time that was waited: the first write, which was alone yet, and those that came meanwhile.
    assert len({id(each) for each in outcomes}) <= 3
    other.execute("ROLLBACK")
    other.close()
    await store.append(ALICE, "s", [draft("after")])
    await store.close()


async def test_after_an_error_that_nobody_expects_writing_goes_on(tmp_path: Path) -> None:
    class Unexpected(BaseException):
        pass

    def fail(connection: sqlite3.Connection) -> None:
        raise Unexpected

    store = await SqliteStore.open(tmp_path / "memory.db")
    outcomes = await asyncio.gather(*(store._write(fail) for _ in range(9)), return_exceptions=True)
    assert all(isinstance(each, Unexpected) for each in outcomes)
    (answer,) = await store.append(ALICE, "s", [draft("after")])
    assert answer.message.seq == 1
    await store.close()
