"""English statements and the claims that rules read out of them."""

from __future__ import annotations

import pytest
from english_nothing import NOTHING
from english_saying import told
from english_what import WHAT
from english_who import WHO

from pagefile.lifecycle.facts import Claim


def shown(claim: Claim) -> str:
    sign = "!" if claim.ended else "-" if claim.polarity == "negative" else ""
    subject = "" if claim.subject == "user" else f"{claim.subject} | "
    return f"{sign}{'?' if claim.certainty == 'passing' else ''}{subject}{claim.attribute} | {claim.value}"


def rows(table: str) -> list[str]:
    return [line for line in table.strip().splitlines() if line]


@pytest.mark.parametrize("row", rows(WHO + WHAT), ids=lambda row: row.split(" => ")[0])
def test_a_statement_says_these_facts_and_no_others(row: str) -> None:
    text, expected = row.split(" => ")
    assert [shown(claim) for claim in told(text)] == expected.split("; ")


@pytest.mark.parametrize("text", rows(NOTHING))
def test_what_states_nothing_of_the_speaker_gives_no_claim(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        pytest.param("I like hiking, jazz and Thai food", ["I like hiking", "I like jazz", "I like Thai food"], id="list"),
        pytest.param("I moved to Berlin and work as a designer", ["I moved to Berlin", "I work as a designer"], id="same subject"),
        pytest.param("My son lives in Rome and works as a chef", ["My son lives in Rome", "My son works as a chef"], id="kin"),
        pytest.param("Well, honestly, I love opera, you know.", ["I love opera"], id="fillers"),
        pytest.param("I have a dog. His name is Rex. He's 5.", ["I have a dog", "His name is Rex", "Rex is 5"], id="pronoun"),
        pytest.param("I'm free on weekends, but I hate mornings", ["I'm free on weekends", "I hate mornings"], id="clauses"),
    ],
)  # fmt: skip
def test_the_text_of_a_claim_stands_alone(said: str, text: list[str]) -> None:
    assert [claim.text for claim in told(said)] == text


@pytest.mark.parametrize(
    ("text", "value", "tags"),
    [
        pytest.param("my brother Tom is here", "Tom", ("brother",), id="brother"),
        pytest.param("We have a dog called Rex", "Rex", ("dog",), id="dog"),
        pytest.param("I have two sisters, Ann and Zoe", "Zoe", ("sister",), id="sisters"),
        pytest.param("My wife's name is Mei", "Mei", ("wife",), id="wife"),
    ],
)
def test_what_somebody_is_to_the_speaker_is_a_tag(text: str, value: str, tags: tuple[str, ...]) -> None:
    (claim,) = [claim for claim in told(text) if claim.value == value]
    assert claim.tags == tags
    assert value in claim.entities


@pytest.mark.parametrize(
    ("attribute", "text"),
    [("allergy", "I'm allergic to nuts"), ("constraint", "never use my work email"), ("name", "My name is Anna")],
)
def test_what_hurts_when_forgotten_is_more_important_than_a_taste(attribute: str, text: str) -> None:
    (claim,) = told(text)
    (taste,) = told("I like jazz")
    assert claim.attribute == attribute
    assert claim.importance > taste.importance


def test_a_guess_is_passing_and_less_sure() -> None:
    (guess,) = told("I think I'm allergic to cats")
    (fact,) = told("I'm allergic to cats")
    assert (guess.certainty, fact.certainty) == ("passing", "plain")
    assert guess.confidence < fact.confidence


def test_the_source_is_the_clause_that_says_it() -> None:
    text = "Hello! By the way, I love tea and my name is Anna."
    taste, name = told(text)
    spans = [claim.sources[0].span for claim in (taste, name)]
    assert [text[slice(*span)] for span in spans if span] == ["I love tea", "my name is Anna"]


@pytest.mark.parametrize("attribute", ["phone", "email"])
def test_identifiers_are_sensitive(attribute: str) -> None:
    said = {"phone": "My phone number is 07700 900123", "email": "my email is anna@example.com"}
    (claim,) = told(said[attribute])
    assert (claim.attribute, claim.privacy) == (attribute, "sensitive")
