"""A reply is the same however its server cuts, numbers and names the pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.messages import ToolCall
from pagefile.models.replies import CallAssembler, ReplyBroken, ReplyReader

FOOD, TRIP = '{"query": "food 吃"}', '{"query": "trip"}'


def assembled(*deltas: dict[str, Any], cut: bool = False, taken: tuple[str, ...] = ()) -> list[ToolCall]:
    calls = CallAssembler()
    for delta in deltas:
        calls.feed(delta)
    return calls.finish(cut=cut, taken=taken)


def delta(index: int | None = None, id: str | None = None, name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {key: value for key, value in (("index", index), ("id", id), ("function", function)) if value is not None}


def read(*chunks: object, **options: Any) -> tuple[str, list[ToolCall], str]:
    reader = ReplyReader(**options)
    text = "".join(reader.feed(chunk) for chunk in chunks)
    rest, calls, reason = reader.finish()
    return text + rest, calls, reason


def chunk(delta: Any = None, finish: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **rest}


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 8), max_size=30))
def test_arguments_may_be_split_anywhere(sizes: list[int]) -> None:
    pieces, rest = [], FOOD
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    deltas = [delta(0, "a", "search", ""), *(delta(0, arguments=piece) for piece in [*pieces, rest])]
    assert assembled(*deltas) == [ToolCall(id="a", name="search", arguments=FOOD)]


PARALLEL = {
    "interleaved by index": [
        delta(0, "a", "f", FOOD[:5]),
        delta(1, "b", "g", TRIP[:5]),
        delta(0, arguments=FOOD[5:]),
        delta(1, arguments=TRIP[5:]),
    ],
    "index 0 for all, told apart by id": [
        delta(0, "a", "f", FOOD[:5]),
        delta(0, arguments=FOOD[5:]),
        delta(0, "b", "g", TRIP[:5]),
        delta(0, arguments=TRIP[5:]),
    ],
    "no index": [delta(None, "a", "f", FOOD[:5]), delta(arguments=FOOD[5:]), delta(None, "b", "g", TRIP)],
    "no index, interleaved by id": [
        delta(None, "a", "f", ""),
        delta(None, "b", "g", ""),
        delta(None, "a", None, FOOD),
        delta(None, "b", None, TRIP),
    ],
    "whole calls under one index": [delta(0, "a", "f", FOOD), delta(0, "b", "g", TRIP)],
    "odd indices": [delta(7, "a", "f", FOOD), delta(3, "b", "g", TRIP)],
    "id and name repeated": [delta(0, "a", "f", FOOD[:5]), delta(0, "a", "f", FOOD[5:]), delta(1, "b", "g", TRIP)],
    "arguments as objects": [delta(0, "a", "f", json.loads(FOOD)), delta(1, "b", "g", json.loads(TRIP))],
}


@pytest.mark.parametrize("deltas", PARALLEL.values(), ids=PARALLEL.keys())
def test_parallel_calls_are_told_apart(deltas: list[dict[str, Any]]) -> None:
    calls = assembled(*deltas)
    assert [(call.id, call.name, json.loads(call.arguments)) for call in calls] == [
        ("a", "f", json.loads(FOOD)),
        ("b", "g", json.loads(TRIP)),
    ]


def test_calls_without_ids_get_some_and_doubles_get_new_ones() -> None:
    first, second = assembled(delta(0, None, "f", FOOD), delta(0, None, "f", TRIP))
    assert first.id and second.id and first.id != second.id
    third, fourth = assembled(delta(0, "x", "f", FOOD), delta(1, "x", "f", TRIP), taken=("y",))
    assert third.id == "x" and fourth.id not in {"", "x"} and fourth.arguments == TRIP
    (fifth,) = assembled(delta(0, "y", "f", FOOD), taken=("y",))
    assert fifth.id != "y"


def test_a_call_without_arguments_has_an_empty_object() -> None:
    assert assembled(delta(0, "a", "f"))[0].arguments == "{}"


def test_a_call_that_the_limit_cut_is_left_out() -> None:
    assert assembled(delta(0, "a", "f", FOOD[:-4]), cut=True) == []
    assert assembled(delta(0, "a", "f", FOOD[:-4]))[0].arguments == FOOD[:-4]


def test_thoughts_sent_apart_are_no_text() -> None:
    pieces = [chunk({"reasoning_content": "hm"}), chunk({"reasoning": "hm"}), chunk({"content": "Hi"}), chunk({}, "stop")]
    assert read(*pieces) == ("Hi", [], "stop")


def test_a_model_whose_prompt_opens_the_thought_streams_at_once_when_the_server_sends_thoughts_apart() -> None:
    reader = ReplyReader(model="deepseek-r1:8b")
    assert reader.feed(chunk({"content": "hm"})) == ""
    assert reader.feed(chunk({"reasoning_content": "x"})) == "hm"
    assert ReplyReader(model="r1-like").feed(chunk({"content": "a</think>b"})) == "b"


@pytest.mark.parametrize(
    ("said", "reason"),
    [("stop", "stop"), ("length", "length"), ("max_tokens", "length"), ("content_filter", "content_filter"), ("eos", "stop"),
     ("tool_calls", "stop"), ("function_call", "stop")],
)  # fmt: skip
def test_finish_reasons_become_ours(said: str, reason: str) -> None:
    assert read(chunk({"content": "x"}), chunk({}, said))[2] == reason


def test_calls_make_the_reason_whatever_the_server_says() -> None:
    call = {"tool_calls": [delta(0, "a", "f", FOOD)]}
    assert read(chunk(call), chunk({}, "stop"))[2] == "tool_calls"
    assert read(chunk(call), chunk({}, "length"))[2] == "length"


def test_odd_chunks_are_passed_over() -> None:
    odd: list[object] = [None, "x", [], {}, {"choices": None}, {"choices": []}, {"choices": ["x"]}, {"choices": [{"delta": None}]},
           chunk({"content": None, "tool_calls": None}), chunk({"content": 3, "tool_calls": ["x", {}]}), {"type": "ping"}]  # fmt: skip
    assert read(*odd, chunk({"content": [{"type": "text", "text": "Hi"}]}, "stop")) == ("Hi", [], "stop")


def test_a_refusal_is_text() -> None:
    assert read(chunk({"refusal": "I cannot."}), chunk({}, "stop"))[0] == "I cannot."


def test_a_whole_message_is_read_like_deltas() -> None:
    message = {
        "role": "assistant",
        "content": "Hi",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    }
    whole = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    assert read(whole) == ("Hi", [ToolCall(id="a", name="f", arguments="{}")], "tool_calls")


def test_calls_spelled_out_count_only_if_there_are_no_real_ones() -> None:
    spelled = chunk({"content": '<tool_call>{"name": "f", "arguments": {"query": "trip"}}</tool_call>'})
    text, calls, reason = read(spelled, chunk({}, "stop"), tools=("f",))
    assert (text, [(call.name, call.arguments) for call in calls], reason) == ("", [("f", TRIP)], "tool_calls")
    text, calls, _ = read(spelled, chunk({"tool_calls": [delta(0, "a", "f", FOOD)]}), chunk({}, "stop"), tools=("f",))
    assert (text, [call.arguments for call in calls]) == ("", [FOOD])


@pytest.mark.parametrize(
    "chunks",
    [[], [chunk({"content": "Hel"})], [chunk({"content": "x"}, "error")], [{"error": {"message": "boom"}}],
     [chunk({"content": "x"}, usage={"completion_tokens": 1})]],
)  # fmt: skip
def test_a_reply_without_an_end_is_broken(chunks: list[dict[str, Any]]) -> None:
    with pytest.raises(ReplyBroken):
        read(*chunks)


def test_usage_is_the_endpoints_or_our_estimate() -> None:
    def usage(*chunks: object) -> tuple[int, int, int, bool]:
        reader = ReplyReader()
        for each in chunks:
            reader.feed(each)
        made = reader.usage(estimate_input=lambda: 9, estimate_output=lambda: 5)
        return made.input_tokens, made.output_tokens, made.cached_tokens, made.estimated

    assert usage() == (9, 5, 0, True)
    counted = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}
    assert usage({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}, {"choices": [], "usage": counted}) == (
        100,
        7,
        64,
        False,
    )
    assert usage({"choices": [], "usage": {"prompt_tokens": 8, "prompt_cache_hit_tokens": 4}}) == (8, 5, 4, True)
