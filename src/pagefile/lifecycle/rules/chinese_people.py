"""Whom a Chinese clause is about: the speaker, somebody the speaker is related to, a person with a name. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import USER, Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_words import (
    FEMALE,
    FREQUENCY,
    KIN,
    KIN_ATTRIBUTES,
    MALE,
    NAMES,
    NO_NAME,
    OWN_KIN,
    PERIOD,
    SHORT_KIN,
    SURNAMES,
    TIME,
    is_only_place,
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody that a clause is about."""

    #: As in ``Claim.subject``.
    subject: str
    #: As one would write it at the head of a clause.
    shown: str
    #: What the person is to the speaker, as it was said: 弟弟. Empty for the speaker, and where it was not said.
    relation: str = ""
    #: Empty: nobody said it.
    name: str = ""

    @property
    def attribute(self) -> str:
        """The speaker's attribute whose value this person is; empty if there is none for it."""
        return KIN_ATTRIBUTES.get(self.relation, "")

    def may_be(self, pronoun: str) -> bool:
        """Whether 他 or 她 can stand for this person."""
        if pronoun == "她":
            return not MALE.search(self.relation)
        return not FEMALE.search(self.relation) if pronoun == "他" else False


ME = late_pattern(
    r"(?:我(?:自己|个人|这个人|这人|本人|们)?|俺们?|咱们?|本人|在下|鄙人)(?!的|家(?!里?(?:有|养|在|住)|[住在是])"
    r"|国(?!籍)|校|司|妹子|擦|靠|去(?=$|[,!])|勒个去|的天|滴)"
)
_MY = r"(?:我|俺|咱|本人)(?:们)?"
_RELATED = late_pattern(
    rf"(?:{_MY}(?:家)?(?:的)?|家里?的?(?=老|孩|猫|狗|有个)|(?=有一?[个位](?:亲|双胞胎)?(?:{OWN_KIN})))(?:那?(?:个|位)|一个|(?:还|也)?有一?个"
    rf"|(?:还|也)?有一?位|亲|家|在[^,，]{{1,6}}的"
    rf"|高中|大学|小学|初中|公司(?:的)?|部门(?:的)?|最好的|刚出生的|唯一的){{0,3}}(?P<kin>{KIN})(?!圈"
    rf"|们|家|群|节|会|的(?!名字|生日|年龄|职业|工作|老家|爱好|小名|英文名))"
)
#: My friend's wife.
_RELATED_TWICE = late_pattern(
    rf"(?:{_MY}(?:家)?(?:的)?(?:那?个|高中|大学)?(?P<kin>{KIN})|(?P<own>{OWN_KIN}))(?:(?:的|他|她|家的?)(?P<other>{KIN}))"
    r"(?!圈|们|家|群|节|会|的)"
)
_OWN = late_pattern(rf"(?P<kin>{OWN_KIN})(?!们|的(?!名字|生日|小名)|家|节)(?=[^,，]{{2}})")
_THIRD = late_pattern(r"(?P<pronoun>[他她])(?!们|俩|的(?!名字|生日))")
_WITH = late_pattern(
    rf"(?:{_MY})(?:和|跟|与|带着?|陪着?)(?:我的?)?(?:[一两三四五几]个|大学|高中|公司|部门)*(?:{KIN}|家人|家里人|全家|孩子们)(?:一样|一起"
    rf"|一块儿?|合伙|俩"
    rf"|两个人?|都)*(?!已经|分手|离婚|分开|掰|吵|闹)"
)
#: What may stand before a clause without changing who it is about or what it says. Groups tell what it does say.
ADVERB = late_pattern(
    r"(?:天气?|心情|压力|下雨|下雪|刮风|[春夏秋冬]天|热|冷|忙|累|烦|闲|困|无聊|加班|周末|休息|放假|有空|没事|一个人|吃饭|睡前|紧张"
    r"|难过|开心"
    r"|工作|写代码|开车|通勤|运动|难受|焦虑|生气|赶稿|复习|做饭)[^,，我]{0,4}?的?时候?(?=我|,|，)|(?:没事|闲来无事|有空|空闲时?|闲着)(?:就|都|也)?(?=喜欢|爱|去|看|听|打|跑|玩|刷)|特(?=烦|爱|喜|讨|怕|不)|好(?=喜欢"
    r"|讨厌|爱(?!你)|怕|想|烦)|"
    r"(?P<maybe>可能|也许|或许|大概(?!率)|好像|似乎|说不定|没准儿?|估计|恐怕|貌似|疑似|不一定|感觉(?!到)"
    r"|我?觉得(?=我|自己|好像|可能)|怀疑|我猜|应该(?!是[^,，]*不是))"
    rf"|(?:跟|和|与)(?:着)?(?:我)?(?:{KIN}|家人|家里人|爸妈|父母)(?:一起|一块儿?)?(?=住|在|去|搬|回)"
    r"|(?P<past>想当年|退休前|婚前|结婚前|生孩子前|怀孕前|出国前|辞职前|毕业前|年轻的时候|以前|之前|从前|曾经|曾(?!祖|孙)|过去|小时候|原来"
    r"|原先|本来(?=是|在|住|打算|想|要|计划|准备|约|说好)|当年"
    r"|当初|那时候?|那会儿|年轻时|上学时|上大学时|大学时|大学的时候|高中时|高中的时候|小学时)"
    r"|(?P<over>再也|(?:已经|早就|早已|早|现在|如今|最近)(?=就?(?:不(?!错)|没|戒|离|分手|从|辞)))"
    r"|在?(?:那|这|此)之前(?=我?们?(?:还|先|暂时|都|依旧|依然|一直))|在那以前(?=我?们?还)"
    r"|(?P<now>现在|目前|如今|当前|最近|近来|近期|这段时间|这阵子|眼下|这几年|这些年|这几天)"
    r"|(?P<fix>其实(?:呢|吧)?|实际上|事实上|说错了|更正一下|纠正一下|准确地?说|应该是(?=我))"
    r"|(?:也(?!门)|都(?!江|市|柏)|还是(?!个)|还(?!有(?:没|什么|吗|一点|点|些|很多|问题|事|时间|空|就|我)|款|钱|没|行|可以|会)|还(?=没|会)"
    r"|就是(?=不(?!是|太|错)|爱|喜欢|怕|讨厌)|就(?!读|职|业|是|要)|真的是?"
    r"|真(?!理|人|相)|确实|的确|一直都?|一向|向来|从小到大|从小就?|从来都?|压根|根本|完全|绝对|比较"
    r"|挺|很|特别|非常|超级|超(?!市|过|人)|蛮|尤其|格外|十分|极其|极度|相当"
    r"|更(?=喜|爱|偏|讨)|只(?=会|喜|爱)|平时|平常|平日|一般|通常|主要|反正|同样|仍然?|依然|还是|总是"
    r"|老是|老(?=想|爱|喜)|经常|常常|常(?=去|吃|喝|用|看)|时常|偶尔|有时候?|基本上?|几乎|又(?!名)|刚刚?(?!果"
    r"|性|才)|终于|已经|已(?!婚|故|知)|正在?(?=[^常式好])|本来|肯定|倒是|反而|自己|个人|既(?=是|要|当|做)|兼职(?=做|当|教|送|在)|是(?=住在|在.*(?:工作"
    r"|上班|读|做|当|干|教)|从|做|学(?!生|员|者|霸|校|院|长|姐|弟|妹|渣)|对(?!象|手|的)|属)|生来|租房(?=住)|天生"
    r"|打小|自小|这辈子|一辈子|后来(?=定居|搬|在|住|落户)|全家都?|一个人|有点儿?|有些|稍微|略微|这(?=耳朵|眼睛|眼神|腰|腿|膝盖|胃|记性|脑子|身体|心脏|嗓子|牙)|才(?=搬|来|去|上(?=小学|初中|高中|幼|大学|[一二三四五六])"
    r"|结|买|学|开始|毕业|养|生|\d|[一二三四五六七八九十两]|小学|初中"
    r"|高中)|倒(?=是|不|挺|很)|果然|居然|竟然|主要是|尽量|一定(?!要)|啊|呢|吧"
    r"|嘛|呀|嗯)"
)
FILLER = late_pattern(
    r"(?:我们?)?(?:老板|领导|主管|经理|校长|主任|老师|导师|公司|HR|医院|学校|教练|甲方|客户)(?:今天|昨天|刚刚?|又|已经|临时)*"
    r"(?:让|派|安排|叫|要求|通知|说)(?=我(?:下|明[年天]|后天|\d{1,2}[月号]))|"
    r"(?:嗯+|呃+|额(?!头|度)|啊+|哦+|噢+|喔+|诶+|哎呀?|不好意思(?=我|俺)|抱歉(?=我|俺)|唉+|嘿+|欸+|那个|那(?=我)|对了|就是说?(?=我)"
    r"|说实话|喂+|噫+|咦+|嗨+|哈+(?=我)"
    r"|老实说|讲真的?|说真的|坦白说|不瞒你说|话说|另外|还有(?= ?(?:我|俺|叫我|别|不要|请|以后|回答|回复|,|:))|顺便(?:说一下|说一句"
    r"|提一下|一提)?"
    r"|补充一下|补充一点|因为|由于|所以|因此|但是?|可是?(?=我|现)|不过|只是|而且|并且|然后|同时|此外|再说(?=我)|再加上|加上(?=我)"
    r"|何况|况且|以及(?=我)|btw|BTW|ps|PS:"
    r"|反正|总之|毕竟|虽然|尽管|首先|其次|最后(?=我)|第[一二三](?:点)?(?!次|个|名|天|年)"
    r"|(?:我?(?:之前|以前|上次|刚才|刚)?(?:跟|和|对|给)?你?(?:说过?|讲过?|提过|提到过|告诉过?你)了?(?:一下"
    r"|的是|过)?)(?=我|俺)|(?:我)?(?:想|要|得|先|偷偷|悄悄|顺便|必须|再)*(?:说|讲|告诉你|(?:跟|和|同|给|与)(?:你|大家|各位)(?:说|讲"
    r"|汇报|报告|透露)|汇报|报告|宣布"
    r"|分享|透露|更新|补充|交代|坦白|声明|通知你?)"
    r"(?:一?下|的是|个事儿?|一?件事|个秘密|个?大事|个好消息|句|哦|啊|哈|噢|喔|呀|,|:)*(?= ?(?:我|俺))|"
    r"你(?:肯定|可能|估计|一定|绝对|大概|也许)*(?:不(?:敢)?(?:会)?(?:信|相信)|想不到|猜不到|没想到|敢信|信吗|猜怎么着|别笑"
    r"|不知道(?:吧)?)(?:吧|,| )*(?= ?(?:我|俺))|"
    r"(?:请|麻烦)?(?:你)?(?:帮我)?(?"
    r":注意|记住|记一下|记得|记下来?|记着|备注一?下?|注意)(?=我|俺|,|:)"
    r"|我(?:是说|说|的意思是|发现|承认|得说)(?=我)|我?(?:都|已经|跟你)?(?:说|讲|强调)过?了?(?:好几|很多|八百|一百|无数|多少)?(?:遍"
    r"|次|回)了?(?= ?我)|你好呀?|您好|嗨|哈喽|大家好|自我介绍一?下|介绍一下"
    r"|[^,，我]{2,8}(?:以后|之后)(?=我(?:每|就|一直|都|开始|现在|天天))|[^,，我]{1,5}(?:的话|方面|里面?|当中)(?=我(?:一般|最|都|只|喜欢|爱|比较|还是))|是(?=我家?(?:老婆|老公|女儿|儿子|爸|妈|弟|妹|哥|姐|孩子|朋友)[不对喜爱在有叫])"
    r"|我?(?:问|聊|讨论|写|做|解释|讲|说明|推荐)[^,，]{1,8}(?:的时候|时)(?=直接|先|别|不要|请|就|多|用)"
    r"|[^,，我你他她是在]{1,4}(?=我(?:偏好|偏爱|更喜欢|比较喜欢)[\u4e00-\u9fff]{2}|我只(?:吃|喝|玩|看|听|用))|[^,，我]{1,6}还(?:行|好|可以|凑合),?就是(?!不知|想|说)|好的|是的|没错|哈哈+|嘿嘿|我(?:想我|怕我)?(?=我)|比起[^,，我]{1,8}(?=我|更)|跟[^,，我]{1,8}比(?=我"
    r"|更)"
    r"|(?:医生|大夫|体检(?:报告)?|检查结果)(?:跟我|告诉我|也|都)?(?:说|建议|叮嘱|要求|显示|查出|让)?(?=我|不|少|要))"
)


