"""Assembles a window: everything a model is to see, in an order that prompt caches like, within a budget. Pure.

    system      instructions, rules, blocks         changes only when a block changes
    user        running summary                     changes only when it is written anew
    …           earlier messages                    grows at its end; its start moves when messages are evicted; long results of
                                                    tools become a line when they are two turns old
    user        today's date, recalled notes        new each turn, and so behind everything that stays
    user        the message that is to be answered
    …           this turn's tool calls and results

Instructions have the privilege of the system role; whatever people, tools or documents said comes with that of a user.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache

from pagefile.context.budget import (
    BLOCKS_SHARE,
    LEAST_USER_TOKENS,
    MESSAGE_SHARE,
    SUMMARY_SHARE,
    SUMMARY_TOKENS,
    TOOLS_SHARE,
    TRAILING_TOKENS,
    Budget,
    plan_budget,
)
from pagefile.context.evict import Eviction
from pagefile.context.render import (
    MESSAGE_TOKENS,
    ChatMessage,
    Notes,
    blocks_for_model,
    frame_size,
    message_for_model,
    message_limit,
    message_size,
    notes_for_model,
    offset,
    summary_for_model,
    wording_of,
)
from pagefile.context.repair import repair
from pagefile.context.report import ContextReport, PartUse
from pagefile.context.shorten import shorten
from pagefile.errors import InputError
from pagefile.language.tokens import count
from pagefile.messages import Message
from pagefile.ports import ToolSpec
from pagefile.prompts import Wording, words
from pagefile.queries import Hit
from pagefile.records import Block

#: The message put before a conversation that begins with the assistant.
BEGINNING_TOKENS = 16
#: Parts that a report calls by another name: what is recalled stands there as notes.
_NAMES = {"notes": "recalled"}
#: Two texts joined can have a token more than they have apart.
_JOINT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a model is given, ready to send to a Chat Completions endpoint."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...]
    #: Tokens of ``instructions``, ``tools``, ``blocks``, ``summary``, ``recent`` (earlier messages, and the tool calls of this turn),
    #: ``notes``, ``user``, and of ``reply``, which are kept free.
    parts: Mapping[str, int]
    #: Tokens of the messages and tools: an upper bound.
    tokens: int
    #: The hits that stand in the notes, best first.
    hits: tuple[Hit, ...]
    #: What each part takes, of how much.
    report: ContextReport


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a window is made of."""

    #: From the start of the window on, in order; the message that is to be answered is among them.
    messages: tuple[Message, ...]
    #: Id of that message.
    answering: str
    #: Tokens the model can read and write in one request, and how many are kept free for its reply (None: by default).
    window: int
    reply: int | None = None
    #: The application's own instructions; ours come after them.
    instructions: str = ""
    #: The text of a file of rules that always hold.
    rules: str = ""
    tools: tuple[ToolSpec, ...] = ()
    #: How the memory's tools among them are used; None: as those of the plain set.
    guide: str | None = None
    blocks: tuple[Block, ...] = ()
    summary: str | None = None
    hits: tuple[Hit, ...] = ()
    #: In the zone of the reader.
    now: datetime
    #: None: told from the conversation. ``prefix`` is of what does not change from turn to turn: by the session's first messages, which may
    #: have left the window.
    wording: Wording | None = None
    prefix: Wording | None = None
    #: Whether images may be sent as such; else they are markers in the text.
    images: bool = False
    #: Tell the model that messages will soon leave.
    filling_up: bool = False

    @cached_property
    def whole(self) -> tuple[Message, ...]:
        """The messages with every tool call answered once."""
        return repair(self.messages, interrupted=words("window", "interrupted call", self.prefix_wording))

    @cached_property
    def repaired(self) -> tuple[Message, ...]:
        """The same with old results of tools as a line: what the properties below and eviction speak of."""
        return shorten(self.whole, self.current, self.prefix_wording)

    @cached_property
    def current(self) -> int:
        """Position of the message that is to be answered: a user's, or an event of the system that wakes the model."""
        places = enumerate(self.whole)
        return next(place for place, message in places if message.id == self.answering and message.role in ("user", "system"))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Tokens of each message in the window."""
        return tuple(message_size(message, self.window, images=self.images) for message in self.repaired)

    @cached_property
    def prefix_wording(self) -> Wording:
        """The language of what does not change from turn to turn."""
        return self.wording or self.prefix or wording_of([message.text for message in self.messages if message.role == "user"])

    @cached_property
    def trailing_wording(self) -> Wording:
        """The language of the newest message."""
        return self.wording or wording_of([self.repaired[self.current].text], self.prefix_wording)


def without_evicted(material: Material, eviction: Eviction) -> Material:
    """The same with fewer messages; what was worded by those that left stays as it is."""
    return replace(material, messages=material.whole[len(eviction.evicted) :], prefix=material.prefix_wording)


def instructions_for_model(material: Material) -> str:
    """The fixed part: the application's instructions, how to use the memory, and how to use its tools if they are offered."""
    ours = [words("window", "instructions", material.prefix_wording)]
    if material.tools:
        ours.append(words("window", "instructions for tools", material.prefix_wording) if material.guide is None else material.guide)
    return "\n\n".join(part for part in (material.instructions.strip(), _rules(material), *ours, _today(material)) if part)


