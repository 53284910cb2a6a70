from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.lifecycle.forget import ForgetSettings, matching, plan_tidy, strength
from pagefile.queries import Hit
from pagefile.records import Record, Trust
from pagefile.testing.fakes import START, make_record, numbered_id

DAY = timedelta(days=1)


def aged(days: float, text: str = "I like tea", **fields: Any) -> Record:
    """A record that was learnt so many days before START."""
    return make_record(text, learned_at=START - days * DAY, **fields)


def retired(*records: Record, now: datetime = START, **options: Any) -> dict[str, str]:
    return {one.id: one.reason for one in plan_tidy(records, now=now, **options).retire}


# --- strength ------------------------------------------------------------------------------------------------------------


def test_half_of_the_strength_is_left_after_the_half_life() -> None:
    settings = ForgetSettings(half_life_days=10)
    fresh, old = (strength(aged(days), now=START, settings=settings) for days in (0, 10))
    assert old == pytest.approx(fresh / 2)


def test_a_pinned_record_has_all_of_its_strength_for_ever() -> None:
    assert strength(aged(10_000, pinned=True, importance=0.0), now=START) == 1.0


def test_what_the_user_confirmed_never_decays() -> None:
    fresh, old = (strength(aged(days, trust=Trust.USER_CONFIRMED), now=START) for days in (0, 10_000))
    assert fresh == old


