"""Every part of a window gets its share, and the shares never add up to more than the window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.context.budget import LEAST_USER_TOKENS, NOTES_TOKENS, TRAILING_TOKENS, Budget, plan_budget
from pagefile.errors import InputError

SIZES = st.integers(0, 300_000)


def total(budget: Budget) -> int:
    parts = (budget.instructions, budget.tools, budget.reply, budget.blocks, budget.summary, budget.user, budget.turn, budget.notes)
    return sum(parts) + budget.recent


def test_a_large_window_gives_every_part_what_it_wants() -> None:
    budget = plan_budget(128_000, instructions=300, tools=600, blocks=900, summary=500, user=40)
    assert (budget.blocks, budget.summary, budget.user, budget.reply) == (900, 500, 40, 4_096)
    assert budget.notes == NOTES_TOKENS + TRAILING_TOKENS
    assert total(budget) == 128_000


def test_blocks_take_15_and_the_summary_10_percent_at_most() -> None:
    budget = plan_budget(20_000, instructions=300, user=40, blocks=9_000, summary=9_000)
    assert (budget.blocks, budget.summary) == (3_000, 2_000)


def test_a_huge_message_gets_half_of_the_window_and_the_rest_is_left_to_the_others() -> None:
    budget = plan_budget(32_000, instructions=300, user=500_000, blocks=400)
    assert budget.user == LEAST_USER_TOKENS + 16_000
    assert budget.recent > 0


def test_a_window_too_small_for_the_fixed_parts_is_refused_with_the_missing_tokens() -> None:
    with pytest.raises(InputError, match=r"window of 1000 tokens is 498 too small.*instructions take 400.*tools 600"):
        plan_budget(1_000, instructions=400, tools=600, user=900)


def test_the_reply_is_reserved_as_the_caller_says() -> None:
    assert plan_budget(8_000, instructions=300, user=40, reply=0).reply == 0
    assert plan_budget(8_000, instructions=300, user=40).reply == 2_000


@given(window=SIZES, instructions=SIZES, tools=SIZES, blocks=SIZES, summary=SIZES, user=SIZES, turn=SIZES, reply=st.none() | SIZES)
def test_the_parts_add_up_to_the_window_and_none_is_negative(window: int, **wanted: int) -> None:
    try:
        budget = plan_budget(window, **wanted)
    except InputError:
        least = min(wanted["user"], LEAST_USER_TOKENS)
        reply = wanted["reply"] if wanted["reply"] is not None else min(4_096, window // 4)
        assert wanted["instructions"] + wanted["tools"] + reply + TRAILING_TOKENS + least > window
        return
    assert total(budget) == window
    assert min(budget.blocks, budget.summary, budget.turn, budget.notes, budget.recent) >= 0
    assert min(wanted["user"], LEAST_USER_TOKENS) <= budget.user <= wanted["user"]
    assert budget.blocks <= 0.15 * window
    assert budget.summary <= 0.10 * window
