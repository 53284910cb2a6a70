"""What is kept, as it reads in a cell of a table or on a line of its own. Pure: values in, text out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any

from pagefile.language.text import language_of
from pagefile.records import HistoryEntry, Record

#: A value in a description of a change is cut after so many characters.
_LONGEST = 120
#: Fields whose change says nothing to a person.
_DULL = frozenset({"version", "retired_at", "said_at", "sources", "learned_at", "extractor", "outdated"})
_DAYS = frozenset({"valid_from", "valid_to"})


def fact(record: Record) -> str:
    """What a record says of whom: "user · residence: Shenzhen"; only its kind if it is a sentence and no fact about a property."""
    if record.subject is None or record.attribute is None or record.value is None:
        return record.kind
    # The value of such a sentence is the sentence.
    if record.value == record.text:
        return f"{record.subject} · {record.attribute}"
    denied = "not " if record.polarity == "negative" else ""
    return f"{record.subject} · {record.attribute}: {denied}{record.value}"


def period(record: Record, zone: tzinfo) -> str:
    """The days on which a record holds: "2026-05-01 –", "2026-05-01 – 2026-05-31"."""
    start, end = record.valid_from or record.learned_at, record.valid_to
    first = start.astimezone(zone).date()
    if end is None:
        return f"{first}" if record.kind == "event" else f"{first} –"
    if end <= start:
        return f"{first} (never held)"
    last = (end - timedelta(microseconds=1)).astimezone(zone).date()
    return f"{first}" if last == first else f"{first} – {last}"


def course(records: Sequence[Record], zone: tzinfo) -> str:
    """A timeline on one line: "minimalist (May 2026) → vintage (June 2026)", 极简（2026年5月） → 复古（2026年6月）."""
    starts = [(record.valid_from or record.learned_at).astimezone(zone) for record in records]
    months = [(start.year, start.month) for start in starts]
    steps = []
    for record, start, month in zip(records, starts, months, strict=True):
        by_day = months.count(month) > 1
        value = ("not " if record.polarity == "negative" else "") + (record.value or record.text)
        if language_of(value) == "zh":
            steps.append(f"{value}（{start.year}年{start.month}月{f'{start.day}日' if by_day else ''}）")
        else:
            steps.append(f"{value} ({f'{start.day} ' if by_day else ''}{_MONTHS[start.month - 1]} {start.year})")
    return " → ".join(steps)


#: Not strftime: that follows the locale.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def changed(entry: HistoryEntry) -> str:
    """What a change did: the text that was added, or each field before and after; empty if none of these says anything to a person."""
    if entry.change in ("merge", "split"):
        return " = ".join((entry.after or entry.before).values())
    if not entry.before:
        return str(entry.after.get("text", ""))
    names = [name for name in entry.after if name not in _DULL]
    return "; ".join(f"{name}: {_value(name, entry.before.get(name))} → {_value(name, entry.after[name])}" for name in names)


def pairs(values: Mapping[str, Any]) -> str:
    """Parameters or results of an operation: "retrieved=3 tokens=80"; of a list only how long it is."""
    return " ".join(f"{name}={_counted(value)}" for name, value in values.items())


def _counted(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{number}" for name, number in value.items())
    return str(len(value)) if isinstance(value, list | tuple) else _short(value)


def _value(name: str, value: Any) -> str:
    return value[:10] if name in _DAYS and isinstance(value, str) else _short(value)


def _short(value: Any) -> str:
    if value is None or value == () or value == []:
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def moment(value: datetime, zone: tzinfo) -> str:
    """In the user's zone, with its offset, so that no two clocks are mixed."""
    shown = value.astimezone(zone)
    offset = shown.strftime("%z")
    return shown.strftime("%Y-%m-%d %H:%M ") + (offset[:3] if offset.endswith("00") else f"{offset[:3]}:{offset[3:5]}")
