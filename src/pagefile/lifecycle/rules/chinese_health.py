"""What somebody is allergic to or ill with, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Reader, group, items, points, rules, trimmed, value_of
from pagefile.lifecycle.rules.chinese_words import BECOMES_ILL, BODY_TROUBLE, COMPLAINT, COUNT, HAN, ILLNESS, NUMERAL

_TOUCHES = late_pattern("(?:吃|喝|碰|闻|接触)(?:到|了)?")


def _allergy_over(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """花生过敏好了."""
    words = frame.folded(value_of(match)).removesuffix("的")
    if frame.lead.future_time or frame.lead.maybe or re.search("皮肤|我|这|那|今天|最近|昨天", words):
        return
    yield frame.make("allergy", match.span("v") if words else "过敏", ended=True)


def _allergy(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """对花生和虾过敏."""
    if frame.lead.past or match.groupdict().get("no_more"):
        return
    whole = match.span("v")
    negative = bool(group(match, "no") or match.groupdict().get("not"))
    for item in items(frame.plain, *whole):
        verb = _TOUCHES.match(frame.plain, *item)
        span = trimmed(frame.plain, verb.end(), item[1]) if verb and verb.end() < item[1] else item
        words = frame.folded(span)
        if (
            not words
            or len(words) > 10
            or points(words)
            or re.match(
                r"有|是|会|容易|皮肤|没|我|不|很|季节|春天|严重|过|药物?史|体质|好像|可能|倒|都|也|.*不$|.*(?:因为|因此|所以"
                r"|觉得)",
                words,
            )
        ):
            continue
        yield frame.make(
            "allergy", span, whole=whole, item=item, polarity="negative" if negative else "positive", ended=negative and frame.over
        )


def _health(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    whole = match.span("v")
    if (frame.lead.today and not re.search("查|诊", frame.folded((frame.begin, whole[0])))) or frame.lead.future_time:
        return
    negative = bool(group(match, "no"))
    for span in items(frame.plain, *whole):
        words = frame.folded(span)
        if re.match(
            r"身体(?:有点|也|都)*不行|毛病|什么|强迫症|.*(?:后遗症)?拖延症|选择困难症|健忘症|公主病|懒|疑心病|.*职业病$|一边|(?:大|生|看|发"
            r"|得)病$|病$|小毛病|不|点|没|传染病|相思",
            words,
        ):
            continue
        yield frame.make(
            "health", span, whole=whole, polarity="negative" if negative else "positive", ended=(negative and frame.over) or frame.lead.past
        )


def _is_ill(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我儿子自闭症: said of somebody, and of nothing else."""
    if frame.subject is not None and frame.subject[1] <= match.start() <= frame.subject[1] + 2:
        yield from _health(frame, match)


