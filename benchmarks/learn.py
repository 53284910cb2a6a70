"""What learning costs, and whom it keeps waiting: by rules, and by a model that takes seconds for an answer."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import uuid_utils

from benchmarks.append import through_add
from benchmarks.echo import echo
from benchmarks.filling import START, Pool, Prepared, remember
from benchmarks.measure import SEED, Cell, Samples, Setting, Table, at_most, interleaved
from benchmarks.search import ask
from benchmarks.slow_model import SlowModel
from benchmarks.statements import both_talk, statements, talk
from benchmarks.texts import LANGUAGES, Writer
from pagefile.lifecycle.rules import find_claims
from pagefile.lifecycle.screen import screen
from pagefile.memory import AsyncMemory
from pagefile.messages import Message
from pagefile.parts import LearnBy, LearnSettings, Parts
from pagefile.scoped import AsyncScopedMemory
from pagefile.stores.sqlite import SqliteStore

#: A slow model takes so long for one answer.
MODEL_SECONDS = 5.0
#: Between one message and the next.
PAUSE_SECONDS = 0.02
#: Messages of one session.
SESSION = 20
_MODES: Sequence[LearnBy] = ("off", "rules", "model")
_NAMES = {"en": "English", "zh": "Chinese"}
_LIKES = {"en": "I like", "zh": "我喜欢"}


async def run(setting: Setting) -> list[Table]:
    return [
        await _acknowledged(setting),
        await _asked(setting),
        await echo(setting),
        _read(setting),
        await _among_known(setting),
        await _price(setting),
    ]


@asynccontextmanager
async def _memory(path: Path, by: LearnBy, model: SlowModel | None = None) -> AsyncIterator[AsyncMemory]:
    """A memory without vectors that lets a model read at once, as often as there is something to read."""
    parts = Parts(
        store=await SqliteStore.open(path),
        embedder=None,
        model=model or SlowModel(),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid_utils.uuid7()),
        zone=UTC,
        learning=LearnSettings(by=by, calls_a_day=1_000_000, tokens_a_day=1_000_000_000, idle_seconds=0.0),
    )
    async with AsyncMemory(parts) as memory:
        yield memory


def _sessions(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Texts with the session they are said in."""
    return ((text, f"session {place // SESSION}") for place, text in enumerate(texts))


# --- how soon a message is acknowledged --------------------------------------------------------------------------------


async def _acknowledged(setting: Setting) -> Table:
    seconds, takes = setting.seconds(8), setting.seconds(MODEL_SECONDS)
    rows: list[tuple[Cell, ...]] = []
    for by in _MODES:
        samples, calls, share = await _adds_while_learning(setting.folder / f"add-{by}.db", by, takes, seconds)
        target = at_most(20, samples.p95, " ms") if by == "model" else ""
        row = (by, len(samples.values), samples.p50, samples.p95, max(samples.values), samples.processor_p50)
        rows.append((*row, *((calls, share) if by == "model" else (None, None)), target))
    columns = ("learn", "adds", "p50 ms", "p95 ms", "slowest", "processor p50 ms", "calls", "model busy", "target of p95")
    note = (
        f"One user adds a message every {PAUSE_SECONDS * 1_000:.0f} ms while somebody waits for all learning to be done, all the time; "
        f"the model takes {takes:g} s for an answer. Busy: the share of the adds during which it was answering. No embedding."
    )
    return Table("learn: how soon add returns", columns, tuple(rows), note)


async def _adds_while_learning(path: Path, by: LearnBy, takes: float, seconds: float) -> tuple[Samples, int, float]:
    """The adds, calls of the model, and the share of adds during which it was answering."""
    model = SlowModel(takes)
    said = _sessions(itertools.cycle(both_talk(2_000)))
    values: list[tuple[float, float]] = []
    busy = 0
    async with _memory(path, by, model) as memory:
        scope = memory.scope("ann")

        async def learn() -> None:
            while True:
                await memory.flush()
                await asyncio.sleep(PAUSE_SECONDS)

        learning = asyncio.create_task(learn())
        await scope.add("I like tea.", session="first")
        if by == "model":
            await model.answering.wait()
        deadline = time.perf_counter() + seconds
        while (started := time.perf_counter()) < deadline:
            text, session = next(said)
            busy += model.answering.is_set()
            processor = time.process_time()
            await scope.add(text, session=session)
            values.append(((time.perf_counter() - started) * 1_000, (time.process_time() - processor) * 1_000))
            await asyncio.sleep(PAUSE_SECONDS)
        learning.cancel()
        await asyncio.gather(learning, return_exceptions=True)
    return Samples(*map(tuple, zip(*values, strict=True))), len(model.prompts), busy / len(values)


