"""Which of what was found belongs to the answer. Pure: items and scores in, best first; places out.

A search ranks; it does not know where the answer ends. Here what plainly does not belong is left out: facts about somebody else, what held
at another time than was asked for, the same question asked before, and what is far behind an exact answer and has less of the question's
words. In a long conversation little is exact and an answer lies in several turns: there nothing is cut.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from pagefile.language.asked import ASKED
from pagefile.language.asked_times import AskedTime, asked_time
from pagefile.language.dates import TimeRange
from pagefile.language.patterns import late_pattern
from pagefile.language.text import language_of
from pagefile.language.words import query_terms, terms
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Record
from pagefile.retrieval.changed import Wanted, said_since
from pagefile.retrieval.likeness import likeness
from pagefile.retrieval.people import People

#: Share of the best standing under which an item does not belong, where the best is an exact answer …
BEHIND = 0.7
#: … and where all the times are asked for, or one of them: then it must have this share of the question's words that any item has.
BEHIND_IN_A_ROW = 0.4
IN_A_ROW = 0.6
#: A message is an exact answer in a memory of so few items; in one of so many, never. Between them it is less and less.
FEW, MANY = 50, 300
#: Tokens of a short statement; and the shares of such among the messages found, with which they are talk, and notes.
_SHORT, _TALK, _NOTES = 20, 0.3, 0.7
_END = late_pattern(r"[.!?…](?=\s|$)|[。！？]")
#: However large the memory, an item of this score answers exactly if it is a fact with this share of the question's words …
SURE, EXACT = 0.7, 0.5
#: … or a message of this score with this share, if it is a short statement.
SURER, MOST_WORDS = 0.9, 0.6
#: Share of the words of a fact that answers which what is no fact of a property must have.
OF_ANOTHER = 0.5
#: A message of which a fact is this share says nothing else.
MOSTLY = 0.5
#: A question that was asked before is no answer to itself.
ASKED_BEFORE = 0.75
#: From here on a memory is small: who speaks in it speaks of himself.
_SMALL = 0.5
#: Characters of an item whose words are looked at.
_MOST = 2_000
#: Weight of a question's terms above which it is a text, of which no item has everything.
_LONG = 10.0
#: Words that ask for a time, and say nothing of what happened then.
_ASKING = (
    "first last latest recent recently earliest time times often many frequently before after since previously previous former formerly"
    " originally past now nowadays currently still when day date year month long say said tell told mention mentioned"
    " 第一次 第一 首次 最先 最早 先 最近 一次 上次 上一次 最后 几次 多少次 次数 以前 之前 之后 以后 原来 曾经 现在 目前 什么时候 何时"
    " 哪天 哪年 开始 说过"
)
#: What an item tells that no longer holds, without saying since when.
_USED_TO = late_pattern(r"\b(?:used to|formerly|previously|back then)\b|以前|曾经|原来|从前|原先|过去", re.IGNORECASE)
#: What an item itself says to be before or after something.
_BESIDE = late_pattern(r"\b(?:before|after) (?P<english>[^,.?!;]+)|(?P<chinese>[^，,。？?!！；;]+?)(?:[之以]?[前后]|过后)", re.IGNORECASE)
#: What is told within so short a time is told in any order.
_APART = timedelta(hours=1)
#: A job is asked for without a word for it: "what does she do for a living?", 她是做什么的？
_FOR_A_LIVING = late_pattern(r"\bdo for (?:a living|work)\b|\bwhat do(?:es)? \w+(?: \w+)? do\b(?=\W*$)|[做干](?:什么|啥)的|干哪一?行")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question wants, as far as it decides what belongs to its answer."""

    text: str
    time: AskedTime | None
    #: Times that it names.
    times: tuple[TimeRange, ...]
    #: Names under which the person speaks whose memory it is.
    owner: tuple[str, ...]
    #: The names of each one who has several.
    same: tuple[frozenset[str], ...] = ()

    @classmethod
    def of(cls, text: str, times: Sequence[TimeRange] = (), owner: Collection[str] = ()) -> Asked:
        """Read a question. ``times``: those that it names, as the dates of the language are read."""
        return cls(text=text, time=asked_time(text), times=tuple(times), owner=tuple(owner))

    def is_of(self, *kinds: str) -> bool:
        """Whether it asks about time in one of these ways."""
        return self.time is not None and self.time.kind in kinds


