"""What each message of a history says, however the client writes it down: by this a message is known again when it is sent once more."""

from __future__ import annotations

import hashlib
import json
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pagefile.errors import InputError
from pagefile.intake import content_text
from pagefile.language.secret_answers import asks_for, find_answer, may_answer
from pagefile.language.secrets import redact, with_marker
from pagefile.language.text import clean
from pagefile.messages import Message, ToolCall
from pagefile.models.filters import ThinkFilter
from pagefile.prompts import WORDINGS, words

#: Messages whose reading is remembered, since clients send them again with every request.
_MOST_READ = 8_192
#: A longer text inside a part that is no text, such as the data of an image, is not kept: the journal keeps words.
_LONGEST_DATA = 4_096
#: Markers of pictures and files. Many clients leave these out when they send a message again.
_MARKERS = re.compile(r"(?m)^\[(?:image|input_image|audio|input_audio|video|file)\b[^\]\n]{0,200}\]$")
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


class Reader:
    """Reads histories, and remembers what it read."""

    def __init__(self) -> None:
        self._read: OrderedDict[bytes, Said | None] = OrderedDict()

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
        if key in self._read:
            self._read.move_to_end(key)
            return self._read[key]
        said = self._read[key] = _read(given)
        if len(self._read) > _MOST_READ:
            self._read.popitem(last=False)
        return said


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
    """A text as it is compared: blanks and markers of pictures do not count, unless there is nothing else."""
    without = " ".join(_MARKERS.sub("", text).split())
    return without or " ".join(text.split())


def without_thoughts(text: str) -> str:
    """A reply without what the model thought aloud."""
    if "<think" not in text and "</think" not in text:
        return text
    thoughts = ThinkFilter(opened="<think" not in text.partition("</think")[0])
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
    """Arguments as they are compared: clients write the same JSON in other ways."""
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
