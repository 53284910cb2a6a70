"""One scope's data in memory."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date, datetime
from typing import Any, Literal, TypeVar

import numpy as np

from pagefile.access import KeptReply
from pagefile.costs import Purpose, Spent
from pagefile.entities import ENTITY, Alias, Mention
from pagefile.errors import ConflictError
from pagefile.language.entities import mentions, name_mark
from pagefile.language.keys import append_mark, marks, record_keys, reply_mark
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo
from pagefile.ports import Operation, Progress, Vectors
from pagefile.queries import Item, Page
from pagefile.receipts import EraseReceipt
from pagefile.records import Block, HistoryEntry, Indexing, Record, TaskState
from pagefile.stores import aliases as names
from pagefile.stores.cascade import told_without
from pagefile.stores.rules import cursor_position, json_text, page_limit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an append under a key answered, by id: the messages themselves may be retired later.

    It goes with the first of them that is erased, as its fingerprint was made of all the texts.
    """

    fingerprint: str
    session: str
    outcomes: tuple[tuple[str, Literal["stored", "duplicate", "conflict", "erased"]], ...]


@dataclass(slots=True)
class Session:
    """What is kept of a session beside its messages."""

    position: int
    last_seq: int = 0
    window_start: int = 1
    summary: str | None = None
    summarised_to: int = 0
    #: Who is at work in it, and until when.
    holder: str | None = None
    held_until: datetime | None = None
    #: The caller's own id → message.
    external_ids: dict[str, str] = field(default_factory=dict)

    def take(self, lease: Lease) -> bool:
        """Give the session to a holder, or free; False: another one has it."""
        if lease.ends:
            self.holder = None if self.holder == lease.holder else self.holder
            return True
        if self.holder not in (None, lease.holder) and self.held_until is not None and self.held_until > lease.now:
            return False
        self.holder, self.held_until = lease.holder, lease.until
        return True

    def move_window(self, start: int, summary: str | None) -> None:
        # A summary for an earlier start covers less than the one that is there: whoever made it came too late.
        if start >= self.window_start:
            self.window_start = start
            if summary is not None:
                self.summary, self.summarised_to = summary, start - 1

    def replace_summary(self, summary: str | None, to: int, instead_of: str | None) -> bool:
        if self.summary != instead_of or self.summarised_to >= to:
            return False
        self.summary, self.summarised_to = summary, to
        return True

    def drop_summary(self) -> bool:
        dropped = self.summary is not None
        if dropped:
            self.summary, self.summarised_to = None, 0
        return dropped