# --- what a model is asked ---------------------------------------------------------------------------------------------


async def _asked(setting: Setting) -> Table:
    pool = Pool(Writer("en", SEED), setting.size(10_000, least=20))
    messages = both_talk(setting.size(200, least=20))
    rows: list[tuple[Cell, ...]] = []
    tokens: dict[str, int] = {}
    for records in (10, setting.size(10_000, least=20)):
        for title, at_once in (("each by itself", 1), (f"{SESSION} at once", SESSION)):
            model = SlowModel()
            async with _memory(setting.folder / f"asked-{records}-{at_once}.db", "model", model) as memory:
                scope = memory.scope("ann")
                await _filled(memory, scope, pool.take(records, first=0))
                for start in range(0, len(messages), at_once):
                    await scope.add(messages[start : start + at_once], session=f"session {start // SESSION}")
                    await memory.flush()
            share = len(model.prompts) / len(messages)
            before = tokens.setdefault(title, sum(model.prompts))
            same = f"the same: {'met' if sum(model.prompts) == before else 'missed'}" if records > 10 else ""
            average = sum(model.prompts) / len(model.prompts)
            rows.append((records, title, len(messages), share, at_most(1, share), average, max(model.prompts), same))
    columns = ("records known", "user messages", "of them", "calls a message", "target", "tokens a prompt", "longest", "at any size")
    note = "Calls of a model that learns beside the rules, and tokens of its prompts by our own count, which is an upper bound."
    return Table("learn: what a model is asked", columns, tuple(rows), note)


async def _filled(memory: AsyncMemory, scope: AsyncScopedMemory, known: Sequence[Prepared], attribute: str = "note") -> None:
    """Make facts known."""
    store = await SqliteStore.open(memory.location)
    try:
        await remember(store, scope.scope, known, attribute=attribute)
    finally:
        await store.close()


# --- the rules ---------------------------------------------------------------------------------------------------------


def _read(setting: Setting) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for language in LANGUAGES:
        messages = [_message(text, place) for place, text in enumerate(talk(language, setting.size(2_000, least=20)), 1)]
        find_claims(screen(messages[:10], owner=("ann",), zone=UTC))
        found = 0
        values: list[tuple[float, float]] = []
        for message in messages:
            started, on_processor = time.perf_counter(), time.process_time()
            found += len(find_claims(screen([message], owner=("ann",), zone=UTC)))
            values.append(((time.perf_counter() - started) * 1_000, (time.process_time() - on_processor) * 1_000))
        samples, processor = (Samples(tuple(each)) for each in zip(*values, strict=True))
        rows.append((_NAMES[language], len(messages), found, samples.p50, samples.p95, processor.p50, processor.p95))
    columns = ("language", "messages", "claims found", "p50 ms", "p95 ms", "processor p50 ms", "p95")
    note = "To screen one message and find what it claims; every fifth states something. Nothing is stored."
    return Table("learn: reading by rules", columns, tuple(rows), note)


def _message(text: str, seq: int) -> Message:
    id = str(uuid_utils.uuid7())
    return Message(id=id, session="talk", seq=seq, role="user", text=text, said_at=START, recorded_at=START, tokens=len(text))


async def _among_known(setting: Setting) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for known in (10, 100, 1_000, 5_000):
        number = setting.size(known, least=10)
        for language in LANGUAGES:
            prepared = Pool(Writer(language, SEED), number).take(number, first=0)
            async with _memory(setting.folder / f"known-{known}-{language}.db", "rules") as memory:
                scope = memory.scope("ann")
                await _filled(memory, scope, prepared, attribute="likes")
                samples = await _learnt_one_by_one(memory, scope, [text for text in statements(language, 60) if _LIKES[language] in text])
            rows.append((_NAMES[language], number, samples.p50, samples.p95, samples.processor_p50))
    columns = ("language", "known likes", "p50 ms", "p95 ms", "processor p50 ms")
    return Table("learn: one more among many", columns, tuple(rows), 'To learn "I like …" when so much is known that the user likes.')


