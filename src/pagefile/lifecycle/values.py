"""Whether two values say the same: in other words, another language, another number or with more detail. Pure.

Comparison is careful: values that are merely alike ("Beijing" and "Nanjing", "peanuts" and "peanut butter") are different, and no word that
says no is ever left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.value_words import ENGLISH_FOR, LANGUAGE_FOR, NUMBER_WORDS, SPELT

#: Of a first value to a second one. "refines": it says all that the second says, and more. "vaguer": the other way round. "recounted": the
#: same things in another number ("three cats", "two cats").
Likeness: TypeAlias = Literal["same", "refines", "vaguer", "recounted", "different"]

#: Values that are phrases rather than names: the order of their words, and small words, do not count.
PHRASES = frozenset({"habit", "plan", "deadline", "goal", "constraint", "answer style", "experience", "health", "note"})
_TASTES = frozenset({"likes", "diet", "allergy"})
_COUNTED = frozenset({"pet", "child", "sibling", "owns", "friend"})
_PLACES = frozenset({"residence", "hometown", "address", "visited"})
_BODIES = frozenset({"employer", "school"})
_LANGUAGES = frozenset({"language", "preferred language"})
#: More than this share of their words in common: readings of the same words are taken for one.
_RESEMBLING = 0.8


def likeness(first: str, second: str, attribute: str) -> Likeness:
    """How the first value of an attribute (by canonical name) stands to the second."""
    if parse := _PARSED.get(attribute):
        one, other = parse(first), parse(second)
        if one is not None and other is not None:
            return _of_parsed(one, other)
    if words(first, attribute) == words(second, attribute):
        return "same"
    # Only a whole value is translated: for what stands within another one, both are looked at as they were written.
    a, b = written_words(first, attribute), written_words(second, attribute)
    if _denials(a) != _denials(b):
        return "different"
    if attribute in PHRASES and (found := _of_phrases(a, b)):
        return found
    if attribute in _COUNTED and (found := _of_counts(a, b)):
        return found
    if _adds_detail(first, a, b, attribute):
        return "refines"
    return "vaguer" if _adds_detail(second, b, a, attribute) else "different"


def same_value(first: str, second: str, attribute: str) -> bool:
    """Whether two values of an attribute (by canonical name) are the same fact in other words."""
    return likeness(first, second, attribute) == "same"


def resembles(first: str, second: str, attribute: str, *, loosely: bool = False) -> bool:
    """Whether two readings of the same words are likely one: nearly all of their words are the same, numbers and denials all of them.

    ``loosely``: also if one has all the words of the other, as two extractors cut a value out in different places.
    """
    return any(_are_alike(set(split(first, attribute)), set(split(second, attribute)), loosely=loosely) for split in (words, written_words))


def _are_alike(a: set[str], b: set[str], *, loosely: bool) -> bool:
    if _denials(a) != _denials(b) or any(each[0].isdigit() for each in a ^ b):
        return False
    return a == b or (loosely and (a <= b or b <= a)) or 2 * len(a & b) > _RESEMBLING * (len(a) + len(b))


def is_generic(value: str, attribute: str) -> bool:
    """Whether a value only says what the attribute says: "dog" or "pets" for a pet, "wife" or 妻子 for a partner."""
    plain = " ".join(word for word in _plain(value).split() if word not in _SMALL and word not in NUMBER_WORDS)
    named = attribute_of(_ONE.sub("", plain)).name
    return named == attribute or attribute_of(" ".join(words(value, attribute))).name == attribute


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- words ----------------------------------------------------------------------------------------------------------------

_HAN = "\u3400-\u9fff\U00020000-\U000323af"
_TOKEN = late_pattern(rf"[{_HAN}]|[^\W_{_HAN}]+(?:[.'][^\W_{_HAN}]+)*(?:\+\+|#)?")
_EDGES = " \t\r\n.,;:!?\"'()[]。，、；：！？“”‘’（）《》「」…~"
_NOT = late_pattern(r"n't\b|\b(?:(?P<verb>do|does|did|is|was|were|have|has|would|should|could)nt|(?P<can>ca)(?:nno|n)t|wont)\b")
#: One of a kind: 一只, 一名.
_ONE = late_pattern("[一1](?:个|只|名|位|条|种|家|辆|台|部|匹|间|份)(?=.)")
_COUNTER = late_pattern("(?<=[0-9])(?:个|只|名|位|条|种|家|辆|台|部|匹|头)")
_PARTICLES = late_pattern("[的了]")
_NUMERAL = late_pattern("[〇零一二两俩三四五六七八九十][〇零一二两三四五六七八九十百千万]*")
_DIGITS = {
    character: value
    for value, forms in enumerate(("〇零", "一", "二两俩", "三", "四", "五", "六", "七", "八", "九"))
    for character in forms
}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_HAN_SPELT = late_pattern("|".join(word for word in SPELT if not word.isascii()))

_SMALL = _set("a an the some any my our your his her their its s very really quite so just also too as both all")
#: Left out of phrases too.
_SMALLER = _set(
    "i me we you he she it they am is are was were be been being do does did have has had will would can could should must"
    " in on at of for with and or that this these those there then when usually always often every each"
)
#: With one of these in it, the order of the words matters.
_DIRECTIONS = _set("from to before after than")
_DENYING = _set("not no never without none neither nor non free less 不 没 无 非 未 别 勿 莫 戒 免 停 stop quit")
_TASTING = late_pattern(r"^(?:(?:to )?(?:eat|drink|play|do|listen to|eating|drinking|playing|doing|listening to) |[吃喝听打踢弹](?=.))")
_SUSTENANCE = late_pattern(r"(?<=\w) (?:foods?|stuff|things?|dish(?:es)?|products?)$|(?<=.)(?:东西|食物|食品|制品|类)$")
_SETTLED = late_pattern("(?<=..)(?:市|省|那边|这边|附近)$")
_COMPANY = late_pattern(r"(?<=\w) (?:inc|ltd|llc|corp|co|gmbh|company|corporation|plc|limited)$|(?<=..)(?:股份)?(?:有限)?(?:责任)?公司$")


@lru_cache(maxsize=16_384)
def words(value: str, attribute: str) -> tuple[str, ...]:
    """The words of a value as they are compared, in English where the tables have it: Latin ones without their endings, Chinese ones
    character by character."""
    plain = _plain(value)
    table = LANGUAGE_FOR if attribute in _LANGUAGES else ENGLISH_FOR
    found = written_words(value, attribute)
    for form in (plain, _shortened(plain, attribute), " ".join(found)):
        if form in table:
            return tuple(_tokens(table[form]))
    return found


@lru_cache(maxsize=16_384)
def written_words(value: str, attribute: str) -> tuple[str, ...]:
    """The words of a value, as ``words`` gives them, in the language they are written in."""
    return tuple(_tokens(_shortened(_plain(value), attribute)))


def _plain(value: str) -> str:
    folded = simplified(fold(simplify(value))).strip()
    return " ".join((folded.strip(_EDGES) or folded).split())


def _shortened(plain: str, attribute: str) -> str:
    """The value without what says nothing."""
    shorter = _ONE.sub("", _PARTICLES.sub("", plain)) or plain
    shorter = re.sub(r"^(?:(?:an?|the|some|my|our|as|to) )+(?=.)", "", shorter)
    if attribute in _TASTES:
        shorter = _SUSTENANCE.sub("", _TASTING.sub("", shorter))
    elif attribute in _PLACES:
        shorter = _SETTLED.sub("", shorter)
    elif attribute == "employer":
        shorter = _COMPANY.sub("", shorter)
    return shorter


def _tokens(plain: str) -> list[str]:
    text = _NOT.sub(_spelled_out, plain)
    text = _COUNTER.sub("", _NUMERAL.sub(lambda match: str(_number(match[0])), _HAN_SPELT.sub(lambda match: SPELT[match[0]], text)))
    text = text.replace("号", "日")
    found = [_stem(token) for token in _TOKEN.findall(text)]
    kept = [token for token in _joined_numbers(found) if token not in _SMALL]
    # Of signs alone, the signs.
    return kept or found or plain.split()


def _spelled_out(match: re.Match[str]) -> str:
    return f"{match['verb'] or ('can' if match['can'] else 'will' if match[0] == 'wont' else '')} not"


def _number(written: str) -> int:
    if not any(character in _UNITS for character in written):
        return int("".join(str(_DIGITS[character]) for character in written))
    total, current = 0, 0
    for character in written:
        if character in _UNITS:
            total = (total + current) * 10_000 if character == "万" else total + (current or 1) * _UNITS[character]
            current = 0
        else:
            current = _DIGITS[character]
    return total + current


def _joined_numbers(tokens: list[str]) -> list[str]:
    """Number words as figures; "twenty five" is one number."""
    found: list[str] = []
    for token in tokens:
        number = NUMBER_WORDS.get(token)
        if number is not None and number < 10 and found and found[-1] in ("20", "30", "40", "50", "60", "70", "80", "90"):
            found[-1] = str(int(found[-1]) + number)
        else:
            found.append(token if number is None else str(number))
    return found


_VOWEL = late_pattern("[aeiouy]")
_BRITISH = late_pattern("(?<=col|lav|hon|hum|ghb|fav|arb|lab|rum|vap)our")


def _stem(word: str) -> str:
    """The word without its ending, lightly: plurals, -ing and -ed. What is cut too much is cut alike on both sides."""
    word = word.removesuffix("'s").removesuffix("'")
    word = SPELT.get(word, word)
    if not (word.isascii() and word.isalpha()) or len(word) < 4 or word in NUMBER_WORDS:
        return word
    word = _BRITISH.sub("or", word)
    if word.endswith("ies"):
        word = f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    elif word.endswith(("sses", "xes", "ches", "shes", "zes", "oes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = SPELT.get(word, word)
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "sl" else root
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


# --- how they differ ------------------------------------------------------------------------------------------------------


def _denials(tokens: Iterable[str]) -> frozenset[str]:
    return _DENYING & frozenset(tokens)


def _of_phrases(a: tuple[str, ...], b: tuple[str, ...]) -> Likeness | None:
    one, other = set(a) - _SMALLER, set(b) - _SMALLER
    if not one or not other:
        return None
    if one == other:
        return "same" if a == b or not one & _DIRECTIONS else None
    if any(_is_han(token) for token in one ^ other):
        # Characters alone mean little: only a run of them is a word.
        return "refines" if _stands_in(b, a) else "vaguer" if _stands_in(a, b) else None
    return "refines" if other < one else "vaguer" if one < other else None


def _of_counts(a: tuple[str, ...], b: tuple[str, ...]) -> Likeness | None:
    one, other = (tuple(token for token in tokens if not token.isdigit()) for tokens in (a, b))
    if not one or one != other:
        return None
    return "recounted" if len(a) == len(b) else "refines" if len(a) > len(b) else "vaguer"


#: What follows is detail, not another thing.
_DETAIL = late_pattern(r"\s*(?:[,，、(（;；:]| - )|\s(?:in|at|near|with|from|called|named|on|by|since|around|outside|who|which|that|for)\s")
_LAST_PLACE = late_pattern(r".*\s(?:in|at|of|near|around|outside)\s(?P<place>.+)")
_ROUND_ABOUT = _set("north south east west northern southern eastern western central downtown greater inner city centre center area suburb")
_INSTITUTES = _set("university college school institut hospital bank group technologi lab")


def _adds_detail(longer: str, a: tuple[str, ...], b: tuple[str, ...], attribute: str) -> bool:
    """Whether the value with the words ``a`` is the one with the words ``b`` and some detail."""
    plain = _plain(longer)
    if (cut := _DETAIL.search(plain)) and cut.start() and written_words(plain[: cut.start()], attribute) == b:
        return True
    if attribute in _PLACES and (last := _LAST_PLACE.fullmatch(plain)) and written_words(last["place"], attribute) == b:
        return True
    if len(a) <= len(b):
        return False
    begins, ends, rest = a[: len(b)] == b, a[-len(b) :] == b, set(a) - set(b)
    han = all(_is_han(token) for token in b)
    if not b or (han and len(b) < 2):
        return False
    if attribute == "occupation":
        return ends
    if attribute == "name":
        return not any(_is_han(token) for token in b) and (begins or ends)
    if attribute in _PLACES:
        return (begins or ends) if han else rest <= _ROUND_ABOUT
    return attribute in _BODIES and begins and (han or rest <= _INSTITUTES)


def _is_han(token: str) -> bool:
    return "\u3400" <= token[0] <= "\u9fff" or token[0] >= "\U00020000"


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[start : start + len(part)] == part for start in range(len(whole) - len(part) + 1))


# --- values that are numbers, dates or times ------------------------------------------------------------------------------

_Parsed: TypeAlias = tuple[int | str | None, ...]
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = tuple(
    late_pattern(pattern)
    for pattern in (
        r"(?P<year>\d{4})[-/.年] ?(?P<number>\d{1,2})[-/.月] ?(?P<day>\d{1,2})日?",
        r"(?P<number>\d{1,2})月 ?(?P<day>\d{1,2})日?",
        rf"{_MONTH} (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?",
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<year>\d{{4}}))?",
    )
)
_CLOCK = late_pattern(
    r"(?P<part>早上|早晨|清晨|上午|凌晨|中午|下午|傍晚|晚上|夜里|半夜|晚|早)?(?:at )?(?P<hour>\d{1,2})"
    r"(?:[:：点时]?(?P<minute>\d{2}|半|1刻|3刻)?)"
    r"(?:分|点|整|点钟)? ?(?P<half>am|pm|a\.m\.|p\.m\.|o'clock)?"
)
_MINUTES = {"半": 30, "1刻": 15, "3刻": 45}


def _figures(value: str) -> str:
    text = _NUMERAL.sub(lambda match: str(_number(match[0])), _plain(value)).replace("号", "日")
    return " ".join(_joined_numbers(text.replace("-", " ").split())) if text.isascii() and not re.search(r"\d", text) else text


def _age(value: str) -> _Parsed | None:
    numbers = re.findall(r"\d+", _figures(value))
    return (int(numbers[0]),) if len(numbers) == 1 else None


def _date(value: str) -> _Parsed | None:
    text = _figures(value)
    for pattern in _DATES:
        if match := pattern.search(text):
            parts = match.groupdict()
            month = int(parts["number"]) if parts.get("number") else _MONTHS.index(parts["month"]) + 1
            return month, int(parts["day"]), int(parts["year"]) if parts.get("year") else None
    return None


def _digits(value: str) -> _Parsed | None:
    digits = re.sub(r"\D", "", _plain(value))
    # With or without the code of the country.
    return (digits[-8:],) if len(digits) >= 8 else None


def _clock(value: str) -> _Parsed | None:
    match = _CLOCK.search(_figures(value))
    if match is None:
        return None
    hour, part, half = int(match["hour"]), match["part"], (match["half"] or "").replace(".", "")
    later = half == "pm" or part in ("下午", "傍晚", "晚上", "晚", "夜里")
    known = later or half == "am" or part is not None or hour > 12
    minute = match["minute"] or "0"
    # Without "am" or "pm" nobody knows which half of the day it is.
    return hour % 12, _MINUTES.get(minute) or int(minute if minute.isdigit() else 0), (later or hour > 12) if known else None


_PARSED: Mapping[str, Callable[[str], _Parsed | None]] = {
    "age": _age,
    "birthday": _date,
    "phone": _digits,
    "id card": lambda value: (re.sub(r"\W", "", _plain(value)),),
    "bank card": lambda value: (re.sub(r"\W", "", _plain(value)),),
    "wake time": _clock,
    "bedtime": _clock,
}


def _of_parsed(one: _Parsed, other: _Parsed) -> Likeness:
    if one == other:
        return "same"
    if one[:2] == other[:2] and len(one) == 3 and None in (one[2], other[2]):
        return "refines" if other[2] is None else "vaguer"
    return "different"
