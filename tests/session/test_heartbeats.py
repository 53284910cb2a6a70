"""The tool set "memgpt": the person reads what is sent, and a turn goes on when the model asks for it."""

from __future__ import annotations

import pytest

from pagefile.events import Event, TextDelta, ToolCalled, ToolReturned, Warned
from pagefile.messages import ToolCall

from .chats import Chat, call, finished


def read(events: list[Event]) -> str:
    """What the person reads."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_only_what_is_sent_reaches_the_person_and_the_journal() -> None:
    chat = Chat(["The user greets me. ", call("send_message", message="你好，小梅！")])
    events = await chat.say("你好", toolset="memgpt")
    assert read(events) == finished(events).text == "你好，小梅！"
    assert await chat.said() == [("user", "你好"), ("assistant", "你好，小梅！")]
    assert len(chat.model.requests) == 1
    chat.check()


async def test_a_turn_goes_on_only_when_it_is_asked_to() -> None:
    chat = Chat(
        ["Look first.", call("archival_memory_search", query="boat", request_heartbeat=True)], call("send_message", message="No idea.")
    )
    events = await chat.say("what is my boat called?", toolset="memgpt")
    assert read(events) == "No idea."
    # What it thought is before its eyes for the rest of the turn, and nowhere else.
    assert any(message.get("content") == "Look first." for message in chat.model.requests[1].messages)
    assert all("Look first" not in message.text for message in await chat.journal())
    chat.check()


async def test_a_call_without_a_heartbeat_ends_the_turn() -> None:
    chat = Chat([call("core_memory_append", label="human", content="Is Mei."), call("send_message", "call_1", message="Hello Mei.")])
    events = await chat.say("I am Mei", toolset="memgpt")
    assert (read(events), finished(events).text, finished(events).reason) == ("Hello Mei.", "Hello Mei.", "stop")
    assert finished(events).message == (await chat.journal())[1].id
    assert [event.call.name for event in events if isinstance(event, ToolCalled)] == ["core_memory_append"]
    chat.check()
    chat.model.replies.append(call("send_message", message="Mei."))
    assert finished(await chat.say("Who am I?", toolset="memgpt")).text == "Mei."
    chat.check()


async def test_a_failed_call_is_a_heartbeat() -> None:
    failing = [
        ToolCall(id="a", name="send_message", arguments='{"mess'),
        call("core_memory_replace", label="human", old_content="x", new_content="y"),
        call("no_such_tool"),
    ]
    for each in failing:
        chat = Chat(each, call("send_message", message="Sorry."))
        events = await chat.say("hello there, replace x", toolset="memgpt")
        assert [event.ok for event in events if isinstance(event, ToolReturned)] == [False]
        assert read(events) == "Sorry."
        chat.check()


async def test_a_message_that_asks_for_another_round_is_sent_at_once_and_has_a_result() -> None:
    chat = Chat(call("send_message", message="One moment.", request_heartbeat=True), call("send_message", message="Done."))
    events = await chat.say("do it", toolset="memgpt")
    assert read(events) == finished(events).text == "One moment.\n\nDone."
    assert [message.text for message in await chat.journal() if message.role == "assistant"] == ["One moment.", "Done."]
    chat.check()


async def test_a_model_that_answers_in_plain_text_is_heard_all_the_same() -> None:
    chat = Chat("Hello Mei.")
    events = await chat.say("I am Mei", toolset="memgpt")
    assert read(events) == finished(events).text == "Hello Mei."
    assert (await chat.said())[-1] == ("assistant", "Hello Mei.")


async def test_a_message_sent_without_end_is_broken_off() -> None:
    chat = Chat(*[call("send_message", message="Hi.", request_heartbeat=True)] * 5)
    events = await chat.say("hello there", toolset="memgpt")
    assert read(events) == "Hi.\n\nHi."
    assert finished(events).reason == "limit"
    chat.check()


async def test_who_sends_nothing_is_told_of() -> None:
    chat = Chat(call("core_memory_append", label="human", content="Is Mei."), "")
    events = await chat.say("I am Mei", toolset="memgpt")
    assert any(isinstance(event, Warned) and "empty answer" in event.text for event in events)
    assert finished(events).text == ""


@pytest.mark.parametrize("toolset", ["plain", "memgpt", "compact", "blocks"])
async def test_who_calls_and_then_says_nothing_is_asked_once_more_without_tools(toolset: str) -> None:
    name, arguments = {
        "plain": ("memory_search", {"query": "Mei"}),
        "memgpt": ("archival_memory_search", {"query": "Mei"}),
        "compact": ("memory_search", {"query": "Mei"}),
        "blocks": ("memory_insert", {"label": "human", "new_str": "Is Mei."}),
    }[toolset]
    chat = Chat(call(name, **arguments), *([] if toolset == "memgpt" else [""]), "你好，Mei。")
    events = await chat.say("I am Mei", toolset=toolset)
    assert finished(events).text == "你好，Mei。"
    assert chat.model.requests[-1].tools == ()
    assert not any(isinstance(event, Warned) for event in events)
    chat.check()


async def test_a_message_that_was_answered_by_a_call_is_not_answered_again() -> None:
    chat = Chat([call("core_memory_append", label="human", content="Is Mei."), call("send_message", "call_1", message="Hello Mei.")])
    message = {"role": "user", "content": "I am Mei", "id": "m1"}
    for _ in range(2):
        events = [event async for event in chat.session(toolset="memgpt").stream(message)]
        assert finished(events).text == "Hello Mei."
    assert len(chat.model.requests) == 1


async def test_in_the_other_sets_the_model_is_asked_again_while_it_calls() -> None:
    chat = Chat(call("continue_thinking"), call("memory_append", layer="core", content="Is Mei."), "Hello Mei.")
    assert finished(await chat.say("I am Mei", toolset="compact")).text == "Hello Mei."
    chat.check()


async def test_finished_edits_end_the_turn_of_who_has_answered() -> None:
    chat = Chat(["Hello Mei.", call("memory_insert", label="human", new_text="Is Mei.")], call("memory_finish_edits"))
    events = await chat.say("I am Mei", toolset="blocks")
    assert finished(events).text == "Hello Mei."
    chat = Chat(call("memory_finish_edits"), "Hello.")
    assert finished(await chat.say("hello there", toolset="blocks")).text == "Hello."
    chat.check()
