"""One scope's data in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from pagefile.messages import Draft, Message, SessionInfo
from pagefile.ports import EraseReceipt, Operation, Vectors
from pagefile.queries import Item
from pagefile.records import Block, HistoryEntry, Indexing, Record, TaskState
from pagefile.stores.rules import json_text


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an append under a key answered, by id: the messages themselves may be retired later.

    It goes with the first of them that is erased, as its fingerprint was made of all the texts.
    """

    fingerprint: str
    session: str
    outcomes: tuple[tuple[str, Literal["stored", "duplicate", "conflict"]], ...]


@dataclass(slots=True)
class Session:
    """What is kept of a session beside its messages."""

    position: int
    last_seq: int = 0
    window_start: int = 1
    summary: str | None = None
    #: The caller's own id → message.
    external_ids: dict[str, str] = field(default_factory=dict)


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
    blocks: dict[str, Block] = field(default_factory=dict)
    history: dict[str, tuple[HistoryEntry, ...]] = field(default_factory=dict)
    tasks: dict[str, TaskState] = field(default_factory=dict)
    operations: dict[int, Operation] = field(default_factory=dict)

    def item(self, id: str) -> Item | None:
        return self.messages.get(id) or self.records.get(id)

    def items(self) -> list[Item]:
        return [*self.messages.values(), *self.records.values()]

    def of_session(self, session: str) -> list[Message]:
        return [message for message in self.messages.values() if message.session == session]

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

    # erasing

    def items_of(self, session: str) -> list[str]:
        """A session's messages, and the records that were learnt in it."""
        return [item.id for item in self.items() if item.session == session]

    def erase_items(self, ids: Sequence[str]) -> EraseReceipt:
        receipt = self._count(ids)
        for id in ids:
            for kept in (self.records, self.positions, self.indexing, self.history, *self.vectors.values()):
                kept.pop(id, None)  # type: ignore[attr-defined]  # dictionaries of several types
            message = self.messages.pop(id, None)
            if message is not None:
                self._erase_traces(message)
        gone = set(ids)
        self.receipts = {key: kept for key, kept in self.receipts.items() if gone.isdisjoint(id for id, _ in kept.outcomes)}
        return receipt

    def _erase_traces(self, message: Message) -> None:
        """What a session keeps of a message beside it: the caller's id, and the summary if it may tell of it."""
        kept = self.sessions[message.session]
        if message.external_id is not None:
            kept.external_ids.pop(message.external_id, None)
        if message.seq < kept.window_start:
            kept.summary = None
        if not self.of_session(message.session):
            self.forget_session(message.session)

    def forget_session(self, session: str) -> None:
        """So that nothing tells that it was, and its numbers start at 1 again."""
        self.sessions.pop(session, None)
        self.receipts = {key: receipt for key, receipt in self.receipts.items() if receipt.session != session}

    def forget_operations(self, names: set[str]) -> int:
        """Remove lines of the log that name one of these ids or sessions; returns how many."""
        named = [entry for entry, each in self.operations.items() if not names.isdisjoint(_texts([each.parameters, each.result]))]
        for entry in named:
            del self.operations[entry]
        return len(named)

    def erase_all(self) -> EraseReceipt:
        """Only counts: who holds the space lets go of it."""
        receipt = self._count(list(self.indexing))
        history = sum(len(entries) for entries in self.history.values())
        return replace(receipt, history=history, blocks=len(self.blocks), tasks=len(self.tasks), operations=len(self.operations))

    def _count(self, ids: Sequence[str]) -> EraseReceipt:
        return EraseReceipt(
            messages=sum(id in self.messages for id in ids),
            records=sum(id in self.records for id in ids),
            vectors=sum(id in held for held in self.vectors.values() for id in ids),
            postings=sum(len(self.indexing[id].terms) for id in ids),
            history=sum(len(self.history.get(id, ())) for id in ids),
        )


def message_of(draft: Draft, session: str, seq: int) -> Message:
    return Message(
        id=draft.id,
        session=session,
        seq=seq,
        role=draft.role,
        text=draft.text,
        parts=None if draft.parts is None else tuple(json_copy(draft.parts)),
        tool_calls=tuple(draft.tool_calls),
        tool_call_id=draft.tool_call_id,
        speaker=draft.speaker,
        agent=draft.agent,
        said_at=draft.said_at,
        recorded_at=draft.recorded_at,
        tokens=draft.tokens,
        external_id=draft.external_id,
        origin=draft.origin,
    )


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


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
