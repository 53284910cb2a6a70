"""Keys under which records are filed, and marks by which what was erased is known again. Pure."""

from __future__ import annotations

import re
from datetime import UTC

from pagefile.language.text import fold, simplify
from pagefile.messages import Draft, Message
from pagefile.records import Record

#: Bytes from which on words are taken to be the same message and no chance.
_TELLING = 20
_BETWEEN = re.compile(r"[\W_]+")


def fact_key(subject: str, attribute: str) -> str:
    """Where all facts about one property of one person or thing are filed, whatever their values."""
    return f"fact\x1f{_plain(subject)}\x1f{_plain(attribute)}"


def text_key(text: str) -> str:
    """Where records that say the same words are filed: case, width, accents, blanks and punctuation do not count."""
    # A text of signs alone has no words: it is its own key.
    return f"text\x1f{_plain(text) or fold(text).strip()}"


def record_keys(record: Record) -> tuple[str, ...]:
    """All keys of a record: that of its text, and of its property if it is a fact with subject and attribute."""
    keys = (text_key(record.text),)
    return (fact_key(record.subject, record.attribute), *keys) if record.subject and record.attribute else keys


def marks(item: Record | Message | Draft) -> tuple[str, ...]:
    """What an item is known by after it was erased.

    A record: its words, and its fact with value. A message: its words at its own time, and its words under the caller's id unless they
    are few, so that an old chat that is imported again is known, and the same words said anew are not.
    """
    if isinstance(item, Record):
        return record_marks(item.text, item.subject, item.attribute, item.value)
    words = text_key(item.text)
    said = f"said\x1f{item.role}\x1f{item.said_at.astimezone(UTC).isoformat()}\x1f{words}"
    # Ids such as "1" come again in other chats, and so do words such as "yes".
    if item.external_id is None or len(item.text.encode("utf-8", "replace")) < _TELLING:
        return (said,)
    return (said, f"id\x1f{item.role}\x1f{item.external_id}\x1f{words}")


def record_marks(text: str, subject: str | None, attribute: str | None, value: str | None) -> tuple[str, ...]:
    """The marks of a record that says this."""
    if not (subject and attribute and value):
        return (text_key(text),)
    return (text_key(text), f"value\x1f{fact_key(subject, attribute)}\x1f{_plain(value)}")


def _plain(text: str) -> str:
    return _BETWEEN.sub(" ", fold(simplify(text))).strip()
