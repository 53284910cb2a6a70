"""What Pagefile is compared with, over the same turns, words and vectors: BM25, vectors alone, and their ranks fused.

All of them read "speaker: text" and the words of the date. They keep nothing on disk, and have no idea of "not found": whatever shares a
word, or has a vector, is ranked.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.conversations import Turn
from evaluation.systems import Found, Note, embedded_text, note_of, within
from pagefile.language.words import date_terms, query_terms, terms
from pagefile.ports import Embedder, Vectors

#: How soon more occurrences of a word stop mattering, and how far long texts are held back (Robertson and Zaragoza, 2009).
_K1, _B = 1.2, 0.75
#: Held against the first places when ranks are fused (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009).
_RRF = 60


class Words:
    """BM25 alone."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._lengths: list[int] = []
        #: Term → place → how often.
        self._postings: defaultdict[str, dict[int, int]] = defaultdict(dict)

    async def add(self, turns: Sequence[Turn]) -> int:
        for turn in turns:
            note = note_of(turn)
            found = Counter(terms(embedded_text(turn)))
            found.update(date_terms(note.time))
            for term, count in found.items():
                self._postings[term][len(self.notes)] = count
            self._lengths.append(found.total())
            self.notes.append(note)
        return 0

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        scores = self.scores(query_terms(question))
        return found(self.notes, scores, np.flatnonzero(scores > 0), limit=limit, max_tokens=max_tokens)

    def scores(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """BM25 of every turn."""
        scores = np.zeros(len(self.notes))
        mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0
        for term, weight in weights.items():
            postings = self._postings.get(term, {})
            rarity = math.log(1 + (len(self.notes) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings.items():
                held_back = _K1 * (1 - _B + _B * self._lengths[place] / mean)
                scores[place] += weight * rarity * count * (_K1 + 1) / (count + held_back)
        return scores

    def bytes(self) -> int | None:
        return None


class Meaning:
    """The cosine of vectors alone."""

    def __init__(self, embedder: Embedder) -> None:
        self.notes: list[Note] = []
        self._embedder = embedder
        self._vectors: list[Vectors] = []

    async def add(self, turns: Sequence[Turn]) -> int:
        if turns:
            self.notes += [note_of(turn) for turn in turns]
            self._vectors.append(await self._embedder.embed([embedded_text(turn) or " " for turn in turns]))
        return 0

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        scores = await self.scores(question)
        return found(self.notes, scores, np.arange(len(scores)), limit=limit, max_tokens=max_tokens)

    async def scores(self, question: str) -> NDArray[np.float64]:
        """The cosine of every turn."""
        if not self._vectors:
            return np.zeros(0)
        # Joined when it is first asked, not again for every question.
        self._vectors = [np.concatenate(self._vectors)] if len(self._vectors) > 1 else self._vectors
        query = (await self._embedder.embed([question], query=True))[0]
        return np.asarray(self._vectors[0] @ query, dtype=np.float64)

    def bytes(self) -> int | None:
        return None


class FusedRanks:
    """Both of these, fused by rank with equal weights."""

    def __init__(self, embedder: Embedder) -> None:
        self._words, self._meaning = Words(), Meaning(embedder)

    async def add(self, turns: Sequence[Turn]) -> int:
        await self._words.add(turns)
        return await self._meaning.add(turns)

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        words, meaning = self._words.scores(query_terms(question)), await self._meaning.scores(question)
        scores = np.zeros(len(words))
        for each, places in ((words, np.flatnonzero(words > 0)), (meaning, np.arange(len(meaning)))):
            order = places[np.argsort(-each[places], kind="stable")]
            scores[order] += 1 / (_RRF + 1 + np.arange(len(order)))
        return found(self._words.notes, scores, np.flatnonzero(scores > 0), limit=limit, max_tokens=max_tokens)

    def bytes(self) -> int | None:
        return None


def found(notes: Sequence[Note], scores: NDArray[np.float64], places: NDArray[np.int64], *, limit: int, max_tokens: int | None) -> Found:
    """The best of these places; of equals the earliest first."""
    order = places[np.argsort(-scores[places], kind="stable")][:limit].tolist()
    best = [notes[place].scored(float(scores[place])) for place in order]
    return Found(notes=tuple(best if max_tokens is None else within(best, max_tokens)))
