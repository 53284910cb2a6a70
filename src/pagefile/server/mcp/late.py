"""MCP over HTTP, loaded when somebody asks for it: what it imports takes a fifth of the server's start, and most servers never need it."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, cast

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.types import Receive, Scope, Send

from pagefile.server.state import ServerState

_HEAVY = "pagefile.server.mcp.http"


class App(Protocol):
    """What answers requests, for as long as it runs."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def run(self) -> AbstractAsyncContextManager[None]:
        """Answer requests meanwhile."""
        ...


class LateMcp:
    """Answers at ``/mcp``. ``run`` must be entered for as long as it does."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._lock = asyncio.Lock()
        self._ended = asyncio.Event()
        self._app: App | None = None
        self._group: TaskGroup | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._loaded())(scope, receive, send)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Answer requests meanwhile."""
        async with anyio.create_task_group() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None
                self._ended.set()

    async def _loaded(self) -> App:
        async with self._lock:
            if self._app is None:
                # Others are answered meanwhile.
                heavy = await anyio.to_thread.run_sync(importlib.import_module, _HEAVY)
                app = cast(App, heavy.http_app(self._state))
                if self._group is not None:
                    # Its own tasks end with the server, not with the request that came first.
                    await self._group.start(self._keep, app)
                self._app = app
            return self._app

    async def _keep(self, app: App, *, task_status: TaskStatus[None]) -> None:
        async with app.run():
            task_status.started()
            await self._ended.wait()
