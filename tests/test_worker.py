"""Background work: vectors are made from durable jobs, once, with patience."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError
from pagefile.indexer import BATCH
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelEvent, ModelRequest, Vectors
from pagefile.runner import backoff


class Counting(HashingEmbedder):
    """Remembers what it was asked for, and fails while it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.fails = False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.fails and not query:
            raise EmbedderError("down")
        if not query:
            self.texts += texts
        return await super().embed(texts, query=query)


class Stopped(Exception):
    """Somebody has stopped it."""


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def memory(tmp_path: Path, embedder: Counting, clock: Clock) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder, now=clock, learn="off") as opened:
        yield opened


async def test_each_text_is_embedded_once(memory: AsyncMemory, embedder: Counting) -> None:
    await memory.scope("alice").add([f"note {number}" for number in range(3 * BATCH + 1)])
    assert await memory.flush() == 0
    assert len(embedder.texts) == len(set(embedder.texts)) == 3 * BATCH + 1
    assert (await memory.stats()).vectors == {embedder.id: 3 * BATCH + 1}


async def test_flush_tells_how_far_it_is(memory: AsyncMemory) -> None:
    steps: list[tuple[int, int]] = []
    await memory.scope("alice").add([f"note {number}" for number in range(2 * BATCH + 1)])
    await memory.flush(lambda made, total: steps.append((made, total)))
    assert steps == sorted(steps)
    assert all(made <= total <= 2 * BATCH + 1 for made, total in steps)


async def test_a_search_sees_by_meaning_what_the_program_has_just_written(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add("I can't eat spicy food")
    assert (await alice.search("spicy food")).without_vector == 0


async def test_what_is_asked_in_a_conversation_is_embedded_when_it_is_answered(tmp_path: Path, embedder: Counting) -> None:
    embedded_before_the_answer: list[str] = []

    class Answering(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
            await asyncio.sleep(0.05)
            embedded_before_the_answer.extend(embedder.texts)
            async for event in super().stream(request):
                yield event

    model = Answering(["It hums a lullaby about the old harbour."])
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder, model=model, learn="off") as memory:
        embedder.texts.clear()
        await memory.scope("alice").chat().turn("What does the washing machine in the cellar sing?")
        await memory.flush()
    assert not any("washing machine" in text for text in embedded_before_the_answer)
    assert [text for text in embedder.texts if "washing machine" in text or "lullaby" in text] == [
        "What does the washing machine in the cellar sing?",
        "It hums a lullaby about the old harbour.",
    ]


async def test_a_large_import_does_not_hold_up_a_search(memory: AsyncMemory, embedder: Counting) -> None:
    alice = memory.scope("alice")
    embedder.fails = True
    await alice.add([f"note {number}" for number in range(200)])
    found = await alice.search("note", floor=0.0)
    assert (len(found), found.mode) == (10, "words")


async def test_work_that_failed_is_done_after_a_while(memory: AsyncMemory, embedder: Counting, clock: Clock) -> None:
    embedder.fails = True
    await memory.scope("alice").add("hello from Berlin")
    assert await memory.flush() == 1
    assert memory.trouble == "down"
    (job,) = (await memory.jobs()).items
    assert (job.state, job.error) == ("queued", "down")
    embedder.fails = False
    assert await memory.flush() == 1, "it must wait for its time"
    clock.time += timedelta(minutes=10)
    assert await memory.flush() == 0
    assert memory.trouble is None


async def test_work_left_by_a_program_that_ended_is_taken_up_by_the_next(tmp_path: Path, embedder: Counting) -> None:
    embedder.fails = True
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder) as first:
        await first.scope("alice").add("hello from Berlin")
    embedder.fails = False
    later = datetime.now(UTC) + timedelta(hours=1)
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder, now=lambda: later) as second:
        for _ in range(200):
            if (await second.stats()).vectors:
                break
            await asyncio.sleep(0.02)
        assert (await second.stats()).vectors == {embedder.id: 1}


async def test_what_was_erased_before_its_turn_is_passed_over(memory: AsyncMemory, embedder: Counting, clock: Clock) -> None:
    alice = memory.scope("alice")
    embedder.fails = True
    (kept, gone) = (await alice.add(["kept", "gone"])).messages
    await memory.flush()
    await alice.erase(id=gone.id)
    embedder.fails = False
    clock.time += timedelta(hours=1)
    assert await memory.flush() == 0
    assert (await memory.stats()).vectors == {embedder.id: 1}
    assert (await alice.get(kept.id)).text == "kept"


async def test_reindex_can_be_stopped_and_run_again(memory: AsyncMemory, embedder: Counting) -> None:
    alice = memory.scope("alice")
    embedder.fails = True
    await alice.add([f"note {number}" for number in range(3 * BATCH)])
    await memory.flush()
    embedder.fails = False

    def stop(done: int, total: int) -> None:
        assert total == 3 * BATCH
        raise Stopped

    with pytest.raises(Stopped):
        await memory.reindex(stop)
    assert BATCH <= len(embedder.texts) < 3 * BATCH
    assert (await memory.reindex()).left == 0
    assert len(embedder.texts) == 3 * BATCH


class Slow(Counting):
    """Takes its time with what is to be found, and none with questions."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not query and any("note" in text for text in texts):
            await asyncio.sleep(5)
        return await super().embed(texts, query=query)


async def test_a_slow_embedder_holds_a_search_up_for_a_moment_only(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Slow()) as memory:
        await memory.scope("alice").add("a note on tea")
        async with asyncio.timeout(4):
            found = await memory.scope("alice").search("tea")
    assert (len(found), found.without_vector) == (1, 1)


async def test_work_in_hand_is_put_back_when_the_memory_is_closed(tmp_path: Path, embedder: Counting) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Slow()) as memory:
        await memory.scope("alice").add("a note on tea")
        await asyncio.sleep(0.2)
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder) as memory:
        assert await memory.flush() == 0
        assert (await memory.stats()).vectors == {embedder.id: 1}


class Broken(Counting):
    """Raises what no embedder should."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        raise RuntimeError("a bug of somebody else's")


async def test_an_embedder_that_raises_anything_degrades_like_one_that_is_down(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Broken()) as memory:
        await memory.scope("alice").add("a note on tea")
        found = await memory.scope("alice").search("tea")
        assert (len(found), found.mode) == (1, "words")
        assert "somebody else's" in str(memory.trouble)


async def test_reindex_without_an_embedder_says_what_to_do(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
        with pytest.raises(EmbedderError, match="PAGEFILE_EMBEDDER"):
            await memory.reindex()


def test_patience_grows_and_has_an_end() -> None:
    waits = [backoff(attempts).total_seconds() for attempts in range(1, 100)]
    assert waits == sorted(waits)
    assert waits[0] == 2
    assert waits[-1] == 300
