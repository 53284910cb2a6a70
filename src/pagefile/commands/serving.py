"""Commands about the server: serve, and the keys for it."""

from __future__ import annotations

import gc
import importlib
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, cast

import typer

from pagefile.access import ApiKey, Right
from pagefile.commands.opening import Data, Json, ModelName, User, not_empty, opened
from pagefile.errors import InputError
from pagefile.settings import load_settings
from pagefile.terminal import Terminal, plain

#: What the extra ``server`` brings.
_EXTRA = frozenset({"fastapi", "httpx", "mcp", "starlette", "uvicorn"})
_SPAN = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

Tenant = Annotated[str | None, typer.Option("--tenant", callback=not_empty, help="Of which tenant. [env: PAGEFILE_TENANT]")]

keys = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


def serve(
    host: Annotated[
        str | None,
        typer.Option("--host", callback=not_empty, help="Where to listen; beyond this machine only with a key. [env: PAGEFILE_HOST]"),
    ] = None,
    port: Annotated[int | None, typer.Option("--port", help="0: any that is free. [env: PAGEFILE_PORT; default: 8642]")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes on the same file. [env: PAGEFILE_WORKERS]")] = None,
    model: ModelName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Serve the memory to other programs: as an OpenAI-compatible proxy, by REST and by MCP."""
    settings = load_settings(host=host, port=port, workers=workers, model=model, data=data, user=user)
    server(".start").start(settings, Terminal(as_json=as_json, zone=settings.zone()))


def server(module: str) -> Any:
    """A module of the server. It is loaded only by the commands that need it. Raises InputError if the extra is not installed."""
    # What is made while modules are loaded stays for ever: to look through it for garbage again and again takes a tenth of the start.
    gc.disable()
    try:
        return importlib.import_module(f"pagefile.server{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise InputError(
            f"this needs the package {error.name}, which is not installed; install the server with: pip install 'pagefile[server]'"
        ) from error
    finally:
        gc.freeze()
        gc.enable()


@keys.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What to call it, such as the program it is for.")],
    acts_as: Annotated[
        str | None,
        typer.Option("--acts-as", callback=not_empty, help="Users it may speak for: an id, the beginning of ids and *, or * for all."),
    ] = None,
    rights: Annotated[str, typer.Option("--rights", callback=not_empty, help="read, write, admin; several with commas.")] = "read,write",
    expires: Annotated[
        str | None, typer.Option("--expires", callback=not_empty, help="After how long: 12h, 30d, 8w; or a date, 2026-12-31.")
    ] = None,
    per_minute: Annotated[int | None, typer.Option("--per-minute", help="Requests a minute it is good for.")] = None,
    tenant: Tenant = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Make a key and show its secret, this once. It speaks for one user: --user, unless --acts-as names others."""
    if user and acts_as:
        raise InputError("a key speaks for one user or for several; give --user or --acts-as, not both")
    wanted = cast(list[Right], [right.strip() for right in rights.split(",") if right.strip()])
    with opened(data, user, as_json) as on:
        new = on.memory.create_key(
            name,
            tenant=tenant or on.settings.tenant,
            user=None if acts_as else on.settings.user,
            acts_as=acts_as,
            rights=wanted,
            expires=None if expires is None else _expiry(expires, datetime.now(on.settings.zone())),
            per_minute=per_minute,
        )
        if as_json:
            on.terminal.json({**_shown(new.key), "secret": new.secret})
            return
        on.terminal.say(new.secret)
        on.terminal.hint(f"key {new.key.id}: {_speaks_for(new.key)}; {_may(new.key)}. It is shown this once: only a hash of it is kept")
        on.terminal.hint("clients send it as: Authorization: Bearer " + new.secret[:12] + "…")


@keys.command("list")
def list_(data: Data = None, user: User = None, as_json: Json = False) -> None:
    """List the keys there are; never their secrets."""
    with opened(data, user, as_json) as on:
        found, now = on.memory.keys(), datetime.now(UTC)
        if as_json:
            on.terminal.json([_shown(key) for key in found])
            return
        on.terminal.table(
            ("key", "name", "tenant", "for", "may", "a minute", "made", "expires"),
            (
                (
                    key.id,
                    key.name,
                    key.tenant,
                    _speaks_for(key),
                    _may(key),
                    str(key.per_minute or ""),
                    on.terminal.time(key.created_at),
                    ("expired " if key.expires_at <= now else "") + on.terminal.time(key.expires_at) if key.expires_at else "",
                )
                for key in found
            ),
        )


@keys.command("revoke")
def revoke(
    id: Annotated[str, typer.Argument(help="The key's id, as `pagefile key list` shows it.")],
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Revoke a key. Servers that run notice within a second."""
    with opened(data, user, as_json) as on:
        if not on.memory.revoke_key(id):
            raise InputError("there is no such key; `pagefile key list` shows those there are")
        left = len(on.memory.keys())
        on.terminal.json({"revoked": True, "left": left}) if as_json else on.terminal.say(f"revoked; {left} left")
        if not left:
            on.terminal.hint("a server that runs goes on to need one; one that is started now serves everybody on this machine without")


def _expiry(text: str, now: datetime) -> datetime | timedelta:
    if span := _SPAN.fullmatch(text.strip().lower()):
        return timedelta(**{_UNITS[span[2]]: int(span[1])})
    try:
        until = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise InputError(f"--expires has {text!r:.60}, which is no span and no date; give 12h, 30d, 8w or 2026-12-31") from error
    return until if until.tzinfo else until.replace(tzinfo=now.tzinfo)


def _shown(key: ApiKey) -> dict[str, Any]:
    return {name: value for name, value in plain(key).items() if name != "hash"}


def _speaks_for(key: ApiKey) -> str:
    if key.user is not None:
        return f"user {key.user}"
    return "every user" if key.acts_as == "*" else f"users {key.acts_as}"


def _may(key: ApiKey) -> str:
    return ", ".join(right for right in ("read", "write", "admin") if right in key.rights)
