"""English words of time, and what they count: numbers, units, and the names of what recurs."""

from __future__ import annotations

import re

from pagefile.language.dates import holidays
from pagefile.language.dates.rules import one_of
from pagefile.language.dates.spans import (
    Amount,
    Recurring,
    Unit,
    day_of_week,
    month_of_year,
    part_of_day,
    quarter,
    weekend,
    whole,
)

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
#: Also verbs, first names or adjectives: they count only beside a number or after a preposition.
UNSURE_MONTHS = ("march", "april", "may", "june", "august")
SURE_MONTHS = (*(name for name in MONTHS if len(name) > 4 and name not in UNSURE_MONTHS), "july")

WEEKDAYS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tues", "tue"),
            ("wednesday", "wed"),
            ("thursday", "thurs", "thur", "thu"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
SURE_WEEKDAYS = tuple(name for name in WEEKDAYS if name.endswith("day"))

PARTS_OF_DAY: dict[str, Recurring] = {
    "early morning": part_of_day(4, 9),
    "morning": part_of_day(5, 12),
    "lunchtime": part_of_day(11, 14),
    "afternoon": part_of_day(12, 18),
    "evening": part_of_day(17, 24),
    "night": part_of_day(18, 30),
}

#: The units that "last", "this" and "next" go with.
WHOLE_UNITS: dict[str, Recurring] = {
    "week": whole("week"),
    "weekend": weekend(),
    "month": whole("month"),
    "year": whole("year"),
}

#: Everything that "last", "this" and "next" go with.
PERIODS: dict[str, Recurring] = {
    **WHOLE_UNITS,
    **PARTS_OF_DAY,
    **{name: day_of_week(number) for name, number in WEEKDAYS.items()},
    **{name: month_of_year(number) for name, number in MONTHS.items()},
    **{name: recurring for name, recurring in holidays.SEASONS.items() if name.isascii()},
    **holidays.ENGLISH,
    **{f"q{number}": quarter(number) for number in range(1, 5)},
}

_COUNTING = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBERS: dict[str, int] = {word: number for number, word in enumerate(_COUNTING.split(), start=1)} | {
    "a": 1,
    "an": 1,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "a hundred": 100,
    "a dozen": 12,
}

VAGUE: dict[str, Amount] = {
    "couple": Amount(2, 3),
    "few": Amount(2, 7),
    "several": Amount(2, 7),
}

ORDINALS: dict[str, int] = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "5th": 5,
    "last": -1,
    "final": -1,
}

_UNDER_TWENTY = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth"
)
#: "May first", "the twenty-second of June".
DAY_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(_UNDER_TWENTY.split(), start=1)},
    **{f"twenty-{word}": 20 + number for number, word in enumerate(_UNDER_TWENTY.split()[:9], start=1)},
    "twentieth": 20,
    "thirtieth": 30,
    "thirty-first": 31,
}

UNITS: dict[str, Unit] = {
    "second": "second",
    "sec": "second",
    "minute": "minute",
    "min": "minute",
    "hour": "hour",
    "hr": "hour",
    "day": "day",
    "night": "day",
    "weekend": "weekend",
    "week": "week",
    "wk": "week",
    "fortnight": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "yr": "year",
    "decade": "decade",
}

_ONE_NUMBER = (
    rf"(?:[0-9]{{1,5}}(?:\.[0-9])?|(?:(?:twenty|thirty|forty|fifty)[- ])?{one_of(NUMBERS)}|(?:a )?couple(?: of)?|(?:a )?few|several)"
)
NUMBER = rf"(?P<number>half(?: an?| of an?)?|{_ONE_NUMBER})(?:\s?(?:-|to|or)\s?(?P<upper>{_ONE_NUMBER}))?(?P<half> and a half)?"
UNIT = rf"(?P<unit>{one_of(UNITS)})s?'?(?P<half_after> and a half)?"
AMOUNT = rf"{NUMBER}[ -]{UNIT}"


def _count(word: str) -> Amount:
    word = word.lower().replace("-", " ").removesuffix(" of")
    if word[0].isdigit():
        return Amount(float(word), float(word))
    if word.startswith("half"):
        return Amount(0.5, 0.5)
    vague = VAGUE.get(word.removeprefix("a "))
    if vague is not None:
        return vague
    number = NUMBERS.get(word) or sum(NUMBERS[part] for part in word.split())
    return Amount(number, number)


def count(match: re.Match[str]) -> Amount:
    """The number of a match of NUMBER: "two", "a few", "2-3", "two and a half"."""
    first, last = _count(match["number"]), _count(match["upper"] or match["number"])
    more = 0.5 if match["half"] else 0.0
    return Amount(first.low + more, max(first.low, last.high) + more)


def amount(match: re.Match[str]) -> tuple[Amount, Unit]:
    """The amount and unit of a match of AMOUNT: "two and a half weeks", "a year and a half", "a few days"."""
    number, name = count(match), match["unit"].lower()
    more = 0.5 if match["half_after"] else 0.0
    times = 2 if name == "fortnight" else 1
    return Amount(times * (number.low + more), times * (number.high + more)), UNITS[name]
