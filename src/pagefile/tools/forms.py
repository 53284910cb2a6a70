"""The forms of arguments of the system calls. Each field is described in a document of ``prompts``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from pagefile.tools.calls import Arguments

#: What a search shows on one page, unless the model says otherwise.
PAGE = 5


def _none_if_empty(value: Any) -> Any:
    """A model that has nothing to give gives none, null or an empty text."""
    return None if isinstance(value, str) and not value.strip() else value


def _listed(value: Any) -> Any:
    """A model that has one thing to give often gives it as it is."""
    if value is None:
        return ()
    return [value] if isinstance(value, str) else value


Given: TypeAlias = Annotated[str | None, BeforeValidator(_none_if_empty)]
Role: TypeAlias = Annotated[Literal["user", "assistant", "tool"] | None, BeforeValidator(_none_if_empty)]
Texts: TypeAlias = Annotated[Sequence[str], BeforeValidator(_listed)]
Tags: TypeAlias = Annotated[Sequence[Annotated[str, Field(max_length=64)]], BeforeValidator(_listed), Field(max_length=8)]


class AppendArguments(Arguments):
    """Of ``memory_append``."""

    label: str
    content: str


class ReplaceArguments(Arguments):
    """Of ``memory_replace``."""

    label: str
    old_content: str
    new_content: str


class SearchArguments(Arguments):
    """Of ``memory_search``."""

    query: str = Field(min_length=1)
    limit: int = Field(PAGE, ge=1, le=50)
    page: int = Field(1, ge=1)


class ConversationArguments(Arguments):
    """Of ``conversation_search``."""

    query: str
    since: Given = None
    until: Given = None
    role: Role = None
    in_session: Given = None
    limit: int = Field(PAGE, ge=1, le=50)
    page: int = Field(1, ge=1)


class Heartbeat(Arguments):
    """Of every call of ``memgpt``."""

    request_heartbeat: bool = False


class Message(Heartbeat):
    """Of ``send_message``."""

    message: str = Field(min_length=1)


class CoreAppend(AppendArguments, Heartbeat):
    """Of ``core_memory_append``."""


class CoreReplace(ReplaceArguments, Heartbeat):
    """Of ``core_memory_replace``."""


class Note(Heartbeat):
    """Of ``archival_memory_insert``."""

    content: str
    tags: Tags = ()


class NoteReplace(Heartbeat):
    """Of ``archival_memory_replace``."""

    old_content: str
    new_content: str


class NoteDelete(Heartbeat):
    """Of ``archival_memory_delete``."""

    content: str


class NoteSearch(Heartbeat):
    """Of ``archival_memory_search``."""

    query: str = Field(min_length=1)
    tags: Tags = ()
    page: int = Field(1, ge=1)


class SaidSearch(Heartbeat):
    """Of ``conversation_search`` in ``memgpt``."""

    query: str = Field(min_length=1)
    role: Role = None
    in_session: Given = None
    start_date: Given = None
    end_date: Given = None
    page: int = Field(1, ge=1)


class DatedSearch(Heartbeat):
    """Of ``conversation_search_date``."""

    start_date: str = Field(min_length=1)
    end_date: Given = None
    page: int = Field(1, ge=1)


class LayerAppend(Arguments):
    """Of ``memory_append`` in ``compact``."""

    layer: str
    content: str


class AnyReplace(Arguments):
    """Of ``memory_replace`` in ``compact``."""

    old_content: str
    new_content: str


class Delete(Arguments):
    """Of ``memory_delete``."""

    content: str


class TopSearch(Arguments):
    """Of ``memory_search`` in ``compact``."""

    query: str = Field(min_length=1)
    top_k: int = Field(PAGE, ge=1, le=50)
    page: int = Field(1, ge=1)


class LineInsert(Arguments):
    """Of ``memory_insert``."""

    label: str
    new_text: str
    line: int = Field(-1, ge=-1)


class TextReplace(Arguments):
    """Of ``memory_replace`` in ``blocks``."""

    label: str
    old_text: str
    new_text: str


class Rethink(Arguments):
    """Of ``memory_rethink``."""

    label: str
    new_memory: str


class Status(Arguments):
    """Of ``update_status``. What is not given stays as it is; an empty list removes."""

    known: Annotated[Sequence[str] | None, BeforeValidator(lambda value: value if value is None else _listed(value))] = None
    progress: Annotated[Sequence[str] | None, BeforeValidator(lambda value: value if value is None else _listed(value))] = None


class StatusThenMore(Status, Heartbeat):
    """The same in ``memgpt``."""
