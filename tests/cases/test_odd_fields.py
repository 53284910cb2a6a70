"""Values that are of the right kind but far away, or of the wrong kind altogether: refused in a sentence, or harmless for ever after."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.scoped import AsyncScopedMemory

from .homes import STORES, opened

LATEST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=timezone(-timedelta(hours=12)))
EARLIEST = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))


async def everything_works(user: AsyncScopedMemory) -> None:
    await user.remember("likes tea a lot")
    await user.list()
    await user.messages()
    await user.sessions()
    await user.search("tea yesterday 昨天", floor=0.0, explain=True)
    await user.context("tea?", session="another")
    await user.chat(session="another").turn("tea?")


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("time", [LATEST, EARLIEST, "9999-12-31T23:59:59.999999Z", "0001-01-01", 253402300799, -62135596800], ids=str)
async def test_a_time_at_the_edge_of_the_calendar_never_stands_in_the_way_of_anything_else(store: str, time: Any, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add({"role": "user", "content": "likes tea", "said_at": time})
        for field in ("valid_from", "valid_to", "expires_at"):
            with contextlib.suppress(InputError):
                await alice.remember(f"likes tea until {field}", **{field: time})
        for edge in ({"since": time}, {"until": time}):
            with contextlib.suppress(InputError):
                await alice.search("tea", **edge)
        await everything_works(alice)
        assert await memory.flush() == 0
        assert memory.trouble is None


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    "field", ["trust", "kind", "polarity", "privacy", "confidence", "importance", "subject", "valid_from", "expires_at"]
)
async def test_a_field_of_a_record_that_is_not_of_its_kind_never_stands_in_the_way_either(store: str, field: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        odd: tuple[Any, ...] = ("nonsense", b"bytes", float("nan"), -1.5, ["a", 1], {"a": 1})
        for value in odd:
            with contextlib.suppress(InputError):
                await alice.remember(f"likes tea, not {value!r}", **{field: value})
        await everything_works(alice)
        assert await memory.flush() == 0
        assert memory.trouble is None


@pytest.mark.parametrize("store", STORES)
async def test_forgetting_and_restoring_what_is_so_already_changes_nothing(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        for id in ((await alice.remember("likes tea")).id, (await alice.add("tea")).messages[0].id):
            for verb in (alice.forget, alice.forget, alice.restore, alice.restore):
                with contextlib.suppress(InputError):
                    await verb(id)
            assert "tea" in [hit.text for hit in await alice.search("tea", floor=0.0)] or await alice.get(id)
            changes = [entry.change for entry in await alice.history(id) if entry.change != "add"]
            assert changes == ["retire", "restore"]


@pytest.mark.parametrize("store", STORES)
async def test_the_name_of_an_agent_is_normalised_the_same_on_every_verb(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("notes", "quokka", agent=" cafe\u0301 ")
        assert [block.text for block in await alice.blocks("café")] == ["quokka"]
        assert "quokka" in str((await alice.context("hello", agent="café ")).messages)


WRONG: dict[str, Callable[[AsyncScopedMemory], Awaitable[Any]]] = {
    "tags are one word": lambda user: user.remember("coffee", tags="job"),
    "tags are a number": lambda user: user.search("tea", tags=5),  # type: ignore[arg-type]
    "time is a number": lambda user: user.search("tea", since=b"x"),  # type: ignore[arg-type]
    "trust is a word": lambda user: user.search("tea", min_trust="high"),  # type: ignore[arg-type]
    "statuses are none": lambda user: user.search("tea", statuses=None),  # type: ignore[arg-type]
    "budget is a word": lambda user: user.context("tea", budget="big"),  # type: ignore[arg-type]
    "budget is no number": lambda user: user.context("tea", budget=float("nan")),  # type: ignore[arg-type]
    "text is none": lambda user: user.write_block("notes", None),  # type: ignore[arg-type]
    "token limit is a word": lambda user: user.write_block("notes", "x", token_limit="big"),  # type: ignore[arg-type]
    "description is a number": lambda user: user.write_block("notes", "x", description=5),  # type: ignore[arg-type]
    "agent is a number": lambda user: user.write_block("notes", "x", agent=5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("what", WRONG)
async def test_an_argument_of_the_wrong_kind_is_refused_in_a_sentence(store: str, what: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("tea")
        with pytest.raises(InputError):
            await WRONG[what](alice)
