"""What left a window becomes its running summary: short, true to what was said, and never the words of a failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from pagefile.context.render import summary_room
from pagefile.errors import ContextExceeded, ModelRefused, ModelUnavailable
from pagefile.intake import draft
from pagefile.language.text import language_of
from pagefile.language.tokens import count
from pagefile.messages import SessionInfo
from pagefile.models.scripted import Script
from pagefile.parts import LearnSettings, Parts
from pagefile.ports import Job, ModelRequest
from pagefile.records import Scope
from pagefile.runner import Runner
from pagefile.stores.memory import MemoryStore
from pagefile.summariser import MODEL_ATTEMPTS, Summariser, summarise_job
from pagefile.testing.fakes import FakeClock, FakeIds, SlowModel
from pagefile.testing.openai_server import check_chat_request

ALICE = Scope("default", "alice")
ENGLISH = (
    "We are planning the garden behind the old house this spring.",
    "I suggest starting with the beds along the garden wall.",
    "My sister Clara will bring tomato seedlings for the garden on Saturday.",
    "Then the tomato seedlings go into the bed along the south wall.",
    "The budget for the garden is three hundred euros, and Clara pays half of it.",
)
CHINESE = (
    "今年春天我们打算整理老房子后面的花园。",
    "我建议先从花园围墙边的苗床开始。",
    "我妹妹小兰星期六会带番茄苗来花园。",
    "那就把番茄苗种在南墙边的苗床里。",
    "花园的预算是三百欧元，小兰出一半。",
)
SECRET = "sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCDEF"
GOOD = "The user plans a garden with their sister Clara, who brings tomato seedlings. The assistant suggested the south wall."


class Talk:
    """A session of Alice, and what summarises it."""

    def __init__(self, *replies: Script, window: int = 4_000, **learning: int) -> None:
        self.model = SlowModel(replies, context_window=window, echoes_memory=not replies)
        self.store, self.clock = MemoryStore(), FakeClock()
        settings = LearnSettings(**learning)  # type: ignore[arg-type]  # numbers alone
        self.parts = Parts(
            store=self.store,
            embedder=None,
            model=self.model,
            now=self.clock,
            new_id=FakeIds(),
            zone=ZoneInfo("UTC"),
            learning=settings,
        )
        self.runner = Runner(self.parts, Summariser(self.parts))

    async def say(self, *texts: str, **fields: object) -> None:
        """The user and the assistant in turn."""
        for place, text in enumerate(texts):
            self.clock.advance(60)
            message = {"role": "assistant" if place % 2 else "user", "content": text} | fields
            await self.store.append(ALICE, "s", [draft(message, parts=self.parts)])

    async def evict(self, *, keep: int = 1) -> None:
        """All but the last messages leave, and are summarised."""
        info = await self.info()
        jobs = [summarise_job("s")]
        await self.store.set_window(ALICE, "s", window_start=info.last_seq + 1 - keep, jobs=jobs)
        await self.runner.drain()

    async def info(self) -> SessionInfo:
        info = await self.store.session(ALICE, "s")
        assert info is not None
        return info

    async def summary(self) -> str:
        return (await self.info()).summary or ""

    async def waiting(self) -> Sequence[Job]:
        jobs = await self.store.jobs(scope=ALICE, state="queued", limit=1_000)
        return tuple(job for job in jobs.items if job.kind == "summarise")

    def asked(self, number: int = -1) -> str:
        return str(self.model.requests[number].messages[-1]["content"])


# --- with a model ----------------------------------------------------------------------------------------------------------------


async def test_what_was_evicted_is_folded_in_by_one_call_of_the_model() -> None:
    talk = Talk(GOOD)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    info = await talk.info()
    assert (info.summary, info.summarised_to) == (GOOD, 5)
    assert "[2026-05-24] user: My sister Clara will bring tomato seedlings" in talk.asked()
    assert "[2026-05-24] assistant: I suggest starting" in talk.asked()
    assert "What is next?" not in talk.asked()
    check_chat_request({"model": "m", "messages": list(talk.model.requests[0].messages)})
    assert await talk.waiting() == ()


async def test_the_next_summary_is_made_of_the_last_one_and_what_was_said_since() -> None:
    talk = Talk(GOOD, "The garden is planned, and the user bought a spade.")
    await talk.say(*ENGLISH)
    await talk.evict()
    await talk.say("I bought a new spade for the garden work today.", "Good, then you can start digging.", "Yes.")
    await talk.evict()
    assert GOOD in talk.asked()
    assert "new spade" in talk.asked()
    assert "My sister Clara" not in talk.asked()
    assert await talk.summary() == "The garden is planned, and the user bought a spade."
    assert (await talk.info()).summarised_to == 7


async def test_a_job_that_is_done_again_asks_nothing() -> None:
    talk = Talk(GOOD)
    await talk.say(*ENGLISH)
    await talk.evict()
    await talk.evict()
    assert len(talk.model.requests) == 1


async def test_a_summary_is_written_in_the_language_of_the_conversation() -> None:
    answer = "用户打算和妹妹小兰一起整理花园，小兰会带番茄苗来。"
    talk = Talk(answer)
    await talk.say(*CHINESE, "接下来呢？")
    await talk.evict()
    assert await talk.summary() == answer
    assert language_of(str(talk.model.requests[0].messages[0]["content"])) == "zh"
    assert "] 用户：我妹妹小兰" in talk.asked()


@pytest.mark.parametrize(
    "reply",
    [
        ModelUnavailable("no answer"),
        ModelRefused("400: content filter"),
        ContextExceeded("too long"),
        ["The user plans a gar", ModelUnavailable("the stream was cut")],
        "",
        "   \n",
        "Error: 500 Internal Server Error",
        '{"error": {"message": "overloaded"}}',
        "<html><body>502 Bad Gateway</body></html>",
        "I'm sorry, but I can't help with that.",
        "抱歉，我无法总结这段对话。",
        "用户打算和妹妹一起整理花园。",
        "The user plans a garden for 4711 euros.",
        "garden " * 2_000,
    ],
    ids=lambda reply: str(reply)[:24],
)
async def test_an_answer_that_is_no_summary_changes_nothing_and_is_asked_for_again_later(reply: Script) -> None:
    talk = Talk(GOOD, reply, "Later the user bought a spade for the garden.")
    await talk.say(*ENGLISH)
    await talk.evict()
    await talk.say("I bought a spade for the garden.", "Good.", "Thanks.")
    await talk.evict()
    info = await talk.info()
    assert (info.summary, info.summarised_to) == (GOOD, 4)
    (job,) = await talk.waiting()
    assert job.error
    assert job.ready_at > talk.clock()
    talk.clock.advance(10)
    await talk.runner.drain()
    assert await talk.summary() == "Later the user bought a spade for the garden."


async def test_a_model_that_never_writes_a_summary_is_given_up_for_sentences() -> None:
    talk = Talk(*["Error: 500"] * 50)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    for _ in range(20):
        talk.clock.advance(400)
        await talk.runner.drain()
    assert len(talk.model.requests) == MODEL_ATTEMPTS
    assert "Clara" in await talk.summary()
    assert "Error" not in await talk.summary()
    assert await talk.waiting() == ()


async def test_an_endpoint_that_is_away_for_minutes_is_waited_for() -> None:
    talk = Talk(*[ModelUnavailable("away")] * 10, GOOD)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    for _ in range(20):
        talk.clock.advance(400)
        await talk.runner.drain()
    assert await talk.summary() == GOOD
    spent = await talk.store.spend(ALICE, talk.clock().date())
    assert spent.calls == 1


async def test_more_than_the_summariser_can_read_is_folded_in_portion_by_portion() -> None:
    def answer(request: ModelRequest) -> str:
        assert sum(count(str(message["content"])) for message in request.messages) + (request.max_tokens or 0) <= 4_000
        return GOOD

    talk = Talk(*[answer] * 60)
    texts = [f"{sentence} " * 6 for sentence in ENGLISH * 50]
    await talk.say(*texts, "What is next?")
    assert sum(count(text) for text in texts) > 20_000
    await talk.evict()
    assert 5 < len(talk.model.requests) < 30
    assert (await talk.info()).summarised_to == len(texts)
    assert await talk.waiting() == ()


async def test_a_failure_in_the_middle_keeps_what_is_done_and_goes_on_from_there() -> None:
    talk = Talk(GOOD, GOOD, "Error: 503", *[GOOD] * 30)
    await talk.say(*[f"{sentence} " * 6 for sentence in ENGLISH * 50], "What is next?")
    await talk.evict()
    done = (await talk.info()).summarised_to
    assert 0 < done < 250
    talk.clock.advance(10)
    await talk.runner.drain()
    assert (await talk.info()).summarised_to == 250


async def test_one_message_that_is_longer_than_the_summarisers_window_is_read_in_part() -> None:
    talk = Talk(GOOD)
    await talk.say("It begins with the garden. " + "The garden is large. " * 5_000 + "It ends with the wall.", "I see.", "Well.")
    await talk.evict()
    assert (await talk.info()).summarised_to == 2 or len(talk.model.requests) == 1
    assert "It begins with the garden." in talk.asked(0)
    assert count(talk.asked(0)) < 4_000


@pytest.mark.parametrize("window", [1_200, 4_000, 8_000, 128_000])
async def test_a_summary_has_at_most_a_tenth_of_the_window(window: int) -> None:
    long = " ".join(f"The user told about the garden of {name} and about what grows there." for name in ("Ann", "Bob", "Eve", "Kim") * 3)
    talk = Talk(*[long] * 3, window=window)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    assert count(await talk.summary()) <= summary_room(window, "en") <= window // 10


async def test_only_what_people_said_is_told_and_no_secret_no_note_and_no_words_of_the_system() -> None:
    talk = Talk(GOOD)
    await talk.say(*ENGLISH[:2])
    await talk.store.append(ALICE, "s", [draft({"role": "system", "content": "You are Hal."}, parts=talk.parts)])
    call = {"id": "c1", "type": "function", "function": {"name": "memory_search", "arguments": '{"query": "garden"}'}}
    result = {"role": "tool", "tool_call_id": "c1", "content": "- 2026-01-01 · user: The neighbours keep goats."}
    for message in ({"role": "assistant", "content": "", "tool_calls": [call]}, result):
        await talk.store.append(ALICE, "s", [draft(message, parts=talk.parts)])
    noted = "<memory_notes>\n- 2026-01-01 10:00 +00:00 · user: The neighbours keep bees.\n</memory_notes>\nThe garden gate is green."
    made = draft({"role": "user", "content": noted}, parts=talk.parts)
    await talk.store.append(ALICE, "s", [made])
    secret = draft({"role": "user", "content": "hello"}, parts=talk.parts)
    await talk.store.append(ALICE, "s", [replace(secret, text=f"The shed opens with {SECRET} now.")])
    await talk.say("What is next?")
    await talk.evict()
    asked = talk.asked()
    assert "garden gate is green" in asked
    for hidden in ("Hal", "goats", "bees", "sk-proj"):
        assert hidden not in asked


async def test_a_summary_of_something_that_was_erased_meanwhile_is_not_kept() -> None:
    talk = Talk(GOOD, "The user plans a garden.")

    async def erase_once() -> None:
        if not talk.model.requests:
            messages = await talk.store.messages(ALICE, "s")
            await talk.store.erase(ALICE, ids=[messages.items[2].id])

    talk.model.meanwhile = erase_once
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    assert len(talk.model.requests) == 2
    assert "My sister Clara" not in talk.asked()
    assert await talk.summary() == "The user plans a garden."


async def test_erasing_a_message_drops_the_summary_and_the_next_one_does_not_tell_of_it() -> None:
    talk = Talk()
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    assert "Clara will bring" in await talk.summary()
    messages = await talk.store.messages(ALICE, "s")
    await talk.store.erase(ALICE, ids=[messages.items[2].id])
    assert await talk.summary() == ""
    await talk.store.enqueue(ALICE, [summarise_job("s")])
    await talk.runner.drain()
    assert "old house" in await talk.summary()
    assert "Clara will bring" not in await talk.summary()


async def test_a_days_budget_that_is_used_up_leaves_sentences() -> None:
    talk = Talk(GOOD, calls_a_day=0)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    assert talk.model.requests == []
    assert "Clara" in await talk.summary()


async def test_what_a_summary_cost_is_counted() -> None:
    talk = Talk(GOOD)
    await talk.say(*ENGLISH, "What is next?")
    await talk.evict()
    spent = await talk.store.spend(ALICE, talk.clock().date())
    assert spent.calls == 1
    assert spent.tokens > count(GOOD)


# --- without a model -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "who"), [(ENGLISH, "user: "), (CHINESE, "用户：")], ids=["en", "zh"])
async def test_without_a_model_it_is_made_of_sentences_with_their_date_and_speaker(said: Sequence[str], who: str) -> None:
    talk = Talk(window=2_000)
    await talk.say(*said)
    talk.clock.advance(days=3)
    await talk.say(*said[::-1][:3])
    await talk.evict()
    summary = await talk.summary()
    assert summary
    for line in summary.splitlines():
        assert line.startswith(("[2026-05-24] ", "[2026-05-27] "))
        assert line.split("] ", 1)[1].startswith(who), "an echo of the memory says nothing new"
        assert line.split(who, 1)[1] in said


async def test_sentences_of_an_earlier_summary_and_new_ones_are_chosen_among_alike() -> None:
    talk = Talk(window=1_600)
    topics = ("garden", "kitchen", "holiday", "bicycle", "concert")
    for topic in topics:
        await talk.say(
            *[f"The {topic} of Clara costs more than the {topic} of her brother {name} this year." for name in ("Ann", "Bob", "Eve")]
        )
        await talk.evict(keep=1)
        assert count(await talk.summary()) <= summary_room(1_600, "en")
    told = [topic for topic in topics if topic in await talk.summary()]
    assert len(told) >= 2
    dates = [line[:12] for line in (await talk.summary()).splitlines()]
    assert dates == sorted(dates)


async def test_nothing_worth_telling_makes_no_summary_and_is_not_looked_at_again() -> None:
    talk = Talk()
    await talk.say("hi", "Hello!", "thanks", "You are welcome.", "ok")
    await talk.evict()
    assert ((await talk.info()).summary, (await talk.info()).summarised_to) == (None, 4)
    assert await talk.waiting() == ()


async def test_a_session_that_is_gone_leaves_nothing_to_do() -> None:
    talk = Talk()
    await talk.say(*ENGLISH)
    await talk.store.enqueue(ALICE, [summarise_job("s"), summarise_job("other")])
    await talk.store.erase(ALICE, session="s")
    await talk.runner.drain()
    assert await talk.waiting() == ()


async def test_times_are_those_at_which_it_was_said() -> None:
    talk = Talk()
    await talk.say(*ENGLISH[:3], said_at=talk.clock() - timedelta(days=400))
    await talk.say("What is next?")
    await talk.evict()
    assert "[2025-04-19] user: We are planning" in await talk.summary()
