"""The memory of one user: everything an application does with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import pagefile.arguments as arguments
from pagefile.context.assemble import Window
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.intake import draft, fingerprint
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
#: Characters of text that are worked on elsewhere than on the event loop.
_LARGE = 20_000
#: Times an edit is made anew because somebody else changed the record meanwhile.
_EDIT_TRIES = 10


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
        given = [messages] if isinstance(messages, Mapping | str) else arguments.listed(messages, "messages")
        agent = _optional(agent, "agent")
        size = sum(400 + _length(one) for one in given)
        drafts, refused = await _off_loop(size, _drafts, given, self._parts, agent)
        outcomes: list[Appended] = []
        if key is not None:
            key = identifier(key, "key")
            outcomes += await self._store.append(self.scope, session, drafts, key=key, fingerprint=fingerprint(session, given))
        for start in range(0, len(drafts) if key is None else 0, _APPEND_BATCH):
            outcomes += await self._store.append(self.scope, session, drafts[start : start + _APPEND_BATCH])
            self._worker.wrote(self.scope, min(_APPEND_BATCH, len(drafts) - start))
        refused += _conflicts(given, refused, outcomes)
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
        record = Record(
            id=self._parts.new_id(),
            learned_at=self._parts.now(),
            session=_optional(session, "session"),
            agent=_optional(agent, "agent"),
            trust=arguments.trust(trust),
            sources=tuple(arguments.listed(sources, "sources")),
            **arguments.record_fields({"text": text, "kind": kind, "tags": tags, **fields}, self._parts.zone),
        )
        cause = self._cause(reason)
        indexing = await _off_loop(len(record.text), record_indexing, record)
        async with self._remembering:
            twin = await self._same_text(record)
            if twin is not None:
                await self._store.apply(self.scope, [Reinforce(target=twin.id, cause=cause, sources=record.sources)])
                return await self._record(twin.id)
            await self._store.apply(self.scope, [Add(item=record, cause=cause, indexing=indexing)])
        self._worker.wrote(self.scope, 1)
        return record

    async def edit(self, id: str, *, reason: str = "edit() was called", expected_version: int | None = None, **fields: Any) -> Record:
        """Change fields of a record in place, such as ``text`` or ``tags``. Its id, history and counters stay.

        Raises NotFound, ConflictError (``expected_version`` is not the stored one), InputError. Messages cannot be edited.
        """
        if not fields:
            raise InputError("edit needs at least one field to change, such as text or tags")
        fields = arguments.record_fields(fields, self._parts.zone)
        cause = self._cause(reason)
        for _ in range(_EDIT_TRIES):
            record = await self._record(id)
            indexing = await _off_loop(len(record.text), record_indexing, replace(record, **fields))
            # What finds the record is made of all its fields: it is good only for the version it was made of.
            version = record.version if expected_version is None else expected_version
            change = Edit(target=record.id, fields=fields, cause=cause, indexing=indexing, expected_version=version)
            try:
                await self._store.apply(self.scope, [change])
            except ConflictError:
                if expected_version is not None:
                    raise
                continue
            self._worker.wrote(self.scope, 1)
            return await self._record(record.id)
        raise ConflictError(f"the record {id!r} is changed by others all the time; try again")

    async def forget(self, id: str, *, reason: str = "forget() was called") -> HistoryEntry:
        """Take a record or a message out of recall. It stays in history; ``restore`` brings it back, ``erase`` removes it for good."""
        return await self._switch(Retire(target=identifier(id, "id"), cause=self._cause(reason)))

    async def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        """Bring back what was forgotten."""
        return await self._switch(Restore(target=identifier(id, "id"), cause=self._cause(reason)))

    async def _switch(self, change: Retire | Restore) -> HistoryEntry:
        """What was done; if it was so already, the entry of when it came to be so."""
        done = await self._store.apply(self.scope, [change])
        history = done or await self._store.history(self.scope, change.target)
        if not history:
            raise InputError(f"{change.target!r} was never forgotten: there is nothing to restore")
        return history[-1]

    async def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        """Remove for good one or several items, a session, or (neither given) all of this user. The receipt counts what went.

        Raises NotFound if none of the items is there.
        """
        if id is not None and session is not None:
            raise InputError("give ids or a session to erase, not both; neither erases everything of the user")
        ids = None if id is None else [identifier(id, "id")] if isinstance(id, str) else arguments.names(id, "id")
        try:
            receipt = await self._store.erase(self.scope, ids=ids, session=_optional(session, "session"))
        finally:
            if isinstance(self._parts.embedder, CachedEmbedder):
                self._parts.embedder.clear()
        if ids and not receipt.messages and not receipt.records:
            raise NotFound(f"there is no record or message {', '.join(ids)[:200]!r} here; nothing was erased")
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
        label, agent = identifier(label, "label"), _optional(agent, "agent")
        if not isinstance(text, str) or not isinstance(description, str | None):
            raise InputError("the text and the description of a block must be text")
        if token_limit is not None:
            arguments.whole_number(token_limit, "token_limit")
        text, description = clean(text), None if description is None else clean(description)
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
        now, zone = self._parts.now(), self._parts.zone
        where = Where(
            kinds=None if kinds is None else arguments.some_of(kinds, "kind", arguments.ITEM_KINDS),
            sessions=None if session is None else arguments.names([session] if isinstance(session, str) else session, "session"),
            agent=_optional(agent, "agent"),
            speaker=_optional(speaker, "speaker"),
            tags=None if tags is None else arguments.names(tags, "tag"),
            since=None if since is None else arguments.edge(since, "start", now=now, zone=zone),
            until=None if until is None else arguments.edge(until, "end", now=now, zone=zone),
            statuses=arguments.some_of(statuses, "status", arguments.STATUSES),
            min_trust=None if min_trust is None else arguments.trust(min_trust),
            alive_at=now,
        )
        await self._worker.catch_up(self.scope)
        return await recall(self._parts, self.scope, query, where=where, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain)

    async def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        """A window of at most ``budget`` tokens for an application that calls its own model: instructions, blocks, recent messages,
        recalled notes and ``messages``, ready to send. Nothing is written."""
        asked = {"role": "user", "content": messages}
        given = [asked] if isinstance(messages, str) else arguments.listed(messages, "messages")
        session, agent = identifier(session, "session"), _optional(agent, "agent")
        arguments.whole_number(budget, "budget")
        await self._worker.catch_up(self.scope)
        return await build_window(self._parts, self.scope, session, given, budget=budget, agent=agent)

    async def list(
        self, *, kinds: Sequence[Kind] | None = None, tags: Sequence[str] | None = None, statuses: Sequence[Status] = ("current",),
        after: str | None = None, limit: int = 100,
    ) -> Page[Record]:  # fmt: skip
        """Records, oldest first. ``after``: the cursor of the page before."""
        where = Where(
            kinds=None if kinds is None else arguments.some_of(kinds, "kind", arguments.KINDS),
            tags=None if tags is None else arguments.names(tags, "tag"),
            statuses=arguments.some_of(statuses, "status", arguments.STATUSES),
            alive_at=self._parts.now(),
        )
        return await self._store.records(self.scope, where=where, after=after, limit=limit)

    async def messages(
        self,
        session: str | None = None,
        *,
        statuses: Sequence[Status] = ("current",),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        """The journal of one session, or of all (``session=None``) in the order it was recorded. ``statuses`` with "retired": also what
        was forgotten."""
        where = Where(statuses=arguments.some_of(statuses, "status", arguments.STATUSES))
        session = _optional(session, "session")
        return await self._store.messages(self.scope, session, where=where, after=after, limit=limit, newest_first=newest_first)

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
        return await self._store.blocks(self.scope, _optional(agent, "agent"))

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

    async def _block(self, label: str, agent: str | None) -> Block | None:
        blocks = await self._store.blocks(self.scope, agent)
        return next((block for block in blocks if (block.label, block.agent) == (label, agent)), None)

    async def _record(self, id: str) -> Record:
        item = await self.get(id)
        if not isinstance(item, Record):
            raise InputError(f"{id!r} is a message: what was said is not edited; forget it or erase it")
        return item

    async def _same_text(self, record: Record) -> Record | None:
        """A current record that says the same, but for case and width."""
        where = Where(kinds=(record.kind,), alive_at=self._parts.now())
        found = await self._store.search(self.scope, Probe(terms=query_terms(record.text), where=where, limit=20, neighbours=0))
        items = await self._store.get(self.scope, found.table.ids)
        return next((item for item in items if isinstance(item, Record) and fold(item.text) == fold(record.text)), None)


def _length(message: Mapping[str, Any] | str) -> int:
    content = message.get("content") if isinstance(message, Mapping) else message
    return len(content) if isinstance(content, str | list) else 0


def _optional(value: str | None, what: str) -> str | None:
    return None if value is None else identifier(value, what)


async def _off_loop(size: int, work: Callable[..., T], *given: Any) -> T:
    """Do work on text of ``size`` characters: much of it in a thread, since it would hold up everybody else on this event loop."""
    return await asyncio.to_thread(work, *given) if size > _LARGE else work(*given)


def _drafts(given: Sequence[Mapping[str, Any] | str], parts: Parts, agent: str | None) -> tuple[list[Draft], list[Refused]]:
    drafts: list[Draft] = []
    refused: list[Refused] = []
    for index, message in enumerate(given):
        try:
            drafts.append(draft(message, parts=parts, agent=agent))
        except InputError as error:
            refused.append(Refused(index=index, reason=str(error)))
    return drafts, refused


def _conflicts(given: Sequence[object], refused: Sequence[Refused], outcomes: Sequence[Appended]) -> list[Refused]:
    taken = [place for place in range(len(given)) if place not in {one.index for one in refused}]
    # A replay leaves out what was erased since; its answers then stand at no known place.
    places = taken if len(taken) == len(outcomes) else [-1] * len(outcomes)
    reason = "a message with the id {!r} and other content stands in this session; give it another id"
    return [
        Refused(index=place, reason=reason.format(one.message.external_id))
        for place, one in zip(places, outcomes, strict=True)
        if one.outcome == "conflict"
    ]
