"""MCP over streamable HTTP: an ASGI app inside the server, without sessions, so that any worker can answer any request.

Whose memory a request reaches comes from its key, and where a key may speak for several users from the headers that a person writes into
the host's settings beside the key: never from what a model writes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import unquote

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

import pagefile.records as records
from pagefile.access import Right
from pagefile.errors import AccessError, InputError, NotAuthenticated, NotFound
from pagefile.server.caller import Caller
from pagefile.server.events import LONGEST_SECONDS
from pagefile.server.mcp.doing import MemoryDoing
from pagefile.server.mcp.resources import Watch
from pagefile.server.mcp.service import make_server
from pagefile.server.state import ServerState

#: Whose memory, where the key may speak for several users; percent-encoded UTF-8 is understood.
USER_HEADER, TENANT_HEADER = "x-pagefile-user", "x-pagefile-tenant"


class McpApp:
    """Answers at one path. ``run`` must be entered for as long as it does."""

    def __init__(self, state: ServerState) -> None:
        doing = MemoryDoing(state.memory, scope_of, state.settings, state.settings.wording())
        watch = Watch(doing.blocks, state.closing, longest=LONGEST_SECONDS, who=_who)
        server = make_server(doing, state.settings.wording(), watch, keeps_sessions=False)
        self._server, self._most = server, state.settings.max_body
        self._running: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "POST":
            # A stream of its own and the end of a session are for servers that have sessions.
            refused = PlainTextResponse("MCP is spoken here by POST alone", status_code=405, headers={"Allow": "POST"})
            await refused(scope, receive, send)
            return
        if scope["type"] == "http":
            _check(Request(scope))
        if self._running is not None:
            await self._running.handle_request(scope, receive, send)
        else:
            # An app that was not started, as in a test of another part, answers one request at a time.
            async with self.run():
                await self(scope, receive, send)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Answer requests meanwhile."""
        # Names in Host and Origin are checked for the whole server, before this.
        manager = StreamableHTTPSessionManager(app=self._server, stateless=True, max_request_body_size=self._most)
        async with manager.run():
            self._running = manager
            try:
                yield
            finally:
                self._running = None


def http_app(state: ServerState) -> McpApp:
    """The app for ``/mcp``."""
    return McpApp(state)


def _check(request: Request) -> None:
    """Raises NotFound if the headers name somebody for whom the key may not speak: then nothing is answered at all."""
    try:
        _scope(request, "read")
    except NotFound:
        raise
    except (AccessError, InputError):
        return  # told by the tool that needs it


def scope_of(context: ServerRequestContext[Any, Any], right: Right) -> records.Scope:
    """Whose memory a request reaches. Raises AccessError, NotFound or InputError."""
    request = context.request
    if not isinstance(request, Request) or not hasattr(request.state, "caller"):
        raise NotAuthenticated("nobody found out who asks; MCP over HTTP is part of `pagefile serve`")
    return _scope(request, right)


def _who(context: ServerRequestContext[Any, Any]) -> str:
    """Whose stream it is: a key's, or of all programs of this machine where none is needed."""
    caller = getattr(getattr(context.request, "state", None), "caller", None)
    return caller.key.id if isinstance(caller, Caller) and caller.key is not None else ""


def _scope(request: Request, right: Right) -> records.Scope:
    user, tenant = (_named(request, header) for header in (USER_HEADER, TENANT_HEADER))
    return cast(Caller, request.state.caller).scope(user, tenant=tenant, right=right)


def _named(request: Request, header: str) -> str | None:
    """Whom a header names."""
    value = request.headers.get(header)
    try:
        return None if value is None else unquote(value, errors="strict")
    except UnicodeDecodeError as error:
        raise InputError(f"the header {header} must be percent-encoded UTF-8") from error