@dataclass(slots=True)
class Space:
    """All that one scope holds. Dictionaries keep the order in which things came; ``positions`` gives it across them."""

    position: int
    messages: dict[str, Message] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    indexing: dict[str, Indexing] = field(default_factory=dict)
    #: Embedder → item → vector of length 1, of the text that the item has now.
    vectors: dict[str, dict[str, Vectors]] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    #: What a server answered, by idempotency key.
    replies: dict[str, KeptReply] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    history: dict[str, tuple[HistoryEntry, ...]] = field(default_factory=dict)
    tasks: dict[str, TaskState] = field(default_factory=dict)
    operations: dict[int, Operation] = field(default_factory=dict)
    #: The position of the last change of a record or erase; that of the space before the first. No position comes again.
    revision: int = field(init=False)
    #: Key → the records that are filed under it.
    filed: dict[str, set[str]] = field(default_factory=dict)
    #: Session → reader → sequence number.
    progress: dict[str, dict[str, int]] = field(default_factory=dict)
    #: Record → what it names; and key of a name → the records that do.
    mentions: dict[str, tuple[Mention, ...]] = field(default_factory=dict)
    naming: dict[str, set[str]] = field(default_factory=dict)
    #: Key → the merge of that name into another one.
    aliases: dict[str, Alias] = field(default_factory=dict)
    #: What was spent on a day for a purpose.
    spent: dict[tuple[date, Purpose], Spent] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.revision = self.position

    def item(self, id: str) -> Item | None:
        return self.messages.get(id) or self.records.get(id)

    def items(self) -> list[Item]:
        return [*self.messages.values(), *self.records.values()]

    def of_session(self, session: str) -> list[Message]:
        return [message for message in self.messages.values() if message.session == session]

    def has_all(self, messages: Iterable[str]) -> bool:
        """Whether these messages are there, and not retired."""
        return all(id in self.messages and not self.messages[id].retired for id in messages)

    def session_info(self, session: str) -> SessionInfo | None:
        messages = self.of_session(session)
        if not messages:
            return None
        kept = self.sessions[session]
        return SessionInfo(
            session=session,
            messages=len(messages),
            last_seq=kept.last_seq,
            first_said_at=min(message.said_at for message in messages),
            last_said_at=max(message.said_at for message in messages),
            window_start=kept.window_start,
            summary=kept.summary,
            summarised_to=kept.summarised_to,
        )

    def awaiting(self, embedder: str) -> list[str]:
        """Ids of the items that are to be embedded and have no vector of this embedder."""
        embedded = self.vectors.get(embedder, {})
        return [id for id, indexing in self.indexing.items() if indexing.embedding_hash and id not in embedded]

    def index(self, indexing: Mapping[str, Indexing]) -> None:
        """Keep how these items are to be found, and drop vectors of texts that they no longer have."""
        for id, new in indexing.items():
            if id in self.indexing and self.indexing[id].embedding_hash != new.embedding_hash:
                for embedded in self.vectors.values():
                    embedded.pop(id, None)
        self.indexing.update(indexing)

    def file(self, records: Mapping[str, Record]) -> None:
        """Keep these records, under the keys that they have now."""
        for id, record in records.items():
            self._unfile(id)
            self.records[id] = record
            for key in record_keys(record):
                self.filed.setdefault(key, set()).add(id)
            self.mentions[id] = mentions(record)
            for mention in self.mentions[id]:
                self.naming.setdefault(mention.key, set()).add(id)

    def _unfile(self, id: str) -> None:
        for key in record_keys(self.records[id]) if id in self.records else ():
            self.filed[key].discard(id)
            if not self.filed[key]:
                del self.filed[key]
        for mention in self.mentions.pop(id, ()):
            self.naming[mention.key].discard(id)
            if not self.naming[mention.key]:
                del self.naming[mention.key]

    def keyed(self, keys: Collection[str]) -> list[Record]:
        return self._oldest_first(set().union(*(self.filed.get(key, ()) for key in keys)))

    def citing(self, messages: Collection[str]) -> list[Record]:
        cited = set(messages)
        return self._oldest_first({id for id, record in self.records.items() if any(each.message in cited for each in record.sources)})

    def changes(self) -> list[HistoryEntry]:
        return [entry for entries in self.history.values() for entry in entries]

    def _oldest_first(self, ids: set[str]) -> list[Record]:
        return [self.records[id] for id in sorted(ids, key=self.positions.__getitem__)]

    def move(self, progress: Progress) -> None:
        """A reader has come this far. It may be behind another one of its name, and moves nothing back."""
        readers = self.progress.setdefault(progress.session, {})
        readers[progress.name] = max(progress.seq, readers.get(progress.name, 0))

    # erasing

    def items_of(self, session: str) -> list[str]:
        """A session's messages, and the records that were learnt in it."""
        return [item.id for item in self.items() if item.session == session]

    def versions(self, id: str) -> Sequence[Item]:
        """An item that is to be erased, and as it was before each of its changes."""
        if (record := self.records.get(id)) is not None:
            return names.versions(record, self.history.get(id, ()))
        return [self.messages[id]] if id in self.messages else []

    def erase_items(self, ids: Collection[str]) -> EraseReceipt:
        told = {self.messages[id].session for id in ids if id in self.messages}
        # A summary may tell of any message of its session.
        receipt = replace(self._count(ids), summaries=sum(self.sessions[session].drop_summary() for session in told))
        for id in ids:
            self._unfile(id)
            for kept in (self.records, self.positions, self.indexing, self.history, *self.vectors.values()):
                kept.pop(id, None)  # type: ignore[attr-defined]  # dictionaries of several types
            message = self.messages.pop(id, None)
            if message is not None and message.external_id is not None:
                self.sessions[message.session].external_ids.pop(message.external_id, None)
        for session in told - {message.session for message in self.messages.values()}:
            self.forget_session(session)
        if ids:
            # Any of them may have words of what goes.
            self.replies = {}
        gone = set(ids)
        self.receipts = {key: kept for key, kept in self.receipts.items() if gone.isdisjoint(id for id, _ in kept.outcomes)}
        return receipt

    def answered_under(self, ids: Collection[str], session: str | None) -> list[str]:
        """Marks of the keys whose answers go with these messages, or with this session."""
        if not ids and session not in self.sessions:
            return []
        erased = set(ids)
        return [
            *(
                append_mark(key, kept.fingerprint)
                for key, kept in self.receipts.items()
                if kept.session == session or not erased.isdisjoint(id for id, _ in kept.outcomes)
            ),
            *(reply_mark(key, kept.fingerprint) for key, kept in self.replies.items() if kept.status),
        ]

    def all_marks(self) -> list[str]:
        """What tells of anything here after all of it was erased."""
        aliased = [name_mark(key) for alias in self.aliases.values() for key in (alias.key, alias.into)]
        answered = [mark for session in [None, *self.sessions] for mark in self.answered_under(list(self.indexing), session)]
        return [*(mark for item in self.items() for mark in marks(item)), *aliased, *answered]

    def cut(self, records: Collection[Record], erased: Collection[str]) -> None:
        """Keep these records as they are without the sources that were erased; nor does their history name these."""
        self.file({record.id: record for record in records})
        for id in [record.id for record in records]:
            entries = self.history.get(id, ())
            self.history[id] = tuple(
                replace(entry, before=told_without(entry.before, erased), after=told_without(entry.after, erased)) for entry in entries
            )

    def forget_names(self, erased: Collection[Item]) -> tuple[int, set[str]]:
        """Let go of the aliases of names that nothing names any more since these items were erased; returns how many changes of the
        history told of them, and the marks of their keys."""
        about = [entry for target, entries in self.history.items() if target.startswith(ENTITY) for entry in entries]
        told_of = {key for alias in self.aliases.values() for key in (alias.key, alias.into)}
        for entry in about:
            told_of |= {entry.target.removeprefix(ENTITY)} | names.keys_told(entry.before) | names.keys_told(entry.after)
        lost = names.lost_names(erased, told_of, self.naming.__contains__, self.aliases.values())
        self.aliases = {key: alias for key, alias in self.aliases.items() if not lost & {key, alias.into}}
        gone = {entry.id for entry in about if names.tells_of(entry, lost)}
        for target in {entry.target for entry in about if entry.id in gone}:
            left = tuple(entry for entry in self.history[target] if entry.id not in gone)
            self.history = {name: entries for name, entries in self.history.items() if name != target} | ({target: left} if left else {})
        return len(gone), set(map(name_mark, lost & told_of))

    def forget_session(self, session: str) -> None:
        """So that nothing tells that it was, and its numbers start at 1 again."""
        self.sessions.pop(session, None)
        self.progress.pop(session, None)
        self.replies = {}
        self.receipts = {key: receipt for key, receipt in self.receipts.items() if receipt.session != session}

    def forget_operations(self, ids: Collection[str], session: str | None) -> int:
        """Remove lines of the log that are about these items or this session, or name them; returns how many."""
        names = {*ids} if session is None else {*ids, session}
        about = [entry for entry, each in self.operations.items() if not names.isdisjoint(_names(each))]
        for entry in about:
            del self.operations[entry]
        return len(about)

    def erase_all(self) -> EraseReceipt:
        """Only counts: who holds the space lets go of it."""
        return replace(
            self._count(list(self.indexing)),
            history=sum(len(entries) for entries in self.history.values()),
            blocks=len(self.blocks),
            tasks=len(self.tasks),
            operations=len(self.operations),
            summaries=sum(session.summary is not None for session in self.sessions.values()),
        )

    def _count(self, ids: Collection[str]) -> EraseReceipt:
        return EraseReceipt(
            messages=sum(id in self.messages for id in ids),
            records=sum(id in self.records for id in ids),
            vectors=sum(id in held for held in self.vectors.values() for id in ids),
            postings=sum(len(self.indexing[id].terms) for id in ids),
            history=sum(len(self.history.get(id, ())) for id in ids),
        )


