"""What somebody does, did and is going to do, can do and owns, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import Frame, group, items, points, polarity_of, rules, trimmed, value_of
from pagefile.lifecycle.rules.chinese_plans import DATED_THINGS, PLANS, SHORTEST, whole_from
from pagefile.lifecycle.rules.chinese_words import (
    COUNT,
    HAN,
    HOUR,
    PART_OF_DAY,
    SKILL,
    is_sight,
)

_WORTHLESS_HABIT = late_pattern(
    r".*时候$|.*(?:你|您|觉得|感觉|[’”]|想起|忘|怎么|时间|不算|什么|这样|那样|这么|那么|吗|呢$|难过"
    r"|崩溃|想死|死了|后悔|吃午饭|吃饭$|^也就|^只[有能]|不多$|很少|不够|至少|可以|排得)|(?:会(?!去|跑"
    r"|做|喝|看|听|打|带|陪|读|练|游|吃)|能|都|有|是|在|想|说|没|不知道|不想|不敢|要(?!去|补|上课|开会|值|学|写|做|喝|吃|跑"
    r"|遛|接|带|送|上|练|陪|回)|很|好|被|把|太|就|也|还|让|喜欢|爱|这|那|他|她|它|我)|.*了(?!.{2})"
)


_ACTIVITY = late_pattern(
    "(?:自己|会|去|都|在家|在外面|骑|坐|和.{1,6}一?起?|跟.{1,6}一?起?|一个人|带.{1,6}|陪|用.{1,6})*(?:跑步"
    "|健身|爬山|去.|看(?!来|到|起来)|听|喝|吃|打.|练|游泳|骑|做(?:饭|瑜伽|运动|菜|早餐|早饭|普拉提"
    "|志愿)|读|写|逛|遛|陪|散步|煮|玩|拍|画|弹|钓|种|坐地铁|坐公交|开车|加班|熬夜|出差|锻炼|运动|冥想"
    "|午睡|步行|走路|自驾|露营|点外卖|撸铁|跳舞|跳绳|唱|刷|追剧|泡|烘焙|徒步|滑雪|买|穿|早起|晚睡|睡懒觉"
    "|骑行|瑜伽|在.{1,8}吃|上.{0,8}课|接.{0,4}(?:孩子|儿子|女儿)|带.{0,4}(?:孩子|儿子|女儿|爸妈|狗)"
    "|送|回|祷告|礼拜|喂|补|值班|开会|复查|透析|还贷|打扫|大扫除|直播|搭|坐|通勤|上夜班|下厨|陪|钓鱼|打)"
)


def _wakes(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """六点起床, 每天十一点睡."""
    lead = frame.plain[frame.begin : match.start()]
    if frame.lead.today or frame.lead.past_time or frame.lead.future_time or frame.lead.past:
        return
    hour = re.search(rf"(?:{PART_OF_DAY})?(?:{HOUR})(?=(?:以后|之后|左右|多|后|前|之前|都|就|才|要|会| )*$)", lead)
    if hour:
        start = frame.begin + hour.start()
        yield frame.make("wake time" if match["wake"] else "bedtime", (start, frame.begin + hour.end()))


def _habit(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """每天早上跑步. Read last: what a habit is of may be something better known."""
    at = frame.at
    if frame.lead.often < 0 and _goes_on_with_habits(frame):
        frame.lead.often = frame.begin if frame.subject is None else frame.subject[1]
    if frame.lead.often < 0 or frame.lead.today or frame.lead.past or frame.lead.past_time or frame.lead.future_time:
        return
    said = whole_from(frame, at)
    words = frame.folded(said)
    often = frame.folded((frame.lead.often, at))
    surely = re.search("每|天天|周周|隔天|次|趟|(?:周|星期|礼拜)[一二三四五六日天].{0,3}[一二三四五六日天]", often)
    short = surely and re.fullmatch("[去练跑游吃喝上打做看学骑爬]", words)
    if not (short or SHORTEST <= len(words) <= (20 if surely else 14)) or _WORTHLESS_HABIT.match(words) or (frame.over and not surely):
        return
    if (frame.subject is None or not surely) and not short and not _ACTIVITY.match(words):
        # "I usually …" is said of anything.
        return
    if frame.subject is None and frame.plain[max(frame.begin - 1, 0)] in ":.、)":
        # An item of a list is somebody's plan, not what the speaker does.
        return
    yield frame.make("habit", (frame.lead.often, said[1]))


def _changed_to(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """改喝茶了, 现在改游泳."""
    instead = frame.talk.claims and frame.talk.claims[-1].ended
    if (match["now"] or frame.lead.now or instead) and not frame.lead.past and not frame.lead.future_time and not frame.lead.today:
        yield frame.make("habit", match.span("v"))


def _commutes(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我坐高铁上班: done on every day that one works."""
    lead = frame.lead
    if not (lead.today or lead.past or lead.past_time or lead.future_time or lead.some_time) and lead.often < 0:
        yield frame.make("habit", match.span("v"))


