from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation import report, retrieval
from evaluation.__main__ import app
from evaluation.compared import setting, settings_of, together
from evaluation.conversations import Conversation, DataError, read
from evaluation.retrieval import Answer, Run
from evaluation.tables import Sheet

CONTENT = {
    "set": "small",
    "conversation": "ann-bob",
    "language": "en",
    "turns": [
        {"id": "1", "session": "a", "time": "2024-03-01T10:00:00", "speaker": "Ann", "text": "My puppy is called Rex."},
        {"id": "2", "session": "a", "time": "2024-03-01T10:01:00", "speaker": "Bob", "text": "What a lovely name!"},
        {"id": "3", "session": "b", "time": "2024-04-01", "speaker": "", "text": "我对花生过敏"},
        {"id": "4", "session": "b", "time": "2024-04-01", "speaker": "Ann", "text": ""},
    ],
    "questions": [
        {"id": "q1", "question": "花生", "answer": "过敏", "evidence": ["3"], "evidence_sessions": ["b"], "category": "2", "before": None},
        {
            "id": "q2",
            "question": "Who is called Rex?",
            "answer": "Ann's puppy, since March 2023",
            "evidence": ["1"],
            "evidence_sessions": [],
            "category": "1",
            "before": 2,
        },
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


async def run(
    conversation: Conversation, *written: str, level: retrieval.Choice = "both", embedder: str = "none", most: int | None = None
) -> list[Run]:
    settings = settings_of(written, baselines=False, ablate=False)
    return await retrieval.run(conversation, settings, embedder=embedder, level=level, most_questions=most)


def answer(ranking: list[str], key: set[str], **changes: object) -> Answer:
    given = Answer(
        setting="pagefile",
        set="small",
        conversation="ann-bob",
        question="q1",
        category="1",
        level="turn",
        ranking=tuple(ranking),
        key=frozenset(key),
        notes=len(ranking),
        best_score=0.5,
        seconds=0.01,
    )
    return replace(given, **changes)  # type: ignore[arg-type]


# --- asking ------------------------------------------------------------------------------------------------------------


async def test_questions_are_judged_at_each_level_they_have_a_key_for(conversation: Conversation) -> None:
    (one,) = await run(conversation)
    levels = [(answer.question, answer.level) for answer in one.answers]
    assert levels == [("q2", "turn"), ("q3", "session"), ("q1", "turn"), ("q1", "session")]
    assert one.without_key == 1
    assert all(answer.ranking[0] in answer.key for answer in one.answers)


async def test_a_question_is_asked_before_later_turns_are_said(conversation: Conversation) -> None:
    (one,) = await run(conversation)
    assert [answer.question for answer in one.answers if answer.level == "turn"] == ["q2", "q1"]
    assert set(one.answers[0].ranking) <= {"1", "2"}


async def test_nothing_is_left_out_in_silence(conversation: Conversation) -> None:
    (one,) = await run(conversation, level="session", most=2)
    assert [answer.question for answer in one.answers] == ["q1"]
    assert one.without_key == 1
    assert one.refused in {0, 1}


async def test_the_same_input_gives_the_same_answers(conversation: Conversation) -> None:
    (first,), (second,) = [await run(conversation, embedder="hashing") for _ in range(2)]
    assert [(one.ranking, one.best_score) for one in first.answers] == [(one.ranking, one.best_score) for one in second.answers]


async def test_every_system_answers_the_same_questions(conversation: Conversation) -> None:
    names = ("pagefile", "ranking", "bm25", "dense", "rrf", "pagefile:embedder=none,floor=0,learn=off", "ranking:preset=fast")
    runs = await run(conversation, *names, embedder="hashing")
    assert [one.setting for one in runs] == list(names)
    assert len({tuple((answer.question, answer.level) for answer in one.answers) for one in runs}) == 1
    best = {one.setting: [answer.ranking[0] for answer in one.answers if answer.level == "turn"] for one in runs}
    assert all(turns == ["1", "3"] for turns in best.values()), best


async def test_what_holds_the_answer_is_looked_for_in_the_notes_with_their_dates(conversation: Conversation) -> None:
    (one,) = await run(conversation, "bm25")
    contained = {answer.question: answer.contained for answer in one.answers}
    # "ann", "puppi" and "march" stand there, "sinc" and "2023" do not.
    assert contained["q2"] == pytest.approx(3 / 5)
    assert contained["q1"] == 1
    assert contained["q3"] is None


# --- what is compared --------------------------------------------------------------------------------------------------


def test_a_setting_is_read_from_text() -> None:
    read_setting = setting("ranking:embedder=none,session=0.5,before=0.3/0.1,record=2")
    assert (read_setting.kind, read_setting.opening) == ("ranking", {"embedder": "none"})
    weights = read_setting.weights
    assert weights is not None
    assert (weights.session, weights.before, weights.record) == (0.5, (0.3, 0.1), 2)
    assert setting("pagefile:floor=0,preset=fast").search == {"floor": 0.0, "preset": "fast"}


@pytest.mark.parametrize(
    "text",
    [
        "mem",
        "ranking:loudness=1",
        "ranking:without=luck",
        "pagefile:floor=low",
        "pagefile:preset=slow",
        "pagefile:floor",
        "pagefile:session=0",
        "",
    ],
)
def test_a_setting_that_is_none_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(DataError, match=r"there (is|are) |is no number|has no value|has weights"):
        setting(text)


def test_ablations_switch_off_one_signal_at_a_time() -> None:
    chosen = settings_of([], baselines=True, ablate=True)
    assert [one.name for one in chosen[:5]] == ["pagefile", "bm25", "dense", "rrf", "ranking"]
    without = {one.name: one.weights for one in chosen[5:]}
    assert {"ranking:without=words", "ranking:without=neighbours", "ranking:without=length"} <= without.keys()
    assert without["ranking:without=neighbours"] != without["ranking:without=words"]
    assert len({str(weights) for weights in without.values()}) == len(without)


def test_settings_that_keep_the_same_ask_one_memory() -> None:
    written = ("pagefile", "bm25", "ranking:without=words", "ranking:embedder=none", "dense", "pagefile:floor=0")
    groups = together([setting(text) for text in written])
    assert [[one.name for one in group] for group in groups] == [
        ["pagefile", "ranking:without=words", "pagefile:floor=0"],
        ["bm25"],
        ["ranking:embedder=none"],
        ["dense"],
    ]


async def test_dense_without_an_embedder_is_refused(conversation: Conversation) -> None:
    with pytest.raises(DataError, match="embedder"):
        await run(conversation, "dense")


# --- tables ------------------------------------------------------------------------------------------------------------


def test_measures_are_means_over_the_questions() -> None:
    measures = report.measured([answer(["a"], {"a", "b"}), answer(["x", "b", "c"], {"b"})])
    assert measures["recall@5"] == pytest.approx(0.75)
    assert measures["all@5"] == pytest.approx(0.5)
    assert measures["hit@10"] == 1
    assert measures["MRR"] == pytest.approx(0.75)


def test_settings_are_compared_with_the_first_question_by_question() -> None:
    first = [answer(["a"], {"a"}), answer(["x"], {"b"}), answer(["c"], {"c"})]
    second = [answer(["x", "a"], {"a"}), answer(["b"], {"b"}), answer(["c"], {"c"})]
    sheet = report.sure("t", {"one": first, "two": second}, seed=0)
    assert sheet.rows[0][:5] == ("one", "", "0.667 [0.000, 1.000]", "", "")
    assert sheet.rows[1][1] == "one"
    assert sheet.rows[1][3].startswith("+0.333 [")
    # recall@10: one question more. nDCG@10: that one, and one which stands lower.
    assert (sheet.rows[1][4], sheet.rows[1][7]) == ("1 / 0", "1 / 1")


def test_a_setting_with_options_is_compared_with_its_kind_without() -> None:
    names = ["pagefile", "bm25", "ranking", "ranking:without=words", "dense:embedder=local"]
    assert [report.against(name, names) for name in names] == [None, "pagefile", "pagefile", "ranking", "pagefile"]


def test_a_table_is_written_as_markdown_too() -> None:
    sheet = Sheet(title="of|two", columns=("name", "n"), rows=(("a|b", "1"),))
    assert sheet.markdown() == "**of\\|two**\n\n| name | n |\n| --- | ---: |\n| a\\|b | 1 |"


# --- the command -------------------------------------------------------------------------------------------------------


def test_the_command_prints_tables_and_writes_files(file: Path, tmp_path: Path) -> None:
    out, questions, written = tmp_path / "out.json", tmp_path / "questions.jsonl", tmp_path / "report.md"
    arguments = [
        "retrieval",
        str(file),
        "--embedder",
        "hashing",
        "--baselines",
        "--abstention",
        "turns",
        "--vectors",
        str(tmp_path / "kept"),
    ]
    result = CliRunner().invoke(app, [*arguments, "--json", str(out), "--questions", str(questions), "--report", str(written)])
    assert result.exit_code == 0, result.output
    for expected in ("small, turn level", "small, session level", "nDCG@10", "category 1", "no key", "AUROC"):
        assert expected in result.output
    means = json.loads(out.read_text(encoding="utf-8"))
    assert means["settings"]["pagefile"]["small"]["turn"]["measures"]["recall@10"] == 1.0
    assert means["abstention"]["turns"]["bm25"]["small"]["questions"] == 3
    lines = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if "level" in line]) == 4 * 4
    assert len([line for line in lines if "unknown" in line]) == 4 * 3
    assert "report.svg" in written.read_text(encoding="utf-8")
    assert (tmp_path / "report.svg").read_text(encoding="utf-8").startswith("<svg")
    assert list((tmp_path / "kept").iterdir())


