"""What people say around a message: greetings, thanks, a farewell, laughter, "could you please tell me". Found, and left out."""

from __future__ import annotations

import re
from functools import lru_cache

from pagefile.language import stopwords
from pagefile.language.patterns import late_pattern
from pagefile.retrieval.plain import plain

#: Of a longer text only so much of each end is looked at.
_END = 160
#: Beyond this no text is all courtesy.
_LONGEST = 120

_ENGLISH = r"""
hi; hiya; hey; heya; sleep tight; go ahead; well said; much obliged; everybody; folks; guys; you saved (?:me|my day|my life)
point taken; no problem at all; not bad; all good; hello; yo; sup; howdy; greetings; good (?:morning|afternoon|evening|night|day)
morning; evening; night; gn; gm
how(?:'s| is| are|'re| r) (?:you|u|it going|things|life|everything)(?: (?:doing|going|been))?(?: today| tonight| these days)?
how(?: have|'ve|ve) (?:you|u|ya|things) been(?: (?:lately|doing|going|recently))?
since (?:we|our) last (?:met|talk(?:ed)?|spoke|chat(?:ted)?)
how(?:'s| has) it been(?: going)?; what have (?:you|u) been up to(?: lately)?; what'?s (?:new|going on|happening)(?: with you)?
(?:good|great|nice|lovely) to (?:see|hear from) you(?: again)?; (?:hi|hey|hello|hiya) [a-z]{2,12}(?=[!,.]|(?!)$)
what'?s up; wassup; nice to (?:meet|see) you(?: too)?; long time no see; long day(?: today)?; i'?m back
welcome back; are you there; thanks?(?: you| u)?; thx; ty; tysm; cheers; many thanks; much appreciated
i appreciate (?:it|that|this|your help); appreciate it
for (?:your|the|all) (?:[a-z]+ )?(?:help|answers?|support|time|repl(?:y|ies)|tips?|info|explanations?)
for (?:that|this|everything|now|\w+ing)(?: (?:me|us|it|this|that|up))?; now; have fun; enjoy; ouch; ow; yikes; stop; hush; oh no
no way; good luck; that (?:was|is|really) ?(?:really|very|so|super)? ?(?:helpful|useful|great|nice|kind|good|perfect)
that (?:really )?help(?:s|ed)(?: a lot)?
(?:it|this|that)(?: is|'s)? (?:really |very |so |just )?(?:great|good|perfect|fine|nice|cool|awesome|ok|okay)
(?:it|this|that)(?: is|'s)? (?:really |very |so |just )?(?:right|true|correct|hilarious|funny|lovely); a lot; a million; a bunch
a ton; so much; very much; to you(?: too| as well)?; again; anyway; then; too; man; mate; bro; buddy; dude; dear; friend; there
all; everyone; you(?:'re|r| are)? (?:the best|great|awesome|welcome|amazing|right|kidding|too kind); no worries; no problem; np
never ?mind; nvm; my pleasure; bye(?: ?bye)?; goodbye; cya
see (?:you|ya|u)(?: (?:later|soon|around|then|tomorrow|tonight|next week|next time))?; later; ttyl; take care; so long
(?:talk|speak|chat) to (?:you|u) (?:later|soon|tomorrow|then)
(?:i(?:'ve| have)? )?(?:got to|gotta|have to|must|need to) (?:go|run|leave)
that(?:'s| is|'ll be| will be) (?:all|it)(?: for (?:today|now|tonight))?
have a (?:nice|good|great|lovely) (?:day|weekend|evening|night|one|time|week|trip); sleep well; sweet dreams
until (?:tomorrow|next time|then); ok(?:ay|ey|ie)?; kk?; got it; gotcha; i (?:see|understand|get it|got it); understood; noted
(?:all )?right; alright; alrighty; sure(?: thing)?; fine; sounds? (?:good|great|fine|perfect); makes sense
fair(?: enough| point)?; of course; absolutely; exactly; indeed; agreed; deal; will do; done; true; correct; why not; yes; yeah
yep; yup; ye; no; nope; nah; maybe; please; pls; plz; good(?: point| one| job| idea| to know)?; great(?: job| idea)?
nice(?: one)?; cool; perfect; awesome; amazing; excellent; brilliant; wonderful; fantastic; lovely; interesting; impressive
beautiful; well done; bravo; super; sweet; l+o+l+; l+m+a+o+; rofl; (?:ha){2,}h?; ha+h?; (?:he){2,}; hehe; hihi; xd+; omg; wow
whoa; oops; hmm+; hm; mhm; uh-?huh; oh; ah; aha; aw+; yay; phew; ugh; sorry; my bad; excuse me; pardon; test(?:ing)?; welcome
well; so funny; how funny; funny; really nice; very good; that'?s all
"""
_CHINESE = r"""
你好; 您好; 你们好; 大家好; 早上好; 上午好; 中午好; 下午好; 晚上好; 早安; 午安; 晚安; 早; 嗨; 嘿; 哈喽; 哈啰; 哈罗; 喂; 在吗
在不在; 在么; (?:今天|最近|近来|这几天)?过?得?(?:怎么样|咋样|好吗|还好吗)(?=[\W_]*$)
(?:你|您)(?:今天|最近)?过?得?(?:怎么样|咋样|好吗|还好吗); 吃了吗; 好久不见; (?:最近|近来)可好; 别来无恙; 好久没聊
(?:你|您)?最近(?:在?忙(?:些?什么|啥)|忙(?:吗|不忙))(?=[呢呀啊\W_]*$)
我?(?:又)?回来; 幸会; 很高兴认识你; 谢+
谢谢(?:你|您|大家)?(?:的(?:帮忙|帮助|解答|回答|耐心|耐心解答|建议))?; 多谢
感谢(?:你|您)?(?:的(?:帮忙|帮助|解答|回答|耐心|耐心解答))?; 感恩(?:的心)?
(?:谢谢|感谢|多谢|谢了?)[^，,。.!！?？\s]{0,8}(?=[\W_]*$); 3q; thx; 帮(?:了)?大忙; 辛苦; 爱了; 太?感谢; 非常; 十分; 真是; 真的; 太
很; 好; 真; 挺; 最; 的; 您的?; 你的?; 耐心; 解答; 帮助; 帮忙; 再见; 拜拜; 拜; 88+; 886; 回头见; 回见; 回头聊; 下次(?:再)?聊
改天(?:再)?聊; 明天见; 明儿见; 下周见; 先这样; 先拜; 救了我; 太谢; 就这样; 我?先?(?:去忙|走|下(?=了|线|班)|撤|睡|闪|忙); 睡了
睡觉; 祝(?:你|您)?[^，。,.!?？]{0,6}(?:愉快|快乐|顺利); 周末愉快; 做个好梦; 好梦; 保重; (?:这|正|这就|就)*是我(?:想)?(?:要|需要)的
我试试; 一路平安; 好的; 好吧; 好滴; 好哒; 好嘞; 好啊; 行; 行吧; 可以; 对; 对的; 没错; 是; 是的; 不; 不是; 不对; 不用; 不要; 没有
没(?:啥|什么)?事情?儿?; 没关系; 没问题; 不客气; 不谢; 嗯+; 恩+; 哦+; 噢+; 喔+; 啊+; 呃+; 唉+; 哎+; 哟; 诶; 知道; 明白; 了解; 懂
收到; 原来如此; 原来是这样; 这样; 算了; 有道理; 确实; 同意; 当然; 必须的; ok; okay; 哈+; 呵+; 嘿+; 嘻+; 嘎+; h{2,}; 23+; 笑死
笑哭; 笑死我; 好笑; 搞笑; 有意思; 有趣; 哇塞; 哇+; 牛+; 牛逼; 厉害; 棒; 赞; 绝; 绝了; 666*; 天哪; 天啊; 妥+
那?么?(?:再见|拜拜|晚安|好的?|行|就这样); (?:玩|吃|睡|聊|过)得?(?:开心|愉快|好); 停; 错了?; 我?(?:挺|还|很)好的?; 你呢
我?(?:就是|是)(?:这个|那个)意思; 不错; 完美; 不好意思; 抱歉; 对不起; 客气; 麻烦你; 拜托; 测试; 啦; 呀; 吧; 哦; 哈
"""
#: Praise and the like, after words that lead up to it: 太强了, 真贴心.
_PRAISE = (
    "[这那你您也都还就真太很好挺超]{0,4}(?:强|棒|美|甜|贴心|聪明|专业|给力|到位|详细|清楚|有用|实用|感动|幽默|可爱|温柔|周到|准|快|酷"
    r"|帅|香|顶|稳|神|妙|好用|好玩|开心|高兴|惊喜|会说|懂我|逗|放心|安心|满意|感人|巧|搞笑|有才|行)(?![\u4e00-\u9fff]*[吗么哪谁什])"
)
_WORDS_OF_REMARKS = """
absolutely aight amazed amazing annoying appreciate appreciated awesome beautiful believe best better bless blown boring brilliant
clear cool correct crazy cute damn definitely delighted disappointing easy enough exactly excellent expected fair fantastic fine
fun funny genius glad good gorgeous gosh got great guess haha hahaha happy hehe helpful helps hilarious hoped idea impressive
incredible indeed insane interesting kind kindly knew know legend lmao lol lovely makes maybe mean meant mind moment neat needed
nice night on perfect perfectly perhaps pretty probably proud quick relief relieved rock rocks sad see sense serious seriously
silly smart solved spot strange stuff stupid suppose sure surprised sweet terrific thank think thought thrilled total totally true
try understand understood useful wanted weird well wild wise wonderful worked works wow wrong yay
"""
_ASKS = late_pattern(
    r"[?？]|\b(?:who|whom|whose|when|where|why|how|which|my|mine|our|your|his|her|their|he|she|they|him|them)\b"
    r"|^\W*(?:what(?! an?\b)|do|does|did|is|are|can|could|would|should|will|have|has)\b"
)
_MOST_WORDS = 7
_PARTICLES = "嘞啊呀吧呢啦嘛哦噢哟喔了咯喽滴鸭拉哈呐耶哇诶的"


