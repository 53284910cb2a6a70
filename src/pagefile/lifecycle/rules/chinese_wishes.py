"""How somebody wants to be answered, and what must not be done, in Chinese. Rules for one clause each; most have no subject."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, rules
from pagefile.lifecycle.rules.chinese_words import LANGUAGE, TIME_EITHER

_STANDING = late_pattern(
    r"以后|今后|往后|从现在起|从今|永远|千万|绝对|任何|一律|每次|都|平时|点(?:半)?(?:之?后|以后|之?前"
    r"|以前)|打电话|联系我|给我打|公司邮箱|私人|工作邮箱|推荐|提(?:起|到|我)|分享|泄露|透露|告诉(?:别人"
    r"|他人|任何|我[妈爸老])|发给|周[一二三四五六日末]|晚上|早上|中午|午休|上班时间|工作时间|周末|节假日"
    r"|安排|叫我|放(?:香菜|辣|葱|蒜|糖|姜|花生)|加(?:香菜|辣|葱|蒜|糖|冰)|对外|用我的"
)
_ONLY_STANDING = late_pattern("(?:以后|今后|往后|永远|千万|绝对|一定|请|麻烦|拜托|记住|另外|还有|平时|都|你|我|也|,| )*")
_NOT_MEANT = late_pattern(
    r"别(?:忘|担心|急|着急|生气|闹|理|怕|误会|客气|介意|人|的|墅|致|样|处|看|提了|说了|这么|那么|这样"
    r"|骗|逗|笑|吵|哭|想|太|总|光|只|瞎|乱|装|走|动|等|问|难过|紧张|烦)|不要(?:紧|担心|误会|客气|介意"
    r"|了|这么|那么|这样|笑|急|生气|脸|命|钱|太)|不能(?:再|理解|接受|确定|同意|说|算|想象|只|光|总|不"
    r"|这样|够|一概|没有)|不可以(?:吗|这样)|禁止(?:套娃)"
)


def _language(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """用英文回答我."""
    yield frame.make("preferred language", match.span("v"), person=frame.speaker, bare=True)


def _style(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """回答简短点, 不要用专业术语."""
    span = _without_end(frame, match.span("v"))
    # 解释得很清楚: praise.
    if 2 <= span[1] - span[0] <= 40 and not re.search(
        "得(?:更|真|很|非常|太|挺|特别|比较|超级|还|都|够|好)(?!简|短)|^(?!别|不).*(?:很|太|真)[^,]{1,4}$", frame.folded(span)
    ):
        yield frame.make("answer style", span, person=frame.speaker, bare=True)


def _style_with(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """用温柔的语气跟我说话: without a word of answering it may be about anything."""
    # The clause, with what was passed over as a filler.
    said = frame.plain[frame.plain.rfind(",", 0, frame.begin) + 1 : frame.end]
    if re.search(r"回答|回复|跟我|和我|对我|给我|说话|解释|讲|说|聊|交流|沟通|以后|今后|请", said) and not re.search("写|翻译|编", said):
        yield from _style(frame, match)


def _without_end(frame: Frame, span: Span) -> Span:
    begin, end = span
    if re.search('["“‘]', frame.folded(span)):
        # 不要出现“亲爱的”: the end of what is quoted.
        return span
    tail = late_pattern("(?:了|的|就行|就好|就可以|即可|就够)+$").search(frame.plain, begin, end)
    return begin, tail.start() if tail and tail.start() > begin else end


def _one_off_style(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """What may be meant for this answer alone counts only if it says that it is meant for all."""
    if re.search(
        r"以后|今后|往后|每次|都|一律|永远|平时|从现在|的时候|时(?=直接|先)|回答|回复|跟我说话|和我说话|说话|给我答案", frame.plain
    ):
        yield from _style(frame, match)


def _forbidden(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """别在晚上九点后打电话, 不要给我推荐火锅."""
    words = frame.plain[match.start("v") : frame.end]
    if frame.subject is not None and frame.lead.often < 0:
        # What the speaker himself cannot do is no order.
        return
    if not frame.own or _NOT_MEANT.match(words) or not 4 <= len(words) <= 40 or (frame.over and "再" not in words[:4]) or frame.lead.today:
        return
    if _STANDING.search(frame.plain, frame.begin, frame.end) and not re.search(
        r"如果|要是|吗|什么|怎么|这(?:个|次|篇|段|首|封)|太(?:长|多|短)|超过\d+字", words
    ):
        begin = _ONLY_STANDING.match(frame.plain, frame.begin, match.start("v"))
        span = (begin.end() if begin else frame.begin, frame.end)
        yield frame.make("constraint", _without_end(frame, span), person=frame.speaker, bare=True)


#: What somebody may be unable to do for longer than a moment.
_BOUND = late_pattern(
    "熬夜|闻|久坐|久站|剧烈|运动|跑步|跳|晒|吹|碰水|沾水|开车|坐飞机|坐车|加班|出差|喝|吃|吸烟|抽烟|提重"
    "|搬重|弯腰|请假|安装|装软件|接电话|视频|上夜班|值夜班|迟到|用|周|星期|晚上|早上|上午|下午|中午"
    "|在.{1,6}(?:点|前|后|上班|打电话|办公)|远程|线上|在家|下班|工作日|节假日|提前|坐高铁|坐地铁|骑车"
    "|自己做饭|报销|超过|访问|上网|翻墙|见光|剪|染|一个人"
)


def _cannot(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我不能熬夜, 我只能周末去."""
    words = match["rest"]
    if (
        (frame.subject is None and not frame.lead.often >= 0 and not (frame.talk.claims and frame.talk.claims[-1].attribute == "health"))
        or frame.lead.today
        or frame.lead.past
        or frame.lead.past_time
        or frame.over
        or frame.lead.future_time
    ):
        return
    if not _BOUND.match(words) or re.search("你|什么|怎么|这样|这么|吗|太", words):
        return
    if 2 <= len(words) <= 20:
        yield frame.make("constraint", _without_end(frame, (match.start(), frame.end)))


