"""Applications that keep their own history, and what stands in the journal after they were served."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from pagefile.exchange import Exchange, Mode
from pagefile.memory import AsyncMemory
from pagefile.messages import Message
from pagefile.scoped import AsyncScopedMemory
from pagefile.settings import Settings

Talk: TypeAlias = Sequence[dict[str, Any]]
Path: TypeAlias = tuple[tuple[str, str], ...]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def talk(*texts: str) -> list[dict[str, Any]]:
    """A conversation in which user and assistant take turns."""
    return [(user if place % 2 == 0 else assistant)(text) for place, text in enumerate(texts)]


@dataclass
class Clock:
    """A clock that goes on a second each time it is looked at."""

    at: datetime = field(default_factory=lambda: datetime(2026, 5, 24, 10, tzinfo=UTC))

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


async def open_memory(clock: Clock | None = None, **settings: Any) -> AsyncMemory:
    return await AsyncMemory.open(":memory:", embedder="none", settings=Settings(**{"timezone": "UTC", **settings}), now=clock or Clock())


async def exchange(
    mine: AsyncScopedMemory, messages: Talk, reply: str | None = "OK.", *, session: str | None = None, mode: Mode = "recall+learn"
) -> Exchange:
    """One request, and the reply to it; None: the endpoint fails."""
    made = mine.exchange(messages, session=session, mode=mode)
    await made.begin()
    if reply is not None:
        await made.reply(assistant(reply))
    return made


async def kept(mine: AsyncScopedMemory) -> dict[str, list[tuple[str, str]]]:
    """Session → who said what in it."""
    sessions = (await mine.sessions(limit=1_000)).items
    return {one.session: [(said.role, said.text) for said in await messages(mine, one.session)] for one in sessions}


async def messages(mine: AsyncScopedMemory, session: str | None = None) -> tuple[Message, ...]:
    return (await mine.messages(session, limit=10_000)).items


async def paths(mine: AsyncScopedMemory) -> list[Path]:
    """For each message of the journal all that was said before it, and it: read from the ids of the messages."""
    every = {message.id: message for message in await messages(mine)}
    made: dict[str, Path] = {}

    def path(id: str) -> Path:
        if id not in made:
            before = (every[id].external_id or "").partition("/")[0]
            made[id] = (*(path(before) if before in every else ()), (every[id].role, every[id].text))
        return made[id]

    return [path(id) for id in every]
