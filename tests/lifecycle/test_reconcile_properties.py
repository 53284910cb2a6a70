"""What holds whatever is claimed, and in whatever order it comes in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from reconciling import Mind, claim, day

from pagefile.lifecycle.facts import Claim
from pagefile.records import Record, Trust

SINGLE = ("residence", "favourite colour", "公司")
TASTE = ("likes", "讨厌")
MANY = ("pet", "allergy", "habit", "plan", "visited", "note", "想学的")
VALUES = ("green", "绿色", "two cats", "猫", "York", "York, England", "every day", "每天", "", "no", "不")
DAYS = st.integers(0, 40)

plain_values = st.sampled_from(("York", "Leeds", "上海", "深圳"))
wild_claims = st.builds(
    lambda attribute, value, when, **fields: claim(attribute, value, when, **fields),
    st.sampled_from(SINGLE + TASTE + MANY),
    st.sampled_from(VALUES),
    DAYS,
    polarity=st.sampled_from(("positive", "negative")),
    certainty=st.sampled_from(("plain", "plain", "passing")),
    correction=st.booleans(),
    ended=st.booleans(),
    quarantined=st.sampled_from((False, False, True)),
    trust=st.sampled_from((Trust.USER_SAID, Trust.USER_SAID, Trust.ASSISTANT_SAID, Trust.IMPORTED)),
    subject=st.sampled_from(("I", "user's brother", "我")),
    tags=st.sampled_from(((), ("cat",))),
    message=st.sampled_from(("a", "b", "c", "d")),
    session=st.sampled_from((None, "s", "t")),
    valid_from=st.one_of(st.none(), DAYS.map(day)),
    valid_to=st.one_of(st.none(), DAYS.map(day)),
)


def what_is_known(mind: Mind) -> list[Record]:
    """The records without what may change when a message is read again: sources and their counter."""
    return [replace(record, sources=(), version=0) for record in mind.records()]


def open_ones(records: list[Record]) -> list[Record]:
    """What goes on. A record without a value is known by its words alone, and a period that is over stands beside what goes on."""
    return [record for record in records if record.value and record.valid_to is None]


@given(st.lists(wild_claims, max_size=12), st.lists(wild_claims, max_size=6))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_plan_can_be_applied_and_leaves_valid_times_that_can_be(first: list[Claim], second: list[Claim]) -> None:
    mind = Mind()
    for claims in (first, second, first):
        outcomes = mind.learn(*claims)
        assert len(outcomes) == len(claims)
        known = {record.id for record in mind.records()}
        assert all(outcome.record is None or outcome.record in known for outcome in outcomes)
    for record in mind.records():
        assert record.valid_from is None or record.valid_to is None or record.valid_from <= record.valid_to


@given(st.lists(wild_claims, max_size=10))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_what_is_not_plainly_said_by_a_person_never_makes_or_ends_a_current_fact(claims: list[Claim]) -> None:
    mind = Mind()
    mind.learn(*(claim(attribute, "York", 0) for attribute in SINGLE))
    before = [replace(record, sources=(), version=0) for record in mind.records("current")]
    mind.learn(*(replace(each, quarantined=True, trust=Trust.ASSISTANT_SAID) for each in claims))
    assert [replace(record, sources=(), version=0) for record in mind.records("current")] == before


@given(st.lists(st.builds(lambda value, when: claim("residence", value, when), plain_values, DAYS), max_size=8))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_there_is_never_more_than_one_current_value_of_what_has_one(claims: list[Claim]) -> None:
    mind = Mind()
    for each in claims:
        mind.learn(each)
        assert len(mind.records("current")) == 1
    spans = sorted((record.valid_from or day(0), record.valid_to or day(1000)) for record in mind.records())
    assert len(mind.records("pending")) == 0
    assert all(begins <= ends for begins, ends in spans)


@given(st.lists(wild_claims, max_size=12))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_at_most_one_open_value_and_one_polarity_of_a_taste_are_current(claims: list[Claim]) -> None:
    mind = Mind()
    mind.learn(*claims)
    current = mind.records("current")
    said = [record for record in open_ones(current) if record.polarity == "positive" and record.attribute in ("residence", "employer")]
    single = Counter((record.subject, record.attribute) for record in said)
    assert not single or max(single.values()) == 1
    tastes = Counter((record.subject, record.value) for record in open_ones(current) if record.attribute == "likes")
    assert not tastes or max(tastes.values()) == 1


@given(st.lists(wild_claims, max_size=10))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_reconciling_the_same_claims_again_changes_nothing_but_sources(claims: list[Claim]) -> None:
    mind = Mind()
    mind.learn(*claims)
    before = what_is_known(mind)
    mind.learn(*claims)
    assert what_is_known(mind) == before


dated_claims = st.lists(
    st.tuples(st.sampled_from(("residence", "likes", "pet")), plain_values, st.sampled_from(("positive", "negative"))),
    min_size=1,
    max_size=7,
).map(
    lambda said: [
        claim(attribute, value, when, polarity=polarity if attribute == "likes" else "positive")
        for when, (attribute, value, polarity) in enumerate(said)
    ]
)


@given(dated_claims.flatmap(lambda claims: st.tuples(st.just(claims), st.permutations(claims))), st.booleans())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_order_in_which_claims_come_in_does_not_change_what_is_current(
    orders: tuple[list[Claim], list[Claim]], one_batch: bool
) -> None:
    in_order, shuffled = Mind(), Mind()
    in_order.learn(*orders[0])
    if one_batch:
        shuffled.learn(*orders[1])
    else:
        for each in orders[1]:
            shuffled.learn(each)
    assert facts(shuffled) == facts(in_order)
    assert last_said(shuffled) == last_said(in_order)


def facts(mind: Mind) -> set[tuple[str | None, str | None, str]]:
    return {(record.attribute, record.value, record.polarity) for record in mind.records("current")}


def last_said(mind: Mind) -> dict[tuple[str | None, str | None], datetime | None]:
    return {(record.attribute, record.value): record.said_at for record in mind.records("current")}


@given(st.permutations(range(5)))
def test_history_of_a_value_has_no_gaps_and_no_overlaps_when_it_is_told_in_order(order: list[int]) -> None:
    mind = Mind()
    for place, value in enumerate(order):
        mind.learn(claim("residence", f"town {value}", place))
    spans = sorted((record.valid_from, record.valid_to) for record in mind.records("superseded"))  # type: ignore[type-var]
    assert all(first[1] == second[0] for first, second in pairwise(spans))
