"""Settings: the only reader of the environment and of the settings file.

What is given as an argument wins over the environment, the environment over the file, the file over the defaults.
"""

from __future__ import annotations

import difflib
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import tzinfo
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
import tzlocal

from pagefile.costs import Prices
from pagefile.errors import SettingsError, StoreUnavailable

_PREFIX = "PAGEFILE_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. Each field is ``PAGEFILE_<NAME>`` in the environment and ``<name>`` in the TOML file."""

    #: The store: a file, or a folder in which ``pagefile.db`` is kept. Default: the user's data folder.
    data: str | Path | None = None
    #: The model to chat with: ``name``, ``ollama/name``, ``name@http://host:port/v1`` or ``offline``.
    model: str | None = None
    #: URL and key of the model's endpoint, where ``model`` does not say.
    base_url: str | None = None
    api_key: str | None = None
    #: Tokens the model can read at once; 0: what is known about the model, else 8,192.
    context_window: int = 0
    #: ``local``, ``local:/path``, ``openai:model``, ``hashing`` or ``none``. Default: local where its packages are installed.
    embedder: str | None = None
    #: How much work a search does: ``fast`` (words alone), ``balanced`` or ``thorough`` (more candidates).
    preset: str = "balanced"
    #: What facts are learnt by: ``rules``, ``model`` (the model reads the conversation too: calls that may cost money) or ``off``.
    learn: str = "rules"
    #: Calls of the model for learning, and tokens read and written in them, for one user on one day.
    learn_calls: int = 200
    learn_tokens: int = 200_000
    #: Tokens of core memory, all blocks of a conversation together, above which a model writes the longest ones anew. 0: never.
    block_tokens: int = 1_500
    #: How much of the operations log of one user the nightly upkeep keeps: days, and lines.
    log_days: int = 90
    log_lines: int = 10_000
    #: A Markdown file of rules that hold in every conversation, read anew for each turn.
    rules: str | None = None
    #: What a million tokens cost: read, written, and read from the endpoint's cache (default: as much as others). For ``stats``.
    price_input: float = 0.0
    price_output: float = 0.0
    price_cached: float | None = None
    #: A name or sign of money to put before sums.
    currency: str = ""
    #: Whose memory the command line works on.
    user: str = "me"
    tenant: str = "default"
    #: The session the command line talks in. Default: a new one each time.
    session: str | None = None
    #: Where ``pagefile serve`` listens. Any address but those of this machine alone needs a key.
    host: str = "127.0.0.1"
    port: int = 8642
    #: Processes that serve, all on the same file.
    workers: int = 1
    #: Names, separated by commas, by which the server may be called besides this machine's own and ``host``; ``*.example.com`` for all
    #: below one.
    allowed_hosts: str = ""
    #: Origins of web pages, separated by commas, that may call the server from a browser, such as ``https://chat.example.com``.
    allowed_origins: str = ""
    #: Bytes of a request's body.
    max_body: int = 20_000_000
    #: Requests a minute that one address may make without a valid key, where keys are needed.
    refused_per_minute: int = 60
    #: Seconds that replies and background work under way get to end when the server is stopped.
    shutdown_seconds: int = 10
    #: How the server logs requests to standard error: ``json``, ``text`` or ``off``.
    request_log: str = "json"
    #: The language in which MCP tools are described to models: ``en`` or ``zh``.
    language: str = "en"
    #: Whose word it is what the model of an MCP host writes: ``assistant`` (it waits to be confirmed) or ``user`` (as if the user said it).
    mcp_trust: str = "assistant"
    #: What the OpenAI-compatible interface does with memory: ``recall+learn``, ``recall``, ``learn``, ``incognito`` or ``off``.
    proxy_mode: str = "recall+learn"
    #: Tools of memory that it offers to the model beside the application's own: ``off``, or ``plain``, ``memgpt``, ``compact``, ``blocks``.
    proxy_tools: str = "off"
    #: Zone of times given without one, such as ``Asia/Shanghai``. Default: the machine's.
    timezone: str | None = None
    #: ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``, as other programs set them. Used by the command line if no ``model`` is set.
    openai_base_url: str | None = None
    openai_api_key: str | None = None
    #: The settings file that was read, and sentences about settings that were not understood.
    file: str | None = None
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in _NAMES if getattr(self, name) is not None}
        shown.update({name: "***" for name in shown if name.endswith("api_key")})
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    def path(self) -> str:
        """The store's absolute path; ``:memory:`` and URLs are returned as they are. Raises SettingsError for what cannot be a path."""
        _check_place(self.data)
        # A program that makes its own Settings may give a Path.
        place = None if self.data is None else str(self.data)
        if place is not None and (place == ":memory:" or "://" in place):
            return place
        try:
            path = Path(place).expanduser() if place else platformdirs.user_data_path("pagefile", appauthor=False)
            # A name without a suffix is a folder, so that PAGEFILE_DATA=~/notes does not become a file of that name.
            if path.is_dir() or (not path.suffix and not path.is_file()):
                path /= "pagefile.db"
            return str(path.absolute())
        except RuntimeError as error:
            raise SettingsError(f"the place {place!r} of the store: {error}; give a path without ~") from error
        except OSError as error:
            raise StoreUnavailable(f"opening {place!r}: {error.strerror or error}; choose another place") from error

    def learn_by(self) -> Literal["rules", "model", "off"]:
        """What facts are learnt by. Raises SettingsError."""
        for known in ("rules", "model", "off"):
            if self.learn == known:
                return known
        raise SettingsError(f"the setting learn must be rules, model or off, not {self.learn!r}")

    def search_preset(self) -> Literal["fast", "balanced", "thorough"]:
        """How much work a search does. Raises SettingsError."""
        for known in ("fast", "balanced", "thorough"):
            if self.preset == known:
                return known
        raise SettingsError(f"the setting preset must be fast, balanced or thorough, not {self.preset!r}")

    def wording(self) -> Literal["en", "zh"]:
        """The language of what MCP says to models. Raises SettingsError."""
        for known in ("en", "zh"):
            if self.language == known:
                return known
        raise SettingsError(f"the setting language must be en or zh, not {self.language!r}")

    def prices(self) -> Prices:
        """What models cost."""
        return Prices(input=self.price_input, output=self.price_output, cached=self.price_cached)

    def zone(self) -> tzinfo:
        """The zone of times given without one."""
        if self.timezone is None:
            return tzlocal.get_localzone()
        try:
            return ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise SettingsError(
                f"the timezone {self.timezone!r} is not known; give an IANA name such as Asia/Shanghai, Europe/Berlin or UTC"
            ) from error


