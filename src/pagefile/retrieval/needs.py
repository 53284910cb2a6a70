"""What in a message tells that something known is needed to answer it: the past, the person, a taste, a place, a name. English and Chinese.

Everything is looked for in the plain form of a text (``plain.plain``) but names, which English tells by their capitals. Patterns of words
are ASCII: after 我 in 我prefer an English word begins.
"""

from __future__ import annotations

import re

from pagefile.language import kin as kin_words
from pagefile.language import stopwords
from pagefile.language.names import FAMILY_NAMES
from pagefile.language.patterns import late_pattern

_KIN = f"{kin_words.ENGLISH}|family|team"
_ANIMALS = "dogs?|cats?|puppy|kitten|pets?|horse|parrot|rabbit|hamster"
_KIN_CHINESE = f"{kin_words.CHINESE}|[妈爸哥弟姐妹]|家人|团队|侄"

_ANIMALS_CHINESE = "狗|猫|宠物|兔子|仓鼠"

#: Something that was said or settled before.
SPOKEN = late_pattern(
    r"\blast time\b|\bremember(?:ed)?\b|\bremind me\b(?! to\b)|\b(?:told|tell) (?:you|u)\b"
    r"|\bas (?:i|we|you)(?:'ve| have)? (?:said|told|mentioned|discussed|agreed)\b"
    r"|\b(?:i|we|you|u)(?:'ve| have| had| once| already| also| just)* (?:said|mentioned|told|asked|talked|discussed|decided|agreed"
    r"|recommended|suggested|promised|wrote|sent|gave|showed|planned|settled|left off|spoke|chatted)\b"
    r"|\bdid(?:n'?t)? (?:i|we|you|u) (?:already |ever |also )*(?:say|tell|mention|ask|talk|discuss|decide|agree|recommend|suggest"
    r"|promise)\b|\bdo(?:n'?t)? (?:i|we|you|u) (?:already |still |also )*(?:know|recall)\b"
    r"|\b(?:have|had)(?:n'?t)? (?:i|we|you) (?:already |ever )*(?:told|said|mentioned|asked|talked|discussed|decided|agreed|planned)\b"
    r"|\b(?:what|as|like) \w+ (?:said|told|suggested|mentioned|wrote|recommended)\b|\bpick(?:ed|ing)? up where\b|\bleft off\b"
    r"|\bstill know\b|上一?[次回](?!的?(?:提交|修改|更新|编译|部署|commit|push))|那[次回](?!事)|[还不]记得|记不记得|[你我]记得|印象"
    "|忘了|来着|接着(?:聊|说|讲)|(?:说|讲|提|聊|讨论|推荐|答应|告诉|教|给|问|跟你[^，。]{0,6})过|(?:跟|和|对|给)你(?:说|讲|提|聊)"
    "|告诉你|是怎么(?:说|定|决定)的",
    re.ASCII,
)
#: A time that is over, or a deed: in a question they ask for what is remembered, in news they only tell.
EARLIER = late_pattern(
    r"\b(?:the other day|a while (?:ago|back)|(?:days?|weeks?|months?|years?) (?:ago|back)|earlier (?:this|today|on)"
    "|back (?:in|then|when)|so far|previously|yesterday"
    "|last (?:night|week|weekend|month|year|session|conversation|chat|spring|summer|autumn|fall|winter"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b|\b(?:i|we) (?:went|met|saw|ordered|booked|bought|stayed|visited|had)\b"
    r"|\b(?:have|had)(?:n'?t)? (?:i|we|you) (?:already |ever )*(?:been|met|seen|tried|had|visited)\b|之前|以前|先前|此前|早先|前几天"
    "|前两天|前一?阵子?|前段时间|前些|那天|昨[天晚日]|前[天晚]|上个?(?:星期|礼拜|周|月|季度|学期)|去年|前年|(?:这个?|本)月初"
    "|(?:春|夏|秋|冬)天的时候|到现在|至今|迄今",
    re.ASCII,
)
#: "What was his name again?"
ONCE_MORE = late_pattern(r"\bwh(?:o|at|ere|en|ich)\b.*\bagain\W*$")
#: What somebody does every time.
USUAL = late_pattern(
    r"\b(?:the|my|our|as|than) usual\b|\bas (?:always|ever)\b|\bsame (?:as|again|one as)\b|\bthe same\b.{0,20}\bagain\b"
    r"|\b(?:i|we|my|our) (?:\w+ )?(?:usual(?:ly)?|normal(?:ly)?|always|typically|regular)\b"
    r"|\b(?:do|did|should|will) (?:i|we) (?:usually|normally|always|typically)\b"
    r"|\b(?:the way|like|how) (?:i|we) (?:like|prefer|want|always|usually|do)\b|老样子|照旧|照常|照例|照老|老规矩|老地方|一如既往|平时"
    "|平常|往常|惯例|一样就行|跟.{0,4}一样$|[照按](?:着)?(?:我|咱)",
    re.ASCII,
)
#: The person who speaks, and theirs.
PERSON = late_pattern(
    r"\b(?:my|mine|our|ours|myself|ourselves|me|us|i|i'm|im|i've|i'd|i'll|we|we're|we've|we'll)\b|[我咱俺]|本人", re.ASCII
)
#: "I" and "me" that tell nothing: "how do I reverse a list", "tell me", 帮我, 给我讲.
NOBODY = late_pattern(
    r"\bhow (?:do|can|could|would|should|might) i\b|\b(?:explain|say|describe|show|read|write) (?:it|this|that) (?:to|for) (?:me|us)\b"
    r"|\b(?:tell|give|show|teach|help|let|sing|explain to|walk|read|correct|convince|ask|draw|remind) (?:me|us)\b|\bfor me\b"
    r"|\blike (?:i'?m|i am|im) (?:a )?(?:five|5|\w+ years?|child|kid|beginner)\b"
    r"|\bi (?:don't|do not|dont|can't|cannot) (?:understand|get|follow)\b"
    f"|(?:帮|给|替|为|教|告诉|跟|陪|让|请|同|向)(?:一下|忙)?我们?(?!们?的|家|(?:{_KIN_CHINESE}|{_ANIMALS_CHINESE}))"
    "|我(?:没|不)(?:看|听|太)?(?:懂|明白)",
    re.ASCII,
)
#: Theirs, said so that no variable of a program can be meant.
OWN = late_pattern(r"\b(?:my|mine|our|ours|i'm|i've|we|us|we're)\b|我们?的|[我咱]", re.ASCII)
#: Answers that depend on what somebody likes, has or is able to.
TASTE = late_pattern(
    r"\brecommend|\bsuggest\b"
    r"|\b(?:book|reserve|order|buy|pick|choose|plan|schedule|arrange"
    r"|find)\b(?= (?:a|an|the|some|me|us|something|somewhere|tickets?|dinner|lunch|flights?)\b)"
    r"|\b(?:any|some) (?:good |new )?(?:ideas?|tips|suggestions?)\b"
    r"|\b(?:what|where|which|who|when)\b.{0,24}\b(?:should|shall|could|would|can) (?:i|we)\b|\bshould (?:i|we)\b|\bgifts?\b"
    r"|\bpresents?\b|\bi(?:'m| am| feel)? (?:so |really )?(?:hungry|bored|thirsty|in the mood|looking for|craving)\b"
    r"|\b(?:meal|workout|training|diet|study|travel|weekend|reading) (?:plan|list)\b|\b(?:playlist|shopping list|itinerary)\b|推荐"
    "|推介|预订|预约|[订]|安排|挑|选(?!择题|修|举)|买|规划|计划|清单|食谱|歌单|菜单|行程|礼物|主意|适合|吃(?:什么|啥|点)"
    "|喝(?:什么|啥|点)|穿(?:什么|啥)|[去到]哪|玩(?:什么|啥)|看(?:什么|啥)|听(?:什么|啥)|[干做]点?(?:什么|啥)好|该不该"
    "|该(?:用|选|吃|穿|去|买|怎么)|要不要|无聊|饿|渴|嘴馋|来(?:点|杯|份)",
    re.ASCII,
)
#: Answers that depend on where somebody is.
PLACE = late_pattern(
    r"\bweather\b|\b(?:will it|is it going to|going to) (?:rain|snow)\b|\bforecast\b|\bnear(?:by| here| me| us|est)\b|\baround here\b"
    r"|\bclose to (?:here|home)\b|\bget to (?:the|work)\b|\b(?:next|last) (?:train|bus|tram|ferry)\b"
    r"|\b(?:sunrise|sunset) (?:today|tomorrow|tonight)\b|\bair quality\b|\btraffic\b|天气|下雨|下雪|气温|几度(?=$|[?？])|附近|周边"
    "|这边|离(?:我|家|这)|堵车|路况|末班|首班|空气质量",
    re.ASCII,
)
#: Things of somebody's life: whoever asks for them in general words means their own.
PRIVATE = late_pattern(
    rf"\b(?:{_KIN})\b"
    r"|\b(?:meetings?|appointments?|interviews?|weddings?|birthdays?|anniversary|part(?:y|ies)|trips?|flights?|vacation|holidays?"
    "|bookings?|reservations?|hotel|visit|passwords?|passcode|wi-?fi|pin|invoices?|rent|lease|contracts?|deadlines?|exams?|homework"
    "|thesis|packages?|parcels?|deliver(?:y|ies)|orders?|subscriptions?|insurance|passport|visa|projects?|plans?|planned|tasks?"
    "|budget|proposal|reports?|tickets?|builds?|release|status|update|progress|notes?|folder|keys?|address|phone|number|salary|offer"
    "|gate|heating|kitchen|apartment|flat|house|home|garden|garage|office|car|bike|dinner|lunch|breakfast|shopping|usual|tonight"
    "|tomorrow|today|this (?:week|month|weekend|morning|evening)|next (?:week|month|year)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december)\b"
    rf"|\d月|\d[日号]|{_KIN_CHINESE}|会议|开会|面试|婚礼|生日|纪念日|聚会|聚餐|旅行|旅游|航班|机票|车票|火车|高铁|酒店|密码|发票|房租"
    "|租约|租房|合同|截止|考试|作业|论文|快递|包裹|外卖|订单|保险|护照|签证|项目|计划|任务|预算|方案|报告|进度|进展|状态|笔记|文件"
    "|文件夹|钥匙|地址|电话|号码|工资|厨房|房子|公寓|车位|办公室|晚饭|午饭|早饭|晚餐|午餐|早餐|今晚|今天|明天|后天|这周|本周|下周"
    "|周[一二三四五六日末]",
    re.ASCII,
)
#: "I", days, months and languages have a capital and are nobody.
_NAME = late_pattern(r"(?<![.!?:;\n\"“(])(?<![.!?:;] )(?<!\A)\b[A-Z](?!')[a-z'é]+(?:[- ][A-Z][a-z]+)*\b")
_FIRST_NAME_ASKED = late_pattern(
    r"\A\W*[A-Z][a-z]{2,}\b(?=(?:'s)? (?:is|has|will|finally|just|never|says?|said|wants?|got|called|told|asked|came|left|and)\b)"
)
_NOBODYS = """
I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
October November December English French German Spanish Italian Chinese Japanese Korean Russian Portuguese Arabic Hindi Latin
Mandarin Cantonese Greek Turkish Dutch Python Java Javascript Rust Go Ruby Git Docker Linux Excel Markdown Christmas Easter
"""
#: These have a capital and are nobody.
_NO_NAME = frozenset(_NOBODYS.split())
_CHINESE_NAME = late_pattern(
    rf"(?:小|老|阿)[\u4e00-\u9fff](?=[的是在有来去吃喝说叫要和跟住]|最近|什么|怎么|$)|[{FAMILY_NAMES}](?:总|老师|医生|经理|阿姨|叔叔|哥|姐)"
    rf"|[{FAMILY_NAMES}][\u4e00-\u9fff]{{1,2}}(?=是谁|是做|住|喜欢|什么时候|最近|的(?:生日|电话|工作)|怎么|吃|说|$)"
)


