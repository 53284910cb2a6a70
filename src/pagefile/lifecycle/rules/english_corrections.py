"""Corrections in English: "no, it's Berlin", "actually the 5th", "it's Theo, not Leo", "make that three cats". Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_clauses import plain
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_words import (
    DIETS,
    NOT_NAMES,
    PET_PLURALS,
    RELATIONS,
    SEVERAL,
    one_of,
)
from pagefile.lifecycle.rules.english_words import (
    words as set_of_words,
)
from pagefile.lifecycle.rules.reading import Context, claim
from pagefile.lifecycle.rules.sentences import Sentence

_WRONG = (
    r"no|nope|nah|oops|ooops|whoops|wait|sorry|my bad|my mistake|correction|scratch that|strike that|i'm sorry|im sorry|apologies|typo"
    r"|sorry typo|my typo|wrong|that's wrong|that's not right|that was wrong|i misspoke|i was wrong|i lied|i made a mistake|i mixed that up"
    r"|i got that wrong|i told you wrong|not quite|hold on|hang on|no no|no wait|wait no|oh wait|i mean|i meant|i meant to say|brain fart"
    r"|autocorrect|stupid autocorrect|let me correct that|i said it wrong|edit"
)
_SOFT = r"actually|well|oh|hmm|ah|and|but|um|er|uh|haha|lol|so|then|ugh|damn|argh|in fact|let me think"
_GAP = r"[\s,.!:;*—–-]++"
_STRONG = late_pattern(rf"(?:(?:{_SOFT}){_GAP})*(?:{_WRONG})\b")
_OPENING = rf"(?:(?:{_WRONG}|{_SOFT}){_GAP})"
_IT_IS = (
    r"(?:it'?s|it is|it was|that's|that is|that was|he's|she's|they're|(?:i )?meant(?: to say)?|i mean|i should have said"
    r"|make that|make it|call it"
    r"|(?:they |we |i |he |she )?(?:'ve |have |just )*(?:pushed|moved|postponed|rescheduled|delayed|bumped|shifted"
    r"|changed)(?: it| that)?(?: back| forward| up)? to"
    r"|(?:it|that|this) (?:got|was|has been|is|'s been) (?:moved|pushed|postponed|rescheduled|delayed"
    r"|changed)(?: back| forward)? to|should be|it should be|that should be|it should say|should say|it'll be"
    r"|it will be|it's going to be|to be|i said|it has to be|rather)"
)
_ADVERBS = r"(?:actually |really |now |just |only |already |then |supposed to be |spelled |spelt |called |more like |about )*"
_AT = r"(?:(?:on|in|at|with|for|by) )?"
_NEW = r"(?P<value>[^,;!?()]{1,60}?)"
_OLD = r"(?P<old>[^,;.!?]{1,60}?)"
_NOT_OLD = rf"(?:,?\s+(?:and\s+)?(?:not|instead of|rather than)\s+{_AT}{_OLD})?"
_TAIL = (
    r"(?:,?\s+(?:now|actually|sorry|instead|then|already|my bad|my mistake|oops|typo|lol|haha|of course|obviously|i mean|to be exact))*"
    r"(?P<tail>\s*[,(]\s*.{0,90}|\s+(?:so|because|since|but|we|i'm|i was|i keep|i always|i forgot)\b.{0,90})?\s*[.!)]*$"
)
_FORMS = tuple(
    late_pattern(pattern + _TAIL)
    for pattern in (
        # "no, it's not Berlin, it's Bern", "not Bosch, Siemens"
        rf"{_OPENING}*(?:it'?s not|it isn't|that's not|she's not|he's not|not)\s+{_AT}(?P<old>[^,;.!?]{{1,40}}?)(?:,\s*|\s+)"
        rf"(?:but\s+(?:it'?s\s+)?|{_IT_IS}\s+){_ADVERBS}{_AT}{_NEW}",
        rf"{_OPENING}*not\s+{_AT}(?P<old>[^,;.!?]{{1,40}}?),\s*{_ADVERBS}{_AT}{_NEW}",
        # "no, it's Berlin", "I meant Berlin, not Bern"
        rf"{_OPENING}*{_IT_IS}\s+{_ADVERBS}{_AT}{_NEW}{_NOT_OLD}",
        # "sorry, the 5th", "actually 1989", "80 actually"
        rf"{_OPENING}+{_ADVERBS}{_AT}{_NEW}{_NOT_OLD}",
        rf"{_AT}(?P<value>[\w: ./-]{{1,30}}?),?\s+(?:actually|sorry|i mean|my bad|correction|rather)",
        # "Theo not Leo", "*Theo"
        rf"\*?{_AT}(?P<value>[^,;!?()]{{1,30}}?),?\s+not\s+{_AT}{_OLD}",
        r"\*\s?(?P<value>[a-z0-9][\w' -]{0,30})",
    )
)
_NO_WHAT = late_pattern(r"(?:no|nah|nope|edit|wrong)\s+(?!no\b|wait|sorry|i\b|it|that|actually)[a-z]")
_MEANT = late_pattern(
    r"\b(?:i meant|make that|make it|i should have said|should be|should say|call it|rather|it'?s actually"
    r"|that's actually|actually,? (?:it'?s|it is|that's|she's|he's)|it's supposed)\b"
)
NO_VALUE = late_pattern(
    r"(?:ok|okay|fine|good|great|not|my|your|our|his|her|their|the (?:first|second|third|last|other|same|best|worst"
    r"|point|problem|thing|way)\b"
    r"|a (?:question|joke|mistake|problem|bug|typo|different|lot|bit|good|bad|great|nice|long|secret|surprise)|what"
    r"|because|just|like|all|better"
    r"|wrong|right|correct|true|false|more|too|so|very|working|broken|still|hard|easy|important|possible|clear|that"
    r"|this|these|those|me|you|us|one"
    r"|kind|sort|something|nothing|for|when|if|how|been|going|getting|also|pretty|really|thanks|thank|sure|maybe"
    r"|later|never mind|nevermind|cool"
    r"|nice|i|i'm|it|it's|we|he|she|they|there|here|worries|problem|need|way|idea|please|don't|let|can|could|do|does"
    r"|is|are|was|why|who|where|which"
    r"|wait|sorry|no|yes|but|and|or|used|gone|done|over|up|down|out|back|off|on|in|at|to|from|with|about|always"
    r"|never|only|nvm|lol|haha|idk|both"
    r"|everything|everyone|someone|anything|done|time|hot|cold|raining|snowing|sunny|funny|weird|crazy|boring"
    r"|awesome|amazing|terrible|awful|complicated"
    r"|expensive|cheap|free|due|tomorrow's|today's|because|supposed|called|meant|typing|autocorrect)\b"
)
_CLOCK = late_pattern(
    r"(?:(?:at|around|about|by|from)\s+)?(?:half past \w+|quarter (?:past|to) \w+|\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|o'?clock)"
    r"|\d{1,2}:\d{2}|noon|midnight|midday)\b|at \d{1,2}(?![\w/:.])"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec)"
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
_ORDINAL = late_pattern(rf"(?:the )?{_NTH}")
_DATE = late_pattern(
    rf"(?:(?:on|this|next|coming|last|by)\s+)*(?:{_WEEKDAY}(?:,? (?:the )?{_NTH}(?: of {_MONTH})?"
    rf"|,? \d{{1,2}} {_MONTH}|,? {_MONTH} {_NTH})?"
    rf"|(?:the )?{_NTH}(?: (?:of )?{_MONTH})?(?:,? \d{{4}})?|{_MONTH}\.? (?:the )?\d{{1,2}}(?:st|nd|rd"
    rf"|th)?(?:,? \d{{4}})?|\d{{1,2}} (?:of )?{_MONTH}(?:,? \d{{4}})?"
    rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|tomorrow|today|(?:next|this|the following) (?:week|month|year|weekend)"
    rf"|{_MONTH}(?! \d)(?: \d{{4}})?)(?!\w)"
)
_YEAR = late_pattern(r"(?:19|20)\d\d$")
_COUNT = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_NUMBER = late_pattern(
    rf"{_COUNT}(?:\s*(?:kg|kilos?|lbs?|pounds|cm|m|feet|ft|years old|years|stone|euros|dollars|pounds|k|minutes|mins|words|%))?$"
)
_COUNTED = late_pattern(rf"(?P<count>{_COUNT})\s+(?P<noun>[a-z]+)$")
_OF_PEOPLE = frozenset({"sibling", "relative", "friend", "partner", "parent", "child", "colleague"})
_TIMED = frozenset({"plan", "deadline", "birthday", "anniversary", "wake time", "bedtime", "experience", "visited", "constraint", "habit"})
#: What "no, it's …" can be about: one word stands for another. What somebody likes or did is told anew.
_NAMED = set_of_words(
    "name|nickname|residence|hometown|employer|school|partner|child|sibling|parent|friend|relative|colleague|pet"
    "|visited|nationality|language|major|occupation|preferred language|timezone|owns|uses|allergy|email|last name"
    "|middle name|skill"
)
_IN_WORDS = set_of_words("occupation|allergy|owns|pet|major|skill|religion|gender|marital status|phone|uses")
_MEASURED = set_of_words("age|height|weight|shoe size|size|commute|phone|constraint|child|pet|sibling|ring size|dress size|budget")


def correction(sentence: Sentence, context: Context) -> list[Claim]:
    """ "No, it's Berlin": something the same speaker said shortly before, with another value."""
    if not context.recent or sentence.asks or len(sentence.text) > 160:
        return []
    said = plain(sentence.text)
    for form in _FORMS:
        match = form.match(said)
        if match is None:
            continue
        found = _corrected(sentence, context, match, said)
        if found:
            return found
    return []


def _corrected(sentence: Sentence, context: Context, match: re.Match[str], said: str) -> list[Claim]:
    begin, end = trimmed(said, *match.span("value"))
    old = (match.groupdict().get("old") or "").strip()
    value = sentence.written(begin, end)
    if not value or NO_VALUE.match(said, begin, end) or len(value.split()) > 8:
        return []
    # "No bullet points" corrects nothing.
    if _NO_WHAT.match(said) and value[0].islower() and not old:
        return []
    strong = said.startswith("*") or bool(_STRONG.match(said)) or bool(_MEANT.match(said)) or bool(old)
    for before in reversed(context.recent):
        if old and not _mentions(before, old) and not (_STRONG.match(said) and _is_a_try(before, old)):
            continue
        changed = _changed(before, value, old, sentence, strong=strong, tail=match.groupdict().get("tail") or "")
        if changed is None or changed.lower() == before.value.lower():
            continue
        found = [with_value(sentence, before, changed)]
        if old and attribute_of(before.attribute).arity != "single" and before.attribute not in _TIMED:
            found.append(with_value(sentence, before, before.value, polarity="negative", text=sentence.written(0, len(sentence.text))))
        return found
    return []


def _mentions(before: Claim, old: str) -> bool:
    bare = re.sub(r"^(?:an?|the|on|at|in)\s+", "", old)
    return bool(bare) and re.search(rf"(?<!\w){re.escape(bare)}", before.value.lower()) is not None


def _is_a_try(before: Claim, old: str) -> bool:
    """What the listener took it for: "it's Jon, not John"."""
    return before.attribute in ("name", "nickname") and old[:1] == before.value[:1].lower() and " " not in old


def _changed(before: Claim, value: str, old: str, sentence: Sentence, *, strong: bool, tail: str) -> str | None:
    """What the claim's value is now. None: the new value is nothing that it could be."""
    lower, attribute = value.lower().replace("’", "'"), before.attribute
    if _DATE.fullmatch(lower) or _CLOCK.fullmatch(lower) or _is_date_and_clock(lower):
        return _at_another_time(before, value, lower) if attribute in _TIMED else None
    if old and (retimed := _other_number(before, lower, old)):
        return retimed
    if _YEAR.match(lower):
        return _another_year(before, value)
    if _NUMBER.match(lower):
        return another_number(before, value)
    if (counted := _COUNTED.match(lower)) and attribute in ("pet", "child", "sibling", "relative"):
        return value if _are_of(before, counted["noun"]) else None
    if attribute == "diet" and lower in DIETS and before.value.lower() in DIETS:
        return value
    return value if strong and _could_be(before, value, old, small=sentence.text == plain(sentence.text), tail=tail) else None


