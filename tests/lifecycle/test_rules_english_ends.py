"""What is over in English talk, and what only looks as if it told something of the speaker."""

from __future__ import annotations

import pytest
from english_saying import talk, told, utterance

from pagefile.lifecycle.rules import find_claims

#: What is said, and what it ends if it is known: the attribute and value, "-" before a denial that holds no more.
ENDS = """
I don't hate flying any more => -likes | flying
I no longer dislike cats => -likes | cats
I don't hate jazz => -likes | jazz
I used to hate olives => -likes | olives
I stopped hating Mondays => -likes | Mondays
I don't mind the cold any more => -likes | cold
I can stand jazz now => -likes | jazz
I graduated from MIT => occupation | student
I finished my PhD => occupation | student
I got a job at Google => occupation | unemployed
I got laid off => employer | job
I gave up on piano => goal | piano
I quit guitar => habit | guitar
I stopped learning Spanish => goal | learning Spanish
I don't drink coffee any more => habit | drink coffee
We broke up last month => partner | partner
Rex died last week => pet | Rex
Poor Rex passed away => pet | Rex
I gave birth last week => health | pregnant
I outgrew my peanut allergy => allergy | peanut
I moved out of Rome => residence | Rome
I sold the Corsa => owns | Corsa
I started eating meat again => diet | vegetarian
I'm vegan => diet | vegetarian
My meeting was moved to Monday => plan | meeting
no more crossfit for me => habit | crossfit
"""


@pytest.mark.parametrize("row", ENDS.strip().splitlines(), ids=lambda row: row.split(" => ")[0])
def test_what_is_over_ends_what_is_known_of_it_and_tells_nothing_else(row: str) -> None:
    text, expected = row.split(" => ")
    endings = [claim for claim in find_claims([utterance(text)]) if claim.only_ends]
    # The polarity is that of the claim: what it ends says the opposite.
    assert expected in [f"{'-' if claim.polarity == 'positive' else ''}{claim.attribute} | {claim.value}" for claim in endings]


UPDATES = [
    ("My favourite player is Messi", "now it is Ronaldo", "My favourite player is Ronaldo"),
    ("My favorite color is blue.", "It's green now.", "My favorite color is green"),
    ("My favourite snack is popcorn", "these days it's pretzels", "My favourite snack is pretzels"),
    ("I weigh 80 kg", "it's 76 kg now", "I weigh 76 kg"),
]


@pytest.mark.parametrize(("before", "after", "text"), UPDATES)
def test_an_update_that_names_nothing_is_about_what_was_said_last(before: str, after: str, text: str) -> None:
    *_, claim = talk(before, after)
    assert (claim.text, claim.correction) == (text, False)


@pytest.mark.parametrize(
    "after", ["It's raining now", "it's late now", "now it's broken", "It's my turn now", "it's fixed now", "It's cold now"]
)
@pytest.mark.parametrize("before", ["My favorite color is blue.", "My favourite player is Messi", "I weigh 80 kg"])
def test_what_is_so_now_of_anything_else_is_no_update(before: str, after: str) -> None:
    assert len(talk(before, after)) == 1


def test_what_two_people_do_together_is_told_of_both() -> None:
    assert [(claim.subject, claim.value) for claim in told("My brother and I live in Rome")] == [
        ("user", "Rome"),
        ("user's brother", "Rome"),
    ]


def test_the_one_who_is_left_is_named() -> None:
    assert [(claim.attribute, claim.value, claim.ended) for claim in told("Tom and I broke up")][-1] == ("partner", "Tom", True)


#: Jokes, figures of speech, texts to be worked on, and words of others.
NOT_OF_THE_SPEAKER = """
I'm from the support team, can you reset a password?
I'm from a family of doctors
I'm allergic to Mondays and early meetings
I'm married to my job at this point
I'm getting married to the idea of microservices
I'm a sucker for punishment apparently
I'm secretly Batman
Oh sure, I just love waiting on hold for an hour
Great, I love Mondays. Not.
Let's assume I'm a vegan athlete, how much protein?
Let's do a job interview: I am a candidate and I live in Rome
Her status says: I live in Berlin and love techno
Bio: I'm a Lisbon-based photographer who loves surfing. Make it punchier
Cover letter draft:\\nI am a nurse with ten years of experience.\\nI live in Leeds.
Here is my dating profile: I'm 29, I love hiking and my dog Milo. Thoughts?
Make this sound better - I work at Google and I am good at teams
Caption: my dog loves the beach
Mia: I'm in for Friday. Also I don't eat fish
Subject: I'm moving to the Berlin office
ticket 5512: customer says my app crashes and I live in Peru so timezone matters
I told my students: keep answers short
What does 'keep answers short' do in a system prompt?
Rule 4 of the style guide: keep answers short, use bullet points
I don't have a car today
ugh, I hate living here
I like this better than the first draft
"""


@pytest.mark.parametrize("text", NOT_OF_THE_SPEAKER.strip().splitlines())
def test_what_only_sounds_like_the_speaker_tells_nothing_of_him(text: str) -> None:
    assert [claim for claim in told(text.replace("\\n", "\n")) if claim.certainty == "plain"] == []


@pytest.mark.parametrize(
    "text",
    [
        "My diet is mostly coffee and regret",
        "My goal is to center this div",
        "I want to learn how to write a decorator",
        "I'm a numbers guy",
    ],
)
def test_what_may_be_a_joke_or_the_task_at_hand_waits_until_it_is_said_again(text: str) -> None:
    assert {claim.certainty for claim in told(text)} <= {"passing"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've never been big on musicals", [("likes", "musicals", "negative")]),
        ("I'm not allergic to shellfish, just to dust", [("allergy", "shellfish", "negative"), ("allergy", "dust", "positive")]),
        ("I like tea better than coffee", [("likes", "tea", "positive")]),
        ("I hate my commute, 90 minutes each way", [("likes", "my commute", "negative")]),
        ("I quit Instagram in March", [("habit", "Instagram", "negative")]),
        ("I'm type 1 diabetic", [("health", "type 1 diabetic", "positive")]),
        ("English again please", [("preferred language", "English", "positive")]),
        ("less fluff, more facts", [("answer style", "less fluff, more facts", "positive")]),
        ("my favourite colour used to be red, it's teal now", [("favourite colour", "teal", "positive")]),
    ],
)  # fmt: skip
def test_what_is_told_besides_is_not_mistaken(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(claim.attribute, claim.value, claim.polarity) for claim in told(text)] == expected
