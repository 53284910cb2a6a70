"""Who may do what through a server: API keys, and replies that are kept to be given again. Frozen values, no I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from pagefile.records import Scope

#: Replies that are kept of one scope at most; the oldest go.
MOST_REPLIES = 500

#: "read": see what is kept. "write": add, change and erase it. "admin": of the whole tenant, its jobs, costs and users.
Right: TypeAlias = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """What is known of a key: never the secret itself, only its hash."""

    #: Public: it stands in lists and logs, and is the first part of the secret.
    id: str
    #: What a person calls it.
    name: str
    #: SHA-256 of the secret, in hex.
    hash: str
    tenant: str
    #: The only user it speaks for. None: those that ``acts_as`` names.
    user: str | None = None
    #: Users it may speak for: an id, the beginning of ids and ``*``, or ``*`` for every user of the tenant.
    acts_as: str | None = None
    rights: frozenset[Right] = frozenset({"read", "write"})
    #: Requests a minute; None: as many as it likes.
    per_minute: int | None = None
    created_at: datetime
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made, with its secret: the only time that it can be seen."""

    key: ApiKey
    #: What a client sends as ``Authorization: Bearer …``.
    secret: str = field(repr=False)


def speaks_for(key: ApiKey, scope: Scope) -> bool:
    """Whether a key may speak for this user of this tenant, whatever its rights are."""
    if scope.tenant != key.tenant:
        return False
    if key.user is not None:
        return scope.user == key.user
    pattern = key.acts_as or ""
    return scope.user.startswith(pattern[:-1]) if pattern.endswith("*") else scope.user == pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReply:
    """What a request under an idempotency key was answered, so that it is answered the same when it is sent again."""

    key: str
    #: A hash of what was asked; another one under the same key is a conflict.
    fingerprint: str
    #: 0: it is being done, by whom the body names; nobody else begins with it until that expires.
    status: int
    #: JSON.
    body: str
    expires_at: datetime
