"""Learning: plays scripted conversations through the public API, then looks at what is known, asks the questions, and judges."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from evaluation.learning_extractor import KeyModel
from evaluation.learning_measures import Asked, Counts, Judged, count, judge
from evaluation.learning_scripts import Ask, Said, Script, Sitting
from pagefile import AsyncMemory, AsyncScopedMemory, Record
from pagefile.events import TurnFinished
from pagefile.ports import Embedder, Model

#: The rules alone; beside them a scripted model that gives the facts of the key and noise; or a model.
Extractor: TypeAlias = Literal["rules", "scripted"] | Model
#: Hits that a question's answer may be among.
HITS = 5
_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One script: what was known at the end, and what came of the questions."""

    script: Script
    judged: Judged
    asked: tuple[Asked, ...]
    counts: Counts
    #: To add all turns and learn from them.
    seconds: float


class Clock:
    """Goes on from the time it is set to."""

    def __init__(self, at: datetime) -> None:
        self._at, self._set = at, time.monotonic()

    def __call__(self) -> datetime:
        return self._at + timedelta(seconds=time.monotonic() - self._set)

    def set(self, at: datetime) -> None:
        self._at, self._set = max(at, self()), time.monotonic()


async def run(script: Script, *, extractor: Extractor = "rules", embedder: Embedder | str | None = "none") -> Run:
    """Play one script in a new memory, and judge it."""
    clock = Clock(script.sessions[0].at)
    async with await open_memory(extractor, script, embedder=embedder, now=clock) as memory:
        scope = memory.scope("evaluation")
        began = time.perf_counter()
        for sitting in script.sessions:
            await play(memory, scope, sitting, clock.set)
        seconds = time.perf_counter() - began
        judged = judge(script, await current(scope))
        hits = [tuple((await scope.search(one.ask, limit=HITS)).hits) for one in script.questions]
        replies = [await _reply(scope, one, f"question {number}") for number, one in enumerate(script.questions, 1)]
    asked = tuple(Asked(ask=one, hits=found, reply=reply) for one, found, reply in zip(script.questions, hits, replies, strict=True))
    return Run(script=script, judged=judged, asked=asked, counts=count(script, judged, asked), seconds=seconds)


async def open_memory(
    extractor: Extractor, script: Script | None = None, *, embedder: Embedder | str | None, now: Callable[[], datetime] | None = None
) -> AsyncMemory:
    """A memory that ends with the program, and learns. "scripted" needs the script whose key its model has."""
    options: dict[str, Any] = {"learn": "rules"}
    if extractor == "scripted" and script is not None:
        options = {"learn": "model", "model": KeyModel(script)}
    elif not isinstance(extractor, str):
        options = {"learn": "model", "model": extractor}
    return await AsyncMemory.open(":memory:", embedder=embedder, now=now, **options)


async def play(memory: AsyncMemory, scope: AsyncScopedMemory, sitting: Sitting, set_clock: Callable[[datetime], None]) -> None:
    """Add the turns of one session, a minute apart, and wait until they are learnt from."""
    times = [sitting.at + timedelta(minutes=minute) for minute in range(len(sitting.turns))]
    set_clock(times[-1] + timedelta(minutes=1))
    await scope.add([_message(turn, at) for turn, at in zip(sitting.turns, times, strict=True)], session=sitting.session)
    await memory.flush()


async def current(scope: AsyncScopedMemory) -> list[Record]:
    """All current records."""
    found: list[Record] = []
    after: str | None = None
    while True:
        page = await scope.list(after=after, limit=_PAGE)
        found += page.items
        after = page.cursor
        if after is None:
            return found


def _message(turn: Said, at: datetime) -> dict[str, str]:
    named = {"name": turn.speaker} if turn.speaker else {}
    return {"role": turn.role, "content": turn.text, "said_at": at.isoformat(), **named}


async def _reply(scope: AsyncScopedMemory, ask: Ask, session: str) -> str:
    """What the chat says to a question, in a session of its own."""
    text = ""
    async for event in scope.chat(session=session).stream(ask.ask):
        if isinstance(event, TurnFinished):
            text = event.text
    return text
