"""Guards the layers, the sizes and the few rules that keep the code easy to read."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pagefile"
CHECKED = [
    *SOURCE.rglob("*.py"),
    *(ROOT / "evaluation").rglob("*.py"),
    *(ROOT / "benchmarks").rglob("*.py"),
    *(ROOT / "tests").rglob("*.py"),
]

#: Lowest first. A part imports only parts of lower layers, and itself.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("records", "receipts"),
    ("access",),
    ("messages",),
    ("queries", "receipts", "entities"),
    ("events",),
    ("costs",),
    ("ports",),
    ("parts", "settings", "prompts"),
    ("language",),
    ("context", "retrieval", "lifecycle", "stores", "models", "embedders"),
    ("foreground", "holding", "intake", "items", "operations", "rules", "spending"),
    ("blocks", "erased"),
    ("behind", "block_versions", "runner", "status", "tasks"),
    ("recorder",),
    ("apikeys", "arguments", "beliefs", "graph", "indexer", "retraction", "upkeep"),
    ("compactor", "learner", "meant", "summariser", "tools"),
    ("worker", "window"),
    ("conversation",),
    ("calling", "recalling"),
    ("adding", "sessions", "turn"),
    ("exchange", "session", "transfer"),
    ("reading",),
    ("scoped",),
    ("memory",),
    ("sync",),
    ("cells", "importers", "discover", "remote", "testing"),
    ("advise", "terminal"),
    ("chatting", "diagnosis", "server"),
    ("commands",),
    ("cli",),
    ("__main__",),
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def modules() -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py"]


def imports(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            assert node.module != "pagefile", f"line {node.lineno}: name the module, so that its layer can be seen"
            yield node, node.module or ""


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_part_imports_only_parts_of_lower_layers(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} has no layer: give it one in LAYERS"
    for node, module in imports(parse(path)):
        if not module.startswith("pagefile."):
            continue
        other = module.split(".")[1]
        allowed = other == part or LEVEL[other] < LEVEL[part]
        assert allowed, f"{name(path)}:{node.lineno} imports {module}, which is not in a lower layer"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_no_function_imports_from_the_package(path: Path) -> None:
    for function in functions(parse(path)):
        for node, module in imports(function):
            assert not module.startswith("pagefile"), f"{name(path)}:{node.lineno} imports {module} inside a function"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_only_settings_reads_the_environment(path: Path) -> None:
    if part_of(path) == "settings":
        return
    for node in ast.walk(parse(path)):
        reads = isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
        assert not reads, f"{name(path)}:{node.lineno} reads the environment"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_database_drivers_are_used_only_by_stores(path: Path) -> None:
    if part_of(path) == "stores":
        return
    drivers = [module for _, module in imports(parse(path)) if module.split(".")[0] in {"sqlite3", "psycopg"}]
    assert not drivers, f"{name(path)} imports {drivers}"


@pytest.mark.parametrize("path", CHECKED, ids=name)
def test_files_and_functions_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MAX_FILE_LINES, f"{name(path)} has {text.count(chr(10))} lines"
    for function in functions(ast.parse(text)):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        assert lines <= MAX_FUNCTION_LINES, f"{name(path)}:{function.lineno} {function.name} has {lines} lines"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_files_are_opened_with_an_encoding(path: Path) -> None:
    for node in ast.walk(parse(path)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in {"read_text", "write_text"}:
            assert any(keyword.arg == "encoding" for keyword in node.keywords), f"{name(path)}:{node.lineno} has no encoding"
        if called == "open" and isinstance(node.func, ast.Name):
            mode = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else "r"
            explicit = "b" in str(mode) or any(keyword.arg == "encoding" for keyword in node.keywords)
            assert explicit, f"{name(path)}:{node.lineno} opens text without an encoding"


def test_importing_the_package_loads_nothing_heavy_and_opens_no_socket() -> None:
    program = (
        "import socket, sys\n"
        "def refuse(*args, **kwargs): raise AssertionError('a socket was opened at import')\n"
        "socket.socket.connect = refuse\n"
        "socket.getaddrinfo = refuse\n"
        "from pagefile import Memory\n"
        "heavy = {'openai', 'onnxruntime', 'onnx', 'tokenizers', 'torch', 'spacy', 'rjieba', 'jieba', 'typer', 'rich'} & set(sys.modules)\n"
        "heavy |= {'fastapi', 'httpx', 'mcp', 'prometheus_client', 'starlette', 'uvicorn'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


def test_the_front_door_has_under_thirty_names() -> None:
    names = re.findall(r'^    "(\w+)",$', (SOURCE / "__init__.py").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert 0 < len(names) < 30
