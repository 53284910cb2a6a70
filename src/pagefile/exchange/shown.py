"""Adds what is remembered to the messages of an application, so that a provider's cache of the beginning of a prompt holds.

system      the application's own, byte for byte, then ours: it changes only when a block changes
…           the application's messages as they are
user        recalled notes, new each turn
user        the newest message of the user
…           the calls and results of this turn
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pagefile.adding import off_loop
from pagefile.context.budget import BLOCKS_SHARE, NOTES_TOKENS, TRAILING_TOKENS
from pagefile.context.render import blocks_for_model, notes_for_model, offset, wording_of
from pagefile.conversation import Conversation
from pagefile.exchange.places import HASHING, Recent
from pagefile.exchange.said import Said, flat
from pagefile.language.about_oneself import asks_for_all
from pagefile.language.small_talk import is_small_talk
from pagefile.language.text import language_of
from pagefile.messages import Message
from pagefile.prompts import Wording, words
from pagefile.queries import Hit, Where
from pagefile.records import Block, Record
from pagefile.retrieval.gate import Gate, Remark, decide
from pagefile.retrieval.query import Embedded, checked_query, embedded, embedder_for
from pagefile.retrieval.recall import recall
from pagefile.window import QUERY_CHARACTERS

#: How notes are put into the messages. "own": in a message of their own. "joined": in front of the user's words, for chat templates that
#: refuse two messages of one role in a row, and instructions in front of the first words of the user, where they refuse the system role.
Form: TypeAlias = Literal["own", "joined"]

#: Messages before the newest one that are looked at.
_LATELY = 40
_LOOKED_AT = 2_000
#: Messages by which the language of a conversation is told: it stays the same as the conversation grows.
_FIRST = 8
_MOST_TURNS = 2_000
_USERS = ("user", "human")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """What is shown to the model in one request."""

    #: Stands behind the application's instructions.
    prefix: str = ""
    #: Stands before the user's newest message; empty if nothing was recalled.
    notes: str = ""
    hits: tuple[Hit, ...] = ()
    query: str = ""
    warnings: tuple[str, ...] = ()


class Shower:
    """Finds what is to be shown, and remembers it for as long as a turn goes on: calls of tools are answered with the same notes."""

    def __init__(self) -> None:
        self._of_turn: Recent[Memories] = Recent(_MOST_TURNS)

    async def remembered(
        self,
        conversation: Conversation,
        talk: Sequence[Said],
        *,
        turn: str,
        shown: tuple[str, int] | None,
        blocks: Sequence[Block],
        prefix: str,
        ahead: Awaitable[Embedded] | None,
    ) -> Memories:
        """What bears on the newest message of the user. ``turn``: what this message is known by. ``shown``: a session, and from which
        message of it on the history shows what was said. ``ahead``: what ``embed_ahead`` has begun."""
        newest = _newest(talk)
        if newest is None:
            return Memories(prefix=prefix)
        known = self._of_turn.get(conversation.scope, turn)
        if known is not None and newest < len(talk) - 1 and await _still_stand(conversation, known.hits):
            return replace(known, prefix=prefix)
        found = await _recalled(conversation, talk, newest, shown, blocks, ahead)
        self._of_turn.put(conversation.scope, turn, found)
        return replace(found, prefix=prefix)


def embed_ahead(conversation: Conversation, talk: Sequence[Said]) -> asyncio.Task[Embedded] | None:
    """Begin to make the vector of what will be searched for: the longest step of a search needs nothing of the journal. None: nothing will
    be searched for, by the messages alone; what core memory answers already is not known yet."""
    newest = _newest(talk)
    if newest is None or not _gate(conversation, talk, newest, ()).search:
        return None
    query = _query(talk, newest)
    if is_small_talk(query) or asks_for_all(query):
        return None
    return asyncio.create_task(embedded(embedder_for(conversation.parts), checked_query(query)), name="pagefile-embed-ahead")


def _gate(conversation: Conversation, talk: Sequence[Said], newest: int, blocks: Sequence[Block]) -> Gate:
    """Whether the newest message of the user needs a search."""
    return decide(
        talk[newest].text,
        window=_remarks(talk[max(0, newest - _LATELY) : newest]),
        blocks=[block.text[:_LOOKED_AT] for block in blocks if block.text],
        now=conversation.parts.now().astimezone(conversation.parts.zone),
        lazy=conversation.settings.recall,
    )


def wording_for(talk: Sequence[Said]) -> Wording:
    """The language of what does not change from turn to turn."""
    return wording_of([said.text for said in talk[:_FIRST] if said.role == "user"])


def prefix_of(blocks: Sequence[Block], wording: Wording, *, window: int, tools: str) -> str:
    """What stands behind the application's own instructions: how to use what is remembered, and core memory."""
    told = words("exchange", "instructions", wording)
    if tools:
        told = f"{told}\n{tools}"
    filled = [block for block in blocks if block.text.strip()]
    core = blocks_for_model(filled, wording=wording, limit=int(BLOCKS_SHARE * window)) if filled else ""
    return f"{told}\n\n{core}" if core else told


