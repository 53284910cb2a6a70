from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.dates import TimeRange
from pagefile.queries import Candidate, Candidates, CandidateTable, Population, Signals
from pagefile.retrieval.confidence import Cohort
from pagefile.retrieval.fuse import PARTS, Question, Weights, rank

NOW = datetime(2026, 5, 24, tzinfo=UTC)
OLD = NOW - timedelta(days=3000)
NEAR = Cohort(nearest=0.80, background=Population(0.76, 0.03, 24), unit=0.03)
AVERAGE = Signals(0.0, 0.78)
#: BM25 of an item that has every word of the question, in what is ranked below.
ALL_WORDS = 9.0


def turn(id: str, signals: Signals = AVERAGE, **fields: Any) -> Candidate:
    defaults = {"kind": "message", "session": "s", "seq": int(id), "role": "user", "speaker": "Ann", "time": OLD, "tokens": 20}
    covered = min(1.0, signals.words / ALL_WORDS)
    return Candidate(id=id, signals=signals, **(defaults | {"covered": covered} | fields))


class Ranked(NamedTuple):
    """A row of a ranking, easier to read than its columns."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]


def rows(found: Candidates, question: Question) -> list[Ranked]:
    ranking = rank(found, question, Weights(), NOW)
    return [Ranked(found.items[place], float(ranking.scores[place]), ranking.why(place)) for place in ranking.order.tolist()]


def ranked(*items: Candidate, question: str = "what about the dog", weight: float = 2.0, **fields: Any) -> list[Ranked]:
    words, cosines, sessions = Population(0.2, 1.0, 300), Population(0.78, 0.03, 300), Population(1.0, 2.0, 20)
    found = Candidates(table=CandidateTable.of(items), words=words, cosines=cosines, sessions=sessions)
    return rows(found, Question(text=question, weight=weight, **({"cohort": NEAR} | fields)))


def order(ranking: list[Ranked]) -> list[str]:
    return [one.candidate.id for one in ranking]


def test_nothing_found_is_ranked_as_nothing() -> None:
    assert ranked() == []


def test_words_and_meaning_both_lift_an_item() -> None:
    assert order(ranked(turn("1"), turn("5", Signals(4.0, 0.78)), turn("9", Signals(4.0, 0.90)))) == ["9", "5", "1"]


def test_a_turn_beside_a_good_one_is_lifted() -> None:
    good = Signals(5.0, 0.9)
    plain, beside = turn("1", before=AVERAGE, after=AVERAGE), turn("7", before=good, speaker="Bob")
    assert order(ranked(plain, beside))[0] == "7"


def test_a_turn_two_places_away_is_lifted_through_what_the_probe_knows() -> None:
    good = Signals(5.0, 0.9)
    near, far = turn("8", before=AVERAGE, speaker="Bob"), turn("20")
    assert order(ranked(turn("6", good), near, far)) == ["6", "8", "20"]


def test_turns_around_count_less_among_notes_of_one_voice() -> None:
    good = Signals(5.0, 0.9)

    def share(speaker: str) -> float:
        return next(one.parts["neighbours"] for one in ranked(turn("6", good), turn("7", speaker=speaker)) if one.candidate.id == "7")

    assert 0 < share("Ann") < share("Bob")


def test_neighbours_of_another_session_do_not_count() -> None:
    found = ranked(turn("6", Signals(5.0, 0.9)), turn("7", session="other"))
    assert next(one.parts["neighbours"] for one in found if one.candidate.id == "7") == 0


def test_who_is_named_is_preferred() -> None:
    assert order(ranked(turn("1", speaker="Ann"), turn("5", speaker="Bob"), question="What does Bob like?"))[0] == "5"


def test_the_session_that_speaks_of_it_is_preferred() -> None:
    assert order(ranked(turn("1"), turn("5", session="t", session_words=6.0)))[0] == "5"


def test_a_time_that_the_question_speaks_of_is_preferred() -> None:
    day = TimeRange(start=OLD, end=OLD + timedelta(days=1), text="that day", span=(0, 8), direction="past", precision="day")
    assert order(ranked(turn("5", time=OLD - timedelta(days=9)), turn("1", time=OLD), times=(day,)))[0] == "1"


def test_a_filler_of_a_conversation_gives_way_to_a_longer_turn() -> None:
    assert order(ranked(turn("1", tokens=2), turn("8", tokens=40, speaker="Bob"), turn("15", tokens=2)))[0] == "8"


def test_what_answers_a_question_is_preferred_to_the_question() -> None:
    asked, answer = turn("6", asks=True), turn("7", speaker="Bob")
    assert order(ranked(asked, answer, turn("1")))[0] == "7"
    assert order(ranked(asked, answer, turn("1")))[-1] == "6"


def test_a_note_is_no_answer_to_the_note_before_it() -> None:
    found = ranked(turn("6", asks=True), turn("7"))
    assert [one.parts["reply"] for one in found] == [0.0, 0.0]


def test_two_words_of_the_question_say_more_than_one_of_them_twice() -> None:
    twice, both = turn("1", Signals(4.0, 0.78), covered=0.5), turn("9", Signals(4.0, 0.78), covered=1.0)
    assert order(ranked(twice, both))[0] == "9"


def test_meaning_counts_more_in_a_question_as_long_as_a_dialogue() -> None:
    def share(weight: float) -> float:
        return ranked(turn("1", Signals(1.0, 0.9)), weight=weight)[0].parts["meaning"]

    assert share(60.0) > share(2.0)
    assert share(2.0) == share(5.0)


def test_the_session_of_the_best_match_by_words_is_preferred() -> None:
    good = Signals(9.0, 0.78)
    assert order(ranked(turn("1", good, session="t"), turn("8", session="t"), turn("2")))[1] == "8"


def test_a_record_stands_up_to_a_message_that_says_the_same() -> None:
    fact = turn("3", Signals(4.0, 0.9), kind="fact", session=None, seq=None, role=None)
    assert order(ranked(fact, turn("9", Signals(4.0, 0.9)), turn("20"), turn("21", speaker="Bob")))[0] == "3"


def test_one_rare_word_cannot_outvote_meaning_in_a_huge_scope() -> None:
    # In 100,000 items the only match by words is hundreds of standard deviations away.
    found = Candidates(
        table=CandidateTable.of([turn("1", Signals(11.0, 0.70)), turn("9", Signals(0.0, 0.95))]),
        words=Population(0.0001, 0.03, 100_000),
        cosines=Population(0.78, 0.03, 100_000),
    )
    best = rows(found, Question(text="dog", weight=2.0, cohort=NEAR))[0]
    assert best.candidate.id == "9"


def test_of_equal_items_the_newest_comes_first() -> None:
    assert order(ranked(turn("1", time=OLD), turn("9", time=OLD + timedelta(days=1)))) == ["9", "1"]


def test_a_query_that_is_near_to_nothing_scores_low_and_a_good_match_high() -> None:
    assert ranked(turn("1", Signals(0.0, 0.79)))[0].score < 0.1
    assert ranked(turn("1", Signals(9.0, 0.90)))[0].score > 0.6


def test_a_match_that_stands_out_is_surer_than_one_among_many_as_good() -> None:
    def best(cosine: float) -> float:
        # The same match, in a scope that is far from the question, and in one that is near to it throughout.
        found = Candidates(
            table=CandidateTable.of([turn("1", Signals(6.0, 0.92))]),
            words=Population(0.2, 1.0, 300),
            cosines=Population(cosine, 0.03, 300),
        )
        return rows(found, Question(text="dog", weight=4.0, cohort=NEAR))[0].score

    assert best(0.78) > best(0.88) + 0.05


def test_how_sure_the_best_is_changes_no_order() -> None:
    items = [turn("1", Signals(9.0, 0.95)), turn("20", Signals(3.0, 0.84)), turn("40", Signals(0.0, 0.80))]

    def found_in(documents: int) -> list[Ranked]:
        words, cosines = Population(0.2, 1.0, documents), Population(0.78, 0.03, documents)
        found = Candidates(table=CandidateTable.of(items), words=words, cosines=cosines)
        return rows(found, Question(text="dog", weight=2.0, cohort=NEAR))

    assert order(found_in(5)) == order(found_in(50)) == order(found_in(5_000)) == ["1", "20", "40"]
    assert found_in(5)[0].score != found_in(50)[0].score


def test_an_item_for_which_nothing_speaks_is_doubted_even_beside_a_good_one() -> None:
    good, idle = turn("1", Signals(9.0, 0.95)), turn("20", Signals(0.0, 0.72))
    found = ranked(good, idle)
    assert found[0].score > 0.7
    assert found[1].score < 0.1


def test_in_a_conversation_the_turn_beside_speaks_for_an_item_and_among_notes_it_does_not() -> None:
    def doubt(speaker: str) -> float:
        beside = turn("2", Signals(0.0, 0.72), before=Signals(9.0, 0.95), speaker=speaker)
        found = ranked(turn("1", Signals(9.0, 0.95)), beside)
        return next(one.parts["confidence"] for one in found if one.candidate.id == "2")

    assert doubt("Bob") > 2 * doubt("Ann")


def test_an_item_that_waits_for_its_vector_is_as_good_as_its_words() -> None:
    found = ranked(turn("1", Signals(9.0, None)), turn("9", Signals(0.0, 0.70)))
    assert found[0].candidate.id == "1"
    assert found[0].score > 0.5


def test_without_vectors_words_alone_decide() -> None:
    found = ranked(turn("1", Signals(9.0, None)), turn("9", Signals(0.0, None)), cohort=None)
    assert order(found) == ["1", "9"]
    assert found[0].score > 0.9 > 0.7 > found[1].score


def test_without_vectors_and_words_nothing_scores() -> None:
    assert [one.score for one in ranked(turn("1", Signals(0.0, None)), turn("9", Signals(0.0, None)), cohort=None)] == [0, 0]


def test_a_scope_of_one_item_finds_it_by_its_words() -> None:
    rarity = math.log(1 + 20.5 / 1.5)
    found = Candidates(
        table=CandidateTable.of((turn("1", Signals(2 * rarity, 0.84)),)), words=Population(2 * rarity, 0, 1), cosines=Population(0.84, 0, 1)
    )
    assert rows(found, Question(text="dog", weight=2.0, cohort=NEAR))[0].score > 0.3


def test_every_score_says_what_it_is_made_of() -> None:
    found = ranked(turn("1", Signals(3.0, 0.85)))[0]
    assert tuple(found.parts) == PARTS
    assert found.parts["confidence"] > 0


signals = st.builds(Signals, st.floats(0, 30), st.none() | st.floats(-1, 1))
turns = st.builds(
    lambda seq, own, before, after, session, tokens, speaker, kind: turn(
        str(seq),
        own,
        before=before,
        after=after,
        session=session,
        tokens=tokens,
        speaker=speaker,
        kind=kind,
        seq=seq if kind == "message" else None,
    ),
    st.integers(1, 60),
    signals,
    st.none() | signals,
    st.none() | signals,
    st.sampled_from(["a", "b"]),
    st.integers(0, 10**6),
    st.sampled_from([None, "Ann", "张三"]),
    st.sampled_from(["message", "fact"]),
)
populations = st.builds(Population, st.floats(0, 1), st.floats(0, 5), st.integers(0, 10**6))


@given(st.lists(turns, max_size=30, unique_by=lambda item: item.id), populations, populations, st.booleans())
def test_every_candidate_is_ranked_once_by_a_score_from_0_to_1(
    items: list[Candidate], words: Population, cosines: Population, with_vector: bool
) -> None:
    found = Candidates(table=CandidateTable.of(items), words=words, cosines=cosines, sessions=words)
    ranking = rows(found, Question(text="Ann 张三", weight=3.0, cohort=NEAR if with_vector else None))
    assert sorted(order(ranking)) == sorted(item.id for item in items)
    scores = [one.score for one in ranking]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
