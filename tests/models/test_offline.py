"""Without a model: the words that were said, with date and source, in the language of the person, and an honest no."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.events import TextDelta
from pagefile.models.offline import LONGEST_QUOTE, Intent, OfflineModel, answer, intent_of
from pagefile.ports import ModelFinished, ModelRequest
from pagefile.prompts import WORDINGS, sections, words
from pagefile.queries import Hit
from pagefile.records import Trust

SAID = datetime(2026, 5, 24, 10, tzinfo=timezone(timedelta(hours=8)))
NOTICE: dict[str, str] = {wording: words("offline", "notice", wording) for wording in WORDINGS}


def note(text: str, *, score: float = 0.8, role: str | None = "user", speaker: str | None = None, session: str | None = "monday") -> Hit:
    return Hit(id=text, kind="message", text=text, score=score, time=SAID, session=session, speaker=speaker, role=role, sources=(),
               trust=Trust.USER_SAID, tokens=5)  # fmt: skip


SPICY = note("I can't eat spicy food.")
HOT = note("我不能吃辣，对花生过敏。")


def reply(*said: str, notes: tuple[Hit, ...] = ()) -> str:
    """The answer to the last of the messages, after all of them were answered."""
    messages: list[dict[str, str]] = []
    for text in said:
        messages.append({"role": "user", "content": text})
        answered = answer(ModelRequest(messages=messages, notes=notes if text is said[-1] else ()))
        messages.append({"role": "assistant", "content": answered})
    return messages[-1]["content"]


INTENTS: dict[Intent, tuple[str, ...]] = {
    "greeting": ("Hi!", "good morning", "你好", "早上好！"),
    "help": ("", "help", "What can you do?", "who are you?", "你是谁？", "你能做什么"),
    "thanks": ("thanks!", "Thank you very much", "谢谢你"),
    "farewell": ("bye", "晚安。"),
    "question": (
        *("What can't I eat?", "any dietary restrictions?", "do you remember my sister", "tell me about the trip", "Remind me what I said"),
        *("我女儿叫什么", "你还记得我的生日吗", "我几号看医生", "你知道我住在哪里", "请问我多大", "告诉我上周的安排", "请告诉我她的电话"),
    ),
    "request": (
        *("Book us a table", "please write a poem", "Remind me to call Bob"),
        *("帮我订一家餐厅", "写一首诗", "请翻译这句话"),
    ),
    "statement": (
        *("I can't eat spicy food.", "Hi, I'm Alice.", "Remember that I moved to Berlin.", "My sister Mia is a doctor"),
        *("我不能吃辣", "记住我下周三去看医生", "我没什么忌口", "他什么都吃", "May is my favourite month", "🙂"),
    ),
}


@pytest.mark.parametrize(("text", "intent"), [(text, intent) for intent, texts in INTENTS.items() for text in texts])
def test_what_a_message_wants_is_told_by_its_form(text: str, intent: Intent) -> None:
    assert intent_of(text) == intent


def test_a_question_is_answered_with_the_words_that_were_said_and_their_source() -> None:
    assert "- 24 May 2026, you: “I can't eat spicy food.” (session “monday”)" in reply("any dietary restrictions?", notes=(SPICY,))
    assert "- 2026年5月24日，你：“我不能吃辣，对花生过敏。”（会话“monday”）" in reply("我有什么忌口？", notes=(HOT,))


def test_who_said_it_is_named() -> None:
    mia, assistant, tool = note("I love hot pot.", speaker="Mia"), note("Hot pot it is.", role="assistant"), note("hot pot: 9", role="tool")
    quoted = reply("who likes hot pot?", notes=(mia, assistant, tool, note("likes hot pot", role=None, session=None)))
    assert "Mia: “I love hot pot.”" in quoted and "the assistant: “Hot pot it is.”" in quoted and "a tool: “hot pot: 9”" in quoted
    assert "likes hot pot" not in quoted  # the fourth


def test_the_best_come_first_and_the_weak_not_at_all() -> None:
    quoted = reply("hot pot?", notes=(note("weak", score=0.2), note("second", score=0.7), note("first", score=0.9)))
    assert quoted.index("first") < quoted.index("second") and "weak" not in quoted


def test_nothing_found_is_said() -> None:
    assert "nothing about that in memory" in reply("What is my dog's name?")
    assert "记忆里没有" in reply("我的狗叫什么？")
    assert "I found nothing about it" in reply("Book us a table")


def test_the_message_itself_is_no_memory() -> None:
    assert "nothing about that in memory" in reply("What can't I eat?", notes=(note("what can't I eat"), note("What should I eat?")))
    assert "“" not in reply("I can't eat spicy food", notes=(SPICY,))


def test_a_message_that_asks_and_tells_is_quoted() -> None:
    assert "violin" in reply("what does Emma play?", notes=(note("How are you? Emma plays the violin. And you?"),))
    assert "小提琴" in reply("艾玛学什么？", notes=(note("你好吗？艾玛在学小提琴。"),))


def test_its_own_answers_are_never_quoted() -> None:
    for wording, text in (("en", "any dietary restrictions?"), ("zh", "我有什么忌口？")):
        earlier = [reply(text, notes=(SPICY,)), reply("hi"), reply("I moved."), reply("我搬家了"), reply(text), reply("写诗")]
        assert "“" not in reply(text, notes=tuple(note(own, role="assistant", score=0.9) for own in earlier)).replace(NOTICE[wording], "")


def test_every_kind_of_answer_is_recognised_as_its_own() -> None:
    said = ["hi", "help", "thanks", "bye", "I moved.", "Where?", "Book it", "你好", "帮助", "谢谢", "再见", "我搬家了", "在哪？", "写诗"]
    for text in said:
        for notes in ((), (SPICY,)):
            own = reply(text, notes=notes)
            assert "nothing" in reply("and what else?", notes=(note(own, role="assistant"),)), own


def test_what_was_told_in_this_conversation_is_found_too() -> None:
    assert "earlier in this conversation, you: “My dog is called Rex.”" in reply(
        "My dog is called Rex.", "It rains.", "What is my dog's name?"
    )
    assert "本次会话中，你：“我女儿叫小雨”" in reply("我女儿叫小雨", "今天下雨", "我女儿叫什么？")
    assert "nothing" in reply("My dog is called Rex.", "What is my cat's colour?")


def test_what_the_window_put_there_was_said_by_nobody() -> None:
    trailing = words("window", "trailing", "en", weekday="Sunday", date="2026-05-24", offset="+08:00") + "\n- dog: Rex"
    request = ModelRequest(messages=[{"role": "user", "content": trailing}, {"role": "user", "content": "my dog?"}])
    assert "Rex" not in answer(request)


def test_a_statement_is_acknowledged_with_what_surely_belongs_to_it() -> None:
    assert reply("I love spicy food now!", notes=(SPICY,)).splitlines()[2].endswith("“I can't eat spicy food.” (session “monday”)")
    assert "“" not in reply("hi", "I love spicy food now!", notes=(note("I can't eat spicy food.", score=0.4),))


def test_what_it_is_is_said_once_in_the_language_of_the_person() -> None:
    assert reply("hi").endswith(NOTICE["en"]) and reply("你好").endswith(NOTICE["zh"])
    assert NOTICE["en"] not in reply("hi", "What can't I eat?")
    assert NOTICE["zh"] not in reply("hi", "我不能吃什么？")


def test_signs_without_letters_are_answered_in_the_language_before() -> None:
    assert "记下了" in reply("我养了一只猫", "🙂🙂")


def test_long_texts_are_quoted_where_they_answer() -> None:
    long = "We went far. " * 200 + "In Lisbon we ate pastel de nata. " + "It was hot. " * 200
    quoted = reply("what did we eat in Lisbon?", notes=(note(long),))
    assert "“…In Lisbon we ate pastel de nata." in quoted and len(quoted) < LONGEST_QUOTE + 600
    assert len(reply("吃什么？", notes=(note("吃" * 2_000_000),))) < 1_000


def test_parts_are_read() -> None:
    parts = [{"type": "text", "text": "What can't I eat?"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    assert "spicy" in answer(ModelRequest(messages=[{"role": "user", "content": parts}], notes=(SPICY,)))
    assert answer(ModelRequest(messages=[]))


async def test_the_pieces_make_the_answer_and_no_call_is_counted() -> None:
    for text in ("any dietary restrictions?", "我有什么忌口？"):
        request = ModelRequest(messages=[{"role": "user", "content": text}], notes=(SPICY, HOT))
        events = [event async for event in OfflineModel().stream(request)]
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == answer(request)
        last = events[-1]
        assert len(events) > 10 and isinstance(last, ModelFinished) and last.usage.calls == 0


@settings(deadline=None, max_examples=30)
@given(said=st.text(max_size=60), noted=st.text(min_size=1, max_size=60), score=st.floats(0, 1))
def test_any_text_has_an_answer(said: str, noted: str, score: float) -> None:
    assert answer(ModelRequest(messages=[{"role": "user", "content": said}], notes=(note(noted, score=score),)))


def test_what_it_says_is_made_of_notes_and_so_must_not_be_recalled() -> None:
    assert OfflineModel().echoes_memory


def test_both_languages_have_the_same_sections() -> None:
    assert sections("offline", "en").keys() == sections("offline", "zh").keys()
