"""Tells requests that nobody said anything in: what chat front ends ask for themselves, and pings. Pure, for English and Chinese.

Front ends ask the model for a title of the chat, tags, questions that could come next, search queries, a summary to go on with. Their
prompts are recognised by what makes them a machine's: they speak *about* the conversation, name what is to be made of it, and say how the
answer must look. A person who asks for a title of a poem says the second alone; and whoever says "I" or "my" outside of a conversation that
is quoted speaks for himself: losing what he said is worse than keeping a front end's request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pagefile.errors import InputError
from pagefile.intake import content_text
from pagefile.language.chinese_forms import simplified
from pagefile.language.small_talk import is_small_talk

#: Characters at the beginning and the end of a prompt in which its order stands; the conversation stands between.
_HEAD, _TAIL = 3_000, 1_500
#: A reply of so few tokens is no answer to anybody.
_PING_TOKENS = 16

#: What is spoken about.
_ABOUT = (
    r"chat[_ ]history|\b(?:conversation|chat|dialog(?:ue)?|discussion|session|messages?|transcript|exchange)\b",
    r"\bstory so far\b|\b(?:previous|following) (?:query|question)\b",
    r"\bquestions? (?:that )?(?:the )?(?:human|user)s? (?:would|will|might|may|could)\b",
    r"对话|会话|聊天|交谈|以上内容|上述内容|上面的内容|这句话|这段话|消息记录|历史记录",
)
#: What is to be made of it.
_MADE = (
    r"\btitles?\b|\btags?\b|\bfollow[- _]?ups?\b|\bquer(?:y|ies)\b|\bname\b|\btopics?\b|\bemoji\b|\bprompt\b",
    r"\bsummar(?:y|ize|ise|ies)\b|\bdescription of (?:this|the) (?:session|chat|conversation)\b",
    r"\bquestions? (?:that )?(?:the )?(?:human|user)s? (?:would|will|might|may|could)\b",
    r"标题|题目|主题|标签|话题|追问|后续问题|相关问题|搜索词|检索词|搜索查询|摘要|概括|总结|命名|名称|名字",
)
#: How the answer must look that a program is going to read.
_FORM = (
    r"json (?:format|object|array)|strictly return|\breturn only\b|\bonly (?:return|output|respond|reply)\b|\bnothing else\b",
    r"\b(?:no|without|omit(?:ting)?|do not include|avoid|not using)\b.{0,40}"
    r"\b(?:punctuation|quotation|quotes?|explanation|extra text|additional text|formatting|special symbols)\b",
    r"\b\d+(?: ?(?:-|–|to) ?\d+)?[- ]words?\b|\bwords? or (?:less|fewer)\b|\bin \d+ words\b|\bfour to five words?\b",
    r"\b(?:max(?:imum)?|under|at most) \d+ (?:characters|words)\b|\b\d+ characters max\b",
    r"\b(?:output|respond|reply|return|give|provide)\b[^.\n]{0,30}\bonly\b|\bnothing but\b|\bno other text\b|\b(?:plain )?text only\b",
    r"\bonly (?:give|provide)\b|(?:≤|\bnot more than|\bno more than|\bnot exceed(?:ing)?) ?\d+ (?:characters|words)\b",
    r"\bdo not use (?:any )?(?:quotes?|colons|markdown)\b|\binclude:\s{1,4}(?:1\.|-)",
    r"\bjust (?:provide |return )?the\b|\bgo straight to\b|\bto use as a prompt for future context\b",
    r"json ?格式|仅(?:返回|输出)|只(?:返回|输出|需|回复|给出)|\d ?个不同(?:版本|角度)|直接返回",
    r"不要(?:包含|输出|使用|加)?.{0,6}(?:标点|解释|引号|其他|多余|符号)",
    r"不需要.{0,4}标点|\d+ ?个?字(?:以内|内|以下)|四到五个字|纯(?:文本|字符串)|控制在 ?\d+ ?字",
    r"不(?:超过|多于) ?[\d一二三四五六七八九十两]+ ?个?字|最多 ?\d+ ?个?(?:字|词)|用作后续的上下文",
)
#: That it is to be made.
_COMMAND = (
    r"\b(?:generate|provide|create|give|write|suggest|summari[sz]e|return|output|produce|craft|come up with"
    r"|name|extract|predict|(?:reply|respond) with)\b.{0,120}?"
    r"\b(?:titles?|tags?|follow[- _]?ups?|quer(?:y|ies)|name|topics?|emoji|summary|summari[sz]\w*|discussion|session|questions)\b",
    r"\bsummari[sz]e (?:the|this|our) (?:conversation|chat)\b",
    r"(?:总结|概括|归纳|生成|提取|给出|返回|输出|起|取|写|建议|推荐|列出|打上?|预测).{0,60}"
    r"(?:标题|题目|主题|标签|话题|追问|问题|搜索词|检索词|查询|摘要|名称|名字|内容)",
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
    r"\byour task is to create a (?:comprehensive,? )?detailed summary of (?:the|this|our) conversation",
    r"\byour task is to choose and return the correct tool\(s\) from the list of available tools",
    r"\bdecompose the user'?s input into .?subject.? and .?intention|根据上下文回答?揣测用户问题",
    r"使用四到五个字直接返回这句话的简要主题|简要总结一下对话内容，用作后续的上下文提示",
)
#: A question made whole for a search: it names what came before, and that the question is to stand alone.
_CONDENSE = (
    r"\b(?:rephrase|rewrite|reformulate|condense|convert|turn)\b.{0,120}?\bstand-?alone (?:question|query|message)",
    r"\bgenerate a (?:full|complete) user question\b",
    r"(?:改写|重写|重新表述|转换|补全|合并).{0,40}?(?:独立|完整)的?.{0,6}(?:问题|查询|提问)",
)
_BEFORE = (r"\bfollow[- ]?up\b|\bchat[_ ]history\b|\bconversation\b", r"对话|聊天记录|历史记录|追问")
#: Where a conversation is quoted. What stands in it is nobody's word to the model, whoever says "I" there.
_QUOTED = (
    r"<(?P<tag>[a-z_]{3,20})>.*?</(?P=tag)>|```.*?(?:```|\Z)|\"\"\".*?(?:\"\"\"|\Z)|^-{3,}\n.*?(?:^-{3,}$|\Z)",
    r"^[ \t]*(?:user|human|assistant|ai|bot|follow[- ]?up (?:input|question)|user input|用户|助手|助理|人类|追问)[ \t]*[:：][^\n]*",
    r"(?:message|starts with|input|query|question|消息|开头|输入|问题)[ \t]*(?:is|是|为)?[ \t]*[:：][ \t]*[\"“「][^\n]*",
)
#: What says that the conversation stands in the paragraphs behind.
_FOLLOWS = re.compile(
    r"\b(?:following|below)\b[^\n]{0,20}\b(?:conversation|chat|dialog(?:ue)?|transcript)\b|\bconversation below\b"
    r"|(?:以下|下面|下列)[^\n]{0,6}(?:对话|会话|聊天)",
    re.IGNORECASE,
)
#: A person speaks of himself, or of a thing of his own.
_OWN = (
    r"\b(?:my|our|a|the) (?:poem|story(?! so far)|essay|book|novel|paper|article|blog|song|thesis|video|talk|speech)\b",
    r"\b(?:my|our|a|the) (?:presentation|podcast)\b",
    r"\b(?:my|our|a|the) (?:email|report|letter|post|recipe|project|company|cat|dog|band|shop)\b",
    r"\b(?:i(?!\.e)|me|my|mine|myself|we|us|ours)\b",
    r"\bour\b(?! (?:conversation|chat|discussion|session|dialog)(?! (?:group|room|show|app)))",
    r"我(?!们(?:的|之间的|刚才的|以上的)?(?:对话|会话|聊天)(?![室群组节课应]))|咱们|俺",
    r"(?:诗|小说|作文|论文|文章|歌|视频|演讲|报告|邮件)(?:起|取|写|想|拟)?(?:个|一个)?(?:标题|题目|名字)",
)
_PING = (r"ping|pong|test|testing|say (?:hi|hello|ok|test)|reply with ok|1|hi+|what'?s 1 ?\+ ?1", r"测试|测试一下|你好|在吗")


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE | re.DOTALL)


_NEEDED = tuple(map(_any, (_ABOUT, _MADE, _FORM, _COMMAND)))
_SURELY, _OF_ONES_OWN, _PINGS = _any(_SURE), _any(_OWN), _any(_PING)
_MADE_WHOLE, _WHAT_CAME_BEFORE = _any(_CONDENSE), _any(_BEFORE)
_QUOTE = re.compile("|".join(_QUOTED), re.IGNORECASE | re.DOTALL | re.MULTILINE)
#: Longer than this no front end says "and now do it".
_GO = 200


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
    """The order stands in the last message, or in the instructions of a request with one message beside them or one that says to do it."""
    last = messages[-1]
    instructions = [one for one in messages[:-1] if one.get("role") in ("system", "developer")]
    talk = [one for one in messages if one.get("role") not in ("system", "developer")]
    alone = len(talk) <= 1
    orders = [last] if last.get("role") in ("user", "system", "developer") else []
    if any(_is_order(_text(one), alone=alone, instruction=one.get("role") != "user") for one in orders):
        return True
    if not alone and not any(_says_to_do_it(_text(one)) for one in (talk[0], talk[-1]) if one.get("role") == "user"):
        return False
    return any(_is_order(_text(one), alone=alone, instruction=True) for one in instructions)


def _is_order(text: str, *, alone: bool, instruction: bool) -> bool:
    looked_at = simplified(text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}")
    if _SURELY.search(looked_at):
        return True
    # What a person writes is short and of himself; what he pastes stands in the middle.
    order = looked_at[:700] if instruction else f"{looked_at[:500]}\n{looked_at[-300:]}"
    condenses = _MADE_WHOLE.search(order) and _WHAT_CAME_BEFORE.search(order)
    if not condenses and not all(pattern.search(order) for pattern in _NEEDED):
        return False
    if not instruction and _OF_ONES_OWN.search(_unquoted(looked_at)):
        return False
    return alone or instruction or len(text) < 600


def _says_to_do_it(text: str) -> bool:
    """Whether a message only says to do with the conversation what the instructions describe."""
    plain = simplified(text[: _GO + 1])
    about, made, _, command = _NEEDED
    return len(text) <= _GO and all(one.search(plain) for one in (about, made, command)) and not _OF_ONES_OWN.search(plain)


def _unquoted(text: str) -> str:
    """What is left of a prompt without the conversation that it quotes."""
    first, gap, _ = text.partition("\n\n")
    return first if gap and _FOLLOWS.search(first) else _QUOTE.sub("\n", text)


def _text(message: Mapping[str, Any]) -> str:
    try:
        return content_text(message.get("content"))
    except InputError:
        return ""
