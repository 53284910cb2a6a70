"""A model that says what it was told to say: for tests and examples, without a network."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import TypeAlias

import anyio.lowlevel

from pagefile.errors import InputError
from pagefile.events import TextDelta, Usage
from pagefile.language.tokens import count
from pagefile.messages import ToolCall
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

Step: TypeAlias = str | ToolCall | BaseException
#: A text, a tool call, an error to raise, or several of them in order (an error last: the stream is cut there).
Reply: TypeAlias = Step | Sequence[Step]
#: A reply, or what makes one from the request.
Script: TypeAlias = Reply | Callable[[ModelRequest], Reply]

_PIECE = re.compile(r"\S{1,6}\s*|\s+")


class ScriptedModel:
    """Gives ``replies`` in turn, in small pieces, and keeps every request in ``requests``.

    Raises InputError when the script has run out; that is no ModelError, so that no conductor takes it for a failing endpoint.
    """

    def __init__(
        self,
        replies: Sequence[Script] = (),
        *,
        name: str = "scripted",
        context_window: int = 8_192,
        supports_tools: bool = True,
        echoes_memory: bool = False,
    ) -> None:
        self.name = name
        self.context_window = context_window
        self.supports_tools = supports_tools
        self.echoes_memory = echoes_memory
        #: What is still to be said. More can be put on its end.
        self.replies = list(replies)
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """The next reply of the script, in pieces of a few characters. Usage is counted by our own tokens."""
        self.requests.append(request)
        if not self.replies:
            said = len(self.requests) - 1
            raise InputError(f"the script of ScriptedModel has only {said} replies and this is request {said + 1}; give it another reply")
        script = self.replies.pop(0)
        reply = script(request) if callable(script) else script
        output, called = 0, False
        for event in _events(reply):
            await anyio.lowlevel.checkpoint()  # a real model would be waited for here, so others may run and a cancel can come
            if isinstance(event, BaseException):
                raise event
            called = called or isinstance(event, ToolCall)
            output += count(event.text if isinstance(event, TextDelta) else event.name + event.arguments)
            yield event
        asked = count(json.dumps(list(request.messages), ensure_ascii=False, default=str))
        usage = Usage(calls=1, input_tokens=asked, output_tokens=output, estimated=True)
        yield ModelFinished(reason="tool_calls" if called else "stop", usage=usage)

    async def close(self) -> None:
        """Nothing to close."""


def _events(reply: Reply) -> Iterator[TextDelta | ToolCall | BaseException]:
    steps: Sequence[Step] = [reply] if isinstance(reply, str | ToolCall | BaseException) else reply
    for step in steps:
        if isinstance(step, str):
            yield from (TextDelta(text=piece) for piece in _PIECE.findall(step))
        else:
            yield step
