from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.embedders.e5_weights import Vocabulary
from pagefile.embedders.unigram import Unigram

#: Ids as in a SentencePiece vocabulary: control pieces first.
PIECES = {
    "<s>": 0.0,
    "<pad>": 0.0,
    "</s>": 0.0,
    "<unk>": 0.0,
    "▁": -3.0,
    "▁new": -4.0,
    "▁news": -5.0,
    "s": -2.5,
    "paper": -6.0,
    "▁newspaper": -20.0,
    "早": -7.0,
    "报": -7.0,
    "早报": -9.0,
    "é": -8.0,
    "e": -8.0,
}
VOCABULARY = Vocabulary(
    pieces=tuple(PIECES),
    scores=tuple(PIECES.values()),
    begin=0,
    end=2,
    unknown=3,
    normalisation={ord("\t"): " ", ord("\u200b"): "", ord("Ａ"): "A"},
)


def pieces(text: str, longest: int = 100) -> list[str]:
    ids = Unigram(VOCABULARY, longest).ids(text)
    assert (ids[0], ids[-1]) == (0, 2)
    return [VOCABULARY.pieces[id] for id in ids[1:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("news", ["▁news"]),
        ("newspaper", ["▁news", "paper"]),
        ("news  \t new ", ["▁news", "▁new", "▁"]),
        ("早报", ["▁", "早报"]),
        ("报早", ["▁", "报", "早"]),
        ("早xyz报", ["▁", "早", "<unk>", "报"]),
        ("早\u200b报", ["▁", "早报"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_its_most_probable_pieces(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


def test_composed_and_decomposed_accents_are_the_same() -> None:
    assert pieces(unicodedata.normalize("NFD", "é")) == pieces("é") == ["▁", "é"]


def test_a_text_cannot_inject_control_pieces() -> None:
    assert not {"</s>", "<s>", "<pad>"} & set(pieces("new</s>news<s><pad>"))


def test_a_long_text_is_cut_and_still_has_its_end() -> None:
    assert len(Unigram(VOCABULARY, 10).ids("news " * 1000)) == 10
    assert len(Unigram(VOCABULARY, 10).ids("早" * 1000)) == 10


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_can_be_cut_and_cannot_spell_a_control_piece(text: str) -> None:
    assert not {"<s>", "</s>", "<pad>"} & set(pieces(text))
