"""English time expressions, as a table of rules."""

from __future__ import annotations

import re

from pagefile.language.dates import holidays, unreadable
from pagefile.language.dates.english_words import (
    AMOUNT,
    DAY_WORDS,
    MONTHS,
    NUMBER,
    ORDINALS,
    PARTS_OF_DAY,
    PERIODS,
    SURE_MONTHS,
    SURE_WEEKDAYS,
    UNITS,
    UNSURE_MONTHS,
    WEEKDAYS,
    WHOLE_UNITS,
    amount,
    count,
)
from pagefile.language.dates.numeric import BEGIN, COUNTED, END, IN, YEAR, clock_12
from pagefile.language.dates.parts import earlier, later, nth_of, share
from pagefile.language.dates.rules import REPEATED, UNREADABLE, Meaning, Part, Rule, one_of
from pagefile.language.dates.spans import (
    DAY,
    Amount,
    Now,
    Recurring,
    Span,
    around,
    away,
    clock,
    coming,
    day_of_month,
    day_of_week,
    day_of_year,
    days,
    decade,
    in_cycle,
    lasting,
    latest,
    midnight,
    quarter_of,
    run,
    shift,
    year,
)

MONTH = rf"(?P<month>{one_of(MONTHS)})\b\.?"
DAY_NUMBER = rf"(?:(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?|(?P<day_word>{one_of(DAY_WORDS)}))"
LAST_DAY = r"(?P<last>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9:/]|\s?[ap]\.?m)"
TO = r"\s?(?:-|to|until|till|through)\s?"
PERIOD = rf"(?P<period>{one_of(PERIODS)})\b"
WEEKDAY = rf"(?P<weekday>{one_of(WEEKDAYS)})\b"

IN_MONTH = r"\b(?:in|since|until|till|by|before|after|during|from|through|of|around|between|as of|early|mid|late)[\s-]+"
IN_SEASON = r"\b(?:in|since|until|till|before|after|during|over|from|through|of|all|early|mid|late)[\s-]+(?:the\s+)?"
ON_DAY = r"\b(?:on|by|since|until|till|before|after|from|due|through|around)\s+(?:the\s+)?"
AT_HOLIDAY = r"\b(?:at|on|for|over|during|before|after|since|by|until|till|around|of|from|in)\s+(?:the\s+)?"
#: After "on the 8th": not "on the 8th floor".
DATE_ENDS = r"(?=\s*(?:$|[.,;:!?)]|(?:of|in|at|and|or|we|i|he|she|they|you|it|to|was|is|with|for|from|until|when|what|did|do)\b))"


def _step(what: Recurring, now: Now, steps: int) -> Span | None:
    """The one before last (-2), or two Fridays ago: step over whole spans, back or forward."""
    span = latest(what, now.local, ended=True) if steps < 0 else coming(what, now.local)
    for _ in range(abs(steps) - 1):
        if span is None:
            return None
        span = latest(what, span.start, ended=True) if steps < 0 else coming(what, span.end)
    return span


def _which(match: re.Match[str], now: Now) -> Meaning | None:
    """ "last", "this" or "next" with a unit, a weekday, a month, a season or a holiday."""
    which, name = " ".join(match["which"].lower().split()), match["period"].lower()
    what = PERIODS[name]
    if name in PARTS_OF_DAY:
        # "Last night" is the night of yesterday, also for one who is still up.
        return in_cycle(what, now.local, {"this": 0, "last": -1}[which]) if which in ("this", "last") else UNREADABLE
    if which in ("past", "this past") and name in WHOLE_UNITS and name != "weekend":
        return lasting(now, Amount(1, 1), UNITS[name], -1)
    if which in ("last", "past", "this past", "previous"):
        return latest(what, now.local, ended=True)
    if which in ("this", "current"):
        return around(what, now.local)
    if what.cycle == "week" and which == "next":
        return in_cycle(what, now.local, 1)
    return coming(what, now.local)


def _quarter(match: re.Match[str], now: Now) -> Span:
    steps = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0}.get(match["which"].lower(), 1)
    return quarter_of(now.local, steps)


def _before_last(match: re.Match[str], now: Now) -> Span | None:
    what, ahead = PERIODS[match["period"].lower()], match["end"].lower().startswith("after")
    if ahead and what.cycle == "week":
        return in_cycle(what, now.local, 2)
    return _step(what, now, 2 if ahead else -2)


def _periods_ago(match: re.Match[str], now: Now) -> Span | None:
    number = int(count(match).low)
    return _step(PERIODS[match["period"].lower()], now, -number) if 1 <= number <= 60 else None


