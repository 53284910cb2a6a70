"""Where English speakers come from, and what befell them: born, raised, diagnosed, promoted, dismissed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_jobs import occupation_claims
from pagefile.lifecycle.rules.english_places import find_place, place_claims
from pagefile.lifecycle.rules.english_reading import Reading

Outcome = Iterator[Claim]

_BORN = late_pattern(
    r"born\s+(?P<raised>and (?:raised|bred) )?(?P<how>in|on|near)\s+(?=\S)|(?:raised|brought up)\s+(?P<how2>in|near)\s+(?=\S)"
)
_DIAGNOSED = late_pattern(r"diagnosed (?:with|as)\s+(?:an?\s+)?")
_PROMOTED = late_pattern(r"(?:promoted|hired|recruited|appointed)\s+(?:to|as)\s+(?:an?|the)?\s*(?=[a-z])")
_DISMISSED = late_pattern(r"(?:laid off|fired|made redundant|let go)\s+(?:from|by)\s+")
_MONTH_OR_DATE = late_pattern(
    r"(?:the\s+)?(?:\d+(?:st|nd|rd|th)?|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b"
)


_DATE_END = late_pattern(r"\s+(?:in(?!\s+\d)|at|near|and|but|so|to|into)\s")


def place_born(reading: Reading) -> Outcome:
    """What "was" says that still holds: where and when somebody was born, what they were diagnosed with or promoted to."""
    plain, at, end = reading.plain, reading.at, reading.end
    if reading.negative:
        return
    if match := _BORN.match(plain, at, end):
        if _MONTH_OR_DATE.match(plain, match.end(), end):
            stop = _DATE_END.search(plain, match.end(), end)
            date = reading.value(match.end(), end=stop.start() if stop else None)
            if re.search(r"\d", plain[slice(*date)]):
                yield reading.claim("birthday", date)
            where = late_pattern(r"\s+in\s+(?=\S)").match(plain, date[1], end)
            if where and not _MONTH_OR_DATE.match(plain, where.end(), end):
                yield from place_claims(reading, where.end(), "hometown")
        else:
            yield from place_claims(reading, match.end(), "hometown")
    elif match := _DIAGNOSED.match(plain, at, end):
        found = list(reading.values(match.end()))
        for each in found:
            if len(plain[slice(*each)].split()) <= 4:
                yield reading.claim("health", each, among=found)
    elif match := _PROMOTED.match(plain, at, end):
        yield from occupation_claims(reading, match.end(), known_only=False)
    elif (match := _DISMISSED.match(plain, at, end)) and (place := find_place(reading, match.end(), organisation=True)):
        yield reading.claim("employer", place, ended=True)
