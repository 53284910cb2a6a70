"""A program that says some things in a session: ``talker.py PATH NAME TIMES``. Its model takes its time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

from pagefile import AsyncMemory
from pagefile.events import TextDelta, Usage
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest


class Slow:
    name = "slow"
    context_window = 8_000
    supports_tools = False
    echoes_memory = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        await asyncio.sleep(0.02)
        yield TextDelta(text=f"You said: {request.messages[-1]['content']}")
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        pass


async def talk(path: str, name: str, times: int) -> None:
    async with await AsyncMemory.open(path, embedder="none", model=Slow(), learn="off") as memory:
        chat = memory.scope("alice").chat(session="shared")
        for number in range(times):
            await chat.turn(f"{name} {number}")


if __name__ == "__main__":
    asyncio.run(talk(sys.argv[1], sys.argv[2], int(sys.argv[3])))
