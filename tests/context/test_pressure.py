"""A window that fills up: warned of once, then the oldest leave; and whatever happens, what is shown fits, in order, in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.context.assemble import Material, Window, assemble, budget_for
from pagefile.context.pressure import Relief, relieve
from pagefile.context.render import ChatMessage
from pagefile.errors import InputError
from pagefile.messages import Message
from pagefile.records import Block
from pagefile.testing.openai_server import check_chat_request

from .conversations import TEXTS, broken_conversations, call, conversation, said
from .test_assemble import NOW, TOOL


def material(messages: Sequence[Message], window: int = 2_000, **fields: object) -> Material:
    answering = next(message.id for message in reversed(messages) if message.role == "user")
    values: dict[str, object] = {"answering": answering, "window": window, "now": NOW, "tools": (TOOL,)}
    return Material(messages=tuple(messages), **(values | fields))  # type: ignore[arg-type]  # fields of the test's own


def relieved(made: Material) -> Relief | None:
    return relieve(made, budget_for(made))


def grown(turns: int, text: str = "word " * 30, window: int = 4_000) -> list[Relief | None]:
    """What each turn of a conversation asks for, evicted messages leaving for good."""
    happened: list[Relief | None] = []
    messages: list[Message] = []
    for turn in range(turns):
        messages.append(said(2 * turn + 1, "user", text))
        relief = relieved(material(messages, window))
        if relief is not None:
            messages = list(relief.material.messages)
        happened.append(relief)
        messages.append(said(2 * turn + 2, "assistant", text))
    return happened


def test_a_growing_conversation_is_warned_of_once_before_each_eviction() -> None:
    levels = [relief.level for relief in grown(200) if relief is not None]
    assert len(levels) > 4
    assert levels == ["warn", "evict"] * (len(levels) // 2) + ["warn"] * (len(levels) % 2)


def test_a_message_that_is_longer_than_others_brings_no_second_warning() -> None:
    happened: list[str] = []
    messages: list[Message] = []
    for turn in range(60):
        messages.append(said(2 * turn + 1, "user", "word " * (600 if turn % 7 == 3 else 10)))
        relief = relieved(material(messages, 16_000))
        if relief is not None:
            happened.append(relief.level)
            messages = list(relief.material.messages)
        messages.append(said(2 * turn + 2, "assistant", "word " * 20))
    assert all(pair != ("warn", "warn") for pair in pairwise(happened))


def test_the_warning_tells_the_model_and_comes_with_what_is_used_of_how_much() -> None:
    relief = next(relief for relief in grown(200) if relief is not None)
    assert relief.level == "warn"
    assert 0.7 * relief.limit < relief.used <= 0.9 * relief.limit
    trailing = assemble(relief.material, budget_for(relief.material)).messages[-2]["content"]
    assert "put what must stay in view into core memory" in trailing


def test_an_eviction_takes_the_window_from_90_to_at_most_50_percent() -> None:
    relief = next(relief for relief in grown(200) if relief is not None and relief.level == "evict")
    assert relief.used > 0.9 * relief.limit
    assert relief.used - relief.tokens <= 0.5 * relief.limit
    assert relief.window_start == relief.material.messages[0].seq == relief.messages + 1


def test_results_of_tools_that_are_shortened_make_room_before_anything_leaves() -> None:
    messages: list[Message] = []
    for turn in range(6):
        seq = 4 * turn
        messages += [
            said(seq + 1, "user", "what is the weather?"),
            said(seq + 2, "assistant", "", tool_calls=(call(f"c{turn}"),)),
            said(seq + 3, "tool", "sunny " * 400, tool_call_id=f"c{turn}"),
            said(seq + 4, "assistant", "It is sunny."),
        ]
    made = material([*messages, said(25, "user", "thanks")], 4_000)
    assert sum(made.sizes) < 2_000 < sum(message.tokens for message in messages)
    assert relieved(made) is None


# --- properties --------------------------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(broken=broken_conversations(), window=st.integers(1_300, 12_000), blocks=st.lists(TEXTS, max_size=3), summary=st.none() | TEXTS)
def test_whatever_is_in_the_journal_pressure_ends_and_what_is_shown_is_whole_and_in_order(
    broken: tuple[tuple[Message, ...], int], window: int, blocks: list[str], summary: str | None
) -> None:
    messages, current = broken
    made = Material(
        messages=messages,
        answering=messages[current].id,
        window=window,
        now=NOW,
        tools=(TOOL,),
        blocks=tuple(Block(label=f"b{place}", text=text) for place, text in enumerate(blocks)),
        summary=summary,
    )
    try:
        budget = budget_for(made)
    except InputError:
        return
    steps = 0
    while (relief := relieve(made, budget)) is not None:
        assert relief.level == "evict" or not made.filling_up
        assert len(relief.material.repaired) < len(made.repaired) or relief.level == "warn"
        made, steps = relief.material, steps + 1
        assert steps <= len(messages) + 1
    window_made = assemble(made, budget)
    check_chat_request({"model": "m", "messages": list(window_made.messages)})
    assert window_made.tokens + window_made.parts["reply"] <= window
    assert answers_stand_behind_their_calls(window_made)
    assert any(messages[current].text.strip()[:6] in str(one["content"]) for one in window_made.messages if one["role"] == "user")
    seqs = [message.seq for message in made.messages if message.role == "user"]
    assert seqs == sorted(seqs)


def answers_stand_behind_their_calls(made: Window) -> bool:
    open_calls: list[str] = []
    for message in made.messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return False
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return False
        open_calls += [one["id"] for one in message.get("tool_calls", ())]
    return not open_calls


@st.composite
def talks(draw: st.DrawFn) -> list[tuple[str, str, str | None]]:
    """Turns of a conversation: what is asked, what is answered, and perhaps what a tool brought in between."""
    texts = st.sampled_from(["hello there", "我们接着说吧。", "word " * 60, "早报 " * 90, "a\nb"])
    results = st.none() | st.sampled_from(["24 degrees", "sunny " * 200, "晴。" * 150])
    return draw(st.lists(st.tuples(texts, texts, results), min_size=2, max_size=40))


@settings(max_examples=60, deadline=None)
@given(talk=talks(), window=st.integers(2_500, 9_000))
def test_a_turn_begins_with_the_bytes_of_the_one_before_unless_messages_left_or_a_result_grew_old(
    talk: list[tuple[str, str, str | None]], window: int
) -> None:
    messages: list[Message] = []
    before: list[ChatMessage] | None = None
    for turn, (question, answer, result) in enumerate(talk):
        seq = len(messages) + 1 if not messages else messages[-1].seq + 1
        messages.append(said(seq, "user", question))
        made = material(messages, window, wording="en")
        relief = relieved(made)
        if relief is not None:
            made = replace(relief.material, filling_up=False)
            messages = list(made.messages)
        shown = list(assemble(made, budget_for(made)).messages)
        if before is not None and (relief is None or relief.level == "warn"):
            same = next((place for place, pair in enumerate(zip(before, shown, strict=False)) if pair[0] != pair[1]), len(before))
            grew_old = any(old["role"] == new["role"] == "tool" and old != new for old, new in zip(before, shown, strict=False))
            assert same == len(before) or grew_old
        if result is not None:
            messages.append(said(seq + 1, "assistant", "", tool_calls=(call(f"c{turn}"),)))
            messages.append(said(seq + 2, "tool", result, tool_call_id=f"c{turn}"))
        messages.append(said(messages[-1].seq + 1, "assistant", answer))
        before = shown


def test_a_long_conversation_that_comes_from_elsewhere_fits_after_one_eviction() -> None:
    messages = (*conversation(300, words=40, tools_every=3), said(10_000))
    relief = relieved(material(messages, 3_000))
    assert relief is not None
    again = relieved(relief.material)
    assert again is None or again.level == "warn"
