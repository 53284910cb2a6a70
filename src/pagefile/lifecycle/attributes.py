"""Attributes of facts: canonical names, how many values each can have at a time, and whose fact it is. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify
from pagefile.lifecycle.attribute_names import FAVOURITE_THINGS, NEGATIVE, SYNONYMS
from pagefile.lifecycle.facts import ASSISTANT, USER
from pagefile.records import Kind

#: "single": one value at a time, a newer one replaces it. "many": values stand beside each other. "stance": keyed by its value, flips by
#: polarity.
Arity: TypeAlias = Literal["single", "many", "stance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A property that somebody can have."""

    name: str
    arity: Arity
    #: Of the records that say it.
    kind: Kind = "fact"
    #: 0..1, where nothing else is known about the fact.
    importance: float = 0.5
    #: The name that was asked for says no by itself ("hates", 不吃): the fact is negative, whatever else is said of its polarity.
    negates: bool = False


_TABLE: tuple[tuple[str, Arity, Kind, float], ...] = (
    ("name", "single", "fact", 0.9),
    ("nickname", "single", "fact", 0.8),
    ("age", "single", "fact", 0.7),
    ("birthday", "single", "fact", 0.8),
    ("gender", "single", "fact", 0.7),
    ("occupation", "single", "fact", 0.8),
    ("employer", "single", "fact", 0.8),
    ("school", "single", "fact", 0.7),
    ("residence", "single", "fact", 0.8),
    ("hometown", "single", "fact", 0.7),
    ("nationality", "single", "fact", 0.7),
    ("marital status", "single", "fact", 0.7),
    ("partner", "single", "fact", 0.8),
    ("phone", "single", "fact", 0.7),
    ("email", "single", "fact", 0.7),
    ("address", "single", "fact", 0.7),
    ("id card", "single", "fact", 0.7),
    ("bank card", "single", "fact", 0.7),
    ("preferred language", "single", "procedure", 0.8),
    ("timezone", "single", "fact", 0.7),
    ("wake time", "single", "fact", 0.5),
    ("bedtime", "single", "fact", 0.5),
    ("weight", "single", "fact", 0.5),
    ("height", "single", "fact", 0.5),
    ("salary", "single", "fact", 0.6),
    ("child", "many", "fact", 0.8),
    ("parent", "many", "fact", 0.7),
    ("sibling", "many", "fact", 0.7),
    ("relative", "many", "fact", 0.6),
    ("friend", "many", "fact", 0.6),
    ("colleague", "many", "fact", 0.6),
    ("pet", "many", "fact", 0.7),
    ("allergy", "many", "fact", 0.95),
    ("diet", "many", "fact", 0.85),
    ("health", "many", "fact", 0.85),
    ("habit", "many", "fact", 0.5),
    ("plan", "many", "event", 0.6),
    ("deadline", "many", "event", 0.7),
    ("goal", "many", "fact", 0.7),
    ("constraint", "many", "procedure", 0.85),
    ("answer style", "many", "procedure", 0.85),
    ("style", "single", "fact", 0.5),
    ("owns", "many", "fact", 0.5),
    ("skill", "many", "fact", 0.6),
    ("language", "many", "fact", 0.6),
    ("experience", "many", "event", 0.5),
    ("visited", "many", "event", 0.5),
    ("note", "many", "fact", 0.4),
    ("likes", "stance", "fact", 0.5),
)
_KNOWN: Mapping[str, Attribute] = {
    name: Attribute(name=name, arity=arity, kind=kind, importance=importance) for name, arity, kind, importance in _TABLE
}

#: Under which attributes two readers may file the same words. "A plan" of the one is "a goal" of the other.
_AKIN = (
    frozenset({"constraint", "answer style"}),
    frozenset({"name", "nickname"}),
    frozenset({"allergy", "diet", "health"}),
    frozenset({"habit", "health"}),
    frozenset({"pet", "owns"}),
    frozenset({"plan", "deadline", "goal"}),
    frozenset({"experience", "visited"}),
)

#: Importance of a favourite, and of what nobody foresaw.
_FAVOURITE, _UNFORESEEN = 0.6, 0.4

