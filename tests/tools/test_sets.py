"""The tool sets: valid, short, in both languages; the same deeds under the names that models know."""

from __future__ import annotations

import json

import pytest

from pagefile.context.assemble import tools_size
from pagefile.language.text import language_of
from pagefile.prompts import WORDINGS, Wording
from pagefile.testing.openai_server import check_chat_request
from pagefile.tools import TOOLSETS, Caller, ToolResult, ToolsetName, calls_of, guide, tool_specs

from .callers import BOB, add, add_block, ask_in, caller, text_of

CALLS = {
    "plain": ["memory_append", "memory_replace", "memory_search", "conversation_search"],
    "memgpt": [
        *("send_message", "core_memory_append", "core_memory_replace"),
        *("archival_memory_insert", "archival_memory_search", "archival_memory_replace", "archival_memory_delete"),
        *("conversation_search", "conversation_search_date"),
    ],
    "compact": ["memory_append", "memory_replace", "memory_delete", "memory_search", "continue_thinking"],
    "blocks": ["memory_insert", "memory_replace", "memory_rethink", "memory_finish_edits"],
}
#: What a call may not know by itself.
SCOPES = {"user", "user_id", "scope", "tenant", "agent", "session"}


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_call_is_offered_with_a_valid_schema_says_when_to_use_it_and_gives_an_example(toolset: ToolsetName, wording: Wording) -> None:
    specs = tool_specs(wording, TOOLSETS[toolset])
    assert [one.name for one in specs] == CALLS[toolset]
    tools = [
        {"type": "function", "function": {"name": one.name, "description": one.description, "parameters": one.parameters}} for one in specs
    ]
    check_chat_request({"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": tools})
    for one in specs:
        assert "Call it " in one.description or "时调用" in one.description or "后调用" in one.description
        assert "Example: {" in one.description or "例：{" in one.description
        fields = one.parameters["properties"]
        assert all(field["type"] in {"string", "integer", "boolean", "array"} and field["description"] for field in fields.values())
        assert not SCOPES & set(fields)


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_a_set_fits_into_a_small_window_and_its_guide_is_in_its_language(toolset: ToolsetName) -> None:
    for wording in WORDINGS:
        assert tools_size(tool_specs(wording, calls_of(toolset, status=True))) <= 2_048
        assert language_of(guide(toolset, wording)) == wording


def test_definitions_are_made_once() -> None:
    assert tool_specs("en")[0] is tool_specs("en")[0]


@pytest.mark.parametrize("toolset", TOOLSETS)
async def test_every_call_takes_its_own_example(toolset: ToolsetName) -> None:
    for wording in WORDINGS:
        for spec in tool_specs(wording, TOOLSETS[toolset]):
            made = caller(wording=wording)
            await add_block(made, text="Lives in Bonn.\n住在成都。")
            for noted in ("Mei's project Aurora starts in May.", "小梅的极光项目五月开始。"):
                await ask_in("memgpt", made, "archival_memory_insert", content=noted)
            example = spec.description[spec.description.rindex("{") : spec.description.rindex("}") + 1]
            assert (await ask_in(toolset, made, spec.name, **json.loads(example))).ok, (spec.name, example)


# --- core memory under other names


async def test_the_same_deed_has_the_same_limits_in_every_set() -> None:
    for toolset, name, arguments in (
        ("memgpt", "core_memory_append", {"label": "human", "content": "word " * 40}),
        ("compact", "memory_append", {"layer": "core", "content": "word " * 40}),
        ("blocks", "memory_insert", {"label": "human", "new_text": "word " * 40}),
        ("blocks", "memory_rethink", {"label": "human", "new_memory": "word " * 40}),
        ("blocks", "memory_replace", {"label": "human", "old_text": "Alice", "new_text": "word " * 40}),
    ):
        made = caller()
        await add_block(made, text="Name: Alice", token_limit=20)
        result = await ask_in(toolset, made, name, **arguments)  # type: ignore[arg-type]  # a literal in a tuple is plain text to mypy
        assert not result.ok
        assert "left" in result.text
        assert "Name: Alice" in result.text
        assert await text_of(made) == "Name: Alice"


