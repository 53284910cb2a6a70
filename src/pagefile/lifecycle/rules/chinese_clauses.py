"""Chinese sentences cut into clauses, and which of them state anything. Pure.

Text is compared folded: full width made half, traditional characters simplified, one for one, so that places stay those of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.rules.chinese_words import HAN

_WIDTHS = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("\u00a0\u2009\u202f\u3000\t\n\r", " ")
    | dict.fromkeys("‘’ʼ", "'")
    | {"﹐": ",", "﹑": "、", "。": "."}
)


#: (我)刚搬到杭州.
_ASIDE = late_pattern(r"\((我|俺)\)")


#: Cantonese words that the rules know, each with a standard one of the same length.
_CANTONESE = {
    "鍾意": "喜欢",
    "钟意": "喜欢",
    "中意": "喜欢",
    "而家": "现在",
    "依家": "现在",
    "聽日": "明天",
    "听日": "明天",
    "尋日": "昨天",
    "琴日": "昨天",
    "屋企": "家里",
    "返工": "上班",
    "返學": "上学",
    "返学": "上学",
    "成日": "经常",
    "唔好": "不要",
    "唔使": "不用",
    "老豆": "爸爸",
    "同埋": "以及",
    "細路": "孩子",
    "细路": "孩子",
    "食": "吃",
    "飲": "喝",
    "饮": "喝",
    "唔": "不",
    "係": "是",
    "系": "是",
    "喺": "在",
    "冇": "没",
    "佢": "他",
    "嘅": "的",
    "咗": "了",
    "嚟": "来",
    "睇": "看",
    "攰": "累",
    "咁": "这",
    "哋": "们",
}
_IS_CANTONESE = late_pattern("聽日|听日|尋日|琴日|細佬|返學|[唔喺冇佢嘅咗嚟睇啲嘢哋]|(?<!關)(?<!关)係|鍾意|钟意|而家|屋企|返工")
_CANTONESE_WORD = late_pattern(
    "鍾意|钟意|中意|而家|依家|聽日|听日|尋日|琴日|屋企|返工|返學|返学|成日|唔好(?=[\u4e00-\u9fff])|唔使|老豆|同埋|細路|细路"
    "|(?<=[唔意以會会去想日好先我能])食(?![物堂品材譜谱慾欲])|(?<=[唔意以會会去想日好先我能])[飲饮](?![料品食])"
    "|(?<![關关])係(?!數)|(?<=[我佢唔])系|[唔喺冇佢嘅咗嚟睇攰咁哋]"
)


def fold(text: str) -> str:
    """The text as the rules read it, as long as it was."""
    if text.isascii():
        return text.translate(_WIDTHS)
    if _IS_CANTONESE.search(text):
        text = _CANTONESE_WORD.sub(lambda match: _CANTONESE[match[0]], text)
    return _ASIDE.sub(r" \1 ", simplified(text).translate(_WIDTHS))


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence between two marks, without them."""

    begin: int
    end: int


_QUOTED = r"“[^”]{0,60}”|「[^」]{0,60}」|『[^』]{0,60}』|《[^》]{0,60}》|\"[^\"]{0,60}\"|\([^()]{0,60}\)|【[^】]{0,60}】"
#: Words after which a blank does not end a clause: what they ask for is still to come.
_OPEN = "(?<![叫是在到去住养吃喝爱欢厌姓和跟与对为用说会的、读学做有])"
_MARK = late_pattern(
    rf"(?P<quoted>{_QUOTED})|(?P<mark>(?<!\d),|,(?!\d)|[;:.!?~…—]+(?![A-Za-z0-9])|(?<={HAN}){_OPEN} +(?={HAN})"
    rf"|(?<=不对|错了|不是|没有) +(?!什么|的)|(?<=\d) +(?=[^\W\d_年月日号岁点元块万千百公斤米度分秒个只条件次])(?=[\u4e00-\u9fff])"
    rf"|(?<=的) +(?=我|主要|平时|目前|现在|在|住|今年|老家|有|喜欢|不|家|单身|也|还|但|特别|天天|每|一[直到]|已经|只要|对|最近|很|学|他|她)"
    rf"|(?<={HAN}) +(?=\d{{2}}岁)"
    rf"|(?<=[\d斤米m])(?=体重)|(?<=[A-Za-z]) +(?=\d{{2,4}}年|\d{{2}}岁|\d{{2}}后|base|坐标|来自|今年)"
    rf"|(?<=[\u4e00-\u9fff])(?=(?:你)?可以叫我|大家都叫我)"
    rf"|(?<=[啊呀呢啦哦嘛])(?=我(?!们?的天))|(?<=[\u4e00-\u9fff])(?<!一)(?=一[吃喝碰闻沾][^,天个次]{{0,3}}就)| +(?=base|Base)"
    rf"|(?<={HAN})(?=(?:但是|但(?!愿|凡|书|丁)|不过(?={HAN}{{3}})|可是(?!{HAN}?吗))))"
)