def _condition(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """这个项目不能用阿里云."""
    words = match["v"]
    if re.search("你|吗|什么|怎么|今天|刚才|昨天|如果|他|她|觉得|了$", words) or len(words) > 40:
        return
    frame.talk.bound = True
    yield frame.make("constraint", _without_end(frame, match.span("v")), person=frame.speaker, bare=True)


def _condition_too(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """全部要部署在内网: after another one, or after its reason."""
    reason = re.search("公司|规定|项目|客户|甲方|合规|要求|服务器|部署", frame.plain[: frame.begin])
    if frame.talk.bound or reason:
        yield from _condition(frame, match)


def _busy(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """周一没空."""
    said = frame.plain[frame.begin : match.start("v")]
    if re.search("开会|加班|有会|有事", match["v"]) and not re.search("每|一般|工作日|都|平时|通常|周末|[到至]", said):
        # 周三要开会: once.
        return
    weekly = re.search(r"周[一二三四五六日天末]|星期|礼拜|工作日|早上|上午|下午|中午|晚上|平时|点|每", said)
    if not weekly or frame.lead.today or frame.lead.past_time or frame.lead.past or frame.over:
        return
    once = frame.lead.future_time or re.search(r"[这本下上](?:个)?(?:周|星期|礼拜)|\d[日号]|月", said)
    begin = frame.subject[1] if frame.subject and frame.subject[0] == frame.begin else frame.begin
    yield frame.make("constraint", (begin, frame.end), certainty="passing" if once else "plain", tense="plan" if once else None)


def _budget(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if frame.own and not frame.lead.today:
        # For one purchase, where something was asked for.
        sure = frame.subject is not None and not frame.after_task
        yield frame.make("constraint", match.span("v"), certainty="plain" if sure else "passing")


_ALWAYS = "(?:以后|今后|往后|从现在起|每次|平时|永远|一律)"
_ASK = (
    r"(?:(?:以后|今后|往后|从现在(?:开始|起)|从今以后|接下来|之后|每次|平时|请|麻烦|拜托|希望|我希望"
    r"|我想要|我要|我更?喜欢|我想|最好|尽量|一律|统一|都|就|你的?|您的?|能不能|可以|可不可以|可|要|记得"
    r"|务必|千万|永远|一定|跟我|和我|对我|给我|一般|也|还有|另外|只要|只需要|需要|得|应该|烦请|帮忙"
    r"|全部|那|再|一直|始终|,)*+)"
)
_REPLY = (
    r"(?:(?:(?:的)?(?:回我?(?:的)?(?:消息|信息|微信)|回答|回复|答复|答案|回话|回信|说话|讲话|解释|讲解|交流|聊天|沟通|回消息|讲东西"
    r"|讲|说|语气|口吻|表达|内容|消息|输出|答)(?:我|问题|的时候|时|我的问题|东西|代码|起来|方式|风格"
    r"|的)*(?:要|请|尽量|能不能|可不可以|能|可以|最好|都|需要|得|应该|务必|尽可能|,|:|是)*))"
)
_QUALITY = (
    "(?:简短|简洁|简单|精简|简明扼要|简明|扼要|简练|详细|具体|直接|直白|口语化?|通俗易懂|通俗|正式"
    "|温柔|幽默|友好|严谨|专业|活泼|随意|轻松|委婉|短|长|慢|快|礼貌|耐心|客气|热情|冷静|客观|中立|坦率"
    "|毒舌|俏皮|可爱|严肃|亲切|自然|精炼|干练|完整|全面|清楚|有条理|接地气|干脆|诚实|犀利)"
)
_MARKS = (
    "(?:简体字?|繁体字?|大陆用语|台湾用语|支语|大段文字|大段|长文|公式|口头禅|语气词|列点|分点|要点|序号|编号|小标题|分段"
    "|bullet points?|bullet|代码注释|前言|铺垫|反问|提问|专业术语|术语|行话|黑话|表情符号"
    "|表情包?|emoji|Emoji|颜文字|敬语|客套话?|废话|套话|官话|空话"
    "|缩写|英文单词|英文缩写|英文|英语|中文|文言文|表格|列表|markdown|Markdown|代码块|成语|网络用语"
    "|网络梗|梗|感叹号|比喻|长篇大论|啰嗦|罗嗦|说教|鸡汤|大道理|重复我的(?:问题|话)|道歉|免责声明|寒暄"
    '|开场白|总结|称呼|波浪号|加粗|标题|项目符号|书面语|“?您”?|亲|"您"|叹号|省略号|引用)'
)
_SAY = "(?:用|使用|说|讲|加|带|发|出现|写|整|掉|搞|放|列|掺|夹杂?|跟我|给我|对我|和我|那么|这么|太|讲那么|发那么|有|来|做|再|灌|打|称呼我)*"

#: What a piece of work has to keep to: "this project must not use …".
_WORK_OF_OURS = (
    r"(?:(?:我们?|咱们?)?(?:这个?|那个?|本|我们?的?|咱们?的?|俺们?)(?:个)?(?:项目|系统|产品|产品线|仓库|代码库|工程|平台|服务|公司|团队|部门|组|单位"
    r"|学校|课题组|实验室|客户|甲方|老板|网站|APP|App|app|小程序)"
    r"(?:里|上|组|内部|这边|那边)?(?:面)?(?:的)?[^,]{0,6}?|(?:公司|单位|客户|甲方|学校|领导|老板|部门|团队|法务|合规|安全部门?"
    r"|导师)(?:那边|这边|内部)?(?:有)?(?:规定|要求|说了?|明确)?(?:了)?[^,]{0,4}?"
    r"|项目(?:里|上|中)?(?:面)?(?:的)?[^,]{0,4}?|(?:我们?的?)?(?:代码|后端|前端|数据库|接口|部署|服务器|文档|数据|用户数据|日志"
    r"|变量名|注释)(?:里)?)"
)
_MUST = (
    "(?:不能|不可以|不允许|不准|不许|不得|不让|不给|不支持(?=用)|禁止|严禁|只能|只允许|只准|只许|只支持|必须|一律|统一"
    "|全部(?:都)?(?:要|得|必须)?|都(?:要|得|必须)|得|要求(?:必须)?|规定(?:必须)?(?:要)?)"
)
_WORK_VERB = (
    "(?:再)?(?:都|全)?(?:直接)?(?:推(?:到|送)|push|用|使用|部署|上(?!班|课|来|去)|放(?:在|到)|走|装|接入?|连|出(?!差|去|来)|外传|外泄|外发|联网|支持|兼容"
    "|跑在|存(?:在|到)|依赖|引入|改|升级|开源|访问|发(?:到|布|给)|保密|遵守|遵循"
    "|符合|通过|采用|运行在|本地|私有化|内网|提交|合并|加密|脱敏|命名|缩进|带(?:手机|电脑|U盘)|安装|下载|翻墙|写(?:成|在|单元测试"
    "|测试|注释)|经过|离线|适配)"
)

#: A condition of work. It is read before the subject is looked for, as a project is nobody.
PROJECTS = rules(
    (rf"(?P<v>{_WORK_OF_OURS}只(?:支持|兼容|认|用)(?!过|了)[^,]{{1,16}})$", _condition),
    (rf"(?P<v>{_WORK_OF_OURS}{_MUST}{_WORK_VERB}[^,]{{0,24}})$", _condition),
    (
        rf"(?P<v>(?:(?:全部|所有[^,]{{0,6}}?|一律|统一|都)(?:要|得|必须)?|只能|必须|不能|不允许"
        rf"|禁止){_MUST}?{_WORK_VERB}[^,]{{1,24}})$",
        _condition_too,
    ),
    (
        rf"(?P<v>(?:[^,我你他她这那]{{0,8}}?)?{_ALWAYS}[^,我你他她]{{0,5}}?(?:请|都|一律|统一|默认|给我|尽量|,|要|就)*(?:用|使用|拿|按"
        rf"|以)[^,]{{1,16}}?(?:来)?(?:写|实现|举例|表示|输出|展示|计|算|给(?:出|我)?|标注?|命名)(?:吧|就行|就好)?)$",
        _style,
    ),
    (
        r"(?P<v>(?:单位|温度|时间|日期|货币|价格|金额|距离|重量|代码|示例|例子|变量|表格|图表|公式|注释|变量名|提交信息|数字)(?:示例|格式|部分|单位|里?的?注释|里?的?变量名)?(?:请|都"
        r"|一律|统一|默认|全部|要|就|最好|给我)+(?:用|使用|按|以|写成|换算成|写)[^,]{1,14})$",
        _style,
    ),
)


#: Said to the assistant, needing no subject.
def _allowed(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """可以用表情了: what was forbidden is forbidden no more."""
    what = match["v"]
    before = (each for each in reversed(frame.context.recent) if each.attribute in ("answer style", "constraint"))
    banned = next((each for each in before if _BANNED.search(fold(each.value)) and each.value.endswith(what)), None)
    attribute = "constraint" if re.match("给我|推荐|跟我提|提", what) else "answer style"
    value = "别" + ("给我" if what.startswith("推荐") else "") + what
    yield frame.make(
        banned.attribute if banned else attribute,
        banned.value if banned else value,
        person=frame.speaker,
        ended=True,
        text=frame.words((frame.begin, frame.end)),
    )


_BANNED = late_pattern("^(?:以后|请|回答|回复|都)*(?:别|不要|不许|不准|禁止|请勿|勿)")
WISHES = rules(
    (
        r"(?:以后|现在|你|您|又|回答|回复|的?时候|里|都|也){0,4}(?:可以|能)(?:再|继续|重新)?(?P<v>(?:用|使用|发|加|带)(?:表情(?:符号|包)?|颜文字|emoji|列表|表格"
        r"|markdown|分点|感叹号|粗体|英文|网络用语)|列点|分点|分段|(?:给我)?推荐(?!吗|信|人|一|几|什么|些|点|个|下)[^,了的]{1,8})了$",
        _allowed,
    ),
    (rf"(?:以后|今后|每次)(?:请|都|要|尽量|再|给我|,)*(?P<v>(?:更)?{_QUALITY}(?:一点儿?|点儿?|一些|些))$", _style),
    (rf"(?:请|以后|今后|一直|都|始终|统一|务必|你|跟我|和我|,)+(?:用|使用|说|讲)(?P<v>{LANGUAGE})$", _language),
    (
        rf"{_ASK}(?:{_REPLY})?(?P<v>(?:不要|别|不用|不必|不需要|无需)(?:再|老是?|总是?)?(?:说|讲|写|回答"
        rf"|回复)?(?:得)?(?:这么|那么|太|过于)(?:{_QUALITY}|啰嗦|罗嗦|客套|见外|生硬|官方|机械|死板|长|多话"
        rf"|冗长|学术)(?:了)?)$",
        _one_off_style,
    ),
    (
        rf"{_ASK}(?:用|使用|拿|改用|换成|切换(?:到|成)|换回|说)(?P<v>{LANGUAGE})(?:来)?(?:跟我|和我|给我"
        rf"|与我|跟|和)*(?:回答|回复|答复|回|交流|沟通|聊天|聊|唠嗑?|说话|说|讲话?|对话|交谈|解释|写|输出)(?:我(?:的问题)?"
        rf"|我就行|就行|就好|即可|问题|吧)*$",
        _language,
    ),
    (rf"{_ASK}(?:用|使用|改用|切换(?:到|成)|换成)(?P<v>{LANGUAGE})(?:吧|就行|就好|即可|回答|回复)+$", _language),
    (rf"(?:以后|请|今后|跟我|和我|你|都|就|,)+(?:跟我|和我)?(?:说|讲)(?P<v>{LANGUAGE})(?:就行|就好|吧|即可)*$", _language),
    (rf"{_ASK}(?:回答|回复|交流|沟通)(?:我|时|的时候|都|请)*(?:用|使用)(?P<v>{LANGUAGE})(?:就行|就好|吧)*$", _language),
    (
        rf"{_ASK}(?:{_REPLY})?(?P<v>(?:不要|别(?!忘)|少|不用|不必|避免|不需要|无需|禁止|请勿|勿|不想看到?|不喜欢你?"
        rf"|讨厌你?|受不了你?)(?:再|老是?|总是?|总|一直)?(?:{_REPLY})?{_SAY}[^,]{{0,6}}?{_MARKS}[^,]{{0,6}})$",
        _style,
    ),
    (
        rf"{_ASK}(?P<v>{_REPLY}(?:更|再|稍微|尽可能|非常|越|一定)*{_QUALITY}(?:明了|扼要|易懂|、{_QUALITY}"
        rf"|又{_QUALITY}|且{_QUALITY})*(?:[一两]?(?:点|些)儿?|就行|就好|即可|的|地|为主)*)$",
        _style,
    ),
    (
        rf"{_ASK}(?P<v>(?:用|以|说)[^,用]{{0,10}}?(?:语气|口吻|方式|形式|格式|风格|语言|的话|大白话|白话"
        rf"|人话|列表|表格|要点|条目|bullet points?|emoji|表情|公制|摄氏度?|24小时制)(?:来)?(?:跟我|和我"
        rf"|给我|对我)*(?:回答|回复|说话?|讲|解释|聊天?|交流|沟通|列出|总结|呈现)?(?:我|问题)*)$",
        _style_with,
    ),
    (
        rf"{_ASK}(?:{_REPLY})?(?P<v>(?:先(?:说|给|讲)(?:我)?个?(?:结论|答案|重点)[^,]{{0,6}}|直接(?:给|说|上)(?:我)?(?:结论"
        rf"|答案|代码|结果|重点)|说人话|说重点|讲重点|有话直说|不要绕弯子|别绕弯子|别拐弯抹角|分点(?:回答"
        rf"|说明|列出|作答)?|分条[^,]{{0,6}}|列(?:成)?要点[^,]{{0,4}}|一步一步(?:来|说|讲|教)?|多?举(?:些"
        rf"|几个|点|个)?例子?[^,]{{0,4}}|附上?(?:来源|链接|出处|参考)[^,]{{0,4}}|给(?:出|我)?(?:来源|出处"
        rf"|参考)[^,]{{0,4}}|控制在[^,]{{1,8}}(?:字|句|行)(?:以内|之内|话)?|(?:不(?:要)?|别|不能|不许|不得)(?:超过|多于|超)[^,]{{1,6}}(?:字"
        rf"|句话?|行)|[一两三四五]句话[^,]{{0,6}}|言简意赅|长话短说|注明[^,]{{1,8}}|标注[^,]{{1,8}}|加上?(?:注释"
        rf"|emoji|表情)[^,]{{0,4}}|对我(?:温柔|客气|严格|直接)[^,]{{0,4}}))$",
        _one_off_style,
    ),
    (
        r"(?:[^,]{0,8}(?:的时候|时))?(?:请|以后|千万|尽量|最好|,)*(?P<v>(?:别|不要|少|不用|禁止|不能)(?:再)?(?:用|说|写|出现|带|有"
        r"|整)[^,]{1,20}?(?:这种|这类|之类的?|等)?(?:词|字眼|说法|表达|词汇|用语|词语|话术|口吻|语气))$",
        _style,
    ),
    (rf"{_ASK}(?P<v>能用{_MARKS}就用{_MARKS})$", _style),
    (r"(?:请|以后|都|,)*(?P<v>(?:别|不要|不用)(?:再|总|老是?)?(?:叫|称呼|喊)我[^,]{1,8})$", _style),
    (rf"{_ASK}(?:{_REPLY})?(?:里|中)?(?P<v>(?:别|不要|不许)(?:再|老是?|总是?)?(?:说|用|写|出现|带)[\"“‘'][^,]{{1,10}}?[\"”’']?)$", _style),
    (
        r"(?:以后|每次|今后)(?P<v>[^,]{0,8}(?:代码|回答|回复|示例|例子|方案|答案)[^,]{0,2}?(?:都|要|得|请|必须)*(?:带|加|写|附|有|给"
        r"|包含)[^,]{1,10})$",
        _style,
    ),
    (rf"{_ASK}(?P<v>(?:不想要|不要|别用|不喜欢|不爱听)(?:太|那么|这么|过于)?[^,你我]{{1,6}}的(?:语气|口吻|风格|回答|话))$", _style),
    (
        rf"(?:[^,]{{1,6}}(?:的时候|时))?{_ASK}(?:{_REPLY})?(?P<v>(?:别|不要)(?:老|总|总是|再|一上来就)?直接(?:给|说"
        rf"|告诉我?)(?:我)?(?:答案|结论|代码"
        rf"|结果)[^,]{{0,4}})$",
        _style,
    ),
    (rf"{_ASK}(?P<v>(?:更|再|尽量|稍微)?{_QUALITY}(?:一点|一些|点|些)?的?(?:回答|回复|语气|风格|解释|说明))$", _style),
)

#: What the speaker has to keep to; a plan or an event may look alike, so these are read first.
BOUNDS = rules(
    (
        r"(?:的)?(?P<v>预算(?:是|在|大概|只有|最多|控制在|不超过|有|:|约|为)*[^,]{0,4}(?:\d[\d.,]*|[一二两三四五六七八九"
        r"十百千万]+)(?:万|千|百|k|K|w)?(?:块钱?|元|左右|以内|以下|每月|一个?月|之内|上下|预算|人民币|美元"
        r"|刀|[-到~]\d+)*)$",
        _budget,
    ),
    (
        r"(?:都|一般|全天|基本|也|就|不)*(?P<v>居家办公|远程办公|在家办公|不坐班|值夜班|上夜班|没空|没有?时间|不方便[^,]{0,8}"
        r"|没法[^,]{1,8}|有课|有事"
        r"|有会|要(?:上课|接孩子|开会|上班|带孩子|带娃|值班|加班|健身)|不(?:进公司|去公司|在(?:家|公司|办公室)?|上班|接电话"
        r"|接(?:任何)?会议|开会|加班|看消息|回消息|工作|安排)|休息)(?:的)?$",
        _busy,
    ),
)

#: What must not be done.
BANS = rules(
    (
        rf"(?:请|麻烦|拜托|以后|今后|往后|永远|千万|绝对|一定|任何时候|平时|工作日|周末|记住|上班时间?|工作时间|开会时|开车时|睡觉时|推荐[^,别不]{{0,4}}(?:的时候|时)?|,|你|都|在|{TIME_EITHER})*("
        rf"?P<v>(?:不要|别|不许|不准|禁止|不得|请勿|勿|不可以?|不能)(?:再)?[^,]{{2,36}})$",
        _forbidden,
    ),
    (r"(?:不能|不可以|不方便|没法|无法|不宜|只能|不允许|不得不|不可)(?P<rest>[^,]{2,20})$", _cannot),
)
