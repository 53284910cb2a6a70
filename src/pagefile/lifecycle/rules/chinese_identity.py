"""Who somebody is, in Chinese: name, age, birthday, gender, origin, languages. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Reader, group, items, points, polarity_of, rules, value_of
from pagefile.lifecycle.rules.chinese_people import is_place_name
from pagefile.lifecycle.rules.chinese_words import (
    ANIMAL,
    COUNTRY,
    DATE,
    HAN,
    KNOWN_PLACE,
    LANGUAGE,
    LATIN,
    NO_NAME,
    NUMERAL,
    PLACE_END,
    SURNAME,
    TITLE,
    is_place,
)

_NAME = rf"(?:[\"“「]?(?:{HAN}{{1,4}}(?:·{HAN}{{1,4}})?{TITLE}?|{LATIN})[\"”」]?)"


def _named(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我叫张三."""
    span = value_of(match)
    words = frame.folded(span)
    if not words or points(words) or re.match(r"车|外卖|救护|他|做|不|醒|了|人|份|一|上|出|板", words):
        return
    attribute = frame.person.attribute
    if frame.subject is None and (not _names_oneself(frame, words) if frame.own else frame.talk.unnamed):
        # 我有一只猫，叫咪咪.
        return
    if frame.own:
        other = re.search("网名|昵称|小名|外号|绰号", match.string[match.start() : match.start("v")])
        yield frame.make("nickname" if other else "name", span, ended=frame.lead.past)
    elif attribute:
        # The speaker's brother is called Tom: a fact of the speaker's.
        yield frame.make(attribute, span, person=frame.speaker, tags=(frame.person.relation,), entities=(frame.words(span),))
    elif re.fullmatch(ANIMAL, frame.person.relation):
        yield frame.make("pet", span, person=frame.speaker, tags=(frame.person.relation,), entities=(frame.words(span),))


#: After one of these somebody is still speaking of himself.
_OF_ONESELF = frozenset(
    {"name", "age", "birthday", "gender", "occupation", "school", "major", "hometown", "residence", "nationality", "employer"}
)
_FULL_NAME = late_pattern(rf"{SURNAME}{HAN}{{1,2}}$|{LATIN}$")


def _names_oneself(frame: Frame, words: str) -> bool:
    """Whether 叫李明 without a subject is the speaker's name, and not that of somebody or something that was just spoken of."""
    if frame.talk.unnamed:
        return False
    if frame.talk.claims:
        last = frame.talk.claims[-1]
        return last.attribute in _OF_ONESELF and last.subject == frame.person.subject
    if frame.talk.person == frame.speaker:
        return bool(_FULL_NAME.match(words))
    before = frame.sentence.utterance.text[: frame.sentence.start + frame.begin]
    return bool(_FULL_NAME.match(words)) and len(before.strip(" ,，。.!！~～")) <= 4


