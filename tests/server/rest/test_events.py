"""Changes as server-sent events: resumable, of one user alone, and whichever process made the change."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx
import pytest

import pagefile.server.events as events
from pagefile.memory import AsyncMemory
from tests.server.conftest import Running
from tests.server.rest.help import API, Rest

pytestmark = pytest.mark.anyio

PATIENCE = 20.0


@dataclass
class Heard:
    """What comes over one stream."""

    reply: httpx.Response
    comments: list[str] = field(default_factory=list)
    _lines: AsyncIterator[str] | None = None

    async def next(self) -> tuple[str, Any, str]:
        """The name, data and id of the next event."""
        self._lines = self._lines or self.reply.aiter_lines()
        fields: dict[str, str] = {}
        with anyio.fail_after(PATIENCE):
            async for line in self._lines:
                if line.startswith(":"):
                    self.comments.append(line)
                elif line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    return fields["event"], json.loads(fields["data"]), fields["id"]
        raise AssertionError("the stream ended")

    async def texts(self, number: int) -> list[str]:
        return [(await self.next())[1]["after"].get("text") for _ in range(number)]


@contextlib.asynccontextmanager
async def listening(server: Running, user: str, *, after: str | None = None, last: str | None = None) -> AsyncIterator[Heard]:
    headers = {"Last-Event-ID": last} if last is not None else {}
    params = {"user": user, **({"after": after} if after is not None else {})}
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client,
        client.stream("GET", f"{API}/events", params=params, headers=headers) as reply,
    ):
        assert reply.headers["content-type"].startswith("text/event-stream")
        yield Heard(reply)


@contextlib.asynccontextmanager
async def user_of(server: Running, user: str) -> AsyncIterator[Rest]:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        yield Rest(client, user)


async def test_changes_come_as_they_are_made_and_only_those_of_the_user(running_server: Callable[..., Running]) -> None:
    server = running_server()
    async with user_of(server, "alice") as alice, user_of(server, "bob") as bob:
        await alice.call("PUT", "/blocks/before", body={"text": "before"})
        async with listening(server, "alice") as heard:
            await bob.call("PUT", "/blocks/b", body={"text": "of bob"})
            await alice.call("PUT", "/blocks/human", body={"text": "我是小雨"})
            await bob.call("PUT", "/blocks/b", body={"text": "of bob again"})
            await alice.call("POST", "/records", expect=201, body={"text": "I play chess"})
            name, data, _ = await heard.next()
            assert (name, data["target"], data["after"]["text"]) == ("change", "block:human", "我是小雨")
            assert await heard.texts(1) == ["I play chess"]


async def test_a_listener_goes_on_where_it_stopped_and_misses_and_repeats_nothing(running_server: Callable[..., Running]) -> None:
    server = running_server()
    async with user_of(server, "alice") as alice:
        for number in range(3):
            await alice.call("PUT", "/blocks/human", body={"text": f"{number}"})
        async with listening(server, "alice", after="0") as heard:
            assert await heard.texts(2) == ["0", "1"]
            (_, data, last) = await heard.next()
            assert data["after"]["text"] == "2"
        for number in range(3, 250 + events._PAGE):
            server.call(lambda memory, number=number: memory.scope("alice").write_block("human", f"{number}"))
        async with listening(server, "alice", last=last) as heard:
            assert await heard.texts(247 + events._PAGE) == [f"{number}" for number in range(3, 250 + events._PAGE)]


async def test_a_change_by_another_process_on_the_same_file_is_heard(running_server: Callable[..., Running]) -> None:
    server = running_server()
    async with listening(server, "alice") as heard:
        async with await AsyncMemory.open(server.settings.path(), embedder="none") as other:
            await other.scope("alice").remember("I play chess")
        assert await heard.texts(1) == ["I play chess"]


async def test_an_erase_is_told_without_saying_of_what(running_server: Callable[..., Running]) -> None:
    server = running_server()
    async with user_of(server, "alice") as alice:
        made = await alice.call("POST", "/records", expect=201, body={"text": "The code word is marzipan"})
        await alice.call("POST", "/records", expect=201, body={"text": "I play chess"})
        async with listening(server, "alice", after="0") as heard:
            assert await heard.texts(2) == ["The code word is marzipan", "I play chess"]
            await alice.call("DELETE", f"/records/{made['id']}")
            name, data, last = await heard.next()
            assert (name, data) == ("erased", {})
            await alice.call("PUT", "/blocks/human", body={"text": "after"})
            assert await heard.texts(1) == ["after"]
        await alice.call("DELETE", "/scope", confirm="alice")
        await alice.call("PUT", "/blocks/human", body={"text": "anew"})
        async with listening(server, "alice", last=last) as heard:
            assert (await heard.next())[0] == "erased"
            await alice.call("PUT", "/blocks/human", body={"text": "later"})
            assert await heard.texts(1) == ["later"]
        async with listening(server, "alice", after="0") as heard:
            assert await heard.texts(2) == ["anew", "later"]


async def test_an_erase_is_told_even_if_more_was_changed_since_than_before(running_server: Callable[..., Running]) -> None:
    server = running_server()
    async with user_of(server, "alice") as alice:
        for number in range(3):
            await alice.call("PUT", "/blocks/human", body={"text": f"{number}"})
        async with listening(server, "alice", after="0") as heard:
            assert await heard.texts(2) == ["0", "1"]
            _, _, last = await heard.next()
        await alice.call("DELETE", "/scope", confirm="alice")
        for number in range(9):
            await alice.call("PUT", "/blocks/human", body={"text": f"新 {number}"})
        async with listening(server, "alice", last=last) as heard:
            assert (await heard.next())[0] == "erased"
            await alice.call("PUT", "/blocks/human", body={"text": "later"})
            assert await heard.texts(1) == ["later"]


async def test_signs_of_life_are_sent(running_server: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr(events, "POLL_SECONDS", 0.01)
    server = running_server()
    async with user_of(server, "alice") as alice, listening(server, "alice") as heard:
        await anyio.sleep(0.1)
        await alice.call("PUT", "/blocks/human", body={"text": "x"})
        await heard.next()
        assert ": alive" in heard.comments


async def test_a_stream_ends_by_itself_so_that_a_revoked_key_hears_nothing_more(
    running_server: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LONGEST_SECONDS", 0.3)
    monkeypatch.setattr(events, "POLL_SECONDS", 0.01)
    server = running_server()
    async with listening(server, "alice") as heard:
        with anyio.fail_after(PATIENCE), pytest.raises(AssertionError, match="the stream ended"):
            await heard.next()


async def test_a_position_that_is_none_is_refused(running_server: Callable[..., Running]) -> None:
    server = running_server()
    for position in ("x", "1-", "-1", "1-2-3", "٣", "9" * 30):
        reply = httpx.get(f"{server.url}{API}/events", params={"user": "alice", "after": position})
        assert reply.status_code == 400, position
        assert reply.headers["content-type"] == "application/problem+json"


async def test_a_key_listens_to_so_many_streams_at_once_and_to_others_when_they_have_ended(
    running_server: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST_STREAMS", 2)
    monkeypatch.setattr(events, "MOST_STREAMS_OF_KEY", 3)
    server = running_server()

    async def refused(user: str) -> httpx.Response:
        async with (
            httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client,
            client.stream("GET", f"{API}/events", params={"user": user}) as reply,
        ):
            return reply

    async with listening(server, "alice"), listening(server, "王小明"):
        async with listening(server, "alice"):
            for user in ("alice", "王小明", "carol"):
                reply = await refused(user)
                assert reply.status_code == 429
                assert int(reply.headers["retry-after"]) >= 1
        with anyio.fail_after(PATIENCE):
            while (await refused("alice")).status_code != 200:
                await anyio.sleep(0.02)
