"""What holds for every time expression, whatever the language: zones, open ends, unknowns, spans and errors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_dates_chinese import RANGES as CHINESE_RANGES
from test_dates_english import RANGES as ENGLISH_RANGES

from pagefile.errors import InputError
from pagefile.language.dates import TimeRange, UnknownTime, find_times, parse_time
from pagefile.language.dates.holidays import CHINESE, ENGLISH, easter
from pagefile.language.dates.lunar import FIRST_YEAR, LAST_YEAR, NEW_YEARS, lunar_day

NEW_YORK, SHANGHAI = ZoneInfo("America/New_York"), ZoneInfo("Asia/Shanghai")
REFERENCE = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)


def hours(found: TimeRange) -> float:
    assert found.start is not None
    assert found.end is not None
    return (found.end.astimezone(UTC) - found.start.astimezone(UTC)) / timedelta(hours=1)


# --- zones ------------------------------------------------------------------------------------------------------------


def test_days_begin_in_the_zone_of_the_reference() -> None:
    late = datetime(2024, 5, 15, 23, 30, tzinfo=SHANGHAI)
    assert parse_time("today", reference=late).start == datetime(2024, 5, 15, tzinfo=SHANGHAI)
    assert parse_time("today", reference=late.astimezone(UTC)).start == datetime(2024, 5, 15, tzinfo=UTC)


def test_a_given_zone_moves_the_reference_into_it() -> None:
    found = parse_time("yesterday", reference=datetime(2024, 5, 15, 20, 0, tzinfo=UTC), zone=SHANGHAI)
    assert found.start == datetime(2024, 5, 15, tzinfo=SHANGHAI)
    assert found.start is not None
    assert found.start.utcoffset() == timedelta(hours=8)


def test_a_reference_may_have_a_plain_offset() -> None:
    zone = timezone(timedelta(hours=5, minutes=30))
    assert parse_time("昨天", reference=datetime(2024, 5, 15, 1, 0, tzinfo=zone)).start == datetime(2024, 5, 14, tzinfo=zone)


def test_a_reference_without_a_zone_needs_one() -> None:
    naive = datetime(2024, 5, 15, 10, 30)
    with pytest.raises(InputError, match="zone"):
        find_times("yesterday", reference=naive)
    assert parse_time("yesterday", reference=naive, zone=SHANGHAI).start == datetime(2024, 5, 14, tzinfo=SHANGHAI)


@pytest.mark.parametrize(("date", "length"), [("2024-03-10", 23), ("2024-11-03", 25), ("2024-11-04", 24)])
def test_a_day_is_as_long_as_the_clocks_make_it(date: str, length: int) -> None:
    assert hours(parse_time(date, reference=REFERENCE, zone=NEW_YORK)) == length


def test_hours_elapse_while_days_keep_the_time_of_day() -> None:
    morning_after = datetime(2024, 3, 10, 8, 0, tzinfo=NEW_YORK)
    found = parse_time("past 24 hours", reference=morning_after)
    assert found.start == datetime(2024, 3, 9, 7, 0, tzinfo=NEW_YORK)
    assert hours(found) == 24
    assert parse_time("yesterday", reference=morning_after).start == datetime(2024, 3, 9, tzinfo=NEW_YORK)


def test_an_hour_that_the_clock_skips_is_still_a_range() -> None:
    found = parse_time("March 10, 2024 at 2am", reference=REFERENCE, zone=NEW_YORK)
    assert found.start == datetime(2024, 3, 10, 3, 0, tzinfo=NEW_YORK)
    assert hours(found) == 1


def test_a_written_offset_is_moved_into_the_zone() -> None:
    found = parse_time("2024-05-08T23:30:00Z", reference=REFERENCE, zone=SHANGHAI)
    assert found.start == datetime(2024, 5, 9, 7, 30, tzinfo=SHANGHAI)
    assert found.precision == "second"


# --- meaning ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("yesterday", "past"),
        ("last week", "past"),
        ("past 7 days", "past"),
        ("最近七天", "past"),
        ("tomorrow", "future"),
        ("next 3 days", "future"),
        ("下周三", "future"),
        ("in May", "either"),
        ("周五", "either"),
        ("this year", "either"),
        ("2019年", "past"),
    ],
)
def test_direction_says_where_the_words_put_it(text: str, direction: str) -> None:
    assert parse_time(text, reference=REFERENCE).direction == direction


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("13:56", "minute"),
        ("9am", "hour"),
        ("last night", "part of day"),
        ("昨天", "day"),
        ("上周", "week"),
        ("去年五月", "month"),
        ("last summer", "quarter"),
        ("2019", "year"),
        ("九十年代", "decade"),
        ("since March", "month"),
    ],
)
def test_precision_is_the_unit_of_the_words(text: str, precision: str) -> None:
    assert parse_time(text, reference=REFERENCE).precision == precision


def test_a_range_knows_what_lies_in_it() -> None:
    since = parse_time("since yesterday", reference=REFERENCE)
    assert since.end is None
    assert since.contains(REFERENCE)
    assert since.contains(datetime(2024, 5, 14, 0, 0, tzinfo=UTC))
    assert not since.contains(datetime(2024, 5, 14, 0, 0, tzinfo=SHANGHAI))
    assert not parse_time("before 2020", reference=REFERENCE).contains(REFERENCE)
    day = parse_time("2024-05-14", reference=REFERENCE)
    assert not day.contains(datetime(2024, 5, 15, tzinfo=UTC))


def test_an_unknown_time_is_told_apart_from_no_time() -> None:
    assert find_times("I lived in Rome back then", reference=REFERENCE) == (UnknownTime(text="back then", span=(16, 25)),)
    assert find_times("我那阵子住在罗马", reference=REFERENCE) == (UnknownTime(text="那阵子", span=(1, 4)),)
    assert find_times("I live in Rome", reference=REFERENCE) == ()


@pytest.mark.parametrize("text", ["10000 years ago", "February 30, 2023", "2023-02-30", "2月30日", "in 99999 years"])
def test_a_time_that_cannot_be_is_unknown(text: str) -> None:
    found = find_times(text, reference=REFERENCE)
    assert [type(each) for each in found] == [UnknownTime]


@pytest.mark.parametrize(
    "text",
    ["", "   ", "hello", "the meeting yesterday", "yesterday and today", "back then", "当年", "每周三", "every Friday", "may I", "2月30日"],
)
def test_what_is_not_one_readable_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InputError, match="last Friday"):
        parse_time(text, reference=REFERENCE)


def test_a_refusal_shows_the_text_but_not_all_of_a_long_one() -> None:
    with pytest.raises(InputError) as refused:
        parse_time("nonsense " * 1000, reference=REFERENCE)
    assert "nonsense" in str(refused.value)
    assert len(str(refused.value)) < 400


def test_both_languages_are_read_in_one_text() -> None:
    found = find_times("上周三 I met her, 明天 again", reference=REFERENCE)
    assert [each.text for each in found] == ["上周三", "明天"]


def test_typographic_and_full_width_characters_are_read() -> None:
    assert parse_time("New Year’s Eve", reference=REFERENCE).start == datetime(2023, 12, 31, tzinfo=UTC)
    assert parse_time("May 3–10", reference=REFERENCE).end == datetime(2024, 5, 11, tzinfo=UTC)
    assert parse_time("２０２３年５月", reference=REFERENCE).start == datetime(2023, 5, 1, tzinfo=UTC)


# --- the calendar -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(1990, 1, 27), (2000, 2, 5), (2012, 1, 23), (2020, 1, 25), (2023, 1, 22), (2024, 2, 10), (2033, 1, 31), (2050, 1, 23)],
)
def test_the_chinese_new_year_falls_on_its_published_day(year: int, month: int, day: int) -> None:
    assert NEW_YEARS[year] == datetime(year, month, day)


@pytest.mark.parametrize(
    ("year", "month", "day", "expected"),
    [
        (2020, 8, 15, datetime(2020, 10, 1)),  # after a leap fourth month
        (2023, 5, 5, datetime(2023, 6, 22)),  # after a leap second month
        (2025, 8, 15, datetime(2025, 10, 6)),  # after a leap sixth month
        (2024, 9, 9, datetime(2024, 10, 11)),
        (2033, 8, 15, datetime(2033, 9, 8)),
    ],
)
def test_a_lunar_day_falls_on_its_published_day(year: int, month: int, day: int, expected: datetime) -> None:
    assert lunar_day(year, month, day) == expected


def test_every_year_of_the_table_has_a_length_that_a_lunar_year_can_have() -> None:
    for year in range(FIRST_YEAR, LAST_YEAR):
        assert (NEW_YEARS[year + 1] - NEW_YEARS[year]).days in {353, 354, 355, 383, 384, 385}
        assert (NEW_YEARS[year].month, NEW_YEARS[year].day) >= (1, 21)
        assert (NEW_YEARS[year].month, NEW_YEARS[year].day) <= (2, 21)


def test_a_lunar_holiday_outside_the_table_is_unknown() -> None:
    assert [type(each) for each in find_times("2099年中秋节", reference=REFERENCE)] == [UnknownTime]


@pytest.mark.parametrize(
    ("year", "month", "day"), [(1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2019, 4, 21), (2024, 3, 31), (2038, 4, 25)]
)
def test_easter_falls_on_its_day(year: int, month: int, day: int) -> None:
    assert easter(year) == datetime(year, month, day)


@pytest.mark.parametrize(
    ("text", "expected"), [("2008年清明节", (2008, 4, 4)), ("2019年清明节", (2019, 4, 5)), ("2021年冬至", (2021, 12, 21))]
)
def test_solar_terms_fall_on_their_day(text: str, expected: tuple[int, int, int]) -> None:
    assert parse_time(text, reference=REFERENCE).start == datetime(*expected, tzinfo=UTC)


@pytest.mark.parametrize("name", [*ENGLISH, *CHINESE])
def test_every_holiday_has_a_date_in_a_given_year(name: str) -> None:
    when = f"2022年{name}" if name in CHINESE else f"{name} 2022"
    found = parse_time(when, reference=REFERENCE)
    assert found.start is not None
    assert found.start.year == 2022


# --- for any text -----------------------------------------------------------------------------------------------------

EXPRESSIONS = [*ENGLISH_RANGES, *CHINESE_RANGES]
PIECES = sorted(
    {word for expression in EXPRESSIONS for word in expression.split()} | {character for each in CHINESE_RANGES for character in each}
)
PIECES += [*EXPRESSIONS, *ENGLISH, *CHINESE, "99999", "9999年", "every", "每", "，", ",", "0", "-", "(", "）", "a few", "months", "ago"]
pieces = st.lists(st.sampled_from(PIECES), max_size=12)
texts = st.one_of(st.text(max_size=60), pieces.map(" ".join), pieces.map("".join))
first, last = datetime(1, 1, 3), datetime(9999, 12, 28)
references = st.datetimes(min_value=first, max_value=last, timezones=st.sampled_from([UTC, NEW_YORK, SHANGHAI]))


@given(text=texts, reference=references, prefer=st.sampled_from(["past", "future", None]))
def test_any_text_gives_sane_times(text: str, reference: datetime, prefer: str | None) -> None:
    found = find_times(text, reference=reference, prefer=prefer)  # type: ignore[arg-type]
    assert found == find_times(text, reference=reference, prefer=prefer)  # type: ignore[arg-type]
    position = 0
    for each in found:
        begin, finish = each.span
        assert position <= begin < finish <= len(text)
        assert text[begin:finish] == each.text
        position = finish
        if isinstance(each, TimeRange):
            assert each.start is not None or each.end is not None
            if each.start is not None and each.end is not None:
                assert each.start.astimezone(UTC) < each.end.astimezone(UTC)


@given(text=texts, reference=references)
def test_any_text_is_parsed_or_refused(text: str, reference: datetime) -> None:
    try:
        found = parse_time(text, reference=reference)
    except InputError:
        return
    assert found.text == text[found.span[0] : found.span[1]]


def test_a_very_long_text_is_read_whole() -> None:
    text = "nothing of note happened, " * 4_000 + "but yesterday 我上周三去了"
    assert [each.text for each in find_times(text, reference=REFERENCE)] == ["yesterday", "上周三"]


@pytest.mark.parametrize("piece", ["昨天", "yesterday ", "5月3日到", "every ", "early ", "a few ", "二", "1", "last week of "])
def test_the_same_words_over_and_over_are_read_in_the_end(piece: str) -> None:
    text = piece * 2_000
    assert all(text[each.span[0] : each.span[1]] == each.text for each in find_times(text, reference=REFERENCE))
