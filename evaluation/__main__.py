"""``python -m evaluation``: what is found, what is learnt and stays true, and how time expressions are read."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evaluation import dates, dialogue, early_fact, extraction, gate, learning, learning_report, nested, soak
from evaluation.changes import compare_runs
from evaluation.conversations import Conversation, DataError, read
from evaluation.fitting import fit_weights
from evaluation.learning_scripts import Script, read_scripts
from evaluation.linked import measure_linked
from evaluation.precision_command import measure_precision
from evaluation.retrieval_command import measure_retrieval
from pagefile.discover import find_model

app = typer.Typer(help="Measure Pagefile on conversations with answer keys.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Measure Pagefile on conversations with answer keys."""


app.command("retrieval")(measure_retrieval)
app.command("fit")(fit_weights)
app.command("changes")(compare_runs)
app.command("precision")(measure_precision)
app.command("linked")(measure_linked)


@app.command("learning")
def measure_learning(
    language: Annotated[str | None, typer.Option(help="en or zh; default: both.")] = None,
    half: Annotated[str | None, typer.Option(help="development or held-out; default: both.")] = None,
    extractor: Annotated[str, typer.Option(help='"rules" alone, "scripted" (beside them a model that knows the key), or "both".')] = "both",
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = "none",
    verbose: Annotated[bool, typer.Option(help="Also list what is missed and what is false, by conversation.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write everything to this file.")] = None,
) -> None:
    """Play the scripted conversations, and print what is known at the end of what should be, and what should not be."""
    _one_of(language, "language", ("en", "zh"))
    _one_of(half, "half", ("development", "held-out"))
    _one_of(extractor, "extractor", ("rules", "scripted", "both"))
    chosen: list[learning.Extractor] = []
    if extractor != "scripted":
        chosen.append("rules")
    if extractor != "rules":
        chosen.append("scripted")
    scripts = read_scripts(language=language, half=half)
    console = _console()
    written: dict[str, object] = {}
    for one in chosen:
        with Console(stderr=True).status(f"learning by {one}"):
            runs = asyncio.run(_play(scripts, one, embedder))
        console.print(learning_report.table(f"learning by {one}", runs))
        if verbose:
            for line in (line for run in runs for line in learning_report.details(run)):
                console.print(line, markup=False, highlight=False, soft_wrap=True)
        written[str(one)] = learning_report.as_json(runs)
    _write(json_file, written)


@app.command("dates")
def measure_dates() -> None:
    """Read time expressions of both languages in three zones, and print the share that is right and what is not."""
    readings = dates.read_all()
    console = _console()
    console.print(dates.table(readings))
    for line in dates.failures(readings):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


@app.command("gate")
def measure_gate(
    verbose: Annotated[bool, typer.Option(help="Also show the kinds of the development half, and what came out wrong in it.")] = False,
) -> None:
    """Decide for messages with and without need of a search, and print how many are decided as a person would, and how fast."""
    decided = gate.decide_all(gate.read_lines())
    console = _console()
    console.print(gate.table(decided))
    if verbose:
        console.print(gate.by_kind(decided))
        for line in gate.errors(decided):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


@app.command("extraction")
def measure_extraction(
    paths: Annotated[list[Path], typer.Argument(help="Files of conversations, or folders of such files.")],
    verbose: Annotated[bool, typer.Option(help="Also list the facts.")] = False,
) -> None:
    """Learn from given conversations by rules, and print how many facts came of them, with dates, twice, and from which sessions."""
    if missing := [str(path) for path in paths if not path.exists()]:
        typer.echo(f"skipped: there is no {', '.join(missing)}")
        return
    try:
        conversations = read(paths)
    except DataError as error:
        raise typer.BadParameter(str(error)) from error
    console = _console()
    with Console(stderr=True).status("learning") as status:
        learnt = [asyncio.run(extraction.run(conversation, progress=status.update)) for conversation in conversations]
    console.print(extraction.table(learnt))
    if verbose:
        for line in (line for one in learnt for line in extraction.details(one)):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


