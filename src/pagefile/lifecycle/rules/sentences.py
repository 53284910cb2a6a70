"""Sentences of an utterance, each with its place and its language. Shared by the rules of all languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pagefile.language.patterns import late_pattern
from pagefile.language.text import language_of
from pagefile.lifecycle.facts import Utterance

SentenceLanguage: TypeAlias = Literal["en", "zh", "other"]

#: Longer runs without an end mark are no sentence that somebody typed; only this much of one is read.
MAX_SENTENCE = 600

#: What the screen blanked out, line ends, end marks and emoji. A full stop ends a sentence only before a blank: "3.5", "node.js".
_ENDS = late_pattern(
    r"\s{3,}|\s*[\n\r\u2028\u2029]\s*|[。！？；]+[”’」』）)\"']*|[!?]+[\"')\]]*(?=\s|$|[^\s\w])|(?:\.{2,}|…+)[!?]*"
    r"|(?<![A-Z])\.[\"')\]]*(?=\s|$)|(?<=[A-Z]{2})\.(?=\s|$)|(?<= I)\.(?=\s|$)|;(?=\s)|[:;]-?[)(DPp](?!\w)"
    r"|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
    # People forget the blank after a full stop: "I hate mushrooms.I love peas".
    r"|(?<=[a-z]{3})\.(?=[A-Z][a-z' ])"
)
_ABBREVIATED = late_pattern(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|mt|jr|sr|vs|etc|approx|dept|no|inc|ltd|e\.g|i\.e|a\.m|p\.m|[a-z]))$", re.IGNORECASE
)
_ENGLISH_START = late_pattern(r"\W*(?:i|i'm|i’m|im|i've|my|we|our|the|he|she)\s+[a-z]{2}", re.IGNORECASE)
_BLANK = late_pattern(r"\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an utterance, with its end mark."""

    text: str
    #: Where it begins in ``utterance.text``: ``utterance.text[start:start + len(text)] == text``, unless there are ``places``.
    start: int
    utterance: Utterance
    language: SentenceLanguage = "en"
    #: Where each character of ``text`` (and its end) stands in ``utterance.text``, if it is not as it was typed: "hes" read as "he's".
    places: tuple[int, ...] = ()

    def place(self, at: int) -> int:
        """Where a place in ``text`` is in ``utterance.text``."""
        return self.places[at] if self.places else self.start + at

    def written(self, begin: int, end: int) -> str:
        """A part of the sentence as it was typed."""
        return self.utterance.text[self.place(begin) : self.place(end)] if self.places else self.text[begin:end]

    @property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        return "?" in self.text[-4:] or "？" in self.text[-4:]


def sentences(utterance: Utterance) -> Iterator[Sentence]:
    """Split an utterance at end marks, line ends, emoji and blanked stretches; empty pieces are left out."""
    text = utterance.text
    begin = 0
    for end in _ENDS.finditer(text):
        if end[0][0] == "." and len(end[0]) == 1 and _ABBREVIATED.search(text, max(begin, end.start() - 8), end.start()):
            continue
        # The end mark stays with its sentence; blanks do not.
        yield from _sentence(utterance, begin, end.end())
        begin = end.end()
    yield from _sentence(utterance, begin, len(text))


def _sentence(utterance: Utterance, begin: int, finish: int) -> Iterator[Sentence]:
    first = _BLANK.search(utterance.text, begin, finish)
    if first is None:
        return
    begin = first.start()
    text = utterance.text[begin : min(finish, begin + MAX_SENTENCE)].rstrip()
    yield Sentence(text=text, start=begin, utterance=utterance, language=_language(text))


def _language(text: str) -> SentenceLanguage:
    language = language_of(text)
    if language == "zh":
        # "I love 麻婆豆腐" is an English sentence with a Chinese name in it.
        return "en" if _ENGLISH_START.match(text) else "zh"
    return "en" if language == "en" else "other"
