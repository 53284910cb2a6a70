"""What is put like an instruction: from others it is never followed; from the user only if it is about how to be served. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern, may_find, rare_pattern

Range = tuple[int, int]

#: A sentence. The dot of a name such as evil.com does not end it.
_SENTENCE = late_pattern(r"(?:[^.!?。！？\n;；]|[.](?=\S))+[.!?。！？;；]*")
#: What may stand before the verb of an order.
_ASKING = r"^\W*(?:(?:please|now|just|also|always|automatically|and|then|you (?:must|should|can|may|will|have to|need to)|from now on),? )*"


def _any(*patterns: str) -> re.Pattern[str]:
    return rare_pattern("|".join(patterns), re.IGNORECASE)


#: What would change whom the assistant trusts, what it guards, or who it is. Nobody's words may do that.
_DANGER = _any(
    r"\b(?:ignore|disregard|forget|override|bypass|skip|break)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|preceding|system|safety"
    r"|all|your|any|the)\b"
    r"[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|directives?|guardrails?|filters?|restrictions?|polic(?:y|ies)"
    r"|training|checks)\b",
    r"(?<!where )(?<!how )\byou(?:'re| are) (?:now|no longer|from now on),? \w",
    _ASKING + r"(?:pretend|act|behave|roleplay|role-play|impersonate)\b[^.\n]{0,20}\b(?:to be|as|like|you are|you're)\b",
    r"\b(?:jailbreak|developer mode|dan mode|do anything now|god mode|unrestricted mode|without (?:any )?(?:restrictions|filters"
    r"|limits|censorship))\b",
    r"\b(?:no|disable|turn off|remove|drop|lift)\b[^.\n]{0,20}\b(?:safety|guardrails?|content filters?|restrictions|censorship"
    r"|moderation)\b",
    r"(?<!i )(?<!we )(?<!n't )(?<!not )(?<!never )\btrust (?:all|any|every|everyone|every[a-z]+|anything|anyone|whatever|what"
    r"|(?:the |this |that )?(?:site|sender|source|page|domain|address|company|person)|emails?|messages?|links?|files?"
    r"|instructions?|content|texts?)\b",
    r"\b(?:treat|consider|regard|mark|count|whitelist|allowlist|recogni[sz]e|accept)\b[^.\n]{0,60}\b(?:trusted|trustworthy"
    r"|authoritative|verified|approved"
    r"|admin|administrator|root|superuser|system|developer|as safe|as reliable)\b",
    r"\b(?:is|are) (?:an? |the |now |fully |completely |always |only )*(?:trusted|trustworthy|authoritative|whitelisted)\b",
    r"\b(?:is|are) (?:an? |the |now |fully |completely |always |only )*(?:safe|verified|reliable|approved) (?:source|sender|site"
    r"|domain|website|party|server|link|url)s?\b",
    r"(?<!never )(?<!not )(?<!n't )\b(?:reveal|leak|print|show|repeat|output|expose|share|send|tell|give|disclose)\b[^.\n]{0,30}"
    r"\b(?:system prompt|hidden (?:prompt|instructions)|your (?:instructions|prompt|rules)|api keys?|passwords?|credentials|secrets"
    r"|private data)\b",
    r"^\W*(?:(?:please|just|from now on|you (?:must|should|can|may)),? )*(?:always|automatically) "
    r"(?:approve|execute|run|transfer|pay|wire|forward|click|open|download|install|accept|confirm)\b",
    _ASKING + r"(?:run|send|pay|approve|execute|delete|buy|order|book|install|forward|proceed|act|do|transfer|share)\b[^.\n]{0,60}"
    r"\bwithout (?:asking|confirmation|confirming|checking|telling|permission|approval)\b",
    r"\b(?:obey|follow) (?:all|any|every|only|the|their|his|its) (?:instructions?|commands?|orders?)\b",
    r"(?<!被)(?:忽略|无视|無視|忘掉|忘记|忘記|跳过|绕过|覆盖)[^。\n]{0,10}(?:之前|以上|前面|上面|先前|所有|系统|安全|全部|你的)[^。\n]{0,10}"
    r"(?:指令|指示|规则|規則|提示|设定|設定|限制|要求|命令|策略)",
    r"你(?:现在|現在|从现在起|從現在起|今后|以后)(?:就|只)?是(?!在|不是|否|希望)|你不再是|(?:^\W*|请|請|你|来|，|,)(?:扮演|假装|假裝|装作|冒充)",
    r"越狱|开发者模式|開發者模式|(?:不受|(?<!有)没有|取消|解除|关闭)(?:任何|所有)?(?:安全)?(?:限制|约束|审查|过滤)",
    r"(?<!我)(?:无条件|永远|始终|完全|一律|都要?|必须|可以)(?:相信|信任|信赖)|(?:^\W*|请|你|要|必须|都|应该|应|，)(?:完全|无条件)?(?:信任|相信)(?:所有|一切|任何|来自)",
    r"(?:是|为|視為|视为|当作|當作|列为|标记为)(?:完全|绝对|最)?(?:可信|受信任|值得信任|管理员|管理員)|(?:可靠|安全|可信)的?(?:来源|來源|网站|网址|域名|发件人|链接)",
    r"(?:泄露|透露|输出|打印|发送|告诉|公开|显示)[^。\n]{0,12}(?:系统提示|提示词|密码|密钥|口令|隐私|凭证|机密)",
    r"(?:不用|无需|不必|不要)再?(?:确认|询问|问我|请示|核实|验证)(?:就|直接|，)|(?:^\W*|以后|请|你|，|：)(?:都|就|要|可以|必须)?(?:自动|直接|一律)(?:批准|转账|付款|执行|运行|转发|下载|安装|同意)",
)
#: How an order to an assistant is put, by whoever it is.
_ORDER = _any(
    r"\b(?:from now on|from this point|from here on|henceforth)\b|(?<!keep )\bgoing forward\b(?! with)"
    r"|\bin (?:the )?future\b[^.\n]{0,12}\b(?:always|never"
    r"|please|do not|don't)\b",
    r"^\W*(?:please |you (?:must|should|shall|have to|need to|are to|will) |make sure (?:to |that you |you )|be sure to "
    r"|remember to )*(?:always|never)\b"
    r"(?! (?:been|happy|here|up|good|nice|glad|ready|there|fun|great|so|an?|the|in|on|at|love|had|again|mind|\w+ing|\w+ed)\b)",
    r"\byou (?:must|shall|have to|need to|are required to|are to)\b(?! (?:try|see|visit|read|watch|meet|hear|come|be|have|know|think"
    r"|feel|taste)\b)",
    r"\bmake sure (?:to|you|that you)\b",
    r"以[后後](?:都|请|請|别|別|不要|不能|只|一律|必须|必須|你)|[从從](?:现在|現在)(?:起|开始|開始)|从今(?:以后|往后|天起)|今[后後]|往后(?:都|请|你|，)|你必[须須]",
    r"你(?:要|得)(?:一直|总是|始终|永远)|务必|務必|^\W*[请請]?(?:永远|始终|一律|总是|每次都|一定要|千万)",
)
#: Further orders, as texts have that want to be remembered. People say the same of themselves.
_PLANTED = _any(
    r"(?<!another )(?<!other )(?<!still )(?<!i )\b"
    r"(?:remember|note|memori[sz]e|don't forget|do not forget|keep in mind|bear in mind)\b(?: that|:| this| the following)",
    r"\b(?:save|store|add|write|commit|record|persist)\b[^.\n]{0,40}\b(?:memory|memories|notes|profile|long[- ]term)\b",
    r"\b(?:note|message|instructions?|attention|important)\b[^.\n]{0,20}\b(?:to|for) (?:the |any |all )?(?:ai|assistants?|models?"
    r"|llms?|agents?|chatbots?|bots?)\b",
    r"\b(?:ai|llm|language) (?:assistants?|models?|agents?) (?:must|should|shall|need|reading|processing)\b",
    r"\b(?:as an ai|dear ai|hey ai|attention ai|important instructions?|system (?:prompt|message|override|notice)|new instructions?"
    r"|admin(?:istrator)? (?:note|override|message))\b",
    r"\b(?:do not|don't|never) (?:tell|mention|inform|reveal|ask|alert|warn|show|disclose)\b",
    r"\balways (?:use|send|reply|respond|recommend|tell|say|include|add|prefer|suggest|answer|mention|trust|buy|choose|visit|call)\b",
    r"\b(?:you should|you ought to|you may only|you are (?:an?|the|my|our)|your (?:new )?(?:task|job|role|goal|instructions?) (?:is"
    r"|are))\b|^\W*(?:please |always |you can )?trust\b",
    r"[请請]记住|[请請]記住|^\W*记住|^\W*記住|牢记|(?:保存|存入|写入|记入|加入|存到|记到|添加)[^。\n]{0,12}(?:记忆|記憶|笔记|档案)",
    r"(?:不要|别|勿|不得)(?:告诉|提醒|提及|询问|透露|让)[^。\n]{0,8}(?:用户|他|她|使用者|主人|对方)",
    r"(?:AI|人工智能|智能)?(?:助手|助理|模型|机器人)(?:必须|应该|应当|需要|请|要)|(?:给|致)(?:AI|助手|模型)|可信|信任|系统(?:提示|指令|消息)[:：]|重要(?:指令|指示|提示)",
    r"你(?:应该|應該|应当|只能|需要)",
)
#: How somebody wants to be served: language, style, tone, form and name.
_SERVICE = _any(
    r"\b(?:answers?|answering|repl(?:y|ies)|respon[ds]\w*|write|speak|talk|explain|explanations?|summari[sz]e|translate"
    r"|format(?:ting)?|call me|address me|greet me"
    r"|language|tone|style|brief(?:ly)?|concise(?:ly)?|simply|polite(?:ly)?|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|friendly"
    r"|jargon|emojis?|emoticons?|markdown"
    r"|bullets?|bullet points|tables?|headings?|comments|examples?|units|metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles"
    r"|currency|english|chinese|spanish"
    r"|french|german|italian|portuguese|russian|arabic|hindi|japanese|korean|mandarin|cantonese|cite|citations?|step by step|spelling"
    r"|capital letters|lower ?case"
    r"|24[- ]hour|apologi[sz]e|disclaimers?|vegetarian|aisle|window seat)\b",
    r"回答|回复|回覆|回我|答复|说话|讲话|解释|总结|翻译|用词|称呼|叫我|喊我|语言|語言|语气|語氣|口气|风格|格式|简短|简洁|简单|详细|礼貌|正式|随意|术语|表情|列表|表格|要点"
    r"|代码|注释|例子|单位|公里|摄氏|中文|英文|英语|普通话|粤语|繁体|简体|步骤|来源",
)
#: An order that leaves something undone restrains the assistant: that is a constraint, which a user may set.
_CONSTRAINT = _any(r"\b(?:never|don't|do not|dont|avoid|stop)\b", r"别(?!人|的)|別(?!人|的)|不要|不能|不得|不准|不许|不可以|勿|(?:忌|避免)")
#: An order that names a place on the net or an address is about that place.
_ADDRESS = _any(
    r"https?://|www\.|[\w-]{2,}\.(?:com|net|org|io|cn|ru|info|biz|xyz|top|ai|dev|app|co|me|site|online)\b|[\w.+-]{1,64}@[\w-]{2,}"
)
#: "From now on I …" tells of oneself and orders nothing.
_OWN = _any(
    r"\b(?:from now on|going forward|henceforth|from this point(?: on)?|from here on),? (?:i|i'm|i'll|i've|we|we're|we'll|my|our)\b",
    r"^\W*(?:(?:but|and|so|also|well|yes|no|then|ok|okay|because|maybe|plus)\b,? ?)*(?:i|i'm|i'll|i've|we|we'll|we're|my|our)\b"
    r"|^\W*[我俺咱]|(?:今[后後]|以[后後]|[从從](?:现在|現在)起|从今以后|往后)[，,]?(?:都|要|就)?[我俺咱]",
)
_WISH = _any(
    r"\b(?:i|we)(?:'d| would)? (?:want|need|like|expect|order|ask) you to\b(?! (?:know|remember|understand|see|meet|call)\b)|我(?:要|想"
    r"|希望|想让|需要|命令)你"
)


def orders_of_others(text: str, *, person: bool = False) -> Iterator[Range]:
    """Sentences put like instructions, in what anybody but the user wrote. Rather one too many: none of it is believed unconfirmed.

    ``person``: somebody who speaks of himself, as the user does ("I'll make sure to come", "I still remember that").
    """
    for match in _SENTENCE.finditer(text):
        sentence = match[0]
        put_so = _ORDER.search(sentence) or _PLANTED.search(sentence)
        if _DANGER.search(sentence) or (put_so and not (person and _OWN.search(sentence))):
            yield match.span()


def orders_of_user(text: str) -> Iterator[Range]:
    """The user's instructions that would change trust, safety or identity, or are neither about how to be served nor a constraint."""
    if not any(may_find(pattern, text) for pattern in (_DANGER, _WISH, _ORDER)):
        return
    for match in _SENTENCE.finditer(text):
        if _DANGER.search(match[0]) or _is_no_service(match[0]):
            yield match.span()


def _is_no_service(sentence: str) -> bool:
    wish = _WISH.search(sentence)
    if not wish and (not _ORDER.search(sentence) or _OWN.search(sentence)):
        return False
    return bool(_ADDRESS.search(sentence)) or not (_SERVICE.search(sentence) or _CONSTRAINT.search(sentence))
