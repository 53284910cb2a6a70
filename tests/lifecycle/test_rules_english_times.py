"""When what an English statement says holds, and the dates that its text is given."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from english_saying import LONDON, SAID_AT, told

from pagefile.lifecycle.facts import Claim


def day(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=LONDON)


def only(text: str) -> Claim:
    (claim,) = told(text)
    return claim


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        pytest.param("I went to Paris last week", "2023-05-15", "2023-05-22", id="event, week"),
        pytest.param("I climbed Kilimanjaro in 2019", "2019-01-01", "2020-01-01", id="event, year"),
        pytest.param("I've been to Japan", None, None, id="event without time"),
        pytest.param("I've lived in York since 2019", "2019-01-01", None, id="state since"),
        pytest.param("I moved to York last week", "2023-05-15", None, id="state with its beginning"),
        pytest.param("I worked at Acme from 2015 to 2018", "2015-01-01", "2019-01-01", id="closed period"),
        pytest.param("I lived in Spain in 2012", "2012-01-01", "2013-01-01", id="past year"),
        pytest.param("my flight is on Friday", "2023-05-26", "2023-05-27", id="plan, weekday"),
        pytest.param("I'm getting married in June", "2023-06-01", "2023-07-01", id="plan, month"),
        pytest.param("we're relocating to Berlin in March", "2024-03-01", "2024-04-01", id="plan, next year"),
        pytest.param("the report is due June 3", "2023-06-03", "2023-06-04", id="deadline"),
        pytest.param("I left Siemens in March", "2023-03-01", None, id="end"),
    ],
)
def test_a_claim_holds_when_its_words_say(text: str, begins: str | None, ends: str | None) -> None:
    claim = only(text)
    assert (claim.valid_from, claim.valid_to) == (day(begins), day(ends))


@pytest.mark.parametrize(
    "text", ["I live in York", "I love jazz", "I'm 34", "I'm moving to Canada", "I run every morning", "My birthday is March 5"]
)
def test_what_says_no_time_holds_since_it_was_said(text: str) -> None:
    claim = only(text)
    assert (claim.valid_from, claim.valid_to, claim.said_at) == (SAID_AT, None, SAID_AT)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I went to Paris last week", "I went to Paris last week (2023-05-15 to 2023-05-21)"),
        ("I moved here to York yesterday", "I moved here to York yesterday (2023-05-23)"),
        ("my flight is on Friday", "my flight is on Friday (2023-05-26)"),
        ("I'm getting married in June", "I'm getting married in June (2023-06)"),
        ("I got divorced last year", "I got divorced last year (2022)"),
        ("My exam is tomorrow at 3pm", "My exam is tomorrow at 3pm (2023-05-25 15:00)"),
        ("the report is due June 3", "the report is due June 3 (2023-06-03)"),
        ("I've worked at Acme since March", "I've worked at Acme since March (since 2023-03-01)"),
        ("I climbed Kilimanjaro in 2019", "I climbed Kilimanjaro in 2019"),
        ("My wedding is on 12 August 2023", "My wedding is on 12 August 2023"),
        ("Don't call me after 9pm", "Don't call me after 9pm"),
    ],
)  # fmt: skip
def test_a_relative_time_is_followed_by_its_date(said: str, text: str) -> None:
    assert only(said).text == text


def test_days_are_those_of_the_speakers_zone() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    late = datetime(2023, 5, 24, 23, 30, tzinfo=LONDON)
    (claim,) = told("I went to Paris yesterday", said_at=late, zone=zone)
    assert claim.valid_from == datetime(2023, 5, 24, tzinfo=zone)


@pytest.mark.parametrize(
    "text", ["I moved to York last week", "I've lived in York since 2019", "I visited Iceland in 2018", "I quit smoking in December"]
)
def test_only_words_about_the_future_give_a_later_date(text: str) -> None:
    claim = only(text)
    assert claim.valid_from is not None
    assert claim.valid_from <= claim.said_at
