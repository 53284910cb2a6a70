"""What a model answered when it was asked for facts: as many whole facts as stand in it, whatever its form. Pure, never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pagefile.language.loose_json import LooseList, LooseObject, read_loose
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold

_QUOTED = 60
#: JSON inside a string inside a string: read this deep.
_DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The facts of a reply, and whether that is all it had to say."""

    #: Each with some of the keys line (int), quote, subject, attribute, value, polarity, when, certainty, correction (bool), ended (bool)
    #: and text; the others are text. Whole objects only, each once, in the order they were written.
    items: tuple[dict[str, Any], ...] = ()
    #: The answer was read to its end. An answer that there are no facts is complete too.
    complete: bool
    #: What could not be used, as a sentence for people and models; None: nothing was wrong.
    problem: str | None = None


def read_reply(text: str) -> Reply:
    """Read the facts out of a model's reply: in fences or prose, after thoughts, with broken JSON, other keys, or cut short."""
    answer, thinks = _without_thoughts(text.strip().lstrip("\ufeff").lstrip())
    if _PAGE.match(answer):
        return Reply(complete=False, problem=f"the reply is a web page: {_shown(_TAGS.sub(' ', answer[:2_000]))}")
    loose = read_loose(answer)
    found = _Found(cut=loose.cut)
    for container in loose.containers:
        found.collect(container)
    items = tuple(found.items)
    if found.cut:
        return Reply(items=items, complete=False, problem="the reply was cut off before its end")
    if items:
        problem = (
            f"not all entries of the reply are facts ({found.strays} of {found.strays + len(items)} are not)" if found.strays else None
        )
        return Reply(items=items, complete=True, problem=problem)
    if found.empty and not (found.strays or found.bare or found.failed):
        return Reply(complete=True)
    return _without_facts(answer, found, thinks=thinks)


def _without_facts(answer: str, found: _Found, *, thinks: bool) -> Reply:
    words = _FENCE.sub(" ", answer).strip(" \t\r\n.。!！\"'`*")
    if not answer.strip():
        return Reply(complete=False, problem="the reply is a thought without an end" if thinks else "the reply is empty")
    if not found.any and _NOTHING.fullmatch(fold(words)):
        return Reply(complete=True)
    if found.failed or _ERROR.match(answer):
        return Reply(complete=False, problem=f"the reply is an error: {_shown(answer)}")
    # Its words are not repeated: they may be those of the conversation, and problems are logged.
    if _REFUSAL.match(answer):
        return Reply(complete=False, problem="the reply is a refusal")
    return Reply(complete=False, problem="the JSON of the reply has no facts" if found.any else "the reply is no JSON")


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:_QUOTED]}{'…' if len(line) > _QUOTED else ''}”"


