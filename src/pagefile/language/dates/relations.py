"""Words around a time that make a range of it: since, before, until, from … to, two weeks after; 之前, 以来, 从…到, 后三天."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Literal, TypeAlias

from pagefile.language.dates import chinese_words, english_words
from pagefile.language.dates.english_words import PERIODS, SURE_WEEKDAYS, WHOLE_UNITS
from pagefile.language.dates.joining import Group, narrow, size
from pagefile.language.dates.rules import Meaning, Part, one_of
from pagefile.language.dates.spans import (
    DAY,
    Amount,
    Lean,
    Now,
    Recurring,
    Span,
    Unit,
    away,
    coming,
    days,
    latest,
    month,
    shift,
    week_of,
    year,
)
from pagefile.language.dates.times import Precision

Bound: TypeAlias = Literal["since", "after", "before", "until"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression means, in local time, and where it stands. Without ``start`` and ``end`` it could not be read."""

    begin: int
    finish: int
    start: datetime | None = None
    end: datetime | None = None
    precision: Precision = "day"
    said: Lean | None = None


#: How far around a time its relation may stand.
REACH = 48

_BOUNDS: dict[Bound, str] = {
    "since": r"(?:ever )?since|as of|starting(?: from| on| in)?|beginning (?:in|on)|no earlier than|on or after",
    "after": r"after|later than|past",
    "before": r"before|prior to|earlier than",
    "until": r"until|till?|up (?:to|until)|through|by|no later than|not later than|on or before|due(?: on| by)?",
}
_BEFORE_IT = {
    bound: re.compile(rf"(?<![A-Za-z])(?:{words})\s+(?:(?:at|on|in|the)\s+)?(?:the\s+)?$", re.IGNORECASE)
    for bound, words in _BOUNDS.items()
}
_BEFORE_IT_CHINESE: dict[Bound, re.Pattern[str]] = {
    "since": re.compile(r"(?:自从|从|自|打从)\s?$"),
    "until": re.compile(r"(?:直到|截至|截止到?|不晚于)\s?$"),
    "after": re.compile(r"晚于\s?$"),
    "before": re.compile(r"早于\s?$"),
}
_AFTER_IT: dict[Bound, re.Pattern[str]] = {
    "since": re.compile(
        r"\s?(?:以来|至今|到现在|到今天|开始|起(?![床飞来身步码点])|,? (?:onwards?|and later|and after|or later)(?![A-Za-z]))",
        re.IGNORECASE,
    ),
    "until": re.compile(r"\s?(?:为止|,? (?:and|or) (?:earlier|before)(?![A-Za-z]))", re.IGNORECASE),
    "before": re.compile(r"\s?(?:以前|之前|前(?![后面台往途任辈方景提夕]))"),
    "after": re.compile(r"\s?(?:以后|之后|过后|后(?![面台来天年悔续备期院排门]))"),
}
#: "A letter from May" is one of May: only with "to" does "from" open a range.
_RANGE_OPENS = re.compile(r"(?:(?<![A-Za-z])(?:from|between)\s+(?:the\s+)?|(?:从|自)\s?)$", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<![A-Za-z])between\s+(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|~|\.\.|到|至|直到|(?:to|till|through|thru|up to|until)(?= ))\s*(?:(?:on|in|at|the)\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|和|与)\s*(?:the\s+)?", re.IGNORECASE)
_RANGE_CLOSES = re.compile(r"(?:之间|间|期间)")


# Compiled when first used, as rules are.
@cache
def _distance_before() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z])(?:(?:the|last|the last)\s+(?P<period>day|night|{one_of(WHOLE_UNITS)}|{one_of(SURE_WEEKDAYS)})|"
        rf"{english_words.AMOUNT})\s+(?P<side>before|after|from|of|following|preceding|prior to)\s+(?:on\s+)?(?:the\s+)?$",
        re.IGNORECASE,
    )


