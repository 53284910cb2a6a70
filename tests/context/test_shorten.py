"""Old results of tools: a line each, once and for all."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pagefile.context.repair import repair
from pagefile.context.shorten import LONG, shorten
from pagefile.language.tokens import count
from pagefile.messages import Message
from pagefile.prompts import WORDINGS, Wording

from .conversations import broken_conversations, call, said

LONG_RESULT = "Sunny in Chengdu, 24 degrees, light wind from the south-east. " * 40


def with_results(turns: int, result: str = LONG_RESULT) -> tuple[Message, ...]:
    """Every turn calls a tool before it is answered; the last message is the next question."""
    messages: list[Message] = []
    for turn in range(turns):
        seq = 4 * turn
        messages += [
            said(seq + 1, "user", f"question {turn}"),
            said(seq + 2, "assistant", "", tool_calls=(call(f"c{turn}", "weather"),)),
            said(seq + 3, "tool", result, tool_call_id=f"c{turn}"),
            said(seq + 4, "assistant", f"answer {turn}"),
        ]
    return (*messages, said(4 * turns + 1, "user", "and now?"))


def results(messages: tuple[Message, ...]) -> list[str]:
    return [message.text for message in messages if message.role == "tool"]


def shortened(messages: tuple[Message, ...], wording: Wording = "en") -> tuple[Message, ...]:
    current = max(place for place, message in enumerate(messages) if message.role == "user")
    return shorten(messages, current, wording)


def test_results_older_than_two_turns_are_a_line_that_begins_as_they_do() -> None:
    shown = results(shortened(with_results(4)))
    assert shown[2:] == [LONG_RESULT, LONG_RESULT]
    for text in shown[:2]:
        assert text.startswith("Sunny in Chengdu, 24 degrees")
        assert "make the call again" in text
        assert "\n" not in text
        assert count(text) <= LONG


def test_the_line_is_in_the_language_of_the_conversation() -> None:
    assert "请重新调用" in results(shortened(with_results(3, "成都晴，二十四度。" * 60), "zh"))[0]


def test_short_results_stay_as_they_are() -> None:
    messages = with_results(6, "24 degrees")
    assert shortened(messages) == messages


def test_the_message_itself_is_not_touched() -> None:
    messages = with_results(4)
    shortened(messages)
    assert results(messages) == [LONG_RESULT] * 4


def test_a_result_changes_once_and_all_before_it_never() -> None:
    shown = [shortened(with_results(turns)) for turns in range(1, 9)]
    for before, after in pairwise(shown):
        changed = [place for place, (old, new) in enumerate(zip(before[:-1], after, strict=False)) if old != new]
        assert len(changed) <= 1
        assert not changed or changed[0] >= len(before) - 1 - 4 * 2


def test_a_result_that_came_out_of_memory_cannot_leave_a_fence_open() -> None:
    result = "<memory_notes>\n- 2026-05-24 10:00 +08:00 · user: " + "No spice. " * 200 + "</memory_notes>"
    assert "<memory_notes" not in results(shortened(with_results(3, result)))[0]


@given(broken_conversations(), st.sampled_from(WORDINGS))
def test_nothing_else_changes_and_a_line_is_never_shortened_again(broken: tuple[tuple[Message, ...], int], wording: Wording) -> None:
    messages = repair(broken[0], interrupted="interrupted")
    current = next(place for place, message in enumerate(messages) if message.id == broken[0][broken[1]].id)
    shown = shorten(messages, current, wording)
    assert [(one.id, one.role, one.tool_call_id, one.seq) for one in shown] == [
        (one.id, one.role, one.tool_call_id, one.seq) for one in messages
    ]
    assert all(new == old or (old.role == "tool" and new.tokens < old.tokens) for new, old in zip(shown, messages, strict=True))
    assert all(one.tokens <= LONG or one == old for one, old in zip(shown, messages, strict=True))
    assert shorten(shown, current, wording) == shown
