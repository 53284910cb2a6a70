"""Waiting for what was said to be learnt, and looking after one user's background work."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.memory import AsyncMemory
from pagefile.ports import NewJob
from pagefile.sync import Memory

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("said", "learnt"), [("I live in Berlin.", "Berlin"), ("我住在上海。", "上海")])
async def test_after_waiting_what_was_said_is_learnt(tmp_path: Path, said: str, learnt: str) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="hashing") as memory:
        alice = memory.scope("alice")
        await alice.add(said)
        assert await alice.flush(seconds=30) == 0
        assert [record.value for record in (await memory._parts.store.records(alice.scope)).items] == [learnt]
        assert sum((await alice.stats()).vectors.values()) == 2


async def test_what_another_program_said_is_waited_for_too(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as one:
        async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as other:
            await other.scope("alice").add("I live in Berlin.")
        assert await one.scope("alice").flush(seconds=30) == 0
        assert (await one.scope("alice").list()).total == 1


async def test_waiting_ends_in_time_and_tells_what_is_left(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
        alice = memory.scope("alice")
        await memory._parts.store.enqueue(alice.scope, [NewJob(kind="learn", payload={"no": "session"})])
        assert await alice.flush(seconds=0.2) == 1
        assert await memory.scope("bob").flush(seconds=0) == 0
        for seconds in (-1, float("inf"), float("nan"), True, "1"):
            with pytest.raises(InputError):
                await alice.flush(seconds=seconds)  # type: ignore[arg-type]


async def test_jobs_that_were_given_up_are_tried_again_by_their_user_alone(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", learn="off") as memory:
        alice, store = memory.scope("alice"), memory._parts.store
        (id,) = await store.enqueue(alice.scope, [NewJob(kind="learn")])
        await store.claim(["learn"], now=memory._parts.now(), lease_seconds=60)
        await store.fail(id, error="the disk was full", now=memory._parts.now(), retry_at=None)
        assert [(job.id, job.error) for job in (await alice.jobs(state="dead")).items] == [(id, "the disk was full")]
        assert (await memory.scope("bob").jobs()).total == 0
        assert await memory.scope("bob").revive([id]) == 0
        assert await alice.revive([id, "999"]) == 1
        assert (await alice.jobs(state="dead")).total == 0


async def test_a_block_is_written_only_over_the_version_that_was_read(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
        alice = memory.scope("alice")
        with pytest.raises(NotFound):
            await alice.block("human")
        made = await alice.write_block("human", "小雨", expected_version=0)
        with pytest.raises(ConflictError):
            await alice.write_block("human", "again", expected_version=0)
        await alice.write_block("human", "later", expected_version=made.version)
        with pytest.raises(ConflictError):
            await alice.write_block("human", "too late", expected_version=made.version)
        assert (await alice.block("human")).text == "later"


def test_one_session_and_all_checkpoints_are_read_without_await(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        alice = memory.scope("alice")
        alice.add(["a", "b"], session="周一")
        assert alice.session("周一").messages == 2
        with pytest.raises(NotFound):
            alice.session("other")
        alice.checkpoint("周一", "one", 1)
        alice.checkpoint("周一", "two", 2)
        assert [one.state for one in alice.checkpoints()] == [1, 2]