_FENCE = late_pattern(r"(?:```|~~~)[ \t]*\w*")
_PAGE = late_pattern(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_TAGS = late_pattern(r"<[^>]*>")
_NOTHING = late_pattern(
    r"(?:there (?:are|is|were) )?(?:no|none|nothing|zero)?,? ?(?:(?:new|lasting|relevant|other|more) )*"
    r"(?:facts?|information|none|nothing|null|n/a|empty)"
    r"(?: (?:were |was )?(?:found|to (?:extract|remember|note|add|report)|here|stated|mentioned|in (?:this|the) conversation))*"
    r"|none|nothing(?: to \w+)?|null|空|无|没有|暂无|"
    r"(?:这段|本次)?(?:对话)?(?:中|里)?(?:没有|无|暂无|未发现|没发现)(?:任何|新的?|可|需要|值得|要)*(?:提取|记住|记录)?的?(?:长期)?(?:事实|信息|内容)?"
)
_ERROR = late_pattern(
    r"\W*(?:error|exception|traceback|fatal|failed|http(?:/\d\S*)? ?(?:error )?[45]\d\d|[45]\d\d\b|internal server|bad gateway|"
    r"service (?:temporarily )?unavailable|rate limit|too many requests|错误|出错|异常|请求失败|服务不可用|超时)",
    re.IGNORECASE,
)
_REFUSAL = late_pattern(
    r"\W*(?:(?:i'?m|i am|we'?re|i’m) (?:so |very |really )?(?:sorry|afraid|unable|not able)|sorry|my apologies|i apologi[sz]e|"
    r"i (?:can(?:no|['’])?t|can not|won['’]?t|will not|must decline)|as an? (?:ai|language)|unfortunately|"
    r"(?:很|非常|十分)?(?:抱歉|对不起|遗憾)|我(?:无法|不能|没法|不可以)|作为(?:一个|一名)?(?:ai|人工智能|语言模型|智能助手))",
    re.IGNORECASE,
)


# --- thoughts ------------------------------------------------------------------------------------------------------------

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_OPENED = late_pattern(
    rf"<\|?(?:{_NAMES})\|?>|\[THINK\]|◁think▷|<\|channel\|?>(?:analysis|thought)\b|^Thinking(?: Process)?(?:\.{{3}}|…|:)",
    re.IGNORECASE,
)
_ENDED = late_pattern(
    rf"(?:<(?:\|?/|/\|)|◁/|(?<=[\s.。!?！？…>])/|^/?)(?:{_NAMES})(?:\|?>|▷)|\[/THINK\]|<\|end_of_(?:{_NAMES})\|>|"
    r"<\|channel\|?>final(?:<\|message\|>)?|^\.{0,3}…?done thinking\.?",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER = late_pattern(r"[\s\ufeff]*(?:[{｛]|[\[［]\s*[{\[\]｛［\"'“\d-]|```|~~~|<tool_call>)")


def _without_thoughts(text: str) -> tuple[str, bool]:
    """The answer alone, and whether there was a thought without an end.

    An answer that begins the text has no thoughts before it: tags that stand in it are words somebody said.
    """
    if _ANSWER.match(text):
        return text, False
    end = None
    for end in _ENDED.finditer(text):
        if _ANSWER.match(text, end.end()):
            return text[end.end() :], False
    begin = end.end() if end else 0
    opening = _OPENED.search(text, begin)
    return text[begin : opening.start() if opening else None].strip(), opening is not None


# --- facts ---------------------------------------------------------------------------------------------------------------

#: Our key → how else models write it, the likeliest first.
_SYNONYMS: Mapping[str, str] = {
    "line": "line line_number lineno line_no n no number line_id message_number msg 行 行号 编号 句号 序号",
    "quote": "quote quotes quoted evidence span excerpt snippet original original_text source_text words source 引用 原文 原话 引文 来源",
    "subject": "subject person who about subj entity user owner 主语 主体 人物 谁 主题人 对象",
    "attribute": "attribute predicate relation relationship property attr aspect key field category type topic 属性 谓语 关系 类别 类型",
    "value": "value object obj val answer detail details 值 取值 属性值 宾语 客体",
    "polarity": "polarity sentiment stance 极性 情感",
    "when": "when time date time_expression timestamp valid_from 时间 日期 何时 什么时候",
    "certainty": "certainty confidence sureness 确定性 确定程度 置信度",
    "correction": "correction corrects is_correction corrected 更正 纠正 是否更正",
    "ended": "ended no_longer is_ended over has_ended 已结束 不再 是否结束 结束",
    "text": "text fact statement sentence memory summary description content 文本 事实 陈述 句子 描述 记忆 内容",
}
_KEYS = {synonym: key for key, synonyms in _SYNONYMS.items() for synonym in synonyms.split()}
_RANKS = {synonym: rank for synonyms in _SYNONYMS.values() for rank, synonym in enumerate(synonyms.split())}
_NEGATED_KEYS = frozenset({"negated", "negative", "is_negative", "negation", "否定"})
_FAILURE_KEYS = frozenset({"error", "errors", "detail", "exception", "错误"})
_BETWEEN = late_pattern(r"[\s\-]+")
_CAMEL = late_pattern(r"(?<=[a-z])(?=[A-Z])")
_FIGURES = late_pattern(r"\d{1,6}")
_JSON_START = late_pattern(r"\s*(?:\{\s*[\"'}\\]|\[\s*[\"'{\]])")
#: What stands where nothing is to be said.
_NO_VALUE = frozenset({"", "null", "none", "n/a", "na", "nil", "unknown", "undefined", "-", "无", "空", "没有", "未知"})
_NEGATIVE = frozenset(
    {"negative", "neg", "no", "false", "negated", "dislike", "dislikes", "-", "-1", "0"}
    | {"否定", "负面", "消极", "负", "反对", "不喜欢", "否"}
)
_PASSING = frozenset(
    {"passing", "uncertain", "unsure", "guess", "temporary", "low", "maybe", "possible", "mood", "one-off", "false"}
    | {"不确定", "一时", "暂时", "临时", "猜测", "低", "可能", "随口"}
)
_YES = frozenset({"true", "yes", "1", "是", "对"})
_TEXTS = ("quote", "subject", "attribute", "value", "when", "text")


class _Found:
    """What stands in the containers of a reply."""

    def __init__(self, *, cut: bool) -> None:
        self.cut = cut
        self.items: list[dict[str, Any]] = []
        #: There is JSON; it says that there is nothing; it reports an error.
        self.any = self.empty = self.failed = False
        #: Entries of lists that are no facts.
        self.strays = 0
        #: Texts in a list of its own: facts without form, or a mark in prose ("as [you asked]").
        self.bare = 0
        self._seen: set[str] = set()

    def collect(self, root: LooseObject | LooseList) -> None:
        """Walk through a container and all in it, in the order it was written; without recursion, for it may be nested a thousand deep."""
        waiting: list[tuple[Any, bool, int]] = [(root, False, 0)]
        while waiting:
            value, listed, depth = waiting.pop()
            if isinstance(value, str):
                waiting += self._inside(value, listed, depth)
            elif isinstance(value, LooseObject):
                self._object(value, listed=listed)
                waiting += [(part, False, depth) for part in reversed(list(_parts(value)))]
            elif isinstance(value, LooseList):
                # A list of numbers is a mark in prose: "as line [1] says".
                self.any = self.any or not value or any(isinstance(part, LooseObject | str) for part in value)
                self.empty = self.empty or (not value and value.closed)
                if value is root and all(isinstance(part, str) and not _JSON_START.match(part) for part in value):
                    self.bare += len(value)
                    continue
                waiting += [(part, True, depth) for part in reversed(value)]

    def _inside(self, text: str, listed: bool, depth: int) -> list[tuple[Any, bool, int]]:
        if depth < _DEEPEST and _JSON_START.match(text):
            inner = read_loose(text)
            self.cut = self.cut or inner.cut
            return [(container, listed, depth + 1) for container in reversed(inner.containers)]
        if fold(text).strip(" .。") in _NO_VALUE or _NOTHING.fullmatch(fold(text).strip(" .。")):
            self.empty = True
        else:
            self.strays += listed
        return []

    def _object(self, value: LooseObject, *, listed: bool) -> None:
        self.any = True
        fact = _fact(value)
        if not any(fact.get(key) for key in _TEXTS):
            # Schemas make models fill in an object where there is nothing to say.
            leaf = not any(isinstance(part, LooseObject | LooseList | str) and part for part in value.values())
            self.empty = self.empty or (leaf and value.closed)
        if _is_fact(fact):
            if not value.closed:
                self.cut = True
            elif (same := json.dumps(fact, ensure_ascii=False, sort_keys=True)) not in self._seen:
                self._seen.add(same)
                self.items.append(fact)
        elif any(_name(key) in _FAILURE_KEYS for key in value):
            self.failed = True
        elif listed and fact and not any(isinstance(part, LooseObject | LooseList) for part in value.values()):
            self.strays += any(fact.get(key) for key in _TEXTS)


def _parts(value: LooseObject) -> Iterator[Any]:
    """What of an object may hold facts: not the words of a fact, whatever they look like."""
    for key, part in value.items():
        if isinstance(part, LooseObject | LooseList) or (isinstance(part, str) and _name(key) not in _KEYS):
            yield part


def _is_fact(fact: Mapping[str, Any]) -> bool:
    said = any(fact.get(key) for key in ("quote", "value", "text"))
    return said and any(fact.get(key) for key in ("subject", "attribute")) and (len(fact) > 2 or "value" in fact)


def _fact(value: LooseObject) -> dict[str, Any]:
    """The fields of a fact under our names; empty where there are none."""
    ranked: dict[str, tuple[int, Any]] = {}
    negated = False
    for written, part in value.items():
        name = _name(written)
        negated = negated or (name in _NEGATED_KEYS and _says_yes(part))
        if name == "source" and _line(part) is not None and len(str(part)) <= 8:
            name = "line"
        key, rank = _KEYS.get(name), _RANKS.get(name, 0)
        if key is None or part is None or isinstance(part, LooseObject | LooseList):
            continue
        if key not in ranked or rank < ranked[key][0]:
            ranked[key] = (rank, part)
    fact = {key: _field(key, part) for key, (_, part) in ranked.items()}
    if negated:
        fact["polarity"] = "negative"
    return {key: part for key, part in fact.items() if part is not None}


def _field(key: str, part: Any) -> Any:
    if key == "line":
        return _line(part)
    if key in {"correction", "ended"}:
        return _says_yes(part)
    words = _text(part)
    if key == "polarity":
        return "negative" if fold(words) in _NEGATIVE else "positive"
    if key == "certainty":
        unsure = part < 0.5 if isinstance(part, float | int) and not isinstance(part, bool) else fold(words) in _PASSING
        return "passing" if unsure else "plain"
    return None if fold(words) in _NO_VALUE else words


def _name(key: str) -> str:
    return _BETWEEN.sub("_", _CAMEL.sub("_", key.strip()).lower())


def _line(part: Any) -> int | None:
    if isinstance(part, bool):
        return None
    if isinstance(part, int | float):
        return int(part) if 0 <= part < 1_000_000 else None
    figures = _FIGURES.search(part) if isinstance(part, str) else None
    return int(figures[0]) if figures else None


def _says_yes(part: Any) -> bool:
    return fold(_text(part)) in _YES


def _text(part: Any) -> str:
    if isinstance(part, bool):
        return "true" if part else "false"
    return " ".join(str(part).split())
