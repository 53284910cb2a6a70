"""Texts that a model makes shorter: asking it, and telling whether its answer can be used. Nothing is kept here."""

from __future__ import annotations

import re

import anyio

from pagefile.events import TextDelta, Usage
from pagefile.language.patterns import late_pattern
from pagefile.language.text import language_of
from pagefile.ports import Model, ModelFinished, ModelRequest

_OPENING = late_pattern(
    r"^(?:#+ *)?(?:here(?: is|'s)[^\n:]{0,60}:|(?:updated |new )?summary:|(?:以下是)?[^\n：]{0,20}摘要(?:如下)?[：:])\s*", re.IGNORECASE
)
_UNUSABLE = late_pattern(
    r"\W*(?:error|exception|traceback|internal server|http(?:/\d\S*)? ?[45]\d\d|<(?:!doctype|html|head|body|\?xml)|[\[{]|"
    r"(?:i'?m|i am|i’m) (?:so |very )?(?:sorry|afraid|unable)|sorry|i apologi[sz]e|i can(?:no|['’])?t|i won['’]?t|as an? (?:ai|language)|"
    r"unfortunately|错误|出错|异常|请求失败|(?:很|非常|十分)?(?:抱歉|对不起|遗憾)|我(?:无法|不能|没法)|作为(?:一个|一名)?(?:ai|人工智能|语言模型))",
    re.IGNORECASE,
)
_NUMBER = late_pattern(r"\d+")


async def answer_of(model: Model, request: ModelRequest) -> tuple[str | None, Usage]:
    """The whole text of an answer, without what opens it, and what it cost; None: it did not come to its own end. Raises ModelError."""
    text, usage, finished = "", Usage(calls=1, estimated=True), False
    events = model.stream(request)
    try:
        async for event in events:
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, ModelFinished):
                usage, finished = event.usage, event.reason == "stop"
    finally:
        # At once, also when this is cancelled: the model stops then.
        close = getattr(events, "aclose", None)
        if close is not None:
            with anyio.CancelScope(shield=True):
                await close()
    return _OPENING.sub("", text.strip()).strip() if finished else None, usage


def is_usable(text: str, source: str) -> bool:
    """Whether an answer can be a shorter form of its source: no refusal and no error, in its language, without numbers of its own."""
    same_language = (language_of(text) == "zh") == (language_of(source) == "zh")
    honest = _numbers(text) <= _numbers(source) and not _UNUSABLE.match(text) and "<think" not in text.lower()
    return bool(text) and same_language and honest


def _numbers(text: str) -> set[str]:
    # 05 of a date is 5 in "May 5" and in 5月5日.
    return {number.lstrip("0") for number in _NUMBER.findall(text)}
