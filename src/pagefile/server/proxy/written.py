"""Calls of the memory's own tools that a model writes into its words, in place of making them. Pure, piece by piece.

Small local models do so. What is a call is told by ``models.filters``; here thoughts are let through as they are: what a model thinks of
calling it does not call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagefile.models.filters import THOUGHTS, CallFilter
from pagefile.models.spelled import SpelledCall

_LONGEST_TAG = max(len(tag) for pair in THOUGHTS.items() for tag in pair)


class WrittenCalls:
    """Takes such calls out of the words of one choice. ``tools``: their names, with the JSON schemas of their arguments."""

    def __init__(self, tools: Mapping[str, Any]) -> None:
        self._filter = CallFilter(tools)
        #: The end of what came, which may be the beginning of a tag.
        self._held = ""
        #: What ends the thought that is being written; empty: none is.
        self._closing = ""
        #: Blanks before the first word. The filter drops them; they are given back unless a call comes behind them.
        self._blanks = ""
        self._at_start = True
        self._gave = False

    @property
    def calls(self) -> list[SpelledCall]:
        """Those that were taken out."""
        return self._filter.calls

    def feed(self, piece: str) -> str:
        """The part of the words that is sure to be for the client by now."""
        self._held += piece
        return self._scan(last=False)

    def finish(self) -> str:
        """The rest, when no more pieces come."""
        return self._scan(last=True) + self._with_blanks(self._filter.finish(), last=True)

    def _scan(self, *, last: bool) -> str:
        shown: list[str] = []
        while self._held:
            tags = [self._closing] if self._closing else list(THOUGHTS)
            at, tag = min((self._held.find(tag) % (len(self._held) + 1), tag) for tag in tags)
            found = at < len(self._held)
            # Every tag begins with one of these; what may be one in parts waits for the rest of it.
            length = at if found else len(self._held) if last else _without_beginning(self._held, tags)
            words, self._held = self._held[:length], self._held[length:]
            shown.append(words if self._closing else self._said(words))
            if not found:
                break
            if not self._closing:
                # A thought stands apart: what came before it is no beginning of a call that goes on behind it.
                shown.append(self._with_blanks(self._filter.finish(), last=True))
            shown.append(tag)
            self._held = self._held[len(tag) :]
            self._closing = "" if self._closing else THOUGHTS[tag]
        return "".join(shown)

    def _said(self, words: str) -> str:
        if self._at_start:
            rest = words.lstrip()
            self._blanks += words[: len(words) - len(rest)]
            self._at_start = not rest
        return self._with_blanks(self._filter.feed(words))

    def _with_blanks(self, shown: str, *, last: bool = False) -> str:
        if not shown and not last:
            return ""
        blanks, self._blanks = self._blanks, ""
        # As long as it gave nothing, the filter goes on dropping blanks, also behind a thought.
        self._gave = self._gave or bool(shown)
        self._at_start = not self._gave
        return shown if self.calls else blanks + shown


def _without_beginning(text: str, tags: list[str]) -> int:
    """The length of a text without what may be the beginning of a tag at its end."""
    for at in range(max(0, len(text) - _LONGEST_TAG + 1), len(text)):
        if any(tag.startswith(text[at:]) for tag in tags):
            return at
    return len(text)