def _are_of(before: Claim, noun: str) -> bool:
    return noun in before.value.lower() or noun in ("kids", "children") or any(noun.startswith(tag) for tag in before.tags)


def _could_be(before: Claim, value: str, old: str, *, small: bool, tail: str) -> bool:
    """Whether words that are no date and no number can stand for the value that the claim had."""
    lower, attribute, length = value.lower(), before.attribute, len(value.split())
    if attribute.startswith("favourite "):
        return length <= 4
    if attribute not in _NAMED | _IN_WORDS or (length > 3 and attribute != "occupation"):
        return False
    if lower in RELATIONS and attribute not in _OF_PEOPLE:
        return False
    if value[0].isupper() and lower.split()[0] not in NOT_NAMES:
        if attribute in ("allergy", "phone"):
            return False
        # "No, Bern" after "I'm a nurse" is about something else.
        return bool(old) or attribute not in ("occupation", "owns", "major") or not any(word.islower() for word in before.value.split())
    return attribute in _IN_WORDS or (small and length <= 2 and bool(old or not tail))


def _is_date_and_clock(lower: str) -> bool:
    date = _DATE.match(lower)
    return date is not None and _CLOCK.fullmatch(lower[date.end() :].strip(" ,")) is not None


def _at_another_time(before: Claim, value: str, lower: str) -> str | None:
    """The value with another day or hour where it had one: "dentist on Thursday the 12th at 3" on "Friday the 13th"."""
    if before.attribute in ("wake time", "bedtime"):
        return value if _CLOCK.fullmatch(lower) else None
    new_date = None if _CLOCK.fullmatch(lower) else _DATE.match(lower)
    new_clock = _CLOCK.fullmatch(lower) or (_CLOCK.search(lower, new_date.end()) if new_date else None)
    whole: str | None = before.value
    if new_clock and whole is not None:
        whole = _at_another_hour(whole, value[slice(*new_clock.span())], may_have_none=before.attribute in ("plan", "deadline"))
    if new_date and whole is not None:
        whole = _on_another_day(whole, re.sub(r"^(?:on|by) ", "", value[slice(*new_date.span())], flags=re.IGNORECASE))
    return whole


