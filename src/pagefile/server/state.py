"""What the routes share: one value, kept at ``app.state.pagefile``."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime

import httpx

from pagefile.memory import AsyncMemory
from pagefile.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """What a server is put together from."""

    memory: AsyncMemory
    #: All settings, those of the server among them.
    settings: Settings
    #: The time now, with a zone.
    now: Callable[[], datetime]
    #: The client for the endpoint that the proxy forwards to; None: there is no such endpoint.
    upstream: httpx.AsyncClient | None = None
    #: Set when the server is about to end: streams that would go on for ever (events, MCP) end themselves then.
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    #: Streams of changes that are listened to at this moment, by whose they are.
    listeners: Counter[Hashable] = field(default_factory=Counter)
