"""SQL as documents: named statements of ``queries.sql`` and ``erase.sql``, and the migrations in their order."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^-- (query|fragment): (\w+)$", re.MULTILINE)


def _load(text: str) -> Mapping[str, str]:
    """Name → statement. A ``{name}`` in a statement stands for the fragment of that name."""
    parts = _HEADING.split(text)
    # Comments go: a fragment that ends in one would swallow the rest of its line.
    parts = [re.sub(r"^--.*$", "", part, flags=re.MULTILINE) for part in parts]
    entries = list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))
    fragments = {name: body.strip() for kind, name, body in entries if kind == "fragment"}
    queries = {name: body.strip() for kind, name, body in entries if kind == "query"}
    return {name: re.sub(r"\{(\w+)\}", lambda match: fragments[match[1]], body) for name, body in queries.items()}


#: Every statement that the store runs.
SQL: Mapping[str, str] = _load("\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in ("queries.sql", "erase.sql")))
#: The whole schema, for people.
SCHEMA: str = (_FOLDER / "schema.sql").read_text(encoding="utf-8")
#: Migrations in order: the first makes version 1.
MIGRATIONS: tuple[str, ...] = tuple(path.read_text(encoding="utf-8") for path in sorted((_FOLDER / "migrations").glob("*.sql")))


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit in the middle of a transaction."""
    pending = ""
    for piece in script.split(";")[:-1]:
        pending += f"{piece};"
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
