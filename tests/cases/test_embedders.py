"""Embedders that misbehave, are exchanged, or are slow: texts stay, words find them, and the result says so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import InvalidVector
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors

from .homes import STORES, opened


class Broken(HashingEmbedder):
    """Gives all zeros or no numbers, for questions or for everything."""

    def __init__(self, value: float, *, questions_only: bool) -> None:
        super().__init__()
        self._value = value
        self._questions_only = questions_only

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        vectors = await super().embed(texts, query=query)
        if query or not self._questions_only:
            vectors[:] = self._value
        return vectors


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("value", [0.0, float("nan")])
@pytest.mark.parametrize("questions_only", [True, False])
async def test_vectors_without_a_direction_leave_words_on_every_route(
    store: str, value: float, questions_only: bool, tmp_path: Path
) -> None:
    model = ScriptedModel(["fine"])
    async with await opened(store, tmp_path, embedder=Broken(value, questions_only=questions_only), model=model) as memory:
        alice = memory.scope("alice")
        await alice.add(["I like tea", "I hate coffee"])
        found = await alice.search("tea")
        assert ([hit.text for hit in found], found.mode) == (["I like tea"], "words")
        assert found.warnings
        assert (await alice.context("tea?", session="another")).hits
        assert await alice.chat(session="s").turn("tea?") == "fine"


class Picky(HashingEmbedder):
    """Refuses one text."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if any("unspeakable" in text for text in texts):
            raise InvalidVector("the model gave no numbers for a text; it stays findable by words")
        return await super().embed(texts, query=query)


@pytest.mark.parametrize("store", STORES)
async def test_one_text_that_cannot_be_embedded_costs_the_others_nothing(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, embedder=Picky()) as memory:
        alice = memory.scope("alice")
        await alice.add([*(f"tea {number}" for number in range(20)), "unspeakable", *(f"coffee {number}" for number in range(20))])
        await memory.flush()
        assert sum((await memory.stats()).vectors.values()) == 40
        assert [hit.text for hit in await alice.search("coffee 19", limit=1)] == ["coffee 19"]


class Model(HashingEmbedder):
    """Vectors of the same size as another model's, turned about."""

    def __init__(self, turn: int) -> None:
        super().__init__()
        self.id = f"model-{turn}"
        self._turn = turn

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return np.roll(await super().embed(texts, query=query), self._turn, axis=1)


async def test_vectors_of_another_model_with_the_same_size_are_never_compared_with(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, embedder=Model(0)) as memory:
        await memory.scope("alice").add(["green tea", "black coffee"])
        await memory.flush()
    async with await opened("file", tmp_path, embedder=Model(7)) as memory:
        alice = memory.scope("alice")
        assert "reindex" in memory.warnings[0]
        await alice.add("red wine")
        found = await alice.search("green tea", floor=0.0, explain=True)
        assert found[0].text == "green tea"
        assert found.without_vector == 2
        assert (await memory.reindex()).left == 0
        assert list((await memory.stats()).vectors) == ["model-7"]
        assert (await alice.search("green tea")).without_vector == 0


class Slow(HashingEmbedder):
    """Never comes to an end unless it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not query:
            await self.go.wait()
        return await super().embed(texts, query=query)


@pytest.mark.parametrize("store", STORES)
async def test_adding_never_waits_for_the_embedder_and_closing_neither(store: str, tmp_path: Path) -> None:
    memory = await opened(store, tmp_path, embedder=Slow())
    async with asyncio.timeout(10):
        receipt = await memory.scope("alice").add([f"tea {number}" for number in range(200)])
        assert receipt.stored == 200
        await memory.close()


@pytest.mark.parametrize("store", STORES)
async def test_a_score_is_a_likeness_from_zero_to_one_whatever_the_store(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(["my dog is called Rex", "the train leaves at nine", "rain is expected tomorrow"])
        found = await alice.search("what is my dog called", floor=0.0)
        assert found[0].text == "my dog is called Rex"
        assert all(0.0 <= hit.score <= 1.0 for hit in found)
        assert all(hit.score >= 0.7 for hit in await alice.search("what is my dog called", floor=0.7))
        assert not [hit for hit in found if hit.score > found[0].score]
