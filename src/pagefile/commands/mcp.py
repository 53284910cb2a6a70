"""The command ``mcp``. It has an entrance of its own beside ``cli.py``: a host waits for its first answer, so little is loaded before."""

from __future__ import annotations

import importlib
import json
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

import pagefile.server.mcp.greeting as greeting
import pagefile.server.mcp.snippets as snippets
from pagefile.commands.options import Data, User, not_empty
from pagefile.errors import InputError, PagefileError, SettingsError
from pagefile.records import Scope
from pagefile.settings import Settings, load_settings

_NEEDS = "pagefile mcp needs more packages; install them with: pip install 'pagefile[server]'"


def mcp(
    data: Data = None,
    user: User = None,
    tenant: Annotated[str | None, typer.Option("--tenant", callback=not_empty, help="Of which tenant. [env: PAGEFILE_TENANT]")] = None,
    language: Annotated[
        str | None, typer.Option("--language", callback=not_empty, help="Of what models are told: en or zh. [env: PAGEFILE_LANGUAGE]")
    ] = None,
    trust: Annotated[
        str | None,
        typer.Option(
            "--trust", callback=not_empty, help="Whose word it is what the model writes: assistant or user. [env: PAGEFILE_MCP_TRUST]"
        ),
    ] = None,
    print_config: Annotated[bool, typer.Option("--print-config", help="Print what to write into the settings of hosts, as JSON.")] = False,
) -> None:
    """Serve the memory to a program that speaks MCP, over standard input and output. The program starts it."""
    settings = load_settings(data=data, user=user, tenant=tenant, language=language, mcp_trust=trust)
    if print_config:
        typer.echo(json.dumps(_config(settings, language=language, trust=trust), ensure_ascii=False, indent=2))
        return
    Scope(settings.tenant, settings.user)
    settings.path()
    wording = settings.wording()
    if settings.mcp_trust not in ("assistant", "user"):
        raise SettingsError(f"the setting mcp_trust must be assistant or user, not {settings.mcp_trust!r}")
    if sys.stdin is not None and sys.stdin.isatty():
        typer.echo("pagefile mcp is started by an MCP host and speaks JSON-RPC; for its settings see pagefile mcp --print-config", err=True)
    wire = greeting.claim()
    _log_to_standard_error()
    first = wire.line()
    if first is None:
        return
    answer = greeting.greet(first, wording)
    if answer is not None:
        wire.send(answer)
    try:
        serving = importlib.import_module("pagefile.server.mcp.serving")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "pagefile":
            raise
        raise InputError(_NEEDS) from error
    for warning in settings.warnings:
        logging.getLogger("pagefile").warning(warning)
    serving.run(wire, settings, first=first, greeting=answer)


def main() -> None:
    """Run ``pagefile mcp``; errors become one line on standard error, as those of ``cli.py`` do."""
    app = typer.Typer(name="pagefile", pretty_exceptions_enable=False, rich_markup_mode=None, add_completion=False)
    app.command("mcp")(mcp)
    app.callback()(lambda: None)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except PagefileError as error:
        typer.echo(f"pagefile: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError | SettingsError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(1)


def _config(settings: Settings, *, language: str | None, trust: str | None) -> dict[str, object]:
    script = Path(sys.executable).with_name("pagefile")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "pagefile"]
    command += ["mcp", "--user", settings.user]
    # A host starts it in another folder and without our environment: what is meant here is written out.
    command += ["--tenant", settings.tenant] if settings.tenant != "default" else []
    command += ["--data", settings.path()] if settings.data is not None else []
    command += ["--language", language or settings.language] if settings.language != "en" else []
    command += ["--trust", trust or settings.mcp_trust] if settings.mcp_trust != "assistant" else []
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return snippets.snippets(command, url=f"http://{host}:{settings.port}/mcp")


def _log_to_standard_error() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="pagefile: %(message)s", force=True)
    logging.captureWarnings(True)
