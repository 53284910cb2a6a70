"""The Responses API: its items as messages and back, so that memory has the same part in it as in a chat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import httpx

from pagefile.exchange import Exchange, Form
from pagefile.exchange.places import Recent
from pagefile.records import Scope
from pagefile.server.proxy.relay import Relay, Request
from pagefile.server.proxy.replies import Reply, named_tools

#: Id of a response → the session in which it stands. The next request may name it in place of the history.
_sessions: Recent[str] = Recent()
#: Kind and id of what the endpoint keeps → whose it is. All of it lies under one key of the endpoint's, so that the endpoint cannot tell.
_owners: Recent[Scope] = Recent(100_000)
#: They are the same for every scope.
_ANYBODY = Scope("every", "every")


def messages_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The input of a request as messages of a chat; what says nothing to memory is left out."""
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    found = [_message(item) for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []
    return [message for message in found if message is not None]


def _message(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    kind = item.get("type", "message")
    if kind == "function_call":
        function = {"name": item.get("name"), "arguments": item.get("arguments", "{}")}
        return {"role": "assistant", "content": None, "tool_calls": [{"id": item.get("call_id"), "type": "function", "function": function}]}
    if kind == "function_call_output":
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": item.get("output")}
    return {"role": item.get("role"), "content": item.get("content")} if kind == "message" else None


def session_of(body: Mapping[str, Any], scope: Scope) -> str | None:
    """The session that a request goes on with by naming a response or a conversation; None: it names none that is known."""
    before = body.get("previous_response_id")
    if isinstance(before, str):
        return _sessions.get(scope, before)
    return _conversation(body)


def _is_user(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("role") == "user"


def foreign(body: Mapping[str, Any], scope: Scope, *, strict: bool) -> str | None:
    """The first name in a request of something that is another user's; None: there is none.

    ``strict``: a response of which it is not known whose it is is another's. A conversation of which it is not known belongs to the first
    who names it: they are made elsewhere.
    """
    before = body.get("previous_response_id")
    if before is not None:
        owner = _owners.get(_ANYBODY, f"response {before}")
        if owner != scope and (strict or owner is not None):
            return "previous_response_id"
    name = _conversation(body)
    if name is not None:
        owner = _owners.get(_ANYBODY, f"conversation {name}")
        if owner not in (None, scope):
            return "conversation"
        _owners.put(_ANYBODY, f"conversation {name}", scope)
    return None


def _conversation(body: Mapping[str, Any]) -> str | None:
    conversation = body.get("conversation")
    name = conversation.get("id") if isinstance(conversation, Mapping) else conversation
    return name if isinstance(name, str) and name else None


class ResponsesRelay(Relay):
    """The reply to a client of the Responses API. It is read along also where memory has no part in it, for whose it is."""

    def __init__(self, upstream: httpx.AsyncClient, request: Request, exchange: Exchange | None, scope: Scope) -> None:
        super().__init__(upstream, request, exchange=exchange)
        self._reply: ResponseReply = ResponseReply(named_tools(request.body), lambda id: _owners.put(_ANYBODY, f"response {id}", scope))
        self._of, self._scope = exchange, scope

    def _composed(self, exchange: Exchange, form: Form) -> dict[str, Any]:
        body, memories = dict(self._request.body), exchange.memories
        if memories.prefix:
            given = body.get("instructions")
            body["instructions"] = f"{given}\n\n{memories.prefix}" if isinstance(given, str) and given else memories.prefix
        if memories.notes:
            items = body["input"]
            items = [{"role": "user", "content": items}] if isinstance(items, str) else list(items)
            newest = next((at for at in range(len(items) - 1, -1, -1) if _is_user(items[at])), len(items))
            body["input"] = [*items[:newest], {"role": "user", "content": memories.notes}, *items[newest:]]
        return body

    @property
    def _reads(self) -> bool:
        return True

    async def _settle(self, *, interrupted: bool = False) -> None:
        await super()._settle(interrupted=interrupted)
        if self._reply.id and self._of is not None and self._of.session is not None:
            _sessions.put(self._scope, self._reply.id, self._of.session)


class ResponseReply(Reply):
    """What the model said in a response. ``told``: gets its id as soon as the client may have it."""

    def __init__(self, tools: Mapping[str, Any] | None = None, told: Callable[[str], None] | None = None) -> None:
        super().__init__(tools)
        self._told = told

    def feed(self, value: Any) -> None:
        """Read a response, or an event of one."""
        if not isinstance(value, Mapping):
            return
        kind = value.get("type")
        if kind == "response.output_text.delta" and isinstance(value.get("delta"), str):
            super().feed({"choices": [{"delta": {"content": value["delta"]}}]})
        response = value.get("response") if isinstance(kind, str) else value
        if not isinstance(response, Mapping):
            return
        if response.get("id") and self.id != str(response["id"]):
            self.id = str(response["id"])
            if self._told is not None:
                self._told(self.id)
        output = response.get("output")
        if response.get("status") in ("completed", "incomplete") and isinstance(output, list):
            self._whole(response, output)

    def _whole(self, response: Mapping[str, Any], output: list[Any]) -> None:
        # It says again what came piece by piece.
        self.anew()
        items = [item for item in output if isinstance(item, Mapping)]
        texts = [item.get("content") for item in items if item.get("type") == "message"]
        calls = [
            {"index": place, "id": item.get("call_id"), "function": {"name": item.get("name"), "arguments": item.get("arguments")}}
            for place, item in enumerate(items)
            if item.get("type") == "function_call"
        ]
        for content in texts:
            super().feed({"choices": [{"message": {"content": content}}]})
        super().feed({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "stop"}]})
        super().feed({"usage": response.get("usage"), "model": response.get("model")})
