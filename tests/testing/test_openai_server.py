"""The scripted server behaves like a real one, and refuses what a real one would refuse."""

from __future__ import annotations

import base64
import json
import struct
import urllib.error
import urllib.request
from typing import Any

import pytest

from pagefile.testing.openai_server import (
    InvalidRequest,
    OpenAIServer,
    Raw,
    Streamed,
    call,
    check_chat_request,
    hash_vector,
    refuse,
    say,
)

USER = {"role": "user", "content": "hi"}
CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CALLS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "x"}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def post(url: str, body: Any) -> tuple[int, str]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def get(url: str) -> Any:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5) as answer:
        return json.loads(answer.read())


def test_a_reply_is_streamed_or_whole_as_asked() -> None:
    with OpenAIServer([say("Hello", size=2), say("Hello"), call("f", {"x": "吃"})]) as server:
        chat = f"{server.url}/chat/completions"
        _, streamed = post(chat, {"model": "m", "messages": [USER], "stream": True, "stream_options": {"include_usage": True}})
        _, whole = post(chat, {"model": "m", "messages": [USER]})
        _, called = post(chat, {"model": "m", "messages": [USER]})
    events = [line.removeprefix("data: ") for line in streamed.splitlines() if line]
    assert events[-1] == "[DONE]"
    chunks = [json.loads(event) for event in events[:-1]]
    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks if chunk["choices"]) == "Hello"
    assert chunks[-1]["usage"]["completion_tokens"] == 7
    assert json.loads(whole)["choices"][0]["message"] == {"role": "assistant", "content": "Hello"}
    made = json.loads(called)["choices"][0]
    assert made["finish_reason"] == "tool_calls" and json.loads(made["message"]["tool_calls"][0]["function"]["arguments"]) == {"x": "吃"}


def test_usage_is_sent_only_when_asked_for() -> None:
    with OpenAIServer([say("Hello")]) as server:
        assert "usage" not in post(f"{server.url}/chat/completions", {"model": "m", "messages": [USER], "stream": True})[1]


def test_errors_pages_and_functions_are_replies_too() -> None:
    body = {"model": "m", "messages": [USER]}
    with OpenAIServer(
        [refuse(429, "slow", retry_after=3), Raw(body="<p>"), lambda asked: say(asked["model"])], pages={"/api/ps": {"a": 1}}
    ) as server:
        chat = f"{server.url}/chat/completions"
        assert post(chat, body)[0] == 429
        assert post(chat, body) == (200, "<p>")
        assert '"content": "m"' in post(chat, body)[1]
        status, said = post(chat, body)
        assert status == 500 and "no reply left" in said
        assert get(server.url.replace("/v1", "/api/ps")) == {"a": 1}
        assert [request.body for request in server.requests[:4]] == server.chats == [body] * 4


def test_a_cut_reply_has_no_end() -> None:
    with OpenAIServer([say("Hello", cut=True)]) as server, pytest.raises(Exception, match="IncompleteRead"):
        post(f"{server.url}/chat/completions", {"model": "m", "messages": [USER], "stream": True})


def test_chunks_can_be_anything() -> None:
    with OpenAIServer([Streamed(deltas=(b"data: {\n\n", {"choices": []}), keep_alive=True, finish=None)]) as server:
        _, streamed = post(f"{server.url}/chat/completions", {"model": "m", "messages": [USER], "stream": True})
    assert streamed.startswith(": keep-alive\n\ndata: {\n\n") and '"choices": []' in streamed


def test_embeddings_are_made_in_both_encodings() -> None:
    with OpenAIServer() as server:
        _, plain = post(f"{server.url}/embeddings", {"model": "m", "input": ["a", "b"]})
        _, packed = post(f"{server.url}/embeddings", {"model": "m", "input": "a", "encoding_format": "base64"})
    vectors = [entry["embedding"] for entry in json.loads(plain)["data"]]
    assert vectors == [hash_vector("a"), hash_vector("b")]
    unpacked = struct.unpack("<8f", base64.b64decode(json.loads(packed)["data"][0]["embedding"]))
    assert unpacked == pytest.approx(vectors[0])


