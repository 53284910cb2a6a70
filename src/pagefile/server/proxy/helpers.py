"""Tells requests that nobody said anything in: what chat front ends ask for themselves, and pings. Pure, for English and Chinese.

Front ends ask the model for a title of the chat, tags, questions that could come next, search queries, a summary to go on with. Their
prompts are recognised by what makes them a machine's: they speak *about* the conversation, name what is to be made of it, and say how the
answer must look. A person who asks for a title of a poem says the second alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pagefile.errors import InputError
from pagefile.intake import content_text
from pagefile.language.small_talk import is_small_talk

#: Characters at the beginning and the end of a prompt in which its order stands; the conversation stands between.
_HEAD, _TAIL = 3_000, 1_500
#: A reply of so few tokens is no answer to anybody.
_PING_TOKENS = 16

#: What is spoken about.
_ABOUT = (
    r"chat[_ ]history|\b(?:conversation|chat|dialog(?:ue)?|discussion|session|messages?|transcript|exchange)\b",
    r"对话|会话|聊天|交谈|以上内容|上述内容|上面的内容|这句话|这段话|消息记录",
)
#: What is to be made of it.
_MADE = (
    r"\btitles?\b|\btags?\b|\bfollow[- _]?ups?\b|\bquer(?:y|ies)\b|\bname\b|\btopics?\b|\bemoji\b|\bprompt\b",
    r"\bsummar(?:y|ize|ise|ies)\b",
    r"标题|题目|主题|标签|话题|追问|后续问题|相关问题|搜索词|检索词|搜索查询|摘要|概括|总结|命名|名称",
)
#: How the answer must look that a program is going to read.
_FORM = (
    r"json (?:format|object|array)|strictly return|\breturn only\b|\bonly (?:return|output|respond|reply)\b|\bnothing else\b",
    r"\b(?:no|without|omit(?:ting)?|do not include|avoid|not using)\b.{0,40}"
    r"\b(?:punctuation|quotation|quotes?|explanation|extra text|additional text|formatting|special symbols)\b",
    r"\b\d+(?: ?(?:-|–|to) ?\d+)?[- ]words?\b|\bwords? or (?:less|fewer)\b|\bin \d+ words\b|\bfour to five words?\b",
    r"\b(?:max(?:imum)?|under|at most) \d+ (?:characters|words)\b|\b\d+ characters max\b",
    r"\bjust (?:provide |return )?the\b|\bgo straight to\b|\bto use as a prompt for future context\b",
    r"json ?格式|仅(?:返回|输出)|只(?:返回|输出|需)|直接返回|不要(?:包含|输出|使用|加)?.{0,6}(?:标点|解释|引号|其他|多余|符号)",
    r"不需要.{0,4}标点|\d+ ?个?字(?:以内|内|以下)|四到五个字|纯(?:文本|字符串)|控制在 ?\d+ ?字|用作后续的上下文",
)
#: That it is to be made.
_COMMAND = (
    r"\b(?:generate|provide|create|give|write|suggest|summari[sz]e|return|output|produce|craft|come up with|name)\b.{0,120}?"
    r"\b(?:titles?|tags?|follow[- _]?ups?|quer(?:y|ies)|name|topics?|emoji|summary|summari[sz]\w*|discussion|session)\b",
    r"(?:总结|概括|归纳|生成|提取|给出|返回|输出|起|取|写|建议|推荐|列出).{0,60}"
    r"(?:标题|题目|主题|标签|话题|追问|问题|搜索词|检索词|查询|摘要|名称|内容)",
)
#: Orders that are a front end's whatever else stands in them.
_SURE = (
    r"### task:\s{1,4}(?:generate|suggest|analy[sz]e|create|summari[sz]e|determine|根据|生成|请)"
    r"(?=.{0,4000}(?:<chat_history>|### chat history|<text>|chat history|对话历史|聊天记录))",
    r"### task:\s{1,4}you are an autocompletion system",
    r"\byou have been provided with a set of responses from various models to the latest user query",
    r"\breflect the speaker'?s likely facial expression through a fitting emoji",
    r"\bdetect user language and write in the same language an extremely concise title",
    r"\banaly[sz]e this conversation and provide:?\s{1,4}1\. the detected language",
    r"\bplease generate a (?:four to five word|concise) title (?:summarizing|\(max)",
    r"\b(?:based on|given) the (?:chat|conversation) history,? (?:give|suggest|provide) (?:this|a|the) (?:conversation|chat)? ?(?:a )?"
    r"(?:name|title)",
    r"使用四到五个字直接返回这句话的简要主题|简要总结一下对话内容，用作后续的上下文提示",
)
#: A person speaks of a thing of his own.
_OWN = (
    r"\b(?:my|our|a|the) (?:poem|story|essay|book|novel|paper|article|blog|song|thesis|video|talk|speech|presentation|podcast)\b",
    r"\b(?:my|our|a|the) (?:email|report|letter|post|recipe|project|company|cat|dog|band|shop)\b",
    r"我(?:的|写|们的?)",
    r"(?:诗|小说|作文|论文|文章|歌|视频|演讲|报告|邮件)(?:起|取|写|想|拟)?(?:个|一个)?(?:标题|题目|名字)",
)
_PING = (r"ping|pong|test|testing|say (?:hi|hello|ok|test)|reply with ok|1|hi+|what'?s 1 ?\+ ?1", r"测试|测试一下|你好|在吗")


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE | re.DOTALL)


_NEEDED = tuple(map(_any, (_ABOUT, _MADE, _FORM, _COMMAND)))
_SURELY, _OF_ONES_OWN, _PINGS = _any(_SURE), _any(_OWN), _any(_PING)


def is_helper_call(body: Mapping[str, Any]) -> bool:
    """Whether a request is a front end's own, or a ping: nothing in it was said to be remembered."""
    messages = body.get("messages")
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        return False
    told = [one for one in messages if isinstance(one, Mapping)]
    if not told:
        return False
    return _is_ping(body, told) or _is_front_ends(told)


