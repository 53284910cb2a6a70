from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pagefile.cells import changed, course, fact, pairs, period
from pagefile.records import HistoryEntry, Record
from pagefile.testing.fakes import make_cause, make_record

SHANGHAI = ZoneInfo("Asia/Shanghai")
MAY = datetime(2026, 5, 1, tzinfo=SHANGHAI)


def residence(value: str, **fields: Any) -> Record:
    return make_record(value, subject="user", attribute="residence", value=value, **fields)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"subject": "user", "attribute": "residence", "value": "北京"}, "user · residence: 北京"),
        ({"subject": "Jack", "attribute": "likes", "value": "football", "polarity": "negative"}, "Jack · likes: not football"),
        ({"subject": "user", "attribute": "note", "value": "as it was said"}, "user · note"),
        ({"kind": "summary"}, "summary"),
    ],
    ids=["fact", "denied", "a sentence", "no fact"],
)
def test_a_record_reads_as_who_what_and_value(fields: dict[str, Any], told: str) -> None:
    assert fact(make_record("as it was said", **fields)) == told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"valid_from": MAY}, "2026-05-01 –"),
        ({"valid_from": MAY, "valid_to": MAY + timedelta(days=31)}, "2026-05-01 – 2026-05-31"),
        ({"valid_from": MAY, "valid_to": MAY + timedelta(hours=3)}, "2026-05-01"),
        ({"valid_from": MAY, "valid_to": MAY}, "2026-05-01 (never held)"),
        ({"valid_from": MAY, "kind": "event"}, "2026-05-01"),
        ({"valid_from": datetime(2026, 4, 30, 20, tzinfo=UTC)}, "2026-05-01 –"),
        ({"learned_at": MAY}, "2026-05-01 –"),
    ],
    ids=["open", "closed", "within a day", "corrected", "event", "another zone", "no time of its own"],
)
def test_a_period_is_told_in_whole_days_of_the_zone_of_the_user(fields: dict[str, Any], told: str) -> None:
    assert period(residence("Rome", **fields), SHANGHAI) == told


def test_a_timeline_names_months_and_days_only_where_months_repeat() -> None:
    steps = [residence("Rome", valid_from=MAY), residence("奥斯陆", valid_from=MAY.replace(month=7))]
    assert course(steps, SHANGHAI) == "Rome (May 2026) → 奥斯陆（2026年7月）"
    steps[1] = residence("奥斯陆", valid_from=MAY.replace(day=9))
    assert course(steps, SHANGHAI) == "Rome (1 May 2026) → 奥斯陆（2026年5月9日）"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, {"text": "我住在北京", "version": 1}, "我住在北京"),
        (
            {"status": "current", "valid_to": None, "version": 1},
            {"status": "superseded", "valid_to": "2026-06-01T00:00:00+08:00", "version": 2},
            "status: current → superseded; valid_to: – → 2026-06-01",
        ),
        ({"outdated": []}, {"outdated": [[0, 9]]}, ""),
    ],
    ids=["added", "changed", "nothing for a person"],
)
def test_a_change_is_told_by_what_a_person_wants_to_know(before: dict[str, Any], after: dict[str, Any], told: str) -> None:
    entry = HistoryEntry(id="1", target="x", change="edit", before=before, after=after, cause=make_cause())
    assert changed(entry) == told


def test_results_are_told_in_pairs_and_lists_by_their_length() -> None:
    assert pairs({"retrieved": 3, "used": ["a", "b"], "mode": "words"}) == "retrieved=3 used=2 mode=words"
    assert pairs({"changes": {"add": 2, "supersede": 1}}) == "changes=add:2,supersede:1"
