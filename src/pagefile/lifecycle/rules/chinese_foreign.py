"""Stretches of a Chinese message that are not what its speaker says of himself: texts to work on, parts to play, scripts, jokes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.rules.chinese_clauses import fold

Range = tuple[int, int]

#: What is done with a text that somebody has written.
_WORKS_ON = (
    "(?:翻译|翻成|翻|译成|译为|译|润色|改写|改成|改得|改一改|改改|改一下|改下|修改|优化|精简|缩写|扩写|续写|仿写|校对|改短|缩短|纠错|批改|美化"
    "|朗读|复述|读一遍|排版|写成|写得|(?:看看|看一?下|检查一?下|检查)(?:语病|错别字|语法|通不通顺|是否通顺|有没有(?:语病|错别字|语法|问题|错)|写得))"
)
_TEXT = (
    "(?:话|句子?|段子?|文字|内容|文章|短文|作文|文案|自我介绍|介绍|简介|简历|邮件|信|消息|回复|发言稿?|讲稿|稿子?|检讨|评价|描述|标题|译文"
    "|朋友圈|周报|日报|报告|总结|申请书?|演讲稿?|日记|歌词|诗|对话|段落)"
)
#: Points at a text.
_THIS = "(?:(?:下面|以下|下列|上面|以上|前面|如下|这|那)(?:一)?(?:段|句|篇|些|个|份|封|条|首|是|几句|两句)?(?:我?写?的)?)"
_ASKED = "(?:请|麻烦|拜托|劳驾|你|您|能不能|能否|能|可以|可不可以|帮忙?|给|替|为|我|咱|再|先|,)*"
_FOR_ME = "(?:(?:帮|给|替)(?:我|忙|咱)|请|麻烦|把|将|能不能|能否)"
_IN_LANGUAGE = "[^,.!?]{1,3}[语文话]"
#: A task and, behind a colon, a line end or a blank, the text that it is to be done with. All that follows is the text.
_TASK_BEFORE = late_pattern(
    rf"{_WORKS_ON}[^.!?:\n]{{0,14}}?:|{_FOR_ME}[^,.!?:\n]{{0,10}}?{_WORKS_ON}[^.!?:\n]{{0,14}}?\n"
    rf"|(?:把|将){_THIS}[^,.!?:\n]{{0,8}}?{_WORKS_ON}[^,.!?:\s]{{0,8}}[,\s]"
    rf"|(?:帮|给|替)(?:我|忙)[^,.!?:\n]{{0,4}}?(?:翻译|翻成|译成|润色|改写|校对)(?:一?下|成[^,.!?:\s]{{1,4}})?(?:\s|{_THIS})"
    rf"|(?:帮|给|替)(?:我|忙)(?:把|将)?(?:我的?)?(?:这个?|那个?)?{_TEXT}(?:给我|再|帮我)?{_WORKS_ON}[^,.!?:\s]{{0,6}}[,\s:]"
    rf"|(?:^|[,.!?\n])(?:翻译|译)成[^,.!?:\s]{{1,3}}文?[,\s]"
    r"|(?:给|帮|请|把|为|将|对|根据|从|阅读|替)[^.!?\n]{0,6}?(?:下面|以下|下列|下文|后面)(?:这|的|是|几)?一?"
    r"(?:段|句|篇|些|首|个|份|封|内容|文字|文本|材料|话|对话|文章)[^.!?:\n]{0,20}[.!?:\n]"
    rf"|(?:看看|看一?下|检查一?下){_THIS}{_TEXT}[^:\n]{{0,10}}:"
    r"|(?:翻译|润色|改写|续写|仿写|校对|缩写|扩写|朗读|修改|总结|概括|分析)[^.!?\n]{0,12}(?:下面|以下|这[段句篇些首]|文章|原文|内容)"
)
#: The same after its text: "… 帮我翻译一下", "上面这段怎么改".
_TASK_BEHIND = late_pattern(
    rf"(?<=[,.!?;\s啊呀吧了的])"
    rf"(?:{_ASKED}(?:把|将)?(?:(?:上面|以上|前面)(?:这|那)?|这|那)(?:段|句|些|篇|个|份|封|条)?{_TEXT}?(?:帮我|给我|请|你)*"
    rf"(?:{_WORKS_ON}|怎么(?:翻译|翻|说|改|写|表达)|用{_IN_LANGUAGE}怎么[说讲写]|通顺|有没有语病|语法)[^,.!?]{{0,10}}"
    rf"|{_ASKED}(?:翻译|翻成|润色|改写|校对|改得|写得)(?:一?下|成[^,.!?]{{1,4}}|[^,.!?]{{0,4}}一?[点些])?"
    rf"|用?{_IN_LANGUAGE}怎么(?:说|讲|写|表达|翻))"
    r"(?:[,.!? ]|谢谢|吧|好吗|可以吗|行吗|吗|呢|哈|啊)*$"
)
#: A text under its name.
_NAMED_TEXT = late_pattern(
    "(?:歌词|台词|原文|例句|例子|文案|译文|正文|作文|范文|剧本|旁白|独白|对白|弹幕|段子|开头|结尾|广告语|口号|模板|签名|题目|题干|标题|谜语"
    r"|绕口令|文章)[^,.:\n]{0,6}:|(?:作文题目?|歌词|台词|例句)[^,.:\s]{0,4}[\s,]"
)
#: A part that is played, a person or a world that is made up.
_PLAYS = late_pattern(
    "扮演|角色扮演|假扮|假装|(?:情景|场景)(?:模拟|对话|剧)|模拟(?:一?下|一?场|一?个)?(?:面试|对话|访谈|谈判|相亲|采访|求职)"
    "|(?:你|咱们?|我们|我来)(?:来|就|先|现在|可以)*(?:演|饰演|扮)(?!唱|讲|示|员|出|习|技|奏|算|化|变|戏)"
    "|从现在(?:开始|起),?你(?:就)?是(?!我的(?:助手|助理|管家))|你(?:现在|就)?是(?:一[个名位])[^,.!?\n]{1,10},我是"
    "|(?:来|一起)(?:玩|做)一?[个场局][^,.!?\n]{0,6}(?:游戏|剧本杀|跑团|接龙)"
    "|(?:假设|设定|背景设定|人设|设定是)[^,.!?\n]{0,4}:|写一?(?:首|篇|段|封|个|则)[^\n]{0,30}?(?:故事|小说|诗|歌|剧本|日记|独白)"
    "|编一?(?:个|段|则)|[以用]第一人称"
)
#: Whoever says so takes back what he has just said.
_JOKE = late_pattern(
    "(?<![没不别非])(?:开(?:个|你)?玩笑(?!吗|开)|骗你(?:的|玩|呢)|逗你(?:的|玩|呢)|说着玩|瞎说的|乱说的|瞎编的|编的(?!程)|才怪)"
)
_SENTENCE_END = late_pattern(r"[.!?\n;]+\s*|\s{2,}")
#: How far a joke reaches back.
_JOKE_REACH = 120
#: 甲：我喜欢猫, at least twice: a conversation of others.
_LINE = late_pattern(
    r"^[ \t]*(?:[-*•] )?(?:[甲乙丙丁AB男女问答]|[小老阿][\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|医生|经理|总|哥|姐)"
    r"|记者|主持人|客服|顾客|店员|医生|患者|病人|老师|学生|面试官|求职者|应聘者|妈妈|爸爸|旁白|老板|员工|[男女]主|[男女]生):[ ]*\S[^\n]*",
    re.MULTILINE,
)
#: A cheap look: most messages have nothing of the kind.
_MAY_HAVE = late_pattern(
    "[译譯翻改写寫润潤校演扮装裝拟擬编編词詞句段篇语語题題文]|玩笑|骗你|騙你|逗你|瞎|才怪|总结|總結|概括|分析|检查|檢查|看|优化|優化|精简|精簡|设定|設定|[:：].*\n"
)


@lru_cache(maxsize=16)
def foreign_stretches(text: str) -> tuple[Range, ...]:
    """Where a message is not what its speaker says of himself, as half-open ranges."""
    if not _MAY_HAVE.search(text):
        return ()
    # Folding makes blanks of line ends, which count here.
    return tuple(_stretches("\n".join(map(fold, text.split("\n")))))


def _stretches(plain: str) -> Iterator[Range]:
    if task := _TASK_BEFORE.search(plain):
        yield task.end(), len(plain)
    elif task := _TASK_BEHIND.search(plain):
        yield 0, task.start()
    for each in (_NAMED_TEXT.search(plain), _PLAYS.search(plain)):
        if each:
            yield each.end(), len(plain)
    lines = [match.span() for match in _LINE.finditer(plain)]
    if len(lines) > 1:
        yield from lines
    for joke in _JOKE.finditer(plain):
        yield _begin_of_joke(plain, joke.start()), joke.end()


def _begin_of_joke(plain: str, end: int) -> int:
    """Where the sentence before the remark began: 我养了条蛇。骗你的."""
    begin = max(0, end - _JOKE_REACH)
    before = plain[begin:end].rstrip(" .!?,\n我")
    return begin + max((match.end() for match in _SENTENCE_END.finditer(before)), default=0)
