"""What somebody did or went through, and where they went, in English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_places import find_place
from pagefile.lifecycle.rules.english_reading import Reading

Outcome = Iterator[Claim]

#: Worth remembering without a date, too.
_MEMORABLE = late_pattern(
    r"(?:climbed|visited|travell?ed (?:to|around|through|across)|flew to|hiked (?:the|to|in|up|across)|ran (?:a"
    r"|my first|the) (?:\w+ )*(?:marathon|half|5k|10k|race|ultra)|cycled (?:across|from|around|to)|swam (?:across"
    r"|with)|won (?:a|an|the|my|first|second|third)|graduated|sold my|got (?:fired|laid off|accepted|promoted"
    r"|a (?:new )?(?:job|promotion|raise|tattoo|scholarship|degree))"
    r"|got my (?:degree|license|licence|driver|driving|first|phd|green card|citizenship|visa|pilot)|had (?:surgery"
    r"|an operation|a (?:miscarriage|heart attack|stroke|car accident|knee|hip|c-section|baby)|my (?:appendix|wisdom"
    r"|tonsils|first|second|third))|broke (?:my|his|her) (?:left |right )?(?:arm|leg|ankle|wrist|nose|hip|toe|foot"
    r"|finger|collarbone|hand|back|ribs?|shoulder|elbow|knee|neck|jaw|tooth)|sprained|tore my|injured my|hurt my"
    r"|handed in my (?:notice|resignation)|gave (?:my |them my |in my )notice|resigned|signed (?:a|the"
    r"|my) (?:contract|lease|papers)|moved (?:here|there)|split up|broke up|separated|got into (?:(?:med|law|grad"
    r"|art|business|vet|dental) school|university|college|uni|oxford|cambridge|harvard|yale|stanford|mit|princeton"
    r"|[a-z]+ (?:university|college))\b|died\b|passed (?:away|the \w+)|passed$|got (?:in(?:to (?:\w+ )?(?:college"
    r"|university|uni|grad school|law school|med school))?$|the (?:job|scholarship|promotion|part|role|flat|house"
    r"|visa))"
    r"|lost my (?:job|mom|mum"
    r"|dad|mother|father|wife|husband|dog|cat|grandma|grandmother|grandfather|grandpa|brother|sister|wallet"
    r"|passport)|lost \d+"
    r"|met my (?:wife|husband|partner|girlfriend|boyfriend|fiancée?|best friend)|published|founded|co-founded"
    r"|built (?:a|my own|our own)|started (?:(?:primary |secondary |high |middle |nursery )?school|university|uni"
    r"|college|kindergarten|nursery|preschool|learning|taking|playing|practicing|practising|volunteering|therapy"
    r"|going to (?:the gym|therapy)|my own)|passed my|failed my|took up|took a (?:trip|cruise|road trip|sabbatical"
    r"|gap)|spent (?:a|two|three|four|five|six|\d+|\w+ (?:weeks?|months?|years?)) ?\w* ?(?:weeks?|months?|years?"
    r"|summer|winter|semester|days)?|lived (?:in|abroad)|worked (?:at|as|for)"
    r"|served in|interned (?:at|with)|retired|quit my|left my|became|enrolled (?:in|at)|signed up for a|backpacked"
    r"|rode (?:a|the|across)|drove across|recovered from|survived|gave birth|wrote (?:a|my (?:first )?) ?(?:book"
    r"|novel|thesis|song|memoir|screenplay)|learned (?:to|how to)|learnt (?:to|how to)|proposed to|adopted|fostered"
    r"|auditioned for|completed (?:a|my)|finished (?:my (?:first|degree|phd|thesis|novel|book|masters|screenplay"
    r"|training|residency)|writing|reading)|ran away|donated|volunteered (?:at|for|in|with)|competed in"
    r"|participated in|attended (?:a|an|the|my)|organi[sz]ed a|hosted a|celebrated (?:my|our)|moved (?:in|out|back"
    r"|house)|went (?:skydiving|scuba|bungee|to (?:an?|my|our) (?!doctor)))\b"
)
_VISITED = late_pattern(
    r"(?:visited|went (?:back )?to|been to|travell?ed to|flew to|gone to|vacationed in|got back from|returned from|came back from)\s+(?=\S)"
)
_AFTER_PLACE = late_pattern(
    r"\s*(?:$|[,.;!?()–—-]|\s(?:last|in|for|with|and|twice|once|yesterday|on|this|over|during|when|before|after|from"
    r"|to|by|because|but|as|two|three|many|several|a (?:few|couple|week|month|year)|at|again|recently|where|which"
    r"|a lot|every|since|back|alone|together|here|there|\d|right|so|it|i|we|while|the (?:other|summer|week)|just"
    r"|three|four|five|around|yet|before|ever)\b)"
)
_TRIVIAL = late_pattern(
    r"\b(?:your|you|those|these|this (?:app|code|issue|error|bug|file|function|one|morning|plan|week)|the (?:code"
    r"|app|error|issue|bug|file|store|shop|bathroom|toilet|steps?|instructions?|tutorial|docs|documentation"
    r"|supermarket|grocery|website|page|link|settings|menu|plan|version|data|model|script|list|draft|changes"
    r"|snippets?|numbers|report|slides|assumption|details)"
    r"|bed|sleep|lunch|for a (?:walk|run)|a (?:message|reply|response|warning|notification|popup|prompt|question"
    r"|crazy)|an? (?:error|exception|email|assumption)|(?:this|that) (?:pic|photo|picture|shot)|something|stuff"
    r"|things?|it|snippets?|\*\*)\b|\*\*"
)
_TOO_RECENT = late_pattern(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|earlier|just now|an hour ago|minutes ago|hours ago|so far)\b"
)
_PAST_VERB = late_pattern(
    r"(?!need|feed|breed|speed|shed)(?:[a-z]{3,}ed|went|ran|saw|drove|flew|swam|took|gave|won|lost|met|bought|sold"
    r"|made|built|wrote|taught|caught|broke|spent|left|began|became|grew|drew|rode|fell|had|got|did|held|led|hurt"
    r"|cut)\b"
)
_DULL = late_pattern(
    r"(?:tried|asked|wanted|needed|used|noticed|checked|clicked|installed|updated|changed|thought|looked|called"
    r"|opened|typed|searched|fixed|worked on|happened|seemed|liked|loved|hated|enjoyed|preferred|decided|realized"
    r"|realised|wondered|expected|received|followed|added|created|removed|deleted|downloaded|uploaded|posted"
    r"|mentioned|discussed|talked|listened"
    r"|showed|stopped|missed|cared|agreed|tested|adjusted|proposed (?!to)|squeezed|stumbled|learned (?:about|that)"
    r"|got (?:a (?!new|promotion|raise|job|tattoo|dog|cat)|an|the|it|this|that|your|back to|up|home|so|to|here|out"
    r"|into|really|really sick|sick|some|around)|had (?:an? (?:good|bad|long|busy|rough|hard|tough|dream|question"
    r"|problem|feeling|great|blast|lovely|amazing|wonderful|wicked|fun|fantastic|nice|crazy|real|experience|chat"
    r"|talk|awesome|idea|thought|hunch|lot|few)|to|trouble|issues|problems|some|the|fun|it|lunch|dinner|breakfast"
    r"|coffee|no)|did (?:it|that|this|the|some|not|my)"
    r"|made (?:it|a (?:mistake|change)|this|that|the|sure|some|me|progress)|saw (?:it|that|this|your|the|a (?:post"
    r"|tweet|meme|video)|some)|went (?:to (?:bed|sleep|work|the (?:store|shop|gym|bathroom))|with|over|back|home"
    r"|ahead|out|well|through)|took (?:a (?:look|shower|nap|break)|it|some|your|the (?:bus|train)|me)|gave (?:up|it"
    r"|you|me)|left (?:it|the|my (?:phone|keys))|spent (?:hours|all|some|too|the|time)|bought (?:some|the|it)"
    r"|felt|named|started (?:to|with|it|over)|ran (?:into|out|the|it|this|that|those|a (?:test|query|command))"
    r"|fell (?:asleep|behind)|woke|read|said|told|shared|planned|reviewed|hoped|guessed|supposed|forgot|ended up"
    r"|figured|managed|moved (?:the|it|this|my (?:file|data|meeting))|met (?:an? (?:guy|girl|man|woman|person"
    r"|deadline)|up)|lost (?:my (?:keys|phone|wallet|glasses|temper|mind|way|place|train)|the|a|interest|it)|kept"
    r"|turned out|slept|based|excited|interested|tired|supposed|freaked|struggled|promised)\b"
)


_TO_A_DAY = late_pattern(r"moved (?:it |that )?to (?:the \d|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|tomorrow)")


def experience(reading: Reading) -> Outcome:
    """What somebody did, or where they went."""
    said, at, end = reading.plain, reading.at, reading.end
    if _TOO_RECENT.search(said, reading.clause.begin, end):
        return
    if match := _VISITED.match(said, at, end):
        found = list(_visits(reading, match.end()))
        if found:
            yield from found
            return
    if reading.negative or _TO_A_DAY.match(said, at, end) or _TRIVIAL.search(said, *reading.whole(at)):
        return
    timed = reading.is_timed()
    if _MEMORABLE.match(said, at, end) is None and not (timed and _PAST_VERB.match(said, at, end) and not _DULL.match(said, at, end)):
        return
    value = reading.whole(at)
    words = said[slice(*value)].split()
    if 2 <= len(words) <= 25 or (len(words) == 1 and words[0] in ("graduated", "retired", "passed")):
        yield reading.claim("experience", value)


def _visits(reading: Reading, begin: int) -> Outcome:
    """Named places, one after the other: "Paris and Rome". A parade that has a name in front is no place."""
    text, found = reading.clause.sentence.text, []
    while (place := find_place(reading, begin)) and text[place[0]].isupper() and _AFTER_PLACE.match(reading.plain, place[1], reading.end):
        found.append(place)
        more = late_pattern(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+)(?=[A-Z])").match(text, place[1], reading.end)
        if more is None or len(found) > 6:
            break
        begin = more.end()
    for each in found:
        yield reading.claim("visited", each, among=found)


def been(reading: Reading) -> Outcome:
    """ "I've been to Japan twice", "I've never been to Asia", "I've been learning Spanish since May"."""
    said, at, end = reading.plain, reading.at, reading.end
    if match := late_pattern(r"(?:back )?to\s+(?=\S)").match(said, at, end):
        yield from _visits(reading, match.end())
    elif match := late_pattern(r"diagnosed with\s+").match(said, at, end):
        for each in reading.values(match.end()):
            yield reading.claim("health", each)
    elif late_pattern(
        r"(?:playing|practi[cs]ing|doing|running|swimming|cycling|climbing|knitting|collecting|going to|volunteering"
        r"|meditating|journall?ing)\b(?=\s)"
    ).match(said, at, end):
        value = reading.value(at)
        words = said[slice(*value)]
        if (
            len(words.split()) <= 4
            and words not in ("playing", "doing", "practicing", "practising", "collecting", "volunteering")
            and re.search(r"\b(?:for (?!this|that|the|it)|since)\b", said[at:end])
            and not _NOT_DONE.search(words)
        ):
            yield reading.claim("habit", value)


_NOT_DONE = late_pattern(
    r"^doing$|\b(?:it|this|that|well|ok|okay|fine|good|bad|great|things?|stuff|some|nothing|everything|research|late|low|out|around|into)\b"
)


def was_there(reading: Reading) -> Outcome:
    """ "I was in Paris last week"."""
    match = late_pattern(r"in\s+(?=\S)").match(reading.plain, reading.at, reading.end)
    if match and not reading.negative and reading.is_timed():
        yield from _visits(reading, match.end())
