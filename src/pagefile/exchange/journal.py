"""Takes a history that was sent once more into the journal: each message once, and what was said otherwise this time as a fork.

A fork is a session of its own, ``name~2``, that begins where it leaves the other one: the beginning that both share is not written twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from pagefile.adding import off_loop
from pagefile.conversation import Conversation
from pagefile.errors import ConflictError, InputError
from pagefile.exchange.places import (
    HASHING,
    Finder,
    Hints,
    Passage,
    Place,
    base_of,
    chained,
    child,
    newest_messages,
    next_fork,
    relatives,
    root,
    see,
    seen_in,
)
from pagefile.exchange.said import Said
from pagefile.intake import draft
from pagefile.messages import Appended, Draft
from pagefile.queries import Where
from pagefile.records import Indexing

#: The same first message after so long is no second try, but said anew.
AGAIN = timedelta(minutes=10)
#: Another program may take in the same at the same moment: then it is looked for again.
_ATTEMPTS = 3
_EVERY = Where(statuses=("current", "superseded", "retired"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of a history."""

    #: Where the reply is to stand; None: nothing of the history stands in the journal.
    session: str | None
    #: Id of the message that is answered.
    after: str
    #: The same id if everything stood in the journal as it was sent.
    as_sent: str
    #: Id and number of the newest message that was taken in or known.
    seq: int
    #: Ids of the messages that are new.
    new: tuple[str, ...] = ()