def _phrases(text: str) -> list[str]:
    """The phrases in the order in which they are tried: those that end a text, plain ones, the longest first, and those with choices."""
    phrases = (one.strip() for line in text.splitlines() for one in line.split(";") if one.strip())
    return sorted(phrases, key=lambda one: (not one.endswith("$)"), re.search(r"[(\[?+*]", one) is not None, -len(one)))


@lru_cache(maxsize=1)
def _remarks() -> frozenset[str]:
    """English words of remarks that want no answer. A short text of these and of stop words, with no question and nothing of one's own, is
    one."""
    plain_phrases = (phrase for phrase in _phrases(_ENGLISH) if re.fullmatch("[a-z ]+", phrase))
    return frozenset(_WORDS_OF_REMARKS.split()).union(*(phrase.split() for phrase in plain_phrases))


def _stretched(phrase: str) -> str:
    """A phrase of plain letters that also takes "heyyy"."""
    return "".join(f"{letter}+" if letter.isalpha() else letter for letter in phrase) if re.fullmatch("[a-z ]+", phrase) else phrase


@lru_cache(maxsize=1)
def _courtesies() -> re.Pattern[str]:
    """Courtesies in a row; between two of them marks, blanks and emoji."""
    # Late: to put it together takes some milliseconds.
    english = "|".join(map(_stretched, _phrases(_ENGLISH)))
    chinese = "|".join((*_phrases(_CHINESE), _PRAISE))
    return re.compile(rf"[\W_]*+(?:(?>(?>{english})(?![a-z0-9'])|(?:{chinese})[{_PARTICLES}]*+)[\W_]*+)++")


