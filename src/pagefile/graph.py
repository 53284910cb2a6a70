"""Who and what a memory knows, and how they hang together: entities, their neighbours, paths and time lines. ``scoped.py`` is its front.

There is no second truth: an edge is a record that names both its ends, and the graph is read off the records that hold, or held. Only which
names stand for the same is kept beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations

from pagefile.entities import ENTITY, ME, Edge, Entity, EntityCard, Happening, Mention, Named, Names, Neighbour, Within, happening
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.intake import name_to_keep
from pagefile.language.entities import entity_key, mentions, plain_text, stands_in
from pagefile.language.words import query_terms
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.queries import Page, Probe, Where
from pagefile.records import Cause, Change, HistoryEntry, Merge, Record, Scope, Split, Status
from pagefile.stores.rules import cursor_position, page_limit

#: Records that are read at one step to neighbours, the newest first; and at one step of a path, which is to be found if there is one.
_MOST_RECORDS = 500
_MOST_ON_A_PATH = 20_000
#: Hops that may be asked for.
MOST_HOPS = 6
#: Facts of each kind that a card shows unless more are asked for.
MOST_SHOWN = 200
#: The statuses of records that are known of.
_KNOWN: tuple[Status, ...] = ("current", "superseded")
#: Messages with the words of a name whose times are looked at, and so many of which are read at once, the newest first.
_MOST_MESSAGES = 100_000
_MESSAGES_AT_ONCE = 200


class Graph:
    """The entities of one scope."""

    def __init__(self, parts: Parts, scope: Scope, actor: str | None = None) -> None:
        """``actor``: who merges and splits, if it is not the user."""
        self._parts = parts
        self._store = parts.store
        self._scope = scope
        self._actor = actor or f"user:{scope.user}"

    # --- reading -------------------------------------------------------------------------------------------------------

    async def entities(self, query: str | None, *, after: str | None, limit: int) -> Page[Entity]:
        """All entities, those most records name first; ``query``: those with it in one of their names."""
        start, size = cursor_position(after) or 0, page_limit(limit)
        names, wanted = await self._names(), None if query is None else _checked(query)
        groups: dict[str, list[Named]] = {}
        for each in await self._store.named(self._scope):
            groups.setdefault(names.root(each.key), []).append(each)
        chosen = {
            key: found
            for key, found in groups.items()
            if wanted is None or any(wanted in each for each in (*names.same(key), *(one.key for one in found)))
        }
        entities = {key: await self._counted(key, found, names) for key, found in chosen.items()}
        ordered = sorted(entities, key=lambda key: (-entities[key].records, key))
        page = ordered[start : start + size]
        return Page(
            items=tuple(entities[key] for key in page),
            cursor=str(start + size) if len(ordered) > start + size else None,
            total=len(ordered),
        )

    async def entity(self, name: str, *, limit: int = MOST_SHOWN) -> EntityCard:
        """What is known of an entity; of what holds and of what held the newest ``limit`` each. Raises NotFound."""
        size, names = page_limit(limit), await self._names()
        key = await self._known(name, names)
        same, now = names.same(key), self._parts.now()
        found = await self._store.named(self._scope, same)
        current, past = [
            await self._store.naming(self._scope, same, within=Within(statuses=(status,), alive_at=now), limit=size + 1)
            for status in ("current", "superseded")
        ]
        entity = _entity(key, found, names, [*current, *past])
        if max(len(current), len(past)) > size:
            # More than are read.
            entity = replace(await self._counted(key, found, names), last=entity.last)
        history = [entry for each in same for entry in await self._store.history(self._scope, f"{ENTITY}{each}")]
        return EntityCard(
            entity=entity,
            current=tuple(sorted(current, key=_order, reverse=True)[:size]),
            past=tuple(sorted(past, key=_order, reverse=True)[:size]),
            history=tuple(sorted(history, key=lambda entry: int(entry.id))),
        )

    async def neighbours(self, name: str, *, hops: int, as_of: datetime | None, limit: int) -> tuple[Neighbour, ...]:
        """The entities that stand in a record with one, and with those, up to ``hops`` edges away; the nearest and best linked first.
        Raises NotFound."""
        names = await self._names()
        begin = await self._known(name, names)
        walk = _Walk(names, begin)
        for hop in range(1, _checked_hops(hops) + 1):
            if not walk.frontier:
                break
            walk.step(await self._holding(walk.frontier, names, as_of, _MOST_RECORDS), hop)
        found = sorted(walk.reached.items(), key=lambda one: (one[1][0], -len(one[1][1]), one[0]))
        return tuple(
            Neighbour(name=walk.names[key], hops=hops_away, edges=tuple(edges)) for key, (hops_away, edges) in found[: page_limit(limit)]
        )

    async def path(self, start: str, end: str, *, max_hops: int, as_of: datetime | None) -> tuple[Edge, ...]:
        """The fewest edges that lead from one entity to another, in order; none if they do not hang together so closely, or are one.
        Raises NotFound if one of them is not there."""
        most, names = _checked_hops(max_hops, "max_hops"), await self._names()
        first, last = await self._known(start, names), await self._known(end, names)
        if first == last:
            return ()
        # From both ends, each step from where fewer records are: so the way from somebody whom very much is told of is found, too.
        walks = (_Walk(names, first), _Walk(names, last))
        for hop in range(most):
            counts = [await self._count(walk.frontier, names) for walk in walks]
            near, far = walks if counts[0] <= counts[1] else walks[::-1]
            near.step(await self._holding(near.frontier, names, as_of, _MOST_ON_A_PATH), hop + 1)
            if (met := next(filter(far.has, near.frontier), None)) is not None:
                return (*walks[0].path_to(met), *reversed(walks[1].path_to(met)))
            if not near.frontier:
                break
        return ()

    async def timeline(self, name: str, *, since: datetime | None, until: datetime | None, limit: int) -> tuple[Happening, ...]:
        """What records and messages tell of an entity, oldest first; of more than ``limit`` the newest. Raises NotFound."""
        names = await self._names()
        key = await self._known(name, names)
        size, now = page_limit(limit), self._parts.now()
        within = Within(alive_at=now, since=since, until=until)
        items: list[Record | Message] = [*await self._store.naming(self._scope, names.same(key), within=within, limit=size)]
        # Of what is about the user everything speaks.
        if key != ME:
            items += await self._messages(names, key, within, size)
        return tuple(sorted(map(happening, items), key=lambda each: (each.at, each.id))[-size:])

    # --- names ---------------------------------------------------------------------------------------------------------

    async def merge(self, name: str, into: str, *, reason: str) -> HistoryEntry:
        """Let one name stand for the same as another; if they do already, the change that made it so. Raises ConflictError for one name."""
        names = await self._names()
        first, second = (name_to_keep(each, "name") for each in (name, into))
        keys = [names.root(_checked(each)) for each in (first, second)]
        if keys[0] == keys[1]:
            return await self._merged(first, second, names)
        if keys[0] == ME:
            # The user is nobody's alias.
            first, second, keys = second, first, keys[::-1]
        alias, chief = [names.shown(key) or given for key, given in zip(keys, (first, second), strict=True)]
        return await self._change(Merge(target=alias, into=ME if keys[1] == ME else chief, cause=self._cause(reason)))

    async def _merged(self, first: str, second: str, names: Names) -> HistoryEntry:
        """The merge that made these names one: the last of those on the way from one to the other."""
        joining = names.between(entity_key(first), entity_key(second))
        history = [
            entry for key in joining for entry in await self._store.history(self._scope, f"{ENTITY}{key}") if entry.change == "merge"
        ]
        if not history:
            raise ConflictError(f"{first!r:.80} and {second!r:.80} are one name; nothing was changed")
        return max(history, key=lambda entry: int(entry.id))

    async def split(self, alias: str, *, reason: str) -> HistoryEntry:
        """Take back the merge of a name into another. Raises NotFound if it was not merged."""
        return await self._change(Split(target=name_to_keep(alias, "alias"), cause=self._cause(reason)))

    async def _change(self, change: Change) -> HistoryEntry:
        (entry,) = await self._store.apply(self._scope, [change])
        return entry

    def _cause(self, reason: str) -> Cause:
        return Cause(actor=self._actor, reason=reason, at=self._parts.now())

    # --- inside --------------------------------------------------------------------------------------------------------

    async def _names(self) -> Names:
        return Names(await self._store.aliases(self._scope))

    async def _known(self, name: str, names: Names) -> str:
        """The key that a name stands for. The user is always known. Raises NotFound."""
        key = _checked(name)
        chief = names.root(key)
        if chief != ME and names.shown(key) is None and not await self._store.named(self._scope, [key]):
            raise NotFound(f"nobody and nothing is called {name!r:.80} here; names come from entities")
        return chief

    async def _counted(self, key: str, found: Sequence[Named], names: Names) -> Entity:
        """An entity with how many records name it. ``found``: its names that records have."""
        if len(found) == 1:
            # As the index of names has it, in which what has expired still counts.
            (only,) = found
            return replace(_entity(key, found, names, ()), records=only.records, first=only.first, last=only.last)
        # A record may have two of its names, and counts once.
        within = Within(alive_at=self._parts.now())
        return _entity(key, found, names, await self._store.naming(self._scope, names.same(key), within=within))

    async def _count(self, keys: Iterable[str], names: Names) -> int:
        """About how many records name these: one that names two of them counts twice."""
        return sum(each.records for each in await self._store.named(self._scope, names.all(keys)))

    async def _holding(self, keys: Iterable[str], names: Names, as_of: datetime | None, limit: int) -> tuple[Record, ...]:
        """The records that name one of these and hold, or held then: of more than ``limit`` those that began last."""
        at = as_of or self._parts.now()
        within = Within(statuses=("current",), alive_at=at) if as_of is None else Within(as_of=as_of, alive_at=at)
        return await self._store.naming(self._scope, names.all(keys), within=within, limit=limit)

    async def _messages(self, names: Names, key: str, within: Within, size: int) -> list[Message]:
        """The newest ``size`` messages in which one of the names stands, without those that a record tells of it."""
        keys = names.same(key)
        named = [each.name for each in await self._store.named(self._scope, keys)]
        written = dict.fromkeys([*named, *names.other_names(key), *filter(None, [names.shown(key)])])
        terms = {term: weight for name in written for term, weight in query_terms(name).items()}
        if not terms:
            return []
        where = Where(kinds=("message",), statuses=_KNOWN, since=within.since, until=within.until)
        table = (await self._store.search(self._scope, Probe(terms=terms, where=where, limit=_MOST_MESSAGES, neighbours=0))).table
        newest = sorted(zip(table.times, table.ids, strict=True), reverse=True)
        found: list[Message] = []
        for start in range(0, len(newest), _MESSAGES_AT_ONCE):
            if len(found) >= size:
                break
            items = await self._store.get(self._scope, [id for _, id in newest[start : start + _MESSAGES_AT_ONCE]])
            naming = [each for each in items if isinstance(each, Message) and _speaks_of(each, keys)]
            cited = await self._cited(naming, set(keys), within)
            found += [each for each in naming if each.id not in cited]
        return found

    async def _cited(self, messages: Sequence[Message], keys: set[str], within: Within) -> set[str]:
        """What of these a record tells that names one of the keys, also one that began at another time."""
        citing = await self._store.citing(self._scope, [each.id for each in messages]) if messages else ()
        alive = Within(alive_at=within.alive_at)
        told_by = [each for each in citing if alive.has(each) and keys & _keys(each)]
        return {source.message for record in told_by for source in record.sources}


class _Walk:
    """Edges followed step by step, each entity reached by the fewest."""

    def __init__(self, names: Names, begin: str) -> None:
        self._same = names
        self._begin = begin
        #: Key → how many edges away, and the edges by which it was reached.
        self.reached: dict[str, tuple[int, list[Edge]]] = {}
        self._before: dict[str, tuple[str, Edge]] = {}
        self.frontier: list[str] = [begin]
        #: Key → its name, as it was written last, or as a merge has it.
        self.names: dict[str, str] = {}

    def step(self, records: Sequence[Record], hop: int) -> None:
        frontier, new = set(self.frontier), dict[str, None]()
        for record in records:
            its_names = _distinct(mentions(record), self._same)
            for key, mention in its_names.items():
                self.names[key] = self._same.shown(key) or mention.name
            for one, other in combinations(its_names, 2):
                for near, far in ((one, other), (other, one)):
                    if near not in frontier or far == self._begin or self.reached.get(far, (hop,))[0] < hop:
                        continue
                    edge = _edge(record, its_names[one], its_names[other], self.names[one], self.names[other])
                    self.reached.setdefault(far, (hop, []))[1].append(edge)
                    self._before.setdefault(far, (near, edge))
                    new[far] = None
        self.frontier = list(new)

    def has(self, key: str) -> bool:
        return key == self._begin or key in self.reached

    def path_to(self, key: str) -> tuple[Edge, ...]:
        edges: list[Edge] = []
        while key in self._before:
            key, edge = self._before[key]
            edges.append(edge)
        return tuple(reversed(edges))


def _distinct(found: Sequence[Mention], names: Names) -> dict[str, Mention]:
    """Key that each name stands for → the first mention of it."""
    kept: dict[str, Mention] = {}
    for mention in found:
        kept.setdefault(names.root(mention.key), mention)
    return kept


def _edge(record: Record, one: Mention, other: Mention, start: str, end: str) -> Edge:
    """``one`` stands before ``other`` in the record: a subject comes first, then its value."""
    return Edge(
        start=start,
        end=end,
        attribute=record.attribute if (one.role, other.role) == ("subject", "value") else None,
        record=record.id,
        text=record.text,
        holds=record.status == "current",
        since=_began(record),
        until=record.valid_to,
        sources=record.sources,
    )


def _began(record: Record) -> datetime:
    return record.valid_from or record.learned_at


def _order(record: Record) -> tuple[datetime, datetime]:
    return _began(record), record.learned_at


def _keys(record: Record) -> set[str]:
    return {mention.key for mention in mentions(record)}


def _speaks_of(message: Message, keys: Iterable[str]) -> bool:
    plain = plain_text(message.text)
    return any(stands_in(key, plain) for key in keys)


def _entity(key: str, found: Sequence[Named], names: Names, records: Sequence[Record]) -> Entity:
    times = [_began(each) for each in records]
    return Entity(
        name=_name_of(key, found, names),
        aliases=names.other_names(key),
        records=len(records),
        first=min(times, default=None),
        last=max(times, default=None),
    )


def _name_of(key: str, found: Sequence[Named], names: Names) -> str:
    written = next((each.name for each in found if each.key == key), None)
    return names.shown(key) or written or (found[0].name if found else key)


def _checked(name: str) -> str:
    if not isinstance(name, str) or not (key := entity_key(name)):
        raise InputError(f"{name!r:.80} is no name; give one with letters or figures")
    return key


def _checked_hops(hops: int, what: str = "hops") -> int:
    if not isinstance(hops, int) or isinstance(hops, bool) or not 1 <= hops <= MOST_HOPS:
        raise InputError(f"{what} must be a whole number from 1 to {MOST_HOPS}, not {hops!r:.40}")
    return hops