@dataclass(slots=True)
class Lead:
    """What stands before the statement of a clause: how it is meant, and when."""

    at: int
    maybe: bool = False
    past: bool = False
    over: bool = False
    now: bool = False
    fix: bool = False
    past_time: bool = False
    future_time: bool = False
    today: bool = False
    some_time: bool = False
    #: From one time to another, both past.
    closed: bool = False
    #: Where the words that say how often begin; -1: none do.
    often: int = -1


def skip_lead(plain: str, at: int, end: int, lead: Lead) -> int:
    """Go past adverbs, times and frequencies, and note in ``lead`` what they say."""
    while at < end:
        often = FREQUENCY.match(plain, at, end)
        if often and often.end() > at:
            lead.often = at if lead.often < 0 else lead.often
            at = often.end()
            continue
        if period := PERIOD.match(plain, at, end):
            lead.closed = True
            at = period.end()
            continue
        time = TIME.match(plain, at, end)
        if time and not _counts_something(plain, time.end(), end):
            lead.past_time |= time["past"] is not None
            lead.future_time |= time["future"] is not None
            lead.today |= time["today"] is not None
            lead.some_time |= time["day"] is not None
            at = time.end()
            continue
        adverb = ADVERB.match(plain, at, end)
        if adverb is None:
            if plain[at] == " ":
                at += 1
                continue
            break
        for flag in ("maybe", "past", "over", "now", "fix"):
            if adverb[flag] is not None:
                setattr(lead, flag, True)
        at = adverb.end()
    lead.at = at
    return at


