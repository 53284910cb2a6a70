"""The versions of core memory: each change of a block can be taken back, and what a session taught it. Retraction is its front."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from pagefile.blocks import find_block, require_room, was_by_call
from pagefile.erased import without_erased
from pagefile.errors import ConflictError, Erased, NotFound
from pagefile.parts import Parts
from pagefile.records import Block, Cause, Edit, HistoryEntry, Scope
from pagefile.stores.changes import block_named, block_target

#: A block that somebody else changes at the same time is looked at again this often.
_ATTEMPTS = 3


async def undo_block(parts: Parts, scope: Scope, entry: HistoryEntry, *, cause: Cause) -> tuple[HistoryEntry, ...]:
    """Give a block what it had before one change, to the byte; nothing if it has that. The change is a new version, like any other.

    Raises ConflictError if it was changed again since, BlockFull if there is no room for it any more, Erased if that would bring back what
    was erased.
    """
    label, agent = _named(entry)
    for left in reversed(range(_ATTEMPTS)):
        block = await _block(parts, scope, label, agent)
        fields = _before(entry, block)
        if not fields:
            return ()
        try:
            return await _write(parts, scope, block, fields, cause)
        except ConflictError as error:
            if not left or isinstance(error, Erased):
                raise
    return ()


async def revert_blocks(
    parts: Parts, scope: Scope, session: str, agents: Collection[str | None], *, cause: Cause
) -> tuple[HistoryEntry, ...]:
    """Take out of the blocks what a model wrote into them by its calls in one session: the lines it added go, and those it replaced come
    back where its own still stand. What others wrote since stays.

    ``agents``: whose blocks are looked at. Raises BlockFull, ConflictError if others keep changing a block.
    """
    made: list[HistoryEntry] = []
    blocks = {block_target(each.label, each.agent): each for agent in (None, *agents) for each in await parts.store.blocks(scope, agent)}
    for target, first in blocks.items():
        for left in reversed(range(_ATTEMPTS)):
            block = await _block(parts, scope, first.label, first.agent)
            history = await parts.store.history(scope, target)
            text = _without(block.text, [entry for entry in history if was_by_call(entry.cause, session)])
            text = await without_erased(parts, scope, text, before=block.text)
            if text == block.text:
                break
            try:
                made += await _write(parts, scope, block, {"text": text}, cause)
                break
            except ConflictError:
                if not left:
                    raise
    return tuple(made)


def _named(entry: HistoryEntry) -> tuple[str, str | None]:
    named = block_named(entry.target)
    assert named is not None, "only changes of blocks come here"
    return named


async def _block(parts: Parts, scope: Scope, label: str, agent: str | None) -> Block:
    block = await find_block(parts, scope, label, agent)
    if block is None:
        raise NotFound(f"there is no block {label!r} here any more; write it anew with write_block")
    return block


async def _write(parts: Parts, scope: Scope, block: Block, fields: Mapping[str, Any], cause: Cause) -> tuple[HistoryEntry, ...]:
    wanted = replace(block, **fields)
    require_room(replace(wanted, text=block.text), wanted.text)
    if await without_erased(parts, scope, wanted.text, before=block.text) != wanted.text:
        raise Erased(
            f"the earlier text of the block {block.label!r} says what was erased, so it is not brought back; "
            "write what you want of it with write_block"
        )
    edit = Edit(target=block.label, agent=block.agent, fields=fields, cause=cause, expected_version=block.version)
    return await parts.store.apply(scope, [edit])


def _before(entry: HistoryEntry, block: Block) -> dict[str, Any]:
    """The fields to write, so that a block is as it was before a change; none: it is so. What was added is emptied: the block itself
    stays, as every conversation has some."""
    if entry.change == "add":
        fields, became = {"text": ""}, {"text": entry.after.get("text", "")}
    else:
        became = {name: value for name, value in entry.after.items() if name != "version"}
        fields = {name: entry.before[name] for name in became}
    if all(getattr(block, name) == value for name, value in fields.items()):
        return {}
    for name, value in became.items():
        if getattr(block, name) != value:
            raise ConflictError(f"the {name} of the block {block.label!r} was changed again since; take back the later change first")
    return fields


def _without(text: str, entries: Sequence[HistoryEntry]) -> str:
    """A block's text without what these changes made of it, the latest taken back first."""
    for entry in reversed(entries):
        before, after = entry.before.get("text", ""), entry.after.get("text")
        if after is not None:
            text = before if text == after else _merged(text, before, after)
    return text


def _merged(text: str, before: str, after: str) -> str:
    """What was changed between two versions taken back in a later one, as far as the lines that were written then still stand there."""
    now, old, new = text.split("\n"), before.split("\n"), after.split("\n")
    for kind, first, last, start, end in reversed(SequenceMatcher(None, old, new, autojunk=False).get_opcodes()):
        wrote = new[start:end]
        if kind == "equal" or not wrote:
            continue  # what was only removed has no place in the later version that is known
        places = [place for place in range(len(now) - len(wrote) + 1) if now[place : place + len(wrote)] == wrote]
        if len(places) == 1:
            # An empty text has no lines, though it is split into one.
            now[places[0] : places[0] + len(wrote)] = old[first:last] if before else []
    return "\n".join(now)
