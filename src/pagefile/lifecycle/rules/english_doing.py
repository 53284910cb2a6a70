"""What English says with other verbs than "to be": tastes, home, work, study, food, habits, possessions, what was done. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_deeds as deeds
from pagefile.lifecycle.rules import english_jobs as jobs
from pagefile.lifecycle.rules import english_tastes as tastes
from pagefile.lifecycle.rules import english_turns as turns
from pagefile.lifecycle.rules.english_people import has_health, has_someone, has_thing
from pagefile.lifecycle.rules.english_places import find_place
from pagefile.lifecycle.rules.english_reading import Reading, Rule
from pagefile.lifecycle.rules.english_words import DIETS, MEDICINE, THINGS, one_of
from pagefile.lifecycle.rules.reading import times_in

Outcome = Iterator[Claim]


#: Tried in order at the verb. ``against`` marks the ones that say no by themselves.
VERBS: tuple[tuple[re.Pattern[str], Rule], ...] = tuple(
    (late_pattern(pattern), rule)
    for pattern, rule in (
        (
            r"(?P<verb>(?:love|like|enjoy|adore|dig)(?:s|d)?|enjoyed|(?P<against>(?:hate|dislike|detest|despise"
            r"|loathe|abhor)(?:s|d)?|can'?t stand))\s+(?!you\b|d\b)(?=[\w\"'“])",
            tastes.likes,
        ),
        (r"mind(?:s|ed)?\s+(?=[a-z])", tastes.minds),
        (r"turned\s+(?P<age>\d{1,3})(?!\d|\s*(?:%|pages|degrees|down|into))", deeds.turned),
        (r"turns?\s+\d{1,3}(?:st|nd|rd|th)?\b(?! (?:percent|degrees|pages))", turns.turns_age),
        (rf"(?:gone|went|turned|became|become|go)\s+(?:an?\s+)?(?P<value>{one_of(DIETS)})\b", deeds.value_of("diet")),
        (r"(?P<value>collects?\s+(?!himself|herself|myself|dust|my|the|your|it|data|it\b)[a-z].*)", deeds.value_of("habit")),
        (r"uses?\s+(?:a\s+)?(?P<value>wheelchair|cane|walker|hearing aid|inhaler|cpap machine)\b", deeds.value_of("health")),
        (
            r"gets?\s+(?:bad |terrible |really bad |frequent )*(?P<value>migraines|panic attacks|motion sickness"
            r"|car ?sick|seasick|hay fever|cold sores|eczema)\b",
            deeds.value_of("health"),
        ),
        (r"uses?\s+(?=[A-Za-z])", deeds.uses),
        (r"(?:codes?|programs?)\s+(?:mostly |mainly |primarily |usually |only )*in\s+(?=[a-z])", deeds.codes_in),
        (r"freelances?\s+as\s+(?:an?\s+)?", jobs.works_as),
        (
            r"(?P<what>(?:starts?|begins?)\s+(?:at|with)\s+(?!\d|noon|home|the\b|an?\b|my\b)(?=[a-z])|(?:starts?"
            r"|begins?)\s+(?:(?:my|a|an|the|his|her)\s+)?"
            r"(?:new |first )?(?:job|role|course|degree|position|postdoc|apprenticeship|residency|fellowship"
            r"|placement|traineeship|contract|uni|college|work"
            r"|school|internship|phd|masters?|studies|training|chemo|treatment|therapy|physio|maternity leave"
            r"|paternity leave)|(?:leaves?|fl(?:y|ies)|moves?"
            r"|graduates?|retires?|goes?|go) (?:to (?!bed|sleep)|for|on|from|in|back|next|this)\b)(?!.*\bevery\b)",
            deeds.soon,
        ),
        (
            r"(?P<value>retired)\b(?!\s+(?:the|my|his|her|jersey|hurt))",
            lambda reading, match: [reading.claim("occupation", match.span("value"))],
        ),
        (
            r"(?:work|take (?:calls|meetings)|do (?:calls|meetings)) (?:on )?(?:mondays|tuesdays|wednesdays"
            r"|thursdays|fridays|saturdays|sundays|weekends|evenings|mornings|past \d\w*|after \d\w*|before \d\w*)\b",
            deeds.free_days,
        ),
        (
            r"weighs?\s+(?P<value>(?:about |around )?\d+(?:\.\d+)?\s?(?:kgs?|kilos?|lbs?|pounds|stone|g))\b",
            lambda reading, match: [reading.claim("weight", match.span("value"))],
        ),
        (
            r"(?:care for|hold with|get on with|vibe with) (?=[a-z])(?!it\b|the (?:point|joke|idea|hype about)|why"
            r"|what|how|you|that|this|enough|much|to\b|a\b|any\b)",
            tastes.cares_for,
        ),
        (
            r"takes? (?P<value>my (?:tea|coffee|eggs|steak|whisky|whiskey) (?:with|without|black|white|strong|weak"
            r"|rare|medium|well|neat|on)\b.*)",
            deeds.value_of("habit"),
        ),
        (r"needs?\s+(?:the|my|an?|our|this)\s+[\w' -]{2,40}?\s+(?:done |finished |ready |back )*by\s+(?=\S)", deeds.needed_by),
        (
            r"do\s+(?P<what>(?!it\b|that\b|this\b|well\b|much\b|anything\b|so\b|not\b|my\b|the\b|what\b|any\b|a\b"
            r"|as\b|you\b|good\b|great\b|enough\b)[a-z]+(?: [a-z]+)?)(?=\s*(?:$|[,.;!]|so\b|because\b|though\b))",
            deeds.does_not,
        ),
        (r"worked\s+(?:with|in|on)\s+(?=[a-z])", deeds.worked_with),
        (r"(?:prefers?|favou?rs?)\s+", tastes.prefers),
        (r"(?P<verb>lives?|living|grew up|was born) (?:right )?(?P<there>there|here)\b(?! (?:is|are))", deeds.there),
        (
            r"lives?\s+(?P<value>(?:just |about |only |like |around )*(?:\d+|an?|five|ten|a few"
            r"|two)\s*(?:min(?:ute)?s?|hours?|blocks?|miles?|km|kilomet\w+|streets?)"
            r"(?: (?:walk|drive|away|ride|on foot))?\s+(?:from|away from|outside|north of|south of|east of"
            r"|west of)\s+(?!here|there|you|him|her|each)\S.*)",
            lambda reading, match: [reading.claim("note", match.span("value"), certainty="passing")],
        ),
        (
            r"(?:liv(?:e|es|ed|ing)|resid(?:e|es|ing))\s+(?:\w+ly\s+|alone\s+|together\s+|by myself\s+"
            r"|with [\w' ]{2,40}?\s+)?(?:in|near|at|(?:just |right )?outside(?: of)?|close to)\s+(?!an?\s+(?:box"
            r"|bubble|dream|barn|lie|loop|fantasy|simulation|society|free country|world|cave|zoo|mess)\b|the\s+(?:box|law"
            r"|beach|sea|park|station)\b)(?=\S)",
            deeds.place("residence"),
        ),
        (
            r"(?:moved|relocated|move|relocate|moving|relocating|settled)(?P<how>\s+(?:back |over |out |up |down "
            r"|across |away |from [\w ]{2,30}? )?(?:to|into|in)\s+)(?=\S)",
            deeds.moved,
        ),
        (
            r"(?:comes?|came|hails?)\s+from\s+(?=[A-Za-z])(?!work|home|the (?:gym|office|store)|a (?:long|family|background))",
            deeds.place("hometown"),
        ),
        (r"grew up\s+(?:in|near|on)\s+(?=\S)", deeds.place("hometown")),
        (r"work(?:s|ed|ing)?\s+(?:full[- ]time |part[- ]time |mostly |remotely |there |now )*as\s+(?:a|an|the|their)?\s*", jobs.works_as),
        (
            r"work(?:s|ed|ing)?\s+(?:full[- ]time |part[- ]time |mostly |remotely |over |now |freelance |weekends "
            r"|nights |evenings |shifts |days "
            r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days? |(?:on|at) (?:weekends|weekdays|nights) )*(?:at|for)\s+(?=\S)",
            jobs.works_at,
        ),
        (r"work(?:s|ed|ing)?\s+in\s+(?=\S)", jobs.works_in),
        (
            r"(?P<value>works?\s+(?:from |only )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\s*(?:to|through|till"
            r"|until|thru|-|–|and)\s*(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
            deeds.value_of("habit"),
        ),
        (
            r"(?P<value>work(?:s|ing)? (?:from home|remotely|nights|night shifts|part[- ]time|full[- ]time|weekends"
            r"|shifts|night shift|the night shift|freelance))\b",
            lambda reading, match: [reading.claim("habit", match.span("value"))],
        ),
        (
            r"(?:joined|started at(?= [a-z])(?! (?:the|a|an|my|our|noon|home|uni|school|college|this|that|(?:mon|tues"
            r"|wednes|thurs|fri|satur|sun)day)\b)"
            r"|started working (?:at|for)|got (?:a|my) (?:new )?job (?:at|with)|started (?:a"
            r"|my) (?:new )?(?:job|role|position) (?:at|with)|accepted (?:a|an) (?:job |offer |job offer "
            r"|position )+(?:at|from|with))\s+(?=\S)",
            jobs.joined,
        ),
        (
            r"(?:got (?:a|my) (?:new )?job|started (?:a|my)? ?(?:new )?(?:job|role|position)|started (?:working)?"
            r"|got (?:a )?promot(?:ed|ion)|was promoted)\s+(?:as|to)\s+(?:a|an|the)?\s*(?!work|learn|think|feel|use"
            r"|go|the)",
            jobs.works_as,
        ),
        (
            r"(?:quit|left|resigned from|got (?:fired|laid off) (?:from|by))\s+(?:my (?:job|role|position) (?:at|with)\s+)?(?=[A-Za-z])",
            jobs.left,
        ),
        (r"(?P<verb>stopped|quit|gave up|given up|give up|cut out|giving up|stop)\s+", tastes.ends),
        (r"(?:study|studies|studied|studying)\s+(?=\S)", jobs.studies),
        (
            r"(?:goes|go|went|attends?|attended)\s+to\s+(?:school |college |university |uni )(?:at|in)\s+"
            r"|attends?\s+|(?:goes|go)\s+to\s+(?=\S[\w ]{0,30}(?:university|college|school|academy)\b|[\w]+ (?:state"
            r"|tech)\b)",
            jobs.school,
        ),
        (r"keeps? (?P<value>kosher|halal)\b", deeds.value_of("diet")),
        (
            r"(?P<value>(?!work|do\b|what\b|kill|read\b|it\b|this\b)[a-z]+(?: [a-z]+)?) for a living\b",
            lambda reading, match: [] if reading.negative else [reading.claim("occupation", match.span("value"))],
        ),
        (r"dropped out\s+of\s+(?=\S)", deeds.dropped_out),
        (r"(?:majors?|majored|majoring|minors?) in\s+", lambda reading, match: jobs.study_claims(reading, match.end())),
        (r"(?:graduated|got my degree|got a degree)\s+from\s+(?=\S)", deeds.graduated),
        (r"(?:speaks?|know|knows|understands?)\s+(?=\w)", deeds.speaks),
        (rf"plays?\s+(?:the\s+)?(?P<what>{deeds.INSTRUMENTS}|{deeds.SPORTS})\b", deeds.plays),
        (r"(?P<verb>eats?|drinks?|consumes?|touch)\b\s*(?P<what>[a-z].*)?", tastes.eats),
        (r"(?P<verb>smokes?|vapes?|gambles?)\b", tastes.smokes),
        (r"(?:(?:try|tries|trying|have|need) to )?avoid(?:s|ing)?\s+(?:eating |all |any )*", tastes.avoids),
        (
            r"(?P<verb>wakes? up|gets? up|rise|go(?:es)? to (?:bed|sleep)|sleeps?)\s+(?:every (?:day|morning"
            r"|night)\s+)?(?:at |around |by |before |after )+(?P<time>(?:about "
            r"|around )?(?:\d{1,2}(?:[:.]\d{2})?(?:\s*(?:am|pm|a\.m\.|p\.m\.|o'clock))?|midnight|noon|dawn|sunrise"
            r"|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s*(?:am|pm))?)",
            deeds.wakes,
        ),
        (r"(?:owns?|drives?|rides?)\s+(?:a|an|two|three)\s+", deeds.owns),
        (r"(?:own|owns)\s+", deeds.owns),
        (r"suffer(?:s|ed)? from\s+", deeds.suffers),
        (r"(?:became|become)\s+(?:an?|the)\s+(?=[a-z])", lambda reading, match: list(jobs.occupation_claims(reading, match.end()))),
        (
            r"(?P<what>(?:(?:booked|reserved|scheduled|arranged)\s+(?!off\b|out\b)|(?:got|have"
            r"|bought)\s+(?:\w+ )?tickets?\s+(?:for|to)\s+|gets? (?:married|divorced|surgery)\b|(?:visits?|comes?"
            r"|arrives?)\s+(?:us |me |over |here "
            r"|home )*(?:next|this|on|in|tomorrow)\b)(?!.*\bevery\b).*)",
            deeds.soon,
        ),
        (
            r"(?:wears?|needs?)\s+(?P<what>(?:reading )?glasses|contacts|contact lenses|a hearing aid|hearing aids"
            r"|braces|an insulin pump)\b(?!\s+(?:to|for) (?:\w+ )?(?:this|that|these|your|it)\b)",
            deeds.wears,
        ),
        (
            rf"(?:takes?|needs?)\s+(?:my |some |daily |a daily |\d+ ?mg of )?(?P<what>{MEDICINE}|insulin|metformin"
            rf"|antidepressants|medication(?: for [a-z ]+)?|blood thinners|statins"
            r"|levothyroxine|blood pressure (?:meds|medication|pills)|beta blockers|birth control)\b",
            deeds.wears,
        ),
        (r"go(?:es)? by\s+|prefers? (?:to be called|being called)\s+|prefer the name\s+", deeds.goes_by),
        (r"supports?\s+(?=[a-z])", deeds.supports),
        (r"knows?\s+(?:how to\s+)(?P<what>[a-z])", deeds.knows),
        (
            r"(?:run|own|manage|lead|runs|owns|manages|leads|co-own|co-run|opened|started|founded|co-founded"
            r"|set up)\s+(?P<what>(?:a|an|my own|my|our"
            r"|our own)\s+(?:[\w-]+\s+){0,3}?(?:bakery|shop|store|company|business|restaurant|startup|studio|farm"
            r"|salon|café|cafe|agency|consultancy|firm|charity|label|brand|hotel|hostel|guesthouse|nursery|daycare"
            r"|garage|workshop|brewery|winery"
            r"|vineyard|boutique|florist|stall|market stall|newspaper|magazine|lab|research group|group of \w+"
            r"|department|laundrette|dance school"
            r"|music school|kennel|stables|theatre|theater|franchise|warehouse|kitchen|library|museum|ngo|non-profit"
            r"|publisher|agency|clinic|gallery|practice|b&b|podcast|blog|nonprofit|bookshop|bookstore|gym|bar"
            r"|pub|food truck|youtube channel|(?:small )?team(?: of [\w]+(?: \w+)?)?))\b(?!\s+(?:run|walk|event"
            r"|drive|dinner|gala|auction|page|account|meeting|call|sale)\b)",
            jobs.runs_business,
        ),
        (r"(?:teach|teaches|taught)\s+(?=[a-z\d])", jobs.teaches),
        (
            r"(?:leads?|runs?|heads?|manages?)\s+(?P<what>the\s+(?:[\w-]+\s+){0,2}?(?:team|department|office|group|lab|unit|division|branch"
            r"|store|shop|kitchen))\b",
            jobs.runs_business,
        ),
        (
            r"(?P<value>(?:(?:sings?|plays?|performs?) in (?:a|an|the|my|our|two)|coach(?:es)?|volunteers? (?:at|for|with|as)"
            r"|runs? (?:half |ultra)?(?:marathons|races|ultras)|rides? horses|fosters? (?:cats|dogs|kids|children|kittens)|acts? in"
            r"|dances? (?:salsa|tango|ballet|swing|flamenco|hip hop))\b(?!\s+way\b).*)",
            deeds.does,
        ),
        (
            r"eats?\s+(?:pretty much |almost |nearly )?(?:everything|anything|all)\s+(?:but|except(?: for)?|apart from)\s+(?=[a-z])",
            deeds.all_but,
        ),
        (
            r"reports? to\s+(?P<name>[a-z][a-z'-]+)(?=\s*(?:$|[,.;!?(]))",
            lambda reading, match: jobs.reports_to(reading, match) if reading.clause.sentence.text[match.start("name")].isupper() else [],
        ),
        (
            r"(?P<value>(?:walks?|bikes?|cycles?|drives?|commutes?|runs?) to (?:work|school|uni|college|the office|campus)"
            r"|takes? the (?:bus|train|tube|metro|subway|tram|ferry) to (?:work|school|uni|college|the office))\b",
            deeds.value_of("habit"),
        ),
        (
            r"(?P<value>(?:grows?|brews?|bakes?|sews?|knits?|crochets?|keeps?)\s+(?:my own\s+|our own\s+)?"
            r"(?:(?<=keep )bees|(?<=keeps )bees|(?<=keep )chickens|(?!(?:up|old|out|on|in|tired|a|bored|to|it|this"
            r"|that|from|apart|my|the)\b)[a-z]+(?: and [a-z]+(?: [a-z]+)?)?))"
            r"(?=\s*(?:$|[,.;!]|on\b|in\b|at\b|and\b|for\b|when\b))",
            deeds.grows,
        ),
    )
)


def read_verb(reading: Reading) -> list[Claim]:
    """What the verb says. Empty: nothing that rules know."""
    for pattern, rule in VERBS:
        if match := pattern.match(reading.plain, reading.at, reading.end):
            claims = list(rule(reading, match))
            if claims:
                return claims
    return []


_DISLIKED = late_pattern(r"(?:hate|dislike|detest|despise|loathe|not like|can't stand)\s+(?=[a-z])")


_BE_INTO = late_pattern(
    r"be\s+(?:so |really |super |very |totally |quite |pretty |a (?:big |huge |massive )?)*(?:into|obsessed with"
    r"|crazy about|mad about|addicted to|fan of|fond of)\s+(?=\w)"
)


def read_used_to(reading: Reading) -> list[Claim]:
    """ "used to …": what was so and is no longer."""
    plain, at = reading.plain, reading.at
    if disliked := _DISLIKED.match(plain, at, reading.end):
        return list(tastes.liked_no_less(reading, tastes.tastes(reading, disliked.end(), named=True)))
    if into := _BE_INTO.match(plain, at, reading.end):
        reading.ended, reading.negative = True, True
        found = tastes.tastes(reading, into.end(), named=True)
        return [reading.claim("likes", each, among=found) for each in found]
    if be_at := late_pattern(r"be\s+(?:at|with)\s+(?=\S)").match(plain, at, reading.end):
        place = find_place(reading, be_at.end(), organisation=True)
        reading.ended, reading.negative = True, True
        return [reading.claim("employer", place)] if place and reading.clause.sentence.text[place[0]].isupper() else []
    if be := late_pattern(r"be\s+(?:a|an)\s+").match(plain, at, reading.end):
        if reading.own:
            reading.ended, reading.negative = True, True
            return list(jobs.occupation_claims(reading, be.end()))
        return [replace(each, valid_from=None, valid_to=each.said_at) for each in jobs.occupation_claims(reading, be.end())]
    reading.ended, reading.negative = True, True
    if have := late_pattern(r"have\s+(?=an?\s|\w+ (?:dogs|cats))").match(plain, at, reading.end):
        reading.at = have.end()
        return list(has_health(reading)) or list(has_someone(reading)) or list(has_thing(reading))
    claims = read_verb(reading)
    if claims:
        return claims
    value = reading.value(at)
    words = plain[slice(*value)]
    if 1 <= len(words.split()) <= 8 and not re.match(r"(?:be|think|it|that|this|have)\b", words):
        return [reading.claim("habit", value)]
    return []


_PAST_STATE = late_pattern(
    r"(?:lived|worked|resided|studied|attended|taught|loved|liked|enjoyed|hated|disliked|adored|detested|despised|preferred)\b"
)
_GOT = late_pattern(r"got\s+(?P<value>married|engaged|divorced)\b")
_ACQUIRED = late_pattern(
    r"(?:got|bought|adopted|rescued|purchased|picked up|inherited|leased|acquired|had)\s+(?=(?:a|an|two|three|my|our|my own)\s)"
)
_PARTED = late_pattern(r"(?:sold|gave away|got rid of|crashed|returned|scrapped|rehomed)\s+(?:my|our|the)\s+(?P<old>old\s+)?(?=[a-z])")
_BROKE_UP = late_pattern(
    r"(?:broke up|split up|broken up|separated|parted ways)(?:\s+with\s+(?:my\s+)?(?P<who>[a-z]+))?|(?:dumped"
    r"|divorced|left)\s+my\s+(?P<whom>girlfriend|boyfriend|wife|husband|partner|fiancée?|spouse)\b"
)
_KIN_OF_LOVE = frozenset({"girlfriend", "boyfriend", "wife", "husband", "partner", "fiance", "fiancee", "fiancé", "fiancée", "spouse"})


def is_past(reading: Reading) -> bool:
    """Whether the verb tells of a state that is over: "I lived in Rome"."""
    return reading.mode == "do" and not reading.negative and bool(_PAST_STATE.match(reading.plain, reading.at, reading.end))


def past_claims(reading: Reading, found: list[Claim]) -> list[Claim]:
    """The same facts as those of a closed period if it is told, else as something that was."""
    if all(each.attribute in ("school", "major") for each in found):
        return found
    if all(each.attribute == "likes" for each in found):
        return [replace(each, certainty="passing", confidence=0.5) for each in found]
    times = times_in(reading.clause.text, reading.clause.sentence, "event")
    if any(time.end is None and time.start is not None for time in times):
        return found
    if times:
        return [
            reading.claim(each.attribute, each.value, tense="past") if each.attribute not in ("school", "major") else each for each in found
        ]
    return [reading.claim("experience", reading.value(reading.at, end=reading.end, keep_article=True))]


def got(reading: Reading) -> Iterator[Claim]:
    """What came or went: "got married", "adopted a dog named Rex", "sold my car", "broke up with my girlfriend"."""
    plain, end = reading.plain, reading.end
    if match := _GOT.match(plain, reading.at, end):
        yield reading.claim("marital status", match.span("value"))
        if to := late_pattern(r"\s+to\s+(?:my\s+(?:\w+\s+)?)?(?P<name>(?-i:[A-Z][a-z]+))").match(
            reading.clause.sentence.text, match.end(), end
        ):
            yield reading.claim("partner", to.span("name"))
    elif match := _ACQUIRED.match(plain, reading.at, end):
        if reading.negative or (match[0].startswith("had") and not re.match(r"an?\s+baby", plain[match.end() : end])):
            return
        reading.at = match.end()
        yield from list(has_someone(reading)) or list(has_thing(reading))
    elif match := _PARTED.match(plain, reading.at, end):
        value = reading.value(match.end())
        words = plain[slice(*value)]
        if words and len(words.split()) <= 3:
            known = words in THINGS or words.split()[-1] in THINGS
            # "I sold the Corsa": a car only to who knows that it is one.
            yield reading.claim("owns", value, ended=True) if known else reading.ending("owns", value)
    elif match := _BROKE_UP.match(plain, reading.at, end):
        who = "who" if match["who"] else "whom"
        if match[who] and (match[who] in _KIN_OF_LOVE or reading.clause.sentence.text[match.start(who)].isupper()):
            yield reading.claim("partner", match.span(who), ended=True)


_DOING = late_pattern(r"(?:trying to avoid|working|living|studying|teaching|wearing|avoiding|staying)\s")


def being_doing(reading: Reading) -> Iterator[Claim]:
    """ "I'm working as a nurse", "I'm living in Rome": what somebody is doing these days."""
    if _DOING.match(reading.plain, reading.at, reading.end):
        yield from read_verb(reading)
