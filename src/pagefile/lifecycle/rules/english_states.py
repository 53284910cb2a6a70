"""What single English complements say, once the table of them has found them: age, home, allergies, names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_jobs import study_claims
from pagefile.lifecycle.rules.english_places import find_place, place_claims
from pagefile.lifecycle.rules.english_reading import Reading, Rule
from pagefile.lifecycle.rules.english_turns import standing_for
from pagefile.lifecycle.rules.english_words import DIETS, LANGUAGES, NATIONALITIES, NOT_NAMES

Outcome = Iterator[Claim]


RELIGIONS = (
    "muslim|christian|catholic|jewish|hindu|buddhist|sikh|atheist|agnostic|protestant|orthodox|mormon|quaker|baptist"
    "|lutheran|methodist|pagan|a christian|a muslim|an atheist|a buddhist|a catholic|a hindu|a jew"
)


SIGNS = "aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces"


_NOT_ALLERGENS = frozenset(
    [
        "work",
        "mornings",
        "exercise",
        "mondays",
        "drama",
        "people",
        "nonsense",
        "meetings",
        "stupidity",
        "cardio",
        "effort",
        "bullshit",
        "responsibility",
        "commitment",
        "fun",
        "change",
        "losing",
        "failure",
        *(f"{day}days" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")),
        "small talk",
        "fools",
        "idiots",
        "deadlines",
        "spreadsheets",
        "paperwork",
        "homework",
        "housework",
        "chores",
        "monotony",
        "boredom",
        "vim",
        "javascript",
        "java",
        "php",
        "politics",
        "hype",
        "buzzwords",
        "compliments",
        "alarms",
        "adulting",
        "humans",
        "criticism",
        "winning",
        "money",
    ]
)


_THEM = late_pattern(r"(?:it|them|those|both)\b")


def age(reading: Reading, match: re.Match[str]) -> Outcome:
    if " are" in reading.plain[reading.clause.at : match.start()] and reading.own is False:
        # Of several people: "my kids are 5 and 7".
        if several := late_pattern(r"\d{1,2}(?:,\s*\d{1,2})*(?:,?\s+(?:and|&)\s+\d{1,2})").match(reading.plain, match.start(), reading.end):
            yield reading.claim("age", several.span())
            reading.at = reading.end
        return
    if 3 <= _number(match["age"]) <= 115:
        yield reading.claim("age", match.span("age"))


def _number(words: str) -> int:
    return int(words) if words.isdigit() else 30


def in_their(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("age", match.span("value"))


#: "From the support team": who sends somebody is not where he comes from.
_NO_HOME = late_pattern(
    r"(?:the|a|an|my|our|your)\s+(?:[\w&'-]+\s+){0,3}?(?:team|department|dept|office|company|agency|side|desk|group"
    r"|class|course|school|firm|bank"
    r"|council|press|crew|club|committee|division|branch|lab|shop|store|future|past|internet|beginning|start|outside|inside|other)\b"
    # A family of doctors, a time before phones: without a name it is no place.
    r"|an?\s+(?!(?:[\w'-]+\s+){0,3}?(?:village|town|city|island|suburb|farm|hamlet|region|county|province|place|part|neighbou?rhood)\b)"
    r"|(?:hr|it|sales|marketing|finance|support|legal|work|home|accounting|here|there|now|then|day|time)\b(?!\s+[a-z]+,)"
)


def hometown(reading: Reading, match: re.Match[str]) -> Outcome:
    place = None if _NO_HOME.match(reading.plain, match.end(), reading.end) else find_place(reading, match.end())
    if place:
        yield reading.claim("hometown", place)
        if then := late_pattern(
            r"\s*(?:,\s*)?(?:but|and)?\s*(?:i'm |i am )?(?:now |currently )?(?:live|living|based|reside)\s+in\s+"
        ).match(reading.plain, place[1], reading.end):
            yield from place_claims(reading, then.end(), "residence")


def residence(reading: Reading, match: re.Match[str]) -> Outcome:
    yield from place_claims(reading, match.end(), "residence")


#: "Not to shellfish, just to dust".
_BUT_TO = late_pattern(r",?\s+(?:but |just |only |rather )+(?:allergic )?(?:to\s+)?(?=[a-z])(?!i\b|my\b|it\b|that\b)")


def allergy(reading: Reading, match: re.Match[str]) -> Outcome:
    if _THEM.match(reading.plain, match.end(), reading.end):
        if before := next((each for each in reversed(reading.context.recent) if each.attribute in ("likes", "diet", "pet")), None):
            yield standing_for(reading, reading.claim("allergy", before.value))
        return
    found = list(reading.values(match.end()))
    # "Allergic to Mondays and early meetings": where one is a joke, all are.
    if any(not _NOT_ALLERGENS.isdisjoint((reading.plain[slice(*each)], reading.plain[slice(*each)].split()[-1])) for each in found):
        return
    for each in found:
        if len(reading.plain[slice(*each)].split()) <= 5:
            yield reading.claim("allergy", each, among=found)
    if reading.negative and found and (but := _BUT_TO.match(reading.plain, found[-1][1], reading.end)):
        yield from (reading.claim("allergy", each, polarity="positive") for each in reading.values(but.end()))


def simple(attribute: str) -> Rule:
    def read(reading: Reading, match: re.Match[str]) -> Outcome:
        yield reading.claim(attribute, match.span("value"))

    return read


def married_to(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("marital status" if match["how"] in ("married", "engaged") else "note", match.span("how"))
    if name := _name_at(reading, match.end()):
        yield reading.claim("partner", name, entities=(reading.clause.written(*name),))


def with_children(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("marital status", match.span("how"))
    yield reading.claim("child", match.span("children"), polarity="negative" if match["children"].startswith("no ") else "positive")


def zone(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("timezone", match.span("value") if match["value"] else match.span("short"))


def partner(reading: Reading, match: re.Match[str]) -> Outcome:
    if name := _name_at(reading, match.end()):
        yield reading.claim("partner", name)


_CAPITALISED = late_pattern(r"[A-Z][\w'’-]*[a-z][\w-]*(?:\s+(?:[A-Z]\.\s+)?(?:(?:van|von|de|da|del|bin|al)\s+)?[A-Z][\w’'-]*[a-z]\w*){0,3}")


def _name_at(reading: Reading, at: int) -> tuple[int, int] | None:
    text = reading.clause.sentence.text
    match = _CAPITALISED.match(text, at, reading.end)
    if match is None or match[0].split()[0].lower() in NOT_NAMES or match[0].endswith(("'s", "’s")):
        return None
    return match.span()


_AFTER_NAME = late_pattern(r"\s*(?:$|[,.;!?()]|(?:and|from|but|by the way|here|btw|with|speaking|the|your|a|an)\b)")


_ODD_NAMES = (
    frozenset(RELIGIONS.split("|"))
    | frozenset(SIGNS.split("|"))
    | frozenset(
        [
            "team",
            "type",
            "generation",
            "gen",
            "aspergers",
            "adhd",
            "autistic",
            "ok",
            "pro",
            "ready",
            "done",
            "back",
            "republican",
            "democrat",
            "conservative",
            "liberal",
            "tory",
            "labour",
            "libra",
            "santa",
        ]
    )
    | DIETS
)


_AS_IF = late_pattern(r"\b(?:secretly|basically|literally|practically|kinda|kind of|sort of|sorta|pretty much|honestly|totally|lowkey)\b")


def name(reading: Reading, match: re.Match[str]) -> Outcome:
    name = _name_at(reading, reading.at)
    # "I'm secretly Batman", "I'm basically Sherlock".
    if _AS_IF.search(reading.plain, reading.clause.at, reading.at):
        return
    if (
        reading.mode != "be"
        or reading.negative
        or not reading.own
        or name is None
        or not _AFTER_NAME.match(reading.plain, name[1], reading.end)
    ):
        return
    words = reading.clause.written(*name)
    if words.lower() in NATIONALITIES or words.lower() in LANGUAGES or words.lower() in _ODD_NAMES or len(words) < 2:
        return
    # In a title or a shouted text capitals mean nothing.
    if sum(word[0].isupper() for word in reading.clause.text.split()) > 2 + len(words.split()) + reading.clause.text.count(","):
        return
    yield reading.claim("name", name)


def language(reading: Reading, match: re.Match[str]) -> Outcome:
    found = [each for each in reading.values(match.end()) if reading.plain[slice(*each)] in LANGUAGES]
    for each in found:
        yield reading.claim("language", each, among=found)


def study(reading: Reading, match: re.Match[str]) -> Outcome:
    yield from study_claims(reading, match.end())


def note(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("note", match.span("value"))


def attributed(reading: Reading, match: re.Match[str]) -> Outcome:
    found = [
        each
        for each in reading.values(match.end())
        if re.match(
            r"(?!(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight|today|\d|any|either|both|all"
            r"|whatever|me|him|her|them|this|that|it|how|what|you|the way|heart|losing|sounding|being|asking|making|failing)\b)[a-z]",
            reading.plain[slice(*each)],
        )
    ]
    for each in found:
        if len(reading.plain[slice(*each)].split()) <= 4:
            yield reading.claim(
                "fear" if "f" in match["what"] or "scared" in match["what"] or "terr" in match["what"] else "skill", each, among=found
            )


_JOB_TALK = late_pattern(
    r"\b(?:job|jobs|switched|joined|company|role|work|employer|hired|career|offer|first day|new boss|new team"
    r"|advisor|onboarding|intern|started|promoted|shift|shifts)\b"
)


def _talks_of_jobs(reading: Reading) -> bool:
    told = reading.context.recent[-1] if reading.context.recent else None
    about_work = told is not None and told.attribute in ("employer", "occupation")
    return about_work or _JOB_TALK.search(reading.clause.sentence.utterance.text.lower()) is not None


def in_here(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "Still in Penang" of somebody who is about to move."""
    place = find_place(reading, match.end())
    said = reading.plain[reading.clause.begin : reading.end]
    lasting = re.search(r"\b(?:now|still|currently|these days)\b", said) and not reading.is_frequent()
    moving = any(
        re.search(r"\b(?:mov|relocat)", each.text.lower()) or (each.attribute == "residence" and lasting) for each in reading.context.recent
    )
    if place and moving and reading.clause.sentence.text[place[0]].isupper():
        yield reading.claim("residence", place)


def dead(reading: Reading, match: re.Match[str]) -> Outcome:
    if not reading.own:
        yield reading.claim("experience", match.span("value"))


def seeing(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I'm not seeing Daniel anymore". Without that, one sees people for lunch."""
    if reading.ended:
        yield from partner(reading, match)


def now_at(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I switched jobs, I'm now at Stripe": an employer, where it is about jobs."""
    place = find_place(reading, match.end(), organisation=True)
    if place and reading.clause.sentence.text[place[0]].isupper() and (reading.ended or _talks_of_jobs(reading)):
        yield reading.claim("employer", place)


def medicine(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("health", match.span("value"))
