"""The command line: one function a command, each a few lines over ``pagefile.Memory``."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import anyio
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pagefile.arguments import STATUSES
from pagefile.chatting import converse
from pagefile.diagnosis import diagnose
from pagefile.discover import find_model
from pagefile.errors import InputError, PagefileError, SettingsError
from pagefile.importers import read_conversations
from pagefile.ports import Model
from pagefile.settings import Settings, load_settings
from pagefile.sync import Memory, ScopedMemory
from pagefile.terminal import Terminal, check_arguments, reading, speak_utf8, standard_input

app = typer.Typer(
    name="pagefile",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _not_empty(option: typer.CallbackParam, value: str | None) -> str | None:
    """What a script hands over from a variable that is not set must not mean the default: erase would then erase that."""
    if value is not None and not value.strip():
        raise InputError(f"--{option.name} is empty; give it a value, or leave it out for the default")
    return value


Data = Annotated[
    str | None, typer.Option("--data", callback=_not_empty, help="Where the memory is kept: a file or a folder. [env: PAGEFILE_DATA]")
]
User = Annotated[str | None, typer.Option("--user", callback=_not_empty, help="Whose memory. [env: PAGEFILE_USER; default: me]")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
SessionName = Annotated[str | None, typer.Option("--session", callback=_not_empty, help="The session. [env: PAGEFILE_SESSION]")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        callback=_not_empty,
        help="offline, a name, ollama/NAME, or NAME@URL of an OpenAI-compatible server. [env: PAGEFILE_MODEL]",
    ),
]
Limit = Annotated[int, typer.Option("--limit", help="At most this many.")]
After = Annotated[str | None, typer.Option("--after", help="Go on after this cursor.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@dataclass(frozen=True)
class Opened:
    """What a command works on."""

    memory: Memory
    mine: ScopedMemory
    settings: Settings
    terminal: Terminal


@contextmanager
def opened(
    data: str | None, user: str | None, as_json: bool, *, model: Model | None = None, settings: Settings | None = None
) -> Iterator[Opened]:
    """Open the memory that the options and settings name, and close it at the end."""
    settings = settings or load_settings(data=data, user=user)
    terminal = Terminal(as_json=as_json, zone=settings.zone())
    new = settings.path() != ":memory:" and not Path(settings.path()).exists()
    with Memory.open(settings=settings, model=model) as memory:
        terminal.warn([*memory.warnings, *([f"a new memory was made at {memory.location}"] if new else [])])
        yield Opened(memory, memory.scope(settings.user, tenant=settings.tenant), settings, terminal)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pagefile {version('pagefile')}")
        raise typer.Exit


@app.callback()
def options(shown: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False) -> None:
    """Virtual memory for language models: a memory that lasts."""


@app.command()
def chat(data: Data = None, user: User = None, session: SessionName = None, model: ModelName = None, as_json: Json = False) -> None:
    """Talk to something that remembers. Reads lines from a pipe too."""
    settings = load_settings(data=data, user=user, session=session, model=model)
    found = anyio.run(lambda: find_model(**_model_settings(settings)))
    with opened(data, user, as_json, model=found.model, settings=settings) as on:
        name = settings.session or datetime.now(settings.zone()).strftime("chat %Y-%m-%d %H:%M:%S")
        on.terminal.say(f"model: {found.what}", style="dim")
        on.terminal.say(f"memory of {settings.user}: {on.memory.location}  ·  session: {name}", style="dim")
        converse(on.mine.chat(session=name), on.terminal)
        _embed_the_rest(on)


@app.command()
def add(
    texts: Annotated[list[str], typer.Argument(help="What was said; - reads it from standard input.")],
    role: Annotated[str, typer.Option("--role", help="user, assistant, system or tool.")] = "user",
    name: Annotated[str | None, typer.Option("--name", help="Who said it.")] = None,
    said_at: Annotated[str | None, typer.Option("--said-at", help="When, as ISO 8601. Default: now.")] = None,
    session: SessionName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write messages to the journal."""
    with opened(data, user, as_json) as on:
        with reading():
            texts = [standard_input().read() if text == "-" else text for text in texts]
        messages = [{"role": role, "content": text, "name": name, "said_at": said_at} for text in texts]
        receipt = on.mine.add(messages, session=session or on.settings.session or "default")
        _embed_the_rest(on)
        if as_json:
            on.terminal.json(receipt)
        else:
            for message in receipt.messages:
                on.terminal.say(message.id)
            on.terminal.err.print(str(receipt), style="dim")
        if receipt.refused:
            raise typer.Exit(2)


@app.command()
def remember(
    text: Annotated[str, typer.Argument(help="One thing worth knowing, as a sentence.")],
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")] = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Keep a record."""
    with opened(data, user, as_json) as on:
        record = on.mine.remember(text, tags=tags or ())
        _embed_the_rest(on)
        on.terminal.json(record) if as_json else on.terminal.say(record.id)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="A question or words.")],
    limit: Limit = 10,
    session: SessionName = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Only what this person said.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="From this time on: a date, or words such as 'last week' or 上周三.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Up to the end of this time.")] = None,
    kinds: Annotated[list[str] | None, typer.Option("--kind", help="message, fact, event, procedure, passage or summary.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the parts of each score.")] = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Find what answers a question."""
    with opened(data, user, as_json) as on:
        found = on.mine.search(
            query,
            limit=limit,
            session=session,
            speaker=speaker,
            since=since,
            until=until,
            explain=explain,
            kinds=kinds,  # type: ignore[arg-type]  # checked there
        )
        on.terminal.hits(found, explain=explain)


@app.command("list")
def list_(
    messages: Annotated[bool, typer.Option("--messages", help="List the journal instead of records.")] = False,
    sessions: Annotated[bool, typer.Option("--sessions", help="List the sessions.")] = False,
    session: SessionName = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what was superseded or forgotten.")] = False,
    limit: Limit = 50,
    after: After = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List records, messages or sessions."""
    with opened(data, user, as_json) as on:
        statuses = STATUSES if everything else ("current",)
        if sessions:
            on.terminal.page(on.mine.sessions(limit=limit, after=after))
        elif messages or session:
            on.terminal.page(on.mine.messages(session, statuses=statuses, limit=limit, after=after))
        else:
            on.terminal.page(on.mine.list(statuses=statuses, limit=limit, after=after))


