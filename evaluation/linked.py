"""Whether a walk over who and what is named finds what takes two facts: recall as it is, and with the walk's records beside."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from evaluation.linked_questions import CHINESE, CHINESE_OTHERS, ENGLISH, ENGLISH_OTHERS, Linked, facts
from evaluation.metrics import difference, hit, mean, reciprocal_rank
from pagefile.memory import AsyncMemory
from pagefile.ports import Store
from pagefile.queries import Hits
from pagefile.retrieval.graph import graph_hits, lifted
from pagefile.scoped import AsyncScopedMemory
from pagefile.stores.memory import MemoryStore

#: How much of the walk's nearness is added to a score.
SHARES = (0.0, 0.3, 0.5, 0.8, 1.2)
#: Hits that recall gives the walk to begin at.
_BEGIN = 20


@dataclass(frozen=True, slots=True)
class Answered:
    """The rankings of the texts that answer one question, by share."""

    linked: Linked
    rankings: dict[float, list[str]]


async def measure(
    questions: Sequence[Linked], others: Sequence[str], embedder: str, *, direct: bool = False, beside: bool = True
) -> list[Answered]:
    """Ask every question of a memory that has the facts of all of them, and the same of others. ``direct``: by name, so that one fact is
    enough: what the walk must not spoil. ``beside``: also what recall itself does not find."""
    store = MemoryStore()
    async with await AsyncMemory.open(store=store, embedder=embedder, learn="off") as memory:
        mine = memory.scope("evaluation")
        for fact in facts(questions, others):
            await mine.remember(fact)
        await memory.flush()
        return [
            Answered(linked, await _rankings(store, mine, linked.direct if direct else linked.question, beside=beside))
            for linked in questions
        ]


async def _rankings(store: Store, mine: AsyncScopedMemory, question: str, *, beside: bool) -> dict[float, list[str]]:
    hits: Hits = await mine.search(question, limit=60, floor=0.0)
    found = {found.id: found.score for found in hits.hits}
    near = await graph_hits(store, mine.scope, question, dict(list(found.items())[:_BEGIN]))
    # What the walk alone finds has no score of its own.
    items = await store.get(mine.scope, [id for id in near if id not in found]) if beside else ()
    texts = {hit.id: hit.text for hit in hits.hits} | {item.id: item.text for item in items if item is not None}
    scores = np.array([found.get(id, 0.0) for id in texts])
    rankings = {}
    for share in SHARES:
        order = np.argsort(-lifted(scores, list(texts), near, share), kind="stable")
        rankings[share] = [list(texts.values())[place] for place in order]
    return rankings


def table(title: str, answered: Sequence[Answered]) -> Table:
    """hit@1, hit@5 and MRR of the fact that answers, and of both facts among five, by share."""
    shown = Table(title=title, title_justify="left")
    for column in ("share", "hit@1", "hit@5", "MRR", "both@5", "hit@5 against none, 95 %"):
        shown.add_column(column)
    before = [hit(each.rankings[0.0], {each.linked.answer}, 5) for each in answered]
    for share in SHARES:
        ranked = [(each.rankings[share], each.linked) for each in answered]
        five = [hit(ranking, {linked.answer}, 5) for ranking, linked in ranked]
        change = difference(before, five)
        shown.add_row(
            f"{share:.1f}",
            f"{mean(hit(ranking, {linked.answer}, 1) for ranking, linked in ranked):.2f}",
            f"{mean(five):.2f}",
            f"{mean(reciprocal_rank(ranking, {linked.answer}) for ranking, linked in ranked):.2f}",
            f"{mean({linked.who, linked.answer} <= set(ranking[:5]) for ranking, linked in ranked):.2f}",
            f"{change.mean:+.2f} [{change.interval[0]:+.2f}, {change.interval[1]:+.2f}]",
        )
    return shown


def measure_linked(
    embedder: Annotated[str, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = "none",
    beside: Annotated[bool, typer.Option(help="Also what the walk alone finds, and recall does not.")] = True,
) -> None:
    """Ask questions that take two facts, and print how well recall finds the second, alone and with a walk over who is named."""
    console = Console()
    for language, questions, others in (("English", ENGLISH, ENGLISH_OTHERS), ("Chinese", CHINESE, CHINESE_OTHERS)):
        for direct in (False, True):
            answered = asyncio.run(measure(questions, others, embedder, direct=direct, beside=beside))
            what = "asked by name" if direct else "by another one"
            console.print(table(f"{language}, {len(questions)} questions {what}, embedder {embedder}", answered))
