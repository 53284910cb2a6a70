"""Tables and JSON of retrieval runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from rich.table import Table

from evaluation import metrics
from evaluation.retrieval import Answer, Run

Measure: TypeAlias = Callable[[Answer], float]

#: Column → measure of one answer.
MEASURES: Mapping[str, Measure] = {
    "recall@5": lambda answer: metrics.recall(answer.ranking, answer.key, 5),
    "recall@10": lambda answer: metrics.recall(answer.ranking, answer.key, 10),
    "recall@20": lambda answer: metrics.recall(answer.ranking, answer.key, 20),
    "all@10": lambda answer: metrics.found_all(answer.ranking, answer.key, 10),
    "all@20": lambda answer: metrics.found_all(answer.ranking, answer.key, 20),
    "hit@10": lambda answer: metrics.hit(answer.ranking, answer.key, 10),
    "nDCG@10": lambda answer: metrics.ndcg(answer.ranking, answer.key, 10),
    "MRR": lambda answer: metrics.reciprocal_rank(answer.ranking, answer.key),
}


def measured(answers: Sequence[Answer]) -> dict[str, float]:
    """The mean of every measure."""
    return {name: metrics.mean(measure(answer) for answer in answers) for name, measure in MEASURES.items()}


def by_set(runs: Iterable[Run]) -> dict[str, list[Run]]:
    ordered = sorted(runs, key=lambda run: run.conversation.set)
    return {name: list(group) for name, group in groupby(ordered, key=lambda run: run.conversation.set)}


def quality(name: str, runs: Sequence[Run]) -> Table:
    """How well the questions of a set were answered: by category, by conversation, and over all questions."""
    answers = [answer for run in runs for answer in run.answers]
    levels = " and ".join(sorted({answer.level for answer in answers})) or "no"
    table = Table(title=f"{name}, {levels} level", title_justify="left")
    table.add_column("questions")
    for column in ("n", *MEASURES, "none"):
        table.add_column(column, justify="right")
    for category in sorted({answer.category for answer in answers}):
        _row(table, f"category {category}", [answer for answer in answers if answer.category == category])
    table.add_section()
    for run in runs:
        _row(table, run.conversation.name, run.answers)
    table.add_section()
    _row(table, "all", answers)
    return table


def cost(runs: Mapping[str, Sequence[Run]]) -> Table:
    """What the sets cost, and what of them was not measured."""
    table = Table(title="cost", title_justify="left")
    table.add_column("set")
    for column in ("turns", "refused", "no key", "add s", "turns/s", "search p50 ms", "p95 ms", "MB"):
        table.add_column(column, justify="right")
    for name, group in runs.items():
        turns = sum(len(run.conversation.turns) for run in group)
        add = sum(run.add_seconds for run in group)
        searches = [answer.seconds * 1e3 for run in group for answer in run.answers]
        table.add_row(
            name,
            str(turns),
            str(sum(run.refused for run in group)),
            str(sum(run.without_key for run in group)),
            f"{add:.1f}",
            f"{turns / add:.0f}" if add else "–",
            f"{metrics.percentile(searches, 0.5):.1f}",
            f"{metrics.percentile(searches, 0.95):.1f}",
            f"{sum(run.bytes for run in group) / 1e6:.1f}",
        )
    return table


def as_json(runs: Mapping[str, Sequence[Run]]) -> dict[str, object]:
    """Everything, JSON-ready: the means of each set and every answer."""
    return {
        name: {
            "measures": measured([answer for run in group for answer in run.answers]),
            "conversations": {run.conversation.name: _run(run) for run in group},
        }
        for name, group in runs.items()
    }


def _run(run: Run) -> dict[str, object]:
    return {
        "measures": measured(run.answers),
        "turns": len(run.conversation.turns),
        "refused": run.refused,
        "without_key": run.without_key,
        "add_seconds": run.add_seconds,
        "bytes": run.bytes,
        "answers": [
            {
                "question": answer.question,
                "category": answer.category,
                "level": answer.level,
                "ranking": list(answer.ranking),
                "key": sorted(answer.key),
                "best_score": answer.best_score,
                "seconds": answer.seconds,
            }
            for answer in run.answers
        ],
    }


def _row(table: Table, label: str, answers: Sequence[Answer]) -> None:
    empty = sum(not answer.ranking for answer in answers)
    table.add_row(label, str(len(answers)), *(f"{value:.3f}" for value in measured(answers).values()), str(empty))
