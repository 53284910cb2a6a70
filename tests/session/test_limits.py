"""What a turn may use: at a limit it says so and answers honestly; it never raises, and never shows a tool's text as the reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from pagefile.errors import InputError
from pagefile.events import Event, LimitReached, TextDelta, ToolReturned
from pagefile.messages import ToolCall
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest
from pagefile.tools import Tool
from pagefile.window import ChatSettings

from .chats import Chat, call, finished


def limits(events: list[Event]) -> list[LimitReached]:
    return [event for event in events if isinstance(event, LimitReached)]


def writes(number: int) -> ToolCall:
    return call("memory_append", label="human", content=f"Fact {number}.")


async def test_a_model_that_calls_for_ever_answers_once_more_without_tools() -> None:
    chat = Chat(*[writes(number) for number in range(3)], "I noted three facts.")
    events = await chat.say("note what you know", max_rounds=3)
    (limit,) = limits(events)
    assert (limit.limit, finished(events).reason) == ("rounds", "limit")
    assert "3 rounds" in limit.text
    assert finished(events).text == "I noted three facts."
    *with_tools, last = chat.model.requests
    assert all(request.tools for request in with_tools)
    assert not last.tools
    assert "No more calls can be made" in last.messages[-1]["content"]
    # The prefix is the same, byte for byte.
    assert last.messages[0] == with_tools[0].messages[0]
    assert "No more calls" not in (await chat.journal())[-2].text
    assert (await chat.journal())[-1].text == "I noted three facts."
    chat.check()


async def test_one_that_calls_even_then_or_says_nothing_gets_a_sentence_of_ours_in_either_language() -> None:
    for question, text in (("note what you know", "stopped after 3 rounds"), ("请记下你知道的一切", "连续调用了 3 轮")):
        chat = Chat(*[writes(number) for number in range(9)])
        events = await chat.say(question, max_rounds=3)
        assert text in finished(events).text
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == finished(events).text
        # What we say is not what the model said: it would read it as its own words in the next turn.
        assert all(text not in said for _, said in await chat.said())
        assert len(chat.model.requests) == 4
        chat.check()


async def test_the_next_turn_goes_on_as_if_nothing_had_happened() -> None:
    chat = Chat(*[writes(number) for number in range(2)], "", "Still here.")
    await chat.say("note what you know", max_rounds=2)
    assert finished(await chat.say("still there?")).text == "Still here."
    chat.check()


async def test_the_same_call_again_and_again_is_broken_off_with_an_explanation() -> None:
    chat = Chat(
        *[ToolCall(id=f"c{n}", name="memory_search", arguments='{"query":%s"x"}' % (" " * n)) for n in range(3)], "I found nothing."
    )
    events = await chat.say("what do you remember of x?", max_searches=9)
    assert [limit.limit for limit in limits(events)] == ["repeats"]
    returned = [event for event in events if isinstance(event, ToolReturned)]
    assert [event.ok for event in returned] == [True, True, False]
    assert "made 2 times already" in returned[-1].result
    assert finished(events).text == "I found nothing."
    assert not chat.model.requests[-1].tools
    chat.check()


async def test_the_same_call_with_other_arguments_is_another_call() -> None:
    chat = Chat(*[writes(number) for number in range(5)], "Done.")
    assert finished(await chat.say("note all that")).reason == "stop"


async def test_a_fourth_search_in_a_row_is_not_made() -> None:
    chat = Chat(*[call("memory_search", query=f"try {number}") for number in range(4)], "I do not know.")
    events = await chat.say("what did I tell you about the boat?")
    assert [limit.limit for limit in limits(events)] == ["searches"]
    assert "3 searches in a row" in [event for event in events if isinstance(event, ToolReturned)][-1].result
    assert (finished(events).text, finished(events).reason) == ("I do not know.", "limit")
    chat.check()


async def test_searches_between_other_calls_are_not_in_a_row() -> None:
    searches = [call("memory_search", query=f"try {number}") for number in range(6)]
    chat = Chat(*searches[:3], writes(1), *searches[3:], "Found.")
    assert finished(await chat.say("what did I tell you about the boat?")).reason == "stop"


async def test_tokens_of_a_turn_end_it_with_what_was_said() -> None:
    chat = Chat(["Let me look. ", call("memory_search", query="boat")], "never asked for")
    events = await chat.say("what did I tell you about the boat?", turn_tokens=100)
    assert [limit.limit for limit in limits(events)] == ["tokens"]
    assert finished(events).reason == "limit"
    assert "used its 100 tokens" in finished(events).text
    assert len(chat.model.requests) == 1
    chat.check()


class Endless(ScriptedModel):
    """Says a word, and then nothing more."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        yield TextDelta(text="The answer ")
        await asyncio.sleep(60)
        yield ModelFinished(reason="stop", usage=None)  # type: ignore[arg-type]  # never reached


async def test_a_model_that_hangs_is_left_when_the_time_is_over_and_what_it_said_is_kept() -> None:
    chat = Chat.with_model(Endless())
    events = await chat.say("how far is it?", turn_seconds=0.05)
    assert [limit.limit for limit in limits(events)] == ["seconds"]
    assert finished(events).text.startswith("The answer \n\nI stopped because this took longer than 0.05 seconds")
    assert [text.strip() for _, text in await chat.said()] == ["how far is it?", "The answer"]
    chat.check()


async def test_a_tool_that_hangs_ends_with_the_time_of_the_turn() -> None:
    async def hang() -> str:
        """Hang."""
        await asyncio.sleep(60)
        return "never"

    chat = Chat([call("hang", "a"), call("hang", "b")], "never asked for")
    events = await chat.say("hang", turn_seconds=0.05, tools=(Tool.of(hang),))
    assert [limit.limit for limit in limits(events)] == ["seconds"]
    assert [event.ok for event in events if isinstance(event, ToolReturned)] == [False, False]
    assert len(chat.model.requests) == 1
    chat.check()


@pytest.mark.parametrize("settings", [{"max_rounds": 0}, {"max_searches": -1}, {"turn_seconds": 0}, {"toolset": "letta"}])
def test_settings_that_cannot_be_used_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError):
        ChatSettings(**settings)  # type: ignore[arg-type]  # wrong on purpose
