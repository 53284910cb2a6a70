"""A bar chart as SVG, so that a report can be looked at without anything but a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from evaluation.metrics import Interval

#: Pixels.
_LABELS, _BARS, _FIGURES = 230, 440, 180
_LINE, _TITLE, _MARGIN = 20, 34, 12
#: Told apart by lightness too, for who cannot tell the colours apart.
_COLOURS = ("#1f5fa8", "#8fbbe8", "#c77f1a", "#edc98f")
_INK, _FAINT = "#222222", "#dddddd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A share with the interval that it lies in."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Bars of one question set, one group of them for each row."""

    title: str
    #: Of the bars of a row.
    measures: tuple[str, ...]
    #: Label → one bar for each measure.
    rows: tuple[tuple[str, tuple[Bar, ...]], ...]


def svg(panels: Sequence[Panel]) -> str:
    """Panels under each other, from 0 to 1, each bar with its interval as a whisker."""
    drawn: list[str] = []
    top = _MARGIN
    for panel in panels:
        drawn += _panel(panel, top)
        top += _height(panel)
    width = _LABELS + _BARS + _FIGURES
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + _MARGIN}" viewBox="0 0 {width} {top + _MARGIN}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{top + _MARGIN}" fill="white"/>', *drawn, "</svg>", ""])


def _height(panel: Panel) -> int:
    return _TITLE + _LINE + _LINE * len(panel.rows) * len(panel.measures) + 8 * len(panel.rows) + _MARGIN


def _panel(panel: Panel, top: int) -> list[str]:
    bottom = top + _height(panel) - _MARGIN
    drawn = [f'<text x="{_MARGIN}" y="{top + 14}" font-weight="bold" font-size="14">{escape(panel.title)}</text>']
    for place, measure in enumerate(panel.measures):
        x = _LABELS + 120 * place
        drawn.append(f'<rect x="{x}" y="{top + 24}" width="12" height="12" fill="{_COLOURS[place % len(_COLOURS)]}"/>')
        drawn.append(f'<text x="{x + 17}" y="{top + 34}">{escape(measure)}</text>')
    y = top + _TITLE + _LINE // 2
    for tenth in range(0, 11, 2):
        x = round(_LABELS + _BARS * tenth / 10)
        drawn.append(f'<line x1="{x}" y1="{y}" x2="{x}" y2="{bottom}" stroke="{_FAINT}"/>')
        drawn.append(f'<text x="{x}" y="{bottom + 10}" text-anchor="middle" font-size="10">{tenth / 10:.1f}</text>')
    for label, bars in panel.rows:
        middle = y + _LINE * len(bars) / 2 + 4
        drawn.append(f'<text x="{_LABELS - 8}" y="{middle:.0f}" text-anchor="end">{escape(label)}</text>')
        for place, bar in enumerate(bars):
            drawn += _bar(bar, y, _COLOURS[place % len(_COLOURS)])
            y += _LINE
        y += 8
    return drawn


def _bar(bar: Bar, y: int, colour: str) -> list[str]:
    end, low, high = (round(_LABELS + _BARS * value) for value in (bar.value, *bar.interval))
    middle = y + _LINE // 2
    return [
        f'<rect x="{_LABELS}" y="{y + 2}" width="{end - _LABELS}" height="{_LINE - 4}" fill="{colour}"/>',
        f'<line x1="{low}" y1="{middle}" x2="{high}" y2="{middle}" stroke="{_INK}"/>',
        *(f'<line x1="{x}" y1="{middle - 3}" x2="{x}" y2="{middle + 3}" stroke="{_INK}"/>' for x in (low, high)),
        f'<text x="{_LABELS + _BARS + 10}" y="{y + 14}">{bar.value:.3f} [{bar.interval[0]:.3f}, {bar.interval[1]:.3f}]</text>',
    ]
