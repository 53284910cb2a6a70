"""Fits the weights of the ranking: on some conversations, shown on the others.

The rank of an item is a sum, so what a weight stands for is the sum of a ranking in which that weight is 1 and the others are 0. A listwise
logistic regression finds the weights under which the turns of the key are most probable among the candidates of a question (Cao et al.,
"Learning to rank: from pairwise approach to listwise approach", 2007), held near 0 by their squares. Only proportions of weights matter.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from evaluation import metrics
from evaluation.compared import opened, setting
from evaluation.conversations import Conversation, DataError, read
from evaluation.folds import Fold, folds
from evaluation.vectors import Embedders, SharedEmbedder
from evaluation.weighed import Weighed
from pagefile.queries import Candidates
from pagefile.retrieval.fuse import PARTS, Question, Weights, rank

#: Weights that are fitted, and of those of several turns which.
FITTED: tuple[tuple[str, int | None], ...] = (
    *((name, None) for name in ("words", "covered", "meaning", "speaker", "session", "session_best", "time", "length")),
    *((name, None) for name in ("asks", "answers", "length_before", "opens")),
    *((name, place) for name in ("before", "before_meaning", "after", "after_meaning") for place in (0, 1)),
)
#: Parts of a ranking that add up to the rank; confidence and odds come after them.
_SUMMED = len(PARTS) - 2
_NOTES = 10
_STEPS = 30
_DONE = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question: what its candidates are made of, and which of them answer."""

    conversation: str
    question: str
    #: Shape (candidates, len(FITTED)).
    signals: Floats
    #: Shape (candidates,).
    answers: NDArray[np.bool_]
    #: Of each candidate the turns it stands for, and those that are to be found.
    turns: Sequence[frozenset[str]]
    key: frozenset[str]


def weights_of(values: Sequence[float], base: Weights | None = None) -> Weights:
    """Weights with these values in the places of ``FITTED``, all other fields as in ``base`` (default: those of the library)."""
    base = base or Weights()
    fields: dict[str, Any] = {}
    for (name, place), value in zip(FITTED, values, strict=True):
        if place is None:
            fields[name] = float(value)
        else:
            fields[name] = (*fields.get(name, ()), float(value))
    return replace(base, **fields)


def signals(found: Candidates, asked: Question, now: Any) -> Floats:
    """What each weight stands for, of every candidate: shape (candidates, len(FITTED))."""
    columns = []
    for place in range(len(FITTED)):
        only = weights_of(np.eye(len(FITTED))[place].tolist())
        columns.append(rank(found, asked, only, now).parts[:_SUMMED].sum(axis=0))
    return np.stack(columns, axis=1)


async def examples(conversation: Conversation, embedder: SharedEmbedder | None, *, most_questions: int | None = None) -> list[Example]:
    """The questions of a conversation that have turns as key."""
    made: list[Example] = []
    asked = sorted((one for one in conversation.questions[:most_questions] if one.turns), key=conversation.said_before)
    with tempfile.TemporaryDirectory(prefix="pagefile-evaluation-") as folder:
        async with opened([setting("ranking")], conversation, Path(folder), embedder=embedder) as systems:
            (system,) = systems
            assert isinstance(system, Weighed)
            added = 0
            for before, group in groupby(asked, key=conversation.said_before):
                await system.add(conversation.turns[added:before])
                added = max(added, before)
                for question in group:
                    found, read_as, now = await system.look(question.text, _NOTES)
                    turns = await system.turns(found.table.ids)
                    answers = np.array([bool(each & question.turns) for each in turns], dtype=np.bool_)
                    example = Example(conversation.name, question.id, signals(found, read_as, now), answers, turns, question.turns)
                    made.append(example)
    return made


