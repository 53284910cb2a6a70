"""What was erased is known again however it is written; what is something else is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagefile.language.keys import known_by, marks, record_known_by, text_key
from pagefile.testing.fakes import make_draft, make_record

#: Two ways to write the same.
SAME = [
    ("我对花生过敏", "我對花生過敏"),
    ("我住在台北，头发是红色的", "我住在臺北,頭髮是紅色的"),
    ("ＡＢＣ公司", "ABC公司"),
    ("电话１３８００１３８０００", "電話 138-0013-8000"),
    ("我有三只猫", "我有3隻貓"),
    ("我今年三十二岁", "我今年32岁"),
    ("月薪一万二", "月薪12,000"),
    ("我 在 Google 上班。", "我在google上班"),
    ("Lives in New York!", "lives in NewYork"),
    ("has three cats", "Has 3 cats."),
    ("weighs twenty-three kilos", "weighs 23 kilos"),
    ("earns 3,000 dollars", "earns 3000 dollars"),
    ("likes Café Noir", "likes cafe noir"),
    ("e-mail at night", "email at night"),
]
#: Two things.
OTHER = [("weighs 3.5 kilos", "weighs 35 kilos"), ("我有三只猫", "我有四只猫"), ("likes tea", "likes no tea"), ("!", "?")]


@pytest.mark.parametrize(("text", "other"), SAME, ids=[text for text, _ in SAME])
def test_script_width_figures_blanks_and_signs_do_not_make_another_text(text: str, other: str) -> None:
    assert marks(make_record(text)) == marks(make_record(other))
    draft = make_draft(text)
    assert marks(draft) == marks(replace(draft, text=other))


@pytest.mark.parametrize(("text", "other"), SAME, ids=[text for text, _ in SAME])
def test_nor_do_they_make_another_fact(text: str, other: str) -> None:
    fact = make_record("one way to put it", subject="用户", attribute="饮食", value=text)
    again = replace(fact, text="another way", subject="用戶", attribute="飲食", value=other)
    assert set(marks(fact)) & set(marks(again))


@pytest.mark.parametrize(("text", "other"), OTHER, ids=[text for text, _ in OTHER])
def test_something_else_is_not_taken_for_what_was_erased(text: str, other: str) -> None:
    assert not set(known_by(make_record(text))) & set(known_by(make_record(other)))


def test_a_record_and_a_claim_that_says_the_same_are_known_by_the_same_marks() -> None:
    record = make_record("Works at Acme.", subject="user", attribute="employer", value="Acme")
    assert known_by(record) == record_known_by("Works at Acme.", "user", "employer", "Acme", "positive")
    assert set(marks(record)) < set(known_by(record))


def test_what_is_denied_is_not_known_by_what_was_affirmed() -> None:
    likes = make_record("likes jazz", subject="user", attribute="likes", value="jazz")
    denied = replace(likes, text="does not like jazz", polarity="negative")
    assert not set(marks(likes)) & set(known_by(denied))


def test_what_an_earlier_version_left_behind_is_known() -> None:
    assert text_key("Lives in 3 houses") in known_by(make_record("Lives in 3 houses"))
