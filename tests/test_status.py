"""The status block: where the work stands, in view of every turn and never a record."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from pagefile.errors import BlockFull, InputError
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.scoped import AsyncScopedMemory
from pagefile.status import WorkStatus, status_of, text_of


@pytest.fixture
async def alice() -> AsyncIterator[AsyncScopedMemory]:
    async with await AsyncMemory.open(":memory:", embedder="none", model=ScriptedModel(["Good."] * 5)) as memory:
        yield memory.scope("alice")


async def test_each_part_is_replaced_alone(alice: AsyncScopedMemory) -> None:
    assert await alice.status() == WorkStatus()
    await alice.update_status(known=["The hotel is booked.", "Two travellers"], progress="step 2 of 5")
    done = await alice.update_status(progress=["step 3 of 5"])
    assert done == await alice.status() == WorkStatus(known=("The hotel is booked.", "Two travellers"), progress=("step 3 of 5",))
    assert await alice.update_status(known=[]) == WorkStatus(progress=("step 3 of 5",))


@pytest.mark.parametrize(
    ("known", "heading"), [(["酒店订好了"], "已知："), (["The hotel is booked."], "Known:")], ids=["zh", "en"]
)  # fmt: skip
async def test_the_block_is_written_in_the_language_of_its_lines(alice: AsyncScopedMemory, known: list[str], heading: str) -> None:
    await alice.update_status(known=known)
    (block,) = [block for block in await alice.blocks() if block.label == "status"]
    assert block.text.splitlines() == [heading, f"- {known[0]}"]
    assert block.description


async def test_the_model_sees_it_in_every_turn(alice: AsyncScopedMemory) -> None:
    await alice.update_status(progress=["waits for the visa"])
    window = await alice.context("And now?")
    assert "- waits for the visa" in str(window.messages[0]["content"])


async def test_an_agent_has_a_status_of_its_own(alice: AsyncScopedMemory) -> None:
    await alice.update_status(known=["shared"])
    await alice.update_status(known=["of the cook"], agent="cook")
    assert (await alice.status()).known == ("shared",)
    assert (await alice.status(agent="cook")).known == ("of the cook",)


async def test_it_becomes_no_record_and_every_version_is_kept(alice: AsyncScopedMemory) -> None:
    await alice.update_status(known=["I live in Beijing."], progress=["I moved to Rome."])
    await alice.update_status(progress=["done"])
    assert (await alice.list(history=True)).total == 0
    assert [entry.change for entry in await alice.history("block:status")] == ["add", "edit"]


async def test_secrets_are_taken_out_and_a_line_stays_one_line(alice: AsyncScopedMemory) -> None:
    done = await alice.update_status(known=["- my password is hunter2secret", "two\nlines", "", "Known:", "two lines"])
    assert "hunter2secret" not in str(done)
    assert done.known[1:] == ("two lines",)


async def test_what_is_too_long_or_no_list_changes_nothing(alice: AsyncScopedMemory) -> None:
    await alice.update_status(known=["kept"])
    with pytest.raises(BlockFull):
        await alice.update_status(progress=[f"word {number} and more of it" for number in range(200)])
    for wrong in ({"a": 1}, 3, [1], b"x"):
        with pytest.raises(InputError, match="list of lines"):
            await alice.update_status(known=wrong)  # type: ignore[arg-type]  # what is tested
    assert await alice.status() == WorkStatus(known=("kept",))


def test_what_a_model_or_a_person_wrote_by_hand_is_read_too() -> None:
    assert status_of("a loose line\n进展：\n* 第一步\n\nKnown:\n• x") == WorkStatus(known=("a loose line", "x"), progress=("第一步",))
    assert status_of(text_of(WorkStatus(known=("a", "b"), progress=("c",)))) == WorkStatus(known=("a", "b"), progress=("c",))
