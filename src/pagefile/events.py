"""What happens during a chat turn, as it happens. Frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pagefile.messages import ToolCall
from pagefile.queries import Hit

FinishReason: TypeAlias = Literal["stop", "length", "tool_rounds", "content_filter", "error"]


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
    """The user's message is in the journal: from here on it cannot be lost."""

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


Event: TypeAlias = TurnStarted | Recalled | TextDelta | ToolCalled | ToolReturned | Evicted | Warned | TurnFinished
