"""Puts the server together: routes, middleware, what starts and ends with it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from datetime import datetime
from importlib.metadata import version
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

import pagefile.server.health as health
import pagefile.server.problems as problems
import pagefile.server.proxy as proxy
import pagefile.server.rest as rest
from pagefile.memory import AsyncMemory
from pagefile.server.auth import Authentication, KeyRing
from pagefile.server.hosts import HostCheck, origins
from pagefile.server.limits import Rate, SizeLimit
from pagefile.server.logs import UserNames
from pagefile.server.mcp.late import LateMcp
from pagefile.server.metrics import Metrics
from pagefile.server.packing import Packing
from pagefile.server.requests import RequestContext
from pagefile.server.rest.described import describe
from pagefile.server.rest.page import Explained
from pagefile.server.state import ServerState
from pagefile.settings import Settings, load_settings

#: What pages of those origins may read besides what they always may.
_TOLD_HEADERS = ("ETag", "Idempotency-Replayed", "Mcp-Session-Id", "Retry-After", "X-Pagefile-Waiting", "X-Request-Id")


class _App(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, with the form of errors in it: no route names that as its reply."""
        if self.openapi_schema is None:
            document = super().openapi()
            document.setdefault("components", {}).setdefault("schemas", {}).update(problems.schemas())
            describe(document)
        return super().openapi()


def create_app(
    memory: AsyncMemory,
    settings: Settings | None = None,
    *,
    upstream_transport: httpx.AsyncBaseTransport | None = None,
    names: UserNames | None = None,
    metrics: Metrics | None = None,
) -> FastAPI:
    """The server as an ASGI app over a memory, which is closed by whoever opened it.

    ``settings``: default: those of the environment. ``upstream_transport``: stands in for the network between the proxy and its
    endpoint, for tests. ``names``: how users are called in the log. ``metrics``: what counts requests. Raises SettingsError.
    """
    settings = settings or load_settings()
    upstream = proxy.open_upstream(memory, settings, upstream_transport)
    state = ServerState(memory=memory, settings=settings, now=lambda: datetime.now(settings.zone()), upstream=upstream)
    counts = metrics or Metrics()
    mcp_app = LateMcp(state)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with mcp_app.run():
            yield
            state.closing.set()
        if upstream is not None:
            await upstream.aclose()

    app = _App(
        title="Pagefile",
        summary="Virtual memory for language models.",
        version=version("pagefile"),
        lifespan=lifespan,
        # The page that comes with FastAPI loads its parts from elsewhere; ours does not. See rest/page.py for both.
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.pagefile = state
    app.state.metrics = counts
    app.state.readiness = health.Readiness(memory)
    app.state.explained = Explained(app)
    problems.install(app)
    for router in (health.router, rest.router, proxy.router):
        # Their routes as they are: an included router makes all of its models once more at the first request.
        app.router.routes.extend(router.routes)
    app.router.routes.append(Route("/mcp", mcp_app, name="mcp", include_in_schema=False))
    _add_middleware(app, state, counts, names or UserNames())
    return app


def _add_middleware(app: FastAPI, state: ServerState, counts: Metrics, names: UserNames) -> None:
    """Innermost first: each one added is put around those before it."""
    settings = state.settings
    app.add_middleware(Authentication, ring=KeyRing(state.memory), settings=settings, now=state.now, rate=Rate(time.monotonic))
    app.add_middleware(SizeLimit, most=settings.max_body)
    app.add_middleware(Packing)
    if pages := origins(settings):
        app.add_middleware(
            CORSMiddleware,
            allow_origins=pages,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["*"],
            expose_headers=_TOLD_HEADERS,
        )
    app.add_middleware(HostCheck, settings=settings)
    app.add_middleware(RequestContext, names=names, answered=counts.answered, closing=state.closing)
