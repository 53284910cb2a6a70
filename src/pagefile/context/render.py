"""How messages, blocks and notes are written for a model, and how many tokens that takes. Pure functions.

Blocks, notes and summaries hold text that people, tools and web pages wrote. They stand in fences that their text cannot close, and
every note begins with its date and who said it, in a form that its text cannot imitate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any, TypeAlias

from pagefile.context.budget import MESSAGE_SHARE, RESULT_SHARE, SUMMARY_SHARE, SUMMARY_TOKENS
from pagefile.language.json_text import object_text
from pagefile.language.text import language_of
from pagefile.language.tokens import count, trim
from pagefile.messages import Message, ToolCall
from pagefile.prompts import Wording, words
from pagefile.queries import Hit
from pagefile.records import Block, Trust

ChatMessage: TypeAlias = Mapping[str, Any]

#: What the chat format adds around each message and each call.
MESSAGE_TOKENS = 4
CALL_TOKENS = 24
#: The most that the usual endpoints take for one image.
IMAGE_TOKENS = 1_600
#: A note longer than this share of the room for notes is shown in part, so that one long text does not push out the others.
LONGEST_NOTE = 0.4
LEAST_NOTE_TOKENS = 24

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FENCE = re.compile(r"[<＜‹](?=\s*[/／]?\s*(?:core_memory|block|memory_notes|conversation_summary)\b)", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_TRUST_SPEAKERS = {Trust.IMPORTED: "imported", Trust.TOOL_OUTPUT: "tool", Trust.ASSISTANT_SAID: "assistant"}


# --- messages ----------------------------------------------------------------------------------------------------------


def message_limit(message: Message, window: int) -> int:
    """Tokens one message may take in a window of this size. It depends on nothing else, so that a message looks the same each turn."""
    return max(32, int(window * (RESULT_SHARE if message.role == "tool" else MESSAGE_SHARE)))


def message_size(message: Message, window: int, *, images: bool = False) -> int:
    """Tokens that ``message_for_model`` takes at most; from the count that was made when the message was written."""
    return min(message.tokens, message_limit(message, window)) + frame_size(message, images=images)


def frame_size(message: Message, *, images: bool = False) -> int:
    """Tokens of all but the text and the calls: what the format adds, the speaker's name, images."""
    if message.role == "tool":
        return 2 * MESSAGE_TOKENS  # an empty result is sent as a few words
    speaker = len(_speaker(message).encode()) + 2 if message.speaker else 0
    return MESSAGE_TOKENS + speaker + CALL_TOKENS * len(message.tool_calls) + (IMAGE_TOKENS * len(_images(message)) if images else 0)


