"""Keeps core memory short: when the blocks are too long in all, a model writes the longest ones anew. Jobs of kind "compact".

The old text stays in the history, from where the change can be taken back. Without a model nothing is done, and nothing is lost: the window
shows in part what it has no room for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pagefile.context.budget import BLOCKS_SHARE
from pagefile.context.render import blocks_for_model, even_cap, wording_of
from pagefile.errors import ModelError
from pagefile.language.secrets import redact
from pagefile.language.tokens import count
from pagefile.lifecycle.shorter import answer_of, is_usable
from pagefile.parts import Parts
from pagefile.ports import Job, Model, ModelRequest, NewJob
from pagefile.prompts import words
from pagefile.records import Block, Cause, Edit, Scope
from pagefile.spending import Spending

COMPACT = "compact"
#: What is over its limit is brought to this share of it, so that it does not happen at every write.
COMPACT_TO = 0.7
#: A block of fewer tokens is left alone.
LEAST = 60
#: An answer must be shorter than this share of what it is to replace; a model tends to write somewhat more than it was asked for.
PROGRESS = 0.85
_REPLY_TOKENS = 1_500


@dataclass(frozen=True, slots=True)
class Compaction:
    """A block that is to be written anew, and how many tokens it may have then."""

    block: Block
    tokens: int


def plan_compaction(blocks: Sequence[Block], *, limit: int, window: int) -> tuple[Compaction, ...]:
    """Which blocks are to be written anew, and how short; none while all together are within ``limit`` tokens, and within what a window of
    this size shows. Pure.

    The longest ones are cut to an equal length. Those that are read-only, or short, stay as they are.
    """
    frame = count(blocks_for_model([replace(block, text="") for block in blocks], wording="en"))
    limit = min(limit, int(window * BLOCKS_SHARE) - frame)
    sizes = {block.label: count(block.text) for block in blocks if block.text}
    if sum(sizes.values()) <= limit:
        return ()
    open_ = [block for block in blocks if not block.read_only and sizes.get(block.label, 0) >= LEAST]
    room = int(COMPACT_TO * limit) - sum(size for label, size in sizes.items() if label not in {block.label for block in open_})
    cap = max(LEAST // 2, even_cap([sizes[block.label] for block in open_], max(0, room)))
    return tuple(Compaction(block, cap) for block in open_ if PROGRESS * sizes[block.label] > cap)


async def compact_if_full(parts: Parts, scope: Scope, agent: str | None, blocks: Sequence[Block]) -> None:
    """Ask for the blocks of a conversation to be compacted, if they have grown too long and there is a model that can do it."""
    if parts.model.echoes_memory or not (plan := _plan(parts, blocks)):
        return
    versions = {each.block.label: each.block.version for each in plan}
    job = NewJob(kind=COMPACT, payload={"agent": agent, "versions": versions}, once=f"agent {agent}" if agent else "shared")
    given_up = await parts.store.jobs(scope=scope, state="dead", limit=1_000)
    # A model that could not do it will not do it in the next turn either; when a block was changed it gets another try.
    if all((each.kind, each.payload) != (COMPACT, job.payload) for each in given_up.items):
        await parts.store.enqueue(scope, [job])


def _plan(parts: Parts, blocks: Sequence[Block]) -> tuple[Compaction, ...]:
    if parts.learning.block_tokens == 0:
        return ()
    return plan_compaction(blocks, limit=parts.learning.block_tokens, window=parts.model.context_window)


class Compactor:
    """Does the jobs: a call of the model for each block that is too long."""

    kinds: tuple[str, ...] = (COMPACT,)
    max_attempts = 3
    ahead = timedelta()
    at_once = 1

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._spending = Spending(parts)

    def portion(self, waiting: Sequence[Job]) -> int:
        return 1

    async def do(self, jobs: Sequence[Job], *, hurry: bool) -> None:
        for job in jobs:
            await self._compact(job.scope, job.payload.get("agent"))

    async def _compact(self, scope: Scope, agent: str | None) -> None:
        model = await self._spending.model(scope)
        if model is None:
            return
        for each in _plan(self._parts, await self._parts.store.blocks(scope, agent)):
            async with self._spending.one_call(scope) as spent:
                text, usage = await answer_of(model, _request(each, model))
                spent(usage)
            text = redact(text or "").text
            if not is_shorter(text, each.block):
                raise ModelError(f"what {model.name} wrote cannot stand in place of the block {each.block.label!r}, which stays as it is")
            reason = f"compacted from {count(each.block.text)} to {count(text)} tokens"
            cause = Cause(actor=f"model:{model.name}", reason=reason, at=self._parts.now())
            old = each.block
            # If it was changed meanwhile this fails, and is done again on what there is then.
            edit = Edit(target=old.label, agent=old.agent, fields={"text": text}, cause=cause, expected_version=old.version)
            await self._parts.store.apply(scope, [edit])


def is_shorter(text: str, block: Block) -> bool:
    """Whether an answer can stand in place of a block's text: a shorter form of it, within the block's limit."""
    size = count(text)
    return is_usable(text, block.text) and size <= block.token_limit and size <= PROGRESS * count(block.text)


def _request(compaction: Compaction, model: Model) -> ModelRequest:
    block = compaction.block
    wording = wording_of([block.text])
    # A token of ours is about three quarters of an English word, and about one Chinese character.
    most = compaction.tokens if wording == "zh" else compaction.tokens * 3 // 4
    asked = words("compact", "block", wording, label=block.label, description=block.description or block.label, text=block.text)
    messages = [{"role": "system", "content": words("compact", "instructions", wording, words=most)}, {"role": "user", "content": asked}]
    return ModelRequest(
        messages=messages, max_tokens=max(compaction.tokens, min(_REPLY_TOKENS, model.context_window // 4)), temperature=0.0
    )
