"""Everyday talk in both languages, made from patterns and from messages of the gate's set. The same seed gives the same talk.

It is to be like what a person tells an assistant over months: small news, plans, other people's affairs, work on texts, sums, thanks. Much
of it shares words with the facts of ``early_fact`` (keys, tins, boats, allergies of others), so that a fact is not found by being the only
message about its matter.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from evaluation.gate import read_lines

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

#: Every third message is one of the gate's set that stands for itself.
_SELF_CONTAINED = frozenset({"greeting", "thanks", "acknowledgement", "laughter", "arithmetic", "code", "knowledge", "creative"})
_EVERY = 3

_SLOTS: Mapping[Language, Mapping[str, Sequence[str]]] = {
    "en": {
        "who": ("my neighbour", "a colleague", "my cousin Ben", "Tom from work", "our landlady", "my old teacher", "Priya", "the plumber"),
        "thing": ("bike", "umbrella", "coffee grinder", "tent", "printer", "piano", "scarf", "camera", "kettle", "suitcase", "lamp"),
        "place": ("the office", "the market", "the library", "the harbour", "the station", "the garden centre", "the gym", "the bakery"),
        "food": ("lentil soup", "a lemon tart", "pancakes", "mushroom risotto", "a big salad", "dumplings", "green tea", "rye bread"),
        "day": ("yesterday", "this morning", "on Sunday", "last night", "after lunch", "at the weekend"),
        "feeling": ("tired", "quite pleased", "a bit nervous", "in a hurry", "relaxed", "hungry"),
        "work": ("the report", "the budget", "the slides", "an offer for a customer", "the minutes", "a speech"),
        "trouble": ("was late again", "broke down", "is still not here", "made a strange noise", "was out of stock", "got wet in the rain"),
    },
    "zh": {
        "who": ("邻居", "一个同事", "表弟小斌", "公司的老周", "房东", "以前的老师", "小林", "水管工"),
        "thing": ("自行车", "雨伞", "咖啡机", "帐篷", "打印机", "钢琴", "围巾", "相机", "水壶", "行李箱", "台灯"),
        "place": ("办公室", "菜市场", "图书馆", "码头", "车站", "花店", "健身房", "面包店"),
        "food": ("扁豆汤", "柠檬塔", "煎饼", "蘑菇烩饭", "一大盘沙拉", "饺子", "绿茶", "黑麦面包"),
        "day": ("昨天", "今天早上", "星期天", "昨晚", "午饭后", "周末"),
        "feeling": ("有点累", "挺开心的", "有点紧张", "很赶", "很放松", "饿了"),
        "work": ("报告", "预算", "幻灯片", "给客户的报价", "会议纪要", "发言稿"),
        "trouble": ("又晚点了", "坏了", "还没到", "发出怪声", "卖完了", "被雨淋湿了"),
    },
}  # fmt: skip
_SAID: Mapping[Language, Sequence[str]] = {
    "en": (
        "I went to {place} {day} and met {who} there.",
        "The {thing} {trouble}, so I had to wait for half an hour.",
        "I'm {feeling} today. {who} asked me to help with {work} and it took longer than I thought.",
        "We had {food} {day}; it turned out better than last time.",
        "Can you help me to word a short note to {who}? I cannot come to {place} {day}.",
        "I need a list of what to buy for {food}.",
        "What would you write in {work} if the figures are not in yet?",
        "Do you think a {thing} is a good present for {who}?",
        "{who} had a blood test {day}, all is well.",
        "I put the {thing} into the shed because it {trouble}.",
        "It rained {day}, so we stayed in and played cards with {who}.",
        "I finished {work} {day}. Now I'm {feeling}.",
        "How long does {food} keep in the fridge?",
        "{who} wants to sell the {thing}. I said I'd think about it.",
    ),
    "zh": (
        "我{day}去了{place}，碰到了{who}。",
        "{thing}{trouble}，我等了半个小时。",
        "我今天{feeling}。{who}让我帮忙弄{work}，比想的久。",
        "我们{day}吃了{food}，比上次做得好。",
        "帮我写几句话给{who}，我{day}不能去{place}了。",
        "做{food}要买些什么？",
        "数字还没出来的话，{work}里该怎么写？",
        "送{who}一个{thing}当礼物好不好？",
        "{who}{day}去验了血，没什么事。",
        "{thing}{trouble}，我把它放到阳台上了。",
        "{day}下雨，我们在家跟{who}打牌。",
        "{work}{day}写完了，现在{feeling}。",
        "{food}在冰箱里能放多久？",
        "{who}想把{thing}卖掉，我说我想想。",
    ),
}
#: They share words with the facts of ``early_fact``; each is said a few times in a talk.
_NEAR: Mapping[Language, Sequence[str]] = {
    "en": (
        "{who} lost the key to the {thing} and looked everywhere for it.",
        "{who} is allergic to pollen and sneezed all the way to {place}.",
        "{who} has a small boat at the harbour and talks of nothing else.",
        "The tin with the tea is empty again, I'll get some at {place}.",
        "{who} forgot the passport at home and missed the train.",
        "There was a violin player at {place} {day}, really good.",
    ),
    "zh": (
        "{who}把{thing}的钥匙弄丢了，到处找。",
        "{who}对花粉过敏，一路打喷嚏到{place}。",
        "{who}在码头有条小船，整天就说这个。",
        "茶叶盒子又空了，我去{place}买一点。",
        "{who}把护照忘在家里，没赶上火车。",
        "{day}在{place}有人拉小提琴，真好听。",
    ),
}
_NEAR_TIMES = 2
_ANSWERED: Mapping[Language, Sequence[str]] = {
    "en": (
        "That sounds like a full day. If you like, I can put the next steps into a short list: first {work}, then a walk to {place}.",
        "I see. {food} keeps for two days or so; cool it first, and cover it. Tell me if you want the whole recipe.",
        "Here is a line you could send: “I'm sorry, I cannot make it {day}. Shall we meet at {place} instead?”",
        "That is a pity about the {thing}. Often it helps to wait until it is dry, and to look at the screws.",
        "Glad to hear it!",
        "You could start with what is certain and mark the rest as open. A table with three columns is enough for {work}.",
    ),
    "zh": (
        "听起来这一天很充实。需要的话，我可以把接下来要做的列一下：先弄{work}，再去{place}走走。",
        "明白了。{food}大概能放两天，先放凉再盖好。想要完整做法就告诉我。",
        "可以这样写：“不好意思，我{day}来不了，我们改在{place}见好吗？”",
        "{thing}的事真可惜。一般等它干了，再看看螺丝就好。",
        "那太好了！",
        "可以先写确定的，其余标成待定。{work}里放一张三列的表就够了。",
    ),
}


class Chatter:
    """Says and answers. Both languages in turn of a few messages each, as people who speak two do."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._lines = {
            language: [line.text for line in read_lines() if line.language == language and line.kind in _SELF_CONTAINED and not line.window]
            for language in LANGUAGES
        }
        self._language: Language = "en"

    def said(self, number: int) -> list[str]:
        """So many messages of a user."""
        said = [self._message(place) for place in range(number)]
        near = [(language, pattern) for language in LANGUAGES for pattern in _NEAR[language] for _ in range(_NEAR_TIMES)]
        # Not in the first messages, where a fact is to be said.
        places = self._chance.sample(range(number // 10, number), min(len(near), number // 5))
        for place, (language, pattern) in zip(places, near, strict=False):
            said[place] = self._filled([pattern], language)
        return said

    def answer(self) -> str:
        """A reply of an assistant, in the language of the last message made."""
        return self._filled(_ANSWERED[self._language], self._language)

    def _message(self, place: int) -> str:
        if self._chance.random() < 0.25:
            self._language = "zh" if self._language == "en" else "en"
        if place % _EVERY == 0:
            return self._chance.choice(self._lines[self._language])
        return self._filled(_SAID[self._language], self._language)

    def _filled(self, patterns: Sequence[str], language: Language) -> str:
        slots = {name: self._chance.choice(fillers) for name, fillers in _SLOTS[language].items()}
        text = self._chance.choice(patterns).format(**slots)
        return text[0].upper() + text[1:]
