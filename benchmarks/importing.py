"""Bulk import with embedding: how near ``add`` and ``flush`` come to the embedder's own speed on the same texts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure import SEED, Cell, Samples, Setting, Table, at_least, interleaved
from benchmarks.statements import both_talk
from benchmarks.texts import LANGUAGES, Writer
from pagefile.embedders import find_embedder
from pagefile.memory import AsyncMemory
from pagefile.parts import LearnBy
from pagefile.ports import Embedder

PORTIONS = 8
#: Messages that are imported before it is measured.
WARM_UP = 200


async def run(setting: Setting) -> list[Table]:
    embedder = find_embedder(setting.embedder)
    if embedder is None:
        raise ValueError(f"the embedder {setting.embedder!r} makes no vectors; give another one")
    each = setting.size(2_000 // PORTIONS, least=4)
    written = [Writer(language, SEED).messages(each * PORTIONS // 2, median_words=9) for language in LANGUAGES]
    rows = await _measured(setting.folder / "none", embedder, list(itertools.chain(*zip(*written, strict=True))), "no facts")
    rows += await _measured(setting.folder / "facts", embedder, both_talk(each * PORTIONS), "every fifth a fact")
    note = (
        f"{each * PORTIONS:,} short messages, half English, half Chinese, in {PORTIONS} portions in turn; embedder {embedder.id}. Facts "
        "that are learnt are embedded too, and count in the share of its rate."
    )
    columns = ("messages with", "what", "a second", "embedded", "of the embedder's rate", "in processor time", "target")
    return [Table("import", columns, tuple(rows), note)]


async def _measured(folder: Path, embedder: Embedder, texts: Sequence[str], title: str) -> list[tuple[Cell, ...]]:
    size = len(texts) // PORTIONS
    portions = [texts[number * size : (number + 1) * size] for number in range(PORTIONS)]
    # Loads the weights.
    await embedder.embed(texts[:4])
    async with await _opened(folder, embedder, "rules") as learning, await _opened(folder, embedder, "off") as other:
        for memory in (learning, other):
            # Compiles the rules: half a second, once in a process.
            await _import(memory, both_talk(WARM_UP))
        before = {memory: sum((await memory.stats()).vectors.values()) for memory in (learning, other)}
        memories = {"add and flush": learning, "add and flush, learning off": other}
        calls = {"the embedder alone": [partial(embedder.embed, portion) for portion in portions]}
        samples = await interleaved(
            calls | {name: [partial(_import, memory, portion) for portion in portions] for name, memory in memories.items()}, warm_up=0
        )
        embedded = {name: sum((await memory.stats()).vectors.values()) - before[memory] for name, memory in memories.items()}
    alone = samples["the embedder alone"]
    return [_row(title, name, each, alone, len(texts), embedded.get(name)) for name, each in samples.items()]


async def _opened(folder: Path, embedder: Embedder, learn: LearnBy) -> AsyncMemory:
    return await AsyncMemory.open(folder / f"{learn}.db", embedder=embedder, learn=learn)


async def _import(memory: AsyncMemory, portion: Sequence[str]) -> None:
    await memory.scope("importer").add(portion)
    await memory.flush()


def _row(title: str, name: str, samples: Samples, alone: Samples, messages: int, embedded: int | None) -> tuple[Cell, ...]:
    rate = messages / sum(samples.values) * 1_000
    if embedded is None:
        return (title, name, rate, messages, None, None, "")
    more = embedded / messages
    share, processor = more * sum(alone.values) / sum(samples.values), more * sum(alone.processor) / sum(samples.processor)
    return (title, name, rate, embedded, share, processor, at_least(0.90, share))
