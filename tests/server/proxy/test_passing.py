"""Whatever the endpoint does is passed on as it is, and what was said is kept all the same."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import httpx
import pytest

from pagefile.models.openai import OpenAIModel
from pagefile.testing.openai_server import Raw, Streamed, refuse, say
from tests.server.proxy.conftest import Between, assistant, user

INTERRUPTED = "[interrupted]"


def direct(on: Between, body: dict[str, Any]) -> httpx.Response:
    return httpx.post(f"{on.endpoint.url}/chat/completions", json=body, timeout=30)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "reply",
    [
        say("It is 4."),
        say("第四次了。", keep_alive=True),
        Streamed(deltas=(b"data: {garbage\n\n", {"content": "ok"}, b": a comment\n\n", b"event: odd\ndata: 7\n\n")),
        Streamed(deltas=({"content": "a"}, {"error": {"message": "overloaded", "code": 503}})),
        refuse(400, "bad request", code="bad"),
        refuse(429, "slow down", retry_after=3),
        Raw(status=500, headers={"Content-Type": "text/html"}, body="<html><h1>Internal error</h1></html>"),
        Raw(body=b"\xff\xfe\x00 no JSON at all"),
        Raw(headers={"Content-Type": "text/plain"}, body="OK"),
        Raw(status=200, body=b""),
        Raw(status=302, headers={"Location": "https://elsewhere.example/v1"}, body=b""),
    ],
    ids=[
        "text",
        "Chinese",
        "garbage events",
        "an error in the stream",
        "400",
        "429",
        "HTML",
        "bytes",
        "wrong kind",
        "nothing",
        "a redirect",
    ],
)
def test_an_answer_passes_byte_for_byte(between: Callable[..., Between], reply: Any, stream: bool) -> None:
    on = between([reply] * 4)
    body = {"model": "test-model", "messages": [user("What is 2+2, my dear?")], **({"stream": True} if stream else {})}
    wanted = direct(on, body)
    passed = on.chat([user("What is 2+2, my dear?")], **({"stream": True} if stream else {}))
    assert passed.status_code == wanted.status_code
    assert passed.content == wanted.content
    for name in ("content-type", "retry-after", "location"):
        assert passed.headers.get(name) == wanted.headers.get(name)
    assert on.kept()[0] == ("user", "What is 2+2, my dear?")


def test_headers_of_the_endpoint_pass_but_for_those_of_its_connection(between: Callable[..., Between]) -> None:
    headers = {
        "x-request-id": "req_12",
        "x-ratelimit-limit-tokens": "90000",
        "openai-processing-ms": "12",
        "Set-Cookie": "session=secret",
        "Strict-Transport-Security": "max-age=1",
    }
    on = between([say("Yes.", headers=headers), say("Yes.", headers=headers)])
    for stream in (False, True):
        reply = on.chat([user("Is it?")], stream=stream)
        assert {name: reply.headers[name] for name in list(headers)[:3]} == dict(list(headers.items())[:3])
        assert "set-cookie" not in reply.headers
        assert "strict-transport-security" not in reply.headers


def test_headers_of_the_client_pass_but_for_those_that_are_ours(between: Callable[..., Between]) -> None:
    on = between([say("Yes.")])
    ours = {"X-Pagefile-User": "al", "X-Pagefile-Mode": "recall", "Cookie": "a=b", "Authorization": "Bearer pf_abc_def"}
    others = {"X-Trace": "t1", "X-Auth-Token": "t", "X-Amz-Security-Token": "t", "X-Employee": "kim"}
    wanted = {"openai-beta": "assistants=v2", "traceparent": "00-1-2-01", "user-agent": "app/1", "x-stainless-lang": "js"}
    on.chat([user("Is it?")], headers={**ours, **others, **wanted, "Idempotency-Key": "once"})
    sent = on.endpoint.requests[0].headers
    assert {name: sent[name] for name in (*wanted, "idempotency-key")} == {**wanted, "idempotency-key": "once"}
    assert not {name.lower() for name in others} & set(sent)
    assert not {"x-pagefile-user", "x-pagefile-mode", "cookie", "authorization"} & set(sent)


def test_a_stream_that_breaks_off_breaks_off_for_the_client_and_what_was_said_is_kept(between: Callable[..., Between]) -> None:
    on = between([say("The answer to this is", cut=True), say("42.")])
    said = b""
    with (
        httpx.stream("POST", f"{on.url}/chat/completions", json={"messages": [user("And?")], "stream": True, "model": "m"}) as reply,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        for piece in reply.iter_bytes():
            said += piece
    assert b"The a" in said
    assert b"[DONE]" not in said
    assert on.wait_for(lambda kept: len(kept) == 2) == [("user", "And?"), ("assistant", f"The answer to this is\n\n{INTERRUPTED}")]
    # The client shows what it got, and goes on.
    on.chat([user("And?"), assistant("The answer to"), user("Go on, please, my friend")])
    assert on.kept()[2:] == [("user", "Go on, please, my friend"), ("assistant", "42.")]
    assert len(on.sessions()) == 1


def test_a_whole_answer_that_is_cut_is_no_reply(between: Callable[..., Between]) -> None:
    on = between([Raw(body=b'{"choices": [{"message": {"role": "assistant", "content": "Hal')])
    assert on.chat([user("Say hello to me.")]).content.endswith(b'"content": "Hal')
    assert on.kept() == [("user", "Say hello to me.")]


def test_when_the_client_leaves_the_endpoint_is_let_go_and_what_was_said_is_kept(between: Callable[..., Between]) -> None:
    on = between([say("one two three four five six seven eight nine ten", size=4, pause=0.05)])
    body = {"model": "m", "messages": [user("Count for me.")], "stream": True}
    with httpx.stream("POST", f"{on.url}/chat/completions", json=body) as reply:
        for _ in zip(range(3), reply.iter_bytes(), strict=False):
            pass
    kept = on.wait_for(lambda kept: len(kept) == 2)
    assert kept[0] == ("user", "Count for me.")
    assert kept[1][1].startswith("one")
    assert kept[1][1].endswith(INTERRUPTED)
    assert on.endpoint.requests[0].hung_up.wait(10)


def test_a_client_that_leaves_before_the_first_word_leaves_its_question(between: Callable[..., Between]) -> None:
    on = between([say("Hello."), say("late", delay=8.0)])
    on.chat([user("Hello there, my friend")])
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{on.url}/chat/completions", json={"model": "m", "messages": [user("I live in Oslo.")]}, timeout=3)
    assert on.wait_for(lambda kept: len(kept) == 3)[2] == ("user", "I live in Oslo.")


def test_an_endpoint_that_is_away_is_told_of_and_the_question_is_kept(alone: Callable[..., Between]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    away = OpenAIModel("m", base_url=f"http://127.0.0.1:{port}/v1", api_key="sk-secret-of-the-server")
    on = alone(model=away)
    reply = on.chat([user("I live in Oslo.")])
    assert reply.status_code == 502
    error = reply.json()["error"]
    assert f"127.0.0.1:{port}" in error["message"]
    assert "sk-secret" not in reply.text
    assert on.kept() == [("user", "I live in Oslo.")]


def test_a_slow_stream_comes_as_it_is_made(between: Callable[..., Between]) -> None:
    on = between([say("abcdefgh", size=2, pause=0.2)])
    arrived: list[float] = []
    with httpx.stream("POST", f"{on.url}/chat/completions", json={"model": "m", "messages": [user("Letters?")], "stream": True}) as reply:
        for _ in reply.iter_bytes():
            arrived.append(time.monotonic())
    assert len(arrived) >= 4
    assert arrived[-1] - arrived[0] > 0.4


def test_a_huge_answer_passes_whole(between: Callable[..., Between]) -> None:
    text = "word " * 600_000
    body = {"choices": [{"index": 0, "message": assistant(text), "finish_reason": "stop"}]}
    on = between([Raw(body=body)])
    assert on.chat([user("Write a book for me.")]).json() == body
    assert len(on.kept()[1][1]) == len(text.strip()) + 1


@pytest.mark.parametrize(
    "content", [b"", b"no JSON", b"[1]", b'{"messages": 7}', b'{"model": "m"}', b'{"messages": [{"role": "user", "content": {}}]}']
)
def test_what_is_no_request_is_left_to_the_endpoint(between: Callable[..., Between], content: bytes) -> None:
    on = between(endpoint={"strict": True})
    passed = httpx.post(f"{on.url}/chat/completions", content=content, headers={"Content-Type": "application/json"})
    wanted = httpx.post(f"{on.endpoint.url}/chat/completions", content=content, headers={"Content-Type": "application/json"})
    assert (passed.status_code, passed.content) == (wanted.status_code, wanted.content)
    assert on.kept() == []


@pytest.mark.parametrize("text", ["Acme moved\0 to Shenzhen", "a lone \ud83d surrogate", "🙂", " \t\n ", "x" * 300_000])
def test_odd_texts_pass_and_are_kept_as_far_as_they_can(between: Callable[..., Between], text: str) -> None:
    on = between([say("Fine.")], endpoint={"strict": False})
    content = json.dumps({"model": "m", "messages": [user(text)]}).encode()
    reply = httpx.post(f"{on.url}/chat/completions", content=content, headers={"Content-Type": "application/json"}, timeout=30)
    assert reply.status_code == 200
    assert on.endpoint.chats[0]["messages"][-1]["content"] == text
    if text.strip():
        assert on.kept()[0][0] == "user"


def test_a_request_that_fits_without_memory_alone_passes_without_it(between: Callable[..., Between]) -> None:
    too_long = refuse(400, "This model's maximum context length is 100 tokens.", code="context_length_exceeded")
    on = between([too_long, say("Short."), say("Short again.")])
    on.tell("I live in Oslo with my sister Anna.")
    reply = on.chat([user("Where do I live?")])
    assert reply.json()["choices"][0]["message"]["content"] == "Short."
    assert reply.headers["x-pagefile-recalled"] == "0"
    assert on.endpoint.chats[1]["messages"] == [user("Where do I live?")]
    # It is a matter of this request alone: the next one has its notes.
    on.chat([user("Where do I live?"), assistant("Short."), user("And with whom do I live?")])
    assert "Anna" in json.dumps(on.endpoint.chats[2]["messages"])


def test_a_template_that_wants_turns_gets_the_notes_with_the_question(between: Callable[..., Between]) -> None:
    strict_turns = refuse(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    on = between([strict_turns, say("Oslo."), say("Anna.")])
    on.tell("I live in Oslo with my sister Anna.")
    assert on.chat([user("Where do I live?")]).status_code == 200
    on.chat([user("Where do I live?"), assistant("Oslo."), user("With whom do I live?")])
    for sent in on.endpoint.chats[1:]:
        roles = [message["role"] for message in sent["messages"]]
        assert all(one != other for one, other in pairwise(roles))
        assert "Anna" in sent["messages"][-1]["content"]
    # The second request was sent in the right form at once.
    assert len(on.endpoint.chats) == 3
    assert on.kept()[1:] == [("user", "Where do I live?"), ("assistant", "Oslo."), ("user", "With whom do I live?"), ("assistant", "Anna.")]


def test_other_addresses_of_the_endpoint_pass_too(between: Callable[..., Between]) -> None:
    forms = {"/v1/completions": lambda body: Raw(body={"object": "text_completion", "asked": body["prompt"]})}
    on = between(endpoint={"forms": forms, "pages": {"/v1/models/test-model": {"id": "test-model"}}})
    assert httpx.post(f"{on.url}/completions", json={"prompt": "Once"}).json()["asked"] == "Once"
    assert httpx.get(f"{on.url}/models/test-model").json() == {"id": "test-model"}
    assert httpx.get(f"{on.url}/files").status_code == 404
    assert on.kept() == []


@pytest.mark.parametrize("name", ["../files", "a/../../files", "%2e%2e/files", ".", "a/%2E%2e"])
def test_no_other_address_is_reached_by_the_name_of_a_model(between: Callable[..., Between], name: str) -> None:
    on = between(endpoint={"pages": {"/v1/files": {"secret": "of the server's account"}}})
    with socket.create_connection(("127.0.0.1", int(on.server.url.rpartition(":")[2])), timeout=10) as connection:
        connection.sendall(f"GET /v1/models/{name} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 404")
    assert on.endpoint.requests == []