def in_memory(message: Message) -> Message:
    """The message, apart from what the caller may change later."""
    parts = None if message.parts is None else tuple(json_copy(message.parts))
    return replace(message, parts=parts, tool_calls=tuple(message.tool_calls))


def replay(space: Space, key: str, fingerprint: str, drafts: Sequence[Draft]) -> tuple[Appended, ...]:
    """What an append under a key answered, to be answered again."""
    receipt = space.receipts[key]
    # What was erased is not kept, not even here: it is taken from what is given again.
    given = {draft.id: draft.at(receipt.session, 0) for draft in drafts}
    messages = [space.messages.get(id) or given.get(id) for id, _ in receipt.outcomes]
    if receipt.fingerprint != fingerprint or None in messages:
        raise ConflictError(f"the key {key!r:.80} was used before for other content; use a new key, or send the same content again")
    answered = zip(messages, receipt.outcomes, strict=True)
    return tuple(Appended(message=message, outcome=outcome) for message, (_, outcome) in answered if message is not None)


def _names(operation: Operation) -> Iterator[str]:
    """What a line of the log is about, by what it says of itself or by any text in it."""
    yield from operation.items
    if operation.session is not None:
        yield operation.session
    yield from _texts([operation.parameters, operation.result])


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def every_text(value: object) -> Iterator[str]:
    """Every text in what a store holds, names and keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from every_text(list(value.items()))
    elif isinstance(value, list | tuple | set):
        for each in value:
            yield from every_text(each)
    elif is_dataclass(value):
        for part in fields(value):
            yield from every_text(getattr(value, part.name))


def json_copy(value: Any) -> Any:
    """What a store with a file would give back: nothing of the caller's, and JSON's own types."""
    return json.loads(json_text(value, "value"))


def indexing_copy(indexing: Indexing) -> Indexing:
    """The same, without terms that do not occur, and out of the caller's hands."""
    return replace(indexing, terms={term: count for term, count in indexing.terms.items() if count > 0})


def unit(vector: Vectors) -> Vectors:
    """The vector at length 1, so that a product of two is their cosine."""
    values = np.asarray(vector, dtype=np.float64)
    return np.asarray(values / np.linalg.norm(values), dtype=np.float32)


def page_of(positioned: Sequence[tuple[int, T]], after: str | None, limit: int, *, newest_first: bool = False) -> Page[T]:
    """One page of things with their positions in the order they came."""
    size, start = page_limit(limit), cursor_position(after)
    ordered = sorted(positioned, key=lambda pair: pair[0], reverse=newest_first)
    left = [pair for pair in ordered if start is None or (pair[0] < start if newest_first else pair[0] > start)]
    chosen = left[:size]
    return Page(
        items=tuple(value for _, value in chosen),
        cursor=str(chosen[-1][0]) if len(left) > size else None,
        total=len(ordered),
    )
