"""What a person had erased stays out of core memory, until it is said again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.records import Scope
from pagefile.tools import Caller, ToolResult

from .callers import ask, text_of

FACT = "I'm allergic to peanuts."
WRITTEN = [
    FACT,
    "- im allergic to PEANUTS",
    "Health: I'm allergic to peanuts. Likes jazz.",
    "I am allergic to peanuts and I like jazz",
]


async def memory_with(folder: Path, said: str) -> AsyncMemory:
    memory = await AsyncMemory.open(folder / "m.db", embedder="none", model=ScriptedModel(name="m"))
    alice = memory.scope("alice")
    await alice.add(said)
    await memory.flush()
    await alice.write_block("human", "Name: Alice")
    return memory


def caller_of(memory: AsyncMemory) -> Caller:
    return Caller(parts=memory._parts, scope=Scope("default", "alice"), session="now")


async def write(memory: AsyncMemory, text: str) -> ToolResult:
    return await ask(caller_of(memory), "memory_append", label="human", content=text)


@pytest.mark.parametrize("text", WRITTEN)
async def test_a_model_does_not_write_back_what_was_erased(text: str, tmp_path: Path) -> None:
    async with await memory_with(tmp_path, FACT) as memory:
        await memory.scope("alice").erase(session="default")
        refused = await write(memory, text)
        assert (refused.ok, await text_of(caller_of(memory))) == (False, "Name: Alice")
        assert "erased" in refused.text
        assert "peanuts" not in refused.text
        assert (await write(memory, "Likes jazz.")).ok


async def test_nor_in_other_characters(tmp_path: Path) -> None:
    async with await memory_with(tmp_path, "我对花生过敏。") as memory:
        await memory.scope("alice").erase(session="default")
        assert not (await write(memory, "我對花生過敏")).ok
        assert (await write(memory, "我喜欢爵士乐")).ok


async def test_the_application_may_write_it_and_what_stands_there_does_not_forbid_the_rest(tmp_path: Path) -> None:
    async with await memory_with(tmp_path, FACT) as memory:
        alice = memory.scope("alice")
        await alice.erase(session="default")
        await alice.write_block("human", FACT)
        assert (await write(memory, "Likes jazz.")).ok
        assert await text_of(caller_of(memory)) == f"{FACT}\nLikes jazz."


async def test_what_was_said_again_may_be_written_again(tmp_path: Path) -> None:
    async with await memory_with(tmp_path, FACT) as memory:
        await memory.scope("alice").erase(session="default")
        await memory.scope("alice").add(FACT, session="later")
        await memory.flush()
        assert (await write(memory, FACT)).ok


async def test_what_another_user_had_erased_may_be_written(tmp_path: Path) -> None:
    async with await memory_with(tmp_path, "I like tea.") as memory:
        bob = memory.scope("bob")
        await bob.add(FACT)
        await memory.flush()
        await bob.erase(session="default")
        assert (await write(memory, FACT)).ok
