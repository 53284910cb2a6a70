"""What single English verbs say, once the table of verbs has found them: where somebody lives, what they play, own, use, wear. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_places import find_place, place_claims
from pagefile.lifecycle.rules.english_reading import Reading, Rule
from pagefile.lifecycle.rules.english_words import (
    FOODS,
    LANGUAGES,
)
from pagefile.lifecycle.rules.english_words import (
    words as set_of_words,
)

Outcome = Iterator[Claim]


INSTRUMENTS = (
    r"(?:acoustic |electric |bass |jazz |classical )?(?:guitar|piano|violin|cello|drums|bass|flute|clarinet|saxophone"
    r"|sax|trumpet|ukulele|harp|keyboard|viola|banjo|accordion|harmonica|trombone|oboe|organ|mandolin|erhu|guzheng"
    r"|recorder)"
)


SPORTS = (
    r"(?:tennis|football|soccer|basketball|volleyball|badminton|golf|chess|hockey|cricket|rugby|baseball|squash"
    r"|table tennis|ping pong|pickleball|padel|netball|lacrosse|video games|board games|poker|bridge|go|softball|frisbee"
    r"|ultimate|water polo|handball|dodgeball|field hockey|ice hockey|minecraft|world of warcraft|league of legends|d&d"
    r"|dungeons and dragons)"
)


def place(attribute: str, *, organisation: bool = False) -> Rule:
    def read(reading: Reading, match: re.Match[str]) -> Outcome:
        yield from place_claims(reading, match.end(), attribute, organisation=organisation)

    return read


_NAMED_PLACE = late_pattern(r"\b(?:in|near|around|to|for|about)\s+(?P<place>[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*){0,2})")


def there(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "What's the weather like in Denver? I live there": the place named last in the message."""
    sentence = reading.clause.sentence
    before = list(_NAMED_PLACE.finditer(sentence.utterance.text, 0, sentence.place(reading.clause.begin)))
    if before and match["there"] == "there" and not reading.negative:
        place = before[-1]["place"].rstrip(".,'’")
        found = reading.claim("residence" if match["verb"].startswith("liv") else "hometown", place)
        yield replace(found, text=re.sub(r"\bthere\b", lambda _: f"in {place}", found.text, count=1))


def moved(reading: Reading, match: re.Match[str]) -> Outcome:
    """Where to: that is home now; "in with Anna" and "on" are no places."""
    if match["how"].strip().startswith("in") and "to" not in match["how"]:
        return
    if place := find_place(reading, match.end()):
        # "From sales to customer success" is no move of house.
        text = reading.clause.sentence.text
        if "from " in match["how"] and text != reading.plain and text[place[0]].islower() and text[match.end()] == text[place[0]]:
            return
        if re.match(
            r"(?:a (?:new|different) (?:role|position|team|job)|another (?:team|role)|the next|tears|it|this|that"
            r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d|tomorrow|next\b|january|february|march|april|may\b"
            r"|june|july|august|september|october"
            r"|november|december|noon|a later|an earlier|production|prod\b)",
            reading.plain[slice(*place)],
        ):
            return
        yield reading.claim("residence", place)


def speaks(reading: Reading, match: re.Match[str]) -> Outcome:
    found = []
    for begin, end in reading.values(match.end()):
        words = re.match(
            r"(?:fluent |some |basic |conversational |native |broken |a little |perfect |good |decent "
            r"|a bit of )*(?P<name>[a-z ]+?)(?: fluently| at home| natively| well| poorly| badly| with .*| to my .*)?$",
            reading.plain[begin:end],
        )
        if words and words["name"] in LANGUAGES:
            found.append((begin + words.start("name"), begin + words.end("name")))
    for each in found:
        yield reading.claim("language", each, among=found)


def plays(reading: Reading, match: re.Match[str]) -> Outcome:
    found = list(reading.values(match.start("what")))
    for each in found:
        words = reading.plain[slice(*each)]
        if re.match(rf"(?:{INSTRUMENTS})$", words):
            yield reading.claim("skill", each, among=found, polarity="negative" if reading.negative else "positive")
        elif re.match(rf"(?:{SPORTS})\b", words):
            yield reading.claim("habit", (match.start(), each[1]) if len(found) == 1 else each, among=found if len(found) > 1 else ())


def wakes(reading: Reading, match: re.Match[str]) -> Outcome:
    attribute = "wake time" if match["verb"].startswith(("wake", "get", "waking", "rise", "am")) else "bedtime"
    if re.search(
        r"\b(?:today|tomorrow|yesterday|tonight|this morning|last night)\b", reading.plain[reading.clause.begin : reading.clause.end]
    ) or match["verb"].startswith(("woke", "got", "went")):
        return
    yield reading.claim(attribute, match.span("time"))


_WAY_TO = late_pattern(r"\s+(?:to|around|every|in|on|for)\b|[,.;(]")


def owns(reading: Reading, match: re.Match[str]) -> Outcome:
    stop = _WAY_TO.search(reading.plain, match.end(), reading.end)
    value = reading.value(match.end(), end=stop.start() if stop else None)
    words = reading.plain[slice(*value)]
    if (
        words
        and 1 <= len(words.split()) <= 6
        and not re.match(
            r"(?:it|this|that|up|my|me|him|her|one|the|your|to|home|into|through|around|them|by|kids|people|crazy"
            r"|nuts|mad|hard bargain|wedge|point|mistakes?)\b",
            words,
        )
    ):
        yield reading.claim("owns", value)


