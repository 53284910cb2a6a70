"""What somebody can do or cannot, eat, stand or make time for, in English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_orders as orders
from pagefile.lifecycle.rules.english_phrases import items, value_end
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import FOODS, LANGUAGES

Outcome = Iterator[Claim]


_BODILY = late_pattern(
    r"(?P<value>(?:swim|drive|cook|ride a bike|whistle|sing|dance|read music|ski|skate|type|juggle|drive stick"
    r"|drive a manual|play (?:the )?\w+|code|program|sew|knit|bake|draw|paint|surf|dive|do a handstand"
    r"|do (?:push-?ups|pull-?ups)))\s*(?:$|[,.!]|to save my life|very well|at all|a bit|well|yet|now\s*$|again\s*$|these days)"
)


_EATEN = late_pattern(
    r"(?:eat|drink|have|digest|consume|handle|tolerate|stomach|do)\s+(?:any |any kind of |much |too much |anything with )*(?=[a-z])"
)


_FOODISH = frozenset(
    [
        "dairy",
        "gluten",
        "alcohol",
        "caffeine",
        "nuts",
        "peanuts",
        "seafood",
        "shellfish",
        "spicy food",
        "spicy foods",
        "spicy",
        "lactose",
        "milk",
        "eggs",
        "meat",
        "pork",
        "beef",
        "sugar",
        "wheat",
        "fish",
        "soy",
        "coffee",
        "red meat",
        "raw fish",
        "dairy products",
        "cheese",
        "shrimp",
        "prawns",
        "garlic",
        "onions",
        "heat",
        "cold",
        "mushrooms",
        "bread",
        "carbs",
        "wine",
        "beer",
        "anything spicy",
        "tree nuts",
        "chocolate",
        "citrus",
        "grapefruit",
        "tomatoes",
    ]
)


_ENDURED = late_pattern(
    r"(?:stand|bear|abide|stomach|deal with|handle|tolerate|resist|live without|do without|get enough of"
    r"|be bothered with|be arsed with|be doing with|get into"
    r"|get behind)\s+(?:to\s+)?(?=[a-z])"
)


_LIKED_AFTER_ALL = ("resist", "live without", "do without", "get enough of")


_DAYS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|school holidays"
    r"|the holidays|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|weekdays?"
    r"|mornings?|evenings?"
    r"|afternoons?|nights?|school nights|nights out|work (?:days|hours)|early mornings|late nights)"
)


_UNABLE = late_pattern(
    rf"(?P<value>(?:do|make(?: it)?|work|meet|come(?: in)?|attend|take (?:calls|meetings)|go out|be (?:there|reached"
    rf"|available)|have (?:calls|meetings)|talk|travel|fly|commit to)\b.*?\b{_DAYS}\b.*|(?:do|work|make"
    rf"|manage)\s+{_DAYS}\b.*|(?:work|meet|talk|take (?:calls|meetings)|do (?:calls|meetings|anything)|be (?:reached"
    rf"|disturbed))\s+(?:after|before|past|between)\s+\d.*|(?:afford|spend)\s+(?:to (?:spend|pay) )?(?:more than|over"
    rf"|above)\s+.*|drive (?:at night|on (?:highways|motorways))|(?:lift|stand for|sit for|climb stairs|use stairs"
    rf"|walk far|use the stairs)\b.*|use (?:my|the) (?:work|company|personal|office) .*|have (?:pets|guests"
    rf"|visitors).*)"
)


_FREE = late_pattern(
    rf"(?P<value>(?:only |not |never |usually |always )*(?:reachable(?: by \w+)?|free|available|busy|off|booked|in meetings|unavailable"
    rf"|home|not free|not available|out of office|out of the office|on call)\s+(?:on|after|before|until|from|between"
    rf"|during|in the|at|every|all)\s+.*?(?:{_DAYS}|\d|lunch|work|school)\b.*)"
)


def able(reading: Reading) -> Outcome:
    """What somebody can do, or cannot: eat, stand, do on Mondays."""
    said, at, end = reading.plain, reading.at, reading.end
    if not reading.negative:
        yield from _can(reading)
        return
    if re.match(
        r"(?:wait|believe|help|remember|seem|find|figure|decide|tell|stop|imagine|afford (?:it|that|this)"
        r"|get (?!enough|into|behind)|think|say|see|access|open|log|connect|sleep|go (?:today|tonight|tomorrow)"
        r"|do (?:it|that|this)|understand|make it (?:today|tonight|tomorrow|on \w+day$|this|next))",
        said[at:end],
    ):
        return
    if _ENDURED.match(said, at, end):
        yield from _endured(reading)
    elif rule := list(orders.forbidden(reading)):
        yield from rule
    elif match := _UNABLE.match(said, at, end):
        if not re.search(r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening)|next)\b", said[at:end]):
            yield reading.claim("constraint", _with_not(reading, match.start("value")), polarity="positive", ended=False)
    elif match := _BODILY.match(said, at, end):
        yield reading.claim("skill", match.span("value"))
    elif match := _EATEN.match(said, at, end):
        strict = match[0].startswith(("eat", "drink", "digest", "consume"))
        yield from _not_eaten(reading, match.end(), strict=not strict)


def _endured(reading: Reading) -> Outcome:
    """ "I can't stand jazz", "I can't live without tea"."""
    said, at, end = reading.plain, reading.at, reading.end
    match = _ENDURED.match(said, at, end)
    assert match is not None  # the caller saw it
    after = said[match.end() : end]
    if match[0].startswith(("handle", "tolerate")) and any(said[slice(*each)] in _FOODISH for each in reading.values(match.end())):
        yield from _not_eaten(reading, match.end())
        return
    if _AT_HAND.match(after):
        return
    polarity = "positive" if match[0].startswith(_LIKED_AFTER_ALL) else "negative"
    if after.startswith(("people ", "when people", "men who", "those who")):
        yield reading.claim("likes", reading.whole(match.end()), polarity=polarity)
        return
    found = [each for each in reading.values(match.end()) if len(said[slice(*each)].split()) <= 6]
    for each in found:
        yield reading.claim("likes", each, among=found, polarity=polarity)


_AT_HAND = late_pattern(
    r"(?:it|that|this|the (?:thought|idea|pressure|stress|wait)|when|how|to see|him|her|them|you|much|any more|another|not)\b"
)


def _with_not(reading: Reading, begin: int) -> tuple[int, int]:
    """From "can't" on: a constraint without it would say the opposite."""
    start = reading.plain.rfind("can", reading.clause.begin, begin)
    return (start if start >= 0 else begin), reading.whole(begin)[1]


def _not_eaten(reading: Reading, begin: int, *, strict: bool = True) -> Outcome:
    found = list(reading.values(begin))
    for each in found:
        words = reading.plain[slice(*each)]
        if (
            (words in _FOODISH)
            if strict
            else (
                len(words.split()) <= 4
                and not re.match(
                    r"(?:anything|everything|it|that|this|out|much|enough|well|properly|right|here|at|solid|another|in|before|after)\b",
                    words,
                )
            )
        ):
            yield _at_times(reading, begin, found) or reading.claim("diet", each, among=found, polarity="negative")


def _at_times(reading: Reading, begin: int, found: list[tuple[int, int]]) -> Claim | None:
    """ "I can't have caffeine after noon" is a habit; caffeine is fine."""
    if re.match(r"\s+(?:after|before|at|past|during|late)\b", reading.plain[found[-1][1] : reading.end]) is None:
        return None
    return reading.claim("habit", reading.whole(reading.at), polarity="negative")


_AGAIN = late_pattern(r"\s(?:now|again|these days)(?=\s*(?:$|[,.!]))")


def _can(reading: Reading) -> Outcome:
    said, at, end = reading.plain, reading.at, reading.end
    if re.search(r"\bcan only\b|\bonly\b", said[reading.clause.at : at]) or said[at:end].startswith("only "):
        if re.search(rf"\b(?:{_DAYS}|after \d|before \d|work from|meet|eat|afford|drive|on \w+days?)\b", said[at:end]) and not re.search(
            r"\b(?:today|tomorrow|tonight|hope|imagine|do so much|assume|guess)\b", said[at:end]
        ):
            start = said.rfind("can", reading.clause.begin, at)
            yield reading.claim("constraint", (start, reading.whole(at)[1]))
        return
    if match := late_pattern(r"(?:speak|understand|read|write)\s+(?=[a-z])").match(said, at, end):
        found = [each for each in items(said, match.end(), value_end(said, match.end(), end)) if said[slice(*each)] in LANGUAGES]
        for each in found:
            yield reading.claim("language", each, among=found)
        return
    if match := _BODILY.match(said, at, end):
        yield reading.claim("skill", match.span("value"))
    elif (match := _ENDURED.match(said, at, end)) and (again := _AGAIN.search(said, match.end(), end)):
        for each in items(said, match.end(), again.start()):
            yield reading.claim("likes", each, polarity="positive", only_ends=True)
    elif (match := _EATEN.match(said, at, end)) and (again := _AGAIN.search(said, match.end(), end)):
        found = [each for each in items(said, match.end(), again.start()) if said[slice(*each)] in FOODS | _FOODISH]
        for each in found:
            yield reading.claim("diet", each, among=found)


def availability(reading: Reading) -> Outcome:
    """ "I'm only free after 6", "I'm not available on Mondays"."""
    plain = reading.plain
    begin = reading.at
    for word in ("not ", "only ", "never "):
        if plain[:begin].endswith(word):
            begin -= len(word)
    match = _FREE.match(plain, begin, reading.end)
    if (
        match
        and not re.search(
            r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening)|next|until (?:then|\d|mon"
            r"|tues|wednes|thurs|fri|satur|sun))\b",
            match["value"],
        )
        and (
            re.search(r"days\b|weekends|mornings|evenings|afternoons|nights|every", match["value"])
            or "only" in match["value"]
            or re.search(r"after|before|between", match["value"])
        )
    ):
        yield reading.claim("constraint", (begin, reading.whole(match.start("value"))[1]), polarity="positive")