_COUNTED = late_pattern(r"[出]生|(?:就|就要|要|正好)?(?:满|到)[\d一二两三四五六七八九十]|生的|生人|过生日|生日|(?<=年)的|毕业")


def _counts_something(plain: str, at: int, end: int) -> bool:
    """A date that is itself what is said ("born in 1992") is no lead."""
    return bool(_COUNTED.match(plain, at, end)) or (at == end and plain.endswith("年的", 0, at))


def skip_fillers(plain: str, at: int, end: int) -> int:
    """Go past words that say nothing."""
    while at < end:
        filler = FILLER.match(plain, at, end)
        if filler is None or filler.end() == at:
            if plain[at] != " ":
                break
            at += 1
            continue
        at = filler.end()
    return at


#: Whom a clause is about cannot be told.
NOBODY = Person("", "")


def speaker_of(subject: str) -> Person:
    """Who "I" is."""
    return Person(subject, "我" if subject == USER else subject)


def related(speaker: Person, relation: str, name: str = "") -> Person:
    """The speaker's brother, by name if it is known."""
    word = SHORT_KIN.get(relation, relation)
    if name:
        return Person(name, name, relation, name)
    owner = "用户" if speaker.subject == USER else speaker.subject
    return Person(f"{owner}的{word}", f"{speaker.shown}{word}", relation)


