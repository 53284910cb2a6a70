"""The words we send to models: documents beside this file, one for each language, in named sections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Literal, TypeAlias

#: The languages every document is written in.
Wording: TypeAlias = Literal["en", "zh"]
WORDINGS: tuple[Wording, ...] = ("en", "zh")


def words(document: str, section: str, wording: Wording, **values: object) -> str:
    """The text of a section of ``<document>.<wording>.md``, its ``$names`` filled in. A value is taken as it is, whatever it holds."""
    return Template(sections(document, wording)[section]).substitute(values)


@lru_cache
def sections(document: str, wording: Wording) -> Mapping[str, str]:
    """Heading → text, for the lines that begin with ``# ``. What stands before the first heading is for readers of the document."""
    text = files(__name__).joinpath(f"{document}.{wording}.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("# "):
            lines = found.setdefault(line.removeprefix("# ").strip(), [])
        else:
            lines.append(line)
    return MappingProxyType({heading: "\n".join(lines).strip() for heading, lines in found.items()})
