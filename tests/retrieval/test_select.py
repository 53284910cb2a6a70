from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from pagefile.language.dates import TimeRange, find_times
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Record
from pagefile.retrieval.people import ME, People
from pagefile.retrieval.select import FEW, MANY, Asked, select
from pagefile.testing.fakes import START, make_record, numbered_id

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def said(text: str, *, day: int = 1, speaker: str | None = None, session: str = "monday", tokens: int = 8, role: str = "user") -> Message:
    at = datetime(2026, 5, day, 12, tzinfo=UTC)
    return Message(
        id=numbered_id(day), session=session, seq=day, role=role, text=text, said_at=at, recorded_at=at, tokens=tokens, speaker=speaker,
    )  # type: ignore[arg-type]  # fmt: skip


def fact(subject: str, attribute: str, text: str, **fields: object) -> Record:
    return make_record(text, subject=subject, attribute=attribute, **fields)


def shown(question: str, *found: tuple[Item, float], documents: int = 10, floor: float = 0.15) -> list[str]:
    times = [time for time in find_times(question, reference=NOW, prefer="past") if isinstance(time, TimeRange)]
    return [found[place][0].text for place in select(Asked.of(question, times), found, documents=documents, floor=floor)]


BROTHERS = (
    ("My favourite player is Messi.", "My brother's favourite player is Ronaldo."),
    ("我最喜欢的球员是梅西。", "我哥哥最喜欢的球员是C罗。"),
)


@pytest.mark.parametrize(
    ("mine", "his", "about_me", "about_him"),
    [
        (*BROTHERS[0], "Who is my favourite player?", "Who is my brother's favourite player?"),
        (*BROTHERS[1], "我最喜欢的球员是谁？", "我哥哥最喜欢的球员是谁？"),
    ],
)
@pytest.mark.parametrize("documents", [10, 100_000])
def test_a_fact_about_somebody_else_does_not_come_along(mine: str, his: str, about_me: str, about_him: str, documents: int) -> None:
    own, others = fact(ME, "favourite player", mine), fact("user's brother", "favourite player", his)
    assert shown(about_me, (own, 0.96), (others, 0.9), documents=documents) == [mine]
    assert shown(about_him, (others, 0.96), (own, 0.9), documents=documents) == [his]


@pytest.mark.parametrize(
    ("introduced", "lives", "mine", "question"),
    [
        ("My sister Clara is allergic to nuts.", "Clara lives in Leeds.", "I live in Bristol.", "Where does my sister live?"),
        ("我妹妹小雨对花生过敏。", "小雨住在成都。", "我住在杭州。", "我妹妹住在哪里？"),
    ],
)
def test_a_relation_and_the_name_it_was_introduced_with_are_one_person(introduced: str, lives: str, mine: str, question: str) -> None:
    name = "Clara" if "Clara" in lives else "小雨"
    found = (
        (make_record(introduced), 0.7),
        (fact(name, "residence", lives), 0.6),
        (fact(ME, "residence", mine), 0.6),
    )
    assert shown(question, *found) == [lives]


def test_a_name_that_nobody_introduced_may_be_the_sister_that_is_asked_about() -> None:
    assert shown("Where does my sister live?", (fact("Clara", "residence", "Clara lives in Leeds."), 0.6)) == ["Clara lives in Leeds."]


def test_in_a_small_talk_each_speaks_of_himself() -> None:
    ann, own = said("My budget is 900 euros.", speaker="Ann"), said("My budget is 400 pounds.", day=2)
    assert shown("What is my budget?", (ann, 0.9), (own, 0.8)) == [own.text]
    assert shown("What is Ann's budget?", (ann, 0.9), (own, 0.8)) == [ann.text]


def test_in_a_long_talk_the_others_speak_of_whom_is_asked_about_too() -> None:
    ann = said("Ben told me that he is moving to Oslo, how exciting. What do you think of it?", speaker="Ann", tokens=60)
    ben = said("Well, it was not easy to decide. But the job is good, and I like snow.", day=2, speaker="Ben", tokens=60)
    assert len(shown("Where is Ben moving to?", (ann, 0.6), (ben, 0.4), documents=MANY)) == 2


