"""Places and organisations in English sentences: where their names end. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_phrases import trimmed, value_end
from pagefile.lifecycle.rules.english_reading import Reading

_CAPITALS = late_pattern(
    r"(?:[A-Z0-9][\w.&'’-]*|[A-Z])(?:(?:,\s+|\s+(?:(?:of|the|de|del|la|las|los|on|upon|am|an der|da|do|&"
    r"|by the)\s+){0,2})(?=[A-Z0-9])(?!(?:I|I'm|I've|My|We|It|He|She|And|But|So)\b)[A-Z0-9][\w.&'’-]*){0,5}"
)
#: Organisations have "and" in their names; places joined by it are two.
_WITH_AND = late_pattern(_CAPITALS.pattern.replace("of|the|", "of|the|and|"))
_CENTURY = late_pattern(r"(?:19|20)\d\d$")
#: Where the name of a place in small letters ends, besides where values end.
_SMALL_STOP = late_pattern(
    r"\s*[,;.()!?]|\s+(?:with|and|since|for|but|near|now|right|in \d|in (?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december|a|an|the|my|about|two|three|few)|last|next|this|on|at|as|to"
    r"|from|by|because|so|when|where|which|who|that|while|after|before|until|where|too|currently|these|during"
    r"|permanently|again|soon"
    r"|tomorrow|yesterday|today|about|around|over|a (?:few|couple|year|month|week)|\d|years?|two|three|four|five|six"
    r"|seven|ten|several|and|or|is|was|are|has|just|though|then|back|alone|anymore|already|here)\b"
)
_NO_PLACE = late_pattern(
    r"(?:fear|denial|hope|peace|the moment|the past|the future|my head|my own|the same|the middle|a dream|a bubble"
    r"|a world|a way|it|this|that|there|here|your|a (?:hurry|bit|good|bad|relationship|band|book|story|movie"
    r"|situation|place|state|time|period|mood|meeting|rush)|pain|general|love|debt|trouble|charge|home|work|bed"
    r"|school|college|university"
    r"|now|then|time|scratch|experience|what|where|which|how|one|both|all|me|him|her|us|them|you|an? \w+ (?:mood"
    r"|situation|state)|another|other|someone|everyone|anyone|people|my (?:car|mind|room|perspective|experience"
    r"|point|job|heart)|sin|luxury|poverty|harmony|constant|such|sweatpants|person|case|order|mars|space|narnia|hell"
    r"|heaven|the (?:top|bottom|end|foot|edge|back|front|corner|cloud|clouds|next|end|morning|evening|now|meantime"
    r"|process|works|know|loop|mood|zone|matrix))\b"
)


#: What may stand before the name that counts: "the", "a small town near".
_LEADING = frozenset(
    [
        "the",
        "a",
        "an",
        "my",
        "our",
        "old",
        "new",
        "beautiful",
        "sunny",
        "rainy",
        "lovely",
        "small",
        "tiny",
        "little",
        "big",
        "city",
        "downtown",
        "central",
        "north",
        "south",
        "east",
        "west",
        "northern",
        "southern",
        "eastern",
        "western",
        "upstate",
        "rural",
        "nearby",
        "town",
        "flat",
        "apartment",
        "house",
        "studio",
        "room",
        "suburb",
        "suburbs",
        "place",
        "village",
        "cottage",
        "neighbourhood",
        "neighborhood",
        "outskirts",
        "middle",
        "heart",
        "area",
        "one-bedroom",
        "two-bedroom",
        "shared",
        "in",
        "of",
        "near",
        "outside",
        "just",
        "called",
        "company",
        "startup",
        "bank",
        "firm",
        "school",
        "at",
        "for",
    ]
)


_NUMBER = late_pattern(r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many)\b)")


def find_place(reading: Reading, begin: int, *, organisation: bool = False) -> tuple[int, int] | None:
    """Where the name of a place (or an organisation) that begins there stands. None: there is none."""
    plain, text, end = reading.plain, reading.clause.sentence.text, reading.end
    if _NO_PLACE.match(plain, begin, end) or _NUMBER.match(plain, begin, end):
        return None
    stop = value_end(plain, begin, end)
    small = _SMALL_STOP.search(plain, begin + 1, end)
    capitals = (_WITH_AND if organisation else _CAPITALS).search(text, begin, min(end, begin + 60))
    if (
        capitals
        and capitals.start() < stop
        and (capitals.start() == begin or _leads_to_name(plain[begin : capitals.start()]))
        and not _is_small(text)
    ):
        name = text[capitals.start() : capitals.end()]
        if not _CENTURY.match(name) and not name[0].isdigit():
            place = trimmed(plain, capitals.start(), _without_year(text, *capitals.span()), keep_article=organisation)
            return place if place[1] > place[0] else None
    begin, finish = trimmed(plain, begin, min(stop, small.start() if small else end))
    if finish <= begin or len(plain[begin:finish].split()) > 5 or plain[begin].isdigit():
        return None
    return begin, finish


def place_claims(reading: Reading, begin: int, attribute: str, *, organisation: bool = False, **fields: Any) -> Iterator[Claim]:
    """The claim that the place which begins there is that attribute of the subject."""
    if place := find_place(reading, begin, organisation=organisation):
        yield reading.claim(attribute, place, **fields)


def _without_year(text: str, begin: int, end: int) -> int:
    """ "Berlin 2019" and "Berlin, May" are a place and a time."""
    match = re.search(
        r"(?:,?\s+(?:\d+\w*|January|February|March|April|May|June|July|August|September|October|November|December"
        r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Last|Next|Since|In|On|This))+$",
        text[begin:end],
    )
    return begin + match.start() if match else end


def _leads_to_name(words: str) -> bool:
    """ "the", "a small town near": what may stand before the name that counts."""
    return all(word in _LEADING for word in words.split())


def _is_small(text: str) -> bool:
    return text == text.lower()
