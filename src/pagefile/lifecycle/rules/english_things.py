"""English clauses about things that tell of the speaker: "jazz is not my thing", "milk upsets my stomach", "my knees are bad". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.lifecycle.facts import Certainty, Claim
from pagefile.lifecycle.rules import english_people as people
from pagefile.lifecycle.rules import english_plans as plans
from pagefile.lifecycle.rules import english_turns as turns
from pagefile.lifecycle.rules.english_orders import all_must
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import FOODS, MEDICINE, one_of

_SUITS = late_pattern(
    r"(?P<value>(?:early |late )?(?:mornings?|evenings?|afternoons?|weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)days?)(?: (?:after|before) [\w:]+)?"
    r"\s+(?:are|is|work|works|suit|suits)(?:n't| not)?\s*(?:the )?(?:best|better|good|great|fine|bad|impossible"
    r"|tricky|free|ok|okay)?(?: (?:for )?me)?)\s*$"
)


_BODY = late_pattern(
    r"my\s+(?:left |right |lower |upper )?(?P<value>(?:knees?|back|hips?|shoulders?|eyesight|hearing|heart|eyes|neck"
    r"|ankles?|wrists?|memory|joints?|feet|lungs|kidneys?|legs?|hands?"
    r"|cholesterol|blood pressure|blood sugar|iron levels?|thyroid)"
    r"(?:'s|\s+(?:is|are|isn't|aren't))\s+(?:a bit (?:too )?(?:high|low)|too high|high|low|too low|borderline|(?:un"
    r"|ov)eractive|underactive|overactive"
    r"|(?:really |very |quite |pretty |a bit )*(?:bad|busted|injured|torn|broken|fractured|dodgy|wonky|weak"
    r"|arthritic|shot|terrible|poor|failing|going"
    r"|not what (?:it|they) (?:was|were|used to be)|what (?:it|they) (?:was|were|used to be))))\b"
)


_UPSETS = rare_pattern(
    r"(?P<value>[a-z][\w' -]{1,30}?)\s+(?:always |really |usually |just )*(?:upsets?|irritates?|bothers?|hurts?"
    r"|doesn't agree with|don't agree with|disagrees? with|messes? up|kills|wrecks|destroys)"
    r"\s+(?:my (?:stomach|gut|tummy|belly|digestion|system|bowels)|me(?=\s*$))"
    r"|(?P<causes>[a-z][\w' -]{1,30}?)\s+(?:always |really |usually )*(?:gives? me|makes? me get|triggers? my)"
    r"\s+(?:bad |terrible |awful |the worst )*(?:headaches?|heartburn|migraines|reflux|the runs|stomach ?aches?"
    r"|cramps|gas|bloating|ibs|eczema)"
)


_NOTHING_WITH = late_pattern(
    rf"(?:nothing with|no|none of the|without) (?P<value>{one_of(FOODS)})(?: for me| in (?:mine|my food)| ever| at all)"
)


_NO_MORE = late_pattern(r"no more (?P<value>[a-z][a-z ]{2,25}?) for me\b")
_NO_FOOD = late_pattern(
    rf"(?P<value>(?:absolutely )?no (?:{one_of(FOODS)})(?:,? (?:no|or|and) (?:{one_of(FOODS)}))* (?:in (?:any|the|my"
    rf"|our|anything|everything)|please\b|ever\b|at all\b).*)"
)


_PUT_ON = late_pattern(
    rf"(?:my |the )?(?:[a-z]+ )?(?:doctor|gp|psychiatrist|cardiologist|neurologist|dermatologist|specialist|doc|nurse"
    rf"|they|he|she)\s+(?:has |have |just |'ve |recently )*(?:put|started|prescribed)\s+me\s+(?:back )?(?:on )?"
    rf"(?:some |\d+ ?mg of )?(?P<value>{MEDICINE}|[a-z]{{6,}})\b"
)


def befallen(reading: Reading) -> Iterator[Claim]:
    """ "My doctor put me on lamotrigine"."""
    match = _PUT_ON.match(reading.plain, reading.clause.at, reading.end)
    if match and match["value"] not in ("antibiotic", "something", "another", "waiting", "medication for", "training", "probation"):
        yield reading.claim("health", match.span("value"))


def _suits(reading: Reading) -> Iterator[Claim]:
    """ "Mornings are best for me"; "my knees are bad"."""
    said, begin, end = reading.plain, reading.clause.at, reading.end
    if (match := _SUITS.match(said, begin, end)) and (match[0].rstrip().endswith("me")):
        yield reading.claim("constraint", match.span("value"))
    elif match := _BODY.match(said, begin, end):
        yield reading.claim("health", match.span("value"))
    elif match := _NO_FOOD.match(said, begin, end):
        yield reading.claim("constraint", reading.whole(match.start("value")), polarity="positive")
    elif match := _NOTHING_WITH.match(said, begin, end):
        # "On antibiotics, so no wine for me": for as long as that lasts.
        certainty: Certainty = "passing" if reading.clause.joined == "so" else "plain"
        yield reading.claim("diet", match.span("value"), polarity="negative", certainty=certainty)
    elif match := _NO_MORE.match(said, begin, end):
        yield reading.ending("habit", match.span("value"))
    elif match := _UPSETS.match(said, begin, end):
        part = "value" if match["value"] else "causes"
        value = trimmed(said, *match.span(part))
        words = said[slice(*value)]
        if words in FOODS or any(words.endswith(food) for food in ("milk", "cheese", "bread", "coffee", "food", "wine", "beer")):
            yield reading.claim("diet", value, polarity="negative")


def of_things(reading: Reading) -> Iterator[Claim]:
    """Clauses about things that tell of the speaker: "peanuts make me sick", "jazz is not my thing", "tea is my favourite drink"."""
    said, begin, end = reading.plain, reading.clause.at, reading.end
    if match := rare_pattern(
        r"(?P<value>[a-z][\w' -]{1,40}?)\s*(?:'s|\s+is|\s+are|\s+isn't|\s+aren't)(?P<no>n't|\s+not)?\s+(?:really "
        r"|just |so |definitely )*(?:my (?:thing|jam|cup of tea|passion|guilty pleasure|comfort food|go-to)"
        r"|for me)\b"
    ).match(said, begin, end):
        value = trimmed(said, *match.span("value"))
        words = said[slice(*value)]
        if (
            words
            and len(words.split()) <= 4
            and not re.match(r"(?:it|this|that|these|those|he|she|what|which|there|here|one|they)\b", words)
            and ("for me" not in match[0] or match["no"] or "n't" in match[0])
        ):
            negative = bool(match["no"]) or "n't" in match[0]
            yield reading.claim("likes", value, polarity="negative" if negative else "positive")
    elif match := rare_pattern(
        r"(?P<value>[a-z][\w ]{2,30}?)\s+(?:gives? me (?:a rash|hives|migraines)|makes? me (?:break out|break out in hives))"
    ).match(said, begin, end):
        yield reading.claim("allergy", trimmed(said, *match.span("value")))
    elif match := rare_pattern(
        r"(?P<value>[a-z][\w' -]{1,30}?)\s+(?:always |just |literally )*tastes?\s+(?:like (?:soap|feet|dirt"
        r"|cardboard|medicine|ash|nothing)|disgusting|awful|gross|vile|horrible|terrible)\b"
    ).match(said, begin, end):
        value = trimmed(said, *match.span("value"))
        if len(said[slice(*value)].split()) <= 3 and not re.search(
            r"\b(?:it|this|that|these|those|they|everything|food|water|he|she|mine|yours|since)\b", said[slice(*value)]
        ):
            yield reading.claim("likes", value, polarity="negative")
    elif found := [
        *turns.grew_on(reading),
        *all_must(reading),
        *plans.called_off(reading),
        *plans.event_on_a_day(reading),
        *_suits(reading),
    ]:
        yield from found
    else:
        yield from people.introduced(reading.clause, reading)
