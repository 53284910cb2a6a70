"""What every store holds to, whatever it is built on: what it refuses, and which items a filter lets through. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, get_args

from pagefile.access import ApiKey, KeptReply
from pagefile.errors import Erased, InputError, NotFound
from pagefile.messages import Draft, Message, Origin, Role
from pagefile.ports import NewJob, Progress
from pagefile.queries import Item, ItemKind, Probe, Where
from pagefile.records import Block, Cause, Indexing, Kind, Polarity, Privacy, Record, Source, Status, TaskState, Trust

#: A page never holds more than this, whatever limit was asked for.
MAX_PAGE = 10_000

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": get_args(Kind),
    "status": get_args(Status),
    "polarity": get_args(Polarity),
    "privacy": get_args(Privacy),
    "role": get_args(Role),
    "origin": get_args(Origin),
}
_SHARES = ("confidence", "importance")


# --- what is refused ----------------------------------------------------------------------------------------------------


def page_limit(limit: int) -> int:
    """The limit of a page, held to MAX_PAGE. Raises InputError if it is no whole number or below 1."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise InputError(f"the limit must be a whole number of at least 1, not {limit!r}")
    return min(limit, MAX_PAGE)


def cursor_position(cursor: str | None) -> int | None:
    """The position that a cursor stands for. Raises InputError if no page of ours gave it."""
    if cursor is None:
        return None
    # ``isdecimal`` alone would let other scripts' digits through, and ``int`` alone signs, blanks and underscores.
    if not isinstance(cursor, str) or not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 18:
        raise InputError(f"{cursor!r:.60} is no cursor of this store; pass the ``cursor`` of the page before, or None for the first page")
    return int(cursor)


def check_text(text: str, what: str) -> None:
    """Raises InputError for what no store can keep faithfully: NUL and lone surrogates."""
    if not isinstance(text, str):
        raise InputError(f"the {what} must be text, not {type(text).__name__}")
    if "\0" in text:
        raise InputError(f"the {what} has a NUL character at {text.index(chr(0))}; remove it first")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"the {what} has a lone surrogate at {error.start}; replace it first") from error


def check_window(start: int, summary: str | None) -> None:
    """Raises InputError for a window that begins before the first message, or a summary that no store can keep."""
    if start < 1:
        raise InputError(f"a window starts at sequence number 1 or later, not {start}")
    check_summary(summary)


def check_summary(summary: str | None) -> None:
    """Raises InputError for a running summary that no store can keep."""
    if summary is not None:
        check_text(summary, "summary")


def check_time(time: datetime, what: str) -> None:
    """Raises InputError for a time without a zone: nobody could say when that was."""
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise InputError(f"{what} must be a datetime with a time zone, not {time!r}")


