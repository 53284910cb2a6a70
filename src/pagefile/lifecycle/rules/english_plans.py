"""Plans, appointments and deadlines in English: what is ahead, with its time. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_phrases import clause_words
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import DUE, EVENTS, one_of

Outcome = Iterator[Claim]

#: Too soon to be worth keeping.
_SOON = late_pattern(
    r"\b(?:tonight|today|later|now|right now|in a (?:bit|minute|moment|second|sec|few minutes|couple of minutes)"
    r"|in (?:an|one|\d+) (?:hours?|minutes?|mins?)"
    r"|this (?:morning|afternoon|evening)|brb|asap|next time|when i)\b"
)
#: What people plan for days that have a name. "I'll check it tomorrow" is talk.
_PLANNED = (
    r"(?:visit|move (?!forward|on\b|ahead|past|it|the)|relocate|fly|travel|drive (?:to|down|up)|go (?:vegan\b"
    r"|vegetarian\b|freelance|to (?!the (?:store|shop|bathroom|gym)|bed|sleep)|on (?:a|vacation|holiday)|camping"
    r"|hiking|skiing|abroad|home|back to|see)|attend|start|begin|graduate|marry|get (?:married|engaged|a (?:dog|cat"
    r"|puppy|tattoo|new)|my|our|surgery)"
    r"|take (?:a (?!look|note|break)|my|the (?:exam|test|lsat|gre|gmat|bar|train|kids)|part|time off|paternity"
    r"|maternity|the week|two)|have (?:surgery|an? (?!question|look)|my|our|dinner|lunch)|leave|arrive|return"
    r"|celebrate|meet|spend|host|run (?:a|the|my)|join|retire|turn \d|stay|give (?:birth|a (?:talk|speech"
    r"|presentation))|perform|defend|present|launch"
    r"|quit|resign|propose|adopt|buy|sell|close on|apply|enroll|enrol|study|teach|play|compete|race|swim|climb|hike"
    r"|camp|open|throw|organi[sz]e|volunteer|babysit|see (?:my|the (?:doctor|dentist)|dr|a)|pick up my"
    r"|be (?:in (?!touch|trouble)|away|out of|travell?ing|off|on (?:vacation|holiday|leave)|a (?:dad|mom|mum|father"
    r"|mother|grandma|grandpa|parent)|an? (?:uncle|aunt)|working (?:from|in|at)|starting|moving|visiting|staying"
    r"|at))"
)
_SURE = late_pattern(
    r"(?:move (?!forward|on\b|ahead|past|it|the)|relocate|get married|marry|quit|retire|have a baby|go (?:vegan"
    r"|vegetarian)|start (?:a|my) (?:new|own)|be (?:a (?:dad|mom|mum|father|mother|grandma|grandpa|parent)"
    r"|an? (?:uncle|aunt)))\b"
)
_INTENDED = re.compile(rf"(?:going to|gonna|about to|hoping to|set to|scheduled to|due to|supposed to)\s+(?={_PLANNED})")
_WILL = late_pattern(_PLANNED + r"\b")
_PLANNING = late_pattern(
    rf"planning\s+(?:(?:to|on)\s+(?P<what>[a-z])|(?P<event>(?:a|an|my|our|the"
    rf"|to go on)\s+(?:[\w'-]+\s+){{0,3}}?(?:{one_of(EVENTS)}|visit|getaway|proposal|proposal dinner|safari|tour|hike"
    rf"|surprise)\b))"
)
_PLANS = late_pattern(rf"(?:plans?|intends?|am planning|(?P<decided>decided|have decided)(?= to))\s+(?:to|on)\s+(?P<what>{_PLANNED}|[a-z])")
_THINKING = late_pattern(
    r"(?:thinking (?:of|about)|considering|debating|toying with the idea of|contemplating)\s+(?=(?:moving"
    r"|getting (?:a|married|another|into)|buying (?:a|an)|quitting|leaving|switching|changing|going (?:back|to|vegan"
    r"|vegetarian)|adopting|starting (?:a|my)|taking (?:a|up)|retiring|selling|applying|becoming|having|visiting"
    r"|travell?ing|relocating|learning|opening|joining|studying|renting|proposing|volunteering|freelancing)\b)"
)
_MOVING = late_pattern(r"(?:moving|relocating)\s+(?:back |over |in )?(?:to|with|into)\s+\S")
_SETTLED = late_pattern(
    r"(?:getting (?:married|divorced)(?! (?:to|from) (?:the|this|that|an?|my)\b)|expecting (?:a|our|my|twins)"
    r"|expecting(?=\s*(?:$|[,.;!]|in\b))"
    r"|having (?:a baby|twins|surgery)|due in [a-z]+)\b"
)
_PROGRESSIVE = late_pattern(
    r"(?:(?i:ooo)|out of (?:the )?office|moving (?:out|in)|unavailable|away|flying|going (?:vegan|vegetarian|freelance|to (?:(?:a|an"
    r"|the|my|our)\s|(?-i:[A-Z]))|on (?:a|vacation"
    r"|holiday)|away|back|camping|hiking|skiing|abroad|home|out of)|travell?ing|visiting|heading|driving to"
    r"|seeing (?:my|a|the|dr)|meeting|having (?:a|an|my|our|surgery|dinner|lunch|people|friends|guests)|taking (?:a"
    r"|an|my|the|part|time|two)"
    r"|starting|throwing|hosting|running (?:a|the|my)|attending|leaving|getting (?:a|my|our|the)|giving (?:a|my)"
    r"|presenting|doing (?:a|my)|joining|staying|returning|celebrating|defending|graduating|competing|speaking"
    r"|interviewing|coming (?:to|back)|arriving|spending|renting|buying|adopting|picking up|performing|playing"
    r"|turning \d+|launching|opening"
    r"|closing on|retiring|quitting|switching|teaching|volunteering|racing|babysitting|on (?:holiday|vacation|leave"
    r"|call)|off)(?=\s|$|(?<=[A-Z\s]))"
)
_NOT_PLANS = late_pattern(r"\b(?:you|your|it|this (?:code|one|way|project|time)|that|those|these|them)\b")
_MUST_BY = late_pattern(
    r"(?:submit|finish|hand in|turn in|send|deliver|file|pay|complete|renew|return|book|apply|register|present"
    r"|defend|prepare|sign|ship|pass|finali[sz]e|get|have|be|move out|upload|write|buy|mail|rsvp|decide|respond"
    r"|cancel|vacate|enroll|publish|do my)\b"
)
_BY = late_pattern(r"\b(?:by|before|until|due|no later than|on|at|in)\s+\S")
_HOME_BY = late_pattern(r"(?:be (?:home|at|in|back|out|gone|done|asleep|in bed)|leave)\b.*\b(?:by|before|at)\s+\d")

_HAS_EVENT = late_pattern(
    rf"(?P<article>(?:an?|my|our|the|another|two|three)\s+|(?=(?:nationals|regionals|exams|finals|tryouts|mocks|playoffs"
    rf"|midterms|auditions)\b))(?:[\w'’-]+\s+){{0,3}}?(?:{one_of(EVENTS)})\b"
)
_HAS_DEADLINE = late_pattern(r"(?:a|an|the)\s+(?P<value>(?:[\w-]+\s+){0,2}deadline\b.*)")
_MOVED_TO = (
    r"(?:got|was|has been|is|is being|has)?\s*(?:moved|rescheduled|pushed|postponed|brought forward|changed|shifted|delayed)(?: back| up)?"
    r"(?: from [\w ]{2,20}?)? (?:to|for|until)"
)
_MUST_BE = (
    r"(?:needs|has|have|need) to be (?:done|in|submitted|finished|ready|handed in|paid|sent)|must be (?:done|in|submitted|finished|paid)"
)
_MY_EVENT = re.compile(
    rf"(?:(?P<whose>my|our|the|his|her)\s+)?(?P<what>(?:[\w'’-]+\s+){{0,3}}?(?P<event>{one_of(EVENTS | DUE)})(?:\s+(?:with"
    rf"|for|to|in|at|of|from)\s+[\w.'’ -]{{2,40}}?)?)"
    rf"\s*(?P<verb>(?:{_MOVED_TO}|is scheduled for|is booked(?: in)? for|is planned for|has been booked for"
    rf"|is happening|'s|is|are|starts?|begins?|leaves?|departs?|arrives?|{_MOVED_TO}|is scheduled for"
    rf"|is booked(?: in)? for|is planned for|has been booked for|is happening|takes place"
    rf"|will be|falls|ends?|expires?|is set for|is up|runs out|renews|{_MUST_BE})(?:\s+(?:now|actually|officially|currently|still"
    rf"|coming up))*)\s+(?P<rest>\S.*)"
)
_DEADLINE = late_pattern(
    r"(?:(?:my|our|the)\s+)?(?P<what>deadline(?:\s+(?:for|of|to)\s+[\w'’ -]{2,50}?)?"
    r"|due date(?:\s+for\s+[\w'’ -]{2,50}?)?|(?:[\w-]+\s+){1,3}deadline)"
    rf"\s*(?P<verb>'s|is|{_MOVED_TO})(?:\s+(?:now|actually|on))*\s+(?P<rest>\S.*)"
)
#: How a date begins.
_A_DATE = late_pattern(
    r"(?:on|at|in|from|due|by|this|next|tomorrow|coming|the \d+\w*|the (?:first|second|third|last|end)|end of|early|mid"
    r"|late|\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sep|sept|oct|nov|dec|monday|half past|noon|midnight|a week|two weeks|christmas|easter)\b"
)
_COMMON_EVENTS = frozenset({"game", "match", "show", "call", "date", "test", "release", "class", "course", "demo", "launch"})


def plan(reading: Reading) -> Outcome:
    """What is going to be done: with its time, or so large that it needs none."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative or _SOON.search(said, reading.clause.begin, reading.whole(at)[1]):
        return
    if match := _PLANNING.match(said, at, end):
        yield from _planned(reading, match.start("what") if match["what"] else match.start("event"))
        return
    match = _INTENDED.match(said, at, end) or (_WILL.match(said, at, end) or _AGED.match(said, at, end) if reading.mode == "will" else None)
    if match is None:
        return
    begin = match.end() if match.re is _INTENDED else at
    if _SURE.match(said, begin, end) or _AGED.match(said, begin, end) or reading.is_timed(plan=True):
        yield from _planned(reading, begin)


