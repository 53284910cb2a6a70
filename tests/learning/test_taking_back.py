"""Whatever is taken back, and in whatever order: what holds is what the rest alone would have given."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.errors import ConflictError
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.fakes import START

from .minds import EVERY_STATUS, STORES, Clock, core, facts, opened, records, user_said

#: What may be said of one thing, in English and Chinese.
HOMES = ("I live in Rome.", "I live in Oslo.", "我住在波恩。", "I live in Bonn.", "我搬到上海了。")
TASTES = ("I like tea.", "I can't stand tea.", "我喜欢喝茶。", "I no longer like tea.", "I love tea.")
PETS = ("I have a dog called Rex.", "I don't have any pets.", "我养了一只猫叫小黑。", "I have a cat called Tom.")

Said = tuple[str, int]
Step = tuple[str, int]


async def say(user: AsyncScopedMemory, number: int, said: Said) -> None:
    """A session of one message, which may have been said before those that came earlier."""
    text, day = said
    await user.add(user_said(text, said_at=START - timedelta(days=100 - day)), session=str(number))
    await user.list()


async def take_back(user: AsyncScopedMemory, step: Step) -> bool:
    """Whether it was taken back: a change that others built on is not undone."""
    verb, number = step
    match verb:
        case "revert":
            await user.revert(session=str(number))
        case "erase":
            known = Counter([core(record) for record in await records(user, *EVERY_STATUS)])
            if max(known.values(), default=0) > 1:
                # What is erased stays so, also where an older record says it: that one does not come back.
                return False
            await user.erase(session=str(number))
        case "undo":
            added = [each for each in await records(user, "current") if each.session == str(number) and len(each.sources) == 1]
            if not added:
                return False
            try:
                await user.undo((await user.history(added[0].id))[0].id)
            except ConflictError:
                return False
    return True


async def what_holds(user: AsyncScopedMemory) -> list[str]:
    """In one language: the words that stay are those of the first who said it."""
    return sorted(str(fact).replace("茶", "tea") for fact in await facts(user))


def chains(lines: tuple[str, ...], *, in_order: bool) -> st.SearchStrategy[list[Said]]:
    days = st.integers(0, 60)
    chain = st.lists(st.tuples(st.sampled_from(lines), days), min_size=2, max_size=5, unique_by=lambda said: said[1])
    return chain.map(lambda said: sorted(said, key=lambda each: each[1])) if in_order else chain


steps = st.lists(st.tuples(st.sampled_from(("revert", "erase", "undo")), st.integers(0, 4)), min_size=1, max_size=5)


async def check(store: str, folder: Path, said: list[Said], taken: list[Step]) -> None:
    gone = set[int]()
    async with await opened(store, folder, clock=Clock()) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        for number, each in enumerate(said):
            await say(alice, number, each)
        for step in taken:
            if step[1] < len(said) and step[1] not in gone and await take_back(alice, step):
                gone.add(step[1])
        for number, each in enumerate(said):
            if number not in gone:
                await say(bob, number, each)
        assert await what_holds(alice) == await what_holds(bob)


@pytest.mark.parametrize("store", STORES)
@settings(max_examples=40, deadline=None)
@given(said=chains(HOMES, in_order=False), taken=steps)
def test_of_what_has_one_value_the_newest_that_is_left_holds(
    store: str, said: list[Said], taken: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    asyncio.run(check(store, tmp_path_factory.mktemp("homes"), said, taken))


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("lines", [TASTES, PETS], ids=["tastes", "pets"])
@settings(max_examples=25, deadline=None)
@given(data=st.data(), taken=steps)
def test_of_tastes_and_of_what_has_several_values_what_is_left_holds(
    store: str, lines: tuple[str, ...], data: st.DataObject, taken: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    asyncio.run(check(store, tmp_path_factory.mktemp("tastes"), data.draw(chains(lines, in_order=True)), taken))


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("taken", [[("revert", 2), ("revert", 1)], [("revert", 2), ("revert", 3)], [("revert", 2), ("undo", 3)]])
def test_what_could_not_come_back_beside_something_else_comes_back_when_that_goes(
    store: str, taken: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    said: list[Said] = [
        ("I have a dog called Rex.", 0),
        ("I don't have any pets.", 1),
        ("I have a dog called Rex.", 2),
        ("我养了一只猫叫小黑。", 3),
    ]
    asyncio.run(check(store, tmp_path_factory.mktemp("pets"), said, taken))


# --- a row of values, each in a session of its own ---------------------------------------------------------------------------

ROW: list[Said] = [("I live in Rome.", 1), ("我住在奥斯陆。", 2), ("I live in Bonn.", 3)]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("verb", ["revert", "erase"])
@pytest.mark.parametrize(
    ("numbers", "left"),
    [
        ((2,), "奥斯陆"), ((1,), "Bonn"), ((0,), "Bonn"), ((0, 1), "Bonn"), ((1, 0), "Bonn"), ((2, 1), "Rome"), ((1, 2), "Rome"),
        ((0, 2), "奥斯陆"), ((2, 0), "奥斯陆"), ((1, 0, 2), None), ((0, 1, 2), None),
    ],
)  # fmt: skip
async def test_the_newest_of_a_row_that_is_left_holds(
    verb: str, numbers: tuple[int, ...], left: str | None, store: str, tmp_path: Path
) -> None:
    async with await opened(store, tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        for number, each in enumerate(ROW):
            await say(alice, number, each)
        for number in numbers:
            await take_back(alice, (verb, number))
        assert [record.value for record in await records(alice)] == ([left] if left else [])
        places = {0: "Rome", 1: "奥斯陆", 2: "Bonn"}
        assert [record.value for record in await alice.timeline("residence")] == [
            places[number] for number in range(3) if number not in numbers
        ]


@pytest.mark.parametrize("store", STORES)
async def test_what_stays_has_replaced_what_was_before_the_one_taken_back(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        for number, each in enumerate(ROW):
            await say(alice, number, each)
        await alice.revert(session="1")
        rome, bonn = await alice.timeline("residence")
        assert (bonn.supersedes, rome.valid_to) == (rome.id, bonn.valid_from)


@pytest.mark.parametrize("store", STORES)
async def test_what_is_taken_back_and_brought_back_is_as_it_was(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        for number, each in enumerate(ROW):
            await say(alice, number, each)
        taken = await alice.revert(session="2")
        gone = next(entry for entry in taken if entry.change == "retire")
        await alice.undo(gone.id)
        assert [(record.value, record.status) for record in await alice.timeline("residence")] == [
            ("Rome", "superseded"), ("奥斯陆", "superseded"), ("Bonn", "current"),
        ]  # fmt: skip


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("verb", ["revert", "erase"])
async def test_what_came_later_and_was_older_holds_when_the_newer_word_is_taken_back(verb: str, store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        await say(alice, 0, ("I can't stand tea.", 50))
        await say(alice, 1, ("我喜欢喝茶。", 10))
        await say(alice, 2, ("I live in Bonn.", 50))
        await say(alice, 3, ("I live in Rome.", 10))
        for number in (0, 2):
            await take_back(alice, (verb, number))
        assert {(record.value, record.polarity) for record in await records(alice)} == {("茶", "positive"), ("Rome", "positive")}
        assert all(record.valid_to is None for record in await records(alice))


async def test_what_the_user_forgot_does_not_come_back_when_others_are_taken_back(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        for number, each in enumerate(ROW):
            await say(alice, number, each)
            if number == 1:
                await alice.forget((await records(alice))[0].id)
        await alice.revert(session="2")
        assert await facts(alice) == []


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("verb", ["revert", "erase"])
@pytest.mark.parametrize(
    ("before", "ending"),
    [("I'm a student.", "I graduated last month."), ("我讨厌猫。", "我不再讨厌猫了。")],
    ids=["English", "Chinese"],
)
async def test_what_words_that_only_end_something_had_ended_holds_again(
    before: str, ending: str, verb: str, store: str, tmp_path: Path
) -> None:
    async with await opened(store, tmp_path, clock=Clock()) as memory:
        alice = memory.scope("alice")
        await say(alice, 0, (before, 1))
        known = await facts(alice)
        await say(alice, 1, (ending, 2))
        assert len(known) == 1
        assert known[0] not in await facts(alice)
        await take_back(alice, (verb, 1))
        assert await facts(alice) == known
