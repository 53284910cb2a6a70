"""Measures of what was learnt against a key. Pure: records and texts go in, counts come out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from evaluation.learning_scripts import Ask, Pattern, Script
from pagefile import Hit, Record

#: What a person would call a fact; passages and summaries are judged elsewhere.
KINDS = ("fact", "event", "procedure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Things counted over one script or many. They add up."""

    #: Facts of the key, and those that a current record says.
    facts: int = 0
    found: int = 0
    #: Current records that say a fact of the key, those that say it again, those that ought not to be there, and those that do not matter.
    right: int = 0
    twice: int = 0
    false: int = 0
    optional: int = 0
    #: Facts of the key with a day, of those found; and whose record has that day.
    dated: int = 0
    dated_right: int = 0
    #: Words that are no facts, and those that stand in a current record.
    noise: int = 0
    noise_kept: int = 0
    #: Facts that were stated and hold no more; those that no record says any more and no default search shows.
    outdated: int = 0
    forgotten: int = 0
    #: Questions; those whose answer is among the hits, and those whose answer stands in the reply.
    questions: int = 0
    hits: int = 0
    used: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The current records of one script, told apart."""

    found: tuple[Pattern, ...]
    missed: tuple[Pattern, ...]
    right: tuple[Record, ...]
    twice: tuple[Record, ...]
    false: tuple[Record, ...]
    optional: tuple[Record, ...]
    #: Noise that was kept.
    noise: tuple[str, ...]
    #: Outdated facts that a record still says.
    left: tuple[Pattern, ...]
    dated: int
    dated_right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of one question."""

    ask: Ask
    hits: tuple[Hit, ...]
    reply: str


def fold(text: str) -> str:
    """The text as it is compared: case and width do not count."""
    return unicodedata.normalize("NFKC", text).casefold()


def says(record: Record, pattern: Pattern) -> bool:
    """Whether a record says what the pattern means, in one of its wordings."""
    subject, attribute, value = (fold(part or "") for part in (record.subject, record.attribute, record.value))
    return (
        any(one == "*" or subject == fold(one) for one in pattern.subject)
        and any(_is_name(attribute, fold(one)) for one in pattern.attribute)
        and any(_is_value(value, fold(one)) for one in pattern.value)
        and pattern.polarity in ("either", record.polarity)
    )


def judge(script: Script, current: Iterable[Record]) -> Judged:
    """Tell the current records apart: a false one is outdated, has noise in it, or says what the key does not know of."""
    records = [record for record in current if record.kind in KINDS]
    right: list[Record] = []
    twice: list[Record] = []
    false: list[Record] = []
    optional: list[Record] = []
    first: dict[Pattern, Record] = {}
    for record in records:
        matched = [fact for fact in script.facts if says(record, fact)]
        if any(says(record, old) for old in script.gone) or noise_in(record, script.noise):
            false.append(record)
        elif matched:
            new = [fact for fact in matched if fact not in first]
            first.update(dict.fromkeys(new, record))
            (right if new else twice).append(record)
        else:
            (optional if any(says(record, one) for one in script.optional) else false).append(record)
    dated = [fact for fact in first if fact.on]
    return Judged(
        found=tuple(fact for fact in script.facts if fact in first),
        missed=tuple(fact for fact in script.facts if fact not in first),
        right=tuple(right),
        twice=tuple(twice),
        false=tuple(false),
        optional=tuple(optional),
        noise=tuple(word for word in script.noise if any(noise_in(record, [word]) for record in records)),
        left=tuple(old for old in script.gone if any(says(record, old) for record in records)),
        dated=len(dated),
        dated_right=sum(has_day(first[fact], fact.on or "") for fact in dated),
    )


def noise_in(record: Record, noise: Sequence[str]) -> bool:
    """Whether one of these words stands anywhere in the record."""
    said = fold(" ".join(filter(None, (record.text, record.subject, record.value))))
    return any(fold(word) in said for word in noise)


def has_day(record: Record, day: str) -> bool:
    """Whether the record begins on this day (ISO), or has the day in its words."""
    begins = record.valid_from is not None and record.valid_from.date().isoformat() == day
    return begins or day in record.text


def answers(text: str, ask: Ask) -> bool:
    """Whether the text holds an answer."""
    return any(fold(word) in fold(text) for word in ask.answer)


def outdated(text: str, ask: Ask) -> bool:
    """Whether the text holds an outdated answer, and not the right one beside it."""
    return any(fold(word) in fold(text) for word in ask.old) and not answers(text, ask)


def count(script: Script, judged: Judged, asked: Sequence[Asked]) -> Counts:
    """The counts of one script."""
    stated = [old for old in script.gone if old.said]
    changed = [one for one in asked if one.ask.old]
    shown = [one for one in changed if any(outdated(hit.text, one.ask) for hit in one.hits)]
    return Counts(
        facts=len(script.facts),
        found=len(judged.found),
        right=len(judged.right),
        twice=len(judged.twice),
        false=len(judged.false),
        optional=len(judged.optional),
        dated=judged.dated,
        dated_right=judged.dated_right,
        noise=len(script.noise),
        noise_kept=len(judged.noise),
        outdated=len(stated) + len(changed),
        forgotten=sum(old not in judged.left for old in stated) + len(changed) - len(shown),
        questions=len(asked),
        hits=sum(any(answers(hit.text, one.ask) and not outdated(hit.text, one.ask) for hit in one.hits) for one in asked),
        used=sum(answers(one.reply, one.ask) for one in asked),
    )


def precision(counts: Counts) -> float:
    """Share of the judged current records that say a fact of the key; NaN without any. Optional ones and repetitions are not judged."""
    return _share(counts.right, counts.right + counts.false)


def recall(counts: Counts) -> float:
    """Share of the facts of the key that are known; NaN without any."""
    return _share(counts.found, counts.facts)


def f_score(counts: Counts) -> float:
    """Harmonic mean of precision and recall; 0 if nothing is right."""
    if not counts.right:
        return 0.0 if counts.facts else float("nan")
    return 2 * precision(counts) * recall(counts) / (precision(counts) + recall(counts))


def noise_rate(counts: Counts) -> float:
    """Share of the noise that was kept."""
    return _share(counts.noise_kept, counts.noise)


def hit_rate(counts: Counts) -> float:
    """Share of the questions whose answer is among the hits."""
    return _share(counts.hits, counts.questions)


def use_rate(counts: Counts) -> float:
    """Share of the questions whose answer stands in the reply."""
    return _share(counts.used, counts.questions)


def forgetting_rate(counts: Counts) -> float:
    """Share of the outdated that is gone: facts from the current records, answers from the default search."""
    return _share(counts.forgotten, counts.outdated)


def date_rate(counts: Counts) -> float:
    """Share of the found facts with a day whose record has it."""
    return _share(counts.dated_right, counts.dated)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _is_name(name: str, wanted: str) -> bool:
    # "favorite" and "favourite" are one word.
    name, wanted = name.replace("favorite", "favourite"), wanted.replace("favorite", "favourite")
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def _is_value(value: str, wanted: str) -> bool:
    return wanted == "*" or (value == wanted[1:] if wanted.startswith("=") else wanted in value)
