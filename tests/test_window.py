"""A window for applications that ask their own model: ready to send, within its budget, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pagefile.context.assemble import Window
from pagefile.errors import InputError
from pagefile.intake import draft
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.records import Add, Block, Scope
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, FakeIds, make_cause
from pagefile.testing.openai_server import check_chat_request
from pagefile.window import build_window

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
