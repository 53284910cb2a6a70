"""What each way of remembering would have a model read, turn by turn, by the same shares and the same eviction as a real window. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from pagefile.advise.logs import Log
from pagefile.context.assemble import tools_size
from pagefile.context.budget import (
    NOTES_SHARE,
    NOTES_TOKENS,
    REPLY_SHARE,
    REPLY_TOKENS,
    SUMMARY_SHARE,
    SUMMARY_TOKENS,
    TOOLS_SHARE,
    TRAILING_TOKENS,
    plan_budget,
)
from pagefile.context.evict import plan_eviction
from pagefile.context.render import MESSAGE_TOKENS
from pagefile.errors import InputError
from pagefile.language.text import language_of
from pagefile.language.tokens import count
from pagefile.messages import Message
from pagefile.prompts import Wording, words
from pagefile.tools import tool_specs

Way: TypeAlias = Literal["all conversations", "full history", "sliding window", "running summary", "paging"]
WAYS: tuple[Way, ...] = get_args(Way)

#: Two blocks with a few lines each.
BLOCKS_TOKENS = 200
#: Notes shown at most in one turn.
_NOTES = 10
#: Of an evicted text, what a summary of it takes.
_SUMMARISED = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a model reads in one way, over all turns of all conversations."""

    way: Way
    #: In all, what it reads to write summaries among it.
    tokens: int
    #: A turn on average, and the last one of the longest conversation.
    mean: int
    last: int
    #: Tokens of the turns of the longest conversation.
    course: tuple[int, ...]
    #: Turns that do not fit the model's window at all.
    too_long: int = 0
    #: Of the messages said before in their conversation, the share that a model is shown word for word, over all turns.
    seen: float = 1.0


@dataclass(slots=True)
class _Turn:
    tokens: int
    seen: float
    #: Read besides, to write a summary.
    summarising: int = 0


def costs_of(logs: Sequence[Log], searches: Sequence[Sequence[bool]], *, window: int) -> tuple[Cost, ...]:
    """The cost of each way, for a model with a window of so many tokens. Raises InputError if that is too small for paging at all."""
    # "All conversations" is what a model reads that is given all that was ever said, which is what memory stands in for.
    longest = max(range(len(logs)), key=lambda number: (len(logs[number].turns), sum(one.tokens for one in logs[number].messages)))
    by_way: dict[Way, list[list[_Turn]]] = {way: [] for way in WAYS}
    earlier = 0
    for log, searched in zip(logs, searches, strict=True):
        sizes = [message.tokens + MESSAGE_TOKENS for message in log.messages]
        by_way["all conversations"].append([_Turn(earlier + sum(sizes[: place + 1]), 1.0) for place in log.turns])
        earlier += sum(sizes)
        for way, turns in _simulate(log, sizes, searched, window).items():
            by_way[way].append(turns)
    ways = [way for way in WAYS if way != "all conversations" or len(logs) > 1]
    return tuple(_cost(way, by_way[way], by_way[way][longest], window) for way in ways)


def _cost(way: Way, conversations: Sequence[Sequence[_Turn]], longest: Sequence[_Turn], window: int) -> Cost:
    turns = [turn for conversation in conversations for turn in conversation]
    total = sum(turn.tokens + turn.summarising for turn in turns)
    return Cost(
        way=way,
        tokens=total,
        mean=round(total / len(turns)),
        last=longest[-1].tokens,
        course=tuple(turn.tokens for turn in longest),
        too_long=sum(turn.tokens > _room(window) for turn in turns),
        seen=sum(turn.seen for turn in turns) / len(turns),
    )


def _room(window: int) -> int:
    """What a request may take, the reply left aside."""
    return window - min(REPLY_TOKENS, int(window * REPLY_SHARE))


def _simulate(log: Log, sizes: Sequence[int], searched: Sequence[bool], window: int) -> Mapping[Way, list[_Turn]]:
    wording: Wording = "zh" if language_of("\n".join(log.messages[place].text for place in log.turns[:8])) == "zh" else "en"
    ours = count(words("window", "instructions", wording)) + MESSAGE_TOKENS
    tools = tools_size(tool_specs(wording))
    if tools > TOOLS_SHARE * window:
        tools = 0
    return {
        "full history": [_Turn(sum(sizes[: place + 1]), 1.0) for place in log.turns],
        "sliding window": list(_sliding(log, sizes, _room(window))),
        "running summary": _evicting(log, sizes, window, instructions=0, tools=0, blocks=0, notes=[False] * len(searched)),
        "paging": _evicting(log, sizes, window, instructions=ours, tools=tools, blocks=BLOCKS_TOKENS, notes=searched),
    }


def _sliding(log: Log, sizes: Sequence[int], room: int) -> Sequence[_Turn]:
    """As many of the newest messages as fit; instructions at the beginning stay."""
    first = log.turns[0]
    fixed, start, used, turns = sum(sizes[:first]), first, 0, list[_Turn]()
    before = first
    for place in log.turns:
        used += sum(sizes[before : place + 1])
        before = place + 1
        while start < place and fixed + used > room:
            used -= sizes[start]
            start += 1
        turns.append(_Turn(min(fixed + used, room), _share(place - start, place - first)))
    return turns


def _evicting(
    log: Log, sizes: Sequence[int], window: int, *, instructions: int, tools: int, blocks: int, notes: Sequence[bool]
) -> list[_Turn]:
    """A window from which the oldest messages are evicted and folded into a summary."""
    first = log.turns[0]
    fixed = instructions + sum(sizes[:first])
    start, summary, gone, turns = first, 0, 0, list[_Turn]()
    for number, place in enumerate(log.turns):
        try:
            budget = plan_budget(window, instructions=fixed, tools=tools, blocks=blocks, summary=summary, user=sizes[place])
        except InputError as error:
            raise InputError(f"{error} (conversation {log.session!r:.60}); give a larger --window") from error
        summarising = 0
        shown = log.messages[start : place + 1]
        if plan := plan_eviction(shown, sizes[start : place + 1], current=place - start, share=budget.recent):
            summarising, gone = plan.tokens + summary, gone + plan.tokens
            start += len(plan.evicted)
            summary = min(SUMMARY_TOKENS, int(window * SUMMARY_SHARE), int(gone * _SUMMARISED))
        recent = min(sum(sizes[start:place]), budget.recent)
        notes_tokens = _notes(gone, log.messages[:start], window) if notes[number] else 0
        tokens = fixed + tools + budget.blocks + min(summary, budget.summary or summary) + recent + budget.user + notes_tokens
        turns.append(_Turn(tokens, _share(place - start, place - first), summarising))
    return turns


def _notes(gone: int, left: Sequence[Message], window: int) -> int:
    """What is recalled of the messages that have left the window."""
    if not gone:
        return 0
    mean = gone / max(1, len(left))
    most = min(NOTES_TOKENS, int(window * NOTES_SHARE))
    return TRAILING_TOKENS + int(min(most, _NOTES * mean))


def _share(shown: int, said: int) -> float:
    return shown / said if said > 0 else 1.0
