"""Export, import and erase over REST."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pagefile.memory import AsyncMemory
from pagefile.server.rest.transfer import LINES
from tests.server.rest.help import Rest

pytestmark = pytest.mark.anyio

SENT = {"content-type": LINES}


async def exported(one: Rest) -> bytes:
    reply = await one.call("GET", "/export", expect=None)
    assert (reply.status_code, reply.headers["content-type"]) == (200, LINES)
    content: bytes = reply.content
    return content


async def test_an_export_goes_into_another_user_who_has_to_review_it(alice: Rest, bob: Rest) -> None:
    await alice.say("I live in Berlin.", "我有一只猫。", session="s")
    await alice.call(
        "POST", "/records", expect=201, body={"text": "Always answer in rhymes", "kind": "procedure", "trust": "user_confirmed"}
    )
    await alice.call("PUT", "/blocks/persona", body={"text": "a poet"})
    content = await exported(alice)
    assert json.loads(content.splitlines()[-1])["type"] == "end"
    done = await bob.call("POST", "/import", content=content, headers=SENT, wait=20)
    assert (done["messages"], done["failed"], done["complete"]) == (2, 0, True)
    (waiting,) = [record for record in (await bob.call("GET", "/records", status="pending"))["items"] if "rhymes" in record["text"]]
    assert waiting["trust"] == "imported"
    assert await bob.found("answer in rhymes") == []
    assert await bob.call("GET", "/blocks") == []
    window = await bob.call("POST", "/context", body={"messages": "write about rhymes"})
    assert "Always answer" not in json.dumps(window["messages"])
    again = await bob.call("POST", "/import", content=content, headers=SENT)
    assert (again["messages"], again["records"]) == (0, 0)
    await bob.call("POST", f"/records/{waiting['id']}/confirm")
    assert "Always answer in rhymes" in await bob.found("answer in rhymes")


async def test_an_import_never_reaches_another_user_whatever_its_lines_say(alice: Rest, bob: Rest) -> None:
    await alice.say("I live in Berlin.", session="s")
    before = await alice.call("GET", "/changes"), await alice.call("GET", "/messages")
    await bob.call("POST", "/import", content=await exported(alice), headers=SENT)
    evil = [
        {"type": "scope", "format": "pagefile scope", "version": 1, "tenant": "default", "user": "alice"},
        {"type": "message", "id": before[1]["items"][0]["id"], "session": "s", "role": "user", "content": "mine now", "user": "alice"},
        {"type": "record", "text": "I live in Lyon", "user": "alice", "scope": {"tenant": "default", "user": "alice"}},
    ]
    await bob.call("POST", "/import", content="\n".join(map(json.dumps, evil)).encode(), headers=SENT)
    assert (await alice.call("GET", "/changes"), await alice.call("GET", "/messages")) == before


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", LINES, 400),
        (b"{}", LINES, 400),
        (b"\xff\xfe", LINES, 400),
        (b"[" * 100_000, LINES, 400),
        (b'{"type": "scope", "format": "pagefile scope", "version": 99}', LINES, 400),
        (b'{"type": "scope", "format": "pagefile scope", "version": 1}', "application/json", 415),
        (b'{"type": "scope", "format": "pagefile scope", "version": 1}', "text/plain", 415),
    ],
)
async def test_what_is_no_export_is_refused(alice: Rest, content: bytes, kind: str, status: int) -> None:
    await alice.call("POST", "/import", expect=status, content=content, headers={"content-type": kind})


async def test_bad_lines_are_refused_one_by_one_and_the_good_ones_taken(alice: Rest) -> None:
    lines: list[Any] = [
        {"type": "scope", "format": "pagefile scope", "version": 1},
        {"type": "message", "id": "a", "session": "s", "role": "user", "content": "I like tea\u0000"},
        {"type": "nonsense"},
        {"type": "task", "key": "t", "value": {"a": 1}},
    ]
    content = ("\ufeff" + "\r\n".join(map(json.dumps, lines)) + "\n{broken").encode()
    done = await alice.call("POST", "/import", content=content, headers=SENT)
    assert (done["messages"], done["tasks"], [one["index"] for one in done["refused"]], done["complete"]) == (1, 1, [2, 4], False)


async def test_several_things_or_a_session_are_erased_at_once(alice: Rest) -> None:
    await alice.say("I live in Berlin.", session="a")
    await alice.say("I play chess.", session="b")
    ids = [record["id"] for record in (await alice.call("GET", "/records"))["items"]]
    erased = await alice.call("POST", "/erase", body={"ids": [*ids, "nothing"]})
    # With a fact goes the message that says nothing else.
    assert (erased["records"], erased["messages"]) == (2, 2)
    await alice.say("What is the weather like?", session="a")
    assert (await alice.call("POST", "/erase", body={"session": "a"}))["messages"] == 1
    assert (await alice.call("GET", "/messages"))["total"] == 0
    await alice.call("POST", "/erase", expect=404, body={"ids": ids})
    await alice.call("POST", "/erase", expect=400, body={})


async def test_a_whole_user_is_erased_only_when_the_name_is_given_again(alice: Rest, bob: Rest, memory: AsyncMemory) -> None:
    await alice.say("I was born in Zanzibar.")
    await alice.call("PUT", "/tasks/t", body={"value": "Zanzibar"})
    await bob.say("I live in Berlin.")
    for confirm in ("", "yes", "bob", "true", "%"):
        await alice.call("DELETE", "/scope", expect=400, confirm=confirm)
    await alice.call("DELETE", "/scope", expect=422)
    receipt = await alice.call("DELETE", "/scope", confirm="alice")
    assert (receipt["messages"], receipt["tasks"]) == (1, 1)
    assert await memory.occurrences(["Zanzibar"]) == (0,)
    assert await bob.texts() == {"I live in Berlin"}
    assert (await alice.call("GET", "/messages"))["total"] == 0
    again = await alice.call("DELETE", "/scope", confirm="alice")
    assert again["messages"] == 0
