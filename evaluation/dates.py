"""Dates: reads time expressions in three zones, and counts those that come out as a person would take them.

A line of a table is an expression and what it means, apart by two blanks or more: ``2026-03-10`` is that day of the zone,
``2026-03-02/2026-03-09`` a half-open range, ``..`` an open side, and ``-150m/-90m`` a range in minutes from the reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

from rich.table import Table

from evaluation import dates_chinese, dates_english
from pagefile.language.dates import TimeRange, find_times

ZONES = ("Asia/Shanghai", "America/New_York", "Europe/London")
TABLES: Mapping[str, Mapping[str, str]] = {"en": dates_english.TABLES, "zh": dates_chinese.TABLES}

Range: TypeAlias = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A time expression, and what it means at a local time."""

    language: str
    text: str
    reference: str
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How an expression was read in one zone."""

    expression: Expression
    zone: str
    expected: Range
    #: All that was found; one is right.
    found: tuple[Range, ...]

    @property
    def right(self) -> bool:
        """Whether the one thing found is the expected one, to the second."""
        return [tuple(map(_utc, one)) for one in self.found] == [tuple(map(_utc, self.expected))]


def expressions(language: str) -> Iterator[Expression]:
    """Those of a language."""
    for reference, lines in TABLES[language].items():
        for line in lines.strip().splitlines():
            text, expected = re.split(r"\s{2,}", line)
            yield Expression(language=language, text=text, reference=reference, expected=expected)


def read(expression: Expression, zone: str) -> Reading:
    """Read an expression at its reference in a zone."""
    reference = datetime.fromisoformat(expression.reference).replace(tzinfo=ZoneInfo(zone))
    times = [time for time in find_times(expression.text, reference=reference) if isinstance(time, TimeRange)]
    found = tuple((time.start, time.end) for time in times)
    return Reading(expression=expression, zone=zone, expected=expected_range(expression.expected, reference), found=found)


def read_all() -> list[Reading]:
    """Every expression of both languages in every zone."""
    return [read(one, zone) for language in TABLES for one in expressions(language) for zone in ZONES]


def expected_range(written: str, reference: datetime) -> Range:
    """What a written range stands for at a reference, in its zone."""
    start, _, end = written.partition("/")
    if not end:
        day = datetime.fromisoformat(start)
        return day.replace(tzinfo=reference.tzinfo), (day + timedelta(days=1)).replace(tzinfo=reference.tzinfo)
    return _side(start, reference), _side(end, reference)


def table(readings: Sequence[Reading]) -> Table:
    """The share that was read right, by language and zone."""
    result = Table(title="time expressions read right", title_justify="left")
    result.add_column("language")
    result.add_column("expressions", justify="right")
    for zone in ZONES:
        result.add_column(zone, justify="right")
    for language in TABLES:
        ours = [one for one in readings if one.expression.language == language]
        shares = [[one.right for one in ours if one.zone == zone] for zone in ZONES]
        result.add_row(language, str(len(shares[0])), *(f"{sum(right) / len(right):.3f}" for right in shares))
    return result


def failures(readings: Sequence[Reading]) -> list[str]:
    """What was not read right, a line for each expression and the zones it failed in."""
    wrong: dict[Expression, list[Reading]] = {}
    for one in readings:
        if not one.right:
            wrong.setdefault(one.expression, []).append(one)
    return [
        f"{text.language} {text.text!r} at {text.reference}: expected {text.expected}, "
        f"found {'; '.join(map(_written, ours[0].found)) or 'nothing'} ({', '.join(one.zone for one in ours)})"
        for text, ours in wrong.items()
    ]


def _side(written: str, reference: datetime) -> datetime | None:
    if written == "..":
        return None
    if minutes := re.fullmatch(r"([+-]\d+)m", written):
        # In absolute time: two hours are two hours, whatever the clocks do.
        return reference.astimezone(UTC) + timedelta(minutes=int(minutes[1]))
    return datetime.fromisoformat(written).replace(tzinfo=reference.tzinfo)


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)


def _written(found: Range) -> str:
    return "/".join(".." if side is None else side.isoformat(timespec="minutes") for side in found)
