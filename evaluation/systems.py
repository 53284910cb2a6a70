"""What can be asked: Pagefile through its public API, with other settings, and what it is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from evaluation.conversations import Turn
from pagefile import AsyncMemory
from pagefile.language.tokens import count

#: Characters of a turn that are embedded, by every system.
_MAX_EMBEDDED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that was found."""

    #: Ids of the turns it is, or was learnt from.
    turns: tuple[str, ...]
    text: str
    speaker: str
    time: datetime
    score: float = 0.0

    def scored(self, score: float) -> Note:
        return replace(self, score=score)

    @property
    def said(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What came back, best first."""

    notes: tuple[Note, ...]

    @property
    def turns(self) -> tuple[str, ...]:
        """Ids of turns, each once."""
        return tuple(dict.fromkeys(turn for note in self.notes for turn in note.turns))

    @property
    def best_score(self) -> float | None:
        return self.notes[0].score if self.notes else None


class System(Protocol):
    """A memory of one conversation that is being measured."""

    async def add(self, turns: Sequence[Turn]) -> int:
        """Remember turns, all of them findable when it returns; how many were refused."""
        ...

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        """What answers a question: at most ``limit`` notes of together at most ``max_tokens``. ``floor``: the score under which nothing is
        returned; None: the system's own; a system without scores that can be compared has none."""
        ...

    def bytes(self) -> int | None:
        """On disk; None: it keeps nothing there."""
        ...


class Pagefile:
    """Pagefile, through the public API. ``search``: more arguments of every search."""

    def __init__(self, memory: AsyncMemory, user: str, folder: Path, **search: Any) -> None:
        self._memory = memory
        self._scope = memory.scope(user)
        self._folder = folder
        self._search = search

    async def add(self, turns: Sequence[Turn]) -> int:
        refused = 0
        for session, said in groupby(turns, key=lambda turn: turn.session):
            refused += len((await self._scope.add([message_of(turn) for turn in said], session=session)).refused)
        await self._memory.flush()
        return refused

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        options = self._search if floor is None else {**self._search, "floor": floor}
        hits = await self._scope.search(question, limit=limit, max_tokens=max_tokens, **options)
        return Found(
            notes=tuple(
                Note(
                    # A record counts as the turns that it was learnt from.
                    turns=tuple(source.external_id for source in hit.sources if source.external_id is not None),
                    text=hit.text,
                    speaker=hit.speaker or "",
                    time=hit.time,
                    score=hit.score,
                )
                for hit in hits
            )
        )

    def bytes(self) -> int | None:
        return sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())


def message_of(turn: Turn) -> dict[str, str]:
    """A turn as ``add`` takes it."""
    # Both people of a conversation are users of the memory; who it was stands in the name.
    role = "assistant" if turn.speaker.casefold() == "assistant" else "user"
    named = {"name": turn.speaker} if turn.speaker else {}
    return {"role": role, "content": turn.text, "id": turn.id, "said_at": turn.time, **named}


def note_of(turn: Turn) -> Note:
    """A turn as it is found."""
    return Note(turns=(turn.id,), text=turn.text, speaker=turn.speaker, time=datetime.fromisoformat(turn.time))


def embedded_text(turn: Turn) -> str:
    """What is embedded for a turn, as Pagefile does."""
    return note_of(turn).said[:_MAX_EMBEDDED]


def within(notes: Iterable[Note], max_tokens: int) -> list[Note]:
    """The notes that fit, best first; one that does not is passed over for smaller ones."""
    kept: list[Note] = []
    left = max_tokens
    for note in notes:
        tokens = count(note.text)
        if tokens <= left:
            kept.append(note)
            left -= tokens
    return kept
