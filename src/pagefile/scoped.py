"""The memory of one user: everything an application does with it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, TypeVar, get_args

from pagefile.context.assemble import Window
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import InputError, NotFound
from pagefile.intake import draft, fingerprint, moment
from pagefile.language.dates import parse_time
from pagefile.language.text import clean, fold
from pagefile.language.words import query_terms
from pagefile.messages import Appended, Draft, Message, Receipt, Refused, SessionInfo
from pagefile.parts import Parts
from pagefile.ports import EraseReceipt, StoreStats
from pagefile.queries import Hits, Item, ItemKind, Page, Probe, Where
from pagefile.records import (
    Add,
    Block,
    Cause,
    Edit,
    HistoryEntry,
    Kind,
    Record,
    Reinforce,
    Restore,
    Retire,
    Scope,
    Source,
    Status,
    Trust,
    identifier,
)
from pagefile.retrieval.indexing import record_indexing
from pagefile.retrieval.recall import recall
from pagefile.session import Session
from pagefile.tools import require_room
from pagefile.window import ChatSettings, build_window
from pagefile.worker import Worker

T = TypeVar("T")

#: Messages written in one transaction, so that a large import leaves room for others.
_APPEND_BATCH = 500
#: Fields of a record that an application may edit.
_EDITABLE = frozenset({"text", "kind", "subject", "attribute", "value", "polarity", "tags", "entities", "confidence", "importance",
                       "valid_from", "valid_to", "expires_at", "privacy", "pinned"})  # fmt: skip


class AsyncScopedMemory:
    """The memory of one user. Made by ``AsyncMemory.scope``."""

    def __init__(self, parts: Parts, worker: Worker, scope: Scope, lock: asyncio.Lock) -> None:
        self._parts = parts
        self._store = parts.store
        self._worker = worker
        self._remembering = lock
        #: Whose memory this is.
        self.scope = scope

    # --- writing -------------------------------------------------------------------------------------------------------

    async def add(
        self,
        messages: Sequence[Mapping[str, Any] | str] | Mapping[str, Any] | str,
        *,
        session: str = "default",
        agent: str | None = None,
        key: str | None = None,
    ) -> Receipt:
        """Write messages to the end of a session's journal. They are durable, and found by words, when it returns.

        ``messages``: OpenAI-style messages, or plain text for a user's. A message's own ``id`` is kept, comes back in ``Hit.sources``
        and is stored once a session. Its own time is ``said_at`` (default: now). ``key`` makes the whole call idempotent: repeated,
        it gives the same receipt again; with other messages it raises ConflictError. A message that cannot be kept is refused in the
        receipt, and the others are stored.
        """
        session = identifier(session, "session")
        given = [messages] if isinstance(messages, Mapping | str) else list(messages)
        # Hundreds of messages, or a very long one, would hold up everybody else on this event loop.
        large = len(given) > 50 or sum(len(str(one)) for one in given) > 20_000
        drafts, refused = await asyncio.to_thread(_drafts, given, self._parts, agent) if large else _drafts(given, self._parts, agent)
        outcomes: list[Appended] = []
        if key is not None:
            key = identifier(key, "key")
            outcomes += await self._store.append(self.scope, session, drafts, key=key, fingerprint=fingerprint(session, given))
        for start in range(0, len(drafts) if key is None else 0, _APPEND_BATCH):
            outcomes += await self._store.append(self.scope, session, drafts[start : start + _APPEND_BATCH])
            self._worker.wrote(self.scope, min(_APPEND_BATCH, len(drafts) - start))
        places = [place for place in range(len(given)) if place not in {one.index for one in refused}]
        for place, one in zip(places, outcomes, strict=True):
            if one.outcome == "conflict":
                reason = f"a message with the id {one.message.external_id!r} and other content stands in this session; give it another id"
                refused.append(Refused(index=place, reason=reason))
        kept = [one for one in outcomes if one.outcome != "conflict"]
        stored = sum(one.outcome == "stored" for one in kept)
        self._worker.wrote(self.scope, stored if key is not None else 0)
        return Receipt(
            session=session,
            messages=tuple(one.message for one in kept),
            stored=stored,
            duplicates=len(kept) - stored,
            refused=tuple(sorted(refused, key=lambda one: one.index)),
        )

    async def remember(
        self,
        text: str,
        *,
        kind: Kind = "fact",
        tags: Sequence[str] = (),
        session: str | None = None,
        agent: str | None = None,
        trust: Trust = Trust.USER_SAID,
        sources: Sequence[Source] = (),
        reason: str = "remember() was called",
        **fields: Any,
    ) -> Record:
        """Keep a record: something worth knowing, in one sentence. The same text again reinforces the record that stands.

        ``fields``: others of ``Record``, such as ``importance``, ``valid_from``, ``expires_at``, ``pinned``. Raises InputError.
        """
        text = self._text(text)
        async with self._remembering:
            twin = await self._same_text(text, kind)
            if twin is not None:
                await self._store.apply(self.scope, [Reinforce(target=twin.id, cause=self._cause(reason), sources=tuple(sources))])
                return await self._record(twin.id)
            unknown = set(fields) - _EDITABLE
            if unknown:
                raise InputError(f"a record has no field {', '.join(sorted(unknown))} to give; known are {', '.join(sorted(_EDITABLE))}")
            record = Record(
                id=self._parts.new_id(),
                kind=kind,
                text=text,
                tags=tuple(identifier(tag, "tag") for tag in tags),
                learned_at=self._parts.now(),
                session=identifier(session, "session") if session else None,
                agent=identifier(agent, "agent") if agent else None,
                trust=trust,
                sources=tuple(sources),
                **self._times(fields),
            )
            await self._store.apply(self.scope, [Add(item=record, cause=self._cause(reason), indexing=record_indexing(record))])
        self._worker.wrote(self.scope, 1)
        return record

    async def edit(self, id: str, *, reason: str = "edit() was called", expected_version: int | None = None, **fields: Any) -> Record:
        """Change fields of a record in place, such as ``text`` or ``tags``. Its id, history and counters stay.

        Raises NotFound, ConflictError (``expected_version`` is not the stored one), InputError. Messages cannot be edited.
        """
        unknown = set(fields) - _EDITABLE
        if unknown or not fields:
            raise InputError(
                f"edit needs one or more of {', '.join(sorted(_EDITABLE))}; not known: {', '.join(sorted(unknown)) or 'none given'}"
            )
        record = await self._record(id)
        fields = self._times(fields)
        if "text" in fields:
            fields["text"] = self._text(fields["text"])
        if "tags" in fields:
            fields["tags"] = tuple(identifier(tag, "tag") for tag in fields["tags"])
        indexing = record_indexing(replace(record, **fields))
        change = Edit(target=record.id, fields=fields, cause=self._cause(reason), indexing=indexing, expected_version=expected_version)
        await self._store.apply(self.scope, [change])
        self._worker.wrote(self.scope, 1)
        return await self._record(record.id)

    async def forget(self, id: str, *, reason: str = "forget() was called") -> HistoryEntry:
        """Take a record or a message out of recall. It stays in history; ``restore`` brings it back, ``erase`` removes it for good."""
        return (await self._store.apply(self.scope, [Retire(target=identifier(id, "id"), cause=self._cause(reason))]))[0]

    async def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        """Bring back what was forgotten."""
        return (await self._store.apply(self.scope, [Restore(target=identifier(id, "id"), cause=self._cause(reason))]))[0]

    async def erase(self, *, id: str | None = None, session: str | None = None) -> EraseReceipt:
        """Remove for good one item, a session, or (neither given) all of this user, with everything made from it. The receipt counts it."""
        if id is not None and session is not None:
            raise InputError("give an id or a session to erase, not both; neither erases everything of the user")
        if id is not None:
            await self.get(id)
        receipt = await self._store.erase(
            self.scope,
            ids=None if id is None else [identifier(id, "id")],
            session=None if session is None else identifier(session, "session"),
        )
        if isinstance(self._parts.embedder, CachedEmbedder):
            self._parts.embedder.clear()
        return receipt

    async def write_block(
        self,
        label: str,
        text: str,
        *,
        description: str | None = None,
        token_limit: int | None = None,
        read_only: bool | None = None,
        agent: str | None = None,
    ) -> Block:
        """Write a block of core memory: what the model always sees. What is not given stays as it is.

        ``read_only``: the model cannot change it; the application can. Raises BlockFull if the text is over the block's limit.
        """
        label, text = identifier(label, "label"), clean(text)
        given = {"text": text, "description": description, "token_limit": token_limit, "read_only": read_only}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        old = await self._block(label, agent)
        block = old or Block(label=label, agent=agent)
        require_room(replace(block, **{**fields, "text": block.text}), text)
        cause = self._cause("write_block() was called")
        change = (
            Edit(target=label, agent=agent, fields=fields, cause=cause, expected_version=old.version)
            if old
            else Add(item=replace(block, **fields), cause=cause)
        )
        await self._store.apply(self.scope, [change])
        return await self._block(label, agent) or block

    # --- reading -------------------------------------------------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        max_tokens: int | None = None,
        floor: float | None = None,
        explain: bool = False,
        kinds: Sequence[ItemKind] | None = None,
        session: str | Sequence[str] | None = None,
        agent: str | None = None,
        speaker: str | None = None,
        tags: Sequence[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        statuses: Sequence[Status] = ("current",),
        min_trust: Trust | None = None,
    ) -> Hits:
        """Find what answers a question, best first, over messages and records.

        ``limit`` hits of together at most ``max_tokens``; none whose score (0..1) is under ``floor`` (default: see ``recall``).
        ``since`` and ``until``: a half-open range, as datetime or in words ("last week", 上周三). ``explain``: each hit tells the
        parts of its score. Raises InputError. If the embedder fails, words alone are used, and the result says so.
        """
        sessions = [session] if isinstance(session, str) else session
        where = Where(
            kinds=None if kinds is None else _known(kinds, "kind", ("message", *get_args(Kind))),
            sessions=None if sessions is None else tuple(identifier(one, "session") for one in sessions),
            agent=None if agent is None else identifier(agent, "agent"),
            speaker=None if speaker is None else identifier(speaker, "speaker"),
            tags=None if tags is None else tuple(identifier(tag, "tag") for tag in tags),
            since=None if since is None else self._edge(since, "start"),
            until=None if until is None else self._edge(until, "end"),
            statuses=_known(statuses, "status", get_args(Status)),
            min_trust=min_trust,
            alive_at=self._parts.now(),
        )
        await self._worker.catch_up(self.scope)
        return await recall(self._parts, self.scope, query, where=where, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain)

    async def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        """A window of at most ``budget`` tokens for an application that calls its own model: instructions, blocks, recent messages,
        recalled notes and ``messages``, ready to send. Nothing is written."""
        given: list[Mapping[str, Any]] = [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
        await self._worker.catch_up(self.scope)
        return await build_window(self._parts, self.scope, identifier(session, "session"), given, budget=budget, agent=agent)

    async def list(
        self, *, kinds: Sequence[Kind] | None = None, tags: Sequence[str] | None = None, statuses: Sequence[Status] = ("current",),
        after: str | None = None, limit: int = 100,
    ) -> Page[Record]:  # fmt: skip
        """Records, oldest first. ``after``: the cursor of the page before."""
        where = Where(
            kinds=None if kinds is None else _known(kinds, "kind", get_args(Kind)),
            tags=None if tags is None else tuple(identifier(tag, "tag") for tag in tags),
            statuses=_known(statuses, "status", get_args(Status)),
            alive_at=self._parts.now(),
        )
        return await self._store.records(self.scope, where=where, after=after, limit=limit)

    async def messages(
        self, session: str | None = None, *, after: str | None = None, limit: int = 100, newest_first: bool = False
    ) -> Page[Message]:
        """The journal of one session, or of all (``session=None``) in the order it was recorded."""
        session = None if session is None else identifier(session, "session")
        return await self._store.messages(self.scope, session, after=after, limit=limit, newest_first=newest_first)

    async def sessions(self, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        """The sessions of this user."""
        return await self._store.sessions(self.scope, after=after, limit=limit)

    async def get(self, id: str) -> Item:
        """A record or message by its id. Raises NotFound."""
        id = identifier(id, "id")
        item = (await self._store.get(self.scope, [id]))[0]
        if item is None:
            raise NotFound(f"there is no record or message {id!r} here; ids come from search, list or add")
        return item

    async def history(self, id: str) -> tuple[HistoryEntry, ...]:
        """Every change to a record, message or block (``"block:label"``), oldest first. Raises NotFound."""
        id = identifier(id, "id")
        entries = await self._store.history(self.scope, id)
        if not entries and not id.startswith("block:"):
            await self.get(id)
        return entries

    async def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        """Core memory: the shared blocks and those of ``agent``."""
        return await self._store.blocks(self.scope, agent)

    async def stats(self) -> StoreStats:
        """Counts over what is kept of this user."""
        return await self._store.stats(self.scope)

    def chat(self, *, session: str = "default", agent: str | None = None, settings: ChatSettings | None = None) -> Session:
        """A conversation that remembers: ``stream`` a message and get the events of the turn."""
        return Session(
            self._parts, self.scope, identifier(session, "session"), agent=agent, settings=settings or ChatSettings(), worker=self._worker
        )

    # --- helpers -------------------------------------------------------------------------------------------------------

    def _cause(self, reason: str) -> Cause:
        return Cause(actor=f"user:{self.scope.user}", reason=reason, at=self._parts.now())

    def _text(self, text: object) -> str:
        if not isinstance(text, str) or not clean(text).strip():
            raise InputError("the text of a record must be a string that is not empty")
        return clean(text).strip()

    def _times(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        times = {"valid_from", "valid_to", "expires_at"}
        return {name: moment(value, self._parts.zone) if name in times and value is not None else value for name, value in fields.items()}

    def _edge(self, value: datetime | str, edge: Literal["start", "end"]) -> datetime:
        if isinstance(value, datetime):
            return moment(value, self._parts.zone)
        found = parse_time(value, reference=self._parts.now(), zone=self._parts.zone)
        at = found.start if edge == "start" else found.end
        if at is None:
            raise InputError(f"{value!r} has no {edge}; give a time that has one, such as 'last week', 2026-05-24 or 上周三")
        return at

    async def _block(self, label: str, agent: str | None) -> Block | None:
        blocks = await self._store.blocks(self.scope, agent)
        return next((block for block in blocks if (block.label, block.agent) == (label, agent)), None)

    async def _record(self, id: str) -> Record:
        item = await self.get(id)
        if not isinstance(item, Record):
            raise InputError(f"{id!r} is a message: what was said is not edited; forget it or erase it")
        return item

    async def _same_text(self, text: str, kind: Kind) -> Record | None:
        """A current record that says the same, but for case and width."""
        where = Where(kinds=(kind,), alive_at=self._parts.now())
        found = await self._store.search(self.scope, Probe(terms=query_terms(text), where=where, limit=20, neighbours=0))
        items = await self._store.get(self.scope, [candidate.id for candidate in found.items])
        return next((item for item in items if isinstance(item, Record) and fold(item.text) == fold(text)), None)


def _drafts(given: Sequence[Mapping[str, Any] | str], parts: Parts, agent: str | None) -> tuple[list[Draft], list[Refused]]:
    drafts: list[Draft] = []
    refused: list[Refused] = []
    for index, message in enumerate(given):
        try:
            drafts.append(draft(message, parts=parts, agent=agent))
        except InputError as error:
            refused.append(Refused(index=index, reason=str(error)))
    return drafts, refused


def _known(values: Sequence[T], what: str, known: Sequence[str]) -> tuple[T, ...]:
    for value in values:
        if value not in known:
            raise InputError(f"the {what} {value!r} is not known; use one of {', '.join(known)}")
    return tuple(values)
