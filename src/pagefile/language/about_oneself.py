"""Questions about all that is known of the person who asks: "what do you know about me?", 你都知道我什么？"""

from __future__ import annotations

import re

from pagefile.language.text import fold

_REMEMBERS = r"(?:know|remember|recall|have learn(?:ed|t)|(?:have )?(?:saved|stored|noted|kept))"
_ENGLISH = re.compile(
    rf"(?:so |and |ok |okay |hi |hello |hey )?(?:please )?(?:can you |could you )?(?:"
    rf"(?:tell me )?(?:what|everything|all|anything)(?: else| all)?(?: (?:do|did|have|can))?(?: that)? you(?: still| already)? {_REMEMBERS}"
    r"(?: (?:about|of|on) (?:me|myself))?(?: so far| by now| now)?|"
    r"(?:tell me|what can you tell me|say something)(?: all| everything| more)? about (?:me|myself)|"
    r"who am i(?: to you)?|do you(?: still)? (?:know|remember) (?:me|who i am)|what is (?:saved|stored|known) about me)"
)
_CHINESE = re.compile(
    r"(?:请|那|嗨|你好)?(?:告诉我)?(?:"
    r"(?:关于我)?你(?:现在|到底|都|还|已经|一共)*(?:知道|了解|记得|记住|记下)(?:了)?(?:关于|有关)?我?(?:的)?(?:什么|哪些|些什么|多少)(?:事|事情|信息|东西)?|"
    r"你(?:还|都)?(?:记得|认识|知道)我(?:是谁)?(?:吗|么)|我是谁|你对我(?:都|还)?(?:知道|了解|有)(?:些)?(?:什么|多少|哪些)(?:了解|印象)?|"
    r"(?:说说|讲讲|介绍(?:一下)?|总结(?:一下)?)(?:你(?:知道|了解|记得)的)?我(?:的情况|这个人)?|关于我的?(?:一切|所有|全部)(?:信息|事情)?)"
)


def asks_for_all(text: str) -> bool:
    """Whether a question is about all that is known of who asks it."""
    bare = re.sub(r"[\s,，。.!！?？~、]+", " ", fold(text)).strip()
    return bool(_ENGLISH.fullmatch(bare) or _CHINESE.fullmatch(bare.replace(" ", "")))
