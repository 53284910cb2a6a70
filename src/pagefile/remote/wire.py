"""Requests to a server, and its answers as our own values and errors."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import aclosing
from datetime import date
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter

import pagefile.errors as errors
from pagefile.records import Scope

T = TypeVar("T")

PREFIX = "/api/v1"
#: Times a request is sent at most: one that did not reach the server, or whose answer did not come back, if it is done once all the same.
_TRIES = 3
#: The server was not reached: nothing was done.
_NOT_REACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_KEY = "Idempotency-Key"
_PAUSE_SECONDS = 0.2
#: What the server calls a kind of error → what it is here.
_ERRORS: Mapping[str, type[errors.PagefileError]] = {
    "not-found": errors.NotFound,
    "session-busy": errors.SessionBusy,
    "erased": errors.Erased,
    "conflict": errors.ConflictError,
    "precondition-failed": errors.ConflictError,
    "block-full": errors.BlockFull,
    "invalid-identifier": errors.InvalidIdentifier,
    "invalid-input": errors.InputError,
    "not-authenticated": errors.NotAuthenticated,
    "not-allowed": errors.NotAllowed,
    "too-many-requests": errors.TooMany,
    "store-unavailable": errors.StoreUnavailable,
    "context-exceeded": errors.ContextExceeded,
    "model-refused": errors.ModelRefused,
    "model-unavailable": errors.ModelUnavailable,
    "embedder-failed": errors.EmbedderError,
}


class Refusal(errors.InputError):
    """The server says of single fields what is wrong with them."""

    def __init__(self, message: str, fields: Mapping[str, str]) -> None:
        super().__init__(message)
        #: Path of the field → what is wrong.
        self.fields = fields


class Wire:
    """The way to one server."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self.url = url

    def of(self, scope: Scope) -> ScopedWire:
        """The way to the memory of one user."""
        return ScopedWire(self, scope)

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any],
        headers: Mapping[str, str],
        body: Any = None,
        content: AsyncIterable[bytes] | None = None,
        reads: bool = False,
    ) -> httpx.Response:
        """One request, sent again if the connection fails and that cannot do it twice. Raises what the server answers as an error,
        StoreUnavailable if it does not. ``reads``: it changes nothing."""
        sent = dict(headers)
        if method == "POST" and content is None and not reads:
            sent.setdefault(_KEY, uuid.uuid4().hex)
        repeatable = reads or method == "GET" or _KEY in sent or (method == "PUT" and "If-Match" not in sent)
        given: dict[str, Any] = {"content": content} if content is not None else {}
        if body is not None:
            given["content"] = json.dumps(plain(body)).encode()
            sent["Content-Type"] = "application/json"
        for left in reversed(range(_TRIES if content is None else 1)):
            try:
                reply = await self._client.request(method, f"{PREFIX}{path}", params=flat(query), headers=sent, **given)
                break
            except httpx.TransportError as error:
                if not left or not (repeatable or isinstance(error, _NOT_REACHED)):
                    raise self.unreachable(error) from error
                await asyncio.sleep(_PAUSE_SECONDS)
        raise_for(reply)
        return reply

    async def lines(self, method: str, path: str, *, query: Mapping[str, Any], body: Any = None) -> AsyncGenerator[str, None]:
        """The lines of an answer, as they come."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        content = None if body is None else json.dumps(plain(body)).encode()
        try:
            async with self._client.stream(
                method, f"{PREFIX}{path}", params=flat(query), headers=headers, content=content, timeout=None
            ) as reply:
                if reply.status_code >= 400:
                    await reply.aread()
                raise_for(reply)
                async for line in _lines(reply.aiter_bytes()):
                    yield line
        except httpx.TransportError as error:
            raise self.unreachable(error) from error

    def unreachable(self, error: Exception) -> errors.StoreUnavailable:
        """What is said when no answer comes."""
        told = f"the server at {self.url} does not answer ({type(error).__name__}: {error})"
        return errors.StoreUnavailable(f"{told}; start it with `pagefile serve`, or check the address")


class ScopedWire:
    """The way to the memory of one user on a server."""

    def __init__(self, wire: Wire, scope: Scope) -> None:
        self._wire = wire
        self.query = {"user": scope.user, "tenant": scope.tenant}

    async def get(self, path: str, kind: type[T], **query: Any) -> T:
        return read(kind, await self._wire.send("GET", path, query={**self.query, **query}, headers={}))

    async def post(self, path: str, kind: type[T], body: Any = None, *, key: str | None = None, **query: Any) -> T:
        headers = {} if key is None else {_KEY: key}
        return read(kind, await self._wire.send("POST", path, query={**self.query, **query}, headers=headers, body=body))

    async def ask(self, path: str, kind: type[T], body: Any) -> T:
        """A POST that only reads."""
        return read(kind, await self._wire.send("POST", path, query=self.query, headers={}, body=body, reads=True))

    async def put(self, path: str, kind: type[T], body: Any, *, headers: Mapping[str, str] | None = None, **query: Any) -> T:
        return read(kind, await self._wire.send("PUT", path, query={**self.query, **query}, headers=headers or {}, body=body))

    async def patch(self, path: str, kind: type[T], body: Any, *, headers: Mapping[str, str]) -> T:
        return read(kind, await self._wire.send("PATCH", path, query=self.query, headers=headers, body=body))

    async def delete(self, path: str, kind: type[T], **query: Any) -> T:
        return read(kind, await self._wire.send("DELETE", path, query={**self.query, **query}, headers={}))

    async def upload(self, path: str, kind: type[T], content: AsyncIterable[bytes], content_type: str, **query: Any) -> T:
        headers = {"Content-Type": content_type}
        return read(kind, await self._wire.send("POST", path, query={**self.query, **query}, headers=headers, content=content))

    async def header(self, path: str, name: str, **query: Any) -> str:
        """A header of the answer."""
        reply = await self._wire.send("GET", path, query={**self.query, **query}, headers={})
        return str(reply.headers.get(name, ""))

    async def lines(self, method: str, path: str, body: Any = None) -> AsyncGenerator[str, None]:
        async with aclosing(self._wire.lines(method, path, query=self.query, body=body)) as lines:
            async for line in lines:
                yield line


async def _lines(pieces: AsyncIterable[bytes]) -> AsyncGenerator[str, None]:
    """The lines of a text: they end with a line feed alone, as texts in JSON may hold the other characters that end lines in Unicode."""
    left: list[bytes] = []
    async for piece in pieces:
        first, *others = piece.split(b"\n")
        left.append(first)
        for other in others:
            yield b"".join(left).decode()
            left = [other]
    if last := b"".join(left):
        yield last.decode()


def name(value: object) -> str:
    """A name as a part of a path. Dots alone would be taken for a way up."""
    text = quote(str(value), safe="", errors="replace")
    return text.replace(".", "%2E") if set(text) == {"."} else text


def sent(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {field: value for field, value in fields.items() if value is not None}


def flat(query: Mapping[str, Any]) -> httpx.QueryParams:
    """Parameters of a query: a list is several of one name."""
    pairs: list[tuple[str, str]] = []
    for field, value in plain(query).items():
        values = value if isinstance(value, list) else [value]
        pairs += ((field, str(one).lower() if isinstance(one, bool) else str(one)) for one in values if one is not None)
    return httpx.QueryParams(tuple(pairs))


def plain(value: Any) -> Any:
    """A value in the types of JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(field): plain(one) for field, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return plain(dump(exclude_none=True))
    if value is None or isinstance(value, str | int | float):
        return value
    raise errors.InputError(f"a {type(value).__name__} cannot be sent to a server; give text, numbers, lists and mappings")


