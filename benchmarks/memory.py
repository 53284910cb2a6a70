"""Resident memory of a fresh process that searches one user's 10,000 records."""

from __future__ import annotations

import asyncio

from benchmarks.filling import Pool, remember, settle
from benchmarks.fresh import USER, measured
from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.search import ask, both_languages
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.embedders import find_embedder
from pagefile.records import Scope
from pagefile.stores.sqlite import SqliteStore

_STEPS = ("started MB", "import MB", "open MB", "first MB", "others MB", "peak MB")


async def run(setting: Setting) -> list[Table]:
    items = setting.size(10_000, least=20)
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(5_000, least=20)) for writer in writers]
    rows: list[tuple[Cell, ...]] = []
    for name in (setting.embedder, "none"):
        embedder = find_embedder(name)
        path = setting.folder / f"{name.partition(':')[0]}.db"
        store = await SqliteStore.open(path)
        scope = Scope("default", USER)
        vectors = None if embedder is None else VectorSpace(await embedder.dimension(), clusters=100).draw(items)
        await remember(store, scope, both_languages(pools, items), embedder=embedder.id if embedder else "", vectors=vectors)
        await settle(store)
        await store.close()
        figures = await asyncio.to_thread(measured, path, name, ask(writers, 20))
        rows.append((name, *(figures[step] for step in _STEPS), at_most(400, figures["others MB"], " MB") if embedder else ""))
    columns = ("embedder", "Python MB", "imported", "opened", "one search", "20 searches", "peak", "target of 20 searches")
    note = f"Resident memory of a fresh process, {items:,} records of one user, each with a vector if there is an embedder."
    return [Table("memory", columns, tuple(rows), note)]
