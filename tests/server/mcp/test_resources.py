"""Blocks as resources, and the prompt."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import TextContent, TextResourceContents

import pagefile.server.mcp.resources as resources
from pagefile.language.text import language_of
from pagefile.memory import AsyncMemory
from pagefile.prompts import WORDINGS, Wording
from pagefile.server.mcp.doing import MemoryDoing
from pagefile.server.mcp.resources import Watch
from pagefile.server.mcp.service import make_server
from pagefile.settings import Settings

from .clients import USER, client_of


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(":memory:", embedder="none", settings=Settings(timezone="UTC")) as opened:
        yield opened


async def test_blocks_are_resources(memory: AsyncMemory) -> None:
    alice = memory.scope(USER)
    await alice.write_block("human", "Mei likes tea.", description="About the person")
    await alice.write_block("a/b %? 计划", "喝茶")
    await alice.write_block("own", "An agent's own.", agent="coder")
    async with client_of(memory) as client:
        listed = {resource.name: resource for resource in (await client.list_resources()).resources}
        assert set(listed) == {"human", "a/b %? 计划"}
        assert listed["human"].description == "Core memory: About the person"
        for name, text in (("human", "Mei likes tea."), ("a/b %? 计划", "喝茶")):
            [content] = (await client.read_resource(listed[name].uri)).contents
            assert isinstance(content, TextResourceContents)
            assert (content.text, content.uri, listed[name].size) == (text, listed[name].uri, len(text.encode()))


@pytest.mark.parametrize(
    "uri",
    ["pagefile://blocks/secret", "pagefile://blocks/%2e%2e", "pagefile://blocks/", "file:///etc/passwd", "pagefile://blocks/secret\0"],
)
async def test_a_resource_that_is_not_there_is_told_as_one_that_is_anothers(memory: AsyncMemory, uri: str) -> None:
    await memory.scope("bob").write_block("secret", "Bob's")
    async with client_of(memory) as client:
        with pytest.raises(MCPError, match="There is no resource"):
            await client.read_resource(uri)


async def test_secrets_in_a_block_are_not_shown(memory: AsyncMemory) -> None:
    await memory.scope(USER).write_block("human", "The key is sk-abcdefghijklmnopqrstuvwxyz0123456789.")
    async with client_of(memory) as client:
        [content] = (await client.read_resource("pagefile://blocks/human")).contents
    assert isinstance(content, TextResourceContents)
    assert "sk-abc" not in content.text


async def test_a_listener_hears_of_its_own_users_blocks_alone(memory: AsyncMemory) -> None:
    for user in (USER, "bob"):
        await memory.scope(user).write_block("human", "likes tea")
    uri = "pagefile://blocks/human"
    async with (
        client_of(memory) as client,
        client_of(memory, user="bob") as other,
        client.listen(resource_subscriptions=[uri], resources_list_changed=True) as mine,
        other.listen(resource_subscriptions=[uri], resources_list_changed=True) as bobs,
    ):
        await memory.scope("bob").write_block("more", "and coffee")
        with anyio.fail_after(30):
            assert await anext(aiter(bobs)) == ResourcesListChanged()
        await memory.scope(USER).write_block("human", "likes coffee")
        with anyio.fail_after(30):
            # The first that comes is its own.
            assert await anext(aiter(mine)) == ResourceUpdated(uri)


async def test_a_stream_ends_when_the_server_is_about_to(memory: AsyncMemory) -> None:
    closing = asyncio.Event()
    async with client_of(memory, closing=closing) as client, client.listen(resources_list_changed=True) as events:
        closing.set()
        with anyio.fail_after(30):
            assert [event async for event in events] == []


async def test_a_stream_ends_by_itself_so_that_a_revoked_key_hears_nothing_more(memory: AsyncMemory) -> None:
    async with (
        client_of(memory, longest=0.3, who=lambda context: "one") as client,
        client.listen(resources_list_changed=True) as events,
    ):
        with anyio.fail_after(30):
            assert [event async for event in events] == []


async def test_nobody_has_more_than_so_many_streams_at_once(memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "MOST_STREAMS", 1)
    async with client_of(memory, who=lambda context: "one") as client:
        async with client.listen(resources_list_changed=True):
            with pytest.raises(MCPError, match="1 times at once"):
                async with client.listen(resources_list_changed=True):
                    raise AssertionError("it listens")
        # The end of one is noticed a moment later.
        listened = False
        with anyio.fail_after(30):
            while not listened:
                await anyio.sleep(0.01)
                with contextlib.suppress(MCPError):
                    async with client.listen(resources_list_changed=True):
                        listened = True


@pytest.mark.parametrize("wording", WORDINGS)
async def test_the_prompt_teaches_in_both_languages(memory: AsyncMemory, wording: Wording) -> None:
    async with client_of(memory, language=wording) as client:
        [prompt] = (await client.list_prompts()).prompts
        for asked in (wording, *WORDINGS):
            given = {} if asked == wording else {"language": asked}
            [message] = (await client.get_prompt(prompt.name, given)).messages
            assert isinstance(message.content, TextContent)
            assert language_of(message.content.text) == asked
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert all(f"`{name}`" in message.content.text for name in tools)
        with pytest.raises(MCPError, match="the language must be one of en, zh"):
            await client.get_prompt(prompt.name, {"language": "fr"})
        with pytest.raises(MCPError, match="there is no prompt 'other'"):
            await client.get_prompt("other")


async def test_calls_are_reported_to_nobody(memory: AsyncMemory) -> None:
    doing = MemoryDoing(memory, lambda context, right: memory.scope(USER).scope, Settings(timezone="UTC"), "en")
    # The SDK comes with one that reports each call to a collector.
    assert make_server(doing, "en", Watch(doing.blocks), keeps_sessions=True).middleware == []


@pytest.mark.parametrize("wording", WORDINGS)
async def test_tools_say_what_they_do_and_when_to_call_them(memory: AsyncMemory, wording: Wording) -> None:
    async with client_of(memory, language=wording) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert language_of(client.instructions or "") == wording
    for tool in tools.values():
        assert language_of(tool.description or "") == wording
        assert ("调用" if wording == "zh" else "Call it ") in (tool.description or "")
        assert tool.input_schema["additionalProperties"] is False
        assert all(each["description"] for each in tool.input_schema["properties"].values())
        assert tool.output_schema is not None
        assert not {"user", "tenant", "scope"} & set(tool.input_schema["properties"])
    hints = {name: tool.annotations for name, tool in tools.items()}
    assert {name for name, each in hints.items() if each and each.read_only_hint} == {"recall", "list_memories", "why"}
    assert {name for name, each in hints.items() if each and each.destructive_hint} == {"forget", "update"}
    assert all(each is not None and each.open_world_hint is False for each in hints.values())
