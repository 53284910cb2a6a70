"""What the parts of the contract share: the fixture to override, and short ways to write into a store and to look into it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import pytest

from pagefile.messages import Message
from pagefile.ports import NewVector, Store
from pagefile.queries import Candidate, Candidates, Page, Probe, Where
from pagefile.records import Add, Edit, HistoryEntry, Record, Retire, Scope, Status
from pagefile.testing.fakes import hash_of, indexing_of, make_cause, make_draft, make_record, make_vector

ALICE = Scope("acme", "alice")
BOB = Scope("acme", "bob")
EVERY_STATUS: tuple[Status, ...] = ("pending", "current", "superseded", "retired")
EMBEDDER = "model-a"


class Contract:
    """A part of the contract."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        """A new, empty store."""
        raise NotImplementedError("override the fixture ``store`` with one that yields a new, empty store and closes it")
        yield  # type: ignore[unreachable]  # makes it the generator that its overrides are


async def say(store: Store, *texts: str, scope: Scope = ALICE, session: str = "s", **fields: Any) -> list[Message]:
    """Append messages with these texts; returns them."""
    appended = await store.append(scope, session, [make_draft(text, **fields) for text in texts])
    return [each.message for each in appended]


async def learn(store: Store, *texts: str, scope: Scope = ALICE, **fields: Any) -> list[Record]:
    """Add records with these texts; returns them."""
    records = [make_record(text, **fields) for text in texts]
    await store.apply(scope, [Add(item=record, cause=make_cause(), indexing=indexing_of(record.text)) for record in records])
    return records


async def record_of(store: Store, id: str, scope: Scope = ALICE) -> Record:
    """The record as it is now."""
    (item,) = await store.get(scope, [id])
    assert isinstance(item, Record)
    return item


async def message_of(store: Store, id: str, scope: Scope = ALICE) -> Message:
    """The message as it is now."""
    (item,) = await store.get(scope, [id])
    assert isinstance(item, Message)
    return item


async def rewrite(store: Store, id: str, text: str, scope: Scope = ALICE) -> tuple[HistoryEntry, ...]:
    """Edit the text of a record."""
    return await store.apply(scope, [Edit(target=id, fields={"text": text}, cause=make_cause(), indexing=indexing_of(text))])


async def retire(store: Store, *ids: str, scope: Scope = ALICE) -> None:
    await store.apply(scope, [Retire(target=id, cause=make_cause()) for id in ids])


async def flag(store: Store, *ids: str, scope: Scope = ALICE, superseded: bool = True) -> tuple[HistoryEntry, ...]:
    """Say of messages that what was learnt from them no longer holds, or that it does."""
    return await store.apply(scope, [Edit(target=id, fields={"superseded": superseded}, cause=make_cause()) for id in ids])


async def embed(store: Store, vectors: Mapping[str, tuple[float, ...]], scope: Scope = ALICE, embedder: str = EMBEDDER) -> int:
    """Give items their vectors, for the text they have now."""
    items = await store.get(scope, list(vectors))
    new = [
        NewVector(id=item.id, hash=hash_of(item.text), vector=make_vector(*numbers))
        for item, numbers in zip(items, vectors.values(), strict=True)
        if item is not None
    ]
    return await store.put_vectors(scope, embedder, new)


def words(text: str, **fields: Any) -> Probe:
    """A probe for the words of a text, each of weight 1, without neighbours."""
    return Probe(terms={term: 1.0 for term in indexing_of(text).terms}, **({"neighbours": 0} | fields))


def meaning(*numbers: float, embedder: str = EMBEDDER, **fields: Any) -> Probe:
    """A probe by vector, without neighbours."""
    return Probe(vector=make_vector(*numbers).tolist(), embedder=embedder, **({"neighbours": 0} | fields))


async def found(store: Store, text: str, scope: Scope = ALICE, **where: Any) -> set[str]:
    """Ids of the items in which one of the words occurs."""
    candidates = await store.search(scope, words(text, where=Where(**where)))
    return {candidate.id for candidate in candidates.items if candidate.signals.words > 0}


async def near(store: Store, *numbers: float, scope: Scope = ALICE, embedder: str = EMBEDDER) -> dict[str, float]:
    """Id → cosine of the items that a vector finds, of any status."""
    candidates = await store.search(scope, meaning(*numbers, embedder=embedder, where=Where(statuses=EVERY_STATUS)))
    return {each.id: each.signals.cosine for each in candidates.items if each.signals.cosine is not None}


def by_id(candidates: Candidates) -> dict[str, Candidate]:
    """Candidates by id; no id may come twice."""
    assert len({each.id for each in candidates.items}) == len(candidates.items)
    return {each.id: each for each in candidates.items}


def ids(items: Iterable[Any]) -> list[str]:
    return [item.id for item in items]


async def all_pages(scan: Any, *, limit: int = 3, **arguments: Any) -> list[Any]:
    """Everything a scan lists, page by page; ``scan`` is a method of the store with its first arguments bound."""
    listed: list[Any] = []
    page: Page[Any] = await scan(limit=limit, **arguments)
    while True:
        assert len(page.items) <= limit
        listed.extend(page.items)
        if page.cursor is None:
            return listed
        page = await scan(limit=limit, after=page.cursor, **arguments)
