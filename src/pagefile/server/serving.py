"""Runs the server: one process or several on one file, started and ended in order."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from types import FrameType
from typing import Any

import anyio
import uvicorn
from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send
from uvicorn.supervisors import Multiprocess

import pagefile.server.logs as logs
from pagefile.discover import find_model, model_settings
from pagefile.errors import InputError, PagefileError
from pagefile.memory import AsyncMemory
from pagefile.server.app import create_app
from pagefile.server.health import Readiness
from pagefile.server.limits import MAX_HEADERS
from pagefile.server.metrics import Metrics
from pagefile.server.orphans import end_with_parent
from pagefile.server.warming import warm_up
from pagefile.settings import Settings, share_metrics

_KEEP_ALIVE_SECONDS = 30
#: A worker that says nothing for so long is taken for dead. On a busy machine one takes its time to begin.
_SILENT_SECONDS = 60
#: How long requests that were cut off at the end may take to keep what they have.
_CUT_OFF_SECONDS = 2.0
_ENDS = (signal.SIGINT, signal.SIGTERM)


class Serving:
    """The ASGI app of one process: it opens the memory when the process starts, and closes it in the end. Made in one process, it can be
    sent to others."""

    def __init__(self, settings: Settings, *, salt: bytes, shared: bool) -> None:
        """``salt``: of the names of users in the log. ``shared``: several processes share their figures."""
        self._settings = settings
        self._salt = salt
        self._shared = shared
        self._app: FastAPI | None = None
        self._under_way: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        elif self._app is not None:
            task = asyncio.current_task()
            assert task is not None, "a server runs each request as a task"
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            await self._app(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """From the start of the process to its end. Whoever runs it may end the process as soon as the last message was sent."""
        logs.set_up(logs.form_of(self._settings.request_log))
        end_with_parent()
        last: list[Message] = []

        async def held_back(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                last.append(message)
            else:
                await send(message)

        try:
            found = await find_model(**model_settings(self._settings), must_answer=False)
            async with await AsyncMemory.open(settings=self._settings, model=found.model) as memory:
                names = logs.UserNames(self._salt)
                self._app = create_app(memory, self._settings, names=names, metrics=Metrics(shared=self._shared))
                async with self._warming(memory, self._app.state.readiness):
                    with _told_of_the_end(self._app.state.pagefile.closing) as told:
                        await self._app(scope, receive, held_back)
                await self._finish(memory, told)
        except PagefileError as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        for message in last:
            await send(message)

    @contextlib.asynccontextmanager
    async def _warming(self, memory: AsyncMemory, readiness: Readiness) -> AsyncIterator[None]:
        """Get ready while the first requests come in; meanwhile `/readyz` says that it is not."""

        async def warm() -> None:
            try:
                await warm_up(memory, self._settings)
            finally:
                readiness.warming = False

        readiness.warming = True
        task = asyncio.create_task(warm(), name="pagefile-warming")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _finish(self, memory: AsyncMemory, told: list[float]) -> None:
        """Do what background work is left, in what is left of the time. What is not done waits in the store."""
        # Requests that were cut off keep what was said until then.
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=_CUT_OFF_SECONDS)
        spent = time.monotonic() - told[0] if told else 0.0
        with anyio.move_on_after(max(0.0, self._settings.shutdown_seconds - spent)):
            await memory.flush()


@contextlib.contextmanager
def _told_of_the_end(closing: asyncio.Event) -> Iterator[list[float]]:
    """Set the event as soon as the process is asked to end, before its streams are waited for; gives the time of it."""
    loop, told = asyncio.get_running_loop(), list[float]()
    before = {number: signal.getsignal(number) for number in _ENDS}

    def end(number: int, frame: FrameType | None) -> None:
        told.append(time.monotonic())
        loop.call_soon_threadsafe(closing.set)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    try:
        for number in _ENDS:
            signal.signal(number, end)
    except ValueError:  # not the main thread: nobody sends it signals
        yield told
        return
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listen(settings: Settings) -> socket.socket:
    """Take the address. Raises InputError."""
    host, port = settings.host, settings.port
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        taken = socket.create_server((host, port), family=family, backlog=512)
        # Connections inherit it. Without it the second piece of a reply waits for the client's word on the first: 40 ms, now and then.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        taken.set_inheritable(True)
        return taken
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"listening at {host}:{port}: {why}; choose another with --port or --host, or end what uses it") from error


def url_of(listening: socket.socket) -> str:
    """The URL by which programs on this machine reach the server."""
    host, port = listening.getsockname()[:2]
    # From this machine, an address that means all of its own is reached by that of itself.
    here = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{here}:{port}"


def run(settings: Settings, listening: socket.socket) -> bool:
    """Serve until the process is told to end; returns whether it served at all."""
    logs.set_up(logs.form_of(settings.request_log))
    several = settings.workers > 1
    with contextlib.ExitStack() as stack:
        if several:
            share_metrics(stack.enter_context(tempfile.TemporaryDirectory(prefix="pagefile-metrics-")))
        config = uvicorn.Config(
            Serving(settings, salt=secrets.token_bytes(16), shared=several),
            **_FIXED,
            workers=settings.workers,
            timeout_graceful_shutdown=max(1, settings.shutdown_seconds),
        )
        # uvicorn repeats the signals it got when it is done; by then they were obeyed.
        for number in _ENDS:
            signal.signal(number, _obeyed)
        if several:
            supervisor = Multiprocess(config, sockets=[listening])
            supervisor.run()
            return all(process.exitcode in (0, -signal.SIGTERM, -signal.SIGINT, None) for process in supervisor.processes)
        server = uvicorn.Server(config)
        server.run(sockets=[listening])
        return server.started


#: What a server has whatever is set. Other implementations of HTTP do not limit headers; the address of a client is that of the connection,
#: never what a header says.
_FIXED: dict[str, Any] = {
    "http": "h11",
    "ws": "none",
    "loop": "asyncio",
    "lifespan": "on",
    "interface": "asgi3",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "timeout_keep_alive": _KEEP_ALIVE_SECONDS,
    "timeout_worker_healthcheck": _SILENT_SECONDS,
    "h11_max_incomplete_event_size": MAX_HEADERS,
}


def _obeyed(number: int, frame: FrameType | None) -> None:
    """What a signal does once the server has ended."""
