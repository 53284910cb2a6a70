"""Finds personal identifiers: phones, identity cards, bank cards, e-mail addresses, passports, social security numbers. Pure, linear.

Precise rather than eager: what has a check digit must pass it, what has none needs its form or the words before it. Numbers of orders,
years, prices, versions, timestamps and identifiers of machines are not personal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

PersonalKind: TypeAlias = Literal["phone", "id card", "bank card", "email", "passport", "ssn"]


@dataclass(frozen=True, slots=True)
class Personal:
    """A personal identifier in a text: what it is and where it stands, half-open."""

    kind: PersonalKind
    start: int
    end: int


def find_personal(text: str) -> list[Personal]:
    """Every personal identifier in a text, in order; none overlaps another."""
    # One character for one, so that places stay: people type digits in full width, too.
    plain = text if text.isascii() else text.translate(_HALF_WIDTH)
    # What is checked best comes first, and keeps its place.
    readers = (*((_emails,) if "@" in plain else ()), *(_NUMBERS if _DIGITS.search(plain) else ()))
    if not readers:
        return []
    found: list[Personal] = []
    taken = bytearray(len(plain))
    for one in (one for read in readers for one in read(plain)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            found.append(one)
    return sorted(found, key=lambda one: one.start)


_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0x2010: 0x2D,
    0x2011: 0x2D,
    0x2013: 0x2D,
    0x2014: 0x2D,
}
#: The shortest of them has seven digits, with a blank or mark between at most each two.
_DIGITS = re.compile(r"(?:\d[ ().-]{0,3}){6}\d")

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9@]|-[A-Za-z0-9])"
)


def _emails(text: str) -> Iterator[Personal]:
    return (Personal("email", *match.span()) for match in _EMAIL.finditer(text))


#: Said before a number that is no person's.
_NOT_PERSONAL = re.compile(
    r"(?:单号|單號|订单|訂單|编号|編號|流水号|流水|序号|运单|快递|工单|物流|版本|批次|编码|条码|金额|价格|总价|时间戳|ISBN|ISSN|DOI"
    r"|order|orders|invoice|ticket|tracking|parcel|serial|version|build|issue|commit|sku|part|model|item|ref|reference|id|uuid|imei|timestamp"
    r"|price|total|amount|revenue|population|epoch|pid|port|hash|batch|transaction|tx|receipt|case|case id|job)"
    r"[ \t]{0,2}(?:numbers?|no\.?|id|code|号码|号|码|#|№)?[ \t]{0,2}(?:is|was|:|=|#|№|是|为)?[ \t]{0,2}[#№$¥€£\"'(（\[]?$",
    re.IGNORECASE,
)


def _is_other(text: str, start: int) -> bool:
    """Whether the words before call it the number of something else."""
    before = text[max(0, start - 40) : start]
    found = _NOT_PERSONAL.search(before)
    if not found:
        return bool(re.search(r"(?:[#№$¥€£]|No\.)[ \t]?$", before))
    head = before[: found.start()]
    # Letters of a longer word are none of these ("paid 138…" is no "id").
    return not (found[0][:1].isascii() and head[-1:].isascii() and head[-1:].isalnum())


# --- identity cards -------------------------------------------------------------------------------------------------------

_ID_CARD = re.compile(
    r"(?<![0-9A-Za-z])[1-9]\d{5}[ -]?(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[0-9Xx](?![0-9A-Za-z])"
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_ID_WORDS = r"(?:身份证|身分證|身份證|居民证|ID card|identity card|national id|ID number)(?:号码|號碼|号|號|number|no\.?)?"
#: Called an identity card: its form is enough, as people mistype; also the old one of 15 digits and those of Taiwan and Hong Kong.
_CALLED_ID_CARD = re.compile(
    rf"{_ID_WORDS}(?:[^\d\n。，,;；]{{0,10}}(?=\d{{15}})|[ \t]{{0,2}}(?:is|was|是|为|為|:)?[ \t]{{0,2}})"
    r"(?P<value>\d{17}[0-9Xx]|\d{15}|[A-Z][1289]\d{8}|[A-Z]{1,2}\d{6}\(?[0-9A]\)?)(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_HONG_KONG = re.compile(r"(?<![0-9A-Za-z])[A-Z]{1,2}\d{6}\([0-9A]\)")


def _id_cards(text: str) -> Iterator[Personal]:
    for match in _ID_CARD.finditer(text):
        digits = re.sub(r"[ -]", "", match[0])
        if _CHECKS[sum(int(digit) * weight for digit, weight in zip(digits[:17], _WEIGHTS, strict=True)) % 11] == digits[17].upper():
            yield Personal("id card", *match.span())
    for match in _CALLED_ID_CARD.finditer(text):
        yield Personal("id card", *match.span("value"))
    for match in _HONG_KONG.finditer(text):
        yield Personal("id card", *match.span())


# --- bank cards -------------------------------------------------------------------------------------------------------------

#: Of the networks that issue cards, 14 to 19 digits, in groups or not. Numbers that begin with 1, as times and machines' ids do, are none.
_BANK_CARD = re.compile(
    r"(?<![\w.,-])(?:3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|(?:4|5[0-9]|2[2-7]|6[0-9]|3[0568]|9[0-9])"
    r"\d{2,3}(?:[ -]?\d{4}){2}[ -]?\d{2,4}(?:[ -]?\d{1,3})?)"
    r"(?![\w-]|[.,]\d)",
    re.ASCII,
)
_CALLED_BANK_CARD = re.compile(
    r"(?:银行卡|銀行卡|信用卡|储蓄卡|借记卡|卡号|卡號|bank card|credit card|debit card|card number|card no\.?)[^\d\n。，,;；#]{0,12}"
    r"(?P<value>\d(?:[ -]?\d){11,18})(?![ -]?\d)",
    re.IGNORECASE,
)


def _bank_cards(text: str) -> Iterator[Personal]:
    for match in _BANK_CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if 14 <= len(digits) <= 19 and _passes_luhn(digits) and len(set(digits)) > 1 and not _is_other(text, match.start()):
            yield Personal("bank card", *match.span())
    for match in _CALLED_BANK_CARD.finditer(text):
        yield Personal("bank card", *match.span("value"))


def _passes_luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


# --- social security numbers and passports ---------------------------------------------------------------------------------

_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])", re.ASCII)
_CALLED_SSN = re.compile(
    r"\b(?:SSN|social security(?: number| no\.?)?|ITIN)[ \t]{0,2}(?:is|was|:)?[ \t]{0,2}(?P<value>\d{3}[ -]?\d{2}[ -]?\d{4})(?!\d)",
    re.IGNORECASE,
)
_PASSPORT = re.compile(
    r"(?:\bpassports?(?:[ \t]?(?:number|no\.?|#|id))?|护照(?:号码|号)?|護照(?:號碼|號)?|通行证(?:号码|号)?)"
    r"[ \t]{0,2}(?:is|was|:|是|为|為)?[ \t]{0,2}"
    r"(?P<value>(?=[A-Z0-9]{0,3}\d{5})[A-Z0-9]{7,10})(?![A-Za-z0-9])",
    re.IGNORECASE,
)


def _social_security(text: str) -> Iterator[Personal]:
    for match in _SSN.finditer(text):
        if not _is_other(text, match.start()):
            yield Personal("ssn", *match.span())
    for match in _CALLED_SSN.finditer(text):
        yield Personal("ssn", *match.span("value"))


def _passports(text: str) -> Iterator[Personal]:
    return (Personal("passport", *match.span("value")) for match in _PASSPORT.finditer(text))


# --- phones -----------------------------------------------------------------------------------------------------------------

_MOBILE = re.compile(
    r"(?<![\w.+-])(?:(?:\+|00)?86[ -]?)?1(?:3\d|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8\d|9[0-35-9])(?:\d{8}|([ -])\d{4}\1\d{4})(?![\w-]|\.\d)",
    re.ASCII,
)
_LANDLINE = re.compile(
    r"(?<![\w.-])(?:\(0(?:10|2\d|[3-9]\d{2})\)[ -]?|0(?:10|2\d|[3-9]\d{2})[ -])"
    r"[2-8]\d{6,7}(?:[ -]?(?:转|ext\.?)[ ]?\d{1,5})?(?![\w-]|\.\d)",
    re.ASCII,
)
_INTERNATIONAL = re.compile(r"(?<![\w+.])\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,4}(?![\w]|[.-]\d)", re.ASCII)
_NORTH_AMERICAN = re.compile(r"(?<![\w.+-])(?:1[ -])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}-)[2-9]\d{2}-\d{4}(?![\w-])", re.ASCII)
#: Called a phone number: its digits alone are enough.
_CALLED_PHONE = re.compile(
    r"(?:\b(?:(?:tele)?phone|mobile|cell(?:phone)?|tel|fax|whatsapp|landline|contact)(?:[ \t](?:number|no\.?))?"
    r"|\b(?:my|her|his|their|our|new)[ \t]number"
    r"|\b(?:call|text|ring|reach|phone)[ \t](?:me|us|him|her|them|my \w{1,12})(?:[ \t](?:at|on|under))?"
    r"|手机号码|手机号|手机|手機號碼|手機|电话号码|电话|電話|座机|联系方式|联系电话|微信同号|致电|拨打)"
    r"[ \t]{0,2}(?:is|was|at|on|:|=|是|为|為)?[ \t]{0,2}(?:now[ \t])?(?P<value>\+?\(?\d(?:[ ().-]{0,2}\d){6,14})(?![\w]|[.-]\d)",
    re.IGNORECASE | re.ASCII,
)
_CALENDAR = re.compile(
    r"(?:19|20)\d\d[-. ](?:0?[1-9]|1[0-2])[-. ](?:0?[1-9]|[12]\d|3[01])|(?:19|20)\d\d[ -]+(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$"
)


def _phones(text: str) -> Iterator[Personal]:
    for match in (*_MOBILE.finditer(text), *_LANDLINE.finditer(text), *_NORTH_AMERICAN.finditer(text)):
        if not _is_other(text, match.start()):
            yield Personal("phone", *match.span())
    for match in _INTERNATIONAL.finditer(text):
        digits = sum(map(str.isdigit, match[0]))
        # A sum such as +20000000 has no groups and fewer digits.
        if 8 <= digits <= 15 and (digits >= 10 or re.search(r"\d[ .-]", match[0])) and not _is_other(text, match.start()):
            yield Personal("phone", *match.span())
    for match in _CALLED_PHONE.finditer(text):
        if not _CALENDAR.match(match["value"]):
            yield Personal("phone", *match.span("value"))


_NUMBERS = (_id_cards, _bank_cards, _social_security, _passports, _phones)
