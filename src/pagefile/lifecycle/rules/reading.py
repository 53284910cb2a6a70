"""What the rules of all languages share: the context of a sentence, and how a match becomes a claim. Pure.

Conventions that every language follows:

- "answer in Spanish" is ``preferred language`` Spanish; every other wish about replies is ``answer style``; "call me Bob" is ``nickname``.
- Something that ended ("no longer", "used to", 不再) is ``ended=True`` with ``polarity="negative"``; a stated closed period ("from 2015 to
  2018") is a positive claim with ``tense="past"``.
- A named pet or person has the name as its value and what it is as a tag: pet "Rex", tags ("dog",).
- A place that somebody went to is ``visited``; anything else done or happened is ``experience``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from pagefile.errors import InputError
from pagefile.language.dates import TimeRange, find_times, parse_time
from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Certainty, Claim
from pagefile.lifecycle.rules.sentences import Sentence
from pagefile.records import Polarity, Source

EXTRACTOR = "rules"

#: How the times of a clause are meant: a "state" began then, an "event" or something "past" was then, a "plan" will be then; an "aim" has
#: them ahead and holds from now; "always": they say when something happens again and again ("never after 9"), and no date comes from them.
Tense: TypeAlias = Literal["state", "event", "past", "plan", "aim", "always"]

_TENSES: dict[str, Tense] = {
    **dict.fromkeys(("plan", "deadline"), "plan"),
    "goal": "aim",
    **dict.fromkeys(("experience", "visited"), "event"),
    **dict.fromkeys(("birthday", "habit", "constraint", "answer style", "wake time", "bedtime"), "always"),
}
_SENSITIVE = frozenset({"phone", "email", "address", "id card", "bank card"})
_PLAIN_CONFIDENCE, _PASSING_CONFIDENCE = 0.9, 0.5

#: A cheap look before times are searched for: most clauses have none.
_MAY_HAVE_TIME = late_pattern(
    r"\d|\b(?:to(?:day|night|morrow)|tmrw|yesterday|last|next|this|past|ago|since|until|till|week|month|year|day|decade|spring|summer|autumn|fall|winter"
    r"|christmas|easter|thanksgiving|halloween|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar(?:ch)?|apr|may|june?|july?|aug|sep|oct|nov|dec"
    r"|january|february|april|august|sept(?:ember)?|october|november|december|in (?:a|an|one|two|three|four|five|six|ten)|ago)s?\b"
    r"|[年月日号號周週天今明昨前后後上下春夏秋冬节節晚早末底初时時点點刚剛星期礼禮]",
    re.IGNORECASE,
)
_HAS_YEAR = late_pattern(r"(?<!\d)\d{4}(?!\d)")
_HAN = late_pattern("[一-鿿]")
_LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What was said before a sentence, as far as rules need it."""

    #: The last claim of the same speaker in this session, from this message or an earlier one: what "no, it's …" corrects.
    antecedent: Claim | None = None
    #: All claims of the same speaker in this session shortly before, the last one last: "actually the 5th" looks for one with a date.
    recent: tuple[Claim, ...] = ()
    #: The text of the message just before, if another speaker said it: what a short answer answers. Else empty.
    question: str = ""
    #: Stretches of the utterance's text that are not the speaker's own words, in order: quotations, titles, what a task is to be done with.
    foreign: tuple[tuple[int, int], ...] = ()

    def is_foreign(self, place: int) -> bool:
        """Whether a place in the utterance's text stands in somebody else's words."""
        return any(begin <= place < finish for begin, finish in self.foreign)


def claim(
    sentence: Sentence,
    *,
    subject: str,
    attribute: str,
    value: str,
    span: tuple[int, int],
    polarity: Polarity = "positive",
    certainty: Certainty = "plain",
    tense: Tense | None = None,
    text: str | None = None,
    **fields: Any,
) -> Claim:
    """Make a claim from a match.

    ``span`` is the clause in ``sentence.text`` that says it: the claim's source and, unless ``text`` is given, its text; its times are read
    there. ``tense`` tells what they are to the claim; by default the attribute tells. ``fields`` override any other field of Claim, such as
    ``valid_from``, ``kind``, ``entities``, ``tags``, ``correction``, ``ended``, ``confidence`` or ``importance``.
    """
    utterance, known = sentence.utterance, attribute_of(attribute)
    tense = tense or _TENSES.get(known.name, "state")
    # Times are read in plain words ("tmrw" is tomorrow), the text stays as it was typed.
    clause = sentence.text[span[0] : span[1]]
    said = sentence.written(*span) if text is None else text
    times = times_in(clause, sentence, tense)
    valid_from, valid_to = _validity(times, tense, utterance.said_at)
    given: dict[str, Any] = {
        "kind": known.kind,
        "text": dated(said, times if said == clause else _times_of_both(said, times, sentence, tense), tense)[:_LONGEST_TEXT],
        "valid_from": valid_from,
        "valid_to": valid_to,
        "entities": (value,) if _is_name(value) else (),
        "confidence": _PLAIN_CONFIDENCE if certainty == "plain" else _PASSING_CONFIDENCE,
        "importance": known.importance,
        "privacy": "sensitive" if known.name in _SENSITIVE else "normal",
        "quarantined": utterance.quarantined,
    } | fields
    if given.get("ended"):
        polarity = "negative"
    source = Source(message=utterance.message, span=(sentence.place(span[0]), sentence.place(span[1])), external_id=utterance.external_id)
    return Claim(
        subject=subject,
        attribute=known.name,
        value=value,
        polarity=polarity,
        certainty=certainty,
        sources=(source,),
        said_at=utterance.said_at,
        speaker=utterance.speaker,
        trust=utterance.trust,
        session=utterance.session,
        agent=utterance.agent,
        extractor=EXTRACTOR,
        **given,
    )


