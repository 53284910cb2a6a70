"""Core memory that has grown too long: its longest blocks are written anew by a model, and nothing of the old ones is lost."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.compactor import COMPACT_TO, Compactor, compact_if_full, is_shorter, plan_compaction
from pagefile.errors import ModelUnavailable
from pagefile.language.tokens import count
from pagefile.models.scripted import Script
from pagefile.parts import LearnSettings, Parts
from pagefile.ports import Job
from pagefile.records import Add, Block, Edit, Scope
from pagefile.runner import Runner
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, FakeIds, SlowModel, make_cause

ALICE = Scope("default", "alice")
LINE = "Alice works as a baker in Hangzhou and gets up at 4 in the morning.\n"
SHORT = "Alice: baker in Hangzhou, gets up at 4 in the morning."


class Core:
    """The blocks of Alice, and what compacts them."""

    def __init__(self, *replies: Script, window: int = 32_000, echoes: bool = False, limit: int = 1_500) -> None:
        self.model = SlowModel(replies, context_window=window, echoes_memory=echoes)
        self.store, self.clock = MemoryStore(), FakeClock()
        self.parts = Parts(
            store=self.store,
            embedder=None,
            model=self.model,
            now=self.clock,
            new_id=FakeIds(),
            zone=ZoneInfo("UTC"),
            learning=LearnSettings(block_tokens=limit),
        )
        self.runner = Runner(self.parts, Compactor(self.parts))

    async def write(self, label: str, text: str, **fields: object) -> None:
        block = Block(label=label, text=text, token_limit=4_000, **fields)  # type: ignore[arg-type]  # fields of the test's own
        await self.store.apply(ALICE, [Add(item=block, cause=make_cause())])

    async def edit(self, label: str, text: str) -> None:
        await self.store.apply(ALICE, [Edit(target=label, fields={"text": text}, cause=make_cause())])

    async def check(self, agent: str | None = None) -> None:
        await compact_if_full(self.parts, ALICE, agent, await self.store.blocks(ALICE, agent))
        await self.runner.drain()

    async def texts(self, agent: str | None = None) -> dict[str, str]:
        return {block.label: block.text for block in await self.store.blocks(ALICE, agent)}

    async def jobs(self, state: str) -> Sequence[Job]:
        return (await self.store.jobs(scope=ALICE, state=state)).items


async def test_the_longest_block_is_written_anew_and_its_old_text_stays_in_the_history() -> None:
    core = Core(SHORT)
    long = LINE * 100
    await core.write("human", long)
    await core.write("persona", "Speaks plainly.")
    await core.check()
    assert await core.texts() == {"human": SHORT, "persona": "Speaks plainly."}
    last = (await core.store.history(ALICE, "block:human"))[-1]
    assert (last.change, last.before["text"], last.after["text"], last.cause.actor) == ("edit", long, SHORT, "model:scripted")
    assert "compacted from" in last.cause.reason


async def test_what_was_compacted_can_be_put_back() -> None:
    core = Core(SHORT)
    await core.write("human", LINE * 100)
    await core.check()
    last = (await core.store.history(ALICE, "block:human"))[-1]
    await core.edit("human", last.before["text"])
    assert (await core.texts())["human"] == LINE * 100


async def test_blocks_within_their_limit_are_left_alone() -> None:
    core = Core()
    await core.write("human", LINE * 20)
    await core.check()
    assert core.model.requests == []
    assert await core.jobs("queued") == ()


async def test_in_a_small_window_the_limit_is_what_it_can_show() -> None:
    core = Core(SHORT, window=4_000)
    await core.write("human", LINE * 40)
    await core.check()
    assert (await core.texts())["human"] == SHORT


async def test_a_block_that_may_not_be_changed_is_not_and_the_others_make_room() -> None:
    core = Core(SHORT)
    await core.write("policy", LINE * 60, read_only=True)
    await core.write("human", LINE * 60)
    await core.check()
    assert await core.texts() == {"policy": LINE * 60, "human": SHORT}


async def test_an_agents_own_block_is_written_where_it_stands() -> None:
    core = Core(SHORT)
    await core.write("human", LINE * 100, agent="cook")
    await core.check("cook")
    assert (await core.texts("cook"))["human"] == SHORT
    assert await core.texts() == {}


async def test_without_a_model_nothing_is_done_and_nothing_is_lost() -> None:
    core = Core(echoes=True)
    await core.write("human", LINE * 100)
    await core.check()
    assert await core.texts() == {"human": LINE * 100}
    assert await core.jobs("queued") == ()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Error: 500 Internal Server Error",
        "I'm sorry, I cannot do that.",
        LINE * 99,
        "Alice: baker in Hangzhou, gets up at 5.",
        "爱丽丝是杭州的面包师，早上四点起床。",
        ["Alice: baker", ModelUnavailable("cut")],
    ],
    ids=lambda reply: str(reply)[:20],
)
async def test_an_answer_that_cannot_stand_in_its_place_leaves_the_block_as_it_was(reply: Script) -> None:
    core = Core(reply, SHORT)
    await core.write("human", LINE * 100)
    await core.check()
    assert await core.texts() == {"human": LINE * 100}
    (job,) = await core.jobs("queued")
    assert job.error
    core.clock.advance(10)
    await core.runner.drain()
    assert await core.texts() == {"human": SHORT}


async def test_a_model_that_cannot_do_it_is_not_asked_again_until_the_block_changes() -> None:
    core = Core(*["Error: no"] * 20)
    await core.write("human", LINE * 100)
    for _ in range(6):
        await core.check()
        core.clock.advance(400)
    asked = len(core.model.requests)
    assert asked == Compactor.max_attempts
    await core.edit("human", LINE * 101)
    await core.check()
    assert len(core.model.requests) == asked + 1


async def test_a_block_that_is_changed_meanwhile_keeps_that_change() -> None:
    core = Core(SHORT)
    await core.write("human", LINE * 100)
    core.model.meanwhile = lambda: core.edit("human", LINE * 90 + "New.")
    await core.check()
    assert (await core.texts())["human"].endswith("New.")
    assert len(await core.jobs("queued")) == 1


async def test_the_question_is_in_the_language_of_the_block() -> None:
    core = Core("小兰是杭州的面包师。")
    await core.write("human", "小兰在杭州做面包师，每天很早起床去店里。\n" * 80)
    await core.check()
    assert "重写得更短" in str(core.model.requests[0].messages[0]["content"])
    assert (await core.texts())["human"] == "小兰是杭州的面包师。"


@given(
    sizes=st.lists(st.tuples(st.integers(0, 90), st.booleans()), max_size=6),
    limit=st.integers(50, 2_500),
    window=st.integers(2_000, 200_000),
)
def test_a_plan_asks_for_less_than_there_is_and_only_where_it_may(sizes: list[tuple[int, bool]], limit: int, window: int) -> None:
    blocks = [Block(label=f"b{place}", text=LINE * lines, read_only=closed) for place, (lines, closed) in enumerate(sizes)]
    plan = plan_compaction(blocks, limit=limit, window=window)
    total = sum(count(block.text) for block in blocks if block.text)
    assert not plan or total > min(limit, window * 0.15 - 20)
    for each in plan:
        assert not each.block.read_only
        assert each.tokens < count(each.block.text)
    closed_or_short = [block for block in blocks if block.read_only]
    if plan and not closed_or_short and limit > 1_000 and window > 20_000:
        after = total - sum(count(each.block.text) - each.tokens for each in plan)
        assert after <= max(COMPACT_TO * limit, 60 * len(blocks)) + 1


def test_what_is_shorter_must_be_so_by_a_good_part() -> None:
    block = Block(label="human", text=LINE * 10)
    assert is_shorter(SHORT, block)
    assert not is_shorter((LINE * 9).strip(), block)
