"""A chat turn: durable first, with what memory knows, bounded, and one at a time."""

from __future__ import annotations

import json

import anyio
import pytest

from pagefile.errors import ConflictError, InputError, ModelUnavailable
from pagefile.events import Event, Evicted, Pressure, Recalled, TextDelta, ToolCalled, ToolReturned, TurnStarted
from pagefile.memory import AsyncMemory
from pagefile.messages import ToolCall
from pagefile.models.scripted import Script, ScriptedModel
from pagefile.records import Record
from pagefile.session import Session
from pagefile.testing.fakes import FakeClock

from .chats import ALICE, Chat, call, finished, kinds

# --- a plain turn


async def test_a_turn_begins_with_the_message_in_the_journal_and_ends_with_the_reply_there() -> None:
    chat = Chat("Nice to meet you, Alice.")
    events = await chat.say("I am Alice.")
    assert kinds(events) == ["TurnStarted", "Recalled", "TextDelta", "TurnFinished"]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Nice to meet you, Alice."
    assert await chat.said() == [("user", "I am Alice."), ("assistant", "Nice to meet you, Alice.")]
    end = finished(events)
    assert (end.text, end.reason, end.message) == ("Nice to meet you, Alice.", "stop", (await chat.journal())[1].id)
    assert set(end.window) == {"instructions", "tools", "blocks", "summary", "recent", "notes", "user", "reply"}
    assert end.usage.calls == 1
    chat.check()


async def test_the_message_is_durable_before_the_model_is_asked() -> None:
    chat = Chat("Hi.")
    stream = chat.session().stream("I am Alice.")
    assert isinstance(await anext(stream), TurnStarted)
    assert await chat.said() == [("user", "I am Alice.")]
    assert chat.model.requests == []
    await stream.aclose()


async def test_what_was_said_in_one_session_reaches_the_request_of_the_next_even_with_instructions_of_the_application() -> None:
    chat = Chat("Noted.", "A mild place.")
    await chat.say("I can't eat spicy food.")
    events = await chat.say("Where can we eat spicy food?", session="tuesday", instructions="You are Hal.")
    recalled = next(event for event in events if isinstance(event, Recalled))
    assert "I can't eat spicy food." in [hit.text for hit in recalled.hits]
    sent = chat.model.requests[-1]
    assert sent.messages[0]["content"].startswith("You are Hal.")
    assert "session monday: I can't eat spicy food." in sent.messages[-2]["content"]
    assert sent.messages[-1]["content"] == "Where can we eat spicy food?"
    assert [hit.text for hit in sent.notes] == [hit.text for hit in recalled.hits]


async def test_a_record_that_was_shown_counts_as_used() -> None:
    async with await AsyncMemory.open(":memory:", embedder="none", model=ScriptedModel("A mild place."), now=FakeClock()) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("Alice cannot eat spicy food.")
        await alice.chat(session="monday").turn("Where can we eat spicy food?")
        await memory.flush()
        kept = await alice.get(record.id)
        assert isinstance(kept, Record)
        assert (kept.use_count, kept.last_used_at is not None) == (1, True)


async def test_what_the_window_shows_is_not_recalled_again() -> None:
    chat = Chat("Noted.", "Yes.")
    events = await chat.say("I can't eat spicy food.", "Did I mention spicy food?")
    assert next(event for event in events if isinstance(event, Recalled)).hits == ()
    assert [message["content"] for message in chat.model.requests[-1].messages[1:3]] == ["I can't eat spicy food.", "Noted."]


async def test_a_short_question_is_searched_for_with_the_one_before() -> None:
    chat = Chat("Sure.", "Then tea.", "然后呢。")
    events = await chat.say("Tell me about Lhasa please.", "and then?")
    assert next(event for event in events if isinstance(event, Recalled)).query == "and then?\nTell me about Lhasa please."
    events = await chat.say("然后呢？")
    assert next(event for event in events if isinstance(event, Recalled)).query == "然后呢？\nand then?"


async def test_the_prefix_stays_the_same_bytes_over_the_turns_until_a_block_changes() -> None:
    append = call("memory_append", label="human", content="Alice")
    chat = Chat("Hi.", "Again.", append, "Noted.", "Bye.")
    await chat.say("hello", "hello again", "I am Alice", "bye")
    chat.check()
    prefixes = [(request.messages[0], request.tools) for request in chat.model.requests]
    assert prefixes[0] == prefixes[1] == prefixes[2] == prefixes[3] != prefixes[4]
    for before, after in zip(chat.model.requests[:3], chat.model.requests[1:3], strict=False):
        shared = [message for message in before.messages if "memory system" not in str(message["content"])]
        assert list(after.messages[: len(shared)]) == shared


async def test_the_default_blocks_are_made_once_and_an_applications_own_are_kept() -> None:
    chat = Chat("Hi.", "你好。")
    await chat.say("hello", "你好")
    blocks = await chat.store.blocks(ALICE)
    assert [block.label for block in blocks] == ["human", "persona"]
    assert len(await chat.store.history(ALICE, "block:human")) == 1
    assert (await chat.store.history(ALICE, "block:human"))[0].cause.actor == "pagefile"


