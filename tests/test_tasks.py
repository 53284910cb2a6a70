"""Task state and checkpoints: where something stands, which is no memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.fakes import START, FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def alice(clock: FakeClock) -> AsyncIterator[AsyncScopedMemory]:
    model = ScriptedModel(["Done."] * 20)
    async with await AsyncMemory.open(":memory:", embedder="none", model=model, now=clock) as memory:
        yield memory.scope("alice")


# --- tasks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, "订票", {"to": "Rome", "left": [1, 2]}, []], ids=str)
async def test_any_json_value_is_kept_under_its_key(alice: AsyncScopedMemory, value: Any) -> None:
    made = await alice.put_task("booking", value, step=2)
    assert made == await alice.task("booking")
    assert (made.value, made.step, made.updated_at) == (value, 2, START)
    assert await alice.drop_task("booking")
    assert not await alice.drop_task("booking")
    assert await alice.task("booking") is None


async def test_a_task_that_expired_is_gone(alice: AsyncScopedMemory, clock: FakeClock) -> None:
    await alice.put_task("short", 1, expires_at=START + timedelta(hours=1))
    await alice.put_task("long", 2)
    assert [task.key for task in await alice.tasks()] == ["long", "short"]
    clock.advance(hours=1)
    assert [task.key for task in await alice.tasks()] == ["long"]
    assert await alice.task("short") is None


async def test_what_no_store_can_keep_is_refused(alice: AsyncScopedMemory) -> None:
    for wrong in ({"value": {1, 2}}, {"value": 1, "step": -1}, {"value": 1, "expires_at": "soon"}):
        with pytest.raises(InputError):
            await alice.put_task("booking", **wrong)
    with pytest.raises(InputError, match="checkpoint"):
        await alice.put_task("checkpoint:booking", 1)
    assert await alice.tasks() == ()


async def test_a_task_is_never_found_learnt_or_recalled_and_holds_no_secret(alice: AsyncScopedMemory) -> None:
    await alice.put_task("notes", {"said": "I live in Beijing.", "password": "hunter2secret"})
    task = await alice.task("notes")
    assert task is not None
    assert "hunter2secret" not in str(task.value)
    assert not await alice.search("Where do I live?")
    assert (await alice.list(history=True)).total == 0


# --- checkpoints -------------------------------------------------------------------------------------------------------


async def test_a_program_goes_on_after_a_crash_where_it_was(tmp_path: Path) -> None:
    place = tmp_path / "m.db"
    async with await AsyncMemory.open(place, embedder="none", model=ScriptedModel(["ok"] * 9)) as memory:
        alice = memory.scope("alice")
        chat = alice.chat(session="trip")
        for turn in range(3):
            await chat.turn({"content": f"Plan day {turn}.", "id": f"turn-{turn}"})
            await alice.checkpoint("trip", "planner", {"day": turn})
        await chat.turn({"content": "Plan day 3.", "id": "turn-3"})  # and here it dies
    model = ScriptedModel(["go on"])
    async with await AsyncMemory.open(place, embedder="none", model=model) as memory:
        alice = memory.scope("alice")
        found = await alice.resume("planner")
        assert found is not None
        assert (found.session, found.turn, found.seq, found.state, found.messages_since) == ("trip", 3, 6, {"day": 2}, 2)
        # The turn that was answered before the crash is not paid for again.
        assert await alice.chat(session="trip").turn({"content": "Plan day 3.", "id": "turn-3"}) == "ok"
        assert not model.requests


async def test_a_later_checkpoint_takes_the_place_of_the_one_before(alice: AsyncScopedMemory) -> None:
    assert await alice.resume("k") is None
    first = await alice.checkpoint("nothing said", "k", 1)
    assert (first.turn, first.seq) == (0, 0)
    await alice.add("Hello.", session="s")
    await alice.checkpoint("s", "k", 2)
    found = await alice.resume("k")
    assert found is not None
    assert (found.session, found.state, found.turn) == ("s", 2, 1)
    assert await alice.tasks() == (), "a checkpoint is none of the application's tasks"


async def test_progress_never_becomes_a_record(alice: AsyncScopedMemory) -> None:
    await alice.chat(session="s").turn("Let us begin.")
    await alice.checkpoint("s", "k", {"note": "I live in Beijing.", "progress": "I have a dog called Rex."})
    await alice.put_task("t", "My name is Anna.")
    await alice.update_status(progress=["I work at Tencent."])
    assert (await alice.list(history=True, statuses=("pending", "current"))).total == 0
    assert not await alice.search("Where do I live, and what is my dog called?")
    assert (await alice.consolidate()).summaries == ()


async def test_a_checkpoint_goes_with_its_session(alice: AsyncScopedMemory) -> None:
    await alice.add("My plan is secret.", session="s")
    await alice.add("Other.", session="other")
    await alice.checkpoint("s", "gone", "My plan is secret.")
    await alice.checkpoint("other", "kept")
    await alice.erase(session="s")
    assert await alice.resume("gone") is None
    assert await alice.resume("kept") is not None
