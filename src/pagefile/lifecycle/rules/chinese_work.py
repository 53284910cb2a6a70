"""What somebody does, in Chinese: occupation, employer, school. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, group, points, rules, took_part, trimmed, value_of
from pagefile.lifecycle.rules.chinese_people import is_place_name
from pagefile.lifecycle.rules.chinese_words import (
    COUNT,
    HAN,
    JOB,
    LATIN,
    NUMERAL,
    ORGANISATION,
    SCHOOL,
    TRADE,
    is_only_place,
    known_place,
)


def _trimmed_job(frame: Frame, span: Span) -> Span:
    """Of "a programmer who likes to run" the programmer."""
    words = frame.folded(span)
    cut = max(words.rfind("的"), words.replace("个体", "--").rfind("个"), words.rfind("名"), words.rfind("位")) + 1
    if cut and cut < len(words):
        span = (span[0] + cut, span[1])
    return trimmed(frame.plain, *span)


#: 王老板 is a person.


def _is_job(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """是医生, 不是医生了, 是腾讯的产品经理."""
    whole = match.span("v")
    before = frame.folded((whole[0], whole[1])).rpartition("的")[0]
    span = _trimmed_job(frame, whole)
    words = frame.folded(span)
    if (
        not words
        or re.match(
            r"你|您|他|她|我|这|那|谁|好|最|真|同"
            r"|先生",
            words,
        )
        or re.match(r"你|他|她|我(?!们?(?:学校|公司|单位|医院|村|小区|班|系|部门|这儿?|厂))", frame.folded(whole))
    ):
        return
    negative = bool(group(match, "no"))
    ended = bool((negative and (frame.over or frame.lead.over or "再" in group(match, "no"))) or frame.lead.past)
    yield frame.make("occupation", span, polarity="negative" if negative else "positive", ended=ended)
    if (
        before
        and not negative
        and not ended
        and (ORGANISATION.fullmatch(before) or re.fullmatch(SCHOOL, before))
        and not re.fullmatch(HAN + "{0,2}院|.{0,3}店|我.*", before)
    ):
        place = (whole[0], whole[0] + len(before))
        attribute = "school" if re.search("生$", words) else "employer"
        yield frame.make(attribute, trimmed(frame.plain, *place))


def _works_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在腾讯上班, 在腾讯做后端."""
    ended = bool(group(match, "no") or frame.lead.past)
    span = trimmed(frame.plain, *match.span("v"))
    words = frame.folded(span)
    if frame.lead.today and not frame.over:
        return
    organisation = bool(ORGANISATION.fullmatch(words))
    if (named := words.rfind("一家")) > 0 or (named := words.rfind("一个")) > 0:
        # 上海一家互联网公司
        span = (span[0] + named + 2, span[1])
        words = frame.folded(span)
    if re.match("同一?|一样", frame.folded(match.span("v"))):
        return
    odd = re.match(r"家(?!乐福)|外面|外地|这|那|哪|一起|线|同一|里|路上|上面|国外|附近|市中心|同|自己", words)
    place = known_place(words) or is_place_name(words) or bool(re.search(r"[里上边区路]$", words))
    if (organisation or not place) and not odd and 2 <= len(words) <= 20:
        closed = frame.lead.closed and not group(match, "no")
        yield frame.make("employer", span, ended=ended and not closed, tense="past" if closed else None)
    job = match.groupdict().get("job")
    if job and not (group(match, "no")):
        start, end = trimmed(frame.plain, *match.span("job"))
        if re.fullmatch(rf"{TRADE}|{JOB}", frame.plain[start:end]):
            yield frame.make("occupation", (start, end), ended=ended)


