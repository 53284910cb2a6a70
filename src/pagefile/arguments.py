"""Checks what applications pass to the front door, so that a wrong argument is told by its name and nothing is half done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, TypeVar, get_args

from pagefile.errors import InputError
from pagefile.intake import moment
from pagefile.language.dates import parse_time
from pagefile.language.text import clean
from pagefile.messages import Origin
from pagefile.queries import ItemKind
from pagefile.records import Kind, Polarity, Privacy, Status, Trust, identifier

T = TypeVar("T")

KINDS: tuple[Kind, ...] = get_args(Kind)
ITEM_KINDS: tuple[ItemKind, ...] = ("message", *KINDS)
STATUSES: tuple[Status, ...] = get_args(Status)
ORIGINS: tuple[Origin, ...] = get_args(Origin)


def text(value: object, what: str) -> str:
    """A text that is not empty, cleaned and stripped."""
    if not isinstance(value, str) or not (cleaned := clean(value).strip()):
        raise InputError(f"the {what} must be text that is not empty, not {value!r:.40}")
    return cleaned


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


def trust(value: object) -> Trust:
    if not isinstance(value, Trust):
        raise InputError(f"a trust must be one of {', '.join(f'Trust.{each.name}' for each in Trust)}, not {value!r:.40}")
    return value


def consent(value: object) -> bool:
    """Whether personal identifiers may be learnt: only if somebody said so in this word."""
    return value is not None and one_of(value, "consent", ("explicit",)) == "explicit"


def edge(value: datetime | str, side: str, *, now: datetime, zone: tzinfo) -> datetime:
    """The start or end of a time: a datetime is both, words such as "last week" have two."""
    if not isinstance(value, str):
        return moment(value, zone)
    found = parse_time(value, reference=now, zone=zone)
    at = found.start if side == "start" else found.end
    if at is None:
        raise InputError(f"{value!r:.80} has no {side}; give a time that has one, such as 'last week', 2026-05-24 or 上周三")
    return at


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
