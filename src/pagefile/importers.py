"""Reads conversations that were kept elsewhere: OpenAI-style JSON lines, a ChatGPT export, plain ``speaker: text``."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pagefile.errors import InputError

Format: TypeAlias = Literal["jsonl", "chatgpt", "text"]
FORMATS: tuple[Format, ...] = ("jsonl", "chatgpt", "text")

#: "[2024-05-01 10:00] Alice: hello", "2024-05-01T10:00:00+08:00 Alice: hello", "Alice: hello", "小明：你好".
_LINE = re.compile(
    r"^(?:\[?(?P<time>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?)\]?\s+)?"
    # Up to four words before the colon, not ending in a digit: "see you at 5:30" is no speaker, nor is "https://".
    r"(?P<speaker>[^\s:：]+(?: [^\s:：]+){0,3}?)(?<![0-9])\s*[:：](?!//)\s*(?P<text>.*)$"
)
_ASSISTANTS = frozenset({"assistant", "ai", "bot", "chatgpt", "助手", "机器人"})
_USERS = frozenset({"user", "me", "human", "you", "用户", "我"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation to be added as one session."""

    #: Its own name or id where it has one.
    session: str | None
    messages: tuple[Mapping[str, Any], ...]


def read_conversations(path: str | Path, form: Format | None = None) -> Iterator[Conversation]:
    """Read a file. ``form``: how it is written; None: told from the name and the content.

    Each message has an ``id``, its own or one made of its place, so that a second import of the same file adds nothing.
    Raises InputError if the file cannot be read, naming the line where there is one.
    """
    path = Path(path)
    data = _load(path)
    form = form or _detect(path, data)
    if form == "chatgpt":
        yield from _chatgpt(_json(path, data))
    elif form == "jsonl":
        yield from _jsonl(path, data)
    elif form == "text":
        yield Conversation(session=path.stem, messages=tuple(_with_ids(_text(data), path.stem)))
    else:
        raise InputError(f"the format {form!r} is not known; use one of {', '.join(FORMATS)}")


def _load(path: Path) -> str:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return archive.read("conversations.json").decode("utf-8")
        return path.read_text(encoding="utf-8-sig")
    except KeyError as error:
        raise InputError(f"{path} is an archive without conversations.json; give a ChatGPT export") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text (byte {error.start}); convert it, for instance with iconv -f gb18030 -t utf-8"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _detect(path: Path, data: str) -> Format:
    start = data.lstrip()[:1]
    if start == "[" and path.suffix not in {".txt", ".md"} and '"mapping"' in data:
        return "chatgpt"
    return "jsonl" if start == "{" or (start == "[" and path.suffix == ".json") else "text"


def _json(path: Path, data: str) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}") from error


def _jsonl(path: Path, data: str) -> Iterator[Conversation]:
    """Lines are messages, lists of messages, or ``{"messages": […], "session": …}``; consecutive messages of one session go together."""
    loose: dict[str | None, list[Mapping[str, Any]]] = {}
    for number, value in _values(path, data):
        if isinstance(value, Mapping) and isinstance(value.get("messages"), Sequence):
            session = value.get("session") or value.get("id") or f"{path.stem}-{number}"
            yield Conversation(session=str(session), messages=tuple(_with_ids(value["messages"], str(session))))
        elif isinstance(value, list):
            yield Conversation(session=f"{path.stem}-{number}", messages=tuple(_with_ids(value, f"{path.stem}-{number}")))
        elif isinstance(value, Mapping):
            session = value.get("session")
            loose.setdefault(None if session is None else str(session), []).append(value)
        else:
            raise InputError(f"{path}, line {number}: a line must be a message or a conversation, not {type(value).__name__}")
    for session, messages in loose.items():
        yield Conversation(session=session or path.stem, messages=tuple(_with_ids(messages, session or path.stem)))


def _values(path: Path, data: str) -> Iterator[tuple[int, Any]]:
    if data.lstrip().startswith("["):
        whole = _json(path, data)
        yield from enumerate(whole, 1) if whole and not _is_message(whole[0]) else [(1, whole)]
        return
    for number, line in enumerate(data.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: {error.msg}; each line must be one JSON value") from error


def _is_message(value: object) -> bool:
    return isinstance(value, Mapping) and "role" in value


def _with_ids(messages: Iterable[Any], session: str) -> Iterator[Mapping[str, Any]]:
    for place, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise InputError(f"message {place} of {session!r} is a {type(message).__name__}, not a mapping with role and content")
        # Its place and content: two files of one name do not get in each other's way, and one file is imported once.
        content = hashlib.blake2b(json.dumps(message, sort_keys=True, default=str).encode(), digest_size=6).hexdigest()
        yield message if message.get("id") else {**message, "id": f"{session[:200]}#{place}-{content}"}


def _text(data: str) -> Iterator[Mapping[str, Any]]:
    """Lines without a speaker go on with the message before."""
    message: dict[str, Any] | None = None
    for line in data.splitlines():
        found = _LINE.match(line)
        if found is None:
            if message is not None:
                message["content"] += f"\n{line}"
            elif line.strip():
                message = {"role": "user", "content": line}
            continue
        if message is not None and message["content"].strip():
            yield _stripped(message)
        speaker = found["speaker"].strip()
        message = {"role": "assistant" if speaker.casefold() in _ASSISTANTS else "user", "content": found["text"]}
        if speaker.casefold() not in _ASSISTANTS | _USERS:
            message["name"] = speaker
        if found["time"]:
            message["said_at"] = found["time"]
    if message is not None and message["content"].strip():
        yield _stripped(message)


def _stripped(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "content": message["content"].strip()}


def _chatgpt(conversations: Any) -> Iterator[Conversation]:
    """The ``conversations.json`` of a ChatGPT export: each conversation is a tree of which the branch that was shown last is read."""
    if not isinstance(conversations, list):
        raise InputError("a ChatGPT export is a list of conversations; this file is not")
    for number, one in enumerate(conversations, 1):
        if not isinstance(one, Mapping):
            raise InputError(f"conversation {number} of the export is a {type(one).__name__}, not a mapping")
        nodes = dict(one.get("mapping") or {})
        branch = []
        # Taken out as it is passed, so that a broken export that leads in a circle ends.
        node = nodes.pop(one.get("current_node"), None)
        while node:
            branch.append(node)
            node = nodes.pop(node.get("parent"), None)
        messages = tuple(message for node in reversed(branch) if (message := _chatgpt_message(node)) is not None)
        if messages:
            yield Conversation(session=str(one.get("conversation_id") or one.get("id") or one.get("title") or "chatgpt"), messages=messages)


def _chatgpt_message(node: Mapping[str, Any]) -> Mapping[str, Any] | None:
    message = node.get("message") or {}
    role = (message.get("author") or {}).get("role")
    if role not in {"user", "assistant"} or (message.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
        return None
    content = message.get("content") or {}
    pieces = [piece if isinstance(piece, str) else "[image]" for piece in content.get("parts") or []]
    text = "\n".join(piece for piece in pieces if piece.strip()) if content.get("content_type") in {"text", "multimodal_text"} else ""
    if not text:
        return None
    said = {"role": role, "content": text, "id": message.get("id") or node.get("id")}
    if message.get("create_time"):
        said["said_at"] = message["create_time"]
    return said
