"""What a request to forget takes and what it leaves, and that nothing of what was forgotten or erased is seen again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from .homes import STORES
from .talks import SUNDAY, talking

EVERY_QUESTION = {
    "english": ("Where do I live?", "Where did I live before?", "Where did I live in May 2026?", "Lisbon"),
    "中文": ("我住在哪里？", "我以前住哪里？", "我五月份住在哪儿？", "桂林"),
}
SAID = {"english": ("I live in Lisbon.", "Lisbon", "I have two parrots."), "中文": ("我住在桂林。", "桂林", "我养了两只鹦鹉。")}


# --- whom a request is about ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "own", "others"),
    [
        ("forget that I live in Lisbon", "I live in Lisbon.", ("My aunt lives in Lisbon.",)),
        ("forget that I live in Lisbon", "I live in Lisbon.", ("My cousin Olga lives in Lisbon.",)),
        ("forget my physio appointment", "I have a physio appointment on Friday.", ("My mother has a physio appointment on Monday.",)),
        ("forget my name", "My name is Ines.", ("My cat's name is Momo.", "My aunt's name is Olga.")),
        ("please forget my birthday", "My birthday is May 3.", ("My wife's birthday is June 4.",)),
        ("忘掉我住在桂林", "我住在桂林。", ("我姑姑住在桂林。",)),
        ("忘掉我的名字", "我叫陈静。", ("我的猫叫咪咪。",)),
    ],
)
async def test_what_is_said_of_somebody_else_in_the_same_words_stays(query: str, own: str, others: tuple[str, ...], tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(*others)
        before = await talk.facts()
        await talk.tell(own)
        assert len(await talk.facts()) == len(before) + 1
        await talk.user.forget(query=query)
        assert await talk.facts() == before
        found = " ".join(await talk.found(own))
        assert own not in found.replace(" ".join(others), "")
        for other in others:
            assert other.rstrip(".。") in " ".join(await talk.found(other))


@pytest.mark.parametrize(
    ("theirs", "query"),
    [
        ("My aunt lives in Lisbon.", "forget where my aunt lives"),
        ("My aunt Olga is a nurse.", "forget everything about my aunt"),
        ("我姑姑是护士。", "忘掉关于我姑姑的一切"),
    ],
)
async def test_a_request_about_somebody_else_takes_theirs_alone(theirs: str, query: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I live in Lisbon.", theirs)
        await talk.user.forget(query=query)
        assert await talk.facts() == ["user · residence: Lisbon"]


@pytest.mark.parametrize(
    ("said", "query", "secret"),
    [
        ("I have two parrots. My locker hint is tulip. I love rowing.", "locker hint", "tulip"),
        ("我养了两只鹦鹉。储物柜的提示是郁金香。我喜欢划船。", "储物柜的提示", "郁金香"),
    ],
)
async def test_facts_that_only_stand_in_the_same_message_stay(said: str, query: str, secret: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(said)
        before = await talk.facts()
        assert len(before) == 2
        await talk.user.forget(query=query)
        assert await talk.facts() == before
        assert secret not in repr(await talk.user.search(query, floor=0.0, history=True))


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("我住在桂林。", "别记我住在哪儿了"),
        ("我住在桂林。", "请把我的住址删掉"),
        ("我住在桂林。", "不要再记着我家在哪里"),
        ("I live in Lisbon.", "forget my address"),
        ("I live in Lisbon.", "please don't remember where I live"),
        ("我生日是5月3日。", "帮我把我的生日删了吧"),
    ],
)
async def test_a_property_can_be_named_without_its_value(said: str, query: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I love rowing.", said)
        await talk.user.forget(query=query)
        assert await talk.facts() == ["user · likes: rowing"]
        assert said not in await talk.found(said)


async def test_everything_about_somebody_goes_where_only_the_record_has_the_name(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("My friend Olga works at Acme. She loves golf.", "I love rowing.")
        await talk.user.forget(query="forget everything about Olga")
        assert await talk.facts() == ["user · likes: rowing"]
        assert "golf" not in repr(await talk.user.search("golf", floor=0.0, history=True))


# --- it is not seen again ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("together", [False, True], ids=["alone", "with another fact"])
@pytest.mark.parametrize("way", ["forget id", "forget query", "erase"])
@pytest.mark.parametrize("language", SAID)
async def test_no_question_about_the_past_shows_what_was_forgotten_or_erased(
    language: str, way: str, together: bool, store: str, tmp_path: Path
) -> None:
    text, place, other = SAID[language]
    async with talking(tmp_path, store) as talk:
        await talk.tell(f"{text} {other}" if together else text)
        (record,) = [record for record in await talk.records() if record.attribute == "residence"]
        if way == "forget id":
            await talk.user.forget(record.id)
        elif way == "forget query":
            await talk.user.forget(query=place)
        else:
            receipt = await talk.user.erase(record.id)
            assert (receipt.messages, receipt.records) == (0 if together else 1, 1)
            assert together or await talk.memory.occurrences([place]) == (0,)
        for question in EVERY_QUESTION[language]:
            assert place not in repr(await talk.user.search(question, floor=0.0))
            assert place not in repr(await talk.user.search(question, floor=0.0, history=True))
            assert place not in repr(await talk.user.search(question, floor=0.0, statuses=["current", "superseded"]))
            assert place not in repr(await talk.user.search(question, floor=0.0, as_of=SUNDAY + timedelta(days=1)))
        assert len(await talk.facts()) == together


@pytest.mark.parametrize("store", STORES)
async def test_what_was_only_replaced_is_still_shown_to_who_asks_for_the_past(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I live in Lisbon.", "I live in Oslo.")
        assert any("Lisbon" in text for text in await talk.found("Where did I live before?", history=True))


@pytest.mark.parametrize("store", STORES)
async def test_a_fact_that_is_restored_is_seen_again_with_the_words_it_rests_on(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I live in Lisbon.")
        (record,) = await talk.records()
        await talk.user.forget(record.id)
        await talk.user.restore(record.id)
        assert await talk.found("Where do I live?", kinds=["message"]) == ["I live in Lisbon."]


@pytest.mark.parametrize("store", STORES)
async def test_erasing_a_fact_lets_nothing_hold_again_that_it_had_replaced(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I live in Lisbon.", "I live in Oslo.", "I live in Oslo.")
        (record,) = await talk.records()
        assert (await talk.user.erase(record.id)).messages == 2
        assert await talk.facts() == []
        assert await talk.memory.occurrences(["Oslo"]) == (0,)


# --- before it was learnt ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("what", ["message", "session", "user"])
@pytest.mark.parametrize("language", SAID)
async def test_what_is_erased_before_it_was_learnt_is_not_learnt_from_an_old_chat(
    language: str, what: str, store: str, tmp_path: Path
) -> None:
    text, place, other = SAID[language]
    async with talking(tmp_path, store) as talk:
        said = {"role": "user", "content": text, "said_at": SUNDAY - timedelta(days=20)}
        (message,) = (await talk.user.add(said, session="s")).messages
        await talk.user.add(other, session="another")
        await talk.user.erase(**{"message": {"id": message.id}, "session": {"session": "s"}, "user": {}}[what])
        older = {"role": "user", "content": f"{other} {text}", "said_at": SUNDAY - timedelta(days=40)}
        await talk.tell(older, session="import")
        assert not [fact for fact in await talk.facts() if place in fact]
        assert len(await talk.facts()) == (what != "user")
