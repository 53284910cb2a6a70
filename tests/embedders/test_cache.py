from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from anyio import Event, create_task_group
from anyio.lowlevel import checkpoint

from pagefile.embedders.cache import CachedEmbedder
from pagefile.embedders.hashing import HashingEmbedder
from pagefile.ports import Vectors


class Counting(HashingEmbedder):
    """Writes down what it was asked; waits for ``open`` when there is one."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[tuple[str, bool]] = []
        self.open: Event | None = None
        self.closed = False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.asked += [(text, query) for text in texts]
        if self.open is not None:
            await self.open.wait()
        return await super().embed(texts, query=query)

    async def close(self) -> None:
        self.closed = True


async def test_a_text_is_embedded_once_and_its_vector_stays_the_same() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)
    first = await cached.embed(["tea", "茶"])
    again = await cached.embed(["茶", "milk", "tea", "milk"])
    assert counting.asked == [("tea", False), ("茶", False), ("milk", False)]
    assert np.array_equal(again[[2, 0]], first)
    assert np.array_equal(again, await counting.embed(["茶", "milk", "tea", "milk"]))


async def test_a_question_is_not_the_same_as_a_text() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)
    await cached.embed(["tea"], query=True)
    await cached.embed(["tea"])
    assert counting.asked == [("tea", True), ("tea", False)]


async def test_it_has_the_id_and_the_dimension_of_the_other() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)
    assert (cached.id, await cached.dimension()) == (counting.id, 16)
    assert (await cached.embed([])).shape == (0, 16)


async def test_what_was_used_longest_ago_goes_when_the_room_is_full() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting, max_bytes=1_000)
    await cached.embed(["one", "two", "three"])
    await cached.embed(["one"])
    await cached.embed(["four"])
    assert cached.size <= 1_000
    counting.asked.clear()
    await cached.embed(["one", "two"])
    assert counting.asked == [("two", False)]


async def test_a_batch_larger_than_the_cache_is_answered_whole() -> None:
    cached = CachedEmbedder(Counting(), max_bytes=500)
    assert (await cached.embed([str(number) for number in range(50)])).shape == (50, 16)
    assert cached.size <= 500


async def test_forgotten_texts_are_embedded_anew_whether_question_or_not() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)
    await cached.embed(["secret", "tea"])
    await cached.embed(["secret"], query=True)
    cached.forget(["secret", "never seen"])
    counting.asked.clear()
    await cached.embed(["secret", "tea"])
    await cached.embed(["secret"], query=True)
    assert counting.asked == [("secret", False), ("secret", True)]
    cached.clear()
    assert cached.size == 0


async def test_a_vector_that_is_being_made_while_its_text_is_forgotten_is_not_kept() -> None:
    counting = Counting()
    counting.open = Event()
    cached = CachedEmbedder(counting)
    async with create_task_group() as group:
        group.start_soon(cached.embed, ["secret"])
        while not counting.asked:
            await checkpoint()
        cached.forget(["secret"])
        counting.open.set()
    assert cached.size == 0


async def test_changing_an_answer_does_not_change_the_cache() -> None:
    cached = CachedEmbedder(Counting())
    first = await cached.embed(["tea"])
    first[:] = 0
    assert (await cached.embed(["tea"])).any()


async def test_closing_it_closes_the_other() -> None:
    counting = Counting()
    await CachedEmbedder(counting).close()
    assert counting.closed
    await CachedEmbedder(HashingEmbedder()).close()
