"""Whom a Chinese clause is about that names nobody: the speaker, an animal or whoever was spoken of just before. Pure."""

from __future__ import annotations

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import chinese_people as people
from pagefile.lifecycle.rules.chinese_frame import Frame
from pagefile.lifecycle.rules.chinese_people import Person
from pagefile.lifecycle.rules.chinese_words import BECOMES_ILL, BODY_TROUBLE, HOUR, ILLNESS, KIN_ATTRIBUTES, PART_OF_DAY

#: Without a subject these say enough by themselves to be the speaker's.
_DROPPED = late_pattern(
    r"(?:猫|狗|兔子|仓鼠|鹦鹉).{0,4}叫.{1,6}$|.{1,8}我.{0,4}(?:喜欢|爱|讨厌|受不了)(?:吃|喝|看|听|玩)?了?$|不(?:再|太|怎么|大|敢"
    r"|让我)?(?:能"
    r"|可以)?(?:吃|喝|碰)|只吃|不在.{2,10}了|.{1,6}我?.{0,4}(?:不吃"
    r"|不能吃|吃不了|不能碰|碰不得|不喝|不碰|不沾)了?$|没空|没有?时间|不方便|要上课|有课|不接|不能用|(?:以后|今后"
    r"|往后|平时|工作日|周末|永远|绝对|请|,)*(?:别|不要|不许|不能)|不要|不许|禁止|千万|没有?(?:女朋友"
    r"|男朋友|对象|孩子|宠物|兄弟姐妹|养)|不再(?:喜欢|爱|讨厌)|对.{1,20}过敏|.{1,6}过敏|(?:吃|喝|碰)(?:不了"
    r"|不得)|吃(?:全|纯)?素|素食|(?:刚|已经|上.{1,3}|去年|从.{1,6}|昨天|前.{1,2}){0,3}搬(?:家)?(?:到"
    r"|去|来|回)|(?:一直|目前|现在|已经)*不?(?:再)?住(?:在)?|不?在.{2,14}(?:上班|工作|就职|任职|干|读书"
    r"|上学|念书|生活|定居|做|读|住|当)|(?:很|特别|非常|比较|挺|超|最|不|不太|超级|真的|从小|一直|还"
    r"|更|不怎么)*(?:喜欢|爱(?!你|情|好)|热爱|偏爱|讨厌|受不了|痴迷|迷上)|毕业于|从.{2,12}(?:毕业|跳到"
    r"|跳槽|换到).{0,8}|就读于|(?:家里?)?(?:养|有)(?:了|着)?.{0,5}(?:只|条).{0,5}|坐标|base|来自|老家"
    r"|生日|.{0,3}戒.{1,5}了|是.{0,10}(?:人|师|员|生|手|者)$|(?:有|患有?|得了?).{0,8}(?:病|症|炎|高血压"
    r"|糖尿病|哮喘|痛风|近视)|(?:我)?(?:已经|刚|还)*(?:没|未)?(?:结婚|单身|离婚|已婚|怀孕|退休|离职"
    r"|辞职|失业|分手)|从事|(?:和|跟).{1,8}(?:分手|离婚)了|打算|计划(?!书|一下)|准备(?!好|了|工作|一下|什么|材料)|待业|退休(?!前)|失业|全职|现居|现住|旅居|自驾|.{1,6}打死|定居|落户|扎根|改用|换成|做(?:过|完|了).{0,8}手术"
    r"|(?:平时|一般|每天|每周|周末|经常|习惯|偶尔).{2,}|目标(?:是|:)|今年.{1,4}岁?(?:了)?$|\d{1,3}岁"
    r"|(?:去|到)(?:过|了)|(?:会|精通|擅长|不会)|叫|预算|(?:在|刚)?(?:上|读|念)(?:高|初|大|小|研|幼)"
    rf"|{BODY_TROUBLE}|{ILLNESS}|{BECOMES_ILL}|孕\d|今年\d"
    r"|(?:家里)?有(?:了)?(?:[一二两三四五几\d]{1,2})?(?:个|位|只|条|对)|.{2,8}一枚|开了(?:一?家|个|间)|想(?=考|学|去|买|换|转|跳槽"
    r"|当|减|瘦|攒|开)"
    r"|(?:手机|电脑|车子?|相机)(?:是|用的)|(?:高|大|初|研|国|硕|博)[一二三四](?:狗|党|生|学生|在读)|(?:跟|和|与)着?.{1,3}(?:一起)?住"
    r"|(?:买|入手|提|换)了一?(?:台|辆|部|套|把)|转.{2,5}了|(?:跟|和).{1,6}(?:分手|离婚).{1,6}了|(?:早饭|晚饭)?戒了|升了|做.{0,8}手术"
    r"|考虑|学(?:医|法律|金融|计算机|会计)|(?:心脏|血管).{0,2}(?:放|装|搭)|居家办公|远程办公"
    r"|在家办公|\d{2}年(?:生)?的$"
    r"|(?:本科|研究生|硕士|博士|大学|高中|国中|研究所).{0,2}(?:念|读|在|是)|退休前|(?:我)?(?:小名|大名)"
    r"|(?:又|重新|改|开始|写了|用了|玩了|弹了|练了|学了|画了|教).{1,12}|不再.{2,}|.{0,4}不耐受?|(?:考|拿)(?:上|过|到|了).{1,10}"
    r"|新家(?=在)|从.{2,8}(?:回来|辞职|离职|裸辞)|在.{1,8}(?:长大|出生)|(?:体检|检查|复查)?查出|小目标(?:是|:)|不(?:再)?(?:追星|追剧|熬夜|跑步|健身|抽烟|打游戏|加班)了|(?:捡|领养|收养|抱|接)(?:回来?)?了?一?[只条]"
    r"|转行|改行|转岗|升职|租房住在|年龄|职业|爱好|兴趣|.{0,4}(?:恐高|晕车|晕船)|家(?:住|在)|养了|不抽烟"
    r"|换了?(?:个|份)?新?工作|(?:刚|上周|昨天|已经)*被(?:公司|单位)?(?:裁|辞退|炒|优化|开除|解雇)|丢了工作|.{1,6}我?现在.{0,3}能接受了$|(?:又|恢复)单身"
    r"|不喝酒|入职|跳槽|无.{1,3}不欢|过敏|母语|籍贯|参加|在(?:减肥|备考|学|准备)|正在"
)
_GOING = late_pattern("(?:要|会|得|必须|需要)?(?:把|交|提交|完成|去|飞|回|搬|有|约|参加|结婚|出差|考|入职|开学|毕业)")
_ABOUT_FOOD = late_pattern(r"不(?:能|太)?(?:能)?(?:吃|喝)|对.{1,12}过敏|吃素|预算|.{1,5}过敏")


