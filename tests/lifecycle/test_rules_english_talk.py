"""English messages that live on others: corrections, short answers, names told later, other speakers, other people's words."""

from __future__ import annotations

import pytest
from english_saying import talk, told, utterance

from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import find_claims
from pagefile.records import Trust


def last(claims: list[Claim]) -> tuple[str, str, str]:
    claim = claims[-1]
    return claim.subject, claim.attribute, claim.value


@pytest.mark.parametrize(
    ("turns", "expected", "text"),
    [
        pytest.param(["I live in Munich.", "A: Nice!", "No, it's Berlin."], ("residence", "Berlin"), "I live in Berlin", id="no it's"),
        pytest.param(["I live in Munich.", "Sorry, I meant Berlin"], ("residence", "Berlin"), "I live in Berlin", id="meant"),
        pytest.param(
            ["I live in Munich.", "Actually it's Berlin now, we moved"], ("residence", "Berlin"), "I live in Berlin", id="actually"
        ),
        pytest.param(["My name is Jon.", "It's Joan, not Jon."], ("name", "Joan"), "My name is Joan", id="not"),
        pytest.param(["I work at Acme.", "A: Acme?", "not Acme, Apex"], ("employer", "Apex"), "I work at Apex", id="not first"),
        pytest.param(
            ["My birthday is on the 4th of May.", "sorry, the 5th"],
            ("birthday", "5th of May"),
            "My birthday is on the 5th of May",
            id="date",
        ),
        pytest.param(
            ["My flight is on Thursday.", "no, it's Friday"], ("plan", "flight on Friday"), "flight on Friday (2023-05-26)", id="plan"
        ),
        pytest.param(["My wife's birthday is March 3", "I was wrong, it's March 13"], ("birthday", "March 13"), None, id="of another"),
        pytest.param(["I have a cat called Mo.", "Oops, I meant Moe"], ("pet", "Moe"), "I have a cat called Moe", id="pet"),
    ],
)
def test_a_correction_gives_the_last_claim_another_value(turns: list[str], expected: tuple[str, str], text: str | None) -> None:
    claims = talk(*turns)
    assert last(claims)[1:] == expected
    assert claims[-1].correction
    assert claims[-1].subject == claims[0].subject
    assert text is None or claims[-1].text == text


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(["I live in Munich.", "No, it's fine."], id="fine"),
        pytest.param(["I live in Munich.", "no, thanks"], id="thanks"),
        pytest.param(["I live in Munich.", "Actually, it's working now"], id="working"),
        pytest.param(["I love jazz.", "No, it's Berlin."], id="a taste has no other value"),
        pytest.param(["No, it's Berlin."], id="nothing before"),
        pytest.param(["I live in Munich.", "What's the weather?", "And tomorrow?", "no, it's Berlin"], id="too long ago"),
    ],
)
def test_a_no_that_corrects_nothing_gives_no_claim(turns: list[str]) -> None:
    assert all(claim.sources[0].message == "m0" for claim in talk(*turns))


def test_a_correction_is_understood_across_learnt_messages() -> None:
    before = utterance("I live in Munich.", message="m1", fresh=False)
    (claim,) = find_claims([before, utterance("No, it's Berlin.", message="m2")])
    assert (claim.value, claim.sources[0].message) == ("Berlin", "m2")


