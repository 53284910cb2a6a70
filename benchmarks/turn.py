"""A chat turn: what we add to the model's own time, and whether it grows with the conversation.

A window that pages is a sawtooth: messages fill it to 90 % of their share, then the oldest leave until half is used. The tokens of one
turn tell where on a tooth it stands, so what is compared between early and late turns is the mean over whole teeth: from one eviction to
the next.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.statements import both_talk
from benchmarks.texts import Writer
from pagefile.events import Evicted, TextDelta, TurnFinished, Usage
from pagefile.language.tokens import count
from pagefile.memory import AsyncMemory
from pagefile.parts import LearnBy
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

#: Tokens that the model reads at once.
WINDOW = 8_000
#: Turns that are looked at, at full size.
STATIONS = (20, 200, 2_000)
#: The conversation goes on for so many turns after the last of them, so that its tooth is whole.
AFTER = 60
#: Times and counts are the median of so many turns to each side.
AROUND = 8
#: Of the mean of all stations.
FLAT_PERCENT = 10
SUMMARY_CHARACTERS = 2_000

#: What begins and ends transactions.
_BRACKETS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
#: What stands in a window, in its order.
_PARTS = ("instructions", "tools", "blocks", "summary", "recent", "notes", "user")


async def run(setting: Setting) -> list[Table]:
    last = setting.size(STATIONS[-1], least=STATIONS[0])
    stations = [station for station in STATIONS if station <= last]
    number = last + setting.size(AFTER, least=AROUND)
    short = await _conversation(setting.folder / "short.db", number, "rules", _short_talk)
    # Without learning nothing grows but the journal: the stations before the last will do.
    still = await _conversation(setting.folder / "still.db", min(number, STATIONS[-2] + AFTER), "off", _short_talk)
    long = await _conversation(setting.folder / "long.db", number, "rules", _long_talk)
    talks = {"short": short, "long": long}
    return [_tokens(talks, stations), _parts(talks, stations), _cost({"off": still, "rules": short}, stations)]


# --- tokens ------------------------------------------------------------------------------------------------------------


def _tokens(talks: Mapping[str, Sequence[_Turn]], stations: Sequence[int]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, turns in talks.items():
        whole = {station: teeth for station in stations if (teeth := _teeth(turns, station))}
        means = {station: statistics.mean(turn.tokens for turn in teeth) for station, teeth in whole.items()}
        middle = statistics.mean(means.values()) if means else 0.0
        for station in stations:
            this = turns[station - 1]
            if station not in whole:
                rows.append((name, station, this.tokens, "still filling", None, None, this.history, None, "-"))
                continue
            tokens = [turn.tokens for turn in whole[station]]
            away = (means[station] / middle - 1) * 100
            reused = statistics.mean(turn.reused for turn in whole[station])
            rows.append(
                (
                    name,
                    station,
                    this.tokens,
                    means[station],
                    f"{min(tokens):,}–{max(tokens):,}",
                    f"{away:+.1f} %",
                    this.history,
                    f"{reused:.0%}",
                    at_most(FLAT_PERCENT, abs(away), " %"),
                )
            )
    steady = {name: sum(turn.prefix_stayed for turn in turns[1:]) / (len(turns) - 1) for name, turns in talks.items()}
    lengths = "; ".join(
        f"{name}: a message has {statistics.median(turn.said for turn in turns):.0f} tokens, a reply "
        f"{statistics.median(turn.replied for turn in turns):.0f}, the window was full at turn {_first_full(turns) or 'none'}"
        for name, turns in talks.items()
    )
    note = (
        f"One conversation in both languages each, window {WINDOW:,}, of which a quarter is kept free for the reply; a model that answers "
        f"at once, no embedder, learning by rules. Medians: {lengths}. Tokens are all that is sent, as the window counts it. Mean, lowest "
        "and highest are over the eviction cycle the turn is in, the one before and the one after; away: from the mean of all stations. "
        "The full history is what the messages would be without paging. Reused: the share of a request, from its start, that is the same "
        f"as in the turn before. Tools and system part were those of the turn before, byte for byte, in {min(steady.values()):.1%}."
    )
    columns = ("talk", "turn", "this turn", "mean", "lowest–highest", "away", "full history", "reused", "flat")
    return Table("turn: tokens", columns, tuple(rows), note)


def _parts(talks: Mapping[str, Sequence[_Turn]], stations: Sequence[int]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, turns in talks.items():
        for station in stations:
            near = _teeth(turns, station) or _near(turns, station)
            rows.append((name, station, *(round(statistics.mean(turn.parts[part] for turn in near)) for part in _PARTS)))
    note = (
        "Means over the same turns; before the window was full, over the turns about the station. Notes are what was recalled, with the "
        "date; recent are earlier messages, of which the oldest leave when the window is full."
    )
    return Table("turn: parts of the window", ("talk", "turn", *_PARTS), tuple(rows), note)


def _teeth(turns: Sequence[_Turn], station: int) -> Sequence[_Turn]:
    """The turns from one eviction to the next, where the station is, with the cycle before and the one after. None, if there was no
    eviction before the station or none after it."""
    evictions = [place for place, turn in enumerate(turns) if turn.evicted]
    at = bisect_right(evictions, station - 1)
    if not 0 < at < len(evictions):
        return ()
    return turns[evictions[max(0, at - 2)] : evictions[min(at + 1, len(evictions) - 1)]]


def _near(turns: Sequence[_Turn], station: int) -> Sequence[_Turn]:
    return turns[max(0, station - AROUND) : station + AROUND]


def _first_full(turns: Sequence[_Turn]) -> int | None:
    return next((place for place, turn in enumerate(turns, 1) if turn.evicted), None)


# --- time --------------------------------------------------------------------------------------------------------------


def _cost(by: Mapping[str, Sequence[_Turn]], stations: Sequence[int]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for learning, turns in by.items():
        for station in (station for station in stations if station <= len(turns)):
            near = _near(turns, station)
            statements = statistics.median(turn.own.statements for turn in near)
            processor = statistics.median(turn.own.processor for turn in near)
            rows.append(
                (
                    learning,
                    station,
                    statements,
                    processor,
                    statistics.median(turn.own.clock for turn in near),
                    at_most(15, statements),
                    at_most(15, processor, " ms"),
                    statistics.median(turn.background.statements for turn in near),
                    statistics.median(turn.background.processor for turn in near),
                )
            )
    note = (
        "The short talk. First what the turn itself takes, with its recall; then what is done in the background until the next one: with "
        "learning by rules, what is learnt of the message, and now and then the running summary. SQL statements are those that "
        "read or write, without what begins and ends a transaction; processor time is that of all threads. Medians of the "
        f"{2 * AROUND} turns about each station."
    )
    columns = ("learning", "turn", "SQL", "processor ms", "ms", "SQL of a turn", "processor", "SQL after", "processor ms after")
    return Table("turn: cost", columns, tuple(rows), note)


# --- the conversation --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cost:
    """SQL statements, and milliseconds of the processor (of all threads) and of the clock."""

    statements: int
    processor: float
    clock: float

    @classmethod
    def now(cls, counted: _Counted) -> _Cost:
        return cls(statements=counted.number, processor=time.process_time() * 1_000, clock=time.perf_counter() * 1_000)

    def __sub__(self, earlier: _Cost) -> _Cost:
        return _Cost(
            statements=self.statements - earlier.statements,
            processor=self.processor - earlier.processor,
            clock=self.clock - earlier.clock,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    #: Tokens of each part of the window.
    parts: Mapping[str, int]
    #: Tokens of the message, of the reply, and of all messages and replies so far.
    said: int
    replied: int
    history: int
    #: Messages left the window in this turn.
    evicted: bool
    #: Share of the request that is, from its start on, the same as in the turn before.
    reused: float
    #: Whether tools and system part are those of the turn before.
    prefix_stayed: bool
    own: _Cost
    #: Of what is done between this turn and the next.
    background: _Cost

    @property
    def tokens(self) -> int:
        return sum(self.parts[part] for part in _PARTS)


def _short_talk(number: int) -> tuple[list[str], list[str]]:
    """Messages of a line or two, and replies of a few."""
    return both_talk(number), Writer("en", SEED).messages(500, median_words=40)


def _long_talk(number: int) -> tuple[list[str], list[str]]:
    """As people talk with an assistant: some lines are answered with some paragraphs."""
    lines, more = both_talk(number), Writer("en", SEED + 1).messages(number, median_words=20)
    replies = Writer("en", SEED).messages(1_500, median_words=50)
    paragraphs = ["\n\n".join(replies[place : place + 3]) for place in range(0, len(replies), 3)]
    return [f"{line} {other}" for line, other in zip(lines, more, strict=True)], paragraphs


async def _conversation(path: Path, number: int, learn: LearnBy, talk: Callable[[int], tuple[list[str], list[str]]]) -> list[_Turn]:
    texts, replies = talk(number)
    model, turns, history = _Prompt(replies), list[_Turn](), 0
    with _statements() as counted:
        async with await AsyncMemory.open(path, embedder="none", model=model, learn=learn) as memory:
            session = memory.scope("talker").chat(session="long")
            for text in texts:
                finished, evicted, earlier = None, False, model.request
                began = _Cost.now(counted)
                async for event in session.stream(text):
                    finished = event if isinstance(event, TurnFinished) else finished
                    evicted = evicted or isinstance(event, Evicted)
                answered = _Cost.now(counted)
                # People read the answer, and write the next message: time for what is done in the background.
                await memory.flush()
                rested = _Cost.now(counted)
                assert finished is not None
                said, replied = count(text), count(finished.text)
                history += said + replied
                turns.append(
                    _Turn(
                        parts=finished.window,
                        said=said,
                        replied=replied,
                        history=history,
                        evicted=evicted,
                        reused=_reused(earlier, model.request),
                        prefix_stayed=_prefix(earlier) == _prefix(model.request),
                        own=answered - began,
                        background=rested - answered,
                    )
                )
    return turns


def _prefix(request: ModelRequest | None) -> tuple[object, ...]:
    return (request.tools, request.messages[0]) if request else ()


def _reused(before: ModelRequest | None, now: ModelRequest | None) -> float:
    """What a prompt cache need not read again, as a share of the request."""
    if before is None or now is None or before.tools != now.tools:
        return 0.0
    tools = sum(count(tool.description) + count(str(tool.parameters)) for tool in now.tools)
    same = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(now.messages, before.messages, strict=False))]
    return (tools + _size(same)) / (tools + _size(now.messages))


def _size(messages: Sequence[Mapping[str, Any]]) -> int:
    return sum(count(str(message["content"])) for message in messages)


class _Prompt:
    """A model that answers at once, and keeps what it was shown."""

    name = "prompt"
    context_window = WINDOW
    supports_tools = True
    echoes_memory = False

    def __init__(self, replies: Sequence[str]) -> None:
        self.request: ModelRequest | None = None
        self._replies = replies
        self._asked = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if not request.tools:
            # Background work, such as the running summary: it is no part of a turn.
            yield TextDelta(text=_summary(request))
            yield ModelFinished(reason="stop", usage=Usage(calls=1, input_tokens=100, output_tokens=8))
            return
        self.request = request
        self._asked += 1
        yield TextDelta(text=self._replies[self._asked % len(self._replies)])
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        pass


def _summary(request: ModelRequest) -> str:
    """A running summary as long as there is room for: it grows to its cap and stays there."""
    lines = [line.partition("] ")[2] for line in str(request.messages[-1]["content"]).splitlines() if line.startswith("[")]
    # Something of each, so that both languages have their share.
    return "\n".join(line[: SUMMARY_CHARACTERS // len(lines)] for line in lines)


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
            counted.number += not statement.startswith(_BRACKETS)

        connection.set_trace_callback(count_one)
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]  # no port of ours tells how many statements a store makes
    try:
        yield counted
    finally:
        sqlite3.connect = connect
