"""Entities: who and what records name, and how they hang together. Frozen values and the port that keeps them, no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from pagefile.messages import Message
from pagefile.records import HistoryEntry, Record, Scope, Source

#: The key of the person whose memory it is.
ME = "user"
#: How the history's name of an entity begins.
ENTITY = "entity:"

Role: TypeAlias = Literal["subject", "value", "named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """That a record names somebody or something."""

    #: How the name is compared, see ``language.entities.entity_key``.
    key: str
    #: As it is written.
    name: str
    #: What it is in a fact: whom it is about, what is said of that one, or only named in its words.
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name as the index of names has it: merges do not count. Of records that hold or held; not of pending and forgotten ones."""

    key: str
    #: As it was written last.
    name: str
    #: How many records name it, and the first and last of their times (``valid_from``, else ``learned_at``).
    records: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """That a name stands for the same as another one, which may itself be an alias."""

    key: str
    name: str
    into: str
    into_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something that records name, under all its names."""

    #: The name it goes by.
    name: str
    #: Other names that were merged into it.
    aliases: tuple[str, ...] = ()
    #: How many records that hold or held name it, and the times of the first and the last of them.
    records: int = 0
    first: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityCard:
    """An entity with what is known of it."""

    entity: Entity
    #: What holds, newest first, and what held once.
    current: tuple[Record, ...]
    past: tuple[Record, ...]
    #: Merges and splits of its names.
    history: tuple[HistoryEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """That two entities stand in one record: a fact from its subject to its value, or any sentence that names both."""

    start: str
    end: str
    #: The property of which ``end`` is the value; None: the record's words tell how they hang together.
    attribute: str | None
    #: The record, its words, whether it holds, and since when and until when it holds.
    record: str
    text: str
    holds: bool
    since: datetime
    until: datetime | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An entity near another one."""

    name: str
    #: How many edges away, at least.
    hops: int
    #: The edges by which it was reached.
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A line of an entity's time line: a record or a message that names it."""

    at: datetime
    kind: Literal["record", "message"]
    id: str
    text: str
    #: Of a record: whether it holds, and until when it did.
    holds: bool = True
    until: datetime | None = None
    speaker: str | None = None
    session: str | None = None


def happening(item: Record | Message) -> Happening:
    """A record or message as a line of a time line."""
    if isinstance(item, Message):
        return Happening(at=item.said_at, kind="message", id=item.id, text=item.text, speaker=item.speaker, session=item.session)
    return Happening(
        at=item.valid_from or item.learned_at,
        kind="record",
        id=item.id,
        text=item.text,
        holds=item.status == "current",
        until=item.valid_to,
        speaker=item.speaker,
        session=item.session,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Which of the records that name something are asked for."""

    statuses: tuple[Literal["current", "superseded"], ...] = ("current", "superseded")
    #: Only those that held then by their own times: begun (``valid_from``, else ``learned_at``) and not ended (``valid_to``).
    as_of: datetime | None = None
    #: Only those that had not expired then.
    alive_at: datetime | None = None
    #: Only those that began at or after the one, and before the other.
    since: datetime | None = None
    until: datetime | None = None

    def has(self, record: Record) -> bool:
        """Whether a record is one of them."""
        began = record.valid_from or record.learned_at
        return (
            record.status in self.statuses
            and (self.as_of is None or (began <= self.as_of and (record.valid_to is None or record.valid_to > self.as_of)))
            and (self.alive_at is None or record.expires_at is None or record.expires_at > self.alive_at)
            and (self.since is None or began >= self.since)
            and (self.until is None or began < self.until)
        )


class Names:
    """Which names stand for the same, by the merges that stand."""

    def __init__(self, aliases: Iterable[Alias]) -> None:
        self._aliases = {alias.key: alias for alias in aliases}
        self._roots: dict[str, str] = {}
        self._others: dict[str, list[Alias]] = {}
        self._shown: dict[str, str] = {}
        for alias in self._aliases.values():
            self._others.setdefault(self._find(alias.key), []).append(alias)
            self._shown.setdefault(alias.into, alias.into_name)

    def _find(self, key: str) -> str:
        """The root of a key, noted for all on the way to it."""
        way = dict[str, None]()
        while key in self._aliases and key not in self._roots and key not in way:
            way[key] = None
            key = self._aliases[key].into
        chief = self._roots.get(key, key)
        self._roots |= dict.fromkeys(way, chief)
        return chief

    def root(self, key: str) -> str:
        """The key that a name stands for in the end."""
        return self._roots.get(key, key)

    def same(self, key: str) -> tuple[str, ...]:
        """All keys that stand for the same as this one, the one that all stand for first."""
        chief = self.root(key)
        return (chief, *(alias.key for alias in self._others.get(chief, ())))

    def all(self, keys: Iterable[str]) -> list[str]:
        """All keys that stand for the same as any of these."""
        return list(dict.fromkeys(each for key in keys for each in self.same(key)))

    def between(self, one: str, other: str) -> set[str]:
        """The names whose merges lead from one of two names that stand for the same to the other."""
        return self._way(one) ^ self._way(other)

    def _way(self, key: str) -> set[str]:
        """The aliases on the way from a key to what it stands for in the end."""
        way = set[str]()
        while key in self._aliases and key not in way:
            way.add(key)
            key = self._aliases[key].into
        return way

    def shown(self, key: str) -> str | None:
        """The name of the one that a key stands for, as a merge has it; None: no merge has it."""
        return self._shown.get(self.root(key))

    def other_names(self, key: str) -> tuple[str, ...]:
        """The names that were merged into the one that a key stands for."""
        return tuple(alias.name for alias in self._others.get(self.root(key), ()))

    def written(self, keys: Iterable[str]) -> list[str]:
        """The names, as merges have them, of all that stand for the same as any of these."""
        aliases = [alias for key in dict.fromkeys(map(self.root, keys)) for alias in self._others.get(key, ())]
        return [name for alias in aliases for name in (alias.name, alias.into_name)]

    def roots(self, found: Iterable[Mention]) -> list[str]:
        """What these names stand for in the end, each once."""
        return list(dict.fromkeys(self.root(mention.key) for mention in found))


class EntityStore(Protocol):
    """The part of a store that knows which records name what. Its index is written with the records, in the same transaction, and goes
    with them. Names are merged and split by changes (``records.Merge``, ``records.Split``) through ``Store.apply``."""

    async def named(self, scope: Scope, keys: Sequence[str] | None = None) -> tuple[Named, ...]:
        """Names in current and superseded records, by key; ``keys``: only those of them that are there."""
        ...

    async def naming(self, scope: Scope, keys: Sequence[str], *, within: Within = Within(), limit: int | None = None) -> tuple[Record, ...]:
        """Current and superseded records that name one of these, by when they began (``valid_from``, else ``learned_at``), the first
        first, of equal ones in the order they were added; with ``limit`` the last so many of those ``within``."""
        ...

    async def name_anew(self, scope: Scope) -> int:
        """Note anew what every record names, by the rules of this version; returns of how many records."""
        ...

    async def aliases(self, scope: Scope) -> tuple[Alias, ...]:
        """The merges that stand, by key."""
        ...
