"""What was erased is gone for good: from every file, and whatever was going on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.events import TextDelta
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors
from pagefile.records import Source

from .homes import STORES, call, opened


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


async def test_after_erasing_a_session_no_file_has_a_byte_of_the_talk_or_of_what_was_learnt_in_it(tmp_path: Path) -> None:
    model = ScriptedModel([[call("memory_search", {"query": "quokka habits"})], "You told me of the quokka."])
    async with await opened("file", tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        said = await alice.add(
            {"role": "user", "content": "quokka marker", "name": "Quokkaname", "id": "quokkaid"}, session="quokkas", key="quokkakey"
        )
        record = await alice.remember("likes the quokka", tags=["quokkatag"], reason="quokkareason", session="quokkas",
                                      sources=[Source(message=said.messages[0].id)])  # fmt: skip
        await alice.edit(record.id, text="adores the quokka", entities=("quokkaentity",))
        await alice.chat(session="quokkas").turn("what do you know of my quokka?")
        await memory.flush()
        await alice.erase(session="quokkas")
        assert b"quokka" not in bytes_in(tmp_path).lower()
        again = await alice.add({"role": "user", "content": "quokka marker", "id": "quokkaid"}, session="quokkas", key="quokkakey")
        assert (again.stored, again.duplicates) == (1, 0)


class Slow(HashingEmbedder):
    """Takes its time, so that things happen meanwhile."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        await asyncio.sleep(0.2)
        return await super().embed(texts, query=query)


@pytest.mark.parametrize("store", STORES)
async def test_what_is_erased_while_it_is_being_embedded_leaves_no_vector(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, embedder=Slow()) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await bob.add("wombat")
        await alice.add([f"quokka {number}" for number in range(100)])
        await asyncio.sleep(0.1)
        assert (await alice.erase()).messages == 100
        assert await memory.flush() == 0
        counts = await memory.stats()
        assert (counts.messages, sum(counts.vectors.values())) == (1, 1)
        assert b"quokka" not in bytes_in(tmp_path)


@pytest.mark.parametrize("store", STORES)
async def test_a_session_erased_in_the_middle_of_its_turn_ends_well_and_goes_on(store: str, tmp_path: Path) -> None:
    model = ScriptedModel(["a reply in several pieces", "fine"])
    async with await opened(store, tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        erased = False
        async for event in alice.chat(session="s").stream("my pin is quokka"):
            if isinstance(event, TextDelta) and not erased:
                erased = (await alice.erase(session="s")).messages == 1
        assert "quokka" not in repr((await alice.messages()).items)
        assert await alice.chat(session="s").turn("hello") == "fine"


async def test_erasing_needs_neither_a_model_nor_an_embedder(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        await memory.scope("alice").add("quokka")
        await memory.scope("bob").add("wombat")
    async with await opened("file", tmp_path, model=ScriptedModel([])) as memory:
        assert (await memory.scope("alice").erase()).messages == 1
        assert [message.text for message in (await memory.scope("bob").messages()).items] == ["wombat"]
