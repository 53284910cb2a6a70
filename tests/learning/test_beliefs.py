"""What is held to be true is remembered, edited, corrected and accounted for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.records import Record, Trust
from pagefile.scoped import AsyncScopedMemory

from .minds import STORES, Clock, core, facts, messages, of_user, opened, records, texts, user_said

PLACES = pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ("I live in Rome.", "I live in Oslo.", ("Rome", "Oslo")),
        ("我住在上海。", "我搬到深圳了。", ("上海", "深圳")),
    ],
    ids=["English", "Chinese"],
)


async def home(user: AsyncScopedMemory) -> Record:
    (record,) = [record for record in await records(user) if record.attribute == "residence"]
    return record


# --- remember --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@PLACES
async def test_what_is_remembered_supersedes_what_it_contradicts(
    store: str, first: str, second: str, values: tuple[str, str], tmp_path: Path
) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        old, new = await alice.remember(first), await alice.remember(second)
        assert await facts(alice) == [of_user("residence", values[1])]
        (replaced,) = await records(alice, "superseded")
        assert (replaced.id, new.supersedes, replaced.valid_to) == (old.id, old.id, new.valid_from)


async def test_what_is_remembered_again_is_one_record_and_takes_what_is_given_with_it(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        first = await alice.remember("I'm allergic to peanuts.", tags=["health"])
        again = await alice.remember("I am allergic to peanuts", tags=["food"], pinned=True, importance=0.9, expires_at="2027-01-01")
        assert (again.id, again.tags, again.pinned, again.importance) == (first.id, ("health", "food"), True, 0.9)
        assert (again.expires_at is not None, again.evidence_count, (await alice.list()).total) == (True, 2, 1)


async def test_a_pin_moves_on_to_what_takes_the_place_of_a_record(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I live in Rome.", pinned=True)
        assert (await alice.remember("I live in Oslo.")).pinned


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": "user", "attribute": "city", "value": "Oslo"},
        {"subject": "The user", "attribute": "lives in", "value": "Oslo"},
        {"subject": "用户", "attribute": "居住地", "value": "Oslo"},
    ],
    ids=lambda fields: fields["attribute"],
)
async def test_fields_are_filed_under_the_names_that_everything_else_has(fields: dict[str, Any], tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.")
        await alice.list()
        await alice.remember("Oslo it is", **fields)
        assert [record.value for record in await alice.timeline("residence")] == ["Rome", "Oslo"]
        assert await facts(alice) == [of_user("residence", "Oslo")]


async def test_what_somebody_dislikes_is_what_he_does_not_like(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I like tea.")
        await alice.list()
        await alice.remember("Tea is not for me", subject="user", attribute="dislikes", value="tea")
        assert await facts(alice) == [of_user("likes", "tea", "negative")]


@pytest.mark.parametrize("trust", [Trust.IMPORTED, Trust.TOOL_OUTPUT, Trust.ASSISTANT_SAID])
async def test_memories_of_elsewhere_wait_and_replace_nothing(trust: Trust, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I live in Rome.")
        imported = await alice.remember("I live in Oslo.", trust=trust)
        assert (imported.status, await facts(alice)) == ("pending", [of_user("residence", "Rome")])
        await alice.confirm(imported.id)
        assert await facts(alice) == [of_user("residence", "Oslo")]
        assert [core(record) for record in await records(alice, "superseded")] == [of_user("residence", "Rome")]


@pytest.mark.parametrize("verb", ["remember", "correct", "edit"])
async def test_secrets_are_taken_out_of_what_is_written(verb: str, tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        known = await alice.remember("The server is in Rome.")
        secret = "The key is sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0."
        if verb == "remember":
            await alice.remember(secret)
        elif verb == "correct":
            await alice.correct(secret, id=known.id)
        else:
            await alice.edit(known.id, text=secret)
        assert await memory.occurrences(["A1b2C3d4E5f6"]) == (0,)


NUMBER = "13812345678"


@pytest.mark.parametrize(
    "fields",
    [
        {"text": f"My phone number is {NUMBER}."},
        {"text": "My number", "subject": "user", "attribute": "phone", "value": NUMBER},
        {"text": "My number", "tags": [NUMBER]},
        {"text": "My number", "entities": [NUMBER]},
    ],
    ids=["text", "value", "tag", "entity"],
)
async def test_personal_identifiers_are_written_with_consent_alone_into_whatever_field(fields: dict[str, Any], tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice = memory.scope("alice")
        pond = await alice.remember("The pond is deep.", privacy="sensitive")
        with pytest.raises(InputError, match="consent"):
            await alice.remember(**fields)
        with pytest.raises(InputError, match="consent"):
            await alice.edit(pond.id, **fields)
        assert await memory.occurrences([NUMBER]) == (0,)
        kept = await alice.edit(pond.id, consent="explicit", **fields)
        assert kept.privacy == "sensitive"
        assert (await alice.edit(kept.id, pinned=True)).pinned, "what it was agreed to keep can be kept"


# --- edit ------------------------------------------------------------------------------------------------------------------


@PLACES
async def test_an_edit_into_a_contradiction_supersedes_the_rival(first: str, second: str, values: tuple[str, str], tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        rival = await alice.remember(first)
        note = await alice.remember("The weather is nice.")
        await alice.edit(note.id, text=second)
        assert await facts(alice) == [of_user("residence", values[1])]
        assert [record.id for record in await records(alice, "superseded")] == [rival.id]


async def test_an_edit_into_what_another_record_says_leaves_one(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.remember("I like tea.")
        other = await alice.remember("I like coffee.")
        await alice.edit(other.id, text="I like tea")
        assert [(record.id, record.value) for record in await records(alice)] == [(other.id, "tea")]


async def test_an_edit_of_something_else_does_not_make_it_said_anew(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I live in Rome.")
        said = user_said("I live in Oslo.", said_at=clock.now + timedelta(hours=1))
        clock.advance(days=1)
        edited = await alice.edit(record.id, tags=["home"], pinned=True)
        assert edited.said_at == record.said_at
        await alice.add(said)
        assert await facts(alice) == [of_user("residence", "Oslo")], "it was said after the record, if before its edit"


async def test_an_edited_record_is_found_by_its_new_words_alone(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I work at Acme.")
        edited = await alice.edit(record.id, text="I work at Bolt.")
        assert (edited.value, edited.entities) == ("Bolt", ("Bolt",))
        assert (texts(await alice.search("Bolt")), texts(await alice.search("Acme"))) == (["I work at Bolt."], [])
        with_fields = await alice.edit(record.id, attribute="职业", value="nurse", text="I am a nurse.")
        assert with_fields.attribute == "occupation"


async def test_two_edits_of_one_version_are_a_conflict(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I live in Rome.")
        await alice.edit(record.id, tags=["a"], expected_version=1)
        with pytest.raises(ConflictError, match="version"):
            await alice.edit(record.id, tags=["b"], expected_version=1)


# --- correct ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("by", ["id", "query", "neither"])
@PLACES
async def test_a_correction_says_the_same_whichever_way_it_was_asked_for(
    by: str, store: str, first: str, second: str, values: tuple[str, str], tmp_path: Path
) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.add(first)
        wrong = await home(alice)
        clock.advance(days=3)
        meant: dict[str, Any] = {"id": {"id": wrong.id}, "query": {"query": values[0]}, "neither": {}}[by]
        done = await alice.correct(second, **meant)
        assert (core(done.record), done.superseded) == (of_user("residence", values[1]), (wrong.id,))
        assert (done.record.status, done.record.supersedes, done.record.trust) == ("current", wrong.id, Trust.USER_SAID)
        # What was wrong never held; the right value holds from its beginning on.
        (replaced,) = await records(alice, "superseded")
        assert (replaced.valid_to, done.record.valid_from) == (wrong.valid_from, wrong.valid_from)
        (message,) = await messages(alice)
        assert message.superseded
        assert texts(await alice.search(values[0])) == []


async def test_a_correction_overrules_what_was_confirmed(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.confirm((await alice.remember("I live in Rome.")).id)
        assert (await alice.correct("I live in Oslo.")).record.status == "current"
        assert await facts(alice) == [of_user("residence", "Oslo")]


async def test_a_correction_of_nothing_is_not_made(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        with pytest.raises(NotFound, match="no record"):
            await alice.correct("I live in Oslo.", query="penguins")
        with pytest.raises(NotFound):
            await alice.correct("I live in Oslo.", id="no such id")
        gone = await alice.remember("I live in Rome.")
        await alice.forget(gone.id)
        with pytest.raises(ConflictError, match="retired"):
            await alice.correct("I live in Oslo.", id=gone.id)
        assert await facts(alice) == []


async def test_a_correction_of_several_records_replaces_them_all(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        for text in ("The garden has a pond.", "The garden has two ponds."):
            await alice.remember(text)
        done = await alice.correct("The garden has no water at all.", query="garden")
        assert (len(done.superseded), (await alice.list()).total) == (2, 1)
        assert all(record.valid_to is not None for record in await records(alice, "superseded"))


# --- accounting ------------------------------------------------------------------------------------------------------------


async def test_why_quotes_exactly_the_words_a_record_rests_on(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add(user_said("Hi there! I live in Rome, by the way. 另外，我对花生过敏。", id="m1", name="Alice"), session="s")
        quotes = {}
        for record in await records(alice):
            why = await alice.why(record.id)
            (quote,) = why.quotes
            quotes[record.attribute] = quote.text
            assert quote.text in quote.message.text
            assert (quote.message.external_id, quote.message.speaker, why.record, why.missing) == ("m1", "Alice", record, ())
            assert [entry.change for entry in why.history] == ["add"]
        assert "Rome" in quotes["residence"] and "过敏" not in quotes["residence"]
        assert "花生过敏" in quotes["allergy"] and "Rome" not in quotes["allergy"]


async def test_why_tells_what_it_rested_on_and_is_there_no_more(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        record = await alice.remember("I like tea.")
        (message,) = (await alice.add("I like tea.")).messages
        assert len((await alice.why((await records(alice))[0].id)).quotes) == 1
        with pytest.raises(InputError, match="message"):
            await alice.why(message.id)
        with pytest.raises(NotFound):
            await alice.why("no such id")
        assert (await alice.why(record.id)).record.evidence_count == 2


@pytest.mark.parametrize("store", STORES)
async def test_the_past_is_seen_as_it_was_and_as_it_was_believed(store: str, tmp_path: Path) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        times = []
        for place in ("Rome", "Oslo", "北京"):
            await alice.add(f"I live in {place}." if place.isascii() else f"我搬到{place}了。", session=place)
            await alice.list()
            clock.advance(days=1)
            times.append(clock.now)
            clock.advance(days=30)
        assert [record.value for record in await alice.timeline("residence")] == ["Rome", "Oslo", "北京"]
        assert [record.value for record in await alice.timeline("lives in", subject="I")] == ["Rome", "Oslo", "北京"]
        for place, time in zip(("Rome", "Oslo", "北京"), times, strict=True):
            for look in ({"as_of": time}, {"known_at": time}):
                assert [record.value for record in (await alice.list(**look)).items] == [place]
                assert [hit.text for hit in await alice.search(place, kinds=["fact"], **look)] != []
        assert [record.value for record in (await alice.list(history=True)).items] == ["Rome", "Oslo", "北京"]
        assert (await alice.list(as_of=times[0] - timedelta(days=2))).total == 0


@pytest.mark.parametrize("store", STORES)
async def test_a_message_of_which_nothing_holds_is_hidden_until_something_holds_again(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Rome.", session="one")
        await alice.add("I moved to Oslo.", session="two")
        assert texts(await alice.search("Rome")) == []
        assert texts(await alice.search("Rome", history=True)) != []
        (latest, *_) = [entry for entry in (await alice.changes()).items if entry.change == "add"]
        await alice.undo(latest.id)
        assert texts(await alice.search("Rome")) != []
        assert texts(await alice.search("Oslo")) == []


async def test_an_old_chat_that_is_imported_later_overrules_nothing_and_is_not_recalled(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.add("I live in Oslo.")
        await alice.list()
        await alice.add(user_said("I live in Rome.", said_at=clock.now - timedelta(days=400)), session="old")
        assert await facts(alice) == [of_user("residence", "Oslo")]
        assert [record.value for record in await alice.timeline("residence")] == ["Rome", "Oslo"]
        assert texts(await alice.search("Rome")) == []
        assert texts(await alice.search("Rome", history=True)) != []


async def test_what_has_expired_since_is_seen_in_the_past(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.remember("The tent is in the car.", expires_at=clock.now + timedelta(days=1))
        clock.advance(hours=1)
        then = clock.now
        clock.advance(days=3)
        assert ((await alice.list(as_of=then)).total, (await alice.list()).total) == (1, 0)