def meant_by_relation(speaker: Person, relation: str, claims: Sequence[Claim]) -> Person:
    """The speaker's brother: by name, if one of these claims gives it."""
    attribute = KIN_ATTRIBUTES.get(relation)
    for claim in reversed(claims):
        if claim.attribute == attribute and claim.tags[:1] == (relation,) and claim.value != relation and claim.value in claim.entities:
            return related(speaker, relation, claim.value)
    return related(speaker, relation)


def relation_at(plain: str, at: int, end: int) -> re.Match[str] | None:
    """ "My brother" or, of the closest family, "brother" at this place."""
    return _RELATED.match(plain, at, end) or _OWN.match(plain, at, end)


def relation_of_relation_at(plain: str, at: int, end: int) -> re.Match[str] | None:
    """ "My friend's wife" at this place."""
    return _RELATED_TWICE.match(plain, at, end)


def related_twice(speaker: Person, relation: str, other: str) -> Person:
    """The wife of the speaker's friend. She is nothing to the speaker that an attribute has a name for."""
    near = related(speaker, relation)
    return Person(f"{near.subject}的{SHORT_KIN.get(other, other)}", f"{near.shown}的{SHORT_KIN.get(other, other)}")


def together_at(plain: str, at: int, end: int) -> re.Match[str] | None:
    """ "My wife and I" at this place."""
    return _WITH.match(plain, at, end)


def pronoun_at(plain: str, at: int, end: int) -> re.Match[str] | None:
    """他 or 她 at this place."""
    return _THIRD.match(plain, at, end)


#: After a relation more can be a name than elsewhere: 我女儿小米粒今年4岁.
_NAME_OF_KIN = late_pattern(
    r"(?:[小老阿]?[一-鿿]{1,3}?)(?=今年|(?:也|都|很|最|不|特别|非常|超)?(?:喜欢|爱吃|爱喝)|讨厌|对[^,]{1,8}过敏"
    r"|住在|在[^,]{2,8}(?:上班|工作)|是我)"
)


