"""Times written in figures, alike in both languages: 2023-05-08, 8/5/2023, 13:56, 9am, Q1."""

from __future__ import annotations

import re
from datetime import datetime

from pagefile.language.dates.rules import Meaning, Rule
from pagefile.language.dates.spans import Now, Recurring, Span, clock, day, day_of_year, month, part_of_day_between, quarter, year

# Not \b: between a Chinese character and a figure there is no word boundary.
BEGIN = r"(?<![A-Za-z0-9_])(?<![0-9][.:/\-])(?<![$€£¥#])"
END = r"(?![A-Za-z0-9_%]|[.:/\-][0-9])"
#: Of a time of day: 8:30-9:00 are two.
BEGIN_CLOCK, END_CLOCK = r"(?<![A-Za-z0-9_])(?<![0-9][.:/])", r"(?![A-Za-z0-9_%]|[.:/][0-9])"
YEAR = r"(?:19|20)[0-9]{2}"

AT = r"(?:\b(?:at|by|before|after|until|till|from|since|around|about)|在|从|到|于)\s*"
ON = r"(?:\b(?:on|by|since|until|till|before|after|from|due)|在|于|从|自|到)\s*"
IN = (
    r"(?:\b(?:in|since|until|till|by|before|after|during|from|through|of|around|circa|between|back to|as of)|在|于|从|自|到)"
    r"\s*(?:the\s+)?(?:year\s+)?"
)
#: "in 2000 words" is no year.
COUNTED = (
    r"(?!\s+(?:words?|people|dollars|euros|pounds|yuan|pieces|steps|calories|miles|meters|metres|feet|km|kg|years|months|weeks|days|"
    r"hours|minutes|seconds|users|items|times|points|tokens|records|files|lines|pages|students|calls|units|others|more)\b)"
)


def _moment(match: re.Match[str], now: Now) -> Meaning:
    """An ISO date and time; with an offset it is moved into the zone of the reference."""
    written = match["date"] + "T" + match["time"] + (match["offset"] or "").replace("z", "Z").strip()
    moment = datetime.fromisoformat(written)
    if moment.tzinfo is not None:
        moment = moment.astimezone(now.zone).replace(tzinfo=None)
    at = clock(moment.hour, moment.minute, moment.second if match["second"] else None).span_in(moment.replace(hour=0, minute=0, second=0))
    assert at is not None  # a clock has a span in every day
    return at


def _day_month_year(match: re.Match[str], now: Now) -> Meaning:
    first, second, written = int(match[1]), int(match[3]), int(match[4])
    number = written if written > 99 else written + (2000 if written < 70 else 1900)
    # With dots the day comes first everywhere. Else the setting tells, unless the figures leave one reading only.
    day_first = (match[2] == "." or now.day_first or first > 12) and second <= 12
    return day(number, *((second, first) if day_first else (first, second)))


def _day_month(match: re.Match[str], now: Now) -> Meaning | None:
    first, second = int(match[1]), int(match[2])
    if (now.day_first or first > 12) and second <= 12:
        first, second = second, first
    return day_of_year(first, second) if 1 <= first <= 12 and 1 <= second <= 31 else None


def _clock(match: re.Match[str], now: Now) -> Recurring | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3]) if match[3] else None
    if hour > 23:
        return None
    # "3:30" may be meant in the afternoon, "03:30" and "13:30" may not; "10:30" only if "evening" stands beside it.
    if match[1][0] != "0" and hour <= 12:
        return clock(hour, minute, second, half_day=True)
    return clock(hour, minute, second)


def clock_12(hour: int, minute: int | None, half: str) -> Recurring | None:
    """A time with "am" or "pm"."""
    if not 1 <= hour <= 12:
        return None
    return clock(hour % 12 + (12 if half.lower().startswith("p") else 0), minute)


