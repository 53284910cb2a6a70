"""Assembling a window: how long it takes to put a long session together for the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from benchmarks.measure import SEED, Cell, Samples, Setting, Table, at_most
from benchmarks.texts import LANGUAGES, Writer
from pagefile.context.assemble import Material, assemble, budget_for
from pagefile.context.pressure import relieve
from pagefile.language.tokens import count
from pagefile.messages import Message, ToolCall
from pagefile.records import Block

MESSAGES = 1_000
#: One that has room for all of them, and one of which most must leave.
WINDOWS = (200_000, 8_000)
#: So often a turn calls a tool; its result is long.
TOOLS_EVERY = 10
TIMES = 30


async def run(setting: Setting) -> list[Table]:
    messages = _conversation(setting.size(MESSAGES, least=20))
    rows: list[tuple[Cell, ...]] = []
    for window in WINDOWS:
        whole = _times(lambda window=window: _assembled(messages, window), setting.size(TIMES, least=3))  # type: ignore[misc]
        target = at_most(50, whole.p95, " ms") if setting.size(MESSAGES, least=20) == MESSAGES else "-"
        rows.append((f"{window:,}", len(messages), _kept(messages, window), whole.p50, whole.p95, whole.processor_p50, target))
    note = (
        "The messages of one session as the store gives them, in both languages, every tenth with a tool's long result. Timed is what is "
        "decided in a turn: calls are paired with results, old results shortened, shares and pressure told, the window put together."
    )
    columns = ("window", "messages", "shown", "p50 ms", "p95 ms", "processor ms", "p95 ≤ 50 ms")
    return [Table("window", columns, tuple(rows), note)]


def _assembled(messages: Sequence[Message], window: int) -> int:
    # A new one each time: what a turn has worked out is gone in the next.
    material = Material(
        messages=tuple(messages),
        answering=messages[-1].id,
        window=window,
        now=datetime(2026, 5, 30, 9, tzinfo=UTC),
        blocks=(Block(label="human", text="Alice, baker, Hangzhou"),),
        summary="The user talked about many things.",
    )
    budget = budget_for(material)
    relief = relieve(material, budget)
    return len(assemble(relief.material if relief else material, budget).messages)


def _kept(messages: Sequence[Message], window: int) -> int:
    return _assembled(messages, window) - 2  # without the instructions and the summary


def _times(call: Callable[[], int], number: int) -> Samples:
    call()
    elapsed, processor = list[float](), list[float]()
    for _ in range(number):
        began, worked = time.perf_counter(), time.process_time()
        call()
        elapsed.append((time.perf_counter() - began) * 1_000)
        processor.append((time.process_time() - worked) * 1_000)
    return Samples(tuple(elapsed), tuple(processor))


def _conversation(number: int) -> list[Message]:
    writers = [Writer(language, SEED).messages(number, median_words=60) for language in LANGUAGES]
    messages: list[Message] = []
    while len(messages) < number - 1:
        seq = len(messages)
        text = writers[seq // 2 % len(writers)][seq]
        messages.append(_message(seq, "user", text))
        if seq % TOOLS_EVERY == 0:
            call = ToolCall(id=f"c{seq}", name="look_up", arguments="{}")
            messages.append(replace(_message(seq + 1, "assistant", ""), tool_calls=(call,)))
            messages.append(replace(_message(seq + 2, "tool", text * 8), tool_call_id=call.id))
        messages.append(_message(len(messages), "assistant", text))
    return [*messages, _message(len(messages), "user", "And what now?")]


def _message(seq: int, role: str, text: str) -> Message:
    at = datetime(2026, 5, 1, tzinfo=UTC) + timedelta(minutes=seq)
    spoken: dict[str, object] = {"role": role, "said_at": at, "recorded_at": at}
    return Message(id=f"m{seq}", session="s", seq=seq + 1, text=text, tokens=count(text), **spoken)  # type: ignore[arg-type]
