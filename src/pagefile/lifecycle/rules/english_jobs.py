"""What people do for a living and where they learn in English: "a nurse at St Mary's", "physics at MIT". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_gazetteer import TOWNS_AND_COUNTRIES
from pagefile.lifecycle.rules.english_places import find_place, place_claims
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import (
    NOT_ALONE,
    OCCUPATIONS,
)
from pagefile.lifecycle.rules.english_words import (
    words as set_of_words,
)

Outcome = Iterator[Claim]

_STUDENTS = ("student", "undergrad", "undergraduate", "sophomore", "freshman", "candidate", "postdoc", "schooler")


#: They say how, not what: "a good cook" is no cook.
_JUDGED = late_pattern(
    r"\b(?:good|bad|great|terrible|decent|horrible|excellent|awful|lousy|slow|fast|heavy|huge|big|keen|avid|natural"
    r"|born|careful|careless|light|poor|regular|frequent|nervous|would-be|wannabe|total|complete|fan|lover|real|true"
    r"|quick|lazy|hard|better|best|worst|proud|loyal|happy|mean|"
    r"so-so|competent|confident|reckless|safe|fussy|picky|compulsive|slave|bit|kind|sort|type|bunch|failed|lucky"
    r"|sucker|former|ex|armchair|backseat|amateur|worse|average|hopeless|fellow language|language|master"
    r"|control freak|creature)\b"
)


_AGED = late_pattern(r"(?P<age>\d{1,3})[\s-]*(?:year|yr)s?[\s-]*old\s+")


_OF_GENDER = late_pattern(r"(?P<gender>male|female|woman|man|girl|boy|guy|lady|trans woman|trans man|transgender woman|transgender man)\b")


_NOUN_END = late_pattern(
    r"\s*[,;.()!?]|\s+[-–—]|\s+(?:of|at|for|in|with|from|who|that|on|by|and|but|working|based|living|specializing"
    r"|specialising|studying|turned|to|since|because|so|now|here|there|right|currently|these|as|myself|too|or|last"
    r"|next|this|yesterday|two|three|until|where|when|while|if|\d|\w+ing)\b"
)


_EMPLOYER = late_pattern(r"\s*(?:(?:working|employed|currently)\s+)*(?:at|for|with)\s+(?=\S)")


#: Not everything at which somebody is a nurse employs them: "at heart", "for ten years", "with experience".
_IS_EMPLOYER = late_pattern(r"(?<!with )(?:an?|my)\s+(?!(?:few|couple|while|long|year|decade|living|time|day|past|last|bit|lot|moment)\b)")
_PROJECT = late_pattern(
    r"\s+(?:project|migration|team|account|launch|rollout|app|campaign|initiative|programme|program|integration"
    r"|redesign|release|platform|product)\b"
)
_AT_HOME = late_pattern(r"(?:full-time )?stay[- ]at[- ]home (?:mom|mum|mother|dad|father|parent|wife|husband)\b")
_OF_WHAT = late_pattern(r"\s+of\s+(?=\S)")


_IN_FIELD = late_pattern(r"\s+(?:in|for)\s+(?!(?:a|an|the|my|this|that|our)\b|\d)(?=[a-z])")
_WITH_FIELD = frozenset({"specialist", "consultant", "manager", "engineer"})
_GENDER_ALONE = late_pattern(r"\s*(?:$|[,.!])|\s+(?:from|in|with|and|who|living)\b")


_BASED = late_pattern(r"\s*(?:,\s*)?(?:currently )?(?:based|living) in\s+(?=\S)")
_FROM = late_pattern(r"\s*(?:,\s*)?(?:originally )?from\s+(?=\S)")


def occupation_claims(reading: Reading, begin: int, *, known_only: bool = True) -> Outcome:
    """The claims of a noun phrase that names a job, and of "at Google" and "from Leeds" after it."""
    plain, end = reading.plain, reading.end
    if aged := _AGED.match(plain, begin, end):
        yield reading.claim("age", aged.span("age"))
        begin = aged.end()
    if home := _AT_HOME.match(plain, begin, end):
        yield reading.claim("occupation", home.span())
        return
    if gender := _OF_GENDER.match(plain, begin, end):
        if _GENDER_ALONE.match(plain, gender.end(), end):
            yield reading.claim("gender", gender.span("gender"))
            yield from _whereabouts(reading, gender.end())
            return
        begin = gender.end() + 1 if gender["gender"] in ("male", "female") else begin
    finish = _end_of_noun(plain, begin, end)
    noun = plain[begin:finish].strip()
    if not noun or (known_only and not _is_occupation(noun)) or len(noun.split()) > 6:
        return
    after = _with_field(reading, noun, finish)
    yield reading.claim("occupation", reading.value(begin, end=after))
    if employer := _EMPLOYER.match(plain, after, end):
        place = find_place(reading, employer.end(), organisation=True)
        if place and _PROJECT.match(plain, place[1], end):
            place = None
        named = place is not None and reading.clause.sentence.text[place[0]].isupper()
        if place and (named or _IS_EMPLOYER.match(plain, employer.end(), end)):
            yield reading.claim("school" if noun.split()[-1] in _STUDENTS else "employer", place)
            after = place[1]
    yield from _whereabouts(reading, after)


def _whereabouts(reading: Reading, at: int) -> Outcome:
    """ "… from Leeds", "… based in Leeds"."""
    if home := _FROM.match(reading.plain, at, reading.end):
        yield from place_claims(reading, home.end(), "hometown")
    elif base := _BASED.match(reading.plain, at, reading.end):
        yield from place_claims(reading, base.end(), "residence")


def _end_of_noun(plain: str, begin: int, end: int) -> int:
    stop = _NOUN_END.search(plain, begin, end)
    return stop.start() if stop else end


def _with_field(reading: Reading, noun: str, finish: int) -> int:
    """The end of a job with what it is in: "head of sales", "consultant in tax"."""
    plain, end = reading.plain, reading.end
    if (of := _OF_WHAT.match(plain, finish, end)) and not noun.endswith(("student", "nurse")):
        return _end_of_noun(plain, of.end(), end)
    field = _IN_FIELD.match(plain, finish, end)
    if field is None or noun.split()[-1] not in NOT_ALONE | _WITH_FIELD or reading.clause.sentence.text[field.end()].isupper():
        return finish
    return _end_of_noun(plain, field.end(), end)


def _is_occupation(noun: str) -> bool:
    if _JUDGED.search(noun):
        return False
    parts = noun.replace("&", "and").split()
    for count in range(min(3, len(parts)), 0, -1):
        head = " ".join(parts[-count:])
        if head in OCCUPATIONS:
            return len(parts) > 1 or head not in NOT_ALONE
    return False


_NOT_STUDIED = set_of_words("hard|abroad|it|this|that|late|alone|people|faces|maps|the map|the menu|online|together|better|best|daily")


def study_claims(reading: Reading, begin: int, **fields: Any) -> Outcome:
    """What is studied, and where: "physics at MIT"."""
    plain, end = reading.plain, reading.end
    where = late_pattern(r"(?:^|\s+|(?<=\s))at\s+(?=\S)").search(plain, max(0, begin - 1), end)
    if where:
        place = find_place(reading, where.end(), organisation=True)
        if place and plain[slice(*place)] not in ("home", "night", "work"):
            yield reading.claim("school", place, **fields)
    city = late_pattern(r"\s+(?:in|from)\s+(?-i:[A-Z])").search(reading.clause.sentence.text, begin, end)
    last = where.start() if where and where.start() >= begin else city.start() if city else None
    subject = reading.value(begin, end=last)
    words = plain[slice(*subject)]
    if (
        words
        and len(words.split()) <= 4
        and words not in _NOT_STUDIED
        and not re.match(r"(?:for|in|at|with|from|to|on|abroad|my|your|this|how)\b", words)
    ):
        yield reading.claim("major", subject, **fields)


def works_as(reading: Reading, match: re.Match[str]) -> Outcome:
    yield from occupation_claims(reading, match.end(), known_only=False)


#: Where people work, without its name.
_WORKPLACES = late_pattern(
    r"(?:an?|the|my|our)\s+(?:[a-z-]+\s+){0,2}?(?:hospital|school|bank|bakery|shop|store|restaurant|cafe|café|bar"
    r"|pub|hotel|clinic|factory|warehouse"
    r"|library|museum|gallery|law firm|firm|startup|start-up|kitchen|salon|nursery|kindergarten|supermarket|garage"
    r"|lab|laboratory|pharmacy|post office"
    r"|call cent(?:re|er)|care home|nursing home|gym|theatre|theater|bookshop|bookstore|brewery|company|agency"
    r"|studio|government|council|civil service"
    r"|public sector|army|navy|police|military)\b"
)
#: What people work in, where no capitals tell it from a town.
FIELDS = set_of_words(
    "marketing|finance|tech|it|hr|sales|education|healthcare|health care|banking|insurance|real estate"
    "|construction|retail|hospitality|advertising|consulting|publishing|logistics|media|recruitment|recruiting"
    "|engineering|law|pr|academia|accounting|fashion|film|tv|television|radio|music|theatre|theater|design"
    "|architecture|research|biotech|pharma|agriculture|farming|manufacturing|software|cybersecurity"
    "|cyber security|data|data science|ai|fintech|gaming|games|government|politics|policy|journalism"
    "|customer success|customer service|customer support|support|admin|administration|procurement|operations|ops"
    "|product|ux|social work|childcare|nursing|medicine|dentistry|energy|oil and gas|renewables|transport|tourism"
    "|travel|sport|sports|fitness|beauty|catering|food|e-commerce|ecommerce|crypto|property|telecoms"
    "|the public sector|public health|the civil service|human resources|special education|social care|elder care"
    "|security|landscaping|forestry|mining|shipping|aviation|aerospace|automotive"
)


_LIKE_FIELDS = late_pattern(
    r"(?<!\bread)(?:ing|ics|ology|ance|ment|tion|sion|care|ware|tech|istry|ency|ery|works|arts|services|security|production)$"
)


def works_in(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "in marketing" is what somebody does; "in London" is where."""
    if reading.clause.sentence.text[match.end()].isupper() and reading.plain[match.end() : match.end() + 3] not in ("it ", "hr ", "ux "):
        return
    if place := _WORKPLACES.match(reading.plain, match.end(), reading.end):
        yield reading.claim("employer", reading.value(match.end(), end=place.end()))
        if title := late_pattern(r"\s+as\s+(?:an?|the)\s+").match(reading.plain, place.end(), reading.end):
            yield from occupation_claims(reading, title.end(), known_only=False)
        return
    value = reading.value(match.end())
    words = reading.plain[slice(*value)]
    # Where somebody writes without capitals, "in leeds" would look like a line of work.
    if words and not {words, words.split()[-1]} & FIELDS and _LIKE_FIELDS.search(words) is None:
        return
    if (
        words
        and len(words.split()) <= 3
        and not re.match(
            r"(?:this|that|progress|a (?:team|group|small|big|room|hurry)|teams|my|bed|silence|peace|general|person"
            r"|here|short|an?\b|the (?:office|evenings?|mornings?|garden|afternoons?|dark|city))",
            words,
        )
    ):
        yield reading.claim("occupation", value)


