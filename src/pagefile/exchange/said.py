"""What each message of a history says, however the client writes it down: by this a message is known again when it is sent once more."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pagefile.errors import InputError
from pagefile.intake import content_text
from pagefile.language.secret_answers import asks_for, find_answer, may_answer
from pagefile.language.secrets import redact, with_marker
from pagefile.language.text import clean
from pagefile.messages import Message, ToolCall
from pagefile.models.filters import THOUGHTS, ThinkFilter
from pagefile.prompts import WORDINGS, words

#: Messages whose reading is remembered, since clients send them again with every request; and bytes of the words among it.
_MOST_READ = 8_192
_MOST_BYTES = 4_000_000
#: A longer text inside a part that is no text, such as the data of an image, is not kept: the journal keeps words.
_LONGEST_DATA = 4_096
#: Markers of pictures, files and other parts that are no words. Many clients leave these out when they send a message again.
_MARKERS = re.compile(r"(?m)^\[(?:(?:image|input_image|audio|input_audio|video|file)\b[^\]\n]{0,200}|[a-z_]{1,40})\]$")
#: A question that a front end has put among what it found in documents; the documents were not said by anybody.
_WRAPPED = re.compile(r"\A\s*### Task:\s.{0,200}\b(?:user query|query|question)\b.*?</context>(?P<after>.*)\Z", re.DOTALL | re.IGNORECASE)
_QUERY = re.compile(r"<user_query>\s*(?P<query>.+?)\s*</user_query>", re.DOTALL | re.IGNORECASE)
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "tool": "tool", "function": "tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of a history that was sent."""

    #: As it was sent.
    given: Mapping[str, Any]
    role: str
    #: Its words as the journal would keep them: without secrets, thoughts and what a front end wrapped around them.
    text: str
    #: A hash of who said it, its words and its calls. Blanks and pictures do not count.
    identity: str

    @property
    def is_telling(self) -> bool:
        """Whether its words are so many that they do not come again by chance."""
        return len(self.text.encode("utf-8", "replace")) >= 40

    @property
    def says_something(self) -> bool:
        """Whether it is more than a word or two, which say something else behind another message."""
        return len(self.text.split()) >= 3 or len(self.text.encode("utf-8", "replace")) >= 15


class _Reading(NamedTuple):
    """What came of a message; of its words no more than is needed to tell them again."""

    #: None: they are those of the message as it was sent.
    text: str | None
    identity: str

    @property
    def size(self) -> int:
        return len(self.text.encode("utf-8", "replace")) if self.text else 0


