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
        named = max(before.rfind("一家"), before.rfind("一个")) + 2
        place = (whole[0] + (named if named > 2 else 0), whole[0] + len(before))
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


def _left_to_run(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """从国企辞职出来开了家奶茶店."""
    if not frame.lead.future_time and not frame.lead.maybe:
        yield frame.make("employer", value_of(match), ended=True)
        yield frame.make("experience", match.span("then"))


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


def _drives_for(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在一家物流公司开货车."""
    span = trimmed(frame.plain, *match.span("v"))
    if (named := frame.folded(span).rfind("一家")) >= 0:
        span = (span[0] + named + 2, span[1])
    if ORGANISATION.fullmatch(frame.folded(span)) and not (frame.lead.today or frame.lead.past_time or frame.lead.future_time):
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
    if "的" in words and ORGANISATION.fullmatch(words.rpartition("的")[2]):
        # 一家做芯片的创业公司
        span = (span[0] + words.rindex("的") + 1, span[1])
        words = frame.folded(span)
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
    if re.match("(?:做|干|搞)了(?!.*年)", match[0]) or (words in ("生意", "产品", "项目", "设计", "工程") and "的" in match["v"][:-1]):
        # 做了个测试: done once.
        return
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


def _is_one(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """程序员一枚."""
    yield frame.make("occupation", match.span("v"))


def _is_one_in_passing(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """坐标杭州，程序员，30岁; 本人会计."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    listed = last is not None and frame.own and last.subject == frame.person.subject and last.attribute in _PROFILE
    named = frame.subject is not None and frame.folded(frame.subject) == "本人" and frame.subject[1] == match.start()
    if (listed and frame.subject is None) or named:
        yield frame.make("occupation", match.span("v"))


_PROFILE = frozenset({"gender", "name", "nickname", "residence", "hometown", "age", "marital status"})


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


_NO = r"(?P<no>(?:并)?不(?:再)?)?"
_FOR = rf"(?:了)?(?:{COUNT}|半)?(?:十|百)?(?:来|多|几)?(?:年|个月)?(?:多)?(?:的)?"
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
        r"|过)[^,的了过]{2,10}?)(?:的|工作)*$",
        _does_at,
    ),
    (
        r"在(?P<v>[^,在]{2,14}?)(?:里)?(?P<job>(?:开(?:货车|卡车|大巴|公交|出租车?|地铁|火车|叉车|网约车)|跑(?:业务|销售|运输)|管(?:仓库|人事|财务)"
        r"|送(?:快递|外卖|货)|带(?:团队|项目|班)))(?:的)?$",
        _drives_for,
    ),
    (
        rf"(?:在[^,]{{2,8}})?(?P<v>开(?:{HAN}{{0,5}})(?:民宿|店|铺|厂|坊|摊|农家乐|养殖场|小卖部|餐馆|面馆|饭馆|咖啡馆|书店|公司|工作室|诊所|超市|工厂|网吧|餐厅"
        rf"|酒吧))(?:的)?$",
        _runs,
    ),
    (
        rf"(?:在(?P<at>[^,在]{{2,12}}?)(?:里)?)?(?:是|改|转)?(?P<teach>教)(?:了)?(?:{COUNT}(?:多|几)?年(?:的)?)?(?P<v>{_TAUGHT})(?:的|了|老师)*$",
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
    (
        r"从(?P<v>[^,]{2,10}?)(?:离职|辞职|裸辞|下岗)了?(?:出来|以?后|之后)*(?:就|又|自己|一个人|跟[^,]{1,4}|和[^,]{1,4})*(?P<then>开了?[^,]{2,10}|创业|单干)了?$",
        _left_to_run,
    ),
    (
        r"(?:离开|辞掉|辞去|退出)了?(?:(?!加入|入职)[^,]){2,12}?(?:以?后|之后)?(?:就|又|去|直接)*(?:加入|入职|跳槽到|去)了(?P<v>[^,]{2,12}?)(?P<sure>)(?:工作|上班)?了?$",
        _joined,
    ),
    (r"(?:离开|辞掉|辞去|退出)了?(?P<v>[^,]{2,16}?)(?P<work>的工作|的职位)?(?P<place>)了?$", _left_work),
    (rf"(?:刚|正式|已经|主动|最终|就)*(?:从?(?:公司|单位))?(?P<v>{_LOST})(?:掉)?(?:了|$)$", _resigned),
    (r"(?:已经)?(?:办完了?离职(?:手续)?(?:了)?|离职手续(?:已经|都)*办完了|没工作了|没了工作)(?P<v>)$", _resigned),
    (r"被(?:前?公司|单位|老板|厂里?|厂子|领导)(?:给)?(?:裁员|裁|优化|辞退|炒鱿鱼|炒|开除|解雇|解聘)(?:掉)?了(?P<v>)$", _resigned),
    (r"把(?:现在的|原来的|这份|那份)?(?:工作|班|活儿?)(?:给)?(?:辞|丢|弄丢)(?:掉)?了(?P<v>)$", _resigned),
    (r"(?P<v>全职(?:在家)?(?:带(?:孩子|娃)|妈妈|爸爸|太太|主妇|主夫)?)(?:带孩子|带娃|在家)?(?:了)?$", _no_work),
    (r"(?:正)?在(?P<v>当兵|服兵役|服役|读研|读博)(?:中)?$", _no_work),
    (
        r"(?:已经)?(?P<v>退休|失业|待业|创业|自由职业|半退休)(?:了|在家|状态|中|(?:都|有|已经|快)?(?:\d{1,2}"
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
        rf"(?P<no>不(?:再)?)?(?:是)?(?:出来|转去)?(?:做|干|搞|当|担任|从事)(?:了)?(?:{COUNT}年|多年)?(?:多)?(?:的)?(?:一?(?:名"
        rf"|个|位))?(?P<v>{TRADE}|{JOB})(?P<mark>的|工作的?|相关|这一?行|行业|(?:快|有|都)?(?:{COUNT}|七八|五六|三四|两三)(?:多|几"
        rf"|来)?年)?(?:工作)?(?:的|了)*$",
        _does,
    ),
    (r"(?P<no>不(?:再)?)?(?:是)?从事(?:于)?(?P<v>[^,]{2,14}?)(?P<mark>工作|行业|相关工作|方面的?工作)?(?:的|了)*$", _does),
    (r"(?:是)?做(?P<v>(?![梦饭菜事人到过了得不什给爱作家运])[^,的了]{2,8})(?P<mark>)的$", _does_for_a_living),
    (r"(?P<v>(?:教|开(?!玩笑|心|源)|卖(?!萌)|送(?!给)|跑(?!题)|搞(?!笑|不)|种|修(?!改)|拉)[^,的是了]{1,4})的$", _says_by_itself),
    (
        r"是(?P<v>(?:教|开(?!玩笑|心|源)|卖(?!萌)|送(?!给)|跑(?!题)|搞(?!笑|不)|种|写(?!实)|画|拍|修(?!改)|做|当|养|唱|弹"
        r"|带)[^,的是了]{1,5})的$",
        _does_for_a_living,
    ),
    (rf"(?P<v>{JOB})(?:一枚|一名|一只|一个)$", _is_one),
    (rf"(?P<v>{JOB})$", _is_one_in_passing),
    (rf"(?:刚)?(?:升职|升|晋升|转岗|转行|改行|转)(?:成|为|到|做|去做|当)*了?(?P<v>{TRADE}|{JOB})(?P<mark>)?(?:的|了)*$", _does),
)