def works_at(reading: Reading, match: re.Match[str]) -> Outcome:
    place = find_place(reading, match.end(), organisation=True)
    if place is None or re.match(
        r"(?:home|night|nights|weekends|it|this|that|me|them|free|myself|least|a (?:slow|fast|good|steady)|\d|him"
        r"|her|us|you|heights|the (?:same|moment|office|weekend)|my (?:own|desk|best|pace)|hours?|living|money)\b",
        reading.plain[slice(*place)],
    ):
        return
    yield reading.claim("employer", place)
    if title := late_pattern(r"\s+as\s+(?:a|an|the|their)\s+").match(reading.plain, place[1], reading.end):
        yield from occupation_claims(reading, title.end(), known_only=False)


#: What people quit and do not work for.
_GIVEN_UP = set_of_words(
    "instagram|facebook|twitter|tiktok|linkedin|reddit|youtube|snapchat|whatsapp|netflix|spotify|duolingo|tinder|discord|x|threads|pinterest"
    "|twitch|strava|slack|bumble|hinge|candy crush|fortnite|minecraft|wordle|weight watchers|crossfit"
)


def left(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I left Google": an organisation by name. Other things are left, too."""
    named = late_pattern(r"(?:the\s+)?(?-i:[A-Z])").match(reading.clause.sentence.text, match.end(), reading.end)
    place = find_place(reading, match.end(), organisation=True) if named else None
    if (
        place
        and reading.clause.sentence.text[place[0]].isupper()
        and not re.match(r"(?:the|my|our|a|an)\s+[a-z]", reading.clause.written(*place))
    ):
        if reading.plain[slice(*place)] in _GIVEN_UP:
            yield reading.claim("habit", place, ended=True)
            return
        town = reading.plain[slice(*place)] in TOWNS_AND_COUNTRIES
        yield reading.claim("residence" if town else "employer", place, ended=True)


_NO_ORGANISATION = late_pattern(
    r"(?:an?|my|our|the|in|at|on|this|last|next|up|with|them|him|her|you|it|forces|hands|yesterday|today|late|just)\b"
)


def joined(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I joined Google", "I started a new job at a bakery"."""
    place = find_place(reading, match.end(), organisation=True)
    named = late_pattern(r"(?:the\s+)?[A-Z]").match(reading.clause.sentence.text, match.end(), reading.end)
    # In a text without capitals a name stands without an article.
    small = reading.clause.sentence.text == reading.plain and not _NO_ORGANISATION.match(reading.plain, match.end(), reading.end)
    if place and (named or small or "job" in match[0] or "role" in match[0] or "working" in match[0]):
        yield reading.claim("employer", place)


def runs_business(reading: Reading, match: re.Match[str]) -> Outcome:
    yield reading.claim("occupation", (match.start(), match.end("what")))
    if employer := late_pattern(r"\s+at\s+(?=\S)").match(reading.plain, match.end("what"), reading.end):
        place = find_place(reading, employer.end(), organisation=True)
        if place and reading.clause.sentence.text[place[0]].isupper():
            yield reading.claim("employer", place)


def been_at(reading: Reading) -> Outcome:
    """ "I've been at Acme for 8 years", "I've been teaching maths since 2010"."""
    if not reading.negative and _LASTS.search(reading.plain, reading.at, reading.end):
        yield from list(_been_somewhere(reading)) or _been_doing(reading)


def _been_somewhere(reading: Reading) -> Outcome:
    said, at, end = reading.plain, reading.at, reading.end
    if match := late_pattern(r"at\s+(?=\S)").match(said, at, end):
        place = find_place(reading, match.end(), organisation=True)
        if place and reading.clause.sentence.text[place[0]].isupper():
            yield reading.claim("employer", place)
    elif (match := late_pattern(r"in\s+(?=\S)").match(said, at, end)) and re.search(r"\b(?:since|years?|my whole life)\b", said[at:end]):
        place = find_place(reading, match.end())
        if place and reading.clause.sentence.text[place[0]].isupper():
            yield reading.claim("residence", place)


def _been_doing(reading: Reading) -> Outcome:
    said, at, end = reading.plain, reading.at, reading.end
    if match := late_pattern(
        r"(?P<what>(?:teaching|managing|running|leading)\s+(?!late|out|into|around|errands|a (?:test|marathon))[a-z\d].*)"
    ).match(said, at, end):
        value = reading.value(at)
        if len(said[slice(*value)].split()) <= 6:
            yield reading.claim("occupation", value)
    elif match := _AT_COMPUTERS.match(said, at, end):
        found = [each for each in reading.values(match.end()) if len(said[slice(*each)].split()) <= 2]
        for each in found:
            if reading.clause.sentence.text[each[0]].isupper() or said[slice(*each)] in _TONGUES:
                yield reading.claim("skill", each, among=found)
    elif match := late_pattern(r"(?:an?|the)\s+(?=[a-z])").match(said, at, end):
        yield from occupation_claims(reading, match.end())


_LASTS = late_pattern(r"\b(?:for|since|almost|over|nearly|about|now going on)\b")
_AT_COMPUTERS = late_pattern(r"(?:writing|coding(?: in)?|programming(?: in)?|working (?:with|in)|using|developing(?: in)?)\s+(?=[a-z])")
_TONGUES = set_of_words(
    "python|java|javascript|typescript|rust|go|golang|c|c++|c#|ruby|php|kotlin|swift|scala|sql|r|matlab|perl"
    "|haskell|elixir|react|vue|angular|django|rails|node|excel|photoshop|figma|unity|blender|cobol|fortran|bash"
    "|html|css"
)
_SERVED = late_pattern(
    r"in the (?P<value>(?:royal )?(?:navy|army|air force|marines|raf|military|police|coast guard|fire service"
    r"|merchant navy|civil service))\b"
)


def was_at_work(reading: Reading) -> Outcome:
    """ "I was a teacher for thirty years", "my father was in the navy": work that is over."""
    said, at, end = reading.plain, reading.at, reading.end
    if reading.negative:
        return
    found: list[Claim] = []
    if match := late_pattern(r"(?:an?|the)\s+(?=[a-z])").match(said, at, end):
        found = [each for each in occupation_claims(reading, match.end()) if each.attribute in ("occupation", "employer", "school")]
    elif match := _SERVED.match(said, at, end):
        found = [reading.claim("occupation", match.span("value"))]
    elif (match := late_pattern(r"at\s+(?=\S)").match(said, at, end)) and re.search(
        r"\b(?:years|before that|until|till|previously)\b", said[at:end]
    ):
        place = find_place(reading, match.end(), organisation=True)
        found = [reading.claim("employer", place)] if place and reading.clause.sentence.text[place[0]].isupper() else []
    for each in found:
        past = reading.claim(each.attribute, each.value, tense="past")
        yield past


def reports_to(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I report to Helen": a name."""
    if reading.own and not reading.negative:
        yield reading.claim("colleague", match.span("name"), tags=("manager",))


def teaches(reading: Reading, match: re.Match[str]) -> Outcome:
    value = reading.value(match.end())
    words = reading.plain[slice(*value)]
    if (
        reading.mode == "do"
        and 1 <= len(words.split()) <= 8
        and not re.match(r"(?:me|you|my|him|her|them|it|this|that|us|how|about|people|others)\b", words)
    ):
        yield reading.claim("occupation", (match.start(), value[1]))


def school(reading: Reading, match: re.Match[str]) -> Outcome:
    if place := find_place(reading, match.end(), organisation=True):
        words = reading.clause.written(*place)
        if words[0].isupper() or re.search(r"school|college|university|academy", words.lower()):
            yield reading.claim("school", place)


def studies(reading: Reading, match: re.Match[str]) -> Outcome:
    yield from study_claims(reading, match.end())
