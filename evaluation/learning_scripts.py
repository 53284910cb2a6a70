"""The scripted conversations, and what a memory should know at the end of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from evaluation.conversations import DataError

FOLDER = Path(__file__).parent / "conversations"

Half: TypeAlias = Literal["development", "held-out"]
#: "either": a rule such as "no bullet points" can be put down both ways.
Sign: TypeAlias = Literal["positive", "negative", "either"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of a script."""

    role: Literal["user", "assistant", "tool", "system"]
    text: str
    #: In a group chat; None: the person whose memory it is, or the assistant.
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One session: its turns are a minute apart."""

    session: str
    at: datetime
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A fact in all wordings that are accepted; ``*`` stands for anything, and ends a name that may go on ("favourite *")."""

    subject: tuple[str, ...]
    attribute: tuple[str, ...]
    #: One of these stands in the value; one that begins with ``=`` is the whole of it.
    value: tuple[str, ...]
    polarity: Sign
    #: The words of the user in which it was stated; None: it never was.
    said: str | None = None
    #: Those that took it back, where no other fact of the key does.
    ended: str | None = None
    #: It was said to put something right.
    correction: bool = False
    #: The day (ISO) on which it happens or begins, where the words tell.
    on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question, what an answer holds, and what an outdated one holds."""

    ask: str
    answer: tuple[str, ...]
    old: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One user's conversations, and the key."""

    name: str
    language: Literal["en", "zh"]
    category: str
    half: Half
    sessions: tuple[Sitting, ...]
    #: What must be current at the end.
    facts: tuple[Pattern, ...]
    #: What must not be: it was replaced, taken back, said of somebody else, or never stated.
    gone: tuple[Pattern, ...]
    #: True, and worth so little that it is neither asked for nor counted as false.
    optional: tuple[Pattern, ...]
    #: Words that must not stand in any current fact.
    noise: tuple[str, ...]
    questions: tuple[Ask, ...]


def read_scripts(folder: Path = FOLDER, *, language: str | None = None, half: str | None = None) -> list[Script]:
    """The scripts of all files of the folder, of one language and one half if these are given. Raises DataError."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise DataError(f"there are no .json files in {folder}")
    scripts = [script for path in files for script in _file(path)]
    return [one for one in scripts if language in (None, one.language) and half in (None, one.half)]


def _file(path: Path) -> list[Script]:
    try:
        return [_script(content) for content in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} cannot be read as scripted conversations: {error!r}; see evaluation/README.md") from error


def _script(content: Mapping[str, Any]) -> Script:
    return Script(
        name=content["name"],
        language=content["language"],
        category=content["category"],
        half=content["half"],
        sessions=tuple(_sitting(sitting) for sitting in content["sessions"]),
        facts=tuple(_pattern(one) for one in content["facts"]),
        gone=tuple(_pattern(one) for one in content["gone"]),
        optional=tuple(_pattern(one) for one in content["optional"]),
        noise=tuple(content["noise"]),
        questions=tuple(Ask(ask=one["ask"], answer=tuple(one["answer"]), old=tuple(one["old"])) for one in content["questions"]),
    )


def _sitting(content: Mapping[str, Any]) -> Sitting:
    turns = tuple(Said(role=role, text=text, speaker=name[0] if name else None) for role, text, *name in content["turns"])
    return Sitting(session=content["session"], at=datetime.fromisoformat(content["at"]), turns=turns)


def _pattern(content: Mapping[str, Any]) -> Pattern:
    lists = {name: tuple(content[name]) for name in ("subject", "attribute", "value")}
    return Pattern(**{**content, **lists})
