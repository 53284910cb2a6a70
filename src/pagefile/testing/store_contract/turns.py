"""Sessions that somebody is at work in: one holder at a time, whoever asks, until the lease runs out."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from pagefile.errors import SessionBusy, StoreError
from pagefile.messages import Lease
from pagefile.ports import Operation, Store
from pagefile.testing.fakes import START, make_draft
from pagefile.testing.store_contract.base import ALICE, BOB, Contract


def lease(holder: str, at: float = 0.0, seconds: float = 10.0) -> Lease:
    """A lease asked for ``at`` so many seconds after the start."""
    return Lease(holder=holder, now=START + timedelta(seconds=at), seconds=seconds)


class TurnsContract(Contract):
    async def test_a_session_is_taken_with_a_message_and_given_free_with_another(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("one"))
        assert not await store.hold(ALICE, "s", lease("two"))
        await store.append(ALICE, "s", [make_draft("an answer")], lease=lease("one", seconds=0))
        assert await store.hold(ALICE, "s", lease("two"))

    async def test_what_begins_a_turn_where_one_goes_on_is_refused_and_not_written(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("one"))
        with pytest.raises(SessionBusy):
            await store.append(ALICE, "s", [make_draft("another")], lease=lease("two", at=9))
        assert (await store.messages(ALICE, "s")).total == 1
        await store.append(ALICE, "s", [make_draft("another")], lease=lease("two", at=10))
        assert not await store.hold(ALICE, "s", lease("one", at=11))

    async def test_what_is_written_without_a_lease_leaves_the_session_to_its_holder(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("one"))
        await store.append(ALICE, "s", [make_draft("by the way")])
        assert not await store.hold(ALICE, "s", lease("two"))

    async def test_who_lost_a_session_still_brings_in_its_answer_and_takes_nothing_away(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("slow"))
        assert await store.hold(ALICE, "s", lease("two", at=10))
        await store.append(ALICE, "s", [make_draft("an answer")], lease=lease("slow", at=11, seconds=0))
        assert (await store.messages(ALICE, "s")).total == 2
        assert not await store.hold(ALICE, "s", lease("slow", at=12))

    async def test_a_message_that_was_there_takes_the_session_too(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question", external_id="q")])
        await store.append(ALICE, "s", [make_draft("a question", external_id="q")], lease=lease("one"))
        assert not await store.hold(ALICE, "s", lease("two"))

    async def test_the_answer_to_what_was_erased_meanwhile_is_not_written(self, store: Store) -> None:
        for erased in ({"session": "s"}, {}):
            (asked,) = await store.append(ALICE, "s", [make_draft("the word is 天芥菜")])
            await store.erase(ALICE, **erased)
            (answer,) = await store.append(ALICE, "s", [make_draft("天芥菜, I see")], answers=asked.message.id)
            assert answer.outcome == "erased"
            await store.log(ALICE, Operation(kind="turn", parameters={"query": "天芥菜"}, result={}, at=START, items=(asked.message.id,)))
            assert await store.occurrences(["天芥菜"]) == (0,)
        assert await store.session(ALICE, "s") is None

    async def test_the_answer_to_what_is_there_is_written(self, store: Store) -> None:
        (asked,) = await store.append(ALICE, "s", [make_draft("a question")])
        (answer,) = await store.append(ALICE, "s", [make_draft("an answer")], answers=asked.message.id)
        assert (answer.outcome, answer.message.seq) == ("stored", 2)
        (elsewhere,) = await store.append(BOB, "s", [make_draft("an answer")], answers=asked.message.id)
        assert elsewhere.outcome == "erased"

    async def test_other_sessions_and_scopes_are_free(self, store: Store) -> None:
        for scope, session, holder in ((ALICE, "s", "one"), (ALICE, "t", "two"), (BOB, "s", "three")):
            await store.append(scope, session, [make_draft("a question")], lease=lease(holder))
        assert await store.hold(BOB, "s", lease("three"))

    async def test_who_holds_a_session_keeps_it_by_asking_again(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("one"))
        assert await store.hold(ALICE, "s", lease("one", at=9))
        assert not await store.hold(ALICE, "s", lease("two", at=18))

    async def test_a_session_whose_holder_died_is_taken_over_when_its_lease_runs_out(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")], lease=lease("dead"))
        assert not await store.hold(ALICE, "s", lease("two", at=9.9))
        assert await store.hold(ALICE, "s", lease("two", at=10))
        # It was not dead, only slow: it has lost the session, and does not take it away from the other one.
        assert not await store.hold(ALICE, "s", lease("dead", at=11))
        await store.let_go(ALICE, "s", "dead")
        assert not await store.hold(ALICE, "s", lease("dead", at=12))

    async def test_of_many_who_ask_at_once_one_gets_it(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a question")])
        asked = [store.hold(ALICE, "s", lease(f"holder {number}")) for number in range(20)]
        assert sum(await asyncio.gather(*asked)) == 1

    async def test_giving_free_what_nobody_holds_is_harmless(self, store: Store) -> None:
        await store.let_go(ALICE, "s", "one")
        await store.append(ALICE, "s", [make_draft("a question")])
        await store.let_go(ALICE, "s", "one")
        assert await store.hold(ALICE, "s", lease("two"))

    async def test_there_is_nothing_to_hold_where_nothing_was_said(self, store: Store) -> None:
        assert not await store.hold(ALICE, "Zanzibar", lease("one"))
        assert (await store.scopes()).total == 0
        assert await store.occurrences(["Zanzibar"]) == (0,)

    async def test_what_a_turn_begins_with_is_read_at_one_moment(self, store: Store) -> None:
        empty = await store.resident(ALICE, "s")
        assert (empty.messages, empty.last_seq, empty.window_start, empty.summary, empty.blocks) == ((), 0, 1, None, ())
        await store.append(ALICE, "s", [make_draft(text) for text in ("早上好", "one", "two")])
        await store.set_window(ALICE, "s", window_start=2, summary="They greeted.")
        await store.append(ALICE, "t", [make_draft("elsewhere")])
        found = await store.resident(ALICE, "s", "agent")
        assert found.messages == await store.window(ALICE, "s")
        assert (found.session, found.last_seq, found.window_start, found.summary, found.summarised_to) == ("s", 3, 2, "They greeted.", 1)
        assert (await store.resident(BOB, "s")).messages == ()

    async def test_a_closed_store_holds_nothing(self, store: Store) -> None:
        await store.close()
        with pytest.raises(StoreError):
            await store.hold(ALICE, "s", lease("one"))
