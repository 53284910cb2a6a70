"""Jobs, task state and the operations log in SQL: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from pagefile.ports import Job, NewJob, Operation
from pagefile.queries import Page
from pagefile.records import Scope, TaskState
from pagefile.stores.rules import json_text
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import LAST, fetch, from_microseconds, job_of_row, microseconds, numbers_of, operation_of_row, task_of_row
from pagefile.stores.sqlite.spaces import add_job, find, find_or_add


def enqueue(connection: sqlite3.Connection, scope: Scope, jobs: Sequence[NewJob]) -> tuple[str, ...]:
    number = find_or_add(connection, scope).scope if jobs else 0
    return tuple(str(add_job(connection, number, job)) for job in jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What ``Store.claim`` was asked."""

    kinds: Sequence[str]
    now: datetime
    ready_by: datetime
    lease: datetime
    limit: int
    scope: Scope | None


def claim(connection: sqlite3.Connection, asked: Claim) -> tuple[Job, ...]:
    parameters = {
        "kinds": json.dumps(list(asked.kinds)),
        "tenant": asked.scope and asked.scope.tenant,
        "user": asked.scope and asked.scope.user,
        "now_us": microseconds(asked.now),
        "ready_us": microseconds(asked.ready_by),
        "lease_us": microseconds(asked.lease),
        "limit": asked.limit,
    }
    return tuple(job_of_row(row) for row in sorted(connection.execute(SQL["claim"], parameters).fetchall(), key=itemgetter(0)))


def renew(connection: sqlite3.Connection, ids: Iterable[str], lease: datetime) -> None:
    for number in numbers_of(ids):
        connection.execute(SQL["renew"], {"job": number, "lease_us": microseconds(lease)})


def complete(connection: sqlite3.Connection, ids: Iterable[str]) -> None:
    for number in numbers_of(ids):
        connection.execute(SQL["complete"], {"job": number})


def fail(connection: sqlite3.Connection, id: str, error: str, now: datetime, retry_at: datetime | None) -> None:
    state = "dead" if retry_at is None else "queued"
    for number in numbers_of([id]):
        if retry_at is not None:
            connection.execute(SQL["yield_job"], {"job": number, "state": None})
        connection.execute(SQL["fail"], {"job": number, "state": state, "error": error, "ready_us": microseconds(retry_at or now)})


def release(connection: sqlite3.Connection, ids: Iterable[str], ready_at: datetime) -> None:
    for number in numbers_of(ids):
        connection.execute(SQL["yield_job"], {"job": number, "state": "running"})
        connection.execute(SQL["release"], {"job": number, "ready_us": microseconds(ready_at)})


def revive(connection: sqlite3.Connection, ids: Iterable[str], now: datetime) -> int:
    """A named job of which another waits already is not queued again, and not counted: that one does its work."""
    revived = 0
    for number in numbers_of(ids):
        connection.execute(SQL["yield_job"], {"job": number, "state": "dead"})
        revived += connection.execute(SQL["revive"], {"job": number, "ready_us": microseconds(now)}).rowcount
    return revived


def jobs(connection: sqlite3.Connection, scope: Scope | None, state: str | None, after: int | None, limit: int) -> Page[Job]:
    number = _scope_number(connection, scope)
    parameters = {"scope": number, "state": state, "after": after or 0, "limit": limit + 1}
    rows = fetch(connection, SQL["jobs"], parameters)
    counts = fetch(connection, SQL["count_jobs"], parameters)
    return Page(
        items=tuple(job_of_row(row) for row in rows[:limit]),
        cursor=str(rows[limit - 1][0]) if len(rows) > limit else None,
        total=sum(count for each, count in counts if state in (None, each)),
    )


def waiting_since(connection: sqlite3.Connection, kinds: Iterable[str], now: datetime) -> datetime | None:
    (since,) = connection.execute(SQL["waiting_since"], {"kinds": json.dumps(list(kinds)), "now_us": microseconds(now)}).fetchone()
    return None if since is None else from_microseconds(since)