def select(asked: Asked, found: Sequence[tuple[Item, float]], *, documents: int, floor: float = 0.0) -> list[int]:
    """The places of those that belong to the answer, in the order in which they are shown: best first, unless a question asks for an order
    in time.

    ``found``: items with their scores (0..1), best first. ``documents``: how many items the memory has. ``floor``: what scores less is no
    answer by itself, only beside what a question names ("after the museum").
    """
    every = query_terms(_FOR_A_LIVING.sub(" job 工作 ", asked.text.lower()))
    above = good = [place for place, (_, score) in enumerate(found) if score >= floor]
    if not above or sum(every.values()) > _LONG:
        return above
    items = [item for item, _ in found]
    size = _smallness(documents) * _plainness(items)
    people = People.of(asked.text, items, asked.owner, asked.same)
    places = [place for place in range(len(found)) if not _elsewhere(people, items[place], size)]
    places = _without_the_same(asked, items, _of_the_time(asked, items, places))
    above = [place for place in places if found[place][1] >= floor]
    if not above or not (size or asked.time is not None or any(_may_be_exact(*found[place]) for place in above)):
        return above
    mine = _without_people(_telling(every, asked), people)
    covered = _coverage(asked.text, mine, items, places)
    scores = _by_any_name(people, asked.text, items, {place: found[place][1] for place in places})
    if asked.time is not None and asked.time.anchor and (beside := _beside(asked.time, items, scores, covered, size)):
        return beside
    above = everything = _not_begun_later(asked, items, above)
    attributes = _attributes_asked(every)
    if not people.together:
        above = _of_the_property(attributes, items, above, covered, size)
    standing = _standing({place: scores[place] for place in above}, covered)
    best = max(above, key=lambda place: standing[place])
    exact = max(size, _exactness(items[best], scores[best], covered[best]))
    if not asked.is_of("how often", "first", "last", "past"):
        # Of several people one is told of in other words than the next.
        behind = BEHIND_IN_A_ROW if people.together else BEHIND
        enough = {place for place in above if standing[place] >= behind * exact * standing[best]}
        wanted = Wanted(terms=every, people=people.words(), attributes=attributes, covered=covered, theirs=everything)
        since = frozenset[int]() if asked.times else said_since(best, items, good, wanted)
        return [place for place in good if place in enough or place in since]
    # What was said before may be told in other words.
    most = 0.0 if asked.is_of("past") else max(covered[place] for place in above)
    row = [place for place in above if standing[place] >= BEHIND_IN_A_ROW * standing[best] and covered[place] >= IN_A_ROW * most]
    if exact >= _SMALL:
        return _ordered(asked, items, row)
    # In a conversation the others stay, behind them; and one turn may tell how often.
    return above if asked.is_of("how often") else [*_ordered(asked, items, row), *(place for place in above if place not in row)]


def _exactness(item: Item, score: float, covered: float) -> float:
    """1 if an item answers by itself, however large the memory; else 0."""
    if isinstance(item, Record):
        return float(score >= SURE and covered >= EXACT)
    return float(score >= SURER and covered >= MOST_WORDS and _is_plain(item))


def _may_be_exact(item: Item, score: float) -> bool:
    return score >= SURE if isinstance(item, Record) else score >= SURER and _is_plain(item)


def _is_plain(message: Message) -> bool:
    """Whether it is a short statement of one thing."""
    return message.tokens <= _SHORT and len(_END.findall(message.text)) <= 1


def _smallness(documents: int) -> float:
    """1 for a memory of a few items, 0 for one of many, between them by the logarithm."""
    return min(1.0, max(0.0, math.log(MANY / max(1, documents)) / math.log(MANY / FEW)))


def _plainness(items: Iterable[Item]) -> float:
    """1 where messages are short statements, each of one thing; 0 where they are turns of a conversation, which need each other."""
    messages = [item for item in items if isinstance(item, Message)]
    if not messages:
        return 1.0
    plain = sum(map(_is_plain, messages)) / len(messages)
    return min(1.0, max(0.0, (plain - _TALK) / (_NOTES - _TALK)))


# --- what does not belong ------------------------------------------------------------------------------------------------


def _elsewhere(people: People, item: Item, size: float) -> bool:
    """Whether an item is about somebody else. In a long conversation the others speak of whom is asked about, too."""
    if isinstance(item, Message) and item.speaker is not None and size < _SMALL:
        return False
    return people.elsewhere(item)


def _without_the_same(asked: Asked, items: Sequence[Item], places: list[int]) -> list[int]:
    """Without the same question asked before, if there is anything else."""
    others = [place for place in places if not _asks_the_same(asked.text, items[place])]
    return others or places


def _asks_the_same(text: str, item: Item) -> bool:
    if not isinstance(item, Message) or not item.text.rstrip().endswith(("?", "？")) or len(item.text) > 2 * len(text) + 20:
        return False
    return likeness(text, item.text) >= ASKED_BEFORE