def _changed_time(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """现在改成晚上跑步了: done at another time, and no longer as it was said before."""
    if frame.lead.past or frame.lead.future_time or frame.lead.maybe or not (frame.own or frame.talk.person is not None):
        return
    what = match["what"]
    for said in frame.context.recent:
        if (said.attribute, said.polarity, said.subject) == ("habit", "positive", frame.person.subject) and said.value.endswith(what):
            yield frame.make("habit", said.value, ended=True)
    yield frame.make("habit", match.span("v"))


def _taken_up(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """又开始跑步了."""
    said = frame.plain[frame.begin : match.start("v")]
    if re.search("又|重新|最近|现在", said) and not (frame.lead.past or frame.lead.future_time or frame.lead.today):
        yield frame.make("habit", match.span("v"))


def _goes_on_with_habits(frame: Frame) -> bool:
    """每周三跑步，周末打羽毛球."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    lead = frame.plain[frame.begin : frame.at]
    return (
        last is not None
        and last.attribute == "habit"
        and last.polarity == "positive"
        and bool(re.search("周末|工作日|早上|晚上|中午|周[一二三四五六日]|睡前|午休", lead))
        and not frame.over
        and bool(_ACTIVITY.match(frame.plain, frame.at, frame.end))
    )


def _no_habit(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """不再每天跑步了."""
    if not frame.lead.today and not re.search(PART_OF_DAY, frame.plain[frame.begin : match.start()]):
        # 下午不跑步了: this once.
        yield frame.make("habit", match.span("v"), ended=True)


def _sold(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我的本田卖了."""
    if frame.subject is not None and frame.plain[frame.subject[1] - 1] == "的" and not frame.lead.future_time:
        yield frame.make("owns", match.span("v"), ended=True)


def _sold_it(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我把车卖了."""
    words = frame.folded(match.span("v"))
    if frame.lead.future_time or frame.lead.maybe or points(words) or re.search("货|股票|基金|菜|东西|自己|灵魂", words):
        return
    # 我开的车是本田: the car that was spoken of.
    known = (said.value for said in reversed(frame.context.recent) if said.attribute == "owns" and words in fold(said.text))
    yield frame.make("owns", next(known, frame.words(match.span("v"))), ended=True)


def _sold_that(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我的车是思域，昨天刚卖."""
    said = frame.talk.claims[-1] if frame.talk.claims else None
    if said is not None and said.attribute == "owns" and said.polarity == "positive" and not frame.lead.future_time:
        yield frame.make("owns", said.value, person=frame.speaker, ended=True)


def _used_to_habit(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """习惯早起, 有早起的习惯."""
    span = value_of(match)
    words = frame.folded(span)
    if (
        SHORTEST <= len(words) <= 14
        and not points(words)
        and not re.match(r"性|不了|了|贵在|很|成|要|是|的|需|能|会|这|那|一个人$|就好|你", words)
    ):
        yield frame.make("habit", span, ended=frame.lead.past)


def _smokes(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if frame.lead.today or frame.lead.future_time or frame.lead.past_time:
        return
    if frame.lead.often >= 0 and re.search("每|天天|周[一二三四五六日]", frame.plain[frame.lead.often : match.start()]):
        # 每周二健身: that is another rule's.
        return
    ended = bool(group(match, "no") and (frame.over or frame.lead.over or "再" in group(match, "no"))) or frame.lead.past
    for span in items(frame.plain, *match.span("v")):
        yield frame.make("habit", span, whole=match.span("v"), polarity=polarity_of(match), ended=ended)
    if group(match, "other"):
        yield frame.make("habit", match.span("other"), polarity="negative")


# --- what was done -------------------------------------------------------------------------------------------------------


def _visited(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """去过冰岛, 上周去了巴黎."""
    if frame.lead.future_time or (frame.lead.today and not frame.lead.past_time) or frame.lead.often >= 0:
        return
    whole = match.span("v")
    if re.search("[待呆住]了[^,]{0,3}年", match[0]):
        # 在厦门待了六年: no journey.
        return
    stop = late_pattern(
        r"(?:旅游|旅行|出差|度假|玩|看|爬|参加|开会|拍|吃|徒步|自驾|一趟|一次|两次|好几次|[一二三四五六七八九十两几\d]+"
        r"(?:次|趟|天|周|个月|年)|的时候|和朋友|跟朋友|过年|蜜月|度蜜月|采购|进货|办事|面试|上课|学习)"
    ).search(frame.plain, whole[0] + 1, whole[1])
    whole = (whole[0], stop.start() if stop else whole[1])
    for span in items(frame.plain, *whole):
        words = frame.folded(span)
        if is_sight(words) and len(words) <= 14:
            yield frame.make("visited", span, whole=whole)


def _did(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """去年参加了马拉松, 学过三年钢琴."""
    if frame.lead.future_time or (frame.lead.today and not frame.lead.past_time) or frame.lead.often >= 0:
        return
    timed = frame.lead.past_time or frame.lead.some_time or frame.lead.past
    span = match.start("v"), frame.end
    words = frame.folded(span)
    if (
        not (2 if match["big"] else 3) <= len(words) <= 30
        or re.fullmatch("[买卖办报生]了", words)
        or not (timed or match["big"])
        or re.search(
            r"你|什么|怎么|吗|一下"
            r"|这个(?!月|周)|那个",
            words,
        )
    ):
        return
    yield frame.make("experience", span)


def _once_was(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """在日本住过三年, 当过兵."""
    if not frame.lead.future_time and not frame.lead.today:
        span = match.span("v")
        if not re.search(r"你|什么|怎么", frame.folded(span)):
            yield frame.make("experience", span)


# --- skills and things ---------------------------------------------------------------------------------------------------


def _skill(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    whole = match.span("v")
    if frame.lead.today or frame.lead.future_time or frame.lead.maybe or re.search(r"你|给|一下|吗", frame.folded(whole)):
        return
    for span in items(frame.plain, *whole):
        words = frame.folded(span)
        if 1 <= len(words) <= 12:
            yield frame.make("skill", span, whole=whole, polarity=polarity_of(match))


def _good_at(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    whole = match.span("v")
    for span in items(frame.plain, *whole):
        words = frame.folded(span)
        if 1 <= len(words) <= 14 and not points(words) and not re.match("的|和人|跟人|与人", words):
            yield frame.make("skill", span, whole=whole, polarity=polarity_of(match))


def _owns(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if frame.lead.future_time or frame.lead.maybe:
        return
    whole = match.span("v")
    for item in items(frame.plain, *whole):
        counted = _COUNTED.match(frame.plain, *item)
        span = trimmed(frame.plain, counted.end() if counted else item[0], item[1])
        words = frame.folded(span)
        if not 1 <= len(words) <= 16 or points(words) or _NO_THING.search(words):
            continue
        yield frame.make(
            "owns",
            span,
            whole=whole,
            item=item,
            ended=frame.lead.past or (bool(group(match, "no")) and frame.over),
            polarity="negative" if group(match, "no") else "positive",
        )


_COUNTED = late_pattern(rf"(?:{COUNT})?(?:[辆台套架把部]|个(?!人))")
_NO_THING = late_pattern("有点|太|超|问题|事|想法|建议|需求|疑问|票|优惠|你|不|没|坏|新的$|东西")


def _uses(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = value_of(match)
    if "的" in frame.folded(span):
        # 公司发的MacBook
        span = (span[0] + frame.folded(span).rindex("的") + 1, span[1])
    if counted := _COUNTED.match(frame.plain, *span):
        span = (counted.end(), span[1])
    words = frame.folded(span)
    if re.fullmatch(
        rf"[A-Za-z][\w .+-]{{1,20}}|{HAN}{{1,6}}(?:车|手机|电脑|平板|相机|\d*)|(?:特斯拉|比亚迪|宝马|奔驰"
        rf"|奥迪|丰田|本田|大众|蔚来|小鹏|理想|华为|小米|苹果|安卓)[\w ]{{0,14}}|[\w ]{{2,14}}",
        words,
    ) and not re.match(r".*(?:店|公司)$|这|那|什么|谁|新的$|旧的$|坏|他|她|你|黑|白|红|蓝", words):
        yield frame.make("owns", span)


#: What one does for years, and may leave off.
_PURSUED = (
    "(?:跑步|晨跑|夜跑|健身|撸铁|游泳|瑜伽|练瑜伽|爬山|骑车|骑行|打(?!算|车|折|扰|听)[^,]{1,3}|踢球|滑雪|跳舞|攀岩|拳击|熬夜|加班|追剧|追星"
    "|早起|午睡|抽烟|喝酒|冥想|写日记|画画|练字|弹琴|弹钢琴|弹吉他|炒股|钓鱼|运动|锻炼|跳绳|普拉提|吃夜宵|吃外卖|点外卖|喝咖啡|喝奶茶)"
)
_BIG = (
    "(?:(?:结婚|离婚|分手|毕业|退伍|退休|辞职|入职|升职|创业|搬家)(?=[了过,]|$)|骨折|中奖|出柜|订婚|领证"
    "|怀孕|流产|做(?:了)?手术|住(?:了)?院|考(?:上|过|下|到|了(?=[A-Z]|驾照|[^,]{0,6}证|编|公))|拿(?:到|了|过)(?:了)?(?:[^,]{0,6}(?:奖|证"
    "|驾照|冠军|offer|学位|名额|签证|绿卡|金牌|银牌|第[一二三]名))|获得|赢(?:了|得)|得(?:了|到)(?:[^,]{0,8}(?:奖"
    "|冠军|第[一二三四五]))|通过了|生(?:了|下)|出了(?:车祸|书|本书)|丢了工作|被裁|被录取|被开除|完成了(?!一[件次项]|任务|.{0,4}(?:目标|计划)$)"
    "|跑完(?=[^,]{0,8}(?:马|公里|全程))|跑了(?:一个|半程|全程|半马|全马|第一个)?[^,]{0,4}马|爬(?:了"
    "|上|完|过)|登(?:上|顶)|参加(?:了|过|完)|学会了|出版|发表|开了(?:一?家(?!庭|长)|个(?!会|玩笑|头|小?差|口))|养(?:过)|(?:潜|跳|滑"
    "|冲|蹦)(?:过|了)?(?:水|伞|雪|浪|极)|见(?:过|到)|当选|买(?:了|下)(?:房|新房|一?套|第一)|卖(?:了"
    "|掉)|学过|学了[^,]{1,3}年|写过|拍过|演过|打过(?:职业|比赛|疫苗)|教过|创办|主持过|获过|得过(?:[^,]{0,8}(?:奖"
    "|冠军|第[一二三]))|支教|留学|服役|入伍|退伍|摔(?:断|了|伤)|扭(?:伤|到)|撞(?:了|车)|得了(?!病)"
    "|受(?:了)?伤|举办|办了|看了[^,]{0,12}(?:演唱会|音乐会|话剧|音乐剧|展|比赛|演出)|看过[^,]{0,10}(?:演唱会"
    "|极光|现场)|报(?:了|名)|开始(?:学|健身|跑步|创业|实习|备考))"
)
_CARS = (
    "特斯拉|比亚迪|宝马|奔驰|奥迪|丰田|本田|大众|蔚来|小鹏|理想|问界|小米SU7|吉利|别克|福特|日产|五菱|保时捷|路虎|沃尔沃|雷克萨斯|马自达"
    "|雅迪|小牛|Model"
)
_DEVICES = "iPhone|华为|小米|苹果|安卓|Mac|MacBook|三星|OPPO|vivo|索尼|佳能|尼康|富士|iPad|ThinkPad|联想|戴尔|Surface|Kindle"
DOINGS = (
    *DATED_THINGS,
    *PLANS,
    *rules(
        (r"(?:才|就)?(?P<wake>起床|起(?=$)|醒)?(?:睡觉?|入睡|上床|就寝|躺下)?(?:了)?$", _wakes),
        (
            r"(?:还|曾|自驾|骑车|一个人|跟[^,]{1,5}|和[^,]{1,5}|带[^,]{1,5}|陪[^,]{1,5}|坐[^,]{1,3})*(?:去|到|来|飞|回|玩|自驾)(?:过|了)(?:一?(?:趟|次|下)|好几次|[两三四五几]次)?(?P<v>[^,]{1,24})$",
            _visited,
        ),
        (
            r"(?:刚)?(?:去|从|到|在)(?P<v>[^,]{2,12}?)(?:旅游|旅行|出差|度假|玩|度蜜月|徒步|自驾|参加[^,]{0,8}"
            r"|看[^,]{0,8}|爬山|回来|待|呆|住)(?:回来)?(?:了|过)[^,]{0,8}$",
            _visited,
        ),
        (r"从(?P<v>[^,]{2,10}?)(?:旅游|旅行|出差|玩|度假)?回来(?:了)?$", _visited),
        (
            r"(?:曾经?)?(?P<v>(?:在[^,]{2,10}?(?:住|待|呆|工作|生活|留学|读|上|支教|当|留|打)过[^,]{0,10}|当过[^,]{1,10}"
            r"|做过(?!手术)[^,]{2,10}))$",
            _once_was,
        ),
        (
            rf"(?:已经|都)*改(?:成|到|为|在)(?:了)?(?P<v>(?:每天|每周|工作日|周末|周[一二三四五六日])?(?:{PART_OF_DAY})?(?:{HOUR})?"
            rf"(?:去)?(?P<what>{_PURSUED}))了?$",
            _changed_time,
        ),
        (rf"(?:又|重新|刚|最近|开始)+(?P<v>{_PURSUED}[^,]{{0,6}}?)了?$", _taken_up),
        (rf"(?P<v>(?P<big>{_BIG})[^,]{{0,24}})$", _did),
        (
            rf"(?P<no>不(?:太|怎么|大)?|没学)?(?:会|懂)(?:用|使用|操作)?(?:一点|点|一些)?(?P<v>{SKILL}(?:(?:[、和跟]|还有){SKILL})*)$",
            _skill,
        ),
        (
            rf"(?P<no>不)?会(?:一)?(?:点点?|点儿|些)(?P<v>吉他|钢琴|尤克里里|小提琴|古筝|二胡|笛子|口琴|架子鼓|书法|摄影|编程|瑜伽|太极|武术|日料|素描|{HAN}拳)$",
            _skill,
        ),
        (
            r"(?P<no>不(?:太)?)?(?:最|很|比较|特别|非常)*(?:擅长|精通|善于|拿手的是|强项是|特长是|专长是|熟练掌握)(?:的是)?"
            r"(?P<v>[^,]{2,24})$",
            _good_at,
        ),
        (
            rf"(?P<no>没有?)?(?:有|刚买|新买|买|入手|攒钱买|提|换)(?:了|下|过)*(?:{COUNT})?(?:辆|台|套|架|把"
            rf"|栋|间|艘|部)(?:(?:新|二手|旧|老)的?|自己的|小(?!米|鹏|牛|天|度))*(?P<v>[^,]{{1,14}})$",
            _owns,
        ),
        (r"(?P<no>没有?)(?:有)?(?P<v>车|房|房子|车子|驾照|电脑|手机|电视|信用卡)$", _owns),
        (
            r"(?:已经|刚|终于|也|总算)*(?:有|买|提|买上|买到|拥有)(?:了)?(?P<v>车|房|房子|车子|自己的车|自己的房子|电脑|电视|信用卡)了$",
            _owns,
        ),
        (r"(?:的)?(?:手机|电脑|车|笔记本|相机)(?:刚|最近)?(?:换成|换了|升级成|升级到)了?(?P<v>[^,了]{2,14})(?:了)?$", _uses),
        (r"(?:开|骑)的(?:车|摩托)?是(?P<v>[^,]{1,14})$", _uses),
        (r"(?:开|骑)(?:着|的是)?一?[辆台](?P<v>[^,了]{2,12})$", _uses),
        (
            r"(?:一般|都|一直|平时)*(?P<v>(?:坐|骑|开|走|乘|搭|蹬)(?:地铁|公交车?|高铁|电动车|电瓶车|自行车|共享单车|摩托车?|车|路|轻轨|班车|轮渡)(?:去)?"
            r"(?:上班|上下班|通勤|上学|接送?孩子))(?:的)?$",
            _commutes,
        ),
        (rf"(?:已经|刚)*(?:换成|换了|换到|改用|改成)了?(?P<v>(?:{_DEVICES}|{_CARS})[^,了的]{{0,12}}?)(?:了)?$", _uses),
        (rf"(?:现在|平时|一直)?(?:开|骑)(?:的)?(?:一?[辆台])?(?P<v>(?:{_CARS})[^,了的]{{0,12}}?)(?:上下班|上班|通勤|代步)?$", _uses),
        (
            rf"用(?:的)?(?P<v>(?:{_DEVICES})[^,了的]{{0,10}}?)(?:来)?(?:办公|写代码|写东西|拍照|拍视频|剪视频|剪片|上网|记笔记|画画|上课|工作|打游戏)$",
            _uses,
        ),
        (r"(?:的)?(?:车子?|手机|电脑|笔记本|相机|平板|耳机|摩托车|自行车|吉他|钢琴)(?:型号)?(?:是|用的是|为)(?P<v>[^,]{2,24})$", _uses),
        (
            r"(?:平时|日常|一直)?用的是?(?P<v>(?:iPhone|华为|小米|苹果|安卓|Mac|MacBook|三星|OPPO|vivo|索尼"
            r"|佳能|尼康|Windows|Linux|Ubuntu|macOS|iPad|ThinkPad|联想|戴尔)[^,]{0,14})$",
            _uses,
        ),
        (
            r"(?P<no>不|从不|从来不)(?P<v>抽烟|吸烟|喝酒)(?:也|又)?不(?P<other>抽烟|吸烟|喝酒|打牌|赌博|熬夜)(?:的)?$",
            _smokes,
        ),
        (
            r"(?P<no>不(?:再)?|从不|从来不)?(?P<v>抽烟喝酒|抽烟|吸烟|喝酒|熬夜|打牌|赌博|健身|运动|锻炼|打麻将"
            r"|蹦迪|开车|化妆|睡懒觉|午睡|加班)(?:的|了)*$",
            _smokes,
        ),
        (r"(?:已经)?(?:有|养成了?)(?P<v>[^,]{2,12}?)的(?:好|坏)?习惯$", _used_to_habit),
        (r"(?:已经)?(?P<v>改(?:喝|吃|用|练|打|看|骑|坐|学|做|走|跑|游泳|健身|瑜伽)[^,]{0,8}?)(?P<now>了)?$", _changed_to),
        (rf"(?P<v>(?:弹|拉|吹|打|练|跳|画){HAN}{{1,4}}?|游泳|书法|摄影|编程)(?:了)?(?:快|有|已经)*{COUNT}(?:多|几|来)?年了$", _good_at),
        (r"习惯(?:了|于)?(?P<v>[^,]{2,14})$", _used_to_habit),
        (r"(?:已经)?不(?:再)?(?P<v>(?:每|天天|经常|常)[^,]{2,16}?)了$", _no_habit),
        (rf"(?:已经)?不再?(?P<v>{_PURSUED}[^,]{{0,6}}?)了$", _no_habit),
        (rf"不再(?P<v>{_PURSUED}[^,]{{0,6}}?)$", _no_habit),
        (
            rf"(?:写|用|敲|搞|玩|弹|拉|吹|打|练|画|跳|唱|学)了(?:快|有|整整)?{COUNT}(?:多|几|来)?年(?:多)?(?:的)?(?P<v>[^,了]{{1,10}}?)$",
            _good_at,
        ),
        (r"(?P<v>[^,的]{1,8}?)(?:已经)?(?:卖掉?|弄丢|丢|送人|报废)了$", _sold),
        (
            r"(?:已经|刚)*把(?:我的|自己的|家里的|那[辆台套部]|原来的|旧的?|老)*(?P<v>[^,的]{1,8}?)(?:给)?(?:卖|卖掉|处理掉|转手|报废)了$",
            _sold_it,
        ),
        (r"(?:刚|已经|后来|又|给|都)*(?:卖|卖掉|弄丢|丢|送人|报废|坏)(?:掉)?了?$", _sold_that),
        (r"(?=.)", _habit),
    ),
)