def _planned(reading: Reading, begin: int, **fields: Any) -> Outcome:
    value = reading.whole(begin)
    words = reading.plain[slice(*value)]
    if 2 <= len(words.split()) <= 20 and not _NOT_PLANS.search(words):
        yield reading.claim("plan", value, **fields)


def planning(reading: Reading) -> Outcome:
    """ "I plan to visit Japan in May", "we decided to move"."""
    match = _PLANS.match(reading.plain, reading.at, reading.end)
    if (against := _DECIDED_NOT.match(reading.plain, reading.at, reading.end)) and not reading.negative:
        yield reading.claim("plan", reading.whole(against.end()), ended=True)
        return
    if match is None or reading.negative or _SOON.search(reading.plain, reading.at, reading.end):
        return
    if match["decided"] and not (_SURE.match(reading.plain, match.start("what"), reading.end) or reading.is_timed(plan=True)):
        return
    if late_pattern(_PLANNED).match(reading.plain, match.start("what"), reading.end) or reading.is_timed(plan=True):
        yield from _planned(reading, match.start("what"))


def being_planned(reading: Reading) -> Outcome:
    """ "I'm moving to Berlin", "I'm flying to Tokyo on Monday", "I'm getting married in June", "I'm thinking of moving"."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative:
        yield from _dropped(reading)
        return
    if match := _THINKING.match(said, at, end):
        if not _SOON.search(said, at, end):
            yield from _planned(reading, match.end(), certainty="passing")
    elif _MOVING.match(said, at, end) or _SETTLED.match(said, at, end):
        value = reading.whole(at)
        if not _NOT_PLANS.search(said, *value):
            yield reading.claim("plan", value)
    elif (
        _PROGRESSIVE.match(reading.clause.sentence.text, at, end)
        and not _SOON.search(said, at, reading.whole(at)[1] + len(" today"))
        and reading.is_timed(plan=True)
    ):
        yield from _planned(reading, at)


def must(reading: Reading) -> Outcome:
    """ "I need to submit the report by Friday", "I have to be home by 6"."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative or _SOON.search(said, at, end):
        return
    if re.match(r"be\s+(?!done|ready|finished|submitted|in\b|paid|sent|completed|at\b|home\b|back\b|out\b)", said[at:end]):
        return
    if _HOME_BY.match(said, at, end) and not re.search(r"\b(?:tomorrow|this|next)\b|day\b", said[at:end]):
        yield reading.claim("constraint", reading.whole(at))
    elif _MUST_BY.match(said, at, end) and _BY.search(said, at, end) and reading.is_timed(plan=True):
        value = reading.whole(at)
        if not _NOT_PLANS.search(said, *value):
            yield reading.claim("deadline", value)


