"""What was learnt, and how it changes: scopes, records, blocks, task state and changes. Frozen values, no I/O."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any, Literal, TypeAlias

from pagefile.errors import InvalidIdentifier

Kind: TypeAlias = Literal["fact", "event", "procedure", "passage", "summary"]
Status: TypeAlias = Literal["pending", "current", "superseded", "retired"]
Polarity: TypeAlias = Literal["positive", "negative"]
Privacy: TypeAlias = Literal["normal", "sensitive"]

MAX_IDENTIFIER = 256


def identifier(value: str, what: str) -> str:
    """Normalise an identifier the same way on every verb: strip it, then Unicode NFC.

    Raises InvalidIdentifier if it is not text, is empty, is longer than 256 characters, or has control characters,
    line separators or lone surrogates. No character is a wildcard.
    """
    if not isinstance(value, str):
        raise InvalidIdentifier(f"the {what} must be text, not {type(value).__name__}; give a string of 1 to 256 characters")
    text = unicodedata.normalize("NFC", value.strip())
    if not text:
        raise InvalidIdentifier(f"the {what} is empty; give a string of 1 to {MAX_IDENTIFIER} characters")
    if len(text) > MAX_IDENTIFIER:
        raise InvalidIdentifier(f"the {what} has {len(text)} characters; at most {MAX_IDENTIFIER} are allowed")
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in text):
        raise InvalidIdentifier(f"the {what} {text[:40]!r} has control characters; remove them")
    return text


@dataclass(frozen=True, slots=True)
class Scope:
    """The address space of one user of one tenant: the hard isolation boundary. Both parts are normalised when it is made."""

    tenant: str
    user: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "tenant", identifier(self.tenant, "tenant"))
        object.__setattr__(self, "user", identifier(self.user, "user"))


class Trust(IntEnum):
    """How far a text can be believed, lowest first. Compare with ``<``."""

    IMPORTED = 1
    TOOL_OUTPUT = 2
    ASSISTANT_SAID = 3
    USER_SAID = 4
    USER_CONFIRMED = 5

    @classmethod
    def named(cls, value: object) -> Trust:
        """The trust of this name, such as "user_said", or a trust itself. Raises ValueError."""
        for trust in cls:
            if value == trust.name.lower() or value is trust:
                return trust
        raise ValueError(f"a trust is one of {', '.join(trust.name.lower() for trust in cls)}")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Mapping[str, Any]:
        """For pydantic: in JSON it stands by its name."""
        by_name = {"type": "function-plain", "function": lambda trust: trust.name.lower(), "when_used": "json"}
        return {"type": "function-plain", "function": {"type": "no-info", "function": cls.named}, "serialization": by_name}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Mapping[str, Any]:
        return {"type": "string", "enum": [trust.name.lower() for trust in cls], "description": "How far a text can be believed."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place in the journal that a record was learnt from."""

    #: Id of the message.
    message: str
    #: Half-open character range in the message's text; None means the whole message.
    span: tuple[int, int] | None = None
    #: The caller's own id of that message, where it gave one.
    external_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Something learnt. Derived from the journal; cites the messages it came from."""

    #: A uuid7, as text.
    id: str
    kind: Kind
    #: In the language it was said in.
    text: str
    status: Status = "current"
    #: Facts only: who or what it is about, which property, and the value.
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    polarity: Polarity = "positive"
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    #: 0..1.
    confidence: float = 1.0
    importance: float = 0.5
    #: World time: when it holds. Half-open; None is open-ended.
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    #: System time: when it was learnt and, if it no longer counts, since when.
    learned_at: datetime
    retired_at: datetime | None = None
    #: When it was last said, by the newest of its sources; None: when it was learnt.
    said_at: datetime | None = None
    #: What read it out of its sources: "rules", "model:<name>", "merge" …; None: it was written as it stands.
    extractor: str | None = None
    #: Who said it, and how far that is believed.
    speaker: str | None = None
    trust: Trust = Trust.USER_SAID
    sources: tuple[Source, ...] = ()
    session: str | None = None
    agent: str | None = None
    #: Id of the record that this one replaced.
    supersedes: str | None = None
    #: How many independent times it was said.
    evidence_count: int = 1
    use_count: int = 0
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    privacy: Privacy = "normal"
    pinned: bool = False
    #: Grows by one with each change.
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A labelled piece of core memory: always in the window, edited by the model or by the application."""

    label: str
    text: str = ""
    #: What belongs in it; shown to the model.
    description: str = ""
    #: Enforced on every write.
    token_limit: int = 500
    read_only: bool = False
    #: None: shared by all agents of the scope.
    agent: str | None = None
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskState:
    """Where a task stands: a JSON value under a key. It is no memory, and never becomes a record."""

    key: str
    value: Any
    step: int = 0
    updated_at: datetime
    expires_at: datetime | None = None


# --- changes: the one way records and blocks are written --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why a change is made, by whom, and when. Part of every change."""

    #: "user:alice", "model:gpt-…", "worker", "cli" …
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexing:
    """How a text is to be found: made by the language layer and an embedder, kept by the store."""

    #: Term → how often it occurs. Empty: not findable by words.
    terms: Mapping[str, int] = field(default_factory=dict)
    #: Hash of the text that is to be embedded for it; a vector counts only while it carries the same hash.
    #: Empty: it is not to be embedded.
    embedding_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Write a new record or block."""

    item: Record | Block
    cause: Cause
    indexing: Indexing = Indexing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce:
    """The same thing was said again: raise the evidence count and merge the sources."""

    target: str
    cause: Cause
    sources: tuple[Source, ...] = ()
    #: When it was said again; the record's ``said_at`` moves there if that is later.
    said_at: datetime | None = None
    #: False: the same evidence once more, such as the same message read by another extractor. Only the sources are merged.
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Replace a record by a newer one: the old one stays in history with an end to its validity."""

    target: str
    item: Record
    cause: Cause
    indexing: Indexing = Indexing()
    #: End of the old record's validity; None: the new one's ``valid_from``, else the time of the change.
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Change a record (by id) or a block (by label) in place. Id, history, links and counters stay.

    ``fields`` are new values of fields of Record or Block; of a message (by id) only ``superseded`` can be changed. Raises
    ConflictError if ``expected_version`` is given and is not the stored one.
    """

    target: str
    fields: Mapping[str, Any]
    cause: Cause
    #: Needed when the text changes.
    indexing: Indexing | None = None
    expected_version: int | None = None
    #: For blocks: whose; None is the shared one.
    agent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """Take a record or a message out of recall. It stays in history and can be restored."""

    target: str
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Bring a retired or superseded record, or a retired message, back to current."""

    target: str
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Let a name stand for the same person or thing as another one. Records stay as they are: ``Split`` takes it back exactly.

    Raises ConflictError if it stands for another one already, or the other one for it.
    """

    #: The name that becomes an alias, and the one it stands for from now on.
    target: str
    into: str
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Take back the merge of a name into another one.

    Raises NotFound if it was not merged, ConflictError if it stands for another one than ``into``.
    """

    target: str
    cause: Cause
    #: The name it was merged into; None: whichever it is.
    into: str | None = None


Change: TypeAlias = Add | Reinforce | Supersede | Edit | Retire | Restore | Merge | Split


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One change that was made: what it was before and after, by whom and why."""

    id: str
    #: Record or message id, or "block:label" ("block:agent/label" for an agent's own), or "entity:name" as names are compared.
    target: str
    #: "add", "reinforce", "supersede", "edit", "retire", "restore", "merge" or "split".
    change: str
    #: The changed fields only, JSON-ready. ``before`` is empty for an addition.
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    cause: Cause
