"""A window for applications that ask their own model: ready to send, within its budget, and nothing is written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pagefile.context.assemble import Window
from pagefile.errors import InputError
from pagefile.events import TextDelta, Usage
from pagefile.intake import draft
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest
from pagefile.records import Add, Block, Scope
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, FakeIds, make_cause
from pagefile.testing.openai_server import check_chat_request
from pagefile.window import ChatSettings, build_window, context_report

ALICE = Scope("default", "alice")
SHANGHAI = ZoneInfo("Asia/Shanghai")
USER, ASSISTANT, SYSTEM, TOOL = "user", "assistant", "system", "tool"


def parts() -> Parts:
    return Parts(store=MemoryStore(), embedder=None, model=ScriptedModel(), now=FakeClock(), new_id=FakeIds(), zone=SHANGHAI)


async def add(made: Parts, *texts: str, session: str = "monday") -> None:
    roles = (USER, ASSISTANT)
    drafts = [draft({"role": roles[place % 2], "content": text}, parts=made) for place, text in enumerate(texts)]
    await made.store.append(ALICE, session, drafts)


async def window(made: Parts, *messages: Mapping[str, Any] | str, budget: int = 8_000, session: str = "monday") -> Window:
    built = await build_window(made, ALICE, session, messages, budget=budget)
    check_chat_request({"model": "m", "messages": list(built.messages)})
    assert built.tokens <= budget
    return built


def texts(built: Window) -> list[str]:
    """What was said, without the instructions and the notes."""
    return [message["content"] for message in built.messages[1:] if "memory system" not in message["content"]]


async def test_it_has_the_sessions_messages_what_was_recalled_and_the_new_message_last() -> None:
    made = parts()
    await add(made, "I can't eat spicy food.", "Noted.", session="sunday")
    await add(made, "Good morning.", "Good morning, Alice.")
    await made.store.apply(ALICE, [Add(item=Block(label="human", text="Name: Alice"), cause=make_cause())])
    built = await window(made, "Is spicy food a good idea?")
    assert "Name: Alice" in built.messages[0]["content"]
    assert texts(built) == ["Good morning.", "Good morning, Alice.", "Is spicy food a good idea?"]
    assert "session sunday: I can't eat spicy food." in built.messages[-2]["content"]
    assert "I can't eat spicy food." in [hit.text for hit in built.hits]
    assert built.parts["reply"] == 0
    assert built.tools == ()


async def test_nothing_is_written() -> None:
    made = parts()
    await add(made, "Good morning.", "Good morning, Alice.")
    before = await made.store.stats()
    await window(made, "hello", budget=1_000)
    await window(made, "word " * 9_000, budget=1_000)
    assert await made.store.stats() == before


async def test_a_history_that_the_application_sends_along_is_not_shown_twice() -> None:
    made = parts()
    await add(made, "one", "two", "three", "four")
    history = [{"role": role, "content": text} for role, text in ((USER, "three"), (ASSISTANT, "four"), (USER, "five"))]
    assert texts(await window(made, *history)) == ["one", "two", "three", "four", "five"]
    longer = [{"role": role, "content": text} for role, text in ((USER, "one"), (ASSISTANT, "two"))]
    assert texts(await window(made, *longer, *history)) == ["one", "two", "three", "four", "five"]


async def test_system_messages_of_the_application_are_its_instructions() -> None:
    built = await window(parts(), {"role": SYSTEM, "content": "You are Hal."}, {"role": USER, "content": "Open the door."})
    assert built.messages[0]["content"].startswith("You are Hal.\n\nYou have a memory")
    assert [message["role"] for message in built.messages] == [SYSTEM, USER]


async def test_tool_calls_of_the_application_stay_behind_its_message() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "成都"}'}}
    built = await window(
        parts(),
        {"role": USER, "content": "天气怎么样？"},
        {"role": ASSISTANT, "content": None, "tool_calls": [call]},
        {"role": TOOL, "tool_call_id": "c1", "content": "晴"},
    )
    assert [message["role"] for message in built.messages] == [SYSTEM, USER, ASSISTANT, TOOL]
    assert built.messages[2]["tool_calls"] == [call]


async def test_a_long_session_is_cut_at_a_users_message() -> None:
    made = parts()
    await add(made, *[f"message {number} " + "word " * 40 for number in range(100)])
    built = await window(made, "hello", budget=2_000)
    assert built.messages[1]["role"] == USER
    assert 2 < len(built.messages) < 60


async def test_an_empty_answer_in_the_history_is_no_mistake() -> None:
    built = await window(parts(), {"role": USER, "content": "hi"}, {"role": ASSISTANT, "content": ""}, {"role": USER, "content": "hello?"})
    assert texts(built) == ["hi", "hello?"]


@pytest.mark.parametrize(
    "messages", [[], [{"role": "assistant", "content": "hi"}], [{"role": "user", "content": ""}], [{"role": "x", "content": "y"}]]
)
async def test_without_a_users_message_it_is_refused(messages: list[Mapping[str, Any]]) -> None:
    with pytest.raises(InputError):
        await build_window(parts(), ALICE, "monday", messages, budget=8_000)


async def test_a_budget_too_small_is_refused_with_the_missing_tokens() -> None:
    with pytest.raises(InputError, match=r"window of 200 tokens is \d+ too small"):
        await build_window(parts(), ALICE, "monday", ["hello"], budget=200)


# --- what it is filled with ------------------------------------------------------------------------------------------------------


async def test_a_report_tells_of_each_part_what_it_takes_and_may_take() -> None:
    made = parts()
    await add(made, "I can't eat spicy food.", "Noted.", session="sunday")
    await add(made, "Good morning.", "Good morning, Alice.")
    await made.store.apply(ALICE, [Add(item=Block(label="human", text="Name: Alice"), cause=make_cause())])
    report = await context_report(made, ALICE, "monday", "Is spicy food a good idea?")
    assert [part.name for part in report.parts] == ["instructions", "tools", "blocks", "summary", "recent", "recalled", "user", "reply"]
    assert all(0 <= part.used <= part.limit for part in report.parts)
    assert report.used == sum(part.used for part in report.parts if part.name != "reply") < report.limit
    assert report["reply"].used + report.limit == made.model.context_window
    assert (report.window_start, report.messages) == (1, 3)
    assert report.hits[0].text == "I can't eat spicy food."
    assert min(report[name].used for name in ("instructions", "tools", "blocks", "recent", "recalled", "user")) > 0
    assert report["summary"].used == 0


async def test_a_report_without_a_message_is_of_the_last_turn_and_nothing_is_written() -> None:
    made = parts()
    await add(made, "Good morning.", "Good morning, Alice.")
    before = await made.store.stats()
    report = await context_report(made, ALICE, "monday")
    assert report.messages == 2
    assert (await context_report(made, ALICE, "nothing")).messages == 1
    assert await made.store.stats() == before


async def test_a_report_tells_what_left_the_window_and_that_blocks_are_cut() -> None:
    made = parts()
    await add(made, *[f"message {number} " + "word " * 40 for number in range(100)])
    await made.store.set_window(ALICE, "monday", window_start=81, summary="Many messages were numbered.")
    await made.store.apply(ALICE, [Add(item=Block(label="human", text="Alice bakes. " * 600, token_limit=9_000), cause=make_cause())])
    report = await context_report(made, ALICE, "monday", "hello")
    assert (report.window_start, report.messages, report.blocks_cut) == (81, 21, True)
    assert 0 < report["summary"].used <= report["summary"].limit
    assert report["blocks"].used <= report["blocks"].limit


async def test_rules_stand_behind_the_instructions_and_do_not_change_with_the_conversation() -> None:
    made = parts()
    rules = "# House rules\n\n- Answer in one sentence.\n- 不要使用表情符号。"
    settings = ChatSettings(instructions="You are Hal.", rules=rules)
    built = await build_window(made, ALICE, "monday", ["Open the door."], budget=8_000, settings=settings)
    text = built.messages[0]["content"]
    assert text.startswith("You are Hal.\n\nRules that always hold here:\n\n# House rules")
    assert "不要使用表情符号。\n\nYou have a memory" in text
    await add(made, "Good morning.", "Good morning, Alice.")
    again = await build_window(made, ALICE, "monday", ["And now?"], budget=8_000, settings=settings)
    assert again.messages[0] == built.messages[0]
    assert built.report["instructions"].used > (await window(made, "Open the door.", session="other")).report["instructions"].used


async def test_what_stands_before_the_messages_keeps_the_language_in_which_the_session_began() -> None:
    made = parts()
    await add(made, "Let us talk about the garden.", "Gladly.", *["我们来说说花园里的那棵树吧。", "好的。"] * 10)
    before = await window(made, "还有呢？")
    await made.store.set_window(ALICE, "monday", window_start=9)
    after = await window(made, "还有呢？")
    assert after.messages[0] == before.messages[0]
    assert len(after.messages) < len(before.messages)


# --- a conversation that outgrows it ---------------------------------------------------------------------------------------------


class Reader:
    """A model that answers briefly, summarises where it is asked to, and keeps what it was shown."""

    name = "reader"
    context_window = 3_000
    supports_tools = True
    echoes_memory = False

    def __init__(self) -> None:
        self.shown: list[ModelRequest] = []
        self.summarised = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if request.tools:
            self.shown.append(request)
            text = "I see, thank you for telling me about the boat."
        else:
            self.summarised += 1
            text = "The user is building a boat and tells about the progress."
        yield TextDelta(text=text)
        yield ModelFinished(reason="stop", usage=Usage(calls=1, estimated=True))

    async def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("gone", ["erase", "forget"])
async def test_a_summary_that_went_with_one_of_its_messages_is_made_anew_by_the_next_turn(tmp_path: Path, gone: str) -> None:
    model = Reader()
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", model=model, learn="off") as memory:
        alice = memory.scope("alice")
        chat = alice.chat(session="boat")
        for turn in range(20):
            await chat.turn(f"On day {turn} I worked on plank {turn} of the boat. " + "It went as well as before. " * 6)
        await memory.flush()
        assert (await alice.context_report("boat"))["summary"].used > 0
        first = (await alice.messages("boat", limit=1)).items[0]
        await (alice.erase(first.id) if gone == "erase" else alice.forget(first.id))
        assert (await alice.context_report("boat"))["summary"].used == 0
        await chat.turn("And now?")
        await memory.flush()
        assert (await alice.context_report("boat"))["summary"].used > 0


async def test_a_conversation_that_outgrows_its_window_is_summarised_and_loses_nothing(tmp_path: Path) -> None:
    model = Reader()
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", model=model, learn="off") as memory:
        alice = memory.scope("alice")
        for turn in range(40):
            await alice.chat(session="boat").turn(
                f"On day {turn} I worked on plank {turn} of the boat. " + "It went well, as the day before. " * 6
            )
            await memory.flush()
        report = await alice.context_report("boat", "How far am I?")
        said = await alice.messages("boat", limit=500)
        window = await alice.context("How far am I?", session="boat", budget=3_000)
    assert len(said.items) == 80
    assert report.window_start > 20
    assert report["summary"].used > 0
    assert "building a boat" in window.messages[1]["content"]
    starts = [next(one for one in request.messages[1:] if "On day" in one["content"])["content"] for request in model.shown]
    assert model.summarised == len(set(starts)) - 1, "one call for each time that messages left"
    prefixes = [request.messages[0]["content"] for request in model.shown]
    assert len(set(prefixes)) == 1
    for request in model.shown:
        check_chat_request({"model": "m", "messages": list(request.messages)})
