"""How the command line shows things: tables for people, JSON for programs."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from enum import Enum
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pagefile.errors import InputError
from pagefile.messages import Message, SessionInfo
from pagefile.queries import Hits, Item, Page
from pagefile.records import HistoryEntry


def speak_utf8() -> None:
    """Read and write UTF-8 whatever the locale says: under LANG=C or a Chinese code page too."""
    # What is read will be kept: text in another encoding must stop the program, not be stored as replacement characters.
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def check_arguments(arguments: Iterable[str]) -> None:
    """Raise InputError for an argument that was not UTF-8: Python hands its bytes on as lone surrogates."""
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise InputError(f"the argument {argument!a} is not UTF-8 text; {_REMEDY}")


def standard_input() -> TextIO:
    """Standard input. Raises InputError if it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed; give it a file or a pipe, or give the text as an argument and --yes where it is asked")
    return sys.stdin


@contextmanager
def reading() -> Iterator[None]:
    """Around what reads standard input: bytes that are not UTF-8 become an InputError with the remedy."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise InputError(f"standard input is not UTF-8 text (byte 0x{error.object[error.start]:02x}); {_REMEDY}") from error


_REMEDY = "convert it, for instance with iconv -f gb18030 -t utf-8"


#: Characters from which on a line has room for an id beside a text.
_WIDE = 140


class Terminal:
    """Where a command's result goes."""

    def __init__(self, *, as_json: bool, zone: tzinfo) -> None:
        self.as_json = as_json
        self._zone = zone
        # In a pipe nothing is cut or wrapped: what comes out is for grep.
        width = None if sys.stdout.isatty() else 10_000
        self.out = Console(highlight=False, soft_wrap=True, width=width)
        self.err = Console(stderr=True, highlight=False, soft_wrap=True)

    def say(self, text: str, *, style: str = "") -> None:
        """A line for a person; silent when the output is JSON."""
        if not self.as_json:
            self.out.print(Text(text, style=style))

    def warn(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.err.print(Text(f"note: {text}", style="yellow"))

    def json(self, value: Any) -> None:
        self.out.file.write(json.dumps(plain(value), ensure_ascii=False, indent=2 if self.out.is_terminal else None) + "\n")

    def time(self, moment: datetime) -> str:
        """In the user's zone, with its offset, so that no two clocks are mixed."""
        shown = moment.astimezone(self._zone)
        offset = shown.strftime("%z")
        return shown.strftime("%Y-%m-%d %H:%M ") + (offset[:3] if offset.endswith("00") else f"{offset[:3]}:{offset[3:5]}")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        rows = list(rows)
        if not self.out.is_terminal:
            for row in rows:
                self.out.file.write("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) + "\n")
            return
        if columns[-1] == "id" and self.out.width < _WIDE:
            self._blocks(columns, rows)
            return
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in columns:
            table.add_column(column, overflow="fold", no_wrap=column in {"id", "when", "score", "kind"})
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self.out.print(table, soft_wrap=False)

    def _blocks(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """In a narrow window a column for the text would be a few letters wide: the text on lines of its own, the rest above it."""
        for row in rows:
            cells = dict(zip(columns, row, strict=True))
            text = cells.pop("text", "")
            self.out.print(Text("  ".join(cell for cell in cells.values() if cell), style="dim"), soft_wrap=False)
            self.out.print(Text(f"  {text}"), soft_wrap=False)

    def hits(self, hits: Hits, *, explain: bool) -> None:
        if self.as_json:
            self.json(hits)
            return
        self.table(
            ("score", "when", "who", "text", "id"),
            ((f"{hit.score:.2f}", self.time(hit.time), hit.speaker or hit.role or hit.kind, hit.text, hit.id) for hit in hits),
        )
        if explain:
            for hit in hits:
                self.say(f"{hit.id}  " + "  ".join(f"{part}={value:.3f}" for part, value in (hit.why or {}).items()), style="dim")
        left_out = [
            (hits.below_floor, "scored too low to be an answer"),
            (hits.filtered_out, "did not pass the filters"),
            (hits.over_budget, "did not fit the token budget"),
            (hits.without_vector, "cannot be found by meaning yet"),
        ]
        said = ", ".join(f"{number} {what}" for number, what in left_out if number)
        found = f"{len(hits)} found" if hits else "nothing found"
        self.err.print(Text(f"{found}{'; ' + said if said else ''}", style="dim"))
        self.warn(hits.warnings)

    def page(self, page: Page[Any]) -> None:
        if self.as_json:
            self.json(page)
            return
        self.table(*self._columns(page.items))
        more = f"; more with --after {page.cursor}" if page.cursor else ""
        self.err.print(Text(f"{len(page.items)} of {page.total}{more}", style="dim"))

    def _columns(self, items: Sequence[Item | SessionInfo]) -> tuple[Sequence[str], list[Sequence[str]]]:
        if items and isinstance(items[0], SessionInfo):
            return ("session", "messages", "first", "last"), [
                (one.session, str(one.messages), self.time(one.first_said_at), self.time(one.last_said_at))
                for one in items
                if isinstance(one, SessionInfo)
            ]
        rows: list[Sequence[str]] = []
        for one in items:
            if isinstance(one, Message):
                rows.append((self.time(one.said_at), one.session, one.speaker or one.role, one.text, one.id))
            elif not isinstance(one, SessionInfo):
                rows.append((self.time(one.valid_from or one.learned_at), one.kind, one.status, one.text, one.id))
        messages = bool(items) and isinstance(items[0], Message)
        return ("when", "session", "who", "text", "id") if messages else ("when", "kind", "status", "text", "id"), rows

    def item(self, item: Any) -> None:
        """Every field that has a value, one a line."""
        if self.as_json:
            self.json(item)
            return
        for name, value in plain(item).items():
            if value not in (None, [], {}, ""):
                self.out.print(
                    Text(f"{name:>16}  ", style="dim") + Text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
                )

    def history(self, entries: Sequence[HistoryEntry]) -> None:
        if self.as_json:
            self.json(entries)
            return
        self.table(
            ("when", "change", "by", "reason", "what"),
            ((self.time(one.cause.at), one.change, one.cause.actor, one.cause.reason, _changed(one)) for one in entries),
        )


def plain(value: Any) -> Any:
    """The same value in the types of JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def _changed(entry: HistoryEntry) -> str:
    if not entry.before:
        return str(entry.after.get("text", ""))
    return "; ".join(f"{name}: {entry.before.get(name)!r} → {value!r}" for name, value in entry.after.items())
