"""Numbers written in words become figures, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.numerals import figures

WRITTEN = [
    ("三十二岁", "32岁"),
    ("十月五号", "10月5号"),
    ("二〇二四年", "2024年"),
    ("两个孩子", "2个孩子"),
    ("一百零五", "105"),
    ("一百二", "120"),
    ("一万二", "12000"),
    ("一万零二", "10002"),
    ("一亿三千万", "130000000"),
    ("三万五千亿", "3500000000000"),
    ("九千九百九十九万九千九百九十九", "99999999"),
    ("2.5万", "25000"),
    ("3百", "300"),
    ("twenty-three cats and twenty one dogs", "23 cats and 21 dogs"),
    ("two hundred", "200"),
    ("1.5 million", "1500000"),
    ("12,000 and 1,234,567", "12000 and 1234567"),
    ("2,50 and 3.14", "2,50 and 3.14"),
    ("somebody said none", "somebody said none"),
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_numbers_in_words_become_figures(text: str, expected: str) -> None:
    assert figures(text) == expected


@given(st.text("零〇一二两三四五六七八九十百千万亿0123456789., twentyhundred", max_size=60))
def test_any_row_of_numerals_can_be_read_and_figures_stay(text: str) -> None:
    assert isinstance(figures(text), str)
    assert figures("5 cats") == "5 cats"


@given(st.integers(0, 99_999))
def test_a_number_reads_the_same_however_it_is_written(number: int) -> None:
    assert figures(chinese(number)) == str(number)


def chinese(number: int) -> str:
    """A number below 100,000 in Chinese words."""
    digits = "零一二三四五六七八九"
    if not number:
        return "零"
    written, gap = "", False
    for unit, name in ((10_000, "万"), (1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            written += ("零" if gap and written else "") + digits[digit] + name
        gap = not digit
    return written
