"""What held and what was known at another time, and messages of which nothing holds any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import Edit, Restore, Retire, Status, Supersede
from pagefile.testing.fakes import START, indexing_of, make_cause, make_record
from pagefile.testing.store_contract.base import (
    ALICE,
    EVERY_STATUS,
    Contract,
    flag,
    found,
    ids,
    learn,
    message_of,
    record_of,
    retire,
    say,
)

DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
HOLDING: tuple[Status, ...] = ("current", "superseded")


async def listed(store: Store, **where: Any) -> set[str]:
    """Texts of all items that scans and a search for "tea" let through, which must be the same."""
    chosen = Where(**where)
    messages, records = await store.messages(ALICE, None, where=chosen), await store.records(ALICE, where=chosen)
    assert (messages.total, records.total) == (len(messages.items), len(records.items))
    assert await found(store, "tea", **where) == {*ids(messages.items), *ids(records.items)}
    return {message.text for message in messages.items} | {record.text for record in records.items}


class ValidityContract(Contract):
    # --- world time ---

    @pytest.mark.parametrize(
        ("as_of", "expected"),
        [
            (START - DAY, set()),
            (START, {"tea A", "tea undated", "tea said"}),
            (START + 5 * DAY - MICROSECOND, {"tea A", "tea undated", "tea said"}),
            (START + 5 * DAY, {"tea B", "tea undated", "tea said"}),
            ((START + 5 * DAY).astimezone(timezone(timedelta(hours=-7))), {"tea B", "tea undated", "tea said"}),
            (START + 900 * DAY, {"tea B", "tea undated", "tea said"}),
        ],
        ids=["before", "at the beginning", "until the end", "at the end", "in another zone", "long after"],
    )
    async def test_as_of_lets_through_what_held_then(self, store: Store, as_of: datetime, expected: set[str]) -> None:
        late = START + 30 * DAY
        await say(store, "tea said", said_at=START, recorded_at=late)
        await learn(store, "tea undated", learned_at=START)
        await learn(store, "tea A", valid_from=START, valid_to=START + 5 * DAY, learned_at=late)
        await learn(store, "tea B", valid_from=START + 5 * DAY, learned_at=late)
        await learn(store, "tea never held", valid_from=START + DAY, valid_to=START + DAY, learned_at=START)
        assert await listed(store, as_of=as_of) == expected

    async def test_what_a_newer_record_replaced_held_until_then(self, store: Store) -> None:
        (old,) = await learn(store, "tea at home", valid_from=START)
        new = make_record("tea at work", valid_from=START + 5 * DAY)
        await store.apply(ALICE, [Supersede(target=old.id, item=new, cause=make_cause(), indexing=indexing_of(new.text))])
        assert await listed(store, as_of=START + 4 * DAY, statuses=HOLDING) == {"tea at home"}
        assert await listed(store, as_of=START + 4 * DAY) == set()
        assert await listed(store, as_of=START + 5 * DAY, statuses=HOLDING) == {"tea at work"}
        # It can be restored, and edited: what holds follows.
        await store.apply(ALICE, [Restore(target=old.id, cause=make_cause())])
        assert await listed(store, as_of=START + 6 * DAY) == {"tea at home", "tea at work"}
        fields = {"valid_from": START + DAY, "valid_to": START + 2 * DAY}
        await store.apply(ALICE, [Edit(target=old.id, fields=fields, cause=make_cause())])
        assert await listed(store, as_of=START + DAY - MICROSECOND) == await listed(store, as_of=START + 2 * DAY) == set()
        assert await listed(store, as_of=START + DAY) == {"tea at home"}

    # --- system time ---

    @pytest.mark.parametrize(
        ("known_at", "expected"),
        [
            (START - MICROSECOND, set()),
            (START, {"tea A", "tea recorded"}),
            (START + 5 * DAY - MICROSECOND, {"tea A", "tea recorded"}),
            (START + 5 * DAY, {"tea B", "tea recorded"}),
            (START + 900 * DAY, {"tea B", "tea recorded"}),
        ],
        ids=["before", "at the beginning", "until the end", "at the end", "long after"],
    )
    async def test_known_at_lets_through_what_was_believed_then(self, store: Store, known_at: datetime, expected: set[str]) -> None:
        early = START - 90 * DAY
        await say(store, "tea recorded", said_at=early, recorded_at=START)
        await learn(
            store, "tea A", valid_from=early, valid_to=early + DAY, learned_at=START, retired_at=START + 5 * DAY, status="superseded"
        )
        await learn(store, "tea B", valid_from=early, learned_at=START + 5 * DAY)
        assert await listed(store, known_at=known_at, statuses=EVERY_STATUS) == expected

    async def test_what_was_known_follows_changes(self, store: Store) -> None:
        (record,) = await learn(store, "tea", learned_at=START)
        await store.apply(ALICE, [Retire(target=record.id, cause=make_cause(at=START + DAY))])
        assert await listed(store, known_at=START, statuses=EVERY_STATUS) == {"tea"}
        assert await listed(store, known_at=START + DAY, statuses=EVERY_STATUS) == set()
        await store.apply(ALICE, [Restore(target=record.id, cause=make_cause(at=START + 2 * DAY))])
        assert await listed(store, known_at=START + DAY, statuses=EVERY_STATUS) == {"tea"}

    async def test_both_times_hold_together(self, store: Store) -> None:
        await learn(store, "tea", valid_from=START, learned_at=START + 9 * DAY)
        assert await listed(store, as_of=START, known_at=START + 9 * DAY) == {"tea"}
        assert await listed(store, as_of=START, known_at=START + 8 * DAY) == set()
        assert await listed(store, as_of=START - MICROSECOND, known_at=START + 9 * DAY) == set()

    # --- messages of which nothing holds any more ---

    async def test_a_superseded_message_is_found_only_when_asked_for_and_stays_in_the_window(self, store: Store) -> None:
        old, new = await say(store, "tea from Acme", "tea from Beta")
        await flag(store, old.id)
        assert await message_of(store, old.id) == replace(old, superseded=True)
        assert await listed(store) == {"tea from Beta"}
        assert await listed(store, statuses=("retired",)) == {"tea from Beta"}
        assert await listed(store, statuses=HOLDING) == {"tea from Acme", "tea from Beta"}
        assert ids(await store.window(ALICE, "s")) == [old.id, new.id]
        await flag(store, old.id, superseded=False)
        assert await message_of(store, old.id) == old
        assert await listed(store) == {"tea from Acme", "tea from Beta"}

    async def test_the_flag_is_in_the_history_of_the_message(self, store: Store) -> None:
        (message,) = await say(store, "tea")
        (entry,) = await flag(store, message.id)
        assert (entry.target, entry.change, entry.before, entry.after) == (message.id, "edit", {"superseded": False}, {"superseded": True})
        assert await flag(store, message.id) == ()
        await flag(store, message.id, superseded=False)
        assert [each.after for each in await store.history(ALICE, message.id)] == [{"superseded": True}, {"superseded": False}]

    async def test_the_parts_of_a_message_that_hold_no_more_are_marked_and_cleared(self, store: Store) -> None:
        (message,) = await say(store, "I like tea. I hate milk.")
        for spans in (((0, 11),), ((0, 11), (12, 24)), ()):
            await store.apply(ALICE, [Edit(target=message.id, fields={"outdated": spans}, cause=make_cause())])
            assert await message_of(store, message.id) == replace(message, outdated=spans)
        assert [each.after for each in await store.history(ALICE, message.id)][:2] == [
            {"outdated": [[0, 11]]},
            {"outdated": [[0, 11], [12, 24]]},
        ]

    async def test_a_message_can_be_retired_and_superseded_and_each_is_taken_back_by_itself(self, store: Store) -> None:
        (message,) = await say(store, "tea")
        await flag(store, message.id)
        await retire(store, message.id)
        assert await message_of(store, message.id) == replace(message, superseded=True, retired=True)
        assert await listed(store, statuses=("current", "retired")) == await listed(store, statuses=HOLDING) == set()
        assert await listed(store, statuses=EVERY_STATUS) == {"tea"}
        assert await store.window(ALICE, "s") == ()
        await store.apply(ALICE, [Restore(target=message.id, cause=make_cause())])
        assert await message_of(store, message.id) == replace(message, superseded=True)
        await retire(store, message.id)
        await flag(store, message.id, superseded=False)
        assert await message_of(store, message.id) == replace(message, retired=True)

    @pytest.mark.parametrize(
        "fields",
        [
            {"retired": True},
            {"text": "x"},
            {"superseded": True, "role": "tool"},
            {"superseded": "yes"},
            {"superseded": None},
            {"outdated": ((0, 999),)},
            {"outdated": ((2, 1),)},
            {"outdated": "no"},
        ],
        ids=str,
    )
    async def test_nothing_else_of_a_message_can_be_edited(self, store: Store, fields: dict[str, Any]) -> None:
        (message,) = await say(store, "tea")
        with pytest.raises(InputError):
            await store.apply(ALICE, [Edit(target=message.id, fields=fields, cause=make_cause())])
        assert await message_of(store, message.id) == message
        assert (await store.changes(ALICE)).total == 0

    # --- what is kept beside ---

    async def test_consent_and_origin_of_a_message_and_whether_it_may_be_learnt_from_are_kept(self, store: Store) -> None:
        (message,) = await say(store, "my number is 1", consent=True, learnable=False, origin="web", redacted=3)
        assert message.consent
        assert not message.learnable
        assert message.origin == "web"
        assert await message_of(store, message.id) == message

    async def test_an_unknown_origin_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await say(store, "tea", origin="hearsay")

    async def test_when_and_by_what_a_record_was_learnt_is_kept(self, store: Store) -> None:
        said_at = (START + 7 * MICROSECOND).astimezone(timezone(timedelta(hours=8)))
        (record,) = await learn(store, "tea", said_at=said_at, extractor="model:小模型")
        kept = await record_of(store, record.id)
        assert kept == record
        assert kept.said_at is not None
        assert kept.said_at.utcoffset() == timedelta(hours=8)
