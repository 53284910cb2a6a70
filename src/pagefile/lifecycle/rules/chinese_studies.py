"""What somebody studies, and where, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, group, rules, took_part, trimmed, value_of
from pagefile.lifecycle.rules.chinese_people import is_place_name
from pagefile.lifecycle.rules.chinese_words import HAN, NUMERAL, SCHOOL


def _majors(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在杭州读大学，学医的."""
    studies = re.search("硕士|博士|大学|留学|念书|读书|学院|[系校]|研究|本科|大[一二三四]|专业|毕业|985|211", frame.plain[: match.start()])
    if (match["mark"] or studies) and not frame.lead.future_time and not frame.lead.past:
        yield frame.make("major", match.span("v"))


def _studies_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    words = frame.folded(span)
    if re.match(r"[这那哪上读念]|一|同|国内|国外|家", words) or is_place_name(words):
        return
    yield frame.make("school", span, ended=bool(group(match, "no")) or (frame.lead.past and not match.groupdict().get("done")))
    field = match.groupdict().get("field")
    if field:
        start, end = trimmed(frame.plain, *match.span("field"))
        words = frame.plain[start:end]
        if re.fullmatch(rf"{_GRADE}|MBA", words):
            # 读研: the one character says nothing without its verb.
            yield frame.make("occupation", (start - (end - start == 1), end))
        elif re.fullmatch(rf"{HAN}{{2,8}}(?:专业)?", words) and not re.search(r"[过了]|上课|自习|年$|的", words):
            yield frame.make("major", trimmed(frame.plain, start, end - 2 if words.endswith("专业") else end))


def _grade(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """上小学二年级."""
    if frame.own and frame.subject is None:
        # Nobody says it of himself: it is said of a child that was spoken of.
        return
    if not frame.lead.past and not frame.lead.future_time and not frame.lead.past_time:
        yield frame.make("school", match.span("v"), tense="always")


def _studies(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    words = frame.folded(span)
    said = match.string[match.start() : match.start("v")]
    if ("专业" in said or "主修" in said or took_part(match, "sure") or "的是" in said) and not re.search(r"[了过]|什么|好|不", words):
        yield frame.make("major", span)


def _in_year(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if not frame.lead.past and not frame.lead.future_time and not frame.lead.past_time:
        yield frame.make("occupation", match.span("v"))


_NO = r"(?P<no>(?:并)?不(?:再)?)?"
_GRADE = (
    rf"(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三]|国[一二三]|[硕博][一二三四五]|{NUMERAL}年级|小学{NUMERAL}年级"
    r"|博士班|硕士班|研究所|大学部|博士|硕士|研究生|本科|博|研)"
)
_MAJOR = (
    "(?:医学?|临床|法律|法学|金融|会计|经济学?|计算机|软件工程|软件|护理|设计|建筑学?|土木|机械|电气|自动化|化学|物理|数学|生物"
    "|心理学|心理|新闻学?|传播"
    "|中文|历史|哲学|师范|教育学?|艺术|美术|音乐|表演|导演|工商管理|市场营销|人工智能|数据科学|环境工程|材料|农学|兽医|药学|口腔"
    "|影视|动画|英语|日语|法语|德语|资工|资管|电机|企管|统计|物流|测绘|测量|地质|水利|采矿|冶金|纺织|轻工|食品科学|营养|考古|社会学|人类学|政治学"
    "|国际关系|播音|编导|摄影|服装|戏剧|体育|气象|天文|航空航天|船舶|车辆|通信|电子|光电|微电子|网络安全|信息安全|大数据|信管|财务|审计|税务|人力资源|行政管理|公共管理|旅游管理|酒店管理"
    "|学前教育|特殊教育|园林|园艺|林学|畜牧|动物医学|预防医学|麻醉|影像|针灸|中药|康复)"
)

STUDIES = rules(
    (rf"(?:是)?(?:学|读|念|修)(?:的是?)?(?P<v>{_MAJOR})(?:专业|系)?(?P<mark>的)?$", _majors),
    (
        rf"{_NO}在(?P<v>{SCHOOL})(?:里)?(?:读书?|上学|念书?|学习?|就读|上|攻读|唸书?)(?:的)?(?P<field>[^,]{{1,10}}?)?(?:了"
        rf"|的)*$",
        _studies_at,
    ),
    (
        rf"(?:是)?(?:毕业于|就读于|考上|考入|考进|保送|录取到|被)(?:了|到)?(?P<v>{SCHOOL})(?P<done>)(?P<field>"
        rf"{HAN}{{2,10}}专业)?(?:录取)?(?:的|了)*$",
        _studies_at,
    ),
    (rf"(?:是)?从?(?P<v>{SCHOOL})(?P<done>)(?P<field>{HAN}{{2,10}}(?:专业|系))?毕业(?:的|了)*$", _studies_at),
    (
        rf"(?:是)?(?P<v>{SCHOOL})(?:的)?(?P<field>{HAN}{{2,8}}专业)?(?:的)?(?:{_GRADE}的?学生|{_GRADE}"
        rf"|学生|研究生|本科生|博士生?|硕士生?|校友|大学生)(?:的|了)*$",
        _studies_at,
    ),
    (
        rf"(?:本科|研究生|硕士|博士|大学|高中|国中|初中|研究所)(?:是|在|念|读"
        rf"|上)+的?(?:是)?(?P<v>{SCHOOL})(?:{HAN}{{1,6}})$",
        _studies_at,
    ),
    (rf"(?:本科|研究生|硕士|博士|大学|高中|国中|初中|研究所)(?:是|在|念|读|上)+(?:的是)?(?P<v>{SCHOOL})(?:读|念|上)?(?:的)?$", _studies_at),
    (rf"(?:读|上|念)(?P<v>{SCHOOL})(?:的)?$", _studies_at),
    (rf"(?:的)?(?:母校|学校)(?:是|叫|:)+(?P<v>{SCHOOL})$", _studies_at),
    (rf"(?:的)?(?:大学|本科|研究生|硕士)?(?:专业|主修)(?:是|:)*(?P<v>{HAN}{{2,12}})(?:专业)?(?:的)?$", _studies),
    (rf"(?:大学|本科|研究生|硕士)?(?:读|学|念)(?:的)?(?:是)?(?P<v>{HAN}{{2,10}}?)(?P<sure>专业)?(?:的)?$", _studies),
    (
        rf"(?:在)?(?:读|上|念)(?P<v>(?:小学|初中|高中|大学|幼儿园)(?:{NUMERAL}年级|[大中小]班)?|[大中小]班|[一二三四五六]年级)"
        r"(?:了|的|呢)*$",
        _grade,
    ),
    (
        r"(?P<v>(?:大|高|初|研|国|硕|博)[一二三四])(?:狗|党|牲|理科生|文科生|艺术生|体育生|艺考生|生|学生|在读|学姐|学长|新生)?(?:一枚"
        r"|一只|一个)?(?:了|的)*$",
        _in_year,
    ),
    (rf"(?:才|刚|已经|在)*(?P<v>小学{NUMERAL}年级|{NUMERAL}年级|幼儿园(?:[大中小]班)?)(?:就|了|的)*(?:比[^,]{{1,6}})?$", _grade),
    (rf"在(?P<v>{HAN}{{1,4}}[中大附院])(?:读书|念书|上学|就读|住校)(?:了|的)*$", _studies_at),
    (rf"(?:学|读)(?P<v>{HAN}{{2,6}}?)(?P<sure>)的$", _studies),
    (rf"(?:在)?(?:读|上|念|是)(?P<v>{_GRADE}(?:学生)?)(?:的|了|呢)*$", _in_year),
)
