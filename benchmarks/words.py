"""Finding by words: the store's postings of each scope beside SQLite's FTS5, on the same texts in the same process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from benchmarks.filling import Pool, fill_users, user
from benchmarks.fts import LIMIT, Fts
from benchmarks.measure import SEED, Call, Cell, Setting, Table, interleaved
from benchmarks.texts import LANGUAGES, Writer
from pagefile.language.words import query_terms
from pagefile.queries import Probe
from pagefile.stores.sqlite import SqliteStore

MESSAGES_EACH = 100


async def run(setting: Setting) -> list[Table]:
    users = setting.size(2_000, least=4)
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(10_000, least=40)) for writer in writers]
    store = await SqliteStore.open(setting.folder / "words.db")
    # Keeps the one user it looked at last: each look at another is the first.
    forgetful = await SqliteStore.open(setting.folder / "words.db", cache_bytes=1)
    fts = Fts(setting.folder / "fts.db")
    try:
        await fill_users(store, pools, range(users), MESSAGES_EACH)
        fts.fill({number: pools[number % len(pools)].take(MESSAGES_EACH, number * MESSAGES_EACH) for number in range(users)})
        rows: list[tuple[Cell, ...]] = []
        for title in ("three common words", "five mixed words"):
            asked = _asked(setting.size(600, least=12), users, writers, mixed=title.startswith("five"))
            samples = await interleaved(_calls(store, forgetful, fts, asked), warm_up=len(asked))
            rows += [(title, name, each.p50, each.p95, each.processor_p50) for name, each in samples.items()]
    finally:
        fts.close()
        await forgetful.close()
        await store.close()
    note = (
        f"{users * MESSAGES_EACH:,} messages of {users:,} users, half English, half Chinese; the best {LIMIT} of one user. "
        "The store's times include a trip to its thread and all a ranking needs of each candidate; FTS5's are of bare row ids."
    )
    return [Table("words", ("query", "index", "p50 ms", "p95 ms", "processor p50 ms"), tuple(rows), note)]


def _asked(count: int, users: int, writers: list[Writer], *, mixed: bool) -> list[tuple[int, dict[str, float]]]:
    """Whom to ask and the terms to look for. Each user's language is asked in."""
    random = np.random.default_rng(SEED + mixed)
    asked = []
    for number in random.integers(users, size=count).tolist():
        writer = writers[number % len(writers)]
        question = writer.mixed_question() if mixed else writer.common_question()
        asked.append((number, query_terms(question.text)))
    return asked


def _calls(store: SqliteStore, forgetful: SqliteStore, fts: Fts, asked: list[tuple[int, dict[str, float]]]) -> Mapping[str, list[Call]]:
    def look(store: SqliteStore, number: int, terms: dict[str, float]) -> Call:
        return partial(store.search, user(number), Probe(terms=terms, limit=LIMIT, neighbours=0))

    def match(search: Callable[[int, Iterable[str]], list[int]], number: int, terms: dict[str, float]) -> Call:
        async def call() -> object:
            return search(number, terms)

        return call

    return {
        "postings of the scope": [look(store, *each) for each in asked],
        "… first look at a user": [look(forgetful, *each) for each in asked],
        "FTS5, user in each token": [match(fts.search_tokens, *each) for each in asked],
        "FTS5, user in a column": [match(fts.search_columns, *each) for each in asked],
    }
