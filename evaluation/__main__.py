"""``python -m evaluation retrieval PATH…``: what is found, how well, how fast."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evaluation import report, retrieval
from evaluation.conversations import DataError, read

app = typer.Typer(help="Measure Pagefile on conversations with answer keys.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Measure Pagefile on conversations with answer keys."""


@app.command("retrieval")
def measure_retrieval(
    paths: Annotated[list[Path], typer.Argument(help="Files of conversations, or folders of such files.")],
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone. Default: the settings.')] = None,
    limit_questions: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions of each conversation.")] = None,
    level: Annotated[str, typer.Option(help='Which key to judge by: "turn", "session", or "auto" for the one a question has.')] = "auto",
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write everything to this file.")] = None,
) -> None:
    """Add the turns of each conversation to a new memory, ask its questions, and print how much of the answer keys was found."""
    choice = _choice(level)
    try:
        conversations = read(paths)
    except DataError as error:
        raise typer.BadParameter(str(error)) from error
    progress = Console(stderr=True)
    runs = []
    for conversation in conversations:
        with progress.status(conversation.name) as status:
            runs.append(
                retrieval.run(conversation, embedder=embedder, level=choice, most_questions=limit_questions, progress=status.update)
            )
    grouped = report.by_set(runs)
    # A pipe has no width of its own; a table must not be cut in it.
    console = Console(width=None if sys.stdout.isatty() else 140)
    for name, group in grouped.items():
        console.print(report.quality(name, group))
    console.print(report.cost(grouped))
    if json_file is not None:
        json_file.write_text(json.dumps(report.as_json(grouped), ensure_ascii=False, indent=1), encoding="utf-8")


def _choice(level: str) -> retrieval.Choice:
    match level:
        case "turn" | "session" | "auto":
            return level
    raise typer.BadParameter(f'level must be "turn", "session" or "auto", not {level!r}')


if __name__ == "__main__":
    app()
