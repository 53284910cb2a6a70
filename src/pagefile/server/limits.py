"""How many requests a minute, and how many bytes a body may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagefile.server.problems import problem

MINUTE = 60.0
#: Bytes of a request before its body.
MAX_HEADERS = 32_768
#: Addresses and keys that are remembered at once; when there are more, those that are not over their limit are forgotten.
_MOST_NAMES = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """A token bucket for each name: so many a minute, all of which may come at once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, name: str, per_minute: int) -> float:
        """Count one; returns 0.0 if it is allowed, else the seconds until the next one would be."""
        bucket = self._buckets.get(name)
        if bucket is None:
            self._forget()
            bucket = self._buckets[name] = _Bucket(float(per_minute), self._clock())
        wait = self._wait(bucket, per_minute)
        if not wait:
            bucket.left -= 1.0
        return wait

    def wait(self, name: str, per_minute: int) -> float:
        """The same, but nothing is counted."""
        bucket = self._buckets.get(name)
        return 0.0 if bucket is None else self._wait(bucket, per_minute)

    def _wait(self, bucket: _Bucket, per_minute: int) -> float:
        now = self._clock()
        bucket.left = min(float(per_minute), bucket.left + (now - bucket.at) * per_minute / MINUTE)
        bucket.at = now
        if bucket.left >= 1.0:
            return 0.0
        return (1.0 - bucket.left) * MINUTE / per_minute if per_minute else MINUTE

    def _forget(self) -> None:
        if len(self._buckets) >= _MOST_NAMES:
            full = {name: bucket for name, bucket in self._buckets.items() if bucket.left < 1.0}
            self._buckets = full if len(full) < _MOST_NAMES else {}


class BodyTooLarge(HTTPException):
    """A body has more bytes than are allowed."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"the body of a request may have {most:,} bytes; send less at once, or raise PAGEFILE_MAX_BODY on the server")


class SizeLimit:
    """Refuses headers that are too large, and bodies: by the length that was announced before anything is read, else as they come in."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _head_bytes(scope) > MAX_HEADERS:
            detail = f"the address and headers of a request may have {MAX_HEADERS:,} bytes together; send what is long in the body"
            await _refuse(scope, receive, send, status=431, kind="headers-too-large", detail=detail)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isascii() and announced.isdigit() and int(announced) > self.most:
            await self._refuse_body(scope, receive, send)
            return
        read, started = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                raise BodyTooLarge(self.most)
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except BodyTooLarge:
            if started:
                raise
            await self._refuse_body(scope, receive, send)

    async def _refuse_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _refuse(scope, receive, send, status=413, kind="content-too-large", detail=BodyTooLarge(self.most).detail)


def _head_bytes(scope: Scope) -> int:
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return headers + len(scope.get("raw_path") or b"") + len(scope["query_string"])


async def _refuse(scope: Scope, receive: Receive, send: Send, *, status: int, kind: str, detail: str) -> None:
    # What is left of the request is not read, so the connection is of no more use.
    request_id = scope["state"].get("request_id", "none")
    reply = problem(status=status, kind=kind, detail=detail, path=scope["path"], request_id=request_id, headers={"Connection": "close"})
    await reply(scope, receive, send)
