"""The status block: one call keeps what is known of the work at hand, and how far it has come."""

from __future__ import annotations

from collections.abc import Sequence

from pagefile.blocks import by_call
from pagefile.erased import without_erased
from pagefile.errors import ConflictError, NotFound, ToolError
from pagefile.language.tokens import count
from pagefile.prompts import words
from pagefile.records import Block
from pagefile.status import STATUS, update_status
from pagefile.tools.calls import Caller


async def update(caller: Caller, *, known: Sequence[str] | None, progress: Sequence[str] | None) -> str:
    """Replace what is known, the progress, or both, in the status that the model sees: its own, or the one that all share."""
    if known is None and progress is None:
        raise ToolError(words("tools", "no content", caller.wording))
    block = await _block(caller)
    if block is not None and block.read_only:
        raise ToolError(words("tools", "read only", caller.wording, label=STATUS))
    lines = "\n".join((*(known or ()), *(progress or ())))
    if await without_erased(caller.parts, caller.scope, lines, before=block.text if block else "") != lines:
        raise ToolError(words("tools", "erased", caller.wording))
    try:
        await update_status(
            caller.parts,
            caller.scope,
            known=known,
            progress=progress,
            agent=block.agent if block else None,
            actor=f"model:{caller.parts.model.name}",
            reason=by_call(caller.call, caller.session),
            wording=caller.wording,
        )
    except (ConflictError, NotFound) as error:
        raise ToolError(words("tools", "changed meanwhile", caller.wording, label=STATUS)) from error
    made = await _block(caller)
    text, limit = (made.text, made.token_limit) if made else ("", 0)
    used, shown = count(text) if text else 0, text or words("window", "empty", caller.wording)
    return words("tools", "saved", caller.wording, label=STATUS, used=used, limit=limit, text=shown)


async def _block(caller: Caller) -> Block | None:
    """The status block that the model sees."""
    blocks = await caller.parts.store.blocks(caller.scope, caller.agent)
    return next((block for block in blocks if block.label == STATUS), None)
