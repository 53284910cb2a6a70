"""The official OpenAI client works with the server as it works with OpenAI, and what it says is remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from pagefile.testing.openai_server import Raw, Streamed, call, refuse, say
from tests.server.proxy.conftest import Between, assistant, user

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def client(between: Between, **options: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=between.url, api_key="sk-no-key", max_retries=0, **options)


def completion(*choices: dict[str, Any], **fields: Any) -> Raw:
    made = [{"index": place, "finish_reason": "stop", "logprobs": None, **choice} for place, choice in enumerate(choices)]
    return Raw(body={"id": "chatcmpl-7", "object": "chat.completion", "created": 1, "model": "test-model", "choices": made, **fields})


def test_a_completion_passes_whole_and_is_kept(between: Callable[..., Between]) -> None:
    on = between([say("Nice to meet you.", headers={"x-request-id": "req_abc", "x-ratelimit-remaining-requests": "9"})])
    with client(on) as openai_client:
        raw = openai_client.chat.completions.with_raw_response.create(model="test-model", messages=[user("I live in Oslo.")], user="alice")
    reply = raw.parse()
    assert reply.choices[0].message.content == "Nice to meet you."
    assert reply.usage is not None and reply.usage.total_tokens == 18
    assert raw.headers["x-request-id"] == "req_abc"
    assert raw.headers["x-ratelimit-remaining-requests"] == "9"
    assert on.kept("alice") == [("user", "I live in Oslo."), ("assistant", "Nice to meet you.")]
    assert on.kept("me") == []
    assert any("Oslo" in record.text for record in on.learnt("alice"))


def test_a_stream_passes_piece_by_piece_with_its_usage(between: Callable[..., Between]) -> None:
    on = between([say("很高兴认识你。")])
    with client(on) as openai_client:
        stream = openai_client.chat.completions.create(
            model="test-model", messages=[user("我住在杭州。")], stream=True, stream_options={"include_usage": True}
        )
        chunks = list(stream)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "很高兴认识你。"
    assert chunks[-1].usage is not None and chunks[-1].usage.prompt_tokens == 11
    assert on.kept() == [("user", "我住在杭州。"), ("assistant", "很高兴认识你。")]


async def test_the_asynchronous_client_streams_too(between: Callable[..., Between]) -> None:
    on = between([say("One."), say("Two.")])
    async with openai.AsyncOpenAI(base_url=on.url, api_key="x", max_retries=0) as openai_client:
        whole = await openai_client.chat.completions.create(model="test-model", messages=[user("first")])
        stream = await openai_client.chat.completions.create(
            model="test-model", messages=[user("first"), assistant("One."), user("second")], stream=True
        )
        said = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    assert (whole.choices[0].message.content, said) == ("One.", "Two.")
    assert on.kept() == [("user", "first"), ("assistant", "One."), ("user", "second"), ("assistant", "Two.")]
    assert len(on.sessions()) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_the_clients_tools_pass_and_come_back(between: Callable[..., Between], stream: bool) -> None:
    on = between([call("weather", {"city": "Oslo"}, id="call_7"), say("It rains.")])
    messages: list[Any] = [user("What is the weather in Oslo?")]
    with client(on) as openai_client:
        if stream:
            with openai_client.chat.completions.stream(model="test-model", messages=messages, tools=[WEATHER]) as streamed:
                message = streamed.get_final_completion().choices[0].message
        else:
            message = openai_client.chat.completions.create(model="test-model", messages=messages, tools=[WEATHER]).choices[0].message
        (made,) = message.tool_calls or ()
        assert (made.id, made.function.name, json.loads(made.function.arguments)) == ("call_7", "weather", {"city": "Oslo"})
        calls = [{"id": made.id, "type": "function", "function": {"name": made.function.name, "arguments": made.function.arguments}}]
        messages += [{"role": "assistant", "content": None, "tool_calls": calls}]
        messages += [{"role": "tool", "tool_call_id": "call_7", "content": "rain, 4 degrees"}]
        final = openai_client.chat.completions.create(model="test-model", messages=messages, tools=[WEATHER])
    assert final.choices[0].message.content == "It rains."
    assert [tool["function"]["name"] for tool in on.endpoint.chats[0]["tools"]] == ["weather"]
    kept = on.messages()
    assert [one.role for one in kept] == ["user", "assistant", "tool", "assistant"]
    assert kept[1].tool_calls[0].name == "weather"
    assert kept[2].text == "rain, 4 degrees"


def test_parallel_calls_pass_in_their_order(between: Callable[..., Between]) -> None:
    heads = [{"index": at, "id": f"call_{at}", "type": "function", "function": {"name": "weather", "arguments": ""}} for at in (0, 1)]
    pieces = [(1, '{"city": '), (0, '{"city": "Oslo"}'), (1, '"Rome"}')]
    deltas = [{"tool_calls": heads}, *({"tool_calls": [{"index": at, "function": {"arguments": text}}]} for at, text in pieces)]
    on = between([Streamed(deltas=tuple(deltas), finish="tool_calls")])
    with (
        client(on) as openai_client,
        openai_client.chat.completions.stream(
            model="test-model", messages=[user("Compare Oslo and Rome.")], tools=[WEATHER], parallel_tool_calls=True
        ) as stream,
    ):
        calls = stream.get_final_completion().choices[0].message.tool_calls or []
    assert [made.function.arguments for made in calls] == ['{"city": "Oslo"}', '{"city": "Rome"}']
    assert [made.arguments for made in on.messages()[1].tool_calls] == ['{"city": "Oslo"}', '{"city": "Rome"}']
    assert on.endpoint.chats[0]["parallel_tool_calls"] is True


def test_a_reply_is_parsed_into_a_model(between: Callable[..., Between]) -> None:
    class City(BaseModel):
        name: str
        people: int

    on = between([say('{"name": "Oslo", "people": 700000}')])
    with client(on) as openai_client:
        reply = openai_client.chat.completions.parse(model="test-model", messages=[user("Tell me of Oslo.")], response_format=City)
    assert reply.choices[0].message.parsed == City(name="Oslo", people=700_000)
    assert on.endpoint.chats[0]["response_format"]["json_schema"]["name"] == "City"


def test_json_mode_and_what_nobody_knows_pass_unchanged(between: Callable[..., Between]) -> None:
    on = between([say("{}")], endpoint={"strict": False})
    asked: dict[str, Any] = {"seed": 7, "top_p": 0.30000000000000004, "logit_bias": {"50256": -100}, "metadata": {"run": "12"}}
    more = {"chat_template_kwargs": {"enable_thinking": False}, "min_p": 0.05, "名字": ["值", None, 1.5]}
    with client(on) as openai_client:
        openai_client.chat.completions.create(
            model="test-model", messages=[user("Give me JSON.")], response_format={"type": "json_object"}, extra_body=more, **asked
        )
    (sent,) = on.endpoint.chats
    assert {name: sent[name] for name in (*asked, *more)} == asked | more
    assert sent["response_format"] == {"type": "json_object"}
    assert sent["model"] == "test-model"


def test_several_choices_pass_and_the_first_is_kept(between: Callable[..., Between]) -> None:
    on = between([completion({"message": assistant("Red.")}, {"message": assistant("Blue.")})])
    with client(on) as openai_client:
        reply = openai_client.chat.completions.create(model="test-model", messages=[user("A colour?")], n=2)
    assert [choice.message.content for choice in reply.choices] == ["Red.", "Blue."]
    assert on.kept() == [("user", "A colour?"), ("assistant", "Red.")]


def test_a_client_that_goes_on_with_the_other_choice_has_it_kept_then(between: Callable[..., Between]) -> None:
    on = between([completion({"message": assistant("Red.")}, {"message": assistant("Blue.")}), say("As the sea.")])
    with client(on) as openai_client:
        openai_client.chat.completions.create(model="test-model", messages=[user("A colour?")], n=2)
        openai_client.chat.completions.create(model="test-model", messages=[user("A colour?"), assistant("Blue."), user("Why?")])
    assert sorted(on.kept()) == sorted(
        [("user", "A colour?"), ("assistant", "Red."), ("assistant", "Blue."), ("user", "Why?"), ("assistant", "As the sea.")]
    )


def test_images_go_to_the_model_whole_and_stand_in_the_journal_as_markers(between: Callable[..., Between]) -> None:
    picture = {"type": "image_url", "image_url": {"url": PIXEL + "A" * 100_000, "detail": "low"}}
    on = between([say("A dot."), say("Black.")])
    content = [{"type": "text", "text": "What is it?"}, picture]
    with client(on) as openai_client:
        openai_client.chat.completions.create(model="test-model", messages=[{"role": "user", "content": content}])  # type: ignore[typeddict-item]
        # Many clients leave pictures out of the history they send.
        openai_client.chat.completions.create(
            model="test-model", messages=[user("What is it?"), assistant("A dot."), user("Which colour?")]
        )
    assert on.endpoint.chats[0]["messages"][-1]["content"] == content
    kept = on.messages()
    assert kept[0].text == "What is it?\n[image]"
    assert len(json.dumps(kept[0].parts)) < 1_000
    assert [one.text for one in kept[1:]] == ["A dot.", "Which colour?", "Black."]


def test_thoughts_reach_the_client_and_never_the_journal(between: Callable[..., Between]) -> None:
    deltas = (
        {"role": "assistant", "reasoning_content": "He wants 4."},
        {"content": "<think>Or "},
        {"content": "5?</th"},
        {"content": "ink>\n\n4."},
    )
    on = between([Streamed(deltas=deltas)])
    with client(on) as openai_client:
        chunks = list(openai_client.chat.completions.create(model="test-model", messages=[user("What is 2+2 for me?")], stream=True))
    said = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert said[0].model_extra == {"reasoning_content": "He wants 4."}
    assert "".join(delta.content or "" for delta in said) == "<think>Or 5?</think>\n\n4."
    assert on.kept() == [("user", "What is 2+2 for me?"), ("assistant", "4.")]


def test_errors_are_those_of_the_endpoint(between: Callable[..., Between]) -> None:
    on = between(
        [refuse(429, "slow down", code="rate_limit_exceeded", retry_after=7), refuse(404, "no such model", code="model_not_found")]
    )
    with client(on) as openai_client:
        with pytest.raises(openai.RateLimitError) as limited:
            openai_client.chat.completions.create(model="test-model", messages=[user("I like tea.")])
        with pytest.raises(openai.NotFoundError) as missing:
            openai_client.chat.completions.create(model="gone", messages=[user("I like tea.")])
    assert limited.value.response.headers["retry-after"] == "7"
    assert limited.value.code == "rate_limit_exceeded"
    assert missing.value.code == "model_not_found"
    # What was said is kept, once, whatever became of it.
    assert on.kept() == [("user", "I like tea.")]


def test_an_answer_after_a_failure_stands_under_the_question_that_was_kept(between: Callable[..., Between]) -> None:
    on = between([refuse(503, "busy"), say("Green or black?")])
    with client(on) as openai_client:
        with pytest.raises(openai.InternalServerError):
            openai_client.chat.completions.create(model="test-model", messages=[user("I like tea.")])
        openai_client.chat.completions.create(model="test-model", messages=[user("I like tea.")])
    assert on.kept() == [("user", "I like tea."), ("assistant", "Green or black?")]


def test_models_and_vectors_are_those_of_the_endpoint(between: Callable[..., Between]) -> None:
    on = between(endpoint={"models": ["one", "two"]})
    with client(on) as openai_client:
        assert [model.id for model in openai_client.models.list()] == ["one", "two"]
        vectors = openai_client.embeddings.create(model="test-model", input=["a", "b"])
        assert [len(one.embedding) for one in vectors.data] == [8, 8]


def test_the_clients_key_is_not_passed_on_where_the_server_has_one(between: Callable[..., Between]) -> None:
    on = between([say("Yes."), refuse(401, "Incorrect API key provided: sk-servers-own-secret")], key="sk-servers-own-secret")
    with openai.OpenAI(base_url=on.url, api_key="sk-clients-own-secret", max_retries=0) as openai_client:
        openai_client.chat.completions.create(model="test-model", messages=[user("Is it?")])
        with pytest.raises(openai.AuthenticationError) as refused:
            openai_client.chat.completions.create(model="test-model", messages=[user("Is it?"), assistant("Yes."), user("And now?")])
    assert {request.headers["authorization"] for request in on.endpoint.requests} == {"Bearer sk-servers-own-secret"}
    assert "sk-servers-own-secret" not in str(refused.value.response.text)
    assert "[key]" in refused.value.response.text


def test_the_clients_own_key_is_passed_on_where_there_is_no_other(between: Callable[..., Between]) -> None:
    on = between([say("Yes."), say("Yes.")])
    for key in ("sk-proj-clients-own-secret", "sk-no-key"):
        with openai.OpenAI(base_url=on.url, api_key=key, max_retries=0) as openai_client:
            openai_client.chat.completions.create(model="test-model", messages=[user(f"Is it {len(key)}?")])
    assert [request.headers.get("authorization") for request in on.endpoint.requests] == ["Bearer sk-proj-clients-own-secret", None]
