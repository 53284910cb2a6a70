"""Tool calls and results pair up, whatever was left in the journal."""

from __future__ import annotations

from hypothesis import given

from pagefile.context.repair import repair
from pagefile.messages import Message

from .conversations import broken_conversations, call, conversation, said


def test_a_sound_conversation_stays_as_it_is() -> None:
    messages = conversation(6, tools_every=2)
    assert repair(messages, interrupted="interrupted") == messages


def test_a_call_that_a_crash_left_without_result_gets_one() -> None:
    asks = said(2, "assistant", "", tool_calls=(call("a"), call("b")))
    repaired = repair((said(1), asks, said(3, "tool", "found", tool_call_id="a"), said(4)), interrupted="interrupted")
    assert [(message.role, message.text) for message in repaired] == [
        ("user", "hello"),
        ("assistant", ""),
        ("tool", "found"),
        ("tool", "interrupted"),
        ("user", "hello"),
    ]


def test_results_without_a_call_and_second_results_are_left_out() -> None:
    asks = said(2, "assistant", "", tool_calls=(call("a"),))
    results = [said(seq, "tool", f"result {seq}", tool_call_id=id) for seq, id in ((1, "z"), (3, "a"), (4, "a"))]
    repaired = repair((results[0], asks, *results[1:]), interrupted="interrupted")
    assert [message.text for message in repaired] == ["", "result 3"]


def test_a_result_that_came_late_is_pulled_up_to_its_call() -> None:
    asks = said(1, "assistant", "", tool_calls=(call("a"),))
    repaired = repair((asks, said(2), said(3, "tool", "late", tool_call_id="a")), interrupted="interrupted")
    assert [message.seq for message in repaired] == [1, 3, 2]


def test_ids_that_a_model_counts_from_zero_in_every_reply_are_told_apart() -> None:
    messages = []
    for seq in (1, 3):
        messages += [said(seq, "assistant", "", tool_calls=(call("call_0"),)), said(seq + 1, "tool", f"{seq}", tool_call_id="call_0")]
    repaired = repair(messages, interrupted="interrupted")
    assert [message.tool_call_id for message in repaired if message.role == "tool"] == ["call_0", "call_0-3"]
    assert [message.text for message in repaired if message.role == "tool"] == ["1", "3"]


@given(broken_conversations())
def test_repairing_twice_changes_nothing_more(broken: tuple[tuple[Message, ...], int]) -> None:
    once = repair(broken[0], interrupted="interrupted")
    assert repair(once, interrupted="interrupted") == once


@given(broken_conversations())
def test_what_people_said_is_never_left_out_or_reordered(broken: tuple[tuple[Message, ...], int]) -> None:
    def spoken(messages: tuple[Message, ...]) -> list[str]:
        return [message.id for message in messages if message.role != "tool" and message.text.strip()]

    assert spoken(repair(broken[0], interrupted="interrupted")) == spoken(broken[0])
