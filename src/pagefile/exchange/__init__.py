"""An exchange: one request of an application that keeps its own history and asks its own model, with what is remembered added to it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary, WeakValueDictionary

from pagefile.adding import off_loop
from pagefile.context.budget import NOTES_TOKENS
from pagefile.conversation import Conversation
from pagefile.events import Usage
from pagefile.exchange.journal import Journal, Taken
from pagefile.exchange.places import HASHING, Hints, Place, chained, root
from pagefile.exchange.said import Reader, Said
from pagefile.exchange.shown import Form, Memories, Shower, embed_ahead, prefix_of, with_memories, wording_for
from pagefile.language.text import clean
from pagefile.messages import Message, ToolCall
from pagefile.operations import answered
from pagefile.ports import Store
from pagefile.prompts import words
from pagefile.retrieval.query import Embedded
from pagefile.tools import TOOLSETS, Caller, SystemCall, ToolsetName, execute, tool_specs

__all__ = ["MODES", "Exchange", "Form", "Mode"]

#: What an exchange does with memory. "recall": it is used, and what is said is kept but not learnt from. "learn": what is said is kept and
#: learnt from, and nothing is added. "off": neither, and nothing is kept. "incognito": it is used, and nothing is kept.
Mode: TypeAlias = Literal["recall+learn", "recall", "learn", "off", "incognito"]
MODES: tuple[Mode, ...] = ("recall+learn", "recall", "learn", "off", "incognito")
_RECALLS = frozenset({"recall+learn", "recall", "incognito"})
_KEEPS = frozenset({"recall+learn", "recall", "learn"})
#: Tokens of a model whose window nobody knows.
_USUAL_WINDOW = 8_192


@dataclass(slots=True)
class _Shared:
    """What the exchanges of one store share in this program."""

    reader: Reader = field(default_factory=Reader)
    hints: Hints = field(default_factory=Hints)
    shower: Shower = field(default_factory=Shower)
    #: One for each conversation in which something is taken in at this moment.
    locks: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = field(default_factory=WeakValueDictionary)


_shared: WeakKeyDictionary[Store, _Shared] = WeakKeyDictionary()


class Exchange:
    """One request of an application, and its reply. Made by ``AsyncScopedMemory.exchange``.

    ``begin`` takes what is new of the history into the journal, each message once, and gives the messages to send; ``reply`` takes in what
    the model said to them.
    """

    def __init__(
        self,
        conversation: Conversation,
        messages: Sequence[Mapping[str, Any]],
        *,
        named: bool,
        mode: Mode = "recall+learn",
        toolset: ToolsetName | None = None,
    ) -> None:
        self._conversation = conversation
        self._given = messages
        self._named = named
        self._mode = mode
        self._toolset = toolset
        self._shared = _shared.setdefault(conversation.parts.store, _Shared())
        self._journal = Journal(conversation, self._shared.hints, named=named, learn=mode in ("recall+learn", "learn"))
        self._talk: list[Said] = []
        self._taken: Taken | None = None
        self._memories = Memories()

    @property
    def session(self) -> str | None:
        """Where the history stands in the journal; None: nowhere yet."""
        return self._taken.session if self._taken else None

    @property
    def memories(self) -> Memories:
        """What is added to the messages."""
        return self._memories

    @property
    def message(self) -> str | None:
        """Id of the message that is answered; None: it is not kept."""
        return self._taken.after if self._taken and self._mode in _KEEPS else None

    async def begin(self) -> list[Mapping[str, Any]]:
        """Keep what is new, durably, and find what is remembered; returns the messages to send. Raises StoreError."""
        if self._mode == "off":
            return list(self._given)
        size = sum(len(str(message.get("content") or "")) for message in self._given)
        self._talk = await off_loop(size // 5 + 2 * HASHING * len(self._given), self._shared.reader.talk, self._given)
        if not self._talk:
            return list(self._given)
        finding: asyncio.Task[Memories] | None = None
        recalls = self._mode in _RECALLS
        ahead = embed_ahead(self._conversation, self._talk) if recalls else None
        await asyncio.sleep(0)  # so that it has begun
        async with self._alone():
            place = await self._journal.find(self._talk)
            if recalls:
                # At the same time: a search takes as long as a write that is durable.
                finding = asyncio.create_task(self._remembered(place, ahead), name="pagefile-exchange")
            try:
                kept = self._mode in _KEEPS
                taken = await self._journal.take(place, self._talk) if kept else await self._journal.look(place, self._talk)
            except BaseException:
                if finding is not None:
                    finding.cancel()
                raise
        self._taken = taken
        if taken.session is not None:
            self._journal.seen(self._talk, taken.session)
        if finding is not None:
            self._memories = await finding
        return self.messages()

    def messages(self, form: Form = "own") -> list[Mapping[str, Any]]:
        """The messages to send, in this form."""
        return with_memories(self._given, self._memories, form)

    def tools(self, *, taken: Collection[str] = ()) -> list[dict[str, Any]]:
        """The memory's own tools as the Chat Completions API takes them, but for those whose names are ``taken`` by the application."""
        made = tool_specs(wording_for(self._talk), self._calls())
        return [
            {"type": "function", "function": {"name": one.name, "description": one.description, "parameters": dict(one.parameters)}}
            for one in made
            if one.name not in taken
        ]

    async def call(self, call: Mapping[str, Any]) -> str:
        """Run a call of one of these tools; returns what the model is to read. Whose memory it reaches does not depend on the call."""
        conversation, taken = self._conversation, self._taken
        function = call.get("function")
        function = function if isinstance(function, Mapping) else {}
        made = ToolCall(id=str(call.get("id", "")), name=str(function.get("name", "")), arguments=str(function.get("arguments", "")))
        heard = await conversation.parts.store.get(conversation.scope, [taken.after]) if taken is not None else ()
        worker = conversation.worker
        caller = Caller(
            parts=conversation.parts,
            scope=conversation.scope,
            session=taken.session or conversation.session if taken else conversation.session,
            agent=conversation.agent,
            max_tokens=NOTES_TOKENS,
            wording=wording_for(self._talk),
            recorder=None if worker is None else worker.recorder,
            heard=tuple(one for one in heard if isinstance(one, Message) and one.role == "user"),
        )
        return (await execute(made, caller, self._calls())).text

    def _calls(self) -> tuple[SystemCall, ...]:
        """Those of the set that reach memory: what a model says goes to the person by itself. Incognito nothing is written."""
        calls = () if self._toolset is None else TOOLSETS[self._toolset]
        return tuple(one for one in calls if not one.says and (one.searches or self._mode != "incognito"))

    def _guide(self) -> str:
        return "" if self._toolset is None else words("exchange", "tools", wording_for(self._talk))

    async def reply(
        self,
        message: Mapping[str, Any],
        *,
        interrupted: bool = False,
        usage: Usage | None = None,
        echo: bool = False,
        model: str = "",
    ) -> str | None:
        """Take in the model's reply, an assistant's message; returns its id, None if there is nothing to keep.

        ``interrupted``: it broke off; it is kept with a mark. ``usage``: what it cost. ``echo``: it quotes what is remembered, so that it
        must not be found. Raises StoreError.
        """
        taken = self._taken
        if taken is None:
            return None
        (said, *_) = self._shared.reader.talk([{**message, "role": "assistant"}]) or (None,)
        if usage is not None and self._mode in _KEEPS and self._conversation.worker is not None:
            self._conversation.worker.pay(self._conversation.scope, usage)
        if said is None:
            return None
        if self._mode not in _KEEPS:
            self._journal.unkept(taken, said)
            return None
        mark = words("turn", "interrupted", wording_for(self._talk)) if interrupted else ""
        async with self._alone():
            id = await self._journal.reply(taken, said, mark=mark, echo=echo)
        self._account(said, taken, id, model)
        return id

    async def _remembered(self, place: Place, ahead: asyncio.Task[Embedded] | None) -> Memories:
        conversation = self._conversation
        blocks = await conversation.parts.store.blocks(conversation.scope, conversation.agent)
        window = getattr(conversation.parts.model, "context_window", _USUAL_WINDOW)
        prefix = prefix_of(blocks, wording_for(self._talk), window=window, tools=self._guide())
        shown = (place.message.session, place.shown_from) if place.message is not None else None
        return await self._shared.shower.remembered(
            conversation, self._talk, turn=await self._turn(), shown=shown, blocks=blocks, prefix=prefix, ahead=ahead
        )

    async def _turn(self) -> str:
        """What the newest message of the user is known by."""
        newest = max((place for place, said in enumerate(self._talk) if said.role == "user"), default=0)
        return (await chained(root(self._conversation.session if self._named else None), self._talk[: newest + 1]))[-1]

    def _account(self, reply: Said, taken: Taken, id: str, model: str) -> None:
        """Note what was shown, so that a reply which repeats it is not learnt from as something new."""
        worker, memories = self._conversation.worker, self._memories
        if worker is None:
            return
        if used := [hit.id for hit in memories.hits if hit.kind != "message"]:
            worker.used(self._conversation.scope, used)
        line = answered(
            clean(memories.query),
            memories.hits,
            reply.text,
            model=clean(model)[:200],
            at=self._conversation.parts.now(),
            session=taken.session or self._conversation.session,
            messages=[*taken.new, id],
        )
        worker.note(self._conversation.scope, line)

    def _alone(self) -> asyncio.Lock:
        scope = self._conversation.scope
        name = self._conversation.session if self._named else self._talk[0].identity
        return self._shared.locks.setdefault((scope.tenant, scope.user, name), asyncio.Lock())
