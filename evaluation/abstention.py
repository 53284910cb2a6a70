"""Knowing what is not known: every question is asked twice, of a memory with its evidence and of one without.

A memory without the evidence of one question would be a memory for each question. So the questions are dealt into a few groups, and one
memory is made for each group, without the evidence of all its questions. What is missing may be

- the turns of the key, or, for questions that have only sessions as key, these sessions. What other turns say of the same matter stays:
  some questions can still be answered, and more of them half, so that even a perfect score would not tell all apart;
- the whole sessions of the key;
- everything: the question is asked of another conversation of the same set.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from evaluation import metrics
from evaluation.compared import Setting, embedder_of, opened, together
from evaluation.conversations import Conversation, Question
from evaluation.retrieval import Progress
from evaluation.systems import System, embedded_text
from evaluation.tables import Sheet, number, with_interval
from evaluation.vectors import Embedders, SharedEmbedder

#: What is not there when a question is asked for the second time.
Missing: TypeAlias = Literal["turns", "sessions", "conversation"]
MISSING: tuple[Missing, ...] = get_args(Missing)
#: Memories without evidence for each conversation.
GROUPS = 5
#: Notes that are asked for.
_NOTES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """How a question was met, with its evidence in the memory and without."""

    setting: str
    missing: Missing
    set: str
    language: str
    category: str
    conversation: str
    question: str
    #: Best score with no floor; 0: nothing was found at all.
    known: float
    unknown: float
    #: Whether anything was returned at the system's own floor.
    answered_known: bool
    answered_unknown: bool
    #: Share of the turns that were left out with the evidence, those of the other questions of the group included.
    left_out: float
    #: Other questions that have some of the same evidence.
    sharing: int


@dataclass(frozen=True, slots=True)
class _Met:
    """How a question was met once."""

    best: float
    answered: bool


async def run(
    conversation: Conversation,
    settings: Sequence[Setting],
    *,
    missing: Missing = "turns",
    other: Conversation | None = None,
    embedders: Embedders | None = None,
    embedder: str | None = None,
    groups: int = GROUPS,
    most_questions: int | None = None,
    progress: Progress = lambda doing: None,
) -> list[Doubt]:
    """Ask every question that has a key twice, under each setting. ``other``: the conversation that is asked when everything is missing;
    without one there is nothing to measure then."""
    embedders = embedders or Embedders()
    asked = [question for question in conversation.questions[:most_questions] if evidence(question, conversation, missing)]
    whole = replace(conversation, questions=tuple(asked))
    poorer = [_elsewhere(whole, other)] if missing == "conversation" else list(_groups(whole, missing, groups))
    doubts: list[Doubt] = []
    for together_asked in together(settings):
        names = [setting.name for setting in together_asked]
        shared = embedder_of(together_asked[0], embedders, embedder)
        if shared is not None:
            texts = [embedded_text(turn) for one in (conversation, *([other] if other else ())) for turn in one.turns]
            await shared.prepare([text for text in texts if text.strip()], progress)
        progress(f"{conversation.name}, {', '.join(names)}: with the evidence")
        known = await _ask_all(whole, together_asked, shared)
        for place, group in enumerate(each for each in poorer if each is not None):
            progress(f"{conversation.name}, {', '.join(names)}: without the evidence, {place + 1} of {len(poorer)}")
            unknown = await _ask_all(group, together_asked, shared)
            left_out = 1.0 if missing == "conversation" else 1 - len(group.turns) / len(conversation.turns)
            doubts += [
                _doubt(name, missing, whole, question, known[name, question.id], unknown[name, question.id], left_out)
                for name in names
                for question in group.questions
            ]
    return doubts


def evidence(question: Question, conversation: Conversation, missing: Missing = "turns") -> frozenset[str]:
    """Ids of the turns that go: those of the key or, if it has none or ``missing`` says so, all of their sessions."""
    if question.turns and missing != "sessions":
        return question.turns
    sessions = question.sessions | {turn.session for turn in conversation.turns if turn.id in question.turns}
    return frozenset(turn.id for turn in conversation.turns if turn.session in sessions)


def _groups(conversation: Conversation, missing: Missing, number: int) -> Iterator[Conversation]:
    """The questions in a number of groups, each with the turns that are left without the evidence of all of them."""
    for questions in _dealt(conversation, missing, number):
        gone = frozenset().union(*(evidence(question, conversation, missing) for question in questions))
        yield without(replace(conversation, questions=questions), gone)


def _dealt(conversation: Conversation, missing: Missing, number: int) -> list[tuple[Question, ...]]:
    """Turns are taken out far from each other. Sessions, of which a few questions need most, next to each other, or none would be left."""
    questions = conversation.questions
    if missing == "turns" and any(question.turns for question in questions):
        groups = [questions[place::number] for place in range(number)]
    else:
        places = {turn.id: place for place, turn in enumerate(conversation.turns)}
        ordered = sorted(questions, key=lambda question: min(map(places.__getitem__, evidence(question, conversation, missing))))
        size = math.ceil(len(ordered) / number)
        groups = [tuple(ordered[place * size : (place + 1) * size]) for place in range(number)]
    return [group for group in groups if group]


def _elsewhere(conversation: Conversation, other: Conversation | None) -> Conversation | None:
    """The questions with all that was said in another conversation."""
    if other is None:
        return None
    return replace(other, questions=tuple(replace(question, before=None) for question in conversation.questions))


def without(conversation: Conversation, gone: Collection[str]) -> Conversation:
    """The conversation without these turns; its questions are asked after the same of the others."""
    kept = [place for place, turn in enumerate(conversation.turns) if turn.id not in gone]
    questions = (
        replace(question, before=None if question.before is None else sum(place < question.before for place in kept))
        for question in conversation.questions
    )
    return replace(conversation, turns=tuple(conversation.turns[place] for place in kept), questions=tuple(questions))


async def _ask_all(conversation: Conversation, settings: Sequence[Setting], embedder: SharedEmbedder | None) -> dict[tuple[str, str], _Met]:
    """Setting and question → how it was met. The settings ask one memory."""
    met: dict[tuple[str, str], _Met] = {}
    added = 0
    with tempfile.TemporaryDirectory(prefix="pagefile-evaluation-") as folder:
        async with opened(settings, conversation, Path(folder), embedder=embedder) as systems:
            ordered = sorted(conversation.questions, key=conversation.said_before)
            for before, questions in groupby(ordered, key=conversation.said_before):
                await systems[0].add(conversation.turns[added:before])
                added = max(added, before)
                for question in questions:
                    for setting, system in zip(settings, systems, strict=True):
                        met[setting.name, question.id] = await _meet(system, question)
    return met


async def _meet(system: System, question: Question) -> _Met:
    nearest = await system.ask(question.text, limit=_NOTES, floor=0.0)
    answered = await system.ask(question.text, limit=_NOTES)
    return _Met(nearest.best_score or 0.0, bool(answered.notes))


def _doubt(
    setting: str, missing: Missing, conversation: Conversation, question: Question, known: _Met, unknown: _Met, left_out: float
) -> Doubt:
    return Doubt(
        setting=setting,
        missing=missing,
        set=conversation.set,
        language=conversation.language,
        category=question.category,
        conversation=conversation.name,
        question=question.id,
        known=known.best,
        unknown=unknown.best,
        answered_known=known.answered,
        answered_unknown=unknown.answered,
        left_out=left_out,
        sharing=_sharing(question, conversation),
    )


def _sharing(question: Question, conversation: Conversation) -> int:
    own = evidence(question, conversation)
    return sum(bool(own & evidence(other, conversation)) for other in conversation.questions) - 1


# --- what it says --------------------------------------------------------------------------------------------------------


_TITLES: dict[Missing, str] = {
    "turns": "the evidence missing",
    "sessions": "the sessions of the evidence missing",
    "conversation": "another conversation asked",
}
_COLUMNS = (
    *("setting", "questions", "n", "AUROC [95 %]", "same question", "answered", "… without", "precision"),
    *("median best score", "… without", "left out", "sharing"),
)


def sheets(doubts: Sequence[Doubt], *, seed: int = 0) -> list[Sheet]:
    """A table for each kind of what is missing: by setting each language and each set; of the first setting each category too."""
    return [_sheet([doubt for doubt in doubts if doubt.missing == missing], missing, seed) for missing in _kinds(doubts)]


def _kinds(doubts: Iterable[Doubt]) -> list[Missing]:
    return list(dict.fromkeys(doubt.missing for doubt in doubts))


def _sheet(doubts: Sequence[Doubt], missing: Missing, seed: int) -> Sheet:
    rows: list[tuple[str, ...]] = []
    sections: set[int] = set()
    for setting in dict.fromkeys(doubt.setting for doubt in doubts):
        sections.add(len(rows))
        given = [doubt for doubt in doubts if doubt.setting == setting]
        for language in sorted({doubt.language for doubt in given if doubt.language}):
            spoken = [doubt for doubt in given if doubt.language == language]
            if len({doubt.set for doubt in spoken}) > 1:
                rows.append(_row(setting, f"all of {language}", spoken, seed))
        for name in dict.fromkeys(doubt.set for doubt in given):
            of_set = [doubt for doubt in given if doubt.set == name]
            rows.append(_row(setting, name, of_set, seed))
            categories = sorted({doubt.category for doubt in of_set})
            for category in categories if len(categories) > 1 and len(sections) == 1 else ():
                rows.append(_row(setting, f"{name}: {category}", [one for one in of_set if one.category == category], seed))
    return Sheet(title=f"abstention, {_TITLES[missing]}", columns=_COLUMNS, rows=tuple(rows), sections=frozenset(sections))


def _row(setting: str, label: str, doubts: Sequence[Doubt], seed: int) -> tuple[str, ...]:
    known, unknown = [one.known for one in doubts], [one.unknown for one in doubts]
    answered, wrongly = sum(one.answered_known for one in doubts), sum(one.answered_unknown for one in doubts)
    return (
        setting,
        label,
        str(len(doubts)),
        with_interval(metrics.auroc(known, unknown), metrics.paired_auroc_interval(known, unknown, seed=seed)),
        number(metrics.mean((one.known > one.unknown) + (one.known == one.unknown) / 2 for one in doubts)),
        number(answered / len(doubts)),
        number(wrongly / len(doubts)),
        number(precision(doubts)),
        number(metrics.percentile(known, 0.5)),
        number(metrics.percentile(unknown, 0.5)),
        number(metrics.mean(one.left_out for one in doubts)),
        str(sum(one.sharing > 0 for one in doubts)),
    )


def precision(doubts: Sequence[Doubt]) -> float:
    """Of all that was answered at the system's own floor, the share for which the evidence was there. NaN: nothing was answered."""
    answered, wrongly = sum(one.answered_known for one in doubts), sum(one.answered_unknown for one in doubts)
    return answered / (answered + wrongly) if answered + wrongly else float("nan")


def as_json(doubts: Sequence[Doubt]) -> Mapping[str, object]:
    """The figures, JSON-ready: what is missing → setting → set."""
    content: dict[str, dict[str, dict[str, object]]] = {}
    for missing, setting, name in dict.fromkeys((doubt.missing, doubt.setting, doubt.set) for doubt in doubts):
        given = [doubt for doubt in doubts if (doubt.missing, doubt.setting, doubt.set) == (missing, setting, name)]
        content.setdefault(missing, {}).setdefault(setting, {})[name] = {
            "questions": len(given),
            "auroc": metrics.auroc([one.known for one in given], [one.unknown for one in given]),
            "answered": metrics.mean(float(one.answered_known) for one in given),
            "answered_without": metrics.mean(float(one.answered_unknown) for one in given),
            "precision": precision(given),
        }
    return content
