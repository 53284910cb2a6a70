"""Keys of a server and the replies it gives again, held in memory."""

from __future__ import annotations

from datetime import datetime

from pagefile.access import MOST_REPLIES, ApiKey, KeptReply
from pagefile.errors import ConflictError
from pagefile.records import Scope
from pagefile.stores.memory_jobs import HeldJobs
from pagefile.stores.memory_space import Space
from pagefile.stores.rules import check_key, check_reply, check_time


class HeldAccess(HeldJobs):
    """The part of a store that is about who may use a server."""

    _spaces: dict[Scope, Space]
    _keys: dict[str, ApiKey]

    async def put_key(self, key: ApiKey) -> None:
        self._check_open()
        check_key(key)
        if key.id in self._keys or await self.key(key.hash) is not None:
            raise ConflictError(f"there is a key {key.id!r} already, or one with the same secret; nothing was kept")
        self._keys[key.id] = key

    async def key(self, hash: str) -> ApiKey | None:
        self._check_open()
        return next((key for key in self._keys.values() if key.hash == hash), None)

    async def keys(self) -> tuple[ApiKey, ...]:
        self._check_open()
        return tuple(sorted(self._keys.values(), key=lambda key: (key.created_at, key.id)))

    async def drop_key(self, id: str) -> bool:
        self._check_open()
        return self._keys.pop(id, None) is not None

    async def reply(self, scope: Scope, key: str, *, now: datetime) -> KeptReply | None:
        self._check_open()
        check_time(now, "'now'")
        found = self._spaces[scope].replies.get(key) if scope in self._spaces else None
        return found if found is not None and found.status and found.expires_at > now else None

    async def keep_reply(self, scope: Scope, reply: KeptReply, *, now: datetime) -> KeptReply:
        self._check_open()
        check_reply(reply, now)
        for space in self._spaces.values():
            space.replies = {name: kept for name, kept in space.replies.items() if kept.expires_at > now}
        if scope not in self._spaces:
            return reply
        replies = self._spaces[scope].replies
        old = replies.get(reply.key)
        if old is None or (not old.status and (reply.status or reply.body == old.body)):
            replies[reply.key] = reply
        done = sorted((kept for kept in replies.values() if kept.status), key=lambda kept: kept.key)
        for kept in sorted(done, key=lambda kept: kept.expires_at, reverse=True)[MOST_REPLIES:]:
            del replies[kept.key]
        return replies.get(reply.key, reply)
