"""What an exchange takes of the embedder: one vector, made while the history is looked up, and no second wait for one that is dead."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError
from pagefile.memory import AsyncMemory
from pagefile.ports import Vectors
from tests.exchange.clients import talk


class Counting(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.questions: list[str] = []
        self.fails = False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if query:
            self.questions += texts
        if self.fails:
            raise EmbedderError("down")
        return await super().embed(texts, query=query)


async def test_the_question_is_embedded_once() -> None:
    embedder = Counting()
    async with await AsyncMemory.open(":memory:", embedder=embedder) as memory:
        await memory.scope("alice").add("I keep the spare key under the blue flowerpot.")
        await memory.flush()
        started = memory.scope("alice").exchange(talk("Where is the spare key?"))
        await started.begin()
    assert embedder.questions == ["Where is the spare key?"]
    assert any("flowerpot" in hit.text for hit in started.memories.hits)


async def test_a_dead_embedder_is_asked_once_and_words_still_find() -> None:
    embedder = Counting()
    async with await AsyncMemory.open(":memory:", embedder=embedder) as memory:
        await memory.scope("alice").add("I keep the spare key under the blue flowerpot.")
        await memory.flush()
        embedder.fails = True
        started = memory.scope("alice").exchange(talk("Where is the spare key?"))
        await started.begin()
    assert embedder.questions == ["Where is the spare key?"]
    assert any("flowerpot" in hit.text for hit in started.memories.hits)
    assert [warning for warning in started.memories.warnings if "embedder failed" in warning]


async def test_a_message_that_needs_nothing_remembered_is_not_embedded() -> None:
    embedder = Counting()
    async with await AsyncMemory.open(":memory:", embedder=embedder) as memory:
        await memory.scope("alice").exchange(talk("Thanks a lot, that is all!")).begin()
    assert embedder.questions == []


@pytest.mark.parametrize("said", ["What do you know about me?", "你知道我什么？"])
async def test_a_question_for_everything_is_not_embedded(said: str) -> None:
    embedder = Counting()
    async with await AsyncMemory.open(":memory:", embedder=embedder) as memory:
        await memory.scope("alice").remember("I keep the spare key under the blue flowerpot.")
        started = memory.scope("alice").exchange(talk(said))
        await started.begin()
    assert embedder.questions == []
    assert any("flowerpot" in hit.text for hit in started.memories.hits)


async def test_a_question_that_the_window_answers_is_not_embedded() -> None:
    embedder = Counting()
    async with await AsyncMemory.open(":memory:", embedder=embedder) as memory:
        await memory.scope("alice").exchange(talk("My spare key is under the flowerpot.", "Noted.", "Where is my spare key?")).begin()
    assert embedder.questions == []


@pytest.mark.parametrize("role", ["user", "human"])
async def test_joined_with_the_words_of_the_user_stands_all_that_is_added(role: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        await memory.scope("alice").remember("I keep the spare key under the blue flowerpot.")
        started = memory.scope("alice").exchange([{"role": role, "content": "Where is the spare key?"}])
        await started.begin()
        (message,) = started.messages("joined")
    assert started.memories.prefix in message["content"]
    assert started.memories.notes in message["content"]
