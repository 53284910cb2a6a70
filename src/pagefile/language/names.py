"""Names that are written as such in a text: people, places, organisations and things, in English and in Chinese. Pure.

By rules, and precise rather than eager: a capital in the middle of a sentence, a family name where one acts, 小 and 老 before a name, what
stands behind "lives in" and 住在. So a text has the same names on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from pagefile.language import kin
from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.stopwords import ALSO_NAMES, CHINESE, ENGLISH
from pagefile.language.text import fold


def names_in(text: str) -> tuple[str, ...]:
    """The names in a text, as they stand there, each once."""
    return tuple(dict.fromkeys((*_english(text), *(_chinese(text) if _HAN.search(text) else ()))))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- English -------------------------------------------------------------------------------------------------------------

_CAPITAL = r"[A-Z\u00c0-\u00de][\w&.-]*(?:[’'](?!s\b)[\w-]+)?"
_NAME = late_pattern(rf"(?<![\w@./-]){_CAPITAL}(?: (?:(?:of|de|del|van|von|der|da|di|la|le) )?{_CAPITAL}){{0,4}}")
_VERB_AFTER = late_pattern(
    r"[’']s?\b| (?:is|was|are|were|has|had|will|can|could|would|and|who|said|got|went|met|told|lives?|works?|likes?|loves?"
    r"|paid|made|took|came|saw|gave|left|sent|brought|bought|thought|knew|sang|ran|won|lost|wrote|spoke|drove|kept|found|became|began"
    r"|never|always|often|also|might|may|must|should"
    r"|[a-z]{2,}(?:s|ed))\b"
)
_CALENDAR = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november
    december today tomorrow yesterday
    """
)
#: Words that begin a sentence and are no name for all their capital.
_BEGINNERS = (
    ENGLISH
    | _CALENDAR
    | _words(
        """
        let lets don't didn't doesn't isn't i'm i've i'd i'll it's that's there's he's she's we're they're my your our his her their
        someone somebody everyone nobody people work dinner lunch breakfast last next since after before when while during today great
        good new every many two three also maybe perhaps remember note always never usually sometimes
        """
    )
) - ALSO_NAMES
_SENTENCE_END = ".!?。！？\n:：;；"
_SENTENCE = late_pattern(r"(?:[^.!?。！？\n:：;；]|\.(?=\S))+")
_LATIN_WORD = late_pattern(r"[A-Za-z\u00c0-\u024f][\w'’-]*")
#: Fewer words in capitals may be a name: "IBM", "IBM UK".
_FEW_WORDS = 3


def _english(text: str) -> Iterator[str]:
    # In a sentence that is written in capitals a capital tells of no name.
    text = _SENTENCE.sub(lambda sentence: sentence[0].lower() if _in_capitals(sentence[0]) else sentence[0], text)
    for match in _NAME.finditer(text):
        words, begins = match[0].rstrip(".-&").split(" "), _begins_sentence(text, match.start())
        dropped = 0
        while words and fold(words[0].replace("’", "'")) in _BEGINNERS and (begins or dropped or words[0] == "I"):
            words, dropped = words[1:], dropped + 1
        while words and fold(words[-1]) in _CALENDAR | {"i"}:
            words = words[:-1]
        if not words or fold(words[0]) in _CALENDAR or words[0] in ("I", "I'm", "OK"):
            continue
        # At the beginning of a sentence every word has a capital: what follows tells.
        if begins and not dropped and len(words) == 1 and not words[0].isupper() and not _VERB_AFTER.match(text, match.end()):
            continue
        name = " ".join(words)
        if len(name) > 1:
            yield name


def _in_capitals(sentence: str) -> bool:
    """Whether most letters of a sentence are capitals."""
    return sum(map(str.isupper, sentence)) > sum(map(str.islower, sentence)) and len(_LATIN_WORD.findall(sentence)) >= _FEW_WORDS


def _begins_sentence(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \t\"'“‘(（")
    return not before or before[-1] in _SENTENCE_END


# --- Chinese -------------------------------------------------------------------------------------------------------------