def _left_work(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    words = frame.folded(span)
    if points(words) or not 2 <= len(words) <= 16 or re.search("(?:住|生活|读书?|念书?|上学)$", words):
        return
    if known_place(words) and not ORGANISATION.fullmatch(words):
        if took_part(match, "place") and not match["work"]:
            yield frame.make("residence", span, ended=True)
    elif ORGANISATION.fullmatch(words) or match["work"]:
        yield frame.make("employer", span, ended=True)


def _then_works_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我是护士，在市一院: where, after what."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    if frame.lead.past and frame.subject is not None and ORGANISATION.fullmatch(frame.folded(value_of(match))):
        # 我以前在银行
        yield frame.make("employer", value_of(match), ended=True)
        return
    if last is None or last.attribute != "occupation" or last.subject != frame.person.subject or last.polarity != "positive":
        return
    span = value_of(match)
    if (named := frame.folded(span).rfind("一家")) > 0:
        span = (span[0] + named + 2, span[1])
    words = frame.folded(span)
    if 2 <= len(words) <= 14 and (ORGANISATION.fullmatch(words) or _INSTITUTION.search(words)) and not _NO_INSTITUTION.match(words):
        yield frame.make("employer", span)


_INSTITUTION = late_pattern("[院局厂校所社司团店部处台站馆队行馆]$|[一二三四五六七八九十]中$|附小$|集团$")
_NO_INSTITUTION = late_pattern("我|.*(?:读|上|念|学习|准备|备考|等|看|吃|的)|家|这|那|外|一起|路|线|哪|同|里|银行卡|自己")


def _employed(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """老公在国企."""
    if frame.subject is not None and not frame.lead.today and not frame.lead.future_time:
        yield frame.make("employer", match.span("v"), ended=frame.lead.past)


def _does_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在一家外贸公司做单证: what one does at a company is a job, whatever it is called."""
    span = trimmed(frame.plain, *match.span("v"))
    if (named := frame.folded(span).rfind("一家")) > 0:
        span = (span[0] + named + 2, span[1])
    if ORGANISATION.fullmatch(frame.folded(span)) and not frame.lead.today and not frame.lead.past_time and not frame.lead.future_time:
        yield frame.make("employer", span, ended=frame.lead.past)
        yield frame.make("occupation", match.span("job"), ended=frame.lead.past)


def _runs(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在三亚开民宿."""
    known = frame.subject is not None or frame.talk.person is not None
    if known and not (
        frame.lead.today
        or frame.lead.past_time
        or frame.lead.future_time
        or re.search("了|想|要|考虑|打算|准备|计划|开个|的是", frame.plain[frame.begin : match.end()])
    ):
        yield frame.make("occupation", match.span("v"), ended=frame.lead.past)


def _teaches(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在宁波教四年级, 教了二十年数学."""
    if frame.lead.future_time or frame.lead.today:
        return
    yield frame.make("occupation", (match.start("teach"), match.end("v")), ended=frame.lead.past)
    school = match.groupdict().get("at")
    if school and ORGANISATION.fullmatch(school):
        yield frame.make("employer", trimmed(frame.plain, *match.span("at")), ended=frame.lead.past)


def _was_once(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我爷爷以前是矿工: nothing is said of now, so nothing ends."""
    span = _trimmed_job(frame, match.span("v"))
    words = frame.folded(span)
    if frame.lead.past and not frame.own and words and len(words) <= 8 and not points(words):
        yield frame.make("occupation", span, tense="past")


def _left_company(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """刚从字节毕业: a company is no school."""
    words = frame.folded(match.span("v"))
    if ORGANISATION.fullmatch(words) and not re.fullmatch(SCHOOL, words):
        yield frame.make("employer", match.span("v"), ended=True)


def _joined(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    words = frame.folded(span)
    if re.match(rf"{COUNT}多?(?:个)?(?:年|月|天|周)|第", words):
        return
    sure = took_part(match, "sure") or ORGANISATION.fullmatch(words)
    if (
        sure
        and not re.match(r"做|干|搞|个|一(?!家)|卖|开|我|新|一家新|了|下家|别的|另|哪", words)
        and len(words) <= 16
        and not frame.lead.future_time
    ):
        yield frame.make("employer", span)


def _does(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """做后端的, 当老师, 从事教育工作."""
    span = _trimmed_job(frame, match.span("v"))
    words = frame.folded(span)
    if not words or (words in ("设计", "研究", "管理", "测试", "工程", "投资") and not (match["mark"] or (frame.lead.now and frame.own))):
        return
    ended = bool(group(match, "no") and (frame.over or frame.lead.over or "再" in group(match, "no"))) or frame.lead.past
    yield frame.make("occupation", span, polarity="negative" if group(match, "no") else "positive", ended=ended)


def _does_for_a_living(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """是卖保险的, 是做房仲的."""
    words = match["v"]
    if re.search("你|他|她|它|这|那|什么|给|吗|今天|自己|昨天", words) or frame.lead.today or frame.lead.future_time:
        return
    if frame.subject is not None or frame.talk.person is not None:
        yield frame.make("occupation", match.span("v"), ended=frame.lead.past)


def _says_by_itself(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我爸修车的."""
    if frame.subject is not None and frame.subject[1] == match.start():
        yield from _does_for_a_living(frame, match)


def _majors(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在杭州读大学，学医的."""
    studies = re.search("硕士|博士|大学|留学|念书|读书|学院|[系校]|研究|本科|大[一二三四]|专业", frame.plain[: match.start()])
    if (match["mark"] or studies) and not frame.lead.future_time and not frame.lead.past:
        yield frame.make("major", match.span("v"))


def _is_one(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """程序员一枚."""
    yield frame.make("occupation", match.span("v"))


def _no_work(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if not frame.lead.today and not frame.lead.future_time:
        yield frame.make("occupation", match.span("v"))
        if match["v"] in ("退休", "失业", "待业") and frame.own and frame.over and not frame.lead.past:
            yield frame.make("employer", _any_employer(frame), ended=True)


def _any_employer(frame: Frame) -> str:
    """The employer that was spoken of last, else the attribute's name: that is whatever employer there is."""
    said = (*frame.context.recent, *frame.talk.claims)
    known = (each for each in reversed(said) if each.attribute == "employer" and each.subject == frame.person.subject)
    last = next(known, None)
    return last.value if last is not None and last.polarity == "positive" else "employer"


def _resigned(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """离职了: which job is known from what was said before, if at all."""
    if frame.lead.future_time or frame.lead.maybe or frame.lead.past:
        return
    value = _any_employer(frame)
    yield frame.make("employer", value, ended=True)
    if value == "employer" and match["v"] and not re.search("跳槽|换", match["v"]):
        yield frame.make("experience", match.span("v"))


def _next_employer(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """从小米离职了，加入了百度; 换工作了，去了小米: where, after what was left."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    if last is not None and last.attribute == "experience" and len(frame.talk.claims) > 1:
        last = frame.talk.claims[-2]
    span = value_of(match)
    words = frame.folded(span)
    if last is None or (last.attribute, last.ended, last.subject) != ("employer", True, frame.person.subject) or frame.lead.future_time:
        return
    if frame.lead.past or points(words) or _NO_EMPLOYER.match(words) or is_only_place(words) or not 2 <= len(words) <= 12:
        return
    if not (group(match, "sure") or ORGANISATION.fullmatch(words)):
        # 在投简历
        return
    yield frame.make("employer", span)


_NO_EMPLOYER = late_pattern(
    "家里?(?!乐福)|这|那|哪|一|新|别的|另|外|国外|老家|旅|玩|找|休|看|学|考|做|干|带|陪|医院$|海边|人社|仲裁|公司$|路上|等|备考|读|创业|自己|准备"
)
_LOST = (
    "(?:离职|辞职|裸辞|被裁|被裁员|被优化|被辞退|被炒|被炒鱿鱼|被炒了鱿鱼|被开除|被解雇|被解聘|被毕业|丢了工作|丢了饭碗|辞掉工作|辞掉了工作|辞了工作|跳槽|换工作|换了工作"
    "|换了份工作|换了个工作|换了新工作|换了份新工作)"
)


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
_FOR = rf"(?:了)?(?:{COUNT}|半)?(?:十|百)?(?:来|多|几)?(?:年|个月)?(?:多)?(?:的)?"
_GRADE = (
    rf"(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三]|国[一二三]|[硕博][一二三四五]|{NUMERAL}年级|小学{NUMERAL}年级"
    r"|博士班|硕士班|研究所|大学部|博士|硕士|研究生|本科|博|研)"
)
_MAJOR = (
    "(?:医学?|临床|法律|法学|金融|会计|经济学?|计算机|软件工程|软件|护理|设计|建筑学?|土木|机械|电气|自动化|化学|物理|数学|生物"
    "|心理学|心理|新闻学?|传播"
    "|中文|历史|哲学|师范|教育学?|艺术|美术|音乐|表演|导演|工商管理|市场营销|人工智能|数据科学|环境工程|材料|农学|兽医|药学|口腔"
    "|影视|动画|英语|日语|法语|德语|资工|电机|企管|统计|物流)"
)
#: What one teaches.
_TAUGHT = (
    rf"(?:(?:小学|初中|高中|大学|国中|幼儿园)?(?:生)?(?:的)?(?:语文|数学|英语|英文|物理|化学|生物|历史|地理|政治|体育|音乐|美术|书法"
    rf"|科学|计算机|编程|信息技术|思政|法语|德语|日语|韩语|西班牙语|对外汉语|中文|国文|自然|社会|[大小中]提琴|钢琴|吉他|瑜伽|舞蹈|游泳"
    rf"|画画|画|素描|围棋|跆拳道|会计|护理|经济学?|法律|高数|奥数)|{NUMERAL}年级|[高初国][一二三]|(?:小学|初中|高中|幼儿园|大学"
    rf"|国中)(?:生)?)"
)

WORK = rules(
    (
        rf"{_NO}在(?P<v>{HAN}[^,在]{{0,14}}?|{LATIN}[^,在]{{0,8}}?)(?:这家公司|那边|这边)?(?:上班|工作|就职"
        rf"|任职|供职|打工|搬砖|干活|当差|教书|任教|执教|实习){_FOR}(?:,?(?:做|当|是|担任|负责|干)(?P<job>[^,]{{1,14}}?)"
        rf")?(?:的|了|呢)*$",
        _works_at,
    ),
    (
        rf"{_NO}在(?P<v>{HAN}[^,在]{{0,12}}?|{LATIN}[^,在]{{0,6}}?)(?:里|那边)?(?:做|当|担任|负责|干)(?:了)?(?:{COUNT}年"
        rf")?(?:的)?(?:一?(?:名|个|位))?(?P<job>{TRADE}|{JOB})(?:的|了|工作|相关(?:的)?工作)*$",
        _works_at,
    ),
    (r"在(?P<v>[^,在的]{2,14}?)(?:里|这边|那边)?(?:的)?$", _then_works_at),
    (
        r"在(?:一?家|一个)?(?P<v>国企|央企|外企|私企|民企|事业单位|体制内|(?:互联网)?大厂|创业公司|初创公司|部队|投行|律所|四大"
        r"|机关单位)(?:里)?(?:的)?$",
        _employed,
    ),
    (
        r"在(?P<v>[^,在]{2,14}?)(?:里)?做(?P<job>(?!兼职|志愿|义工|检查|手术|体检|实验|项目|核酸|客|梦|饭|事|作业|了"
        r"|过)[^,的了过]{2,6})$",
        _does_at,
    ),
    (
        rf"(?:在[^,]{{2,8}})?(?P<v>开(?:{HAN}{{0,5}})(?:民宿|店|餐馆|面馆|饭馆|咖啡馆|书店|公司|工作室|诊所|超市|工厂|网吧|餐厅"
        rf"|酒吧))(?:的)?$",
        _runs,
    ),
    (
        rf"(?:在(?P<at>[^,在]{{2,12}}?)(?:里)?)?(?:是)?(?P<teach>教)(?:了)?(?:{COUNT}(?:多|几)?年(?:的)?)?(?P<v>{_TAUGHT})(?:的|了|老师)*$",
        _teaches,
    ),
    (r"(?:是|做|当)(?:一?(?:名|个|位))?(?P<v>[^,]{1,8}?[工员师兵家手长医匠人民])(?:的|来着)*$", _was_once),
    (
        rf"{_NO}在(?P<v>[^,在]{{2,14}}?)(?:里)?(?:干|待|呆|做|混|熬)了(?:快|有|整整)?{COUNT}(?:十|百)?(?:来|多|几)?(?:个)?(?:年"
        rf"|月)(?:多)?(?:了)?$",
        _works_at,
    ),
    (r"(?:入职|任职于|就职于|供职于|效力于|服务于|受雇于)(?:了|到)?(?P<v>[^,]{2,16}?)(?P<sure>)(?:了|的)*$", _joined),
    (r"(?:从[^,]{1,10})?(?:跳槽|跳)(?:到|去|来)了?(?P<v>[^,]{2,16}?)(?P<sure>)(?:工作|上班)?(?:了|的)*$", _joined),
    (
        r"从[^,]{2,10}?(?:离职|辞职|离开|出来)(?:以?后|之后)?(?:就|又|直接)*(?:去|到|加入|入职|进)了(?P<v>[^,]{2,12}?)(?P<sure>)(?:工作|上班)?(?:了|的)*$",
        _joined,
    ),
    (
        r"(?:后来|已经|接着|又|就|刚)*(?:(?P<sure>加入|入职|换到|跳到|跳去|加盟)|去|到|进|在)了?(?P<v>[^,]{2,12}?)(?:工作|上班|干|做)?(?:了|的)*$",
        _next_employer,
    ),
    (r"(?:刚|已经|正式|现在)*(?:加入|加盟)了(?P<v>[^,]{2,16}?)(?P<sure>)?(?:工作|上班)?$", _joined),
    (r"(?:加入|加盟|换到|去)了?(?P<v>[^,]{2,16}?)(?P<sure>工作|上班)?了$", _joined),
    (r"(?:的)?(?:新?公司|单位|新?工作单位|新?东家)(?:是|叫|:)+(?P<v>[^,]{2,16}?)(?P<sure>)$", _joined),
    (r"不(?:再)?(?:在|给|为)(?P<v>[^,在]{2,16}?)(?P<work>上班|工作|干|做|任职|打工|教书)?(?:下去)?了(?P<place>)?$", _left_work),
    (r"从(?P<v>[^,]{2,16}?)(?P<work>)毕业(?:了)?$", _left_company),
    (r"从(?P<v>[^,]{2,16}?)(?P<work>离职|辞职|跳槽|离开|走人|走|出来)(?:了|的)?$", _left_work),
    (r"(?:离开|辞掉|辞去|退出)了?(?P<v>[^,]{2,16}?)(?P<work>的工作|的职位)?(?P<place>)了?$", _left_work),
    (rf"(?:刚|正式|已经|主动|最终|就)*(?:从?(?:公司|单位))?(?P<v>{_LOST})(?:掉)?(?:了|$)$", _resigned),
    (r"(?:已经)?(?:办完了?离职(?:手续)?(?:了)?|离职手续(?:已经|都)*办完了|没工作了|没了工作)(?P<v>)$", _resigned),
    (r"被(?:前?公司|单位|老板|厂里?|厂子|领导)(?:给)?(?:裁员|裁|优化|辞退|炒鱿鱼|炒|开除|解雇|解聘)(?:掉)?了(?P<v>)$", _resigned),
    (r"把(?:现在的|原来的|这份|那份)?(?:工作|班|活儿?)(?:给)?(?:辞|丢|弄丢)(?:掉)?了(?P<v>)$", _resigned),
    (r"(?:正)?在(?P<v>当兵|服兵役|服役|读研|读博)(?:中)?$", _no_work),
    (
        r"(?:已经)?(?P<v>退休|失业|待业|创业|自由职业|半退休)(?:了|在家|中|(?:都|有|已经|快)?(?:\d{1,2}"
        r"|[一二两三四五六七八九十几半]{1,3})(?:多|来)?个?(?:多)?(?:年|月)(?:多)?)*$",
        _no_work,
    ),
    (rf"(?P<no>(?:并)?不再?)?是(?:一?(?:名|个(?!体)|位)|做|当|搞|干)?(?P<v>[^,]{{0,18}}?(?:{JOB}))(?:的|了)*$", _is_job),
    (
        r"(?:的)?(?:职业|职位|工作|岗位|本职工作|本职|职务|行业)(?:就)?(?:是|为|:)+(?:一?(?:名|个|位))?(?P<mark>)(?P<v>"
        r"[^,]{2,16}?)(?:的)?$",
        _does,
    ),
    (
        rf"(?P<no>不(?:再)?)?(?:是)?(?:做|干|搞|当|担任|从事)(?:了)?(?:{COUNT}年|多年)?(?:多)?(?:的)?(?:一?(?:名"
        rf"|个|位))?(?P<v>{TRADE}|{JOB})(?P<mark>的|工作的?|相关|这一?行|行业|(?:快|有|都)?(?:{COUNT}|七八|五六|三四|两三)(?:多|几"
        rf"|来)?年)?(?:工作)?(?:的|了)*$",
        _does,
    ),
    (r"(?P<no>不(?:再)?)?(?:是)?从事(?:于)?(?P<v>[^,]{2,14}?)(?P<mark>工作|行业|相关工作|方面的?工作)?(?:的|了)*$", _does),
    (r"(?:是)?做(?P<v>(?![梦饭菜事人到过了得不什给爱作家运])[^,的了]{2,8})(?P<mark>)的$", _does_for_a_living),
    (r"(?P<v>(?:教|开(?!玩笑|心|源)|卖(?!萌)|送(?!给)|跑(?!题)|搞(?!笑|不)|种|修(?!改)|拉)[^,的是了]{1,4})的$", _says_by_itself),
    (rf"(?:是)?(?:学|读|念|修)(?:的是)?(?P<v>{_MAJOR})(?:专业|系)?(?P<mark>的)?$", _majors),
    (
        r"是(?P<v>(?:教|开(?!玩笑|心|源)|卖(?!萌)|送(?!给)|跑(?!题)|搞(?!笑|不)|种|写(?!实)|画|拍|修(?!改)|做|当|养|唱|弹"
        r"|带)[^,的是了]{1,5})的$",
        _does_for_a_living,
    ),
    (rf"(?P<v>{JOB})(?:一枚|一名|一只|一个)$", _is_one),
    (rf"(?:刚)?(?:升职|升|晋升|转岗|转行|改行|转)(?:成|为|到|做|去做|当)*了?(?P<v>{TRADE}|{JOB})(?P<mark>)?(?:的|了)*$", _does),
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
