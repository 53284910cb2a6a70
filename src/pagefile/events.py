"""What happens during a chat turn, as it happens. Frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pagefile.messages import ToolCall
from pagefile.queries import Hit

FinishReason: TypeAlias = Literal["stop", "length", "limit", "content_filter", "error"]
#: What a turn may come up against: times the model is asked, searches in a row, the same call again, time, tokens.
Limit: TypeAlias = Literal["rounds", "searches", "repeats", "seconds", "tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and calls of one turn. A count the endpoint did not report is our own, and ``estimated`` is True."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """The user's message, or the event that woke the model, is in the journal: from here on it cannot be lost."""

    message: str
    session: str
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found for this turn and is shown to the model."""

    query: str
    hits: tuple[Hit, ...]
    below_floor: int
    filtered_out: int
    seconds: float
    #: Why nothing was searched for; None: it was.
    skipped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """The model asked for a system call."""

    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned:
    """A system call came back."""

    call: ToolCall
    result: str
    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitReached:
    """The turn came up against one of its limits. The model answers once more without tools, unless time or tokens are used up."""

    limit: Limit
    #: A sentence for a person.
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """The window fills up. "warn": its oldest messages will soon leave; "evict": they leave now."""

    level: Literal["warn", "evict"]
    #: Tokens that the earlier messages take, and what they may take.
    used: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evicted:
    """Messages left the window. They stay in the journal and can be recalled."""

    messages: int
    tokens: int
    #: First sequence number that is still in the window.
    window_start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Something was degraded. A sentence for a person."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished:
    """The reply is in the journal. The last event of every turn."""

    text: str
    #: Id of the reply's message; None when there was nothing to keep.
    message: str | None
    reason: FinishReason
    usage: Usage
    #: Part of the window → its tokens.
    window: Mapping[str, int]
    #: How long the search of memory took.
    recall_seconds: float = 0.0


Event: TypeAlias = (
    TurnStarted | Recalled | TextDelta | ToolCalled | ToolReturned | LimitReached | Pressure | Evicted | Warned | TurnFinished
)
