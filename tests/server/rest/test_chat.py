"""A turn over REST: the events of the session, and errors with a status of their own as long as nothing was sent."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import anyio
import httpx
import pytest

from pagefile.errors import ModelUnavailable
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelEvent, ModelRequest
from pagefile.settings import Settings
from tests.server.conftest import Running, client_of
from tests.server.rest.help import API, Rest

pytestmark = pytest.mark.anyio


class SlowModel(ScriptedModel):
    """Takes its time for each piece."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        async with contextlib.aclosing(super().stream(request)) as pieces:
            async for piece in pieces:
                yield piece
                await anyio.sleep(0.005)


@contextlib.asynccontextmanager
async def talking(model: ScriptedModel) -> AsyncIterator[Rest]:
    settings = Settings(timezone="UTC")
    async with (
        await AsyncMemory.open(":memory:", embedder="none", model=model, settings=settings) as memory,
        client_of(memory) as client,
    ):
        yield Rest(client, "alice")


def events_of(text: str) -> list[tuple[str, Any]]:
    events = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        events.append((fields["event"], json.loads(fields["data"])))
    return events


@pytest.mark.parametrize(
    ("fact", "question", "answer"), [("My name is Ada.", "Who am I?", "Ada it is"), ("我叫小雨。", "我是谁？", "你是小雨")]
)
async def test_a_turn_is_streamed_and_kept(fact: str, question: str, answer: str) -> None:
    model = ScriptedModel([answer])
    async with talking(model) as alice:
        await alice.say(fact, session="before")
        reply = await alice.call("POST", "/chat", expect=None, body={"message": question, "session": "now"})
        assert reply.headers["content-type"].startswith("text/event-stream")
        events = events_of(reply.text)
        assert [name for name, _ in events][:1] + [name for name, _ in events][-1:] == ["turn_started", "turn_finished"]
        assert "".join(data["text"] for name, data in events if name == "text_delta") == answer == events[-1][1]["text"]
        kept = await alice.call("GET", "/messages", session="now")
        assert [message["text"] for message in kept["items"]] == [question, answer]
        assert any(line["kind"] == "turn" for line in (await alice.call("GET", "/operations"))["items"])


async def test_without_a_stream_the_whole_turn_is_one_reply(alice: Rest) -> None:
    done = await alice.call("POST", "/chat", body={"message": "hello", "stream": False})
    assert (done["reason"], bool(done["text"]), bool(done["message"])) == ("stop", True, True)


async def test_an_incognito_turn_leaves_nothing(alice: Rest) -> None:
    await alice.say("I live in Berlin.")
    before = await alice.call("GET", "/stats")
    await alice.call("POST", "/chat", expect=None, body={"message": "I have a secret lover called Zanzibar", "incognito": True})
    assert (await alice.call("GET", "/messages"))["total"] == before["messages"]
    assert await alice.found("Zanzibar") == []


async def test_a_failing_model_is_told_as_a_problem_and_the_words_of_the_user_are_kept() -> None:
    model = ScriptedModel([ModelUnavailable("the endpoint does not answer; start it")] * 2)
    async with talking(model) as alice:
        reply = await alice.call("POST", "/chat", expect=None, body={"message": "hello", "session": "s"})
        name, problem = events_of(reply.text)[-1]
        assert (reply.status_code, name, problem["status"]) == (200, "error", 502)
        assert problem["type"].endswith("model-unavailable")
        await alice.call("POST", "/chat", expect=502, body={"message": "again", "session": "s", "stream": False})
        kept = await alice.call("GET", "/messages", session="s")
        assert [message["text"] for message in kept["items"] if message["role"] == "user"] == ["hello", "again"]


async def test_the_model_is_woken_by_an_event(alice: Rest) -> None:
    reply = await alice.call("POST", "/wake", expect=None, body={"event": "reminder", "text": "牙医"})
    assert [name for name, _ in events_of(reply.text)][-1] == "turn_finished"
    assert (await alice.call("GET", "/messages"))["items"][0]["role"] == "system"
    await alice.call("POST", "/wake", expect=422, body={"event": "x" * 65})


async def test_a_client_that_leaves_early_stops_the_model_and_what_it_had_said_is_kept(running_server: Callable[..., Running]) -> None:
    server = running_server(model=SlowModel(["one two three four " * 2_000]))
    async with httpx.AsyncClient(base_url=server.url, timeout=20) as client:
        params, body = {"user": "alice"}, {"message": "count", "session": "s"}
        async with client.stream("POST", f"{API}/chat", params=params, json=body) as reply:
            async for line in reply.aiter_lines():
                if "text_delta" in line:
                    break
        alice = Rest(client, "alice")
        with anyio.fail_after(20):
            while len(kept := (await alice.call("GET", "/messages", session="s"))["items"]) < 2:
                await anyio.sleep(0.02)
        assert (kept[1]["role"], kept[1]["text"].startswith("one")) == ("assistant", True)
        assert len(kept[1]["text"]) < 20_000


@pytest.mark.parametrize(
    "body",
    [
        {"message": ""},
        {"message": {"role": "assistant", "content": "x"}},
        {"message": {"role": "user", "content": []}},
        {"message": "x", "session": "\u0001"},
        {"message": "x", "toolset": "all"},
        {"message": "x", "sessions": "s"},
        {},
    ],
)
async def test_what_cannot_be_said_has_a_status_of_its_own_and_is_not_kept(alice: Rest, body: Any) -> None:
    reply = await alice.call("POST", "/chat", expect=None, body=body)
    assert reply.status_code in (400, 422)
    assert reply.headers["content-type"] == "application/problem+json"
    assert (await alice.call("GET", "/messages"))["total"] == 0
