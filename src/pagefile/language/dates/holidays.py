"""Holidays and seasons that have a date or can be computed, under their English and Chinese names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pagefile.language.dates.lunar import FIRST_YEAR, LAST_YEAR, lunar_day
from pagefile.language.dates.spans import DAY, Recurring, Span, day_of_year, days, months

MONDAY, THURSDAY, SUNDAY = 0, 3, 6


def _yearly(first_day: Callable[[int], datetime | None], count: int = 1) -> Recurring:
    def span_in(start: datetime) -> Span | None:
        first = first_day(start.year)
        return days(first, count) if first is not None else None

    return Recurring("year", span_in)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> datetime:
    """The n-th Monday (0) … Sunday (6) of a month; -1 is the last."""
    if nth < 0:
        return nth_weekday(year + month // 12, month % 12 + 1, weekday, 1) + nth * 7 * DAY
    first = datetime(year, month, 1)
    return first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * DAY


def easter(year: int) -> datetime:
    """Easter Sunday of the western churches: the Gregorian computus in the form of Meeus, Jones and Butcher."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return datetime(year, month, day + 1)


#: Where the approximation is a day off.
_SOLAR_TERM_CORRECTIONS = {(1951, 12): 1, (1980, 12): 1, (1984, 12): 1, (2021, 12): -1}


