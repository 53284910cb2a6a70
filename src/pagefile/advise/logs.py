"""Chat logs as conversations of messages with their tokens. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Any

from pagefile.errors import InputError
from pagefile.importers import Conversation
from pagefile.intake import moment
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.messages import Message, Role

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
}


@dataclass(frozen=True)
class Log:
    """One conversation of a log."""

    session: str
    messages: tuple[Message, ...]

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Places of the user's messages: each is answered by a model."""
        return tuple(place for place, message in enumerate(self.messages) if message.role == "user")


def logs_of(conversations: Iterable[Conversation], *, now: datetime, zone: tzinfo) -> list[Log]:
    """The conversations in which somebody says something."""
    logs = [_log(one, number, now=now, zone=zone) for number, one in enumerate(conversations, 1)]
    return [log for log in logs if log.turns]


def _log(conversation: Conversation, number: int, *, now: datetime, zone: tzinfo) -> Log:
    session = conversation.session or f"conversation {number}"
    messages: list[Message] = []
    for given in conversation.messages:
        text = clean(_text(given.get("content")) or _calls(given.get("tool_calls")))
        if not text.strip():
            continue
        said_at = _time(given, messages[-1].said_at if messages else now, zone)
        seq = len(messages) + 1
        messages.append(
            Message(
                id=f"{number}:{seq}", session=session, seq=seq, role=_ROLES.get(str(given.get("role", "user")).lower(), "user"),
                text=text, said_at=said_at, recorded_at=said_at, tokens=count(text),
            )
        )  # fmt: skip
    return Log(session, tuple(messages))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content] if isinstance(content, Mapping) else []
    said = (part if isinstance(part, str) else part.get("text", "[image]") if isinstance(part, Mapping) else "" for part in parts)
    return "\n".join(text for text in said if isinstance(text, str))


def _calls(calls: object) -> str:
    """What a model asked of tools: it is read again each time as well."""
    return "\n".join(str(call.get("function", call)) for call in calls if isinstance(call, Mapping)) if isinstance(calls, list) else ""


def _time(message: Mapping[str, Any], before: datetime, zone: tzinfo) -> datetime:
    given = next((message[name] for name in ("said_at", "created_at", "timestamp", "time") if message.get(name)), None)
    try:
        return before if given is None else moment(given, zone)
    except InputError:
        return before  # a time that cannot be read changes no advice