class Reader:
    """Reads histories, and remembers what it read. It may be asked by several threads at once."""

    def __init__(self) -> None:
        #: Hash of a message → what came of it; None: it says nothing.
        self._read: OrderedDict[bytes, _Reading | None] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def talk(self, messages: Sequence[Mapping[str, Any]]) -> list[Said]:
        """What people, the model and tools said, in order. Instructions, and messages with nothing in them, are left out."""
        talk: list[Said] = []
        for given in messages:
            said = self._one(given)
            if said is not None:
                talk.append(_without_answer(said, talk))
        return talk

    def _one(self, given: Mapping[str, Any]) -> Said | None:
        if _ROLES.get(str(given.get("role", ""))) is None:
            return None
        key = hashlib.sha256(json.dumps(given, sort_keys=True, default=str).encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known = key in self._read
            reading = self._read.get(key)
            if known:
                self._read.move_to_end(key)
        if known:
            return None if reading is None else _said(given, reading)
        said = _read(given)
        same = said is not None and said.text == given.get("content")
        self._keep(key, None if said is None else _Reading(None if same else said.text, said.identity))
        return said

    def _keep(self, key: bytes, reading: _Reading | None) -> None:
        size = reading.size if reading else 0
        if size > _MOST_BYTES // 4:
            return  # it would push out what is worth more
        with self._lock:
            if key in self._read:
                return
            self._read[key] = reading
            self._bytes += size
            while len(self._read) > _MOST_READ or self._bytes > _MOST_BYTES:
                _, gone = self._read.popitem(last=False)
                self._bytes -= gone.size if gone else 0


def _said(given: Mapping[str, Any], reading: _Reading) -> Said:
    text = str(given["content"]) if reading.text is None else reading.text
    return Said(given=_without_data(given), role=_ROLES[str(given["role"])], text=text, identity=reading.identity)


def _read(given: Mapping[str, Any]) -> Said | None:
    role = _ROLES[str(given["role"])]
    if not isinstance(given.get("content"), str | list | None):
        return None  # the endpoint will have its own words for that
    try:
        text = content_text(given.get("content"))
    except InputError:
        return None
    calls = _calls(given)
    if role == "assistant":
        text = without_thoughts(text)
    elif role == "user":
        text = unwrapped(text)
    text = redact(clean(text)).text
    if not text.strip() and not calls and role != "tool":
        return None
    return Said(given=_without_data(given), role=role, text=text, identity=_identity(role, text, calls))


def _without_answer(said: Said, before: Sequence[Said]) -> Said:
    """The message without a secret that the assistant asked for just before."""
    if said.role != "user" or not may_answer(said.text):
        return said
    asked = next((one.text for one in reversed(before[-3:]) if one.role == "assistant" and one.text), "")
    found = find_answer(said.text, kind) if (kind := asks_for(asked)) else None
    if found is None:
        return said
    text = with_marker(said.text, found)
    return Said(given=said.given, role=said.role, text=text, identity=_identity(said.role, text, ()))


def identity_of(message: Message) -> str:
    """The same hash of a message that is in the journal."""
    text = message.text
    for wording in WORDINGS:
        text = text.removesuffix(words("turn", "interrupted", wording)).rstrip() if message.role == "assistant" else text
    return _identity(message.role, text, [(call.name, _plain_arguments(call.arguments)) for call in message.tool_calls])


def _identity(role: str, text: str, calls: Sequence[tuple[str, str]]) -> str:
    told = {"role": role, "text": flat(text), "calls": list(calls)}
    return hashlib.sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()[:32]


def flat(text: str) -> str:
    """A text as it is compared: blanks and markers of pictures do not count, unless there is nothing else, nor how accents are written."""
    text = unicodedata.normalize("NFC", text)
    without = " ".join(_MARKERS.sub("", text).split())
    return without or " ".join(text.split())


def without_thoughts(text: str) -> str:
    """A reply without what the model thought aloud."""
    opened, closed = (min((text.find(mark) for mark in marks if mark in text), default=None) for marks in (THOUGHTS, THOUGHTS.values()))
    if opened is None and closed is None:
        return text
    thoughts = ThinkFilter(opened=closed is not None and (opened is None or closed < opened))
    return thoughts.feed(text) + thoughts.finish()


def unwrapped(text: str) -> str:
    """What the user said, where a front end has put documents around it."""
    wrapped = _WRAPPED.match(text)
    if wrapped is None:
        return text
    query = _QUERY.search(text)
    said = query["query"] if query else wrapped["after"].strip()
    return said or text


def _calls(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    calls = given.get("tool_calls")
    found: list[tuple[str, str]] = []
    for call in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and function.get("name"):
            arguments = function.get("arguments", "{}")
            arguments = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
            found.append((redact(clean(str(function["name"]))).text, _plain_arguments(redact(clean(arguments)).text)))
    return found


def _plain_arguments(arguments: str) -> str:
    """Arguments as they are compared: clients write the same JSON in other ways, and none at all as nothing or as an empty object."""
    if not arguments.strip():
        return "{}"
    try:
        return json.dumps(json.loads(arguments), sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _without_data(given: Mapping[str, Any]) -> Mapping[str, Any]:
    content = given.get("content")
    if not isinstance(content, list):
        return given
    return {**given, "content": [_part_without_data(part) for part in content]}


def _part_without_data(part: Any) -> Any:
    if not isinstance(part, Mapping) or part.get("type") in ("text", "input_text", "output_text", "refusal"):
        return part
    return _cut(part)


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_DATA:
        return f"{value[:40]}… ({len(value):,} characters, not kept)"
    if isinstance(value, Mapping):
        return {name: _cut(item) for name, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value


def calls_of(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls of a reply, as far as they can be read."""
    return tuple(ToolCall(id="", name=name, arguments=arguments) for name, arguments in _calls(message))
