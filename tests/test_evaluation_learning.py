from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluation import dates, extraction, learning, learning_report
from evaluation import learning_measures as measures
from evaluation.__main__ import app
from evaluation.conversations import Conversation, DataError, Question, Turn
from evaluation.learning_extractor import KeyModel, reply
from evaluation.learning_measures import Asked, Counts, judge, says
from evaluation.learning_scripts import Ask, Pattern, Said, Script, Sitting, read_scripts
from pagefile import Hit, Record, Trust
from pagefile.ports import ModelRequest
from pagefile.testing.fakes import START, make_record

SCRIPTS = read_scripts()
named = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)


def pattern(attribute: str, value: str, said: str | None = None, **fields: object) -> Pattern:
    defaults: dict[str, object] = {"subject": ("user",), "attribute": (attribute,), "value": (value,), "polarity": "positive", "said": said}
    return Pattern(**(defaults | fields))  # type: ignore[arg-type]


def fact(attribute: str, value: str, **fields: object) -> Record:
    return make_record(
        str(fields.pop("text", f"{attribute} {value}")), **{"subject": "user", "attribute": attribute, "value": value, **fields}
    )


MOVE = Script(
    name="move",
    language="en",
    category="home",
    half="development",
    sessions=(
        Sitting(session="a", at=START, turns=(Said(role="user", text="I live in Denver. So tired today!"),)),
        Sitting(session="b", at=START, turns=(Said(role="user", text="I live in Austin now."), Said(role="assistant", text="Nice!"))),
    ),
    facts=(pattern("residence", "Austin", "I live in Austin now", on="2026-05-24"),),
    gone=(pattern("residence", "Denver", "I live in Denver"),),
    optional=(pattern("*", "boxes"),),
    noise=("tired",),
    questions=(Ask(ask="Where do I live?", answer=("Austin",), old=("Denver",)),),
)


def hit(text: str) -> Hit:
    return Hit(
        id=text, kind="message", text=text, score=0.5, time=START, session="a", speaker=None, role="user", sources=(),
        trust=Trust.USER_SAID, tokens=4,
    )  # fmt: skip


# --- the set -------------------------------------------------------------------------------------------------------------


def test_there_are_eighty_conversations_of_each_language_in_equal_halves() -> None:
    names = [script.name for script in SCRIPTS]
    assert len(set(names)) == len(names)
    for language in ("en", "zh"):
        ours = [script for script in SCRIPTS if script.language == language]
        assert len(ours) >= 80
        for category in {script.category for script in ours}:
            halves = Counter(script.half for script in ours if script.category == category)
            assert halves["development"] == halves["held-out"]


@named
def test_what_a_key_says_stands_in_the_conversation(script: Script) -> None:
    users = [turn.text for sitting in script.sessions for turn in sitting.turns if turn.role == "user"]
    everything = "\n".join(turn.text for sitting in script.sessions for turn in sitting.turns)
    for one in (*script.facts, *script.gone):
        for quote in filter(None, (one.said, one.ended)):
            assert any(quote in text for text in users), quote
    for one in script.facts:
        assert one.said
        assert any(measures.fold(value) in measures.fold(one.said) for value in one.value), one
    assert all(measures.fold(word) in measures.fold(everything) for word in script.noise)
    for ask in script.questions:
        assert any(measures.answers(text, ask) for text in users), ask.ask
        assert all(word in everything for word in ask.old)


@named
def test_the_key_of_a_script_agrees_with_itself(script: Script) -> None:
    records = [
        fact(one.attribute[0].replace("*", "x"), one.value[0].removeprefix("="), subject=one.subject[0],
             polarity="negative" if one.polarity == "negative" else "positive", text=one.said or "", valid_from=_day(one))
        for one in script.facts
    ]  # fmt: skip
    judged = judge(script, records)
    assert judged.missed == ()
    assert judged.false == ()
    assert judged.left == ()
    assert judged.dated == judged.dated_right


def _day(one: Pattern) -> datetime | None:
    return datetime.fromisoformat(one.on).replace(tzinfo=ZoneInfo("UTC")) if one.on else None


def test_language_and_half_choose_scripts(tmp_path: Path) -> None:
    chosen = read_scripts(language="zh", half="held-out")
    assert chosen
    assert {(script.language, script.half) for script in chosen} == {("zh", "held-out")}
    with pytest.raises(DataError, match=r"no \.json"):
        read_scripts(tmp_path)
    (tmp_path / "broken.json").write_text("[{}]")
    with pytest.raises(DataError, match="broken"):
        read_scripts(tmp_path)


# --- measures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (fact("residence", "Austin, Texas"), True),
        (fact("Residence", "AUSTIN"), True),
        (fact("residence", "Austin", subject="Tom"), False),
        (fact("hometown", "Austin"), False),
        (fact("residence", "Austin", polarity="negative"), False),
        (fact("residence", "Boston"), False),
        (make_record("I live in Austin"), False),
    ],
)
def test_a_record_says_a_fact_by_subject_attribute_value_and_polarity(record: Record, expected: bool) -> None:
    assert says(record, MOVE.facts[0]) is expected


