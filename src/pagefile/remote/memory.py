"""``connect``: a memory on a server, with the methods of one that is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import NoReturn

import httpx

from pagefile.access import ApiKey, NewKey, Right
from pagefile.costs import DaySpent
from pagefile.errors import InputError, SettingsError
from pagefile.indexer import Reindexed
from pagefile.memory import AsyncMemory
from pagefile.models.offline import OfflineModel
from pagefile.ports import Embedder, Job, Model
from pagefile.queries import Page
from pagefile.receipts import StoreStats
from pagefile.records import Scope
from pagefile.remote.scoped import AsyncRemoteScopedMemory
from pagefile.remote.wire import Wire, read, sent
from pagefile.sync import Memory, memory_of

#: Seconds until a request is given up. Waiting for what is learnt takes up to 30.
TIMEOUT_SECONDS = 60.0


class AsyncRemoteMemory(AsyncMemory):
    """The memory of a server. Make one with ``AsyncRemoteMemory.connect``. What concerns all users at once, such as its keys, is looked
    after on the machine of the server."""

    def __init__(self, wire: Wire, client: httpx.AsyncClient) -> None:
        self._wire = wire
        self._client = client
        self.warnings = ()

    @classmethod
    async def connect(
        cls, url: str, key: str | None = None, *, seconds: float = TIMEOUT_SECONDS, transport: httpx.AsyncBaseTransport | None = None
    ) -> AsyncRemoteMemory:
        """Use the memory of a server, such as ``http://127.0.0.1:8642``. Nothing is asked of it before it is needed.

        ``key``: as made by ``pagefile key create``; a server on this machine without keys needs none. ``seconds``: after which a request is
        given up. ``transport``: what stands in for the network. Raises SettingsError for what is no address or no key.
        """
        address = httpx.URL(url.rstrip("/")) if _is_address(url) else None
        if address is None:
            raise SettingsError(f"{url!r:.80} is no address of a server; give one such as http://127.0.0.1:8642")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise SettingsError("the key has characters that no key has; give it as `pagefile key create` showed it")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = httpx.AsyncClient(base_url=address, headers=headers, timeout=seconds, transport=transport, follow_redirects=False)
        return cls(Wire(client, str(address)), client)

    def scope(self, user: str, *, tenant: str = "default", actor: str | None = None) -> AsyncRemoteScopedMemory:
        if actor is not None:
            raise InputError("over a server the history names the user as the one who made changes; leave actor out")
        scope = Scope(tenant, user)
        return AsyncRemoteScopedMemory(self._wire.of(scope), scope)

    async def scopes(self, *, after: str | None = None, limit: int = 100, tenant: str | None = None) -> Page[Scope]:
        query = sent(after=after, limit=limit, tenant=tenant)
        return read(Page[Scope], await self._wire.send("GET", "/scopes", query=query, headers={}))

    @property
    def location(self) -> str:
        """The address of the server."""
        return self._wire.url

    @property
    def embedder(self) -> Embedder | None:
        """None: it is the server's."""
        return None

    @property
    def model(self) -> Model:
        """What stands here in the place of the server's own."""
        return OfflineModel()

    @property
    def trouble(self) -> str | None:
        """None: it is the server's, which tells it at /readyz."""
        return None

    async def close(self) -> None:
        await self._client.aclose()

    # --- what concerns all users at once -------------------------------------------------------------------------------

    async def flush(self, progress: Callable[[int, int], None] | None = None) -> int:
        _refuse("flush", "each scope has a flush() of its own")

    async def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        _refuse("reindex", "`pagefile reindex`")

    async def jobs(self, *, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        _refuse("jobs", "each scope has jobs() of its own")

    async def revive(self, ids: Sequence[str]) -> int:
        _refuse("revive", "each scope has a revive() of its own")

    async def occurrences(self, texts: Sequence[str]) -> tuple[int, ...]:
        _refuse("occurrences", "`pagefile verify`")

    async def costs(self, *, since: date | str | None = None, until: date | str | None = None) -> tuple[DaySpent, ...]:
        _refuse("costs", "each scope has costs() of its own")

    async def stats(self) -> StoreStats:
        _refuse("stats", "each scope has stats() of its own")

    async def lag(self) -> float:
        _refuse("lag", "the server's /readyz")

    async def create_key(
        self,
        name: str,
        *,
        tenant: str = "default",
        user: str | None = None,
        acts_as: str | None = None,
        rights: Sequence[Right] = ("read", "write"),
        expires: datetime | timedelta | None = None,
        per_minute: int | None = None,
    ) -> NewKey:
        _refuse("create_key", "`pagefile key create`")

    async def keys(self) -> tuple[ApiKey, ...]:
        _refuse("keys", "`pagefile key list`")

    async def find_key(self, secret: str) -> ApiKey | None:
        _refuse("find_key", "`pagefile key list`")

    async def revoke_key(self, id: str) -> bool:
        _refuse("revoke_key", "`pagefile key revoke`")


def connect(url: str, key: str | None = None, *, seconds: float = TIMEOUT_SECONDS) -> Memory:
    """Use the memory of a server as if it were here. See ``AsyncRemoteMemory.connect``, which is the same with await."""
    return memory_of(lambda: AsyncRemoteMemory.connect(url, key, seconds=seconds))


def _is_address(url: object) -> bool:
    try:
        found = httpx.URL(url) if isinstance(url, str) else None
    except httpx.InvalidURL:
        return False
    return found is not None and found.scheme in ("http", "https") and bool(found.host)


def _refuse(what: str, instead: str) -> NoReturn:
    raise InputError(f"{what}() of a whole memory is not offered by a server; use {instead} there")
