"""Keys of a server, and the replies it gives again: plain functions over a connection."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import Any

from pagefile.access import MOST_REPLIES, ApiKey, KeptReply
from pagefile.errors import ConflictError
from pagefile.records import Scope
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import fetch, from_microseconds, microseconds
from pagefile.stores.sqlite.spaces import find


def put_key(connection: sqlite3.Connection, key: ApiKey) -> None:
    row = {
        "id": key.id,
        "hash": key.hash,
        "name": key.name,
        "tenant": key.tenant,
        "user": key.user,
        "acts_as": key.acts_as,
        "rights": json.dumps(sorted(key.rights)),
        "per_minute": key.per_minute,
        "created_at": key.created_at.isoformat(),
        "expires_at": key.expires_at.isoformat() if key.expires_at else None,
    }
    if not connection.execute(SQL["add_api_key"], row).rowcount:
        raise ConflictError(f"there is a key {key.id!r} already, or one with the same secret; nothing was kept")


def key(connection: sqlite3.Connection, hash: str) -> ApiKey | None:
    row = connection.execute(SQL["api_key"], {"hash": hash}).fetchone()
    return _key_of_row(*row) if row else None


def keys(connection: sqlite3.Connection) -> tuple[ApiKey, ...]:
    return tuple(_key_of_row(*row) for row in fetch(connection, SQL["api_keys"], {}))


def drop_key(connection: sqlite3.Connection, id: str) -> bool:
    return connection.execute(SQL["drop_api_key"], {"id": id}).rowcount > 0


def reply(connection: sqlite3.Connection, scope: Scope, key: str, now: datetime) -> KeptReply | None:
    space = find(connection, scope)
    found = _standing(connection, space.scope, key, now) if space is not None else None
    return found if found is not None and found.status else None


def _standing(connection: sqlite3.Connection, scope: int, key: str, now: datetime) -> KeptReply | None:
    row = connection.execute(SQL["reply"], {"scope": scope, "key": key, "now_us": microseconds(now)}).fetchone()
    return KeptReply(key=row[0], fingerprint=row[1], status=row[2], body=row[3], expires_at=from_microseconds(row[4])) if row else None


def keep_reply(connection: sqlite3.Connection, scope: Scope, reply: KeptReply, now: datetime) -> KeptReply:
    """Nothing is kept for a scope that is not there: the reply was about nothing."""
    connection.execute(SQL["drop_expired_replies"], {"now_us": microseconds(now)})
    space = find(connection, scope)
    if space is None:
        return reply
    row = {
        "scope": space.scope,
        "key": reply.key,
        "fingerprint": reply.fingerprint,
        "status": reply.status,
        "body": reply.body,
        "expires_us": microseconds(reply.expires_at),
    }
    connection.execute(SQL["keep_reply"], row)
    connection.execute(SQL["drop_oldest_replies"], {"scope": space.scope, "most": MOST_REPLIES})
    return _standing(connection, space.scope, reply.key, now) or reply


def _key_of_row(
    id: str,
    hash: str,
    name: str,
    tenant: str,
    user: str | None,
    acts_as: str | None,
    rights: str,
    per_minute: int | None,
    created_at: str,
    expires_at: str | None,
) -> ApiKey:
    given: list[Any] = json.loads(rights)
    return ApiKey(
        id=id,
        name=name,
        hash=hash,
        tenant=tenant,
        user=user,
        acts_as=acts_as,
        rights=frozenset(given),
        per_minute=per_minute,
        created_at=datetime.fromisoformat(created_at),
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
    )
