"""What leaves a full window: the oldest, whole turns, and never what is being answered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pagefile.context.evict import plan_eviction, warns
from pagefile.context.repair import repair
from pagefile.messages import Message

from .conversations import broken_conversations, call, conversation, said


def sizes(messages: tuple[Message, ...], each: int = 100) -> list[int]:
    return [each] * len(messages)


def test_nothing_leaves_while_at_most_90_percent_is_used() -> None:
    messages = (*conversation(5), said(11))
    assert plan_eviction(messages, sizes(messages), current=10, share=1_112) is None


def test_above_90_percent_the_oldest_leave_until_half_is_free() -> None:
    messages = (*conversation(5), said(11))
    eviction = plan_eviction(messages, sizes(messages), current=10, share=1_000)
    assert eviction is not None
    assert (len(eviction.evicted), eviction.tokens, eviction.window_start) == (6, 600, 7)


def test_the_first_message_that_stays_is_a_users() -> None:
    messages = (*conversation(9, tools_every=1), said(46))
    for share in range(100, 4_500, 150):
        eviction = plan_eviction(messages, sizes(messages), current=45, share=share)
        assert eviction is None or eviction.kept[0].role == "user"


def test_the_message_that_is_answered_and_all_after_it_stay_even_if_nothing_else_fits() -> None:
    asks = said(6, "assistant", "", tool_calls=(call("a"),))
    messages = (*conversation(2), said(5), asks, said(7, "tool", "found", tool_call_id="a"))
    eviction = plan_eviction(messages, sizes(messages), current=4, share=0)
    assert eviction is not None
    assert eviction.kept == messages[4:]


def test_results_that_came_after_another_message_stay_with_their_call() -> None:
    messages = (
        said(1),
        said(2, "assistant", "", tool_calls=(call("a"), call("b"))),
        said(3, "tool", "first", tool_call_id="a"),
        said(4, "user", "are you there?"),
        said(5, "tool", "second", tool_call_id="b"),
        said(6, "assistant", "yes"),
        said(7),
    )
    eviction = plan_eviction(messages, sizes(messages), current=6, share=500)
    assert eviction is not None
    assert eviction.window_start == 7


def test_the_warning_comes_once_when_70_percent_is_passed() -> None:
    used = [200 * turn for turn in range(20)]
    assert [turn for turn in range(1, 20) if warns(before=used[turn - 1], used=used[turn], share=4_000)] == [15]


@given(broken_conversations(), st.integers(0, 3_000), st.data())
def test_eviction_and_rest_are_all_in_order_and_a_second_plan_changes_nothing(
    broken: tuple[tuple[Message, ...], int], share: int, data: st.DataObject
) -> None:
    messages, current = broken
    each = data.draw(st.lists(st.integers(0, 900), min_size=len(messages), max_size=len(messages)))
    eviction = plan_eviction(messages, each, current=current, share=share)
    if eviction is None:
        return
    gone = len(eviction.evicted)
    assert (*eviction.evicted, *eviction.kept) == messages
    assert 0 < gone <= current
    assert messages[current] in eviction.kept
    assert eviction.kept[0].role == "user"
    assert sum(each[:current]) > 0.9 * share
    assert pairs_within(eviction.evicted) + pairs_within(eviction.kept) == pairs_within(messages)
    again = plan_eviction(eviction.kept, each[gone:], current=current - gone, share=share)
    assert again is None or sum(each[gone:current]) > 0.9 * share, "it only goes on if it could not get far enough"


@given(broken_conversations(), st.integers(0, 3_000))
def test_once_repaired_a_conversation_always_gets_within_its_share(broken: tuple[tuple[Message, ...], int], share: int) -> None:
    messages, position = broken
    repaired = repair(messages, interrupted="interrupted")
    current = next(place for place, message in enumerate(repaired) if message.id == messages[position].id)
    eviction = plan_eviction(repaired, sizes(repaired), current=current, share=share)
    kept = eviction.kept if eviction else repaired
    used = 100 * next(place for place, message in enumerate(kept) if message.id == messages[position].id)
    assert used <= 0.9 * share
    if eviction:
        assert used <= 0.5 * share
        assert plan_eviction(kept, sizes(kept), current=used // 100, share=share) is None


def pairs_within(messages: tuple[Message, ...]) -> int:
    """How many results have their call before them."""
    made: set[str] = set()
    pairs = 0
    for message in messages:
        pairs += message.role == "tool" and message.tool_call_id in made
        made |= {one.id for one in message.tool_calls}
    return pairs
