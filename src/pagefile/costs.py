"""What models cost: calls and tokens, by day and scope and what they were for, and what that comes to at given prices. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, TypeAlias

from pagefile.records import Scope

if TYPE_CHECKING:
    # Events have hits, which bring numpy; the settings, which have prices, are read before anything is loaded.
    from pagefile.events import Usage

#: What a model was asked for: to answer people, or to learn from what they said (all work in the background).
Purpose: TypeAlias = Literal["chat", "learn"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Calls of a model, and the tokens it read and wrote in them."""

    calls: int = 0
    #: Read; those among them that the endpoint had in its cache; written.
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )

    @classmethod
    def of(cls, usage: Usage) -> Spent:
        """What a turn, or a piece of background work, took."""
        return cls(
            calls=usage.calls,
            input_tokens=usage.input_tokens,
            cached_tokens=usage.cached_tokens,
            output_tokens=usage.output_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySpent:
    """What was spent for one scope on one day, for one purpose."""

    day: date
    scope: Scope
    purpose: Purpose
    spent: Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost. ``cached``: of those that the endpoint had in its cache; None: as much as others."""

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None

    @property
    def known(self) -> bool:
        return bool(self.input or self.output or self.cached)

    def of(self, spent: Spent) -> float:
        """What this comes to."""
        # Some endpoints count what they had cached apart from what they read.
        cached = min(spent.cached_tokens, spent.input_tokens)
        read = (spent.input_tokens - cached) * self.input + cached * (self.input if self.cached is None else self.cached)
        return (read + spent.output_tokens * self.output) / _MILLION
