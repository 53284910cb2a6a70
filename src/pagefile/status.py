"""The status block: what is known and how far the work has come, in a block that every window shows. It is no record, nor learnt from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pagefile.blocks import find_block, rewrite
from pagefile.errors import InputError
from pagefile.intake import name_to_keep
from pagefile.language.secrets import redact
from pagefile.language.text import clean, language_of
from pagefile.parts import Parts
from pagefile.prompts import WORDINGS, Wording, words
from pagefile.records import Block, Scope

#: The label of the block.
STATUS = "status"

_BULLETS = "-*•· \t"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStatus:
    """Where a piece of work stands, a line a thing."""

    known: tuple[str, ...] = ()
    progress: tuple[str, ...] = ()


def status_of(text: str) -> WorkStatus:
    """What stands in a status block. Lines before any heading count as known."""
    headings = _headings()
    found: dict[str, list[str]] = {"known": [], "progress": []}
    section = "known"
    for line in text.splitlines():
        if (heading := line.strip()) in headings:
            section = headings[heading]
        elif said := line.strip().lstrip(_BULLETS):
            found[section].append(said)
    return WorkStatus(known=tuple(found["known"]), progress=tuple(found["progress"]))


def text_of(status: WorkStatus) -> str:
    """The text of a status block, in the language of its lines."""
    lines = "\n".join((*status.known, *status.progress))
    wording: Wording = "zh" if language_of(lines) == "zh" else "en"
    parts = [("known", status.known), ("progress", status.progress)]
    return "\n".join("\n".join((words(STATUS, name, wording), *(f"- {line}" for line in section))) for name, section in parts if section)


async def read_status(parts: Parts, scope: Scope, *, agent: str | None = None) -> WorkStatus:
    """The status that is shared by all agents, or that of one of them; empty if none was written."""
    block = await find_block(parts, scope, STATUS, agent)
    return status_of(block.text) if block else WorkStatus()


async def update_status(
    parts: Parts,
    scope: Scope,
    *,
    known: Iterable[str] | str | None = None,
    progress: Iterable[str] | str | None = None,
    agent: str | None = None,
    actor: str,
    reason: str = "update_status() was called",
    wording: Wording = "en",
) -> WorkStatus:
    """Replace what is known, the progress, or both; what is None stays as it is, and an empty list removes.

    ``wording``: language of an error. Raises InputError for what is no list of lines, BlockFull if the whole is over the block's limit.
    """
    agent = None if agent is None else name_to_keep(agent, "agent")
    given = {name: _lines(lines, name) for name, lines in (("known", known), ("progress", progress)) if lines is not None}

    def changed(block: Block) -> Mapping[str, str]:
        old = status_of(block.text)
        text = text_of(WorkStatus(known=given.get("known", old.known), progress=given.get("progress", old.progress)))
        described = {} if block.description else {"description": words(STATUS, "description", "zh" if language_of(text) == "zh" else "en")}
        return {"text": text, **described}

    block = await rewrite(parts, scope, STATUS, changed, agent=agent, actor=actor, reason=reason, wording=wording)
    return status_of(block.text)


def _lines(given: Iterable[str] | str, what: str) -> tuple[str, ...]:
    listed = isinstance(given, Iterable) and not isinstance(given, bytes | Mapping)
    lines = [given] if isinstance(given, str) else list(given) if listed else [None]
    if not all(isinstance(line, str) for line in lines):
        raise InputError(f"{what} must be a list of lines of text, not {given!r:.40}")
    # One thing is one line: a line break in it would make two, and a heading in it a section.
    texts = (" ".join(redact(clean(line)).text.split()).lstrip(_BULLETS) for line in lines if line)
    return tuple(dict.fromkeys(text for text in texts if text and text not in _headings()))


def _headings() -> Mapping[str, str]:
    """Heading → section."""
    return {words(STATUS, name, wording): name for wording in WORDINGS for name in ("known", "progress")}
