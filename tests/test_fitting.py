from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from evaluation.conversations import Conversation, Question, Turn
from evaluation.fitting import FITTED, Example, examples, fit, held_out, measured, signals, values_of, weights_of
from evaluation.folds import folds
from pagefile.queries import Candidate, Candidates, CandidateTable, Population, Signals
from pagefile.retrieval.fuse import PARTS, Weights, rank
from pagefile.retrieval.fuse import Question as Asked

NOW = datetime(2026, 5, 24, tzinfo=UTC)
RANDOM = np.random.default_rng(0)


def example(number: int, *, telling: int) -> Example:
    """A question whose answer is the candidate with the most of one signal."""
    columns = RANDOM.standard_normal((12, len(FITTED)))
    best = int(columns[:, telling].argmax())
    turns = [frozenset({f"t{place}"}) for place in range(12)]
    return Example(f"c{number % 4}", f"q{number}", columns, np.arange(12) == best, turns, turns[best])


def test_the_signal_that_tells_is_given_the_weight() -> None:
    values = fit([example(number, telling=3) for number in range(60)])
    assert int(values.argmax()) == 3
    assert values[3] > 3 * np.abs(np.delete(values, 3)).max()
    assert measured([example(number, telling=3) for number in range(60, 80)], values)["recall@10"] == 1.0


def test_of_questions_that_have_no_answer_nothing_is_learnt() -> None:
    lost = replace(example(0, telling=1), answers=np.zeros(12, dtype=np.bool_))
    assert fit([lost]).tolist() == [0.0] * len(FITTED)
    assert fit([]).tolist() == [0.0] * len(FITTED)


def test_weights_and_their_values_are_each_others_other_side() -> None:
    values = list(np.arange(len(FITTED)) / 10)
    assert values_of(weights_of(values)).tolist() == pytest.approx(values)
    assert weights_of(values).record == Weights().record


def test_the_signals_times_the_weights_are_the_rank() -> None:
    turns = [
        Candidate(
            id=str(place), kind="message", signals=Signals(float(place % 3), 0.8), session="s", seq=place + 1, role="user",
            speaker=("Ann", "Bob")[place % 2], time=NOW, tokens=5 * place + 1, covered=place / 8, asks=place % 3 == 0, session_words=2.0,
        )
        for place in range(8)
    ]  # fmt: skip
    found = Candidates(
        table=CandidateTable.of(turns), words=Population(0.5, 1.0, 40), cosines=Population(0.7, 0.1, 40), sessions=Population(1.0, 1.0, 5)
    )
    asked = Asked(text="What did Ann say?", weight=2.0)
    weights = replace(Weights(), words_limit=100.0)
    summed = rank(found, asked, weights, NOW).parts[: len(PARTS) - 2].sum(axis=0)
    assert signals(found, asked, NOW) @ values_of(weights) == pytest.approx(summed)


def test_what_is_shown_was_not_fitted_to() -> None:
    given = [example(number, telling=2) for number in range(40)]
    conversations = [
        Conversation(
            set="made", name=f"c{place}", turns=(),
            questions=tuple(
                Question(id=each.question, text="", turns=each.key, sessions=frozenset(), category="")
                for each in given
                if each.conversation == f"c{place}"
            ),
        )
        for place in range(4)
    ]  # fmt: skip
    shown, final = held_out(given, folds(conversations, 4))
    assert sorted(one.question for _, questions, _ in shown for one in questions) == sorted(one.question for one in given)
    for fold, questions, values in shown:
        assert {one.conversation for one in questions} == {one.name for one in fold.shown}
        rest = [one for one in given if one.conversation in {each.name for each in fold.fit}]
        assert values.tolist() == pytest.approx(fit(rest).tolist(), abs=1e-6)
    assert int(final.argmax()) == 2


async def test_examples_are_made_of_what_a_search_would_rank() -> None:
    lines = [("Ann", "What do you do on Sundays?"), ("Bob", "I bake bread with rye."), ("Ann", "我在杭州租了房子。")]
    turns = tuple(
        Turn(id=f"t{place}", session="one", time=f"2026-05-0{place + 1}", speaker=who, text=text) for place, (who, text) in enumerate(lines)
    )
    questions = tuple(
        Question(id=key, text=text, turns=frozenset({key}), sessions=frozenset(), category="")
        for key, text in (("t1", "What does Bob bake?"), ("t2", "杭州的房子"))
    )
    made = await examples(Conversation(set="made", name="c", turns=turns, questions=questions), None)
    assert [(one.question, one.key) for one in made] == [("t1", frozenset({"t1"})), ("t2", frozenset({"t2"}))]
    for one in made:
        assert one.signals.shape == (len(one.turns), len(FITTED))
        # A record that was learnt from the turn stands for it too.
        assert {turns for turns, answers in zip(one.turns, one.answers, strict=True) if answers} == {one.key}
