"""Reads a request of the OpenAI-compatible interface: whose it is, which conversation it goes on with, and what memory is to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from pagefile.errors import InputError
from pagefile.exchange import MODES, Mode
from pagefile.settings import Settings
from pagefile.tools.sets import TOOLSETS, ToolsetName

#: Where front ends that know of us, or do not, say who is asking and in which chat; the first that is there counts.
_USER_HEADERS = ("x-pagefile-user", "x-openwebui-user-id")
_TENANT_HEADERS = ("x-pagefile-tenant",)
_SESSION_HEADERS = ("x-pagefile-session", "x-openwebui-chat-id")
#: JSON deeper than this is nobody's message.
_MOST_DEEP = 100
#: Other names of the modes.
_ALIASES = {"learn+recall": "recall+learn", "on": "recall+learn", "default": "recall+learn", "both": "recall+learn", "none": "off"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a request asks of memory."""

    #: None: the key's own user.
    user: str | None
    #: None: the key's own tenant.
    tenant: str | None
    #: None: the conversation is recognised by its content.
    session: str | None
    mode: Mode
    #: Whether the mode was asked for in this request.
    mode_given: bool
    #: The set of memory's tools that the model is offered; None: none.
    tools: ToolsetName | None


def parsed(data: bytes) -> dict[str, Any] | None:
    """The body as a JSON object; None: it is none, and the endpoint has to say so. Raises HTTPException 422 if it is nested too deep."""
    try:
        body = json.loads(data)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    if _is_deep(body):
        raise _too_deep()
    return body


def _is_deep(value: Any) -> bool:
    """Walked level by level, without recursion."""
    level = [value]
    for _ in range(_MOST_DEEP):
        level = [one for each in level for one in (each.values() if isinstance(each, dict) else each) if isinstance(one, dict | list)]
        if not level:
            return False
    return True


def _too_deep() -> HTTPException:
    return HTTPException(422, f"the body is nested more than {_MOST_DEEP} deep, which no program makes sense of; nothing was asked")


def wanted(headers: Headers, body: Mapping[str, Any], settings: Settings) -> Wanted:
    """What the headers, the ``metadata`` and the ``user`` of a request say, in this order. Raises InputError."""
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    user = _header(headers, _USER_HEADERS) or _text(metadata, "user_id") or _text(body, "user")
    session = _header(headers, _SESSION_HEADERS) or _text(metadata, "session_id")
    mode = _header(headers, ("x-pagefile-mode",)) or _text(metadata, "pagefile_mode")
    tools = _header(headers, ("x-pagefile-tools",)) or _text(metadata, "pagefile_tools") or settings.proxy_tools
    return Wanted(
        user=user,
        tenant=_header(headers, _TENANT_HEADERS),
        session=session,
        mode=_mode(mode or settings.proxy_mode, "X-Pagefile-Mode" if mode else "PAGEFILE_PROXY_MODE"),
        mode_given=mode is not None,
        tools=_tools(tools),
    )


def _mode(value: str, where: str) -> Mode:
    plain = value.strip().lower().replace(" ", "")
    plain = _ALIASES.get(plain, plain)
    for mode in MODES:
        if plain == mode:
            return mode
    raise InputError(f"{where} is {value!r:.80}, which is no mode; use one of {', '.join(MODES)}")


def _tools(value: str) -> ToolsetName | None:
    plain = value.strip().lower()
    if plain in ("", "off", "none"):
        return None
    for name in TOOLSETS:
        if plain == name:
            return name
    raise InputError(f"X-Pagefile-Tools is {value!r:.80}, which is no set of tools; use off or one of {', '.join(TOOLSETS)}")


def _header(headers: Headers, names: tuple[str, ...]) -> str | None:
    """The value of the first of these headers that is there, percent-decoded. Raises InputError."""
    for name in names:
        value = headers.get(name)
        if value is None or not value.strip():
            continue
        try:
            # Clients that write other letters than ASCII into a header mean UTF-8.
            return unquote_to_bytes(value.strip().encode("latin-1")).decode("utf-8")
        except UnicodeError as error:
            raise InputError(f"the header {name} is no UTF-8; percent-encode it, as encodeURIComponent does") from error
    return None


def _text(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) and value.strip() else None
