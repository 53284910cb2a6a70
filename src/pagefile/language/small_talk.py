"""Greetings, thanks and the like: what is said without saying anything, in English and Chinese. A yes or no says something."""

from __future__ import annotations

import re
from functools import lru_cache

from pagefile.language.text import fold

_SAID = """
hi; hello; hey; hi there; hello there; hey there; good morning; good afternoon; good evening; good night; morning; how are you;
how are you doing; how is it going; how's it going; what's up; whats up; sup; nice to meet you; thanks; thank you; thanks a lot;
thank you very much; thank you so much; many thanks; thx; ok; okay; ok thanks; okay thanks; ok thank you; great; cool; nice;
perfect; awesome; got it; i see; all right; alright; sounds good; no problem; you're welcome; youre welcome; welcome; bye; goodbye;
bye bye; see you; see you later; see you soon; take care; lol; haha; ha ha; hmm; wow; please; go on; continue; help; test; testing
你好; 您好; 你好呀; 你好啊; 嗨; 哈喽; 早; 早上好; 早安; 上午好; 中午好; 下午好; 晚上好; 晚安; 最近怎么样; 最近好吗; 你好吗; 在吗; 在不在
谢谢; 谢谢你; 谢谢您; 多谢; 感谢; 非常感谢; 谢了; 好的; 好吧; 好啊; 好呀; 好嘞; 没问题; 没关系; 不客气; 嗯; 嗯嗯; 哦; 噢; 啊
哈哈; 哈哈哈; 呵呵; 嘿嘿; 知道了; 明白; 明白了; 了解; 收到; 再见; 拜拜; 回头见; 回见; 辛苦了; 抱歉; 对不起; 继续; 测试
"""
_SMALL_TALK = frozenset(phrase for line in _SAID.splitlines() for phrase in map(str.strip, line.split(";")) if phrase)
_LONGEST = 40
_BARE = re.compile(r"[^\w' ]+")


def is_small_talk(text: str) -> bool:
    """Whether a text is nothing but a greeting, thanks, a farewell or an acknowledgement. A name in it makes it more than that."""
    return len(text) <= _LONGEST and _is_said(text)


# Several parts ask it of one message.
@lru_cache(maxsize=64)
def _is_said(text: str) -> bool:
    return " ".join(_BARE.sub(" ", fold(text)).split()) in _SMALL_TALK
