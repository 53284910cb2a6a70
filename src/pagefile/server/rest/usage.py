"""Who is kept, how much there is, what it cost, what was done and what waits to be done."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from pagefile.costs import DaySpent, Spent
from pagefile.ports import Job, Operation
from pagefile.queries import Page
from pagefile.receipts import StoreStats
from pagefile.records import Scope
from pagefile.server.caller import Admin, Reader, ReaderWriter, State, TenantName, Writer
from pagefile.server.rest.common import After, Body, Limit, Name
from pagefile.server.routing import api_router
from pagefile.upkeep import Consolidated, Tidied

router = api_router("usage")


class JobIds(Body):
    """Jobs that were given up."""

    ids: Annotated[list[Name], Field(min_length=1, max_length=1_000)]

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ids": ["12"]}]})


class Revived(BaseModel):
    """How many of the jobs are tried again."""

    revived: int


@router.get("/scopes", summary="List users")
async def list_scopes(caller: Admin, state: State, tenant: TenantName = None, after: After = None, limit: Limit = 100) -> Page[Scope]:
    """Whose memories there are: of the key's tenant, or without keys of all."""
    if caller.tenant is not None and tenant not in (None, caller.tenant):
        return Page(items=(), cursor=None, total=0)
    return await state.memory.scopes(after=after, limit=limit, tenant=caller.tenant or tenant)


@router.get("/stats", summary="Counts")
async def get_stats(mine: Reader) -> StoreStats:
    """Counts over what is kept of this user; `bytes` is of the whole store."""
    return await mine.stats()


@router.get("/costs", summary="What models cost")
async def get_costs(mine: Reader, since: date | None = None, until: date | None = None) -> tuple[DaySpent, ...]:
    """Calls and tokens by day and purpose (`chat`, `learn`); both days included."""
    return await mine.costs(since=since, until=until)


@router.get("/spent", summary="What learning cost today")
async def get_spent(mine: Reader) -> Spent:
    """Calls and tokens that learning by a model took today."""
    return await mine.spent()


@router.get("/operations", summary="Operations log")
async def list_operations(mine: Reader, after: After = None, limit: Limit = 100) -> Page[Operation]:
    """What was asked of this memory and what came of it, newest first."""
    return await mine.operations(after=after, limit=limit)


@router.get("/jobs", summary="Background work")
async def list_jobs(
    mine: Reader, state: Literal["queued", "running", "dead"] | None = None, after: After = None, limit: Limit = 100
) -> Page[Job]:
    """Background work for this user that waits, runs or was given up, oldest first."""
    return await mine.jobs(state=state, after=after, limit=limit)


@router.post("/jobs/revive", summary="Try again")
async def revive_jobs(mine: Writer, given: JobIds) -> Revived:
    """Try again jobs that were given up."""
    return Revived(revived=await mine.revive(given.ids))


@router.post("/tidy", summary="Tidy up")
async def tidy(mine: ReaderWriter, dry_run: Annotated[bool, Query(description="Only say what would go")] = False) -> Tidied:
    """Put away what is of no more use: what expired, what was never confirmed. It is done every night."""
    return await mine.tidy(dry_run=dry_run)


@router.post("/consolidate", summary="Consolidate")
async def consolidate(
    mine: ReaderWriter, dry_run: Annotated[bool, Query(description="Only show what would change")] = False
) -> Consolidated:
    """Merge records that say the same and summarise old sessions. It is done every night."""
    return await mine.consolidate(dry_run=dry_run)
