"""One ranking out of the raw signals of a probe. Pure: no I/O, no clock.

A linear mix of standard scores (Fox and Shaw's CombSUM with weights, "Combination of multiple searches", 1994) of an item and, with less
weight, of the turns around it: what answers a question is often split over a question and its reply. Rank fusion throws away how much
better the best is, and measured clearly worse on conversations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagefile.language.dates import TimeRange
from pagefile.language.words import mentions
from pagefile.queries import Candidates, CandidateTable, Population
from pagefile.retrieval.confidence import Cohort, confidence, confidence_in_words, coverage, evidence
from pagefile.retrieval.decay import Scores, multipliers, with_odds

Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

#: The parts of a score, in the order of ``Ranking.parts``.
PARTS = ("words", "meaning", "neighbours", "speaker", "session", "time", "length", "confidence", "odds")
#: Items without any of the query's words, and with the cosines of the cohort, that every scope is thought to have besides its own: in a
#: scope of a few items their own mean and deviation say nothing.
_IMAGINED = 20
#: Standard deviations under the cohort after which an item is not doubted more.
_MOST_DOUBT = 5.0
#: Confidence by words from which no vector is asked whether an item answers.
_TOLD_BY_WORDS = 0.5
#: Share of the best item's confidence that a turn of a conversation has by the turns around it, when words are all there is.
_AROUND = 0.8
#: Scores that differ by less are the same.
_NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each signal counts, in standard deviations. Chosen on four of five conversations at a time; the measure is flat there."""

    words: float = 1.0
    meaning: float = 1.4
    #: The best match by words counts no more than this, so that one rare name cannot outvote meaning in a large scope.
    words_limit: float = 5.0
    #: Share of the evidence of the turns before (one, two away) and after.
    before: tuple[float, ...] = (0.35, 0.2)
    after: tuple[float, ...] = (0.25, 0.2)
    #: How much of these shares is left in a session with one voice: notes stand more by themselves than turns of a conversation.
    one_voice: float = 0.4
    #: The question names who said it.
    speaker: float = 1.3
    #: BM25 of the whole session.
    session: float = 1.0
    #: It was said in a time that the question speaks of.
    time: float = 1.5
    #: For each e-fold of a turn's length: in a conversation a longer turn says more …
    length: float = 1.0
    #: … up to this many tokens. Notes and records have no filler among them, and count as this long.
    length_limit: int = 80
    usual_length: int = 30
    #: A record has no turns around it and no session; its own evidence counts this many times instead.
    record: float = 1.35
    #: Standard deviations under the best at which a score is half.
    half_score: float = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a ranking must know of the query."""

    text: str
    #: Sum of the weights of its terms.
    weight: float
    #: The times it speaks of.
    times: tuple[TimeRange, ...] = ()
    #: None: it has no vector.
    cohort: Cohort | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The candidates in order, as columns of the shape (n,)."""

    #: Places in the table, best first.
    order: Places
    #: 0..1, by place in the table.
    scores: Scores
    #: What the scores are made of, shape (len(PARTS), n). The first seven add up to the rank; then the confidence that the scope has an
    #: answer, and the factor of the odds for age, importance, use and doubt.
    parts: Scores

    def why(self, place: int) -> Mapping[str, float]:
        """The parts of one candidate's score by name."""
        return dict(zip(PARTS, self.parts[:, place].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _View:
    """What the steps below share. ``words`` and ``cosines`` have a row for the items themselves, the turns before, and the turns after."""

    table: CandidateTable
    #: 0 where there is no such turn.
    words: Scores
    #: NaN: no vector, or no such turn.
    cosines: Scores
    #: Whether there is such an item.
    known: Flags
    message: Flags
    #: A message of a session in which more than one voice is heard.
    talk: Flags


def rank(candidates: Candidates, question: Question, weights: Weights, now: datetime) -> Ranking:
    """Every candidate once, best first; of equal scores the newest first."""
    table = candidates.table
    if not len(table):
        return Ranking(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((len(PARTS), 0)))
    view = _view(table)
    parts = _parts(view, candidates, question, weights)
    totals = parts.sum(axis=0)
    certain = _confidences(view, candidates, question)
    odds = multipliers(table, now)
    scores = with_odds(certain * 0.5 ** ((totals.max() - totals) / weights.half_score), odds)
    return Ranking(np.lexsort((-table.times, -scores)), scores, np.vstack([parts, certain, odds]))


def _view(table: CandidateTable) -> _View:
    message = table.seqs > 0
    known = ~np.isnan(table.words)
    return _View(
        table=table,
        words=np.where(known, table.words, 0.0),
        cosines=table.cosines,
        known=known,
        message=message,
        talk=message & _talking(table, message),
    )


def _talking(table: CandidateTable, message: Flags) -> Flags:
    """Whether more than one voice, a role with a name, is heard in the session of each item."""
    roles, speakers = (each.codes.astype(np.int64) + 1 for each in (table.roles, table.speakers))
    voices = (speakers.max() + 1) * roles + speakers
    sessions = table.sessions.codes
    # One voice of each session, whichever; any other makes it a conversation.
    one = np.zeros(sessions.max() + 1, dtype=np.int64)
    one[sessions[message]] = voices[message]
    several = np.zeros(len(one), dtype=bool)
    several[sessions[message & (voices != one[sessions])]] = True
    return several[sessions]


def _parts(view: _View, candidates: Candidates, question: Question, weights: Weights) -> Scores:
    """The summands of the ranking, shape (7, n)."""
    table = view.table
    words, meaning = _evidence(view, candidates, question, weights)
    alone = np.where(view.message, 1.0, weights.record)
    around = np.where(view.talk, 1.0, weights.one_voice) * _neighbours(view, words + meaning, weights)
    named = [code for code in np.unique(table.speakers.codes).tolist() if mentions(question.text, table.speakers.names[code] or "")]
    speaker = weights.speaker * (np.isin(table.speakers.codes, named) if named else np.zeros(len(table)))
    session = weights.session * _standard(table.session_words, candidates.sessions)
    tokens = np.where(view.talk, table.tokens, weights.usual_length)
    # Two more, so that the shortest turns do not differ by much.
    length = weights.length * np.log(np.clip(tokens, 1, weights.length_limit) + 2.0)
    then = weights.time * _spoken_of(table, question.times)
    return np.stack([alone * words[0], alone * meaning[0], around, speaker, np.where(view.message, session, 0.0), then, length])


def _spoken_of(table: CandidateTable, times: Sequence[TimeRange]) -> Flags:
    """Whether each item was said in one of these times."""
    inside = np.zeros(len(table), dtype=bool)
    for when in times:
        start = -np.inf if when.start is None else when.start.timestamp()
        end = np.inf if when.end is None else when.end.timestamp()
        inside |= (table.times >= start) & (table.times < end)
    return inside


def _evidence(view: _View, candidates: Candidates, question: Question, weights: Weights) -> tuple[Scores, Scores]:
    """Weighted standard scores by words and by vectors, of items and the turns beside them. What has no vector is average."""
    words = _standard(view.words, _with_imagined(candidates.words, Population()))
    words *= weights.words / max(1.0, float(words[0].max()) / weights.words_limit)
    if question.cohort is None:
        return words, np.zeros_like(words)
    cosines = _standard(view.cosines, _with_imagined(candidates.cosines, question.cohort.background))
    return words, weights.meaning * np.nan_to_num(cosines)


def _neighbours(view: _View, own: Scores, weights: Weights) -> Scores:
    """Evidence of the turns around each message, as far as the probe brought it. ``own``: evidence as in the rows of the view."""
    places = _places(view)
    beside = np.stack([places, places - 1, places + 1])[view.known]
    # A turn may be there twice, as itself and beside another; it has the same evidence both times, so any order of equals will do.
    order = np.argsort(beside)
    known, values = beside[order], own[view.known][order]
    # In order too, which is four times as fast to look up.
    own_order = np.argsort(places)
    places = places[own_order]
    around = np.zeros(len(places))
    steps = [(-number, share) for number, share in enumerate(weights.before, 1)]
    steps += [(number, share) for number, share in enumerate(weights.after, 1)]
    for step, share in steps:
        at = np.minimum(np.searchsorted(known, places + step), len(known) - 1)
        around[own_order] += np.where(known[at] == places + step, share * values[at], 0.0)
    return np.where(view.message, around, 0.0)


def _places(view: _View) -> Places:
    """A number for each message's place: one more for the next turn, far apart for another session. Records stand far from all."""
    far = 1 << 40
    talk = far * (1 + view.table.sessions.codes.astype(np.int64)) + view.table.seqs
    return np.where(view.message, talk, -far * (1 + np.arange(len(view.table))))


def _confidences(view: _View, candidates: Candidates, question: Question) -> Scores:
    """For each candidate: that the scope has an answer, or, where there is no vector to tell, that this item is one. Less for an item for
    which nothing speaks, neither in itself nor, in a conversation, in the turns beside it."""
    documents = max(candidates.words.count, candidates.cosines.count)
    covered = coverage(view.words, weight=question.weight, documents=documents)
    rows = confidence_in_words(covered, weight=question.weight)
    # In a conversation the turns around speak for an item too: a question and its answer share few words.
    around = np.maximum(rows.max(axis=0), _AROUND * rows.max())
    by_words: Scores = np.where(view.talk, around, rows[0])
    waiting = np.isnan(view.cosines[0])
    if question.cohort is None or waiting.all():
        return by_words
    best = float(np.nanmax(view.cosines[0]))
    answer = confidence(best, float(covered[0].max()), near=question.cohort, weight=question.weight, documents=documents)
    support = evidence(np.nan_to_num(view.cosines, nan=-1.0), covered, question.cohort)
    support = np.maximum(support[0], np.where(view.talk, support[1:].max(axis=0), -_MOST_DOUBT))
    doubtful = answer * np.exp(np.clip(support, -_MOST_DOUBT, 0.0))
    # Where the words of a question stand all together in an item, that no vector is near says little: most vectors know few names.
    told = np.where(waiting | (by_words >= _TOLD_BY_WORDS), by_words, 0.0)
    return np.asarray(np.maximum(doubtful, told), dtype=np.float64)


def _standard(values: Scores, population: Population) -> Scores:
    if population.deviation < _NO_SPREAD:
        return np.zeros_like(values)
    return (values - population.mean) / population.deviation


def _with_imagined(population: Population, imagined: Population) -> Population:
    """A population with ``_IMAGINED`` items of another mixed in."""
    count = population.count + _IMAGINED
    share = _IMAGINED / count
    mean = (1 - share) * population.mean + share * imagined.mean
    variance = (1 - share) * (population.deviation**2 + (population.mean - mean) ** 2)
    variance += share * (imagined.deviation**2 + (imagined.mean - mean) ** 2)
    return Population(mean, float(np.sqrt(variance)), count)