@lru_cache(maxsize=256)
def adapter(kind: Any) -> TypeAdapter[Any]:
    """What reads JSON as values of a kind. It takes a while to make."""
    return TypeAdapter(kind)


def read(kind: type[T], reply: httpx.Response) -> T:
    """The value that was answered."""
    value: T = adapter(cast(Any, kind)).validate_json(reply.content)
    return value


def raise_for(reply: httpx.Response) -> None:
    """Raise what the server answered, if it is an error."""
    if reply.status_code < 400:
        return
    try:
        problem = reply.json()
        told, kind = str(problem["detail"]), str(problem["type"]).rpartition(":")[2]
    except (ValueError, KeyError, TypeError):
        raise errors.StoreUnavailable(
            f"{reply.url.host} answered {reply.status_code} and is no Pagefile server; check the address"
        ) from None
    raise error_of(kind, told, problem, reply.headers.get("retry-after"))


def error_of(kind: str, told: str, problem: Mapping[str, Any], retry_after: str | None = None) -> errors.PagefileError:
    """The error that a problem tells of."""
    if fields := {one["where"]: one["problem"] for one in problem.get("errors") or ()}:
        return Refusal("; ".join([told, *(f"{where}: {what}" for where, what in fields.items())]), fields)
    made = _ERRORS.get(kind, errors.InputError if int(problem.get("status", 500)) < 500 else errors.StoreUnavailable)
    if made is errors.TooMany:
        return errors.TooMany(told, retry_after=float(retry_after or 1.0))
    return made(told)