_MARKS = late_pattern(r"[\W_]*+")
#: Where courtesies end for sure: at a mark, or after a word that only greets. "All my …" and 好的餐厅 begin with none.
_HARD = late_pattern(r"[^\w\s'\"“‘(\[$#^/+-]+\s*")
_PLAIN_GREETING = late_pattern(
    r"\A\W*(?:(?:hi|hiya|hey|hello|ok|okay|thanks|thank you|good (?:morning|afternoon|evening))\s+(?:there\s+)?)+"
)
_AT_END = late_pattern(
    r"[\W_]+(?:(?:thanks?(?: you| u)?(?: (?:a lot|so much|very much|in advance))?|thx|please|pls|plz|cheers|谢谢(?:你|您|啦|了)?|多谢"
    r"|拜托(?:了|啦)?)[\W_]*)+$"
)
#: Ways to begin a question or a wish that say nothing of it.
_FRAME = late_pattern(
    "(?:(?:please|pls|plz|kindly|quick question|one (?:more )?(?:question|thing)|just|so|and now|now|by the way|btw|oh|well|anyway"
    "|(?:can|could|would|will) (?:you|u)(?: please| kindly| maybe| perhaps)?(?= [a-z])"
    "|(?:do|would) you (?:happen to )?know(?= (?:wh|how|if|the|my|our|any))"
    "|(?:can|could|would|will) (?:you|u) (?:please )?(?:tell|remind) me(?= (?:wh|how|if|the|my|our))|tell me(?= (?:wh|how|if))"
    "|i (?:want|would like|wanted|need|'d like) to (?:know|ask)|i'd like to (?:know|ask)|i(?:'m| am| was) wondering"
    r"|any idea(?= (?:wh|how|if))|let me ask)\b[\s,:;.!-]*)+"
    "|(?:(?:请问|问一下|问下|想问(?:一?下)?|我?想(?:请)?问(?:一?下)?|我想知道|想知道|麻烦(?:你|您)?|劳驾|不好意思|对了|话说|那个|顺便"
    "|请你?|拜托|(?:你|您)?(?:能不能|能否|可不可以|可以|能)(?=帮|给|告诉|翻|写|讲|说|推|解)|(?:你|您)?知道(?=我|哪|什|谁|怎)"
    r"|告诉我(?=我|哪|什|谁|怎))[\s,:，。!]*)+"
)
#: A name or the like that is called after a greeting: "Hi Pagefile", "谢谢小明".
_CALLED = late_pattern(r"[\s,]*(?:[A-Z][\w'-]{0,20}|小[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:老师|先生|女士|总|哥|姐))[\W_]*$")
_GREETS = late_pattern(
    r"[\W_]*(?:hi|hey|hello|hiya|yo|thanks?|thank you|good (?:morning|evening|night)|bye|你好|您好|嗨|谢谢|早|晚安|再见)[\W_]"
)