def _rules(material: Material) -> str:
    rules = material.rules.strip()
    return words("window", "rules", material.prefix_wording, rules=rules) if rules else ""


def _today(material: Material) -> str:
    """A day, not a time: within a day the same conversation gives the same bytes."""
    wording = material.prefix_wording
    weekday = words("window", "weekdays", wording).split()[material.now.weekday()]
    return words("window", "today", wording, weekday=weekday, date=f"{material.now:%Y-%m-%d}", offset=offset(material.now))


def budget_for(material: Material) -> Budget:
    """Share out the window among the parts of this material. Raises InputError if the fixed parts alone do not fit."""
    current = material.repaired[material.current]
    return plan_budget(
        material.window,
        instructions=count(instructions_for_model(material)) + MESSAGE_TOKENS,
        tools=tools_size(material.tools),
        blocks=_size(blocks_for_model(material.blocks, wording=material.prefix_wording), around=_JOINT),
        summary=_size(summary_for_model(material.summary or "", wording=material.prefix_wording), around=MESSAGE_TOKENS),
        user=material.sizes[material.current],
        least_user=frame_size(current) + min(current.tokens, LEAST_USER_TOKENS),
        turn=sum(material.sizes[material.current + 1 :]),
        reply=material.reply,
    )


def assemble(material: Material, budget: Budget) -> Window:
    """Put the window together. What does not fit is cut: blocks, summary and long messages are shown in part, earlier messages left out."""
    wording = material.prefix_wording
    blocks = blocks_for_model(material.blocks, wording=wording, limit=budget.blocks - _JOINT)
    summary = summary_for_model(material.summary or "", wording=wording, limit=budget.summary - MESSAGE_TOKENS)
    notes = notes_for_model(
        material.hits, zone=_zone(material.now), wording=material.trailing_wording, limit=budget.notes - TRAILING_TOKENS
    )
    trailing = _trailing(material, notes)
    earlier, earlier_size = _earlier(material, budget.recent, begin=not summary)
    turn, turn_size = _turn(material, budget.turn)
    instructions = instructions_for_model(material)
    parts = {
        "instructions": budget.instructions,
        "tools": budget.tools,
        "blocks": _size(blocks, around=_JOINT),
        "summary": _size(summary, around=MESSAGE_TOKENS),
        "recent": earlier_size + turn_size,
        "notes": count(trailing) + MESSAGE_TOKENS if trailing else 0,
        "user": budget.user,
        "reply": budget.reply,
    }
    return Window(
        messages=(
            {"role": "system", "content": f"{instructions}\n\n{blocks}" if blocks else instructions},
            *([{"role": "user", "content": summary}] if summary else []),
            *earlier,
            *([{"role": "user", "content": trailing}] if trailing else []),
            _current(material, budget),
            *turn,
        ),
        tools=material.tools,
        parts=parts,
        tokens=sum(parts.values()) - budget.reply,
        hits=notes.hits,
        report=_report(material, budget, parts, shown=len(earlier) + 1 + len(turn), hits=notes.hits),
    )


def _report(material: Material, budget: Budget, parts: Mapping[str, int], *, shown: int, hits: tuple[Hit, ...]) -> ContextReport:
    window = budget.window
    limits = {
        "instructions": budget.instructions,
        "tools": max(budget.tools, int(window * TOOLS_SHARE)),
        "blocks": int(window * BLOCKS_SHARE),
        "summary": min(int(window * SUMMARY_SHARE), SUMMARY_TOKENS),
        "recent": budget.recent + budget.turn,
        "notes": budget.notes,
        "user": max(budget.user, int(window * MESSAGE_SHARE)),
        "reply": budget.reply,
    }
    wanted = _size(blocks_for_model(material.blocks, wording=material.prefix_wording), around=_JOINT)
    return ContextReport(
        parts=tuple(PartUse(name=_NAMES.get(name, name), used=used, limit=limits[name]) for name, used in parts.items()),
        used=sum(parts.values()) - budget.reply,
        limit=window - budget.reply,
        window_start=material.messages[0].seq,
        messages=shown,
        hits=hits,
        blocks_cut=wanted > budget.blocks,
    )


