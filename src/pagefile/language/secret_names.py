"""Secrets that the words around them call so: "my password is …", ``API_KEY=…``, 密码：…, PINs, codes. Pure; part of ``secrets``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pagefile.language.patterns import late_pattern
from pagefile.language.secret_values import (
    ends_clause,
    is_assigned_secret,
    is_chinese_secret,
    is_key,
    is_password,
    without_end_marks,
)

_Span = tuple[int, int, str]

#: In lower case: without one of them a text names no secret. This is all that an ordinary message costs.
_SIGNS = ("pass", "pw", "secret", "token", "key", "cred", "pin", "code", "otp", "cvv", "cvc", "mnemonic", "phrase")
_CHINESE_SIGNS = ("密", "口令", "令牌", "秘钥", "金鑰", "码", "碼", "助记", "助記")


def find(text: str) -> Iterator[_Span]:
    """Start, end and kind of each."""
    lowered = text.lower()
    if len(lowered) != len(text):
        # A capital that has two characters in lower case would move all places behind it.
        lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    for sign in _SIGNS:
        if sign in lowered:
            read = _READERS[sign]
            at = lowered.find(sign)
            while at >= 0:
                yield from read(text, lowered, at)
                at = lowered.find(sign, at + len(sign))
    if not text.isascii() and any(sign in text for sign in _CHINESE_SIGNS):
        yield from _chinese(text)


# --- what follows a name ---------------------------------------------------------------------------------------------------

_VALUE = (
    # In quotes, which may be escaped (JSON in JSON) and may have escapes inside; in Chinese ones; or up to the next blank.
    r"(?:(?P<open>\\?[\"'`])(?P<quoted>(?:(?!(?P=open))(?:\\.|[^\n\\])){1,200})(?P=open)"
    r"|[“‘「『](?P<cited>[^“”‘’「」『』\n]{1,200})[”’」』]"
    r"|[\"'`“‘\\]{0,2}(?P<bare>[^\s\"'`“”‘’「」『』，。；、！？（）\u3400-\u9fff]{1,200}))"
)
#: "=", ":" and the like, as in code, settings and notes.
_ASSIGNED = re.compile(
    r"(?:[_-]?(?:prod|production|dev|test|staging|live|value|\d{1,2}))?(?:\\?[\"'`]\]?|\*{1,2})?[ \t]{0,3}(?:value[ \t]{0,3})?"
    r"(?P<sign>:=|=>|={1,3}|[:：＝])(?:\*{1,2})?[ \t]{0,8}(?P<line_end>\n[ \t]{0,8})?" + _VALUE,
    re.IGNORECASE,
)
#: "is", also behind "for my account".
_SAID = re.compile(
    r"(?:(?:[ \t]{1,3}(?:for|of|to|on|at|in)[ \t]{1,3}(?:[^\s:=]{1,40}[ \t]{1,3}){1,5}?|[ \t]{1,3})"
    r"(?:is|was|equals)(?![A-Za-z])[ \t]{0,3}:?[ \t]{0,3}(?P<line_end>\r?\n[ \t]{0,8})?"
    r"|[ \t]{1,3}(?P<dash>-{1,2}>?|–|—|→)[ \t]{1,3}|[ \t]{0,2}(?:就是|是|为|為|设为|設為|设成|設成|改为|改為|改成|换成)[ \t]{0,2}"
    r"|[’'´]?s[ \t]{1,3})(?:(?:now|still|just|simply|currently|set to|changed to|literally|basically)[ \t]{1,3}){0,3}" + _VALUE,
    re.IGNORECASE,
)
_CHANGED = re.compile(r"(?:[ \t]{1,3}from[ \t]{1,3}(?P<old>\S{1,60}))?[ \t]{1,3}(?:to|into)[ \t]{1,3}" + _VALUE, re.IGNORECASE)
_CHANGES = late_pattern(r"\b(?:chang(?:e|ed|ing)|set|reset|updated?)[ \t]", re.IGNORECASE)
#: Nothing between: "wifi password hunter2". Only what looks made by a machine can be meant then.
_BESIDE = re.compile(r"[ \t]{1,3}" + _VALUE)

_PASSWORD_NAME = late_pattern(r"pass(?:words?|wd|phrase|code|wort)?(?=[^a-z]|$|s[ \t])")
#: What makes a key or a code secret. A primary key or an error code is none.
_KEY_OF = (
    "api",
    "secret",
    "access",
    "auth",
    "account",
    "signing",
    "encryption",
    "master",
    "license",
    "licence",
    "ssh",
    "app",
    "private",
    "deploy",
)
_CODE_OF = (
    *(
        "verification",
        "security",
        "one time",
        "one-time",
        "onetime",
        "login",
        "2fa",
        "otp",
        "mfa",
        "authentication",
        "auth",
        "sms",
        "access",
    ),
    *("door", "gate", "alarm", "entry", "lock", "safe", "cvv", "cvc", "unlock"),
)
_EXPORT = late_pattern(r"(?:^|[\s;&|(])(?:export|set|setx|env)[ \t]{1,3}\w{0,40}$", re.IGNORECASE)
#: "hunter2 as my password".
_USED_AS = late_pattern(
    r"(?P<value>[^\s\"'`,;]{4,30})[\"'`]?[ \t]{1,3}(?P<verb>as|for|is)[ \t]{1,3}(?:(?:my|our"
    r"|the)[ \t]{1,3})?(?:[\w-]{1,15}[ \t]{1,3}){0,2}$"
)
#: "creds: bob / hunter2".
_CREDENTIALS = late_pattern(r"cred(?:ential)?s?(?![a-z])")
_USER_AND_PASSWORD = late_pattern(
    r"(?:[ \t]{1,3}(?:are"
    r"|is)(?:[ \t]{1,3}as follows)?)?[ \t]{0,3}[:：=-]?\s{0,3}[^\s/|:,，、]{1,60}(?:[ \t]{0,3}[/|:,，、][ \t]{0,3}"
    r"|[ \t]{1,3}(?:and[ \t]{1,3})?)"
    r"(?P<value>[^\s\"'`，。；、]{4,100})"
)
#: "ssh root@10.0.0.1, pass …", "user bob pass …": then the word stands for a password.
_LOGIN_BEFORE = late_pattern(
    r"(?:\b(?:ssh|ftp|sftp|smtp|imap|vpn|mysql|psql|user(?:name)?|login|account|admin|root|host|server|router|wi-?fi|ssid|id)\b"
    r"|@)[^\n]{0,50}$",
    re.IGNORECASE,
)
_OPTION_BEFORE = late_pattern(r"(?:^|\s)--(?:[a-z]{1,12}-){0,3}$")


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _password(text: str, lowered: str, at: int) -> Iterator[_Span]:
    name = _PASSWORD_NAME.match(lowered, at)
    if name:
        known = _is_announced_password if name.end() - at > 4 else _is_after_pass
        yield from _named(text, at, name.end(), known, "password")
        if (used := _USED_AS.search(text, max(0, at - 60), at)) and _is_used(used, text[name.end() : name.end() + 40]):
            yield used.start("value"), used.end("value"), "password"


def _is_used(used: re.Match[str], rest: str) -> bool:
    """Only what a machine made is taken for a password where no "my" says so, or "is" may say something else of it."""
    sure = used["verb"] != "is" and re.search(r"[ \t](?:my|our|the)[ \t]", used[0][len(used["value"]) :])
    if sure:
        return is_password(used["value"], quoted=False, rest="word")
    machine_made = len(used["value"]) >= 8 and is_key(used["value"]) and "pass" not in used["value"].lower()
    return machine_made and ends_clause(rest) and not re.search(r"[ \t]an?[ \t]", used[0])


def _pw(text: str, lowered: str, at: int) -> Iterator[_Span]:
    end = at + 3 if lowered.startswith("pwd", at) else at + 2
    if not _is_latin(lowered[at - 1 : at]) and not _is_latin(lowered[end : end + 1]):
        yield from _named(text, at, end, _is_announced_password, "password")


def _secret(text: str, lowered: str, at: int) -> Iterator[_Span]:
    yield from _named(text, at, at + 6, _is_announced_key, "secret")


def _token(text: str, lowered: str, at: int) -> Iterator[_Span]:
    yield from _named(text, at, at + 5, _is_announced_key, "token")


def _credential(text: str, lowered: str, at: int) -> Iterator[_Span]:
    name = _CREDENTIALS.match(lowered, at)
    if not name or _is_latin(lowered[at - 1 : at]):
        return
    if pair := _USER_AND_PASSWORD.match(text, name.end()):
        value = without_end_marks(pair["value"])
        if is_key(value):
            yield pair.start("value"), pair.start("value") + len(value), "password"
            return
    yield from _named(text, at, name.end(), _is_announced_key, "secret")


def _key(text: str, lowered: str, at: int) -> Iterator[_Span]:
    before = lowered[max(0, at - 14) : at]
    if before.rstrip(" _-").endswith(_KEY_OF):
        yield from _named(text, at, at + 3, _is_announced_key, "api key")
    elif before.endswith("_") and text[at : at + 3] == "KEY":
        yield from _named(text, at, at + 3, _is_machine_made, "api key")


def _named(text: str, start: int, end: int, accept: Callable[[str, re.Match[str], str], bool], kind: str) -> Iterator[_Span]:
    """The value that a name (from ``start`` to ``end``) announces."""
    for pattern in (_ASSIGNED, _SAID, _CHANGED, _BESIDE):
        match = pattern.match(text, end)
        if not match or (pattern is _CHANGED and not _CHANGES.search(text, max(0, start - 40), start)):
            continue
        if pattern is _CHANGED and match["old"] and accept(_EARLIER, match, without_end_marks(match["old"])):
            yield match.start("old"), match.start("old") + len(without_end_marks(match["old"])), kind
        value, place = _value(match), match.start(_group(match))
        if value and accept(_how(text, start, match), match, value):
            yield place, place + len(value), kind
        return


#: How a value is given: after an option or in a setting of the shell; as a setting in setting; after "=" or ":"; said; beside the name.
_EXPORTED, _SETTING, _ASSIGNMENT, _STATEMENT, _EARLIER, _NEXT = "exported", "setting", "assigned", "said", "earlier", "beside"


def _how(text: str, start: int, match: re.Match[str]) -> str:
    if match.re is _SAID or match.re is _CHANGED:
        return _EARLIER if match.re is _SAID and match["dash"] else _STATEMENT
    before = text[max(0, start - 60) : start]
    if match.re is _BESIDE:
        return _EXPORTED if _OPTION_BEFORE.search(before) else _NEXT
    if match["sign"] == "=" and (_EXPORT.search(before) or _OPTION_BEFORE.search(before)):
        return _EXPORTED
    # As in a file of settings, X_TOKEN=…, and not the name of a constant in code, X_TOKEN = "…".
    setting = match["sign"] == "=" and not before[-1:].isalnum() and text[start : match.start("sign")].isupper()
    return _SETTING if setting and not text[match.end("sign")].isspace() else _ASSIGNMENT


def _group(match: re.Match[str]) -> str:
    return "bare" if match["bare"] is not None else "quoted" if match["quoted"] is not None else "cited"


def _value(match: re.Match[str]) -> str:
    value: str = match[_group(match)]
    if match["bare"] is None:
        return value
    if match.re is _ASSIGNED and match["sign"].startswith("="):
        # In addresses, forms and connection strings the next setting follows without a blank.
        value = re.split(r"[&;,]", value, maxsplit=1)[0]
    return without_end_marks(value)


def _rest(match: re.Match[str], value: str) -> str:
    start = match.start(_group(match)) + len(value)
    return match.string[start : start + 40]


def _on_its_own_line(match: re.Match[str], value: str) -> bool:
    """Whether a value on the line after its name has that line to itself."""
    if match.re not in (_ASSIGNED, _SAID) or not match["line_end"]:
        return True
    if match.re is _SAID and not is_key(value) and not (value.isdigit() and len(value) >= 6):
        return False
    return bool(re.match(r"[\"'`]?[ \t]*(?:\n|$)", _rest(match, value))) and bool(re.search(r"\d", value))


def _is_announced_password(how: str, match: re.Match[str], value: str) -> bool:
    if not _on_its_own_line(match, value):
        return False
    if how == _EXPORTED:
        return is_assigned_secret(value, exported=True)
    if how == _NEXT:
        machine_made = is_key(value) or (any(map(str.isdigit, value)) and is_password(value, quoted=False, rest="word"))
        return len(value) >= 6 and (value.isdigit() or machine_made) and ends_clause(_rest(match, value))
    if how == _EARLIER:
        return is_password(value, quoted=False, rest="word")
    return is_password(value, quoted=match["bare"] is None, rest=_rest(match, value))


def _is_after_pass(how: str, match: re.Match[str], value: str) -> bool:
    """ "pass" is a word of its own: "pass: 12, fail: 3", "the pass is 3 km away"."""
    if how == _NEXT and _LOGIN_BEFORE.search(match.string, max(0, match.start() - 70), match.start() - 4):
        return is_key(value) and ends_clause(_rest(match, value))
    if how in (_STATEMENT, _NEXT, _EARLIER) or value.isdigit():
        return how == _EXPORTED
    return how == _EXPORTED or is_password(value, quoted=match["bare"] is None, rest="word")


def _is_announced_key(how: str, match: re.Match[str], value: str) -> bool:
    if not _on_its_own_line(match, value):
        return False
    if how in (_EXPORTED, _SETTING):
        return is_assigned_secret(value, exported=how == _EXPORTED)
    if " " in value:
        return False
    return is_key(value) and (how != _NEXT or len(value) >= 16)


def _is_machine_made(how: str, match: re.Match[str], value: str) -> bool:
    """A name that says no more than "key" needs a value that says the rest."""
    return how in (_EXPORTED, _SETTING, _ASSIGNMENT) and is_key(value)


# --- PINs, codes, seed phrases ---------------------------------------------------------------------------------------------

_PIN = late_pattern(
    r"(?P<postal>[ -]?code)?(?:[ -]?(?:number|no\.?)|[码碼])?[\"']?[ \t]{0,3}(?P<says>is|was|[’']s|:|：|=|是|为|為)?[ \t]{0,3}[\"']?"
    r"(?P<value>\d{4,8})(?![\w.,:/-]*\d|[A-Za-z]|[ \t]?(?:位|个|個|pins?\b))"
)
_OWN = late_pattern(r"\b(?:my|our|his|her|card|bank|phone|sim|debit|credit|atm|new|the)[ \t]{1,3}$")
_CODE = late_pattern(
    r"(?: number)?[\"']?[ \t]{0,3}(?:is|was|[’']s|:|：|=|是|为|為)?[ \t]{0,3}[\"']?(?P<value>[a-z]-\d{6}|\d{3,4}[ -]\d{3,4}|\d{3,8}[#*]?)"
    r"(?![\w.,-]*\d|[A-Za-z]|[ \t]?(?:位|个|個|digit|minute|hour|day|sec|year|month|分|秒|天|小时))"
)
_SEED = late_pattern(
    r"(?:phrase|mnemonic|助记词|助記詞)[ \t]{0,3}(?:is|are|是|为)?[ \t]{0,3}[:：=]?\s{0,3}[\"'“]?"
    r"(?P<value>(?:[a-z]{3,8}[ ,\n]{1,2}){11,23}[a-z]{3,8})(?![a-z])"
)
#: Words that no list of seed words has and most sentences do.
_NO_SEED_WORD = late_pattern(r"\b(?:the|and|are|was|not|for|with|should|have|has|your)\b")


def _pin(text: str, lowered: str, at: int) -> Iterator[_Span]:
    if lowered[at - 1 : at].isalpha() and lowered[at - 1 : at].isascii():
        return
    match = _PIN.match(lowered, at + 3)
    # Six digits after "PIN code" are a postal code in India.
    if match and not (match["postal"] and len(match["value"]) == 6) and (match["says"] or _OWN.search(lowered[max(0, at - 12) : at])):
        yield match.start("value"), match.end("value"), "pin"


def _code(text: str, lowered: str, at: int) -> Iterator[_Span]:
    before = lowered[max(0, at - 16) : at].rstrip(" -")
    match = _CODE.match(lowered, at + 4) if before.endswith(_CODE_OF) else None
    if match:
        yield match.start("value"), match.end("value"), "code"


def _short_code(text: str, lowered: str, at: int) -> Iterator[_Span]:
    """OTP, CVV, CVC."""
    if not (lowered[at - 1 : at].isalpha() and lowered[at - 1 : at].isascii()) and (match := _CODE.match(lowered, at + 3)):
        yield match.start("value"), match.end("value"), "code"


def _seed(text: str, lowered: str, at: int) -> Iterator[_Span]:
    match = _SEED.match(lowered, at)
    if match and not _NO_SEED_WORD.search(match["value"]):
        yield match.start("value"), match.end("value"), "seed phrase"


_READERS: dict[str, Callable[[str, str, int], Iterator[_Span]]] = {
    "pass": _password,
    "pw": _pw,
    "secret": _secret,
    "token": _token,
    "key": _key,
    "cred": _credential,
    "pin": _pin,
    "code": _code,
    "otp": _short_code,
    "cvv": _short_code,
    "cvc": _short_code,
    "mnemonic": _seed,
    "phrase": _seed,
}


# --- Chinese ---------------------------------------------------------------------------------------------------------------

_CHINESE = late_pattern(
    r"(?:(?P<password>密码|密碼|口令|通行碼|提取码|提取碼|授权码|授權碼)|(?P<key>密钥|密鑰|秘钥|金鑰|令牌)|(?P<code>验证码|驗證碼"
    r"|动态码|校验码|安全码|门锁码)"
    r"|(?P<seed>助记词|助記詞))"
)
_CHINESE_VALUE = late_pattern(
    r"(?P<says>[ \t]{0,3}(?:我|现在|現在|目前|已经|已|都|也|应该|就|又|刚){0,3}"
    r"(?:改成|改为|改為|设成|設成|设为|设置为|設為|换成|換成|是|为|為|叫|[:：=＝]){1,2}[了的]?[:：]?)?[ \t]{0,3}"
    r"(?:[“「『\"'‘](?P<quoted>[^“”「」『』\"'‘’\n]{1,60})[”」』\"'’]"
    r"|(?:(?P<between>[\u3400-\u9fff]{1,8}?)[:：]?)?(?P<bare>[!-~\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]{4,200}))"
)
#: "账号 admin 密码 admin": what stands beside is the value.
_ACCOUNT = late_pattern(r"(?:账号|账户|用户名|帐号|帳號|使用者名稱|user(?:name)?)\W{0,3}[\w@.-]{1,20}\W{0,3}$", re.IGNORECASE)


#: "把 … 设为密码".
_CHINESE_USED_AS = late_pattern(
    r"(?P<value>[!-~]{4,60}?)[\"'”」』]?[ \t]{0,2}(?:就?是|设为|设成|设置为|设置成|設為|設成|作为|作為|当作?|當作?|做|用作|用来当"
    r"|改成|定为)"
    r"(?:了|我|你|的|我们|新|登录|登陆|账号|账户|开机|银行|支付|wifi|WiFi|Wi-Fi|WIFI){0,4}$"
)
#: "账号密码：bob / …".
_CHINESE_PAIR = late_pattern(
    r"(?:是|为|分别是|如下)?[ \t]{0,2}[:：]?\s{0,3}[\w@.+-]{1,40}[ \t]{0,3}[/|,，、和 ][ \t]{0,3}(?P<value>[!-~]{4,60})"
)
_CHINESE_ACCOUNT = ("账号", "账户", "帐号", "帳號", "用户名", "账号和", "用户名和", "账号与", "账号及", "用户名、", "账号、", "账号/")
_CHINESE_NEXT_LINE = late_pattern(r"(?:是|为|為|就是|如下|[:：]){1,2}[ \t]{0,3}\r?\n[ \t]{0,8}(?P<value>[!-~]{6,100})[ \t]*(?=\r?\n|$)")


def _chinese(text: str) -> Iterator[_Span]:
    for name in _CHINESE.finditer(text):
        if name["password"]:
            yield from _chinese_other_orders(text, name.start(), name.end())
        if name["code"]:
            if match := _CODE.match(text, name.end()):
                yield match.start("value"), match.end("value"), "code"
        elif name["seed"]:
            yield from _seed(text, text, name.start())
        elif match := _CHINESE_VALUE.match(text, name.end()):
            group = "bare" if match["quoted"] is None else "quoted"
            value = match[group] if group == "quoted" else without_end_marks(match[group])
            start, key = match.start(group), bool(name["key"])
            says = bool(match["says"]) or bool(_ACCOUNT.search(text, max(0, name.start() - 24), name.start()))
            rest = text[start + len(value) : start + len(value) + 40]
            between = match["between"] or ""
            if is_chinese_secret(value, says=says, between=between, quoted=group == "quoted", key=key, rest=rest):
                yield start, start + len(value), "api key" if key else "password"


def _chinese_other_orders(text: str, start: int, end: int) -> Iterator[_Span]:
    """The value before the name, behind an account, or on the next line."""
    if (used := _CHINESE_USED_AS.search(text, max(0, start - 80), start)) and is_key(used["value"]):
        yield used.start("value"), used.end("value"), "password"
    pair = _CHINESE_PAIR.match(text, end) if text[max(0, start - 4) : start].endswith(_CHINESE_ACCOUNT) else None
    for match in (pair, _CHINESE_NEXT_LINE.match(text, end)):
        value = without_end_marks(match["value"]) if match else ""
        if match and is_key(value):
            yield match.start("value"), match.start("value") + len(value), "password"
