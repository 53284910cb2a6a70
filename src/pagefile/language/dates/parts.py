"""Pieces of a span: early, late, the first week of, 上旬, 底."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pagefile.language.dates.spans import DAY, Now, Span, add_months, days
from pagefile.language.dates.times import Precision

#: Where the thirds of a span lie: after so many days, months or years. A month has 1–10, 11–20 and the rest.
_THIRDS = {"week": (0, 2, 4, 7), "month": (0, 10, 20), "quarter": (0, 1, 2, 3), "year": (0, 4, 8, 12), "decade": (0, 40, 70, 120)}
#: The beginning and the end of a year are two months; "early" and "late" are thirds.
_EDGES = {**_THIRDS, "year": (0, 2, 10, 12)}


def share(first: int, last: int, *, edge: bool = False) -> Callable[[Span, Now], Span]:
    """From one third to another (0 to 3). What is no longer than a day is left as it is."""

    def of(span: Span, now: Now) -> Span:
        borders = (_EDGES if edge else _THIRDS).get(span.precision)
        if borders is None or span.end - span.start < 3 * DAY:
            return span
        if span.precision in ("week", "month"):
            points = [span.start + border * DAY for border in borders]
        else:
            points = [add_months(span.start, border) for border in borders]
        points = [*points[:3], span.end]
        return replace(span, start=points[first], end=points[last], precision=_FINER[span.precision])

    return of


_FINER: dict[str, Precision] = {"week": "day", "month": "day", "quarter": "month", "year": "month", "decade": "year"}


def earlier(span: Span, now: Now) -> Span:
    """ "Earlier this week": what is over of it."""
    return replace(span, end=now.local) if span.start < now.local < span.end else span


def later(span: Span, now: Now) -> Span:
    """ "Later today": what is left of it."""
    return replace(span, start=now.local) if span.start < now.local < span.end else span


def nth_of(nth: int, piece: str, weekday: int | None = None) -> Callable[[Span, Now], Span]:
    """The n-th (-1: last) half, quarter, month, week, weekend, day or weekday of a span. Raises ValueError if it has none."""

    def of(span: Span, now: Now) -> Span:
        found = _by_months(span, nth, piece) or _by_days(span, nth, piece, weekday)
        if found.start < span.start or found.start >= span.end:
            raise ValueError(f"there is no such {piece}")
        return found

    return of


def _by_months(span: Span, nth: int, piece: str) -> Span | None:
    if piece == "half":
        return _half(span, nth)
    length = {"quarter": 3, "month": 1}.get(piece)
    if length is None:
        return None
    start = add_months(span.start, (nth - 1) * length) if nth > 0 else add_months(span.end, nth * length)
    return Span(start, add_months(start, length), "quarter" if piece == "quarter" else "month")


def _half(span: Span, nth: int) -> Span:
    months = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month
    middle = add_months(span.start, months // 2) if months > 1 else span.start + (span.end - span.start) // 2
    if months == 1:
        middle = span.start + 15 * DAY
    if nth == 1:
        return replace(span, end=middle)
    if nth in (2, -1):
        return replace(span, start=middle)
    raise ValueError("there are two halves")


def _by_days(span: Span, nth: int, piece: str, weekday: int | None) -> Span:
    if piece in ("day", "week"):
        length = 1 if piece == "day" else 7
        start = span.start + (nth - 1) * length * DAY if nth > 0 else span.end + nth * length * DAY
        return Span(start, min(start + length * DAY, span.end), "day" if piece == "day" else "week")
    day_of_week = 5 if weekday is None else weekday
    if nth > 0:
        first = span.start + (day_of_week - span.start.weekday()) % 7 * DAY + (nth - 1) * 7 * DAY
    else:
        last = span.end - DAY
        first = last - (last.weekday() - day_of_week) % 7 * DAY + (nth + 1) * 7 * DAY
    return days(first, 2 if weekday is None else 1)
