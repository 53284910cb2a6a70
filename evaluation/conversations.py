"""Conversations with answer keys, as they lie in JSON files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Level: TypeAlias = Literal["turn", "session"]


class DataError(Exception):
    """A file is missing, or is not a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Something that was said."""

    id: str
    session: str
    #: ISO 8601 time or date.
    time: str
    #: Empty: not known.
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that is asked, and which turns or sessions have the answer."""

    id: str
    text: str
    #: Ids of turns and of sessions; either may be empty.
    turns: frozenset[str]
    sessions: frozenset[str]
    category: str
    #: Empty: none is given.
    answer: str = ""
    #: Asked when only this many turns have been said; None: all of them.
    before: int | None = None

    def key(self, level: Level) -> frozenset[str]:
        return self.turns if level == "turn" else self.sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All that one user's memory is given, and is asked."""

    set: str
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    #: As in the file, such as "en" or "zh". Empty: not said.
    language: str = ""

    def said_before(self, question: Question) -> int:
        """How many turns have been said when a question is asked."""
        return len(self.turns) if question.before is None else question.before


def read(paths: Iterable[Path]) -> list[Conversation]:
    """The conversations of these files, and of the JSON files of these folders, by name. Raises DataError."""
    files: list[Path] = []
    for path in paths:
        found = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not found:
            raise DataError(f"there are no .json files in {path}")
        files += found
    return [_conversation(path) for path in files]


def _conversation(path: Path) -> Conversation:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Conversation(
            set=content["set"],
            name=content["conversation"],
            turns=tuple(
                Turn(**{field: turn[field] for field in ("id", "session", "time", "speaker", "text")}) for turn in content["turns"]
            ),
            questions=tuple(_question(question) for question in content["questions"]),
            language=str(content.get("language") or ""),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} cannot be read as a conversation: {error!r}; the schema is described in evaluation/README.md") from error


def _question(content: dict[str, Any]) -> Question:
    return Question(
        id=content["id"],
        text=content["question"],
        turns=frozenset(content["evidence"]),
        sessions=frozenset(content["evidence_sessions"]),
        category=str(content["category"]),
        answer=str(content.get("answer") or ""),
        before=content["before"],
    )
