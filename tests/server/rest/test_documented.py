"""docs/rest.md is true: its commands work one after the other, and it names every route."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import Running

DOCUMENT = (Path(__file__).parents[3] / "docs" / "rest.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8642"


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_commands_work_one_after_the_other(running_server: Callable[..., Running], tmp_path: Path) -> None:
    server = running_server()
    script = "set -e\n" + "\n".join(COMMANDS).replace(ADDRESS, server.url)
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for expected in (
        "spicy food",
        "她对花生过敏",
        "小雨 lives in Berlin.",
        "event: turn_finished",
        "event: change",
        '"complete":true',
        "imported",
    ):
        assert expected in done.stdout, expected


def test_every_route_is_named(running_server: Callable[..., Running]) -> None:
    document = httpx.get(f"{running_server().url}/openapi.json").json()
    routes = {
        f"{method.upper()} {path.removeprefix('/api/v1').replace(':path', '')}"
        for path, item in document["paths"].items()
        for method in item
        if path.startswith("/api/v1/")
    }
    assert not [route for route in routes if f"`{route}`" not in DOCUMENT]
    told = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`", DOCUMENT))
    assert told <= routes
