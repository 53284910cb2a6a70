"""Goals and habits in English: what people strive for, and what they do again and again. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_reading import Reading

Outcome = Iterator[Claim]

_SOON = late_pattern(
    r"\b(?:tonight|today|later|now|right now|for now|at the moment|this (?:morning|afternoon|evening|time)|in a (?:bit|minute|moment))\b"
)
_SIGH = late_pattern(r"\W*(?:ugh|god|argh|omg|gah|omfg|jesus|sigh)\b|.*\b(?:lol|lmao|haha+)\W*$")
_TASK = late_pattern(
    r"(?:learn(?:ing)? how to \w+ (?:up )?(?:an?|the|this|my)\b|cent(?:er|re)\b|refactor|debug|deploy|parse|compile"
    r"|render|migrate|implement|install"
    r"|configure|scrape|fix|merge|ship|format|rewrite|print|test|sort|align|convert|connect|load|automate|upload"
    r"|download|get (?:the|this|my"
    r"|a|it) [\w ]+ (?:to work|working)|make (?:the|this|it|sure)|write (?:an?|the|this) (?!book|novel|memoir|screenplay|song|play|poem)"
    r"|(?:finish|complete|send|submit) (?:the|this))"
)
_NOW = late_pattern(r"\bnow[\s.!]*$")
#: What people want for longer than a moment.
_ASPIRE = (
    r"(?:learn|become|run (?:a|my first|the)(?= \w*\s*(?:marathon|half|5k|10k|race|ultra|business|company|bakery"
    r"|cafe))|lose|save|buy (?:a|my|our) (?:first |new )?(?:house|home|flat|car|apartment|boat|bike|place|van)"
    r"|travel|visit|start (?:a|my|our) (?:own )?(?:\w+ )?(?:business|company|family|podcast|blog|garden|band"
    r"|restaurant|bakery|cafe|channel|youtube|foundation|nonprofit|studio|shop|store)"
    r"|write (?:a|my) (?:book|novel|memoir)|get (?:a (?:\w+ )?(?:job|degree|phd|dog|cat|puppy|promotion|raise|tattoo"
    r"|scholarship|license|licence|masters?|master's|mba|motorcycle)|my (?:degree|license|licence|phd|black belt|ged"
    r"|pilot's|driver's|driving)|into (?:shape|college|med|law|politics|local politics|coding|harvard|mit)|better at"
    r"|fit|in shape|healthier|fitter|promoted|married|pregnant|certified|stronger|over my|out of debt)"
    r"|quit|stop (?:smoking|drinking|eating|biting|procrastinating|vaping)|cut (?:down|back|out)|reduce my"
    r"|move (?:to|abroad|out|back)|relocate|retire|open (?:a|my) (?:own )?\w+|build (?:a|my|up) (?:\w+ )?(?:house"
    r"|company|business|muscle|habit|career|cabin)|climb|improve my|read (?:more|\d+)|eat (?:healthier|healthy|less"
    r"|more|better)|exercise more|sleep (?:more|better|earlier)|drink (?:less|more)|gain"
    r"|have (?:kids|children|a (?:family|baby))|adopt|finish (?:my (?:degree|phd|thesis|novel|book|dissertation"
    r"|studies)|writing)|complete (?:a|my) (?:marathon|degree|phd|triathlon|ironman)|wake up earlier|spend (?:more"
    r"|less) time|see the (?:northern lights|world|pyramids)|hike|swim|cycle|go (?:vegan|vegetarian"
    r"|back to (?:school|college|university)|to (?:med|law|grad|business|culinary|art) school|freelance|abroad"
    r"|skydiving)"
    r"|be (?:an? (?!bit|little|lot|part)|more (?:patient|active|productive|organi[sz]ed|present|confident)|fluent"
    r"|able to (?:speak|run|swim|play)|healthier|fit\b|debt)|pay off|earn|switch (?:careers?|jobs)"
    r"|change (?:careers?|jobs)|publish|master|play (?:the|in)|conceive|downsize|volunteer|study (?:abroad|medicine"
    r"|law|\w+ at))\b"
)
_WANTS = late_pattern(
    rf"(?:wants?|wanted|hopes?|aims?|wanna|aspires?|(?P<dream>dreams?|dreaming|dreamed) (?:of"
    rf"|about))\s*(?:to\s+)?(?:really |one day |someday |eventually |finally |also )*(?P<what>{_ASPIRE}"
    rf"|(?<=of )[a-z]+ing\b|(?<=about )[a-z]+ing\b)"
)
_TRYING = late_pattern(
    rf"(?:trying|hoping|looking|aiming|working|determined|saving(?: up)?|training) to\s+(?P<to>{_ASPIRE}|conceive)"
    r"|(?P<for>(?:training|saving|saving up|preparing|studying) for\s+(?:a|an|my|the|our)\s+(?:\w+[\w' -]*))"
    r"|(?P<learning>(?:learning|teaching myself)\s+(?:(?:how )?to\s+)?(?!a\s+(?:lot|ton)|more\b|with\b|from\b|so\b"
    r"|new\b|about\b|that\b|as\b|things\b|by\b|these\b|this\b|how\b|what\b|it\b|every|here\b|and\b|some(?:thing)?\b"
    r"|the (?:ropes|basics|hard)|a (?:bit|little|few))[a-z])"
    r"|(?P<on>working (?:on|towards?)\s+(?:becoming|losing|getting (?:fit|better|my|a)|improving my|building (?:a"
    r"|my)|eating|saving|learning|writing (?:a|my)|being more|my (?:\w+ )?(?:thesis|dissertation|novel|book|phd"
    r"|fitness|degree|french|spanish|english|german|italian|memoir|screenplay|album))\b)"
)
_NOT_ASPIRED = late_pattern(
    r"\b(?:you|it|this|that|these|those|them|here|something|the (?:code|app|error|issue|bug|file|text|list|document"
    r"|email|above|following|data|page|model|api|project|plan|rows?|details?)|help|how it"
    r"|a list|an? (?:email|letter|script|function|plan|report|essay|chart|presentation|table|meal|prompt|website page))\b"
)
#: Not what somebody does, or too vague.
_NOT_HABITS = late_pattern(
    r"(?:forget|forgot|get|am|is|are|was|were|be|have to|need|want|feel|felt|think|thought|wonder|wondered|know|knew"
    r"|say|said|hope|wish|find|found|fail|see|saw|hear|heard|seem|seems|loved|love|hate|liked|like|enjoyed|enjoy"
    r"|prefer|wanted|mind|been"
    r"|had|did|would|could|can|dreamed|struggle|struggled|end up|worry|appreciate|make (?:mistakes|sure)|mix|mess"
    r"|expected|assumed|mean|meant|care|believe|trust|remember|ask|tell|look|sound|try|tried|come|happen|give up"
    r"|agree|notice|miss|fall|just|in|on|at|to"
    r"|the|a|it|that|my|so|for|doubt|show|actually|go (?:with|wild|crazy|for)|welcome|keep|let|wind up|tend|refer"
    r"|return|hesitate|overthink|admire|assume|call it|consider|recommend|suggest|advise|put|opt|start with|stick"
    r"|thanks|thank|love|seem|wants|needs|loves|likes|hates|gets|feels|thinks|says|makes me|told|go back|stop"
    r"|run into|lose)\b"
)
_VAGUE = late_pattern(r"\b(?:you|your|it|them|those|these|this|that|what|something|stuff|things?)\b")
_PAST = late_pattern(
    r"(?!need|feed|read|breed|speed|shed)[a-z]{3,}ed\b|(?:went|ran|ate|drove|flew|swam|took|gave|won|lost|met|bought"
    r"|sold|made|built|wrote|taught|caught|broke|spent|left|began|became|grew|drew|rode|fell|got|did|held|led|came"
    r"|slept|woke)\b"
)


def goal_claims(reading: Reading, begin: int) -> Outcome:
    """A thing somebody works towards, as it was said."""
    value = reading.whole(begin)
    words = reading.plain[slice(*value)]
    if 2 <= len(words.split()) <= 14 and not _NOT_ASPIRED.search(words):
        yield reading.claim("goal", value, **goal_certainty(reading, words))


def goal_certainty(reading: Reading, words: str) -> dict[str, Any]:
    """ "Ugh, I want to move to the woods" is a sigh, and "to center a div" the task at hand: neither is a goal yet."""
    return {"certainty": "passing"} if _SIGH.match(reading.plain) or _TASK.match(words) else {}


def striving(reading: Reading) -> Outcome:
    """ "I'm trying to lose weight", "I'm training for a marathon"."""
    match = _TRYING.match(reading.plain, reading.at, reading.end)
    if match is None or reading.negative or _SOON.search(reading.plain, reading.at, reading.end):
        return
    yield from goal_claims(reading, match.start("to") if match["to"] else match.start())


def wanting(reading: Reading) -> Outcome:
    """ "I want to learn Spanish"."""
    match = _WANTS.match(reading.plain, reading.at, reading.end)
    if match and not reading.negative and not _SOON.search(reading.plain, reading.at, reading.end):
        yield from goal_claims(reading, match.start("what"))


def habit(reading: Reading) -> Outcome:
    """What somebody does again and again: "I run every morning", "I usually cook on Sundays"."""
    said, end = reading.plain, reading.end
    scheduled = reading.is_scheduled()
    if (
        reading.mode not in ("do", "have")
        or not (scheduled or reading.often)
        or (_SOON.search(said, reading.clause.begin, end) and not (scheduled and _NOW.search(said)))
    ):
        return
    begin = (
        max(said.rfind("have", reading.clause.at, reading.at), said.rfind("has", reading.clause.at, reading.at))
        if reading.mode == "have"
        else reading.at
    )
    if begin < 0 or (reading.often in ("sometimes", "occasionally") and not scheduled):
        return
    value = reading.whole(begin)
    words = said[slice(*value)]
    if not 1 <= len(words.split()) <= 14 or _VAGUE.search(words) or _NOT_HABITS.match(words) or _PAST.match(words):
        return
    if re.match(
        r"(?:go|goes|do|does)\s+(?:often|regularly|once|twice|a few times|there|to)?\s*(?:\w+\s+)?(?:a "
        r"|per )?(?:week|month|day|year|often)$",
        words,
    ):
        return
    if len(words.split()) < 2 and not scheduled:
        return
    yield reading.claim("habit", value, polarity="negative" if reading.negative else "positive")
