"""What stands in a message and is not its author's own words: code, quotations, mails, logs, data, transcripts, texts to work on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.lifecycle.introduced import introduced
from pagefile.lifecycle.unmeant import unmeant

Range = tuple[int, int]

_LINE = late_pattern(r"[^\n]+")
#: Quoted texts of this length are pasted; shorter ones are left to those who read sentences.
_LONG_QUOTE = 200


def pasted(text: str) -> Iterator[Range]:
    """Where pasted things stand in a message."""
    yield from _code(text)
    yield from _mails(text)
    yield from _data(text)
    yield from _long_quotes(text)
    yield from _material(text)
    yield from _lines(text)
    yield from _chat_logs(text)
    yield from introduced(text)
    yield from unmeant(text)


# --- code and quotations --------------------------------------------------------------------------------------------------

_FENCE = late_pattern(r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*", re.MULTILINE)
#: Names of things stand in code marks, too; phrases are quoted.
_INLINE_CODE = late_pattern(r"`([^`\n]*)`")
_LONG_QUOTES = late_pattern(
    rf"“[^”]{{{_LONG_QUOTE},}}”|「[^」]{{{_LONG_QUOTE},}}」|『[^』]{{{_LONG_QUOTE},}}』|《[^》]{{{_LONG_QUOTE},}}》|«[^»]{{{_LONG_QUOTE},}}»"
    rf"|(?:(?<=[\s:：(（])|^)\"(?=\S)[^\"]{{{_LONG_QUOTE},}}(?<=\S)\"(?=[\s.,;:!?)。，；：！？）]|$)"
    r"|\"{3}(?:(?!\"{3})[\s\S])+(?:\"{3}|$)|'{3}(?:(?!'{3})[\s\S])+(?:'{3}|$)"
    r"|“[^”\n]{20,}\n[^”]*”"
)


def _code(text: str) -> Iterator[Range]:
    start, mark = -1, ""
    for match in _FENCE.finditer(text):
        fence = match["fence"]
        if start < 0:
            start, mark = match.start(), fence
        elif fence.startswith(mark):
            yield start, match.end()
            start = -1
    if start >= 0:
        yield start, len(text)
    yield from (match.span() for match in _INLINE_CODE.finditer(text) if match[1].count(" ") > 1)


def _long_quotes(text: str) -> Iterator[Range]:
    # Each kind of mark is looked for only where there is one that closes it: else every opening one would be followed to the end.
    if any(mark in text for mark in '"”」』》»') or "'''" in text:
        yield from (match.span() for match in _LONG_QUOTES.finditer(text))


# --- mails ------------------------------------------------------------------------------------------------------------------

_FORWARDED = late_pattern(
    r"^[ \t>]*(?:-{3,}[ \t]*(?:original message|forwarded message|forwarded by|原始邮件|转发的?邮件|原始郵件|轉寄的?郵件|邮件原文)[^\n]*"
    r"|begin forwarded message[:：]?|(?:on|am|le|el) [^\n]{6,120} (?:wrote|schrieb|a écrit|escribió)[:：]|在[^\n]{6,80}写道[:：]"
    r"|于[^\n]{4,80}写道[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_HEADERS = rare_pattern(
    r"(?:^[ \t>*]*(?:from|sent|to|cc|bcc|date|subject|reply-to|发件人|收件人|抄送"
    r"|发送时间|时间|日期|主题|寄件者|收件者|主旨)[*]?[:：][^\n]*(?:\n|$)){2,}",
    re.IGNORECASE | re.MULTILINE,
)


def _mails(text: str) -> Iterator[Range]:
    """From the head of a forwarded mail to the end: who goes on under it cannot be told."""
    for pattern in (_FORWARDED, _MAIL_HEADERS):
        if match := pattern.search(text):
            yield match.start(), len(text)


# --- JSON and the like ----------------------------------------------------------------------------------------------------

_OBJECT = late_pattern(r"\{\s{0,20}[\"'“][^\"'\n]{1,80}[\"'”]\s{0,3}:|\[\s{0,20}\{\s{0,20}[\"']")
_BRACES = late_pattern(r"[{}\[\]]")


def _data(text: str) -> Iterator[Range]:
    """Objects of JSON, or what looks like them, to their closing bracket or, cut off, to the end."""
    done = 0
    while match := _OBJECT.search(text, done):
        depth, done = 0, len(text)
        for brace in _BRACES.finditer(text, match.start()):
            depth += 1 if brace[0] in "{[" else -1
            if depth == 0:
                done = brace.end()
                break
        yield match.start(), done


# --- lines ----------------------------------------------------------------------------------------------------------------

_NO_OWN_LINE = late_pattern(
    r"[ \t]*(?:"
    # Quoted; transcripts of chats with models.
    r"[>＞].*"
    r"|\W{0,4}(?:assistant|system|ai|bot|chatbot|user|human|customer|agent|chatgpt|gpt-?\w*|claude|gemini|助手"
    r"|助理|系统|系統|用户|用戶|使用者|客服|机器人|人类)\W{0,4}[:：].*"
    r"|<\|?(?:im_start|im_end|system|user|assistant|endoftext)\|?>.*|\[/?INST\].*|###? ?(?:instruction|response|input|human|assistant"
    r"|system|user)\b.*"
    # Logs, errors, traces. A diary has no seconds.
    r"|\[?\d{4}[-/]\d\d[-/]\d\d(?:T\d\d:\d\d| \d\d:\d\d:\d\d)\S*[ \t].*|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?[ \t].*"
    r"|(?-i:\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\]?[ \t:|-].*|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d .*)"
    r"|Traceback \(most recent call last\):.*|File \"[^\"]+\", line \d+.*|at [\w$<>]+\.[\w$.<>]+\([^)]*\).*"
    r"|(?-i:(?:[A-Za-z_]+\.)*[A-Za-z_]+(?:Error|Exception|Warning)\b)[:：].*"
    r"|(?:error|fatal|错误|报错|异常)[:：].*|Caused by: .*|npm ERR!.*|panic: .*"
    # Prompts of shells, code, markup, settings.
    r"|(?:\$(?= [a-z./~])|>>>|PS [A-Z]:\\[^>]*>|[\w.-]{1,30}@[\w.-]{1,30}:[^$#\n]{0,80}[$#])[ \t].*"
    r"|(?:def|class) \w+.{0,200}:|from [\w.]+ import .*|import [\w.]+(?: as \w+)?;?"
    r"|(?:const|let|var) \w+[ \t]*[=:].*|(?:async )?function ?\w*\(.*"
    r"|return [^ ]*[;(].*|(?:public|private|protected|static) .*[;{]"
    r"|#include .*|SELECT .* FROM .*|INSERT INTO .*|UPDATE \w+ SET .*|CREATE TABLE .*"
    r"|</?[a-zA-Z][^<>\n]{0,200}>.*|[\"'][\w .-]{1,60}[\"'][ \t]*:[ \t].*,?|[{}\[\](),;]{1,6}"
    r"|(?:@@ .* @@|diff --git .*|index [0-9a-f]{7}.*|[+-]{3} [ab]/.*)"
    r")[ \t\r]*",
    re.IGNORECASE,
)
#: A trace goes on with indented lines.
_TRACE = late_pattern(r"[ \t]*Traceback \(most recent call last\)")


def _lines(text: str) -> Iterator[Range]:
    in_trace = False
    for line in _LINE.finditer(text):
        if in_trace and line[0][:1] in " \t":
            yield line.span()
            continue
        in_trace = bool(_TRACE.match(line[0]))
        # Only the start of a very long line tells what it is.
        if _NO_OWN_LINE.fullmatch(line[0][:400]):
            yield line.span()


# --- transcripts of chats between people -----------------------------------------------------------------------------------

_STAMPED = late_pattern(
    r"^[ \t]*(?:\[[^\]\n]{3,40}\d[:：]\d\d[^\]\n]{0,8}\][ \t]*[^\n:：]{1,40}[:：]"
    r"|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?,? \d{1,2}:\d\d(?::\d\d)?(?: [AP]M)? - [^\n:：]{1,40}[:：])[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
#: As WeChat copies them: a name and a time on one line, what was said on the next ones.
_NAME_AND_TIME = late_pattern(
    r"^[ \t]*\S{1,20} (?:\d{1,4}[-/年.]\d{1,2}(?:[-/月.]\d{1,2}日?)? )?\d{1,2}:\d\d(?P<seconds>:\d\d)?[ \t]*\n(?=[^\n]*\S)", re.MULTILINE
)


def _chat_logs(text: str) -> Iterator[Range]:
    yield from (match.span() for match in _STAMPED.finditer(text))
    heads = list(_NAME_AND_TIME.finditer(text))
    for match in heads:
        if len(heads) == 1 and not match["seconds"]:
            continue  # "Departure 2026-05-24 10:30"
        end = text.find("\n\n", match.end())
        yield match.start(), len(text) if end < 0 else end


# --- texts to work on -----------------------------------------------------------------------------------------------------

_MATERIAL = rare_pattern(
    r"(?:^|[.!?。！？,，]|\bplease|\bpls|\bkindly|\b(?:can|could|would|will) you|\bhelp(?: me)?(?: to)?|\band)[ \t]*"
    r"(?:translate|proofread|proof-read|summari[sz]e|rewrite|rephrase|paraphrase|correct|fix|edit|polish|improve|analy[sz]e|classify"
    r"|review|shorten"
    r"|expand|transcribe|spell-?check|read|format|convert|grade)\b[^:：\n.?!]{0,60}[:：]"
    r"|(?:^|[。！？，,]|帮我|幫我|帮忙|请|請|麻烦你?|把|给我|能不能|可以)[ \t]*"
    r"(?:翻译|翻譯|改病句|改错句?|纠错|检查语法|润色|潤色|总结|總結|概括|改写|改寫|校对|校對|修改|分析|缩写|扩写|续写|仿写|改一下"
    r"|点评|批改|朗读|转写|整理)"
    r"(?:一?下|成|为|這|这|以下|下面|下列|此|该|如下|[^\n:：。？！，,]){0,24}[:：]"
    r"|\b(?:the following|this|below) (?:text|sentence|paragraph|email|e-mail|letter|article|passage|essay|message|story|review"
    r"|transcript|document"
    r"|post|quote)s?\b[^:：\n.?!]{0,40}[:：]"
    r"|(?:这|這|以下|下面|下列)(?:段|句|篇|封|首|个|則|则|份)?"
    r"(?:话|話|文字|文章|内容|邮件|信|作文|句子|段落|评论|简历|对话|文本|诗|材料|新闻)[^\n:：。？！]{0,12}[:：]",
    re.IGNORECASE | re.MULTILINE,
)


#: More blanks than this behind a colon are what is left of a text that was blanked.
_SEPARATOR = 3


def _material(text: str) -> Iterator[Range]:
    """What follows "Translate this: …", to the end of its paragraph; of the text, if it begins on a line of its own."""
    for match in _MATERIAL.finditer(text):
        line_end = text.find("\n", match.end())
        rest = text[match.end() : line_end if line_end >= 0 else len(text)]
        if not rest.strip() and len(rest) > _SEPARATOR:
            continue  # blanked before
        if line_end < 0 or not rest.strip():
            yield match.end(), len(text)
            continue
        end = text.find("\n\n", match.end())
        yield match.end(), len(text) if end < 0 else end