_CAMEL = late_pattern(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = late_pattern(r"[\W_]+")
#: What models put before a name without meaning anything by it.
_OWNER = late_pattern(
    r"(?:the user s|user s|the user|users?|my|his|her|their|the|is an?|is|has an?|has|have)\b ?|(?:用户的?|我的?|他的|她的) ?"
)
_FAVOURITE_NAME = late_pattern(
    r"(?:(?:favou?rite|most liked|best loved|fave?)s?(?: |(?=[\u4e00-\u9fff])|$)"
    r"|最(?:喜欢|爱|喜爱|钟爱|中意)(?:看|听|吃|喝|玩|读|用)?的?)(?P<thing>.*)"
)
_CURRENT_NAME = late_pattern(r"(?:current(?:ly)? |present |now |目前的?|当前的?|现在的?)(?P<thing>.+)")
_NOT = late_pattern(r"(?:does not|do not|doesn t|don t|doesnt|dont|not|can t|cannot|不) ?(?P<rest>.+)")


def attribute_of(name: str) -> Attribute:
    """The attribute that a name stands for, in whatever way it is written ("works_at", "Workplace", 就职于).

    A name that nobody foresaw is kept as plain text in lower case and is many-valued, unless it says that there is one at a time
    ("favourite dish", "current project", 最喜欢的…, 目前的…). An empty name is a "note".
    """
    plain = _plain(name)
    while plain:
        if found := _look_up(plain) or _negated(plain):
            return found
        owner = _OWNER.match(plain)
        if owner is None or owner.end() == len(plain):
            return Attribute(name=plain, arity="many", importance=_UNFORESEEN)
        plain = plain[owner.end() :]
    return _KNOWN["note"]


def _negated(plain: str) -> Attribute | None:
    """A stance whose name has a "not" before it."""
    match = _NOT.fullmatch(plain)
    found = _look_up(match["rest"]) if match else None
    return replace(found, negates=True) if found and found.arity == "stance" and not found.negates else None


def _look_up(plain: str) -> Attribute | None:
    if plain in _KNOWN:
        return _KNOWN[plain]
    if plain in SYNONYMS:
        return replace(_KNOWN[SYNONYMS[plain]], negates=plain in NEGATIVE)
    if (favourite := _FAVOURITE_NAME.fullmatch(plain)) and (thing := favourite["thing"].strip()):
        return Attribute(name=f"favourite {_thing(thing)}", arity="single", importance=_FAVOURITE)
    if current := _CURRENT_NAME.fullmatch(plain):
        thing = current["thing"].strip()
        return _look_up(thing) or Attribute(name=f"current {thing}", arity="single") if thing else None
    return None


def _thing(written: str) -> str:
    """What a favourite is a favourite of: one spelling, one number, one language where the table has it."""
    if written in FAVOURITE_THINGS:
        return FAVOURITE_THINGS[written]
    if written.isascii() and written.endswith("s") and not written.endswith(("ss", "us", "is", "news", "series")):
        singular = f"{written[:-3]}y" if written.endswith("ies") and written != "movies" else written[:-1]
        return FAVOURITE_THINGS.get(singular, singular)
    return written


def _plain(name: str) -> str:
    return _JOINTS.sub(" ", simplified(fold(simplify(_CAMEL.sub(" ", name))))).strip()


def akin(attribute: str) -> tuple[str, ...]:
    """The other attributes (canonical names) under which another reader may file the same words."""
    return tuple(sorted({name for group in _AKIN if attribute in group for name in group} - {attribute}))


# --- whose fact it is ----------------------------------------------------------------------------------------------------

_SELF = (
    "i|me|my|mine|myself|we|us|our|user|the user|this user|speaker|the speaker|me the user|human|the human|self"
    "|我|本人|俺|咱|自己|我自己|我本人|用户|用户本人|该用户|使用者|我们|咱们|说话人|说话者|发言者|主人"
)
_ASSISTANT = "assistant|the assistant|ai|the ai|bot|the bot|chatbot|ai assistant|the model|助手|助理|机器人|人工智能|ai助手|智能助手"
_ONE_SUBJECT_FOR: Mapping[str, str] = dict.fromkeys(_SELF.split("|"), USER) | dict.fromkeys(_ASSISTANT.split("|"), ASSISTANT)
#: Long ones before those they begin with.
_RELATION_WORDS = (
    "older brother|elder brother|big brother|younger brother|little brother|older sister|elder sister|big sister|younger sister"
    "|little sister|twin brother|twin sister|step ?mother|step ?father|step ?brother|step ?sister|mother-in-law|father-in-law"
    "|brother-in-law|sister-in-law|grandmother|grandfather|grandma|grandpa|granddaughter|grandson|best friend|girlfriend|boyfriend"
    "|ex-wife|ex-husband|fianc[eé]e?|brother|sister|mother|father|parents|mom|mum|dad|wife|husband|partner|spouse|son|daughter|child|children|kids?"
    "|uncle|aunt|cousin|nephew|niece|friend|boss|manager|colleague|coworker|co-worker|neighbou?r|roommate|flatmate|housemate|teacher|dog|cat|pet"
)
_MINE = late_pattern(r"(?:the )?(?:my|our|user'?s|users'|user) (?P<rest>\S.*)", re.IGNORECASE)
_OF_MINE = late_pattern(r"(?:the |an? )?(?P<rest>\S.*?) of (?:mine|ours|(?:the )?user)", re.IGNORECASE)
_RELATION = late_pattern(rf"(?P<relation>{_RELATION_WORDS})(?:,? (?P<name>\S.*))?", re.IGNORECASE)
_ONE_WORD_FOR: Mapping[str, str] = {"mom": "mother", "mum": "mother", "dad": "father", "co-worker": "colleague", "coworker": "colleague"}

_OWN = late_pattern("(?:(?:我们|咱们|用户|我|咱|俺)(?P<link>家的?|的)?)(?P<rest>.+)")
_OWN_RELATION = late_pattern(
    "(?P<relation>男朋友|女朋友|好朋友|朋友|男友|女友|哥哥|弟弟|姐姐|妹妹|大哥|二哥|大姐|二姐|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|妈妈|母亲|爸爸|父亲|爸妈|父母"
    "|老婆|妻子|太太|老公|丈夫|先生|爱人|对象|儿子|女儿|孩子|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|姨妈|侄子|侄女|外甥"
    "|同事|老板|上司|领导|同学|室友|邻居|老师|闺蜜|哥们|狗狗|猫咪|哥|弟|姐|妹|妈|爸|狗|猫)(?P<name>.*)"
)
_ONE_CHINESE_WORD_FOR: Mapping[str, str] = {
    other: word
    for word, others in {
        "哥哥": "哥",
        "弟弟": "弟",
        "姐姐": "姐",
        "妹妹": "妹",
        "妈妈": "妈|母亲",
        "爸爸": "爸|父亲",
        "父母": "爸妈",
        "妻子": "老婆|太太",
        "丈夫": "老公|先生",
        "男朋友": "男友",
        "女朋友": "女友",
        "猫": "猫咪",
        "狗": "狗狗",
    }.items()
    for other in others.split("|")
}


def canonical_subject(subject: str) -> str:
    """Who or what a fact is about, in one form: USER for the user, ASSISTANT for the assistant, "user's brother" and 用户的哥哥 for
    relations, the name alone where one is given with the relation ("my friend Jack", 我朋友小杰). Any other name stays as it is written.
    """
    written = " ".join(subject.split()).strip(" .,;:。，；：")
    plain = simplified(fold(simplify(written)))
    if plain in _ONE_SUBJECT_FOR:
        return _ONE_SUBJECT_FOR[plain]
    return _relation(simplify(written)) or _chinese_relation(simplified(simplify(written))) or written


def _relation(written: str) -> str | None:
    match = _MINE.fullmatch(written) or _OF_MINE.fullmatch(written)
    if match is None:
        return None
    rest = match["rest"]
    relation = _RELATION.fullmatch(rest)
    if relation and (name := relation["name"]) and name[0].isupper():
        return name
    # "user Christophe" is another user, "user interface" no relation.
    if written[: match.start("rest")].strip().lower() in ("user", "the user") and not relation:
        return None
    folded = fold(rest)
    return f"{USER}'s {_ONE_WORD_FOR.get(folded, folded if relation else rest)}"


def _chinese_relation(written: str) -> str | None:
    match = _OWN.fullmatch(written)
    if match is None or not match["rest"]:
        return None
    relation = _OWN_RELATION.fullmatch(match["rest"])
    if relation is None:
        # 用户体验 is about no user; 我们公司 and 用户的公司 are.
        return None if match[0].startswith("用户") and not match["link"] else f"用户的{match['rest']}"
    name = relation["name"].strip()
    kin = _ONE_CHINESE_WORD_FOR.get(relation["relation"], relation["relation"])
    if not name:
        return f"用户的{kin}"
    if name.startswith("的"):
        return f"用户的{kin}{name}"
    return f"用户的{kin}的{name}" if _OWN_RELATION.fullmatch(name) else name
