"""The tool sets, as data: which calls a model is offered, under which names, and what each of them does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, TypeAlias

from pydantic import Field

from pagefile.errors import ToolError
from pagefile.prompts import Wording, words
from pagefile.tools import archive, blocks, searches
from pagefile.tools.calls import Arguments, Caller, SystemCall

ToolsetName: TypeAlias = Literal["plain", "memgpt", "compact", "blocks"]

#: What a search shows on one page, unless the model says otherwise.
_PAGE = 5
#: The layers of ``compact`` beside the labels of blocks.
_CORE, _ARCHIVAL = "core", "archival"
#: The block that is meant by core memory as such.
_ABOUT_PERSON = "human"

# --- forms of arguments --------------------------------------------------------------------------------------------------


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
    limit: int = Field(_PAGE, ge=1, le=50)
    page: int = Field(1, ge=1)


class ConversationArguments(Arguments):
    """Of ``conversation_search``. A model that has no date gives none, null or an empty text."""

    query: str
    since: str | None = None
    until: str | None = None
    limit: int = Field(_PAGE, ge=1, le=50)
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


class PagedSearch(Heartbeat):
    """Of ``archival_memory_search`` and ``conversation_search``."""

    query: str = Field(min_length=1)
    page: int = Field(1, ge=1)


class DatedSearch(Heartbeat):
    """Of ``conversation_search_date``."""

    start_date: str
    end_date: str | None = None
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
    top_k: int = Field(_PAGE, ge=1, le=50)
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


# --- what is more than one deed ------------------------------------------------------------------------------------------


def _answers(section: str) -> Callable[[Any, Caller], Awaitable[str]]:
    """A call that does nothing but to say something to the model."""

    async def run(arguments: Arguments, caller: Caller) -> str:
        return words("tools", section, caller.wording)

    return run


async def _sent(arguments: Message, caller: Caller) -> str:
    if not arguments.message.strip():
        raise ToolError(words("tools", "no content", caller.wording))
    return words("tools", "sent", caller.wording)


async def _append_to_layer(arguments: LayerAppend, caller: Caller) -> str:
    layer = arguments.layer.strip()
    if layer == _ARCHIVAL:
        return await archive.insert(caller, arguments.content)
    known = await blocks.blocks_of(caller)
    label = _ABOUT_PERSON if layer == _CORE and not blocks.is_label(known, _CORE) else layer
    return await blocks.append(caller, label, arguments.content)


async def _replace_anywhere(arguments: AnyReplace, caller: Caller) -> str:
    """In the one place where the old text stands: a block, or a record."""
    old = blocks.searched_for(arguments.old_content, caller.wording)
    known = await blocks.blocks_of(caller)
    if any(old in block.text for block in known):
        block = blocks.require_once(old, known, caller)
        return await blocks.replace(caller, block.label, old, arguments.new_content)
    try:
        return await archive.replace_in(caller, old, arguments.new_content)
    except archive.Absent as nowhere:
        try:
            blocks.require_once(old, known, caller)
        except ToolError as error:
            # What comes nearest in both.
            raise ToolError(f"{error}\n{nowhere}") from nowhere
        raise


async def _delete(arguments: Delete, caller: Caller) -> str:
    content = blocks.searched_for(arguments.content, caller.wording)
    if any(content in block.text for block in await blocks.blocks_of(caller)):
        return await _replace_anywhere(AnyReplace(old_content=content, new_content=""), caller)
    return await archive.retire(caller, await archive.holding(caller, content))


# --- the sets ------------------------------------------------------------------------------------------------------------

_PLAIN = (
    SystemCall(name="memory_append", arguments=AppendArguments, run=lambda a, c: blocks.append(c, a.label, a.content)),
    SystemCall(
        name="memory_replace", arguments=ReplaceArguments, run=lambda a, c: blocks.replace(c, a.label, a.old_content, a.new_content)
    ),
    SystemCall(
        name="memory_search",
        arguments=SearchArguments,
        run=lambda a, c: searches.search(c, a.query, limit=a.limit, page=a.page),
        searches=True,
    ),
    SystemCall(
        name="conversation_search",
        arguments=ConversationArguments,
        run=lambda a, c: searches.conversation(c, a.query, since=a.since, until=a.until, limit=a.limit, page=a.page),
        searches=True,
    ),
)

_MEMGPT = (
    SystemCall(name="send_message", document="tools.memgpt", arguments=Message, run=_sent, says=True),
    SystemCall(
        name="core_memory_append", document="tools.memgpt", arguments=CoreAppend, run=lambda a, c: blocks.append(c, a.label, a.content)
    ),
    SystemCall(
        name="core_memory_replace",
        document="tools.memgpt",
        arguments=CoreReplace,
        run=lambda a, c: blocks.replace(c, a.label, a.old_content, a.new_content),
    ),
    SystemCall(name="archival_memory_insert", document="tools.memgpt", arguments=Note, run=lambda a, c: archive.insert(c, a.content)),
    SystemCall(
        name="archival_memory_search",
        document="tools.memgpt",
        arguments=PagedSearch,
        run=lambda a, c: searches.archive(c, a.query, limit=_PAGE, page=a.page),
        searches=True,
    ),
    SystemCall(
        name="conversation_search",
        document="tools.memgpt",
        arguments=PagedSearch,
        run=lambda a, c: searches.conversation(c, a.query, since=None, until=None, limit=_PAGE, page=a.page),
        searches=True,
    ),
    SystemCall(
        name="conversation_search_date",
        document="tools.memgpt",
        arguments=DatedSearch,
        run=lambda a, c: searches.conversation(c, "", since=a.start_date, until=a.end_date or a.start_date, limit=_PAGE, page=a.page),
        searches=True,
    ),
)

_COMPACT = (
    SystemCall(name="memory_append", document="tools.compact", arguments=LayerAppend, run=_append_to_layer),
    SystemCall(name="memory_replace", document="tools.compact", arguments=AnyReplace, run=_replace_anywhere),
    SystemCall(name="memory_delete", document="tools.compact", arguments=Delete, run=_delete),
    SystemCall(
        name="memory_search",
        document="tools.compact",
        arguments=TopSearch,
        run=lambda a, c: searches.archive(c, a.query, limit=a.top_k, page=a.page, with_messages=True),
        searches=True,
    ),
    SystemCall(name="continue_thinking", document="tools.compact", arguments=Arguments, run=_answers("go on")),
)

_BLOCKS = (
    SystemCall(
        name="memory_insert", document="tools.blocks", arguments=LineInsert, run=lambda a, c: blocks.insert(c, a.label, a.new_text, a.line)
    ),
    SystemCall(
        name="memory_replace",
        document="tools.blocks",
        arguments=TextReplace,
        run=lambda a, c: blocks.replace(c, a.label, a.old_text, a.new_text),
    ),
    SystemCall(
        name="memory_rethink", document="tools.blocks", arguments=Rethink, run=lambda a, c: blocks.rethink(c, a.label, a.new_memory)
    ),
    SystemCall(name="memory_finish_edits", document="tools.blocks", arguments=Arguments, run=_answers("finished"), ends=True),
)

TOOLSETS: Mapping[ToolsetName, tuple[SystemCall, ...]] = {"plain": _PLAIN, "memgpt": _MEMGPT, "compact": _COMPACT, "blocks": _BLOCKS}


def guide(toolset: ToolsetName, wording: Wording) -> str:
    """How the set is used, for the fixed part of a window."""
    return words("window", "instructions for tools", wording) if toolset == "plain" else words(f"tools.{toolset}", "guide", wording)
