"""Sentences that mention a statement to say that it is not so: "it would be wrong to say that …", …是谣言. English and Chinese. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.grammar import readable, same_clause

_FALSE = (
    r"(?:wrong|false|untrue|incorrect|inaccurate|nonsense|not true|not right|fiction|impossible|absurd|"
    r"an? (?:\w+ )?(?:lie|myth|rumou?r|joke|mistake|misconception|misunderstanding|exaggeration|stretch))"
)
_FALSE_ZH = r"(?:假的|错的|错误|不对|不准确|谣言|谎话|谎言|误会|误解|瞎说|胡说|胡扯|扯淡|玩笑|骗人)"
#: What makes nothing of the statement after it.
_DENYING_FRAME = late_pattern(
    rf"\b(?:(?:is|was|be|be|it's|that's|been|seems?|sounds?)(?: \w+)? {_FALSE} (?:to (?:say|claim|"
    r"think|assume|believe|suggest|conclude|state)|that|if)"
    r"|(?:i )?(?:doubt|deny|denied|dispute)(?: that| if| whether)?|far from (?:it|true|saying)"
    r"|(?:do not|don't|didn't|never|wouldn't|can't|couldn't|cannot|nobody|no one|who|"
    r"(?:don't|do not) (?:ever )?) ?(?:ever )?(?:says?|said|claim(?:s|ed)?|"
    r"assume(?:s|d)?)(?: that)?(?= (?:i|i'm|my|we)\b)"
    rf"|(?:the |an? )(?:\w+ )?(?:lie|myth|rumou?r|misconception|idea|claim|notion|allegation) that|"
    r"(?:a |the )?(?:lie|myth|rumou?r) (?:says|has it)"
    r"|contrary to|by mistake|(?:used to|once|mistakenly|wrongly|falsely) "
    r"(?:think|thought|believed?|assumed?|claim(?:s|ed)?|said|says?)(?: that)?)"
    r"|谁说|别说|不要说|别以为|不要以为|不要认为|别认为|并不是说|不是说|不能说|不敢说|没说过|从没说|误以为|错以为|谣传|谣言说|传言|否认"
    rf"|(?:说是|传闻)|(?:不实|错误)的?(?:说法|消息)|(?:说法|消息)是{_FALSE_ZH}",
    re.IGNORECASE,
)
#: The same after it.
_DENYING_END = late_pattern(
    rf"^(?:\s*[\w'-]+){{0,2}}[\"”'’)]*,?\s*(?:is|was|would be|are|'s) (?:just |simply |totally |completely |plainly? |a |the )*{_FALSE}\b"
    r"|^.{0,30}?(?:\bsaid (?:no one|nobody) ever|\bjust kidding\b|\bonly joking\b|\bjust joking\b|\bj/?k\b|[,—–-]\s*not\s*!|\s/s\b)"
    rf"|^[^，,。；;]{{0,6}}?(?:这种说法|的说法|这个说法|这话|这件?事)?(?:是|都是|纯属|简直是|完全是|就是|那是|绝对是|等于)(?:一个|一种|个)?{_FALSE_ZH}"
    rf"|^[^。；;]{{0,12}}?[，,]?(?:那是|这是|纯属){_FALSE_ZH}|^[^。；;]{{0,12}}?(?:开玩笑的|骗你的|逗你的|才怪)",
    re.IGNORECASE,
)


def framed(sentence: str, begin: int, end: int) -> bool:
    """Whether a sentence only mentions what stands at ``begin`` to ``end`` of it, to say that it is not so."""
    text = readable(sentence)
    if _DENYING_END.match(text[end : end + 80]):
        return True
    return any(same_clause(text, one.end(), begin) for one in _DENYING_FRAME.finditer(text, 0, max(begin, 1)))
