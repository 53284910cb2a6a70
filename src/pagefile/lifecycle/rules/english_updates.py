"""Updates that do not name what they are about, in English: "now it is Ronaldo", "it's green these days". Pure."""

from __future__ import annotations

from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_clauses import plain
from pagefile.lifecycle.rules.english_corrections import NO_VALUE, another_number, with_value
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_words import NOT_NAMES
from pagefile.lifecycle.rules.english_words import words as set_of_words
from pagefile.lifecycle.rules.reading import Context
from pagefile.lifecycle.rules.sentences import Sentence

_NOW = r"(?:now(?:adays)?|these days|at the moment|currently|at present|lately|by now|since then|as of (?:today|now|last \w+))"
_IT_IS = r"(?:it'?s|it is|its|that'?s|that is|he'?s|she'?s|they'?re|they are|it'?s become|it became|it changed to|it has changed to)"
_LEAD = r"(?:(?:and|but|well|actually|oh|so|though|ok|okay|hey|update)[\s,:]+)*"
_UPDATE = late_pattern(
    rf"{_LEAD}(?:(?P<first>{_NOW})[\s,]+)?{_IT_IS}\s+(?:(?P<mid>{_NOW})\s+)?(?P<value>[^,;:!?()]{{1,40}}?)(?:,?\s+(?P<last>{_NOW}))?[\s.!]*$"
)
_COLOURS = set_of_words(
    "red|blue|green|yellow|black|white|purple|violet|pink|orange|grey|gray|brown|gold|silver|teal|turquoise|navy|navy blue|beige"
    "|maroon|burgundy|lilac|lavender|mint|magenta|cyan|indigo|crimson|dark green|light blue|dark blue|forest green|olive|coral|peach"
)
_BY_NAME = frozenset({"name", "nickname", "residence", "employer", "school", "timezone", "preferred language", "last name"})
#: What "it's … now" says of anything, and of nothing that anybody prefers.
_PASSING_STATE = late_pattern(
    r"(?:windy|dark|late|quiet|empty|full|open|closed|fixed|ready|sorted|fine|warm|cool|dry|wet|cloudy|freezing|loud|official|public|live"
    r"|clean|dirty|down|busy|almost|nearly|half|past|already|showing|looking|becoming|turning|snow\w*|rain\w*|[a-z]+ing\b|[a-z]+ed\b)"
)


def update(sentence: Sentence, context: Context) -> list[Claim]:
    """What the same speaker said last, with another value from now on."""
    if not context.recent or sentence.asks or len(sentence.text) > 80:
        return []
    match = _UPDATE.match(plain(sentence.text))
    if match is None or not (match["first"] or match["mid"] or match["last"]):
        return []
    before, span = context.recent[-1], trimmed(plain(sentence.text), *match.span("value"))
    value = sentence.written(*span)
    if not value or before.polarity == "negative" or (changed := _changed(before, value, sentence)) is None:
        return []
    return [] if changed.lower() == before.value.lower() else [replace(with_value(sentence, before, changed), correction=False)]


def _changed(before: Claim, value: str, sentence: Sentence) -> str | None:
    lower = value.lower()
    if number := another_number(before, lower) if lower[0].isdigit() else None:
        return number
    if NO_VALUE.match(lower) or _PASSING_STATE.match(lower) or attribute_of(before.attribute).arity != "single":
        return None
    small = sentence.text == plain(sentence.text)
    named = (value[0].isupper() or small) and lower.split()[0] not in NOT_NAMES
    if before.attribute in ("favourite colour", "favourite color"):
        return value if lower in _COLOURS else None
    if before.attribute.startswith("favourite ") and len(value.split()) <= 4:
        return value if named or before.value[0].islower() else None
    return value if before.attribute in _BY_NAME and named and len(value.split()) <= 3 else None
