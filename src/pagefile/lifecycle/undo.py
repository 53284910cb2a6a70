"""Taking back what was changed, and all that was learnt from one place. Pure: histories in, changes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from pagefile.errors import ConflictError
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Cause, Change, Edit, HistoryEntry, Record, Restore, Retire, Source, Trust

#: What takes a change back.
Back: TypeAlias = Edit | Retire | Restore

_TIMES = frozenset({"valid_from", "valid_to", "learned_at", "retired_at", "said_at", "last_used_at", "expires_at"})
_NAMES = frozenset({"tags", "entities"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GaveWay:
    """A record that no longer holds because of another one, and the change by which it gave way."""

    record: Record
    entry: HistoryEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A record that is to be forgotten with its sources, every change to it, and what gave way to it."""

    record: Record
    history: tuple[HistoryEntry, ...]
    gave_way: tuple[GaveWay, ...]


def begins(entry: HistoryEntry) -> bool:
    """Whether a change makes something hold that did not, or not so: others may have given way to it."""
    if "status" in entry.after:
        return bool(entry.after["status"] == "current")
    return entry.change == "edit"


def ends(entry: HistoryEntry) -> bool:
    """Whether a record gave way to another one with this change."""
    return entry.change != "add" and entry.after.get("status") == "superseded"


def undo(entry: HistoryEntry, item: Item, *, gave_way: Sequence[GaveWay] = (), cause: Cause) -> tuple[Change, ...]:
    """The changes that take one change back, and let hold again what gave way to it; none if it is taken back already.

    ``item``: what was changed, as it is now. Raises ConflictError for what was changed again since.
    """
    back = [change for each in gave_way if (change := _back(each.entry, each.record, cause))]
    if entry.change != "add":
        own = _back(entry, item, cause)
        return (own, *back) if own is not None else tuple(back)
    assert isinstance(item, Record)
    if item.status == "retired":
        return tuple(back)
    if item.status != entry.after["status"]:
        raise _changed_since("status", entry)
    return (Retire(target=entry.target, cause=cause), *back)


def before(entry: HistoryEntry, record: Record) -> Record:
    """A record as it was before a change."""
    return replace(record, **{name: value for name, value in _values(entry.before).items() if name != "version"})


def _back(entry: HistoryEntry, item: Item, cause: Cause) -> Back | None:
    """The change that gives an item the values it had before; None: it has them."""
    was, became = _values(entry.before), _values(entry.after)
    fields = {name: was.get(name) for name in became if name != "version"}
    if all(getattr(item, name) == value for name, value in fields.items()):
        return None
    for name in fields:
        if getattr(item, name) != became[name]:
            raise _changed_since(name, entry)
    if entry.change == "retire" and isinstance(item, Message):
        return Restore(target=entry.target, cause=cause)
    if entry.change == "restore" and isinstance(item, Message):
        return Retire(target=entry.target, cause=cause)
    if entry.change in ("supersede", "retire") and fields.get("status") == "current":
        # A store lets nothing come back in this way that was erased.
        return Restore(target=entry.target, cause=cause)
    return Edit(target=entry.target, fields=fields, cause=cause)


def _changed_since(name: str, entry: HistoryEntry) -> ConflictError:
    return ConflictError(f"the {name} of {entry.target!r} was changed again since; take back the later change first")


# --- all that was learnt from some messages ----------------------------------------------------------------------------------


def revert(learnt: Sequence[Learnt], *, messages: Collection[str], cause: Cause) -> tuple[Change, ...]:
    """The changes that forget what was learnt from some messages.

    ``learnt``: the records that cite them. One that rests on other messages too only loses these sources, with what they counted for; one
    that does not is retired, and what gave way to it holds again.
    """
    going = _going(learnt, messages)
    changes: list[Change] = []
    for one in learnt:
        if one.record.id not in going:
            changes.append(_without(one, messages, cause))
        elif one.record.status != "retired":
            changes.append(Retire(target=one.record.id, cause=cause))
    return (*changes, *hold_again(learnt, messages=messages, cause=cause))


def hold_again(learnt: Sequence[Learnt], *, messages: Collection[str], cause: Cause) -> tuple[Back, ...]:
    """The changes that let hold again what gave way to records that rest on these messages alone, as if nobody had sent them."""
    going = _going(learnt, messages)
    # Unless something that stays has taken the place of such a record.
    free = {each.record.id for one in learnt if one.record.id in going for each in one.gave_way}
    free |= {one.record.id for one in learnt if one.record.status == "current"}
    back: dict[str, Back] = {}
    for one in learnt:
        for each in one.gave_way if one.record.id in going & free else ():
            if each.record.id not in going and (change := _back(each.entry, each.record, cause)):
                back[each.record.id] = change
    return tuple(back.values())


def _going(learnt: Sequence[Learnt], messages: Collection[str]) -> set[str]:
    return {one.record.id for one in learnt if all(source.message in messages for source in one.record.sources)}


def _without(learnt: Learnt, messages: Collection[str], cause: Cause) -> Edit:
    """The record without some of its sources, and without the evidence and the confirmation that came with them."""
    record, fields, evidence = learnt.record, dict[str, Any](), 0
    confirmed: set[datetime] = set()
    for entry in learnt.history:
        was, became = _values(entry.before), _values(entry.after)
        new = set(became.get("sources", ())) - set(was.get("sources", ()))
        if entry.change in ("add", "reinforce") and new and all(source.message in messages for source in new):
            evidence += became.get("evidence_count", 0) - was.get("evidence_count", 0)
            confirmed.add(entry.cause.at)
    for entry in learnt.history:
        if record.status == "current" and entry.before.get("status") == "pending" and entry.cause.at in confirmed:
            fields["status"] = "pending"
    fields["sources"] = tuple(source for source in record.sources if source.message not in messages)
    fields["evidence_count"] = max(1, record.evidence_count - evidence)
    return Edit(target=record.id, fields=fields, cause=cause, expected_version=record.version)


# --- values of a history entry as items have them ------------------------------------------------------------------------------


def _values(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(name, value) for name, value in fields.items()}


def _value(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _TIMES:
        return datetime.fromisoformat(value)
    if name in _NAMES:
        return tuple(value)
    if name == "outdated":
        return tuple((start, end) for start, end in value)
    if name == "trust":
        return Trust[value.upper()]
    if name == "sources":
        return tuple(_source(each) for each in value)
    return value


def _source(value: Mapping[str, Any]) -> Source:
    span = value.get("span")
    return Source(message=value["message"], span=None if span is None else (span[0], span[1]), external_id=value.get("external_id"))
