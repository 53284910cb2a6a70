"""Nothing leaves the machine unless a setting says where to: not at import, not at the start, not in a whole chat."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
for embedder in ("local", "none"):
    with pagefile.Memory.open({data!r} + embedder, embedder=embedder) as memory:
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
sys.argv = ["pagefile", "chat"]
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


def alone() -> list[str]:
    """What takes the network away from a program, where this machine has it."""
    command = ["unshare", "--net", "--map-root-user"]
    there = shutil.which("unshare") is not None and not subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    return command if there else []


def test_the_library_and_the_command_line_work_without_a_network_look_for_none_and_an_import_starts_nothing(tmp_path: Path) -> None:
    # One program for all of it: most of its time is the start, and the model of the local embedder is read once. Where the network can
    # be taken away it is; an attempt to use it is seen in either case.
    code = WATCH + LIBRARY.format(data=str(tmp_path / "of-")) + COMMAND
    done = subprocess.run(
        [*alone(), sys.executable, "-c", code],
        env=environment(tmp_path),
        input="My dog is called Rex\nWhat is my dog called?\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Noted" in done.stdout
    assert "Rex" in done.stdout
