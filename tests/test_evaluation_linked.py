"""The measure of questions that take two facts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.linked import ALONE, WALKED, measure, table
from evaluation.linked_questions import CHINESE, CHINESE_OTHERS, ENGLISH, ENGLISH_OTHERS, Linked, facts

pytestmark = pytest.mark.anyio


def test_there_are_enough_questions_in_both_languages_and_each_takes_two_facts() -> None:
    assert len(ENGLISH) == len(CHINESE) >= 15
    for linked in (*ENGLISH, *CHINESE):
        assert linked.name in linked.who and linked.name in linked.answer and linked.name in linked.direct
        assert linked.name not in linked.question
    told = facts(ENGLISH, ENGLISH_OTHERS)
    assert len(told) == len(set(told)) == len(ENGLISH) * (len(ENGLISH_OTHERS) + 2)


@pytest.mark.parametrize(("questions", "others"), [(ENGLISH[:3], ENGLISH_OTHERS), (CHINESE[3:8], CHINESE_OTHERS)], ids=["en", "zh"])
async def test_the_walk_finds_the_second_fact_among_those_of_others(questions: Sequence[Linked], others: Sequence[str]) -> None:
    answered = await measure(questions, others, "none")
    assert all(each.linked.answer in each.rankings[WALKED][:5] for each in answered)
    alone, walked = (
        sum((*each.rankings[how], each.linked.answer).index(each.linked.answer) for each in answered) for how in (ALONE, WALKED)
    )
    assert walked < alone
    direct = await measure(questions, others, "none", direct=True)
    assert all(each.rankings[WALKED][0] == each.rankings[ALONE][0] for each in direct)
    assert len(table("x", answered).rows) == 2
