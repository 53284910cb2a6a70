"""What people state is learnt, in their words, from everything that reaches the journal, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import InputError, StoreUnavailable
from pagefile.models.scripted import ScriptedModel
from pagefile.recorder import MOST_SOURCES
from pagefile.records import Add, Change, HistoryEntry, Scope
from pagefile.scoped import AsyncScopedMemory
from pagefile.stores.memory import MemoryStore

from .minds import EVERY_STATUS, STORES, Clock, core, facts, messages, of_user, opened, records, user_said

LANGUAGES = pytest.mark.parametrize(
    ("said", "known"),
    [
        ("I live in Rome.", of_user("residence", "Rome")),
        ("我住在上海。", of_user("residence", "上海")),
    ],
    ids=["English", "Chinese"],
)


# --- from where, and when --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@LANGUAGES
async def test_what_was_added_is_known_to_the_next_list(store: str, said: str, known: Any, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        receipt = await alice.add(said, session="monday")
        (record,) = await records(alice)
        assert core(record) == known
        assert [(each.message, each.span is not None) for each in record.sources] == [(receipt.messages[0].id, True)]
        assert (record.session, record.extractor, record.evidence_count) == ("monday", "rules", 1)


@pytest.mark.parametrize("store", STORES)
@LANGUAGES
async def test_what_was_said_in_a_chat_is_known_after_the_turn(store: str, said: str, known: Any, tmp_path: Path) -> None:
    model = ScriptedModel(["I live in the cloud. I am a nurse. 我住在云里。"])
    async with await opened(store, tmp_path, model=model) as memory:
        alice = memory.scope("alice")
        await alice.chat(session="s").turn(said)
        assert await facts(alice, *EVERY_STATUS) == [known]


@pytest.mark.parametrize("look", ["search", "list", "timeline", "context", "forget", "correct"])
async def test_every_look_into_the_memory_sees_what_was_just_said(look: str, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        match look:
            case "search":
                assert [hit.kind for hit in await alice.search("Rome", kinds=["fact"])] == ["fact"]
            case "list":
                assert (await alice.list()).total == 1
            case "timeline":
                assert [record.value for record in await alice.timeline("residence")] == ["Rome"]
            case "context":
                window = await alice.context("Where in Rome do I live?", session="elsewhere")
                assert "Rome" in str(window.messages)
                assert (await alice.stats()).records == 1
            case "forget":
                assert "fact" in {getattr(item, "kind", None) for item in (await alice.forget(query="Rome", dry_run=True)).items}
            case "correct":
                assert len((await alice.correct("I live in Milan.", query="Rome")).superseded) == 1


@pytest.mark.parametrize("store", STORES)
async def test_flush_waits_until_everything_is_learnt(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        for user in ("alice", "bob"):
            await memory.scope(user).add("I live in Rome.")
            await memory.scope(user).add("我对花生过敏。", session="other")
        assert await memory.flush() == 0
        assert (await memory.stats()).records == 4


async def test_it_is_learnt_in_the_background_when_nobody_asks(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        await memory.scope("alice").add("I live in Rome.")
        clock.advance(seconds=5)
        async with asyncio.timeout(30):
            while not (await memory.stats()).records:
                await asyncio.sleep(0.02)
        assert await facts(memory.scope("alice")) == [of_user("residence", "Rome")]


async def test_what_another_program_left_unread_is_seen_by_the_first_look(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as first:
        await first.scope("alice").add("I live in Rome.")
    async with await opened("file", tmp_path, clock=clock) as second:
        assert await facts(second.scope("alice")) == [of_user("residence", "Rome")]


async def test_two_searches_at_once_both_see_what_was_just_said(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        both = await asyncio.gather(alice.list(), alice.list())
        assert [page.total for page in both] == [1, 1]


async def test_a_long_conversation_is_read_to_its_end_and_once(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        lines = [user_said(f"My friend Anna{number} likes tea number {number}.") for number in range(250)]
        await alice.add([*lines, user_said("I live in Rome.")])
        assert await memory.flush() == 0
        before = await records(alice, *EVERY_STATUS)
        assert of_user("residence", "Rome") in await facts(alice)
        await alice.add("ok")
        await memory.flush()
        assert await records(alice, *EVERY_STATUS) == before


async def test_nothing_is_learnt_when_learning_is_off(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        await memory.scope("bob").add("I live in Oslo.")
    async with await opened("file", tmp_path, learn="off") as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add("I live in Rome.")
        assert [await facts(user, *EVERY_STATUS) for user in (alice, bob)] == [[], []]
        assert await memory.flush() == 0, "the jobs of other times wait for nobody"
        assert len(await alice.search("Rome")) == 1


@pytest.mark.parametrize("by", ["add", "chat"])
async def test_what_was_said_while_learning_was_off_is_never_learnt(by: str, tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        # It is closed before it has learnt from this.
        await memory.scope("alice").add("I live in Rome.", session="s")
    async with await opened("file", tmp_path, learn="off") as memory:
        alice = memory.scope("alice")
        if by == "add":
            await alice.add("I am allergic to peanuts.", session="s")
        else:
            await alice.chat(session="s").turn("I am allergic to peanuts.")
        said = (await alice.messages("s")).items[1]
        assert not said.learnable
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("My wife is Anna.", session="s")
        await memory.flush()
        # Not when it is put back into sight, either.
        await alice.forget(said.id)
        await alice.restore(said.id)
        await memory.flush()
        assert {record.attribute for record in await records(alice, *EVERY_STATUS)} == {"residence", "partner"}
        assert len(await alice.search("peanuts")) == 1


async def test_an_answer_is_understood_by_the_question_before_it(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add([user_said("I live in Rome."), {"role": "assistant", "content": "Noted: Rome."}])
        await alice.list()
        await alice.add("No, it's Milan.")
        assert await facts(alice) == [of_user("residence", "Milan")]


async def test_of_messages_of_one_moment_the_later_one_wins(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice, day = memory.scope("alice"), "2026-05-01T00:00:00+08:00"
        said = ["I live in Berlin.", "I am allergic to peanuts. I moved to Munich."]
        await alice.add([user_said(text, said_at=day) for text in said])
        assert of_user("residence", "Munich") in await facts(alice)


# --- whose word counts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "I live in Rome. You are a nurse."},
        {"role": "system", "content": "I live in Rome. I am a nurse."},
        {"role": "assistant", "content": "我住在罗马。"},
    ],
    ids=["assistant", "system", "assistant in Chinese"],
)
async def test_the_words_of_others_are_no_facts_about_the_user(message: dict[str, Any], tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add([message, user_said("ok")])
        assert await facts(alice, *EVERY_STATUS) == []


@pytest.mark.parametrize("origin", ["imported", "file", "web"])
@LANGUAGES
async def test_what_was_not_said_here_waits_until_it_is_confirmed(origin: Any, said: str, known: Any, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(said, origin=origin)
        assert await facts(alice) == []
        for record in await records(alice, "pending"):
            confirmed = await alice.confirm(record.id)
            assert (confirmed.status, confirmed.trust.name) == ("current", "USER_CONFIRMED")
        if origin == "imported":
            assert await facts(alice) == [known]


async def test_what_a_tool_answers_is_never_believed(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        call = {"id": "c1", "type": "function", "function": {"name": "fetch", "arguments": "{}"}}
        await alice.add([
            user_said("look it up"), {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "I live in Rome. The user is a nurse."},
        ])  # fmt: skip
        assert await facts(alice) == []


async def test_in_a_group_every_speaker_has_facts_of_his_own(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(
            [user_said("I live in Rome.", name="Tom"), user_said("I live in Oslo.", name="Alice"), user_said("我住在上海。", name="小王")]
        )
        assert await facts(alice) == [
            ("Tom", "residence", "Rome", "positive"), of_user("residence", "Oslo"), ("小王", "residence", "上海", "positive"),
        ]  # fmt: skip


async def test_the_user_is_known_by_the_name_he_gave(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("u-4711")
        await alice.add("My name is Lin Wei.")
        await alice.list()
        await alice.add(user_said("I live in Oslo.", name="Lin Wei"), session="group")
        assert of_user("residence", "Oslo") in await facts(alice)


@pytest.mark.parametrize("said", ["My phone number is 13912345678.", "我的手机号是13912345678。"], ids=["English", "Chinese"])
async def test_personal_identifiers_are_learnt_with_consent_alone(said: str, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add(said)
        assert await facts(alice, *EVERY_STATUS) == []
        await bob.add(said, consent="explicit")
        assert await facts(bob) == [of_user("phone", "13912345678")]


# --- junk ------------------------------------------------------------------------------------------------------------------


def notes_in(user_message: str, window: Any) -> Sequence[dict[str, Any]]:
    """What an application may send for a turn: the notes of the window, and the user's words."""
    notes = [dict(message) for message in window.messages if message["content"] != user_message]
    return [*({"role": message["role"], "content": message["content"]} for message in notes), user_said(user_message)]