def _scope_number(connection: sqlite3.Connection, scope: Scope | None) -> int | None:
    """None for all scopes; a number that nothing has for a scope that is not there."""
    if scope is None:
        return None
    space = find(connection, scope)
    return space.scope if space else 0


# --- task state ---------------------------------------------------------------------------------------------------------


def put_task(connection: sqlite3.Connection, scope: Scope, state: TaskState) -> None:
    row = {
        "scope": find_or_add(connection, scope).scope,
        "key": state.key,
        "value": json_text(state.value, "value of the task"),
        "step": state.step,
        "updated_at": state.updated_at.isoformat(),
        "expires_at": state.expires_at.isoformat() if state.expires_at else None,
    }
    connection.execute(SQL["save_task"], row)


def task(connection: sqlite3.Connection, scope: Scope, key: str, now: datetime) -> TaskState | None:
    space = find(connection, scope)
    row = space and connection.execute(SQL["task"], {"scope": space.scope, "key": key}).fetchone()
    state = task_of_row(row) if row else None
    return None if state is None or (state.expires_at is not None and state.expires_at <= now) else state


def tasks(connection: sqlite3.Connection, scope: Scope, now: datetime, prefix: str) -> tuple[TaskState, ...]:
    space = find(connection, scope)
    rows = fetch(connection, SQL["tasks"], {"scope": space.scope, "prefix": prefix}) if space else []
    return tuple(state for state in map(task_of_row, rows) if state.expires_at is None or state.expires_at > now)


def drop_task(connection: sqlite3.Connection, scope: Scope, key: str) -> bool:
    space = find(connection, scope)
    return space is not None and connection.execute(SQL["drop_task"], {"scope": space.scope, "key": key}).rowcount > 0


# --- operations log -----------------------------------------------------------------------------------------------------


def log(connection: sqlite3.Connection, scope: Scope, operations: Sequence[Operation]) -> None:
    space = find(connection, scope)
    if space is None:
        return
    # A line about what was erased meanwhile, in whichever program, goes with it.
    named = {id for operation in operations for id in operation.items if not id.startswith("block:")}
    asked = {"scope": space.scope, "ids": json.dumps(sorted(named))}
    gone = named - {id for (id,) in connection.execute(SQL["items_there"], asked)}
    rows = [
        {
            "scope": space.scope,
            "entry": space.new_entry(),
            "kind": operation.kind,
            "parameters": json_text(operation.parameters, "parameters of the operation") if operation.parameters else "{}",
            "result": json_text(operation.result, "result of the operation"),
            "at": operation.at.isoformat(),
            "session": operation.session,
            "items": json_text(operation.items, "items of the operation") if operation.items else None,
        }
        for operation in operations
        if gone.isdisjoint(operation.items)
    ]
    connection.executemany(SQL["add_operation"], rows)
    space.save(connection)


def prune(connection: sqlite3.Connection, scope: Scope, before: datetime, keep: int) -> int:
    space = find(connection, scope)
    asked = {"before": before.isoformat(), "keep": keep - 1}
    return connection.execute(SQL["prune_operations"], {"scope": space.scope} | asked).rowcount if space else 0


def operations(connection: sqlite3.Connection, scope: Scope, after: int | None, limit: int) -> Page[Operation]:
    space = find(connection, scope)
    if space is None:
        return Page(items=(), cursor=None, total=0)
    before = LAST if after is None else after
    rows = fetch(connection, SQL["operations"], {"scope": space.scope, "before": before, "limit": limit + 1})
    (total,) = connection.execute(SQL["count_operations"], {"scope": space.scope}).fetchone()
    return Page(
        items=tuple(operation_of_row(row) for row in rows[:limit]),
        cursor=str(rows[limit - 1][0]) if len(rows) > limit else None,
        total=total,
    )
