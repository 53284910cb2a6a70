"""Resident memory of a fresh process that searches one user's 10,000 records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import uuid_utils

from benchmarks.filling import START, Pool, Prepared, settle
from benchmarks.fresh import USER, measured
from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.search import ask, both_languages
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.embedders import find_embedder
from pagefile.ports import NewVector, Store
from pagefile.records import Add, Cause, Record, Scope
from pagefile.stores.sqlite import SqliteStore

_AT_ONCE = 500
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
        ids = await _remember(store, scope, both_languages(pools, items))
        if embedder is not None:
            made = VectorSpace(await embedder.dimension(), clusters=100).draw(items)
            vectors = [NewVector(id=id, hash=hash, vector=vector) for (id, hash), vector in zip(ids, made, strict=True)]
            await store.put_vectors(scope, embedder.id, vectors)
        await settle(store)
        await store.close()
        figures = await asyncio.to_thread(measured, path, name, ask(writers, 20))
        rows.append((name, *(figures[step] for step in _STEPS), at_most(400, figures["others MB"], " MB") if embedder else ""))
    columns = ("embedder", "Python MB", "imported", "opened", "one search", "20 searches", "peak", "target of 20 searches")
    note = f"Resident memory of a fresh process, {items:,} records of one user, each with a vector if there is an embedder."
    return [Table("memory", columns, tuple(rows), note)]


async def _remember(store: Store, scope: Scope, prepared: Sequence[Prepared]) -> list[tuple[str, str]]:
    """Write records; returns their ids and the hashes that their vectors carry."""
    cause = Cause(actor="benchmarks", reason="filling", at=START)
    new = [
        Add(item=Record(id=str(uuid_utils.uuid7()), kind="fact", text=one.text, learned_at=START), cause=cause, indexing=one.indexing)
        for one in prepared
    ]
    for start in range(0, len(new), _AT_ONCE):
        await store.apply(scope, new[start : start + _AT_ONCE])
    return [(change.item.id, change.indexing.embedding_hash) for change in new if isinstance(change.item, Record)]
