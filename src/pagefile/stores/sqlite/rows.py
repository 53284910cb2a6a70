"""Between the values of the package and the rows of the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, get_args

from pagefile.messages import Draft, Message, Role, SessionInfo, ToolCall
from pagefile.ports import Job, Operation
from pagefile.queries import ItemKind, Where
from pagefile.records import Block, Cause, HistoryEntry, Kind, Record, Scope, Source, TaskState, Trust
from pagefile.stores.changes import as_json
from pagefile.stores.rules import item_time, item_tokens, json_text

Row: TypeAlias = tuple[Any, ...]
Parameters: TypeAlias = dict[str, Any]

#: The numbers that stand for these words in the file are their places here. Only ever add at the end.
KINDS: tuple[ItemKind, ...] = ("message", *get_args(Kind))
ROLES: tuple[str, ...] = get_args(Role)
STATUSES: tuple[str, ...] = ("current", "pending", "superseded", "retired")
CURRENT, SUPERSEDED, RETIRED = (STATUSES.index(status) for status in ("current", "superseded", "retired"))
#: A message that is superseded and retired: the two are flags of their own, and restoring it brings back the other one.
BOTH = len(STATUSES)
#: Higher than any number in the file.
LAST = 2**63 - 1

#: What a message has of its draft.
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
#: Fields of a record that are kept in columns of their own, as they change often.
_COUNTERS = ("use_count", "last_used_at")
_TIMES = ("valid_from", "valid_to", "learned_at", "retired_at", "said_at", "expires_at")


def microseconds(time: datetime) -> int:
    """Since 1970 in UTC, exactly."""
    return (time - _EPOCH) // _MICROSECOND


def maybe_microseconds(time: datetime | None) -> int | None:
    return None if time is None else microseconds(time)


def from_microseconds(count: int) -> datetime:
    return _EPOCH + count * _MICROSECOND


def now_us() -> int:
    return microseconds(datetime.now(UTC))


def _maybe_json(value: Sequence[Any] | None) -> str | None:
    return json.dumps(value, ensure_ascii=False) if value else None


# --- messages ---


def message_row(scope: int, item: int, draft: Draft, terms: bytes | None) -> Parameters:
    calls = [[call.id, call.name, call.arguments] for call in draft.tool_calls]
    return {
        "scope": scope,
        "item": item,
        "text": draft.text,
        "parts": None if draft.parts is None else json_text(draft.parts, "parts of the message"),
        "tool_calls": _maybe_json(calls),
        "tool_call_id": draft.tool_call_id,
        "said_at": draft.said_at.isoformat(),
        "recorded_at": draft.recorded_at.isoformat(),
        "external_id": draft.external_id,
        "origin": draft.origin,
        "consent": draft.consent,
        "learnable": draft.learnable,
        "terms": terms,
    }


def message_of_row(row: Row) -> Message:
    _, id, session, seq, role, text, parts, calls, tool_call_id, speaker, agent, said, recorded, tokens, external_id, *rest = row
    origin, consent, outdated, learnable, status = rest
    return Message(
        id=id,
        session=session,
        seq=seq,
        role=ROLES[role],  # type: ignore[arg-type]  # the words of the type, by their places
        text=text,
        parts=None if parts is None else tuple(json.loads(parts)),
        tool_calls=() if calls is None else tuple(ToolCall(id=call[0], name=call[1], arguments=call[2]) for call in json.loads(calls)),
        tool_call_id=tool_call_id,
        speaker=speaker,
        agent=agent,
        said_at=datetime.fromisoformat(said),
        recorded_at=datetime.fromisoformat(recorded),
        tokens=tokens,
        external_id=external_id,
        origin=origin,
        consent=bool(consent),
        learnable=bool(learnable),
        retired=status in (RETIRED, BOTH),
        superseded=status in (SUPERSEDED, BOTH),
        outdated=() if outdated is None else tuple((start, end) for start, end in json.loads(outdated)),
    )


def message_status(message: Message) -> int:
    if message.retired:
        return BOTH if message.superseded else RETIRED
    return SUPERSEDED if message.superseded else CURRENT


def message_statuses(statuses: Sequence[str]) -> list[int]:
    """The statuses of messages that pass: all but those that something hides which is not listed."""
    if not statuses:
        return []
    hidden = {code for name, code in (("superseded", SUPERSEDED), ("retired", RETIRED)) if name not in statuses}
    return [code for code in (CURRENT, SUPERSEDED, RETIRED, BOTH) if code not in hidden and not (code == BOTH and hidden)]


def message_item_row(message: Message) -> Parameters:
    """A message as search and filters see it, but for its numbers and its index."""
    return {
        "id": message.id,
        "kind": 0,
        "seq": message.seq,
        "role": ROLES.index(message.role),
        "speaker": message.speaker,
        "agent": message.agent,
        "time_us": microseconds(message.said_at),
        "tokens": message.tokens,
        "trust": int(message.trust),
        "status": message_status(message),
        "confidence": 1.0,
        "importance": 0.5,
        "use_count": 0,
        "pinned": False,
        "expires_us": None,
        "tags": None,
        "until_us": None,
        "learned_us": microseconds(message.recorded_at),
        "retired_us": None,
    }


def session_of_row(row: Row) -> SessionInfo:
    _, name, messages, last_seq, window_start, summary, summarised_to, first, last = row
    return SessionInfo(
        session=name,
        messages=messages,
        last_seq=last_seq,
        first_said_at=datetime.fromisoformat(first),
        last_said_at=datetime.fromisoformat(last),
        window_start=window_start,
        summary=summary,
        summarised_to=summarised_to,
    )


# --- records and blocks ---


def record_row(record: Record) -> Parameters:
    """A record's text and all that belongs to it, but for its numbers."""
    values = {each.name: getattr(record, each.name) for each in fields(record) if each.name not in _COUNTERS}
    body = {name: as_json(value) for name, value in values.items() if value not in (None, ())}
    return {
        "body": json_text(body, "record"),
        "use_count": record.use_count,
        "last_used_at": record.last_used_at.isoformat() if record.last_used_at else None,
    }


