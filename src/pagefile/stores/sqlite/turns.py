"""Which sessions somebody is at work in: plain functions over a connection."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from datetime import datetime

from pagefile.records import Scope
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import microseconds


def hold(connection: sqlite3.Connection, scope: Scope, session: str, holder: str, *, now: datetime, until: datetime) -> bool:
    row = {"mark": _mark(scope, session), "holder": holder, "now_us": microseconds(now), "lease_us": microseconds(until)}
    return connection.execute(SQL["hold_session"], row).fetchone() is not None


def let_go(connection: sqlite3.Connection, scope: Scope, session: str, holder: str) -> None:
    connection.execute(SQL["let_go_session"], {"mark": _mark(scope, session), "holder": holder})


def _mark(scope: Scope, session: str) -> bytes:
    """It stands for the session without its name: who erases it while somebody is at work in it leaves nothing to be read."""
    return hashlib.sha256(json.dumps([scope.tenant, scope.user, session]).encode()).digest()
