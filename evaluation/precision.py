"""Precision: asks small memories, and looks whether all that belongs to the answer comes back, and nothing else.

A memory is a few facts and messages of some worlds: about the person and about others, of before and of now, near topics, questions, other
speakers. Each question says what must come back and what may; whatever else comes back is wrong: a fact about somebody else, one that no
longer holds, a near topic. The held-out half was written without a look at results, and nothing is tuned on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.table import Table

from evaluation.conversations import DataError
from evaluation.learning import Clock
from pagefile import AsyncMemory, AsyncScopedMemory
from pagefile.ports import Embedder
from pagefile.queries import Hits

FOLDER = Path(__file__).parent / "precision"
#: When all questions are asked.
ASKED_AT = datetime(2026, 6, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that a memory is given."""

    key: str
    text: str
    #: A fact that is remembered as it stands; else a message, which is learnt from.
    remembered: bool
    at: datetime
    session: str
    speaker: str | None
    role: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question, and what belongs to its answer: keys of lines."""

    ask: str
    kind: str
    must: frozenset[str]
    #: What may come besides; everything else may not.
    may: frozenset[str]
    #: What has to come first; None: no matter.
    first: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A small memory and what is asked of it."""

    name: str
    #: "english", "chinese" or "mixed".
    language: str
    #: "development" or "held out".
    half: str
    lines: tuple[Line, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came back for one question."""

    world: World
    case: Case
    #: The lines behind each hit, best first.
    found: tuple[frozenset[str], ...]
    scores: tuple[float, ...]

    @property
    def missed(self) -> frozenset[str]:
        """What must have come back, and did not."""
        return self.case.must.difference(*self.found)

    @property
    def wrong(self) -> tuple[frozenset[str], ...]:
        """The hits of which nothing belongs to the answer."""
        allowed = self.case.must | self.case.may
        return tuple(keys for keys in self.found if not keys & allowed)

    @property
    def first(self) -> bool:
        """Whether what has to be first is."""
        return self.case.first is None or (bool(self.found) and self.case.first in self.found[0])

    @property
    def exact(self) -> bool:
        """All that must come came, nothing that may not, and in front what has to be."""
        return not self.missed and not self.wrong and self.first


def read_worlds(folder: Path = FOLDER) -> list[World]:
    """The worlds of all files of a folder. Raises DataError."""
    return [world for file in sorted(folder.glob("*.jsonl")) for world in _worlds(file)]


def _worlds(file: Path) -> Iterator[World]:
    language, _, half = file.stem.partition("_")
    name: str | None = None
    lines: list[Line] = []
    cases: list[Case] = []
    try:
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if "world" in row:
                if name is not None:
                    yield World(name=name, language=language, half=half.replace("_", " "), lines=tuple(lines), cases=tuple(cases))
                name, lines, cases = row["world"], [], []
            elif "ask" in row:
                cases.append(_case(row, {line.key for line in lines}))
            else:
                lines.append(_line(row))
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{file} cannot be read: {error!r}") from error
    if name is not None:
        yield World(name=name, language=language, half=half.replace("_", " "), lines=tuple(lines), cases=tuple(cases))


def _line(row: dict[str, Any]) -> Line:
    at = datetime.fromisoformat(row["at"])
    return Line(
        key=row["key"],
        text=row.get("say") or row["remember"],
        remembered="remember" in row,
        at=(at if "T" in row["at"] else at.replace(hour=12)).replace(tzinfo=UTC),
        session=row.get("session", row["at"]),
        speaker=row.get("speaker"),
        role=row.get("role", "user"),
    )


def _case(row: dict[str, Any], keys: set[str]) -> Case:
    case = Case(
        ask=row["ask"],
        kind=row["kind"],
        must=frozenset(row["must"]),
        may=frozenset(row.get("may", ())),
        first=row.get("first"),
    )
    if unknown := (case.must | case.may | ({case.first} if case.first else set())) - keys:
        raise ValueError(f"{case.ask!r} names {', '.join(sorted(unknown))}, which is no line before it")
    return case


async def run(
    worlds: Sequence[World],
    *,
    embedder: Embedder | str | None = None,
    floor: float | None = None,
    progress: Callable[[str], object] = lambda doing: None,
) -> list[Outcome]:
    """Give each world to a memory of its own, and ask. ``embedder`` as in ``Memory.open``; "none" for words alone."""
    outcomes: list[Outcome] = []
    for world in worlds:
        progress(world.name)
        clock = Clock(min(line.at for line in world.lines))
        async with await AsyncMemory.open(":memory:", embedder=embedder, learn="rules", now=clock) as memory:
            scope = memory.scope("evaluation")
            remembered = await _tell(memory, scope, world, clock)
            clock.set(ASKED_AT)
            for case in world.cases:
                hits = await scope.search(case.ask, floor=floor)
                outcomes.append(_outcome(world, case, hits, remembered))
    return outcomes


async def _tell(memory: AsyncMemory, scope: AsyncScopedMemory, world: World, clock: Clock) -> dict[str, str]:
    """Say and remember the lines of a world, each at its time; returns the ids of the records, with the keys they were remembered under."""
    remembered: dict[str, str] = {}
    for line in sorted(world.lines, key=lambda line: line.at):
        clock.set(line.at)
        if line.remembered:
            remembered[(await scope.remember(line.text)).id] = line.key
            continue
        named = {"name": line.speaker} if line.speaker else {}
        said = {"role": line.role, "content": line.text, "id": line.key, "said_at": line.at.isoformat(), **named}
        await scope.add([said], session=line.session)
        await memory.flush()
    await memory.flush()
    return remembered


def _outcome(world: World, case: Case, hits: Hits, remembered: dict[str, str]) -> Outcome:
    found: list[frozenset[str]] = []
    for hit in hits:
        sources = {source.external_id for source in hit.sources if source.external_id is not None}
        found.append(frozenset({remembered[hit.id]} if hit.id in remembered else sources))
    return Outcome(world=world, case=case, found=tuple(found), scores=tuple(hit.score for hit in hits))


def table(title: str, outcomes: Sequence[Outcome]) -> Table:
    """By half and language: how many came back exactly, and how the others fail."""
    made = Table(title=title, title_justify="left")
    made.add_column("half")
    made.add_column("language")
    for column in ("asked", "exact", "share", "something missed", "something wrong", "not first"):
        made.add_column(column, justify="right")
    for half in dict.fromkeys(one.world.half for one in outcomes):
        of_half = [one for one in outcomes if one.world.half == half]
        languages = sorted({one.world.language for one in of_half})
        for language in (*languages, "all"):
            group = [one for one in of_half if language in (one.world.language, "all")]
            made.add_row(half, language, *_figures(group), end_section=language == "all")
    return made


def by_kind(outcomes: Sequence[Outcome]) -> Table:
    """The development half by what makes a question hard."""
    outcomes = [one for one in outcomes if one.world.half == "development"]
    made = Table(title="development by kind", title_justify="left")
    made.add_column("kind")
    for column in ("asked", "exact", "share", "something missed", "something wrong", "not first"):
        made.add_column(column, justify="right")
    for kind in sorted({one.case.kind for one in outcomes}):
        made.add_row(kind, *_figures([one for one in outcomes if one.case.kind == kind]))
    return made


def _figures(group: Sequence[Outcome]) -> tuple[str, ...]:
    exact = sum(one.exact for one in group)
    missed, wrong = sum(bool(one.missed) for one in group), sum(bool(one.wrong) for one in group)
    return str(len(group)), str(exact), f"{exact / len(group):.3f}", str(missed), str(wrong), str(sum(not one.first for one in group))


def failures(outcomes: Sequence[Outcome]) -> list[str]:
    """What did not come back exactly in the development half: the question, what was missed, and every hit with its score."""
    return [
        f"{one.world.language}, {one.case.kind}: {one.case.ask} must {', '.join(sorted(one.case.must))}; got "
        + "; ".join(f"{'/'.join(sorted(keys))} {score:.2f}" for keys, score in zip(one.found, one.scores, strict=True))
        for one in outcomes
        if one.world.half == "development" and not one.exact
    ]


def as_json(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    """One line for each question; of the held-out half without what came back."""
    return [
        {"half": one.world.half, "language": one.world.language, "kind": one.case.kind, "ask": one.case.ask, "exact": one.exact}
        for one in outcomes
    ]
