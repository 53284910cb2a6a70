"""A clock that is set, ids in order, and ready-made messages and records: for tests, ours and those of plug-in authors."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from pagefile.messages import Draft
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelEvent, ModelRequest, Vectors
from pagefile.records import Cause, Indexing, Record

#: When the tests' time begins.
START = datetime(2026, 5, 24, 10, 0, tzinfo=UTC)
#: Before and after anything that a store erases by the clock of the machine.
LONG_AGO, FAR_AHEAD = datetime(2001, 1, 1, tzinfo=UTC), datetime(2901, 1, 1, tzinfo=UTC)

_numbers = itertools.count(1)


class FakeClock:
    """A clock that stands still until it is told otherwise. Call it for the time."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float = 0.0, **timedelta_fields: float) -> datetime:
        """Move on, by seconds or by anything that ``timedelta`` takes; returns the new time."""
        self.now += timedelta(seconds=seconds, **timedelta_fields)
        return self.now


class FakeIds:
    """Makes ids that look like uuid7 and sort in the order they were made. Call it for the next one."""

    def __init__(self, start: int = 1) -> None:
        self._numbers = itertools.count(start)

    def __call__(self) -> str:
        return numbered_id(next(self._numbers))


def numbered_id(number: int) -> str:
    """The id of this number; ids sort as their numbers do."""
    return f"01900000-0000-7000-8000-{number:012d}"


def indexing_of(text: str) -> Indexing:
    """How a text is found in tests: by its words in lower case, Chinese ones character by character, and by a vector."""
    words = re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower())
    return Indexing(terms=dict(Counter(words)), embedding_hash=hash_of(text))


def hash_of(text: str) -> str:
    """The ``embedding_hash`` of a text in tests."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def make_draft(text: str, /, **fields: Any) -> Draft:
    """A message of a user, a second later than the one before; any field can be given."""
    number = next(_numbers)
    time = START + timedelta(seconds=number)
    defaults: dict[str, Any] = {
        "id": numbered_id(number),
        "text": text,
        "role": "user",
        "said_at": time,
        "recorded_at": time,
        "tokens": len(text) // 3 + 1,
        "indexing": indexing_of(text),
    }
    return Draft(**(defaults | fields))


def make_record(text: str, /, **fields: Any) -> Record:
    """A current fact, learnt a second later than the one before; any field can be given."""
    number = next(_numbers)
    defaults: dict[str, Any] = {
        "id": numbered_id(number),
        "text": text,
        "kind": "fact",
        "learned_at": START + timedelta(seconds=number),
    }
    return Record(**(defaults | fields))


def make_cause(reason: str = "test", **fields: Any) -> Cause:
    """Why a change was made, in tests."""
    defaults: dict[str, Any] = {"actor": "user:alice", "at": START + timedelta(seconds=next(_numbers))}
    return Cause(reason=reason, **(defaults | fields))


def make_vector(*numbers: float, dimension: int = 4) -> Vectors:
    """A vector of length 1 that begins with these numbers and goes on with zeros."""
    vector = np.zeros(dimension, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


class SlowModel(ScriptedModel):
    """A scripted model while whose thinking something happens: ``meanwhile``."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        if self.meanwhile is not None:
            await self.meanwhile()
        async for event in super().stream(request):
            yield event
