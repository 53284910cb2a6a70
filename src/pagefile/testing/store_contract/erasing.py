"""Erasing: for good, exactly what was asked, and a receipt that is true."""

from __future__ import annotations

import pytest

from pagefile.errors import Erased, InputError
from pagefile.ports import NewJob, Operation, Store
from pagefile.queries import Where
from pagefile.receipts import EraseReceipt
from pagefile.records import Scope
from pagefile.testing.fakes import FAR_AHEAD, make_draft
from pagefile.testing.store_contract.base import ALICE, BOB, EVERY_STATUS, Contract, embed, found, ids, learn, near, retire, rewrite, say
from pagefile.testing.store_contract.isolation import fill, read_everything


class ErasingContract(Contract):
    # --- items ---

    async def test_an_erased_item_is_found_nowhere_and_the_rest_stays(self, store: Store) -> None:
        said = await say(store, "tea said", "kept said")
        learnt = await learn(store, "tea learnt", "kept learnt")
        await embed(store, dict.fromkeys([*ids(said), *ids(learnt)], (1.0,)))
        await store.erase(ALICE, ids=[said[0].id, learnt[0].id])
        assert await store.get(ALICE, [said[0].id, learnt[0].id]) == (None, None)
        assert await found(store, "tea", statuses=EVERY_STATUS) == set()
        assert set(await near(store, 1.0)) == {said[1].id, learnt[1].id} == await found(store, "kept")
        assert ids((await store.messages(ALICE, "s")).items) == [said[1].id]
        assert ids((await store.records(ALICE)).items) == [learnt[1].id]
        assert await store.history(ALICE, learnt[0].id) == ()

    async def test_the_receipt_counts_what_went(self, store: Store) -> None:
        (message,) = await say(store, "green tea")
        (record,) = await learn(store, "likes tea")
        await rewrite(store, record.id, "likes green tea")
        await embed(store, {message.id: (1.0,), record.id: (1.0,)})
        await retire(store, message.id)
        receipt = await store.erase(ALICE, ids=[message.id, record.id, record.id, "nobody"])
        assert (receipt.messages, receipt.records, receipt.vectors, receipt.postings, receipt.history) == (1, 1, 2, 5, 3)
        assert (receipt.blocks, receipt.tasks, receipt.operations) == (0, 0, 0)

    async def test_erasing_no_ids_erases_nothing(self, store: Store) -> None:
        known = await fill(store, ALICE, "mine")
        before = await read_everything(store, ALICE, known)
        assert await store.erase(ALICE, ids=[]) == EraseReceipt()
        assert await store.erase(ALICE, ids=["nobody", "%"]) == EraseReceipt()
        assert await store.erase(ALICE, session="nothing") == EraseReceipt()
        assert await read_everything(store, ALICE, known) == before

    async def test_the_number_of_an_erased_message_is_not_given_again(self, store: Store) -> None:
        messages = await say(store, *"abc")
        await store.erase(ALICE, ids=[messages[1].id, messages[2].id])
        (message,) = await say(store, "d")
        assert [each.seq for each in (await store.messages(ALICE, "s")).items] == [1, 4]
        assert message.seq == 4

    async def test_a_session_whose_messages_were_all_erased_is_gone(self, store: Store) -> None:
        messages = await say(store, *"abc")
        await store.erase(ALICE, ids=ids(messages))
        assert await store.session(ALICE, "s") is None
        assert (await store.sessions(ALICE)).items == ()
        assert await store.window(ALICE, "s") == ()
        assert [message.seq for message in await say(store, "d")] == [1]

    async def test_what_was_erased_can_be_said_again_under_the_same_external_id(self, store: Store) -> None:
        (message,) = await say(store, "hello", external_id="m1")
        await say(store, "stays")
        await store.erase(ALICE, ids=[message.id])
        (appended,) = await store.append(ALICE, "s", [make_draft("hello", external_id="m1")])
        assert (appended.outcome, appended.message.seq) == ("stored", 3)

    async def test_an_append_is_forgotten_with_the_first_of_its_messages(self, store: Store) -> None:
        one, _ = await store.append(ALICE, "s", [make_draft("a"), make_draft("b")], key="k", fingerprint="f")
        await store.append(ALICE, "s", [make_draft("c")], key="other", fingerprint="f")
        await store.erase(ALICE, ids=[one.message.id])
        (appended,) = await store.append(ALICE, "s", [make_draft("d")], key="k", fingerprint="g")
        assert (appended.outcome, appended.message.seq) == ("stored", 4)
        (repeated,) = await store.append(ALICE, "s", [make_draft("c")], key="other", fingerprint="f")
        assert repeated.message.seq == 3

    @pytest.mark.parametrize("how", ["item", "session", "scope"])
    async def test_an_append_that_is_sent_again_does_not_bring_back_what_was_erased_since(self, store: Store, how: str) -> None:
        (one,) = await store.append(ALICE, "s", [make_draft("a")], key="k", fingerprint="f")
        await store.append(BOB, "s", [make_draft("a")], key="k", fingerprint="f")
        erased = {"item": {"ids": [one.message.id]}, "session": {"session": "s"}, "scope": {}}[how]
        await store.erase(ALICE, **erased)  # type: ignore[arg-type]  # a table of keywords
        for _ in range(2):
            with pytest.raises(Erased, match="'k'"):
                await store.append(ALICE, "s", [make_draft("a")], key="k", fingerprint="f")
        assert (await store.messages(ALICE, None)).total == 0
        # Something else, and the same under a key of its own, is meant anew; somebody else's stands.
        (other,) = await store.append(ALICE, "s", [make_draft("b")], key="k", fingerprint="g")
        (anew,) = await store.append(ALICE, "s", [make_draft("a")], key="l", fingerprint="f")
        (bobs,) = await store.append(BOB, "s", [make_draft("a")], key="k", fingerprint="f")
        assert (other.outcome, anew.outcome, bobs.message.seq) == ("stored", "stored", 1)

    async def test_an_erased_id_can_be_used_again_and_has_no_old_vector(self, store: Store) -> None:
        (record,) = await learn(store, "tea")
        await embed(store, {record.id: (1.0,)})
        await store.erase(ALICE, ids=[record.id])
        await learn(store, "tea", id=record.id, said_at=FAR_AHEAD)
        assert await near(store, 1.0) == {}
        assert len(await store.history(ALICE, record.id)) == 1

    async def test_a_job_loses_erased_items_and_goes_with_the_last_of_them(self, store: Store) -> None:
        messages = await say(store, "a", "b")
        assert (await store.erase(ALICE, ids=[messages[0].id])).jobs == 0
        assert [job.payload for job in (await store.jobs()).items] == [{"ids": [messages[1].id]}]
        assert (await store.erase(ALICE, ids=[messages[1].id])).jobs == 1
        await say(store, "c", session="other")
        assert (await store.erase(ALICE, session="other")).jobs == 1
        assert (await store.jobs()).total == 0

    async def test_lines_of_the_log_that_name_what_was_erased_go_too(self, store: Store) -> None:
        (message,) = await say(store, "a")
        at = message.said_at
        await store.log(ALICE, Operation(kind="add", parameters={"text": "a"}, result={"stored": [{"id": message.id}]}, at=at))
        await store.log(ALICE, Operation(kind="search", parameters={"query": "b", "session": "s"}, result={}, at=at))
        await store.log(ALICE, Operation(kind="search", parameters={"query": "c"}, result={}, at=at))
        assert (await store.erase(ALICE, ids=[message.id])).operations == 1
        await say(store, "d")
        assert (await store.erase(ALICE, session="s")).operations == 1
        assert [each.parameters["query"] for each in (await store.operations(ALICE)).items] == ["c"]

    # --- a session ---

    async def test_erasing_a_session_takes_its_messages_and_what_was_learnt_in_it(self, store: Store) -> None:
        gone = await say(store, "tea one", "tea two", session="gone")
        kept = await say(store, "tea three", session="kept")
        learnt_there = await learn(store, "tea fact", session="gone")
        learnt_elsewhere = await learn(store, "tea event", session="kept") + await learn(store, "tea passage")
        receipt = await store.erase(ALICE, session="gone")
        assert (receipt.messages, receipt.records) == (2, 1)
        assert await found(store, "tea") == {*ids(kept), *ids(learnt_elsewhere)}
        assert await store.get(ALICE, [*ids(gone), learnt_there[0].id]) == (None, None, None)
        assert await store.session(ALICE, "gone") is None
        assert [info.session for info in (await store.sessions(ALICE)).items] == ["kept"]

    async def test_an_erased_session_begins_at_one_again_with_nothing_left(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a", external_id="m1"), make_draft("b")], key="k", fingerprint="f")
        await store.set_window(ALICE, "s", window_start=2, summary="a was said")
        await store.erase(ALICE, session="s")
        (appended,) = await store.append(ALICE, "s", [make_draft("c", external_id="m1")], key="k", fingerprint="g")
        assert (appended.outcome, appended.message.seq) == ("stored", 1)
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.messages, info.last_seq, info.window_start, info.summary) == (1, 1, 1, None)

    @pytest.mark.parametrize("session", ["s%", "_", "s' OR '1'='1", "S"])
    async def test_a_session_is_erased_by_its_exact_name(self, store: Store, session: str) -> None:
        await say(store, "a", session="s")
        await say(store, "b", session="s1")
        await store.erase(ALICE, session=session)
        assert (await store.messages(ALICE, None)).total == 2

    # --- a scope ---

    async def test_after_erasing_a_scope_no_read_shows_anything(self, store: Store) -> None:
        known = await fill(store, ALICE, "mine")
        bobs = await fill(store, BOB, "his")
        before = await read_everything(store, BOB, bobs)
        receipt = await store.erase(ALICE)
        assert await read_everything(store, ALICE, known) == {}
        assert await read_everything(store, BOB, bobs) == before
        assert (receipt.messages, receipt.records, receipt.blocks, receipt.vectors) == (2, 2, 1, 2)
        assert (receipt.history, receipt.jobs, receipt.tasks, receipt.operations) == (6, 3, 1, 1)
        assert (receipt.summaries, receipt.tombstones) == (1, 8)

    async def test_an_erased_scope_begins_anew(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a")], key="k", fingerprint="f")
        await store.erase(ALICE)
        (appended,) = await store.append(ALICE, "s", [make_draft("b")], key="k", fingerprint="g")
        assert (appended.outcome, appended.message.seq) == ("stored", 1)
        assert await store.erase(Scope("acme", "nobody")) == EraseReceipt()

    async def test_a_job_in_hand_can_be_finished_after_its_scope_was_erased(self, store: Store) -> None:
        await store.enqueue(ALICE, [NewJob(kind="learn"), NewJob(kind="learn")])
        messages = await say(store, "tea")
        one, two = await store.claim(["learn"], now=messages[0].said_at, lease_seconds=60, limit=2)
        await store.erase(ALICE)
        await store.fail(one.id, error="x", now=messages[0].said_at, retry_at=messages[0].said_at)
        await store.complete([two.id])
        assert (await store.jobs()).total == 0

    async def test_a_session_and_ids_together_are_refused(self, store: Store) -> None:
        (message,) = await say(store, "a")
        with pytest.raises(InputError):
            await store.erase(ALICE, session="s", ids=[message.id])
        assert (await store.messages(ALICE, "s", where=Where())).total == 1
