"""What else is over when something is said to be, in English: "I don't run any more", "I graduated", "Tom and I broke up". Pure.

"I gave up on piano" ends whatever is known of that, and tells nothing where nothing is known: which it is, is seen when claims are
reconciled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_places import find_place
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import RELATIONS, words

Outcome = Iterator[Claim]

#: Verbs of what is felt or happens to one are no habits, and nothing that "it" stands for can be told apart.
_NO_HABIT = late_pattern(
    r"(?:know|think|feel|care|want|need|like|love|hate|see|have|get|find|remember|believe|understand|trust|work|live|mind|enjoy"
    r"|be|own|speak|hear|look|seem|exist|matter|say|dislike|go there|miss|recall|prefer|wish|hope|agree|support|recognize|recognise)\b"
    r"|.*\b(?:it|that|this|them|those|these|there|him|her|you|your)\b"
)
#: What ended then has been over since, and who is known now came later.
_LONG_AGO = late_pattern(r"\b(?:in|since|back in)\s+(?:19|20)\d\d\b|\b(?:years|decades|ages) ago\b|\bwhen i was\b")
_LONGEST_HABIT = 5
_LEARNING = late_pattern(
    r"(?:(?:stopped|quit|gave up|given up|giving up|dropped|abandoned|finished with)\s+(?:on\s+)?(?:my\s+)?"
    r"|(?:bailed|threw in the towel) on\s+(?:my\s+)?)"
    r"(?P<what>(?:trying to |learning (?:to )?|studying |training for |saving (?:up )?(?:for |to )|working towards? |practi[cs]ing )?"
    r"(?:the |a )?(?!it\b|that\b|this\b|him\b|her\b|them\b|you\b|us\b|me\b|my\b|trying\b|on\b|out\b|off\b|by\b|working\b|being\b|using\b)"
    r"[a-z][\w'-]*(?: [a-z][\w'-]*){0,3}?)(?=\s*(?:$|[,.;!]|last\b|this\b|in\b|after\b|because\b|ages\b|a\b|two\b|when\b|since\b|years\b))"
)
_NO_GOAL = words("smoking|drinking|work|eating|vaping|gambling|smoking weed|caring|talking|worrying|hope|everything|life|people|sleep")
_GRADUATED = late_pattern(
    r"(?:graduated\b(?! (?:to|into)\b)|finished (?:school|college|uni|university|my (?:degree|studies|phd|masters|master's|bachelor'?s))\b"
    r"|(?:got|received|completed|earned) my (?:degree|diploma|phd|masters|master's|bachelor'?s)\b|dropped out\b)"
)
_HIRED = late_pattern(r"(?:got hired|(?:got|found|landed|started|accepted) (?:a|my|the) (?:\w+ ){0,2}?(?:job|role|position)\b)")
_OUT_OF_WORK = late_pattern(
    r"(?:(?:just |been |got )*(?:laid off|fired|made redundant|let go)\b|lost my job\b|quit my job\b|left my job\b|retired\b)"
)
_OUTGREW = late_pattern(
    r"(?:outgrown|outgrew|grown out of|grew out of|got over|gotten over|been cured of)\s+(?:my|her|his|their|the|an?)\s+"
    r"(?P<what>[a-z][a-z ]{1,25}?)\s+(?:allergy|intolerance)\b"
)
_MOVED_OUT = late_pattern(r"(?:moved (?:out of|away from)|left)\s+(?=[a-z])(?!my\b|the\b|a\b|her\b|his\b)")
_BORN = late_pattern(r"(?:gave birth|had (?:a|my|our|the) (?:baby|twins|son|daughter|little (?:boy|girl)))\b")
_BROKE_UP = late_pattern(
    r"(?:broke up|split up|broken up|split|separated|parted ways|called it quits|got divorced|are over|ended things|are no longer together"
    r"|are not together|aren't together)"
    r"(?=\s*(?:$|[,.;!]|last\b|this\b|in\b|after\b|a\b|two\b|three\b|yesterday\b|recently\b|on\b|because\b|and\b|for good\b|any ?more\b))"
)
_MEATS = words("meat|beef|pork|chicken|fish|seafood|bacon|lamb|steak")
_MEATLESS = words("vegetarian|vegan|pescatarian")
_LOVED_ONES = frozenset(noun for noun, attribute in RELATIONS.items() if attribute == "partner")
_DIED = late_pattern(
    r"\s+(?:has |had |just |sadly |recently |'s )*(?:died|passed away|passed(?=\s+(?:last|this|on|in|yesterday)\b)|ran away"
    r"|was put (?:down|to sleep)|had to be put (?:down|to sleep)|crossed the rainbow bridge)\b"
)
#: The dead remain what they were to somebody, but for these.
_LIVING = ("pet", "partner")


def also_over(reading: Reading, found: Sequence[Claim]) -> Outcome:
    """What the verb ends besides what it says: a habit, a goal, being a student or out of work, a relation."""
    known = {each.attribute for each in found}
    if reading.ended and "habit" not in known:
        yield from _habit_over(reading, known)
    long_ago = _LONG_AGO.search(reading.plain, reading.clause.begin, reading.end) is not None
    if not reading.negative:
        yield from _goal_over(reading, known)
        yield from () if long_ago else _work_over(reading)
    eaten = {each.value.lower() for each in found if each.attribute == "diet" and each.polarity == "positive"}
    if not eaten.isdisjoint(_MEATS | _MEATLESS):
        # Whoever eats meat again is no vegan, and a vegan is more than a vegetarian.
        yield from (reading.ending("diet", each) for each in sorted(_MEATLESS - eaten))
    if (not reading.negative or reading.ended) and not long_ago:
        yield from _together_no_more(reading)


def _habit_over(reading: Reading, known: set[str]) -> Outcome:
    """ "I don't run any more", "I no longer drink coffee"."""
    # "No longer available" has no subject: it may be anything's.
    if (
        reading.mode != "do"
        or reading.plain.startswith("no longer", reading.clause.at)
        or _NO_HABIT.match(reading.plain, reading.at, reading.end)
    ):
        return
    value = reading.value(reading.at)
    if 1 <= len(reading.plain[slice(*value)].split()) <= _LONGEST_HABIT:
        yield reading.ending("habit", value) if known else reading.claim("habit", value)


def _goal_over(reading: Reading, known: set[str]) -> Outcome:
    """ "I stopped learning Spanish", "I gave up on piano"."""
    match = _LEARNING.match(reading.plain, reading.at, reading.end)
    if match and "diet" not in known and match["what"] not in _NO_GOAL and not match["what"].endswith("ly"):
        yield reading.ending("goal", match.span("what"))
        if "habit" not in known:
            yield reading.ending("habit", match.span("what"))


def _work_over(reading: Reading) -> Outcome:
    """Who has graduated is no student, who has got a job is not out of work, who has lost it works nowhere."""
    said, at, end = reading.plain, reading.at, reading.end
    if _GRADUATED.match(said, at, end):
        yield reading.ending("occupation", "student")
    elif _HIRED.match(said, at, end):
        yield reading.ending("occupation", "unemployed")
    elif place := _MOVED_OUT.match(said, at, end):
        if (home := find_place(reading, place.end())) and reading.clause.sentence.text[home[0]].isupper():
            yield reading.ending("residence", home)
    elif grown := _OUTGREW.match(said, at, end):
        yield reading.ending("allergy", grown.span("what"))
    elif _BORN.match(said, at, end):
        yield reading.ending("health", "pregnant")
    elif _OUT_OF_WORK.match(said, at, end):
        yield reading.ending("employer", "job")


def _together_no_more(reading: Reading) -> Outcome:
    """ "Tom and I broke up"; "we split up" of the one who is known."""
    match = _BROKE_UP.match(reading.plain, reading.at, reading.end)
    if match is None or not reading.own:
        return
    along = reading.clause.along
    if along is None:
        if re.match(r"we\b", reading.plain[reading.clause.at :]):
            yield reading.ending("partner", "partner")
        return
    noun = reading.plain[slice(*along)].removeprefix("my ").split()[0]
    if reading.plain.startswith("my ", along[0]) and noun not in _LOVED_ONES:
        return
    name = reading.clause.written(*along).split()[-1]
    yield reading.claim("partner", name, ended=True)


def died(reading: Reading, name: str, after: int) -> Outcome:
    """ "Rex died last week", of a pet or a partner of that name."""
    if _DIED.match(reading.plain, after, reading.end) is None:
        return
    known = next((each for each in reversed(reading.context.recent) if each.attribute in _LIVING and each.value == name), None)
    if known is not None and known.polarity == "positive":
        yield reading.claim(known.attribute, name, tags=known.tags, entities=(name,), ended=True)
    elif known is None:
        for attribute in _LIVING:
            yield reading.ending(attribute, name)
