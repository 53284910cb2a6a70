"""Each change of a block can be taken back, to the byte; a session takes what a model wrote in it along when it is reverted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.block_versions import revert_blocks
from pagefile.compactor import Compactor
from pagefile.errors import BlockFull, ConflictError, Erased, NotFound
from pagefile.messages import ToolCall
from pagefile.models.scripted import Script, ScriptedModel
from pagefile.parts import LearnSettings
from pagefile.records import HistoryEntry, Scope
from pagefile.scoped import AsyncScopedMemory
from pagefile.tools import Caller, execute
from pagefile.tools.sets import TOOLSETS

from .minds import STORES, opened

ODD = "  Mei, 34\t(née Chen)\n\n- 对花生过敏；住在杭州。\r\n- 😀 e\u0301 \u2028 end  "
TEXTS = [ODD, "住在杭州。\n养了一只猫。", "", "Lives in Bonn.\nHas a cat.\n"]


async def versions(user: AsyncScopedMemory, target: str = "block:human") -> tuple[HistoryEntry, ...]:
    return await user.history(target)


async def text_of(user: AsyncScopedMemory, label: str = "human", agent: str | None = None) -> str:
    return next(block.text for block in await user.blocks(agent) if block.label == label)


# --- one change ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("text", TEXTS)
async def test_the_earlier_text_comes_back_to_the_byte_as_a_new_version(text: str, store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", text)
        kept = await text_of(alice)
        await alice.write_block("human", "something else 另一个")
        *_, last = await versions(alice)
        (made,) = await alice.undo(last.id, reason="a mistake")
        assert await text_of(alice) == kept
        assert (made.change, made.target, made.cause.actor, made.cause.reason) == ("edit", "block:human", "user:alice", "a mistake")
        (block,) = await alice.blocks()
        assert block.version == 3
        assert [entry.after.get("text", "") for entry in await versions(alice)] == [kept, "something else 另一个", kept]


@pytest.mark.parametrize("store", STORES)
async def test_all_changes_taken_back_in_reverse_order_lead_to_where_it_began(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "one", description="who it is", token_limit=300)
        await alice.write_block("human", "two 二", token_limit=200)
        await alice.write_block("human", "two 二", read_only=True)
        await alice.write_block("human", "three 三", description="一个人")
        first, *later = await versions(alice)
        for entry in reversed(later):
            await alice.undo(entry.id)
        (block,) = await alice.blocks()
        assert (block.text, block.description, block.token_limit, block.read_only) == ("one", "who it is", 300, False)
        await alice.undo(first.id)
        (block,) = await alice.blocks()
        assert (block.text, block.description) == ("", "who it is")


@pytest.mark.parametrize("store", STORES)
async def test_an_undo_can_be_undone_and_twice_is_the_same_as_once(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "住在成都。")
        await alice.write_block("human", "住在拉萨。")
        *_, last = await versions(alice)
        (back,) = await alice.undo(last.id)
        assert await alice.undo(last.id) == ()
        assert await text_of(alice) == "住在成都。"
        await alice.undo(back.id)
        assert await text_of(alice) == "住在拉萨。"


@pytest.mark.parametrize("store", STORES)
async def test_what_was_changed_again_since_is_a_conflict_and_stays(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        for text in ("Bonn", "Lyon", "Lyon 里昂"):
            await alice.write_block("human", text)
        _, middle, _ = await versions(alice)
        with pytest.raises(ConflictError, match="the text of the block 'human' was changed again since"):
            await alice.undo(middle.id)
        assert await text_of(alice) == "Lyon 里昂"
        await alice.write_block("human", "Lyon 里昂", description="of the person")
        # Another field than the one that was changed since.
        await alice.undo((await versions(alice))[2].id)
        (block,) = await alice.blocks()
        assert (block.text, block.description) == ("Lyon", "of the person")


@pytest.mark.parametrize("store", STORES)
async def test_an_agents_own_block_comes_back_where_it_stands(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("a/b%2F", "shared")
        for text in ("own", "own, later"):
            await alice.write_block("a/b%2F", text, agent="厨师/x")
        last = (await alice.changes(limit=1)).items[0]
        await alice.undo(last.id)
        assert await text_of(alice, "a/b%2F", "厨师/x") == "own"
        assert await text_of(alice, "a/b%2F") == "shared"


async def test_a_text_that_has_no_room_any_more_is_refused(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "word " * 50)
        await alice.write_block("human", "short")
        await alice.write_block("human", "short", token_limit=20)
        with pytest.raises(BlockFull):
            await alice.undo((await versions(alice))[1].id)
        assert await text_of(alice) == "short"


@pytest.mark.parametrize("text", ["I'm allergic to peanuts.", "我对花生过敏。"])
async def test_what_was_erased_does_not_come_back_with_an_older_version(text: str, tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(text)
        await memory.flush()
        await alice.write_block("human", f"Alice\n{text}")
        await alice.write_block("human", "Alice")
        await alice.erase(session="default")
        with pytest.raises(Erased, match="erased"):
            await alice.undo((await versions(alice))[-1].id)
        assert await text_of(alice) == "Alice"


async def test_nobody_takes_back_the_change_of_another_ones_block(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.write_block("human", "mine")
        (entry,) = await versions(alice)
        with pytest.raises(NotFound):
            await bob.undo(entry.id)
        assert await text_of(alice) == "mine"


# --- what a model wrote ----------------------------------------------------------------------------------------------------


async def call(user: AsyncScopedMemory, session: str, name: str, **arguments: object) -> None:
    """A call of a model in a session."""
    parts = user._parts
    caller = Caller(parts=parts, scope=user.scope, session=session)
    made = ToolCall(id="c", name=name, arguments=json.dumps(arguments))
    result = await execute(made, caller, TOOLSETS["plain"])
    assert result.ok, result.text


@pytest.mark.parametrize("store", STORES)
async def test_a_compaction_keeps_the_old_version_and_it_can_be_brought_back(store: str, tmp_path: Path) -> None:
    long = "Alice works as a baker in Hangzhou and gets up at 4 in the morning.\n" * 40
    short: Script = "Alice: baker in Hangzhou, gets up at 4 in the morning."
    model = ScriptedModel([short], context_window=32_000)
    async with await opened(store, tmp_path, model=model, settings={"learn": "off"}) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", long, token_limit=4_000)
        parts = replace(alice._parts, learning=LearnSettings(by="model", block_tokens=300))
        await Compactor(parts)._compact(Scope("default", "alice"), None)
        assert await text_of(alice) == short
        *_, last = await versions(alice)
        assert last.cause.reason.startswith("compacted")
        await alice.undo(last.id)
        assert await text_of(alice) == long


@pytest.mark.parametrize("store", STORES)
async def test_with_a_session_goes_what_a_model_wrote_into_the_blocks_in_it(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path, model=ScriptedModel(name="m")) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "Lives in Bonn.\nHas a cat.")
        await alice.add("Hello.", session="bad")
        await alice.add("Hello.", session="good")
        await call(alice, "bad", "memory_append", label="human", content="Owes us 5,000 euros.")
        await call(alice, "good", "memory_append", label="human", content="喜欢爵士乐。")
        await call(alice, "bad", "memory_replace", label="human", old_content="Bonn", new_content="Lyon")
        await call(alice, "bad in session good", "memory_append", label="human", content="Of a session with an odd name.")
        entries = await alice.revert(session="bad")
        assert await text_of(alice) == "Lives in Bonn.\nHas a cat.\n喜欢爵士乐。\nOf a session with an odd name."
        assert [entry.target for entry in entries if entry.target.startswith("block:")] == ["block:human"]
        assert await alice.revert(session="bad") == ()


async def test_a_line_that_was_written_anew_by_somebody_else_stays(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel(name="m")) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "")
        await alice.add("Hello.", session="bad")
        await call(alice, "bad", "memory_append", label="human", content="Lives in Lyon.")
        await alice.write_block("human", "Lives in Lyon since May.")
        await alice.revert(session="bad")
        assert await text_of(alice) == "Lives in Lyon since May."


async def test_the_messages_alone_take_no_block_along(tmp_path: Path) -> None:
    async with await opened("file", tmp_path, model=ScriptedModel(name="m")) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "Alice")
        receipt = await alice.add("Hello.", session="bad")
        await call(alice, "bad", "memory_append", label="human", content="Likes jazz.")
        await alice.revert(source=[message.id for message in receipt.messages])
        assert await text_of(alice) == "Alice\nLikes jazz."


LINES = st.sampled_from(["", "Lives in Bonn.", "养了一只猫。", "Has a cat.", "Likes jazz.", "喜欢爵士乐。", "Works at Acme."])


@given(first=st.lists(LINES, max_size=3), added=st.lists(st.tuples(st.booleans(), LINES.filter(bool)), max_size=6))
async def test_of_lines_that_were_only_added_the_others_stay_in_order(first: list[str], added: list[tuple[bool, str]]) -> None:
    async with await opened("memory", Path(), model=ScriptedModel(name="m")) as memory:
        alice = memory.scope("alice")
        await alice.write_block("human", "\n".join(first))
        before = (await text_of(alice)).splitlines()
        # A line that stands there already is not added again.
        theirs = dict.fromkeys(line for bad, line in added if bad and line not in before)
        ours = dict.fromkeys(line for bad, line in added if not bad and line not in before and line not in theirs)
        for bad, line in added:
            if line in (theirs if bad else ours):
                await call(alice, "bad" if bad else "good", "memory_append", label="human", content=line)
        cause = (await versions(alice))[0].cause
        await revert_blocks(alice._parts, alice.scope, "bad", (), cause=cause)
        assert [line for line in (await text_of(alice)).splitlines() if line] == [line for line in [*before, *ours] if line]
