"""Where in the journal a history stands that was sent once more: by what it says, not by an id that came with it.

Each message that is taken in gets an id that is made of the one before it and of what it says. So a history finds its own messages again,
in whichever session and after whatever restart, and two that begin alike share their beginning. What is told otherwise than it stands here
(a reply that was cut, one that was left out, a history of which only the end is sent) is looked for in the session itself.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import Generic, TypeVar

from pagefile.adding import off_loop
from pagefile.conversation import Conversation
from pagefile.exchange.said import Said, flat, identity_of
from pagefile.messages import Message
from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import MAX_IDENTIFIER, Scope

T = TypeVar("T")

#: All that was ever said, also what no longer holds or was forgotten.
_EVERY = Where(statuses=("current", "superseded", "retired"))
#: The newest messages of a history that are looked for first: as a rule all but the last one are known.
_NEWEST = 4
#: Messages of a session that are looked through for the place of a history that was shortened.
_LOOKED_THROUGH = 400
_MOST_HINTS = 20_000
#: Forks of a session that are looked through.
_MOST_FORKS = 5
_FORK = re.compile(r"~\d{1,9}\Z")
#: Jumps over what is told otherwise, in one history.
_MOST_JUMPS = 200
#: Messages of which the ids are made anew behind such jumps, in one history.
_MOST_MADE = 100_000
#: Pairs at the end of a history that are looked for among those seen.
_MOST_PAIRS = 400
#: What a hash of a message costs, in characters of text.
HASHING = 40


class Recent(Generic[T]):
    """The newest entries of a mapping that would else grow for ever."""

    def __init__(self, most: int = _MOST_HINTS) -> None:
        self._most = most
        self._entries: OrderedDict[tuple[Scope, str], T] = OrderedDict()

    def get(self, scope: Scope, name: str) -> T | None:
        return self._entries.get((scope, name))

    def put(self, scope: Scope, name: str, value: T) -> None:
        self._entries[scope, name] = value
        self._entries.move_to_end((scope, name))
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Hints:
    """What this program remembers of the histories it saw. It only saves looking: without it the same is found in the journal, but for
    ``unkept``, of which the journal has nothing."""

    #: Id that a message would have if everything before it stood in the journal as it was sent → id of the message in the journal.
    stands_at: Recent[str] = field(default_factory=Recent)
    #: Id of a message → ids of what came after it, in whichever session.
    followed_by: Recent[tuple[str, ...]] = field(default_factory=Recent)
    #: Two messages that follow each other → the session in which they were seen.
    seen_in: Recent[str] = field(default_factory=Recent)
    #: Conversations of which more than one message was sent at a time: a message alone begins them anew.
    whole: Recent[bool] = field(default_factory=Recent)
    #: Messages of conversations that were to leave nothing, by the id they would have. They are not taken in when they are sent again.
    unkept: Recent[bool] = field(default_factory=Recent)


def child(parent: str, identity: str) -> str:
    """The id of the message that says this after ``parent``."""
    made = hashlib.sha256(f"{parent}\x1f{identity}".encode()).digest()[:16]
    return str(uuid.UUID(bytes=made, version=5))


def root(session: str | None) -> str:
    """What stands for the place before the first message of a conversation."""
    return child("begin", f"session\x1f{session or ''}")


def chain(start: str, talk: Iterable[Said]) -> list[str]:
    """The ids of messages one after the other."""
    ids: list[str] = []
    for said in talk:
        start = child(start, said.identity)
        ids.append(start)
    return ids


async def chained(start: str, talk: Sequence[Said]) -> list[str]:
    """The same, elsewhere than on the event loop if they are many."""
    return await off_loop(HASHING * len(talk), chain, start, talk)


def base_of(session: str) -> str:
    """The name of the session that a fork belongs to."""
    return _FORK.sub("", session)[: MAX_IDENTIFIER - 10]


async def next_fork(store: Store, scope: Scope, session: str) -> int:
    """The number of the next fork of a session; the first is 2."""
    base = base_of(session)

    async def taken(number: int) -> bool:
        return await store.session(scope, f"{base}~{number}") is not None

    low, high = 1, 2
    while await taken(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if await taken(middle) else (low, middle)
    return high


async def newest_messages(store: Store, scope: Scope, session: str) -> tuple[Message, ...]:
    """The last messages of a session, oldest first."""
    page = await store.messages(scope, session, where=_EVERY, limit=_LOOKED_THROUGH, newest_first=True)
    return tuple(reversed(page.items))


async def relatives(store: Store, scope: Scope, session: str) -> list[str]:
    """A session and its newest forks, the newest first."""
    base, after = base_of(session), await next_fork(store, scope, session)
    forks = [f"{base}~{number}" for number in range(after - 1, max(1, after - 1 - _MOST_FORKS), -1)]
    return [*forks, base]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a history goes on."""

    #: How many of its messages are known.
    known: int
    #: Id of the last known one, from which those of the next ones are made; before the first message: the root.
    after: str
    #: That message, if it stands in the journal.
    message: Message | None = None
    #: What follows it in its session.
    following: tuple[Message, ...] = ()
    #: From which message of that session on the history shows what was said.
    shown_from: int = 1

    @property
    def is_end(self) -> bool:
        """Whether it is the last message of a session, which can then be gone on with."""
        return self.message is not None and not self.following


