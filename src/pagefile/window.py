"""What a window is filled with: what a chat turn asks of memory, and the same for applications that run their own model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from pagefile.context.assemble import Material, Window, assemble, budget_for, without_evicted
from pagefile.context.budget import Budget
from pagefile.context.evict import plan_eviction
from pagefile.errors import ConflictError, InputError
from pagefile.intake import draft
from pagefile.language.small_talk import is_small_talk
from pagefile.language.text import language_of
from pagefile.messages import Draft, Message
from pagefile.parts import Parts
from pagefile.prompts import Wording, words
from pagefile.queries import Hits, Where
from pagefile.records import Add, Block, Cause, Scope
from pagefile.retrieval.recall import recall

#: Blocks that every conversation has.
DEFAULT_BLOCKS = ("human", "persona")
#: Characters of a message that are searched for. What a long message asks stands at its beginning more often than not.
QUERY_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """How a conversation is held."""

    #: The application's own instructions; those about the memory come after them.
    instructions: str = ""
    #: Language of our own words to the model. None: told from the conversation.
    wording: Wording | None = None
    #: Notes shown at most in one turn.
    recall_limit: int = 10
    #: Times the model is asked in one turn, each time but the last with tool calls in its answer.
    max_rounds: int = 10
    #: Tokens of a reply at most. None: the endpoint decides; a quarter of the window, at most 4,096 tokens, is kept free.
    reply_tokens: int | None = None
    temperature: float | None = None
    #: Send images as such. The model must be able to take them; else they stand in the text as markers.
    images: bool = False


def recall_query(material: Material) -> str:
    """What to search memory for: the message itself and, if it says too little by itself ("and then?"), the user's message before it."""
    message = material.repaired[material.current]
    text = message.text.strip()[:QUERY_CHARACTERS]
    if not _says_little(text):
        return text
    said = (one for one in reversed(material.repaired[: material.current]) if one.role == "user")
    before = next(said, None)
    return f"{text}\n{before.text[:QUERY_CHARACTERS]}" if before else text


def _says_little(text: str) -> bool:
    if language_of(text) in {"zh", "ja", "ko"}:
        return len(text) <= 6
    return len(text.split()) <= 3


async def recall_for(material: Material, budget: Budget, query: str, *, parts: Parts, scope: Scope, limit: int) -> Hits:
    """Find what may bear on the message and is not in the window. What is to leave the window now can be found at once."""
    if is_small_talk(query):
        return Hits()
    eviction = plan_eviction(material.repaired, material.sizes, current=material.current, share=budget.recent)
    first = eviction.kept[0] if eviction else material.repaired[0]
    where = Where(not_in_window=(first.session, first.seq), alive_at=parts.now())
    return await recall(parts, scope, query, where=where, limit=limit)


async def blocks_for(parts: Parts, scope: Scope, agent: str | None, wording: Wording) -> tuple[Block, ...]:
    """The blocks of a conversation; the default ones are made where they are missing."""
    blocks = await parts.store.blocks(scope, agent)
    missing = [label for label in DEFAULT_BLOCKS if label not in {block.label for block in blocks}]
    if not missing:
        return blocks
    cause = Cause(actor="pagefile", reason="every conversation has this block", at=parts.now())
    for label in missing:
        item = Block(label=label, description=words("window", f"block {label}", wording))
        try:
            await parts.store.apply(scope, [Add(item=item, cause=cause)])
        except ConflictError:
            continue  # another turn of this user made it at the same time
    return await parts.store.blocks(scope, agent)


# --- a window for applications that ask their own model ----------------------------------------------------------------


async def build_window(
    parts: Parts,
    scope: Scope,
    session: str,
    messages: Sequence[Mapping[str, Any] | str],
    *,
    budget: int,
    agent: str | None = None,
    settings: ChatSettings = ChatSettings(),
) -> Window:
    """A window of at most ``budget`` tokens around ``messages``, which are not in the journal yet. Nothing is written.

    System messages among them are the application's instructions. What they repeat from the end of the journal is taken once. Raises
    InputError if there is no user's message, one cannot be read, or the budget is too small.
    """
    given = [draft(message, parts=parts, agent=agent) for message in messages if not _hollow(message)]
    system = [one.text for one in given if one.role == "system"]
    talk = [one for one in given if one.role != "system"]
    answering = next((one.id for one in reversed(talk) if one.role == "user"), None)
    if answering is None:
        raise InputError("there is no user's message to build a window for; give at least one")
    journal = await parts.store.window(scope, session)
    info = await parts.store.session(scope, session)
    earlier = journal[: len(journal) - _overlap(journal, talk)]
    after = info.last_seq if info else 0
    material = Material(
        messages=(*earlier, *(_message(one, session, after + place) for place, one in enumerate(talk, 1))),
        answering=answering,
        window=budget,
        reply=0,
        instructions="\n\n".join((settings.instructions, *system)).strip(),
        blocks=await parts.store.blocks(scope, agent),
        summary=info.summary if info else None,
        now=parts.now().astimezone(parts.zone),
        wording=settings.wording,
        images=settings.images,
    )
    shares = budget_for(material)
    hits = await recall_for(material, shares, recall_query(material), parts=parts, scope=scope, limit=settings.recall_limit)
    eviction = plan_eviction(material.repaired, material.sizes, current=material.current, share=shares.recent)
    kept = without_evicted(material, eviction) if eviction else material
    return assemble(replace(kept, hits=hits.hits), shares)


def _hollow(message: Mapping[str, Any] | str) -> bool:
    """Histories of applications hold assistants' messages with nothing in them, which say nothing and are no mistake."""
    return (
        isinstance(message, Mapping) and message.get("role") == "assistant" and not message.get("content") and not message.get("tool_calls")
    )


def _overlap(journal: Sequence[Message], talk: Sequence[Draft]) -> int:
    """How many messages at the end of the journal are the first of those given, so that a history sent along is not shown twice."""
    said = [(message.role, message.text) for message in journal]
    given = [(one.role, one.text) for one in talk]
    return next((length for length in range(min(len(said), len(given)), 0, -1) if said[-length:] == given[:length]), 0)


def _message(given: Draft, session: str, seq: int) -> Message:
    kept: dict[str, Any] = {field.name: getattr(given, field.name) for field in fields(Draft) if field.name not in {"indexing", "redacted"}}
    return Message(**kept, session=session, seq=seq)
