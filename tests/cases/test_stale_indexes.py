"""What was changed is found by what it is now, and by nothing that it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors

from .homes import STORES, opened, shown
from .talks import WAYS, line, talking


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


# --- what is learnt ------------------------------------------------------------------------------------------------------

CHANGES = [("I work at Acme", "I work at Betacorp", "Acme", "Betacorp"), ("我在甲骨文上班", "我在腾讯上班", "甲骨文", "腾讯")]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("way", [*WAYS, "edit", "correct by id"])
@pytest.mark.parametrize(("before", "after", "old", "new"), CHANGES)
async def test_after_a_change_the_new_words_are_found_and_the_old_are_not(
    before: str, after: str, old: str, new: str, way: str, store: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store, embedder=HashingEmbedder()) as talk:
        if way in WAYS:
            await talk.tell(before, after, by=way)
        else:
            record = await talk.user.remember(before)
            await talk.memory.flush()
            await (talk.user.edit(record.id, text=after) if way == "edit" else talk.user.correct(after, id=record.id))
        # At once, and after everything was indexed.
        for _ in range(2):
            assert after in (await talk.found(new, floor=None))[0]
            assert not [text for text in await talk.found(old) if old in text]
            assert old not in (await talk.window(f"{new}?"))
            assert [line(record) for record in await talk.user.timeline("employer")][-1] == f"user · employer: {new}"
            await talk.memory.flush()
        assert (await talk.user.search(new)).without_vector == 0


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("fields", [
    {"tags": ["seen"]}, {"text": "我喜欢绿茶"}, {"importance": 0.9}, {"pinned": True}, {"entities": ["tea"]}, {"valid_from": "2026-01-01"},
    {"kind": "event"},
    {"privacy": "sensitive"}, {"confidence": 0.2}, {"text": "I like tea", "tags": []}, {"expires_at": "2030-01-01"},
], ids=lambda fields: "-".join(fields))  # fmt: skip
async def test_whatever_is_edited_stays_searchable_and_readable(fields: dict[str, Any], store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store, embedder=HashingEmbedder()) as talk:
        record = await talk.user.remember("I like tea", tags=["drink"])
        await talk.memory.flush()
        made = await talk.user.edit(record.id, **fields)
        for _ in range(2):
            assert record.id in [hit.id for hit in await talk.user.search(made.text)]
            assert [one.id for one in await talk.records()] == [record.id]
            assert made.text in await talk.window("what do I like? 我喜欢什么？")
            await talk.memory.flush()
        assert (await talk.user.search(made.text)).without_vector == 0


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("text", ["I like tea", "我喜欢茶", "The quokka key is under the mat"])
async def test_what_was_found_once_is_found_after_background_work_of_days(text: str, store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store, embedder=HashingEmbedder()) as talk:
        await talk.user.add(text, session="s")
        record = await talk.user.remember(text)
        for _ in range(8):
            assert text in await talk.found(text, kinds=["fact"])
            assert record.id in [one.id for one in await talk.records()]
            assert (await talk.user.messages()).total == 1
            talk.clock.advance(hours=9)
            await talk.memory.flush()  # learning, indexing, and the upkeep of the night
        await talk.user.tidy()
        await talk.user.consolidate()
        await talk.memory.reindex()
        assert text in await talk.found(text, kinds=["fact"])


@pytest.mark.parametrize("store", STORES)
async def test_sizes_are_those_of_the_new_text(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        record = await talk.user.remember("quokka " * 300)
        long = (await talk.user.search("quokka"))[0].tokens
        await talk.user.edit(record.id, text="我喜欢 quokka")
        short = (await talk.user.search("quokka"))[0]
        assert short.tokens < 20 < 300 <= long
        assert len(await talk.user.search("quokka", max_tokens=short.tokens)) == 1
        assert not await talk.user.search("quokka", max_tokens=short.tokens - 1)
        await talk.user.edit(record.id, text="quokka " * 300)
        assert (await talk.user.search("quokka"))[0].tokens == long


@pytest.mark.parametrize("store", STORES)
async def test_a_fact_that_is_superseded_while_the_embedder_is_down_is_not_found_by_its_old_meaning(store: str, tmp_path: Path) -> None:
    embedder = Synonyms()
    async with talking(tmp_path, store, embedder=embedder) as talk:
        await talk.tell("I am a physician")
        embedder.down = True
        await talk.user.add("I work as a gardener", session="later")
        await talk.memory.flush()
        assert [line(record) for record in await talk.records()] == ["user · occupation: gardener"]
        for query in ("physician", "doctor"):
            assert not [text for text in await talk.found(query, floor=0.3) if "physician" in text]
        assert "I work as a gardener" in await talk.found("gardener", floor=None)
        embedder.down = False
        talk.clock.advance(hours=1)
        assert await talk.memory.flush() == 0
        found = await talk.user.search("gardener")
        assert (found.without_vector, found.mode) == (0, "words+vectors")
        assert not [text for text in await talk.found("doctor") if "physician" in text]
