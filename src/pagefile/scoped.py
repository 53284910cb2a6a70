"""The memory of one user: everything an application does with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pagefile.adding as adding
import pagefile.arguments as arguments
from pagefile.beliefs import Beliefs, Correction, Why
from pagefile.context.assemble import Window
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import InputError, NotFound
from pagefile.items import item_of
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.lifecycle.forget import matching
from pagefile.messages import Message, Origin, Receipt, SessionInfo
from pagefile.operations import recalled
from pagefile.parts import Parts
from pagefile.ports import EraseReceipt, Operation, Spent, StoreStats
from pagefile.queries import Hits, Item, ItemKind, Page, Where
from pagefile.records import Add, Block, Cause, Edit, HistoryEntry, Kind, Record, Scope, Source, Status, Trust, identifier
from pagefile.retraction import Forgotten, Retraction
from pagefile.retrieval.recall import recall
from pagefile.session import Session
from pagefile.stores.incognito import IncognitoStore
from pagefile.tools import require_room
from pagefile.upkeep import Consolidated, Tidied
from pagefile.window import ChatSettings, build_window
from pagefile.worker import Worker


class AsyncScopedMemory:
    """The memory of one user. Made by ``AsyncMemory.scope``."""

    def __init__(self, parts: Parts, worker: Worker, scope: Scope) -> None:
        self._parts = parts
        self._store = parts.store
        self._worker = worker
        self._beliefs = Beliefs(parts, worker.recorder, scope)
        self._retraction = Retraction(parts, worker.recorder, scope)
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
        origin: Origin = "said",
        consent: str | None = None,
    ) -> Receipt:
        """Write messages to the end of a session's journal. They are durable, and found by words, when it returns.

        ``messages``: OpenAI-style messages, or plain text for a user's. A message's own ``id`` is kept, comes back in ``Hit.sources``
        and is stored once a session. Its own time is ``said_at`` (default: now). ``key`` makes the whole call idempotent: repeated,
        it gives the same receipt again; with other messages it raises ConflictError. A message that cannot be kept is refused in the
        receipt, and the others are stored. What they state is learnt in the background, in the user's words alone: text of other
        ``origin`` ("file", "web", "imported") waits for confirmation. Secrets are taken out before anything is stored.
        ``consent="explicit"``: personal identifiers in them may be learnt.
        """
        given = adding.checked(messages, session=session, agent=agent, key=key, origin=origin, consent=consent)
        return await adding.add(self._parts, self._worker, self.scope, given)

    async def remember(
        self,
        /,
        text: str,
        *,
        kind: Kind = "fact",
        tags: Sequence[str] = (),
        session: str | None = None,
        agent: str | None = None,
        trust: Trust = Trust.USER_SAID,
        sources: Sequence[Source] = (),
        reason: str = "remember() was called",
        consent: str | None = None,
        **fields: Any,
    ) -> Record:
        """Keep a record: something worth knowing, in one sentence. What it contradicts is superseded; the same again reinforces it.

        ``fields``: others of ``Record``, such as ``importance``, ``valid_from``, ``expires_at``, ``pinned``. Raises InputError, also for
        a personal identifier without ``consent="explicit"``.
        """
        record = self._new_record({"text": text, "kind": kind, "tags": tags, **fields}, session, agent, trust, sources)
        return await self._beliefs.remember(record, given=fields, reason=_text(reason), consent=arguments.consent(consent))

    async def edit(
        self,
        /,
        id: str,
        *,
        reason: str = "edit() was called",
        expected_version: int | None = None,
        consent: str | None = None,
        **fields: Any,
    ) -> Record:
        """Change fields of a record in place, such as ``text`` or ``tags``. Its id, history and counters stay; what it contradicts from
        then on is superseded.

        Raises NotFound, ConflictError (``expected_version`` is not the stored one), and InputError, also for a personal identifier that is
        new in it without ``consent="explicit"``. Messages cannot be edited.
        """
        if not fields:
            raise InputError("edit needs at least one field to change, such as text or tags")
        checked = arguments.record_fields(fields, self._parts.zone)
        agreed = arguments.consent(consent)
        return await self._beliefs.edit(
            identifier(id, "id"), checked, reason=_text(reason), expected_version=expected_version, consent=agreed
        )

    async def correct(
        self,
        text: str,
        *,
        id: str | None = None,
        query: str | None = None,
        reason: str = "correct() was called",
        consent: str | None = None,
    ) -> Correction:
        """Say what is true instead: of the record ``id``, of those that ``query`` means, or (neither given) of what the text contradicts.

        Returns the new record and the ids of those it superseded, which stay in history. Raises NotFound if the query means no record.
        """
        # What is corrected may have been said a moment ago.
        await self._worker.catch_up(self.scope)
        targets = await self._meant(id, query, records_only=True)
        if query is not None and not targets:
            raise NotFound(f"no record is meant by {query[:80]!r}; nothing was changed. Use remember() for something new")
        record = self._new_record({"text": text, "kind": "fact"}, None, None, Trust.USER_SAID, ())
        return await self._beliefs.correct(record, targets, reason=_text(reason), consent=arguments.consent(consent))

    async def confirm(self, id: str, *, reason: str = "confirm() was called") -> Record:
        """Believe a record on the user's own word: a pending one becomes current, and what it contradicts is superseded."""
        return await self._beliefs.confirm(identifier(id, "id"), reason=_text(reason))

    async def forget(
        self, id: str | Sequence[str] | None = None, *, query: str | None = None, dry_run: bool = False, reason: str = "forget() was called"
    ) -> Forgotten:
        """Take records or messages out of recall: by id, or those that ``query`` means. They stay in history; ``restore`` brings them
        back, ``erase`` removes them for good. With a message goes what was learnt from it alone.

        ``dry_run``: only say what would go. Raises NotFound for an id that is not there.
        """
        if (id is None) == (query is None):
            raise InputError("give an id or a query to forget")
        items = [await item_of(self._store, self.scope, each) for each in await self._meant(id, query)]
        return await self._retraction.forget(items, reason=_text(reason), dry_run=dry_run)

    async def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        """Bring back what was forgotten or superseded; what contradicts it is superseded."""
        entry = await self._retraction.restore(identifier(id, "id"), reason=_text(reason))
        await self._worker.read_again(self.scope, [entry.target])
        return entry

    async def undo(self, change: str, *, reason: str = "undo() was called") -> tuple[HistoryEntry, ...]:
        """Take back one change, by its id in ``history`` or ``changes``. Raises NotFound, ConflictError if it was changed again since."""
        return await self._retraction.undo(identifier(change, "change"), reason=_text(reason))

    async def revert(
        self, *, session: str | None = None, source: str | Sequence[str] | None = None, reason: str = "revert() was called"
    ) -> tuple[HistoryEntry, ...]:
        """Forget everything that was learnt from a session, or from some messages (ids): what it had superseded holds again. The messages
        stay in the journal; they are not recalled any more, and nothing more is learnt from them."""
        if (session is None) == (source is None):
            raise InputError("give a session or a source (ids of messages) to revert")
        await self._worker.catch_up(self.scope)
        if session is not None:
            messages = await self._retraction.messages_of(identifier(session, "session"))
        else:
            messages = _ids(source)
        return await self._retraction.revert(messages, reason=_text(reason))

    async def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        """Remove for good one or several items, a session, or (neither given) all of this user, with all that was made of it. Nothing of
        it is learnt again from old chats or imports; what had given way to what was learnt from erased messages alone holds again. The
        receipt counts what went.

        Raises NotFound if none of the items is there.
        """
        if id is not None and session is not None:
            raise InputError("give ids or a session to erase, not both; neither erases everything of the user")
        ids = None if id is None else _ids(id)
        await self._worker.operations.flush()
        try:
            receipt = await self._retraction.erase(ids, _optional(session, "session"))
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
        text, description = redact(clean(text)).text, None if description is None else redact(clean(description)).text
        given = {"text": text, "description": description, "token_limit": token_limit, "read_only": read_only}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        old = await self._block(label, agent)
        block = old or Block(label=label, agent=agent)
        require_room(replace(block, **{**fields, "text": block.text}), text)
        cause = Cause(actor=f"user:{self.scope.user}", reason="write_block() was called", at=self._parts.now())
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
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        history: bool = False,
    ) -> Hits:
        """Find what answers a question, best first, over messages and records.

        ``limit`` hits of together at most ``max_tokens``; none whose score (0..1) is under ``floor`` (default: see ``recall``).
        ``since`` and ``until``: a half-open range, as datetime or in words ("last week", 上周三). ``as_of``: what was true then;
        ``known_at``: what was believed then; ``history``: also what was superseded. ``explain``: each hit tells the parts of its score.
        Raises InputError. If the embedder fails, words alone are used, and the result says so.
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
            min_trust=None if min_trust is None else arguments.trust(min_trust),
            **self._times(statuses, as_of, known_at, history=history),
        )
        await self._worker.catch_up(self.scope)
        hits = await recall(self._parts, self.scope, query, where=where, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain)
        if hits:
            # A search that finds nothing is no use of the memory; its words must not be kept where those of an erased user were.
            self._worker.note(self.scope, recalled(query, hits, at=now))
        return hits

    async def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        """A window of at most ``budget`` tokens for an application that calls its own model: instructions, blocks, recent messages,
        recalled notes and ``messages``, ready to send. Nothing is written but a line in the operations log: what the model says to the
        notes it was shown is not learnt as new."""
        asked = {"role": "user", "content": messages}
        given = [asked] if isinstance(messages, str) else arguments.listed(messages, "messages")
        session, agent = identifier(session, "session"), _optional(agent, "agent")
        arguments.whole_number(budget, "budget")
        await self._worker.catch_up(self.scope)
        window = await build_window(self._parts, self.scope, session, given, budget=budget, agent=agent)
        if window.hits:
            self._worker.note(self.scope, recalled("", Hits(hits=window.hits), at=self._parts.now(), session=session))
        return window

    async def list(
        self,
        *,
        kinds: Sequence[Kind] | None = None,
        tags: Sequence[str] | None = None,
        statuses: Sequence[Status] = ("current",),
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        history: bool = False,
        after: str | None = None,
        limit: int = 100,
    ) -> Page[Record]:
        """Records, oldest first. ``after``: the cursor of the page before. ``as_of``, ``known_at`` and ``history`` as in ``search``."""
        where = Where(
            kinds=None if kinds is None else arguments.some_of(kinds, "kind", arguments.KINDS),
            tags=None if tags is None else arguments.names(tags, "tag"),
            **self._times(statuses, as_of, known_at, history=history),
        )
        await self._worker.catch_up(self.scope)
        return await self._store.records(self.scope, where=where, after=after, limit=limit)

    async def messages(
        self,
        session: str | None = None,
        *,
        statuses: Sequence[Status] = ("current", "superseded"),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        """The journal of one session, or of all (``session=None``) in the order it was recorded: also messages that a search hides because
        nothing that was learnt from them holds any more. ``statuses`` with "retired": also what was forgotten."""
        where = Where(statuses=arguments.some_of(statuses, "status", arguments.STATUSES))
        session = _optional(session, "session")
        return await self._store.messages(self.scope, session, where=where, after=after, limit=limit, newest_first=newest_first)

    async def sessions(self, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        """The sessions of this user."""
        return await self._store.sessions(self.scope, after=after, limit=limit)

    async def get(self, id: str) -> Item:
        """A record or message by its id. Raises NotFound."""
        return await item_of(self._store, self.scope, identifier(id, "id"))

    async def why(self, id: str) -> Why:
        """Why a record is believed: the words it rests on, who read them, and every change. Raises NotFound."""
        return await self._beliefs.why(identifier(id, "id"))

    async def timeline(self, attribute: str, *, subject: str = "user") -> tuple[Record, ...]:
        """What was so when, oldest first: all that was believed of one property, such as "residence", of somebody."""
        await self._worker.catch_up(self.scope)
        return await self._beliefs.timeline(arguments.text(attribute, "attribute"), arguments.text(subject, "subject"))

    async def history(self, id: str) -> tuple[HistoryEntry, ...]:
        """Every change to a record, message or block (``"block:label"``), oldest first. Raises NotFound."""
        id = identifier(id, "id")
        entries = await self._store.history(self.scope, id)
        if not entries and not id.startswith("block:"):
            await self.get(id)
        return entries

    async def changes(self, *, after: str | None = None, limit: int = 100) -> Page[HistoryEntry]:
        """Every change to anything of this user, newest first."""
        return await self._store.changes(self.scope, after=after, limit=limit)

    async def operations(self, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        """What was asked of this memory and what came of it, newest first."""
        await self._worker.operations.flush()
        return await self._store.operations(self.scope, after=after, limit=limit)

    async def spent(self) -> Spent:
        """What learning by a model cost for this user today."""
        return await self._store.spend(self.scope, self._parts.now().astimezone(self._parts.zone).date())

    async def tidy(self, *, dry_run: bool = False) -> Tidied:
        """Put away what is of no more use: what expired, what was never confirmed, the weakest over the capacity. It is done every night;
        what is pinned stays. ``dry_run``: only say what would go."""
        return await self._worker.upkeep.tidy(self.scope, dry_run=dry_run)

    async def consolidate(self, *, dry_run: bool = False) -> Consolidated:
        """Merge records that say the same and summarise old sessions, as is done every night. ``dry_run``: only show what would change."""
        return await self._worker.upkeep.consolidate(self.scope, dry_run=dry_run)

    async def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        """Core memory: the shared blocks and those of ``agent``."""
        return await self._store.blocks(self.scope, _optional(agent, "agent"))

    async def stats(self) -> StoreStats:
        """Counts over what is kept of this user."""
        return await self._store.stats(self.scope)

    def chat(
        self, *, session: str = "default", agent: str | None = None, settings: ChatSettings | None = None, incognito: bool = False
    ) -> Session:
        """A conversation that remembers: ``stream`` a message and get the events of the turn.

        ``incognito``: it sees what is remembered and leaves nothing: its messages are kept only as long as the object, and not learnt from.
        """
        session, settings = identifier(session, "session"), settings or ChatSettings()
        if not incognito:
            return Session(self._parts, self.scope, session, agent=agent, settings=settings, worker=self._worker)
        parts = replace(self._parts, store=IncognitoStore(self._store))
        # Under a name of its own: what was said in a real session of that name can be recalled, as it stands in no window.
        return Session(parts, self.scope, f"incognito {self._parts.new_id()}", agent=agent, settings=settings)

    # --- helpers -------------------------------------------------------------------------------------------------------

    def _new_record(
        self, fields: Mapping[str, Any], session: str | None, agent: str | None, trust: Trust, sources: Sequence[Source]
    ) -> Record:
        return Record(
            id=self._parts.new_id(),
            learned_at=self._parts.now(),
            session=_optional(session, "session"),
            agent=_optional(agent, "agent"),
            trust=arguments.trust(trust),
            sources=tuple(arguments.listed(sources, "sources")),
            **arguments.record_fields(fields, self._parts.zone),
        )

    def _times(
        self, statuses: Sequence[Status], as_of: datetime | str | None, known_at: datetime | str | None, *, history: bool
    ) -> dict[str, Any]:
        """The filters of a look into the past."""
        now, zone = self._parts.now(), self._parts.zone
        wanted = arguments.some_of(statuses, "status", arguments.STATUSES)
        if history or as_of is not None or known_at is not None:
            wanted = tuple(dict.fromkeys((*wanted, "superseded")))
        then = None if as_of is None else arguments.edge(as_of, "end", now=now, zone=zone)
        return {
            "statuses": wanted,
            "as_of": then,
            # What has expired since was there then.
            "alive_at": then or now,
            "known_at": None if known_at is None else arguments.edge(known_at, "end", now=now, zone=zone),
        }

    async def _meant(self, id: str | Sequence[str] | None, query: str | None, *, records_only: bool = False) -> tuple[str, ...]:
        """The ids that are given, or those of what a query means."""
        if id is not None and query is not None:
            raise InputError("give an id or a query, not both")
        if query is None:
            return () if id is None else _ids(id)
        await self._worker.catch_up(self.scope)
        meant = [await self._matching(query, arguments.KINDS)]
        if not records_only:
            # Apart: of a record and the message it was learnt from a search gives one.
            meant.append(await self._matching(query, ("message",)))
        return await self._retraction.without_others([id for ids in meant for id in ids])

    async def _matching(self, query: str, kinds: Sequence[ItemKind]) -> tuple[str, ...]:
        where = Where(kinds=tuple(kinds), alive_at=self._parts.now())
        return matching(query, (await recall(self._parts, self.scope, query, where=where, limit=20)).hits)

    async def _block(self, label: str, agent: str | None) -> Block | None:
        blocks = await self._store.blocks(self.scope, agent)
        return next((block for block in blocks if (block.label, block.agent) == (label, agent)), None)


def _optional(value: str | None, what: str) -> str | None:
    return None if value is None else identifier(value, what)


def _ids(given: str | Sequence[str] | None) -> tuple[str, ...]:
    return (identifier(given, "id"),) if isinstance(given, str) else arguments.names(given, "id")


def _text(reason: str) -> str:
    return redact(arguments.text(reason, "reason")).text
