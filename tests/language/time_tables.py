"""How the tables of time expressions are written and checked, in every zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pagefile.language.dates import TimeRange, find_times, parse_time

ZONES = ("Asia/Shanghai", "America/New_York", "UTC")
#: A Wednesday, half past ten in the morning.
REFERENCE = datetime(2024, 5, 15, 10, 30)


def expected_range(written: str, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """Read "2024-05-14" (a day), "2024-05-06/2024-05-13" (start/end, half-open) and "../2024-05-13" (open)."""
    start, _, end = written.partition("/")
    if not end:
        first = datetime.fromisoformat(start)
        return first.replace(tzinfo=zone), (first + timedelta(days=1)).replace(tzinfo=zone)
    first_moment, last_moment = (None if side == ".." else datetime.fromisoformat(side).replace(tzinfo=zone) for side in (start, end))
    return first_moment, last_moment


def check(text: str, expected: str, zone_name: str) -> None:
    """The text alone is read as the expected range; and found, as a whole, inside a sentence."""
    zone = ZoneInfo(zone_name)
    found = parse_time(text, reference=REFERENCE.replace(tzinfo=zone))
    assert (found.start, found.end) == expected_range(expected, zone)
    assert text[found.span[0] : found.span[1]] == found.text


def check_in_sentence(text: str, expected: list[str], **options: object) -> None:
    zone = ZoneInfo("UTC")
    found = find_times(text, reference=REFERENCE.replace(tzinfo=UTC), **options)  # type: ignore[arg-type]
    written = [(time.start, time.end) if isinstance(time, TimeRange) else time.text for time in found]
    assert written == [expected_range(each, zone) if re.match(r"[12][0-9]{3}-|\.\.", each) else each for each in expected]