def test_nobody_is_corrected_by_another_speaker() -> None:
    mine = utterance("I live in Munich.", message="m1")
    theirs = utterance("No, it's Berlin.", message="m2", subject="Ben", speaker="Ben")
    assert [claim.value for claim in find_claims([mine, theirs])] == ["Munich"]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        pytest.param("What's your name?", "Anna", ["name | Anna"], id="name"),
        pytest.param("How old are you?", "34", ["age | 34"], id="age"),
        pytest.param("Where do you live?", "In Oslo", ["residence | Oslo"], id="home"),
        pytest.param("What do you do for a living?", "nurse", ["occupation | nurse"], id="job"),
        pytest.param("Any allergies I should know of?", "peanuts and shellfish", ["allergy | peanuts", "allergy | shellfish"], id="list"),
        pytest.param("Are you vegetarian?", "yes", ["diet | vegetarian"], id="yes"),
        pytest.param("Do you smoke?", "No.", ["-habit | smoke"], id="no"),
        pytest.param("Do you have any pets?", "yes, a cat named Misty", ["pet | Misty"], id="a cat"),
        pytest.param("What's your favourite colour?", "teal", ["favourite colour | teal"], id="favourite"),
        pytest.param("What's your name?", "Why do you ask?", [], id="question back"),
        pytest.param("What's your name?", "I'd rather not say", [], id="no answer"),
        pytest.param("Shall I book it?", "yes", [], id="not about the speaker"),
        pytest.param("Are you sure?", "yes", [], id="nothing to keep"),
        pytest.param("Thanks.", "Anna", [], id="nothing asked"),
    ],
)
def test_a_short_answer_is_read_with_its_question(question: str, answer: str, expected: list[str]) -> None:
    claims = talk(f"A: {question}", answer)
    assert [f"{'-' if claim.polarity == 'negative' else ''}{claim.attribute} | {claim.value}" for claim in claims] == expected
    assert all(claim.sources[0].message == "m1" for claim in claims)


def test_a_name_given_later_is_that_of_the_animal_spoken_of() -> None:
    claims = talk("I have a dog.", "A: What's its name?", "Rex")
    assert (claims[-1].attribute, claims[-1].value, claims[-1].tags) == ("pet", "Rex", ("dog",))


def test_a_pronoun_between_two_people_is_nobody() -> None:
    assert told("I talked to Anna and Ben. She loves tea.") == []


def test_the_assistant_states_nothing() -> None:
    assert talk("A: I live in the cloud and I love jazz.", "ok") == []


def test_another_speaker_is_the_subject_of_what_he_says() -> None:
    claims = told("I'm allergic to nuts and my brother lives in Rome", subject="Ben", speaker="Ben")
    assert [(claim.subject, claim.value, claim.speaker) for claim in claims] == [("Ben", "nuts", "Ben"), ("Ben's brother", "Rome", "Ben")]


def test_another_speaker_gives_no_orders() -> None:
    assert told("Never call me before 9. Answer in Spanish.", subject="Ben", speaker="Ben") == []


def test_a_claim_is_as_trusted_as_its_message() -> None:
    (claim,) = told("I live in Rome", trust=Trust.IMPORTED, quarantined=True, agent="a", external_id="x")
    assert (claim.trust, claim.quarantined, claim.agent, claim.sources[0].external_id) == (Trust.IMPORTED, True, "a", "x")
    assert claim.extractor == "rules"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Translate this into French:\nI live in Rome. I love cats.", id="text to translate"),
        pytest.param("Proofread this email: Hi, my name is Bob and I work at Acme.", id="text to check"),
        pytest.param('He wrote "I live in Rome and I love cats" on the wall.', id="quotation"),
        pytest.param("Let's role-play. I'm a knight. I live in a castle.", id="role play"),
        pytest.param("Anna: I live in Rome\nBen: I love cats", id="script"),
        pytest.param("I'm a millionaire. Just kidding!", id="joke"),
        pytest.param("Run `I love cats` please", id="code"),
        pytest.param("For example: I live in Rome.", id="example"),
        pytest.param("Write a diary as if told by a cat. I live in a box. I hate dogs.", id="invented"),
    ],
)
def test_other_peoples_words_are_not_the_speakers(text: str) -> None:
    assert told(text) == []


def test_what_the_screen_blanked_out_joins_no_words() -> None:
    text = "I live in                         and I love jazz"
    assert [(claim.attribute, claim.value) for claim in told(text)] == [("likes", "jazz")]


def test_claims_come_in_the_order_in_which_they_were_said() -> None:
    claims = talk("I love tea. I live in Rome.", "A: ok", "My name is Anna.")
    assert [claim.attribute for claim in claims] == ["likes", "residence", "name"]
