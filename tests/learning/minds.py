"""Memories that learn, on both stores, with a clock that is moved by hand; and what tests ask of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pagefile.memory import AsyncMemory
from pagefile.messages import Message, ToolCall
from pagefile.models.scripted import Script, ScriptedModel
from pagefile.ports import ModelRequest
from pagefile.queries import Hits
from pagefile.records import Record, Status
from pagefile.scoped import AsyncScopedMemory
from pagefile.settings import Settings
from pagefile.testing.fakes import START

#: Where a memory can be kept.
STORES = ("file", "memory")
EVERY_STATUS: tuple[Status, ...] = ("pending", "current", "superseded", "retired")
MOMENT = timedelta(milliseconds=1)

Fact = tuple[str | None, str | None, str | None, str]


class Clock:
    """A clock that moves a little each time it is read, as a real one does, and further when it is told to."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += MOMENT
        return self.now

    def advance(self, **fields: float) -> None:
        self.now += timedelta(**fields)


async def opened(kept: str, folder: Path, *, clock: Clock | None = None, **options: Any) -> AsyncMemory:
    """A memory on one of the stores, in Shanghai, without an embedder. ``settings`` are fields of Settings."""
    location = folder / "m.db" if kept == "file" else ":memory:"
    settings = Settings(timezone="Asia/Shanghai", **options.pop("settings", {}))
    return await AsyncMemory.open(location, settings=settings, now=clock or Clock(), **({"embedder": "none"} | options))


async def records(user: AsyncScopedMemory, *statuses: Status) -> list[Record]:
    """Records of these statuses, oldest first; default: what is current."""
    return list((await user.list(statuses=statuses or ("current",), limit=1_000)).items)


async def facts(user: AsyncScopedMemory, *statuses: Status) -> list[Fact]:
    """What is held to be true: subject, attribute, value and polarity, in order."""
    return [core(record) for record in await records(user, *statuses)]


def core(record: Record) -> Fact:
    return record.subject, record.attribute, record.value, record.polarity


def of_user(attribute: str, value: str, polarity: str = "positive") -> Fact:
    return "user", attribute, value, polarity


async def messages(user: AsyncScopedMemory, session: str | None = None) -> list[Message]:
    """All messages, hidden and forgotten ones too."""
    return list((await user.messages(session, statuses=EVERY_STATUS, limit=1_000)).items)


def texts(hits: Hits) -> list[str]:
    return [hit.text for hit in hits]


# --- what a model answers ------------------------------------------------------------------------------------------------


def fact(quote: str, attribute: str, value: str, *, line: int = 1, subject: str = "user", **fields: Any) -> dict[str, Any]:
    """A fact as a model writes it."""
    return {"line": line, "quote": quote, "subject": subject, "attribute": attribute, "value": value, **fields}


def reply(*found: dict[str, Any]) -> str:
    return json.dumps({"facts": found}, ensure_ascii=False)


def call(name: str, id: str = "call_a", **arguments: object) -> ToolCall:
    """A call of a tool as a model makes it."""
    return ToolCall(id=id, name=name, arguments=json.dumps(arguments))


def user_said(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **fields}


async def say(user: AsyncScopedMemory, lines: Sequence[str], **options: Any) -> None:
    """Add each line as a message of its own."""
    for line in lines:
        await user.add(line, **options)


# --- a model that reads ---------------------------------------------------------------------------------------------------

#: Said in a way that rules do not read.
PAINTS = "These days it is mostly watercolours that I spend my evenings on."
PAINTING = fact("it is mostly watercolours that I spend my evenings on", "habit", "watercolours")
KNOWN = of_user("habit", "watercolours")


def whenever(*found: dict[str, Any]) -> Callable[[ModelRequest], str]:
    """A reply for any request: the facts whose quote it shows, on the line where it stands."""

    def answer(request: ModelRequest) -> str:
        shown = str(request.messages[-1]["content"]).splitlines()
        lines = {line.split("]")[0].strip("["): line for line in shown if line.startswith("[")}
        at = [{**each, "line": int(number)} for each in found for number, line in lines.items() if each["quote"] in line]
        return reply(*at)

    return answer


@asynccontextmanager
async def reading(
    folder: Path, *replies: Script, kept: str = "memory", **options: Any
) -> AsyncIterator[tuple[AsyncMemory, ScriptedModel, Clock]]:
    model, clock = ScriptedModel(list(replies)), Clock()
    async with await opened(kept, folder, model=model, clock=clock, learn="model", **options) as memory:
        yield memory, model, clock


async def in_time(is_so: Callable[[], bool]) -> None:
    """Wait for what happens in the background."""
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.02)