def _at_another_hour(whole: str, hour: str, *, may_have_none: bool) -> str | None:
    hour = hour if hour.lower().startswith(("at ", "around ", "about ", "by ")) else f"at {hour}"
    old = _CLOCK.search(whole.lower())
    if old is None:
        return f"{whole} {hour}" if may_have_none else None
    return whole[: old.start()] + hour + whole[old.end() :]


def _on_another_day(whole: str, day: str) -> str | None:
    dates = list(_DATE.finditer(whole.lower()))
    if not dates:
        return None
    begin, end = dates[-1].span()
    if lead := re.match(r"(?:on|by)\s+", whole.lower()[begin:]):
        begin += lead.end()
    old = whole.lower()[begin:end]
    number = re.search(r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?!\d)", old)
    # "The 5th" of a date that has a month: the month stays.
    if number and _ORDINAL.fullmatch(day.lower()) and re.match(_WEEKDAY, old) is None:
        begin, end = begin + number.start(), begin + number.end()
        day = day.removeprefix("the ")
        day = f"the {day}" if number[0].startswith("the ") else day
    return whole[:begin] + day + whole[end:]


def _other_number(before: Claim, lower: str, old: str) -> str | None:
    """ "4, not 3" of "dentist at 3"."""
    if not (re.fullmatch(r"\d+(?:[:.]\d+)?", lower) and re.fullmatch(r"\d+(?:[:.]\d+)?", old)):
        return None
    match = re.search(rf"(?<![\d:.]){re.escape(old)}(?![\d:.])", before.value)
    return before.value[: match.start()] + lower + before.value[match.end() :] if match else None


