"""Asking about earlier sessions in a new one, through the whole chat turn (in the manner of MemGPT's Deep Memory Retrieval, 2023).

Every question opens a session of its own. A scripted reader says everything that its window shows of the past and nothing else, so that the
measure is what the pager has put in front of a model: the share of the answer's words that are there. With a real model its own reply is
measured in the same way, and how much of what was shown it used can be told from the two.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rich.table import Table

from evaluation.containment import CONTAINED, share, words_of
from evaluation.conversations import Conversation, Question
from evaluation.metrics import mean
from evaluation.systems import message_of
from pagefile import AsyncMemory
from pagefile.events import Recalled, TextDelta, TurnFinished, Usage
from pagefile.ports import Model, ModelEvent, ModelFinished, ModelRequest
from pagefile.scoped import AsyncScopedMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question through a turn."""

    set: str
    category: str
    #: Share of the words of the answer that the reply has, 0..1.
    share: float
    #: Messages and records that were shown, and tokens of the request.
    shown: int
    tokens: int
    recall_seconds: float


async def run(
    conversation: Conversation,
    folder: Path,
    *,
    model: Model | None = None,
    embedder: str | None = None,
    most_questions: int | None = None,
    progress: Callable[[str], object] = lambda text: None,
) -> list[Asked]:
    """Ask the questions that have an answer. ``model``: who answers; default: the scripted reader."""
    questions = [question for question in conversation.questions[:most_questions] if words_of(question.answer)]
    questions.sort(key=conversation.said_before)
    asked: list[Asked] = []
    added = 0
    path = folder / f"{conversation.set}-{conversation.name}.db"
    async with await AsyncMemory.open(path, embedder=embedder, model=model or Reader()) as memory:
        user = memory.scope(conversation.name)
        for before, group in groupby(questions, key=conversation.said_before):
            for session, said in groupby(conversation.turns[added:before], key=lambda turn: turn.session):
                await user.add([message_of(turn) for turn in said], session=session)
            added = max(added, before)
            await memory.flush()
            for question in group:
                asked.append(await _ask(user, conversation, question))
                progress(f"{conversation.name}: question {len(asked)} of {len(questions)}")
    return asked


async def _ask(user: AsyncScopedMemory, conversation: Conversation, question: Question) -> Asked:
    reply, usage, recalled = "", Usage(), None
    # Incognito: what one question was answered must not be found by the next.
    async for event in user.chat(session=question.id, incognito=True).stream(question.text):
        if isinstance(event, TurnFinished):
            reply, usage = event.text, event.usage
        elif isinstance(event, Recalled):
            recalled = event
    return Asked(
        set=conversation.set,
        category=question.category,
        share=share(words_of(question.answer), words_of(reply)),
        shown=len(recalled.hits) if recalled else 0,
        tokens=usage.input_tokens,
        recall_seconds=recalled.seconds if recalled else 0.0,
    )


class Reader:
    """A model that says what it was shown besides the question: the notes, and nothing of its own."""

    name = "reader"
    context_window = 8_000
    supports_tools = False
    echoes_memory = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        shown = [str(message["content"]) for message in request.messages if message["role"] == "user"][:-1]
        yield TextDelta(text="\n".join(shown) or "Nothing.")
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        pass


def table(asked: Sequence[Asked], reader: str) -> Table:
    """Means by set and category, for people."""
    made = Table(title=f"asked in a new session, answered by {reader}", title_justify="left")
    made.add_column("set")
    made.add_column("category")
    for column in ("questions", "words of the answer", "whole answer", "notes", "tokens", "recall ms"):
        made.add_column(column, justify="right")
    for name in dict.fromkeys(one.set for one in asked):
        of_set = [one for one in asked if one.set == name]
        for category in ("all", *sorted({one.category for one in of_set})):
            group = of_set if category == "all" else [one for one in of_set if one.category == category]
            made.add_row(
                name,
                category,
                f"{len(group):,}",
                f"{mean(one.share for one in group):.3f}",
                f"{mean(float(one.share >= CONTAINED) for one in group):.3f}",
                f"{mean(one.shown for one in group):.1f}",
                f"{mean(one.tokens for one in group):,.0f}",
                f"{mean(one.recall_seconds for one in group) * 1_000:.1f}",
            )
    return made