_HAN = late_pattern(r"[\u3400-\u9fff]")
#: The usual Chinese ones, of one character.
FAMILY_NAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏"
    "付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤"
)
#: Words that begin like a family name.
_NO_FAMILY = _words(
    """
    高兴 高中 高铁 高考 高度 高血压 高速 高温 高级 高手 高层 周末 周围 周年 周一 周二 周三 周四 周五 周六 周日 周边 方便 方法 方向 方面 方案
    马上 马路 时间 任何 任务 白天 白色 白酒 夏天 夏季 钱包 金额 金融 金色 石头 龙虾 向来 汤圆 孔雀 毛巾 毛衣 雷雨 万一 江边
    黄色 黄瓜 黄金 林业 张开 王国 王子 李子 叶子 杜绝 程序 程度 陶瓷 范围 段落 谢谢 谢绝 顾客 严重 严格 许多 何时 何处 何必 余额 余下 曾经
    田野 姜汤 姜茶 唐诗 唐朝 宋朝 宋词 秦朝 孙子 孙女 胡子 胡萝卜 胡同 徐徐 彭湃 朱红 罗列 郑重 武器 武术 史料 史上
    """
)
#: Characters that no name of a person or place has in it, as a rule.
_NO_NAME = "的了着过于是在有和与及或我你您他她它们这那哪不没很就都也还又再把被让给对从到吗呢吧啊呀么什谁几每各个位"
_IN_NAME = rf"[^\W\d_a-zA-Z{_NO_NAME}]"
_LINK = "(?:叫做?|名叫|是|，|,)"
_BEGIN = r"(?:^|(?<=[\s，。；：！？、,.;:!?「“\"(（]))"
#: Who and what belongs to somebody.
KIN = f"{kin.CHINESE}|先生|公司|学校|大学|母校|家乡|老家|猫|狗|宠物|总部|创始人|地址"
_VERBS = (
    "是|叫|在|住|说|去|来|有|喜欢|爱|讨厌|工作|上班|养|开|买|学|教|毕业|出生|搬|和|跟|与|的|也|要|会|想|正在|刚|已经|今年|去年|昨天|今天|明天|每|认识|结婚|生|做|当|负责|创办|管理"
    "|为|从|到|给|对|最|经常|以前|现在|目前|曾|打|吃|喝|看|写|推荐|送|帮|请|约|带|经营|担任|任职|就职|一起|一块|周|星期|上午|下午|早上|晚上|获得|得了|拿|骑|坐|回|找"
    "|等|不|没|只|很|非常|特别|比|把|被|让"
)

_TITLES = "教授|老师|先生|女士|太太|小姐|医生|大夫|阿姨|叔叔|师傅|经理|主任|律师|教练|奶奶|爷爷|校长|院长|局长|总监"
#: What stands before somebody to whom something is done.
_TOWARDS = "(?:认识|遇到|遇见|见到|见了|喜欢|介绍|帮助|嫁给|娶了|爱上|送给|通知|邀请|看望|感谢|拜访|采访|[和跟与对给找见陪叫是])"
_END = r"(?=$|[\s，。；！？、,.;!?])"
_PLACES = "公司|集团|大学|学院|医院|银行|中学|小学|餐厅|书店|咖啡馆|研究所|[省市县区镇村路街]"
_PATTERNS = tuple(
    late_pattern(each)
    for each in (
        # 小李, 老王, 阿强.
        rf"(?:(?<![\u4e00-\u9fff])|{_TOWARDS})(?P<name>[小老阿]{_IN_NAME})(?=$|\W|{_VERBS})",
        # 王强住在…, 和李小明…
        rf"(?:{_BEGIN}|{_TOWARDS})(?P<name>[{FAMILY_NAMES}]{_IN_NAME}{{1,2}}?)(?=$|\W|{_VERBS})",
        # 魏大夫, 何阿姨.
        rf"(?:{_BEGIN}|{_TOWARDS})(?P<name>[{FAMILY_NAMES}]{_IN_NAME}?(?:{_TITLES}))",
        # 小李的老板是王强.
        rf"{_BEGIN}(?P<name>{_IN_NAME}{{2,6}}?)(?:开|办|养|写|创办)?的(?:{KIN})",
        rf"的[^\W的]{{1,4}}{_LINK}(?P<name>{_IN_NAME}{{2,8}}){_END}",
        # 住在深圳, 在腾讯工作, 来自成都.
        r"(?:住在|搬到了?|搬去了?|来自|毕业于|就职于|任职于|出生在|生活在|定居在|位于|出差去|飞往|去了|加入了?)"
        rf"(?P<name>{_IN_NAME}{{2,10}}?)(?:{_END}|(?=了|的|工作|上班|读书|上学|出差|旅游|旅行|生活|开会))",
        rf"在(?P<name>{_IN_NAME}{{2,10}}?)(?:工作|上班|读书|上学|念书|留学|出差|实习|任职|当|做|教书|生活|长大|出生|开了)",
        rf"(?:公司|总部|家|学校|老家|办公室|单位)(?:就|搬)?在(?P<name>{_IN_NAME}{{2,8}}){_END}",
        # Places and organisations by how they end.
        rf"(?:{_BEGIN}|(?<=[在去到从于给和跟与是]))(?P<name>{_IN_NAME}{{1,8}}?(?:{_PLACES}))(?=$|\W|{_VERBS}|了)",
        r"《(?P<name>[^》]{1,30})》",
    )
)


def _chinese(text: str) -> Iterator[str]:
    plain = simplified(text)
    found = {match.span("name") for pattern in _PATTERNS for match in pattern.finditer(plain)}
    for start, end in sorted(found):
        inside = any(first <= start and end <= last and (first, last) != (start, end) for first, last in found)
        if end - start >= 2 and not inside and plain[start:end] not in CHINESE | _NO_FAMILY:
            yield text[start:end]
