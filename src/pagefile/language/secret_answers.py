"""Secrets that are only said because somebody asked: "What is your password?" – "sunshine". English and Chinese. Pure.

What answers is judged by what was asked for. Evasions ("no", 忘了), questions and whole sentences stay as they are; those in which a
secret is called so are a matter of ``secrets``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pagefile.language import stopwords
from pagefile.language.patterns import late_pattern
from pagefile.language.secret_values import ends_clause, is_key, is_password, without_end_marks
from pagefile.language.small_talk import is_small_talk

_Span = tuple[int, int, str]

#: Nobody answers such a question at greater length: characters, and words that are none of a phrase.
_LONGEST, _MOST_WORDS = 200, 10
#: How much of the end of a question is looked at.
_END = 400

#: Kind of secret → how it is called. Lower case.
_NAMES: Mapping[str, str] = {
    "seed phrase": r"seed (?:phrase|words)|recovery (?:phrase|words)|mnemonic(?: phrase)?|助记词|助記詞",
    "pin": r"pin(?: ?(?:code|number))?",
    "code": r"(?:verification|security|one[- ]time|login|2fa|otp|mfa|auth(?:entication)?|sms|access|door|gate|alarm|entry|lock|safe|unlock"
    r"|confirmation|[346][- ]digit)[ -]?codes?|otp|cvv|cvc|验证码|驗證碼|动态码|校验码|安全码|门锁码|取件码",
    "api key": r"(?:api|secret|access|private|encryption|license|licence|ssh)[ -]?keys?|(?:access|api|auth|bearer|secret)[ -]?tokens?"
    r"|(?:your|my|our) token|密钥|密鑰|秘钥|金鑰|令牌",
    "password": r"pass(?:words?|phrase|code|wd)|pwd?|secret (?:word|answer)|密码|密碼|口令|通行碼|授权码|提取码",
}
_CALLED = "|".join(f"(?P<{kind.replace(' ', '_')}>{names})" for kind, names in _NAMES.items())
_NAME = rf"(?:(?<![a-z])|(?=[^a-z]))(?:{_CALLED})(?![a-z])"
#: Asked for in a sentence, in whatever words, and not merely about it ("did you change …?", "is … safe?").
_ASKED = late_pattern(
    r"(?:\bwhat(?:'?s| is| are| was| were)?\b|\bwhich\b|\b(?:tell|give|send|provide|enter|type|share|confirm|supply|submit|repeat|say|spell"
    r"|paste|need|know|have|get|require|remind me of|let me)\b|^\W*(?:and |the |your |my |now ){0,3}"
    rf"|请|請|输入|輸入|告诉|告訴|提供|发|發|给|給|填|报|報|说|說|需要|确认|確認|知道)[^?？!！。\n]{{0,80}}?{_NAME}"
    rf"|{_NAME.replace('(?P<', '(?P<then_')}[^?？!！。\n]{{0,12}}?"
    r"(?:是(?:什么|什麼|多少|啥|几|哪)|多少|发|發|给我|給我|告诉|告訴|呢|[?？:：]\s*$)"
)
#: Of a past or a property of it: no request.
_ABOUT = late_pattern(
    r"^\W*(?:when|why|how|who|where|did|have you|has|had|is|are|was|do you (?:want|use|like)|would you like|should|can i|could i|shall)\b"
    r"|\b(?:never|don[’']?t|do not)\b"
    r"|(?:chang|reset|forg[eo]t|forgotten|updat|stor|sav|expir|strong|secure|safe|manager|polic|hint|long)"
    r"|忘记|忘記|忘了|修改|更改|重置|重设|过期|安全吗|强度|多久|什么时候|管理器|几位|幾位|不要|别|從不|从不"
)
_SENTENCE = late_pattern(r"[^.?？!！。\n]+[.?？!！。]*|[.?？!！。]+")

#: What stands before the answer itself.
_LEAD = late_pattern(
    r"\W*(?:(?:sure|ok(?:ay)?|yes|yeah|yep|well|hi|hey|of course|right|fine|alright|here(?: you (?:go|are)| it is)?"
    r"|好的?|行|嗯+|当然|可以|哦|喔|是的)"
    r"(?:[ \t]*[,.!:，。！：~]+\s*|\s+))*"
    rf"(?:(?:it|that|this|mine|(?:(?:the|my|our) )?(?:{'|'.join(_NAMES.values())}))(?:[’']s| is| was|:)?\s+(?:now\s+|still\s+|just\s+)?"
    r"|i (?:use|used|set|chose|think(?: it(?:[’']s| is))?)\s+|(?:use|try)\s+"
    rf"|(?:我的?|它|那个|应该|现在)*(?:{'|'.join(_NAMES.values())})?(?:应该|现在|就)*(?:是|叫|用的?是?|设的?是?|为|[:：])+\s*)?"
    r"[\"'`“‘「『(]?",
    re.IGNORECASE,
)
_VALUE = late_pattern(r"[^\s，。；、！？“”‘’「」『』（）\u3400-\u9fff]{3,200}")
_WORDS = late_pattern(r"[a-z]{2,12}(?:[ -][a-z]{2,12}){2,24}(?=\W*$)")
_NUMBER = late_pattern(r"\d[\d -]{1,10}\d(?=\W*$)")
_CHINESE_NUMBER = late_pattern(r"[〇零一二三四五六七八九]{4,12}(?=\W*$)")
_CHINESE_REST = late_pattern(r"[\"'`”’」』)]?\s*(?:$|[\W]|[呢哦啊吧哈呀喔了别不麻谢和你])")
_EVASIONS = frozenset(
    (
        *("nope", "nah", "sorry", "idk", "dunno", "skip", "cancel", "stop", "hold", "wait", "quit", "exit", "forgot", "forget", "refuse"),
        *("maybe", "whatever", "really", "what", "seriously", "privacy"),
    )
)


def asks_for(text: str) -> str | None:
    """The kind of secret that the end of a text asks for; None: it asks for none."""
    lowered = text[-_END:].lower()
    for sentence in _SENTENCE.findall(lowered)[-3:]:
        if (match := _ASKED.search(sentence)) and not _ABOUT.search(sentence):
            return next(name.removeprefix("then_").replace("_", " ") for name, found in match.groupdict().items() if found)
    return None


def find_answer(text: str, kind: str) -> _Span | None:
    """Where an answer gives the secret of this kind that was asked for; None: it does not."""
    if len(text) > _LONGEST or is_small_talk(text) or "[secret: " in text:
        return None
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    if (match := _WORDS.match(text, start)) and _is_phrase(match[0], kind):
        return start, match.end(), kind
    if kind == "seed phrase" or len(text.split()) > _MOST_WORDS:
        return None
    if match := _CHINESE_NUMBER.match(text, start) or _NUMBER.match(text, start):
        return start, match.end(), kind
    match = _VALUE.match(text, start)
    value = without_end_marks(match[0]) if match else ""
    end = start + len(value)
    if not value or not (ends_clause(text[end:]) or _CHINESE_REST.match(text, end)) or not _can_be(value, kind):
        return None
    # Behind a word comes no sentence: "Oslo is what I call home" answers something else.
    return None if value.isalpha() and len(text[end:].split()) > 4 else (start, end, kind)


def may_answer(text: str) -> bool:
    """Whether a text could be such an answer, whatever was asked."""
    return len(text) <= _LONGEST and any(find_answer(text, kind) for kind in ("password", "pin", "api key", "seed phrase"))


def _is_phrase(words: str, kind: str) -> bool:
    several = words.replace("-", " ").split()
    if kind == "seed phrase":
        return len(several) >= 12
    return kind == "password" and not any(word in stopwords.ENGLISH or word in stopwords.NEGATIONS or word in _EVASIONS for word in several)


def _can_be(value: str, kind: str) -> bool:
    if value.lower() in _EVASIONS or value.endswith("?") or is_small_talk(value):
        return False
    if kind in ("pin", "code"):
        return is_key(value) or sum(map(str.isdigit, value)) >= 3
    if kind == "api key":
        return is_key(value) or (len(value) >= 8 and any(map(str.isdigit, value)))
    return is_password(value, quoted=False, rest="")
