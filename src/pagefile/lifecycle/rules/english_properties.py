"""Properties told by name in English: "my name is …", "my brother's favourite player is …", "tea is my favourite drink". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.lifecycle.facts import Certainty, Claim
from pagefile.lifecycle.rules.english_goals import goal_certainty
from pagefile.lifecycle.rules.english_jobs import FIELDS, occupation_claims
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_places import find_place
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_tastes import tastes
from pagefile.lifecycle.rules.english_words import DIETS, FOODS, LANGUAGES, NOT_NAMES
from pagefile.records import Polarity

Outcome = Iterator[Claim]

_IS = (
    r"\s*(?:'s|\s+is|\s+are|\s+has always been|\s+was always|\s+would be|\s*:)(?P<no>n't|\s+not\b)?(?:\s+(?:now|actually"
    r"|currently|probably|definitely|still|really|always|just|also|obviously))*\s+"
)
_FAVOURITE = late_pattern(
    rf"(?:all[- ]time |absolute |current |new |least )?(?P<least>least )?(?:favou?rite"
    rf"|fave?)\s+(?P<thing>[a-z][a-z' -]{{1,40}}?)(?P<where>\s+(?:in the world|ever|of all time|right now|to \w+"
    rf"|at the moment))?{_IS}(?=\S)"
)
_FAVOURITES = late_pattern(rf"(?:all[- ]time |absolute )?(?:favou?rites?|faves?){_IS}(?=\S)")
_NAME = late_pattern(rf"(?P<kind>(?:first |full |real |last |given |sur|family |nick|preferred |middle )?name)(?:s\s+|{_IS})(?=\S)")
_BIRTHDAY = late_pattern(rf"(?:birthday|bday|b-day|date of birth|dob|birthdate|birth date){_IS}(?:on\s+)?(?:the\s+)?(?P<value>\S.*)")
_DATE = late_pattern(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr"
    r"|jun|jul|aug|sep|sept|oct|nov|dec|christmas|halloween|first|second|third|fourth|fifth|valentine's|new year's"
    r"|\w+(?:th|st|nd|rd))\b"
)
_PLAIN = late_pattern(
    rf"(?P<what>(?:coffee|drink|starbucks|pizza|takeaway|takeout|bar|brunch|sushi|curry) order|(?:go-to"
    rf"|usual) (?:drink|order|breakfast|lunch|dinner|snack|coffee order|coffee|meal|dish|outfit"
    rf"|karaoke song)|hometown|home town|native language|mother tongue|first language|(?:day |current |main "
    rf"|full-time |new )?job|occupation|profession"
    rf"|job title"
    rf"|title|nationality|gender|pronouns|employer|company|workplace|school|university|college|uni|major|time ?zone"
    rf"|blood type|shoe size|height|weight|zodiac sign|star sign|religion|middle name|ring size|dress size|shirt size"
    rf"|clothing size|size"
    rf"|phone number|phone|number|mobile|mobile number|cell|email|email address|e-mail|address|home address"
    rf"|(?:biggest |worst )?(?:fear|phobia)|(?:biggest )?pet peeve|(?:main |biggest |guilty )?(?:hobby|hobbies"
    rf"|passion|passions|pleasure|interests|interest)|(?:main |big |number one |one |long-?term |short-?term |biggest |ultimate "
    rf"|lifelong |career |fitness |new year'?s )*(?:goal|dream|aim|ambition|resolution)|(?:monthly |weekly |total |max |overall "
    rf"|maximum )?budget|allergies|diet|(?:food )?allergy"
    rf"|commute|work hours|working hours|office hours|wake[- ]up time|bedtime|dream job|favou?rites"
    rf"|wedding anniversary|anniversary|car|laptop|phone model|bike|operating system|os|text editor|editor"
    rf"|preferred \w+(?: \w+)?)(?:\s+(?:(?:for )?this|for the|for) (?:year|month|summer|trip|project|\d{{4}}))?{_IS}(?=\S)"
)
_IS_FAVOURITE = rare_pattern(
    r"(?P<value>[\w][\w'’&. -]{0,60}?)\s*(?:'s|\s+is|\s+are|\s+has always been)\s+(?:still |definitely |probably "
    r"|by far |one of )*(?P<mine>my)\s+(?:all[- ]time |absolute )?(?:favou?rites?"
    r"|fave?)(?:\s+(?P<thing>[a-z][a-z -]{1,30}?))?(?:\s+(?:ever|of all time|in the world|by far))?$"
)
_NOT_VALUE = late_pattern(
    r"(?:not|often|too|so|very|always|the (?:one|same|best)|a (?:bit|secret|mess|disaster|joke|problem|challenge"
    r"|lot)|hard|difficult|easy|misspelled|spelled|spelt|pronounced|mispronounced|important|when|what|how|that|this"
    r"|it|to (?:be able|make sure)|coming|next|in (?:a|an|two|three|\d)|getting|been|going|working|broken|slow"
    r"|really|pretty|kind|sort|something|nothing|everything|unknown|common|unusual|rare|weird|also|on (?:my|the)"
    r"|taken|wrong|right|good|great|fine|ok|okay|bad|full|busy|up|down|already|getting|about|because|if|you|your"
    r"|yours|mine|one of)\b"
)
#: Attribute → other names that people give it.
_OTHER_NAMES = {
    "hometown": "home town",
    "language": "native language|mother tongue|first language",
    "occupation": "job|job title|title|profession",
    "gender": "pronouns",
    "employer": "company|workplace",
    "school": "university|college|uni",
    "timezone": "time zone",
    "phone": "phone number|number|mobile|mobile number|cell",
    "email": "email address|e-mail",
    "address": "home address",
    "wake time": "wake-up time|wake up time",
    "zodiac sign": "star sign",
    "owns": "car|laptop|bike|phone model",
    "allergy": "allergies|food allergy",
    "goal": "dream job",
    "anniversary": "wedding anniversary",
}
_ATTRIBUTES = {other: name for name, listed in _OTHER_NAMES.items() for other in listed.split("|")}
_PLACE_IS = late_pattern(r"(?:my|our)\s+(?:place|flat|apartment|house|home|studio)\s*(?:'s|\s+is)\s+(?:now\s+)?in\s+(?=\S)")
_HOME_IS = late_pattern(r"home is\s+(?:now\s+)?(?:in\s+)?(?=\S)")
_GOALS = frozenset({"goal", "dream", "aim", "ambition", "resolution"})
_LIKED = frozenset({"hobby", "hobbies", "passion", "passions", "pleasure", "interest", "interests"})
_OTHERWISE: dict[str, tuple[str, Polarity]] = {
    "peeve": ("likes", "negative"),
    "fear": ("fear", "positive"),
    "phobia": ("fear", "positive"),
}
_VERIFIED = {
    "phone": r"[+\d][\d\s().-]{5,}",
    "email": r"\S+@\S+",
    "address": r".*\d",
    "shoe size": r".*\d",
    "height": r".*\d",
    "weight": r".*\d",
    "timezone": r"[a-z]",
    "wake time": r".*\d",
    "bedtime": r".*(?:\d|midnight)",
    "budget": r".*\d",
    "commute": r".*\d",
    "work hours": r".*\d",
    "working hours": r".*\d",
    "office hours": r".*\d",
    "anniversary": r".*\d",
    "size": r".*",
}


def my_property(reading: Reading) -> list[Claim]:
    """Properties of the speaker: the clause begins with "my", or a thing is "my favourite"."""
    said, begin, end = reading.plain, reading.clause.at, reading.end
    if lives := _PLACE_IS.match(said, begin, end):
        place = find_place(reading, lives.end())
        return [reading.claim("residence", place)] if place and reading.clause.sentence.text[place[0]].isupper() else []
    if mine := late_pattern(r"(?:my|our|the name's(?= [a-z]))\s*|(?=name's [a-z]+(?:$|,))").match(said, begin, end):
        return list(property_of(reading, mine.end())) if not mine[0].startswith("the") else []
    if re.match(r"(?:favou?rite|fave?|(?:the )?(?:max(?:imum)? |total )?budget)\b", said[begin:end]):
        return list(property_of(reading, begin + 4 if said.startswith("the ", begin) else begin))
    if home := _HOME_IS.match(said, begin, end):
        place = find_place(reading, home.end())
        return [reading.claim("residence", place)] if place and reading.clause.sentence.text[place[0]].isupper() else []
    return list(_is_favourite(reading))


def property_of(reading: Reading, begin: int) -> Outcome:
    """The property whose name begins there: after "my" or "Jack's"."""
    said, end = reading.plain, reading.end
    if match := _FAVOURITE.match(said, begin, end):
        yield from _favourite(reading, match)
    elif match := _FAVOURITES.match(said, begin, end):
        found = tastes(reading, match.end(), named=True)
        for each in found:
            yield reading.claim("likes", each, among=found)
    elif match := _NAME.match(said, begin, end):
        yield from _name(reading, match)
    elif match := _BIRTHDAY.match(said, begin, end):
        value = _date_only(reading, match)
        if (
            _DATE.search(said, *value)
            and not match["no"]
            and not re.match(
                r"(?:in|next|coming|this|today|tomorrow|soon|near|a)\b(?! (?:january|february|march|april|may|june"
                r"|july|august|september|october|november|december))",
                said[value[0] : end],
            )
        ):
            yield reading.claim("birthday", value)
    elif match := _PLAIN.match(said, begin, end):
        yield from _plain(reading, match)


def _date_only(reading: Reading, match: re.Match[str]) -> tuple[int, int]:
    stop = late_pattern(r"\s*[;(!?]|,\s*(?!\d{4})|\s+(?:and|so|but|not|which|if|in case|btw|by the way|if|-)\b").search(
        reading.plain, match.start("value"), reading.end
    )
    return trimmed(reading.plain, match.start("value"), stop.start() if stop else reading.end)


def _favourite(reading: Reading, match: re.Match[str]) -> Outcome:
    value = reading.value(match.end())
    words = reading.plain[slice(*value)]
    thing = " ".join(match["thing"].split())
    if (
        match["no"]
        or not words
        or len(words.split()) > 8
        or re.match(r"(?:that|this|when|how|what|it|to be|the one|not|a tie|hard to|still|thing about)\b", words)
        or thing.split()[0] in ("thing", "part", "bit", "one", "of")
    ):
        return
    if "least" in match[0].split()[:2]:
        yield reading.claim("likes", value, polarity="negative")
        return
    found = list(reading.values(match.end()))
    if thing.endswith("s") and len(found) > 1:
        for each in found:
            yield reading.claim("likes", each, among=found)
        return
    yield reading.claim(f"favourite {thing}", value)


def _is_favourite(reading: Reading) -> Outcome:
    match = _IS_FAVOURITE.match(reading.plain, reading.clause.at, reading.end)
    if match is None:
        return
    value = trimmed(reading.plain, *match.span("value"))
    words = reading.plain[slice(*value)]
    if (
        not words
        or len(words.split()) > 6
        or re.match(
            r"(?:it|this|that|these|those|he|she|they|here|there|what|which|who|i|you|we|one|and|but|the (?:first|second|last|third)|my)\b",
            words,
        )
    ):
        return
    one_of_many = "one of" in match[0] or match["thing"] is None
    yield reading.claim("likes" if one_of_many else f"favourite {match['thing']}", value)


def _name(reading: Reading, match: re.Match[str]) -> Outcome:
    name = reading.value(match.end())
    words = reading.clause.written(*name)
    if match["no"] or _NOT_VALUE.match(reading.plain, name[0]) or not words or len(words.split()) > 4 or words.lower() in NOT_NAMES:
        return
    if not words[0].isupper() and (
        (reading.clause.text != reading.clause.text.lower() and not re.match(r"(?:hi|hey|my)", reading.clause.text.lower()))
        or len(words.split()) > 2
        or words.endswith("ed")
    ):
        return
    if match["kind"].startswith(("middle", "last", "sur", "family")):
        yield reading.claim("last name" if not match["kind"].startswith("middle") else "middle name", name)
        return
    yield reading.claim("name", name)


def _plain(reading: Reading, match: re.Match[str]) -> Outcome:
    said, what = reading.plain, match["what"]
    what = re.sub(r"^(?:day|current|main|full-time|new) (?=job)", "", what)
    attribute = _ATTRIBUTES.get(what, what)
    # Of a blood type "A" is no article.
    value = reading.value(match.end(), keep_article=attribute == "blood type")
    words = said[slice(*value)]
    if match["no"] or not words or len(words.split()) > 12 or _NOT_VALUE.match(said, value[0]):
        return
    if (
        attribute in _VERIFIED
        and not (attribute == "phone" and said.startswith(("a ", "an "), match.end()))
        and not re.match(_VERIFIED[attribute], words)
    ):
        return
    if attribute == "phone" and said.startswith(("a ", "an "), match.end()):
        yield reading.claim("owns", value)
        return
    kind = what.split()[-1]
    if kind in _GOALS or attribute == "goal":
        yield reading.claim("goal", value, **goal_certainty(reading, words))
    elif attribute == "allergy" or kind in _LIKED or what.startswith(("go-to", "usual")) or what.endswith(" order"):
        found = list(reading.values(match.end()))
        for each in found:
            yield reading.claim("allergy" if attribute == "allergy" else "likes", each, among=found)
    elif kind in _OTHERWISE:
        name, polarity = _OTHERWISE[kind]
        yield reading.claim(name, value, polarity=polarity)
    elif kind == "budget":
        yield reading.claim("constraint", f"{what} {reading.clause.written(*value)}")
    elif attribute in _READ_OTHERWISE:
        yield from _READ_OTHERWISE[attribute](reading, attribute, match.end(), value)
    elif len(words.split()) <= 7:
        begin = value[0] + 3 if words.startswith("on ") else value[0]
        yield reading.claim(attribute, (begin, value[1]), tense="always")


def _language(reading: Reading, attribute: str, begin: int, value: tuple[int, int]) -> Outcome:
    if reading.plain[slice(*value)] in LANGUAGES:
        yield reading.claim(attribute, value)


def _diet(reading: Reading, attribute: str, begin: int, value: tuple[int, int]) -> Outcome:
    """ "My diet is vegan"; that it is coffee and regret is a joke."""
    found = list(reading.values(begin))
    known = all(reading.plain[slice(*each)] in FOODS | DIETS or "diet" in reading.plain[slice(*each)] for each in found)
    certainty: Certainty = "plain" if known else "passing"
    yield reading.claim(attribute, value, certainty=certainty)


def _job(reading: Reading, attribute: str, begin: int, value: tuple[int, int]) -> Outcome:
    if reading.plain[slice(*value)] in FIELDS:
        yield reading.claim(attribute, value)
    elif not re.match(r"(?:to|in|at|[a-z]+ing)\b", reading.plain[slice(*value)]):
        named = bool(re.match(r"(?:an?|the)\s", reading.plain[begin : reading.end]))
        yield from occupation_claims(reading, value[0], known_only=not named)


def _place(reading: Reading, attribute: str, begin: int, value: tuple[int, int]) -> Outcome:
    place = find_place(reading, begin, organisation=attribute != "hometown")
    if place and (reading.clause.sentence.text[place[0]].isupper() or attribute == "hometown"):
        yield reading.claim(attribute, place)


def _thing(reading: Reading, attribute: str, begin: int, value: tuple[int, int]) -> Outcome:
    if reading.plain.startswith(("a ", "an "), begin):
        yield reading.claim(attribute, value)


_READ_OTHERWISE = {
    "diet": _diet,
    "language": _language,
    "occupation": _job,
    "employer": _place,
    "school": _place,
    "hometown": _place,
    "owns": _thing,
}
