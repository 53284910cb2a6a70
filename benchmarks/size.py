"""Bytes on disk for each message, with and without vectors."""

from __future__ import annotations

from pathlib import Path

from benchmarks.filling import Pool, fill_users, settle
from benchmarks.measure import SEED, Cell, Setting, Table
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.stores.sqlite import SqliteStore

USERS = 10
_NAMES = {"en": "English", "zh": "Chinese"}


async def run(setting: Setting) -> list[Table]:
    messages = setting.size(500, least=20)
    rows: list[tuple[Cell, ...]] = []
    for language in LANGUAGES:
        pool = Pool(Writer(language, SEED), messages * USERS)
        text = sum(len(one.text.encode()) for one in pool.take(messages * USERS, 0)) / (messages * USERS)
        for space in (None, VectorSpace(384, clusters=100)):
            path = setting.folder / f"{language}-{'with' if space else 'without'}.db"
            store = await SqliteStore.open(path)
            await fill_users(store, [pool], range(USERS), messages, embedder="made", space=space)
            await settle(store)
            await store.close()
            on_disk = _bytes(path) / (messages * USERS)
            rows.append((_NAMES[language], "with" if space else "without", text, on_disk, on_disk / text))
    note = f"{messages * USERS:,} messages of {USERS} users in sessions of 50, the file closed. A vector has 384 numbers of 4 bytes."
    return [Table("size", ("language", "vectors", "text, bytes", "on disk, bytes", "ratio"), tuple(rows), note)]


def _bytes(path: Path) -> int:
    """The file and whatever lies beside it."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
