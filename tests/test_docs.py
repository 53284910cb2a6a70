"""The documents are true: their code runs, their links lead somewhere, and nothing that can be set or typed is left out."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import typer

from pagefile.cli import app
from pagefile.memory import AsyncMemory
from pagefile.scoped import AsyncScopedMemory
from pagefile.settings import Settings

ROOT = Path(__file__).parent.parent
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
DOCUMENTS = [*READMES, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
CODE = [(path, number) for path in DOCUMENTS for number in range(len(PYTHON.findall(path.read_text(encoding="utf-8"))))]


def name(value: object) -> str:
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("path", "number"), CODE, ids=name)
def test_python_in_the_documents_runs_offline(path: Path, number: int, tmp_path: Path) -> None:
    code = PYTHON.findall(path.read_text(encoding="utf-8"))[number]
    offline = "import socket\ndef refuse(*a, **k): raise OSError('no network in tests')\nsocket.getaddrinfo = refuse\n"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", offline + code],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("path", "expected"), [(READMES[0], ["spicy food", "小雨"]), (READMES[1], ["不能吃辣", "小雨"])], ids=name)
def test_the_fifteen_lines_find_what_was_said(path: Path, expected: list[str], tmp_path: Path) -> None:
    code = PYTHON.findall(path.read_text(encoding="utf-8"))[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    first_hit, *_, answer = done.stdout.strip().splitlines()
    assert expected[0] in first_hit
    assert expected[1] in done.stdout.split(first_hit)[1] or expected[1] in answer


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{name(path)} links to {target}"


@pytest.mark.parametrize("path", READMES, ids=name)
def test_every_setting_is_documented(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    own = {field.name for field in fields(Settings)} - {"file", "warnings", "openai_base_url", "openai_api_key"}
    missing = [f"PAGEFILE_{setting.upper()}" for setting in own if f"PAGEFILE_{setting.upper()}" not in text]
    assert not missing


@pytest.mark.parametrize("path", [*READMES, ROOT / "docs" / "reference.md"], ids=name)
def test_every_command_is_documented(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group
    missing = [command for command in commands if f"pagefile {command}" not in text]
    assert not missing


def test_every_command_has_help_and_speaks_json() -> None:
    commands = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # a group
    assert commands["key"].help
    commands |= {f"key {name}": one for name, one in commands.pop("key").commands.items()}
    for command, definition in commands.items():
        assert definition.help, command
        # What mcp writes is JSON as it is.
        assert command == "mcp" or any("--json" in parameter.opts for parameter in definition.params), command


def test_every_method_of_the_front_door_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    methods = [method for kind in (AsyncMemory, AsyncScopedMemory) for method in dir(kind) if not method.startswith("_")]
    assert not [method for method in methods if f"`{method}" not in text]


def test_both_readmes_have_the_same_sections_and_tables() -> None:
    english, chinese = (path.read_text(encoding="utf-8") for path in READMES)
    assert english.count("\n## ") == chinese.count("\n## ")
    assert english.count("\n|") == chinese.count("\n|")
