"""The journal: appending, scanning, sessions and their windows."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

import anyio
import pytest

from pagefile.errors import ConflictError, InputError
from pagefile.messages import Appended, ToolCall
from pagefile.ports import NewJob, Store
from pagefile.queries import Where
from pagefile.testing.fakes import START, make_draft, numbered_id
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, all_pages, found, ids, message_of, retire, say


class JournalContract(Contract):
    # --- appending ---

    async def test_an_appended_message_comes_back_as_it_was_given(self, store: Store) -> None:
        draft = make_draft(
            "我不能吃辣 — no 🌶️, \"please\"; 'ever'\n\tthanks",
            role="assistant",
            parts=({"type": "text", "text": "我不能吃辣"}, {"type": "image_url", "image_url": {"url": "data:…", "sizes": [1, 2.5, None]}}),
            tool_calls=(ToolCall(id="c1", name="look_up", arguments='{"q": "x"}'), ToolCall(id="c2", name="wait", arguments="not JSON")),
            speaker="Zoë",
            agent="cook",
            external_id="m-1",
            origin="imported",
            tokens=17,
        )
        (appended,) = await store.append(ALICE, "monday", [draft])
        message = await message_of(store, draft.id)
        assert appended == Appended(message=message, outcome="stored")
        assert (message.session, message.seq, message.retired) == ("monday", 1, False)
        for name in ("id", "role", "text", "parts", "tool_calls", "tool_call_id", "speaker", "agent", "tokens", "external_id", "origin"):
            assert getattr(message, name) == getattr(draft, name), name
        assert (message.said_at, message.recorded_at) == (draft.said_at, draft.recorded_at)

    async def test_a_tool_message_keeps_the_call_that_it_answers(self, store: Store) -> None:
        (message,) = await say(store, "42", role="tool", tool_call_id="c1", speaker="look_up")
        assert (await message_of(store, message.id)).tool_call_id == "c1"

    @pytest.mark.parametrize("hours", [8, -3.5, 5.75, 0])
    async def test_the_time_of_a_message_keeps_its_offset_and_microseconds(self, store: Store, hours: float) -> None:
        said_at = datetime(2024, 2, 29, 23, 59, 59, 123456, tzinfo=timezone(timedelta(hours=hours)))
        (message,) = await say(store, "leap day", said_at=said_at)
        kept = (await message_of(store, message.id)).said_at
        assert kept.isoformat() == said_at.isoformat()

    async def test_the_answer_is_in_the_order_of_the_drafts(self, store: Store) -> None:
        drafts = [make_draft(f"text {number}") for number in range(10)]
        appended = await store.append(ALICE, "s", drafts)
        assert [each.message.id for each in appended] == ids(drafts)
        assert [each.message.seq for each in appended] == list(range(1, 11))

    async def test_each_session_counts_from_one(self, store: Store) -> None:
        await say(store, "a", "b", session="first")
        (message,) = await say(store, "c", session="second")
        assert message.seq == 1

    async def test_twenty_concurrent_appends_leave_no_gap_and_share_no_number(self, store: Store) -> None:
        async def writer(number: int) -> None:
            for turn in range(3):
                await say(store, f"question {number} {turn}", f"answer {number} {turn}")

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(writer, number)
        messages = (await store.messages(ALICE, "s", limit=1000)).items
        assert [message.seq for message in messages] == list(range(1, 121))
        texts = [message.text for message in messages]
        assert all(texts[index + 1] == text.replace("question", "answer") for index, text in enumerate(texts) if text.startswith("q"))

    async def test_appending_nothing_changes_nothing(self, store: Store) -> None:
        assert await store.append(ALICE, "s", []) == ()
        assert await store.session(ALICE, "s") is None
        assert (await store.scopes()).total == 0

    async def test_a_message_id_that_exists_is_a_conflict_and_nothing_is_kept(self, store: Store) -> None:
        (message,) = await say(store, "first")
        with pytest.raises(ConflictError):
            await store.append(ALICE, "s", [make_draft("new"), make_draft("other", id=message.id)])
        assert [each.text for each in (await store.messages(ALICE, "s")).items] == ["first"]
        assert await found(store, "new other") == set()

    async def test_a_message_of_two_megabytes_is_kept_whole(self, store: Store) -> None:
        text = "腾讯云 node 🙂\n" * 100_000
        (message,) = await say(store, text)
        assert (await message_of(store, message.id)).text == text
        assert await found(store, "node") == {message.id}

    async def test_an_empty_text_is_kept(self, store: Store) -> None:
        (message,) = await say(store, "")
        assert (await message_of(store, message.id)).text == ""

    # --- the caller's own ids and keys ---

    async def test_the_same_external_id_and_content_is_a_duplicate_even_at_another_time(self, store: Store) -> None:
        first = make_draft("hello", external_id="m1")
        again = make_draft("hello", external_id="m1", said_at=START + timedelta(days=3))
        await store.append(ALICE, "s", [first])
        (appended,) = await store.append(ALICE, "s", [again])
        assert (appended.outcome, appended.message.id, appended.message.said_at) == ("duplicate", first.id, first.said_at)
        assert (await store.messages(ALICE, "s")).total == 1

    @pytest.mark.parametrize(
        "change",
        [
            {"text": "goodbye"},
            {"role": "assistant"},
            {"speaker": "Bob"},
            {"parts": ({"type": "text"},)},
            {"tool_calls": (ToolCall(id="c", name="wait", arguments="{}"),)},
            {"tool_call_id": "c"},
        ],
        ids=str,
    )
    async def test_an_external_id_with_other_content_is_a_conflict_that_changes_nothing(self, store: Store, change: dict[str, Any]) -> None:
        first = make_draft("hello", external_id="m1")
        await store.append(ALICE, "s", [first])
        (appended,) = await store.append(ALICE, "s", [make_draft("hello", **({"external_id": "m1"} | change))])
        assert (appended.outcome, appended.message) == ("conflict", await message_of(store, first.id))
        assert [each.text for each in (await store.messages(ALICE, "s")).items] == ["hello"]

    async def test_an_external_id_twice_in_one_call_is_stored_once(self, store: Store) -> None:
        drafts = [make_draft("hello", external_id="m1"), make_draft("hello", external_id="m1"), make_draft("bye", external_id="m1")]
        appended = await store.append(ALICE, "s", drafts)
        assert [each.outcome for each in appended] == ["stored", "duplicate", "conflict"]
        assert {each.message.id for each in appended} == {drafts[0].id}

    async def test_duplicates_among_new_messages_leave_no_gap(self, store: Store) -> None:
        await say(store, "one", external_id="m1")
        drafts = [make_draft("two"), make_draft("one", external_id="m1"), make_draft("three")]
        appended = await store.append(ALICE, "s", drafts)
        assert [(each.message.seq, each.outcome) for each in appended] == [(2, "stored"), (1, "duplicate"), (3, "stored")]

    async def test_an_external_id_belongs_to_its_session(self, store: Store) -> None:
        await say(store, "hello", session="monday", external_id="m1")
        await say(store, "hello", session="tuesday", external_id="m1")
        assert (await store.messages(ALICE, None)).total == 2

    async def test_a_key_seen_before_gives_the_first_answer_and_changes_nothing(self, store: Store) -> None:
        await say(store, "old", external_id="m1")
        drafts = [make_draft("a"), make_draft("old", external_id="m1")]
        first = await store.append(ALICE, "s", drafts, jobs=[NewJob(kind="learn")], key="k", fingerprint="f")
        before = (await store.jobs()).total
        again = [make_draft("a"), make_draft("old", external_id="m1")]
        assert await store.append(ALICE, "s", again, jobs=[NewJob(kind="learn")], key="k", fingerprint="f") == first
        assert [each.outcome for each in first] == ["stored", "duplicate"]
        assert (await store.messages(ALICE, "s")).total == 2
        assert (await store.jobs()).total == before

    async def test_a_key_with_another_fingerprint_is_a_conflict(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a")], key="k", fingerprint="f")
        with pytest.raises(ConflictError):
            await store.append(ALICE, "s", [make_draft("b")], key="k", fingerprint="g")
        assert (await store.messages(ALICE, "s")).total == 1

    async def test_a_key_belongs_to_its_scope(self, store: Store) -> None:
        await store.append(ALICE, "s", [make_draft("a")], key="k", fingerprint="f")
        (appended,) = await store.append(BOB, "s", [make_draft("b")], key="k", fingerprint="g")
        assert appended.outcome == "stored"

    async def test_one_key_used_by_many_at_once_stores_once(self, store: Store) -> None:
        async def send() -> None:
            await store.append(ALICE, "s", [make_draft("once")], key="k", fingerprint="f")

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(send)
        assert (await store.messages(ALICE, "s")).total == 1

    # --- scanning ---

    async def test_a_session_is_listed_by_number_both_ways(self, store: Store) -> None:
        await say(store, *"abcdefg")
        scan = partial(store.messages, ALICE, "s")
        assert [each.text for each in await all_pages(scan)] == list("abcdefg")
        assert [each.text for each in await all_pages(scan, newest_first=True)] == list("gfedcba")

    async def test_a_scope_is_listed_in_the_order_it_was_recorded_whatever_the_ids(self, store: Store) -> None:
        for number, text in enumerate("abcdefg"):
            await say(store, text, session=f"s{number % 2}", id=numbered_id(900_000 - number))
        scan = partial(store.messages, ALICE, None)
        assert [each.text for each in await all_pages(scan)] == list("abcdefg")
        assert [each.text for each in await all_pages(scan, newest_first=True)] == list("gfedcba")

    async def test_pages_stay_in_step_while_others_write(self, store: Store) -> None:
        await say(store, *"abcd", session="one")
        first = await store.messages(ALICE, None, limit=2)
        await say(store, "e", session="one", id=numbered_id(0))
        await say(store, "f", session="two")
        await store.erase(ALICE, ids=[first.items[-1].id])
        rest = await store.messages(ALICE, None, limit=10, after=first.cursor)
        assert [each.text for each in (*first.items, *rest.items)] == list("abcdef")
        assert rest.cursor is None

    async def test_the_total_counts_what_the_filters_let_through_on_every_page(self, store: Store) -> None:
        await say(store, *"abcde", role="user")
        await say(store, *"fg", role="assistant")
        where = Where(roles=("user",))
        first = await store.messages(ALICE, "s", where=where, limit=2)
        second = await store.messages(ALICE, "s", where=where, limit=2, after=first.cursor)
        assert (first.total, second.total) == (5, 5)
        assert [each.text for each in second.items] == ["c", "d"]

    async def test_the_last_page_has_no_cursor(self, store: Store) -> None:
        await say(store, *"abcd")
        first = await store.messages(ALICE, "s", limit=2)
        assert first.cursor is not None
        assert (await store.messages(ALICE, "s", limit=2, after=first.cursor)).cursor is None

    async def test_an_unknown_session_is_an_empty_page(self, store: Store) -> None:
        page = await store.messages(ALICE, "nothing")
        assert (page.items, page.cursor, page.total) == ((), None, 0)

    async def test_retired_messages_are_listed_only_when_asked_for(self, store: Store) -> None:
        kept, gone = await say(store, "kept", "gone")
        await retire(store, gone.id)
        assert ids((await store.messages(ALICE, "s")).items) == [kept.id]
        assert ids((await store.messages(ALICE, "s", where=Where(statuses=("current", "retired")))).items) == [kept.id, gone.id]

    # --- sessions and windows ---

    async def test_a_session_tells_its_length_and_times(self, store: Store) -> None:
        messages = await say(store, *"abc")
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.session, info.messages, info.last_seq, info.window_start, info.summary) == ("s", 3, 3, 1, None)
        assert (info.first_said_at, info.last_said_at) == (messages[0].said_at, messages[-1].said_at)

    async def test_an_unknown_session_is_none_and_has_an_empty_window(self, store: Store) -> None:
        assert await store.session(ALICE, "nothing") is None
        assert await store.window(ALICE, "nothing") == ()

    async def test_sessions_are_listed_page_by_page_while_new_ones_come(self, store: Store) -> None:
        names = [f"session {number}" for number in range(5)]
        for name in names:
            await say(store, "hello", session=name)
        first = await store.sessions(ALICE, limit=2)
        await say(store, "again", session=first.items[0].session)
        rest = await store.sessions(ALICE, limit=10, after=first.cursor)
        listed = [info.session for info in (*first.items, *rest.items)]
        assert (sorted(listed), first.total, rest.total) == (names, 5, 5)

    async def test_the_window_begins_where_it_was_set_and_leaves_out_retired_messages(self, store: Store) -> None:
        messages = await say(store, *"abcdef")
        await store.set_window(ALICE, "s", window_start=3, summary="a and b were said")
        await retire(store, messages[3].id)
        assert [each.text for each in await store.window(ALICE, "s")] == ["c", "e", "f"]
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.window_start, info.summary) == (3, "a and b were said")

    async def test_the_window_never_moves_back_and_keeps_the_summary_that_covers_more(self, store: Store) -> None:
        await say(store, *"abcdef")
        await store.set_window(ALICE, "s", window_start=5, summary="a to d")
        await store.set_window(ALICE, "s", window_start=2, summary="a")
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.window_start, info.summary) == (5, "a to d")

    async def test_a_summary_can_be_written_later_for_the_same_start(self, store: Store) -> None:
        await say(store, *"abc")
        await store.set_window(ALICE, "s", window_start=2, summary=None)
        await store.set_window(ALICE, "s", window_start=2, summary="总结：a")
        info = await store.session(ALICE, "s")
        assert info is not None
        assert info.summary == "总结：a"

    async def test_a_window_that_moves_on_keeps_its_summary_which_tells_how_far_it_goes(self, store: Store) -> None:
        await say(store, *"abcdef")
        await store.set_window(ALICE, "s", window_start=3, summary="a and b")
        await store.set_window(ALICE, "s", window_start=5)
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.window_start, info.summary, info.summarised_to) == (5, "a and b", 2)

    async def test_what_is_to_be_done_about_a_moved_window_is_queued_with_it(self, store: Store) -> None:
        await say(store, *"ab")
        await store.set_window(ALICE, "s", window_start=2, jobs=[NewJob(kind="summarise", payload={"session": "s"}, once="s")])
        await store.set_window(ALICE, "s", window_start=2, jobs=[NewJob(kind="summarise", payload={"session": "s"}, once="s")])
        waiting = await store.jobs(scope=ALICE)
        assert [(job.kind, job.payload) for job in waiting.items if job.kind == "summarise"] == [("summarise", {"session": "s"})]

    async def test_a_summary_is_replaced_by_one_that_covers_more(self, store: Store) -> None:
        messages = await say(store, *"abcd")
        assert await store.set_summary(ALICE, "s", summary="a and b", to=2, instead_of=None, of=[each.id for each in messages[:2]])
        assert await store.set_summary(ALICE, "s", summary="a to c", to=3, instead_of="a and b", of=[messages[2].id])
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.window_start, info.summary, info.summarised_to) == (1, "a to c", 3)

    async def test_a_summary_that_was_made_of_an_old_one_or_covers_no_more_is_not_kept(self, store: Store) -> None:
        await say(store, *"abcd")
        await store.set_summary(ALICE, "s", summary="a and b", to=2, instead_of=None)
        assert not await store.set_summary(ALICE, "s", summary="a to c", to=3, instead_of=None)
        assert not await store.set_summary(ALICE, "s", summary="a, b", to=2, instead_of="a and b")
        assert not await store.set_summary(ALICE, "nothing", summary="x", to=1, instead_of=None)
        assert not await store.set_summary(BOB, "s", summary="x", to=3, instead_of="a and b")
        info = await store.session(ALICE, "s")
        assert info is not None
        assert (info.summary, info.summarised_to) == ("a and b", 2)

    @pytest.mark.parametrize("lost", ["erased", "retired"])
    async def test_a_summary_that_tells_of_a_message_that_is_gone_is_not_kept(self, store: Store, lost: str) -> None:
        messages = await say(store, *"abc")
        if lost == "erased":
            await store.erase(ALICE, ids=[messages[0].id])
        else:
            await retire(store, messages[0].id)
        told = [each.id for each in messages[:2]]
        assert not await store.set_summary(ALICE, "s", summary="a and b", to=2, instead_of=None, of=told)
        assert await store.set_summary(ALICE, "s", summary="b", to=2, instead_of=None, of=told[1:])

    async def test_a_summary_goes_when_a_message_that_it_covers_is_retired(self, store: Store) -> None:
        messages = await say(store, *"abc")
        await store.set_summary(ALICE, "s", summary="a and b", to=2, instead_of=None)
        for message, left in ((messages[2], ("a and b", 2)), (messages[0], (None, 0))):
            await retire(store, message.id)
            info = await store.session(ALICE, "s")
            assert info is not None
            assert (info.summary, info.summarised_to) == left

    async def test_a_window_past_the_end_is_empty_until_more_is_said(self, store: Store) -> None:
        await say(store, *"ab")
        await store.set_window(ALICE, "s", window_start=3, summary=None)
        assert await store.window(ALICE, "s") == ()
        await say(store, "c")
        assert [each.text for each in await store.window(ALICE, "s")] == ["c"]

    async def test_the_window_of_an_unknown_session_cannot_be_set(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.set_window(ALICE, "nothing", window_start=2, summary=None)
