"""Sessions that somebody is at work in: one holder at a time, whoever asks, until the lease runs out."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from pagefile.errors import StoreError
from pagefile.ports import Store
from pagefile.testing.fakes import START
from pagefile.testing.store_contract.base import ALICE, BOB, Contract


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


class TurnsContract(Contract):
    async def test_a_session_has_one_holder_until_it_is_given_free(self, store: Store) -> None:
        assert await store.hold(ALICE, "s", "one", now=START, lease_seconds=10)
        assert not await store.hold(ALICE, "s", "two", now=START, lease_seconds=10)
        await store.let_go(ALICE, "s", "one")
        assert await store.hold(ALICE, "s", "two", now=START, lease_seconds=10)
        assert not await store.hold(ALICE, "s", "one", now=START, lease_seconds=10)

    async def test_other_sessions_and_scopes_are_free(self, store: Store) -> None:
        assert await store.hold(ALICE, "s", "one", now=START, lease_seconds=10)
        assert await store.hold(ALICE, "t", "two", now=START, lease_seconds=10)
        assert await store.hold(BOB, "s", "two", now=START, lease_seconds=10)

    async def test_who_holds_a_session_keeps_it_by_asking_again(self, store: Store) -> None:
        assert await store.hold(ALICE, "s", "one", now=START, lease_seconds=10)
        assert await store.hold(ALICE, "s", "one", now=START + seconds(9), lease_seconds=10)
        assert not await store.hold(ALICE, "s", "two", now=START + seconds(18), lease_seconds=10)

    async def test_a_session_whose_holder_died_is_taken_over_when_its_lease_runs_out(self, store: Store) -> None:
        assert await store.hold(ALICE, "s", "dead", now=START, lease_seconds=10)
        assert not await store.hold(ALICE, "s", "two", now=START + seconds(9.9), lease_seconds=10)
        assert await store.hold(ALICE, "s", "two", now=START + seconds(10), lease_seconds=10)
        # It was not dead, only slow: it has lost the session, and does not take it away from the other one.
        assert not await store.hold(ALICE, "s", "dead", now=START + seconds(11), lease_seconds=10)
        await store.let_go(ALICE, "s", "dead")
        assert not await store.hold(ALICE, "s", "dead", now=START + seconds(12), lease_seconds=10)

    async def test_of_many_who_ask_at_once_one_gets_it(self, store: Store) -> None:
        asked = [store.hold(ALICE, "s", f"holder {number}", now=START, lease_seconds=10) for number in range(20)]
        assert sum(await asyncio.gather(*asked)) == 1

    async def test_giving_free_what_nobody_holds_is_harmless(self, store: Store) -> None:
        await store.let_go(ALICE, "s", "one")
        assert await store.hold(ALICE, "s", "two", now=START, lease_seconds=10)

    async def test_to_hold_a_session_makes_none_and_leaves_no_name(self, store: Store) -> None:
        await store.hold(ALICE, "Zanzibar", "one", now=START, lease_seconds=10)
        assert (await store.scopes()).total == 0
        assert await store.session(ALICE, "Zanzibar") is None
        assert await store.occurrences(["Zanzibar"]) == (0,)

    async def test_a_closed_store_holds_nothing(self, store: Store) -> None:
        await store.close()
        with pytest.raises(StoreError):
            await store.hold(ALICE, "s", "one", now=START, lease_seconds=10)
