"""The first answer: quick, and the same as the SDK would give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

import pagefile.server.mcp.greeting as greeting
from pagefile.prompts import WORDINGS, Wording
from pagefile.server.mcp.serving import serve
from pagefile.settings import Settings

from .raw import OPENING, started

_META = "io.modelcontextprotocol/"
_CLIENT = {"name": "raw", "version": "1"}


def opening(version: str) -> dict[str, Any]:
    return {**OPENING, "params": {**OPENING["params"], "protocolVersion": version}}


DISCOVERY: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "first",
    "method": "server/discover",
    "params": {
        "_meta": {f"{_META}protocolVersion": "2026-07-28", f"{_META}clientInfo": _CLIENT, f"{_META}clientCapabilities": {"sampling": {}}}
    },
}


async def sdk_says(message: dict[str, Any], wording: Wording, data: Path) -> dict[str, Any]:
    """How the SDK answers it."""
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()
    os.close(to_server)
    with open(from_client, "rb") as reader, FileIO(to_client, "wb") as writer:
        settings = Settings(data=data, language=wording, timezone="UTC", embedder="none")
        await serve(greeting.Wire(reader, writer), settings, first=json.dumps(message).encode(), greeting=None)
    with open(from_server, "rb") as lines:
        [line] = lines.read().splitlines()
    return dict(json.loads(line))


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize(
    "message",
    [*(opening(version) for version in (*HANDSHAKE_PROTOCOL_VERSIONS, "2042-01-01")), DISCOVERY],
    ids=lambda message: str(message["params"].get("protocolVersion", "discover")),
)
async def test_the_client_is_greeted_as_the_sdk_would(tmp_path: Path, message: dict[str, Any], wording: Wording) -> None:
    said = greeting.greet(json.dumps(message).encode(), wording)
    assert said is not None
    assert json.loads(said) == await sdk_says(message, wording, tmp_path / "m.db")


def test_the_versions_that_are_greeted_are_those_of_the_sdk() -> None:
    assert HANDSHAKE_PROTOCOL_VERSIONS == greeting.HANDSHAKES
    assert MODERN_PROTOCOL_VERSIONS == (greeting.MODERN,)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        json.dumps({**OPENING, "jsonrpc": "1.0"}).encode(),
        json.dumps({**OPENING, "id": None}).encode(),
        json.dumps({**OPENING, "id": True}).encode(),
        json.dumps({**OPENING, "params": None}).encode(),
        json.dumps({**OPENING, "params": {**OPENING["params"], "clientInfo": {}}}).encode(),
        json.dumps({**OPENING, "params": {**OPENING["params"], "protocolVersion": 5}}).encode(),
        json.dumps({**OPENING, "method": "ping"}).encode(),
        json.dumps({**DISCOVERY, "params": {"_meta": {}}}).encode(),
    ],
)
def test_what_is_no_plain_opening_is_left_to_the_sdk(line: bytes) -> None:
    assert greeting.greet(line, "en") is None


def test_nothing_heavy_is_loaded_before_the_greeting() -> None:
    program = (
        "import sys\n"
        "import pagefile.__main__, pagefile.commands.mcp\n"
        "heavy = {'mcp', 'pydantic', 'numpy', 'openai', 'onnxruntime', 'fastapi', 'starlette', 'anyio', 'asyncio', 'sqlite3', 'rich'}\n"
        "print(*sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60)
    assert ran.stdout.strip() == ""


def test_what_is_printed_by_anybody_goes_to_standard_error(tmp_path: Path) -> None:
    program = (
        "import os, subprocess, sys\n"
        "import pagefile.server.mcp.greeting as greeting\n"
        "wire = greeting.claim()\n"
        "print('by Python', flush=True)\n"
        "os.write(1, b'by native code\\n')\n"
        "subprocess.run([sys.executable, '-c', 'print(\"by a child\")'])\n"
        "assert sys.stdin.read() == ''\n"
        'wire.send(b\'{"jsonrpc": "2.0", "id": 1, "result": \' + (wire.line() or b\'\').strip() + b\'}\')\n'
    )
    with started(tmp_path / "m.db", program=["-c", program]) as raw:
        raw.send(b'"for the server"')
        assert raw.read()["result"] == "for the server"
        assert raw.rest() == []
    assert {b"by Python\n", b"by native code\n", b"by a child\n"} <= set(raw.errors)