async def test_a_line_is_inserted_where_it_is_wanted() -> None:
    made = caller()
    await add_block(made, text="one\nthree")
    assert (await ask_in("blocks", made, "memory_insert", label="human", new_text="two", line=1)).ok
    assert (await ask_in("blocks", made, "memory_insert", label="human", new_text="zero", line=0)).ok
    assert (await ask_in("blocks", made, "memory_insert", label="human", new_text="four")).ok
    assert await text_of(made) == "zero\none\ntwo\nthree\nfour"
    assert "5 lines" in (await ask_in("blocks", made, "memory_insert", label="human", new_text="x", line=9)).text


async def test_a_block_is_written_anew() -> None:
    made = caller()
    await add_block(made, text="a\nb\nc")
    assert (await ask_in("blocks", made, "memory_rethink", label="human", new_memory="abc")).ok
    assert await text_of(made) == "abc"


async def test_text_is_replaced_in_the_one_block_where_it_stands() -> None:
    made = caller()
    await add_block(made, "human", "Lives in Bonn.")
    await add_block(made, "persona", "Speaks like Bonn people, in Bonn.")
    twice = await ask_in("compact", made, "memory_replace", old_content="Bonn", new_content="Lyon")
    assert "occurs 3 times" in twice.text
    assert (await ask_in("compact", made, "memory_replace", old_content="Lives in Bonn", new_content="Lives in Lyon")).ok
    assert await text_of(made) == "Lives in Lyon."
    nowhere = await ask_in("compact", made, "memory_replace", old_content="Lives in Lyons.", new_content="x")
    assert "Lives in Lyon." in nowhere.text
    assert "tokens are left" in nowhere.text
    assert not (await ask_in("compact", made, "memory_replace", old_content="", new_content="x")).ok
    assert not (await ask_in("compact", made, "memory_delete", content="")).ok
    assert (await ask_in("compact", made, "memory_delete", content="Lives in Lyon.")).ok
    assert await text_of(made) == ""


async def test_a_layer_is_core_memory_a_block_or_the_archive() -> None:
    made = caller()
    await add_block(made, "human", "")
    await add_block(made, "persona", "")
    for layer, label in (("core", "human"), ("persona", "persona")):
        assert (await ask_in("compact", made, "memory_append", layer=layer, content=f"for {layer}")).ok
        assert await text_of(made, label) == f"for {layer}"
    assert "The blocks are" in (await ask_in("compact", made, "memory_append", layer="attic", content="x")).text


# --- pages


async def test_what_does_not_fit_is_on_the_next_page_until_there_is_none() -> None:
    made = caller(max_tokens=200)
    await add(made, *[f"Mei and cat number {number} purr together in the garden." for number in range(9)])
    seen: list[str] = []
    for page in range(1, 12):
        result = await ask_in("plain", made, "memory_search", query="cat number", limit=4, page=page)
        found = [line for line in result.text.splitlines() if line.startswith("- ")]
        if not found:
            assert f"There is no page {page}" in result.text or "Nothing was found" in result.text
            break
        assert ("make the same call with page" in result.text) == (len(seen) + len(found) < 9)
        seen += found
    assert len(seen) == len(set(seen)) == 9


async def test_days_are_listed_page_by_page() -> None:
    made = caller()
    await add(made, *[f"Line {number}." for number in range(8)])
    first = await ask_in("memgpt", made, "conversation_search_date", start_date="today")
    second = await ask_in("memgpt", made, "conversation_search_date", start_date="today", end_date="today", page=2)
    assert "Line 0." in first.text
    assert "There are 3 more: make the same call with page 2" in first.text
    assert "Line 7." in second.text
    assert "more:" not in second.text


async def test_no_set_reaches_another_scope() -> None:
    made = caller()
    await add(made, "Bob's secret is a blue door.", scope=BOB)
    for toolset, name in (("memgpt", "archival_memory_search"), ("memgpt", "conversation_search"), ("compact", "memory_search")):
        result = await ask_in(toolset, made, name, query="secret blue door")  # type: ignore[arg-type]  # as above
        assert "Nothing was found" in result.text


