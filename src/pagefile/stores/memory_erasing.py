"""What is erased together in a scope that is held in memory, and what is left behind so that it does not come back."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pagefile.language.keys import marks
from pagefile.records import Record, Scope
from pagefile.stores.cascade import without
from pagefile.stores.memory_space import Space


@dataclass(frozen=True, slots=True)
class Doomed:
    """What goes when something is erased."""

    #: Ids of the messages and records.
    ids: tuple[str, ...]
    #: What they are known by if they come back.
    marks: tuple[str, ...]
    #: Messages that stay, and from which something of this is to be learnt again; oldest first.
    learn_again: tuple[str, ...]
    #: Records that stay, without the sources that go.
    cut: tuple[Record, ...]


def doomed(space: Space, *, session: str | None, ids: Sequence[str]) -> Doomed:
    """A session and these items, and the records that go with a message among them.

    A record that was not named, and stands on other messages too, is learnt again from those: it leaves no mark, which would forbid it.
    """
    named = {id: None for id in ids if id in space.indexing}
    gone = dict.fromkeys([*named] if session is None else [*named, *space.items_of(session)])
    erased = {id for id in gone if id in space.messages}
    cut: list[Record] = []
    for record in space.citing(erased):
        shorter = without(record, erased, _other_sources(space, record, erased))
        if shorter is None:
            gone[record.id] = None
        elif record.id not in gone:
            cut.append(shorter)
    left_behind: list[str] = []
    learn_again: set[str] = set()
    for id in gone:
        item = space.item(id)
        assert item is not None, "it was found by what is there"
        left: set[str] = set()
        # What somebody named or forgot must not be learnt once more.
        if id not in named and isinstance(item, Record) and item.status != "retired":
            left = _other_sources(space, item, erased)
        learn_again |= left
        if not left:
            left_behind.extend(marks(item))
    return Doomed(tuple(gone), tuple(left_behind), tuple(sorted(learn_again, key=space.positions.__getitem__)), tuple(cut))


def _other_sources(space: Space, record: Record, erased: Collection[str]) -> set[str]:
    """Messages that a record cites and that stay."""
    return {source.message for source in record.sources if source.message in space.messages and source.message not in erased}


class Tombstones:
    """Keyed hashes of what was erased, and when: enough to know it again, not to tell what it was."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._times: dict[bytes, datetime] = {}

    def put(self, scope: Scope, marks: Iterable[str], at: datetime) -> int:
        """Leave these behind; returns how many."""
        hashes = {self._hash(scope, mark) for mark in marks}
        self._times.update(dict.fromkeys(hashes, at))
        return len(hashes)

    def times(self, scope: Scope, marks: Sequence[str]) -> tuple[datetime | None, ...]:
        """When each was last erased; None: never."""
        # Most stores have erased nothing, and hash nothing.
        return tuple(self._times.get(self._hash(scope, mark)) for mark in marks) if self._times else (None,) * len(marks)

    def _hash(self, scope: Scope, mark: str) -> bytes:
        # No part can have a NUL in it, so that no two of them run into each other.
        return hashlib.blake2b("\0".join((scope.tenant, scope.user, mark)).encode(), key=self._key, digest_size=16).digest()
