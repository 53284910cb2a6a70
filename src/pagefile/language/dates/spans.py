"""The algebra under both languages: spans of local time, and what recurs once in every year, month, week or day.

"May", "the 8th", "Friday", "Christmas" and "3pm" each name one span in every cycle of their kind. "2023", "last week" and
"yesterday" are spans. A date is read by narrowing: 2023 → its May → its 8th → its 3pm. What is left without a span ("in May")
is the latest one, or the coming one where the words speak of the future.

All times here are naive and local; only ``Now`` knows the zone. So a day is a calendar day, however many hours it has.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal, TypeAlias

from pagefile.language.dates.times import Precision

Cycle: TypeAlias = Literal["year", "month", "week", "day"]
Lean: TypeAlias = Literal["past", "future"]

DAY = timedelta(days=1)
#: A thing that recurs names one moment only within one of its cycles: "Friday" within a week, not within 2022.
LONGEST: dict[Cycle, timedelta] = {"year": 366 * DAY, "month": 31 * DAY, "week": 7 * DAY, "day": DAY}
#: 29 February comes every four years, or eight around 2100.
CYCLES_TO_TRY = 9


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of local time. ``None`` only in what "since" and "until" make."""

    start: datetime
    end: datetime
    precision: Precision
    #: Where the words themselves put it, when its place beside the reference does not tell ("past 7 days" includes today).
    said: Lean | None = None


@dataclass(frozen=True, slots=True)
class Recurring:
    """What happens once in a cycle. ``span_in`` takes the start of a cycle; None means that this cycle has none."""

    cycle: Cycle
    span_in: Callable[[datetime], Span | None]
    #: "Friday", said on a Friday, is another Friday.
    never_now: bool = False
    #: Another reading, taken where the first does not fit: three o'clock in "three at night".
    otherwise: Recurring | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """The reference: the moment at which the words were said, as local time."""

    local: datetime
    zone: tzinfo
    day_first: bool = False

    @property
    def today(self) -> datetime:
        """The start of the day."""
        return midnight(self.local)

    def plus(self, delta: timedelta) -> datetime:
        """Move by real elapsed time: two hours are two hours, also in a night when the clock changes."""
        return (self.local.replace(tzinfo=self.zone).astimezone(UTC) + delta).astimezone(self.zone).replace(tzinfo=None)


# --- spans of the calendar --------------------------------------------------------------------------------------------


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day of another month, or that month's last day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def days(first: datetime, count: int = 1, precision: Precision = "day") -> Span:
    return Span(first, first + count * DAY, precision)


def months(first: datetime, count: int = 1, precision: Precision = "month") -> Span:
    return Span(first, add_months(first, count), precision)


def year(number: int) -> Span:
    return months(datetime(number, 1, 1), 12, "year")


def month(year_number: int, number: int) -> Span:
    return months(datetime(year_number, number, 1))