# --- tools


async def test_calls_run_in_order_and_their_results_are_in_the_journal_and_the_next_request() -> None:
    calls = (call("memory_append", "a", label="human", content="Alice"), call("memory_append", "b", label="nobody", content="x"))
    chat = Chat(["Let me note that.", *calls], "Noted.")
    events = await chat.say("I am Alice.")
    assert [type(event).__name__ for event in events if isinstance(event, ToolCalled | ToolReturned)] == ["ToolCalled", "ToolReturned"] * 2
    assert [event.ok for event in events if isinstance(event, ToolReturned)] == [True, False]
    journal = await chat.journal()
    assert [message.role for message in journal] == ["user", "assistant", "tool", "tool", "assistant"]
    assert journal[1].text == "Let me note that."
    assert journal[1].tool_calls == calls
    assert [message.tool_call_id for message in journal[2:4]] == ["a", "b"]
    assert [message["role"] for message in chat.model.requests[1].messages] == ["system", "user", "assistant", "tool", "tool"]
    assert finished(events).usage.calls == 2
    chat.check()


async def test_malformed_arguments_stay_in_the_journal_and_are_sent_as_an_empty_object() -> None:
    chat = Chat([ToolCall(id="a", name="memory_search", arguments='{"a":'), ToolCall(id="b", name="工具", arguments="[1]")], "Sorry.")
    await chat.say("hello")
    assert [one.arguments for one in (await chat.journal())[1].tool_calls] == ['{"a":', "[1]"]
    sent = chat.model.requests[1].messages[-3]["tool_calls"]
    assert [one["function"]["arguments"] for one in sent] == ["{}", "{}"]
    chat.check()


async def test_calls_with_one_id_or_none_are_told_apart() -> None:
    chat = Chat([call("memory_search", "", query="x"), call("memory_search", "c", query="y"), call("memory_search", "c", query="z")], "Ok.")
    events = await chat.say("hello")
    assert len({event.call.id for event in events if isinstance(event, ToolReturned)}) == 3
    assert len([message for message in await chat.journal() if message.role == "tool"]) == 3
    chat.check()


async def test_more_calls_at_once_than_is_sane_are_not_made() -> None:
    chat = Chat([call("memory_append", f"c{number}", label="human", content=f"{number}") for number in range(40)], "Ok.")
    events = await chat.say("hello")
    assert [event.ok for event in events if isinstance(event, ToolReturned)] == [True] * 16 + [False] * 24
    chat.check()


async def test_a_model_without_tools_is_offered_none_and_not_told_of_any() -> None:
    chat = Chat("Hi.", supports_tools=False)
    await chat.say("hello")
    assert chat.model.requests[0].tools == ()
    assert "memory_append" not in chat.model.requests[0].messages[0]["content"]


async def test_in_a_very_small_window_the_conversation_comes_before_the_tools() -> None:
    chat = Chat("好。", "好。", context_window=2_048)
    await chat.say("我叫张三，不能吃辣。", "我叫什么？")
    request = chat.model.requests[1]
    assert request.tools == ()
    assert 'label="persona"' in request.messages[0]["content"]
    assert request.messages[1]["content"] == "我叫张三，不能吃辣。"
    chat.check()


async def test_what_a_search_found_is_not_found_again_as_if_it_had_been_said_anew() -> None:
    chat = Chat("Noted.", call("memory_search", query="Lhasa trip"), "You planned it.", "Hm.")
    await chat.say("The trip to Lhasa is in May.")
    await chat.say("When is it?", session="tuesday")
    events = await chat.say("What about the Lhasa trip?", session="wednesday")
    assert all(hit.role != "tool" for event in events if isinstance(event, Recalled) for hit in event.hits)


async def test_replies_made_of_recalled_notes_alone_are_kept_and_never_recalled() -> None:
    chat = Chat("You said: I can't eat spicy food.", "Hm.", echoes_memory=True)
    await chat.say("I can't eat spicy food.")
    assert (await chat.journal())[1].text == "You said: I can't eat spicy food."
    events = await chat.say("Where can we eat spicy food?", session="tuesday")
    recalled = next(event for event in events if isinstance(event, Recalled))
    assert [(hit.role, hit.text) for hit in recalled.hits] == [("user", "I can't eat spicy food.")]
    found = await chat.store.unembedded("any")
    assert {one.item.text for one in found.items} == {"I can't eat spicy food.", "Where can we eat spicy food?"}


async def test_nothing_of_an_interrupted_reply_made_of_notes_is_recalled() -> None:
    chat = Chat("You said: I can't eat spicy food.", "Hm.", echoes_memory=True)
    stream = chat.session().stream("I can't eat spicy food.")
    while not isinstance(await anext(stream), TextDelta):
        pass
    await stream.aclose()
    assert [message.role for message in await chat.journal()] == ["user", "assistant"]
    assert len((await chat.store.unembedded("any")).items) == 1


