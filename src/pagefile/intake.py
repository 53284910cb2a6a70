"""Takes in messages: from what an application has in its hands to drafts the journal can keep."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, cast

from pagefile.errors import InputError, InvalidIdentifier
from pagefile.language.secret_answers import asks_for, find_answer, may_answer
from pagefile.language.secrets import Redacted, find_secrets, redact, redact_values, with_marker
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.messages import Draft, Origin, Role, ToolCall
from pagefile.parts import Parts
from pagefile.records import Scope, identifier
from pagefile.retrieval.indexing import message_indexing

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
}
_ORIGINS: Mapping[str, Origin] = {"said": "said", "imported": "imported", "file": "file", "web": "web"}
_EARLIEST, _LATEST = datetime.min + timedelta(days=2), datetime.max - timedelta(days=2)
#: JSON readers agree on numbers up to about this.
_LARGEST = 1e308
#: Deeper is no message that a model could be sent.
_DEEPEST = 64
#: A secret that was asked for comes so few messages later.
ASKED_BEFORE = 3
#: Stands for a message that is nothing but a secret.
_SECRET = "secret"
#: Names under which applications give a message's own time.
_TIMES = ("said_at", "created_at", "timestamp", "time")


def draft(message: Mapping[str, Any] | str, *, parts: Parts, agent: str | None = None, origin: Origin = "said") -> Draft:
    """Make a draft of an OpenAI-style message; a plain string is a user's.

    Read are ``role``, ``content`` (text, None, or a list of parts), ``name``, ``id``, ``tool_calls``, ``tool_call_id`` and the
    message's own time under ``said_at`` (ISO 8601 text, datetime, or seconds since 1970; without a zone it is in ``parts.zone``);
    ``origin`` ("said", "imported", "file" or "web"; else the one given here), and ``consent`` ("explicit": personal identifiers in it,
    such as a phone number, may be learnt). Secrets are taken out of all of it before it is counted, indexed or kept.
    Raises InputError if the role, the origin or the consent is unknown, there is nothing in it, or a field is of the wrong kind.
    """
    fields = _fields(message)
    role = _role(fields.get("role", "user"))
    text, content_parts, secrets = _content(fields.get("content"))
    calls, secrets_in_calls = _tool_calls(fields.get("tool_calls"))
    if not text.strip() and not calls and role != "tool":
        raise InputError("the message has no content; give text, or parts with text or an image")
    now = parts.now()
    said_at = next((moment(fields[name], parts.zone) for name in _TIMES if fields.get(name) is not None), now)
    name = redact(clean(str(fields["name"]))) if fields.get("name") else None
    speaker = identifier(name.text, "name of the speaker") if name else None
    external_id = fields.get("id")
    tool_call_id = fields.get("tool_call_id")
    return Draft(
        id=parts.new_id(),
        role=role,
        text=text,
        parts=content_parts,
        tool_calls=calls,
        tool_call_id=identifier(redact(str(tool_call_id)).text, "tool_call_id") if tool_call_id else None,
        speaker=speaker,
        agent=name_to_keep(agent, "agent") if agent is not None else None,
        said_at=said_at,
        recorded_at=now,
        tokens=count(text) + sum(count(call.name) + count(call.arguments) for call in calls),
        external_id=name_to_keep(str(external_id), "id of the message") if external_id not in (None, "") else None,
        origin=_origin(fields.get("origin")) or origin,
        consent=_consent(fields.get("consent")),
        learnable=parts.learning.by != "off",
        redacted=secrets + secrets_in_calls + (name.count if name else 0),
        indexing=message_indexing(role=role, speaker=speaker, text=text, said_at=said_at),
    )


async def without_answers(parts: Parts, scope: Scope, session: str, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts without secrets that nobody calls so, because the assistant asked for them just before: "What is your password?"."""
    heard: list[Draft] = []
    for place, one in enumerate(drafts):
        if one.role == "user" and one.parts is None and may_answer(one.text):
            before = [(each.role, each.text) for each in drafts[max(0, place - ASKED_BEFORE) : place]]
            if len(before) < ASKED_BEFORE:
                said = await parts.store.messages(scope, session, limit=ASKED_BEFORE - len(before), newest_first=True)
                before = [*((each.role, each.text) for each in reversed(said.items)), *before]
            one = _without_answer(one, next((text for role, text in reversed(before) if role == "assistant" and text), ""))
        heard.append(one)
    return heard


