"""What was changed is found by what it is now, and by nothing that it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors

from .homes import STORES, opened, shown


@pytest.mark.parametrize("store", STORES)
async def test_an_edit_moves_every_filter_and_index_at_once(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("works at Acme", tags=["job"], valid_from="2020-01-01")
        assert await alice.search("Acme", tags=["job"], until="2021-01-01")
        await alice.edit(record.id, text="works at Betacorp", tags=["career"], valid_from="2024-01-01", kind="event")
        assert not await alice.search("Acme")
        assert not await alice.search("works", tags=["job"], floor=0.0)
        assert not await alice.search("works", until="2021-01-01", floor=0.0)
        assert not await alice.search("works", kinds=["fact"], floor=0.0)
        found = await alice.search("Betacorp", tags=["career"], since="2023-01-01", kinds=["event"])
        assert [hit.text for hit in found] == ["works at Betacorp"]
        assert found[0].tokens < (await alice.search((await alice.edit(record.id, text="Betacorp " * 90)).text))[0].tokens


async def test_another_open_memory_sees_edits_and_removals_at_once(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as one, await opened("file", tmp_path) as other:
        here, there = one.scope("alice"), other.scope("alice")
        record = await here.remember("works at Acme")
        assert await there.search("Acme")
        await here.edit(record.id, text="works at Betacorp")
        assert not await there.search("Acme")
        assert await there.search("Betacorp")
        await there.forget(record.id)
        assert not await here.search("Betacorp", floor=0.0)
        assert (await here.list()).total == 0
        await here.restore(record.id)
        assert await there.search("Betacorp")
        await there.erase(id=record.id)
        assert not await here.search("Betacorp", floor=0.0)


class Synonyms(HashingEmbedder):
    """Takes "physician" for "doctor"; can be down."""

    down = False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.down and not query:
            raise EmbedderError("the endpoint does not answer; start it")
        return await super().embed([text.replace("physician", "doctor") for text in texts], query=query)


@pytest.mark.parametrize("store", STORES)
async def test_an_edit_while_the_embedder_is_down_is_not_found_by_its_old_meaning_and_heals(store: str, tmp_path: Path) -> None:
    embedder = Synonyms()
    async with await opened(store, tmp_path, embedder=embedder) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("doctor")
        await memory.flush()
        assert [hit.id for hit in await alice.search("physician", floor=0.0)] == [record.id]
        embedder.down = True
        await alice.edit(record.id, text="gardener")
        found = await alice.search("physician", floor=0.0)
        assert not found
        assert found.without_vector == 1
        assert [hit.id for hit in await alice.search("gardener")] == [record.id]
        embedder.down = False
        assert (await memory.reindex()).left == 0
        assert (await alice.search("gardener")).without_vector == 0


@pytest.mark.parametrize("store", STORES)
async def test_what_was_forgotten_is_gone_from_every_way_of_reading_and_from_the_chat_it_was_said_in(store: str, tmp_path: Path) -> None:
    model = ScriptedModel(["hello"] * 3)
    async with await opened(store, tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        (message,) = (await alice.add("my pin is quokka", session="s")).messages
        record = await alice.remember("pin is quokka")
        await alice.chat(session="s").turn("hi")
        assert "quokka" in shown(model.requests[-1].messages)
        for id in (message.id, record.id):
            await alice.forget(id)
        await alice.chat(session="s").turn("what is my pin?")
        await alice.chat(session="other").turn("what is my pin?")
        assert all("quokka" not in shown(request.messages) for request in model.requests[1:])
        assert not [hit for hit in await alice.search("pin", floor=0.0) if "quokka" in hit.text]
        assert "quokka" not in shown((await alice.context("pin?", session="s")).messages)
        assert (await alice.list()).total == 0


@pytest.mark.parametrize("store", STORES)
async def test_a_record_past_its_time_is_hidden_from_every_way_of_reading_but_its_id(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("quokka season", expires_at="2020-01-01")
        assert not await alice.search("quokka", floor=0.0)
        assert (await alice.list()).total == 0
        assert "quokka season" not in shown((await alice.context("quokka?")).messages)
        assert (await alice.get(record.id)).text == "quokka season"
