"""Two runs of the same questions, before and after the library was changed: what became better, and what worse."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from evaluation import metrics
from evaluation.conversations import DataError
from evaluation.report import COMPARED
from evaluation.tables import Sheet, changed, number, wide_console

#: One answer, as ``report.lines`` has it.
Line: TypeAlias = Mapping[str, Any]
Key: TypeAlias = tuple[str, str, str, str, str]


def compare_runs(
    before: Annotated[Path, typer.Argument(help="A file that retrieval --questions wrote.")],
    after: Annotated[Path, typer.Argument(help="Another one, of the same questions.")],
    show: Annotated[int, typer.Option(min=0, help="Also show so many of the questions that changed most.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides which questions are drawn for the intervals.")] = 0,
) -> None:
    """Compare two runs question by question, and print the differences with their intervals and the questions that changed most."""
    try:
        old, new = read(before), read(after)
    except DataError as error:
        raise typer.BadParameter(str(error)) from error
    console = wide_console()
    console.print(sheet(old, new, seed=seed).table())
    for line in most_changed(old, new, show):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def read(path: Path) -> dict[Key, Line]:
    """The answers of a per-question file. Raises DataError."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        answers = {_key(line): line for line in lines if "level" in line}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} cannot be read as answers to questions: {error!r}; retrieval --questions writes such a file") from error
    if not answers:
        raise DataError(f"there are no answers to questions in {path}; retrieval --questions writes such a file")
    return answers


def sheet(before: Mapping[Key, Line], after: Mapping[Key, Line], *, seed: int = 0) -> Sheet:
    """By setting, set and level, over the questions that are in both."""
    both = [key for key in before if key in after]
    rows = []
    for setting, name, level in dict.fromkeys((key[0], key[1], key[4]) for key in both):
        keys = [key for key in both if (key[0], key[1], key[4]) == (setting, name, level)]
        row = [f"{setting}, {name}, {level}", str(len(keys))]
        for measure in COMPARED:
            old, new = ([lines[key][measure] for key in keys] for lines in (before, after))
            difference = metrics.difference(old, new, seed=seed)
            row += [number(metrics.mean(old)), number(metrics.mean(new)), changed(difference), f"{difference.better} / {difference.worse}"]
        rows.append(tuple(row))
    columns = ["questions", "n"]
    for measure in COMPARED:
        columns += [f"{measure} before", "after", "difference [95 %]", "better / worse"]
    missing = len(before.keys() ^ after.keys())
    title = f"changes; {missing} answers are in one file alone" if missing else "changes"
    return Sheet(title=title, columns=tuple(columns), rows=tuple(rows))


def most_changed(before: Mapping[Key, Line], after: Mapping[Key, Line], most: int) -> Iterator[str]:
    """Questions by how much their nDCG@10 changed, with the places of the key before and after ("–": not found)."""
    changes = {key: after[key]["nDCG@10"] - line["nDCG@10"] for key, line in before.items() if key in after}
    for key in sorted(changes, key=lambda key: -abs(changes[key]))[:most]:
        if not changes[key]:
            return
        places = " → ".join(_places(lines[key]) for lines in (before, after))
        yield f"{changes[key]:+.3f}  {key[0]}, {key[3]}, {key[4]}: {before[key]['text'][-120:]}  [{places}]"


def _places(line: Line) -> str:
    ranking: Sequence[str] = line["ranking"]
    return " ".join(str(ranking.index(id) + 1) if id in ranking else "–" for id in line["key"])


def _key(line: Line) -> Key:
    return (line["setting"], line["set"], line["conversation"], line["question"], line["level"])
