"""Connections, threads and driver errors: the only place that knows how SQLite is spoken to."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from pagefile.errors import InputError, PagefileError, StoreCorrupt, StoreError, StoreUnavailable

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

#: How long to wait for another process that writes, in seconds.
PATIENCE = 120.0
#: So many waiting writes share one commit.
_GROUP = 64
_READERS = 4

_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    # So that nothing of an erased text stays in free pages.
    "PRAGMA secure_delete = ON",
    # Sorting and savepoints must not leave texts in temporary files.
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16000",
    "PRAGMA wal_autocheckpoint = 2000",
    "PRAGMA journal_size_limit = 67108864",
)


def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
    """A connection without implicit transactions. ``mode``: "ro" or "rw"; the file must be there."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def translated(path: Path, doing: str) -> Iterator[None]:
    """Turns errors of the driver into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(error, path, doing) from error
    except OSError as error:
        raise StoreUnavailable(f"{doing} {str(path)!r}: {error.strerror or error}; check the folder and its permissions") from error
    except UnicodeEncodeError as error:
        raise InputError(f"a text has a lone surrogate at {error.start}, which cannot be stored; replace it first") from error
    except OverflowError as error:
        raise InputError(f"a number is too large to be stored ({error}); whole numbers have at most 63 bits") from error


def _translation(error: sqlite3.Error, path: Path, doing: str) -> PagefileError:
    tried = f"{doing} {str(path)!r}"
    # An extended code carries the primary one in its lowest byte.
    code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        left = "it was left untouched. Restore" if doing == "opening" else "restore"
        return StoreCorrupt(f"{tried}: the file is damaged or no Pagefile store ({error}); {left} it from a backup")
    if code == sqlite3.SQLITE_FULL:
        return StoreUnavailable(f"{tried}: the disk is full; nothing was changed. Make room and try again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreUnavailable(f"{tried}: it cannot be written ({error}); check the permissions of the file and its folder")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreUnavailable(f"{tried}: another process kept it locked for {PATIENCE:.0f} seconds; see who uses it, and try again")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS):
        return StoreUnavailable(f"{tried}: {error}; check the disk, the folder and its free space, and try again")
    if code in (sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH) or isinstance(error, sqlite3.DataError | sqlite3.InterfaceError):
        return InputError(f"{tried}: a value cannot be stored ({error})")
    if isinstance(error, sqlite3.ProgrammingError):
        # The binding refuses types it does not know; nothing has been run then.
        return InputError(f"{tried}: a value cannot be stored ({error})")
    return StoreError(f"{tried}: {error}")


def begin(connection: sqlite3.Connection) -> None:
    """Start a write. Waits for other processes at short random intervals: SQLite's own grow to 100 ms, and some would starve."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if (error.sqlite_errorcode & 0xFF) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(random.uniform(0.0005, 0.004))


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[T]):
    """A write in the queue. ``after`` runs on the connection once the write is durable, before it is acknowledged."""

    work: Work[T]
    after: Callable[[sqlite3.Connection], None] | None
    future: Future[T]


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file the path names; None: there is none. Windows lets nobody move an open file, and may not number them."""
    if os.name != "posix":
        return None
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


class _TransactionLost(Exception):
    """SQLite rolled the whole transaction back, and what others had written in it."""


class Writer:
    """One thread that writes. Writes that wait together are made in one transaction, each in a savepoint of its own (group commit),
    and acknowledged when it is on the disk."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        # ``begin`` does the waiting.
        connection.execute("PRAGMA busy_timeout = 0")
        self._identity = _identity(path)
        self._queue: SimpleQueue[_Waiting[Any] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pagefile-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work[T], after: Callable[[sqlite3.Connection], None] | None = None) -> Future[T]:
        future: Future[T] = Future()
        self._queue.put(_Waiting(work, after, future))
        return future

    def close(self) -> None:
        """Finish what waits, then close the connection."""
        self._queue.put(None)
        self._thread.join()
        try:
            with translated(self._path, "closing"):
                if _identity(self._path) != self._identity:
                    # SQLite does so itself when it closes a file, but not when that was moved. Our readers are out of the way now.
                    self._save_log()
        finally:
            self._connection.close()

    def _run(self) -> None:
        running = True
        while running:
            group = [self._queue.get()]
            while len(group) < _GROUP and not self._queue.empty():
                group.append(self._queue.get())
            running = None not in group
            self._settle([each for each in group if each is not None and each.future.set_running_or_notify_cancel()])

    def _settle(self, group: list[_Waiting[Any]]) -> None:
        try:
            self._write(group)
        except BaseException as error:  # handed over, not swallowed: the thread must live on, or later writes would wait for ever
            for each in group:
                if not each.future.done():
                    each.future.set_exception(error)

    def _write(self, group: list[_Waiting[Any]]) -> None:
        """Raises what concerns all that have no answer yet: whoever waited in vain to begin must not wait as long for each of them."""
        if len(group) > 1:
            self._begin()
            try:
                outcomes = self._commit(group)
            except (_TransactionLost, sqlite3.Error, PagefileError):
                # One of them took the others down: each for itself then, so that each gets its own answer.
                pass
            else:
                self._acknowledge(group, outcomes)
                return
        for each in group:
            self._begin()
            try:
                with translated(self._path, "writing to"):
                    outcomes = self._commit([each])
            except Exception as error:  # handed over, not swallowed
                each.future.set_exception(error)
            else:
                self._acknowledge([each], outcomes)

    def _begin(self) -> None:
        with translated(self._path, "writing to"):
            begin(self._connection)

    def _commit(self, group: list[_Waiting[Any]]) -> list[Any]:
        """Do and commit what was begun, or roll it back."""
        try:
            outcomes = [self._attempt(each.work, alone=len(group) == 1) for each in group]
            if _identity(self._path) != self._identity:
                raise self._moved()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return outcomes

    def _moved(self) -> StoreUnavailable:
        """The path names another file, or none. What is written now would go where nobody looks for it."""
        self._connection.execute("ROLLBACK")
        log = self._path.with_name(self._path.name + "-wal")
        if self._save_log():
            where = "what was written before is in the file that was moved, unless that was deleted"
        else:
            where = f"what was written last may still be in {str(log)!r}: close this store before you use either file"
        return StoreUnavailable(
            f"writing to {str(self._path)!r}: it was moved or deleted while open; open it again. Nothing was changed now, and {where}"
        )

    def _save_log(self) -> bool:
        """Write the log back into the file that was opened, wherever that is now; returns whether all of it is there, and the log empty.

        The log goes by the path's name: left as it is, it would be taken for that of another file that is put there.
        """
        busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _attempt(self, work: Work[Any], *, alone: bool) -> Any:
        """What the work returned, or the error that it raised and that undid it alone."""
        if alone:
            return work(self._connection)
        self._connection.execute("SAVEPOINT one")
        try:
            with translated(self._path, "writing to"):
                outcome = work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction:
                raise _TransactionLost from error
            self._connection.execute("ROLLBACK TO one")
            outcome = error
        self._connection.execute("RELEASE one")
        return outcome

    def _acknowledge(self, group: list[_Waiting[Any]], outcomes: list[Any]) -> None:
        for each, outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Exception):
                each.future.set_exception(outcome)
                continue
            try:
                if each.after is not None:
                    with translated(self._path, "cleaning up"):
                        each.after(self._connection)
            except Exception as error:  # handed over, not swallowed
                each.future.set_exception(error)
            else:
                each.future.set_result(outcome)


class Readers:
    """A few threads that read, each with its own connection. A read sees one snapshot."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="pagefile-reader")

    def submit(self, work: Work[T]) -> Future[T]:
        return self._pool.submit(self._read, work)

    def _read(self, work: Work[T]) -> T:
        with translated(self._path, "reading"):
            return work(self._connection())

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self._path)
            connection.execute("PRAGMA query_only = ON")
            self._local.connection = connection
            self._connections.append(connection)
        return connection

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        for connection in self._connections:
            connection.close()


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """All reads inside see the same state of the file."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
