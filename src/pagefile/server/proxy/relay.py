"""Passes a request on to the endpoint and its answer back, as it comes, and keeps what the model said.

The answer is not changed: status, headers, events and errors are the endpoint's own. What is read along is written to the journal before
the last piece goes out, so that a client which has the whole answer can rely on it; when the client leaves or the endpoint breaks off, what
was said until then is kept.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import anyio
import httpx
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from pagefile.adding import off_loop
from pagefile.errors import StoreError
from pagefile.exchange import Exchange, Form
from pagefile.language.secrets import redact
from pagefile.models.failures import tells_of_context, tells_of_form
from pagefile.server.proxy.replies import Events, Reply, named_tools, whole
from pagefile.server.proxy.upstream import broke_off, encoded, headers_to_pass, key_of, no_answer, unreachable

logger = logging.getLogger(__name__)

#: With what an endpoint refuses a request that it may take in another form.
_REFUSED = frozenset({400, 413, 422, 500, 501})
#: Bytes of a whole answer that are read along.
_LONGEST_REPLY = 32_000_000
#: Bytes of an error that are read before it is decided what comes of it.
_LONGEST_ERROR = 1_000_000
#: Seconds that the beginning of a stream waits for its first event: what breaks off until then can still be told as an error.
_FIRST_SECONDS = 0.25
#: Statuses that a client can make sense of.
_STATUSES = range(200, 600)


@dataclass(kw_only=True)
class Request:
    """What is to be sent."""

    method: str
    #: Below the endpoint's address, with its query.
    path: str
    headers: Mapping[str, str]
    #: As the client sent it.
    content: bytes
    body: Mapping[str, Any] = field(default_factory=dict)


#: With what an endpoint says that it has no such thing.
_HAS_NOT = frozenset({404, 405, 501})


#: Form of the messages that the models of an endpoint take, where it is not the first one: learnt from what they refuse.
_forms: WeakKeyDictionary[httpx.AsyncClient, dict[str, str]] = WeakKeyDictionary()


class Relay(Response):
    """The reply to a client."""

    def __init__(
        self,
        upstream: httpx.AsyncClient,
        request: Request,
        *,
        exchange: Exchange | None = None,
        instead: Callable[[], Awaitable[Response]] | None = None,
    ) -> None:
        """``instead``: makes the reply where the endpoint has none of what is asked for."""
        super().__init__()
        self._upstream = upstream
        self._request = request
        self._exchange = exchange
        self._instead = instead
        self._reply = Reply(named_tools(request.body))
        self._settled = False
        #: The request went out without what is remembered, because the endpoint refused it otherwise.
        self._plain = False
        #: In which form it went out, and what was said after it in this request.
        self._form: Form | None = None
        self._more: list[Mapping[str, Any]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await while_wanted(receive, lambda: self._answer(scope, receive, send))
        except Broken as broken:
            # What was begun cannot be taken back. The connection ends without its end, as it did with the endpoint.
            logger.warning("the endpoint broke off in the middle of an answer: %s", broken)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self._opened()
        except httpx.HTTPError as error:
            raise unreachable(error, self._upstream) from None
        try:
            if self._instead is not None and response.status_code in _HAS_NOT:
                await (await self._instead())(scope, receive, send)
            else:
                await self._pass(response, scope["state"], send)
        finally:
            with anyio.CancelScope(shield=True):
                if response.status_code < 300:
                    await self._settle(interrupted=True)
                await response.aclose()

    # --- to the endpoint ---------------------------------------------------------------------------------------------------

    async def _opened(self) -> httpx.Response:
        """The endpoint's answer; where it refuses what was added, its answer to the request as the client made it."""
        forms, words = self._forms_to_try(), ""
        for form in forms:
            response = await self._send(form)
            if form is None or response.status_code not in _REFUSED:
                if form != forms[0] and response.status_code < 300:
                    self._learn(form, words)
                self._plain = form is None and self._exchange is not None
                return response
            words = (await response.aread())[:_LONGEST_ERROR].decode("utf-8", "replace")
            await response.aclose()
            if form == "own" and not tells_of_form(words):
                response = await self._send(None)
                self._plain = True
                return response
        raise AssertionError("the last form is sent as it is")

    def _forms_to_try(self) -> list[Form | None]:
        if self._exchange is None or not (self._exchange.memories.prefix or self._exchange.memories.notes):
            return [None]
        known = _forms.setdefault(self._upstream, {}).get(self._model)
        every: list[Form | None] = ["own", "joined", None]
        return every if known is None else every[1:] if known == "joined" else [None]

    def _learn(self, form: Form | None, words: str) -> None:
        if not tells_of_context(words):
            _forms.setdefault(self._upstream, {})[self._model] = form or "none"

    @property
    def _model(self) -> str:
        return str(self._request.body.get("model", ""))

    def _composed(self, exchange: Exchange, form: Form) -> dict[str, Any]:
        """The body with what is remembered in it."""
        return {**self._body(), "messages": [*exchange.messages(form), *self._more]}

    def _body(self) -> dict[str, Any]:
        return dict(self._request.body)

    async def _send(self, form: Form | None) -> httpx.Response:
        content = self._request.content
        if form is not None and self._exchange is not None:
            self._form = form
            content = await off_loop(len(content), lambda exchange, form: as_json(self._composed(exchange, form)), self._exchange, form)
        request = self._upstream.build_request(
            self._request.method, self._request.path, headers=dict(self._request.headers), content=content or None
        )
        fresh = False

        async def note(event: str, details: Mapping[str, Any]) -> None:
            nonlocal fresh
            fresh = fresh or event.startswith("connection.connect_")

        request.extensions["trace"] = note
        try:
            return await self._upstream.send(request, stream=True)
        except (httpx.RemoteProtocolError, httpx.WriteError) as error:
            # A connection that was kept open is often closed by the other side just when it is used again. After anything else the endpoint
            # may be at work on the request, and would do it, and charge for it, twice.
            if fresh or not (isinstance(error, httpx.WriteError) or str(error).startswith("Server disconnected")):
                raise
            return await self._upstream.send(request, stream=True)

    # --- to the client -----------------------------------------------------------------------------------------------------

    async def _pass(self, response: httpx.Response, state: MutableMapping[str, Any], send: Send) -> None:
        if response.status_code not in _STATUSES:
            raise no_answer(response.status_code, self._upstream)
        given = response.headers.get("x-request-id")
        if given and not redact(given).count:
            # The endpoint's own: its people ask for it. It stands in our log, too, and so has no secret in it.
            state["request_id"] = (given if given.isascii() and given.isprintable() else percent_encoded(given))[:200]
        streams = "text/event-stream" in response.headers.get("content-type", "")
        headers = encoded(headers_to_pass(response.headers, upstream=self._upstream), self._about_memory())
        beginning = _Beginning(send, {"type": "http.response.start", "status": response.status_code, "headers": headers})
        pieces = self._events(response) if streams else self._whole(response)
        try:
            async with beginning.after(_FIRST_SECONDS if streams else None):
                async for piece in pieces:
                    await beginning.now()
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        except Broken as broken:
            if beginning.sent:
                raise
            raise broke_off(self._upstream, str(broken)) from None
        await beginning.now()
        await send({"type": "http.response.body", "body": b""})

    def _about_memory(self) -> dict[str, str]:
        return {} if self._exchange is None else about_memory(self._exchange, plain=self._plain)

    async def _events(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        events = Events()
        async for piece in self._pieces(response):
            self._feed(events.feed(piece))
            if events.done:
                await self._settle()
            yield piece
        self._feed(events.finish())
        await self._settle(interrupted=self._reply.finish is None)

    async def _whole(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The answer, its last piece when what it says is kept."""
        read, size, held = list[bytes](), 0, b""
        hidden = key_of(self._upstream).encode() if response.status_code >= 400 else b""
        async for piece in self._pieces(response):
            if len(hidden) >= 8:
                held += piece
                if len(held) < _LONGEST_ERROR:
                    continue  # a key could be cut in two
                piece, held = held.replace(hidden, b"[key]"), b""
            if held:
                yield held
            held = piece
            size += len(piece)
            read = [*read, piece] if self._reads and size < _LONGEST_REPLY else []
        if len(hidden) >= 8:
            held = held.replace(hidden, b"[key]")
        elif self._reads and response.status_code < 300:
            self._feed([whole(b"".join(read))])
            await self._settle()
        if held:
            yield held

    async def _pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in response.aiter_bytes():
                if piece:
                    yield piece
        except httpx.HTTPError as error:
            raise Broken(type(error).__name__) from error

    @property
    def _reads(self) -> bool:
        """Whether the answer is read along."""
        return self._exchange is not None

    def _feed(self, values: list[Any]) -> None:
        if self._reads:
            for value in values:
                self._reply.feed(value)

    async def _settle(self, *, interrupted: bool = False) -> None:
        """Keep what the model said, once."""
        if self._settled or self._exchange is None:
            return
        self._settled = True
        cut = interrupted and self._reply.finish is None
        with anyio.CancelScope(shield=True):
            await keep(self._exchange, self._reply, interrupted=cut)


class _Beginning:
    """Sends status and headers, once."""

    def __init__(self, send: Send, message: Message) -> None:
        self._send = send
        self._message = message
        self._lock = asyncio.Lock()
        self.sent = False

    async def now(self) -> None:
        """Send them, if they were not sent."""
        if self.sent and not self._lock.locked():
            return
        async with self._lock:
            if not self.sent:
                self.sent = True
                await self._send(self._message)

    @asynccontextmanager
    async def after(self, seconds: float | None) -> AsyncGenerator[None, None]:
        """Meanwhile, send them when so many seconds have passed. None: never."""
        if seconds is None:
            yield
            return

        async def wait() -> None:
            await asyncio.sleep(seconds)
            await self.now()

        waiting = asyncio.create_task(wait(), name="pagefile-beginning")
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True):
                # What has begun to be sent is sent.
                async with self._lock:
                    waiting.cancel()
                await asyncio.wait([waiting])


class Broken(Exception):
    """The endpoint broke off."""


async def while_wanted(receive: Receive, answer: Callable[[], Awaitable[None]]) -> None:
    """Answer until the client leaves. What the answer raises is raised as it is."""
    failed: Exception | None = None
    async with anyio.create_task_group() as group:

        async def leave() -> None:
            while (await receive())["type"] != "http.disconnect":
                continue
            group.cancel_scope.cancel()

        group.start_soon(leave)
        try:
            await answer()
        except Exception as error:
            # Not out of the group, which would wrap it in one of its own.
            failed = error
        group.cancel_scope.cancel()
    if failed is not None:
        raise failed


async def keep(exchange: Exchange, reply: Reply, *, interrupted: bool = False, echo: bool = False) -> None:
    """Write a reply into the journal. A store that fails now must not take the reply from the client."""
    try:
        await exchange.reply(reply.message, interrupted=interrupted, usage=reply.usage, echo=echo, model=reply.model)
    except StoreError as error:
        logger.error("a reply could not be kept: %s", error)


def about_memory(exchange: Exchange, *, plain: bool = False) -> dict[str, str]:
    """Headers that tell a client what memory did."""
    from_memory = 0 if plain else len(exchange.memories.hits)
    told = {"X-Pagefile-Recalled": str(from_memory)}
    if exchange.session is not None:
        told["X-Pagefile-Session"] = percent_encoded(exchange.session)
    return told


def percent_encoded(text: str) -> str:
    """A text as it can stand in a header."""
    return "".join(letter if letter.isascii() and letter.isprintable() and letter != "%" else _percent(letter) for letter in text)


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "replace"))


def as_json(value: Any) -> bytes:
    """A value as JSON. Letters stay letters where they can be encoded."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")
