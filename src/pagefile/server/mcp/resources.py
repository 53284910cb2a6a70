"""Blocks of core memory as resources: their addresses, and telling clients when they change.

Whoever changes a block may be another process, so blocks are looked at from time to time while somebody wants to know. Each subscription
looks with the eyes of its own connection: what happens in another one's memory is not even noticed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

from pagefile.errors import PagefileError

logger = logging.getLogger(__name__)

_ADDRESS = "pagefile://blocks/"
#: Seconds between two looks.
LOOK_SECONDS = 1.0
#: Streams that one key has open at once, in one process.
MOST_STREAMS = 20
#: Addresses that one connection of the older protocol follows at once.
_MOST_FOLLOWED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockText:
    """What a block says."""

    label: str
    description: str
    text: str
    version: int

    @property
    def uri(self) -> str:
        """Its address."""
        return _ADDRESS + quote(self.label, safe="")


@dataclass(slots=True)
class _Followed:
    context: ServerRequestContext[Any, Any]
    #: As it was told last; None: it is not there.
    version: int | None


class Watch:
    """Tells subscribers what changed. ``blocks``: those that a connection sees."""

    def __init__(
        self,
        blocks: Callable[[ServerRequestContext[Any, Any]], Awaitable[tuple[BlockText, ...]]],
        closing: asyncio.Event | None = None,
        seconds: float = LOOK_SECONDS,
        *,
        longest: float | None = None,
        who: Callable[[ServerRequestContext[Any, Any]], str] | None = None,
    ) -> None:
        """``closing``: set when the server is about to end; streams end themselves then, and after ``longest`` seconds: so a key that was
        revoked hears nothing more. ``who``: names whose stream it is; nobody has more than ``MOST_STREAMS`` at once."""
        self._blocks = blocks
        self._closing = closing
        self._seconds = seconds
        self._longest = longest
        self._who = who
        self._streams: Counter[str] = Counter()
        self._followed: dict[str, _Followed] = {}

    # --- the protocol of today: a request whose answer is the stream -----------------------------------------------------

    async def listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve ``subscriptions/listen`` until the client leaves, or the stream has lasted long enough; a client goes on with a new one."""
        with self._counted(context):
            return await self._listen(context, params)

    @contextlib.contextmanager
    def _counted(self, context: ServerRequestContext[Any, Any]) -> Iterator[None]:
        """Count a stream. Raises MCPError if there are too many."""
        if self._who is None:
            yield
            return
        who = self._who(context)
        if self._streams[who] >= MOST_STREAMS:
            raise MCPError(types.INVALID_REQUEST, f"a key may listen {MOST_STREAMS} times at once; end a stream, and listen again")
        self._streams[who] += 1
        try:
            yield
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    async def _listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        bus = InMemorySubscriptionBus()
        # One for each request: events of one user are never on the bus of another.
        handler = ListenHandler(bus)
        before = await self._versions(context) or {}

        async def look() -> None:
            nonlocal before
            while True:
                await anyio.sleep(self._seconds)
                now = await self._versions(context)
                if now is None:
                    continue
                for uri in _changed(before, now):
                    await bus.publish(ResourceUpdated(uri))
                if set(before) != set(now):
                    await bus.publish(ResourcesListChanged())
                before = now

        async def close() -> None:
            with anyio.move_on_after(self._longest):
                await (self._closing or asyncio.Event()).wait()
            handler.close()

        async with anyio.create_task_group() as group:
            group.start_soon(look)
            group.start_soon(close)
            try:
                done = await handler(context, params)
            finally:
                group.cancel_scope.cancel()
        return done

    # --- the older protocol: on a connection that lasts ------------------------------------------------------------------

    def follow(self, block: BlockText, context: ServerRequestContext[Any, Any]) -> None:
        """Tell the connection when this block changes."""
        if len(self._followed) < _MOST_FOLLOWED:
            self._followed[block.uri] = _Followed(context, block.version)

    def leave(self, uri: str) -> None:
        """Tell it no more."""
        self._followed.pop(uri, None)

    async def run(self) -> None:
        """Look for changes of followed blocks, for ever."""
        while True:
            await anyio.sleep(self._seconds)
            if not self._followed:
                continue
            now = await self._versions(next(iter(self._followed.values())).context)
            if now is None:
                continue
            for uri, followed in list(self._followed.items()):
                if now.get(uri) != followed.version:
                    followed.version = now.get(uri)
                    await followed.context.session.send_resource_updated(uri)

    async def _versions(self, context: ServerRequestContext[Any, Any]) -> Mapping[str, int] | None:
        """Address → version; None: they cannot be read at present."""
        try:
            return {block.uri: block.version for block in await self._blocks(context)}
        except PagefileError as error:
            logger.warning("blocks cannot be looked at: %s", error)
            return None


def _changed(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    return [uri for uri in {**before, **now} if before.get(uri) != now.get(uri)]
