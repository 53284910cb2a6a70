"""Recall: what in this scope answers the query? Words and vectors in one probe, one ranking, an honest score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pagefile.entities import Names
from pagefile.errors import InvalidVector
from pagefile.language.about_oneself import asks_for_all
from pagefile.language.secrets import redact
from pagefile.language.tokens import count
from pagefile.language.words import query_terms
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.ports import Store
from pagefile.queries import Candidates, Hit, Hits, Item, Probe, Where
from pagefile.records import Record, Scope, Source
from pagefile.retrieval.decay import Scores
from pagefile.retrieval.forgotten import without_forgotten
from pagefile.retrieval.fuse import Question, Ranking, Weights, rank
from pagefile.retrieval.graph import beginning, graph_hits, relinked
from pagefile.retrieval.indexing import asks
from pagefile.retrieval.overview import all_known
from pagefile.retrieval.presets import Preset, effort
from pagefile.retrieval.query import Embedded, Query, embedded, embedder_for
from pagefile.retrieval.select import Asked, held, select

#: A message of which records say this share is not shown beside them.
_MOSTLY = 0.5
#: What is left of the score of a message that only asks.
QUESTION_SHARE = 0.5
_QUESTION = re.compile(r"[^.。!！\n]*([?？]|[吗呢][?？]?)\s*")


async def recall(
    parts: Parts,
    scope: Scope,
    query: str,
    *,
    where: Where = Where(),
    limit: int = 10,
    max_tokens: int | None = None,
    floor: float | None = None,
    preset: Preset | None = None,
    explain: bool = False,
    only: bool = True,
    ahead: Awaitable[Embedded] | None = None,
) -> Hits:
    """Find what answers a query, best first; where the query asks for an order in time, in that order.

    ``limit``: at most this many hits (over 10,000 is taken for 10,000). ``max_tokens``: of all hits together; one that does not fit is
    passed over for smaller ones. ``floor``: score under which nothing is returned, 0..1; default 0.15; 0 returns the nearest, however far.
    ``preset``: how much work is done, see ``presets``; default: that of the parts. ``explain``: say what each score is made of. ``only``:
    leave out what plainly does not belong to the answer, such as facts about somebody else and near topics; with a ``floor`` of 0 nothing
    is left out. ``ahead``: what ``embedded`` makes of the same query, if it was begun
    before. A question about the past ("where did I live before?") is answered by what no longer holds, too, unless ``where`` tells which
    statuses or which time is wanted. Raises InputError. A failing embedder is no error: the hits are found by words alone and say so.
    """
    now = parts.now()
    asked = Query.of(query, where, now, limit=limit, max_tokens=max_tokens, floor=floor, explain=explain, only=only)
    if asks_for_all(asked.text) and (known := await all_known(parts.store, scope, asked.where, asked.limit)):
        return _overview(known, max_tokens, explain=explain)
    work = effort(preset or parts.preset)
    made = await (ahead or embedded(embedder_for(parts, preset), asked.text))
    numbers = None if made.vector is None else made.vector.tolist()
    pool = max(work.pool, 2 * asked.limit)
    probe = Probe(terms=asked.terms, vector=numbers, embedder=made.embedder, where=asked.where, limit=pool, neighbours=work.neighbours)
    found, refused = await _looked_up(parts.store, scope, probe)
    if refused:
        made = Embedded(warnings=(*made.warnings, refused))
    times = asked.times_in(found, now)
    question = Question(text=asked.text, weight=sum(asked.terms.values()), times=times, cohort=made.near)
    ranking = rank(found, question, Weights(), now)
    # What leads from one fact to another costs some reads, so only a question is followed.
    follows = work.links and asks(asked.text)
    linked = await graph_hits(parts.store, scope, asked.text, beginning(ranking, found.table), where=asked.where) if follows else {}
    ranking = relinked(ranking, found.table, linked)
    asked = replace(asked, times=times)
    hits = await _answer(parts.store, scope, asked, found, ranking, linked)
    return replace(hits, mode="words" if made.vector is None else "words+vectors", warnings=made.warnings)


def _overview(known: Sequence[Record], max_tokens: int | None, *, explain: bool) -> Hits:
    """Records that all answer what was asked."""
    places, over_budget = _fit(list(range(len(known))), dict(enumerate(known)), max_tokens)
    why = {"overview": 1.0} if explain else None
    return Hits(hits=tuple(_hit(known[place], 1.0, why) for place in places), over_budget=over_budget)


async def _looked_up(store: Store, scope: Scope, probe: Probe) -> tuple[Candidates, str | None]:
    """What the probe finds; by words alone, and why, if its embedder answers to a name whose vectors are kept with another size."""
    try:
        return await store.search(scope, probe), None
    except InvalidVector as error:
        return await store.search(scope, replace(probe, vector=None, embedder=None)), f"found by words alone: {error}"


# --- the answer --------------------------------------------------------------------------------------------------------


async def _answer(store: Store, scope: Scope, asked: Query, found: Candidates, ranking: Ranking, linked: Collection[str]) -> Hits:
    """What is shown of a ranking. ``linked``: ids of what hangs together with whom the question names."""
    matched = int((ranking.scores > 0).sum())
    # As they are shown: a floor that is the score of a hit keeps that hit.
    ranking.scores.round(4, out=ranking.scores)
    scores = ranking.scores[ranking.order]
    good = ranking.order[(scores >= asked.least) & (scores > 0)]
    likely = good[: asked.looked_at + _records_among(good[: asked.looked_at], found)].tolist()
    items = await store.get(scope, [found.table.ids[place] for place in likely])
    items_at = {place: item for place, item in zip(likely, items, strict=True) if item is not None}
    if "superseded" not in asked.where.statuses:
        items_at = {place: item.holding if isinstance(item, Message) else item for place, item in items_at.items()}
    elif "retired" not in asked.where.statuses:
        items_at = await without_forgotten(store, scope, items_at)
    overtaken = await _overtaken(store, scope, asked, items_at)
    items_at = {place: item for place, item in items_at.items() if item.id not in overtaken}
    scored = _hold_back(ranking.scores, items_at, asked.terms)
    shown = await _shown_already(store, scope, asked.where, items_at.values())
    above = [place for place in scored if scored[place] >= asked.floor]
    belonging = above
    if asked.only:
        # What is said of somebody else belongs to the answer where the question leads there: "the sister of Tom".
        wanted = Asked(
            text=asked.text, time=asked.time, times=asked.times, owner=(scope.user,), same=await _of_several_names(store, scope, found)
        )
        belonging = _belonging(wanted, asked.floor, scored, items_at, _documents(found))
        led = [place for place in above if items_at[place].id in linked and place not in belonging]
        belonging = [*belonging, *led] if asked.time is not None else sorted([*belonging, *led], key=lambda place: -scored[place])
    distinct = _distinct(belonging, items_at, shown)
    left_out = len(_distinct(above, items_at, shown)) - len(distinct) if len(belonging) < len(above) else 0
    places, over_budget = _fit(distinct[: asked.limit], items_at, asked.max_tokens)
    return Hits(
        hits=tuple(_hit(items_at[place], scored[place], ranking.why(place) if asked.explain else None) for place in places),
        below_floor=matched - int(((scores >= asked.floor) & (scores > 0)).sum()),
        filtered_out=found.filtered_out,
        over_budget=over_budget,
        left_out=max(0, left_out),
        without_vector=found.without_vector,
    )


async def _of_several_names(store: Store, scope: Scope, found: Candidates) -> tuple[frozenset[str], ...]:
    """The names of each one who has several, by the merges that stand: a read only where a search tells that there are some."""
    if not found.merged:
        return ()
    aliases = await store.aliases(scope)
    names = Names(aliases)
    chiefs = dict.fromkeys(names.root(alias.key) for alias in aliases)
    return tuple(frozenset(names.written([chief])) for chief in chiefs)


async def _overtaken(store: Store, scope: Scope, asked: Query, items: Mapping[int, Item]) -> frozenset[str]:
    """Ids of messages of which nothing held any more at the time that is asked for: a message itself does not tell until when."""
    moment = asked.where.as_of
    old = [item.id for item in items.values() if isinstance(item, Message) and item.superseded]
    if not old or (moment is None and not asked.times):
        return frozenset()
    learnt = await store.citing(scope, old)
    if moment is None:
        held_then = [record for record in learnt if any(held(record, when) for when in asked.times)]
    else:
        held_then = [record for record in learnt if record.valid_to is None or record.valid_to > moment]
    standing = {source.message for record in held_then for source in record.sources}
    told = {source.message for record in learnt for source in record.sources}
    return frozenset(id for id in old if id in told and id not in standing)


def _belonging(wanted: Asked, floor: float, scored: Mapping[int, float], items: Mapping[int, Item], documents: int) -> list[int]:
    """The places of those that belong to the answer, in the order in which they are shown."""
    places = [*scored]
    seen = [(items[place], scored[place]) for place in places]
    return [places[number] for number in select(wanted, seen, documents=documents, floor=floor)]


def _documents(found: Candidates) -> int:
    """How many items the scope has, as far as the search tells."""
    return max(found.words.count, found.cosines.count)


def _records_among(places: NDArray[np.int64], found: Candidates) -> int:
    """So many more may have to be passed over, because they say again what another hit says."""
    return int((found.table.seqs[places] <= 0).sum())


async def _shown_already(store: Store, scope: Scope, where: Where, items: Iterable[Item]) -> frozenset[str]:
    """Ids of the messages in the window that records among these rest on: the window shows them already."""
    if where.not_in_window is None:
        return frozenset()
    session, first = where.not_in_window
    cited = {source.message for item in items if isinstance(item, Record) and item.session == session for source in item.sources}
    messages = await store.get(scope, sorted(cited)) if cited else ()
    return frozenset(item.id for item in messages if isinstance(item, Message) and item.session == session and item.seq >= first)


def _distinct(places: Sequence[int], items: Mapping[int, Item], shown: frozenset[str]) -> list[int]:
    """The places whose items say something that no better one has said: a record and the message it was learnt from are one hit."""
    kept: list[int] = []
    said, texts = set(shown), set[str]()
    #: Message → how much of it the records that are kept say.
    covered: Counter[str] = Counter()
    for place in places:
        item = items[place]
        if item.text in texts:
            continue
        texts.add(item.text)
        if isinstance(item, Message):
            if covered[item.id] < _MOSTLY * len(item.text):
                kept.append(place)
                said.add(item.id)
            continue
        sources = {source.message for source in item.sources}
        if not sources or not sources <= said:
            kept.append(place)
            covered.update({source.message: end - start for source in item.sources for start, end in [source.span or (0, 0)]})
    return kept


def _hold_back(scores: Scores, items: Mapping[int, Item], terms: Collection[str]) -> dict[int, float]:
    """Place → score, best first."""
    held = {place: round(float(scores[place]) * _share(item, terms), 4) for place, item in items.items()}
    return dict(sorted(held.items(), key=lambda one: -one[1]))


def _share(item: Item, terms: Collection[str]) -> float:
    """What is left of the score of an item, by its text."""
    if not isinstance(item, Message):
        return 1.0
    # A question is the nearest thing to the same question asked again, and answers nothing. So does what is left of a message of which
    # the part that was found no longer holds.
    asks = _QUESTION.fullmatch(item.text) is not None
    return QUESTION_SHARE if asks or (item.outdated and query_terms(item.text).keys().isdisjoint(terms)) else 1.0


def _fit(places: list[int], items: Mapping[int, Item], max_tokens: int | None) -> tuple[list[int], int]:
    """Those that fit, best first, and how many do not."""
    if max_tokens is None:
        return places, 0
    kept: list[int] = []
    left = max_tokens
    for place in places:
        tokens = _tokens(items[place])
        if tokens <= left:
            kept.append(place)
            left -= tokens
    return kept, len(places) - len(kept)


def _tokens(item: Item) -> int:
    # Records carry no count, and a store's guess would pass the caller's limit.
    return item.tokens if isinstance(item, Message) else count(item.text)


def _hit(item: Item, score: float, why: Mapping[str, float] | None) -> Hit:
    return Hit(
        id=item.id,
        kind="message" if isinstance(item, Message) else item.kind,
        # Rows written before secrets were taken out, or by another program.
        text=redact(item.text).text,
        score=score,
        time=item.said_at if isinstance(item, Message) else item.valid_from or item.learned_at,
        session=item.session,
        speaker=item.speaker,
        role=item.role if isinstance(item, Message) else None,
        sources=(Source(message=item.id, external_id=item.external_id),) if isinstance(item, Message) else item.sources,
        trust=item.trust,
        tokens=_tokens(item),
        why=why,
    )
