"""Words of others that a lead-in announces: "Here's the page I found: …", "Tool output: …", "A friend texted me: …", 网页内容：… Pure.

Part of ``pasted``. A lead-in is looked for only before a colon, in brackets, or on a line of its own: "A friend texted me and I'm happy" is
none. What "He said: …" announces is left to the readers of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern, rare_pattern

Range = tuple[int, int]

#: A lead-in is no longer than this.
_LONGEST = 120
_SHORT_LINE = late_pattern(rf"^[^\n]{{4,{_LONGEST}}}$", re.MULTILINE)
#: More blanks than this behind a lead-in are what is left of a text that was blanked.
_SEPARATOR = 3

#: A colon of a time, an address or a smiley introduces nothing.
_COLON = late_pattern(r"[:：](?!//)(?<!\d:(?=\d))(?![)(DP]\b)")
_CLAUSE_START = late_pattern(r".*(?:[.!?](?=\s)|[。！？；;\n]|[:：](?!//))[\"'”」）)]*", re.DOTALL)


def _any(*patterns: str) -> re.Pattern[str]:
    return late_pattern("|".join(patterns), re.IGNORECASE)


# --- lead-ins ----------------------------------------------------------------------------------------------------------------

#: What others write, and where.
_TEXT = (
    r"(?<!\bmy )(?<!\bour )(?<!\bother )\b(?:web ?pages?|pages?|web ?sites?|sites?|articles?|blogs?|blog ?posts?|posts?|tweets?"
    r"|threads?|forums?"
    r"|subreddits?"
    r"|reddit|twitter|facebook|instagram|linkedin|wikipedia|quora|discord|slack|telegram|whatsapp|wechat|weibo|hacker news"
    r"|stack ?overflow"
    r"|youtube|google|internet|online|files?|documents?|docs?|pdfs?|attachments?|readme|tools?|search|search results?|api|commands?"
    r"|terminal"
    r"|console|clipboard|e-?mails?|mails?|messages?|texts?|sms|dms?|voice ?mails?|comments?|reviews?|news|newsletters?|press releases?"
    r"|transcripts?|chats?|chat ?logs?|logs?|excerpts?|snippets?|passages?|quotes?|captions?|subtitles|screenshots?|flyers?|ads?"
    r"|advertisements?|listings?|leaflets?|brochures?|faqs?|wikis?|output)\b"
)
#: "Here's the page I found". On a line of its own it needs no colon.
_SHOWN = (
    r"^(?![^\n]*\b(?:a|quick|short|little) (?:message|note|comment)s?\b(?! (?:from|by|i|he|she|they|that|my|someone|we)\b))"
    r"(?![^\n]{0,24}\b(?:is|are|['’]s) (?:my|our)\b(?! \w+['’]s)|see you)"
    r"\W*(?:(?:ok(?:ay)?|so|hey|hi|look|well|also|and|btw|fyi|now)\b,? ?)*"
    r"(?:here(?:['’]s|s| is| are| comes| you have)|below (?:is|are)|the following (?:is|are)|(?:i(?:['’]m| am) )?(?:pasting|quoting"
    r"|sharing"
    r"|forwarding)|(?:i )?(?:copied|pasted|forwarded|copy-?pasted)|this (?:is|was)|these (?:are|were)|this (?:comes|came)|see"
    r"|check(?: out)?|look at"
    r"|take a look at|from|according to|as per|source|via|(?:in|on) (?:the|an?|this|that|some))\b[^\n]{0,80}" + _TEXT + r"[^\n]{0,60}$"
)
_NAMED_TEXT = (
    r"^\W*(?:(?:the|an?|this|that|some|first|second|raw|full|whole|attached|uploaded|original|fetched|retrieved) ){0,3}(?:"
    r"(?:web ?page|web ?site|page|site|file|document|doc|pdf|attachment|tool|function|search|web search|api|command|shell|terminal"
    r"|console|article"
    r"|blog(?: post)?|post|tweet|thread|forum|chat|e-?mail|message|news|wiki(?:pedia)?|browser|clipboard|reddit|twitter|url|link)"
    r"(?: (?:contents?|text|body|outputs?|results?|response|excerpt|snippet|logs?|history|transcript|dump|extract|says?|said|reads?"
    r"|article|item|call"
    r"|page|post|data)){1,3}"
    r"|(?:contents?|text|body|output|excerpt|transcript|extract|results?|snippet|quote|quotation) (?:of|from) [^\n]{1,60}"
    r"|(?:text|message|e-?mail|dm|mail|comment|reply|post|tweet|review|voice ?mail|sms|words|whatsapp)s? (?:from|by"
    r"|of) (?!me\b)[^\n]{1,60}"
    r"|web ?page|web ?site|article|tweet|clipboard|transcript|excerpt|attachment|file|tool|std ?out|std ?err|output"
    r"|forwarded(?: message)?|fwd?|fw"
    r"|rt(?: @\w+)?|retweet|quote[d]?|chat ?logs?|search results?|press release|tool_?(?:result|output|response)"
    r"|function_?(?:result|output)"
    r"|observation|ocr|\S{1,60}\.(?:txt|md|pdf|docx?|html?|csv|json|log|rtf|ya?ml|eml)(?: \w+)?"
    r"|(?:my )?[\w ]{1,30}['’]s (?:messages?|texts?|e-?mail|posts?|tweet|comment|reply|dm|voice ?mail|review|blog)"
    r"|(?:comment|reply|review|post)s? (?:under|on|below) [^\n]{1,60}"
    r"|redditor|(?:reddit|twitter|facebook|instagram|forum|weibo|youtube) (?:user|poster|commenter)"
    r")\W*$"
)
_FOUND = (
    r"\b(?:found|saw|seen|read|came across|spotted|noticed|got|received|copied|pasted|grabbed|scraped|downloaded|fetched|opened"
    r"|stumbled (?:up)?on"
    r"|(?:was|were|been) sent) (?:(?:this|these|that|it|something|the following)\b[^\n]{0,40}\b(?:on|in|from|online|at|via|by"
    r"|somewhere)\b[^\n]{0,60}"
    r"|(?:this|the following)(?: (?:one|thing))?|(?:online|on (?:the )?(?:internet|web|reddit|twitter"
    r"|facebook|net))|(?:this|these|that|an?|the|some|one|two"
    r"|(?:my )?\w+['’]s)\b[^\n]{0,50}" + _TEXT + r"[^\n]{0,60})$"
)
_TEXT_SAYS = (
    _TEXT + r"[^\n]{0,50}\b(?:says?|said|reads?|states?|stated|goes|went|claims?|claimed|contains?|returned|returns"
    r"|printed|prints|as follows)\b[^\n]{0,20}$"
)
_URL_SAYS = r"https?://\S+[^\n]{0,20}$"
_CHINESE_TEXT = (
    r"(?<!我的)(?<!好)(?<!坏)(?<!喜欢的)(?<!常看的)(?:网页|網頁|页面|頁面|网站|網站|官网|网上|網上|文件|文档|文檔|附件|工具|搜索"
    r"|检索|搜尋|接口|帖子|贴子|微博|朋友圈|推文|推特|公众号"
    r"|文章|新闻|新聞|博客|论坛|論壇|知乎|小红书|豆瓣|贴吧|抖音|评论|評論|弹幕|聊天记录|聊天記錄|对话记录|群聊|群里|短信|短訊|邮件"
    r"|郵件|微信|(?<![好坏新个下息大条個])(?:消息|訊息)|公告|截图|截圖|剪贴板|百科"
    r"|报道|報導|传单|广告|廣告|说明书|网友|網友|一段话|一段話|一句话|一句話|一段文字|字幕|链接|PDF)"
)
_CHINESE_SHOWN = (
    r"(?:^|[，,])\W*(?:这是|這是|以下是|下面是|这里是|上面是|附上|贴一下|给你看|看看|你看|来看|根据|来自|以下"
    r"|下面)?(?![^\n]{0,12}(?:关于|看完|读完|至于|[我咱]))"
    r"[^\n，,]{0,12}?"
    + _CHINESE_TEXT
    + r"(?:里|裡|上|中|的|内容|內容|原文|正文|全文|结果|結果|输出|輸出|返回|记录|文字|标题|摘录|节选|摘要"
    r"|说|說|写道|写着|写的|显示|顯示|提到|如下|看到的?|刷到的?|搜到的?|找到的?|博主|作者|用户|楼主|是|这样|这么)*$"
)
_CHINESE_FOUND = (
    r"(?:看到|看见|刷到|读到|讀到|收到|找到|搜到|查到|翻到|翻出|截了?|复制|複製|粘贴|贴|抄|搬运|转发|轉發|转载|摘)[^\n]{0,24}"
    + _CHINESE_TEXT
    + r"[^\n]{0,12}$"
)
_CHINESE_HEARSAY = (
    r"(?:群里|群裡|网上|網上|论坛|评论区|看到|听到|刷到|微博上)[^\n，,]{0,6}(?:有人|网友|大家|别人)[^\n，,]{0,6}(?:说|說|写|讲|发)[了的]?$"
    r"|^\W*(?:返回|输出|执行|运行|查询|调用|工具)的?(?:结果|内容)\W*$"
)
_CHINESE_FORWARDED = (
    r"(?:^|[，,])\W*(?:转发|轉發|转载|轉載|转|轉|摘自|引自|转自|轉自|摘抄|搬运|引用|代发|帮转)"
    r"(?!(?:行|学|到|岗|账|正|业|专))[^\n，,]{0,20}$"
)
_LEAD = _any(_SHOWN, _NAMED_TEXT, _FOUND, _TEXT_SAYS, _URL_SAYS, _CHINESE_SHOWN, _CHINESE_FOUND, _CHINESE_HEARSAY, _CHINESE_FORWARDED)
_ALONE = _any(
    _SHOWN.replace(r"|this (?:is|was)|these (?:are|were)|this (?:comes|came)|see|check(?: out)?|look at", "").replace(
        r"|take a look at|from|according to|as per|source|via|(?:in|on) (?:the|an?|this|that|some)", ""
    ),
    _NAMED_TEXT,
)

#: Somebody writes: not what the author of the message wrote himself.
_WROTE = _any(
    r"\b(?:posted|reposted|texted|messaged|e-?mailed|tweeted|retweeted|dm(?:['’]?e?d)|whatsapped|commented|replied|responded"
    r"|forwarded|pinged"
    r"|wrote|writes|sms(?:['’]?e?d)|(?:sent|sends|shared|left)(?= (?:me|us|this|it|over|around|an?|the following|in)\b"
    r"|$))(?![\w'’])[^\n]{0,60}$"
)
_I_WROTE = _any(r"\b(?:i|we|i['’]ve|we['’]ve|i['’]d)(?: (?:have|had|just|also|already|once|then|even|recently|yesterday|finally|first))* $")
_CHINESE_WROTE = _any(
    r"(?<![出开爆触始])(?:发(?:我|给我|给我们|来|到群|在群|了?[一这]?[条段篇则个]|了?(?:个|条)?(?:消息|微信|信息|微博|帖|文|朋友圈"
    r"|短信|邮件|语音|推))"
    r"|發(?:我|給我|來|了?[一這]?[條段篇則個]|文|帖)|给我发|給我發|留言|私信|(?:短信|微信)我|微信给我|转给我|转我|轉給我|转发给我|写道|寫道|写给我)[^\n]{0,16}$"
    r"|(?:[他她]|对方|朋友|同事|有人|网友|老板|客户|同学|室友|邻居)[^\n，,]{0,6}(?:回复|评论|回我|吐槽)[^\n，,]{0,8}$"
)
_CHINESE_I_WROTE = late_pattern(
    r"(?:^|[，,。\s])[我咱俺](?:们)?(?:刚刚?|刚才|昨天|今天|前天|上周|也|又|就|才|已经|都|还|曾|之前|在[^，。]{0,10}|给[^，。]{1,8}"
    r"|跟[^，。]{1,8})*$"
)

#: "[web page] …", 【新闻】….
_TAG = rare_pattern(
    r"(?:^|(?<=[.!?。！？\n]))[ \t]*[\[【［(（<{*#=-]{1,4}[ \t]{0,3}(?:(?:start|begin(?:ning)?) (?:of )?)?(?:the "
    r"|an? )?(?:(?:web ?(?:page|site|search|result)?"
    r"|page|site|file|document|pdf|attachment|tool|function|search|news|forwarded|fwd?|tweet|retweet|post|article|e-?mail|clipboard"
    r"|link|quote[d]?"
    r"|quotation|transcript|chat ?log|browser|url|reddit|copied|pasted)\b[^\]】］)）>}\n]{0,60}"
    r"|[^\]】］)）>}\n]{0,10}(?:网页|網頁|网站|文件|文档|附件|工具|搜索|检索|新闻|新聞|转发|轉發|转载|公告|微博|帖子|文章|链接|引用"
    r"|聊天记录|短信|邮件|剪贴板|推文|朋友圈)"
    r"[^\]】］)）>}\n]{0,20})[ \t]{0,3}(?:[\]】］)）>}]|[*#=-]{2,4})",
    re.IGNORECASE | re.MULTILINE,
)
#: "… — a user on Reddit".
_SIGNED = late_pattern(
    r"^[^\n]*(?:——|—|–|--)[ \t]{0,2}(?:某?(?:网友|網友|佚名|匿名)[^\n]{0,12}|(?:转|摘|引|来)自[^\n]{1,20}|anonymous\b[^\n]{0,30}"
    r"|(?:an? |some )?(?:redditor|user|commenter|reader|poster|stranger)\b[^\n]{0,30}|(?:via|from|on) (?:reddit|twitter|facebook"
    r"|weibo|quora|wikipedia)\b[^\n]{0,20})[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)


def introduced(text: str) -> Iterator[Range]:
    """Where the words stand that a lead-in announces as somebody else's."""
    for match in _COLON.finditer(text):
        if _leads(_clause(text, match.start())):
            yield from _announced(text, match.end())
    for match in _TAG.finditer(text):
        yield from _announced(text, match.end())
    for line in _SHORT_LINE.finditer(text):
        if line.end() < len(text) and _ALONE.search(line[0].rstrip(" \t\r.…-—→↓👇")):
            yield line.end(), len(text)
    yield from (match.span() for match in _SIGNED.finditer(text))
    yield from _dialogues(text)


