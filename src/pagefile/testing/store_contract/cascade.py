"""Erasing goes on to what was made of it: records, summaries, log lines; and nothing of the words is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pagefile.language.keys import marks
from pagefile.messages import Message
from pagefile.ports import NewJob, Operation, Progress, Store
from pagefile.queries import Page
from pagefile.records import Add, Block, Record, Reinforce, Source, Status, TaskState
from pagefile.testing.fakes import LONG_AGO, START, indexing_of, make_cause, make_record
from pagefile.testing.store_contract.base import (
    ALICE,
    BOB,
    EVERY_STATUS,
    Contract,
    embed,
    found,
    ids,
    learn,
    record_of,
    retire,
    rewrite,
    say,
)

SECRETS = ["Zanzibar Q7", "桑给巴尔岛七号", 'say "Zanzibar"\n\tor\\not']
#: What is erased → the arguments that say so, for a message with this id.
WAYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "items": lambda id: {"ids": [id]},
    "session": lambda id: {"session": "s"},
    "scope": lambda id: {},
}


def citing(*messages: Message) -> tuple[Source, ...]:
    return tuple(Source(message=message.id) for message in messages)


async def to_learn_again(store: Store) -> list[Any]:
    """Payloads of the jobs that learn."""
    return [job.payload for job in (await store.jobs(scope=ALICE)).items if job.kind == "learn"]


async def summary_of(store: Store, session: str) -> str | None:
    info = await store.session(ALICE, session)
    return None if info is None else info.summary


async def is_marked(store: Store, item: Record | Message) -> bool:
    """Whether all that this is known by stands among what was erased; all or nothing."""
    times = await store.erased(ALICE, marks(item))
    assert len({time is None for time in times}) == 1
    return times[0] is not None


class CascadeContract(Contract):
    # --- records ---

    async def test_records_read_in_an_erased_message_go_whatever_their_status(self, store: Store) -> None:
        gone, kept = await say(store, "tea gone", "tea kept")
        current, retired, both = await learn(store, "tea one", "tea two", "tea three", extractor="rules", sources=citing(gone))
        await retire(store, retired.id)
        await store.apply(ALICE, [Reinforce(target=both.id, cause=make_cause(), sources=citing(kept))])
        (other,) = await learn(store, "tea four", sources=citing(kept))
        await embed(store, dict.fromkeys(ids([gone, current, retired, both, other]), (1.0,)))
        receipt = await store.erase(ALICE, ids=[gone.id])
        assert (receipt.messages, receipt.records, receipt.vectors, receipt.history) == (1, 3, 4, 5)
        assert await found(store, "tea", statuses=EVERY_STATUS) == {kept.id, other.id}
        assert await store.get(ALICE, ids([current, retired, both])) == (None,) * 3
        assert (await store.changes(ALICE)).total == 1

    @pytest.mark.parametrize("extractor", [None, "excerpts"])
    async def test_a_summary_goes_with_any_message_it_tells_of(self, store: Store, extractor: str | None) -> None:
        kept, gone = await say(store, "kept", "gone")
        (record,) = await learn(store, "they talked", kind="summary", extractor=extractor, sources=citing(kept, gone))
        assert (await store.erase(ALICE, ids=[gone.id])).records == 1
        assert await store.get(ALICE, [record.id]) == (None,)
        assert await to_learn_again(store) == [{"ids": [kept.id]}]

    async def test_erasing_a_session_takes_what_cites_it_in_other_sessions(self, store: Store) -> None:
        (gone,) = await say(store, "gone", session="gone")
        (kept,) = await say(store, "kept", session="kept")
        await learn(store, "elsewhere", session="kept", sources=citing(gone))
        (other,) = await learn(store, "other", session="kept", sources=citing(kept))
        receipt = await store.erase(ALICE, session="gone")
        assert (receipt.messages, receipt.records) == (1, 1)
        assert ids((await store.records(ALICE)).items) == [other.id]

    async def test_erasing_a_record_leaves_the_messages_it_cites(self, store: Store) -> None:
        (message,) = await say(store, "tea")
        (record,) = await learn(store, "likes tea", sources=citing(message))
        await store.erase(ALICE, ids=[record.id])
        assert await store.get(ALICE, [message.id]) == (message,)
        assert await to_learn_again(store) == []

    # --- records that stay ---

    @pytest.mark.parametrize("status", EVERY_STATUS)
    @pytest.mark.parametrize("way", ["written by hand", "read elsewhere first"])
    async def test_what_does_not_have_its_words_from_an_erased_message_stays_without_it(
        self, store: Store, way: str, status: Status
    ) -> None:
        gone, kept, other = await say(store, "tea gone", "tea kept", "other")
        order = (gone, kept, other) if way == "written by hand" else (kept, gone, other)
        extractor = None if way == "written by hand" else "rules"
        sources = (*citing(*order), Source(message=gone.id, span=(0, 3), external_id="m1"))
        (record,) = await learn(store, "likes tea", status=status, extractor=extractor, sources=sources, evidence_count=3, said_at=LONG_AGO)
        await embed(store, {record.id: (1.0,)})
        receipt = await store.erase(ALICE, ids=[gone.id])
        assert (receipt.messages, receipt.records, receipt.history, receipt.vectors, receipt.tombstones) == (1, 0, 0, 0, 2)
        assert await record_of(store, record.id) == replace(record, sources=citing(kept, other), evidence_count=2, version=2)
        assert ids(await store.citing(ALICE, [kept.id])) == [record.id]
        assert await store.citing(ALICE, [gone.id]) == ()
        assert await found(store, "tea", statuses=EVERY_STATUS) == {kept.id, record.id}
        assert (await to_learn_again(store), await is_marked(store, record)) == ([], False)
        # Its words are still its own: with the last of its sources it goes.
        assert (await store.erase(ALICE, ids=[kept.id, other.id])).records == 1
        assert await is_marked(store, record)

    @pytest.mark.parametrize(("count", "left"), [(1, 1), (2, 1), (3, 1), (5, 3)])
    async def test_as_much_evidence_goes_as_messages_but_never_all(self, store: Store, count: int, left: int) -> None:
        one, two = await say(store, "one", "two", session="gone")
        (kept,) = await say(store, "kept", session="kept")
        (record,) = await learn(store, "tea", sources=citing(one, kept, two), evidence_count=count)
        assert (await store.erase(ALICE, session="gone")).records == 0
        assert (await record_of(store, record.id)).evidence_count == left

    async def test_the_history_of_what_stays_no_longer_names_the_erased_message(self, store: Store) -> None:
        kept, gone = await say(store, "kept", "gone")
        (record,) = await learn(store, "tea", extractor="rules", sources=citing(kept))
        again = Reinforce(target=record.id, cause=make_cause(), sources=(Source(message=gone.id, span=(0, 4), external_id="Zanzibar"),))
        await store.apply(ALICE, [again])
        await store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), sources=citing(kept))])
        before = await store.history(ALICE, record.id)
        await store.erase(ALICE, ids=[gone.id])
        after = await store.history(ALICE, record.id)
        named = [{"message": kept.id}]
        assert [entry.after.get("sources") for entry in after] == [named, named, None]
        assert [replace(each, before={}, after={}) for each in after] == [replace(each, before={}, after={}) for each in before]
        assert await store.occurrences([gone.id, "Zanzibar"]) == (0, 0)
        assert await store.changes(ALICE) == Page(items=after[::-1], cursor=None, total=3)

    # --- learning again from what is left ---

    async def test_other_messages_of_a_record_that_went_are_learnt_from_again(self, store: Store) -> None:
        one, two, gone, three = await say(store, "one", "two", "gone", "three")
        await learn(store, "a", kind="summary", sources=citing(three, gone))
        await learn(store, "b", extractor="model:x", sources=citing(gone, two, three))
        await learn(store, "c", extractor="rules", sources=citing(one, gone))
        await store.erase(ALICE, ids=[gone.id])
        assert await to_learn_again(store) == [{"ids": ids([two, three])}]

    @pytest.mark.parametrize("others", [(), ("from elsewhere",), ("gone too",)], ids=["none", "not in the journal", "erased too"])
    async def test_where_no_other_message_is_left_nothing_is_to_be_learnt(self, store: Store, others: tuple[str, ...]) -> None:
        gone, too = await say(store, "gone", "gone too")
        sources = [Source(message=too.id if other == "gone too" else other) for other in others]
        (record,) = await learn(store, "a", sources=(*citing(gone), *sources))
        await store.erase(ALICE, ids=[gone.id, too.id])
        assert await to_learn_again(store) == []
        assert await is_marked(store, record)

    async def test_what_stands_on_other_messages_too_may_be_learnt_again(self, store: Store) -> None:
        gone, kept = await say(store, "gone", "kept")
        (both,) = await learn(
            store, "likes tea", extractor="rules", subject="user", attribute="likes", value="tea", sources=citing(gone, kept)
        )
        (alone,) = await learn(store, "likes milk", subject="user", attribute="likes", value="milk", sources=citing(gone))
        await store.erase(ALICE, ids=[gone.id])
        assert (await is_marked(store, both), await is_marked(store, alone), await is_marked(store, gone)) == (False, True, True)
        again = make_record("likes tea", subject="user", attribute="likes", value="tea", said_at=LONG_AGO)
        await store.apply(ALICE, [Add(item=again, cause=make_cause())])
        assert (await record_of(store, again.id)).status == "current"

    async def test_what_was_forgotten_is_not_put_up_to_be_learnt_again(self, store: Store) -> None:
        gone, kept = await say(store, "gone", "kept")
        (record,) = await learn(store, "likes tea", extractor="rules", sources=citing(gone, kept))
        await retire(store, record.id)
        await store.erase(ALICE, ids=[gone.id])
        assert await is_marked(store, record)
        assert await to_learn_again(store) == []

    async def test_what_was_named_is_not_learnt_again_from_anything(self, store: Store) -> None:
        gone, kept = await say(store, "gone", "kept")
        (record,) = await learn(store, "likes tea", sources=citing(gone, kept))
        await store.erase(ALICE, ids=[record.id, gone.id])
        assert await is_marked(store, record)
        assert await to_learn_again(store) == []

    async def test_what_other_sessions_say_too_is_learnt_again_after_a_session_went(self, store: Store) -> None:
        (gone,) = await say(store, "gone", session="gone")
        (kept,) = await say(store, "kept", session="kept")
        both, alone = await learn(store, "likes tea", "likes milk", session="gone", sources=citing(gone))
        await store.apply(ALICE, [Reinforce(target=both.id, cause=make_cause(), sources=citing(kept))])
        await store.erase(ALICE, session="gone")
        assert await to_learn_again(store) == [{"ids": [kept.id]}]
        assert (await is_marked(store, both), await is_marked(store, alone)) == (False, True)

    async def test_messages_to_be_learnt_from_again_can_be_erased_in_their_turn(self, store: Store) -> None:
        gone, next_one = await say(store, "gone", "next")
        await learn(store, "a", extractor="rules", sources=citing(gone, next_one))
        await store.erase(ALICE, ids=[gone.id])
        await store.erase(ALICE, ids=[next_one.id])
        assert await to_learn_again(store) == []

    # --- summaries ---

    async def test_the_running_summary_goes_with_any_message_of_its_session(self, store: Store) -> None:
        one, two = await say(store, "my secret", "b")
        await say(store, "c", session="other")
        await store.set_window(ALICE, "s", window_start=2, summary="she told a secret")
        await store.set_window(ALICE, "other", window_start=1, summary="nothing")
        assert (await store.erase(ALICE, ids=[two.id])).summaries == 1
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.window_start, info.summary, await summary_of(store, "other")) == (2, None, "nothing")
        assert (await store.erase(ALICE, ids=[one.id])).summaries == 0

    async def test_the_summaries_that_went_are_counted(self, store: Store) -> None:
        for session in ("one", "two", "three"):
            await say(store, "a", "b", session=session)
            await store.set_window(ALICE, session, window_start=2, summary="a was said")
        (record,) = await learn(store, "tea", session="two")
        assert (await store.erase(ALICE, ids=[record.id])).summaries == 0
        assert (await store.erase(ALICE, session="one")).summaries == 1
        assert (await store.erase(ALICE)).summaries == 2

    # --- the log ---

    async def test_lines_about_what_went_go_too(self, store: Store) -> None:
        gone, kept = await say(store, "gone", "kept")
        (record,) = await learn(store, "tea", sources=citing(gone))
        await say(store, "other", session="other")

        async def log(kind: str, *items: str, session: str | None = None) -> None:
            await store.log(ALICE, Operation(kind=kind, parameters={}, result={}, at=START, items=items, session=session))

        await log("of the message", kept.id, gone.id)
        await log("of the record", record.id)
        await log("of the session", session="other")
        await log("of another message", kept.id, session="s")
        await log("of nothing")
        assert (await store.erase(ALICE, ids=[gone.id])).operations == 2
        assert (await store.erase(ALICE, session="other")).operations == 1
        assert [line.kind for line in (await store.operations(ALICE)).items] == ["of nothing", "of another message"]

    async def test_a_line_says_which_session_and_items_it_is_about(self, store: Store) -> None:
        said = await say(store, "said", "and more")
        line = Operation(kind="turn", parameters={"查": 1}, result={}, at=START, session="周一", items=tuple(one.id for one in said))
        bare = Operation(kind="turn", parameters={}, result={}, at=START)
        await store.log(ALICE, line)
        await store.log(ALICE, bare)
        assert (await store.operations(ALICE)).items == (bare, line)

    # --- the receipt ---

    async def test_the_receipt_counts_what_was_left_behind(self, store: Store) -> None:
        (message,) = await say(store, "tea")
        (plain,) = await learn(store, "plain")
        (fact,) = await learn(store, "likes tea", subject="user", attribute="likes", value="tea")
        assert (await store.erase(ALICE, ids=[message.id, plain.id, fact.id])).tombstones == 5
        assert (await store.erase(ALICE, ids=[message.id, "nobody"])).tombstones == 0
        same = await learn(store, "the same words", "The same words!", "other words")
        assert (await store.erase(ALICE, ids=ids(same))).tombstones == 2

    # --- nothing is left ---

    @pytest.mark.parametrize("secret", SECRETS, ids=["English", "Chinese", "escaped"])
    @pytest.mark.parametrize("what", WAYS)
    async def test_the_words_of_what_was_erased_occur_nowhere(self, store: Store, secret: str, what: str) -> None:
        await say(store, "what stays", session="other")
        (message,) = await say(store, f"I go to {secret}", parts=({"type": "text", "text": secret},), speaker=secret)
        text = f"goes to {secret}"
        (record,) = await learn(store, text, subject="user", attribute="plan", value=secret, tags=(secret,), sources=citing(message))
        await rewrite(store, record.id, f"went to {secret}")
        await retire(store, message.id)
        await store.set_window(ALICE, "s", window_start=1, summary=f"talk of {secret}")
        line = Operation(kind="turn", parameters={"query": secret}, result={"text": text}, at=START, session="s", items=(record.id,))
        await store.log(ALICE, line)
        job = NewJob(kind="learn", once=secret, payload={"ids": [message.id], "text": secret})
        await store.apply(ALICE, [], jobs=[job], progress=Progress(session="s", name="rules", seq=1))
        if what == "scope":
            await store.apply(ALICE, [Add(item=Block(label="persona", text=secret), cause=make_cause(secret))])
            await store.put_task(ALICE, TaskState(key="k", value={"to": secret}, updated_at=START))
        before, stays = await store.occurrences([secret, "what stays"])
        assert min(before, stays) >= 1
        await store.erase(ALICE, **WAYS[what](message.id))
        gone, kept, never, nothing = await store.occurrences([secret, "what stays", "never said", ""])
        assert (gone, never, nothing) == (0, 0, 0)
        assert (kept > 0) == (what != "scope")

    async def test_what_another_scope_says_still_occurs(self, store: Store) -> None:
        await say(store, "Zanzibar", indexing=indexing_of("x"))
        await say(store, "Zanzibar", indexing=indexing_of("x"), scope=BOB)
        await store.erase(ALICE)
        assert (await store.occurrences(["Zanzibar"]))[0] >= 1
        assert await store.occurrences([]) == ()
