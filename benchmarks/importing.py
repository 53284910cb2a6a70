"""Bulk import with embedding: how near ``add`` and ``flush`` come to the embedder's own speed on the same texts."""

from __future__ import annotations

import itertools
import time
from statistics import median

from benchmarks.measure import SEED, Setting, Table, at_least
from benchmarks.texts import LANGUAGES, Writer
from pagefile.embedders import find_embedder
from pagefile.memory import AsyncMemory

PORTIONS = 8


async def run(setting: Setting) -> list[Table]:
    embedder = find_embedder(setting.embedder)
    if embedder is None:
        raise ValueError(f"the embedder {setting.embedder!r} makes no vectors; give another one")
    each = setting.size(2_000 // PORTIONS, least=4)
    written = [Writer(language, SEED).messages(each * PORTIONS // 2, median_words=9) for language in LANGUAGES]
    texts = list(itertools.chain(*zip(*written, strict=True)))
    # Loads the weights.
    await embedder.embed(texts[:4])
    alone: list[float] = []
    imported: list[float] = []
    async with await AsyncMemory.open(setting.folder / "import.db", embedder=embedder) as memory:
        scope = memory.scope("importer")

        async def import_one(portion: list[str]) -> None:
            await scope.add(portion)
            await memory.flush()

        for number in range(PORTIONS):
            portion = texts[number * each : (number + 1) * each]
            # In turn, and each first every other time, so that noise hits both alike.
            for one in (0, 1) if number % 2 else (1, 0):
                started = time.perf_counter()
                await (import_one(portion) if one else embedder.embed(portion))
                (imported if one else alone).append(time.perf_counter() - started)
        vectors = sum((await memory.stats()).vectors.values())
    ratios = [own / whole for own, whole in zip(alone, imported, strict=True)]
    count = len(texts)
    share = sum(alone) / sum(imported)
    rows = (
        ("the embedder alone", count / sum(alone), None, None, ""),
        ("add and flush", count / sum(imported), share, median(ratios), at_least(0.90, share)),
    )
    note = (
        f"{count:,} short messages, half English, half Chinese, in {PORTIONS} portions in turn; {vectors:,} vectors kept; "
        f"embedder {embedder.id}."
    )
    return [Table("import", ("what", "messages a second", "of the embedder's", "median of portions", "target"), rows, note)]
