"""Over real HTTP, against a scripted server that refuses what the real API would refuse."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest

from pagefile.errors import ContextExceeded, ModelError, ModelRefused, ModelUnavailable, SettingsError
from pagefile.events import TextDelta
from pagefile.messages import ToolCall
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest, ToolSpec
from pagefile.testing.openai_server import OpenAIServer, Raw, Script, Streamed, call, refuse, say

KEY = "sk-very-secret"
TOOL = ToolSpec(name="memory_search", description="find", parameters={"type": "object", "properties": {}})
HI = ModelRequest(messages=[{"role": "user", "content": "hi"}])
WITH_TOOLS = ModelRequest(messages=[{"role": "user", "content": "hi"}], tools=[TOOL])
QUICK = Patience(connect=2, silence=5, retries=2, first_wait=0.001, longest_wait=0.5)


@asynccontextmanager
async def talking(replies: Sequence[Script], **options: Any) -> AsyncIterator[tuple[OpenAIModel, OpenAIServer]]:
    with OpenAIServer(replies) as server:
        model = OpenAIModel("test-model", **{"base_url": server.url, "api_key": KEY, "patience": QUICK, **options})
        try:
            yield model, server
        finally:
            await model.close()


async def ask(model: OpenAIModel, request: ModelRequest = HI) -> list[ModelEvent]:
    return [event async for event in model.stream(request)]


def text_of(events: Sequence[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def error_of(model: OpenAIModel, request: ModelRequest = HI) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await ask(model, request)
    return caught.value


async def test_a_reply_comes_piece_by_piece_and_ends_with_what_it_cost() -> None:
    async with talking([say("Hello 世界, how are you?")]) as (model, server):
        events = await ask(model)
    assert text_of(events) == "Hello 世界, how are you?"
    assert len(events) > 3
    last = events[-1]
    assert isinstance(last, ModelFinished) and last.reason == "stop"
    assert (last.usage.calls, last.usage.input_tokens, last.usage.output_tokens, last.usage.estimated) == (1, 11, 7, False)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_tool_calls_come_whole() -> None:
    async with talking([call("memory_search", {"query": "吃"})]) as (model, _):
        events = await ask(model, WITH_TOOLS)
    assert events[0] == ToolCall(id="call_1", name="memory_search", arguments='{"query": "吃"}')
    assert isinstance(events[-1], ModelFinished) and events[-1].reason == "tool_calls"


async def test_thoughts_comments_and_spelled_calls_stay_out_of_the_text() -> None:
    spelled = '<think>hm</think>\n\nLet me see. <tool_call>{"name": "memory_search", "arguments": {}}</tool_call>'
    async with talking([say(spelled, size=2, keep_alive=True)]) as (model, _):
        events = await ask(model, WITH_TOOLS)
    assert text_of(events) == "Let me see. "
    assert [event.name for event in events if isinstance(event, ToolCall)] == ["memory_search"]


async def test_a_call_that_is_spelled_where_none_may_be_made_is_no_part_of_the_answer() -> None:
    spelled = '<tool_call>{"name": "memory_search", "arguments": {}}</tool_call>我找到了。'
    async with talking([say(spelled, size=3)]) as (model, server):
        events = await ask(model, replace(WITH_TOOLS, tools=(), withheld=("memory_search",)))
    assert text_of(events) == "我找到了。"
    assert "tools" not in server.chats[-1]


async def test_a_server_that_does_not_stream_is_understood() -> None:
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    async with talking([Raw(body=whole)]) as (model, _):
        assert text_of(await ask(model)) == "Hi"


async def test_what_is_not_counted_is_estimated() -> None:
    async with talking([say("Hello there", usage=None)]) as (model, _):
        last = (await ask(model))[-1]
    assert isinstance(last, ModelFinished)
    assert last.usage.estimated and last.usage.input_tokens > 0 and last.usage.output_tokens > 0


@pytest.mark.parametrize(
    "failure",
    [refuse(429, retry_after=0), refuse(500), refuse(503), refuse(408), refuse(409), say("", cut=True), Streamed(deltas=(b"data: {x\n\n",)),
     Streamed(deltas=({"error": {"message": "overloaded"}},)), say("<think>hm</think>", cut=True)],
)  # fmt: skip
async def test_what_may_pass_is_tried_again_before_anything_was_said(failure: Script) -> None:
    async with talking([failure, failure, say("OK")]) as (model, server):
        assert text_of(await ask(model)) == "OK"
        assert len(server.requests) == 3
        assert all(request.body == server.requests[0].body for request in server.requests)


async def test_it_gives_up_after_the_retries() -> None:
    async with talking([refuse(503, "loading model")] * 9) as (model, server):
        error = await error_of(model)
        assert isinstance(error, ModelUnavailable) and "503" in str(error) and "loading model" in str(error) and server.url in str(error)
        assert len(server.requests) == 3


async def test_a_reply_that_breaks_off_is_not_asked_for_again() -> None:
    async with talking([say("Half of an answer", cut=True), say("never")]) as (model, server):
        said = []
        with pytest.raises(ModelUnavailable, match=r"broke off after 17 characters \(“…Half of an answer”\)"):
            async for event in model.stream(HI):
                said.append(event)
        assert text_of(said) == "Half of an answer"
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
async def test_a_refusal_is_final_and_in_the_endpoints_own_words(status: int) -> None:
    async with talking([refuse(status, "the model `x` does not exist")]) as (model, server):
        error = await error_of(model)
        assert isinstance(error, ModelRefused) and "the model `x` does not exist" in str(error) and str(status) in str(error)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body", [{"error": "not found"}, {"detail": "not found"}, {"message": "not found"}, "not found", "<h1>not found</h1>"]
)
async def test_the_words_are_found_wherever_a_server_puts_them(body: Any) -> None:
    async with talking([Raw(status=404, body=body)]) as (model, _):
        assert "not found" in str(await error_of(model)) and "<h1>" not in str(await error_of(model))


async def test_an_exhausted_quota_is_not_tried_again() -> None:
    async with talking([refuse(429, "You exceeded your quota: insufficient_quota")]) as (model, server):
        assert isinstance(await error_of(model), ModelRefused)
        assert len(server.requests) == 1


async def test_a_wait_longer_than_the_patience_is_not_waited() -> None:
    async with talking([refuse(429, "slow down", retry_after=3600)]) as (model, server):
        assert isinstance(await error_of(model), ModelUnavailable)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        refuse(
            400, "This model's maximum context length is 8192 tokens. Reduce the length of the messages; max_tokens is not supported so."
        ),
        refuse(400, "too long", code="context_length_exceeded"),
        refuse(500, "request (6030 tokens) exceeds the available context size (4096 tokens), try increasing it"),
        Streamed(deltas=({"error": {"message": "the prompt is too long"}},)),
    ],
)
async def test_a_request_that_is_too_long_is_told_apart(reply: Script) -> None:
    async with talking([reply]) as (model, server):
        assert isinstance(await error_of(model), ContextExceeded)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
        ("Unsupported value: 'temperature' does not support 0.1. Only the default (1) value is supported.", "temperature"),
        ("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("registry.ollama.ai/library/gemma:2b does not support tools", "tools"),
        ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "tools"),
    ],
)
async def test_an_option_that_an_endpoint_refuses_is_left_out_from_then_on(words: str, gone: str) -> None:
    request = ModelRequest(messages=HI.messages, tools=[TOOL], max_tokens=9, temperature=0.1)
    async with talking([refuse(400, words), say("OK"), say("OK")]) as (model, server):
        assert text_of(await ask(model, request)) == "OK"
        await ask(model, request)
        assert [gone in body for body in server.chats] == [True, False, False]
        assert model.supports_tools == (gone != "tools")


SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]}
WITH_SCHEMA = ModelRequest(messages=HI.messages, schema=SCHEMA)


async def test_a_schema_is_asked_for_as_the_form_of_the_reply() -> None:
    async with talking([say('{"facts": []}'), say("OK")]) as (model, server):
        assert text_of(await ask(model, WITH_SCHEMA)) == '{"facts": []}'
        await ask(model)
        assert server.chats[0]["response_format"] == {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}
        assert "response_format" not in server.chats[1]


@pytest.mark.parametrize(
    "refusal",
    [
        refuse(400, "This response_format type is unavailable now"),
        refuse(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."),
        refuse(400, "bad request"),
        refuse(422, [{"loc": ["body", "response_format"], "msg": "extra fields not permitted"}]),  # type: ignore[arg-type]  # as FastAPI does
        refuse(501, "not implemented"),
        refuse(500, "json_schema: structured outputs are not supported by this backend"),
        Streamed(deltas=({"error": {"message": "response_format is not supported"}},)),
    ],
)
async def test_an_endpoint_that_refuses_the_schema_is_asked_without_it_from_then_on(refusal: Script) -> None:
    async with talking([refusal, say("one"), say("two")]) as (model, server):
        first, second = await ask(model, WITH_SCHEMA), await ask(model, WITH_SCHEMA)
        assert (text_of(first), text_of(second)) == ("one", "two")
        assert ["response_format" in body for body in server.chats] == [True, False, False]
    for events in (first, second):
        last = events[-1]
        assert isinstance(last, ModelFinished)
        assert (last.usage.calls, last.usage.input_tokens, last.usage.output_tokens) == (1, 11, 7)


async def test_a_refusal_for_another_reason_leaves_the_schema_in() -> None:
    replies = [refuse(400, "bad request"), refuse(400, "bad request"), refuse(401, "no key"), say("OK")]
    async with talking(replies) as (model, server):
        assert isinstance(await error_of(model, WITH_SCHEMA), ModelRefused)
        assert isinstance(await error_of(model, WITH_SCHEMA), ModelRefused)
        await ask(model, WITH_SCHEMA)
        assert ["response_format" in body for body in server.chats] == [True, False, True, True]


async def test_a_request_that_is_too_long_is_not_sent_again_without_its_schema() -> None:
    async with talking([refuse(400, "maximum context length is 4096 tokens")]) as (model, server):
        assert isinstance(await error_of(model, WITH_SCHEMA), ContextExceeded)
        assert len(server.chats) == 1


TALK = ModelRequest(
    messages=[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "notes"}, {"role": "user", "content": "吃什么？"}]
)


@pytest.mark.parametrize(
    "reply",
    [
        refuse(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        refuse(500, "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."),
        refuse(400, 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row'),
        Streamed(deltas=({"error": {"message": "Template error: conversation roles must alternate"}},)),
    ],
)
async def test_neighbouring_messages_of_one_role_are_joined_once_an_endpoint_refused_them(reply: Script) -> None:
    async with talking([reply, say("OK"), say("OK")]) as (model, server):
        assert text_of(await ask(model, TALK)) == "OK"
        await ask(model, TALK)
        assert [len(body["messages"]) for body in server.chats] == [3, 2, 2]
        assert server.chats[1]["messages"][1] == {"role": "user", "content": "notes\n\n吃什么？"}


@pytest.mark.parametrize(
    "words",
    [
        "System role not supported",
        "Only user and assistant roles are supported!",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
    ],
)
async def test_a_system_text_opens_the_users_message_once_an_endpoint_refused_the_role(words: str) -> None:
    async with talking([refuse(400, words), say("OK"), say("OK")]) as (model, server):
        assert text_of(await ask(model, TALK)) == "OK"
        await ask(model, TALK)
        assert [body["messages"] for body in server.chats[1:]] == [[{"role": "user", "content": "Be kind.\n\nnotes\n\n吃什么？"}]] * 2


async def test_a_template_that_knows_no_system_role_and_calls_it_a_break_of_the_turns_is_understood() -> None:
    alternate = refuse(500, "Conversation roles must alternate user/assistant/user/assistant/...")
    async with talking([alternate, alternate, say("OK"), *[alternate] * 9]) as (model, server):
        assert text_of(await ask(model, TALK)) == "OK"
        assert [[message["role"] for message in body["messages"]] for body in server.chats] == [
            ["system", "user", "user"],
            ["system", "user"],
            ["user"],
        ]
        assert isinstance(await error_of(model, TALK), ModelUnavailable)


async def test_requests_that_are_refused_at_the_same_time_are_all_mended() -> None:
    gate = threading.Barrier(2, timeout=5)

    def together(body: dict[str, Any]) -> Raw:
        gate.wait()
        return refuse(400, "Conversation roles must alternate")

    async with talking([together, together, say("OK"), say("OK")]) as (model, _), anyio.create_task_group() as group:
        done: list[str] = []

        async def one() -> None:
            done.append(text_of(await ask(model, TALK)))

        group.start_soon(one)
        group.start_soon(one)
        while len(done) < 2:  # the model must outlive the tasks
            await anyio.sleep(0.01)
    assert done == ["OK", "OK"]


async def test_an_endpoint_that_refuses_the_same_for_ever_ends() -> None:
    async with talking([refuse(400, "stream_options is not supported")] * 9) as (model, server):
        assert isinstance(await error_of(model), ModelRefused)
        assert len(server.requests) == 2


async def test_an_error_about_tool_messages_is_no_lack_of_tools() -> None:
    async with talking([refuse(400, "messages with role 'tool' must be a response to a message with 'tool_calls'")]) as (model, _):
        assert isinstance(await error_of(model, WITH_TOOLS), ModelRefused)
        assert model.supports_tools


async def test_nobody_there_is_said_with_the_address_and_a_hint() -> None:
    with OpenAIServer() as server:
        url = server.url
    model = OpenAIModel("m", base_url=url, patience=QUICK)
    error = await error_of(model)
    await model.close()
    assert isinstance(error, ModelUnavailable)
    assert url in str(error) and "host.docker.internal" in str(error)


async def test_a_web_page_is_no_reply() -> None:
    page = Raw(body="<html>Welcome</html>", headers={"Content-Type": "text/html"})
    async with talking([page] * 3) as (model, _):
        assert "/v1" in str(await error_of(model))


async def test_silence_ends_in_an_error_and_is_not_tried_again() -> None:
    async with talking([say("late", delay=0.5)], patience=Patience(silence=0.1, first_wait=0.001)) as (model, server):
        assert "in time" in str(await error_of(model))
        assert len(server.requests) == 1


async def test_a_redirect_is_not_followed() -> None:
    with OpenAIServer() as other:
        elsewhere = Raw(status=307, headers={"Location": f"{other.url}/chat/completions?key=1"})
        async with talking([elsewhere]) as (model, _):
            error = await error_of(model)
        assert isinstance(error, ModelRefused) and other.url in str(error) and "key=1" not in str(error)
        assert other.requests == []


@pytest.mark.parametrize("reply", [refuse(401, f"Incorrect API key provided: {KEY}"), refuse(500, f"key {KEY}"), say(KEY, cut=True)])
async def test_the_key_is_in_no_error_and_no_repr(reply: Script) -> None:
    async with talking([reply] * 3) as (model, _):
        error = await error_of(model)
        assert KEY not in repr(model)
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    if "broke off" not in str(error):  # there the model itself said it
        assert all(KEY not in f"{link!r} {link}" for link in chain)


async def test_a_placeholder_for_a_key_garbles_no_error() -> None:
    async with talking([refuse(400, "the maximum context length is exceeded")], api_key="x") as (model, _):
        error = await error_of(model)
    assert isinstance(error, ContextExceeded) and "maximum context length" in str(error)


async def test_a_copied_line_end_is_no_part_of_the_key_and_a_broken_key_is_refused() -> None:
    async with talking([say("OK")], api_key=f" {KEY}\n") as (model, server):
        await ask(model)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for key in ("sk-密钥", "sk-a\nb"):
        with pytest.raises(SettingsError) as caught:
            OpenAIModel("m", api_key=key)
        assert key not in str(caught.value)


async def test_no_proxy_and_no_account_of_the_environment_touch_a_local_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    async with talking([say("OK")], api_key=None) as (model, server):
        assert text_of(await ask(model)) == "OK"
        assert not [value for value in server.requests[0].headers.values() if "secret" in value]


async def test_a_password_in_the_address_is_not_shown() -> None:
    assert "secret" not in repr(OpenAIModel("m", base_url="http://user:secret@127.0.0.1:1/v1?key=secret"))


async def test_closing_the_iterator_ends_the_request() -> None:
    async with talking([say("x" * 5_000, pause=0.005)]) as (model, server):
        async with aclosing(model.stream(HI)) as events:
            async for _ in events:
                break
        assert await anyio.to_thread.run_sync(server.requests[0].hung_up.wait, 5)


async def test_a_cancelled_request_is_ended_too() -> None:
    async with talking([say("x" * 5_000, pause=0.005), say("next")]) as (model, server):
        with anyio.move_on_after(0.2):
            await ask(model)
        assert await anyio.to_thread.run_sync(server.requests[0].hung_up.wait, 5)
        assert text_of(await ask(model)) == "next"


async def test_one_model_answers_several_at_once() -> None:
    gate = threading.Barrier(3, timeout=5)

    def together(body: dict[str, Any]) -> Streamed:
        gate.wait()
        return say(f"to {body['messages'][0]['content']}")

    answers: dict[str, str] = {}

    async def one(name: str, model: OpenAIModel) -> None:
        answers[name] = text_of(await ask(model, ModelRequest(messages=[{"role": "user", "content": name}])))

    async with talking([together] * 3) as (model, _), anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(one, name, model)
        while len(answers) < 3:  # the model must outlive the tasks
            await anyio.sleep(0.01)
    assert answers == {"a": "to a", "b": "to b", "c": "to c"}


async def test_it_lists_what_is_served_with_the_windows_that_servers_name() -> None:
    listed: list[str | dict[str, Any]] = [
        "plain",
        {"id": "v", "max_model_len": 32_768},
        {"id": "l", "meta": {"n_ctx": 4_096, "n_ctx_train": 131_072}},
        {"object": "?"},
    ]
    with OpenAIServer(models=listed) as server:
        model = OpenAIModel("m", base_url=server.url, patience=QUICK)
        served = await model.models()
        await model.close()
    assert [(each.name, each.context_window) for each in served] == [("plain", None), ("v", 32_768), ("l", 4_096)]


async def test_a_closed_model_can_be_used_again() -> None:
    async with talking([say("one"), say("two")]) as (model, _):
        await ask(model)
        await model.close()
        assert text_of(await ask(model)) == "two"


async def test_a_reply_that_comes_to_repeat_itself_is_cut() -> None:
    async with talking([say("Well. " + "I do not know. " * 4_000, size=20)]) as (model, _):
        events = await ask(model)
    last = events[-1]
    assert isinstance(last, ModelFinished) and last.reason == "length"
    assert text_of(events).startswith("Well. I do not know. ") and len(text_of(events)) < 2_000