def test_embeddings_can_be_refused() -> None:
    with OpenAIServer(embed=lambda texts: refuse(400, "too long")) as server:
        assert post(f"{server.url}/embeddings", {"model": "m", "input": ["a"]})[0] == 400


def test_an_invalid_request_is_refused_unless_that_is_wanted() -> None:
    body = {"model": "m", "messages": [RESULT]}
    with OpenAIServer([say("x")]) as server:
        status, said = post(f"{server.url}/chat/completions", body)
        assert status == 400 and "which no tool call before it asked for" in said
    with OpenAIServer([say("x")], strict=False) as server:
        assert post(f"{server.url}/chat/completions", body)[0] == 200


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [{"role": "system", "content": ""}, USER],
        [USER, CALLS, RESULT],
        [USER, CALLS, RESULT, {"role": "assistant", "content": "ok"}, USER],
        [{"role": "user", "name": "小雨", "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "x"}}]}],
    ],
)
def test_valid_requests_pass(messages: list[dict[str, Any]]) -> None:
    check_chat_request({"model": "m", "messages": messages, "tools": [TOOL], "tool_choice": "auto", "stream": True, "stream_options": {}})


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([], "at least one"),
        (["hi"], "no object"),
        ([{"role": "system", "content": "x"}], "no user message"),
        ([{"role": "bot", "content": "x"}], "not one of"),
        ([{"role": "user", "content": None}], "is null"),
        ([{"role": "user"}], "is null"),
        ([{"role": "user", "content": 3}], "neither text"),
        ([{"role": "user", "content": []}], "neither text"),
        ([{"role": "user", "content": [{"type": "text"}]}], "without a type and its value"),
        ([{"role": "user", "content": "x", "id": "7"}], "unknown fields"),
        ([{"role": "user", "content": "x", "name": "Dr. No"}], "name"),
        ([{"role": "user", "content": "x", "tool_calls": [CALL]}], "has tool_calls"),
        ([{"role": "user", "content": "x\ud800"}], "surrogate"),
        ([{"role": "user", "content": "x\0"}], "NUL"),
        ([USER, RESULT], "no tool call before it"),
        ([USER, CALLS], "have no results"),
        ([USER, CALLS, USER], "before the results"),
        ([USER, CALLS, RESULT, RESULT], "no tool call before it"),
        ([USER, CALLS, RESULT, CALLS, RESULT], "again"),
        ([USER, {**CALLS, "tool_calls": []}], "empty"),
        ([USER, {**CALLS, "tool_calls": [{**CALL, "id": ""}]}], "without id"),
        ([USER, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "", "arguments": "{}"}}]}], "named ''"),
        ([USER, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{"}}]}], "no JSON"),
        ([USER, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "null"}}]}], "no JSON object"),
        ([USER, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": {}}}]}], "must be JSON text"),
        ([USER, CALLS, {"role": "tool", "content": "x"}], "tool_call_id"),
    ],
)
def test_invalid_messages_are_named(messages: list[Any], why: str) -> None:
    with pytest.raises(InvalidRequest, match=why):
        check_chat_request({"model": "m", "messages": messages})


def tool(**function: Any) -> dict[str, Any]:
    return {"tools": [{"type": "function", "function": function}]}


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ({"model": ""}, "model"),
        ({"temperature": 3}, "temperature"),
        ({"temperature": float("nan")}, "no JSON"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"tools": []}, "empty list"),
        ({"tools": [TOOL, TOOL]}, "two tools"),
        (tool(name="a b"), "tool name"),
        (tool(name="f", parameters={"type": "array"}), "no object schema"),
        ({"tool_choice": "auto"}, "without tools"),
        ({"stream_options": {}}, "only allowed with stream"),
    ],
)
def test_invalid_options_are_named(extra: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidRequest, match=why):
        check_chat_request({"model": "m", "messages": [USER], **extra})