def _of_the_time(asked: Asked, items: Sequence[Item], places: Sequence[int]) -> list[int]:
    """Without facts that held at another time than the question names, if they no longer hold or one is there that held then; and without
    the messages they were learnt from."""
    if not asked.times:
        return list(places)
    facts = {place: item for place in places if isinstance(item := items[place], Record) and item.kind == "fact" and item.attribute}
    then = {place for place, fact in facts.items() if any(held(fact, when) for when in asked.times)}
    keys = {(facts[place].subject, facts[place].attribute) for place in then}
    gone = {place for place, fact in facts.items() if place not in then and (_over(fact) or (fact.subject, fact.attribute) in keys)}
    said = _said_in(facts[place] for place in gone)
    kept = _said_in(facts[place] for place in then)
    return [
        place
        for place in places
        if place not in gone and not (said[id := items[place].id] >= MOSTLY * len(items[place].text) and said[id] and not kept[id])
    ]


def _not_begun_later(asked: Asked, items: Sequence[Item], places: Sequence[int]) -> list[int]:
    """Without facts that began after the times that are asked for, and the messages they were learnt from, if something is left that no
    longer holds: "I used to live in Bergen" does not say until when."""
    if not asked.times or not any(_told_as_past(items[place]) for place in places):
        return list(places)
    later = [
        item
        for place in places
        if isinstance(item := items[place], Record)
        and item.attribute
        and (start := item.valid_from) is not None
        and all(when.end is not None and start >= when.end for when in asked.times)
        and not _told_as_past(item)
    ]
    said = _said_in(later)
    gone = {item.id for item in later}
    return [place for place in places if items[place].id not in gone and said[items[place].id] < MOSTLY * len(items[place].text)]


def _told_as_past(item: Item) -> bool:
    return _over(item) or _USED_TO.search(item.text) is not None


def _said_in(facts: Iterable[Record]) -> Counter[str]:
    """Message → how many of its characters the facts rest on."""
    said: Counter[str] = Counter()
    for fact in facts:
        said.update({source.message: end - start for source in fact.sources for start, end in [source.span or (0, _MOST)]})
    return said


def held(fact: Record, when: TimeRange) -> bool:
    """Whether a fact held at some moment of a time."""
    start = fact.valid_from or fact.learned_at
    # "I used to live in Bergen" does not say since when.
    begun = when.end is None or start < when.end or _USED_TO.search(fact.text) is not None
    return begun and (when.start is None or fact.valid_to is None or fact.valid_to > when.start)


def _of_the_property(
    attributes: Collection[str], items: Sequence[Item], places: Sequence[int], covered: Mapping[int, float], size: float
) -> list[int]:
    """Where a fact of the property that is asked for is there: without facts of other properties that have no more of the question, and in
    a small memory without what has little of it."""
    answers = [place for place in places if _attribute(items[place]) in attributes]
    if not answers:
        return list(places)
    most = max(covered[place] for place in answers)

    def belongs(place: int) -> bool:
        if _attribute(items[place]) in (None, "note"):
            return covered[place] >= OF_ANOTHER * size * most
        return covered[place] > most

    return [place for place in places if place in answers or belongs(place)]


def _attribute(item: Item) -> str | None:
    return item.attribute if isinstance(item, Record) else None


@lru_cache(maxsize=1)
def _words_of_attributes() -> dict[str, frozenset[str]]:
    # Late: it cuts Chinese into words, and importing must not.
    return {attribute: frozenset(term for word in line.split() for term in query_terms(word)) for attribute, line in ASKED.items()}


def _attributes_asked(every: Mapping[str, float]) -> frozenset[str]:
    """The properties that a question asks for, by its words."""
    words = {term for term, weight in every.items() if weight >= _WEIGHTY}
    return frozenset(attribute for attribute, named in _words_of_attributes().items() if words & named)


#: What weighs less is a pair of characters across two words.
_WEIGHTY = 0.5


# --- how well an item stands ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _asking_terms() -> frozenset[str]:
    return frozenset(term for word in _ASKING.split() for term in query_terms(word))


def _telling(every: Mapping[str, float], asked: Asked) -> Mapping[str, float]:
    """The terms of a question that say what it is about."""
    telling = {term: weight for term, weight in every.items() if term not in _asking_terms()}
    if asked.time is not None and asked.time.anchor:
        anchor = query_terms(asked.time.anchor)
        telling = {term: weight for term, weight in telling.items() if term not in anchor} or telling
    return telling or every