def clauses(plain: str) -> Iterator[Clause]:
    """The clauses of a folded sentence. What is quoted or in brackets ends none, and belongs to the clause that it stands in."""
    begin = 0
    for mark in _MARK.finditer(plain):
        if mark.lastgroup != "mark":
            continue
        yield from _clause(plain, begin, mark.start())
        begin = mark.end()
    yield from _clause(plain, begin, len(plain))


def _clause(plain: str, begin: int, end: int) -> Iterator[Clause]:
    while begin < end and plain[begin] in " \"'“”()-*·•#>、":
        begin += 1
    while begin < end and plain[end - 1] in " \"'“-*·":
        end -= 1
    if end - begin > 1:
        yield Clause(begin, end)


# --- what states nothing -------------------------------------------------------------------------------------------------

_ASKING = late_pattern(
    r"吗(?:[啊呀呢])?$|[么嘛不]\?$|^(?!.*(?:正在|(?<!现)在|还|可|才).{1,10}呢$|.*着呢$).{0,3}呢$|还是[^,我]{1,8}来着|什么(?!都|的$|也|样的)|怎么(?!都|也)(?!爱|喜欢|吃|喝|会|用|看"
    r"|运动|锻炼|好|舒服|样)|哪(?!怕|都|儿都|里都|吒)|谁(?!都)|多少(?!也|有点)|几(?:岁|点(?!都)|号|月份"
    r"|时)|多(?:大(?:了)?$|久(?:了)?$)"
    r"|为什么|为啥|为何|啥(?!都|也|的$)|如何|是不是|有没有|能不能|可不可以|要不要|会不会|该不该|对不对"
    r"|行不行|好不好|是否|能否|可否|难道|([一-鿿])不\1|([一-鿿])没\2|吧\?$|要怎么|不是吗"
)
#: A question or a supposition that covers all that follows it.
_OPENS = late_pattern(
    r"如果(?!可以的?话?$|方便|可能的?话?$)|要是|假如|假设|假使|假若|倘若|若是|万一|除非|想象(?:一下"
    r"|我)|设想|要不是|就算|即使|即便|哪怕|假装|假定|好比|比如说?如果|(?<!周末)(?<!平时)(?<!我)(?<!晚上)(?<!早上)的"
    r"话(?=$|我就|就)"
    r"|(?<![跟和同给与对])(?:你|您)(?:觉得|认为|知道|猜|记得|还记得|说我|看我)|请问|想问|问一下|问下|想请教|请教|我以为"
    r"|还以为|误以为|梦见|梦到|做梦|听说|据说|传说|谣传|(?<!我)(?:网上|书上|新闻里?|有人|别人|大家都?"
    r"|人家|人们|他们|都)(?:总|常|老|都)?(?:说|讲|觉得|认为|以为)"
    r"|(?:歌词|台词|歌里|书里|小说里|电影里|故事里|剧里|游戏里|剧本|角色|剧情)"
    r"|以(?![后前来上下]).{0,16}的?(?:口吻|身份|口气|视角|角度|第一人称)|扮演|假扮|角色扮演|模仿|仿写"
    r"|续写|造句|翻译(?:一下|成|这|下面|以下|:)|润色|改写|这句话|下面(?:这|的|是)|以下(?:这|的|是|内容"
    r"|为)|原文|例句|例如|举例:?"
)
#: Somebody else is heard, or the speaker of another time.
_REPORTED = late_pattern(
    r"(?:[他她它]们?|爸妈|[爸妈婆公哥姐弟妹]|朋友|[男女室好网舍]友|闺蜜|同事|老师|导师|医生|先生|老板"
    r"|领导|经理|主管|[一-鿿]总|女儿|儿子|客户|同学|孩子|别人|家人|邻居|亲戚"
    r"|[A-Z][a-z]+|小[一-鿿]|老[一-鿿])(?:总是?|常常?|老是?|都|也|还|就|刚|一直|今天|昨天|曾经?|又|非)*"
    r"(?:[跟对和给向](?:我|俺)们?(?:都|也|又|还)?(?:说(?!话)|讲(?!解|课|话)|承认|坦白|抱怨|透露|吐槽)|的?原话|说(?!话|服|唱)|觉得|认为|以为|问(?!题)|建议|告诉|劝|骂|夸|评价|笑我|嫌我|怪我|希望我|想让我|要我)"
)
#: "My doctor says": what follows is about the speaker's body, and believed.
_DOCTOR = late_pattern(
    r"(?:医生|大夫|医嘱|体检(?:报告)?|检查结果|化验单?)(?:跟我|告诉我|建议我?|都|也)?(?:说|显示|查出来?"
    r"|叮嘱|嘱咐|要求|让|不让|建议)?(?:我)?"
)
#: "My boss says that next week I …": what is to come for the speaker.
_SUPERIOR = late_pattern(
    r"(?:老板|领导|主管|经理|校长|主任|老师|导师|公司|HR|医院|学校|教练)(?:今天|昨天|刚刚?|又|已经)*说我(?=下|明[年天]|后天|\d{1,2}[月号])"
)
_MAKE = (
    "写|编(?!辑|程|码)|创作|生成|翻译|润色|改写|续写|仿写|扮演|模仿|造句|起草|拟|虚构|画(?:一|个|张"
    "|幅)|设计(?:一|个)|讲(?:一|个)|作(?:一|首|诗)"
)
#: After a clause about somebody else: what that person says.
_SAYING = late_pattern("(?:还|就|都|总|非)*说(?=我|他|她|对方|你|这|那|有|没)")
_TASK_MAKING = late_pattern(
    rf"(?:帮|给|替|为)(?:我|忙|咱|俺|我们|你)?[^,。]{{0,6}}?(?:{_MAKE})|^(?:请|麻烦|那|你|你来|来|再"
    rf"|现在|你能|可以|能)*(?:{_MAKE})(?!.{{0,4}}(?:简短|简洁|简单|详细)[点些一])"
)
_TASK = late_pattern(
    r"^(?:请|麻烦|拜托|你|能|可以|那|再|先|现在)*(?:帮|给|替|为)(?:我|忙|咱|俺|我们)|^(?:请|麻烦|你"
    r"|那|再)*(?:推荐|告诉|查一?下?|搜|列|算|解释|总结|分析|介绍一?下?(?!自己|我)|看看|提醒|安排一?下?)"
    r"|求推荐|(?:我|俺)?(?:想要|需要|要|想)(?:一|个|份|些)[^,]{0,10}(?:计划|建议|方案|菜谱|清单|推荐"
    r"|攻略|文案|食谱|名字|课表)"
    r"|(?:我|俺)?(?:正在?|在|想)?(?:找|寻找)(?:一|个|家|份|些|人|工作|房)"
)
_IRONY = late_pattern("才怪|(?<![没不别非])开玩笑|我有病(?:[啊吧吗才呀]|$)|骗你|逗你|反话|瞎说的|狗头|^呵呵|可不是嘛|我可真是|真有你的")
_TAG = late_pattern(
    r"(?:对吧|是吧|对不对|是不是|没错吧|对吗|是吗|记得吗|还记得吗|知道吧|知道吗|真的吗|好吗|行吗|可以吗"
    r"|懂吗|明白吗|你说呢|你信吗|还是.{1,12})\??$"
)


