"""Does what is asked over MCP on an open memory. This and what it imports is heavy: over stdio it is loaded once the client was greeted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

import pagefile.records as records
from pagefile.access import Right
from pagefile.errors import NotAllowed, SettingsError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.memory import AsyncMemory
from pagefile.prompts import Wording
from pagefile.records import Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.mcp.deeds import ACTOR, DEEDS, Call, looks_up
from pagefile.server.mcp.forms import Answer, Form
from pagefile.server.mcp.resources import BlockText
from pagefile.settings import Settings

#: Whose memory a request reaches, if it may do this there. Raises PagefileError.
ScopeOf = Callable[[ServerRequestContext[Any, Any], Right], records.Scope]
_MOST_NAME = 80


class MemoryDoing:
    """Does it on a memory that is open."""

    def __init__(self, memory: AsyncMemory, scope_of: ScopeOf, settings: Settings, wording: Wording) -> None:
        self._memory = memory
        self._scope_of = scope_of
        self._wording = wording
        self._trust = trust_of(settings)
        self._zone = settings.zone()

    async def call(self, tool: str, form: Form, context: ServerRequestContext[Any, Any]) -> Answer:
        """What a tool answers."""
        right, deed = DEEDS[tool]
        memory = self._scoped(context, right)
        if looks_up(form):
            self._scoped(context, "read")
        reads = self._may_read(context)
        call = Call(memory=memory, wording=self._wording, trust=self._trust, zone=self._zone, client=_client(context), reads=reads)
        return await deed(form, call)

    async def blocks(self, context: ServerRequestContext[Any, Any]) -> tuple[BlockText, ...]:
        """The blocks of core memory that all agents share."""
        return tuple(
            BlockText(label=block.label, description=block.description, text=redact(clean(block.text)).text, version=block.version)
            for block in await self._scoped(context, "read").blocks()
        )

    def redact(self, text: str) -> str:
        """The text of an error without secrets."""
        return redact(text).text

    def _may_read(self, context: ServerRequestContext[Any, Any]) -> bool:
        try:
            self._scope_of(context, "read")
        except NotAllowed:
            return False
        return True

    def _scoped(self, context: ServerRequestContext[Any, Any], right: Right) -> AsyncScopedMemory:
        scope = self._scope_of(context, right)
        return self._memory.scope(scope.user, tenant=scope.tenant, actor=ACTOR)


def trust_of(settings: Settings) -> Trust:
    """How far what a host's model writes is believed. Raises SettingsError."""
    known = {"assistant": Trust.ASSISTANT_SAID, "user": Trust.USER_SAID}
    if settings.mcp_trust not in known:
        raise SettingsError(f"the setting mcp_trust must be assistant or user, not {settings.mcp_trust!r}")
    return known[settings.mcp_trust]


def _client(context: ServerRequestContext[Any, Any]) -> str | None:
    """How the program at the other end names itself."""
    params = context.session.client_params
    if params is None or params.client_info is None:
        return None
    return clean(params.client_info.name).strip()[:_MOST_NAME] or None
