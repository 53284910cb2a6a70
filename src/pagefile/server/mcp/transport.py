"""JSON-RPC over standard input and output, for the SDK's server.

The SDK's own transport drops what is no message without a word, leaves requests unanswered if the client closes its end, and cannot begin
with a message that was read before. Here a line that cannot be read is answered with an error, and what was asked is answered before the
end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pagefile.server.mcp.greeting import MOST_BYTES, Wire

logger = logging.getLogger(__name__)

Id: TypeAlias = str | int
#: Seconds that requests get to be answered when the client has closed its end.
_LINGER_SECONDS = 60.0
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Transport:
    """The client's lines as messages, and messages as lines."""

    def __init__(self, wire: Wire, *, first: bytes | None, greeting: bytes | None) -> None:
        """``first``: the line that was read already; ``greeting``: how it was answered, if it was."""
        self._wire = wire
        self._first = first
        self._greeting = greeting
        self._greeted: Id | None = None if greeting is None else json.loads(greeting)["id"]
        self._waiting: set[Id] = set()
        self._answered = anyio.Event()
        self._lock = anyio.Lock()

    @asynccontextmanager
    async def streams(
        self,
    ) -> AsyncIterator[tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]]:
        """What the SDK's server reads from and writes to."""
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, to_server)
            group.start_soon(self._write, from_server, group.cancel_scope.cancel)
            yield from_client, to_client

    # --- from the client -------------------------------------------------------------------------------------------------

    async def _read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with to_server:
            try:
                if self._first is not None:
                    await self._take(self._first, to_server)
                    async for line in _lines(self._wire):
                        await self._take(line, to_server)
                await self._all_answered()
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                logger.debug("the server ended before the client")

    async def _take(self, line: bytes, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        message = await self._message(line)
        if message is None:
            return
        if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
            self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            # What was cancelled is not answered.
            self._waiting.discard((message.params or {}).get("requestId", ""))
        await to_server.send(SessionMessage(message))

    async def _message(self, line: bytes) -> types.JSONRPCMessage | None:
        """The message of a line; None: there is none, and the client was told."""
        if not line.strip():
            return None
        if len(line) > MOST_BYTES:
            await self._refuse(types.INVALID_REQUEST, f"a line of more than {MOST_BYTES} bytes is not read; send less")
            return None
        text = line.decode("utf-8", "replace")
        if _SURROGATE.search(text):
            text = _without_lone_surrogates(text)
        try:
            return types.jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValidationError:
            await self._unreadable(text)
            return None

    async def _unreadable(self, text: str) -> None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            await self._refuse(types.PARSE_ERROR, "this line is no JSON; send one message of JSON-RPC 2.0 on each line")
            return
        id = value.get("id") if isinstance(value, dict) else None
        if isinstance(value, dict) and "method" not in value and ("result" in value or "error" in value):
            return  # an answer to nothing that was asked; it must not be answered
        known = id if isinstance(id, str | int) and not isinstance(id, bool) else None
        await self._refuse(
            types.INVALID_REQUEST, "this is no message of JSON-RPC 2.0; it needs jsonrpc, method and, to be answered, id", known
        )

    async def _refuse(self, code: int, message: str, id: Id | None = None) -> None:
        await self._send({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})

    async def _all_answered(self) -> None:
        """Wait until what was asked is answered: whoever pipes a few lines in wants to see what comes of them."""
        with anyio.move_on_after(_LINGER_SECONDS):
            while self._waiting:
                self._answered = anyio.Event()
                await self._answered.wait()

    # --- to the client ---------------------------------------------------------------------------------------------------

    async def _write(self, from_server: MemoryObjectReceiveStream[SessionMessage], left: Callable[[], None]) -> None:
        async with from_server:
            try:
                async for message in from_server:
                    await self._answer(message.message)
            except OSError as error:
                logger.debug("the client has left: %s", error)
                left()

    async def _answer(self, message: types.JSONRPCMessage) -> None:
        done = message.id if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
        try:
            text = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        except ValueError:
            logger.exception("an answer cannot be written")
            failed = {"code": types.INTERNAL_ERROR, "message": "the answer cannot be written"}
            text = json.dumps({"jsonrpc": "2.0", "id": done, "error": failed}).encode()
        try:
            if done is not None and done == self._greeted:
                self._greeted = None
                if json.loads(text) != json.loads(self._greeting or b"null"):
                    logger.warning("the client was greeted in other words than the SDK has: %s", text[:500].decode("utf-8", "replace"))
            else:
                await self._put(text)
        finally:
            if done is not None:
                self._waiting.discard(done)
                self._answered.set()

    async def _send(self, message: dict[str, Any]) -> None:
        await self._put(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))

    async def _put(self, line: bytes) -> None:
        # A client that does not read must not hold up the others here; two lines must not mix.
        async with self._lock:
            await anyio.to_thread.run_sync(self._wire.send, line)


async def _lines(wire: Wire) -> AsyncIterator[bytes]:
    """The lines that come, read by a thread of its own: it is a daemon, so that one that waits does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    put, get = anyio.create_memory_object_stream[bytes](0)

    def read() -> None:
        send: Callable[[bytes], Awaitable[None]] = put.send
        try:
            while (line := wire.line()) is not None:
                asyncio.run_coroutine_threadsafe(_give(send, line), loop).result()
        except (OSError, RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # nobody reads any more
        finally:
            if not loop.is_closed():
                loop.call_soon_threadsafe(put.close)

    threading.Thread(target=read, name="mcp-input", daemon=True).start()
    async with get:
        async for line in get:
            yield line


async def _give(send: Callable[[bytes], Awaitable[None]], line: bytes) -> None:
    await send(line)


def _without_lone_surrogates(text: str) -> str:
    """The JSON text with U+FFFD for halves of characters: Python cannot send them on, and nobody means them."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
