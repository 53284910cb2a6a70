"""What requests under an Idempotency-Key have made, so that one that is sent again does not bring back what was erased since.

An erase takes the kept replies of a user along, as any of them may have words of what goes; a client that has not heard the answer would
send its request again, and it would be done anew. So this process remembers ids for as long as replies are kept: no words, and of user and
key a hash that nobody else can make.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

from pagefile.errors import Erased, NotFound
from pagefile.memory import AsyncMemory
from pagefile.records import Scope
from pagefile.scoped import AsyncScopedMemory

#: Requests that are remembered, and ids of one of them.
_MOST_REQUESTS, _MOST_IDS = 10_000, 1_000


class Made:
    """Remembers the newest requests of each memory that this process serves."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(16)
        #: Hash of user and key → until when it counts, and the ids.
        self._of_memory: WeakKeyDictionary[AsyncMemory, OrderedDict[bytes, tuple[datetime, tuple[str, ...]]]] = WeakKeyDictionary()

    def note(self, memory: AsyncMemory, scope: Scope, key: str, body: str, *, until: datetime) -> None:
        """Remember what was made, as the reply tells it, until then."""
        ids = tuple(_ids(json.loads(body)))[:_MOST_IDS]
        if not ids:
            return
        known = self._of_memory.setdefault(memory, OrderedDict())
        known[self._name(scope, key)] = (until, ids)
        while len(known) > _MOST_REQUESTS:
            known.popitem(last=False)

    async def check(self, memory: AsyncMemory, mine: AsyncScopedMemory, key: str, *, now: datetime) -> None:
        """Raises Erased if something that was made under this key is there no more."""
        known = self._of_memory.get(memory)
        found = None if known is None else known.get(self._name(mine.scope, key))
        if found is None:
            return
        until, ids = found
        if until <= now:
            return
        try:
            for id in ids:
                await mine.get(id)
        except NotFound:
            raise Erased(
                "what was made under this Idempotency-Key was erased since, and is not made again; give the request a key of its own "
                "if it is meant anew"
            ) from None

    def _name(self, scope: Scope, key: str) -> bytes:
        told = repr((scope.tenant, scope.user, key)).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(told, key=self._salt, digest_size=16).digest()


def _ids(reply: Any) -> Iterator[str]:
    """The ids of the messages or of the record that a reply tells of."""
    if not isinstance(reply, Mapping):
        return
    messages = reply.get("messages")
    for one in (reply, *(messages if isinstance(messages, list) else ())):
        if isinstance(one, Mapping) and isinstance(one.get("id"), str) and ("text" in one):
            yield one["id"]
