"""A program that stops in the middle of a turn, until it is killed: ``dying.py PATH asked|said|called|answered``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import pagefile.holding
from pagefile import AsyncMemory
from pagefile.events import TextDelta, ToolCalled, Usage
from pagefile.messages import ToolCall
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

CALLS = tuple(ToolCall(id=f"c{n}", name="memory_append", arguments=f'{{"label": "human", "content": "事实 {n}"}}') for n in range(2))


async def stop() -> None:
    print("here", flush=True)
    await asyncio.sleep(600)


class Stopping:
    name = "stopping"
    context_window = 8_000
    supports_tools = True
    echoes_memory = False

    def __init__(self, where: str) -> None:
        self.where, self.rounds = where, 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.rounds += 1
        if self.where == "asked" or self.rounds > 1:
            await stop()
        yield TextDelta(text="我看看。")
        if self.where == "said":
            await stop()
        for call in CALLS:
            yield call
        yield ModelFinished(reason="tool_calls", usage=Usage())

    async def close(self) -> None:
        pass


async def talk(path: str, where: str) -> None:
    pagefile.holding.LEASE_SECONDS = 1.0
    async with await AsyncMemory.open(path, embedder="none", model=Stopping(where), learn="off") as memory:
        async for event in memory.scope("alice").chat(session="shared").stream("我的问题"):
            if where == "called" and isinstance(event, ToolCalled):
                await stop()


if __name__ == "__main__":
    asyncio.run(talk(sys.argv[1], sys.argv[2]))
