"""How soon a fresh process can be used: importing the package, and the first search."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from benchmarks.filling import Pool, fill, settle
from benchmarks.fresh import USER, measured
from benchmarks.measure import SEED, Cell, Setting, Table, at_most
from benchmarks.search import ask, both_languages
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.vectors import VectorSpace
from pagefile.embedders import find_embedder
from pagefile.records import Scope
from pagefile.stores.sqlite import SqliteStore

TIMES = 7


async def run(setting: Setting) -> list[Table]:
    items = setting.size(2_000, least=20)
    times = setting.size(TIMES, least=1)
    writers = [Writer(language, SEED) for language in LANGUAGES]
    pools = [Pool(writer, setting.size(2_000, least=20)) for writer in writers]
    embedder = find_embedder(setting.embedder)
    store = await SqliteStore.open(setting.folder / "start.db")
    prepared, vectors = both_languages(pools, items), None
    if embedder is not None:
        vectors = VectorSpace(await embedder.dimension(), clusters=100).draw(items)
    await fill(store, Scope("default", USER), prepared, embedder=embedder.id if embedder else "", vectors=vectors)
    await settle(store)
    await store.close()
    empty, whole, mcp = [], [], []
    # In both languages, so that it loads what either needs.
    first, second, *others = ask(writers, 6)
    for _ in range(times):
        empty.append(await asyncio.to_thread(_empty_process))
        whole.append(await asyncio.to_thread(measured, setting.folder / "start.db", setting.embedder, [f"{first} {second}", *others]))
        mcp.append(await asyncio.to_thread(_mcp_process, setting.folder / "start.db", setting.embedder, first))

    def row(title: str, *steps: str, target: float | None = None) -> tuple[Cell, ...]:
        seconds = [sum(one[step] for step in steps) for one in whole]
        processor = median(sum(one[f"{step} processor"] for step in steps) for one in whole)
        return (title, median(seconds), max(seconds), processor, at_most(target, median(seconds), " s") if target else "")

    def host(title: str, step: int, target: float | None = None) -> tuple[Cell, ...]:
        seconds = [one[step] for one in mcp]
        return (title, median(seconds), max(seconds), None, at_most(target, median(seconds), " s") if target else "")

    rows: tuple[tuple[Cell, ...], ...] = (
        ("an empty Python process", median(empty), max(empty), None, ""),
        row("import pagefile", "import", target=0.5),
        row("open the file", "open"),
        row("first search, weights loaded in it", "first"),
        row("import, open and first search", "import", "open", "first", target=2.5),
        row(f"{len(others)} searches after it", "others"),
        host("pagefile mcp: initialize answered", 0, target=1.0),
        host("pagefile mcp: tools listed", 1),
        host("pagefile mcp: first recall answered, weights loaded in it", 2),
    )
    note = (
        f"Median of {times} fresh processes, on a file of {items:,} messages with vectors; embedder {embedder.id if embedder else 'none'}."
    )
    return [Table("start", ("what", "median s", "slowest s", "processor s", "target"), rows, note)]


def _mcp_process(path: Path, embedder: str, question: str) -> list[float]:
    """Seconds from the start of a fresh ``pagefile mcp`` to its answers to ``initialize``, ``tools/list`` and a ``recall``."""
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
    asked = [
        [_message("initialize", opening, 0)],
        [_message("notifications/initialized", {}, None), _message("tools/list", {}, 1)],
        [_message("tools/call", {"name": "recall", "arguments": {"query": question}}, 2)],
    ]
    command = [sys.executable, "-m", "pagefile", "mcp", "--data", str(path), "--user", USER]
    environment = {**os.environ, "PAGEFILE_EMBEDDER": embedder}
    started, seconds = time.perf_counter(), []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for messages in asked:
            process.stdin.write(b"".join(messages))
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            seconds.append(time.perf_counter() - started)
            assert "result" in answer, answer
    return seconds


def _message(method: str, params: Mapping[str, object], id: int | None) -> bytes:
    known = {} if id is None else {"id": id}
    return json.dumps({"jsonrpc": "2.0", **known, "method": method, "params": params}).encode() + b"\n"


def _empty_process() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started
