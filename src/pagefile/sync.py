"""Memory: AsyncMemory without await. Everything runs on one background event loop, so it works in scripts and in notebooks."""

from __future__ import annotations

import atexit
import concurrent.futures.thread
import contextlib
import functools
import os
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from pagefile.errors import StoreUnavailable
from pagefile.events import Event
from pagefile.exchange import Exchange, Mode
from pagefile.memory import AsyncMemory
from pagefile.parts import LearnBy
from pagefile.ports import Embedder, Model, Store
from pagefile.scoped import AsyncScopedMemory
from pagefile.session import ChatSettings, Session
from pagefile.settings import Settings
from pagefile.tools import ToolsetName

A = TypeVar("A", covariant=True)
P = ParamSpec("P")
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


class _Facade(Generic[A]):
    """An object whose methods run on the background loop."""

    _memory: A
    _loop: _Loop


def _waiting(method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[_Facade[A], P], T]:
    """The method without await: the same name, arguments, result and documentation."""

    @functools.wraps(method)
    def waiting(self: _Facade[A], /, *given: P.args, **named: P.kwargs) -> T:
        # By its name: what is behind may be on a server, and answer it in its own way.
        called: Callable[P, Coroutine[Any, Any, T]] = getattr(self._memory, method.__name__)
        return self._loop.run(lambda: called(*given, **named))

    return waiting


class Memory(_Facade[AsyncMemory]):
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
        learn: LearnBy | None = None,
        store: Store | None = None,
        settings: Settings | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> Memory:
        """Open the memory at ``location``, making it if it is not there. See ``AsyncMemory.open``."""
        return memory_of(
            lambda: AsyncMemory.open(location, embedder=embedder, model=model, learn=learn, store=store, settings=settings, now=now)
        )

    def scope(self, user: str, *, tenant: str = "default", actor: str | None = None) -> ScopedMemory:
        """The memory of one user. See ``AsyncMemory.scope``."""
        return ScopedMemory(self._memory.scope(user, tenant=tenant, actor=actor), self._loop)

    scopes = _waiting(AsyncMemory.scopes)
    flush = _waiting(AsyncMemory.flush)
    reindex = _waiting(AsyncMemory.reindex)
    jobs = _waiting(AsyncMemory.jobs)
    revive = _waiting(AsyncMemory.revive)
    occurrences = _waiting(AsyncMemory.occurrences)
    costs = _waiting(AsyncMemory.costs)
    stats = _waiting(AsyncMemory.stats)
    lag = _waiting(AsyncMemory.lag)
    create_key = _waiting(AsyncMemory.create_key)
    keys = _waiting(AsyncMemory.keys)
    find_key = _waiting(AsyncMemory.find_key)
    revoke_key = _waiting(AsyncMemory.revoke_key)

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


def memory_of(opened: Callable[[], Coroutine[Any, Any, AsyncMemory]]) -> Memory:
    """A memory without await of one that is opened so."""
    loop = _Loop()
    try:
        return Memory(loop.run(opened), loop)
    except BaseException:
        loop.stop()
        raise


