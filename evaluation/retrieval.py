"""Retrieval: adds conversations through the public API, asks every question, and keeps what came back."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from evaluation.conversations import Conversation, Level, Question, Turn
from pagefile import Memory
from pagefile.sync import ScopedMemory

#: Turn level, session level, or whichever key a question has, turns first.
Choice: TypeAlias = Literal["turn", "session", "auto"]
#: Hits that are asked for: places at which the measures look, and, to see that many sessions, more.
HITS = {"turn": 20, "session": 100}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one question."""

    set: str
    conversation: str
    question: str
    category: str
    level: Level
    #: Ids of turns or sessions, best first, each once.
    ranking: tuple[str, ...]
    key: frozenset[str]
    #: Of the best hit; None: nothing was found.
    best_score: float | None
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One conversation: what was asked, and what it cost."""

    conversation: Conversation
    answers: tuple[Answer, ...]
    #: Questions that have no key at the chosen level.
    without_key: int
    #: Turns that the memory refused.
    refused: int
    #: To write all turns and make their vectors.
    add_seconds: float
    #: On disk, at the end.
    bytes: int


def run(
    conversation: Conversation,
    *,
    embedder: str | None = None,
    level: Choice = "auto",
    most_questions: int | None = None,
    progress: Callable[[str], None] = lambda doing: None,
) -> Run:
    """Measure one conversation in a new file store, which is removed at the end."""
    asked = [(question, _level(question, level)) for question in conversation.questions[:most_questions]]
    keyed = [(question, at) for question, at in asked if at is not None]
    keyed.sort(key=lambda one: _said_before(one[0], conversation))
    answers: list[Answer] = []
    added, refused, add_seconds = 0, 0, 0.0
    with tempfile.TemporaryDirectory(prefix="pagefile-evaluation-") as folder:
        with Memory.open(Path(folder) / "memory.db", embedder=embedder) as memory:
            scope = memory.scope(conversation.name)
            for before, questions in groupby(keyed, key=lambda one: _said_before(one[0], conversation)):
                progress(f"{conversation.name}: turns {added + 1} to {before} of {len(conversation.turns)}")
                began = time.perf_counter()
                refused += _add(scope, conversation.turns[added:before])
                memory.flush()
                add_seconds += time.perf_counter() - began
                added = max(added, before)
                for question, at in questions:
                    answers.append(_ask(scope, conversation, question, at))
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    return Run(
        conversation=conversation,
        answers=tuple(answers),
        without_key=len(asked) - len(keyed),
        refused=refused,
        add_seconds=add_seconds,
        bytes=size,
    )


def _level(question: Question, choice: Choice) -> Level | None:
    """The level a question is judged at; None: it has no key there."""
    levels: Sequence[Level] = ("turn", "session") if choice == "auto" else (choice,)
    return next((level for level in levels if question.key(level)), None)


def _said_before(question: Question, conversation: Conversation) -> int:
    return len(conversation.turns) if question.before is None else question.before


def _add(scope: ScopedMemory, turns: Iterable[Turn]) -> int:
    """Add turns in order; returns how many were refused."""
    refused = 0
    for session, said in groupby(turns, key=lambda turn: turn.session):
        refused += len(scope.add([message_of(turn) for turn in said], session=session).refused)
    return refused


def message_of(turn: Turn) -> dict[str, str]:
    # Both people of a conversation are users of the memory; who it was stands in the name.
    role = "assistant" if turn.speaker.casefold() == "assistant" else "user"
    named = {"name": turn.speaker} if turn.speaker else {}
    return {"role": role, "content": turn.text, "id": turn.id, "said_at": turn.time, **named}


def _ask(scope: ScopedMemory, conversation: Conversation, question: Question, level: Level) -> Answer:
    began = time.perf_counter()
    hits = scope.search(question.text, limit=HITS[level])
    seconds = time.perf_counter() - began
    # A record counts by the turns that it was learnt from.
    turns = [source.external_id for hit in hits for source in hit.sources if source.external_id is not None]
    sessions = {turn.id: turn.session for turn in conversation.turns}
    return Answer(
        set=conversation.set,
        conversation=conversation.name,
        question=question.id,
        category=question.category,
        level=level,
        ranking=tuple(dict.fromkeys(turns if level == "turn" else (sessions[turn] for turn in turns))),
        key=question.key(level),
        best_score=hits[0].score if hits else None,
        seconds=seconds,
    )
