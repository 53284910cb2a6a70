"""Chinese words of time, and what they count. Traditional characters are folded to simplified before the rules look."""

from __future__ import annotations

import re

from pagefile.language.dates.rules import one_of
from pagefile.language.dates.spans import Amount, Recurring, Unit, part_of_day

#: One character for one character, so that spans stay. Only what the rules below use.
TRADITIONAL = dict(
    zip(
        "週號點後這個兩過鐘農曆禮國慶節聖誕勞動兒婦陽臘開頭內從時間幾來剛淩處當陣長舊雙萬親師進學將會說裡裏歷復現聽約計劃準備歲終紀並於",
        "周号点后这个两过钟农历礼国庆节圣诞劳动儿妇阳腊开头内从时间几来刚凌处当阵长旧双万亲师进学将会说里里历复现听约计划准备岁终纪并于",
        strict=True,
    )
)

_DIGITS = ("〇零", "一", "二两俩", "三仨", "四", "五", "六", "七", "八", "九")
DIGITS = {character: value for value, characters in enumerate(_DIGITS) for character in characters}
_TENS = {"十": 10, "廿": 20, "卅": 30}

NUMERAL = "[一二两俩三仨四五六七八九十廿卅百零〇]"
#: A number, a vague number or a half, before a unit.
NUMBER = (
    rf"(?P<number>[0-9]{{1,4}}(?:\.[0-9])?|半|好几|几十|[几数]|{NUMERAL}{{1,5}}几?)"
    rf"(?:[-~到至](?P<upper>[0-9]{{1,4}}|{NUMERAL}{{1,3}}))?(?P<more>多|来)?"
)
UNITS: dict[str, Unit] = {
    "秒钟": "second",
    "秒": "second",
    "分钟": "minute",
    "刻钟": "minute",
    "个小时": "hour",
    "小时": "hour",
    "个钟头": "hour",
    "钟头": "hour",
    "天": "day",
    "日": "day",
    "晚": "day",
    "个晚上": "day",
    "个周末": "weekend",
    "周": "week",
    "星期": "week",
    "个星期": "week",
    "个礼拜": "week",
    "礼拜": "week",
    "个月": "month",
    "个季度": "quarter",
    "年": "year",
    "个年头": "year",
}
#: "三个半月", "一个多月", "两年半": the half stands inside or behind.
AMOUNT = (
    rf"{NUMBER}(?:(?P<unit>{one_of(UNITS)})(?P<half_after>半)?|个(?:(?P<half>半)|(?P<some_more>多))(?P<counted>月|小时|星期|钟头|礼拜))"
)

PARTS_OF_DAY: dict[str, Recurring] = {
    "凌晨": part_of_day(0, 6),
    "清晨": part_of_day(4, 9),
    "清早": part_of_day(4, 9),
    "一大早": part_of_day(4, 9),
    "早上": part_of_day(5, 12),
    "早晨": part_of_day(5, 12),
    "上午": part_of_day(6, 12),
    "早": part_of_day(5, 12),
    "中午": part_of_day(11, 14),
    "午后": part_of_day(12, 18),
    "下午": part_of_day(12, 18),
    "傍晚": part_of_day(16, 20),
    "晚上": part_of_day(18, 30),
    "夜里": part_of_day(18, 30),
    "夜晚": part_of_day(18, 30),
    "深夜": part_of_day(21, 30),
    "半夜": part_of_day(21, 30),
    "午夜": part_of_day(21, 30),
    "晚": part_of_day(18, 30),
    "夜": part_of_day(18, 30),
}
#: One character, only right behind a day: 今早, 昨晚, 周三晚.
SHORT_PARTS = ("早", "晚", "夜")

WEEKDAYS: dict[str, int] = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}


def integer(written: str) -> int:
    """Read 12, 十二, 二十, 廿五, 一百二十, 二〇二三. Raises ValueError if it is no number."""
    if written.isascii():
        return int(written)
    if not any(character in "十百廿卅" for character in written):
        return int("".join(str(_digit(character)) for character in written))
    total, current = 0, 0
    for character in written:
        if character in "十百":
            total += (current or 1) * (10 if character == "十" else 100)
            current = 0
        elif character in _TENS:
            total += _TENS[character]
        else:
            current = _digit(character)
    return total + current


def _digit(character: str) -> int:
    if character not in DIGITS:
        raise ValueError(f"{character!r} is no Chinese digit")
    return DIGITS[character]


def _count(written: str, more: bool) -> Amount:
    if written == "半":
        return Amount(0.5, 0.5)
    if written in ("几", "数", "好几"):
        return Amount(2, 7)
    if written[-1] in "几数":
        tens = integer(written[:-1])
        # 二十几 is 21 to 29; 几十 does not come here.
        return Amount(tens + 1, tens + 9)
    if len(written) == 2 and written[0] in DIGITS and written[1] in DIGITS and 0 < DIGITS[written[0]] < DIGITS[written[1]]:
        # 一两天, 三五年
        return Amount(DIGITS[written[0]], DIGITS[written[1]])
    if written == "几十":
        return Amount(20, 90)
    number = float(written) if written[0].isascii() else float(integer(written))
    # 一个多月 is one to two months; 二十多天 is 20 to 29 days.
    return Amount(number, number + (9 if number >= 10 and number % 10 == 0 else 1)) if more else Amount(number, number)


def amount(match: re.Match[str]) -> tuple[Amount, Unit]:
    """The amount and unit of a match of AMOUNT."""
    unit = UNITS[match["unit"] or "个" + match["counted"]]
    count = _count(match["number"], bool(match["more"] or match["some_more"]))
    times = 15 if match["unit"] == "刻钟" else 1
    half = 0.5 if match["half"] or match["half_after"] else 0.0
    high = max(count.low, _count(match["upper"], False).high) if match["upper"] else count.high
    return Amount((count.low + half) * times, (high + half) * times), unit
