"""People, animals and things that English sentences introduce: "my brother Tom", "two cats, Tom and Jerry", "a peanut allergy". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_clauses import Clause
from pagefile.lifecycle.rules.english_jobs import occupation_claims
from pagefile.lifecycle.rules.english_places import find_place
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_tastes import tastes
from pagefile.lifecycle.rules.english_words import (
    EVENTS,
    HEALTH,
    LEARNT,
    NOT_NAMES,
    PET_PLURALS,
    PETS,
    RELATIONS,
    SEVERAL,
    THINGS,
    one_of,
)

Outcome = Iterator[Claim]

#: One capitalised name, at most two words.
NAME = r"(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?[A-Z][a-zà-ÿ]+(?:[-'’][A-Z][a-zà-ÿ]+)?(?:\s+(?:[A-Z]\.\s+)?[A-Z][a-zà-ÿ]+)?)"
#: "Emma (7) and Noah (4)".
_AGED = r"(?:\s*\(\d{1,2}\))?"
_KIN = one_of(RELATIONS)
_TWINS = late_pattern(r"(?:\w+ )?(?P<value>twins|triplets|quadruplets|identical twins)\b")
_ADJECTIVE = (
    r"(?:(?:older|elder|big|little|lil|younger|baby|oldest|eldest|youngest|middle|best|good|close|closest|dear|old|new"
    r"|twin|late|former|other|first|second|only|lovely|dear|amazing|wonderful|beautiful|adorable|cute|childhood"
    r"|high school|college|school|work|\w+[- ]year[- ]old|gym|running|tennis|long-?time|oldest|mutual|online"
    r"|black|white|grey|gray|brown|orange|ginger|golden|tiny|huge|fluffy|lazy|crazy|rescue|pet|male|female|adopted"
    r"|grumpy|sweet|naughty|silly|chubby|fat|skinny|energetic|clingy|shy|spoiled|spoilt|hyper|clever|stubborn"
    r"|playful|rather|very|young|spotted|striped|small|great|step|half|mini|miniature|toy|long-haired|short-haired"
    r"|three-legged|blind|deaf|elderly"
    r"|senior)\s+)*"
)
OWNED = late_pattern(
    rf"\b(?P<mine>my|our)\s+(?P<adjective>{_ADJECTIVE})(?P<relation>{_KIN}|{one_of(SEVERAL)}|{one_of(PETS)}"
    rf"|{one_of(PET_PLURALS)})\b(?!['’]s\b)(?P<link>\s*,?\s+(?:is |are |was )?(?:named|called)\s+|'s names? (?:is"
    rf"|are)\s+|\s+are\s+|,?\s+)"
    rf"(?P<names>{NAME}{_AGED}(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){NAME}{_AGED})*)",
    re.IGNORECASE,
)
_COUNT = r"(?P<count>a|an|one|two|three|four|five|six|seven|several|some|many|no|any|a couple of|a few|another|\d{1,2}|lots of|my|our|the)"
_HAS_KIN = late_pattern(
    rf"{_COUNT}\s+(?P<what>{_ADJECTIVE}(?P<noun>{_KIN}|{one_of(SEVERAL)}|{one_of(PETS)}|{one_of(PET_PLURALS)}"
    rf"|pets))\b(?!['’]|\s+(?:food|bed|toy|hair|allergy|sitter|park|walker|tattoo|costume|in common|who needs"
    rf"|request))"
)
_NAMED_AFTER = late_pattern(
    r"(?:\s+(?:yesterday|today|last (?:week|month|year|weekend)|recently))?"
    rf"\s*[,:(–—-]*\s*(?:(?:they are |they're )?(?:who is |whose names? (?:is|are) |that's |which is )?(?:named|called)\s+|names? (?:is"
    rf"|are)\s+|whose names? (?:is|are)\s+)?(?P<names>{NAME}{_AGED}(?:(?:,\s*(?:and\s+)?|\s+and\s+"
    rf"|\s*&\s*)(?:little |baby |wee |young |big )?{NAME}{_AGED})*)"
)
_SMALL_NAMED = late_pattern(
    r"\s*,?\s*(?:who is |whose name is )?(?:named|called)\s+(?P<names>[a-z]{2,12}(?:(?:,\s*"
    r"|\s+and\s+)[a-z]{2,12})*?)\s*(?=$|[,.;!]|who\b|he\b|she\b|and (?:he|she|i|we)\b)"
)
_SPLIT_NAMES = late_pattern(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|&)\s*(?:(?:little|baby|wee|young|big)\s+)?")
_ALLERGY = late_pattern(
    r"(?:(?:a|an|any|no|bad|severe|serious|mild|terrible|life-threatening|known|food|slight|really"
    r"|very)\s+)*(?:allergy|allergies|intolerance|sensitivity|reaction) to\s+"
)
_ALLERGY_BEFORE = late_pattern(
    r"(?:(?:a|an|bad|severe|serious|mild|terrible|really|slight|very|quite)\s+)*(?P<what>(?!food|no|any|known|some"
    r"|many|my)[a-z]+(?: [a-z]+)?(?:(?:,\s*|\s+and\s+)[a-z]+){0,2})\s+(?:allergy|allergies|intolerance)\b"
)
_NO_ALLERGIES = late_pattern(r"(?:(?:no|any)\s+)?(?:known\s+|food\s+)*(?P<what>allergies)\b")
_ILLNESS = late_pattern(
    rf"(?:(?:a|an|mild|severe|bad|chronic|really bad|terrible|slight|acute|some|seasonal|early-onset|moderate"
    rf"|quite bad|diagnosed)\s+)*(?P<what>{one_of(HEALTH)})\b(?!\s+(?:about|over|pills))"
)
_THING_END = late_pattern(
    r"\s*[,;.()!?]|\s+[-–—]|\s+(?:that|which|with|for|from|in|on|at|to|and|but|so|because|since|i|we|called|named"
    r"|now|here|of|as|already|this|last|two|three|yesterday|next|tomorrow|coming|scheduled|due|by|if|when|too|parked"
    r"|tonight|today|who)\b"
)
_DEGREE = late_pattern(
    r"(?P<value>(?:a |an |my )?(?:(?:bachelor'?s?|master'?s?|phd|doctorate|mba|ba|bsc|msc|ma|associate'?s?|law"
    r"|medical|nursing|engineering)\s?)+(?:degree)?(?: in [a-z ]+?)?)(?=\s*(?:$|[,.]|from|and|at))"
)
_FEATURE = late_pattern(
    r"(?P<value>(?:(?:long|short|curly|straight|dark|light|blue|green|brown|hazel|grey|gray|red|blonde|blond|black"
    r"|ginger|thick|thin)\s+)+(?:hair|eyes)|a sweet tooth|a green thumb|freckles|a peanut butter obsession)\b"
)
_BUDGET = late_pattern(
    r"a (?:(?:tight|strict|small|limited|monthly|weekly|total|maximum)\s+)*(?P<value>budget of (?:about |around "
    r"|only )?[$€£¥]?\s?\d[\d,.]*k?(?:\s?(?:dollars|euros|pounds|usd|eur|gbp|bucks|rmb|yuan))?(?: (?:a|per) (?:month"
    r"|week|day|person|year))?)"
)
_JOB = late_pattern(
    r"(?:a|an|my)\s+(?:new |great |part-time |full-time |side )*(?:job|gig|role|position|internship)\s+(?P<how>as (?:a|an)|at|with|for)\s+"
)
_ARTICLE = late_pattern(r"(?:a|an|my own|two|three|another|any|no|the)\s+")
_NO_THING = late_pattern(r"(?:an? |any |no )?(?:question|problem|issue|idea|look)")
_AND_A = late_pattern(r"\s*(?:,|and|,\s*and)\s+(?=(?:a|an|two|three)\s)")


_MODELS = frozenset({"pro", "max", "plus", "air", "mini", "ultra", "gen", "series"})


def singular(noun: str) -> str:
    """The relation or animal that a noun names."""
    return SEVERAL.get(noun) or PET_PLURALS.get(noun) or noun


def names_in(clause: Clause, begin: int, end: int) -> list[tuple[int, int]]:
    """The names of a list of names. Empty: one of them is none."""
    text = clause.sentence.text
    borders = [begin]
    for match in _SPLIT_NAMES.finditer(text, begin, end):
        borders += match.span()
    borders.append(end)
    spans = [(borders[at], borders[at + 1]) for at in range(0, len(borders) - 1, 2)]
    spans = [_without_age(text, span) for span in spans if span[0] < span[1]]
    if any(text[first:last].split()[0].lower() in NOT_NAMES for first, last in spans):
        return []
    return spans


def _without_age(text: str, span: tuple[int, int]) -> tuple[int, int]:
    age = late_pattern(r"\s*\(\d{1,2}\)?$").search(text, *span)
    return (span[0], age.start()) if age else span


def relation_attribute(noun: str) -> str | None:
    """The attribute of people (or animals) of that kind. None: who they are is not kept."""
    one = singular(noun)
    if one in RELATIONS:
        attribute = RELATIONS[one]
        return None if attribute in ("ex", "professional") else attribute
    return "pet" if one in PETS else None


def introduced(clause: Clause, reading: Reading) -> Outcome:
    """Everyone whom the clause names with what they are to the speaker: "my brother Tom", "our dogs, Rex and Max"."""
    for match in OWNED.finditer(clause.sentence.text, clause.begin, clause.end):
        noun = match["relation"].lower()
        attribute = relation_attribute(noun)
        names = names_in(clause, *match.span("names"))
        if attribute is None or not names or (len(names) > 1 and noun not in SEVERAL and noun not in PET_PLURALS):
            names = names[:1] if attribute and names and "," not in match["names"] else []
        for name in names:
            assert attribute is not None
            words = clause.written(*name)
            value = reading.claim(
                attribute,
                name,
                among=(),
                tags=(singular(noun),),
                entities=(words,),
                polarity="positive",
                # "My late husband Ronald".
                ended=(attribute == "partner" and "late" in match["adjective"].lower().split())
                or (
                    attribute in ("pet", "partner")
                    and clause.plain.endswith(("lost ", "put down ", "buried ", "broke up with ", "divorced "), 0, match.start())
                ),
                subject=clause_owner(clause),
                tense="always",
            )
            yield value


def clause_owner(clause: Clause) -> str:
    """Whose "my" it is."""
    return clause.sentence.utterance.subject


def has_someone(reading: Reading) -> Outcome:
    """ "a brother", "two cats, Tom and Jerry", "no kids", "a friend named Jack who …"."""
    clause, said = reading.clause, reading.plain
    if twins := _TWINS.match(said, reading.at, reading.end):
        yield reading.claim("child", twins.span("value"))
        return
    match = _HAS_KIN.match(said, reading.at, reading.end)
    if match is None:
        match = late_pattern(
            rf"(?P<count>)(?P<what>{_ADJECTIVE}(?P<noun>{one_of(SEVERAL)}|{one_of(PET_PLURALS)}|pets))\b(?=\s*(?:$"
            rf"|[,.!]|named|called|and\b))"
        ).match(said, reading.at, reading.end)
    if match is None:
        return
    noun = "pet" if match["noun"] == "pets" else match["noun"]
    attribute = relation_attribute(noun)
    if attribute is None or (noun in ("student", "client", "baby") and said[match.end() :].lstrip().startswith(("on the way",))):
        return
    if re.match(
        r"\s+(?:who (?:can|could|might|wants|asked|needs)|to (?:feed|walk|see|visit|talk)|over|visiting|coming|around|here)\b",
        said[match.end() : reading.end],
    ) and attribute in ("friend", "colleague"):
        return
    if match["count"] in ("no", "any"):
        reading.negative = True
    if match["count"] == "the" and not reading.ended:
        return
    named = _NAMED_AFTER.match(clause.sentence.text, match.end(), reading.end)
    names = names_in(clause, *named.span("names")) if named else []
    if not names and (small := _SMALL_NAMED.match(said, match.end(), reading.end)) and said == clause.sentence.text:
        names = names_in(clause, *small.span("names"))
    tags = (singular(noun),)
    for name in names:
        yield reading.claim(attribute, name, among=names, tags=tags, entities=(clause.written(*name),))
    if not names and (
        attribute not in ("friend", "colleague") or reading.negative or match["noun"] in ("roommate", "flatmate", "roommates", "flatmates")
    ):
        begin = (
            match.start("count")
            if match["count"] not in ("a", "an", "no", "any", "another", "my", "our", "the", "some", "", "one")
            else match.start("what")
        )
        yield reading.claim(attribute, (begin, match.end("what")), tags=tags)
    yield from _more_of_them(reading, max((name[1] for name in names), default=match.end()))


def _more_of_them(reading: Reading, at: int) -> Outcome:
    """ "… a brother and two sisters"."""
    joined = late_pattern(r"\s*(?:[,:]\s*(?:and\s+)?|and\s+|&\s*|(?=an?\s))(?=(?:a|an|one|two|three|four|five|\d)\s)").match(
        reading.plain, at, reading.end
    )
    if joined:
        reading.at = joined.end()
        yield from has_someone(reading)


_BAD_PART = late_pattern(
    r"(?P<what>an?\s+(?:really |very )?(?:bad|dodgy|weak|trick|torn|frozen|herniated|sensitive|delicate)\s+(?:left |right |lower )?"
    r"(?:back|knee|shoulder|hip|ankle|wrist|neck|stomach|heart|disc|meniscus|rotator cuff|acl))\b"
)
_OPERATED = late_pattern(
    r"an?\s+(?P<what>(?:[a-z]+ ){0,2}?(?:transplant|bypass|stent|hysterectomy|mastectomy|colostomy|hip replacement"
    r"|knee replacement|prosthetic leg|prosthesis|stroke|heart attack|titanium \w+|glass eye"
    r"|cochlear implant|insulin pump|feeding tube|weak bladder|weak heart|hernia))\b"
)


def has_health(reading: Reading) -> Outcome:
    """Allergies and illnesses that somebody has, or has not."""
    said, at, end = reading.plain, reading.at, reading.end
    if match := _ALLERGY.match(said, at, end):
        reading.negative = reading.negative or match[0].startswith(("no ", "any "))
        attribute = "health" if "reaction" in match[0] and not re.search(r"\ballergic\b", match[0]) else "allergy"
        found = list(reading.values(match.end()))
        for each in found:
            yield reading.claim(attribute, each, among=found)
    elif match := _NO_ALLERGIES.match(said, at, end):
        if reading.negative or match[0].startswith("no"):
            reading.negative = True
            yield reading.claim("allergy", match.span("what"))
    elif match := _ALLERGY_BEFORE.match(said, at, end):
        found = list(reading.values(match.start("what"), end=match.end("what")))
        for each in found:
            yield reading.claim("allergy", each, among=found)
    elif match := _OPERATED.match(said, at, end) or _BAD_PART.match(said, at, end):
        yield reading.claim("health", match.span("what"))
    elif match := _ILLNESS.match(said, at, end):
        yield reading.claim("health", match.span("what"))
        if more := late_pattern(rf"\s*(?:and|,|&)\s*(?:a |mild |severe |chronic )*(?P<what>{one_of(HEALTH)})\b").match(
            said, match.end(), end
        ):
            yield reading.claim("health", more.span("what"))


def has_thing(reading: Reading) -> Outcome:
    """What somebody owns, has learnt, or looks like."""
    said, at, end = reading.plain, reading.at, reading.end
    if match := _BUDGET.match(said, at, end):
        yield reading.claim("constraint", match.span("value"))
    elif match := late_pattern(
        r"a (?:real |huge |big |total |bit of a )*(?:soft spot|thing|weakness|passion|love|obsession) (?:for|with) "
    ).match(said, at, end):
        found = tastes(reading, match.end(), named=True)
        for each in found:
            yield reading.claim("likes", each, among=found)
    elif match := _JOB.match(said, at, end):
        if match["how"].startswith("as"):
            yield from occupation_claims(reading, match.end(), known_only=False)
        elif place := find_place(reading, match.end(), organisation=True):
            yield reading.claim("employer", place)
    elif match := _DEGREE.match(said, at, end):
        yield reading.claim("skill", reading.value(match.start("value"), end=match.end("value")))
    elif match := _FEATURE.match(said, at, end):
        yield reading.claim("note", match.span("value"))
    elif (article := _ARTICLE.match(said, at, end)) and not _NO_THING.match(said, at, end):
        yield from _owned(reading, article)


#: "I don't have a car today": not there now.
_NOT_AT_HAND = late_pattern(
    r"\b(?:today|tonight|now|with me|on me|handy|yet|at hand|at the moment|this (?:week"
    r"|weekend|time)|available|around|here|tomorrow)\b"
)


def _owned(reading: Reading, article: re.Match[str]) -> Outcome:
    """Things with an article, one after the other: "a PS5 and a Nintendo Switch"."""
    said, begin, end = reading.plain, article.end(), reading.end
    stop = _THING_END.search(said, begin, end)
    finish = stop.start() if stop else end
    # "A newsletter to write" is a task.
    if re.match(r"\s+to\s+(?!work\b)[a-z]", said[finish:end]):
        return
    if said.startswith(("few ", "couple "), begin):
        return
    head = _head_of(said[begin:finish].split())
    if head is None or head in EVENTS:
        return
    if article[0].startswith(("no ", "any ")):
        reading.negative = True
    if reading.negative and _NOT_AT_HAND.search(said, finish, end):
        return
    yield reading.claim("skill" if head in LEARNT else "owns", reading.value(begin, end=finish))
    if more := _AND_A.match(said, finish, end):
        reading.at = more.end()
        yield from has_thing(reading)


def _head_of(words: list[str]) -> str | None:
    """The thing that a noun phrase names, if it is one of those worth keeping."""
    if not 1 <= len(words) <= 5 or "problem" in words:
        return None
    # "an iPhone 13 Pro" is an iPhone.
    while len(words) > 1 and (words[-1] in _MODELS or any(letter.isdigit() for letter in words[-1])):
        words = words[:-1]
    for count in (3, 2, 1):
        head = " ".join(words[-count:])
        if head in THINGS:
            return head
        if head.removesuffix("s") in THINGS:
            return head.removesuffix("s")
    return None
