"""What a name or address of the server means: this machine alone, or more."""

from __future__ import annotations

import ipaddress

from pagefile.settings import Settings


def is_loopback_host(host: str) -> bool:
    """Whether this name or address means this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return False


def listed(setting: str) -> tuple[str, ...]:
    """The parts of a setting that are separated by commas."""
    return tuple(part.strip() for part in setting.split(",") if part.strip())


def beyond_this_machine(settings: Settings) -> str | None:
    """What lets others than programs of this machine in, for a person; None: nothing."""
    if not is_loopback_host(settings.host):
        return f"serving at {settings.host}, where others than this machine can come in,"
    names = [name for name in listed(settings.allowed_hosts) if not is_loopback_host(name)]
    return f"answering to the name {names[0]}" if names else None