def _solar_term(month: int, constant_1900s: float, constant_2000s: float) -> Callable[[int], datetime | None]:
    """A solar term of 1950 to 2099 by the usual approximation: a tropical year's drift less the leap days."""

    def first_day(year: int) -> datetime | None:
        if not 1950 <= year <= 2099:
            raise ValueError(f"solar terms are known from 1950 to 2099, not for {year}")
        of_century = year % 100
        day = int(of_century * 0.2422 + (constant_1900s if year < 2000 else constant_2000s))
        return datetime(year, month, day - of_century // 4 + _SOLAR_TERM_CORRECTIONS.get((year, month), 0))

    return first_day


def _nth(month: int, weekday: int, nth: int, later: int = 0) -> Recurring:
    return _yearly(lambda year: nth_weekday(year, month, weekday, nth) + later * DAY)


def _easter(later: int = 0, count: int = 1) -> Recurring:
    return _yearly(lambda year: easter(year) + later * DAY, count)


def lunar(month: int, day: int, later: int = 0, count: int = 1) -> Recurring:
    """A day of the Chinese year, by the common year it falls in (the twelfth month mostly ends in the next one)."""

    def first_day(year: int) -> datetime | None:
        if not FIRST_YEAR < year <= LAST_YEAR:
            raise ValueError(f"the Chinese calendar is known from {FIRST_YEAR + 1} to {LAST_YEAR}, not for {year}")
        for lunar_year in (year, year - 1):
            found = lunar_day(lunar_year, month, day)
            if found is not None and found.year == year:
                return found + later * DAY
        return None

    return _yearly(first_day, count)


def lunar_month(month: int) -> Recurring:
    """A whole month of the Chinese year, by the common year in which it begins."""
    first_day = lunar(month, 1)

    def span_in(start: datetime) -> Span | None:
        first = first_day.span_in(start)
        if first is None:
            return None
        long = any(lunar_day(year, month, 30) == first.start + 29 * DAY for year in (start.year, start.year - 1))
        return days(first.start, 30 if long else 29, "month")

    return Recurring("year", span_in)


def _season(first_month: int) -> Recurring:
    """Three whole months, as on the northern half of the earth. Winter belongs to the year in which it begins."""
    return Recurring("year", lambda start: months(start.replace(month=first_month), 3, "quarter"))


def _days(first: tuple[int, int], count: int) -> Recurring:
    return _yearly(lambda year: datetime(year, *first), count)


SPRING, SUMMER, AUTUMN, WINTER = (_season(month) for month in (3, 6, 9, 12))
CHRISTMAS_EVE, CHRISTMAS, NEW_YEARS_DAY = day_of_year(12, 24), day_of_year(12, 25), day_of_year(1, 1)
VALENTINES, WOMENS_DAY, FOOLS_DAY, HALLOWEEN = day_of_year(2, 14), day_of_year(3, 8), day_of_year(4, 1), day_of_year(10, 31)
LABOUR_DAY, CHILDRENS_DAY, SINGLES_DAY = day_of_year(5, 1), day_of_year(6, 1), day_of_year(11, 11)
EASTER, MOTHERS_DAY, FATHERS_DAY, THANKSGIVING = _easter(), _nth(5, SUNDAY, 2), _nth(6, SUNDAY, 3), _nth(11, THURSDAY, 4)
QINGMING, WINTER_SOLSTICE = _yearly(_solar_term(4, 5.59, 4.81)), _yearly(_solar_term(12, 22.60, 21.94))
#: New Year's Day and the six days after it: what people mean by "over the Spring Festival".
SPRING_FESTIVAL = lunar(1, 1, count=7)
LUNAR_NEW_YEARS_EVE = lunar(1, 1, later=-1)
LANTERN, DRAGON_BOAT, QIXI, GHOST, MID_AUTUMN, DOUBLE_NINTH = (
    lunar(month, day) for month, day in ((1, 15), (5, 5), (7, 7), (7, 15), (8, 15), (9, 9))
)

ENGLISH: dict[str, Recurring] = {
    "christmas eve": CHRISTMAS_EVE,
    "christmas day": CHRISTMAS,
    "christmas": CHRISTMAS,
    "xmas": CHRISTMAS,
    "boxing day": day_of_year(12, 26),
    "new year's eve": day_of_year(12, 31),
    "new years eve": day_of_year(12, 31),
    "new year's day": NEW_YEARS_DAY,
    "new year's": NEW_YEARS_DAY,
    "new years": NEW_YEARS_DAY,
    "chinese new year": SPRING_FESTIVAL,
    "lunar new year": SPRING_FESTIVAL,
    "spring festival": SPRING_FESTIVAL,
    "lantern festival": LANTERN,
    "qingming festival": QINGMING,
    "qingming": QINGMING,
    "tomb sweeping day": QINGMING,
    "dragon boat festival": DRAGON_BOAT,
    "mid-autumn festival": MID_AUTUMN,
    "mid autumn festival": MID_AUTUMN,
    "double ninth festival": DOUBLE_NINTH,
    "golden week": _days((10, 1), 7),
    "singles' day": SINGLES_DAY,
    "martin luther king day": _nth(1, MONDAY, 3),
    "mlk day": _nth(1, MONDAY, 3),
    "groundhog day": day_of_year(2, 2),
    "valentine's day": VALENTINES,
    "valentines day": VALENTINES,
    "valentine's": VALENTINES,
    "presidents' day": _nth(2, MONDAY, 3),
    "presidents day": _nth(2, MONDAY, 3),
    "mardi gras": _easter(-47),
    "ash wednesday": _easter(-46),
    "international women's day": WOMENS_DAY,
    "women's day": WOMENS_DAY,
    "st. patrick's day": day_of_year(3, 17),
    "st patrick's day": day_of_year(3, 17),
    "april fools' day": FOOLS_DAY,
    "april fool's day": FOOLS_DAY,
    "april fools day": FOOLS_DAY,
    "april fools": FOOLS_DAY,
    "palm sunday": _easter(-7),
    "good friday": _easter(-2),
    "easter sunday": EASTER,
    "easter monday": _easter(1),
    "easter weekend": _easter(-2, 4),
    "easter": EASTER,
    "earth day": day_of_year(4, 22),
    "cinco de mayo": day_of_year(5, 5),
    "may day": LABOUR_DAY,
    "mother's day": MOTHERS_DAY,
    "mothers day": MOTHERS_DAY,
    "memorial day": _nth(5, MONDAY, -1),
    "children's day": CHILDRENS_DAY,
    "father's day": FATHERS_DAY,
    "fathers day": FATHERS_DAY,
    "juneteenth": day_of_year(6, 19),
    "canada day": day_of_year(7, 1),
    "independence day": day_of_year(7, 4),
    "fourth of july": day_of_year(7, 4),
    "4th of july": day_of_year(7, 4),
    "bastille day": day_of_year(7, 14),
    "labor day weekend": _yearly(lambda year: nth_weekday(year, 9, MONDAY, 1) - 2 * DAY, 3),
    "labor day": _nth(9, MONDAY, 1),
    "labour day": LABOUR_DAY,
    "columbus day": _nth(10, MONDAY, 2),
    "indigenous peoples' day": _nth(10, MONDAY, 2),
    "halloween": HALLOWEEN,
    "all saints' day": day_of_year(11, 1),
    "guy fawkes night": day_of_year(11, 5),
    "veterans day": day_of_year(11, 11),
    "remembrance day": day_of_year(11, 11),
    "armistice day": day_of_year(11, 11),
    "thanksgiving day": THANKSGIVING,
    "thanksgiving": THANKSGIVING,
    "black friday": _nth(11, THURSDAY, 4, 1),
    "cyber monday": _nth(11, THURSDAY, 4, 4),
}

CHINESE: dict[str, Recurring] = {
    "元旦": NEW_YEARS_DAY,
    "新年": NEW_YEARS_DAY,
    "跨年夜": day_of_year(12, 31),
    "春节": SPRING_FESTIVAL,
    "过年": SPRING_FESTIVAL,
    "大年": SPRING_FESTIVAL,
    "农历新年": SPRING_FESTIVAL,
    "大年初一": lunar(1, 1),
    "除夕夜": LUNAR_NEW_YEARS_EVE,
    "除夕": LUNAR_NEW_YEARS_EVE,
    "大年三十": LUNAR_NEW_YEARS_EVE,
    "年三十": LUNAR_NEW_YEARS_EVE,
    "小年": lunar(12, 23),
    "腊八": lunar(12, 8),
    "元宵": LANTERN,
    "情人节": VALENTINES,
    "妇女节": WOMENS_DAY,
    "三八节": WOMENS_DAY,
    "植树节": day_of_year(3, 12),
    "愚人节": FOOLS_DAY,
    "清明": QINGMING,
    "复活节": EASTER,
    "劳动节": LABOUR_DAY,
    "青年节": day_of_year(5, 4),
    "五一": _days((5, 1), 5),
    "母亲节": MOTHERS_DAY,
    "护士节": day_of_year(5, 12),
    "儿童节": CHILDRENS_DAY,
    "六一": CHILDRENS_DAY,
    "端午": DRAGON_BOAT,
    "父亲节": FATHERS_DAY,
    "建党节": day_of_year(7, 1),
    "建军节": day_of_year(8, 1),
    "七夕": QIXI,
    "中元": GHOST,
    "教师节": day_of_year(9, 10),
    "中秋": MID_AUTUMN,
    "国庆": _days((10, 1), 7),
    "十一": _days((10, 1), 7),
    "黄金周": _days((10, 1), 7),
    "重阳": DOUBLE_NINTH,
    "万圣": HALLOWEEN,
    "光棍节": SINGLES_DAY,
    "双十一": SINGLES_DAY,
    "双11": SINGLES_DAY,
    "感恩节": THANKSGIVING,
    "黑色星期五": _nth(11, THURSDAY, 4, 1),
    "双十二": day_of_year(12, 12),
    "双12": day_of_year(12, 12),
    "618": day_of_year(6, 18),
    "冬至": WINTER_SOLSTICE,
    "平安夜": CHRISTMAS_EVE,
    "圣诞": CHRISTMAS,
    "暑假": _days((7, 1), 62),
}

SEASONS: dict[str, Recurring] = {
    "spring": SPRING,
    "summer": SUMMER,
    "autumn": AUTUMN,
    "fall": AUTUMN,
    "winter": WINTER,
    "春": SPRING,
    "夏": SUMMER,
    "秋": AUTUMN,
    "冬": WINTER,
}
