"""Finds out who asks: by the key of the request, else by the address that it comes from. A plain ASGI middleware, so streams pass."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from datetime import datetime

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

import pagefile.records as records
from pagefile.access import ApiKey
from pagefile.errors import AccessError, NotAuthenticated, PagefileError, TooMany
from pagefile.memory import AsyncMemory
from pagefile.server.addresses import beyond_this_machine, is_loopback_host
from pagefile.server.caller import Caller
from pagefile.server.limits import Rate
from pagefile.server.problems import of_error
from pagefile.settings import Settings

#: What anybody may ask: whether the server lives, and what it can do.
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/docs", "/openapi.json"})
OPEN_FOLDERS = ("/docs/",)
#: A key that was made or revoked is noticed after so many seconds at most.
KEY_CACHE_SECONDS = 1.0
#: Keys that are remembered at once.
_MOST_KEYS = 10_000
#: Headers by which proxies tell from where a request came to them, beside ``Forwarded``.
_PASSED_ON = (b"x-forwarded-", b"x-real-ip")
_HOW = "send a key as 'Authorization: Bearer pf_…'; `pagefile key create` makes one"


class KeyRing:
    """Looks keys up, and remembers them for a moment. Several processes may make and revoke keys meanwhile."""

    def __init__(self, memory: AsyncMemory, clock: Callable[[], float] = time.monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._known: dict[bytes, tuple[ApiKey | None, float]] = {}
        self._listed: frozenset[bytes] = frozenset()
        self._listed_at = float("-inf")
        self._any = False
        self._looked = float("-inf")

    async def find(self, secret: str) -> ApiKey | None:
        """The key with this secret; None: there is none."""
        name = _hash(secret)
        found = self._known.get(name)
        if found is not None and self._clock() < found[1]:
            return found[0]
        key = await self._memory.find_key(secret)
        if len(self._known) >= _MOST_KEYS:
            self._known.clear()
        self._known[name] = (key, self._clock() + KEY_CACHE_SECONDS)
        return key

    async def is_listed(self, secret: str) -> bool:
        """Whether there is a key with this secret, at the cost of one look into the store a second, however many are asked for."""
        if self._clock() - self._listed_at >= KEY_CACHE_SECONDS:
            self._listed = frozenset(bytes.fromhex(key.hash) for key in await self._memory.keys())
            self._listed_at = self._clock()
        return _hash(secret) in self._listed

    async def needed(self) -> bool:
        """Whether there are keys, or were: that the last one is revoked does not open a server that runs."""
        if not self._any and self._clock() - self._looked >= KEY_CACHE_SECONDS:
            self._any = bool(await self._memory.keys())
            self._looked = self._clock()
        return self._any


class Authentication:
    """Puts the ``Caller`` into the request's state, or answers 401 or 429."""

    def __init__(self, app: ASGIApp, *, ring: KeyRing, settings: Settings, now: Callable[[], datetime], rate: Rate) -> None:
        self.app = app
        self._ring = ring
        self._settings = settings
        self._now = now
        self._rate = rate
        self._beyond = beyond_this_machine(settings) is not None
        self._home = records.Scope(settings.tenant, settings.user)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_open(scope["path"]):
            await self.app(scope, receive, send)
            return
        try:
            scope["state"]["caller"] = Caller(key=await self._key(scope), home=self._home)
        except PagefileError as error:
            await of_error(error, path=scope["path"], request_id=scope["state"].get("request_id", "none"))(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _key(self, scope: Scope) -> ApiKey | None:
        """The key of the request; None: it comes from this machine, and keys are not needed. Raises AccessError."""
        secret = bearer(Headers(scope=scope))
        if secret is None and await self._needs_none(scope):
            return None
        try:
            key = await self._checked(secret, scope)
        except TooMany:
            raise
        except AccessError:
            self._count_refused(scope)
            raise
        if key is None:
            # Clients that must send some key send any, such as "sk-no-key"; on a machine of one's own without keys that is nobody's secret.
            if await self._needs_none(scope):
                return None
            self._count_refused(scope)
            raise NotAuthenticated(f"the key is not known, or was revoked; {_HOW}")
        if key.per_minute is not None and (wait := self._rate.take(f"key {key.id}", key.per_minute)):
            raise TooMany(f"the key {key.id} allows {key.per_minute} requests a minute; wait {wait:.0f} seconds", retry_after=wait)
        return key

    async def _checked(self, secret: str | None, scope: Scope) -> ApiKey | None:
        if secret is None:
            raise NotAuthenticated(f"no key was given; {_HOW}")
        if (wait := self._rate.wait(*self._refused(scope))) and not await self._ring.is_listed(secret):
            # Whoever guesses is not worth a look into the store each time.
            raise self._too_many(wait)
        key = await self._ring.find(secret)
        if key is not None and key.expires_at is not None and key.expires_at <= self._now():
            raise NotAuthenticated(f"the key {key.id} expired at {key.expires_at:%Y-%m-%d %H:%M %z}; {_HOW}")
        return key

    async def _needs_none(self, scope: Scope) -> bool:
        client = scope.get("client")
        here = client is None or is_loopback_host(client[0])
        return here and not self._beyond and not is_passed_on(scope) and not await self._ring.needed()

    def _count_refused(self, scope: Scope) -> None:
        if wait := self._rate.take(*self._refused(scope)):
            raise self._too_many(wait)

    def _refused(self, scope: Scope) -> tuple[str, int]:
        """What counts the requests of an address that were refused, and how many may be a minute."""
        client = scope.get("client")
        return f"address {client[0] if client else ''}", self._settings.refused_per_minute

    def _too_many(self, wait: float) -> TooMany:
        return TooMany(
            f"{self._settings.refused_per_minute} requests a minute without a valid key are answered, this is one more; "
            f"wait {wait:.0f} seconds",
            retry_after=wait,
        )


def _hash(secret: str) -> bytes:
    """What stands for a secret: itself does not stay in memory."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def bearer(headers: Headers) -> str | None:
    """The secret that the request carries; None: none. Some clients of OpenAI's interface send it as ``api-key``."""
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and value.strip():
        return value.strip()
    return headers.get("x-api-key") or headers.get("api-key") or None


def is_passed_on(scope: Scope) -> bool:
    """Whether a proxy says that the request came to it from somewhere else: then the address says nothing about who asks."""
    return any(name == b"forwarded" or name.startswith(_PASSED_ON) for name, _ in scope["headers"])


def is_open(path: str) -> bool:
    """Whether anybody may ask for this path, with or without a key."""
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)
