"""Secrets that are known by their form: keys of services, tokens, private keys, passwords in URLs. Pure; part of ``secrets``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.language.secret_values import is_key, is_placeholder, without_end_marks

_Span = tuple[int, int, str]

#: Every key has a run of letters and digits this long at its beginning, or near it. Most messages have none: that is all they cost.
_RUN = late_pattern(r"[A-Za-z0-9_-]{12,}")
_FORM = late_pattern(
    r"(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{16,255}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|LTAI[A-Za-z0-9]{12,26}|AKID[A-Za-z0-9]{13,40}"
    r"|AIza[A-Za-z0-9_-]{30,60}|GOCSPX-[A-Za-z0-9_-]{20,60}"
    r"|hf_[A-Za-z0-9]{16,60}|npm_[A-Za-z0-9]{20,60}|gsk_[A-Za-z0-9]{20,80}|xai-[A-Za-z0-9]{20,120}|pplx-[A-Za-z0-9]{20,80}"
    r"|[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/]{16,100}|dop_v1_[a-f0-9]{32,80}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    r"|dckr_pat_[A-Za-z0-9_-]{20,60}|glsa_[A-Za-z0-9]{20,40}_[a-f0-9]{8}|lin_api_[A-Za-z0-9]{30,60}|ntn_[A-Za-z0-9]{30,60}|sbp_[a-f0-9]{40}"
    r"|figd_[A-Za-z0-9_-]{30,60}|AGE-SECRET-KEY-1[A-Z0-9]{40,70}|SK[a-f0-9]{32}|lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{10}"
    r"|r8_[A-Za-z0-9]{30,50}|pf_[a-z2-7]{8}_[a-z2-7]{40,60})(?![A-Za-z0-9])"
)
#: The rest of these may have hyphens, as names of things have: it must look like a key, too.
_HYPHENATED = late_pattern(
    r"(?:sk-(?:proj-|ant-(?:api\d\d-|admin\d\d-)?|svcacct-|admin-|or-v1-)?|gl(?:pat|ptt|dt|rt|cbt|oas|soat|ft|imt|agent)-"
    r"|xox[abeoprs]-|xapp-|pypi-|nvapi-|tvly-|PMAK-)(?P<rest>[A-Za-z0-9_-]{10,400})"
)
_JWT = late_pattern(r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}")
#: First three characters of all of these: what else a run may begin with is not looked at any further.
_HEADS = frozenset(
    (
        *("ghp", "gho", "ghu", "ghs", "ghr", "git", "AKI", "ASI", "ABI", "ACC", "LTA", "AIz", "GOC", "hf_", "npm", "gsk"),
        *("xai", "ppl", "sk_", "rk_", "whs", "dop", "shp", "dck", "gls", "lin", "ntn", "sbp", "fig", "AGE", "lsv", "r8_", "pf_"),
        *("sk-", "glp", "gld", "glr", "glc", "glo", "gla", "glf", "gli", "xox", "xap", "pyp", "nva", "tvl", "PMA", "eyJ"),
    )
)
#: The secret half of a pair is often given right behind the other half.
_PAIR = late_pattern(r"[^A-Za-z0-9]{1,4}(?:[A-Za-z_ ]{1,30}[^A-Za-z0-9]{1,4})?(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])")
#: Those with another mark after their first letters.
_DOTTED = late_pattern(
    r"(?<![A-Za-z0-9])(?:SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}|ya29\.[A-Za-z0-9_-]{20,300}|hvs\.[A-Za-z0-9_-]{20,255})"
)
_TELEGRAM = late_pattern(r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{30,40}(?![A-Za-z0-9_-])")
_AZURE = late_pattern(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])")

_AUTHORIZATION = late_pattern(
    r"(?:bearer|authorization[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?(?:bearer|basic|token|apikey|digest|negotiate)?)[ \t]{1,3}[\"']?"
    r"(?P<value>[A-Za-z0-9._~+/-]{8,4000}={0,2})",
    re.IGNORECASE,
)
_URL_PASSWORD = late_pattern(r"://[^\s:/@?#\"'<>]{0,100}:(?P<value>[^\s/\"'<>]{1,200})@(?=[\w.\[-])")
_WEBHOOK = late_pattern(
    r"://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w{1,10}\.)?discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/"
    r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/"
    r"|oapi\.dingtalk\.com/robot/send\?access_token=|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key="
    r")(?P<value>[^\s\"'<>()（），。；、…\[\]]{8,400})"
)
_SIGNATURE = late_pattern(r"[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=(?P<value>[A-Za-z0-9%+/=_-]{16,600})")
_USER_OPTION = late_pattern(r"(?<=\s)(?:-u|--user|--proxy-user)[ =][\"']?[^\s:\"']{1,100}:(?P<value>[^\s\"']{3,200})")


def find(text: str) -> Iterator[_Span]:
    """Start, end and kind of each."""
    for run in _RUN.finditer(text):
        start = run.start()
        if text[start : start + 3] in _HEADS:
            yield from _at(text, start)
        elif start and text[start - 1] in ".:~":
            yield from _behind_a_mark(text, start)
    if "://" in text:
        yield from _in_addresses(text)
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "earer " in text or "uthorization" in text or "AUTHORIZATION" in text or "BEARER " in text:
        yield from _values(_AUTHORIZATION, text, "token")
    if "curl" in text:
        for match in _USER_OPTION.finditer(text):
            if not is_placeholder(match["value"]):
                yield match.start("value"), match.end("value"), "password"


#: A terminal or a mail broke the key: its rest has the next line to itself.
_WRAPPED = late_pattern(r"\r?\n[ \t]{0,4}(?P<rest>[A-Za-z0-9_-]{4,100})(?=[\s,;.\"'`]|$)")
_RUN_AT = late_pattern(r"[A-Za-z0-9_-]+")


def _at(text: str, start: int) -> Iterator[_Span]:
    run = _RUN_AT.match(text, start, start + 300)
    wrapped = _WRAPPED.match(text, run.end()) if run else None
    if run and wrapped and (is_key(wrapped["rest"]) or (re.search(r"\d", wrapped["rest"]) and re.search(r"[A-Za-z]", wrapped["rest"]))):
        whole = run[0] + wrapped["rest"]
        if any(end - begin > len(run[0]) for begin, end, _ in _unbroken(whole, 0) if begin == 0):
            yield start, wrapped.end(), "api key"
            return
    yield from _unbroken(text, start)


def _unbroken(text: str, start: int) -> Iterator[_Span]:
    if match := _FORM.match(text, start):
        yield start, match.end(), "api key"
        if pair := _PAIR.match(text, match.end()):
            yield pair.start("secret"), pair.end("secret"), "api key"
    elif match := _HYPHENATED.match(text, start):
        rest = match["rest"].rstrip("-_")
        # "sk-" begins words as well; the others are taken at their word if there is a digit in them.
        if len(rest) >= 10 and (is_key(rest) or (not text.startswith("sk-", start) and re.search(r"\d{2}", rest))):
            yield start, match.start("rest") + len(rest), "api key"
    elif match := _JWT.match(text, start):
        yield start, match.end(), "token"


def _behind_a_mark(text: str, start: int) -> Iterator[_Span]:
    for pattern, before in ((_DOTTED, 5), (_TELEGRAM, 11), (_AZURE, 40)):
        if match := pattern.search(text, max(0, start - before), start + 400):
            yield match.start(), match.end(), "api key"


def _in_addresses(text: str) -> Iterator[_Span]:
    if "@" in text:
        for match in _URL_PASSWORD.finditer(text):
            if not is_placeholder(match["value"]):
                yield match.start("value"), match.end("value"), "password"
    for match in _WEBHOOK.finditer(text):
        value = without_end_marks(match["value"])
        if not is_placeholder(value):
            yield match.start("value"), match.start("value") + len(value), "webhook"
    yield from _values(_SIGNATURE, text, "token")


def _values(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[_Span]:
    for match in pattern.finditer(text):
        value = without_end_marks(match["value"])
        if is_key(value):
            yield match.start("value"), match.start("value") + len(value), kind


# --- private keys ---------------------------------------------------------------------------------------------------------

_BEGIN = late_pattern(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = late_pattern(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
#: Base64 as it stands between them: in lines, on one line, with escaped line ends, quoted; and the headers that old keys have.
_BODY = late_pattern(
    r"(?:\\{1,2}[nrt]|[A-Za-z0-9+/=]{16,}|[\s>|\"',+\\]|(?<=\n)(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n]{0,100}\n"
    r"|(?<=[\nn])[A-Za-z0-9+/=]+(?=[\s\"'\\-]|$))*"
)
_BASE64 = late_pattern(r"[A-Za-z0-9+/=]{16}")
_BASE64_LINE = late_pattern(r"[ \t>|]*[A-Za-z0-9+/=]{16,100}[ \t\r]*")
_LAST_LINE = late_pattern(r"[ \t>|]*[A-Za-z0-9+/=]{1,100}[ \t\r]*")
#: No private key is longer.
_LONGEST = 20_000


def _private_keys(text: str) -> Iterator[_Span]:
    at = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < at:
            continue
        body = _BODY.match(text, begin.end(), begin.end() + _LONGEST)
        at = body.end() if body else begin.end()
        inside = text[begin.end() : at]
        if end := _END.match(text, at):
            at = end.end()
            yield begin.start(), at, "private key"
        elif _BASE64.search(inside):
            # Cut off: the key may go on until it ends.
            yield begin.start(), begin.end() + len(inside.rstrip(" \t\r\n\"',>|\\")), "private key"
    for end in _END.finditer(text, at):
        yield from _last_lines(text, end.start(), end.end())


def _last_lines(text: str, start: int, stop: int) -> Iterator[_Span]:
    """A private key of which only the last lines were pasted."""
    end_mark, least = start, max(0, start - _LONGEST)
    while start > least:
        line_start = text.rfind("\n", least, start - 1) + 1
        if not (_LAST_LINE if start == end_mark else _BASE64_LINE).fullmatch(text, line_start, start - 1):
            break
        start = line_start
    if _BASE64.search(text, start, end_mark):
        yield start, stop, "private key"
