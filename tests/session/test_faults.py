"""Whatever goes wrong in a turn, nothing that was said is lost and the session can go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import anyio
import pytest

from pagefile.context.assemble import tools_size
from pagefile.errors import ContextExceeded, InputError, ModelUnavailable, StoreUnavailable
from pagefile.events import Event, Evicted, TextDelta, ToolReturned, Usage, Warned
from pagefile.language.tokens import count
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest
from pagefile.stores.memory import MemoryStore

from .chats import Chat, call, finished


async def test_a_message_that_says_nothing_or_is_not_a_users_is_refused_before_anything_is_written() -> None:
    chat = Chat("Hi.")
    for message in ("", "  \n", {"role": "user", "content": []}, {"role": "assistant", "content": "hi"}, {"content": None}):
        with pytest.raises(InputError):
            await anext(chat.session().stream(message))
    assert await chat.journal() == []


async def test_an_image_alone_is_a_message() -> None:
    chat = Chat("A cat.")
    part = {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}
    events = [event async for event in chat.session(images=True).stream({"role": "user", "content": [part]})]
    assert finished(events).reason == "stop"
    assert part in chat.model.requests[0].messages[-1]["content"]
    chat.check()


async def test_a_failing_model_keeps_the_message_and_raises() -> None:
    chat = Chat(ModelUnavailable("no answer"), "Back again.")
    with pytest.raises(ModelUnavailable):
        await chat.say("hello")
    assert await chat.said() == [("user", "hello")]
    assert finished(await chat.say("hello again")).text == "Back again."
    chat.check()


async def test_what_was_said_before_a_failure_is_kept_and_marked() -> None:
    chat = Chat(["The answer is ", ModelUnavailable("cut")], ["答案是", ModelUnavailable("cut")], "Ok.")
    with pytest.raises(ModelUnavailable):
        await chat.say("hello")
    with pytest.raises(ModelUnavailable):
        await chat.say("答案是什么？")
    said = await chat.said()
    assert said[1] == ("assistant", "The answer is \n\n[interrupted]")
    assert said[3] == ("assistant", "答案是\n\n[回复中断]")
    await chat.say("go on")
    chat.check()


async def test_closing_the_stream_stops_the_model_and_keeps_what_was_said() -> None:
    chat = Chat("one two three four five six", "Ok.")
    stream = chat.session().stream("count")
    async for event in stream:
        if isinstance(event, TextDelta) and event.text == "two ":
            break
    await stream.aclose()
    assert (await chat.said())[1] == ("assistant", "one two \n\n[interrupted]")
    assert finished(await chat.say("go on")).text == "Ok."
    chat.check()


async def test_closing_the_stream_between_calls_leaves_none_without_a_result() -> None:
    calls = [call("memory_append", name, label="human", content=name) for name in ("a", "b", "c")]
    chat = Chat(calls, "Ok.")
    stream = chat.session().stream("note a, b and c")
    async for event in stream:
        if isinstance(event, ToolReturned):
            break
    await stream.aclose()
    results = [message for message in await chat.journal() if message.role == "tool"]
    assert [message.tool_call_id for message in results] == ["a", "b", "c"]
    assert "Done." in results[0].text
    assert all("interrupted" in message.text for message in results[1:])
    await chat.say("go on")
    chat.check()


async def test_cancelling_the_task_keeps_what_was_said() -> None:
    chat = Chat("one two three four five six")
    with anyio.CancelScope() as scope:
        async for event in chat.session().stream("count"):
            if isinstance(event, TextDelta) and event.text == "three ":
                scope.cancel()
    assert (await chat.said())[1] == ("assistant", "one two three \n\n[interrupted]")


async def test_cancelling_the_task_in_the_way_of_asyncio_keeps_what_was_said_and_frees_the_session() -> None:
    chat = Chat("one two three four five six", "Ok.")
    heard = asyncio.Event()

    async def listen() -> None:
        async for event in chat.session().stream("count"):
            if isinstance(event, TextDelta) and event.text == "three ":
                heard.set()
                await asyncio.sleep(60)

    task = asyncio.create_task(listen())
    await heard.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert finished(await chat.say("go on")).text == "Ok."
    assert (await chat.said())[1] == ("assistant", "one two three \n\n[interrupted]")


async def test_a_stream_may_be_closed_by_another_task_than_the_one_that_read_it() -> None:
    chat = Chat("one two three", "Ok.")
    stream = chat.session().stream("count")
    while not isinstance(await anext(stream), TextDelta):
        pass
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stream.aclose)
    assert finished(await chat.say("go on")).text == "Ok."


async def test_a_crash_between_call_and_result_does_not_brick_the_session() -> None:
    class Crash(MemoryStore):
        """Loses every tool's result once."""

        crashed = False

        async def append(self, scope, session, drafts, **options):  # type: ignore[no-untyped-def]  # as MemoryStore has it
            if drafts[0].role == "tool" and not self.crashed:
                self.crashed = True
                raise StoreUnavailable("killed")
            return await super().append(scope, session, drafts, **options)

    chat = Chat(call("memory_search", query="x"), "Back.", store=Crash())
    with pytest.raises(StoreUnavailable):
        await chat.say("hello")
    assert [message.role for message in await chat.journal()] == ["user", "assistant"]
    assert finished(await chat.say("are you there?")).text == "Back."
    assert "interrupted" in next(message["content"] for message in chat.model.requests[-1].messages if message["role"] == "tool")
    chat.check()


