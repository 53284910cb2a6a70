"""Memory: AsyncMemory without await. Everything runs on one background event loop, so it works in scripts and in notebooks."""

from __future__ import annotations

import atexit
import concurrent.futures.thread
import contextlib
import os
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from pagefile.context.assemble import Window
from pagefile.errors import StoreUnavailable
from pagefile.events import Event
from pagefile.memory import AsyncMemory
from pagefile.messages import Message, Receipt, SessionInfo
from pagefile.ports import Embedder, EraseReceipt, Job, Model, Store, StoreStats
from pagefile.queries import Hits, Item, ItemKind, Page
from pagefile.records import Block, HistoryEntry, Kind, Record, Scope, Source, Status, Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.session import ChatSettings, Session
from pagefile.settings import Settings
from pagefile.worker import Reindexed

T = TypeVar("T")


class _Loop:
    """An event loop on a thread of its own. The thread is a daemon, so a program that forgets to close still ends."""

    def __init__(self) -> None:
        started: concurrent.futures.Future[BlockingPortal] = concurrent.futures.Future()

        async def main() -> None:
            async with BlockingPortal() as portal:
                started.set_result(portal)
                await portal.sleep_until_stopped()

        threading.Thread(target=anyio.run, args=(main,), name="pagefile-loop", daemon=True).start()
        self.portal = started.result()
        self._stopped = False
        self._process = os.getpid()

    def run(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        self._check()
        future: concurrent.futures.Future[T] = self.portal.start_task_soon(function)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # an interrupt while waiting ends the work too; if it had ended by itself, this does nothing
            raise

    @property
    def inherited(self) -> bool:
        """Whether this is a child of the process that made it: a fork takes no threads along, so nothing would ever answer."""
        return os.getpid() != self._process

    def _check(self) -> None:
        if self.inherited:
            raise StoreUnavailable("this memory was opened before the process forked; open it again in the child with Memory.open()")
        if self._stopped:
            raise StoreUnavailable("this memory was closed; open it again with Memory.open()")

    def iterate(self, make: Callable[[], Any]) -> Iterator[Any]:
        """The items of an asynchronous iterator. It runs in one task from start to end, so that its cancel scopes hold; closing this
        iterator early cancels that task and waits for its clean-up."""
        self._check()
        items: queue.Queue[tuple[bool, Any]] = queue.Queue()

        async def pump() -> None:
            try:
                async with contextlib.aclosing(make()) as source:
                    async for item in source:
                        items.put((True, item))
            finally:
                items.put((False, None))

        future: concurrent.futures.Future[None] = self.portal.start_task_soon(pump)
        try:
            while True:
                more, item = items.get()
                if not more:
                    break
                yield item
        except BaseException:  # the caller left early: GeneratorExit, or an interrupt while waiting
            future.cancel()
            while items.get()[0]:
                continue
            raise
        future.result()

    def stop(self) -> None:
        self._stopped = True
        with contextlib.suppress(RuntimeError):
            self.portal.call(self.portal.stop)


class Memory:
    """A memory that lasts. Make one with ``Memory.open()``, give each user a scope, close it at the end. AsyncMemory without await."""

    def __init__(self, memory: AsyncMemory, loop: _Loop) -> None:
        self._memory = memory
        self._loop = loop
        self._closed = False
        _open_memories.add(self)

    @classmethod
    def open(
        cls,
        location: str | Path | None = None,
        *,
        embedder: Embedder | str | None = None,
        model: Model | None = None,
        store: Store | None = None,
        settings: Settings | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> Memory:
        """Open the memory at ``location``, making it if it is not there. See ``AsyncMemory.open``."""
        loop = _Loop()
        try:
            memory = loop.run(lambda: AsyncMemory.open(location, embedder=embedder, model=model, store=store, settings=settings, now=now))
        except BaseException:
            loop.stop()
            raise
        return cls(memory, loop)

    def scope(self, user: str, *, tenant: str = "default") -> ScopedMemory:
        """The memory of one user. See ``AsyncMemory.scope``."""
        return ScopedMemory(self._memory.scope(user, tenant=tenant), self._loop)

    def scopes(self, *, after: str | None = None, limit: int = 100) -> Page[Scope]:
        """Whose memories there are."""
        return self._loop.run(lambda: self._memory.scopes(after=after, limit=limit))

    def flush(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Wait until what was written is findable by meaning too. See ``AsyncMemory.flush``."""
        return self._loop.run(lambda: self._memory.flush(progress))

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Make the missing vectors of the current embedder. See ``AsyncMemory.reindex``."""
        return self._loop.run(lambda: self._memory.reindex(progress))

    def jobs(self, *, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        """Background work. See ``AsyncMemory.jobs``."""
        return self._loop.run(lambda: self._memory.jobs(state=state, after=after, limit=limit))

    def stats(self) -> StoreStats:
        """Counts over everything that is kept."""
        return self._loop.run(self._memory.stats)

    @property
    def location(self) -> str:
        """Where the data is."""
        return self._memory.location

    @property
    def embedder(self) -> Embedder | None:
        """What turns texts into vectors; None: things are found by words alone."""
        return self._memory.embedder

    @property
    def model(self) -> Model:
        """What ``chat`` talks to."""
        return self._memory.model

    @property
    def trouble(self) -> str | None:
        """Why background work fails at present; None: it does not."""
        return self._memory.trouble

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences for a person about what was noticed while opening."""
        return self._memory.warnings

    def close(self) -> None:
        """Stop background work and close the store. Closing twice is fine."""
        if self._closed or self._loop.inherited:
            return
        self._closed = True
        _open_memories.discard(self)
        try:
            self._loop.run(self._memory.close)
        finally:
            self._loop.stop()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class ScopedMemory:
    """The memory of one user, without await. Made by ``Memory.scope``; each method is that of ``AsyncScopedMemory``."""

    def __init__(self, memory: AsyncScopedMemory, loop: _Loop) -> None:
        self._memory = memory
        self._loop = loop
        #: Whose memory this is.
        self.scope = memory.scope

    def add(
        self,
        messages: Sequence[Mapping[str, Any] | str] | Mapping[str, Any] | str,
        *,
        session: str = "default",
        agent: str | None = None,
        key: str | None = None,
    ) -> Receipt:
        """Write messages to the end of a session's journal. See ``AsyncScopedMemory.add``."""
        return self._loop.run(lambda: self._memory.add(messages, session=session, agent=agent, key=key))

    def remember(
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
        """Keep a record: something worth knowing, in one sentence. See ``AsyncScopedMemory.remember``."""
        return self._loop.run(
            lambda: self._memory.remember(
                text, kind=kind, tags=tags, session=session, agent=agent, trust=trust, sources=sources, reason=reason, **fields
            )
        )

    def edit(self, id: str, *, reason: str = "edit() was called", expected_version: int | None = None, **fields: Any) -> Record:
        """Change fields of a record in place. See ``AsyncScopedMemory.edit``."""
        return self._loop.run(lambda: self._memory.edit(id, reason=reason, expected_version=expected_version, **fields))

    def forget(self, id: str, *, reason: str = "forget() was called") -> HistoryEntry:
        """Take a record or a message out of recall. See ``AsyncScopedMemory.forget``."""
        return self._loop.run(lambda: self._memory.forget(id, reason=reason))

    def restore(self, id: str, *, reason: str = "restore() was called") -> HistoryEntry:
        """Bring back what was forgotten."""
        return self._loop.run(lambda: self._memory.restore(id, reason=reason))

    def erase(self, id: str | Sequence[str] | None = None, *, session: str | None = None) -> EraseReceipt:
        """Remove for good. See ``AsyncScopedMemory.erase``."""
        return self._loop.run(lambda: self._memory.erase(id, session=session))

    def write_block(
        self,
        label: str,
        text: str,
        *,
        description: str | None = None,
        token_limit: int | None = None,
        read_only: bool | None = None,
        agent: str | None = None,
    ) -> Block:
        """Write a block of core memory. See ``AsyncScopedMemory.write_block``."""
        return self._loop.run(
            lambda: self._memory.write_block(
                label, text, description=description, token_limit=token_limit, read_only=read_only, agent=agent
            )
        )

    def search(
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
        """Find what answers a question, best first. See ``AsyncScopedMemory.search``."""
        return self._loop.run(
            lambda: self._memory.search(
                query, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain, kinds=kinds, session=session, agent=agent,
                speaker=speaker, tags=tags, since=since, until=until, statuses=statuses, min_trust=min_trust,
            )
        )  # fmt: skip

    def context(
        self, messages: Sequence[Mapping[str, Any]] | str, *, session: str = "default", budget: int = 8_000, agent: str | None = None
    ) -> Window:
        """A window for an application that calls its own model. See ``AsyncScopedMemory.context``."""
        return self._loop.run(lambda: self._memory.context(messages, session=session, budget=budget, agent=agent))

    def list(
        self, *, kinds: Sequence[Kind] | None = None, tags: Sequence[str] | None = None, statuses: Sequence[Status] = ("current",),
        after: str | None = None, limit: int = 100,
    ) -> Page[Record]:  # fmt: skip
        """Records, oldest first."""
        return self._loop.run(lambda: self._memory.list(kinds=kinds, tags=tags, statuses=statuses, after=after, limit=limit))

    def messages(
        self,
        session: str | None = None,
        *,
        statuses: Sequence[Status] = ("current",),
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Page[Message]:
        """The journal of one session, or of all. See ``AsyncScopedMemory.messages``."""
        return self._loop.run(
            lambda: self._memory.messages(session, statuses=statuses, after=after, limit=limit, newest_first=newest_first)
        )

    def sessions(self, *, after: str | None = None, limit: int = 100) -> Page[SessionInfo]:
        """The sessions of this user."""
        return self._loop.run(lambda: self._memory.sessions(after=after, limit=limit))

    def get(self, id: str) -> Item:
        """A record or message by its id. Raises NotFound."""
        return self._loop.run(lambda: self._memory.get(id))

    def history(self, id: str) -> tuple[HistoryEntry, ...]:
        """Every change to a record, message or block, oldest first."""
        return self._loop.run(lambda: self._memory.history(id))

    def blocks(self, agent: str | None = None) -> tuple[Block, ...]:
        """Core memory: the shared blocks and those of ``agent``."""
        return self._loop.run(lambda: self._memory.blocks(agent))

    def stats(self) -> StoreStats:
        """Counts over what is kept of this user."""
        return self._loop.run(self._memory.stats)

    def chat(self, *, session: str = "default", agent: str | None = None, settings: ChatSettings | None = None) -> Chat:
        """A conversation that remembers. See ``AsyncScopedMemory.chat``."""
        return Chat(self._memory.chat(session=session, agent=agent, settings=settings), self._loop)


class Chat:
    """A conversation that remembers, without await. Made by ``ScopedMemory.chat``."""

    def __init__(self, session: Session, loop: _Loop) -> None:
        self._session = session
        self._loop = loop

    def stream(self, message: str | Mapping[str, Any]) -> Iterator[Event]:
        """One turn: its events as they happen. Leaving the loop early stops the model and keeps what was said."""
        return self._loop.iterate(lambda: self._session.stream(message))

    def turn(self, message: str | Mapping[str, Any]) -> str:
        """One turn: the reply's whole text."""
        return self._loop.run(lambda: self._session.turn(message))


#: Closed when the program ends, so that a forgotten ``close`` does not pull the interpreter away from under an engine at work.
_open_memories: weakref.WeakSet[Memory] = weakref.WeakSet()


def _close_all() -> None:
    for memory in list(_open_memories):
        memory.close()


# Functions given to ``atexit`` come too late: the thread pools that closing needs are shut down before them, by this same hook. Hooks run
# last in, first out, and importing ``concurrent.futures.thread`` has put theirs in.
getattr(threading, "_register_atexit", atexit.register)(_close_all)
