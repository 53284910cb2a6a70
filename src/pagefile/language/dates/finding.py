"""Find and read the time expressions of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from pagefile.errors import InputError
from pagefile.language.dates.chinese import CHINESE
from pagefile.language.dates.chinese_words import TRADITIONAL
from pagefile.language.dates.english import ENGLISH
from pagefile.language.dates.joining import Group, join
from pagefile.language.dates.leaning import lean_of
from pagefile.language.dates.numeric import NUMERIC
from pagefile.language.dates.relations import Reading, read
from pagefile.language.dates.rules import Repeated, Rule, longest, scan
from pagefile.language.dates.spans import Lean, Now
from pagefile.language.dates.times import Direction, Found, TimeRange, UnknownTime

#: One character for one character, so that spans stay: full-width figures and letters, dashes, quotes, spaces, traditional forms.
_FOLDED = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "，！？；（）"}
    | dict.fromkeys("–—‐‑‒―－〜～", "-")
    | dict.fromkeys("‘’ʼ", "'")
    | dict.fromkeys("\u00a0\u2009\u202f\u3000\t\n\r", " ")
    | TRADITIONAL
)
_HAS_CHINESE = re.compile("[一-鿿]")
_HAS_ENGLISH = re.compile(r"[A-Za-z]{3}")
_HAS_FIGURES = re.compile(r"[0-9]")

#: What may stand before and after the expression in a text that is only a time.
_LEAD = re.compile(r"\s*(?:(?:back|in|on|at|during|from|for|over|about|around|the|在|于|从|自|到|大约|大概)\s*)*", re.IGNORECASE)
_TAIL = re.compile(r"(?:的?(?:时候|期间|那天|当天|里|内|中)?)?[\s.,!?)。，！？）]*")

_EXAMPLES = (
    '"yesterday", "last Friday", "past 7 days", "May 2023", "2023-05-08", "from May 3 to May 10", "since March", '
    '"上周三", "三天前", "去年国庆"'
)


def find_times(
    text: str,
    *,
    reference: datetime,
    zone: tzinfo | None = None,
    prefer: Lean | None = None,
    day_first: bool = False,
) -> tuple[Found, ...]:
    """Find every time expression of a text, in order and not overlapping, the longest reading first.

    ``reference`` is when the words were said; days begin in ``zone``, by default the reference's own. Where the words do not
    tell ("in May"), ``prefer`` decides, and without it the past. ``day_first`` reads 8/5/2023 as 8 May. Expressions that name
    no single time ("every Friday") are left out. Raises InputError if there is no zone.
    """
    now = _now(reference, zone, day_first)
    plain = text.translate(_FOLDED)
    readings = _outermost(_readings(_groups(plain, now), plain, now, prefer))
    return tuple(_found(text, reading, now, placed) for reading, placed in readings)


def parse_time(
    text: str,
    *,
    reference: datetime,
    zone: tzinfo | None = None,
    prefer: Lean | None = None,
    day_first: bool = False,
) -> TimeRange:
    """Read a text that is one time expression and nothing else, such as an option or an argument of a tool.

    Arguments as for ``find_times``. Raises InputError, with examples, if there is more or less than one expression, or it
    cannot be read.
    """
    now = _now(reference, zone, day_first)
    plain = text.translate(_FOLDED)
    # A text that is nothing else speaks of time: "May" alone is the month.
    groups = [replace(group, firm=True) for group in _groups(plain, now)]
    readings = _outermost(_readings(groups, plain, now, prefer))
    if len(readings) == 1:
        reading, placed = readings[0]
        found = _found(text, reading, now, placed)
        if isinstance(found, TimeRange) and _LEAD.fullmatch(plain, 0, reading.begin) and _TAIL.fullmatch(plain, reading.finish):
            return found
    shown = text if len(text) <= 80 else text[:79] + "…"
    raise InputError(f"{shown!r} cannot be read as one time; what can be read: {_EXAMPLES}")


def _now(reference: datetime, zone: tzinfo | None, day_first: bool) -> Now:
    if reference.tzinfo is None:
        if zone is None:
            raise InputError(f"the reference time {reference} has no zone; give one with an offset, or give zone=")
        reference = reference.replace(tzinfo=zone)
    where = zone or reference.tzinfo
    assert where is not None  # set above if it was missing
    return Now(reference.astimezone(where).replace(tzinfo=None), where, day_first)


def _rules_for(plain: str) -> Iterator[Rule]:
    """Only the rules that can match: most texts are in one language, and many have no time."""
    if _HAS_FIGURES.search(plain):
        yield from NUMERIC
    if _HAS_ENGLISH.search(plain):
        yield from ENGLISH
    if _HAS_CHINESE.search(plain):
        yield from CHINESE


def _groups(plain: str, now: Now) -> list[Group]:
    return join(plain, longest(scan(plain, _rules_for(plain), now)), now)


def _readings(groups: Sequence[Group], plain: str, now: Now, prefer: Lean | None) -> Iterator[tuple[Reading, bool]]:
    """Each reading, and whether it is placed: by its own words, or by those around it."""
    place = 0
    while place < len(groups):
        group = groups[place]
        if group.verdict is not None:
            if not isinstance(group.verdict, Repeated):
                yield Reading(group.start, group.end), True
            place += 1
            continue
        told = lean_of(plain, group.start, group.end)
        try:
            reading, taken = read(groups[place : place + 2], plain, now, told or prefer or "past")
        except (ValueError, OverflowError):
            reading, taken = Reading(group.start, group.end), 1
        # In a range one end lends the other its weight: "from March to May".
        if any(each.firm for each in groups[place : place + taken]):
            yield reading, group.placed or told is not None
        place += taken


def _outermost(readings: Iterable[tuple[Reading, bool]]) -> list[tuple[Reading, bool]]:
    """Leave out what a later reading has taken in: in "the Sunday before May 25" the Sunday is no time of its own."""
    kept: list[tuple[Reading, bool]] = []
    for reading, placed in readings:
        while kept and kept[-1][0].finish > reading.begin:
            kept.pop()
        kept.append((reading, placed))
    return kept


def _found(text: str, reading: Reading, now: Now, placed: bool) -> Found:
    words, span = text[reading.begin : reading.finish], (reading.begin, reading.finish)
    if reading.start is None and reading.end is None:
        return UnknownTime(text=words, span=span)
    try:
        start, end = _instants(reading, now)
    except (ValueError, OverflowError):
        # Before the year 1 or after 9999.
        return UnknownTime(text=words, span=span)
    direction = _direction(reading, now) if placed else "either"
    return TimeRange(start=start, end=end, text=words, span=span, direction=direction, precision=reading.precision)


def _direction(reading: Reading, now: Now) -> Direction:
    if reading.said is not None:
        return reading.said
    if reading.end is not None and reading.end <= now.local:
        return "past"
    return "future" if reading.start is not None and reading.start > now.local else "either"


def _instants(reading: Reading, now: Now) -> tuple[datetime | None, datetime | None]:
    start, end = (None if local is None else _instant(local, now.zone) for local in (reading.start, reading.end))
    if start is None or end is None or start.astimezone(UTC) < end.astimezone(UTC):
        return start, end
    # The hour that a clock skips in spring: its length counts from where the clock went on.
    assert reading.start is not None and reading.end is not None
    return start, (start.astimezone(UTC) + (reading.end - reading.start)).astimezone(now.zone)


def _instant(local: datetime, zone: tzinfo) -> datetime:
    """Local to absolute time and back, so that a time which the clock skips becomes the one it shows then."""
    return local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
