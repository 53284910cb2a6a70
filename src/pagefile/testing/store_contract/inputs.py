"""Bad input: refused with an InputError that says what is wrong, and nothing is changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.ports import NewJob, Store
from pagefile.queries import Probe, Where
from pagefile.records import Add, Block, Cause, Edit, Indexing, Record, Reinforce, Source, TaskState
from pagefile.testing.fakes import START, indexing_of, make_cause, make_draft, make_record
from pagefile.testing.store_contract.base import ALICE, EMBEDDER, Contract, learn, say

NAIVE = datetime(2026, 5, 24, 10, 0)


def scans(store: Store) -> dict[str, Any]:
    """Every method that gives pages, as a function of limit and cursor."""
    return {
        "messages": lambda **page: store.messages(ALICE, "s", **page),
        "messages of the scope": lambda **page: store.messages(ALICE, None, **page),
        "sessions": lambda **page: store.sessions(ALICE, **page),
        "records": lambda **page: store.records(ALICE, **page),
        "unembedded": lambda **page: store.unembedded(EMBEDDER, **page),
        "jobs": lambda **page: store.jobs(**page),
        "operations": lambda **page: store.operations(ALICE, **page),
        "changes": lambda **page: store.changes(ALICE, **page),
        "scopes": lambda **page: store.scopes(**page),
    }


class InputsContract(Contract):
    # --- pages ---

    @pytest.mark.parametrize("limit", [0, -1, -(10**6), "10", 2.5, None, True], ids=repr)
    async def test_a_limit_that_is_no_whole_number_from_one_on_is_refused(self, store: Store, limit: Any) -> None:
        for name, scan in scans(store).items():
            with pytest.raises(InputError):
                await scan(limit=limit)
                pytest.fail(name)
        with pytest.raises(InputError):
            await store.search(ALICE, Probe(terms={"tea": 1.0}, limit=limit))
        with pytest.raises(InputError):
            await store.claim(["learn"], now=START, lease_seconds=60, limit=limit)

    async def test_a_limit_of_more_than_ten_thousand_gives_ten_thousand(self, store: Store) -> None:
        await store.enqueue(ALICE, [NewJob(kind="learn")] * 10_001)
        page = await store.jobs(limit=10**6)
        assert (len(page.items), page.total) == (10_000, 10_001)
        assert len((await store.jobs(limit=10**30, after=page.cursor)).items) == 1
        for scan in scans(store).values():
            await scan(limit=10**30)

    @pytest.mark.parametrize("cursor", ["", "nonsense", "-1", "1 OR 1=1", "9" * 50, "٣", "1.5", " 1", 3], ids=repr)
    async def test_a_cursor_that_no_page_gave_is_refused(self, store: Store, cursor: Any) -> None:
        for name, scan in scans(store).items():
            with pytest.raises(InputError):
                await scan(after=cursor)
                pytest.fail(name)

    # --- text ---

    @pytest.mark.parametrize("text", ["Acme moved\0 to Shenzhen", "half \ud83d of a pair", "\udc00"], ids=ascii)
    async def test_text_with_nul_or_a_lone_surrogate_is_refused_wherever_it_stands(self, store: Store, text: str) -> None:
        (record,) = await learn(store, "kept")
        await store.apply(ALICE, [Add(item=Block(label="persona"), cause=make_cause())])
        before = await store.stats()
        plain = Indexing()
        for draft in (
            make_draft(text, indexing=plain),
            make_draft("x", speaker=text),
            make_draft("x", external_id=text),
            make_draft("x", agent=text),
            make_draft("x", indexing=Indexing(terms={text: 1})),
        ):
            with pytest.raises(InputError):
                await store.append(ALICE, "s", [make_draft("good"), draft])
        with pytest.raises(InputError):
            await store.append(ALICE, text, [make_draft("good")])
        for item in (
            make_record("x", **field)
            for field in ({"text": text}, {"value": text}, {"tags": (text,)}, {"sources": (Source(message=text),)})
        ):
            with pytest.raises(InputError):
                await store.apply(ALICE, [Add(item=item, cause=make_cause(), indexing=plain)])
        for change in (
            Add(item=Block(label="x", text=text), cause=make_cause()),
            Add(item=make_record("x"), cause=make_cause(text)),
            Edit(target=record.id, fields={"text": text}, cause=make_cause(), indexing=plain),
            Edit(target="persona", fields={"text": text}, cause=make_cause()),
        ):
            with pytest.raises(InputError):
                await store.apply(ALICE, [change])
        assert await store.stats() == replace(before, bytes=(await store.stats()).bytes)

    async def test_paired_surrogates_and_other_odd_characters_are_kept(self, store: Store) -> None:
        text = "\U0001f336 \u202eback\u202c \ufeff\ufffe \u0301 \U0010ffff \x01\x7f \r\n"
        (message,) = await say(store, text, speaker=text)
        (kept,) = await store.get(ALICE, [message.id])
        assert kept == message
        assert message.text == text

    @pytest.mark.parametrize("id", ["nul \0", "\ud83d"], ids=ascii)
    async def test_looking_for_an_id_that_no_item_can_have_finds_nothing_or_is_refused(self, store: Store, id: str) -> None:
        await say(store, "tea", speaker="Al")
        looks: list[Any] = [
            store.get(ALICE, [id]),
            store.history(ALICE, id),
            store.window(ALICE, id),
            store.session(ALICE, id),
            store.messages(ALICE, id),
            store.messages(ALICE, None, where=Where(speaker=id)),
            store.records(ALICE, where=Where(tags=(id,))),
            store.search(ALICE, Probe(terms={id: 1.0}, embedder=id)),
            store.task(ALICE, id, now=START),
            store.blocks(ALICE, id),
            store.jobs(state=id),
            store.citing(ALICE, [id]),
            store.entry(ALICE, id),
        ]
        for look in looks:
            try:
                answer = await look
            except InputError:
                continue
            assert answer in ((), (None,), None) or getattr(answer, "items", None) == ()

    async def test_what_a_caller_changes_after_a_call_changes_nothing_kept(self, store: Store) -> None:
        part, payload, value = {"type": "text"}, {"step": ["one"]}, {"done": ["one"]}
        (message,) = await say(store, "tea", parts=(part,))
        await store.enqueue(ALICE, [NewJob(kind="learn", payload=payload)])
        await store.put_task(ALICE, TaskState(key="k", value=value, updated_at=START))
        part["type"] = "changed"
        payload["step"].append("changed")
        value["done"].append("changed")
        (kept,) = await store.get(ALICE, [message.id])
        job = (await store.jobs()).items[-1]
        assert "changed" not in repr((kept, job, await store.task(ALICE, "k", now=START)))

    async def test_text_that_is_no_text_is_refused(self, store: Store) -> None:
        bad: Any = None
        with pytest.raises(InputError):
            await store.append(ALICE, "s", [replace(make_draft("x"), text=bad)])
        with pytest.raises(InputError):
            await store.apply(ALICE, [Add(item=replace(make_record("x"), text=bad), cause=make_cause())])
        assert (await store.stats()).scopes == 0

    async def test_an_unknown_role_or_kind_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.append(ALICE, "s", [make_draft("x", role="narrator")])
        with pytest.raises(InputError):
            await store.apply(ALICE, [Add(item=make_record("x", kind="rumour"), cause=make_cause())])

    @pytest.mark.parametrize(
        "fields",
        [{"message": None}, {"message": ""}, {"message": 7}, {"external_id": 7}]
        + [{"span": span} for span in (5, (), (1,), (1, 2, 3), (2, 1), (-1, 2), (0.0, 2), (False, True), ("0", "2"), [0, 2], "02")],
        ids=str,
    )
    async def test_a_source_that_is_no_place_in_the_journal_is_refused(self, store: Store, fields: dict[str, Any]) -> None:
        (record,) = await learn(store, "tea", sources=(Source(message="m", span=(0, 0)),))
        sources = (Source(**({"message": "m"} | fields)),)
        bad: Any = make_record("tea", sources=sources)
        for change in (
            Add(item=bad, cause=make_cause()),
            Edit(target=record.id, fields={"sources": sources}, cause=make_cause()),
            Reinforce(target=record.id, cause=make_cause(), sources=sources),
        ):
            with pytest.raises(InputError):
                await store.apply(ALICE, [change])
        assert (await store.records(ALICE)).items == (record,)

    async def test_parts_and_payloads_that_are_no_json_are_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.append(ALICE, "s", [make_draft("x", parts=({"data": b"bytes"},))])
        with pytest.raises(InputError):
            await store.append(ALICE, "s", [make_draft("x")], jobs=[NewJob(kind="learn", payload={"x": {1}})])
        with pytest.raises(InputError):
            await store.enqueue(ALICE, [NewJob(kind="good"), NewJob(kind="learn", payload={"x": object()})])
        counts = await store.stats()
        assert (counts.messages, counts.jobs) == (0, {})

    # --- times ---

    async def test_a_time_without_a_zone_is_refused(self, store: Store) -> None:
        (record,) = await learn(store, "kept")
        calls: list[Any] = [
            store.append(ALICE, "s", [make_draft("x", said_at=NAIVE)]),
            store.append(ALICE, "s", [make_draft("x", recorded_at=NAIVE)]),
            store.apply(ALICE, [Add(item=make_record("x", valid_from=NAIVE), cause=make_cause())]),
            store.apply(ALICE, [Add(item=make_record("x"), cause=Cause(actor="a", reason="r", at=NAIVE))]),
            store.apply(ALICE, [Edit(target=record.id, fields={"expires_at": NAIVE}, cause=make_cause())]),
            store.search(ALICE, Probe(where=Where(since=NAIVE))),
            store.records(ALICE, where=Where(alive_at=NAIVE)),
            store.messages(ALICE, "s", where=Where(until=NAIVE)),
            store.records(ALICE, where=Where(as_of=NAIVE)),
            store.messages(ALICE, "s", where=Where(known_at=NAIVE)),
            store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), said_at=NAIVE)]),
            store.enqueue(ALICE, [NewJob(kind="learn", ready_at=NAIVE)]),
            store.release(["nobody"], ready_at=NAIVE),
            store.mark_used(ALICE, [record.id], at=NAIVE),
            store.claim(["learn"], now=NAIVE, lease_seconds=60),
            store.put_task(ALICE, TaskState(key="k", value=1, updated_at=NAIVE)),
        ]
        for call in calls:
            with pytest.raises(InputError):
                await call
        (kept,) = await store.get(ALICE, [record.id])
        assert kept == record

    async def test_a_time_far_away_is_kept(self, store: Store) -> None:
        record = make_record("x", valid_from=START.replace(year=1), valid_to=START.replace(year=9999))
        await store.apply(ALICE, [Add(item=record, cause=make_cause(), indexing=indexing_of("x"))])
        (kept,) = await store.get(ALICE, [record.id])
        assert isinstance(kept, Record)
        assert (kept.valid_from, kept.valid_to) == (record.valid_from, record.valid_to)

    # --- numbers ---

    @pytest.mark.parametrize(
        "fields", [{"confidence": -0.1}, {"importance": 1.1}, {"confidence": float("nan")}, {"importance": "high"}], ids=str
    )
    async def test_confidence_and_importance_are_from_zero_to_one(self, store: Store, fields: dict[str, Any]) -> None:
        with pytest.raises(InputError):
            await store.apply(ALICE, [Add(item=make_record("x", **fields), cause=make_cause())])

    async def test_a_negative_number_of_neighbours_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.search(ALICE, Probe(terms={"tea": 1.0}, neighbours=-1))

    async def test_a_window_start_below_one_is_refused(self, store: Store) -> None:
        await say(store, "a")
        with pytest.raises(InputError):
            await store.set_window(ALICE, "s", window_start=0, summary=None)