def _clause(text: str, end: int) -> str:
    """What stands before a colon, from the beginning of its sentence."""
    before = text[max(0, end - _LONGEST) : end]
    start = _CLAUSE_START.match(before)
    return before[start.end() if start else 0 :].strip(" \t*_\"'“”")


def _leads(clause: str) -> bool:
    if _LEAD.search(clause):
        return True
    if wrote := _WROTE.search(clause):
        return bool(clause[: wrote.start()].strip()) and not _I_WROTE.search(clause[: wrote.start()])
    if wrote := _CHINESE_WROTE.search(clause):
        return not _CHINESE_I_WROTE.search(clause[: wrote.start()])
    return False


def _announced(text: str, start: int) -> Iterator[Range]:
    """To the end of the paragraph; of the text, if it begins on a line of its own."""
    line_end = text.find("\n", start)
    rest = text[start : line_end if line_end >= 0 else len(text)]
    if not rest.strip() and len(rest) > _SEPARATOR:
        return  # blanked before
    end = text.find("\n\n", start) if rest.strip() else -1
    yield start, len(text) if end < 0 else end


# --- dialogues ---------------------------------------------------------------------------------------------------------------

#: As people are called in a chat; "姓名", "城市" and "背景" are none.
_CHINESE_SPEAKER = late_pattern(
    r"^[ \t]*(?P<name>[我你他她]|[小老阿大][\u4e00-\u9fff]{1,2}"
    r"|[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张曹严魏陶姜戚谢邹苏潘范彭鲁韦袁柳唐薛雷贺倪罗郝邵汪毛姚孟顾梁杜阮闵贾郭梅林徐邱蔡胡霍丁邓洪石崔龚程陆段侯谭廖赖龙叶黎刘]"
    r"[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,3}(?:哥|姐|总|老师|医生|同学|经理|叔|姨|阿姨|师傅)|妈妈?|爸爸?|老婆|老公"
    r"|[姐哥弟妹]{1,2}|[爷奶]{2}|朋友|同事|老板|客户|群主|网友|室友|房东|店主|记者|主持人|嘉宾"
    r"|[甲乙丙丁]|[ABCD]|男|女|[A-Z][a-z]{1,14})[ \t]*[:：][ \t]*(?P<words>[^\n]*)$",
    re.MULTILINE,
)
#: A line of somebody alone. Only names that can be no heading count ("周末：" is none), and only before what they say of themselves.
_LONE_SPEAKER = late_pattern(
    r"^[ \t]*(?:[小老][赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张曹严魏姜谢邹苏潘范彭鲁袁柳唐薛贺罗郝邵"
    r"汪毛顾孟杜贾郭林徐邱蔡胡丁邓洪崔龚程陆段侯谭赖刘黎]"
    r"|[\u4e00-\u9fff]{1,2}(?:老师|医生|同学|经理|阿姨|师傅)|妈妈?|爸爸?|老婆|老公|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶"
    r"|同事|老板|客户|网友|室友|房东|店主)[ \t]*[:：][ \t]*[“\"「]?我[^\n]*$",
    re.MULTILINE,
)
_ADDRESSED = late_pattern(r"你|您|[吗呢吧？?]|我(?!的?(?:哥|姐|妹|弟|儿|女|老|爸|妈|同|朋|邻|表|堂|室|丈|太|先|媳|男|外|侄|闺))")
_QUESTION_AND_ANSWER = rare_pattern(
    r"(?:^|(?<=[\s.!?。！？]))(?:Q(?:uestion)?\d{0,2}[ \t]?[:：.][^\n]{2,300}?\n?[ \t]*(?:(?<=\s)"
    r"|(?<=[?？。.!]))A(?:nswer)?\d{0,2}[ \t]?[:：.]|[问問][:：][^\n]{2,200}?\n?[ \t]*答[:：])[^\n]*"
)


def _dialogues(text: str) -> Iterator[Range]:
    yield from (match.span() for match in _QUESTION_AND_ANSWER.finditer(text))
    if ":" not in text and "：" not in text:
        return
    yield from (match.span() for match in _LONE_SPEAKER.finditer(text))
    lines = list(_CHINESE_SPEAKER.finditer(text))
    names = {line["name"] for line in lines}
    if len(names) > 1 and not all(line["name"].isascii() for line in lines) and any(_ADDRESSED.search(line["words"]) for line in lines):
        yield from (line.span() for line in lines if line["name"] != "我")
