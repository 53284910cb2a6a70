"""A server between a client and a scripted endpoint, over real HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from pagefile.memory import AsyncMemory
from pagefile.messages import Message
from pagefile.models.openai import OpenAIModel
from pagefile.records import Record
from pagefile.testing.openai_server import OpenAIServer, Script
from tests.server.conftest import Running


@dataclass(frozen=True)
class Between:
    """A running server, and the endpoint it passes requests on to."""

    server: Running
    endpoint: OpenAIServer

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"{self.server.url}/v1"

    def chat(self, messages: Sequence[dict[str, Any]], *, headers: dict[str, str] | None = None, **fields: Any) -> httpx.Response:
        """One request, as any HTTP client makes it."""
        body = {"model": "test-model", "messages": list(messages), **fields}
        return httpx.post(f"{self.url}/chat/completions", json=body, headers=headers, timeout=30)

    def kept(self, user: str = "me", session: str | None = None) -> list[tuple[str, str]]:
        """What stands in the journal of a user: who said it, and the words."""
        return [(one.role, one.text) for one in self.messages(user, session)]

    def messages(self, user: str = "me", session: str | None = None) -> list[Message]:
        async def read(memory: AsyncMemory) -> list[Message]:
            return list((await memory.scope(user).messages(session, limit=1_000)).items)

        return self.server.call(read)

    def wait_for(self, wanted: Callable[[list[tuple[str, str]]], bool], user: str = "me") -> list[tuple[str, str]]:
        """The journal once it is as wanted: what is kept after a client has left is kept soon, but not at once."""
        until = time.monotonic() + 20
        while not wanted(kept := self.kept(user)) and time.monotonic() < until:
            time.sleep(0.02)
        return kept

    def sessions(self, user: str = "me") -> list[str]:
        async def read(memory: AsyncMemory) -> list[str]:
            return [one.session for one in (await memory.scope(user).sessions(limit=1_000)).items]

        return self.server.call(read)

    def learnt(self, user: str = "me") -> list[Record]:
        """What was learnt, once all background work is done."""

        async def read(memory: AsyncMemory) -> list[Record]:
            await memory.flush()
            return list((await memory.scope(user).list(limit=1_000)).items)

        return self.server.call(read)

    def tell(self, text: str, user: str = "me", session: str = "earlier") -> None:
        """Have the user say something in another conversation."""

        async def add(memory: AsyncMemory) -> None:
            await memory.scope(user).add(text, session=session)

        self.server.call(add)


@pytest.fixture
def between(running_server: Callable[..., Running]) -> Iterator[Callable[..., Between]]:
    """Starts a server in front of an endpoint that gives these replies in turn."""
    endpoints: list[OpenAIServer] = []

    def start(
        replies: Sequence[Script] = (), *, key: str | None = None, endpoint: dict[str, Any] | None = None, **settings: Any
    ) -> Between:
        made = OpenAIServer(replies, **(endpoint or {})).__enter__()
        endpoints.append(made)
        model = OpenAIModel("test-model", base_url=made.url, api_key=key)
        return Between(running_server(model=model, **settings), made)

    yield start
    for made in endpoints:
        made.__exit__(None, None, None)


@pytest.fixture
def alone(running_server: Callable[..., Running]) -> Iterator[Callable[..., Between]]:
    """Starts a server without an endpoint, or with a model of its own that stands for one."""
    with OpenAIServer() as unused:
        yield lambda **given: Between(running_server(**given), unused)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}