class Passage:
    """Messages of a session, and where in it each thing is said."""

    def __init__(self, there: Sequence[Message]) -> None:
        self.messages = there
        self.said = [identity_of(message) for message in there]
        self._places: dict[str, list[int]] = {}
        for at, identity in enumerate(self.said):
            self._places.setdefault(identity, []).append(at)
        self._pairs = frozenset(pairwise(self.said))

    @classmethod
    async def of(cls, there: Sequence[Message]) -> Passage:
        """Made elsewhere than on the event loop, if there is much of it."""
        return await off_loop(sum(HASHING + len(message.text) for message in there), cls, there)

    def first_run(self, talk: Sequence[Said]) -> tuple[int, int, int] | None:
        """The first message of ``talk`` from which on a run of them stands here: its place in ``talk``, then as ``run``."""
        for start in range(len(talk)):
            if run := self.run(talk, start):
                return start, *run
        return None

    def run(self, talk: Sequence[Said], begin: int = 0) -> tuple[int, int] | None:
        """The longest run of messages with which ``talk`` goes on from ``begin``: its place here, and its length. One short one is a
        chance."""
        said, known = talk[begin], self.said
        starts = self._places.get(said.identity)
        if starts is None or not (said.is_telling or (begin + 1 < len(talk) and (said.identity, talk[begin + 1].identity) in self._pairs)):
            return None
        best: tuple[int, int] | None = None
        for start in starts:
            length, most = 1, min(len(known) - start, len(talk) - begin)
            while length < most and known[start + length] == talk[begin + length].identity:
                length += 1
            if (length > 1 or said.is_telling) and (best is None or length >= best[1]):
                best = (start, length)
        return best


