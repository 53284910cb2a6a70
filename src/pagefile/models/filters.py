"""What models write into their text that is not for people: thoughts, and tool calls spelled out. Pure, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from pagefile.language.patterns import late_pattern
from pagefile.models.marks import FENCE, LEFT_OVER, LONGEST_MARK, MARKS, first_closing, folded, mark_at, next_opening
from pagefile.models.spelled import SpelledCall, broken_call, can_begin, cut_call, leading_calls, read_calls, tools_of

#: What opens a thought in a text → what closes it.
THOUGHTS = {
    **{f"<{name}>": f"</{name}>" for word in ("think", "thinking") for name in (word, word.capitalize(), word.upper())},
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}
_CODE_FENCE = 3


class ThinkFilter:
    """Takes ``<think>…</think>`` out of a text that comes in pieces, however the pieces cut the tags.

    A thought that opens the reply and is never closed is dropped; a tag in the middle that is never closed is talk about tags and is
    given back, unless it stands on a line of its own, as a second thought does. Tags in code are code. ``opened``: the prompt of this
    model opens the thought already, so that only ``</think>`` will come.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self._held = ""
        self._opened = opened
        #: The tag of the thought that is being written; "" between thoughts.
        self._opening = ""
        self._at_start = True
        #: Where in its Markdown the text that was given out ends.
        self._ticks, self._line_is_blank, self._fence_begins, self._fenced = 0, True, False, False
        #: The thought that is being written began on a new line.
        self._own_line = False

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
        return "" if self._at_start or (self._own_line and rest.startswith("\n")) else self._opening + rest

    def answer_started(self) -> str:
        """The endpoint sends thoughts apart, so this text has none: stop waiting for the end of one."""
        self._opened = False
        return self.feed("")

    def _open(self, out: list[str]) -> bool:
        """Let text pass up to the next tag and take that; False when there is none yet."""
        out.append(self._release(_first_of(self._held, (*THOUGHTS, *THOUGHTS.values()))))
        tag = next((tag for pair in THOUGHTS.items() for tag in pair if self._held.startswith(tag)), None)
        if tag is None:
            return False
        if self._ticks or self._fenced:
            out.append(self._release(len(tag)))
            return True
        self._opening, self._own_line = tag if tag in THOUGHTS else "", self._line_is_blank
        self._held = self._held[len(tag) :]
        return True

    def _close(self) -> bool:
        """Drop the thought up to its end; False when that did not come yet."""
        ends = [THOUGHTS[self._opening]] if self._opening else list(THOUGHTS.values())
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
        for character in text:
            self._note(character)
        return text

    def _note(self, character: str) -> None:
        if character == "`":
            self._fence_begins = self._line_is_blank if not self._ticks else self._fence_begins
            self._ticks += 1
            return
        if self._ticks >= _CODE_FENCE and self._fence_begins:
            self._fenced = not self._fenced
        self._line_is_blank = character == "\n" or (self._line_is_blank and not self._ticks and character.isspace())
        self._ticks = 0


