"""What an application reads of one user's memory: the reading half of ``AsyncScopedMemory``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pagefile.arguments as arguments
import pagefile.tasks as tasks
import pagefile.transfer as transfer
from pagefile.beliefs import Beliefs, Why
from pagefile.blocks import find_block
from pagefile.context.assemble import Window
from pagefile.context.report import ContextReport
from pagefile.costs import DaySpent, Spent
from pagefile.entities import Edge, Entity, EntityCard, Happening, Neighbour
from pagefile.errors import NotFound
from pagefile.graph import Graph
from pagefile.items import item_of
from pagefile.messages import Message, SessionInfo
from pagefile.operations import recalled
from pagefile.parts import Parts
from pagefile.ports import Job, Operation
from pagefile.queries import Hits, Item, ItemKind, Page, Where
from pagefile.receipts import StoreStats
from pagefile.records import Block, HistoryEntry, Kind, Record, Scope, Status, Trust, identifier
from pagefile.retrieval.presets import Preset
from pagefile.retrieval.recall import recall
from pagefile.tasks import Checkpoint
from pagefile.window import ChatSettings, build_window, context_report
from pagefile.worker import Worker


class ScopedReading:
    """What is kept of one user, read. Nothing of it is changed."""

    def __init__(self, parts: Parts, worker: Worker, scope: Scope, actor: str | None = None) -> None:
        self._parts = parts
        self._store = parts.store
        self._worker = worker
        self._beliefs = Beliefs(parts, worker.recorder, scope, actor)
        self._graph = Graph(parts, scope, actor)
        #: Whose memory this is.
        self.scope = scope

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        max_tokens: int | None = None,
        floor: float | None = None,
        preset: Preset | None = None,
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
        """Find what answers a question and belongs to the answer, best first, over messages and records. A question that asks for an order
        in time ("the first time", 最近一次) gets that order; one about the past is answered by what no longer holds, too.

        ``limit`` hits of together at most ``max_tokens``; none whose score (0..1) is under ``floor`` (default: see ``recall``; 0: nothing
        is left out). ``preset``: "fast" (words alone), "balanced" or "thorough" (more candidates); default: that of the settings.
        ``since`` and ``until``: a half-open range, as datetime or in words ("last week", 上周三). ``as_of``: what was true then;
        ``known_at``: what was believed then; ``history``: also what was superseded. ``explain``: each hit tells the parts of its score.
        Raises InputError. If the embedder fails, words alone are used, and the result says so.
        """
        where = arguments.where(
            self._parts, kinds=kinds, session=session, agent=agent, speaker=speaker, tags=tags, since=since, until=until,
            min_trust=min_trust, statuses=statuses, as_of=as_of, known_at=known_at, history=history,
        )  # fmt: skip
        await self._worker.catch_up(self.scope)
        hits = await recall(
            self._parts, self.scope, query, where=where, limit=limit, max_tokens=max_tokens, floor=floor, preset=preset, explain=explain
        )  # fmt: skip
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

    async def session(self, session: str) -> SessionInfo:
        """One session: how many messages it has, and where its window begins. Raises NotFound."""
        info = await self._store.session(self.scope, identifier(session, "session"))
        if info is None:
            raise NotFound(f"there is no session {session!r:.80} here; names come from sessions")
        return info

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

    async def entities(self, query: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[Entity]:
        """Who and what is named in records that hold or held, those most often named first; ``query``: those with it in a name."""
        await self._worker.catch_up(self.scope)
        return await self._graph.entities(arguments.optional(query, "query"), after=after, limit=limit)

    async def entity(self, name: str, *, limit: int = 200) -> EntityCard:
        """What is known of a person, place or thing, under any of its names; "user" is whose memory it is. Of what holds, and of what
        held, the newest ``limit`` each. Raises NotFound."""
        await self._worker.catch_up(self.scope)
        return await self._graph.entity(identifier(name, "name"), limit=limit)

    async def neighbours(self, name: str, *, hops: int = 1, as_of: datetime | str | None = None, limit: int = 50) -> tuple[Neighbour, ...]:
        """Who and what stands in one record with an entity, or is reached from there in up to ``hops`` (1 to 6) such steps: the nearest
        first, each with the facts that lead to it. ``as_of``: what was true then. Raises NotFound."""
        await self._worker.catch_up(self.scope)
        return await self._graph.neighbours(identifier(name, "name"), hops=hops, as_of=self._then(as_of), limit=limit)

    async def path(self, start: str, end: str, *, max_hops: int = 4, as_of: datetime | str | None = None) -> tuple[Edge, ...]:
        """How two entities hang together: the fewest facts, at most ``max_hops`` (1 to 6), that lead from one to the other, in order; none
        if they do not, or are one. ``as_of``: by what was true then. Raises NotFound if one of them is not there."""
        await self._worker.catch_up(self.scope)
        ends = identifier(start, "start"), identifier(end, "end")
        return await self._graph.path(*ends, max_hops=max_hops, as_of=self._then(as_of))

    async def entity_timeline(
        self, name: str, *, since: datetime | str | None = None, until: datetime | str | None = None, limit: int = 200
    ) -> tuple[Happening, ...]:
        """What records and messages tell of an entity, oldest first, within ``since`` and ``until`` (half-open, as in ``search``); of more
        than ``limit`` the newest. Of the user records alone. Raises NotFound."""
        await self._worker.catch_up(self.scope)
        now, zone = self._parts.now(), self._parts.zone
        begin = None if since is None else arguments.edge(since, "start", now=now, zone=zone)
        end = None if until is None else arguments.edge(until, "end", now=now, zone=zone)
        return await self._graph.timeline(identifier(name, "name"), since=begin, until=end, limit=limit)

    def _then(self, as_of: datetime | str | None) -> datetime | None:
        return None if as_of is None else arguments.edge(as_of, "end", now=self._parts.now(), zone=self._parts.zone)

    async def history(self, id: str) -> tuple[HistoryEntry, ...]:
        """Every change to a record, message, block (``"block:label"``) or name (``"entity:name"``), oldest first. Raises NotFound."""
        id = identifier(id, "id")
        entries = await self._store.history(self.scope, id)
        if not entries and not id.startswith("block:"):
            await self.get(id)
        return entries

    async def changes(self, *, after: str | None = None, limit: int = 100, newest_first: bool = True) -> Page[HistoryEntry]:
        """Every change to anything of this user, newest first. With ``newest_first=False`` those since ``after``, the id of a change or a
        cursor, oldest first."""
        return await self._store.changes(self.scope, after=after, limit=limit, newest_first=newest_first)

    async def jobs(self, *, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        """Background work for this user that waits (``queued``), runs (``running``) or was given up (``dead``), oldest first."""
        return await self._store.jobs(scope=self.scope, state=state, after=after, limit=limit)

    async def operations(self, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        """What was asked of this memory and what came of it, newest first."""
        await self._worker.behind.flush()
        return await self._store.operations(self.scope, after=after, limit=limit)

    async def spent(self) -> Spent:
        """What learning by a model cost for this user today."""
        return await self._store.spend(self.scope, self._parts.now().astimezone(self._parts.zone).date())

    async def costs(self, *, since: date | str | None = None, until: date | str | None = None) -> tuple[DaySpent, ...]:
        """What models cost for this user, by day and purpose ("chat", "learn"); ``since`` and ``until`` are days, both included."""
        await self._worker.behind.flush()
        return await self._store.costs(self.scope, since=arguments.day(since, "since"), until=arguments.day(until, "until"))

    async def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        """Core memory: the shared blocks and those of ``agent``."""
        return await self._store.blocks(self.scope, arguments.optional(agent, "agent"))

    async def block(self, label: str, *, agent: str | None = None) -> Block:
        """One block of core memory: the shared one of a label, or an agent's own. Raises NotFound."""
        label, agent = identifier(label, "label"), arguments.optional(agent, "agent")
        found = await find_block(self._parts, self.scope, label, agent)
        if found is None:
            raise NotFound(f"there is no block {label!r:.80} here; write_block() makes one")
        return found

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All checkpoints, by key."""
        return await tasks.list_checkpoints(self._parts, self.scope)

    async def export(self) -> AsyncGenerator[dict[str, Any], None]:
        """All that is kept of this user, one JSON-ready line at a time: what was said, what was learnt (also what was forgotten or
        superseded, with its status), core memory, tasks and checkpoints. ``load`` takes the lines in again."""
        async for line in transfer.export(self._parts, self.scope):
            yield line

    async def stats(self) -> StoreStats:
        """Counts over what is kept of this user."""
        return await self._store.stats(self.scope)

    # --- helpers -------------------------------------------------------------------------------------------------------

    def _settings(self, settings: ChatSettings | None = None, rules: str | Path | None = None) -> ChatSettings:
        """How a conversation is held, with the rules that hold in it."""
        settings = settings or ChatSettings()
        file = rules if rules is not None else settings.rules_file or self._parts.rules
        return replace(settings, rules_file=None if file is None else str(file))