@app.command("dialogue")
def measure_dialogue(
    paths: Annotated[list[Path], typer.Argument(help="Files of conversations, or folders of such files.")],
    model: Annotated[str | None, typer.Option(help="Who answers, as PAGEFILE_MODEL. Default: a scripted reader.")] = None,
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone. Default: the settings.')] = None,
    limit_questions: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions of each conversation.")] = None,
) -> None:
    """Ask about earlier sessions in new ones, through a whole chat turn, and print how much of the answers was there."""
    try:
        conversations = read(paths)
    except DataError as error:
        raise typer.BadParameter(str(error)) from error
    asked: list[dialogue.Asked] = []
    with Console(stderr=True).status("asking") as status, tempfile.TemporaryDirectory() as folder:
        for conversation in conversations:
            asked += asyncio.run(_dialogue(conversation, Path(folder), model, embedder, limit_questions, status.update))
    _console().print(dialogue.table(asked, model or "a scripted reader"))


async def _dialogue(
    conversation: Conversation,
    folder: Path,
    model: str | None,
    embedder: str | None,
    most_questions: int | None,
    progress: Callable[[str], object],
) -> list[dialogue.Asked]:
    found = (await find_model(model=model)).model if model else None
    return await dialogue.run(conversation, folder, model=found, embedder=embedder, most_questions=most_questions, progress=progress)


@app.command("nested")
def measure_nested(
    sets: Annotated[int, typer.Option(min=1, help="How many sets of 140 pairs.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides the pairs.")] = 1,
    model: Annotated[str | None, typer.Option(help="Who answers, as PAGEFILE_MODEL. Default: a reader that knows the way.")] = None,
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = "none",
) -> None:
    """Ask for values at the end of chains of keys, and print how many were found by level."""
    with Console(stderr=True).status("asking") as status, tempfile.TemporaryDirectory() as folder:
        asked = asyncio.run(_nested(Path(folder), sets, seed, model, embedder, status.update))
    _console().print(nested.table(asked, model or "a scripted reader"))


async def _nested(
    folder: Path, sets: int, seed: int, model: str | None, embedder: str | None, progress: Callable[[str], object]
) -> list[nested.Asked]:
    found = (await find_model(model=model)).model if model else None
    return await nested.run(folder, nests=sets, seed=seed, model=found, embedder=embedder, progress=progress)


@app.command("soak")
def measure_soak(
    turns: Annotated[int, typer.Option(min=1, help="Of the conversation.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Decides every fault.")] = 1,
) -> None:
    """Hold a long conversation with an endpoint that misbehaves, and print what was answered, lost and refused."""
    with Console(stderr=True).status("talking") as status, tempfile.TemporaryDirectory() as folder:
        soaked = asyncio.run(soak.run(Path(folder), turns=turns, seed=seed, progress=status.update))
    _console().print(soak.table(soaked))


@app.command("early-fact")
def measure_early_fact(
    turns: Annotated[int, typer.Option(min=20, help="Of each conversation.")] = early_fact.TURNS,
    seeds: Annotated[int, typer.Option(min=1, help="So many conversations for each fact; 1 to N decide the talk.")] = 2,
    answered_by: Annotated[str, typer.Option(help='"offline", "reader" (says all that it is shown), or "both".')] = "both",
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = "none",
    limit_facts: Annotated[int | None, typer.Option(min=1, help="Only the first N facts of each language.")] = None,
) -> None:
    """Say a fact at the beginning of a long conversation, ask for it at the end, and print whether it was found."""
    _one_of(answered_by, "answered-by", ("offline", "reader", "both"))
    askers: list[early_fact.Asker] = []
    if answered_by != "reader":
        askers.append("offline")
    if answered_by != "offline":
        askers.append("reader")
    facts = early_fact.first_of_each_language(limit_facts)
    asked: list[early_fact.Asked] = []
    with Console(stderr=True).status("talking") as status, tempfile.TemporaryDirectory() as folder:
        for asker in askers:
            for seed in range(1, seeds + 1):
                run = early_fact.run(
                    Path(folder), asker=asker, facts=facts, turns=turns, seed=seed, embedder=embedder, progress=status.update
                )
                asked += asyncio.run(run)
    console = _console()
    console.print(early_fact.table(asked))
    for line in early_fact.missed(asked):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


async def _play(scripts: list[Script], extractor: learning.Extractor, embedder: str | None) -> list[learning.Run]:
    return [await learning.run(script, extractor=extractor, embedder=embedder) for script in scripts]


def _console() -> Console:
    # A pipe has no width of its own; a table must not be cut in it.
    return Console(width=None if sys.stdout.isatty() else 140)


def _write(path: Path | None, content: object) -> None:
    if path is not None:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def _one_of(value: str | None, what: str, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        raise typer.BadParameter(f"{what} must be one of {', '.join(choices)}, not {value!r}")


if __name__ == "__main__":
    app()
