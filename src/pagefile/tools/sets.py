"""The tool sets, as data: which calls a model is offered, under which names, and what each of them does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from pagefile.errors import ToolError
from pagefile.prompts import Wording, words
from pagefile.tools import archive, blocks, forms, searches, working
from pagefile.tools.calls import Arguments, Caller, SystemCall
from pagefile.tools.forms import PAGE

ToolsetName: TypeAlias = Literal["plain", "memgpt", "compact", "blocks"]

#: The layers of ``compact`` beside the labels of blocks.
_CORE, _ARCHIVAL = "core", "archival"
#: The block that is meant by core memory as such.
_ABOUT_PERSON = "human"

# --- what is more than one deed ------------------------------------------------------------------------------------------


def _answers(section: str) -> Callable[[Any, Caller], Awaitable[str]]:
    """A call that does nothing but to say something to the model."""

    async def run(arguments: Arguments, caller: Caller) -> str:
        return words("tools", section, caller.wording)

    return run


async def _sent(arguments: forms.Message, caller: Caller) -> str:
    if not arguments.message.strip():
        raise ToolError(words("tools", "no content", caller.wording))
    return words("tools", "sent", caller.wording)


async def _append_to_layer(arguments: forms.LayerAppend, caller: Caller) -> str:
    layer = arguments.layer.strip()
    if layer == _ARCHIVAL:
        return await archive.insert(caller, arguments.content)
    known = await blocks.blocks_of(caller)
    label = _ABOUT_PERSON if layer == _CORE and not blocks.is_label(known, _CORE) else layer
    return await blocks.append(caller, label, arguments.content)


async def _replace_anywhere(arguments: forms.AnyReplace, caller: Caller) -> str:
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


async def _delete(arguments: forms.Delete, caller: Caller) -> str:
    content = blocks.searched_for(arguments.content, caller.wording)
    if any(content in block.text for block in await blocks.blocks_of(caller)):
        return await _replace_anywhere(forms.AnyReplace(old_content=content, new_content=""), caller)
    return await archive.remove(caller, content)


# --- the sets ------------------------------------------------------------------------------------------------------------

_PLAIN = (
    SystemCall(name="memory_append", arguments=forms.AppendArguments, run=lambda a, c: blocks.append(c, a.label, a.content)),
    SystemCall(
        name="memory_replace", arguments=forms.ReplaceArguments, run=lambda a, c: blocks.replace(c, a.label, a.old_content, a.new_content)
    ),
    SystemCall(
        name="memory_search",
        arguments=forms.SearchArguments,
        run=lambda a, c: searches.search(c, a.query, limit=a.limit, page=a.page),
        searches=True,
    ),
    SystemCall(
        name="conversation_search",
        arguments=forms.ConversationArguments,
        run=lambda a, c: searches.conversation(
            c, a.query, since=a.since, until=a.until, role=a.role, session=a.in_session, limit=a.limit, page=a.page
        ),
        searches=True,
    ),
)

_MEMGPT = (
    SystemCall(name="send_message", document="tools.memgpt", arguments=forms.Message, run=_sent, says=True),
    SystemCall(
        name="core_memory_append",
        document="tools.memgpt",
        arguments=forms.CoreAppend,
        run=lambda a, c: blocks.append(c, a.label, a.content),
    ),
    SystemCall(
        name="core_memory_replace",
        document="tools.memgpt",
        arguments=forms.CoreReplace,
        run=lambda a, c: blocks.replace(c, a.label, a.old_content, a.new_content),
    ),
    SystemCall(
        name="archival_memory_insert",
        document="tools.memgpt",
        arguments=forms.Note,
        run=lambda a, c: archive.insert(c, a.content, tags=a.tags),
    ),
    SystemCall(
        name="archival_memory_search",
        document="tools.memgpt",
        arguments=forms.NoteSearch,
        run=lambda a, c: searches.archive(c, a.query, tags=archive.kept_tags(a.tags), limit=PAGE, page=a.page),
        searches=True,
    ),
    SystemCall(
        name="archival_memory_replace",
        document="tools.memgpt",
        arguments=forms.NoteReplace,
        run=lambda a, c: archive.replace_in(c, blocks.searched_for(a.old_content, c.wording), a.new_content),
    ),
    SystemCall(
        name="archival_memory_delete",
        document="tools.memgpt",
        arguments=forms.NoteDelete,
        run=lambda a, c: archive.remove(c, blocks.searched_for(a.content, c.wording)),
    ),
    SystemCall(
        name="conversation_search",
        document="tools.memgpt",
        arguments=forms.SaidSearch,
        run=lambda a, c: searches.conversation(
            c, a.query, since=a.start_date, until=a.end_date, role=a.role, session=a.in_session, limit=PAGE, page=a.page
        ),
        searches=True,
    ),
    SystemCall(
        name="conversation_search_date",
        document="tools.memgpt",
        arguments=forms.DatedSearch,
        run=lambda a, c: searches.conversation(c, "", since=a.start_date, until=a.end_date or a.start_date, limit=PAGE, page=a.page),
        searches=True,
    ),
)

_COMPACT = (
    SystemCall(name="memory_append", document="tools.compact", arguments=forms.LayerAppend, run=_append_to_layer),
    SystemCall(name="memory_replace", document="tools.compact", arguments=forms.AnyReplace, run=_replace_anywhere),
    SystemCall(name="memory_delete", document="tools.compact", arguments=forms.Delete, run=_delete),
    SystemCall(
        name="memory_search",
        document="tools.compact",
        arguments=forms.TopSearch,
        run=lambda a, c: searches.archive(c, a.query, limit=a.top_k, page=a.page, with_messages=True),
        searches=True,
    ),
    SystemCall(name="continue_thinking", document="tools.compact", arguments=Arguments, run=_answers("go on")),
)

_BLOCKS = (
    SystemCall(
        name="memory_insert",
        document="tools.blocks",
        arguments=forms.LineInsert,
        run=lambda a, c: blocks.insert(c, a.label, a.new_text, a.line),
    ),
    SystemCall(
        name="memory_replace",
        document="tools.blocks",
        arguments=forms.TextReplace,
        run=lambda a, c: blocks.replace(c, a.label, a.old_text, a.new_text),
    ),
    SystemCall(
        name="memory_rethink", document="tools.blocks", arguments=forms.Rethink, run=lambda a, c: blocks.rethink(c, a.label, a.new_memory)
    ),
    SystemCall(name="memory_finish_edits", document="tools.blocks", arguments=Arguments, run=_answers("finished"), ends=True),
)

TOOLSETS: Mapping[ToolsetName, tuple[SystemCall, ...]] = {"plain": _PLAIN, "memgpt": _MEMGPT, "compact": _COMPACT, "blocks": _BLOCKS}

_UPDATE_STATUS = SystemCall(
    name="update_status",
    document="status",
    arguments=forms.Status,
    run=lambda a, c: working.update(c, known=a.known, progress=a.progress),
)
_UPDATE_STATUS_THEN_MORE = replace(_UPDATE_STATUS, arguments=forms.StatusThenMore)


def calls_of(toolset: ToolsetName, *, status: bool = False) -> tuple[SystemCall, ...]:
    """The calls of a set; with ``status`` also the one that keeps the status block."""
    if not status:
        return TOOLSETS[toolset]
    return (*TOOLSETS[toolset], _UPDATE_STATUS_THEN_MORE if toolset == "memgpt" else _UPDATE_STATUS)


def guide(toolset: ToolsetName, wording: Wording) -> str:
    """How the set is used, for the fixed part of a window."""
    return words("window", "instructions for tools", wording) if toolset == "plain" else words(f"tools.{toolset}", "guide", wording)
