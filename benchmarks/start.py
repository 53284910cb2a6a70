"""How soon a fresh process can be used: importing the package, and the first search."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from statistics import median

from benchmarks.filling import Pool, fill, settle
from benchmarks.fresh import USER, measured
from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.search import ask, both_languages
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.embedders import find_embedder
from pagefile.records import Scope
from pagefile.stores.sqlite import SqliteStore

TIMES = 7


async def run(setting: Setting) -> list[Table]:
    items = setting.size(2_000, least=20)
    times = setting.size(TIMES, least=1)
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(2_000, least=20)) for writer in writers]
    embedder = find_embedder(setting.embedder)
    store = await SqliteStore.open(setting.folder / "start.db")
    prepared, vectors = both_languages(pools, items), None
    if embedder is not None:
        vectors = VectorSpace(await embedder.dimension(), clusters=100).draw(items)
    await fill(store, Scope("default", USER), prepared, embedder=embedder.id if embedder else "", vectors=vectors)
    await settle(store)
    await store.close()
    empty, whole = [], []
    # In both languages, so that it loads what either needs.
    first, second, *others = ask(writers, 6)
    for _ in range(times):
        empty.append(await asyncio.to_thread(_empty_process))
        whole.append(await asyncio.to_thread(measured, setting.folder / "start.db", setting.embedder, [f"{first} {second}", *others]))

    def row(title: str, *steps: str, target: float | None = None) -> tuple[Cell, ...]:
        seconds = [sum(one[step] for step in steps) for one in whole]
        processor = median(sum(one[f"{step} processor"] for step in steps) for one in whole)
        return (title, median(seconds), max(seconds), processor, at_most(target, median(seconds), " s") if target else "")

    rows: tuple[tuple[Cell, ...], ...] = (
        ("an empty Python process", median(empty), max(empty), None, ""),
        row("import pagefile", "import", target=0.5),
        row("open the file", "open"),
        row("first search, weights loaded in it", "first"),
        row("import, open and first search", "import", "open", "first", target=2.5),
        row(f"{len(others)} searches after it", "others"),
    )
    note = (
        f"Median of {times} fresh processes, on a file of {items:,} messages with vectors; embedder {embedder.id if embedder else 'none'}."
    )
    return [Table("start", ("what", "median s", "slowest s", "processor s", "target"), rows, note)]


def _empty_process() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started