def _another_year(before: Claim, value: str) -> str | None:
    match = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", before.value)
    if match is None or before.attribute not in _TIMED:
        return None
    return before.value[: match.start()] + value + before.value[match.end() :]


def another_number(before: Claim, value: str) -> str | None:
    """The value with another number, where it has one that is counted or measured."""
    if before.attribute not in _MEASURED:
        return None
    match = re.search(rf"(?<![\w.]){_COUNT}(?![\w.])", before.value.lower())
    if match is None or (before.attribute == "phone" and len(re.sub(r"\D", "", value)) < 5):
        return None
    number = re.match(_COUNT, value.lower())
    assert number is not None  # the caller matched it
    if before.attribute in ("age", "phone") or value[number.end() :].strip():
        return re.sub(r"\s*years?(?: old)?$", "", value)
    return before.value[: match.start()] + value + before.value[match.end() :]


def with_value(sentence: Sentence, before: Claim, value: str, *, text: str = "", polarity: str = "") -> Claim:
    """What was said before, with another value: the sentence does not stand alone."""
    bare = re.sub(r"\s*\((?:since |until )?\d{4}[^)]*\)", "", before.text)
    at = bare.lower().find(before.value.lower())
    if not text and at >= 0:
        text = bare[:at] + value + bare[at + len(before.value) :]
    said = sentence.written(0, len(sentence.text))
    made = claim(
        sentence,
        subject=before.subject,
        attribute=before.attribute,
        value=value,
        polarity=before.polarity,
        span=(0, len(sentence.text)),
        text=text or (value if before.attribute in ("plan", "deadline") else said),
        correction=True,
        tags=before.tags,
    )
    return replace(made, polarity="negative") if polarity == "negative" else made


