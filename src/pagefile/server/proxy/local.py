"""Answers where there is no endpoint to pass a request on to: by the memory's own model, in the form of the Chat Completions API."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import anyio
import uuid_utils
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pagefile.errors import InputError
from pagefile.events import TextDelta, Usage
from pagefile.exchange import Exchange
from pagefile.intake import content_text
from pagefile.language.tokens import count
from pagefile.messages import ToolCall
from pagefile.ports import Model, ModelEvent, ModelRequest, ToolSpec
from pagefile.server.proxy.relay import about_memory, as_json, keep, while_wanted
from pagefile.server.proxy.replies import Reply
from pagefile.server.proxy.upstream import encoded

#: Characters of a message from which on its tokens are guessed.
_LONG = 20_000


class Local(Response):
    """The reply to a client."""

    def __init__(self, model: Model, body: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], exchange: Exchange | None) -> None:
        super().__init__()
        self._model = model
        self._body = body
        self._exchange = exchange
        self._request = _request(body, messages, exchange)
        self._reply = Reply()
        self._id = f"chatcmpl-{uuid_utils.uuid7().hex}"
        self._created = int(time.time())
        self._name = str(body.get("model") or model.name)
        self._settled = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await while_wanted(receive, lambda: self._answer(send))

    async def _answer(self, send: Send) -> None:
        try:
            await (self._stream(send) if self._body.get("stream") else self._whole(send))
        finally:
            with anyio.CancelScope(shield=True):
                await self._settle(interrupted=True)

    async def _whole(self, send: Send) -> None:
        async with aclosing(self._chunks()) as chunks:
            async for _ in chunks:
                continue
        message = self._reply.message
        choice = {"message": message, "logprobs": None, "finish_reason": self._reply.finish}
        answer = {
            **self._frame("chat.completion"),
            "choices": [{"index": place, **choice} for place in range(_wanted(self._body))],
            "usage": self._usage(),
        }
        await self._settle()
        data = as_json(answer)
        await self._start(send, "application/json", {"Content-Length": str(len(data))})
        await send({"type": "http.response.body", "body": data})

    async def _stream(self, send: Send) -> None:
        started = False
        async with aclosing(self._chunks()) as chunks:
            async for delta, finish in chunks:
                if not started:
                    await self._start(send, "text/event-stream; charset=utf-8", {})
                    started = True
                for place in range(_wanted(self._body)):
                    choice = {"index": place, "delta": delta, "logprobs": None, "finish_reason": finish}
                    await self._event(send, {**self._frame("chat.completion.chunk"), "choices": [choice]})
        options = self._body.get("stream_options")
        if isinstance(options, Mapping) and options.get("include_usage"):
            await self._event(send, {**self._frame("chat.completion.chunk"), "choices": [], "usage": self._usage()})
        await self._settle()
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})

    async def _chunks(self) -> AsyncGenerator[tuple[dict[str, Any], str | None], None]:
        """The answer as deltas. The first one comes only when the model has begun, so that its failure is told as an error."""
        yield_role = {"role": "assistant", "content": ""}
        calls, reason = 0, "stop"
        events = self._model.stream(self._request)
        async with aclosing(_closable(events)) as answer:
            async for event in answer:
                if isinstance(event, TextDelta):
                    delta: dict[str, Any] = {**yield_role, "content": event.text}
                elif isinstance(event, ToolCall):
                    function = {"name": event.name, "arguments": event.arguments}
                    delta = {**yield_role, "tool_calls": [{"index": calls, "id": event.id, "type": "function", "function": function}]}
                    calls += 1
                else:
                    reason, self._reply.usage = event.reason, event.usage if event.usage.calls or event.usage.input_tokens else None
                    continue
                yield_role = {}
                self._reply.feed({"choices": [{"index": 0, "delta": delta}], "model": self._name})
                yield delta, None
        finish = "tool_calls" if calls else reason
        self._reply.finish = finish
        yield yield_role, finish

    def _frame(self, kind: str) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._name, "system_fingerprint": None}

    def _usage(self) -> dict[str, int]:
        told = self._reply.usage or Usage()
        read = told.input_tokens or sum(_tokens(message) for message in self._request.messages)
        written = told.output_tokens or _tokens(self._reply.message)
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}

    async def _start(self, send: Send, kind: str, more: Mapping[str, str]) -> None:
        about = about_memory(self._exchange) if self._exchange is not None else {}
        await send({"type": "http.response.start", "status": 200, "headers": encoded([("Content-Type", kind)], {**more, **about})})

    async def _event(self, send: Send, value: Mapping[str, Any]) -> None:
        await send({"type": "http.response.body", "body": b"data: " + as_json(value) + b"\n\n", "more_body": True})

    async def _settle(self, *, interrupted: bool = False) -> None:
        if self._settled or self._exchange is None:
            return
        self._settled = True
        with anyio.CancelScope(shield=True):
            await keep(self._exchange, self._reply, interrupted=interrupted, echo=self._model.echoes_memory)


async def _closable(events: AsyncIterator[ModelEvent]) -> AsyncGenerator[ModelEvent, None]:
    try:
        async for event in events:
            yield event
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


def _request(body: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], exchange: Exchange | None) -> ModelRequest:
    """Raises InputError for what the model could not be asked."""
    if not any(message.get("role") in ("user", "tool") for message in messages):
        raise InputError("messages has no message of a user; give at least one")
    most = body.get("max_completion_tokens", body.get("max_tokens"))
    warmth = body.get("temperature")
    return ModelRequest(
        messages=messages,
        tools=_tools(body.get("tools")),
        max_tokens=most if isinstance(most, int) and most > 0 else None,
        temperature=warmth if isinstance(warmth, int | float) else None,
        notes=exchange.memories.hits if exchange is not None else (),
    )


def _tools(given: Any) -> tuple[ToolSpec, ...]:
    functions = [tool.get("function") for tool in given if isinstance(tool, Mapping)] if isinstance(given, list) else []
    return tuple(_tool(one) for one in functions if isinstance(one, Mapping) and one.get("name"))


def _tool(given: Mapping[str, Any]) -> ToolSpec:
    parameters = given.get("parameters")
    shape = parameters if isinstance(parameters, Mapping) else {"type": "object"}
    return ToolSpec(name=str(given["name"]), description=str(given.get("description") or ""), parameters=shape)


def _wanted(body: Mapping[str, Any]) -> int:
    wanted = body.get("n")
    return min(wanted, 16) if isinstance(wanted, int) and wanted > 0 else 1


def _tokens(message: Mapping[str, Any]) -> int:
    try:
        text = content_text(message.get("content"))
    except InputError:
        return 0
    return 4 + (count(text) if len(text) <= _LONG else len(text) // 3)
