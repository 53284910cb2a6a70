"""What a question wants to know of time: how it was before, when it was, how often, what came first. English and Chinese, by words alone.

Times that a question names ("in 2024", 去年) are read by ``language.dates``; here is what is asked *about* time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import rare_pattern
from pagefile.language.text import fold, simplify

#: "past": how it was before it changed. "current": how it is now. "when", "since", "how often": a date, a beginning, all the times.
#: "first", "last": the earliest or the latest time. "after", "before": what followed something else, or went ahead of it.
Kind: TypeAlias = Literal["past", "current", "when", "since", "how often", "first", "last", "after", "before"]

#: Of a long message the end is read: there people put what they ask.
_MOST = 300


@dataclass(frozen=True, slots=True)
class AskedTime:
    """What a question wants to know of time."""

    kind: Kind
    #: The words for that which it was after or before; empty for the other kinds.
    anchor: str = ""

    @property
    def looks_back(self) -> bool:
        """Whether what no longer holds may be the answer."""
        return self.kind in ("past", "before", "first", "how often")


_HOW_OFTEN = rare_pattern(
    r"\bhow (?:often|frequently|many times|regularly)\b|\bnumber of times\b"
    r"|(?<!第)几[次回遍趟](?!方)|多少[次回遍趟]|多久[^，。？]{0,8}?一?[次回趟]|多经常|频率",
    re.ASCII,
)
# "My first name" and "the first floor" ask for no time.
_FIRST = rare_pattern(
    r"\bfirst time\b|\bat first\b|\bfirst of all\b"
    r"|\b(?:did|was|were|had|have|has) (?:\w+ ){1,3}?first\b(?! (?:\w*name|language|floor|class|aid|of)\b)"
    r"|\b(?:happened|came|comes|come|was it) first\b|\bearliest\b"
    r"|第一[次回趟]|首次|头一?[次回]|最先|最早|一开始|起初|(?<![首优事祖原预])先(?:做|去|干|看|吃|到|参观|买|说|玩|学)",
    re.ASCII,
)
_LAST = rare_pattern(
    r"\b(?:last|latest|most recent) time\b|\bmost recently\b"
    r"|\b(?:did|was|were|had|have|has) (?:\w+ ){1,3}?last"
    r"(?! (?:week|weekend|month|year|night|spring|summer|autumn|fall|winter|name|\w+day)\b)\b"
    r"|最近一[次回趟]|最后一[次回趟]|上一?[次回趟](?!说|聊|讲|提)",
    re.ASCII,
)
_SINCE = rare_pattern(
    r"\bsince when\b|\bhow long (?:have|has|had|did|was|were)\b|\bwhen did (?:\w+ ){1,4}?(?:start|begin)\b"
    r"|从(?:什么时候|何时|哪[天年月]|几[号月年])|什么时候(?:开始|起)|(?:多久|多长时间|几年|几个月|多少年)了",
    re.ASCII,
)
_PAST = rare_pattern(
    r"\b(?:previous|previously|former|formerly|originally|in the past|back then|used to)\b"
    r"|\bbefore(?: (?:that|then|now|this)\b)?(?=\W*$)"
    r"|\b(?:say|said|tell|told|mention|mentioned|think|thought)(?: \w+){0,2} (?:before|earlier)\b"
    r"|\b(?:my|our|his|her|their|\w+'s) (?:old|ex|last|earlier) (?:address|home|house|flat|apartment|place|city|town|job|employer|company|"
    r"boss|manager|phone|number|email|car|plan|name|school|landlord|roommate|team|role|position|doctor|favou?rite)\b"
    r"|原来|原先|曾经|从前|早先|先前|过去(?!的?[一二两三四五六七八九十几\d])|旧(?:地址|手机|号码|公司|工作|家|车)|老(?:地址|东家)"
    r"|前(?:任|东家|公司|老板|雇主)|上一(?:个|份|家|任|辆|部)",
    re.ASCII,
)
_BEFORE_CHINESE = rare_pattern(r"(?P<anchor>[^，,。？?!！]*?)(?P<word>之前|以前)")
_AFTER_CHINESE = rare_pattern(r"(?P<anchor>[^，,。？?!！]*?)(?P<word>之后|以后|过后|[完了]后)")
_BEFORE = rare_pattern(r"\bbefore (?P<anchor>[^,.?!;]+)", re.ASCII)
_AFTER = rare_pattern(r"\bafter (?P<anchor>[^,.?!;]+)", re.ASCII)
#: What stands before 之前 where nothing is named that it went ahead of: 我之前住哪.
_NO_ANCHOR = rare_pattern(
    r"(?:请问|那|还记得|你?知道|告诉我|帮我[查看]一?下)?(?:我们?|你们?|您|他们?|她们?|咱们?|用户)?(?:的|在|是)?(?:很久|好久|不久)?"
)
_A_TIME = rare_pattern(r".*(?:[\d一二两三四五六七八九十几半]+个?(?:年|月|日|号|天|周|星期|小时|分钟|点)|今天|昨天|明天|去年|今年)")
_AN_ENGLISH_TIME = rare_pattern(
    r"(?:the )?(?:\d|(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|yesterday|tomorrow|noon|midnight|last|next)\b)",
    re.ASCII,
)
_WHEN = rare_pattern(
    r"\bwhen\b|\b(?:what|which) (?:day|date|month|year|time)\b|什么时候|何时|哪[一]?[天年月日]|几[号月点]|(?:星期|周|礼拜)几|多会儿",
    re.ASCII,
)
_CURRENT = rare_pattern(r"\b(?:now|nowadays|currently|at present|at the moment|these days|still)\b|现在|目前|当前|如今|眼下|现任", re.ASCII)


def asked_time(text: str) -> AskedTime | None:
    """What a question wants to know of time; None: nothing. Never raises."""
    plain = simplified(fold(simplify(text)))[-_MOST:]
    simple: tuple[tuple[Kind, re.Pattern[str]], ...] = (
        ("how often", _HOW_OFTEN),
        ("first", _FIRST),
        ("last", _LAST),
        ("since", _SINCE),
        ("past", _PAST),
    )
    for kind, pattern in simple:
        if pattern.search(plain):
            return AskedTime(kind)
    if found := _beside(plain):
        return found
    if _CURRENT.search(plain):
        return AskedTime("current")
    return AskedTime("when") if _WHEN.search(plain) else None


def _beside(plain: str) -> AskedTime | None:
    """What followed something or went ahead of it: "after the museum", 吃饭之前; 我以前 alone speaks of the past."""
    sides: tuple[tuple[Literal["before", "after"], re.Pattern[str], re.Pattern[str]], ...] = (
        ("before", _BEFORE, _BEFORE_CHINESE),
        ("after", _AFTER, _AFTER_CHINESE),
    )
    for kind, english, chinese in sides:
        if (match := english.search(plain)) and (anchor := match["anchor"].strip()) and not _AN_ENGLISH_TIME.match(match["anchor"]):
            return AskedTime(kind, anchor)
        if (match := chinese.search(plain)) and (anchor := match["anchor"].strip()):
            if _NO_ANCHOR.fullmatch(anchor):
                return AskedTime("past") if kind == "before" else None
            if not _A_TIME.fullmatch(anchor):
                return AskedTime(kind, anchor)
    return None
