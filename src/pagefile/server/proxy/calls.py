"""Runs the memory's own system calls where a client asked for them: the model makes them, the client never sees them.

Calls of the client's tools pass as ever. What the model says beside calls of ours goes out at once; when it made calls of ours alone, they
are run and it is asked again, a few times at most.
"""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx

from pagefile.exchange import Exchange
from pagefile.server.proxy.relay import Broken, Relay, Request, as_json
from pagefile.server.proxy.replies import Reply, whole

#: Times that the model is asked in one request; the last time without our calls.
MOST_ROUNDS = 6


class CallingRelay(Relay):
    """The reply to a client whose model was offered system calls."""

    def __init__(self, upstream: httpx.AsyncClient, request: Request, exchange: Exchange) -> None:
        self._own = {tool["function"]["name"]: tool for tool in exchange.tools(taken=_names(request.body))}
        theirs = request.body.get("tools")
        self._theirs = list(theirs) if isinstance(theirs, list) else []
        super().__init__(upstream, request, exchange=exchange)
        self._calls_of = exchange
        self._rounds = 0
        #: Places of the calls in the present answer that the client does not see.
        self._hidden: set[Any] = set()
        #: Place of a call in the answer → its place among those that the client sees.
        self._places: dict[Any, int] = {}

    def _body(self) -> dict[str, Any]:
        body = super()._body()
        own = list(self._own.values()) if self._rounds < MOST_ROUNDS - 1 else []
        if own or self._theirs:
            body["tools"] = [*self._theirs, *own]
        if not self._theirs and not own:
            body.pop("tool_choice", None)
        return body

    async def _events(self, response: httpx.Response) -> AsyncIterator[bytes]:
        while True:
            heard, end = Reply(), list[bytes]()
            async for raw in self._raw_events(response):
                value = _data(raw)
                if raw.strip() == b"data: [DONE]":
                    end.append(raw)
                    break
                heard.feed(value)
                if value is None:
                    yield raw
                    continue
                shown, is_end = self._without_own(value)
                if is_end or _is_usage(value):
                    end.append(raw if shown is value else _event(shown))
                elif shown is not None:
                    self._feed([shown])
                    yield raw if shown is value else _event(shown)
            if not await self._goes_on(heard):
                break
            await response.aclose()
            response = await self._next()
        for raw in end:
            if (value := _data(raw)) is not None:
                self._feed([value])
        await self._settle(interrupted=self._reply.finish is None)
        for raw in end:
            yield raw
        await response.aclose()

    async def _whole(self, response: httpx.Response) -> AsyncIterator[bytes]:
        if response.status_code >= 300:
            async for piece in super()._whole(response):
                yield piece
            return
        while True:
            data = b"".join([piece async for piece in self._pieces(response)])
            value, heard = whole(data), Reply()
            heard.feed(value)
            if not await self._goes_on(heard):
                break
            await response.aclose()
            response = await self._next()
        shown, _ = self._without_own(value) if isinstance(value, Mapping) else (value, False)
        self._feed([shown])
        await self._settle()
        await response.aclose()
        yield data if shown is value else as_json(shown)

    # --- calls -----------------------------------------------------------------------------------------------------------

    async def _goes_on(self, heard: Reply) -> bool:
        """Run the calls of ours in an answer; returns whether the model is to be asked again."""
        message = heard.message
        calls = [{**call, "id": f"{call['id'][:40]}_{self._rounds}"} for call in message.get("tool_calls", [])]
        own = [call for call in calls if call["function"]["name"] in self._own]
        if not own or self._plain:
            return False
        results = [{"role": "tool", "tool_call_id": call["id"], "content": await self._calls_of.call(call)} for call in own]
        self._rounds += 1
        if len(own) < len(calls) or self._rounds >= MOST_ROUNDS:
            return False
        # Some endpoints give the same ids again and again, and refuse them then.
        self._more += [{**message, "tool_calls": calls}, *results]
        return True

    async def _next(self) -> httpx.Response:
        try:
            response = await self._send(self._form)
        except httpx.HTTPError as error:
            raise Broken(type(error).__name__) from error
        if response.status_code >= 300:
            await response.aclose()
            raise Broken(f"it refused what the memory's calls came to with HTTP {response.status_code}")
        return response

    def _without_own(self, value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, bool]:
        """A chunk or an answer without calls of ours, None if nothing is left of it; and whether it says how the answer ended."""
        choices = value.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return value, False
        is_end = isinstance(choices[0].get("finish_reason"), str)
        part = "delta" if "delta" in choices[0] else "message"
        said = choices[0].get(part)
        calls = said.get("tool_calls") if isinstance(said, Mapping) else None
        if not isinstance(calls, list) or not calls:
            return self._ended(value, is_end), is_end
        left = [self._numbered(call) for call in calls if not self._is_own(call)]
        if left == calls:
            return value, is_end
        shown = copy.deepcopy(dict(value))
        if left:
            shown["choices"][0][part]["tool_calls"] = left
        else:
            del shown["choices"][0][part]["tool_calls"]
            if part == "message":
                shown["choices"][0]["finish_reason"] = "stop"
            elif not shown["choices"][0][part].get("content") and not is_end:
                return None, False
        return shown, is_end

    def _ended(self, value: Mapping[str, Any], is_end: bool) -> Mapping[str, Any]:
        """An end for the sake of calls that the client does not see is just an end to it."""
        if is_end and value["choices"][0]["finish_reason"] == "tool_calls" and not self._reply.message.get("tool_calls") and self._hidden:
            shown = copy.deepcopy(dict(value))
            shown["choices"][0]["finish_reason"] = "stop"
            return shown
        return value

    def _numbered(self, call: Any) -> Any:
        """A call of the client's with the place it has among those that the client sees."""
        if not isinstance(call, Mapping) or "index" not in call:
            return call
        return {**call, "index": self._places.setdefault(call["index"], len(self._places))}

    def _is_own(self, call: Any) -> bool:
        if not isinstance(call, Mapping):
            return False
        function = call.get("function")
        name = function.get("name") if isinstance(function, Mapping) else None
        index = call.get("index")
        if name:
            (self._hidden.add if name in self._own else self._hidden.discard)(index)
            return name in self._own
        return index in self._hidden

    async def _raw_events(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """The events of a stream, each with the empty line behind it."""
        self._hidden.clear()
        held = b""
        async for piece in self._pieces(response):
            held += piece.replace(b"\r\n", b"\n")
            *events, held = held.split(b"\n\n")
            for event in events:
                if event.strip():
                    yield event + b"\n\n"
        if held.strip():
            yield held


def _names(body: Mapping[str, Any]) -> frozenset[str]:
    """The names of the client's own tools."""
    tools = body.get("tools")
    functions = [tool.get("function") for tool in tools if isinstance(tool, Mapping)] if isinstance(tools, list) else []
    return frozenset(str(one.get("name")) for one in functions if isinstance(one, Mapping))


def _data(raw: bytes) -> Any:
    lines = [line[5:].strip() for line in raw.split(b"\n") if line.startswith(b"data:")]
    try:
        value = json.loads(b"\n".join(lines))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, Mapping) else None


def _event(value: Any) -> bytes:
    return b"data: " + as_json(value) + b"\n\n"


def _is_usage(value: Mapping[str, Any]) -> bool:
    return value.get("choices") == [] and "usage" in value
