"""Eviction: which messages leave a window that is filling up. Pure; nothing is lost by it, the journal has every message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagefile.messages import Message

#: Of the share of the window that earlier messages have.
WARN_AT = 0.7
EVICT_AT = 0.9
EVICT_TO = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Eviction:
    """Messages that leave the window, and those that stay, both in order."""

    evicted: tuple[Message, ...]
    kept: tuple[Message, ...]
    #: What the evicted ones took.
    tokens: int

    @property
    def window_start(self) -> int:
        """Sequence number of the first message that stays."""
        return self.kept[0].seq


def plan_eviction(messages: Sequence[Message], sizes: Sequence[int], *, current: int, share: int) -> Eviction | None:
    """Decide what leaves. None: nothing has to, or nothing can.

    ``sizes``: tokens of each message in the window. ``current``: position of the user's message that is being answered; it and what
    follows always stay. ``share``: tokens that the messages before it may take. Above 90 % of that, the oldest leave until at most
    50 % is used. The first message that stays is a user's, and a tool call is never parted from its results.
    """
    used = sum(sizes[:current])
    if used <= EVICT_AT * share:
        return None
    parted = _parted(messages)
    left, best = used, 0
    for position in range(1, current + 1):
        left -= sizes[position - 1]
        if messages[position].role == "user" and not parted[position]:
            best = position
            if left <= EVICT_TO * share:
                break
    if not best:
        return None
    return Eviction(evicted=tuple(messages[:best]), kept=tuple(messages[best:]), tokens=sum(sizes[:best]))


def warns(*, before: int, used: int, share: int) -> bool:
    """Whether 70 % of the share are passed now and were not a turn ago (``before``), so that a warning comes once and not every turn."""
    return before <= WARN_AT * share < used


def _parted(messages: Sequence[Message]) -> list[bool]:
    """For each position: would a cut before it part a tool call from one of its results?"""
    made: dict[str, int] = {}
    cuts = [0] * (len(messages) + 1)
    for position, message in enumerate(messages):
        if message.role == "tool" and message.tool_call_id in made:
            # A difference array: cuts after the call, up to and with the place of the result, part the two.
            cuts[made[message.tool_call_id] + 1] += 1
            cuts[position + 1] -= 1
        elif message.role == "assistant":
            made.update({call.id: position for call in message.tool_calls})
    parted, depth = [], 0
    for change in cuts[: len(messages)]:
        depth += change
        parted.append(depth > 0)
    return parted
