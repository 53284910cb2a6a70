"""Reads conversations that were kept elsewhere: OpenAI-style JSON lines, a ChatGPT export, plain ``speaker: text``."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from pagefile.errors import InputError

Format: TypeAlias = Literal["jsonl", "chatgpt", "text"]
_Kind = TypeVar("_Kind")
FORMATS: tuple[Format, ...] = ("jsonl", "chatgpt", "text")

#: "[2024-05-01 10:00] Alice: hello", "2024-05-01T10:00:00+08:00 Alice: hello", "Alice: hello", "小明：你好".
_LINE = re.compile(
    r"^(?:\[?(?P<time>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?)\]?\s+)?"
    # Up to four words before the colon, not ending in a digit: "see you at 5:30" is no speaker, nor is "https://".
    r"(?P<speaker>[^\s:：]+(?: [^\s:：]+){0,3}?)(?<![0-9])\s*[:：](?!//)\s*(?P<text>.*)$"
)
_ASSISTANTS = frozenset({"assistant", "ai", "bot", "chatgpt", "助手", "机器人"})
_USERS = frozenset({"user", "me", "human", "you", "用户", "我"})
_LINES = frozenset({".jsonl", ".ndjson"})
#: An archive may not unpack to more bytes than this, nor, from some size on, to this many times its own: it would fill the memory.
_UNPACKED, _RATIO, _RATIO_FROM = 2_000_000_000, 200, 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation to be added as one session."""

    #: Its own name or id where it has one.
    session: str | None
    messages: tuple[Mapping[str, Any], ...]


def read_conversations(path: str | Path, form: Format | None = None, *, text: str | None = None) -> Iterator[Conversation]:
    """Read a file. ``form``: how it is written; None: told from the name and the content. ``text``: its content, where there is no file.

    Each message has an ``id``, its own or one made of its place, so that a second import of the same file adds nothing.
    Raises InputError if the file cannot be read, naming the line where there is one.
    """
    path = Path(path)
    archive = text is None and (path.suffix.lower() == ".zip" or zipfile.is_zipfile(path))
    data = _load(path, archive=archive) if text is None else text
    form = "chatgpt" if archive else form or _detect(path, data)
    if form == "chatgpt":
        yield from _chatgpt(path, _json(data, str(path)))
    elif form == "jsonl":
        yield from _jsonl(path, data)
    elif form == "text":
        yield Conversation(session=path.stem, messages=tuple(_with_ids(_text(data), path.stem, str(path))))
    else:
        raise InputError(f"the format {form!r} is not known; use one of {', '.join(FORMATS)}")