#: Long words that are often mistyped.
_MISTYPED = (
    *("thanks", "thank", "hello", "goodbye", "morning", "evening", "tomorrow"),
    *("okay", "perfect", "awesome", "welcome", "sorry", "please"),
)


def _without_one(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


#: What is left of those words when a letter is lost; two words that share such a rest are one slip apart.
_RESTS = {(word[0], rest) for word in _MISTYPED for rest in _without_one(word)}
_WORD = late_pattern(r"[a-z]{4,10}")
_ANY_WORD = late_pattern(r"[a-z0-9][a-z0-9']*")


def kernel(text: str) -> tuple[int, int]:
    """Where in a text what it says begins and ends, without courtesies around it. Empty (two equal places): it is nothing but courtesy.

    A greeting with a name is a greeting still.
    """
    if len(text) <= _LONGEST and _GREETS.match(low := plain(text)) and _CALLED.match(text, _courtesy_end(low)):
        return 0, 0
    head = plain(text[:_END])
    if _is_remark(head):
        return 0, 0
    start = _courtesy_end(head)
    if start == len(head) == len(text):
        return 0, 0
    if start < len(text):
        start = max([0, *(mark.end() for mark in (*_HARD.finditer(head, 0, start), *_PLAIN_GREETING.finditer(head, 0, start)))])
    if frame := _FRAME.match(head, start):
        start = frame.end() if frame.end() < len(text) else start
    from_end = max(start, len(text) - _END)
    closing = _AT_END.search(plain(text[from_end:]))
    end = from_end + closing.start() if closing and from_end + closing.start() > start else len(text)
    return start, end


def _is_remark(low: str) -> bool:
    """Whether a text says nothing but how something strikes one: "that's amazing", "makes total sense now", "not really"."""
    if not low.isascii() or len(low) > 50 or _ASKS.search(low):
        return False
    words = _ANY_WORD.findall(low)
    known = [
        word in _remarks() or word.split("'")[0] in stopwords.ENGLISH or word in stopwords.NEGATIONS or word.endswith("n't")
        for word in words
    ]
    return 0 < len(words) <= _MOST_WORDS and all(known) and any(word in _remarks() or word in ("not", "really") for word in words)


def _courtesy_end(low: str) -> int:
    """How far a text begins with courtesies."""
    place = 0
    while place < len(low):
        if found := _courtesies().match(low, place):
            place = found.end()
            continue
        marks = _MARKS.match(low, place)
        word = _WORD.match(low, marks.end() if marks else place)
        if not word or low[word.end() : word.end() + 1].isalnum() or not any((word[0][0], one) in _RESTS for one in _without_one(word[0])):
            return marks.end() if marks and marks.end() == len(low) else place
        place = word.end()
    return place
