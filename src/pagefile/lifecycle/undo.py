"""Taking back what was changed, and all that was learnt from one place. Pure: histories in, changes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from pagefile.entities import Alias
from pagefile.errors import ConflictError
from pagefile.language.entities import entity_key
from pagefile.lifecycle.giving_way import Gone, hold_again
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Cause, Change, Edit, HistoryEntry, Merge, Record, Restore, Retire, Source, Split, Trust

#: What takes a change back.
Back: TypeAlias = Edit | Retire | Restore

_TIMES = frozenset({"valid_from", "valid_to", "learned_at", "retired_at", "said_at", "last_used_at", "expires_at"})
_NAMES = frozenset({"tags", "entities"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A record that cites messages that are taken back, with what gave way to it, and every change to it."""

    gone: Gone
    history: tuple[HistoryEntry, ...]
    #: When the messages that stay said it last; None: that is when it was last said.
    said_at: datetime | None = None

    @property
    def record(self) -> Record:
        return self.gone.record


def begins(entry: HistoryEntry) -> bool:
    """Whether a change makes something hold that did not, or not so: others may have given way to it."""
    if "status" in entry.after:
        return bool(entry.after["status"] == "current")
    return entry.change == "edit"


def ends(entry: HistoryEntry) -> bool:
    """Whether a record gave way to another one with this change."""
    return entry.change != "add" and entry.after.get("status") == "superseded"


def undo_name(entry: HistoryEntry, standing: Mapping[str, Alias], *, cause: Cause) -> tuple[Merge | Split, ...] | None:
    """The change that takes back a merge or a split of a name, none if it is taken back already; None: the entry is of something else.

    ``standing``: the merges that stand, by key. A store refuses the change with ConflictError if the name was merged into another one
    since.
    """
    if entry.change not in ("merge", "split"):
        return None
    told = entry.after if entry.change == "merge" else entry.before
    name, into = told["name"], told["into"]
    stands = standing.get(entity_key(name))
    if entry.change == "merge":
        return () if stands is None else (Split(target=name, into=into, cause=cause),)
    return () if stands and stands.into == entity_key(into) else (Merge(target=name, into=into, cause=cause),)


def undo(entry: HistoryEntry, item: Item, *, cause: Cause) -> tuple[Change, ...]:
    """The changes that take one change back; none if it is taken back already.

    ``item``: what was changed, as it is now. Raises ConflictError for what was changed again since.
    """
    if entry.change != "add":
        own = _back(entry, item, cause)
        return () if own is None else (own,)
    assert isinstance(item, Record)
    if item.status == "retired":
        return ()
    if item.status != entry.after["status"]:
        raise _changed_since("status", entry)
    return (Retire(target=entry.target, cause=cause),)


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
    gone, changes, weaker = list[Gone](), list[Change](), list[Gone]()
    for one in learnt:
        record = one.record
        if all(source.message in messages for source in record.sources):
            gone.append(one.gone)
            changes += [Retire(target=record.id, cause=cause)] if record.status != "retired" else []
            continue
        fields = _without(one, messages)
        changes.append(Edit(target=record.id, fields=fields, cause=cause, expected_version=record.version))
        if record.status == "current" and {"status", "said_at"} & fields.keys():
            weaker.append(replace(one.gone, record=replace(record, **fields)))
    return (*changes, *hold_again(gone, weaker=weaker, cause=cause))


def left_by_erasing(learnt: Sequence[Learnt], *, messages: Collection[str], cause: Cause) -> tuple[Change, ...]:
    """The changes of what stays when some messages are erased, as if nobody had sent them. ``learnt``: the records that cite them."""
    gone, changes, weaker = list[Gone](), list[Change](), list[Gone]()
    for one in learnt:
        record = one.record
        if _goes_with(record, messages):
            gone.append(one.gone)
        elif record.status == "current" and (fields := {n: v for n, v in _without(one, messages).items() if n in ("status", "said_at")}):
            changes.append(Edit(target=record.id, fields=fields, cause=cause))
            weaker.append(replace(one.gone, record=replace(record, **fields)))
    return (*changes, *hold_again(gone, weaker=weaker, cause=cause))


def read_again(learnt: Sequence[Learnt], *, messages: Collection[str]) -> tuple[str, ...]:
    """The messages that stay and are read again when these are erased, as a record goes that they said, too."""
    going = [one.record for one in learnt if one.record.status != "retired" and _goes_with(one.record, messages)]
    return tuple(dict.fromkeys(source.message for record in going for source in record.sources if source.message not in messages))


def _goes_with(record: Record, messages: Collection[str]) -> bool:
    """Whether a record is erased with these messages: what an extractor read has the words of the first, and is read again in others."""
    if record.extractor and record.sources[0].message in messages:
        return True
    return all(source.message in messages for source in record.sources)


def _without(learnt: Learnt, messages: Collection[str]) -> dict[str, Any]:
    """The fields of a record without some of its sources, and without the evidence and the confirmation that came with them."""
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
    return fields if learnt.said_at is None else fields | {"said_at": learnt.said_at}


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