class Finder:
    """Finds the place of one history."""

    def __init__(self, conversation: Conversation, hints: Hints, talk: Sequence[Said], *, named: bool) -> None:
        self._store, self._scope = conversation.parts.store, conversation.scope
        self._session = conversation.session if named else None
        self._hints = hints
        self._talk = talk

    async def find(self) -> Place:
        """How much of the history is known, and where it goes on."""
        ids = await chained(root(self._session), self._talk)
        place = await self._by_ids(ids, 0, root(self._session), hinted=True)
        if not place.known and (shortened := await self._shortened()):
            place = await self._on_from(shortened)
        made = 0
        for _ in range(_MOST_JUMPS):
            made += len(self._talk) - place.known
            if place.message is None or place.known == len(self._talk) or made > _MOST_MADE:
                break
            jumped = await self._jump(place)
            if jumped is None:
                break
            place = await self._on_from(replace(jumped, shown_from=place.shown_from))
        if place.message is not None:
            self._remember(ids, place)
        if self._session is not None and any(said.role == "assistant" for said in self._talk):
            self._hints.whole.put(self._scope, self._session, True)
        return place

    async def _on_from(self, place: Place) -> Place:
        """The last message that is known by what was said before it, from this place on."""
        ids = await chained(place.after, self._talk[place.known :])
        found = await self._by_ids(ids, place.known, place.after, otherwise=place) if ids else place
        return replace(found, shown_from=place.shown_from)

    def _remember(self, ids: Sequence[str], place: Place) -> None:
        if place.known and ids[place.known - 1] != place.after:
            self._hints.stands_at.put(self._scope, ids[place.known - 1], place.after)

    async def _by_ids(self, ids: Sequence[str], before: int, start: str, *, hinted: bool = False, otherwise: Place | None = None) -> Place:
        """The last of these messages that is known. Those before it were, too: if they are gone, they were erased."""
        for first in dict.fromkeys((max(0, len(ids) - _NEWEST), 0)):
            wanted = list(ids[first:])
            if hinted:
                wanted = [self._hints.stands_at.get(self._scope, id) or id for id in wanted]
            found = await self._store.get(self._scope, wanted)
            for at in range(len(wanted) - 1, -1, -1):
                message = found[at]
                if isinstance(message, Message):
                    return await self._place(before + first + at + 1, message)
                if self._hints.unkept.get(self._scope, wanted[at]):
                    return Place(known=before + first + at + 1, after=wanted[at])
        return otherwise or Place(known=before, after=start)

    async def _place(self, known: int, message: Message) -> Place:
        return Place(known=known, after=message.id, message=message, following=await self._following(message))

    async def _following(self, message: Message) -> tuple[Message, ...]:
        page = await self._store.messages(self._scope, message.session, where=_EVERY, after=str(message.seq), limit=_LOOKED_THROUGH)
        return page.items

    # --- what is told otherwise than it stands in the journal ----------------------------------------------------------------

    async def _jump(self, place: Place) -> Place | None:
        """The next known message, where the history has another form than the journal; None: it says something new."""
        said, following = self._talk[place.known], place.following
        if said.role == "assistant":
            later = await self._store.get(self._scope, self._hints.followed_by.get(self._scope, place.after) or ())
            answers = [*following[:1], *(one for one in later if isinstance(one, Message))]
            cut = next((one for one in answers if one.role == "assistant" and _is_cut(said, one)), None)
            if cut is not None:
                return await self._place(place.known + 1, cut)
        rest = self._talk[place.known :]
        # The newest message alone is said now, whether or not somebody said the same before.
        run = (await Passage.of(following)).run(rest) if len(rest) > 1 and following else None
        if run:
            return await self._place(place.known + run[1], following[run[0] + run[1] - 1])
        replies = list(takewhile(lambda one: one.role in ("assistant", "tool"), following))
        if said.role == "user" and replies:
            later_on = following[len(replies) :]
            # Replies are left out, or their end was: it goes on behind them all the same.
            if not later_on or identity_of(later_on[0]) == said.identity:
                return Place(known=place.known, after=replies[-1].id, message=replies[-1], following=later_on, shown_from=place.shown_from)
        return None

    async def _shortened(self) -> Place | None:
        """The place of a history whose beginning was left out or put in other words; None: nothing of it is known."""
        seen = seen_in(self._hints, self._scope, self._session, self._talk)
        if self._session is None and seen is None:
            return None
        talk = self._talk
        if len(talk) == 1:
            return None if self._hints.whole.get(self._scope, self._session or "") else await self._alone()
        sessions = [*([seen] if seen else []), *(await relatives(self._store, self._scope, self._session) if self._session else [])]
        for session in dict.fromkeys(sessions):
            passage = await Passage.of(await newest_messages(self._store, self._scope, session))
            found = await off_loop(HASHING * len(talk), passage.first_run, talk)
            if found is None:
                continue
            start, at, length = found
            first = passage.messages[at]
            # At the same place in both it is no shorter history but one whose beginning was changed.
            if start == 0 or first.seq > start + 1:
                place = await self._place(start + length, passage.messages[at + length - 1])
                return replace(place, shown_from=first.seq)
        return None

    async def _alone(self) -> Place | None:
        """One message alone, for a conversation that has a name: the client leaves its history to us."""
        there = await newest_messages(self._store, self._scope, self._session or "")
        if not there:
            return None
        last = there[-1]
        again = last.role == "user" and identity_of(last) == self._talk[0].identity
        return Place(known=1 if again else 0, after=last.id, message=last, shown_from=last.seq if again else last.seq + 1)


def _pair(session: str | None, one: Said, other: Said) -> str:
    return child(root(session), f"{one.identity}\x1f{other.identity}")


def see(hints: Hints, scope: Scope, named: str | None, talk: Sequence[Said], session: str) -> None:
    """Remember in which session these messages followed each other, for a history of which only the end is sent."""
    for one, other in list(pairwise(talk))[-4:]:
        hints.seen_in.put(scope, _pair(named, one, other), session)


def seen_in(hints: Hints, scope: Scope, named: str | None, talk: Sequence[Said]) -> str | None:
    """The session in which two of these messages followed each other."""
    sessions = (hints.seen_in.get(scope, _pair(named, one, other)) for one, other in reversed(list(pairwise(talk[-_MOST_PAIRS:]))))
    return next(filter(None, sessions), None)


def _is_cut(said: Said, reply: Message) -> bool:
    """Whether a client sends a reply in part, or with what came after it."""
    shown, kept = flat(said.text), flat(reply.text)
    if said.identity == identity_of(reply):
        return True
    if reply.tool_calls and shown and not said.given.get("tool_calls"):
        # Calls that were spelled out in its words, as the client has them.
        return all(call.name in shown for call in reply.tool_calls) and all(word in shown for word in kept.split())
    if not shown or not kept or reply.tool_calls:
        return False
    end = kept.rpartition("[")[0].rstrip() if kept.endswith("]") else kept
    return kept.startswith(shown) or shown.startswith(end) or end.startswith(shown)
