"""Saves a conversation into one JSON document, and loads it again: here, for another user, or on another machine.

What was said goes along, with its ids and times; where the window begins, the running summary, the checkpoints, and the blocks if they
are wanted. What was learnt does not: whoever loads it learns it from what was said, once.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from pagefile.blocks import find_block, write_block
from pagefile.erased import without_erased
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.intake import draft, moment, name_to_keep, without_answers
from pagefile.learner import learning_jobs
from pagefile.messages import Draft, Message, Origin
from pagefile.parts import Parts
from pagefile.queries import Where
from pagefile.records import Block, Indexing, Scope, identifier
from pagefile.summariser import summarise_job
from pagefile.tasks import Checkpoint, checkpoints_of, find_checkpoint, keep_checkpoint

FORMAT = "pagefile session"
#: Of the format. A reader refuses what is newer than itself.
VERSION = 1

_PAGE = 1_000
_SHOWN = Where(statuses=("current", "superseded"))
_ALL = Where(statuses=("current", "superseded", "retired"))
_ORIGINS: Sequence[Origin] = get_args(Origin)
_BLOCK_FIELDS = ("text", "description", "token_limit", "read_only")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What became of a saved conversation."""

    session: str
    #: Messages that are new here, those that stood here already, and those that were erased here and stay so.
    stored: int
    known: int
    erased: int = 0
    #: Keys of the checkpoints that were taken; labels of the blocks that were, and of those that were left as they are here.
    checkpoints: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    blocks_kept: tuple[str, ...] = ()


# --- saving ------------------------------------------------------------------------------------------------------------


async def save_session(
    parts: Parts, scope: Scope, session: str, path: str | os.PathLike[str] | None, *, blocks: bool, agent: str | None
) -> dict[str, Any]:
    """The document of a conversation: JSON-ready. What was forgotten is left out. Raises NotFound."""
    saved = await _document(parts, scope, session, blocks=blocks, agent=agent)
    if path is not None:
        await asyncio.to_thread(write_document, saved, path)
    return saved


async def _document(parts: Parts, scope: Scope, session: str, *, blocks: bool, agent: str | None) -> dict[str, Any]:
    info = await parts.store.session(scope, session)
    if info is None:
        raise NotFound(f"there is no session {session!r:.80} here; nothing was saved")
    messages = await _messages(parts, scope, session, _SHOWN)
    kept = await parts.store.blocks(scope, agent) if blocks else ()
    return {
        "format": FORMAT,
        "version": VERSION,
        "saved_at": parts.now().isoformat(),
        "session": session,
        "window_start": info.window_start,
        "summary": info.summary,
        "summarised_to": info.summarised_to,
        "messages": [saved_message(message) for message in messages],
        "checkpoints": [_saved_checkpoint(one) for one in await checkpoints_of(parts, scope, session)],
        "blocks": [{field.name: getattr(block, field.name) for field in fields(Block) if field.name != "version"} for block in kept],
    }


