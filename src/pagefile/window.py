"""What a window is filled with: what a chat turn asks of memory, and the same for applications that run their own model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pagefile.context.assemble import Material, Window, assemble, budget_for, tools_size
from pagefile.context.budget import TOOLS_SHARE, Budget
from pagefile.context.pressure import relieve
from pagefile.context.render import wording_of
from pagefile.context.report import ContextReport
from pagefile.errors import ConflictError, InputError
from pagefile.intake import draft
from pagefile.language.about_oneself import asks_for_all
from pagefile.language.small_talk import is_small_talk
from pagefile.language.text import language_of
from pagefile.messages import Draft, Message
from pagefile.parts import Parts
from pagefile.prompts import Wording, words
from pagefile.queries import Hits, Where
from pagefile.receipts import Resident
from pagefile.records import Add, Block, Cause, Scope
from pagefile.retrieval.gate import Lazy
from pagefile.retrieval.recall import recall
from pagefile.rules import read_rules
from pagefile.tools import TOOLSETS, AnyTool, SystemCall, Tool, ToolsetName, calls_of, guide, tool_specs

#: Blocks that every conversation has.
DEFAULT_BLOCKS = ("human", "persona")
#: Characters of a message that are searched for. What a long message asks stands at its beginning more often than not.
QUERY_CHARACTERS = 1_000
#: Messages by which the language of a session is told.
_FIRST = 8
#: What was said, also where it no longer holds.
_EVERY_TURN = Where(statuses=("current", "superseded"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """How a conversation is held."""

    #: The application's own instructions; those about the memory come after them.
    instructions: str = ""
    #: Rules that always hold, as the text of a Markdown file. They stand behind the instructions.
    rules: str = ""
    #: A Markdown file of such rules, read anew at the start of each turn.
    rules_file: str | None = None
    #: Language of our own words to the model. None: told from the conversation.
    wording: Wording | None = None
    #: Notes shown at most in one turn.
    recall_limit: int = 10
    #: The memory's own tools, by the name of their set.
    toolset: ToolsetName = "plain"
    #: The application's own tools, offered beside them.
    tools: tuple[Tool, ...] = ()
    #: Whether the model keeps the status block itself: what is known of the work at hand, and how far it has come.
    status: bool = False
    #: Whether memory's tools are offered in every turn, or only where memory may bear on the message.
    mount_tools: Literal["always", "when-needed"] = "always"
    #: Whether memory is searched for every message, for none, or where it may bear on it.
    recall: Lazy = "when-needed"
    #: Times the model is asked in one turn with tools. At this and the two below it answers once more, without them.
    max_rounds: int = 10
    #: Answers in a row that only search.
    max_searches: int = 3
    #: Times the same call is made with the same arguments.
    max_repeats: int = 2
    #: Seconds, and tokens read and written, after which a turn ends with what was said. None: as many as it takes.
    turn_seconds: float | None = None
    turn_tokens: int | None = None
    #: Seconds a turn waits for another one of the same session.
    wait_seconds: float = 600.0
    #: Tokens of a reply at most. None: the endpoint decides; a quarter of the window, at most 4,096 tokens, is kept free.
    reply_tokens: int | None = None
    #: 0 to 2; low, so that calls are well-formed. None: the endpoint decides.
    temperature: float | None = 0.2
    #: Send images as such. The model must be able to take them; else they stand in the text as markers.
    images: bool = False

    def __post_init__(self) -> None:
        """Raises InputError for settings that cannot be used."""
        if self.toolset not in TOOLSETS:
            raise InputError(f"there is no tool set {self.toolset!r}; use one of {', '.join(TOOLSETS)}")
        for name in ("max_rounds", "max_searches", "max_repeats", "turn_tokens", "turn_seconds", "wait_seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{name} must be more than 0, not {value!r}")
        tools: tuple[AnyTool, ...] = (*self.calls, *self.tools)
        names = Counter(tool.name for tool in tools)
        if twice := [name for name, times in names.items() if times > 1]:
            raise InputError(f"two tools are called {twice[0]!r}; give one of them another name: Tool.of(function, name=…)")

    @property
    def calls(self) -> tuple[SystemCall, ...]:
        """The memory's own tools."""
        return calls_of(self.toolset, status=self.status)

    def with_rules(self, window: int) -> ChatSettings:
        """The same with what stands in the file of rules now, for a model's window. Raises InputError."""
        if self.rules_file is None:
            return self
        rules = "\n\n".join(filter(None, (self.rules, read_rules(self.rules_file, window))))
        return replace(self, rules=rules, rules_file=None)


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
    if is_small_talk(query) and not asks_for_all(query):
        return Hits()
    relief = relieve(material, budget)
    # What answers from memory alone reads no window but the question, and memory knows what still holds of what stands there.
    first = material.repaired[material.current] if parts.model.echoes_memory else (relief.material if relief else material).repaired[0]
    window = (first.session, first.seq)
    hits = await recall(parts, scope, query, where=Where(not_in_window=window, alive_at=parts.now()), limit=limit)
    return replace(hits, hits=tuple(hit for hit in hits.hits if hit.id != material.answering))


