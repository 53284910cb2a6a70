"""Options that commands share. Light: ``pagefile mcp`` reads them before anything else is loaded."""

from __future__ import annotations

from typing import Annotated

import typer

from pagefile.errors import InputError


def not_empty(option: typer.CallbackParam, value: str | None) -> str | None:
    """What a script hands over from a variable that is not set must not mean the default: erase would then erase that."""
    if value is not None and not value.strip():
        raise InputError(f"--{option.name} is empty; give it a value, or leave it out for the default")
    return value


Data = Annotated[
    str | None, typer.Option("--data", callback=not_empty, help="Where the memory is kept: a file or a folder. [env: PAGEFILE_DATA]")
]
User = Annotated[str | None, typer.Option("--user", callback=not_empty, help="Whose memory. [env: PAGEFILE_USER; default: me]")]
