"""How the command line shows things: tables for people, JSON for programs."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, tzinfo
from enum import Enum
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pagefile.beliefs import Why
from pagefile.cells import changed, course, fact, moment, pairs, period, times
from pagefile.entities import Entity, EntityCard, Happening, Neighbour
from pagefile.errors import InputError
from pagefile.lifecycle.consolidate import Diff
from pagefile.messages import Message, SessionInfo
from pagefile.ports import Job, Operation
from pagefile.queries import Hits, Item, Page
from pagefile.records import HistoryEntry, Record


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
_SHORT = frozenset({"id", "when", "score", "kind", "status", "change", "state", "session"})


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

    def hint(self, text: str) -> None:
        """A quiet line beside the result: on standard error, so that the result can be read by a program."""
        self.err.print(Text(text, style="dim"))

    def warn(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.err.print(Text(f"note: {text}", style="yellow"))

    def json(self, value: Any) -> None:
        self.out.file.write(json.dumps(plain(value), ensure_ascii=False, indent=2 if self.out.is_terminal else None) + "\n")

    def time(self, value: datetime) -> str:
        return moment(value, self._zone)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        rows = list(rows)
        if not self.out.is_terminal:
            for row in rows:
                self.out.file.write("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) + "\n")
            return
        if not rows:
            return
        if columns[-1] == "id" and self.out.width < _WIDE:
            self._blocks(columns, rows)
            return
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in columns:
            table.add_column(column, overflow="fold", no_wrap=column in _SHORT)
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
            (hits.filtered_out, "did not pass the filters or waits to be confirmed"),
            (hits.over_budget, "did not fit the token budget"),
            (hits.left_out, "did not belong to the answer"),
            (hits.without_vector, "cannot be found by meaning yet"),
        ]
        said = ", ".join(f"{number} {what}" for number, what in left_out if number)
        found = f"{len(hits)} found" if hits else "nothing found"
        self.err.print(Text(f"{found}{'; ' + said if said else ''}", style="dim"))
        self.warn(hits.warnings)

    def page(self, page: Page[Any]) -> None:
        """A page of records, messages or sessions."""
        self.scan(page, lambda items: self.table(*self._columns(items)))

    def scan(self, page: Page[Any], show: Callable[[Sequence[Any]], None]) -> None:
        """A page, with how to get the next one."""
        if self.as_json:
            self.json(page)
            return
        show(page.items)
        more = f"; more with --after {page.cursor}" if page.cursor else ""
        self.hint(f"{len(page.items)} of {page.total}{more}")

    def _columns(self, items: Sequence[Item | SessionInfo]) -> tuple[Sequence[str], list[Sequence[str]]]:
        if items and isinstance(items[0], SessionInfo):
            return ("session", "messages", "first", "last"), [
                (one.session, str(one.messages), self.time(one.first_said_at), self.time(one.last_said_at))
                for one in items
                if isinstance(one, SessionInfo)
            ]
        if items and isinstance(items[0], Message):
            return ("when", "session", "who", "text", "id"), [
                (self.time(one.said_at), one.session, one.speaker or one.role, one.text, one.id)
                for one in items
                if isinstance(one, Message)
            ]
        return ("when", "status", "what", "text", "id"), [
            (period(one, self._zone), one.status, fact(one), one.text, one.id) for one in items if isinstance(one, Record)
        ]

    def preview(self, items: Iterable[Item]) -> None:
        """What a question is about, on standard error like the question."""
        for one in items:
            what = fact(one) if isinstance(one, Record) else f"{one.speaker or one.role}, {self.time(one.said_at)}"
            self.err.print(Text(f"  {what}  ", style="dim") + Text(one.text))

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
        """The changes of one item. Their ids are what ``undo`` takes."""
        if self.as_json:
            self.json(entries)
        else:
            self.changes(entries)

    def changes(self, entries: Sequence[HistoryEntry], texts: Mapping[str, str] | None = None) -> None:
        """Changes; with ``texts`` (target → text) also of what."""
        self.table(
            ("when", "change", "by", "reason", "text", "id"),
            ((self.time(one.cause.at), one.change, one.cause.actor, one.cause.reason, _done(one, texts or {}), one.id) for one in entries),
        )

    def operations(self, lines: Sequence[Operation]) -> None:
        self.table(
            ("when", "kind", "session", "text", "result"),
            (
                (self.time(one.at), one.kind, one.session or "", str(one.parameters.get("query", pairs(one.parameters))), pairs(one.result))
                for one in lines
            ),
        )

    def jobs(self, jobs: Sequence[Job]) -> None:
        self.table(
            ("when", "kind", "state", "user", "tries", "next", "text", "id"),
            (
                (
                    self.time(one.created_at),
                    one.kind,
                    one.state,
                    one.scope.user,
                    str(one.attempts),
                    "" if one.state == "dead" or one.ready_at <= one.created_at else self.time(one.ready_at),
                    one.error or "",
                    one.id,
                )
                for one in jobs
            ),
        )

    def timeline(self, records: Sequence[Record]) -> None:
        if self.as_json:
            self.json(records)
            return
        if records:
            self.say(course(records, self._zone))
        self.table(*self._columns(records))

    def entities(self, entities: Sequence[Entity]) -> None:
        self.table(
            ("what", "facts", "last", "also"),
            ((one.name, str(one.records), self.time(one.last) if one.last else "", ", ".join(one.aliases)) for one in entities),
        )

    def entity(self, card: EntityCard, happened: Sequence[Happening], near: Sequence[Neighbour]) -> None:
        """What is known of somebody or something: names, facts, what happened when, and who and what is near."""
        if self.as_json:
            self.json({**plain(card), "timeline": happened, "neighbours": near})
            return
        entity = card.entity
        self.say(entity.name, style="bold")
        if entity.aliases:
            self.say(f"  also: {', '.join(entity.aliases)}")
        if entity.first is not None and entity.last is not None:
            self.say(f"  {counted(entity.records, 'fact')}, {self.time(entity.first)} to {self.time(entity.last)}", style="dim")
        for title, records in (("facts", card.current), ("no longer so", card.past)):
            if records:
                self.say(title, style="dim")
                self.table(*self._columns(records))
        if happened:
            self.say("time line", style="dim")
            rows = [(self.time(one.at), one.kind if one.holds else f"{one.kind}, past", one.text, one.id) for one in happened]
            self.table(("when", "kind", "text", "id"), rows)
        if near:
            self.say("neighbours", style="dim")
            told = [(one.name, str(one.hops), "; ".join(dict.fromkeys(edge.text for edge in one.edges[:3]))) for one in near]
            self.table(("what", "facts away", "text"), told)

    def why(self, why: Why) -> None:
        """The words a record rests on, who read them, and every change."""
        if self.as_json:
            self.json(why)
            return
        record = why.record
        self.say(fact(record), style="bold")
        self.say(f"  {record.text}")
        trust = record.trust.name.lower().replace("_", " ")
        self.say(
            f"  {record.status}, {period(record, self._zone)}; read by {record.extractor or 'nobody: it was written as it stands'}; "
            f"{trust}, {times(record.evidence_count)}",
            style="dim",
        )
        for quote in why.quotes:
            said = quote.message
            self.say(f"“{quote.text}”")
            who = f"{said.speaker or said.role}, {self.time(said.said_at)}, session {said.session}, message {said.id}"
            self.say(f"  {who}", style="dim")
        for id in why.missing:
            self.say(f"  the message {id} that it rests on is not there any more", style="dim")
        self.changes(why.history)

    def diffs(self, diffs: Sequence[Diff]) -> None:
        """What merges would make, for a person to look at."""
        for diff in diffs:
            self.say(f"{fact(diff.after)}  ({diff.reason})", style="bold")
            for old in diff.before:
                self.say(f"- {old.text}  {old.id}")
            self.say(f"+ {diff.after.text}")


def counted(number: int, what: str, several: str = "") -> str:
    """A number of things in words: 1 turn, 2 turns."""
    return f"{number:,} {what if number == 1 else several or f'{what}s'}"


def money(amount: float, currency: str) -> str:
    """A sum: small ones with enough places to say something."""
    places = 2 if amount >= 1 or amount == 0 else 4
    shown = f"{amount:,.{places}f}"
    # A sign stands before the number, a name behind it.
    return f"{shown} {currency}" if currency.isalpha() else f"{currency}{shown}"


def plain(value: Any) -> Any:
    """The same value in the types of JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(plain(one) for one in value)
    return value


def _done(entry: HistoryEntry, texts: Mapping[str, str]) -> str:
    """What a change did, and to what where that is told."""
    what = changed(entry)
    if not entry.before or entry.target not in texts:
        return what
    return f"{texts[entry.target]}  [{what}]" if what else texts[entry.target]
