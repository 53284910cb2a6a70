"""Where tasks stand, and checkpoints of conversations. Neither is memory: nothing of it is found, recalled or learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pagefile.errors import InputError
from pagefile.intake import moment, name_to_keep
from pagefile.language.secrets import redact_values
from pagefile.parts import Parts
from pagefile.queries import Where
from pagefile.records import Scope, TaskState

#: Keys of checkpoints begin so; those of an application's own tasks do not.
_CHECKPOINT = "checkpoint:"
_ASKED = Where(roles=("user",), statuses=("current", "superseded", "retired"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A place in a conversation, with what a program has to know to go on from there."""

    key: str
    session: str
    #: How often the user had spoken in the session, and the number of its last message; 0: nothing was said yet.
    turn: int
    seq: int
    #: What the program gave: any JSON value.
    state: Any
    at: datetime
    #: Messages said in the session since then: what came after the checkpoint and before the crash.
    messages_since: int = 0


async def put_task(
    parts: Parts, scope: Scope, key: str, value: Any, *, step: int = 0, expires_at: datetime | str | None = None
) -> TaskState:
    """Keep where a task stands. Secrets are taken out. Raises InputError for what is no JSON value."""
    if not isinstance(step, int) or isinstance(step, bool) or step < 0:
        raise InputError(f"the step must be a whole number of at least 0, not {step!r:.40}")
    state = TaskState(
        key=_own(key),
        value=_kept(value),
        step=step,
        updated_at=parts.now(),
        expires_at=None if expires_at is None else moment(expires_at, parts.zone),
    )
    await parts.store.put_task(scope, state)
    return state


async def find_task(parts: Parts, scope: Scope, key: str) -> TaskState | None:
    """Where a task stands; None: it is not there, or has expired."""
    return await parts.store.task(scope, _own(key), now=parts.now())


async def drop_task(parts: Parts, scope: Scope, key: str) -> bool:
    """Forget a task; returns whether it was there."""
    return await parts.store.drop_task(scope, _own(key))


async def list_tasks(parts: Parts, scope: Scope) -> tuple[TaskState, ...]:
    """The application's tasks that have not expired, by key."""
    states = await parts.store.tasks(scope, now=parts.now())
    return tuple(state for state in states if not state.key.startswith(_CHECKPOINT))


async def put_checkpoint(parts: Parts, scope: Scope, session: str, key: str, state: Any) -> Checkpoint:
    """Keep where a conversation stands now, in place of an older checkpoint of that key."""
    info = await parts.store.session(scope, session)
    asked = await parts.store.messages(scope, session, where=_ASKED, limit=1) if info else None
    made = Checkpoint(
        key=name_to_keep(key, "key"),
        session=session,
        turn=asked.total if asked else 0,
        seq=info.last_seq if info else 0,
        state=state,
        at=parts.now(),
    )
    return await keep_checkpoint(parts, scope, made)


async def keep_checkpoint(parts: Parts, scope: Scope, made: Checkpoint) -> Checkpoint:
    """Keep a checkpoint, without the secrets in its state. Raises InputError for a state that is no JSON value."""
    made = replace(made, state=_kept(made.state))
    value = {"session": made.session, "turn": made.turn, "seq": made.seq, "state": made.state}
    await parts.store.put_task(scope, TaskState(key=f"{_CHECKPOINT}{made.key}", value=value, step=made.turn, updated_at=made.at))
    return made


async def find_checkpoint(parts: Parts, scope: Scope, key: str) -> Checkpoint | None:
    """The checkpoint of a key, and how much was said since; None: there is none."""
    task = await parts.store.task(scope, f"{_CHECKPOINT}{name_to_keep(key, 'key')}", now=parts.now())
    made = _checkpoint(task) if task else None
    if made is None:
        return None
    info = await parts.store.session(scope, made.session)
    return replace(made, messages_since=max(0, info.last_seq - made.seq) if info else 0)


async def list_checkpoints(parts: Parts, scope: Scope) -> tuple[Checkpoint, ...]:
    """All checkpoints, by key."""
    states = await parts.store.tasks(scope, now=parts.now(), prefix=_CHECKPOINT)
    return tuple(one for state in states if (one := _checkpoint(state)) is not None)


async def checkpoints_of(parts: Parts, scope: Scope, session: str) -> tuple[Checkpoint, ...]:
    """The checkpoints of a conversation, by key."""
    return tuple(one for one in await list_checkpoints(parts, scope) if one.session == session)


async def drop_checkpoints(parts: Parts, scope: Scope, session: str) -> int:
    """Forget the checkpoints of a conversation: their state may repeat what was said in it. Returns how many."""
    found = await checkpoints_of(parts, scope, session)
    for one in found:
        await parts.store.drop_task(scope, f"{_CHECKPOINT}{one.key}")
    return len(found)


def _checkpoint(task: TaskState) -> Checkpoint | None:
    value = task.value
    if not isinstance(value, Mapping) or not {"session", "turn", "seq", "state"} <= set(value):
        return None  # an application put it there that uses the store directly
    return Checkpoint(
        key=task.key.removeprefix(_CHECKPOINT),
        session=value["session"],
        turn=value["turn"],
        seq=value["seq"],
        state=value["state"],
        at=task.updated_at,
    )


def _own(key: str) -> str:
    key = name_to_keep(key, "key")
    if key.startswith(_CHECKPOINT):
        raise InputError(f"the key {key!r:.40} is that of a checkpoint; use checkpoint() and resume(), or another key")
    return key


def _kept(value: Any) -> Any:
    return redact_values(value)[0]
