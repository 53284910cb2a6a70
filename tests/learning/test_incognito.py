"""An incognito conversation sees what is remembered, and leaves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagefile.models.scripted import ScriptedModel
from pagefile.ports import ModelRequest
from pagefile.stores.incognito import IncognitoStore

from .minds import EVERY_STATUS, STORES, call, facts, messages, of_user, opened, records


def what_is_kept(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


@pytest.mark.parametrize("store", STORES)
async def test_it_leaves_nothing_whatever_happens_in_it(store: str, tmp_path: Path) -> None:
    replies = [
        [call("memory_append", label="human", content="Has a quokka.")],
        [call("memory_search", "call_b", query="quokka in Rome"), call("conversation_search", "call_c", query="quokka")],
        "I see. A quokka!",
        "You have a quokka, and live in Rome.",
    ]
    async with await opened(store, tmp_path, model=ScriptedModel(replies), learn="model") as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.", session="s")
        await alice.list()
        await alice.operations()
        before = (await records(alice, *EVERY_STATUS), await messages(alice), await alice.changes(), await alice.operations())
        jobs = [job for job in (await memory.jobs()).items if job.kind == "learn"]
        chat = alice.chat(session="s", incognito=True)
        await chat.turn("I moved to Oslo. I have a quokka, and I live in Rome no more.")
        assert await chat.turn("What do I have, in Rome?") == "You have a quokka, and live in Rome."
        after = (await records(alice, *EVERY_STATUS), await messages(alice), await alice.changes(), await alice.operations())
        assert after == before, "not even a use is counted"
        assert [job for job in (await memory.jobs()).items if job.kind == "learn"] == jobs
        assert await memory.occurrences(["quokka", "Oslo"]) == (0, 0)
    assert b"quokka" not in what_is_kept(tmp_path).lower()


async def test_it_sees_what_is_remembered_and_its_own_words(tmp_path: Path) -> None:
    seen: list[str] = []

    def answer(request: ModelRequest) -> str:
        seen.append(str(request.messages))
        return "ok"

    async with await opened("file", tmp_path, model=ScriptedModel([answer, answer])) as memory:
        alice = memory.scope("alice")
        await alice.remember("I live in Rome.")
        chat = alice.chat(session="s", incognito=True)
        await chat.turn("Where in Rome do I live? The word is quokka.")
        await chat.turn("What was the word?")
        assert "I live in Rome" in seen[0]
        assert "quokka" in seen[1]


async def test_two_of_one_name_do_not_hear_each_other_nor_the_real_session(tmp_path: Path) -> None:
    seen: list[str] = []

    def answer(request: ModelRequest) -> str:
        seen.append(str(request.messages))
        return "ok"

    async with await opened("file", tmp_path, model=ScriptedModel([answer] * 3)) as memory:
        alice = memory.scope("alice")
        await alice.chat(session="s").turn("wombat")
        await alice.chat(session="s", incognito=True).turn("quokka")
        await alice.chat(session="s", incognito=True).turn("numbat")
        assert ["wombat" in each or "quokka" in each for each in seen] == [True, True, False]
        assert [message.text for message in await messages(alice)] == ["wombat", "ok"]


async def test_it_finds_what_was_said_in_the_real_session_of_its_name(tmp_path: Path) -> None:
    seen: list[str] = []

    def answer(request: ModelRequest) -> str:
        seen.append(str(request.messages))
        return "ok"

    async with await opened("file", tmp_path, model=ScriptedModel([answer])) as memory:
        alice = memory.scope("alice")
        await alice.add("My quokka is called Zed.")
        await alice.chat(incognito=True).turn("how is my quokka called?")
        assert "Zed" in seen[0]


async def test_after_it_the_next_conversation_learns_as_before(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel(["ok", "ok"])) as memory:
        alice = memory.scope("alice")
        await alice.chat(session="s", incognito=True).turn("I live in Rome.")
        assert await facts(alice) == []
        await alice.chat(session="s").turn("I live in Oslo.")
        assert await facts(alice) == [of_user("residence", "Oslo")]


async def test_its_store_has_no_verb_that_writes_to_the_real_one(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        store = IncognitoStore(memory._parts.store)
        for verb in ("enqueue", "put_task", "drop_task", "put_vectors", "drop_vectors", "erase", "spend", "claim", "close"):
            with pytest.raises(AttributeError, match="leaves nothing"):
                getattr(store, verb)
