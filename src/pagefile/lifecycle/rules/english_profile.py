"""Profiles in a few words: "31, living in Austin, software dev, 2 cats". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.rules.english_words import (
    DIETS,
    HEALTH_ADJECTIVES,
    MARITAL,
    OCCUPATIONS,
    PET_PLURALS,
    SEVERAL,
    STATES_OF_WORK,
    one_of,
)

_LONGEST = 150
#: Words that profiles do without.
_IN_SENTENCES = late_pattern(r"\b(?:[Ii]|is|are|was|were|you|it|that|this|your|he|she|they|please|the|what|how|can|if)\b")
_INTRODUCES = late_pattern(
    r"\W*(?:(?:for (?:context|reference|info|background)|context|background|about me|a bit about me|profile|me|fyi"
    r"|quick intro|intro|hi+|hey|hello|ok|so|btw)\b\s*[,:!–—-]*\s*)*",
    re.IGNORECASE,
)
_BREAK = late_pattern(r"\s*(?:[,;|•·/]|\s-\s|\s+and\s+(?=\S))\s*")
_AGE = late_pattern(r"(?P<age>[1-9]\d)(?:\s*(?:[mf]|nb|yo|y/o|yrs?|years?(?: old)?))?$|[mf]\s?(?P<after>[1-9]\d)$", re.IGNORECASE)
_STATE = late_pattern(
    rf"(?:(?:currently|happily|recently|newly|originally|severely|mildly|fully|very|slightly|still"
    rf"|now)\s+)*(?:{one_of(DIETS | HEALTH_ADJECTIVES | MARITAL | STATES_OF_WORK)}"
    r"|(?:living|based|born|raised|working|studying|allergic|training|learning|from|fluent|left[- ]handed)\b.+)$",
    re.IGNORECASE,
)
_HAVE = late_pattern(
    rf"(?:\d|an?|one|two|three|four|five|no)\s+(?:[a-z]+\s+)?(?:{one_of(SEVERAL)}|{one_of(PET_PLURALS)}|cat|dog|kid"
    rf"|son|daughter|child)(?:\s*\(.{{1,20}}\))?$",
    re.IGNORECASE,
)
_DO = late_pattern(
    r"(?:live|work|study|have|love|like|hate|speak|play|don't (?:eat|drink|like)|can't (?:eat|stand)|moved|grew up)\s+\S.*$", re.IGNORECASE
)


def begins_with_age(text: str) -> bool:
    """Whether it is a profile if anything."""
    lead = _INTRODUCES.match(text)
    return (
        late_pattern(r"(?:[mf]\W{0,2})?[1-9]\d\s*(?:[mf]|yo|y/o)?\s*[,;/|]", re.IGNORECASE).match(text, lead.end() if lead else 0)
        is not None
    )


def profile(text: str) -> Iterator[str]:
    """Each thing that a profile says as a sentence of its own. None: it is no profile."""
    if len(text) > _LONGEST or not ("," in text or ";" in text or "|" in text) or _IN_SENTENCES.search(text):
        return
    lead = _INTRODUCES.match(text)
    parts = [part.strip(" .!") for part in _BREAK.split(text[lead.end() if lead else 0 :])]
    parts = [part for part in parts if part]
    said = [_sentence(part) for part in parts]
    known = [each for each in said if each]
    # Two things out of a list are no profile if most of it is something else, and one must be an age, a home or a job.
    if (
        len(known) >= 2
        and len(known) * 3 >= len(parts) * 2
        and any(_AGE.match(part) or _is_job(part) or part.lower().startswith(("living", "based", "from", "live ")) for part in parts)
    ):
        yield from known


def _sentence(part: str) -> str:
    if age := _AGE.match(part):
        return f"I am {age['age'] or age['after']} years old"
    if _HAVE.match(part):
        return f"I have {part}"
    if re.match(r"type [12] diabetic$", part, re.IGNORECASE):
        return f"I am a {part}"
    if _STATE.match(part):
        return f"I am {part}"
    if _DO.match(part):
        return f"I {part}"
    if _is_job(part):
        return f"I am a {part}"
    return ""


def _is_job(part: str) -> bool:
    words = part.lower().removeprefix("a ").removeprefix("an ").split()
    return 1 <= len(words) <= 4 and any(" ".join(words[-count:]) in OCCUPATIONS for count in (1, 2) if count <= len(words))