@pytest.mark.parametrize(
    "stronger",
    [
        {"importance": 0.9},
        {"evidence_count": 3},
        {"use_count": 3},
        {"last_used_at": START - DAY},
        {"said_at": START - DAY},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_matters_or_is_used_is_stronger(stronger: dict[str, Any]) -> None:
    plain = aged(60)
    assert strength(replace(plain, **stronger), now=START) > strength(plain, now=START)


records = st.builds(
    aged,
    st.floats(-100, 3_000),
    importance=st.floats(0, 1),
    evidence_count=st.integers(1, 50),
    use_count=st.integers(0, 1_000),
    pinned=st.booleans(),
    status=st.sampled_from(["current", "pending", "superseded", "retired"]),
    trust=st.sampled_from(list(Trust)),
    expires_at=st.sampled_from([None, START - DAY, START, START + DAY]),
    last_used_at=st.sampled_from([None, START - DAY, START - 200 * DAY]),
)


@given(records, st.floats(0, 1_000))
def test_strength_lies_between_0_and_1_and_never_grows_by_itself(record: Record, days: float) -> None:
    now, later = strength(record, now=START), strength(record, now=START + days * DAY)
    assert 0 <= later <= now <= 1


# --- tidying -------------------------------------------------------------------------------------------------------------


def test_what_expired_is_put_away_and_the_reason_says_when() -> None:
    over, now, later = (aged(1, expires_at=START + hours * timedelta(hours=1)) for hours in (-24, 0, 24))
    assert retired(over, now, later) == {over.id: "it expired on 2026-05-23", now.id: "it expired on 2026-05-24"}


def test_a_doubtful_remark_waits_for_30_days() -> None:
    waiting, old = aged(29, status="pending"), aged(30, status="pending")
    assert retired(waiting, old) == {old.id: "nothing confirmed it within 30 days"}


def test_a_doubtful_remark_waits_from_when_it_was_last_said() -> None:
    assert not retired(aged(300, status="pending", said_at=START - 2 * DAY))


@pytest.mark.parametrize(
    ("fields", "goes"),
    [
        ({"importance": 0.2}, True),
        ({"importance": 0.5}, False),
        ({"importance": 0.2, "last_used_at": START - 10 * DAY}, False),
        ({"importance": 0.2, "said_at": START - 10 * DAY}, False),
        ({"importance": 0.2, "valid_from": START + 100 * DAY}, False),
        ({"importance": 0.2, "valid_to": START - 10 * DAY}, False),
        ({"importance": 0.2, "trust": Trust.USER_CONFIRMED}, False),
        ({"importance": 0.2, "pinned": True}, False),
    ],
    ids=["matters little", "matters", "used", "said again", "a plan ahead", "just over", "confirmed", "pinned"],
)
def test_what_matters_little_and_nobody_used_for_90_days_is_put_away(fields: dict[str, Any], goes: bool) -> None:
    assert bool(retired(aged(91, **fields))) is goes
    assert not retired(aged(89, **fields))


def test_above_the_capacity_the_weakest_go() -> None:
    weak, strong, used = aged(50, importance=0.5), aged(50, importance=0.9), aged(50, importance=0.5, use_count=9)
    assert list(retired(weak, strong, used, capacity=2)) == [weak.id]
    assert list(retired(weak, strong, used, settings=ForgetSettings(capacity=1))) == [weak.id, strong.id]


def test_what_is_not_believed_goes_before_what_is() -> None:
    doubtful, believed = aged(1, status="pending", importance=0.9), aged(80, importance=0.5)
    assert list(retired(doubtful, believed, capacity=1)) == [doubtful.id]


def test_what_must_stay_is_told_where_it_is_over_the_capacity() -> None:
    pinned, confirmed, other = aged(1, pinned=True), aged(1, trust=Trust.USER_CONFIRMED), aged(1)
    tidy = plan_tidy([pinned, confirmed, other], now=START, capacity=1)
    assert [one.id for one in tidy.retire] == [other.id]
    assert tidy.over == 1


@given(st.lists(records, max_size=12), st.integers(0, 12))
def test_a_plan_touches_only_what_may_go_and_is_done_at_once(given_records: list[Record], capacity: int) -> None:
    kept = [replace(record, id=numbered_id(place)) for place, record in enumerate(given_records)]
    tidy = plan_tidy(kept, now=START, capacity=capacity)
    going = {one.id for one in tidy.retire}
    assert len(going) == len(tidy.retire)
    for record in kept:
        if record.id in going:
            assert record.status in ("current", "pending")
            assert not record.pinned
            expired = record.expires_at is not None and record.expires_at <= START
            assert record.trust < Trust.USER_CONFIRMED or expired
    left = [replace(record, status="retired") if record.id in going else record for record in kept]
    assert not plan_tidy(left, now=START, capacity=capacity).retire
    assert sum(record.status in ("current", "pending") for record in left) == min(
        capacity + tidy.over, sum(record.status in ("current", "pending") for record in left)
    )


def test_a_plan_does_not_depend_on_the_order_of_the_records() -> None:
    kept = [aged(days, importance=0.3 + days / 1_000) for days in range(100)]
    assert set(retired(*kept, capacity=40)) == set(retired(*reversed(kept), capacity=40))


# --- which records a request means ---------------------------------------------------------------------------------------

TEXTS = (
    "I love coffee",
    "I like coffee",
    "I don't like coffee",
    "my dentist appointment is on Friday the 13th",
    "Tom is a nurse",
    "I moved to Austin last week",
    "我喜欢咖啡",
    "我不喜欢咖啡",
    "我朋友小杰不喜欢足球",
    "我住在成都",
    "it went well, 很好",
)


def meant(query: str) -> list[str]:
    hits = [
        Hit(id=text, kind="fact", text=text, score=0.5, time=START, session=None, speaker=None, role=None, sources=(),
            trust=Trust.USER_SAID, tokens=5)
        for text in TEXTS
    ]  # fmt: skip
    return list(matching(query, hits))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("coffee", ["I love coffee", "I like coffee", "I don't like coffee"]),
        ("my coffee preference", ["I love coffee", "I like coffee", "I don't like coffee"]),
        ("forget that I like coffee", ["I like coffee"]),
        ("Forget I don't like coffee", ["I don't like coffee"]),
        ("Please forget about my dentist appointment on Friday!", ["my dentist appointment is on Friday the 13th"]),
        ("everything you know about Tom", ["Tom is a nurse"]),
        ("delete that I moved to AUSTIN", ["I moved to Austin last week"]),
        ("咖啡", ["我喜欢咖啡", "我不喜欢咖啡"]),
        ("忘掉我喜欢咖啡这件事", ["我喜欢咖啡"]),
        ("请忘记我不喜欢咖啡", ["我不喜欢咖啡"]),
        ("关于小杰的一切都忘掉吧", ["我朋友小杰不喜欢足球"]),
        ("把我住在成都删了", ["我住在成都"]),
    ],
)
def test_a_request_means_the_records_that_say_all_of_it(query: str, expected: list[str]) -> None:
    assert meant(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        *(
            "forget everything",
            "all of it",
            "it",
            "not",
            "",
            "?!",
            "espresso",
            "my coffee machine",
            "the dentist on Monday",
            "Tom is a vet",
        ),
        *("删除所有记忆", "全部忘掉", "不", "茶", "忘掉我喜欢红茶", "我住在成都武侯区"),
    ],
)
def test_a_request_that_nothing_surely_answers_means_none(query: str) -> None:
    assert meant(query) == []


@given(st.text(max_size=60))
def test_any_request_is_read(query: str) -> None:
    assert set(meant(query)) <= set(TEXTS)
