"""Folds what left a window into a running summary: the old summary and what was said after it become the new one. Nothing is written here.

With a model it is one call for a portion, so that a summariser whose own window is small sees it all in several portions. Without one the
most telling sentences are taken, word for word, each with its date and who said it; so the next fold can choose among them again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pagefile.events import Usage
from pagefile.language.patterns import late_pattern
from pagefile.language.secrets import redact
from pagefile.language.text import language_of
from pagefile.language.tokens import PER_MESSAGE, PER_REQUEST, count, trim
from pagefile.lifecycle.excerpts import Sentence, central, pieces, sentences
from pagefile.lifecycle.shorter import answer_of, is_usable
from pagefile.messages import Message
from pagefile.ports import Model, ModelRequest
from pagefile.prompts import Wording, words

#: What a model reads of a conversation in one call at most, and the least that is worth a call.
PORTION_TOKENS = 6_000
LEAST_PORTION = 160
#: What it may write: what thinks aloud first needs more than the summary has.
REPLY_TOKENS = 1_000
#: An answer that is longer than so many times what was asked for repeats what it was given. One that is a little too long is cut.
TOO_LONG = 3

_LINE = late_pattern(r"\[(?P<date>[\d-]{10})\] (?P<who>[^:：\n]{1,80})(?:: |：)(?P<text>.+)")
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Line:
    """Something that can stand in a summary: as it is compared, and as it is written."""

    sentence: Sentence
    text: str


def told(messages: Sequence[Message], texts: Mapping[str, str], *, assistant: bool) -> list[Message]:
    """Those of these messages that a summary may tell of: what people said and, unless it only echoes a memory, what the assistant did.

    ``texts``: id of a message → what the screen left of it.
    """
    roles = ("user", "assistant") if assistant else ("user",)
    spoken = [each for each in messages if each.role in roles and each.origin in ("said", "imported") and not each.retired]
    return [replace(each, text=texts[each.id]) for each in spoken if texts.get(each.id, "").strip()]


def wording_for(summary: str | None, messages: Sequence[Message]) -> Wording:
    """The language of a conversation: of what its user said, else of what was made of it."""
    spoken = "\n".join(each.text[:2_000] for each in messages if each.role == "user")
    return "zh" if language_of(spoken or summary or "") == "zh" else "en"


def portion_tokens(window: int, limit: int, wording: Wording) -> int:
    """How much of a conversation a model with a window of this size can read in one call; less than ``LEAST_PORTION``: too little."""
    frame = count(_instructions(limit, wording)) + count(_asked("", "", wording)) + 2 * PER_MESSAGE + PER_REQUEST
    return min(PORTION_TOKENS, window - frame - limit - reply_tokens(window, limit))


def reply_tokens(window: int, limit: int) -> int:
    """Tokens that a model may write."""
    return max(limit, min(REPLY_TOKENS, window // 4))


def first_portion(messages: Sequence[Message], room: int, wording: Wording) -> list[Message]:
    """The first messages that take at most ``room`` tokens; one that is longer by itself is cut to its two ends."""
    taken: list[Message] = []
    for message in messages:
        frame = count(_written(message, "", wording)) + 1
        size = frame + count(message.text)
        if taken and size > room:
            break
        taken.append(message if size <= room else replace(message, text=trim(message.text, max(1, room - frame - 2), keep="ends")))
        room -= size
    return taken


# --- with a model ------------------------------------------------------------------------------------------------------


async def written(
    model: Model,
    summary: str | None,
    messages: Sequence[Message],
    *,
    limit: int,
    wording: Wording,
    spent: Callable[[Usage], None] = lambda usage: None,
) -> str | None:
    """The summary of ``summary`` and these messages in at most ``limit`` tokens, by a model. Raises ModelError.

    None: its answer is empty, cut, a refusal, an error, in another language, far too long, or has numbers that stand nowhere.
    """
    lines = "\n".join(_written(each, _flat(each.text), wording) for each in messages)
    asked = [
        {"role": "system", "content": _instructions(limit, wording)},
        {"role": "user", "content": _asked(summary or "", lines, wording)},
    ]
    most = reply_tokens(model.context_window, limit)
    text, usage = await answer_of(model, ModelRequest(messages=asked, max_tokens=most, temperature=0.0))
    spent(usage)
    source = f"{summary or ''}\n{lines}"
    if text is None or not is_usable(text, source) or count(text) > TOO_LONG * limit:
        return None
    return shortened(redact(text).text, limit)


def shortened(text: str, limit: int) -> str:
    """A text within ``limit`` tokens, by the sentences that are nearest to what the whole is about."""
    if count(text) <= limit:
        return text
    parts = pieces(text)
    said = [Sentence(message=_stand_in(part, place), place=0, text=part) for place, part in enumerate(parts)]
    chosen = central(said, limit, lambda one: count(one.text) + 1)
    return "\n".join(one.text for one in chosen) or trim(text, limit)


def _instructions(limit: int, wording: Wording) -> str:
    # A token of ours is about three quarters of an English word, and about one Chinese character.
    return words("summarise", "instructions", wording, words=limit if wording == "zh" else limit * 3 // 4)


def _asked(summary: str, lines: str, wording: Wording) -> str:
    return words("summarise", "conversation", wording, summary=summary or words("summarise", "nothing yet", wording), lines=lines)


# --- without one -------------------------------------------------------------------------------------------------------


def excerpt(summary: str | None, messages: Sequence[Message], *, limit: int, wording: Wording) -> str | None:
    """The most telling sentences of ``summary`` and these messages, in their order, in at most ``limit`` tokens; None: there is none."""
    lines = [*_lines_of(summary or ""), *(_Line(one, _written(one.message, one.text, wording)) for one in sentences(messages))]
    texts = {id(line.sentence): line.text for line in lines}
    chosen = central([line.sentence for line in lines], limit, lambda one: count(texts[id(one)]) + 1)
    return "\n".join(texts[id(one)] for one in chosen) or None


def _lines_of(summary: str) -> list[_Line]:
    """What an earlier summary tells. Of a line of ours the date and the speaker are not what it is about."""
    lines: list[_Line] = []
    ours = [[line] if _LINE.fullmatch(line) else pieces(line) for line in summary.splitlines()]
    for text in (part.strip() for parts in ours for part in parts if part.strip()):
        found = _LINE.fullmatch(text)
        said, who = (found["text"], found["who"]) if found else (text, "")
        role = "assistant" if who in {words("summarise", "assistant", wording) for wording in ("en", "zh")} else "user"
        lines.append(_Line(Sentence(message=_stand_in(said, len(lines), role), place=0, text=said), text))
    return lines


def _written(message: Message, text: str, wording: Wording) -> str:
    who = re.sub(r"[\s:：]+", " ", message.speaker).strip() if message.speaker else ""
    who = who[:64] or words("summarise", message.role, wording)
    return words("summarise", "line", wording, date=message.said_at.date().isoformat(), who=who, text=text)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _stand_in(text: str, place: int, role: str = "user") -> Message:
    """A message that was never said, for what has only a text."""
    spoken: dict[str, object] = {"role": role, "said_at": _LONG_AGO, "recorded_at": _LONG_AGO}
    return Message(id=str(place), session="", seq=place, text=text, tokens=0, **spoken)  # type: ignore[arg-type]  # the role is one of two
