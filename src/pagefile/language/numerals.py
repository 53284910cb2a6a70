"""Numbers that are written in words, as figures: "twenty-three", 二十三 and 1.2万. English and Chinese. Pure."""

from __future__ import annotations

import re
from decimal import Decimal

from pagefile.language.patterns import late_pattern

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
#: 三十二, 二〇二四, 一万二 and 3.5万.
_CHINESE = late_pattern(rf"(?:[0-9]{{1,15}}(?:\.[0-9]{{1,9}})?(?=[百千万亿]))?[{''.join((*_DIGITS, *_UNITS))}]{{1,24}}")

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: value for value, word in enumerate(_SMALL)} | {word: 10 * value for value, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ENGLISH = late_pattern(rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<ones>{'|'.join(_SMALL[1:10])}))?|(?P<small>{'|'.join(_SMALL)}))\b")
_SCALED = late_pattern(rf"(?<![\d.])(?P<number>[0-9]{{1,15}}(?:\.[0-9]{{1,9}})?) (?P<scale>{'|'.join(_SCALES)})\b")
#: 12,000
_GROUPED = late_pattern(r"(?<=\d),(?=\d{3}(?!\d))")


def figures(text: str) -> str:
    """The text with numbers written in figures, without separators of thousands. Takes lower case and simplified characters."""
    if not text.isascii():
        text = _CHINESE.sub(_chinese, text)
    text = _ENGLISH.sub(_english, _GROUPED.sub("", text))
    return _SCALED.sub(lambda match: _written(Decimal(match["number"]) * _SCALES[match["scale"]]), text)


def _english(match: re.Match[str]) -> str:
    return str(sum(_WORDS[word] for word in match.groups() if word))


def _chinese(match: re.Match[str]) -> str:
    written = match[0].lstrip("0123456789.")
    number = _value(written, match[0][: len(match[0]) - len(written)])
    return number if isinstance(number, str) else _written(number)


def _value(written: str, figures: str = "") -> Decimal | str:
    """What a Chinese number comes to, after the figures that stand before it; digits without units are a row of figures."""
    for unit in "亿万":
        before, found, after = written.rpartition(unit)
        if found:
            many = Decimal(_value(before, figures) or 1)
            return many * _UNITS[unit] + _remainder(after, _UNITS[unit])
    if not any(character in _UNITS for character in written):
        return figures + "".join(str(_DIGITS[character]) for character in written)
    total, current, last = Decimal(0), figures, 1
    for place, character in enumerate(written):
        if character in _UNITS:
            total, current, last = total + Decimal(current or 1) * _UNITS[character], "", _UNITS[character]
        elif place + 1 == len(written):
            return total + _remainder(written[-1] if written[-2] in _UNITS else written[-2:], last)
        else:
            current = str(_DIGITS[character])
    return total


def _remainder(written: str, unit: int) -> Decimal:
    """What comes after a unit: 一万二 is 12,000, 一万零二 is 10,002."""
    number = Decimal(_value(written) or 0)
    return number * (unit // 10) if len(written) == 1 and written in _DIGITS and unit > 10 else number


def _written(number: Decimal) -> str:
    return str(int(number)) if number == number.to_integral_value() else format(number.normalize(), "f")
