"""What can be asked of a memory, and what comes back. Frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeAlias, TypeVar

from pagefile.messages import Message
from pagefile.records import Kind, Record, Source, Status, Trust

#: Messages of the journal are found beside records.
ItemKind: TypeAlias = Kind | Literal["message"]
T = TypeVar("T")


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
    #: Of records. Messages pass unless they are retired and "retired" is not listed.
    statuses: tuple[Status, ...] = ("current",)
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
    session: str | None = None
    seq: int | None = None
    role: str | None = None
    speaker: str | None = None
    #: ``said_at`` of a message; ``valid_from``, else ``learned_at``, of a record.
    time: datetime
    tokens: int
    trust: Trust = Trust.USER_SAID
    confidence: float = 1.0
    importance: float = 0.5
    use_count: int = 0
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Population:
    """Mean and standard deviation of a raw score over all items of the scope that were searched, hits or not."""

    mean: float = 0.0
    deviation: float = 0.0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a probe found, unranked."""

    items: tuple[Candidate, ...] = ()
    words: Population = Population()
    cosines: Population = Population()
    sessions: Population = Population()
    #: Items that matched the probe but not the filters.
    filtered_out: int = 0
    #: Items of the scope that have no vector of the probe's embedder.
    without_vector: int = 0


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


#: What an id can stand for.
Item: TypeAlias = Record | Message
