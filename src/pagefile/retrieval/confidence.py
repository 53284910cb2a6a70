"""Is there an answer at all? Confidence 0..1 out of the best evidence found, comparable across queries, scopes and embedders.

A cosine by itself says little: small embedders put everything between 0.7 and 0.9, and a greeting is near to any other. So a cosine counts
only by how far it passes those of a cohort: a few sentences that no memory would be asked for (as cohort normalisation does for voices:
Auckenthaler et al., "Score normalization for text-independent speaker verification systems", 2000). Words count by how much of the
question's weight, rare words more, stands in one item. The best of many items is high by chance, so the size of the scope is taken off.

In a large scope something is always near. What tells there whether it answers is how far the best stands out from the crowd, with all that
the ranking knows (the turns around, who spoke, when, in which session): the same nearness is an answer where nothing else comes near, and
chance where much does. So that an answer is there is doubted by nearness and believed by standing out.

The constants were chosen on conversations and on pairs of a note and a question, English and Chinese, in scopes of 1 to 2,000 items. At
the default floor 99 of 100 questions that have an answer keep their hits; greetings, nonsense and off-topic questions find nothing, nor do
two thirds of the questions that belong to another conversation of the same kind; half of what the others find scores under 0.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagefile.ports import Vectors
from pagefile.queries import Population

Scores: TypeAlias = NDArray[np.float64]

#: Small talk, requests and nonsense: what is no nearer to a query than these has nothing to do with it. One half English, one Chinese.
COHORT: tuple[str, ...] = (
    "Hello! How are you?",
    "Hi, good morning.",
    "Thanks a lot, bye!",
    "Okay, sounds good.",
    "Ha ha, that is funny.",
    "What can you do?",
    "Can you help me with something?",
    "Please write a short poem.",
    "How do I fix an error in my code?",
    "What is the weather like today?",
    "The train leaves from platform two.",
    "asdf qwer zxcv 1234",
    "你好，最近怎么样？",
    "早上好。",
    "谢谢，再见！",
    "好的，没问题。",
    "哈哈，真有意思。",
    "你能做什么？",
    "可以帮我一个忙吗？",
    "请写一首短诗。",
    "我的代码报错了怎么办？",
    "今天天气怎么样？",
    "火车从二号站台出发。",
    "啊啊啊 一二三四",
)

#: Under this nothing is returned, unless the caller says otherwise.
DEFAULT_FLOOR = 0.15

_IMAGINED = 20  # documents besides those of the scope, as the stores have it
_EVEN = 1.85  # evidence at which an answer is as likely as none
_COVERAGE = 2.0  # of one item that has every word of the question
_SIZE = 0.6  # taken off for each e-fold of the scope's size, from _SMALL …
_SMALL, _LARGE = 10, 1_100  # … to _LARGE items: in a larger one the best by chance hardly grows
_BREADTH = 1.5  # of a long query, which has more to be found by, for each e-fold over _PLAIN_QUERY
_PLAIN_QUERY = 4.0  # weight of the terms of an ordinary question
_WORDS_ALONE = 8.0  # coverage, when there are no vectors
_WORDS_ALONE_EVEN = 3.2

_ALONE, _CROWD = 20, 100  # items up to which the best cannot stand out, and from which it is judged by that in full
_TRUST = 0.3  # of a confidence over one half that is left there; doubt stays whole
_SHARE = 3.0  # of one item that has every word of the question
_LEAD = 0.2  # for each standard deviation of the best rank
_LONG = 0.6  # of a long query, for each e-fold over _PLAIN_QUERY
_LEAD_EVEN = 4.4  # at which an answer is as likely as none
_LEAD_EVEN_IN_WORDS = 2.6  # the same for ranks in which no vector has a part
_SURE = 1e-6  # nothing is surer, nor less sure


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The cohort in the space of one embedder."""

    #: Shape (len(COHORT), dimension).
    vectors: Vectors
    #: Standard deviation of cosines between unrelated texts of one language.
    unit: float

    @classmethod
    def of(cls, vectors: Vectors) -> Background:
        half = len(vectors) // 2
        units = [np.std((part @ part.T)[~np.eye(half, dtype=bool)]) for part in (vectors[:half], vectors[half:])]
        return cls(vectors, max(float(np.mean(units)), 1e-3))


