"""What repeats itself without end is noticed; what people write is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.models.repetition import LEAST_CHARACTERS, LEAST_TIMES, LONGEST_PASSAGE, Repetition, repeats_itself

WORDS = st.text("abcde fg，我你他好", min_size=1, max_size=LONGEST_PASSAGE).filter(lambda text: any(sign.isalpha() for sign in text))


@given(start=st.text(max_size=100), passage=WORDS)
def test_a_passage_that_never_ends_is_noticed(start: str, passage: str) -> None:
    times = LEAST_TIMES + LEAST_CHARACTERS // len(passage) + 1
    repetition = Repetition()
    pieces = [start, *[passage] * (times + 70)]
    assert any(repetition.noticed(piece) for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "-" * 5_000,
        " " * 5_000,
        "| 1 | 2 |\n" * 400,
        "la la la " * 5,
        "".join(f"{number}. I like the number {number}.\n" for number in range(500)),
        "".join(f"第{number}条：今天是{number}号。\n" for number in range(500)),
        "Row, row, row your boat, gently down the stream. Merrily, merrily, merrily, merrily, life is but a dream. " * 3,
    ],
)
def test_what_people_write_is_not(text: str) -> None:
    repetition = Repetition()
    assert not repeats_itself(text)
    assert not any(repetition.noticed(text[at : at + 7]) for at in range(0, len(text), 7))
