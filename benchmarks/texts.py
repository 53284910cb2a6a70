"""Made-up chat messages in English and Chinese: Zipf word frequencies, lengths of people's messages, no data files.

Word frequencies follow Zipf and Mandelbrot: the word of rank r has the share 1/(r + 2.7). The most frequent words are real, so that
stop words, stems and segmentation cost what they cost; the many rare ones are composed of syllables or characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Literal, TypeAlias

import numpy as np

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def _words(text: str) -> list[str]:
    return text.split()


_ENGLISH_SMALL = _words("""the i to and a you it of is that in my was for on we have but me so this with be not are at just they do like
what if about all can he she get would or when your really up there out had will know go one from think how then been more""")
_ENGLISH = _words("""work time today week friend home meeting coffee project travel music dinner morning family weekend movie phone garden
doctor summer flight train budget house report school sister brother mother father lunch party market office birthday garden recipe
window letter winter bread camera bicycle hotel money ticket teacher river kitchen holiday concert dentist piano guitar painting
allergy peanut vegetarian spicy soup noodle chocolate museum library mountain beach island passport invoice deadline customer
database server release password laptop keyboard printer network insurance salary interview contract apartment landlord neighbour
puppy kitten vet hospital medicine headache exercise running swimming yoga football tennis chess novel poem story language lesson
started finished bought planned visited moved booked cancelled loved hated preferred ordered cooked painted repaired remembered""")
_CHINESE_SMALL = _words("""的 我 了 是 你 不 在 他 有 就 也 都 这 那 和 很 要 会 说 去 吗 吧 呢 她 们 把 给 到 对 还
没有 我们 什么 一个 可以""")
_CHINESE = _words("""今天 工作 时间 朋友 公司 会议 咖啡 项目 旅行 音乐 晚饭 早上 家人 周末 电影 手机 花园 医生 夏天 航班 火车 预算 房子
报告 学校 姐姐 弟弟 妈妈 爸爸 午饭 聚会 市场 办公室 生日 菜谱 窗户 冬天 面包 相机 自行车 酒店 老师 厨房 假期 演唱会 牙医 钢琴 吉他 过敏
花生 素食 不能吃辣 面条 巧克力 博物馆 图书馆 海边 护照 发票 截止日期 客户 数据库 服务器 密码 电脑 键盘 打印机 网络 保险 工资 面试 合同 公寓
房东 邻居 小狗 小猫 医院 头疼 锻炼 跑步 游泳 瑜伽 足球 网球 小说 故事 语言 课程 开始 完成 计划 搬家 预订 取消 喜欢 讨厌 记得 修理 准备
参加""")
_ONSETS = _words("b br c ch d dr f fl g gr h k l m n p pl r s sh st t tr v w")
_RIMES = _words("a an ar e el en er i in is o ol on or u um")
_CHARACTERS = (
    "天地人山水火木金土风云雨雪花草树鸟鱼马牛羊虫石田路桥船车门窗桌书笔纸灯衣食住行坐立走跑看听读写画唱跳笑哭吃喝玩乐忙闲早晚春夏秋冬"
    "东西南北高低大小长短远近新旧冷热红黄蓝绿黑白手足头眼耳口心脑身力气味声光电影音图表数字词句文章理法事物情意思想念信任"
)

_RARE_WORDS = 20_000
_FLATTENING = 2.7
#: Content words from this rank on are rare in a user's messages.
_MIDDLE = 400


@dataclass(frozen=True, slots=True)
class Question:
    """Words to ask for, and the question they make."""

    words: tuple[str, ...]
    text: str


class Writer:
    """Writes messages of one language. The same seed writes the same messages."""

    def __init__(self, language: Language, seed: int) -> None:
        self._language = language
        self._random = np.random.default_rng([seed, len(language), LANGUAGES.index(language)])
        small, content = (_ENGLISH_SMALL, _ENGLISH) if language == "en" else (_CHINESE_SMALL, _CHINESE)
        self._small = len(small)
        self._common = len(content)
        self._words = [*small, *content, *islice(_rare(language), _RARE_WORDS)]
        shares = 1.0 / (np.arange(1, len(self._words) + 1) + _FLATTENING)
        self._cumulative = np.cumsum(shares / shares.sum())

    def messages(self, count: int, *, median_words: float = 12.0) -> list[str]:
        """Messages of 3 to 120 words; half are shorter than ``median_words``."""
        lengths = np.clip(self._random.lognormal(np.log(median_words), 0.7, count), 3, 120).astype(int)
        drawn = np.searchsorted(self._cumulative, self._random.random(int(lengths.sum())))
        ends = np.cumsum(lengths)
        return [self._sentence(drawn[end - length : end].tolist()) for end, length in zip(ends, lengths, strict=True)]

    def things(self, count: int) -> list[str]:
        """Different words that are in no dictionary, such as names."""
        first = self._small + self._common
        return self._words[first : first + count]

    def common_question(self, words: int = 3) -> Question:
        """Of words that stand in many messages."""
        return self._question(self._content(0, self._common // 3, words))

    def mixed_question(self) -> Question:
        """Of five words: two common, two less so, one rare."""
        middle = self._content(self._common // 3, _MIDDLE, 2)
        return self._question([*self._content(0, self._common // 3, 2), *middle, *self._content(_MIDDLE, 4_000, 1)])

    def _content(self, first: int, last: int, count: int) -> list[str]:
        ranks = self._small + first + self._random.choice(last - first, count, replace=False)
        return [self._words[rank] for rank in ranks]

    def _question(self, words: list[str]) -> Question:
        text = f"What about {' '.join(words)}?" if self._language == "en" else f"{'，'.join(words)}怎么样？"
        return Question(tuple(words), text)

    def _sentence(self, ranks: list[int]) -> str:
        words = [self._words[rank] for rank in ranks]
        if self._language == "zh":
            return "，".join("".join(words[start : start + 8]) for start in range(0, len(words), 8)) + "。"
        text = ", ".join(" ".join(words[start : start + 10]) for start in range(0, len(words), 10))
        return text[0].upper() + text[1:] + "."


def _rare(language: Language) -> Iterator[str]:
    """Words that are in no dictionary, in an order that mixes their beginnings."""
    if language == "en":
        syllables = ["".join(pair) for pair in product(_ONSETS, _RIMES)]
        return (syllables[(7 * number) % len(syllables)] + syllables[number // 50] for number in range(_RARE_WORDS))
    size = len(_CHARACTERS)
    return (_CHARACTERS[(7 * number) % size] + _CHARACTERS[(number // size + 3 * number) % size] for number in range(_RARE_WORDS))
