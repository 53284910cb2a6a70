"""What somebody is going to do, has to do by when, and strives for, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, group, points, rules, took_part
from pagefile.lifecycle.rules.chinese_words import KNOWN_PLACE, TIME, TIME_DAY, TIME_EITHER, TIME_FUTURE

_FUTURE = late_pattern(TIME_FUTURE)
_SOME_TIME = late_pattern(TIME_DAY)
SHORTEST, LONGEST = 2, 24
#: Things said in passing, of the conversation itself, or of feelings: neither habit nor plan.
_IDLE = late_pattern(
    r".*(?:你|您(?!好)|一下$|就|觉得|感觉|心情|难过|开心死|崩溃|怎么办|这样|那样|这么|那么|什么|算了"
    r"|看看再说|再说$)|.*(?:他们|她们|充分)|我|女儿|儿子|老公|老婆|爸妈|孩子|回去|好|不|先(?:看|试|问"
    r"|这|说|不|去看|了解)|说|想(?!办法)|问|看情况|知道|忘|告诉|听你|是|有点|有时|没|被|让|把(?!.*(?:搬"
    r"|卖|送|婚|房|车|驾照|[考学读写办辞装戒]))|去吧|来吧|走了|睡了|吃饭|吃了|下线|忙|累|烦|在|对|就|都|也|会(?!议)|能|可以|要是|用你"
    r"|给你|跟你|跟着|麻烦|请|回家$|洗澡|出门|出发|上班$|下班$|开始|继续|试|做饭$|做完|起床|睡觉|休息$"
    r"|吃什么|喝点|吃点|点外卖|打游戏$|看剧$|.*(?:试试看?|期待.*)$"
)


def whole_from(frame: Frame, at: int) -> Span:
    """The rest of the clause, without final particles."""
    begin, end = at, frame.end
    while end > begin and frame.plain[end - 1] in "了的":
        end -= 1
    return begin, end


# --- plans and deadlines -------------------------------------------------------------------------------------------------


def _is_ahead(frame: Frame, begin: int, end: int) -> bool:
    """Whether the clause names a time that is still to come, or may be."""
    if frame.lead.future_time:
        return True
    if frame.lead.past_time or frame.lead.past or frame.lead.today:
        return False
    return bool(_FUTURE.search(frame.plain, begin, end)) or frame.lead.some_time or bool(_SOME_TIME.search(frame.plain, begin, end))


#: What is planned even if nobody says so, when its time is still to come.
_GOES = (
    rf"去(?!吧|看看|死|看[他她它]|\d|后|[和跟][他她]们)|飞|回(?=老家|国|家乡|故乡|娘家|学校|{KNOWN_PLACE})"
    rf"|结婚|订婚|开会|考|搬|出差|出国|参加|开学|入职|毕业|动?手术|领证|办婚礼|生(?=孩|娃|宝|二胎|小孩|产|了|$)|答辩|面试|体检|放.{{0,2}}假|休.{{0,2}}假"
    rf"|调休|值班|到.{{2,6}}出差|看(?:牙医|医生|牙|病|中医|专家|房|演唱会|话剧|展)|做(?:检查|胃镜|肠镜|体检|产检|核磁|CT|B超|手术)"
    rf"|改(?:教|做)|调(?:到|去)|转(?:到|去)|升职|离职|请假|陪.{{1,6}}(?:去|看|做)|带.{{1,6}}(?:去|看|做)|拔牙|复诊|复查|打疫苗"
)

#: What one plans without saying when.
_UNDERTAKES = (
    "买(?!菜|点)|学|开(?:一?家|个|店|公司)|转行|转岗|辞职|离职|换(?:工作|房|车|个工作|城市)|装修|创业"
    "|报(?:名|个|班)|养(?:一|只|条|猫|狗)|移民|退休|备孕|减肥|戒|要(?:个|二)?孩子|租|卖(?:车|房)|办(?:签证"
    "|护照)|和.{1,6}(?:结婚|离婚|分手)|离婚|旅行|自驾"
)


_SMALL = late_pattern(
    "(?:内|之内|以内)?(?:就|又|还(?=[要会得去想])|也|抽空|抽时间|找时间|找个时间|要(?=去|搬|回|飞|参加|考|开|做|办|动))+|(?:之|以)?内(?=去|[^部在])"
)


def _planned(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """打算去成都, 下周三要去北京出差."""
    if frame.after_task and frame.subject is None:
        return
    span = whole_from(frame, match.end())
    time = TIME.match(frame.plain, *span)
    begin = time.end() if time and time.end() < span[1] else span[0]
    if match[0] in ("约", "约了") and begin == span[0]:
        # 约了美玲喝咖啡
        begin = match.start()
    if small := _SMALL.match(frame.plain, begin, span[1]):
        begin = small.end()
    words = frame.plain[begin : span[1]]
    ahead = _is_ahead(frame, frame.begin, frame.end)
    goes = bool(re.match(_GOES, words))
    if not SHORTEST <= len(words) <= LONGEST or _IDLE.match(words) or frame.lead.today or frame.lead.past or frame.lead.past_time:
        return
    if took_part(match, "bare"):
        # 下周三去北京: nothing but the time says that it is a plan.
        worth = goes and ahead and frame.lead.often < 0 and not re.search("[了过完]|的时候|以后|考上", words)
    elif took_part(match, "call"):
        worth = (len(words) > 2 or goes) and ahead and (goes or frame.lead.future_time) and frame.lead.often < 0
    else:
        worth = ahead or goes or bool(re.match(_UNDERTAKES, words))
    if not worth:
        return
    yield frame.make("plan", (begin, span[1]), certainty="passing" if group(match, "wish") or frame.lead.maybe else "plain", tense="plan")


def _has_event(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """下周三有个面试."""
    if frame.lead.future_time or (frame.lead.some_time and not frame.lead.past_time and not frame.lead.past and frame.lead.often < 0):
        yield frame.make("plan", match.span("v"), tense="plan")


def _event_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我的航班是周五下午."""
    if TIME.match(frame.plain, match.start("when")) and not re.match(r"昨|前天|上", match["when"]):
        attribute = "deadline" if re.search("截止|deadline|ddl|到期|期限", match[0], re.IGNORECASE) else "plan"
        # Put to another time, whatever it was: the earlier one is wrong now.
        moved: dict[str, Any] = {"correction": True} if _PUT_OFF.search(frame.plain, match.end("what"), match.start("when")) else {}
        yield frame.make(
            attribute,
            (match.start("what"), whole_from(frame, match.start("what"))[1]),
            tense="plan",
            begin=min(frame.begin, match.start()),
            **moved,
        )