def test_two_runs_are_compared_by_their_files(file: Path, tmp_path: Path) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    CliRunner().invoke(app, ["retrieval", str(file), "--embedder", "none", "--compare", "bm25", "--questions", str(before)])
    lines = [json.loads(line) for line in before.read_text(encoding="utf-8").splitlines()]
    changed = {**lines[0], "ranking": ["x", *lines[0]["ranking"]], "recall@10": 1.0, "nDCG@10": 0.631}
    after.write_text("\n".join(map(json.dumps, [changed, *lines[1:-1]])), encoding="utf-8")
    result = CliRunner().invoke(app, ["changes", str(before), str(after)])
    assert result.exit_code == 0, result.output
    assert "1 answers are in one file alone" in result.output
    assert "-0.369  bm25, q2, turn: Who is called Rex?  [1 → 2]" in result.output
    assert "0 / 1" in result.output and "bm25, small, session" in result.output
    assert CliRunner().invoke(app, ["changes", str(before), str(file)]).exit_code == 2


def test_vectors_are_kept_for_the_next_run(file: Path, tmp_path: Path) -> None:
    arguments = ["retrieval", str(file), "--embedder", "hashing", "--compare", "dense", "--vectors", str(tmp_path)]
    first, second = (CliRunner().invoke(app, [*arguments, "--json", str(tmp_path / name)]) for name in ("1.json", "2.json"))
    assert (first.exit_code, second.exit_code) == (0, 0)
    means = [json.loads((tmp_path / name).read_text(encoding="utf-8"))["settings"] for name in ("1.json", "2.json")]
    assert means[0] == means[1]


def test_settings_that_cannot_be_compared_are_refused(file: Path) -> None:
    result = CliRunner().invoke(app, ["retrieval", str(file), "--compare", "mem"])
    assert result.exit_code == 2
    assert CliRunner().invoke(app, ["retrieval", str(file), "--level", "word"]).exit_code == 2
    assert CliRunner().invoke(app, ["retrieval", str(file), "--abstention", "luck"]).exit_code == 2
    assert CliRunner().invoke(app, ["retrieval", str(file), "--embedder", "magic"]).exit_code == 2


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
