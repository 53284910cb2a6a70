"""Makes, finds and revokes the API keys of a server. Only a hash of a key's secret is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from pagefile.access import ApiKey, NewKey, Right
from pagefile.errors import InputError
from pagefile.parts import Parts
from pagefile.ports import Store
from pagefile.records import identifier

RIGHTS: tuple[Right, ...] = ("read", "write", "admin")
_ID_BYTES, _SECRET_BYTES = 5, 32
_PREFIX = "pf"
_MOST_PER_MINUTE = 1_000_000
#: No key is longer; more is not even hashed.
_MAX_SECRET = 256


async def create(
    parts: Parts,
    name: str,
    *,
    tenant: str,
    user: str | None,
    acts_as: str | None,
    rights: Sequence[Right],
    expires: datetime | timedelta | None,
    per_minute: int | None,
) -> NewKey:
    """Make a key and keep its hash. Raises InputError."""
    now = parts.now()
    public = _letters(_ID_BYTES)
    secret = f"{_PREFIX}_{public}_{_letters(_SECRET_BYTES)}"
    key = ApiKey(
        id=public,
        name=identifier(name, "name of the key"),
        hash=_hashed(secret),
        tenant=identifier(tenant, "tenant"),
        user=None if user is None else identifier(user, "user"),
        acts_as=None if acts_as is None else identifier(acts_as, "pattern of users"),
        rights=frozenset(rights),
        per_minute=per_minute,
        created_at=now,
        expires_at=now + expires if isinstance(expires, timedelta) else expires,
    )
    _check(key, now)
    await parts.store.put_key(key)
    return NewKey(key=key, secret=secret)


async def find(store: Store, secret: str) -> ApiKey | None:
    """The key with this secret, expired or not; None: there is none."""
    # A lone surrogate can be in no key, and cannot be hashed.
    if not secret.startswith(f"{_PREFIX}_") or len(secret) > _MAX_SECRET or not secret.isascii():
        return None
    hashed = _hashed(secret)
    key = await store.key(hashed)
    # What is looked up is a hash, so the time tells nothing of the secret; and a store that compares loosely would not do either.
    return key if key is not None and hmac.compare_digest(key.hash, hashed) else None


async def revoke(store: Store, id: str) -> bool:
    """Revoke the key with this public id; the whole secret does as well. False: there is none."""
    prefix, _, rest = id.strip().partition("_")
    public = rest.partition("_")[0] if prefix == _PREFIX and rest else id.strip()
    return await store.drop_key(public)


def _check(key: ApiKey, now: datetime) -> None:
    if (key.user is None) == (key.acts_as is None):
        raise InputError('a key speaks for one user or for several: give either user="alice" or acts_as="team-*" ("*": every user)')
    if key.acts_as is not None and "*" in key.acts_as[:-1]:
        raise InputError(f"the pattern of users {key.acts_as!r} has a * that is not at its end; give the beginning of ids and *, or only *")
    if not key.rights or not key.rights <= set(RIGHTS):
        raise InputError(
            f"the rights of a key are one or more of {', '.join(RIGHTS)}; given were {', '.join(sorted(key.rights)) or 'none'}"
        )
    if "admin" in key.rights and key.acts_as != "*":
        raise InputError('the right admin is about every user of the tenant; give it with acts_as="*" only')
    if key.per_minute is not None and not 1 <= key.per_minute <= _MOST_PER_MINUTE:
        raise InputError(f"a key may be allowed 1 to {_MOST_PER_MINUTE:,} requests a minute, not {key.per_minute}")
    if key.expires_at is not None:
        if key.expires_at.tzinfo is None:
            raise InputError(f"the time {key.expires_at} at which the key expires has no zone; give one")
        if key.expires_at <= now:
            raise InputError(f"the key would expire at {key.expires_at:%Y-%m-%d %H:%M}, which is over; give a later time")


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8")).hexdigest()


def _letters(size: int) -> str:
    """Random small letters and digits, which a double click marks as one word."""
    return base64.b32encode(secrets.token_bytes(size)).decode("ascii").lower().rstrip("=")
