"""What went wrong at an endpoint, as an error of ours, and whether to try again. The only place that reads the client's errors."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit, urlunsplit

from pagefile.errors import ContextExceeded, ModelError, ModelRefused, ModelUnavailable
from pagefile.models.replies import ReplyBroken

_LONGEST_QUOTE = 600
#: Shorter keys ("x", "none", "ollama") are placeholders for servers that want any; taken out of a sentence they would leave it unreadable.
_SHORTEST_SECRET = 8
_CONTEXT = re.compile(
    r"(?i)context[_ -]?(length|window|size)|maximum context|too many (input )?tokens|(prompt|input) is too long|exceed_context|"
    r"exceeds? the (model's )?max(imum)? (input|number of tokens)|reduce the length of the (messages|input|prompt)|"
    r"上下文长度|超过.{0,12}最大长度"
)
#: Form of a conversation → how chat templates say that they do not know it.
_FORMS = {
    "neighbours": r"roles? (must|should|need to|have to)\b.{0,20}\balternat|角色.{0,10}交替",
    "system": r"system (role|message|prompt|instruction)s?\b.{0,30}not (supported|allowed|enabled|permitted)|"
    r"(does not|doesn't) support .{0,20}\bsystem\b|only user and assistant roles are supported|developer instruction is not enabled|"
    r"不支持.{0,6}system|system.{0,6}不支持",
}
#: Optional field of a body → how endpoints say that they do not take it.
_REFUSALS = {
    "response_format": r"response_format|json_schema|json schema|structured outputs?|guided_(json|decoding)|grammar",
    "tools": r"does not support (tools|function|tool)|tool use|tools? (is|are) not supported|enable-auto-tool-choice|tools param requires",
    "stream_options": r"stream_options|include_usage",
    "temperature": r"temperature",
    "max_tokens": r"\bmax_tokens\b",
}
_NOT_TAKEN = re.compile(
    r"(?i)support|unrecogni|unknown|unexpected|not permitted|extra (field|input)|not allowed|only the default|requires|enable-auto"
)
_QUOTA = re.compile(r"(?i)insufficient[_ ](quota|balance)|billing|余额不足|欠费")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error to raise, or to try again after."""

    error: ModelError
    #: None when ``error`` must not show what caused it (it would show the key).
    cause: BaseException | None
    again: bool = False
    #: Seconds the endpoint asked to wait.
    wait: float | None = None
    #: What the endpoint does not take and a request can do without: a field of the body, or a form of the conversation.
    refused: str | None = None
    #: The HTTP status, where another form of the request may help.
    status: int | None = None


