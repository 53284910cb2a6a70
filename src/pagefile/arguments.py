"""Checks what applications pass to the front door, so that a wrong argument is told by its name and nothing is half done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, tzinfo
from typing import Any, TypeVar, get_args

from pagefile.errors import InputError
from pagefile.intake import moment, name_to_keep
from pagefile.language.dates import parse_time
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.messages import Origin
from pagefile.parts import Parts
from pagefile.queries import ItemKind, Where
from pagefile.records import Kind, Polarity, Privacy, Record, Source, Status, Trust, identifier

T = TypeVar("T")

KINDS: tuple[Kind, ...] = get_args(Kind)
ITEM_KINDS: tuple[ItemKind, ...] = ("message", *KINDS)
STATUSES: tuple[Status, ...] = get_args(Status)
ORIGINS: tuple[Origin, ...] = get_args(Origin)
#: A point in time, as programs write it: to the second or finer, with its zone.
_EXACT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)", re.ASCII | re.IGNORECASE)


def text(value: object, what: str) -> str:
    """A text that is not empty, cleaned and stripped."""
    if not isinstance(value, str) or not (cleaned := clean(value).strip()):
        raise InputError(f"the {what} must be text that is not empty, not {value!r:.40}")
    return cleaned


def optional(value: str | None, what: str) -> str | None:
    """An identifier, or None."""
    return None if value is None else identifier(value, what)


def reason(value: object) -> str:
    """Why something is changed: it is kept, so without secrets."""
    return redact(text(value, "reason")).text


def listed(values: Iterable[T], what: str) -> list[T]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"give a list of {what}, not {values!r:.40}")
    return list(values)


def names(values: object, what: str) -> tuple[str, ...]:
    """Several identifiers. A single text is refused: taken for a list it would be its letters."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | set | frozenset):
        raise InputError(f"give a list of {what}s, not {values!r:.40}")
    return tuple(identifier(value, what) for value in values)


def one_of(value: object, what: str, known: Sequence[T]) -> T:
    for each in known:
        if value == each and type(value) is type(each):
            return each
    raise InputError(f"the {what} {value!r:.40} is not known; use one of {', '.join(map(str, known))}")


def some_of(values: object, what: str, known: Sequence[T]) -> tuple[T, ...]:
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | set | frozenset):
        raise InputError(f"give a list of {what}s, not {values!r:.40}; known are {', '.join(map(str, known))}")
    return tuple(one_of(value, what, known) for value in values)


def whole_number(value: object, what: str, *, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"{what} must be a whole number of at least {least}, not {value!r:.40}")
    return value


def one_trust(value: object) -> Trust:
    if not isinstance(value, Trust):
        raise InputError(f"a trust must be one of {', '.join(f'Trust.{each.name}' for each in Trust)}, not {value!r:.40}")
    return value


def consent(value: object) -> bool:
    """Whether personal identifiers may be learnt: only if somebody said so in this word."""
    return value is not None and one_of(value, "consent", ("explicit",)) == "explicit"


def edge(value: datetime | str, side: str, *, now: datetime, zone: tzinfo) -> datetime:
    """The start or end of a time: a datetime, or one as text with its zone, is both; words such as "last week" have two."""
    if not isinstance(value, str) or _EXACT.fullmatch(value.strip()):
        return moment(value, zone)
    found = parse_time(value, reference=now, zone=zone)
    at = found.start if side == "start" else found.end
    if at is None:
        raise InputError(f"{value!r:.80} has no {side}; give a time that has one, such as 'last week', 2026-05-24 or 上周三")
    return at


