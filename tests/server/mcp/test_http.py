"""MCP over streamable HTTP: a server that runs, the official client, and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import anyio
import httpx
import pytest
from mcp.client.client import Client
from mcp.shared.subscriptions import ResourceUpdated

from tests.server.conftest import Running

from .clients import done, over_http, refused, stdio

Start = Callable[..., Running]
_ACCEPT = {"accept": "application/json, text/event-stream"}
_LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_memories", "arguments": {}}}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_official_client_works_over_http(running_server: Start, mode: str) -> None:
    server = running_server(user="alice")
    async with over_http(server.url, mode=mode) as client:
        assert len((await client.list_tools()).tools) == 6
        kept = await done(client, "remember", text="小梅对坚果过敏。")
        assert [each["id"] for each in (await done(client, "recall", query="小梅对什么过敏？"))["found"]] == [kept["memory"]["id"]]
        await done(client, "update", id=kept["memory"]["id"], text="小梅对虾过敏。")
        assert (await done(client, "forget", text="小梅对虾过敏"))["outcome"] == "forgotten"
        assert (await client.list_resources()).resources == []
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["use_memory"]


async def test_whose_memory_it_is_comes_from_the_key(running_server: Start) -> None:
    server = running_server()
    alice, bob = (server.key(user, user=user) for user in ("alice", "bob"))
    async with over_http(server.url, key=alice) as client:
        id = (await done(client, "remember", text="Alice hides the key under the mat."))["memory"]["id"]
        assert "user" in await refused(client, "recall", query="key", user="bob")
    async with over_http(server.url, key=bob) as client:
        assert not (await done(client, "recall", query="where is the key hidden?"))["found"]
        assert "nothing under the id" in await refused(client, "forget", id=id)
        assert "nothing under the id" in await refused(client, "why", id=id)


async def test_a_key_for_several_users_names_one_in_a_header(running_server: Start) -> None:
    server = running_server()
    key = server.key("app", acts_as="团队-*")
    async with over_http(server.url, key=key, x_pagefile_user=quote("团队-小梅")) as client:
        await done(client, "remember", text="小梅喜欢喝茶。")
        assert (await done(client, "list_memories"))["total"] == 1
    async with over_http(server.url, key=key, x_pagefile_user=quote("团队-小李")) as client:
        assert (await done(client, "list_memories"))["total"] == 0
    async with over_http(server.url, key=key) as client:
        assert "name the one that is meant" in await refused(client, "list_memories")


async def test_a_key_that_may_only_read_changes_nothing(running_server: Start) -> None:
    server = running_server()
    async with over_http(server.url, key=server.key("reader", user="alice", rights=("read",))) as client:
        for tool, arguments in (
            ("remember", {"text": "Mei likes tea."}),
            ("forget", {"text": "x"}),
            ("update", {"id": "x", "text": "y z"}),
        ):
            assert "This connection may not do that" in await refused(client, tool, **arguments)
        assert (await done(client, "list_memories"))["total"] == 0


@pytest.mark.parametrize(
    ("kept", "words", "other"),
    [("The ladder stands in the barn.", "ladder stands", "The ladder is lent out."), ("梯子放在谷仓里。", "梯子放在", "梯子借给别人了。")],
)
async def test_a_key_that_may_only_write_is_shown_what_it_writes_alone(running_server: Start, kept: str, words: str, other: str) -> None:
    server = running_server(mcp_trust="user")
    known = server.call(lambda memory: memory.scope("alice").remember(kept))
    async with over_http(server.url, key=server.key("writer", user="alice", rights=("write",))) as client:
        for tool, arguments in (
            ("recall", {"query": words}),
            ("list_memories", {}),
            ("why", {"id": known.id}),
            ("forget", {"text": words}),
            ("forget", {"id": known.id, "dry_run": True}),
            ("update", {"old_text": words, "text": other}),
        ):
            said = await refused(client, tool, **arguments)
            assert "needs the right read" in said
            assert kept not in said
        changed = await done(client, "update", id=known.id, text=other)
        assert changed["memory"]["text"] == other
        assert kept not in str(changed)
        assert (await done(client, "forget", id=changed["memory"]["id"]))["outcome"] == "forgotten"


async def test_who_may_not_speak_for_somebody_is_answered_at_once(running_server: Start) -> None:
    server = running_server()
    key = server.key("alice", user="alice")
    server.call(lambda memory: memory.scope("bob").remember("Bob keeps whales."))
    bearer = {**_ACCEPT, "authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=server.url) as http:
        answers = [
            await http.post("/mcp", headers={**bearer, header: value}, json=_LIST)
            for header, value in (("x-pagefile-user", "bob"), ("x-pagefile-user", "nobody"), ("x-pagefile-tenant", "other"))
        ]
        assert {answer.status_code for answer in answers} == {404}
        bodies = [{name: value for name, value in answer.json().items() if name != "request_id"} for answer in answers]
        assert bodies[0] == bodies[1] == bodies[2]
        assert (await http.post("/mcp", headers=_ACCEPT, json=_LIST)).status_code == 401
        assert (await http.post("/mcp", headers={**_ACCEPT, "authorization": "Bearer pf_no_no"}, json=_LIST)).status_code == 401
        assert (await http.get("/mcp", headers=bearer)).status_code == 405
        broken = await http.post("/mcp", headers={**bearer, "x-pagefile-user": "%ff"}, json=_LIST)
        assert "must be percent-encoded UTF-8" in broken.text
        strange = await http.post("/mcp", headers={**bearer, "host": "evil.example"}, json=_LIST)
        assert strange.status_code == 403
        page = await http.post("/mcp", headers={**bearer, "origin": "https://evil.example"}, json=_LIST)
        assert page.status_code == 403


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"5", b"[" * 50_000, b'{"jsonrpc": "2.0", "id": 1, "method": 5}'])
async def test_what_is_no_message_is_the_clients_mistake(running_server: Start, body: bytes) -> None:
    server = running_server()
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.post("/mcp", headers={**_ACCEPT, "content-type": "application/json"}, content=body)
    assert 400 <= answer.status_code < 500


async def test_a_listener_hears_of_blocks(running_server: Start) -> None:
    server = running_server(user="alice")
    server.call(lambda memory: memory.scope("alice").write_block("human", "likes tea"))
    uri = "pagefile://blocks/human"
    async with over_http(server.url) as client, client.listen(resource_subscriptions=[uri]) as events:
        server.call(lambda memory: memory.scope("alice").write_block("human", "likes coffee"))
        with anyio.fail_after(30):
            assert await anext(aiter(events)) == ResourceUpdated(uri)


async def test_several_clients_use_one_file_at_once(running_server: Start, tmp_path: Path) -> None:
    server = running_server(user="alice", data=tmp_path / "m.db")
    places = {"first": "Bonn", "second": "Lyon", "third": "Kyoto"}
    async with (
        Client(stdio(tmp_path / "m.db"), mode="legacy") as first,
        Client(stdio(tmp_path / "m.db"), mode="auto") as second,
        over_http(server.url) as third,
    ):
        clients = {"first": first, "second": second, "third": third}
        ids: dict[str, str] = {}

        async def write(name: str) -> None:
            for number in range(5):
                text = f"The {name} office, room {number}, is in {places[name]}."
                ids[text] = (await done(clients[name], "remember", text=text))["memory"]["id"]

        async with anyio.create_task_group() as group:
            for name in clients:
                group.start_soon(write, name)
        assert len(set(ids.values())) == 15
        for client in clients.values():
            listed = {each["text"]: each["id"] for each in (await done(client, "list_memories", limit=50))["memories"]}
            assert listed == ids
        # What one of them changes the others see at once.
        text = "The third office, room 2, is in Kyoto."
        await done(first, "update", id=ids[text], text="The third office, room 2, is in Osaka.")
        for client in (second, third):
            found = [each["text"] for each in (await done(client, "recall", query="third office room 2"))["found"]]
            assert "The third office, room 2, is in Osaka." in found
            assert text not in found