def _introduced(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我是张三: a family name and one or two characters that are nothing else."""
    span = match.span("v")
    words = frame.folded(span)
    if (
        not frame.own
        or NO_NAME.match(words)
        or is_place_name(words)
        or re.search(r"[人员师生座家手者控党粉迷族派工民客友伙主奴身份的了型本位岁年]$", words)
    ):
        return
    yield frame.make("name", span)


def _called(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """叫我小李就行."""
    span = value_of(match)
    words = frame.folded(span)
    if (
        not re.fullmatch(rf"{HAN}{{1,4}}|{LATIN}|{HAN}{{1,2}}{LATIN}", words)
        or points(words)
        or words in ("全名", "名字", "大名", "本名", "昵称", "外号", "英文名", "中文名")
        or re.match(r"[不别来去做起干怎想吃先再很今明后上下早晚多少说写看听买交过加帮等回该]", words)
    ):
        return
    yield frame.make("nickname", span, person=frame.speaker, bare=True)


def _aged(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = match.span("v")
    if frame.own and "月" in match["v"]:
        # 怀二胎呢，六个月了
        return
    if not frame.lead.past and not frame.lead.past_time and frame.folded(span)[0] not in "零〇":
        yield frame.make("age", span, tense="always")


def _aged_without_unit(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我今年28了: a bare number is an age only if the year or a change stands by."""
    if not frame.own and frame.subject is not None and frame.subject[1] == match.start() and re.fullmatch(r"\d\d", match["v"]):
        # 我爸62，我妈60
        yield frame.make("age", match.span("v"), tense="always")
        return
    said = re.search(r"今年.{0,6}$|(?:快|已经|马上|刚|满|都|就要).{0,3}$", frame.folded((frame.begin, match.start("v"))))
    figures = frame.folded(match.span("v"))
    alone = frame.over and frame.subject is not None and frame.subject[1] == match.start() and len(figures) > 1
    if (
        (said or alone)
        and (frame.over or (said and "满" in said[0]) or (said and "今年" in said[0]))
        and not (figures.isdigit() and not 3 <= int(figures) <= 110)
        and len(figures) > 1
    ):
        yield frame.make("age", match.span("v"), tense="always")


def _turned(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """昨天满30岁了, 上周过了30岁生日."""
    if not frame.lead.past and not frame.lead.future_time and not frame.lead.maybe:
        # Not of long ago: 去年满30 is no age of today.
        if re.search(r"[去前]年|年前|个月前|上个月|[12]\d{3}年", frame.folded((frame.begin, match.start()))):
            return
        yield frame.make("age", match.span("v"), tense="always")


def _born_in(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我是92年的."""
    if frame.plain[match.end("v") : match.end("v") + 1] == "的":
        yield frame.make("birthday", match.span("v"))


def _born_on(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield frame.make("birthday", match.span("v"))


def _born_when_and_where(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我1988年出生在长沙."""
    if is_place(frame.folded(match.span("v"))):
        yield frame.make("hometown", match.span("v"), tense="always")
    yield frame.make("birthday", match.span("day"))


def _turns(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """5月9号满30."""
    if not frame.lead.past_time and not frame.lead.past:
        yield frame.make("birthday", match.span("v"))


def _one(attribute: str) -> Reader:
    def read(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
        span = value_of(match)
        if re.search("出差|旅游|旅行|回来?$|搬", frame.folded(span)):
            return
        if span[0] < span[1] and not points(frame.folded(span)) and span[1] - span[0] <= 24:
            yield frame.make(attribute, span, polarity="negative" if group(match, "no") else "positive")

    return read


def _languages(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    whole = match.span("v")
    for span in items(match.string, *whole):
        if re.fullmatch(rf"(?:一点|流利的?|简单的?|基础)?{LANGUAGE}", frame.folded(span)):
            yield frame.make("language", span, whole=whole, polarity=polarity_of(match))


def _from(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    if "的" in frame.folded(span):
        # 在北京长大的上海人
        span = (span[0] + frame.folded(span).rindex("的") + 1, span[1])
    words = frame.folded(span)
    if (re.fullmatch(rf"{COUNTRY}", words) and words != "中国" and match["kind"] == "人") or words == "中国":
        yield frame.make("nationality", span, polarity=polarity_of(match))
    elif re.fullmatch(r"南方|北方|本地", words) or is_place(words):
        yield frame.make("hometown", span, polarity=polarity_of(match))


def _gender(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield frame.make("gender", match.span("v"), polarity=polarity_of(match))


def _sex(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """本人女."""
    if frame.subject is not None and frame.subject[1] == match.start():
        yield frame.make("gender", match.span("v"))


def _age_in_passing(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """本人女，29，单身."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    if (
        last is not None
        and last.attribute in ("gender", "name", "residence", "marital status")
        and last.subject == frame.person.subject
        and frame.own
    ):
        yield frame.make("age", match.span("v"), tense="always")


def _contact(attribute: str) -> Reader:
    def read(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
        # Personal identifiers are learnt only where somebody agreed to it.
        if frame.sentence.utterance.consent:
            yield frame.make(attribute, match.span("v"))

    return read


_NUMBER = rf"(?:\d{{1,3}}|{NUMERAL}{{1,4}})"
_DAY = (
    rf"(?:(?:农历|阴历|阳历|公历)?(?:{DATE}|\d{{1,2}}-\d{{1,2}}|[正腊冬]月(?:初?{NUMERAL}{{1,3}})[日号]?"
    rf"|{NUMERAL}{{1,2}}月初{NUMERAL}{{1,2}}))"
)
_IS = r"(?:就|现在|目前|一直|其实|应该)?(?:是在?|叫做?|为|在|:) ?"
_END = r"(?:的|了|哦)*$"

IDENTITY = rules(
    (
        rf"(?:的)?(?:名字|姓名|全名|大名|真名|本名|网名|昵称|小名|外号|中文名)?(?:就)?(?:改名)?(?:叫做?|名叫"
        rf"|是叫) ?(?P<v>{_NAME})(?:,.*)?$",
        _named,
    ),
    (rf"(?:的)?(?:小名|大名|乳名|本名|全名|英文名) ?(?P<v>{_NAME})$", _named),
    (rf"(?:的)?(?:名字|姓名|全名|大名|真名|本名|中文名|昵称|小名){_IS}(?P<v>{_NAME})$", _named),
    (rf"姓(?P<v>{SURNAME}|欧阳|司马|诸葛|上官|{HAN})$", _one("name")),
    (rf"是(?P<v>{SURNAME}{HAN}{{1,2}}|[小老阿]{HAN})$", _introduced),
    (rf"(?:的)?(?:英文名|英文名字){_IS}(?P<v>{LATIN})$", _one("english name")),
    (
        rf"(?:的)?(?:年龄|年纪|岁数)?(?:{_IS})?(?:今年|刚|快|马上|就要|要|满|过了|都|已经|虚岁|周岁)*(?P<v>{_NUMBER}(?:周"
        rf"?岁)(?:半|多)?|{_NUMBER}个月(?=大)|{_NUMBER}个多?月(?=了$))大?{_END}",
        _aged,
    ),
    (rf"(?:今年|刚|快|马上|就要|都|已经|满)*(?P<v>{_NUMBER}){_END}", _aged_without_unit),
    (
        rf"(?:昨天|今天|前天|前几天|就|正式|终于|刚刚?|已经|也)*(?:满|年满|过完|过了|庆祝了|迎来了?)(?:我的|自己的)?(?P<v>{_NUMBER}(?:周?岁)?)(?:的?生日)?了$",
        _turned,
    ),
    (
        rf"(?:昨天|今天|前天|前几天|就|正式|终于|刚刚?|已经|也)*(?:过完|过了|庆祝了|迎来了?)(?:我的|自己的)?(?P<v>{_NUMBER}(?:周?岁))(?:的?生日)$",
        _turned,
    ),
    (
        rf"(?:的)?(?:生日|出生日期|出生年月日?|诞辰)(?:就|应该)?(?:是|在|:|为)*(?:每年)?(?:的)?(?P<v>{_DAY}"
        rf"|中秋节?|国庆节?|元旦|圣诞节?|平安夜|情人节|除夕|元宵节?|儿童节)(?:那天|当天)?{_END}",
        _born_on,
    ),
    (
        rf"(?:是)?(?P<day>{_DAY})(?:出生|生)(?:在|于)(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,6}}|{HAN}{{2,8}}){_END}",
        _born_when_and_where,
    ),
    (rf"(?P<v>{DATE})(?:就|就要|要|正好|刚好|将)*(?:满|到)(?:{_NUMBER})(?:周?岁)?{_END}", _turns),
    (rf"(?:是|在)?(?P<v>{_DAY})(?:出生|生日|过生日|生人|生){_END}", _born_on),
    (rf"(?:是)?(?P<v>(?:\d{{2}}(?:\d{{2}})?|[一二三四五六七八九零〇]{{2}}(?:[一二三四五六七八九零〇]{{2}})?)年){_END}", _born_in),
    (rf"(?:出生|生)(?:于|在)(?P<v>{_DAY}){_END}", _born_on),
    (r"(?P<no>不)?是(?:一?个)?(?P<v>男的|女的|男生|女生|男性|女性|男孩子?|女孩子?|男人|女人|姑娘|妹子|妹纸|汉子|大老爷们)$", _gender),
    (r"(?P<no>不)?(?P<v>男|女)(?:生|的)?$", _sex),
    (r"(?P<v>\d{2})(?:岁)?$", _age_in_passing),
    (r"(?:的)?性别(?:是|:)?(?P<v>男|女)(?P<no>不)?", _gender),
    (
        rf"(?P<no>不)?是(?:土生土长的|地道的|正宗的|一?个|在)?(?P<v>(?:{COUNTRY})|南方|北方|(?:{KNOWN_PLACE}){HAN}{{0,6}}"
        rf"?|{HAN}{{1,6}}?{PLACE_END})(?P<kind>人|[娃妞伢]|妹子|小伙子?|姑娘|那边的|长大的|出生的|的|嘞|哒|滴)$",
        _from,
    ),
    (rf"(?P<no>不)?(?P<v>{KNOWN_PLACE}|本地)(?P<kind>人)(?:一枚|一个|一只)?$", _from),
    (rf"(?:的)?(?:老家|家乡|籍贯|故乡|祖籍)(?:其实|就|原来)?(?:是|在|:)+(?P<v>{HAN}{{2,12}}|{LATIN})(?:的)?$", _one("hometown")),
    (rf"(?:的)?老家(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,6}})(?:的)?$", _one("hometown")),
    (
        rf"(?:是)?来自于?(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,6}}?|{HAN}{{1,8}}{PLACE_END}|{LATIN})(?:的)?$",
        _one("hometown"),
    ),
    (rf"(?:是)?从(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,4}}?|{HAN}{{1,8}}{PLACE_END})来的?$", _one("hometown")),
    (rf"是从(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,4}}?|{HAN}{{1,8}}{PLACE_END})过来的$", _one("hometown")),
    (
        rf"(?:是)?(?:出生|生|土生土长)?(?:在|于)(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,6}}?|{HAN}{{1,8}}{PLACE_END}"
        rf"|农村|乡下)(?:出生|长大|出生长大|生|土生土长)(?:的)?$",
        _one("hometown"),
    ),
    (rf"(?:出生|生)(?:在|于)(?P<v>(?:{KNOWN_PLACE}){HAN}{{0,6}}|{HAN}{{1,8}}{PLACE_END}){_END}", _one("hometown")),
    (rf"(?:的)?国籍{_IS}(?P<v>{COUNTRY})(?:籍)?$", _one("nationality")),
    (rf"(?:是|拿的是?|持有?|拿)(?P<v>{COUNTRY})(?:籍|国籍|护照)(?:的)?$", _one("nationality")),
    (rf"(?:的)?母语{_IS}(?P<v>{LANGUAGE}(?:[、和跟]{LANGUAGE})*)(?P<no>不)?$", _languages),
    (
        rf"(?P<no>不(?:怎么|太|大)?)?(?:会(?:说|讲)?|能(?:说|讲)|懂|说|讲)(?P<v>(?:一点|流利的?)?{LANGUAGE}(?:(?:[、,和跟"
        rf"]|还有|以及)(?:一点点?|一些|点)?{LANGUAGE})*)(?:的)?$",
        _languages,
    ),
    (rf"(?P<v>{LANGUAGE})(?:说得|讲得)?(?:很|比较|挺|非常|还算)?(?:流利|溜|熟练|好|不错)(?P<no>不)?$", _languages),
    (r"(?:的)?(?:手机号码?|手机|电话号码?|电话|联系电话|联系方式)(?:是|:|为)? ?(?P<v>\+?\d[\d -]{6,16}\d)$", _contact("phone")),
    (r"(?:的)?(?:邮箱|邮件地址?|电子邮箱|email|邮箱地址)(?:是|:|为)? ?(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$", _contact("email")),
    (r"(?:的)?(?:住址|家庭住址|家庭地址|收货地址|地址)(?:是|:|为|在)+ ?(?P<v>.{4,40})$", _contact("address")),
    (r"(?:的)?时区(?:是|:|在)+ ?(?P<v>.{2,12})$", _one("timezone")),
)

#: Said to the assistant, and needing no subject.
CALLED = rules(
    (
        rf"(?:(?:你|大家|朋友们?|同事们?|家里?人|身边的?人|别人|他们)?(?:可以|以后|平时|请|就|直接|都|一般"
        rf"|习惯|喜欢|,)*)(?:管|称呼|喊|叫)我(?:叫|为|做)? ?"
        rf"(?P<v>[\"“「]?(?:{HAN}{{1,4}}?|{LATIN}|{HAN}{LATIN})[\"”」]?)(?:就行|就好|就可以|即可|就OK|吧|好了|都行|也行|就成|得啦"
        rf"|就得|得)?了?$",
        _called,
    ),
)
