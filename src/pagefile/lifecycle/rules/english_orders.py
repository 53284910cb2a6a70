"""Standing orders in English: limits and formats of replies, what must or may not be done in a project or on somebody's behalf. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import one_of, words

Outcome = Iterator[Claim]

_DO = one_of(
    words(
        "send|share|post|delete|book|schedule|use|buy|order|spend|tell|show|give|suggest|recommend|reply|accept"
        "|change|move|add|remove|push|deploy|touch|store"
        "|save|email|call|text|contact|sign|pay|transfer|invite|cancel|forward|publish|include|make|assume|wake|let"
        "|mention|bring up|talk about|commit"
        "|reschedule|overwrite|merge|disclose|reveal|quote|cc|copy|confirm|promise|agree to|put|offer|message"
        "|contact|schedule|share|discuss|sell|trust"
    )
)
_WITHOUT = (
    r"\b(?:without|before (?:asking|checking|i|\d|noon|you)|after \d|unless|with anyone|to anyone|to anybody|to my"
    r"|on (?:my|weekends|sundays|mondays|fridays)|from my|for me|my \w+|on my behalf|in public|in front of|at work"
    r"|about my|i'm)\b"
)
#: "Never send anything to legal without asking me first".
NEVER = late_pattern(
    rf"(?:please |and |but |also |so |from now on,? )*(?P<value>(?:never|don't ever|do not ever"
    rf"|under no circumstances|don't|do not)\s+(?:ever\s+)?(?:{_DO})\b(?=.*{_WITHOUT}).*)"
)
_NOT_STANDING = late_pattern(
    r"\b(?:this (?:code|function|file|one|time|line|email|message|text)|the (?:code|function|file|email|list|table"
    r"|text|above|loop|variable|letter|draft)|for now|today|tonight|tomorrow|yet)\b"
)

_USED = (
    r"(?:use|host|store|share|deploy|ship|hire|exceed|go (?:over|above|past|beyond)|spend|install|upload|send|process"
    r"|publish|import|depend on|rely on|work with|buy from|touch|change|modify|outsource|travel|fly|exceed|collect|log"
    r"|keep|include|serve|have)"
)
_BECAUSE = late_pattern(
    r"\b(?:for (?:this|the|our|my|that) (?:\w+ )?(?:project|app|job|client|company|site|event|wedding|party|trip"
    r"|team|product|customer|team|one)|company policy|policy|at work|at my (?:company|job|work)"
    r"|compliance|legal|gdpr|nda|regulat\w+|contract|not allowed|on this project|in this project|in production"
    r"|in prod|by law|licen[sc]e|security|in our (?:company|team|office|codebase|stack|house|home)|here)\b"
)
_FORBIDDEN = late_pattern(
    rf"(?P<verb>{_USED})\s+(?P<what>(?!it\b|that\b|this\b|them\b|these\b|those\b|you\b|a lot\b|the (?:app|site"
    rf"|website|page|bathroom|toilet|wifi|printer)\b)[\w$€£].*)"
)
_RULE = late_pattern(r"(?:we|i)(?:'re| are|'m| am)\s+not\s+(?:allowed|permitted|supposed|meant) to\s+(?P<value>[a-z].*)")
_ALL_MUST = late_pattern(
    r"(?P<value>(?:everything|all (?:of )?(?:the |our |my )?\w+(?: \w+)?|any(?:thing| \w+)|nothing|no (?:customer "
    r"|personal |user |client )?(?:data|files?|code|photos|money|meat|nuts|gluten|alcohol|one)|the whole (?:thing"
    r"|stack|app|menu|event|trip|project))"
    r"\s+(?:has to|have to|must|needs to|need to|should|can|may|is (?:not )?allowed to)\s+(?:only |not |never "
    r"|always |all )?(?:run|stay|live|remain|leave|be (?:hosted|stored|kept|deployed|done|written|approved|encrypted"
    r"|on|in|under|over|within|gdpr"
    r"|vegan|vegetarian|kosher|halal|gluten[- ]free|nut[- ]free|accessible|wheelchair|open source|on-prem|offline"
    r"|reviewed|signed)|work (?:offline|on|in|with)|go through|fit (?:in|into|within)|go to|cost|happen|come from"
    r"|comply|support)\b.*)"
)


#: "Never cc Martin": somebody by name.
NEVER_WITH = late_pattern(
    r"(?:please |and |also )*(?P<value>(?:[Nn]ever|[Dd]on['’]t ever|[Dd]o not ever)\s+(?:ever\s+)?(?:cc|copy in"
    r"|email|call|text|invite|contact|mention|include|tell|message|ask)\s+(?:about\s+)?[A-Z][a-z]+\b.*)"
)
#: "Suggest gentle exercises only".
ONLY = late_pattern(
    r"(?:please |and |so |but |also )*(?P<value>(?:suggest|recommend|give me|offer|book|choose|pick|serve|order|buy"
    r"|send|show me)\s+[a-z].{3,60}\s+only)$"
)


#: "No phone calls", "deliveries only after 6".
_CONTACTS = (
    r"(?:(?:phone |video |voice )?calls?|texts|text messages|emails?|meetings?|voicemails?|visitors|visits"
    r"|(?:red[- ]?eye|early|late|overnight|night) (?:flights|trains)|deliver(?:y"
    r"|ies)|pickups?|appointments?|notifications?|reminders?)"
)
NO_CONTACT = late_pattern(
    rf"(?:please |and |so |but )*(?P<value>no (?:more )?{_CONTACTS}(?: or {_CONTACTS})?(?:,? (?:ever|at all|please"
    rf"|during [\w ]+|while [\w ]+))?|{_CONTACTS} (?:only )?(?:after|before|between|until|on)\s+(?:\d|noon|\w+days?\b"
    rf"|weekends|weekdays|mornings).{{0,30}})$"
)


def forbidden(reading: Reading) -> Outcome:
    """ "We can't use AWS for this project": a rule that somebody works under, not a complaint."""
    match = _FORBIDDEN.match(reading.plain, reading.at, reading.end)
    if match is None or len(match["what"].split()) > 14:
        return
    we = reading.plain.startswith("we", reading.clause.at)
    limit = match["verb"].startswith(("exceed", "go ", "spend"))
    if not (
        _BECAUSE.search(reading.plain)
        or (we and match["verb"] in ("use", "host", "store", "share", "hire", "deploy"))
        or (limit and re.search(r"\d", match["what"]))
    ):
        return
    if re.search(r"\b(?:today|tonight|tomorrow|right now|anymore|yet|properly|error|bug|broken)\b", match["what"]):
        return
    start = reading.plain.rfind("can", reading.clause.begin, reading.at)
    yield reading.claim("constraint", (start if start >= 0 else reading.at, reading.whole(match.start("what"))[1]), polarity="positive")


def not_allowed(reading: Reading) -> Outcome:
    """ "I'm not allowed to lift anything heavy"."""
    match = _RULE.match(reading.plain, reading.clause.at, reading.end)
    if match and not re.search(r"\b(?:today|tonight|tomorrow|say|tell)\b", match["value"]) and len(match["value"].split()) <= 14:
        begin = reading.plain.find("not", reading.clause.at)
        yield reading.claim("constraint", (begin, reading.whole(match.start("value"))[1]), polarity="positive")


def all_must(reading: Reading) -> Outcome:
    """ "Everything has to run on-prem", "no data may leave the EU"."""
    match = _ALL_MUST.match(reading.plain, reading.clause.at, reading.end)
    if match and 4 <= len(match["value"].split()) <= 16 and not _NOT_STANDING.search(match["value"]):
        yield reading.claim("constraint", reading.whole(match.start("value")), polarity="positive")


def is_standing(value: str) -> bool:
    """Whether an order is meant for good, not for the text at hand."""
    return not _NOT_STANDING.search(value) and 3 <= len(value.split()) <= 20
