"""Tastes and habits that turn in English: "I'm back on coffee", "I've gone off chocolate", "I do like it now", "a tea person now". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_tastes import is_taste
from pagefile.lifecycle.rules.english_words import (
    FOODS,
    one_of,
)
from pagefile.lifecycle.rules.english_words import (
    words as set_of_words,
)
from pagefile.records import Polarity

Outcome = Iterator[Claim]

_FOOD = one_of(FOODS)
#: What people give up and take up again besides food.
_VICES = (
    r"cigarettes|smoking|vaping|drinking|weed|the booze|booze|social media|instagram|facebook|twitter|tiktok|gaming|dating apps|the sauce"
)
_HABITS = (
    r"running|jogging|swimming|cycling|climbing|bouldering|yoga|pilates|meditation|meditating|journaling|journalling"
    r"|knitting|crochet|pottery"
    r"|painting|drawing|gardening|baking|boxing|crossfit|karate|judo|tennis|golf|chess|padel|pickleball|squash"
    r"|surfing|skating|rowing|hiking"
    r"|dancing|salsa|ballet|guitar|piano|violin|drums|the gym|going to (?:the gym|church|therapy)|working out"
    r"|lifting(?: weights)?|photography"
    r"|cooking|reading|writing|therapy|intermittent fasting|fasting|walking to work|cycling to work|biking to work|commuting by \w+"
)
_NOW = r"(?:\s+(?:now|again|these days|though|actually|after all|lately|too|tbh|for good|completely|entirely|altogether))*\s*$"
_WHEN = r"(?:\s+(?:last|this|in|since|a few|two|three|recently|yesterday|on|about|when|after|because|for)\b.{0,30})?"
_OFF = late_pattern(
    rf"(?:completely |totally |finally )*(?:off|done with|through with|over|finished with)\s+(?:the |my "
    rf"|all )?(?P<what>{_FOOD}|{_VICES}){_NOW}"
)
_BACK_ON = late_pattern(rf"back (?:on|to|onto|at|into)\s+(?:the |my |eating |drinking )?(?P<what>{_FOOD}|{_VICES}|{_HABITS}){_NOW}")
_PHASE = late_pattern(
    r"(?:so |totally |completely |well )*over\s+(?:my|the|that"
    r"|this)\s+(?:whole )?(?P<what>[a-z][a-z -]{2,25}?)\s+(?:phase|thing|craze|era|stage)\b"
)
_PERSON = late_pattern(
    r"(?:more of |kind of |very much |such |definitely |totally |not really )*(?:an?\s+)(?:big |huge |real |total "
    r"|massive )?(?P<what>[a-z]+(?: [a-z]+)?)"
    r"\s+(?P<who>person|guy|girl|gal|lover|fan|nut|addict|enthusiast|junkie|fanatic|fiend|drinker)(?=\s*(?:$|[,.;!?]"
    r"|now\b|than\b|at heart\b|these\b|myself\b|and\b|but\b|so\b|again\b))"
)
_NOT_LIKED = set_of_words(
    "big|little|grown|cool|smart|tech savvy|better|changed|fun|boring|laid-back|chill|hands-on|go-to|nosy|city|country|numbers|words"
    "|ideas|morning|night|people|family|private|quiet|shy|good|bad|nice|different|creative|happy|positive|negative"
    "|religious|patient|busy|simple|social|curious|careful|calm|visual|logical|practical|tidy|messy|loud"
    "|emotional|lazy|honest|sensitive|detail|details|big-picture|it|data|key|contact|only|support|lucky|new|old"
    "|young|tall|short|poor|rich|best|worst|random|regular|nervous|anxious|sad|tough|lovely|first|last|second"
    "|third|normal|wise|hard|tired|hot|cold|heavy|light|tech|same|bad-tempered|great|kind|terrible|strange|weird"
    "|early|late|grumpy|funny|warm|open|closed|quick|slow|young-at-heart|wrong|right|nature-loving|sick|changed"
    "|competitive|spontaneous|organised|organized|sociable|real|huge|introverted|extroverted|homeless|single"
    "|married|disabled|spiritual|serious|busy|delivery|sales"
)
_PLURAL = {
    "movie": "movies",
    "film": "films",
    "dog": "dogs",
    "cat": "cats",
    "book": "books",
    "mountain": "mountains",
    "car": "cars",
    "horse": "horses",
    "plant": "plants",
    "bird": "birds",
}
_WENT_OFF = late_pattern(
    r"(?:gone|went|going)\s+(?:right |completely |totally |really )?off\s+(?:of\s+)?(?!to\b|on\b|the rails|script"
    r"|topic|track|with\b|work\b|at\b|and\b)(?=[a-z])"
    r"|(?:outgrown|outgrew|grew out of|grown out of|fell out of love with|fallen out of love with|lost interest in"
    r"|lost my (?:taste|love|appetite) for)\s+(?=\w)"
    r"|(?:sick|tired|bored|fed up)(?: and tired)? of\s+(?=(?:eating|drinking|playing|watching)\s)"
)
_TOOK_TO = late_pattern(
    r"(?:(?:got|gotten|getting|become|became)\s+(?:really |super |so |pretty |quite |very )*(?:into|hooked on|obsessed with|addicted to)"
    r"|(?:fell|fallen) in love with|hooked on|(?:taken|took) to(?= [a-z]+ing\b)|(?:learned|learnt|come|came|grown"
    r"|grew) to (?:love|like|enjoy|appreciate)|(?:warmed|come around|came around|come round|came round)"
    r"(?: up)? to|discovered a love (?:of|for)|developed a (?:taste|love|passion) for)\s+(?!him\b|her\b|you\b|them\b"
    r"|it\b|this\b|that\b|an?\s+(?:guy|girl|man|woman))(?=\w)"
)
#: "Got into Oxford", "got into trouble".
_ADMITTED = late_pattern(
    r"[A-Z]|trouble|an?\b|the\b|debt|bed|college|uni|med\b|law\b|grad\b|art school|college|high school|my\b|some\b|bad\b"
)
_STARTED = late_pattern(
    rf"(?:(?:re)?started|begun|began|resumed|gone back to|went back to|going back to)\s+(?:(?:eating|drinking|having"
    rf"|consuming)\s+(?P<food>{_FOOD})"
    rf"|(?:doing |playing |practising |practicing )?(?P<habit>{_HABITS}))(?:\s+(?:now|again|these days))*(?={_WHEN}\s*$)"
)
_TOOK_UP = late_pattern(
    r"(?:taken|took|taking|picked|picking)\s+up\s+(?!the (?:phone|slack|tab|bill)|on\b|my\b|some\b|his\b|her\b"
    r"|your\b|a (?:lot|few)|space|time\b|where\b|\w+ from\b)(?P<habit>(?:the )?[a-z]+(?: [a-z]+)?)(?=\s*(?:$|[,.;!]"
    r"|again\b|in\b|last\b|this\b|because\b|and\b|recently\b|lately\b|as\b|to\b|since\b|when\b|during\b))"
)
_SWITCHED = late_pattern(
    r"(?:switched|changed|moved|migrated|converted|gone|went)(?: over)?\s+from\s+(?:an? |the "
    r"|my )?(?P<old>[\w'.+ -]{2,25}?)\s+to\s+(?:an? |the |my )?(?P<new>[\w'.+-]+)"
)
_SWITCHED_TO = late_pattern(
    rf"(?:switched|converted|changed|gone over|moved over)(?: over)? to\s+(?:(?P<food>{_FOOD}){_NOW}"
    rf"|(?P<new>[a-z][\w'.+-]*(?: [a-z][\w'.+-]*)?)(?=\s*(?:$|[,.;!]|last\b|this\b|because\b|and\b|recently\b|for\b"
    rf"|in\b)))"
)
_IT = late_pattern(
    r"(?P<verb>love|like|enjoy|adore|hate|dislike|detest|loathe|stand|bear|eat|drink)s?\s+(?P<it>it|them|that)"
    r"(?P<now>(?:\s+(?:now|again|too|these days|after all|though|so much|a lot|either|actually|at all|anymore))*)\s*$"
)
_AGAINST = ("hate", "dislike", "detest", "loathe")


def turned_state(reading: Reading) -> Outcome:
    """ "I'm off sugar", "I'm back on coffee", "I'm over my running phase", "I'm a tea person now"."""
    said, at, end = reading.plain, reading.at, reading.end
    if (match := _OFF.match(said, at, end)) and not reading.negative:
        yield _consumed(reading, match.span("what"), ended=True)
    elif (match := _BACK_ON.match(said, at, end)) and not reading.negative:
        yield _consumed(reading, match.span("what"))
    elif (match := _PHASE.match(said, at, end)) and not reading.negative:
        yield reading.claim("likes", match.span("what"), ended=True)
    elif (match := _PERSON.match(said, at, end)) and match["what"] not in _NOT_LIKED and match["what"].split()[0] not in _NOT_LIKED:
        # A big fan of something is read elsewhere; a Swiftie fan by name as well as a tea person here.
        what = match["what"]
        polarity: Polarity = "negative" if reading.negative or "not " in match[0] else "positive"
        # "A beach guy" likes beaches; what kind of guy somebody is mostly tells less.
        unsure: dict[str, Any] = {"certainty": "passing"} if match["who"] in ("guy", "girl", "gal") and what not in FOODS else {}
        yield reading.claim("likes", _PLURAL[what] if what in _PLURAL else match.span("what"), polarity=polarity, **unsure)


def _consumed(reading: Reading, what: tuple[int, int], *, ended: bool = False) -> Claim:
    food = reading.plain[slice(*what)] in FOODS
    return reading.claim("diet" if food else "habit", what, ended=ended)


def turned(reading: Reading) -> Outcome:
    """ "I've gone off chocolate", "I got into pottery", "I started eating meat again", "I took up judo", "I switched from X to Y"."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative:
        return
    if match := _WENT_OFF.match(said, at, end):
        yield from _tastes(reading, match.end(), ended=True)
    elif (match := _TOOK_TO.match(said, at, end)) and not (
        " into" in match[0] and _ADMITTED.match(reading.clause.sentence.text, match.end())
    ):
        yield from _tastes(reading, match.end())
    elif match := _STARTED.match(said, at, end):
        yield reading.claim("diet" if match["food"] else "habit", match.span("food" if match["food"] else "habit"))
    elif match := _TOOK_UP.match(said, at, end):
        yield reading.claim("habit", reading.value(match.start("habit")))
    elif (match := _SWITCHED_TO.match(said, at, end)) and (match["food"] or reading.clause.sentence.text[match.start("new")].isupper()):
        part = "food" if match["food"] else "new"
        yield reading.claim("diet" if match["food"] else "uses", reading.value(match.start(part), end=match.end(part)))
    elif match := _SWITCHED.match(said, at, end):
        yield from _switched(reading, match)


