"""In which session of whose memory turns are held, and how: what the steps of a turn share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pagefile.events import Recalled, Usage
from pagefile.intake import draft
from pagefile.learner import learning_jobs
from pagefile.messages import Appended, Draft, Lease
from pagefile.parts import Parts
from pagefile.ports import NewJob, Operation
from pagefile.prompts import Wording
from pagefile.receipts import Resident
from pagefile.recorder import Recorder
from pagefile.records import Indexing, Scope
from pagefile.window import ChatSettings, first_wording

#: What was searched for in so many turns can be asked for again.
_SEARCHES = 2


class Background(Protocol):
    """What a turn asks of background work."""

    recorder: Recorder

    def wrote(self, scope: Scope, items: int, *, answer_follows: bool = False) -> None: ...

    def said(self, scope: Scope) -> None: ...

    def note(self, scope: Scope, operation: Operation) -> None: ...

    def pay(self, scope: Scope, usage: Usage) -> None: ...

    def used(self, scope: Scope, records: Sequence[str]) -> None: ...

    async def catch_up(self, scope: Scope) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """In which session of whose memory a turn is held, and how."""

    parts: Parts
    scope: Scope
    session: str
    agent: str | None
    settings: ChatSettings
    worker: Background | None
    #: Sequence number of a message → what was recalled for it: of the last turns that searched.
    searches: dict[int, Recalled] = field(default_factory=dict)
    #: The language in which the session began, once that has left its window.
    _began_in: list[Wording] = field(default_factory=list)
    #: What the person was warned of, and need not be told in every turn.
    _told: set[str] = field(default_factory=set)

    async def append(
        self, drafts: Sequence[Draft], *, lease: Lease | None = None, answers: str | None = None, jobs: Sequence[NewJob] = ()
    ) -> tuple[Appended, ...]:
        """Write to the end of the session's journal; nothing, if the message that they answer was erased meanwhile. ``jobs``: what is to be
        done in the background besides learning from it."""
        to_learn = learning_jobs(self.parts, self.session, drafts) if self.worker is not None else ()
        appended = await self.parts.store.append(self.scope, self.session, drafts, jobs=(*to_learn, *jobs), lease=lease, answers=answers)
        if self.worker is not None:
            to_embed = [one for one, made in zip(appended, drafts, strict=True) if one.outcome == "stored" and made.indexing.embedding_hash]
            self.worker.wrote(self.scope, len(to_embed), answer_follows=drafts[-1].role == "user")
            if to_learn:
                self.worker.said(self.scope)
        return appended

    def draft(self, role: str, text: str, *, findable: bool, **fields: Any) -> Draft:
        """A message of the model, or a result of a call."""
        made = draft({"role": role, "content": text, **fields}, parts=self.parts, agent=self.agent)
        # What a search found, or a model quoted from memory, must not be found again as if somebody had said it anew.
        return made if findable and not self.parts.model.echoes_memory else replace(made, indexing=Indexing())

    async def catch_up(self) -> None:
        """Let what was just written be learnt from, and found by meaning too."""
        if self.worker is not None:
            await self.worker.catch_up(self.scope)

    async def first_wording(self, resident: Resident) -> Wording | None:
        """As ``window.first_wording``, looked up once: what was said first stays the first."""
        if not self._began_in:
            found = await first_wording(self.parts, self.scope, resident)
            if found is None:
                return None
            self._began_in.append(found)
        return self._began_in[0]

    def first_time(self, warning: str) -> bool:
        """Whether the person was not warned of this before in the conversation; from now on, it was."""
        known = warning in self._told
        self._told.add(warning)
        return not known

    def searched(self, seq: int, recalled: Recalled) -> None:
        """Keep what was recalled for a message, for who asks the same again."""
        self.searches[seq] = recalled
        for earlier in sorted(self.searches)[:-_SEARCHES]:
            del self.searches[earlier]
