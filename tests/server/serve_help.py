"""Runs `pagefile serve` as a program of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner

from pagefile.cli import app
from pagefile.errors import PagefileError

#: Seconds; other tests may run beside this one.
PATIENCE = 90.0


@dataclass
class Served:
    """A server in another process."""

    process: subprocess.Popen[str]
    #: What it said of itself at its start.
    about: dict[str, Any]
    errors: list[str] = field(default_factory=list)
    #: What else came on standard output.
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return str(self.about["url"])

    def log(self) -> list[dict[str, Any]]:
        """What it logged so far."""
        return [json.loads(line) for line in list(self.errors) if line.startswith("{")]

    def ended(self) -> int:
        """Wait until it ends; returns its exit code."""
        return self.process.wait(PATIENCE)


def environment(data: Path | str, **settings: str) -> dict[str, str]:
    """No settings but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_"))}
    own = {"data": str(data), "embedder": "none", "model": "offline", "port": "0", "config": os.devnull, **settings}
    return {**kept, **{f"PAGEFILE_{name.upper()}": value for name, value in own.items()}}


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    stdout: str
    stderr: str
    #: What it was refused with.
    error: PagefileError | None


def pagefile(*arguments: str, data: Path | str, **settings: str) -> Done:
    """Run a command to its end, in this process."""
    done = CliRunner().invoke(app, list(arguments), env=environment(data, **settings))
    if done.exception is not None and not isinstance(done.exception, PagefileError):
        raise done.exception
    return Done(done.stdout, done.stderr, done.exception)


@contextlib.contextmanager
def serving(data: Path | str, *arguments: str, ready: bool = True, **settings: str) -> Iterator[Served]:
    """A server that runs meanwhile, in a pipe. ``ready``: wait until it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pagefile", "serve", "--json", *arguments],
        env=environment(data, **settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    errors: list[str] = []
    said: queue.Queue[str] = queue.Queue()
    readers = [
        threading.Thread(target=_read, args=(process.stdout, said.put), daemon=True),
        threading.Thread(target=_read, args=(process.stderr, errors.append), daemon=True),
    ]
    for reader in readers:
        reader.start()
    served = Served(process, {}, errors)
    try:
        served.about |= _first(process, said, errors)
        if ready:
            wait_until_it_answers(served.url)
        yield served
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        for reader in readers:
            reader.join(PATIENCE)
        while not said.empty():
            served.said.append(said.get())
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _read(stream: Any, keep: Any) -> None:
    for line in stream:
        keep(line)


def _first(process: subprocess.Popen[str], said: queue.Queue[str], errors: list[str]) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(queue.Empty):
            return dict(json.loads(said.get(timeout=0.1)))
        assert process.poll() is None, "".join(errors)
    raise AssertionError("it did not say where it serves: " + "".join(errors))


def wait_until_it_answers(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            httpx.get(f"{url}/healthz", timeout=PATIENCE)
            return
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def wait_until_it_is_ready(url: str) -> list[Any]:
    """What `/readyz` said until it was; the last one is that it is."""
    deadline, said = time.monotonic() + PATIENCE, list[Any]()
    while True:
        reply = httpx.get(f"{url}/readyz", timeout=PATIENCE)
        said.append(reply.json())
        if reply.status_code == 200:
            return said
        assert time.monotonic() < deadline
        time.sleep(0.02)
