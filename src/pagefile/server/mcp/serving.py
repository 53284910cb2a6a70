"""``pagefile mcp``: serves one client over standard input and output. Loaded once the client was greeted."""

from __future__ import annotations

import asyncio
import importlib
import logging
from typing import Any, Protocol, cast

import anyio
from mcp.server.context import ServerRequestContext

import pagefile.records as records
from pagefile.errors import StoreUnavailable
from pagefile.server.mcp.forms import Answer, Form
from pagefile.server.mcp.greeting import Wire
from pagefile.server.mcp.resources import BlockText, Watch
from pagefile.server.mcp.service import Doing, make_server
from pagefile.server.mcp.transport import Transport
from pagefile.settings import Settings

logger = logging.getLogger(__name__)

_HEAVY = "pagefile.server.mcp.opening"


class Opened(Protocol):
    """A memory that is open, and what can be done with it."""

    doing: Doing

    async def close(self) -> None:
        """Close the memory."""
        ...


class LateDoing:
    """Does what is asked as soon as the memory is open: it is opened in the background, and again when asked if that failed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: Opened | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    async def open(self) -> None:
        """Open the memory ahead of the first call. What fails is told then."""
        try:
            await self._ready()
        except Exception as error:
            logger.warning("%s", error)

    async def close(self) -> None:
        """Close the memory, if it was opened."""
        async with self._lock:
            self._closed = True
            if self._opened is not None:
                await self._opened.close()

    async def call(self, tool: str, form: Form, context: ServerRequestContext[Any, Any]) -> Answer:
        """What a tool answers."""
        return await (await self._ready()).call(tool, form, context)

    async def blocks(self, context: ServerRequestContext[Any, Any]) -> tuple[BlockText, ...]:
        """The blocks of core memory."""
        return await (await self._ready()).blocks(context)

    def redact(self, text: str) -> str:
        """The text of an error without secrets: as long as nothing was opened, none came from the memory."""
        return text if self._opened is None else self._opened.doing.redact(text)

    async def _ready(self) -> Doing:
        async with self._lock:
            if self._closed:
                raise StoreUnavailable("the memory was closed")
            if self._opened is None:
                # Importing holds up nobody: the client's requests that need no memory are answered meanwhile.
                heavy = await anyio.to_thread.run_sync(importlib.import_module, _HEAVY)
                self._opened = cast(Opened, await heavy.open_memory(self._settings))
            return self._opened.doing


def run(wire: Wire, settings: Settings, *, first: bytes | None, greeting: bytes | None) -> None:
    """Serve until the client leaves, on an event loop of its own."""
    asyncio.run(serve(wire, settings, first=first, greeting=greeting))


async def serve(wire: Wire, settings: Settings, *, first: bytes | None, greeting: bytes | None) -> None:
    """Serve until the client leaves. ``first``: the line that was read already; ``greeting``: how it was answered, if it was."""
    # Whoever cannot be served is told now, not at the first call.
    records.Scope(settings.tenant, settings.user)
    doing = LateDoing(settings)
    watch = Watch(doing.blocks)
    server = make_server(doing, settings.wording(), watch, keeps_sessions=True)
    transport = Transport(wire, first=first, greeting=greeting)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(doing.open)
            group.start_soon(watch.run)
            async with transport.streams() as (read, write):
                await server.run(read, write, server.create_initialization_options())
            group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await doing.close()
