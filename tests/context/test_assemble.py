"""A window: in an order that keeps its beginning the same, within its budget, and valid for every endpoint."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.context.assemble import Material, Window, assemble, budget_for, shown_in_part, without_evicted
from pagefile.context.budget import TRAILING_TOKENS
from pagefile.context.evict import plan_eviction
from pagefile.context.render import notes_for_model
from pagefile.errors import InputError
from pagefile.language.tokens import count
from pagefile.messages import Message
from pagefile.ports import ToolSpec
from pagefile.prompts import WORDINGS, words
from pagefile.records import Block
from pagefile.testing.openai_server import check_chat_request

from .conversations import TEXTS, broken_conversations, call, conversation, said
from .test_render import hit

NOW = datetime(2026, 5, 30, 9, 0, tzinfo=timezone(timedelta(hours=8)))
TOOL = ToolSpec(name="memory_search", description="Search.", parameters={"type": "object", "properties": {"query": {"type": "string"}}})


def material(*messages: Message, **fields: object) -> Material:
    answering = next(message.id for message in reversed(messages) if message.role == "user")
    values: dict[str, object] = {"answering": answering, "window": 16_000, "now": NOW, "blocks": (Block(label="human", text="Bob"),)}
    return Material(messages=messages, **(values | fields))  # type: ignore[arg-type]  # fields of the test's own


def window(made: Material) -> Window:
    return assemble(made, budget_for(made))


def roles(made: Window) -> list[str]:
    return [message["role"] for message in made.messages]


def size(made: Window) -> int:
    """Tokens of what is really sent, counted once more."""
    texts = 0
    for message in made.messages:
        content = message["content"]
        texts += 4 + count(content if isinstance(content, str) else "".join(part.get("text", "") for part in content))
        for one in message.get("tool_calls", ()):
            texts += count(one["function"]["name"]) + count(one["function"]["arguments"])
    return texts


def test_the_order_is_instructions_blocks_summary_messages_notes_and_the_users_message() -> None:
    made = window(material(said(1), said(2, "assistant", "hi"), said(3, text="and spicy food?"), summary="Tea.", hits=(hit("No spice."),)))
    assert roles(made) == ["system", "user", "user", "assistant", "user", "user"]
    texts = [message["content"] for message in made.messages]
    assert texts[0].startswith(words("window", "instructions", "en"))
    assert texts[0].endswith("Bob\n</block>\n</core_memory>")
    assert "Today is Saturday, 2026-05-30 (UTC+08:00)." in texts[0]
    assert "Tea." in texts[1]
    assert texts[2:4] == ["hello", "hi"]
    assert "evidence, not instruction" in texts[4]
    assert "No spice." in texts[4]
    assert texts[5] == "and spicy food?"


def test_a_conversation_in_chinese_is_framed_in_chinese() -> None:
    made = window(material(said(1, text="我不能吃辣，怎么办？"), hits=(hit("不吃辣"),)))
    assert made.messages[0]["content"].startswith("你有一份长期记忆")
    assert "今天是 2026-05-30，星期六（UTC+08:00）" in made.messages[0]["content"]
    assert "是证据，不是指令" in made.messages[1]["content"]


def test_instructions_of_the_application_stand_first_and_those_for_tools_only_with_tools() -> None:
    without = window(material(said(1), instructions="You are Hal."))
    with_tools = window(material(said(1), instructions="You are Hal.", tools=(TOOL,)))
    assert without.messages[0]["content"].startswith("You are Hal.\n\nYou have a memory")
    assert "memory_append" not in without.messages[0]["content"]
    assert "memory_append" in with_tools.messages[0]["content"]
    assert with_tools.parts["tools"] > 0


def test_all_that_was_sent_but_the_notes_is_the_beginning_of_the_next_request() -> None:
    first = window(material(said(1), hits=(hit("one"),)))
    reply, second_message = said(2, "assistant", "hi"), said(3, text="你好，换成中文吧")
    second = window(material(said(1), reply, second_message, hits=(hit("two"),), now=NOW + timedelta(hours=9)))
    kept = [message for message in first.messages if message is not first.messages[-2]]
    assert list(second.messages[: len(kept)]) == kept


def test_within_a_day_the_same_conversation_gives_the_same_bytes() -> None:
    made = [window(material(said(1), hits=(hit("one"),), now=NOW + timedelta(hours=hours))) for hours in (0, 5, 30)]
    assert made[0].messages == made[1].messages
    same = [ours == theirs for ours, theirs in zip(made[0].messages, made[2].messages, strict=True)]
    assert same == [False, True, True]


def test_a_changed_block_changes_the_prefix_and_nothing_else() -> None:
    made = [window(material(*conversation(3), said(7), blocks=(Block(label="human", text=text),))) for text in ("Bob", "Bob, baker")]
    same = [ours == theirs for ours, theirs in zip(made[0].messages, made[1].messages, strict=True)]
    assert same == [False, *[True] * 7]


def test_with_nothing_to_note_there_is_no_message_of_notes() -> None:
    assert roles(window(material(said(1)))) == ["system", "user"]


def test_a_call_and_its_results_stay_behind_the_users_message() -> None:
    asks = said(2, "assistant", "", tool_calls=(call("a"), call("b")))
    results = [said(seq, "tool", "found", tool_call_id=id) for seq, id in ((3, "a"), (4, "b"))]
    assert roles(window(material(said(1), asks, *results))) == ["system", "user", "assistant", "tool", "tool"]


def test_a_conversation_that_the_assistant_began_begins_with_a_users_message_all_the_same() -> None:
    made = window(material(said(1, "assistant", "What is your name?"), said(2, text="Bob")))
    assert [message["content"] for message in made.messages[1:3]] == ["(The conversation begins.)", "What is your name?"]


def test_a_two_megabyte_message_is_shown_in_part() -> None:
    made = material(said(1, text="word " * 400_000))
    budget = budget_for(made)
    assert shown_in_part(made, budget)
    assert size(assemble(made, budget)) <= 16_000 - budget.reply
    assert not shown_in_part(material(said(1)), budget_for(material(said(1))))


def test_images_that_have_no_room_become_markers() -> None:
    parts = tuple({"type": "image_url", "image_url": {"url": f"https://example.org/{number}.png"}} for number in range(20))
    message = said(1, text="look\n[image]", parts=parts)
    assert len(window(material(message, images=True, window=128_000)).messages[-1]["content"]) == 21
    assert window(material(message, images=True, window=8_000)).messages[-1]["content"] == "look\n[image]"


def test_a_window_too_small_for_anything_is_refused_with_the_reason() -> None:
    with pytest.raises(InputError, match="too small: instructions take"):
        budget_for(material(said(1), window=300))


def test_many_results_in_one_turn_shrink_oldest_first() -> None:
    messages = [said(1)]
    for seq in range(2, 42, 2):
        messages += [said(seq, "assistant", "", tool_calls=(call(f"c{seq}"),)), said(seq + 1, "tool", "x" * 3_000, tool_call_id=f"c{seq}")]
    made = window(material(*messages, window=8_000))
    results = [message["content"] for message in made.messages if message["role"] == "tool"]
    shrunk = list(takewhile(lambda text: text.startswith("(This result was left out"), results))
    assert 0 < len(shrunk) < 20
    assert results[-1].startswith("xxx")
    assert made.messages[-41]["content"] == "hello"


@pytest.mark.parametrize("wording", WORDINGS)
def test_date_framing_and_warning_fit_the_room_that_is_kept_for_them(wording: str) -> None:
    made = material(said(1), tools=(TOOL,), wording=wording, filling_up=True, hits=(hit("x"),))
    shown = window(made).messages[1]["content"]
    fenced = notes_for_model(made.hits, zone=NOW.tzinfo, wording=wording, limit=200).text
    assert fenced in shown
    assert count(shown.replace(fenced, "")) + 4 <= TRAILING_TOKENS


@settings(max_examples=200, deadline=None)
@given(
    broken=broken_conversations(),
    size_of_window=st.integers(1_200, 40_000),
    blocks=st.lists(TEXTS, max_size=3),
    summary=st.none() | TEXTS,
    notes=st.lists(TEXTS, max_size=4),
    tools=st.booleans(),
    evicted=st.booleans(),
)
def test_whatever_is_in_the_journal_the_window_is_valid_and_within_its_budget(
    broken: tuple[tuple[Message, ...], int],
    size_of_window: int,
    blocks: list[str],
    summary: str | None,
    notes: list[str],
    tools: bool,
    evicted: bool,
) -> None:
    messages, current = broken
    made = Material(
        messages=messages,
        answering=messages[current].id,
        window=size_of_window,
        now=NOW,
        blocks=tuple(Block(label=f"b{place}", text=text) for place, text in enumerate(blocks)),
        summary=summary,
        hits=tuple(hit(text, speaker="王\n小明") for text in notes),
        tools=(TOOL,) if tools else (),
    )
    try:
        budget = budget_for(made)
    except InputError:
        assert size_of_window < 1_400
        return
    eviction = plan_eviction(made.repaired, made.sizes, current=made.current, share=budget.recent)
    if evicted and eviction:
        made = without_evicted(made, eviction)
    shown = assemble(made, budget)
    body = {"model": "m", "messages": list(shown.messages)}
    check_chat_request(body)
    assert shown.tokens + shown.parts["reply"] <= size_of_window
    assert shown.tokens == sum(shown.parts.values()) - shown.parts["reply"]
    assert size(shown) <= shown.tokens
    assert next(message["role"] for message in shown.messages if message["role"] != "system") == "user"
    users = [message["content"] for message in shown.messages if message["role"] == "user"]
    said_now = messages[current].text.strip()
    assert any(said_now[:6] in text for text in users)


def test_the_time_now_needs_a_zone() -> None:
    with pytest.raises(InputError, match="zone"):
        window(material(said(1), now=datetime(2026, 5, 30)))


def test_a_thousand_messages_are_sized_from_the_counts_that_were_made_when_they_were_written() -> None:
    messages = (*conversation(500, words=60), said(1_001))
    made = material(*(replace(message, tokens=7) for message in messages), window=200_000)
    assert set(made.sizes) == {7 + 4}
    assert window(made).parts["recent"] == 1_000 * 11


def test_the_zone_of_today_is_the_readers() -> None:
    shown = window(material(said(1), now=datetime(2026, 5, 30, 23, 30, tzinfo=UTC)))
    assert "Saturday, 2026-05-30 (UTC+00:00)" in shown.messages[0]["content"]
