"""What each change makes of the record, block or message it is applied to. Pure functions: stores load, call one of these, and save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from pagefile.errors import ConflictError, InputError
from pagefile.messages import Message
from pagefile.records import Block, Cause, Edit, HistoryEntry, Record, Reinforce, Source, Status, Supersede, Trust
from pagefile.stores.rules import check_block, check_indexing, check_record, check_sources, check_time

#: Fields that name a thing; they never change.
_RECORD_IDENTITY = frozenset({"id", "version"})
_BLOCK_IDENTITY = frozenset({"label", "agent", "version"})
#: How the history's name of a block begins.
_BLOCK = "block:"
#: The statuses of what no longer counts, and how far each is from it.
_PUT_AWAY: Mapping[str, int] = {"superseded": 1, "retired": 2}
_CURRENT: Mapping[str, Any] = {"status": "current", "retired_at": None}


def block_target(label: str, agent: str | None) -> str:
    """How history names a block: "block:label", or "block:agent/label". A "/" or "%" within either is written %2F or %25."""
    # Unescaped, agent "a" with label "b/c" would share a name with agent "a/b" and label "c".
    parts = [label] if agent is None else [agent, label]
    return _BLOCK + "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)


def block_named(target: str) -> tuple[str, str | None] | None:
    """The label and the agent of a block, by its name in the history; None: it is the name of something else."""
    if not target.startswith(_BLOCK):
        return None
    *agent, label = (part.replace("%2F", "/").replace("%25", "%") for part in target.removeprefix(_BLOCK).split("/"))
    return label, agent[0] if agent else None


def reinforced(record: Record, change: Reinforce) -> Record:
    """Said once more: one more piece of evidence, sources merged without repetition. The record itself where that changes nothing."""
    check_sources(change.sources)
    known = record.said_at or record.learned_at
    if change.said_at is not None:
        check_time(change.said_at, "said_at")
    made = replace(
        record,
        evidence_count=record.evidence_count + change.counts,
        sources=(*record.sources, *(source for source in dict.fromkeys(change.sources) if source not in record.sources)),
        said_at=change.said_at if change.said_at is not None and change.said_at > known else record.said_at,
    )
    if made == record:
        return record
    check_record(made)
    return replace(made, version=record.version + 1)


def superseded(record: Record, change: Supersede) -> Record:
    """The old record: out of recall, with an end to its validity. Raises ConflictError if it was replaced or retired already."""
    if record.status not in ("current", "pending"):
        raise ConflictError(
            f"record {record.id!r} is {record.status} already, so {change.item.id!r} cannot replace it; "
            "look it up again and replace the one that is current"
        )
    made = replace(
        record,
        status="superseded",
        valid_to=change.valid_to or change.item.valid_from or change.cause.at,
        retired_at=change.cause.at,
        version=record.version + 1,
    )
    check_record(made)
    return made


def successor(change: Supersede) -> Record:
    """The new record, with its link to the old one."""
    return replace(change.item, supersedes=change.target)


def edited_record(record: Record, change: Edit) -> Record:
    """The record with new values. Raises InputError (unknown or fixed field, bad value, no indexing for a new text) or ConflictError."""
    _check_names(change, {each.name for each in fields(Record)} - _RECORD_IDENTITY, "record")
    _check_version(change, record.version)
    made = replace(record, **_as_kept(change.fields), version=record.version + 1)
    check_record(made)
    if made.text != record.text and change.indexing is None:
        raise InputError(f"the text of record {record.id!r} changes, so the edit needs an ``indexing`` of the new text")
    if change.indexing is not None:
        check_indexing(change.indexing)
    return made


def edited_block(block: Block, change: Edit) -> Block:
    """The block with new values. Raises InputError or ConflictError."""
    _check_names(change, {each.name for each in fields(Block)} - _BLOCK_IDENTITY, "block")
    _check_version(change, block.version)
    made = replace(block, **change.fields, version=block.version + 1)
    check_block(made)
    return made


def edited_message(message: Message, change: Edit) -> Message:
    """The message, hidden or with parts of it marked because what was learnt from it no longer holds, or shown again. Raises InputError
    for anything else."""
    _check_names(change, {"superseded", "outdated"}, "message")
    if change.indexing is not None or change.expected_version is not None:
        raise InputError(f"message {message.id!r} is never rewritten: an edit of it takes neither ``indexing`` nor ``expected_version``")
    made = replace(message, **_as_kept(change.fields))
    if not isinstance(made.superseded, bool):
        raise InputError(f"superseded must be True or False, not {made.superseded!r:.60}")
    if not isinstance(made.outdated, tuple) or not all(_is_span(each, len(message.text)) for each in made.outdated):
        raise InputError(f"outdated must be ranges within the text of the message, not {made.outdated!r:.60}")
    return replace(made, outdated=tuple((start, end) for start, end in made.outdated))


def _is_span(value: object, length: int) -> bool:
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(each, int) and not isinstance(each, bool) for each in value)
        and 0 <= value[0] < value[1] <= length
    )


def says_otherwise(before: Record, after: Record) -> bool:
    """Whether an edit changes what a record says, so that it may say again what was erased."""
    return any(getattr(before, name) != getattr(after, name) for name in ("text", "subject", "attribute", "value"))


def retired_record(record: Record, cause: Cause) -> Record:
    if record.status == "retired":
        return record
    return replace(record, status="retired", retired_at=cause.at, version=record.version + 1)


def restored_record(record: Record, history: Sequence[HistoryEntry]) -> Record:
    """The record as it stood before it was retired or superseded, by its history; the record itself if neither was done.

    What was pending is pending again, and what was superseded before it was retired is superseded. Where the history does not tell, the
    record is current.
    """
    if record.status not in _PUT_AWAY:
        return record
    was: Mapping[str, Any] = next((each.before for each in reversed(history) if _puts_away(each, record.status)), _CURRENT)
    times: dict[str, Any] = {
        name: datetime.fromisoformat(was[name]) if was[name] else None for name in ("valid_to", "retired_at") if name in was
    }
    return replace(record, status=was["status"], version=record.version + 1, **times)


def _puts_away(entry: HistoryEntry, status: Status) -> bool:
    """Whether a change took a record out of what counts and gave it this status; one that brings it back may give it this one, too."""
    if entry.after.get("status") != status or "status" not in entry.before:
        return False
    return _PUT_AWAY.get(entry.before["status"], 0) < _PUT_AWAY[status]


def differences(before: Record | Block | Message | None, after: Record | Block | Message) -> tuple[dict[str, Any], dict[str, Any]]:
    """The changed fields before and after, JSON-ready. For an addition: nothing, and all fields that have a value."""
    new = {each.name: getattr(after, each.name) for each in fields(after)}
    if before is None:
        return {}, {name: as_json(value) for name, value in new.items() if value not in (None, ())}
    old = {each.name: getattr(before, each.name) for each in fields(before)}
    changed = [name for name in new if new[name] != old[name]]
    return {name: as_json(old[name]) for name in changed}, {name: as_json(new[name]) for name in changed}


def as_json(value: object) -> Any:
    """A field's value in JSON's types: times in ISO 8601, trust by name, sources as dictionaries."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Trust):
        return value.name.lower()
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    if isinstance(value, Source):
        return {each.name: as_json(getattr(value, each.name)) for each in fields(value) if getattr(value, each.name) is not None}
    return value


def _as_kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of an edit as a record keeps them: lists become tuples, and a number becomes the trust it stands for."""
    kept: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    if "trust" in kept:
        try:
            kept["trust"] = Trust(kept["trust"])
        except ValueError as error:
            raise InputError(f"trust must be one of {', '.join(each.name for each in Trust)}, not {kept['trust']!r:.60}") from error
    return kept


def _check_names(change: Edit, allowed: set[str], what: str) -> None:
    unknown = sorted(set(change.fields) - allowed)
    if unknown:
        raise InputError(f"a {what} has no field {unknown[0]!r:.60} that can be edited; there are {', '.join(sorted(allowed))}")


def _check_version(change: Edit, version: int) -> None:
    if change.expected_version is not None and change.expected_version != version:
        raise ConflictError(
            f"{change.target!r} has version {version}, not {change.expected_version}: "
            "it was changed in between; look it up again before you change it"
        )
