"""How far readers have come in a session, and what models cost: plain functions over a connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date

from pagefile.costs import DaySpent, Purpose, Spent
from pagefile.errors import InputError
from pagefile.ports import Progress
from pagefile.records import Scope
from pagefile.stores.rules import check_read, check_text
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import fetch, message_of_row
from pagefile.stores.sqlite.spaces import Space, find, find_or_add


def check(connection: sqlite3.Connection, space: Space, progress: Progress) -> None:
    """Raises NotFound if the message that a reader came to is not where it was."""
    if progress.message is not None:
        row = connection.execute(SQL["message_of_id"], {"scope": space.scope, "id": progress.message}).fetchone()
        check_read(progress, None if row is None else message_of_row(row))


def keep(connection: sqlite3.Connection, space: Space, progress: Progress) -> None:
    """Note how far a reader has come; never back. The caller saves the space."""
    check_text(progress.session, "session")
    check_text(progress.name, "name of the reader")
    if progress.seq < 0:
        raise InputError(f"a reader has come to a sequence number of at least 0, not {progress.seq}")
    number = space.session_number(connection, progress.session)
    connection.execute(SQL["save_progress"], {"scope": space.scope, "session": number, "name": progress.name, "seq": progress.seq})


def progress(connection: sqlite3.Connection, scope: Scope, session: str) -> Mapping[str, int]:
    space = find(connection, scope)
    row = space and connection.execute(SQL["session_number"], {"scope": space.scope, "name": session}).fetchone()
    if space is None or not row:
        return {}
    return dict(fetch(connection, SQL["progress"], {"scope": space.scope, "session": row[0]}))


def spend(connection: sqlite3.Connection, scope: Scope, day: date, amount: Spent, purpose: Purpose) -> Spent:
    key = {"scope": find_or_add(connection, scope).scope, "day": day.isoformat(), "purpose": purpose}
    return _spent(*connection.execute(SQL["add_spent"], key | asdict(amount)).fetchone())


def spent(connection: sqlite3.Connection, scope: Scope, day: date, purpose: Purpose) -> Spent:
    space = find(connection, scope)
    key = {"scope": space and space.scope, "day": day.isoformat(), "purpose": purpose}
    row = connection.execute(SQL["spent"], key).fetchone()
    return _spent(*row) if row else Spent()


def costs(connection: sqlite3.Connection, scope: Scope | None, since: date | None, until: date | None) -> tuple[DaySpent, ...]:
    space = find(connection, scope) if scope is not None else None
    if scope is not None and space is None:
        return ()
    asked = {
        "scope": space and space.scope,
        "since": since.isoformat() if since else "",
        # Behind every date.
        "until": until.isoformat() if until else "~",
    }
    return tuple(
        DaySpent(day=date.fromisoformat(day), scope=Scope(tenant, user), purpose=purpose, spent=_spent(*amounts))
        for day, tenant, user, purpose, *amounts in fetch(connection, SQL["costs"], asked)
    )


def _spent(calls: int, input_tokens: int, cached_tokens: int, output_tokens: int) -> Spent:
    return Spent(calls=calls, input_tokens=input_tokens, cached_tokens=cached_tokens, output_tokens=output_tokens)