def _tastes(reading: Reading, begin: int, *, ended: bool = False) -> Outcome:
    found = [each for each in reading.values(begin) if is_taste(reading.plain[slice(*each)])]
    for each in found:
        yield reading.claim("likes", each, among=found, ended=ended)


def _switched(reading: Reading, match: re.Match[str]) -> Outcome:
    """Of tools by name, and of food."""
    old, new, text = match["old"], match["new"], reading.clause.sentence.text
    foods = old in FOODS and new in FOODS
    tools = (
        text[match.start("old")].isupper()
        and text[match.start("new")].isupper()
        and "moved" not in match[0]
        and not match[0].startswith(("went", "gone"))
    )
    if foods or tools:
        attribute = "diet" if foods else "uses"
        yield reading.claim(attribute, match.span("new"))
        yield reading.claim(attribute, match.span("old"), ended=True)


def of_it(reading: Reading) -> Outcome:
    """ "Actually I do like it now": what was liked or not just before."""
    match = _IT.match(reading.plain, reading.at, reading.end)
    before = next((each for each in reversed(reading.context.recent) if each.attribute in ("likes", "diet")), None)
    if match is None or before is None or (before.attribute == "diet") != (match["verb"] in ("eat", "drink")):
        return
    if match["verb"] in ("stand", "bear") and not reading.negative:
        return
    against = match["verb"] in _AGAINST
    negative = against != reading.negative or reading.ended
    plural = before.value.endswith("s") and not before.value.endswith("ss")
    if match["it"] == "them" and not plural and " " not in before.value:
        return
    if before.subject == reading.subject:
        here = before.sources[0].message == reading.clause.sentence.utterance.message
        lead = reading.plain[reading.clause.begin : reading.at]
        marked = match["now"].strip() or reading.ended or re.search(r"\b(?:do|now|actually|really|again|no longer)\b", lead)
        disliked = (before.polarity == "negative") != before.only_ends
        if negative == disliked or not (here or marked):
            return
    ended = negative and (reading.ended or "anymore" in match["now"])
    polarity: Polarity = "negative" if negative else "positive"
    yield standing_for(reading, reading.claim(before.attribute, before.value, polarity=polarity, ended=ended))


