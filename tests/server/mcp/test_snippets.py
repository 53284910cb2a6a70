"""What ``pagefile mcp --print-config`` prints can be used as it stands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from pagefile.server.mcp.snippets import FILES, NAME, snippets

from .clients import command, done, environment_of


async def test_the_printed_command_starts_the_server_it_says(tmp_path: Path) -> None:
    data = tmp_path / "小梅 m.db"
    ran = subprocess.run(
        [sys.executable, *command(data, "--tenant", "acme", "--language", "zh", "--trust", "user", "--print-config", user="小梅")],
        capture_output=True,
        env=environment_of(data),
        timeout=60,
        check=True,
    )
    printed = json.loads(ran.stdout)
    entry = printed["claude-desktop"]["add"]["mcpServers"][NAME]
    host = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment_of(data))
    async with Client(host, mode="legacy") as client:
        kept = await done(client, "remember", text="小梅住在拉萨。")
    assert (kept["outcome"], kept["message"]) == ("kept", "已保存。")
    assert data.exists()
    assert not ran.stderr


def test_every_host_has_its_own_form() -> None:
    made = snippets(["pagefile", "mcp"], url="http://127.0.0.1:8642/mcp")
    assert set(made) == {*FILES, "over-http"}
    assert made["vscode"]["add"] == {"servers": {NAME: {"type": "stdio", "command": "pagefile", "args": ["mcp"]}}}
    assert made["cursor"]["add"] == {"mcpServers": {NAME: {"command": "pagefile", "args": ["mcp"]}}}
    assert made["zed"]["add"]["context_servers"][NAME]["command"] == "pagefile"
    assert made["over-http"]["add"]["mcpServers"][NAME]["url"] == "http://127.0.0.1:8642/mcp"
