"""The benchmarks run and print their tables, and their measures are right. Nothing here asserts how fast anything is."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from benchmarks.__main__ import BENCHMARKS, main, rendered, run, shown
from benchmarks.measure import Samples, Setting, Table, at_least, at_most, interleaved, percentile
from benchmarks.slow_model import SlowModel
from benchmarks.statements import statements, talk
from benchmarks.texts import LANGUAGES, Language, Writer
from benchmarks.vectors import MadeVectors, VectorSpace
from pagefile.events import TextDelta
from pagefile.lifecycle.rules import find_claims
from pagefile.lifecycle.screen import screen
from pagefile.messages import Message
from pagefile.ports import ModelFinished, ModelRequest

SMALLEST = 0.001
#: These start processes, which takes seconds whatever the size.
SLOW = ("start", "memory")


def paper() -> Console:
    return Console(file=io.StringIO(), width=140)


@pytest.fixture(scope="module")
def small() -> tuple[str, dict[str, Table]]:
    """What was printed, and the tables by title, of every benchmark but the slow ones."""
    console = paper()
    tables = run([name for name in BENCHMARKS if name not in SLOW], console, scale=SMALLEST, embedder="hashing")
    return console.file.getvalue(), {table.title: table for table in tables}  # type: ignore[attr-defined]  # a StringIO


def test_every_benchmark_but_the_slow_ones_runs_small_and_prints_its_tables(small: tuple[str, dict[str, Table]]) -> None:
    printed, tables = small
    assert "cores" in printed and "load" in printed
    for title, table in tables.items():
        assert title in printed
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)


@pytest.mark.parametrize(
    ("title", "column"),
    [("learn: what a model is asked", "target"), ("learn: what a model is asked", "at any size"), ("learn: notes in the prompt", "target")],
)
def test_promises_that_are_not_about_time_are_kept_at_any_size(small: tuple[str, dict[str, Table]], title: str, column: str) -> None:
    verdicts = cells(small[1][title], column)
    assert any("met" in verdict for verdict in verdicts)
    assert not any("missed" in verdict for verdict in verdicts)


def test_what_a_benchmark_erases_was_there_and_is_not_found_again(small: tuple[str, dict[str, Table]]) -> None:
    (found,) = (cell for cell in cells(small[1]["erase"], "found") if cell)
    before, after = found.split(" → ")
    assert int(before.replace(",", "")) > 0
    assert after == "0"


def cells(table: Table, column: str) -> list[str]:
    place = table.columns.index(column)
    return [str(row[place] or "") for row in table.rows]


def test_fresh_processes_are_measured_and_the_tables_are_written_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tables.json"
    main(["start", "--scale", str(SMALLEST), "--embedder", "hashing", "--json", str(file)])
    (table,) = json.loads(file.read_text(encoding="utf-8"))
    assert table["title"] == "start"
    assert "import pagefile" in capsys.readouterr().out


def test_an_unknown_name_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serach"])
    assert "search" in capsys.readouterr().err


def test_an_embedder_without_vectors_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["search", "--embedder", "none"])
    assert "makes no vectors" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([7.0], 0.95, 7.0), ([1.0, 2.0], 0.5, 1.5), ([4.0, 1.0, 3.0, 2.0], 0.0, 1.0), ([float(n) for n in range(101)], 0.95, 95.0)],
)
def test_a_percentile_is_interpolated_between_neighbours(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_agrees_with_numpy(values: list[float], share: float) -> None:
    assert percentile(values, share) == pytest.approx(np.quantile(values, share), rel=1e-9, abs=1e-6)


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


def test_samples_tell_their_median_and_95th_percentile() -> None:
    samples = Samples(tuple(float(n) for n in range(101)))
    assert (samples.p50, samples.p95) == (50.0, 95.0)


async def test_interleaved_calls_take_turns_after_their_warm_up() -> None:
    made: list[str] = []

    def call(name: str):  # type: ignore[no-untyped-def]  # a coroutine function
        async def one() -> None:
            made.append(name)

        return one

    samples = await interleaved({"a": [call("a1"), call("a2"), call("a3")], "b": [call("b1"), call("b2")]}, warm_up=1)
    assert made == ["a1", "b1", "a1", "b1", "a2", "b2", "a3"]
    assert {name: len(each.values) for name, each in samples.items()} == {"a": 3, "b": 2}


def test_a_target_says_whether_it_is_met() -> None:
    assert at_most(3, 2.9, " ms") == "≤ 3 ms: met"
    assert at_most(3, 3.1) == "≤ 3: missed"
    assert at_least(1_000, 1_000) == "≥ 1,000: met"
    assert at_least(0.99, 0.98) == "≥ 0.99: missed"


def test_sizes_scale_down_to_the_least_and_no_further(tmp_path: Path) -> None:
    assert Setting(tmp_path).size(2_000) == 2_000
    assert Setting(tmp_path, scale=0.05).size(2_000, least=10) == 100
    assert Setting(tmp_path, scale=0.0001).size(2_000, least=10) == 10


@pytest.mark.parametrize(("cell", "expected"), [(None, ""), ("x", "x"), (12_345.6, "12,346"), (12.34, "12.3"), (1.234, "1.23"), (7, "7")])
def test_cells_are_short_numbers(cell: str | float | None, expected: str) -> None:
    assert shown(cell) == expected


def test_a_table_prints_text_with_brackets_as_it_is() -> None:
    console = paper()
    console.print(rendered(Table("title", ("a", "b"), (("[red]x", 1.0),), "note [1]")))
    printed = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "[red]x" in printed
    assert "note [1]" in printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_writer_writes_the_same_again_with_frequent_and_rare_words(language: str) -> None:
    first, again = (Writer(language, 1).messages(2_000) for _ in range(2))  # type: ignore[arg-type]  # a literal
    assert first == again
    assert Writer(language, 2).messages(5) != first[:5]  # type: ignore[arg-type]
    lengths = sorted(map(len, first))
    assert lengths[-1] > 4 * lengths[len(lengths) // 2]
    assert len(set(first)) > 1_900


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_read_what_a_benchmark_has_people_state(language: Language) -> None:
    def claims(texts: list[str]) -> int:
        at = datetime(2026, 1, 5, tzinfo=UTC)
        said = [
            Message(id=str(seq), session="talk", seq=seq, role="user", text=text, said_at=at, recorded_at=at, tokens=1)
            for seq, text in enumerate(texts, 1)
        ]
        return len(find_claims(screen(said, owner=(), zone=UTC)))

    stated = statements(language, 60)
    assert len(set(stated)) == 60
    assert claims(stated) > 45
    assert [text for place, text in enumerate(talk(language, 300)) if place % 5 == 0] == stated
    assert claims(Writer(language, 1).messages(200)) < 10


async def test_a_slow_model_finds_nothing_and_knows_how_long_its_prompts_were() -> None:
    model = SlowModel()
    said = [event async for event in model.stream(ModelRequest(messages=[{"role": "user", "content": "Who am I?"}]))]
    assert isinstance(said[0], TextDelta)
    assert json.loads(said[0].text) == {"facts": []}
    assert isinstance(said[-1], ModelFinished)
    assert len(model.prompts) == 1 and model.prompts[0] > 4
    assert not model.answering.is_set()


def test_words_follow_zipf() -> None:
    text = " ".join(Writer("en", 1).messages(5_000)).lower().replace(",", "").replace(".", "").split()
    counts = sorted((text.count(word) for word in ("the", "work", "remembered")), reverse=True)
    assert counts == [text.count(word) for word in ("the", "work", "remembered")]
    assert counts[0] > 10 * counts[1]


def test_made_vectors_have_length_one_and_lie_in_clusters() -> None:
    vectors = VectorSpace(64, clusters=5).draw(200)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    cosines = vectors @ vectors.T
    assert 0.5 < np.median(cosines) < 0.9
    assert np.sort(cosines, axis=1)[:, -10].min() > np.median(cosines)


async def test_a_made_embedder_gives_one_text_one_vector() -> None:
    embedder = MadeVectors("made", VectorSpace(16, clusters=2))
    first, other, again = await embedder.embed(["a", "b", "a"])
    assert first.tolist() == again.tolist() != other.tolist()
    assert await embedder.dimension() == 16
