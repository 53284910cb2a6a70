"""The command line: puts the commands together, and tells errors in one line."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from pagefile.commands import advising, believing, carrying, erasing, keeping, looking, mcp, saying, serving, window
from pagefile.errors import InputError, PagefileError, SettingsError
from pagefile.terminal import check_arguments, speak_utf8

app = typer.Typer(
    name="pagefile",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

#: In the order of the help.
_COMMANDS: dict[str, Callable[..., None]] = {
    "chat": saying.chat,
    "add": saying.add,
    "import": saying.import_,
    "search": looking.search,
    "list": looking.list_,
    "show": looking.show,
    "why": looking.why,
    "timeline": looking.timeline,
    "entities": looking.entities,
    "merge": believing.merge,
    "split": believing.split,
    "remember": believing.remember,
    "edit": believing.edit,
    "correct": believing.correct,
    "confirm": believing.confirm,
    "forget": believing.forget,
    "restore": believing.restore,
    "undo": believing.undo,
    "revert": believing.revert,
    "erase": erasing.erase,
    "verify": erasing.verify,
    "history": looking.history,
    "changes": looking.changes,
    "log": looking.log,
    "tidy": keeping.tidy,
    "consolidate": keeping.consolidate,
    "window": window.window,
    "save-session": carrying.save_session,
    "load-session": carrying.load_session,
    "serve": serving.serve,
    "mcp": mcp.mcp,
    "jobs": keeping.jobs,
    "advise": advising.advise,
    "reindex": keeping.reindex,
    "doctor": keeping.doctor,
    "stats": keeping.stats,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)
app.add_typer(serving.keys, name="key", help="Keys for the server: create, list, revoke.")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pagefile {version('pagefile')}")
        raise typer.Exit


@app.callback()
def options(shown: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False) -> None:
    """Virtual memory for language models: a memory that lasts."""


def main() -> None:
    """Run the command line; errors become one line and an exit code (2: input that cannot be used, 1: anything else)."""
    speak_utf8()
    # What the library logs is told by the commands themselves, once and in their own words.
    logging.getLogger("pagefile").addHandler(logging.NullHandler())
    logging.getLogger("pagefile").propagate = False
    try:
        _run()
    except PagefileError as error:
        typer.echo(f"pagefile: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError | SettingsError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        # Those about a file have its name, and are a mistake of ours if they come as far as this.
        if error.filename is not None:
            raise
        # Whoever closed a pipe knows it.
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"pagefile: writing the output: {error.strerror or error}", err=True)
        # Python writes what is left once more when it ends, and would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run() -> None:
    if sys.stdout is None:
        raise InputError("standard output is closed; send it to a file or to /dev/null")
    check_arguments(sys.argv)
    try:
        app()
    finally:
        # Now, while an error can still be told in a line: a full disk shows itself when the output is written.
        sys.stdout.flush()
