"""Tables that can be shown in a terminal and written as Markdown."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from evaluation.metrics import Difference, Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: the first column has names, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: Numbers of rows before which a new section begins.
    sections: frozenset[int] = frozenset()

    def table(self) -> Table:
        """For a terminal."""
        table = Table(title=self.title, title_justify="left")
        for place, column in enumerate(self.columns):
            table.add_column(column, justify="right" if place else "left")
        for place, row in enumerate(self.rows):
            if place in self.sections:
                table.add_section()
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """As a table of Markdown, under its title."""
        rule = ["---", *("---:" for _ in self.columns[1:])]
        lines = [_line(row) for row in (self.columns, rule, *self.rows)]
        return "\n".join([f"**{_escaped(self.title)}**", "", *lines])


def wide_console() -> Console:
    """Where tables are shown. A pipe has no width of its own, and a table must not be cut in it."""
    return Console(width=None if sys.stdout.isatty() else 200)


def number(value: float) -> str:
    """A share, to three places; "–" where there was nothing to measure."""
    return "–" if math.isnan(value) else f"{value:.3f}"


def with_interval(value: float, bounds: Interval) -> str:
    """A mean and where it lies with 95 %."""
    return "–" if math.isnan(value) else f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def changed(difference: Difference) -> str:
    """A paired difference and where it lies with 95 %."""
    if math.isnan(difference.mean):
        return "–"
    low, high = difference.interval
    return f"{difference.mean:+.3f} [{low:+.3f}, {high:+.3f}]"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
