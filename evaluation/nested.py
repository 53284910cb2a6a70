"""Nested key-value: values that are themselves keys, so that one search leads to the next (MemGPT, Packer et al., 2023, section 3.2.2).

140 pairs of random ids stand in memory, in a conversation of long ago. A question names a key; the answer is the value at the end of the
chain, ``level`` lookups after the first. The scripted reader knows the way (look up; look the value up; stop when it is no key) but nothing
else: every value must come to it through the window or a search.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from pagefile import AsyncMemory
from pagefile.events import TextDelta, TurnFinished, Usage
from pagefile.messages import ToolCall
from pagefile.ports import Model, ModelEvent, ModelFinished, ModelRequest
from pagefile.session import ChatSettings

PAIRS = 140
LEVELS = (0, 1, 2, 3, 4)
WINDOW = 8_000
_PAIR = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) stands for ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A set of pairs, and a question for each level."""

    pairs: Mapping[str, str]
    #: Level → key that is asked for.
    questions: Mapping[int, str]

    def answer(self, level: int) -> str:
        """The value at the end of the chain."""
        found = self.questions[level]
        while found in self.pairs:
            found = self.pairs[found]
        return found


def nest(seed: int) -> Nest:
    """140 pairs in which one chain of each level is hidden."""
    chance = random.Random(seed)
    ids = iter(str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(3 * PAIRS))
    pairs, questions = dict[str, str](), dict[int, str]()
    for level in LEVELS:
        chain = [next(ids) for _ in range(level + 2)]
        questions[level] = chain[0]
        pairs |= dict(itertools.pairwise(chain))
    while len(pairs) < PAIRS:
        pairs[next(ids)] = next(ids)
    shuffled = list(pairs.items())
    chance.shuffle(shuffled)
    return Nest(pairs=dict(shuffled), questions=questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question and what came back."""

    level: int
    right: bool
    calls: int
    tokens: int


async def run(
    folder: Path,
    *,
    nests: int,
    seed: int,
    model: Model | None = None,
    embedder: str | None = None,
    progress: Callable[[str], object] = lambda text: None,
) -> list[Asked]:
    """Ask the questions of so many sets of pairs. ``model``: who answers; default: the scripted reader."""
    asked: list[Asked] = []
    for number in range(nests):
        made = nest(seed + number)
        async with await AsyncMemory.open(
            folder / f"{number}.db", embedder=embedder or "none", model=model or ScriptedReader(), learn="off"
        ) as memory:
            user = memory.scope("nest")
            await user.add([f"{key} stands for {value}" for key, value in made.pairs.items()], session="long ago")
            await memory.flush()
            for level in LEVELS:
                asked.append(await _ask(user.chat(session=f"level {level}", settings=_SETTINGS), made, level))
                progress(f"set {number + 1} of {nests}, level {level}")
    return asked


#: As many searches in a row as the deepest chain needs: here each is made for what the last one found.
_SETTINGS = ChatSettings(max_rounds=2 * len(LEVELS) + 2, max_searches=2 * len(LEVELS) + 2)


async def _ask(session: Any, made: Nest, level: int) -> Asked:
    question = f"What does {made.questions[level]} stand for? If that is again something that stands for something, go on to the last one."
    text, usage = "", Usage()
    async for event in session.stream(question):
        if isinstance(event, TurnFinished):
            text, usage = event.text, event.usage
    return Asked(level=level, right=made.answer(level) in text, calls=usage.calls, tokens=usage.input_tokens)


class ScriptedReader:
    """A model that follows chains: what it has not been shown it looks up, and what is no key is the answer."""

    name = "reader"
    context_window = WINDOW
    supports_tools = True
    echoes_memory = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        shown = "\n".join(str(message.get("content") or "") for message in request.messages)
        known = dict(_PAIR.findall(shown))
        looked_up = _looked_up(request.messages)
        wanted = _ID.findall(next(str(one["content"]) for one in reversed(request.messages) if one["role"] == "user"))[0]
        while wanted in known:
            wanted = known[wanted]
        if wanted in looked_up or not request.tools:
            yield TextDelta(text=f"It stands for {wanted}.")
            yield ModelFinished(reason="stop", usage=Usage())
            return
        yield ToolCall(id=f"look-{len(looked_up)}", name="memory_search", arguments=json.dumps({"query": f"{wanted} stands for"}))
        yield ModelFinished(reason="tool_calls", usage=Usage())

    async def close(self) -> None:
        pass


def _looked_up(messages: Sequence[Mapping[str, Any]]) -> set[str]:
    calls = [call for message in messages for call in message.get("tool_calls") or ()]
    return {id for call in calls for id in _ID.findall(call["function"]["arguments"])}


def table(asked: Sequence[Asked], reader: str) -> Table:
    """Shares of right answers by level, for people."""
    made = Table(title=f"nested key-value, {PAIRS} pairs, answered by {reader}", title_justify="left")
    for column in ("level", "questions", "right", "calls of the model", "tokens read"):
        made.add_column(column, justify="right")
    for level in LEVELS:
        of_level = [one for one in asked if one.level == level]
        number = len(of_level) or 1
        right = sum(one.right for one in of_level) / number
        calls, tokens = sum(one.calls for one in of_level) / number, sum(one.tokens for one in of_level) / number
        made.add_row(str(level), str(len(of_level)), f"{right:.0%}", f"{calls:.1f}", f"{tokens:,.0f}")
    return made