def _weekday_weeks_away(match: re.Match[str], now: Now) -> Span | None:
    """ "A week ago Friday": so many weeks before the Friday that was."""
    friday = latest(day_of_week(WEEKDAYS[match["weekday"].lower()]), now.local, ended=True)
    weeks, unit = amount(match)
    return days(friday.start - int(weeks.low) * 7 * DAY) if friday is not None and unit == "week" else None


def _in_amount(match: re.Match[str], now: Now) -> Span:
    """ "In three days" comes, but "haven't talked in three days" is about the days that were."""
    before = match.string[max(0, match.start() - 60) : match.start()]
    if re.search(r"(?:n't|\b(?:not|never|nothing|first))\b[^.!?;]*$", before, re.IGNORECASE):
        return lasting(now, *amount(match), -1)
    return away(now, *amount(match), 1)


def _day_and_month(match: re.Match[str], now: Now) -> Meaning:
    number, first = MONTHS[match["month"].lower()], int(match["day"] or DAY_WORDS[match["day_word"].lower()])
    last = int(match["last"]) if match.groupdict().get("last") else None
    if (last is not None and last < first) or max(first, last or 0) > (29 if number == 2 else 30 if number in (4, 6, 9, 11) else 31):
        return UNREADABLE
    return day_of_year(number, first, last)


def _decade(match: re.Match[str], now: Now) -> Span | None:
    written = match["decade"]
    if written in _DECADE_WORDS:
        return decade(1900 + _DECADE_WORDS[written])
    number = int(written)
    return decade(number if number > 99 else number + (1900 if number >= 30 else 2000)) if number % 10 == 0 else None


