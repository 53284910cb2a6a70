"""Over real HTTP, against a scripted server that answers as Ollama does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from pagefile.discover import LocalServer, find_model
from pagefile.errors import ModelRefused, ModelUnavailable
from pagefile.events import TextDelta
from pagefile.messages import ToolCall
from pagefile.models.ollama import OllamaModel, native_body
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.models.requests import chat_body
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest, ToolSpec
from pagefile.testing.openai_server import OpenAIServer, Raw, refuse

QUICK = Patience(connect=2, silence=5, retries=0)
TOOL = ToolSpec(name="memory_search", description="find", parameters={"type": "object", "properties": {}})
CALL = {"id": "call_1", "type": "function", "function": {"name": "memory_search", "arguments": '{"query": "food"}'}}


def lines(*parts: dict[str, Any]) -> Raw:
    body = "".join(json.dumps(part, ensure_ascii=False) + "\n" for part in parts)
    return Raw(headers={"Content-Type": "application/x-ndjson"}, body=body.encode())


def said(text: str, **fields: Any) -> dict[str, Any]:
    return {"model": "qwen3:4b", "message": {"role": "assistant", "content": text, **fields}, "done": False}


DONE = {"done": True, "done_reason": "stop", "message": {"content": ""}, "prompt_eval_count": 26, "eval_count": 9}


async def ask(answer: Raw, request: ModelRequest, **options: Any) -> tuple[list[ModelEvent], dict[str, Any]]:
    with OpenAIServer(forms={"/api/chat": lambda body: answer}) as server:
        model = OllamaModel("qwen3:4b", base_url=server.url, patience=QUICK, **options)
        try:
            events = [event async for event in model.stream(request)]
        finally:
            await model.close()
        return events, server.requests[-1].body


def text_of(events: Sequence[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_each_request_says_how_much_is_to_be_read() -> None:
    request = ModelRequest(messages=[{"role": "user", "content": "你好"}], max_tokens=50, temperature=0.2)
    events, body = await ask(lines(said("你"), said("好"), DONE), request, context_window=16_384)
    assert text_of(events) == "你好"
    assert body["options"] == {"num_ctx": 16_384, "num_predict": 50, "temperature": 0.2}
    last = events[-1]
    assert isinstance(last, ModelFinished) and last.reason == "stop"
    assert (last.usage.input_tokens, last.usage.output_tokens, last.usage.estimated) == (26, 9, False)


async def test_thoughts_are_no_text_and_a_cut_answer_is_told() -> None:
    cut = {**DONE, "done_reason": "length"}
    events, _ = await ask(lines(said("", thinking="hm"), said("<think>more</think>Hello"), cut), ModelRequest(messages=[]))
    assert text_of(events) == "Hello"
    last = events[-1]
    assert isinstance(last, ModelFinished) and last.reason == "length"


async def test_calls_that_are_numbered_anew_in_each_line_are_told_apart() -> None:
    first = {"function": {"index": 0, "name": "memory_search", "arguments": {"query": "one"}}}
    other = {"function": {"index": 0, "name": "memory_search", "arguments": {"query": "two"}}}
    events, body = await ask(
        lines(said("", tool_calls=[first]), said("", tool_calls=[other]), DONE),
        ModelRequest(messages=[{"role": "user", "content": "hi"}], tools=[TOOL]),
    )
    calls = [event for event in events if isinstance(event, ToolCall)]
    assert [json.loads(call.arguments) for call in calls] == [{"query": "one"}, {"query": "two"}]
    assert len({call.id for call in calls}) == 2
    assert body["tools"][0]["function"]["name"] == "memory_search"


async def test_past_calls_and_their_results_are_sent_in_its_own_form() -> None:
    messages = [
        {"role": "user", "content": "hi", "name": "Anna"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "found"},
    ]
    _, body = await ask(lines(said("ok"), DONE), ModelRequest(messages=messages))
    assert body["messages"] == [
        {"role": "user", "content": "Anna: hi"},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "memory_search", "arguments": {"query": "food"}}}]},
        {"role": "tool", "content": "found", "tool_name": "memory_search"},
    ]


def test_images_are_sent_as_such_and_never_fetched() -> None:
    parts = [
        {"type": "text", "text": "look: "},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    ]
    body = native_body(chat_body(ModelRequest(messages=[{"role": "user", "content": parts}]), model="m", temperature=None), num_ctx=1)
    assert body["messages"] == [{"role": "user", "content": "look: [image]", "images": ["QUJD"]}]


def test_the_form_of_a_reply_is_asked_for() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    request = ModelRequest(messages=[{"role": "user", "content": "hi"}], schema=schema)
    assert native_body(chat_body(request, model="m", temperature=None), num_ctx=1)["format"] == schema


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refuse(404, "model 'qwen3:4b' not found"), ModelRefused),
        (lines(said("Hel"), {"error": "an error was encountered while running the model"}), ModelUnavailable),
        (lines(said("Hel")), ModelUnavailable),
        (Raw(body="<html>no</html>"), ModelUnavailable),
    ],
)
async def test_what_goes_wrong_is_an_error(answer: Raw, error: type[Exception]) -> None:
    with pytest.raises(error):
        await ask(answer, ModelRequest(messages=[{"role": "user", "content": "hi"}]))


@pytest.mark.parametrize(
    ("shown", "window"),
    [
        ({"model_info": {"qwen3.context_length": 40_960}}, 8_192),
        ({"model_info": {"qwen3.context_length": 2_048}}, 2_048),
        ({"model_info": {"qwen3.context_length": 40_960}, "parameters": 'stop "x"\nnum_ctx   16384'}, 16_384),
        ({"parameters": "num_ctx 0"}, 8_192),
        ({}, 8_192),
    ],
)
async def test_the_window_is_the_models_own_or_the_usual_one_and_never_more_than_it_can(shown: dict[str, Any], window: int) -> None:
    with OpenAIServer(forms={"/api/show": lambda body: Raw(body=shown)}) as server:
        model = await OllamaModel.for_served("qwen3:4b", base_url=server.url)
        await model.close()
        given = await OllamaModel.for_served("qwen3:4b", base_url=server.url, context_window=1_000)
        await given.close()
    assert (model.context_window, given.context_window) == (window, 1_000)


@pytest.mark.parametrize(("capabilities", "tools"), [(["completion"], False), (["completion", "tools"], True), (None, True)])
async def test_tools_are_offered_to_models_that_know_them(capabilities: list[str] | None, tools: bool) -> None:
    with OpenAIServer(forms={"/api/show": lambda body: Raw(body={"capabilities": capabilities})}) as server:
        model = await OllamaModel.for_served("qwen3:4b", base_url=server.url)
        await model.close()
    assert model.supports_tools == tools


async def test_ollama_is_spoken_to_in_its_own_way_and_what_only_looks_like_it_as_all_others_are() -> None:
    kinds = []
    for forms in ({"/api/show": lambda body: Raw(body={})}, {}):
        with OpenAIServer(models=["qwen3:4b"], forms=forms) as server:
            servers = [LocalServer(prefix="ollama", title="Ollama", port=server.port)]
            for model in (None, "ollama/qwen3:4b", f"qwen3:4b@{server.url}"):
                found = await find_model(model=model, servers=servers)
                kinds.append(type(found.model))
                await found.model.close()
    assert kinds == [OllamaModel] * 3 + [OpenAIModel] * 3
