"""The operations log tells what was asked of a memory and what came of it; and goes with what is erased."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pagefile.models.scripted import ScriptedModel
from pagefile.operations import MOST_KEPT, MOST_NAMED, used_in
from pagefile.ports import Operation
from pagefile.queries import Hit
from pagefile.scoped import AsyncScopedMemory

from .minds import STORES, Clock, opened

SECRET = "sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"


async def lines(user: AsyncScopedMemory, *kinds: str) -> list[Operation]:
    """Lines of these kinds, newest first; default: of all but writes."""
    return [line for line in (await user.operations(limit=1_000)).items if line.kind in (kinds or ("recall", "turn"))]


@pytest.mark.parametrize("store", STORES)
async def test_a_search_leaves_a_line(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.remember("I like jazz.")
        hits = await alice.search("jazz")
        (line,) = await lines(alice)
        assert (line.kind, line.parameters, line.items) == ("recall", {"query": "jazz"}, tuple(hit.id for hit in hits))
        assert line.result == {"retrieved": 1, "tokens": sum(hit.tokens for hit in hits), "mode": "words"}
        assert (await memory.scope("bob").operations()).total == 0


@pytest.mark.parametrize(
    ("known", "asked", "answer", "used"),
    [
        ("I'm allergic to peanuts.", "Which nuts am I allergic to?", "You are allergic to peanuts.", True),
        ("I'm allergic to peanuts.", "Which nuts am I allergic to?", "I do not know that.", False),
        ("我对花生过敏。", "我对什么过敏？", "你对花生过敏。", True),
    ],
    ids=["used", "not used", "used, in Chinese"],
)
async def test_a_turn_leaves_a_line_that_tells_what_of_its_notes_the_reply_shows(
    known: str, asked: str, answer: str, used: bool, tmp_path: Path
) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel([answer])) as memory:
        alice = memory.scope("alice")
        await alice.add(known, session="before")
        await alice.chat(session="s").turn(asked)
        (line,) = await lines(alice, "turn")
        assert (line.session, line.parameters["model"], line.parameters["query"]) == ("s", "scripted", asked)
        shown = list(line.items[: line.result["retrieved"]])
        assert line.result["used"] == (shown if used else [])
        assert [message.id for message in (await alice.messages("s")).items] == line.result["messages"] == list(line.items[len(shown) :])
        assert line.result["tokens"] > 0


async def test_a_write_leaves_a_line_that_names_its_changes_and_repeats_no_words(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        await memory.flush()
        record = await alice.remember("I live in Oslo.")
        learnt, corrected = reversed(await lines(alice, "write"))
        assert (learnt.parameters, learnt.result["changes"]) == ({"actor": "worker"}, {"add": 1})
        assert corrected.parameters == {"actor": "user:alice"}
        assert {"add": 1, "supersede": 1}.items() <= corrected.result["changes"].items()
        assert record.id in corrected.items
        assert {entry.id for entry in await alice.history(record.id)} <= set(corrected.result["entries"])
        assert "Rome" not in str((learnt, corrected))


async def test_a_message_that_is_erased_takes_the_line_of_its_turn_along(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel(["You like jazz."])) as memory:
        alice = memory.scope("alice")
        await alice.remember("I like jazz.")
        await alice.chat(session="s").turn("what jazz quokka do I like?")
        (said, *_) = (await alice.messages("s")).items
        await alice.erase(said.id)
        assert await memory.occurrences(["quokka"]) == (0,)


@pytest.mark.parametrize("store", STORES)
async def test_messages_that_are_added_leave_a_line_without_their_words(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        wrong = {"role": "user", "content": 5}
        receipt = await alice.add(["I like jazz.", "my password is hunter2", wrong], session="s")
        await alice.add({"role": "user", "content": "I like jazz.", "id": "1"}, session="t")
        await alice.add({"role": "user", "content": "I like jazz.", "id": "1"}, session="t")
        again, second, first = await lines(alice, "add")
        assert (first.session, first.result) == ("s", {"stored": 2, "refused": 1, "redacted": 1})
        assert first.items == tuple(message.id for message in receipt.messages)
        assert (second.result, again.result, again.items) == ({"stored": 1}, {"duplicates": 1}, second.items)
        assert "jazz" not in str((first, second, again))
        await alice.erase(receipt.messages[0].id)
        assert len(await lines(alice, "add")) == 2


async def test_a_line_of_a_long_import_names_the_first_messages_alone(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add([f"number {number}" for number in range(300)])
        (line,) = await lines(alice, "add")
        assert (line.result, len(line.items)) == ({"stored": 300}, MOST_NAMED)


@pytest.mark.parametrize("learn", ["rules", "off"])
async def test_old_lines_go_and_so_do_those_above_the_limit(learn: str, tmp_path: Path) -> None:
    clock, settings = Clock(), {"log_days": 30, "log_lines": 3}
    async with await opened("file", tmp_path, clock=clock, learn=learn, settings=settings) as memory:
        alice = memory.scope("alice")
        await alice.add("I like jazz.")
        for number in range(6):
            await alice.search(f"jazz {number}")
        await memory.flush()
        clock.advance(days=1, hours=12)
        if learn == "off":
            await alice.search("jazz 6")
        await memory.flush()
        newest = 7 if learn == "off" else 6
        assert [line.parameters["query"] for line in await lines(alice)] == [
            f"jazz {number}" for number in range(newest - 1, newest - 4, -1)
        ]
        clock.advance(days=40)
        if learn == "off":
            await alice.search("jazz 7")
        await memory.flush()
        assert len(await lines(alice)) == (1 if learn == "off" else 0)


async def test_lines_are_listed_newest_first_page_by_page(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I like jazz.")
        for number in range(200):
            await alice.search(f"jazz {number}")
        first = await alice.operations(limit=150)
        rest = await alice.operations(after=first.cursor, limit=150)
        queries = [line.parameters["query"] for line in (*first.items, *rest.items) if line.kind == "recall"]
        assert queries == [f"jazz {number}" for number in reversed(range(200))]


async def test_what_was_written_behind_the_caller_is_there_after_closing(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        await memory.scope("alice").remember("I like jazz.")
        await memory.scope("alice").search("jazz")
    async with await opened("file", tmp_path) as memory:
        assert len(await lines(memory.scope("alice"))) == 1


async def test_a_secret_in_a_query_is_not_kept(tmp_path: Path) -> None:
    model = ScriptedModel(["ok"])
    async with await opened("file", tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        await alice.remember("The key of the garden is under the mat.")
        assert len(await alice.search(f"the garden key {SECRET}", floor=0.0)) == 1
        await alice.chat(session="s").turn(f"is the garden key {SECRET}?")
        assert len(await lines(alice)) == 2
        assert await memory.occurrences(["A1b2C3d4E5f6"]) == (0,)


async def test_of_a_very_long_query_only_the_beginning_is_kept(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I like jazz.")
        await alice.search("jazz " * 10_000)
        (line,) = await lines(alice)
        assert len(line.parameters["query"]) <= MOST_KEPT


@pytest.mark.parametrize("store", STORES)
async def test_the_line_goes_with_what_it_is_about(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, model=ScriptedModel(["You like jazz."])) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I like jazz.")
        await alice.remember("I like tea.")
        await alice.search("jazz")
        await alice.search("tea")
        await alice.chat(session="s").turn("what music do I like, jazz?")
        # At once: lines that are still on their way must not come after it.
        receipt = await alice.erase(record.id)
        assert receipt.operations == 3, "it was written, recalled and used in a turn"
        assert [line.parameters["query"] for line in await lines(alice)] == ["tea"]
        await alice.erase()
        assert (await alice.operations()).total == 0
        assert await memory.occurrences(["jazz"]) == (0,)


async def test_a_search_that_finds_nothing_leaves_no_words_behind(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        await memory.scope("alice").search("quokka")
        assert (await memory.scope("alice").operations()).total == 0
        assert await memory.occurrences(["quokka"]) == (0,)


async def test_a_search_that_ends_after_an_erase_writes_nothing_back(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        for number in range(5):
            await alice.remember(f"The quokka {number} is here.")
            searches = [asyncio.create_task(alice.search("quokka")) for _ in range(20)]
            await asyncio.sleep(0.002)
            await alice.erase()
            await asyncio.gather(*searches)
            await memory.flush()
            assert await memory.occurrences(["quokka"]) == (0,)
            assert (await memory.scopes()).items == ()


async def test_the_line_of_a_turn_goes_with_what_was_said_in_it(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel(["Oh, a quokka!"])) as memory:
        alice = memory.scope("alice")
        await alice.chat(session="s").turn("what does a quokka eat?")
        await alice.erase([message.id for message in (await alice.messages("s")).items])
        assert await lines(alice) == []
        assert await memory.occurrences(["quokka"]) == (0,)


@pytest.mark.parametrize("store", STORES)
async def test_a_write_leaves_a_line_that_names_what_was_changed(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        await alice.list()
        await alice.remember("I live in Oslo.")
        second, first = await lines(alice, "write")
        assert (first.parameters["actor"], first.result["changes"]) == ("worker", {"add": 1})
        assert second.parameters["actor"] == "user:alice"
        assert {"supersede": 1, "add": 1}.items() <= second.result["changes"].items()
        made = {entry.id for entry in (await alice.changes()).items}
        assert set(second.result["entries"]) <= made
        assert "Oslo" not in repr((second.parameters, second.result)), "the words stand in the history alone"


@pytest.mark.parametrize(
    ("note", "query", "reply", "used"),
    [
        ("I live in Rome", "where do I live?", "You live in Rome.", True),
        ("I live in Rome", "do I live in Rome?", "Yes, you live in Rome.", False),
        ("I live in Rome", "where do I live?", "", False),
        ("我住在上海浦东", "我住在哪里？", "你住在上海浦东。", True),
    ],
    ids=["new words of it", "only words of the question", "nothing", "Chinese"],
)
def test_a_note_is_used_if_the_reply_says_something_of_it_that_the_question_did_not(note: str, query: str, reply: str, used: bool) -> None:
    assert used_in(reply, [shown("note", note), shown("other", "The moon is far away.")], query) == (["note"] if used else [])


def shown(id: str, text: str) -> Hit:
    return Hit(
        id=id,
        kind="fact",
        text=text,
        score=1.0,
        time=datetime(2026, 5, 1, tzinfo=UTC),
        session=None,
        speaker=None,
        role=None,
        sources=(),
        trust="user_said",
        tokens=8,
    )
