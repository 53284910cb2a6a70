"""A request that is sent again under its Idempotency-Key is done once and answered the same."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import pagefile.server.idempotency as idempotency
from pagefile.access import KeptReply
from pagefile.memory import AsyncMemory
from pagefile.settings import Settings
from tests.server.conftest import client_of
from tests.server.rest.help import API, Rest

pytestmark = pytest.mark.anyio


async def post(one: Rest, path: str, body: Any, *, key: str = "k", expect: int | None = None, **given: Any) -> httpx.Response:
    reply: httpx.Response = await one.call("POST", path, expect=None, body=body, headers={"Idempotency-Key": key}, **given)
    assert expect in (None, reply.status_code), reply.text
    return reply


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/messages", {"messages": ["我喜欢茶", "I like tea"]}),
        ("/records", {"text": "I play chess"}),
        ("/correct", {"text": "I live in Lyon"}),
        ("/checkpoints", {"session": "s", "key": "k", "state": [1]}),
        ("/revert", {"session": "s"}),
        ("/chat", {"message": "hello", "stream": False}),
    ],
)
async def test_the_same_is_answered_the_same_and_done_once(alice: Rest, path: str, body: Any) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "so that there is somebody"})
    first = await post(alice, path, body)
    assert first.status_code in (200, 201)
    changes, messages = await alice.call("GET", "/changes"), await alice.call("GET", "/messages")
    again = await post(alice, path, body, wait=0)
    assert (again.status_code, again.json(), again.headers["idempotency-replayed"]) == (first.status_code, first.json(), "true")
    assert "idempotency-replayed" not in first.headers
    assert again.headers.get("etag") == first.headers.get("etag")
    assert again.headers.get("x-pagefile-waiting") == first.headers.get("x-pagefile-waiting")
    assert (await alice.call("GET", "/changes"), await alice.call("GET", "/messages")) == (changes, messages)


async def test_the_headers_of_a_reply_are_given_again(alice: Rest) -> None:
    first = await post(alice, "/records", {"text": "I play chess"}, expect=201, wait=5)
    again = await post(alice, "/records", {"text": "I play chess"}, expect=201, wait=5)
    assert first.headers["etag"] and first.headers["x-pagefile-waiting"] == "0"
    assert [again.headers[name] for name in ("etag", "x-pagefile-waiting")] == [first.headers["etag"], "0"]


@pytest.mark.parametrize(
    ("path", "body"),
    [("/search", {"query": "marzipan"}), ("/context", {"messages": "marzipan"}), ("/context-report", {"session": "default"})],
)
async def test_of_what_only_reads_nothing_is_kept(alice: Rest, memory: AsyncMemory, path: str, body: Any) -> None:
    await alice.say("I like tea")
    await post(alice, path, body, expect=200)
    again = await post(alice, path, body, expect=200)
    assert "idempotency-replayed" not in again.headers
    assert await memory.scope("alice").kept_reply("k") is None


async def test_of_an_incognito_chat_no_reply_is_kept(alice: Rest, memory: AsyncMemory) -> None:
    await alice.say("I like tea")
    await post(alice, "/chat", {"message": "hello", "stream": False, "incognito": True}, expect=200)
    assert await memory.scope("alice").kept_reply("k") is None


async def test_a_reply_that_is_too_large_is_not_kept_and_not_done_again(
    alice: Rest, memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "MOST_KEPT", 10)
    await alice.say("I like tea")
    made = await post(alice, "/records", {"text": "I play chess"}, expect=201)
    refused = await post(alice, "/records", {"text": "I play chess"}, expect=409)
    assert "done already" in refused.json()["detail"]
    kept = await memory.scope("alice").kept_reply("k")
    assert kept is not None and made.json()["id"] not in kept.body
    first = await post(alice, "/messages", {"messages": ["我喜欢茶"]}, key="m", expect=201)
    again = await post(alice, "/messages", {"messages": ["我喜欢茶"]}, key="m", expect=201)
    assert again.json() == first.json()


def doing(**fields: Any) -> KeptReply:
    """What another process keeps while it does a request."""
    given = {"key": "k", "fingerprint": "", "status": 0, "body": "another", "expires_at": datetime.now(UTC) + timedelta(minutes=1)}
    return KeptReply(**given | fields)


async def test_what_another_process_is_doing_is_refused_with_a_time_to_come_back(
    alice: Rest, memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "_LOOK_SECONDS", 0.0)
    await alice.call("PUT", "/blocks/human", body={"text": "so that there is somebody"})
    mine, body = memory.scope("alice"), {"text": "I play chess"}
    await post(alice, "/records", body, key="other", expect=201)
    done = await mine.kept_reply("other")
    assert done is not None
    await mine.keep_reply(doing(fingerprint=done.fingerprint))
    refused = await post(alice, "/records", body, expect=409)
    assert refused.headers["retry-after"] == "2"
    assert "at this moment" in refused.json()["detail"]
    different = await post(alice, "/records", {"text": "I play go"}, expect=409)
    assert "retry-after" not in different.headers
    assert await alice.texts() == {"I play chess"}
    # It has ended, or its process is gone.
    await mine.keep_reply(doing(fingerprint=done.fingerprint, expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    await post(alice, "/records", body, expect=201)


async def test_of_what_comes_to_two_processes_at_once_one_is_done_and_both_are_answered(memory: AsyncMemory, tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    settings = Settings(timezone="UTC", learn="off")
    async with (
        await AsyncMemory.open(file, embedder="none", settings=settings) as one,
        await AsyncMemory.open(file, embedder="none", settings=settings) as two,
        client_of(one) as first,
        client_of(two) as second,
    ):
        await Rest(first, "alice").call("PUT", "/blocks/human", body={"text": "so that there is somebody"})
        body = {"session": "s", "key": "draft", "state": [1]}
        replies = await asyncio.gather(*(post(Rest(each, "alice"), "/checkpoints", body, expect=201) for each in (first, second)))
    assert replies[0].json() == replies[1].json()
    assert sorted("idempotency-replayed" in reply.headers for reply in replies) == [False, True]


async def test_something_else_under_the_same_key_is_refused(alice: Rest) -> None:
    await post(alice, "/records", {"text": "I play chess"}, expect=201)
    await post(alice, "/records", {"text": "I play go"}, expect=409)
    await post(alice, "/messages", {"messages": ["I play chess"]}, expect=409)
    assert await alice.texts() == {"I play chess"}


async def test_what_failed_may_be_sent_again_and_a_key_is_each_users_own(alice: Rest, bob: Rest) -> None:
    await post(alice, "/records", {"text": "x", "valid_from": "someday"}, expect=400)
    await post(alice, "/records", {"text": "I play chess"}, expect=201)
    reply = await post(bob, "/records", {"text": "I play go"}, expect=201)
    assert reply.json()["text"] == "I play go"
    assert (await alice.texts(), await bob.texts()) == ({"I play chess"}, {"I play go"})


async def test_of_many_that_come_at_once_one_is_done(alice: Rest) -> None:
    body = {"messages": [{"role": "user", "content": f"note {number}"} for number in range(3)]}
    replies = await asyncio.gather(*(post(alice, "/messages", body, expect=201) for _ in range(10)))
    assert len({reply.text for reply in replies}) == 1
    assert (await alice.call("GET", "/messages"))["total"] == 3


async def test_two_servers_on_one_memory_know_each_others_replies(memory: AsyncMemory) -> None:
    async with client_of(memory) as first, client_of(memory) as second:
        made = await post(Rest(first, "alice"), "/records", {"text": "I play chess"}, expect=201)
        again = await post(Rest(second, "alice"), "/records", {"text": "I play chess"}, expect=201)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == made.json()


async def test_messages_are_stored_once_even_when_the_reply_is_kept_no_more(alice: Rest, memory: AsyncMemory) -> None:
    body = {"messages": ["I like tea"]}
    await post(alice, "/messages", body, expect=201)
    record = await alice.call("POST", "/records", expect=201, body={"text": "something to erase"})
    await alice.call("DELETE", f"/records/{record['id']}")  # the replies go with it: any of them may have words of what goes
    again = await post(alice, "/messages", body, expect=201)
    assert "idempotency-replayed" not in again.headers
    assert (await alice.call("GET", "/messages"))["total"] == 1


async def test_nothing_of_an_erased_user_is_left_in_kept_replies(alice: Rest, memory: AsyncMemory) -> None:
    await post(alice, "/records", {"text": "The code word is marzipan"}, expect=201)
    assert (await memory.occurrences(["marzipan"]))[0] > 0
    await alice.call("DELETE", "/scope", confirm="alice")
    assert await memory.occurrences(["marzipan"]) == (0,)


async def test_a_key_that_may_only_read_gets_no_reply_of_a_write(alice: Rest, memory: AsyncMemory) -> None:
    await post(alice, "/records", {"text": "I play chess"}, expect=201)
    reader = await memory.create_key("reader", user="alice", rights=("read",))
    async with client_of(memory, key=reader.secret) as client:
        await post(Rest(client, "alice"), "/records", {"text": "I play chess"}, expect=403)


@pytest.mark.parametrize("key", ["", " ", "x" * 300, "a\x01b", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"])
async def test_a_key_that_is_none_is_refused_and_nothing_done(client: httpx.AsyncClient, alice: Rest, key: str) -> None:
    reply = await client.post(f"{API}/records", params={"user": "alice"}, json={"text": "I play chess"}, headers={"Idempotency-Key": key})
    assert reply.status_code in (400, 422)
    assert await alice.texts() == set()


async def test_a_chat_turn_is_answered_again_by_the_journal(alice: Rest) -> None:
    first = await post(alice, "/chat", {"message": "What is my name?"}, expect=200)
    again = await post(alice, "/chat", {"message": "What is my name?"}, expect=200)
    finished = [line for line in first.text.splitlines() if line.startswith("data:") and '"reason"' in line]
    assert finished
    assert [message["role"] for message in (await alice.call("GET", "/messages"))["items"]] == ["user", "assistant"]
    assert (await alice.call("GET", "/messages"))["items"][1]["id"] in again.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/messages", {"messages": ["我住在奥斯陆", "I live in Oslo"], "session": "s"}),
        ("/messages", {"messages": [{"role": "user", "content": "I live in Oslo", "id": "m1"}], "session": "s"}),
        ("/records", {"text": "I live in Oslo", "session": "s"}),
    ],
)
@pytest.mark.parametrize("how", ["scope", "session", "one"])
async def test_what_was_erased_does_not_come_back_by_a_request_that_is_sent_again(
    alice: Rest, memory: AsyncMemory, path: str, body: Any, how: str
) -> None:
    made = (await post(alice, path, body, expect=201)).json()
    await alice.call("POST", "/messages", expect=201, body={"messages": ["something else"], "session": "other"})
    id = made["messages"][0]["id"] if "messages" in made else made["id"]
    if how == "scope":
        await alice.call("DELETE", "/scope", confirm="alice")
    elif how == "session" and path == "/messages":
        await alice.call("DELETE", "/sessions/s")
    else:
        await alice.call("DELETE", f"{path}/{id}")
    left = await alice.call("GET", "/messages")
    for _ in range(2):
        again = await post(alice, path, body, expect=409)
        assert again.json()["type"].endswith(":erased")
        assert "Oslo" not in again.text
    assert await alice.call("GET", "/messages") == left
    assert (await alice.call("GET", "/records", wait=20))["total"] == (how == "one" and len(body.get("messages", ())) == 2)
    # Under a key of its own it is meant anew.
    await post(alice, path, body, key="another", expect=201)
    # Of the words themselves nothing is kept for this.
    assert (await post(alice, path, body, key="another", expect=201)).headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize(("path", "body"), [("/messages", {"messages": ["I live in Oslo"]}), ("/records", {"text": "I live in Oslo"})])
async def test_what_was_erased_does_not_come_back_by_a_request_to_a_server_that_was_started_since(
    path: str, body: Any, tmp_path: Path
) -> None:
    for start in range(2):
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder="none") as memory, client_of(memory) as client:
            alice = Rest(client, "alice")
            made = await post(alice, path, body, expect=409 if start else 201)
            if not start:
                id = made.json()["messages"][0]["id"] if path == "/messages" else made.json()["id"]
                await alice.call("DELETE", f"{path}/{id}")
            assert (await alice.call("GET", path))["total"] == 0
