"""What can be asked of a memory, and what comes back. Frozen values, no I/O."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagefile.messages import Message
from pagefile.records import Kind, Record, Source, Status, Trust

#: Messages of the journal are found beside records.
ItemKind: TypeAlias = Kind | Literal["message"]
T = TypeVar("T")
Column: TypeAlias = NDArray[Any]

#: Index term of what ends in a question. No text has it among its words, so nobody finds anything by it.
ASKS = "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Filters, all of which must hold. None means no filter; an empty tuple matches nothing."""

    kinds: tuple[ItemKind, ...] | None = None
    sessions: tuple[str, ...] | None = None
    #: Messages with a sequence number at or after this one are left out, if they are of this session: what the window shows already.
    not_in_window: tuple[str, int] | None = None
    agent: str | None = None
    speaker: str | None = None
    roles: tuple[str, ...] | None = None
    #: All of these.
    tags: tuple[str, ...] | None = None
    #: Half-open range of ``said_at`` (messages) or ``valid_from``, else ``learned_at`` (records).
    since: datetime | None = None
    until: datetime | None = None
    #: Messages pass unless they are retired or superseded and that is not listed.
    statuses: tuple[Status, ...] = ("current",)
    #: World time: records that held then (``valid_from``, else ``learned_at`` ≤ as_of < ``valid_to``), messages said by then.
    as_of: datetime | None = None
    #: System time: what the store believed then (``learned_at`` ≤ known_at < ``retired_at``; messages by ``recorded_at``).
    known_at: datetime | None = None
    min_trust: Trust | None = None
    #: Records whose ``expires_at`` is at or before this are left out. Give the time of the query.
    alive_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One look into the indexes of a scope: by words, by vector, or by both in one snapshot."""

    #: Query term → weight (1.0 is normal). Empty: no word search.
    terms: Mapping[str, float] = field(default_factory=dict)
    #: Query vector, L2-normalised, and the id of the embedder that made it. None: no vector search.
    vector: Sequence[float] | None = None
    embedder: str | None = None
    where: Where = Where()
    #: At most this many candidates from each of the two searches; their neighbours come on top.
    limit: int = 200
    #: Also fetch this many turns before and after each message candidate, as candidates of their own.
    neighbours: int = 1


@dataclass(frozen=True, slots=True)
class Signals:
    """Raw scores of one item: BM25 of the query's terms (0 if none occurs) and cosine (None: it has no vector)."""

    words: float
    cosine: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that may answer, with all that a ranking needs and no text."""

    id: str
    kind: ItemKind
    signals: Signals
    #: Of the turns just before and after in the same session; None at a border and for records.
    before: Signals | None = None
    after: Signals | None = None
    #: BM25 of the whole session as one document; 0 for records.
    session_words: float = 0.0
    #: Share of the query's terms that the item has, those of more weight and rare ones counting more, 0..1.
    covered: float = 0.0
    #: It was indexed with ``ASKS``.
    asks: bool = False
    session: str | None = None
    seq: int | None = None
    role: str | None = None
    speaker: str | None = None
    #: ``said_at`` of a message; ``valid_from``, else ``learned_at``, of a record.
    time: datetime
    tokens: int
    confidence: float = 1.0
    importance: float = 0.5
    use_count: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Coded(Generic[T]):
    """A column of values that repeat: a code for each item, and what the codes stand for."""

    codes: Column
    names: Mapping[int, T]

    @classmethod
    def of(cls, values: Sequence[T]) -> Coded[T]:
        codes: dict[T, int] = {}
        column = np.array([codes.setdefault(value, len(codes)) for value in values], dtype=np.int64)
        return cls(column, {code: value for value, code in codes.items()})

    def values(self) -> list[T]:
        return [self.names[code] for code in self.codes.tolist()]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CandidateTable:
    """Candidates as columns, in one order: a search looks at hundreds of them. ``n`` is their number."""

    ids: Sequence[str]
    kinds: Coded[ItemKind]
    #: BM25 and cosines, shape (3, n): of the items, of the turns just before them, and of those just after. NaN: there is no such turn,
    #: or no vector.
    words: Column
    cosines: Column
    #: The others have the shape (n,). ``seqs`` is 0 for records; ``times`` are seconds since 1970.
    session_words: Column
    covered: Column
    asks: Column
    sessions: Coded[str | None]
    seqs: Column
    roles: Coded[str | None]
    speakers: Coded[str | None]
    times: Column
    tokens: Column
    confidences: Column
    importances: Column
    use_counts: Column

    @classmethod
    def of(cls, items: Sequence[Candidate]) -> CandidateTable:
        """The table of these candidates."""
        rows: list[list[Signals | None]] = [[one.signals for one in items], [one.before for one in items], [one.after for one in items]]
        cosines = [[None if each is None else each.cosine for each in row] for row in rows]
        return cls(
            ids=[one.id for one in items],
            kinds=Coded.of([one.kind for one in items]),
            words=np.array([[np.nan if each is None else each.words for each in row] for row in rows]).reshape(3, -1),
            cosines=np.array(cosines, dtype=np.float64).reshape(3, -1),
            session_words=np.array([one.session_words for one in items]),
            covered=np.array([one.covered for one in items], dtype=np.float64),
            asks=np.array([one.asks for one in items], dtype=np.bool_),
            sessions=Coded.of([one.session for one in items]),
            seqs=np.array([one.seq or 0 for one in items], dtype=np.int64),
            roles=Coded.of([one.role for one in items]),
            speakers=Coded.of([one.speaker for one in items]),
            times=np.array([one.time.timestamp() for one in items]),
            tokens=np.array([one.tokens for one in items], dtype=np.int64),
            confidences=np.array([one.confidence for one in items]),
            importances=np.array([one.importance for one in items]),
            use_counts=np.array([one.use_count for one in items], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def items(self) -> tuple[Candidate, ...]:
        """The candidates one by one; times are in UTC."""
        own, before, after = (_signals(*rows) for rows in zip(self.words.tolist(), self.cosines.tolist(), strict=True))
        kinds, sessions, roles, speakers = self.kinds.values(), self.sessions.values(), self.roles.values(), self.speakers.values()
        return tuple(
            Candidate(
                id=id,
                kind=kinds[place],
                signals=own[place] or Signals(0.0, None),
                before=before[place],
                after=after[place],
                session_words=float(self.session_words[place]),
                covered=float(self.covered[place]),
                asks=bool(self.asks[place]),
                session=sessions[place],
                seq=int(self.seqs[place]) or None,
                role=roles[place],
                speaker=speakers[place],
                time=datetime.fromtimestamp(float(self.times[place]), UTC),
                tokens=int(self.tokens[place]),
                confidence=float(self.confidences[place]),
                importance=float(self.importances[place]),
                use_count=int(self.use_counts[place]),
            )
            for place, id in enumerate(self.ids)
        )


def _signals(words: Sequence[float], cosines: Sequence[float]) -> list[Signals | None]:
    return [
        None if math.isnan(one) else Signals(one, None if math.isnan(cosine) else cosine)
        for one, cosine in zip(words, cosines, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Population:
    """Mean and standard deviation of a raw score over all items of the scope that were searched, hits or not."""

    mean: float = 0.0
    deviation: float = 0.0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """What a probe found, unranked."""

    table: CandidateTable = field(default_factory=lambda: CandidateTable.of(()))
    words: Population = Population()
    cosines: Population = Population()
    sessions: Population = Population()
    #: Items that matched the probe but not the filters.
    filtered_out: int = 0
    #: Items of the scope that have no vector of the probe's embedder.
    without_vector: int = 0
    #: Keys of the names in the scope that stand for another name, and of those for which they stand.
    merged: frozenset[str] = frozenset()

    @property
    def items(self) -> tuple[Candidate, ...]:
        """The candidates one by one, for tests and for reading; a ranking reads the table."""
        return self.table.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing that was found."""

    id: str
    kind: ItemKind
    text: str
    #: 0..1, comparable across queries.
    score: float
    #: ``said_at`` of a message; ``valid_from``, else ``learned_at``, of a record.
    time: datetime
    session: str | None
    speaker: str | None
    role: str | None
    sources: tuple[Source, ...]
    trust: Trust
    tokens: int
    #: Part of the score → its value; only with ``explain=True``.
    why: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits(Sequence[Hit]):
    """The hits of a search, best first; a sequence, with what happened on the way."""

    hits: tuple[Hit, ...] = ()
    #: Items that matched but were under the floor of the score.
    below_floor: int = 0
    #: Items that matched but were taken out by the filters.
    filtered_out: int = 0
    #: Items left out because ``max_tokens`` was used up.
    over_budget: int = 0
    #: Items over the floor that plainly do not belong to the answer: facts about somebody else, near topics.
    left_out: int = 0
    #: Items of the scope that could not be found by meaning yet (no vector).
    without_vector: int = 0
    #: "words" when no vector could be used (no embedder, or it failed), else "words+vectors".
    mode: Literal["words", "words+vectors"] = "words"
    #: Sentences for a person: what was degraded and why.
    warnings: tuple[str, ...] = ()

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # int or slice, as tuple has it
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page of a scan. The order is stable: nothing is listed twice or left out while others write."""

    items: tuple[T, ...]
    #: Pass it to get the next page; None: this was the last.
    cursor: str | None
    #: How many there are in all.
    total: int

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)


#: What an id can stand for.
Item: TypeAlias = Record | Message
