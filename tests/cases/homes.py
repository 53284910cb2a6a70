"""Memories on both stores, and what tests in this folder ask of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.memory import AsyncMemory
from pagefile.messages import ToolCall
from pagefile.ports import Embedder, Model
from pagefile.scoped import AsyncScopedMemory
from pagefile.settings import Settings

#: Where a memory can be kept.
STORES = ("file", "memory")


async def opened(
    store: str,
    folder: Path,
    *,
    embedder: Embedder | str | None = None,
    model: Model | None = None,
    zone: str = "Asia/Shanghai",
    **more: Any,
) -> AsyncMemory:
    """A memory on one of the stores, in Shanghai unless another zone is given."""
    location = folder / "m.db" if store == "file" else ":memory:"
    settings = Settings(timezone=zone)
    return await AsyncMemory.open(location, embedder=embedder or HashingEmbedder(), model=model, settings=settings, **more)


async def everything_seen(user: AsyncScopedMemory, query: str) -> str:
    """What every way of reading shows of a user's memory, as one text."""
    found = await user.search(query, limit=1_000, floor=0.0)
    window = await user.context(f"And {query}?", session="somewhere else")
    return repr([
        [(hit.id, hit.text, hit.session, hit.speaker) for hit in found], (await user.list()).items, (await user.messages()).items,
        (await user.sessions()).items, await user.blocks(), [message["content"] for message in window.messages],
    ])  # fmt: skip


def call(name: str, arguments: Mapping[str, object] | str, id: str = "call_a") -> ToolCall:
    """A call as a model makes it; ``arguments`` as text are passed on unread."""
    return ToolCall(id=id, name=name, arguments=arguments if isinstance(arguments, str) else json.dumps(arguments))


def shown(messages: Sequence[Mapping[str, Any]]) -> str:
    """The contents of a request as one text."""
    return "\n".join(str(message["content"]) for message in messages)
