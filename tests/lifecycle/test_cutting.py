"""What rules and a model read in the same words is one fact, wherever each cuts it out and whatever it calls it."""

from __future__ import annotations

from typing import Any

import pytest
from reconciling import Mind, claim

from pagefile.lifecycle.facts import Claim


def by_rules(attribute: str, value: str, text: str, **fields: Any) -> Claim:
    return claim(attribute, value, 0, text=text, message="m", span=(0, len(text)), **fields)


def by_model(attribute: str, value: str, text: str, **fields: Any) -> Claim:
    return by_rules(attribute, value, text, extractor="model:test", **fields)


@pytest.mark.parametrize(
    ("text", "rules", "model"),
    [
        ("I can't do Saturdays", ("constraint", "can't do Saturdays", "positive"), ("constraint", "Saturdays", "negative")),
        ("我周六没空", ("constraint", "周六没空", "positive"), ("constraint", "周六", "negative")),
        ("no bullet points", ("answer style", "no bullet points", "positive"), ("answer style", "bullet", "negative")),
        ("别超过300字", ("answer style", "别超过300字", "positive"), ("constraint", "300", "negative")),
        ("叫我老王就行", ("nickname", "老王", "positive"), ("name", "老王", "positive")),
        ("I like vegetarian food", ("likes", "vegetarian food", "positive"), ("likes", "vegetarian", "positive")),
        ("I have a dog called Rex", ("pet", "Rex", "positive"), ("owns", "a dog called Rex", "positive")),
        ("我每天早上要吃优甲乐", ("habit", "每天早上要吃优甲乐", "positive"), ("health", "优甲乐", "positive")),
        ("我讨厌两个人一直尬笑的", ("likes", "两个人一直尬笑", "negative"), ("likes", "尬笑", "negative")),
        ("I want to run a marathon", ("goal", "run a marathon", "positive"), ("plan", "marathon", "positive")),
    ],
)
def test_what_two_readers_cut_out_of_one_message_is_one_fact(text: str, rules: tuple[str, str, Any], model: tuple[str, str, Any]) -> None:
    mind = Mind()
    mind.learn(by_rules(rules[0], rules[1], text, polarity=rules[2]))
    mind.learn(by_model(model[0], model[1], text, polarity=model[2]))
    record = mind.only()
    assert (record.attribute, record.value, record.polarity, record.evidence_count) == (*rules, 1)


def test_a_plan_for_somebody_is_his_and_the_speakers() -> None:
    mind, text = Mind(), "tomorrow is my sister's wedding"
    mind.learn(by_rules("plan", "my sister's wedding", text))
    mind.learn(by_model("plan", "wedding", text, subject="user's sister"))
    assert mind.only().value == "my sister's wedding"


@pytest.mark.parametrize(
    ("text", "attribute", "value"), [("I am lactose intolerant", "diet", "lactose intolerant"), ("我对花生过敏", "health", "对花生过敏")]
)
def test_an_allergy_is_never_lost_to_something_milder(text: str, attribute: str, value: str) -> None:
    mind = Mind()
    mind.learn(by_rules(attribute, value, text))
    mind.learn(by_model("allergy", "lactose" if "lactose" in text else "花生", text))
    assert mind.only().attribute == "allergy"


@pytest.mark.parametrize(
    ("text", "rules", "model"),
    [
        ("I like tea and green tea", ("likes", "green tea"), ("likes", "tea")),
        ("I like coffee and cake", ("likes", "coffee and cake"), ("likes", "cake")),
        ("I like tea", ("likes", "tea"), ("employer", "tea")),
        ("My name is Ann Lee", ("name", "Ann Lee"), ("nickname", "Ann")),
        ("I eat party food, I like art", ("likes", "party food"), ("likes", "art")),
    ],
)
def test_different_facts_of_one_message_stay_apart(text: str, rules: tuple[str, str], model: tuple[str, str]) -> None:
    mind = Mind()
    mind.learn(by_rules(*rules, text))
    mind.learn(by_model(*model, text))
    assert len(mind.records("current")) == 2


def test_what_is_said_in_another_message_is_no_reading_of_this_one() -> None:
    mind = Mind()
    mind.learn(by_rules("likes", "green tea", "I like green tea"))
    mind.learn(claim("likes", "tea", 1, extractor="model:test"))
    assert {record.value for record in mind.records("current")} == {"green tea", "tea"}


def test_one_reader_that_says_two_things_means_two() -> None:
    mind, text = Mind(), "I like green tea"
    mind.learn(by_model("likes", "green tea", text), by_model("likes", "green", text))
    assert len(mind.records("current")) == 2