def suffers(reading: Reading, match: re.Match[str]) -> Outcome:
    found = [each for each in reading.values(match.end()) if len(reading.plain[slice(*each)].split()) <= 4]
    for each in found:
        if not re.match(r"(?:this|that|it|how|what|the|my|your|some|same|fomo|a lack)\b|.*ing\b", reading.plain[slice(*each)]):
            yield reading.claim("health", each, among=found)


def wears(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("health", match.span("what"))


def needed_by(reading: Reading, match: re.Match[str]) -> Outcome:
    if not reading.negative and reading.is_timed(plan=True):
        yield reading.claim("deadline", reading.whole(late_pattern(r"needs?\s+").match(reading.plain, match.start()).end()))  # type: ignore[union-attr]


def does_not(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I don't do dairy", "I don't do LinkedIn"."""
    words = match["what"]
    if not reading.negative:
        return
    if re.search(r"(?:mornings?|evenings?|days?|nights?|weekends?)$", words):
        begin = max(
            reading.plain.rfind("don't", reading.clause.begin, match.start()),
            reading.plain.rfind("never", reading.clause.begin, match.start()),
        )
        yield reading.claim("constraint", (begin if begin >= 0 else match.start(), match.end("what")), polarity="positive")
        return
    if words in FOODS:
        yield reading.claim("diet", match.span("what"))
    elif reading.clause.sentence.text[match.start("what")].isupper() or words in _NOT_DONE:
        yield reading.claim("habit", (match.start(), match.end("what")))


_NOT_DONE = set_of_words(
    "drugs|social media|sports|small talk|online dating|dating apps|fast food|caffeine|credit cards|debt|horror"
    "|hugs|surprises|gyms|heights|drama"
)


def worked_with(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I've worked with Postgres for a decade"."""
    value = reading.value(match.end())
    words = reading.clause.written(*value)
    if (
        reading.mode == "perfect"
        and words
        and words[0].isupper()
        and len(words.split()) <= 2
        and re.search(r"\b(?:for|since)\b", reading.plain[value[1] :])
    ):
        yield reading.claim("skill", value)


def grows(reading: Reading, match: re.Match[str]) -> Outcome:
    if reading.mode == "do" and not reading.negative:
        yield reading.claim("habit", match.span("value"))


def goes_by(reading: Reading, match: re.Match[str]) -> Outcome:
    name = reading.value(match.end())
    words = reading.clause.written(*name)
    if (
        words
        and len(words.split()) <= 2
        and (words[0].isupper() or reading.plain[name[0] :] == reading.clause.sentence.text[name[0] :])
        and words.lower() not in ("train", "car", "bus", "bike", "foot", "plane", "my", "the", "it")
    ):
        yield reading.claim("nickname", name)


def supports(reading: Reading, match: re.Match[str]) -> Outcome:
    name = find_place(reading, match.end())
    if name and reading.clause.sentence.text[name[0]].isupper():
        yield reading.claim("likes", name)


def knows(reading: Reading, match: re.Match[str]) -> Outcome:
    value = (match.start("what"), reading.value(match.start("what"))[1])
    words = reading.plain[slice(*value)]
    if value[1] > value[0] and len(words.split()) <= 5 and not re.search(r"\b(?:you|your|this|that|it|do|say|feel|fix|get)\b", words):
        yield reading.claim("skill", value)


def value_of(attribute: str) -> Rule:
    def read(reading: Reading, match: re.Match[str]) -> Outcome:
        begin = match.start("value")
        yield reading.claim(attribute, reading.value(begin) if match.end("value") == reading.end else match.span("value"))

    return read


_USED_FOR = late_pattern(r"\s+(?:at|for|in|on|to|with|as|every|all|and|or|because|when|now|but)\b|[,.;(]")


def uses(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I use Notion": a tool by name."""
    stop = _USED_FOR.search(reading.plain, match.end(), reading.end)
    value = reading.value(match.end(), end=stop.start() if stop else None)
    words = reading.clause.written(*value)
    if words and words[0].isupper() and len(words.split()) <= 3:
        yield reading.claim("uses", value)


def codes_in(reading: Reading, match: re.Match[str]) -> Outcome:
    found = [each for each in reading.values(match.end()) if len(reading.plain[slice(*each)].split()) <= 2]
    for each in found:
        yield reading.claim("skill", each, among=found)


def turned(reading: Reading, match: re.Match[str]) -> Outcome:
    if 1 <= int(match["age"]) <= 115:
        yield reading.claim("age", match.span("age"))


def soon(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I start my new job on Monday": the present says what is settled."""
    if not reading.negative and not reading.is_frequent() and reading.is_timed(plan=True):
        yield reading.claim("plan", reading.whole(match.start("what")))


def free_days(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I don't work on Fridays": on those days nothing can be asked."""
    if reading.negative:
        begin = reading.plain.rfind("do", reading.clause.begin, match.start())
        yield reading.claim("constraint", (begin if begin >= 0 else match.start(), match.end()), polarity="positive")


def all_but(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I eat everything but mushrooms"."""
    found = [each for each in reading.values(match.end()) if len(reading.plain[slice(*each)].split()) <= 3]
    for each in found:
        yield reading.claim("diet", each, among=found, polarity="negative")


def does(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I sing in a choir": a habit without saying how often."""
    if reading.mode == "do" and not reading.negative:
        yield reading.claim("habit", reading.value(match.start("value"), keep_article=True))


def dropped_out(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I dropped out of law school"."""
    yield from place_claims(reading, match.end(), "school", organisation=True, ended=True)


def graduated(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I graduated from MIT": it was the school, and is no longer."""
    yield from place_claims(reading, match.end(), "school", organisation=True, **({"tense": "past"} if reading.own else {}))
