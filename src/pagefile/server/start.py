"""Begins to serve: says where, for whom and with what, or why it must not be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import anyio

from pagefile.access import ApiKey
from pagefile.discover import Found, find_model, model_settings
from pagefile.errors import InputError, SettingsError, StoreUnavailable
from pagefile.memory import AsyncMemory
from pagefile.server.addresses import beyond_this_machine
from pagefile.server.hosts import origins
from pagefile.server.logs import form_of
from pagefile.server.serving import listen, run, url_of
from pagefile.settings import Settings
from pagefile.terminal import Terminal

MAKE_KEY = "`pagefile key create NAME`"


def start(settings: Settings, terminal: Terminal) -> None:
    """Serve until the process is told to end. Raises InputError, SettingsError, StoreError."""
    _check(settings)
    about = anyio.run(look, settings, terminal)
    listening = listen(settings)
    with listening:
        announce(terminal, {"url": url_of(listening), **about})
        if not run(settings, listening):
            raise StoreUnavailable("the server could not start; what was written above says why")


def _check(settings: Settings) -> None:
    form_of(settings.request_log)
    origins(settings)
    if settings.path() == ":memory:" and settings.workers > 1:
        raise SettingsError("several workers share one file; give a file with --data, or one worker")
    if not 1 <= settings.workers <= 64:
        raise SettingsError(f"the setting workers must be 1 to 64, it is {settings.workers}")
    if not 0 <= settings.port <= 65_535:
        raise SettingsError(f"the setting port must be 0 to 65535 (0: any that is free), it is {settings.port}")


async def look(settings: Settings, terminal: Terminal) -> dict[str, object]:
    """Look at everything before an address is taken, so that what is wrong is told in one line."""
    found = await find_model(**model_settings(settings), must_answer=False)
    async with await AsyncMemory.open(settings=settings, model=found.model) as memory:
        terminal.warn(memory.warnings)
        keys = [key for key in await memory.keys() if _counts(key, datetime.now(settings.zone()))]
        beyond = beyond_this_machine(settings)
        if beyond and not keys:
            raise InputError(
                f"{beyond} needs a key, and there is none; make one with {MAKE_KEY}, or serve this machine alone with --host 127.0.0.1"
            )
        embedder = memory.embedder
        return {
            "keys": len(keys),
            "data": memory.location,
            "model": found.what,
            "embedder": embedder.id if embedder is not None else "none: things are found by words alone",
            "sent": _sent(found, embedder.sends_to if embedder is not None else None),
        }


def _counts(key: ApiKey, now: datetime) -> bool:
    return key.expires_at is None or key.expires_at > now


def _sent(found: Found, embedder: str | None) -> str:
    parts = [f"chats, recalled notes and what is learnt from to {found.sends_to}"] if found.sends_to else []
    parts += [f"texts to be found by meaning to {embedder}"] if embedder else []
    return "; ".join(parts) or "nothing"


def announce(terminal: Terminal, about: Mapping[str, object]) -> None:
    """Say where and with what it serves: lines for a person, or one JSON object."""
    if terminal.as_json:
        terminal.json(about)
    else:
        url, keys = about["url"], about["keys"]
        terminal.say(f"Pagefile serves at {url}   (Ctrl-C ends it)", style="bold")
        none = f"none are needed: everybody on this machine is served. From the first {MAKE_KEY} on, one is needed"
        some = f"{keys} made; every request needs one: Authorization: Bearer pf_…"
        for name, said in (
            ("keys", some if keys else none),
            ("data", about["data"]),
            ("model", about["model"]),
            ("embedder", about["embedder"]),
            ("leaves this machine", about["sent"]),
            ("for OpenAI clients", f"base_url {url}/v1"),
            ("for programs", f"{url}/docs"),
            ("for MCP hosts", f"{url}/mcp"),
        ):
            terminal.say(f"  {name:<20} {said}")
    # In a pipe it would come when it is too late.
    terminal.out.file.flush()
