"""What makes an erase real: nothing of the deleted rows stays in the log or in unused parts of the file.

``secure_delete`` zeroes what is deleted, but when SQLite moves rows between neighbouring pages it leaves their old bytes in the unused
middle of a page: copies that a later delete does not know of. VACUUM would remove them by writing the whole file anew, seconds for
hundreds of megabytes. Here the unused middle of each page is zeroed in place, while the file stands still.

The file format is documented and stable (https://sqlite.org/fileformat2.html, "B-tree Pages").
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagefile.errors import StoreUnavailable
from pagefile.stores.sqlite.connection import begin
from pagefile.stores.sqlite.documents import SQL

#: How long to wait for readers before the log can be cut off, in seconds.
_PATIENCE = 20.0
_PAGES_AT_ONCE = 512
#: First byte of a page that holds rows or keys → length of its header. Other pages begin with a page number, whose first byte is 0 in
#: files of less than 2**25 pages.
_HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
_MOST_PAGES = 2**25

#: Files that were scrubbed or searched. They are never closed: closing any descriptor of a file drops all POSIX locks that this process
#: holds on it, those of SQLite's own connections too (https://sqlite.org/howtocorrupt.html, 2.2).
_descriptors: dict[tuple[int, int], int] = {}


def scrub(connection: sqlite3.Connection, path: Path) -> None:
    """Cut off the log and zero the unused parts of the file. Runs on the writing connection, outside a transaction.

    Raises StoreUnavailable if another process keeps reading an old state for too long.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        if _truncate_log(connection):
            begin(connection)
            try:
                # Nobody can write now; an empty log means that nobody can move pages from it into the file either.
                frozen = _log_is_empty(path)
                if frozen:
                    _zero_unused(path)
                    # Neither may a page come back from a cache: ours is dropped here, others drop theirs when they see a new commit.
                    connection.execute("PRAGMA shrink_memory")
                    connection.execute(SQL["mark_scrubbed"])
            finally:
                connection.execute("COMMIT")
            if frozen:
                return
        if time.monotonic() > deadline:
            raise StoreUnavailable(
                "everything was erased, but another process reads an old state of the file, so unused parts of it and the log beside it "
                "may still have the text; end that process and erase again (there is nothing left to count)"
            )
        time.sleep(0.01)


def _truncate_log(connection: sqlite3.Connection) -> bool:
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def _log_is_empty(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return not log.exists() or log.stat().st_size == 0


def _zero_unused(path: Path) -> None:
    file = descriptor(path)
    page_size = int.from_bytes(read(file, 2, 16), "big")
    pages = os.fstat(file).st_size // page_size
    if pages > _MOST_PAGES:
        raise StoreUnavailable(f"{str(path)!r} has {pages} pages, too many to clean in place; run VACUUM on it to finish the erase")
    changed = False
    for first in range(0, pages, _PAGES_AT_ONCE):
        data = read(file, min(_PAGES_AT_ONCE, pages - first) * page_size, first * page_size)
        block = np.frombuffer(data, dtype=np.uint8).reshape(-1, page_size)
        for place, start, end in _dirty(block, first == 0):
            _write_zeros(file, end - start, (first + place) * page_size + start)
            changed = True
    if changed:
        os.fsync(file)


def read(file: int, size: int, start: int) -> bytes:
    """Bytes of a file. Whoever reads holds the lock for writing."""
    # Not ``pread``, which Windows lacks. The place in the file is nobody else's then.
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, size)


def _write_zeros(file: int, size: int, start: int) -> None:
    os.lseek(file, start, os.SEEK_SET)
    os.write(file, bytes(size))


def _dirty(block: NDArray[np.uint8], has_first_page: bool) -> list[tuple[int, int, int]]:
    """Pages whose unused middle is not all zero: place in the block, start and end of the middle."""
    headers = np.zeros(len(block), dtype=np.int64)
    if has_first_page:
        # The first page begins with the header of the file.
        headers[0] = 100
    rows = np.arange(len(block))
    kinds = block[rows, headers].astype(np.int64)
    lengths = np.select([kinds == kind for kind in _HEADERS], list(_HEADERS.values()), 0)
    cells = block[rows, headers + 3].astype(np.int64) << 8 | block[rows, headers + 4]
    starts = headers + lengths + 2 * cells
    ends = block[rows, headers + 5].astype(np.int64) << 8 | block[rows, headers + 6]
    sane = (lengths > 0) & (starts < ends) & (ends <= block.shape[1])
    return [
        (int(place), int(starts[place]), int(ends[place]))
        for place in np.flatnonzero(sane)
        if block[place, starts[place] : ends[place]].any()
    ]


def descriptor(path: Path) -> int:
    """An open file that stays open: closing it would drop locks."""
    found = path.stat()
    key = (found.st_dev, found.st_ino)
    if key not in _descriptors:
        _descriptors[key] = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    return _descriptors[key]
