"""What people say of themselves in plain words, among messages that state nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.measure import SEED
from benchmarks.texts import Language, Writer

#: One message in so many states something.
_EVERY = 5
_FORMS: Mapping[Language, Sequence[str]] = {
    "en": ("I like {}.", "I own a {}.", "I'm allergic to {}.", "I can't stand {}.", "My dog is called {}.", "I live in {} now."),
    "zh": ("我喜欢{}。", "我有一只{}。", "我对{}过敏。", "我讨厌{}。", "我的狗叫{}。", "我现在住在{}。"),
}


def statements(language: Language, count: int) -> list[str]:
    """Each about another thing."""
    forms = _FORMS[language]
    return [forms[place % len(forms)].format(thing) for place, thing in enumerate(Writer(language, SEED).things(count))]


def talk(language: Language, count: int) -> list[str]:
    """Messages of a user, of which every fifth states something."""
    said = Writer(language, SEED).messages(count)
    said[::_EVERY] = statements(language, len(said[::_EVERY]))
    return said


def both_talk(count: int) -> list[str]:
    """Messages of a user who speaks both languages, in turn."""
    pairs = zip(*(talk(language, (count + 1) // 2) for language in _FORMS), strict=True)
    return [message for pair in pairs for message in pair][:count]
