"""Whether the server lives, whether it can work, and figures of what it does."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from pagefile.costs import Spent
from pagefile.errors import NotFound, PagefileError
from pagefile.server.caller import Admin, State
from pagefile.server.metrics import CONTENT_TYPE, Metrics

router = APIRouter(tags=["health"])


def _metrics(request: Request) -> Metrics:
    found = request.app.state.metrics
    assert isinstance(found, Metrics)
    return found


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process lives. Asks nothing else."""
    return {"status": "ok"}


@router.get("/readyz", responses={503: {"description": "It cannot work at present"}})
async def readyz(state: State) -> JSONResponse:
    """It can work: the store takes writes; how far behind the background work is, and whether things are found by meaning."""
    checks: dict[str, object] = {}
    try:
        lag = await state.memory.lag()
    except PagefileError as error:
        return JSONResponse({"status": "unavailable", "store": type(error).__name__}, 503)
    checks["store"] = "ok"
    checks["embedder"] = state.memory.embedder.id if state.memory.embedder is not None else "none"
    return JSONResponse({"status": "ok", **checks, "oldest_job_seconds": round(lag, 1)})


@router.get("/metrics", response_class=Response)
async def metrics(_: Admin, state: State, counts: Annotated[Metrics, Depends(_metrics)]) -> Response:
    """Figures for Prometheus. Needs the right admin, and the extra ``metrics`` on the server."""
    if not counts.available:
        raise NotFound("figures for Prometheus need the extra metrics on the server: pip install 'pagefile[server,metrics]'")
    stats = await state.memory.stats()
    today = state.now().date()
    spent: dict[str, Spent] = {}
    for one in await state.memory.costs(since=today, until=today):
        spent[one.purpose] = spent.get(one.purpose, Spent()) + one.spent
    text = counts.text(jobs=stats.jobs, oldest=await state.memory.lag(), spent=spent, size=stats.bytes)
    return Response(text, media_type=CONTENT_TYPE)
