"""A long conversation with an endpoint that misbehaves at random: is every turn answered, is anything lost, is anything refused?

The model stands behind real HTTP. The scripted server checks each request as the real Chat Completions API would, and answers in turn
with good replies and with what is met in the field: errors before and in the middle of an answer, broken or unknown calls, calls spelled
out as text, thoughts, empty answers, the same call without end, a window that is smaller than it says. Now and then the client goes away in
the middle of an answer and asks again, and now and then the program ends and is started anew.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from pagefile import AsyncMemory
from pagefile.errors import ModelError
from pagefile.events import TextDelta, TurnFinished
from pagefile.messages import Message
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.session import Session
from pagefile.testing.chat_requests import InvalidRequest, check_chat_request
from pagefile.testing.openai_server import OpenAIServer, Raw, Reply, Streamed, call, refuse, say

#: Tokens that the model reads at once.
WINDOW = 8_000
#: Times that one message is said again before it counts as unanswered.
MOST_TRIES = 8
#: Turns after which the memory is closed and opened again.
RESTART = 150
#: Of all turns, those in which the client goes away in the middle of the answer.
LEAVES = 0.03
SESSION = "soak"
QUICK = Patience(connect=5, silence=10, retries=2, first_wait=0.001, longest_wait=0.05)

_TOPICS = (
    "the garden", "the move to Lyon", "Anna's birthday", "the tax form", "the new bike",
    "水彩课", "搬家的事", "妈妈的生日", "周末的爬山", "新买的电脑",
)  # fmt: skip
_OPENINGS = ("tell me about", "what was it with", "说说", "any news of")
_WORDS = ("well", "quite", "then", "好的", "yes", "later", "明天")


@dataclass(slots=True)
class Soak:
    """What came of it."""

    turns: int = 0
    answered: int = 0
    at_once: int = 0
    tries: int = 0
    left: int = 0
    restarts: int = 0
    #: Messages and replies that were acknowledged and do not stand in the journal.
    lost: list[str] = field(default_factory=list)
    #: Why a strict check refused requests of ours.
    refused: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    seconds: float = 0.0
    #: Fault → times it was played.
    faults: Counter[str] = field(default_factory=Counter)


async def run(folder: Path, *, turns: int, seed: int, progress: Callable[[str], object] = lambda text: None) -> Soak:
    """Hold a conversation of so many turns. ``seed`` decides every fault."""
    soak, chance = Soak(turns=turns), random.Random(seed)
    endpoint = _Endpoint(soak, random.Random(seed + 1))
    said: list[str] = []
    heard: list[str] = []
    started = time.perf_counter()
    with OpenAIServer([endpoint.reply] * (turns * 200), strict=False) as server:
        for first in range(0, turns, RESTART):
            async with _session(folder / "soak.db", server.url) as session:
                for number in range(first, min(first + RESTART, turns)):
                    text = f"{number}: {chance.choice(_OPENINGS)} {chance.choice(_TOPICS)}?"
                    said.append(text)
                    await _turn(session, f"turn-{number}", text, soak, heard, leaves=chance.random() < LEAVES)
                    progress(f"{number + 1} of {turns} turns")
                journal = {message.text for message in await _journal(session)}
            soak.restarts += 1
    soak.lost = [text for text in (*said, *heard) if text not in journal]
    soak.seconds = time.perf_counter() - started
    return soak


@asynccontextmanager
async def _session(path: Path, url: str) -> AsyncIterator[Session]:
    model = OpenAIModel("soaked", base_url=url, context_window=WINDOW, patience=QUICK)
    async with await AsyncMemory.open(path, embedder="none", model=model) as memory:
        yield memory.scope("soaker").chat(session=SESSION)


async def _turn(session: Session, id: str, text: str, soak: Soak, heard: list[str], *, leaves: bool) -> None:
    """Say something until it is answered."""
    for attempt in range(MOST_TRIES):
        soak.tries += 1
        try:
            if leaves and not attempt:
                await _leave(session, id, text)
                soak.left += 1
                continue
            async with aclosing(session.stream({"role": "user", "content": text, "id": id})) as events:
                async for event in events:
                    if isinstance(event, TurnFinished) and event.text.strip():
                        soak.answered += 1
                        soak.at_once += not attempt
                        if event.message is not None:
                            heard.append(event.text)
                        return
        except ModelError:
            continue


async def _leave(session: Session, id: str, text: str) -> None:
    async with aclosing(session.stream({"role": "user", "content": text, "id": id})) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                return


async def _journal(session: Session) -> list[Message]:
    messages: list[Message] = []
    after: str | None = None
    while True:
        page = await session.parts.store.messages(session.scope, session.session, after=after, limit=1_000)
        messages += page.items
        if page.cursor is None:
            return messages
        after = page.cursor


class _Endpoint:
    """Decides what each request is answered with, after it has checked it."""

    def __init__(self, soak: Soak, chance: random.Random) -> None:
        self._soak = soak
        self._chance = chance
        self._number = 0

    def reply(self, body: dict[str, Any]) -> Reply:
        self._soak.requests += 1
        self._number += 1
        try:
            check_chat_request(body)
        except InvalidRequest as error:
            self._soak.refused[str(error)] += 1
            return refuse(400, str(error))
        tools = [tool["function"]["name"] for tool in body.get("tools", ())]
        choices = [choice for choice in _FAULTS if tools or not choice.calls]
        chosen = self._chance.choices(choices, [choice.weight for choice in choices])[0]
        self._soak.faults[chosen.name] += 1
        return chosen.reply(self._number, self._chance)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    name: str
    weight: int
    reply: Callable[[int, random.Random], Reply]
    #: It calls tools, as a model does that was offered any.
    calls: bool = False


def _answer(number: int, chance: random.Random) -> Reply:
    return say(f"Answer {number}: " + " ".join(chance.choices(_WORDS, k=chance.randint(5, 120))), size=60)


def _broken_arguments(number: int, chance: random.Random) -> Reply:
    return call("memory_search", chance.choice(('{"a":', "null", "[1]", '"x"', "{}", '{"query": 7}')), id=f"call_{number % 3}")


def _parallel(number: int, chance: random.Random) -> Reply:
    calls = [
        {"index": index, "id": id, "function": {"name": "memory_search", "arguments": json.dumps({"query": f"{id} {number}"})}}
        for index, id in zip(chance.choice(([0, 1], [0, 0], [1, 0])), ("a", chance.choice("ab")), strict=True)
    ]
    return Streamed(deltas=({"tool_calls": calls},), finish="tool_calls")


def _spelled(number: int, chance: random.Random) -> Reply:
    text = json.dumps({"name": "memory_search", "arguments": {"query": f"topic {number}"}})
    return say(chance.choice((f"<tool_call>{text}</tool_call>", f"<tool_call>{text[:-1]}</tool_call>", f"```json\n{text}\n```")))


_STREAM = {"Content-Type": "text/event-stream"}
_LITTLE = {"prompt_tokens": 50, "completion_tokens": 3}
#: What is met in the field, and how often; good answers are about half.
_FAULTS = (
    _Fault(name="a good answer", weight=60, reply=_answer),
    _Fault(name="thoughts before it", weight=6, reply=lambda n, c: say(f"<think>{'hm ' * 20}</think>\n\nAnswer {n} after thought")),
    _Fault(name="a good search", weight=12, calls=True, reply=lambda n, c: call("memory_search", {"query": c.choice(_TOPICS)}, id=f"c{n}")),
    _Fault(name="the same call again", weight=6, calls=True, reply=lambda n, c: call("memory_search", {"query": "again"}, id="same")),
    _Fault(name="arguments that are none", weight=6, calls=True, reply=_broken_arguments),
    _Fault(name="an unknown tool", weight=3, calls=True, reply=lambda n, c: call("no such tool", {"a": 1}, id="")),
    _Fault(name="two calls at once", weight=4, calls=True, reply=_parallel),
    _Fault(name="a call as text", weight=4, calls=True, reply=_spelled),
    _Fault(name="nothing", weight=2, reply=lambda n, c: say("")),
    _Fault(name="cut in the middle", weight=3, reply=lambda n, c: Streamed(deltas=({"content": f"Answer {n} that br"},), cut=True)),
    _Fault(name="an error in the stream", weight=2, reply=lambda n, c: Streamed(deltas=({"content": "An"}, {"error": {"message": "oom"}}))),
    _Fault(name="HTTP 429", weight=3, reply=lambda n, c: refuse(429, "slow down", retry_after=0)),
    _Fault(name="HTTP 500", weight=3, reply=lambda n, c: refuse(500, "down")),
    _Fault(name="garbage", weight=2, reply=lambda n, c: Raw(headers=_STREAM, body=b"data: \xff{not json\n\n")),
    _Fault(name="the window is smaller", weight=2, reply=lambda n, c: refuse(400, "maximum context length is 6000 tokens")),
    _Fault(name="says less than it read", weight=2, reply=lambda n, c: say(f"Answer {n}, short", usage=_LITTLE)),
)  # fmt: skip


def table(soak: Soak) -> Table:
    """What came of it, for people."""
    made = Table(title=f"a conversation of {soak.turns:,} turns with an endpoint that misbehaves", title_justify="left")
    made.add_column("what")
    made.add_column("number", justify="right")
    made.add_column("wanted")
    rows = (
        ("turns answered", f"{soak.answered:,}", f"{soak.turns:,}"),
        ("… at the first try", f"{soak.at_once:,}", ""),
        ("messages lost", f"{len(soak.lost):,}", "0"),
        ("requests that a strict check refuses", f"{soak.refused.total():,}", "0"),
        ("requests", f"{soak.requests:,}", ""),
        ("times the client went away", f"{soak.left:,}", ""),
        ("starts of the program", f"{soak.restarts:,}", ""),
        ("seconds", f"{soak.seconds:.1f}", ""),
        *((f"played: {name}", f"{times:,}", "") for name, times in soak.faults.most_common()),
        *((f"refused: {why}", f"{times:,}", "") for why, times in soak.refused.most_common(5)),
    )
    for row in rows:
        made.add_row(*row)
    return made
