"""Whether the server lives, whether it can work, and figures of what it does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from pagefile.costs import Spent
from pagefile.errors import NotFound, PagefileError
from pagefile.memory import AsyncMemory
from pagefile.server.caller import Admin, State
from pagefile.server.metrics import CONTENT_TYPE, Metrics
from pagefile.server.problems import RESPONSES

#: Whether the server can work is looked at anew after so many seconds.
READY_SECONDS = 1.0

router = APIRouter(tags=["health"], responses=RESPONSES)


def _metrics(request: Request) -> Metrics:
    found = request.app.state.metrics
    assert isinstance(found, Metrics)
    return found


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process lives. Asks nothing else."""
    return {"status": "ok"}


class Readiness:
    """Looks whether the server can work, once a second at most: anybody may ask, and a look takes the store's lock."""

    def __init__(self, memory: AsyncMemory, clock: Callable[[], float] = time.monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._lock = asyncio.Lock()
        self._found: tuple[int, dict[str, object]] = (503, {})
        self._looked = float("-inf")
        #: Something is done first that makes the first requests as fast as the others.
        self.warming = False

    async def look(self) -> tuple[int, dict[str, object]]:
        """The status to answer with, and what to say."""
        if self.warming:
            return 503, {"status": "warming up"}
        async with self._lock:
            if self._clock() - self._looked >= READY_SECONDS:
                self._found = await self._look()
                self._looked = self._clock()
            return self._found

    async def _look(self) -> tuple[int, dict[str, object]]:
        try:
            lag = await self._memory.lag()
        except PagefileError as error:
            return 503, {"status": "unavailable", "store": type(error).__name__}
        embedder = self._memory.embedder.id if self._memory.embedder is not None else "none"
        return 200, {"status": "ok", "store": "ok", "embedder": embedder, "oldest_job_seconds": round(lag, 1)}


def _readiness(request: Request) -> Readiness:
    found = request.app.state.readiness
    assert isinstance(found, Readiness)
    return found


@router.get("/readyz", responses={503: {"description": "It cannot work at present"}})
async def readyz(readiness: Annotated[Readiness, Depends(_readiness)]) -> JSONResponse:
    """It can work: what takes long the first time was done, and the store takes writes; how far behind the background work is, and whether
    things are found by meaning. Looked at once a second at most."""
    status, found = await readiness.look()
    return JSONResponse(found, status)


@router.get("/metrics", response_class=Response)
async def metrics(caller: Admin, state: State, counts: Annotated[Metrics, Depends(_metrics)]) -> Response:
    """Figures for Prometheus. Needs the right admin, and the extra ``metrics`` on the server. Keys of the server's own tenant (and programs
    of this machine, without keys) see those of the whole server; keys of another one, of what is kept, the tokens of that alone."""
    if not counts.available:
        raise NotFound("figures for Prometheus need the extra metrics on the server: pip install 'pagefile[server,metrics]'")
    whole = caller.tenant in (None, caller.home.tenant)
    today = state.now().date()
    spent: dict[str, Spent] = {}
    for one in await state.memory.costs(since=today, until=today):
        if whole or one.scope.tenant == caller.tenant:
            spent[one.purpose] = spent.get(one.purpose, Spent()) + one.spent
    stats = await state.memory.stats() if whole else None
    text = counts.text(stats=stats, oldest=await state.memory.lag() if whole else 0.0, spent=spent)
    return Response(text, media_type=CONTENT_TYPE)
