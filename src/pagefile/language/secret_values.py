"""Whether a value that is called a secret can be one, or is only talk about secrets. Pure; part of ``secrets``."""

from __future__ import annotations

import re
import unicodedata

from pagefile.language.patterns import late_pattern

_PLACEHOLDER = late_pattern(
    r"[*x•.…_?#-]+|[<＜\[].*|\$(?:[{(].*|[A-Z_][A-Z0-9_]*|[a-z_]+|env:\w+)|\{.*|%\w*%?|\W+"
    r"|\W*(?:your|my|the|some|insert|enter|replace)[-_ ].*|.*(?:\.\.\.|…).*",
    re.IGNORECASE | re.DOTALL,
)
_CALL = late_pattern(r"[A-Za-z_][\w.]*[(\[]")
#: Names of variables, as code has them in place of a value.
_CODE_NAME = late_pattern(
    r"[A-Za-z_]+(?:(?:\.|::|->)[A-Za-z_]+)+|[a-z]+(?:_[a-z]+)*_(?:pass|password|pwd|secret|token|key|env|input|field|hash)(?:_[a-z]+)*",
    re.IGNORECASE,
)
_PATH = late_pattern(
    r"(?:[a-z]+:)?[~.]{0,2}/[^/]|[A-Za-z]:\\|.*\.(?:py|js|ts|json|ya?ml|toml|txt|md|env|pem|html?|csv|pdf|png|jpe?g)$", re.IGNORECASE
)
_ALGORITHM = late_pattern(
    r"sha-?\d{1,3}|md5|base-?\d\d|utf-?(?:8|16|32)|[hrep]s\d{3}|aes-?\d{3}(?:-\w{3})?|uuid\d?|oauth-?2?(?:\.0)?|ed25519|rsa-?\d{4}|p-?256|argon2\w*|bcrypt|jwt"
    r"|(?:cl|o|p|r)\d{2,3}k(?:_\w+)?|ipv[46]|web3|log4j|i18n|http2|\d{1,2}[a-z]{2}|v\d[\w.]*",
    re.IGNORECASE,
)
_DATE_OR_TIME = late_pattern(
    r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:T[\d:.+Z-]*)?|\d{1,2}:\d\d(?::\d\d)?(?:[ap]m)?|v?\d+(?:\.\d+){1,3}\w{0,3}|\d+(?:\.\d+)?(?:[kmgt]b|[kcm]?m|k?g|mg|ml|[ap]m|st|nd|rd|th|px|m?s|k|h|d|x|%|hz|v|w)",
    re.IGNORECASE,
)
_SEGMENTS = late_pattern(r"[A-Za-z0-9]+")
_DIGIT = late_pattern(r"[0-9]")
_LETTER = late_pattern(r"[A-Za-z]")
#: Marks that words and names do not have inside. Blanks, slashes, hyphens, dots and apostrophes they have.
_SYMBOL = late_pattern(r"[!@#$%^&*+=~?|\\{}<>]")
_UPPER_INSIDE = late_pattern(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_WORD = late_pattern(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
#: What a clause can go on with when a single word was a value: an end mark, "and", or the next setting.
_CLAUSE_END = late_pattern(
    r"[\"'`”’」)\]]?(?:\s*$|\s*[.,;:!?)\]}。，；！？、|]|[ \t]+(?:and|but|so|for|on|please|thanks)\b|[ \t]*\n|[ \t]+\w{1,20}[ \t]?[:=：])",
    re.IGNORECASE,
)
_CHINESE_CLAUSE_END = late_pattern(
    r"[\"'`”’」』)]?(?:\s*$|\s*[.,;:!?)\]}。，；！？、|～~]|\s*\n|[ \t]*(?:呢|哦|啊|吧|哈|呀|喔|了|别|不要|麻烦|谢谢|和|跟|，|记))"
)
_CHINESE_UNIT = late_pattern(
    r"[ \t]{0,2}(?:位|个|個|年|月|日|号|號|次|天|条|字|元|块|章|节|页|种|级|级|%|分|秒|小时|多|以上|以内|[-~到至]\d)"
)

#: Said of passwords and keys, and none of them. Lower case.
_SAID_OF_PASSWORDS = """
a an the my your our his her their its this that these those it he she they we you i not no never always none null nil true false yes ok
okay required optional mandatory needed missing empty blank unset undefined unknown unspecified default defaults same different wrong
incorrect correct right invalid valid expired expiring weak strong strongest short long longer shorter old older new newer secure insecure
safe unsafe lost forgotten gone stolen compromised leaked hacked exposed changed reset updated saved stored hashed salted encrypted
encoded hidden masked redacted removed secret secrets private public personal shared confidential sensitive protected set unchanged
working broken back ready here there below above attached enclosed inside somewhere nowhere everywhere case-sensitive alphanumeric numeric
string text str secretstr secretbytes int integer bytes char varchar object boolean bool type value field input number date only just
still too very so also now then when what which who whose how why where if as at in on by for from of to with without and or but easy hard
simple complex complicated difficult obvious stupid silly annoying confusing tricky terrible awful bad good great fine better best
important useful useless boring funny ridiculous unique random generated temporary permanent available unavailable accepted rejected
denied refused blocked locked unlocked disabled enabled supported unsupported limited unlimited per about like because since until please
see check ask contact enter insert todo tbd tba n/a na any some every all both either neither something anything nothing everything
someone anyone being been be is was are were has have had will would can could should must may might login username email user users
admin-only password passwords passphrase passcode token tokens key keys pin code manager policy reset-link auth oauth sso bearer basic jwt
json html api cookie header example sample placeholder dummy fake foo bar changeable memorable guessable readable impossible possible
tomorrow today yesterday soon later again once twice already yet enough kept sent given written used due love hope time patience practice
consistency simplicity kindness honesty hard-work persistence butter salt return raise pass break continue yield await self stuff things
mine yours ours theirs me us him them obsolete deprecated static dynamic constant variable
"""
_NOT_PASSWORDS = frozenset(_SAID_OF_PASSWORDS.split())
_ADJECTIVE_END = late_pattern(r".{3,}(?:ed|ing|able|ible|ful|less|ly|ous|ive|est)$")
#: Words of a sentence: a quoted text with one of them is a message to a reader, no passphrase.
_PROSE = late_pattern(
    r"\b(?:the|your|you|my|is|are|was|must|should|can|cannot|not|please|enter|password|passwords|forgot|forget|required|invalid|incorrect|least|characters|"
    r"confirm|field|here|reset|change|create|new|current|sign|log|login|token|key|secret|of|for|to|and|or)\b",
    re.IGNORECASE,
)
_CHINESE_TALK = late_pattern(
    r"必填|必须|错误|不正确|不对|正确|为空|不能|请|输入|长度|修改|重置|忘记|过期|设置|密码|口令|确认|失败|安全|强度|字符|需要|可选|已|未|无|没有|是|的"
)


def without_end_marks(value: str) -> str:
    """The value without the marks that end its sentence or bracket."""
    bare = value.rstrip(".,;:)]}>\"'`”’」。，；：、）】》")
    # A question mark ends a sentence more often than a password.
    return bare[:-1].rstrip(".,;:)]}\"'") if bare.endswith("?") and len(bare) > 1 else bare


def ends_clause(rest: str) -> bool:
    """Whether a clause can end where this rest of a text begins."""
    return bool(_CLAUSE_END.match(rest))


def is_placeholder(value: str) -> bool:
    """Whether it stands for a value: ``<password>``, ``$TOKEN``, ``****``, ``your-key-here``, ``sk-...``."""
    return bool(_PLACEHOLDER.fullmatch(value))


def is_key(value: str) -> bool:
    """Whether it looks made by a machine: letters and digits mixed, at least six characters; no date, version, path or name of code."""
    if len(value) < 6 or not _DIGIT.search(value) or not _LETTER.search(value):
        return False
    if "://" in value or is_placeholder(value) or _is_code(value) or _ALGORITHM.fullmatch(value) or _DATE_OR_TIME.fullmatch(value):
        return False
    segments = _SEGMENTS.findall(value)
    groups = [segment for segment in segments if len(segment) >= 4 and _DIGIT.search(segment) and _LETTER.search(segment)]
    # As licences and device keys are written.
    even = len(segments) >= 3 and len(set(map(len, segments))) == 1 and len(segments[0]) >= 4
    return any(map(_is_mixed, segments)) or len(groups) >= 2 or even or (len(value) >= 10 and bool(_SYMBOL.search(value)))


def _is_mixed(segment: str) -> bool:
    digits = len(_DIGIT.findall(segment))
    letters = len(segment) - digits
    return len(segment) >= 6 and digits >= (1 if len(segment) >= 20 else 2) and letters >= 2


def is_assigned_secret(value: str, *, exported: bool) -> bool:
    """Whether it can be the value of a setting whose name says that it is a secret: ``GITHUB_TOKEN=…``."""
    if is_placeholder(value) or _is_code(value) or value.lower() in _NOT_PASSWORDS:
        return False
    if exported:
        return len(value) >= 3 and not value.isdigit()
    return is_key(value) or (len(value) >= 8 and not value.isdigit() and not _DATE_OR_TIME.fullmatch(value))


def is_password(value: str, *, quoted: bool, rest: str) -> bool:
    """Whether it can be the password that was announced. ``rest``: how the text goes on behind it."""
    value = _half_width(value)
    if len(value) < 3 or is_placeholder(value) or value.lower() in _NOT_PASSWORDS or _is_code(value):
        return False
    if " " in value:
        return quoted and len(value) >= 8 and not _PROSE.search(value) and not value.istitle()
    if _DIGIT.search(value):
        return len(value) >= 4 and not _DATE_OR_TIME.fullmatch(value) and not _ALGORITHM.fullmatch(value) and not _counts(value, rest)
    if not value.isascii() and not quoted:
        return False
    if _SYMBOL.search(value) and len(value) >= 4:
        return True
    if _UPPER_INSIDE.search(value) and len(value) >= 6 and not value.isupper():
        return quoted or ends_clause(rest)
    # A plain word: only if nothing but it can be meant.
    return len(value) >= 4 and bool(_WORD.fullmatch(value)) and not _ADJECTIVE_END.fullmatch(value.lower()) and ends_clause(rest)


def _counts(value: str, rest: str) -> bool:
    return bool(re.fullmatch(r"[\d.,+~-]+", value)) and bool(
        re.match(r"[ \t]?(?:char|digit|letter|symbol|word|day|week|month|year|hour|minute|bit|byte|times|%|or)", rest)
    )


def _half_width(value: str) -> str:
    return value if value.isascii() else unicodedata.normalize("NFKC", value)


def _is_code(value: str) -> bool:
    return bool(_CALL.match(value) or _CODE_NAME.fullmatch(value) or _PATH.match(value))


def is_chinese_secret(value: str, *, says: bool, between: str, quoted: bool, key: bool, rest: str) -> bool:
    """Whether it can be the secret that 密码, 口令 … announces.

    ``says``: 是, ： or the like stands before it; ``between``: Chinese after that; ``key``: a key is announced, no password.
    """
    value = _half_width(value)
    if is_placeholder(value) or _CHINESE_UNIT.match(rest):
        return False
    if quoted:
        return (
            says
            and len(value) >= 3
            and value.lower() not in _NOT_PASSWORDS
            and not _CHINESE_TALK.search(value)
            and not _PROSE.search(value)
        )
    if key:
        return is_key(value) and (says or len(value) >= 16)
    if between and not says:
        return False
    if not says and value.isdigit() and len(value) == 4 and value[:2] not in ("19", "20"):
        return bool(_CHINESE_CLAUSE_END.match(rest))
    if not says or between:
        return (len(value) >= 6 and value.isdigit()) or (is_key(value) and not _ALGORITHM.fullmatch(value))
    if value.lower() in _NOT_PASSWORDS or _is_code(value) or (_DATE_OR_TIME.fullmatch(value) and not value.isdigit()):
        return False
    return bool(_DIGIT.search(value) or _SYMBOL.search(value)) or bool(_CHINESE_CLAUSE_END.match(rest))
