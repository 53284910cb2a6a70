"""Updates that do not name what they are about, in Chinese: 现在是C罗, 如今变成绿色了. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import trimmed, without_mood
from pagefile.lifecycle.rules.chinese_words import HAN, JOB, LANGUAGE, NUMERAL, ORGANISATION, SCHOOL, TRADE, is_place
from pagefile.lifecycle.rules.reading import Context, claim
from pagefile.lifecycle.rules.sentences import Sentence

_LEAD = "(?:[,.!? ]|不过|但是?|可是|哦|对了|更新一?下|话说|后来|我)*"
_NOW = "(?:现在|如今|目前|眼下|最近|从今天起|这阵子|这个月)"
_UPDATE = late_pattern(
    rf"{_LEAD}(?:{_NOW}(?:的话|呢|,|我|已经|都|又|应该|就)*(?:是|换成了?|换到了?|变成了?|改成了?|成了|变为|改为|换了|改叫|叫)?"
    r"|(?:已经|后来|又|早就)*(?:换成|变成|改成|成)了)(?P<v>[^,!?;:]{1,16}?)(?:了)?$"
)
_NO_UPDATE = late_pattern(
    r"你|我|他(?!汀)|她|它|这|那|什么|怎么|谁|哪|几|不|没|有|因为|说|想|觉得|在|个|的|真|很|太|挺|要|会|可以|好|是|就|都"
    r"|.*(?:点(?:钟|半|了)?|时|分|年|月|日|号|天|季|早上|上午|中午|下午|晚上|凌晨|夜里|周末|假期|高峰|[一两二三四五六]点|了|吗|吧|呢|的)$"
    r"|.*(?:时间|时代|阶段|时候|情况|问题|状态|版本|最后|第)"
)
_COLOUR = late_pattern(rf"(?:[深浅淡亮暗天]?{HAN}{{1,2}}色|黑|白|红|蓝|绿|紫|粉|黄|灰)$")
_AGE = late_pattern(rf"(?:\d{{1,3}}|{NUMERAL}{{1,4}})(?:周?岁)?(?:半)?$")


def update(sentence: Sentence, context: Context) -> list[Claim]:
    """What the same speaker said last, with another value from now on."""
    before = context.antecedent
    if before is None or before.polarity == "negative" or sentence.asks or len(sentence.text) > 40:
        return []
    plain = fold(sentence.text)
    match = _UPDATE.match(plain, 0, without_mood(plain, 0, len(plain)))
    if match is None:
        return []
    span = trimmed(plain, *match.span("v"))
    value, words = sentence.text[slice(*span)], plain[slice(*span)]
    if not words or words == fold(before.value) or not _takes(before, words):
        return []
    text = before.text.replace(before.value, value, 1) if before.value in before.text else sentence.text
    entities = tuple(value if each == before.value else each for each in before.entities)
    return [
        claim(
            sentence,
            subject=before.subject,
            attribute=before.attribute,
            value=value,
            span=(0, len(sentence.text)),
            text=re.sub(r"（\d{4}[^）]*）", "", text),
            tags=before.tags,
            entities=entities,
        )
    ]


def _takes(before: Claim, words: str) -> bool:
    """Whether the words can be another value of the attribute that was spoken of."""
    attribute = before.attribute
    if attribute == "age":
        return bool(_AGE.match(words))
    if _NO_UPDATE.match(words) or attribute_of(attribute).arity != "single":
        return False
    if attribute in ("favourite colour", "favourite color"):
        return bool(_COLOUR.match(words))
    if attribute.startswith("favourite "):
        return len(words) <= 10
    if attribute in ("residence", "hometown"):
        return is_place(words)
    if attribute == "occupation":
        return bool(re.fullmatch(f"{JOB}|{TRADE}", words))
    if attribute == "employer":
        return bool(ORGANISATION.fullmatch(words))
    if attribute == "school":
        return bool(re.fullmatch(SCHOOL, words))
    if attribute == "preferred language":
        return bool(re.fullmatch(LANGUAGE, words))
    return False
