"""The Responses API is passed on to an endpoint that has it, and what is said there is remembered, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import openai
import pytest

from pagefile.testing.openai_server import Raw
from tests.server.proxy.conftest import Between


def response(text: str, id: str, *items: dict[str, Any]) -> dict[str, Any]:
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    output = [{**said, "content": [{"type": "output_text", "text": text, "annotations": []}]}] if text else []
    made = {"id": id, "object": "response", "created_at": 1, "status": "completed", "model": "test-model", "output": [*output, *items]}
    usage: dict[str, Any] = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8, "input_tokens_details": {"cached_tokens": 0}}
    return {
        **made,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {**usage, "output_tokens_details": {"reasoning_tokens": 0}},
    }


def answering(*replies: Raw) -> dict[str, Any]:
    left = list(replies)
    return {"forms": {"/v1/responses": lambda body: left.pop(0)}}


def asked(on: Between, place: int = -1) -> dict[str, Any]:
    return [request.body for request in on.endpoint.requests if request.path == "/v1/responses"][place]


def test_a_response_is_kept_and_the_next_one_goes_on_behind_it(between: Callable[..., Between]) -> None:
    on = between(endpoint=answering(Raw(body=response("Nice.", "resp_1")), Raw(body=response("In Oslo.", "resp_2"))))
    on.tell("My sister Anna lives in Oslo.")
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0) as client:
        first = client.responses.create(model="test-model", instructions="Be brief.", input="My name is Kim, by the way.")
        assert first.output_text == "Nice."
        second = client.responses.create(model="test-model", input="Where does Anna live?", previous_response_id=first.id)
        assert second.output_text == "In Oslo."
    assert asked(on, 0)["instructions"].startswith("Be brief.\n\n")
    assert asked(on)["previous_response_id"] == "resp_1"
    assert "My sister Anna lives in Oslo." in asked(on)["input"][0]["content"]
    assert asked(on)["input"][-1] == {"role": "user", "content": "Where does Anna live?"}
    said = [text for _, text in on.kept()]
    assert said == ["My sister Anna lives in Oslo.", "My name is Kim, by the way.", "Nice.", "Where does Anna live?", "In Oslo."]
    assert len(on.sessions()) == 2


def test_items_with_calls_are_one_conversation(between: Callable[..., Between]) -> None:
    call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "arguments": "{}", "status": "completed"}
    on = between(endpoint=answering(Raw(body=response("", "resp_1", call)), Raw(body=response("Rain.", "resp_2"))))
    items: list[Any] = [{"role": "user", "content": [{"type": "input_text", "text": "What is the weather like?"}]}]
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0) as client:
        client.responses.create(model="test-model", input=items)
        items += [call, {"type": "function_call_output", "call_id": "c1", "output": "rain"}]
        assert client.responses.create(model="test-model", input=items).output_text == "Rain."
    assert [role for role, _ in on.kept()] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("whole", [True, False])
def test_a_stream_of_events_passes_and_is_kept(between: Callable[..., Between], whole: bool) -> None:
    delta = {
        "type": "response.output_text.delta",
        "item_id": "msg_1",
        "output_index": 0,
        "content_index": 0,
        "delta": "很高兴。",
        "sequence_number": 1,
    }
    events = [delta, {"type": "response.completed", "sequence_number": 2, "response": response("很高兴。", "resp_1")}]
    sent = "".join(f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events[: 2 if whole else 1])
    on = between(endpoint=answering(Raw(headers={"Content-Type": "text/event-stream"}, body=sent)))
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0) as client:
        stream = client.responses.create(model="test-model", input="我住在杭州。", stream=True)
        assert [event.type for event in stream] == [event["type"] for event in events[: 2 if whole else 1]]
    kept = on.wait_for(lambda kept: len(kept) == 2)
    assert kept[0] == ("user", "我住在杭州。")
    assert kept[1][1].partition("\n\n")[0] == "很高兴。"
    assert (kept[1][1] == "很高兴。") is whole


def test_an_endpoint_without_it_says_so(between: Callable[..., Between]) -> None:
    on = between()
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0) as client, pytest.raises(openai.NotFoundError):
        client.responses.create(model="test-model", input="Is it so?")


def test_items_that_are_none_are_left_to_the_endpoint(between: Callable[..., Between]) -> None:
    on = between(endpoint=answering(Raw(body=response("In Oslo.", "resp_1"))))
    on.tell("My sister Anna lives in Oslo.")
    body = {"model": "m", "input": [{"role": "user", "content": "Where does my sister Anna live?"}, "odd"]}
    assert httpx.post(f"{on.url}/responses", json=body).status_code == 200
    assert asked(on)["input"][-1] == "odd"
    assert "My sister Anna lives in Oslo." in json.dumps(asked(on))


@pytest.mark.parametrize("mode", ["recall+learn", "off"])
@pytest.mark.parametrize("stream", [False, True])
def test_nobody_goes_on_with_a_response_of_another_user(between: Callable[..., Between], mode: str, stream: bool) -> None:
    id = f"resp_{mode}_{stream}"
    made = response("Nice.", id)
    event = {"type": "response.completed", "sequence_number": 1, "response": made}
    sent = f"event: response.completed\ndata: {json.dumps(event)}\n\n"
    streamed = Raw(headers={"Content-Type": "text/event-stream"}, body=sent)
    on = between(endpoint=answering(streamed if stream else Raw(body=made), Raw(body=response("Kim.", f"{id}_2"))))
    keys = {name: on.server.key(name, user=name) for name in ("alice", "bob")}

    def ask(name: str, text: str, **fields: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {keys[name]}", "X-Pagefile-Mode": mode}
        return httpx.post(f"{on.url}/responses", json={"model": "m", "input": text, **fields}, headers=headers)

    assert ask("alice", "My name is Kim.", stream=stream).status_code == 200
    for before in (id, "resp_of_nobody"):
        refused = ask("bob", "What is my name?", previous_response_id=before)
        assert refused.status_code == 404
        assert refused.json()["error"]["param"] == "previous_response_id"
        assert before not in refused.text
    assert len(on.endpoint.requests) == 1
    assert ask("alice", "What is my name?", previous_response_id=id).status_code == 200


def test_nobody_goes_on_with_a_conversation_that_another_user_named(between: Callable[..., Between]) -> None:
    on = between(endpoint=answering(Raw(body=response("Nice.", "resp_c1"))))
    for name, status in (("alice", 200), ("bob", 404)):
        body = {"model": "m", "input": "My name is Kim.", "conversation": {"id": "conv_1"}, "user": name}
        assert httpx.post(f"{on.url}/responses", json=body).status_code == status
    assert len(on.endpoint.requests) == 1


def test_a_request_that_cannot_be_read_is_not_passed_on(between: Callable[..., Between]) -> None:
    on = between(endpoint=answering())
    reply = httpx.post(f"{on.url}/responses", content=b'{"previous_response_id": "resp_1", ')
    assert reply.status_code == 400
    assert on.endpoint.requests == []
