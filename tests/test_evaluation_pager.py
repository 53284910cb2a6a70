"""The measures of the pager run, and what they show holds at a small size."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation import dialogue, early_fact, nested, soak
from evaluation.chatter import LANGUAGES, Chatter
from evaluation.conversations import Conversation, Question, Turn


def test_a_set_of_pairs_has_a_chain_of_each_level() -> None:
    made = nested.nest(7)
    assert len(made.pairs) == nested.PAIRS
    for level in nested.LEVELS:
        steps, value = 0, made.questions[level]
        while value in made.pairs:
            steps, value = steps + 1, made.pairs[value]
        assert steps == level + 1 and value == made.answer(level)


async def test_chains_of_every_level_are_followed_to_their_end(tmp_path: Path) -> None:
    asked = await nested.run(tmp_path, nests=1, seed=3)
    assert [one.level for one in asked if one.right] == list(nested.LEVELS)


async def test_an_endpoint_that_misbehaves_costs_no_answer_and_no_message(tmp_path: Path) -> None:
    result = await soak.run(tmp_path, turns=60, seed=5)
    assert result.answered == 60
    assert result.lost == []
    assert not result.refused
    assert len(result.faults) > 8


async def test_what_was_said_in_an_earlier_session_is_in_front_of_the_model(tmp_path: Path) -> None:
    turns = (
        Turn(id="1", session="a", time="2024-03-01T10:00:00", speaker="", text="My puppy is called Rex and loves the river."),
        Turn(id="2", session="b", time="2024-04-01T10:00:00", speaker="", text="我在杭州的一家花店工作。"),
    )
    ask = {"turns": frozenset[str](), "sessions": frozenset[str](), "category": "1"}
    questions = (
        Question(id="q1", text="What is my puppy called?", answer="Rex", **ask),
        Question(id="q2", text="我在哪里工作？", answer="杭州", **ask),
        Question(id="q3", text="What is my puppy called?", answer="Bello", **ask),
    )
    asked = await dialogue.run(Conversation(set="s", name="n", turns=turns, questions=questions), tmp_path, embedder="none")
    assert [one.share == 1.0 for one in asked] == [True, True, False]


def test_the_same_seed_gives_the_same_talk_in_both_languages() -> None:
    said = Chatter(4).said(100)
    assert said == Chatter(4).said(100)
    assert said != Chatter(5).said(100)
    chinese = [text for text in said if any("\u4e00" <= character <= "\u9fff" for character in text)]
    assert 20 < len(chinese) < 80


def test_no_talk_tells_the_answer_to_an_early_fact() -> None:
    for seed in range(20):
        talk = "\n".join(Chatter(seed).said(500)).casefold()
        assert not [fact.answer for fact in early_fact.FACTS if fact.answer in talk]


@pytest.mark.parametrize("asker", ["offline", "reader"])
async def test_a_fact_that_left_the_window_long_ago_is_found_at_the_end(tmp_path: Path, asker: early_fact.Asker) -> None:
    facts = early_fact.first_of_each_language(1)
    assert [fact.language for fact in facts] == list(LANGUAGES)
    asked = await early_fact.run(tmp_path, asker=asker, facts=facts, turns=70, embedder="none")
    assert len(asked) == 3 * len(facts)
    assert not [one.question for one in asked if one.in_window]
    assert [one.question for one in asked if one.way == "own words" and not one.found] == []
    assert max(one.tokens for one in asked) <= early_fact.WINDOW


async def test_a_fact_that_the_talk_tells_again_proves_nothing_and_is_refused(tmp_path: Path) -> None:
    told = Chatter(1_000).said(40)[30]
    fact = early_fact.Fact(language="en", said="A fact.", answer=told.casefold(), own="?", other="?", foreign="?")
    with pytest.raises(ValueError, match="stands in other messages"):
        await early_fact.run(tmp_path, asker="reader", facts=[fact], turns=41, embedder="none")
