"""What is forgotten, or erased, stays so until it is said anew; and what was forgotten can come back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.memory import AsyncMemory
from pagefile.records import Source, Trust
from pagefile.scoped import AsyncScopedMemory

from .minds import EVERY_STATUS, STORES, Clock, core, facts, messages, of_user, opened, records, texts, user_said

# --- confirm, forget, restore ----------------------------------------------------------------------------------------------


async def test_only_what_is_current_or_pending_can_be_confirmed(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        old = await alice.remember("I live in Rome.")
        assert (await alice.confirm(old.id)).trust is Trust.USER_CONFIRMED
        await alice.forget(old.id)
        with pytest.raises(ConflictError, match="restore"):
            await alice.confirm(old.id)


@pytest.mark.parametrize("store", STORES)
async def test_a_dry_run_only_says_what_would_go(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I like jazz.")
        before = (await records(alice, *EVERY_STATUS), await messages(alice))
        would = await alice.forget(query="forget that I like jazz", dry_run=True)
        assert ({item.text.rstrip(".") for item in would.items}, len(would.items), would.entries) == ({"I like jazz"}, 2, ())
        assert (await records(alice, *EVERY_STATUS), await messages(alice)) == before
        done = await alice.forget(query="forget that I like jazz")
        assert {item.id for item in done.items} == {item.id for item in would.items} == {entry.target for entry in done.entries}
        assert texts(await alice.search("jazz")) == []


async def test_a_query_that_means_nothing_forgets_nothing(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I like jazz.")
        for query in ("everything", "penguins", "一切"):
            assert (await alice.forget(query=query)).items == ()
        with pytest.raises(InputError):
            await alice.forget()
        with pytest.raises(NotFound):
            await alice.forget("no such id")


@pytest.mark.parametrize("store", STORES)
async def test_with_a_message_goes_what_was_learnt_from_it_alone_and_comes_back(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        receipt = await alice.add("I live in Rome. I like tea.", session="one")
        clock.advance(days=1)
        await alice.add("I like tea.", session="two")
        before = await facts(alice)
        (message,) = receipt.messages
        gone = await alice.forget(message.id)
        assert {getattr(item, "attribute", "message") for item in gone.items} == {"message", "residence"}
        assert await facts(alice) == [of_user("likes", "tea")]
        assert texts(await alice.search("Rome")) == []
        await alice.restore(message.id)
        assert sorted(map(str, await facts(alice))) == sorted(map(str, before))
        assert texts(await alice.search("Rome")) != []


async def test_what_is_restored_supersedes_what_holds_in_its_place(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        rome = await alice.remember("I live in Rome.")
        await alice.remember("I live in Oslo.")
        entry = await alice.restore(rome.id)
        assert (entry.change, await facts(alice)) == ("restore", [of_user("residence", "Rome")])
        assert (await alice.restore(rome.id)).id == entry.id, "restored twice it is restored once"
        with pytest.raises(InputError, match="never forgotten"):
            await alice.restore((await alice.remember("I like tea.")).id)


@pytest.mark.parametrize("store", STORES)
async def test_what_waits_for_confirmation_still_waits_after_it_was_forgotten_and_restored(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        (message,) = (await alice.add("I live in Oslo.", origin="imported")).messages
        (record,) = await records(alice, "pending")
        with pytest.raises(InputError, match="never forgotten"):
            await alice.restore(record.id)
        for id in (record.id, message.id):
            await alice.forget(id)
            await alice.restore(id)
            assert [each.status for each in await records(alice, *EVERY_STATUS)] == ["pending"]


@pytest.mark.parametrize("back", ["restore", "undo"])
async def test_what_comes_back_with_a_message_supersedes_what_holds_in_its_place(back: str, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        (message,) = (await alice.add("I live in Rome.")).messages
        await alice.list()
        gone = await alice.forget(message.id)
        await alice.add("I live in Oslo.")
        await alice.list()
        if back == "restore":
            await alice.restore(message.id)
        else:
            await alice.undo(next(entry.id for entry in gone.entries if entry.target == message.id))
        assert await facts(alice) == [of_user("residence", "Rome")]


async def test_a_message_that_was_out_of_sight_is_learnt_from_when_it_is_back(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        (message,) = (await alice.add("I live in Rome.")).messages
        await alice.forget(message.id)
        assert await facts(alice, *EVERY_STATUS) == []
        await alice.restore(message.id)
        assert await facts(alice) == [of_user("residence", "Rome")]


# --- what does not come back -----------------------------------------------------------------------------------------------


async def said(user: AsyncScopedMemory, memory: AsyncMemory, text: str, number: int, **fields: Any) -> None:
    await user.add(user_said(text, id=f"{text} {number}", **fields), session=f"import {number}")
    await memory.flush()


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("text", ["I like jazz.", "我对花生过敏。"], ids=["English", "Chinese"])
async def test_what_was_forgotten_does_not_return_with_old_words_but_with_new_ones(store: str, text: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice, then = memory.scope("alice"), clock.now
        await said(alice, memory, text, 1, said_at=then)
        (record,) = await records(alice)
        await alice.forget(record.id)
        clock.advance(days=1)
        await said(alice, memory, text, 2, said_at=then)
        await said(alice, memory, text, 3, said_at=then - timedelta(days=30))
        assert await facts(alice) == []
        await said(alice, memory, text, 4)
        assert [core(each) for each in await records(alice)] == [core(record)]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("what", ["the record", "the message", "the session", "everything"])
async def test_what_was_erased_does_not_return_from_old_chats_but_when_it_is_said_anew(what: str, store: str, tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db" if store == "file" else ":memory:", embedder="none") as memory:
        alice = memory.scope("alice")
        old = user_said("I like jazz.", said_at="2024-03-01T10:00:00+08:00")
        (message,) = (await alice.add(old, session="s")).messages
        (record,) = await records(alice)
        targets: dict[str, dict[str, Any]] = {
            "the record": {"id": [record.id, message.id]}, "the message": {"id": message.id}, "the session": {"session": "s"},
            "everything": {},
        }  # fmt: skip
        await alice.erase(**targets[what])
        assert await memory.occurrences(["jazz"]) == (0,)
        await alice.add([{**old, "id": "m1"}, {**old, "said_at": "2023-01-01T10:00:00+08:00"}], session="import")
        await alice.add(old, session="import", origin="imported")
        assert await facts(alice, *EVERY_STATUS) == []
        await alice.add("I like jazz.", session="today")
        assert await facts(alice) == [of_user("likes", "jazz")]


async def test_finished_memories_of_elsewhere_do_not_bring_back_what_was_erased_nor_stop_what_comes_with_them(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I like jazz.")
        await alice.erase(record.id)
        await alice.add(["I like jazz.", "I live in Rome."], origin="imported", session="import")
        assert await memory.flush() == 0
        assert await facts(alice, *EVERY_STATUS) == [of_user("residence", "Rome")]
        with pytest.raises(ConflictError):
            await alice.remember("I like jazz.", trust=Trust.IMPORTED)
        assert (await alice.remember("I like jazz.")).status == "current"


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("by", ["message", "session"])
async def test_what_erased_words_had_replaced_holds_again_and_is_recalled(by: str, store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(["I live in Rome.", "I have a dog called Rex.", "I have a cat called Tom."], session="old")
        before = await facts(alice)
        said = (await alice.add(["I moved to Oslo.", "I don't have any pets."], session="new")).messages
        await alice.list()
        assert await facts(alice) != before
        await alice.erase(session="new") if by == "session" else await alice.erase([message.id for message in said])
        assert sorted(map(str, await facts(alice))) == sorted(map(str, before))
        assert texts(await alice.search("Rome")) != []
        assert await memory.occurrences(["Oslo", "any pets"]) == (0, 0)


async def test_what_was_replaced_since_stays_replaced_when_words_between_are_erased(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        for place in ("Rome", "Oslo", "Pisa"):
            await alice.add(f"I live in {place}.", session=place)
            await alice.list()
        await alice.erase(session="Oslo")
        assert await facts(alice) == [of_user("residence", "Pisa")]
        assert [record.value for record in await alice.timeline("residence")] == ["Rome", "Pisa"]


@pytest.mark.parametrize("store", STORES)
async def test_a_written_record_that_cites_an_erased_message_among_others_stays(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        first, second = (await alice.add(["one thing we saw", "another thing we saw"])).messages
        await alice.remember("The pond is deep.", pinned=True, sources=[Source(message=each.id) for each in (first, second)])
        await alice.erase(first.id)
        await memory.flush()
        (record,) = await records(alice)
        assert (record.text, [source.message for source in record.sources]) == ("The pond is deep.", [second.id])
