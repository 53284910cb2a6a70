"""One scope's row: its number, and the counters that every write moves on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagefile.messages import Message
from pagefile.ports import NewJob
from pagefile.queries import Item, Where
from pagefile.records import Scope
from pagefile.stores.rules import check_job, json_text
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import Parameters, filter_parameters, message_of_row, microseconds, now_us, record_of_row


@dataclass(slots=True)
class Space:
    """A scope's row. Who writes moves the counters and saves it once, at the end of the transaction."""

    scope: int
    last_item: int = 0
    last_session: int = 0
    last_entry: int = 0
    version: int = 0
    epoch: int = 0
    folded: int = 0
    revision: int = 0

    @property
    def shown_revision(self) -> int:
        """The revision as others see it: with the number of the scope, which no other one gets, not even one of the same name."""
        return (self.scope << 32) + self.revision

    def new_item(self) -> int:
        self.last_item += 1
        return self.last_item

    def new_entry(self) -> int:
        self.last_entry += 1
        return self.last_entry

    def save(self, connection: sqlite3.Connection) -> None:
        connection.execute(SQL["save_scope"], {name: getattr(self, name) for name in self.__slots__})

    def session_number(self, connection: sqlite3.Connection, name: str) -> int:
        """The number of a session; a new one for a name that is new."""
        row = connection.execute(SQL["session_number"], {"scope": self.scope, "name": name}).fetchone()
        if row is not None:
            return int(row[0])
        self.last_session += 1
        connection.execute(SQL["add_session"], {"scope": self.scope, "session": self.last_session, "name": name})
        return self.last_session


def find(connection: sqlite3.Connection, scope: Scope) -> Space | None:
    """The scope's row; None: nothing was ever written there."""
    row = connection.execute(SQL["scope"], {"tenant": scope.tenant, "user": scope.user}).fetchone()
    return None if row is None else Space(*row)


def find_or_add(connection: sqlite3.Connection, scope: Scope) -> Space:
    found = find(connection, scope)
    if found is None:
        (number,) = connection.execute(SQL["add_scope"], {"tenant": scope.tenant, "user": scope.user}).fetchone()
        found = Space(number)
    return found


def filters(connection: sqlite3.Connection, scope: int, where: Where) -> Parameters:
    """Parameters of the ``filters`` fragment."""
    names = {*(where.sessions or ()), *(where.not_in_window or ())[:1]}
    numbers = {}
    for name in names:
        row = connection.execute(SQL["session_number"], {"scope": scope, "name": name}).fetchone()
        if row is not None:
            numbers[name] = row[0]
    return filter_parameters(where, numbers)


def load(connection: sqlite3.Connection, scope: int, item: int, kind: int) -> Item:
    """A message or record by its number."""
    key = {"scope": scope, "item": item}
    if kind == 0:
        return message_of_row(connection.execute(SQL["message"], key).fetchone())
    return record_of_row(connection.execute(SQL["record"], key).fetchone())


def load_message(connection: sqlite3.Connection, scope: int, item: int) -> Message | None:
    row = connection.execute(SQL["message"], {"scope": scope, "item": item}).fetchone()
    return None if row is None else message_of_row(row)


def add_jobs(connection: sqlite3.Connection, scope: int, jobs: Iterable[NewJob], to_embed: Sequence[str] = ()) -> None:
    """Enqueue jobs, and one that embeds these items. Of a named one that waits already there is no second."""
    embed = [NewJob(kind="embed", payload={"ids": list(to_embed)})] if to_embed else []
    rows = {(job.kind, job.once) if job.once is not None else place: _job_row(job) for place, job in enumerate((*jobs, *embed))}
    if rows:
        asked = {"scope": scope, "created_us": now_us(), "jobs": json.dumps(list(rows.values()), ensure_ascii=False)}
        connection.execute(SQL["add_jobs"], asked)


def add_job(connection: sqlite3.Connection, scope: int, job: NewJob) -> int:
    """Enqueue a job; returns its number, or that of the one of its name that waits already."""
    row = _job_row(job) | {"scope": scope, "created_us": now_us()}
    if job.once is not None:
        # Looked up, not left to a conflict: an insert that fails has counted a number already, and written that down.
        waiting = connection.execute(SQL["waiting_job"], {"scope": scope, "kind": job.kind, "once": job.once}).fetchone()
        if waiting is not None:
            return int(waiting[0])
    return int(connection.execute(SQL["add_job"], row).lastrowid or 0)


def _job_row(job: NewJob) -> Parameters:
    check_job(job)
    return {
        "kind": job.kind,
        "payload": json_text(job.payload, "payload of the job"),
        "ready_us": 0 if job.ready_at is None else microseconds(job.ready_at),
        "once": job.once,
    }