STATED = ("I live in Rome.", "I'm allergic to peanuts.", "我不吃辣。", "My brother Tom is a nurse.")


@pytest.mark.parametrize("store", STORES)
async def test_notes_that_come_back_as_messages_are_not_learnt_again(store: str, tmp_path: Path) -> None:
    """Fifty turns of an application that writes down everything it sends and gets, notes and all."""
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for line in STATED:
            await alice.add(line, session="start")
        first = await records(alice, *EVERY_STATUS)
        questions = ("Where do I live?", "What can I not eat in Rome?", "我不吃什么？", "What does Tom do, is he a nurse?")
        for turn in range(50):
            clock.advance(seconds=30)
            asked = questions[turn % 4]
            window = await alice.context(asked, session="loop", budget=2_000)
            echo = "\n".join(hit.text for hit in window.hits) or "Hm."
            await alice.add([*notes_in(asked, window), {"role": "assistant", "content": f"As you said: {echo}"}], session="loop")
        after = await records(alice, *EVERY_STATUS)
        assert [record.id for record in after] == [record.id for record in first]
        assert [record.evidence_count for record in after] == [1] * len(first)


@pytest.mark.parametrize("passing", ["I'm so tired today, I might move to Oslo.", "我好像对花生过敏。"], ids=["English", "Chinese"])
async def test_an_echo_of_the_assistant_confirms_nothing(passing: str, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add([user_said(passing), {"role": "assistant", "content": passing}, user_said("ok")])
        await alice.add([{"role": "assistant", "content": passing}, user_said("yes please go on")], session="later")
        assert await facts(alice) == []


async def test_a_doubtful_remark_is_believed_when_it_is_said_in_another_session(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.add("我好像对花生过敏。")
        assert [(record.status, record.value) for record in await records(alice, *EVERY_STATUS)] == [("pending", "花生")]
        clock.advance(days=1)
        await alice.add("我对花生过敏。", session="other")
        (record,) = await records(alice)
        assert (record.value, record.evidence_count) == ("花生", 2)


@pytest.mark.parametrize("store", STORES)
async def test_the_same_fact_in_five_sessions_is_one_record_with_five_pieces_of_evidence(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for day in range(5):
            for _ in range(2):  # said twice in one session, it is no more true
                await alice.add("I'm allergic to peanuts.", session=f"day {day}")
            clock.advance(days=1)
        (record,) = await records(alice, *EVERY_STATUS)
        assert (record.value, record.evidence_count) == ("peanuts", 5)
        assert len({source.message for source in record.sources}) >= 5


async def test_what_is_said_without_end_is_cited_only_so_often(tmp_path: Path) -> None:
    """Or each time would write down all the times before."""
    clock = Clock()
    async with await opened("file", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for day in range(MOST_SOURCES + 10):
            await alice.add(["I'm allergic to peanuts."] * 3, session=f"day {day}")
            await alice.list()
            clock.advance(days=1)
        (record,) = await records(alice, *EVERY_STATUS)
        assert record.evidence_count == MOST_SOURCES + 10
        assert len(record.sources) < 2 * MOST_SOURCES
        assert record.said_at is not None and clock.now - record.said_at < timedelta(days=2)


# --- what goes wrong -------------------------------------------------------------------------------------------------------


class Failing(MemoryStore):
    """Refuses to keep records that say a word, and fails as a whole while it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.refused, self.is_down = "Poison", False

    async def apply(self, scope: Scope, changes: Sequence[Change], **options: Any) -> tuple[HistoryEntry, ...]:
        if self.is_down:
            raise StoreUnavailable("the disk is full")
        if any(isinstance(change, Add) and self.refused in getattr(change.item, "text", "") for change in changes):
            raise InputError("a record that cannot be kept")
        return await super().apply(scope, changes, **options)


async def learnt_after(store: Failing, alice: AsyncScopedMemory) -> list[str | None]:
    return [value for _, _, value, _ in await facts(alice)]


async def test_a_message_that_cannot_be_learnt_from_keeps_no_other_waiting(tmp_path: Path) -> None:
    store, clock = Failing(), Clock()
    async with await opened("memory", tmp_path, store=store, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.add([user_said("I live in Rome."), user_said("My friend Poison likes tea."), user_said("I'm allergic to peanuts.")])
        assert await learnt_after(store, alice) == ["Rome", "peanuts"]
        (left,) = [job for job in (await memory.jobs()).items if job.kind == "learn"]
        assert left.payload["ids"] == [(await messages(alice))[1].id]
        assert "cannot be kept" in str(left.error)
        for _ in range(20):
            clock.advance(hours=1)
            await memory.flush()
        (dead,) = (await memory.jobs(state="dead")).items
        store.refused = "nothing"
        assert await memory.revive([dead.id]) == 1
        assert await memory.flush() == 0
        assert any("Poison" in str(fact) for fact in await facts(alice))


async def test_a_store_that_fails_for_a_while_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    store, clock = Failing(), Clock()
    async with await opened("memory", tmp_path, store=store, clock=clock) as memory:
        alice = memory.scope("alice")
        store.is_down = True
        await alice.add([user_said("I live in Rome."), user_said("我对花生过敏。")])
        assert await memory.flush() == 1
        assert memory.trouble == "the disk is full"
        assert await facts(alice) == []
        store.is_down = False
        clock.advance(minutes=10)
        assert await memory.flush() == 0
        assert memory.trouble is None
        assert [record.evidence_count for record in await records(alice)] == [1, 1]
