"""Whether a name or an identity is told of the one who speaks, or stands there as another one's: "I'm Anna", "I'm Anna's manager". Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern

#: Another name, before the one that is asked for: "I'm Robert or Bob", "call me Robert, in short Bob".
_OR = r"(?:[\w'’.-]+(?: [\w'’.-]+)?(?:,? ?/|,? (?:or|aka|a\.k\.a\.|alias|in short|short(?:er)?:?|but(?: \w+){0,2})) (?:just |also )?)?"
_JUST = r"(?:(?:just|also|actually|really|simply|usually|mostly|still|always|mr|mrs|ms|dr|prof|miss)\.? )*[\"“‘'(]?"
#: What stands before a name somebody tells of himself.
_BEFORE = late_pattern(
    r"(?:"
    r"\b(?:i am|i['’]?m|this is|it['’]?s|it is) "
    r"|\bmy (?:[\w-]+ ){0,2}(?:nick ?|sur|user ?)?name\b(?:(?!\b(?:of|with|than|like)\b).)*?(?:\b(?:is|was|to|as|be)|['’]s|:|=|,)? ?"
    r"|(?:^|[.,;:!?(] ?|\bthe )(?:(?:full|first|last|real|nick) ?)?name(?:['’]?s| is|:| ?=|,)? ?"
    r"|\b(?:i am|i['’]?m|am|was|be|been|get|got|being) (?:\w+ly )?(?:called|named|nicknamed|known as) "
    r"|\b(?:i|i['’]d rather|prefer to|usually|always|mostly) (?:\w+ )?(?:go|went|going|sign) (?:by|as|with) (?:the (?:nick)?name (?:of )?)?"
    r")" + _OR + _JUST + r"$",
    re.IGNORECASE,
)
#: The same where others call him that.
_ME = late_pattern(
    r"\b(?:(?:call|name|nickname|address|know|dub|hail)(?:s|ed|d|bed|ing)?|refer(?:s|red)? to|knew|say|says|think of) me (?:as |by |with )?"
    + _OR
    + _JUST
    + r"$",
    re.IGNORECASE,
)
#: What stands behind a name that is told first.
_BEHIND = late_pattern(
    r"^[\"”’')]?(?: is|['’]s| ?=) (?:my|the) (?:\w+ )?(?:nick)?name\b|^,? (?:here|speaking|is what|is how)\b", re.IGNORECASE
)
#: The name is another one's: "Anna's manager", "Anna who called".
_OF = late_pattern(r"^[’'](?:s\b|\s)|^,? (?:who|that|which|whose|and i\b (?:are|were))", re.IGNORECASE)

_OR_CHINESE = r"(?:[^,，。！？\s]{1,6}(?:或者?|也叫|又叫|、|/|,|，))?[“「\"‘『]?"
_NAME = r"(?:全名|本名|真名|名字|姓名|大名|小名|乳名|昵称|外号|绰号|网名|英文名|中文名|笔名|艺名|名|姓)"
_BEFORE_CHINESE = late_pattern(
    rf"(?:(?:我|俺|咱|本人|在下|鄙人|用户)(?:的|家)?{_NAME}(?:现在|其实|就|也|都)?(?:改成了?|改为|是|叫做?|为|:|：|,|，)?"
    rf"|(?:^|[\s,，。;；:：])(?:{_NAME}(?:是|叫|为|:|：)|免贵姓|敝姓|本人)"
    r"|(?:我|俺|本人|在下)(?:其实|就|也|都|还|现在|改)?(?:名叫|名为|叫做|叫作|叫|姓|是)(?:那个)?"
    r"|(?:我|俺)是[^,，。的]{1,8}的"
    rf"|(?:我|俺)被[^,，。]{{0,4}}(?:叫|称)(?:做|作|为)?){_OR_CHINESE}$"
)
_ME_CHINESE = late_pattern(rf"(?:叫|喊|称呼|称|唤|管)(?:我|俺|咱|本人)(?:一声|叫|作|做|为|是|的)*{_OR_CHINESE}$")
#: What may follow a name: no verb of which he is the one who does it, and nobody who is his.
_AFTER_CHINESE = late_pattern(
    r"^(?:$|[^\w]|吧|就(?!把|给|会|去|来|在)|即可|都行|也行|好了|啊|呀|哦|喔|啦|哈|呢|了|今年|来自|是|住|在|从|也|而|或|这|那|不|，|\d|我|您|你|请|很高兴)"
)
_HAN_NAME = late_pattern(r"[\u3400-\u9fff]")

#: A value whose possessor or object it is: "a doctor's wife", "the son of a lawyer", 医生的家属.
_POSSESSES = late_pattern(
    r"^[’']s? (?!(?:in|at|on|for|since|and|but|now|as|near|the|an?|my|how)\b|wh)\w|^的(?=[\u3400-\u9fff])", re.IGNORECASE
)
_OBJECT = late_pattern(
    r"(?<!\bkind)(?<!\bsort)(?<!\bjob)(?<!\brole)(?<!\btitle)(?<!\bposition)(?<!\bwork)(?<!\bpost)"
    r" (?:of|with|to|like|than|against|about|by) (?:(?:an?|the|my|his|her|our|their|some|another) )?(?:\w+ )?$",
    re.IGNORECASE,
)
_I_AM = late_pattern(r"(?:\b(?:i am|i['’]?m|we are|we['’]re)|我是|我就是) ?$", re.IGNORECASE)


def names_me(before: str) -> bool:
    """Whether words that lead to a name say that somebody is called by it by others: "my wife calls me"."""
    return _ME.search(before) is not None or _ME_CHINESE.search(before) is not None


def tells_name(before: str, name: str, after: str) -> bool:
    """Whether somebody tells his own name there. ``before``, ``after``: what stands around it in its clause."""
    if _HAN_NAME.search(name):
        led = _BEFORE_CHINESE.search(before) or _ME_CHINESE.search(before) or _BEFORE.search(before) or _ME.search(before)
        return led is not None and _AFTER_CHINESE.search(after) is not None
    if _BEHIND.search(after):
        return True
    led = _BEFORE.search(before) or _ME.search(before) or _BEFORE_CHINESE.search(before) or _ME_CHINESE.search(before)
    return led is not None and _OF.search(after) is None


def is_anothers(before: str, after: str) -> bool:
    """Whether what stands there is the possessor or the object of something else, and no property of the one who speaks."""
    return _POSSESSES.search(after) is not None or _OBJECT.search(before) is not None


def possesses(after: str) -> bool:
    """Whether something that belongs to it follows: "Anna's husband", 医生的家属."""
    return _POSSESSES.search(after) is not None


def is_speaker(before: str) -> bool:
    """Whether "I am" leads to it."""
    return _I_AM.search(before) is not None
