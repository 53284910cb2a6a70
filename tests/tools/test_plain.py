"""System calls: a model may write and search the memory it was given, and every mistake is a sentence it can act on."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.errors import BlockFull, StoreUnavailable
from pagefile.language.tokens import count
from pagefile.messages import ToolCall
from pagefile.records import Block, Edit
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, make_cause
from pagefile.tools import TOOLSETS, ToolsetName, calls_of, execute, require_room

from .callers import ALICE, BOB, add, add_block, ask, caller, text_of

# --- core memory


async def test_append_adds_a_line_and_shows_the_block() -> None:
    made = caller()
    await add_block(made, text="Name: Alice")
    result = await ask(made, "memory_append", label="human", content="不能吃辣")
    assert await text_of(made) == "Name: Alice\n不能吃辣"
    assert result.ok
    assert "Name: Alice\n不能吃辣" in result.text


async def test_a_line_that_is_there_already_is_not_added_again() -> None:
    made = caller()
    await add_block(made, text="Name: Alice")
    result = await ask(made, "memory_append", label="human", content=" Name: Alice ")
    assert result.ok
    assert "Nothing to do" in result.text
    assert await text_of(made) == "Name: Alice"


async def test_a_write_over_the_limit_changes_nothing_and_tells_the_text_and_the_space_left() -> None:
    made = caller()
    await add_block(made, text="Name: Alice", token_limit=20)
    used = count("Name: Alice")
    result = await ask(made, "memory_append", label="human", content="word " * 40)
    assert not result.ok
    assert f"limit of 20: nothing was written. It has {used} now, so {20 - used} are left" in result.text
    assert "Name: Alice" in result.text
    assert await text_of(made) == "Name: Alice"


def test_the_limit_holds_for_applications_too() -> None:
    require_room(Block(label="human", token_limit=5), "short")
    with pytest.raises(BlockFull, match="over its limit of 5"):
        require_room(Block(label="human", token_limit=5), "word " * 40)


async def test_replace_is_exact_to_the_byte_and_empty_text_removes() -> None:
    made = caller()
    await add_block(made, text="Likes  tea.\nLikes 红茶")
    assert not (await ask(made, "memory_replace", label="human", old_content="Likes tea.", new_content="x")).ok
    assert (await ask(made, "memory_replace", label="human", old_content="Likes  tea.\n", new_content="")).ok
    assert await text_of(made) == "Likes 红茶"


async def test_what_does_not_occur_is_answered_with_the_nearest_lines() -> None:
    made = caller()
    await add_block(made, text="Works at Acme in Shenzhen.\nHas two cats.")
    result = await ask(made, "memory_replace", label="human", old_content="Works in Acme at Shenzhen", new_content="x")
    assert "(0 times, " in result.text
    assert result.text.endswith("Works at Acme in Shenzhen.")


@pytest.mark.parametrize(("text", "old", "times"), [("tea, tea", "tea", 2), ("aaa", "aa", 2), ("喝茶喝茶喝茶", "喝茶", 3)])
async def test_what_occurs_more_than_once_is_not_replaced(text: str, old: str, times: int) -> None:
    made = caller()
    await add_block(made, text=text)
    result = await ask(made, "memory_replace", label="human", old_content=old, new_content="x")
    assert f"occurs {times} times" in result.text
    assert await text_of(made) == text


async def test_an_empty_old_text_never_multiplies_the_block() -> None:
    made = caller()
    await add_block(made, text="Name: Alice")
    assert "old text is empty" in (await ask(made, "memory_replace", label="human", old_content="", new_content="x")).text
    assert await text_of(made) == "Name: Alice"


async def test_a_read_only_block_is_not_written_and_an_unknown_one_not_made() -> None:
    made = caller()
    await add_block(made, "rules", "Be kind.", read_only=True)
    assert "read-only" in (await ask(made, "memory_append", label="rules", content="x")).text
    assert "read-only" in (await ask(made, "memory_replace", label="rules", old_content="Be", new_content="x")).text
    assert 'The blocks are: "rules"' in (await ask(made, "memory_append", label="humans", content="x")).text
    assert len(await made.parts.store.blocks(ALICE)) == 1


async def test_a_write_says_in_the_history_which_model_made_it_and_where() -> None:
    made = caller()
    await add_block(made)
    await ask(made, "memory_append", label="human", content="Alice")
    cause = (await made.parts.store.history(ALICE, "block:human"))[-1].cause
    assert (cause.actor, cause.reason) == ("model:m", "memory_append in session now")


async def test_an_agents_own_block_is_written_and_not_the_shared_one_of_that_name() -> None:
    made = caller(agent="cook")
    await add_block(made, "persona", "shared")
    await add_block(made, "persona", "own", agent="cook")
    await ask(made, "memory_append", label="persona", content="more")
    texts = [[block.text for block in await made.parts.store.blocks(ALICE, agent)] for agent in (None, "cook")]
    assert texts == [["shared"], ["own\nmore"]]


async def test_a_block_that_changes_in_between_is_looked_at_again_and_nothing_is_lost() -> None:
    class Contended(MemoryStore):
        """Somebody else writes just before the first write of the call."""

        once = True

        async def apply(self, scope, changes, *, jobs=()):  # type: ignore[no-untyped-def, override]  # as MemoryStore has it
            if self.once and isinstance(changes[0], Edit):
                self.once = False
                await super().apply(scope, [Edit(target="human", fields={"text": "first"}, cause=make_cause())])
            return await super().apply(scope, changes, jobs=jobs)

    made = caller(Contended())
    await add_block(made)
    assert (await ask(made, "memory_append", label="human", content="second")).ok
    assert await text_of(made) == "first\nsecond"


# --- searches


async def test_search_finds_what_was_said_dated_attributed_and_framed() -> None:
    clock = FakeClock()
    made = caller(clock=clock)
    await add(made, {"role": "user", "content": "My sister Mei lives in Chengdu.", "name": "Alice"}, "I like tea.")
    clock.advance(days=3)
    result = await ask(made, "memory_search", query="Where does Mei live, in Chengdu?")
    assert result.ok
    assert "2026-05-24 18:00 +08:00 · Alice (user) · session before: My sister Mei lives in Chengdu." in result.text
    assert "not instructions" in result.text


async def test_search_leaves_out_what_the_window_shows() -> None:
    made = caller(session="before", window_start=2)
    await add(made, "Mei lives in Chengdu.", "Mei moved from Chengdu to Lhasa.")
    result = await ask(made, "memory_search", query="Mei Chengdu")
    assert "lives in Chengdu" in result.text
    assert "Lhasa" not in result.text


async def test_search_never_leaves_the_scope_whatever_the_arguments_say() -> None:
    made = caller()
    await add(made, "Bob's secret is a blue door.", scope=BOB)
    assert "blue door" not in (await ask(made, "memory_search", query="secret blue door")).text
    refused = await ask(made, "memory_search", query="secret blue door", user="bob", scope="bob")
    assert not refused.ok
    assert "user" in refused.text


async def test_a_search_that_finds_nothing_says_so() -> None:
    assert "Nothing was found" in (await ask(caller(), "memory_search", query="早报")).text
    assert "没有找到" in (await ask(caller(wording="zh"), "memory_search", query="早报")).text


async def test_results_keep_within_their_tokens() -> None:
    made = caller(max_tokens=300)
    await add(made, *[f"Mei and cat number {number}: " + "purr " * 300 for number in range(10)])
    result = await ask(made, "memory_search", query="Mei cat", limit=10)
    assert count(result.text) <= 340


async def test_the_conversation_is_searched_within_dates_in_either_language() -> None:
    clock = FakeClock()
    made = caller(clock=clock)
    await add(made, "We planned the trip to Lhasa.")
    clock.advance(days=7)
    await add(made, "We cancelled the trip to Lhasa.")
    clock.advance(days=1)
    for since in ("yesterday", "昨天", "2026-05-31"):
        result = await ask(made, "conversation_search", query="trip to Lhasa", since=since)
        assert "cancelled" in result.text
        assert "planned" not in result.text
    until = await ask(made, "conversation_search", query="trip to Lhasa", until="2026-05-24")
    assert "planned" in until.text
    assert "cancelled" not in until.text


async def test_without_a_query_everything_said_within_the_dates_is_shown() -> None:
    clock = FakeClock()
    made = caller(clock=clock)
    await add(made, *[f"Line {number}." for number in range(8)])
    clock.advance(timedelta(days=1).total_seconds())
    result = await ask(made, "conversation_search", query="", since="yesterday", until="yesterday", limit=3)
    assert "Line 0." in result.text
    assert "There are 5 more" in result.text


async def test_a_date_that_cannot_be_read_is_told_and_never_taken_for_no_date() -> None:
    made = caller()
    await add(made, "trip")
    result = await ask(made, "conversation_search", query="trip", since="the day the music died")
    assert not result.ok
    assert "trip" not in result.text.replace("the day the music died", "")
    assert not (await ask(made, "conversation_search", query="")).ok


# --- mistakes


@pytest.mark.parametrize(
    "arguments",
    [
        *('{"a":', "null", "[1]", '"x"', "", "3", "{}", '{"label": 3, "content": []}', '{"label": "human", "content": null}'),
        *('{"label": "human", "content": "x", "extra": 1}', '{"label": "human", "\\ud800": 1}', "[" * 100_000, "9" * 10_000),
    ],
)
@pytest.mark.parametrize("name", ["memory_append", "memory_search", "no_such_tool", "", "工具" * 900])
async def test_malformed_calls_are_answered_with_a_short_text(name: str, arguments: str) -> None:
    made = caller()
    await add_block(made)
    result = await execute(ToolCall(id="c", name=name, arguments=arguments), made)
    assert not result.ok
    assert 20 < len(result.text) < 900
    assert await text_of(made) == ""


@given(arguments=st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps), data=st.data())
async def test_no_arguments_raise(arguments: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([call.name for call in TOOLSETS["plain"]]))
    assert not (await execute(ToolCall(id="c", name=name, arguments=arguments), caller())).ok


async def test_text_that_cannot_be_encoded_is_mended_before_it_is_kept() -> None:
    made = caller()
    await add_block(made)
    await execute(ToolCall(id="c", name="memory_append", arguments='{"label": "human", "content": "a\\ud800b\\u0000c"}'), made)
    assert await text_of(made) == "a\ufffdbc"


async def test_limits_out_of_range_are_refused_and_numbers_in_quotes_taken() -> None:
    made = caller()
    for limit in (0, -1, 10**6, "many"):
        assert not (await ask(made, "memory_search", query="x", limit=limit)).ok
    assert (await ask(made, "memory_search", query="x", limit="3")).ok


async def test_a_store_that_fails_is_told_to_the_model_without_and_to_the_person_with_the_reason() -> None:
    class Broken(MemoryStore):
        async def blocks(self, scope, agent=None):  # type: ignore[no-untyped-def]  # as MemoryStore has it
            raise StoreUnavailable("the disk of /data/pagefile.db is full")

    result = await ask(caller(Broken()), "memory_append", label="human", content="x")
    assert not result.ok
    assert "/data" not in result.text
    assert result.warning is not None
    assert "disk of /data/pagefile.db is full" in result.warning


@pytest.mark.parametrize("toolset", TOOLSETS)
async def test_null_for_what_may_be_left_out_is_the_same_as_leaving_it_out(toolset: ToolsetName) -> None:
    made = caller()
    await add_block(made, text="Lives in Bonn.")
    await add(made, "The ferry leaves at nine.")
    for call in calls_of(toolset, status=True):
        given = {"query": "ferry", "start_date": "today", "content": "Has a cat.", "message": "Hi", "label": "human", "new_text": "x"}
        form = call.arguments.model_fields
        needed = {name: given.get(name, "Lives in Bonn.") for name, field in form.items() if field.is_required()}
        nulls = {name: None for name, field in form.items() if not field.is_required()}
        arguments = call.arguments.model_validate(needed | nulls)
        assert arguments == call.arguments.model_validate(needed)
    assert (await ask(made, "memory_search", query="ferry", limit=None, page=None)).ok
    assert not (await ask(made, "memory_search", query=None)).ok
