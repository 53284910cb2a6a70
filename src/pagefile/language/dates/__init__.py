"""Time expressions in English and Chinese, read against a given reference time and zone. No clock, no network, no model.

What the words are taken to mean, where people differ:

- Weeks begin on Monday. "Last week", "last month", 上周 are those of the calendar; "the past week", 最近七天 and "in the last
  month" reach back from now, as whole days, today among them.
- "Three days ago" is that day, "two months ago" that month of the calendar, "five years ago" that year. Weeks and hours have no
  names: "two weeks ago" is the seven days around that day, "two hours ago" the hour around that moment.
- "A couple" is 2 to 3, "a few", "several", 几 are 2 to 7: "a few days ago" reaches from 7 days ago to 2 days ago.
- "Last Friday" is the latest one before today, "next Friday" that of next week, "this Friday" and 周五 with 本 or 这 that of this
  week. A bare weekday is never today. A bare date, month, season or holiday is the latest one that has begun, unless words
  of the future stand close by ("will", "by", 要, 打算) or ``prefer`` says so.
- Morning is 5 to 12, afternoon 12 to 18, evening 17 to 24, night and 晚上 18 to 6, 凌晨 0 to 6. A part of the day without a day
  ("in the morning") is a habit, not a time, unless it is the whole text. "At 3", 三点 are in the afternoon until more is said.
- "Early", "mid" and "late" are thirds; the beginning and the end of a year are two months. Seasons are the northern ones.
- 春节 is the seven days from the first of the Chinese year, 国庆 and 十一 are 1 to 7 October, 五一 is 1 to 5 May.
- "Since" and "after" leave the end open, "before", "until" and "by" the start. "From May 3 to May 10" has both days; "from 3pm to
  5pm" ends at five.
- What repeats ("every Friday", 每周三) is no single time and is left out. What nobody can tell from the words ("back then", 上次)
  or what does not exist (30 February) is an UnknownTime.
"""

from __future__ import annotations

from pagefile.language.dates.finding import find_times, parse_time
from pagefile.language.dates.times import Direction, Found, Precision, TimeRange, UnknownTime

__all__ = ["Direction", "Found", "Precision", "TimeRange", "UnknownTime", "find_times", "parse_time"]
