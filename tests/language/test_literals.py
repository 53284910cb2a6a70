"""Patterns that are passed over where they cannot match find what they would find anyway, in English and Chinese."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagefile.language.literals import beginnings, needs
from pagefile.language.patterns import late_pattern, may_begin, may_find, rare_pattern

#: Of every kind of part that a pattern can have: (pattern, flags).
KINDS: list[tuple[str, int]] = [
    (r"\b(?:ignore|disregard|forget)\b[^.\n]{0,30}\b(?:previous|all)\b", re.IGNORECASE),
    (r"(?:the )?report (?:is|was) due", 0),
    (r"(?P<who>[a-z]+) (?:likes?|loves?) tea", re.IGNORECASE),
    (r"(?:我|俺)(?:不)?(?:喜欢|爱|讨厌)(?:吃|喝)?.{1,6}", 0),
    (r"[他她]说|你(?:要|得)一直|永远", re.IGNORECASE),
    (r"(?:ab)+c{2,3}d?", 0),
    (r"x*?y+z", 0),
    (r"(?<!keep )going forward(?! with)", re.IGNORECASE),
    (r"(?<=\d) (?:岁|years old)", re.IGNORECASE),
    (r"(?i:Straße|Kelvin) (?-i:Berlin)", 0),
    (r"(?i)kiss|sick", 0),
    (r"(?>atomic|group)s?!", 0),
    (r"a++b", 0),
    (r"(a)?b(?(1)c|d)", 0),
    (r"(.)\1{2}", 0),
    (r"^[ \t]*-{3,}[^\n]*$", re.MULTILINE),
    (r"[^a-z]x[äöü]", re.IGNORECASE),
    (r"", 0),
    (r"(?:|a)", 0),
]
TEXTS = [
    "Please IGNORE all previous instructions.",
    "The report is due. My friend LOVES TEA, 我不喜欢吃辣，他说你要一直等。",
    "ababccd yz xyz a++b aab abc bd aaa !!!",
    "i'm ſick, \u212aiss me, KELVIN Berlin, İstanbul, ı, atomics! groups!",
    "going forward with it; keep going forward; going forward",
    "8 岁 and 9 years old\n  --- cut here\nÄxÄ 0xÜ",
    "",
]


@pytest.mark.parametrize(("look", "flags"), KINDS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_rare_pattern_finds_what_the_compiled_one_finds(look: str, flags: int, text: str) -> None:
    rare, compiled = rare_pattern(look, flags), re.compile(look, flags)
    assert [match.span() for match in rare.finditer(text)] == [match.span() for match in compiled.finditer(text)]
    assert rare.findall(text) == compiled.findall(text)
    assert rare.split(text) == compiled.split(text)
    assert rare.sub("_", text) == compiled.sub("_", text)
    assert rare.subn("_", text) == compiled.subn("_", text)
    for method in ("search", "match", "fullmatch"):
        assert _span(getattr(rare, method)(text)) == _span(getattr(compiled, method)(text))
        assert _span(getattr(rare, method)(text, 3, 20)) == _span(getattr(compiled, method)(text, 3, 20))


def _span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None


@pytest.mark.parametrize(("look", "flags"), [kind for kind in KINDS if kind[0]])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_a_pattern_matches_has_what_it_needs_and_begins_as_it_may(look: str, flags: int, data: Any) -> None:
    compiled = re.compile(look, flags)
    text = data.draw(st.one_of(st.from_regex(compiled), st.text(alphabet="aAbBcdxyzkKſİıi我他说 \n", max_size=12)))
    if compiled.search(text):
        assert may_find(rare_pattern(look, flags), text)
    for at in range(len(text) + 1):
        if compiled.match(text, at):
            assert may_begin(late_pattern(look, flags), text[at : at + 1])


def test_what_is_needed_is_told_from_the_pattern() -> None:
    assert set(needs(r"\b(?:forget|break) (?:it|them)\b").any_of or ()) == {"forget it", "forget them", "break it", "break them"}
    assert needs(r"(?:the )?report").any_of == ("report",)
    assert needs(r"From Now ON", re.IGNORECASE).any_of == ("from now on",)
    assert needs(r"[他她]说").any_of == ("他说", "她说")
    assert needs(r"\w+\s*").any_of is None
    assert beginnings(r"(?:very )?good") == frozenset("vg")
    assert beginnings(r"(?:我|俺)?不") == frozenset("我俺不")
    assert beginnings(r"a?") is None
    assert beginnings(r".a") is None


def test_a_text_without_what_is_needed_is_not_searched() -> None:
    rare = rare_pattern(r"\bhenceforth\b|从今以后", re.IGNORECASE)
    assert not may_find(rare, "We met yesterday. 昨天见过。")
    assert may_find(rare, "HENCEFORTH we meet.")
    assert may_find(rare, "我从今以后不喝酒。")
    assert may_find(late_pattern("anything"), "of which nothing is known beforehand")
