"""Each change can be taken back, and all of them in reverse order lead to where it began."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.models.openai import OpenAIModel
from pagefile.records import HistoryEntry, Record, Source, Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.openai_server import OpenAIServer, Streamed

from .minds import (
    EVERY_STATUS,
    PAINTING,
    PAINTS,
    STORES,
    Clock,
    facts,
    in_time,
    messages,
    of_user,
    opened,
    reading,
    records,
    reply,
    whenever,
)


def as_said(record: Record) -> Record:
    """A record without what counts its changes."""
    return replace(record, version=0, use_count=0, last_used_at=None)


async def state(user: AsyncScopedMemory) -> dict[str, Record]:
    return {record.id: as_said(record) for record in await records(user, *EVERY_STATUS)}


async def changes(user: AsyncScopedMemory) -> list[HistoryEntry]:
    """All changes of records, newest first."""
    items = (await user.changes(limit=1_000)).items
    ids = {record.id for record in await records(user, *EVERY_STATUS)}
    return [entry for entry in items if entry.target in ids]


# --- one change of each kind -----------------------------------------------------------------------------------------------

Step = Callable[[AsyncScopedMemory, Record], Awaitable[Any]]


async def _add(user: AsyncScopedMemory, home: Record) -> None:
    await user.remember("My brother Tom is a nurse.")


async def _supersede(user: AsyncScopedMemory, home: Record) -> None:
    await user.add("I moved to Berlin.", session="later")
    await user.list()


async def _edit(user: AsyncScopedMemory, home: Record) -> None:
    await user.edit(home.id, text="I live in Milan.", tags=["home"], valid_from="2026-01-01")


async def _reinforce(user: AsyncScopedMemory, home: Record) -> None:
    await user.add("I live in Rome.", session="later")
    await user.list()


async def _retire(user: AsyncScopedMemory, home: Record) -> None:
    await user.forget(home.id)


async def _restore(user: AsyncScopedMemory, home: Record) -> None:
    (forgotten,) = (await user.list(statuses=("retired",))).items
    await user.restore(forgotten.id)


async def _restore_replaced(user: AsyncScopedMemory, home: Record) -> None:
    (replaced,) = (await user.list(statuses=("superseded",))).items
    await user.restore(replaced.id)


async def _confirm(user: AsyncScopedMemory, home: Record) -> None:
    (pending,) = (await user.list(statuses=("pending",))).items
    await user.confirm(pending.id)


async def _retire_pending(user: AsyncScopedMemory, home: Record) -> None:
    (pending,) = (await user.list(statuses=("pending",))).items
    await user.forget(pending.id)


async def _correct(user: AsyncScopedMemory, home: Record) -> None:
    await user.correct("I live in Pisa.")


async def _edit_into_contradiction(user: AsyncScopedMemory, home: Record) -> None:
    (pet,) = [record for record in await records(user) if record.attribute == "pet"]
    await user.edit(pet.id, text="I live in Turin.", attribute="residence", value="Turin")


STEPS: tuple[Step, ...] = (
    _add, _supersede, _edit, _reinforce, _retire, _restore, _restore_replaced, _confirm, _retire_pending, _correct,
    _edit_into_contradiction,
)  # fmt: skip


async def beginning(user: AsyncScopedMemory) -> Record:
    """A memory with a current, a superseded, a pending and a forgotten record; returns where the user lives."""
    await user.add("I live in Oslo.", session="early")
    await user.add("I live in Rome.", session="start")
    await user.add("I have a dog called Rex.", session="start")
    await user.remember("works at Acme", trust=Trust.IMPORTED)
    await user.forget((await user.remember("I like tea.")).id)
    (home,) = [record for record in await records(user) if record.attribute == "residence"]
    return home


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__.strip("_"))
async def test_what_one_step_changed_is_as_it_was_when_its_first_change_is_taken_back(step: Step, store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        home = await beginning(alice)
        before, known = await state(alice), await facts(alice)
        made = len(await changes(alice))
        await step(alice, home)
        new = (await changes(alice))[:-made]
        assert new, "the step changed something"
        assert await state(alice) != before
        # One change of it is enough to take the whole step back.
        await alice.undo(new[-1].id)
        assert sorted(map(str, await facts(alice))) == sorted(map(str, known))
        for entry in new:
            await alice.undo(entry.id)
        after = await state(alice)
        assert {id: after[id] for id in before} == before
        assert {after[id].status for id in after.keys() - before.keys()} <= {"retired"}


# --- any number of them ----------------------------------------------------------------------------------------------------

_PLACES = ("Rome", "Oslo", "北京")
_WRITTEN = (
    *(f"I live in {place}." for place in _PLACES[:2]), "我住在北京。", "I like tea.", "I can't stand tea.", "I no longer like tea.",
    "I have a dog called Rex.", "I have a cat called Tom.", "I don't have any pets.", "我不吃辣。", "我现在能吃辣了。", "My desk is blue.",
    "我好像对花生过敏。", "我对花生过敏。", "No, it's Milan.", "My brother Tom lives in Rome.",
)  # fmt: skip
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(_WRITTEN)),
        st.tuples(st.just("remember"), st.sampled_from(_WRITTEN)),
        st.tuples(st.just("import"), st.sampled_from(_WRITTEN)),
        st.tuples(st.just("correct"), st.sampled_from(_WRITTEN)),
        st.tuples(st.sampled_from(("forget", "restore", "confirm", "edit", "tag", "pin")), st.integers(0, 9)),
    ),
    min_size=1,
    max_size=8,
)


async def do(user: AsyncScopedMemory, step: tuple[str, Any], number: int) -> None:
    verb, what = step
    if verb == "say":
        await user.add(what, session=f"session {number % 3}")
        await user.list()
    elif verb in ("remember", "import"):
        await user.remember(what, trust=Trust.IMPORTED if verb == "import" else Trust.USER_SAID)
    elif verb == "correct":
        await user.correct(what)
    elif known := await records(user, *EVERY_STATUS):
        id = known[what % len(known)].id
        match verb:
            case "forget":
                await user.forget(id)
            case "restore":
                await user.restore(id)
            case "confirm":
                await user.confirm(id)
            case "edit":
                await user.edit(id, text=_WRITTEN[what])
            case "tag":
                await user.edit(id, tags=[f"tag {number}"])
            case "pin":
                await user.edit(id, pinned=True)


async def try_to(user: AsyncScopedMemory, step: tuple[str, Any], number: int) -> None:
    """Do it, unless it cannot be done in this state."""
    try:
        await do(user, step, number)
    except (ConflictError, InputError):
        assert step[0] in ("restore", "confirm", "correct", "edit", "remember", "import")


@pytest.mark.parametrize("store", STORES)
@settings(max_examples=60, deadline=None)
@given(before=_STEPS, after=_STEPS)
def test_taken_back_in_reverse_order_any_changes_leave_no_trace_but_history(
    store: str, before: list[tuple[str, Any]], after: list[tuple[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def run() -> None:
        async with await opened(store, tmp_path_factory.mktemp("undo"), clock=Clock()) as memory:
            alice = memory.scope("alice")
            for number, step in enumerate(before):
                await try_to(alice, step, number)
            known, made = await state(alice), len(await changes(alice))
            for number, step in enumerate(after, len(before)):
                await try_to(alice, step, number)
            entries = await changes(alice)
            for entry in entries[: len(entries) - made]:
                await alice.undo(entry.id)
            now = await state(alice)
            assert {id: now[id] for id in known} == known
            assert {now[id].status for id in now.keys() - known.keys()} <= {"retired"}

    asyncio.run(run())


# --- what cannot be taken back ---------------------------------------------------------------------------------------------


async def test_an_undo_can_be_undone(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I live in Rome.")
        await alice.edit(record.id, text="I live in Milan.")
        edited = await state(alice)
        (undone,) = await alice.undo((await changes(alice))[0].id)
        assert await facts(alice) == [of_user("residence", "Rome")]
        await alice.undo(undone.id)
        assert await state(alice) == edited
        assert [hit.text for hit in await alice.search("Milan")] == ["I live in Milan."]


async def test_a_change_that_was_changed_again_is_not_taken_back(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I live in Rome.")
        await alice.edit(record.id, text="I live in Milan.")
        (first, *_) = await changes(alice)
        await alice.edit(record.id, text="I live in Pisa.")
        before = await state(alice)
        with pytest.raises(ConflictError, match="changed again"):
            await alice.undo(first.id)
        assert await state(alice) == before


async def test_a_record_that_was_replaced_twice_does_not_come_back_beside_the_last_one(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        for place in ("Rome", "Oslo", "Pisa"):
            await alice.remember(f"I live in {place}.")
        rome, oslo, _ = await records(alice, *EVERY_STATUS)
        for target in (rome.id, oslo.id):
            kind = "supersede" if target == rome.id else "add"
            (entry,) = [each for each in await alice.history(target) if each.change == kind]
            with pytest.raises(ConflictError):
                await alice.undo(entry.id)
        assert await facts(alice) == [of_user("residence", "Pisa")]


async def test_taken_back_twice_is_taken_back_once(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I live in Rome.")
        await alice.remember("I live in Oslo.")
        (latest, *_) = await changes(alice)
        await alice.undo(latest.id)
        assert await alice.undo(latest.id) == ()
        assert await facts(alice) == [of_user("residence", "Rome")]


async def test_a_change_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.remember("I live in Rome.")
        (entry,) = await changes(alice)
        for user, id in ((alice, "999999"), (alice, "no id"), (bob, entry.id)):
            with pytest.raises(NotFound):
                await user.undo(id)


# --- all that was learnt from one place ------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("by", ["session", "source"])
async def test_what_was_learnt_from_a_place_is_forgotten_and_what_it_replaced_holds_again(by: str, store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(["I live in Rome.", "I have a dog called Rex.", "I have a cat called Tom.", "I like tea."], session="start")
        await alice.list()
        before = await state(alice)
        lines = ["I moved to Oslo.", "I moved to Pisa.", "I don't have any pets.", "I can't stand tea.", "My friend Anna likes jazz."]
        receipt = await alice.add(lines, session="page")
        assert await facts(alice) != list(before)
        await alice.revert(session="page") if by == "session" else await alice.revert(source=[each.id for each in receipt.messages])
        after = await state(alice)
        assert {id: after[id] for id in before} == before
        assert {after[id].status for id in after.keys() - before.keys()} == {"retired"}
        assert not await alice.search("jazz", kinds=["fact"])
        assert await alice.revert(session="page") == ()


async def test_a_record_that_rests_on_other_words_too_loses_only_what_it_had_from_there(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for session in ("one", "one", "two", "three"):
            await alice.add("I'm allergic to peanuts.", session=session)
            await alice.list()
        (record,) = await records(alice)
        assert record.evidence_count == 3
        await alice.revert(session="one")
        (left,) = await records(alice)
        sessions = {each.id: each.session for each in await messages(alice)}
        assert (left.id, left.evidence_count) == (record.id, 2)
        assert [sessions[source.message] for source in left.sources] == ["two", "three"]


async def test_what_was_confirmed_from_there_waits_again(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("我好像对花生过敏。", session="one")
        await alice.add("我对花生过敏。", session="page")
        assert len(await records(alice)) == 1
        await alice.revert(session="page")
        (record,) = await records(alice, *EVERY_STATUS)
        assert (record.status, record.evidence_count) == ("pending", 1)


async def test_what_somebody_said_after_it_stays(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        for place, session in (("Rome", "start"), ("Oslo", "page"), ("Pisa", "later")):
            await alice.add(f"I live in {place}.", session=session)
            await alice.list()
        await alice.revert(session="page")
        assert await facts(alice) == [of_user("residence", "Pisa")]
        assert [record.value for record in await alice.timeline("residence")] == ["Rome", "Pisa"]


async def test_what_was_not_read_yet_is_not_learnt_after_it(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Oslo.", session="page")
        await alice.revert(session="page")
        await memory.flush()
        assert await facts(alice) == []


@pytest.mark.parametrize("by", ["session", "source"])
async def test_what_a_model_has_not_read_yet_is_not_learnt_after_it(by: str, tmp_path: Path) -> None:
    """Neither what waits, nor what could not be read and was put aside."""
    async with reading(tmp_path, "no", "no", whenever(PAINTING), whenever(PAINTING)) as (memory, _, clock):
        alice = memory.scope("alice")
        (aside,) = (await alice.add(PAINTS, session="page")).messages
        await memory.flush()
        (waits,) = (await alice.add(f"{PAINTS} They calm me.", session="page")).messages
        await alice.revert(session="page") if by == "session" else await alice.revert(source=[aside.id, waits.id])
        clock.advance(minutes=5)
        assert await memory.flush() == 0
        assert await facts(alice, *EVERY_STATUS) == []


async def test_what_a_model_reads_meanwhile_is_not_learnt_after_it(tmp_path: Path) -> None:
    with OpenAIServer([Streamed(deltas=({"content": reply(PAINTING)},), delay=1.0)]) as server:
        model = OpenAIModel("test-model", base_url=server.url, api_key="x")
        async with await opened("memory", tmp_path, model=model, learn="model") as memory:
            alice = memory.scope("alice")
            await alice.add(PAINTS, session="page")
            flushing = asyncio.create_task(memory.flush())
            await in_time(lambda: bool(server.chats))
            await alice.revert(session="page")
            await flushing
            assert await facts(alice, *EVERY_STATUS) == []


async def test_the_words_themselves_are_recalled_no_more_but_stay(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("The quokka of my aunt is fond of jazz, it is said.", session="page")
        assert await alice.search("quokka")
        await alice.revert(session="page")
        assert not await alice.search("quokka")
        assert await alice.search("quokka", history=True)
        assert len(await messages(alice)) == 1


async def test_reverting_needs_to_know_what(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        with pytest.raises(InputError, match="session or a source"):
            await alice.revert()
        assert await alice.revert(session="no such session") == ()
        record = await alice.remember("I live in Rome.", sources=[Source(message="elsewhere")])
        assert [entry.target for entry in await alice.revert(source="elsewhere")] == [record.id]