#: A question that asks for nothing but how to be answered.
_REQUEST = late_pattern("(?:能不能|可不可以|可以|能|麻烦)(?:请)?你?(?:以后)?(?:都)?(?:别|不要|用|简短|简洁|简单|说人话|直接|详细|温柔)")


@lru_cache(maxsize=64)
def _verdicts(plain: str, asks: bool) -> tuple[tuple[Clause, str], ...]:
    found = list(clauses(plain))
    if _IRONY.search(plain):
        return ()
    kept: list[tuple[Clause, str]] = []
    for place, clause in enumerate(found):
        words = plain[clause.begin : clause.end]
        last = place == len(found) - 1
        if _TAG.fullmatch(words) and (asks and last):
            kept = [(each, "blocked") for each, _ in kept]
        opens = _OPENS.search(words)
        making = _TASK_MAKING.search(words)
        heard = _REPORTED.search(words) or (_SAYING.match(words) if place else None)
        if heard and _DOCTOR.match(words, heard.start() - 1 if heard.start() else 0):
            heard = None
        if heard and _SUPERIOR.search(words):
            heard = None
        if opens or making or heard:
            kept.extend((each, "blocked") for each in found[place:])
            break
        if (asks and last) or _ASKING.search(words) or plain[clause.end : clause.end + 1] == "?":
            kept.append((clause, "task" if _REQUEST.search(words) else "blocked"))
        else:
            kept.append((clause, "task" if _TASK.search(words) else "said"))
    return tuple(kept)


def stated(plain: str, *, asks: bool) -> tuple[tuple[Clause, str], ...]:
    """Each clause of a folded sentence with what it is: "said"; a "task", which asks for something; "blocked", when it is a question, a
    supposition, somebody else's words or part of a text to be made up. ``asks``: the sentence ends with a question mark."""
    return _verdicts(plain, asks)
