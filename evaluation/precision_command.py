"""Whether only what belongs comes back: ``python -m evaluation precision``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evaluation import precision
from evaluation.tables import wide_console


def measure_precision(
    half: Annotated[str | None, typer.Option(help='"development" or "held-out"; default: both.')] = None,
    embedder: Annotated[
        list[str] | None, typer.Option(help='As PAGEFILE_EMBEDDER; may be given several times. Default: "local", and "none" beside it.')
    ] = None,
    everything: Annotated[bool, typer.Option(help="Ask with a floor of 0, which leaves nothing out.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the outcome of each question to this file.")] = None,
) -> None:
    """Ask small memories, and print how often all that belongs to the answer came back and nothing else; failures of the development half
    are listed."""
    if half not in (None, "development", "held-out"):
        raise typer.BadParameter(f"half must be development or held-out, not {half!r}")
    worlds = [world for world in precision.read_worlds() if half in (None, world.half.replace(" ", "-"))]
    console, written = wide_console(), dict[str, object]()
    for one in embedder or ["local", "none"]:
        with Console(stderr=True).status(one) as status:
            run = precision.run(worlds, embedder=one, floor=0.0 if everything else None, progress=status.update)
            outcomes = asyncio.run(run)
        console.print(precision.table(f"exactly what belongs, embedder {one}", outcomes))
        console.print(precision.by_kind(outcomes))
        for line in precision.failures(outcomes):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        written[one] = precision.as_json(outcomes)
    if json_file is not None:
        json_file.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8")
