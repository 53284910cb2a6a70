"""What holds for every English text that rules read."""

from __future__ import annotations

import re

from english_nothing import NOTHING
from english_saying import told, utterance
from english_what import WHAT
from english_who import WHO
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.lifecycle.rules import find_claims

_LINES = [line.split(" => ")[0] for line in (WHO + WHAT + NOTHING).strip().splitlines() if line]
_WORDS = """
I / I'm / my / we / not / no, / don't / love / live in / moved to / a nurse / allergic to / because / and / but / , / . / ? / Anna
my brother Tom / is / has / two cats / last week / in June / since 2019 / used to / never / always / call me / 's / " / I have a
she / her name is
sorry, it's / keep answers short / the report is due / I used to be / Berlin / at / ( / ) / … / 🙂 / I can't / eat / on Mondays / every day
favourite / ' / was born in / for example: / ; / years old / 34 / works as / engineer / tomorrow / would
"""
_PIECES = st.sampled_from(["\n", *re.split(r" / |\n", _WORDS.strip())])
_TALK = st.lists(_PIECES, max_size=14).map(" ".join)


# The first text has the patterns made, which takes its time.
@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    found = find_claims([utterance(text), utterance(text, message="m2")])
    assert all(claim.value and claim.sources for claim in found)


@given(_TALK, _TALK)
def test_no_sentence_is_too_odd(first: str, second: str) -> None:
    found = find_claims([utterance(first), utterance(f"A: {first}?", role="assistant"), utterance(second, message="m2")])
    assert all(claim.value and claim.sources for claim in found)


@given(st.one_of(_TALK, st.sampled_from(_LINES)))
def test_a_span_lies_in_its_message_and_has_the_words_of_the_value(text: str) -> None:
    for claim in told(text):
        (source,) = claim.sources
        assert source.span is not None
        begin, end = source.span
        assert 0 <= begin < end <= len(text)
        said = " ".join(text[begin:end].split())
        if claim.correction or re.search(r"\b(?:it|them|those|there)\b", said):
            # It names the words of an earlier claim as well.
            continue
        place = 0
        for word in claim.value.split():
            place = said.find(word, place)
            assert place >= 0, (claim.value, said)


@given(st.one_of(_TALK, st.sampled_from(_LINES)))
def test_a_claim_says_something_short_in_words_of_the_message(text: str) -> None:
    words = set(re.findall(r"\w+", text.lower())) | {"i", "we", "m", "re", "is", "my"}
    for claim in told(text):
        assert claim.value.strip()
        assert claim.attribute
        assert 0 < len(claim.text) <= 300
        without_dates = re.sub(r"\((?:since |until )?\d{4}.*?\)", "", claim.text)
        assert claim.correction or set(re.findall(r"\w+", without_dates.lower())) <= words


@given(st.one_of(_TALK, st.sampled_from(_LINES)))
def test_reading_is_repeatable(text: str) -> None:
    assert told(text) == told(text)


@given(st.sampled_from(_LINES))
def test_what_was_learnt_from_before_gives_no_claim(text: str) -> None:
    assert told(text, fresh=False) == []
