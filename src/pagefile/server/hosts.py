"""Refuses requests that a web page somewhere else makes in a browser on this machine: by the names in Host and Origin."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pagefile.errors import SettingsError
from pagefile.server.addresses import is_loopback_host, listed
from pagefile.server.problems import problem
from pagefile.settings import Settings

_EVERY_ADDRESS = frozenset({"0.0.0.0", "::", ""})


class HostCheck:
    """Answers 403 to requests for a name that is not this server's (DNS rebinding), or from a page of another origin.

    A name is the server's if it is one of this machine alone, the one it was bound to, or in the setting ``allowed_hosts``. Bound to more
    than this machine, every bare address will do: a page can have a name of its own point here, but not an address.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._names = {name.lower() for name in listed(settings.allowed_hosts)}
        if not is_loopback_host(settings.host) and settings.host not in _EVERY_ADDRESS:
            self._names.add(settings.host.strip("[]").lower())
        self._addresses = not is_loopback_host(settings.host)
        self._origins = frozenset(origins(settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(headers)
        if refused is None:
            await self.app(scope, receive, send)
            return
        kind, detail = refused
        request_id = scope["state"].get("request_id", "none")
        await problem(status=403, kind=kind, detail=detail, path=scope["path"], request_id=request_id)(scope, receive, send)

    def _refused(self, headers: Headers) -> tuple[str, str] | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(host := _name(hosts[0])):
            named = repr(host[:100]) if len(hosts) == 1 else "nothing or several hosts"
            return "host-not-allowed", f"the request is for {named}, which is no name of this server; add it to PAGEFILE_ALLOWED_HOSTS"
        origin = headers.get("origin")
        if origin is None:
            # A page can have an image or script fetched without an origin being told; browsers say at least that it came from elsewhere.
            elsewhere = headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate"
            return ("origin-not-allowed", _of_origin("another site")) if elsewhere else None
        same = _place(origin) == hosts[0].strip().lower()
        return None if same or origin.rstrip("/").lower() in self._origins else ("origin-not-allowed", _of_origin(repr(origin[:200])))

    def _is_ours(self, host: str) -> bool:
        if is_loopback_host(host) or host in self._names or (self._addresses and _is_address(host)):
            return True
        return any(name.startswith("*.") and host.endswith(name[1:]) for name in self._names)


def origins(settings: Settings) -> tuple[str, ...]:
    """The origins of other pages that may call the server. Raises SettingsError."""
    found = tuple(origin.rstrip("/").lower() for origin in listed(settings.allowed_origins))
    for origin in found:
        try:
            parts = urlsplit(origin)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query or "*" in origin:
            raise SettingsError(
                f"PAGEFILE_ALLOWED_ORIGINS has {origin!r:.100}, which is no origin of a page; give scheme, name and port, "
                "such as https://chat.example.com"
            )
    return found


def _place(origin: str) -> str | None:
    """Name and port of an origin; None: it has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _of_origin(who: str) -> str:
    return f"a web page of {who} may not call this server; add its origin to PAGEFILE_ALLOWED_ORIGINS if it should"


def _name(host: str) -> str:
    """The name or address of a Host header, without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
