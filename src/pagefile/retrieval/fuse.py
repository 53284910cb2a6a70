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
from pagefile.language.transcripts import is_transcript
from pagefile.language.words import mentions
from pagefile.queries import Candidates, CandidateTable, Population
from pagefile.retrieval.confidence import Cohort, among_many, confidence, confidence_in_words, coverage, evidence
from pagefile.retrieval.decay import Scores, multipliers, with_odds

Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

#: The parts of a score, in the order of ``Ranking.parts``.
PARTS = ("words", "meaning", "neighbours", "speaker", "session", "time", "length", "reply", "confidence", "odds")
#: Items without any of the query's words, and with the cosines of the cohort, that every scope is thought to have besides its own: in a
#: scope of a few items their own mean and deviation say nothing.
_IMAGINED = 20
#: Standard deviations under the cohort after which an item is not doubted more.
_MOST_DOUBT = 5.0
#: Confidence by words from which no vector is asked whether an item answers.
_TOLD_BY_WORDS = 0.5
#: Weight of an ordinary question's terms, and of those of a dialogue.
_LONG = (6.0, 30.0)
#: Share of the best item's confidence that a turn of a conversation has by the turns around it, when words are all there is.
_AROUND = 0.8
#: Scores that differ by less are the same.
_NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each signal counts, in standard deviations.

    Those of a conversation were fitted to conversations of two people, each time to four of five (a listwise logistic regression), then
    rounded and compared on conversations with an assistant and on notes, English and Chinese: the measure is flat around them.
    """

    words: float = 0.5
    #: Share of the question's terms that an item has, rare ones counting more: two of them say more than one of them twice.
    covered: float = 4.0
    meaning: float = 1.3
    #: So much more does meaning count, as a share of it, in a question as long as a dialogue: of many words most match by chance.
    meaning_of_long: float = 0.4
    #: The same of a talk that is written down, which asks nothing: what was remembered bears on it as a whole, and the times in it are of
    #: what it tells.
    meaning_of_talk: float = 1.5
    #: The best match by words counts no more than this, so that one rare name cannot outvote meaning in a large scope.
    words_limit: float = 5.0
    #: Standard deviations by words of the turns before (one, two away) and after: what follows in other words is no evidence.
    before: tuple[float, ...] = (0.45, 0.35)
    after: tuple[float, ...] = (0.1, 0.15)
    #: The same of their cosines.
    before_meaning: tuple[float, ...] = (0.5, 0.35)
    after_meaning: tuple[float, ...] = (0.55,)
    #: How much of these is left in a session with one voice: notes stand more by themselves than turns of a conversation.
    one_voice: float = 0.25
    #: The question names who said it.
    speaker: float = 1.5
    #: BM25 of the whole session, and the best of its turns by words.
    session: float = 0.7
    session_best: float = 0.25
    #: It was said in a time that the question speaks of.
    time: float = 2.2
    #: In a conversation: a turn that ends in a question, one that follows it and so answers, and each e-fold of the length of the turn
    #: before, as who was told much answers to that.
    asks: float = -1.6
    answers: float = 1.1
    length_before: float = -0.35
    #: It opens a session: what somebody comes with is news.
    opens: float = 0.6
    #: For each e-fold of a turn's length: in a conversation a longer turn says more …
    length: float = 1.5
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
    #: What the scores are made of, shape (len(PARTS), n). The first eight add up to the rank; then the confidence that the scope has an
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
    certain = _standing_out(_confidences(view, candidates, question), float(totals.max()), candidates, question)
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
    """The summands of the ranking, shape (8, n)."""
    table = view.table
    words, meaning = _evidence(view, candidates, question, weights)
    alone = np.where(view.message, 1.0, weights.record)
    beside = _Beside(view)
    around = beside.sum(words, weights.before, weights.after) + beside.sum(meaning, weights.before_meaning, weights.after_meaning)
    around *= np.where(view.talk, 1.0, weights.one_voice)
    by_words = alone * (weights.words * words[0] + weights.covered * table.covered)
    talk = is_transcript(question.text)
    more = weights.meaning_of_talk if talk else weights.meaning_of_long * _length_of(question)
    by_meaning = alone * weights.meaning * (1.0 + more) * meaning[0]
    named = [code for code in np.unique(table.speakers.codes).tolist() if mentions(question.text, table.speakers.names[code] or "")]
    speaker = weights.speaker * (np.isin(table.speakers.codes, named) if named else np.zeros(len(table)))
    session = weights.session * _standard(table.session_words, candidates.sessions) + weights.session_best * _best_of_session(
        view, words[0]
    )
    tokens = np.where(view.talk, table.tokens, weights.usual_length)
    # Two more, so that the shortest turns do not differ by much.
    length = weights.length * np.log(np.clip(tokens, 1, weights.length_limit) + 2.0)
    then = weights.time * _spoken_of(table, () if talk else question.times)
    reply = np.where(view.talk, _reply(view, beside, weights), 0.0)
    return np.stack([by_words, by_meaning, around, speaker, np.where(view.message, session, 0.0), then, length, reply])


def _length_of(question: Question) -> float:
    """0 for an ordinary question, 1 for one as long as a dialogue."""
    shortest, longest = np.log(_LONG)
    return float(np.clip((np.log(max(question.weight, 1.0)) - shortest) / (longest - shortest), 0.0, 1.0))


def _best_of_session(view: _View, words: Scores) -> Scores:
    """For each message the best evidence by words in its session."""
    sessions = view.table.sessions.codes
    highest = np.full(sessions.max() + 1, -np.inf)
    np.maximum.at(highest, sessions[view.message], words[view.message])
    return np.where(view.message, highest[sessions], 0.0)


def _reply(view: _View, beside: _Beside, weights: Weights) -> Scores:
    """For a turn that answers or opens, against one that asks; as far as the probe brought the turn before."""
    table = view.table
    asked = beside.value(-1, table.asks.astype(np.float64))
    # Against the usual, as of a turn that is not known nothing is said.
    length = beside.value(-1, np.log((table.tokens + 2.0) / (weights.usual_length + 2.0)))
    opens = weights.opens * (table.seqs == 1)
    return np.asarray(weights.asks * table.asks + weights.answers * asked + weights.length_before * length + opens, dtype=np.float64)


def _spoken_of(table: CandidateTable, times: Sequence[TimeRange]) -> Flags:
    """Whether each item was said in one of these times."""
    inside = np.zeros(len(table), dtype=bool)
    for when in times:
        start = -np.inf if when.start is None else when.start.timestamp()
        end = np.inf if when.end is None else when.end.timestamp()
        inside |= (table.times >= start) & (table.times < end)
    return inside


def _evidence(view: _View, candidates: Candidates, question: Question, weights: Weights) -> tuple[Scores, Scores]:
    """Standard scores by words and by vectors, of items and the turns beside them. What has no vector is average."""
    words = _standard(view.words, _with_imagined(candidates.words, Population()))
    words /= max(1.0, float(words[0].max()) / weights.words_limit)
    if question.cohort is None:
        return words, np.zeros_like(words)
    cosines = _standard(view.cosines, _with_imagined(candidates.cosines, question.cohort.background))
    return words, np.nan_to_num(cosines)


class _Beside:
    """Looks up what is known of the turns around each message, as far as the probe brought it."""

    def __init__(self, view: _View) -> None:
        self._view = view
        places = _places(view)
        beside = np.stack([places, places - 1, places + 1])[view.known]
        # A turn may be there twice, as itself and beside another; it has the same evidence both times, so any order of equals will do.
        self._order = np.argsort(beside)
        self._known = beside[self._order]
        # In order too, which is four times as fast to look up.
        self._own = np.argsort(places)
        self._places = places[self._own]
        #: Step → where among the known that turn is, and for which messages it is there.
        self._found: dict[int, tuple[Places, Flags]] = {}

    def sum(self, evidence: Scores, before: Sequence[float], after: Sequence[float]) -> Scores:
        """Weighted evidence of the turns around. ``evidence``: as in the rows of the view."""
        values = evidence[self._view.known][self._order]
        around = np.zeros(len(self._places))
        steps = [(-number, weight) for number, weight in enumerate(before, 1)] + list(enumerate(after, 1))
        for step, weight in steps:
            at, there = self._found.get(step) or self._find(step)
            around[self._own] += np.where(there, weight * values[at], 0.0)
        return np.where(self._view.message, around, 0.0)

    def _find(self, step: int) -> tuple[Places, Flags]:
        at = np.minimum(np.searchsorted(self._known, self._places + step), len(self._known) - 1)
        self._found[step] = found = (at, self._known[at] == self._places + step)
        return found

    def value(self, step: int, values: Scores) -> Scores:
        """A value of the turn that stands ``step`` away; 0 where it is no candidate."""
        at = np.minimum(np.searchsorted(self._places, self._places + step), len(self._places) - 1)
        found = np.zeros(len(self._places))
        found[self._own] = np.where(self._places[at] == self._places + step, values[self._own][at], 0.0)
        return np.where(self._view.message, found, 0.0)


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


def _standing_out(certain: Scores, highest: float, candidates: Candidates, question: Question) -> Scores:
    """The confidences, all by one factor higher or lower, so that the best is what it is among so many."""
    own = float(certain.max())
    if own <= 0:
        return certain
    documents = max(candidates.words.count, candidates.cosines.count)
    vectors = question.cohort is not None and candidates.cosines.count > 0
    covered = float(candidates.table.covered.max())
    best = among_many(own, rank=highest, covered=covered, weight=question.weight, documents=documents, vectors=vectors)
    return certain * (best / own)


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
