"""What tests of the server share: a client without a network, and a real server on a free port of this machine."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx
import pytest
import uvicorn
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from pagefile.memory import AsyncMemory
from pagefile.ports import Model
from pagefile.server.app import create_app
from pagefile.settings import Settings

T = TypeVar("T")
_START_SECONDS = 20.0


@dataclass(frozen=True)
class Running:
    """A server that runs on a thread of its own."""

    #: Without a slash at its end.
    url: str
    settings: Settings
    _memory: AsyncMemory
    _portal: BlockingPortal

    def call(self, function: Callable[[AsyncMemory], Awaitable[T]]) -> T:
        """What the function gives for the server's memory; it runs on the server's loop."""

        async def run() -> T:
            return await function(self._memory)

        return self._portal.call(run)

    def key(self, name: str = "test", **fields: Any) -> str:
        """The secret of a new key."""
        return self.call(lambda memory: memory.create_key(name, **fields)).secret


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    """A memory that ends with the test, without an embedder."""
    async with await AsyncMemory.open(":memory:", embedder="none", settings=Settings(timezone="UTC")) as opened:
        yield opened


@pytest.fixture
async def client(memory: AsyncMemory) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app over ``memory``, as a program on this machine; no keys are needed until one is made."""
    async with client_of(memory) as made:
        yield made


@contextlib.asynccontextmanager
async def client_of(
    memory: AsyncMemory,
    *,
    key: str | None = None,
    peer: str = "127.0.0.1",
    change: Callable[[FastAPI], object] | None = None,
    **settings: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a new app with these settings, which comes from the address ``peer``. ``change`` may add to the app."""
    app = create_app(memory, Settings(**{"timezone": "UTC", **settings}))
    if change is not None:
        change(app)
    headers = {"Authorization": f"Bearer {key}".encode()} if key else {}
    transport = httpx.ASGITransport(app, client=(peer, 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642", headers=headers) as client:
        yield client


@pytest.fixture
def running_server(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts servers: ``running_server(model=…, upstream_transport=…, data=…, **settings)``. They end with the test.

    The memory is a file in ``tmp_path``, or ``data``; without an embedder, unless ``embedder`` names one.
    """
    with contextlib.ExitStack() as stack:

        def start(
            *,
            model: Model | None = None,
            upstream_transport: httpx.AsyncBaseTransport | None = None,
            data: str | Path | None = None,
            embedder: str = "none",
            **settings: Any,
        ) -> Running:
            given = Settings(**{"timezone": "UTC", "data": str(data or tmp_path / "memory.db"), "embedder": embedder, **settings})
            portal = stack.enter_context(start_blocking_portal())
            task, (url, memory) = portal.start_task(_serve, given, model, upstream_transport)
            stack.callback(task.result, _START_SECONDS)
            stack.callback(portal.call, _stop, url)
            return Running(url, given, memory, portal)

        yield start


_servers: dict[str, uvicorn.Server] = {}


async def _stop(url: str) -> None:
    _servers.pop(url).should_exit = True


async def _serve(
    settings: Settings,
    model: Model | None,
    upstream_transport: httpx.AsyncBaseTransport | None,
    *,
    task_status: TaskStatus[tuple[str, AsyncMemory]],
) -> None:
    async with await AsyncMemory.open(settings=settings, model=model) as memory:
        app = create_app(memory, settings, upstream_transport=upstream_transport)
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
            config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=2)
            server = uvicorn.Server(config)
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            _servers[url] = server
            async with anyio.create_task_group() as group:
                group.start_soon(server.serve, [listening])
                with anyio.fail_after(_START_SECONDS):
                    while not server.started:
                        await anyio.sleep(0.005)
                task_status.started((url, memory))