def _without_answer(one: Draft, question: str) -> Draft:
    kind = asks_for(question)
    found = find_answer(one.text, kind) if kind else None
    if found is None:
        return one
    text = with_marker(one.text, found)
    indexing = message_indexing(role=one.role, speaker=one.speaker, text=text, said_at=one.said_at)
    return replace(one, text=text, tokens=count(text), redacted=one.redacted + 1, indexing=indexing)


def name_to_keep(value: str, what: str) -> str:
    """An identifier that is going to be kept. Raises InvalidIdentifier, without repeating it, if there is a secret in it."""
    if isinstance(value, str) and find_secrets(value):
        raise InvalidIdentifier(f"there is a secret in the {what}, and it would be kept; give another {what}. Nothing was stored")
    return identifier(value, what)


def moment(value: object, zone: tzinfo) -> datetime:
    """A point in time as an aware datetime: from ISO 8601 text, a datetime, or seconds since 1970. Raises InputError."""
    if isinstance(value, str):
        text = value.strip()
        try:
            # Digits alone are seconds, unless they are a date such as 20260524.
            value = float(text) if len(text) > 8 and text.replace(".", "", 1).isdecimal() else datetime.fromisoformat(text)
        except ValueError as error:
            raise InputError(f"the time {text[:40]!r} cannot be read; give ISO 8601 such as 2026-05-24T10:00:00+08:00") from error
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            # Milliseconds are what JavaScript clients send; as seconds they would lie tens of thousands of years ahead.
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC).astimezone(zone)
        except (OverflowError, OSError, ValueError) as error:
            raise InputError(f"the time {value!r} is out of range; give seconds since 1970") from error
    if not isinstance(value, datetime):
        raise InputError(f"a time must be ISO 8601 text, a datetime or seconds since 1970, not {type(value).__name__}")
    if not _EARLIEST <= value.replace(tzinfo=None) <= _LATEST:
        # In another zone it would be no date any more, and whoever reads it would fail.
        raise InputError(f"the time {value.isoformat()} is out of range; give one between the years 1 and 9999")
    return value if value.utcoffset() is not None else value.replace(tzinfo=zone)


def fingerprint(session: str, messages: Sequence[Mapping[str, Any] | str], answers: Collection[int] = ()) -> str:
    """A hash of what was given to ``add``, by which a repeated call is told from another one under the same key.

    No secret is in it, as a short one could be guessed from it: ``answers`` are the places of messages that gave one when asked.
    """
    return _hash(session, (_SECRET if place in answers else _as_given(one, redact_values) for place, one in enumerate(messages)))


def former_fingerprint(session: str, messages: Sequence[Mapping[str, Any] | str]) -> str:
    """The hash that earlier versions made of them."""
    return _hash(session, (_as_given(one, lambda value: (value, 0)) for one in messages))


def _hash(session: str, pieces: Iterable[str]) -> str:
    whole = hashlib.sha256(json.dumps(session).encode())
    for piece in pieces:
        whole.update(piece.encode())
    return whole.hexdigest()


def _as_given(message: object, without_secrets: Callable[[Any], tuple[Any, int]]) -> str:
    try:
        kept, _ = without_secrets(message if isinstance(message, str) else _fields(message))
        return json.dumps(kept, sort_keys=True, default=str)
    except (InputError, TypeError, ValueError, RecursionError):
        return f"refused: {type(message).__name__}"  # it is refused, but part of what was given


def _fields(message: object) -> Mapping[str, Any]:
    if isinstance(message, str):
        return {"role": "user", "content": message}
    if isinstance(message, Mapping):
        return message
    # The objects of the openai package and other pydantic models.
    dump = getattr(message, "model_dump", None)
    if callable(dump):
        return cast("Mapping[str, Any]", dump(exclude_none=True))
    raise InputError(f"a message must be a mapping with role and content, or text, not {type(message).__name__}")


def _role(value: object) -> Role:
    role = _ROLES.get(value.strip().lower()) if isinstance(value, str) else None
    if role is None:
        raise InputError(f"the role {value!r} is not known; use one of {', '.join(dict.fromkeys(_ROLES.values()))}")
    return role


def _origin(value: object) -> Origin | None:
    if value is None:
        return None
    origin = _ORIGINS.get(value) if isinstance(value, str) else None
    if origin is None:
        raise InputError(f"the origin {value!r} is not known; use one of {', '.join(_ORIGINS)}")
    return origin


def _consent(value: object) -> bool:
    if value not in (None, "explicit"):
        raise InputError(f'the consent {value!r} is not known; give "explicit", or leave it out')
    return value is not None


