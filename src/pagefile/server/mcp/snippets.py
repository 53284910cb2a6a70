"""What to write into the settings of MCP hosts, ready to be copied. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: Host → the file that it is configured by.
FILES: Mapping[str, str] = {
    "claude-desktop": (
        "claude_desktop_config.json, in ~/Library/Application Support/Claude/ (macOS) or %APPDATA%\\Claude\\ (Windows); "
        "opened by Settings > Developer > Edit Config"
    ),
    "claude-code": ".mcp.json in the project's folder",
    "cursor": "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder",
    "vscode": ".vscode/mcp.json in the project's folder, or the command 'MCP: Open User Configuration'",
    "windsurf": "~/.codeium/windsurf/mcp_config.json",
    "cline": "cline_mcp_settings.json, opened by MCP Servers > Configure",
    "zed": "~/.config/zed/settings.json",
    "gemini-cli": "~/.gemini/settings.json",
    "lm-studio": "mcp.json, opened by Program > Install > Edit mcp.json",
    "cherry-studio": "Settings > MCP Servers > Add > Import from JSON",
}
NAME = "pagefile"


def snippets(command: Sequence[str], *, url: str) -> dict[str, Any]:
    """Host → its file, and what to add to it. ``command``: starts the server for one client; ``url``: where a running one is reached."""
    program, *arguments = command
    plain = {"command": program, "args": arguments}
    stdio = {"type": "stdio", **plain}
    key = {"Authorization": "Bearer pf_…"}
    made: dict[str, Any] = {}
    for host, file in FILES.items():
        if host == "vscode":
            add: dict[str, Any] = {"servers": {NAME: stdio}}
        elif host == "zed":
            add = {"context_servers": {NAME: {"source": "custom", **plain, "env": {}}}}
        else:
            add = {"mcpServers": {NAME: stdio if host == "claude-code" else plain}}
        made[host] = {"file": file, "add": add}
    made["over-http"] = {
        "file": "any host that speaks streamable HTTP to a running `pagefile serve`; the key is made by `pagefile key create`, "
        "and is not needed where none was made. The names differ: VS Code has servers, others mcpServers",
        "add": {"mcpServers": {NAME: {"type": "http", "url": url, "headers": key}}},
    }
    return made