def test_who_speaks_under_the_users_own_name_is_the_user() -> None:
    own = said("I live in Bristol.", speaker="Alice")
    other = said("I live in Leeds.", day=2, speaker="Ann")
    asked = Asked.of("Where do I live?", owner=("alice",))
    assert select(asked, [(own, 0.9), (other, 0.9)], documents=10) == [0]


@pytest.mark.parametrize("question", ["Where do I live?", "Where does Alice live?", "What is Alice's city?"])
def test_a_program_may_write_of_the_user_by_name(question: str) -> None:
    own = fact("Alice", "residence", "Alice lives in Paris.")
    assert select(Asked.of(question, owner=("alice",)), [(own, 0.9)], documents=10) == [0]
    assert shown("Where do I live?", (own, 0.9)) == [own.text]
    assert shown("Where do I live?", (own, 0.9), (fact(ME, "residence", "I live in Rome."), 0.9)) == ["I live in Rome."]


def test_the_only_voice_there_is_is_the_users_own() -> None:
    people = People.of("Where do I live?", [said("I live in Bristol.", speaker="Alice")])
    assert people.about(said("I live in Bristol.", speaker="Alice")) == {ME}


@pytest.mark.parametrize(
    ("question", "answer", "near"),
    [
        ("When does my passport expire?", "My passport expires in March 2027.", "My driving licence expires in 2031."),
        ("我的护照什么时候到期？", "我的护照2027年3月到期。", "我的驾照2031年到期。"),
    ],
)
def test_a_near_topic_does_not_come_with_an_exact_answer(question: str, answer: str, near: str) -> None:
    assert shown(question, (make_record(answer), 0.95), (make_record(near), 0.65)) == [answer]
    assert shown(question, (said(answer), 0.95), (said(near, day=2), 0.65), documents=FEW) == [answer]


@pytest.mark.parametrize(
    ("question", "likes"),
    [("What do I like?", ("I like sushi.", "I like jazz.")), ("我喜欢什么？", ("我喜欢吃寿司。", "我喜欢听爵士乐。"))],
)
def test_a_broad_question_keeps_all_that_answers_it(question: str, likes: Sequence[str]) -> None:
    found = [(fact(ME, "likes", text), score) for text, score in zip(likes, (0.9, 0.7), strict=True)]
    assert shown(question, *found) == [*likes]


def test_nothing_of_a_long_conversation_is_cut() -> None:
    turns = [
        (said(f"I went to see it on day {day}. It was great! And then we talked for hours.", day=day, tokens=60), 0.7 - 0.02 * day)
        for day in range(1, 21)
    ]
    assert len(shown("What did I go to see?", *turns, documents=MANY)) == 20
    assert len(shown("What did I go to see?", *turns, documents=20)) == 20


def test_the_same_question_asked_before_is_no_answer() -> None:
    question = "Which port does the server run on?"
    assert shown(question, (said(question), 0.6), (said("The server runs on port 8443.", day=2), 0.6)) == ["The server runs on port 8443."]


def test_a_long_text_that_is_searched_for_has_everything_in_no_item() -> None:
    text = "Yesterday the boiler broke, the plumber came late, the kitchen flooded, my neighbour complained, insurance pays nothing."
    notes = [(make_record("The boiler is from 2009."), 0.9), (make_record("The neighbour is called Kim."), 0.3)]
    assert len(shown(text, *notes)) == 2


# --- time and change -----------------------------------------------------------------------------------------------------


def moved(old: str, new: str) -> tuple[Record, Record]:
    began, ended = datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)
    return (
        fact(ME, "residence", old, status="superseded", valid_from=began, valid_to=ended),
        fact(ME, "residence", new, valid_from=ended),
    )


MOVES = (("I live in York.", "I live in Bristol."), ("我住在武汉。", "我住在杭州。"))


@pytest.mark.parametrize(("lines", "question"), [(MOVES[0], "Where did I live before?"), (MOVES[1], "我以前住哪里？")])
def test_what_is_over_comes_first_when_the_past_is_asked_for(lines: tuple[str, str], question: str) -> None:
    old, new = moved(*lines)
    assert shown(question, (new, 0.9), (old, 0.8))[0] == old.text


