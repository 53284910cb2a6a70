"""Chinese time expressions, as a table of rules. The text has been folded to simplified characters and half-width figures."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

from pagefile.language.dates import holidays, unreadable
from pagefile.language.dates.chinese_words import (
    AMOUNT,
    NUMERAL,
    PARTS_OF_DAY,
    SHORT_PARTS,
    WEEKDAYS,
    amount,
    integer,
)
from pagefile.language.dates.parts import share
from pagefile.language.dates.rules import REPEATED, UNREADABLE, Meaning, Part, Reader, Rule, one_of
from pagefile.language.dates.spans import (
    DAY,
    SECONDS,
    Amount,
    Now,
    Recurring,
    Span,
    Unit,
    add_months,
    away,
    clock,
    day_of_month,
    day_of_week,
    day_of_year,
    days,
    decade,
    in_cycle,
    lasting,
    month_of_year,
    months,
    quarter,
    quarter_of,
    weekend,
    whole,
    year,
)

MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九元])"
LAST_MONTH = r"(?P<last_month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
DAY_NUMBER = r"(?P<day>3[01]|[12][0-9]|0?[1-9]|[二三廿]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九])"
LAST_DAY = DAY_NUMBER.replace("<day>", "<last>")
_LUNAR_DAY = rf"(?P<day>初?(?:{DAY_NUMBER.replace('?P<day>', '?:')}))?[日号]?"
TO = r"\s?(?:-|~|到|至)\s?"
#: No figure and no Chinese digit may stand just before.
ALONE = r"(?<![0-9〇零一二两三四五六七八九十廿百第个.])"
NOT_COUNTED = r"(?<![〇零一二三四五六七八九十百第周0-9])"
WEEK = "(?:周|星期|礼拜)"
#: Not the beginning of another word: 上周日本队, 上周天气, 上周一起, 上周三次.
WEEKDAY = (
    r"(?P<weekday>[二三四五六](?![次个遍趟回篇本顿节位名条种十])|一(?![次个遍趟回样直些共般定边旦]|起(?!床|飞|来|程))|"
    r"日(?![本程期报常用语记]|子)|天(?![气天]))"
)
WEEKDAY_AFTER = WEEKDAY.replace("<weekday>", "<last>")

STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
WHICH = r"(?P<which>上上|下下|(?<![晚早以路马网线天身手地])[上下]|这|本)一?个?"
YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2, "大后年": 3}
DAYS = {"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3}
SHORT_DAYS = {"前": -2, "昨": -1, "今": 0, "明": 1}

#: What may not stand around a holiday's name.
_NOT_HOLIDAY = r"(?!树|老人|礼物|礼品|歌|帽|卡|快乐|晚会|联欢|贺|红包|套餐|度|轻|级|龄|代|会|糕|上河)"
_NUMBER_NAMES = ("五一", "六一", "十一")
_HOLIDAY_TAIL = r"节?(?:当天|当日|那天|假期|小长假|长假|黄金周|期间)?"

IN = r"(?:在|于|从|自|到|等|直到|[上前]个)"


def _integer(written: str) -> int:
    return 1 if written == "元" else integer(written)


def _week(match: re.Match[str], now: Now) -> Span | None:
    what = day_of_week(WEEKDAYS[match["weekday"]]) if match["weekday"] else whole("week")
    return in_cycle(what, now.local, STEPS[match["which"]])


def _stepped(what: Recurring) -> Reader:
    return lambda match, now: in_cycle(what, now.local, STEPS[match["which"]])


def _month_days(match: re.Match[str], now: Now) -> Meaning:
    number, first = _integer(match["month"]), integer(match["day"])
    last = integer(match["last"]) if match.groupdict().get("last") else None
    if (last is not None and last < first) or max(first, last or 0) > (29 if number == 2 else 30 if number in (4, 6, 9, 11) else 31):
        return UNREADABLE
    return day_of_year(number, first, last)


def _day_of_month(match: re.Match[str], now: Now) -> Recurring | None:
    first, last = integer(match["day"]), integer(match["last"]) if match.groupdict().get("last") else None
    return day_of_month(first, last) if first <= (last or first) <= 31 else None


def _year(match: re.Match[str], now: Now) -> Span | None:
    number = integer(match["year"])
    if number < 100:
        number += 2000 if number < 70 else 1900
    return year(number) if 1900 <= number < 2100 else None


def _decade(match: re.Match[str], now: Now) -> Span | None:
    number = integer(match["decade"])
    if number % 10:
        return None
    if number < 100:
        number += 1900 if number >= 30 or match["century"] else 2000
    return decade(number)


def _short_day(match: re.Match[str], now: Now) -> Span | None:
    part = PARTS_OF_DAY["早" if match["part"] in "早晨" else "晚"]
    return in_cycle(part, now.local, SHORT_DAYS[match["day"]])


def _ago(match: re.Match[str], now: Now) -> Meaning | None:
    count, unit = amount(match)
    # 2023年前 is "before 2023", and 27日前 before the 27th.
    if (unit == "year" and count.low >= 1000) or (match["unit"] == "日" and match["number"].isascii()):
        return None
    return away(now, count, unit, -1 if "前" in match["side"] else 1)


def _lasting(side: Literal[-1, 1]) -> Reader:
    def read(match: re.Match[str], now: Now) -> Span | None:
        count, unit = amount(match)
        # 这两天 is a time, 这15分钟 how long something takes.
        return None if match[0][0] == "这" and unit in SECONDS else lasting(now, count, unit, side)

    return read


def _within(match: re.Match[str], now: Now) -> Span | None:
    """三天内 is a time; 三秒内 is how long something takes."""
    count, unit = amount(match)
    return None if unit in SECONDS else lasting(now, count, unit, 1)


def _a_few_ago(match: re.Match[str], now: Now) -> Span:
    """前几天 is the last few days, today left out; 前两天 is two or three days."""
    unit: Unit = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}[match["unit"]]  # type: ignore[assignment]
    return away(now, Amount(1, 3 if match["few"] == "两" else 7), unit, -1)


def _clock(match: re.Match[str], now: Now) -> Recurring | None:
    hour, written = integer(match["hour"]), match["minute"]
    if hour > 24:
        return None
    minute = {"半": 30, "一刻": 15, "三刻": 45, None: None}.get(written, -1)
    if minute == -1:
        minute = integer(written.rstrip("分").removeprefix("过"))
    return clock(hour, minute, half_day=True) if minute is None or minute < 60 else None


def _lunar(match: re.Match[str], now: Now) -> Recurring | None:
    number = {"正": 1, "冬": 11, "腊": 12}.get(match["lunar"]) or integer(match["lunar"])
    if match["day"] is None:
        return holidays.lunar_month(number)
    day = integer(match["day"].removeprefix("初"))
    return holidays.lunar(number, day) if day <= 30 else None


def _nearest_place(match: re.Match[str], now: Now) -> Meaning | None:
    """最近 is "recently", but in 离我最近 it is "nearest"."""
    return None if re.search("[离距]", match.string[max(0, match.start() - 8) : match.start()]) else UNREADABLE


def _third_of_month(first: int, last: int | None) -> Recurring:
    def span_in(start: datetime) -> Span:
        end = months(start).end if last is None else start + last * DAY
        return Span(start + (first - 1) * DAY, end, "day")

    return Recurring("month", span_in)


def _months_of_year(first: int, count: int) -> Recurring:
    return Recurring("year", lambda start: months(start.replace(month=first), count))


def _fixed(meaning: Meaning) -> Reader:
    return lambda match, now: meaning


_RELATIVE: tuple[Rule, ...] = (
    Rule(
        r"(?:大前天|(?<!以)前天(?!天)|昨[天日]|今天|今日(?!头条)|明[天日]|(?<!先)(?<!先天)后天(?![气天努]|养成|因素|培养|形成)|大后天)",
        lambda match, now: days(now.today + DAYS[match[0]] * DAY),
    ),
    Rule(r"(?<![目之以日天])(?P<day>前|昨|今|明)(?P<part>早|晨|晚|夜)上?", _short_day),
    Rule("刚才|方才", lambda match, now: lasting(now, Amount(1, 1), "hour", -1)),
    Rule(rf"(?<![第年月]){AMOUNT}(?:左右)?(?P<side>以前|之前|前(?![后臂往进面台])|以后|之后|过后|后(?!天))", _ago),
    Rule(r"(?:^|(?<=[，。,.!?！？\s我你他她们就在是]))前(?P<few>[几两])(?:个)?(?P<unit>天|周|星期|礼拜|月|年)", _a_few_ago),
    Rule(rf"(?:[再等]过|(?:^|(?<=[，。,\s我你他她们]))过){AMOUNT}(?:以后|之后|后)?", lambda match, now: away(now, *amount(match), 1)),
    Rule(
        r"(?:最近|过去|刚过去|此前|之前|(?<![附最接临将靠])近|这(?!一[天日])|(?<![晚早以])上(?=[两几三四五六]))的?这?"
        rf"{AMOUNT}(?:以来|之内|内|里|间)?",
        _lasting(-1),
    ),
    Rule(rf"(?:未来|接下来|今后|往后|随后|(?<!以)下(?=[两几三四五六]))的?{AMOUNT}(?:之内|内|里|间)?", _lasting(1)),
    Rule(rf"(?<![第年月]){AMOUNT}(?:以内|之内|内)", _within),
    Rule(rf"{WHICH}{WEEK}{WEEKDAY}?", _week),
    Rule(
        rf"{WHICH}{WEEK}{WEEKDAY}{TO}{WEEK}?{WEEKDAY_AFTER}",
        lambda match, now: in_cycle(day_of_week(WEEKDAYS[match["weekday"]], WEEKDAYS[match["last"]]), now.local, STEPS[match["which"]]),
    ),
    Rule(rf"{WHICH}周末", _stepped(weekend())),
    Rule(rf"{WHICH}月(?![亮球光饼经薪票色台])", _stepped(whole("month"))),
    Rule(rf"{WHICH}季度", lambda match, now: quarter_of(now.local, STEPS[match["which"]])),
    Rule(
        r"(?<![大目之以])(?:大前年|前年|去年|上一年|今年|本年|明年|(?<![本原])来年|(?<![以之])后年|大后年)",
        lambda match, now: year(now.local.year + YEARS[match[0]]),
    ),
    Rule(r"大前年|大后年", lambda match, now: year(now.local.year + YEARS[match[0]])),
)

_CALENDAR: tuple[Rule, ...] = (
    Rule(r"(?<![0-9])(?P<year>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3})年(?!代|级)", _year),
    Rule(r"(?<![0-9])(?P<year>[0-9]{2})年(?=[0-9]{1,2}月|年?[初底末]|春|夏|秋|冬|上半|下半)", _year),
    Rule(r"(?<![〇零一二三四五六七八九十])(?P<year>[九八〇零][〇零一二三四五六七八九])年(?![代级前后的]|以|之)", _year),
    Rule(r"(?P<century>(?:上个?|20|二十)世纪)?(?<![0-9])(?P<decade>(?:19|20)?[0-9]0|[二三四五六七八九]十)年代", _decade),
    Rule(
        rf"{ALONE}{MONTH}月份?(?![亮球光饼经薪票色台天嫂子]|以?[前后]?(?:个)月)", lambda match, now: month_of_year(_integer(match["month"]))
    ),
    Rule(
        rf"{ALONE}{MONTH}月?份?{TO}{LAST_MONTH}月份?",
        lambda match, now: month_of_year(_integer(match["month"]), integer(match["last_month"])),
    ),
    Rule(rf"{ALONE}{MONTH}月份?的?{DAY_NUMBER}[日号]", _month_days),
    Rule(rf"{ALONE}{MONTH}月{DAY_NUMBER}[日号]?{TO}{LAST_DAY}[日号]", _month_days),
    Rule(rf"{ALONE}{MONTH}月{DAY_NUMBER}(?![0-9个次只位天年月点时:：.]|[十百])", _month_days, ""),
    Rule(rf"{ALONE}{DAY_NUMBER}号(?![楼线馆门桌院车厅房室位机柜选球床文公路店台井仓库字电染码])", _day_of_month),
    Rule(rf"{ALONE}(?<![元今昨明前后]){DAY_NUMBER}日(?![游内元本语程常记用报])", _day_of_month, IN),
    Rule(rf"{ALONE}{DAY_NUMBER}[日号]?{TO}{LAST_DAY}[日号](?![楼线馆门桌院车])", _day_of_month, IN),
    Rule(rf"(?<![一两二三四五六七八九十几每半上下这本整0-9个]){WEEK}{WEEKDAY}", lambda match, now: day_of_week(WEEKDAYS[match["weekday"]])),
    Rule(
        rf"(?<![一两二三四五六七八九十几每半上下这本0-9个]){WEEK}{WEEKDAY}{TO}{WEEK}?{WEEKDAY_AFTER}",
        lambda match, now: day_of_week(WEEKDAYS[match["weekday"]], WEEKDAYS[match["last"]]),
    ),
    Rule(r"周末(?!愉快|快乐)|(?:周|星期|礼拜)六[日天]", _fixed(weekend())),
    Rule(r"去年的?今[天日]", lambda match, now: days(add_months(now.today, -12))),
    Rule(r"第?(?P<quarter>[一二三四1-4])季度", lambda match, now: quarter(integer(match["quarter"]))),
    Rule(r"上半年", _fixed(_months_of_year(1, 6))),
    Rule(r"下半年", _fixed(_months_of_year(7, 6))),
    Rule(r"上旬|月初", _fixed(_third_of_month(1, 10))),
    Rule(r"中旬|月中(?!旬)", _fixed(_third_of_month(11, 20))),
    Rule(r"下旬|月[底末]", _fixed(_third_of_month(21, None))),
    Rule(rf"(?<![{NUMERAL[1:-1]}0-9半])年初(?![一二三四五六七八九十])", _fixed(_months_of_year(1, 2))),
    Rule(rf"(?<![{NUMERAL[1:-1]}0-9半])(?:年[底末]|岁末)", _fixed(_months_of_year(11, 2))),
    Rule(rf"(?<![{NUMERAL[1:-1]}0-9半])年中(?!秋|国)", _fixed(_months_of_year(5, 4)), IN),
    Rule(r"(?<=[年月份])初(?![一二三四五六七八九十中级])", _fixed(Part(share(0, 1, edge=True))), ""),
    Rule(r"(?<=[年月份])中(?![旬国午秋考学期间文心])", _fixed(Part(share(1, 2))), ""),
    Rule(r"(?<=[年月份])[底末]", _fixed(Part(share(2, 3, edge=True))), ""),
    Rule(r"(?<!青)(?P<season>[春夏秋冬])[天季](?!里的)", lambda match, now: holidays.SEASONS[match["season"]], IN),
    Rule(r"(?<=年)(?:的)?(?P<season>[春夏秋冬])(?![天季节游运装])", lambda match, now: holidays.SEASONS[match["season"]], ""),
    Rule(r"今(?P<season>[春夏秋冬])", lambda match, now: in_cycle(holidays.SEASONS[match["season"]], now.local)),
    Rule(r"去(?P<season>[夏秋冬])", lambda match, now: in_cycle(holidays.SEASONS[match["season"]], now.local, -1)),
    Rule(
        rf"(?<![大从更全最崭去来经])(?P<holiday>{one_of(name for name in holidays.CHINESE if name not in _NUMBER_NAMES)})"
        rf"{_HOLIDAY_TAIL}{_NOT_HOLIDAY}",
        lambda match, now: holidays.CHINESE[match["holiday"]],
    ),
    Rule(
        rf"{NOT_COUNTED}(?P<holiday>五一|六一)(?![〇零一二三四五六七八九十百个路村街广年月号])(?:儿童节|劳动节)?{_HOLIDAY_TAIL}",
        lambda match, now: holidays.CHINESE[match["holiday"]],
    ),
    Rule(
        rf"{NOT_COUNTED}(?<!双)十一(?=假|长假|黄金周|期间|那|放|去|回|出|我|前|后|之[前后]|以[前后]|$|[，。？！?,.\s]){_HOLIDAY_TAIL}",
        _fixed(holidays.CHINESE["十一"]),
        r"年|[，。,]\s*|^|[我们]",
    ),
    Rule(
        rf"(?:农历|阴历|旧历)(?P<lunar>[正冬腊]|十[一二]?|[一二三四五六七八九]|[0-9]{{1,2}})月{_LUNAR_DAY}",
        _lunar,
    ),
    Rule(rf"(?P<lunar>[正冬腊])月{_LUNAR_DAY}", _lunar),
    # The days of the common calendar are never counted with 初.
    Rule(r"(?P<lunar>十[一二]?|[一二三四五六七八九])月(?P<day>初[一二三四五六七八九十])", _lunar),
    Rule(r"(?:大年|年|春节)(?P<day>初[一二三四五六七八九十])", lambda match, now: holidays.lunar(1, integer(match["day"][1:]))),
)

_HOUR = r"(?P<hour>2[0-4]|1[0-9]|0?[0-9]|[二廿]?十[一二三四五六七八九]?|[零一二两三四五六七八九])"
#: 点 is also a point made, or a little: 这三点建议, 有一点, 晚一点.
NO_POINT = rf"{ALONE}(?<![有几差快慢重要优缺特以这那])(?!(?<=[早晚])一)"
_POINTS = "建议|要求|意见|理由|原因|内容|注意|经验|问题|以下"
_MINUTE = r"(?P<minute>半|[一三]刻|过?(?:[0-5]?[0-9]|[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九])分?)"
_OF_DAY: tuple[Rule, ...] = (
    Rule(rf"{NO_POINT}{_HOUR}(?:点钟?|时){_MINUTE}(?!之)", _clock),
    Rule(rf"{ALONE}{_HOUR}(?P<minute>)?点[钟整]", lambda match, now: clock(integer(match["hour"]), half_day=True)),
    Rule(
        rf"{NO_POINT}(?P<hour>[0-9]{{1,2}})点(?:多|左右)?(?![0-9儿是感]|{_POINTS})",
        lambda match, now: clock(int(match["hour"]), half_day=True) if int(match["hour"]) <= 24 else None,
    ),
    Rule(
        rf"{NO_POINT}{_HOUR}(?:点|时)(?:多|左右)?(?![都也儿不没小就之]|{_POINTS})",
        lambda match, now: clock(integer(match["hour"]), half_day=True),
        r"[我你他她们在到]",
    ),
    Rule(one_of(name for name in PARTS_OF_DAY if name not in SHORT_PARTS) + "(?!茶|好)", lambda match, now: PARTS_OF_DAY[match[0]], ""),
    Rule(r"(?<=[天日号一二三四五六末])[早晚夜](?![点餐饭会班安午])上?", lambda match, now: PARTS_OF_DAY[match[0][0]], ""),
)

_NOT_ONE: tuple[Rule, ...] = (
    Rule(
        r"每个?(?:周末|早上|晚上|早晨|上午|中午|下午|季度|小时|分钟|月|天|日|年|晚|早|次)|每隔|每逢|每到|"
        r"每个?(?:周|星期|礼拜)[一二三四五六日天]?(?:[、和至到][一二三四五六日天])*",
        _fixed(REPEATED),
    ),
    Rule(rf"(?:一|每)个?(?:天|周|星期|礼拜|月|年|晚)(?:[0-9]+|{NUMERAL}{{1,3}})[次趟顿回遍]|天天|年年|月月|夜夜", _fixed(REPEATED)),
    Rule("每", _fixed(REPEATED), ""),
    Rule("|".join(unreadable.CHINESE), _fixed(UNREADABLE)),
    Rule(r"最近(?!一次|一回)", _nearest_place),
)

CHINESE: tuple[Rule, ...] = _RELATIVE + _CALENDAR + _OF_DAY + _NOT_ONE