class ScopedMemory(_Facade[AsyncScopedMemory]):
    """The memory of one user, without await. Made by ``Memory.scope``; each method is that of ``AsyncScopedMemory``."""

    def __init__(self, memory: AsyncScopedMemory, loop: _Loop) -> None:
        self._memory = memory
        self._loop = loop
        #: Whose memory this is.
        self.scope = memory.scope

    add = _waiting(AsyncScopedMemory.add)
    remember = _waiting(AsyncScopedMemory.remember)
    edit = _waiting(AsyncScopedMemory.edit)
    correct = _waiting(AsyncScopedMemory.correct)
    confirm = _waiting(AsyncScopedMemory.confirm)
    forget = _waiting(AsyncScopedMemory.forget)
    restore = _waiting(AsyncScopedMemory.restore)
    undo = _waiting(AsyncScopedMemory.undo)
    revert = _waiting(AsyncScopedMemory.revert)
    erase = _waiting(AsyncScopedMemory.erase)
    merge_entities = _waiting(AsyncScopedMemory.merge_entities)
    split_entity = _waiting(AsyncScopedMemory.split_entity)
    write_block = _waiting(AsyncScopedMemory.write_block)
    status = _waiting(AsyncScopedMemory.status)
    update_status = _waiting(AsyncScopedMemory.update_status)
    put_task = _waiting(AsyncScopedMemory.put_task)
    task = _waiting(AsyncScopedMemory.task)
    drop_task = _waiting(AsyncScopedMemory.drop_task)
    tasks = _waiting(AsyncScopedMemory.tasks)
    checkpoint = _waiting(AsyncScopedMemory.checkpoint)
    resume = _waiting(AsyncScopedMemory.resume)
    save_session = _waiting(AsyncScopedMemory.save_session)
    load_session = _waiting(AsyncScopedMemory.load_session)
    load = _waiting(AsyncScopedMemory.load)
    flush = _waiting(AsyncScopedMemory.flush)
    revive = _waiting(AsyncScopedMemory.revive)
    kept_reply = _waiting(AsyncScopedMemory.kept_reply)
    keep_reply = _waiting(AsyncScopedMemory.keep_reply)
    reply_erased = _waiting(AsyncScopedMemory.reply_erased)
    search = _waiting(AsyncScopedMemory.search)
    context = _waiting(AsyncScopedMemory.context)
    context_report = _waiting(AsyncScopedMemory.context_report)
    list = _waiting(AsyncScopedMemory.list)
    messages = _waiting(AsyncScopedMemory.messages)
    sessions = _waiting(AsyncScopedMemory.sessions)
    session = _waiting(AsyncScopedMemory.session)
    get = _waiting(AsyncScopedMemory.get)
    why = _waiting(AsyncScopedMemory.why)
    timeline = _waiting(AsyncScopedMemory.timeline)
    entities = _waiting(AsyncScopedMemory.entities)
    entity = _waiting(AsyncScopedMemory.entity)
    neighbours = _waiting(AsyncScopedMemory.neighbours)
    path = _waiting(AsyncScopedMemory.path)
    entity_timeline = _waiting(AsyncScopedMemory.entity_timeline)
    history = _waiting(AsyncScopedMemory.history)
    changes = _waiting(AsyncScopedMemory.changes)
    jobs = _waiting(AsyncScopedMemory.jobs)
    operations = _waiting(AsyncScopedMemory.operations)
    spent = _waiting(AsyncScopedMemory.spent)
    costs = _waiting(AsyncScopedMemory.costs)
    tidy = _waiting(AsyncScopedMemory.tidy)
    consolidate = _waiting(AsyncScopedMemory.consolidate)
    blocks = _waiting(AsyncScopedMemory.blocks)
    block = _waiting(AsyncScopedMemory.block)
    checkpoints = _waiting(AsyncScopedMemory.checkpoints)
    stats = _waiting(AsyncScopedMemory.stats)

    def export(self) -> Iterator[dict[str, Any]]:
        """All that is kept of this user, line by line. See ``AsyncScopedMemory.export``."""
        return self._loop.iterate(self._memory.export)

    def chat(
        self,
        *,
        session: str = "default",
        agent: str | None = None,
        settings: ChatSettings | None = None,
        rules: str | Path | None = None,
        incognito: bool = False,
    ) -> Chat:
        """A conversation that remembers. See ``AsyncScopedMemory.chat``."""
        return Chat(self._memory.chat(session=session, agent=agent, settings=settings, rules=rules, incognito=incognito), self._loop)

    def exchange(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        session: str | None = None,
        agent: str | None = None,
        mode: Mode = "recall+learn",
        toolset: ToolsetName | None = None,
    ) -> SyncExchange:
        """One request of an application that keeps its own history and asks its own model. See ``AsyncScopedMemory.exchange``."""
        return SyncExchange(self._memory.exchange(messages, session=session, agent=agent, mode=mode, toolset=toolset), self._loop)


class SyncExchange:
    """One request of an application, without await. Made by ``ScopedMemory.exchange``."""

    def __init__(self, exchange: Exchange, loop: _Loop) -> None:
        self._exchange = exchange
        self._loop = loop

    @property
    def session(self) -> str | None:
        """Where the history stands in the journal; None: nowhere yet."""
        return self._exchange.session

    def begin(self) -> list[Mapping[str, Any]]:
        """Keep what is new, and get the messages to send. See ``Exchange.begin``."""
        return self._loop.run(self._exchange.begin)

    def reply(self, message: Mapping[str, Any], *, interrupted: bool = False) -> str | None:
        """Take in the model's reply; returns its id. See ``Exchange.reply``."""
        return self._loop.run(lambda: self._exchange.reply(message, interrupted=interrupted))


class Chat:
    """A conversation that remembers, without await. Made by ``ScopedMemory.chat``."""

    def __init__(self, session: Session, loop: _Loop) -> None:
        self._session = session
        self._loop = loop

    def stream(self, message: str | Mapping[str, Any]) -> Iterator[Event]:
        """One turn: its events as they happen. Leaving the loop early stops the model and keeps what was said."""
        return self._loop.iterate(lambda: self._session.stream(message))

    def wake(self, event: str, text: str = "") -> Iterator[Event]:
        """A turn without a message of the user, for a "login", a "reminder", a "timer"; ``text``: what it is about."""
        return self._loop.iterate(lambda: self._session.wake(event, text))

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