# --- the journal, by who said it and where


SAID = [
    ("trip", {"role": "user", "content": "The ferry to Qingdao leaves at nine."}),
    ("trip", {"role": "assistant", "content": "Noted: the ferry to Qingdao leaves at nine, from pier 4."}),
    ("旅行", {"role": "user", "content": "去青岛的 ferry 九点开。"}),
    ("旅行", {"role": "assistant", "content": "好的，ferry 九点从四号码头开。"}),
]


async def sailing() -> Caller:
    made = caller()
    for session, message in SAID:
        await add(made, message, session=session)
    return made


def notes_of(result: ToolResult) -> set[str]:
    return {line.split(": ", 1)[1] for line in result.text.splitlines() if line.startswith("- ")}


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({}, {0, 1, 2, 3}),
        ({"role": "user"}, {0, 2}),
        ({"role": "assistant", "in_session": "旅行"}, {3}),
        ({"in_session": "trip"}, {0, 1}),
        ({"in_session": " trip ", "role": ""}, {0, 1}),
        ({"in_session": "", "role": None}, {0, 1, 2, 3}),
        ({"role": "tool"}, set()),
    ],
)
@pytest.mark.parametrize("toolset", ["plain", "memgpt"])
async def test_what_was_said_is_searched_by_who_said_it_and_in_which_session(
    toolset: ToolsetName, filters: dict[str, object], wanted: set[int]
) -> None:
    result = await ask_in(toolset, await sailing(), "conversation_search", query="ferry", **filters)
    assert result.ok
    assert notes_of(result) == {str(SAID[place][1]["content"]) for place in wanted}


async def test_the_days_of_a_search_are_its_filters_too() -> None:
    made = await sailing()
    assert notes_of(await ask_in("memgpt", made, "conversation_search", query="ferry", start_date="today", role="user", in_session="trip"))
    for dates in ({"end_date": "yesterday"}, {"start_date": "明天", "end_date": "明天"}):
        assert not notes_of(await ask_in("memgpt", made, "conversation_search", query="ferry", **dates))
    refused = await ask_in("memgpt", made, "conversation_search", query="ferry", start_date="the day the music died")
    assert not refused.ok


async def test_a_session_that_is_not_there_or_a_role_that_is_none_is_told_and_never_taken_for_all() -> None:
    made = await sailing()
    await add(made, "Bob's ferry leaves at ten.", session="bobs", scope=BOB)
    for session in ("trips", "bobs", "%", "t_ip"):
        result = await ask_in("plain", made, "conversation_search", query="ferry", in_session=session)
        assert (result.ok, f'no session "{session}"' in result.text) == (False, True)
    result = await ask_in("plain", made, "conversation_search", query="ferry", role="human")
    assert (result.ok, "'user', 'assistant' or 'tool'" in result.text) == (False, True)


async def test_a_session_is_listed_without_a_query() -> None:
    made = await sailing()
    result = await ask_in("plain", made, "conversation_search", query="", in_session="旅行")
    assert notes_of(result) == {"去青岛的 ferry 九点开。", "好的，ferry 九点从四号码头开。"}
    assert not (await ask_in("plain", made, "conversation_search", query="", role="user")).ok


async def test_pages_of_a_filtered_search_show_everything_once() -> None:
    made = caller(max_tokens=120)
    for number in range(7):
        await add(made, {"role": "user", "content": f"Ferry number {number} leaves for Qingdao."}, session="trip")
        await add(made, {"role": "user", "content": f"Ferry number {number} of elsewhere."}, session="other")
    seen: list[str] = []
    for page in range(1, 9):
        found = notes_of(await ask_in("memgpt", made, "conversation_search", query="ferry", in_session="trip", page=page))
        seen += found
        if not found:
            break
    assert sorted(seen) == sorted(f"Ferry number {number} leaves for Qingdao." for number in range(7))
