"""Repeated requests: a POST with an ``Idempotency-Key`` is done once, and answered the same when it is sent again."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Annotated, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from fastapi import Depends, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute

from pagefile.access import KeptReply
from pagefile.errors import ConflictError
from pagefile.intake import name_to_keep
from pagefile.language.secrets import redact
from pagefile.records import MAX_IDENTIFIER, Scope
from pagefile.server.caller import caller_of, declared_right, state_of

HEADER = "idempotency-key"
REPLAYED = "Idempotency-Replayed"
#: How long a reply is kept.
KEPT_FOR = timedelta(hours=24)
#: Parameters of the query that say nothing about what is to be done.
_MANNER = frozenset({"wait"})

#: Bytes of a body from which on nobody can guess it, and looking it through for secrets would take long.
_LARGE = 200_000

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class _Locks:
    """One request under a key at a time, in this process."""

    def __init__(self) -> None:
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, WeakValueDictionary[tuple[Scope, str], asyncio.Lock]] = (
            WeakKeyDictionary()
        )

    def of(self, scope: Scope, key: str) -> asyncio.Lock:
        locks = self._of_loop.setdefault(asyncio.get_running_loop(), WeakValueDictionary())
        return locks.setdefault((scope, key), asyncio.Lock())


_locks = _Locks()


async def _described(
    idempotency_key: Annotated[
        str | None,
        Header(
            description="Any text of your own. The same request under the same key is done once and answered the same for 24 hours; "
            "another one under it is refused with 409.",
            max_length=MAX_IDENTIFIER,
            examples=["b5c1f9a0-import-7"],
        ),
    ] = None,
) -> None:
    """Puts the header into the OpenAPI document."""


class OnceRoute(APIRoute):
    """A route whose POST is done once under an ``Idempotency-Key``. Only what succeeded is kept: what failed changed nothing."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        if "POST" in (given.get("methods") or ()):
            given["dependencies"] = [*(given.get("dependencies") or ()), Depends(_described)]
        super().__init__(path, endpoint, **given)

    def get_route_handler(self) -> Handler:
        handler = super().get_route_handler()
        if "POST" not in (self.methods or ()):
            return handler

        async def once(request: Request) -> Response:
            given = request.headers.get(HEADER)
            return await handler(request) if given is None else await self._once(request, handler, given)

        return once

    async def _once(self, request: Request, handler: Handler, given: str) -> Response:
        right = declared_right(self)
        assert right is not None, f"{self.path} says no right"
        asked = request.query_params
        scope = caller_of(request).scope(asked.get("user"), tenant=asked.get("tenant"), right=right)
        key = name_to_keep(given, "Idempotency-Key")
        state = state_of(request)
        mine = state.memory.scope(scope.user, tenant=scope.tenant)
        known_by = await _fingerprint(request)
        async with _locks.of(scope, key):
            kept = await mine.kept_reply(key)
            if kept is not None:
                return _again(kept, known_by)
            response = await handler(request)
            if response.status_code < 300 and not isinstance(response, StreamingResponse):
                body = bytes(response.body).decode()
                expires_at = state.now() + KEPT_FOR
                await mine.keep_reply(
                    KeptReply(key=key, fingerprint=known_by, status=response.status_code, body=body, expires_at=expires_at)
                )
            return response


def _again(kept: KeptReply, known_by: str) -> Response:
    if kept.fingerprint != known_by:
        raise ConflictError(f"another request was sent under the Idempotency-Key {kept.key!r:.80}; give this one a key of its own")
    response = Response(kept.body, kept.status, media_type=JSONResponse.media_type)
    response.headers[REPLAYED] = "true"
    return response


async def _fingerprint(request: Request) -> str:
    """A hash of what is asked. No secret is in it, as a short one could be guessed from it, unless there is much else in it."""
    body = await request.body()
    query = sorted((name, value) for name, value in request.query_params.multi_items() if name not in _MANNER)

    def made() -> str:
        whole = hashlib.sha256(repr((request.method, request.url.path, query)).encode("utf-8", "surrogatepass"))
        whole.update(redact(body.decode("utf-8", "replace")).text.encode() if len(body) <= _LARGE else body)
        return whole.hexdigest()

    return await asyncio.to_thread(made)
