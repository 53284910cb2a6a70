"""Without an endpoint the memory's own model answers, in the same form; vectors are made by its own embedder."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import openai
import pytest

from pagefile.messages import ToolCall
from pagefile.models.scripted import ScriptedModel
from pagefile.testing.openai_server import Raw
from tests.server.proxy.conftest import Between, assistant, user


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [("My sister Anna lives in Oslo.", "Where does Anna live?", "Oslo"), ("我姐姐住在杭州。", "我姐姐住在哪里？", "杭州")],
)
def test_what_is_remembered_is_quoted(alone: Callable[..., Between], said: str, asked: str, answer: str, stream: bool) -> None:
    on = alone()
    on.tell(said)
    with openai.OpenAI(base_url=on.url, api_key="none") as client:
        if stream:
            chunks = list(
                client.chat.completions.create(model="any", messages=[user(asked)], stream=True, stream_options={"include_usage": True})
            )
            text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
            assert chunks[-1].usage is not None and chunks[-1].usage.completion_tokens > 0
            assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
        else:
            whole = client.chat.completions.create(model="any", messages=[user(asked)])
            text = whole.choices[0].message.content or ""
            assert whole.model == "any"
            assert whole.usage is not None and whole.usage.total_tokens > 0
    assert answer in text
    assert [role for role, _ in on.kept()] == ["user", "user", "assistant"]


def test_an_answer_from_memory_is_not_found_as_if_it_had_been_said(alone: Callable[..., Between]) -> None:
    on = alone()
    on.tell("My sister Anna lives in Oslo.")
    for question in ("Where does Anna live?", "In which town does Anna live?", "What do you know of Anna?"):
        on.chat([user(question)])
    reply = on.chat([user("Where does Anna live now?")]).json()["choices"][0]["message"]["content"]
    assert reply.count("Oslo") == 1


def test_several_choices_and_a_conversation_of_several_turns(alone: Callable[..., Between]) -> None:
    on = alone()
    first = on.chat([user("I live in Oslo.")], n=2).json()
    assert [choice["index"] for choice in first["choices"]] == [0, 1]
    text = first["choices"][0]["message"]["content"]
    on.chat([user("I live in Oslo."), assistant(text), user("Where do I live?")])
    assert len(on.kept()) == 4
    assert len(on.sessions()) == 1


def test_another_model_of_the_memory_answers_with_calls_too(alone: Callable[..., Between]) -> None:
    on = alone(model=ScriptedModel([ToolCall(id="c1", name="look", arguments='{"where": "sky"}')]))
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
    choice = on.chat([user("Look up.")], tools=tools).json()["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"]["name"] == "look"


def test_the_list_of_models_has_the_one_there_is(alone: Callable[..., Between]) -> None:
    on = alone()
    with openai.OpenAI(base_url=on.url, api_key="none") as client:
        assert [model.id for model in client.models.list()] == ["offline"]
        assert client.models.retrieve("offline").id == "offline"
        with pytest.raises(openai.NotFoundError):
            client.models.retrieve("gpt-9")


@pytest.mark.parametrize("body", [{}, {"messages": []}, {"messages": "hi"}, {"messages": [{"role": "system", "content": "x"}]}, [1]])
def test_what_cannot_be_answered_is_refused(alone: Callable[..., Between], body: Any) -> None:
    on = alone()
    reply = httpx.post(f"{on.url}/chat/completions", json=body)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"]


def test_other_addresses_say_what_is_missing(alone: Callable[..., Between]) -> None:
    on = alone()
    reply = httpx.post(f"{on.url}/audio/speech", json={"input": "hi"})
    assert reply.status_code == 404
    assert "PAGEFILE_MODEL" in reply.json()["error"]["message"]


def test_vectors_are_those_of_the_memorys_embedder(alone: Callable[..., Between]) -> None:
    on = alone(embedder="hashing")
    with openai.OpenAI(base_url=on.url, api_key="none") as client:
        plain = client.embeddings.create(model="any", input=["tea", "茶"], encoding_format="float").data
        packed = httpx.post(f"{on.url}/embeddings", json={"input": "tea", "encoding_format": "base64"}).json()["data"][0]["embedding"]
        assert len(client.embeddings.create(model="any", input="tea").data[0].embedding) == len(plain[0].embedding)
    assert [one.index for one in plain] == [0, 1]
    assert np.allclose(np.frombuffer(base64.b64decode(packed), "<f4"), plain[0].embedding)
    for wrong in (
        {"input": []},
        {"input": [[1, 2]]},
        {"input": ""},
        {"input": "tea", "dimensions": 3},
        {"input": "tea", "encoding_format": "x"},
        {},
    ):
        assert httpx.post(f"{on.url}/embeddings", json=wrong).status_code == 400


def test_an_endpoint_without_vectors_leaves_them_to_the_embedder(between: Callable[..., Between]) -> None:
    on = between(embedder="hashing", endpoint={"embed": lambda texts: Raw(status=404, body={"error": {"message": "no such path"}})})
    assert len(httpx.post(f"{on.url}/embeddings", json={"input": ["tea"], "model": "m"}).json()["data"]) == 1


def test_without_any_embedder_that_is_said(alone: Callable[..., Between]) -> None:
    on = alone()
    reply = httpx.post(f"{on.url}/embeddings", json={"input": "tea"})
    assert reply.status_code == 404
    assert "PAGEFILE_EMBEDDER" in reply.json()["error"]["message"]
