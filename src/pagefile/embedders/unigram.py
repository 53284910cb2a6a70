"""Cuts a text into the pieces of a SentencePiece unigram vocabulary.

Written here because the library that does it (``tokenizers``) keeps 280 MB for these 250,000 pieces and takes a second to start; this
takes 40 MB and a tenth of one. Same ids, with two differences that are meant: composed and decomposed accents are the same, and a
text cannot inject control pieces such as ``</s>``. Method: Kudo 2018 (most probable segmentation, found by Viterbi's algorithm).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from functools import lru_cache

from pagefile.embedders.e5_weights import Vocabulary

#: Stands for the space before a word.
_MARK = "▁"
_CONTROL = re.compile(r"<(s|pad|/s|unk|mask)>")
#: What an unknown character costs beyond the least probable piece. SentencePiece's constant.
_UNKNOWN_PENALTY = 10.0
_WORDS_KEPT = 20_000


class Unigram:
    """Text → ids of pieces, from begin to end piece, at most ``longest`` of them."""

    def __init__(self, vocabulary: Vocabulary, longest: int) -> None:
        self._ids = {piece: id for id, piece in enumerate(vocabulary.pieces) if not _CONTROL.fullmatch(piece)}
        self._scores = array("f", vocabulary.scores)
        self._longest_piece = max(map(len, self._ids))
        self._unknown = vocabulary.unknown
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._normalisation = vocabulary.normalisation
        self._begin, self._end = vocabulary.begin, vocabulary.end
        self._longest = longest
        # Words of a language come again and again; with them kept, most of a text is one lookup a word.
        self._kept = lru_cache(_WORDS_KEPT)(self._pieces)

    def ids(self, text: str) -> list[int]:
        """Both ends included."""
        text = unicodedata.normalize("NFC", text).translate(self._normalisation)
        text = re.sub(" +", _MARK, text)
        if text and not text.startswith(_MARK):
            text = _MARK + text
        ids = [self._begin]
        for word in re.findall(f"{_MARK}[^{_MARK}]*", text):
            ids += self._kept(word) if len(word) <= self._longest_piece else self._pieces(word)
            if len(ids) >= self._longest:
                break
        return [*ids[: self._longest - 1], self._end]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The most probable pieces of a word."""
        # best[n]: the score of the best cut of the first n characters; piece[n], start[n]: its last piece and where that begins.
        size = len(word)
        best = [0.0] + [float("-inf")] * size
        start, piece = [0] * (size + 1), [self._unknown] * (size + 1)
        for at in range(size):
            so_far = best[at]
            for stop in range(at + 1, min(size, at + self._longest_piece) + 1):
                id = self._ids.get(word[at:stop])
                if id is not None and so_far + self._scores[id] > best[stop]:
                    best[stop], start[stop], piece[stop] = so_far + self._scores[id], at, id
            if word[at] not in self._ids and so_far + self._unknown_score > best[at + 1]:
                best[at + 1], start[at + 1], piece[at + 1] = so_far + self._unknown_score, at, self._unknown
        found: list[int] = []
        at = size
        while at > 0:
            # Neighbouring unknown characters count as one.
            if not (piece[at] == self._unknown and found and found[-1] == self._unknown):
                found.append(piece[at])
            at = start[at]
        return tuple(reversed(found))
