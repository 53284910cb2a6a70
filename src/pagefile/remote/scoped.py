"""The memory of one user on a server: the methods of ``AsyncScopedMemory``, each a request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pagefile.arguments as arguments
import pagefile.sessions as sessions
import pagefile.transfer as transfer
from pagefile.access import KeptReply
from pagefile.beliefs import Correction, Why
from pagefile.context.assemble import Window
from pagefile.context.report import ContextReport
from pagefile.costs import DaySpent, Spent
from pagefile.entities import Edge, Entity, EntityCard, Happening, Neighbour
from pagefile.errors import InputError, NotFound
from pagefile.exchange import Exchange, Mode
from pagefile.intake import name_to_keep
from pagefile.messages import Message, Origin, Receipt, Refused, SessionInfo
from pagefile.ports import Job, Operation
from pagefile.queries import Hits, Item, ItemKind, Page
from pagefile.receipts import EraseReceipt, StoreStats
from pagefile.records import Block, HistoryEntry, Kind, Record, Scope, Source, Status, TaskState, Trust, identifier
from pagefile.remote.chat import RemoteSession
from pagefile.remote.wire import Refusal, ScopedWire, name, sent
from pagefile.retraction import Forgotten
from pagefile.retrieval.presets import Preset
from pagefile.scoped import AsyncScopedMemory
from pagefile.session import Session
from pagefile.sessions import Loaded
from pagefile.status import WorkStatus
from pagefile.tasks import Checkpoint
from pagefile.tools import ToolsetName
from pagefile.transfer import Imported
from pagefile.upkeep import Consolidated, Tidied
from pagefile.window import ChatSettings

#: Messages that are sent in one request.
_PORTION = 500
_LINES = "application/x-ndjson"
#: Seconds that the server waits at most in one request.
_LONGEST_WAIT = 30.0


class AsyncRemoteScopedMemory(AsyncScopedMemory):
    """The memory of one user on a server. Made by ``AsyncRemoteMemory.scope``; what each method does stands at ``AsyncScopedMemory``."""

    def __init__(self, wire: ScopedWire, scope: Scope) -> None:
        # Nothing of the parts of a memory is here: each method is the server's.
        self._wire = wire
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
        listed = [messages] if isinstance(messages, str | Mapping) else list(messages)
        session, arguments_ = identifier(session, "session"), sent(agent=agent, consent=consent, origin=origin)
        done = Receipt(session=session, messages=(), stored=0, duplicates=0, refused=())
        size = _PORTION if key is None else max(1, len(listed))
        for start in range(0, len(listed), size):
            body = {"messages": listed[start : start + size], "session": session, **arguments_}
            done = _together(done, await self._added(body, key), start)
        return done

    async def _added(self, body: Mapping[str, Any], key: str | None) -> Receipt:
        try:
            return await self._wire.post("/messages", Receipt, body, key=key)
        except Refusal as error:
            places = {where.removeprefix("body.messages."): what for where, what in error.fields.items()}
            if not all(place.isdecimal() for place in places):
                raise
            refused = tuple(Refused(index=int(place), reason=what) for place, what in places.items())
            return Receipt(session=body["session"], messages=(), stored=0, duplicates=0, refused=refused)

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
        given = sent(session=session, agent=agent, consent=consent, **fields)
        body = {
            "text": text,
            "kind": kind,
            "tags": arguments.names(tags, "tag"),
            "trust": trust,
            "sources": list(sources),
            "reason": reason,
        }
        return await self._wire.post("/records", Record, {**body, **given})

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
        headers = {} if expected_version is None else {"If-Match": f'"{expected_version}"'}
        body = {"reason": reason, **sent(consent=consent), **fields}
        return await self._wire.patch(f"/records/{name(identifier(id, 'id'))}", Record, body, headers=headers)

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
        body = {"text": text, "trust": trust, "reason": reason, **sent(id=id, query=query, consent=consent)}
        return await self._wire.post("/correct", Correction, body)

    async def confirm(self, id: str, *, reason: str = "confirm() was called") -> Record:
        return await self._wire.post(f"/records/{name(identifier(id, 'id'))}/confirm", Record, reason=reason)

    async def forget(
        self, id: str | Sequence[str] | None = None, *, query: str | None = None, dry_run: bool = False, reason: str = "forget() was called"
    ) -> Forgotten:
        ids = [id] if isinstance(id, str) else id
        return await self._wire.post("/forget", Forgotten, {"dry_run": dry_run, "reason": reason, **sent(ids=ids, query=query)})

    async def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        return await self._wire.post("/restore", HistoryEntry, {"id": id, "reason": reason})

    async def undo(self, change: str, *, reason: str = "undo() was called") -> tuple[HistoryEntry, ...]:
        path = f"/changes/{name(identifier(change, 'change'))}/undo"
        return await self._wire.post(path, tuple[HistoryEntry, ...], reason=reason)

    async def revert(
        self, *, session: str | None = None, source: str | Sequence[str] | None = None, reason: str = "revert() was called"
    ) -> tuple[HistoryEntry, ...]:
        messages = [source] if isinstance(source, str) else source
        return await self._wire.post("/revert", tuple[HistoryEntry, ...], {"reason": reason, **sent(session=session, messages=messages)})

    async def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        if id is None and session is None:
            return await self._wire.delete("/scope", EraseReceipt, confirm=self.scope.user)
        return await self._wire.post("/erase", EraseReceipt, sent(ids=[id] if isinstance(id, str) else id, session=session))

    async def merge_entities(self, name: str, into: str, *, reason: str = "merge_entities() was called") -> HistoryEntry:
        return await self._wire.post("/entities/merge", HistoryEntry, {"name": name, "into": into, "reason": reason})

    async def split_entity(self, alias: str, *, reason: str = "split_entity() was called") -> HistoryEntry:
        return await self._wire.post("/entities/split", HistoryEntry, {"alias": alias, "reason": reason})

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
        condition = {} if expected_version is None else {"If-Match": f'"{expected_version}"'}
        if expected_version == 0:
            condition = {"If-None-Match": "*"}
        body = {"text": text, **sent(description=description, token_limit=token_limit, read_only=read_only)}
        return await self._wire.put(f"/blocks/{name(identifier(label, 'label'))}", Block, body, headers=condition, **sent(agent=agent))

    async def update_status(
        self, *, known: Sequence[str] | str | None = None, progress: Sequence[str] | str | None = None, agent: str | None = None
    ) -> WorkStatus:
        lines = {"known": known, "progress": progress}
        given = {each: [value] if isinstance(value, str) else value for each, value in lines.items() if value is not None}
        return await self._wire.put("/status", WorkStatus, {**given, **sent(agent=agent)})

    async def status(self, *, agent: str | None = None) -> WorkStatus:
        return await self._wire.get("/status", WorkStatus, **sent(agent=agent))

    async def put_task(self, key: str, value: Any, *, step: int = 0, expires_at: datetime | str | None = None) -> TaskState:
        body = {"value": value, "step": step, **sent(expires_at=expires_at)}
        return await self._wire.put(f"/tasks/{name(identifier(key, 'key'))}", TaskState, body)

    async def task(self, key: str) -> TaskState | None:
        try:
            return await self._wire.get(f"/tasks/{name(identifier(key, 'key'))}", TaskState)
        except NotFound:
            return None

    async def drop_task(self, key: str) -> bool:
        return bool((await self._wire.delete(f"/tasks/{name(identifier(key, 'key'))}", dict[str, bool]))["dropped"])

    async def tasks(self) -> tuple[TaskState, ...]:
        return await self._wire.get("/tasks", tuple[TaskState, ...])

    async def checkpoint(self, session: str, key: str, state: Any = None) -> Checkpoint:
        return await self._wire.post("/checkpoints", Checkpoint, {"session": session, "key": key, "state": state})

    async def resume(self, key: str) -> Checkpoint | None:
        try:
            return await self._wire.get(f"/checkpoints/{name(identifier(key, 'key'))}", Checkpoint)
        except NotFound:
            return None

    async def save_session(
        self, session: str, path: str | Path | None = None, *, blocks: bool = False, agent: str | None = None
    ) -> dict[str, Any]:
        place = f"/saved-sessions/{name(identifier(session, 'session'))}"
        saved = await self._wire.get(place, dict[str, Any], blocks=blocks, **sent(agent=agent))
        if path is not None:
            await asyncio.to_thread(sessions.write_document, saved, path)
        return saved

    async def load_session(self, saved: Mapping[str, Any] | str | Path, *, session: str | None = None) -> Loaded:
        document = saved if isinstance(saved, Mapping) else await asyncio.to_thread(sessions.read_document, saved)
        return await self._wire.post("/saved-sessions", Loaded, {"document": document, **sent(session=session)})

    async def load(self, lines: transfer.Lines, *, blocks: bool = False, consent: str | None = None) -> Imported:
        return await self._wire.upload("/import", Imported, _encoded(lines), _LINES, blocks=blocks, **sent(consent=consent))

    # --- upkeep --------------------------------------------------------------------------------------------------------

    async def flush(self, *, seconds: float = 30.0) -> int:
        left = 0
        while True:
            wait = min(seconds, _LONGEST_WAIT)
            left, seconds = int(await self._wire.header("/records", "X-Pagefile-Waiting", limit=1, wait=wait) or 0), seconds - wait
            if not left or seconds <= 0:
                return left

    async def revive(self, ids: Sequence[str]) -> int:
        return int((await self._wire.post("/jobs/revive", dict[str, int], {"ids": arguments.names(ids, "id")}))["revived"])

    async def kept_reply(self, key: str) -> KeptReply | None:
        raise _elsewhere("kept_reply")

    async def keep_reply(self, reply: KeptReply) -> KeptReply:
        raise _elsewhere("keep_reply")

    async def reply_erased(self, key: str, fingerprint: str) -> datetime | None:
        raise _elsewhere("reply_erased")

    async def tidy(self, *, dry_run: bool = False) -> Tidied:
        return await self._wire.post("/tidy", Tidied, dry_run=dry_run)

    async def consolidate(self, *, dry_run: bool = False) -> Consolidated:
        return await self._wire.post("/consolidate", Consolidated, dry_run=dry_run)

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
        if rules is not None:
            raise InputError("over a server a conversation has the rules of the server's settings; leave rules out")
        return RemoteSession(
            self._wire, name_to_keep(session, "session"), agent=agent, settings=settings or ChatSettings(), incognito=incognito
        )

    def exchange(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        session: str | None = None,
        agent: str | None = None,
        mode: Mode = "recall+learn",
        toolset: ToolsetName | None = None,
    ) -> Exchange:
        raise InputError("over a server this is what its proxy does: send the messages to its /v1/chat/completions")

    # --- reading -------------------------------------------------------------------------------------------------------

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
        within = [session] if isinstance(session, str) else session
        some = sent(
            max_tokens=max_tokens, floor=floor, preset=preset, kinds=kinds, sessions=within, agent=agent, speaker=speaker, tags=tags,
            since=since, until=until, min_trust=min_trust, as_of=as_of, known_at=known_at,
        )  # fmt: skip
        body = {"query": query, "limit": limit, "explain": explain, "statuses": statuses, "history": history, **some}
        return await self._wire.ask("/search", Hits, body)

    async def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        return await self._wire.ask("/context", Window, {"messages": messages, "session": session, "budget": budget, **sent(agent=agent)})

    async def context_report(
        self, session: str = "default", message: str | None = None, *, agent: str | None = None, settings: ChatSettings | None = None
    ) -> ContextReport:
        if settings is not None:
            raise InputError("over a server a report is made with the server's settings; leave settings out")
        return await self._wire.ask("/context-report", ContextReport, {"session": session, **sent(message=message, agent=agent)})

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
        query = sent(kind=kinds, tag=tags, status=statuses, as_of=as_of, known_at=known_at, history=history, after=after, limit=limit)
        return await self._wire.get("/records", Page[Record], **query)

    async def messages(
        self,
        session: str | None = None,
        *,
        statuses: Sequence[Status] = ("current", "superseded"),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        query = sent(session=session, status=statuses, after=after, limit=limit, newest_first=newest_first)
        return await self._wire.get("/messages", Page[Message], **query)

    async def sessions(self, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        return await self._wire.get("/sessions", Page[SessionInfo], **sent(after=after, limit=limit))

    async def session(self, session: str) -> SessionInfo:
        return await self._wire.get(f"/sessions/{name(identifier(session, 'session'))}", SessionInfo)

    async def get(self, id: str) -> Item:
        place = name(identifier(id, "id"))
        try:
            return await self._wire.get(f"/records/{place}", Record)
        except InputError:
            return await self._wire.get(f"/messages/{place}", Message)

    async def why(self, id: str) -> Why:
        return await self._wire.get(f"/records/{name(identifier(id, 'id'))}/why", Why)

    async def timeline(self, attribute: str, *, subject: str = "user") -> tuple[Record, ...]:
        return await self._wire.get("/timeline", tuple[Record, ...], attribute=attribute, subject=subject)

    async def entities(self, query: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[Entity]:
        return await self._wire.get("/entities", Page[Entity], **sent(query=query, after=after, limit=limit))

    async def entity(self, name: str, *, limit: int = 200) -> EntityCard:
        return await self._wire.get("/entities/card", EntityCard, name=name, limit=limit)

    async def neighbours(self, name: str, *, hops: int = 1, as_of: datetime | str | None = None, limit: int = 50) -> tuple[Neighbour, ...]:
        query = sent(name=name, hops=hops, as_of=as_of, limit=limit)
        return await self._wire.get("/entities/neighbours", tuple[Neighbour, ...], **query)

    async def path(self, start: str, end: str, *, max_hops: int = 4, as_of: datetime | str | None = None) -> tuple[Edge, ...]:
        query = sent(start=start, end=end, max_hops=max_hops, as_of=as_of)
        return await self._wire.get("/entities/path", tuple[Edge, ...], **query)

    async def entity_timeline(
        self, name: str, *, since: datetime | str | None = None, until: datetime | str | None = None, limit: int = 200
    ) -> tuple[Happening, ...]:
        query = sent(name=name, since=since, until=until, limit=limit)
        return await self._wire.get("/entities/timeline", tuple[Happening, ...], **query)

    async def history(self, id: str) -> tuple[HistoryEntry, ...]:
        return await self._wire.get("/history", tuple[HistoryEntry, ...], target=id)

    async def changes(self, *, after: str | None = None, limit: int = 100, newest_first: bool = True) -> Page[HistoryEntry]:
        return await self._wire.get("/changes", Page[HistoryEntry], **sent(after=after, limit=limit, newest_first=newest_first))

    async def jobs(self, *, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        return await self._wire.get("/jobs", Page[Job], **sent(state=state, after=after, limit=limit))

    async def operations(self, *, after: str | None = None, limit: int = 100) -> Page[Operation]:
        return await self._wire.get("/operations", Page[Operation], **sent(after=after, limit=limit))

    async def spent(self) -> Spent:
        return await self._wire.get("/spent", Spent)

    async def costs(self, *, since: date | str | None = None, until: date | str | None = None) -> tuple[DaySpent, ...]:
        days = sent(since=arguments.day(since, "since"), until=arguments.day(until, "until"))
        return await self._wire.get("/costs", tuple[DaySpent, ...], **days)

    async def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        return await self._wire.get("/blocks", tuple[Block, ...], **sent(agent=agent))

    async def block(self, label: str, *, agent: str | None = None) -> Block:
        return await self._wire.get(f"/blocks/{name(identifier(label, 'label'))}", Block, **sent(agent=agent))

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        return await self._wire.get("/checkpoints", tuple[Checkpoint, ...])

    async def export(self) -> AsyncGenerator[dict[str, Any], None]:
        async for line in self._wire.lines("GET", "/export"):
            if line:
                yield json.loads(line)

    async def stats(self) -> StoreStats:
        return await self._wire.get("/stats", StoreStats)


async def _encoded(lines: transfer.Lines) -> AsyncIterator[bytes]:
    async for line in transfer.in_order(lines):
        yield (line.rstrip("\n") if isinstance(line, str) else json.dumps(line)).encode("utf-8", "replace") + b"\n"


def _together(done: Receipt, more: Receipt, start: int) -> Receipt:
    return replace(
        more,
        messages=(*done.messages, *more.messages),
        stored=done.stored + more.stored,
        duplicates=done.duplicates + more.duplicates,
        refused=(*done.refused, *(replace(one, index=one.index + start) for one in more.refused)),
        redacted=done.redacted + more.redacted,
    )


def _elsewhere(what: str) -> InputError:
    return InputError(f"{what}() is done on the machine of the server; it cannot be asked for from elsewhere")
