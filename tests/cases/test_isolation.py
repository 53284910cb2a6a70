"""Nothing of one user, tenant or agent is seen or changed by another, on any route."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from pagefile.errors import NotFound
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.scoped import AsyncScopedMemory

from .homes import STORES, call, everything_seen, opened, shown

ALIKE = [
    ("john-doe", "john_doe"), ("john", "john%"), ("a", "%"), ("a", "_"), ("test_user", "test_user1"), ("Alice", "alice"),
    ("a/b", "a"), ("ﬁ", "fi"), ("a\u200bb", "ab"), ("jоhn", "john"), ("' OR ''='", "''"),
    ("小明", "小明1"), ("İ", "i̇"),
]  # fmt: skip


@pytest.fixture(params=STORES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    async with await opened(request.param, tmp_path) as memory:
        yield memory


async def fill(user: AsyncScopedMemory, secret: str) -> None:
    await user.add({"role": "user", "content": f"apple {secret}", "name": f"name-{secret}"}, session=f"session-{secret}")
    await user.remember(f"likes apple {secret}")
    await user.write_block("human", f"block {secret}")


@pytest.mark.parametrize(("one", "other"), ALIKE)
async def test_users_whose_names_look_alike_see_nothing_of_each_other(memory: AsyncMemory, one: str, other: str) -> None:
    await fill(memory.scope(one), "quokka")
    await fill(memory.scope(other), "wombat")
    assert "wombat" not in await everything_seen(memory.scope(one), "apple")
    assert "quokka" not in await everything_seen(memory.scope(other), "apple")
    await memory.scope(one).erase()
    assert "wombat" in await everything_seen(memory.scope(other), "apple")


@pytest.mark.parametrize(
    ("one", "other"),
    [(("acme", "u"), ("acme-corp", "u")), (("a:b", "c"), ("a", "b:c")), (("a/b", "c"), ("a", "b/c")), (("a", "b"), ("b", "a"))],
)
async def test_tenants_are_apart_also_when_their_names_run_together(
    memory: AsyncMemory, one: tuple[str, str], other: tuple[str, str]
) -> None:
    await fill(memory.scope(one[1], tenant=one[0]), "quokka")
    assert "quokka" not in await everything_seen(memory.scope(other[1], tenant=other[0]), "apple")


async def test_one_name_written_in_two_unicode_forms_is_one_user(memory: AsyncMemory) -> None:
    await memory.scope("Ame\u0301lie").add("apple quokka")
    assert "quokka" in await everything_seen(memory.scope(" Amélie "), "apple")


async def test_users_served_at_once_through_one_memory_stay_apart(memory: AsyncMemory) -> None:
    async def ask(number: int) -> str:
        user = memory.scope(f"user{number}")
        await user.add(f"my apple is number{number}x")
        await asyncio.sleep(0)
        return await everything_seen(user, "apple")

    for number, seen in enumerate(await asyncio.gather(*(ask(number) for number in range(20)))):
        assert f"number{number}x" in seen
        assert seen.count("my apple is number") == seen.count(f"my apple is number{number}x")


async def test_a_cursor_of_another_user_shows_nothing_of_that_user(memory: AsyncMemory) -> None:
    alice, bob = memory.scope("alice"), memory.scope("bob")
    await alice.add(["quokka one", "quokka two"], session="s")
    await bob.add("wombat", session="s")
    for list_page in (alice.messages, alice.sessions):
        cursor = (await list_page(limit=1)).cursor
        assert "quokka" not in repr((await bob.messages(after=cursor)).items)


@pytest.mark.parametrize("what", ["message", "record"])
@pytest.mark.parametrize(
    "verb",
    [
        lambda user, id: user.get(id), lambda user, id: user.history(id), lambda user, id: user.forget(id),
        lambda user, id: user.restore(id), lambda user, id: user.edit(id, text="x"), lambda user, id: user.erase(id=id),
    ],
)  # fmt: skip
async def test_an_id_of_another_user_is_as_unknown_as_one_that_never_was(
    memory: AsyncMemory, what: str, verb: Callable[[AsyncScopedMemory, str], Awaitable[object]]
) -> None:
    alice = memory.scope("alice")
    id = (await alice.add("apple")).messages[0].id if what == "message" else (await alice.remember("likes apple")).id
    with pytest.raises(NotFound):
        await verb(memory.scope("bob"), id)
    assert "apple" in repr(await alice.get(id))


async def test_blocks_of_another_agent_are_not_shown(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.write_block("notes", "quokka", agent="coach")
    await alice.write_block("notes", "wombat", agent="coach-2")
    assert [block.text for block in await alice.blocks("coach")] == ["quokka"]
    assert not await alice.blocks()
    assert "wombat" not in shown((await alice.context("hello", agent="coach")).messages)


@pytest.mark.parametrize("store", STORES)
async def test_a_model_cannot_reach_another_user_by_anything_it_writes_in_a_call(store: str, tmp_path: Path) -> None:
    calls = [
        call("memory_search", {"query": "apple quokka"}, "a"),
        call("memory_search", {"query": "apple", "user": "alice"}, "b"),
        call("conversation_search", {"query": "", "since": "2000-01-01", "until": "2100-01-01"}, "c"),
        call("memory_append", {"label": "human", "content": "wombat was here", "user": "alice"}, "d"),
        call("memory_replace", {"label": "human", "old_content": "block quokka", "new_content": "gone"}, "e"),
    ]
    model = ScriptedModel([calls, "done"])
    async with await opened(store, tmp_path, model=model) as memory:
        await fill(memory.scope("alice"), "quokka")
        assert await memory.scope("bob").chat(session="session-quokka").turn("what about the apple?") == "done"
        results = [message["content"] for message in model.requests[-1].messages if message["role"] == "tool"]
        assert len(results) == len(calls)
        assert "quokka" not in "".join(results).replace("block quokka", "")
        assert "wombat" not in await everything_seen(memory.scope("alice"), "apple")