def fit(given: Sequence[Example], *, held_near: float = 2.0) -> Floats:
    """The weights under which the answers are most probable, by Newton's method. ``held_near``: how strongly they are held near 0, each in
    units of its signal's deviation. Questions none of whose answers is a candidate teach nothing."""
    useful = [example for example in given if example.answers.any()]
    if not useful:
        return np.zeros(len(FITTED))
    deviations = np.sqrt(np.mean([example.signals.var(axis=0) for example in useful], axis=0)) + 1e-9
    scaled = [example.signals / deviations for example in useful]
    wanted = [example.answers / example.answers.sum() for example in useful]
    values = np.zeros(len(FITTED))
    for _ in range(_STEPS):
        slope, bend = -held_near * values, held_near * np.eye(len(values))
        for matrix, target in zip(scaled, wanted, strict=True):
            likely = matrix @ values
            likely = np.exp(likely - likely.max())
            likely /= likely.sum()
            expected = likely @ matrix
            slope += target @ matrix - expected
            bend += (matrix * likely[:, None]).T @ matrix - np.outer(expected, expected)
        step = np.linalg.solve(bend, slope)
        # A whole step from far away may overshoot.
        values += step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if float(np.abs(step).max()) < _DONE:
            break
    return np.asarray(values / deviations, dtype=np.float64)


def measured(given: Sequence[Example], values: Floats) -> Mapping[str, float]:
    """recall@10 and nDCG@10 of these questions under these weights."""
    recalls, gains = [], []
    for example in given:
        order = np.argsort(-(example.signals @ values), kind="stable").tolist()
        ranking = list(dict.fromkeys(turn for place in order for turn in sorted(example.turns[place])))
        recalls.append(metrics.recall(ranking, example.key, _NOTES))
        gains.append(metrics.ndcg(ranking, example.key, _NOTES))
    return {"recall@10": metrics.mean(recalls), "nDCG@10": metrics.mean(gains)}


def values_of(weights: Weights) -> Floats:
    """The values of weights in the places of ``FITTED``; 0 for a turn so far away that it has no weight."""
    values = []
    for name, place in FITTED:
        field = getattr(weights, name)
        values.append(field if place is None else field[place] if place < len(field) else 0.0)
    return np.array(values, dtype=np.float64)


def held_out(given: Sequence[Example], divided: Sequence[Fold]) -> tuple[list[tuple[Fold, list[Example], Floats]], Floats]:
    """Of each fold what it shows and the weights that were fitted to the rest of it; and the weights fitted to all."""
    of: dict[tuple[str, str], Example] = {(example.conversation, example.question): example for example in given}

    def those(conversations: Sequence[Conversation]) -> list[Example]:
        keys = ((one.name, question.id) for one in conversations for question in one.questions)
        return [of[key] for key in keys if key in of]

    return [(fold, those(fold.shown), fit(those(fold.fit))) for fold in divided], fit(given)


def fit_weights(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders of conversations.")],
    embedder: Annotated[str | None, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = None,
    vectors: Annotated[Path | None, typer.Option(help="A folder in which vectors are kept for the next run.")] = None,
    most_questions: Annotated[int | None, typer.Option(help="Of each conversation, for a try.")] = None,
) -> None:
    """Fit the weights of the ranking, and show them on what they were not fitted to."""
    console = Console()
    try:
        conversations = read(paths)
    except DataError as error:
        raise typer.BadParameter(str(error)) from error
    embedders = Embedders(vectors)
    given: list[Example] = []
    for conversation in conversations:
        given += asyncio.run(examples(conversation, embedders.find(embedder), most_questions=most_questions))
        embedders.save()
    shown, final = held_out(given, folds(conversations))
    table = Table("shown", "questions", "library: recall@10", "nDCG@10", "fitted to the rest: recall@10", "nDCG@10", title="held out")
    library = values_of(Weights())
    for fold, questions, values in shown:
        if questions:
            row = [f"{number:.3f}" for chosen in (library, values) for number in measured(questions, chosen).values()]
            table.add_row(", ".join(one.name for one in fold.shown), str(len(questions)), *row)
    console.print(table)
    # As many standard deviations as the library's, so that they can be compared.
    scale = float(np.linalg.norm(library) / max(float(np.linalg.norm(final)), 1e-9))
    sheet = Table("weight", "library", "fitted to all", title="weights")
    for (name, place), own, value in zip(FITTED, library, final * scale, strict=True):
        sheet.add_row(name if place is None else f"{name}[{place}]", f"{own:.2f}", f"{value:.2f}")
    console.print(sheet)
