"""What a store answers: what is to be read at one moment, and what was counted or erased."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pagefile.messages import Message
from pagefile.records import Block, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseReceipt:
    """How many of each were removed."""

    messages: int = 0
    records: int = 0
    blocks: int = 0
    vectors: int = 0
    postings: int = 0
    history: int = 0
    jobs: int = 0
    tasks: int = 0
    operations: int = 0
    #: Running summaries of sessions.
    summaries: int = 0
    #: Keyed hashes that were left behind, so that what went is not learnt again.
    tombstones: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Counts over a scope, or over the whole store."""

    scopes: int
    sessions: int
    messages: int
    records: int
    blocks: int
    #: Embedder id → vectors.
    vectors: Mapping[str, int]
    #: Job state → jobs.
    jobs: Mapping[str, int]
    #: 0 for a store without a file.
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """Records found by their keys, and the revision of the scope they were read at."""

    revision: int
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """What a session has in its window before anything is recalled."""

    session: str
    #: As ``Store.window`` gives them.
    messages: tuple[Message, ...] = ()
    #: As in ``SessionInfo``; of a session in which nothing was said, those of the beginning.
    last_seq: int = 0
    window_start: int = 1
    summary: str | None = None
    summarised_to: int = 0
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """What a reader has before it in a session, oldest first."""

    messages: tuple[Message, ...] = ()
    #: Those just before it, which were read.
    context: tuple[Message, ...] = ()
