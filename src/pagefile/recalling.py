"""What a turn recalls: nothing where nothing remembered bears on the message, and the same as before where the same is asked again."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pagefile.context.assemble import Material
from pagefile.context.budget import TRAILING_TOKENS, Budget
from pagefile.context.render import notes_for_model
from pagefile.conversation import Conversation
from pagefile.events import Recalled
from pagefile.language.about_oneself import asks_for_all
from pagefile.messages import Message
from pagefile.prompts import words
from pagefile.queries import Hit, Hits
from pagefile.records import Record
from pagefile.retrieval.gate import Gate, Remark, Searched, decide
from pagefile.retrieval.layers import Layer, layered
from pagefile.window import recall_for, recall_query

#: Messages before the current one that may tell the answer already.
_LATELY = 40
#: Characters of a message or block that are looked through for one.
_LOOKED_AT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What a turn needs of memory."""

    #: What to search for.
    query: str
    #: Why nothing is searched for; None: it is.
    skipped: str | None = None
    #: Sequence number of the message for which the same was searched for.
    same_as: int | None = None
    #: Where to look, in this order.
    layers: tuple[Layer, ...] = ()
    #: Whether memory's tools are to be offered.
    tools: bool = True


def what_is_needed(session: Conversation, material: Material, *, about: str | None) -> Needed:
    """Decide whether memory is to be searched. ``about``: what an event tells, if it is one that wakes the model."""
    query = recall_query(material) if about is None else about
    if not query.strip():
        return Needed(query="", skipped=words("turn", "skipped event", material.prefix_wording))
    gate = _gate(session, material, query if about else material.repaired[material.current].text)
    tools = gate.mount_tools or session.settings.mount_tools == "always"
    if gate.search or (session.settings.recall != "never" and asks_for_all(query)):
        # What answers from memory alone weighs its notes itself.
        return Needed(query=query, layers=() if session.parts.model.echoes_memory else gate.layers, tools=tools)
    return Needed(query=query, skipped=gate.why, same_as=gate.same_as, tools=tools)


def _gate(session: Conversation, material: Material, text: str) -> Gate:
    before = material.repaired[max(0, material.current - _LATELY) : material.current]
    if session.parts.model.echoes_memory:
        # It has nothing else to answer from.
        return decide(text, now=material.now, lazy=session.settings.recall)
    return decide(
        text,
        window=_remarks(before),
        blocks=[block.text[:_LOOKED_AT] for block in material.blocks if block.text],
        searched=[Searched(query=recalled.query, turn=seq) for seq, recalled in session.searches.items()],
        now=material.now,
        lazy=session.settings.recall,
    )


def _remarks(before: tuple[Message, ...]) -> list[Remark]:
    age, remarks = 0, list[Remark]()
    for message in reversed(before):
        if message.role in ("user", "assistant") and message.text:
            age += message.role == "user"
            remarks.append(Remark(role=message.role, text=message.text[:_LOOKED_AT], age=max(1, age)))
    return remarks


async def recalled_for(session: Conversation, material: Material, budget: Budget, needed: Needed) -> tuple[Recalled, tuple[str, ...]]:
    """What the window does not show already and may bear on the message, and warnings. What leaves the window now can be recalled."""
    began = time.perf_counter()
    if needed.skipped is not None:
        again = await _found_before(session, needed.same_as)
        hits = Hits(hits=again)
    else:
        limit = session.settings.recall_limit
        hits = await recall_for(material, budget, needed.query, parts=session.parts, scope=session.scope, limit=limit)
    # What comes first gets its room first.
    found = layered(hits.hits, needed.layers)
    shown = notes_for_model(found, zone=session.parts.zone, wording=material.trailing_wording, limit=budget.notes - TRAILING_TOKENS)
    recalled = Recalled(
        query=needed.query,
        hits=shown.hits,
        below_floor=hits.below_floor,
        filtered_out=hits.filtered_out,
        seconds=time.perf_counter() - began,
        skipped=needed.skipped,
    )
    if needed.skipped is None:
        session.searched(material.repaired[material.current].seq, recalled)
    return recalled, hits.warnings


async def _found_before(session: Conversation, seq: int | None) -> tuple[Hit, ...]:
    """What was found a moment ago, without what was changed, forgotten or erased since."""
    before = session.searches.get(seq) if seq is not None else None
    if before is None or not before.hits:
        return ()
    items = await session.parts.store.get(session.scope, [hit.id for hit in before.hits])
    there = {item.id: item for item in items if item is not None}
    return tuple(hit for hit in before.hits if (item := there.get(hit.id)) is not None and _stands(item, hit))


def _stands(item: Message | Record, hit: Hit) -> bool:
    if isinstance(item, Record):
        return item.status == "current" and item.text == hit.text
    return not (item.retired or item.superseded) and item.holding.text == hit.text
