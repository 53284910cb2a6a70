"""The words for models: every document says the same in both languages."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from pagefile.language.text import language_of
from pagefile.language.tokens import count
from pagefile.prompts import WORDINGS, sections, words

DOCUMENTS = ("compact", "extract", "mcp", "status", "summarise", "tools", "turn", "window")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_both_languages_have_the_same_sections_with_the_same_names_to_fill_in(document: str) -> None:
    english, chinese = (sections(document, wording) for wording in WORDINGS)
    assert list(english) == list(chinese)
    for heading, text in english.items():
        assert set(re.findall(r"\$\w+", text)) == set(re.findall(r"\$\w+", chinese[heading])), heading
        assert text
        assert chinese[heading]


def test_every_document_is_written_in_both_languages() -> None:
    names = [path.name for path in files("pagefile.prompts").iterdir() if path.name.endswith(".md")]
    assert len(names) % 2 == 0
    assert {name for name in names if ".en." in name} == {name.replace(".zh.", ".en.") for name in names if ".zh." in name}


def test_values_are_taken_as_they_are_whatever_they_hold() -> None:
    assert words("window", "session", "en", session="$session $other ${x} $") == "session $session $other ${x} $"


def test_the_instructions_are_short_and_in_their_language() -> None:
    for wording in WORDINGS:
        text = words("window", "instructions", wording) + words("window", "instructions for tools", wording)
        assert count(text) <= 450  # by the bound that holds for every vocabulary; 262 and 295 by o200k
        assert language_of(text) == wording
