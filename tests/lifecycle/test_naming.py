"""A model may say that somebody is who he speaks of. He is only whom he says he is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from extracting import SAID_AT, fact, said

from pagefile.lifecycle.facts import Utterance
from pagefile.lifecycle.verify import Batch, Refusal, claim_of


def batch(line: Utterance) -> Batch:
    return Batch(lines={1: line}, extractor="model:test", now=SAID_AT + timedelta(days=1))


def held(text: str, attribute: str, value: str, **fields: Any) -> bool:
    """Whether a model that reads this of the one who speaks is believed."""
    line = said(text, **fields)
    try:
        claim = claim_of(fact(text, attribute, value), batch(line))
    except Refusal:
        return False
    return (claim.subject, claim.attribute) == (line.subject, attribute)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm Christophe", "name", "Christophe"),
        ("hey im leo", "name", "leo"),
        ("I'm Anna, Christophe's manager", "name", "Anna"),
        ("I'm Tomasz, but everybody calls me Tomek", "nickname", "Tomek"),
        ("My wife calls me Bear", "nickname", "Bear"),
        ("I'd like to be called Sam", "nickname", "Sam"),
        ("Priya is my name", "name", "Priya"),
        ("I'm a nurse by training", "occupation", "nurse"),
        ("I'm Anna's husband", "partner", "Anna"),
        ("My wife Anna's birthday is in May", "partner", "Anna"),
        ("我叫小杰", "name", "小杰"),
        ("我是会计部的小杰", "name", "小杰"),
        ("我的同事叫我小杰", "nickname", "小杰"),
        ("叫我小杰吧", "nickname", "小杰"),
        ("我是一名医生", "occupation", "医生"),
    ],
)
def test_what_somebody_says_he_is_is_believed(text: str, attribute: str, value: str) -> None:
    assert held(text, attribute, value)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm Christophe's manager", "name", "Christophe"),
        ("I'm Christophe's manager", "nickname", "Christophe"),
        ("I'm the manager of Christophe", "name", "Christophe"),
        ("I'm Anna, Christophe's manager", "name", "Christophe"),
        ("I am calling Christophe tomorrow", "name", "Christophe"),
        ("I'm married to Christophe", "name", "Christophe"),
        ("I'm writing for Sam", "name", "Sam"),
        ("It's Sam who told me", "name", "Sam"),
        ("I call my brother Chris at home", "nickname", "Chris"),
        ("I named my boat Daisy", "name", "Daisy"),
        ("I'm a doctor's wife", "occupation", "doctor"),
        ("I am the daughter of a lawyer", "occupation", "lawyer"),
        ("I met Anna's husband", "partner", "Anna"),
        ("我是小杰的经理", "name", "小杰"),
        ("我是小杰的经理", "nickname", "小杰"),
        ("我是小杰妈妈", "name", "小杰"),
        ("我叫小杰帮我订票", "name", "小杰"),
        ("我管我弟弟叫小杰", "nickname", "小杰"),
        ("我给我的狗取名小杰", "name", "小杰"),
        ("我是医生的家属", "occupation", "医生"),
    ],
)
def test_whom_somebody_only_speaks_of_he_is_not(text: str, attribute: str, value: str) -> None:
    assert not held(text, attribute, value)


@pytest.mark.parametrize(("text", "value"), [("please keep your answers short", "short"), ("回答请简短一点", "简短一点")])
def test_how_others_want_to_be_answered_is_no_wish_of_the_user(text: str, value: str) -> None:
    assert held(text, "answer style", value)
    for subject in ("user", "Lena", "I"):
        with pytest.raises(Refusal):
            claim_of(fact(text, "answer style", value, subject=subject), batch(said(text, subject="Lena", speaker="Lena")))
