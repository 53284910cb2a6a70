"""A walk over who and what records name: from what a question names to what hangs together with it.

Personalised PageRank (Haveliwala, "Topic-sensitive PageRank", 2002) over a graph of two kinds of nodes, records and the names in them,
begun at the names in the question and at the records that its words found (as Gutiérrez and others do in "HippoRAG", 2024). So "where does
the sister of Tom work?" reaches what is said of Anna, of whom one record says that she is his sister.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pagefile.entities import ME, Names, Within
from pagefile.language.entities import entity_key, mentions, plain_text, possible_keys, stands_in
from pagefile.language.names import KIN, names_in
from pagefile.language.patterns import late_pattern
from pagefile.language.words import query_terms, terms
from pagefile.ports import Store
from pagefile.queries import CandidateTable, Probe, Where
from pagefile.records import Record, Scope
from pagefile.retrieval.fuse import Ranking

#: The chance that a walk goes on at each step, and how many steps are reckoned: the rest is below a thousandth.
_GOES_ON = 0.6
_ROUNDS = 16
#: Records that name what the question names, and the best of what the question found, that are looked at for names.
_NEAR, _BEST = 60, 3
#: Names that these name, too, and from which the walk goes on; and what is looked at for them.
_MOST_BRIDGES, _FAR = 16, 80
#: Of the best that were found by other means so many are where a walk begins.
_BEGIN = 20
#: The share of the best score by which a walk lifts what is nearest to what a question names.
LINK_SHARE = 0.3
#: What a name in the question counts beside all records that its words found.
_NAME_SHARE = 0.5


def linked(
    named: Mapping[str, Collection[str]], names: Mapping[str, float], records: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Record id → how near it is to where the walk began, 0..1, the nearest 1; those it does not reach are left out.

    ``named``: record id → the keys of what it names. ``names`` and ``records``: where the walk begins, key or id → weight above 0; what
    is not among ``named`` counts for nothing.
    """
    ids = list(named)
    keys = list(dict.fromkeys(key for each in named.values() for key in each))
    place = {key: number for number, key in enumerate(keys)}
    start = np.zeros(len(ids) + len(keys))
    for key, weight in names.items():
        if key in place:
            start[len(ids) + place[key]] += weight
    if start.any():
        start *= _NAME_SHARE / start.sum()
    found = np.array([(records or {}).get(id, 0.0) for id in ids])
    if found.any():
        start[: len(ids)] += found * ((1 - start.sum()) / found.sum())
    if not start.any():
        return {}
    reached = _walked(_steps([[place[key] for key in dict.fromkeys(named[id])] for id in ids], len(keys)), start)[: len(ids)]
    best = reached.max()
    # The root: each record on the way takes its share of the chance, and two facts away must still count.
    return {id: float((weight / best) ** 0.5) for id, weight in zip(ids, reached, strict=True) if weight > 0}


def _steps(names: Sequence[Sequence[int]], count: int) -> NDArray[np.float64]:
    """The chance of each step, shape (nodes, nodes), columns from: records first, then names."""
    size = len(names)
    among = np.zeros((size, count))
    for record, its_names in enumerate(names):
        among[record, its_names] = 1.0
    # What many records name says little of each.
    telling = among / np.log2(1.0 + np.maximum(among.sum(axis=0), 1.0))
    steps = np.zeros((size + count, size + count))
    steps[size:, :size] = _shares(telling.T)
    steps[:size, size:] = _shares(among)
    return steps


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column in shares of its sum."""
    sums = weights.sum(axis=0)
    return np.asarray(weights / np.where(sums > 0, sums, 1.0))


def _walked(steps: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where a walk is found that begins anew with every step it does not go on."""
    at = start
    for _ in range(_ROUNDS):
        at = _GOES_ON * (steps @ at) + (1 - _GOES_ON) * start
    return np.asarray(at)


