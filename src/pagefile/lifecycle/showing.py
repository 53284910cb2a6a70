"""What of a conversation a model is shown that shall find facts in it: numbered lines within a budget, the newest in full. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any

from pagefile.errors import InputError
from pagefile.language.patterns import late_pattern
from pagefile.language.tokens import PER_REQUEST, count, count_message, trim
from pagefile.lifecycle.facts import ASSISTANT, USER, Utterance
from pagefile.lifecycle.grammar import statements
from pagefile.lifecycle.rules.sentences import sentences
from pagefile.prompts import Wording, sections, words

#: Tokens of a line that only helps to understand, and of all such lines if there is much to learn from.
_CONTEXT_LINE, _CONTEXT = 60, 180
#: Tokens for the words that a second request begins with.
_AGAIN = 60
#: Sentences that tell the language of a conversation: more do not fit into one prompt.
_SAMPLE = 50
#: With less room than this nothing can be shown.
_LEAST_ROOM = 100

_BLANKED = late_pattern(r" {3,}")
_HAS_WORDS = late_pattern(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The lines of one request."""

    wording: Wording
    #: Number → utterance, for the lines that stand in the prompt; empty: there is nothing to learn from.
    lines: Mapping[int, Utterance] = field(default_factory=dict)
    #: Number → the line as it stands there.
    written: Mapping[int, str] = field(default_factory=dict)
    rest: tuple[Utterance, ...] = ()
    #: What was cut, as sentences for people.
    notes: tuple[str, ...] = ()

    def messages(self, *, again: str = "", begin: int = 0) -> list[dict[str, str]]:
        """The messages of the request; ``again``: why a second one is made, from line ``begin`` on."""
        return _messages(self.wording, [line for number, line in self.written.items() if number >= begin], again)

    @staticmethod
    def tokens(messages: Sequence[Mapping[str, Any]]) -> int:
        """An upper bound of the tokens of a request."""
        return PER_REQUEST + sum(count_message(message["role"], message["content"]) for message in messages)


