"""Small talk says nothing; a yes, a name or a fact does."""

from __future__ import annotations

import pytest

from pagefile.language.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    ["Hi", "hello!", "Good morning.", "Thanks a lot :)", "OK 👍", "How are you?", "你好", "早上好！", "谢谢～", "好的。", "ＨＥＬＬＯ"],
)
def test_greetings_thanks_and_acknowledgements_are_small_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text", ["yes", "no", "是的", "不", "Hi Bob", "hello kitty", "谢谢小明", "tea", "早报", "", "  ", "🙂", "hi " * 50]
)
def test_a_yes_a_name_or_a_word_is_not(text: str) -> None:
    assert not is_small_talk(text)