#: What stands around the name of somebody by whom a question asks of another one.
_POSSESSES = late_pattern(r"'s(?![^\W_])|'(?!\w)|\s?的(?!是|吗|呢|$)")
_LED = late_pattern(r"(?<![^\W_])(?:of|by|for|with|from|that|which|who|whom|where) (?:(?:the|mr|mrs|ms|dr)\.? )?$")
_POSSESSES_CHINESE = late_pattern(r"[^，。；？?！\s的]{0,6}的(?!是|吗|呢|$)")
_MINE = late_pattern(rf"\b(?:my|our)\b|[我咱](?:们|家)?的|我(?={KIN})")
_HAN = late_pattern(r"[\u3400-\u9fff]")
#: What somebody is asked by: "my brother", "Tom's boss", "the sister of Tom", 小李的老板, 我哥哥.
_POSSESSED = late_pattern(
    r"(?:\b(?:my|our)|[\w.]['’]s|s['’])\s+([^\W\d_]+)|([^\W\d_]+)\s+of\s"
    rf"|的(?:那[个位])?([\u3400-\u9fff]{{2}})|[我咱](?:们|家)?({KIN})",
    re.IGNORECASE,
)


async def graph_hits(store: Store, scope: Scope, question: str, found: Mapping[str, float], *, where: Where = Where()) -> dict[str, float]:
    """Id of a record or message → how near it is to what a question names, 0..1; empty if nothing that is named leads on.

    Only what is asked of somebody else by that name leads on ("Tom's sister", 小李的老板), and a walk goes on only from records that say
    something of that beside the name, as "Tom's sister is Anna" does: else whatever is told of Tom would come with every question that
    names him.

    ``found``: ids of what the question found by other means, best first, with their scores. Beside these only what passes ``where`` is
    given. Takes at most six reads of the store, two where the question names nobody known, and none where it asks of nobody by a name.
    """
    plain = plain_text(question)
    led = [key for key in possible_keys(question) if _leads_on(key, plain)]
    if not led:
        return {}
    same = Names(await store.aliases(scope))
    asked = {same.root(key) for key in led}
    seeds = {same.root(each.key): 1.0 for each in await store.named(scope, same.all(asked - {ME}))} | ({ME: 1.0} if ME in asked else {})
    if not seeds:
        return {}
    best = [item for item in await store.get(scope, list(found)[:_BEST]) if isinstance(item, Record)]
    near = await _naming(store, scope, same.all(seeds.keys() - {ME}), where) if seeds.keys() - {ME} else ()
    records = _telling((*best, *near), question, seeds, same, best={item.id for item in best}, where=where)
    named = {id: same.roots(mentions(record)) for id, record in records.items()}
    proper = {same.root(entity_key(name)) for record in records.values() for name in (*names_in(record.text), *record.entities)}
    counts = Counter(key for keys in named.values() for key in keys if key in proper)
    bridges = [key for key, _ in counts.most_common() if key != ME and key not in seeds]
    if not bridges:
        return {}
    passing = set(found) | await _far(store, scope, named, bridges[:_MOST_BRIDGES], records, same, where)
    return {id: weight for id, weight in linked(named, seeds, found).items() if id in passing}


async def _naming(store: Store, scope: Scope, keys: Sequence[str], where: Where) -> list[Record]:
    """The records that name these, as the question sees the world: what held then, was known then and had not expired."""
    statuses = tuple(status for status in Within().statuses if status in where.statuses)
    within = Within(statuses=statuses, as_of=where.as_of, alive_at=where.alive_at)
    found = await store.naming(scope, keys, within=within, limit=_NEAR)
    return [record for record in found if where.known_at is None or _known(record, where.known_at)]


def _known(record: Record, at: datetime) -> bool:
    return record.learned_at <= at and (record.retired_at is None or record.retired_at > at)