def shown_url(url: str) -> str:
    """A URL for people: without a user, password or query, which may hold secrets."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def failure_of(error: Exception, *, url: str, key: str | None, said: str = "") -> Failure:
    """Translate an error of the client, of HTTP or of the reply. ``said``: the text that was given out before it."""
    key = key if key and len(key) >= _SHORTEST_SECRET else None
    words = _hidden(_words(error), key)
    failure = _failure(error, words, url=url, key=key, said=said)
    # Nothing can be asked anew once something was said, and no other form makes a request shorter.
    final = bool(said) or isinstance(failure.error, ContextExceeded)
    return failure if final else replace(failure, refused=_refused(words), status=getattr(error, "status_code", None))


def _failure(error: Exception, words: str, *, url: str, key: str | None, said: str) -> Failure:
    status = getattr(error, "status_code", None)
    cause = None if key and key in f"{error} {error.__cause__}" else error
    where = shown_url(url)
    if said:
        tail = said[-60:].replace("\n", " ")
        text = f"the reply of {where} broke off after {len(said)} characters (“…{tail}”): {words}. Ask again"
        return Failure(error=ModelUnavailable(text), cause=cause)
    if _CONTEXT.search(f"{words} {_code(error)}") and status != 429:
        text = f"{where} refused a request that is longer than the model's context window: {words}. Set a smaller context window"
        return Failure(error=ContextExceeded(text), cause=cause)
    if isinstance(status, int):
        passes = (status in {408, 409, 429} or status >= 500) and not _QUOTA.search(f"{words} {_code(error)}")
        headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
        return _status_failure(status, words, where, cause, headers, passes=passes)
    if isinstance(error, ReplyBroken):
        return Failure(error=ModelUnavailable(f"{where} gave no whole reply: {words}. Try again"), cause=cause, again=True)
    if type(error).__name__ == "APITimeoutError":
        text = f"{where} did not answer in time. Is it overloaded, or still loading the model? A longer wait can be set (Patience)"
        return Failure(error=ModelUnavailable(text), cause=cause)
    if isinstance(error, ValueError):
        text = f"{where} sent something that cannot be read ({words}). Is it an OpenAI-compatible endpoint, and does the URL end in /v1?"
        return Failure(error=ModelUnavailable(text), cause=cause, again=True)
    return Failure(error=ModelUnavailable(f"could not reach {where}: {words}. {_reach_hint(url)}"), cause=cause, again=True)


def back_off(attempt: int, *, first: float, longest: float) -> float:
    """Seconds to wait after the given attempt (0, 1 …): doubled each time, with a quarter of jitter, so that clients spread out."""
    return float(min(longest, first * 2.0**attempt) * random.uniform(0.75, 1.0))


def _status_failure(
    status: int, words: str, where: str, cause: BaseException | None, headers: Mapping[str, str], *, passes: bool
) -> Failure:
    if passes:
        text = f"{where} kept failing with HTTP {status}: {words}. Try again later"
        return Failure(error=ModelUnavailable(text), cause=cause, again=True, wait=_retry_after(headers))
    text = f"{where} refused the request with HTTP {status}: {words}. {_status_hint(status, headers)}"
    return Failure(error=ModelRefused(text), cause=cause)


def _refused(words: str) -> str | None:
    known = {**_FORMS, **_REFUSALS} if _NOT_TAKEN.search(words) else _FORMS
    return next((name for name, how in known.items() if re.search(f"(?i){how}", words)), None)


def _status_hint(status: int, headers: Mapping[str, str]) -> str:
    if 300 <= status < 400:
        return f"It sends elsewhere ({shown_url(headers.get('location', '?'))}); if you trust that address, give it as the base URL"
    return {
        401: "Check the API key",
        402: "Check the account",
        403: "Check the API key and what it may use",
        404: "Check the name of the model, and that the base URL is right (most end in /v1)",
        429: "Check the account's quota",
    }.get(status, "Check the model and its settings")


def _reach_hint(url: str) -> str:
    if is_loopback(url):
        return (
            "Is the server running? Inside a container, localhost is the container itself: use host.docker.internal (Docker) or the "
            "server's name instead"
        )
    return "Check the address and the network"


def tells_of_form(words: str) -> bool:
    """Whether an endpoint says that it does not know the order or the roles of the messages."""
    return any(re.search(f"(?i){how}", words) for how in _FORMS.values())


def tells_of_context(words: str) -> bool:
    """Whether an endpoint says that a request is too long."""
    return _CONTEXT.search(words) is not None


def is_loopback(url: str) -> bool:
    """Whether a URL stays on this machine."""
    host = (urlsplit(url).hostname or "").lower()
    return host in {"localhost", "::1", "0.0.0.0"} or re.fullmatch(r"127(\.\d{1,3}){3}", host) is not None or host.endswith(".localhost")


def _words(error: Exception) -> str:
    """The endpoint's own words where it said any, else those of the lowest error."""
    body = error.details if isinstance(error, ReplyBroken) else getattr(error, "body", None)
    for _ in range(3):  # {"error": {"message": {…}}} and the like
        if not isinstance(body, Mapping):
            break
        body = next((body[key] for key in ("message", "error", "detail", "msg") if body.get(key)), str(dict(body)))
    if isinstance(body, str) and body.lstrip().startswith("<"):
        body = re.sub(r"<[^>]*>|\s+", " ", body)
    lowest: BaseException = error
    while lowest.__cause__ is not None:
        lowest = lowest.__cause__
    text = " ".join(str(body or lowest or type(lowest).__name__).split()) or type(lowest).__name__
    return text[:_LONGEST_QUOTE].rstrip(". ")


def _code(error: Exception) -> str:
    told = error.details if isinstance(error, ReplyBroken) else {"code": getattr(error, "code", None)}
    return str(told.get("code") or told.get("type") or "") if isinstance(told, Mapping) else ""


def _hidden(text: str, key: str | None) -> str:
    return text.replace(key, "[key]") if key else text


def _retry_after(headers: Mapping[str, str]) -> float | None:
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(seconds)) if seconds else None
    except ValueError:
        pass  # not a number: it may be a date
    try:
        return max(0.0, parsedate_to_datetime(seconds or "").timestamp() - time.time())
    except ValueError:
        return None
