"""Everything replaceable, on one page: Store, VectorIndex, Model, Embedder.

A store keeps the journal, the records and their indexes; it never embeds, segments or ranks. Implementations of this
package stand in ``stores/``, ``models/`` and ``embedders/``; ``pagefile.testing`` has a contract suite for stores.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pagefile.access import ApiKey, KeptReply
from pagefile.costs import DaySpent, Purpose, Spent
from pagefile.entities import EntityStore
from pagefile.events import TextDelta, Usage
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo, ToolCall
from pagefile.queries import Candidates, Hit, Item, Page, Probe, Where
from pagefile.receipts import EraseReceipt, Keyed, Resident, StoreStats, Unread
from pagefile.records import Block, Change, HistoryEntry, Record, Scope, TaskState

Vectors: TypeAlias = NDArray[np.float32]


# --- jobs and the operations log ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """Work to be done later, enqueued in the same transaction as what it is about."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    #: A name: while a job of this kind and name waits in the scope ("queued"), no other one is added.
    once: str | None = None
    #: Not to be claimed before this time; None: at once.
    ready_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A unit of background work. Claimed with a lease; when the lease runs out, another worker may claim it."""

    id: str
    scope: Scope
    kind: str
    payload: Mapping[str, Any]
    state: Literal["queued", "running", "dead"]
    attempts: int
    #: Not claimed before this time (back-off).
    ready_at: datetime
    created_at: datetime
    #: Why the last attempt failed.
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One line of the operations log: what was asked, with which parameters, and what came of it."""

    kind: str
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    at: datetime
    #: The session and the items it is about: when these are erased, so is this line.
    session: str | None = None
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a reader has come in a session: messages up to ``seq`` were learnt from. It never moves back."""

    session: str
    #: Of the reader: "rules", "model" …
    name: str
    seq: int
    #: Id of the message at ``seq``; None: not checked.
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """An item that has no vector of the asked embedder, or one of another text."""

    scope: Scope
    item: Item
    #: The ``embedding_hash`` a vector for it must carry.
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVector:
    """A vector for an item. It is passed over if the item's ``embedding_hash`` is no longer ``hash``."""

    id: str
    hash: str
    vector: Vectors


# --- the ports ---------------------------------------------------------------------------------------------------------


