"""People who tell a memory something, by every way that leads into one, and what it holds to be true afterwards."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pagefile.importers import read_conversations
from pagefile.memory import AsyncMemory
from pagefile.messages import Receipt
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Model, ModelRequest
from pagefile.records import Record, Status
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.fakes import FakeClock

from .homes import opened

SHANGHAI = ZoneInfo("Asia/Shanghai")
#: A Sunday, when the talks begin.
SUNDAY = datetime(2026, 5, 24, 10, 0, tzinfo=SHANGHAI)
EVERY_STATUS: tuple[Status, ...] = ("current", "pending", "superseded", "retired")
#: How something can be told: each makes the memory learn it.
WAYS = ("add", "chat", "import", "remember", "correct")


@dataclass(kw_only=True)
class Talk:
    """A user, a clock, and the memory they are kept in."""

    memory: AsyncMemory
    user: AsyncScopedMemory
    clock: FakeClock
    folder: Path
    said: list[Receipt] = field(default_factory=list)

    async def tell(self, *texts: str | Mapping[str, Any], by: str = "add", session: str | None = None, **more: Any) -> None:
        """Say one after the other, a day apart and each in a session of its own, and let it be learnt from."""
        for text in texts:
            self.clock.advance(days=1)
            await self._once(text, by, session or f"day {self.clock.now:%j %H:%M}", more)
            assert await self.memory.flush() == 0

    async def _once(self, text: str | Mapping[str, Any], by: str, session: str, more: dict[str, Any]) -> None:
        if by == "add":
            self.said.append(await self.user.add(text, session=session, **more))
        elif by == "chat":
            await self.user.chat(session=session).turn(text)
        elif by == "import":
            message = {"role": "user", "content": text, "said_at": self.clock.now.isoformat()} if isinstance(text, str) else dict(text)
            file = self.folder / f"{session}.jsonl"
            file.write_text(json.dumps(message, ensure_ascii=False), encoding="utf-8")
            for conversation in read_conversations(file):
                self.said.append(await self.user.add(conversation.messages, session=session, **more))
        elif by == "remember":
            assert isinstance(text, str)
            await self.user.remember(text, **more)
        else:
            assert isinstance(text, str)
            await self.user.correct(text, **more)

    async def records(self, *statuses: Status) -> list[Record]:
        """The records of these statuses; without any, the current ones."""
        return list((await self.user.list(statuses=statuses or ("current",), limit=10_000)).items)

    async def facts(self, *statuses: Status) -> list[str]:
        """The same, each in a line: "user · likes: not tea"."""
        return sorted(line(record) for record in await self.records(*statuses))

    async def found(self, query: str, **more: Any) -> list[str]:
        """The texts of what a search finds."""
        return [hit.text for hit in await self.user.search(query, **({"floor": 0.0, "limit": 50} | more))]

    async def window(self, query: str) -> str:
        """What a model would be shown for a question in a new session."""
        window = await self.user.context(query, session="a new one", budget=4_000)
        return "\n".join(str(message["content"]) for message in window.messages)


@asynccontextmanager
async def talking(
    folder: Path, store: str = "memory", *, model: Model | None = None, user: str = "alice", at: datetime = SUNDAY, **more: Any
) -> AsyncIterator[Talk]:
    """A memory on one of the stores whose clock begins on a Sunday; nothing is embedded."""
    clock = FakeClock(at)
    async with await opened(store, folder, embedder=more.pop("embedder", "none"), model=model, now=clock, **more) as memory:
        yield Talk(memory=memory, user=memory.scope(user), clock=clock, folder=folder)


def line(record: Record) -> str:
    """What a record says, in a line; of a note, its text."""
    if record.value is None or record.attribute in (None, "note"):
        return record.text
    return f"{record.subject} · {record.attribute}: {'not ' if record.polarity == 'negative' else ''}{record.value}"


def fact(quote: str, attribute: str, value: str, *, number: int = 1, subject: str = "user", **more: Any) -> dict[str, Any]:
    """A fact as a model writes it when it is asked for the facts in a conversation."""
    return {"line": number, "quote": quote, "subject": subject, "attribute": attribute, "value": value, **more}


def reply(*facts: Mapping[str, Any]) -> str:
    """What a model answers that found these."""
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


class Reader(ScriptedModel):
    """Talks like a parrot, and when it is asked for facts, gives those that ``found`` makes of the prompt."""

    def __init__(self, found: Callable[[str], str] | str | Sequence[str]) -> None:
        super().__init__(name="reader")
        self.found = found
        #: Prompts that asked for facts.
        self.asked: list[str] = []

    async def stream(self, request: ModelRequest):  # type: ignore[no-untyped-def]  # as the base class has it
        prompt = "\n".join(str(message["content"]) for message in request.messages)
        if request.schema is None:
            self.replies.append("I see.")
        else:
            self.asked.append(prompt)
            if callable(self.found):
                self.replies.append(self.found(prompt))
            elif isinstance(self.found, str):
                self.replies.append(self.found)
            else:
                self.replies.append(self.found[min(len(self.asked), len(self.found)) - 1])
        async for event in super().stream(request):
            yield event
