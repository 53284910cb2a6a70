"""A server that was just started makes ready what takes long the first time, and leaves no trace of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError
from pagefile.memory import AsyncMemory
from pagefile.ports import Vectors
from pagefile.retrieval.confidence import COHORT
from pagefile.server.health import Readiness
from pagefile.server.warming import warm_up
from pagefile.settings import Settings

from .conftest import client_of

SETTINGS = Settings(timezone="UTC", data=":memory:")


class Noting(HashingEmbedder):
    """Notes what it is asked for."""

    def __init__(self, sends_to: str | None = None, failure: Exception | None = None) -> None:
        super().__init__()
        self.sends_to = sends_to
        self.asked: list[str] = []
        self.threads: set[str] = set()
        self._failure = failure

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.asked += texts
        self.threads.add(threading.current_thread().name)
        if self._failure is not None:
            raise self._failure
        return await super().embed(texts, query=query)


async def test_the_embedder_is_asked_before_the_first_request_needs_it_and_nothing_is_kept() -> None:
    embedder = Noting()
    async with await AsyncMemory.open(":memory:", embedder=embedder, settings=SETTINGS) as memory:
        await warm_up(memory, SETTINGS)
        assert {*COHORT} <= {*embedder.asked}
        assert threading.current_thread().name not in embedder.threads
        assert any("妹妹" in text for text in embedder.asked)
        assert any("sister" in text for text in embedder.asked)
        stats = await memory.stats()
        assert (stats.messages, stats.records, stats.scopes) == (0, 0, 0)
        # What similarities are measured against is not embedded again.
        embedder.asked.clear()
        await memory.scope("alice").add("I live in Oslo.")
        await memory.scope("alice").search("where do I live?")
        assert not {*COHORT} & {*embedder.asked}


async def test_an_embedder_elsewhere_is_sent_nothing() -> None:
    embedder = Noting(sends_to="https://embed.example")
    async with await AsyncMemory.open(":memory:", embedder=embedder, settings=SETTINGS) as memory:
        await warm_up(memory, SETTINGS)
    assert embedder.asked == []


async def test_an_embedder_that_fails_does_not_keep_the_server_from_beginning() -> None:
    embedder = Noting(failure=EmbedderError("no weights"))
    async with await AsyncMemory.open(":memory:", embedder=embedder, settings=SETTINGS) as memory:
        await warm_up(memory, SETTINGS)
        assert embedder.asked


async def test_it_leaves_no_thread_behind_when_the_server_ends_meanwhile() -> None:
    began, go_on = threading.Event(), threading.Event()

    class Slow(Noting):
        async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
            began.set()
            go_on.wait(20)
            return await super().embed(texts, query=query)

    embedder = Slow()
    async with await AsyncMemory.open(":memory:", embedder=embedder, settings=SETTINGS) as memory:
        warming = asyncio.create_task(warm_up(memory, SETTINGS))
        assert await asyncio.to_thread(began.wait, 20)
        warming.cancel()
        await asyncio.sleep(0)
        assert not warming.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await warming
        # It stopped at the next step.
        assert not any("妹妹" in text for text in embedder.asked)


async def test_it_lives_and_answers_while_it_is_not_ready(memory: AsyncMemory) -> None:
    readiness: list[Readiness] = []
    async with client_of(memory, change=lambda app: readiness.append(app.state.readiness)) as client:
        readiness[0].warming = True
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()) == (503, {"status": "warming up"})
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/api/v1/stats")).status_code == 200
        readiness[0].warming = False
        assert (await client.get("/readyz")).status_code == 200