def record_of_row(row: Row) -> Record:
    _, body, use_count, last_used_at = row
    values: dict[str, Any] = json.loads(body)
    for name in _TIMES:
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    values["trust"] = Trust[values["trust"].upper()]
    values["sources"] = tuple(_source(each) for each in values.get("sources", ()))
    for name in ("tags", "entities"):
        values[name] = tuple(values.get(name, ()))
    return Record(**values, use_count=use_count, last_used_at=datetime.fromisoformat(last_used_at) if last_used_at else None)


def _source(values: Mapping[str, Any]) -> Source:
    span = values.get("span")
    return Source(message=values["message"], span=None if span is None else (span[0], span[1]), external_id=values.get("external_id"))


def record_item_row(record: Record) -> Parameters:
    """A record as search and filters see it, but for its numbers and its index."""
    return {
        "id": record.id,
        "kind": KINDS.index(record.kind),
        "seq": None,
        "role": None,
        "speaker": record.speaker,
        "agent": record.agent,
        "time_us": microseconds(item_time(record)),
        "tokens": item_tokens(record),
        "trust": int(record.trust),
        "status": STATUSES.index(record.status),
        "confidence": record.confidence,
        "importance": record.importance,
        "use_count": record.use_count,
        "pinned": record.pinned,
        "expires_us": maybe_microseconds(record.expires_at),
        "tags": _maybe_json(record.tags),
        "until_us": maybe_microseconds(record.valid_to),
        "learned_us": microseconds(record.learned_at),
        "retired_us": maybe_microseconds(record.retired_at),
    }


def block_row(block: Block) -> Parameters:
    return {each.name: getattr(block, each.name) for each in fields(block)} | {"agent": block.agent or ""}


def block_of_row(row: Row) -> Block:
    label, agent, text, description, token_limit, read_only, version = row
    return Block(
        label=label,
        agent=agent or None,
        text=text,
        description=description,
        token_limit=token_limit,
        read_only=bool(read_only),
        version=version,
    )


def blocks_of_rows(rows: Iterable[Row]) -> tuple[Block, ...]:
    """An agent's own comes after the shared one of the same label, and takes its place."""
    return tuple({row[0]: block_of_row(row) for row in rows}.values())


def history_of_row(row: Row) -> HistoryEntry:
    entry, target, change, before, after, actor, reason, at = row
    return HistoryEntry(
        id=str(entry),
        target=target,
        change=change,
        before=json.loads(before),
        after=json.loads(after),
        cause=Cause(actor=actor, reason=reason, at=datetime.fromisoformat(at)),
    )


# --- jobs, tasks, operations ---


def job_of_row(row: Row) -> Job:
    job, tenant, user, kind, payload, state, attempts, ready_us, created_us, error = row
    return Job(
        id=str(job),
        scope=Scope(tenant, user),
        kind=kind,
        payload=json.loads(payload),
        state=state,
        attempts=attempts,
        ready_at=from_microseconds(ready_us),
        created_at=from_microseconds(created_us),
        error=error,
    )


def task_of_row(row: Row) -> TaskState:
    key, value, step, updated_at, expires_at = row
    return TaskState(
        key=key,
        value=json.loads(value),
        step=step,
        updated_at=datetime.fromisoformat(updated_at),
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
    )


def operation_of_row(row: Row) -> Operation:
    _, kind, parameters, result, at, session, items = row
    return Operation(
        kind=kind,
        parameters=json.loads(parameters),
        result=json.loads(result),
        at=datetime.fromisoformat(at),
        session=session,
        items=() if items is None else tuple(json.loads(items)),
    )


# --- filters ---


def filter_parameters(where: Where, sessions: Mapping[str, int]) -> Parameters:
    """The ``filters`` fragment's parameters. ``sessions``: name → number of the sessions that the filters name and the scope has."""
    record_statuses = [STATUSES.index(status) for status in where.statuses if status in STATUSES]
    window = where.not_in_window
    return {
        "kinds": _numbers(where.kinds, KINDS),
        "sessions": None if where.sessions is None else json.dumps([sessions[name] for name in where.sessions if name in sessions]),
        "agent": where.agent,
        "speaker": where.speaker,
        "roles": _numbers(where.roles, ROLES),
        "tags": None if where.tags is None else json.dumps(where.tags, ensure_ascii=False),
        "min_trust": None if where.min_trust is None else int(where.min_trust),
        "record_statuses": json.dumps(record_statuses),
        "message_statuses": json.dumps(message_statuses(where.statuses)),
        "window_session": None if window is None else sessions.get(window[0]),
        "window_seq": None if window is None else window[1],
        "since_us": maybe_microseconds(where.since),
        "until_us": maybe_microseconds(where.until),
        "as_of_us": maybe_microseconds(where.as_of),
        "known_us": maybe_microseconds(where.known_at),
        "alive_us": maybe_microseconds(where.alive_at),
    }


def _numbers(words: Sequence[str] | None, places: tuple[str, ...]) -> str | None:
    return None if words is None else json.dumps([places.index(word) for word in words if word in places])


def numbers_of(ids: Iterable[str]) -> list[int]:
    """The numbers that ids stand for, each once; an id that is none of ours stands for nothing."""
    return [int(id) for id in dict.fromkeys(ids) if id.isascii() and id.isdecimal() and len(id) <= 18]


def fetch(connection: sqlite3.Connection, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
    return connection.execute(sql, parameters).fetchall()
