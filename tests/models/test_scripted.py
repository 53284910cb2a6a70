from __future__ import annotations

import pytest

from pagefile.errors import InputError, ModelUnavailable
from pagefile.events import TextDelta
from pagefile.messages import ToolCall
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Model, ModelEvent, ModelFinished, ModelRequest

CALL = ToolCall(id="a", name="memory_search", arguments="{}")


async def ask(model: Model, content: str = "hi") -> list[ModelEvent]:
    return [event async for event in model.stream(ModelRequest(messages=[{"role": "user", "content": content}]))]


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.parametrize("text", ["Hello, how are you today?", "你好，今天想聊什么？", "  a\n\n b  ", ""])
async def test_a_text_is_said_in_small_pieces(text: str) -> None:
    events = await ask(ScriptedModel([text]))
    assert text_of(events) == text
    assert all(len(event.text) <= 9 for event in events if isinstance(event, TextDelta))
    last = events[-1]
    assert isinstance(last, ModelFinished) and last.reason == "stop" and last.usage.calls == 1 and last.usage.input_tokens > 0


async def test_replies_come_in_turn_and_requests_are_kept() -> None:
    model = ScriptedModel([CALL, ["Let me see.", CALL], lambda request: f"You said {request.messages[-1]['content']}."])
    first, second, third = await ask(model), await ask(model), await ask(model, "three")
    assert first[0] == CALL and isinstance(first[-1], ModelFinished) and first[-1].reason == "tool_calls"
    assert text_of(second) == "Let me see." and second[-2] == CALL
    assert text_of(third) == "You said three."
    assert [request.messages[-1]["content"] for request in model.requests] == ["hi", "hi", "three"]


async def test_an_error_is_raised_where_it_stands() -> None:
    events = []
    with pytest.raises(ModelUnavailable, match="gone"):
        async for event in ScriptedModel([["Hal", ModelUnavailable("gone")]]).stream(ModelRequest(messages=[])):
            events.append(event)
    assert text_of(events) == "Hal"


async def test_a_script_that_ran_out_says_so() -> None:
    model = ScriptedModel(["one"])
    await ask(model)
    with pytest.raises(InputError, match="only 1 replies and this is request 2"):
        await ask(model)