@cache
def _distance_after() -> re.Pattern[str]:
    return re.compile(rf"的?(?P<side>前|后)的?(?P<nth>第)?(?:{chinese_words.AMOUNT}|夕)")


_AROUND_CHINESE = re.compile(r"前后|左右")


def read(groups: Sequence[Group], text: str, now: Now, lean: Lean) -> tuple[Reading, int]:
    """Read the first group, with its neighbour where the two make a range. Returns the reading and how many groups it took.

    Raises ValueError or OverflowError if the words name no time that there is.
    """
    if len(groups) > 1:
        found = _range(groups[0], groups[1], text, now, lean)
        if found is not None:
            return found, 2
    group = groups[0]
    span = narrow(group.parts, now, lean)
    if span is None:
        raise ValueError("the parts do not fit each other")
    return _distance(group, span, text, now) or _bounded(group, span, text) or _plain(group, span), 1


def _beside(group: Group, text: str) -> tuple[str, str]:
    return text[max(0, group.start - REACH) : group.start], text[group.end : group.end + REACH]


def _plain(group: Group, span: Span) -> Reading:
    return Reading(group.start, group.end, span.start, span.end, span.precision, span.said)


# --- one end ----------------------------------------------------------------------------------------------------------


def _bounded(group: Group, span: Span, text: str) -> Reading | None:
    before, after = _beside(group, text)
    for bound, pattern in (*_BEFORE_IT.items(), *_BEFORE_IT_CHINESE.items()):
        match = pattern.search(before)
        if match is not None:
            closing = _AFTER_IT[bound].match(after)
            return _open(bound, span, group.start - len(before) + match.start(), group.end + (closing.end() if closing else 0))
    for bound, pattern in _AFTER_IT.items():
        match = pattern.match(after)
        if match is not None:
            return _open(bound, span, group.start, group.end + match.end())
    return None


def _last(span: Span) -> datetime:
    """Where a range up to this ends. A time of day is a point there: "until 5pm", "from 18:00 to 19:00", "after 8"."""
    return span.start if span.precision in ("hour", "minute", "second") else span.end


def _open(bound: Bound, span: Span, begin: int, finish: int) -> Reading:
    start = {"since": span.start, "after": _last(span)}.get(bound)
    end = {"before": span.start, "until": _last(span)}.get(bound)
    return Reading(begin, finish, start, end, span.precision)


# --- at a distance ----------------------------------------------------------------------------------------------------


def _distance(group: Group, span: Span, text: str, now: Now) -> Reading | None:
    before, after = _beside(group, text)
    match = _distance_before().search(before)
    if match is not None:
        found = _english_distance(match, span, now)
        return replace(_plain(group, found), begin=group.start - len(before) + match.start()) if found is not None else None
    match = _distance_after().match(after)
    if match is not None:
        return replace(_plain(group, _chinese_distance(match, span, now)), finish=group.end + match.end())
    match = _AROUND_CHINESE.match(after)
    if match is not None and span.precision == "day":
        wide = replace(span, start=span.start - 3 * DAY, end=span.end + 3 * DAY)
        return replace(_plain(group, wide), finish=group.end + match.end())
    return None


def _english_distance(match: re.Match[str], span: Span, now: Now) -> Span | None:
    side = match["side"].lower()
    if match["period"] is None:
        if side == "of":
            return None
        backwards = side in ("before", "preceding", "prior to")
        return away(replace(now, local=span.start), *english_words.amount(match), -1 if backwards else 1)
    name = {"night": "day"}.get(match["period"].lower(), match["period"].lower())
    if side == "of":
        # "The last week of May" is a piece of May, read already.
        return None if "last" in match[0].lower() else _containing(name, span)
    return _beside_span(name, span, now, -1 if side in ("before", "preceding", "prior to") else 1)


def _containing(name: str, span: Span) -> Span | None:
    """The week, weekend, month … of a day."""
    units = {"week": week_of(span.start), "month": month(span.start.year, span.start.month), "year": year(span.start.year)}
    if name == "day":
        return days(span.start)
    return units[name] if name in units else coming(PERIODS[name], week_of(span.start).start)


