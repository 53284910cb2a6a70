"""What tests of MCP share: the official client, in the process and to a server that was started, and how answers are read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

import pagefile.records as records
from pagefile.memory import AsyncMemory
from pagefile.prompts import Wording
from pagefile.server.mcp.doing import MemoryDoing
from pagefile.server.mcp.resources import Watch
from pagefile.server.mcp.service import make_server
from pagefile.settings import Settings

USER = "alice"


@contextlib.asynccontextmanager
async def client_of(
    memory: AsyncMemory,
    *,
    user: str = USER,
    tenant: str = "default",
    language: Wording = "en",
    closing: asyncio.Event | None = None,
    longest: float | None = None,
    who: Callable[[Any], str] | None = None,
    **settings: Any,
) -> AsyncIterator[Client]:
    """The official client, connected in the process to a server for one user of the memory. ``closing``: ends its streams, as ``longest``
    does. ``who``: counts them."""
    scope = records.Scope(tenant, user)
    given = Settings(**{"timezone": "UTC", "language": language, **settings})
    doing = MemoryDoing(memory, lambda context, right: scope, given, language)
    watch = Watch(doing.blocks, closing, longest=longest, who=who)
    async with Client(make_server(doing, language, watch, keeps_sessions=True), cache=None) as client:
        yield client


def stdio(data: Path, *options: str, user: str = USER, **environment: str) -> StdioServerParameters:
    """How a host starts ``pagefile mcp``."""
    return StdioServerParameters(command=sys.executable, args=command(data, *options, user=user), env=environment_of(data, **environment))


def command(data: Path, *options: str, user: str = USER) -> list[str]:
    """The arguments of Python that start ``pagefile mcp``."""
    return ["-m", "pagefile", "mcp", "--data", str(data), "--user", user, *options]


def environment_of(data: Path, **environment: str) -> dict[str, str]:
    """As little as there can be, so that nothing of this machine's settings is read."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(data.parent), "PAGEFILE_EMBEDDER": "none", "PAGEFILE_TIMEZONE": "UTC", **environment}


@contextlib.asynccontextmanager
async def over_http(url: str, *, key: str | None = None, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """The official client, connected to a server that runs."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        given["Authorization"] = f"Bearer {key}"
    async with (
        httpx2.AsyncClient(headers=given, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, cache=None) as client,
    ):
        yield client


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, which must be no error. The text says the same as the structure."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, text_of(result)
    assert json.loads(text_of(result)) == result.structured_content
    return dict(result.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says when it fails."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text
