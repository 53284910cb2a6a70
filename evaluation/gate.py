"""Gate: which messages are searched for and which are not, beside what a person would say.

A line of ``gate/*.jsonl`` is a message and whether it needs a search: ``{"text", "window", "blocks", "searched", "search", "kind"}``.
``window`` holds [role, text] of the messages before it, ``blocks`` texts of core memory, ``searched`` queries of earlier turns, oldest
first. The half a line belongs to follows from a hash of its text, so that nobody can choose it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Literal, TypeAlias

from rich.table import Table

from pagefile.retrieval.gate import Gate, Remark, Searched, decide

FOLDER = Path(__file__).parent / "gate"
LANGUAGES = {"en": "english", "zh": "chinese", "mixed": "mixed"}
NOW = datetime(2026, 5, 24, 12, tzinfo=UTC)
#: Each message is decided so often to time it.
_TIMES = 5

Half: TypeAlias = Literal["development", "held-out"]
HALVES: tuple[Half, ...] = ("development", "held-out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A message, and whether it needs a search."""

    language: str
    text: str
    window: tuple[Remark, ...]
    blocks: tuple[str, ...]
    searched: tuple[Searched, ...]
    search: bool
    kind: str

    @property
    def half(self) -> Half:
        return "held-out" if sha256(self.text.encode()).digest()[0] % 2 else "development"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the gate made of a line, and in how many microseconds."""

    line: Line
    gate: Gate
    microseconds: float

    @property
    def right(self) -> bool:
        return self.gate.search == self.line.search


def read_lines() -> list[Line]:
    """All lines of both languages and of mixed ones."""
    return [
        _line(language, json.loads(written))
        for language, name in LANGUAGES.items()
        for written in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def decide_all(lines: Iterable[Line]) -> list[Decided]:
    """What the gate makes of each line."""
    return [_decided(line) for line in lines]


def table(decided: Sequence[Decided]) -> Table:
    """Precision and recall of "search" and of "no search", by language and half."""
    result = Table(title="is recall needed?", title_justify="left")
    for name in ("language", "half"):
        result.add_column(name)
    for name in ("lines", "search: precision", "recall", "no search: precision", "recall", "median µs"):
        result.add_column(name, justify="right")
    for language in (*LANGUAGES, None):
        for half in HALVES:
            ours = [one for one in decided if one.line.half == half and language in (None, one.line.language)]
            if ours:
                shares = [_share(figure) for wanted in (True, False) for figure in precision_and_recall(ours, wanted)]
                micros = f"{median(one.microseconds for one in ours):.0f}"
                result.add_row(language or "all", half, str(len(ours)), *shares, micros)
    return result


def precision_and_recall(decided: Sequence[Decided], search: bool) -> tuple[float, float]:
    """Of those that were decided so, the share that is right; of those that should be, the share that was. 1 where there are none."""
    right = sum(one.gate.search == one.line.search == search for one in decided)
    given = sum(one.gate.search == search for one in decided)
    wanted = sum(one.line.search == search for one in decided)
    return right / given if given else 1.0, right / wanted if wanted else 1.0


def by_kind(decided: Sequence[Decided]) -> Table:
    """Of each kind of the development half: how many should be searched for, were, and rightly were or were not."""
    result = Table(title="by kind, development", title_justify="left")
    result.add_column("kind")
    for name in ("lines", "to search", "searched", "right"):
        result.add_column(name, justify="right")
    ours = [one for one in decided if one.line.half == "development"]
    kinds = Counter(one.line.kind for one in ours)
    for kind, count in kinds.items():
        same = [one for one in ours if one.line.kind == kind]
        sums = (sum(one.line.search for one in same), sum(one.gate.search for one in same), sum(one.right for one in same))
        result.add_row(kind, str(count), *map(str, sums))
    return result


def errors(decided: Sequence[Decided]) -> list[str]:
    """The lines of the development half that came out wrong; those of the other half are for measuring alone."""
    return [
        f"{one.line.language} {one.line.kind}: {one.line.text!r} should {'' if one.line.search else 'not '}be searched for ({one.gate.why})"
        for one in decided
        if one.line.half == "development" and not one.right
    ]


def _line(language: str, written: dict[str, object]) -> Line:
    window = written.get("window", [])
    blocks = written.get("blocks", [])
    searched = written.get("searched", [])
    assert isinstance(window, list) and isinstance(blocks, list) and isinstance(searched, list)
    return Line(
        language=language,
        text=str(written["text"]),
        window=_aged(window),
        blocks=tuple(blocks),
        searched=tuple(Searched(query=query, turn=turn) for turn, query in enumerate(searched, 1)),
        search=bool(written["search"]),
        kind=str(written["kind"]),
    )


def _aged(window: Sequence[Sequence[str]]) -> tuple[Remark, ...]:
    """The messages with their age: a turn begins with a message of the user."""
    return tuple(
        Remark(role=role, text=text, age=max(1, sum(other == "user" for other, _ in window[place:])))
        for place, (role, text) in enumerate(window)
    )


def _decided(line: Line) -> Decided:
    taken = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        gate = decide(line.text, window=line.window, blocks=line.blocks, searched=line.searched, now=NOW)
        taken.append((time.perf_counter() - start) * 1e6)
    return Decided(line=line, gate=gate, microseconds=median(taken))


def _share(figure: float) -> str:
    return f"{figure:.3f}"
