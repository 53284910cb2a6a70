"""The Responses API: its items as messages and back, so that memory has the same part in it as in a chat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from pagefile.exchange import Exchange, Form
from pagefile.exchange.places import Recent
from pagefile.records import Scope
from pagefile.server.proxy.relay import Relay, Request
from pagefile.server.proxy.replies import Reply

#: Id of a response → the session in which it stands. The next request may name it in place of the history.
_sessions: Recent[str] = Recent()


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
    conversation = body.get("conversation")
    name = conversation.get("id") if isinstance(conversation, Mapping) else conversation
    return name if isinstance(name, str) and name else None


class ResponsesRelay(Relay):
    """The reply to a client of the Responses API."""

    def __init__(self, upstream: httpx.AsyncClient, request: Request, exchange: Exchange, scope: Scope) -> None:
        super().__init__(upstream, request, exchange=exchange)
        self._reply = ResponseReply()
        self._of, self._scope = exchange, scope

    def _composed(self, exchange: Exchange, form: Form) -> dict[str, Any]:
        body, memories = dict(self._request.body), exchange.memories
        if memories.prefix:
            given = body.get("instructions")
            body["instructions"] = f"{given}\n\n{memories.prefix}" if isinstance(given, str) and given else memories.prefix
        if memories.notes:
            items = body["input"]
            items = [{"role": "user", "content": items}] if isinstance(items, str) else list(items)
            newest = next((at for at in range(len(items) - 1, -1, -1) if items[at].get("role") == "user"), len(items))
            body["input"] = [*items[:newest], {"role": "user", "content": memories.notes}, *items[newest:]]
        return body

    async def _settle(self, *, interrupted: bool = False) -> None:
        await super()._settle(interrupted=interrupted)
        if self._reply.id and self._of.session is not None:
            _sessions.put(self._scope, self._reply.id, self._of.session)


class ResponseReply(Reply):
    """What the model said in a response."""

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
        self.id = str(response.get("id") or self.id)
        output = response.get("output")
        if response.get("status") in ("completed", "incomplete") and isinstance(output, list):
            self._whole(response, output)

    def _whole(self, response: Mapping[str, Any], output: list[Any]) -> None:
        # It says again what came piece by piece.
        self._texts.clear()
        self._calls.clear()
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
