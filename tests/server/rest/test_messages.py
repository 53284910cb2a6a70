"""The journal over REST: what is said is kept, found and learnt from, in whatever form it comes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.rest.help import JSON, Rest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("said", "query", "learnt"),
    [("I can't eat spicy food.", "which food is too spicy?", "spicy"), ("我不能吃辣。", "有什么忌口？", "辣")],
)
async def test_what_is_said_is_found_and_learnt_from_after_waiting(alice: Rest, said: str, query: str, learnt: str) -> None:
    receipt = await alice.say(said, session="周一/monday")
    assert (receipt["stored"], receipt["messages"][0]["session"]) == (1, "周一/monday")
    assert any(learnt in text for text in await alice.texts())
    assert any(learnt in text for text in await alice.found(query))


async def test_a_callers_id_is_kept_and_stored_once(alice: Rest) -> None:
    body = {"messages": [{"role": "user", "content": "I like tea", "id": "m1", "said_at": "2026-05-24T10:00:00+08:00"}], "session": "s"}
    first = await alice.call("POST", "/messages", expect=201, body=body)
    again = await alice.call("POST", "/messages", expect=201, body=body)
    assert (first["stored"], again["stored"], again["duplicates"]) == (1, 0, 1)
    assert first["messages"] == again["messages"]
    assert first["messages"][0]["said_at"] == "2026-05-24T10:00:00+08:00"
    assert first["messages"][0]["external_id"] == "m1"


async def test_messages_come_in_pages_with_totals(alice: Rest) -> None:
    await alice.call("POST", "/messages", expect=201, body={"messages": [f"note {number}" for number in range(7)], "session": "s"})
    seen, after = [], None
    while True:
        page = await alice.call("GET", "/messages", session="s", limit=3, **({"after": after} if after else {}))
        assert page["total"] == 7
        seen += [message["text"] for message in page["items"]]
        after = page["cursor"]
        if after is None:
            break
    assert seen == [f"note {number}" for number in range(7)]
    newest = await alice.call("GET", "/messages", session="s", limit=1, newest_first=True)
    assert newest["items"][0]["text"] == "note 6"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}], "look\n[image]"),
        ([{"type": "input_text", "text": "看看"}], "看看"),
        ({"type": "text", "text": "one part"}, "one part"),
        ("Acme moved\u0000 to Shenzhen", "Acme moved to Shenzhen"),
    ],
)
async def test_lists_of_parts_and_odd_characters_are_kept_sanely(alice: Rest, content: Any, text: str) -> None:
    receipt = await alice.call("POST", "/messages", expect=201, body={"messages": [{"role": "user", "content": content}]})
    assert receipt["messages"][0]["text"] == text


async def test_what_cannot_be_kept_is_refused_in_the_receipt_and_the_rest_is_stored(alice: Rest) -> None:
    receipt = await alice.call("POST", "/messages", expect=201, body={"messages": [{"role": "king", "content": "x"}, "fine"]})
    assert (receipt["stored"], [one["index"] for one in receipt["refused"]]) == (1, [0])
    problem = await alice.call("POST", "/messages", expect=422, body={"messages": [{"role": "user", "content": None}, {"role": "user"}]})
    assert [one["where"] for one in problem["errors"]] == ["body.messages.0", "body.messages.1"]
    assert "no content" in problem["errors"][0]["problem"]


async def test_a_message_is_got_and_erased_by_its_id(alice: Rest) -> None:
    (message,) = (await alice.say("I was born in Zanzibar"))["messages"]
    assert (await alice.call("GET", f"/messages/{message['id']}"))["text"] == "I was born in Zanzibar"
    assert (await alice.call("DELETE", f"/messages/{message['id']}"))["messages"] == 1
    await alice.call("GET", f"/messages/{message['id']}", expect=404)
    await alice.call("DELETE", f"/messages/{message['id']}", expect=404)
    assert await alice.found("Zanzibar") == []
    assert not [text for text in await alice.texts() if "Zanzibar" in text]


async def test_secrets_are_taken_out_and_counted(alice: Rest) -> None:
    receipt = await alice.say("my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    assert receipt["redacted"] == 1
    assert "abcdefghijklmnop" not in receipt["messages"][0]["text"]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"messages": []}',
        b'{"messages": "text"}',
        b'{"messages": [1]}',
        b'{"messages": ["x"], "sesion": "typo"}',
        b'{"messages": ["x"], "session": ""}',
        b'{"messages": ["x"], "session": "a\\u0000b"}',
        b'{"messages": ["x"], "session": "\\ud800"}',
        b'{"messages": ["x"], "origin": "event"}',
        b'{"messages": [{"role": "user", "content": ' + b"[" * 100 + b"]" * 100 + b"}]}",
        b'{"messages": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"messages": [{"role": "user", "content": "x", "said_at": NaN}]}',
        b'{"messages": [{"role": "user", "content": "x", "n": ' + b"9" * 5_000 + b"}]}",
        b"\xff\xfe{}",
    ],
)
async def test_what_makes_no_sense_is_refused_as_a_problem(alice: Rest, content: bytes) -> None:
    reply = await alice.call("POST", "/messages", expect=None, content=content, headers=JSON)
    assert 400 <= reply.status_code < 500
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["request_id"] == reply.headers["x-request-id"]
    assert (await alice.call("GET", "/messages"))["total"] == 0
