"""Reads a query: what is asked for, its words, the times that it names, its vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from weakref import WeakKeyDictionary

import numpy as np

from pagefile.errors import EmbedderError, InputError
from pagefile.language.asked_times import AskedTime, asked_time
from pagefile.language.dates import TimeRange, find_times
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.words import query_terms
from pagefile.parts import Parts
from pagefile.ports import Embedder, Vectors
from pagefile.queries import Candidates, Where
from pagefile.records import Status
from pagefile.retrieval.confidence import COHORT, DEFAULT_FLOOR, Background, Cohort, cohort
from pagefile.retrieval.presets import effort

#: Characters of a query that are looked at; of a longer one the beginning and the end, where people put what they ask.
MAX_QUERY = 2_000
#: So many more than asked for are looked at, in place of questions that step back.
SPARE = 5
#: The most a caller can ask for.
MAX_LIMIT = 10_000
#: So many are looked at at least where a question asks for an order in time: the first time of something may be its worst match.
IN_A_ROW = 20
#: Share of the floor that what was "after the museum" must reach, if the museum is found.
BESIDE = 0.3
#: Characters at the end of a query in which times are looked for.
_MAX_TIMES = 400
_CURRENT: tuple[Status, ...] = ("current",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for, and how much of what is found is wanted."""

    text: str
    terms: Mapping[str, float]
    where: Where
    limit: int
    max_tokens: int | None
    floor: float
    explain: bool
    #: Leave out what does not belong.
    only: bool
    #: What it asks about time, and the times that it names.
    time: AskedTime | None
    times: tuple[TimeRange, ...]

    @classmethod
    def of(
        cls,
        text: str,
        where: Where,
        now: datetime,
        *,
        limit: int,
        max_tokens: int | None,
        floor: float | None,
        explain: bool,
        only: bool,
    ) -> Query:
        """Read a query. ``only`` holds only over a floor. Raises InputError."""
        text, floor = checked_query(text), _checked_floor(floor)
        _check_max_tokens(max_tokens)
        only, time, times = only and floor > 0, asked_time(text), _spoken_of(text, now)
        where = where if where.alive_at is not None else replace(where, alive_at=now)
        return cls(
            text=text,
            terms=query_terms(text),
            where=_looking_back(where, time, times, now) if only else where,
            limit=_checked_limit(limit),
            max_tokens=max_tokens,
            floor=floor,
            explain=explain,
            only=only,
            time=time,
            times=times,
        )

    @property
    def least(self) -> float:
        """The score that is looked at: what was before or after something has few words of the question."""
        return BESIDE * self.floor if self.only and self.time is not None and self.time.anchor else self.floor

    @property
    def looked_at(self) -> int:
        """How many of the best are looked at."""
        return SPARE + (max(self.limit, IN_A_ROW) if self.only and self.time is not None else self.limit)

    def times_in(self, found: Candidates, now: datetime) -> tuple[TimeRange, ...]:
        """The times that it speaks of, seen from now and, for what was said long ago, from the newest that was found."""
        if self.times and len(found.table):
            return (*self.times, *_spoken_of(self.text, datetime.fromtimestamp(found.table.times.max(), now.tzinfo)))
        return self.times


def checked_query(query: str) -> str:
    """A query as it is looked for. Raises InputError."""
    if not isinstance(query, str):
        raise InputError(f"the query must be text, not {type(query).__name__}")
    # What is looked for may go to an embedder elsewhere.
    text = redact(clean(query).strip()).text
    if not text:
        raise InputError("the query is empty; say what to look for, or list what there is")
    if len(text) <= MAX_QUERY:
        return text
    return f"{text[: MAX_QUERY // 2]}\n{text[-MAX_QUERY // 2 :]}"


def _checked_limit(limit: int) -> int:
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise InputError(f"limit must be a whole number of at least 1, not {limit!r}")
    return min(limit, MAX_LIMIT)


def _checked_floor(floor: float | None) -> float:
    if floor is None:
        return DEFAULT_FLOOR
    if not isinstance(floor, int | float) or isinstance(floor, bool) or not 0 <= floor <= 1:
        raise InputError(f"floor must be a number from 0 to 1, not {floor!r}")
    return float(floor)


def _check_max_tokens(max_tokens: int | None) -> None:
    if max_tokens is not None and (not isinstance(max_tokens, int) or isinstance(max_tokens, bool) or max_tokens < 1):
        raise InputError(f"max_tokens must be a whole number of at least 1, or None for no limit, not {max_tokens!r}")


def _spoken_of(text: str, reference: datetime) -> tuple[TimeRange, ...]:
    """The times a query speaks of, seen from a moment."""
    read = find_times(text[-_MAX_TIMES:], reference=reference, prefer="past")
    return tuple(time for time in read if isinstance(time, TimeRange))


def _looking_back(where: Where, asked: AskedTime | None, times: Sequence[TimeRange], now: datetime) -> Where:
    """With what no longer holds, if the query asks for the past and the caller said nothing of it."""
    if where.statuses != _CURRENT or where.as_of is not None or where.known_at is not None:
        return where
    over = any(time.end is not None and time.end <= now for time in times)
    return replace(where, statuses=(*_CURRENT, "superseded")) if over or (asked is not None and asked.looks_back) else where


# --- its vector ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What comes of embedding a query."""

    #: Id of the embedder, the vector and how near the cohort is to it; None: it is looked for by words alone.
    embedder: str | None = None
    vector: Vectors | None = None
    near: Cohort | None = None
    #: What went wrong.
    warnings: tuple[str, ...] = ()


def embedder_for(parts: Parts, preset: str | None = None) -> Embedder | None:
    """What embeds a query, if the preset (default: that of the parts) has use for its vector. Raises InputError."""
    return parts.embedder if effort(preset or parts.preset).vectors else None


async def embedded(embedder: Embedder | None, query: str) -> Embedded:
    """Embed a query that was checked. A failing embedder is no error."""
    if embedder is None:
        return Embedded()
    try:
        vector = (await embedder.embed([query], query=True))[0]
        background = await _background(embedder)
    except EmbedderError as error:
        return Embedded(warnings=(f"found by words alone, because the embedder failed: {error}",))
    if not np.isfinite(vector).all() or not vector.any() or len(vector) != background.vectors.shape[1]:
        return Embedded(warnings=("found by words alone, because the embedder gave no usable vector for the query",))
    return Embedded(embedder=embedder.id, vector=vector, near=cohort(vector, background))


#: Embedder → the cohort in its space. It depends on nothing else, and is made once.
_backgrounds: WeakKeyDictionary[Embedder, Background] = WeakKeyDictionary()


async def _background(embedder: Embedder) -> Background:
    background = _backgrounds.get(embedder)
    if background is None:
        background = _backgrounds[embedder] = Background.of(await embedder.embed(COHORT))
    return background