def _load(path: Path, *, archive: bool) -> str:
    try:
        return (_unpacked(path) if archive else path.read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text (byte {error.start}); convert it, for instance with iconv -f gb18030 -t utf-8"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _unpacked(path: Path) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            member = archive.getinfo("conversations.json")
            # What the archive says of the size binds the reader too: no more is unpacked than is checked here.
            if member.file_size > _UNPACKED or member.file_size > max(_RATIO_FROM, _RATIO * member.compress_size):
                raise InputError(f"{path} would unpack to {member.file_size:,} bytes; unpack it and give conversations.json if it is yours")
            return archive.read(member)
    except KeyError as error:
        raise InputError(f"{path} is an archive without conversations.json; give a ChatGPT export") from error
    # zipfile tells a password by RuntimeError, and a compression it does not know by its subclass NotImplementedError.
    except (zipfile.BadZipFile, RuntimeError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be unpacked: {error}; is it a whole ChatGPT export, without a password?") from error


def _detect(path: Path, data: str) -> Format:
    suffix, start = path.suffix.lower(), data.lstrip()[:1]
    if suffix in _LINES:
        return "jsonl"
    if start == "[" and suffix not in {".txt", ".md"} and '"mapping"' in data:
        return "chatgpt"
    return "jsonl" if start == "{" or suffix == ".json" else "text"


def _json(text: str, where: str, first_line: int = 1) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}, line {first_line + error.lineno - 1}: {error.msg}") from error
    except RecursionError as error:
        raise InputError(f"{where}, line {first_line}: the JSON is nested too deep") from error
    except ValueError as error:
        raise InputError(f"{where}, line {first_line}: a number is too long") from error


def _jsonl(path: Path, data: str) -> Iterator[Conversation]:
    """Lines are messages, lists of messages, or ``{"messages": […], "session": …}``; consecutive messages of one session go together."""
    loose: dict[str | None, list[Mapping[str, Any]]] = {}
    for number, value in _values(path, data):
        where = f"{path}, line {number}"
        if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
            session = str(value.get("session") or value.get("id") or f"{path.stem}-{number}")
            yield Conversation(session=session, messages=tuple(_with_ids(value["messages"], session, where)))
        elif isinstance(value, list):
            yield Conversation(session=f"{path.stem}-{number}", messages=tuple(_with_ids(value, f"{path.stem}-{number}", where)))
        elif isinstance(value, Mapping):
            session_given = value.get("session")
            loose.setdefault(None if session_given is None else str(session_given), []).append(value)
        else:
            raise InputError(f"{where}: a line must be a message or a conversation, not {type(value).__name__}")
    for name, messages in loose.items():
        yield Conversation(session=name or path.stem, messages=tuple(_with_ids(messages, name or path.stem, str(path))))


def _values(path: Path, data: str) -> Iterator[tuple[int, Any]]:
    if path.suffix.lower() not in _LINES and data.lstrip().startswith("["):
        whole = _json(data, str(path))
        yield from [(1, whole)] if whole and _is_message(whole[0]) else enumerate(whole, 1)
        return
    for number, line in enumerate(data.split("\n"), 1):
        if line.strip():
            yield number, _json(line, str(path), number)


def _is_message(value: object) -> bool:
    return isinstance(value, Mapping) and "role" in value


def _with_ids(messages: Iterable[Any], session: str, where: str) -> Iterator[Mapping[str, Any]]:
    for place, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise InputError(f"{where}: message {place} of {session!r} is a {type(message).__name__}, not a mapping with role and content")
        try:
            written = json.dumps(message, sort_keys=True, default=str)
        except RecursionError as error:
            raise InputError(f"{where}: message {place} of {session!r} is nested too deep") from error
        # Its place and content: two files of one name do not get in each other's way, and one file is imported once.
        content = hashlib.blake2b(written.encode(), digest_size=6).hexdigest()
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


def _chatgpt(path: Path, conversations: Any) -> Iterator[Conversation]:
    """The ``conversations.json`` of a ChatGPT export: each conversation is a tree of which the branch that was shown last is read."""
    if not isinstance(conversations, list):
        raise InputError(f"{path}: a ChatGPT export is a list of conversations; this file is not")
    for number, one in enumerate(conversations, 1):
        where = f"{path}, conversation {number}"
        if not isinstance(one, Mapping):
            raise InputError(f"{where} is a {type(one).__name__}, not a mapping")
        messages = tuple(message for node in _branch(one, where) if (message := _chatgpt_message(node, where)) is not None)
        if messages:
            yield Conversation(session=str(one.get("conversation_id") or one.get("id") or one.get("title") or "chatgpt"), messages=messages)


def _branch(conversation: Mapping[str, Any], where: str) -> list[Mapping[str, Any]]:
    nodes = dict(_field(conversation, "mapping", dict, where) or {})
    branch: list[Mapping[str, Any]] = []
    # Taken out as it is passed, so that a broken export that leads in a circle ends.
    node = nodes.pop(_field(conversation, "current_node", str, where), None)
    while node:
        if not isinstance(node, Mapping):
            raise InputError(f"{where}: a node of 'mapping' is a {type(node).__name__}, not a mapping")
        branch.append(node)
        node = nodes.pop(_field(node, "parent", str, where), None)
    return branch[::-1]


def _chatgpt_message(node: Mapping[str, Any], where: str) -> Mapping[str, Any] | None:
    message = _field(node, "message", dict, where) or {}
    role = _field(_field(message, "author", dict, where) or {}, "role", str, where)
    hidden = (_field(message, "metadata", dict, where) or {}).get("is_visually_hidden_from_conversation")
    if role not in {"user", "assistant"} or hidden:
        return None
    content = _field(message, "content", dict, where) or {}
    pieces = [piece if isinstance(piece, str) else "[image]" for piece in _field(content, "parts", list, where) or []]
    shown = _field(content, "content_type", str, where) in {"text", "multimodal_text"}
    text = "\n".join(piece for piece in pieces if piece.strip()) if shown else ""
    if not text:
        return None
    said = {"role": role, "content": text, "id": message.get("id") or node.get("id")}
    if message.get("create_time"):
        said["said_at"] = message["create_time"]
    return said


def _field(owner: Mapping[str, Any], name: str, kind: type[_Kind], where: str) -> _Kind | None:
    value = owner.get(name)
    if not value:
        return None
    if not isinstance(value, kind):
        raise InputError(f"{where}: {name!r} must be a {kind.__name__}, not a {type(value).__name__}")
    return value