def _is_ping(body: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> bool:
    most = body.get("max_tokens", body.get("max_completion_tokens"))
    said = [one for one in messages if one.get("role") not in ("system", "developer")]
    if not isinstance(most, int) or most > _PING_TOKENS or len(said) != 1 or body.get("tools"):
        return False
    text = _text(said[0]).strip()
    bare = text.strip(" \t\r\n.,!?。，！？…'\"“”")
    return len(text) <= 40 and (not bare or is_small_talk(text) or _PINGS.fullmatch(bare) is not None)


def _is_front_ends(messages: Sequence[Mapping[str, Any]]) -> bool:
    """The order stands in the last message, or in the instructions of a request that has one message beside them."""
    last = messages[-1]
    orders = [last] if last.get("role") in ("user", "system", "developer") else []
    instructions = [one for one in messages[:-1] if one.get("role") in ("system", "developer")]
    talk = [one for one in messages if one.get("role") not in ("system", "developer")]
    if len(talk) <= 1:
        orders += instructions
    return any(_is_order(_text(one), alone=len(talk) <= 1, instruction=one.get("role") != "user") for one in orders)


def _is_order(text: str, *, alone: bool, instruction: bool) -> bool:
    looked_at = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    if _SURELY.search(looked_at):
        return True
    # What a person writes is short and of himself; what he pastes stands in the middle.
    order = looked_at[:700] if instruction else f"{looked_at[:500]}\n{looked_at[-300:]}"
    if not all(pattern.search(order) for pattern in _NEEDED):
        return False
    if not instruction and _OF_ONES_OWN.search(order[:300]):
        return False
    return alone or instruction or len(text) < 600


def _text(message: Mapping[str, Any]) -> str:
    try:
        return content_text(message.get("content"))
    except InputError:
        return ""
