"""What all commands share: their options, the memory they work on, and what is waited for before the program ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pagefile.commands.options import Data as Data
from pagefile.commands.options import User as User
from pagefile.commands.options import not_empty as not_empty
from pagefile.discover import Found, find_model, model_settings
from pagefile.settings import Settings, load_settings
from pagefile.sync import Memory, ScopedMemory
from pagefile.terminal import Terminal, counted, reading, standard_input

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
SessionName = Annotated[str | None, typer.Option("--session", callback=not_empty, help="The session. [env: PAGEFILE_SESSION]")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        callback=not_empty,
        help="offline, a name, ollama/NAME, or NAME@URL of an OpenAI-compatible server. [env: PAGEFILE_MODEL]",
    ),
]
Limit = Annotated[int, typer.Option("--limit", help="At most this many.")]
After = Annotated[str | None, typer.Option("--after", help="Go on after this cursor.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")]
Consent = Annotated[
    bool, typer.Option("--consent", help='Personal identifiers in it, such as a phone number, may be learnt: consent="explicit" in Python.')
]
AsOf = Annotated[str | None, typer.Option("--as-of", callback=not_empty, help="What was true then: a date, or words such as 'last May'.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", callback=not_empty, help="What was believed then.")]


@dataclass(frozen=True)
class Opened:
    """What a command works on."""

    memory: Memory
    mine: ScopedMemory
    settings: Settings
    terminal: Terminal
    #: Records there were when a command began that learns, and those of them that waited to be confirmed.
    records: int
    pending: int

    def learnt(self) -> str:
        """What came to be known meanwhile, as a sentence; empty if nothing."""
        pending = max(0, _pending(self.mine) - self.pending)
        known = self.mine.stats().records - self.records - pending
        said = [f"{counted(known, 'fact')} learnt, see `pagefile list`"] if known > 0 else []
        return "; ".join([*said, *([f"{pending} to be confirmed, see `pagefile list --pending`"] if pending else [])])


def _pending(mine: ScopedMemory) -> int:
    return mine.list(statuses=("pending",), limit=1).total


@contextmanager
def opened(
    data: str | None,
    user: str | None,
    as_json: bool,
    *,
    settings: Settings | None = None,
    found: Found | None = None,
    learns: bool = False,
) -> Iterator[Opened]:
    """Open the memory that the options and settings name, and close it at the end.

    ``learns``: the command brings something to learn from, so that a model is looked for if one is to read it. Others leave to such a
    command what still waits for a model.
    """
    settings = settings or load_settings(data=data, user=user)
    terminal = Terminal(as_json=as_json, zone=settings.zone())
    learn = settings.learn_by()
    notes = []
    if learn == "model":
        if learns and found is None:
            found = anyio.run(lambda: find_model(**model_settings(settings)))
        if found is None or found.sends_to is None:
            learn = "rules"
        if learns and found is not None:
            notes = [f"what is said is learnt by rules only: {found.what}" if learn == "rules" else f"what is said is read by {found.what}"]
    new = settings.path() != ":memory:" and not Path(settings.path()).exists()
    with Memory.open(settings=settings, model=found.model if found else None, learn=learn) as memory:
        mine = memory.scope(settings.user, tenant=settings.tenant)
        terminal.warn([*memory.warnings, *notes, *([f"a new memory was made at {memory.location}"] if new else [])])
        pending = _pending(mine) if learns else 0
        yield Opened(memory, mine, settings, terminal, mine.stats().records if learns else 0, pending)


def progress_bar(terminal: Terminal) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=terminal.err,
        transient=True,
        # In a pipe it would leave an empty line.
        disable=not terminal.err.is_terminal,
    )


def finish(on: Opened) -> None:
    """Wait until what was just written is learnt from and has its vectors: the program ends after this, and nobody else may come for it."""
    with progress_bar(on.terminal) as progress:
        task = progress.add_task("learning and embedding", total=None)
        left = on.memory.flush(lambda made, total: progress.update(task, completed=made, total=total))
    if left:
        # Without an embedder there is nothing that the vectors wait for.
        told = set(_WAITS) - ({"embed"} if on.memory.embedder is None else set())
        kinds = Counter(job.kind for job in on.memory.jobs(limit=10_000).items if job.state != "dead" and job.kind in told)
        waits = " and ".join(f"{counted(number, *_WAITS[kind])}" for kind, number in kinds.items())
        why = on.memory.trouble or "see `pagefile jobs`"
        waits = waits or counted(left, "job")
        on.terminal.warn([f"{waits} still {'waits' if waits.startswith('1 ') and ' and ' not in waits else 'wait'}: {why}"])


#: Kind of job → what waits in it, one and several.
_WAITS = {
    "embed": ("batch to be found by meaning", "batches to be found by meaning"),
    "learn": ("conversation to be learnt from", "conversations to be learnt from"),
    "extract": ("batch for the model to read", "batches for the model to read"),
}


def ask(question: str) -> None:
    """Ask a yes-or-no question; no ends the program. Raises InputError where nobody can answer."""
    standard_input()
    with reading():
        typer.confirm(question, err=True, abort=True)