_NAMES = tuple(field.name for field in fields(Settings) if field.name not in {"warnings", "file", "openai_base_url", "openai_api_key"})


def load_settings(*, environ: Mapping[str, str] | None = None, file: str | Path | None = None, **given: Any) -> Settings:
    """Read the settings.

    ``environ`` stands in for the process's environment. ``file`` is a TOML file; without it ``PAGEFILE_CONFIG``, else
    ``config.toml`` in the user's configuration folder is read if it exists. ``given`` are values that win over both; None is
    "not given", an empty text is refused. Raises SettingsError for a file that cannot be read or a value of the wrong kind.
    """
    environ = os.environ if environ is None else environ
    values, path, warnings = _from_file(file or environ.get(f"{_PREFIX}CONFIG"))
    for name, value in environ.items():
        if not name.startswith(_PREFIX) or name == f"{_PREFIX}CONFIG" or not value.strip():
            continue
        field = name.removeprefix(_PREFIX).lower()
        if field in _NAMES:
            values[field] = value.strip()
        else:
            warnings.append(_unknown(name, [f"{_PREFIX}{known.upper()}" for known in (*_NAMES, "config")]))
    values.update({name: _given(name, value) for name, value in given.items() if value is not None})
    return replace(
        Settings(**{name: _typed(name, value) for name, value in values.items()}),
        openai_base_url=environ.get("OPENAI_BASE_URL") or None,
        openai_api_key=environ.get("OPENAI_API_KEY") or None,
        file=path,
        warnings=tuple(warnings),
    )


def share_metrics(folder: str) -> None:
    """Have this process and those it starts keep figures for Prometheus in this folder; it is how its library is told."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder


def _from_file(given: str | Path | None) -> tuple[dict[str, Any], str | None, list[str]]:
    path = Path(given).expanduser() if given else platformdirs.user_config_path("pagefile", appauthor=False) / "config.toml"
    if not given and not path.is_file():
        return {}, None, []
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"the settings file {path} cannot be read: {error}; mend it or remove it") from error
    warnings = [f"{path}: {_unknown(name, list(_NAMES))}" for name in table if name not in _NAMES]
    return {name: value for name, value in table.items() if name in _NAMES}, str(path), warnings


def _check_place(data: object) -> None:
    if data is not None and not isinstance(data, str | Path):
        raise SettingsError(f"the place of the store must be text or a Path, not {data!r}")
    text = "" if data is None else str(data)
    if data is not None and not text.strip():
        raise SettingsError("the place of the store is empty; give a file or a folder, or leave it out for the default")
    # A lone surrogate from U+DC80 to U+DCFF is a byte of a file's name that is not UTF-8, as Python hands it over: no mistake.
    if "\0" in text or any("\ud800" <= letter <= "\udfff" and not "\udc80" <= letter <= "\udcff" for letter in text):
        raise SettingsError(f"the place of the store, {text!a}, has characters that no path can have")


def _unknown(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    return f"the setting {name} is not known and was ignored; {hint}"


def _given(name: str, value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise SettingsError(f"the {name} that was given is empty; give it a value, or leave it out for the default")
    return value


_NUMBERS = frozenset(
    {
        "context_window",
        "learn_calls",
        "learn_tokens",
        "block_tokens",
        "log_days",
        "log_lines",
        "port",
        "workers",
        "max_body",
        "refused_per_minute",
    }
    | {"shutdown_seconds"}
)


_PRICES = frozenset({"price_input", "price_output", "price_cached"})


def _typed(name: str, value: Any) -> Any:
    if name in _PRICES:
        return _price(name, value)
    if name not in _NUMBERS:
        if not isinstance(value, str | Path):
            raise SettingsError(f"the setting {name} must be text, not {value!r}")
        return str(value)
    try:
        number = int(value)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the setting {name} must be a whole number, not {value!r}") from error
    if number < 0:
        raise SettingsError(f"the setting {name} must not be negative, it is {number}")
    return number


def _price(name: str, value: Any) -> float:
    try:
        price = float(value)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the setting {name} must be a number, such as 0.15 for a million tokens, not {value!r}") from error
    if not 0 <= price < math.inf:
        raise SettingsError(f"the setting {name} must be a number of at least 0, it is {value}")
    return price
