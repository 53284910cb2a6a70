"""What comes back from a Chat Completions endpoint, chunk by chunk, as text, whole tool calls and counts. Pure."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pagefile.events import Usage
from pagefile.messages import ToolCall
from pagefile.models.filters import CallFilter, ThinkFilter

Reason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]

#: What servers say for "the answer is cut": our own word for each. Whatever is not here is a normal end.
_REASONS: dict[str, Reason] = {"length": "length", "max_tokens": "length", "content_filter": "content_filter"}
#: What they say when they broke down in the middle.
_BROKEN = frozenset({"error", "abort", "insufficient_system_resource"})
#: Models whose prompt opens the thought, so that their text has only its end.
_THINKS_AT_ONCE = re.compile(r"(?i)(?<![a-z0-9])(r1|qwq|thinking)(?![a-z0-9])")


class ReplyBroken(Exception):
    """The endpoint reported an error in the middle of its stream. Carries what it said."""

    def __init__(self, details: object) -> None:
        super().__init__("the endpoint reported an error in its stream")
        self.details = details


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def whole(self) -> bool:
        try:
            return isinstance(json.loads(self.arguments), dict)
        except ValueError:
            return False


class CallAssembler:
    """Puts tool calls together from their deltas: by index, or by id where the index is missing or the same for all."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[object, _Call] = {}

    def feed(self, delta: Mapping[str, Any]) -> None:
        function = delta.get("function")
        function = function if isinstance(function, Mapping) else {}
        arguments = function.get("arguments")
        id, name = str(delta.get("id") or ""), str(function.get("name") or "")
        call = self._place(delta.get("index"), id, name)
        call.id, call.name = call.id or id, call.name or name
        # Some gateways send the arguments as an object instead of its text.
        call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments is not None else ""

    def finish(self, *, cut: bool, taken: Iterable[str] = ()) -> list[ToolCall]:
        """The calls, in the order they began, each with an id of its own (``taken`` are those of the conversation so far).

        ``cut``: the answer hit its limit, so a call with broken arguments was not finished and is left out.
        """
        used = set(taken)
        calls = []
        for call in self._calls:
            if not call.name or (cut and not call.whole):
                continue
            id = call.id if call.id and call.id not in used else f"call_{uuid.uuid4().hex[:24]}"
            used.add(id)
            calls.append(ToolCall(id=id, name=call.name, arguments=call.arguments or "{}"))
        return calls

    def _place(self, index: object, id: str, name: str) -> _Call:
        """The call a delta belongs to, a new one if it begins one."""
        same_id = next((call for call in self._calls if id and call.id == id), None)
        current = same_id or (self._by_index.get(index) if index is not None else self._calls[-1] if self._calls else None)
        again = bool(same_id and name and same_id.whole and index is not None and index not in self._by_index)
        if current is None or again or (not same_id and _begins_another(current, id, name)):
            current = _Call()
            self._calls.append(current)
        self._by_index[index] = current
        return current


def _begins_another(current: _Call, id: str, name: str) -> bool:
    if id and current.id:
        return True  # it is not the current id: that was looked up first
    return bool(name and current.name) and (name != current.name or current.whole)


class ReplyReader:
    """Reads one reply. ``feed`` gives the text of each chunk; the rest is known after ``finish``."""

    def __init__(self, *, model: str = "", tools: Collection[str] = (), taken: Iterable[str] = ()) -> None:
        self._thoughts = ThinkFilter(opened=bool(_THINKS_AT_ONCE.search(model)))
        self._spelled = CallFilter(tools)
        self._calls = CallAssembler()
        self._taken = frozenset(taken)
        self._ended: str | None = None
        #: The closing chunk with the counts came: a sign of a whole reply from servers that name no reason.
        self._closed = False
        self._usage: Mapping[str, Any] | None = None
        #: Everything that was given out, thoughts left out.
        self.text = ""

    def feed(self, chunk: object) -> str:
        """The text a chunk adds, often none. Raises ReplyBroken for a reported error."""
        if not isinstance(chunk, Mapping):
            return ""
        if chunk.get("error"):
            raise ReplyBroken(chunk["error"])
        if isinstance(chunk.get("usage"), Mapping):
            self._usage = chunk["usage"]  # some servers send the sum so far with each chunk: the last one counts
        choices = chunk.get("choices")
        self._closed = self._closed or ("usage" in chunk and not choices)
        choice = choices[0] if isinstance(choices, list) and choices else None
        return self._choice(choice) if isinstance(choice, Mapping) else ""

    def cut(self) -> None:
        """Say that no more of it will be read."""
        self._ended = "length"

    def finish(self) -> tuple[str, list[ToolCall], Reason]:
        """The rest of the text, the tool calls, and why it ended. Raises ReplyBroken if it has no end."""
        if self._ended is None and not self._closed:
            raise ReplyBroken("the stream ended before the reply did")
        rest = self._give(self._spelled.feed(self._thoughts.finish()) + self._spelled.finish())
        reason = _REASONS.get(self._ended or "", "stop")
        calls = self._calls.finish(cut=reason == "length", taken=self._taken)
        if not calls:  # a server that reads the calls itself may leave them in the text too: then those would be doubles
            for spelled in self._spelled.calls:
                self._calls.feed({"id": f"call_{uuid.uuid4().hex[:24]}", "function": spelled._asdict()})
            calls = self._calls.finish(cut=False, taken=self._taken)
        return rest, calls, "tool_calls" if calls and reason == "stop" else reason

    def usage(self, *, estimate_input: Callable[[], int], estimate_output: Callable[[], int]) -> Usage:
        """What the endpoint counted; what it did not count is estimated (which takes time, so only then)."""
        counted = self._usage or {}
        details = counted.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, Mapping) else counted.get("prompt_cache_hit_tokens")
        read, written = counted.get("prompt_tokens"), counted.get("completion_tokens")
        return Usage(
            calls=1,
            input_tokens=read if isinstance(read, int) else estimate_input(),
            output_tokens=written if isinstance(written, int) else estimate_output(),
            cached_tokens=cached if isinstance(cached, int) else 0,
            estimated=not (isinstance(read, int) and isinstance(written, int)),
        )

    def _choice(self, choice: Mapping[str, Any]) -> str:
        ended = choice.get("finish_reason")
        if ended in _BROKEN:
            raise ReplyBroken(f"the endpoint stopped with {ended!r}")
        self._ended = str(ended) if ended else self._ended
        delta = choice.get("delta") or choice.get("message")
        return self._delta(delta) if isinstance(delta, Mapping) else ""

    def _delta(self, delta: Mapping[str, Any]) -> str:
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, Mapping):
                self._calls.feed(call)
        early = self._thoughts.answer_started() if delta.get("reasoning_content") or delta.get("reasoning") else ""
        text = early + self._thoughts.feed(_plain(delta.get("content")) + _plain(delta.get("refusal")))
        return self._give(self._spelled.feed(text))

    def _give(self, text: str) -> str:
        self.text += text
        return text


def _plain(content: object) -> str:
    """The text of a content field: text, or a list of parts."""
    if isinstance(content, list):
        return "".join(_plain(part.get("text")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""
