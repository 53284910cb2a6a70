"""Keys under which records are filed, and marks by which what was erased is known again. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC
from typing import NamedTuple, TypeAlias

from pagefile.language.chinese_forms import simplified
from pagefile.language.numerals import figures
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify
from pagefile.messages import Draft, Message
from pagefile.records import Polarity, Record

#: Bytes from which on words are taken to be the same message and no chance.
_TELLING = 20
#: Characters of an id from which on it names one message of all, as a UUID does.
_LONG_ID = 32
_BETWEEN = re.compile(r"[\W_]+")
#: What is not said aloud: all but letters, figures and decimal points.
_JOINTS = late_pattern(r"(?:(?!(?<=\d)\.\d)[\W_])+")
_Form: TypeAlias = Callable[[str], str]


class _Fact(NamedTuple):
    subject: str
    attribute: str
    value: str


def fact_key(subject: str, attribute: str) -> str:
    """Where all facts about one property of one person or thing are filed, whatever their values."""
    return f"fact\x1f{_plain(subject)}\x1f{_plain(attribute)}"


def text_key(text: str) -> str:
    """Where records that say the same words are filed: case, width, accents, blanks and punctuation do not count."""
    return _words(text, _plain)


def record_keys(record: Record) -> tuple[str, ...]:
    """All keys of a record: that of its text, and of its property if it is a fact with subject and attribute."""
    keys = (text_key(record.text),)
    return (fact_key(record.subject, record.attribute), *keys) if record.subject and record.attribute else keys


def marks(item: Record | Message | Draft) -> tuple[str, ...]:
    """What an item is known by after it was erased, in whatever script, figures and signs it is written.

    A record: its words, and its fact with value. A message: its words at its own time, and its words under the caller's id unless they
    are few, so that an old chat that is imported again is known, and the same words said anew are not. For a draft that is sent again with
    a history its words alone.
    """
    if isinstance(item, Record):
        return _record_marks(item.text, _told(item.subject, item.attribute, item.value), _bare, item.polarity)
    return _message_marks(item, _bare)


def known_by(item: Record | Message | Draft) -> tuple[str, ...]:
    """All marks that this may have been erased under: also those that earlier versions left in a file."""
    if isinstance(item, Record):
        return record_known_by(item.text, item.subject, item.attribute, item.value, item.polarity)
    return tuple(dict.fromkeys((*marks(item), *_message_marks(item, _plain))))


def append_mark(key: str, fingerprint: str) -> str:
    """What an append under a key is known by after something was erased that it wrote. ``fingerprint``: of what was to be written."""
    return f"append\x1f{key}\x1f{fingerprint}"


def reply_mark(key: str, fingerprint: str) -> str:
    """What a request under an idempotency key is known by after its reply was erased. ``fingerprint``: of what was asked."""
    return f"reply\x1f{key}\x1f{fingerprint}"


def record_known_by(text: str, subject: str | None, attribute: str | None, value: str | None, polarity: Polarity) -> tuple[str, ...]:
    """All marks that a record which says this may have been erased under."""
    fact = _told(subject, attribute, value)
    # Earlier versions told more ways of writing apart, and not what is affirmed from what is denied.
    return tuple(dict.fromkeys((*_record_marks(text, fact, _bare, polarity), *_record_marks(text, fact, _plain, ""))))


def _message_marks(item: Message | Draft, form: _Form) -> tuple[str, ...]:
    words = _words(item.text, form)
    said = f"said\x1f{item.role}\x1f{item.said_at.astimezone(UTC).isoformat()}\x1f{words}"
    again = [f"again\x1f{item.role}\x1f{words}"] if item.text.strip() and (isinstance(item, Message) or item.resent) else []
    # Ids such as "1" come again in other chats, and so do words such as "yes". A long id does not: it is of one message alone.
    if item.external_id is None or (len(item.text.encode("utf-8", "replace")) < _TELLING and len(item.external_id) < _LONG_ID):
        return (said, *again)
    return (said, f"id\x1f{item.role}\x1f{item.external_id}\x1f{words}", *again)


def _record_marks(text: str, fact: _Fact | None, form: _Form, polarity: str) -> tuple[str, ...]:
    if fact is None:
        return (_words(text, form),)
    told = f"value\x1ffact\x1f{form(fact.subject)}\x1f{form(fact.attribute)}\x1f{form(fact.value)}"
    return (_words(text, form), f"{told}\x1f{polarity}" if polarity else told)


def _told(subject: str | None, attribute: str | None, value: str | None) -> _Fact | None:
    return _Fact(subject, attribute, value) if subject and attribute and value else None


def _words(text: str, form: _Form) -> str:
    # A text of signs alone has no words: it is its own key.
    return f"text\x1f{form(text) or fold(text).strip()}"


def _plain(text: str) -> str:
    return _BETWEEN.sub(" ", fold(simplify(text))).strip()


def _bare(text: str) -> str:
    """The text without anything in which two ways of writing it differ: script, numerals, blanks, punctuation."""
    return _JOINTS.sub("", figures(simplified(fold(simplify(text)))))