_PUT_OFF = late_pattern("改|推迟|提前|延")


def _due(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """报告五月三号交, 月底前要交论文."""
    if (
        frame.lead.past_time
        or frame.lead.past
        or re.match(r"昨|上周|上个月|去年", match["when"] or "")
        or (frame.over and not re.search("[要得就]", match[0]))
    ):
        return
    words = frame.plain[match.start() : frame.end]
    if re.match("计划|打算|准备|想|争取|希望|决定|力争", match["what"]):
        return
    if re.search(r"你|朋友|女朋友|交给你|交流|交通|什么|交往", words):
        return
    yield frame.make(
        "deadline", whole_from(frame, min(frame.begin, match.start()) if match["what"] == "" else match.start("what")), tense="plan"
    )


def _must_by(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """下周五之前必须交报告: the time stands before."""
    lead = frame.plain[frame.begin : match.start()]
    until = re.search(r"(?:前|之前|以前)(?:要|得|必须|需要|一定要)*$", lead) and not (frame.lead.past_time or frame.lead.today)
    handed_in = match["hand"] and (frame.lead.future_time or frame.lead.some_time)
    if (until or handed_in) and (match[0].find("把") >= 0 or not re.search("你|了$", match[0])):
        begin = frame.begin if frame.subject is None else max(frame.subject[1], frame.begin)
        yield frame.make("deadline", whole_from(frame, begin), tense="plan")


# --- goals ---------------------------------------------------------------------------------------------------------------


def _goal(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if frame.lead.today or frame.lead.past or frame.lead.past_time:
        return
    span = whole_from(frame, match.start("v"))
    words = frame.folded(span)
    if (
        SHORTEST <= len(words) <= LONGEST
        and not points(words)
        and not re.search(r"你|什么|怎么|一下|的.{0,6}(?:很|特别|不|太|比较|挺)", words)
        and not re.match(r"找|问|知道|了解|(?:学习|练习|提升|提高|完成|坚持)$|.*期$", words)
    ):
        yield frame.make("goal", span)


def _striving(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在备考, 最近在学日语."""
    said = frame.plain[frame.begin : match.start("v")]
    if re.search(r"在|正|最近|努力|开始|一直|目前|现在", said) and not frame.lead.often >= 0:
        yield from _goal(frame, match)


def _no_goal(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """不想学法语了."""
    yield frame.make("goal", match.span("v"), ended=True)


_EVENTS = (
    "(?:面试|胃镜|肠镜|核磁|疫苗|拔牙|种牙|看房|满月酒|考试|期末考|期中考|高考|中考|考研|体检|手术|复查|复诊|婚礼|聚会|同学会"
    "|同学聚会|年会|会议"
    "|例会|评审|答辩|演出|演讲|汇报|比赛|马拉松|航班|飞机|火车|高铁|约会|预约(?!时间|号)|牙医预约|家长会|演唱会|半马|全马"
    "|音乐会|培训|旅行|出差|毕业典礼|开学|团建|路演|展会|讲座|产检|驾考|入职|口试|学测|指考|统测|段考|期中|期末|模拟考|模考|复检"
    "|回诊|看诊|打疫苗|课|(?<=个)会)"
)
_EVENT = rf"(?:[^,的]{{0,8}}?{_EVENTS})"
_HAND_IN = (
    "(?:交稿?|截止|到期|过期|提交|上线|答辩|开题|验收|交付|due|ddl|截稿|上交|完成|还(?:款|清|贷|书)|搞定|写完|做完|发给(?!你)|发到"
    "|发出|寄出|给到|报送|给(?=编辑|客户|老师|导师|老板|领导|甲方|公司|财务|学校|HR))"
)
_ASPIRE = (
    "(?:把[^,]{1,8}(?:考|练|学|减|瘦)(?:到|好|完)|报考|考(?:上|过|到|研|公|证|博|雅思|托福|驾照|个|下|[A-Z])"
    "|学(?:会|好|习)?(?!校|费|生|期|完|几|那|这|点|些|一下|到)|减(?:肥|重|到|掉|脂|\\d)|瘦(?:到|下"
    "|\\d|[一二三四五六七八九十])|跑(?:完|一个|半马|全马|马拉松|进)|完成|攒|存(?:够|下|\\d|钱)|转(?:行"
    "|岗|型)|创业|开(?:一|个|自己|家)|成为|当(?:上)?(?:一|个)?|拿(?:到|下)(?=[^,]{0,10}(?:证|offer"
    "|学位|驾照|奖|冠军|签证|绿卡|奖学金|资格))|通过(?=[^,]{0,8}(?:考试|面试|级|认证|答辩|资格))|提高"
    "|提升|练(?:出|好|成|习)?|戒(?:烟|酒|糖|掉|咖啡|游戏)|出国|留学|读完|写完|写一?本|出一?本|环游"
    "|环球|买(?:一?套|房|一?辆|车|个自己的)|升(?:职|到|为)|换(?:工作|份工作|行)|早睡|增肌|增重|走遍"
    "|去(?:留学|支教)|怀孕|要(?:个|二)?孩子|移民|财务自由|登上|爬(?:上|完|遍)|坚持(?!下|住|到底|$)"
    "|养成|改掉)"
)
_CALLS_FOR_TIME = "(?:要|会|得|将要?|准备|需要|必须|就要|快要|马上要|即将)"

#: Said of things that have a date, whoever they belong to.
DATED_THINGS = rules(
    (
        r"(?:的)?(?P<what>(?:[^,]{0,12}?)(?:截止(?:日期|时间)?|deadline|ddl|最后期限|期限|到期日?))(?:就"
        r"|定|改)?(?:是|在|为|到|:|于)*(?P<when>[^,]{2,16})$",
        _event_at,
    ),
    (
        rf"(?:的)?(?P<what>{_EVENT})(?:时间)?(?:就|安排|定|改|约|预约|推迟|提前|订)?(?:是|在|到|于|:|的)*(?P<when>(?:{TIME_FUTURE}"
        rf"|{TIME_EITHER})[^,]{{0,8}})$",
        _event_at,
    ),
    (
        rf"(?P<what>[^,]{{1,12}}?)(?:是|要|得|在|必须)*(?P<when>(?:{TIME_FUTURE}|{TIME_EITHER})+)(?:之前"
        rf"|以前|前)?(?:就|要|得|必须|需要)*{_HAND_IN}(?:[^,]{{0,6}})$",
        _due,
    ),
)

PLANS = rules(
    (
        r"(?:要|得|必须|需要)把[^,]{1,10}(?P<hand>交|报|缴|填|提交|还|完成|搞定|写完|做完|办完|付|弄完|改完|改好|写好|做好|弄好|整理好)(?:[^,]{0,3})$",
        _must_by,
    ),
    (r"(?:要|得|必须|需要|务必|一定要|就要)*(?P<hand>交|提交|上交)(?!朋友|流|给你|代|往|通|女|男)(?:[^,]{1,14})$", _must_by),
    (
        r"(?:要|得|必须|需要|务必|一定要)(?P<hand>)(?:完成|搞定|写完|做完|还清|还|付|办好|办完|赶完|准备好"
        r"|拿下|交付|上线)(?:[^,]{1,14})$",
        _must_by,
    ),
    (
        r"(?:的)?(?:[^,]{0,6}的)?(?:目标|梦想|愿望|心愿|理想|flag|OKR|小目标)(?:就|其实|一直)?(?:是|:"
        r"|为)(?:要|能|在)?(?P<v>[^,]{2,30})$",
        _goal,
    ),
    (
        rf"(?:一直)?(?:想要?|立志|争取|努力|力争|决心|发誓要?)(?:在)?(?:{TIME_FUTURE}|{TIME_EITHER}|今年"
        rf"|[^,]{{1,6}}岁)?(?:以内|之内|以前|内|之前|前|能|就|去(?=考))*(?P<v>{_ASPIRE}[^,]{{0,22}})$",
        _goal,
    ),
    (
        r"(?:正在?|在|最近在)?(?:努力|开始)?(?P<v>(?:考(?=[A-Z]|证|研|公|编|驾照|雅思|托福|教资|注会|司法|法考|博)|准备(?:雅思|托福"
        r"|考研|高考|中考|法考|国考|省考|四六级|教资|[A-Z])|备考|备战|减肥|减脂|增肌|戒烟|戒酒|戒糖|备孕|考研|考公"
        r"|自学|攻读|学习?(?!校|完|了|过|生|期|费|历|那|这|几|到|着|阶段|如何|怎么|状态|能力|成绩|压力)[^,了过]{2,14}|准备[^,]{0,8}(?:考试"
        r"|比赛|答辩|马拉松|面试)|练习?(?=[^,]{2})[^,了过]{2,10}|攒(?:钱|首付|彩礼|学费)[^,]{0,8}|存钱[^,]{0,8}|写(?:小说|论文"
        r"|毕业论文|一?本书)|找工作|看房)[^,了]{0,14})$",
        _striving,
    ),
    (
        r"(?:已经)?(?:打算|准备|计划|决定|预计|约好|说好|约定|约|(?:定好|定)(?=了?[^,]{0,14}(?:去|飞|回|搬|结婚|领证|见|开会|出发|面谈|吃饭)))了?(?=[^,]{2})",
        _planned,
    ),
    (rf"(?P<call>{_CALLS_FOR_TIME})(?=[^,]{{2}})", _planned),
    (r"(?P<wish>想|考虑|在考虑|说不定会|可能会|可能要)(?:要|会)?(?=[^,]{2})", _planned),
    (rf"(?P<bare>)(?={_GOES})", _planned),
    (rf"有(?:一)?(?:个|场|次|节|门|趟)?(?:重要的?|大的?|我们?[^,]{{0,6}}的)*(?P<v>{_EVENT})(?:要[^,]{{0,6}})?$", _has_event),
    (rf"(?P<v>{_EVENT})$", _has_event),
    (rf"不(?:再)?(?:想|打算|准备)(?P<v>{_ASPIRE}[^,]{{0,16}}?)了$", _no_goal),
)
