"""The official OpenAI client for Node works with the server. Needs node and npm, and the registry of npm the first time."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pagefile.testing.openai_server import call, refuse, say
from tests.server.proxy.conftest import Between

CLIENT = "openai@7"


@pytest.fixture(scope="module")
def node(pytestconfig: pytest.Config) -> Path:
    """A folder with the client in it, kept from run to run."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed here: nothing is known about clients in Node")
    assert pytestconfig.cache is not None
    folder = Path(pytestconfig.cache.mkdir("node-client"))
    if not (folder / "node_modules" / "openai" / "package.json").is_file():
        (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", CLIENT]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=100, check=False)
        if done.returncode:
            pytest.skip(f"npm could not install {CLIENT}: {done.stderr.strip()[-200:]}")
    shutil.copy(Path(__file__).parent / "node" / "client.mjs", folder / "client.mjs")
    return folder


def test_the_client_for_node_gets_what_the_endpoint_says_and_is_remembered(between: Callable[..., Between], node: Path) -> None:
    weather = call("weather", {"city": "Oslo"})
    on = between([say("好地方。"), say("More of it."), weather, refuse(429, "slow down", code="rate_limit_exceeded", retry_after=5)])
    command = ["node", "client.mjs", on.url]
    done = subprocess.run(command, cwd=node, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "whole": "好地方。",
        "streamed": "More of it.",
        "usage": 18,
        "call": {"name": "weather", "arguments": '{"city": "Oslo"}'},
        "error": [429, "rate_limit_exceeded", "5"],
        "models": ["test-model"],
    }
    kept = on.kept("王小明")
    assert kept[:4] == [
        ("user", "我住在杭州。"),
        ("assistant", "好地方。"),
        ("user", "Tell me more, please."),
        ("assistant", "More of it."),
    ]
    assert ("user", "Once more, please.") in kept
