"""Words that a sentence needs to tell an attribute, and words of what somebody can or cannot eat. English and Chinese. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.grammar import dislikes, ends, negations, readable

_NOT_DISLIKED = late_pattern(
    r"(?:\b(?:not|never)|n't)(?: \w+)? (?:hate|dislike|detest|loathe|despise|mind|avoid)\b"
    r"|不(?:再|是很|算|太)?(?:讨厌|反感|厌恶|恨|嫌|忌口|忌)",
    re.IGNORECASE,
)
_REACTION = late_pattern(
    r"\b(?:allerg\w+|intoleran\w+|react\w*|hives|rash(?:es)?|swell\w*|swollen|itch\w*|throat|anaphyla\w+|epipen|sneez\w+|wheez\w+|bloat\w*|"
    r"vomit\w*|throw up|nause\w+|diarrh\w+|sick(?! of)|ill|(?:upset|hurt)s?|stomach|break out|breathe|cramps?|heartburn|migraines?)\b"
    r"|过敏|不耐|疹|肿|痒|喘|呕|吐(?!槽|司|鲁)|拉肚子|腹泻|腹痛|反胃|恶心|胃(?:痛|疼|胀|不)|肚子(?:痛|疼|胀|不)|不舒服|难受|喉咙|呼吸",
    re.IGNORECASE,
)
#: Before a food: what follows happens to whoever eats it. After it: what comes of it, and why it is eaten.
_WHENEVER = late_pattern(r"\b(?:when|whenever|if|after|every time|each time|once)\b|一(?=吃|喝)|只要|每次", re.IGNORECASE)
_CONSEQUENCE = late_pattern(r"\b(?:and|then|makes?|gives?|means)\b|就|后|会", re.IGNORECASE)
_OCCASION = late_pattern(r"\b(?:when|whenever|if|because|since|to|for)\b|因为|的时候|缓解|治", re.IGNORECASE)
_EATEN = late_pattern(
    r"(?:\b(?:eat|eats|eating|drink|drinks|drinking|love|like|enjoy|adore|prefer)|吃|喝|喜欢|爱)"
    r"(?:\s*(?:a lot of|lots of|some|much|more|了|点))?\s*$",
    re.IGNORECASE,
)


_ABSTAINS = late_pattern(
    r"\b(?:stopped|stop|quit|quitting|gave up|given up|giving up|cut out|cutting out|avoid(?:s|ed|ing)?|swore off|"
    r"stay(?:s|ing)? (?:away|off|clear))\b"
    r"|戒|忌|避开|远离|不碰|不沾",
    re.IGNORECASE,
)


def undoes_dislike(clause: str) -> bool:
    """Whether a clause denies a dislike: "I don't hate", 不讨厌. That is no liking either."""
    return _NOT_DISLIKED.search(readable(clause)) is not None


def harms(clause: str, before: str, after: str) -> bool:
    """Whether a clause tells how somebody's body bears a food badly; ``before``, ``after``: its words around the food."""
    if not _REACTION.search(readable(clause)):
        return False
    before, after = readable(before), readable(after)
    if not _EATEN.search(before) or _WHENEVER.search(before):
        return True
    return _CONSEQUENCE.search(after) is not None and not _OCCASION.search(after)


def abstains(before: str) -> bool:
    """Whether the words before a food say that somebody keeps off it: "I avoid", "I stopped eating", 戒."""
    return _ABSTAINS.search(readable(before)) is not None and not negations(_ABSTAINS.sub(" ", readable(before)))


def partakes(clause: str, before: str, after: str) -> bool:
    """Whether a clause says plainly that somebody eats, drinks or likes the food between ``before`` and ``after``."""
    told = _EATEN.search(readable(before)) and not negations(before) and not dislikes(clause) and not ends(clause)
    return bool(told) and not harms(clause, before, after)


_WAY_OF_EATING = late_pattern(
    r"(?:vegan|vegetarian|pescatarian|flexitarian|fruitarian|carnivore|halal|kosher|keto\w*|paleo|mediterranean|raw|plant[- ]based|"
    r"(?:low|high|reduced|no)[- ]\w+|\w+[- ](?:free|intolerant)|veggie|teetotal(?:er)?|fodmap)(?: (?:diet|food|only))?"
    r"|(?:纯|全|吃|蛋奶|奶)?素(?:食|食者|食主义者)?|清真(?:食品|饮食)?|生酮(?:饮食)?|(?:低|少|无|高)(?:糖|盐|油|脂|碳水?|蛋白|麸质|乳糖|卡|嘌呤|钠|辣|添加)(?:饮食)?|地中海饮食|乳糖不耐受?",
    re.IGNORECASE,
)


def is_way_of_eating(value: str) -> bool:
    """Whether a value names a way of eating ("vegan", "gluten-free", 素食) rather than a food."""
    return _WAY_OF_EATING.fullmatch(readable(value).strip()) is not None


#: Attribute → words of which one stands where somebody tells it. Small models call anything an occupation.
_CUES = {
    "residence": r"\b(?:liv\w+|based|mov\w+|home|stay\w*|resid\w+|relocat\w+|settled|it's|its)\b|住|搬|定居|家|base|是|在",
    "employer": r"\b(?:work\w*|job|join\w*|employ\w*|hired|company|at|for|run|founded|it's)\b|上班|工作|职|公司|做|干|在|跳槽|是",
    "occupation": r"\b(?:am|i'?m|is|'s|was|as|work\w*|job|become|became|being|she's|he's|it's|be)\b|是|做|当|职|工作|干|一名|位",
    "age": r"\b(?:am|i'?m|is|turn\w*|years?|old|age|aged|birthday)\b|岁|年纪|年龄|周岁",
    "birthday": r"\b(?:born|birthday|bday|turn\w*)\b|生日|出生|生于|生",
    "school": r"\b(?:stud\w+|school|uni|univ\w+|college|class|grade|at|major\w*|degree|phd|graduat\w+)\b|学|读|毕业|上|大|专业|年级",
    "hometown": r"\b(?:from|born|grew|raised|hometown|native)\b|家乡|老家|来自|人|出生|长大|籍",
    "diet": r"\b(?:eat\w*|ate|drink\w*|food|veg\w+|diet\w*|gluten|dairy|meat|fish|halal|kosher|keto|sugar|alcohol|coffee|spic\w+|pork|"
    r"beef|caffeine|carbs?)\b"
    r"|\b(?:avoid\w*|stay\w* (?:away|clear|off)|keep away|steer\w* clear|cut out|cutting out|gave up|give up|can't have|cannot have|touch|"
    r"off[- ]limits)\b|吃|喝|素|食|忌|辣|荤|口味|酒|咖啡|糖|不碰|不沾|避开|远离|戒|" + _REACTION.pattern,
    "allergy": _REACTION.pattern,
}
_CUE = {name: late_pattern(cues, re.IGNORECASE) for name, cues in _CUES.items()}


def may_tell(sentence: str, attribute: str) -> bool:
    """Whether a sentence has words with which people tell this attribute."""
    cue = _CUE.get(attribute)
    return cue is None or cue.search(readable(sentence)) is not None
