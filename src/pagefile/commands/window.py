"""The command that shows what a model's window is filled with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import anyio
import typer

from pagefile.commands.opening import Data, Json, ModelName, SessionName, User, opened
from pagefile.context.report import ContextReport
from pagefile.discover import find_model, model_settings
from pagefile.messages import SessionInfo
from pagefile.settings import load_settings
from pagefile.sync import ScopedMemory

#: Characters of a bar that is full.
_WIDTH = 20


def window(
    message: Annotated[str | None, typer.Argument(help="What would be said next. Default: look at the last turn.")] = None,
    session: SessionName = None,
    model: ModelName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show what the model's window is filled with: tokens of each part, and how many it may have."""
    settings = load_settings(data=data, user=user, session=session, model=model)
    found = anyio.run(lambda: find_model(**model_settings(settings)))
    with opened(data, user, as_json, settings=settings, found=found) as on:
        name = settings.session or _latest(on.mine)
        report = on.mine.context_report(name, message)
        if as_json:
            on.terminal.json(report)
            return
        on.terminal.table(("part", "tokens", "of", ""), _rows(report))
        before = report.window_start - 1
        left = f"; messages 1 to {before} have left it" if before else ""
        on.terminal.hint(f"session {name}: {report.used:,} of {report.limit:,} tokens beside the reply; {report.messages} messages{left}")
        on.terminal.hint(found.what)
        if report.blocks_cut:
            on.terminal.warn(["the blocks are longer than their share, so that some are shown in part"])


def _latest(mine: ScopedMemory) -> str:
    """The session in which something was said last."""
    latest: SessionInfo | None = None
    after: str | None = None
    while True:
        page = mine.sessions(after=after, limit=1_000)
        for info in page.items:
            if latest is None or info.last_said_at >= latest.last_said_at:
                latest = info
        if page.cursor is None:
            return latest.session if latest else "default"
        after = page.cursor


def _rows(report: ContextReport) -> Iterator[tuple[str, str, str, str]]:
    for part in report.parts:
        full = min(_WIDTH, round(_WIDTH * part.used / part.limit)) if part.limit else 0
        yield part.name, f"{part.used:,}", f"{part.limit:,}", "█" * full
