"""A turn searches memory where something remembered may bear on the message, and says why where it did not."""

from __future__ import annotations

from pagefile.events import Event, Recalled

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