class Journal:
    """What one conversation of an application brings into the journal."""

    def __init__(self, conversation: Conversation, hints: Hints, *, named: bool, learn: bool) -> None:
        self._conversation = conversation
        self._parts, self._store, self._scope = conversation.parts, conversation.parts.store, conversation.scope
        self._hints, self._named, self._learn = hints, named, learn

    async def find(self, talk: Sequence[Said]) -> Place:
        """Where a history goes on. Nothing is written."""
        place = await Finder(self._conversation, self._hints, talk, named=self._named).find()
        return self._anew(place, talk)

    async def take(self, place: Place, talk: Sequence[Said]) -> Taken:
        """Write what is new of a history that goes on at ``place``."""
        for _ in range(_ATTEMPTS - 1):
            try:
                return await self._take(place, talk)
            except ConflictError:
                place = await self.find(talk)
        # What stands there cannot be told from what is said: it gets ids of its own.
        return await self._take(place, talk, fresh=True)

    async def look(self, place: Place, talk: Sequence[Said]) -> Taken:
        """Where a history stands, for a conversation that leaves nothing: what is new of it is not taken in later either."""
        start = place.after if place.known else self._root
        for id in await chained(start, talk[place.known :]):
            self._hints.unkept.put(self._scope, id, True)
        ids = await self._as_sent(talk)
        message = place.message
        return Taken(
            session=message.session if message else None,
            after=ids[-1] if ids else start,
            as_sent=ids[-1] if ids else start,
            seq=message.seq if message else 0,
        )

    def unkept(self, taken: Taken, reply: Said) -> None:
        """Note a reply that is to leave nothing."""
        self._hints.unkept.put(self._scope, child(taken.after, reply.identity), True)

    async def reply(self, taken: Taken, reply: Said, *, mark: str = "", echo: bool = False) -> str:
        """Write what the model said; returns the message's id. ``mark``: what is put under a reply that was cut. ``echo``: it quotes what
        is remembered, and is not to be found."""
        id = child(taken.after, reply.identity)
        self._hints.stands_at.put(self._scope, child(taken.as_sent, reply.identity), id)
        known = (*(self._hints.followed_by.get(self._scope, taken.after) or ()), id)
        self._hints.followed_by.put(self._scope, taken.after, known[-20:])
        made = await off_loop(len(reply.text), self._draft, reply, taken.after, id)
        if mark:
            made = replace(made, text=f"{made.text}\n\n{mark}" if made.text else mark)
        if echo:
            made = replace(made, indexing=Indexing())
        session = taken.session or (self._conversation.session if self._named else f"chat {taken.after[:13]}")
        if taken.session is not None and await self._has_more(taken.session, taken.seq):
            (there,) = await self._store.get(self._scope, [id])
            if there is not None:
                return id
            session = await self._free_name(taken.session)
        try:
            # What was erased while the model spoke takes the reply along.
            (appended,) = await self._append(session, [made], answers=taken.after if taken.seq else None)
        except ConflictError:
            return id  # it stands there already
        return appended.message.id

    # --- steps -----------------------------------------------------------------------------------------------------------

    async def _as_sent(self, talk: Sequence[Said]) -> list[str]:
        return await chained(self._root, talk)

    @property
    def _root(self) -> str:
        return root(self._conversation.session if self._named else None)

    def _anew(self, place: Place, talk: Sequence[Said]) -> Place:
        """A conversation that begins with the same words as one of another day is another one."""
        message = place.message
        if place.known != 1 or len(talk) != 1 or message is None or not place.following:
            return place
        if self._parts.now() - place.following[-1].recorded_at < AGAIN:
            return place
        if self._named:
            last = place.following[-1]
            return Place(known=0, after=last.id, message=last, shown_from=last.seq + 1)
        return Place(known=0, after=child(root(None), self._parts.new_id()))

    async def _take(self, place: Place, talk: Sequence[Said], *, fresh: bool = False) -> Taken:
        if place.known == len(talk) and place.message is None and talk[-1].role == "user":
            # It was said before where nothing was to be kept; now it is said where it is.
            place = Place(known=len(talk) - 1, after=(await self._as_sent(talk[:-1]))[-1] if talk[1:] else self._root)
        new = talk[place.known :]
        as_sent = (await self._as_sent(talk))[-1] if talk else place.after
        if not new:
            message = place.message
            return Taken(
                session=message.session if message else None,
                after=place.after,
                as_sent=as_sent,
                seq=message.seq if message else 0,
            )
        ids = [self._parts.new_id() for _ in new] if fresh else await chained(place.after, new)
        quiet = await self._told_before(place, talk) if len(new) > 1 else frozenset[int]()
        session = await self._session_for(place, talk, forks=bool(quiet))
        size = sum(10 * HASHING + len(said.text) for said in new)
        drafts = await off_loop(size, lambda: [self._draft(*each) for each in zip(new, (place.after, *ids), ids, strict=False)])
        newest = max((at for at, said in enumerate(new) if said.role == "user"), default=0)
        drafts = [replace(self._quiet(one) if at in quiet else one, resent=at < newest) for at, one in enumerate(drafts)]
        appended = list(await self._append(session, drafts))
        if appended[-1].outcome == "erased" and new[-1].role == "user":
            # What was erased stays erased where an old history is sent again; but these words were said just now.
            anew = replace(drafts[-1], id=self._parts.new_id(), external_id=None)
            appended[-1:] = await self._append(session, [anew])
            self._hints.stands_at.put(self._scope, as_sent, anew.id)
        last = appended[-1].message
        if fresh:
            self._hints.stands_at.put(self._scope, as_sent, last.id)
        return Taken(
            session=session,
            after=last.id,
            as_sent=as_sent,
            seq=last.seq,
            new=tuple(one.message.id for one in appended if one.outcome == "stored"),
        )

    async def _session_for(self, place: Place, talk: Sequence[Said], *, forks: bool) -> str:
        """Where what is new belongs: the session it goes on with, a fork of it, or a new one."""
        if place.message is not None:
            session = place.message.session
            return session if place.is_end else await self._free_name(session)
        if self._named:
            session = self._conversation.session
            anew = forks or (len(talk) == 1 and await self._store.session(self._scope, session) is not None)
            return await self._free_name(session) if anew else session
        if forks and (seen := seen_in(self._hints, self._scope, None, talk)):
            return await self._free_name(seen)
        name = f"chat {child(root(None), talk[0].identity)[:13]}"
        return name if await self._store.session(self._scope, name) is None else await self._free_name(name)

    async def _free_name(self, session: str) -> str:
        """The name of the next fork of a session."""
        return f"{base_of(session)}~{await next_fork(self._store, self._scope, session)}"

    async def _has_more(self, session: str, seq: int) -> bool:
        page = await self._store.messages(self._scope, session, where=_EVERY, after=str(seq), limit=1)
        return bool(page.items)

    async def _told_before(self, place: Place, talk: Sequence[Said]) -> frozenset[int]:
        """Which of the new messages stand in the journal already, behind another message: those after one that was changed."""
        named = self._conversation.session if self._named else None
        family = place.message.session if place.message else named or seen_in(self._hints, self._scope, named, talk)
        known, pairs = set[str](), set[tuple[str, str]]()
        for session in await relatives(self._store, self._scope, family) if family else ():
            there = (await Passage.of(await newest_messages(self._store, self._scope, session))).said
            known.update(there)
            pairs.update(pairwise(there))
        new, before = talk[place.known :], talk[place.known - 1].identity if place.known else ""
        return await off_loop(HASHING * len(new), _told, new, before, known, pairs)

    def seen(self, talk: Sequence[Said], session: str) -> None:
        """Remember in which session these messages followed each other."""
        see(self._hints, self._scope, self._conversation.session if self._named else None, talk, session)

    def _draft(self, said: Said, before: str, id: str) -> Draft:
        content = said.given.get("content")
        plain = not isinstance(content, list) or all(isinstance(part, Mapping) and "text" in part for part in content)
        given: dict[str, Any] = {**said.given, "role": said.role, "id": f"{before[-36:]}/{id}"}
        for name in ("said_at", "created_at", "timestamp", "time", "origin", "consent"):
            given.pop(name, None)  # the fields of our own interface, and what front ends put there for themselves
        if plain or said.role != "user":
            given["content"] = said.text
        try:
            made = draft(given, parts=self._parts, agent=self._conversation.agent)
        except InputError:
            # Something beside the words is of a kind that cannot be kept.
            made = draft({"role": said.role, "content": said.text or "…", "id": given["id"]}, parts=self._parts)
        return replace(made, id=id, learnable=made.learnable and self._learn)

    def _quiet(self, made: Draft) -> Draft:
        return replace(made, learnable=False, indexing=Indexing())

    async def _append(self, session: str, drafts: Sequence[Draft], *, answers: str | None = None) -> tuple[Appended, ...]:
        return await replace(self._conversation, session=session).append(drafts, answers=answers)


def _told(new: Sequence[Said], before: str, known: Collection[str], pairs: Collection[tuple[str, str]]) -> frozenset[int]:
    """Which of the messages behind the message ``before`` are among those that were said, or say what was said in the same place."""
    told: set[int] = set()
    # The newest message is said now.
    for at, said in enumerate(new[:-1]):
        if (before, said.identity) in pairs or (said.identity in known and said.says_something):
            told.add(at)
        before = said.identity
    return frozenset(told)
