"""``python -m benchmarks [NAME…] [--quick] [--json FILE]``: run benchmarks and print their tables."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from benchmarks import append, erase, growth, importing, learn, memory, search, server, size, start, turn, window, words
from benchmarks.measure import Cell, Setting, Table, fsync_milliseconds, load, machine
from pagefile.embedders import find_embedder

BENCHMARKS: dict[str, Callable[[Setting], Coroutine[Any, Any, list[Table]]]] = {
    "words": words.run,
    "search": search.run,
    "growth": growth.run,
    "append": append.run,
    "import": importing.run,
    "learn": learn.run,
    "turn": turn.run,
    "window": window.run,
    "erase": erase.run,
    "start": start.run,
    "server": server.run,
    "memory": memory.run,
    "size": size.run,
}
QUICK = 0.05
#: Tables are this wide where there is no terminal to ask.
WIDTH = 120


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed, memory and growth of Pagefile on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that it runs; the targets are about the full ones")
    parser.add_argument("--scale", type=float, help="share of the full sizes, instead of --quick")
    parser.add_argument("--embedder", default="local", help="the embedder to measure, as in PAGEFILE_EMBEDDER (default: local)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the tables there")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; choose from {', '.join(BENCHMARKS)}")
    if find_embedder(given.embedder) is None:
        parser.error(f"the embedder {given.embedder!r} makes no vectors; name another one")
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    scale = given.scale or (QUICK if given.quick else 1.0)
    tables = run(given.names or list(BENCHMARKS), console, scale=scale, embedder=given.embedder)
    if given.json:
        given.json.write_text(json.dumps([asdict(table) for table in tables], ensure_ascii=False, indent=2), encoding="utf-8")


def run(names: Sequence[str], console: Console, *, scale: float, embedder: str) -> list[Table]:
    """Run benchmarks one after another, each in a folder of its own that is removed afterwards, and print their tables."""
    printed = []
    console.print(f"Pagefile benchmarks: {machine()}", highlight=False)
    with tempfile.TemporaryDirectory(prefix="pagefile-benchmarks-") as folder:
        disk = fsync_milliseconds(Path(folder))
        console.print(f"Sizes × {scale:g}. To make 4 KB durable takes this disk {disk.p50:.2f} ms (p95 {disk.p95:.2f}).\n", highlight=False)
        for name in names:
            started = time.perf_counter()
            own = Path(folder) / name
            own.mkdir()
            for table in asyncio.run(BENCHMARKS[name](Setting(own, scale, embedder))):
                console.print(rendered(table))
                printed.append(table)
            shutil.rmtree(own)
            console.print(f"{name}: {time.perf_counter() - started:.0f} s, {load()}\n", highlight=False)
    return printed


def rendered(table: Table) -> RichTable:
    rich = RichTable(title=table.title, caption=escape(table.note), title_justify="left", caption_justify="left", title_style="bold")
    for place, column in enumerate(table.columns):
        numbers = any(isinstance(row[place], int | float) for row in table.rows)
        rich.add_column(column, justify="right" if numbers else "left")
    for row in table.rows:
        rich.add_row(*(escape(shown(cell)) for cell in row))
    return rich


def shown(cell: Cell) -> str:
    """A number with about three significant digits; nothing for None."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.3g}" if abs(cell) < 1 else f"{cell:.{2 if abs(cell) < 10 else 1}f}"


if __name__ == "__main__":
    main()
