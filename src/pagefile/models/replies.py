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
from pagefile.models.streams import DONE

Reason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]

#: What servers say for "the answer is cut": our own word for each. Whatever is not here is a normal end.
_REASONS: dict[str, Reason] = {"length": "length", "max_tokens": "length", "content_filter": "content_filter"}
#: What they say when they broke down in the middle.
_BROKEN = frozenset({"error", "abort", "insufficient_system_resource"})
#: Fields, and kinds of parts, in which servers send thoughts apart from the text.
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
_THOUGHT_PARTS = frozenset({"thinking", "reasoning", "redacted_thinking", "thought"})
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
        return _is_object(self.arguments)


class CallAssembler:
    """Puts tool calls together from their deltas: by index, or by id where the index is missing or the same for all.

    ``tools``: the names that calls can have, to know a name that comes in pieces.
    """

    def __init__(self, tools: Collection[str] = ()) -> None:
        self._tools = tools
        self._calls: list[_Call] = []
        self._by_index: dict[object, _Call] = {}

    def feed(self, delta: Mapping[str, Any]) -> None:
        function = delta.get("function")
        function = function if isinstance(function, Mapping) else delta
        arguments = function.get("arguments")
        # Some gateways send the arguments as an object instead of its text.
        written = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        id, name = str(delta.get("id") or ""), str(function.get("name") or "")
        index = delta.get("index")
        call = self._place(index if isinstance(index, int | str) else None, id, name, written)
        call.id, call.name = call.id or id, self._joined(call, name) or call.name or name
        if not (name and call.whole and written.strip() == call.arguments.strip()):  # else it was sent twice
            call.arguments += written

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
            calls.append(ToolCall(id=id, name=call.name, arguments=_without_repeats(call.arguments)))
        return calls

    def _place(self, index: int | str | None, id: str, name: str, written: str) -> _Call:
        """The call a delta belongs to, a new one if it begins one."""
        last = self._calls[-1] if self._calls else None
        same_id = next((call for call in reversed(self._calls) if id and call.id == id), None)
        current = same_id or (self._by_index.get(index) if index is not None else last)
        if current is None and not id and not name:
            current = last  # its index counts the pieces, not the calls
        if same_id:
            elsewhere = index is not None and index not in self._by_index
            another = bool(name and same_id.whole) and (elsewhere or bool(written.strip() and written.strip() != same_id.arguments.strip()))
        else:
            another = current is not None and self._begins_another(current, id, name, written)
        if current is None or another:
            current = _Call()
            self._calls.append(current)
        self._by_index[index] = current
        return current

    def _begins_another(self, current: _Call, id: str, name: str, written: str) -> bool:
        if id and current.id:  # it is not the current id: that was looked up first
            return bool(name) or current.whole or not current.name or not written
        return bool(name and current.name) and not self._joined(current, name) and (name != current.name or current.whole)

    def _joined(self, call: _Call, name: str) -> str:
        """The name that a call has with this piece, if it came in pieces: each the next one, or each all so far."""
        if not call.name or not name or call.arguments or call.name in self._tools:
            return ""
        joined = name if name.startswith(call.name) else call.name + name
        return joined if any(tool.startswith(joined) for tool in self._tools) else ""


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _without_repeats(arguments: str) -> str:
    """The arguments where a server sent them twice, or an empty object before them."""
    text = arguments.strip()
    half = len(text) // 2
    for once in (text.removeprefix("{}"), text[:half].strip() if text[:half].strip() == text[half:].strip() else ""):
        if once != text and _is_object(once):
            return once
    return arguments or "{}"


class ReplyReader:
    """Reads one reply. ``feed`` gives the text of each chunk; the rest is known after ``finish``."""

    def __init__(self, *, model: str = "", tools: Collection[str] = (), taken: Iterable[str] = ()) -> None:
        self._thoughts = ThinkFilter(opened=bool(_THINKS_AT_ONCE.search(model)))
        self._spelled = CallFilter(tools)
        self._calls = CallAssembler(tools)
        self._taken = frozenset(taken)
        self._ended: str | None = None
        #: The closing chunk with the counts came, or the mark of the end, or one whole message: signs of a whole reply from servers that
        #: name no reason.
        self._closed = False
        self._usage: Mapping[str, Any] | None = None
        #: Everything that was given out, thoughts left out.
        self.text = ""

    def feed(self, chunk: object) -> str:
        """The text a chunk adds, often none. Raises ReplyBroken for a reported error."""
        if chunk == DONE:
            self._closed = True
        if not isinstance(chunk, Mapping):
            return ""
        if chunk.get("error"):
            raise ReplyBroken(chunk["error"])
        if isinstance(chunk.get("usage"), Mapping):
            self._usage = chunk["usage"]  # some servers send the sum so far with each chunk: the last one counts
        choices = chunk.get("choices")
        self._closed = self._closed or (isinstance(chunk.get("usage"), Mapping) and not choices)
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
            calls = self._calls.finish(cut=reason == "length", taken=self._taken)
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
        self._closed = self._closed or (delta is not None and delta is choice.get("message"))
        return self._delta(delta) if isinstance(delta, Mapping) else ""

    def _delta(self, delta: Mapping[str, Any]) -> str:
        calls = delta.get("tool_calls")
        # The form that was before "tool_calls", and a single call outside a list.
        alone = delta.get("function_call") or calls
        for call in calls if isinstance(calls, list) else [alone] if isinstance(alone, Mapping) else []:
            if isinstance(call, Mapping):
                self._calls.feed(call)
        early = self._thoughts.answer_started() if any(delta.get(field) for field in _THOUGHT_FIELDS) else ""
        text = early + self._thoughts.feed(_plain(delta.get("content")) + _plain(delta.get("refusal")))
        return self._give(self._spelled.feed(text))

    def _give(self, text: str) -> str:
        self.text += text
        return text


def _plain(content: object) -> str:
    """The text of a content field: text, or a list of parts."""
    if isinstance(content, list):
        return "".join(_plain(part.get("text")) for part in content if isinstance(part, Mapping) and part.get("type") not in _THOUGHT_PARTS)
    return content if isinstance(content, str) else ""