_DECADE_WORDS = {"thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}

ABOUT_TODAY: dict[str, int] = {
    "today": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}


def _word(pattern: str) -> str:
    return rf"{BEGIN}(?:{pattern})(?![A-Za-z0-9_])"


_PARTS: tuple[Rule, ...] = (
    Rule(_word(r"early(?: on)?(?: in)?"), lambda match, now: Part(share(0, 1)), ""),
    Rule(_word(r"mid|(?:the )?middle of|halfway through") + "-?", lambda match, now: Part(share(1, 2)), ""),
    Rule(_word(r"late(?: in)?"), lambda match, now: Part(share(2, 3)), ""),
    Rule(_word(r"(?:the |at the )?(?:beginning|start) of"), lambda match, now: Part(share(0, 1, edge=True)), ""),
    Rule(_word(r"(?:the |at the )?end of"), lambda match, now: Part(share(2, 3, edge=True)), ""),
    Rule(_word("earlier"), lambda match, now: Part(earlier), ""),
    Rule(_word("later"), lambda match, now: Part(later), ""),
    Rule(
        _word(rf"(?:the )?(?P<nth>{one_of(ORDINALS)}) (?P<piece>half|quarter|month|week|weekend|day|{one_of(SURE_WEEKDAYS)}) (?:of|in)"),
        lambda match, now: Part(nth_of(ORDINALS[match["nth"].lower()], match["piece"].lower(), WEEKDAYS.get(match["piece"].lower()))),
        "",
    ),
)

_RELATIVE: tuple[Rule, ...] = (
    Rule(_word(rf"{NUMBER} (?P<period>{one_of(set(PERIODS) - {'week', 'month', 'year'})})s ago"), _periods_ago),
    Rule(_word(one_of(ABOUT_TODAY)), lambda match, now: days(now.today + ABOUT_TODAY[match[0].lower()] * DAY)),
    Rule(_word("tonight"), lambda match, now: in_cycle(PARTS_OF_DAY["night"], now.local)),
    Rule(_word("this time last year"), lambda match, now: days(midnight(shift(now, -1, "year")) - 15 * DAY, 30, "month")),
    Rule(_word("just now"), lambda match, now: lasting(now, Amount(1, 1), "hour", -1)),
    Rule(
        _word(rf"{AMOUNT} (?:ago|back(?=\s*(?:$|[.,;!?)]|(?:i|we|he|she|they|and|but|when|that)\b))|in the past)(?: today)?"),
        lambda match, now: away(now, *amount(match), -1),
    ),
    Rule(_word(rf"{AMOUNT} (?:from (?:now|today)|hence)"), lambda match, now: away(now, *amount(match), 1)),
    Rule(
        _word(rf"in (?:about |around |another )?(?!an? (?:second|sec|minute|min|day|night)\b)(?!the\b){AMOUNT}(?! of\b)(?: time)?"),
        _in_amount,
    ),
    Rule(_word(rf"within {AMOUNT}(?! of\b)"), lambda match, now: lasting(now, *amount(match), 1)),
    Rule(
        _word(rf"(?:within )?(?:the |these |this )?(?:last|past|previous|preceding) {AMOUNT}"),
        lambda match, now: lasting(now, *amount(match), -1),
    ),
    Rule(_word(rf"(?:within )?(?:the )?(?:next|coming|upcoming) {AMOUNT}"), lambda match, now: lasting(now, *amount(match), 1)),
    Rule(
        _word(rf"(?:in|over|during|within|for|of) the (?:last|past) (?P<unit>{one_of(UNITS)})(?! of\b)"),
        lambda match, now: lasting(now, Amount(1, 1), UNITS[match["unit"].lower()], -1),
    ),
    Rule(
        _word(rf"(?:in|over|during|within|for) the (?:next|coming) (?P<unit>{one_of(UNITS)})"),
        lambda match, now: lasting(now, Amount(1, 1), UNITS[match["unit"].lower()], 1),
    ),
    Rule(_word(rf"(?P<which>last|this past|past|previous|this coming|this|current|next|upcoming|coming) {PERIOD}"), _which),
    Rule(_word(r"(?P<which>last|previous|past|this|current|next|coming|upcoming) quarter"), _quarter),
    Rule(_word(rf"(?:the )?{PERIOD} (?P<end>before last|after next)"), _before_last),
    Rule(_word(rf"{AMOUNT} ago (?:on |this )?{WEEKDAY}"), _weekday_weeks_away),
    Rule(
        _word(r"(?:the|this) (?P<unit>week|month|year)"),
        lambda match, now: around(PERIODS[match["unit"].lower()], now.local),
        r"\b(?:of|before|after|by|until|till|since|over|during|on)\s+",
    ),
)

_CALENDAR: tuple[Rule, ...] = (
    Rule(_word(rf"{MONTH},? (?:the )?{DAY_NUMBER}") + r"(?![:0-9]|/[0-9]|\s?[ap]\.?m\b)" + COUNTED, _day_and_month),
    Rule(
        _word(rf"(?<![A-Za-z]-)(?:the )?{DAY_NUMBER}(?: of)? {MONTH}") + r"(?!\s+(?:be|have|not|also|well|become|get|want|need)\b)",
        _day_and_month,
    ),
    Rule(_word(rf"{MONTH},? {DAY_NUMBER}{TO}{LAST_DAY}"), _day_and_month),
    Rule(_word(rf"(?:the )?{DAY_NUMBER}{TO}{LAST_DAY}(?: of)? {MONTH}"), _day_and_month),
    Rule(_word(one_of(SURE_MONTHS)), lambda match, now: PERIODS[match[0].lower()]),
    Rule(_word(rf"(?-i:{one_of(name.capitalize() for name in UNSURE_MONTHS)})"), lambda match, now: PERIODS[match[0].lower()], IN_MONTH),
    Rule(
        _word(rf"(?-i:{one_of(name.capitalize() for name in MONTHS if len(name) < 5 and name not in UNSURE_MONTHS)})") + r"\.?",
        lambda match, now: PERIODS[match[0].lower().rstrip(".")],
        IN_MONTH,
    ),
    Rule(
        r"(?:(?<=\bin )|(?<=\bsince )|(?<=\bearly )|(?<=\blate )|(?<=\bmid-)|(?<=\bmid )|(?<=\bduring ))(?:may|march|april|june|august)\b",
        lambda match, now: PERIODS[match[0].lower()],
    ),
    Rule(_word(one_of(SURE_WEEKDAYS)), lambda match, now: PERIODS[match[0].lower()]),
    Rule(
        _word(rf"(?-i:{one_of(name.capitalize() for name in WEEKDAYS if len(name) < 6)})"),
        lambda match, now: PERIODS[match[0].lower()],
        ON_DAY,
    ),
    Rule(
        r"(?<=\bon )(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b(?!\s+(?:a|the|my|his|her|down|up|in)\b)",
        lambda match, now: PERIODS[match[0].lower()],
    ),
    Rule(_word(r"(?<!a )(?<!nice )(?<!great )weekend"), lambda match, now: PERIODS["weekend"], r"\b(?:the|over)\s+"),
    Rule(
        _word(rf"(?P<first>{one_of(SURE_WEEKDAYS)}|{one_of(name.capitalize() for name in WEEKDAYS if len(name) < 6)}){TO}{WEEKDAY}"),
        lambda match, now: run(PERIODS[match["first"].lower()], PERIODS[match["weekday"].lower()]),
    ),
    Rule(
        _word(r"(?:the )?(?P<day>[12]?1st|2?2nd|2?3rd|(?:[4-9]|1[0-9]|2[04-9]|30)th|31st)") + DATE_ENDS,
        lambda match, now: day_of_month(int(match["day"][:-2])),
        ON_DAY,
    ),
    Rule(
        _word(one_of(name for name in holidays.SEASONS if name.isascii())) + r"(?! of (?!last\b|this\b|next\b|(?:19|20)[0-9]))",
        lambda match, now: PERIODS[match[0].lower()],
        IN_SEASON,
    ),
    Rule(
        _word(rf"(?P<holiday>{one_of(holidays.ENGLISH)})(?: ?time)?")
        + r"(?! (?:tree|card|cookie|present|gift|costume|cand|carol|egg|song|decoration|light|movie))",
        lambda match, now: PERIODS[match["holiday"].lower()],
        AT_HOLIDAY,
    ),
    Rule(_word(rf"the year (?P<year>{YEAR})"), lambda match, now: year(int(match["year"]))),
    Rule(_word(r"'(?P<year>[0-9]{2})"), lambda match, now: year(int(match["year"]) + (2000 if int(match["year"]) < 70 else 1900)), ""),
    Rule(r"(?<![A-Za-z0-9_.:$])'?(?P<decade>[0-9]0)'?s\b", _decade, r"\bthe\s+(?:(?:early|mid|late)[\s-]+)?"),
    Rule(rf"{BEGIN}(?:the )?(?P<decade>(?:19|20)[0-9]0)'?s\b", _decade),
    Rule(rf"\bthe (?P<decade>{one_of(_DECADE_WORDS)})\b", _decade, IN),
)

_OF_DAY: tuple[Rule, ...] = (
    Rule(_word(one_of(PARTS_OF_DAY)), lambda match, now: PARTS_OF_DAY[match[0].lower()], ""),
    Rule(_word("noon|midday"), lambda match, now: clock(12), r"\b(?:at|by|before|after|until|till|around|since)\s+"),
    Rule(_word("midnight"), lambda match, now: clock(24, 0), r"\b(?:at|by|before|after|until|till|around|since)\s+"),
    Rule(_word(r"(?P<hour>1[0-2]|[1-9]) o'clock"), lambda match, now: clock(int(match["hour"]), half_day=True)),
    Rule(_word(r"half past (?P<hour>1[0-2]|[1-9])"), lambda match, now: clock(int(match["hour"]), 30, half_day=True)),
    Rule(
        rf"(?:(?<=\bat )|(?<=\bby ))(?P<hour>1[0-2]|[1-9]){END}(?=\s*(?:$|[.,;!?)]|(?:for|with|and|to|in the|we|i|on)\b))",
        lambda match, now: clock(int(match["hour"]), half_day=True),
        "",
    ),
    Rule(
        _word(r"(?P<hour>1[0-2]|[1-9]) (?=in the (?:morning|afternoon|evening))"),
        lambda match, now: clock(int(match["hour"]), half_day=True),
        "",
    ),
    Rule(_word(r"(?P<hour>1[0-2]|[1-9]) in the morning"), lambda match, now: clock_12(int(match["hour"]), None, "am")),
    Rule(_word(r"(?P<hour>1[0-2]|[1-9]) in the (?:afternoon|evening)"), lambda match, now: clock_12(int(match["hour"]), None, "pm")),
    Rule(
        _word(r"(?P<hour>1[0-2]|[1-9]) at night"),
        lambda match, now: clock(int(match["hour"]) + 12 if int(match["hour"]) > 5 else int(match["hour"]) + 24),
    ),
)

_NOT_ONE: tuple[Rule, ...] = (
    Rule(
        _word(
            r"(?:every|each)(?: (?:single|other|few|second|third|[0-9]+|two|three|four))? "
            r"(?:second|minute|hour|day|night|week|weekend|month|quarter|year|morning|evening|afternoon|semester)s?"
        ),
        lambda match, now: REPEATED,
    ),
    Rule(_word(r"every|each"), lambda match, now: REPEATED, ""),
    Rule(
        _word(r"(?:times?|once|twice|hours?|days?) (?:a|per|each|in a) (?:day|night|week|weekend|month|quarter|year)"),
        lambda match, now: REPEATED,
    ),
    Rule(_word("|".join(unreadable.ENGLISH)), lambda match, now: UNREADABLE),
    Rule(_word("|".join(unreadable.ENGLISH_FEASTS)), lambda match, now: UNREADABLE, AT_HOLIDAY),
)

ENGLISH: tuple[Rule, ...] = _RELATIVE + _CALENDAR + _OF_DAY + _PARTS + _NOT_ONE
