"""How a history that is sent again finds its place, in cases that were thought of by themselves."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pagefile.memory import AsyncMemory
from pagefile.settings import Settings
from tests.exchange.clients import Clock, assistant, exchange, kept, messages, open_memory, talk, user

TALK = ("Hello, I am here", "Hello.", "I live in Oslo", "Nice.", "I like tea")


async def test_a_conversation_goes_on_in_its_session_whoever_serves_it(tmp_path: Path) -> None:
    settings = Settings(timezone="UTC", data=str(tmp_path / "m.db"))
    for end in (1, 3, 5):
        async with await AsyncMemory.open(settings=settings, embedder="none") as memory:
            await exchange(memory.scope("alice"), talk(*TALK[:end]), (*TALK, "I see.")[end])
    async with await AsyncMemory.open(settings=settings, embedder="none") as memory:
        (said,) = (await kept(memory.scope("alice"))).values()
    assert [text for _, text in said] == [*TALK, "I see."]


async def test_two_programs_on_one_file_keep_a_message_once(tmp_path: Path) -> None:
    settings = Settings(timezone="UTC", data=str(tmp_path / "m.db"))
    async with (
        await AsyncMemory.open(settings=settings, embedder="none") as one,
        await AsyncMemory.open(settings=settings, embedder="none") as two,
    ):
        for memory in (one, two):
            await exchange(memory.scope("alice"), talk(TALK[0]), None)
        await exchange(one.scope("alice"), talk(*TALK[:1]), "Hello.")
        await exchange(two.scope("alice"), talk(*TALK[:3]), "Nice.")
        await exchange(one.scope("alice"), talk(*TALK[:5]), "I see.")
        (said,) = (await kept(two.scope("alice"))).values()
    assert [text for _, text in said] == [*TALK, "I see."]


@pytest.mark.parametrize("session", [None, "x"])
async def test_a_reply_asked_for_anew_and_a_changed_question_are_forks(session: str | None) -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, talk(*TALK[:1]), "Hello.", session=session)
        await exchange(alice, talk(*TALK[:3]), "Nice.", session=session)
        await exchange(alice, talk(*TALK[:3]), "Splendid.", session=session)
        await exchange(alice, talk(*TALK[:2], "I live in Rome"), "Ciao.", session=session)
        one, two, three = (await kept(alice)).items()
    assert [text for _, text in one[1]] == ["Hello, I am here", "Hello.", "I live in Oslo", "Nice."]
    assert (two[0], two[1]) == (f"{one[0]}~2", [("assistant", "Splendid.")])
    assert (three[0], three[1]) == (f"{one[0]}~3", [("user", "I live in Rome"), ("assistant", "Ciao.")])


async def test_what_stands_behind_a_changed_message_is_not_learnt_from_or_found_twice() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, talk(*TALK[:1]), "Hello.", session="x")
        await exchange(alice, talk(*TALK[:3]), "Nice.", session="x")
        await exchange(alice, talk(TALK[0], "Hello, dear Kim.", *TALK[2:5]), "I see.", session="x")
        copies = [one for one in await messages(alice) if one.text == "I live in Oslo"]
        assert sorted(one.learnable for one in copies) == [False, True]
        assert (
            len([hit for hit in (await alice.search("Oslo", floor=0.0)).hits if hit.text == "I live in Oslo" and hit.kind == "message"])
            == 1
        )


async def test_the_same_first_words_on_another_day_begin_another_conversation() -> None:
    clock = Clock()
    async with await open_memory(clock) as memory:
        alice = memory.scope("alice")
        await exchange(alice, talk("Good morning"), "Morning!")
        clock.at += timedelta(days=1)
        await exchange(alice, talk("Good morning"), "Hello again.")
        await exchange(alice, talk("Good morning", "Hello again.", "I live in Oslo"), "Nice.")
        one, two = (await kept(alice)).values()
    assert one == [("user", "Good morning"), ("assistant", "Morning!")]
    assert [text for _, text in two] == ["Good morning", "Hello again.", "I live in Oslo", "Nice."]


async def test_a_client_that_sends_the_newest_message_alone_has_one_conversation() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        for text, reply in (("I live in Oslo", "Nice."), ("ok", "Yes."), ("I like tea", "I see."), ("ok", "Yes.")):
            await exchange(alice, [user(text)], reply, session="x")
        assert await kept(alice) == {
            "x": [(role, text) for pair in (("I live in Oslo", "Nice."), ("ok", "Yes."), ("I like tea", "I see."), ("ok", "Yes."))
                  for role, text in zip(("user", "assistant"), pair, strict=True)]
        }  # fmt: skip


async def test_a_question_that_was_not_answered_is_kept_once_however_often_it_is_sent() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        for reply in (None, None, "Nice."):
            await exchange(alice, [user("I live in Oslo")], reply, session="x")
        assert await kept(alice) == {"x": [("user", "I live in Oslo"), ("assistant", "Nice.")]}


@pytest.mark.parametrize("what", ["message", "session", "everything"])
async def test_what_was_erased_stays_erased_when_the_old_history_is_sent_again(what: str) -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        for end in (1, 3):
            await exchange(alice, talk(*TALK[:end]), TALK[end], session="x")
        secret = next(one for one in await messages(alice) if one.text == "I live in Oslo")
        if what == "message":
            await alice.erase(secret.id)
        else:
            await alice.erase(session="x") if what == "session" else await alice.erase()
        await exchange(alice, talk(*TALK), "I see.", session="x")
        texts = [one.text for one in await messages(alice)]
        assert "I live in Oslo" not in texts
        assert "I like tea" in texts
        await memory.flush()
        assert not any("Oslo" in record.text for record in (await alice.list()).items)


TOLD = ("Hello, I am here", "Hello.", "My sister lives in Graz", "Graz is lovely.", "我姐姐养了一只猫", "好的。", "I like tea", "I see.")
#: What clients make of a history: those of its messages that are sent again, as they were or with other words.
KEPT_BACK = {
    "without the first": TOLD[1:],
    "without the first pair": TOLD[2:],
    "without a pair in the middle": (*TOLD[2:4], *TOLD[6:]),
    "behind another question": ("Good evening", *TOLD[1:]),
    "behind another reply": (TOLD[0], "Good evening.", *TOLD[2:]),
    "behind another pair": ("Good evening", "Good evening.", *TOLD),
    "as it was": TOLD,
}


@pytest.mark.parametrize("session", [None, "x", "y"])
@pytest.mark.parametrize("what", ["message", "session", "everything"])
@pytest.mark.parametrize("sent", KEPT_BACK.values(), ids=KEPT_BACK.keys())
async def test_what_was_erased_stays_erased_however_much_of_the_history_is_sent(
    sent: tuple[str, ...], what: str, session: str | None
) -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        for end in range(1, len(TOLD), 2):
            await exchange(alice, talk(*TOLD[:end]), TOLD[end], session="x" if session else None)
        told = [one for one in await messages(alice) if one.text in TOLD[2:6]]
        if what == "message":
            await alice.erase([one.id for one in told])
        else:
            await alice.erase(session=told[0].session) if what == "session" else await alice.erase()
        roles = ("user", "assistant") if len(sent) % 2 == 0 else ("assistant", "user")
        history = [{"role": roles[place % 2], "content": text} for place, text in enumerate(sent)]
        await exchange(alice, [*history, user("And what about dogs?")], "Dogs bark.", session=session)
        texts = [one.text for one in await messages(alice)]
        assert not {"My sister lives in Graz", "Graz is lovely.", "我姐姐养了一只猫"} & set(texts)
        assert texts.count("And what about dogs?") == texts.count("Dogs bark.") == 1
        await memory.flush()
        assert not any("Graz" in record.text or "猫" in record.text for record in (await alice.list()).items)


async def test_only_the_words_of_the_person_alone_are_sent_again_after_an_erase() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, [user("我住在格拉茨")], "Nice.")
        await alice.erase()
        await exchange(alice, [user("我住在格拉茨"), user("I like tea")], "I see.")
        assert [one.text for one in await messages(alice)] == ["I like tea", "I see."]


@pytest.mark.parametrize(
    ("one", "again"),
    [
        ("Mon café préféré est à Orléans.", "Mon cafe\u0301 pre\u0301fe\u0301re\u0301 est a\u0300 Orle\u0301ans."),
        ([{"type": "text", "text": "I like tea"}, {"type": "strange", "data": "x"}], "I like tea"),
        ([{"type": "text", "text": "我喜欢茶"}, {"type": "text"}], "我喜欢茶"),
    ],
)
async def test_a_message_is_known_again_in_another_form(one: Any, again: str) -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, [user(one)], "Nice.")
        await exchange(alice, [user(again), assistant("Nice."), user("And now?")], "Now what?")
        assert [message.role for message in await messages(alice)] == ["user", "assistant"] * 2


async def test_what_was_erased_can_be_said_again() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, [user("I live in Oslo")], "Nice.")
        await alice.erase()
        await exchange(alice, [user("I live in Oslo")], "Nice.")
        assert ("user", "I live in Oslo") in [(one.role, one.text) for one in await messages(alice)]


async def test_incognito_and_off_leave_nothing_at_all() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        for mode in ("incognito", "off"):
            await exchange(alice, talk(*TALK[:3]), "Nice.", mode=mode)  # type: ignore[arg-type]
        await memory.flush()
        assert await kept(alice) == {}
        assert (await alice.operations()).items == ()
        assert (await memory.scopes()).items == ()


async def test_secrets_are_taken_out_also_where_they_were_asked_for() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        said = ["Log me in, please", "What is your password?", "hunter2xK9", "Done.", "My key is sk-abcdefghijklmnopqrstuvwx1234"]
        for end in (1, 3, 5):
            await exchange(alice, talk(*said[:end]), (*said, "I see.")[end])
        (texts,) = (await kept(alice)).values()
        assert len(texts) == 6
        assert not [text for _, text in texts if "hunter2" in text or "sk-abc" in text]


async def test_thoughts_and_blanks_do_not_make_another_message() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await exchange(alice, talk("I live in Oslo"), "<think>Where?</think>\n\nNice place.\n")
        history = [user(" I live in  Oslo\n"), assistant("<think>Where?</think>\n\nNice place."), user("Is it?")]
        await exchange(alice, history, "Yes.")
        (said,) = (await kept(alice)).values()
        assert [text.strip() for _, text in said] == ["I live in Oslo", "Nice place.", "Is it?", "Yes."]


async def test_messages_that_say_nothing_and_instructions_are_not_kept() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        history = [{"role": "system", "content": "Be kind."}, user("I live in Oslo"), {"role": "assistant", "content": ""}, user("Hello?")]
        await exchange(alice, history, "Yes.")
        (said,) = (await kept(alice)).values()
        assert said == [("user", "I live in Oslo"), ("user", "Hello?"), ("assistant", "Yes.")]


async def test_a_conversation_that_was_begun_elsewhere_is_gone_on_with() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await alice.add(talk(*TALK[:4]), session="x")
        await exchange(alice, talk(*TALK), "I see.", session="x")
        assert [text for _, text in (await kept(alice))["x"]] == [*TALK, "I see."]


async def test_what_the_model_quotes_of_the_notes_is_not_learnt_as_new() -> None:
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await alice.add("My sister Anna lives in Oslo.", session="monday")
        await memory.flush()
        before = (await alice.list()).items
        await exchange(alice, [user("Where does my sister Anna live?")], "My sister Anna lives in Oslo.")
        await memory.flush()
        assert [record.text for record in (await alice.list()).items] == [record.text for record in before]
        assert [record.evidence_count for record in (await alice.list()).items] == [record.evidence_count for record in before]
