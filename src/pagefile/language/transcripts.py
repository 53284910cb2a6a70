"""Texts that write down who said what. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern

#: A turn's beginning: a name and a colon, at the start of a line or behind the quote that ends the turn before. An address and a time of
#: day have a colon, too.
_TURN = late_pattern(r"(?:^|[\n\"”」])[ \t]*<?(?P<who>[^<>:：\n\"“”]{1,40})?>?[ \t]*[:：](?!//|\d)")
#: So many turns make a talk; one may be a note.
_LEAST = 2
#: What stands before a colon and is no speaker: the parts of a form, a letter, an order.
_LABEL = late_pattern(
    r"(?:question|answer|reply|response|format|subject|re|date|time|from|to|cc|note|task|context|output|input|example|title|topic|name"
    r"|address|phone|price|summary|hint|rule|step|p\.?s\.?)s?(?: \w+){0,2}"
    r"|(?:问题|答案|回答|格式|主题|日期|时间|发件人|收件人|备注|注意|任务|要求|背景|输出|输入|例子|标题|姓名|地址|电话|价格|总结|提示|规则|步骤|附言).{0,4}",
    re.IGNORECASE,
)


def is_transcript(text: str) -> bool:
    """Whether a text is a talk written down: ``Ann: …`` by the line, or ``<Ann>: "…" <Bob>: "…"``; in both languages."""
    turns = (turn for turn in _TURN.finditer(text) if not _LABEL.fullmatch((turn["who"] or "").strip()))
    return sum(1 for _, _ in zip(range(_LEAST), turns, strict=False)) == _LEAST
