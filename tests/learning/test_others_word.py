"""Changes that somebody else makes for a user: who it was stands in the history, and his word is not the user's."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from pagefile.errors import ConflictError
from pagefile.memory import AsyncMemory
from pagefile.records import Trust
from pagefile.settings import Settings


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(":memory:", embedder="none", settings=Settings(timezone="UTC")) as opened:
        yield opened


async def test_who_changes_something_stands_in_the_history(memory: AsyncMemory) -> None:
    agent = memory.scope("alice", actor="agent")
    record = await agent.remember("The demo is on Friday.")
    await agent.edit(record.id, tags=["work"])
    await agent.forget(record.id)
    await agent.restore(record.id)
    new = (await agent.correct("The demo is on Monday.", id=record.id)).record
    made = [*await agent.history(record.id), *await agent.history(new.id)]
    assert len(made) >= 5
    assert {entry.cause.actor for entry in made} == {"agent"}


async def test_another_ones_correction_waits_and_replaces_only_what_is_trusted_no_more(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    noted = await alice.remember("The demo is on Friday.", trust=Trust.ASSISTANT_SAID)
    done = await alice.correct("The demo is on Monday.", id=noted.id, trust=Trust.ASSISTANT_SAID)
    assert (done.record.status, done.record.trust, done.superseded) == ("pending", Trust.ASSISTANT_SAID, (noted.id,))
    assert (await alice.get(noted.id)).status == "superseded"  # type: ignore[union-attr]  # a record


@pytest.mark.parametrize("how", ["said", "confirmed", "pinned"])
async def test_what_a_person_said_is_not_corrected_by_others(memory: AsyncMemory, how: str) -> None:
    alice = memory.scope("alice")
    trust = Trust.USER_SAID if how == "said" else Trust.ASSISTANT_SAID
    own = await alice.remember("我住在成都。", trust=trust, pinned=how == "pinned")
    if how == "confirmed":
        await alice.confirm(own.id)
    with pytest.raises(ConflictError, match="the person's own word"):
        await alice.correct("我住在拉萨。", id=own.id, trust=Trust.ASSISTANT_SAID)
    assert (await alice.list(statuses=("current", "pending"))).total == 1
