"""The sentences of an episode that are nearest to what the whole of it is about. Pure, without a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pagefile.language.patterns import late_pattern
from pagefile.language.personal import find_personal
from pagefile.language.small_talk import is_small_talk
from pagefile.language.stopwords import CHINESE, ENGLISH
from pagefile.language.words import terms
from pagefile.messages import Message

#: Characters of one message that are looked at, and of a sentence that is taken. What is longer was pasted.
_LONGEST_READ = 20_000
_LONGEST_SENTENCE = 320
#: Sentences of one episode that are compared; of a longer one those that are spread evenly over it.
_MOST_SENTENCES = 600
#: Two sentences that are more alike than this say the same.
_ALIKE = 0.6
#: Who speaks of himself says more than who answers; a question says little.
_ASSISTANT, _QUESTION = 0.6, 0.4
#: A sentence of fewer terms is near to the centre by its few common words alone; one of next to none ("Good luck!") says nothing.
_FULL, _LEAST = 16, 4

_SENTENCE = late_pattern(r"(?:[^.!?。！？\n]|\.(?![\"'”’」）)]*(?:\s|$)))*(?:[.!?。！？]+[\"'”’」）)]*|\n|$)")
#: A full stop after one of these ends no sentence: a title, a letter of a name, the number of a line in a list …
_ABBREVIATED = late_pattern(
    r"(?:(?<![A-Za-z0-9_.])(?![ap]\.m\.)(?:(?:[A-Za-z]\.)*[A-HJ-Za-z]"
    r"|(?i:mr|mrs|ms|dr|prof|rev|gen|sen|st|mt|messrs|vs|cf|approx|dept|fig|vol|ca|al))|^\s*\d{1,3})\.$"
)
#: … and neither does one before a small letter or a digit after these: "etc. and", "No. 5", "Jan. 3".
_OFTEN_ABBREVIATED = late_pattern(
    r"(?<![A-Za-z0-9_.])(?i:etc|inc|ltd|co|corp|jr|sr|no|nos|pp?|ed|est|min|max|tel|ext|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|mon|tue|wed|thu|fri|sat|sun|ave|blvd|rd|[ap]\.m)\.$"
)
_LONGEST_ABBREVIATION = 16
_GOES_ON = late_pattern(r"\s*[a-z0-9#]")
_STOP_WORDS = ENGLISH | CHINESE


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence as it was said."""

    message: Message
    #: Which sentence of its message it is, from 0.
    place: int
    text: str


def pieces(text: str) -> list[str]:
    """The sentences of a text, each with its end mark: "Dr. Chen said 3.5 kg, e.g. flour." is one."""
    found: list[str] = []
    begin = 0
    for match in _SENTENCE.finditer(text):
        ends = text[max(begin, match.end() - _LONGEST_ABBREVIATION) : match.end()]
        if _ABBREVIATED.search(ends) or (_OFTEN_ABBREVIATED.search(ends) and _GOES_ON.match(text, match.end())):
            continue
        found.append(text[begin : match.end()].strip())
        begin = match.end()
    return [each for each in (*found, text[begin:].strip()) if each]


def sentences(messages: Sequence[Message]) -> list[Sentence]:
    """The sentences of messages in order, without small talk and without personal identifiers that nobody consented to keep."""
    found: list[Sentence] = []
    for message in messages:
        parts = pieces(message.text[:_LONGEST_READ])
        found += [
            Sentence(message=message, place=place, text=part)
            for place, part in enumerate(parts)
            if not is_small_talk(part) and (message.consent or not find_personal(part))
        ]
    return found


def central(said: Sequence[Sentence], room: int, size: Callable[[Sentence], int]) -> list[Sentence]:
    """Sentences nearest to the centre of all, none that repeats another, in the order they were said; together at most ``room`` big.

    All of them where there is room for all.
    """
    sizes = [size(one) for one in said]
    if sum(sizes) <= room:
        return list(said)
    number = min(len(said), _MOST_SENTENCES)
    spread = (index * len(said) // number for index in range(number))
    places = [place for place in spread if len(said[place].text) <= _LONGEST_SENTENCE]
    vectors = dict(zip(places, _vectors([said[place] for place in places]), strict=True))
    centre: Counter[str] = Counter()
    for vector in vectors.values():
        centre.update(vector)
    centre_length = _length(centre) or 1.0
    scores = {place: _dot(vectors[place], centre) / centre_length * _weight(said[place], vectors[place]) for place in places}
    chosen: list[int] = []
    for place in sorted(places, key=lambda place: (-scores[place], place)):
        if scores[place] > 0 and sizes[place] <= room and all(_dot(vectors[place], vectors[other]) <= _ALIKE for other in chosen):
            chosen.append(place)
            room -= sizes[place]
    return [said[place] for place in sorted(chosen)]


def _weight(one: Sentence, vector: Mapping[str, float]) -> float:
    asks = one.text.rstrip().endswith(("?", "？"))
    spoken = (_ASSISTANT if one.message.role == "assistant" else 1.0) * (_QUESTION if asks else 1.0)
    return spoken * min(1.0, len(vector) / _FULL) if len(vector) >= _LEAST else 0.0


def _vectors(said: Sequence[Sentence]) -> list[Mapping[str, float]]:
    """Of each sentence its terms with their weights, of length 1. A term that many of them have weighs less; figures and the names of
    those who speak say nothing about what it is about."""
    names = {term for speaker in {one.message.speaker for one in said} if speaker for term in terms(speaker)}
    empty = _STOP_WORDS | names
    counted = [{term: number for term, number in terms(one.text).items() if term not in empty and not term.isdecimal()} for one in said]
    spread = Counter(term for each in counted for term in each)
    vectors: list[Mapping[str, float]] = []
    for each in counted:
        weighted = {term: (1 + math.log(number)) * math.log(1 + len(said) / spread[term]) for term, number in each.items()}
        length = _length(weighted) or 1.0
        vectors.append({term: weight / length for term, weight in weighted.items()})
    return vectors


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))


def _dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    if len(a) > len(b):
        a, b = b, a
    return sum(weight * b.get(term, 0.0) for term, weight in a.items())
