"""Bodies that are too large, and how requests are counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from pagefile.memory import AsyncMemory
from pagefile.server.limits import Rate

from .conftest import client_of


def add_route(app: FastAPI) -> None:
    @app.post("/api/v1/size")
    async def size(body: dict[str, Any]) -> int:
        return len(body["text"])

    @app.post("/api/v1/raw")
    async def raw(request: Request) -> int:
        return len(await request.body())


@pytest.fixture
async def small(memory: AsyncMemory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(memory, max_body=1_000, change=add_route) as client:
        yield client


async def pieces(size: int) -> AsyncIterator[bytes]:
    yield b'{"text": "'
    for _ in range(size // 100):
        yield b"x" * 100
    yield b'"}'


async def test_a_body_within_the_limit_is_read(small: httpx.AsyncClient) -> None:
    assert (await small.post("/api/v1/size", json={"text": "x" * 900})).json() == 900
    chunked = await small.post("/api/v1/size", content=pieces(900), headers={"content-type": "application/json"})
    assert chunked.json() == 900


@pytest.mark.parametrize("path", ["/api/v1/size", "/api/v1/raw"])
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_larger_body_is_refused_whether_its_length_was_announced_or_not(small: httpx.AsyncClient, path: str, chunked: bool) -> None:
    content: Any = pieces(2_000) if chunked else b'{"text": "' + b"x" * 2_000 + b'"}'
    refused = await small.post(path, content=content, headers={"content-type": "application/json"})
    assert refused.status_code == 413
    assert refused.headers["content-type"] == "application/problem+json"
    assert "1,000 bytes" in refused.json()["detail"]
    assert "PAGEFILE_MAX_BODY" in refused.json()["detail"]


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "²"])
async def test_a_length_that_is_none_does_not_let_a_large_body_through(small: httpx.AsyncClient, length: str) -> None:
    headers = {"content-length": length.encode().decode("latin-1").encode("latin-1"), "content-type": b"application/json"}
    refused = await small.post("/api/v1/size", content=pieces(2_000), headers=headers)
    assert refused.status_code == 413


async def test_an_address_and_headers_that_are_too_large_are_refused(small: httpx.AsyncClient) -> None:
    assert (await small.get("/healthz", headers={"x-large": "x" * 30_000})).status_code == 200
    for refused in (
        await small.get("/healthz", headers={"x-large": "x" * 40_000}),
        await small.get("/healthz", headers=[("x-many", "x" * 100)] * 400),
        await small.get("/healthz", params={"q": "茶" * 5_000}),
    ):
        assert refused.status_code == 431
        assert refused.json()["type"] == "urn:pagefile:error:headers-too-large"


async def test_the_openai_interface_refuses_in_its_shape(memory: AsyncMemory) -> None:
    async with client_of(memory, max_body=10) as client:
        refused = await client.post("/v1/chat/completions", json={"model": "m", "messages": []})
        assert refused.status_code == 413
        assert refused.json()["error"]["code"] == "content_too_large"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_so_many_may_come_at_once_and_then_one_by_one() -> None:
    clock = Clock()
    rate = Rate(clock)
    assert [rate.take("a", 6) for _ in range(6)] == [0.0] * 6
    assert rate.take("a", 6) == pytest.approx(10.0)
    clock.now = 9.9
    assert rate.take("a", 6) > 0
    clock.now = 10.1
    assert rate.take("a", 6) == 0.0
    assert rate.take("a", 6) > 0
    clock.now = 1_000.0
    assert sum(rate.take("a", 6) == 0.0 for _ in range(10)) == 6


def test_names_are_counted_apart_and_who_is_refused_stays_so_when_many_others_come() -> None:
    rate = Rate(Clock())
    assert rate.take("guesser", 1) == 0.0
    for number in range(25_000):
        assert rate.take(f"other {number}", 2) == 0.0
    assert rate.take("guesser", 1) > 0


def test_nothing_a_minute_is_nothing() -> None:
    assert Rate(Clock()).take("a", 0) > 0
