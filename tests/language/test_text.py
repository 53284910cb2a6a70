from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.text import clean, fold, language_of, simplify

anything = st.text(st.characters(exclude_categories=[]))


def test_clean_joins_surrogate_pairs_and_replaces_lone_ones() -> None:
    assert clean("\ud83d\ude00") == "😀"
    assert clean("a\ud83db\ude00") == "a\ufffdb\ufffd"


def test_clean_drops_control_characters_but_keeps_tabs_and_line_ends() -> None:
    assert clean("Acme moved\x00 to\x07 Shenzhen\t!\r\n\x1f") == "Acme moved to Shenzhen\t!\r\n"


@pytest.mark.parametrize("text", ["", "  két  é\u0301 ﬁ ＡＢＣ\u200d\ufeff", "\ufeff早报 👨‍👩‍👧‍👦\x7f\x85"])
def test_clean_leaves_everything_else_as_it_is(text: str) -> None:
    assert clean(text) == text


@given(anything)
def test_clean_is_idempotent_and_gives_text_that_can_be_stored(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned


def test_folding_makes_case_and_width_equal() -> None:
    assert fold("Ｃ盘 STRASSE") == fold("c盘 straße")


@given(anything)
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_simplifying_drops_latin_accents_and_keeps_marks_that_make_another_letter() -> None:
    assert simplify("Café Müller Łódź naïve don’t") == "Cafe Muller Lodz naive don't"
    assert simplify("が й") == "が й"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did I say about my cat?", "en"),
        ("Qué tal", "en"),
        ("我不再喜欢吃川菜", "zh"),
        ("我在 OpenAI 工作", "zh"),
        ("重跑gen-itgc后", "zh"),
        ("Please translate the word 早报 for me", "en"),
        ("鲜の每日果汁店今天开业", "zh"),
        ("今日は東京に行きます", "ja"),
        ("コンピューター", "ja"),
        ("오늘은 날씨가 좋아요", "ko"),
        ("Сегодня хорошая погода", "other"),
        ("ذهبت اليوم إلى الحديقة", "other"),
        ("", "other"),
        ("12:30 😀 !!", "other"),
    ],
)
def test_the_language_is_told_by_the_script(text: str, language: str) -> None:
    assert language_of(text) == language
