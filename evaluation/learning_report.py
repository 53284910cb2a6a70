"""Tables, lists and JSON of learning runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TypeAlias

from rich.table import Table

from evaluation import learning_measures as measures
from evaluation.learning import Run
from evaluation.learning_measures import Counts
from evaluation.learning_scripts import Pattern
from pagefile import Record

#: Column → measure.
MEASURES: Mapping[str, Callable[[Counts], float]] = {
    "precision": measures.precision,
    "recall": measures.recall,
    "F": measures.f_score,
    "noise kept": measures.noise_rate,
    "forgotten": measures.forgetting_rate,
    "hit@5": measures.hit_rate,
    "use": measures.use_rate,
    "dates": measures.date_rate,
}
#: Columns that are counts.
_COUNTED = ("facts", "right", "false", "twice", "optional")
Group: TypeAlias = tuple[str, Sequence[Run]]


def total(runs: Sequence[Run]) -> Counts:
    """The counts of all runs together."""
    return reduce(add, (run.counts for run in runs), Counts())


def table(title: str, runs: Sequence[Run]) -> Table:
    """How well was learnt: by category, by language, and over all."""
    result = Table(title=title, title_justify="left")
    result.add_column("conversations")
    for column in ("n", *_COUNTED, *MEASURES):
        result.add_column(column, justify="right")
    for name, group in _groups(runs, lambda run: run.script.category):
        _row(result, name, group)
    result.add_section()
    for name, group in _groups(runs, lambda run: run.script.language):
        _row(result, name, group)
    result.add_section()
    _row(result, "all", runs)
    return result


def details(run: Run) -> Iterator[str]:
    """What went wrong in one conversation, a line each; nothing if all is well."""
    name = run.script.name
    yield from (f"{name}: missed  {_wanted(fact)}  ← {fact.said}" for fact in run.judged.missed)
    yield from (f"{name}: false   {_known(record)}" for record in run.judged.false)
    yield from (f"{name}: twice   {_known(record)}" for record in run.judged.twice)
    yield from (f"{name}: noise   {word}" for word in run.judged.noise)
    yield from (f"{name}: stays   {_wanted(old)}" for old in run.judged.left)
    for one in run.asked:
        if not any(measures.answers(hit.text, one.ask) for hit in one.hits):
            yield f"{name}: no hit  {one.ask.ask}"
        yield from (f"{name}: old hit {one.ask.ask}  → {hit.text}" for hit in one.hits if measures.outdated(hit.text, one.ask))


def as_json(runs: Sequence[Run]) -> dict[str, object]:
    """Everything, JSON-ready."""
    return {
        "measures": _figures(total(runs)),
        "languages": {name: _figures(total(group)) for name, group in _groups(runs, lambda run: run.script.language)},
        "categories": {name: _figures(total(group)) for name, group in _groups(runs, lambda run: run.script.category)},
        "conversations": {
            run.script.name: {"half": run.script.half, "measures": _figures(run.counts), "problems": list(details(run))} for run in runs
        },
    }


def _figures(counts: Counts) -> dict[str, float | None]:
    counted = {name: float(getattr(counts, name)) for name in _COUNTED}
    shares = {name: measure(counts) for name, measure in MEASURES.items()}
    # JSON has no NaN.
    return counted | {name: None if value != value else value for name, value in shares.items()}


def _groups(runs: Sequence[Run], key: Callable[[Run], str]) -> list[Group]:
    names = dict.fromkeys(key(run) for run in runs)
    return [(name, [run for run in runs if key(run) == name]) for name in names]


def _row(result: Table, label: str, runs: Sequence[Run]) -> None:
    counts = total(runs)
    shares = (measure(counts) for measure in MEASURES.values())
    counted = (str(getattr(counts, name)) for name in _COUNTED)
    result.add_row(label, str(len(runs)), *counted, *("–" if share != share else f"{share:.3f}" for share in shares))


def _wanted(fact: Pattern) -> str:
    sign = {"positive": "+", "negative": "-", "either": "±"}[fact.polarity]
    return f"{fact.subject[0]} · {'/'.join(fact.attribute)} · {sign} {'/'.join(fact.value)}"


def _known(record: Record) -> str:
    sign = "+" if record.polarity == "positive" else "-"
    return f"{record.subject} · {record.attribute} · {sign} {record.value}  “{record.text}”"