async def test_a_turn_gives_the_whole_reply_or_the_sentence_that_says_why_there_is_none() -> None:
    search = call("memory_search", query="x")
    chat = Chat("Nice to meet you, 王小明.", ["Let me see. ", search], "Nothing.")
    assert await chat.session().turn("我叫王小明") == "Nice to meet you, 王小明."
    assert await chat.session().turn({"role": "user", "content": "what do you know of x?"}) == "Let me see. Nothing."
    assert "too small" in await Chat(context_window=300).session().turn("hello")


# --- long conversations


async def test_a_long_conversation_warns_once_evicts_and_goes_on_and_what_left_can_be_recalled() -> None:
    chat = Chat("The vault code is noted.", *["Reply. " * 60] * 40, "4711", context_window=4_096)
    await chat.say("My vault code is 4711, zebra.")
    events: list[Event] = []
    for turn in range(30):
        events += await chat.say(f"Turn {turn}: " + "some words about nothing " * 12)
    evictions = [event for event in events if isinstance(event, Evicted)]
    assert len(evictions) >= 2
    assert [event.window_start for event in evictions] == sorted({event.window_start for event in evictions})
    warnings = [event for event in events if isinstance(event, Pressure) and event.level == "warn"]
    assert 1 <= len(warnings) <= len(evictions) + 1
    info = await chat.store.session(ALICE, "monday")
    assert info is not None
    assert info.window_start == evictions[-1].window_start
    assert info.messages == 62
    chat.check()
    events = await chat.say("What is the zebra vault code?")
    assert "My vault code is 4711, zebra." in [hit.text for event in events if isinstance(event, Recalled) for hit in event.hits]


async def test_a_turn_of_many_searches_never_outgrows_the_window() -> None:
    searches: list[Script] = [
        [call("memory_search", f"c{number}", query=f"purr {turn}{number}") for number in range(4)] for turn in range(9)
    ]
    replies: list[Script] = ["Noted.", *searches, "Done."]
    chat = Chat(*replies, context_window=4_096)
    await chat.say("purr " * 900, session="cats")
    events = await chat.say("How do cats purr?", max_searches=9)
    assert finished(events).text == "Done."
    chat.check()
    for request in chat.model.requests:
        assert len(json.dumps(list(request.messages))) < 4_096 * 6


# --- several at once


async def test_turns_of_one_session_run_one_after_the_other_and_sessions_side_by_side() -> None:
    chat = Chat()
    chat.model.replies = [lambda request: "Ok." if request.messages[-1]["role"] == "tool" else call("memory_search", query="x")] * 16

    async def turn(number: int) -> None:
        assert finished([event async for event in chat.session(f"s{number % 2}").stream(f"hello {number}")]).text == "Ok."

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(turn, number)
    for session in ("s0", "s1"):
        assert [message.role for message in await chat.journal(session)] == ["user", "assistant", "tool", "assistant"] * 4
    chat.check()


async def test_a_message_sent_again_with_its_id_gets_the_same_answer_and_no_second_turn() -> None:
    chat = Chat(call("memory_search", query="x"), "The answer.", "Other.")
    message = {"role": "user", "content": "question", "id": "m1"}
    first = [event async for event in chat.session().stream(message)]
    await chat.say("something else")
    again = [event async for event in chat.session().stream(message)]
    assert finished(again).text == finished(first).text == "The answer."
    assert finished(again).message == finished(first).message
    assert len(chat.model.requests) == 3
    with pytest.raises(ConflictError):
        await anext(chat.session().stream(message | {"content": "another"}))


async def test_a_message_that_was_never_answered_is_answered_when_it_is_sent_again() -> None:
    chat = Chat(ModelUnavailable("down"), "Here I am.")
    message = {"role": "user", "content": "question", "id": "m1"}
    with pytest.raises(ModelUnavailable):
        [event async for event in chat.session().stream(message)]
    assert finished([event async for event in chat.session().stream(message)]).text == "Here I am."
    assert await chat.said() == [("user", "question"), ("assistant", "Here I am.")]


async def test_agents_of_a_user_share_what_was_said() -> None:
    chat = Chat("Noted.", "Mild.")
    [event async for event in Session(chat.parts, ALICE, "monday", agent="cook").stream("I can't eat spicy food.")]
    events = [event async for event in Session(chat.parts, ALICE, "tuesday", agent="guide").stream("Is spicy food fine for me?")]
    assert any(hit.text == "I can't eat spicy food." for event in events if isinstance(event, Recalled) for hit in event.hits)
    assert (await chat.journal())[1].agent == "cook"


def test_identifiers_are_normalised_and_refused_as_everywhere() -> None:
    chat = Chat()
    assert Session(chat.parts, ALICE, " monday ").session == "monday"
    for name in ("", "a\nb", "x" * 300):
        with pytest.raises(InputError):
            Session(chat.parts, ALICE, name)
