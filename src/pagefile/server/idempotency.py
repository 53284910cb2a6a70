"""Repeated requests: a POST with an ``Idempotency-Key`` is done once, and answered the same when it is sent again."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import anyio
from fastapi import Depends, Header, HTTPException, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute

from pagefile.access import KeptReply
from pagefile.errors import ConflictError, Erased, PagefileError
from pagefile.intake import name_to_keep
from pagefile.language.secrets import redact
from pagefile.memory import AsyncMemory
from pagefile.records import MAX_IDENTIFIER, Scope
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.caller import caller_of, declared_right, state_of

logger = logging.getLogger(__name__)

HEADER = "idempotency-key"
REPLAYED = "Idempotency-Replayed"
#: How long a reply is kept.
KEPT_FOR = timedelta(hours=24)
#: A process that says nothing for so long is taken for dead, and what it was doing may be done by another one.
LEASE = timedelta(seconds=30)
#: How often, and how long apart, one looks whether another process has done it.
_LOOKS, _LOOK_SECONDS = 20, 0.25
#: Characters of a reply that is kept.
MOST_KEPT = 256_000
#: What is kept of the headers.
_KEPT_HEADERS = ("etag", "x-pagefile-waiting")
#: Set in a request's state by a route whose reply must not be kept.
UNKEPT = "unkept"
#: What the journal itself does once under a key, and answers again.
_ONCE_BY_ITSELF = "/messages"
#: Parameters of the query that say nothing about what is to be done.
_MANNER = frozenset({"wait"})

#: Bytes of a body from which on nobody can guess it, and looking it through for secrets would take long.
_LARGE = 200_000

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class _Locks:
    """One request under a key at a time, in this process."""

    def __init__(self) -> None:
        self._of_memory: WeakKeyDictionary[AsyncMemory, WeakValueDictionary[tuple[Scope, str], asyncio.Lock]] = WeakKeyDictionary()

    def of(self, memory: AsyncMemory, scope: Scope, key: str) -> asyncio.Lock:
        locks = self._of_memory.setdefault(memory, WeakValueDictionary())
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
    """A route whose POST is done once under an ``Idempotency-Key``, by whichever process. Only what succeeded is kept: what failed changed
    nothing. A POST that only reads is answered anew each time: nothing is kept of it."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        super().__init__(path, endpoint, **given)
        if self._is_once():
            described = [*(given.pop("dependencies", None) or ()), Depends(_described)]
            super().__init__(path, endpoint, **given, dependencies=described)

    def _is_once(self) -> bool:
        return "POST" in (self.methods or ()) and declared_right(self) != "read"

    def get_route_handler(self) -> Handler:
        handler = super().get_route_handler()
        if not self._is_once():
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
        async with _locks.of(state.memory, scope, key):
            doing = _Doing(mine, state.now, key, known_by)
            kept = await doing.begin()
            if kept is not None and (answer := _again(kept, known_by, self.path_format)) is not None:
                return answer
            try:
                if not self.path_format.endswith(_ONCE_BY_ITSELF):
                    await _refuse_erased(mine, key, known_by, state.now())
                response = await doing.meanwhile(handler(request))
                body = None if isinstance(response, StreamingResponse) or response.status_code >= 300 else bytes(response.body).decode()
                if body is not None and not getattr(request.state, UNKEPT, False):
                    await doing.done(response, body)
            finally:
                await doing.end()
            return response


class _Doing:
    """A request that is being done: no other process begins with it meanwhile."""

    def __init__(self, mine: AsyncScopedMemory, now: Callable[[], datetime], key: str, known_by: str) -> None:
        self._mine = mine
        self._now = now
        self._promise = KeptReply(key=key, fingerprint=known_by, status=0, body=uuid.uuid4().hex, expires_at=now())
        self._holds = False

    async def begin(self) -> KeptReply | None:
        """Begin; what was answered, if it is done already. Raises HTTPException 409 if another process is at it for long."""
        for left in reversed(range(_LOOKS)):
            found = await self._hold()
            if found.status:
                return found
            if found.body == self._promise.body:
                self._holds = True
                return None
            if found.fingerprint != self._promise.fingerprint:
                raise _other(found)
            if left:
                await asyncio.sleep(_LOOK_SECONDS)
        raise HTTPException(
            409,
            "the same request is being done at this moment, under the same Idempotency-Key; wait a moment, and send it again",
            {"Retry-After": "2"},
        )

    async def meanwhile(self, work: Coroutine[Any, Any, Response]) -> Response:
        """Do it, and say now and then that it is still being done."""
        saying = asyncio.create_task(self._go_on()) if self._holds else None
        try:
            return await work
        finally:
            if saying is not None:
                saying.cancel()
                await asyncio.wait([saying])

    async def done(self, response: Response, body: str) -> None:
        """Keep what is answered; of a body that is too large only that there was one."""
        headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
        whole = json.dumps({"headers": headers, "body": body if len(body) <= MOST_KEPT else None}, ensure_ascii=False)
        expires_at = self._now() + KEPT_FOR
        await self._mine.keep_reply(replace(self._promise, status=response.status_code, body=whole, expires_at=expires_at))
        self._holds = False

    async def end(self) -> None:
        """Whatever came of it, it is not being done any more."""
        if self._holds:
            self._holds = False
            with anyio.CancelScope(shield=True):
                await self._mine.keep_reply(replace(self._promise, expires_at=self._now()))

    async def _hold(self) -> KeptReply:
        return await self._mine.keep_reply(replace(self._promise, expires_at=self._now() + LEASE))

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            try:
                await self._hold()
            except PagefileError as error:
                logger.warning("it could not be said that a request is still being done: %s", error)


def _again(kept: KeptReply, known_by: str, path: str) -> Response | None:
    """The answer that was given; None: it was too large, and doing it again changes nothing and gives it."""
    if kept.fingerprint != known_by:
        raise _other(kept)
    whole = json.loads(kept.body)
    if whole["body"] is None:
        if path.endswith(_ONCE_BY_ITSELF):
            return None
        raise ConflictError(
            "it was done already, under this Idempotency-Key; its reply was too large to be kept, so read what there is now"
        )
    response = Response(whole["body"], kept.status, whole["headers"], media_type=JSONResponse.media_type)
    response.headers[REPLAYED] = "true"
    return response


async def _refuse_erased(mine: AsyncScopedMemory, key: str, known_by: str, now: datetime) -> None:
    """A client that has not heard the answer sends its request again; what was erased meanwhile does not come back by it."""
    erased_at = await mine.reply_erased(key, known_by)
    if erased_at is not None and erased_at + KEPT_FOR > now:
        raise Erased(
            "it was done already, under this Idempotency-Key; what was answered has been erased since, and it is not done again. Read what "
            "there is now, and give the request a key of its own if it is meant anew"
        )


def _other(kept: KeptReply) -> ConflictError:
    return ConflictError(f"another request was sent under the Idempotency-Key {kept.key!r:.80}; give this one a key of its own")


async def _fingerprint(request: Request) -> str:
    """A hash of what is asked. No secret is in it, as a short one could be guessed from it, unless there is much else in it."""
    body = await request.body()
    query = sorted((name, value) for name, value in request.query_params.multi_items() if name not in _MANNER)

    def made() -> str:
        whole = hashlib.sha256(repr((request.method, request.url.path, query)).encode("utf-8", "surrogatepass"))
        whole.update(redact(body.decode("utf-8", "replace")).text.encode() if len(body) <= _LARGE else body)
        return whole.hexdigest()

    return await asyncio.to_thread(made)
