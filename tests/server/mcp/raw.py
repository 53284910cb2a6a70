"""Speaks to ``pagefile mcp`` line by line, as no decent client would."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .clients import command, environment_of

_PATIENCE = 60.0
OPENING: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Raw:
    """A server that was started, and what it writes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.errors: list[bytes] = []
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, message: Any) -> None:
        """Write one line: bytes as they are, anything else as JSON."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def open(self) -> dict[str, Any]:
        """Do the handshake; the answer to ``initialize``."""
        self.send(OPENING)
        answer = self.read()
        self.send(INITIALIZED)
        return answer

    def call(self, id: int, tool: str, **arguments: Any) -> None:
        """Call a tool, without waiting."""
        self.send({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})

    def read(self) -> dict[str, Any]:
        """The next line, which must be a message of JSON-RPC."""
        line = self._lines.get(timeout=_PATIENCE)
        assert line is not None, b"".join(self.errors).decode()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def answer(self, id: int) -> dict[str, Any]:
        """The answer to a request; what comes before it is passed over."""
        while True:
            message = self.read()
            if message.get("id") == id:
                return message

    def rest(self) -> list[dict[str, Any]]:
        """Close our end, and read what is still written."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        found = []
        while (line := self._lines.get(timeout=_PATIENCE)) is not None:
            found.append(json.loads(line))
        self.process.wait(_PATIENCE)
        return found

    def stop(self) -> None:
        """End it, whatever it does."""
        with contextlib.suppress(OSError):
            if self.process.stdin is not None:
                self.process.stdin.close()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for thread in self._threads:
            thread.join(_PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors += list(self.process.stderr)


@contextlib.contextmanager
def started(data: Path, *options: str, program: list[str] | None = None, **environment: str) -> Iterator[Raw]:
    """Start ``pagefile mcp`` (or another program) and end it."""
    process = subprocess.Popen(
        [sys.executable, *(program or command(data, *options))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment_of(data, **environment),
    )
    raw = Raw(process)
    try:
        yield raw
    finally:
        raw.stop()