def _beside_span(name: str, span: Span, now: Now, side: Literal[-1, 1]) -> Span | None:
    """The day, week … just before or after a span; the Sunday before it."""
    if name in ("day", "week", "month", "year"):
        edge, unit = (span.start if side < 0 else span.end), english_words.UNITS[name]
        other = shift(replace(now, local=edge), side, unit)
        return Span(min(edge, other), max(edge, other), unit)  # type: ignore[arg-type]  # these units are precisions
    what = PERIODS[name]
    return latest(what, span.start, ended=True) if side < 0 else coming(what, span.end)


def _chinese_distance(match: re.Match[str], span: Span, now: Now) -> Span:
    """春节前一周 lies just before it, 后第三天 is the third day after it."""
    side: Literal[-1, 1] = -1 if match["side"] == "前" else 1
    edge = replace(now, local=span.start if side < 0 else span.end)
    count, unit = chinese_words.amount(match) if match["number"] else (Amount(1, 1), "day")
    far = shift(edge, side * count.high, unit)
    if match["nth"]:
        return days(edge.today + side * count.high * DAY - (DAY if side > 0 else 0 * DAY))
    return Span(min(edge.local, far), max(edge.local, far), _precision(unit))


def _precision(unit: Unit) -> Precision:
    return "week" if unit == "weekend" else unit


# --- two ends ---------------------------------------------------------------------------------------------------------


def _range(first: Group, last: Group, text: str, now: Now, lean: Lean) -> Reading | None:
    if first.verdict is not None or last.verdict is not None:
        return None
    gap = text[first.end : last.start]
    before, after = _beside(first, text)[0], _beside(last, text)[1]
    closes = _RANGE_CLOSES.match(after)
    between = bool(_BETWEEN.search(before)) or closes is not None
    if not (_TO.fullmatch(gap) or (between and _AND.fullmatch(gap))):
        return None
    ends = _both_ends(first.parts, last.parts, now, lean)
    if ends is None:
        return None
    opens = _RANGE_OPENS.search(before)
    begin = first.start - (len(before) - opens.start() if opens else 0)
    return Reading(begin, last.end + (closes.end() if closes else 0), ends[0].start, _last(ends[1]), ends[1].precision)


def _both_ends(first: Sequence[Meaning], last: Sequence[Meaning], now: Now, lean: Lean) -> tuple[Span, Span] | None:
    """Each end lends the other what it leaves out: 5月3日到10日, between March and May 2023, 昨天下午3点到5点."""
    lent_back, lent_on = _coarser(last, first, now), _coarser(first, last, now)
    begin = narrow([*lent_back, *first], now, lean) or narrow(first, now, lean)
    if begin is None:
        return None
    days_only = [part for part in lent_on if size(part, now) < 5]
    for lent in (lent_on, days_only):
        end = narrow([*lent, *last], now, lean) if lent else None
        if end is not None and _last(end) > begin.start:
            return begin, end
    if any(isinstance(part, Span) for part in last):
        return _ending_in(first, begin, narrow(last, now, lean), now)
    end = narrow(last, replace(now, local=begin.start), "future")
    return (begin, end) if end is not None and _last(end) > begin.start else None


def _ending_in(first: Sequence[Meaning], begin: Span, end: Span | None, now: Now) -> tuple[Span, Span] | None:
    """Where only the end is placed, the beginning is the latest before it: November to February 2023."""
    if end is None:
        return None
    if not any(isinstance(part, Span) for part in first):
        begin = narrow(first, replace(now, local=end.start), "past") or begin
    return (begin, end) if begin.start < _last(end) else None


def _coarser(lender: Sequence[Meaning], borrower: Sequence[Meaning], now: Now) -> list[Meaning]:
    finest = min((size(part, now) for part in borrower if isinstance(part, (Span, Recurring))), default=0)
    return [part for part in lender if not isinstance(part, Part) and size(part, now) < finest]