def quarter_of(moment: datetime, offset: int = 0) -> Span:
    """The quarter of the year around a moment, or ``offset`` quarters later."""
    first = cycle_start(moment, "month").replace(month=(moment.month - 1) // 3 * 3 + 1)
    return months(add_months(first, 3 * offset), 3, "quarter")


def decade(first_year: int) -> Span:
    return months(datetime(first_year, 1, 1), 120, "decade")


def day(year_number: int, month_number: int, day_number: int) -> Span:
    """Raises ValueError if there is no such day."""
    return days(datetime(year_number, month_number, day_number))


def week_of(moment: datetime) -> Span:
    """Monday to Sunday."""
    return days(midnight(moment) - moment.weekday() * DAY, 7, "week")


# --- cycles -----------------------------------------------------------------------------------------------------------


def cycle_start(moment: datetime, cycle: Cycle) -> datetime:
    start = midnight(moment)
    if cycle == "year":
        return start.replace(month=1, day=1)
    if cycle == "month":
        return start.replace(day=1)
    return start - start.weekday() * DAY if cycle == "week" else start


def next_cycle(start: datetime, cycle: Cycle, count: int = 1) -> datetime:
    if cycle in ("year", "month"):
        return add_months(start, count * (12 if cycle == "year" else 1))
    return start + count * (7 if cycle == "week" else 1) * DAY


def in_cycle(what: Recurring, moment: datetime, offset: int = 0) -> Span | None:
    """The span in the cycle around a moment, or ``offset`` cycles later."""
    return what.span_in(next_cycle(cycle_start(moment, what.cycle), what.cycle, offset))


def _spans(what: Recurring, moment: datetime, first: int, step: int) -> Iterator[Span]:
    for count in range(CYCLES_TO_TRY + 2):
        span = in_cycle(what, moment, first + step * count)
        if span is not None:
            yield span


def latest(what: Recurring, moment: datetime, *, ended: bool = False) -> Span | None:
    """The latest span that has begun (or ended) by a moment."""
    return next((span for span in _spans(what, moment, 1, -1) if (span.end if ended else span.start) <= moment), None)


def coming(what: Recurring, moment: datetime, *, begun: bool = False) -> Span | None:
    """The first span that begins at or after a moment (or, with ``begun``, has not ended by then)."""
    return next((span for span in _spans(what, moment, -1, 1) if (span.end > moment if begun else span.start >= moment)), None)


def around(what: Recurring, moment: datetime) -> Span | None:
    """The span that contains a moment, else the one in the same cycle: "this Friday", "this winter"."""
    inside = (span for span in _spans(what, moment, -1, 1) if span.start <= moment < span.end)
    return next(inside, None) or in_cycle(what, moment)


def nearest(what: Recurring, now: Now, lean: Lean) -> Span | None:
    """The span meant when nothing else is said. A time of day without a day is today's."""
    if what.cycle == "day":
        return in_cycle(what, now.local)
    if lean == "past":
        return latest(what, now.local, ended=what.never_now)
    return coming(what, now.today + DAY if what.never_now else now.local, begun=not what.never_now)


def within(what: Recurring, span: Span) -> Span | None:
    """The one span that begins inside a wider one. None if there is none, or if there could be several."""
    if span.end - span.start > LONGEST[what.cycle]:
        return None
    inside = (found for found in _spans(what, span.start, 0, 1) if span.start <= found.start < span.end)
    found = next(inside, None)
    if found is None and what.otherwise is not None:
        return within(what.otherwise, span)
    return found


# --- what recurs ------------------------------------------------------------------------------------------------------


def whole(cycle: Literal["year", "month", "week", "day"]) -> Recurring:
    """The cycle itself, so that "last month" is read like "last May"."""
    return Recurring(cycle, lambda start: Span(start, next_cycle(start, cycle), cycle))


def month_of_year(number: int, last: int | None = None) -> Recurring:
    """A month, or a run of months that may pass the new year."""
    count = ((last or number) - number) % 12 + 1
    return Recurring("year", lambda start: months(start.replace(month=number), count))


def quarter(number: int) -> Recurring:
    return Recurring("year", lambda start: months(start.replace(month=3 * number - 2), 3, "quarter"))


def day_of_year(month_number: int, day_number: int, last: int | None = None) -> Recurring:
    """A month and day, or a run of days in one month."""

    def span_in(start: datetime) -> Span | None:
        if max(day_number, last or 0) > monthrange(start.year, month_number)[1]:
            return None
        return days(start.replace(month=month_number, day=day_number), (last or day_number) - day_number + 1)

    return Recurring("year", span_in)


def day_of_month(number: int, last: int | None = None) -> Recurring:
    def span_in(start: datetime) -> Span | None:
        if max(number, last or 0) > monthrange(start.year, start.month)[1]:
            return None
        return days(start.replace(day=number), (last or number) - number + 1)

    return Recurring("month", span_in)


def day_of_week(number: int, last: int | None = None) -> Recurring:
    """Monday is 0. With ``last``, a run of days that may pass Sunday."""
    count = ((number if last is None else last) - number) % 7 + 1
    return Recurring("week", lambda start: days(start + number * DAY, count), never_now=count == 1)


def weekend() -> Recurring:
    return Recurring("week", lambda start: days(start + 5 * DAY, 2))


def part_of_day(first_hour: int, last_hour: int) -> Recurring:
    """Hours may pass 24: the night belongs to the day on which it begins."""
    return part_of_day_between(timedelta(hours=first_hour), timedelta(hours=last_hour))


def part_of_day_between(first: timedelta, last: timedelta) -> Recurring:
    """From one time after midnight to another."""
    return Recurring("day", lambda start: Span(start + first, start + last, "part of day"))


def clock(hour: int, minute: int | None = None, second: int | None = None, *, half_day: bool = False) -> Recurring:
    """A time of day. With ``half_day`` it may also be twelve hours off, and 1 to 5 are taken as afternoon until more is said."""
    if half_day and 1 <= hour <= 12:
        waking = hour + 12 if 1 <= hour <= 5 else hour
        return replace(clock(waking, minute, second), otherwise=clock((waking + 12) if waking <= 12 else hour, minute, second))
    length, precision = (1, "second") if second is not None else (60, "minute") if minute is not None else (3600, "hour")
    offset = timedelta(hours=hour, minutes=minute or 0, seconds=second or 0)
    return Recurring("day", lambda start: Span(start + offset, start + offset + timedelta(seconds=length), precision))  # type: ignore[arg-type]


def run(first: Recurring, last: Recurring) -> Recurring | None:
    """From one recurring thing to another of the same kind, into the next cycle if need be."""
    if first.cycle != last.cycle:
        return None

    def span_in(start: datetime) -> Span | None:
        begin, end = first.span_in(start), last.span_in(start)
        if begin is not None and end is not None and end.start <= begin.start:
            end = last.span_in(next_cycle(start, last.cycle))
        return Span(begin.start, end.end, end.precision) if begin is not None and end is not None else None

    return Recurring(first.cycle, span_in)


# --- distances --------------------------------------------------------------------------------------------------------

Unit: TypeAlias = Literal["second", "minute", "hour", "day", "weekend", "week", "month", "quarter", "year", "decade"]

SECONDS: dict[str, int] = {"second": 1, "minute": 60, "hour": 3600}
DAYS: dict[str, int] = {"day": 1, "weekend": 7, "week": 7}
MONTHS: dict[str, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, or a vague one: "a couple" is 2 to 3, "a few", "several" and 几 are 2 to 7. Halves are allowed."""

    low: float
    high: float


def shift(now: Now, count: float, unit: Unit) -> datetime:
    """A moment some units away (negative: before). Units of the clock elapse; those of the calendar keep the time of day."""
    if unit in SECONDS:
        return now.plus(timedelta(seconds=count * SECONDS[unit]))
    if unit in DAYS:
        return now.local + timedelta(days=count * DAYS[unit])
    whole_months = int(count * MONTHS[unit])
    # Half a month is 15 days.
    return add_months(now.local, whole_months) + timedelta(days=round((count * MONTHS[unit] - whole_months) * 30))


def _at_distance(now: Now, count: float, unit: Unit) -> Span:
    """One unit wide. Months and years have names, so the named one; a week or an hour has none, so half a unit to each side."""
    moment = shift(now, count, unit)
    if count % 1 and unit in ("day", "hour"):
        unit = "hour" if unit == "day" else "minute"
    if unit in SECONDS:
        half = timedelta(seconds=SECONDS[unit] / 2)
        return Span(moment - half, moment + half, unit)  # type: ignore[arg-type]
    if unit == "day":
        return days(midnight(moment))
    if unit in DAYS:
        return days(midnight(moment) - 3 * DAY, 7, "week")
    if count * MONTHS[unit] % 1:
        return days(midnight(moment) - 15 * DAY, 30, "month")
    if unit in ("month", "quarter") or count % 1:
        return month(moment.year, moment.month)
    return year(moment.year) if unit == "year" else days(midnight(moment) - 730 * DAY, 1461, "decade")


def away(now: Now, amount: Amount, unit: Unit, side: Literal[-1, 1]) -> Span:
    """What "three days ago" (side -1) or "in a few weeks" (side 1) names."""
    near, far = _at_distance(now, side * amount.low, unit), _at_distance(now, side * amount.high, unit)
    return Span(min(near.start, far.start), max(near.end, far.end), near.precision, said="past" if side < 0 else "future")


def lasting(now: Now, amount: Amount, unit: Unit, side: Literal[-1, 1]) -> Span:
    """What "the past 7 days" (-1) or "the next two weeks" (1) covers: whole days, today among them; hours to the second."""
    moment = shift(now, side * amount.high, unit)
    said: Lean = "past" if side < 0 else "future"
    precision: Precision = "week" if unit == "weekend" else unit
    if unit in SECONDS:
        return Span(min(moment, now.local), max(moment, now.local), precision, said)
    first, last = min(moment, now.local), max(moment, now.local)
    return Span(midnight(first), midnight(last) + DAY, precision, said)
