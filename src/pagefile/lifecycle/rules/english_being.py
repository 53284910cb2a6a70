"""What English says with "to be": who somebody is, where from, what they do, can't eat, have, are up to. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_states as states
from pagefile.lifecycle.rules.english_jobs import occupation_claims
from pagefile.lifecycle.rules.english_places import place_claims
from pagefile.lifecycle.rules.english_reading import Reading, Rule
from pagefile.lifecycle.rules.english_tastes import fancies
from pagefile.lifecycle.rules.english_words import (
    DIETS,
    HEALTH_ADJECTIVES,
    MARITAL,
    MEDICINE,
    NATIONALITIES,
    STATES_OF_WORK,
    one_of,
)

Outcome = Iterator[Claim]

_END = (
    r"(?=\s*(?:$|[,.;!?()]|and\b|but\b|[-–—]|from\b|since\b|for\b|now\b|too\b|so\b|because\b|as well\b|living\b|based\b"
    r"|currently\b|with\b|who\b|by\b|again\b|yet\b|though\b|at heart\b|these days\b|these\b|right now\b|at the moment\b"
    r"|until\b|except\b|apart from\b|in \d))"
)
_JOIN = late_pattern(
    r"\s*(?:,\s*(?:and|but)?|and|but|&|/)\s*(?:i'?m |i am |also |currently |now |originally |happily |a bit |just |very |really )*"
)
_NUMBER_WORDS = "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_ARTICLE = late_pattern(r"(?:a|an|the|your|our|my)\s+")


_TITLE = late_pattern(
    r"(?P<value>(?:ceo|cto|cfo|coo|cmo|founder|co-founder|cofounder|head|director|vp|vice president|president|chair"
    r"|manager|owner|captain)\s+(?:of|at)\s+(?:the\s+|a\s+|an\s+|my own\s+)?\S[^,;.()]{1,40})"
)


#: Tried in order at each complement: "I'm 34, vegan and a nurse" has three.
COMPLEMENTS: tuple[tuple[re.Pattern[str], Rule], ...] = tuple(
    (late_pattern(pattern), rule)
    for pattern, rule in (
        (
            rf"(?P<age>\d{{1,3}}|(?:{_NUMBER_WORDS})(?:[- ](?:{_ONES}))?)(?:\s*(?:years? old|years? of age|yrs? old"
            rf"|yo\b|y/o|yr old)|{_END}(?!\s*(?:and|for|with|from|by|so)?\s*(?:a |half(?! blind| deaf)|weeks|days)))",
            states.age,
        ),
        (
            r"in (?:my|his|her) (?P<value>(?:early |mid[- ]|late )?(?:twenties|thirties|forties|fifties|sixties"
            r"|seventies|eighties|\d0'?s))",
            states.in_their,
        ),
        (r"(?:originally )?from\s+(?=\S)", states.hometown),
        (r"(?:based|living|residing|settled)\s+(?:out of|in)\s+(?=\S)", states.residence),
        (r"(?:an )?(?:allergic|intolerant) to\s+", states.allergy),
        (
            rf"(?:(?:a|an)\s+)?(?:strict |lifelong |committed |full-time |devout |practi[cs]ing )*(?P<value>{one_of(DIETS)})(?:{_END})",
            states.simple("diet"),
        ),
        (
            r"an?\s+(?P<value>(?:[a-z]+[- ]free|vegan|vegetarian|kosher|halal))\s+(?:household|family|home|house"
            r"|kitchen)\b",
            states.simple("diet"),
        ),
        (r"on (?:a|the) (?P<value>[a-z-]+(?: [a-z-]+)? diet|diet)\b", states.simple("diet")),
        (rf"(?:an? )?(?P<value>(?:type (?:1|2|one|two) )?(?:{one_of(HEALTH_ADJECTIVES)})){_END}", states.simple("health")),
        (
            r"(?P<how>married|engaged|in a relationship)\s+(?:to|with)\s+(?=[a-z])"
            r"(?!(?:my|the|this|that|a|an) (?:job|work|career|idea|phone|laptop|desk|sea|game|code|craft|plan|concept"
            r"|gym|business|company)\b|music\b|\d|two|three|one|kids|children|no)",
            states.married_to,
        ),
        (
            r"(?P<how>(?:happily |recently |newly )?married|single|divorced|widowed)\s+(?:with|and have"
            r"|and i have)\s+(?P<children>(?:one|two|three|four|five|\d|a|no)\s+(?:\w+\s+)?(?:kids?|children|sons?"
            r"|daughters?|boys|girls|child))\b",
            states.with_children,
        ),
        (rf"(?P<value>{one_of(MARITAL)}){_END}(?!\s*(?:to|with)\b)", states.simple("marital status")),
        (r"dating\s+(?=[a-z])", states.partner),
        (rf"(?P<value>{one_of(STATES_OF_WORK)}){_END}", states.simple("occupation")),
        (
            rf"(?P<value>(?:half|part|half-)?[- ]?(?:{one_of(NATIONALITIES)})(?:[- ](?:american|canadian|british|born))?){_END}",
            states.simple("nationality"),
        ),
        (rf"(?:an? )?(?:devout |practi[cs]ing )?(?P<value>{states.RELIGIONS}){_END}", states.simple("religion")),
        (rf"an? (?P<value>{states.SIGNS}){_END}", states.simple("zodiac sign")),
        (rf"(?:an? )?(?P<value>non-?binary|genderfluid|transgender|a trans (?:man|woman)|trans){_END}", states.simple("gender")),
        (rf"(?P<value>gay|lesbian|bisexual|queer){_END}", states.simple("orientation")),
        (
            r"(?:a |an )?(?:complete |total |absolute )?(?P<value>(?:beginner|novice|expert|intermediate"
            r"|newbie) (?:in|at|with) [a-z+#.]+(?: [a-z]+)?)",
            states.simple("skill"),
        ),
        (
            r"in (?P<value>sales|marketing|finance|tech|it|hr|education|healthcare|banking|insurance|real estate"
            r"|construction|retail|hospitality|advertising|consulting|publishing|logistics|media|recruitment"
            r"|engineering|law|pr|academia)" + _END,
            states.simple("occupation"),
        ),
        (
            r"in (?:the )?(?P<value>[a-z]+(?: [a-z]+)?)(?= time ?zone)|in (?P<short>pst|est|gmt|cet|cst|mst|ist|jst"
            r"|utc|bst|aest|pacific time|eastern time|central time)" + _END,
            states.zone,
        ),
        (
            r"(?:a |in my )?(?:first|second|third|fourth|fifth|final|1st|2nd|3rd|4th)[- ]year (?:student )?at\s+(?=\S)",
            lambda reading, match: place_claims(reading, match.end(), "school", organisation=True),
        ),
        (r"(?P<value>recovering from .{3,40})", states.simple("health")),
        (r"(?P<value>taking (?:[a-z]+ ){1,3}(?:lessons|classes))\b", states.simple("habit")),
        (r"(?:renting|sharing) an? (?:[\w-]+ ){0,2}(?:flat|apartment|room|house|place|studio) (?:in|near)\s+(?=\S)", states.residence),
        (r"(?P<value>on a (?:very )?(?:tight|limited|strict|small|student) budget)", states.simple("constraint")),
        (r"(?:at|with) (?=[a-z])", states.now_at),
        (
            r"in the (?P<value>(?:royal |merchant |us |british )?(?:navy|army|air force|marines|raf|military|police"
            r"|coast guard|fire service))\b",
            states.simple("occupation"),
        ),
        (r"(?P<value>dead|deceased|no longer with us)\b(?!\s+(?:tired|serious|wrong|to me|inside|right))", states.dead),
        (
            r"(?P<value>on call)\b",
            lambda reading, match: [reading.claim("habit", reading.whole(match.start()))] if reading.is_frequent() else [],
        ),
        (r"seeing\s+(?=[a-z])", states.seeing),
        (r"taking\s+(?:about |around )?\d+\s?(?:mg|mcg|ml|units)(?: a day)? of\s+(?P<value>[a-z]+)", states.simple("health")),
        (r"in (?=[a-z])", states.in_here),
        (r"(?P<value>(?:\d+|one|two|three|four|five|six|seven|eight|nine) (?:weeks?|months?) pregnant)\b", states.simple("health")),
        (
            r"(?P<value>the (?:youngest|oldest|eldest|middle child|middle one|second|third|baby) of (?:the family"
            r"|two|three|four|five|six|seven|eight|nine|ten|\d+)(?: \w+)?)\b",
            states.note,
        ),
        (
            r"(?P<value>on (?:maternity|paternity|parental|sick|medical|compassionate) leave)\b",
            lambda reading, match: [reading.claim("plan" if reading.is_timed(plan=True) else "note", reading.whole(match.start()))],
        ),
        (
            rf"(?:an? )?(?:keen |avid |regular |passionate |amateur |serious |long-distance |trail |competitive "
            rf"|recreational )*(?P<value>runner|swimmer|cyclist|climber"
            rf"|rock climber|gamer|hiker|surfer|skier|snowboarder|skater|knitter|birdwatcher|birder|rower|boxer"
            rf"|triathlete|marathoner|marathon runner|bodybuilder"
            rf"|powerlifter|weightlifter|chess player|tennis player|football player|basketball player|blood donor"
            rf"|churchgoer|smoker|non-smoker|nonsmoker|drinker"
            rf"|non-drinker|foodie|gardener|collector|stamp collector|vinyl collector|sailor|angler|scuba diver|diver"
            rf"|hobby photographer|home baker|home cook){_END}",
            states.simple("habit"),
        ),
        (rf"an? (?P<value>introvert|extrovert|ambivert|[ie][ns][tf][jp]){_END}", states.simple("personality")),
        (
            rf"(?:more of )?(?P<value>(?:a |an )?(?:[a-z]+ )?(?:night owl|early bird|early riser|morning person"
            rf"|night person|dog person|cat person|tea person|coffee person|picky eater|fussy eater|left[- ]handed"
            rf"|light sleeper|heavy sleeper|only child|perfectionist|homebody|bookworm|vegetable hater"
            rf"|people person)){_END}",
            states.note,
        ),
        (
            r"(?P<weak>(?!))?(?:a |an )?(?:really |very )?(?:big |huge |massive |great |real |lifelong "
            r"|long-?time )*(?:(?:fan|lover|fond|fans) of|sucker for) (?:both )?",
            fancies,
        ),
        (
            r"(?P<weak>interested in |keen on )?(?:(?<=in )|(?<=on )|(?:into|all about|wild about|hooked on|mad for"
            r"|crazy about|obsessed with"
            r"|passionate about|mad about|partial to|addicted to|nuts about|big on) )",
            fancies,
        ),
        (r"(?P<what>afraid|scared|terrified|frightened) of\s+", states.attributed),
        (r"(?P<what>good|great|skilled|proficient|excellent) (?:at|in|with)\s+", states.attributed),
        (r"(?:fluent|conversational|proficient) in\s+|(?:a )?native\s+(?=\w+ speaker)", states.language),
        (r"(?:studying|majoring in|reading for|doing (?:a|my) (?:phd|master's|masters|degree|bachelor's|mba) (?:in)?)\s*", states.study),
        (rf"(?:on|taking)\s+(?P<value>{MEDICINE})\b", states.medicine),
        (
            r"(?P<value>(?:about |around )?(?:\d'\s?\d{0,2}\"?|\d (?:ft|feet|foot)(?: \d+(?: inches)?)?|1\.\d+ ?m|\d{3} ?cm)(?: tall)?)"
            + _END,
            states.simple("height"),
        ),
        (
            r"(?:named|called)\s+(?P<value>[a-z][\w'-]*(?: [a-z][\w'-]*)?)" + _END,
            lambda reading, match: (
                [reading.claim("name", match.span("value"))] if reading.clause.sentence.text[match.start("value")].isupper() else []
            ),
        ),
        (
            r"in (?:my|his|her) (?:\w+|final) year (?:of \w+ )?at\s+|(?:enrolled|a sophomore|a junior|a senior|a freshman) at\s+",
            lambda reading, match: place_claims(reading, match.end(), "school", organisation=True),
        ),
        (
            rf"in (?P<value>high school|college|university|grad school|middle school|med school|law school"
            rf"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh"
            rf"|twelfth) grade){_END}",
            states.simple("school"),
        ),
        (
            r"(?P<value>(?:an? )?(?:single |proud |new |full-time |busy )*(?:mother|father|mom|mum|dad|parent) (?:of"
            r"|to) (?:two|three|four|five|six|one|twins|triplets|\d"
            r"|an? [a-z\d-]+(?: [a-z\d-]+)?(?: old)?)(?: (?:kids|children|boys|girls|sons|daughters))?)",
            states.simple("child"),
        ),
    )
)


_BARE_JOB = late_pattern(
    r"(?:[a-z-]+ )?(?:engineer|nurse|teacher|doctor|student|developer|programmer|designer|lawyer|accountant"
    r"|architect|translator|chef|electrician|plumber"
    r"|mechanic|waiter|waitress|driver|dentist|pharmacist|journalist|scientist|researcher|professor|writer|musician"
    r"|photographer|secretary|receptionist"
    r"|software engineer|civil engineer|data scientist|project manager|product manager|social worker|web developer"
    r"|hairdresser|carpenter|cashier)"
    r"(?=\s*(?:$|[,.;!]|and\b|in\b|at\b|of\b|for\b|from\b|by profession|now\b|here\b|working\b))"
)


_WHERE = late_pattern(r"\b(?:at|of|for|in|here|now)\b")


def complements(reading: Reading) -> Iterator[Claim]:
    """What is said of the subject after "is", one complement after the other."""
    for _ in range(6):
        before = reading.at
        claims = list(_complement(reading))
        yield from claims
        # The next complement begins after the last word that was understood.
        reach = max((_end_of(reading, claim) for claim in claims), default=0)
        joined = _JOIN.match(reading.plain, reach, reading.end) if claims else None
        if joined is None or joined.end() <= before:
            return
        reading.at = joined.end()
        if re.match(r"not\s", reading.plain[reading.at : reading.end]):
            reading.negative, reading.at = True, reading.at + 4


def _end_of(reading: Reading, claim: Claim) -> int:
    at = reading.clause.sentence.text.find(claim.value, reading.at)
    return at + len(claim.value) if at >= 0 else reading.end


def _complement(reading: Reading) -> Iterator[Claim]:
    said, end = reading.plain, reading.end
    if said.startswith("no ", reading.at):
        return  # "I'm no doctor, but …": a manner of speaking
    for pattern, rule in COMPLEMENTS:
        if match := pattern.match(said, reading.at, end):
            claims = list(rule(reading, match))
            if claims:
                yield from claims
                return
    if article := _ARTICLE.match(said, reading.at, end):
        claims = list(occupation_claims(reading, article.end()))
        if claims:
            # "My husband is the cook" is said of a dinner as well as of a job.
            at_hand = article[0].startswith("the ") and not _WHERE.search(said, article.end(), end)
            yield from (replace(each, certainty="passing", confidence=0.5) for each in claims) if at_hand else claims
            return
    # "I am engineer": learners leave out the article.
    if (
        reading.own
        and reading.mode == "be"
        and _BARE_JOB.match(said, reading.at, end)
        and (claims := list(occupation_claims(reading, reading.at)))
    ):
        yield from claims
        return
    if title := _TITLE.match(said, reading.at, end):
        yield reading.claim("occupation", title.span("value"))
        return
    if name := late_pattern(r"[a-z]").match(said, reading.at, end):
        yield from states.name(reading, name)