_MY_IS_NOT = late_pattern(
    rf"{_OPENING}*(?P<what>(?:my|our|the|his|her)\s+(?:[\w'-]+\s+){{1,4}}?)(?:isn't|is not|wasn't"
    rf"|aren't)\s+(?P<called>called |named )?{_AT}"
    rf"(?P<old>[^,;.!?]{{1,30}}?)\s*(?:,\s*|;\s*|\s+)(?:but\s+|it'?s\s+|she's\s+|he's\s+|they're\s+|it is\s+|actually\s+|rather\s+)+"
    rf"(?:called |named )?(?P<at>(?:on|at|in) )?(?P<value>[^,;!?]{{1,40}}?)[\s.!]*$"
)


_MY_CHANGED = late_pattern(
    r"(?P<what>(?:my|our|the)\s+(?:[\w'-]+\s+){1,4}?)(?P<called>)(?:got|was|has been|is|has"
    r"|were)\s+(?:been\s+)?(?:changed|moved|rescheduled|delayed|pushed(?: back)?|postponed"
    r"|brought forward)\s*[,;–-]+\s*"
    r"(?:so\s+|and\s+)?(?:it'?s|now|they're|it is|new (?:date|time) is)\s+(?:now\s+)?(?P<at>(?:on"
    r"|at) )?(?P<value>[^,;!?]{1,30}?)(?:\s+now)?(?:\s+(?:instead of|not|rather than)\s+[^,;]{1,30})?[\s.!]*$"
)


_MY_WAS = late_pattern(
    r"(?P<what>(?:my|our)\s+(?:[\w'-]+\s+){1,4}?)(?P<called>)(?:used to be|was)\s+[^,;.!?]{1,40}?(?:\s*[,;–-]+\s*|\s+)(?:but\s+|and\s+)?"
    r"(?:(?:now|these days)\s+it'?s|it'?s\s+now|it'?s(?=.*\s(?:now|these days)\W*$))\s+(?P<at>(?:on|at|in) )?(?P<value>[^,;!?]{1,40}?)"
    r"(?:\s+(?:now|these days))?[\s.!]*$"
)


def put_plainly(sentence: Sentence) -> str | None:
    """ "My appointment isn't at 3, it's at 4" without what it is not: "my appointment is at 4". None: it is nothing of the kind."""
    said = plain(sentence.text)
    match = _MY_IS_NOT.match(said) or _MY_CHANGED.match(said) or _MY_WAS.match(said)
    if match is None:
        return None
    text = sentence.text
    what, value = (text[slice(*match.span(part))].strip() for part in ("what", "value"))
    at = match["at"] or ("on " if re.match(r"(?:the )?\d+(?:st|nd|rd|th)", value) else "")
    return f"{what} is {match['called'] or ''}{at}{value}"


_FORGOT = late_pattern(
    r"\b(?:[Ii]|[Ww]e) (?:forgot|left out|missed|didn['’]t mention|haven['’]t mentioned) (?:about )?(?P<name>[A-Z][a-zà-ÿ]+)\b(?!['’])"
)
_COUNTABLE = late_pattern(rf"\b(?P<noun>{one_of(SEVERAL)}|{one_of(PET_PLURALS)})\b")
_OF_MANY = frozenset({"pet", "child", "sibling", "friend", "relative"})


def forgotten(sentence: Sentence, context: Context) -> list[Claim]:
    """ "It's three cats, I forgot Bean": the name of another animal or person of those counted."""
    match = _FORGOT.search(sentence.text)
    if match is None:
        return []
    before = next((each for each in reversed(context.recent) if each.attribute in _OF_MANY), None)
    counted = _COUNTABLE.search(plain(sentence.text))
    if counted is not None:
        noun = SEVERAL.get(counted["noun"]) or PET_PLURALS[counted["noun"]]
        attribute, subject = RELATIONS.get(noun, "pet"), sentence.utterance.subject
        tags: tuple[str, ...] = (noun,)
    elif before is not None:
        attribute, subject, tags = before.attribute, before.subject, before.tags
    else:
        return []
    if attribute not in _OF_MANY:
        return []
    return [
        claim(
            sentence,
            subject=subject,
            attribute=attribute,
            value=match["name"],
            span=(min(match.start(), counted.start()) if counted else match.start(), match.end()),
            tags=tags,
            entities=(match["name"],),
            tense="always",
        )
    ]