def _often_ill(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    often = re.search("经常|常|老是?|总是?|容易|长期|一直|每天|每次|习惯性", frame.folded((frame.begin, match.start("v"))))
    if often and not frame.lead.today:
        yield frame.make("health", match.span("v"))


def _often_medicine(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if re.search("长期|一直|每天|在|天天", frame.folded((frame.begin, match.start("v")))) and not frame.lead.today:
        yield frame.make("health", match.span("v"))


def _body(attribute: str) -> Reader:
    def read(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
        if not frame.lead.future_time and not frame.lead.past and not frame.lead.today:
            yield frame.make(attribute, match.span("v"))

    return read


HEALTH = rules(
    (rf"(?:的|对)*(?P<v>(?!的){HAN}{{0,5}}?)(?:的)?过敏(?:现在|已经|全|完全|终于|都|也)*(?:好|治好|痊愈|脱敏|没|消失)了$", _allergy_over),
    (
        r"(?P<no>不|不会|没有)?对(?P<v>[^,]{1,24}?)(?:都|也|会|有点|有些|有|严重|比较|很|特别|非常|轻度"
        r"|中度|重度|轻微|稍微)*(?P<not>不(?:会|再)?|没有?)?过敏(?:反应|史|症)?(?:的|了)*$",
        _allergy,
    ),
    (
        r"(?:一)?(?P<v>(?:吃|喝|碰|闻|接触)[^,]{1,8}?)(?:之?后|的话)?(?:就|会|都|总|容易|老)*(?:过敏|起疹子"
        r"|起红疹|全身痒|起荨麻疹)(?:的)?$",
        _allergy,
    ),
    (rf"(?P<no>没有?)?(?:有)?(?:严重|轻微)?(?:的)?(?P<v>{HAN}{{1,5}}?)(?:严重)?过敏(?:史|症)?(?:的|了)*$", _allergy),
    (r"(?:的)?过敏[原源](?:是|有|:|包括)+(?P<v>[^,]{1,20})$", _allergy),
    (r"(?P<v>乳糖|麸质|海鲜|酒精|果糖|咖啡因|组胺|谷蛋白)(?:不耐受?|不耐症)(?:的|症)*$", _allergy),
    (
        rf"(?:体检|检查|复查)?(?P<no>没有?)?(?:有|患有?|患上|得了?|得过|查出(?:来)?(?:有|了)?|确诊(?:了|为|是)?|被?诊断(?:为"
        rf"|出|成)?(?:了|有)?)(?:点|一点|轻微|轻度|中度|重度|严重|先天性|慢性|家族性|很严重)*(?:的)?(?P<v>[^,]{{0,10}}?{ILLNESS}"
        rf")(?:的|了|病史|史)*$",
        _health,
    ),
    (rf"(?P<v>{BODY_TROUBLE})(?:的|了)*$", _health),
    (rf"(?:有点|严重|轻度|中度|重度|先天性?)?(?P<v>{ILLNESS})(?:患者|人群)?$", _is_ill),
    (rf"(?P<v>{ILLNESS})(?:又|老|总|经常|最近)*(?:犯|发作|复发|加重)(?:了)?$", _health),
    (rf"(?P<v>{ILLNESS})(?:都|也|有|得了|已经|快|了)*(?:好几|几|{COUNT})(?:多|来)?年(?:多)?(?:的)?(?:老毛病|病史)?(?:了)?$", _health),
    (
        r"(?P<v>(?:心脏|血管)?(?:放|装|搭)(?:过|了)(?:[一二两三四五几\d]+个)?(?:心脏)?(?:支架|搭桥|起搏器)|(?:做|在做)(?:了|过)?(?:透析"
        r"|化疗|放疗))(?:了)?$",
        _health,
    ),
    (
        rf"(?:有点|有些|严重|很|特别|会|容易|先天)*(?P<v>{BECOMES_ILL}(?:\d{{2,4}}多?度|[{NUMERAL[1:-1]}]{{2,6}}多?度)?)(?:的"
        rf"|症|很严重|很厉害|得厉害)*$",
        _health,
    ),
    (rf"(?:容易|老|总|会)*(?P<v>{COMPLAINT})(?:的)?$", _often_ill),
    (
        r"(?:长期|一直|每天|正)?(?:都)?(?:在|要|得)?(?P<v>(?:吃|服用|打)(?:[^,]{1,8}(?:药|胰岛素|片|维生素[A-Z]?|疫苗)))(?:的)?$",
        _often_medicine,
    ),
    (rf"(?:已经)?(?P<v>怀孕|孕\d{{1,2}}周|怀(?:了)?(?:二胎|双胞胎))(?:{COUNT}(?:周|个月|多月)|快生)?(?:了|中|多)*$", _body("health")),
    (r"(?:的)?血型(?:是|:)?(?P<v>(?:RH阴性)?[ABO]{1,2}型?)(?:血)?$", _body("health")),
    (r"是(?P<v>[ABO]{1,2}型血?)(?:的)?$", _body("health")),
    (
        r"(?P<v>(?:身高|体重|净身高)(?:是|有|:)?(?:\d{2,3}(?:\.\d+)?|一米[一二三四五六七八九\d]+)(?:cm|厘米"
        r"|公分|斤|公斤|kg|千克)?(?:左右)?)$",
        _body("health"),
    ),
    (
        rf"(?:嗓子|心脏|眼睛|膝盖|腰|胃|鼻子|甲状腺|肚子|脚|手|背)?(?P<v>(?:做过|动过|刚做了|做了|做完|做的|动的|动了)[^,]{{0,10}}手术)"
        rf"(?:{COUNT}(?:个)?(?:多)?[天周月年])?(?:了)?$",
        _body("health"),
    ),
    (r"(?P<v>缺(?:乏)?(?:维生素[A-Z]?|铁|钙|锌|碘|叶酸|V[A-Z]))(?:的)?$", _body("health")),
    (
        r"(?P<v>(?:左|右)?(?:腿|脚|手|胳膊|脚踝|锁骨|肋骨|手腕|膝盖|腰|韧带|半月板)(?:骨折|断了|扭伤|扭|撕裂|拉伤|损伤)(?:过)?)(?:了)?$",
        _body("health"),
    ),
)
