"""Filters: each lets through what it says, and all of them come before the ranking."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import Trust
from pagefile.testing.fakes import START
from pagefile.testing.store_contract.base import ALICE, EVERY_STATUS, Contract, by_id, embed, found, ids, learn, meaning, say, words

DAY = timedelta(days=1)


async def furnish(store: Store) -> dict[str, str]:
    """One item of each sort, all with the word "tea"; returns id → name."""
    sorts: dict[str, tuple[Any, dict[str, Any]]] = {
        "user": (say, {"speaker": "Alice", "session": "one", "said_at": START}),
        "assistant": (say, {"role": "assistant", "agent": "cook", "session": "one", "said_at": START + DAY}),
        "tool": (say, {"role": "tool", "session": "two", "said_at": START + 2 * DAY}),
        "imported": (say, {"origin": "imported", "session": "two", "said_at": START + 3 * DAY}),
        "fact": (learn, {"tags": ("drink", "home"), "speaker": "Alice", "valid_from": START, "learned_at": START + 9 * DAY}),
        "event": (learn, {"kind": "event", "tags": ("drink",), "agent": "cook", "learned_at": START + DAY, "session": "one"}),
        "pending": (learn, {"status": "pending", "trust": Trust.IMPORTED, "learned_at": START + 2 * DAY}),
        "retired": (learn, {"status": "retired", "trust": Trust.USER_CONFIRMED, "learned_at": START + 3 * DAY}),
        "expiring": (learn, {"kind": "procedure", "expires_at": START + 5 * DAY, "learned_at": START + 3 * DAY}),
    }
    return {(await write(store, "tea", **fields))[0].id: name for name, (write, fields) in sorts.items()}


CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"user", "assistant", "tool", "imported", "fact", "event", "expiring"}),
    ({"kinds": ("message",)}, {"user", "assistant", "tool", "imported"}),
    ({"kinds": ("event", "procedure")}, {"event", "expiring"}),
    ({"kinds": ("passage",)}, set()),
    ({"kinds": ()}, set()),
    ({"sessions": ("one",)}, {"user", "assistant", "event"}),
    ({"sessions": ("one", "two")}, {"user", "assistant", "event", "tool", "imported"}),
    ({"sessions": ("o%", "_ne", "three")}, set()),
    ({"sessions": ()}, set()),
    ({"not_in_window": ("one", 2)}, {"user", "tool", "imported", "fact", "event", "expiring"}),
    ({"not_in_window": ("one", 1)}, {"tool", "imported", "fact", "event", "expiring"}),
    ({"not_in_window": ("three", 1)}, {"user", "assistant", "tool", "imported", "fact", "event", "expiring"}),
    ({"agent": "cook"}, {"assistant", "event"}),
    ({"speaker": "Alice"}, {"user", "fact"}),
    ({"speaker": "alice' OR '1'='1"}, set()),
    ({"roles": ("user", "tool")}, {"user", "tool", "imported"}),
    ({"roles": ()}, set()),
    ({"tags": ("drink",)}, {"fact", "event"}),
    ({"tags": ("home", "drink")}, {"fact"}),
    ({"tags": ("drin",)}, set()),
    ({"tags": ()}, set()),
    ({"since": START + 2 * DAY}, {"tool", "imported", "expiring"}),
    ({"until": START + DAY}, {"user", "fact"}),
    ({"since": START + DAY, "until": START + 2 * DAY}, {"assistant", "event"}),
    (
        {"since": (START + DAY).astimezone(timezone(timedelta(hours=8))), "until": START + DAY + timedelta(microseconds=1)},
        {"assistant", "event"},
    ),
    ({"since": START + DAY, "until": START + DAY}, set()),
    ({"statuses": ("pending",), "kinds": ("fact",)}, {"pending"}),
    ({"statuses": ("retired",), "kinds": ("fact",)}, {"retired"}),
    ({"statuses": EVERY_STATUS, "kinds": ("fact",)}, {"fact", "pending", "retired"}),
    ({"statuses": ()}, set()),
    ({"min_trust": Trust.USER_SAID}, {"user", "fact", "event", "expiring"}),
    ({"min_trust": Trust.TOOL_OUTPUT, "kinds": ("message",)}, {"user", "assistant", "tool"}),
    ({"min_trust": Trust.USER_CONFIRMED, "statuses": EVERY_STATUS}, {"retired"}),
    ({"alive_at": START + 5 * DAY, "kinds": ("procedure",)}, set()),
    ({"alive_at": START + 5 * DAY - timedelta(microseconds=1), "kinds": ("procedure",)}, {"expiring"}),
    ({"alive_at": START + 9 * DAY, "kinds": ("fact",)}, {"fact"}),
    ({"kinds": ("message",), "sessions": ("one",), "roles": ("assistant",), "agent": "cook", "since": START}, {"assistant"}),
]


class FiltersContract(Contract):
    @pytest.mark.parametrize(("where", "expected"), CASES, ids=lambda value: str(value)[:60] if isinstance(value, dict) else "")
    async def test_search_and_scans_let_the_same_items_through(self, store: Store, where: dict[str, Any], expected: set[str]) -> None:
        names = await furnish(store)
        chosen = Where(**where)
        searched = {names[id] for id in await found(store, "tea", **where)}
        messages, records = await store.messages(ALICE, None, where=chosen), await store.records(ALICE, where=chosen)
        assert searched == {names[id] for id in [*ids(messages.items), *ids(records.items)]} == expected
        candidates = await store.search(ALICE, words("tea", where=chosen))
        assert candidates.filtered_out == len(names) - len(expected)

    async def test_a_message_in_the_window_is_left_out_but_the_same_number_elsewhere_is_not(self, store: Store) -> None:
        first = await say(store, "tea", "tea", "tea", session="one")
        second = await say(store, "tea", "tea", "tea", session="two")
        expected = {first[0].id, *(message.id for message in second)}
        assert await found(store, "tea", not_in_window=("one", 2)) == expected

    async def test_a_filter_never_starves_a_search_by_words(self, store: Store) -> None:
        wanted = (await say(store, "a long way round to a cup of tea", session="small"))[0]
        await say(store, *("tea tea tea" for _ in range(40)), session="large")
        candidates = await store.search(ALICE, words("tea", limit=5, where=Where(sessions=("small",))))
        assert set(by_id(candidates)) == {wanted.id}
        assert candidates.filtered_out == 40

    async def test_a_filter_never_starves_a_search_by_vector(self, store: Store) -> None:
        wanted = (await say(store, "far", session="small"))[0]
        others = await say(store, *(f"near {number}" for number in range(40)), session="large")
        await embed(store, {wanted.id: (-1.0,)} | {message.id: (1.0,) for message in others})
        candidates = by_id(await store.search(ALICE, meaning(1.0, limit=5, where=Where(sessions=("small",)))))
        assert set(candidates) == {wanted.id}
        assert candidates[wanted.id].signals.cosine == pytest.approx(-1.0, abs=1e-3)

    async def test_filtered_out_counts_by_words_where_there_are_words_else_by_vector(self, store: Store) -> None:
        # Every vector has some cosine: beside words, counting them all would tell nothing.
        messages = await say(store, "tea", "coffee", "milk", session="one")
        await embed(store, {message.id: (1.0,) for message in messages[1:]})
        elsewhere = Where(sessions=("two",))
        by_vector = meaning(1.0, where=elsewhere)
        assert (await store.search(ALICE, by_vector)).filtered_out == 2
        assert (await store.search(ALICE, replace(by_vector, terms={"tea": 1.0}))).filtered_out == 1
