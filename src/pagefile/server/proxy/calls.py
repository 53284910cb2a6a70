"""Runs the memory's own system calls where a client asked for them: the model makes them, the client never sees them.

Calls of the client's tools pass as ever. What the model says beside calls of ours goes out at once; when it made calls of ours alone, they
are run and it is asked again, a few times at most.
"""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from pagefile.events import Usage
from pagefile.exchange import Exchange
from pagefile.models.replies import CallAssembler
from pagefile.server.proxy.relay import Broken, Relay, Request, as_json
from pagefile.server.proxy.replies import Reply, named_tools, whole
from pagefile.server.proxy.written import WrittenCalls

#: Times that the model is asked in one request; the last time without our calls.
MOST_ROUNDS = 6
#: Bytes of an event, or of a whole answer, that are looked through; longer ones pass as they are.
_LONGEST_EVENT = 8_000_000


@dataclass(slots=True)
class _Answer:
    """One of the answers of a stream, as far as it has come."""

    heard: Reply
    #: The events with which it ends; they wait until it is known that no other comes.
    end: list[bytes] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    #: What its events have beside their choices.
    frame: dict[str, Any] = field(default_factory=dict)


class CallingRelay(Relay):
    """The reply to a client whose model was offered system calls."""

    def __init__(self, upstream: httpx.AsyncClient, request: Request, exchange: Exchange) -> None:
        self._own = {tool["function"]["name"]: tool for tool in exchange.tools(taken=_names(request.body))}
        theirs = request.body.get("tools")
        self._theirs = list(theirs) if isinstance(theirs, list) else []
        super().__init__(upstream, request, exchange=exchange)
        self._calls_of = exchange
        self._rounds = 0
        #: Choices and places of the calls in the present answer that the client does not see.
        self._hidden: set[tuple[Any, Any]] = set()
        #: Choice and place of a call in the answer → its place among those of the choice that the client sees.
        self._places: dict[tuple[Any, Any], int] = {}
        #: Choices in which the client sees calls.
        self._shows: set[Any] = set()
        #: Choice → what takes calls of ours out of its words.
        self._written: dict[Any, WrittenCalls] = {}
        self._schemas = named_tools({"tools": list(self._own.values())})
        #: What each of the answers said it cost, as it said it, and as we read it.
        self._costs: list[Mapping[str, Any]] = []
        self._heard: list[Reply] = []

    def _body(self) -> dict[str, Any]:
        body = super()._body()
        own = list(self._own.values()) if self._rounds < MOST_ROUNDS - 1 else []
        if own or self._theirs:
            body["tools"] = [*self._theirs, *own]
        if not self._theirs and not own:
            body.pop("tool_choice", None)
        return body

    async def _events(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        while True:
            one = _Answer(self._listening())
            async for raw in self._raw_events(response):
                if _is_done(raw):
                    one.end.append(raw)
                    break
                if shown := self._passing(raw, one):
                    yield shown
            for rest in self._rest(one.frame):
                # It was held as what could have become a call, and the answer has no end.
                one.heard.feed(rest)
                self._feed([rest])
                yield _event(rest)
            if not await self._goes_on(one.heard):
                break
            for words in filter(None, map(_words_of, one.end)):
                # Words that came with the end of an answer which is not the last one.
                self._feed([words])
                yield _event(words)
            self._costs.append(one.usage)
            await response.aclose()
            response = await self._next()
        for raw in one.end:
            if (value := _data(raw)) is not None:
                self._feed([value])
        await self._settle(interrupted=self._reply.finish is None)
        for raw in one.end:
            yield raw
        await response.aclose()

    def _passing(self, raw: bytes, one: _Answer) -> bytes | None:
        """What of an event the client gets at once; None: nothing, or it belongs to the end."""
        value = _data(raw)
        if value is None:
            return raw
        one.usage = _usage(value) or one.usage
        one.frame = {name: item for name, item in value.items() if name not in ("choices", "usage")}
        worded = self._without_written(value)
        one.heard.feed(worded)
        shown, is_end = self._without_own(self._with_costs(worded)) if worded is not None else (None, False)
        passed = raw if shown is value else _event(shown)
        if is_end or _is_usage(value):
            one.end.append(passed)
            return None
        if shown is None:
            return None
        self._feed([shown])
        return passed

    async def _whole(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        if response.status_code >= 300:
            async for piece in super()._whole(response):
                yield piece
            return
        while True:
            pieces = self._pieces(response)
            data = await _gathered(pieces)
            if len(data) > _LONGEST_EVENT:
                # So much is no answer of a model to read; it passes as it is.
                yield data
                async for piece in pieces:
                    yield piece
                return
            value, heard = whole(data), self._listening()
            worded = self._without_written(value) if isinstance(value, Mapping) else value
            heard.feed(worded)
            if not await self._goes_on(heard):
                break
            self._costs.append(_usage(value))
            await response.aclose()
            response = await self._next()
        shown, _ = self._without_own(self._with_costs(worded)) if isinstance(worded, Mapping) else (worded, False)
        self._feed([shown])
        await self._settle()
        await response.aclose()
        yield data if shown is value else as_json(shown)

    async def _settle(self, *, interrupted: bool = False) -> None:
        spent = [heard.usage for heard in self._heard if heard.usage is not None]
        if spent:
            self._reply.usage = Usage(
                calls=sum(one.calls for one in spent),
                input_tokens=sum(one.input_tokens for one in spent),
                output_tokens=sum(one.output_tokens for one in spent),
                cached_tokens=sum(one.cached_tokens for one in spent),
            )
        await super()._settle(interrupted=interrupted)

    def _listening(self) -> Reply:
        """Reads the next answer."""
        self._heard.append(Reply())
        self._written.clear()
        return self._heard[-1]

    def _with_costs(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """A chunk or an answer that tells what all answers cost together: the client pays for all of them."""
        usage = value.get("usage")
        if not self._costs or not isinstance(usage, Mapping):
            return value
        return {**value, "usage": functools.reduce(_added, self._costs, usage)}

    # --- calls -----------------------------------------------------------------------------------------------------------

    async def _goes_on(self, heard: Reply) -> bool:
        """Run the calls of ours in an answer; returns whether the model is to be asked again."""
        message = self._with_written(heard)
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

    def _with_written(self, heard: Reply) -> dict[str, Any]:
        """What the model said, with the calls that it wrote into its words. Who made some of them, too, may have written the same ones."""
        message, written = heard.message, self._written.get(0)
        made = message.get("tool_calls", [])
        if written is None or not written.calls or any(call["function"]["name"] in self._own for call in made):
            return message
        calls = CallAssembler(self._schemas)
        for place, call in enumerate(written.calls):
            calls.feed({"index": place, "id": f"call_{place}", "function": call._asdict()})
        told = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls.finish(cut=heard.finish == "length")
        ]
        return {**message, "tool_calls": [*made, *told]} if told else message

    def _without_written(self, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A chunk or an answer without calls of ours in its words; None if nothing is left of it."""
        choices = value.get("choices")
        if not isinstance(choices, list) or not self._own:
            return value
        shown = [self._worded(choice) if isinstance(choice, Mapping) else choice for choice in choices]
        if all(one is other for one, other in zip(shown, choices, strict=True)):
            return value
        left = [choice for choice in shown if choice is not None]
        return {**value, "choices": left} if left or _usage(value) else None

    def _worded(self, choice: Mapping[str, Any]) -> Mapping[str, Any] | None:
        part = "delta" if "delta" in choice else "message"
        said = choice.get(part)
        said = said if isinstance(said, Mapping) else {}
        ends = part == "message" or isinstance(choice.get("finish_reason"), str)
        text = said.get("content")
        text = text if isinstance(text, str) else ""
        if not text and not ends:
            return choice
        at = _number(choice.get("index", 0))
        written = self._written.setdefault(at, WrittenCalls(self._schemas))
        shown = written.feed(text) + (written.finish() if ends else "")
        if shown == text:
            return choice
        return {**choice, part: {**said, "content": shown}} if shown or ends or set(said) - {"content"} else None

    def _rest(self, frame: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Chunks with the words that are held still."""
        held = [(at, written.finish()) for at, written in self._written.items()]
        return [{**frame, "choices": [{"index": at, "delta": {"content": words}, "finish_reason": None}]} for at, words in held if words]

    def _without_own(self, value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, bool]:
        """A chunk or an answer without calls of ours, None if nothing is left of it; and whether it says how the answer ended."""
        choices = value.get("choices")
        if not isinstance(choices, list) or not choices:
            return value, False
        shown = [self._choice(choice) for choice in choices]
        is_end = any(isinstance(choice, Mapping) and isinstance(choice.get("finish_reason"), str) for choice in choices)
        if all(one is other for one, other in zip(shown, choices, strict=True)):
            return value, is_end
        left = [choice for choice in shown if choice is not None]
        return ({**value, "choices": left} if left else None), is_end

    def _choice(self, choice: Any) -> Any:
        """A choice without calls of ours, None if nothing is left of it; the same if it has none."""
        if not isinstance(choice, Mapping):
            return choice
        at, is_end = _number(choice.get("index", 0)), isinstance(choice.get("finish_reason"), str)
        part = "delta" if "delta" in choice else "message"
        said = choice.get(part)
        calls = said.get("tool_calls") if isinstance(said, Mapping) else None
        if not isinstance(said, Mapping) or not isinstance(calls, list) or not calls:
            return self._ended(choice, at)
        left = [self._numbered(call, at) for call in calls if not self._is_own(call, at)]
        if left:
            self._shows.add(at)
        if left == calls:
            return choice
        if left:
            return {**choice, part: {**said, "tool_calls": left}}
        rest = {name: value for name, value in said.items() if name != "tool_calls"}
        if part == "delta" and not rest.get("content") and not is_end:
            return None
        shown = {**choice, part: rest}
        return {**shown, "finish_reason": "stop"} if part == "message" else self._ended(shown, at)

    def _ended(self, choice: Mapping[str, Any], at: Any) -> Mapping[str, Any]:
        """An end for the sake of calls that the client does not see is just an end to it."""
        hides = at not in self._shows and any(hidden == at for hidden, _ in self._hidden)
        return {**choice, "finish_reason": "stop"} if hides and choice.get("finish_reason") == "tool_calls" else choice

    def _numbered(self, call: Any, at: Any) -> Any:
        """A call of the client's with the place it has among those that the client sees."""
        if not isinstance(call, Mapping) or "index" not in call:
            return call
        shown = sum(choice == at for choice, _ in self._places)
        return {**call, "index": self._places.setdefault((at, _number(call["index"])), shown)}

    def _is_own(self, call: Any, at: Any) -> bool:
        if not isinstance(call, Mapping):
            return False
        function = call.get("function")
        name = function.get("name") if isinstance(function, Mapping) else None
        place = (at, _number(call.get("index")))
        if name:
            (self._hidden.add if name in self._own else self._hidden.discard)(place)
            return name in self._own
        return place in self._hidden

    async def _raw_events(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The events of a stream, each with the empty line behind it."""
        self._hidden.clear()
        held = b""
        async for piece in self._pieces(response):
            held = (held + piece).replace(b"\r\n", b"\n")
            *events, held = held.split(b"\n\n")
            for event in events:
                for one in _single(event):
                    yield one + b"\n\n"
            if len(held) > _LONGEST_EVENT:
                yield held
                held = b""
        for one in _single(held):
            yield one + b"\n\n"


async def _gathered(pieces: AsyncGenerator[bytes, None]) -> bytes:
    """All pieces together, or the first ones that are more than can be looked through."""
    read, size = list[bytes](), 0
    while size <= _LONGEST_EVENT and (piece := await anext(pieces, b"")):
        read.append(piece)
        size += len(piece)
    return b"".join(read)


def _number(index: Any) -> Any:
    """A number that some endpoints send as something else; what is none at all stands for itself."""
    return index if isinstance(index, int | float | str | None) else repr(index)


def _names(body: Mapping[str, Any]) -> frozenset[str]:
    """The names of the client's own tools."""
    tools = body.get("tools")
    functions = [tool.get("function") for tool in tools if isinstance(tool, Mapping)] if isinstance(tools, list) else []
    return frozenset(str(one.get("name")) for one in functions if isinstance(one, Mapping))


def _lines(raw: bytes) -> list[bytes]:
    return [line[5:].strip() for line in raw.split(b"\n") if line.startswith(b"data:")]


def _single(event: bytes) -> list[bytes]:
    """An event, or each of them where a server puts one line end alone between two."""
    if not event.strip():
        return []
    lines = _lines(event)
    if len(lines) < 2 or _data(event) is not None:
        return [event]
    return [line for line in event.split(b"\n") if line.strip()]


def _is_done(raw: bytes) -> bool:
    return _lines(raw) == [b"[DONE]"]


def _data(raw: bytes) -> Any:
    lines = _lines(raw)
    try:
        value = json.loads(b"\n".join(lines))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, Mapping) else None


def _words_of(raw: bytes) -> dict[str, Any] | None:
    """The words of an event that ends an answer, as an event of their own; None: it has none."""
    value = _data(raw)
    choices = value.get("choices") if isinstance(value, Mapping) else None
    left = [
        {"index": choice.get("index", 0), "delta": {"content": choice["delta"]["content"]}, "finish_reason": None}
        for choice in (choices if isinstance(choices, list) else ())
        if isinstance(choice, Mapping) and isinstance(choice.get("delta"), Mapping) and choice["delta"].get("content")
    ]
    return {**{name: item for name, item in value.items() if name != "usage"}, "choices": left} if left else None


def _event(value: Any) -> bytes:
    return b"data: " + as_json(value) + b"\n\n"


def _is_usage(value: Mapping[str, Any]) -> bool:
    return value.get("choices") == [] and "usage" in value


def _usage(value: Any) -> dict[str, Any]:
    usage = value.get("usage") if isinstance(value, Mapping) else None
    return dict(usage) if isinstance(usage, Mapping) else {}


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two counts together, name by name; what is no number is that of ``one``."""
    return {**other, **{name: _sum(value, other.get(name)) for name, value in one.items()}}


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return _added(one, other)
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    return one + other if numbers else one
