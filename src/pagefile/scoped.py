"""The memory of one user: everything an application does with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pagefile.adding as adding
import pagefile.arguments as arguments
import pagefile.blocks as blocks
import pagefile.meant as meant
import pagefile.sessions as sessions
import pagefile.tasks as tasks
from pagefile.beliefs import Beliefs, Correction, Why
from pagefile.context.assemble import Window
from pagefile.context.report import ContextReport
from pagefile.costs import DaySpent, Spent
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import InputError, NotFound
from pagefile.intake import name_to_keep
from pagefile.items import item_of
from pagefile.messages import Message, Origin, Receipt, SessionInfo
from pagefile.operations import recalled
from pagefile.parts import Parts
from pagefile.ports import EraseReceipt, Operation, StoreStats
from pagefile.queries import Hits, Item, ItemKind, Page, Where
from pagefile.records import Block, HistoryEntry, Kind, Record, Scope, Source, Status, TaskState, Trust, identifier
from pagefile.retraction import Forgotten, Retraction
from pagefile.retrieval.recall import recall
from pagefile.session import Session
from pagefile.sessions import Loaded
from pagefile.status import WorkStatus, read_status, update_status
from pagefile.stores.incognito import IncognitoStore
from pagefile.tasks import Checkpoint
from pagefile.upkeep import Consolidated, Tidied
from pagefile.window import ChatSettings, build_window, context_report
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
        record = arguments.new_record(
            self._parts, {"text": text, "kind": kind, "tags": tags, **fields}, session=session, agent=agent, trust=trust, sources=sources
        )
        return await self._beliefs.remember(record, given=fields, reason=arguments.reason(reason), consent=arguments.consent(consent))

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
            identifier(id, "id"), checked, reason=arguments.reason(reason), expected_version=expected_version, consent=agreed
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
        targets = await meant.items(self._parts, self.scope, self._retraction, id, query, records_only=True)
        if query is not None and not targets:
            raise NotFound(f"no record is meant by {query[:80]!r}; nothing was changed. Use remember() for something new")
        record = arguments.new_record(self._parts, {"text": text, "kind": "fact"}, trust=Trust.USER_SAID)
        return await self._beliefs.correct(record, targets, reason=arguments.reason(reason), consent=arguments.consent(consent))

    async def confirm(self, id: str, *, reason: str = "confirm() was called") -> Record:
        """Believe a record on the user's own word: a pending one becomes current, and what it contradicts is superseded."""
        return await self._beliefs.confirm(identifier(id, "id"), reason=arguments.reason(reason))

    async def forget(
        self, id: str | Sequence[str] | None = None, *, query: str | None = None, dry_run: bool = False, reason: str = "forget() was called"
    ) -> Forgotten:
        """Take records or messages out of recall: by id, or those that ``query`` means. They stay in history; ``restore`` brings them
        back, ``erase`` removes them for good. With a message goes what was learnt from it alone.

        ``dry_run``: only say what would go. Raises NotFound for an id that is not there.
        """
        if (id is None) == (query is None):
            raise InputError("give an id or a query to forget")
        if query is not None:
            await self._worker.catch_up(self.scope)
        ids = await meant.items(self._parts, self.scope, self._retraction, id, query)
        items = [await item_of(self._store, self.scope, each) for each in ids]
        return await self._retraction.forget(items, reason=arguments.reason(reason), dry_run=dry_run)

    async def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        """Bring back what was forgotten or superseded; what contradicts it is superseded."""
        entry = await self._retraction.restore(identifier(id, "id"), reason=arguments.reason(reason))
        await self._worker.read_again(self.scope, [entry.target])
        return entry

    async def undo(self, change: str, *, reason: str = "undo() was called") -> tuple[HistoryEntry, ...]:
        """Take back one change, by its id in ``history`` or ``changes``. Raises NotFound, ConflictError if it was changed again since."""
        return await self._retraction.undo(identifier(change, "change"), reason=arguments.reason(reason))

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
            messages = meant.ids_of(source)
        return await self._retraction.revert(messages, reason=arguments.reason(reason))

    async def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        """Remove for good one or several items, a session, or (neither given) all of this user, with all that was made of it. Nothing of
        it is learnt again from old chats or imports; what had given way to what was learnt from erased messages alone holds again. The
        receipt counts what went.

        Raises NotFound if none of the items is there.
        """
        if id is not None and session is not None:
            raise InputError("give ids or a session to erase, not both; neither erases everything of the user")
        ids = None if id is None else meant.ids_of(id)
        await self._worker.operations.flush()
        try:
            receipt = await self._retraction.erase(ids, arguments.optional(session, "session"))
            if session is not None:
                await tasks.drop_checkpoints(self._parts, self.scope, session)
        finally:
            if isinstance(self._parts.embedder, CachedEmbedder):
                self._parts.embedder.clear()
        if ids and not receipt.messages and not receipt.records:
            raise NotFound(f"there is no record or message {', '.join(ids)[:200]!r} here; nothing was erased")
        # What others said of it too is read again, before the next search.
        self._worker.said(self.scope)
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
        if not isinstance(text, str):
            raise InputError("the text of a block must be text")
        fields = {"text": text, "description": description, "token_limit": token_limit, "read_only": read_only}
        actor, reason = f"user:{self.scope.user}", "write_block() was called"
        return await blocks.write_block(self._parts, self.scope, label, fields, agent=agent, actor=actor, reason=reason)

    # --- lighter ways: none of it is ever learnt from -----------------------------------------------------------------------

    async def update_status(
        self, *, known: Sequence[str] | str | None = None, progress: Sequence[str] | str | None = None, agent: str | None = None
    ) -> WorkStatus:
        """Keep where the work stands in a block that every window shows: what is known, the progress, or both, as lines. What is None stays
        as it is, an empty list removes. Raises BlockFull."""
        actor = f"user:{self.scope.user}"
        return await update_status(self._parts, self.scope, known=known, progress=progress, agent=agent, actor=actor)

    async def status(self, *, agent: str | None = None) -> WorkStatus:
        """What is known and how far the work has come; empty if nothing was written."""
        return await read_status(self._parts, self.scope, agent=arguments.optional(agent, "agent"))

    async def put_task(self, key: str, value: Any, *, step: int = 0, expires_at: datetime | str | None = None) -> TaskState:
        """Keep where a task stands: a JSON value under a key, in place of the one before."""
        return await tasks.put_task(self._parts, self.scope, key, value, step=step, expires_at=expires_at)

    async def task(self, key: str) -> TaskState | None:
        """Where a task stands; None: it is not there, or has expired."""
        return await tasks.find_task(self._parts, self.scope, key)

    async def drop_task(self, key: str) -> bool:
        """Forget where a task stands; returns whether it was there."""
        return await tasks.drop_task(self._parts, self.scope, key)

    async def tasks(self) -> tuple[TaskState, ...]:
        """The tasks that have not expired, by key."""
        return await tasks.list_tasks(self._parts, self.scope)

    async def checkpoint(self, session: str, key: str, state: Any = None) -> Checkpoint:
        """Keep where a conversation stands now, and any JSON value that a program needs to go on from there. A later one of the same key
        takes its place; it goes along with ``save_session``."""
        return await tasks.put_checkpoint(self._parts, self.scope, name_to_keep(session, "session"), key, state)

    async def resume(self, key: str) -> Checkpoint | None:
        """Where to go on after a crash: the session, the turn, the state, and how many messages were said since. None: no checkpoint."""
        return await tasks.find_checkpoint(self._parts, self.scope, key)

    async def save_session(
        self, session: str, path: str | Path | None = None, *, blocks: bool = False, agent: str | None = None
    ) -> dict[str, Any]:
        """A conversation as one JSON document, also written to ``path`` if that is given: what was said with its times, the start of the
        window, the running summary, the checkpoints, and with ``blocks`` core memory (of ``agent``). Raises NotFound."""
        session, agent = identifier(session, "session"), arguments.optional(agent, "agent")
        return await sessions.save_session(self._parts, self.scope, session, path, blocks=blocks, agent=agent)

    async def load_session(self, saved: Mapping[str, Any] | str | Path, *, session: str | None = None) -> Loaded:
        """Load a saved conversation (a document, or the path of one) under its own name or ``session``, and learn from it as if it had been
        said here. Loading twice is the same as once. Raises ConflictError, changing nothing, if the session here differs."""
        loaded = await sessions.load_session(self._parts, self.scope, saved, session=session)
        self._worker.wrote(self.scope, loaded.stored)
        self._worker.said(self.scope)
        return loaded

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
        where = arguments.where(
            self._parts, kinds=kinds, session=session, agent=agent, speaker=speaker, tags=tags, since=since, until=until,
            min_trust=min_trust, statuses=statuses, as_of=as_of, known_at=known_at, history=history,
        )  # fmt: skip
        await self._worker.catch_up(self.scope)
        hits = await recall(self._parts, self.scope, query, where=where, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain)
        if hits:
            # A search that finds nothing is no use of the memory; its words must not be kept where those of an erased user were.
            self._worker.note(self.scope, recalled(query, hits, at=self._parts.now()))
        return hits

    async def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        """A window of at most ``budget`` tokens for an application that calls its own model: instructions, blocks, recent messages,
        recalled notes and ``messages``, ready to send. Nothing is written but a line in the operations log: what the model says to the
        notes it was shown is not learnt as new."""
        asked = {"role": "user", "content": messages}
        given = [asked] if isinstance(messages, str) else arguments.listed(messages, "messages")
        session, agent = identifier(session, "session"), arguments.optional(agent, "agent")
        arguments.whole_number(budget, "budget")
        await self._worker.catch_up(self.scope)
        settings = self._settings().with_rules(budget)
        window = await build_window(self._parts, self.scope, session, given, budget=budget, agent=agent, settings=settings)
        if window.hits:
            self._worker.note(self.scope, recalled("", Hits(hits=window.hits), at=self._parts.now(), session=session))
        return window

    async def context_report(
        self, session: str = "default", message: str | None = None, *, agent: str | None = None, settings: ChatSettings | None = None
    ) -> ContextReport:
        """What the model's window would be filled with if ``message`` were said next; without one, what the last turn's was.

        Tokens used, and how many there may be, of instructions, tools, blocks, summary, recent messages, recalled notes, the user's message
        and the reply. Nothing is written. Raises InputError if the fixed parts alone do not fit.
        """
        session, agent = identifier(session, "session"), arguments.optional(agent, "agent")
        settings = self._settings(settings).with_rules(self._parts.model.context_window)
        return await context_report(self._parts, self.scope, session, message, agent=agent, settings=settings)

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
            **arguments.past(statuses, as_of, known_at, history=history, now=self._parts.now(), zone=self._parts.zone),
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
        session = arguments.optional(session, "session")
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

    async def costs(self, *, since: date | str | None = None, until: date | str | None = None) -> tuple[DaySpent, ...]:
        """What models cost for this user, by day and purpose ("chat", "learn"); ``since`` and ``until`` are days, both included."""
        return await self._store.costs(self.scope, since=arguments.day(since, "since"), until=arguments.day(until, "until"))

    async def tidy(self, *, dry_run: bool = False) -> Tidied:
        """Put away what is of no more use: what expired, what was never confirmed, the weakest over the capacity. It is done every night;
        what is pinned stays. ``dry_run``: only say what would go."""
        return await self._worker.upkeep.tidy(self.scope, dry_run=dry_run)

    async def consolidate(self, *, dry_run: bool = False) -> Consolidated:
        """Merge records that say the same and summarise old sessions, as is done every night. ``dry_run``: only show what would change."""
        return await self._worker.upkeep.consolidate(self.scope, dry_run=dry_run)

    async def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        """Core memory: the shared blocks and those of ``agent``."""
        return await self._store.blocks(self.scope, arguments.optional(agent, "agent"))

    async def stats(self) -> StoreStats:
        """Counts over what is kept of this user."""
        return await self._store.stats(self.scope)

    def chat(
        self,
        *,
        session: str = "default",
        agent: str | None = None,
        settings: ChatSettings | None = None,
        rules: str | Path | None = None,
        incognito: bool = False,
    ) -> Session:
        """A conversation that remembers: ``stream`` a message and get the events of the turn.

        ``rules``: a Markdown file that stands in the fixed part of every window, read anew for each turn (default: that of the settings).
        ``incognito``: it sees what is remembered and leaves nothing: its messages are kept only as long as the object, and not learnt from.
        """
        session, settings = name_to_keep(session, "session"), self._settings(settings, rules)
        if not incognito:
            return Session(self._parts, self.scope, session, agent=agent, settings=settings, worker=self._worker)
        parts = replace(self._parts, store=IncognitoStore(self._store))
        # Under a name of its own: what was said in a real session of that name can be recalled, as it stands in no window.
        return Session(parts, self.scope, f"incognito {self._parts.new_id()}", agent=agent, settings=settings)

    # --- helpers -------------------------------------------------------------------------------------------------------

    def _settings(self, settings: ChatSettings | None = None, rules: str | Path | None = None) -> ChatSettings:
        """How a conversation is held, with the rules that hold in it."""
        settings = settings or ChatSettings()
        file = rules if rules is not None else settings.rules_file or self._parts.rules
        return replace(settings, rules_file=None if file is None else str(file))
