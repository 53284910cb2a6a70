"""Claims out of plain statements in English and Chinese, by rules: no model, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from pagefile.language.patterns import late_pattern
from pagefile.language.text import language_of
from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.rules import chinese, english
from pagefile.lifecycle.rules.foreign import foreign_stretches
from pagefile.lifecycle.rules.reading import Context
from pagefile.lifecycle.rules.sentences import Sentence, sentences

Reader: TypeAlias = Callable[[Sentence, Context], list[Claim]]

_READERS: Mapping[str, Reader] = {"en": english.read, "zh": chinese.read}
#: For how many of their own messages somebody is still speaking of the same thing: "no, it's Berlin".
_REACH = 2
#: Of how many claims: long messages say many.
_MOST = 12
_LETTERS = late_pattern(r"[^\W\d_]")


@dataclass(slots=True)
class _Speaker:
    """What somebody said last in a session."""

    messages: int = 0
    #: Each with the message that said it, counted.
    told: list[tuple[int, Claim]] = field(default_factory=list)

    def recent(self) -> tuple[Claim, ...]:
        self.told = [each for each in self.told if self.messages - each[0] <= _REACH][-_MOST:]
        return tuple(claim for _, claim in self.told)


def find_claims(utterances: Sequence[Utterance]) -> list[Claim]:
    """The claims that the utterances state, in the order in which they were said.

    Utterances that are not ``fresh`` are read for what "no, it's …" and short answers refer to; no claim comes from them. The assistant
    states nothing that rules believe: its messages are read as questions only. Time is linear in the length of the text.
    """
    claims: list[Claim] = []
    speakers: dict[tuple[str | None, str], _Speaker] = {}
    before: Utterance | None = None
    for utterance in utterances:
        if utterance.role != "assistant":
            speaker = speakers.setdefault((utterance.session, utterance.subject), _Speaker())
            found = _read(utterance, speaker, _question(before, utterance))
            claims += found if utterance.fresh else []
        before = utterance
    return claims


def _question(before: Utterance | None, utterance: Utterance) -> str:
    """What the message just before said, if somebody else said it in the same session."""
    if before is None or before.session != utterance.session or (before.role, before.subject) == (utterance.role, utterance.subject):
        return ""
    return before.text


def _read(utterance: Utterance, speaker: _Speaker, question: str) -> list[Claim]:
    speaker.messages += 1
    told = speaker.recent()
    short = len(utterance.text) <= _SHORT
    found = (_found_before if short else _found)(utterance if utterance.fresh else replace(utterance, fresh=True), told, question)
    speaker.told += ((speaker.messages, claim) for claim in found if not claim.only_ends)
    return list(found)


def _found(utterance: Utterance, told: tuple[Claim, ...], question: str) -> tuple[Claim, ...]:
    """What a message states. ``told``: what its speaker said shortly before."""
    foreign = foreign_stretches(utterance.text)
    found: list[Claim] = []
    for sentence in sentences(utterance):
        # A bare number is in the language of the question that it answers.
        language = sentence.language if sentence.language != "other" or _LETTERS.search(sentence.text) else language_of(question or "en")
        reader = _READERS.get(language)
        if reader is None:
            continue
        recent = (*told, *(claim for claim in found if not claim.only_ends))[-_MOST:]
        found += reader(sentence, Context(antecedent=recent[-1] if recent else None, recent=recent, question=question, foreign=foreign))
    return tuple(found)


#: Messages longer than this are not kept.
_SHORT = 1_000
#: A few messages before the new ones are read with them, and were read just before.
_found_before = lru_cache(maxsize=32)(_found)