async def test_an_empty_answer_is_told_and_not_kept() -> None:
    chat = Chat("", "Hi.")
    events = await chat.say("hello")
    assert any(isinstance(event, Warned) and "empty answer" in event.text for event in events)
    assert finished(events).message is None
    await chat.say("hello?")
    chat.check()


async def test_a_window_too_small_for_one_line_ends_the_turn_with_a_clear_event_and_keeps_the_message() -> None:
    chat = Chat(context_window=300)
    events = await chat.say("hello")
    assert finished(events).reason == "error"
    assert any(isinstance(event, Warned) and "too small" in event.text for event in events)
    assert await chat.said() == [("user", "hello")]


async def test_two_megabytes_are_kept_whole_and_shown_in_part() -> None:
    chat = Chat("Long.", "Short.")
    text = "All work and no play. " * 95_000
    events = await chat.say(text)
    assert any(isinstance(event, Warned) and "longer than the model can read" in event.text for event in events)
    assert (await chat.journal())[0].text == text
    assert len(str(chat.model.requests[0].messages)) < 60_000
    assert finished(await chat.say("and now?")).text == "Short."
    chat.check()


async def test_an_endpoint_that_cuts_what_it_is_sent_is_noticed() -> None:
    class Cutting(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
            yield TextDelta(text="Hm.")
            yield ModelFinished(reason="stop", usage=Usage(calls=1, input_tokens=200, output_tokens=2))

    chat = Chat.with_model(Cutting())
    assert any(isinstance(event, Warned) and "read only 200" in event.text for event in await chat.say("hello"))


# --- endpoints that take less than was thought


class Small(ScriptedModel):
    """An endpoint that was started with a smaller window than it is taken to have."""

    def __init__(self, real: int) -> None:
        super().__init__(context_window=8_192)
        self.real = real

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        sent = sum(count(str(message["content"])) for message in request.messages) + tools_size(request.tools)
        self.replies = [f"Reply. {'words ' * 60}" if sent <= self.real else ContextExceeded(f"{sent} tokens are too many")]
        async for event in super().stream(request):
            yield event


def warnings_of(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Warned)]


async def test_a_request_that_is_too_long_for_the_endpoint_is_made_smaller_once_and_the_session_goes_on() -> None:
    model = Small(real=4_096)
    chat = Chat.with_model(model)
    events: list[Event] = []
    for turn in range(40):
        events += await chat.say(f"Turn {turn}: {'some words about nothing ' * 12}")
    assert len(await chat.journal()) == 80
    assert any(isinstance(event, Evicted) for event in events)
    refused = [text for text in warnings_of(events) if "as too long" in text]
    assert 1 <= len(refused) <= 6
    assert all("PAGEFILE_CONTEXT_WINDOW" in text for text in refused)
    assert len(model.requests) == 40 + len(refused)
    assert "Turn 39" in model.requests[-1].messages[-1]["content"]
    chat.check()


async def test_a_request_that_stays_too_long_reaches_the_caller_and_the_message_is_kept() -> None:
    model = Small(real=200)
    chat = Chat.with_model(model)
    with pytest.raises(ContextExceeded):
        await chat.say("Tell me about the weather. " * 200)
    assert [message.role for message in await chat.journal()] == ["user"]
    assert len(model.requests) <= 2
    model.real = 8_192
    assert finished(await chat.say("还在吗？")).reason == "stop"
    chat.check()


async def test_results_that_make_a_request_too_long_are_left_out() -> None:
    searches = [call("memory_search", f"c{number}", query="purr") for number in range(6)]
    chat = Chat("Noted.", searches, ContextExceeded("too many"), "They hum.")
    await chat.say("purr " * 900, session="cats")
    events = await chat.say("猫怎么 purr？")
    assert finished(events).text == "They hum."
    assert any("太长" in text for text in warnings_of(events))
    first, second = (str(request.messages) for request in chat.model.requests[-2:])
    assert count(second) < 0.7 * count(first)
    chat.check()


async def test_a_refusal_after_the_first_words_is_not_tried_again() -> None:
    chat = Chat(["Well, ", ContextExceeded("too many")], "never")
    with pytest.raises(ContextExceeded):
        await chat.say("hello")
    assert await chat.said() == [("user", "hello"), ("assistant", "Well, \n\n[interrupted]")]


async def test_a_model_that_turns_out_to_take_no_tools_is_told_of() -> None:
    class Refusing(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
            self.supports_tools = False
            async for event in super().stream(request):
                yield event

    chat = Chat.with_model(Refusing(["Hi.", "Again."], name="gemma"))
    assert [text for text in warnings_of(await chat.say("hello")) if "gemma takes no tools" in text]
    assert warnings_of(await chat.say("hello again")) == []
