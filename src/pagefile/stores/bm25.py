"""BM25, as every store computes it. Statistics are given, so that they can be of one scope alone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the inverse document frequency that Lucene
uses: it is never negative, so a word that stands in every document still counts a little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pagefile.queries import Population

#: How soon more occurrences of a word stop mattering, and how far long documents are held back.
K1 = 1.2
B = 0.75


#: Documents without any of a query's words that every scope is thought to have besides its own: a word that stands in all of three
#: notes is no common word.
IMAGINED = 20


def rarity(documents: int, containing: int) -> float:
    """Inverse document frequency of a term that stands in ``containing`` of ``documents``."""
    return math.log(1.0 + (documents + IMAGINED - containing + 0.5) / (containing + 0.5))


def term_score(frequency: int, length: int, mean_length: float) -> float:
    """What one term gives a document of ``length`` terms in which it occurs ``frequency`` times; to be multiplied by rarity and weight."""
    relative_length = length / mean_length if mean_length else 1.0
    return frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * relative_length))


def population(scores: Iterable[float], count: int) -> Population:
    """Mean and (population) standard deviation over ``count`` items; those that are not in ``scores`` scored 0."""
    if not count:
        return Population()
    values = list(scores)
    mean = math.fsum(values) / count
    squares = math.fsum((value - mean) ** 2 for value in values) + (count - len(values)) * mean**2
    return Population(mean, math.sqrt(squares / count), count)
