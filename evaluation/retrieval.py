"""Retrieval: adds conversations to systems, asks every question of each of them, and keeps what came back."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from evaluation.compared import Setting, embedder_of, opened, together
from evaluation.containment import share, words_of
from evaluation.conversations import Conversation, Level, Question
from evaluation.systems import Found, System, embedded_text
from evaluation.vectors import Embedders, SharedEmbedder
from pagefile.language.words import date_terms

#: Turn level, session level, or each that a question has a key for.
Choice: TypeAlias = Literal["turn", "session", "both"]
LEVELS: tuple[Level, ...] = ("turn", "session")
#: Notes that are asked for: places at which the measures look, and, to see that many sessions, more.
NOTES = {"turn": 20, "session": 100}
#: Tokens of the notes in which an answer is looked for.
BUDGET = 1_000
Progress: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one question, judged at one level."""

    #: Name of the setting.
    setting: str
    set: str
    conversation: str
    question: str
    category: str
    level: Level
    #: Ids of turns or sessions, best first, each once.
    ranking: tuple[str, ...]
    key: frozenset[str]
    #: How many notes came back.
    notes: int
    #: Of the best note; None: nothing was found.
    best_score: float | None
    #: Of the search, the vector of the question being made already.
    seconds: float
    #: Share of the answer's words that stand in ``BUDGET`` tokens of notes, 0..1; None: the question has no answer in words.
    contained: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One conversation under one setting: what was asked, and what it cost."""

    setting: str
    conversation: Conversation
    answers: tuple[Answer, ...]
    #: Questions that have no key at the chosen level.
    without_key: int
    #: Turns that were refused.
    refused: int
    #: To write all turns and make them findable, their vectors being made already.
    add_seconds: float
    #: To make the vector of each question that had none yet.
    embed_seconds: tuple[float, ...]
    #: On disk, at the end; None: nothing is kept there.
    bytes: int | None


async def run(
    conversation: Conversation,
    settings: Sequence[Setting],
    *,
    embedders: Embedders | None = None,
    embedder: str | None = None,
    level: Choice = "both",
    most_questions: int | None = None,
    progress: Progress = lambda doing: None,
) -> list[Run]:
    """Measure one conversation under each setting, in new files which are removed at the end.

    ``embedder``: name for the settings that name none; None: that of the environment. Raises DataError for what cannot be compared.
    """
    embedders = embedders or Embedders()
    runs: dict[str, Run] = {}
    for group in together(settings):
        shared = embedder_of(group[0], embedders, embedder)
        if shared is not None:
            texts = [embedded_text(turn) for turn in conversation.turns]
            await shared.prepare([text for text in texts if text.strip()], lambda doing: progress(f"{conversation.name}: {doing}"))
        asking = _Asking(conversation, level, most_questions, shared, progress)
        with tempfile.TemporaryDirectory(prefix="pagefile-evaluation-") as folder:
            async with opened(group, conversation, Path(folder), embedder=shared) as systems:
                runs |= await asking.ask_all({setting.name: system for setting, system in zip(group, systems, strict=True)})
    return [runs[setting.name] for setting in settings]


def levels_of(question: Question, choice: Choice) -> list[Level]:
    """The levels a question is judged at: those it has a key for."""
    return [level for level in LEVELS if choice in (level, "both") and question.key(level)]


@dataclass(frozen=True, slots=True)
class _Asking:
    """The way of some settings that ask one memory through a conversation."""

    conversation: Conversation
    level: Choice
    most_questions: int | None
    embedder: SharedEmbedder | None
    progress: Progress

    async def ask_all(self, systems: Mapping[str, System]) -> dict[str, Run]:
        """Setting → what came of it. Turns are added to the first."""
        conversation = self.conversation
        questions = conversation.questions[: self.most_questions]
        keyed = sorted((one for one in questions if levels_of(one, self.level)), key=conversation.said_before)
        answers: dict[str, list[Answer]] = {name: [] for name in systems}
        embed_seconds: list[float] = []
        added, refused, add_seconds = 0, 0, 0.0
        memory = next(iter(systems.values()))
        for before, group in groupby(keyed, key=conversation.said_before):
            self.progress(f"{conversation.name}, {', '.join(systems)}: turns {added + 1} to {before} of {len(conversation.turns)}")
            began = time.perf_counter()
            refused += await memory.add(conversation.turns[added:before])
            add_seconds += time.perf_counter() - began
            added = max(added, before)
            asked = list(group)
            for question in asked:
                embed_seconds += await self._prepared(question)
            for name, system in systems.items():
                for question in asked:
                    answers[name] += await self._ask(name, system, question)
        return {
            name: Run(
                setting=name,
                conversation=conversation,
                answers=tuple(answers[name]),
                without_key=len(questions) - len(keyed),
                refused=refused,
                add_seconds=add_seconds,
                embed_seconds=tuple(embed_seconds),
                bytes=system.bytes(),
            )
            for name, system in systems.items()
        }

    async def _prepared(self, question: Question) -> list[float]:
        """Make the vector of a question before it is asked, or who is asked first would pay for all; returns seconds, if it is new."""
        if self.embedder is None:
            return []
        made, began = self.embedder.made, time.perf_counter()
        await self.embedder.embed([question.text], query=True)
        return [time.perf_counter() - began] if self.embedder.made > made else []

    async def _ask(self, setting: str, system: System, question: Question) -> list[Answer]:
        found: dict[Level, tuple[Found, float]] = {}
        for level in levels_of(question, self.level):
            began = time.perf_counter()
            answer = await system.ask(question.text, limit=NOTES[level])
            found[level] = answer, time.perf_counter() - began
        contained = await _contained(system, question)
        return [
            Answer(
                setting=setting,
                set=self.conversation.set,
                conversation=self.conversation.name,
                question=question.id,
                category=question.category,
                level=level,
                ranking=_ranking(each, level, self.conversation),
                key=question.key(level),
                notes=len(each.notes),
                best_score=each.best_score,
                seconds=seconds,
                contained=contained,
            )
            for level, (each, seconds) in found.items()
        ]


def _ranking(found: Found, level: Level, conversation: Conversation) -> tuple[str, ...]:
    """Ids at a level. A session stands where the first of its turns stands."""
    if level == "turn":
        return found.turns
    sessions = {turn.id: turn.session for turn in conversation.turns}
    return tuple(dict.fromkeys(sessions[turn] for turn in found.turns))


async def _contained(system: System, question: Question) -> float | None:
    """Share of the words of the answer that stand in the notes of a fixed budget, their dates and speakers included."""
    answer = words_of(question.answer)
    if not answer:
        return None
    found = await system.ask(question.text, limit=NOTES["session"], max_tokens=BUDGET)
    shown: set[str] = set()
    for note in found.notes:
        shown |= words_of(note.said) | date_terms(note.time).keys()
    return share(answer, shown)
