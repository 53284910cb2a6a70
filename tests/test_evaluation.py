from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluation import metrics, report, retrieval
from evaluation.__main__ import app
from evaluation.conversations import Conversation, DataError, read

CONTENT = {
    "set": "small",
    "conversation": "ann-bob",
    "turns": [
        {"id": "1", "session": "a", "time": "2024-03-01T10:00:00", "speaker": "Ann", "text": "My puppy is called Rex."},
        {"id": "2", "session": "a", "time": "2024-03-01T10:01:00", "speaker": "Bob", "text": "What a lovely name!"},
        {"id": "3", "session": "b", "time": "2024-04-01", "speaker": "", "text": "我对花生过敏"},
        {"id": "4", "session": "b", "time": "2024-04-01", "speaker": "Ann", "text": ""},
    ],
    "questions": [
        {"id": "q1", "question": "花生", "evidence": ["3"], "evidence_sessions": ["b"], "category": "2", "before": None},
        {"id": "q2", "question": "Who is called Rex?", "evidence": ["1"], "evidence_sessions": [], "category": "1", "before": 2},
        {"id": "q3", "question": "puppy Rex", "evidence": [], "evidence_sessions": ["a"], "category": "1", "before": 2},
        {"id": "q4", "question": "unanswerable", "evidence": [], "evidence_sessions": [], "category": "5", "before": None},
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ann-bob.json"
    path.write_text(json.dumps(CONTENT, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def conversation(file: Path) -> Conversation:
    return read([file])[0]


def test_recall_counts_the_share_of_the_key_among_the_first() -> None:
    assert metrics.recall(["a", "x", "b"], {"a", "b"}, 2) == 0.5
    assert metrics.recall([], {"a"}, 10) == 0


def test_all_and_hit_ask_for_the_whole_key_and_for_any_of_it() -> None:
    assert (metrics.found_all(["a", "x"], {"a", "b"}, 2), metrics.hit(["a", "x"], {"a", "b"}, 2)) == (0, 1)
    assert metrics.found_all(["b", "a"], {"a", "b"}, 2) == 1


def test_ndcg_is_1_for_the_key_first_and_falls_with_its_place() -> None:
    assert metrics.ndcg(["a", "b", "x"], {"a", "b"}, 10) == pytest.approx(1)
    assert metrics.ndcg(["x", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))
    assert metrics.ndcg(["x"], {"a"}, 10) == 0
    assert metrics.ndcg(["a", "a"], {"a"}, 10) == pytest.approx(1)


def test_reciprocal_rank_is_one_over_the_first_place() -> None:
    assert metrics.reciprocal_rank(["x", "a", "b"], {"a", "b"}) == 0.5
    assert metrics.reciprocal_rank(["x"], {"a"}) == 0


def test_percentile_is_one_of_the_values() -> None:
    assert metrics.percentile([4, 1, 3, 2], 0.5) == 2
    assert metrics.percentile([4, 1, 3, 2], 0.95) == 4
    assert math.isnan(metrics.percentile([], 0.5))
    assert math.isnan(metrics.mean([]))


ids = st.text("abcdefgh", min_size=1, max_size=1)


@given(st.lists(ids, unique=True), st.sets(ids, min_size=1), st.integers(1, 12))
def test_every_measure_lies_between_0_and_1(ranking: list[str], key: set[str], k: int) -> None:
    for measure in (metrics.recall, metrics.hit, metrics.found_all, metrics.ndcg):
        assert 0 <= measure(ranking, key, k) <= 1 + 1e-9
    assert metrics.found_all(ranking, key, k) <= metrics.recall(ranking, key, k) <= metrics.hit(ranking, key, k)


def test_questions_are_judged_at_the_level_of_their_key(conversation: Conversation) -> None:
    run = retrieval.run(conversation, embedder="none")
    assert {answer.question: answer.level for answer in run.answers} == {"q1": "turn", "q2": "turn", "q3": "session"}
    assert run.without_key == 1
    assert all(answer.ranking[0] in answer.key for answer in run.answers)


def test_a_question_is_asked_before_later_turns_are_said(conversation: Conversation) -> None:
    run = retrieval.run(conversation, embedder="none")
    assert [answer.question for answer in run.answers] == ["q2", "q3", "q1"]
    assert set(run.answers[0].ranking) <= {"1", "2"}


def test_nothing_is_left_out_in_silence(conversation: Conversation) -> None:
    run = retrieval.run(conversation, embedder="none", level="session", most_questions=2)
    assert [answer.question for answer in run.answers] == ["q1"]
    assert run.without_key == 1
    assert run.refused in {0, 1}


def test_the_same_input_gives_the_same_answers(conversation: Conversation) -> None:
    first, second = (retrieval.run(conversation, embedder="hashing") for _ in range(2))
    assert [(one.ranking, one.best_score) for one in first.answers] == [(one.ranking, one.best_score) for one in second.answers]


def test_the_command_prints_tables_and_writes_json(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = CliRunner().invoke(app, ["retrieval", str(file.parent / "ann-bob.json"), "--embedder", "none", "--json", str(out)])
    assert result.exit_code == 0, result.output
    for expected in ("small", "recall@10", "nDCG@10", "category 1", "ann-bob", "no key", "p95 ms"):
        assert expected in result.output
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written["small"]["measures"]["recall@10"] == 1.0
    assert len(written["small"]["conversations"]["ann-bob"]["answers"]) == 3


def test_sets_are_reported_apart(conversation: Conversation) -> None:
    run = retrieval.run(conversation, embedder="none")
    assert list(report.by_set([run])) == ["small"]
    assert report.measured(run.answers)["MRR"] == 1.0


@pytest.mark.parametrize("content", ["", "[]", '{"set": "x"}', '{"set": 1, "conversation": "c", "turns": [{}], "questions": []}'])
def test_a_file_that_is_no_conversation_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "broken.json").write_text(content)
    with pytest.raises(DataError, match=r"broken\.json"):
        read([tmp_path])


def test_an_empty_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no \.json files"):
        read([tmp_path])
    with pytest.raises(DataError, match="missing"):
        read([tmp_path / "missing.json"])


def test_a_wrong_level_is_refused(file: Path) -> None:
    assert CliRunner().invoke(app, ["retrieval", str(file), "--level", "word"]).exit_code == 2