async def blocks_for(parts: Parts, scope: Scope, agent: str | None, wording: Wording, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks of a conversation, of which there are ``blocks``; the default ones are made where they are missing."""
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


async def first_wording(parts: Parts, scope: Scope, resident: Resident) -> Wording | None:
    """The language in which a session began, where that has left its window: what stands before the messages must not change with those
    that leave. None: the window tells."""
    if resident.window_start == 1:
        return None
    page = await parts.store.messages(scope, resident.session, where=_EVERY_TURN, limit=_FIRST)
    return wording_of([message.text for message in page.items if message.role == "user"])


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
    resident = await parts.store.resident(scope, session, agent)
    earlier = resident.messages[: len(resident.messages) - _overlap(resident.messages, talk)]
    material = Material(
        messages=(*earlier, *(one.at(session, resident.last_seq + place) for place, one in enumerate(talk, 1))),
        answering=answering,
        window=budget,
        reply=0,
        instructions="\n\n".join((settings.instructions, *system)).strip(),
        rules=settings.rules,
        blocks=resident.blocks,
        summary=resident.summary,
        now=parts.now().astimezone(parts.zone),
        wording=settings.wording,
        prefix=settings.wording or await first_wording(parts, scope, resident),
        images=settings.images,
    )
    shares = budget_for(material)
    hits = await recall_for(material, shares, recall_query(material), parts=parts, scope=scope, limit=settings.recall_limit)
    relief = relieve(material, shares)
    return assemble(replace(relief.material if relief else material, hits=hits.hits), shares)


async def context_report(
    parts: Parts,
    scope: Scope,
    session: str,
    message: str | None = None,
    *,
    agent: str | None = None,
    settings: ChatSettings = ChatSettings(),
) -> ContextReport:
    """What the window of a session's next turn would be filled with, for the model's own window; of its last turn without ``message``.

    Nothing is written. Raises InputError if the fixed parts alone do not fit.
    """
    resident = await parts.store.resident(scope, session, agent)
    journal = resident.messages
    asked = next((one for one in reversed(journal) if one.role == "user"), None)
    if message is not None or asked is None:
        made = draft({"role": "user", "content": message or "…"}, parts=parts, agent=agent)
        asked = made.at(session, resident.last_seq + 1)
        journal = (*journal, asked)
    material = Material(
        messages=journal,
        answering=asked.id,
        window=parts.model.context_window,
        reply=settings.reply_tokens,
        instructions=settings.instructions,
        rules=settings.rules,
        blocks=resident.blocks,
        summary=resident.summary,
        now=parts.now().astimezone(parts.zone),
        wording=settings.wording,
        prefix=settings.wording or await first_wording(parts, scope, resident),
        images=settings.images,
    )
    material = with_tools(material, offered_tools(parts, material, settings), settings)
    shares = budget_for(material)
    hits = await recall_for(material, shares, recall_query(material), parts=parts, scope=scope, limit=settings.recall_limit)
    relief = relieve(material, shares)
    return assemble(replace(relief.material if relief else material, hits=hits.hits), shares).report


def offered_tools(parts: Parts, material: Material, settings: ChatSettings, *, mount: bool = True) -> tuple[AnyTool, ...]:
    """The tools that a model is offered: memory's, and the application's own, where it can take any and its window has the room.
    ``mount``: whether memory's are wanted in this turn."""
    if not parts.model.supports_tools:
        return ()
    memorys = settings.calls if mount else ()
    every: tuple[AnyTool, ...] = (*memorys, *settings.tools)
    for tools in (every, settings.tools):
        if tools_size(tool_specs(material.prefix_wording, tools)) <= TOOLS_SHARE * material.window:
            return tools
    return ()


def with_tools(material: Material, tools: Sequence[AnyTool], settings: ChatSettings) -> Material:
    """The material with the definitions of tools, and how memory's are used."""
    wording, memorys = material.prefix_wording, settings.calls
    told = guide(settings.toolset, wording) if any(tool in memorys for tool in tools) else ""
    return replace(material, tools=tool_specs(wording, tools), guide=told)


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
