"""A chat turn: what we add to the model's own time, and whether it grows with the conversation."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.statements import both_talk
from benchmarks.texts import Writer
from pagefile.events import TextDelta, TurnFinished, Usage
from pagefile.language.tokens import count
from pagefile.memory import AsyncMemory
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

#: Tokens that the model reads at once.
WINDOW = 8_000
#: Turns at which the tokens are read, at full size; each is the median of those about it.
STATIONS = (20, 200, 2_000)
AROUND = 8


async def run(setting: Setting) -> list[Table]:
    last = setting.size(STATIONS[-1], least=STATIONS[0] + AROUND)
    stations = [station for station in STATIONS if station <= last]
    turns = await _conversation(setting, last + AROUND)
    rows: list[tuple[Cell, ...]] = []
    for station in stations:
        near = turns[max(0, station - AROUND) : station + AROUND]
        tokens = statistics.median(turn.tokens for turn in near)
        rows.append(
            (
                station,
                tokens,
                turns[station - 1].history,
                statistics.median(turn.statements for turn in near),
                statistics.median(turn.processor for turn in near),
                statistics.median(turn.milliseconds for turn in near),
                at_most(15, statistics.median(turn.statements for turn in near), ""),
            )
        )
    stayed = sum(turn.prefix_stayed for turn in turns[1:]) / (len(turns) - 1)
    note = (
        f"One conversation in both languages, window {WINDOW:,}, a model that answers at once, no embedder, learning by rules. Tokens are "
        "those of the request; the full history is what they would be without paging. SQL statements and processor time are those of the "
        "whole program during the turn, so with the learning that it waits for. The bytes of the system part and the summary were those "
        f"of the turn before in {stayed:.1%} of the turns."
    )
    columns = ("turn", "tokens", "tokens of the full history", "SQL statements", "processor ms", "ms", "statements ≤ 15")
    return [Table("turn", columns, tuple(rows), note)]


@dataclass(slots=True)
class _Turn:
    tokens: int
    history: int
    statements: int
    processor: float
    milliseconds: float
    prefix_stayed: bool


async def _conversation(setting: Setting, number: int) -> list[_Turn]:
    model, turns, history = _Prompt(), list[_Turn](), 0
    with _statements() as counted:
        async with await AsyncMemory.open(setting.folder / "turn.db", embedder="none", model=model, learn="rules") as memory:
            session = memory.scope("talker").chat(session="long")
            for text in both_talk(number):
                before, started, processor = counted.number, time.perf_counter(), time.process_time()
                reply, prefix = "", model.prefix
                async for event in session.stream(text):
                    reply = event.text if isinstance(event, TurnFinished) else reply
                history += count(text) + count(reply)
                turns.append(
                    _Turn(
                        tokens=model.tokens,
                        history=history,
                        statements=counted.number - before,
                        processor=(time.process_time() - processor) * 1_000,
                        milliseconds=(time.perf_counter() - started) * 1_000,
                        prefix_stayed=prefix == model.prefix,
                    )
                )
    return turns


class _Prompt:
    """A model that answers at once, and keeps what it was shown."""

    name = "prompt"
    context_window = WINDOW
    supports_tools = True
    echoes_memory = False

    def __init__(self) -> None:
        self.tokens = 0
        self.prefix = ""
        self._replies = Writer("en", SEED).messages(500, median_words=40)
        self._asked = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if not request.tools:
            # Background work, such as the running summary: it is no part of a turn.
            yield TextDelta(text="They spoke of this and that.")
            yield ModelFinished(reason="stop", usage=Usage(calls=1, input_tokens=100, output_tokens=8))
            return
        self.tokens = sum(count(str(message["content"])) for message in request.messages) + sum(
            count(tool.description) for tool in request.tools
        )
        self.prefix = str(request.messages[0]["content"])
        self._asked += 1
        yield TextDelta(text=self._replies[self._asked % len(self._replies)])
        yield ModelFinished(reason="stop", usage=Usage(calls=1, input_tokens=self.tokens, output_tokens=40))

    async def close(self) -> None:
        pass


@dataclass(slots=True)
class _Counted:
    number: int = 0


@contextmanager
def _statements() -> Iterator[_Counted]:
    """Count the SQL statements of every connection that is opened meanwhile."""
    counted, connect = _Counted(), sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)

        def count_one(statement: str) -> None:
            counted.number += 1

        connection.set_trace_callback(count_one)
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]  # no port of ours tells how many statements a store makes
    try:
        yield counted
    finally:
        sqlite3.connect = connect
