"""The Chinese calendar, 1980 to 2060, from the published month lengths."""

from __future__ import annotations

from datetime import datetime, timedelta

FIRST_YEAR, LAST_YEAR = 1980, 2060
FIRST_NEW_YEAR = datetime(1980, 2, 16)

# One number a year, five hexadecimal digits. The first digit is the month that a leap month follows (0: none). The lowest 13 bits
# of the others are the months in order, leap month included: 1 has 30 days, 0 has 29.
_WRITTEN = """
    012b6 00936 41497 01496 a164b 00d4a 00da8 615b4 0156c 012ae
    5092f 0092e 00c96 30d4a 01d4a 80d65 00b58 0156c 5126d 0125c
    0192c 41a95 01a94 01b4a 20b55 00ad4 7155b 004ba 0125a 5192b
    0152a 01694 416aa 015aa 90ab5 00974 014b6 60a57 00a56 01526
    40e95 00d54 015aa 209b5 0096c 614ae 0149c 01a4c 51d26 01aa6
    00b54 30d6a 012da b095d 0095a 0149a 61a4b 01a4a 01aa4 51b54
    016b4 00ada 2095b 00936 71497 01496 0154a 516a5 00da4 015b4
    30ab6 0126e 8092f 0092e 00c96 60d4a 01d4a 00d54 4156c 0155c
    0125c
"""
YEARS = tuple(int(year, 16) for year in _WRITTEN.split())


def _month_lengths(year: int) -> list[int]:
    code = YEARS[year - FIRST_YEAR]
    return [29 + (code >> (12 - place) & 1) for place in range(13 if code >> 16 else 12)]


def _new_years() -> dict[int, datetime]:
    starts = {FIRST_YEAR: FIRST_NEW_YEAR}
    for year in range(FIRST_YEAR, LAST_YEAR):
        starts[year + 1] = starts[year] + timedelta(days=sum(_month_lengths(year)))
    return starts


NEW_YEARS = _new_years()


def lunar_day(year: int, month: int, day: int) -> datetime | None:
    """The day of the common calendar on which a day of the Chinese year falls. None outside the table, or if there is none."""
    if year not in NEW_YEARS:
        return None
    lengths, leap = _month_lengths(year), YEARS[year - FIRST_YEAR] >> 16
    place = month - 1 + (1 if leap and month > leap else 0)
    if day > lengths[place]:
        return None
    return NEW_YEARS[year] + timedelta(days=sum(lengths[:place]) + day - 1)
