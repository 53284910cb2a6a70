"""The memory of one user: everything an application does with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pagefile.adding as adding
import pagefile.arguments as arguments
import pagefile.blocks as blocks
import pagefile.meant as meant
import pagefile.sessions as sessions
import pagefile.tasks as tasks
import pagefile.transfer as transfer
from pagefile.access import KeptReply
from pagefile.beliefs import Correction
from pagefile.conversation import Conversation
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import InputError, NotFound
from pagefile.exchange import MODES, Exchange, Mode
from pagefile.intake import name_to_keep
from pagefile.items import item_of
from pagefile.language.keys import reply_mark
from pagefile.learner import BY_RULES, LEARN, Learner
from pagefile.messages import Message, Origin, Receipt
from pagefile.parts import Parts
from pagefile.ports import Job
from pagefile.reading import ScopedReading
from pagefile.receipts import EraseReceipt
from pagefile.records import Block, HistoryEntry, Kind, Record, Scope, Source, TaskState, Trust, identifier
from pagefile.retraction import Forgotten, Retraction
from pagefile.session import Session
from pagefile.sessions import Loaded
from pagefile.status import WorkStatus, read_status, update_status
from pagefile.stores.incognito import IncognitoStore
from pagefile.tasks import Checkpoint
from pagefile.tools import ToolsetName
from pagefile.transfer import Imported
from pagefile.upkeep import Consolidated, Tidied
from pagefile.window import ChatSettings
from pagefile.worker import Worker


class AsyncScopedMemory(ScopedReading):
    """The memory of one user. Made by ``AsyncMemory.scope``."""

    def __init__(self, parts: Parts, worker: Worker, scope: Scope, actor: str | None = None) -> None:
        super().__init__(parts, worker, scope, actor)
        self._retraction = Retraction(parts, worker.recorder, scope, actor)

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
        trust: Trust = Trust.USER_SAID,
        reason: str = "correct() was called",
        consent: str | None = None,
    ) -> Correction:
        """Say what is true instead: of the record ``id``, of those that ``query`` means, or (neither given) of what the text contradicts.

        Returns the new record and the ids of those it superseded, which stay in history. ``trust``: whose word it is; what is not the
        person's own waits to be confirmed, and takes no place of what the person said. Raises NotFound if the query means no record,
        ConflictError.
        """
        # What is corrected may have been said a moment ago.
        await self._worker.catch_up(self.scope)
        targets = await meant.items(self._parts, self.scope, self._retraction, id, query, records_only=True)
        if query is not None and not targets:
            raise NotFound(f"no record is meant by {query[:80]!r}; nothing was changed. Use remember() for something new")
        record = arguments.new_record(self._parts, {"text": text, "kind": "fact"}, trust=trust)
        return await self._beliefs.correct(record, targets, reason=arguments.reason(reason), consent=arguments.consent(consent))

    async def confirm(self, id: str, *, reason: str = "confirm() was called") -> Record:
        """Believe a record on the user's own word: a pending one becomes current, and what it contradicts is superseded."""
        return await self._beliefs.confirm(identifier(id, "id"), reason=arguments.reason(reason))

    async def forget(
        self, id: str | Sequence[str] | None = None, *, query: str | None = None, dry_run: bool = False, reason: str = "forget() was called"
    ) -> Forgotten:
        """Take records or messages out of recall: by id, or those that ``query`` means. They stay in history; ``restore`` brings them
        back, ``erase`` removes them for good. With a message that is given by its id goes what was learnt from it alone.

        ``dry_run``: only say what would go. Raises NotFound for an id that is not there.
        """
        if (id is None) == (query is None):
            raise InputError("give an id or a query to forget")
        if query is not None:
            await self._worker.catch_up(self.scope)
        ids = await meant.items(self._parts, self.scope, self._retraction, id, query)
        items = [await item_of(self._store, self.scope, each) for each in ids]
        return await self._retraction.forget(items, reason=arguments.reason(reason), dry_run=dry_run, alone=query is not None)

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
        stay in the journal; they are not recalled any more, and nothing more is learnt from them. With a session goes what a model wrote
        into the blocks in it."""
        if (session is None) == (source is None):
            raise InputError("give a session or a source (ids of messages) to revert")
        await self._worker.catch_up(self.scope)
        if session is not None:
            messages = await self._retraction.messages_of(identifier(session, "session"))
        else:
            messages = meant.ids_of(source)
        return await self._retraction.revert(messages, reason=arguments.reason(reason), session=session)

    async def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        """Remove for good one or several items, a session, or (neither given) all of this user, with all that was made of it. Nothing of
        it is learnt again from old chats or imports; what had given way to what was learnt from erased messages alone holds again. With
        a fact go the messages from which it was learnt; one that says something else too is hidden from every search instead. The receipt
        counts what went.

        Raises NotFound if none of the items is there.
        """
        if id is not None and session is not None:
            raise InputError("give ids or a session to erase, not both; neither erases everything of the user")
        ids = None if id is None else meant.ids_of(id)
        session = arguments.optional(session, "session")
        await self._worker.behind.flush()
        await self._read_first(ids, session)
        try:
            receipt = await self._retraction.erase(ids, session)
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

    async def _read_first(self, ids: Sequence[str] | None, session: str | None) -> None:
        """Learn by rules from what is about to be erased and still waits to be read: only what it teaches can be kept from being learnt
        from an old chat."""
        if self._parts.learning.by == "off":
            return
        payloads: list[dict[str, Any]]
        if ids is not None:
            found = [item for item in await self._store.get(self.scope, ids) if isinstance(item, Message)]
            read = {name: (await self._store.progress(self.scope, name)).get(BY_RULES, 0) for name in {item.session for item in found}}
            waiting = [item.id for item in found if item.seq > read[item.session]]
            payloads = [{"ids": waiting}] if waiting else []
        else:
            waiting = await self._unread_sessions()
            payloads = [{"session": name} for name in waiting if session in (None, name)]
        now, learner = self._parts.now(), Learner(self._parts, self._worker.recorder)
        for payload in payloads:
            job = Job(id="", scope=self.scope, kind=LEARN, payload=payload, state="running", attempts=1, ready_at=now, created_at=now)
            await learner.do([job], hurry=True)

    async def _unread_sessions(self) -> list[str]:
        """The sessions with a job that learns from them: all others are read."""
        found, after = dict[str, None](), None
        while True:
            page = await self.jobs(after=after, limit=1_000)
            found |= {str(job.payload["session"]): None for job in page.items if job.kind == LEARN and "session" in job.payload}
            if page.cursor is None:
                return list(found)
            after = page.cursor

    async def merge_entities(self, name: str, into: str, *, reason: str = "merge_entities() was called") -> HistoryEntry:
        """Let a name stand for the same person or thing as another one ("Bob", "Robert"), with all that stands for it already. No record
        is changed, and ``split_entity`` takes it back exactly. If they stand for the same already, the merge that made it so is given.
        Raises InputError."""
        return await self._graph.merge(identifier(name, "name"), identifier(into, "into"), reason=arguments.reason(reason))

    async def split_entity(self, alias: str, *, reason: str = "split_entity() was called") -> HistoryEntry:
        """Take back the merge of a name into another: it stands for itself again, and what had been merged into it for it. Raises
        NotFound if it was not merged."""
        return await self._graph.split(identifier(alias, "alias"), reason=arguments.reason(reason))

    async def write_block(
        self,
        label: str,
        text: str,
        *,
        description: str | None = None,
        token_limit: int | None = None,
        read_only: bool | None = None,
        agent: str | None = None,
        expected_version: int | None = None,
    ) -> Block:
        """Write a block of core memory: what the model always sees. What is not given stays as it is.

        ``read_only``: the model cannot change it; the application can. Raises BlockFull if the text is over the block's limit,
        ConflictError if it is not of the ``expected_version`` (0: it must not be there yet).
        """
        if not isinstance(text, str):
            raise InputError("the text of a block must be text")
        fields = {"text": text, "description": description, "token_limit": token_limit, "read_only": read_only}
        actor, reason = f"user:{self.scope.user}", "write_block() was called"
        return await blocks.write_block(
            self._parts, self.scope, label, fields, agent=agent, actor=actor, reason=reason, expected_version=expected_version
        )

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

    async def load(self, lines: transfer.Lines, *, blocks: bool = False, consent: str | None = None) -> Imported:
        """Take in the lines of an ``export``, mappings or JSON text, of this user or of another one: it all becomes this user's.

        Messages keep their ids and times, and are learnt from as if they had been said here. Records wait until they are confirmed,
        whatever they were; what was superseded, forgotten or erased is left out. ``blocks``: core memory is taken too, where there is
        none here. What stands here already is not taken twice. ``consent="explicit"``: records with personal identifiers may be kept. A
        line that cannot be used is refused in what is returned, and the others are taken. Raises InputError if it is no export.
        """
        agreed, wanted = arguments.consent(consent), arguments.one_of(blocks, "blocks", (True, False))
        taking = transfer.Import(self._parts, self._worker, self._beliefs, self.scope, blocks=wanted, consent=agreed)
        return await taking.take(lines)

    # --- upkeep --------------------------------------------------------------------------------------------------------

    async def flush(self, *, seconds: float = 30.0) -> int:
        """Wait until what was said here is learnt from and can be found by meaning, for so many seconds at most; returns how many of this
        user's jobs are left."""
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds < float("inf"):
            raise InputError(f"seconds must be a number of at least 0, not {seconds!r:.40}")
        return await self._worker.settle(self.scope, float(seconds))

    async def kept_reply(self, key: str) -> KeptReply | None:
        """What a server answered under an idempotency key, unless that has expired."""
        return await self._store.reply(self.scope, identifier(key, "key"), now=self._parts.now())

    async def keep_reply(self, reply: KeptReply) -> KeptReply:
        """Keep a server's reply under an idempotency key, to be given again, or (status 0) that it is being done. Gives the one that
        stands: the first that is done, or the first that began. An erase takes it along."""
        return await self._store.keep_reply(self.scope, reply, now=self._parts.now())

    async def reply_erased(self, key: str, fingerprint: str) -> datetime | None:
        """When the reply to a request under an idempotency key was last erased, with something of the user's; None: it was not.
        ``fingerprint``: as it was kept."""
        (erased_at,) = await self._store.erased(self.scope, [reply_mark(identifier(key, "key"), fingerprint)])
        return erased_at

    async def revive(self, ids: Sequence[str]) -> int:
        """Try again jobs of this user that were given up; returns how many of the ids are such jobs."""
        wanted, after, mine = set(arguments.names(ids, "id")), None, list[str]()
        while True:
            page = await self.jobs(state="dead", after=after, limit=1_000)
            mine += [job.id for job in page.items if job.id in wanted]
            if page.cursor is None:
                return await self._store.revive(mine, now=self._parts.now())
            after = page.cursor

    async def tidy(self, *, dry_run: bool = False) -> Tidied:
        """Put away what is of no more use: what expired, what was never confirmed, the weakest over the capacity. It is done every night;
        what is pinned stays. ``dry_run``: only say what would go."""
        return await self._worker.upkeep.tidy(self.scope, dry_run=dry_run)

    async def consolidate(self, *, dry_run: bool = False) -> Consolidated:
        """Merge records that say the same and summarise old sessions, as is done every night. ``dry_run``: only show what would change."""
        return await self._worker.upkeep.consolidate(self.scope, dry_run=dry_run)

    # --- talking -------------------------------------------------------------------------------------------------------

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

    def exchange(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        session: str | None = None,
        agent: str | None = None,
        mode: Mode = "recall+learn",
        toolset: ToolsetName | None = None,
    ) -> Exchange:
        """One request of an application that keeps its own history and asks its own model: ``begin`` it for the messages to send, and give
        it the ``reply``.

        ``messages``: the history as the application has it, OpenAI-style, the newest message last. It is recognised by what it says: each
        message is kept once, and a history that was changed goes on as a fork, ``session~2``. ``session``: the name of the conversation;
        without one it is found by its content alone. ``mode``: "recall+learn", "recall" (nothing is learnt), "learn" (nothing is added),
        "incognito" (nothing is kept) or "off". ``toolset``: the memory's own tools that ``tools`` of the exchange gives, to be offered to
        the model. Raises InputError.
        """
        kept = name_to_keep(session, "session") if session is not None else "default"
        conversation = Conversation(
            parts=self._parts,
            scope=self.scope,
            session=kept,
            agent=None if agent is None else name_to_keep(agent, "agent"),
            settings=ChatSettings(),
            worker=self._worker,
        )
        given = arguments.listed(messages, "messages")
        return Exchange(conversation, given, named=session is not None, mode=arguments.one_of(mode, "mode", MODES), toolset=toolset)
