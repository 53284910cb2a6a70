"""A search from question to hits: one user among many, and one user with very much."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import numpy as np

from benchmarks.filling import Pool, Prepared, fill, fill_users, settle, user
from benchmarks.measure import SEED, Call, Cell, Samples, Setting, Table, at_least, at_most, interleaved
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import MadeVectors, VectorSpace
from pagefile.embedders import find_embedder
from pagefile.language.words import query_terms
from pagefile.memory import AsyncMemory
from pagefile.ports import Embedder, Store, Vectors
from pagefile.queries import Candidates, Probe
from pagefile.retrieval.presets import EFFORTS
from pagefile.stores.sqlite import SqliteStore
from pagefile.stores.vectors import COMPACT_FROM

OTHERS_MESSAGES = 20
#: The same as in ``recall``.
CANDIDATES = EFFORTS["balanced"].pool
_COLUMNS = ("what", "p50 ms", "p95 ms", "processor p50 ms", "target of p95")


async def run(setting: Setting) -> list[Table]:
    embedder = find_embedder(setting.embedder)
    if embedder is None:
        raise ValueError(f"the embedder {setting.embedder!r} makes no vectors; give another one")
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(10_000, least=40)) for writer in writers]
    return [await _one_among_many(setting, writers, pools, embedder), await _one_large(setting, writers, pools)]


async def _one_among_many(setting: Setting, writers: Sequence[Writer], pools: Sequence[Pool], embedder: Embedder) -> Table:
    items, users = setting.size(2_000, least=100), setting.size(2_000, least=4)
    space = VectorSpace(await embedder.dimension(), clusters=100)
    store = await SqliteStore.open(setting.folder / "many.db")
    await fill_users(store, pools, range(1, users), OTHERS_MESSAGES, embedder=embedder.id, space=space)
    await fill(store, user(0), both_languages(pools, items), embedder=embedder.id, vectors=space.draw(items))
    await settle(store)
    questions = ask(writers, setting.size(300, least=8))
    instant = MadeVectors(embedder.id, space)
    without = await AsyncMemory.open(store=store, embedder=instant)
    including = await AsyncMemory.open(store=store, embedder=MadeVectors(embedder.id, space, real=embedder))
    samples = await interleaved(
        {
            "candidates of the store": await probes(store, instant, questions),
            "search, embedding excluded": searches(without, questions),
            "search, embedding included": searches(including, questions),
        }
    )
    candidates = [len((await call()).items) for call in (await probes(store, instant, questions))[:50]]
    found = [len(await without.scope(user(0).user, tenant=user(0).tenant).search(question)) for question in questions[:50]]
    await without.close()
    await including.close()
    targets = {"search, embedding excluded": 3.0, "search, embedding included": 25.0}
    note = (
        f"{items:,} messages of one user among {users:,} users of {OTHERS_MESSAGES} each; embedder {embedder.id}; "
        f"{np.mean(candidates):.0f} candidates and {np.mean(found):.1f} hits a search. The vectors are made up, so words and meaning find "
        "different candidates: the slowest case. Learning is on, and there is nothing to learn; every search is written to the log."
    )
    return Table("search: one user among many", _COLUMNS, tuple(_rows(samples, targets)), note)


async def _one_large(setting: Setting, writers: Sequence[Writer], pools: Sequence[Pool]) -> Table:
    items = setting.size(200_000, least=400)
    space = VectorSpace(384, clusters=max(20, items // 400))
    vectors = space.draw(items)
    embedder = MadeVectors("made", space)
    store = await SqliteStore.open(setting.folder / "large.db", compact_from=min(COMPACT_FROM, items // 2))
    ids = await fill(store, user(0), both_languages(pools, items), session=500, embedder=embedder.id, vectors=vectors)
    await settle(store)
    questions = ask(writers, setting.size(200, least=8))
    memory = await AsyncMemory.open(store=store, embedder=embedder)
    first, *calls = searches(memory, questions)
    started = time.perf_counter()
    await first()
    cold = (time.perf_counter() - started) * 1_000
    samples = await interleaved({"candidates of the store": await probes(store, embedder, questions), "search": calls})
    recall, vector_only = await _recall_at_10(store, ids, vectors, space.draw(min(50, len(questions))))
    await memory.close()
    samples["nearest 10 by vector alone"] = vector_only
    rows = [
        *_rows(samples, {"search": 40.0}),
        ("first search, cache empty", cold, None, None, ""),
        ("recall@10 against the exact scan", recall, None, None, at_least(0.99, recall)),
    ]
    note = f"{items:,} messages of one user, with made-up vectors of 384 numbers in clusters; embedding excluded; compact vectors."
    return Table("search: one large user", _COLUMNS, tuple(rows), note)


def _rows(samples: Mapping[str, Samples], targets: Mapping[str, float]) -> list[tuple[Cell, ...]]:
    return [
        (name, each.p50, each.p95, each.processor_p50, at_most(targets[name], each.p95, " ms") if name in targets else "")
        for name, each in samples.items()
    ]


async def _recall_at_10(store: SqliteStore, ids: Sequence[str], vectors: Vectors, queries: Vectors) -> tuple[float, Samples]:
    """Share of the ten nearest that the store finds too, and how long it takes."""
    shares: list[float] = []

    def one(query: Vectors) -> Call:
        nearest = {ids[place] for place in np.argsort(-np.einsum("ij,j->i", vectors, query))[:10]}
        probe = Probe(vector=query.tolist(), embedder="made", limit=10, neighbours=0)

        async def call() -> None:
            found = await store.search(user(0), probe)
            shares.append(len(nearest & {candidate.id for candidate in found.items}) / 10)

        return call

    samples = await interleaved({"": [one(query) for query in queries]})
    return float(np.mean(shares)), samples[""]


def both_languages(pools: Sequence[Pool], items: int) -> list[Prepared]:
    """Messages of one user who speaks both."""
    return [message for place, pool in enumerate(pools) for message in pool.take((items + place) // len(pools), first=0)]


def ask(writers: Sequence[Writer], count: int) -> list[str]:
    return [writers[number % len(writers)].mixed_question().text for number in range(count)]


def searches(memory: AsyncMemory, questions: Sequence[str]) -> list[Call]:
    """Searches of user 0."""
    scope = memory.scope(user(0).user, tenant=user(0).tenant)
    return [partial(scope.search, question) for question in questions]


async def probes(store: Store, embedder: Embedder, questions: Sequence[str]) -> list[Callable[[], Awaitable[Candidates]]]:
    """The looks into the store that these searches take."""
    vectors = await embedder.embed(questions, query=True)
    asked = [
        Probe(terms=query_terms(question), vector=vector.tolist(), embedder=embedder.id, limit=CANDIDATES)
        for question, vector in zip(questions, vectors, strict=True)
    ]
    return [partial(store.search, user(0), probe) for probe in asked]
