"""Retrieval under one or more settings: ``python -m evaluation retrieval``."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evaluation import abstention, document, report, retrieval
from evaluation.compared import Setting, settings_of
from evaluation.conversations import Conversation, DataError, read
from evaluation.tables import wide_console
from evaluation.vectors import Embedders
from pagefile.errors import EmbedderError, SettingsError


def measure_retrieval(
    paths: Annotated[list[Path], typer.Argument(help="Files of conversations, or folders of such files.")],
    compare: Annotated[
        list[str] | None,
        typer.Option(help="A setting, KIND or KIND:OPTION=VALUE,…; may be given several times. Others are compared with the first."),
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Also BM25 alone, vectors alone, and their ranks fused.")] = False,
    ablations: Annotated[bool, typer.Option(help="Also the ranking by itself, and without each of its signals.")] = False,
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone. Default: the settings.')] = None,
    limit_questions: Annotated[int | None, typer.Option(min=1, help="Ask only the first N questions of each conversation.")] = None,
    level: Annotated[str, typer.Option(help='Which key to judge by: "turn", "session", or "both".')] = "both",
    seed: Annotated[int, typer.Option(help="Decides which questions are drawn for the intervals.")] = 0,
    vectors: Annotated[Path | None, typer.Option(help="A folder in which vectors are kept for the next run.")] = None,
    questions_file: Annotated[Path | None, typer.Option("--questions", help="Write a line of JSON for each question to this file.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the means to this file.")] = None,
    report_file: Annotated[Path | None, typer.Option("--report", help="Write all tables to this Markdown file, a chart beside it.")] = None,
    abstain: Annotated[
        list[str] | None,
        typer.Option(
            "--abstention",
            help='Also ask every question of a memory without its "turns", without their "sessions", or of another "conversation"; may be '
            "given several times. Ablations are left out.",
        ),
    ] = None,
    groups: Annotated[int, typer.Option(min=2, help="Memories without evidence for each conversation.")] = abstention.GROUPS,
) -> None:
    """Add the turns of each conversation to a new memory, ask its questions, and print how much of the answer keys was found."""
    choice = _choice(level)
    try:
        conversations = read(paths)
        settings = settings_of(compare or [], baselines=baselines, ablate=ablations)
        plan = _Plan(settings, Embedders(vectors), embedder, choice, limit_questions, _missing(abstain or []), groups)
        runs, doubts = asyncio.run(plan.carry_out(conversations))
    except (DataError, EmbedderError, SettingsError) as error:
        raise typer.BadParameter(str(error)) from error
    sheets = [*report.sheets(runs, seed=seed), *abstention.sheets(doubts, seed=seed)]
    console = wide_console()
    for sheet in sheets:
        console.print(sheet.table())
    if json_file is not None:
        content = report.as_json(runs) | {"abstention": abstention.as_json(doubts)}
        json_file.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    if questions_file is not None:
        lines = (*report.lines(runs), *map(asdict, doubts))
        questions_file.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    if report_file is not None:
        command = " ".join(["python -m evaluation", *map(shlex.quote, sys.argv[1:])])
        document.write(report_file, runs, sheets, command=command, seed=seed)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done with each conversation."""

    settings: list[Setting]
    embedders: Embedders
    embedder: str | None
    level: retrieval.Choice
    most_questions: int | None
    missing: list[abstention.Missing]
    groups: int

    async def carry_out(self, conversations: list[Conversation]) -> tuple[list[retrieval.Run], list[abstention.Doubt]]:
        runs: list[retrieval.Run] = []
        doubts: list[abstention.Doubt] = []
        with Console(stderr=True).status("reading") as status:
            for conversation in conversations:
                runs += await retrieval.run(
                    conversation,
                    self.settings,
                    embedders=self.embedders,
                    embedder=self.embedder,
                    level=self.level,
                    most_questions=self.most_questions,
                    progress=status.update,
                )
                for missing in self.missing:
                    doubts += await abstention.run(
                        conversation,
                        [setting for setting in self.settings if not setting.ablation],
                        missing=missing,
                        other=_next(conversation, conversations),
                        embedders=self.embedders,
                        embedder=self.embedder,
                        groups=self.groups,
                        most_questions=self.most_questions,
                        progress=status.update,
                    )
                self.embedders.save()
        return runs, doubts


def _next(conversation: Conversation, conversations: list[Conversation]) -> Conversation | None:
    """Another conversation of the same set."""
    of_set = [one for one in conversations if one.set == conversation.set]
    other = of_set[(of_set.index(conversation) + 1) % len(of_set)]
    return None if other is conversation else other


def _missing(written: list[str]) -> list[abstention.Missing]:
    chosen = [missing for missing in abstention.MISSING if missing in written]
    if unknown := set(written) - set(chosen):
        raise typer.BadParameter(f"abstention must be one of {', '.join(abstention.MISSING)}, not {', '.join(sorted(unknown))}")
    return chosen


def _choice(level: str) -> retrieval.Choice:
    match level:
        case "turn" | "session" | "both":
            return level
    raise typer.BadParameter(f'level must be "turn", "session" or "both", not {level!r}')