@dataclass(frozen=True, slots=True)
class Cohort:
    """How near the cohort is to a query, in cosines."""

    #: Mean of the two nearest.
    nearest: float
    #: All of them: stands in for a background where a scope has few items.
    background: Population
    #: See ``Background``.
    unit: float


def cohort(query: Vectors, background: Background) -> Cohort:
    """Compare a query, shape (dimension,), with the cohort."""
    cosines = background.vectors @ query
    population = Population(float(cosines.mean()), float(cosines.std()), len(cosines))
    return Cohort(nearest=float(np.sort(cosines)[-2:].mean()), background=population, unit=background.unit)


def coverage(words: Scores, *, weight: float, documents: int) -> Scores:
    """Share of a question's terms, rare ones counting more, that items with these BM25 scores have: about 0..1.

    ``weight`` is the sum of the terms' weights. Of a long query no item has all; its terms over four count by their square root.
    """
    weight = min(weight, _PLAIN_QUERY + math.sqrt(max(0.0, weight - _PLAIN_QUERY)))
    rarest = math.log(1 + (documents + _IMAGINED - 0.5) / 1.5) if documents > 0 else 0.0
    return np.minimum(1.0, words / (weight * rarest)) if weight and rarest else np.zeros_like(words)


def confidence(cosine: float, covered: float, *, near: Cohort, weight: float, documents: int) -> float:
    """That the scope has an answer, given its best cosine and best coverage."""
    size = math.log(min(max(_SMALL, documents), _LARGE) / _SMALL)
    own = float(evidence(np.array(cosine), np.array(covered), near))
    return float(_logistic(np.array(own - _SIZE * size + _breadth(weight) - _EVEN)))


def evidence(cosines: Scores, covered: Scores, near: Cohort) -> Scores:
    """How far items pass the cohort, plus what they have of the question's words. Under 0: nothing speaks for them."""
    return np.asarray((cosines - near.nearest) / near.unit + _COVERAGE * covered, dtype=np.float64)


def confidence_in_words(covered: Scores, *, weight: float) -> Scores:
    """That an item answers, by its words alone; 0 if it has none of the question's."""
    return np.where(covered > 0, _logistic(_WORDS_ALONE * covered + _breadth(weight) - _WORDS_ALONE_EVEN), 0.0)


def among_many(own: float, *, rank: float, covered: float, weight: float, documents: int, vectors: bool) -> float:
    """That the scope has an answer, given its best item's own evidence and how far the best stands out from all the others.

    ``own``: confidence by that evidence, 0..1. ``rank``: of the best, in standard deviations, as the ranking adds them up. ``covered``: the
    largest share of the question's terms that an item has, 0..1. ``vectors``: whether these took part in the rank. In a scope of up to 20
    items there is no crowd to stand out from, and ``own`` is returned; the rest comes in by and by up to 100.
    """
    crowd = math.log(min(max(_ALONE, documents), _CROWD) / _ALONE) / math.log(_CROWD / _ALONE)
    if crowd <= 0 or own <= 0:
        return own
    sure = min(max(own, _SURE), 1 - _SURE)
    odds = math.log(sure / (1 - sure))
    even = _LEAD_EVEN if vectors else _LEAD_EVEN_IN_WORDS
    lead = _SHARE * covered + _LEAD * rank + _LONG * math.log(max(1.0, weight / _PLAIN_QUERY)) - even
    trusted = min(odds, 0.0) + (1 - crowd * (1 - _TRUST)) * max(odds, 0.0)
    return float(_logistic(np.array(trusted + crowd * lead)))


def _breadth(weight: float) -> float:
    return _BREADTH * math.log(max(1.0, weight / _PLAIN_QUERY))


def _logistic(values: Scores) -> Scores:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))), dtype=np.float64)
