"""What was erased is gone for good: from every file, and whatever was going on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import Erased, NotFound, PagefileError
from pagefile.events import TextDelta
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors
from pagefile.records import Source

from .homes import STORES, call, everything_seen, opened
from .talks import EVERY_STATUS, WAYS, Reader, fact, line, reply, talking


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


async def test_after_erasing_a_session_no_file_has_a_byte_of_the_talk_or_of_what_was_learnt_in_it(tmp_path: Path) -> None:
    model = ScriptedModel([[call("memory_search", {"query": "quokka habits"})], "You told me of the quokka."])
    async with await opened("file", tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        said = await alice.add(
            {"role": "user", "content": "quokka marker of mine", "name": "Quokkaname", "id": "quokkaid"}, session="quokkas", key="quokkakey"
        )
        record = await alice.remember("likes the quokka", tags=["quokkatag"], reason="quokkareason", session="quokkas",
                                      sources=[Source(message=said.messages[0].id)])  # fmt: skip
        await alice.edit(record.id, text="adores the quokka", entities=("quokkaentity",))
        await alice.chat(session="quokkas").turn("what do you know of my quokka?")
        await memory.flush()
        await alice.erase(session="quokkas")
        assert b"quokka" not in bytes_in(tmp_path).lower()
        old = {"role": "user", "content": "quokka marker of mine", "id": "quokkaid"}
        again = await alice.add([old, "a quokka, said anew"], session="quokkas", key="quokkakey")
        assert (again.stored, again.duplicates, [one.index for one in again.refused]) == (1, 0, [0])


async def test_a_task_and_a_checkpoint_that_go_leave_no_byte_while_the_file_is_open(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.put_task("trip", {"to": "quokka island"})
        await alice.put_task("trip", {"to": "quokka bay"})
        await alice.checkpoint("quokkas", key="draft", state={"of": "夸卡"})
        assert await alice.drop_task("trip")
        await alice.erase(session="quokkas")
        assert await alice.checkpoints() == ()
        assert b"quokka" not in bytes_in(tmp_path)
        assert "夸卡".encode() not in bytes_in(tmp_path)


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


# --- whose it was --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_erasing_one_user_leaves_everybody_elses_memory_as_it_was(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        users = [
            memory.scope("alice"),
            memory.scope("bob"),
            memory.scope("alice", tenant="acme"),
            memory.scope("alic_"),
            memory.scope("alice%"),
        ]
        for user in users:
            await user.add(["I live in Berlin", "我对花生过敏"], session="s")
            await user.remember("the quokka key", pinned=True)
            await user.write_block("notes", "quokka")
        await memory.flush()
        before = [await everything_seen(user, "Berlin quokka 花生") for user in users[1:]]
        receipt = await users[0].erase()
        assert (receipt.messages, receipt.records, receipt.blocks) == (2, 3, 1)
        assert [await everything_seen(user, "Berlin quokka 花生") for user in users[1:]] == before
        assert not await users[0].search("Berlin quokka 花生", floor=0.0)
        assert (await users[0].stats()).records == 0


@pytest.mark.parametrize("store", STORES)
async def test_a_thousand_rows_go_in_one_call(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, learn="off") as memory:
        alice = memory.scope("alice")
        await alice.add([f"quokka {number}" for number in range(1_000)], session="s")
        assert (await alice.erase()).messages == 1_000
        assert (await alice.messages(statuses=EVERY_STATUS)).total == 0


async def test_after_erasing_a_user_no_name_of_theirs_is_left(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        message = {"role": "user", "content": "I live in Oslo", "id": "quokka-id", "name": "quokka-speaker"}
        await alice.add(message, session="quokka-session", agent="quokka-agent", key="quokka-key")
        await alice.write_block("quokka-label", "x", agent="quokka-agent")
        await alice.remember("tea", tags=["quokka-tag"], session="quokka-session")
        await alice.context("tea", session="quokka-session")
        await memory.flush()
        assert (await alice.erase()).operations > 0
        assert (await alice.operations()).total == 0
        assert await memory.occurrences(["quokka-"]) == (0,)
    assert b"quokka-" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


# --- what was made of it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learn", ["rules", "model"])
async def test_after_erasing_a_user_no_file_has_a_byte_of_what_was_said_learnt_asked_or_summarised(learn: str, tmp_path: Path) -> None:
    model = Reader(reply(fact("I live in Quokkaville", "residence", "Quokkaville")))
    async with talking(tmp_path, "file", embedder=HashingEmbedder(), model=model, learn=learn) as talk:
        bob = talk.memory.scope("bob")
        await bob.add("a wombat stays")
        await talk.tell("I live in Quokkaville", "I live in Quokkatown", "我住在夸卡镇", "I think I might like the quokkafruit")
        await talk.tell("Quokkas are strange", by="chat")
        await talk.user.correct("I live in Quokkacity", reason="quokkareason")
        await talk.user.search("quokka question", floor=0.0)
        await talk.user.write_block("notes", "quokka block")
        await talk.user.add([f"The quokka number {number} ran across the island towards the sea" for number in range(20)], session="island")
        talk.clock.advance(days=40)
        assert (await talk.user.consolidate()).summaries
        record = (await talk.records())[0]
        await talk.user.edit(record.id, tags=["quokkatag"])
        await talk.user.forget(record.id)
        receipt = await talk.user.erase()
        assert (
            min(receipt.messages, receipt.records, receipt.blocks, receipt.vectors, receipt.history, receipt.operations, receipt.tombstones)
            >= 1
        )
        for words in ("quokka", "Quokka", "夸卡", "QUOKKA"):
            assert await talk.memory.occurrences([words]) == (0,)
        assert [message.text for message in (await bob.messages()).items] == ["a wombat stays"]
    assert b"quokka" not in bytes_in(tmp_path).lower()
    assert "夸卡".encode() not in bytes_in(tmp_path)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("what", ["message", "record"])
@pytest.mark.parametrize(("text", "value"), [("I live in Quokkaville", "Quokkaville"), ("我住在夸卡镇", "夸卡镇")])
async def test_what_was_erased_is_found_by_no_search_no_cache_and_no_graph_of_facts(
    text: str, value: str, what: str, store: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store, embedder=HashingEmbedder()) as talk:
        await talk.tell(text, "the wombat stays")
        (record,) = await talk.records()
        (message,) = talk.said[0].messages
        assert value in repr(await talk.user.search(text))
        await talk.user.erase(message.id if what == "message" else [record.id, message.id])
        assert value not in repr((await talk.user.changes()).items) + repr((await talk.user.operations()).items)
        for query in (text, value, f"where is {value}?"):
            assert value not in await everything_seen(talk.user, "wombat")
            assert value not in repr(await talk.user.search(query, floor=0.0, history=True, statuses=EVERY_STATUS))
            assert value not in (await talk.window("what do you know?"))
        assert not await talk.records(*EVERY_STATUS)
        assert not await talk.user.timeline("residence")
        with pytest.raises(NotFound):
            await talk.user.get(record.id)


# --- it does not come back -----------------------------------------------------------------------------------------------

SAID = {"english": ("I live in Quokkaville", "residence", "Quokkaville"), "中文": ("我住在夸卡镇", "residence", "夸卡镇")}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("erased", ["message", "session", "user"])
@pytest.mark.parametrize("language", SAID)
async def test_what_was_erased_does_not_come_back_from_an_old_chat_by_any_way(
    language: str, erased: str, store: str, tmp_path: Path
) -> None:
    text, attribute, value = SAID[language]
    old = {"role": "user", "content": text, "said_at": "2026-05-20T10:00:00+08:00"}
    model = Reader(reply(fact(text, attribute, value)))
    async with talking(tmp_path, store, embedder=HashingEmbedder(), model=model, learn="model") as talk:
        await talk.tell(old, session="old")
        (message,) = talk.said[0].messages
        await talk.user.erase(**{"message": {"id": message.id}, "session": {"session": "old"}, "user": {}}[erased])
        for again in (old, {**old, "id": "another"}, {**old, "content": f"{text}."}, {**old, "content": f"Hello! {text}. Bye!"}):
            for session in ("old", "new"):
                await talk.tell(again, session=session)
                await talk.tell(again, by="import", session=session)
        await talk.memory.reindex()
        await talk.user.consolidate()
        assert not [line(record) for record in await talk.records(*EVERY_STATUS) if value in record.text]
    async with talking(tmp_path, store) as talk:  # the same store, if it has a file
        await talk.tell(old, session="later")
        assert store == "memory" or not await talk.records(*EVERY_STATUS)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("language", SAID)
async def test_what_was_erased_is_learnt_again_when_it_is_said_anew(language: str, way: str, store: str, tmp_path: Path) -> None:
    text, attribute, value = SAID[language]
    async with talking(tmp_path, store) as talk:
        await talk.tell({"role": "user", "content": text, "said_at": "2026-05-20T10:00:00+08:00"})
        await talk.user.erase()
        # The store tells the time of an erasure by the clock of the machine; what is said after it is said anew.
        talk.clock.now = talk.clock.now.replace(year=2901)
        await talk.tell(text, by=way)
        assert f"user · {attribute}: {value}" in await talk.facts()


@pytest.mark.parametrize("store", STORES)
async def test_no_restore_no_undo_and_no_confirmation_brings_back_what_was_erased(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I live in Quokkaville", "I live in Rome", "I live in Oslo")
        (old,) = [record for record in await talk.records("superseded") if record.value == "Quokkaville"]
        changes = [entry.id for entry in await talk.user.history(old.id)]
        await talk.user.erase(old.id)
        for attempt in (
            talk.user.restore(old.id),
            talk.user.confirm(old.id),
            talk.user.edit(old.id, tags=["x"]),
            *(talk.user.undo(id) for id in changes),
        ):
            with pytest.raises(PagefileError):
                await attempt
        for entry in (await talk.user.changes()).items:
            try:
                await talk.user.undo(entry.id)
            except (PagefileError, Erased):
                continue
        assert not [record for record in await talk.records(*EVERY_STATUS) if "Quokka" in record.text]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("language", SAID)
async def test_what_was_forgotten_stays_forgotten_and_can_be_brought_back_by_the_one_who_forgot_it(
    language: str, store: str, tmp_path: Path
) -> None:
    text, attribute, value = SAID[language]
    old = {"role": "user", "content": text, "said_at": "2026-05-20T10:00:00+08:00"}
    async with talking(tmp_path, store, embedder=HashingEmbedder()) as talk:
        await talk.tell(old, session="old")
        (record,) = await talk.records()
        forgotten = await talk.user.forget(record.id)
        for again in (old, {**old, "id": "another"}):
            await talk.tell(again, by="import", session="imported")
        await talk.memory.reindex()
        await talk.user.consolidate()
        await talk.user.tidy()
        assert f"user · {attribute}: {value}" not in await talk.facts()
        assert (await talk.user.get(record.id)).status == "retired"  # type: ignore[union-attr]  # a record
        await talk.user.undo(forgotten.entries[0].id)
        assert f"user · {attribute}: {value}" in await talk.facts()


async def test_forgetting_is_durable(tmp_path: Path) -> None:
    async with talking(tmp_path, "file") as talk:
        await talk.tell("I live in Quokkaville", "I like tea")
        (record,) = [record for record in await talk.records() if record.value == "Quokkaville"]
        await talk.user.forget(record.id)
    async with talking(tmp_path, "file") as talk:
        await talk.memory.flush()
        assert await talk.facts() == ["user · likes: tea"]
        assert "I live in Quokkaville" not in await talk.found("Quokkaville", kinds=["fact"])
        await talk.user.restore(record.id)
        assert len(await talk.facts()) == 2


async def test_an_erasure_of_nothing_is_told(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like tea")
        for ids in ("nothing", ["nothing", "at all"]):
            with pytest.raises(NotFound):
                await talk.user.erase(ids)
        assert (await talk.user.erase(session="nowhere")).messages == 0
        assert await talk.facts() == ["user · likes: tea"]
