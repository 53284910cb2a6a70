"""Whether the words around a time speak of what was or of what will be."""

from __future__ import annotations

import re

from pagefile.language.dates.spans import Lean

#: How far around a time a word may tell.
REACH = 60
#: Chinese has no tenses: there a word tells only close by.
REACH_CHINESE = 6

_CLAUSE_ENDS = re.compile(r"[.!?;。！？；\n，,]|(?<![A-Za-z])(?:and|but|so|then)(?![A-Za-z])|但是?|然后|不过|所以")
_FUTURE = (
    r"(?:will|won't|shall|going to|gonna|plan(?:s|ning)? (?:to|on|for)|planned for|upcoming|coming up|deadline|due|by)(?![A-Za-z])",
    r"(?:look(?:ing)? forward|remind|(?:is|are) scheduled|can't wait|hope to|want to|need to|have to|let's)(?![A-Za-z])",
)
_FUTURE_CHINESE = (
    r"(?<!的)(?:打算|准备|计划)|即将|将(?![军来])|预计|提醒我|截止|约好|得去|想(?:去|要)",
    # Not 开会, 社会, 会议; not 主要, 需要, 要求.
    r"(?<![开聚机社晚宴峰例年班])会(?![议员所计场面谈上后])",
    r"(?<![主重需只必摘纪概提])要(?![求点是紧])",
)
_PAST = (
    r"(?:was|were|did|didn't|had|went|said|told|met|saw|ate|bought|got|came|took|made|gave|felt|began|thought)(?![A-Za-z])",
    r"(?!(?:need|indeed|feed|seed|speed|breed|bleed|weed|scheduled)(?![A-Za-z]))[a-z]{2,}ed(?![A-Za-z])",
)
_PAST_CHINESE = (r"了(?!解)", r"过(?![去年节几两程])", r"曾经?|已经?|刚")
_CUES = re.compile(
    rf"(?P<future>'ll(?![A-Za-z])|(?<![A-Za-z])(?:{'|'.join(_FUTURE)})|{'|'.join(_FUTURE_CHINESE)})"
    rf"|(?P<past>(?<![A-Za-z])(?:{'|'.join(_PAST)})|{'|'.join(_PAST_CHINESE)})",
    re.IGNORECASE,
)


def lean_of(text: str, begin: int, finish: int) -> Lean | None:
    """What the nearest telling word of the same clause says about the time at ``text[begin:finish]``. None: nothing tells."""
    before, after = text[max(0, begin - REACH) : begin], text[finish : finish + REACH]
    ends = list(_CLAUSE_ENDS.finditer(before))
    before = before[ends[-1].end() :] if ends else before
    end = _CLAUSE_ENDS.search(after)
    after = after[: end.start()] if end else after
    cues = [(len(before) - match.end(), match) for match in _CUES.finditer(before)]
    cues += [(match.start(), match) for match in _CUES.finditer(after)]
    cues = [(distance, match) for distance, match in cues if match[0].isascii() or distance <= REACH_CHINESE]
    if not cues:
        return None
    nearest = min(cues, key=lambda cue: cue[0])[1]
    return "future" if nearest.lastgroup == "future" else "past"