@app.command()
def show(id: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Show one record or message with all its fields."""
    with opened(data, user, as_json) as on:
        on.terminal.item(on.mine.get(id))


@app.command()
def history(id: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Show every change to a record, message or block (block:LABEL)."""
    with opened(data, user, as_json) as on:
        on.terminal.history(on.mine.history(id))


@app.command()
def edit(id: str, text: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Change the text of a record in place."""
    with opened(data, user, as_json) as on:
        record = on.mine.edit(id, text=text)
        _embed_the_rest(on)
        on.terminal.item(record)


@app.command()
def forget(ids: list[str], data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Take records or messages out of recall. They stay in history; erase removes for good."""
    with opened(data, user, as_json) as on:
        entries = [on.mine.forget(id) for id in ids]
        on.terminal.json(entries) if as_json else on.terminal.say(f"{len(entries)} forgotten")


@app.command()
def restore(ids: list[str], data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Bring back what was forgotten."""
    with opened(data, user, as_json) as on:
        entries = [on.mine.restore(id) for id in ids]
        on.terminal.json(entries) if as_json else on.terminal.say(f"{len(entries)} restored")


@app.command()
def erase(
    ids: Annotated[list[str] | None, typer.Argument(help="Records or messages.")] = None,
    session: SessionName = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything of this user.")] = False,
    yes: Yes = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Remove for good, with everything made from it."""
    if sum([bool(ids), session is not None, everything]) != 1:
        raise InputError("say what to erase: ids, --session NAME, or --all")
    with opened(data, user, as_json) as on:
        what = f"{len(ids)} items" if ids else f"session {session!r}" if session else f"everything of user {on.settings.user!r}"
        if not yes:
            standard_input()  # refuses where nobody can answer
            with reading():
                typer.confirm(f"Erase {what} for good?", err=True, abort=True)
        on.terminal.item(on.mine.erase(ids, session=session))


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="JSON lines of OpenAI-style messages, a ChatGPT export, or 'speaker: text'.")],
    form: Annotated[str | None, typer.Option("--format", help="jsonl, chatgpt or text. Default: told from the file.")] = None,
    session: SessionName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Add conversations that were kept elsewhere. Importing a file twice adds nothing."""
    with opened(data, user, as_json) as on:
        receipts = []
        for file in files:
            for conversation in read_conversations(file, form):  # type: ignore[arg-type]  # checked there
                receipts.append(on.mine.add(conversation.messages, session=session or conversation.session or file.stem))
        _embed_the_rest(on)
        refused = [f"#{one.index}: {one.reason}" for receipt in receipts for one in receipt.refused]
        if as_json:
            on.terminal.json(receipts)
        else:
            stored, known = sum(one.stored for one in receipts), sum(one.duplicates for one in receipts)
            on.terminal.say(f"{stored} messages stored in {len(receipts)} sessions, {known} stood there already, {len(refused)} refused")
            on.terminal.warn(refused[:20])
        if refused:
            raise typer.Exit(2)


@app.command()
def doctor(data: Data = None, user: User = None, model: ModelName = None, as_json: Json = False) -> None:
    """Check that everything works: data, embedder, model, and what leaves this machine."""
    settings = load_settings(data=data, user=user, model=model)
    with opened(data, user, as_json, settings=settings) as on:
        findings = diagnose(on.memory, settings, _model_settings(settings))
        if as_json:
            on.terminal.json(findings)
        else:
            for finding in findings:
                on.terminal.say(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.what:<10} {finding.said}", style="" if finding.ok else "red")
        if not all(finding.ok for finding in findings):
            raise typer.Exit(1)


@app.command()
def reindex(data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Make the vectors that are missing, for instance after a change of embedder. It can be stopped and run again."""
    with opened(data, user, as_json) as on, _progress(on.terminal) as progress:
        task = progress.add_task("embedding", total=None)
        done = on.memory.reindex(lambda made, total: progress.update(task, completed=made, total=total))
        on.terminal.json(done) if as_json else on.terminal.say(f"{done.embedded} embedded, {done.left} left")


@app.command()
def stats(data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Count what is kept."""
    with opened(data, user, as_json) as on:
        on.terminal.item(on.memory.stats() if user is None else on.mine.stats())


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


def _model_settings(settings: Settings) -> dict[str, Any]:
    return {
        "model": settings.model,
        "base_url": settings.base_url,
        "api_key": settings.api_key,
        "openai_base_url": settings.openai_base_url,
        "openai_api_key": settings.openai_api_key,
        "context_window": settings.context_window or None,
    }


def _progress(terminal: Terminal) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=terminal.err, transient=True
    )


def _embed_the_rest(on: Opened) -> None:
    """Wait for the vectors of what was just written: the program ends after this, and nobody else may come to make them."""
    with _progress(on.terminal) as progress:
        task = progress.add_task("embedding", total=None)
        left = on.memory.flush(lambda made, total: progress.update(task, completed=made, total=total))
    if left:
        on.terminal.warn([f"{left} batches cannot be found by meaning yet: {on.memory.trouble or 'another process is at it'}"])
