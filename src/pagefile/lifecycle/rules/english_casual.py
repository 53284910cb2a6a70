"""Casual and learners' English read as the plain English it stands for, with the place of each letter in what was typed. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.lifecycle.rules.english_words import (
    PETS,
    RELATIONS,
    one_of,
)
from pagefile.lifecycle.rules.english_words import (
    words as set_of_words,
)
from pagefile.lifecycle.rules.sentences import Sentence

#: What people type → what they mean. Words that are also others ("ill", "id", "were", "its") are left alone.
_SHORT: Mapping[str, str] = {
    typed: meant
    for pair in set_of_words(
        "hes:he's|shes:she's|theyre:they're|youre:you're|dont:don't|doesnt:doesn't|didnt:didn't|cant:can't"
        "|couldnt:couldn't|wouldnt:wouldn't|shouldnt:shouldn't|isnt:isn't|arent:aren't|wasnt:wasn't|werent:weren't"
        "|havent:haven't|hasnt:hasn't|hadnt:hadn't|aint:isn't|theres:there's|thats:that's|whats:what's|wheres:where's"
        "|whos:who's|lets:let's|youve:you've|weve:we've|theyve:they've|n:and|u:you|ur:your|w:with|w/:with|bc:because"
        "|cos:because|b/c:because|becuz:because|rn:right now|tmrw:tomorrow|tmr:tomorrow|tomoz:tomorrow|2moro:tomorrow"
        "|ppl:people|plz:please|pls:please|abt:about|b4:before|luv:love|wanna:want to|gonna:going to|gotta:have to"
        "|gimme:give me|prolly:probably|defo:definitely|def:definitely|favs:favourites|yrs:years|hafta:have to"
        "|tho:though|thru:through|bday:birthday|childrens:children|bro's:brother's|fav:favourite|fave:favourite"
        "|alot:a lot|allergc:allergic|alergic:allergic|allergtic:allergic|vegaterian:vegetarian|vegeterian:vegetarian"
        "|recieve:receive|definately:definitely|freind:friend|birtday:birthday|favorate:favorite|tommorow:tomorrow"
        "|tommorrow:tomorrow|tomorow:tomorrow|wensday:wednesday|wednsday:wednesday|wknd:weekend|hubs:husband"
        "|bf:boyfriend|gf:girlfriend"
    )
    for typed, meant in (pair.split(":"),)
}
_WORD = late_pattern(rf"(?<![\w'’/@.-])(?:{one_of(_SHORT)})(?![\w'’/@-])", re.IGNORECASE)
#: "yesterdayyy", "sooo".
_DRAWN_OUT = late_pattern(r"(?<=([a-vx-z]))(?P<more>\1{2,})")
#: Said between two things without a mark: "we got a puppy omg he's so cute".
_LAUGHS = rare_pattern(r"(?<=\w)\s+(?:omg|lol|lmao|haha+|hehe+|xd|smh|fml|jfc|istg|ngl|tbh|fr)(?=\s+\w)", re.IGNORECASE)
_KIN = one_of({*RELATIONS, *PETS})
_BE_AFTER = (
    r"(?=\s+(?:(?:a|an|called|named|allergic|vegan|vegetarian|not|from|so|really|getting|going|turning|moving|diabetic|lactose|\d+"
    r"|name|names|birthday|favou?rite|wife|husband|girlfriend|boyfriend|birthday's|due|pregnant|scared|afraid|obsessed|into)\b))"
)
_MINE = late_pattern(
    # "my sisters a vegan", "my sons name"
    rf"\b(?:my|our)\s+(?:(?:\w+)\s+)?(?:{_KIN})(?P<contracted>s){_BE_AFTER}"
    # "my wife she is a nurse"
    rf"|(?:(?<![\s\S])|(?<=, )|(?<=and )|(?<=but )|(?<=so ))(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})(?P<again>\s*,?\s+(?:he"
    rf"|she|they))(?=\s+(?:is|are|has|have|was|works?|lives?|likes?|loves?|hates?"
    r"|doesn't|don't|can't)\b|'s\s)"
    # "my birthday it's on the 9th"
    r"|\b(?:my|our)\s+(?!mother|father|\w+ and)\w+(?: \w+)?(?P<it>\s+it'?s|\s+it is)(?=\s)",
    re.IGNORECASE,
)
_Put = Callable[["re.Match[str]"], str]


def _neither(match: re.Match[str]) -> str:
    """ "Like neither" of "I like neither coffee nor tea"."""
    return f"don't {match['it'].rsplit(' ', 1)[0]}"


def _neither_of(match: re.Match[str]) -> str:
    return f"my {match['it'].split()[2]} and I don't "


#: How learners put it → how it is put: what must be in the sentence for it, the pattern, and what stands for its named part.
_LEARNT: tuple[tuple[tuple[str, ...], re.Pattern[str], str | _Put], ...] = tuple(
    (tuple(key.split("|")), late_pattern(pattern, re.IGNORECASE), put)
    for key, pattern, put in (
        ("agree", r"\bi(?P<it>'?m| am) agree\b", ""),
        (" year", r"\bi (?P<it>have (?:like |about )?)(?=[1-9]\d years?(?: old)?\b(?! (?:of|in|exp|work|at|as|left|to|until)))", "am "),
        (" year", r"\b(?:he|she|(?:my|our) [a-z]+) (?P<it>has )(?=\d{1,2} years?(?: old)?(?:$|[\s,.!]*$|\s*,|\s+and\b))", "is "),
        ("coming from", r"\bi(?P<it>'?m coming| am coming)(?= from (?-i:[A-Z]))", " come"),
        (" lot| much", r"\blikes?(?P<it> (?:very much|so much|a lot)(?: the)?)(?= \w)", ""),
        ("very ", r"\bi (?P<it>very (?:much )?)(?=(?:like|love|enjoy|hate)\b)", "really "),
        ("allergy ", r"\ballergy (?P<it>of(?: the)?|from|at|with|against)(?= )", "to"),
        ("allergic ", r"\ballergic (?P<it>of(?: the)?|from|at|with|against|for|on)(?= (?!work\b|home\b)[a-z])", "to"),
        ("work", r"\bwork(?:s|ed|ing)? (?:(?:in|at|for) [\w' ]{2,30}? )?(?P<it>like)(?= an? )", "as"),
        ("not to |can't to ", r"\b(?:can't|cannot|can not|must|should)(?P<it> to)(?= [a-z])", ""),
        ("coming from", r"\bi(?P<it>'?m coming| am coming)(?= from (?:an? )?(?:small|little|big|tiny|beautiful|village|town)\b)", " come"),
        ("work", r"\bwork(?:s|ed|ing)? (?P<it>by)(?= (?-i:[A-Z]))", "at"),
        ("since ", r"\b(?P<it>since )(?=(?:\d+|one|two|three|four|five|six|ten|many|some) (?:years|months)\b(?! ago))", "for "),
        (" more", r"(?:don't|doesn't|do not|does not|not) \w+(?P<it> more)[\s.!]*$", " anymore"),
        ("for to ", r"(?P<it>for )to (?:visit|see|meet|study|work)\b", ""),
        ("possible", r"(?P<it>is (?:it )?possible (?:that )?you )(?=(?:answer|reply|write|speak|talk|explain|use|keep)\b)", "can you "),
        ("please to", r"\bplease (?P<it>to )(?=\w)", ""),
        ("am like|am love|am not like", r"\bi (?P<it>am (?:not )?like|am love)(?= )", "like"),
        ("m have", r"\bi(?P<it>'?m| am) have\b", ""),
        ("neither", r"\b(?:i|we) (?P<it>(?:really )?(?:like|love|eat|drink|speak|have|own|want|enjoy) neither)\b(?=.*\bnor\b)", _neither),
        ("neither my", r"(?P<it>\bneither my [a-z]+ nor (?:i|me) )(?=\w)", _neither_of),
        ("neither of us", r"(?P<it>\bneither of us )(?=\w)", "we don't "),
    )
)
#: Nearly all sentences have none of these, which is seen at once.
_KEYS = tuple(dict.fromkeys(key for keys, _, _ in _LEARNT for key in keys))
_OF_MINE = frozenset({"my", "our"})
_OF_SHORT = frozenset(_SHORT)
_MARKS = str.maketrans({mark: " " for mark in '.,!?;:()"*…–—-'})


def as_meant(sentence: Sentence) -> Sentence:
    """The sentence in plain English. It knows where each part of it stands in the message."""
    text, places = sentence.text, None
    lower = text.lower().replace("’", "'")
    words = frozenset(lower.translate(_MARKS).split())
    steps: list[tuple[re.Pattern[str], str | _Put]] = [(_DRAWN_OUT, ""), (_LAUGHS, ",")]
    if not _OF_SHORT.isdisjoint(words):
        steps.append((_WORD, _spelt_out))
    if not _OF_MINE.isdisjoint(words):
        steps.append((_MINE, _of_mine))
    if there := [key for key in _KEYS if key in lower]:
        steps += [(pattern, put) for keys, pattern, put in _LEARNT if any(key in there for key in keys)]
    for pattern, put in steps:
        if pattern.search(text):
            text, places = _replaced(text, places or _places(sentence), pattern, put)
    return sentence if places is None else replace(sentence, text=text, places=tuple(places))


def _places(sentence: Sentence) -> list[int]:
    return [sentence.place(at) for at in range(len(sentence.text) + 1)]


def _spelt_out(match: re.Match[str]) -> str:
    typed = match[0]
    if typed in ("N", "U", "W"):
        return typed  # an initial
    meant = _SHORT[typed.lower()]
    return meant[0].upper() + meant[1:] if typed[0].isupper() else meant


def _of_mine(match: re.Match[str]) -> str:
    return "'s" if match["contracted"] else " is" if match["it"] else ""


def _replaced(text: str, places: list[int], pattern: re.Pattern[str], put: str | _Put) -> tuple[str, list[int]]:
    """With every match (or what a named part of it matched) replaced, and the places of what stands there now."""
    parts, moved, begin = [], [], 0
    for match in pattern.finditer(text):
        part = match.lastgroup or 0
        first, last = match.span(part)
        new = put if isinstance(put, str) else put(match)
        parts += [text[begin:first], new]
        # Letters that were put in stand where the first of those they replace stood.
        moved += places[begin:first] + [min(places[first] + at, places[last]) for at in range(len(new))]
        begin = last
    return "".join([*parts, text[begin:]]), moved + places[begin:]
