"""A conversation saved into a document and loaded again: the same, once, and nothing of what was forgotten or erased."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.scoped import AsyncScopedMemory

SAID = [
    {"role": "user", "content": "I live in Beijing.", "said_at": "2026-05-24T10:00:00+08:00", "id": "m1", "name": "Anna"},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": '{"a": 1}'}}]},
    {"role": "tool", "content": "nothing there", "tool_call_id": "c1"},
    {"role": "assistant", "content": "好的。"},
    {"role": "user", "content": "我女儿叫小雨。", "said_at": "2026-05-25T20:30:00+08:00"},
]


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        yield memory


@pytest.fixture
async def there() -> AsyncIterator[AsyncScopedMemory]:
    """Alice on another machine."""
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        yield memory.scope("alice")


@pytest.fixture
async def here(memory: AsyncMemory) -> AsyncScopedMemory:
    alice = memory.scope("alice")
    await alice.add(SAID, session="trip")
    return alice


async def journal(alice: AsyncScopedMemory, session: str = "trip") -> list[tuple[Any, ...]]:
    page = await alice.messages(session, limit=1_000)
    return [
        (one.id, one.seq, one.role, one.text, one.said_at, one.external_id, one.speaker, one.tool_calls, one.tool_call_id)
        for one in page.items
    ]


async def known(alice: AsyncScopedMemory) -> dict[str, int]:
    await alice.flush()
    return {record.text: record.evidence_count for record in (await alice.list()).items}


async def test_it_is_the_same_conversation_on_another_machine(here: AsyncScopedMemory, there: AsyncScopedMemory, tmp_path: Path) -> None:
    file = tmp_path / "对话.json"
    saved = await here.save_session("trip", file)
    assert json.loads(file.read_text(encoding="utf-8")) == saved
    assert "我女儿叫小雨" in file.read_text(encoding="utf-8")
    loaded = await there.load_session(file)
    assert (loaded.session, loaded.stored, loaded.known) == ("trip", 5, 0)
    assert await journal(there) == await journal(here)
    assert await known(there) == await known(here) == {"I live in Beijing": 1, "我女儿叫小雨": 1}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
async def test_the_file_is_readable_by_its_owner_alone(here: AsyncScopedMemory, tmp_path: Path) -> None:
    await here.save_session("trip", tmp_path / "s.json")
    assert (tmp_path / "s.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


async def test_loading_twice_is_the_same_as_once(here: AsyncScopedMemory, there: AsyncScopedMemory) -> None:
    saved = await here.save_session("trip")
    for alice in (here, there, there):
        await alice.load_session(saved)
    before = await journal(here)
    assert (await here.load_session(saved)).known == 5
    assert await journal(here) == await journal(there) == before
    assert await known(here) == await known(there)
    assert set((await known(there)).values()) == {1}, "nothing is learnt twice"


async def test_a_conversation_that_went_on_is_caught_up_with_and_one_that_is_behind_is_left(
    here: AsyncScopedMemory, there: AsyncScopedMemory
) -> None:
    early = await here.save_session("trip")
    await there.load_session(early)
    await here.add("I have a dog called Rex.", session="trip")
    assert (await there.load_session(await here.save_session("trip"))).stored == 1
    assert await journal(there) == await journal(here)
    assert (await there.load_session(early)).stored == 0
    assert await journal(there) == await journal(here)


async def test_what_differs_is_refused_and_nothing_is_changed(here: AsyncScopedMemory, there: AsyncScopedMemory) -> None:
    saved = await here.save_session("trip")
    await there.load_session(saved)
    await there.add("I moved to Rome.", session="trip")
    await here.add("I moved to Oslo.", session="trip")
    before = await journal(there)
    with pytest.raises(ConflictError, match="another one here"):
        await there.load_session(await here.save_session("trip"))
    changed = json.loads(json.dumps(saved))
    changed["messages"][0]["content"] = "I live in Paris."
    with pytest.raises(ConflictError, match="message 1"):
        await there.load_session(changed)
    assert await journal(there) == before


async def test_a_message_is_in_one_session_of_a_user(here: AsyncScopedMemory, memory: AsyncMemory) -> None:
    saved = await here.save_session("trip")
    with pytest.raises(ConflictError, match="session 'trip' of this user"):
        await here.load_session(saved, session="copy")
    bob = memory.scope("bob")
    assert (await bob.load_session(saved, session="copy")).stored == 5
    assert len(await journal(bob, "copy")) == 5


async def test_what_was_forgotten_is_not_saved_and_what_was_erased_does_not_come_back(
    here: AsyncScopedMemory, there: AsyncScopedMemory
) -> None:
    saved = await here.save_session("trip")
    first = saved["messages"][0]["id"]
    await there.load_session(saved)
    await here.forget(first)
    assert first not in str(await here.save_session("trip"))
    await there.erase(first)
    loaded = await there.load_session(saved)
    assert (loaded.stored, loaded.known) == (0, 5)
    assert first not in str(await journal(there))
    await there.erase(session="trip")
    loaded = await there.load_session(saved)
    assert (loaded.stored, loaded.erased) == (0, 5)
    assert await known(there) == {}


async def test_the_window_and_the_running_summary_go_along() -> None:
    model = ScriptedModel(["Fine."] * 80, context_window=3_000)
    async with await AsyncMemory.open(":memory:", embedder="none", model=model, learn="off") as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add([f"Day {day}: plank {day} is in its place." for day in range(1, 31)], session="boat")
        parts = alice._parts
        await parts.store.set_window(alice.scope, "boat", window_start=11, summary="Ten planks are in their places.")
        await parts.store.set_window(alice.scope, "boat", window_start=21)
        # A number that is missing: of an erased message.
        await alice.erase((await alice.messages("boat")).items[4].id)
        await parts.store.set_window(alice.scope, "boat", window_start=21)
        info = (await alice.sessions()).items[0]
        loaded = await bob.load_session(await alice.save_session("boat"))
        copy = (await bob.sessions()).items[0]
    assert loaded.stored == 29
    assert (copy.window_start, copy.last_seq) == (20, 29), "the numbers of a copy have no gaps"
    assert info.window_start == 21


async def test_checkpoints_go_along_and_the_work_goes_on_there(here: AsyncScopedMemory, there: AsyncScopedMemory) -> None:
    await here.checkpoint("trip", "planner", {"day": 2})
    await here.checkpoint("elsewhere", "other")
    await here.add("One more thing.", session="trip")
    assert (await there.load_session(await here.save_session("trip"))).checkpoints == ("planner",)
    found = await there.resume("planner")
    assert found is not None
    assert (found.session, found.turn, found.state, found.messages_since) == ("trip", 2, {"day": 2}, 1)
    assert await there.resume("other") is None
    later = await there.checkpoint("trip", "planner", {"day": 3})
    await there.load_session(await here.save_session("trip"))
    assert (await there.resume("planner")) == later, "a newer one stays"


async def test_blocks_go_along_if_they_are_asked_for_and_overwrite_nothing(here: AsyncScopedMemory, there: AsyncScopedMemory) -> None:
    await here.write_block("human", "Anna, 34", token_limit=200)
    await here.write_block("persona", "Be brief.", read_only=True)
    assert (await here.save_session("trip"))["blocks"] == []
    await there.write_block("human", "somebody else")
    loaded = await there.load_session(await here.save_session("trip", blocks=True))
    assert (loaded.blocks, loaded.blocks_kept) == (("persona",), ("human",))
    blocks = {block.label: block for block in await there.blocks()}
    assert (blocks["human"].text, blocks["persona"].text, blocks["persona"].read_only) == ("somebody else", "Be brief.", True)


async def test_what_was_said_while_nothing_was_learnt_is_not_learnt_there_either(there: AsyncScopedMemory, tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", learn="off") as memory:
        await memory.scope("alice").add("I live in Beijing.", session="trip")
        await there.load_session(await memory.scope("alice").save_session("trip"))
    await there.search("Beijing")
    assert await known(there) == {}
    await there.add("I live in Lyon.", session="trip")
    await there.search("Lyon")
    assert list(await known(there)) == ["I live in Lyon"]


async def test_a_secret_that_somebody_wrote_into_the_file_is_not_stored(here: AsyncScopedMemory, there: AsyncScopedMemory) -> None:
    saved = json.loads(json.dumps(await here.save_session("trip")))
    saved["messages"][4]["content"] = "My password is hunter2secret."
    await there.load_session(saved)
    assert "hunter2secret" not in str(await journal(there))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "no saved session"),
        ({"version": 2}, "Upgrade"),
        ({"version": "1"}, "version"),
        ({"messages": {}}, "messages"),
        ({"messages": ["x"]}, "messages"),
        ({"messages": [{"id": "a", "role": "wizard", "content": "x"}]}, "message 1"),
        ({"messages": [{"role": "user", "content": "x"}]}, "message 1"),
        ({"messages": [{"id": "a", "role": "user", "content": "x"}] * 2}, "same id"),
        ({"session": ""}, "session"),
        ({"window_start": "x"}, "window_start"),
    ],
    ids=str,
)
async def test_what_is_no_saved_session_is_told_and_stores_nothing(
    here: AsyncScopedMemory, there: AsyncScopedMemory, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        await there.load_session({**await here.save_session("trip"), **change})
    assert (await there.sessions()).total == 0


async def test_files_that_cannot_be_read_or_written_are_told(here: AsyncScopedMemory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        await here.save_session("trip", tmp_path / "no folder" / "s.json")
    for content in (b"\xff\xfe", b"{", b"[]", None):
        file = tmp_path / "s.json"
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(InputError):
            await here.load_session(file)
    with pytest.raises(NotFound, match="no session"):
        await here.save_session("nothing")
