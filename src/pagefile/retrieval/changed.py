"""What was said later and may have changed the answer: it stays beside an answer that nothing has replaced yet. Pure.

Facts are replaced by what is understood. "Bob quit Acme", 换工作了 or "it leaves at 8:50, not 8:15" may not be, and then the older fact
stands and is an exact answer. Shown alone it would be believed; what was said since has to stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pagefile.language.patterns import late_pattern
from pagefile.language.words import query_terms, terms
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Record

#: Says by itself that something is otherwise than it was.
_OTHERWISE = late_pattern(
    r"\b(?:now|nowadays|actually|instead|correction|i meant|no longer|any ?more|not .{1,30} but|turns out|after all|since then)\b"
    r"|现在|如今|其实|不对|更正|纠正|说错|改成|改为|改到|换成|换了|变成|不再|已经不|不是.{1,12}(?:[,，]|而)?是",
    re.IGNORECASE,
)
#: Tells of an end or a beginning: a change, if it is of what the answer tells.
_CHANGES = late_pattern(
    r"\b(?:quit|quits|left|leaves|leaving|join(?:s|ed)?|moved?|moves|moving|switch(?:ed|es)?|chang(?:e|ed|es)|start(?:ed|s)?|stopp?(?:ed|s)?"
    r"|fired|laid off|retired?|resigned|divorced?|separated|broke up|split up|married|engaged|sold|bought|got rid|gave up|cancell?ed"
    r"|postponed|went up|went down|up to|down to|raised|lowered|increased|reduced|replaced|not|never|isn'?t|aren'?t|doesn'?t|don'?t|won'?t"
    r"|died|passed away|new|promoted|dropped|lost|gained|ended|over)\b"
    r"|离开|离职|辞|跳槽|被裁|退休|加入|入职|搬|换|改|转|分手|离婚|结婚|单身|卖|买了|戒|取消|推迟|提前|涨|降|加到|减到|去世|走了|不|没|新|升|停",
    re.IGNORECASE,
)
#: Properties, and how it is told that one of them is another now, without naming what it was.
_OF_PROPERTY = {
    frozenset({"employer", "occupation"}): late_pattern(
        r"\b(?:quit|joined|left|was hired|got hired|got fired|was fired|laid off|retired|resigned|promoted|new job"
        r"|(?:starts?|started) (?:at|a))\b"
        r"|离职|辞职|跳槽|入职|加入|被裁|退休|换了?工作|新工作|升职",
        re.IGNORECASE,
    ),
    frozenset({"residence", "address"}): late_pattern(
        r"\b(?:moved|moving|relocated|new (?:flat|house|apartment|place))\b|搬", re.IGNORECASE
    ),
    frozenset({"partner", "marital status"}): late_pattern(
        r"\b(?:divorced|separated|broke up|split up|single|engaged|got married|widowed)\b|分手|离婚|单身|结婚|订婚", re.IGNORECASE
    ),
}
#: Share of the question's words with which a message speaks of the same, where it names nothing of the answer; and the weight of a term
#: that is a word.
_HALF = 0.5
#: Of longer texts only so many characters are looked at.
_MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a question asks, as far as it decides what may have changed its answer."""

    #: The terms of the question, those for whom it asks, and the properties that it asks for.
    terms: Collection[str]
    people: Collection[str]
    attributes: Collection[str]
    #: Place → share of the question's words.
    covered: Mapping[int, float]
    #: Places of what is about those it asks for.
    theirs: Collection[int]


def said_since(best: int, items: Sequence[Item], places: Collection[int], wanted: Wanted) -> frozenset[int]:
    """The places of messages that were said after the best answer and may have changed it."""
    answer = items[best]
    told, said_at = _told(answer) - set(wanted.terms), _said_at(answer, items)
    value = answer.value if isinstance(answer, Record) else None
    close = set(terms(value)) if value else told
    return frozenset(
        place
        for place in places
        # Records that belong here were weighed already, and what was said is told whole by the message.
        if isinstance(item := items[place], Message)
        and item.role == "user"
        and item.speaker == answer.speaker
        and item.said_at > said_at
        and not item.superseded
        and _changes(place, item.text[:_MOST], told, close, wanted)
    )


def _said_at(answer: Item, items: Sequence[Item]) -> datetime:
    if isinstance(answer, Message):
        return answer.said_at
    cited = {source.message for source in answer.sources}
    said = [item.said_at for item in items if isinstance(item, Message) and item.id in cited]
    return max(said, default=answer.learned_at)


def _told(answer: Item) -> set[str]:
    """The terms of what an item answers with."""
    value = answer.value if isinstance(answer, Record) else None
    return {term for term, weight in query_terms(value or answer.text[:_MOST]).items() if weight >= _HALF}


def _changes(place: int, text: str, told: Collection[str], close: Collection[str], wanted: Wanted) -> bool:
    """``told``: the words of the answer; ``close``: also pieces of words in its value."""
    if text.rstrip().endswith(("?", "？")):
        return False
    there = set(terms(text))
    if not there.isdisjoint(told) and (_CHANGES.search(text) or _OTHERWISE.search(text)):
        return True
    if place not in wanted.theirs:
        return False
    if any(pattern.search(text) for properties, pattern in _OF_PROPERTY.items() if properties & set(wanted.attributes)):
        return not wanted.people or not there.isdisjoint(wanted.people)
    covered = wanted.covered.get(place, 0.0)
    if _OTHERWISE.search(text):
        return covered > 0 or not there.isdisjoint(close)
    return covered >= _HALF and _CHANGES.search(text) is not None
