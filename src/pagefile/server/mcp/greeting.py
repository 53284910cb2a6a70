"""Answers an MCP client's first message before anything else is loaded.

A host waits for the answer to ``initialize`` before it does anything, and gives up on a server that is slow to give it. Loading the SDK
alone takes most of a second, on a busy machine several. So the first message is read here, with nothing but the standard library, and
answered if it is the plain opening of a connection. The SDK reads the same message once it is loaded; its answer, the same, is not sent
again. A test compares the two.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from io import BufferedReader, FileIO
from typing import Any

from pagefile.errors import InputError
from pagefile.prompts import Wording, words

NAME, TITLE = "pagefile", "Pagefile"
#: Versions of the protocol that begin with ``initialize``; a client that asks for another one is offered the last of them.
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
#: The version that begins with ``server/discover``, or with any request: each tells the version itself.
MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"
#: Bytes of a line; a longer one is no message of a sane client, and would fill the memory.
MOST_BYTES = 16 * 1_024 * 1_024


@dataclass(slots=True)
class Wire:
    """Standard input and output, for the protocol alone."""

    reader: BufferedReader
    writer: FileIO

    def line(self) -> bytes | None:
        """The next line; None: the client has left. A longer one than may be is read to its end and given as its first bytes."""
        line = self.reader.readline(MOST_BYTES + 1)
        rest = line
        while rest and not rest.endswith(b"\n") and len(rest) > MOST_BYTES:
            rest = self.reader.readline(MOST_BYTES + 1)
        return line or None

    def send(self, message: bytes) -> None:
        """Write a message, and the end of its line."""
        left = memoryview(message + b"\n")
        while left:
            left = left[self.writer.write(left) :]


def claim() -> Wire:
    """Take standard input and output. What is printed from now on, by native code and by other programs that are started too, goes to
    standard error, and nobody else reads the client's messages. Raises InputError if one of them is closed."""
    if sys.stdin is None or sys.stdout is None:
        raise InputError("standard input and output are closed; an MCP host starts `pagefile mcp` and talks to it by them")
    sys.stdout.flush()
    wire = Wire(reader=os.fdopen(os.dup(0), "rb"), writer=FileIO(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(nothing, 1)
    os.close(nothing)
    return wire


def greet(line: bytes, wording: Wording) -> bytes | None:
    """The answer to a client's first message; None: it is left to the SDK."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not _is_id(message.get("id")):
        return None
    params = message.get("params")
    if not isinstance(params, dict):
        return None
    result = None
    if message.get("method") == "initialize" and _is_opening(params):
        result = _initialized(params["protocolVersion"], wording)
    elif message.get("method") == "server/discover" and _is_modern(params.get("_meta")):
        result = _discovered(wording)
    if result is None:
        return None
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}, ensure_ascii=False, separators=(",", ":")).encode()


def instructions(wording: Wording) -> str:
    """What a host tells its model about this server."""
    return words("mcp", "instructions", wording)


def own_version() -> str:
    return version("pagefile")


def _initialized(asked: str, wording: Wording) -> dict[str, Any]:
    return {
        "protocolVersion": asked if asked in HANDSHAKES else HANDSHAKES[-1],
        "capabilities": _capabilities(changes=False),
        "serverInfo": _itself(),
        "instructions": instructions(wording),
    }


def _discovered(wording: Wording) -> dict[str, Any]:
    return {
        "resultType": "complete",
        "supportedVersions": [MODERN],
        "capabilities": _capabilities(changes=True),
        "instructions": instructions(wording),
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {f"{_META}serverInfo": _itself()},
    }


def _itself() -> dict[str, str]:
    return {"name": NAME, "title": TITLE, "version": own_version()}


def _capabilities(*, changes: bool) -> dict[str, Any]:
    """``changes``: this version of the protocol lets a client listen for changed lists by the same request as for changed resources."""
    return {
        "prompts": {"listChanged": changes},
        "resources": {"subscribe": True, "listChanged": changes},
        "tools": {"listChanged": changes},
    }


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii()  # others are left to who can write them for sure
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _is_opening(params: Mapping[str, Any]) -> bool:
    client = params.get("clientInfo")
    named = isinstance(client, dict) and isinstance(client.get("name"), str) and isinstance(client.get("version"), str)
    return named and isinstance(params.get("protocolVersion"), str) and isinstance(params.get("capabilities"), dict)


def _is_modern(meta: Any) -> bool:
    if not isinstance(meta, dict) or meta.get(f"{_META}protocolVersion") != MODERN:
        return False
    return isinstance(meta.get(f"{_META}clientCapabilities"), dict)
