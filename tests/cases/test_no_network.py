"""Nothing leaves the machine unless a setting says where to: not at import, not at the start, not in a whole chat."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

#: Connections to other machines are written down and refused; so is asking for their addresses. What a user's chat may do is look for
#: a model server on this machine.
WATCH = """
import socket
away = []
def local(address):
    return not isinstance(address, tuple) or address[0] in ("127.0.0.1", "::1", "localhost")
def watched(name):
    original = getattr(socket.socket, name)
    def watch(self, address):
        if local(address):
            return original(self, address)
        away.append(address)
        raise OSError("no network in tests")
    return watch
class Watched(socket.socket):
    connect = watched("connect")
    connect_ex = watched("connect_ex")
socket.socket = Watched
found = socket.getaddrinfo
def look_up(host, *rest, **more):
    if host in (None, "localhost", "127.0.0.1", "::1"):
        return found(host, *rest, **more)
    away.append(host)
    raise OSError("no network in tests")
socket.getaddrinfo = look_up
"""
LIBRARY = """
import threading
import pagefile
assert threading.active_count() == 1, "an import starts no threads"
with pagefile.Memory.open({data!r}, embedder={embedder!r}) as memory:
    me = memory.scope("me")
    me.add("My dog is called Rex", session="monday")
    me.remember("has a dog")
    memory.flush()
    assert me.search("dog") and me.context("dog").messages and "Rex" in me.chat(session="tuesday").turn("What is my dog called?")
    me.erase()
assert away == [], away
"""
COMMAND = """
import sys
from pagefile.cli import main
sys.argv = ["pagefile", *{arguments!r}]
try:
    main()
finally:
    assert away == [], away
"""


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_"))}
    return kept | {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PAGEFILE_DATA": str(folder / "m.db"),
    }


@pytest.mark.parametrize("embedder", ["local", "none"])
def test_a_program_that_uses_everything_reaches_no_other_machine_and_starts_nothing_at_import(embedder: str, tmp_path: Path) -> None:
    code = WATCH + LIBRARY.format(data=str(tmp_path / "m.db"), embedder=embedder)
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments", [["chat"]], ids=" ".join)
def test_the_command_line_reaches_no_other_machine(arguments: list[str], tmp_path: Path) -> None:
    code = WATCH + COMMAND.format(arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        input="My dog is called Rex\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_chat_works_where_there_is_no_network_at_all(tmp_path: Path) -> None:
    alone = ["unshare", "--net", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine cannot take the network away from a program")
    talk = [*alone, sys.executable, "-m", "pagefile", "chat"]
    for line, expected in (("My dog is called Rex\n", "journal"), ("What is my dog called?\n", "Rex")):
        done = subprocess.run(
            talk,
            env=environment(tmp_path) | {"PAGEFILE_EMBEDDER": "none"},
            input=line,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
