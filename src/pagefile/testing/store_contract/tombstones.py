"""What was erased does not come back: not by an import, not by an old chat, not by a restore; only when it is said anew."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta, timezone
from typing import Any

import pytest

from pagefile.errors import Erased
from pagefile.language.keys import marks
from pagefile.messages import Draft
from pagefile.ports import NewJob, Progress, Store
from pagefile.records import Add, Change, Edit, Reinforce, Restore, Retire, Scope, Supersede, Trust
from pagefile.testing.fakes import FAR_AHEAD, LONG_AGO, indexing_of, make_cause, make_draft, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, found, learn, record_of, retire, say

WORK: dict[str, Any] = {"subject": "user", "attribute": "employer", "value": "Acme"}
TEXT = "Works at Acme."
WRITTEN_OTHERWISE = [
    ("我对花生过敏，有三只猫", "我對花生過敏，有3隻貓"),
    ("我在 Google 上班", "我在Ｇｏｏｇｌｅ上班。"),
    ("has twenty-three cats", "Has 23 cats!"),
    ("call 138 0013 8000", "call 138-0013-8000"),
]


async def forgotten(store: Store, scope: Scope = ALICE) -> None:
    """A fact is learnt and erased."""
    (record,) = await learn(store, TEXT, scope=scope, said_at=LONG_AGO, **WORK)
    await store.erase(scope, ids=[record.id])


async def unsaid(store: Store, text: str = "my secret", *, scope: Scope = ALICE, **fields: Any) -> Draft:
    """A message is said and erased; returns it as it was given."""
    draft = make_draft(text, said_at=LONG_AGO, **fields)
    await store.append(scope, "s", [draft])
    await store.erase(scope, ids=[draft.id])
    return draft


def add(text: str = TEXT, **fields: Any) -> Add:
    return Add(item=make_record(text, **({"said_at": LONG_AGO} | fields)), cause=make_cause(), indexing=indexing_of(text))


class TombstonesContract(Contract):
    # --- messages ---

    async def test_an_old_message_that_comes_again_is_not_stored(self, store: Store) -> None:
        draft = await unsaid(store)
        again = replace(draft, id=make_draft("x").id)
        (appended,) = await store.append(ALICE, "s", [again])
        assert appended.outcome == "erased"
        assert (appended.message.id, appended.message.text, appended.message.session) == (again.id, "my secret", "s")
        # It has no place in the session.
        assert appended.message.seq == 0
        assert await store.get(ALICE, [again.id]) == (None,)
        assert await store.session(ALICE, "s") is None
        assert await found(store, "secret") == set()
        assert (await store.jobs()).total == 0

    @pytest.mark.parametrize(
        "fields",
        [
            {"text": "  MY SECRET! "},
            {"said_at": LONG_AGO.astimezone(timezone(timedelta(hours=8)))},
            {"external_id": "m9", "speaker": "Al", "origin": "imported"},
        ],
        ids=["case and signs", "zone", "other fields"],
    )
    async def test_it_is_known_again_by_its_words_and_its_time(self, store: Store, fields: dict[str, Any]) -> None:
        await unsaid(store)
        draft = replace(make_draft("my secret", said_at=LONG_AGO), **fields)
        (appended,) = await store.append(ALICE, "another session", [draft])
        assert appended.outcome == "erased"

    @pytest.mark.parametrize(("text", "again"), WRITTEN_OTHERWISE, ids=[text for text, _ in WRITTEN_OTHERWISE])
    async def test_what_is_only_written_otherwise_is_known_again(self, store: Store, text: str, again: str) -> None:
        draft = await unsaid(store, text)
        (record,) = await learn(store, text, said_at=LONG_AGO)
        await store.erase(ALICE, ids=[record.id])
        (appended,) = await store.append(ALICE, "s", [replace(draft, id=make_draft("x").id, text=again)])
        assert appended.outcome == "erased"
        with pytest.raises(Erased):
            await store.apply(ALICE, [add(again)])

    @pytest.mark.parametrize(
        "fields",
        [{"said_at": LONG_AGO + timedelta(microseconds=1)}, {"role": "assistant"}, {"text": "my secrets"}],
        ids=["time", "role", "words"],
    )
    async def test_the_same_words_said_anew_and_other_words_are_stored(self, store: Store, fields: dict[str, Any]) -> None:
        await unsaid(store)
        draft = replace(make_draft("my secret", said_at=LONG_AGO), **fields)
        (appended,) = await store.append(ALICE, "s", [draft])
        assert (appended.outcome, appended.message.seq) == ("stored", 1)

    async def test_an_erased_message_among_new_ones_takes_no_number_and_no_job(self, store: Store) -> None:
        draft = await unsaid(store)
        await say(store, "zero", indexing=indexing_of(""))
        before = (await store.jobs()).total
        drafts = [make_draft("one"), replace(draft, id=make_draft("x").id, external_id="m1"), make_draft("two", external_id="m1")]
        appended = await store.append(ALICE, "s", drafts)
        assert [(each.outcome, each.message.seq) for each in appended] == [("stored", 2), ("erased", 0), ("stored", 3)]
        (job,) = (await store.jobs()).items[before:]
        assert job.payload == {"ids": [drafts[0].id, drafts[2].id]}

    @pytest.mark.parametrize("left", ["nothing", "the scope", "the session"])
    async def test_where_every_message_was_erased_nothing_is_written(self, store: Store, left: str) -> None:
        drafts = [await unsaid(store), await unsaid(store, "another")]
        if left == "nothing":
            await store.erase(ALICE)
        else:
            await say(store, "stays", session="s" if left == "the session" else "other")
        before = await store.scopes(), await store.jobs(), await store.stats(ALICE), await store.occurrences(["Zanzibar"])
        again = [replace(draft, id=make_draft("x").id) for draft in drafts]
        job = NewJob(kind="learn", once="Zanzibar", payload={"session": "Zanzibar"})
        for session in ("Zanzibar", "s"):
            appended = await store.append(ALICE, session, again, jobs=[job])
            assert [each.outcome for each in appended] == ["erased", "erased"]
        assert (await store.scopes(), await store.jobs(), await store.stats(ALICE), await store.occurrences(["Zanzibar"])) == before

    async def test_a_key_gives_the_same_answer_again_with_what_was_erased(self, store: Store) -> None:
        draft = await unsaid(store)
        drafts = [make_draft("one"), replace(draft, id=make_draft("x").id)]
        first = await store.append(ALICE, "s", drafts, key="k", fingerprint="f")
        assert await store.append(ALICE, "s", drafts, key="k", fingerprint="f") == first
        assert [each.outcome for each in first] == ["stored", "erased"]
        assert await store.occurrences(["my secret"]) == (0,)

    # --- records ---

    @pytest.mark.parametrize(
        "item",
        [
            {},
            {"text": "WORKS  at Acme", "subject": None},
            {"text": "is employed by Acme"},
            {"text": "has a job", "subject": "User", "attribute": "EMPLOYER", "value": "acme!"},
            {"said_at": None, "learned_at": LONG_AGO},
            {"learned_at": FAR_AHEAD},
            {"said_at": FAR_AHEAD, "trust": Trust.IMPORTED},
            {"kind": "event", "status": "superseded", "session": "other", "trust": Trust.USER_CONFIRMED},
        ],
        ids=[
            "the same",
            "its words",
            "its value",
            "its value in other letters",
            "learnt before",
            "learnt anew",
            "imported",
            "other fields",
        ],
    )
    async def test_what_was_erased_is_not_learnt_again_from_what_was_said_before(self, store: Store, item: dict[str, Any]) -> None:
        await forgotten(store)
        change = add(**({"text": TEXT} | WORK | item))
        with pytest.raises(Erased):
            await store.apply(ALICE, [change])
        assert (await store.records(ALICE)).total == 0
        assert (await store.changes(ALICE)).total == 0

    @pytest.mark.parametrize(
        "item",
        [
            {"said_at": FAR_AHEAD},
            {"said_at": None, "learned_at": FAR_AHEAD},
            {"text": "works at Beta", "value": "Beta"},
            {"text": "he works there", "subject": "Tom"},
            {"text": "owns it", "attribute": "owns"},
            {"text": "has a job", "value": None},
        ],
        ids=["said later", "learnt later", "another value", "another subject", "another attribute", "no value"],
    )
    async def test_what_is_said_later_and_what_says_something_else_is_kept(self, store: Store, item: dict[str, Any]) -> None:
        await forgotten(store)
        change = add(**({"text": TEXT} | WORK | item))
        await store.apply(ALICE, [change])
        assert (await store.records(ALICE)).items == (change.item,)

    @pytest.mark.parametrize(
        ("way", "fields"),
        [
            ("supersede", {}),
            ("edit", {"text": "works at ACME"}),
            ("edit", {"value": "Acme"}),
            ("edit", {"attribute": "employer"}),
            ("edit", {"subject": "user"}),
            ("restore", {}),
        ],
        ids=["supersede", "edit the text", "edit the value", "edit the attribute", "edit the subject", "restore"],
    )
    async def test_no_other_change_brings_it_back(self, store: Store, way: str, fields: dict[str, Any]) -> None:
        # It says what was erased but for the field that is to be edited.
        apart = dict.fromkeys(fields.keys() - {"text"} or ["value"], "something else")
        (record,) = await learn(store, "has a job", said_at=LONG_AGO, **(WORK | apart))
        (twin,) = await learn(store, TEXT, said_at=LONG_AGO)
        await retire(store, twin.id)
        await forgotten(store)
        changes: dict[str, Change] = {
            "supersede": Supersede(target=record.id, item=make_record(TEXT, said_at=LONG_AGO), cause=make_cause()),
            "edit": Edit(target=record.id, fields=fields, cause=make_cause(), indexing=indexing_of("x")),
            "restore": Restore(target=twin.id, cause=make_cause()),
        }
        before = (await store.records(ALICE)).items, await store.changes(ALICE), await store.jobs()
        with pytest.raises(Erased):
            await store.apply(
                ALICE,
                [add("new"), changes[way]],
                jobs=[NewJob(kind="learn")],
                progress=Progress(session="s", name="rules", seq=1),
            )
        assert ((await store.records(ALICE)).items, await store.changes(ALICE), await store.jobs()) == before
        assert await store.progress(ALICE, "s") == {}
        assert (await record_of(store, twin.id)).status == "retired"

    async def test_the_user_can_say_it_anew_by_an_edit_with_its_time(self, store: Store) -> None:
        (record,) = await learn(store, "has a job", said_at=LONG_AGO)
        await forgotten(store)
        fields = {"text": TEXT, "said_at": FAR_AHEAD}
        await store.apply(ALICE, [Edit(target=record.id, fields=fields, cause=make_cause(), indexing=indexing_of(TEXT))])
        assert (await record_of(store, record.id)).text == TEXT

    async def test_a_record_that_says_the_same_and_was_not_erased_can_still_be_changed(self, store: Store) -> None:
        (twin,) = await learn(store, TEXT, said_at=LONG_AGO, **WORK)
        await forgotten(store)
        changes: list[Change] = [
            Restore(target=twin.id, cause=make_cause()),
            Reinforce(target=twin.id, cause=make_cause()),
            Edit(target=twin.id, fields={"pinned": True, "text": TEXT}, cause=make_cause(), indexing=indexing_of(TEXT)),
            Retire(target=twin.id, cause=make_cause()),
        ]
        for change in changes:
            await store.apply(ALICE, [change])
        assert (await record_of(store, twin.id)).status == "retired"

    async def test_a_retired_message_is_restored_whatever_was_erased(self, store: Store) -> None:
        messages = await say(store, "tea", "tea", said_at=LONG_AGO)
        await retire(store, messages[0].id)
        await store.erase(ALICE, ids=[messages[1].id])
        await store.apply(ALICE, [Restore(target=messages[0].id, cause=make_cause())])
        assert await found(store, "tea") == {messages[0].id}

    # --- where and when ---

    @pytest.mark.parametrize(
        ("one", "other"),
        [(ALICE, BOB), (Scope("a", "bc"), Scope("ab", "c")), (Scope("acme", "al"), Scope("acme", "AL"))],
        ids=["another user", "run together", "another case"],
    )
    async def test_what_one_scope_erased_another_may_say(self, store: Store, one: Scope, other: Scope) -> None:
        draft = await unsaid(store, scope=one)
        await forgotten(store, scope=one)
        (appended,) = await store.append(other, "s", [draft])
        assert appended.outcome == "stored"
        await store.apply(other, [add(**WORK)])
        record = make_record(TEXT, **WORK)
        assert await store.erased(other, [*marks(draft), *marks(record)]) == (None,) * 3
        assert None not in await store.erased(one, [*marks(draft), *marks(record)])

    @pytest.mark.parametrize("what", ["session", "scope"])
    async def test_what_went_with_its_session_or_scope_does_not_come_back(self, store: Store, what: str) -> None:
        draft, change = make_draft("my secret", said_at=LONG_AGO), add(**WORK, session="s")
        await store.append(ALICE, "s", [draft])
        await store.apply(ALICE, [change])
        await (store.erase(ALICE, session="s") if what == "session" else store.erase(ALICE))
        if what == "scope":
            assert (await store.scopes()).total == 0
        (appended,) = await store.append(ALICE, "s", [replace(draft, id=make_draft("x").id)])
        assert appended.outcome == "erased"
        with pytest.raises(Erased):
            await store.apply(ALICE, [add(**WORK)])
        assert (await store.records(ALICE)).total == 0
        if what == "scope":
            assert (await store.scopes()).total == 0

    async def test_a_mark_tells_when_it_was_erased(self, store: Store) -> None:
        (kept,) = await learn(store, "kept")
        assert await store.erased(ALICE, marks(kept)) == (None,)
        (message,) = await say(store, "my secret")
        (record,) = await learn(store, TEXT, **WORK)
        await store.erase(ALICE, ids=[message.id, record.id])
        asked = [*marks(message), *marks(kept), *marks(record), "unknown", ""]
        times = await store.erased(ALICE, asked)
        assert [time is not None for time in times] == [True, True, False, True, True, False, False]
        assert {time.astimezone(UTC).utcoffset() for time in times if time} == {timedelta(0)}
        assert len({time for time in times if time}) == 1
        assert await store.erased(ALICE, []) == ()

    async def test_a_draft_that_is_sent_again_is_known_by_its_words_alone(self, store: Store) -> None:
        (message,) = await say(store, "我姐姐住在格拉茨")
        await store.erase(ALICE, ids=[message.id])
        drafts = [make_draft("我姐姐 住在格拉茨！", resent=resent) for resent in (True, False)]
        answers = await store.append(ALICE, "another", drafts)
        assert [answer.outcome for answer in answers] == ["erased", "stored"]
        (bobs,) = await store.append(BOB, "another", [make_draft("我姐姐住在格拉茨", resent=True)])
        assert bobs.outcome == "stored"

    async def test_what_is_erased_twice_was_erased_the_last_time(self, store: Store) -> None:
        await forgotten(store)
        (first,) = await store.erased(ALICE, marks(make_record(TEXT)))
        assert first is not None
        between = first + timedelta(microseconds=1)
        (record,) = await learn(store, TEXT, said_at=between)
        await store.erase(ALICE, ids=[record.id])
        with pytest.raises(Erased):
            await store.apply(ALICE, [add(said_at=between)])

    async def test_what_was_edited_is_known_by_what_it_said_last(self, store: Store) -> None:
        (record,) = await learn(store, "has a job")
        await store.apply(ALICE, [Edit(target=record.id, fields={"text": TEXT}, cause=make_cause(), indexing=indexing_of(TEXT))])
        await store.erase(ALICE, ids=[record.id])
        with pytest.raises(Erased):
            await store.apply(ALICE, [add()])
        await store.apply(ALICE, [add("has a job")])
        assert [record.text for record in (await store.records(ALICE)).items] == ["has a job"]
