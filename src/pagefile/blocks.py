"""Core memory: writes the blocks that a model always sees, within their limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pagefile.errors import BlockFull, ConflictError, InputError, NotFound
from pagefile.intake import name_to_keep
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.parts import Parts
from pagefile.prompts import Wording, words
from pagefile.records import Add, Block, Cause, Edit, Scope

_KINDS: tuple[tuple[str, type, str], ...] = (
    ("text", str, "text"),
    ("description", str, "text"),
    ("token_limit", int, "a whole number of at least 1"),
    ("read_only", bool, "True or False"),
)
#: A block that somebody else changes at the same time is written again this often.
_ATTEMPTS = 3
_IN_SESSION = " in session "


def require_room(block: Block, text: str, wording: Wording = "en") -> None:
    """Raise BlockFull if ``text`` is over the block's token limit; the message tells the present text and the space left."""
    tokens = count(text)
    if tokens <= block.token_limit:
        return
    used = count(block.text) if block.text else 0
    raise BlockFull(
        words(
            "tools",
            "block full",
            wording,
            label=block.label,
            tokens=tokens,
            limit=block.token_limit,
            used=used,
            left=max(0, block.token_limit - used),
            text=block.text,
        )
    )


async def find_block(parts: Parts, scope: Scope, label: str, agent: str | None) -> Block | None:
    """The shared block of a label, or an agent's own: not the one in whose place it stands."""
    blocks = await parts.store.blocks(scope, agent)
    return next((block for block in blocks if (block.label, block.agent) == (label, agent)), None)


async def write_block(
    parts: Parts,
    scope: Scope,
    label: str,
    fields: Mapping[str, Any],
    *,
    agent: str | None,
    actor: str,
    reason: str,
    expected_version: int | None = None,
) -> Block:
    """Write fields of a block, making it if it is not there. What is not given stays as it is.

    ``expected_version``: that of the block as it was read; 0: there was none. Raises BlockFull, InputError, ConflictError if it differs.
    """
    label = name_to_keep(label, "label")
    agent = None if agent is None else name_to_keep(agent, "agent")
    for name, kind, what in _KINDS:
        value = fields.get(name)
        usable = isinstance(value, kind) and (kind is not int or (type(value) is int and value >= 1))
        if value is not None and not usable:
            raise InputError(f"the {name} of a block must be {what}, not {value!r:.40}")
    kept = {name: redact(clean(value)).text if isinstance(value, str) else value for name, value in fields.items() if value is not None}
    return await rewrite(parts, scope, label, lambda _: kept, agent=agent, actor=actor, reason=reason, expected_version=expected_version)


async def rewrite(
    parts: Parts,
    scope: Scope,
    label: str,
    change: Callable[[Block], Mapping[str, Any]],
    *,
    agent: str | None,
    actor: str,
    reason: str,
    wording: Wording = "en",
    expected_version: int | None = None,
) -> Block:
    """Write the fields that ``change`` makes of a block as it is now. Raises BlockFull; ConflictError if others keep changing it, or it is
    not of the ``expected_version`` (0: not there). ``wording``: language of the error that tells the text of a full block."""
    for left in reversed(range(_ATTEMPTS)):
        old = await find_block(parts, scope, label, agent)
        if expected_version not in (None, old.version if old else 0):
            raise ConflictError(f"the block {label!r} was changed since it was read; read it again")
        block = old or Block(label=label, agent=agent)
        fields = change(block)
        wanted = replace(block, **fields)
        require_room(replace(wanted, text=block.text), wanted.text, wording)
        cause = Cause(actor=actor, reason=reason, at=parts.now())
        edit = Edit(target=label, agent=agent, fields=fields, cause=cause, expected_version=block.version)
        try:
            await parts.store.apply(scope, [edit if old else Add(item=wanted, cause=cause)])
            break
        except (ConflictError, NotFound):
            if not left:
                raise
    return await find_block(parts, scope, label, agent) or wanted


def by_call(call: str, session: str) -> str:
    """The reason of a change that a model made by a call."""
    return f"{call}{_IN_SESSION}{session}"


def was_by_call(cause: Cause, session: str) -> bool:
    """Whether a model made a change by a call in this session."""
    return cause.actor.startswith("model:") and cause.reason.partition(_IN_SESSION)[2] == session