def standing_for(reading: Reading, found: Claim) -> Claim:
    """The claim with what "it" stands for in its text: the clause alone would not tell."""
    return replace(found, text=re.sub(r"\b(?:it|them|that|those)\b", lambda _: found.value, found.text, count=1))


def grew_on(reading: Reading) -> Outcome:
    """ "Olives have grown on me"."""
    match = late_pattern(
        r"(?P<value>[a-z][\w' -]{1,30}?)(?:'s|\s+(?:has|have|is|are))?\s*(?:really |finally )?(?:grown|grew|growing) on me\b"
    ).match(reading.plain, reading.clause.at, reading.end)
    if match:
        value = trimmed(reading.plain, *match.span("value"))
        if is_taste(reading.plain[slice(*value)]):
            yield reading.claim("likes", value)


_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_ON_DAY = late_pattern(rf"\s+on (?:the )?(?P<day>{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH})\b")


def turns_age(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "Turns 30 on May 9" tells a birthday; "turns 30 next week" is ahead."""
    if day := _ON_DAY.match(reading.plain, match.end(), reading.end):
        yield reading.claim("birthday", day.span("day"))
    elif reading.is_timed(plan=True):
        yield reading.claim("plan", reading.whole(match.start()))


def turning(reading: Reading) -> Outcome:
    """ "Turning 30 on May 9"."""
    match = late_pattern(r"turning\s+\d{1,3}\b").match(reading.plain, reading.at, reading.end)
    if match and not reading.negative and _ON_DAY.match(reading.plain, match.end(), reading.end):
        yield from turns_age(reading, match)