def write_document(document: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a document into a file that its owner alone can read: whole, or not at all. Raises InputError."""
    place = Path(path).expanduser()
    half = place.with_name(f"{place.name}.part")
    try:
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(as_text(document))
        half.replace(place)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise InputError(f"the session cannot be written to {str(place)!r}: {error.strerror or error}; choose another place") from error


def as_text(document: Mapping[str, Any]) -> str:
    """A document as it stands in a file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def read_document(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """The document that is in a file. Raises InputError."""
    place = Path(path).expanduser()
    try:
        return document_of(place.read_bytes().decode("utf-8-sig"), str(place))
    except OSError as error:
        raise InputError(f"{str(place)!r} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{str(place)!r} is not UTF-8 text (byte {error.start}); give a file that save_session wrote") from error


def document_of(text: str, where: str) -> Mapping[str, Any]:
    """The document of a text. Raises InputError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no JSON: {error}; give a file that save_session wrote") from error
    return _checked(value, where)


async def _messages(parts: Parts, scope: Scope, session: str, where: Where) -> list[Message]:
    found: list[Message] = []
    after: str | None = None
    while True:
        page = await parts.store.messages(scope, session, where=where, after=after, limit=_PAGE)
        found += page.items
        if page.cursor is None:
            return found
        after = page.cursor


def saved_message(message: Message) -> dict[str, Any]:
    """A message in the form of Chat Completions, with what is ours beside it; what says nothing is left out."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in message.tool_calls
    ]
    whole = {
        "id": message.id,
        "seq": message.seq,
        "role": message.role,
        "content": message.text if message.parts is None else [dict(part) for part in message.parts],
        "name": message.speaker,
        "tool_calls": calls,
        "tool_call_id": message.tool_call_id,
        "agent": message.agent,
        "said_at": message.said_at.isoformat(),
        "external_id": message.external_id,
        "origin": message.origin if message.origin != "said" else None,
        "consent": "explicit" if message.consent else None,
        "learnable": None if message.learnable else False,
    }
    return {name: value for name, value in whole.items() if value is not None and value != []}


def _saved_checkpoint(one: Checkpoint) -> dict[str, Any]:
    return {"key": one.key, "turn": one.turn, "seq": one.seq, "state": one.state, "at": one.at.isoformat()}


# --- loading -----------------------------------------------------------------------------------------------------------


async def load_session(
    parts: Parts, scope: Scope, saved: Mapping[str, Any] | str | os.PathLike[str], *, session: str | None = None
) -> Loaded:
    """Load a conversation under its own name or another one.

    What stands here already is not stored again, and what was said here since stays: loading twice is the same as once. Raises InputError
    for what is no such document, and ConflictError, before anything is written, if the session here differs, or one of its messages stands
    in another session of this user.
    """
    document = _checked(saved, "what was given") if isinstance(saved, Mapping) else await asyncio.to_thread(read_document, saved)
    name = name_to_keep(session if session is not None else document["session"], "session")
    drafts = [_drafted(one, place, parts) for place, one in enumerate(document["messages"], 1)]
    if len({one.id for one in drafts}) < len(drafts):
        raise InputError("two messages of the saved session have the same id; give a file that save_session wrote")
    here = await _messages(parts, scope, name, _ALL)
    new = _new(drafts, here, name)
    await _refuse_taken(parts, scope, new)
    ready = await without_answers(parts, scope, name, new)
    outcomes = await parts.store.append(scope, name, ready, jobs=learning_jobs(parts, name, ready)) if ready else ()
    stored = sum(one.outcome == "stored" for one in outcomes)
    places = [*here, *(one.message for one in outcomes if one.outcome == "stored")]
    numbers = _Numbers(document, {message.id: message.seq for message in places})
    # Said here since: then it has a window of its own.
    went_on = {message.id for message in here} - {one.id for one in drafts}
    if not went_on:
        await _restore_window(parts, scope, name, document, numbers)
    blocks = [await _load_block(parts, scope, block) for block in document.get("blocks", ())]
    return Loaded(
        session=name,
        stored=stored,
        known=len(drafts) - len(new),
        erased=len(new) - stored,
        checkpoints=await _load_checkpoints(parts, scope, name, numbers),
        blocks=tuple(label for label, taken in blocks if taken),
        blocks_kept=tuple(label for label, taken in blocks if not taken),
    )


def _checked(value: object, where: str) -> Mapping[str, Any]:
    """A document whose parts are of the right kinds."""
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise InputError(f"{where} is no saved session; give what save_session made")
    version = value.get("version")
    if not isinstance(version, int) or version < 1 or version > VERSION:
        raise InputError(f"{where} is of version {version!r:.20}; this Pagefile reads up to {VERSION}. Upgrade it, and load again")
    for name, kind in (("session", str), ("messages", list), ("checkpoints", list), ("blocks", list)):
        if not isinstance(value.get(name, kind()), kind) or (name in ("session", "messages") and name not in value):
            raise InputError(f"{where} has no usable {name!r}; give what save_session made")
    for part in ("messages", "checkpoints", "blocks"):
        if not all(isinstance(one, Mapping) for one in value.get(part, ())):
            raise InputError(f"{where} has something else than mappings among its {part}; give what save_session made")
    for name in ("window_start", "summarised_to"):
        if not isinstance(value.get(name, 0), int) or not isinstance(value.get("summary"), str | None):
            raise InputError(f"{where} has no usable {name!r}; give what save_session made")
    return value


def _drafted(saved: Mapping[str, Any], place: int, parts: Parts) -> Draft:
    try:
        return draft_of(saved, parts)
    except InputError as error:
        raise InputError(f"message {place} of the saved session: {error}. Nothing was loaded") from error


def draft_of(saved: Mapping[str, Any], parts: Parts) -> Draft:
    """A saved message on its way into this journal: looked through like any other, as somebody may have edited the file."""
    id = identifier(saved.get("id", ""), "id")
    origin = saved.get("origin", "said")
    if origin not in _ORIGINS:
        raise InputError(f"the origin {origin!r:.40} is not known; use one of {', '.join(_ORIGINS)}")
    said = {name: value for name, value in saved.items() if name not in ("id", "origin", "agent", "learnable")}
    made = draft({**said, "id": saved.get("external_id")}, parts=parts, agent=saved.get("agent"))
    # Results of calls and events are in the journal for the sake of the window: they were never findable, nor are they here.
    quiet = made.role == "tool" or origin == "event"
    # What was said while nothing was to be learnt is not learnt elsewhere either.
    learnable = made.learnable and saved.get("learnable") is not False
    return replace(made, id=id, origin=origin, learnable=learnable, indexing=Indexing() if quiet else made.indexing)


def _new(saved: Sequence[Draft], here: Sequence[Message], name: str) -> list[Draft]:
    """What is not here yet. Raises ConflictError if the two are not the same conversation."""
    known = {message.id: message for message in here}
    for place, one in enumerate(saved, 1):
        old = known.get(one.id)
        if old is not None and (old.role, old.text, old.said_at) != (one.role, one.text, one.said_at):
            raise ConflictError(f"message {place} of the session {name!r:.80} is another one here; nothing was loaded")
    last = max((place for place, one in enumerate(saved) if one.id in known), default=-1)
    # What is missing in the middle was erased here.
    new = list(saved[last + 1 :])
    of_saved = {one.id for one in saved}
    if here and new and any(message.id not in of_saved for message in here):
        # Under another name its messages would still be those of this session.
        advice = "Load it for another user" if last >= 0 else "Load it under another name"
        raise ConflictError(f"the session {name!r:.80} is another one here; nothing was loaded. {advice}")
    return new


async def _refuse_taken(parts: Parts, scope: Scope, new: Sequence[Draft]) -> None:
    taken = [item for item in await parts.store.get(scope, [one.id for one in new]) if item is not None] if new else []
    if taken:
        where = f"in the session {taken[0].session!r:.80}" if taken[0].session else "among the records"
        raise ConflictError(f"messages of it stand {where} of this user already; nothing was loaded. Load it for another user")


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What numbers the messages of a saved session have here."""

    document: Mapping[str, Any]
    #: Id → number here.
    here: Mapping[str, int]

    def up_to(self, seq: int) -> int:
        """The last message that was said up to this one; 0: none was."""
        return max((here for said, here in self._both() if said <= seq), default=0)

    def since(self, seq: int) -> int:
        """The first message that was said from this one on; the last of all if none was."""
        return min((here for said, here in self._both() if said >= seq), default=self.up_to(seq))

    def _both(self) -> Iterator[tuple[int, int]]:
        for one in self.document["messages"]:
            if isinstance(one.get("seq"), int) and one["id"] in self.here:
                yield one["seq"], self.here[one["id"]]


async def _restore_window(parts: Parts, scope: Scope, name: str, document: Mapping[str, Any], numbers: _Numbers) -> None:
    """The start of the window, and the running summary."""
    info = await parts.store.session(scope, name)
    if info is None:
        return
    start, told, summary = (
        numbers.since(document.get("window_start", 1)),
        numbers.up_to(document.get("summarised_to", 0)),
        document.get("summary"),
    )
    if summary and told and info.summary is None and told + 1 >= info.window_start:
        await parts.store.set_window(scope, name, window_start=told + 1, summary=summary)
    if start > max(info.window_start, told + 1 if summary else 1):
        await parts.store.set_window(scope, name, window_start=start, jobs=[summarise_job(name)])


async def _load_block(parts: Parts, scope: Scope, saved: Mapping[str, Any]) -> tuple[str, bool]:
    """The label of a block, and whether it was taken: what is written here stays."""
    label = name_to_keep(saved.get("label", ""), "label")
    agent = None if saved.get("agent") is None else name_to_keep(saved["agent"], "agent")
    old = await find_block(parts, scope, label, agent)
    if old is not None and old.text.strip():
        return label, old.text == saved.get("text")
    values = {name: saved.get(name) for name in _BLOCK_FIELDS}
    if isinstance(text := values["text"], str):
        values["text"] = await without_erased(parts, scope, text)
    await write_block(parts, scope, label, values, agent=agent, actor=f"user:{scope.user}", reason="load_session() was called")
    return label, True


async def _load_checkpoints(parts: Parts, scope: Scope, name: str, numbers: _Numbers) -> tuple[str, ...]:
    """The keys of the checkpoints that were taken; one that is newer here stays."""
    taken: list[str] = []
    for saved in numbers.document.get("checkpoints", ()):
        turn, seq = saved.get("turn"), saved.get("seq")
        if not isinstance(turn, int) or not isinstance(seq, int):
            raise InputError("a checkpoint of the saved session has no turn or seq; give what save_session made")
        key, at = name_to_keep(saved.get("key", ""), "key"), moment(saved.get("at", ""), parts.zone)
        old = await find_checkpoint(parts, scope, key)
        if old is not None and (old.session != name or old.at >= at):
            continue
        made = Checkpoint(key=key, session=name, turn=turn, seq=numbers.up_to(seq), state=saved.get("state"), at=at)
        await keep_checkpoint(parts, scope, made)
        taken.append(key)
    return tuple(taken)
