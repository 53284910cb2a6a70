"""Values as small models write them, cut down to the value: "lives in Rome" is "Rome", 不吃辣 is 辣, denied. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pagefile.language.patterns import late_pattern

_ARTICLE = late_pattern(r"(?:an?|the|my|our|his|her|their)\s+(?=\S)", re.IGNORECASE)
_SUBJECT = late_pattern(r"(?:i|we|he|she|they|user|the user)(?:['’]?(?:m|re|ve))?\s+|(?:我们?|他|她|用户)", re.IGNORECASE)
_NO = late_pattern(
    r"(?:(?:do|does|did|can|could|will|would|is|are|am)(?:\s+not|n['’]?t)|cannot|never|no longer|not|no|avoid(?:s|ing)?)\s+|(?:不能|"
    r"不会|不再|不太|从不|没有|不|没|忌|别)",
    re.IGNORECASE,
)
#: Attribute → what people say before its value.
_LEADS = {
    "residence": r"(?:(?:currently |now )?(?:live|lives|living|lived|moved?|moving|based|relocat\w+|reside[sd]?|staying)\s+(?:in|at|"
    r"near|to|over in|back to)?\s*)"
    r"|(?:现在)?(?:住在|住|搬到了?|搬去了?|定居在?|在)",
    "employer": r"(?:(?:work|works|working|worked|employed)\s+(?:at|for|with|by|in)?\s*)|(?:在|就职于|任职于|入职了?)",
    "occupation": r"(?:(?:work|works|working|worked)\s+as\s+|am\s+|is\s+|being\s+|be\s+)|(?:是|做|当|担任)?(?:一名|一个|一位)?",
    "likes": r"(?:(?:really |also |just )?(?:like|likes|liked|love|loves|loved|enjoys?|prefers?|hates?|dislikes?|adores?|detests?|"
    r"can['’]?t stand)\s+(?:to\s+)?)"
    r"|(?:最|很|特别|更|超)?(?:喜欢|爱|讨厌|受不了|喜爱)(?:吃|喝|看|听|玩|去)?",
    "diet": r"(?:(?:eat|eats|eating|drink|drinks|drinking)\s+)|(?:能|敢|爱)?(?:吃|喝|碰)",
    "allergy": r"(?:(?:am |is )?(?:allergic|allergy|allergies|allergic reaction)\s+to\s+)|对",
    "language": r"(?:(?:speak|speaks|speaking)\s+)|(?:会说|会讲|说|讲)",
    "owns": r"(?:(?:own|owns|have|has|bought|got)\s+)|(?:有|买了)(?:一?[辆台只部套个])?",
    "pet": r"(?:(?:have|has|got|adopted)\s+)|(?:养了?|有)(?:一?[只条个])?",
}
_LEAD = {name: late_pattern(lead, re.IGNORECASE) for name, lead in _LEADS.items()}
_TAIL = {"allergy": late_pattern(r"过敏$"), "employer": late_pattern(r"(?:上班|工作|任职)$")}
#: Their values are sentences of their own: "never call after 9" begins with what it says.
_WHOLE = frozenset({"habit", "plan", "deadline", "goal", "constraint", "answer style", "experience", "health", "note"})
_EDGES = " .,;:!?。，；：！？\"'“”‘’"


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A value, and whether a word that denied it was cut off."""

    value: str
    negated: bool = False


def trimmed(value: str, attribute: str) -> Trimmed:
    """The value alone, of what a model wrote for an attribute (by canonical name)."""
    value = value.strip(_EDGES)
    if attribute in _WHOLE:
        return Trimmed(value)
    negated = False
    lead = _LEAD.get(attribute)
    if lead is not None:
        rest = _cut(_SUBJECT, value)
        denied = _cut(_NO, rest)
        after = _cut(lead, denied)
        # 不 denies what follows it where that is a verb: 不丹 is a country.
        if denied != rest and (after != denied or rest[0].isascii() or rest[0] == "忌"):
            negated, value = True, after
        elif denied == rest and after != rest:
            value = after
        tail = _TAIL.get(attribute)
        value = _cut_end(tail, value) if tail else value
    return Trimmed(_cut(_ARTICLE, value).strip(_EDGES) or value, negated)


def _cut(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _cut_end(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return text[: match.start()] if match and match.start() else text
