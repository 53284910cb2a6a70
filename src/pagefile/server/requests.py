"""What every request gets, whatever answers it: an id, safe headers, a line in the log, a count, and an answer when all else fails."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uuid_utils
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import pagefile.records as records
from pagefile.language.secrets import redact
from pagefile.server.logs import UserNames
from pagefile.server.problems import of_error, shutting_down

logger = logging.getLogger("pagefile.server.requests")

_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
#: The server's own pages load nothing from elsewhere, and nobody may show them in a frame. Scripts and styles are files of their own.
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
#: Replies that tell of somebody's memory stay in nobody's cache. A route may say otherwise.
_NO_STORE = {"Cache-Control": "no-store"}
#: When nobody waits any more for the answer: nginx's number for it.
_CLIENT_LEFT = 499


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came of a request: numbers and names of the server's own, nothing that anybody said."""

    request_id: str
    method: str
    #: The path as the route has it, without what stands in its place; "none" where no route fits.
    route: str
    status: int
    #: Until the reply began, and until it ended.
    first_ms: float
    ms: float


class RequestContext:
    """The outermost middleware."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: UserNames,
        answered: Callable[[Answered], None],
        closing: asyncio.Event,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """``closing``: set when the server is about to end."""
        self.app = app
        self._closing = closing
        self._names = names
        self._answered = answered
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # A server may share one state between requests; this one is for this request alone.
        scope["state"] = {**scope.get("state", {}), "request_id": _request_id(Headers(scope=scope))}
        began, status, first = self._clock(), 0, 0.0

        async def noted(message: Message) -> None:
            nonlocal status, first
            if message["type"] == "http.response.start":
                status, first = message["status"], self._clock() - began
                _add_headers(message, scope["state"]["request_id"])
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:
            if not self._closing.is_set():
                raise
            # The server waited as long as it may. Whoever waits still is told so; what has begun to be sent just ends.
            if not status:
                await shutting_down(path=scope["path"], request_id=scope["state"]["request_id"])(scope, receive, noted)
        except Exception as error:
            # The whole error is told to nobody: it may have words of a user in it. The log has its kind and where it happened.
            logger.error("a request failed", exc_info=error, extra={"fields": {"request_id": scope["state"]["request_id"]}})
            if not status:
                await of_error(error, path=scope["path"], request_id=scope["state"]["request_id"])(scope, receive, noted)
        finally:
            self._tell(scope, status or _CLIENT_LEFT, first, self._clock() - began)

    def _tell(self, scope: Scope, status: int, first: float, seconds: float) -> None:
        state = scope["state"]
        done = Answered(
            request_id=state["request_id"],
            method=scope["method"] if scope["method"] in _METHODS else "OTHER",
            route=route_of(scope),
            status=status,
            first_ms=round(first * 1_000, 2),
            ms=round(seconds * 1_000, 2),
        )
        self._answered(done)
        # Whoever asks whether all is well asks often, and of interest is only when it is not.
        level = logging.DEBUG if done.route in _PROBES and status < 400 else logging.INFO
        logger.log(level, "%s %s %d", done.method, done.route, done.status, extra={"fields": {**_fields(done), **self._who(state)}})

    def _who(self, state: dict[str, Any]) -> dict[str, str]:
        caller, scope = state.get("caller"), state.get("scope")
        key = {"key": caller.key.id} if caller is not None and caller.key is not None else {}
        return {**key, **({"user": self._names.of(scope)} if isinstance(scope, records.Scope) else {})}


_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def route_of(scope: Scope) -> str:
    """The path of the route that answered, as it was declared."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    if path is None:
        return "none"
    return str(path) or "/"


def _fields(done: Answered) -> dict[str, object]:
    names = ("request_id", "method", "route", "status", "first_ms", "ms")
    return {name: getattr(done, name) for name in names}


def _request_id(headers: Headers) -> str:
    given = headers.get("x-request-id", "")
    return given if _REQUEST_ID.fullmatch(given) and not redact(given).count else uuid_utils.uuid7().hex


def _add_headers(message: Message, request_id: str) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in {**SAFE_HEADERS, **_NO_STORE}.items():
        headers.setdefault(name, value)
    headers["X-Request-Id"] = request_id
