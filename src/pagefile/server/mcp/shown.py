"""What a model is shown of a memory: cut to a size in bytes, with a cursor for the rest. Pure."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, TypeVar

from pydantic import BaseModel

from pagefile.beliefs import Quote as Words
from pagefile.errors import ToolError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.messages import Message
from pagefile.prompts import Wording, words
from pagefile.queries import Item
from pagefile.records import HistoryEntry, Record
from pagefile.server.mcp.forms import Changed, Entry, Quote

B = TypeVar("B", bound=BaseModel)
T = TypeVar("T")

#: Bytes of one answer's JSON at most, whatever is remembered. Hosts cut or refuse long answers, and models read them badly.
MOST_BYTES = 16_000
#: Bytes of it that are not the list: messages, names, the cursor.
_FRAME_BYTES = 2_500
#: Characters of one text in a list, and of a reason.
_MOST_TEXT, _MOST_REASON = 1_500, 300


def size(value: BaseModel) -> int:
    """Bytes of a value as it is sent."""
    return len(value.model_dump_json(exclude_none=True).encode())


def fitting(items: Sequence[T], made: Callable[[T], B], room: int = MOST_BYTES - _FRAME_BYTES) -> list[B]:
    """As many of the items, from the first, as there is room for; at least one."""
    kept: list[B] = []
    used = 0
    for item in items:
        one = made(item)
        used += size(one) + 1
        if kept and used > room:
            break
        kept.append(one)
    return kept


# --- cursors -------------------------------------------------------------------------------------------------------------


def cursor(place: int | str, of: Mapping[str, Any]) -> str:
    """A cursor after a place in the answer to a question: it is good for the same question alone."""
    return base64.urlsafe_b64encode(json.dumps([place, _mark(of)]).encode()).decode().rstrip("=")


def place(given: str | None, of: Mapping[str, Any], start: T, wording: Wording) -> T:
    """The place that a cursor stands for. Raises ToolError."""
    if given is None:
        return start
    try:
        found, mark = json.loads(base64.urlsafe_b64decode(given.encode() + b"=" * (-len(given) % 4)))
    except (ValueError, TypeError, RecursionError) as error:
        raise ToolError(words("mcp", "wrong cursor", wording)) from error
    negative = isinstance(found, int) and found < 0
    if mark != _mark(of) or type(found) not in (int, str) or (isinstance(start, int) and type(found) is not int) or negative:
        raise ToolError(words("mcp", "wrong cursor", wording))
    place: T = found
    return place


def _mark(of: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(of, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:12]


# --- items ---------------------------------------------------------------------------------------------------------------


def item(kept: Item, zone: tzinfo, score: float | None = None) -> Entry:
    """A record or a message; with the score of a search that found it. Times are told in the zone."""
    text, cut = _short(kept.text)
    score = None if score is None else round(score, 3)
    trust = kept.trust.name.lower()
    common = {"id": kept.id, "text": text, "session": kept.session, "shortened": cut or None, "trust": trust, "score": score}
    if isinstance(kept, Message):
        said = {"kind": "message", "time": _told(kept.said_at, zone), "said_by": kept.speaker or kept.role}
        return Entry.model_validate({**common, **said})
    at = kept.valid_from or kept.said_at or kept.learned_at
    learnt = {"kind": kept.kind, "status": kept.status, "time": _told(at, zone), "said_by": kept.speaker}
    return Entry.model_validate({**common, **learnt, "tags": list(kept.tags) or None})


def quote(one: Words, zone: tzinfo) -> Quote:
    """Words that a record rests on."""
    text, cut = _short(one.text)
    message = one.message
    said_by = message.speaker or message.role
    time = _told(message.said_at, zone)
    return Quote(message=message.id, text=text, time=time, said_by=said_by, session=message.session, shortened=cut or None)


def change(entry: HistoryEntry, zone: tzinfo) -> Changed:
    """One change of a record."""
    before, after = (_text_of(each) for each in (entry.before, entry.after))
    reason = clean(entry.cause.reason)[:_MOST_REASON]
    time = _told(entry.cause.at, zone)
    return Changed(id=entry.id, change=entry.change, time=time, by=entry.cause.actor, reason=reason, before=before, after=after)


def line(record: Record) -> str:
    """A record in a line, for a model that has to choose."""
    return f"- {record.id}: {clean(record.text)[:200]}"


def _told(time: datetime, zone: tzinfo) -> str:
    return time.astimezone(zone).isoformat(timespec="seconds")


def _text_of(values: Mapping[str, Any]) -> str | None:
    text = values.get("text")
    return _short(text)[0] if isinstance(text, str) else None


def _short(text: str) -> tuple[str, bool]:
    """A text without secrets that came in before it was known how to find them, and not too long."""
    text = redact(clean(text)).text
    return (text, False) if len(text) <= _MOST_TEXT else (text[:_MOST_TEXT] + "…", True)
