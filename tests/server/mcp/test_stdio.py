"""``pagefile mcp``: a real process, spoken to by the official client and line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.subscriptions import ResourceUpdated

from pagefile.memory import AsyncMemory
from pagefile.server.mcp.greeting import MOST_BYTES
from pagefile.settings import Settings

from .clients import command, done, environment_of, refused, stdio
from .raw import INITIALIZED, OPENING, started


@pytest.mark.parametrize(
    ("mode", "options", "text", "query"),
    [
        ("legacy", (), "Mei is allergic to nuts.", "what is Mei allergic to?"),
        ("auto", ("--language", "zh"), "小梅对坚果过敏。", "小梅对什么过敏？"),
    ],
)
async def test_the_official_client_works_with_both_generations_of_the_protocol(
    tmp_path: Path, mode: str, options: tuple[str, ...], text: str, query: str
) -> None:
    async with Client(stdio(tmp_path / "m.db", *options), mode=mode) as client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["remember", "recall", "forget", "update", "list_memories", "why"]
        assert ("调用" if options else "Call it ") in (tools["recall"].description or "")
        id = (await done(client, "remember", text=text))["memory"]["id"]
        assert [each["id"] for each in (await done(client, "recall", query=query))["found"]] == [id]
        assert (await done(client, "forget", id=id))["outcome"] == "forgotten"
        assert ("没有 id" if options else "nothing under the id") in await refused(client, "why", id="nowhere")
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", settings=Settings(timezone="UTC")) as memory:
        [record] = (await memory.scope("alice").list(statuses=("retired",))).items
        assert record.text == text


async def test_user_and_tenant_come_from_the_options(tmp_path: Path) -> None:
    async with Client(stdio(tmp_path / "m.db", "--tenant", "acme", user="bob"), mode="legacy") as client:
        await done(client, "remember", text="The office cat is called Ada.")
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", settings=Settings(timezone="UTC")) as memory:
        assert [(scope.tenant, scope.user) for scope in (await memory.scopes()).items] == [("acme", "bob")]


def test_standard_output_has_messages_alone_whatever_comes_in(tmp_path: Path) -> None:
    with started(tmp_path / "m.db", PYTHONWARNINGS="always", PAGEFILE_TYPO="x") as raw:
        raw.send(b"this is no JSON")
        assert raw.read()["error"]["code"] == types.PARSE_ERROR
        raw.open()
        for line, code in [
            (b'{"jsonrpc": "2.0", "id": 1, "method": ', types.PARSE_ERROR),
            (b"\xff\xfe\x00", types.PARSE_ERROR),
            (b"[" * 100_000, types.PARSE_ERROR),
            (b"[]", types.INVALID_REQUEST),
            (b"5", types.INVALID_REQUEST),
            (b'{"id": 7}', types.INVALID_REQUEST),
            (b'{"jsonrpc": "2.0", "id": 8, "method": 5}', types.INVALID_REQUEST),
            (b'{"jsonrpc": "2.0", "id": 9, "method": "no/such/method"}', types.METHOD_NOT_FOUND),
            (b'{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": {"name": 5}}', types.INVALID_PARAMS),
            (b"x" * (MOST_BYTES + 10), types.INVALID_REQUEST),
        ]:
            raw.send(line)
            answer = raw.read()
            assert answer["error"]["code"] == code, line[:80]
        for ignored in (
            b"",
            b"   ",
            b'{"jsonrpc": "2.0", "method": "no/such/notification"}',
            b'{"jsonrpc": "2.0", "id": 99, "result": {}}',
        ):
            raw.send(ignored)
        raw.send({"jsonrpc": "2.0", "id": 11, "method": "ping"})
        assert raw.read() == {"jsonrpc": "2.0", "id": 11, "result": {}}
        assert raw.rest() == []
    assert raw.process.returncode == 0
    told = b"".join(raw.errors).decode()
    assert "PAGEFILE_TYPO" in told
    assert "Traceback" not in told


def test_odd_characters_and_big_arguments_come_back_as_answers(tmp_path: Path) -> None:
    with started(tmp_path / "m.db") as raw:
        raw.open()
        # Half of a character, a NUL, and a whole character in two halves.
        raw.call(1, "remember", text="Acme \ud83d moved\0 to 🚀 city.")
        kept = raw.answer(1)["result"]["structuredContent"]["memory"]["text"]
        raw.call(2, "remember", text="x" * 3_000_000)
        big = raw.answer(2)["result"]
        raw.call(3, "recall", query="\ud800")
        assert "result" in raw.answer(3)
    assert kept == "Acme \ufffd moved to 🚀 city."
    assert big["isError"]
    assert len(big["content"][0]["text"]) < 600


def test_what_is_piped_in_is_answered_before_the_end(tmp_path: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "Mei likes tea."}}}
    lines = "\n".join(json.dumps(each) for each in (OPENING, INITIALIZED, call))
    ran = subprocess.run(
        [sys.executable, *command(tmp_path / "m.db")],
        input=lines.encode(),
        capture_output=True,
        env=environment_of(tmp_path / "m.db"),
        timeout=100,
        check=True,
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["id"] for each in answers] == [0, 1]
    assert answers[1]["result"]["structuredContent"]["outcome"] == "waiting"


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(tmp_path: Path) -> None:
    with started(tmp_path / "m.db") as raw:
        raw.open()
        # The memory is still being opened: it cannot be answered yet.
        raw.call(1, "recall", query="tea")
        raw.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "enough"}})
        raw.call(2, "list_memories")
        answer = raw.read()
        assert answer["id"] == 2
        assert answer["result"]["isError"] is False
        assert raw.rest() == []


def test_a_store_that_cannot_be_opened_is_told_to_the_model_and_the_server_lives_on(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(b"this is no store" * 1_000)
    with started(tmp_path / "m.db") as raw:
        raw.open()
        for id in (1, 2):
            raw.call(id, "recall", query="tea")
            result = raw.answer(id)["result"]
            assert result["isError"]
            assert "m.db" in result["content"][0]["text"]
        raw.send({"jsonrpc": "2.0", "id": 3, "method": "tools/list"})
        assert len(raw.answer(3)["result"]["tools"]) == 6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--language", "fr"), "the setting language must be en or zh, not 'fr'"),
        (("--trust", "me"), "the setting mcp_trust must be assistant or user, not 'me'"),
        (("--tenant", " "), "--tenant is empty"),
        (("--user", "a\nb"), "has control characters"),
    ],
)
def test_options_that_cannot_be_used_are_told_in_a_line(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    ran = subprocess.run(
        [sys.executable, *command(tmp_path / "m.db"), *options], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert said in ran.stderr.decode()
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
async def test_a_client_of_the_older_protocol_is_told_of_a_block_that_another_program_changed(tmp_path: Path) -> None:
    told = anyio.Event()
    updated: list[str] = []

    async def handle(message: object) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            updated.append(message.params.uri)
            told.set()

    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", settings=Settings(timezone="UTC")) as memory:
        for user in ("alice", "bob"):
            await memory.scope(user).write_block("human", f"{user} likes tea.")
        async with Client(stdio(tmp_path / "m.db"), mode="legacy", message_handler=handle) as client:
            [resource] = (await client.list_resources()).resources
            await client.subscribe_resource(resource.uri)
            await memory.scope("bob").write_block("human", "Bob likes coffee.")
            await memory.scope("alice").write_block("human", "Alice likes coffee.")
            with anyio.fail_after(30):
                await told.wait()
            [content] = (await client.read_resource(resource.uri)).contents
            assert isinstance(content, types.TextResourceContents)
            assert content.text == "Alice likes coffee."
            await client.unsubscribe_resource(resource.uri)
    assert updated == [resource.uri]


async def test_a_client_listens_for_blocks_over_standard_input(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", settings=Settings(timezone="UTC")) as memory:
        await memory.scope("alice").write_block("计划", "喝茶")
        async with Client(stdio(tmp_path / "m.db"), cache=None) as client:
            [resource] = (await client.list_resources()).resources
            async with client.listen(resource_subscriptions=[resource.uri]) as events:
                await memory.scope("alice").write_block("计划", "喝咖啡")
                with anyio.fail_after(30):
                    event = await anext(aiter(events))
    assert event == ResourceUpdated(resource.uri)