def day(value: date | str | None, what: str) -> date | None:
    """A calendar day: a date, or ISO 8601 text such as 2026-05-24."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip())
        except ValueError as error:
            raise InputError(f"the day {value!r:.40} of {what} cannot be read; give one such as 2026-05-24") from error
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    raise InputError(f"{what} must be a day such as 2026-05-24, not {value!r:.40}")


def past(
    statuses: object, as_of: datetime | str | None, known_at: datetime | str | None, *, history: bool, now: datetime, zone: tzinfo
) -> dict[str, Any]:
    """The filters of a look into the past."""
    wanted = some_of(statuses, "status", STATUSES)
    if history or as_of is not None or known_at is not None:
        wanted = tuple(dict.fromkeys((*wanted, "superseded")))
    then = None if as_of is None else edge(as_of, "end", now=now, zone=zone)
    return {
        "statuses": wanted,
        "as_of": then,
        # What has expired since was there then.
        "alive_at": then or now,
        "known_at": None if known_at is None else edge(known_at, "end", now=now, zone=zone),
    }


def where(
    parts: Parts,
    *,
    kinds: Sequence[ItemKind] | None,
    session: str | Sequence[str] | None,
    agent: str | None,
    speaker: str | None,
    tags: Sequence[str] | None,
    since: datetime | str | None,
    until: datetime | str | None,
    min_trust: Trust | None,
    statuses: object,
    as_of: datetime | str | None,
    known_at: datetime | str | None,
    history: bool,
) -> Where:
    """The filters of a search."""
    now, zone = parts.now(), parts.zone
    return Where(
        kinds=None if kinds is None else some_of(kinds, "kind", ITEM_KINDS),
        sessions=None if session is None else names([session] if isinstance(session, str) else session, "session"),
        agent=optional(agent, "agent"),
        speaker=optional(speaker, "speaker"),
        tags=None if tags is None else names(tags, "tag"),
        since=None if since is None else edge(since, "start", now=now, zone=zone),
        until=None if until is None else edge(until, "end", now=now, zone=zone),
        min_trust=None if min_trust is None else one_trust(min_trust),
        **past(statuses, as_of, known_at, history=history, now=now, zone=zone),
    )


def new_record(
    parts: Parts,
    fields: Mapping[str, Any],
    *,
    session: str | None = None,
    agent: str | None = None,
    trust: Trust,
    sources: Iterable[Source] = (),
) -> Record:
    """A record that an application writes."""
    return Record(
        id=parts.new_id(),
        learned_at=parts.now(),
        session=None if session is None else name_to_keep(session, "session"),
        agent=None if agent is None else name_to_keep(agent, "agent"),
        trust=one_trust(trust),
        sources=tuple(listed(sources, "sources")),
        **record_fields(fields, parts.zone),
    )


def record_fields(given: Mapping[str, Any], zone: tzinfo) -> dict[str, Any]:
    """Fields of a record that an application may give, checked. Raises InputError for one that is not known or of the wrong kind."""
    unknown = sorted(set(given) - set(_FIELDS))
    if unknown:
        raise InputError(f"a record has no field {', '.join(unknown)} to give; known are {', '.join(sorted(_FIELDS))}")
    return {name: _FIELDS[name](value, name, zone) for name, value in given.items()}


def _field_text(value: object, name: str, zone: tzinfo) -> str:
    return text(value, name)


def _optional_text(value: object, name: str, zone: tzinfo) -> str | None:
    return None if value is None else text(value, name)


def _field_names(value: object, name: str, zone: tzinfo) -> tuple[str, ...]:
    return names(value, name)


def _share(value: object, name: str, zone: tzinfo) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InputError(f"the {name} must be a number from 0 to 1, not {value!r:.40}")
    return float(value)


def _time(value: object, name: str, zone: tzinfo) -> datetime | None:
    return None if value is None else moment(value, zone)


def _flag(value: object, name: str, zone: tzinfo) -> bool:
    return one_of(value, name, (True, False))


def _word(known: Sequence[str]) -> Callable[[object, str, tzinfo], str]:
    return lambda value, name, zone: one_of(value, name, known)


_FIELDS: Mapping[str, Callable[[object, str, tzinfo], Any]] = {
    "text": _field_text,
    "kind": _word(KINDS),
    "subject": _optional_text,
    "attribute": _optional_text,
    "value": _optional_text,
    "polarity": _word(get_args(Polarity)),
    "tags": _field_names,
    "entities": _field_names,
    "confidence": _share,
    "importance": _share,
    "valid_from": _time,
    "valid_to": _time,
    "expires_at": _time,
    "privacy": _word(get_args(Privacy)),
    "pinned": _flag,
}