def left_out(frame: Frame) -> Person | None:
    """Whom a sentence means that names nobody: the speaker, if the words can be nobody else's."""
    plain, at, utterance = frame.plain, frame.at, frame.sentence.utterance
    if people.goes_on_about(utterance.text, utterance.subject, frame.sentence.start) is not None:
        return _still_about(frame) if _GOES_ON.match(plain, at, frame.end) else None
    planned = (frame.lead.future_time or frame.lead.some_time) and _GOING.match(plain, at, frame.end)
    corrected = frame.talk.corrects and plain.startswith("是", at)
    if not (
        planned
        or corrected
        or _AGED.match(plain, frame.begin, frame.end)
        or _SLEEPS.match(plain, frame.begin, frame.end)
        or frame.lead.often >= 0
        or plain.startswith("正在", frame.begin)
        or _DROPPED.match(plain, at, frame.end)
    ):
        return None
    if frame.after_task and not _ABOUT_FOOD.match(plain, at, frame.end):
        return None
    return frame.speaker


_SLEEPS = late_pattern(
    rf"(?:每天|平时|一般)?(?:{PART_OF_DAY})?{HOUR}(?:以后|左右|多)?(?:就|才|都|准时)*(?:起床|起|睡觉?|醒|躺下"
    rf"|上床)(?:了)?$"
)
_AGED = late_pattern(r"(?:我)?今年\D{0,3}(?:\d{1,3}|[一二三四五六七八九十]{2,4})(?:周?岁)?(?:了)?$")
#: What may go on about somebody that the sentence before was about.
_GOES_ON = late_pattern(
    r"(?:今年|刚|快|已经)*\d{1,2}(?:周?岁|个月)|(?:名字)?叫|今年|(?:最|很|特别|超|不太?|也|从小|还)*(?:喜欢|爱(?!情)|讨厌|怕)"
    r"|不(?:能)?(?:吃|喝)"
    r"|对.{1,12}过敏|是.{0,8}[师员生工家人]$|在.{2,12}(?:上班|工作|上学|读书|读)|住在?|有.{1,8}[病炎症]|[上读念][高初大小幼]"
)


def _still_about(frame: Frame) -> Person | None:
    """Whom the last claim of the same message was about, if it was somebody else than the speaker."""
    before, utterance = frame.context.antecedent, frame.sentence.utterance
    if before is None or before.sources[0].message != utterance.message:
        return None
    if before.subject != utterance.subject:
        name = before.subject if before.subject in utterance.text else ""
        return Person(before.subject, name or before.subject.replace("用户的", "我"), "", name)
    return introduced_by(frame, before)


def introduced_by(frame: Frame, said: Claim) -> Person | None:
    """The person or animal that the speaker said he has."""
    if not said.tags or said.polarity != "positive" or said.attribute not in (*KIN_ATTRIBUTES.values(), "pet"):
        return None
    return people.related(frame.speaker, said.tags[0], said.value if said.value in said.entities else "")


#: What is said of an animal that was just spoken of, and not of who has it.
_OF_AN_ANIMAL = late_pattern(
    r"(?:今年|刚|快|已经|才|大概|都|也|有)*(?:\d{1,2}|[一二两三四五六七八九十]{1,2})(?:周?岁|个多?月|年了)|对.{1,8}过敏|不(?:爱|能"
    r"|太)?吃|(?:很|特别|超|最)*(?:喜欢|爱)"
    r"(?:吃|玩|睡|咬|抓|叫|舔|晒|躺|钻)|绝育|是(?:只|条|个)?(?:公|母|弟弟|妹妹|男孩|女孩)"
)


def of_animal(frame: Frame) -> Person | None:
    """The animal that the clause or the sentence before spoke of, if these words can be about nothing else."""
    before, utterance = frame.context.antecedent, frame.sentence.utterance
    if frame.talk.claims:
        before = frame.talk.claims[-1]
    elif before is not None and before.sources[0].message != utterance.message:
        before = None
    if before is None or before.attribute != "pet" or not _OF_AN_ANIMAL.match(frame.plain, frame.at, frame.end):
        return None
    return introduced_by(frame, before)
