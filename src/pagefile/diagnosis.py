"""Checks that a memory works, for ``pagefile doctor``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from pagefile.discover import check_model, find_model
from pagefile.errors import PagefileError
from pagefile.settings import Settings
from pagefile.sync import Memory, ScopedMemory

#: The upkeep of the coming night always waits.
_NIGHTLY = "upkeep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    what: str
    ok: bool
    #: For a person: what was found and, if it is not well, what to do.
    said: str


def diagnose(memory: Memory, mine: ScopedMemory, settings: Settings, model_settings: Mapping[str, Any]) -> list[Finding]:
    """Look at the data, background work, embedder, learning and model. Sends one short request to a configured model and embedder."""
    return [
        *([Finding(what="settings", ok=not settings.warnings, said="; ".join(settings.warnings) or f"read from {settings.file}")]
          if settings.warnings or settings.file else []),
        _data(memory),
        _work(memory),
        _embedder(memory),
        _learning(mine, settings),
        *anyio.run(lambda: _model(model_settings, memory.embedder.sends_to if memory.embedder else None)),
    ]  # fmt: skip


def _data(memory: Memory) -> Finding:
    stats = memory.stats()
    size = f"{stats.bytes / 1e6:,.1f} MB" if Path(memory.location).exists() else "in memory only"
    said = f"{memory.location}, {size}: {stats.messages:,} messages and {stats.records:,} records of {stats.scopes:,} users"
    return Finding(what="data", ok=True, said=said)


def _work(memory: Memory) -> Finding:
    jobs = memory.jobs(limit=10_000).items
    dead = sum(job.state == "dead" for job in jobs)
    waiting = Counter(job.kind for job in jobs if job.state != "dead" and job.kind != _NIGHTLY)
    parts = [f"{number} {kind}" for kind, number in waiting.items()]
    said = f"waiting: {', '.join(parts)}" if parts else "nothing waits"
    if waiting["embed"] and memory.embedder is None:
        said += " (until there is an embedder)"
    if dead:
        said += f"; {dead} given up: `pagefile jobs --dead` shows why, `pagefile jobs --retry` tries again"
    return Finding(what="work", ok=not dead, said=said)


def _embedder(memory: Memory) -> Finding:
    embedder = memory.embedder
    if embedder is None:
        hint = 'none: things are found by words alone; install "pagefile[local]" or set PAGEFILE_EMBEDDER'
        return Finding(what="embedder", ok=True, said=hint)
    try:
        dimension = anyio.run(embedder.dimension)
    except PagefileError as error:
        return Finding(what="embedder", ok=False, said=str(error))
    vectors = memory.stats().vectors
    other = sum(number for name, number in vectors.items() if name != embedder.id)
    said = f"{embedder.id}, {dimension} dimensions, {vectors.get(embedder.id, 0):,} vectors"
    return Finding(what="embedder", ok=not other, said=said + (f"; {other:,} of another embedder: run `pagefile reindex`" if other else ""))


def _learning(mine: ScopedMemory, settings: Settings) -> Finding:
    by, spent = settings.learn_by(), mine.spent()
    if by == "off":
        return Finding(what="learning", ok=True, said="off: what is said is kept and found, and no fact is learnt from it")
    if by == "rules":
        return Finding(what="learning", ok=True, said="by rules, on this machine, without a model")
    used = f"{spent.calls:,} of {settings.learn_calls:,} calls and {spent.tokens:,} of {settings.learn_tokens:,} tokens used today"
    over = spent.calls >= settings.learn_calls or spent.tokens >= settings.learn_tokens
    return Finding(
        what="learning", ok=True, said=f"by rules and by the model; {used}" + ("; the rest waits until midnight" if over else "")
    )


async def _model(model_settings: Mapping[str, Any], embedder_target: str | None) -> list[Finding]:
    try:
        found = await find_model(**model_settings)
    except PagefileError as error:
        return [Finding(what="model", ok=False, said=str(error))]
    targets = dict.fromkeys(target for target in (found.sends_to, embedder_target) if target)
    leaves = f"what you say and what is recalled goes to {' and '.join(targets)}" if targets else "nothing leaves this machine"
    findings = [Finding(what="model", ok=True, said=found.what)]
    try:
        if found.sends_to is not None:
            check = await check_model(found.model)
            findings = [Finding(what="model", ok=check.answers, said=f"{found.what}; {check.said}")]
            if check.answers:
                tools = "work" if check.tools else "do not work: the model can be talked to, but it cannot edit its memory itself"
                findings.append(Finding(what="tools", ok=True, said=f"tool calls {tools}"))
    finally:
        await found.model.close()
    return [*findings, Finding(what="privacy", ok=True, said=leaves)]
