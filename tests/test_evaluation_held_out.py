"""Questions whose evidence is missing, conversations that are held out, and what the library is compared with."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from evaluation import abstention
from evaluation.abstention import Doubt, evidence, without
from evaluation.baselines import FusedRanks, Meaning, Words
from evaluation.chart import Bar, Panel, svg
from evaluation.compared import setting
from evaluation.conversations import Conversation, Question, Turn
from evaluation.folds import folds
from evaluation.systems import Note, note_of, within
from evaluation.vectors import SharedEmbedder
from pagefile.embedders.hashing import HashingEmbedder

TEXTS = (
    "My puppy is called Rex.",
    "What a lovely name!",
    "The train to Oslo leaves at nine.",
    "我对花生过敏，不能吃。",
    "周末我们去爬山吧。",
    "My sister plays the violin.",
)


def turn(place: int, text: str) -> Turn:
    return Turn(id=str(place), session="ab"[place > 3], time=f"2024-03-0{place}T10:00:00", speaker="Ann", text=text)


def question(id: str, text: str, *turns: str, **more: object) -> Question:
    given = Question(id=id, text=text, turns=frozenset(turns), sessions=frozenset(), category="1")
    return replace(given, **more)  # type: ignore[arg-type]


def conversation(name: str = "ann", *, set: str = "small", questions: tuple[Question, ...] = ()) -> Conversation:
    turns = tuple(turn(place, text) for place, text in enumerate(TEXTS, 1))
    return Conversation(set=set, name=name, turns=turns, questions=questions, language="en")


# --- evidence that is missing ------------------------------------------------------------------------------------------


def test_evidence_is_the_turns_of_the_key_or_of_its_sessions() -> None:
    whole = conversation()
    assert evidence(question("q", "?", "2", sessions=frozenset("b")), whole) == {"2"}
    assert evidence(question("q", "?", sessions=frozenset("b")), whole) == {"4", "5", "6"}
    assert evidence(question("q", "?", "2"), whole, "sessions") == {"1", "2", "3"}
    assert not evidence(question("q", "?"), whole)


def test_questions_are_asked_after_the_same_turns_when_some_are_missing() -> None:
    whole = conversation(questions=(question("q", "?", before=3), question("r", "?", before=1), question("s", "?")))
    left = without(whole, {"1", "4"})
    assert [one.id for one in left.turns] == ["2", "3", "5", "6"]
    assert [one.before for one in left.questions] == [2, 0, None]


async def test_a_question_whose_evidence_is_gone_scores_less_and_finds_nothing() -> None:
    asked = conversation(
        questions=(
            question("q1", "Rex puppy", "1"),
            question("q2", "花生过敏", "4"),
            question("q3", "violin sister", "6"),
            question("q4", "puppy called Rex", "1", category="5"),
            question("q5", "no key"),
        )
    )
    doubts = await abstention.run(asked, [setting("pagefile:learn=off"), setting("bm25")], embedder="none", groups=2)
    assert [one.question for one in doubts[:4]] == ["q1", "q3", "q2", "q4"]
    assert all(one.known > one.unknown for one in doubts)
    assert all(one.answered_known and not one.answered_unknown for one in doubts[:4])
    # The first group misses turns 1 and 6, the second 1 and 4.
    assert {one.left_out for one in doubts} == {1 - 4 / 6}
    assert {one.question: one.sharing for one in doubts[:4]} == {"q1": 1, "q3": 0, "q2": 0, "q4": 1}


async def test_sessions_are_taken_out_one_after_the_other() -> None:
    keys = ("1", "4", "2", "6")
    asked = conversation(questions=tuple(question(f"q{turn}", TEXTS[int(turn) - 1], turn) for turn in keys))
    doubts = await abstention.run(asked, [setting("bm25")], missing="sessions", embedder="none", groups=2)
    assert [(one.question, one.left_out) for one in doubts] == [("q1", 0.5), ("q2", 0.5), ("q4", 0.5), ("q6", 0.5)]


async def test_the_questions_of_one_conversation_may_be_asked_of_another() -> None:
    asked = conversation(questions=(question("q1", "Rex puppy", "1", before=1),))
    other = replace(asked, name="bob", turns=(turn(1, "The train to Oslo leaves at nine."),), questions=())
    (met,) = await abstention.run(asked, [setting("bm25")], missing="conversation", other=other, embedder="none")
    assert met.known > 0 == met.unknown
    assert (met.answered_known, met.answered_unknown, met.left_out) == (True, False, 1)
    assert await abstention.run(asked, [setting("bm25")], missing="conversation", embedder="none") == []


def doubt(known: float, unknown: float, *, answered: tuple[bool, bool] = (True, False), category: str = "1") -> Doubt:
    return Doubt(
        setting="pagefile",
        missing="turns",
        set="small",
        language="en",
        category=category,
        conversation="ann",
        question="q",
        known=known,
        unknown=unknown,
        answered_known=answered[0],
        answered_unknown=answered[1],
        left_out=0.25,
        sharing=0,
    )


def test_the_table_of_abstention_has_exact_figures() -> None:
    doubts = [doubt(0.9, 0.2), doubt(0.4, 0.4, answered=(True, True)), doubt(0.1, 0.0, answered=(False, False))]
    # Pairs in the right order: 0.9 all three; 0.4 two and one equal; 0.1 one. 6.5 of 9.
    (sheet,) = abstention.sheets(doubts)
    assert len(sheet.rows) == 1
    row = dict(zip(sheet.columns, sheet.rows[0], strict=False))
    assert row["AUROC [95 %]"].startswith("0.722 [")
    assert (row["same question"], row["answered"], row["precision"]) == ("0.833", "0.667", "0.667")
    assert math.isnan(abstention.precision([doubt(0, 0, answered=(False, False))]))


# --- what is held out --------------------------------------------------------------------------------------------------


def test_every_conversation_is_shown_once_and_never_fitted_on_then() -> None:
    given = [conversation(name) for name in "abcde"]
    made = folds(given, 3)
    assert [[one.name for one in fold.shown] for fold in made] == [["a", "d"], ["b", "e"], ["c"]]
    for fold in made:
        assert {one.name for one in fold.fit} == set("abcde") - {one.name for one in fold.shown}
        assert fold.label("small") == "small, held-out conversations"


def test_of_a_set_with_one_conversation_questions_are_held_out_and_it_says_so() -> None:
    questions = tuple(question(f"q{place}", "?", "1") for place in range(5))
    english, chinese = (conversation(name, set=name, questions=questions) for name in ("en", "zh"))
    made = folds([english, chinese, conversation("a"), conversation("b")], 2)
    shown = [{(one.set, question.id) for one in fold.shown for question in one.questions} for fold in made]
    assert shown[0] == {(name, id) for name in ("en", "zh") for id in ("q0", "q2", "q4")}
    assert shown[1] == {(name, id) for name in ("en", "zh") for id in ("q1", "q3")}
    assert made[0].label("en") == "en, held-out questions"
    assert [one.name for one in made[0].fit] == ["en", "b", "zh"]
    for fold in made:
        seen = {(one.name, question.id) for one in fold.fit for question in one.questions}
        assert not seen & {(one.name, question.id) for one in fold.shown for question in one.questions}


def test_more_folds_than_conversations_leave_one_out() -> None:
    assert [[one.name for one in fold.shown] for fold in folds([conversation("a"), conversation("b")], 5)] == [["a"], ["b"]]
    with pytest.raises(ValueError, match="at least 2"):
        folds([], 1)


# --- what the library is compared with ---------------------------------------------------------------------------------


async def test_words_are_ranked_by_bm25() -> None:
    words = Words()
    await words.add([turn(1, "red apple"), turn(2, "blue stone"), turn(3, "green apple")])
    found = await words.ask("red", limit=10)
    assert found.turns == ("1",)
    # ln(1 + 2.5 / 1.5), once, in a text of mean length.
    assert found.best_score == pytest.approx(math.log(1 + 2.5 / 1.5))
    assert (await words.ask("apple", limit=10)).turns == ("1", "3")
    assert (await words.ask("apple", limit=1)).turns == ("1",)
    assert (await words.ask("violin", limit=10)).best_score is None


async def test_words_find_chinese_and_the_date() -> None:
    words = Words()
    await words.add([turn(place, text) for place, text in enumerate(TEXTS, 1)])
    assert (await words.ask("对什么过敏？", limit=1)).turns == ("4",)
    assert (await words.ask("3月5日", limit=1)).turns == ("5",)


async def test_ranks_of_words_and_vectors_are_fused_with_equal_weight() -> None:
    fused, dense = FusedRanks(HashingEmbedder()), Meaning(HashingEmbedder())
    given = [turn(place, text) for place, text in enumerate(TEXTS, 1)]
    await fused.add(given)
    await dense.add(given)
    found = await fused.ask("violin", limit=10)
    assert found.turns[0] == "6" and found.best_score == pytest.approx(2 / 61)
    assert len(found.notes) == len((await dense.ask("violin", limit=10)).notes) == len(TEXTS)


def test_notes_that_do_not_fit_are_passed_over_for_smaller_ones() -> None:
    notes = [note_of(turn(1, text)) for text in ("one two", "one two three four five six", "seven")]
    assert [note.text for note in within(notes, 4)] == ["one two", "seven"]


def test_who_said_it_stands_before_a_note() -> None:
    note = note_of(turn(1, "Hi"))
    assert note.said == "Ann: Hi"
    assert Note(turns=(), text="Hi", speaker="", time=note.time).said == "Hi"


async def test_no_vector_is_made_twice() -> None:
    shared = SharedEmbedder(HashingEmbedder())
    await shared.embed(["a", "b", "a"])
    await shared.embed(["b", "c"])
    assert shared.made == 3
    await shared.embed(["a"], query=True)
    assert shared.made == 4


def test_a_chart_draws_each_bar_as_long_as_its_share() -> None:
    bars = (Bar(value=0.5, interval=(0.25, 0.75)),)
    drawn = svg([Panel(title="a < b", measures=("recall@10",), rows=(("pagefile", bars),))])
    assert 'width="220"' in drawn and "0.500 [0.250, 0.750]" in drawn
    titles = [each.text for each in ElementTree.fromstring(drawn) if each.tag.endswith("text")]
    assert titles[0] == "a < b"
