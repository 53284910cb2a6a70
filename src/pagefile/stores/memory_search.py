"""One look into a scope that is held in memory: exact, and written to be read. Other stores must find the same."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pagefile.messages import Message
from pagefile.ports import Vectors
from pagefile.queries import ASKS, Candidate, Candidates, CandidateTable, Item, Population, Probe, Signals, Where
from pagefile.records import Record
from pagefile.stores.bm25 import population, rarity, term_score
from pagefile.stores.memory_space import Space
from pagefile.stores.rules import item_kind, item_time, item_tokens, passes

Scores = Mapping[str, float]


def search(space: Space, probe: Probe, query: Vectors | None) -> Candidates:
    """Candidates of a checked probe; ``query`` is its vector at length 1."""
    documents = {id: indexing.terms for id, indexing in space.indexing.items()}
    words = bm25(documents, probe.terms)
    cosines = _cosines(space, probe.embedder, query)
    sessions = bm25(_session_documents(space), probe.terms)
    items = {item.id: item for item in space.items()}
    allowed = {id for id, item in items.items() if passes(item, probe.where)}
    found = {*_best(words, allowed, probe.limit), *_best(cosines, allowed, probe.limit)}
    found |= _neighbours(space, found, probe.neighbours) & allowed
    session_count = len({message.session for message in space.messages.values()})
    build = _Builder(space, probe, words, cosines, sessions, covered(documents, probe.terms))
    return Candidates(
        table=CandidateTable.of([build.candidate(items[id]) for id in items if id in found]),
        words=population(words.values(), len(items)) if probe.terms else Population(),
        cosines=population(cosines.values(), len(cosines)),
        sessions=population(sessions.values(), session_count) if probe.terms else Population(),
        filtered_out=len((words if probe.terms else cosines).keys() - allowed),
        without_vector=len(space.awaiting(probe.embedder)) if probe.embedder else 0,
        merged=frozenset(key for alias in space.aliases.values() for key in (alias.key, alias.into)),
    )


def bm25(documents: Mapping[str, Mapping[str, int]], query: Mapping[str, float]) -> dict[str, float]:
    """Document → score, of those in which a term of the query occurs. Statistics are of these documents."""
    lengths = {id: sum(terms.values()) for id, terms in documents.items()}
    mean_length = sum(lengths.values()) / len(lengths) if lengths else 0.0
    scores: dict[str, float] = {}
    for term, weight in query.items():
        containing = [id for id, terms in documents.items() if term in terms]
        for id in containing:
            part = weight * rarity(len(documents), len(containing)) * term_score(documents[id][term], lengths[id], mean_length)
            scores[id] = scores.get(id, 0.0) + part
    return scores


def covered(documents: Mapping[str, Mapping[str, int]], query: Mapping[str, float]) -> dict[str, float]:
    """Document → share of the query's terms that it has, 0..1, rare ones counting more; of those that have any."""
    containing = {term: [id for id, terms in documents.items() if term in terms] for term in query}
    weights = {term: weight * rarity(len(documents), len(containing[term])) for term, weight in query.items()}
    shares: dict[str, float] = {}
    for term, weight in weights.items():
        for id in containing[term]:
            shares[id] = shares.get(id, 0.0) + weight / sum(weights.values())
    return shares


def _cosines(space: Space, embedder: str | None, query: Vectors | None) -> dict[str, float]:
    if embedder is None or query is None:
        return {}
    return {id: float(np.dot(vector, query)) for id, vector in space.vectors.get(embedder, {}).items()}


def _session_documents(space: Space) -> dict[str, Counter[str]]:
    documents: dict[str, Counter[str]] = {}
    for message in space.messages.values():
        documents.setdefault(message.session, Counter()).update(space.indexing[message.id].terms)
    return documents


def _best(scores: Scores, allowed: set[str], limit: int) -> Sequence[str]:
    """The best of those that the filters let through: filters come before the limit, so that they never starve a search."""
    return heapq.nsmallest(limit, scores.keys() & allowed, key=lambda id: (-scores[id], id))


def _neighbours(space: Space, found: set[str], distance: int) -> set[str]:
    wanted = {
        (message.session, message.seq + step)
        for message in (space.messages[id] for id in found if id in space.messages)
        for step in range(-distance, distance + 1)
    }
    # What was written without indexing is not to be found, beside what is found neither.
    findable = {id for id, indexing in space.indexing.items() if indexing.terms or indexing.embedding_hash}
    return {message.id for message in space.messages.values() if (message.session, message.seq) in wanted} & findable


class _Builder:
    """Makes candidates out of the scores of one probe."""

    def __init__(self, space: Space, probe: Probe, words: Scores, cosines: Scores, sessions: Scores, shares: Scores) -> None:
        self._words, self._cosines, self._sessions, self._shares = words, cosines, sessions, shares
        self._asking = {id for id, indexing in space.indexing.items() if ASKS in indexing.terms}
        # A turn that is out of recall, retired or superseded and not asked for, must not lift the turns beside it by what it says.
        in_recall = Where(statuses=probe.where.statuses)
        self._turns = {(each.session, each.seq): each.id for each in space.messages.values() if passes(each, in_recall)}

    def candidate(self, item: Item) -> Candidate:
        if isinstance(item, Record):
            return Candidate(
                id=item.id,
                kind=item.kind,
                signals=self._signals(item.id),
                covered=self._shares.get(item.id, 0.0),
                asks=item.id in self._asking,
                session=item.session,
                speaker=item.speaker,
                time=item_time(item),
                tokens=item_tokens(item),
                confidence=item.confidence,
                importance=item.importance,
                use_count=item.use_count,
            )
        return Candidate(
            id=item.id,
            kind=item_kind(item),
            signals=self._signals(item.id),
            before=self._beside(item, -1),
            after=self._beside(item, 1),
            session_words=self._sessions.get(item.session, 0.0),
            covered=self._shares.get(item.id, 0.0),
            asks=item.id in self._asking,
            session=item.session,
            seq=item.seq,
            role=item.role,
            speaker=item.speaker,
            time=item_time(item),
            tokens=item.tokens,
        )

    def _signals(self, id: str) -> Signals:
        return Signals(self._words.get(id, 0.0), self._cosines.get(id))

    def _beside(self, message: Message, step: int) -> Signals | None:
        id = self._turns.get((message.session, message.seq + step))
        return None if id is None else self._signals(id)
