"""Over real HTTP: replies whose pieces are numbered, named, ordered and ended wrongly are read as what they mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pagefile.errors import ModelUnavailable
from pagefile.events import TextDelta
from pagefile.messages import ToolCall
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest, ToolSpec
from pagefile.testing.openai_server import OpenAIServer, Raw, Reply, Streamed, say

TOOLS = [
    ToolSpec(name=name, description="x", parameters={"type": "object", "properties": {"query": {"type": "string"}}})
    for name in ("memory_search", "memory_append")
]
REQUEST = ModelRequest(messages=[{"role": "user", "content": "你好"}], tools=TOOLS)
FOOD, TRIP = '{"query": "小雨爱吃什么？"}', '{"query": "trip"}'


async def ask(reply: Reply, *, model: str = "test-model") -> list[ModelEvent]:
    with OpenAIServer([reply]) as server:
        client = OpenAIModel(model, base_url=server.url, patience=Patience(retries=0, silence=10))
        try:
            return [event async for event in client.stream(REQUEST)]
        finally:
            await client.close()


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def calls_of(events: list[ModelEvent]) -> list[tuple[str, Any]]:
    return [(event.name, json.loads(event.arguments)) for event in events if isinstance(event, ToolCall)]


def ids_of(events: list[ModelEvent]) -> list[str]:
    return [event.id for event in events if isinstance(event, ToolCall)]


def end_of(events: list[ModelEvent]) -> ModelFinished:
    last = events[-1]
    assert isinstance(last, ModelFinished)
    return last


def piece(index: Any = None, id: Any = None, name: Any = None, arguments: Any = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {key: value for key, value in (("index", index), ("id", id), ("function", function)) if value is not None}


#: Two calls, memory_search for FOOD and memory_append for TRIP, one list of call pieces a chunk.
TWO_CALLS: dict[str, list[list[Any]]] = {
    "all in one chunk": [[piece(0, "a", "memory_search", FOOD), piece(1, "b", "memory_append", TRIP)]],
    "interleaved": [
        [piece(0, "a", "memory_search", ""), piece(1, "b", "memory_append", "")],
        [piece(1, arguments=TRIP[:4]), piece(0, arguments=FOOD[:4])],
        [piece(0, arguments=FOOD[4:]), piece(1, arguments=TRIP[4:])],
    ],
    "index 0 for both": [[piece(0, "a", "memory_search", FOOD)], [piece(0, "b", "memory_append", TRIP)]],
    "index 0 and no ids": [[piece(0, None, "memory_search", FOOD)], [piece(0, None, "memory_append", TRIP)]],
    "no index, no ids": [[piece(None, None, "memory_search", FOOD)], [piece(None, None, "memory_append", TRIP)]],
    "no index, in pieces": [
        [piece(None, "a", "memory_search", FOOD[:6])],
        [piece(arguments=FOOD[6:])],
        [piece(None, "b", "memory_append")],
        [piece(arguments=TRIP)],
    ],
    "index as text": [[piece("0", "a", "memory_search", FOOD)], [piece("1", "b", "memory_append", TRIP)]],
    "index of a strange kind": [[piece([0], "a", "memory_search", FOOD)], [piece({"x": 1}, "b", "memory_append", TRIP)]],
    "index counts the pieces": [
        [piece(0, "a", "memory_search", "")],
        [piece(1, arguments=FOOD[:5])],
        [piece(2, arguments=FOOD[5:])],
        [piece(3, "b", "memory_append", "")],
        [piece(4, arguments=TRIP)],
    ],
    "negative and large index": [[piece(-1, "a", "memory_search", FOOD)], [piece(10**9, "b", "memory_append", TRIP)]],
    "one id for both": [[piece(0, "a", "memory_search", FOOD)], [piece(1, "a", "memory_append", TRIP)]],
    "one id and one index for both": [[piece(0, "a", "memory_search", FOOD)], [piece(0, "a", "memory_append", TRIP)]],
    "a new id with every piece": [
        [piece(0, "a1", "memory_search", "")],
        [piece(0, "a2", None, FOOD[:5])],
        [piece(0, "a3", None, FOOD[5:])],
        [piece(1, "b1", "memory_append", "")],
        [piece(1, "b2", None, TRIP)],
    ],
    "empty ids": [[piece(0, "", "memory_search", FOOD)], [piece(1, "", "memory_append", TRIP)]],
    "ids as numbers": [[piece(0, 1, "memory_search", FOOD)], [piece(1, 2, "memory_append", TRIP)]],
    "names in pieces": [
        [piece(0, "a", "mem")],
        [piece(0, None, "ory_sea")],
        [piece(0, None, "rch", "")],
        [piece(0, arguments=FOOD)],
        [piece(1, "b", "memory_")],
        [piece(1, None, "append", TRIP)],
    ],
    "names that grow": [
        [piece(0, "a", "memory")],
        [piece(0, "a", "memory_search")],
        [piece(0, "a", "memory_search", FOOD)],
        [piece(1, "b", "memory_append", TRIP)],
    ],
    "name and id with every piece": [
        [piece(0, "a", "memory_search", FOOD[:5])],
        [piece(0, "a", "memory_search", FOOD[5:])],
        [piece(1, "b", "memory_append", TRIP[:3])],
        [piece(1, "b", "memory_append", TRIP[3:])],
    ],
    "arguments before the name": [
        [piece(0, "a", None, FOOD[:4])],
        [piece(0, None, "memory_search", FOOD[4:])],
        [piece(1, "b", "memory_append", TRIP)],
    ],
    "arguments as objects": [[piece(0, "a", "memory_search", json.loads(FOOD))], [piece(1, "b", "memory_append", json.loads(TRIP))]],
    "an empty object first": [
        [piece(0, "a", "memory_search", "{}")],
        [piece(0, arguments=FOOD)],
        [piece(1, "b", "memory_append", "{}")],
        [piece(1, arguments=TRIP)],
    ],
    "all again at the end": [
        [piece(0, "a", "memory_search", FOOD[:5])],
        [piece(0, arguments=FOOD[5:])],
        [piece(1, "b", "memory_append", TRIP)],
        [piece(0, "a", "memory_search", FOOD), piece(1, "b", "memory_append", TRIP)],
    ],
    "without the inner object": [
        [{"index": 0, "id": "a", "name": "memory_search", "arguments": FOOD}],
        [{"index": 1, "id": "b", "name": "memory_append", "arguments": TRIP}],
    ],
    "among garbage": [
        [None, "x", 3, piece(0, "a", "memory_search", FOOD)],
        [{"function": None}, {"index": 1, "function": "x"}],
        [piece(1, "b", "memory_append", TRIP)],
    ],
}


@pytest.mark.parametrize("form", TWO_CALLS)
async def test_two_calls_are_told_apart(form: str) -> None:
    deltas = tuple({"content": None, "tool_calls": calls} for calls in TWO_CALLS[form])
    events = await ask(Streamed(deltas=deltas, finish="tool_calls"))
    assert calls_of(events) == [("memory_search", json.loads(FOOD)), ("memory_append", json.loads(TRIP))]
    assert len(set(ids_of(events))) == 2 and all(ids_of(events))
    assert text_of(events) == "" and end_of(events).reason == "tool_calls"


@pytest.mark.parametrize(
    "delta",
    [
        {"tool_calls": piece(0, "a", "memory_search", FOOD)},
        {"function_call": {"name": "memory_search", "arguments": FOOD}},
        {
            "tool_calls": None,
            "content": f"<tool_call>memory_search<arg_key>query</arg_key><arg_value>{json.loads(FOOD)['query']}</arg_value></tool_call>",
        },
    ],
)
async def test_a_call_is_found_where_it_does_not_belong(delta: dict[str, Any]) -> None:
    events = await ask(Streamed(deltas=(delta,)))
    assert calls_of(events) == [("memory_search", json.loads(FOOD))] and end_of(events).reason == "tool_calls"


THOUGHTS = {
    "two thoughts": [{"content": "<think>嗯"}, {"content": "</think>你"}, {"content": "<thi"}, {"content": "nk>hm</think>好"}],
    "fields": [
        {"reasoning_content": "嗯"},
        {"reasoning": "hm"},
        {"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]},
        {"thinking": "hm", "content": ""},
        {"content": "你好", "reasoning_content": None},
    ],
    "parts": [
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "嗯"}]}]},
        {"content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "你好"}]},
    ],
    "a thought after the answer": [{"content": "你好"}, {"content": "\n<think>\nwas that"}, {"content": " right?"}],
    "capitals": [{"content": "<THINK>嗯</THINK>你好"}],
    "its own words": [{"content": "[THI"}, {"content": "NK]嗯[/THINK]你好"}],
}


@pytest.mark.parametrize("form", THOUGHTS)
async def test_thoughts_are_never_text(form: str) -> None:
    events = await ask(Streamed(deltas=tuple(THOUGHTS[form])))
    assert text_of(events).strip() == "你好" and calls_of(events) == []


async def test_a_thought_without_end_leaves_no_text() -> None:
    assert text_of(await ask(say("<think>\nThe user says 你好, so", finish="length"))) == ""


async def test_a_call_in_a_thought_is_a_thought() -> None:
    events = await ask(say(f'<think>maybe <tool_call>{{"name": "memory_search", "arguments": {FOOD}}}</tool_call></think>你好'))
    assert (text_of(events), calls_of(events)) == ("你好", [])


async def test_a_call_that_the_limit_cut_is_not_made_and_not_shown() -> None:
    for text in ('<tool_call>\n{"name": "memory_append", "arguments": {"query": "小', "<function=memory_append>\n<parameter=query>\n小"):
        events = await ask(say(f"好。\n{text}", finish="length"))
        assert (text_of(events), calls_of(events), end_of(events).reason) == ("好。\n", [], "length")


ENDS = {
    "no reason, but the end is said": Streamed(deltas=({"content": "你好"},), finish=None, usage=None),
    "no reason, usage late": Streamed(
        deltas=({"content": "你好"}, {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}), finish=None, usage=None
    ),
    "usage after the reason": Streamed(
        deltas=(
            {"content": "你好"},
            {"choices": [{"delta": {}, "finish_reason": "stop"}]},
            {"choices": None, "usage": {"prompt_tokens": 3}},
        ),
        finish=None,
        usage=None,
    ),
    "reason with the last words": Streamed(
        deltas=({"choices": [{"delta": {"content": "你好"}, "finish_reason": "stop"}]},), finish=None, usage=None
    ),
    "empty choices before": Streamed(
        deltas=({"choices": [], "prompt_filter_results": [], "usage": None}, {"choices": []}, {"content": "你好"})
    ),
    "null everywhere": Streamed(
        deltas=({"content": None, "role": None, "tool_calls": None, "refusal": None}, {"content": "你好"}, {"content": None})
    ),
    "lines that are no events": Streamed(
        deltas=(b": ping\n\n", b"event: message\nid: 7\nretry: 10\n\n", b"garbage\n\n", {"content": "你好"}, b"\n\n\n")
    ),
    "no empty lines between": Streamed(
        deltas=(
            b'data: {"choices": [{"delta": {"content": "\xe4\xbd\xa0"}}]}\ndata: {"choices": [{"delta": {"content": "\xe5\xa5\xbd"}}]}\n',
        )
    ),
    "no blank behind the colon": Streamed(deltas=(b'data:{"choices":[{"delta":{"content":"\xe4\xbd\xa0\xe5\xa5\xbd"}}]}\r\n\r\n',)),
    "one event on two lines": Streamed(deltas=(b'data: {"choices":\ndata: [{"delta": {"content": "\xe4\xbd\xa0\xe5\xa5\xbd"}}]}\n\n',)),
    "a letter cut in two": Streamed(deltas=(b'data: {"choices": [{"delta": {"content": "\xe4\xbd', b'\xa0\xe5\xa5\xbd"}}]}\n\n')),
    "a mark of byte order": Streamed(deltas=(b'\xef\xbb\xbfdata: {"choices": [{"delta": {"content": "\xe4\xbd\xa0\xe5\xa5\xbd"}}]}\n\n',)),
    "whole, no reason": Raw(body={"choices": [{"message": {"role": "assistant", "content": "你好"}, "finish_reason": None}]}),
    "whole, as one event": Streamed(
        deltas=({"choices": [{"message": {"role": "assistant", "content": "你好"}}]},), finish=None, usage=None
    ),
}


@pytest.mark.parametrize("form", ENDS)
async def test_a_whole_reply_is_known_by_any_sign_of_its_end(form: str) -> None:
    events = await ask(ENDS[form])
    assert text_of(events) == "你好" and end_of(events).reason == "stop"


@pytest.mark.parametrize(
    "reply",
    [
        Streamed(deltas=({"choices": [], "usage": None}, {"content": "你好"}), cut=True),
        Streamed(deltas=({"content": "你好"}, b"data: {x\n\n")),
        Streamed(deltas=({"content": "你好"}, b'{"error": {"message": "out of memory"}}\n\n'), cut=True),
        Streamed(deltas=({"content": "你好"}, {"error": "out of memory"})),
    ],
)
async def test_a_reply_that_is_not_whole_says_so(reply: Reply) -> None:
    with pytest.raises(ModelUnavailable, match="broke off after 2 characters"):
        await ask(reply)


async def test_line_ends_of_unicode_in_a_text_end_no_line() -> None:
    text = "one\u2028two\u0085three\u000cfour"
    assert text_of(await ask(say(text))) == text
