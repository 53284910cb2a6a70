"""What applications write about their user is read as he would say it."""

from __future__ import annotations

import pytest

from pagefile.lifecycle.written import readings


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The user works at Acme", ("I works at Acme",)),
        ("User's brother likes tea", ("My brother likes tea",)),
        ("the user’ll move", ("I’ll move",)),
        ("用户住在北京", ("我住在北京",)),
        ("用户的女儿叫小雨", ("我的女儿叫小雨",)),
        ("likes tea", ("likes tea", "I likes tea")),
        ("Doesn't eat meat", ("Doesn't eat meat", "I doesn't eat meat")),
        ("no longer smokes", ("no longer smokes", "I no longer smokes")),
        ("not vegetarian", ("not vegetarian", "I am not vegetarian")),
        ("I like tea", ("I like tea",)),
        ("我喜欢茶", ("我喜欢茶",)),
        ("Users hate this", ("Users hate this", "I users hate this")),
        ("用户体验很重要", ("用户体验很重要",)),
        ("not only that", ("not only that",)),
        ("glass is fragile", ("glass is fragile",)),
        ("", ("",)),
    ],
)
def test_a_sentence_is_read_as_the_user_would_say_it(written: str, read: tuple[str, ...]) -> None:
    assert readings(written) == read