_NO_NAME_OF_KIN = late_pattern(
    r"肯定|一定|当然|果然|居然|倒是|反而|后来|最后|有时|私下|明显|两[个人]|三个|俩|们|都|也|还|就|又|很|最|不|没|真|挺|更|之前|应该"
)


def names_at(plain: str, at: int, end: int, *, of_kin: bool = False) -> tuple[int, ...]:
    """Where a name that begins here may end; the likeliest first. ``of_kin``: a relation stands before it."""
    if (
        of_kin
        and (named := _NAME_OF_KIN.match(plain, at, end))
        and len(named[0]) > 1
        and not any(each.match(named[0]) for each in (_NO_NAME_OF_KIN, ADVERB, TIME))
    ):
        return (named.end(),)
    if NO_NAME.match(plain, at, end):
        return ()
    ends: list[int] = []
    for pattern in NAMES:
        match = pattern.match(plain, at, end)
        if match and match.end() not in ends and not is_place_name(match[0]):
            ends.append(match.end())
    return tuple(ends)


def is_place_name(words: str) -> bool:
    """Chinese words that are a place are no name of a person."""
    return is_only_place(words)


# --- people that the utterance has named before --------------------------------------------------------------------------

_NAME_HERE = r"(?:[小老阿]?[一-鿿]{1,3}|[A-Z][A-Za-z'-]+)"
_MENTION = late_pattern(
    rf"{_MY}(?:家)?(?:的)?(?:个|最好的|有个|有一个|大学|高中|公司)*(?P<kin>{KIN})(?:(?:的)?(?:名字|小名)?[,，]?(?:她"
    rf"|他)?(?:名|小名)?(?:叫|名叫|名字叫|是叫)(?P<called>{_NAME_HERE}?)(?=[,，。.!;、\s]|$|今年|在|喜"
    rf"|不)|(?P<named>[A-Z][A-Za-z'-]+|[小老阿][一-鿿](?=[今喜爱不最讨在住是对特很也都没有每去，,])|[一-鿿]{{2,3}}?("
    rf"?=今年|喜欢|特别|非常|不喜欢|最喜欢|讨厌|在|住在|也|都)))?"
    rf"|(?:^|(?<=[,，。.!;、\s]))(?P<bare>[小老阿][一-鿿](?=[今喜爱不最讨在住是对特很也都没每])|[A-Z][a-z]+(?=[今喜爱"
    rf"不最讨在住是对特很也都没每]| ?[一-鿿]))"
    rf"|(?:给|跟|和|陪|帮|约|带|替|找|送|见|叫|请|问)了?(?P<met>[小老阿][一-鿿]|[{SURNAMES}][一-鿿]{{1,2}}?"
    rf"|[A-Z][a-z]+)(?= ?(?:[送买选挑过写发订做庆的去吃一见]"
    rf"|准备|礼物|,|。|\?|？|，|!|！|$))"
    rf"|(?:^|(?<=[,，。.!;、\s]))(?P<me>我|俺|本人)(?!的|家)"
)


@lru_cache(maxsize=16)
def _mentions(text: str, subject: str) -> tuple[tuple[int, Person | None], ...]:
    """Where the utterance speaks of whom, in order; None is the speaker."""
    plain = fold(text)
    speaker = speaker_of(subject)
    found: list[tuple[int, Person | None]] = []
    for match in _MENTION.finditer(plain):
        if match["me"]:
            found.append((match.start(), None))
        elif match["kin"]:
            name = match["called"] or match["named"] or ""
            place = match.start("called") if match["called"] else match.start("named")
            usable = name and not NO_NAME.match(name) and not ADVERB.match(name) and not TIME.match(name)
            found.append((match.start(), related(speaker, match["kin"], text[place : place + len(name)] if usable else "")))
        elif not NO_NAME.match(name := match["bare"] or match["met"]):
            found.append((match.start(), Person(name, name, "", name)))
    return tuple(found)


def meant_by(pronoun: str, text: str, subject: str, before: int) -> Person | None:
    """Whom a pronoun at this place of an utterance means: the one person named before who can be meant, else nobody."""
    people = {person.subject: person for place, person in _mentions(text, subject) if person and place < before and person.may_be(pronoun)}
    return next(iter(people.values())) if len(people) == 1 else None


def goes_on_about(text: str, subject: str, before: int) -> Person | None:
    """Whom a sentence without a subject is about, if the utterance spoke of somebody else last; None: the speaker."""
    last: Person | None = None
    for place, person in _mentions(text, subject):
        if place >= before:
            break
        last = person
    return last
