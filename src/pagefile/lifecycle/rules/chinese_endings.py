"""What else is over when something is said to be, in Chinese: 我不喝酒了, 我毕业了, 我放弃学钢琴了, 胃炎好了. Pure.

Each of these ends whatever is known of that, and tells nothing where nothing is known: which it is, is seen when claims are reconciled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Span
from pagefile.lifecycle.rules.chinese_words import HAN, ILLNESS, PART_OF_DAY

_PART_OF_DAY = late_pattern(PART_OF_DAY)

#: What one does again and again, with what it is done to.
_NO_LONGER = late_pattern(
    r"(?:已经|早就|早|再也|现在|也|都|就)*不(?:再|用|必)?(?:去|来|自己)?(?P<v>(?:[喝抽吸玩看听追打踢学练弹拉画写读骑开养炒刷用逛教带遛送接补坐穿戴上](?![了的])"
    rf"|跑步|游泳|健身|爬山|熬夜|加班|早起|午睡|唱歌|跳舞|钓鱼|做饭|做瑜伽|做运动)(?:{HAN}{{0,6}}?|[A-Za-z ]{{1,10}}))(?:了|$)"
)
_NOT_DONE = late_pattern(
    ".*[你您他她它这那我什么]|.*(?:起来|下去|出来|进去|出|到|下|过|完|着)$|(?:用|坐|送|接|带|看|上|写|做|学|开)$|上(?!课|班)|带(?!娃|孩|狗)"
)
_DROPPED = late_pattern(
    rf"(?:已经|早就|早|还是|最后|后来|决定|打算|准备|终于)*(?:放弃|不想|不打算|不准备|不|没再|没有再|没继续)(?:再|继续|了)?"
    rf"(?P<v>(?:考|学|练|备考|减肥|健身|创业|攒钱|存钱|写)(?:{HAN}{{0,6}}?|[A-Za-z ]{{1,10}}))(?:了|$)"
    rf"|(?:已经|还是|最后|决定|终于)*放弃了?(?P<what>{HAN}{{2,6}}?)(?:了|$)"
)
_GRADUATED = late_pattern(
    r"(?:已经|刚|刚刚|终于|顺利|正式|从[^,]{2,10}|大学|本科|研究生|硕士|博士|高中)*(?:毕业|退学|肄业)了?(?:[^,吗]{0,6})$"
)
_STUDENTS = ("学生", "研究生", "大四", "研三", "高三")
_HIRED = late_pattern(
    r"(?:已经|刚|刚刚|终于|正式|也)*(?:(?:找到|有)(?:了)?(?:新|一份|份|个|的)*工作|入职|上岸|拿到(?:了)?offer|找着工作|重新上班|开始上班|去[^,]{1,8}上班)"
    r"(?:[^,]{0,10}了|$)"
)
_OUT_OF_WORK = ("失业", "待业", "无业")
_BORN = late_pattern(r"(?:已经|刚|刚刚|终于|顺利|平安|上周|昨天)*(?:生了(?!病|气|锈|变)|生完|生下|卸货|剖(?:腹产)?了|当妈了|当妈妈了)")
_EXPECTING = ("怀孕", "怀了二胎", "怀二胎")
_TOGETHER = late_pattern(r"(?:已经|刚|终于|也)*(?:脱单|(?:有|交|找)(?:了)?(?:女朋友|男朋友|对象)|谈恋爱|恋爱)了$")
_CURED = late_pattern(
    rf"(?:的)?(?P<v>{ILLNESS}|[腰胃腿脚膝肩背手脖嗓][子盖膀腕踝]?(?:伤|骨折)?|骨折|感冒)(?:终于|已经|现在|全|完全|都|也|基本|彻底)*(?:治)?(?:好(?:全|利索)?|痊愈|康复|治愈|根治)了$"
)
_NOT_AFRAID = late_pattern(rf"(?:已经|现在|也|都|再也)*不(?:再)?(?:害怕|怕)(?P<v>{HAN}{{1,6}}?)了$")


def also_over(frame: Frame, found: Sequence[Claim]) -> Iterator[Claim]:
    """What the clause ends besides what it says."""
    if frame.lead.maybe or frame.lead.future_time or frame.lead.past:
        return
    plain, at, end = frame.plain, frame.at, frame.end
    known = {each.attribute for each in found}
    if "不" in plain[at:end] or "放弃" in plain[at:end] or "没" in plain[at:end]:
        yield from _left_off(frame, known)
    if _BORN.match(plain, at, end):
        yield from _endings(frame, "health", _EXPECTING)
    if frame.plain[end - 1] != "了":
        return
    if _GRADUATED.match(plain, at, end):
        yield from _endings(frame, "occupation", _STUDENTS)
    elif _HIRED.match(plain, at, end):
        yield from _endings(frame, "occupation", _OUT_OF_WORK)
    elif _TOGETHER.match(plain, at, end):
        yield from _endings(frame, "marital status", ("单身",))
    elif (cured := _CURED.match(plain, at, end)) and not found:
        yield _ending(frame, "health", cured.span("v"))


def _left_off(frame: Frame, known: set[str]) -> Iterator[Claim]:
    """A habit, a goal, a fear."""
    plain, at, end = frame.plain, frame.at, frame.end
    if (bold := _NOT_AFRAID.match(plain, at, end)) and not known:
        yield frame.make("likes", bold.span("v"), only_ends=True)
        return
    if frame.lead.today or _PART_OF_DAY.search(plain, frame.begin, at):
        return
    if "habit" not in known and (over := _NO_LONGER.match(plain, at, end)) and frame.over and not _NOT_DONE.match(over["v"]):
        yield _ending(frame, "habit", over.span("v"))
        for said in frame.context.recent:
            # 每天早上喝一杯咖啡
            alike = (said.subject, said.attribute, said.polarity) == (frame.person.subject, "habit", "positive")
            if alike and over["v"][0] in said.value and over["v"][1:] in said.value:
                yield _ending(frame, "habit", said.value)
    if "goal" not in known and (dropped := _DROPPED.match(plain, at, end)) and (frame.over or "放弃" in dropped[0]):
        yield _ending(frame, "goal", dropped.span("v" if dropped["v"] else "what"))


def _endings(frame: Frame, attribute: str, values: Sequence[str]) -> Iterator[Claim]:
    return (_ending(frame, attribute, value) for value in values)


def _ending(frame: Frame, attribute: str, value: Span | str) -> Claim:
    return frame.make(attribute, value, ended=True, only_ends=True)
