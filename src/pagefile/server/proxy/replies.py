"""Reads along what an endpoint answers, as it passes: what the model said, and whether the answer is whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pagefile.events import Usage
from pagefile.exchange.said import without_thoughts
from pagefile.models.filters import CallFilter
from pagefile.models.replies import CallAssembler

#: Bytes of one event, or of a whole answer, that are read along; longer ones pass unread.
_MOST = 32_000_000


class Reply:
    """What the model said in the first choice: its words and its calls. Its thoughts, sent apart, are no words to anybody.

    ``tools``: those that it can call, by name, with the schemas of their arguments. Calls of them in its words are calls, too.
    """

    def __init__(self, tools: Mapping[str, Any] | None = None) -> None:
        self._tools = tools or {}
        self._texts: list[str] = []
        self._calls = CallAssembler(self._tools)
        #: Why the model stopped; None: it has not.
        self.finish: str | None = None
        self.usage: Usage | None = None
        self.model = ""
        self.id = ""
        #: The endpoint told of an error instead of going on.
        self.failed = False

    @property
    def message(self) -> dict[str, Any]:
        """The reply as an assistant's message."""
        text, calls = "".join(self._texts), self._calls.finish(cut=self.finish == "length")
        if not calls and self._tools:
            spelled, made = CallFilter(self._tools), CallAssembler(self._tools)
            rest = spelled.feed(without_thoughts(text)) + spelled.finish()
            text = rest.strip() if spelled.calls else text
            for place, call in enumerate(spelled.calls):
                made.feed({"index": place, "id": f"call_{place}", "function": call._asdict()})
            calls = made.finish(cut=self.finish == "length")
        told = [{"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in calls]
        return {"role": "assistant", "content": text or None, **({"tool_calls": told} if told else {})}

    def anew(self) -> None:
        """Forget what was said so far: it is said again."""
        self._texts.clear()
        self._calls = CallAssembler(self._tools)

    def feed(self, value: Any) -> None:
        """Read a completion, or a chunk of one."""
        if not isinstance(value, Mapping):
            return
        self.failed = self.failed or bool(value.get("error"))
        self.model = _words(value.get("model")) or self.model
        self.id = _words(value.get("id")) or self.id
        if isinstance(usage := value.get("usage"), Mapping):
            self.usage = _usage(usage)
        choices = value.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and choice.get("index", 0) in (0, None):
                self._choice(choice)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        for name in ("delta", "message"):
            said = choice.get(name)
            if isinstance(said, Mapping):
                self._said(said)
        if isinstance(choice.get("text"), str):
            self._texts.append(choice["text"])
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]

    def _said(self, said: Mapping[str, Any]) -> None:
        text = _words(said.get("content")) or _words(said.get("refusal"))
        audio = said.get("audio")
        if not text and isinstance(audio, Mapping):
            text = _words(audio.get("transcript"))
        if text:
            self._texts.append(text)
        calls = said.get("tool_calls")
        pieces = list(calls) if isinstance(calls, list) else []
        if isinstance(said.get("function_call"), Mapping):
            pieces.append({"index": 0, "function": said["function_call"]})
        for piece in pieces:
            if isinstance(piece, Mapping):
                self._calls.feed(piece)


class Events:
    """Reads server-sent events as they pass, in whatever pieces they come."""

    def __init__(self) -> None:
        self._held = b""
        self._data: list[bytes] = []
        #: The endpoint has said that this was all.
        self.done = False

    def feed(self, piece: bytes) -> list[Any]:
        """The values of the events that are whole now. What is no JSON is passed over."""
        self._held += piece.replace(b"\r\n", b"\n") if b"\r" in piece else piece
        *lines, self._held = self._held.split(b"\n")
        if len(self._held) > _MOST:
            self._held = b""
        values: list[Any] = []
        for line in lines:
            line = line.rstrip(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].strip())
            elif not line:
                values += self._event()
        # Some servers put one line end between events: what is whole JSON by itself is an event.
        if self._data and (self._data[-1] == b"[DONE]" or len(self._data) > 1):
            values += self._event()
        return values

    def finish(self) -> list[Any]:
        """The rest, when no more pieces come."""
        return [*self.feed(b"\n\n"), *self._event()]

    def _event(self) -> list[Any]:
        data, self._data = self._data, []
        values: list[Any] = []
        for whole in _values(data):
            if whole == b"[DONE]":
                self.done = True
                continue
            try:
                values.append(json.loads(whole))
            except (ValueError, RecursionError):
                continue  # it passes all the same, and the client judges
        return values


def _values(lines: list[bytes]) -> list[bytes]:
    """The lines of one event as one value, or each by itself where each is one."""
    if len(lines) < 2:
        return lines
    try:
        json.loads(b"\n".join(lines))
    except (ValueError, RecursionError):
        return lines
    return [b"\n".join(lines)]


def named_tools(body: Mapping[str, Any]) -> dict[str, Any]:
    """The tools of a request: name → schema of its arguments."""
    tools = body.get("tools")
    made: dict[str, Any] = {}
    for tool in tools if isinstance(tools, list) else ():
        # The Responses API has no field "function" around it.
        function = tool.get("function", tool) if isinstance(tool, Mapping) else None
        name = function.get("name") if isinstance(function, Mapping) else None
        if isinstance(function, Mapping) and isinstance(name, str) and name:
            schema = function.get("parameters")
            made[name] = schema if isinstance(schema, Mapping) else {}
    return made


def whole(data: bytes) -> Any:
    """A whole answer as a JSON value; None: it is none."""
    try:
        return json.loads(data) if len(data) <= _MOST else None
    except (ValueError, RecursionError):
        return None


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, Mapping) and part.get("type") in ("text", "output_text", None)]
        return "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    return ""


def _usage(usage: Mapping[str, Any]) -> Usage:
    details = usage.get("prompt_tokens_details", usage.get("input_tokens_details"))
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
    read, written = usage.get("prompt_tokens", usage.get("input_tokens")), usage.get("completion_tokens", usage.get("output_tokens"))
    return Usage(calls=1, input_tokens=_number(read), output_tokens=_number(written), cached_tokens=_number(cached))


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