async def _still_stand(conversation: Conversation, hits: Sequence[Hit]) -> bool:
    """Whether nothing of what was shown was erased, forgotten or changed since."""
    items = await conversation.parts.store.get(conversation.scope, [hit.id for hit in hits]) if hits else ()
    return all(item is not None and _stands(item, hit) for item, hit in zip(items, hits, strict=True))


def _stands(item: Message | Record, hit: Hit) -> bool:
    if isinstance(item, Record):
        return item.status == "current" and item.text == hit.text
    return not (item.retired or item.superseded) and item.holding.text == hit.text


async def _recalled(
    conversation: Conversation,
    talk: Sequence[Said],
    newest: int,
    shown: tuple[str, int] | None,
    blocks: Sequence[Block],
    ahead: Awaitable[Embedded] | None,
) -> Memories:
    parts, scope, settings = conversation.parts, conversation.scope, conversation.settings
    now = parts.now().astimezone(parts.zone)
    query = _query(talk, newest)
    if not _gate(conversation, talk, newest, blocks).search or is_small_talk(query):
        return Memories(query=query)
    where = Where(not_in_window=shown, alive_at=now)
    size = sum(HASHING + len(said.text) for said in talk)
    said_here = await off_loop(size // 5, lambda: {flat(said.text) for said in talk})
    limit = settings.recall_limit + min(len(talk), settings.recall_limit)
    found = await recall(parts, scope, query, where=where, limit=limit, ahead=ahead)
    hits = [hit for hit in found.hits if hit.kind != "message" or flat(hit.text) not in said_here][: settings.recall_limit]
    wording = wording_of([talk[newest].text], wording_for(talk))
    notes = notes_for_model(hits, zone=parts.zone, wording=wording, limit=NOTES_TOKENS - TRAILING_TOKENS)
    if not notes.text:
        return Memories(query=query, warnings=found.warnings)
    weekday = words("window", "weekdays", wording).split()[now.weekday()]
    today = words("window", "today", wording, weekday=weekday, date=f"{now:%Y-%m-%d}", offset=offset(now))
    text = "\n".join((f"{words('window', 'trailing', wording)} {today}", words("window", "notes", wording), notes.text))
    return Memories(notes=text, hits=notes.hits, query=query, warnings=found.warnings)


def _newest(talk: Sequence[Said]) -> int | None:
    return next((place for place in range(len(talk) - 1, -1, -1) if talk[place].role == "user"), None)


def _query(talk: Sequence[Said], newest: int) -> str:
    """The newest message and, if it says too little by itself, the user's message before it."""
    text = talk[newest].text.strip()[:QUERY_CHARACTERS]
    little = len(text) <= 6 if language_of(text) in {"zh", "ja", "ko"} else len(text.split()) <= 3
    before = next((said for said in reversed(talk[:newest]) if said.role == "user"), None) if little else None
    return f"{text}\n{before.text[:QUERY_CHARACTERS]}" if before else text


def _remarks(before: Sequence[Said]) -> list[Remark]:
    age, remarks = 0, list[Remark]()
    for said in reversed(before):
        if said.role in ("user", "assistant") and said.text:
            age += said.role == "user"
            remarks.append(Remark(role=said.role, text=said.text[:_LOOKED_AT], age=max(1, age)))
    return remarks


# --- into the messages ---------------------------------------------------------------------------------------------------


def with_memories(messages: Sequence[Mapping[str, Any]], memories: Memories, form: Form = "own") -> list[Mapping[str, Any]]:
    """The messages with what is remembered. The application's own stay as they are, but for what is put behind its instructions."""
    shown = list(messages)
    if memories.notes:
        newest = next((at for at in range(len(shown) - 1, -1, -1) if shown[at].get("role") in _USERS), None)
        if newest is not None and form == "own":
            shown.insert(newest, {"role": "user", "content": memories.notes})
        elif newest is not None:
            shown[newest] = {**shown[newest], "content": _before(memories.notes, shown[newest].get("content"))}
    if not memories.prefix:
        return shown
    leading = 0
    while leading < len(shown) and shown[leading].get("role") in ("system", "developer"):
        leading += 1
    if leading:
        last = shown[leading - 1]
        shown[leading - 1] = {**last, "content": _behind(last.get("content"), memories.prefix)}
    elif form == "own":
        shown.insert(0, {"role": "system", "content": memories.prefix})
    else:
        first = next((at for at, message in enumerate(shown) if message.get("role") in _USERS), None)
        if first is not None:
            shown[first] = {**shown[first], "content": _before(memories.prefix, shown[first].get("content"))}
    return shown


def _behind(content: Any, text: str) -> Any:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": text}]
    return f"{content}\n\n{text}" if content else text


def _before(text: str, content: Any) -> Any:
    if isinstance(content, list):
        return [{"type": "text", "text": text}, *content]
    return f"{text}\n\n{content}" if content else text