def test_names_may_go_on_and_values_may_be_exact() -> None:
    assert says(fact("favorite colour", "teal"), pattern("favourite *", "teal"))
    assert not says(fact("colour", "teal"), pattern("favourite *", "teal"))
    assert says(fact("occupation", "律师"), pattern("occupation", "=律师"))
    assert not says(fact("occupation", "律师助理"), pattern("occupation", "=律师"))
    assert says(fact("constraint", "AWS", polarity="negative"), pattern("constraint", "*", polarity="either"))


def test_records_are_told_apart() -> None:
    new, again, old = fact("residence", "Austin"), fact("residence", "Austin, TX"), fact("residence", "Denver")
    tired, boxes, unknown = fact("note", "x", text="so tired"), fact("owns", "boxes"), fact("pet", "Rex")
    judged = judge(MOVE, [new, again, old, tired, boxes, unknown, make_record("tired", kind="summary")])
    assert (judged.right, judged.twice, judged.optional) == ((new,), (again,), (boxes,))
    assert judged.false == (old, tired, unknown)
    assert (judged.found, judged.missed) == (MOVE.facts, ())
    assert (judged.noise, judged.left) == (("tired",), MOVE.gone)


def test_a_date_is_right_in_the_words_or_in_the_beginning() -> None:
    assert measures.has_day(fact("plan", "Rome", valid_from=START), "2026-05-24")
    assert measures.has_day(fact("plan", "Rome", text="to Rome tomorrow (2026-05-24)"), "2026-05-24")
    assert not measures.has_day(fact("plan", "Rome"), "2026-05-24")


def test_the_four_measures_of_a_conversation() -> None:
    asked = Asked(ask=MOVE.questions[0], hits=(hit("I live in Denver."), hit("I live in Austin now.")), reply="In Austin.")
    counts = measures.count(MOVE, judge(MOVE, [fact("residence", "Austin")]), [asked])
    assert (measures.precision(counts), measures.recall(counts), measures.f_score(counts)) == (1, 1, 1)
    assert (measures.hit_rate(counts), measures.use_rate(counts), measures.noise_rate(counts)) == (1, 1, 0)
    # The record is gone, but the search still shows the old words.
    assert measures.forgetting_rate(counts) == 0.5
    assert measures.date_rate(counts) == 0


def test_an_answer_that_tells_of_the_change_is_not_outdated() -> None:
    ask = MOVE.questions[0]
    assert measures.outdated("I live in Denver", ask)
    assert not measures.outdated("I moved from Denver to Austin", ask)


def test_nothing_learnt_is_no_precision_and_no_recall() -> None:
    counts = measures.count(MOVE, judge(MOVE, []), [])
    assert math.isnan(measures.precision(counts))
    assert (measures.recall(counts), measures.f_score(counts)) == (0, 0)
    assert math.isnan(measures.f_score(Counts()))


small = st.integers(0, 50)


@given(small, small, small, small)
def test_shares_lie_between_0_and_1_and_counts_add_up(found: int, missed: int, right: int, false: int) -> None:
    counts = Counts(facts=found + missed, found=found, right=right, false=false)
    twice = counts + counts
    for measure in (measures.precision, measures.recall, measures.f_score):
        value, again = measure(counts), measure(twice)
        assert math.isnan(value) or 0 <= value <= 1
        assert (math.isnan(value) and math.isnan(again)) or value == pytest.approx(again)
    assert twice.facts == 2 * counts.facts


# --- the scripted model --------------------------------------------------------------------------------------------------


def extraction_prompt(*lines: str) -> ModelRequest:
    return ModelRequest(messages=[{"role": "user", "content": "\n".join(["The conversation:", *lines])}], schema={"type": "object"})


def test_the_scripted_model_gives_the_facts_whose_words_it_is_shown() -> None:
    request = extraction_prompt("[1] (earlier) user (2026-05-24): I live in Denver.", "[2] user (2026-05-24): I live in Austin now.")
    (only,) = json.loads(reply(MOVE, request, noisy=False))["facts"]
    assert (only["line"], only["quote"], only["value"], only["polarity"]) == (2, "I live in Austin now", "Austin", "positive")


def test_its_noise_is_not_in_the_key() -> None:
    request = extraction_prompt("[1] user (2026-05-24): So tired today!", "[2] assistant (2026-05-24)：Nice!")
    text = reply(MOVE, request, noisy=True)
    facts = json.loads(text[text.index("{") : text.rindex("}") + 1])["facts"]
    assert {one["quote"] for one in facts} == {"I own a castle", "tired", "Nice!"}
    assert [one["certainty"] for one in facts if one["quote"] == "tired"] == ["passing"]


def test_it_chats_as_the_offline_model_does() -> None:
    async def said() -> str:
        request = ModelRequest(messages=[{"role": "user", "content": "hello"}])
        return "".join([getattr(event, "text", "") async for event in KeyModel(MOVE).stream(request)])

    assert asyncio.run(said())