def speaks_of_oneself(plain: str) -> bool:
    """Whether the speaker or what is theirs comes in a plain text; the "me" of "tell me" is nobody."""
    return PERSON.search(NOBODY.sub(" ", plain)) is not None


def looks_back(plain: str, *, at_hand: bool) -> bool:
    """Whether a plain text speaks of what was said or done before, or is always done. ``at_hand``: of the text before both, "what was the
    first point again?" is no such thing."""
    return any(one.search(plain) for one in (SPOKEN, EARLIER, USUAL)) or (not at_hand and ONCE_MORE.search(plain) is not None)


def named(text: str) -> tuple[tuple[int, str], ...]:
    """What looks like the name of a person, a place or a thing in a text, and where: a word with a capital inside a sentence, or a Chinese
    name."""
    found = [(match.start(), match[0]) for match in _NAME.finditer(text) if match[0] not in _NO_NAME]
    if (first := _FIRST_NAME_ASKED.match(text)) and first[0].strip().lower() not in stopwords.ENGLISH:
        found.append((first.start(), first[0].strip()))
    return (*found, *((match.start(), match[0]) for match in _CHINESE_NAME.finditer(text)))


def kin(plain: str) -> frozenset[str]:
    """Words for people and animals somebody has: sister, boss, 我妈."""
    return frozenset(match[0] for match in _SOMEBODY.finditer(plain))


_THEIR_OWN = late_pattern(
    rf"\b(?:my|our|his|her|their|the) (?:\w+ )?(?:{_KIN}|{_ANIMALS})\b"
    f"|(?:[我咱他她]们?家?的?|[跟和见陪约给带])(?:{_KIN_CHINESE}|{_ANIMALS_CHINESE})",
    re.ASCII,
)
_SOMEBODY = late_pattern(rf"\b(?:{_KIN}|{_ANIMALS})\b|{_KIN_CHINESE}|{_ANIMALS_CHINESE}", re.ASCII)


def somebody_known(plain: str) -> bool:
    """Whether a text speaks of somebody's own relatives, friends or animals: "my sister", 跟我哥."""
    return _THEIR_OWN.search(plain) is not None
