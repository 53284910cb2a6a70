"""Tables and JSON of retrieval runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from evaluation import metrics
from evaluation.containment import CONTAINED
from evaluation.conversations import Level
from evaluation.retrieval import LEVELS, Answer, Run
from evaluation.tables import Sheet, changed, number, with_interval

Measure: TypeAlias = Callable[[Answer], float]

#: Column → measure of one answer.
MEASURES: Mapping[str, Measure] = {
    "recall@5": lambda answer: metrics.recall(answer.ranking, answer.key, 5),
    "recall@10": lambda answer: metrics.recall(answer.ranking, answer.key, 10),
    "recall@20": lambda answer: metrics.recall(answer.ranking, answer.key, 20),
    "all@5": lambda answer: metrics.found_all(answer.ranking, answer.key, 5),
    "all@10": lambda answer: metrics.found_all(answer.ranking, answer.key, 10),
    "all@20": lambda answer: metrics.found_all(answer.ranking, answer.key, 20),
    "hit@10": lambda answer: metrics.hit(answer.ranking, answer.key, 10),
    "nDCG@10": lambda answer: metrics.ndcg(answer.ranking, answer.key, 10),
    "MRR": lambda answer: metrics.reciprocal_rank(answer.ranking, answer.key),
}
#: Those by which settings are compared question by question.
COMPARED = ("recall@10", "nDCG@10")


def measured(answers: Sequence[Answer]) -> dict[str, float]:
    """The mean of every measure."""
    return {name: metrics.mean(measure(answer) for answer in answers) for name, measure in MEASURES.items()}


def values(answers: Iterable[Answer], measure: str) -> list[float]:
    """A measure of each answer."""
    return [MEASURES[measure](answer) for answer in answers]


def groups(runs: Sequence[Run]) -> Iterator[tuple[str, Level, dict[str, list[Answer]]]]:
    """Each set at each level that its questions have a key for, with the answers of each setting, in the order they were asked."""
    for name in dict.fromkeys(run.conversation.set for run in runs):
        for level in LEVELS:
            answers: dict[str, list[Answer]] = {}
            for run in runs:
                if run.conversation.set == name:
                    answers.setdefault(run.setting, []).extend(answer for answer in run.answers if answer.level == level)
            if any(answers.values()):
                yield name, level, answers


def sheets(runs: Sequence[Run], *, seed: int = 0) -> list[Sheet]:
    """Every table: how good, how sure, by category and conversation, and what it costs."""
    made: list[Sheet] = []
    for name, level, answers in groups(runs):
        title = f"{name}, {level} level"
        several = len(answers) > 1
        if several:
            made += [quality(title, answers, [run for run in runs if run.conversation.set == name]), sure(title, answers, seed=seed)]
        setting, first = next(iter(answers.items()))
        divided = len({(answer.category, answer.conversation) for answer in first}) > 1
        if divided or not several:
            made.append(parts(f"{title}, {setting}" if several else title, first))
        if several:
            made += by_part(title, answers)
    return [*made, cost(runs)]


def quality(title: str, answers: Mapping[str, Sequence[Answer]], runs: Sequence[Run]) -> Sheet:
    """One line for each setting, over all questions, with what it costs."""
    rows = []
    for name, each in answers.items():
        milliseconds = [answer.seconds * 1e3 for answer in each]
        speeds = (f"{metrics.percentile(milliseconds, share):.1f}" for share in (0.5, 0.95))
        rows.append((name, *_row(each), *speeds, _megabytes([run for run in runs if run.setting == name])))
    return Sheet(title=title, columns=("setting", *_COLUMNS, "p50 ms", "p95 ms", "MB"), rows=tuple(rows))


def sure(title: str, answers: Mapping[str, Sequence[Answer]], *, seed: int) -> Sheet:
    """The intervals of the measures, and how each setting differs from another on the same questions: from the one of its kind that has no
    options, if that is there, else from the first."""
    rows = []
    for name, each in answers.items():
        other = against(name, list(answers))
        row = [name, "" if other is None else other]
        for measure in COMPARED:
            found = values(each, measure)
            row.append(with_interval(metrics.mean(found), metrics.interval(found, seed=seed)))
            if other is None:
                row += ["", ""]
                continue
            difference = metrics.difference(values(answers[other], measure), found, seed=seed)
            row += [changed(difference), f"{difference.better} / {difference.worse}"]
        rows.append(tuple(row))
    columns = ["setting", "against"]
    for measure in COMPARED:
        columns += [f"{measure} [95 %]", "difference [95 %]", "better / worse"]
    return Sheet(title=f"{title}: how sure", columns=tuple(columns), rows=tuple(rows))


def against(name: str, names: Sequence[str]) -> str | None:
    """What a setting is compared with. None: nothing, it is the first."""
    plain = name.partition(":")[0]
    if plain != name and plain in names:
        return plain
    return names[0] if names[0] != name else None


def parts(title: str, answers: Sequence[Answer]) -> Sheet:
    """How well the questions of a set were answered: by category, by conversation, and over all questions."""
    categories = sorted({answer.category for answer in answers})
    conversations = list(dict.fromkeys(answer.conversation for answer in answers))
    rows = [(f"category {name}", *_row([one for one in answers if one.category == name])) for name in categories]
    rows += [(name, *_row([one for one in answers if one.conversation == name])) for name in conversations]
    rows.append(("all", *_row(answers)))
    borders = frozenset((len(categories), len(categories) + len(conversations)))
    return Sheet(title=title, columns=("questions", *_COLUMNS), rows=tuple(rows), sections=borders)


def by_part(title: str, answers: Mapping[str, Sequence[Answer]]) -> Iterator[Sheet]:
    """recall@10 and nDCG@10 of each setting by category, and by conversation; no table for what there is one of."""
    first = next(iter(answers.values()))
    for label, part in (("category", _category), ("conversation", _conversation)):
        names = sorted({part(one) for one in first})
        if len(names) < 2:
            continue
        rows = []
        for setting, each in answers.items():
            divided = [[one for one in each if part(one) == name] for name in names]
            rows.append((setting, *(f"{number(_mean(of, 'recall@10'))} / {number(_mean(of, 'nDCG@10'))}" for of in divided)))
        yield Sheet(title=f"{title}: recall@10 / nDCG@10 by {label}", columns=(label, *names), rows=tuple(rows))


def cost(runs: Sequence[Run]) -> Sheet:
    """What the sets cost, and what of them was not measured."""
    rows = []
    for name, setting in dict.fromkeys((run.conversation.set, run.setting) for run in runs):
        group = [run for run in runs if (run.conversation.set, run.setting) == (name, setting)]
        turns = sum(len(run.conversation.turns) for run in group)
        add = sum(run.add_seconds for run in group)
        embeds = [seconds * 1e3 for run in group for seconds in run.embed_seconds]
        rows.append(
            (
                name,
                setting,
                str(turns),
                str(sum(run.refused for run in group)),
                str(sum(run.without_key for run in group)),
                f"{add:.1f}",
                f"{turns / add:.0f}" if add else "–",
                number(metrics.percentile(embeds, 0.5)),
                *_speeds(group),
                _megabytes(group),
            )
        )
    columns = ("set", "setting", "turns", "refused", "no key", "add s", "turns/s", "embed p50 ms", "search p50 ms", "p95 ms", "MB")
    return Sheet(title="cost (vectors of turns and questions made before)", columns=columns, rows=tuple(rows))


def _megabytes(runs: Sequence[Run]) -> str:
    sizes = [run.bytes for run in runs if run.bytes is not None]
    return f"{sum(sizes) / 1e6:.1f}" if sizes else "–"


def _speeds(group: Sequence[Run]) -> tuple[str, str]:
    """Milliseconds of the searches; where a question is asked at two levels, at that of turns."""
    first: dict[tuple[str, str], float] = {}
    for run in group:
        for answer in run.answers:
            first.setdefault((answer.conversation, answer.question), answer.seconds * 1e3)
    searches = list(first.values())
    return f"{metrics.percentile(searches, 0.5):.1f}", f"{metrics.percentile(searches, 0.95):.1f}"


def as_json(runs: Sequence[Run]) -> dict[str, object]:
    """Everything but the single answers, JSON-ready: setting → set → level → the means, all and by conversation."""
    content: dict[str, dict[str, dict[str, object]]] = {}
    for name, level, answers in groups(runs):
        for setting, each in answers.items():
            conversations = dict.fromkeys(one.conversation for one in each)
            content.setdefault(setting, {}).setdefault(name, {})[level] = {
                "measures": measured(each) | dict(zip(_CONTAINED, _contained(each), strict=True)),
                "intervals": {measure: metrics.interval(values(each, measure)) for measure in COMPARED},
                "conversations": {one: measured([answer for answer in each if answer.conversation == one]) for one in conversations},
            }
    costs = [
        {
            "setting": run.setting,
            "conversation": run.conversation.name,
            "turns": len(run.conversation.turns),
            "refused": run.refused,
            "without_key": run.without_key,
            "add_seconds": run.add_seconds,
            "bytes": run.bytes,
        }
        for run in runs
    ]
    return {"settings": content, "cost": costs}


def lines(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """One answer at a time, JSON-ready: what was asked, what came back, and what every measure says of it."""
    for run in runs:
        texts = {question.id: question.text for question in run.conversation.questions}
        for answer in run.answers:
            yield {
                "setting": answer.setting,
                "set": answer.set,
                "conversation": answer.conversation,
                "question": answer.question,
                "text": texts[answer.question],
                "category": answer.category,
                "level": answer.level,
                "key": sorted(answer.key),
                "ranking": list(answer.ranking),
                "notes": answer.notes,
                "best_score": answer.best_score,
                "seconds": answer.seconds,
                "contained": answer.contained,
                **{name: measure(answer) for name, measure in MEASURES.items()},
            }


#: Of the answer's words, and whole answers, in the notes.
_CONTAINED = ("answer's words", "whole answers")
_COLUMNS = ("n", *MEASURES, *_CONTAINED, "notes", "none")


def _row(answers: Sequence[Answer]) -> list[str]:
    shares = [number(value) for value in (*measured(answers).values(), *_contained(answers))]
    notes = metrics.mean(answer.notes for answer in answers)
    return [str(len(answers)), *shares, f"{notes:.1f}", str(sum(not answer.ranking for answer in answers))]


def _contained(answers: Sequence[Answer]) -> tuple[float, float]:
    shares = [answer.contained for answer in answers if answer.contained is not None]
    return metrics.mean(shares), metrics.mean(float(share >= CONTAINED) for share in shares)


def _mean(answers: Sequence[Answer], measure: str) -> float:
    return metrics.mean(values(answers, measure))


def _category(answer: Answer) -> str:
    return answer.category


def _conversation(answer: Answer) -> str:
    return answer.conversation
