"""Is recall needed? Decides, before anything is embedded or searched, whether a message has to do with what is remembered. Pure.

A search costs some milliseconds and a missed memory costs the user, so nothing is searched for only where it is plain that nothing is
needed: courtesies, work on the text at hand, sums, code, the world, something made up, what the window or a block tells, what was just
searched for, and news that want no answer. Everything else is searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pagefile.retrieval import needs, self_contained
from pagefile.retrieval.answered import answered, sentences_of
from pagefile.retrieval.courtesy import kernel
from pagefile.retrieval.layers import FACTS_FIRST, Layer
from pagefile.retrieval.likeness import ALIKE, likeness
from pagefile.retrieval.news import is_news
from pagefile.retrieval.plain import plain

Lazy: TypeAlias = Literal["always", "when-needed", "never"]

#: Turns back in which an answer of the user's counts as being before the model's eyes.
RECENT = 30
#: Of a longer message the beginning and the end are looked at: there people put what they ask.
_LONGEST = 500
#: At most so many of the last messages are looked through for an answer.
_MESSAGES = 16

_SAID: tuple[Layer, ...] = ("journal", "records")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A message that is in the window."""

    role: str
    text: str
    #: Turns ago; 1 is the turn just before the new message.
    age: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """A search made earlier in the session."""

    query: str
    #: The number of its turn.
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Whether to search for a message, and how."""

    search: bool
    #: A short code and a sentence, for the log.
    why: str
    #: Where to look, in this order. ("core",) without a search: a block tells it.
    layers: tuple[Layer, ...] = ()
    #: What to search for: the message without its greeting, thanks and the like.
    query: str = ""
    #: Whether the model should be offered its memory tools for this message.
    mount_tools: bool = True
    #: The turn of a search for the same, whose notes can be used again.
    same_as: int | None = None


def decide(
    text: str,
    *,
    window: Sequence[Remark] = (),
    blocks: Sequence[str] = (),
    searched: Sequence[Searched] = (),
    now: datetime,
    lazy: Lazy = "when-needed",
) -> Gate:
    """Whether to search memory for a new message of the user.

    ``window``: the messages before it, in any order. ``blocks``: the texts of core memory. ``searched``: what was searched for in this
    session. ``lazy``: "always" searches for every text that is not blank, "never" for none, and "when-needed" for what is not plainly in no
    need of it. Never raises.
    """
    if not text.strip():
        return Gate(search=False, why="empty: there is no text", mount_tools=False)
    start, end = kernel(text)
    query = text[start:end].strip() or text.strip()
    if lazy == "never":
        return Gate(search=False, why="never: searching is turned off", query=query)
    if lazy == "always":
        return Gate(search=True, why="always: every message is searched for", layers=FACTS_FIRST, query=query)
    if start == end:
        why = "courtesy: a greeting, thanks, an acknowledgement or the like"
        # A yes can be the answer to "Shall I remember that?".
        return Gate(search=False, why=why, query=query, mount_tools=_was_asked(window))
    looked_at = query if len(query) <= _LONGEST else f"{query[: _LONGEST // 2]}\n{query[-_LONGEST // 2 :]}"
    if gate := _searched_before(query, searched) or _no_need(looked_at, query, window, blocks, now):
        return gate
    why, layers = _need(plain(looked_at), looked_at)
    return Gate(search=True, why=why, layers=layers, query=query)


def _was_asked(window: Sequence[Remark]) -> bool:
    """Whether the assistant's last message asks something."""
    answers = [one for one in window if one.role == "assistant"]
    return bool(answers) and min(answers, key=lambda one: one.age).text.rstrip().endswith(("?", "？"))


def _searched_before(query: str, searched: Sequence[Searched]) -> Gate | None:
    for earlier in sorted(searched, key=lambda one: -one.turn):
        # What a long message asks may be its last line alone, which weighs little.
        short = max(len(query), len(earlier.query)) <= _LONGEST
        if (likeness(query, earlier.query) >= ALIKE) if short else (query == earlier.query):
            why = f"searched: turn {earlier.turn} searched for the same"
            return Gate(search=False, why=why, query=query, same_as=earlier.turn)
    return None


def _no_need(looked_at: str, query: str, window: Sequence[Remark], blocks: Sequence[str], now: datetime) -> Gate | None:
    """Why a message needs no recall; None: it does, or it is not plain."""
    low = plain(looked_at)
    if is_news(looked_at, low):
        return Gate(search=False, why="news: it tells something and asks nothing", query=query)
    order = self_contained.instruction(low)
    at_hand = self_contained.is_work_at_hand(order)
    if window and self_contained.JUST_NOW.search(order):
        return Gate(search=False, why="window: it is about what was said a moment ago", query=query)
    if needs.looks_back(order if at_hand else low, at_hand=at_hand):
        return None
    if at_hand and not needs.speaks_of_oneself(order):
        return Gate(search=False, why="at hand: the text to work on is there", query=query, mount_tools=False)
    if where := _told_already(looked_at, query, window, blocks):
        return where
    if code := _without_memory(looked_at, low, now):
        return Gate(search=False, why=code, query=query, mount_tools=False)
    return None


def _told_already(asked: str, query: str, window: Sequence[Remark], blocks: Sequence[str]) -> Gate | None:
    said = [one for one in window if one.role == "user" and one.age <= RECENT]
    newest = sorted(said, key=lambda one: one.age)[:_MESSAGES]
    if answered(asked, (sentence for one in newest for sentence in sentences_of(one.text)), own=True):
        return Gate(search=False, why="window: a recent message tells it", query=query)
    if answered(asked, (sentence for block in blocks for sentence in sentences_of(block)), own=False):
        return Gate(search=False, why="core: a block tells it", layers=("core",), query=query)
    return None


def _without_memory(text: str, low: str, now: datetime) -> str | None:
    """Which kind of question this is that nothing remembered bears on."""
    if self_contained.ITSELF.search(low):
        return "assistant: about the assistant itself"
    if self_contained.CLOCK.search(low):
        return "clock: the time or the date"
    if needs.OWN.search(needs.NOBODY.sub(" ", low)):
        return None
    if self_contained.MADE_UP.search(low) and not self_contained.FOR_SOMEBODY.search(text):
        return "made up: something to be invented"
    if self_contained.is_short(low) and self_contained.SUM.search(low):
        return "sum: to be reckoned"
    if self_contained.WHO_MADE.search(low):
        return "world: common knowledge"
    if needs.PRIVATE.search(low) or needs.PLACE.search(low):
        return None
    if self_contained.is_about_code(low):
        return "code: about programs"
    if needs.TASTE.search(low) or needs.speaks_of_oneself(low):
        return None
    if self_contained.of_long_ago(low, now.year) or self_contained.asks_the_world(low, text):
        return "world: common knowledge"
    return None


def _need(low: str, text: str) -> tuple[str, tuple[Layer, ...]]:
    """What a search is for, and where what it looks for is likeliest to be."""
    if needs.looks_back(low, at_hand=False):
        return "past: it speaks of something said or done before", _SAID
    if needs.TASTE.search(low):
        return "taste: the answer depends on what somebody likes or has", FACTS_FIRST
    if needs.speaks_of_oneself(low):
        return "person: it is about the speaker", FACTS_FIRST
    if needs.PLACE.search(low):
        return "place: the answer depends on where somebody is", FACTS_FIRST
    if found := needs.named(text):
        return f"name: {found[0][1]}", ("records", "journal")
    return "unsure: it may have to do with something known", FACTS_FIRST