# --- the runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extractor", ["rules", "scripted"])
def test_a_script_is_played_and_judged(extractor: learning.Extractor) -> None:
    run = asyncio.run(learning.run(MOVE, extractor=extractor))
    assert [record.value for record in run.judged.right] == ["Austin"]
    assert run.counts.noise_kept == 0
    assert run.judged.left == ()
    assert run.counts.hits == 1


def test_the_report_names_what_went_wrong() -> None:
    judged = judge(MOVE, [fact("residence", "Denver"), fact("note", "x", text="so tired")])
    asked = (Asked(ask=MOVE.questions[0], hits=(hit("I live in Denver."),), reply=""),)
    run = learning.Run(script=MOVE, judged=judged, asked=asked, counts=measures.count(MOVE, judged, asked), seconds=0.1)
    lines = "\n".join(learning_report.details(run))
    for expected in ("missed  user · residence · + Austin", "false   user · residence", "noise   tired", "stays", "no hit", "old hit"):
        assert expected in lines
    written = learning_report.as_json([run])
    assert json.loads(json.dumps(written, allow_nan=False)) == written


def test_the_command_prints_tables_and_writes_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.__main__.read_scripts", lambda **options: [MOVE])
    out = tmp_path / "out.json"
    result = CliRunner().invoke(app, ["learning", "--verbose", "--json", str(out)])
    assert result.exit_code == 0, result.output
    for expected in ("learning by rules", "learning by scripted", "precision", "forgotten", "home", "all"):
        assert expected in result.output
    assert json.loads(out.read_text(encoding="utf-8"))["rules"]["measures"]["recall"] == 1


@pytest.mark.parametrize("option", ["--language", "--half", "--extractor"])
def test_a_choice_that_is_not_there_is_refused(option: str) -> None:
    assert CliRunner().invoke(app, ["learning", option, "fr"]).exit_code == 2


# --- dates ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("zone", dates.ZONES)
def test_time_expressions_are_read_as_a_person_takes_them(language: str, zone: str) -> None:
    readings = [dates.read(expression, zone) for expression in dates.expressions(language)]
    assert len({(one.expression.text, one.expression.reference) for one in readings}) >= 150
    assert sum(one.right for one in readings) >= 0.97 * len(readings), dates.failures(readings)


def test_a_written_range_is_of_the_zone_and_minutes_are_absolute() -> None:
    after_the_change = datetime(2026, 3, 8, 12, tzinfo=ZoneInfo("America/New_York"))
    start, end = dates.expected_range("2026-03-08", after_the_change)
    assert start is not None
    assert end is not None
    assert end.astimezone(ZoneInfo("UTC")) - start.astimezone(ZoneInfo("UTC")) == (datetime(2026, 1, 1, 23) - datetime(2026, 1, 1))
    begin, _ = dates.expected_range("-720m/-660m", after_the_change)
    assert begin == datetime(2026, 3, 8, 4, tzinfo=ZoneInfo("UTC"))
    assert dates.expected_range("../2026-03-08", after_the_change)[0] is None


def test_a_wrong_reading_is_told_with_its_zones() -> None:
    wrong = replace(next(dates.expressions("en")), expected="1999-01-01")
    readings = [dates.read(wrong, zone) for zone in dates.ZONES]
    (line,) = dates.failures(readings)
    assert all(zone in line for zone in dates.ZONES)


# --- given conversations -------------------------------------------------------------------------------------------------

CHAT = Conversation(
    set="small",
    name="chat",
    turns=(
        Turn(id="1", session="a", time="2024-03-01", speaker="User", text="I live in Austin."),
        Turn(id="2", session="a", time="2024-03-01", speaker="Assistant", text="Nice."),
        Turn(id="3", session="b", time="2024-03-09", speaker="User", text="What is the weather like?"),
    ),
    questions=(Question(id="q", text="?", turns=frozenset({"1"}), sessions=frozenset({"b"}), category="1", before=None),),
)


def test_what_was_learnt_is_counted() -> None:
    said = datetime(2024, 3, 1, tzinfo=ZoneInfo("UTC"))
    records = (
        fact("residence", "Austin", session="a", said_at=said, valid_from=said),
        fact("residence", "austin.", session="a", said_at=said, valid_from=said),
        fact("plan", "Rome", session="c", text="Rome (2024-04-01)", said_at=said),
        fact("visited", "Oslo", said_at=said, valid_from=datetime(2024, 2, 1, tzinfo=ZoneInfo("UTC"))),
    )
    learnt = extraction.Learnt(conversation=CHAT, turns=2, records=records, seconds=0.0)
    assert (learnt.per_hundred, learnt.dated, learnt.duplicates, learnt.evidence) == (200, 0.5, 1, 0.5)


def test_a_given_conversation_is_learnt_from() -> None:
    learnt = asyncio.run(extraction.run(CHAT))
    assert learnt.turns == 2
    assert [(record.subject, record.value) for record in learnt.records] == [("user", "Austin")]
    assert learnt.sessions == {"a"}


def test_missing_data_is_skipped(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["extraction", str(tmp_path / "nowhere")])
    assert result.exit_code == 0
    assert "skipped" in result.output