def json_text(value: object, what: str) -> str:
    """The value as JSON. Raises InputError if it has no such form."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the {what} cannot be kept as JSON: {error}; use numbers, text, lists and dictionaries alone") from error


def check_draft(draft: Draft) -> None:
    """Raises InputError for a message that no store can keep."""
    check_text(draft.text, "text")
    _check_fields(draft)
    if draft.parts is not None:
        json_text(draft.parts, "parts of the message")
    for call in draft.tool_calls:
        _check_fields(call)
    check_indexing(draft.indexing)


def check_record(record: Record) -> None:
    """Raises InputError for a record that no store can keep."""
    check_text(record.text, "text")
    _check_fields(record)
    for word in (*record.tags, *record.entities):
        check_text(word, "tag or entity")
    check_sources(record.sources)


def check_sources(sources: tuple[Source, ...]) -> None:
    """Raises InputError for what is no place in the journal: it could be written, and then no longer read."""
    if not isinstance(sources, tuple):
        raise InputError(f"sources must be a tuple of Source values, not {type(sources).__name__}")
    for source in sources:
        if not isinstance(source, Source):
            raise InputError(f"sources must be Source values, not {type(source).__name__}")
        check_text(source.message, "message of a source")
        if not source.message:
            raise InputError("the message of a source is empty; give the id of the message")
        if source.span is not None:
            _check_span(source.span)
        if source.external_id is not None:
            check_text(source.external_id, "external_id of a source")


def _check_span(span: tuple[int, int]) -> None:
    # Not ``isinstance(…, int)``: True and False are whole numbers to Python.
    if not (isinstance(span, tuple) and [type(place) for place in span] == [int, int] and 0 <= span[0] <= span[1]):
        raise InputError(f"the span of a source must be None or a tuple of two whole numbers, 0 <= start <= end, not {span!r:.60}")


def check_block(block: Block) -> None:
    check_text(block.text, "text")
    _check_fields(block)


def check_cause(cause: Cause) -> None:
    _check_fields(cause)


def check_task(state: TaskState) -> None:
    """Raises InputError for a state that no store can keep."""
    check_text(state.key, "key")
    check_time(state.updated_at, "updated_at")
    if state.expires_at is not None:
        check_time(state.expires_at, "expires_at")
    json_text(state.value, "value of the task state")


def check_key(key: ApiKey) -> None:
    """Raises InputError for an API key that no store can keep."""
    for text, what in (
        (key.id, "id"),
        (key.hash, "hash"),
        (key.name, "name"),
        (key.tenant, "tenant"),
        (key.user, "user"),
        (key.acts_as, "pattern"),
    ):
        if text is not None:
            check_text(text, f"{what} of the key")
    check_time(key.created_at, "created_at")
    if key.expires_at is not None:
        check_time(key.expires_at, "expires_at")


def check_reply(reply: KeptReply, now: datetime) -> None:
    """Raises InputError for a reply that no store can keep."""
    for text, what in ((reply.key, "idempotency key"), (reply.fingerprint, "fingerprint"), (reply.body, "body of the reply")):
        check_text(text, what)
    check_time(reply.expires_at, "expires_at")
    check_time(now, "'now'")


def check_pruning(before: datetime, keep: int) -> None:
    check_time(before, "'before'")
    if keep < 1:
        raise InputError(f"at least one line of the operations log is kept, not {keep}")


def check_job(job: NewJob) -> None:
    """Raises InputError for a job that no store can keep."""
    check_text(job.kind, "kind of the job")
    json_text(job.payload, "payload of the job")
    if job.once is not None:
        check_text(job.once, "name of the job")
    if job.ready_at is not None:
        check_time(job.ready_at, "ready_at")


def check_jobs(jobs: Iterable[NewJob]) -> None:
    for job in jobs:
        check_job(job)


def check_read(progress: Progress, found: Item | None) -> None:
    """Raises NotFound if what was ``found`` under the id of the message is not the one that a reader came to."""
    if not (isinstance(found, Message) and (found.session, found.seq) == (progress.session, progress.seq)):
        raise NotFound(
            f"message {progress.message!r:.80} does not stand at {progress.seq} in session {progress.session!r:.80}: it was erased "
            "while it was read; nothing was changed. Read the session again"
        )


def check_indexing(indexing: Indexing) -> None:
    # All at once: a message has dozens.
    check_text("".join(indexing.terms), "terms")


def check_where(where: Where) -> None:
    """Raises InputError for a time without a zone."""
    for name in ("since", "until", "as_of", "known_at", "alive_at"):
        if getattr(where, name) is not None:
            check_time(getattr(where, name), f"'{name}'")


def check_probe(probe: Probe) -> None:
    """Raises InputError for a probe that asks for less than one candidate, or has a vector of nobody knows which embedder."""
    page_limit(probe.limit)
    check_where(probe.where)
    if probe.neighbours < 0:
        raise InputError(f"the number of neighbours must be at least 0, not {probe.neighbours}")
    if probe.vector is not None and probe.embedder is None:
        raise InputError("the probe has a vector but no embedder id; vectors of different embedders cannot be compared")


def _check_fields(value: Any) -> None:
    for name in value.__dataclass_fields__:
        _check_of(name)(getattr(value, name), name)


@cache
def _check_of(name: str) -> Callable[[Any, str], None]:
    if name in _CHOICES:
        return _check_choice
    if name in _SHARES:
        return _check_share
    if name.endswith("_at") or name in ("valid_from", "valid_to", "at"):
        return _check_time_or_none
    return _check_text_or_other


def _check_choice(value: object, name: str) -> None:
    if value not in _CHOICES[name]:
        raise InputError(f"{name} must be one of {', '.join(_CHOICES[name])}, not {value!r:.60}")


def _check_share(value: object, name: str) -> None:
    if not (isinstance(value, int | float) and 0 <= value <= 1):
        raise InputError(f"{name} must be a number from 0 to 1, not {value!r:.60}")


def _check_time_or_none(value: Any, name: str) -> None:
    if value is not None:
        check_time(value, name)


def _check_text_or_other(value: object, name: str) -> None:
    if isinstance(value, str):
        check_text(value, name)


# --- what an item is ----------------------------------------------------------------------------------------------------


def item_kind(item: Item) -> ItemKind:
    return "message" if isinstance(item, Message) else item.kind


def item_time(item: Item) -> datetime:
    """``said_at`` of a message; ``valid_from``, else ``learned_at``, of a record."""
    return item.said_at if isinstance(item, Message) else item.valid_from or item.learned_at


def item_tokens(item: Item) -> int:
    """Tokens of a message as counted by the caller; of a record an upper bound, as records carry no count."""
    return item.tokens if isinstance(item, Message) else len(item.text.encode()) // 3 + 1


def same_content(draft: Draft, message: Message) -> bool:
    """Whether a draft says again what a message says. Its times do not count: a caller that gives none gets a new one each time."""
    return (
        draft.role == message.role
        and draft.text == message.text
        and draft.speaker == message.speaker
        and draft.tool_calls == message.tool_calls
        and draft.tool_call_id == message.tool_call_id
        and json_text(draft.parts, "parts") == json_text(message.parts, "parts")
    )


def erased_under(key: str) -> Erased:
    """The refusal of an append under a key of which something was erased."""
    return Erased(
        f"what was written under the key {key!r:.80} was erased since, and is not written again; nothing was stored. Give it a key of its "
        "own if it is meant anew"
    )


def stays_erased(record: Record, erased_at: datetime | None) -> bool:
    """Whether what a record says stays erased: nobody said it after that time, or nobody can tell. None: it was not erased."""
    if erased_at is None:
        return False
    return record.trust is Trust.IMPORTED or (record.said_at or record.learned_at) <= erased_at


# --- which items a filter lets through ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Facts:
    """An item as the filters see it, the same for messages and records."""

    kind: ItemKind
    session: str | None
    seq: int | None
    role: str | None
    tags: tuple[str, ...]
    #: Of a record, the one it has; of a message, those that hide it.
    statuses: frozenset[Status]
    expires_at: datetime | None
    #: System time: since when the store has known it, and until when it believed it.
    known_from: datetime
    known_to: datetime | None
    #: World time: until when it held.
    held_to: datetime | None


def _facts(item: Item) -> _Facts:
    if isinstance(item, Message):
        flags: tuple[tuple[Status, bool], ...] = (("retired", item.retired), ("superseded", item.superseded))
        hiding = frozenset(status for status, is_set in flags if is_set)
        return _Facts("message", item.session, item.seq, item.role, (), hiding, None, item.recorded_at, None, None)
    return _Facts(
        kind=item.kind,
        session=item.session,
        seq=None,
        role=None,
        tags=item.tags,
        statuses=frozenset({item.status}),
        expires_at=item.expires_at,
        known_from=item.learned_at,
        known_to=item.retired_at,
        held_to=item.valid_to,
    )


def passes(item: Item, where: Where) -> bool:
    """Whether all filters let an item through."""
    facts = _facts(item)
    return (
        (where.kinds is None or facts.kind in where.kinds)
        and (where.sessions is None or facts.session in where.sessions)
        and (where.agent is None or item.agent == where.agent)
        and (where.speaker is None or item.speaker == where.speaker)
        and (where.roles is None or facts.role in where.roles)
        and (where.tags is None or _has_all(facts.tags, where.tags))
        and (where.min_trust is None or item.trust >= where.min_trust)
        and _status_passes(facts, where.statuses)
        and _outside_window(facts, where.not_in_window)
        and _in_time(item, facts, where)
    )


def _has_all(tags: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return bool(wanted) and set(wanted) <= set(tags)


def _status_passes(facts: _Facts, statuses: tuple[Status, ...]) -> bool:
    return bool(statuses) and facts.statuses <= set(statuses)


def _outside_window(facts: _Facts, window: tuple[str, int] | None) -> bool:
    return window is None or facts.seq is None or facts.session != window[0] or facts.seq < window[1]


def _in_time(item: Item, facts: _Facts, where: Where) -> bool:
    time = item_time(item)
    return (
        (where.since is None or where.since <= time)
        and (where.until is None or time < where.until)
        and (where.alive_at is None or facts.expires_at is None or where.alive_at < facts.expires_at)
        and (where.as_of is None or _holds(time, facts.held_to, where.as_of))
        and (where.known_at is None or _holds(facts.known_from, facts.known_to, where.known_at))
    )


def _holds(start: datetime, end: datetime | None, at: datetime) -> bool:
    return start <= at and (end is None or at < end)