def _without_people(asked: Mapping[str, float], people: People) -> Mapping[str, float]:
    """Without the words for whom it asks: that was looked at already."""
    named = people.words()
    return {term: weight for term, weight in asked.items() if term not in named} or asked


def _by_any_name(people: People, question: str, items: Sequence[Item], scores: dict[int, float]) -> dict[int, float]:
    """The scores, where what tells by another name of whom is asked stands no worse for that it has not the name."""
    others = {place for place in scores if people.by_another_name(question, items[place])}
    best = max((score for place, score in scores.items() if place not in others), default=0.0)
    return {place: max(score, best) if place in others else score for place, score in scores.items()}


def _coverage(text: str, asked: Mapping[str, float], items: Sequence[Item], places: Iterable[int]) -> dict[int, float]:
    """Place → share of the question's terms that the item has. Of one in another language the words say nothing: it counts as the best."""
    covered = {place: _covered(asked, items[place]) for place in places}
    language, most = language_of(text), max(covered.values())
    foreign = {"en", "zh"} - {language}
    return {place: most if language_of(items[place].text) in foreign else share for place, share in covered.items()}


def _covered(asked: Mapping[str, float], item: Item) -> float:
    """Share of the question's terms that an item has, its fields and the words it is asked for in among them."""
    words = [item.text[:_MOST], item.speaker or ""]
    if isinstance(item, Record):
        words += [item.subject or "", item.attribute or "", ASKED.get(item.attribute or "", "")]
    there = terms("\n".join(words))
    return sum(weight for term, weight in asked.items() if term in there) / (sum(asked.values()) or 1.0)


def _standing(scores: Mapping[int, float], covered: Mapping[int, float]) -> dict[int, float]:
    """Scores, of which half is left where nothing of the question's words is there, as far as any item has them."""
    most = max(covered[place] for place in scores)
    return {place: score * (1 + (covered[place] / most if most else 1.0)) / 2 for place, score in scores.items()}


# --- the order -----------------------------------------------------------------------------------------------------------


def _time(item: Item) -> datetime:
    return item.said_at if isinstance(item, Message) else item.valid_from or item.learned_at


def _over(item: Item) -> bool:
    """Whether an item tells what no longer holds."""
    return item.superseded or bool(item.outdated) if isinstance(item, Message) else item.status == "superseded"


def _ordered(asked: Asked, items: Sequence[Item], places: list[int]) -> list[int]:
    """Earliest or latest first, what is over first, or each day once before the others, as the question asks."""
    if asked.is_of("first", "last"):
        return sorted(places, key=lambda place: _time(items[place]), reverse=asked.is_of("last"))
    if asked.is_of("past"):
        return sorted(places, key=lambda place: not _over(items[place]))
    return _each_day_once(items, places)


def _each_day_once(items: Sequence[Item], places: Iterable[int]) -> list[int]:
    first, again, days = list[int](), list[int](), set[object]()
    for place in places:
        day = _time(items[place]).date()
        (again if day in days else first).append(place)
        days.add(day)
    return first + again


def _beside(
    time: AskedTime, items: Sequence[Item], scores: Mapping[int, float], covered: Mapping[int, float], size: float
) -> list[int] | None:
    """What was after or before something: the nearest first, then what it is measured by. None: that is not there, or nothing beside it."""
    anchor = query_terms(time.anchor)
    if not anchor or not size:
        return None
    standing = _standing(scores, covered)
    anchored = {place: _covered(anchor, items[place]) for place in scores}
    middle = max(scores, key=lambda place: (anchored[place], standing[place]))
    if anchored[middle] < EXACT:
        return None
    if any(_says_itself(anchor, items[place]) for place in scores if anchored[place] >= EXACT):
        # "Before bed I take the red pill" is no event: what was said later was not after it.
        return None
    at = _time(items[middle])
    others = [place for place in scores if anchored[place] < anchored[middle]]
    best = max((standing[place] for place in others), default=0.0)
    wanted = [place for place in others if abs(_time(items[place]) - at) >= _APART and (_time(items[place]) > at) == (time.kind == "after")]
    wanted = [place for place in wanted if standing[place] >= BEHIND * size * best]
    wanted.sort(key=lambda place: abs(_time(items[place]) - at))
    return [*wanted, *(place for place in scores if place not in others)] if wanted else None


def _says_itself(anchor: Mapping[str, float], item: Item) -> bool:
    """Whether an item has "before" or "after" with what a question measures from: then it answers, or not, by its own words."""
    sides = (match["english"] or match["chinese"] for match in _BESIDE.finditer(item.text[:_MOST]))
    return any(not anchor.keys().isdisjoint(terms(side)) for side in sides)
