"""Texts that write down who said what. Pure."""

from __future__ import annotations

from pagefile.language.patterns import late_pattern

#: A turn's beginning: a name and a colon, at the start of a line or behind the quote that ends the turn before.
_TURN = late_pattern(r"(?:^|[\n\"”」])[ \t]*<?[^<>:：\n\"“”]{1,40}?>?[ \t]*[:：]")
#: So many turns make a talk; one may be a note.
_LEAST = 2


def is_transcript(text: str) -> bool:
    """Whether a text is a talk written down: ``Ann: …`` by the line, or ``<Ann>: "…" <Bob>: "…"``; in both languages."""
    turns = _TURN.finditer(text)
    return sum(1 for _, _ in zip(range(_LEAST), turns, strict=False)) == _LEAST
