"""Blocks of core memory as resources: their addresses, and telling clients when they change.

Whoever changes a block may be another process, so blocks are looked at from time to time while somebody wants to know. Each subscription
looks with the eyes of its own connection: what happens in another one's memory is not even noticed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated

from pagefile.errors import PagefileError

logger = logging.getLogger(__name__)

_ADDRESS = "pagefile://blocks/"
#: Seconds between two looks.
LOOK_SECONDS = 1.0
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
    ) -> None:
        """``closing``: set when the server is about to end; streams end themselves then."""
        self._blocks = blocks
        self._closing = closing
        self._seconds = seconds
        self._followed: dict[str, _Followed] = {}

    # --- the protocol of today: a request whose answer is the stream -----------------------------------------------------

    async def listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve ``subscriptions/listen`` until the client leaves."""
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
            if self._closing is not None:
                await self._closing.wait()
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
