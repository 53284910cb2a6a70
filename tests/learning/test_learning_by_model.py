"""A model reads the conversation too: seldom, at a known price, in nobody's way, and whatever it answers."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pagefile.errors import ModelRefused, ModelUnavailable
from pagefile.language.tokens import count
from pagefile.memory import AsyncMemory
from pagefile.models.openai import OpenAIModel
from pagefile.ports import Job, ModelRequest
from pagefile.records import Add, Cause, Scope
from pagefile.runner import OUTAGE_ATTEMPTS
from pagefile.testing.fakes import START, make_record
from pagefile.testing.openai_server import OpenAIServer, Streamed
from pagefile.testing.openai_server import say as server_says

from .minds import (
    EVERY_STATUS,
    KNOWN,
    PAINTING,
    PAINTS,
    STORES,
    Clock,
    core,
    fact,
    facts,
    in_time,
    of_user,
    opened,
    reading,
    records,
    reply,
    say,
    user_said,
    whenever,
)

SIXTY_WORDS = " ".join(["and so it went on for a while"] * 12)


async def waiting(memory: AsyncMemory, kind: str = "extract", state: str | None = None) -> list[Job]:
    return [job for job in (await memory.jobs(state=state)).items if job.kind == kind]


# --- what it finds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_a_model_finds_what_the_rules_do_not(store: str, tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING), kept=store) as (memory, model, _):
        alice = memory.scope("alice")
        await say(alice, ["I live in Rome.", PAINTS])
        assert await facts(alice) == [of_user("residence", "Rome")], "a look waits for the rules, never for a model"
        assert model.requests == []
        assert await memory.flush() == 0
        assert await facts(alice) == [of_user("residence", "Rome"), KNOWN]
        assert (await records(alice))[-1].extractor == "model:scripted"
        assert (await alice.spent()).calls == len(model.requests) == 1


async def test_what_both_read_in_one_message_is_one_piece_of_evidence(tmp_path: Path) -> None:
    rome = fact("I live in Rome", "residence", "Rome")
    async with reading(tmp_path, whenever(rome, PAINTING), whenever(rome, PAINTING)) as (memory, _, clock):
        alice = memory.scope("alice")
        await say(alice, ["I live in Rome.", PAINTS])
        await memory.flush()
        assert [record.evidence_count for record in await records(alice, *EVERY_STATUS)] == [1, 1]
        clock.advance(days=1)
        await say(alice, ["I live in Rome.", PAINTS], session="another day")
        await memory.flush()
        assert [record.evidence_count for record in await records(alice, *EVERY_STATUS)] == [2, 2]


async def test_facts_of_the_model_name_their_quotes(tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING)) as (memory, _, _clock):
        alice = memory.scope("alice")
        await alice.add(PAINTS)
        await memory.flush()
        (record,) = await records(alice)
        (quote,) = (await alice.why(record.id)).quotes
        assert quote.text == PAINTING["quote"]


# --- when, and how often ---------------------------------------------------------------------------------------------------


async def test_a_batch_is_one_call(tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING)) as (memory, model, _):
        alice = memory.scope("alice")
        await say(alice, [PAINTS, *(f"Line {number} of a long talk." for number in range(12))])
        await memory.flush()
        assert len(model.requests) == 1


async def test_it_waits_until_nobody_speaks(tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING)) as (memory, model, clock):
        alice = memory.scope("alice")
        for _ in range(5):
            await alice.add(PAINTS)
            await alice.list()
            clock.advance(seconds=15)
        await asyncio.sleep(2.5)  # the background looks every two seconds
        assert model.requests == []
        clock.advance(seconds=6)
        await in_time(lambda: len(model.requests) == 1)
        await asyncio.sleep(0.1)
        assert await facts(alice) == [KNOWN]


async def test_it_does_not_wait_when_much_was_said(tmp_path: Path) -> None:
    async with reading(tmp_path, *[whenever(PAINTING)] * 3) as (memory, model, _):
        alice = memory.scope("alice")
        await say(alice, [PAINTS, *[SIXTY_WORDS] * 12])
        await alice.list()
        # The clock stands: nobody was silent for any time.
        await in_time(lambda: bool(model.requests))
        assert PAINTS in str(model.requests[0].messages)


async def test_the_prompt_is_as_long_with_ten_records_as_with_ten_thousand(tmp_path: Path) -> None:
    sizes = []
    for number in (10, 10_000):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with reading(folder, whenever(PAINTING)) as (memory, model, _):
            cause = Cause(actor="test", reason="to be many", at=START)
            known = [make_record(f"likes thing {at}", subject="user", attribute="likes", value=f"thing {at}") for at in range(number)]
            store = memory._parts.store
            await store.apply(Scope("default", "alice"), [Add(item=record, cause=cause) for record in known])
            await memory.scope("alice").add(PAINTS)
            await memory.flush()
            (request,) = model.requests
            sizes.append(sum(count(str(message["content"])) for message in request.messages))
    assert sizes[0] == sizes[1] <= 1_500


async def test_adding_never_waits_for_the_model(tmp_path: Path) -> None:
    slow = Streamed(deltas=({"content": reply()},), delay=5.0)
    with OpenAIServer([slow] * 20) as server:
        model = OpenAIModel("test-model", base_url=server.url, api_key="x")
        async with await opened("file", tmp_path, model=model, clock=(clock := Clock()), learn="model") as memory:
            alice = memory.scope("alice")
            await alice.add(PAINTS)
            await alice.list()
            clock.advance(seconds=60)
            await in_time(lambda: bool(server.chats))
            began = monotonic()
            for number in range(20):
                await alice.add(f"Line {number}.")
            assert len(await alice.search("watercolours")) == 1
            assert monotonic() - began < 4, "twenty messages and a search took as long as the model"


# --- what it may cost ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"learn_calls": 2}, {"learn_tokens": 1_000}], ids=["calls", "tokens"])
async def test_when_the_budget_is_used_up_it_waits_until_midnight_and_says_so(settings: dict[str, int], tmp_path: Path) -> None:
    async with reading(tmp_path, *[whenever(PAINTING)] * 9, settings=settings) as (memory, model, clock):
        alice, bob = memory.scope("alice"), memory.scope("bob")
        for _ in range(4):
            await alice.add(PAINTS)
            await memory.flush()
        called = len(model.requests)
        assert called < 4
        assert await memory.flush() == 1
        assert "budget" in str(memory.trouble) and "alice" in str(memory.trouble)
        (job,) = await waiting(memory)
        today, midnight = (each.astimezone(memory._parts.zone) for each in (clock.now, job.ready_at))
        assert (midnight.time(), midnight.date()) == (time(0, 0), today.date() + timedelta(days=1))
        await bob.add(PAINTS)
        await memory.flush()
        assert await facts(bob) == [KNOWN], "every user has a budget of his own"
        clock.advance(days=1)
        assert await memory.flush() == 0
        assert len(model.requests) == called + 2
        assert (await alice.spent()).calls == 1


async def test_just_before_midnight_it_waits_too(tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING), whenever(PAINTING), settings={"learn_calls": 1}) as (memory, model, clock):
        clock.now = clock.now.replace(hour=15, minute=59, second=55)  # in Shanghai it is five seconds to midnight
        alice = memory.scope("alice")
        await alice.add(PAINTS)
        await memory.flush()
        await alice.add(PAINTS, session="another")
        assert await memory.flush() == 1
        clock.advance(minutes=1)
        assert await memory.flush() == 0
        assert len(model.requests) == 2


async def test_a_budget_of_nothing_asks_nothing(tmp_path: Path) -> None:
    async with reading(tmp_path, settings={"learn_calls": 0}) as (memory, model, _):
        await memory.scope("alice").add(["I live in Rome.", PAINTS])
        await memory.flush()
        assert await facts(memory.scope("alice")) == [of_user("residence", "Rome")]
        assert model.requests == []


async def test_a_long_session_of_one_user_keeps_no_other_user_waiting(tmp_path: Path) -> None:
    async with reading(tmp_path, *[whenever()] * 60) as (memory, model, _):
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add([f"Line {number}: {SIXTY_WORDS} and {SIXTY_WORDS}" for number in range(40)])
        await bob.add("Something else altogether happened to Bob.")
        await memory.flush()
        asked_for_bob = ["to Bob" in str(request.messages[-1]["content"]) for request in model.requests]
        assert len(asked_for_bob) > 10
        assert asked_for_bob.index(True) < 5
        assert await memory.flush() == 0


@pytest.mark.parametrize("store", STORES)
async def test_what_is_left_of_a_fact_after_one_of_its_messages_was_erased_is_read_again(store: str, tmp_path: Path) -> None:
    async with reading(tmp_path, *[whenever(PAINTING)] * 3, kept=store) as (memory, _, clock):
        alice = memory.scope("alice")
        (message,) = (await alice.add(PAINTS, session="one")).messages
        await memory.flush()
        clock.advance(days=1)
        await alice.add(PAINTS, session="two")
        await memory.flush()
        await alice.erase(message.id)
        clock.now = max(clock.now, datetime.now(UTC)) + timedelta(days=1)  # a store erases by the clock of the machine
        assert await memory.flush() == 0
        assert [(record.value, len(record.sources)) for record in await records(alice)] == [("watercolours", 1)]


# --- what goes wrong -------------------------------------------------------------------------------------------------------


async def test_a_model_that_is_away_is_asked_again_later(tmp_path: Path) -> None:
    async with reading(tmp_path, *[ModelUnavailable("no connection")] * 3, whenever(PAINTING)) as (memory, model, clock):
        alice = memory.scope("alice")
        await alice.add(PAINTS)
        assert await memory.flush() == 1
        assert (await memory.flush(), len(model.requests)) == (1, 1), "what has failed waits its time, however often somebody flushes"
        assert memory.trouble == "no connection"
        assert (await alice.spent()).calls == 0, "or a model that is away would use up the budget"
        for _ in range(3):
            clock.advance(minutes=10)
            await memory.flush()
        assert (await facts(alice), await waiting(memory), memory.trouble) == ([KNOWN], [], None)


async def test_a_model_that_stays_away_is_given_up_and_can_be_asked_again(tmp_path: Path) -> None:
    async with reading(tmp_path, *[ModelUnavailable("no connection")] * OUTAGE_ATTEMPTS) as (memory, model, clock):
        alice = memory.scope("alice")
        await alice.add(PAINTS)
        for _ in range(OUTAGE_ATTEMPTS):
            await memory.flush()
            clock.advance(minutes=10)
        (dead,) = await waiting(memory, state="dead")
        assert dead.error == "no connection"
        model.replies.append(whenever(PAINTING))
        assert await memory.revive([dead.id]) == 1
        assert await memory.flush() == 0
        assert await facts(alice) == [KNOWN]


async def test_a_batch_that_is_refused_is_given_up_sooner_and_keeps_no_other_waiting(tmp_path: Path) -> None:
    def refuse_alice(request: ModelRequest) -> Any:
        return ModelRefused("not this text") if "watercolours" in str(request.messages) else reply()

    async with reading(tmp_path, *[refuse_alice] * 9) as (memory, model, clock):
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add(PAINTS)
        await bob.add("Something else altogether happened to me.")
        await memory.flush()
        assert len(model.requests) == 2, "bob's words are read as well"
        for _ in range(6):
            clock.advance(minutes=10)
            await memory.flush()
        (dead,) = await waiting(memory, state="dead")
        assert (dead.scope.user, dead.attempts, dead.error) == ("alice", 5, "not this text")


GARBLED = "I am sorry, I cannot help with that."


@pytest.mark.parametrize("store", STORES)
async def test_a_reply_that_cannot_be_read_is_put_aside_and_the_next_words_are_read(store: str, tmp_path: Path) -> None:
    async with reading(tmp_path, GARBLED, GARBLED, whenever(), whenever(PAINTING), kept=store) as (memory, model, clock):
        alice = memory.scope("alice")
        receipt = await alice.add(PAINTS)
        assert await memory.flush() == 1
        assert len(model.requests) == 2, "one call, and one more for the rest"
        (aside,) = await waiting(memory)
        assert aside.payload["ids"] == [receipt.messages[0].id]
        await alice.add("Something else altogether happened to me.")
        await memory.flush()
        assert len(model.requests) == 3
        assert PAINTS not in str(model.requests[2].messages[-1]["content"].splitlines()[-1])
        clock.advance(minutes=2)
        assert await memory.flush() == 0
        assert await facts(alice) == [KNOWN]


async def test_what_is_complete_in_a_cut_reply_is_kept_and_the_rest_stays_visible(tmp_path: Path) -> None:
    cut = reply(PAINTING, fact("I", "habit", "evenings"))[:-40]
    async with reading(tmp_path, cut, GARBLED) as (memory, _, _clock):
        alice = memory.scope("alice")
        await alice.add(PAINTS)
        assert await memory.flush() == 1
        assert [core(record) for record in await records(alice)] == [KNOWN]
        assert len(await waiting(memory)) == 1
        (line,) = [each for each in (await alice.operations()).items if each.kind == "extract"]
        assert (line.result["claims"], line.result["calls"], line.result["problems"] != []) == (1, 2, True)


async def test_what_stays_unreadable_is_given_up_and_visible(tmp_path: Path) -> None:
    async with reading(tmp_path, *[GARBLED] * 20) as (memory, _, clock):
        await memory.scope("alice").add(PAINTS)
        for _ in range(10):
            await memory.flush()
            clock.advance(minutes=10)
        (dead,) = await waiting(memory, state="dead")
        assert "could not be read" in str(dead.error)
        assert (await memory.scope("alice").spent()).calls <= 12


async def test_nothing_is_learnt_from_what_is_erased_while_the_model_reads_it(tmp_path: Path) -> None:
    slow = Streamed(deltas=({"content": reply(PAINTING)},), delay=1.0)
    with OpenAIServer([slow]) as server:
        model = OpenAIModel("test-model", base_url=server.url, api_key="x")
        async with await opened("file", tmp_path, model=model, learn="model") as memory:
            alice = memory.scope("alice")
            await alice.add(PAINTS, session="s")
            flushing = asyncio.create_task(memory.flush())
            await in_time(lambda: bool(server.chats))
            await alice.erase()
            await flushing
            assert await facts(alice, *EVERY_STATUS) == []
            assert await memory.occurrences(["watercolours"]) == (0,)
            assert [scope.user for scope in (await memory.scopes()).items] in ([], ["alice"])


async def test_nothing_is_learnt_from_what_is_forgotten_while_the_model_reads_it(tmp_path: Path) -> None:
    with OpenAIServer([Streamed(deltas=({"content": reply(PAINTING)},), delay=1.0)]) as server:
        model = OpenAIModel("test-model", base_url=server.url, api_key="x")
        async with await opened("memory", tmp_path, model=model, learn="model") as memory:
            alice = memory.scope("alice")
            (message,) = (await alice.add(PAINTS)).messages
            flushing = asyncio.create_task(memory.flush())
            await in_time(lambda: bool(server.chats))
            await alice.forget(message.id)
            await flushing
            assert await facts(alice, *EVERY_STATUS) == []


# --- over real HTTP --------------------------------------------------------------------------------------------------------


async def test_over_http_the_schema_is_sent_and_the_price_is_what_the_endpoint_counts(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 901, "completion_tokens": 33, "total_tokens": 934}
    with OpenAIServer([server_says(reply(PAINTING), usage=usage)]) as server:
        model = OpenAIModel("test-model", base_url=server.url, api_key="x")
        async with await opened("file", tmp_path, model=model, learn="model") as memory:
            alice = memory.scope("alice")
            await alice.add(PAINTS)
            assert await memory.flush() == 0
            assert await facts(alice) == [KNOWN]
            spent = await alice.spent()
        (body,) = server.chats
        assert (spent.calls, spent.tokens) == (1, 934)
        assert (body["temperature"], body["response_format"]["type"]) == (0.0, "json_schema")
        assert "watercolours" in json.dumps(body["messages"][-1], ensure_ascii=False)


async def test_the_user_alone_is_sent_nothing_of_others_is(tmp_path: Path) -> None:
    async with reading(tmp_path, whenever(PAINTING), whenever()) as (memory, model, _):
        await memory.scope("alice").add(user_said(PAINTS))
        await memory.scope("bob").add(user_said("My own words of bob about something."))
        await memory.flush()
        shown = ["\n".join(str(message["content"]) for message in request.messages) for request in model.requests]
        assert ["watercolours" in each for each in shown] == [True, False]