@pytest.mark.parametrize(
    ("lines", "question", "place"),
    [
        (MOVES[0], "Where did I live in 2024?", 0),
        (MOVES[1], "2024年我住哪？", 0),
        (MOVES[0], "Where did I live in March 2026?", 1),
        (MOVES[1], "2026年3月我住哪？", 1),
    ],
)
def test_a_question_that_names_a_time_gets_what_held_then(lines: tuple[str, str], question: str, place: int) -> None:
    old, new = moved(*lines)
    assert shown(question, (new, 0.9), (old, 0.8)) == [lines[place]]


CLIMBS = (
    ("I went climbing at the new hall.", "Climbing again, my fingers hurt.", "Climbing with Tom was fun."),
    ("今晚我去新的场馆攀岩了。", "又去攀岩了，手指好疼。", "今晚和老陈攀岩，特别开心。"),
)


@pytest.mark.parametrize(
    ("lines", "question", "order"),
    [
        (CLIMBS[0], "When did I go climbing for the first time?", (0, 1, 2)),
        (CLIMBS[1], "我第一次去攀岩是什么时候？", (0, 1, 2)),
        (CLIMBS[0], "When did I last go climbing?", (2, 1, 0)),
        (CLIMBS[1], "我最近一次攀岩是什么时候？", (2, 1, 0)),
    ],
)
def test_the_first_and_the_last_time_come_first(lines: Sequence[str], question: str, order: Sequence[int]) -> None:
    found = [(said(text, day=day), score) for text, day, score in zip(lines, (3, 9, 20), (0.5, 0.6, 0.4), strict=True)]
    assert shown(question, *found) == [lines[place] for place in order]


@pytest.mark.parametrize(("lines", "question"), [(CLIMBS[0], "How often did I go climbing?"), (CLIMBS[1], "我去攀岩过几次？")])
def test_how_often_something_was_brings_all_the_times_and_each_day_once_in_front(lines: Sequence[str], question: str) -> None:
    found = [(said(text, day=day), score) for text, day, score in zip(lines, (3, 3, 20), (0.6, 0.5, 0.4), strict=True)]
    cooked = (said("I cooked soup." if lines[0].isascii() else "我煮了汤。", day=5), 0.3)
    assert shown(question, *found, cooked) == [lines[0], lines[2], lines[1]]


JOURNEY = (
    ("We arrived in Vienna.", "We visited the museum in Vienna.", "We had cake in Vienna.", "We heard a concert in Vienna."),
    ("我们到了南京。", "我们在南京参观了博物馆。", "我们在南京吃了汤包。", "我们在南京听了音乐会。"),
)


@pytest.mark.parametrize(
    ("lines", "question", "first"),
    [
        (JOURNEY[0], "What did we do in Vienna after the museum?", [2, 3]),
        (JOURNEY[1], "我们在南京参观完博物馆之后做了什么？", [2, 3]),
        (JOURNEY[0], "What did we do in Vienna before the concert?", [2, 1, 0]),
        (JOURNEY[1], "在南京听音乐会之前我们做了什么？", [2, 1, 0]),
    ],
)
def test_what_was_after_or_before_something_comes_nearest_first(lines: Sequence[str], question: str, first: list[int]) -> None:
    anchor = 1 if "museum" in question or "博物馆" in question else 3
    found = [(said(text, day=day), 0.9 if day - 1 == anchor else 0.5) for day, text in enumerate(lines, 1)]
    found.sort(key=lambda one: -one[1])
    assert shown(question, *found)[: len(first)] == [lines[place] for place in first]


def test_what_it_came_after_must_be_there() -> None:
    found = ((said("We arrived in Vienna."), 0.5), (said("We had cake in Vienna.", day=2), 0.1))
    assert shown("What did we do in Vienna after the opera?", *found) == ["We arrived in Vienna."]


def test_nothing_found_leaves_nothing() -> None:
    assert shown("Where do I live?") == []
    assert shown("?!", (make_record("I live in York."), 0.9)) == ["I live in York."]


def test_the_time_of_a_record_without_its_own_is_when_it_was_learnt() -> None:
    early = make_record("I like chess.", learned_at=START)
    late = make_record("I like chess and go.", learned_at=NOW)
    assert shown("What did I like first?", (late, 0.9), (early, 0.8))[0] == early.text
