"""Two users with contradicting facts: no read, search, export, event, error or reply of one has anything of the other."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from pagefile.memory import AsyncMemory
from tests.server.conftest import client_of
from tests.server.rest.help import Rest

pytestmark = pytest.mark.anyio

#: Ids that are easily taken for each other, or for patterns.
PAIRS = [("john-doe", "john_doe"), ("acme", "acme-corp"), ("%", "a"), ("Ａ", "A%"), ("小雨", "小雨 2"), ("a/b", "a%2Fb"), ("../b", "b")]


async def everything(one: Rest) -> str:
    """All that a user can read."""
    reads = [
        "/messages",
        "/records",
        "/entities",
        "/changes",
        "/blocks",
        "/tasks",
        "/checkpoints",
        "/sessions",
        "/stats",
        "/operations",
        "/jobs",
        "/export",
    ]
    texts = [(await one.call("GET", path, expect=None)).text for path in reads]
    texts += [(await one.call("GET", "/timeline", expect=None, attribute="residence")).text]
    for body in ({"query": "Where do I live? Berlin or Shanghai?"}, {"query": "上海"}, {"query": "Zanzibar Berlin", "history": True}):
        texts.append((await one.call("POST", "/search", expect=None, body=body)).text)
    texts.append((await one.call("POST", "/context", expect=None, body={"messages": "Where do I live?"})).text)
    return "\n".join(texts)


@pytest.mark.parametrize(("first", "second"), PAIRS)
async def test_nothing_that_one_user_reads_is_of_the_other(client: httpx.AsyncClient, first: str, second: str) -> None:
    one, other = Rest(client, first), Rest(client, second)
    await asyncio.gather(one.say("I live in Berlin."), other.say("我住在上海。"))
    await one.call("PUT", "/blocks/human", body={"text": "the Berliner"})
    await one.call("PUT", "/tasks/t", body={"value": "Berlin task"})
    await other.call("PUT", "/blocks/human", body={"text": "上海人"})
    mine, theirs = await everything(one), await everything(other)
    assert ("Berlin" in mine, "上海" in theirs) == (True, True)
    # What somebody asks for stands in their own log.
    assert "上海人" not in mine
    assert "住在上海" not in mine
    assert "Berliner" not in theirs
    assert "in Berlin" not in theirs
    assert "Berlin task" not in theirs


async def test_ids_of_another_user_are_answered_as_ids_that_are_not_there(alice: Rest, bob: Rest) -> None:
    (message,) = (await alice.say("I live in Berlin."))["messages"]
    (record,) = (await alice.call("GET", "/records"))["items"]
    (change, *_) = (await alice.call("GET", "/changes"))["items"]
    await alice.call("PUT", "/blocks/human", body={"text": "x"})
    await alice.call("PUT", "/tasks/t", body={"value": 1})
    before = await alice.call("GET", "/changes"), await alice.call("GET", "/messages")
    missing, foreign = "0" * 36, record["id"]
    for method, path, body in asked_for():
        replies = [
            await bob.call(method, path.format(id=quote(id)), expect=None, body=filled(body, id))
            for id in (missing, foreign, message["id"])
        ]
        assert {reply.status_code for reply in replies} == {404}, path
        told = [reply.json()["detail"].replace(id, "…") for reply, id in zip(replies, (missing, foreign, message["id"]), strict=True)]
        assert len(set(told)) == 1
        assert "Berlin" not in told[0]
    await bob.call("POST", f"/changes/{change['id']}/undo", expect=404)
    for path in ("/blocks/human", "/tasks/t", "/sessions/default", "/saved-sessions/default"):
        await bob.call("GET", path, expect=404)
    assert (await alice.call("GET", "/changes"), await alice.call("GET", "/messages")) == before


def asked_for() -> list[tuple[str, str, Any]]:
    """Every way to name a record or message by its id."""
    reads = [("GET", f"/records/{{id}}{part}", None) for part in ("", "/history", "/why")]
    by_path = [
        ("DELETE", "/records/{id}", None),
        ("POST", "/records/{id}/confirm", None),
        ("PATCH", "/records/{id}", {"text": "I live in Lyon"}),
    ]
    messages = [("GET", "/messages/{id}", None), ("DELETE", "/messages/{id}", None)]
    bodies = [
        ("POST", "/forget", {"ids": ["{id}"]}),
        ("POST", "/restore", {"id": "{id}"}),
        ("POST", "/correct", {"text": "I live in Lyon", "id": "{id}"}),
    ]
    return [*reads, *by_path, *messages, *bodies]


def filled(body: Any, id: str) -> Any:
    if isinstance(body, dict):
        return {name: filled(value, id) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, id) for value in body]
    return body.format(id=id) if isinstance(body, str) else body


async def test_a_key_sees_users_of_its_own_tenant_alone(memory: AsyncMemory) -> None:
    admin = await memory.create_key("admin", tenant="acme", acts_as="*", rights=("read", "write", "admin"))
    await memory.scope("anna", tenant="acme").add("hello")
    await memory.scope("otto", tenant="other").add("hello")
    async with client_of(memory, key=admin.secret) as client:
        listed = (await client.get("/api/v1/scopes")).json()
        assert (listed["items"], listed["total"]) == ([{"tenant": "acme", "user": "anna"}], 1)
        asked = (await client.get("/api/v1/scopes", params={"tenant": "other"})).json()
        assert asked == {"items": [], "cursor": None, "total": 0}
        assert (await client.get("/api/v1/messages", params={"user": "otto", "tenant": "other"})).status_code == 404


async def test_without_keys_the_users_of_all_tenants_are_listed_in_pages(client: httpx.AsyncClient, memory: AsyncMemory) -> None:
    for number in range(5):
        await memory.scope(f"u{number}", tenant="a").add("hello")
    await memory.scope("v").add("hello")
    seen, after = [], None
    while True:
        page = (await client.get("/api/v1/scopes", params={"limit": 2, **({"after": after} if after else {})})).json()
        seen += [(scope["tenant"], scope["user"]) for scope in page["items"]]
        assert page["total"] == 6
        after = page["cursor"]
        if after is None:
            break
    assert seen == [*(("a", f"u{number}") for number in range(5)), ("default", "v")]
    assert (await client.get("/api/v1/scopes", params={"tenant": "a"})).json()["total"] == 5
