"""What changes make of a scope that is held in memory: all of them, or nothing."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from pagefile.errors import ConflictError, Erased, NotFound
from pagefile.language.keys import known_by
from pagefile.messages import Message
from pagefile.records import (
    Add,
    Block,
    Cause,
    Change,
    Edit,
    HistoryEntry,
    Indexing,
    Merge,
    Record,
    Reinforce,
    Restore,
    Retire,
    Split,
    Supersede,
)
from pagefile.stores import aliases as names
from pagefile.stores import changes as make
from pagefile.stores.memory_space import Space, indexing_copy
from pagefile.stores.rules import check_block, check_cause, check_indexing, check_record, stays_erased

#: When what these marks stand for was erased.
ErasedAt: TypeAlias = Callable[[Sequence[str]], Sequence[datetime | None]]


class Changes:
    """Changes on their way into a space: laid over it, so that nothing of them is there until ``commit``."""

    def __init__(self, space: Space, next_position: Callable[[], int], erased_at: ErasedAt) -> None:
        self._space, self._next_position, self._erased_at = space, next_position, erased_at
        self._messages = ChainMap({}, space.messages)
        self._records = ChainMap({}, space.records)
        self._blocks = ChainMap({}, space.blocks)
        self._indexing = ChainMap({}, space.indexing)
        self._history = ChainMap({}, space.history)
        self._aliases = dict(space.aliases)
        self._entries: list[HistoryEntry] = []
        self._to_embed: dict[str, None] = {}

    def make(self, changes: Sequence[Change]) -> None:
        for change in changes:
            check_cause(change.cause)
            match change:
                case Add(item=Record() as record):
                    self._add_record(record, change.indexing, change.cause)
                case Add(item=Block() as block):
                    self._add_block(block, change.cause)
                case Reinforce():
                    self._save(make.reinforced(self._record(change.target), change), "reinforce", change.cause)
                case Supersede():
                    self._save(make.superseded(self._record(change.target), change), "supersede", change.cause)
                    self._add_record(make.successor(change), change.indexing, change.cause)
                case Edit():
                    self._edit(change)
                case Retire():
                    self._retire(change)
                case Restore():
                    self._restore(change)
                case Merge():
                    alias = names.merged(change, self._aliases)
                    self._aliases[alias.key] = alias
                    self._note(names.target(alias), "merge", ({}, names.told(alias)), change.cause)
                case Split():
                    alias = names.split(change, self._aliases)
                    del self._aliases[alias.key]
                    self._note(names.target(alias), "split", (names.told(alias), {}), change.cause)

    def commit(self) -> tuple[tuple[HistoryEntry, ...], tuple[str, ...]]:
        """Write it all; returns the history rows and the ids that are to be embedded."""
        space = self._space
        for id in self._records.maps[0]:
            space.positions.setdefault(id, self._next_position())
        for message in self._messages.maps[0].values():
            session = space.sessions[message.session]
            if message.retired and message.seq <= session.summarised_to:
                # The summary may tell of it.
                session.drop_summary()
        space.messages.update(self._messages.maps[0])
        if self._records.maps[0]:
            space.revision = self._next_position()
        space.file(self._records.maps[0])
        space.blocks.update(self._blocks.maps[0])
        space.index(self._indexing.maps[0])
        space.history.update(self._history.maps[0])
        space.aliases = self._aliases
        return tuple(self._entries), tuple(self._to_embed)

    def _record(self, id: str) -> Record:
        if id not in self._records:
            raise NotFound(f"there is no record {id!r:.80} in this scope; nothing was changed")
        return self._records[id]

    def _note(self, target: str, name: str, fields: tuple[Mapping[str, object], Mapping[str, object]], cause: Cause) -> None:
        before, after = fields
        entry = HistoryEntry(id=str(self._next_position()), target=target, change=name, before=before, after=after, cause=cause)
        self._entries.append(entry)
        self._history[target] = (*self._history.get(target, ()), entry)

    def _save(self, record: Record, name: str, cause: Cause) -> None:
        before = self._records.get(record.id)
        if record is not before:
            self._records[record.id] = record
            self._note(record.id, name, make.differences(before, record), cause)

    def _index(self, id: str, indexing: Indexing) -> None:
        check_indexing(indexing)
        known = self._indexing.get(id, Indexing()).embedding_hash
        self._indexing[id] = indexing_copy(indexing)
        if indexing.embedding_hash not in ("", known):
            self._to_embed[id] = None

    def _add_record(self, record: Record, indexing: Indexing, cause: Cause) -> None:
        check_record(record)
        self._check_not_erased(record)
        if record.id in self._records or record.id in self._messages:
            raise ConflictError(f"there is an item {record.id!r:.80} already; a new record needs a new id")
        self._save(record, "add", cause)
        self._index(record.id, indexing)

    def _check_not_erased(self, record: Record) -> None:
        if any(stays_erased(record, at) for at in self._erased_at(known_by(record))):
            raise Erased(
                f"what record {record.id!r:.80} says was erased and was not said since; nothing was changed. "
                "If it was said again, give the record the time of that as ``said_at``"
            )

    def _add_block(self, block: Block, cause: Cause) -> None:
        check_block(block)
        target = make.block_target(block.label, block.agent)
        if target in self._blocks:
            raise ConflictError(f"there is a block {block.label!r:.80} already; edit it, or choose another label")
        self._blocks[target] = block
        self._note(target, "add", make.differences(None, block), cause)

    def _edit(self, change: Edit) -> None:
        target = make.block_target(change.target, change.agent)
        if change.agent is None and change.target in self._records:
            record = self._records[change.target]
            edited = make.edited_record(record, change)
            if make.says_otherwise(record, edited):
                self._check_not_erased(edited)
            self._save(edited, "edit", change.cause)
            if change.indexing is not None:
                self._index(change.target, change.indexing)
        elif change.agent is None and change.target in self._messages:
            self._save_message(make.edited_message(self._messages[change.target], change), "edit", change.cause)
        elif target in self._blocks:
            before, after = self._blocks[target], make.edited_block(self._blocks[target], change)
            self._blocks[target] = after
            self._note(target, "edit", make.differences(before, after), change.cause)
        else:
            raise NotFound(f"there is no record or block {change.target!r:.80} in this scope; nothing was changed")

    def _retire(self, change: Retire) -> None:
        if change.target in self._messages:
            self._save_message(replace(self._messages[change.target], retired=True), "retire", change.cause)
        else:
            self._save(make.retired_record(self._record(change.target), change.cause), "retire", change.cause)

    def _restore(self, change: Restore) -> None:
        if change.target in self._messages:
            self._save_message(replace(self._messages[change.target], retired=False), "restore", change.cause)
            return
        record = self._record(change.target)
        restored = make.restored_record(record, self._history.get(change.target, ()))
        if restored is not record:
            self._check_not_erased(restored)
            self._save(restored, "restore", change.cause)

    def _save_message(self, after: Message, name: str, cause: Cause) -> None:
        before = self._messages[after.id]
        if after != before:
            self._messages[after.id] = after
            self._note(after.id, name, make.differences(before, after), cause)
