"""What stands after a verb in English: where it ends, how a list is taken apart, what is left without articles. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern

_JOINT = r"(?:and|but|or|so)"
#: Where a value ends.
_STOP = late_pattern(
    r"\s*[;()\[\]\"“”!?]|\s+[-–—]+\s|\s*—|:\s|\.(?:\s|$)|\s*,\s*(?:which|who|just|only|so|but|because|though|too|etc|right"
    r"|you know|i|my|we|it|especially|particularly|even|like|however|thanks|please|lol"
    r"|haha|and (?:i|my|we|it|that|he|she|so)\b|that|not|no|ironic|ironically|funny|weird|weirdly|crazy|annoying"
    r"|go figure|surprise|gives|makes|fell|tastes|reminds|helps|keeps|feels|looks"
    r"|sounds|smells|hurts|tried|did|went|got|had|was|is|are|were|been|always|still|esp|best|worst"
    r"|sadly|unfortunately|luckily|thankfully|obviously"
    r"|apparently|annoyingly|alas|except|mostly|mainly|usually|sometimes|as well|as|with"
    r"|for|at|in|on|since|when|where|if)\b"
    r"|\s+(?:because|'?cause|cuz|coz|since|but|when|whenever|while|if|although|though|which|where|until|till|unless"
    r"|than|so (?:let's|can|maybe|the|my|any|what|much|i|that|please|no|we|it|far|bad|don't)|very much|a lot|a bunch|lots|the most"
    r"|more than|these days|nowadays|lately|recently|for good|right now|at the moment|at present|anymore|any more|any longer|as well|too"
    r"|either|neither|or anything|or something|at all|instead|tho|lol|haha|tbh|btw|imo|fyi|ever since|for (?:now"
    r"|years|ages|a while|as long|over|about"
    r"|almost|nearly|more|the (?:past|last|next|first)|many|several|my whole|\w+ (?:years?|months?|weeks?|days?|decades?)"
    r"|\d+)|after|before|during|from time|now that|to be honest|in general|and (?:i|i'm|i've|my|we|it|that's|its|he|she"
    r"|they|also|then|it's|so|just|always|don't|can't|never)|thanks|please|yet|except|unlike"
    r"|because of|due to|as (?:a|an|i|it|my|they|soon|long|of|far)|now|again|currently|nearby|here|there|by the way"
    r"|to the point|who|whose|like (?:it|its|my|the|bach|when|how|i)|that (?:i|is|are|was|has|have|my|we|he|she|they|it)|is"
    r"|are|was|were|(?:last|next) (?:week|weekend|month|year|night|summer|winter|spring|autumn|fall|(?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)day)|(?:in|since) (?:early |late |mid )?(?:19|20)\d\d|(?:in|since|on"
    r"|until) (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)day)(?!s)|(?:a|an|one|two|three|four|five|six|ten|several|many|a few|a couple of"
    r"|some|\d+) (?:years?|months?|weeks?|days?) ago|yesterday|tomorrow|for (?:religious|health|medical|ethical"
    r"|personal|environmental) reasons|after all|in the end|not \w+\s*$"
    r"|wish me luck|fingers crossed|can't wait|its (?:so|like|the|just|really|such|adorable|cute|crazy|gross|boring"
    r"|amazing|not)|and all|rn|atm|ngl|though|every (?:day|week"
    r"|month|year|morning|evening|night|weekend|single|now|time|other|\w+day)|everyday|only)\b"
)
_AND = late_pattern(
    r"\s*,\s*(?:and\s+|or\s+|&\s*|plus\s+|then\s+|also\s+|maybe\s+)?|\s+(?:and(?: also)?|or|nor|&|plus|as well as"
    r"|nor)\s+|(?<=\w)\s*/\s*(?=\w)"
)
#: Two names of one thing.
_ONE_THING = late_pattern(
    r"\b(?:salt and vinegar|salt and pepper|rock (?:and|&) roll|mac (?:and|&) cheese|fish (?:and|&) chips"
    r"|peanut butter and jelly|black and white|bed and breakfast|r&b|dungeons (?:and|&) dragons"
    r"|ben (?:and|&) jerry'?s|bread and butter|arts and crafts|hide and seek|rick and morty|beauty and the beast"
    r"|pride and prejudice|war and peace|crime and punishment|simon (?:and|&) garfunkel|true crime|cookies (?:and"
    r"|&) cream"
    r"|drum and bass|gin and tonic|gin & tonic|rice and beans|lilo and stitch|tom and jerry(?=\s+(?:cartoon|show))"
    r"|mumford (?:and|&) sons|h&m|m&ms|a&e|bits and pieces|pros and cons|country and western|cheese and onion"
    r"|cheese and crackers|ham and cheese|bacon and eggs|research and development|health and safety|human resources"
    r"|sales and marketing|marketing and communications|stocks and bonds|wear and tear|track and field"
    r"|beer and wine bar|mind and body|harold and maude|florence (?:and|\+|&) the machine|earth,? wind (?:and"
    r"|&) fire|trial and error|barnes (?:and|&) noble|marks (?:and|&) spencer|ernst (?:and|&) young|johnson (?:and"
    r"|&) johnson|procter (?:and|&) gamble"
    r"|bosnia and herzegovina|trinidad and tobago|long walks on the beach|texas a&m|at&t|q&a|trinidad & tobago"
    r"|park and ride|home and away|cloak and dagger)\b"
)
_BEFORE = late_pattern(
    r"(?:(?:certain kinds of|different kinds of|all kinds of|all sorts of|lots of|a lot of|plenty of|a little bit of"
    r"|a little|a bit of|a few|a couple of|kind of|anything with|my own|a|an|the|some|any|to|both|really|just|also"
    r"|most|all|of|our|as|about|very|such|mostly|mainly|especially"
    r"|particularly|either|certain|maybe|only|even|other)\s+)+"
)
_BEHIND = late_pattern(
    r"\s*(?:[\s.,;:!?\"')\]…-]+|\b(?:too|either|though|tho|lol|haha|tbh|btw|etc|today|already|so much|very much"
    r"|a lot|the most|more|best|myself|in particular|in general|a bit|a little|a tad|somewhat|especially|and stuff"
    r"|and such|and so on|and more"
    r"|and things like that|or so|actually|apparently|supposedly|honestly|really|man|dude|personally|stuff|like that|and|or|right|well|as"
    r"|with|to|of|in|on|at|for|the|a|by|please)\b)+$"
)
_LISTED = late_pattern(r"\b(?:and|or|nor)\b|[&/]")
_REMARKED = late_pattern(r"\s*(?!an? )[a-z]+ (?:an?|my|the|it|them|me) ")
_GERUND = late_pattern(r"[a-z]{2,}ing\b")


def clause_words(text: str) -> str:
    """A part of a clause on one line, with single blanks."""
    return " ".join(text.split())


def value_end(plain: str, begin: int, end: int) -> int:
    """Where the phrase that begins there ends."""
    stop = _STOP.search(plain, begin, end)
    return stop.start() if stop else end


def trimmed(plain: str, begin: int, end: int, *, keep_article: bool = False) -> tuple[int, int]:
    """Without articles in front and adverbs and marks behind."""
    while begin < end and plain[begin] in " \t'\"*_([":
        begin += 1
    if not keep_article and (match := _BEFORE.match(plain, begin, end)):
        begin = match.end()
    while begin < end and (match := _BEHIND.search(plain, max(begin, end - 40), end)):
        end = match.start()
    return begin, end


def items(plain: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The values of a list such as "hiking, jazz and Thai food", each trimmed. Names of one thing stay whole."""
    whole = [match.span() for match in _ONE_THING.finditer(plain, begin, end)]
    borders = [begin]
    for match in _AND.finditer(plain, begin, end):
        if not any(first <= match.start() < last for first, last in whole):
            borders += match.span()
    borders.append(end)
    parts = [(borders[at], borders[at + 1]) for at in range(0, len(borders) - 1, 2)]
    if len(parts) > 1 and plain[slice(*parts[1])].lstrip()[:1].isdigit() and not plain[slice(*parts[0])].strip()[:1].isdigit():
        # "My commute, 90 minutes each way".
        parts = parts[:1]
    if len(parts) > 1 and not _LISTED.search(plain, parts[0][1], parts[-1][0]):
        # "Allergic to wasps, carry an epipen".
        remark = next((place for place, part in enumerate(parts) if place and _REMARKED.match(plain, *part)), len(parts))
        parts = parts[:remark]
    if len(parts) > 1 and _belongs_together(plain, parts):
        # "Running, physio's orders": without "and" what follows is a remark.
        listed = _LISTED.search(plain, parts[0][1], parts[-1][0]) is not None
        # "Creating a safe, inviting place".
        qualified = re.search(r"\ban? [a-z-]+$", plain[slice(*parts[0])].rstrip()) and " " in plain[slice(*parts[1])].strip()
        parts = [(begin, end)] if listed or qualified else parts[:1]
    for first, last in parts:
        first, last = trimmed(plain, first, last)
        if first < last:
            yield first, last


def _belongs_together(plain: str, parts: list[tuple[int, int]]) -> bool:
    """Whether what follows are objects of the first item's verb: "cooking pasta and pizza" is not pizza."""
    first, *rest = (plain[begin:end].strip() for begin, end in parts)
    if re.search(r"\b(?:about|between|of)\b", first) and len(rest) == 1 and len(rest[0].split()) <= 2 and not _GERUND.match(rest[0]):
        return True
    verb = _GERUND.match(first) or (first.startswith("to ") and first)
    if not verb or len(first.split()) < 2:
        return False
    return not any(_GERUND.match(item) or item.startswith("to ") for item in rest)