def message_for_model(message: Message, limit: int, *, wording: Wording, images: bool = False) -> ChatMessage:
    """A message as the Chat Completions API takes it. What is over ``limit`` tokens is shown in part; the journal has it whole."""
    fits = message.tokens <= limit
    text = message.text if fits else _ends(message.text, max(1, limit // 2 if message.tool_calls else limit))
    if message.role == "tool":
        content = text if text.strip() else words("window", "no output", wording)
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": content}
    # What an application says is an instruction; a system text in an imported conversation is just something that was said.
    # An event is told where a user's message would stand: endpoints take instructions at the beginning only.
    role = "user" if message.role == "system" and message.origin in ("imported", "event") else message.role
    named: dict[str, Any] = {"role": role}
    if message.speaker and _NAME.fullmatch(message.speaker):
        named["name"] = message.speaker
    elif message.speaker:
        text = f"{_speaker(message)}: {text}"
    pictures = _images(message) if images else []
    named["content"] = [{"type": "text", "text": text or "[image]"}, *pictures] if pictures else text
    if message.tool_calls:
        named["tool_calls"] = [_call_for_model(call, whole=fits) for call in message.tool_calls]
    return named


@lru_cache(maxsize=16)
def _ends(text: str, limit: int) -> str:
    # Kept, because a message of megabytes takes up to a second to cut and stands in the window for many turns.
    return trim(text, limit, keep="ends")


def _call_for_model(call: ToolCall, *, whole: bool) -> ChatMessage:
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", call.name)[:64] or "unknown"
    arguments = object_text(call.arguments) if whole else "{}"
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _speaker(message: Message) -> str:
    return one_line(message.speaker or "")[:64]


def _images(message: Message) -> list[ChatMessage]:
    if message.role != "user":
        return []
    return [
        {"type": "image_url", "image_url": part["image_url"]}
        for part in message.parts or ()
        if part.get("type") == "image_url" and isinstance(part.get("image_url"), Mapping) and isinstance(part["image_url"].get("url"), str)
    ]


# --- fenced texts ------------------------------------------------------------------------------------------------------


def escape(text: str) -> str:
    """The text, unable to open or close one of our fences. All else stays byte for byte, so that it can be quoted back."""
    return _FENCE.sub("&lt;", text)


def one_line(text: str) -> str:
    """The text on one line, without what could end an attribute or a fence."""
    return escape(re.sub(r"\s+", " ", _LINE_ENDS.sub(" ", text))).replace('"', "'").strip()


def block_for_model(block: Block, *, text: str, wording: Wording) -> str:
    """A block with its label, what belongs in it and how full it is. It changes only when the block does."""
    used = f"{count(block.text) if block.text else 0}/{block.token_limit}"
    read_only = ' read_only="true"' if block.read_only else ""
    head = f'<block label="{one_line(block.label)}" tokens="{used}"{read_only} description="{one_line(block.description)}">'
    return f"{head}\n{escape(text) or words('window', 'empty', wording)}\n</block>"


def blocks_for_model(blocks: Sequence[Block], *, wording: Wording, limit: int | None = None) -> str:
    """All blocks in one fence, of at most ``limit`` tokens: the longest texts are shown in part first. Empty if there is no room."""
    if not blocks:
        return ""
    text = _fenced_blocks(blocks, {}, wording)
    if limit is None or count(text) <= limit:
        return text
    frame = count(_fenced_blocks(blocks, dict.fromkeys(range(len(blocks)), ""), wording))
    mark = words("window", "shown in part", wording)
    room = limit - frame - (count(mark) + 2) * len(blocks)
    if room <= 0:
        return blocks_for_model(blocks[:-1], wording=wording, limit=limit)
    cap = even_cap([count(block.text) for block in blocks], room)
    shown = {
        place: f"{trim(block.text, cap)}\n{mark}" if cap > 0 else mark for place, block in enumerate(blocks) if count(block.text) > cap
    }
    text = _fenced_blocks(blocks, shown, wording)
    return text if count(text) <= limit else blocks_for_model(blocks[:-1], wording=wording, limit=limit)


def _fenced_blocks(blocks: Sequence[Block], shown: Mapping[int, str], wording: Wording) -> str:
    inside = [block_for_model(block, text=shown.get(place, block.text), wording=wording) for place, block in enumerate(blocks)]
    return "\n".join(("<core_memory>", *inside, "</core_memory>"))


def even_cap(sizes: Sequence[int], room: int) -> int:
    """The largest cap for which the sizes, each cut to it, add up to no more than ``room``."""
    cap, left = 0, len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            return room // left
        cap, room, left = size, room - size, left - 1
    return cap


def summary_for_model(summary: str, *, wording: Wording, limit: int | None = None) -> str:
    """The running summary, framed as something past, of at most ``limit`` tokens. Empty if there is none or no room."""
    if not summary.strip():
        return ""
    whole = _fenced_summary(summary, wording)
    if limit is None or count(whole) <= limit:
        return whole
    room = limit - count(_fenced_summary("", wording)) - 4
    return _fenced_summary(trim(summary, room), wording) if room >= LEAST_NOTE_TOKENS else ""


def summary_room(window: int, wording: Wording) -> int:
    """Tokens of text that a running summary may have in a window of this size; 0: there is no room for one."""
    room = min(int(window * SUMMARY_SHARE), SUMMARY_TOKENS) - MESSAGE_TOKENS - count(_fenced_summary("", wording)) - 4
    return room if room >= LEAST_NOTE_TOKENS else 0


def _fenced_summary(summary: str, wording: Wording) -> str:
    head = words("window", "summary", wording)
    return f"{head}\n<conversation_summary>\n{escape(summary)}\n</conversation_summary>"


# --- notes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What was recalled, as text for a model, and which hits it shows (best first)."""

    text: str = ""
    hits: tuple[Hit, ...] = ()


def notes_for_model(hits: Sequence[Hit], *, zone: tzinfo, wording: Wording, limit: int) -> Notes:
    """Write hits as dated, attributed notes in a fence of at most ``limit`` tokens: the best that fit, in the order they happened."""
    room = limit - count("<memory_notes>\n</memory_notes>\n")
    longest = max(LEAST_NOTE_TOKENS, int(room * LONGEST_NOTE))
    shown: list[tuple[Hit, str]] = []
    for hit in hits:
        head = note_head(hit, zone=zone, wording=wording)
        note = _note(head, hit.text) if hit.tokens <= longest else ""
        if not note or count(note) > longest:
            note = _note(head, trim(hit.text, max(1, longest - count(head) - 4)))
        size = count(note) + 1
        if size <= room:
            shown.append((hit, note))
            room -= size
    if not shown:
        return Notes()
    in_order = "\n".join(note for _, note in sorted(shown, key=lambda pair: pair[0].time))
    return Notes(text=f"<memory_notes>\n{in_order}\n</memory_notes>", hits=tuple(hit for hit, _ in shown))


def note_head(hit: Hit, *, zone: tzinfo, wording: Wording) -> str:
    """When it was said, what it is, who said it and in which session, on one line."""
    names = dict(pair.split("=", 1) for pair in words("window", "speakers", wording).split())
    role = names.get(hit.role or _TRUST_SPEAKERS.get(hit.trust, "user"), hit.role)
    who = f"{one_line(hit.speaker)} ({role})" if hit.speaker else role
    kinds = dict(pair.split("=", 1) for pair in words("window", "kinds", wording).split())
    parts = [date_and_offset(hit.time, zone), kinds.get(hit.kind), who]
    if hit.session:
        parts.append(words("window", "session", wording, session=one_line(hit.session)))
    return " · ".join(part for part in parts if part)


def date_and_offset(time: datetime, zone: tzinfo) -> str:
    """A time in the reader's zone, always with its offset: ``2026-05-24 10:00 +08:00``."""
    local = time.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M} {offset(local)}"


def offset(time: datetime) -> str:
    """The offset of an aware time from UTC: ``+08:00``."""
    written = f"{time:%z}"
    return f"{written[:3]}:{written[3:5]}"


def _note(head: str, text: str) -> str:
    # Continued lines are indented: at the start of a line stands only what we wrote.
    return f"- {head}: {_LINE_ENDS.sub(chr(10) + '  ', escape(text.strip()))}"


def wording_of(texts: Sequence[str], otherwise: Wording = "en") -> Wording:
    """The wording for a conversation: Chinese or English, by the first of the texts whose language can be told."""
    for text in texts:
        language = language_of(text[:2_000])
        if language != "other":
            return "zh" if language == "zh" else "en"
    return otherwise
