"""What every benchmark shares: how it is set up, timing, percentiles, tables and the state of the machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

#: The one seed: texts, vectors and queries are the same in every run.
SEED = 2024

Call: TypeAlias = Callable[[], Awaitable[object]]
Cell: TypeAlias = str | float | None


@dataclass(frozen=True, slots=True)
class Setting:
    """How a benchmark is to run."""

    #: Where it may write. Removed afterwards.
    folder: Path
    #: 1.0: the sizes that the targets are about.
    scale: float = 1.0
    #: Name of the embedder that is measured, as in ``find_embedder``.
    embedder: str = "local"

    def size(self, full: int, least: int = 1) -> int:
        return max(least, round(full * self.scale))

    def seconds(self, full: float) -> float:
        return max(0.05, full * min(1.0, 4 * self.scale))


@dataclass(frozen=True, slots=True)
class Table:
    """A result: columns, rows of as many cells, and a sentence about how it was measured."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Durations of repeated calls, in milliseconds."""

    values: tuple[float, ...]
    #: Processor time of each, in all threads: what a busy machine does not blur so much. Empty: not measured.
    processor: tuple[float, ...] = ()

    @property
    def p50(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        return percentile(self.values, 0.95)

    @property
    def processor_p50(self) -> float:
        return statistics.median(self.processor)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` (0..1) of the values do not exceed, interpolated between neighbours. Raises ValueError if there is none."""
    if not values:
        raise ValueError("there are no values to take a percentile of")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


async def interleaved(calls: Mapping[str, Sequence[Call]], *, warm_up: int = 3) -> dict[str, Samples]:
    """Time the calls of each name, taking turns so that noise hits all alike. Each name's first calls are made once before, untimed."""
    for each in calls.values():
        for call in each[:warm_up]:
            await call()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for turn in range(max(len(each) for each in calls.values())):
        for name, each in calls.items():
            if turn < len(each):
                started, processor = time.perf_counter(), time.process_time()
                await each[turn]()
                found[name].append(((time.perf_counter() - started) * 1_000, (time.process_time() - processor) * 1_000))
    return {name: Samples(*map(tuple, zip(*values, strict=True))) for name, values in found.items()}


def at_most(target: float, value: float, unit: str = "") -> str:
    """The cell of a target that is not to be passed, such as "≤ 3 ms: met"."""
    return f"≤ {target:g}{unit}: {'met' if value <= target else 'missed'}"


def at_least(target: float, value: float, unit: str = "") -> str:
    """The cell of a target that is to be reached."""
    return f"≥ {target:,g}{unit}: {'met' if value >= target else 'missed'}"


def machine() -> str:
    """One line on what this runs on, and how busy it is."""
    cores = os.cpu_count() or 1
    system = f"{platform.system()} {platform.machine()}"
    return f"{cores} cores, {load()}, {system}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"


def load() -> str:
    """The load average of the last minute, five and fifteen, where the system has one."""
    if not hasattr(os, "getloadavg"):
        return "load unknown"
    return "load " + " ".join(f"{each:.1f}" for each in os.getloadavg())


def fsync_milliseconds(folder: Path, times: int = 50) -> Samples:
    """How long the disk takes to keep 4 KB: the floor of every durable write."""
    values = []
    with (folder / "fsync").open("wb") as file:
        for _ in range(times):
            started = time.perf_counter()
            file.write(bytes(4_096))
            file.flush()
            os.fsync(file.fileno())
            values.append((time.perf_counter() - started) * 1_000)
    return Samples(tuple(values))
