"""Does a search slow down as other users move in? The same scope, in files with 200, 2,000 and 20,000 others."""

from __future__ import annotations

from functools import partial

from benchmarks.filling import Pool, fill, fill_users, settle, user
from benchmarks.measure import SEED, Call, Cell, Samples, Setting, Table, at_most, interleaved
from benchmarks.search import ask, both_languages, searches
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import MadeVectors, VectorSpace
from pagefile.memory import AsyncMemory
from pagefile.stores.sqlite import SqliteStore

OTHERS = (200, 2_000, 20_000)
OTHERS_MESSAGES = 5


async def run(setting: Setting) -> list[Table]:
    items = setting.size(2_000, least=100)
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(10_000, least=40)) for writer in writers]
    questions = ask(writers, setting.size(300, least=8))
    memories: dict[str, AsyncMemory] = {}
    for others in OTHERS:
        number = setting.size(others, least=2)
        space = VectorSpace(384, clusters=100)
        store = await SqliteStore.open(setting.folder / f"{others}.db")
        await fill(store, user(0), both_languages(pools, items), embedder="made", vectors=space.draw(items))
        await fill_users(store, pools, range(1, number + 1), OTHERS_MESSAGES, embedder="made", space=space)
        await settle(store)
        memories[f"{number:,}"] = await AsyncMemory.open(store=store, embedder=MadeVectors("made", space))
    warm = await interleaved({name: searches(memory, questions) for name, memory in memories.items()}, warm_up=10)
    # Each of these users is looked at once, so nothing of them is cached. Only as many as the smallest file has.
    visitors = range(1, setting.size(OTHERS[0], least=2) + 1)
    cold = await interleaved({name: _first_looks(memory, visitors, questions) for name, memory in memories.items()}, warm_up=0)
    for memory in memories.values():
        await memory.close()
    rows = [*_rows("the same user again", warm, target=1.3), *_rows("users never looked at before", cold)]
    note = (
        f"Search of {items:,} messages (others have {OTHERS_MESSAGES} each), embedding excluded, nothing to learn; the files are searched "
        "in turn."
    )
    columns = ("search of", "other users", "p50 ms", "p95 ms", "processor p50 ms", "p50 ratio", "p95 ratio", "target")
    return [Table("growth", columns, tuple(rows), note)]


def _first_looks(memory: AsyncMemory, visitors: range, questions: list[str]) -> list[Call]:
    scopes = [memory.scope(user(number).user, tenant=user(number).tenant) for number in visitors]
    return [partial(scope.search, questions[place % len(questions)]) for place, scope in enumerate(scopes)]


def _rows(title: str, samples: dict[str, Samples], target: float | None = None) -> list[tuple[Cell, ...]]:
    """With the growth from the first file on."""
    first = next(iter(samples.values()))
    rows: list[tuple[Cell, ...]] = []
    for others, each in samples.items():
        verdict = at_most(target, each.p50 / first.p50, " ×") if target is not None and each is not first else ""
        rows.append((title, others, each.p50, each.p95, each.processor_p50, each.p50 / first.p50, each.p95 / first.p95, verdict))
    return rows
