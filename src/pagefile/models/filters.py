"""What models write into their text that is not for people: thoughts, and tool calls spelled out. Pure, piece by piece."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from pagefile.language.json_text import object_text

_THOUGHTS = {"<think>": "</think>", "<thinking>": "</thinking>"}


class ThinkFilter:
    """Takes ``<think>…</think>`` out of a text that comes in pieces, however the pieces cut the tags.

    A thought that opens the reply and is never closed is dropped; a tag in the middle that is never closed is talk about tags and is
    given back. ``opened``: the prompt of this model opens the thought already, so that only ``</think>`` will come.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self._held = ""
        self._opened = opened
        #: The tag of the thought that is being written; "" between thoughts.
        self._opening = ""
        self._at_start = True

    def feed(self, piece: str) -> str:
        """The part of the text that is sure to be for people by now."""
        self._held += piece
        out: list[str] = []
        while self._held and (self._close() if self._opening or self._opened else self._open(out)):
            pass
        return "".join(out)

    def finish(self) -> str:
        """The rest, when no more pieces come."""
        if not self._opening:
            return self._release(len(self._held))
        rest, self._held = self._held, ""
        return "" if self._at_start else self._opening + rest

    def answer_started(self) -> str:
        """The endpoint sends thoughts apart, so this text has none: stop waiting for the end of one."""
        self._opened = False
        return self.feed("")

    def _open(self, out: list[str]) -> bool:
        """Let text pass up to the next tag and take that; False when there is none yet."""
        out.append(self._release(_first_of(self._held, (*_THOUGHTS, *_THOUGHTS.values()))))
        for opening, closing in _THOUGHTS.items():
            if self._held.startswith(opening):
                self._opening = opening
            if self._held.startswith((opening, closing)):
                self._held = self._held.partition(">")[2]
                return True
        return False

    def _close(self) -> bool:
        """Drop the thought up to its end; False when that did not come yet."""
        ends = [_THOUGHTS[self._opening]] if self._opening else list(_THOUGHTS.values())
        found = [(self._held.find(end), end) for end in ends if end in self._held]
        if not found:
            return False
        at, end = min(found)
        self._held, self._opening, self._opened = self._held[at + len(end) :], "", False
        return True

    def _release(self, length: int) -> str:
        text, self._held = self._held[:length], self._held[length:]
        # The line ends between a thought and the answer are not part of the answer.
        text = text.lstrip() if self._at_start else text
        self._at_start = self._at_start and not text
        return text


class SpelledCall(NamedTuple):
    """A tool call that a model wrote as text. ``arguments`` is the text of a JSON object."""

    name: str
    arguments: str


#: Names of the keys a call can begin with. A JSON text that begins with another key is an answer, and is shown at once.
_CALL_KEYS = frozenset({"name", "function", "tool", "tool_name", "arguments", "parameters", "type", "id"})
_FIRST_KEY = re.compile(r'\s*(?:\[\s*)?\{\s*"(\w*)"')
_FENCE = re.compile(r"```[ \t]*(?:json|tool_calls?)?\s*", re.IGNORECASE)
_FENCE_SO_FAR = re.compile(r"`{1,2}|```[ \t]*[a-z_]{0,10}\s*", re.IGNORECASE)
#: A held text longer than this is no call, but an answer that somebody waits for.
_LONGEST_CALL = 8_000


class CallFilter:
    """Takes tool calls that a model spells out in its text, and only calls of ``known`` tools, out of the text.

    Small local models write them as ``<tool_call>{…}</tool_call>``, as a fenced JSON block or as bare JSON, also with the last brace
    lost. Everything that turns out to be no such call is given back unchanged, but for blanks before the first word and after a call.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = frozenset(known)
        self._held = ""
        self._at_start = True
        #: Blanks that come now are layout around a call, not text.
        self._trimming = True
        self.calls: list[SpelledCall] = []

    def feed(self, piece: str) -> str:
        """The part of the text that is sure to be no call by now."""
        if not self._known:
            return piece
        self._held += piece
        return self._scan(last=False)

    def finish(self) -> str:
        """The rest, when no more pieces come. ``calls`` is complete then."""
        return self._scan(last=True)

    def _scan(self, *, last: bool) -> str:
        out: list[str] = []
        while self._held:
            self._held = self._held.lstrip() if self._trimming else self._held
            self._release(out, self._next_suspect())
            if not self._held:
                break
            inside, length = _suspect(self._held, last=last)
            if inside is None:
                break
            calls = _parse_calls(inside, self._known)
            if calls:
                self.calls += calls
                self._held, self._trimming = self._held[length:], True
            else:
                self._release(out, max(1, length))
        return "".join(out)

    def _next_suspect(self) -> int:
        if self._at_start and self._held.startswith(("{", "[")):
            return 0
        return _first_of(self._held, ("<tool_call>", "```"))

    def _release(self, out: list[str], length: int) -> None:
        out.append(self._held[:length])
        self._at_start = self._at_start and not length
        self._trimming = self._trimming and not length
        self._held = self._held[length:]


def _suspect(held: str, *, last: bool) -> tuple[str | None, int]:
    """What stands inside a suspected call and how long the whole is; None: it cannot be told yet. "" inside: it is no call."""
    opening = "<tool_call>"
    if held.startswith("<"):
        start, end = len(opening), held.find("</tool_call>")
        length = end + len("</tool_call>")
        if len(held) < start:
            return ("", len(held)) if last else (None, 0)
    elif held.startswith("`"):
        fence = _FENCE.match(held)
        start = fence.end() if fence else 0
        if not last and _FENCE_SO_FAR.fullmatch(held):
            return None, 0
        if not fence or held[start : start + 1] not in {"{", "["}:
            return "", 3
        end = held.find("```", start)
        length = end + 3
    else:
        start, end, length = 0, len(held) if last else -1, len(held)
    key = _FIRST_KEY.match(held, start)
    if (key and key[1] not in _CALL_KEYS) or (end < 0 and len(held) > _LONGEST_CALL):
        return "", start or 1
    if end >= 0:
        return held[start:end], length
    return (held[start:], len(held)) if last else (None, 0)


def _parse_calls(text: str, known: frozenset[str]) -> list[SpelledCall]:
    """The calls in a text that is nothing but calls of known tools; else none."""
    for lost in ("", "}", "}}"):
        try:
            value = json.loads(text.strip() + lost)
        except ValueError:
            continue
        calls = [_as_call(item) for item in (value if isinstance(value, list) else [value])]
        return [call for call in calls if call] if all(call and call.name in known for call in calls) else []
    return []


def _as_call(value: Any) -> SpelledCall | None:
    if not isinstance(value, dict):
        return None
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name = next((inner[key] for key in ("name", "tool_name", "tool", "function") if isinstance(inner.get(key), str)), None)
    arguments = inner.get("arguments", inner.get("parameters"))
    return SpelledCall(name, object_text(arguments)) if name else None


def _first_of(text: str, tags: Iterable[str]) -> int:
    """Where the first of the tags starts, or may start if the text goes on; the length of the text if nowhere."""
    first = len(text)
    for tag in tags:
        at = text.find(tag)
        if at < 0:
            at = next((len(text) - n for n in range(min(len(tag) - 1, len(text)), 0, -1) if tag.startswith(text[len(text) - n :])), first)
        first = min(first, at)
    return first
