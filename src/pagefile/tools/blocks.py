"""Core memory: blocks are changed to the byte, within their limit, or not at all."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from pagefile.blocks import by_call, require_room
from pagefile.erased import without_erased
from pagefile.errors import ConflictError, NotFound, ToolError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.prompts import Wording, words
from pagefile.records import Block, Cause, Edit
from pagefile.tools.calls import PREVIEW, Caller

#: A call that is changed under its hands by somebody else is tried again this often.
_ATTEMPTS = 3
_END = -1


async def append(caller: Caller, label: str, content: str) -> str:
    """Add a line to the end of a block; one that stands there already is not added again."""
    return await insert(caller, label, content, _END)


async def insert(caller: Caller, label: str, content: str, line: int) -> str:
    """Add a line after so many lines of a block; -1: at its end."""
    content = _written(content)
    if not content.strip():
        raise ToolError(words("tools", "no content", caller.wording))

    def inserted(block: Block) -> str:
        lines = block.text.splitlines()
        if content.strip() in (each.strip() for each in lines):
            return block.text
        if line == _END:
            return f"{block.text.rstrip(chr(10))}\n{content}" if block.text else content
        if not 0 <= line <= len(lines):
            raise ToolError(words("tools", "no line", caller.wording, label=block.label, line=line, lines=len(lines)))
        return "\n".join([*lines[:line], content, *lines[line:]])

    return await _rewrite(caller, label, inserted)


async def replace(caller: Caller, label: str, old: str, new: str) -> str:
    """Put new text in the place of old text that occurs once in a block."""
    old, new = searched_for(old, caller.wording), _written(new)

    def replaced(block: Block) -> str:
        require_once(old, [block], caller)
        return block.text.replace(old, new)

    return await _rewrite(caller, label, replaced)


async def rethink(caller: Caller, label: str, text: str) -> str:
    """Write a block anew."""
    text = _written(text).strip()
    return await _rewrite(caller, label, lambda block: text)


def searched_for(old: str, wording: Wording) -> str:
    """The text that is to be replaced. Raises ToolError if there is none: it would occur everywhere."""
    if not (old := clean(old)):
        raise ToolError(words("tools", "old empty", wording))
    return old


def require_once(old: str, blocks: list[Block], caller: Caller) -> Block:
    """The one of the blocks in which a text occurs, once in all. Raises ToolError: with what comes nearest to it, and the space left."""
    found = [(block, times) for block in blocks if (times := _occurrences(block.text, old))]
    if sum(times for _, times in found) == 1:
        return found[0][0]
    labels = ", ".join(block.label for block in blocks)
    if found:
        times = sum(times for _, times in found)
        raise ToolError(words("tools", "occurs often", caller.wording, times=times, label=labels))
    lines = [line for block in blocks for line in block.text.splitlines()]
    nearest = difflib.get_close_matches(old, lines, n=3, cutoff=0.5)
    whole = "\n".join(block.text for block in blocks if block.text) if len(blocks) == 1 else ""
    shown = "\n".join(nearest) or whole or words("window", "empty" if len(blocks) == 1 else "no output", caller.wording)
    left = sum(max(0, block.token_limit - (count(block.text) if block.text else 0)) for block in blocks)
    raise ToolError(words("tools", "occurs never", caller.wording, label=labels, left=left, candidates=shown))


async def blocks_of(caller: Caller) -> list[Block]:
    """The blocks that the model sees."""
    return list(await caller.parts.store.blocks(caller.scope, caller.agent))


def is_label(blocks: list[Block], label: str) -> bool:
    """Whether a block has this label."""
    return any(block.label == label for block in blocks)


def _written(text: str) -> str:
    return redact(clean(text)).text


async def _rewrite(caller: Caller, label: str, change: Callable[[Block], str]) -> str:
    for _ in range(_ATTEMPTS):
        block = await _block(label.strip(), caller)
        if block.read_only:
            raise ToolError(words("tools", "read only", caller.wording, label=block.label))
        text = change(block)
        if text == block.text:
            return words("tools", "unchanged", caller.wording, label=block.label)
        require_room(block, text, caller.wording)
        parts = caller.parts
        if await without_erased(parts, caller.scope, text, before=block.text) != text:
            # The application may write them all the same: it writes past the system calls.
            raise ToolError(words("tools", "erased", caller.wording))
        cause = Cause(actor=f"model:{parts.model.name}", reason=by_call(caller.call, caller.session), at=parts.now())
        edit = Edit(target=block.label, fields={"text": text}, cause=cause, expected_version=block.version, agent=block.agent)
        try:
            await parts.store.apply(caller.scope, [edit])
        except (ConflictError, NotFound):
            continue  # changed or removed in between: look again
        used = count(text) if text else 0
        shown = text or words("window", "empty", caller.wording)
        return words("tools", "saved", caller.wording, label=block.label, used=used, limit=block.token_limit, text=shown)
    raise ToolError(words("tools", "changed meanwhile", caller.wording, label=label))


async def _block(label: str, caller: Caller) -> Block:
    blocks = await blocks_of(caller)
    for block in blocks:
        if block.label == label:
            return block
    labels = ", ".join(f'"{block.label}"' for block in blocks) or "-"
    raise ToolError(words("tools", "no block", caller.wording, label=label[:PREVIEW], labels=labels))


def _occurrences(text: str, part: str) -> int:
    """How often a part occurs, overlapping occurrences included."""
    return sum(text.startswith(part, place) for place in range(len(text)))
