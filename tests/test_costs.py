"""What models cost: by day and user, to chat and to learn, and what that comes to at given prices."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pagefile.costs import Prices, Spent
from pagefile.errors import InputError, ModelUnavailable, SettingsError
from pagefile.events import TurnFinished
from pagefile.memory import AsyncMemory
from pagefile.models.offline import OfflineModel
from pagefile.models.scripted import ScriptedModel
from pagefile.settings import load_settings
from pagefile.testing.fakes import START, FakeClock

TODAY = START.astimezone(UTC).date()


async def opened(model: ScriptedModel | OfflineModel, clock: FakeClock | None = None) -> AsyncMemory:
    settings = load_settings(environ={"PAGEFILE_TIMEZONE": "UTC", "PAGEFILE_CONFIG": ""})
    return await AsyncMemory.open(":memory:", embedder="none", model=model, now=clock or FakeClock(), settings=settings)


async def test_a_turn_reports_what_it_took_and_adds_it_to_the_day() -> None:
    async with await opened(ScriptedModel(["Good morning.", "Fine."])) as memory:
        alice = memory.scope("alice")
        events = [event async for event in alice.chat().stream("Good day to you!")]
        events += [event async for event in alice.chat().stream("How is my dog Rex?")]
        usages = [event for event in events if isinstance(event, TurnFinished)]
        (cost,) = await alice.costs()
    assert [end.usage.calls for end in usages] == [1, 1]
    assert usages[1].recall_seconds > 0
    assert (cost.day, cost.scope.user, cost.purpose, cost.spent.calls) == (TODAY, "alice", "chat", 2)
    assert cost.spent.input_tokens == sum(end.usage.input_tokens for end in usages) > 0
    assert cost.spent.output_tokens == sum(end.usage.output_tokens for end in usages) > 0


async def test_learning_is_told_from_chatting_and_its_budget_counts_learning_alone() -> None:
    async with await opened(ScriptedModel(["Good morning."])) as memory:
        alice = memory.scope("alice")
        await alice.chat().turn("Where is my dog Rex?")
        store, scope = alice._store, alice.scope
        await store.spend(scope, TODAY, Spent(calls=1, input_tokens=500, cached_tokens=100, output_tokens=20))
        assert [one.purpose for one in await alice.costs()] == ["chat", "learn"]
        assert await alice.spent() == Spent(calls=1, input_tokens=500, cached_tokens=100, output_tokens=20)


async def test_what_a_failing_model_was_asked_before_is_counted_too() -> None:
    model = ScriptedModel([["Let me see. ", ModelUnavailable("gone")]])
    async with await opened(model) as memory:
        alice = memory.scope("alice")
        with pytest.raises(ModelUnavailable):
            await alice.chat().turn("Where is my dog Rex?")
        assert len(model.requests) == 1
        assert await alice.costs() == (), "a call that brought no usage has none to count"


async def test_answers_from_memory_alone_and_incognito_talk_cost_nothing() -> None:
    for model, incognito in ((OfflineModel(), False), (ScriptedModel(["Hm."]), True)):
        async with await opened(model) as memory:
            await memory.scope("alice").chat(incognito=incognito).turn("Where is my dog Rex?")
            assert await memory.costs() == ()


async def test_costs_are_listed_for_one_user_or_all_within_days() -> None:
    clock = FakeClock()
    async with await opened(ScriptedModel(["Hm."] * 3), clock) as memory:
        await memory.scope("bob").chat().turn("Where is my dog Rex?")
        await memory.scope("alice").chat().turn("Where is my cat Miso?")
        clock.advance(days=1)
        await memory.scope("alice").chat().turn("And where is my bird?")
        tomorrow = TODAY + timedelta(days=1)
        assert [(one.day, one.scope.user) for one in await memory.costs()] == [(TODAY, "bob"), (TODAY, "alice"), (tomorrow, "alice")]
        assert [one.day for one in await memory.scope("alice").costs(since=tomorrow)] == [tomorrow]
        assert [one.scope.user for one in await memory.costs(until=TODAY.isoformat())] == ["bob", "alice"]
        with pytest.raises(InputError, match="such as 2026-05-24"):
            await memory.costs(since="yesterday")
        with pytest.raises(InputError, match="must be a day"):
            await memory.costs(until=datetime.now(UTC))


def test_sums_and_prices() -> None:
    spent = Spent(calls=1, input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000) + Spent(calls=2)
    assert (spent.calls, spent.tokens) == (3, 1_100_000)
    assert Prices(input=1.0, output=4.0).of(spent) == pytest.approx(1.4)
    assert Prices(input=1.0, output=4.0, cached=0.1).of(spent) == pytest.approx(0.6 + 0.04 + 0.4)
    assert Prices(input=1.0, cached=0.0).of(Spent(input_tokens=100, cached_tokens=900)) == 0, "an endpoint that counts what is cached apart"
    assert not Prices().known
    assert Prices(cached=0.1).known


def test_prices_are_settings() -> None:
    environ = {"PAGEFILE_PRICE_INPUT": "0.15", "PAGEFILE_PRICE_OUTPUT": "0.6", "PAGEFILE_CURRENCY": "¥", "PAGEFILE_CONFIG": ""}
    settings = load_settings(environ=environ)
    assert (settings.prices(), settings.currency) == (Prices(input=0.15, output=0.6), "¥")
    for wrong in ("cheap", "-1", "nan", "inf"):
        with pytest.raises(SettingsError, match="price_cached"):
            load_settings(environ={"PAGEFILE_PRICE_CACHED": wrong})
    assert load_settings(environ={}).prices() == Prices()