class Store(EntityStore, Protocol):
    """Keeps everything. Each method is one transaction, durable when it returns. ``scope`` is matched exactly.

    Whatever is written through ``append`` or ``apply`` is findable by words at once. Items whose ``embedding_hash`` is not
    empty get a job of kind ``"embed"`` (payload ``{"ids": [...]}``, one job a call) in the same transaction.
    """

    #: Where the data is, for people: a path or "memory".
    location: str

    # the journal
    async def append(
        self,
        scope: Scope,
        session: str,
        drafts: Sequence[Draft],
        *,
        jobs: Sequence[NewJob] = (),
        key: str | None = None,
        fingerprint: str = "",
        lease: Lease | None = None,
        answers: str | None = None,
    ) -> tuple[Appended, ...]:
        """Add messages to the end of a session. A ``key`` seen before in this scope gives the first call's answer again and changes
        nothing; with another ``fingerprint`` of the content it raises ConflictError. ``lease``: the session is taken, kept or given free
        with it; raises SessionBusy if another holder has it, and nothing is written then. ``answers``: the message of this scope that
        these answer; if that was erased meanwhile nothing is written, and they count as erased."""
        ...

    async def messages(
        self,
        scope: Scope,
        session: str | None,
        *,
        where: Where = Where(),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        """Scan the journal: of one session by ``seq``, or of the whole scope (``session=None``) in the order it was recorded.

        ``after``: the cursor of the page before; within a session it is a sequence number as text, and one may begin anywhere.
        """
        ...

    async def window(self, scope: Scope, session: str) -> tuple[Message, ...]:
        """The messages of a session from its ``window_start`` on, oldest first, retired ones left out."""
        ...

    async def session(self, scope: Scope, session: str) -> SessionInfo | None: ...

    async def sessions(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]: ...

    async def set_window(
        self,
        scope: Scope,
        session: str,
        *,
        window_start: int,
        summary: str | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> None:
        """Move on the start of a session's window. It never moves back.

        ``summary``: a running summary of all messages before that start, kept if no later start is there; None leaves the one there is.
        """
        ...

    async def set_summary(
        self, scope: Scope, session: str, *, summary: str | None, to: int, instead_of: str | None, of: Sequence[str] = ()
    ) -> bool:
        """Replace the running summary by one of all messages up to the sequence number ``to``.

        Nothing is written, and False returned, if it is too late: the present summary is not ``instead_of`` or covers as much, one of the
        messages ``of`` which it tells was erased or retired, or the session is gone.
        """
        ...

    async def resident(self, scope: Scope, session: str, agent: str | None = None) -> Resident:
        """What a turn of a session begins with, read at one moment."""
        ...

    async def unread(self, scope: Scope, session: str, reader: str, *, limit: int, context: int) -> Unread:
        """The next messages of a session that a reader (see ``Progress``) has not read, those that are hidden too, and up to ``context``
        of those before them."""
        ...

    # records and blocks
    async def apply(
        self,
        scope: Scope,
        changes: Sequence[Change],
        *,
        jobs: Sequence[NewJob] = (),
        revision: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[HistoryEntry, ...]:
        """The one door for every write to records and blocks: all of the changes and their history, or nothing.

        ``revision``: the changes were decided on what ``keyed`` gave at this revision. ``progress`` is kept in the same transaction.
        Raises NotFound (a target; or the ``message`` of ``progress`` does not stand at its ``seq`` in the session, as it was erased: the
        numbers of an erased session begin again), ConflictError (id or block exists, ``expected_version`` differs), StaleRevision
        (records were changed or something was erased since ``revision``: decide again), Erased (the same was erased, and not said since),
        InputError (unknown field).
        """
        ...

    async def keyed(self, scope: Scope, keys: Sequence[str]) -> Keyed:
        """Records of any status that are filed under one of these keys (see ``language.keys``), oldest first, and the scope's revision,
        in one snapshot. Every ``apply`` that changes a record and every ``erase`` makes a new revision, which never comes again, not even
        when the scope is erased and written anew. A scope that is not there has 0."""
        ...

    async def citing(self, scope: Scope, messages: Sequence[str]) -> tuple[Record, ...]:
        """Records of any status with one of these messages among their sources, oldest first."""
        ...

    async def progress(self, scope: Scope, session: str) -> Mapping[str, int]:
        """How far each reader has come in a session: name → sequence number."""
        ...

    async def entry(self, scope: Scope, id: str) -> HistoryEntry | None:
        """One change of the history by its id."""
        ...

    async def changes(self, scope: Scope, *, after: str | None = None, limit: int = 100, newest_first: bool = True) -> Page[HistoryEntry]:
        """Every change in the scope. Its ids grow, and are cursors: the changes after one, or before it, may be asked for."""
        ...

    async def get(self, scope: Scope, ids: Sequence[str]) -> tuple[Item | None, ...]:
        """Records and messages by id, in the order asked; None for what this scope does not have."""
        ...

    async def records(self, scope: Scope, *, where: Where = Where(), after: str | None = None, limit: int = 100) -> Page[Record]:
        """Scan the records, oldest first."""
        ...

    async def history(self, scope: Scope, target: str) -> tuple[HistoryEntry, ...]:
        """Every change to a record, message or block ("block:label"), oldest first."""
        ...

    async def blocks(self, scope: Scope, agent: str | None = None, *, every: bool = False) -> tuple[Block, ...]:
        """Shared blocks and those of ``agent``, by label; an agent's own hides the shared one of that label. ``every``: those of all
        agents, by label and agent, none hidden."""
        ...

    async def mark_used(self, scope: Scope, ids: Sequence[str], *, at: datetime) -> None:
        """Count a use of these records. No change of what they say: no history row, no new version."""
        ...

    # turns
    async def hold(self, scope: Scope, session: str, lease: Lease) -> bool:
        """Take a session that there is, or keep it: nobody else begins a turn in it. False: another holder has it, or it is gone."""
        ...

    async def let_go(self, scope: Scope, session: str, holder: str) -> None:
        """Give a session free; nothing, if another holder has it."""
        ...

    # recall
    async def search(self, scope: Scope, probe: Probe) -> Candidates:
        """Look into the indexes. One snapshot; unranked; statistics are of this scope alone (all its items, filtered or not)."""
        ...

    async def unembedded(
        self, embedder: str, *, scope: Scope | None = None, after: str | None = None, limit: int = 256
    ) -> Page[Unembedded]:
        """Items without a valid vector of this embedder, in a stable order."""
        ...

    async def put_vectors(self, scope: Scope, embedder: str, vectors: Sequence[NewVector]) -> int:
        """Keep vectors; returns how many. Raises InvalidVector for one that is all zero, not finite or not of the embedder's dimension
        (then none is kept). Items that are gone or whose text changed are passed over."""
        ...

    async def drop_vectors(self, keep: str) -> int:
        """Remove the vectors of all embedders but ``keep``; returns how many."""
        ...

    # jobs
    async def enqueue(self, scope: Scope, jobs: Sequence[NewJob]) -> tuple[str, ...]: ...

    async def claim(
        self,
        kinds: Sequence[str],
        *,
        now: datetime,
        lease_seconds: float,
        limit: int = 1,
        scope: Scope | None = None,
        ready_by: datetime | None = None,
    ) -> tuple[Job, ...]:
        """Take jobs that are ready ``now``, or will be at ``ready_by``, oldest first, so that nobody else has them until the lease runs
        out."""
        ...

    async def renew(self, ids: Sequence[str], *, now: datetime, lease_seconds: float) -> None:
        """Keep claimed jobs for so long from now on."""
        ...

    async def complete(self, ids: Sequence[str]) -> None: ...

    async def fail(self, id: str, *, error: str, now: datetime, retry_at: datetime | None) -> None:
        """Put a job back for ``retry_at``; None: it is dead, and stays visible."""
        ...

    async def jobs(
        self, *, scope: Scope | None = None, state: str | None = None, after: str | None = None, limit: int = 100
    ) -> Page[Job]: ...

    async def waiting_since(self, kinds: Sequence[str], *, now: datetime) -> datetime | None:
        """Since when the job of these kinds waits that is ready longest; None: none is."""
        ...

    async def release(self, ids: Sequence[str], *, ready_at: datetime) -> None:
        """Put claimed jobs back without counting the attempt: it was too early for them."""
        ...

    async def revive(self, ids: Sequence[str], *, now: datetime) -> int:
        """Queue dead jobs again, as if new."""
        ...

    # task state, operations log
    async def put_task(self, scope: Scope, state: TaskState) -> None: ...

    async def task(self, scope: Scope, key: str, *, now: datetime) -> TaskState | None: ...

    async def drop_task(self, scope: Scope, key: str) -> bool: ...

    async def tasks(self, scope: Scope, *, now: datetime, prefix: str = "") -> tuple[TaskState, ...]:
        """Where the tasks stand whose key begins so, by key (compared as bytes of UTF-8)."""
        ...

    async def log(self, scope: Scope, *operations: Operation) -> None:
        """Add lines. Into a scope that is not there nothing is written: there is nothing they could be about."""
        ...

    async def prune_operations(self, scope: Scope, *, before: datetime, keep: int) -> int:
        """Drop lines of an earlier time, and all but the newest ``keep``; returns how many went."""
        ...

    async def operations(self, scope: Scope, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        """Newest first."""
        ...

    # what models cost
    async def spend(self, scope: Scope, day: date, spent: Spent = Spent(), *, purpose: Purpose = "learn") -> Spent:
        """Add to what was spent for this scope on this day for a purpose, and return its sum; without ``spent`` only look."""
        ...

    async def costs(self, scope: Scope | None = None, *, since: date | None = None, until: date | None = None) -> tuple[DaySpent, ...]:
        """What was spent from ``since`` to ``until``, both included, by day, scope (in the order they came) and purpose."""
        ...

    # the whole
    async def scopes(self, *, after: str | None = None, limit: int = 100, tenant: str | None = None) -> Page[Scope]: ...

    async def stats(self, scope: Scope | None = None) -> StoreStats: ...

    async def erase(self, scope: Scope, *, session: str | None = None, ids: Sequence[str] | None = None) -> EraseReceipt:
        """Remove for good: some items, a session, or (neither given) everything of the scope. Nothing of the text stays in the file.

        What was made of it goes too: running summaries of its session, history, log lines, and of the records that cite an erased message
        summaries, those whose every source goes, and those that an extractor read in it first (the first of ``sources``). Messages
        that such a record cites and that stay are put up to be learnt from again (a job "learn", payload {"ids": […]}), unless it was
        retired. Other records that cite an erased message stay, without these sources and the evidence they were; nothing counts them.
        A keyed hash of each message and record stays as a tombstone (see ``language.keys.marks``), but for records to be learnt again.
        """
        ...

    async def erased(self, scope: Scope, marks: Sequence[str]) -> tuple[datetime | None, ...]:
        """When what these marks (see ``language.keys.marks``) stand for was erased; None: it was not."""
        ...

    async def occurrences(self, texts: Sequence[str]) -> tuple[int, ...]:
        """How often the bytes of each text stand in what is kept: the whole file and its log, free pages included."""
        ...

    # keys and replies of a server
    async def put_key(self, key: ApiKey) -> None:
        """Keep an API key. Raises ConflictError if its id is taken."""
        ...

    async def key(self, hash: str) -> ApiKey | None:
        """The key whose secret has this hash, expired or not."""
        ...

    async def keys(self) -> tuple[ApiKey, ...]: ...

    async def drop_key(self, id: str) -> bool:
        """Revoke a key; False: there is none with this id."""
        ...

    async def reply(self, scope: Scope, key: str, *, now: datetime) -> KeptReply | None:
        """What was answered under an idempotency key, unless that has expired."""
        ...

    async def keep_reply(self, scope: Scope, reply: KeptReply, *, now: datetime) -> KeptReply:
        """Keep a reply, and let go of expired ones and of the scope's oldest over ``MOST_REPLIES``. Gives the one that stands under its
        key: the first, but what is being done (status 0) gives way to any that is done, and to one of the same body."""
        ...

    async def close(self) -> None: ...


class VectorIndex(Protocol):
    """Finds the nearest of one scope's vectors. Positions are rows of the matrix it was built from."""

    def search(self, query: Vectors, limit: int, allowed: NDArray[np.bool_] | None = None) -> tuple[NDArray[np.int64], Vectors]:
        """Positions and cosines of the nearest, best first. Shapes: query (dimension,), allowed (rows,), results (≤ limit,)."""
        ...

    @property
    def bytes(self) -> int: ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of one space. Safe to call from several threads and after a fork; loads on first use."""

    #: Names the space: weights, quantisation, pooling. Vectors of two ids are never compared.
    id: str
    #: Where texts are sent, for people; None: they stay on this machine.
    sends_to: str | None

    async def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """L2-normalised float32 vectors, shape (len(texts), dimension). Texts that are too long are trimmed.

        ``query``: they are questions, not things to be found. Raises EmbedderError.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it. ``parameters`` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What a model is asked. ``messages`` are in the form of the Chat Completions API."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[ToolSpec] = ()
    #: Names of tools that may not be called now: a call of one that is spelled out in the text is no part of the answer.
    withheld: Sequence[str] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    #: JSON schema that the reply must follow. Endpoints that cannot enforce it are told by the prompt alone.
    schema: Mapping[str, Any] | None = None
    #: What was recalled for this turn; it stands in ``messages`` too. For models that answer from memory alone.
    notes: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinished:
    """The last event of a model's answer."""

    reason: Literal["stop", "length", "tool_calls", "content_filter"]
    usage: Usage


ModelEvent: TypeAlias = TextDelta | ToolCall | ModelFinished


class Model(Protocol):
    """A language model."""

    #: For people and logs.
    name: str
    #: Tokens it can read and write in one request.
    context_window: int
    #: Whether tools may be offered to it.
    supports_tools: bool
    #: Its replies are made of recalled notes alone: they are kept in the journal but never recalled.
    echoes_memory: bool

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer piece by piece; whole tool calls; then one ModelFinished. Raises ModelError. Closing the iterator stops the model."""
        ...

    async def close(self) -> None: ...
