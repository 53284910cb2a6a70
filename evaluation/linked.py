"""Whether a walk over who and what is named finds what takes two facts: the ranking alone, and the search, which has the walk in it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from evaluation.linked_questions import CHINESE, CHINESE_OTHERS, ENGLISH, ENGLISH_OTHERS, Linked, facts
from evaluation.metrics import difference, hit, mean, reciprocal_rank
from evaluation.systems import Pagefile
from evaluation.vectors import Embedders
from evaluation.weighed import Weighed
from pagefile.memory import AsyncMemory
from pagefile.retrieval.fuse import Weights
from pagefile.stores.memory import MemoryStore

ALONE, WALKED = "the ranking alone", "with the walk"
_USER = "evaluation"
#: Notes that are looked at.
_MOST = 60


@dataclass(frozen=True, slots=True)
class Answered:
    """The rankings of the texts that answer one question, without the walk and with it."""

    linked: Linked
    rankings: dict[str, list[str]]


async def measure(questions: Sequence[Linked], others: Sequence[str], embedder: str, *, direct: bool = False) -> list[Answered]:
    """Ask every question of a memory that has the facts of all of them, and the same of others. ``direct``: by name, so that one fact is
    enough: what the walk must not spoil."""
    store, shared = MemoryStore(), Embedders().find(embedder)
    async with await AsyncMemory.open(store=store, embedder=shared or "none", learn="off") as memory:
        mine = memory.scope(_USER)
        for fact in facts(questions, others):
            await mine.remember(fact)
        await memory.flush()
        alone = Weighed(Pagefile(memory, _USER, Path()), store, mine.scope, shared, weights=Weights())
        answered = []
        for linked in questions:
            question = linked.direct if direct else linked.question
            ranked = await alone.ask(question, limit=_MOST)
            walked = await mine.search(question, limit=_MOST, floor=0.0)
            rankings = {ALONE: [note.text for note in ranked.notes], WALKED: [found.text for found in walked.hits]}
            answered.append(Answered(linked, rankings))
        return answered


def table(title: str, answered: Sequence[Answered]) -> Table:
    """hit@1, hit@5 and MRR of the fact that answers, and of both facts among five, without and with the walk."""
    shown = Table(title=title, title_justify="left")
    for column in ("", "hit@1", "hit@5", "MRR", "both@5", "hit@5 against none, 95 %"):
        shown.add_column(column)
    before = [hit(each.rankings[ALONE], {each.linked.answer}, 5) for each in answered]
    for how in (ALONE, WALKED):
        ranked = [(each.rankings[how], each.linked) for each in answered]
        five = [hit(ranking, {linked.answer}, 5) for ranking, linked in ranked]
        change = difference(before, five)
        shown.add_row(
            how,
            f"{mean(hit(ranking, {linked.answer}, 1) for ranking, linked in ranked):.2f}",
            f"{mean(five):.2f}",
            f"{mean(reciprocal_rank(ranking, {linked.answer}) for ranking, linked in ranked):.2f}",
            f"{mean({linked.who, linked.answer} <= set(ranking[:5]) for ranking, linked in ranked):.2f}",
            f"{change.mean:+.2f} [{change.interval[0]:+.2f}, {change.interval[1]:+.2f}]",
        )
    return shown


def measure_linked(
    embedder: Annotated[str, typer.Option(help='As PAGEFILE_EMBEDDER; "none" for words alone.')] = "none",
) -> None:
    """Ask questions that take two facts, and print how well the second is found, by the ranking alone and by a search, which walks over who
    is named."""
    console = Console()
    for language, questions, others in (("English", ENGLISH, ENGLISH_OTHERS), ("Chinese", CHINESE, CHINESE_OTHERS)):
        for direct in (False, True):
            answered = asyncio.run(measure(questions, others, embedder, direct=direct))
            what = "asked by name" if direct else "by another one"
            console.print(table(f"{language}, {len(questions)} questions {what}, embedder {embedder}", answered))
