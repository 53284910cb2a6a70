"""A turn searches memory where something remembered may bear on the message, and says why where it did not."""

from __future__ import annotations

import pytest

from pagefile.events import Event, Recalled
from pagefile.records import Add
from pagefile.retrieval.indexing import record_indexing
from pagefile.testing.fakes import make_cause, make_record, numbered_id

from .chats import ALICE, Chat, finished


def recalled(events: list[Event]) -> Recalled:
    return next(event for event in events if isinstance(event, Recalled))


async def test_nothing_is_searched_for_small_talk_and_the_event_says_so() -> None:
    chat = Chat("Noted.", "You're welcome.", "4711.")
    await chat.say("My vault code is 4711, zebra.", session="before")
    thanks = recalled(await chat.say("Thank you so much!"))
    assert thanks.skipped
    assert not thanks.hits
    asked = recalled(await chat.say("What is my vault code?"))
    assert asked.skipped is None
    assert asked.hits


async def test_whether_to_search_is_a_setting() -> None:
    for setting, searched in (("always", True), ("never", False)):
        chat = Chat("Noted.", "Paris.")
        await chat.say("The capital of France is where my aunt lives.", session="before")
        found = recalled(await chat.say("What is the capital of France?", recall=setting))
        assert (found.skipped is None, bool(found.hits)) == (searched, searched)


async def test_memorys_tools_can_be_left_out_where_memory_does_not_bear_on_the_message() -> None:
    chat = Chat("Hi.", "Tea.", "Hi.")
    await chat.say("Hello!", mount_tools="when-needed")
    await chat.say("What do I like to drink?", mount_tools="when-needed")
    await chat.say("Hello!", session="other")
    assert [bool(request.tools) for request in chat.model.requests] == [False, True, True]
    chat.check()


async def test_what_was_just_searched_for_is_shown_again_but_not_what_was_taken_away_since() -> None:
    chat = Chat("Noted.", "4711.", "4711.", "I do not know.")
    await chat.say("My vault code is 4711, zebra.", session="before")
    session = chat.session()
    first = recalled([event async for event in session.stream("What did I say my vault code was?")])
    assert first.hits
    again = recalled([event async for event in session.stream("What did I say my vault code was?")])
    assert again.skipped
    assert [hit.id for hit in again.hits] == [hit.id for hit in first.hits]
    await chat.store.erase(ALICE, ids=[hit.id for hit in first.hits])
    gone = recalled([event async for event in session.stream("What did I say my vault code was?")])
    assert not gone.hits


@pytest.mark.parametrize(
    ("fact", "said", "asks", "asks_what_was_said"),
    [
        ("My sister Mia's favourite flower is the iris.", "Mia's favourite flower, the iris, is in bloom, said my sister.",
         "Which flower should I buy for my sister Mia?", "What did I tell you last time about my sister Mia's flower?"),
        ("妹妹小米最喜欢的花是鸢尾花。", "妹妹小米说她最喜欢的花鸢尾花开了。", "我该给妹妹小米买什么花？", "我上次说妹妹小米喜欢什么花？"),
    ],
)  # fmt: skip
async def test_what_was_learnt_is_shown_first_unless_somebody_asks_for_what_was_said(
    fact: str, said: str, asks: str, asks_what_was_said: str
) -> None:
    chat = Chat(*["Yes."] * 3)
    record = make_record(fact, id=numbered_id(900))
    await chat.store.apply(ALICE, [Add(item=record, cause=make_cause(), indexing=record_indexing(record))])
    await chat.say(said, session="before")
    for question, first in ((asks, "fact"), (asks_what_was_said, "message")):
        hits = recalled(await chat.say(question, session=question[:9])).hits
        assert {hit.kind for hit in hits} == {"fact", "message"}
        assert hits[0].kind == first, [(hit.kind, hit.score) for hit in hits]


async def test_a_message_whose_answer_was_interrupted_is_answered_anew_when_it_is_sent_again() -> None:
    chat = Chat("one two three four five six", "All of it.")
    message = {"role": "user", "content": "count for me", "id": "m1"}
    stream = chat.session().stream(message)
    async for event in stream:
        if type(event).__name__ == "TextDelta":
            break
    await stream.aclose()
    assert "[interrupted]" in (await chat.said())[1][1]
    events = [event async for event in chat.session().stream(message)]
    assert finished(events).text == "All of it."
    assert [role for role, _ in await chat.said()] == ["user", "assistant", "assistant"]
