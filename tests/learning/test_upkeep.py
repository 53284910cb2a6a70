"""The upkeep keeps a memory in order: once a night, within its budget; all of it can be looked at first, and taken back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import ModelUnavailable
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelRequest
from pagefile.records import Add, Cause, Indexing, Record, Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.fakes import make_record
from pagefile.upkeep import EPISODES

from .minds import EVERY_STATUS, STORES, Clock, facts, messages, of_user, opened, records, user_said

STORIES = (
    "We walked along the river {n} and talked about the old mill, which the council wants to pull down next spring. "
    "My neighbour thinks that is a shame, since her grandfather worked there for thirty years.",
    "In the evening we cooked a soup of leeks and potatoes, and listened to the radio play about the lighthouse keeper {n}. "
    "The second part is on next week, and I want to hear how it ends.",
    "Later it rained so hard {n} that the cellar was under water, so we carried all the boxes with the letters upstairs.",
)


async def an_episode(user: AsyncScopedMemory, session: str, number: int = 0) -> None:
    await user.add([user_said(story.format(n=number)) for story in STORIES], session=session)


async def everything(user: AsyncScopedMemory, memory: AsyncMemory) -> Any:
    jobs = [(job.kind, job.payload, job.state, job.ready_at) for job in (await memory.jobs(limit=1_000)).items]
    return await records(user, *EVERY_STATUS), await messages(user), (await user.changes(limit=1_000)).items, jobs


async def write(memory: AsyncMemory, user: AsyncScopedMemory, *known: Record) -> None:
    """Put records there as they are, past what keeps facts apart."""
    cause = Cause(actor="test", reason="as it is", at=known[0].learned_at)
    await memory._parts.store.apply(user.scope, [Add(item=record, cause=cause, indexing=Indexing()) for record in known])


async def untidy(memory: AsyncMemory, user: AsyncScopedMemory, clock: Clock) -> None:
    """Facts to be put away, two that are one, and an old session."""
    await user.remember("The tent is in the car.", expires_at=clock.now + timedelta(days=1))
    await user.remember("The boat is at the lake.", expires_at=clock.now + timedelta(days=1), pinned=True)
    await user.remember("I live in Oslo.", trust=Trust.IMPORTED)
    employer = {"subject": "user", "attribute": "owns", "learned_at": clock.now}
    await write(
        memory,
        user,
        make_record("owns a red car", value="red car", **employer),
        make_record("has a red car", value="a red car", **employer),
    )
    await an_episode(user, "old")
    await user.list()
    clock.advance(days=40)


# --- a look first ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_a_dry_run_shows_what_would_be_done_and_changes_nothing(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await untidy(memory, alice, clock)
        before = await everything(alice, memory)
        tidied, merged = await alice.tidy(dry_run=True), await alice.consolidate(dry_run=True)
        assert await everything(alice, memory) == before
        assert (tidied.entries, merged.entries) == ((), ())
        assert (len(tidied.retired), len(merged.diffs), len(merged.summaries)) == (2, 1, 1)
        done, summed = await alice.tidy(), await alice.consolidate()
        assert done.retired == tidied.retired
        assert [diff.after.text for diff in summed.diffs] == [diff.after.text for diff in merged.diffs]
        assert [record.text for record in summed.summaries] == [record.text for record in merged.summaries]
        gone = [await alice.get(each.id) for each in done.retired]
        assert {(record.text, record.status) for record in gone} == {("The tent is in the car.", "retired"), ("I live in Oslo.", "retired")}
        assert (await alice.tidy()).retired == ()
        again = await alice.consolidate()
        assert (again.diffs, again.summaries, again.entries) == ((), (), ())


@pytest.mark.parametrize("store", STORES)
async def test_all_of_it_can_be_taken_back(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await untidy(memory, alice, clock)
        before = sorted(map(str, await facts(alice, "current", "pending")))
        entries = [*(await alice.tidy()).entries, *(await alice.consolidate()).entries]
        assert sorted(map(str, await facts(alice, "current", "pending"))) != before
        for entry in reversed(entries):
            await alice.undo(entry.id)
        assert sorted(map(str, await facts(alice, "current", "pending"))) == before


@pytest.mark.parametrize("change", ["supersede", "edit", "add"])
async def test_a_merge_is_taken_back_by_whichever_of_its_changes(change: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        fields = {"subject": "user", "attribute": "owns", "learned_at": clock.now}
        cars = [make_record(f"has {value}", value=value, **fields) for value in ("red car", "a red car", "the red car")]
        await write(memory, alice, *cars)
        before = sorted(map(str, await facts(alice)))
        entries = (await alice.consolidate()).entries
        assert len(await facts(alice)) == 1
        await alice.undo(next(entry.id for entry in entries if entry.change == change))
        assert sorted(map(str, await facts(alice))) == before


# --- every night -----------------------------------------------------------------------------------------------------------


async def test_it_is_asked_for_once_a_night_at_three_in_the_zone_of_the_user(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        for number in range(5):
            await alice.add(f"My friend Anna{number} likes tea.", session=f"s{number}")
            await alice.list()
        await bob.add("I live in Rome.")
        await memory.flush()
        jobs = [job for job in (await memory.jobs()).items if job.kind == "upkeep"]
        assert [job.scope.user for job in jobs] == ["alice", "bob"]
        night = jobs[0].ready_at.astimezone(memory._parts.zone)
        assert (night.hour, night.minute, timedelta() < night - clock.now <= timedelta(days=1)) == (3, 0, True)
        clock.advance(days=1)
        await memory.flush()
        again = [job.ready_at - clock.now for job in (await memory.jobs()).items if job.kind == "upkeep"]
        assert len(again) == 2, "what expires or is never confirmed does so without new words too"
        assert all(timedelta(days=6) < wait <= timedelta(days=7) for wait in again)


async def test_in_the_night_it_is_done(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        tent = await alice.remember("The tent is in the car.", expires_at=clock.now + timedelta(hours=1))
        await alice.list()
        clock.advance(days=1)
        async with asyncio.timeout(30):
            while (await alice.get(tent.id)).status == "current":
                await asyncio.sleep(0.05)
        assert await facts(alice) == [of_user("residence", "Rome")]


# --- old sessions ----------------------------------------------------------------------------------------------------------


async def test_a_summary_cites_the_messages_and_is_believed_no_more_than_they(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await an_episode(alice, "old")
        await alice.add({"role": "assistant", "content": "What a day! The lighthouse keeper is a fine play."}, session="old")
        clock.advance(days=40)
        await an_episode(alice, "new")
        (summary,) = (await alice.consolidate()).summaries
        said = [message for message in await messages(alice, "old")]
        assert {source.message for source in summary.sources} == {message.id for message in said}
        assert (summary.session, summary.kind, summary.trust) == ("old", "summary", Trust.ASSISTANT_SAID)


async def test_sessions_too_short_for_a_summary_do_not_stand_before_others(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for number in range(EPISODES + 5):
            await alice.add("hello there", session=f"short {number}")
        await an_episode(alice, "long")
        clock.advance(days=40)
        assert [summary.session for summary in (await alice.consolidate()).summaries] == ["long"]


async def test_in_one_night_only_so_many_are_made_and_the_rest_in_the_next(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for number in range(EPISODES + 2):
            await an_episode(alice, f"s{number}", number)
        clock.advance(days=40)
        made = [len((await alice.consolidate()).summaries) for _ in range(3)]
        assert made == [EPISODES, 2, 0]


async def test_a_summary_that_was_forgotten_is_not_made_again_but_new_words_are_summed_up(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await an_episode(alice, "old")
        clock.advance(days=40)
        (summary,) = (await alice.consolidate()).summaries
        await alice.forget(summary.id)
        assert (await alice.consolidate()).summaries == ()
        await an_episode(alice, "old", 2)
        clock.advance(days=40)
        (second,) = (await alice.consolidate()).summaries
        assert {source.message for source in second.sources}.isdisjoint(source.message for source in summary.sources)


async def test_two_at_once_make_one_summary(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await an_episode(alice, "old")
        clock.advance(days=40)
        await asyncio.gather(alice.consolidate(), alice.consolidate())
        assert len([record for record in await records(alice) if record.kind == "summary"]) == 1


# --- with a model ----------------------------------------------------------------------------------------------------------


def shorter(request: ModelRequest) -> str:
    return "They walked by the river, cooked a soup, and carried letters upstairs in the rain."


async def test_a_model_writes_summaries_within_the_budget_of_the_day(tmp_path: Path) -> None:
    clock, model = Clock(), ScriptedModel([shorter] * 9)
    async with await opened("memory", tmp_path, clock=clock) as memory:
        for number in range(4):
            await an_episode(memory.scope("alice"), f"s{number}", number)
        store = memory._parts.store
        clock.advance(days=40)
        async with await opened(
            "memory", tmp_path, store=store, clock=clock, model=model, learn="model", settings={"learn_calls": 2}
        ) as reading:
            alice = reading.scope("alice")
            made = (await alice.consolidate()).summaries
            assert [summary.extractor for summary in made] == ["model:scripted", "model:scripted", "excerpts", "excerpts"]
            assert ((await alice.spent()).calls, len(model.requests)) == (2, 2)


async def test_where_the_model_fails_sentences_are_taken_instead(tmp_path: Path) -> None:
    clock, model = Clock(), ScriptedModel([shorter, ModelUnavailable("no connection")])
    async with await opened("memory", tmp_path, clock=clock, model=model, learn="model") as memory:
        alice = memory.scope("alice")
        for number in range(2):
            await an_episode(alice, f"s{number}", number)
        clock.advance(days=40)
        made = (await alice.consolidate()).summaries
        assert [(summary.session, summary.extractor) for summary in made] == [("s0", "model:scripted"), ("s1", "excerpts")]


async def test_an_upkeep_without_a_model_asks_none(tmp_path: Path) -> None:
    clock, model = Clock(), ScriptedModel([])
    async with await opened("memory", tmp_path, clock=clock, model=model) as memory:
        await an_episode(memory.scope("alice"), "old")
        clock.advance(days=40)
        assert len((await memory.scope("alice").consolidate()).summaries) == 1
        assert model.requests == []
