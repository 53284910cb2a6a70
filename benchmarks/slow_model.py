"""Models that are asked for facts and find none: what learning by a model costs beside the model itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator

from pagefile.events import TextDelta, Usage
from pagefile.language.tokens import count
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest


class SlowModel:
    """Takes its time for an answer, and remembers how long each prompt was."""

    name = "slow"
    context_window = 32_768
    supports_tools = False
    echoes_memory = False

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        #: Tokens of each prompt, by our own count.
        self.prompts: list[int] = []
        #: Set while it answers.
        self.answering = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        self.prompts.append(count(json.dumps(list(request.messages), ensure_ascii=False)))
        self.answering.set()
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.answering.clear()
        yield TextDelta(text='{"facts": []}')
        yield ModelFinished(reason="stop", usage=Usage(calls=1))

    async def close(self) -> None:
        """Nothing to close."""
