"""What a time expression means: a half-open range of time, or an explicit "unknown"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

#: How exact the words are: the unit in which a person would say it.
Precision: TypeAlias = Literal["second", "minute", "hour", "part of day", "day", "week", "month", "quarter", "year", "decade"]
#: Where the words put it, seen from the reference. "either": the words do not tell ("in May"), or it contains the reference.
Direction: TypeAlias = Literal["past", "future", "either"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """A time expression that was read: ``start <= t < end``, with zone. None is open-ended ("since May", "until yesterday")."""

    start: datetime | None
    end: datetime | None
    #: The words as they stand in the text, and where: ``text == whole[span[0]:span[1]]``.
    text: str
    span: tuple[int, int]
    direction: Direction
    precision: Precision

    def contains(self, moment: datetime) -> bool:
        """Whether a moment (with zone) lies in the range."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownTime:
    """Words that speak of a time but cannot be read as a range: "back then", "the other day", 当年, 上次."""

    text: str
    span: tuple[int, int]


Found: TypeAlias = TimeRange | UnknownTime