def _times_of_both(said: str, times: tuple[TimeRange, ...], sentence: Sentence, tense: Tense) -> tuple[TimeRange, ...]:
    """The times of a text that are those of its clause: "tmrw at 3" alone would be read as today at 3."""
    known = {(time.start, time.end) for time in times}
    return tuple(time for time in times_in(said, sentence, tense) if (time.start, time.end) in known)


def times_in(text: str, sentence: Sentence, tense: Tense) -> tuple[TimeRange, ...]:
    """The times that a text names, as they were meant when it was said. None where ``tense`` is "always"."""
    if tense == "always" or not _MAY_HAVE_TIME.search(text):
        return ()
    utterance = sentence.utterance
    found = find_times(text, reference=utterance.said_at, zone=utterance.zone, prefer="future" if tense in ("plan", "aim") else "past")
    times = (time for time in found if isinstance(time, TimeRange))
    if tense in ("plan", "aim"):
        return tuple(_coming(time, sentence) for time in times)
    return tuple(time for time in times if _has_begun(time, utterance.said_at))


def _coming(time: TimeRange, sentence: Sentence) -> TimeRange:
    """A time of a plan. "Getting married in June" is not last June, though "married" looks like the past."""
    utterance = sentence.utterance
    if time.end is None or time.end > utterance.said_at or (time.direction == "past" and _HAS_YEAR.search(time.text)):
        return time
    try:
        later = parse_time(time.text, reference=utterance.said_at, zone=utterance.zone, prefer="future")
    except InputError:
        return time
    return replace(later, text=time.text, span=time.span)


def dated(text: str, times: tuple[TimeRange, ...], tense: Tense = "state") -> str:
    """The text with the absolute date in brackets after each time that does not name its year itself."""
    parts, begin = [], 0
    for time in times:
        if _HAS_YEAR.search(time.text):
            continue
        parts += [text[begin : time.span[1]], _bracket(time, due=tense in ("plan", "aim"), chinese=bool(_HAN.search(text)))]
        begin = time.span[1]
    return "".join([*parts, text[begin:]])


def _has_begun(time: TimeRange, said_at: datetime) -> bool:
    return (time.start or time.end or said_at) <= said_at


def _validity(times: tuple[TimeRange, ...], tense: Tense, said_at: datetime) -> tuple[datetime | None, datetime | None]:
    first = times[0] if times else None
    if tense in ("event", "plan"):
        # A deadline has an end and no start: it is the last day.
        if first is None:
            return (said_at, None) if tense == "plan" else (None, None)
        if first.start is None and first.end is not None:
            return first.end - timedelta(days=1), first.end
        return first.start, first.end
    if tense == "past":
        if first is None:
            return None, said_at
        return first.start, min(first.end or said_at, said_at)
    begun = next((time.start for time in times if time.start is not None and tense != "aim"), None)
    return (begun if begun is not None else said_at), None


def _bracket(time: TimeRange, *, due: bool, chinese: bool) -> str:
    until = " 至 " if chinese else " to "
    if time.start is None:
        assert time.end is not None
        last = _day(time.end - timedelta(seconds=1))
        # A plan that is due by then has that day.
        words = last if due else f"{last} 止" if chinese else f"until {last}"
    elif time.end is None:
        words = f"{_day(time.start)} 起" if chinese else f"since {_day(time.start)}"
    else:
        words = _range(time.start, time.end, until)
    return f"（{words}）" if chinese else f" ({words})"


def _range(start: datetime, end: datetime, until: str) -> str:
    first, last = start.date(), (end - timedelta(seconds=1)).date()
    whole_days = (start.hour, start.minute, end.hour, end.minute) == (0, 0, 0, 0)
    if not whole_days and (end - start) < timedelta(hours=2):
        return f"{first} {start:%H:%M}"
    if first == last:
        return str(first)
    if whole_days and start.day == 1 and end.day == 1:
        if (end.year, end.month) in ((start.year, start.month + 1), (start.year + 1, start.month - 11)):
            return f"{start:%Y-%m}"
        if start.month == end.month == 1 and end.year == start.year + 1:
            return str(start.year)
    return f"{first}{until}{last}"


def _day(moment: datetime) -> str:
    return str(moment.date())


def _is_name(value: str) -> bool:
    """Names in Latin letters begin with capitals; those of other scripts are told by who reads that language."""
    words = value.split()
    return bool(words) and all(word[0].isupper() for word in words)
