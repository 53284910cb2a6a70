"""The one door: what each change does to records and messages, and that a call is done whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta

import anyio
import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.ports import NewJob, Store
from pagefile.records import Add, Block, Change, Edit, Record, Reinforce, Restore, Retire, Source, Status, Supersede, Trust
from pagefile.testing.fakes import START, indexing_of, make_cause, make_record
from pagefile.testing.store_contract.base import (
    ALICE,
    EVERY_STATUS,
    Contract,
    embed,
    found,
    learn,
    message_of,
    near,
    record_of,
    retire,
    rewrite,
    say,
)


def add(record: Record | Block) -> Add:
    return Add(item=record, cause=make_cause(), indexing=indexing_of(record.text))


class ChangesContract(Contract):
    # --- adding ---

    async def test_an_added_record_comes_back_as_it_was_given(self, store: Store) -> None:
        time = START + timedelta(microseconds=7)
        record = make_record(
            "我住在深圳",
            kind="fact",
            status="pending",
            subject="user",
            attribute="home",
            value="深圳",
            polarity="negative",
            tags=("city", "a,b", 'x"y'),
            entities=("深圳",),
            confidence=0.25,
            importance=0.75,
            valid_from=time,
            valid_to=time + timedelta(days=1),
            speaker="alice",
            trust=Trust.TOOL_OUTPUT,
            sources=(Source(message="m1", span=(0, 5), external_id="e1"), Source(message="m2")),
            session="s",
            agent="cook",
            supersedes="older",
            evidence_count=3,
            use_count=2,
            last_used_at=time,
            expires_at=time + timedelta(days=9),
            privacy="sensitive",
            pinned=True,
        )
        await store.apply(ALICE, [add(record)])
        assert await record_of(store, record.id) == record

    async def test_an_addition_is_findable_at_once_and_is_in_history(self, store: Store) -> None:
        record, cause = make_record("likes tea"), make_cause("she said so", actor="model:x")
        (entry,) = await store.apply(ALICE, [Add(item=record, cause=cause, indexing=indexing_of(record.text))])
        assert await found(store, "tea") == {record.id}
        assert await store.history(ALICE, record.id) == (entry,)
        assert (entry.target, entry.change, entry.before, entry.cause) == (record.id, "add", {}, cause)
        assert (entry.after["text"], entry.after["kind"]) == ("likes tea", "fact")

    async def test_an_id_that_exists_is_a_conflict(self, store: Store) -> None:
        (record,) = await learn(store, "old")
        (message,) = await say(store, "said")
        for id in (record.id, message.id):
            with pytest.raises(ConflictError):
                await store.apply(ALICE, [add(make_record("new", id=id))])
        assert (await record_of(store, record.id)).text == "old"

    async def test_applying_nothing_changes_nothing(self, store: Store) -> None:
        assert await store.apply(ALICE, []) == ()
        assert (await store.records(ALICE)).total == 0
        assert (await store.scopes()).total == 0

    # --- all or nothing ---

    @pytest.mark.parametrize(
        "bad",
        [
            Retire(target="nobody", cause=make_cause()),
            Edit(target="nobody", fields={"text": "x"}, cause=make_cause(), indexing=indexing_of("x")),
            Add(item=make_record("lone \ud800 surrogate"), cause=make_cause()),
        ],
        ids=["unknown record", "unknown target", "bad text"],
    )
    async def test_when_a_change_fails_nothing_of_the_call_is_left(self, store: Store, bad: Change) -> None:
        (old,) = await learn(store, "old wording")
        (message,) = await say(store, "said")
        history, jobs = await store.history(ALICE, old.id), await store.jobs()
        new, block = make_record("new wording"), Block(label="persona", text="p")
        changes: list[Change] = [
            add(new),
            add(block),
            Edit(target=old.id, fields={"text": "changed"}, cause=make_cause(), indexing=indexing_of("changed")),
            Retire(target=message.id, cause=make_cause()),
            bad,
        ]
        with pytest.raises(InputError):
            await store.apply(ALICE, changes, jobs=[NewJob(kind="learn")])
        assert await store.get(ALICE, [new.id, old.id]) == (None, old)
        assert await found(store, "new changed") == set()
        assert await found(store, "old") == {old.id}
        assert not (await message_of(store, message.id)).retired
        assert await store.blocks(ALICE) == ()
        assert (await store.history(ALICE, new.id), await store.history(ALICE, "block:persona")) == ((), ())
        assert await store.history(ALICE, old.id) == history
        assert await store.jobs() == jobs

    async def test_a_later_change_of_a_call_sees_the_earlier_ones(self, store: Store) -> None:
        record = make_record("draft")
        edit = Edit(target=record.id, fields={"text": "final"}, cause=make_cause(), indexing=indexing_of("final"))
        entries = await store.apply(ALICE, [add(record), edit, Retire(target=record.id, cause=make_cause())])
        assert [entry.change for entry in entries] == ["add", "edit", "retire"]
        kept = await record_of(store, record.id)
        assert (kept.text, kept.status, kept.version) == ("final", "retired", 3)
        assert await found(store, "draft final", statuses=EVERY_STATUS) == {record.id}

    # --- reinforcing ---

    async def test_reinforcing_counts_and_merges_sources_without_repetition(self, store: Store) -> None:
        one, two = Source(message="m1", span=(0, 3)), Source(message="m2")
        (record,) = await learn(store, "likes tea", sources=(one,))
        await store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), sources=(one, two, two))])
        kept = await record_of(store, record.id)
        assert (kept.evidence_count, kept.sources, kept.version) == (2, (one, two), 2)
        assert (await store.history(ALICE, record.id))[-1].change == "reinforce"
        assert await found(store, "tea") == {record.id}

    async def test_the_same_evidence_once_more_merges_sources_and_counts_nothing(self, store: Store) -> None:
        one, two = Source(message="m1"), Source(message="m2")
        (record,) = await learn(store, "likes tea", sources=(one,))
        for sources in ((one, two), (two,), ()):
            await store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), sources=sources, counts=False)])
        assert await record_of(store, record.id) == replace(record, sources=(one, two), version=2)
        assert [entry.change for entry in await store.history(ALICE, record.id)] == ["add", "reinforce"]

    @pytest.mark.parametrize("said_at", [None, START - timedelta(days=3)], ids=["said when it was learnt", "said before"])
    async def test_the_time_of_what_was_said_moves_only_on(self, store: Store, said_at: datetime | None) -> None:
        (record,) = await learn(store, "likes tea", said_at=said_at, learned_at=START)
        times = [START - timedelta(days=9), START + timedelta(days=2), None, START + timedelta(days=1)]
        seen = []
        for time in times:
            await store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), said_at=time)])
            seen.append((await record_of(store, record.id)).said_at)
        assert seen == [said_at, *[times[1]] * 3]
        assert (await record_of(store, record.id)).evidence_count == 5

    # --- superseding ---

    async def test_superseding_ends_the_old_record_and_links_the_new_one(self, store: Store) -> None:
        (old,) = await learn(store, "works at Acme")
        new, cause = make_record("works at Beta", valid_from=START), make_cause("she changed jobs")
        await store.apply(ALICE, [Supersede(target=old.id, item=new, cause=cause, indexing=indexing_of(new.text))])
        ended, current = await record_of(store, old.id), await record_of(store, new.id)
        assert (ended.status, ended.valid_to, ended.retired_at, ended.version) == ("superseded", START, cause.at, 2)
        assert (current.status, current.supersedes, current.version) == ("current", old.id, 1)
        assert await found(store, "Acme Beta") == {new.id}
        assert await found(store, "Acme", statuses=("superseded",)) == {old.id}

    async def test_superseding_is_in_the_history_of_both(self, store: Store) -> None:
        (old,) = await learn(store, "works at Acme")
        new = make_record("works at Beta")
        await store.apply(ALICE, [Supersede(target=old.id, item=new, cause=make_cause(), indexing=indexing_of(new.text))])
        ending = (await store.history(ALICE, old.id))[-1]
        assert (ending.change, ending.before["status"], ending.after["status"]) == ("supersede", "current", "superseded")
        (beginning,) = await store.history(ALICE, new.id)
        assert beginning.after["text"] == "works at Beta"

    @pytest.mark.parametrize("given", ["valid_to", "valid_from", "neither"])
    async def test_the_old_validity_ends_when_said_else_when_the_new_begins_else_now(self, store: Store, given: str) -> None:
        (old,) = await learn(store, "works at Acme")
        begins, ends, cause = START - timedelta(days=2), START - timedelta(days=5), make_cause()
        new = make_record("works at Beta", valid_from=None if given == "neither" else begins)
        await store.apply(ALICE, [Supersede(target=old.id, item=new, cause=cause, valid_to=ends if given == "valid_to" else None)])
        assert (await record_of(store, old.id)).valid_to == {"valid_to": ends, "valid_from": begins, "neither": cause.at}[given]

    async def test_what_was_replaced_already_cannot_be_replaced_again(self, store: Store) -> None:
        (old,) = await learn(store, "works at Acme")
        await store.apply(ALICE, [Supersede(target=old.id, item=make_record("works at Beta"), cause=make_cause())])
        late = make_record("works at Gamma")
        with pytest.raises(ConflictError):
            await store.apply(ALICE, [Supersede(target=old.id, item=late, cause=make_cause())])
        assert await store.get(ALICE, [late.id]) == (None,)

    # --- editing ---

    async def test_after_an_edit_the_new_words_are_found_and_the_old_ones_are_not(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        await rewrite(store, record.id, "works at 贝塔")
        assert await found(store, "Acme") == set()
        assert await found(store, "贝") == {record.id}
        assert await found(store, "works") == {record.id}

    async def test_after_an_edit_the_vector_of_the_old_text_no_longer_counts(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        await embed(store, {record.id: (1.0,)})
        await rewrite(store, record.id, "works at Beta")
        assert await near(store, 1.0) == {}
        assert [each.item.id for each in (await store.unembedded("model-a", scope=ALICE)).items] == [record.id]
        await embed(store, {record.id: (0.0, 1.0)})
        assert await near(store, 0.0, 1.0) == {record.id: pytest.approx(1.0, abs=1e-3)}

    async def test_editing_other_fields_keeps_words_and_vector(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme", use_count=4)
        await embed(store, {record.id: (1.0,)})
        fields = {"tags": ("job",), "importance": 0.9, "pinned": True, "status": "pending"}
        await store.apply(ALICE, [Edit(target=record.id, fields=fields, cause=make_cause())])
        assert await record_of(store, record.id) == replace(record, **fields, version=2)  # type: ignore[arg-type]
        assert await found(store, "Acme", statuses=("pending",), tags=("job",)) == {record.id}
        assert set(await near(store, 1.0)) == {record.id}

    async def test_history_holds_the_changed_fields_before_and_after(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        fields = {"text": "works at Beta", "valid_from": START, "trust": Trust.USER_CONFIRMED, "sources": (Source(message="m"),)}
        edit = Edit(target=record.id, fields=fields, cause=make_cause("a typo"), indexing=indexing_of("works at Beta"))
        (entry,) = await store.apply(ALICE, [edit])
        assert (entry.before["text"], entry.after["text"], entry.cause) == ("works at Acme", "works at Beta", edit.cause)
        assert not {"kind", "id", "learned_at"} & {*entry.before, *entry.after}
        assert json.loads(json.dumps([entry.before, entry.after])) == [entry.before, entry.after]
        assert (await store.history(ALICE, record.id))[-1] == entry

    async def test_an_edit_for_another_version_is_a_conflict_and_changes_nothing(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        await store.apply(ALICE, [Edit(target=record.id, fields={"importance": 0.9}, cause=make_cause(), expected_version=1)])
        with pytest.raises(ConflictError):
            await store.apply(ALICE, [Edit(target=record.id, fields={"importance": 0.1}, cause=make_cause(), expected_version=1)])
        assert (await record_of(store, record.id)).importance == 0.9

    async def test_of_many_edits_of_one_version_at_once_one_is_made(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        outcomes: list[str] = []

        async def edit(number: int) -> None:
            change = Edit(target=record.id, fields={"importance": number / 10}, cause=make_cause(), expected_version=1)
            try:
                await store.apply(ALICE, [change])
                outcomes.append("made")
            except ConflictError:
                outcomes.append("conflict")

        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(edit, number)
        assert sorted(outcomes) == ["conflict"] * 7 + ["made"]
        assert (await record_of(store, record.id)).version == 2

    @pytest.mark.parametrize(
        "fields",
        [
            {"colour": "red"},
            {"id": "other"},
            {"version": 9},
            {"text = 'x' --": 1},
            {"kind": "rumour"},
            {"status": "gone"},
            {"confidence": 1.5},
            {"trust": 99},
            {"valid_from": "yesterday"},
            {"pinned": 1, "nothing": 2},
        ],
        ids=str,
    )
    async def test_a_field_or_value_that_does_not_exist_is_refused(self, store: Store, fields: dict[str, object]) -> None:
        (record,) = await learn(store, "works at Acme")
        with pytest.raises(InputError):
            await store.apply(ALICE, [Edit(target=record.id, fields=fields, cause=make_cause())])
        assert await record_of(store, record.id) == record

    async def test_a_new_text_needs_new_indexing(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        with pytest.raises(InputError):
            await store.apply(ALICE, [Edit(target=record.id, fields={"text": "works at Beta"}, cause=make_cause())])

    async def test_messages_are_never_rewritten(self, store: Store) -> None:
        (message,) = await say(store, "said")
        edit = Edit(target=message.id, fields={"text": "never said"}, cause=make_cause(), indexing=indexing_of("never said"))
        for change in (edit, Reinforce(target=message.id, cause=make_cause())):
            with pytest.raises(InputError):
                await store.apply(ALICE, [change])
        assert (await message_of(store, message.id)).text == "said"

    # --- retiring and restoring ---

    async def test_a_retired_record_is_found_only_when_asked_for_and_can_be_restored(self, store: Store) -> None:
        (record,) = await learn(store, "likes tea")
        cause = make_cause()
        await store.apply(ALICE, [Retire(target=record.id, cause=cause)])
        kept = await record_of(store, record.id)
        assert (kept.status, kept.retired_at) == ("retired", cause.at)
        assert await found(store, "tea") == set()
        assert await found(store, "tea", statuses=("retired",)) == {record.id}
        await store.apply(ALICE, [Restore(target=record.id, cause=make_cause())])
        assert await record_of(store, record.id) == replace(record, version=3)
        assert await found(store, "tea") == {record.id}
        assert [entry.change for entry in await store.history(ALICE, record.id)] == ["add", "retire", "restore"]

    async def test_a_retired_message_is_found_only_when_asked_for_and_can_be_restored(self, store: Store) -> None:
        (message,) = await say(store, "likes tea")
        await retire(store, message.id)
        assert (await message_of(store, message.id)).retired
        assert await found(store, "tea") == set()
        assert await found(store, "tea", statuses=("current", "retired")) == {message.id}
        await store.apply(ALICE, [Restore(target=message.id, cause=make_cause())])
        assert await message_of(store, message.id) == message
        assert await found(store, "tea") == {message.id}
        entries = await store.history(ALICE, message.id)
        assert [(entry.change, entry.after) for entry in entries] == [("retire", {"retired": True}), ("restore", {"retired": False})]

    @pytest.mark.parametrize("ended", [None, START + timedelta(days=30)], ids=["open", "dated"])
    async def test_a_restored_record_has_the_validity_it_had_before_it_was_superseded(self, store: Store, ended: object) -> None:
        (old,) = await learn(store, "works at Acme", valid_to=ended)
        await store.apply(ALICE, [Supersede(target=old.id, item=make_record("works at Beta"), cause=make_cause())])
        await store.apply(ALICE, [Restore(target=old.id, cause=make_cause())])
        assert await record_of(store, old.id) == replace(old, version=3)
        assert await found(store, "Acme") == {old.id}

    async def test_what_was_pending_is_pending_again(self, store: Store) -> None:
        retired, replaced = await learn(store, "likes tea", "works at Acme", status="pending")
        await retire(store, retired.id)
        await store.apply(ALICE, [Supersede(target=replaced.id, item=make_record("works at Beta"), cause=make_cause())])
        for record in (retired, replaced):
            await store.apply(ALICE, [Restore(target=record.id, cause=make_cause())])
            assert await record_of(store, record.id) == replace(record, version=3)

    @pytest.mark.parametrize("status", ["pending", "current"])
    async def test_restoring_what_was_not_put_away_changes_nothing(self, store: Store, status: Status) -> None:
        (record,) = await learn(store, "likes tea", status=status)
        assert await store.apply(ALICE, [Restore(target=record.id, cause=make_cause())]) == ()
        assert await record_of(store, record.id) == record

    async def test_what_was_superseded_and_then_retired_comes_back_step_by_step(self, store: Store) -> None:
        (old,) = await learn(store, "works at Acme", status="pending", valid_to=START)
        await store.apply(ALICE, [Edit(target=old.id, fields={"status": "current"}, cause=make_cause())])
        await store.apply(ALICE, [Supersede(target=old.id, item=make_record("works at Beta"), cause=make_cause())])
        superseded = await record_of(store, old.id)
        await retire(store, old.id)
        await store.apply(ALICE, [Restore(target=old.id, cause=make_cause())])
        assert await record_of(store, old.id) == replace(superseded, version=5)
        await store.apply(ALICE, [Restore(target=old.id, cause=make_cause())])
        assert await record_of(store, old.id) == replace(old, status="current", version=6)

    async def test_what_was_put_away_by_an_edit_comes_back_as_it_was(self, store: Store) -> None:
        (record,) = await learn(store, "likes tea", status="pending")
        ended = {"status": "superseded", "valid_to": START, "retired_at": START}
        await store.apply(ALICE, [Edit(target=record.id, fields=ended, cause=make_cause())])
        await store.apply(ALICE, [Restore(target=record.id, cause=make_cause())])
        assert await record_of(store, record.id) == replace(record, version=3)

    @pytest.mark.parametrize("status", ["superseded", "retired"])
    async def test_what_was_put_away_when_it_was_added_is_current_once_it_is_restored(self, store: Store, status: Status) -> None:
        (record,) = await learn(store, "likes tea", status=status, retired_at=START, valid_to=START)
        await store.apply(ALICE, [Restore(target=record.id, cause=make_cause())])
        assert await record_of(store, record.id) == replace(record, status="current", retired_at=None, version=2)

    async def test_retiring_twice_is_no_error_and_keeps_the_first_time(self, store: Store) -> None:
        (record,) = await learn(store, "likes tea")
        await retire(store, record.id)
        first = (await record_of(store, record.id)).retired_at
        await retire(store, record.id)
        assert (await record_of(store, record.id)).retired_at == first

    async def test_what_does_not_exist_cannot_be_changed(self, store: Store) -> None:
        changes: list[Change] = [
            Reinforce(target="nobody", cause=make_cause()),
            Supersede(target="nobody", item=make_record("x"), cause=make_cause()),
            Edit(target="nobody", fields={"pinned": True}, cause=make_cause()),
            Retire(target="nobody", cause=make_cause()),
            Restore(target="nobody", cause=make_cause()),
        ]
        for change in changes:
            with pytest.raises(NotFound):
                await store.apply(ALICE, [change])
