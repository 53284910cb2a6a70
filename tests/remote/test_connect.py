"""``pagefile.connect``: the memory of a real server, used without await; and what is said when there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import pagefile
from pagefile.errors import AccessError, InputError, NotAllowed, NotAuthenticated, NotFound, SettingsError, StoreUnavailable
from pagefile.events import TextDelta, TurnFinished
from pagefile.models.scripted import ScriptedModel
from pagefile.remote import AsyncRemoteMemory
from tests.server.conftest import Running
from tests.server.conftest import running_server as running_server


@pytest.mark.parametrize(("said", "query"), [("I can't eat spicy food.", "spicy food"), ("我不能吃辣。", "吃辣")])
def test_it_is_used_like_a_memory_that_is_here(running_server: Callable[..., Running], said: str, query: str, tmp_path: Path) -> None:
    server = running_server(model=ScriptedModel(["Noted. " * 50]))
    with pagefile.connect(server.url) as memory:
        alice = memory.scope("alice")
        assert alice.add(said, session="s").stored == 1
        assert alice.flush() == 0
        assert said.rstrip(".。") in alice.search(query)[0].text
        events = list(alice.chat(session="s").stream("hello"))
        assert isinstance(events[-1], TurnFinished)
        assert len([event for event in events if isinstance(event, TextDelta)]) > 10
        assert len(list(alice.export())) == 2 + 3 + alice.list().total + len(alice.blocks())
        assert memory.location == server.url
        assert memory.scopes().total == 1


def test_leaving_a_turn_early_stops_it_and_the_memory_goes_on(running_server: Callable[..., Running]) -> None:
    server = running_server(model=ScriptedModel(["word " * 5_000, "next"]))
    with pagefile.connect(server.url) as memory:
        chat = memory.scope("alice").chat(session="s")
        stream = chat.stream("hello")
        next(event for event in stream if isinstance(event, TextDelta))
        stream.close()
        assert chat.turn("and now?") == "next"


def test_a_key_says_who_one_is_and_what_one_may(running_server: Callable[..., Running]) -> None:
    server = running_server()
    reader, alice = server.key(user="alice", rights=("read",)), server.key(user="alice")
    with pagefile.connect(server.url, alice) as memory:
        memory.scope("alice").add("I like tea")
        with pytest.raises(NotFound):
            memory.scope("bob").messages()
    with pagefile.connect(server.url, reader) as memory:
        assert memory.scope("alice").messages().total == 1
        with pytest.raises(NotAllowed):
            memory.scope("alice").add("x")
    with pagefile.connect(server.url) as memory, pytest.raises(NotAuthenticated):
        memory.scope("alice").messages()
    assert issubclass(NotAllowed, AccessError)


def test_where_no_server_is_one_is_told_the_address_and_what_to_do() -> None:
    with (
        pagefile.connect("http://127.0.0.1:9", seconds=2) as memory,
        pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1:9.*pagefile serve"),
    ):
        memory.scope("alice").messages()


@pytest.mark.parametrize("url", ["", "127.0.0.1:8642", "ftp://host", "http://", None])
def test_what_is_no_address_is_refused(url: Any) -> None:
    with pytest.raises(SettingsError):
        pagefile.connect(url)
    with pytest.raises(SettingsError):
        pagefile.connect("http://127.0.0.1:8642", "pf_…")


@pytest.mark.anyio
async def test_a_request_that_was_cut_off_is_sent_again_and_done_once() -> None:
    seen: list[str] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["Idempotency-Key"])
        if len(seen) == 1:
            raise httpx.ReadError("cut off")
        return httpx.Response(200, json={"revived": 1})

    async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642", transport=httpx.MockTransport(answer)) as memory:
        assert await memory.scope("alice").revive(["1"]) == 1
    assert len(seen) == 2
    assert len(set(seen)) == 1


@pytest.mark.anyio
async def test_a_change_whose_answer_was_lost_is_not_made_again_and_one_that_did_not_arrive_is() -> None:
    seen: list[str] = []
    trouble: list[Exception] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.method)
        if trouble:
            raise trouble.pop()
        return httpx.Response(404, json={"detail": "there is none", "type": "urn:pagefile:error:not-found"})

    async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642", transport=httpx.MockTransport(answer)) as memory:
        alice = memory.scope("alice")
        for change, method in ((lambda: alice.edit("1", text="x"), "PATCH"), (lambda: alice.drop_task("k"), "DELETE")):
            trouble.append(httpx.ReadError("cut off"))
            with pytest.raises(StoreUnavailable):
                await change()
            trouble.append(httpx.ConnectError("nobody there"))
            with pytest.raises(NotFound):
                await change()
            assert seen == [method] * 3
            seen.clear()


@pytest.mark.anyio
async def test_what_only_reads_is_sent_without_a_key_and_sent_again() -> None:
    seen: list[httpx.Request] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) == 1:
            raise httpx.ReadError("cut off")
        return httpx.Response(200, json={"hits": []})

    async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642", transport=httpx.MockTransport(answer)) as memory:
        assert len(await memory.scope("alice").search("tea")) == 0
    assert [(request.method, "idempotency-key" in request.headers) for request in seen] == [("POST", False)] * 2


@pytest.mark.anyio
async def test_an_answer_of_something_else_is_no_memory() -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(502, text="<html>bad gateway</html>"))
    async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642", transport=transport) as memory:
        with pytest.raises(StoreUnavailable, match="no Pagefile server"):
            await memory.scope("alice").messages()


@pytest.mark.anyio
async def test_what_a_server_does_not_offer_says_what_to_do_instead() -> None:
    async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642") as memory:
        alice = memory.scope("alice")
        calls: list[Callable[[], Any]] = [
            memory.flush, memory.reindex, memory.jobs, memory.stats, memory.costs, memory.keys, memory.lag,
            lambda: memory.occurrences(["x"]), lambda: memory.revive(["1"]), lambda: memory.create_key("x"),
            lambda: memory.find_key("x"), lambda: memory.revoke_key("x"), lambda: alice.kept_reply("x"),
        ]  # fmt: skip
        for call in calls:
            with pytest.raises(InputError, match="server"):
                await call()
        for make in (
            lambda: memory.scope("alice", actor="mcp"),
            lambda: alice.chat(rules="x.md"),
            lambda: alice.chat(settings=pagefile.ChatSettings(max_rounds=3)),
            lambda: alice.exchange([]),
        ):
            with pytest.raises(InputError, match="server"):
                make()
