"""Structured logs on standard error: one JSON object a line. Never what anybody said, and no secrets."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, TextIO, TypeAlias

import pagefile.records as records
from pagefile.errors import SettingsError
from pagefile.language.secrets import redact

LogForm: TypeAlias = Literal["json", "text", "off"]

_HASH_LETTERS = 12


class UserNames:
    """Gives each user a name for the log that tells lines of one user from those of others, but not who it is; another with each start."""

    def __init__(self, salt: bytes | None = None) -> None:
        self._salt = salt or secrets.token_bytes(16)

    def of(self, scope: records.Scope) -> str:
        """The name in the log of the user of this scope."""
        text = json.dumps([scope.tenant, scope.user])
        return hmac.new(self._salt, text.encode("utf-8"), hashlib.sha256).hexdigest()[:_HASH_LETTERS]


def form_of(setting: str) -> LogForm:
    """Raises SettingsError."""
    for known in ("json", "text", "off"):
        if setting == known:
            return known
    raise SettingsError(f"the setting request_log must be json, text or off, not {setting!r:.80}")


class _Private(logging.Formatter):
    """Of what a line is about only numbers and kinds of errors are told: texts, and messages of errors, may have a user's words."""

    def told(self, record: logging.LogRecord) -> str:
        arguments = record.args if isinstance(record.args, tuple) else (record.args,) if record.args else ()
        try:
            text = str(record.msg) % tuple(_plain(argument, record.name) for argument in arguments) if arguments else str(record.msg)
        except (TypeError, ValueError):
            text = str(record.msg)
        return redact(text).text

    def where(self, record: logging.LogRecord) -> dict[str, object]:
        if not record.exc_info or record.exc_info[1] is None:
            return {}
        error, trace = record.exc_info[1], record.exc_info[2]
        return {"error": _kind(error), "where": _places(trace)}

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        given = getattr(record, "fields", None)
        if not isinstance(given, dict):
            return {}
        return {name: redact(value).text if isinstance(value, str) else value for name, value in given.items()}


class JsonLines(_Private):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "at": at,
            "level": record.levelname.lower(),
            "from": record.name,
            "said": self.told(record),
            **self.fields(record),
            **self.where(record),
        }
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainLines(_Private):
    """For a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        fields = {**self.fields(record), **self.where(record)}
        rest = "  ".join(f"{name}={value}" for name, value in fields.items() if name not in {"method", "route", "status"})
        return f"{at}  {self.told(record)}{'  ' + rest if rest else ''}"


def set_up(form: LogForm, stream: TextIO | None = None) -> None:
    """Log to ``stream`` (default: standard error) in this form. With "off" only what is wrong is told, as text."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    for name in ("pagefile", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler] if name != "uvicorn.error" else []
        logger.propagate = name == "uvicorn.error"
        # uvicorn tells of each start and end of its own.
        logger.setLevel(logging.WARNING if form == "off" or name != "pagefile" else logging.INFO)
    # It would print the query with what was searched for.
    access = logging.getLogger("uvicorn.access")
    access.handlers[:] = []
    access.propagate = False


def _plain(argument: object, logger: str) -> object:
    if isinstance(argument, BaseException):
        return _kind(argument)
    # What uvicorn says of itself is about addresses and processes.
    if isinstance(argument, int | float | bool) or argument is None or logger.startswith(("uvicorn", "pagefile.server")):
        return argument
    return "…"


def _kind(error: BaseException) -> str:
    chain = [type(error).__name__]
    cause = error.__cause__ or error.__context__
    while cause is not None and len(chain) < 5:
        chain.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return " from ".join(chain)


def _places(trace: TracebackType | None) -> list[str]:
    """Where it happened, innermost last; without the lines of code, let alone values."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace, limit=-8)]