def shown_in_part(material: Material, budget: Budget) -> bool:
    """Whether the message that is to be answered is too long to be shown whole."""
    return material.repaired[material.current].tokens > _current_limit(material, budget)[0]


def _size(text: str, *, around: int) -> int:
    return count(text) + around if text else 0


@lru_cache(maxsize=64)
def _spec_size(name: str, description: str, parameters: str) -> int:
    # What a chat template puts around a tool takes about ten tokens.
    return count(name) + count(description) + count(parameters) + 12


def tools_size(tools: Sequence[ToolSpec]) -> int:
    """Tokens of the definitions of tools."""
    return sum(_spec_size(tool.name, tool.description, json.dumps(tool.parameters, ensure_ascii=False)) for tool in tools)


def _zone(now: datetime) -> tzinfo:
    if now.tzinfo is None:
        raise InputError("the time now has no zone; give an aware datetime")
    return now.tzinfo


def _trailing(material: Material, notes: Notes) -> str:
    wording = material.trailing_wording
    lines = [words("window", "notes", wording), notes.text] if notes.text else []
    if material.filling_up and material.tools:
        lines.append(words("window", "pressure", wording))
    # Nothing to say: no message. A small model answers the last thing it is shown, whoever wrote it.
    return "\n".join([words("window", "trailing", wording), *lines]) if lines else ""


def _earlier(material: Material, room: int, *, begin: bool) -> tuple[list[ChatMessage], int]:
    """The messages before the current one, and their tokens. If they do not all fit, the newest from a user's message on."""
    messages = material.repaired[: material.current]
    start, used = len(messages), 0
    while start and used + material.sizes[start - 1] + BEGINNING_TOKENS <= room:
        start -= 1
        used += material.sizes[start]
    while 0 < start < len(messages) and messages[start].role != "user":
        used -= material.sizes[start]
        start += 1
    wording = material.prefix_wording
    shown = [
        message_for_model(message, message_limit(message, material.window), wording=wording, images=material.images)
        for message in messages[start:]
    ]
    first = next((place for place, message in enumerate(shown) if message["role"] != "system"), None)
    if begin and first is not None and shown[first]["role"] == "assistant":
        # Some endpoints refuse a conversation that does not begin with a user's message.
        shown.insert(first, {"role": "user", "content": words("window", "beginning", wording)})
        used += BEGINNING_TOKENS
    return shown, used


def _current_limit(material: Material, budget: Budget) -> tuple[int, bool]:
    """Tokens of text of the message that is to be answered, and whether there is room for its images."""
    message = material.repaired[material.current]
    limit = message_limit(message, material.window)
    with_images = budget.user - frame_size(message, images=True)
    if material.images and with_images >= min(message.tokens, LEAST_USER_TOKENS):
        return min(limit, with_images), True
    return min(limit, budget.user - frame_size(message)), False


def _current(material: Material, budget: Budget) -> ChatMessage:
    limit, images = _current_limit(material, budget)
    return message_for_model(material.repaired[material.current], limit, wording=material.trailing_wording, images=images)


def _turn(material: Material, room: int) -> tuple[list[ChatMessage], int]:
    """This turn's calls and results. If they outgrow their room, the oldest results shrink to a line, then the oldest calls go."""
    wording = material.trailing_wording
    left_out = words("window", "left out", wording)
    line = count(left_out)
    messages, sizes = list(material.repaired[material.current + 1 :]), list(material.sizes[material.current + 1 :])
    for place, message in enumerate(messages):
        if sum(sizes) <= room:
            break
        if message.role == "tool" and message.tokens > line:
            messages[place] = replace(message, text=left_out, tokens=line)
            sizes[place] = message_size(messages[place], material.window)
    while messages and (sum(sizes) > room or messages[0].role == "tool"):
        del messages[0], sizes[0]
    return [message_for_model(message, message_limit(message, material.window), wording=wording) for message in messages], sum(sizes)
