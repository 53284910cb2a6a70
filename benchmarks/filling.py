"""Fills stores fast: messages prepared once, many writes at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import uuid_utils

from benchmarks.texts import Writer
from benchmarks.vectors import VectorSpace
from pagefile.language.tokens import count
from pagefile.messages import Draft
from pagefile.ports import NewVector, Store, Vectors
from pagefile.records import Add, Cause, Indexing, Record, Scope, Source
from pagefile.retrieval.indexing import message_indexing

#: Everything was said from here on, a minute apart.
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_AT_ONCE = 64
_VECTORS_AT_ONCE = 1_000
_RECORDS_AT_ONCE = 500
#: Characters of a text that are taken for the value of a fact.
_VALUE = 12


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message whose tokens and terms are known already: segmenting costs more than storing, and is no part of most measurements."""

    text: str
    tokens: int
    indexing: Indexing


class Pool:
    """Prepared messages of one language, from which users draw."""

    def __init__(self, writer: Writer, size: int) -> None:
        texts = writer.messages(size)
        self._prepared = [
            Prepared(text, count(text), message_indexing(role="user", speaker=None, text=text, said_at=START)) for text in texts
        ]

    def take(self, number: int, first: int) -> list[Prepared]:
        """``number`` messages from place ``first`` on, around the end."""
        return [self._prepared[(first + place) % len(self._prepared)] for place in range(number)]


def drafts(prepared: Sequence[Prepared]) -> list[Draft]:
    """New drafts: a user's and an assistant's in turn."""
    return [
        Draft(
            id=str(uuid_utils.uuid7()),
            role="assistant" if place % 2 else "user",
            text=one.text,
            said_at=START + timedelta(minutes=place),
            recorded_at=START + timedelta(minutes=place),
            tokens=one.tokens,
            indexing=one.indexing,
        )
        for place, one in enumerate(prepared)
    ]


async def together(work: Iterable[Awaitable[Any]]) -> None:
    """Await many writes, some at a time, so that they share commits."""
    waiting: list[Awaitable[Any]] = []
    for each in work:
        waiting.append(each)
        if len(waiting) == _AT_ONCE:
            await asyncio.gather(*waiting)
            waiting.clear()
    await asyncio.gather(*waiting)


async def fill(
    store: Store, scope: Scope, prepared: Sequence[Prepared], *, session: int = 50, embedder: str = "", vectors: Vectors | None = None
) -> list[str]:
    """Append messages in sessions of so many, with a vector each if they are given; returns the messages' ids."""
    new = drafts(prepared)
    starts = range(0, len(new), session)
    await together(store.append(scope, f"session {start}", new[start : start + session]) for start in starts)
    if vectors is not None:
        made = [NewVector(id=one.id, hash=one.indexing.embedding_hash, vector=each) for one, each in zip(new, vectors, strict=True)]
        for start in range(0, len(made), _VECTORS_AT_ONCE):
            await store.put_vectors(scope, embedder, made[start : start + _VECTORS_AT_ONCE])
    return [one.id for one in new]


async def remember(
    store: Store,
    scope: Scope,
    prepared: Sequence[Prepared],
    *,
    attribute: str = "note",
    cited: Sequence[str] = (),
    embedder: str = "",
    vectors: Vectors | None = None,
) -> list[str]:
    """Write facts, each learnt from one of the messages ``cited``, with a vector each if they are given; returns their ids."""
    cause = Cause(actor="benchmarks", reason="filling", at=START)
    records = [
        Record(
            id=str(uuid_utils.uuid7()),
            kind="fact",
            text=one.text,
            subject="user",
            attribute=attribute,
            value=one.text[:_VALUE],
            learned_at=START,
            sources=(Source(message=cited[place % len(cited)]),) if cited else (),
        )
        for place, one in enumerate(prepared)
    ]
    new = [Add(item=record, cause=cause, indexing=one.indexing) for record, one in zip(records, prepared, strict=True)]
    for start in range(0, len(new), _RECORDS_AT_ONCE):
        await store.apply(scope, new[start : start + _RECORDS_AT_ONCE])
    if vectors is not None:
        hashes = [one.indexing.embedding_hash for one in prepared]
        made = [NewVector(id=record.id, hash=hash, vector=each) for record, hash, each in zip(records, hashes, vectors, strict=True)]
        await store.put_vectors(scope, embedder, made)
    return [record.id for record in records]


async def settle(store: Store) -> None:
    """Finish the jobs that ask for vectors, so that nobody makes them once more."""
    while jobs := await store.claim(["embed"], now=datetime.now(UTC), lease_seconds=60, limit=1_000):
        await store.complete([job.id for job in jobs])


def user(number: int) -> Scope:
    return Scope("benchmark", f"user {number}")


async def fill_users(
    store: Store, pools: Sequence[Pool], numbers: Iterable[int], messages: int, *, embedder: str = "", space: VectorSpace | None = None
) -> None:
    """Give each of these users so many messages of one language, with vectors if there is a space to draw them from."""

    def one(number: int) -> Awaitable[object]:
        prepared = pools[number % len(pools)].take(messages, first=number * messages)
        vectors = space.draw(messages) if space is not None else None
        return fill(store, user(number), prepared, embedder=embedder, vectors=vectors)

    await together(one(number) for number in numbers)
