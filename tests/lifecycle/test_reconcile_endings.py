"""Claims that only end: "I graduated" takes away that somebody is a student, and puts nothing in its place."""

from __future__ import annotations

import pytest
from reconciling import Mind, claim, day

from pagefile.lifecycle.facts import Claim
from pagefile.records import Trust


def ending(attribute: str, value: str, when: float, **fields: object) -> Claim:
    return claim(attribute, value, when, **({"polarity": "negative", "ended": True, "only_ends": True} | fields))


@pytest.mark.parametrize(
    ("attribute", "known", "value"),
    [
        ("occupation", "student", "student"),
        ("habit", "run every day", "run"),
        ("goal", "learn piano", "piano"),
        ("employer", "Acme", "job"),
        ("pet", "Rex", "Rex"),
    ],
)
def test_what_is_known_holds_until_then(attribute: str, known: str, value: str) -> None:
    mind = Mind()
    mind.learn(claim(attribute, known, 0))
    (outcome,) = mind.learn(ending(attribute, value, 30))
    record, denial = mind.records()
    assert (outcome.what, outcome.record, outcome.replaced) == ("ended", None, (record.id,))
    assert (record.status, record.valid_to) == ("superseded", day(30))
    assert (denial.status, denial.valid_to) == ("superseded", None), "what ended it is history, so that it can be taken back"


def test_a_dislike_is_ended_by_the_taste_that_denies_it_and_no_taste_is_told() -> None:
    mind = Mind()
    mind.learn(claim("likes", "cats", 0, polarity="negative"))
    mind.learn(claim("likes", "cats", 3, only_ends=True))
    assert mind.records("current") == []
    mind.learn(claim("likes", "cats", 4))
    assert [record.polarity for record in mind.records("current")] == ["positive"]


def test_where_nothing_is_known_it_tells_nothing() -> None:
    mind = Mind()
    (outcome,) = mind.learn(ending("pet", "Rex", 1))
    assert (outcome.what, mind.records()) == ("passed over", [])


def test_what_the_same_message_says_is_not_meant() -> None:
    mind = Mind()
    mind.learn(claim("plan", "meeting on Friday", 0, valid_from=day(4), valid_to=day(5)))
    mind.learn(
        claim("plan", "meeting on Monday", 1, message="moved", valid_from=day(7), valid_to=day(8)),
        ending("plan", "meeting", 1, message="moved"),
    )
    assert [record.value for record in mind.records("current")] == ["meeting on Monday"]


def test_of_several_events_the_last_one_that_is_still_to_come_is_meant() -> None:
    mind = Mind()
    mind.learn(claim("plan", "meeting with Ann", 0, valid_from=day(1), valid_to=day(2)))
    mind.learn(claim("plan", "meeting with Ben", 1, valid_from=day(9), valid_to=day(10)))
    mind.learn(claim("plan", "meeting with Cleo", 2, valid_from=day(8), valid_to=day(9)))
    mind.learn(ending("plan", "meeting", 3, valid_from=None))
    assert [record.value for record in mind.records("current")] == ["meeting with Ann", "meeting with Ben"]


@pytest.mark.parametrize("fields", [{"certainty": "passing"}, {"trust": Trust.ASSISTANT_SAID}, {"quarantined": True}])
def test_only_a_plain_word_of_a_person_ends_anything(fields: dict[str, object]) -> None:
    mind = Mind()
    mind.learn(claim("occupation", "student", 0))
    mind.learn(ending("occupation", "student", 1, **fields))
    assert [record.value for record in mind.records("current")] == ["student"]


def test_what_was_said_later_is_not_ended_by_older_words() -> None:
    mind = Mind()
    mind.learn(claim("habit", "run every day", 5))
    mind.learn(ending("habit", "run", 1))
    assert [record.value for record in mind.records("current")] == ["run every day"]