async def _learnt_one_by_one(memory: AsyncMemory, scope: AsyncScopedMemory, texts: Sequence[str]) -> Samples:
    values: list[tuple[float, float]] = []
    for text in texts:
        await scope.add(text)
        started, processor = time.perf_counter(), time.process_time()
        await memory.flush()
        values.append(((time.perf_counter() - started) * 1_000, (time.process_time() - processor) * 1_000))
    return Samples(*map(tuple, zip(*values, strict=True)))


# --- what it costs beside not learning ---------------------------------------------------------------------------------


async def _price(setting: Setting) -> Table:
    rows = [await _price_of_append(setting), *await _price_of_search(setting)]
    columns = ("what", "learning off", "by rules", "ratio")
    note = (
        f"In turn, in one process; no embedding. Appends: one caller, sessions of {SESSION} messages, learning goes on meanwhile. "
        "Right after a message: the search reads it first. Processor: the same in processor time, which a busy machine blurs less."
    )
    return Table("learn: the price", columns, tuple(rows), note)


async def _price_of_append(setting: Setting) -> tuple[Cell, ...]:
    seconds = setting.seconds(4)
    made = {"off": 0, "rules": 0}
    for turn in range(3):
        for by in ("off", "rules") if turn % 2 else ("rules", "off"):
            made[by] += len((await through_add(setting.folder / f"price-{by}-{turn}.db", 1, seconds, learn=by)).values)
    return ("appends a second", made["off"] / seconds / 3, made["rules"] / seconds / 3, made["rules"] / made["off"])


async def _price_of_search(setting: Setting) -> list[tuple[Cell, ...]]:
    """Of importing, of a search when all is learnt, and of one right after a message."""
    said = both_talk(setting.size(2_000, least=40))
    questions = ask([Writer(language, SEED) for language in LANGUAGES], setting.size(300, least=8))
    async with (
        _memory(setting.folder / "search-off.db", "off") as off,
        _memory(setting.folder / "search-rules.db", "rules") as rules,
    ):
        scopes = {"off": off.scope("ann"), "rules": rules.scope("ann")}
        rates = []
        for by, memory in (("off", off), ("rules", rules)):
            started = time.perf_counter()
            for place in range(0, len(said), SESSION):
                await scopes[by].add(said[place : place + SESSION], session=f"session {place // SESSION}")
            await memory.flush()
            rates.append(len(said) / (time.perf_counter() - started))
        learnt = (await scopes["rules"].list(limit=1)).total
        samples = await interleaved({by: [partial(scope.search, question) for question in questions] for by, scope in scopes.items()})
        after = {by: await _searches_after_a_message(scope, questions, said) for by, scope in scopes.items()}
    return [
        (f"{len(said):,} messages imported, a second", *rates, rates[1] / rates[0]),
        *_compared(f"search, {learnt} facts learnt", samples),
        *_compared("search right after a message", after),
    ]


async def _searches_after_a_message(scope: AsyncScopedMemory, questions: Sequence[str], said: Sequence[str]) -> Samples:
    values: list[tuple[float, float]] = []
    for question, text in zip(questions, said, strict=False):
        await scope.add(text, session="after")
        started, processor = time.perf_counter(), time.process_time()
        await scope.search(question)
        values.append(((time.perf_counter() - started) * 1_000, (time.process_time() - processor) * 1_000))
    return Samples(*map(tuple, zip(*values, strict=True)))


def _compared(what: str, samples: dict[str, Samples]) -> list[tuple[Cell, ...]]:
    off, rules = samples["off"], samples["rules"]
    return [
        (f"{what}: p50 ms", off.p50, rules.p50, rules.p50 / off.p50),
        (f"{what}: p95 ms", off.p95, rules.p95, rules.p95 / off.p95),
        (f"{what}: processor p50 ms", off.processor_p50, rules.processor_p50, rules.processor_p50 / off.processor_p50),
    ]
