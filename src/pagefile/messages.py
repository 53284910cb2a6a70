"""What was said: messages as they are given, and as the journal keeps them. Frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from pagefile.records import Indexing, Trust

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
#: How the text came to us. What was not said here is never learnt as true: a file's or a web page's text, memories of elsewhere.
#: An "event" is what an application tells a model besides: a login, a reminder.
Origin: TypeAlias = Literal["said", "imported", "file", "web", "event"]

_TRUST_OF_ROLE: Mapping[Role, Trust] = {"user": Trust.USER_SAID, "assistant": Trust.ASSISTANT_SAID}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that a model asked for. ``arguments`` is JSON text, exactly as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of the journal. Append-only: it is retired or erased, never rewritten."""

    #: A uuid7, as text.
    id: str
    session: str
    #: 1, 2, 3 … within the session, without gaps (an erased message leaves one).
    seq: int
    role: Role
    #: The text that is read, counted, indexed and recalled; images and files stand in it as markers such as ``[image]``.
    text: str
    #: Content as it was given, JSON-ready, when it was more than text; else None.
    parts: tuple[Mapping[str, Any], ...] | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    #: For a tool's message: the call it answers.
    tool_call_id: str | None = None
    #: Who said it, where a name was given.
    speaker: str | None = None
    agent: str | None = None
    #: The message's own time, with its offset.
    said_at: datetime
    #: When the journal took it.
    recorded_at: datetime
    #: Tokens of ``text`` and the tool calls.
    tokens: int
    #: The caller's own id of the message.
    external_id: str | None = None
    origin: Origin = "said"
    #: Personal identifiers in it, such as a phone number, may be learnt.
    consent: bool = False
    #: False: it was said while learning was off, and is never learnt from.
    learnable: bool = True
    retired: bool = False
    #: What was learnt from it no longer holds: recalled only where superseded records are asked for. It stays in the window.
    superseded: bool = False
    #: Half-open character ranges of ``text`` in which something is said that no longer holds: recall leaves them out.
    outdated: tuple[tuple[int, int], ...] = ()

    @property
    def trust(self) -> Trust:
        """How far it can be believed: by who said it, and how it came to us."""
        if self.origin != "said":
            return Trust.IMPORTED if self.origin == "imported" else Trust.TOOL_OUTPUT
        return _TRUST_OF_ROLE.get(self.role, Trust.TOOL_OUTPUT)

    @property
    def holding(self) -> Message:
        """The message without the parts in which it says what no longer holds."""
        if not self.outdated:
            return self
        kept, place = "", 0
        for start, end in self.outdated:
            kept, place = f"{kept}{self.text[place:start]}…", end
        return replace(self, text=kept + self.text[place:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message on its way into the journal: all but the sequence number, which the store gives."""

    id: str
    role: Role
    text: str
    parts: tuple[Mapping[str, Any], ...] | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    speaker: str | None = None
    agent: str | None = None
    said_at: datetime
    recorded_at: datetime
    tokens: int
    external_id: str | None = None
    origin: Origin = "said"
    consent: bool = False
    learnable: bool = True
    #: It comes with a history that is sent again, and was said before: if its words were erased it is not stored, wherever they stand now.
    resent: bool = False
    #: Secrets that were taken out of it.
    redacted: int = 0
    indexing: Indexing = Indexing()

    def at(self, session: str, seq: int) -> Message:
        """The message that it becomes in this place."""
        return Message(session=session, seq=seq, **{name: getattr(self, name) for name in _OF_DRAFT})


#: What a draft and its message have in common.
_OF_DRAFT = tuple(each.name for each in fields(Draft) if each.name in {one.name for one in fields(Message)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What ``Store.append`` did with one draft, in the order of the drafts."""

    message: Message
    #: "stored"; "duplicate": the same ``external_id`` and content stood in this session already (``message`` is that one);
    #: "conflict": the ``external_id`` stood there with other content, and nothing was changed (``message`` is the old one);
    #: "erased": the same was erased before, and is not stored again (``message`` is what was given).
    outcome: Literal["stored", "duplicate", "conflict", "erased"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who is at work in a session, and how long nobody else may begin there."""

    holder: str
    now: datetime
    #: 0: it is given free.
    seconds: float

    @property
    def until(self) -> datetime:
        return self.now + timedelta(seconds=self.seconds)

    @property
    def ends(self) -> bool:
        return not self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One session of a scope."""

    session: str
    messages: int
    #: Sequence number of the last message.
    last_seq: int
    first_said_at: datetime
    last_said_at: datetime
    #: First sequence number that is still in the model's window; what is before it was evicted.
    window_start: int = 1
    #: Running summary of what was evicted; None: none was made.
    summary: str | None = None
    #: The last sequence number that the summary covers; 0: it covers nothing yet.
    summarised_to: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A message that was not taken, and why."""

    #: Its place in what was given, from 0.
    index: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What ``add`` did: what was stored, what stood there already, and what was not taken and why."""

    session: str
    #: In the order given, duplicates included.
    messages: tuple[Message, ...]
    stored: int
    #: Given before with the same id and content; kept once.
    duplicates: int
    refused: tuple[Refused, ...]
    #: Secrets (keys, tokens, passwords) that were taken out before anything was stored.
    redacted: int = 0

    def __str__(self) -> str:
        said = [f"{self.stored} stored in session {self.session!r}"]
        if self.duplicates:
            said.append(f"{self.duplicates} stood there already")
        if self.redacted:
            said.append(f"{self.redacted} secret{'' if self.redacted == 1 else 's'} taken out")
        if self.refused:
            said.append(f"{len(self.refused)} refused ({'; '.join(f'#{one.index}: {one.reason}' for one in self.refused[:3])})")
        return ", ".join(said)