def show(utterances: Sequence[Utterance], *, max_tokens: int) -> Shown:
    """Choose and write the lines of a request of at most ``max_tokens`` tokens.

    Messages to learn from come in order, whole, as many as there is room for; the others are ``rest``. The first one is cut at the end of
    a sentence if it is too long by itself. What was said before helps to understand: shortened, the latest first, as far as there is room.
    """
    fresh = [one for one in utterances if one.fresh]
    told = (sentence.language for one in fresh if _teaches(one) for sentence in sentences(one))
    languages = Counter(islice(told, _SAMPLE))
    wording: Wording = "zh" if languages["zh"] > languages["en"] else "en"
    room = max_tokens - Shown.tokens(_messages(wording, [], "")) - _AGAIN
    if room < _LEAST_ROOM:
        raise InputError(f"max_prompt_tokens is {max_tokens}; at least {max_tokens + _LEAST_ROOM - room} are needed")
    while fresh and not _teaches(fresh[-1]):
        fresh.pop()  # what the assistant said last answers nothing that could be learnt
    earlier = [_shortened(one, wording) for one in utterances if not one.fresh and _visible(one, wording)] if fresh else []
    chosen, notes = _fitting(fresh, room - min(_CONTEXT, room // 3, sum(entry.size for entry in earlier[-3:])), wording)
    rest = tuple(utterances[utterances.index(fresh[len(chosen)]) :]) if len(chosen) < len(fresh) else ()
    room -= sum(entry.size for entry in chosen)
    before: list[_Entry] = []
    while earlier and earlier[-1].size <= room:
        before.insert(0, earlier.pop())
        room -= before[0].size
    if not any(_teaches(entry.utterance) for entry in chosen):
        return Shown(wording=wording, rest=rest, notes=notes)
    numbered = [(entry.utterance, line) for entry in (*before, *chosen) for line in entry.lines]
    return Shown(
        wording=wording,
        lines={number: one for number, (one, _) in enumerate(numbered, start=1)},
        written={number: f"[{number}]{line}" for number, (_, line) in enumerate(numbered, start=1)},
        rest=rest,
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    """An utterance as lines without their numbers."""

    utterance: Utterance
    lines: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(count(f"[999]{line}\n") for line in self.lines)


def _fitting(fresh: Sequence[Utterance], room: int, wording: Wording) -> tuple[list[_Entry], tuple[str, ...]]:
    """The first of the utterances that fit, and what was cut. The last of ``fresh`` teaches."""
    chosen: list[_Entry] = []
    last: date | None = None
    for place, one in enumerate(fresh):
        dated = _said_on(one) != last
        if not _teaches(one):
            # Of what the assistant and tools say, what is answered next.
            entry = _shortened(one, wording, dated=dated) if _teaches(fresh[place + 1]) else _Entry(one)
            entry = entry if entry.size <= room // 3 else _Entry(one)
        elif (entry := _whole(one, wording, dated=dated)).size > room:
            if any(_teaches(each.utterance) for each in chosen):
                break
            note = f"a message of {len(one.text)} characters is too long to be read at once: only its beginning was read"
            return [*chosen, _beginning(entry, room, wording)], (note,)
        last = _said_on(one) if entry.lines else last
        room -= entry.size
        chosen.append(entry)
    return chosen, ()


def _said_on(one: Utterance) -> date:
    return one.said_at.astimezone(one.zone).date()


def _teaches(one: Utterance) -> bool:
    """Whether facts are looked for in it. What the assistant and tools say helps to understand, and would fill the prompt."""
    return one.fresh and one.role == "user" and one.subject != ASSISTANT and _HAS_WORDS.search(one.text) is not None


def _visible(one: Utterance, wording: Wording) -> str:
    """The text on one line, with a mark where something was blanked out."""
    mark = sections("extract", wording)["blanked"]
    text = " ".join(_BLANKED.sub(f" {mark} ", one.text.strip()).split())
    return text if _HAS_WORDS.search(text) else ""


def _whole(one: Utterance, wording: Wording, *, dated: bool) -> _Entry:
    """Each statement on a line of its own: small models find one fact a line."""
    return _entry(one, [part for sentence in sentences(one) for part in _parts(sentence.text)], wording, dated=dated)


def _parts(sentence: str) -> list[str]:
    return [" ".join(sentence[begin:end].split()) for begin, end in statements(sentence)]


def _beginning(whole: _Entry, room: int, wording: Wording) -> _Entry:
    """As many of its lines as there is room for, or of a long first one its first words, with a mark of the cut."""
    one, mark = whole.utterance, f" {sections('extract', wording)['cut']}"
    lines: list[str] = []
    for line in whole.lines:
        if _Entry(one, (*lines, line, mark)).size > room:
            break
        lines.append(line)
    return _Entry(one, (*lines, mark) if lines else (trim(whole.lines[0], room - _Entry(one, (mark,)).size),))


def _shortened(one: Utterance, wording: Wording, *, dated: bool = True) -> _Entry:
    text = " ".join(trim(_visible(one, wording), _CONTEXT_LINE, keep="ends").split())
    return _entry(one, [text] if text else [], wording, dated=dated)


def _entry(one: Utterance, parts: Sequence[str], wording: Wording, *, dated: bool) -> _Entry:
    shown = [part for part in parts if _HAS_WORDS.search(part)]
    if not shown:
        return _Entry(one)
    when = f" ({_said_on(one)})" if dated else ""
    head = words("extract", "line" if one.fresh else "earlier line", wording, speaker=_speaker(one, wording), date=when, text=shown[0])
    return _Entry(one, (f" {head}", *(f" {part}" for part in shown[1:])))


def _speaker(one: Utterance, wording: Wording) -> str:
    if one.subject in (USER, ASSISTANT):
        return words("extract", one.subject, wording)
    return " ".join(one.subject.split())


def _messages(wording: Wording, lines: Sequence[str], again: str) -> list[dict[str, str]]:
    text = sections("extract", wording)
    head = text["conversation"]
    if again:
        head = f"{words('extract', 'again', wording, problem=again.partition(':')[0])}\n\n{head}"
    # The example is a turn of its own: small models do as they did before, rather than as they are told.
    return [
        {"role": "system", "content": text["instructions"]},
        {"role": "user", "content": f"{text['conversation']}\n{text['example']}"},
        {"role": "assistant", "content": text["example reply"]},
        {"role": "user", "content": "\n".join([head, *lines])},
    ]
