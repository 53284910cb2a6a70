"""News: what a speaker tells of himself and asks nothing by, "I moved to Lisbon", 我升职啦. A reply to it needs no memory."""

from __future__ import annotations

from pagefile.language.patterns import late_pattern
from pagefile.retrieval import needs

_QUESTION = late_pattern(
    r"[?？]|^\W*(?:who|what|whats|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|should|would|will|have|has|any)\b"
    r"|[吗呢么]\W*$|什么|怎么|谁|哪|几(?!乎)|多(?:少|大|久|长|高|远)|为何|啥|咋|是不是|还是(?!没|不|很|会|有点)|有没有|能不能|该不该"
    r"|要不要|来着|对吧|[没否]\W*$"
)
_WISH = late_pattern(
    r"\b(?:i|we)(?:'d| would| really| just| also| \w+ly)* (?:like|need|want|wish|prefer|fancy|feel like|have no idea|can't decide"
    r"|don't know|wonder|am looking|'m looking)\b(?! (?:coffee|tea|it|that|this|him|her)\b)"
    r"|\b(?:hungry|bored|thirsty|starving|craving|in the mood|can't|cannot|couldn't|lost|forgot|ready to|about to|trying to)\b|饿|渴"
    r"|无聊|嘴馋|找不到|忘|丢|^\W*(?:我|咱|我们)(?:很|特别|还|也)?(?:想|要(?!是)|需要|打算|得(?!了)|希望|不知道|在找|该)"
)
#: News of oneself: "I moved to …", "my name is …", 我搬到…, and how one feels.
_NEWS = late_pattern(
    r"^\W*(?:(?:so|well|btw|by the way|actually|also|and|but|oh|guess what|today|yesterday|finally|sadly|luckily)\b\W+)*(?:(?:i|we"
    r"|im)(?:'m|'ve|'d|'ll|'re)?\b"
    "|my (?:full |first |last |new |favou?rite |e-?mail |phone )?(?:name|birthday|age|job|profession|address|e-?mail|number|hometown"
    r"|nationality|nickname|height|shoe size|blood type|colou?r|food|band|film|movie|book|song|diet|hobby|hobbies)\W+(?:is|are)\b)"
    r"|^\W*(?:(?:其实|今天|最近|昨天|对了|终于|刚刚?|现在)\W*)*(?:我|我们|咱们)(?!们?的"
    "|(?:妹|姐|哥|弟|妈|爸|老|儿|女|孩|朋|同|爷|奶|狗|猫|家|跟|和))"
    r"|^\W*我们?的(?:名字|生日|年龄|职业|工作|地址|电话|邮箱|家乡|国籍|昵称|身高|血型|爱好|学校|专业|公司|最爱)(?:就?是|叫|在|:)"
    r"|^\W*(?:今天|最近|现在)?(?:好|太|真|有点|超级?|非常|特别)(?:累|困|烦|开心|高兴|难过|冷|热|忙|难受|郁闷|激动|紧张|生气"
    r"|崩溃)\w{0,2}\W*$"
)
_LONGEST_NEWS = 160
_SENTENCES = late_pattern(r"[^.!?。！？;；\n]*\w[^.!?。！？;；\n]*")
#: "The report", "those lists": something both are taken to know.
_KNOWN_THING = late_pattern(
    rf"\b(?:the|this|that|these|those|your|his|her|their) (?:\S+ ){{0,2}}(?:{needs.PRIVATE.pattern})"
    rf"|(?:那|这|你)[个些份篇条的].{{0,6}}(?:{needs.PRIVATE.pattern})|\b(?:these|those) [a-z]{{3,}}|\blet's\b"
)
#: Before a name that is the speaker's own, or of a place or a firm.
_NO_PERSON = late_pattern(
    r"\b(?:in|to|from|at|near|for|of|is|am|im|called|as|by|via|through|around|a|an|the|some|new|my|our|\w+n't)\W+$|'m\W+$"
    "|[叫是姓在去到住为]$"
)
#: With whom something is done: then who that is matters.
_TOGETHER = late_pattern(
    r"\b(?:with|meet(?:ing)?|met|see(?:ing)?|saw|visit(?:ing|ed)?|call(?:ing|ed)?|and|for|about|told|asked|helped|miss|love"
    r"|like) (?:my|our|[A-Z][a-z]+)\b|\b(?:with|meet(?:ing)?|met|see(?:ing)?|saw) (?:the)\b"
    r"|(?:跟|和|见|陪|约)(?:我|小|老|阿|\w{0,3}(?:总|老师|经理|医生))"
)


def is_news(text: str, low: str) -> bool:
    """Whether the speaker only tells of himself, with nobody in it whom one would have to know, and nothing that was said before.

    ``low`` is the plain form of the text.
    """
    if len(low) > _LONGEST_NEWS or _QUESTION.search(low) or _WISH.search(low):
        return False
    if not all(_NEWS.search(sentence) for sentence in _SENTENCES.findall(low)):
        return False
    if needs.somebody_known(low) or _TOGETHER.search(text) or _names_somebody(text) or _KNOWN_THING.search(low):
        return False
    return not needs.SPOKEN.search(low) and not needs.USUAL.search(low)


def _names_somebody(text: str) -> bool:
    return any(not _NO_PERSON.search(text[:place]) for place, _ in needs.named(text))