def has_event(reading: Reading) -> Outcome:
    """ "I have a dentist appointment on Friday"."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative or _SOON.search(said, at, end) or not reading.is_timed(plan=True):
        return
    if match := _HAS_EVENT.match(said, at, end):
        yield reading.claim("plan", reading.whole(at if match["article"].startswith(("two", "three", "another")) else match.end("article")))
    elif match := _HAS_DEADLINE.match(said, at, end):
        yield reading.claim("deadline", reading.whole(match.start("value")))


def my_event(reading: Reading) -> Outcome:
    """ "My flight is on Friday", "the report is due May 3", "the deadline for the grant is Monday"."""
    said, begin, end = reading.plain, reading.clause.at, reading.end
    match = _DEADLINE.match(said, begin, end)
    if match and _A_DATE.match(match["rest"]) and reading.is_timed(plan=True):
        yield reading.claim("deadline", f"{reading.clause.written(*match.span('what'))} {_rest(reading, match)}")
        return
    match = _MY_EVENT.match(said, begin, end) or _MY_ANYTHING.match(said, begin, end) or _ANYTHING_DUE.match(said, begin, end)
    if (
        match is None
        or not _A_DATE.match(match["rest"])
        or not (
            reading.is_timed(plan=True)
            or (_by_the_clock(match) and (match["whose"] != "the" or reading.clause.correction))
            or _REPEATED.search(match["rest"])
        )
    ):
        yield from _date_of_event(reading)
        return
    verb = match["verb"]
    needed = bool(re.match(r"needs|has to|have to|need|must", verb))
    due = (
        match["rest"].startswith("due")
        or needed
        or (match["event"] not in EVENTS and verb.startswith(("expire", "end", "is up", "runs", "renews")))
    )
    if match.re is not _MY_EVENT:
        if not due and not (_NAMED_DAY.match(match["rest"]) or _REPEATED.search(match["rest"])):
            return
    elif (match["event"] not in EVENTS and not due) or (match["whose"] in ("the", None) and not due and match["event"] in _COMMON_EVENTS):
        return
    # "On the 1st of every month" has no date.
    repeated = bool(_REPEATED.search(match["rest"]))
    value = f"{reading.clause.written(*match.span('what'))} {_rest(reading, match)}"
    yield reading.claim("deadline" if due else "habit" if repeated else "plan", value, tense="always" if repeated else None)
    if _MOVED.search(verb) and not due and not repeated:
        # When it was to be is over, whenever that was.
        yield reading.ending("plan", match.span("what"), valid_from=None, valid_to=None)


_MOVED = late_pattern(r"\b(?:moved|rescheduled|pushed|postponed|brought forward|changed|shifted|delayed)\b")
_REPEATED = late_pattern(r"\b(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b")
#: Anything of the speaker's own that has a day.
_MY_ANYTHING = late_pattern(
    rf"(?P<whose>my|our)\s+(?P<what>(?!birthday|b-?day|name|age|day|days|week|weekend|schedule|plan|plans|question"
    rf"|answer|phone|email|number|address"
    rf"|budget|favou?rite|best|only|first (?:time|thing)|last (?:time|day off))(?P<event>[a-z0-9][\w'’-]*(?:\s+[\w'’-]+){{0,3}}?))"
    rf"\s*(?P<verb>(?:{_MOVED_TO}|is scheduled for|is booked(?: in)? for|is planned for|is happening|'s|is|are"
    rf"|starts?|begins?|takes place|will be)(?:\s+(?:now|actually|officially|currently|still))*)\s+(?P<rest>\S.*)"
)
_ANYTHING_DUE = rare_pattern(
    r"(?P<whose>(?:my|our|the)\s+)?(?P<what>(?P<event>[a-z0-9][\w'’-]*(?:\s+[\w'’-]+){0,4}?))(?P<verb>\s+(?:is"
    r"|are))\s+(?P<rest>due (?:on|by|in|next|this|tomorrow|\w+day|\d|the)\S*.*)"
)
_NAMED_DAY = late_pattern(
    r"(?:on|this|next|coming|at)?\s*(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s)|\d{1,2}(?:st|nd|rd"
    r"|th)\b|\d{1,2} (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)|(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d|tomorrow)"
)
_AGED = late_pattern(
    r"be (?:\d{2}|(?:eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred)\S*)\b(?=.*\b(?:on|in|next|this)\b)"
)
_DATE_FIRST = late_pattern(
    rf"(?:on\s+)?(?P<when>(?:next|this|coming)\s+[a-z]+|tomorrow(?: (?:morning|afternoon|evening|night))?|(?:mon|tues"
    rf"|wednes|thurs|fri|satur|sun)day|the \d+\w*(?: of [a-z]+)?|[a-z]+ \d{{1,2}}(?:st|nd|rd|th)?)"
    rf"\s*(?:'s|is|we have|i have|i've got|we've got|there's)\s+(?P<what>(?:(?:my|our|the"
    rf"|an?)\s+)(?:[\w'’-]+\s+){{0,3}}?(?:{one_of(EVENTS)}))\b(?!\s+(?:i|we|you|they|of the)\b)"
)


_DECIDED_NOT = late_pattern(r"(?:decided|chosen|chose)\s+(?:not to|against)\s+(?=\S)")
_OFF = late_pattern(
    rf"(?:(?P<whose>my|our|the)\s+)(?P<what>(?:[\w'’-]+\s+){{0,3}}?(?:{one_of(EVENTS)})(?:\s+(?:with|to|in|at|for)\s+[\w.'’ -]{{2,30}}?)?)"
    r"\s*(?:got|was|were|is|'s|has been|has|had to be|have been)\s+(?:been\s+|just\s+)?(?:cancelled|canceled"
    r"|called off|scrapped|off\b(?!\s+to))"
)
_CALLED_OFF = late_pattern(
    rf"(?:cancelled|canceled|called off|scrapped|scrap|cancel|ditched|dropped|backed out of)\s+(?:my|our"
    rf"|the)\s+(?P<what>(?:[\w'’-]+\s+){{0,3}}?(?:{one_of(EVENTS)})(?:\s+(?:with|to|in|at"
    rf"|for)\s+[\w.'’ -]{{2,30}}?)?)(?=\s*(?:$|[,.;!]|because\b|so\b|since\b|on\b|next\b))"
)


def called_off(reading: Reading) -> Outcome:
    """ "The meeting with Ravi got cancelled", "scrap the Japan trip"."""
    said, begin, end = reading.plain, reading.clause.at, reading.end
    match = _OFF.match(said, begin, end) or _CALLED_OFF.match(said, begin, end)
    if match:
        yield reading.claim("plan", match.span("what"), ended=True)


def call_off(reading: Reading) -> Outcome:
    """ "We called off the wedding"."""
    match = _CALLED_OFF.match(reading.plain, reading.at, reading.end)
    if match and not reading.negative:
        yield reading.claim("plan", match.span("what"), ended=True)


def _dropped(reading: Reading) -> Outcome:
    """ "I'm not moving to Berlin after all"."""
    said, at, end = reading.plain, reading.at, reading.end
    if _MOVING.match(said, at, end) or _SETTLED.match(said, at, end):
        value = reading.value(at)
        if not _NOT_PLANS.search(said, *value):
            yield reading.claim("plan", value, ended=True)


def _date_of_event(reading: Reading) -> Outcome:
    """ "Tomorrow is my sister's wedding"."""
    match = _DATE_FIRST.match(reading.plain, reading.clause.begin, reading.end)
    if match and reading.is_timed(plan=True):
        yield reading.claim("plan", reading.value(match.start("what"), end=match.end("what")))


_ON_A_DAY = late_pattern(
    rf"(?:it's |there's )?(?:my |our |the )?(?P<what>(?:[\w'’-]+\s+){{0,2}}?(?:{one_of(EVENTS)})\s+(?:on (?:the \d|\d|(?:mon|tues|wednes"
    rf"|thurs|fri|satur|sun)day|[a-z]+ \d)|tomorrow|next (?:week|month|(?:mon|tues|wednes|thurs|fri|satur"
    rf"|sun)day))[\w :]*)"
)


def event_on_a_day(reading: Reading) -> Outcome:
    """ "Concert on the 14th": all that a note says."""
    match = _ON_A_DAY.fullmatch(reading.plain, reading.clause.at, reading.whole(reading.clause.at)[1])
    if match and not reading.clause.joined and reading.is_timed(plan=True):
        yield reading.claim("plan", match.span("what"))


def _by_the_clock(match: re.Match[str]) -> bool:
    """ "My appointment is at 4": an hour, of something that is an appointment."""
    return match["whose"] is not None and match["event"] in EVENTS and re.match(r"(?:now )?at \d", match["rest"]) is not None


def _rest(reading: Reading, match: re.Match[str]) -> str:
    """When it is, with the verb where that says more than "is"."""
    words = clause_words(reading.clause.written(*reading.whole(match.start("rest"))))
    verb = match["verb"].split()[0]
    return f"{verb} {words}" if verb.startswith(("expire", "end", "start", "begin", "leave", "depart", "arrive")) else words
