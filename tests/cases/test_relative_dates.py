"""A relative date means what it meant to the one who said it: by the message's own time and zone, never by the clock of a machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pagefile.errors import InputError
from pagefile.importers import read_conversations
from pagefile.language.dates import TimeRange, parse_time
from pagefile.queries import Hit

from .homes import STORES
from .talks import EVERY_STATUS, SHANGHAI, Reader, Talk, fact, reply, talking

#: Long ago, so that whatever is resolved by the clock is years off: Wednesday, 24 May 2023.
THEN = "2023-05-24T10:00:00+08:00"
#: What is said then, the attribute, the days it is about (half-open), and words that its text must have.
SAID = {
    "last week": ("I went to Paris last week", "visited", "2023-05-15", "2023-05-22", ("last week", "2023-05-15", "2023-05-21")),
    "yesterday": ("I visited Rome yesterday", "visited", "2023-05-23", "2023-05-24", ("yesterday", "2023-05-23")),
    "past days": ("I visited Rome three days ago", "visited", "2023-05-21", "2023-05-22", ("three days ago", "2023-05-21")),
    "last month": ("I visited Oslo last month", "visited", "2023-04-01", "2023-05-01", ("last month", "2023-04")),
    "tomorrow": ("I have a dentist appointment tomorrow", "plan", "2023-05-25", "2023-05-26", ("tomorrow", "2023-05-25")),
    "next week": ("I'm flying to Tokyo next week", "plan", "2023-05-29", "2023-06-05", ("next week", "2023-05-29")),
    "on a day": ("My exam is on June 3", "plan", "2023-06-03", "2023-06-04", ("June 3", "2023-06-03")),
    "上周": ("我上周去了巴黎", "visited", "2023-05-15", "2023-05-22", ("上周", "2023-05-15")),
    "前天": ("我前天去了罗马", "visited", "2023-05-22", "2023-05-23", ("前天", "2023-05-22")),
    "上个月": ("我上个月去了成都", "visited", "2023-04-01", "2023-05-01", ("上个月", "2023-04")),
    "明天": ("我明天要去体检", "plan", "2023-05-25", "2023-05-26", ("明天", "2023-05-25")),
    "下周三": ("我下周三要去体检", "plan", "2023-05-31", "2023-06-01", ("下周三", "2023-05-31")),
}
#: Names under which applications give the time of a message, and forms in which they do.
TIMES: dict[str, dict[str, Any]] = {
    "iso": {"said_at": THEN},
    "created_at": {"created_at": "2023-05-24T02:00:00Z"},
    "timestamp": {"timestamp": "2023-05-24 10:00:00"},
    "seconds": {"timestamp": 1684893600},
    "milliseconds": {"time": 1684893600000},
    "datetime": {"said_at": datetime(2023, 5, 24, 10, tzinfo=SHANGHAI)},
    "naive": {"said_at": datetime(2023, 5, 24, 10)},
    "a date": {"said_at": "2023-05-24"},
    "in the past": {"created_at": datetime(2023, 5, 24, 2, tzinfo=UTC)},
}


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


@pytest.mark.parametrize("words", SAID)
async def test_words_of_time_are_dated_by_when_they_were_said_and_kept_beside_the_date(words: str, tmp_path: Path) -> None:
    text, attribute, start, end, kept = SAID[words]
    async with talking(tmp_path) as talk:
        await talk.tell({"role": "user", "content": text, "said_at": THEN})
        (record,) = await talk.records()
        assert (record.attribute, record.valid_from, record.valid_to) == (attribute, day(start), day(end))
        assert all(each in record.text for each in kept)
        assert record.said_at == datetime.fromisoformat(THEN)
        (message,) = talk.said[0].messages
        assert message.said_at.isoformat() == THEN


@pytest.mark.parametrize("form", TIMES)
@pytest.mark.parametrize("words", ["last week", "上周"])
async def test_a_message_may_give_its_time_in_any_form(words: str, form: str, tmp_path: Path) -> None:
    text, attribute, start, end, _ = SAID[words]
    async with talking(tmp_path) as talk:
        await talk.tell({"role": "user", "content": text} | TIMES[form])
        (record,) = await talk.records()
        assert (record.attribute, record.valid_from, record.valid_to) == (attribute, day(start), day(end))


async def test_a_transcript_of_years_ago_gives_each_fact_the_date_of_its_own_message(tmp_path: Path) -> None:
    lines = [
        {"role": "user", "content": "I moved to Berlin last week", "said_at": "2019-03-13T09:00:00+01:00"},
        {"role": "assistant", "content": "Welcome!", "said_at": "2019-03-13T09:01:00+01:00"},
        {"role": "user", "content": "I moved to Munich yesterday", "said_at": "2021-07-02T09:00:00+02:00"},
        {"role": "user", "content": "我上个月去了成都", "said_at": "2022-02-10T09:00:00+08:00"},
    ]
    file = tmp_path / "old.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    async with talking(tmp_path) as talk:
        for conversation in read_conversations(file):
            await talk.user.add(conversation.messages, session="old")
        await talk.memory.flush()
        began = {
            record.value: record.valid_from.date().isoformat()
            for record in await talk.records("current", "superseded")
            if record.valid_from
        }
        assert began == {"Berlin": "2019-03-04", "Munich": "2021-07-01", "成都": "2022-01-01"}
        assert [record.value for record in await talk.user.timeline("residence")] == ["Berlin", "Munich"]


async def test_what_is_imported_later_but_was_said_earlier_does_not_overrule(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I live in Munich", "我最喜欢的颜色是红色")
        await talk.tell({"role": "user", "content": "I live in Berlin", "said_at": THEN}, by="import")
        await talk.tell({"role": "user", "content": "我最喜欢的颜色是蓝色", "said_at": THEN}, by="import")
        assert await talk.facts() == ["user · favourite colour: 红色", "user · residence: Munich"]
        assert [line for line in await talk.facts("superseded") if "Berlin" in line]


# --- words as filters --------------------------------------------------------------------------------------------------

READABLE = [
    "last week", "last month", "past 7 days", "last seven days", "the past week", "yesterday", "today", "this month", "last year",
    "2 weeks ago",
    "last 30 days", "last Friday", "in May", "this week", "the last 24 hours", "past two months", "Q1", "two days ago",
    "上周", "上个月", "过去7天", "最近七天", "昨天", "今天", "这个月", "去年", "两周前", "最近30天", "上周五", "五月", "本周", "前天",
    "过去两个月", "近三天",
]  # fmt: skip


@pytest.mark.parametrize("words", READABLE)
async def test_words_of_time_narrow_a_search_or_are_refused_but_never_pass_everything(words: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell({"role": "user", "content": "quokka of long ago", "said_at": "2001-01-01T10:00:00+08:00"})
        for filters in ({"since": words}, {"since": words, "until": words}):
            try:
                assert "quokka of long ago" not in await talk.found("quokka", **filters)
            except InputError as error:
                assert words in str(error)
                assert words == "Q1"


@pytest.mark.parametrize(
    "words",
    ["when the moon was blue", "back then", "someday", "soonish", "", "  ", "那时候", "改天", "last time", "yesteryear", "None", "*"],
)
@pytest.mark.parametrize("side", ["since", "until", "as_of", "known_at"])
async def test_a_time_that_nobody_can_read_is_refused_in_a_sentence(words: str, side: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("quokka")
        with pytest.raises(InputError):
            await talk.user.search("quokka", **{side: words})  # type: ignore[arg-type]  # one of the four


@pytest.mark.parametrize(
    ("said_at", "inside", "outside"),
    [
        ("2026-05-23T23:30:00+08:00", ["yesterday", "昨天", "last 7 days", "最近七天", "2026-05-23", "this week", "Saturday"],
         ["today", "今天", "前天"]),
        ("2026-05-24T00:10:00+08:00", ["today", "今天", "last 7 days", "2026-05-24", "过去三天"], ["yesterday", "昨天", "2026-05-23"]),
        ("2026-05-23T16:30:00Z", ["today", "今天"], ["yesterday", "昨天"]),
        ("2026-05-23T15:30:00Z", ["yesterday", "昨天"], ["today", "今天"]),
    ],
)  # fmt: skip
async def test_a_day_begins_and_ends_at_the_midnight_of_the_user(
    said_at: str, inside: Sequence[str], outside: Sequence[str], tmp_path: Path
) -> None:
    async with talking(tmp_path) as talk:
        await talk.user.add({"role": "user", "content": "quokka", "said_at": said_at})
        for words in inside:
            assert await talk.found("quokka", since=words, until=words) == ["quokka"], words
        for words in outside:
            assert not await talk.found("quokka", since=words, until=words), words


@pytest.mark.parametrize("name", ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "UTC", "Asia/Kolkata"])
async def test_yesterday_is_the_day_before_in_any_zone(name: str, tmp_path: Path) -> None:
    zone = ZoneInfo(name)
    now = datetime(2026, 5, 24, 0, 20, tzinfo=zone)
    async with talking(tmp_path, at=now, zone=name) as talk:
        await talk.user.add([
            {"role": "user", "content": "late quokka", "said_at": (now - timedelta(minutes=40)).astimezone(UTC).isoformat()},
            {"role": "user", "content": "early quokka", "said_at": (now - timedelta(minutes=10)).astimezone(UTC).isoformat()},
            {"role": "user", "content": "I visited Rome yesterday"},
        ])  # fmt: skip
        assert await talk.found("quokka", since="yesterday", until="yesterday") == ["late quokka"]
        assert await talk.found("quokka", since="today", speaker=None, kinds=["message"], limit=1) == ["early quokka"]
        (record,) = await talk.records()
        assert record.valid_from == datetime(2026, 5, 23, tzinfo=zone)


# --- one zone, with its offset -----------------------------------------------------------------------------------------


async def _shown(talk: Talk, query: str) -> tuple[Sequence[Hit], str]:
    return await talk.user.search(query, floor=0.0), await talk.window(query)


@pytest.mark.parametrize(
    "said_at",
    ["2026-05-20T19:17:00+08:00", "2026-05-20T11:17:00Z", "2026-05-20T07:17:00-04:00", "2026-05-20T19:17:00", 1779275820,
     datetime(2026, 5, 20, 11, 17, tzinfo=UTC),
     datetime(2026, 5, 20, 13, 17, tzinfo=timezone(timedelta(hours=2)))],
)  # fmt: skip
async def test_all_that_is_shown_is_in_the_users_zone_and_says_so(said_at: object, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell({"role": "user", "content": "I love the quokka", "said_at": said_at})
        hits, window = await _shown(talk, "quokka?")
        assert {hit.time for hit in hits} == {datetime(2026, 5, 20, 19, 17, tzinfo=SHANGHAI)}
        assert "2026-05-20 19:17 +08:00" in window
        assert "11:17" not in window
        (message,) = talk.said[0].messages
        assert message.said_at.utcoffset() is not None


async def test_the_offset_a_message_came_with_is_kept(tmp_path: Path) -> None:
    async with talking(tmp_path, "file") as talk:
        await talk.tell({"role": "user", "content": "quokka", "said_at": "2026-05-20T07:17:00-04:00"})
    async with talking(tmp_path, "file") as talk:
        (message,) = (await talk.user.messages()).items
        assert message.said_at.isoformat() == "2026-05-20T07:17:00-04:00"


@pytest.mark.parametrize("store", STORES)
async def test_times_with_and_without_a_zone_live_side_by_side(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.user.add([
            {"role": "user", "content": "quokka one", "said_at": datetime(2026, 5, 20, 9)},
            {"role": "user", "content": "quokka two", "said_at": datetime(2026, 5, 20, 2, tzinfo=UTC)},
            {"role": "user", "content": "quokka three", "said_at": "2026-05-20T11:00"},
            {"role": "user", "content": "quokka four", "said_at": "2026-05-20T04:00:00Z"},
        ])  # fmt: skip
        await talk.user.remember(
            "quokka five", valid_from=datetime(2026, 5, 20, 13), valid_to="2026-05-21T00:00:00Z", expires_at=datetime(2027, 1, 1)
        )
        found = await talk.user.search(
            "quokka", since=datetime(2026, 5, 20, 9, 30), until=datetime(2026, 5, 20, 3, 30, tzinfo=UTC), floor=0.0
        )
        assert sorted(hit.text for hit in found) == ["quokka three", "quokka two"]
        assert "quokka five" in await talk.found("quokka", as_of=datetime(2026, 5, 20, 14))
        assert all(hit.time.utcoffset() is not None for hit in await talk.user.search("quokka", floor=0.0))


async def test_a_weekday_is_that_of_the_speaker_on_the_other_side_of_the_world(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        # Wednesday evening in California, Thursday in Shanghai.
        await talk.tell({"role": "user", "content": "I visited Rome yesterday", "said_at": "2023-05-24T23:30:00-07:00"})
        (record,) = await talk.records()
        assert record.valid_from is not None
        assert record.valid_from.isoformat() == "2023-05-23T00:00:00-07:00"
        assert "2023-05-23" in record.text


# --- a model that writes dates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "when", ["2026-05-24", "2026-05-24T00:00:00Z", "today", "今天", "2026-11-30", "now", None, "last week", "2023-05-24"]
)
async def test_a_date_that_a_model_makes_up_is_not_believed(when: str | None, tmp_path: Path) -> None:
    model = Reader(reply(fact("Lisbon has become my home", "residence", "Lisbon", when=when)))
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.tell({"role": "user", "content": "well, Lisbon has become my home", "said_at": THEN})
        for record in await talk.records(*EVERY_STATUS):
            assert record.valid_from is not None
            assert record.valid_from <= datetime.fromisoformat(THEN)
            assert "2026" not in record.text


@pytest.mark.parametrize("when", ["next month", "2023-06", None])
async def test_a_model_may_date_what_the_words_put_in_the_future(when: str | None, tmp_path: Path) -> None:
    model = Reader(reply(fact("I'll be off to Lisbon next month", "plan", "off to Lisbon", when=when)))
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.tell({"role": "user", "content": "I'll be off to Lisbon next month", "said_at": THEN})
        assert {record.valid_from for record in await talk.records()} == {day("2023-06-01")}


# --- the clock ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_today_is_another_day_after_the_program_ran_for_two(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.user.add("quokka")
        assert await talk.found("quokka", since="today") == ["quokka"]
        for words in ("today", "今天", "yesterday", "昨天"):
            assert parse_time(words, reference=talk.clock.now, zone=SHANGHAI) is not None
        talk.clock.advance(days=2)
        assert not await talk.found("quokka", since="today")
        assert not await talk.found("quokka", since="昨天")
        assert await talk.found("quokka", since="前天", until="前天") == ["quokka"]
        await talk.tell("I visited Rome yesterday", "我昨天去了罗马")
        assert sorted(record.valid_from.date().isoformat() for record in await talk.records() if record.valid_from) == [
            "2026-05-26",
            "2026-05-27",
        ]
        assert "2026-05-28" in await talk.window("what day is it?")


async def test_times_are_read_by_the_reference_that_is_given() -> None:
    for days in range(3):
        reference = datetime(2026, 5, 24, 12, tzinfo=SHANGHAI) + timedelta(days=days)
        found = parse_time("昨天", reference=reference, zone=SHANGHAI)
        assert isinstance(found, TimeRange)
        assert found.start == datetime(2026, 5, 23, tzinfo=SHANGHAI) + timedelta(days=days)


# --- expiry ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    "expires", ["2026-05-24", "2026-05-24T09:59:59+08:00", "2026-05-24T01:59:59Z", datetime(2026, 5, 24, 9, 59), 1779587999]
)
async def test_what_has_expired_is_hidden_from_every_way_of_reading_but_its_id_until_it_is_put_away(
    expires: object, store: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store) as talk:
        record = await talk.user.remember("quokka season", expires_at=expires)
        assert not await talk.found("quokka")
        assert not await talk.found("quokka", history=True)
        assert not await talk.found("quokka", statuses=EVERY_STATUS)
        assert not await talk.records(*EVERY_STATUS)
        assert "quokka season" not in await talk.window("the season?")
        assert (await talk.user.get(record.id)).text == "quokka season"
        assert [one.target for one in (await talk.user.tidy()).entries] == [record.id]
        assert (await talk.user.get(record.id)).status == "retired"  # type: ignore[union-attr]  # a record


async def test_what_expires_is_there_until_that_very_moment_and_can_be_given_a_longer_life(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        record = await talk.user.remember("quokka season", expires_at="2026-05-24T10:00:01+08:00")
        assert await talk.found("quokka") == ["quokka season"]
        talk.clock.advance(1)
        assert not await talk.found("quokka")
        await talk.user.edit(record.id, expires_at="2027-01-01")
        assert await talk.found("quokka") == ["quokka season"]
        await talk.user.edit(record.id, expires_at=None)
        talk.clock.advance(days=700)
        assert await talk.found("quokka") == ["quokka season"]
