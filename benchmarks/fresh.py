"""What a fresh process takes to import the package, open a file and search it, in time and memory.

Run as ``python -m benchmarks.fresh FILE EMBEDDER QUESTION…``; prints JSON. Nothing of the package is imported at the top, as its import
is one of the things that are measured.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

#: The user who is searched.
USER = "fresh"


def measured(path: Path, embedder: str, questions: Sequence[str]) -> dict[str, float]:
    """Run a fresh process; see ``main`` for what it says. ``process``: its whole time, in seconds."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.fresh", str(path), embedder, *questions]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, encoding="utf-8", check=True)
    process = time.perf_counter() - started
    figures: dict[str, float] = json.loads(done.stdout)
    return {**figures, "process": process}


def main(path: str, embedder: str, *questions: str) -> None:
    """Print for each step (``import``, ``open``, ``first`` search, ``others``) its seconds, those of the processor, and MB resident."""
    figures = {"started MB": _megabytes("VmRSS")}
    clock, processor = time.perf_counter(), time.process_time()

    def step(name: str) -> None:
        nonlocal clock, processor
        figures[name], figures[f"{name} processor"] = time.perf_counter() - clock, time.process_time() - processor
        figures[f"{name} MB"] = _megabytes("VmRSS")
        clock, processor = time.perf_counter(), time.process_time()

    memory_class = importlib.import_module("pagefile").Memory
    step("import")
    memory = memory_class.open(path, embedder=embedder)
    step("open")
    scope = memory.scope(USER)
    first, *others = questions
    figures["hits"] = len(scope.search(first))
    step("first")
    for question in others:
        scope.search(question)
    step("others")
    figures["peak MB"] = _megabytes("VmHWM")
    memory.close()
    print(json.dumps(figures))


def _megabytes(name: str) -> float:
    """Resident now (VmRSS) or at most so far (VmHWM). Told by Linux itself: a package that asks would take memory of its own."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii", errors="replace").splitlines())
    return int(lines[name].split()[0]) / 1_024


if __name__ == "__main__":
    main(*sys.argv[1:])
