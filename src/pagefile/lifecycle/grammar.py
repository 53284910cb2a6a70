"""Just enough grammar to doubt a model: whom a clause is about, and whether it states anything. English and Chinese. Pure.

It never makes a fact. It only says that one which a model read is about somebody else, or was asked, supposed or told by others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold
from pagefile.lifecycle.attributes import canonical_subject

#: One character for one: full-width letters, curly apostrophes.
_NARROW = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF5B))} | {"’": "'", "\u3000": " "}
)
#: How a clause says what it says.
Manner: TypeAlias = Literal["stated", "asked", "supposed", "ordered", "told by others", "unsure", "of the moment"]


def readable(text: str) -> str:
    """The text as these rules are written, as long as it was."""
    return simplified(text.translate(_NARROW))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PEOPLE = (
    r"(?:(?:older|elder|big|younger|little|twin|step|best|old|close|good|ex|late|grand)[- ]?)*"
    r"(?:brothers?|sisters?|mother|father|parents?|mom|mum|mama|dad|papa|wife|husband|partner|spouse|fianc[eé]e?|sons?|daughters?|"
    r"child|children|kids?|babys?"
    r"|uncles?|aunts?|cousins?|nephews?|nieces?|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|in-laws?|girlfriend|"
    r"boyfriend|friends?"
    r"|boss|manager|colleagues?|coworkers?|co-workers?|neighbou?rs?|roommates?|flatmates?|housemates?|teacher|doctor|landlord|dogs?|"
    r"cats?|puppy|kitten|pets?)"
    r"(?:-in-law)?"
)
_RELATION_WORD = late_pattern(rf"\b{_PEOPLE}\b", re.IGNORECASE)
_PEOPLE_ZH = (
    "男朋友|女朋友|好朋友|朋友|男友|女友|哥哥|弟弟|姐姐|妹妹|大哥|二哥|大姐|二姐|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|妈妈|母亲|"
    "爸爸|父亲|爸妈|父母|老妈|老爸"
    "|老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人|对象|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|姨妈|侄子|"
    "侄女|外甥"
    "|同事|老板|上司|领导|经理|同学|室友|舍友|邻居|房东|老师|医生|闺蜜|哥们|狗狗|猫咪|哥|弟|姐|妹|妈|爸|狗|猫"
)
_RELATION_WORD_ZH = late_pattern(_PEOPLE_ZH)

# --- whom a clause is about ----------------------------------------------------------------------------------------------

#: Where a clause ends and another may begin, with a subject of its own.
_BORDER = late_pattern(
    r"[,;:，；：、—–]\s*|\b(?:but|although|though|because|while|whereas|so|and then|yet)\b|但是?|不过|可是|然而|而(?!且)|所以|因为|然后"
    r"|\band (?=(?:i|i'm|im|i've|my|we|our|he|she|they|his|her|their)\b)|\band (?=[A-Z][a-z]+ [a-z]+s\b)",
    re.IGNORECASE,
)
_EXPLETIVE = (
    "fact|truth|thing|point|bottom line|reality|upshot|news|problem|trouble|issue|catch|deal|reason|secret|confession|matter|word|answer|"
    "result|story|question|reminder|update|idea|downside|upside|irony|bonus"
)
#: What small models write as the subject of "Fact is I own a car".
EXPLETIVES = frozenset({*_EXPLETIVE.split("|"), "it", "there", "fact is", "truth is", "事实", "真相", "问题", "关键", "重点"})
_FILLERS = late_pattern(
    r"(?:\s|(?:and|but|so|well|oh|yes|yeah|no|ok|okay|also|plus|hi|hey|hello|sorry|actually|btw|by the way|you know|like|because|since|"
    r"although|though|while)\b"
    # "Fact is I own a car": what stands there only opens the sentence.
    rf"|(?:(?:the|my|one|only|here's the) )?(?:\w{{1,20}} )?(?:{_EXPLETIVE}) (?:is|was)(?: that)?\b"
    r"|(?:\w{1,20} ){1,3}(?:is|was)(?: that)?(?= (?:i|i'm|i've|we)\b)"
    r"|(?:it )?turns out(?: that)?\b|guess what\b|long story short\b"
    r"|[\"'“‘(（*\->•]|其实|嗯|哦|啊|还有|另外|对了|那个|不过|但是?|而且|而|因为|所以|然后|哎|唉|嗨|你好)*",
    re.IGNORECASE,
)
#: After these a clause begins whose subject counts: "I think Jack lives in Rome".
_OPENERS = late_pattern(
    r"\b(?:think|thinks|says?|said|know|knows|believe|guess|hear|heard|sure|hope|hopes|told (?:me|us|him|her|them)|mentioned|"
    r"that)\s+(?:that\s+)?"
    r"|(?:说|觉得|认为|知道|听说|告诉我|希望)[，,:：]?\s*",
    re.IGNORECASE,
)
_FIRST = late_pattern(r"(?:i|i'?m|i'?ve|i'?d|i'?ll|we|we'?re|we'?ve|we'?d|we'?ll|me|myself)(?![\w'])", re.IGNORECASE)
_FIRST_ANYWHERE = late_pattern(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our)\b", re.IGNORECASE)
_FIRST_ZH = late_pattern(rf"(?:我|俺|咱|本人)(?!(?:们|家|的|那个|那)*(?:{_PEOPLE_ZH}))")
_MINE = late_pattern(
    rf"(?:my|our)\s+(?P<relation>{_PEOPLE})\b(?P<more>(?:,?\s+(?:named|called)?\s*(?P<name>[A-Z][\w'’-]*[\w]))?)", re.IGNORECASE
)
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江"
    "史顾侯邵孟龙万段雷钱汤尹黎易武乔贺赖龚"
)
_NAME_ZH = rf"[小老阿][\u4e00-\u9fff]{{1,2}}?|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?|[A-Z][A-Za-z]+"
_AFTER_NAME_ZH = r"(?=[不没很最也都喜讨爱在是住有对会想去要从跟特超挺今昨明每上下刚现已做吃喝养叫的说，,\s]|$)"
_MINE_ZH = re.compile(
    rf"(?:我|俺|咱)(?:们|家|的|那个|那)*(?P<relation>{_PEOPLE_ZH})(?:(?P<name>{_NAME_ZH}){_AFTER_NAME_ZH})?",
)
_AND_ME = late_pattern(r"\s*(?:and|&)\s+(?:i|me|myself)\b|和我|跟我", re.IGNORECASE)
_MY = late_pattern(r"(?:my|our|mine)\b", re.IGNORECASE)
_THIRD = late_pattern(r"(?:he|she|they|his|her|their|he's|she's|they're)\b|[他她]们?", re.IGNORECASE)
_VERB = (
    r"(?:is|was|isn't|wasn't|has|had|hasn't|does|doesn't|did|didn't|will|won't|can|can't|could|would|says|said|got|went|loves?|likes?|"
    r"hates?|lives?|works?|"
    r"prefers?|wants?|needs?|plays?|speaks?|studies|moved|[a-z]{2,}(?:s|ed))(?![\w'])"
)
_NAMED = late_pattern(rf"(?P<name>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)?)(?: (?:and|&) [A-Z][a-z'’-]+)?\s+(?:{_VERB})")
_NAMED_ZH = late_pattern(r"(?P<name>[小老阿](?![是实早心说])[\u4e00-\u9fff](?!时|候))(?=[不没很最也都喜讨爱在是住有对会想去要从跟特超挺])")
_NO_NAMES = _words(
    """
    This That These Those There The It What Who Where When Why How Yes No Well So Today Yesterday Tomorrow Tonight Maybe Please Thanks Thank
    Everyone Everybody People Someone Somebody Nobody Nothing Everything Work Life Dinner Lunch Breakfast Monday Tuesday Wednesday Thursday
    Friday Saturday Sunday January February March April May June July August September October November December Spring Summer Autumn Winter
    Working Living Looking Going Being Love Loves Hate Hates Like Likes Prefer Moved Got Have Had Was Been Born Never Always Still Just Also
    Actually One Two Both All Most Some Each Fact Truth Thing Point Reality Upshot News Problem Trouble Issue Catch Deal Reason Secret
    Confession Matter Word Answer Result Story Question Reminder Update Idea Downside Upside Irony Bonus Honestly Frankly Guess Turns Anyway
    """
)


@dataclass(frozen=True, slots=True)
class About:
    """Whom a clause is about: its speaker, or somebody else (``who``: a name or relation in canonical form; None: it cannot be told)."""

    speaker: bool
    who: str | None = None
    #: The word for what it is to the speaker: "brother", 弟弟.
    relation: str | None = None


def about(sentence: str, place: int) -> About | None:
    """Whom the clause is about that says what stands at ``place`` of a sentence; None: it does not say."""
    text = readable(sentence)
    borders = [0, *(border.end() for border in _BORDER.finditer(text, 0, place))]
    # A clause without a subject has that of the one before: "I like hiking, jazz and Thai food".
    for begin, end in zip(reversed(borders), [place, *reversed(borders[1:])], strict=True):
        if found := _about(text, begin, end):
            return found
    return None


def clause_of(sentence: str, begin: int, end: int) -> tuple[int, int]:
    """The clause around what stands at ``begin`` to ``end`` of a sentence: from its subject to the next one."""
    text = readable(sentence)
    start = next((at for at in [*(one.end() for one in _BORDER.finditer(text, 0, begin))][::-1] if _about(text, at, begin)), 0)
    after = (one for one in _BORDER.finditer(text, end) if one.end() < len(text))
    return start, next((one.start() for one in after if _begins(text, one.end())), len(text))


def statements(sentence: str) -> list[tuple[int, int]]:
    """The parts of a sentence that state something by themselves, as spans that follow each other: cut where a new subject begins, in
    Chinese at commas too, where many sentences have none."""
    text = readable(sentence)
    cuts = [0]
    for border in _BORDER.finditer(text):
        at = border.end()
        long = min(at - cuts[-1], len(text) - at) >= _SHORTEST_STATEMENT
        if at < len(text) and (_begins(text, at) or (long and border[0].strip() in "，；" and border[0].strip())):
            cuts.append(border.start() if border[0][:1].isalpha() else at)
    return list(zip(cuts, [*cuts[1:], len(text)], strict=True))


def _begins(text: str, at: int) -> bool:
    """Whether a clause with a subject of its own begins here."""
    fillers = _FILLERS.match(text, at)
    return _subject(text, fillers.end() if fillers else at, len(text)) is not None


def _about(text: str, begin: int, end: int) -> About | None:
    starts = [begin, *(opener.end() for opener in _OPENERS.finditer(text, begin, end))]
    for start in reversed(starts):
        fillers = _FILLERS.match(text, start)
        if found := _subject(text, fillers.end() if fillers else start, end):
            return found
    first = _FIRST_ANYWHERE.search(text, begin, end) or _FIRST_ZH.search(text, begin, end)
    return About(speaker=True) if first else None


def _subject(text: str, at: int, end: int) -> About | None:
    """The subject that begins here."""
    if _FIRST.match(text, at) or _FIRST_ZH.match(text, at):
        return About(speaker=True)
    if mine := (_MINE.match(text, at) or _MINE_ZH.match(text, at)):
        if _AND_ME.match(text, mine.end()) or _AND_ME.match(text, mine.end("relation")):
            return About(speaker=True)
        chinese = mine.re is _MINE_ZH
        name = mine["name"] if chinese or (mine["name"] or "")[:1].isupper() else None
        relation = mine["relation"]
        return About(speaker=False, who=name or canonical_subject(("我" if chinese else "my ") + relation), relation=relation)
    if _MY.match(text, at):
        return About(speaker=True)
    if _THIRD.match(text, at):
        return About(speaker=False)
    named = _NAMED.match(text, at) or _NAMED_ZH.match(text, at)
    if named and named["name"].split()[0] not in _NO_NAMES and named.end("name") <= end:
        return About(speaker=False, who=named["name"])
    return None


def relations(text: str) -> frozenset[str]:
    """The relations that a text names, as canonical subjects of its user ("user's brother")."""
    english = (canonical_subject(f"my {word[0]}") for word in _RELATION_WORD.finditer(text))
    chinese = (canonical_subject(f"我{word[0]}") for word in _RELATION_WORD_ZH.finditer(simplified(text)))
    return frozenset((*english, *chinese))


_SHORTEST_STATEMENT = 4
_INTRODUCED = late_pattern(
    r"\b(?:[Mm]y name(?:'s| is)|[Ii] am|[Ii]'?m|[Cc]all me|[Tt]his is) (?P<english>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
    rf"|(?:我叫|叫我|我的名字[是叫]|我是(?=[{_SURNAMES}小老阿]))(?P<chinese>[\u4e00-\u9fff]{{2,4}}|[A-Z][A-Za-z]+)(?=[，,。.！!？?\s、]|$)"
)


def introduced(text: str) -> frozenset[str]:
    """The names by which somebody calls himself in a text, folded."""
    found = _INTRODUCED.finditer(readable(text))
    return frozenset(fold(one["english"] or one["chinese"]) for one in found)


def relation_in(value: str) -> tuple[str | None, str]:
    """A relation word at the beginning of a value, and the name after it: ("brother", "Tom") of "my brother Tom"."""
    match = re.fullmatch(
        rf"(?:(?:my|our|a|an|the)\s+)?(?P<relation>{_PEOPLE})(?:,?\s+(?:named |called |is )?(?P<name>\S.*))?", value, re.IGNORECASE
    )
    match = match or re.fullmatch(rf"(?:我们?的?)?(?P<relation>{_PEOPLE_ZH})(?:叫|是)?(?P<name>.+)?", value)
    if match is None:
        return None, value
    return match["relation"], (match["name"] or match["relation"]).strip()


# --- how a clause says it ------------------------------------------------------------------------------------------------

_SUPPOSED = late_pattern(
    r"\b(?:if|suppose|supposing|imagine|pretend|assuming|what if|hypothetically|as if|let's say|in (?:my|a|the) (?:dream|story|novel|"
    r"poem|game))\b|\bi wish\b|\b(?:as though|unless|were i to|had i (?:been|lived|worked|had)|if only|"
    r"in (?:theory|another (?:life|world)|a parallel "
    r"(?:universe|world|life))|hypothetical(?:ly)?|i (?:dreamt|dreamed))\b"
    r"|如果|要是|假如|假设|倘若|假装|万一|想象一下|角色扮演|梦见|梦到|假使|倘使|若是|设想|试想|除非|平行世界|平行宇宙|下辈子",
    re.IGNORECASE,
)
_ORDERED = late_pattern(
    r"(?:please |can you |could you |would you |help me (?:to )?|now |let's )*(?:write|draft|compose|generate|create|translate|"
    r"summari[sz]e|rewrite|proofread|"
    r"imagine|pretend|act as|role-?play|show|list|find|search|look up|give me|tell me|open|run|explain|describe|calculate|draw|play|"
    r"print|display|fetch|"
    r"export|compare|check|fix|debug|say|repeat after)\b|(?:请|麻烦|帮我|帮忙|给我|替我|你)*(?:写|翻译|总结|概括|润色|生成|画|查|搜|"
    r"列出|列一下|解释|介绍|扮演|假装|展示|显示|"
    r"打开|运行|计算|推荐|编|续写|改写|假设)",
    re.IGNORECASE,
)
_TOLD = late_pattern(
    r"\b(?!i\b|we\b)[\w']+ (?:(?:always|often|just|once|even|also) )?(?:said|says|claims?|claimed|thinks|thought|joked|insists?|"
    r"wrote|writes|posted|posts|texted|texts|tweeted|messaged|replied|answered|complains?|calls?|called|"
    r"told (?:me|us))\b(?! (?:hi|hello))|(?:他|她|他们|她们|别人|人家|有人|大家|网上|朋友|同事|老板|妈|爸|哥|姐|弟|妹|老婆|老公|医生|"
    r"老师)(?:总|老|都|也|们)?(?:说|觉得|认为|以为|写道|写着|回复|发消息|发微信|留言|发我|发给我)",
    re.IGNORECASE,
)
_UNSURE = late_pattern(
    r"\b(?:maybe|perhaps|probably|possibly|might|may be|i think|i guess|i suppose|i believe|not sure|suspect|kind of|"
    r"sort of|could be|seems?|"
    r"apparently|i feel like)\b"
    r"|可能|也许|大概|或许|好像|似乎|说不定|不确定|估计|应该是吧|怀疑|我猜|没准|貌似|感觉像",
    re.IGNORECASE,
)
_MOMENT = late_pattern(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening)|so (?:tired|bored|angry|sad|happy|hungry)|just now|"
    r"for once)\b"
    r"|今天|今晚|现在好|此刻|这会儿|刚才|好累|累死|烦死|气死|饿死|想哭|郁闷",
    re.IGNORECASE,
)
_QUESTION_START = late_pattern(
    r"\W*(?:(?:so|and|but|well|hey|ok|okay|then) )?(?:(?:what|who|whom|whose|where|when|why|how|which)(?: \w+)?(?:'?s| is| are| was|"
    r" were| do| does| did| can| could"
    r"| should| would| will| has| have)\b|(?:do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may|have|has|had|don't|"
    r"doesn't|isn't|aren't|can't|won't)"
    r" (?:i|you|we|he|she|they|it|my|your|his|her|their|the|there|this|that|anyone|anybody|any|someone|somebody)\b)",
    re.IGNORECASE,
)
_ASKS_ZH = late_pattern(r"[吗么呢][\s？?]*$|是不是|有没有|能不能|会不会|要不要|谁|什么|哪|怎么|多少|几(?:点|岁|个)|为什么|是否")
_LAST_BORDER = late_pattern(r"[,，;；]")


def manner(sentence: str, begin: int, end: int) -> Manner:
    """How a sentence says what stands at ``begin`` to ``end`` of it."""
    text = readable(sentence)
    if _asks(text, end):
        return "asked"
    if _SUPPOSED.search(text, 0, max(begin, 1)) or _SUPPOSED.match(text, begin):
        return "supposed"
    fillers = _FILLERS.match(text)
    start = fillers.end() if fillers else 0
    if (
        _ORDERED.match(text, start)
        and same_clause(text, start, end)
        and not re.search(r"\b(?:i|i'm|my)\b", text[_clause_start(text, begin) : end], re.I)
    ):
        return "ordered"
    if _ORDERED.match(text, start) and same_clause(text, start, begin):
        return "ordered"
    told = _TOLD.search(text, 0, end)
    if told and same_clause(text, told.start(), begin):
        return "told by others"
    if _UNSURE.search(text, _clause_start(text, begin), min(len(text), end + 30)):
        return "unsure"
    return "of the moment" if _MOMENT.search(text) else "stated"


def _asks(text: str, end: int) -> bool:
    clause = text[_clause_start(text, max(0, end - 1)) : end]
    if not re.search(r"[?？]|[吗么呢]\s*$", text[-4:]):
        return _QUESTION_START.match(clause) is not None
    # "I live in Rome, do you know a good pizzeria?" states where the speaker lives.
    border = _LAST_BORDER.search(text, end)
    return border is None or _QUESTION_START.match(clause) is not None or _ASKS_ZH.search(clause) is not None


def _clause_start(text: str, place: int) -> int:
    return max((border.end() for border in re.finditer(r"[,，;；]", text[:place])), default=0)


def same_clause(text: str, first: int, second: int) -> bool:
    """Whether two places of a text stand in one clause."""
    return not re.search(r"[,，;；]|\bbut\b|但", text[first:second])


# --- cues that a fact needs ----------------------------------------------------------------------------------------------

_NEGATION = late_pattern(
    r"\b(?:not|never|no|none|nobody|nothing|cannot|cant|dont|doesnt|didnt|isnt|wont|havent|hasnt|without|neither|nor|hardly)\b|n't\b"
    r"|不(?!过|错|仅|但|只是|管)|没(?!错)|别(?!人|的)|未(?!来)|无(?!论)|非(?!常|洲)|戒|忌|避免",
    re.IGNORECASE,
)
_DISLIKE = late_pattern(
    r"\b(?:hate|hates|hated|dislikes?|disliked|detests?|loathes?|can'?t stand|can'?t bear|despise|awful|terrible|disgusting|avoid|"
    r"avoids|allergic|intolerant)\b"
    r"|讨厌|厌恶|反感|受不了|恨|嫌|过敏|难吃|恶心",
    re.IGNORECASE,
)
_ENDED = late_pattern(
    r"\b(?:no longer|any ?more|stopped|stop|quit|quitting|gave up|given up|left|used to|former|formerly|ex|sold|lost|died|passed away|"
    r"broke up|split up|divorced|"
    r"cancell?ed|called off|dropped|finished|ended|resigned|retired|moved out|over with|done with|fired|laid off)\b"
    r"|不再|已经不|早就不|不干了|戒|辞|离职|离开|分手|离婚|卖了|丢了|去世|走了|取消|放弃|以前|曾经|退休|搬走|结束|停了|毕业",
    re.IGNORECASE,
)
_CORRECTED = late_pattern(
    r"\b(?:no|nope|actually|i meant|i mean|sorry|correction|not|wrong|mistake|mistaken|rather|instead|wait|typo|to be precise)\b|n't\b"
    r"|不对|不是|其实|说错|搞错|记错|写错|弄错|更正|纠正|应该是|准确|而是|改成|刚才",
    re.IGNORECASE,
)
_WILL = late_pattern(
    r"\b(?:will|'ll|going to|gonna|plan(?:ning)? to|about to|intend to|(?:am|are|i'm|we're|im) (?:moving|relocating|starting|joining|"
    r"changing|transferring))\b"
    r"|打算|准备|计划|即将|将要|要(?=搬|去|换|跳|入|转|结婚|离)|会(?=搬|去|换|入)",
    re.IGNORECASE,
)
_WANTS = late_pattern(
    r"\b(?:want|wants|hope|hoping|wish|would like|'d like|dream|thinking (?:of|about)|considering)\b|想(?!起|到)|希望|考虑", re.IGNORECASE
)


#: Where what was denied ends: "I don't like tea but coffee"; a Chinese comma begins a new statement.
_DENIAL_ENDS = late_pattern(
    r"\b(?:but|yet|while|whereas|although|though|except|instead|so)\b|[;；，]|(?<=[\u4e00-\u9fff]),|"
    r",\s*(?:just|only|now|rather|it's|i'm|i am|i|we|he|she|they|my|and i)\b|但|不过|可是|而是|除了",
    re.IGNORECASE,
)


def denied(clause: str) -> bool:
    """Whether the words before a value deny it; two denials make none."""
    text = readable(clause)
    ends = [one.end() for one in _DENIAL_ENDS.finditer(text)]
    return negations(text[ends[-1] if ends else 0 :]) % 2 == 1


def negations(clause: str) -> int:
    """How many words of a clause say no."""
    return len(_NEGATION.findall(readable(clause)))


def dislikes(clause: str) -> bool:
    """Whether a clause says no in some other way: "hate", 讨厌, "allergic"."""
    return _DISLIKE.search(readable(clause)) is not None


def is_person(value: str, before: str, clause: str) -> bool:
    """Whether a value may be a person: a relation, a name, or what stands where names stand ("my wife anna", 叫咪咪)."""
    text, plain = readable(before).rstrip(), readable(value)
    named = re.search(rf"(?:{_PEOPLE}|{_PEOPLE_ZH})$", text, re.IGNORECASE) or re.search(
        r"\b(?:named|called|names?|name's)\b|叫|名", clause
    )
    return bool(named or value[:1].isupper() or re.match(_NAME_ZH, plain) or relations(value))


_SURELY_CORRECTED = late_pattern(
    r"^\W*(?:no|nope|wait|sorry|oops)\b[, ]+(?:(?:wait|sorry|no|actually)[, ]+)*(?:it'?s|i meant|that's|not|make that|i mean)\b|"
    r"\bi meant\b|\bcorrection:"
    r"|不对|(?:说|搞|记|写|弄)错了|更正|我是说",
    re.IGNORECASE,
)


def surely_corrects(text: str) -> bool:
    """Whether a text is the correction of what was said before, whatever a model says of it."""
    return _SURELY_CORRECTED.search(readable(text)) is not None


def ends(clause: str) -> bool:
    """Whether a clause has words for what no longer holds."""
    return _ENDED.search(readable(clause)) is not None


def corrects(text: str) -> bool:
    """Whether a text has words of somebody who corrects himself."""
    return _CORRECTED.search(readable(text)) is not None


def foresees(clause: str) -> Literal["plan", "goal"] | None:
    """Whether a clause speaks of what will be, or of what somebody wants; None: of neither."""
    text = readable(clause)
    if _WANTS.search(text):
        return "goal"
    return "plan" if _WILL.search(text) else None
