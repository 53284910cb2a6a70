"""English as it is typed: without marks, by learners, with corrections and answers across messages."""

from __future__ import annotations

import pytest
from english_messy import MESSY, MESSY_NOTHING, MESSY_TALK
from english_saying import talk, told
from test_rules_english import rows, shown

from pagefile.lifecycle.facts import Claim


def marked(claim: Claim) -> str:
    return f"{'^' if claim.correction else ''}{shown(claim)}"


@pytest.mark.parametrize("row", rows(MESSY), ids=lambda row: row.split(" => ")[0])
def test_a_message_says_these_facts_however_it_is_typed(row: str) -> None:
    text, expected = row.split(" => ")
    assert [marked(claim) for claim in told(text)] == expected.split("; ")


@pytest.mark.parametrize("row", rows(MESSY_TALK), ids=lambda row: row.split(" => ")[0])
def test_messages_that_live_on_others_say_these_facts(row: str) -> None:
    turns, expected = row.split(" => ")
    assert [marked(claim) for claim in talk(*turns.split(" || "))] == expected.split("; ")


@pytest.mark.parametrize("text", rows(MESSY_NOTHING))
def test_moods_tasks_and_other_peoples_words_give_no_claim_however_they_are_typed(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("hes 17", id="apostrophe"),
        pytest.param("my bf's name is kai hes 17", id="kin"),
        pytest.param("im in leeds w my mum n hes late tmrw", id="several"),
        pytest.param("we got a puppy omg hes soooo cute", id="drawn out"),
        pytest.param("my wife she is a nurse", id="learner"),
    ],
)
def test_the_source_of_what_is_read_in_plain_english_is_what_was_typed(text: str) -> None:
    for claim in told(f"Hello! {text}. Bye."):
        (source,) = claim.sources
        assert source.span is not None
        assert f"Hello! {text}. Bye."[slice(*source.span)] in text


def test_a_time_in_short_is_read_and_stays_as_it_was_typed() -> None:
    (claim,) = told("my dentist appointment is tmrw at 3pm")
    assert claim.valid_from is not None
    assert claim.valid_from.date().isoformat() == "2023-05-25"
    assert "tmrw" in claim.text


def test_no_is_no_correction_where_it_answers_a_question() -> None:
    (claim,) = talk("A: Do you like fish?", "no, I'm vegan")
    assert (claim.value, claim.correction) == ("vegan", False)


def test_what_it_stands_for_is_in_the_text() -> None:
    claims = talk("I hated olives as a kid.", "I don't like sushi.", "A: ok", "actually I do like it now")
    assert claims[-1].text == "I do like sushi now"


@pytest.mark.parametrize(
    ("said", "attribute"),
    [("call me Max", "nickname"), ("everyone calls me Max", "nickname"), ("I go by Max", "nickname"), ("My name is Max", "name")],
)
def test_what_somebody_is_called_is_not_their_name(said: str, attribute: str) -> None:
    (claim,) = told(said)
    assert (claim.attribute, claim.value) == (attribute, "Max")