def _leads_on(key: str, question: str) -> bool:
    """Whether a question names somebody to ask of another one: "Tom's sister", "the firm that Tom runs", 小李的老板."""
    if key == ME:
        return _MINE.search(question) is not None
    chinese = _HAN.search(key) is not None
    place = question.find(key)
    while place >= 0:
        end = place + len(key)
        if chinese and _POSSESSES_CHINESE.match(question, end):
            return True
        if not chinese and (place == 0 or not question[place - 1].isalnum()):
            whole = end == len(question) or not question[end].isalnum()
            if _POSSESSES.match(question, end) or (whole and _LED.search(question[:place])):
                return True
        place = question.find(key, place + 1)
    return False


def _telling(
    records: Iterable[Record], question: str, seeds: Mapping[str, float], same: Names, *, best: Collection[str], where: Where
) -> dict[str, Record]:
    """Of the records that name what the question names, those that say by whom of theirs it asks ("my brother", "Tom's boss"); where the
    question does not tell, or of somebody else none does ("is married to" for "wife"), those that say something else of what is asked, or
    were found best by it."""
    first = _POSSESSED.search(question)
    by = {term for word in (first.groups() if first else ()) if word for term in terms(word) if len(term) > 1}
    asked = {term for term in query_terms(question) if len(term) > 1}
    saying, others = dict[str, Record](), dict[str, Record]()
    for record in records:
        keys = set(same.roots(mentions(record)))
        if record.status not in where.statuses or not seeds.keys() & keys:
            continue
        own = {term for mention in mentions(record) if same.root(mention.key) in seeds for term in terms(mention.name)}
        told = terms(record.text).keys() - own
        if by & told:
            saying[record.id] = record
        if record.id in best or asked & told:
            others[record.id] = record
    # Of the user nearly everything says something.
    return saying if saying or (by and not seeds.keys() - {ME}) else others


async def _far(
    store: Store,
    scope: Scope,
    named: dict[str, list[str]],
    bridges: Sequence[str],
    records: Mapping[str, Record],
    same: Names,
    where: Where,
) -> set[str]:
    """Note what items name that speak of these names; returns their ids."""
    shown = {same.root(mention.key): mention.name for record in records.values() for mention in mentions(record)}
    looked_for = dict[str, float]()
    for name in (*(shown[key] for key in bridges), *same.written(bridges)):
        looked_for |= query_terms(name)
    there = await store.search(scope, Probe(terms=looked_for, where=where, limit=_FAR, neighbours=0))
    keys = {key: same.root(key) for key in same.all(bridges)}
    for item in await store.get(scope, there.table.ids):
        if item is None or item.id in named:
            continue
        plain = plain_text(item.text)
        told = [root for key, root in keys.items() if stands_in(key, plain)]
        told += [root for root in same.roots(mentions(item)) if root in bridges] if isinstance(item, Record) else []
        if told:
            named[item.id] = list(dict.fromkeys(told))
    return set(there.table.ids)


def lifted(scores: NDArray[np.float64], ids: Sequence[str], near: Mapping[str, float], share: float = LINK_SHARE) -> NDArray[np.float64]:
    """The scores of candidates, 0..1, those higher that a walk reaches: by their nearness, and by no more than ``share`` of the best
    score, so that where nothing is an answer nothing becomes one. ``ids``: of the candidates, in the order of the scores."""
    reached = np.array([near.get(id, 0.0) for id in ids])
    return np.asarray(np.minimum(1.0, scores + share * scores.max(initial=0.0) * reached))


def beginning(ranking: Ranking, table: CandidateTable) -> dict[str, float]:
    """Where a walk begins: the best of a ranking, by id."""
    return {table.ids[place]: float(ranking.scores[place]) for place in ranking.order[:_BEGIN]}


def relinked(ranking: Ranking, table: CandidateTable, near: Mapping[str, float]) -> Ranking:
    """The ranking with what a walk reaches lifted: every candidate once, best first; of equal scores the newest first."""
    if not near or not len(table):
        return ranking
    scores = lifted(ranking.scores, table.ids, near)
    return replace(ranking, scores=scores, order=np.lexsort((-table.times, -scores)))
