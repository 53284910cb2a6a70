"""Opening a store file: what kind of file it is, making a new one, migrations, and the backup before them."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pagefile.errors import StoreCorrupt, StoreTooNew, StoreUnavailable
from pagefile.stores.sqlite.connection import PATIENCE, begin, connect, translated
from pagefile.stores.sqlite.documents import MIGRATIONS, statements
from pagefile.stores.sqlite.upgrades import UPGRADES

logger = logging.getLogger("pagefile.stores")

#: "PGFL": what ``PRAGMA application_id`` says of our files.
APPLICATION_ID = 0x5047464C
PAGE_SIZE = 8192
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
#: Files up to this size are checked whole when they are opened (about 20 ms).
_CHECKED_WHOLE = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection to a file of the newest schema, and the backup that was made on the way, if one was."""

    path: Path
    connection: sqlite3.Connection
    backup: Path | None


def open_file(given: str | os.PathLike[str], migrations: Sequence[str] = MIGRATIONS) -> Opened:
    """Open or make a store file and bring it to the newest schema.

    Raises StoreUnavailable, StoreCorrupt or StoreTooNew; the file is untouched then.
    """
    path = Path(given).expanduser().absolute()
    _make_room(path)
    _check_header(path, len(migrations))
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with translated(path, "opening"):
                return _open(path, migrations)
        except StoreUnavailable as error:
            # Another process that makes or recovers the file at this moment; SQLite does not always wait for that by itself.
            cause = error.__cause__
            busy = isinstance(cause, sqlite3.OperationalError) and (cause.sqlite_errorcode & 0xFF) == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _make_room(path: Path) -> None:
    """The folders, and an empty file that only its owner can read."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make_file(path)
        if not path.is_file():
            raise StoreUnavailable(f"opening {str(path)!r}: it is not a file; give the path of a file")
        if not os.access(path, os.R_OK | os.W_OK):
            raise StoreUnavailable(f"opening {str(path)!r}: it may not be read and written by this user; check its permissions")
    except OSError as error:
        raise StoreUnavailable(
            f"opening {str(path)!r}: {error.strerror or error}; check the path and its permissions, or choose another place"
        ) from error


def _make_file(path: Path) -> None:
    # Somebody else may make it at the same moment.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _check_header(path: Path, newest: int) -> None:
    """Look at the beginning of the file as it is, without a log, a lock, or anything written beside it.

    By SQLite, not by ``open``: closing a file drops the locks that other connections of this process hold on it.
    """
    if not path.stat().st_size or _was_being_made(path):
        return
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    except sqlite3.DatabaseError as error:
        # With a log beside it, the file by itself may be behind: SQLite says so later if it is damaged.
        if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB and _has_log(path):
            return
        raise StoreCorrupt(
            f"{str(path)!r} is damaged or no Pagefile store ({error}); it was left untouched. Restore a backup, or choose another path"
        ) from error
    finally:
        connection.close()
    if application != APPLICATION_ID:
        raise StoreCorrupt(f"{str(path)!r} is a database of another application; it was left untouched. Choose another path")
    _check_version(path, version, newest)


def _was_being_made(path: Path) -> bool:
    """Whether a process died while it made the file: the journal beside it, which SQLite will roll back, says that it was empty before."""
    try:
        header = path.with_name(path.name + "-journal").read_bytes()[:20]
    except FileNotFoundError:
        return False
    return header[:8] == _JOURNAL_MAGIC and not any(header[16:20])


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _check_version(path: Path, version: int, newest: int) -> None:
    if version > newest:
        raise StoreTooNew(
            f"{str(path)!r} was written by a newer Pagefile (schema {version}; this one knows {newest}); it was left untouched. "
            "Upgrade Pagefile"
        )


def _open(path: Path, migrations: Sequence[str]) -> Opened:
    connection = connect(path)
    try:
        _check_whole(path, connection)
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        # The first schema is written without a log, so that the header of the file says what it is from the beginning.
        backup = migrate(path, connection, migrations)
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StoreUnavailable(
                f"opening {str(path)!r}: a write-ahead log is not possible there (mode {mode!r}); choose a folder on a local disk"
            )
    except BaseException:
        connection.close()
        raise
    return Opened(path, connection, backup)


def _check_whole(path: Path, connection: sqlite3.Connection) -> None:
    if path.stat().st_size <= _CHECKED_WHOLE:
        finding = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if finding != "ok":
            raise StoreCorrupt(f"{str(path)!r} is damaged ({finding}); it was left untouched. Restore it from a backup")


def migrate(path: Path, connection: sqlite3.Connection, migrations: Sequence[str]) -> Path | None:
    """Run the migrations that are missing, all or none. Returns the backup that was made before a file with data was changed."""
    begin(connection)
    try:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        _check_version(path, version, len(migrations))
        # Nobody else can write from here on, so that the backup is what the migration starts from.
        backup = _back_up(path, version) if 0 < version < len(migrations) else None
        for number, migration in enumerate(migrations[version:], start=version + 1):
            for statement in statements(migration):
                connection.execute(statement)
            if number in UPGRADES:
                UPGRADES[number](connection)
        if version < len(migrations):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return backup


def _back_up(path: Path, version: int) -> Path:
    name = f"{path.name}.schema{version}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.backup"
    target = path.with_name(name)
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailable(
            f"backing up {str(path)!r} to {name!r}: {error.strerror or error}; nothing was changed. Make room beside the file"
        ) from error
    source, copy = connect(path, mode="ro"), sqlite3.connect(target)
    try:
        source.backup(copy)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    finally:
        source.close()
        copy.close()
    logger.warning("the schema of %s is being upgraded; a backup was made: %s", path, target)
    return target