def _content(content: object) -> tuple[str, tuple[Mapping[str, Any], ...] | None, int]:
    """The text of a message's content, its parts if it was more than text, and how many secrets were taken out of them."""
    if content is None:
        return "", None, 0
    if isinstance(content, str):
        redacted = redact(clean(content))
        return redacted.text, None, redacted.count
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        raise InputError(f"the content must be text or a list of parts, not {type(content).__name__}")
    redacted = redact("\n".join(piece for piece in map(_part_text, content) if piece))
    if all(isinstance(part, str) or (isinstance(part, Mapping) and "text" in part) for part in content):
        return redacted.text, None, redacted.count
    kept = [redact_values(_cleaned(part if isinstance(part, Mapping) else {"type": "text", "text": part})) for part in content]
    # What a part says in words stands in the text, too, and is counted there.
    elsewhere = sum(count - _in_words(part) for part, (_, count) in zip(content, kept, strict=True))
    return redacted.text, tuple(part for part, _ in kept), redacted.count + elsewhere


def _in_words(part: object) -> int:
    return redact(_part_text(part)).count


def content_text(content: object) -> str:
    """The words of a message's content, with markers for what is not text; secrets are still in it. Raises InputError."""
    if content is None or isinstance(content, str):
        return clean(content or "")
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        raise InputError(f"the content must be text or a list of parts, not {type(content).__name__}")
    return "\n".join(piece for piece in map(_part_text, content) if piece)


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return clean(part)
    if not isinstance(part, Mapping):
        raise InputError(f"a part of the content must be a mapping with a type, not {type(part).__name__}")
    for name in ("text", "refusal"):
        if isinstance(part.get(name), str):
            return clean(part[name])
    kind = str(part.get("type", "part")).removeprefix("input_").removesuffix("_url")
    detail = part.get("file")
    filename = detail.get("filename") if isinstance(detail, Mapping) else part.get("filename")
    return clean(f"[{kind}: {filename}]" if filename else f"[{kind}]")


def _tool_calls(calls: object) -> tuple[tuple[ToolCall, ...], int]:
    """The calls, and how many secrets were taken out of them."""
    if calls is None:
        return (), 0
    if not isinstance(calls, Sequence) or isinstance(calls, str | bytes):
        raise InputError(f"tool_calls must be a list, not {type(calls).__name__}")
    read = [_tool_call(call) for call in calls]
    return tuple(call for call, _ in read), sum(count for _, count in read)


def _tool_call(call: object) -> tuple[ToolCall, int]:
    fields = _fields(call) if not isinstance(call, str) else {}
    function = fields.get("function")
    if not isinstance(function, Mapping) or not function.get("name") or not fields.get("id"):
        raise InputError("a tool call needs an id and a function with name and arguments")
    arguments = function.get("arguments", "{}")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False, default=str)
    name, redacted = redact(clean(str(function["name"]))), _redacted_arguments(clean(arguments))
    return ToolCall(id=redact(clean(str(fields["id"]))).text, name=name.text, arguments=redacted.text), name.count + redacted.count


def _redacted_arguments(arguments: str) -> Redacted:
    """Arguments without secrets, as they were written if there are none; JSON stays JSON."""
    redacted = redact(arguments)
    # Escaped letters can hide a name: \u5bc6\u7801 is 密码.
    hidden = "\\u" in arguments
    if not redacted.count and not hidden:
        return redacted
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return redacted
    if not hidden:
        try:
            json.loads(redacted.text)
        except ValueError:
            pass  # a number went, or half a text: it is done value by value
        else:
            return redacted
    value, count = redact_values(value)
    if count:
        return Redacted(json.dumps(value, ensure_ascii=False), count)
    # Only across several values it is a secret. All of it becomes one text.
    return Redacted(json.dumps(redacted.text, ensure_ascii=False), redacted.count) if redacted.count else redacted


def _cleaned(value: Any, depth: int = 0) -> Any:
    """The same JSON value with every text in it cleaned."""
    if depth > _DEEPEST:
        raise InputError(f"a part of the content is nested more than {_DEEPEST} deep")
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(name)): _cleaned(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item, depth + 1) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        if not -_LARGEST <= value <= _LARGEST:
            raise InputError("a part of the content holds a number that is not finite or too large; give numbers that JSON can carry")
        return value
    raise InputError(f"a part of the content holds a {type(value).__name__}, which is not JSON; give text, numbers, lists and mappings")