#: A held text longer than this is no call, but an answer that somebody waits for.
_LONGEST_CALL = 8_000
_FENCE = late_pattern(r"```[ \t]*([a-z_]{0,16})\s*")
_FENCED = frozenset({"", "json", "tool", "tools", "tool_call", "tool_calls", "tool_code", "toolcall", "function_call", "xml"})
#: JSON, with or without a name before it, has to be read to know which of the closings stands in one of its strings.
_JSON_BODY = late_pattern(r"\s*(?:[^\s{\[\"]*\s*)?[{\[]")
_STRINGS = late_pattern(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


#: Where the inside begins of what is no call, as its opening tells.
_NOWHERE = -1


class _Region(NamedTuple):
    """A part of the text that may be calls."""

    #: Characters of the opening, which are shown if it turns out to be none.
    opening: int
    #: Where what is inside begins.
    start: int
    closings: tuple[str, ...]
    #: It opens with a mark that nobody writes but for a call.
    marked: bool


class CallFilter:
    """Takes tool calls that a model spells out in its text, and only calls of ``known`` tools, out of the text.

    ``known``: names, or a mapping of names to the JSON schemas of their arguments. The forms are those of ``marks`` (tags, special tokens),
    fenced blocks, and JSON or ``[name(…)]`` at the beginning of a line up to the end of the text; also with the last brace or the closing
    mark lost. A call that was cut in its middle is none of the text either: it is given with broken arguments. Everything that turns out
    to be no such call is given back unchanged, but for blanks before the first word and after a call.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._tools = tools_of(known)
        self._held = ""
        #: The last character that was given out or taken; "" at the very beginning.
        self._before = ""
        #: Blanks that come now are layout around a call, not text.
        self._trimming = True
        self._doubled = ""
        self.calls: list[SpelledCall] = []

    def feed(self, piece: str) -> str:
        """The part of the text that is sure to be no call by now."""
        if not self._tools:
            return piece
        self._held += piece
        return self._scan(last=False)

    def finish(self) -> str:
        """The rest, when no more pieces come. ``calls`` is complete then."""
        return self._scan(last=True)

    def _scan(self, *, last: bool) -> str:
        out: list[str] = []
        while self._held and self._trimmed(last=last):
            small = folded(self._held)
            at = next_opening(small, self._before)
            if at:
                self._release(out, at)
                continue
            region = _region(small, last=last)
            if region is None:
                break
            ends = self._ends(region, small, last=last)
            if ends is None:
                break
            calls, end = self._read(region, *ends)
            if calls:
                # A mark that closed a call by opening another is left over if no other comes.
                self._doubled = small[end : end + region.opening] if region.marked and end == ends[0] < len(small) else ""
                self.calls += calls
                self._held, self._trimming, self._before = self._held[end:], True, "\n"
            elif region.marked and self._trimming and self._doubled == small[: region.opening]:
                self._held, self._doubled = self._held[region.opening :], ""
            else:
                self._release(out, max(1, region.opening))
        return "".join(out)

    def _read(self, region: _Region, end: int, after: int) -> tuple[list[SpelledCall], int]:
        """The calls of a region, and where what follows them begins."""
        if end <= region.start:
            return [], after
        inside = self._held[region.start : after if region.start < region.opening else end]
        calls = read_calls(inside, self._tools, marked=region.marked)
        if not calls and region.marked and end < len(self._held):
            broken = broken_call(inside, self._tools)
            calls = [broken] if broken else []
        if calls or end < len(self._held):
            return calls, after
        if region.marked:
            calls, length = leading_calls(inside, self._tools)
            if calls:
                return calls, region.start + length
        cut = cut_call(inside, self._tools, marked=region.marked)
        return ([cut] if cut else []), after

    def _trimmed(self, *, last: bool) -> bool:
        """Drop the layout around a call, and closings that are left over behind it. False if nothing else can be told yet."""
        while self._trimming:
            self._held = self._held.lstrip()
            small = folded(self._held)
            left = next((text for text in LEFT_OVER if small.startswith(text)), None) if self.calls else None
            if left is None:
                return bool(small) and (last or not self.calls or not any(text.startswith(small) for text in LEFT_OVER))
            self._held = self._held[len(left) :]
        return True

    def _ends(self, region: _Region, small: str, *, last: bool) -> tuple[int, int] | None:
        """Where what is inside a region ends, and where the region; both where it begins if it is no call; None: it cannot be told."""
        start, no_call = region.start, (region.start, region.start)
        if start == _NOWHERE or not can_begin(self._held[region.opening if region.marked else start :], self._tools):
            return no_call
        first = found = first_closing(small, region.closings, start)
        while found is not None and _in_string(self._held[start : found[0]]):
            found = first_closing(small, region.closings, found[0] + 1)
        found = found or (first if last else None)
        if found is not None and found[0] - start > _LONGEST_CALL:
            return no_call
        if found is not None:
            again = region.marked and small.startswith(small[: region.opening], found[0])
            return (found[0], found[0]) if again else found
        if len(small) - start > _LONGEST_CALL + LONGEST_MARK:
            return no_call
        return (len(small), len(small)) if last else None

    def _release(self, out: list[str], length: int) -> None:
        out.append(self._held[:length])
        self._before = self._held[length - 1]
        self._trimming = False
        self._held = self._held[length:]


def _region(small: str, *, last: bool) -> _Region | None:
    """The region that a folded text opens; None: it cannot be told yet."""
    mark = mark_at(small)
    if mark is not None:
        # Models close a call with its opening too.
        closings = mark.closings if mark.inside else (*mark.closings, mark.opening) if mark.closings else ()
        return _Region(len(mark.opening), 0 if mark.inside else len(mark.opening), closings, marked=True)
    if small[0] in "{[｛" and not (small[0] == "[" and not last and any(one.opening.startswith(small) for one in MARKS)):
        return _Region(1, 0, (), marked=False)
    fence = _FENCE.match(small)
    if fence is None:
        return _Region(len(small), _NOWHERE, (), marked=False) if last else None
    if fence.end() == len(small) and not last:
        return None
    if fence[1] not in _FENCED or small[3:4] == "`":
        return _Region(len(FENCE), _NOWHERE, (), marked=False)
    return _Region(len(FENCE), fence.end(), (FENCE,), marked=False)


def _in_string(text: str) -> bool:
    """Whether a string of a JSON text has no end yet."""
    return _JSON_BODY.match(text) is not None and '"' in _STRINGS.sub("", text)


def _first_of(text: str, tags: Iterable[str]) -> int:
    """Where the first of the tags starts, or may start if the text goes on; the length of the text if nowhere."""
    first = len(text)
    for tag in tags:
        at = text.find(tag)
        if at < 0:
            at = next((len(text) - n for n in range(min(len(tag) - 1, len(text)), 0, -1) if tag.startswith(text[len(text) - n :])), first)
        first = min(first, at)
    return first