def _clocks(match: re.Match[str], now: Now) -> Recurring | None:
    """ "9-11am", "from 10:30 to 1pm": the first has the half of the day of the second, unless that makes it later."""
    last = clock_12(int(match["last"]), int(match["last_minute"] or 0), match["half"])
    for half in (match["half"], "am"):
        first = clock_12(int(match["first"]), int(match["first_minute"] or 0), half)
        if first is None or last is None:
            return None
        begin, end = first.span_in(now.today), last.span_in(now.today)
        if begin is not None and end is not None and begin.start < end.start:
            return part_of_day_between(begin.start - now.today, end.start - now.today)
    return None


def _quarter_of_year(match: re.Match[str], now: Now) -> Span | None:
    return quarter(int(match["quarter"])).span_in(datetime(int(match["year"]), 1, 1))


NUMERIC: tuple[Rule, ...] = (
    Rule(
        rf"{BEGIN}(?P<date>{YEAR}-[0-9]{{2}}-[0-9]{{2}})(?:T|\s)(?P<time>[0-9]{{2}}:[0-9]{{2}}(?P<second>:[0-9]{{2}}(?:\.[0-9]+)?)?)"
        rf"(?P<offset>\s?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}}))?{END}",
        _moment,
    ),
    Rule(
        rf"{BEGIN}({YEAR})([-/.])([0-9]{{1,2}})\2([0-9]{{1,2}}){END}",
        lambda match, now: day(int(match[1]), int(match[3]), int(match[4])),
    ),
    Rule(rf"{BEGIN}([0-9]{{1,2}})([-/.])([0-9]{{1,2}})\2({YEAR}){END}", _day_month_year),
    Rule(rf"{BEGIN}([0-9]{{1,2}})(/)([0-9]{{1,2}})/([0-9]{{2}}){END}", _day_month_year),
    Rule(
        rf"{BEGIN}({YEAR})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]){END}",
        lambda match, now: day(int(match[1]), int(match[2]), int(match[3])),
    ),
    Rule(rf"{BEGIN}({YEAR})[-/](0?[1-9]|1[0-2]){END}", lambda match, now: month(int(match[1]), int(match[2]))),
    Rule(rf"{BEGIN_CLOCK}([0-9]{{1,2}})/([0-9]{{1,2}}){END_CLOCK}", _day_month, ON),
    Rule(
        rf"{BEGIN_CLOCK}([0-9]{{1,2}})\s?([ap])\.?m(?:\.(?!\w)|(?![A-Za-z0-9_]))",
        lambda match, now: clock_12(int(match[1]), None, match[2]),
    ),
    Rule(
        rf"{BEGIN_CLOCK}([0-9]{{1,2}}):([0-5][0-9])\s?([ap])\.?m(?:\.(?!\w)|(?![A-Za-z0-9_]))",
        lambda match, now: clock_12(int(match[1]), int(match[2]), match[3]),
    ),
    Rule(
        rf"{BEGIN_CLOCK}(?P<first>[0-9]{{1,2}})(?::(?P<first_minute>[0-5][0-9]))?\s?(?:-|to|until)\s?"
        r"(?P<last>[0-9]{1,2})(?::(?P<last_minute>[0-5][0-9]))?\s?(?P<half>[ap])\.?m(?:\.(?!\w)|(?![A-Za-z0-9_]))",
        _clocks,
    ),
    Rule(rf"{BEGIN_CLOCK}([0-9]{{1,2}}):([0-5][0-9])(?::([0-5][0-9]))?{END_CLOCK}", _clock, AT),
    Rule(rf"{BEGIN}(?P<year>{YEAR})\s?-?Q(?P<quarter>[1-4]){END}", _quarter_of_year),
    Rule(rf"{BEGIN}Q([1-4]){END}", lambda match, now: quarter(int(match[1])), IN),
    Rule(rf"{BEGIN}({YEAR})(?!\s?年){END}{COUNTED}", lambda match, now: year(int(match[1])), IN),
)
