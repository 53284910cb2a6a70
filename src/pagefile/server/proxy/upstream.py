"""The endpoint that requests are passed on to: where it is, what is sent along, and what comes back from it to the client."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
from starlette.datastructures import Headers

from pagefile.errors import ModelUnavailable
from pagefile.memory import AsyncMemory
from pagefile.models.failures import is_loopback, shown_url
from pagefile.models.ollama import OllamaModel
from pagefile.models.openai import OPENAI_URL, OpenAIModel
from pagefile.settings import Settings

#: Seconds to connect, and of silence: a local model may read a long prompt for minutes before its first word.
_CONNECT, _SILENCE = 10.0, 900.0
#: Of one connection alone, or said by us anew.
_NEVER = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "trailers"),
        *("transfer-encoding", "upgrade", "content-length"),
    }
)
#: What of a request's headers an endpoint needs. All else may tell it of the client, of the network behind us, or of a key.
_SENT = frozenset(
    {
        *("accept", "accept-language", "content-type", "content-encoding", "user-agent", "idempotency-key", "http-referer", "x-title"),
        *("traceparent", "tracestate", "x-request-id", "x-client-request-id"),
    }
)
_SENT_TOO = re.compile(r"(?:openai|anthropic|x-stainless)-(?!.*(?:key|token|secret|auth))[a-z0-9-]+")
#: Of a client's own account at the endpoint: sent along with the client's own key alone.
_OF_ACCOUNT = ("openai-organization", "openai-project")
#: Of a reply besides: the endpoint's cookies and what holds for its host.
_NOT_PASSED = _NEVER | {"set-cookie", "server", "date", "alt-svc", "strict-transport-security", "content-encoding", "www-authenticate"}
_OURS = re.compile(r"x-(?:pagefile|openwebui|forwarded)-")
#: Keys that clients send where none is needed.
_PLACEHOLDER = re.compile(
    r"(?i)\W*(?:none|null|no[-_ ]?key.*|not[-_ ]?needed|dummy|ollama|lm-?studio|empty|x+|test|key|pf_.*|"
    r"sk-(?:no|x+|dummy|none|test|any|fake|1234)\b.*)\W*"
)


def open_upstream(memory: AsyncMemory, settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient | None:
    """A client of the endpoint of the memory's model, else of the one that the settings name; None: there is none. Nothing is asked yet."""
    found = _endpoint(memory, settings)
    if found is None:
        return None
    url, key = found
    return httpx.AsyncClient(
        # Everybody's requests go through it: what an endpoint sets for one must not go along with those of another.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        base_url=url.rstrip("/"),
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=httpx.Timeout(_SILENCE, connect=_CONNECT, pool=None),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=64, keepalive_expiry=60.0),
        # A proxy cannot reach the loopback of this machine; a redirect could carry the conversation to a host nobody configured.
        trust_env=not is_loopback(url),
        follow_redirects=False,
        transport=transport,
    )


def _endpoint(memory: AsyncMemory, settings: Settings) -> tuple[str, str | None] | None:
    model = memory.model
    if isinstance(model, OllamaModel):
        return f"{model.base_url.rstrip('/').removesuffix('/v1')}/v1", model.api_key
    if isinstance(model, OpenAIModel):
        return model.base_url, model.api_key
    if settings.model == "offline":
        return None
    if settings.base_url:
        return settings.base_url, settings.api_key
    if settings.openai_base_url or settings.openai_api_key:
        return settings.openai_base_url or OPENAI_URL, settings.openai_api_key
    return None


def headers_to_send(headers: Headers, *, upstream: httpx.AsyncClient, open_door: bool) -> dict[str, str]:
    """What of a client's headers goes to the endpoint. Our keys never do; the client's own key does where the server asks for none of ours
    (``open_door``) and has none for the endpoint."""
    sent = {name: value for name, value in headers.items() if _goes_on(name)}
    # What is read along must not be packed.
    sent["accept-encoding"] = "identity"
    if "authorization" not in upstream.headers and open_door and (own := _own_key(headers)):
        sent["authorization"] = own
        sent |= {name: headers[name] for name in _OF_ACCOUNT if name in headers}
    return sent


def _goes_on(name: str) -> bool:
    return name in _SENT or (name not in _OF_ACCOUNT and _SENT_TOO.fullmatch(name) is not None)


def _own_key(headers: Headers) -> str | None:
    kind, _, key = headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not key.strip() or _PLACEHOLDER.fullmatch(key.strip()):
        return None
    return f"Bearer {key.strip()}"


def headers_to_pass(headers: httpx.Headers, *, upstream: httpx.AsyncClient) -> list[tuple[str, str]]:
    """What of an endpoint's headers goes to the client; each byte of them as one letter, whatever they are written in."""
    every = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers.raw)
    return [(name, without_key(value, upstream)) for name, value in every if name not in _NOT_PASSED and not _OURS.match(name)]


def key_of(upstream: httpx.AsyncClient) -> str:
    """The key that is sent to the endpoint; empty: none."""
    return str(upstream.headers.get("authorization", "")).removeprefix("Bearer ")


def without_key(text: str, upstream: httpx.AsyncClient) -> str:
    """A text of the endpoint's, which may repeat the key that it was sent."""
    key = key_of(upstream)
    return text.replace(key, "[key]") if len(key) >= 8 else text


def unreachable(error: Exception, upstream: httpx.AsyncClient) -> ModelUnavailable:
    """What a client is told when the endpoint cannot be asked."""
    where = shown_url(str(upstream.base_url))
    if isinstance(error, httpx.TimeoutException):
        return ModelUnavailable(f"{where} did not answer in time. Is it overloaded, or still loading the model? Try again later")
    told = without_key(str(error) or type(error).__name__, upstream)
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return broke_off(upstream, told)
    return ModelUnavailable(f"could not reach {where}: {told}. Is it running, and is PAGEFILE_BASE_URL right? Try again later")


def broke_off(upstream: httpx.AsyncClient, why: str) -> ModelUnavailable:
    """What a client is told when the endpoint began an answer of which nothing came."""
    where = shown_url(str(upstream.base_url))
    return ModelUnavailable(f"{where} broke off before it had answered anything: {why}. Is it overloaded? Try again later")


def no_answer(status: int, upstream: httpx.AsyncClient) -> ModelUnavailable:
    """What a client is told when the endpoint answers with what is no status."""
    where = shown_url(str(upstream.base_url))
    return ModelUnavailable(f"{where} answered with HTTP {status}, which means nothing. Is PAGEFILE_BASE_URL right?")


def encoded(headers: Iterable[tuple[str, str]], more: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI takes them."""
    own = {name.lower() for name in more}
    pairs = [*((name, value) for name, value in headers if name.lower() not in own), *more.items()]
    return [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in pairs]
