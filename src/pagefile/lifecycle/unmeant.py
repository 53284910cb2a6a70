"""Words in the first person that are not meant of the one who writes them: examples, templates, fiction, play, and what somebody is quoted
with by a sign alone (“…”——小李). Pure. Part of ``pasted``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import rare_pattern

Range = tuple[int, int]

#: To the end of the line that a heading announces as made up, or as a form to fill in.
_HEADED = rare_pattern(
    r"^[^\n:：。！？.!?]{0,24}(?:模板|模版|范文|样例|示例|例文|例句|开头|台词|剧本|小说|作文|人设)[^\n:：。！？.!?]{0,8}[:：][^\n]*$"
    r"|^[ \t]*(?:测试|试一下|试试)(?:一下|用|数据|文本)?[ \t]*[:：][^\n]*$"
    r"|^[ \t]*(?:lorem(?: ipsum)?|test(?:ing)?|sample(?: text)?|placeholder|dummy(?: text)?)[ \t]*[:：][^\n]*$"
    r"|^[^\n:.!?]{0,40}\b(?:template|sample|boilerplate|example sentence|first line of my (?:novel|story|song|play))\b"
    r"[^\n:.!?]{0,12}:[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: A quotation that is an example.
_EXAMPLE = rare_pattern(
    r"(?:\be\.g\.|\bfor example|\bfor instance|例如|比如|譬如)[,，:：]?[ \t]*[\"“「'‘][^\"”」'’\n]{1,200}[\"”」'’]", re.IGNORECASE
)
#: What is said in play, or to be told to others.
_PLAYED = rare_pattern(
    r"(?:\bif any(?:one|body) asks,?|\bin another life,?|\bin (?:a|an|some) (?:parallel|alternate|other) (?:life|universe|world),?"
    r"|\bapril fools?!?,?|愚人节快乐[!！,，]?|如果有人问(?:起)?(?:的话)?[,，:：]?|(?:在)?(?:上辈子|平行宇宙|平行世界)(?:里)?[,，]?)"
    r"[^.!?。！？\n]*",
    re.IGNORECASE,
)
#: "My boss goes, I'm allergic", "she was like, I hate cats".
_GOES = rare_pattern(
    r"\b(?:he|she|they|someone|(?:my|the|our) \w+|[A-Z]\w+) (?:goes|go|went|(?:is|was|were|are|['’]s) (?:all |just )?like)[,:][ \t]*"
    r"[\"“]?(?:i|i['’]\w+|my|we)\b[^.!?\n]*",
    re.IGNORECASE,
)
#: The words of a patient or a customer in a report.
_REPORTED = rare_pattern(
    r"^[ \t]*(?:病人|患者|客户|用户|顾客|学员|家长)(?:主诉|自述|反馈|投诉|表示|留言|反映)[ \t]*[:：][^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: A quotation with the name of who said it behind.
_SIGNED = rare_pattern(r"[“「][^”」\n]{1,200}[”」][ \t]*(?:——|—|--)[ \t]*(?!我)[^\s,，。.]{1,12}[ \t]*$", re.MULTILINE)


def unmeant(text: str) -> Iterator[Range]:
    """Where such words stand."""
    for pattern in (_HEADED, _EXAMPLE, _PLAYED, _GOES, _REPORTED, _SIGNED):
        yield from (match.span() for match in pattern.finditer(text))
