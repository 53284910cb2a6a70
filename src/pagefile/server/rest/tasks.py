"""Where tasks stand, and checkpoints of conversations: no memory, and never learnt from."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pagefile.errors import NotFound
from pagefile.records import TaskState
from pagefile.server.caller import Reader, Writer
from pagefile.server.rest.common import Body, Instant, Json, Name
from pagefile.server.routing import api_router
from pagefile.tasks import Checkpoint

router = api_router("tasks")


class TaskValue(Body):
    """Any JSON value."""

    value: Json
    step: Annotated[int, Field(ge=0, le=2**53)] = 0
    expires_at: Instant | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"value": {"done": ["flight"], "next": "hotel"}, "step": 2}]})


class NewCheckpoint(Body):
    """A name for a place in a conversation, and what a program needs to go on from there."""

    session: Name
    key: Name
    state: Json = None

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"session": "monday", "key": "before booking", "state": {"hotel": None}}]}
    )


class Dropped(BaseModel):
    """Whether there was something."""

    dropped: bool


@router.get("/tasks", summary="List tasks")
async def list_tasks(mine: Reader) -> tuple[TaskState, ...]:
    """The tasks that have not expired, by key."""
    return await mine.tasks()


@router.get("/tasks/{key:path}", summary="Get a task")
async def get_task(mine: Reader, key: str) -> TaskState:
    """Where a task stands."""
    found = await mine.task(key)
    if found is None:
        raise NotFound(f"there is no task {key!r:.80} here, or it has expired")
    return found


@router.put("/tasks/{key:path}", summary="Keep a task")
async def put_task(mine: Writer, key: str, given: TaskValue) -> TaskState:
    """Keep where a task stands: a JSON value under a key, in place of the one before."""
    return await mine.put_task(key, given.value, step=given.step, expires_at=given.expires_at)


@router.delete("/tasks/{key:path}", summary="Drop a task")
async def drop_task(mine: Writer, key: str) -> Dropped:
    """Forget where a task stands."""
    return Dropped(dropped=await mine.drop_task(key))


@router.get("/checkpoints", summary="List checkpoints")
async def list_checkpoints(mine: Reader) -> tuple[Checkpoint, ...]:
    """All checkpoints, by key."""
    return await mine.checkpoints()


@router.post("/checkpoints", status_code=201, summary="Make a checkpoint")
async def make_checkpoint(mine: Writer, given: NewCheckpoint) -> Checkpoint:
    """Keep where a conversation stands now. A later one of the same key takes its place."""
    return await mine.checkpoint(given.session, given.key, given.state)


@router.get("/checkpoints/{key:path}", summary="Get a checkpoint")
async def get_checkpoint(mine: Reader, key: str) -> Checkpoint:
    """Where to go on after a crash: the session, the turn, the state, and how many messages were said since."""
    found = await mine.resume(key)
    if found is None:
        raise NotFound(f"there is no checkpoint {key!r:.80} here")
    return found
