"""The ranking by itself with weights of one's own: what the library would find first if a signal counted more, less or nothing.

It looks into the same store as a search does, and ranks with the library's own function. What a search does afterwards (hold back mere
questions, leave out what a better hit says already, the floor) is left out, so that a difference is one of the ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from evaluation.conversations import Turn
from evaluation.systems import Found, Note, Pagefile, within
from pagefile.language.dates import TimeRange, find_times
from pagefile.language.words import query_terms
from pagefile.messages import Message
from pagefile.ports import Embedder, Store
from pagefile.queries import Candidates, Item, Probe, Where
from pagefile.records import Scope
from pagefile.retrieval.confidence import COHORT, Background, Cohort, cohort
from pagefile.retrieval.fuse import Question, Weights, rank
from pagefile.retrieval.presets import effort
from pagefile.retrieval.query import MAX_QUERY


class Weighed:
    """The ranking with ``weights``. ``memory`` keeps what is added in ``store``. Raises InputError for a preset that there is not."""

    def __init__(
        self, memory: Pagefile, store: Store, scope: Scope, embedder: Embedder | None, *, weights: Weights, preset: str = "balanced"
    ) -> None:
        self._memory = memory
        self._store = store
        self._scope = scope
        self._effort = effort(preset)
        self._embedder = embedder if self._effort.vectors else None
        self._weights = weights
        self._background: Background | None = None

    async def add(self, turns: Sequence[Turn]) -> int:
        return await self._memory.add(turns)

    async def ask(self, question: str, *, limit: int, max_tokens: int | None = None, floor: float | None = None) -> Found:
        found, asked, now = await self.look(question, limit)
        ranking = rank(found, asked, self._weights, now)
        good = [place for place in ranking.order.tolist() if ranking.scores[place] > (floor or 0.0)][:limit]
        items = await self._store.get(self._scope, [found.table.ids[place] for place in good])
        notes = [_note(item, float(ranking.scores[place])) for place, item in zip(good, items, strict=True) if item is not None]
        return Found(notes=tuple(notes if max_tokens is None else within(notes, max_tokens)))

    async def look(self, question: str, limit: int) -> tuple[Candidates, Question, datetime]:
        """What a ranking of so many notes would be given."""
        now = datetime.now(UTC)
        text = question if len(question) <= MAX_QUERY else f"{question[: MAX_QUERY // 2]}\n{question[-MAX_QUERY // 2 :]}"
        terms = query_terms(text)
        numbers, near = await self._embedded(text)
        embedder = self._embedder.id if self._embedder is not None and numbers is not None else None
        pool, neighbours = max(self._effort.pool, 2 * limit), self._effort.neighbours
        probe = Probe(terms=terms, vector=numbers, embedder=embedder, where=Where(alive_at=now), limit=pool, neighbours=neighbours)
        found = await self._store.search(self._scope, probe)
        return found, Question(text=text, weight=sum(terms.values()), times=_times(text, found, now), cohort=near), now

    async def turns(self, ids: Sequence[str]) -> list[frozenset[str]]:
        """Of each item of these ids the turns that it is, or was learnt from."""
        items = await self._store.get(self._scope, list(ids))
        return [frozenset() if item is None else frozenset(_note(item, 0.0).turns) for item in items]

    async def _embedded(self, text: str) -> tuple[list[float] | None, Cohort | None]:
        if self._embedder is None:
            return None, None
        vector = (await self._embedder.embed([text], query=True))[0]
        if self._background is None:
            self._background = Background.of(await self._embedder.embed(COHORT))
        return vector.tolist(), cohort(vector, self._background)

    def bytes(self) -> int | None:
        return self._memory.bytes()


def _times(text: str, found: Candidates, now: datetime) -> tuple[TimeRange, ...]:
    """The times a question speaks of, seen from now and from the newest that was found."""
    seen_from = [now]
    if len(found.table):
        seen_from.append(datetime.fromtimestamp(float(np.max(found.table.times)), UTC))
    times = [time for reference in seen_from for time in find_times(text[-400:], reference=reference, prefer="past")]
    return tuple(time for time in times if isinstance(time, TimeRange))


def _note(item: Item, score: float) -> Note:
    if isinstance(item, Message):
        turns = (item.external_id,) if item.external_id is not None else ()
        return Note(turns=turns, text=item.text, speaker=item.speaker or "", time=item.said_at, score=score)
    learnt_from = tuple(source.external_id for source in item.sources if source.external_id is not None)
    return Note(turns=learnt_from, text=item.text, speaker=item.speaker or "", time=item.valid_from or item.learned_at, score=score)
